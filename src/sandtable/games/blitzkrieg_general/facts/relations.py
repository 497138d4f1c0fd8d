"""Who stands to whom, who may go where, who moves what: tables that follow from the politics and the flags on the map.

The state holds politics and control as tuples that are replaced when anything changes, so the tables made from them
are right for as long as the same tuples are in the state. They are made when somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import compress
from operator import ne
from typing import TYPE_CHECKING, Any, Final

from ..model.atlas import FRANCE, JAPAN, USSR, atlas

if TYPE_CHECKING:
    from ..model.state import BKState

# ---- standing of a nation
NEUTRAL, AT_WAR, CONQUERED = 0, 1, 2
# ---- what a space is to an aircraft
CLOSED_SKY, OWN_SKY, ENEMY_SKY, OPEN_SKY = 0, 1, 2, 3
# ---- what an area is to a unit on land
NO_ENTRY, FREE_ENTRY, HOSTILE_ENTRY = 0, 1, 2

NOBODY: Final = 255
"""The owner of a seazone as a byte."""

Numbers = tuple[int, ...]
MOST_REMEMBERED: Final = 64
MOST_STACKS: Final = 20_000


class Quarrels(dict[int, bool]):
    """Whether any two of some nations, given as bits, fight each other: looked up as `quarrels[nations]`."""

    __slots__ = ("war",)

    def __init__(self, war: Numbers) -> None:
        self.war = war

    def __missing__(self, nations: int) -> bool:
        left, found = nations, False
        while left and not found:
            nation = left.bit_length() - 1
            left ^= 1 << nation
            found = bool(self.war[nation] & nations)
        self[nations] = found
        return found


class Relations:
    """What follows from the sides, the wars and who plays whom."""

    __slots__ = (
        "_acting",
        "_fighting",
        "_foes",
        "_friends",
        "_lines",
        "_members",
        "made_from",
        "master",
        "peace",
        "quarrels",
        "side",
        "standing",
        "war",
    )

    def __init__(self, side: Numbers, standing: Numbers, master: Numbers, war: Numbers, peace: int) -> None:
        self.side, self.standing, self.master, self.war, self.peace = side, standing, master, war, peace
        self.made_from = (war, side, standing, master, peace)
        self._friends: dict[int, int] = {}
        self._members: dict[int, int] = {}
        self._acting: dict[int, Numbers] = {}
        self._foes: dict[int, int] = {}
        self._fighting: dict[int, list[int]] = {}
        self._lines: list[tuple[int, int]] | None = None
        self.quarrels = Quarrels(war)

    def members(self, side: int) -> int:
        """The nations of a side, as bits."""
        known = self._members.get(side)
        if known is None:
            known = self._members[side] = sum(1 << n for n, of in enumerate(self.side) if of == side)
        return known

    def foes(self, side: int) -> int:
        """The nations that any nation of a side fights, as bits."""
        known = self._foes.get(side)
        if known is None:
            known = 0
            for of, war in zip(self.side, self.war, strict=True):
                if of == side:
                    known |= war
            self._foes[side] = known
        return known

    def acting(self, side: int) -> Numbers:
        """The majors of a side that still play."""
        known = self._acting.get(side)
        if known is None:
            majors = enumerate(zip(self.side[:8], self.standing[:8], strict=True))
            known = self._acting[side] = tuple([n for n, (of, now) in majors if of == side and now != CONQUERED])
        return known

    def friends(self, nation: int) -> int:
        """The nations whose areas a nation may use, as bits; itself is one. Belligerents of one side that have an enemy
        in common may use each other's areas."""
        known = self._friends.get(nation)
        if known is None:
            known = 1 << nation
            if self.standing[nation] == AT_WAR:
                master, war, mine, enemies = self.master, self.war, self.master[nation], self.war[nation]
                for other in self._fellows(self.side[nation]):
                    if master[other] == mine or (
                        enemies & war[other] and (self.peace < 0 or not self._kept_apart(nation, other))
                    ):
                        known |= 1 << other
            self._friends[nation] = known
        return known

    def _fellows(self, side: int) -> list[int]:
        """The nations of a side that are at war."""
        known = self._fighting.get(side)
        if known is None:
            standing = enumerate(zip(self.side, self.standing, strict=True))
            known = self._fighting[side] = [n for n, (of, now) in standing if of == side and now == AT_WAR]
        return known

    def lines(self) -> list[tuple[int, int]]:
        """The nations at war in groups that have the same enemies and the same friends, and so the same lines of
        supply: one of each group, and all of it as bits."""
        if self._lines is None:
            alike: dict[tuple[int, int], list[int]] = {}
            for nation, standing in enumerate(self.standing):
                if standing == AT_WAR:
                    alike.setdefault((self.war[nation], self.friends(nation)), []).append(nation)
            self._lines = [(group[0], sum([1 << nation for nation in group])) for group in alike.values()]
        return self._lines

    def _kept_apart(self, a: int, b: int) -> bool:
        """A Soviet-Japanese peace keeps those who fight one partner out of the other's areas. [bg-8.2-ussr-japan]
        [bg-card-force-peace-china]"""
        if self.peace >= 0:
            for one, other in ((a, b), (b, a)):
                partner = self.master[one]
                if partner in (USSR, JAPAN) and self.war[other] >> (JAPAN if partner == USSR else USSR) & 1:
                    return True
        return False

    def owners_of(self, nation: int, own: int, enemy: int, stranger: int, nobody: int) -> bytes:
        """What the ground of every owner is to a nation, for `bytes.translate`: its own and its friends', its
        enemies', anybody else's, and the sea, which is nobody's."""
        friends, war = self.friends(nation), self.war[nation] & ~(1 << nation)
        return _owner_codes(len(self.side), friends, war, (own, enemy, stranger, nobody))


