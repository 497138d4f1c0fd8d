"""The small decisions: set-up, reinforcements and refits, losses, retreats, advances, what to give up."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from sandtable.core import Action, Offers
from sandtable.core.bits import bits, mask_of

from ..facts.board import board
from ..facts.retreats import best_paths
from ..facts.stacking import broken_limit, ways_to_stay
from ..model.actions import (
    Advance,
    Arrive,
    DefaultSetup,
    Disband,
    Done,
    Ground,
    Hit,
    Lose,
    Mobilize,
    Refit,
    Retreat,
    Stand,
)
from ..model.atlas import ATLAS, hex_name
from ..model.state import TRACK, M
from ..rules.advance import paths
from ..rules.advance_phase import Pursuit
from ..rules.air import factor
from ..rules.mobilization import arrival_hexes, available_air, due, refit_cost
from ..rules.results_phase import LoseSteps
from ..rules.retreat import may_stand
from ..rules.retreat_phase import RetreatAll
from ..rules.stacking import overstacked
from ..rules.stacking_phase import Overstack
from ..rules.terror_phase import ChooseHit
from .lore import step_worth, turns_left, unit_worth
from .scene import Scene

_REICH = ATLAS.country_number[ATLAS.rules["victory"]["reich_power"]]

_CROWDED = 99.0
"""What it costs to put a unit where it could only be disbanded."""


def _names(offers: Offers, act: type[Action]) -> list[str]:
    """The units that an offer of one kind begins with."""
    return [name for offer in offers[act] for name in offer.fields[0].given(())]


def deploy_action() -> Action:
    return DefaultSetup()


# ---- mobilization --------------------------------------------------------------------------------------------------
def ground_action(scene: Scene) -> Action:
    """Storms: the least useful air unit stays on the ground."""
    ready = available_air(scene.m, scene.side)
    if not ready:
        return Done()
    return Ground(ATLAS.units[min(ready, key=lambda unit: (factor(scene.m, unit), unit))].id)


def arrive_action(scene: Scene) -> Action:
    """A reinforcement comes in where it is needed most."""
    m = scene.m
    best: tuple[float, int, int] | None = None
    waiting = [unit for unit in due(m, scene.side) if arrival_hexes(m, unit)]
    # A city takes one arrival a turn: those who cannot walk on choose first.
    for unit in [unit for unit in waiting if ATLAS.units[unit].static] or waiting:
        for at in bits(arrival_hexes(m, unit)):
            walkers = [other for other in board(m.state).stack(at) if ATLAS.units[other].mobile]
            crowd, static = len(walkers), ATLAS.units[unit].static
            value = (0 if static else scene.lure[at]) + scene.home[at] - 0.3 * crowd * (not static)
            value += 0.1 * scene.stakes.keep.get(at, 0.0)
            if broken_limit([*board(m.state).stack(at), unit], at):
                shut_in = all(scene.reach(other) == 1 << at for other in walkers)
                value -= _CROWDED if static or shut_in else 1.0  # those who walk may yet make room
            if best is None or value > best[0]:
                best = (value, unit, at)
    if best is None:
        return Done()
    return Arrive(ATLAS.units[best[1]].id, hex_name(best[2]))


def spend_action(scene: Scene, offers: Offers) -> Action:
    """The best use per point: refits act at once, reinforcements come one to three turns later or too late."""
    m = scene.m
    left = turns_left(m.state)
    best: tuple[float, Action] | None = None
    for name in _names(offers, Refit):
        unit = ATLAS.unit_number[name]
        face = ATLAS.units[unit]
        gain = unit_worth(unit, face.steps) - unit_worth(unit, 1)
        if face.air:
            gain = 0.9 + 0.5 * (factor(m, unit) == 0)
        else:
            at = m.state.where[unit]
            gain += 0.05 * (scene.lure[at] + scene.home[at])
        gain /= refit_cost(unit)
        if best is None or gain > best[0]:
            best = (gain, Refit(name))
    for name in _names(offers, Mobilize):
        unit = ATLAS.unit_number[name]
        face = ATLAS.units[unit]
        chance = min(left, 3) / 3
        gain = (unit_worth(unit, face.steps) - face.vp) * chance * 0.7
        if face.air:
            gain = (0.4 * factor(m, unit) + 0.1) * chance
        elif face.sf:
            gain = 0.5 * chance
        elif face.static:
            gain *= 0.5 if has_room(m, face.country) else 0.0
        if gain > 0 and (best is None or gain > best[0]):
            best = (gain, Mobilize(name))
    return best[1] if best is not None else Done()


def has_room(m: M, country: int) -> bool:
    """Whether there are more cities without a unit that cannot walk than such units on their way."""
    state = m.state
    mine = [unit for unit in ATLAS.countries[country].units if ATLAS.units[unit].static]
    taken = mask_of(state.where[unit] for unit in mine if state.where[unit] >= 0)
    coming = sum(state.where[unit] < TRACK for unit in mine)
    return (ATLAS.countries[country].cities & ~taken).bit_count() > coming


# ---- losses --------------------------------------------------------------------------------------------------------
def hit_action(scene: Scene, step: ChooseHit) -> Action:
    """Terror from the air falls on the unit whose step is worth most."""
    steps = scene.m.state.steps
    unit = max(step.units, key=lambda unit: (step_worth(unit, steps[unit], scene.scale), -unit))
    return Hit(ATLAS.units[unit].id)


def lose_action(scene: Scene, step: LoseSteps) -> Action:
    """The cheapest step goes first; a fort that holds the hex is spared."""
    steps = scene.m.state.steps

    def price(unit: int) -> tuple[float, int]:
        face = ATLAS.units[unit]
        cost = step_worth(unit, steps[unit], scene.scale)
        if face.fort and steps[unit] == 1:
            cost += 1.0
        if steps[unit] == 1:
            cost += 0.15
        return cost, unit

    return Lose(ATLAS.units[min(step.choices(scene.m), key=price)].id)


def disband_action(scene: Scene, step: Overstack) -> Action:
    """Keep the units that are worth most together."""
    crowded = overstacked(scene.m.state, step.side)
    if not crowded:
        return Done()
    stack = board(scene.m.state).stacks[crowded[0]]
    kept = max(ways_to_stay(stack, crowded[0]), key=lambda units: fsum(scene.worth(unit) for unit in units))
    going = [unit for unit in stack if unit not in kept]
    return Disband(ATLAS.units[min(going, key=lambda unit: (scene.worth(unit), unit))].id)


# ---- retreats and advances -----------------------------------------------------------------------------------------
def retreat_action(scene: Scene, step: RetreatAll) -> Action:
    """A fort is a reason to stay; else back to where the unit covers most and is safest."""
    m = scene.m
    for unit in step.units:
        if may_stand(m, unit):
            return Stand(ATLAS.units[unit].id)
    best: tuple[float, int, tuple[int, ...]] | None = None
    for unit in step.units:
        for path in best_paths(m.state, unit, step.distance):
            value = refuge(scene, unit, path[-1])
            if best is None or value > best[0]:
                best = (value, unit, path)
        if best is not None:
            break
    assert best is not None
    return Retreat(ATLAS.units[best[1]].id, tuple(hex_name(at) for at in best[2]))


def refuge(scene: Scene, unit: int, at: int) -> float:
    """How good a hex is to fall back to."""
    value = scene.value(at) + scene.home[at] + 0.1 * scene.terrain(at, False, [unit])
    if scene.known.zoc[1 - scene.side] >> at & 1:
        value -= 0.3
    if any(ATLAS.units[other].fort for other in scene.known.stack(at)):
        value += 0.5
    return value


def advance_action(scene: Scene, step: Pursuit) -> Action:
    """Into the hex where that takes a city or ground worth having, without leaving a city open behind."""
    m = scene.m
    battle = m.state.battle
    assert battle is not None
    best: tuple[float, int, tuple[int, ...]] | None = None
    for unit in step.movers(m):
        here = m.state.where[unit]
        stay = standing(scene, unit, here, (here,))
        for path in paths(m, unit, battle.target):
            gain = standing(scene, unit, path[-1], path) - stay
            if best is None or gain > best[0]:
                best = (gain, unit, path)
    if best is None or best[0] <= 0:
        return Done()
    return Advance(ATLAS.units[best[1]].id, tuple(hex_name(at) for at in best[2]))


def standing(scene: Scene, unit: int, at: int, path: Sequence[int]) -> float:
    """What a unit is good for in a hex after a battle, what it passes on the way included."""
    m = scene.m
    friends = [
        other
        for other in board(m.state).stack(at)
        if other != unit and m.state.side[ATLAS.units[other].country] == scene.side
    ]
    value = scene.doctrine.ground * 2 * scene.lure[at] * scene.scale
    for place in path:
        alone = place != at or not friends
        worth = scene.stakes.take.get(place, 0.0)
        if worth and (place == at or ATLAS.country_of[place] >= 0):
            value += worth if alone or place != at else 0.15 * worth
    keep = scene.stakes.keep.get(at, 0.0)
    if keep and (scene.danger(at) or must_stand(scene, at)):
        value += keep if not friends else 0.15 * keep
    threat = scene.danger(at)
    if threat:
        wall = scene.defense(unit) + sum(scene.defense(other) for other in friends)
        odds = threat / max(1, wall) / (1 + 0.35 * scene.terrain(at, False, [unit]))
        value -= scene.worth(unit) * 0.4 * max(0.0, min(1.0, (odds - 1.5) / 3))
    return value


def must_stand(scene: Scene, at: int) -> bool:
    """Whether a hex counts only while a unit of the Reich stands in it."""
    state = scene.m.state
    return bool(
        ATLAS.reich_objectives >> at & 1
        and state.side[_REICH] == scene.side
        and state.side[ATLAS.country_of[at]] == 1 - scene.side
    )
