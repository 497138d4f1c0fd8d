"""Exact odds of this game's battles: every die is listed, nothing is simulated.

Each preview answers for the action at hand as the position stands: what an attacker or defender may still do in
between is not foreseen.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec

from sandtable.core import Action, Odds, Refusal, Result
from sandtable.core.columns import put

from ..model.actions import (
    Advance,
    Assault,
    Attack,
    Bomb,
    CoastalAir,
    DefensiveAssault,
    Drop,
    Exploit,
    Launch,
    NavalFire,
    Partisans,
    SupportFire,
    Test,
)
from ..model.atlas import ATLAS, AXIS, SIDES
from ..model.state import M, War, air_in, armies_in, side_of, total
from ..model.technology import ITEM, ITEMS
from ..rules import research
from ..rules.advance import chance, droppable
from ..rules.assault import COAST as COAST_UNIT
from ..rules.assault import FORT, HOME, attackers_of, on_the_ground
from ..rules.assault_phase import DefensiveAssaults
from ..rules.attacks import attack_mode
from ..rules.control import who_defends
from ..rules.firepower import die_modifiers
from ..rules.invasion import COAST, COAST_OFF_MAP, naval_strength
from ..rules.morale import attack_dice
from ..rules.strategic import missiles
from ..rules.strategic.warfare import ATOMIC
from . import naval
from .chances import Spread, air_then_ground, at_most, both, fire_odds, in_space, into_space, less, one_fire

_ITEMS = len(ITEMS)


def advance_odds(s: War, army: int, target: int, paradrop: int) -> Odds:
    """The chance that an army enters a hex.  [hw-advance-3]"""
    what = chance(s, army, target, paradrop)
    wins = sum(what.succeeds(die) for die in range(1, 7))
    p = wins / 6
    facts = {"needed": what.needed, "strength": what.strength, "against": what.against}
    results = [Result(p, "result.success", facts=facts), Result(1 - p, "result.failure", facts=facts)]
    return Odds("odds.advance", results, p, what.modifiers)


def attack_odds(s: War, army: int, target: int) -> Odds | None:
    """The chance to advance if an announced attack were resolved now, without any assault before it."""
    mode = attack_mode(s, army, target)
    if isinstance(mode, Refusal):
        return None
    announced = msgspec.structs.replace(s, mode=put(s.mode, army, mode))
    return advance_odds(announced, army, target, droppable(announced, army))


def assault_odds(s: War, action: Assault) -> Odds:
    """Losses of an attacker's assault: of its air attack, then of its fire on the ground.  [hw-air-3] [hw-assault-3]"""
    target = ATLAS.index[action.target]
    armies = [ATLAS.army_index[u] for u in action.units]
    parts = die_modifiers(s, s.side, ATLAS.index[action.at], armies, attack=True)
    added = sum(part.value for part in parts)
    foes = [a for a in armies_in(s, target) if side_of(a) != s.side]
    room = s.fort.get(target, 0) - s.absorbed.get(target, 0)
    strength = on_the_ground(s, armies, target, air=action.air, attack=True)
    spread = air_then_ground(
        one_fire(action.air, added, capped=False), less(one_fire(strength, added, capped=True), max(0, room)),
        air_in(s, foes), s.coast.get(target, 0), in_space(s, target),
    )  # fmt: skip
    return fire_odds("odds.fire", spread, SIDES[who_defends(s, target)], parts)


def defence_odds(m: M, action: DefensiveAssault) -> Odds:
    """Losses that a defensive assault does to the attackers of its hex, in the air and on the ground."""
    s, step = m.state, m.step
    space = ATLAS.index[action.at]
    armies = [ATLAS.army_index[u] for u in action.units if u in ATLAS.army_index]
    side = side_of(armies[0]) if armies else who_defends(s, space)
    parts = die_modifiers(s, side, space, armies, attack=False)
    added = sum(part.value for part in parts)
    own = s.fort.get(space, 0) * (FORT in action.units) + s.home.get(space, 0) * (HOME in action.units)
    coast = s.coast.get(space, 0) * (COAST_UNIT in action.units)
    strength = on_the_ground(s, armies, space, air=action.air, attack=False, extra=own, coast=coast)
    foes = attackers_of(s, space, invasion=step.invasion if isinstance(step, DefensiveAssaults) else None)
    spread = air_then_ground(
        one_fire(action.air, added, capped=False), one_fire(strength, added, capped=True),
        air_in(s, foes), 0, sum(total(s, a) for a in foes),
    )  # fmt: skip
    return fire_odds("odds.fire", spread, SIDES[s.side], parts)


