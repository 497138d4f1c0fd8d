"""What a program that learns is shown of World War II in Europe: spaces, units, powers, minors, leaders as numbers."""

from __future__ import annotations

from sandtable.core.schema import Rows, Schema, bits, index, number

from .atlas import ATLAS

_SPACES, _KINDS, _POWERS = len(ATLAS.names), len(ATLAS.kinds.names), len(ATLAS.powers)
_UNITS = 1024
"""Room for the units of a match: slots of lost units are not used again."""
_OFF = -20
"""The lowest place off the map that is told apart; a plane whose home is a carrier counts as it."""


def _unit(name: str) -> int | None:
    """The row of a unit: 'tank#17' is 17."""
    _, _, place = name.partition("#")
    return int(place) if place.isdecimal() else None


SCHEMA = Schema(
    Rows(
        "space",
        ATLAS.names,
        (
            index("kind", 3, fixed=ATLAS.space_kind),
            number("value", fixed=ATLAS.value),
            index("feature", 3, fixed=ATLAS.feature),
            index("flag", 3, fixed=ATLAS.flag),
            bits("terrain", 4, fixed=ATLAS.terrain),
            index("homeland", _POWERS + 1, least=-1, fixed=ATLAS.homeland),
            index("owner", _POWERS + 2, least=-1),
            index("start_owner", _POWERS + 2, least=-1),
            index("damaged", 3),
            *map(number, ("fortress", "depot", "lost_fortress", "lost_flag", "no_income")),
        ),
    ),
    Rows(
        "unit",
        ("",) * _UNITS,
        (
            index("kind", _KINDS),
            index("power", _POWERS + 1),
            index("space", _SPACES - _OFF, least=_OFF),
            index("home", _SPACES - _OFF, least=_OFF),
            index("came", _SPACES + 1, least=-1),
            index("cargo_of", _UNITS + 1, least=-1),
            number("damage"),
            bits("flags", 18),
            number("convoy"),
            number("task"),
        ),
        find=_unit,
    ),
    Rows(
        "power",
        ATLAS.powers,
        (
            index("status", 3),
            *map(number, ("money", "rps", "rps_used", "depots", "fortresses_built", "given", "received", "income")),
            number("known", width=len(ATLAS.techs)),
        ),
    ),
    Rows("minor", ATLAS.minors, (index("patron", _POWERS + 2, least=-1), number("attacked"))),
    Rows(
        "leader",
        ATLAS.leader_names,
        (index("leader_space", _SPACES + 2, least=-2), number("leader_dead"), number("leader_moved")),
    ),
    match=(
        number("turn"),
        index("first", 2),
        index("initiative", 3, least=-1, width=len(ATLAS.fronts)),
        number("wins", width=2 * len(ATLAS.fronts)),
        *map(number, ("pact", "vichy", "pot", "debt", "rail_in_ussr")),
        index("breach", 3),
    ),
)
