"""The set-up of a country: the usual one with nobody's capital left open, and others with stronger garrisons."""

from __future__ import annotations

from sandtable.core import Action
from sandtable.core.bits import bits, mask_of

from ..facts.distance import distances
from ..facts.stacking import broken_limit
from ..model.actions import DefaultSetup, Place
from ..model.atlas import ATLAS, hex_name
from ..model.setup import FULL, REDUCED
from ..model.state import M
from ..rules.victory import city_worth

_WORTH_IT = 3
"""Victory points from which a city's garrison is thought about."""
_COVERED = 5
"""Victory points from which a capital is covered."""
_PRIZES = ATLAS.key_cities | ATLAS.reich_objectives
_MOST = 6
_OPEN = 2
"""Victory points from which a city is not left without a mobile unit."""
_NEAR = 8
"""From how many hexes away that unit may be taken."""

Lineup = dict[int, tuple[int, bool]]
"""Unit -> (hex, set up reduced)."""


def lineups(m: M, country: int, side: int, *, cover: bool = False) -> list[list[Action]]:
    """The usual set-up first, then set-ups in which the best city has a stronger garrison.

    `cover`: the capital is covered as well.
    """
    state = m.state
    if m.option("additional-armored-forces") or state.reduced:
        return [[DefaultSetup()]]  # what is set up where is then not the printed table any more
    printed: Lineup = {
        unit: place for unit, place in ATLAS.plans[state.plan].setup.items() if ATLAS.units[unit].country == country
    }
    setup = garrisoned(printed, country, side)
    if cover:
        enemies = frozenset(other for other, who in enumerate(state.side) if who == 1 - side)
        setup = covered(setup, country, side, enemies)
    found: list[list[Action]] = [[DefaultSetup()] if setup == printed else orders(country, setup)]
    face = ATLAS.countries[country]
    cities = [at for at in (face.capital, *face.mobilization) if at >= 0 and city_worth(at, 1 - side) >= _WORTH_IT]
    for city in sorted(cities, key=lambda at: (-city_worth(at, 1 - side), at))[:1]:
        found += [orders(country, changed) for changed in stronger(setup, city)[:_MOST]]
    return found


def garrisoned(setup: Lineup, country: int, side: int) -> Lineup:
    """The set-up with a mobile unit in each city whose loss would cost points, the dearest first."""
    guards: set[int] = set()
    cities = [at for at in bits(_PRIZES) if ATLAS.country_of[at] == country]
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


def stronger(setup: Lineup, city: int) -> list[Lineup]:
    """Set-ups with a better defender in the city, the nearest to come first."""

    def defense(unit: int) -> int:
        return ATLAS.units[unit].defense[1 if setup[unit][1] else ATLAS.units[unit].steps]

    mobile = [unit for unit in setup if ATLAS.units[unit].mobile]
    here = [unit for unit in mobile if setup[unit][0] == city]
    weakest = max((defense(unit) for unit in here), default=0)
    others = [unit for unit in mobile if setup[unit][0] != city and defense(unit) > weakest]
    found = []
    for unit in sorted(others, key=lambda unit: (-defense(unit), distances(city)[setup[unit][0]], unit)):
        changed = dict(setup)
        for other in here:
            changed[other] = (setup[unit][0], setup[other][1])
        changed[unit] = (city, setup[unit][1])
        if not overfull(changed):
            found.append(changed)
    return found


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
