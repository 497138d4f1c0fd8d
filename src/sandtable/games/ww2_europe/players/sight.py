"""A position as a planner looks at it: whose land it is, what stands there, what it is worth and who threatens it."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import Any

from sandtable.core import Action, Game, Offers, Play, SealedDice, View

from ..facts.control import control_side
from ..facts.strongpoints import flag_at
from ..facts.whereabouts import whereabouts
from ..model.actions import Done
from ..model.atlas import ATLAS, IMPASSABLE, MAJOR_FLAG, MINOR_FLAG, MOUNTAIN, NEUTRAL, WOODLAND
from ..model.kinds import AIR, GROUND
from ..model.state import AT_WAR, CUT_OFF, SURPRISED, M, W2State
from ..rules.land import march_routes
from ..rules.routes import Routes
from ..rules.strength import is_soft

A = ATLAS
K = ATLAS.kinds
CAPITAL = 150.0
"""What a Major Flag is worth to who wants to win, in dollars."""
_SEASONS = 3.0
"""For how many turns ahead an income is reckoned."""
_MINOR = 8.0
_BARE = 1.0
_FAINT = 0.05
"""Pulls below this are none."""


class Reader:
    """A position to read in: one for a whole match, so that facts that have not changed are not found again."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.play: M | None = None

    def open(self, view: View[Any]) -> M:
        """Return the view as something that the rules' own questions can be asked of. Nobody may change it."""
        if self.play is None:
            self.play = Play(self.game, view.state, SealedDice("reader"))
        self.play.state = view.state
        return self.play


def fallback(offers: Offers) -> Action:
    """Something allowed that does no harm: to be done if one may, else the first thing there is."""
    if offers[Done]:
        return Done()
    return next(iter(offers))


def paths_of(routes: Routes) -> dict[int, tuple[int, ...]]:
    """Return a cheapest path to every space in which one may stop."""
    best: dict[int, tuple[int, tuple[int, ...]]] = {routes.start: (0, ())}
    queue = [routes.start]
    for here in queue:
        spent, path = best[here]
        for there, cost in routes.links(here, spent):
            total = spent + cost
            if total <= routes.budget and (there not in best or total < best[there][0]):
                best[there] = (total, (*path, there))
                queue.append(there)
    return {space: path for space, (_, path) in best.items() if path and routes.stop(space) is None}


def names(path: Iterable[int]) -> tuple[str, ...]:
    return tuple(A.names[space] for space in path)


def rate(state: W2State, unit: int, space: int, *, defending: bool, blitz: bool = False) -> float:
    """Return the hits that a unit makes in a round of a land battle, roughly."""
    kind, flags = state.kind[unit], state.flags[unit]
    value = K.combat[kind]
    if K.cls[kind] == AIR:
        value = max(value, K.vs_ground[kind])
    elif K.cls[kind] != GROUND:
        return 0.0
    surprised = (flags & SURPRISED or (blitz and defending)) and not is_soft(state, space)
    if flags & CUT_OFF or (surprised and not K.drop[kind]):
        value = 1
    if K.cls[kind] == GROUND:
        terrain = A.terrain[space]
        if defending and K.entrench[kind]:
            value += bool(terrain & (WOODLAND | MOUNTAIN | IMPASSABLE)) + 2 * bool(state.fortress[space])
        elif K.base[kind] == K.tank and terrain & MOUNTAIN:
            value -= 1
    return K.dice[kind] * min(5, max(value, 0)) / 6


def worth(state: W2State, space: int) -> float:
    """Return what holding a land space is worth in dollars."""
    value = _BARE + _SEASONS * A.value[space]
    if A.flag[space] == MAJOR_FLAG:
        value += CAPITAL
    elif flag_at(state, space) == MINOR_FLAG:
        value += _MINOR
    return value


_CAPITALS_BESIDE = [
    [capital for capital in A.capital if any(there == capital for there, _, _ in links)] for links in A.land_links
]
"""Per space the capitals next to it."""


