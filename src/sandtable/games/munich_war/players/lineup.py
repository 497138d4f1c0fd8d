"""The set-up of a country: the usual one with no capital left open, and more for those who think ahead."""

from __future__ import annotations

from collections.abc import Collection

from sandtable.core import Action
from sandtable.core.bits import bits, mask_of

from ..facts.distance import around, distances
from ..facts.stacking import broken_limit
from ..model.actions import DefaultSetup, Place
from ..model.atlas import ALLIES, ATLAS, AXIS, hex_name
from ..model.setup import FULL, REDUCED
from ..model.state import M
from ..rules.victory import city_worth
from .lore import EASY, Doctrine, prey_of

_COVERED = 5
"""Victory points from which a capital is covered."""
_RAID = 4
"""How far from a city easy neutrals are for a force that waits there,"""
_WORTH_RAID = 5
"""and the victory points for which there is one."""
_PRIZES = ATLAS.key_cities | ATLAS.reich_objectives
_OPEN = 2
"""Victory points from which a city is not left without a mobile unit."""
_NEAR = 8
"""From how many hexes away that unit may be taken."""

_ASIDE = 2
"""How many hexes from a city that is given up those wait who leave it."""
_BORDER = 2
"""How many hexes from an enemy country the border is."""

Lineup = dict[int, tuple[int, bool]]
"""Unit -> (hex, set up reduced)."""


def lineup(m: M, country: int, side: int, doctrine: Doctrine) -> list[Action]:
    """The set-up of a country, as actions."""
    state = m.state
    if m.option("additional-armored-forces") or state.reduced:
        return [DefaultSetup()]  # what is set up where is then not the printed table any more
    printed: Lineup = {
        unit: place for unit, place in ATLAS.plans[state.plan].setup.items() if ATLAS.units[unit].country == country
    }
    setup = garrisoned(printed, country, side)
    enemies = frozenset(other for other, who in enumerate(state.side) if who == 1 - side)
    if doctrine.raid and side == ALLIES:
        prey = frozenset(o for o in ATLAS.countries[country].invades if state.side[o] < 0) & EASY
        setup = withdrawn(setup, country, side, prey, enemies)
    if state.side[country] == side:
        if doctrine.ahead:
            setup = covered(setup, country, side, enemies)
        if doctrine.raid:
            setup = poised(setup, country, prey_of(m, side) & EASY, enemies)
    setup = aside(setup, country, [at for at, share in doctrine.stress if not share])
    return [DefaultSetup()] if setup == printed else orders(country, setup)


def garrisoned(setup: Lineup, country: int, side: int) -> Lineup:
    """The set-up with a mobile unit in each city whose loss would cost points, the dearest first."""
    guards: set[int] = set()
    cities = [at for at in bits(_PRIZES & ~ATLAS.no_setup) if ATLAS.country_of[at] == country]
    for city in sorted(cities, key=lambda at: (-city_worth(at, 1 - side), at)):
        if city_worth(city, 1 - side) < _OPEN:
            continue
        here = [unit for unit in setup if setup[unit][0] == city and ATLAS.units[unit].mobile]
        if not here:
            near = [
                unit
                for unit, (at, _) in setup.items()
                if ATLAS.units[unit].mobile and unit not in guards and distances(city)[at] <= _NEAR
                and ATLAS.units[unit].defense[1 if setup[unit][1] else ATLAS.units[unit].steps] > 1
            ]  # fmt: skip
            for unit in sorted(near, key=lambda unit: (distances(city)[setup[unit][0]], unit)):
                changed = setup | {unit: (city, setup[unit][1])}
                if not overfull(changed):
                    setup, here = changed, [unit]
                    break
        guards.update(here)
    return setup


def withdrawn(setup: Lineup, country: int, side: int, prey: frozenset[int], enemies: frozenset[int]) -> Lineup:
    """The set-up with no unit whose loss counts on the border of an enemy, who has the first move.

    Such units wait where neutrals that fall easily are nearest, else in the nearest city behind the border.
    """

    def on_border(at: int) -> bool:
        return any(ATLAS.country_of[there] in enemies for there in bits(around(at, _BORDER)))

    prizes = [at for at in bits(_PRIZES) if ATLAS.country_of[at] in prey and city_worth(at, side)]
    rear = [
        at
        for at in bits((ATLAS.land if prizes else ATLAS.cities) & ~ATLAS.no_setup)
        if ATLAS.country_of[at] == country and not on_border(at)
    ]
    for unit, (at, reduced) in sorted(setup.items()):
        face = ATLAS.units[unit]
        if not face.vp or not face.mobile or _PRIZES >> at & 1 or not (prizes or on_border(at)):
            continue
        goals = prizes or [at]
        for place in sorted(rear, key=lambda place: (sum(distances(goal)[place] for goal in goals), place)):
            changed = setup | {unit: (place, reduced)}
            if not overfull(changed):
                setup = changed
                break
    return setup


