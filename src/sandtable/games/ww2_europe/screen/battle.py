"""The battle that is being fought, as the battle board shows it."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Texts
from sandtable.core.table import Battle, Force, Rank

from ..facts.names import unit_name
from ..model.atlas import ATLAS, SIDES
from ..model.state import M
from ..rules import battle_phase

A = ATLAS


def battles(m: M, texts: Texts) -> list[Battle]:
    """Return the battle on the stack, on land or at sea, with what each unit needs in the next volley."""
    found = [step for step in m.state.stack if isinstance(step, battle_phase.Battle)]
    return [_face(m, step, texts) for step in reversed(found)]


def _face(m: M, step: battle_phase.Battle, texts: Texts) -> Battle:
    here, there = step.all_left(m, step.att), step.all_left(m, step.dfn)
    return Battle(
        A.names[step.space],
        Force(SIDES[step.attacker], _ranks(m, step, here, there, texts, defending=False)),
        Force(SIDES[1 - step.attacker], _ranks(m, step, there, here, texts, defending=True)),
        round=step.round,
    )


def _ranks(
    m: M, step: battle_phase.Battle, units: Sequence[int], foes: Sequence[int], texts: Texts, *, defending: bool
) -> list[Rank]:
    """Return the units by what they need to hit, the best first; those that do not fire come last."""
    needs = dict.fromkeys(units, 0)
    for shot in step.shots(m, units, foes, defending=defending) if units and foes else ():
        needs[shot.unit] = max(needs.get(shot.unit, 0), shot.best)
    ranks = []
    for number in sorted(set(needs.values()), reverse=True):
        said = texts.say("battle.needs", number=number) if number else texts.say("battle.no-fire")
        ranks.append(Rank([unit_name(m.state, unit) for unit in units if needs[unit] == number], said))
    return ranks
