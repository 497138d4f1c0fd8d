"""5.2 Reinforcements: arriving units are placed at home."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Choices, Field, Offer, OneOf, Play, Refusal, Role, Step

from ..facts.relations import roster
from ..model import events as ev
from ..model.actions import Done, Merge, Place, Split
from ..model.atlas import BE, FRANCE, MAJORS, atlas
from ..model.state import (
    AT_WAR,
    BUILDING,
    CONQUERED,
    POOL,
    BKPlay,
    BKState,
    british_home_of,
    changed,
    has_enemy_ship,
    put,
    remove,
    units_of_role,
)
from .movement import label, uid
from .reach import name, why_not_stack


def arrivals(m: BKPlay, major: int) -> list[int]:
    """Units of a major and its minors that are due. [bg-7.6.6-durations]"""
    return _arrivals(m).get(major, [])


def _arrivals(m: BKPlay) -> dict[int, list[int]]:
    """The same by major."""
    if "arrivals" not in m.cache:
        state = m.state
        due: dict[int, list[int]] = {}
        nations, standing, master, has_one = state.nation, state.standing, state.master, False
        for unit in _due(state):
            nation = nations[unit]
            if standing[nation] != CONQUERED and (spaces := placements(m, unit)):
                due.setdefault(master[nation], []).append(unit)
                has_one = has_one or len(spaces) == 1
        m.cache["arrivals"], m.cache["one-place"] = due, has_one
    known: dict[int, list[int]] = m.cache["arrivals"]
    return known


def _due(state: BKState) -> list[int]:
    """Units on the production chart whose quarter has come, in the order of the mix."""
    place, due, now, unit = state.place, state.due, state.turn, -1
    out = []
    for _ in range(place.count(BUILDING)):
        unit = place.index(BUILDING, unit + 1)
        if 0 <= due[unit] <= now:
            out.append(unit)
    return out


def home_spaces(m: BKPlay, unit: int) -> list[int]:
    """Home areas in which a unit may appear. [bg-5.2-major-placement] [bg-5.2-minor-placement] [bg-5.2-no-abbrev-areas]
    [bg-5.2-british-placement] [bg-basic-5.2-british] [bg-5.2-home-area]"""
    state, found = m.state, atlas()
    nation = state.nation[unit]
    if nation == found.vichy_nation:
        return [s for s in found.land if state.control[s] == nation]
    homes = found.nurseries[nation]
    if nation == BE and found.printed_nation[unit] == BE and state.advanced:
        homes = found.british_nurseries[british_home_of(unit)]
    control, here, war, nations = state.control, state.here, state.war[nation], roster(state).nations
    return [s for s in homes if control[s] == nation and not nations[here[s]] & war]


def placements(m: BKPlay, unit: int) -> list[int]:
    """Where an arriving unit may be put."""
    found, cache = atlas(), m.cache
    nation = m.state.nation[unit]
    key = ("placements", nation, (found.post_by_arm if found.has_limited_home[nation] else found.post)[unit])
    spaces: list[int] | None = cache.get(key)
    if spaces is None:  # units of a kind find the same places
        spaces = cache[key] = _placements(m, unit)
    return spaces


def _placements(m: BKPlay, unit: int) -> list[int]:
    """[bg-5.2-ships] [bg-5.2-ships-contested]"""
    state, found = m.state, atlas()
    nation = state.nation[unit]
    if found.is_ship[unit]:
        homes = found.homes[nation]
        if nation == BE and found.printed_nation[unit] == BE and state.advanced:
            homes = found.british_areas[british_home_of(unit)]
        zones = dict.fromkeys(z for s in homes if state.control[s] == nation for z in found.coast[s])
        free = [z for z in zones if not has_enemy_ship(state, nation, z)]
        return free or list(zones)
    limited = found.is_limited
    spaces = [s for s in home_spaces(m, unit) if not limited[s] or why_not_stack(state, unit, s) is None]
    if m.option("isolated-areas"):
        spaces = _isolated(m, unit, spaces)
    return spaces


def _isolated(m: BKPlay, unit: int, spaces: list[int]) -> list[int]:
    """Optional 9.8: one unit a turn into a home area cut off from the others. [bg-opt-9.8]"""
    state, found = m.state, atlas()
    nation = state.nation[unit]
    out = []
    for space in spaces:
        cut_off = not any(
            t in found.home_areas_set[nation] and state.control[t] == nation for t in found.land_next[space]
        )
        fresh = sum(1 for u in state.here[space] if state.start[u] == -2)
        if not cut_off or fresh == 0 or len(found.homes[nation]) == 1:
            out.append(space)
    return out or spaces


def why_not_place(m: BKPlay, unit: int, space: int) -> Refusal | None:
    state, found = m.state, atlas()
    nation = state.nation[unit]
    if found.is_sea[space] != found.is_ship[unit]:
        return Refusal("bg-5.2-ships", "wrong-ground", unit=label(unit))
    if found.is_sea[space]:
        if has_enemy_ship(state, nation, space):
            return Refusal("bg-5.2-ships", "enemy-ships", space=name(space))
        return Refusal("bg-5.2-ships", "not-next-to-home", space=name(space))
    if nation == BE and state.advanced and found.home_of[space] == BE:
        return Refusal("bg-5.2-british-placement", "other-home", unit=label(unit), space=name(space))
    if nation < 8 and found.home_of[space] != nation:
        return Refusal("bg-5.2-no-abbrev-areas", "no-home-area", space=name(space))
    return why_not_stack(state, unit, space) or Refusal("bg-5.2-major-placement", "no-production", space=name(space))


class Reinforcements(Step, frozen=True, tag="bg.reinforcements"):
    """Everybody places what arrives; what has no place yet waits. [bg-5.2-major-placement]
    [bg-quick-skip-reinforcement]"""

    rule = "bg-5.2-major-placement"
    done: tuple[str, ...] = ()

    def run(self, m: Play[BKState]) -> None:
        m.cache.clear()
        placed = False
        waiting = _arrivals(m)
        for _, units in sorted(waiting.items()) if m.cache["one-place"] else ():
            for unit in units:
                spaces = placements(m, unit)
                if len(spaces) == 1:
                    place(m, unit, spaces[0])
                    placed = True
                    m.cache = {"arrivals": waiting}
        if placed:
            m.cache.clear()
        if not m.asked():
            if -2 in m.state.start:
                start = list(m.state.start)
                while -2 in start:
                    start[start.index(-2)] = -1
                m.state.start = tuple(start)
            m.pop()

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        waiting, assembly = _arrivals(m), bool(m.option("assembly"))
        return [MAJORS[n] for n in range(8) if n in waiting or (assembly and self._optional(m, n))]

    def publicly_asked(self, m: Play[BKState]) -> Sequence[Role]:
        """Who could merge or split depends on which units are reduced: in the fog that is nobody's business."""
        if not (m.option("assembly") and m.option("fog-of-war")):
            return self.roles(m)
        return [MAJORS[n] for n in range(8) if self._waiting(m, n) or MAJORS[n] not in self.done]

    def _waiting(self, m: BKPlay, major: int) -> list[int]:
        return arrivals(m, major)

    def _optional(self, m: BKPlay, major: int) -> bool:
        return bool(m.option("assembly")) and MAJORS[major] not in self.done and bool(assembly_offers(m, major))

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        found = atlas()
        major = MAJORS.index(role)
        units = self._waiting(m, major)
        out: list[Offer] = []
        if units:

            def why(ident: str, value: str) -> Refusal | None:
                space = found.space_of.get(value)
                return None if space is None else why_not_place(m, found.unit_of[ident], space)

            out.append(
                Offer(
                    Place,
                    Field("unit", "unit", OneOf([uid(u) for u in units])),
                    Field(
                        "to",
                        "space",
                        lambda u: OneOf(found.names(placements(m, found.unit_of[u])), why=lambda v: why(u, v)),
                    ),
                    rule="bg-5.2-major-placement",
                )
            )
        if m.option("assembly") and role not in self.done:
            out.extend(assembly_offers(m, major))
            if not units:
                out.append(Choices([Done()], rule="bg-opt-9.3-assemble"))
        return out

    def take(self, m: Play[BKState], role: Role, action: Any) -> None:
        state, found = m.state, atlas()
        if isinstance(action, Place):
            place(m, found.unit_of[action.unit], found.space_of[action.to])
        elif isinstance(action, Merge):
            one, other = found.unit_of[action.unit], found.unit_of[action.other]
            m.emit(ev.Changed(unit=label(one), other=label(other)))
            remove(state, other)
            state.flipped = changed(state.flipped, one, 0)
        elif isinstance(action, Split):
            one = found.unit_of[action.unit]
            other = next(u for u in found.kind_of_unit[one].units if state.place[u] == POOL)
            state.nation = changed(state.nation, other, state.nation[one])
            put(state, other, state.place[one])
            state.flipped = changed(changed(state.flipped, one, 1), other, 1)
            state.flags[other] = state.flags[one]
            m.emit(ev.Changed(unit=label(one), other=label(other)))
        done = (*self.done, role) if isinstance(action, Done) else self.done
        m.replace(Reinforcements(done))


