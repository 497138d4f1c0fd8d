"""Who holds what: a derived fact that stays as long as no land changes hands and no power its place in the war.

Much follows from control alone: where ships may sail and planes fly, which land politics shuts. All that is kept here
beside it and goes when control changes.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from itertools import compress, count
from operator import ne
from typing import Any, TypeVar

from ..model.atlas import ATLAS, NEUTRAL, OWNERS
from ..model.state import AT_WAR, M, W2State
from .lanes import Net

A = ATLAS
T = TypeVar("T")
_PLACES = tuple(
    (1 << space) | (1 << A.port_of_land[space] if A.port_of_land[space] >= 0 else 0) if A.is_land[space] else 0
    for space in range(len(A.names))
)
"""Per land space itself and its port, as a set of bits: bit n is space n."""


class Control:
    """One map of who holds which land."""

    __slots__ = ("air", "facts", "harbours", "held", "lands", "owner", "sea", "status")

    def __init__(self, state: W2State, before: Control | None) -> None:
        self.owner, self.status = tuple(state.owner), state.status
        self.held: list[int] = [0 for _ in OWNERS] if before is None else before.held[:]
        """Per owner the land and ports he holds, as a set of bits."""
        self.lands: list[frozenset[int]] = [frozenset() for _ in OWNERS] if before is None else before.lands[:]
        """Per owner the land he holds."""
        self.facts: dict[Any, Any] = {}
        self.air: list[Net | None] = [None for _ in OWNERS]
        self.sea: list[Net | None] = [None for _ in OWNERS]
        self.harbours: list[Net | None] = [None for _ in OWNERS]
        """Per power where its planes may fly, and its ships sail in the Movement phase and in Redeployment."""
        if before is None:
            for owner in OWNERS:
                self.lands[owner] = frozenset(space for space in A.land if self.owner[space] == owner)
                self.held[owner] = sum(_PLACES[space] for space in self.lands[owner])
            return
        for space in compress(count(), map(ne, before.owner, self.owner)):
            old, new = before.owner[space], self.owner[space]
            self.held[old] ^= _PLACES[space]
            self.held[new] |= _PLACES[space]
            self.lands[old] -= {space}
            self.lands[new] |= {space}

    def held_by(self, owners: Iterable[int]) -> int:
        """The land and ports of some owners, as a set of bits."""
        found, held = 0, self.held
        for owner in owners:
            found |= held[owner]
        return found

    def land_where(self, test: Callable[[int], bool]) -> frozenset[int]:
        """The land of all owners that pass."""
        return frozenset().union(*(self.lands[owner] for owner in OWNERS if test(owner)))

    def land_of_side(self, side: int) -> frozenset[int]:
        """The land that a side controls: that of its powers in the war."""
        found: frozenset[int] | None = self.facts.get(("side", side))
        if found is None:
            status = self.status
            found = self.facts["side", side] = self.land_where(
                lambda owner: owner < NEUTRAL and status[owner] == AT_WAR and A.side[owner] == side
            )
        return found

    def fact(self, key: Any, make: Callable[..., T], *of: Any) -> T:
        """Something that follows from control alone, made once."""
        found: T | None = self.facts.get(key)
        if found is None:
            found = self.facts[key] = make(*of)
        return found


def control(m: M) -> Control:
    """Who holds what now."""
    found: Control | None = m.cache.get("control")
    if found is None:
        state = m.state
        found = m.cache["control"] = m.kept("control", (state.owner, state.status), lambda: _next_control(m))
    return found


def _next_control(m: M) -> Control:
    """Made from the last one, as little land changes hands from one to the next."""
    last: list[Control] = m.kept("last-control", (), list)
    last[:] = [Control(m.state, last[0] if last else None)]
    return last[0]


# ---- owners by what they are to others: it hangs on who is in the war alone
@functools.lru_cache(maxsize=4096)
def friends(status: tuple[int, ...], power: int) -> tuple[int, ...]:
    """The owners whose land and ports a power may use: its own group's."""

    def fights(owner: int) -> bool:
        return owner < NEUTRAL and status[owner] == AT_WAR

    allied = fights(power)
    return tuple(o for o in OWNERS if o == power or (allied and fights(o) and A.group[o] == A.group[power]))


@functools.lru_cache(maxsize=4096)
def strangers(status: tuple[int, ...], power: int) -> tuple[int, ...]:
    """All other owners."""
    known = friends(status, power)
    return tuple(owner for owner in OWNERS if owner not in known)


@functools.lru_cache(maxsize=4096)
def owners_of_group(status: tuple[int, ...], group: int) -> tuple[int, ...]:
    """The owners whose land counts for a group: its powers in the war."""
    return tuple(power for power in A.group_powers[group] if status[power] == AT_WAR)
