"""In battle: what to fight first, who takes the hits, when to give up, where to go, whom to help."""

from __future__ import annotations

from sandtable.core import Action, Offers

from ..facts.attacks import attackers
from ..facts.duels import Soldier
from ..model.actions import Attack, Done, Engage, NavalReact, React, Reserve, Retreat, TakeHit, Withdraw
from ..model.atlas import CONVOY, SEA
from ..model.state import AT_LAND, Battle, strength
from ..rules.chart import army, steps_left
from ..rules.strength import effective
from .chances import compare
from .scene import Scene

_GIVE_UP, _FLEE = 0.38, 0.2
"""The chance of success below which an attacker, a defender leaves."""
_PRECIOUS = 3
"""Production of an area that is defended to the last."""
_HOPELESS, _SAFE = -0.75, 0.8
_HOLDS, _REAR = 3.0, 3.0
"""How many times as strong an enemy a division may stop; how much rather it retreats to where else nobody would be."""


def soldiers(scene: Scene, battle: Battle, side: int) -> list[Soldier]:
    """The units of a side as the game makes them fight in this battle."""
    state, found = scene.state, scene.found
    out: list[Soldier] = []
    for unit in army(battle, side):
        now = max(0, effective(state, battle, unit, battle.aim.get(unit, AT_LAND)))
        steps = steps_left(state, unit)
        then = max(0, now - (found.front[unit] - max(0, found.back[unit]))) if steps == 2 else 0
        out.append((min(6, now), min(6, then), found.shots[unit], steps))
    return out


def next_battle(scene: Scene, offers: Offers) -> Action | None:
    """At sea first, then where most is at stake."""
    found = scene.found
    spaces = [found.space_of[a.space] for offer in offers[Attack] for a in offer if isinstance(a, Attack)]
    best = max(spaces, key=lambda s: (found.kind[s] == SEA, scene.worth(s) if found.kind[s] != SEA else 0.0, -s))
    return Attack(found.space_ids[best])


def hit(scene: Scene, offers: Offers) -> Action | None:
    """Where it costs least; HQs and what carries troops last."""
    state, found = scene.state, scene.found
    units = [found.unit_of[a.unit] for offer in offers[TakeHit] for a in offer if isinstance(a, TakeHit)]

    def cost(unit: int) -> tuple[float, int]:
        now, steps = strength(state, unit), steps_left(state, unit)
        after = max(0, found.back[unit]) if steps == 2 else 0
        loss = (now - after) * max(1, found.shots[unit]) + (0.5 if steps == 1 else 0.0)
        if found.is_hq[unit]:
            loss += 6
        if unit in state.cargo:
            loss += 4
        if found.is_air[unit] or found.is_ship[unit]:
            loss *= 1.3  # costs twice as much to replace
        return (loss, unit)

    return TakeHit(found.unit_ids[min(units, key=cost)])


def retreat(scene: Scene, offers: Offers) -> Action | None:
    """Fight on while there is a chance; a defender of something precious always does."""
    state, found = scene.state, scene.found
    battle = state.battle
    if battle is None:
        return Retreat("fight")
    mine = 0 if state.side[state.nation[battle.attackers[0]]] == scene.side else 1
    if Retreat("retreat") not in offers:
        return Retreat("fight")
    home = found.home_of[battle.space]
    precious = found.left[battle.space] >= _PRECIOUS and home >= 0
    last = home >= 0 and sum(1 for s in found.homes[home] if state.control[s] == home) <= 2
    if mine == 1 and found.kind[battle.space] != SEA and (precious or last):
        return Retreat("fight")
    chance = scene.chance(soldiers(scene, battle, 0), soldiers(scene, battle, 1))
    if found.kind[battle.space] == SEA:
        # at sea nothing is held: a side that is likely to lose leaves
        return Retreat("retreat" if (chance if mine == 0 else 1 - chance) < 0.45 else "fight")
    if mine == 0:
        return Retreat("retreat" if chance < _GIVE_UP else "fight")
    return Retreat("fight" if 1 - chance >= _FLEE else "retreat")


