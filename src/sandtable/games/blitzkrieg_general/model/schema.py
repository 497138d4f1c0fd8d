"""What a program that learns is shown of Blitzkrieg General: spaces, counters, nations, majors, cards as numbers."""

from __future__ import annotations

from sandtable.core.schema import Rows, Schema, bits, holders, index, number

from .atlas import ATLAS, KINDS, MAJORS, TYPES

_SPACES, _NATIONS, _UNITS, _CARDS = ATLAS.count, len(ATLAS.nation_ids), ATLAS.units, len(ATLAS.cards)
_TURNS = len(ATLAS.turns) + 1

SCHEMA = Schema(
    Rows(
        "space",
        ATLAS.space_ids,
        (
            index("kind", len(KINDS), fixed=ATLAS.kind),
            index("map", 2, fixed=ATLAS.map),
            index("home_of", _NATIONS + 1, least=-1, fixed=ATLAS.home_of),
            number("worth", fixed=ATLAS.left),
            index("control", _NATIONS + 1, least=-1),
            index("island_owner", _NATIONS + 1, least=-1),
            number("bombed"),
            bits("sea_battles", 2),
        ),
    ),
    Rows(
        "unit",
        ATLAS.unit_ids,
        (
            index("type", len(TYPES), fixed=ATLAS.type),
            number("front", fixed=ATLAS.front),
            number("back", fixed=ATLAS.back),
            index("nation", _NATIONS + 1, least=-1),
            index("place", _SPACES + 4, least=-4),
            bits("flipped", 1),
            index("carrier", _UNITS + 1, least=-1),
            bits("flags", 12),
            index("due", _TURNS + 1, least=-1),
            index("origin", _SPACES + 1, least=-1),
            index("mission", _SPACES + 1, least=-1),
            index("start", _SPACES + 4, least=-4),
            number("spent"),
        ),
    ),
    Rows(
        "nation",
        ATLAS.nation_ids,
        (
            index("master", 9, least=-1),
            index("side", 3, least=-1),
            index("standing", 3),
            bits("war", _NATIONS),
            index("war_since", _TURNS + 1, least=-1),
        ),
    ),
    Rows(
        "major",
        MAJORS,
        (
            *map(number, ("production", "saved", "points", "bonus", "rail", "rail_left", "numbers", "atom_hits")),
            bits("advances", len(ATLAS.achievements)),
            index("drawn", _CARDS + 2, least=-2),
            index("offered", _CARDS + 2, least=-2),
        ),
    ),
    Rows(
        "card",
        ATLAS.card_ids,
        (holders("hands", 9), index("fresh", _TURNS + 1, least=-1), index("table", 9, least=-1)),
    ),
    match=(
        index("turn", _TURNS),
        index("phasing", 2),
        index("initiative", 2),
        index("pact", 3),
        *map(number, ("second", "exploiting", "us_level", "fortress", "vichy", "french_fell", "uk_invaded", "embargo")),
        number("be_pacific"),
        number("limit"),
        bits("homes_lost", 8),
        number("bad", width=2),
    ),
)
