"""How battles may end: the rules' exact odds, kept for positions that come again."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

from sandtable.core import Modifier

from ..facts.winter import in_russian_winter
from ..model.atlas import ATLAS, AXIS, CANAL, RIVER, SIDES, STRAIT
from ..model.kinds import GROUND
from ..model.state import M
from ..odds.preview import FIGHTS, battle_odds
from ..odds.rounds import TooLarge
from ..rules.battle_phase import Battle
from ..rules.strength import Crossing
from .sight import rate

A = ATLAS
K = ATLAS.kinds
COAST = -1
"""The way of a landing."""
_WAYS = {
    RIVER: Modifier("river", 1, "w2e-terrain-river"),
    STRAIT: Modifier("strait", 1, "w2e-terrain-strait"),
    CANAL: Modifier("canal", 1, "w2e-terrain-canal"),
    COAST: Modifier("coast", 1, "w2e-terrain-coast"),
}
_MOST_KEPT = 4000
_ROUNDS = 8
"""After so many rounds a large battle is decided or given up."""


class Chance(NamedTuple):
    """How an attack may end."""

    win: float
    ours: float
    """Dollars the attacker loses on average."""
    theirs: float
    """Dollars the defender loses on average."""


class Chances:
    """Odds that were asked before are not worked out again."""

    large = 20
    """Battles of more units are only estimated: nobody waits for the exact answer."""

    def __init__(self) -> None:
        self._known: dict[object, Chance] = {}

    def attack(
        self, m: M, space: int, side: int, att: Sequence[int], dfn: Sequence[int], ways: set[int], *, blitz: bool
    ) -> Chance:
        """Return a land battle with these units, fought out; `ways` are the borders that those on foot cross."""
        state = m.state
        crossing = Crossing(_WAYS.get(next(iter(ways))) if len(ways) == 1 else None)

        def sign(units: Sequence[int]) -> tuple[tuple[int, ...], ...]:
            return tuple(sorted((state.kind[u], state.flags[u] & FIGHTS, state.power[u]) for u in units))

        key = (space, blitz, crossing.found, state.fortress[space], state.lost_flag[space],
               in_russian_winter(state, AXIS, space), sign(att), sign(dfn))  # fmt: skip
        found = self._known.get(key)
        if found is None:
            battle = Battle(space, side, False, tuple(att), tuple(dfn), blitz=blitz, crossing=crossing)
            found = self.fight(m, battle)
            if len(self._known) > _MOST_KEPT:
                self._known.clear()
            self._known[key] = found
        return found

    def fight(self, m: M, battle: Battle) -> Chance:
        """Return a battle as it stands, fought out."""
        att, dfn = battle.live(m, battle.att), battle.live(m, battle.dfn)
        if len(att) + len(dfn) <= self.large:
            try:
                odds = battle_odds(m, battle, keeps=False)  # players attack with care: dear planes are not spent
            except TooLarge:
                return self.guess(m, battle, att, dfn)
            ours, theirs = SIDES[battle.attacker], SIDES[1 - battle.attacker]
            losses = odds.expected_losses
            return Chance(float(odds.success or 0.0), float(losses[ours]), float(losses[theirs]))
        return self.guess(m, battle, att, dfn)

    def hits(self, m: M, unit: int, space: int, *, defending: bool, blitz: bool) -> float:
        """Return the hits that a unit makes in a round, roughly."""
        return rate(m.state, unit, space, defending=defending, blitz=blitz)

    def guess(self, m: M, battle: Battle, att: Sequence[int], dfn: Sequence[int]) -> Chance:
        """Return a battle that is too large to work out: on land it is fought round by round with average dice."""
        if battle.sea:
            return estimate(m, battle, att, dfn)
        state, space = m.state, battle.space
        kinds = state.kind
        walls = 1 / 6 if battle.crossing.found is not None else 0.0

        def row(units: Sequence[int], defending: bool) -> list[tuple[int, float, bool]]:
            return sorted(
                (
                    K.cost[kinds[u]],
                    self.hits(m, u, space, defending=defending, blitz=battle.blitz)
                    + (walls if defending and K.entrench[kinds[u]] else 0.0),
                    K.cls[kinds[u]] == GROUND,
                )
                for u in units
            )

        ours, theirs = row(att, False), row(dfn, True)
        spent, taken = [0.0, 0.0], [0.0, 0.0]
        whole = [fsum(hits for _, hits, _ in ours) or 0.01, fsum(hits for _, hits, _ in theirs) or 0.01]
        for _ in range(_ROUNDS):
            if not ours or not theirs:
                break
            blows = fsum(hits for _, hits, _ in ours), fsum(hits for _, hits, _ in theirs)
            for force, side in ((theirs, 0), (ours, 1)):
                taken[side] += blows[side]
                while force and taken[side] >= 1.0:
                    taken[side] -= 1.0
                    spent[side] += force.pop(0)[0]
        left = fsum(hits for _, hits, _ in ours) / whole[0] - fsum(hits for _, hits, _ in theirs) / whole[1]
        win = min(0.98, max(0.02, 0.5 + 0.9 * left))
        return Chance(win if any(foot for _, _, foot in row(att, False)) else 0.0, spent[1], spent[0])


class WinterChances(Chances):
    """Knows what the Russian winter does to large armies too."""

    def hits(self, m: M, unit: int, space: int, *, defending: bool, blitz: bool) -> float:
        state = m.state
        if not in_russian_winter(state, A.side[state.power[unit]], space):
            return super().hits(m, unit, space, defending=defending, blitz=blitz)
        kind = state.kind[unit]
        value = int(A.house["combat"]["reduced"])
        if defending and K.entrench[kind] and state.fortress[space]:
            value += int(A.house["combat"]["fortress"])
        return K.dice[kind] * value / 6


class RoughChances(WinterChances):
    """For captains and rehearsals, in which many battles are fought: only small ones are worked out."""

    large = 6


def power(m: M, space: int, units: Sequence[int], *, defending: bool, blitz: bool = False, bonus: int = 0) -> float:
    """Fighting power by the square law: hits in a round times the hits that can be taken."""
    state = m.state
    hits = fsum(rate(state, u, space, defending=defending, blitz=blitz) for u in units)
    if bonus:
        hits += sum(bonus / 6 for u in units if K.entrench[state.kind[u]])
    return hits * len(units)


def estimate(m: M, battle: Battle, att: Sequence[int], dfn: Sequence[int]) -> Chance:
    """Return the same for large battles at sea: the stronger side by the square law wins."""
    state = m.state
    ours = power(m, battle.space, att, defending=False) or 0.01
    theirs = power(m, battle.space, dfn, defending=True, blitz=battle.blitz) or 0.01
    win = ours**2 / (ours**2 + theirs**2)
    dear = sum(K.cost[state.kind[u]] for u in att), sum(K.cost[state.kind[u]] for u in dfn)
    share = min(1.0, theirs / ours), min(1.0, ours / theirs)
    return Chance(win, dear[0] * share[0] * 0.7, dear[1] * share[1] * 0.7)
