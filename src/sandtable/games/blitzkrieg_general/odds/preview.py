"""Exact odds of the next round of a battle: how many hits each side scores."""

from __future__ import annotations

from typing import Any

from sandtable.core import Odds, Play, Result
from sandtable.odds.dice import hits

from ..model.actions import Attack, React, Ready, Reserve
from ..model.atlas import ATLAS
from ..model.state import AT_LAND, LAND_BATTLE, SEA_BATTLE, Battle, BKState
from ..rules.chart import army, gather, set_aims
from ..rules.fire import volley
from ..rules.strength import effective, extra_dice, modifiers_of
from .ahead import AFTER, ANSWER, CHART, ROUND, begin, carry_out, is_fighting, next_battle, standing


def shots(state: BKState, battle: Battle, side: int) -> list[int]:
    """The strength of every die a side throws in a round."""
    out: list[int] = []
    for number in (0, 1, 2):
        for who, unit in volley(state, battle, number):
            if who == side:
                value = effective(state, battle, unit, battle.aim.get(unit, AT_LAND))
                if value > 0:
                    out += [value] * ATLAS.shots[unit]
    if side == 1:
        out += [value for _, value in extra_dice(state, battle)]
    return out


def round_odds(state: BKState, battle: Battle) -> Odds:
    """Both sides' hits in the round as it stands now."""
    attack, defend = (hits(tuple(dice), len(dice)) for dice in (shots(state, battle, 0), shots(state, battle, 1)))
    results = [
        Result(p * q, "hits", {"attacker": taken, "defender": given})
        for given, p in enumerate(attack)
        for taken, q in enumerate(defend)
        if p * q > 0
    ]
    success = sum(r.probability for r in results if r.losses["defender"] > r.losses["attacker"])
    parts = [m for u in army(battle, 0)[:1] for m in modifiers_of(state, battle, u, battle.aim.get(u, AT_LAND))]
    return Odds(
        title="round",
        results=results,
        success=success,
        modifiers=parts,
        expected_losses={
            "attacker": sum(n * q for n, q in enumerate(defend)),
            "defender": sum(n * p for n, p in enumerate(attack)),
        },
        policy="one-round",
    )


def preview(m: Play[BKState], role: str, action: Any) -> Odds | None:
    """The first round of a battle about to be chosen, or the next one of the battle that the action goes on with."""
    state = m.state
    if isinstance(action, Ready) and state.battle is not None:
        return round_odds(state, state.battle)
    if isinstance(action, Attack):
        space = ATLAS.space_of[action.space]
        battle = set_aims(state, gather(state, space, SEA_BATTLE if ATLAS.is_sea[space] else LAND_BATTLE))
        return round_odds(state, battle) if battle.attackers and battle.defenders else None
    if is_fighting(m) or isinstance(action, (React, Reserve)):
        return _next_round(Play(m.game, m.game.codec.clone(state), _NoDice()), role, action)
    return None


def _next_round(m: Play[BKState], role: str, action: Any) -> Odds | None:
    """The round that comes after the action when both sides fight on; None where other dice fall before it."""
    fighting = is_fighting(m)
    try:
        carry_out(m, role, action)
        space = None if fighting or m.state.battle is not None else next_battle(m, action)
        if space is not None:
            begin(m, space)
    except _DiceFirst:
        return None
    battle, at = m.state.battle, standing(m)
    if battle is None or at not in (ROUND, CHART, AFTER, ANSWER) or not (battle.attackers and battle.defenders):
        return None
    if at != CHART:
        battle = set_aims(m.state, battle)
    return round_odds(m.state, battle)


class _DiceFirst(Exception):
    """The action needs a die itself."""


class _NoDice:
    """Dice that must not fall."""

    def value(self, number: int, sides: int) -> int:
        raise _DiceFirst
