"""What the learned judgement looks at in Blitzkrieg General, besides what every game gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.core import Game
from sandtable.core.judge import Judge

from ..model.atlas import ATLAS, AXIS, MAJORS, SIDES
from ..model.state import BKState, M, strength
from .evaluate import evaluate

_SCALE = 60.0
"""The worth by hand that stands for one step of log odds."""
_HOMES = tuple(frozenset(ATLAS.homes[major]) for major in range(len(MAJORS)))
_NEAR = tuple(frozenset(there for here in home for there in ATLAS.land_next[here]) - home for home in _HOMES)
_TOUCHES = tuple(
    tuple((major, space in home) for major, (home, near) in enumerate(zip(_HOMES, _NEAR, strict=True))
          if space in home or space in near)
    for space in range(ATLAS.count)
)  # fmt: skip
"""Per space the majors whose home it is in (True) or beside."""


class BlitzkriegJudge(Judge[BKState]):
    """The calendar, how much is left of every major's home, and who stands in it and beside it."""

    def parties(self, game: Game[Any], state: BKState) -> Mapping[str, tuple[str, ...]]:
        """The sides as they are now: free alliances may have changed them."""
        found = {name: tuple(MAJORS[n] for n in range(8) if state.side[n] == side) for side, name in enumerate(SIDES)}
        return {name: roles for name, roles in found.items() if roles}

    def features(self, m: M) -> Mapping[str, float]:
        state = m.state
        found = {"turn": float(state.turn), "turns-left": float(len(ATLAS.turns) - 1 - state.turn),
                 "us-level": float(state.us_level), "moves": float(state.phasing)}  # fmt: skip
        own, foes, army = [0.0] * len(MAJORS), [0.0] * len(MAJORS), [0.0] * len(MAJORS)
        for unit, place in enumerate(state.place):
            if place < 0 or not ATLAS.is_land[unit]:
                continue
            nation = state.nation[unit]
            side, points = state.side[nation], strength(state, unit) * ATLAS.shots[unit]
            if nation < len(MAJORS):
                army[nation] += points
            for major, inside in _TOUCHES[place]:
                if side == state.side[major]:
                    own[major] += points if inside else 0.0
                elif side >= 0:
                    foes[major] += points
        for major, name in enumerate(MAJORS):
            home = _HOMES[major]
            lost = sum(1 for space in home if state.side[state.control[space]] not in (state.side[major], -1))
            found[f"standing:{name}"] = float(state.standing[major])
            found[f"lost:{name}"] = lost / len(home)
            found[f"own:{name}"], found[f"foes:{name}"], found[f"army:{name}"] = own[major], foes[major], army[major]
            found[f"peril:{name}"] = foes[major] / (own[major] + foes[major] + 1.0)
        found["hand.axis"] = evaluate(state, AXIS) / _SCALE
        return found

    def worth(self, m: M, role: str) -> float:
        return evaluate(m.state, m.state.side[MAJORS.index(role)]) / _SCALE


JUDGE = BlitzkriegJudge()
