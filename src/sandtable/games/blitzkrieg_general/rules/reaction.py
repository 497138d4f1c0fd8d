"""6.4.5 Reaction, 6.4.6 Reserves and the land reaction to invasions (6.5.4): who may come to which battle."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core import Action, Refusal
from sandtable.core.columns import put

from ..facts.attacks import attacked_spaces, attacking_nations, is_blitz, is_pinned, land_attacks, near_attacks
from ..facts.command import naval_leaders, reserve_commander
from ..facts.ground import is_friendly
from ..facts.politics import acting
from ..facts.reach import air_range, flight, sea_distance
from ..model.actions import React, Reserve
from ..model.atlas import AIR, ATLAS, INF, TF, bits_of, label, name
from ..model.state import FOUGHT, MOVED, STATIONED, BKState, enemy_side, has_enemy, move_unit, side_of
from .politics import why_not_enter
from .stacking import why_not_cooperate, why_not_stop

Moves = Iterator[tuple[type[Action], int, list[int]]]


# ---- aircraft and Task Forces -------------------------------------------------------------------------------------
def react_targets(state: BKState, unit: int) -> list[int]:
    """Return the attacked spaces that an aircraft or a Task Force can come to help. [bg-6.4.5-air] [bg-6.4.5-overfly]
    [bg-6.4.5-tf] [bg-6.4.5-tf-land-only] [bg-6.7-support]"""
    return _in_reach(state, unit, _helpable(state, unit)) if why_not_react(state, unit) is None else []


def _helpable(state: BKState, unit: int) -> list[int]:
    """Attacked spaces that a unit of this nation and type may help, wherever it is."""
    return [s for s in attacked_spaces(state) if why_not_help(state, unit, s) is None]


def _in_reach(state: BKState, unit: int, spaces: list[int]) -> list[int]:
    """Those of the spaces that an aircraft or a Task Force gets to."""
    start = state.place[unit]
    if ATLAS.type[unit] == TF:
        return [] if state.exploiting else [s for s in ATLAS.coast[start] if s in spaces]
    reached = flight(state, state.nation[unit], start, air_range(state, unit))
    out = [s for s in spaces if s in reached and s != start]
    if ATLAS.twin[start] >= 0 and ATLAS.twin[start] in spaces and ATLAS.twin[start] not in out:
        out.append(ATLAS.twin[start])
    return out


def why_not_react(state: BKState, unit: int) -> Refusal | None:
    """Refuse an aircraft or Task Force that is busy elsewhere or pinned."""
    if state.mission[unit] >= 0 or state.flags[unit] & (MOVED | STATIONED):
        return Refusal("bg-10.1-pin", "one-combat", unit=label(unit))
    if state.flags[unit] & FOUGHT and not ATLAS.is_air[unit]:
        return Refusal("bg-10.1-pin", "one-combat", unit=label(unit))
    if state.carrier[unit] >= 0:
        return Refusal("bg-1.1-air-on-convoy", "on-board", unit=label(unit))
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
            return Refusal("bg-6.4.3e-air-help", "not-found", space=name(space))
    elif ATLAS.type[unit] == AIR and is_blitz(state, space):
        return Refusal("bg-card-blitzkrieg", "blitzkrieg", space=name(space))
    return why_not_cooperate(state, unit, space)


def _fights_there(state: BKState, nation: int, space: int) -> bool:
    """Whether a nation is at war with any of those who attack a space. [bg-8.4-dow]"""
    return bool(state.war[nation] & attacking_nations(state, space))


# ---- reserves -----------------------------------------------------------------------------------------------------
def reserve_targets(state: BKState, unit: int) -> list[int]:
    """Return the attacked areas that a land unit may reinforce, as a reserve or from next door against an invasion.
    [bg-6.4.6-reserve] [bg-6.4.6-range] [bg-6.4.6-path] [bg-6.4.6-hq-goes] [bg-6.5.4-land-reaction]
    [bg-6.5.4-land-reaction-empty] [bg-6.5.4-usual-reaction]"""
    spaces = land_attacks(state)
    if not spaces or not ATLAS.is_land[unit] or state.flags[unit] & (MOVED | FOUGHT) or state.carrier[unit] >= 0:
        return []
    nation, start, foot = state.nation[unit], state.place[unit], ATLAS.type[unit] == INF
    beside = ATLAS.land_next[start]
    near = [
        s
        for s in spaces
        if s in beside or (not foot and s != start and any(mid in beside for mid in ATLAS.land_next[s]))
    ]
    if not near or is_pinned(state, unit):
        return []
    out = []
    for space in near:
        if why_not_reserve(state, unit, space) is not None:
            continue
        adjacent = space in beside
        if adjacent and space in state.invasions:
            out.append(space)
            continue
        if is_blitz(state, space) or not (ATLAS.is_hq[unit] or reserve_commander(state, unit) >= 0):
            continue
        if adjacent or any(
            mid in beside and is_friendly(state, nation, mid) and not has_enemy(state, nation, mid)
            for mid in ATLAS.land_next[space]
        ):
            out.append(space)
    return out


def why_not_reserve(state: BKState, unit: int, space: int) -> Refusal | None:
    """Refuse an area to which a land unit may not come as a reserve. [bg-1.2-desert] [bg-1.1-stack-limit]"""
    nation = state.nation[unit]
    if not is_friendly(state, nation, space):
        return why_not_enter(state, nation, space) or Refusal("bg-6.4.6-reserve", "not-friendly", space=name(space))
    if not _fights_there(state, nation, space):
        return Refusal("bg-8.4-dow", "not-at-war-there", space=name(space))
    return why_not_stop(state, unit, space) or why_not_enter(state, nation, space)


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
def reactions(state: BKState, major: int) -> Moves:
    """Yield what a major's units could do, with the spaces each could come to."""
    flags, on_land = state.flags, bits_of(land_attacks(state))
    by_sea = bool(state.sea_battles) and bool(naval_leaders(state))
    known: dict[tuple[int, ...], list[int]] = {}  # the same for units that are alike
    helpable: dict[tuple[int, int], list[int]] = {}
    for unit in near_attacks(state, bits_of(attacked_spaces(state)), on_land, by_sea).get(major, ()):
        if flags[unit] & (MOVED | STATIONED):
            continue
        start, kind = state.place[unit], ATLAS.type[unit]
        nation = state.nation[unit]
        alike = (nation, start, kind, flags[unit] & FOUGHT, state.start[unit])
        if ATLAS.is_land[unit]:
            if not (ATLAS.one_march[start] if kind == INF else ATLAS.two_marches[start]) & on_land:
                continue
            if alike not in known:
                known[alike] = reserve_targets(state, unit)
            if known[alike]:
                yield Reserve, unit, known[alike]
            continue
        if kind in (AIR, TF) and why_not_react(state, unit) is None:
            if (nation, kind) not in helpable:
                helpable[nation, kind] = _helpable(state, unit)
            if alike not in known:
                known[alike] = _in_reach(state, unit, helpable[nation, kind])
            if known[alike]:
                yield React, unit, known[alike]
        if by_sea and ATLAS.is_ship[unit]:
            spaces = naval_reserve_targets(state, unit)
            if spaces:
                yield Reserve, unit, spaces


def reacting(state: BKState) -> list[int]:
    """Return the majors of the other side that can do anything about the attacks."""
    if not attacked_spaces(state):
        return []
    majors = [n for n in acting(state, enemy_side(state.phasing)) if state.war[n]]
    return [n for n in majors if next(reactions(state, n), None) is not None]


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
