"""Cards that move units, or change how they move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Choices, Field, Offer, OneOf, Role, Step
from sandtable.core.columns import having, put

from ...facts.attacks import contested_zones
from ...facts.ground import is_friendly
from ...facts.reach import air_range, can_land, flight
from ...facts.stacking import has_room
from ...facts.units import on_map
from ...model import events as ev
from ...model.actions import Done, Drop, Raise, Relocate
from ...model.atlas import ATLAS, INF, JAPAN, MAJORS, label, name, unit_id
from ...model.state import MOVED, BKState, M, has_enemy, is_hostile, mark_all, move_unit
from ...model.tables import LIMITS
from ..control import major_behind, take_control
from ..control_phase import occupy
from ..flying import why_not_fly
from ..movement import note_attack, why_not_attack
from .entry import ANY, card, own_phase


@card("initiative", "initiative", when=lambda s, n, at: s.initiative != s.side[n])
def initiative(m: M, major: int, on: str) -> None:
    """The other side acts first after all. [bg-card-initiative] [bg-ex-adv-initiative]"""
    m.state.initiative = m.state.side[major]


@card("blitzkrieg", "land", "exploit", "reaction", when=own_phase)
def blitzkrieg(m: M, major: int, on: str) -> None:
    """No reserves and no aircraft come to help against German attacks. [bg-card-blitzkrieg]"""
    m.state.effects = having(m.state.effects, "blitzkrieg", m.state.side[major])


@card("triumph_fall_desert_fox", "land", "exploit", when=own_phase)
def desert_fox(m: M, major: int, on: str) -> None:
    """Infantry in Africa exploits without an HQ. [bg-card-triumph-fall]"""
    m.state.effects = having(m.state.effects, "desert_fox", m.state.side[major])


# ---- Naval Surprise -----------------------------------------------------------------------------------------------
def _surprise_zones(state: BKState, major: int, moment: str) -> list[str]:
    """Zones where the player's ships meet an enemy. [bg-card-naval-surprise]"""
    if "naval_surprise_zone" in state.effects:
        return []
    zones = [z for z in contested_zones(state) if has_enemy(state, major, z)]
    return ATLAS.names([z for z in zones if any(state.nation[u] == major for u in state.here[z])])


@card("naval_surprise", "search", when=lambda s, n, at: bool(_surprise_zones(s, n, at)), on=_surprise_zones)
def naval_surprise(m: M, major: int, on: str) -> None:
    """Its player finds the enemy in a zone and fires first. [bg-card-naval-surprise]"""
    state = m.state
    state.effects = {**state.effects, "naval_surprise_zone": ATLAS.space_of[on], "naval_surprise_by": major}
    if major == JAPAN:
        state.naval_surprise_open = True


# ---- Para Troops --------------------------------------------------------------------------------------------------
def drops(state: BKState, major: int) -> dict[int, list[int]]:
    """Return the aircraft that can carry, with the infantry beside them."""
    out: dict[int, list[int]] = {}
    for unit in on_map(state, major, "aircraft"):
        if state.nation[unit] != major or why_not_fly(state, unit) is not None:
            continue
        riders = [
            u for u in state.here[state.place[unit]]
            if ATLAS.type[u] == INF and state.nation[u] == major and not state.flags[u] & MOVED
        ]  # fmt: skip
        if riders and drop_zones(state, unit, riders[0]):
            out[unit] = riders
    return out


def drop_zones(state: BKState, aircraft: int, rider: int) -> list[int]:
    """Return the areas in the aircraft's range, the enemy's included. [bg-card-paratroops]"""
    nation = state.nation[aircraft]
    reached = flight(state, nation, state.place[aircraft], air_range(state, aircraft))
    return [
        s for s in reached
        if not ATLAS.is_sea[s] and s != state.place[aircraft]
        and (is_friendly(state, nation, s) or is_hostile(state, nation, s))
        and has_room(state, rider, s) and why_not_attack(state, rider, s) is None
    ]  # fmt: skip


@card("para_troops", "land", when=lambda s, n, at: bool(drops(s, n)))
def para_troops(m: M, major: int, on: str) -> None:
    m.push(ParaDrop(MAJORS[major]))


class ParaDrop(Step, frozen=True, tag="bg.para-drop"):
    """One infantry unit flies. [bg-card-paratroops]"""

    rule = "bg-card-paratroops"
    role: str

    def run(self, m: M) -> None:
        if not drops(m.state, MAJORS.index(self.role)):
            m.pop()

    def roles(self, m: M) -> Sequence[Role]:
        return (self.role,)

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        state = m.state
        table = drops(state, MAJORS.index(role))

        def zones(aircraft: str, unit: str) -> OneOf:
            return OneOf(ATLAS.names(drop_zones(state, ATLAS.unit_of[aircraft], ATLAS.unit_of[unit])))

        return [
            Offer(
                Drop,
                Field("aircraft", "unit", OneOf([unit_id(u) for u in table])),
                Field("unit", "unit", lambda a: OneOf([unit_id(u) for u in table[ATLAS.unit_of[a]]])),
                Field("to", "space", zones),
                rule=self.rule,
            )
        ]

    def take(self, m: M, role: Role, action: Drop) -> None:
        state = m.state
        aircraft, unit, to = ATLAS.unit_of[action.aircraft], ATLAS.unit_of[action.unit], ATLAS.space_of[action.to]
        m.pop()
        note_attack(state, unit, to)
        m.emit(ev.Moved(unit=label(unit), origin=name(state.place[unit]), space=name(to), how="@drop"))
        move_unit(state, unit, to)
        mark_all(state, (unit, aircraft), MOVED)
        state.origin = put(state.origin, unit, -1)
        if is_hostile(state, state.nation[unit], to) and not has_enemy(state, state.nation[unit], to):
            occupy(m, to, major_behind(state, unit))


