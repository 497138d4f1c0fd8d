"""Connected territory: which spaces hang together for a side, on land and over the seas it may use.

All of it depends only on who holds what, so the answers are remembered by that alone: during a movement phase nothing
changes hands and every question after the first is a look-up.  [hw-move-2] [hw-searoute-1] [hw-supply-1]
"""

from __future__ import annotations

import itertools
from functools import lru_cache

from ..model.atlas import ATLAS, CROSSING, FULL_SEA, PARTIAL

_KEEP = 4096


_MINE = tuple(bytes(int(holder == side) for holder in range(256)) for side in range(3))


def held_by(side: int, owner: bytes) -> bytes:
    """Per space: 1 where it is the side's. What others take from one another makes no difference to it."""
    return owner.translate(_MINE[side])


@lru_cache(maxsize=_KEEP)
def land_labels(side: int, owner: bytes) -> list[int]:
    """Per space: the number of its connected part of friendly land, -1 where it is not friendly.

    Crossings join; sides that are nothing but sea do not.  [hw-move-2] [hw-move-3] [hw-supply-3]
    """
    return _land_labels(held_by(side, owner))


@lru_cache(maxsize=_KEEP)
def _land_labels(mine: bytes) -> list[int]:
    labels = [-1] * len(mine)
    walk, count = ATLAS.walk, 0
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
    return labels


def link_open(side: int, owner: bytes, link_kind: int, a: int, b: int, gate: int) -> bool:
    """Whether a sea route of this side may use a link between two spaces.

    Partial and crossing sides need both hexes friendly, a sea border its controlling hex; open sea is always open.
    [hw-searoute-2] [hw-searoute-4] [hw-searoute-5]
    """
    if gate >= 0 and owner[gate] != side:
        return False
    if link_kind in (PARTIAL, CROSSING):
        return owner[a] == side and owner[b] == side
    return True


_OPEN = tuple(
    (link.a, link.b, ATLAS.waters[link.a][0], ATLAS.waters[link.b][0])
    for link in ATLAS.links
    if link.kind == FULL_SEA and link.gate < 0
)
"""Links over open sea: both waters and their spaces."""
_CLOSABLE = tuple(
    (link.a, link.b, link.kind, ATLAS.waters[link.a][0], ATLAS.waters[link.b][0], link.gate,
     1 << ATLAS.waters[link.a][1] | 1 << ATLAS.waters[link.b][1])
    for link in ATLAS.links
    if link.kind != FULL_SEA or link.gate >= 0
)  # fmt: skip
"""The other links: both waters, the kind, their spaces, the gate, and their seas as bits."""


@lru_cache(maxsize=1024)
def _basins(barred: frozenset[int]) -> tuple[tuple[int, ...], tuple[tuple[int, int, int, int, int, int, int], ...]]:
    """Waters joined by open sea that nobody can close, and the links between these basins that somebody can.

    Per water its basin; then (basin, basin, kind, space, space, gate, seas as bits) of each link.
    """
    parent = list(range(len(ATLAS.waters)))

    def root(x: int) -> int:
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for a, b, space_a, space_b in _OPEN:
        if space_a not in barred and space_b not in barred:
            while parent[a] != a:
                a = parent[a]
            while parent[b] != b:
                b = parent[b]
            parent[a] = b
    conditional = [
        (root(a), root(b), kind, space_a, space_b, gate, seas)
        for a, b, kind, space_a, space_b, gate, seas in _CLOSABLE
        if space_a not in barred and space_b not in barred
    ]
    return tuple([root(x) for x in range(len(parent))]), tuple(conditional)


@lru_cache(maxsize=4096)
def _chart(
    seas: tuple[int, ...], barred: frozenset[int]
) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int, int, int, int, int], ...]]:
    """For a choice of seas: (land, basin) of every shore on them, and the links between their basins."""
    basins, conditional = _basins(barred)
    usable = 0
    for sea in seas:
        usable |= 1 << sea
    shores = dict.fromkeys(
        (space, basins[water])
        for water, (space, sea) in enumerate(ATLAS.waters)
        if usable >> sea & 1 and space not in barred and not ATLAS.is_sea[space]
    )
    return tuple(shores), tuple(link[:6] for link in conditional if link[6] & ~usable == 0)


@lru_cache(maxsize=_KEEP)
def sea_labels(side: int, owner: bytes, seas: tuple[int, ...], barred: frozenset[int] = frozenset()) -> list[int]:
    """Per space: its connected part when land and these seas may both be used; -1 where it is not friendly.

    A space joins a sea when it is friendly and touches it. `barred` are spaces that a route may not enter by sea
    (enemy fleets).  [hw-seamove-combined] [hw-seasupply-1] [hw-searoute-6] [hw-atsea-2]
    """
    return _sea_labels(held_by(side, owner), seas, barred) if seas else land_labels(side, owner)


@lru_cache(maxsize=_KEEP)
def _sea_labels(mine: bytes, seas: tuple[int, ...], barred: frozenset[int]) -> list[int]:
    labels = _land_labels(mine)
    shores, conditional = _chart(seas, barred)
    parent: dict[int, int] = {}

    def root(x: int) -> int:
        while x in parent:
            x = parent[x]
        return x

    for a, b, kind, space_a, space_b, gate in conditional:
        if link_open(1, mine, kind, space_a, space_b, gate):
            ra, rb = root(a), root(b)
            if ra != rb:
                parent[ra] = rb
    shore: dict[int, int] = {}
    joined: dict[int, int] = {}

    def top(x: int) -> int:
        while x in joined:
            x = joined[x]
        return x

    for space, water in shores:
        if mine[space]:
            basin, own = root(water), top(labels[space])
            if basin in shore:
                other = top(shore[basin])
                if other != own:
                    joined[own] = other
            else:
                shore[basin] = own
    if not joined:
        return labels
    tops = [top(label) for label in range(max(labels) + 1)]
    tops.append(-1)  # not friendly stays not friendly
    return [tops[label] for label in labels]


