"""Connected territory: which spaces of a side are joined, over land and over the seas it may use.

All of it depends on what the side holds and on nothing else. During a movement phase nothing changes hands, and what
others take from one another makes no difference to it.  [hw-move-2] [hw-searoute-1] [hw-supply-1]
"""

from __future__ import annotations

import itertools
from functools import cached_property, lru_cache

from sandtable.core.facts import fact

from ..model.atlas import ATLAS, CROSSING, PARTIAL, SIDES, Link
from ..model.places import WORKS
from ..model.state import War

ANYWHERE: frozenset[int] = frozenset()
"""No space is barred to a route."""
_MINE = tuple(bytes(int(holder == side) for holder in range(256)) for side in range(len(SIDES)))
_SAIL = tuple(
    tuple((there, ATLAS.waters[there][0], link.length, link.number) for there, link in links) for links in ATLAS.sail
)
"""Per water: where one sails from it (the other water, its space, the length and the number of the link)."""


def keys(link: Link) -> tuple[int, ...]:
    """Return the spaces that a side must hold for its sea routes to use a link.

    Both hexes of a partial or crossing side, the controlling hex of a sea border; none over open sea.
    [hw-searoute-2] [hw-searoute-4] [hw-searoute-5]
    """
    gate = (link.gate,) if link.gate >= 0 else ()
    sides = (ATLAS.waters[link.a][0], ATLAS.waters[link.b][0]) if link.kind in (PARTIAL, CROSSING) else ()
    return gate + sides


_CLOSABLE = {link.number: link for link in ATLAS.links if keys(link)}
_KEYS = tuple((number, *(keys(link) * 3)[:3]) for number, link in _CLOSABLE.items())
"""Links that can be closed, each with its keys, padded to three."""


def held_by(side: int, owner: bytes | bytearray) -> bytes:
    """Return 1 for each space that the side holds."""
    return bytes(owner.translate(_MINE[side]))


class Part:
    """Spaces that are joined, in the order of the map."""

    def __init__(self, spaces: tuple[int, ...]) -> None:
        self.spaces = spaces
        self._others: dict[int, tuple[int, ...]] = {}
        self._trimmed: dict[tuple[int, frozenset[int]], Part] = {}

    @cached_property
    def members(self) -> frozenset[int]:
        """Its spaces, to be looked up."""
        return frozenset(self.spaces)

    def others(self, start: int) -> tuple[int, ...]:
        """Return its spaces without one."""
        found = self._others.get(start)
        if found is None:
            found = self._others[start] = tuple([space for space in self.spaces if space != start])
        return found

    def trimmed(self, start: int, allowed: frozenset[int]) -> Part:
        """Return the part without what is outside the allowed spaces; the start always belongs to it."""
        key = start, allowed
        if key not in self._trimmed:
            self._trimmed[key] = Part(tuple([x for x in self.spaces if x == start or x in allowed]))
        return self._trimmed[key]


_NO_PART = Part(())


class Parts:
    """A territory in its connected parts."""

    def __init__(self, labels: list[int], number: int) -> None:
        self.labels = labels
        """Per space: the label of its part, -1 where it is not the side's."""
        self.number = number
        """How many parts there are."""
        self._parts: dict[int, Part] = {-1: _NO_PART}

    @cached_property
    def spaces(self) -> dict[int, list[int]]:
        """Label of a part -> its spaces, in the order of the map."""
        found: dict[int, list[int]] = {}
        for space, label in enumerate(self.labels):
            if label >= 0:
                found.setdefault(label, []).append(space)
        return found

    @cached_property
    def works(self) -> dict[int, list[int]]:
        """Label of a part -> its spaces with production points; -1 -> those of others."""
        found: dict[int, list[int]] = {-1: []}
        for space in WORKS:
            found.setdefault(self.labels[space], []).append(space)
        return found

    def part(self, start: int) -> Part:
        """Return all spaces joined with one; none where it is not the side's."""
        label = self.labels[start]
        found = self._parts.get(label)
        if found is None:
            found = self._parts[label] = Part(tuple([x for x, own in enumerate(self.labels) if own == label]))
        return found


