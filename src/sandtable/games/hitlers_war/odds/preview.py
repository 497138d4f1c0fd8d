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
from ..model.state import M, War, air_in, in_box, total
from ..rules import research
from ..rules.advance import chance, droppable
from ..rules.assault import Fire, attacking, defending
from ..rules.assault_phase import DefensiveAssaults
from ..rules.attacks import attack_mode
from ..rules.control import who_defends
from ..rules.invasion import COAST, COAST_OFF_MAP, naval_strength
from ..rules.morale import attack_dice
from ..rules.strategic import missiles
from ..rules.strategic.warfare import ATOMIC
from . import naval
from .chances import Spread, air_then_ground, at_most, both, fire_odds, in_space, into_space, less, one_fire


def advance_odds(s: War, army: int, target: int, paradrop: int) -> Odds:
    """The chance that an army enters a hex.  [hw-advance-3]"""
    what = chance(s, army, target, paradrop)
    wins = sum(what.succeeds(die) for die in range(1, 7))
    p = wins / 6
    basis = f"basis.drive?strength={what.strength}&against={what.against}&needed={what.needed}"
    return Odds(
        "odds.advance", [Result(p, "result.success"), Result(1 - p, "result.failure")], p, what.modifiers,
        basis=f"basis.friendly?needed={what.needed}" if s.owner[target] == s.side else basis,
    )  # fmt: skip


def attack_odds(s: War, army: int, target: int) -> Odds | None:
    """The chance to advance if an announced attack were resolved now, without any assault before it."""
    mode = attack_mode(s, army, target)
    if isinstance(mode, Refusal):
        return None
    announced = msgspec.structs.replace(s, mode=put(s.mode, army, mode))
    return advance_odds(announced, army, target, droppable(announced, army))


def assault_odds(s: War, shot: Fire) -> Odds:
    """Losses of an assault: of its air attack, then of its fire on the ground.  [hw-air-3] [hw-assault-3]"""
    parts, target = shot.modifiers(s), shot.target
    added = sum(part.value for part in parts)
    air, ground = one_fire(shot.air, added, capped=False), one_fire(shot.ground(s), added, capped=True)
    flying = air_in(s, list(shot.enemy))
    if shot.attack:
        room = max(0, s.fort.get(target, 0) - s.absorbed.get(target, 0))
        spread = air_then_ground(air, less(ground, room), flying, s.coast.get(target, 0), in_space(s, target))
    else:
        spread = air_then_ground(air, ground, flying, 0, sum(total(s, a) for a in shot.enemy))
    losing = who_defends(s, target) if shot.attack else s.side
    return fire_odds("odds.fire", spread, SIDES[losing], parts)


def bombing_odds(s: War, action: Bomb) -> Odds:
    """Hits of a raid, after every result of the air defence.  [hw-bomb-3] [hw-bomb-4] [hw-morale-6]"""
    foe = SIDES.index(action.against)
    planes = in_box(s, s.side, "bomber")
    guns = in_box(s, foe, "air_defense")
    parts = attack_dice(s, s.side)
    added = sum(part.value for part in parts)
    spread: Spread = {}
    for shot, p in one_fire(guns, 0, capped=False).items():
        for hits, q in one_fire(max(0, planes - shot), added, capped=False).items():
            spread[hits] = spread.get(hits, Fraction(0)) + p * q
    return fire_odds("odds.fire", spread, action.against, parts)


def research_odds(s: War, action: Test) -> Odds:
    """How likely each result of a research roll is.  [hw-research-track]"""
    letters = [research.letter_for(s, s.side, action.item, die) for die in range(1, 7)]
    results = [Result(letters.count(letter) / 6, f"result.{letter}") for letter in "ABC"]
    return Odds("odds.research", results, letters.count("A") / 6)


AIMS = {
    "odds.advance": "aim.enter", "odds.fire": "aim.hit", "odds.research": "aim.level", "odds.partisans": "aim.rising",
    "odds.sea-battle": "aim.stay", "odds.chase": "aim.stay",
}  # fmt: skip
"""What counts as success."""


def preview(m: M, role: str, action: Action) -> Odds | None:
    """The distribution of what an action would start; None where no dice would fall."""
    found = _next_dice(m, action)
    if found is None:
        return None
    return msgspec.structs.replace(found, whose=found.whose or f"@{role}", aim=AIMS[found.title])


def _next_dice(m: M, action: Action) -> Odds | None:
    s = m.state
    parts = attack_dice(s, s.side)  # weariness counts in every attack at sea and in the air  [hw-morale-6]
    added = sum(part.value for part in parts)
    if isinstance(action, Advance):
        army = ATLAS.army_index[action.army]
        return advance_odds(s, army, s.target[army], action.paradrop)
    if isinstance(action, (Attack, Exploit)):
        return attack_odds(s, ATLAS.army_index[action.army], ATLAS.index[action.target])
    if isinstance(action, Assault):
        return assault_odds(s, attacking(s, action, invasion=False))
    if isinstance(action, DefensiveAssault):
        invasion = m.step.invasion if isinstance(m.step, DefensiveAssaults) else None
        return assault_odds(s, defending(s, action, invasion=invasion))
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
