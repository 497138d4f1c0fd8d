"""The data of the set-up (chapter 3, option 23.1): what is set up, how strong, in which order, and where by default."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from sandtable.core.bits import bits

from .atlas import ALLIES, ATLAS, AXIS, Plan, hex_name
from .state import AVAILABLE, REINFORCEMENT, UNPLACED

FULL, REDUCED = "full", "reduced"
_ARMOR = ATLAS.optional["23.1_additional_armor"]
_COUNTRIES = range(len(ATLAS.countries))


class Slot(msgspec.Struct, frozen=True):
    """One line of the deployment table: so many counters of a type and size, out of these."""

    key: str
    pool: tuple[int, ...]
    number: int
    reduced: int
    land: bool
    eliminated: int = 0
    """Option 23.1: counters that leave the game instead."""


def _slots(country: int, armor: bool) -> tuple[Slot, ...]:
    named = set(ATLAS.rules["setup"]["named"])
    groups: dict[tuple[str, str], list[int]] = {}
    for unit in ATLAS.countries[country].units:
        face = ATLAS.units[unit]
        if not face.optional or armor:
            groups.setdefault((face.type, face.size), []).append(unit)
    found = []
    for (kind, size), units in groups.items():
        faces = [ATLAS.units[unit] for unit in units]
        start = [face for face in faces if face.start in ("map", "available") or face.optional]
        if not start:
            continue
        listed = [face.index for face in start if face.id in named or face.optional]
        pool = listed if len(listed) == len(start) else units
        reduced = sum(1 for face in start if face.reduced and not (armor and face.id in _ARMOR["full_strength"]))
        gone = sum(1 for unit in _ARMOR["default_removed"] if ATLAS.unit_number[unit] in units) if armor else 0
        key = f"{ATLAS.countries[country].name}:{kind}:{size}"
        found.append(Slot(key, tuple(pool), len(start) - gone, reduced, faces[0].land, gone))
    return tuple(found)


SLOTS = {(country, armor): _slots(country, armor) for country in _COUNTRIES for armor in (False, True)}
"""[mw-3.4.2-a] [mw-3.4.2-b] [mw-3.4.1-opt] [mw-2.5.1-opt] [mw-23.1] By country, and whether option 23.1 is on: the
deployment table."""
SLOT_OF = {
    key: {unit: slot for slot in reversed(slots) for unit in slot.pool} for key, slots in SLOTS.items()
}  # fmt: skip


def counters_at_start(country: int, armor: bool, land: bool) -> int:
    """How many land (or other) counters a country starts with, those put out of the game by option 23.1 included."""
    return sum(slot.number + slot.eliminated for slot in SLOTS[country, armor] if slot.land == land)


def order_of_setup(plan: Plan) -> list[tuple[int, int]]:
    """[mw-3.4.1-a] [mw-3.4.1-b] [mw-3.4.1-b-exception] [mw-3.4.1-c] [mw-3.4.1-d] (country, deploying side)."""
    number, words = ATLAS.country_number, ATLAS.rules["setup"]
    first = [number[name] for name in (*words["first"], *words["second"])]
    later = [country for side in (ALLIES, AXIS) for country in (*plan.sides[side], *plan.intervention[side])]
    order = dict.fromkeys([*first, *later])
    return [(country, plan.deployer[country]) for country in order if country in plan.deployer]


def _before_setup(country: int, armor: bool) -> Mapping[int, int]:
    places = {unit: REINFORCEMENT for unit in ATLAS.countries[country].units if armor or not ATLAS.units[unit].optional}
    for slot in SLOTS[country, armor]:
        automatic = not slot.land and slot.number == len(slot.pool)
        for unit in slot.pool:
            places[unit] = AVAILABLE if automatic else UNPLACED
    return places


BEFORE_SETUP = {key: _before_setup(*key) for key in SLOTS}
"""[mw-3.4.3] [mw-3.4.2-f] Where each counter of a country lies before it is set up: what leaves nothing to choose is
where it belongs, the others wait."""


def _default_setup(plan: int, armor: bool) -> tuple[dict[int, tuple[int, bool]], frozenset[int]]:
    setup = dict(ATLAS.plans[plan].setup)
    if not armor:
        return setup, frozenset()
    removed = [ATLAS.unit_number[unit] for unit in _ARMOR["default_removed"]]
    for name in _ARMOR["add"]:
        unit = ATLAS.unit_number[name]
        same = [other for other in removed if ATLAS.units[other].country == ATLAS.units[unit].country]
        setup[unit] = (setup[same[0]][0], False) if same[0] in setup else setup.get(unit, (UNPLACED, False))
    return setup, frozenset(removed)


DEFAULT_SETUP = {(plan, armor): _default_setup(plan, armor) for plan in ATLAS.plans for armor in (False, True)}
"""By scenario, and whether option 23.1 is on: where the default puts each counter and whether reduced, and the counters
that leave the game. The new tanks stand where those stood that leave."""
LISTED_PLACES: tuple[tuple[Mapping[str, object], ...], ...] = tuple(
    tuple(
        row
        for row in ATLAS.rules["setup"]["place"]
        if row["type"] == face.type and ATLAS.country_number[row["country"]] == face.country
    )
    for face in ATLAS.units
)
"""By unit: what the deployment table says about its place."""


def _open_to(unit: int) -> int:
    face = ATLAS.units[unit]
    if LISTED_PLACES[unit]:
        return 0
    hexes = ATLAS.countries[face.country].hexes & ~ATLAS.no_setup
    if face.fort:
        hexes &= ATLAS.fort_symbols
    return hexes if face.alpine and not face.static else hexes & ~ATLAS.mountains


OPEN_TO = tuple(_open_to(unit) for unit in range(len(ATLAS.units)))
"""By unit: hexes in which only the stack can forbid its set-up: home, no mountain, and the table says nothing about it;
for fortifications the hexes with the symbol."""


def _home_names(country: int, fort: bool) -> tuple[str, ...]:
    hexes = ATLAS.countries[country].hexes & ~ATLAS.no_setup
    return tuple(hex_name(at) for at in bits(hexes & ATLAS.fort_symbols if fort else hexes))


HOME_NAMES = {(country, fort): _home_names(country, fort) for country in _COUNTRIES for fort in (False, True)}
"""By country, and whether a fortification is set up: the hexes that come into question."""
