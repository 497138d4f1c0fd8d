"""What every area is to a nation: its own ground, its enemies', closed, and what its units may do there."""

from __future__ import annotations

from functools import lru_cache
from itertools import compress
from typing import Final

from sandtable.core.facts import fact

from ..model.atlas import ATLAS, USSR
from ..model.state import BKState
from .politics import POLITICS, friends

# ---- what a space is to an aircraft
CLOSED_SKY, OWN_SKY, ENEMY_SKY, OPEN_SKY = 0, 1, 2, 3
# ---- what an area is to a unit on land
NO_ENTRY, FREE_ENTRY, HOSTILE_ENTRY = 0, 1, 2

GROUND: Final = ("control", *POLITICS)
NOBODY: Final = 255
"""The owner of a seazone as a byte."""


@fact("control")
def owners(s: BKState) -> bytes:
    """Return who controls each space, as bytes."""
    return bytes(map(NOBODY.__and__, s.control))


@lru_cache(maxsize=4096)
def _codes(own: int, enemies: int, stranger: int, nobody: int) -> bytes:
    """What the ground of every owner is to a nation with these friends and wars, for `bytes.translate`."""
    codes = [
        ENEMY_SKY if enemies >> owner & 1 else OWN_SKY if own >> owner & 1 else stranger
        for owner in range(len(ATLAS.nation_ids))
    ]
    return bytes(codes).ljust(NOBODY, b"\0") + bytes([nobody])


@fact("control")
def held_by(s: BKState, nations: int) -> list[int]:
    """Return the areas that some nations, given as bits, hold."""
    return list(compress(ATLAS.land, ATLAS.of_land(owners(s).translate(_codes(nations, 0, 0, 0)))))


@fact(*GROUND)
def friendly(s: BKState, nation: int) -> bytes:
    """Return 1 for each area that is the nation's own or a fellow belligerent's. [bg-8.2-neutral-units]"""
    return sky(s, nation).translate(_OWN)


@fact(*GROUND)
def friendly_bits(s: BKState, nation: int) -> int:
    """Return the same areas as bits."""
    return _as_bits(friendly(s, nation))


def is_friendly(s: BKState, nation: int, space: int) -> bool:
    """Return whether the area is the nation's own or a fellow belligerent's. [bg-8.2-neutral-units]"""
    return bool(friendly(s, nation)[space])


@fact(*GROUND)
def sky(s: BKState, nation: int) -> bytes:
    """Return what each space is to the nation's aircraft. Neutral areas are closed. [bg-6.4.1-overfly]"""
    war = s.war[nation] & ~(1 << nation)
    return owners(s).translate(_codes(friends(s, nation), war, CLOSED_SKY, OPEN_SKY))


@fact(*GROUND)
def open_land(s: BKState, nation: int) -> list[int]:
    """Return the areas of a nation's friends and enemies: neutral ground is closed."""
    return list(compress(ATLAS.land, ATLAS.of_land(sky(s, nation).translate(_OURS_OR_THEIRS))))


@fact("control")
def homes_kept(s: BKState) -> list[int]:
    """Return by nation how many of its home areas it holds."""
    return [sum(s.control[space] == nation for space in homes) for nation, homes in enumerate(ATLAS.homes)]


@fact(*GROUND)
def open_sky(s: BKState, nation: int) -> int:
    """Return where a nation's aircraft can fly, as bits."""
    return _as_bits(sky(s, nation).translate(_ANY_FLIGHT))


@fact(*GROUND)
def peaceful_sky(s: BKState, nation: int) -> int:
    """Return where they can fly without coming over enemy ground, as bits."""
    return _as_bits(sky(s, nation).translate(_PEACEFUL_FLIGHT))


@fact(*GROUND)
def enemy_industry(s: BKState, nation: int) -> list[int]:
    """Return the areas of enemies that have any production printed on them."""
    return list(compress(ATLAS.industry, ATLAS.of_industry(sky(s, nation).translate(_OVER_ENEMIES))))


def _as_bits(codes: bytes) -> int:
    """Return a byte for every space, 0 or 1, as one number."""
    return int(codes.translate(_DIGITS)[::-1], 2) if codes else 0


_DIGITS: Final = b"01" + bytes(254)
_OWN: Final = bytes(code == OWN_SKY for code in range(256))
_OURS_OR_THEIRS: Final = bytes(code in (OWN_SKY, ENEMY_SKY) for code in range(256))
_ON_LAND: Final = bytes([NO_ENTRY, FREE_ENTRY, HOSTILE_ENTRY, NO_ENTRY]) + bytes(252)
"""What the sky over an area says of its ground."""
_ANY_FLIGHT: Final = bytes([0, 1, 1, 1]) + bytes(252)
_PEACEFUL_FLIGHT: Final = bytes([0, 1, 0, 1]) + bytes(252)
_OVER_ENEMIES: Final = bytes(code == ENEMY_SKY for code in range(256))


@fact(*GROUND)
def entry(s: BKState, nation: int) -> bytes:
    """Return for each space whether the nation's land units may go there: NO_ENTRY, FREE_ENTRY, or HOSTILE_ENTRY where
    it also matters who else is there. [bg-8.1-neutral-area] [bg-8.2-neutral-units] [bg-8.8-bulgaria]"""
    codes = bytearray(sky(s, nation).translate(_ON_LAND))
    closed = ATLAS.closed_spaces
    if nation == ATLAS.bulgaria:
        closed = [*closed, *(space for space in ATLAS.land if ATLAS.home_of[space] == USSR)]
    for space in closed:
        codes[space] = NO_ENTRY
    return bytes(codes)


def may_enter(s: BKState, nation: int, space: int) -> bool:
    """Return whether a nation's land units may go into an area now."""
    code = entry(s, nation)[space]
    return code == FREE_ENTRY or (code == HOSTILE_ENTRY and not has_bystanders(s, nation, space))


def has_bystanders(s: BKState, nation: int, space: int) -> bool:
    """Return whether somebody stands there whom a nation would attack without being at war with them: an attack is on
    everybody of the other side. [bg-8.4-dow]"""
    side, war = s.side[nation], s.war[nation]
    for unit in s.here[space]:
        other = s.nation[unit]
        if s.side[other] != side and not war >> other & 1:
            return True
    return False


@fact("control")
def holdings(s: BKState) -> list[tuple[int, int]]:
    """Return the nations that hold any area at all, each as a bit, with their areas as bits."""
    held: dict[int, int] = {}
    for space, nation in enumerate(s.control):
        if nation < 0:
            continue
        owner = 1 << nation
        held[owner] = held.get(owner, 0) | ATLAS.bit[space]
    return list(held.items())
