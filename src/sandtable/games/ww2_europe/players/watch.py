"""The colonel's war on land: capitals are manned against what can come, and troops stand by one another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum
from typing import ClassVar

from ..facts.access import sea_net
from ..facts.control import is_friend
from ..facts.convoys import end_ports
from ..facts.roster import roster
from ..model.atlas import ATLAS
from ..model.state import AT_WAR, IN_CONVOY, W2State
from ..rules.sea import SHIP_RADIUS
from .campaign import CAPTAIN, PACT, Campaign, Doctrine, far_threat, screen
from .chances import Chances
from .sight import Sight, rate

A = ATLAS
K = ATLAS.kinds
_STACK = 10
"""Stack Points that fit into one space."""
_PER_HIT = 2.0
"""Stack Points of infantry that answer one hit in a round of those who come overland,"""
_PER_LANDER = 0.9
"""and one lander: the beach helps."""
_LEAST = 1
"""What always stays in a capital,"""
_SHIELDED = 3.0
"""and what is enough behind an army twice as strong as those who threaten it from afar."""
_EXTRA = 3
"""Stack Points more that a capital wants which is to be held before anything else."""
_FILL = 60.0
"""What a body is worth that a capital still needs."""
_BULWARK = 1.5
"""How much rather those who entrench stand there."""
_SHARE = 0.6
"""Of all who could come to a place so much does come."""
_MOST_HITS = 9.0
_ALONE = 0.9
"""The share of the enemy's troops below which the Soviets are outnumbered."""
_COVER = 8.0
"""What each point of a plane's fire is worth over a capital in danger."""


def transports_near(state: W2State, side: int, target: int) -> dict[int, list[int]]:
    """Return the transports of a side that could land troops on a coast next season, by the port they start from.

    Those in convoys count too: they may leave them before.
    """
    found = dict[int, list[int]]()
    waters = [w for w in A.coast[target] if not A.is_port[w]]
    for power in A.side_powers[side]:
        if state.status[power] != AT_WAR:
            continue
        ships = [u for u in roster(state).naval[power] if state.kind[u] == K.transport]
        near = [sea_net(state, power).reach(w, SHIP_RADIUS) for w in waters if ships]
        for unit in ships:
            for port in start_ports(state, unit):
                if any(port in reach for reach in near):
                    found.setdefault(port, []).append(unit)
                    break
    return found


def start_ports(state: W2State, unit: int) -> tuple[int, ...]:
    """Return where a transport could begin the next season."""
    if state.space[unit] >= 0:
        return (state.space[unit],)
    if state.space[unit] != IN_CONVOY:
        return ()
    line = next((c for c in state.convoys if c.number == state.convoy[unit]), None)
    return tuple(end_ports(state, line)) if line is not None else ()


def landers(state: W2State, side: int, target: int) -> int:
    """Return how many units the enemy could bring over the sea to a coast next season."""
    if not A.coast[target]:
        return 0
    ships = sum(len(units) for units in transports_near(state, side, target).values())
    return min(ships, _STACK)


def garrison(sight: Sight, capital: int) -> int:
    """Return the Stack Points that a capital of the own side wants."""
    overland = far_threat(sight, capital) * _PER_HIT
    if overland > _SHIELDED and not outnumbered(sight):
        excess = screen(sight, capital) / far_threat(sight, capital) - 1.0
        near = sight.threat.get(capital, 0.0) * _PER_HIT
        overland = max(_SHIELDED, near, overland * (1.0 - min(1.0, max(0.0, excess))))
    if overland >= _STACK:
        return _STACK
    afloat = landers(sight.state, 1 - sight.side, capital) * _PER_LANDER
    if afloat:
        afloat += 1
    return min(_STACK, max(_LEAST, round(max(overland, afloat))))


