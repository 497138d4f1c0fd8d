"""Exact odds of the optional naval action: battles between fleets from the carriers' strike to who stays, the search
for raiders, and the fire of fleets on invaders and coasts."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from sandtable.core import Action, Modifier, Odds, Result

from ..model.actions import Chase, Fight, Intercept, Meet, Shell, ShellCoast
from ..model.atlas import ATLAS, SIDES
from ..model.fleets import INDEX, SIDE_OF
from ..model.state import M, War, total
from ..rules.morale import attack_dice
from ..rules.naval.battle import GUNS, STRIKE, attacker_stays, is_alone
from ..rules.naval.fleets import strength
from ..rules.naval.interception import supporters
from ..rules.naval.interception_phase import TakeBattle
from ..rules.naval.raid import CHASE_NEEDS, search_bonus
from .chances import Spread, at_most, both, fire_odds, into_space, one_fire

Fleet = tuple[int, int]
"""Capital ships and carriers."""
Fleets = tuple[Fleet, Fleet]
"""The attacker's and the defender's."""


def preview(m: M, action: Action) -> Odds | None:
    """What an action of the fleets starts; None where no dice would fall at once."""
    s = m.state
    if isinstance(action, Fight):
        return battle_odds(s, INDEX[action.fleet], INDEX[action.foe])
    if isinstance(action, Meet):
        step = m.step
        return battle_odds(s, step.fleet, INDEX[action.fleet]) if isinstance(step, TakeBattle) else None
    if isinstance(action, Intercept):  # where several fleets support the invasion, its owner has yet to choose
        met = supporters(s, ATLAS.army_index[action.army])
        return battle_odds(s, INDEX[action.fleet], met[0]) if len(met) == 1 else None
    if isinstance(action, Chase):
        return chase_odds(s, INDEX[action.fleet], INDEX[action.raider])
    if isinstance(action, Shell):
        army = ATLAS.army_index[action.army]
        spread: Spread = {0: Fraction(1)}
        for _ in range(action.shots):
            spread = both(spread, one_fire(strength(s, INDEX[action.fleet]), 0, capped=False))
        return fire_odds("odds.fire", at_most(spread, total(s, army)), SIDES[s.side])
    if isinstance(action, ShellCoast):
        fleet, parts = INDEX[action.fleet], attack_dice(s, s.side)
        one = one_fire(s.ships[fleet], sum(part.value for part in parts), capped=False)
        return into_space(s, s.target[s.escorting[fleet]], one, parts)
    return None


def battle_odds(s: War, attacker: int, defender: int) -> Odds:
    """A battle to its end: how likely every pair of losses is, and who stays.  [hw-navbattle-2]"""
    sides = SIDES[SIDE_OF[attacker]], SIDES[SIDE_OF[defender]]
    parts = attack_dice(s, SIDE_OF[attacker]), attack_dice(s, SIDE_OF[defender])
    added = _sum(parts[0]), _sum(parts[1])
    before = (s.ships[attacker], s.carriers[attacker]), (s.ships[defender], s.carriers[defender])
    ends: dict[tuple[bool, int, int], Fraction] = {}
    for struck, p in _exchange(before, added, guns=False).items():
        for left, q in _exchange(_without_lone_carriers(struck), added, guns=True).items():
            one, other = _without_lone_carriers(left)
            points = sum(one), sum(other)
            wins = attacker_stays((sum(before[0]), sum(before[1])), points) and points[0] > 0
            key = wins, sum(before[0]) - points[0], sum(before[1]) - points[1]
            ends[key] = ends.get(key, Fraction(0)) + p * q
    results = [
        Result(float(p), "result.stays" if wins else "result.driven-off", {sides[0]: own, sides[1]: foes})
        for (wins, own, foes), p in sorted(ends.items(), key=lambda end: (not end[0][0], end[0]))
    ]
    lost = {
        sides[0]: float(sum(own * p for (_, own, _), p in ends.items())),
        sides[1]: float(sum(foes * p for (_, _, foes), p in ends.items())),
    }
    won = float(sum((p for (wins, _, _), p in ends.items() if wins), Fraction(0)))
    return Odds("odds.sea-battle", results, won, tuple(parts[0]), lost, "policy.carriers-first", f"@{sides[0]}")


def chase_odds(s: War, fleet: int, raider: int) -> Odds:
    """The search for a raider, and the battle if it is found.  [hw-raid-5] [hw-raid-9]"""
    bonus = search_bonus(s, fleet, raider)
    found = sum(die + bonus <= CHASE_NEEDS for die in range(1, 7)) / 6
    battle = battle_odds(s, fleet, raider)
    results = [msgspec.structs.replace(row, probability=row.probability * found) for row in battle.results if found]
    if found < 1:
        results.append(Result(1 - found, "result.not-found"))
    parts = [*battle.modifiers, *([Modifier("scapa", bonus, "hw-raid-9")] if bonus else [])]
    lost = {side: points * found for side, points in battle.expected_losses.items()}
    return Odds("odds.chase", results, battle.success * found, tuple(parts), lost, battle.policy, battle.whose)


def _exchange(
    fleets: tuple[Fleet, Fleet], added: tuple[int, int], *, guns: bool
) -> dict[tuple[Fleet, Fleet], Fraction]:
    """Both fire at the same time: what is left of both, and how likely that is.  [hw-carrier-3] [hw-navbattle-2]"""
    fire = [GUNS * ships if guns else STRIKE * carriers for ships, carriers in fleets]
    hits = [one_fire(points, more, capped=False) for points, more in zip(fire, added, strict=True)]
    ends: dict[Fleets, Fraction] = {}
    for by_one, p in hits[0].items():
        for by_other, q in hits[1].items():
            left = _less(fleets[0], by_other, guns=guns), _less(fleets[1], by_one, guns=guns)
            ends[left] = ends.get(left, Fraction(0)) + p * q
    return ends


def _less(fleet: Fleet, hits: int, *, guns: bool) -> Fleet:
    """Losses to guns are capital ships first; to carriers, carriers first: the owner keeps the guns.  [hw-carrier-4]"""
    ships, carriers = fleet
    if guns:
        sunk = min(hits, ships)
        return ships - sunk, max(0, carriers - (hits - sunk))
    sunk = min(hits, carriers)
    return max(0, ships - (hits - sunk)), carriers - sunk


def _without_lone_carriers(fleets: Fleets) -> Fleets:
    one, other = fleets
    return (
        (0, 0) if is_alone(*one, other[0]) else one,
        (0, 0) if is_alone(*other, one[0]) else other,
    )


def _sum(parts: list[Modifier]) -> int:
    return sum(part.value for part in parts)
