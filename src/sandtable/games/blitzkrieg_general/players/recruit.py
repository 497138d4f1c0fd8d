"""The recruit: chooses at random, but walks into no pointless blunder.

It does not leave a threatened home area or its capital empty, march out of supply, attack against all odds, send
loaded ships among the enemy or leave points unspent.
"""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.core import Action, Game, Offers, View
from sandtable.players.base import Budget

from ..facts.supply import supplied_spaces
from ..model.actions import Build, Declare, Done, Form, Halt, March, Merge, Repair, Sail, Shift, Split, Unload
from ..model.state import has_enemy
from ..rules.movement_phase import Phase
from ..rules.naval_phase import Group
from ..rules.options_phase import ChooseAlliances
from ..rules.production_phase import Production
from .politics import usual_side
from .scene import Scene

_TRIES = 8
_ENOUGH = 0.12
"""How often it calls a phase finished."""
_WARLIKE = 0.05
_FAIR = 1.0
"""The least ratio of power at which it attacks."""


class Recruit:
    """Sane random play."""

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        self.game = game
        self.rng = Random(f"recruit/{seed}")

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        step = view.state.stack[-1]
        assert view.role is not None
        if isinstance(step, ChooseAlliances):
            return usual_side(self.game, view.role, offers, self.rng)
        if isinstance(step, Phase) and offers[Done] and Done() in offers and self.rng.random() < _ENOUGH:
            return Done()
        scene = Scene(view.state, view.role)
        for _ in range(_TRIES):
            action = offers.sample(self.rng)
            if self.is_sane(scene, step, action, offers):
                return action
        for last in (Done(), Halt()):
            if last in offers:
                return last
        return offers.sample(self.rng)

    def is_sane(self, scene: Scene, step: Any, action: Action, offers: Offers) -> bool:
        if isinstance(action, Declare):
            return self.rng.random() < _WARLIKE
        if isinstance(action, (Shift, Split, Merge)):
            return self.rng.random() < 0.2
        if isinstance(action, Done) and isinstance(step, Production):
            return not any(bool(offer) for act in (Build, Repair) for offer in offers[act])
        if isinstance(action, March):
            return self.is_sane_march(scene, action)
        if isinstance(action, Form):
            return self.rng.random() < 0.5
        if isinstance(action, Sail) and isinstance(step, Group):
            to = scene.found.space_of[action.to]
            loaded = any(u in scene.state.cargo for u in step.ships)
            return not (loaded and has_enemy(scene.state, scene.me, to))
        if isinstance(action, Halt) and isinstance(step, Group):
            return not any(bool(offer) for offer in offers[Unload])
        if isinstance(action, Unload):
            to = scene.found.space_of[action.to]
            return not scene.enemies(to)
        return True

    def is_sane_march(self, scene: Scene, action: March) -> bool:
        found, state = scene.found, scene.state
        unit, to = found.unit_of[action.unit], found.space_of[action.to]
        start = state.place[unit]
        rest = [u for u in scene.friends(start) if u != unit and found.is_land[u] and not found.is_hq[u]]
        if not rest and (scene.capital == start or scene.threat(start) > 0) and scene.vital(start):
            return False
        if state.advanced and not supplied_spaces(state, state.nation[unit]) >> to & 1:
            near = any(supplied_spaces(state, state.nation[unit]) >> s & 1 for s in found.land_next[to])
            if not near:
                return False
        foes = scene.enemies(to)
        if foes:
            help_ = scene.friends(to)
            could = [u for s in found.land_next[to] for u in scene.friends(s) if found.is_land[u]]
            return scene.total([*help_, *could]) >= _FAIR * scene.total(foes)
        if found.is_hq[unit]:
            return any(found.is_land[u] and not found.is_hq[u] for u in scene.friends(to))
        return True
