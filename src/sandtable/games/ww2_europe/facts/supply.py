"""Supply Sources: who is supplied over land and by convoy, and who is Cut Off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sandtable.core.facts import fact

from ..model.atlas import ATLAS, MAJOR_FLAG, MINOR_FLAG, NEUTRAL, NO_FLAG, NOBODY
from ..model.state import AT_WAR, W2State
from .control import holdings, land_of_group
from .convoys import convoy_room
from .lanes import LAND
from .roster import roster
from .strongpoints import countries, flag_at, stores
from .supply_net import free_land, parts_of, send, supply_net

A = ATLAS
K = ATLAS.kinds
FLAG_FEEDS = 10
"""Stack Points a Minor Flag supplies inside its country."""
_FLAGGED = tuple(space for space in A.land if A.flag[space] in (MAJOR_FLAG, MINOR_FLAG))
_SOURCES = ("space", "kind", "power", "owner", "status", "fortress", "depot", "lost_flag", "vichy", "patron")
"""What supply over land depends on."""
_CONVOYS = ("convoys", "convoy", "cargo_of")
"""What convoys can bring depends on these too."""


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

    __slots__ = ("eaters", "fed_here", "lacking", "part", "rest")

    def __init__(
        self, part: int, eaters: Sequence[Eater], lacking: Mapping[str, int], flags: Mapping[str, int]
    ) -> None:
        self.part, self.eaters, self.lacking = part, eaters, lacking
        """Per country what its minor flag does not give: that feeds ten Stack Points within its borders."""
        short = [country for country, lack in lacking.items() if lack > 0]
        self.rest = sum(lacking[country] for country in short)
        """What convoys have to bring."""
        self.fed_here = any(flags.get(country) == part for country in short)
        """Whether a minor flag feeds some of those who lack something."""

    def rivals(self) -> tuple[list[int], int]:
        """Return the units that lack something, and the Stack Points of the smallest of them."""
        rivals = [eater for eater in self.eaters if self.lacking[eater[1]] > 0]
        return [unit for unit, _, _ in rivals], min(points for _, _, points in rivals)

    def without(self, eater: Eater, flags: Mapping[str, int]) -> Queue | None:
        """Return the queue when one of those in it goes without; None where nobody is left."""
        _, country, points = eater
        left = [each for each in self.eaters if each is not eater]
        lacking = {**self.lacking, country: self.lacking[country] - points}
        return Queue(self.part, left, lacking, flags) if left else None


def queue_up(part: int, eaters: Sequence[Eater], flags: Mapping[str, int]) -> Queue:
    """Return those who wait in one part of the land."""
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

    def __init__(
        self, heads: set[int], flags: Mapping[str, int], waiting: dict[int, Queue], cut_off: Sequence[Eater]
    ) -> None:
        self.heads = heads
        """Parts of the land with a Major Flag."""
        self.flags = flags
        """Per country with a working Minor Flag the part that the flag is in."""
        self.waiting = waiting
        """Per part of the land those who wait."""
        self.cut_off = cut_off
        """Those to whom nothing can be brought."""

    @property
    def awaits_convoys(self) -> bool:
        """Whether any of them need what convoys bring."""
        return any(queue.rest for queue in self.waiting.values())


@fact(*_SOURCES)
def hungry(s: W2State, group: int) -> Hunger:
    """Return who needs more than the land itself gives.

    [w2e-supply-sources] [w2e-major-flag-supply] [w2e-minor-flag-supply] [w2e-fortress-supply] [w2e-depot-supply]
    """
    part, lands = parts_of(free_land(s, group))
    country = countries(s)
    heads: set[int] = set()
    flags: dict[str, int] = {}
    # who is caught in Vichy land by the armistice has this turn to leave
    spared = (stores(s) & land_of_group(s, group)) | holdings(s).held[NEUTRAL]
    for space in _FLAGGED:
        flag = flag_at(s, space) if part[space] >= 0 else NO_FLAG
        if flag == MAJOR_FLAG:
            heads.add(part[space])
            spared |= lands[part[space]]
        elif flag == MINOR_FLAG:
            flags[country[space]] = part[space]
    bare, spaces, powers, status = LAND & ~spared, s.space, s.power, s.status
    queues: dict[int, list[Eater]] = {}  # the part with the foremost unit comes first
    for unit in roster(s).fed[group]:
        space = spaces[unit]
        if space >= 0 and bare >> space & 1 and status[powers[unit]] == AT_WAR:
            queues.setdefault(part[space], []).append((unit, country[space], K.stack[s.kind[unit]]))
    cut_off = queues.pop(NOBODY, [])
    return Hunger(heads, flags, {at: queue_up(at, eaters, flags) for at, eaters in queues.items()}, cut_off)


@fact(*_SOURCES)
def _still_waiting(s: W2State, group: int, starved: tuple[int, ...]) -> tuple[dict[int, Queue], tuple[Eater, ...]]:
    """Return those who still wait when some go without, and who goes; the part with the foremost unit comes first.

    Players name those who starve one by one: each answer goes on from the one before.
    """
    hunger = hungry(s, group)
    if not starved:
        return hunger.waiting, ()
    waiting, gone = _still_waiting(s, group, starved[:-1])
    for queue in waiting.values():
        for eater in queue.eaters:
            if eater[0] == starved[-1]:
                rest = queue.without(eater, hunger.flags)
                queues = [other for other in waiting.values() if other is not queue] + ([rest] if rest else [])
                queues.sort(key=lambda each: each.eaters[0][0])
                return {each.part: each for each in queues}, (*gone, eater)
    return waiting, gone


@fact(*_SOURCES, *_CONVOYS)
def fed(s: W2State, group: int, starved: tuple[int, ...] = ()) -> Fed:
    """Return who of a group is supplied when some go without."""
    return share_out(s, group, starved, convoy_room(s, group) if hungry(s, group).awaits_convoys else {})


def share_out(s: W2State, group: int, starved: tuple[int, ...], room: Mapping[int, int]) -> Fed:
    """Return who is supplied with this room on convoys.  [w2e-convoy-capacity]"""
    (waiting, gone), hunger = _still_waiting(s, group, starved), hungry(s, group)
    found = Fed()
    for unit, _, points in (*hunger.cut_off, *gone):
        found.unfed.add(unit)
        found.missing += points
    left, calls = {**room}, supply_net(s, group).calls
    for part, queue in waiting.items():
        if queue.rest:
            sent = send(calls, left, hunger.heads, part, queue.rest)[0]
            if sent < queue.rest:
                _share(found, queue, sent)
    return found


def _share(found: Fed, queue: Queue, sent: int) -> None:
    """Convoys bring the units of one part less than they lack."""
    found.missing += queue.rest - sent
    rivals, least = queue.rivals()
    if not queue.fed_here and sent < least:
        found.unfed.update(rivals)
    elif not found.short:
        found.short = rivals


@fact("status")
def groups(s: W2State) -> tuple[int, ...]:
    """Return the groups with a power in the war."""
    return tuple(sorted({A.group[power] for power, now in enumerate(s.status) if now == AT_WAR}))


def pushes_out(s: W2State, group: int, loads: Mapping[int, int]) -> bool:
    """Whether other loads on convoys would leave more units of a group without supply."""
    if not hungry(s, group).awaits_convoys:
        return False
    laden = {number: room - loads.get(number, 0) for number, room in convoy_room(s, group).items()}
    return share_out(s, group, (), laden).missing > fed(s, group).missing