# ---- Partisans ----------------------------------------------------------------------------------------------------
def rising_areas(state: BKState, major: int) -> list[int]:
    """Return the enemy-held areas of the own country without enemy troops. [bg-card-partisans]"""
    return [
        s for s in ATLAS.homes[major]
        if state.war[major] >> state.control[s] & 1 and not has_enemy(state, major, s)
    ]  # fmt: skip


@card("partisans", *ANY, when=lambda s, n, at: bool(rising_areas(s, n)))
def partisans(m: M, major: int, on: str) -> None:
    m.push(PartisansRise(MAJORS[major]))


class PartisansRise(Step, frozen=True, tag="bg.partisans"):
    """Two areas of the country are its own again. [bg-card-partisans]"""

    rule = "bg-card-partisans"
    role: str
    left: int = 2

    def run(self, m: M) -> None:
        if not self.left or not rising_areas(m.state, MAJORS.index(self.role)):
            m.pop()

    def roles(self, m: M) -> Sequence[Role]:
        return (self.role,)

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        areas = ATLAS.names(rising_areas(m.state, MAJORS.index(role)))
        return [Offer(Raise, Field("area", "space", OneOf(areas)), rule=self.rule)]

    def take(self, m: M, role: Role, action: Raise) -> None:
        take_control(m, ATLAS.space_of[action.area], MAJORS.index(role))
        m.replace(PartisansRise(self.role, self.left - 1))


# ---- Espionage ----------------------------------------------------------------------------------------------------
def _may_spy(state: BKState, major: int, moment: str) -> bool:
    """Before the own land movement, or before the own reserves move. [bg-card-espionage]"""
    if moment == "reaction":
        return state.side[major] != state.phasing
    return not any(state.flags[u] & MOVED and state.carrier[u] < 0 for u in on_map(state, major, "land"))


@card("espionage_ultra", "land", "reaction", when=_may_spy)
def espionage(m: M, major: int, on: str) -> None:
    m.push(Spying(MAJORS[major]))


def hideouts(state: BKState, unit: int) -> list[int]:
    """Return the friendly areas within four areas. [bg-card-espionage]"""
    nation, start, steps = state.nation[unit], state.place[unit], LIMITS["espionage_range"]
    if ATLAS.is_air[unit]:
        return [s for s in flight(state, nation, start, steps, True) if s != start and can_land(state, unit, s)]
    seen, frontier = {start}, [start]
    for _ in range(steps):
        following = []
        for here in frontier:
            for there in ATLAS.land_next[here]:
                if there not in seen and is_friendly(state, nation, there):
                    seen.add(there)
                    following.append(there)
        frontier = following
    return [s for s in seen if s != start and not has_enemy(state, nation, s) and has_room(state, unit, s)]


class Spying(Step, frozen=True, tag="bg.spying"):
    """Up to ten own units are moved. [bg-card-espionage]"""

    rule = "bg-card-espionage"
    role: str
    moved: tuple[int, ...] = ()

    def roles(self, m: M) -> Sequence[Role]:
        return (self.role,)

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        state = m.state
        major = MAJORS.index(role)
        out: list[Offer] = [Choices([Done()], rule=self.rule)]
        units = [
            u for u in on_map(state, major)
            if state.nation[u] == major and not ATLAS.is_ship[u] and state.carrier[u] < 0 and u not in self.moved
            and state.mission[u] < 0 and not has_enemy(state, major, state.place[u])
        ]  # fmt: skip
        if units and len(self.moved) < LIMITS["espionage_units"]:
            out.append(
                Offer(
                    Relocate,
                    Field("unit", "unit", OneOf([unit_id(u) for u in units])),
                    Field("to", "space", lambda u: OneOf(ATLAS.names(sorted(hideouts(state, ATLAS.unit_of[u]))))),
                    rule=self.rule,
                )
            )
        return out

    def take(self, m: M, role: Role, action: Any) -> None:
        if isinstance(action, Done):
            m.pop()
            return
        state = m.state
        unit, to = ATLAS.unit_of[action.unit], ATLAS.space_of[action.to]
        m.emit(ev.Moved(unit=label(unit), origin=name(state.place[unit]), space=name(to), how="@espionage"))
        move_unit(state, unit, to)
        state.start = put(state.start, unit, to)
        m.replace(Spying(self.role, (*self.moved, unit)))
