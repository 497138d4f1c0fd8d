"""Objectives: areas worth taking or holding, how much is needed there, and who had best go where."""

from __future__ import annotations

from math import fsum

import msgspec

from ..facts.ground import ENEMY_SKY, OWN_SKY, held_by
from ..facts.reach import FAR, Roads
from ..model.atlas import GERMANY, ITALY, MAJORS, USSR, bits_of
from ..model.state import CONQUERED, at_war
from .politics import designs, garrison_of, wars_to_come
from .scene import Scene

_DECAY = 0.72
"""What a march of distance leaves of an objective's pull."""
_FADES = [_DECAY**steps for steps in range(FAR)] + [0.0]
"""The same by distance."""
_TAKE, _HOLD = 1.3, 0.9
"""Power wanted per power of the enemy there, and per power that threatens."""
_REDOUBT = 0.45
"""Share of the army that stays together in the capital when all is at stake."""
_CAPITAL_GUARD, _COAST_GUARD = 0.7, 0.35
"""The least power that stays in the capital, and in a home area that could be landed at."""
_LEAST = 0.2
"""The least power wanted where anything is."""
_FIRST = 1.6
"""How much more such an area draws units to it."""
_KEPT = 0.9
"""Share of the power that threatens an area that stays in one that is to be held."""
INDUSTRY = 5
"""Production of a home area for which an enemy would land in force."""
_PRIZE_GUARD = 0.5
"""The least power that stays in such an area of the enemy's."""
_HEART, _RESERVE = 3, 1.0
"""Production of an area of a conquered major that keeps a reserve behind its coasts, and the reserve's power."""


class Goal(msgspec.Struct, gc=False, eq=False):
    """An area that draws units to it."""

    space: int
    weight: float
    demand: float
    roads: Roads
    hold: bool
    assigned: float = 0.0
    """The power that is there, or on the way."""
    bounded: bool = False
    """Whether it draws little more than it needs."""

    def pull(self, at: int) -> float:
        """How strongly it draws a unit that stands in an area."""
        demand, assigned = self.demand, self.assigned
        pull = self.weight * _FADES[self.roads[at][self.space]] * demand / (demand + assigned)
        return pull * demand / assigned if self.bounded and assigned > demand else pull

    def relieve(self, power: float) -> None:
        """So much of what threatens the area is gone."""
        self.demand = max(_LEAST, self.demand - _HOLD * power)


def guard(scene: Scene, space: int) -> float:
    """Power that must stay in an own area whatever else is going on."""
    found = scene.found
    if space in scene.doctrine.leave:
        return 0.0
    if space in scene.doctrine.keep:
        return max(_CAPITAL_GUARD, _KEPT * scene.threat(space))
    if scene.looks_ahead:
        if is_captured_industry(scene, space):
            return _PRIZE_GUARD
        if is_coast_of_fallen(scene, space):
            return _COAST_GUARD
        if is_behind_coast(scene, space):
            return _RESERVE
    if found.home_of[space] != scene.me or not scene.vital(space):
        return 0.0
    if space == scene.capital:
        return max(_CAPITAL_GUARD, redoubt(scene))
    return _COAST_GUARD if found.coast[space] and foreign_convoys(scene, found.map[space]) else 0.0


def can_spare(scene: Scene, unit: int, gone: set[int], share: float) -> bool:
    """Whether those who stay behind are enough: to guard the area, and such a share of what threatens it."""
    start = scene.state.place[unit]
    stay = [u for u in scene.friends(start) if scene.found.is_land[u] and u != unit and u not in gone]
    return scene.total(stay) >= max(share * scene.threat(start), guard(scene, start))


def redoubt(scene: Scene) -> float:
    """Power that Germany and Italy keep together in the capital once half of the home is lost: a country falls only
    with its last area."""
    state, found = scene.state, scene.found
    if not scene.looks_ahead or scene.me not in (GERMANY, ITALY) or not at_war(state, GERMANY, USSR):
        return 0.0
    homes = found.homes[scene.me]
    if 2 * sum(map(scene.friendly, homes)) > len(homes):
        return 0.0
    return _REDOUBT * scene.total(u for u in scene.mine if found.is_land[u])


def is_captured_industry(scene: Scene, space: int) -> bool:
    """Whether an area is the heart of a British home that is lost as a whole: what took it first helps to take the
    rest, for then all that was raised there is gone, and only then stays."""
    return scene.found.left[space] >= INDUSTRY and is_lost_british_home(scene, space) and is_taken(scene, space)


