"""Supply Sources and Cut Off."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sandtable.core import Offer, OneOf, Step
from sandtable.core.offers import Field

from ..facts.control import control, owners_of_group
from ..facts.lanes import LAND
from ..facts.lookup import (
    countries,
    country_of,
    flag_at,
    names_of,
    remove,
    spokesman,
    stores,
    unit_name,
    unit_of,
    vichy_is,
)
from ..facts.roster import filled, roster
from ..facts.supply_net import Net, convoy_room, net, own_land, send
from ..model.actions import Starve
from ..model.atlas import ATLAS, DESERT, IMPASSABLE, MAJOR_FLAG, MINOR_FLAG, NEUTRAL, NO_FLAG, NOBODY
from ..model.events import CutOff, Lost
from ..model.state import AT_WAR, CUT_OFF, M
from .weather import in_russian_winter

A = ATLAS
K = ATLAS.kinds
FLAG_FEEDS = 10
"""Stack Points a Minor Flag supplies inside its country."""


_FLAGGED = tuple(space for space in A.land if A.flag[space] in (MAJOR_FLAG, MINOR_FLAG))


class Fed:
    """Who is supplied in one group, and where there is not enough for all."""

    __slots__ = ("missing", "short", "unfed")

    def __init__(self) -> None:
        self.unfed: set[int] = set()
        self.short: list[int] = []
        """Units of which some must go without: their owner chooses which."""
        self.missing = 0
        """Stack Points that go without, whichever units that will be."""


Eater = tuple[int, str, int]
"""A unit, the country it is in, its Stack Points."""


class Queue:
    """Those in one part of the land who wait for a minor flag or a convoy, and what they lack without convoys."""

    __slots__ = ("_rivals", "eaters", "fed_here", "lacking", "least", "part", "rest")

    def __init__(self, part: int, eaters: list[Eater], lacking: dict[str, int], flags: Mapping[str, int]) -> None:
        self.part, self.eaters, self.lacking = part, eaters, lacking
        """Per country what its minor flag does not give: that feeds ten Stack Points within its borders."""
        self.rest, self.fed_here = 0, False
        """What convoys have to bring, and whether a minor flag feeds some of those who lack it."""
        for country, lack in lacking.items():
            if lack > 0:
                self.rest += lack
                self.fed_here = self.fed_here or flags.get(country) == part
        self._rivals: list[int] | None = None
        self.least = 0

    def rivals(self) -> list[int]:
        """The units that lack something; `least` are the Stack Points of the smallest of them."""
        if self._rivals is None:
            rivals = [eater for eater in self.eaters if self.lacking[eater[1]] > 0]
            self._rivals = [unit for unit, _, _ in rivals]
            self.least = min(points for _, _, points in rivals)
        return self._rivals

    def without(self, eater: Eater, flags: Mapping[str, int]) -> Queue | None:
        """The queue when one of those in it goes without; None where nobody is left."""
        _, country, points = eater
        left = [each for each in self.eaters if each is not eater]
        lacking = {**self.lacking, country: self.lacking[country] - points}
        return Queue(self.part, left, lacking, flags) if left else None


def queue_up(part: int, eaters: list[Eater], flags: Mapping[str, int]) -> Queue:
    """Those who wait in one part of the land."""
    lacking: dict[str, int] = {}
    for _, country, points in eaters:
        lacking[country] = lacking.get(country, 0) + points
    for country in lacking:
        if flags.get(country) == part:
            lacking[country] -= FLAG_FEEDS
    return Queue(part, eaters, lacking, flags)


class Hunger:
    """The ground units of a group that no source on their own land feeds, whatever convoys may bring."""

    __slots__ = ("cut_off", "flags", "heads", "waiting")

    def __init__(self, heads: set[int], flags: dict[str, int]) -> None:
        self.heads = heads
        """Parts of the land with a Major Flag."""
        self.flags = flags
        """Per country with a working Minor Flag the part that the flag is in."""
        self.waiting: dict[int, Queue] = {}
        """Per part of the land those who wait."""
        self.cut_off: list[Eater] = []
        """Those to whom nothing can be brought."""

    @property
    def awaits_convoys(self) -> bool:
        """Whether any of them need what convoys bring."""
        return any(queue.rest for queue in self.waiting.values())


class Stock:
    """What convoys can bring to a group, and who gets it for whoever is told to starve."""

    __slots__ = ("_fed", "_still", "calls", "hunger", "room")

    def __init__(self, hunger: Hunger, calls: Mapping[int, Iterable[int]], room: dict[int, int]) -> None:
        self.hunger, self.calls, self.room = hunger, calls, room
        """Who needs it, where each convoy calls, and what it can carry."""
        self._fed: dict[tuple[int, ...], Fed] = {}
        self._still: dict[tuple[int, ...], tuple[dict[int, Queue], tuple[Eater, ...]]] = {}

    def fed(self, starved: tuple[int, ...]) -> Fed:
        """Who is supplied when some go without."""
        found = self._fed.get(starved)
        if found is None:
            found = self._fed[starved] = self._share_out(starved)
        return found

    def _share_out(self, starved: tuple[int, ...]) -> Fed:
        waiting, gone = self._waiting(starved)
        found, heads = Fed(), self.hunger.heads
        for unit, _, points in (*self.hunger.cut_off, *gone):
            found.unfed.add(unit)
            found.missing += points
        left = self.room.copy()
        for part, queue in waiting.items():
            if queue.rest:
                sent = send(self.calls, left, heads, part, queue.rest)[0]
                if sent < queue.rest:
                    _share(found, queue, sent)
        return found

    def _waiting(self, starved: tuple[int, ...]) -> tuple[dict[int, Queue], tuple[Eater, ...]]:
        """Those who still wait when some go without, and who goes; the part with the foremost unit comes first.

        Who is told to starve is told so one by one: it goes on from those before.
        """
        if not starved:
            return self.hunger.waiting, ()
        found = self._still.get(starved)
        if found is None:
            found = self._still[starved] = self._one_less(*self._waiting(starved[:-1]), starved[-1])
        return found

    def _one_less(
        self, waiting: dict[int, Queue], gone: tuple[Eater, ...], unit: int
    ) -> tuple[dict[int, Queue], tuple[Eater, ...]]:
        for queue in waiting.values():
            for eater in queue.eaters:
                if eater[0] == unit:
                    rest = queue.without(eater, self.hunger.flags)
                    queues = [other for other in waiting.values() if other is not queue] + ([rest] if rest else [])
                    queues.sort(key=lambda each: each.eaters[0][0])
                    return {each.part: each for each in queues}, (*gone, eater)
        return waiting, gone


def assess(m: M, group: int, starved: Sequence[int] = (), room: dict[int, int] | None = None) -> Fed:
    """Trace supply for all ground units of a group.

    [w2e-supply-sources] [w2e-major-flag-supply] [w2e-minor-flag-supply] [w2e-fortress-supply] [w2e-depot-supply]
    """
    return stock_of(m, group, room).fed(tuple(starved))


def stock_of(m: M, group: int, room: dict[int, int] | None = None) -> Stock:
    """What a group has to share out; room that nobody waits for is not looked at."""
    hunger = hungry(m, group)
    if room is None:
        room = convoy_room(m, group) if hunger.awaits_convoys else {}
    return Stock(hunger, net(m, group).calls, room)


def stocks(m: M) -> dict[int, Stock]:
    """The stocks of the groups that were asked for: they stay while owners say who is to starve."""
    found: dict[int, Stock] | None = m.cache.get("stocks")
    if found is None:
        state = m.state
        depends_on = (
            state.space, state.cargo_of, state.kind, state.power, state.status, state.owner, state.fortress,
            state.depot, state.lost_flag, state.vichy, state.patron, state.convoys, state.convoy,
        )  # fmt: skip
        found = m.cache["stocks"] = m.kept("stocks", depends_on, dict)
    return found


def hungry(m: M, group: int) -> Hunger:
    """Who needs more than the land itself gives: it stays as long as nobody moves and no source changes."""
    state, units, network = m.state, roster(m), net(m, group)
    spaces = units.pick("fed", group)(state.space)
    depends_on = (network.part, control(m), units, state.fortress, state.depot, state.lost_flag, vichy_is(state),
                  spaces)  # fmt: skip
    where = zip(units.fed[group], spaces, strict=True)
    return m.kept(("hungry", group), depends_on, lambda: _hungry(m, group, network, where))


def _hungry(m: M, group: int, network: Net, where: Iterable[tuple[int, int]]) -> Hunger:
    """The same, told where the group's ground units are."""
    state, parts = m.state, network.part
    depends_on = (parts, state.lost_flag, vichy_is(state))
    heads, flags, fed = m.kept(("sources", group), depends_on, lambda: _sources(m, network))
    found = Hunger(heads, flags)
    # who is caught in Vichy land by the armistice has this turn to leave
    spared = fed | (stores(m) & own_land(m, group)) | control(m).held[NEUTRAL]
    powers, kinds, eats, points = state.power, state.kind, owners_of_group(state.status, group), K.stack
    bare, country = LAND & ~spared, countries(state)
    queues: dict[int, list[Eater]] = {}  # the part with the foremost unit comes first
    for unit, space in where:
        if space >= 0 and bare >> space & 1 and powers[unit] in eats:
            eater, part = (unit, country[space], points[kinds[unit]]), parts[space]
            if part in queues:
                queues[part].append(eater)
            else:
                queues[part] = [eater]
    found.cut_off = queues.pop(NOBODY, [])
    found.waiting = {part: queue_up(part, eaters, found.flags) for part, eaters in queues.items()}
    return found


