"""A battle as the rulebook has it (11): who may fight whom, the column, the losses that a result asks for."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from ..model.atlas import ATLAS, MOBILE, NOBODY
from ..model.state import ATTACKED, NO_ATTACK
from .position import FINLAND, NEXT, SOVIETS, UNITS, Position, around, is_city, is_land, is_rail, terrain

ALL = -1


class Terms(NamedTuple):
    """What a result of the combat results tables asks for; ALL: every unit."""

    attackers_reduced: int = 0
    attackers_retreat: int = 0
    defenders_reduced: int = 0
    defenders_retreat: int = 0
    attackers_die: bool = False
    defenders_die: bool = False
    advance: bool = False


RESULTS: Mapping[str, Terms] = {
    "AA": Terms(attackers_reduced=1),
    "AD": Terms(attackers_reduced=ALL, attackers_retreat=1),
    "AP": Terms(attackers_retreat=2),
    "AS": Terms(),
    "AW": Terms(attackers_retreat=1),
    "AZ": Terms(attackers_die=True),
    "BB": Terms(attackers_reduced=ALL, defenders_reduced=ALL, advance=True),
    "DA": Terms(defenders_reduced=1, advance=True),
    "DD": Terms(defenders_reduced=ALL, defenders_retreat=1, advance=True),
    "DP": Terms(defenders_retreat=2, advance=True),
    "DW": Terms(defenders_retreat=1, advance=True),
    "DZ": Terms(defenders_die=True, advance=True),
    "MA": Terms(defenders_reduced=1, defenders_retreat=1, advance=True),
    "MD": Terms(attackers_reduced=1, defenders_retreat=1, advance=True),
    "OR": Terms(defenders_reduced=ALL, defenders_retreat=3, advance=True),
}


def can_attack(position: Position, number: int, target: int) -> bool:
    """11.0: an attack factor, no attack yet this phase, next to the hex."""
    state = position.state
    at = state.where[number]
    if state.flags[number] & (ATTACKED | NO_ATTACK) or at < 0:
        return False
    if UNITS[number].attack[state.steps[number]] < 1:
        return False
    if number in state.assaults:
        return state.assaults[number] == target
    return target in NEXT[at]


def targets(position: Position, side: int) -> dict[int, dict[int, set[int]]]:
    """Every hex that the side may attack: by nation, who may join in."""
    found: dict[int, dict[int, set[int]]] = {}
    for at, stack in position.stacks.items():
        owner = position.side(stack[0])
        if owner == side or not is_land(at):
            continue
        for unit in UNITS:
            if not unit.land or position.sides[unit.country] != side or not can_attack(position, unit.index, at):
                continue
            if owner == NOBODY and not position.may_invade(unit.country, at):
                continue
            found.setdefault(at, {}).setdefault(unit.country, set()).add(unit.index)
    return found


def percent(position: Position, attackers: Sequence[int], defenders: Sequence[int]) -> int:
    steps = position.state.steps
    attack = sum(UNITS[number].attack[steps[number]] for number in attackers)
    defense = sum(UNITS[number].defense[steps[number]] for number in defenders)
    return 100 * attack // max(1, defense)


def shift(position: Position, target: int, attackers: Sequence[int], defenders: Sequence[int]) -> int:
    """11.10 to 11.14 and 20.0: columns to the right, without air, naval and special forces support."""
    state, country = position.state, ATLAS.country_of[target]
    row = ATLAS.tables["tec"][terrain(target)]
    ground = row["shift"]
    if terrain(target) in ("rough", "mountain") and any(UNITS[number].alpine for number in attackers):
        ground = 1
    if is_city(target) and not position.feared(target):
        ground = max(ground, ATLAS.tables["tec"]["city"]["shift"])
    total = -int(ground)
    if ATLAS.face(target)["entrenchment"] and all(UNITS[number].country == country for number in defenders):
        total -= 1
    if all(ATLAS.hexside.get((state.where[number], target)) in ("river", "bridge") for number in attackers):
        total -= 1
    hungry = [not position.supplied(number, combat=True) for number in attackers]
    total -= 2 if all(hungry) else 1 if any(hungry) else 0
    total += is_concentric(position, target, attackers, defenders)
    nation = UNITS[attackers[0]].country
    if state.storm and country in (SOVIETS, FINLAND) and nation != country:
        total -= 1
    return total


def is_concentric(position: Position, target: int, attackers: Sequence[int], defenders: Sequence[int]) -> bool:
    """11.14 and ruling 38: attackers or their zones are in every hex around that the defenders could enter."""
    covered: set[int] = set()
    for number in attackers:
        at = position.state.where[number]
        covered.add(at)
        if UNITS[number].mobile:
            covered.update(position.zone(at))
    for to in around(target):
        shut = to not in NEXT[target] or not position.is_open(to)
        if not shut and terrain(to) == "mountain" and not is_rail(target, to):
            shut = not any(UNITS[number].alpine for number in defenders)
        if not shut and to not in covered:
            return False
    return True


def column(percentage: int, shifted: int) -> int:
    """The column of the tables, clamped once."""
    base = max(place for place, least in enumerate(ATLAS.columns) if percentage >= least)
    return max(0, min(len(ATLAS.columns) - 1, base + shifted))


def may_be_mobile(target_stack: Collection[int], attackers: Collection[int]) -> bool:
    """11.7: a mechanized attacker and no fortification in the hex."""
    return any(UNITS[number].mechanized for number in attackers) and not any(UNITS[n].fort for n in target_stack)


def reduced_by(result: str, table: str, attackers: Sequence[int], defenders: Sequence[int]) -> tuple[int, int]:
    """How many attackers and defenders a result reduces; MD counts only where a mechanized unit attacks."""
    terms = RESULTS[result]
    struck = len(defenders) if terms.defenders_reduced == ALL else min(len(defenders), terms.defenders_reduced)
    if result == "BB":
        return min(len(attackers), len(defenders)), struck
    if result == "MD" and table == MOBILE:
        return min(1, sum(UNITS[number].mechanized for number in attackers)), struck
    return len(attackers) if terms.attackers_reduced == ALL else min(len(attackers), terms.attackers_reduced), struck
