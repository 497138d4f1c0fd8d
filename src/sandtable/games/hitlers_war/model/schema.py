"""What a program that learns is shown of Hitler's War: spaces, armies, fleets, countries and sides as numbers."""

from __future__ import annotations

from sandtable.core.schema import Rows, Schema, bits, index, number

from . import fleets
from .atlas import ARMIES, ATLAS, KINDS, SIDES
from .technology import ITEMS

_SPACES = len(ATLAS.names)
_COUNTRIES = len(ATLAS.countries)

SCHEMA = Schema(
    Rows(
        "space",
        ATLAS.names,
        (
            index("country", _COUNTRIES + 1, least=-1, fixed=ATLAS.country_of),
            number("production", fixed=ATLAS.production),
            bits("sea", 1, fixed=ATLAS.is_sea),
            bits("mountain", 1, fixed=ATLAS.mountain),
            bits("port", 1, fixed=ATLAS.port),
            index("owner", 6),
            *map(number, ("fort", "building", "grown", "devastated", "ruined", "home", "bare", "absorbed", "coast")),
        ),
    ),
    Rows(
        "army",
        ATLAS.army_names,
        (
            index("army_side", 3, fixed=[army // ARMIES for army in range(len(ATLAS.army_names))]),
            index("army_at", _SPACES + 1, least=-1),
            number("strength", width=len(KINDS)),
            index("target", _SPACES + 1, least=-1),
            index("mode", 4),
            index("spent", 4),
            index("leader", 3),
            *map(number, ("stuck", "idle", "assaulted", "defended", "advanced", "dropped")),
        ),
    ),
    Rows(
        "fleet",
        fleets.NAMES,
        (
            index("fleet_side", 3, fixed=fleets.SIDE_OF),
            index("fleet_at", _SPACES + 2, least=-2),
            index("fleet_state", 4),
            number("ships"),
            number("carriers"),
        ),
    ),
    Rows(
        "country",
        [country.name for country in ATLAS.countries],
        (number("unaligned"), number("surrendered"), index("home_called", 4)),
    ),
    Rows("side", SIDES, (number("muster"), *(number(name, width=len(ITEMS)) for name in ("price", "track", "box")))),
    match=(
        index("turn", len(ATLAS.turns)),
        index("side", 3),
        index("italy", 4),
        index("peace", 3),
        *map(number, ("america", "at_war", "mobilized", "first_winter", "budget", "lent", "raided", "shipping")),
        number("crossed"),
        number("at_sea", width=4),
        number("morale", width=2),
    ),
)
