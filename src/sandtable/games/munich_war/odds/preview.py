"""Exact odds of this game's battles: attacks and their support (11), interception and terror bombing (16)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Action, Modifier, Odds, Result

from ..facts.board import air_at, board
from ..model.actions import Attack, Bomb, Fight, Intercept, Support
from ..model.atlas import ATLAS, NOBODY, SIDES
from ..model.state import M
from ..rules.air import factor, interception_column
from ..rules.combat import attack_strength, column_of, defense_strength, percentile, shifted_column, shifts
from ..rules.fog import concealed
from ..rules.results import RESULTS, flak_hits
from ..rules.terror import terror_column

_CLEARED = "cleared"
"""Special forces have taken the only defender."""


def preview(m: M, role: str, action: Action) -> Odds | None:
    """The distribution of the result of an attack (without support) or of a committed one.

    Before the battle begins it counts only what the attacker can see; once it is declared the stacks are open.
    """
    number = ATLAS.unit_number
    if isinstance(action, Attack):
        return battle_odds(
            m, SIDES.index(role), ATLAS.hex_number[action.target], [number[name] for name in action.units], action.table
        )
    if isinstance(action, Bomb):
        return terror_odds(m, number[action.unit])
    if isinstance(action, (Intercept, Fight)):
        at, side = ATLAS.hex_number[action.target], SIDES.index(role)
        hunter = number[action.unit] if isinstance(action, Intercept) else air_at(m.state, side, at)
        return interception_odds(m, hunter, air_at(m.state, 1 - side, at))
    battle = m.state.battle
    if isinstance(action, Support) and battle is not None:
        return battle_odds(
            m, SIDES.index(role), battle.target, battle.units, battle.table, air=number.get(action.air, NOBODY),
            naval=number.get(action.naval, NOBODY), sf=number.get(action.sf, NOBODY),
        )  # fmt: skip
    return None


def battle_odds(
    m: M, side: int, target: int, units: Sequence[int], table: str, *, air: int = NOBODY, naval: int = NOBODY,
    sf: int = NOBODY,
) -> Odds:  # fmt: skip
    """[mw-11.8] [mw-11.9] [mw-17.1-b] Every die of the table, and of special forces where they are sent.

    A team that gets through costs a fortification a step, one that does not is lost. A fortification that was alone
    and loses its last step leaves the hex cleared without a battle.  [mw-17.1-g]
    """
    battle = m.state.battle
    rows: dict[tuple[str, int, int], float] = {}
    named: Sequence[Modifier] = ()
    known, unseen = known_defenders(m, side, target)
    works_chance = len(ATLAS.units[sf].success) / 6 if sf != NOBODY else 0.0
    for works, chance in ((True, works_chance), (False, 1 - works_chance)):
        if not chance:
            continue
        broken = [unit for unit in known if ATLAS.units[unit].fort][:1] if works else []
        gone = [unit for unit in broken if m.state.steps[unit] == 1]
        defenders = [unit for unit in known if unit not in gone]
        lost = m.state.steps[sf] if sf != NOBODY and not works else 0
        if gone and not defenders and not unseen:
            rows[_CLEARED, 0, 1] = chance
            continue
        defense = defense_strength(m, known) - (_fort_loss(m, known) if works else 0)
        found = shifts(m, target, units, defenders, air=air, naval=naval, sf_works=works)
        named = named or found
        start = column_of(percentile(attack_strength(m, units), defense))
        column = shifted_column(start, sum(modifier.value for modifier in found))
        for die in range(1, 7):
            name = ATLAS.crt[table][die][column]
            mine, theirs = _losses(m, defenders, units, name, len(broken) - len(gone))
            shot = battle is not None and air != NOBODY and flak_hits(battle, die)
            key = (name, mine + lost + shot, theirs + len(broken))
            rows[key] = rows.get(key, 0.0) + chance / 6
    rank = [*ATLAS.tables["crt_rank"], _CLEARED]
    ours, foes = SIDES[side], SIDES[1 - side]
    results = [
        Result(rows[key], f"result.{key[0]}", {who: steps for who, steps in ((ours, key[1]), (foes, key[2])) if steps})
        for key in sorted(rows, key=lambda key: (rank.index(key[0]), key))
    ]
    success = sum(
        chance for (name, *_), chance in rows.items()
        if name == _CLEARED or RESULTS[name].defenders_retreat or RESULTS[name].defenders_die
    )  # fmt: skip
    expected = {who: sum(result.probability * result.losses.get(who, 0) for result in results) for who in SIDES}
    return Odds(
        title=f"odds.{table}", results=results, success=success, modifiers=named,
        expected_losses=expected, policy="policy.hidden" if unseen else "policy.losses",
    )  # fmt: skip


def terror_odds(m: M, unit: int) -> Odds:
    """[mw-16.8-d] The Terror Bombing Table at the unit's factor; flak only where the bomber can see guns."""
    column, side = terror_column(m, unit), m.state.side[ATLAS.units[unit].country]
    defenders, unseen = known_defenders(m, side, m.state.where[unit])
    guns = any(ATLAS.units[other].flak or ATLAS.units[other].fort for other in defenders)
    chances: dict[str, float] = {}
    for die in range(1, 7):
        name = ATLAS.terror[die][column]
        chances[name] = chances.get(name, 0.0) + 1 / 6
    results = [
        Result(chance, f"terror.{name}", {SIDES[side]: 1} if name == "Defiance" or (name == "Flak" and guns) else {})
        for name, chance in chances.items()
    ]
    expected = {SIDES[side]: sum(result.probability * result.losses.get(SIDES[side], 0) for result in results)}
    policy = "policy.hidden-flak" if unseen else "policy.losses"
    return Odds("odds.terror", results, chances.get("Terror", 0.0), (), expected, policy)