def covered(setup: Lineup, country: int, side: int, enemies: frozenset[int]) -> Lineup:
    """The set-up without a gap next to the capital through which an enemy could come.

    A hex that nobody can get to is a hex from which the capital cannot be attacked in the first turn.
    """
    capital = ATLAS.countries[country].capital
    if capital < 0 or city_worth(capital, 1 - side) < _COVERED:
        return setup
    ring = [at for at in bits(ATLAS.zone[capital]) if ATLAS.country_of[at] == country]
    for gap in ring:
        stacks = stacked(setup)
        guarded = mask_of(at for at, units in stacks.items() if any(ATLAS.units[unit].mobile for unit in units))
        ways_in = [at for at in bits(ATLAS.zone[gap]) if ATLAS.country_of[at] in enemies]
        if gap in stacks or all(ATLAS.zone[at] & guarded for at in ways_in):
            continue
        near = [
            unit
            for unit, (at, _) in setup.items()
            if ATLAS.units[unit].mobile and at not in ring and distances(gap)[at] <= _NEAR
            and (not _PRIZES >> at & 1 or sum(ATLAS.units[other].mobile for other in stacks[at]) > 1)
        ]  # fmt: skip
        for unit in sorted(near, key=lambda unit: (ATLAS.units[unit].defense[ATLAS.units[unit].steps], unit)):
            changed = setup | {unit: (gap, setup[unit][1])}
            if not overfull(changed):
                setup = changed
                break
    return setup


def poised(setup: Lineup, country: int, prey: frozenset[int], enemies: frozenset[int]) -> Lineup:
    """The set-up with a full stack in the city from which most can be had of neutrals that fall easily.

    The corps come from where they are farthest from the enemy.
    """
    face = ATLAS.countries[country]
    prizes = [at for at in bits(_PRIZES) if ATLAS.country_of[at] in prey & face.invades]
    front = [at for at in range(ATLAS.hex_count) if ATLAS.country_of[at] in enemies]

    def booty(base: int) -> int:
        return sum(city_worth(at, AXIS) for at in prizes if distances(base)[at] <= _RAID)

    base = max(face.mobilization, key=booty, default=-1)
    if base < 0 or booty(base) < _WORTH_RAID:
        return setup
    stacks = stacked(setup)
    rear = [
        unit
        for unit, (at, _) in setup.items()
        if ATLAS.units[unit].mobile and not ATLAS.units[unit].army and not ATLAS.units[unit].mechanized
        and at != base and not ATLAS.trenches >> at & 1
        and (not _PRIZES >> at & 1 or sum(ATLAS.units[other].mobile for other in stacks[at]) > 1)
    ]  # fmt: skip
    for unit in sorted(rear, key=lambda unit: (-min(distances(setup[unit][0])[at] for at in front), unit)):
        changed = setup | {unit: (base, setup[unit][1])}
        if not overfull(changed):
            setup = changed
    return setup


def aside(setup: Lineup, country: int, given_up: Collection[int]) -> Lineup:
    """The set-up with nobody in cities that are given up: who would stand there waits near, far from invaders."""
    foes = [face.hexes for face in ATLAS.countries if country in face.invades]
    front = [at for hexes in foes for at in bits(hexes)]
    for unit, (city, reduced) in sorted(setup.items()):
        if city not in given_up or not ATLAS.units[unit].mobile:
            continue
        near = bits(around(city, _ASIDE) & ~ATLAS.no_setup & ~ATLAS.mountains & ~_PRIZES)
        home = [at for at in near if ATLAS.country_of[at] == country]
        for at in sorted(home, key=lambda at: (-min((distances(there)[at] for there in front), default=0), at)):
            changed = setup | {unit: (at, reduced)}
            if not overfull(changed):
                setup = changed
                break
    return setup


def stacked(setup: Lineup) -> dict[int, list[int]]:
    """The units of each hex."""
    found: dict[int, list[int]] = {}
    for unit, (at, _) in setup.items():
        found.setdefault(at, []).append(unit)
    return found


def overfull(setup: Lineup) -> bool:
    return any(len(stack) > 1 and broken_limit(stack, at) for at, stack in stacked(setup).items())


def orders(country: int, setup: Lineup) -> list[Action]:
    """A set-up as actions: fortifications first, markers into their box."""
    found: list[Action] = [
        Place(ATLAS.units[unit].id, hex_name(at), REDUCED if reduced else FULL)
        for unit, (at, reduced) in sorted(setup.items(), key=lambda item: (not ATLAS.units[item[0]].fort, item[0]))
    ]
    found += [
        Place(ATLAS.units[unit].id, "available", FULL)
        for unit in ATLAS.countries[country].units
        if not ATLAS.units[unit].land and ATLAS.units[unit].start == "available"
    ]
    return found
