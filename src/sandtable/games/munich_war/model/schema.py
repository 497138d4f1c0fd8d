"""What a program that learns is shown of Munich War: hexes, counters, countries and sides as numbers."""

from __future__ import annotations

from sandtable.core.schema import Rows, Schema, bits, index, number, sets

from .atlas import ATLAS, SIDES
from .state import TRACK

_HEXES = ATLAS.hex_count
_COUNTRIES = len(ATLAS.countries)
_LAST_BOX = TRACK - 40

SCHEMA = Schema(
    Rows(
        "hex",
        ATLAS.hex_name,
        (
            index("country", _COUNTRIES + 1, least=-1, fixed=ATLAS.country_of),
            number("shift", fixed=ATLAS.terrain_shift),
            bits("key_city", 1, fixed=[ATLAS.key_cities >> at & 1 for at in range(_HEXES)]),
            bits("railroad", 1, fixed=[ATLAS.rail >> at & 1 for at in range(_HEXES)]),
            sets("owned", width=2),
            sets("last", width=2),
            sets("terror"),
            number("hidden"),
        ),
    ),
    Rows(
        "unit",
        [unit.id for unit in ATLAS.units],
        (
            index("unit_country", _COUNTRIES + 1, least=-1, fixed=[unit.country for unit in ATLAS.units]),
            number("attack", fixed=[unit.attack[-1] for unit in ATLAS.units]),
            number("defense", fixed=[unit.defense[-1] for unit in ATLAS.units]),
            number("move", fixed=[unit.move for unit in ATLAS.units]),
            bits("air", 1, fixed=[unit.air for unit in ATLAS.units]),
            index("where", _HEXES - _LAST_BOX, least=_LAST_BOX),
            number("steps"),
            bits("flags", 8),
        ),
    ),
    Rows(
        "country",
        [country.name for country in ATLAS.countries],
        (index("side", 3, least=-1), number("fallen"), number("rp"), number("rail_used")),
    ),
    Rows("side", SIDES, (number("no_rp"),)),
    match=(
        number("turn"),
        number("plan"),
        index("phasing", 3, least=-1),
        index("moving", len(ATLAS.units) + 1, least=-1),
        *map(number, ("storm", "intervened", "pool", "spent", "allowance", "attacks")),
    ),
)
