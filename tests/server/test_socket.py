"""The WebSocket carries the host's lines: who may open one, what comes over it, and what a crash does to it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from sandtable.server.socket import MOST_WAITING, Outbox

from .conftest import ONE_EACH, PATIENCE, Server, create

PLAN = {"do": "plan", "posture": "march"}


def dial(url: str, match: str, **headers: str) -> connect:
    address = f"{url.replace('http', 'ws')}/api/matches/{match}/live"
    return connect(address, additional_headers=headers, open_timeout=PATIENCE, max_size=None)


async def hear(socket: ClientConnection, **wanted: Any) -> dict[str, Any]:
    """The next message that has these fields."""
    while True:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
        if all(message.get(name) == value for name, value in wanted.items()):
            return message


async def hello(socket: ClientConnection, seat: str | None, since: int = 0) -> dict[str, Any]:
    await socket.send(json.dumps({"seat": seat, "lang": "en", "since": since}))
    return await hear(socket, type="state")


def act(role: str, action: dict[str, Any], answers: int, request: str) -> str:
    return json.dumps({"type": "act", "role": role, "action": action, "answers": answers, "id": request})


def test_a_move_over_the_socket_is_answered_and_heard_by_the_others(server):
    match, (red, blue, _green) = create(server.url, ONE_EACH)

    async def scene() -> None:
        async with dial(server.url, match) as mine, dial(server.url, match) as hers, dial(server.url, match) as crowd:
            assert (await hello(mine, red.secret))["info"]["you"] == ["red"]
            assert (await hello(hers, blue.secret))["role"] == "blue"
            assert (await hello(crowd, None))["info"]["you"] == []
            await mine.send(act("red", PLAN, 0, "a"))
            assert (await hear(mine, type="state", id="a"))["acted"] == 1
            for socket, role in ((hers, "blue"), (crowd, None)):
                state = await hear(socket, type="state")
                assert (state["table"]["role"], state["table"]["number"]) == (role, 1)
            # a bot's move over HTTP is heard as well
            await asyncio.to_thread(blue.act, "blue", PLAN, 1)
            assert (await hear(mine, type="state"))["info"]["number"] == 2

    asyncio.run(scene())
    assert red.info()["number"] == 2


def test_messages_that_come_all_at_once_are_answered_one_after_the_other(server):
    match, (red, *_) = create(server.url, ONE_EACH)

    async def scene() -> None:
        async with dial(server.url, match) as mine:
            await hello(mine, red.secret)
            for n in range(40):
                await mine.send(act("red", PLAN, 0, f"r{n}"))
            answers = [await hear(mine, id=f"r{n}") for n in range(40)]
            assert [answer.get("status", 200) for answer in answers] == [200] + [409] * 39

    asyncio.run(scene())


def test_strangers_are_turned_away(server):
    match, _ = create(server.url, ONE_EACH)

    async def strange_origin() -> None:
        async with dial(server.url, match, Origin="http://elsewhere.example") as socket:
            await socket.recv()

    async def first_words(words: str) -> None:
        async with dial(server.url, match) as socket:
            await socket.send(words)
            await socket.recv()

    with pytest.raises(Exception, match=r"403|rejected|close"):
        asyncio.run(strange_origin())
    for words, code in ((json.dumps({"seat": "A" * 22}), 4401), ("[" * 3000, 4400)):
        with pytest.raises(ConnectionClosed) as closed:
            asyncio.run(first_words(words))
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == code


def test_broken_letters_end_the_connection_and_nothing_else(server):
    match, (red, blue, _green) = create(server.url, ONE_EACH)

    async def scene() -> None:
        async with dial(server.url, match) as mine, dial(server.url, match) as hers:
            await hello(mine, red.secret)
            await hello(hers, blue.secret)
            await mine.send(b"\xff\xfe", text=True)
            await asyncio.wait_for(mine.wait_closed(), PATIENCE)
            await asyncio.to_thread(red.act, "red", PLAN, 0)
            assert (await hear(hers, type="state"))["info"]["number"] == 1

    asyncio.run(scene())


def test_a_request_sent_again_after_a_crash_gets_its_first_answer(tmp_path):
    server = Server(f"sqlite:///{tmp_path / 'crash.db'}")
    try:
        match, (red, blue, _green) = create(server.url, ONE_EACH)

        async def before() -> None:
            async with dial(server.url, match) as mine:
                await hello(mine, red.secret)
                await mine.send(act("red", PLAN, 0, "a"))
                await hear(mine, type="state", id="a")

        async def after() -> None:
            async with dial(server.url, match) as mine, dial(server.url, match) as hers:
                assert (await hello(mine, red.secret, since=1))["info"]["number"] == 1
                await hello(hers, blue.secret)
                await hers.send(act("blue", PLAN, 1, "b"))
                await hear(hers, id="b")
                await mine.send(act("red", PLAN, 0, "a"))
                again = await hear(mine, id="a")
                assert (again["acted"], again["info"]["number"]) == (1, 2)

        asyncio.run(before())
        server.kill()
        server.start()
        asyncio.run(after())
    finally:
        server.stop()


def test_a_move_on_one_process_is_heard_on_another(postgres_url):
    one, two = Server(postgres_url), Server(postgres_url)
    try:
        match, (red, blue, _green) = create(one.url, ONE_EACH)

        async def scene() -> None:
            async with dial(one.url, match) as mine, dial(two.url, match) as hers:
                await hello(mine, red.secret)
                await hello(hers, blue.secret)
                await mine.send(act("red", PLAN, 0, "a"))
                assert (await hear(hers, type="state"))["info"]["number"] == 1
                await mine.send(json.dumps({"type": "say", "text": "hello", "id": "b"}))
                while not (await hear(hers, type="chat"))["lines"]:
                    continue  # the greeting: nothing was said before

        asyncio.run(scene())
    finally:
        one.stop()
        two.stop()


def test_a_client_that_reads_too_slowly_is_cut_off_and_not_waited_for():
    async def scene() -> None:
        outbox = Outbox()
        for n in range(MOST_WAITING):
            outbox.put(b"%d" % n)
        assert outbox.messages.qsize() == MOST_WAITING
        outbox.put(b"one too many")
        assert outbox.messages.get_nowait() is None
        assert outbox.messages.empty()

    asyncio.run(scene())