def _sources(m: M, network: Net) -> tuple[set[int], dict[str, int], int]:
    """Parts of the land with a Major Flag, the parts that Minor Flags are in, and the land of the former in bits."""
    state, parts = m.state, network.part
    heads: set[int] = set()
    flags: dict[str, int] = {}
    fed = 0
    for space in _FLAGGED:
        part = parts[space]
        flag = flag_at(state, space) if part >= 0 else NO_FLAG
        if flag == MAJOR_FLAG:
            heads.add(part)
            fed |= network.lands[part]
        elif flag == MINOR_FLAG:
            flags[country_of(state, space)] = part
    return heads, flags, fed


def _share(found: Fed, queue: Queue, sent: int) -> None:
    """Convoys bring the units of one part less than they lack."""
    found.missing += queue.rest - sent
    rivals = queue.rivals()
    if not queue.fed_here and sent < queue.least:
        found.unfed.update(rivals)
    elif not found.short:
        found.short = rivals


def groups(m: M) -> tuple[int, ...]:
    """The groups with a power in the war."""
    return _groups(m.state.status)


@functools.lru_cache(maxsize=1024)
def _groups(status: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted({A.group[power] for power, now in enumerate(status) if now == AT_WAR}))


def shortage(m: M, group: int, room: dict[int, int] | None = None) -> int:
    """Stack Points that would go unsupplied."""
    return assess(m, group, (), room).missing