@lru_cache(maxsize=4096)
def _owner_codes(nations: int, friends: int, war: int, codes: tuple[int, int, int, int]) -> bytes:
    own, enemy, stranger, nobody = codes
    table = bytearray([stranger]) * nations
    for bits, code in ((friends, own), (war, enemy)):
        while bits:
            owner = bits.bit_length() - 1
            bits ^= 1 << owner
            table[owner] = code
    return bytes(table).ljust(NOBODY, b"\0") + bytes([nobody])


class Beside(dict[int, int]):
    """The nations that hold areas next to a space, as bits: over land from an area, over the coast from a zone."""

    __slots__ = ("control",)

    def __init__(self, control: Numbers) -> None:
        self.control = control

    def __missing__(self, space: int) -> int:
        found, known = atlas(), 0
        beside = found.coast[space] if found.is_sea[space] else found.land_next[space]
        for owner in set(map(self.control.__getitem__, beside)):
            known |= 1 << owner
        self[space] = known
        return known


class Ground:
    """What follows from those and from who holds which area; per nation a byte for every space."""

    __slots__ = (
        "_bits", "_friendly", "_held", "_holders", "_open_sky", "_peaceful_sky", "_sky", "beside", "control",
        "entries", "industry", "made_from", "nets", "owners", "potentials", "railways", "relations",
    )  # fmt: skip

    def __init__(self, relations: Relations, control: Numbers) -> None:
        self.relations, self.control = relations, control
        self.made_from = (control, *relations.made_from)
        self.owners = bytes(map(NOBODY.__and__, control))
        """The same as bytes; the seas, which are nobody's, as the last."""
        self._friendly: dict[int, bytes] = {}
        self._held: dict[int, list[int]] = {}
        self._sky: dict[int, bytes] = {}
        self.entries: dict[int, bytes] = {}
        """What each area is to a nation's land units; made by `politics.entry`."""
        self.nets: dict[tuple[int, bool], tuple[int, int, int]] = {}
        """What a nation's supply begins with, in the basic or the advanced game; made by `supply`."""
        self.railways: dict[int | tuple[int, int], Any] = {}
        """What is joined by rail; made by `rail` and `reach`."""
        self._open_sky: dict[int, int] = {}
        self._peaceful_sky: dict[int, int] = {}
        self.industry: dict[tuple[int, bool], frozenset[int]] = {}
        """Enemy areas worth bombing; made by `flying`."""
        self.potentials: dict[tuple[Any, ...], Numbers] = {}
        """The production flags; made by `economy`."""
        self.beside = Beside(control)
        self._bits: dict[int, int] = {}
        self._holders = -1

    def held_by(self, nations: int) -> list[int]:
        """The areas that some nations, given as bits, hold."""
        known = self._held.get(nations)
        if known is None:
            found, codes = atlas(), _owner_codes(len(self.relations.side), nations, 0, (1, 0, 0, 0))
            known = self._held[nations] = list(compress(found.land, found.of_land(self.owners.translate(codes))))
        return known

    def friendly(self, nation: int) -> bytes:
        """1 where an area is the nation's own or a fellow belligerent's. [bg-8.2-neutral-units]"""
        known = self._friendly.get(nation)
        if known is None:
            codes = self.relations.owners_of(nation, 1, 0, 0, 0)
            known = self._friendly[nation] = self.owners.translate(codes)
        return known

    def friendly_bits(self, nation: int) -> int:
        """The same as bits."""
        known = self._bits.get(nation)
        if known is None:
            known = self._bits[nation] = _as_bits(self.friendly(nation))
        return known

    def sky(self, nation: int) -> bytes:
        """What each space is to the nation's aircraft. Neutral areas are closed. [bg-6.4.1-overfly]"""
        known = self._sky.get(nation)
        if known is None:
            codes = self.relations.owners_of(nation, OWN_SKY, ENEMY_SKY, CLOSED_SKY, OPEN_SKY)
            known = self._sky[nation] = self.owners.translate(codes)
        return known

    def open_sky(self, nation: int) -> int:
        """Where a nation's aircraft can fly, as bits."""
        known = self._open_sky.get(nation)
        if known is None:
            known = self._open_sky[nation] = _as_bits(self.sky(nation).translate(_ANY_FLIGHT))
        return known

    def peaceful_sky(self, nation: int) -> int:
        """Where they can fly without coming over enemy ground, as bits."""
        known = self._peaceful_sky.get(nation)
        if known is None:
            known = self._peaceful_sky[nation] = _as_bits(self.sky(nation).translate(_PEACEFUL_FLIGHT))
        return known

    def holders(self) -> int:
        """The nations that hold any area at all, as bits."""
        if self._holders < 0:
            self._holders = sum(1 << nation for nation in set(self.control) if nation >= 0)
        return self._holders


