"""The protocol of a line: what a client is sent, what it may ask, and that nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import msgspec
import pytest

from sandtable.core import SandtableError
from sandtable.host import MemoryStorage
from sandtable.host.errors import NotFound, NotSeated
from sandtable.host.messages import Message
from sandtable.host.records import Conflict

from .conftest import ONE_EACH, PLAN, Client, World, play

WALK = {"do": "walk", "unit": "red-1", "path": ["Fordham"]}


async def plan_all(clients: list[Client]) -> None:
    for client, role in zip(clients, ("red", "blue", "green"), strict=True):
        await client.act(role, PLAN)


def test_a_line_begins_with_the_whole_match_and_the_chat() -> None:
    async def scene(world: World) -> None:
        match, secrets = await world.create(ONE_EACH)
        blue = await world.join(match, secrets[1])
        state, chat = blue.heard[0], blue.heard[1]
        assert (state["type"], chat) == ("state", {"type": "chat", "lines": []})
        assert state["role"] == state["table"]["role"] == "blue"
        assert state["info"]["you"] == ["blue"]
        assert state["info"]["asked"] == ["red", "blue", "green"]
        assert [offer["verb"] for offer in state["offers"]] == ["plan"]
        crowd = await world.join(match, None)
        assert (crowd.state["role"], crowd.state["offers"], crowd.state["info"]["you"]) == (None, [], [])

    play(scene)


def test_every_message_is_one_of_the_protocol() -> None:
    async def scene(world: World) -> None:
        _match, _secrets, clients = await world.table()
        red = clients[0]
        await plan_all(clients)
        await red.ask("look", role="red")
        await red.ask("next", role="red", index=0, prefix=[])
        await red.ask("why-not", role="red", action=WALK)
        await red.ask("odds", role="red", action=WALK)
        await red.ask("table", at=1)
        await red.ask("log")
        await red.ask("moves")
        await red.ask("dice")
        await red.ask("say", text="good luck")
        await red.ask("branch", at=0)
        await red.act("red", WALK)
        await red.act("red", {"do": "undo"})
        for client in clients:
            for message in client.heard:
                msgspec.convert(message, Message)
        assert {message["type"] for message in red.heard} == {"state", "answer", "error", "chat", "seats"}

    play(scene)


def test_a_move_is_one_message_out_and_one_in_with_all_that_changed() -> None:
    async def scene(world: World) -> None:
        _match, _secrets, clients = await world.table(clock={"kind": "budget", "seconds": 60})
        red = clients[0]
        await plan_all(clients)
        before = len(red.heard)
        world.time += 7
        answer = await red.act("red", WALK)
        assert red.heard[before:] == [answer]
        assert answer["acted"] == answer["info"]["number"] == answer["table"]["number"] == 4
        assert answer["table"]["stacks"]["Fordham"][0]["id"] == "red-1"
        assert answer["undo"] == 1
        assert answer["events"][0]["refs"] == ["red-1", "Fordham"]
        assert answer["info"]["clock"]["left"]["red"] == 53
        assert answer["info"]["asked"] == ["red"]
        assert "end-moves" in [offer["verb"] for offer in answer["offers"]]
        for other in clients[1:]:
            assert (other.state["id"], other.state["acted"], other.state["info"]["number"]) == (None, None, 4)
            assert other.state["events"][0]["number"] == 4

    play(scene)


def test_a_move_sent_again_is_made_once_and_acknowledged_as_the_first_time() -> None:
    async def scene(world: World) -> None:
        _match, _secrets, (red, blue, _green) = await world.table()
        first = await red.act("red", PLAN, 0, id="mine")
        await blue.act("blue", PLAN)
        again = await red.act("red", PLAN, 0, id="mine")
        assert (first["acted"], again["acted"]) == (1, 1)
        assert again["info"]["number"] == 2  # the match has gone on meanwhile
        later = await red.act("red", PLAN, 2, id="mine")  # even where it would answer something new
        assert later["acted"] == 1
        assert (await red.ask("look"))["info"]["number"] == 2

    play(scene)


def test_ids_of_different_seats_do_not_meet() -> None:
    async def scene(world: World) -> None:
        _match, _secrets, (red, blue, _green) = await world.table()
        assert (await red.act("red", PLAN, id="1"))["acted"] == 1
        assert (await blue.act("blue", PLAN, id="1"))["acted"] == 2

    play(scene)


def test_a_client_that_lost_its_line_hears_what_it_missed_and_no_more() -> None:
    async def scene(world: World) -> None:
        match, secrets, clients = await world.table()
        red, blue, _green = clients
        await plan_all(clients)
        assert blue.line is not None
        blue.line.close()
        await red.act("red", WALK)
        assert blue.state["info"]["number"] == 3
        back = await world.join(match, secrets[1], since=3)
        assert back.state["info"]["number"] == 4
        assert {line["number"] for line in back.state["events"]} == {4}
        await red.act("red", {"do": "walk", "unit": "red-2", "path": ["Fordham"]})
        assert {line["number"] for line in back.state["events"]} == {5}

    play(scene)


def test_what_was_taken_back_leaves_the_log() -> None:
    async def scene(world: World) -> None:
        match, secrets, clients = await world.table()
        red, blue, _green = clients
        await plan_all(clients)
        await red.act("red", WALK)
        state = await red.act("red", {"do": "undo"})
        assert "Fordham" not in state["table"]["stacks"]
        assert state["events"] == []
        assert state["gone"] == blue.state["gone"] == [4, 5]
        lines = (await blue.ask("log"))["value"]
        assert {line["number"] for line in lines} == {3}
        back = await world.join(match, secrets[1], since=4)
        assert back.state["gone"] == [4, 5]
        refused = await red.act("red", {"do": "undo"})
        assert (refused["status"], refused["error"]["rule"]) == (422, "sandtable-undo")

    play(scene)


def test_resigning_and_draws_are_moves() -> None:
    async def scene(world: World) -> None:
        _match, _secrets, clients = await world.table()
        for client, role in zip(clients, ("red", "blue", "green"), strict=True):
            await client.act(role, {"do": "draw"})
        info = clients[0].state["info"]
        assert (info["over"], info["outcome"]["level"], info["seed"] is not None) == (True, "draw", True)
        assert (await clients[0].ask("dice"))["value"]["seed"] == info["seed"]

    play(scene)


def test_one_screen_looks_through_the_eyes_of_who_is_asked() -> None:
    async def scene(world: World) -> None:
        _match, _secrets, (seat,) = await world.table(())
        assert seat.state["role"] == "red"
        for role in ("red", "blue", "green"):
            assert seat.state["role"] == role
            await seat.act(role, PLAN)
        assert seat.state["role"] == "red"
        looked = await seat.ask("look", role="green")
        assert (looked["role"], looked["table"]["role"], looked["offers"]) == ("green", "green", [])
        await seat.act("red", WALK)
        assert seat.state["role"] == "red"

    play(scene)


def test_hidden_events_reach_only_their_owner() -> None:
    async def scene(world: World) -> None:
        match, _secrets, clients = await world.table()
        crowd = await world.join(match, None)
        await plan_all(clients)
        for client, role in zip(clients, ("red", "blue", "green"), strict=True):
            await client.act(role, {"do": "end-moves"})
        # the next turn starts with a card drawn by each role
        drawn = [[e["refs"] for e in c.state["events"] if e["kind"] == "drew"] for c in (*clients, crowd)]
        for mine, name in zip(drawn, ("red", "blue", "green"), strict=False):
            assert [refs[1] != "?" for refs in mine] == [refs[0] == name for refs in mine]
            assert len(mine) == 3
        assert drawn[3] == []
        told = clients[1].states[1]  # red has planned
        assert "march" not in json.dumps([told["table"], told["events"], told["info"]])

    play(scene)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"answers": 0}, 409),
        ({"role": "blue"}, 403),
        ({"action": {"do": "end-moves"}}, 422),
        ({"action": {"do": "fly"}}, 400),
        ({"action": 7}, 400),
        ({"admin": True}, 400),
        ({"id": "x" * 65}, 400),
        ({"answers": -1}, 400),
    ],
)
def test_a_refused_request_changes_nothing_and_says_why(change: dict[str, Any], status: int) -> None:
    async def scene(world: World) -> None:
        _match, _secrets, (red, _blue, _green) = await world.table()
        await red.act("red", PLAN)
        assert red.line is not None
        message = {"type": "act", "role": "red", "action": PLAN, "answers": 1, "id": "b", **change}
        await red.line.hear(json.dumps(message))
        answer = red.heard[-1]
        assert (answer["type"], answer["status"], answer["id"]) == ("error", status, message["id"][:64])
        assert answer["error"]["message"]
        assert answer["number"] == (1 if status == 409 else None)
        assert (await red.ask("look"))["info"]["number"] == 1

    play(scene)


@pytest.mark.parametrize("words", ["", "hello", "[" * 5000, '{"type": "fly", "id": "a"}', "{}", "\udcff"])
def test_what_is_no_message_is_turned_away(words: str) -> None:
    async def scene(world: World) -> None:
        _match, _secrets, (red, *_) = await world.table()
        assert red.line is not None
        await red.line.hear(words.encode("utf-8", "surrogateescape"))
        assert (red.heard[-1]["type"], red.heard[-1]["status"]) == ("error", 400)

    play(scene)


def test_nobody_acts_or_looks_for_another_seat() -> None:
    async def scene(world: World) -> None:
        match, _secrets, (_red, blue, _green) = await world.table()
        crowd = await world.join(match, None)
        assert (await blue.act("red", PLAN))["status"] == 403
        assert (await blue.ask("look", role="red"))["status"] == 403
        assert (await blue.ask("table", role="red"))["status"] == 403
        assert (await crowd.act("red", PLAN))["status"] == 401
        assert (await crowd.ask("say", text="hello"))["status"] == 401
        assert (await crowd.ask("table", role="red"))["status"] == 403
        assert (await blue.ask("branch", at=0))["status"] == 403
        with pytest.raises(NotSeated):
            await world.join(match, "A" * 22)
        with pytest.raises(NotFound):
            await world.join("nowhere", None)

    play(scene)


def test_chat_is_heard_by_all_and_kept() -> None:
    async def scene(world: World) -> None:
        match, _secrets, (red, blue, _green) = await world.table()
        await red.ask("say", text="good luck")
        assert blue.heard[-1]["lines"][0]["text"] == "good luck"
        late = await world.join(match, None)
        assert [line["text"] for line in late.heard[1]["lines"]] == ["good luck"]

    play(scene)


def test_everybody_knows_who_is_there() -> None:
    async def scene(world: World) -> None:
        _match, _secrets, (red, blue, _green) = await world.table()
        assert [seat["connected"] for seat in red.heard[-1]["seats"]] == [True, True, True]
        assert blue.line is not None
        blue.line.close()
        assert [seat["connected"] for seat in red.heard[-1]["seats"]] == [True, False, True]

    play(scene)


class SlowStorage(MemoryStorage):
    """Storage whose commits wait for `gate`, and may fail."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.error: Exception | None = None

    async def append(self, *words: Any) -> None:
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        await super().append(*words)


