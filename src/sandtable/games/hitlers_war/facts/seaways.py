"""The ways of ships (optional naval action): where fleets can sail, and what enemy fleets at sea close."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Final

from sandtable.core.facts import fact

from ..model.atlas import ATLAS, CROSSING, PARTIAL, SIDES
from ..model.fleets import FLEETS_OF, LAKES, RADIUS, RAID_BOX, SEA, SHIP_WATERS
from ..model.places import TARANTO, TARANTO_EXIT
from ..model.state import War, enemies
from .territory import ANYWHERE, held_by

FAR: Final = 1 << 20
"""More hexes than any way has."""
_DOORS = tuple(ATLAS.waters_of[x][0] for x in ATLAS.spaces(ATLAS.rules["fleets"]["raid_doors"]))


def _links(water: int) -> tuple[tuple[int, int, int, int, bool, int], ...]:
    """Where ships sail from a water: the other water, both spaces, the gate, whether both must be friendly, hexes."""
    space, sea = ATLAS.waters[water]
    found = []
    for there, link in ATLAS.sail[water]:
        other, other_sea = ATLAS.waters[there]
        if LAKES in (sea, other_sea):
            continue
        if TARANTO in (space, other) and space != other and TARANTO_EXIT not in (space, other):
            continue
        hexes = max(1, link.length) if other != space else 0
        found.append((there, space, other, link.gate, link.kind in (PARTIAL, CROSSING), hexes))
    for canal, *joined in ATLAS.canals:
        if space == canal and sea in joined:
            found.extend((ATLAS.water_index[canal, x], space, space, canal, False, 0) for x in joined if x != sea)
    return tuple(found)


_LINKS: Final = tuple(_links(water) for water in range(len(ATLAS.waters)))
_MATTERS: Final = sum(
    255 << 8 * space
    for space in {
        space
        for links in _LINKS
        for _, here, there, gate, guarded, _ in links
        for space in ((here, there) if guarded else ()) + ((gate,) if gate >= 0 else ())
    }
)
"""As bytes in a row: the spaces whose holder can close a way to ships."""


class Ways:
    """Every space that ships can get to from one place, and the hexes they sail to it."""

    def __init__(self, hexes: dict[int, int]) -> None:
        self.hexes = hexes

    @cached_property
    def stations(self) -> tuple[int, ...]:
        """Hexes within a fleet's range, in the order of the map."""
        return tuple(sorted(x for x, sailed in self.hexes.items() if sailed <= RADIUS and x < ATLAS.hex_count))


class Seaways:
    """The ways of one side's ships, by the spaces it holds of those that can close one."""

    def __init__(self, gates: bytes) -> None:
        self.gates = gates
        self._ways: dict[tuple[int, frozenset[int]], Ways] = {}

    def ways(self, start: int, barred: frozenset[int] = ANYWHERE) -> Ways:
        """Return where ships get to from a port or the raid box; an enemy fleet's hex ends the way.

        Partial and crossing sides need friendly hexes, sea borders their controlling hex; the Kiel canal joins its
        two seas, Taranto has one exit.  [hw-fleetmove-3] [hw-fleetmove-8] [hw-atsea-2] [hw-nav-1]
        """
        key = start, barred
        if key not in self._ways:
            self._ways[key] = Ways(self._search(start, barred))
        return self._ways[key]

    def _search(self, start: int, barred: frozenset[int]) -> dict[int, int]:
        mine = self.gates
        first = _DOORS if start == RAID_BOX else SHIP_WATERS[start]
        best: dict[int, int] = dict.fromkeys(first, 0)
        by_hexes: list[list[int]] = [list(first)]
        """Waters reached, by the hexes sailed to them."""
        sailed = 0
        while sailed < len(by_hexes):
            for water in by_hexes[sailed]:
                if best[water] < sailed or (ATLAS.waters[water][0] in barred and ATLAS.waters[water][0] != start):
                    continue
                for there, here, space, gate, guarded, hexes in _LINKS[water]:
                    new = sailed + hexes
                    if new >= best.get(there, FAR) or (gate >= 0 and not mine[gate]):
                        continue
                    if guarded and not ((mine[here] or here == start) and (mine[space] or space == start)):
                        continue
                    best[there] = new
                    while len(by_hexes) <= new:
                        by_hexes.append([])
                    by_hexes[new].append(there)
            sailed += 1
        spaces: dict[int, int] = {}
        for water, hexes in best.items():
            space = ATLAS.waters[water][0]
            spaces[space] = min(hexes, spaces.get(space, FAR))
        return spaces


def _gates(side: int, owner: bytes) -> bytes:
    """Return 1 for each space that the side holds and that can close a way to ships."""
    return (int.from_bytes(held_by(side, owner), "little") & _MATTERS).to_bytes(len(owner), "little")


@lru_cache(maxsize=256)
def _by_gates(gates: bytes) -> Seaways:
    return Seaways(gates)


@fact("owner")
def seaways(s: War) -> tuple[Seaways, ...]:
    """Return the ways of each side's ships."""
    return tuple([_by_gates(_gates(side, s.owner)) for side in range(len(SIDES))])


def blockade(s: War, side: int) -> frozenset[int]:
    """Return the spaces that enemy fleets at sea close to a side's sea routes.  [hw-atsea-2]"""
    return _blockade(s, side) if s.fleet_at else ANYWHERE


@fact("fleet_at", "fleet_state", "peace")
def _blockade(s: War, side: int) -> frozenset[int]:
    foes = [fleet for foe in enemies(s, side) for fleet in FLEETS_OF[foe]]
    return frozenset(s.fleet_at[f] for f in foes if s.fleet_at[f] >= 0 and s.fleet_state[f] == SEA)
