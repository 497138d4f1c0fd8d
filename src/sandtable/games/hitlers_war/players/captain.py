"""The captain: rules of thumb for every decision of the game."""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.core import Action, Game, Offers, View
from sandtable.players.base import Budget

from ..model.actions import Done, Lose, Retreat
from ..model.atlas import SIDES
from ..model.state import War
from ..rules import (
    advance_phase,
    assault_phase,
    attacks_phase,
    exploitation_phase,
    invasion_phase,
    movement_phase,
    production_phase,
    research_phase,
    retreat,
)
from . import battle, economy, orders, strategic
from .doctrine import Doctrine, Plan, phase_key, stance
from .plan import make_guarded
from .reading import live
from .scene import Scene

_CHECKED = (movement_phase.Movement, attacks_phase.Announce)
"""Steps whose answers were tried against the offers when they were chosen, or are the always open `Done`."""
_MOST_STEPS = 70
"""Steps of one movement phase after which the rest of the plan is let go."""


class Captain:
    """Plans by rule of thumb and carries the plan out."""

    level = "captain"

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        self.game = game
        self.seed = seed
        self.rng = Random(f"{self.level}/{seed}")
        self._key: tuple[Any, ...] | None = None
        self._plan: Plan | None = None
        self._steps: tuple[int, int, int] = (-1, -1, 0)

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        assert view.role is not None
        s: War = view.state
        side = SIDES.index(view.role)
        step = s.stack[-1]
        action = self.answer(s, side, step, offers, view, budget)
        if action is not None and (isinstance(step, _CHECKED) or offers.refuse(action) is None):
            return action
        return self.fall_back(offers)

    def quick(self, view: View[Any], offers: Offers) -> Action:
        """The same in a rehearsal, where nobody looks at the clock."""
        return self.decide(view, offers, Budget())

    def fall_back(self, offers: Offers) -> Action:
        """The safe choice: be done where that is allowed, otherwise anything that is."""
        if offers.refuse(Done()) is None:
            return Done()
        return offers.sample(self.rng)

    # ---- by kind of step
    def answer(self, s: War, side: int, step: object, offers: Offers, view: View[Any], budget: Budget) -> Action | None:
        if live(offers, Lose):
            return battle.lose(s, offers)
        if isinstance(step, retreat.Retreats) and live(offers, Retreat):
            return battle.retreat(Scene(s, side), offers)
        if isinstance(step, movement_phase.Movement):
            return self.move(s, side, offers, view, budget)
        if isinstance(step, attacks_phase.Announce):
            scene = Scene(s, side)
            return battle.announce(scene, self.plan(scene, view, budget), offers)
        if isinstance(step, assault_phase.DefensiveAssaults):
            return battle.defend(s, offers)
        if isinstance(step, assault_phase.Assaults):
            return battle.assault(Scene(s, side), offers, exploiting=step.only >= 0)
        if isinstance(step, (advance_phase.Advances, exploitation_phase.MustAdvance)):
            return battle.advance(Scene(s, side), offers)
        if isinstance(step, exploitation_phase.Exploitation):
            scene = Scene(s, side)
            return battle.exploit(scene, self.standing(scene), offers)
        if isinstance(step, (invasion_phase.NavalFires, invasion_phase.SupportFires, invasion_phase.CoastalFires)):
            return battle.shoot(s, offers)
        if isinstance(step, production_phase.Production):
            scene = Scene(s, side)
            return economy.produce(scene, self.doctrine(scene), offers)
        if isinstance(step, research_phase.Research):
            return economy.study(Scene(s, side), offers)
        return strategic.answer(Scene(s, side), step, offers)

    # ---- planning
    def doctrine(self, scene: Scene) -> Doctrine:
        return stance(scene)

    def make_plan(self, scene: Scene, view: View[Any], budget: Budget) -> Plan:
        return make_guarded(scene, self.doctrine(scene))

    def plan(self, scene: Scene, view: View[Any], budget: Budget) -> Plan:
        """The plan of this turn, made once and found again."""
        key = phase_key(scene)
        if self._plan is None or self._key != key:
            self._plan, self._key = self.make_plan(scene, view, budget), key
        return self._plan

    def standing(self, scene: Scene) -> Plan:
        """The plan of this turn as far as it is remembered: in the middle of a battle the map has changed."""
        if self._plan is not None and self._key is not None and self._key[:2] == (scene.s.turn, scene.side):
            return self._plan
        return Plan([], self.doctrine(scene))

    def forget(self) -> None:
        """Let the plan of this turn go."""
        self._plan = self._key = None

    def move(self, s: War, side: int, offers: Offers, view: View[Any], budget: Budget) -> Action | None:
        turn, whose, number = self._steps
        self._steps = (s.turn, side, number + 1 if (turn, whose) == (s.turn, side) else 0)
        if self._steps[2] > _MOST_STEPS:
            return Done()
        scene = Scene(s, side)
        if not self._steps[2] or has_fleet_orders(s):
            found = strategic.sail(scene, offers)
            if found is not None:
                return found
        ferry = self.ferry(scene, offers)
        if ferry is not None:
            return ferry
        plan = self.plan(scene, view, budget)
        for action in orders.steps(scene, plan):
            if offers.refuse(action) is None:
                return action
        return strategic.sail(scene, offers) or Done()

    def ferry(self, scene: Scene, offers: Offers) -> Action | None:
        """Points that cross a sea before anything is planned; None where none do."""
        crossing = orders.ferries(scene, self.doctrine(scene).watch)
        return next((action for action in crossing if offers.refuse(action) is None), None)


def has_fleet_orders(s: War) -> bool:
    return bool(s.at_sea)
