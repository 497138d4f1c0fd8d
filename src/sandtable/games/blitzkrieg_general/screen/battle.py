"""The battle that is being fought, as the battle board shows it."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Texts
from sandtable.core.table import Battle, Force, Part, Rank

from ..model.atlas import ATLAS, MAJORS, unit_id
from ..model.state import AT_LAND, BKState
from ..rules.chart import AIMS
from ..rules.fire import shots_of
from ..rules.strength import parts_of, total


def battles(state: BKState, texts: Texts) -> list[Battle]:
    """Return the battle on the chart, if one is fought: segments of both sides, with what each unit hits on."""
    fought = state.battle
    if fought is None:
        return []
    sides = (fought.attackers, fought.defenders)
    here, there = (Force(_side(state, units), _ranks(state, units, texts)) for units in sides)
    return [Battle(ATLAS.space_ids[fought.space], here, there, round=fought.round)]


def _side(state: BKState, units: Sequence[int]) -> str:
    nations = [state.nation[unit] for unit in units if state.nation[unit] < len(MAJORS)]
    return MAJORS[nations[0]] if nations else ""


def _ranks(state: BKState, units: Sequence[int], texts: Texts) -> list[Rank]:
    """Return the units by segment and strength, with everything that makes the strength."""
    assert state.battle is not None
    rows: dict[tuple[int, int, int], list[int]] = {}
    for unit in units:
        aim = state.battle.aim.get(unit, AT_LAND)
        value = total(parts_of(state, state.battle, unit, aim))
        rows.setdefault((aim, -value, -shots_of(state, state.battle, unit)), []).append(unit)
    ranks = []
    for (aim, value, dice), found in sorted(rows.items()):
        parts = [
            Part(
                texts.say(f"modifier.{word}") if f"modifier.{word}" in texts else texts.name(f"@{word}"),
                f"{n:+d}",
                rule,
            )
            for word, n, rule in parts_of(state, state.battle, found[0], aim)
        ]
        target = texts.say(f"choice.assign.{AIMS[aim]}")
        said = texts.say("battle.needs", number=-value, dice=-dice, aim=target[:1].lower() + target[1:])
        ranks.append(Rank([unit_id(unit) for unit in found], said if value else texts.say("battle.no-fire"), parts))
    return ranks
