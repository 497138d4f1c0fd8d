"""The set-up of a country: the usual one with nobody's capital left open, and others with stronger garrisons."""

from __future__ import annotations

from sandtable.core import Action
from sandtable.core.bits import bits

from ..facts.distance import distances
from ..facts.stacking import broken_limit
from ..model.actions import DefaultSetup, Place
from ..model.atlas import ATLAS, hex_name
from ..model.setup import FULL, REDUCED
from ..model.state import M
from ..rules.victory import city_worth

_WORTH_IT = 3
"""Victory points from which a city's garrison is thought about."""
_MOST = 6
_OPEN = 2
"""Victory points from which a city is not left without a mobile unit."""
_NEAR = 8
"""From how many hexes away that unit may be taken."""

Lineup = dict[int, tuple[int, bool]]
"""Unit -> (hex, set up reduced)."""


def lineups(m: M, country: int, side: int) -> list[list[Action]]:
    """The usual set-up first, then set-ups in which the best city has a stronger garrison."""
    state = m.state
    if m.option("additional-armored-forces") or state.reduced:
        return [[DefaultSetup()]]  # what is set up where is then not the printed table any more
    printed: Lineup = {
        unit: place for unit, place in ATLAS.plans[state.plan].setup.items() if ATLAS.units[unit].country == country
    }
    setup = garrisoned(printed, country, side)
    found: list[list[Action]] = [[DefaultSetup()] if setup == printed else orders(country, setup)]
    face = ATLAS.countries[country]
    cities = [at for at in (face.capital, *face.mobilization) if at >= 0 and city_worth(at, 1 - side) >= _WORTH_IT]
    for city in sorted(cities, key=lambda at: (-city_worth(at, 1 - side), at))[:1]:
        found += [orders(country, changed) for changed in stronger(setup, city)[:_MOST]]
    return found


def garrisoned(setup: Lineup, country: int, side: int) -> Lineup:
    """The set-up with a mobile unit in each city whose loss would cost points, the dearest first."""
    guards: set[int] = set()
    cities = [at for at in bits(ATLAS.key_cities | ATLAS.reich_objectives) if ATLAS.country_of[at] == country]
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


def overfull(setup: Lineup) -> bool:
    stacks: dict[int, list[int]] = {}
    for unit, (at, _) in setup.items():
        stacks.setdefault(at, []).append(unit)
    return any(len(stack) > 1 and broken_limit(stack, at) for at, stack in stacks.items())


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
