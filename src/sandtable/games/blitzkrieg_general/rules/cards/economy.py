"""Cards about production, research and what is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Choices, Field, Offer, OneOf, Role, Step
from sandtable.core.columns import put

from ...facts.units import on_map
from ...model import events as ev
from ...model.actions import Disband, Done
from ...model.atlas import ATLAS, BE, GERMANY, JAPAN, MAJORS, USA, USSR, unit_id
from ...model.state import AT_WAR, CONQUERED, NEUTRAL, BKState, M, at_war, enemies_at, enemy_side, remove, side_of
from ...model.tables import LIMITS
from ..politics import change_us_level
from .entry import ANY, card, french_fell, germany_fights_ussr, has_fought_for, lies_on_the_table, raises_production


# ---- production ---------------------------------------------------------------------------------------------------
def enemies_at_home(state: BKState, major: int, moment: str) -> bool:
    """Return whether enemy units stand in the country's home, the homes of the Empire included."""
    homes = ATLAS.homes[major]
    return any(not ATLAS.is_air[u] for s in homes for u in enemies_at(state, major, s))


raises_production("militia", "militia", *ANY, when=enemies_at_home)
raises_production("total_war", "total_war", *ANY, when=lambda s, n, at: has_fought_for(s, n, LIMITS["one_year"]))
raises_production("foreign_troops_recruitment", "foreign_troops", *ANY, when=germany_fights_ussr)


@card(
    "increase_us_production",
    "us-entry",
    when=lambda s, n, at: s.standing[USA] == NEUTRAL and (s.soviet_declared_on or s.uk_invaded),
    dead=lambda s: s.standing[USA] != NEUTRAL,
)
def increase_us_production(m: M, major: int, on: str) -> None:
    """[bg-card-us-production]"""
    change_us_level(m, LIMITS["us_card"])


lies_on_the_table("lend_lease_usa", "us-entry", "production", when=lambda s, n, at: s.production[USA] > 10)


def _may_lend(state: BKState, major: int, moment: str) -> bool:
    return at_war(state, GERMANY, USSR) and _uk_is_clean(state) and state.standing[BE] != CONQUERED


def _uk_is_clean(state: BKState) -> bool:
    areas = ATLAS.british_areas[ATLAS.uk]
    return not any(side_of(state, u) == state.side[GERMANY] for s in areas for u in state.here[s])


@card("lend_lease_be_ussr", *ANY, when=_may_lend)
def lend_lease_be_ussr(m: M, major: int, on: str) -> None:
    """[bg-card-lend-lease-be]"""
    state, points = m.state, LIMITS["lend_lease_be"]
    state.bonus = put(state.bonus, BE, state.bonus[BE] - points)
    state.bonus = put(state.bonus, USSR, state.bonus[USSR] + points)


# ---- units --------------------------------------------------------------------------------------------------------
lies_on_the_table("usa_builds_chinese_aircraft", "us-entry", "production")
lies_on_the_table("free_french_troops", "us-entry", "production", when=french_fell)
lies_on_the_table("national_war_china", *ANY)
lies_on_the_table("japanese_navy", dead=lambda s: s.soviet_attacked_japan or s.standing[JAPAN] == CONQUERED)


@card("national_war_ussr", "production", when=germany_fights_ussr)
def national_war_ussr(m: M, major: int, on: str) -> None:
    m.push(Disbanding())


class Disbanding(Step, frozen=True, tag="bg.disbanding"):
    """Orange units become build points. [bg-card-national-war-ussr]"""

    rule = "bg-card-national-war-ussr"

    def roles(self, m: M) -> Sequence[Role]:
        return (MAJORS[USSR],)

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        state = m.state
        units = [unit_id(u) for u in on_map(state, USSR) if ATLAS.is_orange[u]]
        out: list[Offer] = [Choices([Done()], rule=self.rule)]
        if units:
            out.append(Offer(Disband, Field("unit", "unit", OneOf(units)), rule=self.rule))
        return out

    def take(self, m: M, role: Role, action: Any) -> None:
        if isinstance(action, Done):
            m.pop()
            return
        state = m.state
        unit = ATLAS.unit_of[action.unit]
        kind = ATLAS.kind_of_unit[unit]
        worth = kind.cost - (kind.repair_cost if state.flipped[unit] else 0)
        state.points = put(state.points, USSR, state.points[USSR] + worth)
        state.orange_done = True
        remove(state, unit)


# ---- research and spies -------------------------------------------------------------------------------------------
def _may_sabotage(state: BKState, major: int, moment: str) -> bool:
    """Against the enemy that has announced a roll, never against a neutral. [bg-card-sabotage]"""
    target = state.effects.get("announced", -1)
    return target >= 0 and state.standing[target] == AT_WAR and state.side[target] != state.side[major]


@card("sabotage_on_research", "research", when=_may_sabotage)
def sabotage_on_research(m: M, major: int, on: str) -> None:
    """[bg-card-sabotage]"""
    target = m.state.effects["announced"]
    m.state.numbers = put(m.state.numbers, target, 0)
    m.emit(ev.Sabotaged(country=f"@{MAJORS[target]}"))


@card("spies", *ANY)
def spies(m: M, major: int, on: str) -> None:
    """[bg-card-spies]"""
    state = m.state
    for other in range(8):
        if state.side[other] == enemy_side(state.side[major]) and state.hands[other]:
            cards = tuple(f"@{ATLAS.card_ids[c]}" for c in state.hands[other])
            m.emit(ev.HandsSeen(country=f"@{MAJORS[other]}", cards=cards, seen_by=(MAJORS[major],)))
