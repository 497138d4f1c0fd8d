"""6.4.5 Reaction, 6.4.6 Reserves and the land reaction to invasions (6.5.4): what the other side does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sandtable.core import Choices, Field, Offer, OneOf, Play, Refusal, Role, Step
from sandtable.core.offers import Late

from ..facts.relations import ground, roster
from ..model import events as ev
from ..model.actions import Done, React, Reserve
from ..model.atlas import AIR, INF, MAJORS, NAVAL_HQ, TF, atlas
from ..model.state import (
    BOMBER,
    FOUGHT,
    MOVED,
    STATIONED,
    BKPlay,
    BKState,
    acting,
    at_war,
    changed,
    enemy_side,
    has_enemy,
    is_friendly,
    put,
    send,
)
from .movement import label
from .pinning import (
    attacked_spaces,
    attackers_of,
    attacks,
    fights_there,
    is_blitz,
    is_pinned,
    land_attacks,
)
from .politics import why_not_enter
from .reach import air_range, flight, name, why_not_cooperate, why_not_stack
from .search import sea_distance


# ---- aircraft and Task Forces -------------------------------------------------------------------------------------
def react_targets(m: BKPlay, unit: int) -> list[int]:
    """Attacked spaces that an aircraft or a Task Force can come to help. [bg-6.4.5-air] [bg-6.4.5-overfly]
    [bg-6.4.5-tf]
    [bg-6.4.5-tf-land-only] [bg-6.7-support]"""
    known = _helped_from(m, unit)
    return known if known and why_not_react(m, unit) is None else []


def _helped_from(m: BKPlay, unit: int) -> list[int]:
    """The spaces that such a unit gets to from where it is, whether or not it is free to go."""
    state, found = m.state, atlas()
    nation, start, kind = state.nation[unit], state.place[unit], found.type[unit]
    steps = air_range(state, unit) if kind == AIR else 0
    key = ("helped", nation, start, kind, steps)
    if key not in m.cache:  # the same for all that are alike there
        spaces, bits = _helped(m, unit)
        near = found.within_flight[start][steps] if kind == AIR else found.beside_coast[start]
        m.cache[key] = _in_reach(m, unit, steps, spaces) if near & bits else []
    known: list[int] = m.cache[key]
    return known


def _helped(m: BKPlay, unit: int) -> tuple[list[int], int]:
    """Attacked spaces that such a unit may help if it gets there, as a list and as bits."""
    key = ("helpable", m.state.nation[unit], atlas().type[unit])
    if key not in m.cache:
        war = m.state.war[m.state.nation[unit]]
        fought = [s for s, nations in attacks(m).items() if war & nations]
        spaces = [s for s in fought if _why_not_join(m, unit, s) is None]
        m.cache[key] = (spaces, _bits(spaces))
    known: tuple[list[int], int] = m.cache[key]
    return known


def _in_reach(m: BKPlay, unit: int, steps: int, spaces: list[int]) -> list[int]:
    """Those of the spaces that an aircraft or a Task Force gets to."""
    state, found = m.state, atlas()
    start = state.place[unit]
    if found.type[unit] == TF:
        return [] if state.exploiting else [s for s in found.coast[start] if s in spaces]
    reached = flight(state, state.nation[unit], start, steps)
    out = [s for s in spaces if s in reached and s != start]
    if found.twin[start] >= 0 and found.twin[start] in spaces and found.twin[start] not in out:
        out.append(found.twin[start])
    return out


def why_not_react(m: BKPlay, unit: int) -> Refusal | None:
    state = m.state
    if state.mission[unit] >= 0 or state.flags[unit] & (MOVED | STATIONED):
        return Refusal("bg-10.1-pin", "one-combat", unit=label(unit))
    if state.flags[unit] & FOUGHT and not atlas().is_air[unit]:
        return Refusal("bg-10.1-pin", "one-combat", unit=label(unit))
    if state.carrier[unit] >= 0:
        return Refusal("bg-1.1-air-on-convoy", "on-board", unit=label(unit))
    if is_pinned(m, unit):
        return Refusal("bg-10.1-pin-number", "pinned", unit=label(unit))
    return None


def why_not_help(m: BKPlay, unit: int, space: int) -> Refusal | None:
    """[bg-6.4.3e-air-help] [bg-card-blitzkrieg] [bg-8.4-be-france]"""
    if not fights_there(m, m.state.nation[unit], space):
        return Refusal("bg-8.4-dow", "not-at-war-there", space=name(space))
    return _why_not_join(m, unit, space)


def _why_not_join(m: BKPlay, unit: int, space: int) -> Refusal | None:
    """The same for those who fight any of the attackers."""
    state, found = m.state, atlas()
    if found.is_sea[space]:
        if found.type[unit] == TF:
            return Refusal("bg-6.4.5-tf-land-only", "tf-land-only")
        if space in state.sea_battles and not state.sea_battles[space] & 2:
            return Refusal("bg-6.4.3e-air-help", "not-found", space=name(space))
        return why_not_cooperate(m, unit, space)
    if found.type[unit] == AIR and is_blitz(m, space):
        return Refusal("bg-card-blitzkrieg", "blitzkrieg", space=name(space))
    return why_not_cooperate(m, unit, space)


# ---- reserves -----------------------------------------------------------------------------------------------------
def reserve_commander(state: BKState, unit: int) -> int:
    """An HQ in the unit's area with commands left. [bg-6.4.6-reserve] [bg-6.4.6-naval-hq-land]"""
    found = atlas()
    space, side = state.start[unit], state.side[state.nation[unit]]
    for hq, rating in found.rating.items():
        if state.start[hq] != space or state.place[hq] < 0 or state.spent[hq] >= rating:
            continue
        if state.side[state.nation[hq]] == side and state.carrier[hq] < 0:
            return hq
    return -1