def withdraw(scene: Scene, offers: Offers) -> Action | None:
    """To the safest place, the one with most friends."""
    state, found = scene.state, scene.found
    actions = [a for offer in offers[Withdraw] for a in offer if isinstance(a, Withdraw)]

    def good(action: Withdraw) -> tuple[float, int]:
        space = found.space_of[action.to]
        unit = found.unit_of[action.unit]
        company = scene.total(scene.friends(space)) if found.kind[space] == SEA else scene.troops(space)
        danger = scene.threat(space) if found.kind[space] != SEA else scene.foe(space)
        score = min(company, 3.0) - danger + 0.3 * found.left[space]
        alone = company <= 0 < danger <= _HOLDS * scene.power(unit)
        if scene.doctrine.stays and alone and scene.vital(space) and not found.is_hq[unit]:
            score += _REAR
        if found.is_air[unit]:
            score = (1.0 if danger <= company else -danger) + 0.2 * min(company, 2.0)
            score -= 0.1 * abs(found.map[space] - found.map[state.place[unit]])
        return (score, -space)

    return max(actions, key=good, default=None)


def engage(scene: Scene, offers: Offers) -> Action | None:
    """At sea: fight whom one can beat."""
    state, found = scene.state, scene.found
    if offers[NavalReact]:
        for offer in offers[NavalReact]:
            for action in offer:
                assert isinstance(action, NavalReact)
                zone = found.space_of[action.to]
                foes = [u for u in scene.enemies(zone) if found.is_ship[u]]
                unit = found.unit_of[action.unit]
                friends = scene.friends(zone)
                if found.type[unit] != CONVOY and scene.total(friends) + scene.power(unit) >= 0.7 * scene.total(foes):
                    return action
        return Done()
    step = state.stack[-1]
    zones = getattr(step, "zones", None)
    zone = getattr(step, "zone", zones[0] if zones else -1)
    if zone < 0:
        return Engage(True)
    mine = [u for u in scene.friends(zone) if found.is_ship[u]]
    foes = [u for u in scene.enemies(zone) if found.is_ship[u]]
    if not mine or not foes:
        return Engage(True)
    return Engage(compare(scene.total(mine), scene.steps(mine), scene.total(foes), scene.steps(foes)) > 0.1)


Need = tuple[tuple[float, int], tuple[float, int], float]
"""The power and steps of a side in a battle, those of its foes, and how it will go as it is."""


def _need(scene: Scene, space: int) -> Need | None:
    """The battle in a space, if help could make a difference in it."""
    state, found = scene.state, scene.found
    foes = attackers(state, space)
    away = [u for u, target in state.abroad.items() if target == space]
    mine = [u for u in (*scene.friends(space), *away) if state.side[state.nation[u]] == scene.side]
    if not foes or (not mine and found.kind[space] != SEA):
        return None
    foe = (scene.total(foes), max(1, scene.steps(foes)))
    power, steps = scene.total(mine), scene.steps(mine)
    before = compare(power, max(1, steps), *foe)
    return None if before > _SAFE else ((power, steps), foe, before)


def react(scene: Scene, offers: Offers) -> Action | None:
    """Help where it makes a difference: not where all is lost, nor where it is not needed."""
    state, found = scene.state, scene.found
    best: tuple[float, Action] | None = None
    needs: dict[int, Need | None] = {}
    for act in (React, Reserve):
        for offer in offers[act]:
            for action in offer:
                assert isinstance(action, (React, Reserve))
                unit, space = found.unit_of[action.unit], found.space_of[action.to]
                if space not in needs:
                    needs[space] = _need(scene, space)
                need = needs[space]
                if need is None:
                    continue
                (power, steps), foe, before = need
                after = compare(power + scene.power(unit), steps + steps_left(state, unit), *foe)
                start = state.place[unit]
                if after < _HOPELESS:
                    continue
                if isinstance(action, Reserve) and found.is_land[unit]:
                    stay = [u for u in scene.friends(start) if found.is_land[u] and u != unit]
                    if scene.vital(start) and scene.total(stay) < 0.5 * scene.threat(start, space):
                        continue
                value = 0.5 if found.kind[space] == SEA else scene.worth(space)
                gain = (after - before) * (1 + value)
                if best is None or gain > best[0]:
                    best = (gain, action)
    return best[1] if best is not None else Done()
