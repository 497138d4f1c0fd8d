"""Sea routes of invasions: any legal route may be named; the ones least exposed to naval fire are proposed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator
from random import Random
from typing import Any

from sandtable.core import Refusal

from ..facts.seaways import blockade
from ..facts.territory import territory
from ..model.atlas import ATLAS, FULL_SEA
from ..model.state import War, army_name, side_of, space_name


def route_names(route: tuple[int, ...]) -> tuple[str, ...]:
    """A route as people read it: each space once."""
    names: list[str] = []
    for water in route:
        name = space_name(ATLAS.waters[water][0])
        if not names or names[-1] != name:
            names.append(name)
    return tuple(names)


def route_waters(s: War, army: int, names: tuple[str, ...]) -> tuple[int, ...]:
    """The waters of a named route; empty where it is not a legal route.

    Consecutive spaces must be joined by water that is open to the side; a gate inside a space is passed on the way.
    [hw-searoute-1] [hw-searoute-2] [hw-searoute-3] [hw-searoute-4] [hw-searoute-6]
    """
    side = side_of(army)
    sail, barred = territory(s, side).sail, blockade(s, side)
    spaces = [ATLAS.index.get(name, -1) for name in names]
    if len(spaces) < 2 or spaces[0] != s.army_at[army] or -1 in spaces:
        return ()
    paths: dict[int, tuple[int, ...]] = {water: (water,) for water in ATLAS.waters_of[spaces[0]]}
    for space in spaces[1:]:
        for water in list(paths):
            for there, over, _, _ in sail[water]:
                if over == ATLAS.waters[water][0] and there not in paths:
                    paths[there] = (*paths[water], there)
        onward: dict[int, tuple[int, ...]] = {}
        for water, path in paths.items():
            here = ATLAS.waters[water][0]
            for there, over, _, _ in sail[water]:
                if over == space != here and there not in onward and space not in barred:
                    onward[there] = (*path, there)
        paths = onward
    return min(paths.values(), key=lambda path: (len(path), path)) if paths else ()


def open_sea_links(route: tuple[int, ...]) -> list[int]:
    """Link numbers of a route that are open sea, in order; an arrow counts by its length elsewhere."""
    found = []
    for a, b in itertools.pairwise(route):
        for there, link in ATLAS.sail[a]:
            if there == b and link.kind == FULL_SEA:
                found.append(link.number)
                break
    return found


def sides_left(s: War, army: int, seas: Collection[int], fired: Callable[[int], int]) -> list[int]:
    """Open-sea sides of an invader's route in some seas that have not drawn fire; arrows count by their length.

    `fired` names a link's entry among those that drew fire.  [hw-navfire-2] [hw-navfire-6] [hw-map-seaarrows]
    """
    left: list[int] = []
    for number in open_sea_links(s.routes.get(army, ())):
        link = ATLAS.links[number]
        if ATLAS.waters[link.a][1] in seas and ATLAS.waters[link.b][1] in seas:
            left.extend([number] * (link.length - s.fired_sides.get(fired(number), 0)))
    return left


class Routes:
    """The routes of one invader to one target: a Domain that accepts every legal one and lists the sensible ones."""

    __slots__ = ("_found", "army", "s", "target")

    def __init__(self, s: War, army: int, target: int) -> None:
        self.s, self.army, self.target = s, army, target
        self._found: list[tuple[str, ...]] | None = None

    def proposals(self) -> list[tuple[str, ...]]:
        """The least exposed route, and the least exposed one when sides that others sail too cost nothing."""
        if self._found is None:
            s, side, start = self.s, side_of(self.army), self.s.army_at[self.army]
            mine, barred = territory(s, side), blockade(s, side)
            shared = frozenset(link for route in s.routes.values() for link in open_sea_links(route))
            found = [mine.route(start, self.target, barred=barred)]
            if shared:
                found.append(mine.route(start, self.target, cheap=shared, barred=barred))
            self._found = list(dict.fromkeys(route_names(route) for route in found if route is not None))
        return self._found

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return iter(self.proposals())

    def __len__(self) -> int:
        return len(self.proposals())

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, tuple) or not value or value[-1] != space_name(self.target):
            return False
        return bool(route_waters(self.s, self.army, value))

    def sample(self, rng: Random) -> tuple[str, ...]:
        found = self.proposals()
        return found[int(rng.random() * len(found))]

    def why(self, value: Any) -> Refusal | None:
        return Refusal("hw-searoute-1", "hw-bad-route", army=army_name(self.army), target=space_name(self.target))

    def describe(self) -> dict[str, Any]:
        return {"type": "one", "values": [list(route) for route in self.proposals()]}