def _is_commanded(m: BKPlay, unit: int) -> bool:
    """Whether there is such an HQ, asked once for all units of a side in an area."""
    state = m.state
    key = ("commanded", state.start[unit], state.side[state.nation[unit]])
    if key not in m.cache:
        m.cache[key] = reserve_commander(state, unit) >= 0
    return bool(m.cache[key])


def reserve_targets(m: BKPlay, unit: int) -> list[int]:
    """Attacked areas that a land unit may reinforce, as a reserve or from next door against an invasion.
    [bg-6.4.6-reserve]
    [bg-6.4.6-range] [bg-6.4.6-path] [bg-6.4.6-hq-goes] [bg-6.5.4-land-reaction] [bg-6.5.4-land-reaction-empty]
    [bg-6.5.4-usual-reaction]"""
    state, found = m.state, atlas()
    spaces = land_attacks(m)
    if not spaces or not found.is_land[unit] or state.flags[unit] & (MOVED | FOUGHT) or state.carrier[unit] >= 0:
        return []
    nation, start, foot = state.nation[unit], state.place[unit], found.type[unit] == INF
    beside = found.land_next[start]
    near = [
        s
        for s in spaces
        if s in beside or (not foot and s != start and any(mid in beside for mid in found.land_next[s]))
    ]
    if not near or is_pinned(m, unit):
        return []
    out = []
    for space in near:
        if why_not_reserve(m, unit, space) is not None:
            continue
        adjacent = space in beside
        if adjacent and space in state.invasions:
            out.append(space)
            continue
        if is_blitz(m, space) or not (found.is_hq[unit] or _is_commanded(m, unit)):
            continue
        if adjacent or any(
            mid in beside and is_friendly(state, nation, mid) and not has_enemy(state, nation, mid)
            for mid in found.land_next[space]
        ):
            out.append(space)
    return out


def why_not_reserve(m: BKPlay, unit: int, space: int) -> Refusal | None:
    """[bg-1.2-desert] [bg-1.1-stack-limit]"""
    state = m.state
    nation = state.nation[unit]
    if not is_friendly(state, nation, space):
        return why_not_enter(state, nation, space) or Refusal("bg-6.4.6-reserve", "not-friendly", space=name(space))
    if not fights_there(m, nation, space):
        return Refusal("bg-8.4-dow", "not-at-war-there", space=name(space))
    return why_not_stack(state, unit, space) or why_not_cooperate(m, unit, space) or why_not_enter(state, nation, space)


def naval_leaders(m: BKPlay) -> set[tuple[int, int]]:
    """Zones with the side of a Naval HQ at sea that has commands left. [bg-6.4.6-naval-hq-sea]"""
    if "naval-leaders" not in m.cache:
        state, found = m.state, atlas()
        m.cache["naval-leaders"] = {
            (state.place[hq], state.side[state.nation[hq]])
            for hq, rating in found.rating.items()
            if found.type[hq] == NAVAL_HQ and state.carrier[hq] >= 0 and state.spent[hq] < rating
        }
    known: set[tuple[int, int]] = m.cache["naval-leaders"]
    return known


def naval_reserve_targets(m: BKPlay, unit: int) -> list[int]:
    """Ships in the zone of a Naval HQ at sea may sail into an attacked zone. [bg-6.4.6-naval-hq-sea]
    [bg-10.1-pin-naval-reserves]"""
    state, found = m.state, atlas()
    if not found.is_ship[unit] or state.flags[unit] & (MOVED | FOUGHT) or state.mission[unit] >= 0:
        return []
    if (state.place[unit], state.side[state.nation[unit]]) not in naval_leaders(m) or is_pinned(m, unit):
        return []
    reach = found.range[unit]
    return [
        z for z in state.sea_battles
        if z != state.place[unit] and sea_distance(state, unit, z, reach) <= reach
        and any(at_war(state, state.nation[unit], state.nation[u]) for u in attackers_of(state, z))
    ]  # fmt: skip


