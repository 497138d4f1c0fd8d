"""The Combat phase: four stages, each finished for all battles before the next one begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Field, Offer, OneOf, Step

from ..facts.control import speaker
from ..facts.landings import fighters_in, land_battles
from ..model.actions import ChooseBattle
from ..model.atlas import ATLAS
from ..model.state import M
from .aftermath_phase import DepotChoice
from .battle_phase import Battle
from .combat import battle_counts
from .homecoming_phase import ReturnHome
from .interception_phase import SeaStage
from .landings import quiet_landings
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


class LandStage(Step, frozen=True, tag="land-stage"):
    """Stage 3: the ground battles in the order that the initiative players choose.  [w2e-battle-order]"""

    rule = "w2e-battle-order"
    blitz: bool = False
    done: tuple[int, ...] = ()
    begun: bool = False

    def next(self, m: M) -> dict[int, int]:
        """Return the battles that may come next, with their attackers."""
        state = m.state
        left = {space: side for space, side in land_battles(state).items() if space not in self.done}
        return {s: side for s, side in left.items() if state.initiative[A.front_of[s][0]] == state.first} or left

    def run(self, m: M) -> None:
        if not self.begun:
            m.replace(LandStage(self.blitz, self.done, True))
            self.land(m)
            return
        spaces = self.next(m)
        if not spaces:
            m.pop()
            self.land(m)
        elif len(spaces) == 1:
            self.start(m, next(iter(spaces)))

    def land(self, m: M) -> None:
        """Landings without a fight; a depot may be placed where they took land.  [w2e-depot-placement]"""
        for space, side in quiet_landings(m):
            m.push(DepotChoice(space, side))

    def start(self, m: M, space: int) -> None:
        attacker = self.next(m)[space]
        both = fighters_in(m.state, space)
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