def interception_odds(m: M, hunter: int, victim: int) -> Odds:
    """[mw-16.6-c] The Interception Combat Table at the difference of the factors."""
    difference = factor(m, hunter) - factor(m, victim)
    column = interception_column(difference)
    mine, theirs = (SIDES[m.state.side[ATLAS.units[unit].country]] for unit in (hunter, victim))
    hurt = {"AE": (m.state.steps[hunter], 0), "AL": (1, 0), "DB": (0, 0), "DE": (0, m.state.steps[victim]),
            "DL": (0, 1), "ML": (1, 1)}  # fmt: skip
    chances: dict[str, float] = {}
    for die in range(1, 7):
        name = ATLAS.interception[die][column]
        chances[name] = chances.get(name, 0.0) + 1 / 6
    results = [
        Result(chance, f"interception.{name}", {mine: hurt[name][0], theirs: hurt[name][1]})
        for name, chance in chances.items()
    ]
    success = sum(chance for name, chance in chances.items() if name in ("DB", "DE", "DL", "ML"))
    expected = {who: sum(result.probability * result.losses[who] for result in results) for who in (mine, theirs)}
    named = (Modifier("factors", difference, "mw-16.6-c"),)
    return Odds("odds.interception", results, success, named, expected, "policy.losses")


def _fort_loss(m: M, defenders: Sequence[int]) -> int:
    """Defence that a fortification loses when special forces break in."""
    for unit in defenders:
        face = ATLAS.units[unit]
        if face.fort:
            steps = m.state.steps[unit]
            return face.defense[steps] - face.defense[steps - 1]
    return 0


def known_defenders(m: M, side: int, target: int) -> tuple[list[int], bool]:
    """[mw-15.0-a] The defenders that the attacker may look at, and whether others lie below them."""
    unseen = set(concealed(m.state, side))
    stack = [unit for unit in board(m.state).stack(target) if m.state.side[ATLAS.units[unit].country] != side]
    return [unit for unit in stack if unit not in unseen], any(unit in unseen for unit in stack)


def _losses(m: M, defenders: Sequence[int], units: Sequence[int], result: str, reduced: int) -> tuple[int, int]:
    """Steps that a result costs attacker and defender by its text alone, retreats left aside.

    `reduced`: steps that the defenders have lost to special forces before.
    """
    row = RESULTS[result]
    steps = m.state.steps
    lost = row.steps_of_attackers(len(units), len(defenders)) + row.tanks_reduced
    hurt = row.steps_of_defenders(len(defenders))
    if row.attackers_die:
        lost = sum(steps[unit] for unit in units)
    if row.defenders_die:
        hurt = sum(steps[unit] for unit in defenders) - reduced
    return lost, hurt