# ---- the step -----------------------------------------------------------------------------------------------------
class Reaction(Step, frozen=True, tag="bg.reaction"):
    """The non-phasing side reacts to all attacks. [bg-6.4.5-air] [bg-6.4.6-reserve] [bg-6.0-phasing-terms]"""

    rule = "bg-6.4.5-air"
    done: tuple[str, ...] = ()

    def run(self, m: Play[BKState]) -> None:
        m.cache.clear()
        if not m.asked():
            m.pop()

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        return [MAJORS[n] for n in _reacting(m) if MAJORS[n] not in self.done]

    def publicly_asked(self, m: Play[BKState]) -> Sequence[Role]:
        """In the fog nobody learns from the asking what could come to help."""
        state = m.state
        if not m.option("fog-of-war"):
            return self.roles(m)
        return [
            MAJORS[n] for n in acting(state, enemy_side(state.phasing)) if MAJORS[n] not in self.done and state.war[n]
        ]

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        table = _choices(m, MAJORS.index(role))
        out: list[Offer] = []
        for act, kind, rule, why in (
            (React, "react", "bg-6.4.5-air", why_not_react),
            (Reserve, "reserve", "bg-6.4.6-reserve", None),
        ):
            if table[kind]:
                out.append(Late(act, _fields, m, act, table[kind], rule, why, rule=rule))
        out.append(_DONE)
        return out

    def take(self, m: Play[BKState], role: Role, action: Any) -> None:
        state, found = m.state, atlas()
        if isinstance(action, Done):
            m.replace(Reaction((*self.done, role)))
            return
        unit, to = found.unit_of[action.unit], found.space_of[action.to]
        m.emit(ev.Moved(unit=label(unit), origin=name(state.place[unit]), space=name(to), how="@reaction"))
        if isinstance(action, React):
            send(state, unit, to)
            if any(state.mission[u] == to and state.flags[u] & BOMBER for u in attackers_of(state, to)):
                state.flags[unit] |= MOVED
        else:
            _take_reserve(m, unit, to)
        state.flags[unit] |= MOVED
        m.replace(Reaction(self.done))


_DONE = Choices([Done()], rule="bg-6.4.5-air")


def _fields(m: BKPlay, act: Any, choices: dict[int, list[int]], rule: str, why: Any) -> tuple[Field, ...]:
    found = atlas()

    def why_unit(value: str) -> Refusal | None:
        unit = found.unit_of.get(value, -1)
        return why(m, unit) if why and unit >= 0 and m.state.place[unit] >= 0 else None

    def why_space(ident: str, value: str) -> Refusal | None:
        space = found.space_of.get(value)
        if space is None or space not in attacked_spaces(m):
            return Refusal(rule, "not-attacked", space=f"@{value}")
        unit = found.unit_of[ident]
        return why_not_help(m, unit, space) if act is React else why_not_reserve(m, unit, space)

    def to(ident: str) -> OneOf:
        return OneOf(found.names(choices[found.unit_of[ident]]), why=lambda v: why_space(ident, v))

    return (Field("unit", "unit", OneOf(found.names_of(list(choices)), why=why_unit)), Field("to", "space", to))


def _near_attacks(m: BKPlay) -> dict[int, list[tuple[int, list[int]]]]:
    """By major of the other side its units that could come to an attacked space at all, in the order of the mix:
    aircraft and Task Forces, with the spaces they get to, land units within two marches, ships under a Naval HQ."""
    if "near-attacks" not in m.cache:
        state = m.state
        by_sea = bool(state.sea_battles) and bool(naval_leaders(m))
        spaces, attacked, on_land = _attacked_bits(m)
        depends_on = (
            state.place, state.here, spaces, list(attacks(m).values()), on_land, by_sea, roster(state),
            ground(state), state.phasing, state.exploiting, state.sea_battles, state.effects, state.advances,
            state.abroad if m.option("cooperation") else None,
        )  # fmt: skip
        m.cache["near-attacks"] = m.kept("near-attacks", depends_on, lambda: _find_near(m, attacked, by_sea))
    known: dict[int, list[tuple[int, list[int]]]] = m.cache["near-attacks"]
    return known


