"""What lies on land: flags that work, countries, forts and depots, and the room for planes that they give."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress, count
from typing import Any

from sandtable.core.columns import changes
from sandtable.core.facts import fact

from ..model.atlas import ATLAS, FACTORY, MAJOR_FLAG, MINOR_FLAG, NO_FLAG, NOBODY
from ..model.kinds import BASE, NAVAL
from ..model.state import DAMAGED, GONE, W2State
from .control import friendly_bases, held_at_war
from .lanes import LAND, PORTS
from .roster import places, roster
from .whereabouts import spaces_of

A = ATLAS
_WITH_VICHY = tuple(
    A.minors[A.vichy] if space in A.minor_spaces[A.vichy] else country for space, country in enumerate(A.country)
)


# ---- flags and countries
def vichy_is(s: W2State) -> bool:
    """Whether there is a Vichy France, neutral or as somebody's ally: an armistice makes it.

    [w2e-armistice-french-vichy]
    """
    return s.vichy or s.patron[A.vichy] != NOBODY


def flag_at(s: W2State, space: int) -> int:
    """Return the flag that works in a space: one that was captured does not, Vichy's only where there is a Vichy.

    [w2e-flag-capture] [w2e-minor-flag-supply]
    """
    if s.lost_flag[space] or (space == A.minor_capital[A.vichy] and not vichy_is(s)):
        return NO_FLAG
    return A.flag[space]


def countries(s: W2State) -> Sequence[str]:
    """Return per space the country within whose borders it lies; Vichy France, where it is, is not France."""
    return _WITH_VICHY if vichy_is(s) else A.country


def country_of(s: W2State, space: int) -> str:
    """Return the country within whose borders a land space lies."""
    return countries(s)[space]


@fact("damaged")
def damaged_land(s: W2State) -> list[int]:
    """Return the land with a damaged factory or resource zone."""
    return places(s.damaged, DAMAGED)


# ---- forts and depots
@fact("depot")
def _depots(s: W2State) -> list[int]:
    return places(s.depot, 1)


def depots_on_board(s: W2State, power: int) -> list[int]:
    """Return the land of a power on which its supply depots lie."""
    return [space for space in _depots(s) if s.owner[space] == power]


@fact("fortress", "depot")
def stores(s: W2State) -> int:
    """Return the spaces with a fortress or a supply depot, as a set of bits."""
    return _bits(compress(count(), s.fortress)) | _bits(compress(count(), s.depot))


def _bits(spaces: Iterable[int]) -> int:
    """Return spaces as a set of bits."""
    return sum([1 << space for space in spaces])


# ---- bases
def airbases(s: W2State) -> int:
    """Return the land on which airbases lie, as a set of bits: one aboard a ship is not on land."""
    return spaces_of(s, roster(s).every[BASE]) & LAND


_AIR, _MAJOR, _MINOR, _FORTRESS, _AIRBASE = (
    int(A.limit[name]) for name in ("air", "air_major_flag", "air_minor_flag", "fortress_air", "airbase_air")
)
NO_LIMIT = 10**6


def air_room(s: W2State, space: int, airbase: bool) -> int:
    """Return the Stack Points of planes that a land space can base, with an airbase or without.

    [w2e-stack-air] [w2e-factory-air]
    """
    if A.blue[space]:
        return NO_LIMIT
    flag = flag_at(s, space) if A.flag[space] else NO_FLAG
    room = 0
    if A.feature[space] == FACTORY and s.damaged[space] != GONE:
        room = _AIR
    if flag == MAJOR_FLAG:
        room = _MAJOR
    elif flag == MINOR_FLAG:
        room = max(room, _MINOR)
    if s.fortress[space]:
        room += _FORTRESS
    if airbase:
        room += _AIRBASE
    return room


_FIELDS = frozenset(space for space in A.land if A.blue[space] or A.feature[space] == FACTORY or A.flag[space])
"""Land that may have room for planes without a fortress or an airbase."""


def _still_fields(s: W2State, before: tuple[Any, ...], value: int) -> int | None:
    """Return the same where bombs did no more than damage: that shuts no airfield."""
    damaged, *others = before
    if any(GONE in (damaged[space], s.damaged[space]) for space in changes(damaged, s.damaged)):
        return None
    return value if others == [s.lost_flag, s.fortress, s.vichy, s.patron] else None


@fact("damaged", "lost_flag", "fortress", "vichy", "patron", update=_still_fields)
def _fields_without_airbases(s: W2State) -> int:
    candidates = _FIELDS.union(places(s.fortress, 1))
    return _bits(space for space in candidates if air_room(s, space, False) > 0)


def airfields(s: W2State) -> int:
    """Return the land that can base planes at all, as a set of bits."""
    return _fields_without_airbases(s) | airbases(s)


def friendly_ports(s: W2State, power: int) -> int:
    """Return the ports that a power may use, as a set of bits."""
    return friendly_bases(s, power) & PORTS


def open_bases(s: W2State, cls: int, power: int) -> int:
    """Return the ports or the land that a power's ships or planes may begin and end a turn in, as a set of bits."""
    return friendly_ports(s, power) & held_at_war(s) if cls == NAVAL else friendly_bases(s, power) & airfields(s)
