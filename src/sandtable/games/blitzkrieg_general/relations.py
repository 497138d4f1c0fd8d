"""Who stands to whom, who may go where, who moves what: tables that follow from the politics and the flags on the map.

The state holds politics and control as tuples that are replaced when anything changes, so the tables made from them
are right for as long as the very same tuples are in the state. They are made when somebody asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .atlas import AIR, FRANCE, JAPAN, TF, USSR, atlas

if TYPE_CHECKING:
    from .state import BKState

# ---- standing of a nation
NEUTRAL, AT_WAR, CONQUERED = 0, 1, 2
# ---- what a space is to an aircraft
CLOSED_SKY, OWN_SKY, ENEMY_SKY, OPEN_SKY = 0, 1, 2, 3
# ---- what an area is to a unit on land
NO_ENTRY, FREE_ENTRY, HOSTILE_ENTRY = 0, 1, 2

Numbers = tuple[int, ...]
MOST_REMEMBERED: Final = 64


class Relations:
    """What follows from the sides, the wars and who plays whom."""

    __slots__ = ("_friends", "master", "peace", "side", "standing", "war")

    def __init__(self, side: Numbers, standing: Numbers, master: Numbers, war: Numbers, peace: int) -> None:
        self.side, self.standing, self.master, self.war, self.peace = side, standing, master, war, peace
        self._friends: dict[int, int] = {}

    def friends(self, nation: int) -> int:
        """The nations whose areas a nation may use, as bits; itself is one."""
        known = self._friends.get(nation)
        if known is None:
            known = self._friends[nation] = sum(
                1 << other for other in range(len(self.side)) if self._are_allied(nation, other)
            )
        return known

    def _are_allied(self, a: int, b: int) -> bool:
        """Belligerents of one side that have an enemy in common may use each other's areas; a Soviet-Japanese peace
        keeps those who fight one partner out of the other's. [bg-8.2-ussr-japan] [bg-card-force-peace-china]"""
        if a == b:
            return True
        standing, master = self.standing, self.master
        if self.side[a] != self.side[b] or standing[a] != AT_WAR or standing[b] != AT_WAR:
            return False
        if master[a] == master[b]:
            return True
        if not self.war[a] & self.war[b]:
            return False
        if self.peace >= 0:
            for one, other in ((a, b), (b, a)):
                partner = master[one]
                if partner in (USSR, JAPAN) and self.war[other] >> (JAPAN if partner == USSR else USSR) & 1:
                    return False
        return True


class Ground:
    """What follows from those and from who holds which area; per nation a byte for every space."""

    __slots__ = ("_friendly", "_sky", "control", "entries", "flights", "nets", "relations")

    def __init__(self, relations: Relations, control: Numbers) -> None:
        self.relations, self.control = relations, control
        self._friendly: dict[int, bytes] = {}
        self._sky: dict[int, bytes] = {}
        self.entries: dict[int, bytes] = {}
        """What each area is to a nation's land units; made by `politics.entry`."""
        self.nets: dict[tuple[int, bool], tuple[int, int, int]] = {}
        """What a nation's supply begins with, in the basic or the advanced game; made by `supply`."""
        self.flights: dict[tuple[int, int, int, int], dict[int, int]] = {}
        """Reach of aircraft by nation, start, steps and zones closed to them (-1: they fear no enemy)."""

    def friendly(self, nation: int) -> bytes:
        """1 where an area is the nation's own or a fellow belligerent's. [bg-8.2-neutral-units]"""
        known = self._friendly.get(nation)
        if known is None:
            friends = self.relations.friends(nation)
            # the seas are nobody's (-1): they find the last entry
            of_owner = [friends >> owner & 1 for owner in range(len(self.relations.side))] + [0]
            known = self._friendly[nation] = bytes(of_owner[owner] for owner in self.control)
        return known

    def sky(self, nation: int) -> bytes:
        """What each space is to the nation's aircraft. Neutral areas are closed. [bg-6.4.1-overfly]"""
        known = self._sky.get(nation)
        if known is None:
            friends, war = self.relations.friends(nation), self.relations.war[nation]
            of_owner = [
                ENEMY_SKY if war >> owner & 1 and owner != nation else OWN_SKY if friends >> owner & 1 else CLOSED_SKY
                for owner in range(len(self.relations.side))
            ]
            of_owner.append(OPEN_SKY)
            known = self._sky[nation] = bytes(of_owner[owner] for owner in self.control)
        return known


class Roster:
    """Whose counters are whose: per major all the counters it moves, wherever they are, in the order of the mix."""

    __slots__ = ("aircraft", "all", "land", "master", "nation", "ships", "task_forces")

    def __init__(self, nation: Numbers, master: Numbers) -> None:
        self.nation, self.master = nation, master
        found = atlas()
        self.all: list[list[int]] = [[] for _ in range(8)]
        for printed, units in found.counters:
            holder = master[printed]
            if printed != FRANCE:
                if holder >= 0:
                    self.all[holder].extend(u for u in units if master[nation[u]] == holder)
                continue
            # French counters may serve Vichy or, as Free French, the Empire or the USA
            for unit in units:
                if master[nation[unit]] >= 0:
                    self.all[master[nation[unit]]].append(unit)
        self.land = [[u for u in mine if found.is_land[u]] for mine in self.all]
        self.aircraft = [[u for u in mine if found.type[u] == AIR] for mine in self.all]
        self.ships = [[u for u in mine if found.is_ship[u]] for mine in self.all]
        self.task_forces = [[u for u in mine if found.type[u] == TF] for mine in self.all]


# ---- the tables that are at hand ----------------------------------------------------------------------------------
_relations: dict[tuple[int, ...], Relations] = {}
_grounds: dict[tuple[int, ...], Ground] = {}
_rosters: dict[tuple[int, int], Roster] = {}


def relations(state: BKState) -> Relations:
    """The politics of this state. A table holds the tuples it was made from, so no other tuple can have their ids."""
    key = (id(state.side), id(state.standing), id(state.master), id(state.war), state.peace)
    known = _relations.get(key)
    if known is None:
        if len(_relations) >= MOST_REMEMBERED:
            _relations.clear()
        known = _relations[key] = Relations(state.side, state.standing, state.master, state.war, state.peace)
    return known


def ground(state: BKState) -> Ground:
    """The map as the politics and the flags of this state make it."""
    control = state.control
    key = (id(control), id(state.side), id(state.standing), id(state.master), id(state.war), state.peace)
    known = _grounds.get(key)
    if known is None:
        if len(_grounds) >= MOST_REMEMBERED:
            _grounds.clear()
        known = _grounds[key] = Ground(relations(state), control)
    return known


def roster(state: BKState) -> Roster:
    key = (id(state.nation), id(state.master))
    known = _rosters.get(key)
    if known is None:
        if len(_rosters) >= MOST_REMEMBERED:
            _rosters.clear()
        known = _rosters[key] = Roster(state.nation, state.master)
    return known
