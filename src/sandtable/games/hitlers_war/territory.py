"""Connected territory: which spaces hang together for a side, on land and over the seas it may use.

All of it depends only on who holds what, so the answers are remembered by that alone: during a movement phase nothing
changes hands and every question after the first is a look-up.  [hw-move-2] [hw-searoute-1] [hw-supply-1]
"""

from __future__ import annotations

from functools import lru_cache

from .atlas import ATLAS, CROSSING, PARTIAL

_KEEP = 4096


@lru_cache(maxsize=_KEEP)
def land_labels(side: int, owner: bytes) -> list[int]:
    """Per space: the number of its connected part of friendly land, -1 where it is not friendly.

    Crossings join; sides that are nothing but sea do not.  [hw-move-2] [hw-move-3] [hw-supply-3]
    """
    labels = [-1] * len(owner)
    walk, count = ATLAS.walk, 0
    for start, holder in enumerate(owner):
        if holder != side or labels[start] >= 0:
            continue
        labels[start] = count
        todo = [start]
        while todo:
            for there in walk[todo.pop()]:
                if labels[there] < 0 and owner[there] == side:
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


@lru_cache(maxsize=_KEEP)
def sea_labels(side: int, owner: bytes, seas: tuple[int, ...], barred: frozenset[int] = frozenset()) -> list[int]:
    """Per space: its connected part when land and these seas may both be used; -1 where it is not friendly.

    A space joins a sea when it is friendly and touches it. `barred` are spaces that a route may not enter by sea
    (enemy fleets).  [hw-seamove-combined] [hw-seasupply-1] [hw-searoute-6] [hw-atsea-2]
    """
    waters, links, open_seas = ATLAS.waters, ATLAS.links, set(seas)
    parent = list(range(len(waters)))

    def root(x: int) -> int:
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for link in links:
        (a, sea_a), (b, sea_b) = waters[link.a], waters[link.b]
        if sea_a not in open_seas or sea_b not in open_seas or a in barred or b in barred:
            continue
        if link_open(side, owner, link.kind, a, b, link.gate):
            parent[root(link.a)] = root(link.b)
    labels = list(land_labels(side, owner))
    if not open_seas:
        return labels
    count = max(labels) + 1
    joined = list(range(count))

    def top(x: int) -> int:
        while joined[x] != x:
            joined[x] = joined[joined[x]]
            x = joined[x]
        return x

    shore: dict[int, int] = {}
    for water, (space, sea) in enumerate(waters):
        if owner[space] == side and sea in open_seas and space not in barred:
            r, mine = root(water), top(labels[space])
            if r in shore:
                joined[mine] = top(shore[r])
            else:
                shore[r] = mine
    return [top(label) if label >= 0 else -1 for label in labels]


@lru_cache(maxsize=_KEEP)
def part_names(labels_key: tuple[int, bytes, tuple[int, ...], frozenset[int]], label: int) -> tuple[str, ...]:
    """Names of the spaces of one connected part."""
    labels = sea_labels(*labels_key)
    return tuple(name for name, own in zip(ATLAS.names, labels, strict=True) if own == label)


@lru_cache(maxsize=_KEEP)
def side_names(side: int, owner: bytes) -> tuple[str, ...]:
    """Names of every space of a side."""
    return tuple(name for name, holder in zip(ATLAS.names, owner, strict=True) if holder == side)


def find_route(side: int, owner: bytes, start: int, goal: int, *, cheap: frozenset[int] = frozenset(),
               barred: frozenset[int] = frozenset()) -> tuple[int, ...] | None:  # fmt: skip
    """The sea route from a coast to a target with the fewest open-sea sides, as waters; None where there is none.

    Any sea may be sailed. `cheap` are link numbers that cost nothing (already fired over). The goal itself need not
    be friendly to be reached over open sea.  [hw-invade-3] [hw-searoute-3]
    """
    distance: dict[int, int] = {}
    came: dict[int, int] = {}
    buckets: list[list[int]] = [[]]
    for water in ATLAS.waters_of[start]:
        distance[water] = 0
        buckets[0].append(water)
    cost, goals = 0, set(ATLAS.waters_of[goal])
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
            for there, link in ATLAS.sail[water]:
                space = ATLAS.waters[there][0]
                if space in barred or not link_open(side, owner, link.kind, ATLAS.waters[water][0], space, link.gate):
                    continue
                step = 0 if link.number in cheap else link.length
                new = cost + step
                if new < distance.get(there, 1 << 30):
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
