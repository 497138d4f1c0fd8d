"""The Combat phase: four stages, each finished for all battles before the next one begins."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sandtable.core import Offer, OneOf, Step
from sandtable.core.offers import Field

from ..facts.lanes import LAND, spaces_in
from ..facts.lookup import at, control_side, speaker
from ..facts.whereabouts import index
from ..model.actions import ChooseBattle
from ..model.atlas import ATLAS, NOBODY
from ..model.kinds import AIR, BASE
from ..model.state import HOME_BOUND, MOVED, RAIDING, M
from .battle_phase import Battle
from .combat import battle_counts
from .homecoming_phase import ReturnHome
from .interception import landings
from .interception_phase import SeaStage
from .landings import landing_units, quiet_landings
from .strategic_phase import StrategicStage

A = ATLAS
K = ATLAS.kinds


class Combat(Step, frozen=True, tag="combat"):
    """All Stage 1 battles, then all of Stage 2, 3 and 4.  [w2e-combat-after-move] [w2e-battle-order]"""

    rule = "w2e-combat-after-move"
    blitz: bool = False

    def run(self, m: M) -> None:
        if self.blitz:
            m.replace(LandStage(True), ReturnHome())
        else:
            m.replace(StrategicStage(True), SeaStage(), LandStage(), ReturnHome())


_BUSY = RAIDING | HOME_BOUND


def fighters_in(m: M, space: int) -> tuple[list[int], list[int]]:
    """The units of both sides that fight in a land space."""
    state = m.state
    flags, kinds, powers, aboard, home = state.flags, state.kind, state.power, state.cargo_of, state.home
    found: tuple[list[int], list[int]] = ([], [])
    sides, classes = A.side, K.cls
    for unit in at(m)[space]:
        side, busy = sides[powers[unit]], flags[unit] & _BUSY
        if side < 0 or aboard[unit] >= 0 or classes[kinds[unit]] == BASE:
            continue
        if not busy or (busy == HOME_BOUND and home[unit] == space):
            found[side].append(unit)
    return found


def land_battles(m: M, done: Collection[int] = ()) -> dict[int, int]:
    """Land spaces in which both sides stand or are about to land, with the attacker; but for those that are done.

    [w2e-battle-trigger]
    """
    found = {}
    coasts = {task.target for task in landings(m)}
    where = index(m)
    shared = where.forces(0) & where.forces(1) & LAND
    for space in sorted(coasts.union(spaces_in(shared)).difference(done)):
        side = control_side(m.state, space)
        if side == NOBODY or not A.is_land[space]:
            continue
        both = fighters_in(m, space)
        here = both[1 - side] or (space in coasts and landing_units(m, space, 1 - side))
        if here and both[side]:
            found[space] = side if both[1 - side] and _were_there(m, both[1 - side], space) else 1 - side
    return found


def _were_there(m: M, units: Sequence[int], space: int) -> bool:
    """Planes whose base was overrun this turn defend it still.  [w2e-attacker-defender]"""
    state = m.state
    return all(K.cls[state.kind[u]] == AIR and state.home[u] == space and not state.flags[u] & MOVED for u in units)


class LandStage(Step, frozen=True, tag="land-stage"):
    """Stage 3: the ground battles in the order that the initiative players choose.  [w2e-battle-order]"""

    rule = "w2e-battle-order"
    blitz: bool = False
    done: tuple[int, ...] = ()
    begun: bool = False

    def next(self, m: M) -> dict[int, int]:
        """The battles that may come next, with their attackers."""
        found: dict[int, int] | None = m.cache.get(self)
        if found is None:
            state = m.state
            left = land_battles(m, self.done)
            mine = {s: side for s, side in left.items() if state.initiative[A.front_of[s][0]] == state.first}
            found = m.cache[self] = mine or left
        return found

    def run(self, m: M) -> None:
        if not self.begun:
            quiet_landings(m)
            m.replace(LandStage(self.blitz, self.done, True))
            return
        spaces = self.next(m)
        if not spaces:
            quiet_landings(m)
            m.pop()
        elif len(spaces) == 1:
            self.start(m, next(iter(spaces)))

    def start(self, m: M, space: int) -> None:
        attacker = self.next(m)[space]
        both = fighters_in(m, space)
        att, dfn = tuple(both[attacker]), tuple(both[1 - attacker])
        m.amend(LandStage(self.blitz, (*self.done, space), True))
        m.push(Battle(space, attacker, False, att, dfn, blitz=self.blitz, counts=battle_counts(m, space, dfn)))

    def roles(self, m: M) -> Sequence[str]:
        state = m.state
        side = state.initiative[A.front_of[next(iter(self.next(m)))][0]]
        return (A.powers[speaker(state, side)],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Offer(ChooseBattle, Field("space", "space", OneOf([A.names[s] for s in self.next(m)])), rule=self.rule)]

    def take(self, m: M, role: str, action: Any) -> None:
        self.start(m, A.index[action.space])