def is_taken(scene: Scene, space: int) -> bool:
    """Whether an area of an enemy's home is in our hands."""
    return scene.state.side[scene.found.home_of[space]] != scene.side and scene.friendly(space)


def is_coast_of_fallen(scene: Scene, space: int) -> bool:
    """Whether a landing in an area would bring a conquered major, or a lost British home, back into the war."""
    state, found = scene.state, scene.found
    home = found.home_of[space]
    return (
        0 <= home < len(MAJORS) and (state.standing[home] == CONQUERED or is_lost_british_home(scene, space))
        and state.side[home] != scene.side and bool(found.coast[space]) and scene.friendly(space)
        and foreign_convoys(scene, found.map[space])
    )  # fmt: skip


def is_behind_coast(scene: Scene, space: int) -> bool:
    """Whether an area is the heart of a conquered major at whose coasts next door an enemy could land."""
    state, found = scene.state, scene.found
    home = found.home_of[space]
    return (
        found.left[space] >= _HEART and 0 <= home < len(MAJORS) and state.standing[home] == CONQUERED
        and is_taken(scene, space) and any(is_coast_of_fallen(scene, s) for s in found.land_next[space])
    )  # fmt: skip


def is_lost_british_home(scene: Scene, space: int) -> bool:
    """Whether an area belongs to a British home country that is lost as a whole."""
    lost = scene.state.homes_lost
    return bool(lost) and any(lost >> n & 1 and space in areas for n, areas in enumerate(scene.found.british_areas))


def foreign_convoys(scene: Scene, board: int) -> bool:
    """Whether enemies on a map could land anywhere at all."""
    return scene.foreign_convoys[board]


def goals(scene: Scene) -> list[Goal]:
    """Everything worth marching for with the way there, what counts most first."""
    state, found = scene.state, scene.found
    wanted = [*designs(scene), *(wars_to_come(scene) if scene.looks_ahead else ())]
    neutral = held_by(state, bits_of(wanted))
    open_land = [*scene.open_land, *neutral]
    ways = scene.roads(open_land)
    doctrine, capital, worths = scene.doctrine, scene.capital, scene.worths
    here, ground, foe, allies, threats = state.here, scene.ground, scene.foe_table, scene.ally_table, scene.threats
    out: list[Goal] = []
    for space in open_land:
        if ground[space] == ENEMY_SKY:
            near = 0.5 * fsum([allies[here[s]] for s in found.land_next[space]])
            out.append(Goal(space, worths[space], _TAKE * foe[here[space]] + 0.5, ways, False, near))
        elif ground[space] == OWN_SKY:
            threat = max(threats[space], guard(scene, space))
            if threat <= 0 or space in doctrine.leave:
                continue
            weight = (
                0.4 + 1.1 * found.left[space] + (2.0 if found.home_of[space] >= 0 else 0.0)
                + (3.0 if space == capital else 0)
            )  # fmt: skip
            if space in doctrine.keep:
                weight *= _FIRST
            need, there = _HOLD * threat + _LEAST, allies[here[space]]
            out.append(Goal(space, doctrine.hold * weight, need, ways, True, there, scene.looks_ahead))
        else:
            owner = state.control[space]
            if owner < len(MAJORS):
                power = scene.total(u for u in state.here[space] if state.nation[u] == owner)
            else:
                power = sum(s[0] * s[2] for s in garrison_of(scene, owner, space)) / 6
            out.append(Goal(space, 0.8 * worths[space], _TAKE * power + 0.5, ways, False))
    out.sort(key=lambda goal: -goal.weight)
    return out


def best_goal(wanted: list[Goal], at: int) -> Goal | None:
    """The one that draws most, if any does."""
    best, most = None, 0.0
    distance = wanted[0].roads[at] if wanted else []
    for goal in wanted:
        weight = goal.weight
        if weight < most:
            break
        alone = weight * _FADES[distance[goal.space]]
        if alone < most:
            continue
        demand, assigned = goal.demand, goal.assigned
        pull = alone * demand / (demand + assigned)
        if assigned > demand and goal.bounded:
            pull *= demand / assigned
        if pull > most:
            best, most = goal, pull
    return best


def pull_at(wanted: list[Goal], at: int) -> float:
    """How strongly an area draws a unit in it: as the goal does that draws most."""
    best = best_goal(wanted, at)
    return best.pull(at) if best is not None else 0.0