class Part:
    """Spaces that hang together, in the order of the map, and the place of each in that order."""

    __slots__ = ("names", "places")

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.places = {name: place for place, name in enumerate(names)}


_NO_PART = Part(())


@lru_cache(maxsize=_KEEP)
def part_of(side: int, owner: bytes, seas: tuple[int, ...], barred: frozenset[int], start: int) -> Part:
    """All spaces that hang together with one over land and these seas; none where it is not friendly itself."""
    labels = sea_labels(side, owner, seas, barred)
    return _part(held_by(side, owner), seas, barred, labels[start]) if labels[start] >= 0 else _NO_PART


@lru_cache(maxsize=_KEEP)
def _part(mine: bytes, seas: tuple[int, ...], barred: frozenset[int], label: int) -> Part:
    labels = _sea_labels(mine, seas, barred) if seas else _land_labels(mine)
    return Part(tuple(itertools.compress(ATLAS.names, [own == label for own in labels])))


@lru_cache(maxsize=_KEEP)
def trimmed(part: Part, start: int, allowed: frozenset[int]) -> Part:
    """A part without what lies outside the allowed spaces; where one starts from always belongs to it."""
    index = ATLAS.index
    return Part(tuple(name for name in part.names if index[name] == start or index[name] in allowed))


@lru_cache(maxsize=_KEEP)
def side_names(side: int, owner: bytes) -> tuple[str, ...]:
    """Names of every space of a side."""
    return tuple(itertools.compress(ATLAS.names, held_by(side, owner)))


SAIL = tuple(
    tuple(
        (there, ATLAS.waters[water][0], ATLAS.waters[there][0], link.gate, link.kind in (PARTIAL, CROSSING),
         link.length, link.number)
        for there, link in links
    )
    for water, links in enumerate(ATLAS.sail)
)  # fmt: skip
"""Per water: where one sails from it. The other water, both spaces, the gate, whether both must be friendly, the
length and the number of the link. What makes a link open is said in `link_open`."""


@lru_cache(maxsize=_KEEP)
def find_route(side: int, owner: bytes, start: int, goal: int, *, cheap: frozenset[int] = frozenset(),
               barred: frozenset[int] = frozenset()) -> tuple[int, ...] | None:  # fmt: skip
    """The sea route from a coast to a target with the fewest open-sea sides, as waters; None where there is none.

    Any sea may be sailed. `cheap` are link numbers that cost nothing (already fired over). The goal itself need not
    be friendly to be reached over open sea.  [hw-invade-3] [hw-searoute-3]
    """
    mine = held_by(side, owner)
    distance: dict[int, int] = {}
    came: dict[int, int] = {}
    buckets: list[list[int]] = [[]]
    for water in ATLAS.waters_of[start]:
        distance[water] = 0
        buckets[0].append(water)
    cost, goals = 0, ATLAS.waters_of[goal]
    while cost < len(buckets):
        bucket = buckets[cost]
        place = 0
        while place < len(bucket):
            water = bucket[place]
            place += 1
            if distance[water] != cost:
                continue
            if water in goals:
                route = [water]
                while water in came:
                    water = came[water]
                    route.append(water)
                return tuple(reversed(route))
            for there, here, space, gate, guarded, length, number in SAIL[water]:
                new = cost if number in cheap else cost + length
                if new >= distance.get(there, 1 << 30) or space in barred:
                    continue
                if (gate < 0 or mine[gate]) and (not guarded or (mine[here] and mine[space])):
                    distance[there] = new
                    came[there] = water
                    while len(buckets) <= new:
                        buckets.append([])
                    buckets[new].append(there)
        cost += 1
    return None


@lru_cache(maxsize=_KEEP)
def find_voyage(side: int, owner: bytes, start: int, goal: int, seas: tuple[int, ...]) -> tuple[int, ...]:
    """Numbers of the open-sea links on the least exposed way from one friendly space to another by land and sea."""
    labels = land_labels(side, owner)
    shores: dict[int, list[int]] = {}
    for water, (space, sea) in enumerate(ATLAS.waters):
        if owner[space] == side and sea in seas:
            shores.setdefault(labels[space], []).append(water)
    best: dict[int, int] = dict.fromkeys(shores.get(labels[start], ()), 0)
    came: dict[int, tuple[int, int]] = {}
    buckets: list[list[int]] = [list(best)]
    cost = 0
    while cost < len(buckets):
        for water in buckets[cost]:
            if best[water] != cost:
                continue
            space = ATLAS.waters[water][0]
            if owner[space] == side and labels[space] == labels[goal]:
                path: list[int] = []
                while water in came:
                    water, number = came[water]
                    if number >= 0:
                        path.append(number)
                return tuple(reversed(path))
            onward = [(there, link.number, link.length) for there, link in ATLAS.sail[water]
                      if ATLAS.waters[there][1] in seas
                      and link_open(side, owner, link.kind, space, ATLAS.waters[there][0], link.gate)]  # fmt: skip
            if owner[space] == side:
                onward.extend((there, -1, 0) for there in shores[labels[space]])
            for there, number, length in onward:
                new = cost + length
                if new < best.get(there, 1 << 30):
                    best[there] = new
                    came[there] = (water, number if length else -1)
                    while len(buckets) <= new:
                        buckets.append([])
                    buckets[new].append(there)
        cost += 1
    return ()