def _find_near(m: BKPlay, attacked: int, by_sea: bool) -> dict[int, list[tuple[int, list[int]]]]:
    state, found, mine = m.state, atlas(), roster(m.state)
    place, near, farthest = state.place, found.within_flight, found.longest_flight
    out: dict[int, list[tuple[int, list[int]]]] = {}
    for major in acting(state, enemy_side(state.phasing)):
        units = [u for u in mine.aircraft[major] if place[u] >= 0 and near[place[u]][farthest] & attacked]
        units += [u for u in mine.task_forces[major] if place[u] >= 0 and found.beside_coast[place[u]] & attacked]
        helpers = [(u, spaces) for u in units if (spaces := _helped_from(m, u))]
        if by_sea:
            known = {u for u, _ in helpers}
            helpers += [(u, []) for u in mine.ships[major] if place[u] >= 0 and u not in known]
        out[major] = helpers
    for space in set().union(*[found.within_marches[attacked] for attacked in land_attacks(m)]):
        for unit in state.here[space]:
            if found.is_land[unit]:
                out.setdefault(state.master[state.nation[unit]], []).append((unit, []))
    rank = found.rank
    return {major: sorted(units, key=lambda entry: rank[entry[0]]) for major, units in out.items()}


def _moves(m: BKPlay, major: int) -> Iterator[tuple[str, int, list[int]]]:
    """What a major's units could do, with the spaces each could come to: the same for units that are alike."""
    found, state = atlas(), m.state
    place, types, flags, nation = state.place, found.type, state.flags, state.nation
    on_land = _attacked_bits(m)[2]
    by_sea = bool(state.sea_battles) and bool(naval_leaders(m))
    known: dict[tuple[int, ...], list[int]] = m.cache.setdefault("moves", {})
    for unit, helped in _near_attacks(m).get(major, ()):
        if flags[unit] & (MOVED | STATIONED):  # it does not come
            continue
        if found.is_land[unit]:
            start, kind = place[unit], types[unit]
            if not (found.one_march[start] if kind == INF else found.two_marches[start]) & on_land:
                continue
            key = (nation[unit], start, kind, flags[unit] & FOUGHT, state.start[unit])
            spaces = known.get(key)
            if spaces is None:
                spaces = known[key] = reserve_targets(m, unit)
            if spaces:
                yield "reserve", unit, spaces
            continue
        if helped and why_not_react(m, unit) is None:
            yield "react", unit, helped
        if by_sea and found.is_ship[unit]:
            spaces = naval_reserve_targets(m, unit)
            if spaces:
                yield "reserve", unit, spaces


def _choices(m: BKPlay, major: int) -> dict[str, dict[int, list[int]]]:
    """All of it, by the kind of move."""
    key = ("reaction", major)
    if key not in m.cache:
        table: dict[str, dict[int, list[int]]] = {"react": {}, "reserve": {}}
        for kind, unit, spaces in _moves(m, major):
            table[kind][unit] = spaces
        m.cache[key] = table
    known: dict[str, dict[int, list[int]]] = m.cache[key]
    return known


def _reacting(m: BKPlay) -> list[int]:
    """The majors of the other side that can do anything about the attacks, remembered until something moves."""
    s = m.state
    depends_on = (
        s.flags, s.place, s.here, s.abroad, s.mission, s.invasions, s.sea_battles, s.carrier, s.start, s.spent,
        ground(s), roster(s), s.phasing, s.exploiting, s.effects, s.advances,
    )  # fmt: skip

    def find() -> list[int]:
        if not attacked_spaces(m):
            return []
        return [n for n in acting(s, enemy_side(s.phasing)) if s.war[n] and _may_react(m, n)]

    return m.kept("reacting", depends_on, find)


def _may_react(m: BKPlay, major: int) -> bool:
    key = ("may-react", major)
    if key not in m.cache:
        m.cache[key] = next(_moves(m, major), None) is not None
    return bool(m.cache[key])


def _attacked_bits(m: BKPlay) -> tuple[list[int], int, int]:
    """The attacked spaces, these and those attacked by land units as bits."""
    if "attacked-bits" not in m.cache:
        spaces = attacked_spaces(m)
        m.cache["attacked-bits"] = (spaces, _bits(spaces), _bits(land_attacks(m)))
    known: tuple[list[int], int, int] = m.cache["attacked-bits"]
    return known


def _bits(spaces: list[int]) -> int:
    bit, out = atlas().bit, 0
    for space in spaces:
        out |= bit[space]
    return out


def _take_reserve(m: BKPlay, unit: int, to: int) -> None:
    state, found = m.state, atlas()
    start = state.place[unit]
    free = to in state.invasions and to in found.land_next[start]
    if found.is_ship[unit]:
        for hq in found.rating:
            if found.type[hq] == NAVAL_HQ and state.carrier[hq] >= 0 and state.place[hq] == start:
                state.spent = changed(state.spent, hq, state.spent[hq] + 1)
                break
    elif not found.is_hq[unit] and not free:
        hq = reserve_commander(state, unit)
        if hq >= 0:
            state.spent = changed(state.spent, hq, state.spent[hq] + 1)
    put(state, unit, to)
