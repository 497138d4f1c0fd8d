"""Exact odds: how a battle may end if it is fought out, how likely an interception or a raid is to succeed."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from math import fsum

from msgspec.structs import replace

from sandtable.core import Action, Modifier, Odds, Play, Result

from ..facts.control import control_side
from ..facts.landings import fighters_in, land_battles, landing_units
from ..facts.names import unit_of
from ..facts.whereabouts import ground_of_side
from ..model.actions import ChooseBattle, Combine, Fight, Fly, March, Raid, Separate
from ..model.atlas import ATLAS, SIDES
from ..model.kinds import GROUND
from ..model.state import M
from ..rules.battle_phase import Battle
from ..rules.blitz_phase import Blitz
from ..rules.combat_phase import LandStage
from ..rules.interception import needed
from ..rules.interception_phase import Encounter
from ..rules.strategic_phase import RaidFight
from ..rules.strength import Crossing, Volley, crossing_bonus, land_parts
from .ahead import DECIDED, aim_of, both_sides, carry_out, told
from .landing import is_landing, landing_ends, volley
from .raids import raid_odds as raid_odds
from .rounds import MOST, MOST_OF_ALL, Ends, TooLarge, ends_of
from .types import FIGHTS as FIGHTS
from .types import Types as Types

A = ATLAS
K = ATLAS.kinds
ROUND_POLICY = "policy.one-round"


def battle_ends(m: M, battle: Battle, most: int = MOST, *, keeps: bool = True) -> Ends:
    """How a battle may end; one that begins with a landing from its bombardment on."""
    if is_landing(battle):
        return landing_ends(m, battle, most)
    seen, att, dfn = both_sides(m, battle, keeps=keeps)
    return ends_of(seen, battle, att, dfn, most)


def battle_odds(m: M, battle: Battle, *, keeps: bool = True) -> Odds:
    """The battle fought out to the end, nobody retreating: for every way to end its chance and mean losses.

    `keeps`: whether the attacker keeps somebody on the ground as long as possible.
    """
    by: dict[str, tuple[float, float, float]] = {}
    for (name, one, two), chance in battle_ends(m, battle, keeps=keeps).items():
        total = by.get(name, (0.0, 0.0, 0.0))
        by[name] = (total[0] + chance, total[1] + chance * one, total[2] + chance * two)
    mine, theirs = SIDES[battle.attacker], SIDES[1 - battle.attacker]
    results = [
        Result(chance, f"result.{name}", {mine: round(one / chance), theirs: round(two / chance)})
        for name, (chance, one, two) in sorted(by.items()) if chance > 0
    ]  # fmt: skip
    lost = {mine: fsum(row[1] for row in by.values()), theirs: fsum(row[2] for row in by.values())}
    return _told(m, battle, results, lost)


def whole_battle(m: M, role: str, action: Action, most: int = MOST_OF_ALL) -> Odds | None:
    """The battle that an action starts with every pair of losses; None where it starts none, or an endless one."""
    battle = battle_of(m, role, action)
    if battle is None:
        return None
    mine, theirs = SIDES[battle.attacker], SIDES[1 - battle.attacker]
    after = _moved(m, role, action)
    try:
        ends = sorted(battle_ends(after, battle, most).items())
        results = [Result(chance, f"result.{name}", {mine: one, theirs: two}) for (name, one, two), chance in ends]
        lost = {side: sum(row.probability * row.losses[side] for row in results) for side in (mine, theirs)}
        return _told(after, battle, results, lost)
    except TooLarge:
        return None


def _told(m: M, battle: Battle, results: Sequence[Result], lost: dict[str, float]) -> Odds:
    success = fsum(row.probability for row in results if row.name in DECIDED)
    return Odds(
        title=f"@{A.names[battle.space]}", results=results, success=success, modifiers=_modifiers(m, battle),
        expected_losses=lost, policy="policy.fight-out", whose=f"@{SIDES[battle.attacker]}", aim=aim_of(battle),
    )  # fmt: skip


def round_odds(m: M, battle: Battle) -> Odds:
    """The next round alone, for battles with too many ways to go: who loses more, and how much on average."""
    step = replace(battle, round=max(1, battle.round))
    ours, theirs = step.live(m, step.att), step.live(m, step.dfn)
    seen, att, dfn = both_sides(m, step)
    spreads = [
        volley(seen, att, step.shots(m, theirs, ours, defending=True)),
        volley(seen, dfn, step.shots(m, ours, theirs, defending=False)),
    ]
    lost: list[dict[int, float]] = [{}, {}]
    for types, spread, found in zip((att, dfn), spreads, lost, strict=True):
        for counts, chance in spread.items():
            worth = types.worth(types.start) - types.worth(counts)
            found[worth] = found.get(worth, 0.0) + chance
    mine, yours = SIDES[battle.attacker], SIDES[1 - battle.attacker]
    by: dict[str, tuple[float, float, float]] = {}
    for (one, p), (two, q) in itertools.product(lost[0].items(), lost[1].items()):
        name = "ahead" if two > one else "behind" if two < one else "level"
        total = by.get(name, (0.0, 0.0, 0.0))
        by[name] = (total[0] + p * q, total[1] + p * q * one, total[2] + p * q * two)
    results = [
        Result(chance, f"result.{name}", {mine: round(one / chance), yours: round(two / chance)})
        for name, (chance, one, two) in sorted(by.items()) if chance > 0
    ]  # fmt: skip
    mean = {side: sum(worth * chance for worth, chance in found.items())
            for side, found in zip((mine, yours), lost, strict=True)}  # fmt: skip
    return Odds(
        title=f"@{A.names[battle.space]}", results=results, success=by.get("ahead", (0.0,))[0],
        modifiers=_modifiers(m, battle), expected_losses=mean, policy=ROUND_POLICY,
        whose=f"@{SIDES[battle.attacker]}", aim="aim.ahead",
    )  # fmt: skip


def _modifiers(m: M, battle: Battle) -> list[Modifier]:
    """What stands beside the printed value of the first defender on foot, for the eyes."""
    if battle.sea:
        return []
    for unit in battle.live(m, battle.dfn):
        if K.cls[m.state.kind[unit]] == GROUND:
            volley = Volley(battle.space, battle.crossing, True, battle.blitz, battle.round <= 1)
            parts = land_parts(m, unit, volley, K.combat[m.state.kind[unit]])
            told = [part for part in parts if part.name != "combat"]
            return [replace(part, value=0) if part.name in _LOWERED else part for part in told]
    return []


_LOWERED = ("surprised", "cut-off", "winter")
"""What takes the place of the printed value and is no bonus to it."""


def chance_odds(title: str, success: float, rule: str, side: int) -> Odds:
    """Odds of a search."""
    results = [Result(success, "result.success"), Result(1 - success, "result.failure")]
    named = [Modifier("rule", 0, rule)]
    return Odds(title, results, success, named, whose=f"@{SIDES[side]}", aim="aim.find")


def preview(m: M, role: str, action: Action) -> Odds | None:
    """What an action would start; None where no dice would fall or too much depends on later choices."""
    battle = battle_of(m, role, action)
    if battle is not None:
        after = _moved(m, role, action)
        try:
            return battle_odds(after, battle)
        except TooLarge:
            return None if is_landing(battle) else round_odds(after, battle)
    step = m.step
    if isinstance(action, (Combine, Separate)) and isinstance(step, Encounter):
        return _search(m, step, searchers(m, step), isinstance(action, Combine))
    if isinstance(action, Raid):
        return _raid(m, role, action)
    return _ahead(m, role, action) if isinstance(step, (Battle, RaidFight)) else None


def _ahead(m: M, role: str, action: Action) -> Odds | None:
    """The rest of the battle or raid that goes on, if the action itself needs no dice."""
    twin = Play(m.game, m.game.codec.clone(m.state), _NoDice())
    try:
        carry_out(twin, role, action)
        return in_short(told(m, action, [(1.0, twin)], MOST))
    except (_DiceFirst, TooLarge):
        return None


class _DiceFirst(Exception):
    """The action needs a die itself."""


class _NoDice:
    """Dice that must not fall."""

    def value(self, number: int, sides: int) -> int:
        raise _DiceFirst


def in_short(odds: Odds | None) -> Odds | None:
    """One row for every way to end, with its mean losses."""
    if odds is None or any(row.facts for row in odds.results):
        return odds
    names = dict.fromkeys(row.name for row in odds.results)
    rows = []
    for name in names:
        same = [row for row in odds.results if row.name == name]
        chance = sum(row.probability for row in same)
        losses = {side: round(sum(row.probability * row.losses[side] for row in same) / chance)
                  for side in odds.expected_losses}  # fmt: skip
        rows.append(Result(chance, name, losses))
    return replace(odds, results=rows)


def battle_of(m: M, role: str, action: Action) -> Battle | None:
    """The battle that an action starts or goes on with; a march: as it would stand if nobody moved any more."""
    step = m.step
    if isinstance(action, ChooseBattle) and isinstance(step, LandStage):
        space = A.index[action.space]
        attacker = land_battles(m.state)[space]
        both = fighters_in(m.state, space)
        battle = _ground(m, space, attacker, both[attacker], both[1 - attacker], step.blitz)
        return replace(battle, landing=bool(landing_units(m.state, space, attacker)))
    if isinstance(action, Fight) and isinstance(step, Battle):
        return step if step.phase.startswith("abort") else replace(step, round=step.round + 1)
    if isinstance(action, (March, Fly)) and action.path:
        space, side = A.index[action.path[-1]], A.side[A.power_index[role]]
        attacker = land_battles(m.state).get(space, -1)
        if isinstance(action, March) and control_side(m.state, space) == 1 - side:
            attacker = side if ground_of_side(m.state, space, 1 - side) else -1
        if attacker < 0:
            return None
        after = _moved(m, role, action)
        both = fighters_in(after.state, space)
        return _ground(after, space, attacker, both[attacker], both[1 - attacker], isinstance(step, Blitz))
    return None


def _moved(m: M, role: str, action: Action) -> M:
    """The match after a unit has marched or flown, with all that this does to it; otherwise the match itself."""
    if not isinstance(action, (March, Fly)):
        return m
    twin = Play(m.game, m.game.codec.clone(m.state), _NoDice())
    twin.step.take(twin, role, action)
    return twin


def searchers(m: M, step: Encounter) -> Sequence[Sequence[int]]:
    """The groups that may search together or one after the other."""
    return step.groups or tuple(step.forces(m, step.patrollers(m, step.side)))


def _search(m: M, step: Encounter, groups: Sequence[Sequence[int]], together: bool) -> Odds | None:
    """Whether the enemy is found by at least one roll.  [w2e-interception-combine]"""
    if not groups:
        return None
    if together:
        groups = [[u for group in groups for u in group]]
    missed = 1.0
    for group in groups:
        missed *= 1 - min(6, needed(m, list(group), step.space)) / 6
    return chance_odds(f"@{A.names[step.space]}", 1 - missed, "w2e-one-patrol", step.side)


def _raid(m: M, role: str, action: Raid) -> Odds:
    """The raid as it would go if nobody moved any more: fighters first, then what is left drops its bombs."""
    state = m.state
    side, at_convoy = A.side[A.power_index[role]], action.target.startswith("convoy ")
    target = int(action.target.split()[1]) if at_convoy else A.index[action.target]
    fight = RaidFight(side, at_convoy, target)
    return raid_odds(m, fight, [*fight.raiders(m), unit_of(state, action.unit)], action.target)


def _ground(m: M, space: int, attacker: int, att: Sequence[int], dfn: Sequence[int], blitz: bool) -> Battle:
    crossing = Crossing(crossing_bonus(m, space, att))
    return Battle(space, attacker, False, tuple(att), tuple(dfn), blitz=blitz, crossing=crossing)
