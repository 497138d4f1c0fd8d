"""What the learned judgement looks at in Munich War 1938, besides what every game gives."""

from __future__ import annotations

import math
from collections.abc import Mapping

from sandtable.core.bits import bits
from sandtable.core.judge import Judge

from ..facts.board import board
from ..facts.control import controlled
from ..facts.distance import distances
from ..model.atlas import ALLIES, ATLAS, AXIS, SIDES
from ..model.state import M, MunichState
from ..rules.victory import city_worth
from .evaluate import hope
from .lore import turns_left

_REACH = 3
"""How many hexes from a city troops count."""
_CITIES = tuple(
    (at, ATLAS.hex_name[at], ATLAS.country_of[at])
    for at in bits(ATLAS.key_cities | ATLAS.reich_objectives)
    if max(city_worth(at, AXIS), city_worth(at, ALLIES)) >= 2
)
"""The cities that decide: (hex, name, country)."""
_NEAR = tuple(
    tuple(
        (city, 1.0 if not distances(at)[here] else 1 - distances(at)[here] / (_REACH + 1))
        for city, (at, _, _) in enumerate(_CITIES)
        if distances(at)[here] <= _REACH
    )
    for here in range(ATLAS.hex_count)
)
"""Per hex the cities within reach, and how much of a force there is felt in them."""


class MunichJudge(Judge[MunichState]):
    """The calendar, whose turn it is, who holds each city, and what either side has near it."""

    def features(self, m: M) -> Mapping[str, float]:
        state = m.state
        found = {"turn": float(state.turn), "turns-left": float(turns_left(m.state)), "phasing": float(state.phasing)}
        wall, blow = ([[0.0, 0.0] for _ in _CITIES] for _ in range(2))
        for here, stack in board(state).stacks.items():
            for city, share in _NEAR[here]:
                for unit in stack:
                    face, steps = ATLAS.units[unit], state.steps[unit]
                    side = state.side[face.country]
                    if side < 0:
                        continue
                    blow[city][side] += share * face.attack[steps]
                    if share == 1.0:
                        wall[city][side] += face.defense[steps]
        held = controlled(state)
        risk = [0.0, 0.0]
        for number, (at, name, country) in enumerate(_CITIES):
            owner = AXIS if held[AXIS] >> at & 1 else ALLIES if held[ALLIES] >> at & 1 else -1
            lead = blow[number][AXIS] - blow[number][ALLIES]
            found[f"holds:{name}"] = 0.0 if owner < 0 else 1.0 if owner == AXIS else -1.0
            found[f"lead:{name}"] = lead
            if owner < 0 or state.side[country] < 0:
                continue
            worth = city_worth(at, 1 - state.side[country])
            blow_now, wall_now = blow[number][1 - owner], wall[number][owner]
            risk[owner] += worth * blow_now / (blow_now + 2 * wall_now + 4)
        found["risk.axis"], found["risk.allies"] = risk
        return found

    def worth(self, m: M, role: str) -> float:
        side = SIDES.index(role)
        share = min(0.9999, max(0.0001, hope(m, side, max(0, m.state.phasing))))
        return math.log(share / (1 - share))


JUDGE = MunichJudge()