def bombing_odds(s: War, action: Bomb) -> Odds:
    """Hits of a raid, after every result of the air defence.  [hw-bomb-3] [hw-bomb-4] [hw-morale-6]"""
    foe = SIDES.index(action.against)
    planes = s.box[s.side * _ITEMS + ITEM["bomber"]]
    guns = s.box[foe * _ITEMS + ITEM["air_defense"]]
    parts = attack_dice(s, s.side)
    added = sum(part.value for part in parts)
    spread: Spread = {}
    for shot, p in one_fire(guns, 0, capped=False).items():
        for hits, q in one_fire(max(0, planes - shot), added, capped=False).items():
            spread[hits] = spread.get(hits, Fraction(0)) + p * q
    return fire_odds("odds.fire", spread, action.against, parts)


def research_odds(s: War, action: Test) -> Odds:
    """How likely each result of a research roll is.  [hw-research-track]"""
    step = s.track[s.side * _ITEMS + ITEM[action.item]]
    letters = [research.result_of(step, die) for die in range(1, 7)]
    results = [Result(letters.count(letter) / 6, f"result.{letter}") for letter in "ABC"]
    return Odds("odds.research", results, letters.count("A") / 6)


def preview(m: M, action: Action) -> Odds | None:
    """The distribution of what an action would start; None where no dice would fall."""
    s = m.state
    parts = attack_dice(s, s.side)  # weariness tells in every attack at sea and in the air  [hw-morale-6]
    added = sum(part.value for part in parts)
    if isinstance(action, Advance):
        army = ATLAS.army_index[action.army]
        return advance_odds(s, army, s.target[army], action.paradrop)
    if isinstance(action, (Attack, Exploit)):
        return attack_odds(s, ATLAS.army_index[action.army], ATLAS.index[action.target])
    if isinstance(action, Assault):
        return assault_odds(s, action)
    if isinstance(action, DefensiveAssault):
        return defence_odds(m, action)
    if isinstance(action, NavalFire) and action.army in ATLAS.army_index:
        shooter = next(side for side in range(3) if SIDES[side] == m.step.roles(m)[0])
        spread: Spread = {0: Fraction(1)}
        for _ in range(action.shots):
            spread = both(spread, one_fire(naval_strength(s, shooter), 0, capped=False))
        return fire_odds("odds.fire", at_most(spread, total(s, ATLAS.army_index[action.army])), SIDES[s.side])
    if isinstance(action, SupportFire):
        one = one_fire(naval_strength(s, s.side), added, capped=False)
        return into_space(s, ATLAS.index[action.target], one, parts)
    if isinstance(action, CoastalAir):
        off_map = ATLAS.is_box[ATLAS.index[action.target]] and s.side == AXIS
        one = one_fire(COAST_OFF_MAP if off_map else COAST, 0, capped=True)
        return fire_odds("odds.fire", at_most(one, total(s, ATLAS.army_index[action.army])), SIDES[s.side])
    if isinstance(action, Bomb):
        return bombing_odds(s, action)
    if isinstance(action, Launch):
        strength = min(action.number, s.missiles[missiles.find(s.side, action.counter)])
        return fire_odds("odds.fire", one_fire(strength, added, capped=False), action.against, parts)
    if isinstance(action, Drop):
        return into_space(s, ATLAS.index[action.at], one_fire(ATOMIC, added, capped=True), parts)
    if isinstance(action, Partisans):
        win = len(ATLAS.tables["partisan"]["success"]) / 6
        return Odds("odds.partisans", [Result(win, "result.success"), Result(1 - win, "result.failure")], win)
    return research_odds(s, action) if isinstance(action, Test) else naval.preview(m, action)
