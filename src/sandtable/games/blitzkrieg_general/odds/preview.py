"""Exact odds of the next round of a battle: how many hits each side scores."""

from __future__ import annotations

from typing import Any

from sandtable.core import Odds, Play, Result
from sandtable.odds.dice import hits

from ..model.actions import Announce, Attack, PlayCard, React, Ready, Reserve
from ..model.atlas import ATLAS, MAJORS
from ..model.state import AT_LAND, LAND_BATTLE, SEA_BATTLE, Battle, BKState
from ..rules.chart import army, gather, set_aims
from ..rules.fire import volley
from ..rules.strength import effective, extra_dice, modifiers_of
from .ahead import AFTER, ANSWER, CHART, ROUND, begin, carry_out, is_fighting, next_battle, standing
from .policy import whose


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


def announced(state: BKState, role: str) -> Odds:
    """The announced die of research. [bg-7.5-roll]"""
    numbers = state.numbers[MAJORS.index(role)]
    chance = min(6, numbers) / 6
    results = [Result(chance, "result.advance"), Result(1 - chance, "result.no-advance")]
    return Odds(
        "odds.research", results, chance, policy="policy.no-sabotage", whose=f"@{role}", aim="aim.advance",
        basis=f"basis.numbers?numbers={numbers}",
    )  # fmt: skip


def coup_odds(number: int, role: str) -> Odds:
    """The two dice of a coup. [bg-card-general-coup]"""
    row = ATLAS.cards[number].coup
    assert row is not None
    totals = [one + two for one in range(1, 7) for two in range(1, 7)]
    results = [
        Result(sum(low <= total <= high for total in totals) / len(totals), f"@coup-{name}")
        for name, (low, high) in (("success", row.success), ("no_effect", row.no_effect), ("counter", row.counter))
    ]
    basis = f"basis.coup?low={row.success[0]}&high={row.success[1]}"
    return Odds("odds.coup", results, results[0].probability, whose=f"@{role}", aim="aim.coup", basis=basis)


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
        whose=whose(state, battle.attackers),
        aim="aim.round",
    )


def single_roll(state: BKState, role: str, action: Any) -> Odds | None:
    """A roll that is no battle: for research, or of a coup."""
    if isinstance(action, Announce):
        return announced(state, role)
    if isinstance(action, PlayCard) and action.on != "surrender":
        number = ATLAS.card_of[action.card]
        return coup_odds(number, role) if ATLAS.cards[number].coup is not None else None
    return None


def preview(m: Play[BKState], role: str, action: Any) -> Odds | None:
    """The first round of a battle about to be chosen, or the next one of the battle that the action goes on with."""
    state = m.state
    if (rolled := single_roll(state, role, action)) is not None:
        return rolled
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