class Territory:
    """What one side holds, and what follows from that alone. Each answer is computed once."""

    def __init__(self, mine: bytes) -> None:
        self.mine = mine
        """Per space: 1 where the side holds it."""
        self._by_sea: dict[tuple[tuple[int, ...], frozenset[int]], Parts] = {}
        self._landings: dict[tuple[int, frozenset[int]], frozenset[int]] = {}

    @cached_property
    def spaces(self) -> tuple[int, ...]:
        """All its spaces."""
        return tuple(itertools.compress(range(len(self.mine)), self.mine))

    # ---- land and sea
    @cached_property
    def land(self) -> Parts:
        """The parts joined over land. Crossings join; sides that are nothing but sea do not.

        [hw-move-2] [hw-move-3] [hw-supply-3]
        """
        mine, walk, count = self.mine, ATLAS.walk, 0
        labels = [-1] * len(mine)
        for start in itertools.compress(range(len(mine)), mine):
            if labels[start] >= 0:
                continue
            labels[start] = count
            todo = [start]
            while todo:
                for there in walk[todo.pop()]:
                    if mine[there] and labels[there] < 0:
                        labels[there] = count
                        todo.append(there)
            count += 1
        return Parts(labels, count)

    def by_sea(self, seas: tuple[int, ...], barred: frozenset[int] = ANYWHERE) -> Parts:
        """Return the parts joined when land and these seas may both be used.

        A space joins a sea when it is friendly and touches it. `barred` are spaces that a route may not enter by sea
        (enemy fleets).  [hw-seamove-combined] [hw-seasupply-1] [hw-searoute-6] [hw-atsea-2]
        """
        if not seas:
            return self.land
        key = seas, barred
        found = self._by_sea.get(key)
        if found is None:
            found = self._by_sea[key] = self._join(*_chart(seas, barred))
        return found

    def _join(self, shores: tuple[tuple[int, int], ...], links: tuple[tuple[int, int, int], ...]) -> Parts:
        basins: dict[int, int] = {}
        for a, b, number in links:
            if number not in self.closed:
                one, other = _top(basins, a), _top(basins, b)
                if one != other:
                    basins[one] = other
        labels = self.land.labels
        shore: dict[int, int] = {}
        joined: dict[int, int] = {}
        for space, water in shores:
            own = labels[space]
            if own >= 0:
                own = _top(joined, own) if own in joined else own
                other = shore.setdefault(_top(basins, water) if water in basins else water, own)
                if other != own:
                    other = _top(joined, other)
                    if other != own:
                        joined[own] = other
        if not joined:
            return self.land
        tops = [_top(joined, label) for label in range(self.land.number)]
        tops.append(-1)  # not friendly stays not friendly
        return Parts([tops[label] for label in labels], self.land.number - len(joined))

    # ---- sea routes
    @cached_property
    def closed(self) -> frozenset[int]:
        """Numbers of the links that are closed to the side."""
        mine = self.mine
        return frozenset([number for number, a, b, c in _KEYS if not (mine[a] and mine[b] and mine[c])])

    @cached_property
    def sail(self) -> list[tuple[tuple[int, int, int, int], ...]]:
        """Per water: where the side sails from it (the other water, its space, the length and number of the link)."""
        rows = list(_SAIL)
        for water in {x for number in self.closed for x in (_CLOSABLE[number].a, _CLOSABLE[number].b)}:
            rows[water] = tuple([way for way in rows[water] if way[3] not in self.closed])
        return rows

    def landings(self, start: int, barred: frozenset[int]) -> frozenset[int]:
        """Return the spaces at which a sea route from a coast can end.  [hw-invade-3]"""
        key = start, barred
        if key not in self._landings:
            sail, seen = self.sail, set(ATLAS.waters_of[start])
            todo = list(seen)
            while todo:
                for there, space, _, _ in sail[todo.pop()]:
                    if there not in seen and space not in barred:
                        seen.add(there)
                        todo.append(there)
            self._landings[key] = frozenset(ATLAS.waters[water][0] for water in seen) - {start}
        return self._landings[key]

    def route(
        self, start: int, goal: int, *, cheap: frozenset[int] = ANYWHERE, barred: frozenset[int] = ANYWHERE
    ) -> tuple[int, ...] | None:
        """Return the sea route from a coast to a target with the fewest open-sea sides, as waters, or None.

        Any sea may be sailed. `cheap` are link numbers that cost nothing (already fired over). The goal itself need
        not be friendly to be reached over open sea.  [hw-invade-3] [hw-searoute-3]
        """
        sail, goals = self.sail, ATLAS.waters_of[goal]
        distance: dict[int, int] = dict.fromkeys(ATLAS.waters_of[start], 0)
        came: dict[int, int] = {}
        buckets: list[list[int]] = [list(distance)]
        for cost in itertools.count():
            if cost == len(buckets):
                return None
            for water in buckets[cost]:
                if distance[water] != cost:
                    continue
                if water in goals:
                    route = [water]
                    while water in came:
                        water = came[water]
                        route.append(water)
                    return tuple(reversed(route))
                for there, space, length, number in sail[water]:
                    new = cost if number in cheap else cost + length
                    if new < distance.get(there, 1 << 30) and space not in barred:
                        distance[there] = new
                        came[there] = water
                        _put(buckets, new, there)
        raise AssertionError

    def voyage(self, start: int, goal: int, seas: tuple[int, ...]) -> tuple[int, ...]:
        """Return the numbers of the open-sea links on the least exposed way between two spaces by land and sea."""
        mine, labels = self.mine, self.land.labels
        shores: dict[int, list[int]] = {}
        for water, (space, sea) in enumerate(ATLAS.waters):
            if mine[space] and sea in seas:
                shores.setdefault(labels[space], []).append(water)
        best: dict[int, int] = dict.fromkeys(shores.get(labels[start], ()), 0)
        came: dict[int, tuple[int, int]] = {}
        buckets: list[list[int]] = [list(best)]
        for cost in itertools.count():
            if cost == len(buckets):
                return ()
            for water in buckets[cost]:
                if best[water] != cost:
                    continue
                space = ATLAS.waters[water][0]
                if mine[space] and labels[space] == labels[goal]:
                    path: list[int] = []
                    while water in came:
                        water, number = came[water]
                        if number >= 0:
                            path.append(number)
                    return tuple(reversed(path))
                onward = [(way[0], way[3], way[2]) for way in self.sail[water] if ATLAS.waters[way[0]][1] in seas]
                if mine[space]:
                    onward.extend((there, -1, 0) for there in shores[labels[space]])
                for there, number, length in onward:
                    if cost + length < best.get(there, 1 << 30):
                        best[there] = cost + length
                        came[there] = (water, number if length else -1)
                        _put(buckets, cost + length, there)
        raise AssertionError


