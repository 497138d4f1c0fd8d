"""The recruit: chooses at random, but walks into no pointless blunder.

It does not leave a threatened city, march out of supply, pile up more than may stand in a hex, attack against all
odds or gamble with its air units.
"""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.core import Action, Game, Offers, View
from sandtable.core.bits import bits
from sandtable.players.base import Budget, imagine

from ..model.actions import Attack, DefaultSetup, Done, Move
from ..model.atlas import ASSAULT, ATLAS, hex_name
from ..model.state import M
from ..rules.air_phase import AirLaunch
from ..rules.combat import attack_strength, defense_strength, percentile
from ..rules.combat_phase import Combat, sworn_marines
from ..rules.mobilization_phase import Spend
from ..rules.movement_phase import Movement
from ..rules.setup_phase import Deploy
from ..rules.terror_phase import TerrorBombing
from .lore import Doctrine
from .marching import Marching
from .scene import Scene, attack_chart
from .staff import side_of_role

_DOCTRINE = Doctrine()
_WALKS = 0.6
"""How many of its units a recruit moves in a turn."""
_FAIR = 100
"""The least odds, in percent, at which it attacks."""


class Recruit:
    """Sane random play."""

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        self.game = game
        self.rng = Random(f"recruit/{seed}")
        self.queue: list[Action] = []
        self.phase: tuple[int, str] = (0, "")

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        step = view.state.stack[-1]
        if isinstance(step, Deploy):
            return DefaultSetup()
        if isinstance(step, (AirLaunch, TerrorBombing)):
            return Done()
        if isinstance(step, Spend):
            return self.spend(offers)
        side = side_of_role(view.role)
        if isinstance(step, Movement):
            phase = (view.state.turn, "movement")
            if phase != self.phase:
                self.phase = phase
                self.queue = self.stroll(Scene(imagine(self.game, view, self.rng).play, side, _DOCTRINE))
            while self.queue:
                action = self.queue.pop()
                if offers.refuse(action) is None:
                    return action
            return Done()
        if isinstance(step, Combat):
            return self.attack(imagine(self.game, view, self.rng).play, side, offers)
        return offers.sample(self.rng)

    def spend(self, offers: Offers) -> Action:
        """Points that are not used are lost: anything is better than nothing."""
        for _ in range(8):
            action = offers.sample(self.rng)
            if not isinstance(action, Done):
                return action
        return Done()

    def stroll(self, scene: Scene) -> list[Action]:
        """Random walks of some units to hexes in supply with room for them, once cities in danger are manned."""
        march = Marching(scene)
        march.garrison()
        for unit in sorted(march.free):
            if self.rng.random() > _WALKS:
                continue
            places = [
                at for at in bits(scene.reach(unit) & march.fed(unit)) if not scene.neutral(at) and march.fits(unit, at)
            ]
            if places:
                march.give(unit, places[int(self.rng.random() * len(places))])
        return [action for action in march.actions() if isinstance(action, Move)]

    def attack(self, m: M, side: int, offers: Offers) -> Action:
        """A random attack at fair odds or better, with everybody who can reach it."""
        chances = []
        for target, nations in attack_chart(m, side).items():
            home = ATLAS.country_of[target]
            if m.state.side[home] != 1 - side:
                continue
            foes = [unit for unit in ATLAS.land_units if m.state.where[unit] == target]
            for nation, units in nations.items():
                if percentile(attack_strength(m, units), defense_strength(m, foes)) >= _FAIR:
                    names = tuple(ATLAS.units[unit].id for unit in units)
                    chances.append(Attack(hex_name(target), ATLAS.countries[nation].name, ASSAULT, names))
        if chances and self.rng.random() < 0.8:
            action = chances[int(self.rng.random() * len(chances))]
            if offers.refuse(action) is None:
                return action
        if offers[Done] and not sworn_marines(m):
            return Done()
        return offers.sample(self.rng)
