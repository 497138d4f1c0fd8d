"""The battle that is being fought, as the battle board shows it."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Texts
from sandtable.core.table import Battle, Force, Part, Rank

from ..model.atlas import ATLAS, IDS, hex_name
from ..model.state import M
from ..rules.combat import attack_strength, column_of, defense_strength, percentile, shifted_column, shifts
from .counters import country_key


def battles(m: M, texts: Texts) -> list[Battle]:
    """Return the attack that is being fought, if there is one: everybody may look at its stacks."""
    fought = m.state.battle
    if fought is None:
        return []
    here = [unit for unit in fought.units if m.state.where[unit] >= 0]
    there = [unit for unit in fought.defenders if m.state.where[unit] >= 0]
    attack, defense = attack_strength(m, here), defense_strength(m, there)
    parts, column = [], ""
    if here and there:
        found = shifts(m, fought.target, here, there, air=fought.air, naval=fought.naval, sf_works=fought.sf_works)
        start = column_of(percentile(attack, defense))
        end = shifted_column(start, sum(shift.value for shift in found))
        column = texts.say("battle.column", percent=percentile(attack, defense), start=ATLAS.column_names[start],
                           end=ATLAS.column_names[end], table=f"@{fought.table}")  # fmt: skip
        parts = [Part(texts.say(f"modifier.{shift.name}"), f"{shift.value:+d}", shift.rule) for shift in found]
    return [
        Battle(
            hex_name(fought.target),
            Force(_side(here or fought.units), _ranks(here), texts.say("battle.attack", number=attack)),
            Force(_side(there or fought.defenders), _ranks(there), texts.say("battle.defense", number=defense)),
            column=column,
            parts=parts,
        )
    ]


def _side(units: Sequence[int]) -> str:
    return country_key(ATLAS.units[units[0]].country) if units else ""


def _ranks(units: Sequence[int]) -> list[Rank]:
    return [Rank([IDS[unit] for unit in units])] if units else []