def _top(joined: dict[int, int], x: int) -> int:
    while x in joined:
        x = joined[x]
    return x


def _put(buckets: list[list[int]], cost: int, water: int) -> None:
    while len(buckets) <= cost:
        buckets.append([])
    buckets[cost].append(water)


# ---- facts
@lru_cache(maxsize=1024)
def held(mine: bytes) -> Territory:
    """Return the territory of these spaces: the same one wherever a side holds just them."""
    return Territory(mine)


@fact("owner")
def territories(s: War) -> tuple[Territory, ...]:
    """Return what each side holds."""
    return tuple([held(held_by(side, s.owner)) for side in range(len(SIDES))])


def territory(s: War, side: int) -> Territory:
    """Return what a side holds."""
    return territories(s)[side]


@fact("owner")
def part_of_country(s: War, start: int) -> list[int]:
    """Return the spaces of the same country and holder that are joined with a space over land."""
    group, holder = ATLAS.group_of[start], s.owner[start]
    seen, todo = [start], [start]
    while todo:
        for there in ATLAS.walk[todo.pop()]:
            if there not in seen and s.owner[there] == holder and ATLAS.group_of[there] == group:
                seen.append(there)
                todo.append(there)
    return seen


# ---- the seas of the map
@lru_cache(maxsize=1024)
def _basins(barred: frozenset[int]) -> tuple[tuple[int, ...], tuple[tuple[int, int, int, int], ...]]:
    """Join the waters by open sea that nobody can close; return per water its basin, and the links between basins.

    A link: both basins, its number, and its seas as bits.
    """
    joined: dict[int, int] = {}
    closable = []
    for link in ATLAS.links:
        (space, sea), (other_space, other_sea) = ATLAS.waters[link.a], ATLAS.waters[link.b]
        if space in barred or other_space in barred:
            continue
        if link.number in _CLOSABLE:
            closable.append((link, 1 << sea | 1 << other_sea))
        else:
            a, b = _top(joined, link.a), _top(joined, link.b)
            if a != b:
                joined[a] = b
    links = tuple((_top(joined, link.a), _top(joined, link.b), link.number, seas) for link, seas in closable)
    return tuple(_top(joined, water) for water in range(len(ATLAS.waters))), links


@lru_cache(maxsize=4096)
def _chart(
    seas: tuple[int, ...], barred: frozenset[int]
) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int, int], ...]]:
    """Return (space, basin) of every shore on some seas, and the links between their basins."""
    basins, links = _basins(barred)
    usable = sum(1 << sea for sea in seas)
    shores = dict.fromkeys(
        (space, basins[water])
        for water, (space, sea) in enumerate(ATLAS.waters)
        if usable >> sea & 1 and space not in barred and not ATLAS.is_sea[space]
    )
    return tuple(shores), tuple((a, b, number) for a, b, number, bits in links if not bits & ~usable)
