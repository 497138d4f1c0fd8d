"""Declared paths: the domain of an action's `path` field, walked space by space and never listed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from random import Random
from typing import Any

from sandtable.core import NothingToChoose, Refusal

from ..facts.lanes import Reach, Row
from ..model.atlas import ATLAS, NOBODY

A = ATLAS
Links = Callable[[int, int], Iterable[tuple[int, int]]]
"""(space, points spent) -> the spaces that may be entered next with what that costs."""
Lanes = Sequence[Row]
"""Per space the same, where what was spent does not matter."""
_TRIES = 3
_STOP_CHANCE = 0.45


def _no_steps(here: int, spent: int) -> Iterable[tuple[int, int]]:
    """Where there are lanes, they are all there is."""
    return ()


class Routes:
    """Paths out of a space within a budget. `stop` says why a path may not end in a space."""

    __slots__ = ("budget", "empty_allowed", "goals", "lanes", "near", "start", "steps", "stop", "ways", "why_not")

    def __init__(
        self,
        start: int,
        budget: int,
        links: Links | Lanes,
        stop: Callable[[int], Refusal | None],
        why_not: Callable[[int, int, int], Refusal | None],
        *,
        empty_allowed: bool = False,
    ) -> None:
        self.start, self.budget, self.stop, self.why_not = start, budget, stop, why_not
        self.steps: Links
        self.lanes: Lanes | None
        if callable(links):
            self.steps, self.lanes = links, None
        else:
            self.steps, self.lanes = _no_steps, links
        self.empty_allowed = empty_allowed
        self.ways: Callable[[], Reach] | None = None
        """Cheapest paths to everything in reach, where there are but few goals, known beforehand."""
        self.goals: Collection[int] | None = None
        """The spaces in which `stop` lets a path end, where they are known beforehand."""
        self.near: Callable[[], Reach] | None = None
        """Cheapest paths to all spaces that some path leads to, where they are known beforehand."""

    def limit_to(self, goals: Collection[int], stop: Callable[[int], Refusal | None]) -> None:
        """Let paths end in these spaces only; `stop` says why not elsewhere."""
        self.goals = goals
        self.stop = lambda space: None if space in goals else stop(space)

    def _is_hopeless(self) -> bool:
        """Whether it is known beforehand that no path leads to any of the goals."""
        if self.goals is None or self.near is None:
            return False
        near = self.near()
        return not any(goal in near for goal in self.goals)

    def _may_stop(self, space: int) -> bool:
        return space in self.goals if self.goals is not None else self.stop(space) is None

    def links(self, here: int, spent: int) -> Iterable[tuple[int, int]]:
        """Return the spaces that may be entered next with what that costs."""
        if self.lanes is not None:
            return [(there, cost) for cost, near in self.lanes[here] for there in near]
        return self.steps(here, spent)

    def _onward(self, here: int, spent: int) -> list[tuple[int, int]]:
        budget = self.budget
        if self.lanes is not None:
            return [
                (there, spent + cost) for cost, near in self.lanes[here] if spent + cost <= budget for there in near
            ]
        return [(there, spent + cost) for there, cost in self.steps(here, spent) if spent + cost <= budget]

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        if self.empty_allowed and self.stop(self.start) is None:
            yield ()
        if not self._is_hopeless():
            yield from self._paths()

    def _paths(self) -> Iterator[tuple[str, ...]]:
        """All paths, each after those that are its beginning."""
        onward, may_stop, names = self._onward, self._may_stop, A.names
        path: list[str] = []
        dead: set[tuple[int, int]] = set()  # (space, points spent) from where no path ends
        found = 0
        ahead = [(iter(onward(self.start, 0)), (self.start, 0), 0)]
        while ahead:
            steps, here, before = ahead[-1]
            for there in steps:
                if there in dead:
                    continue
                space, spent = there
                path.append(names[space])
                ahead.append((iter(onward(space, spent)), there, found))
                if may_stop(space):
                    found += 1
                    yield tuple(path)
                break
            else:
                ahead.pop()
                if found == before:
                    dead.add(here)
                if path:
                    path.pop()

    def __len__(self) -> int:
        known: dict[tuple[int, int], int] = {}

        def count(here: int, spent: int) -> int:
            key = (here, spent)
            if key not in known:
                known[key] = sum(
                    self._may_stop(there) + count(there, total) for there, total in self._onward(here, spent)
                )
            return known[key]

        return count(self.start, 0) + (self.empty_allowed and self.stop(self.start) is None)

    def _fault(self, value: Any) -> tuple[bool, Refusal | None]:
        if not isinstance(value, tuple) or len(value) > 40:
            return True, None
        if not value:
            if not self.empty_allowed:
                return True, None
            refusal = self.stop(self.start)
            return refusal is not None, refusal
        here, spent = self.start, 0
        for name in value:
            there = A.index.get(name, -1) if isinstance(name, str) else -1
            if there < 0:
                return True, None
            total = next((total for space, total in self._onward(here, spent) if space == there), -1)
            if total < 0:
                return True, self.why_not(here, there, spent)
            here, spent = there, total
        refusal = self.stop(here)
        return refusal is not None, refusal

    def __contains__(self, value: object) -> bool:
        return not self._fault(value)[0]

    def sample(self, rng: Random) -> tuple[str, ...]:
        goals, lanes, budget, random, names = self.goals, self.lanes, self.budget, rng.random, A.names
        for _ in range(_TRIES if self.ways is None else 1):
            here, spent = self.start, 0
            path: list[str] = []
            end = NOBODY  # the last place in the path at which one may stop
            if self.empty_allowed and self.stop(here) is None:
                end = 0
                if random() < _STOP_CHANCE:
                    return ()
            while True:
                row = lanes[here] if lanes is not None else ()
                if len(row) == 1:  # all lanes out of here cost the same
                    cost, near = row[0]
                    spent += cost
                    if spent > budget:
                        break
                    here = near[int(random() * len(near))]
                else:
                    onward = self._onward(here, spent)
                    if not onward:
                        break
                    here, spent = onward[int(random() * len(onward))]
                path.append(names[here])
                if here in goals if goals is not None else self.stop(here) is None:
                    end = len(path)
                    if random() < _STOP_CHANCE:
                        return tuple(path)
            if end >= 0:
                return tuple(path[:end])
        if not self.empty_allowed and not self._onward(self.start, 0):
            raise NothingToChoose
        known = self._known_ends()
        if known is not None:
            ways, ends = known
            if not ends:
                raise NothingToChoose
            return _named(ways.path(ends[int(rng.random() * len(ends))]))
        paths = self._ends()
        if not paths:
            raise NothingToChoose
        return paths[int(rng.random() * len(paths))]

    def why(self, value: Any) -> Refusal | None:
        return self._fault(value)[1]

    def _ends(self) -> list[tuple[str, ...]]:
        """Return a cheapest path to every space in which one may stop."""
        known = self._known_ends()
        if known is not None:
            ways, ends = known
            return [_named(ways.path(end)) for end in ends]
        return self._searched_ends()

    def _searched_ends(self) -> list[tuple[str, ...]]:
        best: dict[int, tuple[int, tuple[str, ...]]] = {self.start: (0, ())}
        queue = [self.start]
        for here in queue:
            spent, path = best[here]
            for there, total in self._onward(here, spent):
                if there not in best or total < best[there][0]:
                    best[there] = (total, (*path, A.names[there]))
                    queue.append(there)
        return [
            path for space, (_, path) in best.items()
            if (path or self.empty_allowed) and self._may_stop(space)
        ]  # fmt: skip

    def _known_ends(self) -> tuple[Reach, list[int]] | None:
        """Return where paths can end, with the cheapest ways there; None where that is not known beforehand.

        Few goals come in their own order, others in that of a search from the start.
        """
        goals, start = self.goals, self.start
        if goals is None or (self.ways is None and self.near is None):
            return None
        if self.ways is not None:
            ways = self.ways()
            ends = [goal for goal in goals if goal in ways]
        else:
            assert self.near is not None
            ways = self.near()
            ends = list(filter(goals.__contains__, ways))
        return ways, [end for end in ends if end != start or self.empty_allowed]

    def lead_anywhere(self) -> bool:
        """Whether there is any path at all."""
        if self.empty_allowed and self.stop(self.start) is None:
            return True
        if self._is_hopeless():
            return False
        best, queue = {self.start: 0}, [self.start]
        for here in queue:
            for there, total in self._onward(here, best[here]):
                if self._may_stop(there):
                    return True
                if total < best.get(there, 1 << 30):
                    best[there] = total
                    queue.append(there)
        return False

    def describe(self) -> dict[str, Any]:
        """For the client: a walk from the starting space, and every end with a cheapest path to it."""
        found = self.describe_next(())
        found["most"] = self.budget
        found["start"] = A.names[self.start] if self.start >= 0 else ""
        found["paths"] = [list(path) for path in self._ends()]
        return found

    def describe_next(self, so_far: tuple[Any, ...]) -> dict[str, Any]:
        """For a client that builds the path click by click: where it may go on, and whether it may stop."""
        here, spent = self.start, 0
        for name in so_far:
            there = A.index.get(name, -1) if isinstance(name, str) else -1
            total = next((total for space, total in self._onward(here, spent) if space == there), -1)
            if total < 0:
                return {"type": "walk", "next": [], "may_stop": False}
            here, spent = there, total
        onward = [A.names[there] for there, _ in self._onward(here, spent)]
        may_stop = bool(so_far or self.empty_allowed) and self.stop(here) is None
        return {"type": "walk", "next": onward, "may_stop": may_stop}


def _named(path: Sequence[int]) -> tuple[str, ...]:
    """Return the names of a path without the space it begins in."""
    return tuple([A.names[space] for space in path[1:]])


def to_indices(path: Iterable[str]) -> tuple[int, ...]:
    return tuple([A.index[name] for name in path])
