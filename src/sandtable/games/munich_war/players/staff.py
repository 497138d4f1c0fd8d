"""The staff: answers every question of a match by rules of thumb, for any doctrine.

It works on a whole state, real or imagined. A player gives it the state it imagines from its view; a search gives it
the state it is trying things out on.
"""

from __future__ import annotations

from collections.abc import Callable

from sandtable.core import Action, Offers

from ..model.actions import Done
from ..model.atlas import NOBODY, SIDES
from ..model.state import M, MunichState
from ..rules.advance_phase import Pursuit
from ..rules.air_phase import AirCombat, AirIntercept, AirLaunch
from ..rules.combat_phase import Combat, CommitSupport
from ..rules.mobilization_phase import Arrivals, Refresh, Spend
from ..rules.movement_phase import Movement
from ..rules.results_phase import LoseSteps
from ..rules.retreat_phase import RetreatAll
from ..rules.setup_phase import Deploy
from ..rules.stacking_phase import Overstack
from ..rules.terror_phase import ChooseHit, TerrorBombing
from .choices import (
    advance_action,
    arrive_action,
    deploy_action,
    disband_action,
    ground_action,
    hit_action,
    lose_action,
    retreat_action,
    spend_action,
)
from .fighting import Memo, combat_action, support_action
from .flying import Sky, bomb_action, fight_action, intercept_action, plan_sky
from .lineup import lineup
from .lore import Doctrine
from .marching import Marching
from .scene import Scene
from .shipping import plan_sea

Dream = Callable[[], M]
"""Makes the state to think about, when it is needed."""

Script = dict[str, tuple[tuple[Action, ...], Sky]]
"""The plans of a turn's phases, by the name of the step: a plan that is tried again need not be made again."""


class Staff:
    """Rules of thumb with a memory of what was planned for the phase."""

    def __init__(self, side: int, doctrine: Doctrine) -> None:
        self.side, self.doctrine = side, doctrine
        self.first = doctrine
        """By what the countries are set up."""
        self.queue: list[Action] = []
        self.phase: tuple[int, str] = (0, "")
        self.sky = Sky()
        self.memo: Memo = {}
        self.remembered = 0
        """The turn whose attacks are in the memo."""
        self.script: Script | None = None
        self.scripted = 0
        """The turn that the script is for."""
        self.lineup: list[Action] = []
        """A set-up to be carried out, unit by unit."""
        self.country = NOBODY
        """The country that is being set up."""

    def answer(self, state: MunichState, dream: Dream, offers: Offers) -> Action:
        """One action out of the offers. `state`: what is known for certain; `dream`: a whole state to think with."""
        step = state.stack[-1]
        phase = (state.turn, type(step).__name__)
        if isinstance(step, (Movement, AirLaunch)):
            if phase != self.phase:
                self.phase = phase
                self.queue = self.planned(phase, step, dream, offers)
            while self.queue:
                action = self.queue.pop(0)
                if offers.refuse(action) is None:
                    return action
            return Done()
        if state.turn != self.remembered:
            self.memo, self.remembered = {}, state.turn
        self.phase = phase
        if isinstance(step, Deploy):
            return self.deploy(step, dream, offers)
        scene = Scene(dream(), self.side, self.doctrine, rough=True)
        action = self.react(step, scene, offers)
        if offers.refuse(action) is None:
            return action
        return fallback(offers)

    def deploy(self, step: Deploy, dream: Dream, offers: Offers) -> Action:
        """The planned set-up as long as it is allowed, then the default."""
        if self.country != step.country:
            self.country = step.country
            self.lineup = lineup(dream(), step.country, self.side, self.first)
        while self.lineup:
            action = self.lineup.pop(0)
            if offers.refuse(action) is None:
                return action
        return deploy_action()

    def planned(
        self, phase: tuple[int, str], step: Movement | AirLaunch, dream: Dream, offers: Offers
    ) -> list[Action]:  # fmt: skip
        """The plan of a phase: out of the script where it has one for it, else made now and written into it."""
        if self.script is None or phase[0] != self.scripted:
            return self.plan(step, dream(), offers)
        found = self.script.get(phase[1])
        if found is None:
            queue = self.plan(step, dream(), offers)
            found = self.script[phase[1]] = (tuple(queue), self.sky)
        self.sky = found[1]
        return list(found[0])

    def plan(self, step: Movement | AirLaunch, m: M, offers: Offers) -> list[Action]:
        """All actions of a phase in which nothing happens that was not foreseen."""
        scene = Scene(m, self.side, self.doctrine)
        if isinstance(step, AirLaunch):
            self.sky, orders = plan_sky(scene)
            return orders
        march = Marching(scene)
        sailing = plan_sea(scene, march, offers)
        return sailing + march.plan()

    def react(self, step: object, scene: Scene, offers: Offers) -> Action:
        if isinstance(step, Combat):
            return combat_action(scene, self.memo)
        if isinstance(step, CommitSupport):
            return support_action(scene)
        if isinstance(step, RetreatAll):
            return retreat_action(scene, step)
        if isinstance(step, Pursuit):
            return advance_action(scene, step)
        if isinstance(step, LoseSteps):
            return lose_action(scene, step)
        if isinstance(step, Spend):
            return spend_action(scene, offers)
        if isinstance(step, Arrivals):
            return arrive_action(scene)
        if isinstance(step, AirIntercept):
            return intercept_action(scene)
        if isinstance(step, AirCombat):
            return fight_action(scene)
        if isinstance(step, TerrorBombing):
            return bomb_action(scene, self.sky)
        if isinstance(step, ChooseHit):
            return hit_action(scene, step)
        if isinstance(step, Overstack):
            return disband_action(scene, step)
        if isinstance(step, Refresh):
            return ground_action(scene)
        return fallback(offers)


def fallback(offers: Offers) -> Action:
    """Something allowed that does no harm: to be done if one may, else the first thing there is."""
    if offers[Done]:
        return Done()
    return next(iter(offers))


def side_of_role(role: str | None) -> int:
    return SIDES.index(role) if role in SIDES else 0
