"""6.4.5 Reaction, 6.4.6 Reserves and the land reaction to invasions (6.5.4): who may come to which battle."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sandtable.core import Action, Refusal
from sandtable.core.columns import put

from ..facts.attacks import front, is_blitz, is_pinned
from ..facts.command import naval_leaders, reserve_commander
from ..facts.ground import is_friendly
from ..facts.politics import acting
from ..facts.reach import sea_distance
from ..facts.relief import in_reach, near_attacks
from ..model.actions import React, Reserve
from ..model.atlas import AIR, ATLAS, INF, MAJORS, TF, bits_of, label, name
from ..model.state import FOUGHT, MOVED, STATIONED, BKState, enemy_side, has_enemy, move_unit, side_of
from .flying import not_found
from .movement import on_board, one_combat
from .politics import why_not_enter
from .stacking import why_not_cooperate, why_not_stop


# ---- aircraft and Task Forces -------------------------------------------------------------------------------------
def react_targets(state: BKState, unit: int) -> list[int]:
    """Return the attacked spaces that an aircraft or a Task Force can come to help. [bg-6.4.5-air] [bg-6.4.5-overfly]
    [bg-6.4.5-tf] [bg-6.4.5-tf-land-only] [bg-6.7-support]"""
    if why_not_react(state, unit) is not None:
        return []
    near = in_reach(state, unit, front(state).spaces)
    return [s for s in near if why_not_help(state, unit, s) is None]


def why_not_react(state: BKState, unit: int) -> Refusal | None:
    """Refuse an aircraft or Task Force that is busy elsewhere or pinned."""
    if state.mission[unit] >= 0 or state.flags[unit] & (MOVED | STATIONED | FOUGHT):
        return one_combat(unit)
    if state.carrier[unit] >= 0:
        return on_board(unit)
    if is_pinned(state, unit):
        return Refusal("bg-10.1-pin-number", "pinned", unit=label(unit))
    return None


def why_not_help(state: BKState, unit: int, space: int) -> Refusal | None:
    """Refuse a battle that an aircraft or Task Force may not join. [bg-6.4.3e-air-help] [bg-card-blitzkrieg]
    [bg-8.4-be-france]"""
    if not _fights_there(state, state.nation[unit], space):
        return Refusal("bg-8.4-dow", "not-at-war-there", space=name(space))
    if ATLAS.is_sea[space]:
        if ATLAS.type[unit] == TF:
            return Refusal("bg-6.4.5-tf-land-only", "tf-land-only")
        if space in state.sea_battles and not state.sea_battles[space] & 2:
            return not_found(space)
    elif ATLAS.type[unit] == AIR and is_blitz(state, space):
        return Refusal("bg-card-blitzkrieg", "blitzkrieg", space=name(space))
    return why_not_cooperate(state, unit, space)


def _fights_there(state: BKState, nation: int, space: int) -> bool:
    """Whether a nation is at war with any of those who attack a space. [bg-8.4-dow]"""
    return bool(state.war[nation] & front(state).nations.get(space, 0))


# ---- reserves -----------------------------------------------------------------------------------------------------
def reserve_targets(state: BKState, unit: int) -> list[int]:
    """Return the attacked areas that a land unit may reinforce, as a reserve or from next door against an invasion.
    [bg-6.4.6-reserve] [bg-6.4.6-range] [bg-6.4.6-path] [bg-6.4.6-hq-goes] [bg-6.5.4-land-reaction]
    [bg-6.5.4-land-reaction-empty] [bg-6.5.4-usual-reaction]"""
    spaces = front(state).on_land
    if not spaces or not ATLAS.is_land[unit] or state.flags[unit] & (MOVED | FOUGHT) or state.carrier[unit] >= 0:
        return []
    start, foot = state.place[unit], ATLAS.type[unit] == INF
    beside = ATLAS.land_next[start]
    near = [
        s
        for s in spaces
        if s in beside or (not foot and s != start and any(mid in beside for mid in ATLAS.land_next[s]))
    ]
    if not near or is_pinned(state, unit):
        return []
    return [space for space in near if why_not_reserve(state, unit, space) is None]


def why_not_send(state: BKState, unit: int) -> Refusal | None:
    """Refuse a land unit that may not move as a reserve at all. [bg-10.1-pin] [bg-10.1-pin-reserves]
    [bg-6.4.6-reserve]"""
    if state.flags[unit] & (MOVED | FOUGHT):
        return one_combat(unit)
    if state.carrier[unit] >= 0:
        return on_board(unit)
    if is_pinned(state, unit):
        return Refusal("bg-10.1-pin-reserves", "pinned", unit=label(unit))
    if ATLAS.is_hq[unit] or reserve_commander(state, unit) >= 0:
        return Refusal("bg-6.4.6-range", "nothing-in-reach", unit=label(unit))
    return Refusal("bg-6.4.6-reserve", "no-hq", unit=label(unit))


def why_not_reserve(state: BKState, unit: int, space: int) -> Refusal | None:
    """Refuse an area to which a land unit may not come as a reserve. [bg-1.2-desert] [bg-1.1-stack-limit]
    [bg-6.4.6-reserve] [bg-6.4.6-range] [bg-6.4.6-path] [bg-card-blitzkrieg]"""
    nation, beside = state.nation[unit], ATLAS.land_next[state.place[unit]]
    if not is_friendly(state, nation, space):
        return why_not_enter(state, nation, space) or Refusal("bg-6.4.6-reserve", "not-friendly", space=name(space))
    if not _fights_there(state, nation, space):
        return Refusal("bg-8.4-dow", "not-at-war-there", space=name(space))
    refused = why_not_stop(state, unit, space) or why_not_enter(state, nation, space)
    if refused is not None or (space in beside and space in state.invasions):
        return refused
    if is_blitz(state, space):
        return Refusal("bg-card-blitzkrieg", "blitzkrieg", space=name(space))
    if not ATLAS.is_hq[unit] and reserve_commander(state, unit) < 0:
        return Refusal("bg-6.4.6-reserve", "no-hq", unit=label(unit))
    if space in beside:
        return None
    ways = [] if ATLAS.type[unit] == INF else [mid for mid in ATLAS.land_next[space] if mid in beside]
    if not ways:
        far = ATLAS.range[unit]
        return Refusal("bg-6.4.6-range", "out-of-range", unit=label(unit), space=name(space), range=far)
    if any(is_friendly(state, nation, mid) and not has_enemy(state, nation, mid) for mid in ways):
        return None
    return Refusal("bg-6.4.6-path", "no-friendly-way", space=name(space))


def naval_reserve_targets(state: BKState, unit: int) -> list[int]:
    """Return the attacked zones that a ship in the zone of a Naval HQ at sea may sail into. [bg-6.4.6-naval-hq-sea]
    [bg-10.1-pin-naval-reserves]"""
    if not ATLAS.is_ship[unit] or state.flags[unit] & (MOVED | FOUGHT) or state.mission[unit] >= 0:
        return []
    if (state.place[unit], side_of(state, unit)) not in naval_leaders(state) or is_pinned(state, unit):
        return []
    reach, nation = ATLAS.range[unit], state.nation[unit]
    return [
        z for z in state.sea_battles
        if z != state.place[unit] and sea_distance(state, unit, z, reach) <= reach and _fights_there(state, nation, z)
    ]  # fmt: skip


# ---- all of it ----------------------------------------------------------------------------------------------------
class Answers:
    """What the units of the other side can do about the attacks: asked for one major after the other."""

    def __init__(self, state: BKState) -> None:
        self.state = state
        self.on_land = bits_of(front(state).on_land)
        self.by_sea = bool(state.sea_battles) and bool(naval_leaders(state))
        self.near = near_attacks(state, front(state).spaces, self.on_land, self.by_sea)
        self._helped: dict[tuple[int, int, int], bool] = {}
        self._reserves: dict[tuple[int, ...], list[int]] = {}

    def of(self, major: int) -> Iterator[tuple[type[Action], int, list[int]]]:
        """Yield the moves of a major's units, with the spaces each could come to."""
        state, flags = self.state, self.state.flags
        for unit, reached in self.near.get(major, ()):
            if flags[unit] & (MOVED | STATIONED):
                continue
            if ATLAS.is_land[unit]:
                spaces = self._reserve(unit)
                if spaces:
                    yield Reserve, unit, spaces
                continue
            spaces = [s for s in reached if self._may_help(unit, s)]
            if spaces and why_not_react(state, unit) is None:
                yield React, unit, spaces
            if self.by_sea and ATLAS.is_ship[unit]:
                spaces = naval_reserve_targets(state, unit)
                if spaces:
                    yield Reserve, unit, spaces

    def _may_help(self, unit: int, space: int) -> bool:
        """Found once for all units of a nation and a type."""
        key = (self.state.nation[unit], ATLAS.type[unit], space)
        known = self._helped.get(key)
        if known is None:
            known = self._helped[key] = why_not_help(self.state, unit, space) is None
        return known

    def _reserve(self, unit: int) -> list[int]:
        """Found once for all units that are alike in a place."""
        state, start, kind = self.state, self.state.place[unit], ATLAS.type[unit]
        if not (ATLAS.one_march[start] if kind == INF else ATLAS.two_marches[start]) & self.on_land:
            return []
        key = (state.nation[unit], start, kind, state.flags[unit] & FOUGHT, state.start[unit])
        known = self._reserves.get(key)
        if known is None:
            known = self._reserves[key] = reserve_targets(state, unit)
        return known


def reacting(state: BKState, done: Collection[str]) -> list[int]:
    """Return the majors of the other side that can do anything about the attacks, but for those that are done."""
    if not front(state).spaces:
        return []
    enemies = acting(state, enemy_side(state.phasing))
    majors = [n for n in enemies if state.war[n] and MAJORS[n] not in done]
    answers = Answers(state) if majors else None
    return [n for n in majors if answers is not None and next(answers.of(n), None) is not None]


def take_reserve(state: BKState, unit: int, to: int) -> None:
    """Move a reserve; its commander has one command less, but for a unit from next door against an invasion."""
    start = state.place[unit]
    free = to in state.invasions and to in ATLAS.land_next[start]
    hq = -1
    if ATLAS.is_ship[unit]:
        at_sea = (hq for hq in ATLAS.naval_rating if state.carrier[hq] >= 0 and state.place[hq] == start)
        hq = next(at_sea, -1)
    elif not ATLAS.is_hq[unit] and not free:
        hq = reserve_commander(state, unit)
    if hq >= 0:
        state.spent = put(state.spent, hq, state.spent[hq] + 1)
    move_unit(state, unit, to)
