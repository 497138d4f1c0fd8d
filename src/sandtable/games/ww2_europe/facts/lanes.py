"""Nets of sea and air lanes: which ones are open when certain spaces and straits are shut, and how far they lead."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from itertools import groupby

from ..model.atlas import ATLAS

Row = tuple[tuple[int, tuple[int, ...]], ...]
"""The spaces that may be entered next, after what that costs: nearly everywhere it is one point for all of them."""
_MOST_NETS, _ALIKE = 256, 16
_MOST_WAYS = 20_000
A = ATLAS
_SPACES = len(A.names)
NO_TOLLS = (0,) * _SPACES
_PORTS, _LAND = frozenset(A.ports), frozenset(A.land)
_COASTS = tuple(frozenset(lands) for lands in A.coast)
GATES = tuple(dict.fromkeys(gate for row in A.sea_links for _, _, gate in row if gate))
"""Straits and canals: the land that commands each."""
_GATE_BANKS = tuple(sum(1 << land for land in gate) for gate in GATES)
_ALL_BANKS = sum(1 << land for land in {land for gate in GATES for land in gate})
PORTS = sum(1 << port for port in A.ports)
LAND = sum(1 << land for land in A.land)
"""All ports and all land, as sets of bits."""


# ---- what is shut, as a set of bits: the spaces that may not be entered (bit n is space n), above them the ports that
# ---- may not be left, above those the gates
def shut_exits(ports: int) -> int:
    """Return ports that may not be left."""
    return ports << _SPACES


def shut_gates(banks: int) -> int:
    """The gates with one of these lands as a bank."""
    return _gates_on(banks & _ALL_BANKS)


@functools.lru_cache(maxsize=1024)
def _gates_on(banks: int) -> int:
    return sum(1 << (2 * _SPACES + number) for number, gate in enumerate(_GATE_BANKS) if gate & banks)


_GATE_BITS = {gate: 1 << (2 * _SPACES + number) for number, gate in enumerate(GATES)}


_BITS = tuple(1 << number for number in range(2 * _SPACES + len(GATES)))


def spaces_in(bits: int) -> list[int]:
    """The numbers of the bits that are set, the lowest first."""
    found: list[int] = []
    while bits:  # from the highest down: what is left gets shorter
        number = bits.bit_length() - 1
        found.append(number)
        bits ^= _BITS[number]
    found.reverse()
    return found


def in_row(lanes: Iterable[tuple[int, int]]) -> Row:
    """Lanes, given as where they lead and what they cost, put together where those that follow cost the same."""
    return tuple((cost, tuple(there for there, _ in alike)) for cost, alike in groupby(lanes, key=lambda lane: lane[1]))


class Chart:
    """All lanes of one kind, at sea or in the air, and what of them is left when some are shut.

    What it remembers depends on the map and on what is shut alone.
    """

    def __init__(self, links: tuple[tuple[tuple[int, int, tuple[int, ...]], ...], ...]) -> None:
        self.links = links
        self.near = tuple(
            sum(1 << there for there in {there for there, _, _ in row})
            | shut_exits(1 << here)
            | sum(_GATE_BITS[gate] for gate in {gate for _, _, gate in row if gate})
            for here, row in enumerate(links)
        )
        """Per space all that can shut a lane out of it."""
        self.leaf = tuple(self._is_leaf(row) for row in links)
        """Per space whether all its neighbours are next to each other: no cheapest way leads through it."""
        self._rows: list[dict[int, Row]] = [{} for _ in links]
        self._open = Net(self, 0, [in_row((there, cost) for there, cost, _ in row) for row in links])
        self._behind: list[list[int]] = [[] for _ in _BITS]
        """Per thing that can be shut the spaces out of which a lane is then shut."""
        for here, near in enumerate(self.near):
            for bit in spaces_in(near):
                self._behind[bit].append(here)
        self._nets: dict[int, Net] = {0: self._open}
        self._ways: dict[tuple[int, int, int], Reach] = {}
        self._around: dict[tuple[int, int], int] = {}

    def _is_leaf(self, row: Sequence[tuple[int, int, tuple[int, ...]]]) -> bool:
        free = {(here, there): cost for here, _, _ in row for there, cost, gate in self.links[here] if not gate}
        return all(
            free.get((here, there), way + more + 1) <= way + more
            for here, way, _ in row for there, more, _ in row if there != here
        )  # fmt: skip

    def net(self, shut: int) -> Net:
        """Return the lanes that are left when these things are shut."""
        found = self._nets.get(shut)
        if found is None:
            if len(self._nets) >= _MOST_NETS:
                self._nets.clear()
            found = self._nets[shut] = Net(self, shut, self._lanes(shut))
        return found

    def _lanes(self, shut: int) -> list[Row]:
        """Return per space the lanes that are left; what a net like it has is taken over."""
        latest = [*self._nets.values()][-_ALIKE:]
        like = min(latest, key=lambda net: (net.shut ^ shut).bit_count(), default=self._open)
        lanes = [*like.lanes]
        others: set[int] = set()
        for bit in spaces_in(like.shut ^ shut):
            others.update(self._behind[bit])
        for here in others:
            local = shut & self.near[here]
            row = self._rows[here].get(local)
            lanes[here] = self._row(here, local) if row is None else row
        return lanes

    def _row(self, here: int, shut: int) -> Row:
        """Return the lanes out of a space when these things around it are shut."""
        lanes = [
            (there, cost) for there, cost, gate in self.links[here]
            if not shut >> there & 1 and not (gate and shut & _GATE_BITS[gate])
        ]  # fmt: skip
        row = self._rows[here][shut] = () if shut & shut_exits(1 << here) else in_row(lanes)
        return row

    def around(self, start: int, budget: int) -> int:
        """Return all that can shut a lane on the way from a space within a budget."""
        found = self._around.get((start, budget))
        if found is None:
            found = 0
            for space in spread(self.net(0), start, budget):
                found |= self.near[space]
            self._around[start, budget] = found
        return found

    def reach(self, net: Net, start: int, budget: int) -> Reach:
        """Return the cheapest ways from a space: the same wherever the same things are shut around it."""
        key = (start, budget, net.shut & self.around(start, budget))
        found = self._ways.get(key)
        if found is None:
            if len(self._ways) >= _MOST_WAYS:
                self._ways.clear()
            found = self._ways[key] = spread(net, start, budget)
        return found


class Reach(dict[int, int]):
    """Points to every space within a budget, and how one gets there."""

    __slots__ = ("_lands", "_ports", "_shores", "came", "start")

    def __init__(self, start: int) -> None:
        self[start] = 0
        self.start = start
        self.came: dict[int, int] = {}
        """Per space the one before it on the way there."""
        self._shores: frozenset[int] | None = None
        self._ports: list[int] | None = None
        self._lands: list[int] | None = None

    def path(self, goal: int) -> tuple[int, ...]:
        """Return a cheapest path, start included."""
        path, came = [goal], self.came
        while path[-1] in came:
            path.append(came[path[-1]])
        return tuple(reversed(path))

    @property
    def ports(self) -> list[int]:
        """The ports reached, besides the start."""
        if self._ports is None:
            self._ports = self._besides_start(_PORTS)
        return self._ports

    @property
    def lands(self) -> list[int]:
        """The land reached, besides the start."""
        if self._lands is None:
            self._lands = self._besides_start(_LAND)
        return self._lands

    def _besides_start(self, wanted: frozenset[int]) -> list[int]:
        found = list(filter(wanted.__contains__, self))
        return found[1:] if self.start in wanted else found  # the start comes first of all

    @property
    def shores(self) -> frozenset[int]:
        """Land on the coasts of what is reached."""
        if self._shores is None:
            self._shores = frozenset().union(*[_COASTS[water] for water in self])
        return self._shores


def spread(net: Net, start: int, budget: int, tolls: Sequence[int] = NO_TOLLS, within: int | None = None) -> Reach:
    """Cheapest ways from a space: a lane costs its points and the toll of leaving a space.

    Who needs but those within so many points, though more could be spent, must not look at others that are found.
    """
    points = Reach(start)
    least = [budget + 1] * _SPACES
    """Points to each space: more than there are where it is not reached."""
    least[start] = 0
    came, leaf, lanes = points.came, net.chart.leaf, net.lanes
    due: list[list[int]] = [[] for _ in range(budget + 1)]
    due[0].append(start)
    for spent in range(budget if within is None else within):  # from where all is spent nothing leads on
        for here in due[spent]:
            if least[here] != spent:
                continue
            base = spent + tolls[here]
            for cost, near in lanes[here] if base < budget else ():
                total = base + cost
                for there in near:
                    if total < least[there]:
                        least[there] = points[there] = total
                        came[there] = here
                        if not leaf[there]:
                            due[total].append(there)
    return points


class Net:
    """The lanes that are open when certain things are shut."""

    __slots__ = ("chart", "lanes", "shut")

    def __init__(self, chart: Chart, shut: int, lanes: Sequence[Row]) -> None:
        self.chart, self.shut = chart, shut
        self.lanes = lanes
        """Per space the lanes out of it."""

    def reach(self, start: int, budget: int) -> Reach:
        """Return the cheapest ways from a space within a budget."""
        return self.chart.reach(self, start, budget)


SEA_CHART = Chart(A.sea_links)
AIR_CHART = Chart(tuple(tuple((there, cost, ()) for there, cost in row) for row in A.air_links))