class Watch(Campaign):
    """A campaign that keeps its capitals first."""

    wary: ClassVar[float] = 0.25
    """How much less those who are outnumbered are drawn to their goals."""
    care: ClassVar[float] = 0.9
    """How much of their price those count whom a unit helps to stay where they are."""
    fear: ClassVar[float] = 0.0
    """How much a unit counts what it may lose itself: nothing, for else nobody goes forward first, and no army gathers
    before the enemy."""
    wings: ClassVar[int] = 8
    """How many planes a capital in danger wants over it."""
    ambition: ClassVar[float] = 0.0
    """How much it counts for a landing where the coast leads to."""
    many: ClassVar[int] = 5
    """As long as an enemy capital lies by the sea, fewer transports do not sail elsewhere."""
    massed: ClassVar[bool] = False
    """Whether fewer do not sail at any time."""

    def __init__(
        self, sight: Sight, ground: Iterable[int], planes: Iterable[int], chances: Chances, *, blitz: bool,
        doctrine: Doctrine = CAPTAIN,
    ) -> None:  # fmt: skip
        super().__init__(sight, ground, planes, chances, blitz=blitz, doctrine=doctrine)
        state = self.state
        self._known_company: dict[int, tuple[float, int]] = {}
        self.wanted = {c: self.garrison(c) for c in A.capital
                       if sight.holder[c] == self.side and is_friend(state, state.owner[c], sight.power)}  # fmt: skip
        for capital in self.wanted.keys() & set(doctrine.keep):
            self.wanted[capital] = min(_STACK, self.wanted[capital] + _EXTRA)

        self.lure = doctrine.lure * (self.wary if outnumbered(sight) else 1.0)
        self.planes = [u for u in self.planes if self.wanted.get(state.space[u], 0) < _STACK - 2]
        """Those over a capital in danger stay there."""

    def garrison(self, capital: int) -> int:
        """Return the Stack Points that a capital wants."""
        return garrison(self.sight, capital)

    def held(self, capital: int, without: int = -1) -> float:
        """Return the Stack Points that stay in a capital; guns and tanks count half, for they do not entrench."""
        kinds = (self.state.kind[u] for u in self.left.get(capital, ()) if u != without)
        return fsum(K.stack[kind] if K.entrench[kind] else K.stack[kind] / 2 for kind in kinds)

    def lacks(self, capital: int) -> float:
        return max(0.0, self.wanted.get(capital, 0) - self.held(capital))

    # ---- guards
    def may_leave(self, unit: int, space: int, target: int) -> bool:
        if space in self.wanted:
            if self.held(space, unit) >= self.wanted[space]:
                return True
            crowded = self.room[space] <= 1 and not K.entrench[self.state.kind[unit]]
            return crowded and self.held(space, unit) >= self.wanted[space] - 2
        return self.urgent(space, target) or super().may_leave(unit, space, target)

    def in_need(self) -> bool:
        return super().in_need() or any(self.lacks(capital) for capital in self.wanted)

    def urgent(self, here: int, space: int) -> bool:
        return (here not in self.wanted and self.lacks(space) > 0) or super().urgent(here, space)

    def man_capitals(self) -> None:
        """Before anything else the capitals get the men they want, from next door, infantry first."""
        for capital in sorted(self.wanted, key=lambda c: (-self.lacks(c), c)):
            if not self.lacks(capital):
                continue
            able = [u for u in self.free if capital in self.reach(u) and self.state.space[u] not in self.wanted]
            for unit in sorted(
                able, key=lambda u: (not K.entrench[self.state.kind[u]], K.stack[self.state.kind[u]], u)
            ):
                if not self.lacks(capital) or self.room[capital] < K.stack[self.state.kind[unit]]:
                    break
                if self.is_pledged(unit):
                    continue
                self.march(unit, self.reach(unit)[capital])

    def is_pledged(self, unit: int) -> bool:
        """Whether a unit stays where it is even if a capital wants men."""
        return False

    # ---- where to stand
    def score(self, unit: int, space: int) -> float:
        """Return what a unit is good for in a space: the way to its goals, and whom and what it helps to hold."""
        kind = self.state.kind[unit]
        found = self.lure * self.pull.get(space, 0.0)
        if self.pact_guard and self.watches(unit, space):
            found += PACT
        if space in self.wanted:
            short = self.wanted[space] - self.held(space, unit)
            if short > 0 and (K.entrench[kind] or self.wanted[space] < _STACK):
                found += _FILL * min(short, K.stack[kind]) * (_BULWARK if K.entrench[kind] else 1.0) / K.stack[kind]
            return found
        threat = self.threats.get(space, 0.0)
        if threat > 0:
            others, saved = self.company(unit, space)
            own = rate(self.state, unit, space, defending=True)
            full = self.doctrine.hold * min(threat, _MOST_HITS) * _SHARE
            before, after = holds(others / full), holds((others + own) / full)
            found += (self.keeps(space) + self.care * saved) * (after - before) - self.fear * K.cost[kind] * (
                1.0 - after
            )
        return found

    def company(self, unit: int, space: int) -> tuple[float, int]:
        """Return the hits in a round and the price of those who stay in a space beside a unit."""
        here = self.left.get(space, ())
        if unit in here:
            return self._company([u for u in here if u != unit], space)
        if space not in self._known_company:
            self._known_company[space] = self._company(here, space)
        return self._known_company[space]

    def _company(self, units: Sequence[int], space: int) -> tuple[float, int]:
        hits = fsum(rate(self.state, u, space, defending=True) for u in units)
        return hits, sum(K.cost[self.state.kind[u]] for u in units)

    def changed(self) -> None:
        super().changed()
        self._known_company.clear()

    def shelter(self, unit: int, space: int) -> float:
        """Return what a plane is good for at a base: near the goals, and over a capital in danger."""
        found = super().shelter(unit, space)
        if self.bare(space, unit):
            found += _COVER * max(K.vs_ground[self.state.kind[unit]], K.combat[self.state.kind[unit]])
        return found

    def bare(self, space: int, without: int = -1) -> bool:
        """Whether a capital in danger wants more planes over it."""
        planes = sum(u != without for u in self.sight.air[self.side].get(space, ()))
        return self.wanted.get(space, 0) >= _STACK - 2 and planes < self.wings

    def stays(self, space: int) -> bool:
        """Whether those in a space are needed there too much to go aboard."""
        return False

    def tempting(self, capital: int) -> bool:
        """Whether an enemy capital by the sea is worth getting ready for."""
        return True

    def beachhead(self, target: int, force: Sequence[int]) -> float:
        """Return what a coast is worth to those who land there beside the land itself."""
        return 0.0

    def unshielded(self) -> int:
        """Return how many more fighters are wanted over factories."""
        return 0


def outnumbered(sight: Sight) -> bool:
    """Whether the enemies of a power that fights alone on its front have more troops than it."""
    if sight.power != A.ussr:
        return False
    kinds = sight.state.kind
    ours, theirs = (
        sum(K.combat[kinds[u]] for p in powers for u in roster(sight.m.state).ground[p] if sight.state.space[u] >= 0)
        for powers in ((sight.power,), A.side_powers[1 - sight.side])
    )
    return ours < _ALONE * theirs


def holds(share: float) -> float:
    """Return the chance to hold with such a share of the enemy's strength."""
    return share * share / (1.0 + share * share)
