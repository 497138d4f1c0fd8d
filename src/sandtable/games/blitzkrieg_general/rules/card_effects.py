"""What the cards do, and the steps in which a card asks for more: disbanding, elite units, drops, partisans,
espionage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Choices, Field, Offer, OneOf, Play, Role, Step

from ..model import events as ev
from ..model.actions import Disband, Done, Drop, Favour, Raise, Relocate
from ..model.atlas import AIR, BE, INF, ITALY, JAPAN, MAJORS, USSR, atlas
from ..model.state import (
    MOVED,
    BKPlay,
    BKState,
    changed,
    enemy_side,
    has_enemy,
    is_friendly,
    is_hostile,
    put,
    remove,
    units_of_role,
    without,
)
from ..model.tables import LIMITS
from .control import major_behind, occupy, take_control
from .coups import coup, force_peace, give_up, italian_surrender, occupy_indochine, vichy
from .economy import refresh_production
from .flying import why_not_fly
from .movement import label, note_attack, uid, why_not_attack
from .politics import change_us_level, italy_joins, join
from .reach import air_range, can_land, flight, name, why_not_stack


def carry_out(m: BKPlay, major: int, card: int, on: str) -> None:
    """The effect of a card, at once. [bg-7.4-secret]"""
    state, found = m.state, atlas()
    ident = found.card_ids[card]
    if on == "surrender":
        give_up(m, major)
    elif found.coup_target[card] >= 0:
        coup(m, major, card)
    elif ident in _EFFECTS:
        _EFFECTS[ident](m, major, on)
    elif ident in _FOR_THIS_TURN:
        state.effects = {**state.effects, _FOR_THIS_TURN[ident]: major}
    elif ident in _BONUS:
        state.bonus = changed(state.bonus, major, state.bonus[major] + LIMITS[_BONUS[ident]])
    refresh_production(state)


_FOR_THIS_TURN = {
    "winter_offensive": "winter_offensive",
    "bridgehead": "bridgehead",
    "cold_days_in_hell": "cold_days",
    "mountain_troops": "mountain_troops",
}
_BONUS = {"militia": "militia", "total_war": "total_war", "foreign_troops_recruitment": "foreign_troops"}


def _initiative(m: BKPlay, major: int, on: str) -> None:
    """[bg-card-initiative] [bg-ex-adv-initiative]"""
    m.state.initiative = m.state.side[major]


def _blitzkrieg(m: BKPlay, major: int, on: str) -> None:
    m.state.effects = {**m.state.effects, "blitzkrieg": m.state.side[major]}


def _desert_fox(m: BKPlay, major: int, on: str) -> None:
    m.state.effects = {**m.state.effects, "desert_fox": m.state.side[major]}


def _surprise(m: BKPlay, major: int, on: str) -> None:
    """[bg-card-surprise]"""
    battle = m.state.battle
    assert battle is not None
    battle.first = 0 if m.state.side[major] == m.state.phasing else 1
    battle.surprise = major


def _kamikaze(m: BKPlay, major: int, on: str) -> None:
    battle = m.state.battle
    assert battle is not None
    battle.kamikaze = True


def _elite(m: BKPlay, major: int, on: str) -> None:
    """[bg-card-elite-troops]"""
    battle = m.state.battle
    assert battle is not None
    battle.elite_left = m.roll(6, why="bg-card-elite-troops")
    battle.elite_side = 0 if m.state.side[major] == m.state.phasing else 1
    m.push(Elite(MAJORS[major]))


def _naval_surprise(m: BKPlay, major: int, on: str) -> None:
    state = m.state
    state.effects = {**state.effects, "naval_surprise_zone": atlas().space_of[on]}
    state.effects = {**state.effects, "naval_surprise_by": major}
    if major == JAPAN:
        state.naval_surprise_open = True


def _gains_bnl(m: BKPlay, major: int, on: str) -> None:
    """[bg-card-japan-bnl] [bg-time-bnl-card]"""
    m.state.trust_to_japan = True
    m.window("bnl", ["usa"])


def _bnl_embargo(m: BKPlay, major: int, on: str) -> None:
    """Both cards leave the game when they meet. [bg-card-bnl-embargo] [bg-ex-adv-us-entry]"""
    state, found = m.state, atlas()
    state.trust_to_japan = False
    for ident in ("japan_gains_bnl", "bnl_embargo"):
        card = found.card_of[ident]
        if card in state.table:
            state.table = without(state.table, card)
            state.out = (*state.out, card)


def _embargo(m: BKPlay, major: int, on: str) -> None:
    m.state.embargo = True


def _us_production(m: BKPlay, major: int, on: str) -> None:
    """[bg-card-us-production]"""
    change_us_level(m, LIMITS["us_card"])


def _may_declare(m: BKPlay, major: int, on: str) -> None:
    m.state.ussr_may_declare = True


def _activate(m: BKPlay, major: int, on: str) -> None:
    """[bg-card-axis-minor-activation] [bg-time-2-40-card]"""
    if on == "italy":
        italy_joins(m)
        change_us_level(m, 1)
        return
    nation = atlas().nation_of[on]
    join(m, nation, major)


def _morsecode(m: BKPlay, major: int, on: str) -> None:
    """[bg-card-morsecode]"""
    card = atlas().card_of[on]
    m.state.table = without(m.state.table, card)
    m.state.out = (*m.state.out, card)


def _lend_lease_be(m: BKPlay, major: int, on: str) -> None:
    m.state.bonus = changed(m.state.bonus, BE, m.state.bonus[BE] - LIMITS["lend_lease_be"])
    m.state.bonus = changed(m.state.bonus, USSR, m.state.bonus[USSR] + LIMITS["lend_lease_be"])


def _sabotage(m: BKPlay, major: int, on: str) -> None:
    """[bg-card-sabotage]"""
    target = m.state.effects["announced"]
    m.state.numbers = changed(m.state.numbers, target, 0)
    m.emit(ev.Sabotaged(country=f"@{MAJORS[target]}"))


def _spies(m: BKPlay, major: int, on: str) -> None:
    """[bg-card-spies]"""
    state, found = m.state, atlas()
    for other in range(8):
        if state.side[other] == enemy_side(state.side[major]) and state.hands[other]:
            cards = tuple(f"@{found.card_ids[c]}" for c in state.hands[other])
            m.emit(ev.HandsSeen(country=f"@{MAJORS[other]}", cards=cards, seen_by=(MAJORS[major],)))


def _national_war(m: BKPlay, major: int, on: str) -> None:
    m.push(Disbanding())


def _para(m: BKPlay, major: int, on: str) -> None:
    m.push(ParaDrop(MAJORS[major]))


def _partisans(m: BKPlay, major: int, on: str) -> None:
    m.push(PartisansRise(MAJORS[major]))


def _espionage(m: BKPlay, major: int, on: str) -> None:
    m.push(Spying(MAJORS[major]))


_EFFECTS: dict[str, Any] = {
    "initiative": _initiative, "blitzkrieg": _blitzkrieg, "triumph_fall_desert_fox": _desert_fox,
    "surprise": _surprise, "kamikaze": _kamikaze, "elite_troops": _elite, "naval_surprise": _naval_surprise,
    "japan_gains_bnl": _gains_bnl, "bnl_embargo": _bnl_embargo, "embargo_usa_japan": _embargo,
    "increase_us_production": _us_production, "ussr_may_declare_war": _may_declare,
    "axis_minor_activation": _activate, "morsecode": _morsecode, "lend_lease_be_ussr": _lend_lease_be,
    "sabotage_on_research": _sabotage, "spies": _spies, "national_war_ussr": _national_war, "para_troops": _para,
    "partisans": _partisans, "espionage_ultra": _espionage,
    "force_peace": force_peace, "french_vichy_surrender": vichy, "italian_surrender": italian_surrender,
    "japan_occupies_indochine": occupy_indochine,
}  # fmt: skip


# ---- National War -------------------------------------------------------------------------------------------------
class Disbanding(Step, frozen=True, tag="bg.disbanding"):
    """Orange units become build points. [bg-card-national-war-ussr]"""

    rule = "bg-card-national-war-ussr"

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        return (MAJORS[USSR],)

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        state, found = m.state, atlas()
        units = [uid(u) for u in units_of_role(state, USSR) if found.is_orange[u]]
        out: list[Offer] = [Choices([Done()], rule=self.rule)]
        if units:
            out.append(Offer(Disband, Field("unit", "unit", OneOf(units)), rule=self.rule))
        return out

    def take(self, m: Play[BKState], role: Role, action: Any) -> None:
        if isinstance(action, Done):
            m.pop()
            return
        state, found = m.state, atlas()
        unit = found.unit_of[action.unit]
        kind = found.kind_of_unit[unit]
        state.points = changed(
            state.points, USSR, state.points[USSR] + kind.cost - (kind.repair_cost if state.flipped[unit] else 0)
        )
        state.orange_done = True
        remove(state, unit)


# ---- Elite Troops -------------------------------------------------------------------------------------------------
class Elite(Step, frozen=True, tag="bg.elite"):
    """The player names the units that fight at +1 in this battle. [bg-card-elite-troops]"""

    rule = "bg-card-elite-troops"
    role: str

    def run(self, m: Play[BKState]) -> None:
        if not self._units(m):
            m.pop()

    def _units(self, m: BKPlay) -> list[int]:
        battle = m.state.battle
        if battle is None or len(battle.elite) >= battle.elite_left:
            return []
        units = battle.attackers if battle.elite_side == 0 else battle.defenders
        return [u for u in units if u not in battle.elite and not atlas().is_hq[u]]

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        return (self.role,)

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        return [Offer(Favour, Field("unit", "unit", OneOf([uid(u) for u in self._units(m)])), rule=self.rule)]

    def take(self, m: Play[BKState], role: Role, action: Favour) -> None:
        assert m.state.battle is not None
        m.state.battle.elite.append(atlas().unit_of[action.unit])
        m.replace(Elite(self.role))


# ---- Para Troops --------------------------------------------------------------------------------------------------
def drops(m: BKPlay, major: int) -> dict[int, list[int]]:
    """Aircraft that can carry, with the infantry beside them."""
    state, found = m.state, atlas()
    out: dict[int, list[int]] = {}
    for unit in units_of_role(state, major):
        if found.type[unit] != AIR or state.nation[unit] != major or why_not_fly(m, unit) is not None:
            continue
        riders = [
            u for u in state.here[state.place[unit]]
            if found.type[u] == INF and state.nation[u] == major and not state.flags[u] & MOVED
        ]  # fmt: skip
        if riders and drop_zones(m, unit, riders[0]):
            out[unit] = riders
    return out


def drop_zones(m: BKPlay, aircraft: int, rider: int) -> list[int]:
    """Any area in the aircraft's range, the enemy's included. [bg-card-paratroops]"""
    state, found = m.state, atlas()
    nation = state.nation[aircraft]
    reached = flight(state, nation, state.place[aircraft], air_range(state, aircraft))
    return [
        s for s in reached
        if not found.is_sea[s] and s != state.place[aircraft]
        and (is_friendly(state, nation, s) or is_hostile(state, nation, s))
        and why_not_stack(state, rider, s) is None and why_not_attack(m, rider, s) is None
    ]  # fmt: skip


class ParaDrop(Step, frozen=True, tag="bg.para-drop"):
    """One infantry unit flies. [bg-card-paratroops]"""

    rule = "bg-card-paratroops"
    role: str

    def run(self, m: Play[BKState]) -> None:
        if not drops(m, MAJORS.index(self.role)):
            m.pop()

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        return (self.role,)

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        found = atlas()
        table = drops(m, MAJORS.index(role))
        return [
            Offer(
                Drop,
                Field("aircraft", "unit", OneOf([uid(u) for u in table])),
                Field("unit", "unit", lambda a: OneOf([uid(u) for u in table[found.unit_of[a]]])),
                Field(
                    "to", "space", lambda a, u: OneOf(found.names(drop_zones(m, found.unit_of[a], found.unit_of[u])))
                ),
                rule=self.rule,
            )
        ]

    def take(self, m: Play[BKState], role: Role, action: Drop) -> None:
        state, found = m.state, atlas()
        aircraft, unit, to = found.unit_of[action.aircraft], found.unit_of[action.unit], found.space_of[action.to]
        m.pop()
        note_attack(m, unit, to)
        m.emit(ev.Moved(unit=label(unit), origin=name(state.place[unit]), space=name(to), how="@drop"))
        put(state, unit, to)
        state.flags[unit] |= MOVED
        state.flags[aircraft] |= MOVED
        state.origin = changed(state.origin, unit, -1)
        if is_hostile(state, state.nation[unit], to) and not has_enemy(state, state.nation[unit], to):
            occupy(m, to, major_behind(state, unit))


# ---- Partisans ----------------------------------------------------------------------------------------------------
def rising_areas(state: BKState, major: int) -> list[int]:
    """Enemy-held areas of the own country without enemy troops. [bg-card-partisans]"""
    found = atlas()
    return [
        s for s in found.homes[major]
        if state.war[major] >> state.control[s] & 1 and not has_enemy(state, major, s)
    ]  # fmt: skip


class PartisansRise(Step, frozen=True, tag="bg.partisans"):
    """Two areas of the country are its own again. [bg-card-partisans]"""

    rule = "bg-card-partisans"
    role: str
    left: int = 2

    def run(self, m: Play[BKState]) -> None:
        if not self.left or not rising_areas(m.state, MAJORS.index(self.role)):
            m.pop()

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        return (self.role,)

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        areas = atlas().names(rising_areas(m.state, MAJORS.index(role)))
        return [Offer(Raise, Field("area", "space", OneOf(areas)), rule=self.rule)]

    def take(self, m: Play[BKState], role: Role, action: Raise) -> None:
        take_control(m, atlas().space_of[action.area], MAJORS.index(role))
        m.replace(PartisansRise(self.role, self.left - 1))


# ---- Espionage ----------------------------------------------------------------------------------------------------
def hideouts(m: BKPlay, unit: int) -> list[int]:
    """Friendly areas within four areas. [bg-card-espionage]"""
    state, found = m.state, atlas()
    nation, start, steps = state.nation[unit], state.place[unit], LIMITS["espionage_range"]
    if found.is_air[unit]:
        return [s for s in flight(state, nation, start, steps, True) if s != start and can_land(m, unit, s) is None]
    seen, frontier = {start}, [start]
    for _ in range(steps):
        following = []
        for here in frontier:
            for there in found.land_next[here]:
                if there not in seen and is_friendly(state, nation, there):
                    seen.add(there)
                    following.append(there)
        frontier = following
    return [s for s in seen if s != start and not has_enemy(state, nation, s) and why_not_stack(state, unit, s) is None]


class Spying(Step, frozen=True, tag="bg.spying"):
    """Up to ten own units are moved. [bg-card-espionage]"""

    rule = "bg-card-espionage"
    role: str
    moved: tuple[int, ...] = ()

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        return (self.role,)

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        state, found = m.state, atlas()
        major = MAJORS.index(role)
        out: list[Offer] = [Choices([Done()], rule=self.rule)]
        units = [
            u for u in units_of_role(state, major)
            if state.nation[u] == major and not found.is_ship[u] and state.carrier[u] < 0 and u not in self.moved
            and state.mission[u] < 0 and not has_enemy(state, major, state.place[u])
        ]  # fmt: skip
        if units and len(self.moved) < LIMITS["espionage_units"]:
            out.append(
                Offer(
                    Relocate,
                    Field("unit", "unit", OneOf([uid(u) for u in units])),
                    Field("to", "space", lambda u: OneOf(found.names(sorted(hideouts(m, found.unit_of[u]))))),
                    rule=self.rule,
                )
            )
        return out

    def take(self, m: Play[BKState], role: Role, action: Any) -> None:
        if isinstance(action, Done):
            m.pop()
            return
        state, found = m.state, atlas()
        unit, to = found.unit_of[action.unit], found.space_of[action.to]
        m.emit(ev.Moved(unit=label(unit), origin=name(state.place[unit]), space=name(to), how="@espionage"))
        put(state, unit, to)
        state.start = changed(state.start, unit, to)
        m.replace(Spying(self.role, (*self.moved, unit)))


__all__ = ["ITALY", "carry_out"]
