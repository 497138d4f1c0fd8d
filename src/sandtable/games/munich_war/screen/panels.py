"""The record sheets of the Table: powers, score, and the battle being fought."""

from __future__ import annotations

from sandtable.core import Modifier, Texts
from sandtable.core.table import Panel, Row

from ..facts.board import enemy_at
from ..model.atlas import ALLIES, ATLAS, AXIS, NOBODY, SIDES
from ..model.state import M
from ..rules.combat import attack_strength, column_of, defense_strength, percentile, shifted_column, shifts
from ..rules.fog import is_keeper
from ..rules.mobilization import income
from ..rules.victory import city_points, mannerheim_points, score, unit_points


def panels(m: M, side: int, texts: Texts) -> list[Panel]:
    found = [powers_panel(m, side, texts), score_panel(m, texts)]
    if m.state.battle is not None:
        found.insert(0, battle_panel(m, texts))
    return found


def powers_panel(m: M, side: int, texts: Texts) -> Panel:
    """Every country in the match: whose it is, its points, its trains."""
    state = m.state
    plan = ATLAS.plans.get(state.plan)
    rows = []
    for country in ATLAS.countries:
        if plan is None or country.index not in plan.deployer:
            continue
        who = state.side[country.index]
        status = texts.say("status.surrendered") if state.fallen[country.index] else ""
        if not status:
            status = texts.name(f"@{SIDES[who]}") if who != NOBODY else texts.say("status.neutral")
        mine = is_keeper(state, country.index, side)
        points = str(state.rp[country.index]) if mine and (who != NOBODY or state.rp[country.index]) else ""
        due = str(income(m, country.index)) if who != NOBODY else ""
        trains = f"{state.rail_used[country.index]}/{country.rail_capacity}"
        refs = [ATLAS.hex_name[at] for at in (country.capital, *country.mobilization) if at != NOBODY]
        rows.append(Row([texts.name(f"@{country.name}"), status, due, points, trains], refs))
    columns = [texts.say(f"column.{name}") for name in ("country", "status", "income", "points", "trains")]
    return Panel("powers", texts.say("panel.powers"), columns=columns, rows=rows)


def score_panel(m: M, texts: Texts) -> Panel:
    """Victory points as they stand."""
    rows = []
    totals = score(m, AXIS), score(m, ALLIES)
    for side in (AXIS, ALLIES):
        cities = [at for at in _cities() if city_points(m, side, at)]
        worth = sum(city_points(m, side, at) for at in cities) + mannerheim_points(m, side)
        cells = [texts.name(f"@{SIDES[side]}"), str(worth), str(unit_points(m, side)), str(totals[side])]
        rows.append(Row(cells, [ATLAS.hex_name[at] for at in cities]))
    rows.append(Row([texts.say("column.difference"), "", "", str(totals[AXIS] - totals[ALLIES])], head=True))
    columns = [texts.say(f"column.{name}") for name in ("side", "cities", "units", "total")]
    return Panel("score", texts.say("panel.score"), columns=columns, rows=rows)


def _cities() -> list[int]:
    hexes = ATLAS.key_cities | ATLAS.reich_objectives
    return [at for at in range(ATLAS.hex_count) if hexes >> at & 1]


def battle_panel(m: M, texts: Texts) -> Panel:
    """Strengths, shifts by name and rule, and the column as it stands now."""
    battle = m.state.battle
    assert battle is not None
    attackers = [unit for unit in battle.units if m.state.steps[unit] and m.state.where[unit] >= 0]
    defenders = enemy_at(m.state, m.state.phasing, battle.target)
    rows = [
        Row([texts.say("column.attack"), str(attack_strength(m, attackers))]),
        Row([texts.say("column.defense"), str(defense_strength(m, defenders))]),
    ]
    if attackers and defenders and not battle.result:
        percent = percentile(attack_strength(m, attackers), defense_strength(m, defenders))
        found: list[Modifier] = shifts(m, battle.target, attackers, defenders)
        rows.append(Row([texts.say("column.percent"), f"{percent} %"]))
        rows += [Row([f"{texts.say(f'modifier.{part.name}')} [{part.rule}]", f"{part.value:+d}"]) for part in found]
        column = shifted_column(column_of(percent), sum(part.value for part in found))
        rows.append(Row([texts.say("column.column"), ATLAS.column_names[column]], head=True))
    if battle.result:
        rows.append(Row([texts.say("column.result"), f"{battle.result}: {texts.say(f'result.{battle.result}')}"]))
    title = texts.say("panel.battle", hex=ATLAS.hex_name[battle.target], table=f"@{battle.table}")
    return Panel("battle", title, rows=rows)