class Sight:
    """One position seen by one power. Nothing in it changes the match."""

    def __init__(self, m: M, power: int) -> None:
        self.m, self.power, self.side = m, power, A.side[power]
        state = self.state = m.state
        self.rows = whereabouts(state).rows
        sides, cls = A.side, K.cls
        self.ground: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
        self.air: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
        for unit, space in enumerate(state.space):
            if space < 0 or state.cargo_of[unit] >= 0 or not A.is_land[space]:
                continue
            owner = state.power[unit]
            side = sides[owner]
            if side < 0 or (owner < NEUTRAL and state.status[owner] != AT_WAR and owner != power):
                continue
            what = cls[state.kind[unit]]
            if what == GROUND:
                self.ground[side].setdefault(space, []).append(unit)
            elif what == AIR:
                self.air[side].setdefault(space, []).append(unit)
        self.holder = [control_side(state, s) if A.is_land[s] else -1 for s in range(len(A.names))]
        self._reach: dict[tuple[int, int], dict[int, tuple[int, ...]]] = {}
        self._threat: dict[int, float] | None = None
        self._keep: dict[int, float] = {}
        self.far: dict[int, float] = {}
        """Per capital what was found to threaten it from afar."""

    def reach(self, unit: int) -> dict[int, tuple[int, ...]]:
        """Return where a ground unit can march, and how; others of its kind beside it can do the same."""
        key = (self.state.space[unit], self.state.kind[unit])
        found = self._reach.get(key)
        if found is None:
            found = self._reach[key] = paths_of(march_routes(self.m, unit))
        return found

    def foes(self, space: int) -> list[int]:
        """Return the enemies who would defend a land space."""
        other = 1 - self.side
        return [*self.ground[other].get(space, ()), *self.air[other].get(space, ())]

    def mine(self, space: int) -> list[int]:
        return [*self.ground[self.side].get(space, ()), *self.air[self.side].get(space, ())]

    @property
    def threat(self) -> Mapping[int, float]:
        """Per land space the hits in a round of the enemies who could come there next."""
        if self._threat is None:
            self._threat = self._threats()
        return self._threat

    def _threats(self) -> dict[int, float]:
        state, found = self.state, dict[int, float]()
        for space, units in self.ground[1 - self.side].items():
            slow = fsum(rate(state, u, space, defending=False) for u in units if K.movement[state.kind[u]] < 2)
            fast = fsum(rate(state, u, space, defending=False) for u in units if K.movement[state.kind[u]] > 1)
            near = {there for there, _, _ in A.land_links[space]}
            found[space] = found.get(space, 0.0) + slow + fast
            for there in near:
                found[there] = found.get(there, 0.0) + slow + fast
            if fast:
                wide = {t for s in near for t, _, _ in A.land_links[s]} - near - {space}
                for there in wide:
                    found[there] = found.get(there, 0.0) + fast * 0.5
        for space, units in self.air[1 - self.side].items():
            hits = fsum(rate(state, u, space, defending=False) for u in units)
            near = {there for there, _, _ in A.land_links[space]} | {space}
            for there in near:
                if there in found:
                    found[there] += 0.5 * hits
        return found

    def strength(self, space: int) -> float:
        """Return the hits of the own side's defenders in a round."""
        return sum(rate(self.state, u, space, defending=True) for u in self.mine(space))

    def keep(self, space: int) -> float:
        """Return what losing a space of one's own would cost; what lies in front of a capital counts too."""
        value = self._keep.get(space)
        if value is None:
            value = worth(self.state, space)
            for capital in _CAPITALS_BESIDE[space]:
                if self.holder[capital] == self.side:
                    value += CAPITAL / 8
            self._keep[space] = value
        return value


def spread(goals: Mapping[int, float], shut: Sequence[bool], fade: float = 0.72) -> dict[int, float]:
    """Return the pull of goals over land: each fades with every step, and the strongest counts."""
    pull: dict[int, float] = {}
    queue = [(-weight, goal) for goal, weight in goals.items()]
    heapq.heapify(queue)
    while queue:
        weight, here = heapq.heappop(queue)
        if here in pull:
            continue
        pull[here] = -weight
        if -weight * fade > _FAINT:
            for there, _, _ in A.land_links[here]:
                if there not in pull and not shut[there]:
                    heapq.heappush(queue, (weight * fade, there))
    return pull