def pushes_out(m: M, group: int, loads: Mapping[int, int]) -> bool:
    """Whether other loads on convoys would leave more units of a group without supply."""
    free = stock_of(m, group)
    if not free.hunger.awaits_convoys:
        return False
    laden = Stock(free.hunger, free.calls, {number: room - loads.get(number, 0) for number, room in free.room.items()})
    return laden.fed(()).missing > free.fed(()).missing


class SupplyCheck(Step, frozen=True, tag="supply-check"):
    """Who is Cut Off now; at the end of a turn some of them die.  [w2e-supply-none]"""

    rule = "w2e-supply-none"
    ending: bool = False
    starved: tuple[int, ...] = ()

    def fed(self, m: M) -> list[Fed]:
        """What each group gets, up to the first one whose owner has to choose."""
        found: list[Fed] | None = m.cache.get(self)
        if found is None:
            found = m.cache[self] = []
            for group in groups(m):
                found.append(self._fed(m, group))
                if found[-1].short:
                    break
        return found

    def _fed(self, m: M, group: int) -> Fed:
        """What one group gets."""
        known, powers = stocks(m), m.state.power
        stock = known.get(group)
        if stock is None:
            stock = known[group] = stock_of(m, group)
        return stock.fed(tuple([u for u in self.starved if A.group[powers[u]] == group]))

    def short(self, m: M) -> list[int]:
        return next((each.short for each in self.fed(m) if each.short), [])

    def run(self, m: M) -> None:
        state = m.state
        if self.short(m):
            return
        cut: set[int] = set()
        for each in self.fed(m):
            cut |= each.unfed
        spaces, flags = state.space, state.flags
        for unit in filled(flags):
            if flags[unit] & CUT_OFF and spaces[unit] >= 0 and unit not in cut:
                flags[unit] &= ~CUT_OFF
        for unit in cut:
            flags[unit] |= CUT_OFF
        if cut:
            m.emit(CutOff(units=names_of(state, sorted(cut))))
        m.pop()
        if self.ending:
            for unit in sorted(cut):
                self.maybe_lost(m, unit)

    def maybe_lost(self, m: M, unit: int) -> None:
        """Desert, impassable mountains and the Russian winter kill.

        [w2e-terrain-desert] [w2e-terrain-impassable-build] [w2e-winter-cutoff]
        """
        state = m.state
        space = state.space[unit]
        winter = A.side[state.power[unit]] == 0 and in_russian_winter(state, space)
        if A.terrain[space] & (DESERT | IMPASSABLE) or winter:
            rule = "w2e-winter-cutoff" if winter else "w2e-terrain-desert"
            m.emit(Lost(unit=unit_name(state, unit), power=f"@{A.powers[state.power[unit]]}", why=rule))
            remove(m, unit)

    def roles(self, m: M) -> Sequence[str]:
        units = self.short(m)
        return (A.powers[spokesman(m.state, units, A.side[m.state.power[units[0]]])],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        names = list(names_of(m.state, self.short(m)))
        return [Offer(Starve, Field("unit", "unit", OneOf(names)), rule="w2e-convoy-capacity")]

    def take(self, m: M, role: str, action: Any) -> None:
        m.replace(SupplyCheck(self.ending, (*self.starved, unit_of(m.state, action.unit))))