def _as_bits(codes: bytes) -> int:
    """A byte for every space, 0 or 1, as one number."""
    return int(codes.translate(_DIGITS)[::-1], 2) if codes else 0


_DIGITS: Final = b"01" + bytes(254)
_ANY_FLIGHT: Final = bytes([0, 1, 1, 1]) + bytes(252)
_PEACEFUL_FLIGHT: Final = bytes([0, 1, 0, 1]) + bytes(252)


class Stacks(dict[Numbers, int]):
    """Something about stacks of units, as bits over nations: looked up as `stacks[units]`, worked out once."""

    __slots__ = ("look",)

    def __init__(self, look: Callable[[Numbers], int]) -> None:
        self.look = look

    def __missing__(self, units: Numbers) -> int:
        if len(self) >= MOST_STACKS:
            self.clear()
        found = self[units] = self.look(units)
        return found


class Counters:
    """Which nations' counters lie together, for any stack of units."""

    __slots__ = ("armies", "escorts", "fleets", "nation", "nations", "packs")

    def __init__(self, nation: Numbers) -> None:
        self.nation = nation
        found = atlas()
        bit = list(map(found.bit.__getitem__, nation))
        self.nations = Stacks(_all(bit))
        """The nations of a stack."""
        self.armies = Stacks(_those(bit, found.is_land))
        """Those with land units in it."""
        self.fleets = Stacks(_those(bit, found.is_task_force))
        """Those with Task Forces in it."""
        self.escorts = Stacks(_those(bit, found.is_escort))
        """Those with Task Forces or convoys in it."""
        self.packs = Stacks(_those(bit, found.is_sub))
        """Those with submarines in it."""


ARMS: Final = ("all", "land", "ashore", "aircraft", "ships", "task_forces")
"""The lists that a roster keeps, in the order of `Atlas.counters`."""


