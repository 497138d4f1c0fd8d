"""What a computer player asks of an ally reaches that ally, computer or person, and nobody else."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from sandtable.host.computers import Question, Thought
from sandtable.players import base
from sandtable.players.requests import Request
from sandtable.players.search import Found, Plan
from sandtable.players.searcher import Searcher
from tests.demo.game import GAME

from .conftest import World, play

EN, DE = "Red asks you to strike at Fordham.", "Bitte von Rot: Stoß auf Fordham."
heard: dict[str, set[tuple[Request, ...]]] = {}


class Asks(Searcher):
    """Red asks both others for Fordham, at every decision."""

    def moment(self, view: Any) -> int:
        return int(view.number)

    def think(self, view: Any, budget: base.Budget) -> Found:
        heard.setdefault(view.role, set()).add(self.heard)
        ask = (("blue", "Fordham"), ("green", "Fordham")) if view.role == "red" else ()
        return Found(Plan(ask=ask))

    def follow(self, plan: Plan) -> None:
        """Play at random all the same."""

    def answer(self, view: Any, offers: Any, budget: base.Budget) -> Any:
        return offers.sample(Random(view.number))


@pytest.fixture(autouse=True)
def red_and_blue_are_allies(monkeypatch: pytest.MonkeyPatch) -> None:
    heard.clear()
    monkeypatch.setattr(base, "_LEVELS", {level: dict(makers) for level, makers in base._LEVELS.items()})
    monkeypatch.setattr(type(GAME), "alliances", {"crowns": ("red", "blue"), "woods": ("green",)})
    base.register("captain", GAME.id, Asks)


def computer(role: str) -> dict[str, Any]:
    return {"roles": [role], "kind": "computer", "level": "captain"}


def test_a_computer_hears_its_ally_and_no_enemy_does() -> None:
    async def scene(world: World) -> None:
        heard.clear()
        match, _, [watcher] = await world.table([computer("red"), computer("blue"), {"roles": ["green"]}])
        rng = Random(1)
        for _ in range(6):
            await world.host.computers.idle()
            live = await world.host.matches.live(match)
            if not live.match.over:
                await watcher.act("green", GAME.codec.builtins(live.match.offers("green").sample(rng)))
        assert heard["red"] == {()}
        asked = [one for some in heard["blue"] for one in some]
        assert {(one.by, one.to, one.place) for one in asked} == {("red", "blue", "Fordham")}
        assert "asks you" not in msgspec.json.encode(watcher.heard).decode()

    play(scene)


def test_a_person_reads_what_an_ally_asks_and_an_enemy_does_not() -> None:
    async def scene(world: World) -> None:
        match, secrets = await world.create([computer("red"), {"roles": ["blue"]}, {"roles": ["green"]}])
        blue, green = [await world.join(match, secret) for secret in secrets]
        blau, gruen = [await world.join(match, secret, lang="de") for secret in secrets]
        rng, told = Random(1), 0
        for _ in range(40):
            await world.host.computers.idle()
            live = await world.host.matches.live(match)
            if live.match.over:
                break
            for client, mine in ((blue, EN), (blau, DE), (green, ""), (gruen, "")):
                for one in (await client.ask("remarks"))["value"]:
                    asked = [words for words in (EN, DE) if words in one["aim"]]
                    assert asked == ([mine] if mine else []), one
                    told += bool(asked)
            role = next(role for role in live.match.decisions() if role != "red")
            await (blue if role == "blue" else green).act(
                role, GAME.codec.builtins(live.match.offers(role).sample(rng))
            )
        assert told

    play(scene)


def test_a_host_that_starts_again_has_forgotten_requests_and_goes_on() -> None:
    async def scene(world: World) -> None:
        match, secrets = await world.create([computer("red"), {"roles": ["blue"]}, {"roles": ["green"]}])
        await world.host.computers.idle()
        live = await world.host.matches.live(match)
        assert live.asked_of("blue")
        assert not live.asked_of("green")
        other = world.another_host()
        client = await world.join(match, secrets[0], host=other)
        assert (await other.matches.live(match)).asked_of("blue") == ()
        assert (await client.ask("remarks"))["type"] != "error"
        await other.close()

    play(scene)


def test_what_was_asked_in_a_move_that_was_taken_back_is_forgotten() -> None:
    async def scene(world: World) -> None:
        match, _ = await world.create([computer("red"), {"roles": ["blue"]}, {"roles": ["green"]}])
        live = await world.host.matches.live(match)
        live.requests["red"] = (Request("red", "blue", "Fordham", live.match.number + 1),)
        assert live.asked_of("blue") == ()

    play(scene)


def test_a_person_who_plays_on_for_the_computer_asks_for_nothing() -> None:
    async def scene(world: World) -> None:
        match, _ = await world.create([computer("red"), {"roles": ["blue"]}, {"roles": ["green"]}])
        live = await world.host.matches.live(match)
        live.requests["blue"] = (Request("blue", "red", "Fordham", 0),)
        assert live.asked_of("red") == ()

    play(scene)


def test_questions_and_thoughts_carry_requests_and_those_of_before_can_be_read() -> None:
    asked = (Request("red", "blue", "Fordham", 3),)
    question = Question("m", GAME.id, 1, "blue", "captain", "s", 3, (), b"", 1.0, requests=asked)
    assert msgspec.json.decode(msgspec.json.encode(question), type=Question) == question
    thought = Thought(b"", requests=asked)
    assert msgspec.json.decode(msgspec.json.encode(thought), type=Thought) == thought
    assert msgspec.json.decode(b'{"action":""}', type=Thought).requests == ()
