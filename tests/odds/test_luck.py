"""The luck of dice: centred by its own sums, and the same chances as the odds engine, battle by battle."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from sandtable.core import Action, End, Game, Match, Rolled, ScriptedDice
from sandtable.core.data import HOUSEKEEPING
from sandtable.games import find
from sandtable.lab.proof import every_fall
from sandtable.odds import luck
from sandtable.odds.luck import Fall
from sandtable.odds.walk import TooMany, outcomes
from sandtable.players import Budget, take_turn
from sandtable.players import find as find_player
from sandtable.testing import random_play
from tests.demo.game import GAME as DEMO

Throw = tuple[Match[Any], Match[Any], str, Action, list[Rolled]]


def moves_of(game: Game[Any], scenario: str, level: str, seed: str, most: int = 100_000) -> list[tuple[str, Action]]:
    match: Match[Any] = Match.new(game, scenario, seed=seed)
    players = {role: find_player(level, game)(game, f"{seed}/{role}") for role in match.roles}
    while not match.over and match.number < most:
        role = match.decisions()[0]
        take_turn(match, role, players[role], Budget(5.0))
    return [(entry.role, entry.action) for entry in match.log if type(entry.action) not in HOUSEKEEPING]


def throws(game: Game[Any], scenario: str, level: str, seed: str, most: int = 100_000) -> Iterator[Throw]:
    """Every move of a match in which dice fell, with the match before and after it."""
    match: Match[Any] = Match.new(game, scenario, seed=seed)
    for role, action in moves_of(game, scenario, level, seed, most):
        before = match.clone()
        rolled = [event for event in match.apply(role, action) if isinstance(event, Rolled)]
        if rolled:
            yield before, match, role, action, rolled


def demo_falls(seed: int) -> list[Fall]:
    match = Match.new(DEMO, "war", seed=seed)
    random_play(match, Random(seed), most=400)
    again = Match.new(DEMO, "war", seed=seed)
    moves = [(entry.role, entry.action) for entry in match.log]
    return [fall for _, fallen in luck.falls(again, moves) for fall in fallen]


def balance(game: Game[Any], falls: list[Fall], side: str, family: str) -> tuple[float, float]:
    """Real less expected, and its variance."""
    weights = luck.weights_for(game, family, side)({name for fall in falls for name in fall.real})
    spreads = [fall.spread(weights) for fall in falls]
    real = math.fsum(fall.result(weights) for fall in falls)
    return real - math.fsum(map(luck.mean, spreads)), math.fsum(map(luck.variance, spreads))


# ---- its own sums
def a_battle() -> Throw:
    """A throw of two dice that decides about steps."""
    return next(
        throw
        for seed in range(50)
        for throw in throws(DEMO, "war", "recruit", str(seed))
        if len(throw[4]) == 2 and luck.weigh(*throw)[0].real
    )


@pytest.mark.parametrize("most", [36, 0], ids=["together", "die by die"])
def test_the_luck_of_a_throw_is_nothing_on_average_over_all_its_falls(most: int) -> None:
    before, _, role, action, rolled = a_battle()
    sums: dict[str, float] = {}
    first, chances, size = before.state.rolled, 0.0, 0.0
    for faces in [(a, b) for a in range(1, 7) for b in range(1, 7)]:
        start = before.clone()
        start.play.dice = ScriptedDice([*faces, *range(1, 7)], first=first)
        after = start.clone()
        fallen = [event for event in after.apply(role, action) if isinstance(event, Rolled)]
        found = luck.weigh(start, after, role, action, fallen, most=most)
        assert len(found) == (1 if most else len(rolled))
        chances += 1 / 36
        for fall in found:
            assert math.isclose(math.fsum(chance for chance, _ in fall.ways), 1.0)
            assert not fall.real or dict(fall.real) in [dict(way) for _, way in fall.ways], (
                "what fell could have fallen"
            )
            for name in fall.real:
                mine = fall.real[name] - luck.mean(fall.spread({name: 1.0}))
                sums[name] = sums.get(name, 0.0) + mine / 36
                size += abs(mine) / 36
    assert math.isclose(chances, 1.0)
    assert size > 0.5, "these dice matter"
    assert all(abs(value) < 1e-9 for value in sums.values()), sums


def test_the_ledger_of_many_matches_is_centred() -> None:
    total = spread = size = 0.0
    for seed in range(60):
        found, variance = balance(DEMO, demo_falls(seed), "red", "strength")
        total, spread, size = total + found, spread + variance, size + abs(found)
    assert size > 60, "in most matches somebody is lucky"
    assert abs(total) / math.sqrt(spread) < 3.0, (total, spread)


@pytest.mark.parametrize(("name", "scenario"), [("hitlers-war", "barbarossa"), ("munich-war", "little-entente")])
def test_the_ledger_of_a_game_is_centred(name: str, scenario: str) -> None:
    game, total, spread = find(name), 0.0, 0.0
    for seed in range(6):
        match: Match[Any] = Match.new(game, scenario, seed=str(seed))
        moves = moves_of(game, scenario, "recruit", str(seed))
        falls = [fall for _, fallen in luck.falls(match, moves) for fall in fallen]
        found, variance = balance(game, falls, "axis", game.stakes[0])
        total, spread = total + found, spread + variance
    assert spread > 0
    assert abs(total) / math.sqrt(spread) < 3.0, (total, spread)


def test_dice_that_are_too_many_are_turned_one_by_one() -> None:
    before, after, role, action, rolled = a_battle()
    alone = luck.weigh(before, after, role, action, rolled, most=0)
    assert [fall.dice[0].number for fall in alone] == [die.number for die in rolled]
    assert all(len({chance for chance, _ in fall.ways}) >= 1 and len(fall.ways) <= 6 for fall in alone)


# ---- the chance of being so lucky
def test_the_chance_of_so_much_luck_is_that_of_the_sum_of_dice() -> None:
    die = [(1 / 6, float(face)) for face in range(1, 7)]
    at_least, at_most = luck.chance_of([die, die], 11.0)
    assert math.isclose(at_least, 3 / 36)
    assert math.isclose(at_most, 35 / 36)
    assert luck.chance_of([], 0.0) == (1.0, 1.0)


def test_the_chance_is_that_of_counting_where_values_are_uneven() -> None:
    coins = [[(0.5, 0.0), (0.5, size)] for size in (0.3, 1.0, 2.7, 0.3)]
    total = 3.0
    sums = [math.fsum(c[pick][1] for c, pick in zip(coins, picks, strict=True)) for picks in _picks(len(coins))]
    at_least, _ = luck.chance_of(coins, total)
    assert abs(at_least - sum(value >= total for value in sums) / len(sums)) < 0.15


def _picks(number: int) -> list[tuple[int, ...]]:
    return [tuple(value >> place & 1 for place in range(number)) for value in range(1 << number)]


# ---- the odds engine
@pytest.mark.parametrize(
    ("name", "scenario", "level", "most", "least", "policy"),
    [
        ("hitlers-war", "barbarossa", "captain", 400, 40, True),
        ("munich-war", "little-entente", "captain", 300, 15, True),
        ("blitzkrieg-general", "1939-basic", "recruit", 1000, 2, False),
        ("ww2-europe", "spring-1941", "recruit", 900, 3, False),
    ],
)
def test_the_ledger_agrees_with_the_odds_engine_battle_by_battle(
    name: str, scenario: str, level: str, most: int, least: int, policy: bool
) -> None:
    """What the engine plays for a card, up to the last hit of the throw, has the spread that the ledger has.

    Hits are taken by the policy of the card, where it takes them one throw at a time.
    """
    game, compared = find(name), 0
    for before, after, role, action, rolled in throws(game, scenario, level, "1", most):
        card = before.preview(role, action)
        trial = None if card is None else game.trial(before, role, action, card)
        if trial is None or trial.after is not None or len(trial.starts) > 1 or len(rolled) > 3:
            continue
        prepared = trial.starts[0][1]
        twin = prepared.clone()
        twin.play.dice = before.play.dice
        if [event for event in twin.apply(role, action) if isinstance(event, Rolled)] != rolled:
            continue  # dice of other things that the same move brings are left out of the card
        found = luck.weigh(before, after, role, action, rolled, most=216)
        if len(found) > 1:
            continue
        start, names = luck._stakes(prepared), found[0].real
        if start != luck._stakes(before):
            continue  # something is hidden from the role, and the card tells of what it sees

        def decide(match: Match[Any], asked: str, trial: Any = trial) -> Action | None:
            return trial.decide(match, asked) if policy and game.losses(match, asked) else None

        def end(match: Match[Any], notes: Any, start: Any = start, names: Any = names) -> End:
            twin = match.clone()
            if not policy:
                luck._take_losses(twin)
            now = luck._stakes(twin)
            return End("", tuple((name, now[name] - start[name]) for name in names))

        try:
            spread = every_fall(trial._replace(decide=decide, end=end, fold=None))
        except TooMany:
            continue
        mine = {tuple(way.items()): chance for chance, way in found[0].ways}
        theirs: dict[Any, float] = {key.losses: chance for key, chance in spread.items()}
        assert mine.keys() == theirs.keys(), (role, action, mine, theirs)
        assert all(math.isclose(mine[key], theirs[key]) for key in mine), (role, action)
        compared += 1
    assert compared >= least


def test_expected_losses_are_those_of_the_card() -> None:
    game, compared = find("hitlers-war"), 0
    for seed in ("1", "2", "3"):
        for before, after, role, action, rolled in throws(game, "barbarossa", "captain", seed):
            card = before.preview(role, action)
            found = luck.weigh(before, after, role, action, rolled)
            if card is None or not card.expected_losses or len(found) > 1 or len({die.why for die in rolled}) > 1:
                continue  # no losses, too many dice, or the move brings other dice than those of the card
            for side, lost in card.expected_losses.items():
                if f"strength.{side}" in found[0].real:  # else the loss is certain
                    mean = luck.mean(found[0].spread({f"strength.{side}": 1.0}))
                    assert math.isclose(-mean, lost, abs_tol=1e-9), (role, action, card, found)
                    compared += 1
    assert compared > 10


def test_every_way_that_dice_can_fall_is_weighed() -> None:
    before, after, role, action, rolled = a_battle()
    fall = luck.weigh(before, after, role, action, rolled)[0]
    ends = outcomes(before, lambda twin: twin.apply(role, action))
    assert len(ends) == 36
    assert len(fall.ways) <= 36
    assert math.isclose(math.fsum(chance for chance, _ in fall.ways), 1.0)
