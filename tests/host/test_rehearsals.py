"""What if: computer players play on from what a role may know."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from sandtable.core import Match
from sandtable.games import find
from sandtable.host.asides import do
from sandtable.host.rehearsals import Rehearse, rehearse
from sandtable.testing import random_play
from tests.demo.game import GAME as DEMO

from .conftest import ONE_EACH, PLAN, World, in_memory, play
from .test_luck import asked

ALONE = [{"roles": ["red"]}, {"roles": ["blue", "green"], "kind": "computer"}]


def task_of(match: Match[Any], role: str, **more: Any) -> Rehearse:
    view = match.view(role)
    words = {"tried": (), "level": "recruit", "turns": 1, "first": 0, "count": 8, "seconds": 60.0, **more}
    return Rehearse(
        match.game.id, match.game.rules_version, role, view.number, tuple(view.asked),
        match.game.codec.pack(view.state), **words,
    )  # fmt: skip


def test_rehearsals_say_how_often_each_side_wins() -> None:
    async def scene(world: World) -> None:
        match, secrets = await world.create(ALONE)
        await world.host.computers.idle()
        client = await world.join(match, secrets[0])
        whole = (await asked(client, type="rehearse", role="red", level="recruit", count=6))["value"]
        assert whole["played"] >= 1
        assert sum(whole["wins"].values()) + whole["draws"] >= whole["played"] - whole["stuck"]
        number = client.state["info"]["number"]
        tried = (await asked(client, type="rehearse", role="red", level="recruit", count=3, turns=1, actions=[PLAN]))[
            "value"
        ]
        assert tried["played"] >= 1
        assert client.state["info"]["number"] == number, "nothing has happened in the match"

    play(scene)


def test_parts_of_the_rehearsals_add_up_to_all_of_them() -> None:
    match = Match.new(DEMO, "war", seed=3)
    random_play(match, Random(3), most=20)
    whole = rehearse(task_of(match, "red", turns=0, count=6))
    parts = [rehearse(task_of(match, "red", turns=0, first=first, count=2)) for first in (0, 2, 4)]
    assert whole.played == sum(part.played for part in parts) == 6
    assert whole.wins == {side: sum(part.wins[side] for part in parts) for side in DEMO.alliances}
    assert sum(whole.wins.values()) > 0


def test_what_is_not_allowed_is_said_and_nothing_is_played() -> None:
    async def scene(world: World) -> None:
        match, secrets = await world.create(ALONE)
        await world.host.computers.idle()
        client = await world.join(match, secrets[0])
        for words, code in (
            ({"role": "blue"}, "not-allowed"),
            ({"role": "red", "level": "napoleon"}, "not-allowed"),
            ({"role": "red", "level": "recruit", "actions": [{"do": "plan", "posture": "sleep"}]}, "refused"),
            ({"role": "red", "level": "recruit", "actions": [{"do": "dance"}]}, "malformed"),
            ({"role": "red", "level": "recruit", "at": 10_000}, "not-found"),
        ):
            answer = await asked(client, type="rehearse", **words)
            assert answer["type"] == "error", words
            assert answer["error"]["code"] == code, answer

    play(scene, (in_memory,))


def test_between_people_nobody_rehearses_not_even_on_a_branch() -> None:
    """The demonstration game hides hands, so the branch is that of a game that hides nothing."""

    async def scene(world: World) -> None:
        _, _, clients = await world.table(ONE_EACH)
        answer = await asked(clients[0], type="rehearse", role="red", level="recruit")
        assert answer["error"]["code"] == "not-allowed"
        seats = [{"roles": ["axis"]}, {"roles": ["soviet"]}]
        match, secrets = await world.create(seats, game="hitlers-war", scenario="barbarossa")
        client = await world.join(match, secrets[0])
        made = (await client.ask("branch", at=0))["value"]
        alone = await world.join(made["match"], made["seats"][0]["secret"])
        answer = await asked(alone, type="rehearse", role="axis", level="recruit")
        assert answer["error"]["code"] == "not-allowed", "a branch beside a running match would be a way round"
        by_myself, secret = await world.create([], game="hitlers-war", scenario="barbarossa")
        client = await world.join(by_myself, secret[0])
        made = (await client.ask("branch", at=0))["value"]
        alone = await world.join(made["match"], made["seats"][0]["secret"])
        answer = await asked(alone, type="rehearse", role="axis", level="recruit", turns=1, count=1)
        assert answer["value"]["played"] == 1

    play(scene, (in_memory,))


def test_a_private_branch_of_a_match_with_hidden_things_is_imagined() -> None:
    async def scene(world: World) -> None:
        match, secrets = await world.create(ALONE)
        await world.host.computers.idle()
        client = await world.join(match, secrets[0])
        live = await world.host.matches.live(match)
        made = (await client.ask("branch", at=live.match.number))["value"]
        alone = await world.join(made["match"], made["seats"][0]["secret"])
        info = alone.state["info"]
        assert (info["kind"], info["parent"], info["number"], info["options"]) == (
            "imagined",
            match,
            0,
            live.row.options,
        )
        branch = await world.host.matches.live(made["match"])
        codec = live.game.codec
        assert codec.pack(branch.match.view("red").state) == codec.pack(live.match.view("red").state)
        assert branch.match.seed != live.match.seed
        for role in branch.match.decisions():
            await alone.act(role, PLAN)
        assert (await world.host.matches.live(made["match"])).match.number > 0
        world.host.matches.forget(made["match"])  # it is read again from what is kept
        again = await world.host.matches.live(made["match"])
        assert again.match.number == alone.state["info"]["number"]
        for words in ({"type": "branch", "at": 0}, {"type": "report", "about": "event", "at": 1, "sentence": "no"}):
            kind = words.pop("type")
            assert (await alone.ask(str(kind), **words))["error"]["code"] == "not-allowed"
        compared = [
            await asked(alone, type="rehearse", role="red", level="recruit", turns=1, count=1, at=at)
            for at in (0, None)
        ]
        assert all(answer["value"]["played"] == 1 for answer in compared)

    play(scene)


def test_an_imagined_branch_is_the_same_whatever_is_hidden() -> None:
    compared = 0
    for game, scenario in (
        (DEMO, "war"),
        (find("munich-war"), "little-entente"),
        (find("blitzkrieg-general"), "1939-basic"),
    ):
        match, rng = Match.new(game, scenario, seed=2, history=False), Random(2)
        for _ in range(3):
            random_play(match, rng, most=20)
            if match.over or game.public(match.state):
                break
            for role in match.roles:
                one, other = match.as_known(role), match.scramble(role, rng).as_known(role)
                assert game.codec.pack(one.state) == game.codec.pack(other.state)
                compared += 1
    assert compared > 8


def test_one_thing_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(world: World) -> None:
        match, secrets = await world.create(ALONE)
        await world.host.computers.idle()
        client = await world.join(match, secrets[0])
        world.host.at_work.add((match, 0))
        answer = await asked(client, type="rehearse", role="red", level="recruit")
        assert answer["error"]["code"] == "too-many"

    play(scene, (in_memory,))


def test_a_rehearsal_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(world: World) -> None:
        match, secrets = await world.create(ALONE)
        await world.host.computers.idle()
        client = await world.join(match, secrets[0])
        monkeypatch.setattr("sandtable.host.rehearsals.LONGEST", -1.0)
        answer = await asked(client, type="rehearse", role="red", level="recruit")
        assert answer["error"]["code"] == "not-allowed"
        assert "too long" in answer["error"]["message"]

    play(scene, (in_memory,))


# ---- nothing hidden
@pytest.mark.parametrize(
    ("game", "scenario", "level"),
    [
        (DEMO, "war", "recruit"),
        (find("munich-war"), "little-entente", "captain"),
        (find("blitzkrieg-general"), "1939-basic", "recruit"),
    ],
    ids=lambda one: getattr(one, "id", str(one)),
)
def test_rehearsals_are_the_same_bytes_whatever_is_hidden(game: Any, scenario: str, level: str) -> None:
    compared = 0
    for seed in range(3):
        match = Match.new(game, scenario, seed=seed, history=False)
        rng = Random(seed)
        random_play(match, rng, most=30 if game is DEMO else 60)
        if match.over or game.public(match.state):
            continue
        for role in match.roles[:2]:
            other = match.scramble(role, rng)
            task, same = task_of(match, role, level=level, count=1), task_of(other, role, level=level, count=1)
            assert msgspec.json.encode(task) == msgspec.json.encode(same), "what is sent to be rehearsed"
            if game is DEMO:
                assert do(task) == do(same)
            compared += 1
    assert compared > 0


def test_what_a_rehearsal_says_depends_on_the_view() -> None:
    """The counterpart: with other dice so far, other things are rehearsed."""
    found = set()
    for seed in range(6):
        match = Match.new(DEMO, "war", seed=seed, history=False)
        random_play(match, Random(seed), most=40)
        if not match.over:
            found.add(str(rehearse(task_of(match, "red", turns=0, count=5))))
    assert len(found) > 1
