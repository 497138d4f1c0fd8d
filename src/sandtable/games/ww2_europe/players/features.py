"""What the learned judgement looks at in World War II in Europe, besides what every game gives."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.core.judge import Judge

from ..facts.whereabouts import whereabouts
from ..model.atlas import ATLAS, NEUTRAL
from ..model.calendar import turn_track
from ..model.kinds import AIR, GROUND
from ..model.state import M, W2State
from .evaluate import evaluate, outlook

A = ATLAS
K = ATLAS.kinds
_SCALE = 150.0
"""The worth by hand that stands for one step of log odds."""


_FURTHER = 0.6
"""How much those count who are two steps away."""
_FULL = 5.0
"""Hits in a round of the best troops that fit into one space."""
_FOOT = tuple(dice * min(5, combat) / 6 if what == GROUND else 0.0
              for dice, combat, what in zip(K.dice, K.combat, K.cls, strict=True))  # fmt: skip
_WING = tuple(dice * min(5, max(combat, ground)) / 6 if what == AIR else 0.0
              for dice, combat, ground, what in zip(K.dice, K.combat, K.vs_ground, K.cls, strict=True))  # fmt: skip
"""Hits of a unit in a round, by kind."""


def _near() -> dict[int, list[tuple[int, float]]]:
    """The spaces in, one and two steps from a capital: (power, how much a force there counts; 0 inside)."""
    found: dict[int, list[tuple[int, float]]] = {}
    for power, capital in enumerate(A.capital):
        near = {there for there, _, _ in A.land_links[capital]} - {capital}
        wide = {there for space in near for there, _, _ in A.land_links[space]} - near - {capital}
        for ring, share in (((capital,), 0.0), (sorted(near), 1.0), (sorted(wide), _FURTHER)):
            for space in ring:
                found.setdefault(space, []).append((power, share))
    return found


_NEAR = tuple((space, tuple(rows)) for space, rows in sorted(_near().items()))
_KEYS = tuple(
    tuple(f"{what}:{name}" for what in ("wall", "feet", "wings", "help", "peril", "owner", "fortress", "status"))
    for name in A.powers
)


class EuropeJudge(Judge[W2State]):
    """The calendar, and how it stands with every capital: who holds it, with what, and what is near."""

    def features(self, m: M) -> Mapping[str, float]:
        state = m.state
        found = {"turn": float(state.turn), "turns-left": float(len(turn_track(state.scenario)) - 1 - state.turn)}
        rows, powers, kinds = whereabouts(state).rows, state.power, state.kind
        holder = [A.side[state.owner[capital]] if state.owner[capital] < NEUTRAL else -1 for capital in A.capital]
        sums = [[0.0] * 4 for _ in A.powers]
        for space, near in _NEAR:
            for unit in rows[space]:
                whose, kind = powers[unit], kinds[unit]
                foot, wing = _FOOT[kind], _WING[kind]
                if whose >= NEUTRAL or not foot + wing:
                    continue
                for power, share in near:
                    row = sums[power]
                    if A.side[whose] != holder[power]:
                        row[1] += share * foot
                        row[2] += share * wing
                    elif share:
                        row[3] += share * (foot + wing)
                    else:
                        row[0] += foot + wing
        for power, capital in enumerate(A.capital):
            wall, feet, wings, near_by = sums[power]
            peril = (min(feet, _FULL) + min(wings, feet)) / (wall + 0.5)
            values = (wall, feet, wings, near_by, peril, holder[power], state.fortress[capital], state.status[power])
            found.update(zip(_KEYS[power], map(float, values), strict=True))
        found["hand.axis"] = evaluate(state, 0) / _SCALE
        return found

    def worth(self, m: M, role: str) -> float:
        return outlook(m, A.side[A.power_index[role]]) / _SCALE


JUDGE = EuropeJudge()
