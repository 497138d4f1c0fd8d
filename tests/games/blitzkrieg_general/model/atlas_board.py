"""The board of Blitzkrieg General as the proofs read it: links, distances, who is friend or foe, supply, dice."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import pairwise
from typing import Any

from tests.atlas.faults import Atlas, flood

Link = dict[str, Any]
FAR = 99
AXIS = ("germany", "italy", "finland", "romania", "hungary", "bulgaria")
ALLIES_1941 = ("be", "greece", "yugoslavia", "ussr")


def by_land(link: Link) -> bool:
    return link["kind"] == "land" and "forbidden" not in link["borders"]


def by_sea(link: Link) -> bool:
    return bool(link["kind"] == "sea")


def by_air(link: Link) -> bool:
    return "switzerland" not in (link["a"], link["b"])


class Board:
    """The atlas with its look-up tables."""

    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        self.spaces = atlas["spaces"]
        self.links = atlas["links"]
        self.countries = atlas["countries"]
        self.setups = atlas["setups"]
        self.near: dict[str, dict[str, Link]] = {s: {} for s in self.spaces}
        for link in self.links:
            self.near[link["a"]][link["b"]] = link
            self.near[link["b"]][link["a"]] = link
        self.zones = [s for s, v in self.spaces.items() if v["kind"] == "seazone"]
        self.areas = [s for s, v in self.spaces.items() if v["kind"] != "seazone"]
        self.owners: dict[str, Any] = {s: self.spaces[s]["owner"] for s in self.areas}
        self.owners_1941 = self.owners | self.setups["1941"]["control_changes"]

    def joined(self, a: str, b: str, kind: str | None = None) -> bool:
        """Whether a link (of the kind) joins the two."""
        link = self.near[a].get(b)
        return link is not None and kind in (None, link["kind"])

    def distances(
        self, start: str, way: Callable[[Link], bool], may_pass: Callable[[str], bool] = lambda space: True
    ) -> dict[str, int]:
        """Steps to every space; an island and its own seazone are one printed space."""
        far, heap = {start: 0}, [(0, start)]
        while heap:
            steps, x = heapq.heappop(heap)
            if steps > far[x]:
                continue
            for y, link in self.near[x].items():
                if not way(link):
                    continue
                total = steps + (0 if link.get("same_space") else 1)
                if total < far.get(y, FAR):
                    far[y] = total
                    if may_pass(y):
                        heapq.heappush(heap, (total, y))
        return far

    def distance(
        self, a: str, b: str, way: Callable[[Link], bool], may_pass: Callable[[str], bool] = lambda space: True
    ) -> int:
        return self.distances(a, way, may_pass).get(b, FAR)

    def sails(self, limit: int, zones: Iterable[str]) -> bool:
        """Whether ships can pass these zones in turn within the limit."""
        return sum(self.distance(a, b, by_sea) for a, b in pairwise(zones)) <= limit

    def crossing(self, a: str, b: str) -> int:
        """Fewest zone steps from a coast of one area to an open coast of the other."""
        out = [s for s, link in self.near[a].items() if link["kind"] == "coast"]
        goals = [s for s, link in self.near[b].items() if link["kind"] == "coast" and not link["forbidden_coast"]]
        return min((self.distance(x, y, by_sea) for x in out for y in goals), default=FAR)

    def left_production(self, wanted: Callable[[str, dict[str, Any]], bool]) -> int:
        """What areas make for their first owner."""
        return sum(v["production"][0] for s, v in self.spaces.items() if v["production"] and wanted(s, v))

    def deliveries(self, receiver: str, givers: Collection[str] | None = None) -> int:
        return sum(
            d["bp"]
            for d in self.atlas["deliveries"]
            if d["receiver"] == receiver and (givers is None or d["giver"] in givers)
        )

    def strength(self, kind: str, value: int, area: str, start: str | None, marks: str) -> int:
        """Effective strength of a shooter: invasion, terrain, borders, then weather, then supply."""
        effects = self.atlas["terrain_effects"]
        ground = {} if area == "maginot" else effects[self.spaces[area]["terrain"]]["effects"]
        if kind == "air":
            value += ground.get("air", 0)
            value = int(value * ground.get("air_factor", 1))
            value -= 1 if "b" in marks else 0
        else:
            if "i" in marks:
                value //= 2
            if kind == "arm":
                value += ground.get("arm", 0)
            elif "d" in marks:
                value += ground.get("infantry_defender", 0)
            for border in self.near[start][area]["borders"] if start else ():
                if border == "mountain" and self.spaces[area]["terrain"] == "mountain":
                    continue
                effect = effects["borders"][border]["effects"]
                value += effect.get("attacker", 0) + effect.get(
                    "arm_attacker" if kind == "arm" else "other_attacker", 0
                )
            if "b" in marks and "d" not in marks:
                value -= 1
        return value - (2 if "s" in marks else 0)


class World:
    """Who controls what and who fights whom while a tutorial is replayed."""

    def __init__(self, board: Board, owners: Mapping[str, Any], friends: Iterable[Iterable[str]]) -> None:
        self.board = board
        self.owners = dict(owners)
        self.friends = {frozenset((a, b)) for group in map(list, friends) for a in group for b in group}
        self.wars: set[frozenset[str]] = set()

    def war(self, a: str, b: str) -> None:
        self.wars.add(frozenset((a, b)))

    def is_friend(self, who: str, area: str) -> bool:
        owner = self.owners[area]
        return owner == who or frozenset((owner, who)) in self.friends

    def is_enemy(self, who: str, area: str) -> bool:
        return not self.is_friend(who, area) and frozenset((who, self.owners[area])) in self.wars

    def _is_zone(self, space: str) -> bool:
        return bool(self.board.spaces[space]["kind"] == "seazone")

    def attacks(self, who: str, a: str, b: str, reach: int) -> bool:
        def may_pass(area: str) -> bool:
            return not self._is_zone(area) and (self.is_friend(who, area) or self.is_enemy(who, area))

        return may_pass(b) and self.board.distance(a, b, by_land, may_pass) <= reach

    def moves(self, who: str, a: str, b: str, reach: int) -> bool:
        def may_pass(area: str) -> bool:
            return not self._is_zone(area) and self.is_friend(who, area)

        return may_pass(b) and self.board.distance(a, b, by_land, may_pass) <= 2 * reach

    def rails(self, who: str, a: str, b: str) -> bool:
        return self.moves(who, a, b, FAR // 2)

    def _flies_over(self, who: str, space: str) -> bool:
        return self._is_zone(space) or self.is_friend(who, space) or self.is_enemy(who, space)

    def flies(self, who: str, a: str, b: str, reach: int) -> bool:
        def may_pass(space: str) -> bool:
            return self._flies_over(who, space)

        return may_pass(b) and self.board.distance(a, b, by_air, may_pass) <= reach

    def flies_home(self, who: str, a: str, b: str, reach: int) -> bool:
        return not self._is_zone(b) and self.is_friend(who, b) and self.flies(who, a, b, reach)

    def rebases(self, who: str, a: str, b: str, reach: int) -> bool:
        def may_pass(space: str) -> bool:
            return self._is_zone(space) or self.is_friend(who, space)

        lands = not self._is_zone(b) and self.is_friend(who, b)
        return lands and self.board.distance(a, b, by_air, may_pass) <= 2 * reach


class Supply:
    """Supply of one side, given who controls the areas and whose ships lie where."""

    def __init__(
        self,
        board: Board,
        side: Collection[str],
        owners: Mapping[str, Any],
        task_forces: Mapping[str, str],
        other_ships: Mapping[str, str] | None = None,
    ) -> None:
        self.board, self.side, self.owners = board, set(side), owners
        self.me, self.foe = ("axis", "allies") if "germany" in side else ("allies", "axis")
        self.task_forces: dict[str, str] = defaultdict(str, task_forces)
        self.other_ships: dict[str, str] = defaultdict(str, other_ships or {})

    def _is_open(self, link: Link) -> bool:
        if not link["gate"]:
            return True
        gate = self.board.atlas["gates"][link["gate"]]
        hostile = [self.owners.get(a) is not None and self.owners[a] not in self.side for a in gate["control_areas"]]
        if link["gate"] in ("suez", "gibraltar", "malaya"):
            return not any(hostile)
        if link["gate"] == "skagerrak":
            return not all(hostile)
        return bool(link["gate"] != "western_turkey")

    def _is_blocked(self, zone: str) -> bool:
        mine = self.task_forces[zone] + self.other_ships[zone]
        return self.foe in self.task_forces[zone] and self.me not in mine

    def _steps(self, space: str) -> Iterable[str]:
        for other, link in self.board.near[space].items():
            if self.board.spaces[other]["kind"] == "seazone":
                if self._is_open(link) and not self._is_blocked(other):
                    yield other
            elif self.owners[other] in self.side and (by_land(link) if link["kind"] == "land" else self._is_open(link)):
                yield other

    def _is_source(self, space: str) -> bool:
        v = self.board.spaces[space]
        if (
            v["kind"] == "seazone"
            or not v["production"]
            or not v["production"][0]
            or self.owners[space] not in self.side
        ):
            return False
        if v["home_of"]:
            return v["home_of"] in self.side
        return v["owner"] in self.side and self.board.countries[v["owner"]]["kind"] != "major"

    def reaches(self, area: str) -> bool:
        """Whether units in the area trace supply."""
        return any(self._is_source(space) for space in flood([area], self._steps))
