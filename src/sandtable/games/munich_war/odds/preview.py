"""Exact odds of this game's battles: attacks and their support (11), interception and terror bombing (16)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from sandtable.core import Action, Game, Match, Modifier, Odds, Result, Step
from sandtable.odds.walk import outcomes

from ..facts.board import air_at, board, enemy_at
from ..model.actions import Attack, Bomb, Done, Fight, Intercept, Lose, Retreat, Stand, Support
from ..model.atlas import ATLAS, COUNTRY, IDS, NOBODY, SIDES
from ..model.state import OUT, M, MunichState, lay
from ..rules.air import factor, interception_column
from ..rules.combat import (
    air_support,
    attack_strength,
    column_of,
    defense_strength,
    percentile,
    shifted_column,
    shifts,
)
from ..rules.combat_phase import CommitSupport, declare, resolve, send_wrong_air_home
from ..rules.fog import concealed
from ..rules.terror import terror_column

CLEARED = "cleared"
"""Special forces have taken the only defender."""


def preview(m: M, role: str, action: Action) -> Odds | None:
    """The distribution of the result of an attack (without support) or of a committed one.

    Before the battle begins it counts only what the attacker can see; once it is declared the stacks are open.
    """
    number = ATLAS.unit_number
    if isinstance(action, Attack) or (isinstance(action, Support) and m.state.battle is not None):
        return battle_odds(m, SIDES.index(role), action)
    if isinstance(action, Bomb):
        return terror_odds(m, number[action.unit], action.aim)
    if isinstance(action, (Intercept, Fight)):
        at, side = ATLAS.hex_number[action.target], SIDES.index(role)
        hunter = number[action.unit] if isinstance(action, Intercept) else air_at(m.state, side, at)
        return interception_odds(m, hunter, air_at(m.state, 1 - side, at))
    return None


def battle_odds(m: M, side: int, action: Attack | Support) -> Odds:
    """[mw-11.8] [mw-11.9] [mw-17.1-b] Every die of a battle, each played to its end by the rules themselves.

    An attack that is not declared yet gets the help of the airstrike over the hex and no other.
    """
    start, unseen = as_seen(m, side)
    play = start.play
    if isinstance(action, Attack):
        start.state.stack = (Rest(side),)
        declare(play, side, action)
    else:
        start.state.stack = (Rest(side), CommitSupport(side))
    send_wrong_air_home(play, side)
    battle = start.state.battle
    assert battle is not None
    if isinstance(action, Attack):
        support, policy = flown(play), "policy.attack"
    else:
        support, policy = action, "policy.battle"
    air, naval = (ATLAS.unit_number.get(unit, NOBODY) for unit in (support.air, support.naval))
    named = shifts(play, battle.target, battle.units, battle.defenders, air=air, naval=naval)
    rows: dict[tuple[str, int, int, bool], float] = {}
    for chance, end in outcomes(start, lambda twin: resolve(twin.play, side, support.air, support.naval, support.sf)):
        result = end.state.battle.result if end.state.battle is not None else ""
        play_out(end)
        lost = [_steps_left(start.state, who) - _steps_left(end.state, who) for who in (side, 1 - side)]
        key = (result or CLEARED, lost[0], lost[1], not enemy_at(end.state, side, battle.target))
        rows[key] = rows.get(key, 0.0) + chance
    rank = [*ATLAS.tables["crt_rank"], CLEARED]
    ours, foes = SIDES[side], SIDES[1 - side]
    results = [
        Result(rows[key], f"result.{key[0]}", {who: steps for who, steps in ((ours, key[1]), (foes, key[2])) if steps},
               {"emptied": 1} if key[3] else {})
        for key in sorted(rows, key=lambda key: (rank.index(key[0]), key))
    ]  # fmt: skip
    attack, defense = attack_strength(play, battle.units), defense_strength(play, battle.defenders)
    percent = percentile(attack, defense)
    column = shifted_column(column_of(percent), sum(modifier.value for modifier in named))
    return Odds(
        title=f"odds.{battle.table}", results=results, success=sum(chance for key, chance in rows.items() if key[3]),
        modifiers=named, policy=f"{policy}-hidden" if unseen >> battle.target & 1 else policy,
        expected_losses={who: sum(one.probability * one.losses.get(who, 0) for one in results) for who in SIDES},
        whose=f"@{ours}", aim="aim.empty-hex",
        basis=f"basis.column?attack={attack}&defense={defense}&percent={percent}&column={ATLAS.column_names[column]}",
    )  # fmt: skip


def flown(m: M) -> Support:
    """The help of an attack that is not declared yet: the airstrike over the hex."""
    battle = m.state.battle
    assert battle is not None
    over = air_support(m, battle.target, battle.units)
    return Support(IDS[over[0]] if over else "", "", "")


class Rest(Step, frozen=True):
    """Stands below a battle that is played out, so that nothing happens after it."""

    side: int

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)


def as_seen(m: M, side: int) -> tuple[Match[MunichState], int]:
    """[mw-15.0-a] A copy of the match without the enemy's land units that a side may not see, and the hexes they are
    in."""
    state, hexes = m.game.codec.clone(m.state), 0
    for unit in concealed(state, side):
        if state.where[unit] >= 0:
            hexes |= 1 << state.where[unit]
            lay(state, unit, OUT)
    return Match(cast("Game[MunichState]", m.game), state, m.dice, history=False), hexes


def play_out(match: Match[MunichState]) -> None:
    """Play a battle to its end."""
    match.play.settle()
    while not isinstance(match.step, Rest):
        role = match.decisions()[0]
        match.apply(role, choose(match, role))


def choose(match: Match[MunichState], role: str) -> Action:
    """The policy: who may stand stands, units with the most steps are reduced first, forts last, every retreat goes the
    first way, and nobody advances."""
    offers = match.offers(role)
    for act in (Stand, Done, Lose, Retreat):
        if offers[act]:
            return min(iter(offers[act][0]), key=lambda action: _rank(match.state, action))
    raise AssertionError(f"{type(match.step).__name__} asks in a battle")


def _rank(state: MunichState, action: Action) -> tuple[bool, int]:
    if not isinstance(action, Lose):
        return False, 0
    unit = ATLAS.unit_number[action.unit]
    return ATLAS.units[unit].fort, -state.steps[unit]


def _steps_left(state: MunichState, side: int) -> int:
    """Steps that a side has anywhere; who is eliminated has none."""
    return sum(steps for steps, country in zip(state.steps, COUNTRY, strict=True) if state.side[country] == side)


def terror_odds(m: M, unit: int, aim: str) -> Odds:
    """[mw-16.8-d] The Terror Bombing Table at the unit's factor; flak only where the bomber can see guns."""
    column, side = terror_column(m, unit), m.state.side[ATLAS.units[unit].country]
    defenders, unseen = known_defenders(m, side, m.state.where[unit])
    guns = any(ATLAS.units[other].flak or ATLAS.units[other].fort for other in defenders)
    chances: dict[str, float] = {}
    for die in range(1, 7):
        name = ATLAS.terror[die][column]
        chances[name] = chances.get(name, 0.0) + 1 / 6
    costs = {"Defiance": {SIDES[side]: 1}, "Flak": {SIDES[side]: 1} if guns else {}}
    if aim == "units":
        costs["Terror"] = {SIDES[1 - side]: 1}
    results = [Result(chance, f"terror.{name}", costs.get(name, {})) for name, chance in chances.items()]
    expected = {who: sum(result.probability * result.losses.get(who, 0) for result in results) for who in SIDES}
    return Odds(
        "odds.terror", results, chances.get("Terror", 0.0), (), expected, "policy.hidden-flak" if unseen else "",
        f"@{SIDES[side]}", f"aim.terror-{aim}", f"basis.factor?factor={factor(m, unit)}",
    )  # fmt: skip


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
    return Odds(
        "odds.interception", results, success, (Modifier("factors", difference, "mw-16.6-c"),), expected, "",
        f"@{mine}", "aim.intercept",
    )  # fmt: skip


def known_defenders(m: M, side: int, target: int) -> tuple[list[int], bool]:
    """[mw-15.0-a] The defenders that the attacker may look at, and whether others lie below them."""
    unseen = set(concealed(m.state, side))
    stack = [unit for unit in board(m.state).stack(target) if m.state.side[ATLAS.units[unit].country] != side]
    return [unit for unit in stack if unit not in unseen], any(unit in unseen for unit in stack)