def test_nobody_hears_of_a_move_before_it_is_kept() -> None:
    async def scene(world: World) -> None:
        storage = world.storage = SlowStorage()
        world.host = world.another_host()
        match, _secrets, (red, blue, _green) = await world.table()
        moving = asyncio.ensure_future(red.act("red", PLAN))
        looking = asyncio.ensure_future(blue.ask("look"))
        joining = asyncio.ensure_future(world.join(match, None))
        for _ in range(20):
            await asyncio.sleep(0)
        assert not moving.done()
        assert not looking.done()
        assert not joining.done()
        assert blue.state["info"]["number"] == 0
        storage.gate.set()
        assert (await moving)["acted"] == (await looking)["info"]["number"] == 1
        assert (await joining).state["info"]["number"] == 1

    play(scene)


@pytest.mark.parametrize("error", [OSError("the disk is full"), Conflict("somebody was faster")])
def test_a_move_that_could_not_be_kept_was_not_made(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    async def scene(world: World) -> None:
        storage = world.storage = SlowStorage()
        world.host = world.another_host()
        storage.gate.set()
        _match, _secrets, (red, blue, _green) = await world.table()
        storage.error = error
        answer = await red.act("red", PLAN, id="again")
        assert answer["status"] == (409 if isinstance(error, Conflict) else 500)
        assert (await blue.ask("look"))["info"]["number"] == 0
        storage.error = None
        assert (await red.act("red", PLAN, id="again"))["acted"] == 1
        assert blue.state["info"]["number"] == 1

    play(scene)


def test_two_hosts_of_one_storage_tell_each_other() -> None:
    async def scene(world: World) -> None:
        one, two = world.another_host(alone=False), world.another_host(alone=False)
        match, secrets = await world.create(ONE_EACH)
        red, blue = await world.join(match, secrets[0], one), await world.join(match, secrets[1], two)
        await red.act("red", PLAN)
        assert blue.state["info"]["number"] == 0
        await two.heard_elsewhere(match, chat=False)
        await two.heard_elsewhere(match, chat=False)
        assert [state["info"]["number"] for state in blue.states] == [0, 1]
        await red.ask("say", text="hello")
        await two.heard_elsewhere(match, chat=True)
        assert blue.heard[-1]["lines"][0]["text"] == "hello"
        assert (await blue.act("blue", PLAN))["acted"] == 2
        green = await world.join(match, secrets[2], one)  # who comes reads what the other host wrote
        assert green.state["info"]["number"] == red.state["info"]["number"] == 2

    play(scene)


def test_two_hosts_never_both_win() -> None:
    async def scene(world: World) -> None:
        one, two = world.another_host(alone=False), world.another_host(alone=False)
        match, secrets = await world.create()
        here, there = await world.join(match, secrets[0], one), await world.join(match, secrets[0], two)
        for number, role in enumerate(("red", "blue", "green")):
            both = await asyncio.gather(
                here.act(role, PLAN, number, id=f"here{number}"), there.act(role, PLAN, number, id=f"there{number}")
            )
            assert sorted(answer.get("status", 200) for answer in both) in ([200, 409], [200, 422])
            await one.heard_elsewhere(match, chat=False)
            await two.heard_elsewhere(match, chat=False)
            assert here.state["info"]["number"] == there.state["info"]["number"] == number + 1

    play(scene)


def test_a_match_stands_where_it_stood_when_another_host_goes_on_with_it() -> None:
    async def scene(world: World) -> None:
        match, secrets, clients = await world.table()
        await plan_all(clients)
        await clients[0].act("red", WALK, id="walk")
        before = await clients[0].ask("look")
        world.host = world.another_host()
        red = await world.join(match, secrets[0])
        assert (red.state["table"], red.state["offers"]) == (before["table"], before["offers"])
        assert (await red.act("red", WALK, 3, id="walk"))["acted"] == 4, "sent again after a crash"
        assert (await red.act("red", {"do": "undo"}))["acted"] == 5, "what could be taken back still can be"

    play(scene)


def test_a_wish_that_cannot_be_met_is_one_sentence() -> None:
    async def scene(world: World) -> None:
        for wish, words in (
            ({"game": "chess"}, "no game 'chess'"),
            ({"scenario": "peace"}, "no scenario 'peace'"),
            ({"seats": [{"roles": ["red"]}, {"roles": ["red"]}]}, "given to two seats"),
            ({"clock": {"kind": "move", "seconds": 0}}, "number of seconds"),
        ):
            with pytest.raises(SandtableError, match=words):
                await world.create(**wish)

    play(scene)


@pytest.mark.parametrize("name", ["this:anything", "tests.demo.game:GAME", "no-such-game"])
def test_a_client_cannot_make_the_host_import_a_module(name: str) -> None:
    async def scene(world: World) -> None:
        with pytest.raises(SandtableError, match="there is no game"):
            await world.create(game=name)
        assert "this" not in sys.modules

    play(scene)
