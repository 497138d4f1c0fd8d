"""Who holds what, who is in the war, and whose land and ports a power may use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from sandtable.core.columns import changes
from sandtable.core.facts import fact

from ..model.atlas import ATLAS, NEUTRAL, NOBODY, OWNERS
from ..model.state import AT_WAR, W2State

A = ATLAS
_PLACES = tuple(
    (1 << space) | (1 << A.port_of_land[space] if A.port_of_land[space] >= 0 else 0) if A.is_land[space] else 0
    for space in range(len(A.names))
)
"""Per land space itself and its port, as a set of bits: bit n is space n."""


# ---- who is in the war
def is_active(s: W2State, power: int) -> bool:
    """Whether this is a power that is in the war."""
    return power < NEUTRAL and s.status[power] == AT_WAR


@fact("status")
def _active(s: W2State) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(power for power in powers if s.status[power] == AT_WAR) for powers in A.side_powers)


def active_powers(s: W2State, side: int) -> tuple[int, ...]:
    """Return the powers of a side that are in the war, the speaker first."""
    return _active(s)[side]


def speaker(s: W2State, side: int) -> int:
    """Return the power that answers for a side; the other side's where nobody of it is in the war."""
    found = active_powers(s, side) or active_powers(s, 1 - side)
    return found[0] if found else A.side_powers[side][0]


def spokesman(s: W2State, units: Iterable[int], side: int) -> int:
    """Return the power that decides for a mixed stack: the foremost of those with units in it."""
    there = {s.power[unit] for unit in units}
    return next((p for p in A.side_powers[side] if p in there), speaker(s, side))


# ---- whose land
def control_side(s: W2State, space: int) -> int:
    """Return the side that controls a land space or a port; -1 for neutral land, neutral majors and the open sea."""
    land = A.land_at[space]
    if land < 0:
        return NOBODY
    owner = s.owner[land]
    return A.side[owner] if owner < NEUTRAL and s.status[owner] == AT_WAR else NOBODY


def control_group(s: W2State, space: int) -> int:
    """Return the group (axis, west, soviet) that controls a land space or port; -1 for neutrals."""
    land = A.land_at[space]
    return A.group[s.owner[land]] if land >= 0 and is_active(s, s.owner[land]) else NOBODY


def is_friendly(s: W2State, space: int, power: int) -> bool:
    """Whether a power may use a land space or a port; nobody holds the open sea.  [w2e-ussr-separate]"""
    land = A.land_at[space]
    return land < 0 or is_friend(s, s.owner[land], power)


def is_friend(s: W2State, owner: int, power: int) -> bool:
    """Whether a power may use what an owner holds: its own, and in the war what its group holds."""
    return owner == power or (A.group[owner] == A.group[power] and is_active(s, owner) and is_active(s, power))


class Holdings(msgspec.Struct, frozen=True):
    """Who holds which land."""

    held: tuple[int, ...]
    """Per owner the land and ports it holds, as a set of bits."""
    lands: tuple[frozenset[int], ...]
    """Per owner the land it holds."""

    def held_by(self, owners: Iterable[int]) -> int:
        """Return the land and ports of some owners, as a set of bits."""
        found, held = 0, self.held
        for owner in owners:
            found |= held[owner]
        return found


def _changed_hands(s: W2State, before: tuple[Any, ...], value: Holdings) -> Holdings:
    """Return the holdings after some land changed hands."""
    held, lands = list(value.held), list(value.lands)
    for space in changes(before[0], s.owner):
        old, new = before[0][space], s.owner[space]
        if old != new:
            held[old] ^= _PLACES[space]
            held[new] |= _PLACES[space]
            lands[old] -= {space}
            lands[new] |= {space}
    return Holdings(tuple(held), tuple(lands))


@fact("owner", update=_changed_hands)
def holdings(s: W2State) -> Holdings:
    """Return who holds what."""
    lands = tuple(frozenset(space for space in A.land if s.owner[space] == owner) for owner in OWNERS)
    return Holdings(tuple(sum(_PLACES[space] for space in own) for own in lands), lands)


@fact("owner", "status")
def land_of_side(s: W2State, side: int) -> frozenset[int]:
    """Return the land that a side controls: that of its powers in the war."""
    lands = holdings(s).lands
    return frozenset().union(*(lands[power] for power in active_powers(s, side)))


@fact("owner", "status")
def land_of_group(s: W2State, group: int) -> int:
    """Return the land and ports that a group controls: those of its powers in the war, as a set of bits."""
    return holdings(s).held_by(power for power in A.group_powers[group] if s.status[power] == AT_WAR)


@fact("owner", "status")
def held_at_war(s: W2State) -> int:
    """Return the land and ports of all powers in the war, as a set of bits."""
    return holdings(s).held_by(power for power, status in enumerate(s.status) if status == AT_WAR)


@fact("owner", "status")
def all_friendly_bases(s: W2State) -> tuple[int, ...]:
    """Return per owner the land and ports that it may use, as a set of bits."""
    held_by = holdings(s).held_by
    return tuple(held_by(owner for owner in OWNERS if is_friend(s, owner, power)) for power in OWNERS)


def friendly_bases(s: W2State, power: int) -> int:
    """Return the land and ports that a power may use, as a set of bits."""
    return all_friendly_bases(s)[power]


def gate_shut(s: W2State, gate: tuple[int, ...], side: int) -> bool:
    """Whether a strait or canal has an enemy bank: it lets no ship through.  [w2e-strait-naval] [w2e-terrain-canal]"""
    return any(control_side(s, land) == 1 - side for land in gate)
