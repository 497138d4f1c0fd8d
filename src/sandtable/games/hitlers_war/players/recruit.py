"""The recruit: plays at random, but does nothing that anybody would call a blunder."""

from __future__ import annotations

from typing import Any

from sandtable.core import Action, NothingToChoose, Offers, View
from sandtable.players.base import Budget

from ..model.actions import (
    Advance,
    Assault,
    Attack,
    Build,
    Convert,
    Detach,
    Dismantle,
    Done,
    Exploit,
    Invade,
    March,
    Repair,
    Transfer,
)
from ..model.atlas import ATLAS, INF, MECH, STACK
from ..model.state import INVASION, War, points
from ..rules import advance_phase, assault_phase, attacks_phase, exploitation_phase, movement_phase, production_phase
from . import battle
from .captain import Captain
from .chances import advance as odds_of
from .reading import live
from .scene import Scene

_TRIES = 12
_MARCHES = 0.15
"""The chance to stop moving before each march."""
_RESTRAINT = 0.25
"""The chance not to name one more attack, or not to go on."""


class Recruit(Captain):
    """Sane random play."""

    level = "recruit"

    def answer(self, s: War, side: int, step: object, offers: Offers, view: View[Any], budget: Budget) -> Action | None:
        if isinstance(step, movement_phase.Movement):
            return self.wander(Scene(s, side), offers)
        if isinstance(step, attacks_phase.Announce):
            return self.brawl(Scene(s, side), offers)
        if isinstance(step, assault_phase.Assaults):
            return self.draw(offers, Assault) if self.rng.random() > 0.2 else Done()
        if isinstance(step, (advance_phase.Advances, exploitation_phase.MustAdvance)):
            return self.step_in(Scene(s, side), offers)
        if isinstance(step, exploitation_phase.Exploitation):
            return self.go_on(Scene(s, side), offers)
        if isinstance(step, production_phase.Production):
            return self.spend(offers)
        return super().answer(s, side, step, offers, view, budget)

    def draw(self, offers: Offers, *acts: type[Action]) -> Action | None:
        """Something of these kinds, if there is anything."""
        found = [offer for act in acts for offer in live(offers, act)]
        self.rng.shuffle(found)
        for offer in found:
            try:
                return offer.sample(self.rng)
            except NothingToChoose:
                continue
        return None

    # ---- movement
    def wander(self, scene: Scene, offers: Offers) -> Action:
        if self.rng.random() < _MARCHES:
            return Done()
        for _ in range(_TRIES):
            action = self.draw(offers, March, March, Transfer, Detach)
            if action is not None and not self.is_blunder(scene, action):
                return action
        return Done()

    def is_blunder(self, scene: Scene, action: Action) -> bool:
        """Crowding a hex, baring a capital, going where no supply comes, giving up landing craft."""
        s = scene.s
        if isinstance(action, Convert):
            return True
        if isinstance(action, March):
            army = ATLAS.army_index[action.army]
            to, number = ATLAS.index[action.to], points(s, army)
        elif isinstance(action, (Transfer, Detach)):
            army = ATLAS.army_index[action.army]
            to = s.army_at[ATLAS.army_index[action.into]] if isinstance(action, Transfer) else ATLAS.index[action.to]
            number = sum(amount for kind, amount in action.points if kind != "tac_air")
        else:
            return False
        at = s.army_at[army]
        if to != at and not ATLAS.is_box[to] and scene.own[to] + s.fort.get(to, 0) + number > STACK:
            return True
        if not scene.fed[to]:
            return True
        vital = scene.worth[at] >= 15 and scene.danger[at] <= 6
        return vital and to != at and scene.own[at] - number < 3

    # ---- combat
    def brawl(self, scene: Scene, offers: Offers) -> Action:
        s = scene.s
        for _ in range(_TRIES):
            if self.rng.random() < _RESTRAINT / 3:
                break
            action = self.draw(offers, Attack, Attack, Invade)
            if action is None:
                break
            assert isinstance(action, (Attack, Invade))
            army, target = ATLAS.army_index[action.army], ATLAS.index[action.target]
            if not scene.is_prey(target):
                continue
            if isinstance(action, Attack):
                tanks, foot = s.strength[army * 5 + MECH], s.strength[army * 5 + INF]
                held = scene.held_by(target)
                if odds_of(tanks, held, scene.added(s.army_at[army])) < 0.3 and foot + tanks < 2 * held:
                    continue
            return action
        return Done()

    def step_in(self, scene: Scene, offers: Offers) -> Action | None:
        s = scene.s
        for _ in range(_TRIES):
            action = self.draw(offers, Advance)
            if action is None:
                break
            assert isinstance(action, Advance)
            army = ATLAS.army_index[action.army]
            sure = battle.odds(s, army, s.target[army], action.paradrop)
            if s.mode[army] == INVASION or sure >= 0.3 or live(offers, Done) == []:
                return action
        return Done() if live(offers, Done) else self.draw(offers, Advance)

    def go_on(self, scene: Scene, offers: Offers) -> Action | None:
        for _ in range(_TRIES):
            if self.rng.random() < _RESTRAINT:
                break
            action = self.draw(offers, Exploit)
            if not isinstance(action, Exploit):
                break
            army, target = ATLAS.army_index[action.army], ATLAS.index[action.target]
            if battle.prospect(scene, army, target, scene.pull, scene.worth, 0.0)[0] > 0:
                return action
        return Done() if live(offers, Done) else self.draw(offers, Exploit)

    # ---- production
    def spend(self, offers: Offers) -> Action | None:
        action = self.draw(offers, Build, Build, Repair)
        return action if action is not None and not isinstance(action, Dismantle) else Done()