def place(m: BKPlay, unit: int, space: int) -> None:
    state = m.state
    put(state, unit, space)
    state.due = changed(state.due, unit, -1)
    state.start = changed(state.start, unit, -2)
    m.emit(ev.Placed(unit=label(unit), space=name(space)))


# ---- optional 9.3 -------------------------------------------------------------------------------------------------
def assembly_offers(m: BKPlay, major: int) -> list[Offer]:
    """Two equal reduced units make a full one, a full one makes two. [bg-opt-9.3-assemble] [bg-opt-9.3-split]
    [bg-opt-9.3-orange]"""
    state, found = m.state, atlas()
    mine = [
        u for u in units_of_role(state, major)
        if state.carrier[u] < 0 and found.back[u] >= 0 and u not in state.cargo and state.mission[u] < 0
        and (not found.is_orange[u] or state.orange_done)
    ]  # fmt: skip
    pairs: dict[str, list[str]] = {}
    for one in mine:
        if state.flipped[one]:
            others = [
                o for o in mine
                if o != one and state.flipped[o] and state.place[o] == state.place[one]
                and found.kind_of_unit[o] is found.kind_of_unit[one] and state.nation[o] == state.nation[one]
            ]  # fmt: skip
            if others:
                pairs[uid(one)] = [uid(o) for o in others]
    splits = [
        uid(u)
        for u in mine
        if not state.flipped[u]
        and found.back[u] > 0
        and any(state.place[x] == POOL for x in found.kind_of_unit[u].units)
        and why_not_stack(state, u, state.place[u]) is None
        and _room(state, u)
    ]
    out: list[Offer] = []
    if pairs:
        out.append(
            Offer(
                Merge,
                Field("unit", "unit", OneOf(list(pairs))),
                Field("other", "unit", lambda u: OneOf(pairs[u])),
                rule="bg-opt-9.3-assemble",
            )
        )
    if splits:
        out.append(Offer(Split, Field("unit", "unit", OneOf(splits)), rule="bg-opt-9.3-split"))
    return out


def _room(state: BKState, unit: int) -> bool:
    """Whether one more such unit fits where this one stands."""
    found = atlas()
    space = state.place[unit]
    limit = found.stack_limit[space] or found.desert_limit[space]
    if not state.advanced or not limit or (found.is_air[unit] and not found.stack_limit[space]) or found.is_ship[unit]:
        return True
    same = [u for u in state.here[space] if found.is_air[u] == found.is_air[unit] and not found.is_hq[u]]
    return len(same) < limit


__all__ = ["AT_WAR", "FRANCE", "Reinforcements", "arrivals", "placements"]