class Roster:
    """Whose counters are whose: per major all the counters it moves, wherever they are, in the order of the mix."""

    __slots__ = (
        *ARMS, "armies", "escorts", "fleets", "master", "nation", "nations", "packs",
    )  # fmt: skip
    all: list[list[int]]
    land: list[list[int]]
    ashore: list[list[int]]
    aircraft: list[list[int]]
    ships: list[list[int]]
    task_forces: list[list[int]]

    def __init__(self, counters: Counters, master: Numbers) -> None:
        self.nation, self.master = counters.nation, master
        self.nations, self.armies, self.packs = counters.nations, counters.armies, counters.packs
        self.fleets, self.escorts = counters.fleets, counters.escorts

    def __getattr__(self, name: str) -> list[list[int]]:
        """The counters of an arm that nobody has asked for yet."""
        if name not in ARMS:
            raise AttributeError(name)
        found, nation, master, arm = atlas(), self.nation, self.master, ARMS.index(name)
        mine: list[list[int]] = [[] for _ in range(8)]
        strays: set[int] = set()
        if nation != found.printed_nations:
            strays = set(compress(found.printed_nations, map(ne, found.printed_nations, nation)))
        for printed, counters in found.counters_of_arm[arm]:
            if printed in strays:
                # counters that serve another country: French ones Vichy or, as Free French, the Empire or the USA
                for unit in counters:
                    holder = master[nation[unit]]
                    if holder >= 0 and (printed == FRANCE or holder == master[printed]):
                        mine[holder].append(unit)
            elif master[printed] >= 0:
                mine[master[printed]] += counters
        setattr(self, name, mine)
        return mine

    def quarrels(self, politics: Relations, stacks: Sequence[Numbers]) -> Iterator[bool]:
        """Of each stack whether two of its nations fight each other."""
        return map(politics.quarrels.__getitem__, map(self.nations.__getitem__, stacks))


def _all(bit: list[int]) -> Callable[[Numbers], int]:
    """A function that unites the nations of the units of a stack."""

    def look(units: Numbers) -> int:
        out = 0
        for unit in units:
            out |= bit[unit]
        return out

    return look


def _those(bit: list[int], counts: list[bool]) -> Callable[[Numbers], int]:
    """A function that unites the nations of those units of a stack that count."""

    def look(units: Numbers) -> int:
        out = 0
        for unit in units:
            if counts[unit]:
                out |= bit[unit]
        return out

    return look


# ---- the tables that are at hand ----------------------------------------------------------------------------------
class _AtHand:
    """The tables asked for last, and others of late by the ids of what they were made from. A table holds on to its
    tuples, so no other tuple can have their ids."""

    __slots__ = ("counters", "ground", "grounds", "relations", "roster", "rosters", "worlds")

    def __init__(self) -> None:
        self.relations = Relations((), (), (), (), -1)
        self.ground = Ground(self.relations, ())
        self.counters: Counters | None = None
        self.roster: Roster | None = None
        self.worlds: dict[tuple[int, ...], Relations] = {}
        self.grounds: dict[tuple[int, int], Ground] = {}
        self.rosters: dict[tuple[int, int], Roster] = {}


_at_hand = _AtHand()


def relations(state: BKState) -> Relations:
    """The politics of this state."""
    known = _at_hand.relations
    if known.made_from == (state.war, state.side, state.standing, state.master, state.peace):
        return known
    worlds = _at_hand.worlds
    key = (id(state.side), id(state.standing), id(state.master), id(state.war), state.peace)
    found = worlds.get(key)
    if found is None:
        if len(worlds) >= MOST_REMEMBERED:
            worlds.clear()
        found = worlds[key] = Relations(state.side, state.standing, state.master, state.war, state.peace)
    _at_hand.relations = found
    return found


def ground(state: BKState) -> Ground:
    """The map as the politics and the flags of this state make it."""
    known = _at_hand.ground
    if known.made_from == (state.control, state.war, state.side, state.standing, state.master, state.peace):
        return known
    politics = relations(state)
    grounds = _at_hand.grounds
    key = (id(state.control), id(politics))
    found = grounds.get(key)
    if found is None:
        if len(grounds) >= MOST_REMEMBERED:
            grounds.clear()
        found = grounds[key] = Ground(politics, state.control)
    _at_hand.ground = found
    return found


def roster(state: BKState) -> Roster:
    """Whose counters are whose in this state."""
    known = _at_hand.roster
    if known is not None and known.nation is state.nation and known.master is state.master:
        return known
    rosters = _at_hand.rosters
    key = (id(state.nation), id(state.master))
    found = rosters.get(key)
    if found is None:
        if len(rosters) >= MOST_REMEMBERED:
            rosters.clear()
        counters = _at_hand.counters
        if counters is None or counters.nation is not state.nation:
            counters = _at_hand.counters = Counters(state.nation)
        found = rosters[key] = Roster(counters, state.master)
    _at_hand.roster = found
    return found
