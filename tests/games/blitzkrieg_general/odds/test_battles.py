"""Whole battles of Blitzkrieg General: the sums against the game itself, played with every die."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core import Match, Window
from sandtable.core.columns import put
from sandtable.core.data import Pass
from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.atlas import AIR, ARM, INF, unit_id
from sandtable.games.blitzkrieg_general.model.state import BOMBER, LAND_BATTLE, embark, mark, send, strength
from sandtable.games.blitzkrieg_general.odds.ahead import cheapest, price
from sandtable.games.blitzkrieg_general.odds.policy import Stand
from sandtable.games.blitzkrieg_general.odds.whole import fight_out, whole_battle
from sandtable.games.blitzkrieg_general.rules.battle_phase import AskRetreat, CoastalHit, Fight
from sandtable.games.blitzkrieg_general.rules.chart import army, gather, steps_left, targets
from sandtable.games.blitzkrieg_general.rules.fire import pending_aim
from sandtable.odds.sample import sample, worst
from sandtable.odds.walk import walk
from sandtable.odds.whole import whole
from tests.games.blitzkrieg_general.positions import A, Board, battle, space, unit

Losses = dict[tuple[int, int], float]
ONE_ROUND = Stand(attacker=99.0)
"""The attacker leaves after the first round, whatever happened."""


def war(scenario: str = "1939-advanced", **options: Any) -> Board:
    board = (
        Board(scenario, **options)
        .war("germany-be", "germany-france", "germany-ussr", "germany-usa")
        .own("germany", "kiev")
    )
    # two more battles wait, so that the game asks which is fought and stops when one is over
    for area in ("paris", "normandy"):
        board.add("germany-inf-4", area, origin="bnl")
        board.add("france-inf-2", area)
    return board


def lay(board: Board, where: str, attackers: list[Any], defenders: list[str], **more: Any) -> Match[Any]:
    return battle(board, where, attackers, defenders, [], **more).match


def alive(match: Match[Any], units: list[int]) -> int:
    return sum(steps_left(match.state, unit) for unit in units if match.state.place[unit] >= 0)


class Played:
    """A battle as the game itself plays it under the policy of the sums."""

    def __init__(self, match: Match[Any], where: str, stand: Stand) -> None:
        self.here, self.action, self.stand, self.first = space(where), act.Attack(where), stand, match.number
        state = match.state
        there = [u for u in range(len(A.unit_ids)) if self.here in (state.place[u], state.mission[u])]
        self.sides = (
            [u for u in there if state.side[state.nation[u]] == state.phasing],
            [u for u in there if state.side[state.nation[u]] != state.phasing],
        )
        self.start = [alive(match, units) for units in self.sides]

    def lost(self, match: Match[Any]) -> tuple[int, int]:
        ours, theirs = (start - alive(match, units) for start, units in zip(self.start, self.sides, strict=True))
        return ours, theirs

    def policy(self, now: Match[Any], role: str) -> Any:
        state, step = now.state, now.step
        if now.number == self.first:
            return self.action
        fight = state.battle
        if fight is None or fight.space != self.here:
            return None
        if isinstance(step, Window):
            return Pass()
        if isinstance(step, CoastalHit):
            return act.TakeHit(unit_id(cheapest(state, fight.invaders)))
        if isinstance(step, Fight) and step.stage == "hits":
            aim = pending_aim(fight, step.side)
            return act.TakeHit(unit_id(cheapest(state, targets(state, fight, step.side, aim))))
        if isinstance(step, Fight):
            return act.Dive(False) if step.stage == "dive" else act.Ready()
        if isinstance(step, AskRetreat):
            power = [sum(strength(state, u) for u in army(fight, n)) for n in (0, 1)]
            share = self.stand.attacker if step.side == 0 else self.stand.defender
            leaves = power[step.side] < share * power[1 - step.side]
            return act.Retreat("retreat" if leaves and "retreat" in step.choices(now.play) else "fight")
        return next(iter(now.offers(role)))


def enumerated(match: Match[Any], where: str, stand: Stand, least: float = 0.0) -> Losses:
    """Steps lost by both sides when the game itself plays every die."""
    played = Played(match, where, stand)
    found: Losses = {}
    for chance, end in walk(match, played.policy, most=5_000, least=least):
        key = played.lost(end)
        found[key] = found.get(key, 0.0) + chance
    return found


def summed(match: Match[Any], where: str, stand: Stand) -> Losses:
    odds = whole_battle(match, act.Attack(where), stand)
    assert odds is not None
    assert sum(result.probability for result in odds.results) == pytest.approx(1)
    found: Losses = {}
    for result in odds.results:
        key = (result.losses["attacker"], result.losses["defender"])
        found[key] = found.get(key, 0.0) + result.probability
    return found


def agree(one: Losses, other: Losses, within: float = 1e-9) -> None:
    assert {key for key, p in one.items() if p > within} == {key for key, p in other.items() if p > within}
    for key, chance in one.items():
        assert other.get(key, 0.0) == pytest.approx(chance, abs=within), key


@pytest.mark.parametrize(
    ("attackers", "defenders"),
    [
        (["germany-arm-5"], ["ussr-inf-4-redg"]),
        (["germany-inf-3", "germany-inf-4!"], ["ussr-inf-3-red"]),
        (["germany-inf-3"], ["ussr-inf-2-orange!", "ussr-inf-3-red"]),
        (["germany-inf-3", "guderian"], ["konev", "ussr-inf-3-red"]),
    ],
)
def test_one_round_on_land_is_what_the_game_does_with_every_die(attackers: list[str], defenders: list[str]) -> None:
    match = lay(war(), "kharkov", [(kind, "kiev") for kind in attackers], defenders)
    agree(summed(match, "kharkov", ONE_ROUND), enumerated(match, "kharkov", ONE_ROUND))


@pytest.mark.parametrize(
    ("attackers", "defenders"),
    [
        (["germany-air-4"], ["ussr-air-3-red"]),
        (["germany-air-4", "germany-inf-3"], ["ussr-inf-3-red"]),
        (["germany-air-4", "germany-inf-3"], ["ussr-air-3-red!", "ussr-inf-2-orange!"]),
    ],
)
def test_a_round_with_aircraft_is_what_the_game_does(attackers: list[str], defenders: list[str]) -> None:
    board = war()
    board.own("germany", "kiev")
    match = lay(board, "kharkov", [(kind, "kiev") for kind in attackers], defenders, flyers_from="kiev")
    agree(summed(match, "kharkov", ONE_ROUND), enumerated(match, "kharkov", ONE_ROUND))


@pytest.mark.parametrize(
    ("scenario", "attackers", "defenders"),
    [
        ("1939-advanced", ["germany-tf-4"], ["be-tf-3"]),
        ("1939-advanced", ["germany-sub-2"], ["be-tf-3", "be-conv-1"]),
        ("1939-advanced", ["germany-tf-3", "germany-sub-2"], ["be-tf-2!"]),
        ("1939-basic", ["germany-tf-4"], ["be-tf-3", "be-conv-1"]),
    ],
)
def test_a_round_at_sea_is_what_the_game_does(scenario: str, attackers: list[str], defenders: list[str]) -> None:
    match = lay(war(scenario), "north_sea", attackers, defenders)
    agree(summed(match, "north_sea", ONE_ROUND), enumerated(match, "north_sea", ONE_ROUND))


@pytest.mark.parametrize("stand", [Stand(0.0, 0.0), Stand(0.9, 0.0), Stand(0.5, 0.7)])
def test_a_whole_battle_is_what_the_game_does_round_after_round(stand: Stand) -> None:
    match = lay(war("1939-basic"), "kharkov", [("germany-inf-4", "kiev")], ["ussr-inf-4-redg"])
    agree(summed(match, "kharkov", stand), enumerated(match, "kharkov", stand, least=1e-7), within=2e-5)


def test_a_side_that_cannot_leave_fights_to_the_end() -> None:
    board = war("1939-basic").own("ussr", "kiev")
    match = lay(board, "kharkov", [("germany-inf-4", "kiev")], ["ussr-inf-4-redg"])
    odds = whole_battle(match, act.Attack("kharkov"), ONE_ROUND)
    assert odds is not None
    assert "result.withdrawn" not in {result.name for result in odds.results}


def test_the_landing_and_the_coast_are_part_of_the_battle() -> None:
    board = war()
    convoy, troops = board.add("germany-conv-1", "channel"), board.add("germany-inf-3", "bnl")
    embark(board.state, unit(troops), unit(convoy))
    send(board.state, unit(troops), space("england"))
    board.state.invasions = {**board.state.invasions, space("england"): (space("channel"),)}
    board.add("be-inf-2", "england", flipped=True)
    match = board.combat([]).match
    agree(summed(match, "england", ONE_ROUND), enumerated(match, "england", ONE_ROUND, least=1e-7), within=2e-5)


@pytest.mark.parametrize(
    ("bombers", "interceptors"),
    [(1, ()), (3, ()), (1, ("be-air-2",)), (2, ("be-air-2",)), (2, ("be-air-2", "be-air-3"))],
)
@pytest.mark.rule("bg-6.5.6-hit", "bg-6.5.6-intercept")
def test_a_raid_of_bombers_is_what_the_game_does(bombers: int, interceptors: tuple[str, ...]) -> None:
    board = war().own("germany", "bnl")
    for _ in range(bombers):
        mark(board.state, unit(board.add("germany-air-3", "bnl", mission="england")), BOMBER)
    for kind in interceptors:
        board.add(kind, "scotland", mission="england")
    match = board.combat([]).match
    played = Played(match, "england", Stand())
    wanted: dict[tuple[int, int, int], float] = {}
    for chance, end in walk(match, played.policy, most=5_000):
        key = (*played.lost(end), end.state.bombed.get(space("england"), 0))
        wanted[key] = wanted.get(key, 0.0) + chance
    odds = whole_battle(match, act.Attack("england"), Stand())
    assert odds is not None
    found: dict[tuple[int, int, int], float] = {}
    for row in odds.results:
        key = (row.losses["attacker"], row.losses["defender"], row.facts.get("bombs", 0))
        found[key] = found.get(key, 0.0) + row.probability
    assert found == pytest.approx(wanted)


def test_a_large_battle_agrees_with_many_that_were_played() -> None:
    """Six deviations: a right sum fails once in a hundred million runs. SANDTABLE_SAMPLES=1000000 plays a million."""
    samples = int(os.environ.get("SANDTABLE_SAMPLES", "400"))
    board = war()
    board.own("germany", "kiev")
    attackers = ["germany-inf-3"] * 3 + ["germany-arm-4"] * 2 + ["germany-air-4"] * 2
    defenders = ["ussr-inf-3-red"] * 4 + ["ussr-air-3-red"]
    match = lay(board, "kharkov", [(kind, "kiev") for kind in attackers], defenders, flyers_from="kiev")
    stand = Stand(0.6, 0.3)
    exact = summed(match, "kharkov", stand)
    played = Played(match, "kharkov", stand)
    counts = sample(match, played.policy, played.lost, samples, "many")
    assert farthest(exact, counts) < 6


def farthest(exact: Mapping[Any, float], counts: Mapping[Any, int]) -> float:
    """How far what each side lost is from the odds, in deviations; the pairs are too many for so few samples."""
    found = 0.0
    for side in (0, 1):
        chances: dict[Any, float] = {}
        seen: dict[Any, int] = {}
        for pair, chance in exact.items():
            chances[pair[side]] = chances.get(pair[side], 0.0) + chance
        for end, count in counts.items():
            seen[end[side]] = seen.get(end[side], 0) + count
        rare = {lost for lost, chance in chances.items() if chance * sum(seen.values()) < 20}
        found = max(found, worst(pooled(chances, rare), pooled(seen, rare)))
    return found


def pooled(row: dict[Any, Any], rare: set[Any]) -> dict[Any, Any]:
    """Rare losses as one, so that no class is too rare for the normal bound."""
    kept = {lost: number for lost, number in row.items() if lost not in rare}
    return kept | {"rare": sum(number for lost, number in row.items() if lost in rare)}


def test_a_repeated_question_is_answered_from_memory() -> None:
    match = lay(war(), "kharkov", [("germany-inf-3", "kiev")], ["ussr-inf-3-red"])
    role = match.decisions()[0]
    first = whole(match, role, act.Attack("kharkov"))
    assert whole(match, role, act.Attack("kharkov")) is first
    assert whole(match, role, act.Attack("kharkov"), {"attacker-leaves": 0.0}) is not first


def test_hits_spare_the_second_die_and_the_last_land_unit() -> None:
    """Strength times dice is what a hit costs; aircraft alone cannot hold an area."""
    units = [("germany-arm-5", "kiev"), ("germany-inf-4", "kiev"), ("germany-air-4", "kiev")]
    match = lay(war(), "kharkov", units, ["ussr-inf-3-red"], flyers_from="kiev")
    state = match.state
    fight = gather(state, space("kharkov"), LAND_BATTLE)
    armour, infantry, air = (next(u for u in fight.attackers if A.type[u] == kind) for kind in (ARM, INF, AIR))
    assert (price(state, armour)[1], price(state, infantry)[1]) == ((5 - 3) * 2, 4 - 2)
    assert cheapest(state, [armour, infantry]) == infantry
    state.flipped = put(put(state.flipped, infantry, 1), air, 1)
    state.battle = replace(fight, attackers=(infantry, air))
    assert cheapest(state, [infantry, air]) == air
    state.battle = replace(fight, attackers=(armour, infantry, air))
    assert cheapest(state, [infantry, air]) == infantry


def test_an_area_without_defenders_is_taken() -> None:
    match = lay(war(), "kharkov", [("germany-inf-4", "kiev")], ["ussr-inf-3-red"])
    fight = gather(match.state, space("kharkov"), LAND_BATTLE)
    ends = fight_out(match.clone(), replace(fight, defenders=()), Stand())
    assert {name: pytest.approx(chance) for (name, *_), chance in ends.items()} == {"capture": 1}
