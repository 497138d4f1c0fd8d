"""A position as a planner looks at it: whose land it is, what stands there, what it is worth and who threatens it."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from math import fsum
from typing import Any

from sandtable.core import Action, Game, Offers, Play, SealedDice, View
from sandtable.core.columns import changes
from sandtable.core.facts import fact

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
_MANY = 40
"""Above so many changes the stacks of a side are counted from scratch."""


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


def paths_of(routes: Routes, among: Container[int] = range(len(A.names))) -> dict[int, tuple[int, ...]]:
    """Return a cheapest path to every space in which one may stop, or to those of them that are asked for."""
    best: dict[int, tuple[int, tuple[int, ...]]] = {routes.start: (0, ())}
    queue = [routes.start]
    for here in queue:
        spent, path = best[here]
        for there, cost in routes.links(here, spent):
            total = spent + cost
            if total <= routes.budget and (there not in best or total < best[there][0]):
                best[there] = (total, (*path, there))
                queue.append(there)
    return {space: path for space, (_, path) in best.items() if path and space in among and routes.stop(space) is None}


def names(path: Iterable[int]) -> tuple[str, ...]:
    return tuple(A.names[space] for space in path)


_COVER = WOODLAND | MOUNTAIN | IMPASSABLE
_WEAK = CUT_OFF | SURPRISED


def _hits(kind: int, value: int, terrain: int, walls: int, *, defending: bool) -> float:
    """Return the hits in a round of a unit with a combat value; ships make none."""
    if K.cls[kind] == GROUND:
        if defending and K.entrench[kind]:
            value += bool(terrain & _COVER) + 2 * bool(walls)
        elif K.base[kind] == K.tank and terrain & MOUNTAIN:
            value -= 1
    elif K.cls[kind] != AIR:
        return 0.0
    return K.dice[kind] * min(5, max(value, 0)) / 6


_VALUE = tuple(max(a, b) if c == AIR else a for a, b, c in zip(K.combat, K.vs_ground, K.cls, strict=True))


def _table(walls: int, *, defending: bool) -> tuple[tuple[float, ...], ...]:
    rows = {
        terrain: tuple(_hits(kind, value, terrain, walls, defending=defending) for kind, value in enumerate(_VALUE))
        for terrain in set(A.terrain)
    }
    return tuple(rows[terrain] for terrain in A.terrain)


_ATTACK = _table(0, defending=False)
"""Per space and kind the hits in a round of who attacks there at full strength,"""
_DEFENCE = tuple(_table(walls, defending=True) for walls in (0, 1))
"""and of who defends it, without walls and with them."""


def rate(state: W2State, unit: int, space: int, *, defending: bool, blitz: bool = False) -> float:
    """Return the hits that a unit makes in a round of a land battle, roughly."""
    kind, flags = state.kind[unit], state.flags[unit]
    walls = bool(state.fortress[space])
    if flags & _WEAK or (blitz and defending):
        surprised = (flags & SURPRISED or (blitz and defending)) and not is_soft(state, space)
        if flags & CUT_OFF or (surprised and not K.drop[kind]):
            return _hits(kind, 1, A.terrain[space], walls, defending=defending)
    return _DEFENCE[walls][space][kind] if defending else _ATTACK[space][kind]


def worth(state: W2State, space: int) -> float:
    """Return what holding a land space is worth in dollars."""
    value = _BARE + _SEASONS * A.value[space]
    if A.flag[space] == MAJOR_FLAG:
        value += CAPITAL
    elif flag_at(state, space) == MINOR_FLAG:
        value += _MINOR
    return value


_NEAR = tuple(tuple(sorted({there for there, _, _ in links} - {space})) for space, links in enumerate(A.land_links))
"""Per space those one step away by land,"""
_WIDE = tuple(tuple(sorted({t for s in near for t in _NEAR[s]} - {*near, space})) for space, near in enumerate(_NEAR))
"""and those two steps away."""
_CAPITALS_BESIDE = [
    [capital for capital in A.capital if any(there == capital for there, _, _ in links)] for links in A.land_links
]
"""Per space the capitals next to it."""


class Force:
    """Who of a side stands where on land, as far as its powers are in the war; what follows is worked out once."""

    __slots__ = ("air", "far", "ground", "near", "threat")

    def __init__(self, ground: dict[int, list[int]], air: dict[int, list[int]]) -> None:
        self.ground, self.air = ground, air
        """Per land space the ground units and the planes."""
        self.threat: dict[int, float] | None = None
        """Per land space the hits in a round of those who could come there next."""
        self.far: dict[int, float] = {}
        """Per capital of the enemy what threatens it from afar,"""
        self.near: dict[int, float] = {}
        """and per capital of its own what stands around it, both in hits in a round."""


def _force_of(side: int) -> Callable[[W2State], Force]:
    """Return the fact of what a side has on land."""

    def moved(s: W2State, before: tuple[Any, ...], value: Force) -> Force | None:
        """Return the force after some of it moved; as it is where nobody on land has changed."""
        spaces, kinds, powers, aboard, flags, status, *walls = before
        known = len(spaces)
        if len(s.space) < known or s.status is not status:
            return None
        now = (s.space, s.kind, s.power, s.cargo_of, s.flags)
        units = {u for old, new in zip(before, now, strict=False) for u in changes(old, new)}
        if len(units) > _MANY:
            return None
        touched: set[int] = set()
        for unit in (*units, *range(known, len(s.space))):
            here = s.space[unit] if A.side[s.power[unit]] == side else -1
            there = spaces[unit] if unit < known and A.side[powers[unit]] == side else -1
            if here != there or (
                here >= 0
                and (s.kind[unit], s.power[unit], s.cargo_of[unit], s.flags[unit] & _WEAK)
                != (kinds[unit], powers[unit], aboard[unit], flags[unit] & _WEAK)
            ):
                touched.update(space for space in (here, there) if space >= 0 and A.is_land[space])
        if not touched and all(new is old for new, old in zip((s.lost_flag, s.fortress, s.depot), walls, strict=True)):
            return value
        force = Force(value.ground.copy(), value.air.copy())
        for space in touched:
            force.ground.pop(space, None)
            force.air.pop(space, None)
        _fill(s, side, force, sorted(touched))
        return force

    @fact("space", "kind", "power", "cargo_of", "flags", "status", "lost_flag", "fortress", "depot", update=moved)
    def force(s: W2State) -> Force:
        return _fill(s, side, Force({}, {}), A.land)

    return force


def _fill(s: W2State, side: int, force: Force, spaces: Iterable[int], besides: int = -1) -> Force:
    """Add those in some land spaces who belong to powers in the war, or to one more."""
    ours = [A.side[p] == side and (p == besides or s.status[p] == AT_WAR) for p in range(NEUTRAL)] + [False]
    stacks = {GROUND: force.ground, AIR: force.air}
    rows, kinds, owners, aboard = whereabouts(s).rows, s.kind, s.power, s.cargo_of
    for space in spaces:
        for unit in rows[space]:
            if ours[owners[unit]] and aboard[unit] < 0:
                found = stacks.get(K.cls[kinds[unit]])
                if found is not None:
                    found.setdefault(space, []).append(unit)
    return force


FORCES = (_force_of(0), _force_of(1))


@fact("owner", "status")
def holders(s: W2State) -> Sequence[int]:
    """Return per space the side that controls it; -1 for neutral land and for all water."""
    return [control_side(s, space) if A.is_land[space] else -1 for space in range(len(A.names))]


class Sight:
    """One position seen by one power. Nothing in it changes the match."""

    def __init__(self, m: M, power: int) -> None:
        self.m, self.power, self.side = m, power, A.side[power]
        state = self.state = m.state
        forces = [force(state) for force in FORCES]
        self.enemy = forces[1 - self.side]
        if state.status[power] != AT_WAR:
            forces[self.side] = _fill(state, self.side, Force({}, {}), A.land, power)
        self.own = forces[self.side]
        self.ground = [force.ground for force in forces]
        self.air = [force.air for force in forces]
        self.holder = holders(state)
        self._reach: dict[tuple[int, int], dict[int, tuple[int, ...]]] = {}
        self._keep: dict[int, float] = {}

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
        if self.enemy.threat is None:
            self.enemy.threat = self._threats()
        return self.enemy.threat

    def _threats(self) -> dict[int, float]:
        state, found = self.state, dict[int, float]()
        for space, units in sorted(self.enemy.ground.items()):
            fast = fsum(rate(state, u, space, defending=False) for u in units if K.movement[state.kind[u]] > 1)
            hits = fsum(rate(state, u, space, defending=False) for u in units if K.movement[state.kind[u]] < 2) + fast
            for there in (space, *_NEAR[space]):
                found[there] = found.get(there, 0.0) + hits
            if fast:
                for there in _WIDE[space]:
                    found[there] = found.get(there, 0.0) + fast * 0.5
        for space, units in sorted(self.enemy.air.items()):
            hits = fsum(rate(state, u, space, defending=False) for u in units)
            for there in (space, *_NEAR[space]):
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
        onward = weight * fade
        if -onward > _FAINT:
            for there in _NEAR[here]:
                if there not in pull and not shut[there]:
                    heapq.heappush(queue, (onward, there))
    return pull
