"""WebSockets: what a seat hears, and what it does not."""

from __future__ import annotations

import asyncio
import json

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from .conftest import ONE_EACH, Server, create


def listen(url: str, match: str, seat: str | None, **headers):
    address = f"{url.replace('http', 'ws')}/api/matches/{match}/live"
    return connect(address, additional_headers=headers, open_timeout=10)


async def hello(socket, seat):
    await socket.send(json.dumps({"seat": seat, "lang": "en"}))
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), 10))
        if message["type"] == "hello":
            return message


async def next_move(socket):
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), 10))
        if message["type"] == "move":
            return message


def test_the_other_seat_and_the_spectator_hear_of_a_move(server):
    match, (red, blue, _green) = create(server.url, ONE_EACH)

    async def scene():
        async with listen(server.url, match, None) as hers, listen(server.url, match, None) as crowd:
            assert (await hello(hers, blue.secret))["you"] == ["blue"]
            assert (await hello(crowd, None))["you"] == []
            await asyncio.to_thread(red.act, "red", {"do": "plan", "posture": "march"}, 0)
            for socket in (hers, crowd):
                move = await next_move(socket)
                assert move["number"] == 1
                assert "march" not in json.dumps(move)

    asyncio.run(scene())


def test_hidden_events_reach_only_their_owner(server):
    match, seats = create(server.url, ONE_EACH)

    async def scene():
        sockets = [listen(server.url, match, None) for _ in range(4)]
        opened = [await socket for socket in sockets]
        for socket, secret in zip(opened, (*(s.secret for s in seats), None), strict=True):
            await hello(socket, secret)
        # a whole turn: the next one starts with a card drawn by each role
        for n, seat in enumerate(seats):
            await asyncio.to_thread(seat.act, seat.roles[0], {"do": "plan", "posture": "dig in"}, n)
        for n, seat in enumerate(seats):
            await asyncio.to_thread(seat.act, seat.roles[0], {"do": "end-moves"}, 3 + n)
        heard = []
        for socket in opened:
            moves = [await next_move(socket) for _ in range(6)]
            heard.append([e["refs"] for e in moves[-1]["events"] if e["kind"] == "drew"])
            await socket.close()
        return heard

    red, blue, green, crowd = asyncio.run(scene())
    for mine, name in ((red, "red"), (blue, "blue"), (green, "green")):
        assert [refs[1] != "?" for refs in mine] == [refs[0] == name for refs in mine]
        assert len(mine) == 3
    assert crowd == []


def test_a_page_of_another_origin_and_a_wrong_seat_are_turned_away(server):
    match, _ = create(server.url, ONE_EACH)

    async def strange_origin():
        async with listen(server.url, match, None, Origin="http://elsewhere.example") as socket:
            await socket.recv()

    async def wrong_seat():
        async with listen(server.url, match, None) as socket:
            await socket.send(json.dumps({"seat": "A" * 22}))
            await socket.recv()

    async def no_hello():
        async with listen(server.url, match, None) as socket:
            await socket.send("[" * 3000)
            await socket.recv()

    with pytest.raises(Exception, match=r"403|rejected|close"):
        asyncio.run(strange_origin())
    for scene in (wrong_seat, no_hello):
        with pytest.raises(ConnectionClosed) as closed:
            asyncio.run(scene())
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code in (4400, 4404)


def test_a_move_on_one_process_is_heard_on_another(postgres_url):
    one, two = Server(postgres_url, alone=False), Server(postgres_url, alone=False)
    try:
        match, (red, blue, _green) = create(one.url, ONE_EACH)

        async def scene():
            async with listen(two.url, match, None) as socket:
                await hello(socket, blue.secret)
                await asyncio.sleep(0.3)
                await asyncio.to_thread(red.act, "red", {"do": "plan", "posture": "march"}, 0)
                assert (await next_move(socket))["number"] == 1
                await asyncio.to_thread(red.http.post, "/chat", json={"text": "hello"})
                while True:
                    message = json.loads(await asyncio.wait_for(socket.recv(), 10))
                    if message["type"] == "chat":
                        assert message["text"] == "hello"
                        return

        asyncio.run(scene())
    finally:
        one.stop()
        two.stop()


def test_moves_can_be_made_over_the_socket_and_come_with_the_table(server):
    match, (red, blue, _green) = create(server.url, ONE_EACH)

    async def answer(socket):
        while True:
            message = json.loads(await asyncio.wait_for(socket.recv(), 10))
            if message["type"] in ("acted", "error"):
                return message

    async def scene():
        async with listen(server.url, match, None) as mine, listen(server.url, match, None) as hers:
            await mine.send(json.dumps({"seat": red.secret}))
            await hers.send(json.dumps({"seat": blue.secret, "full": True}))
            await asyncio.sleep(0.2)
            act = {"type": "act", "role": "red", "action": {"do": "plan", "posture": "march"}, "answers": 0, "id": "a"}
            await mine.send(json.dumps(act))
            assert (await answer(mine))["number"] == 1
            move = await next_move(hers)
            assert move["table"]["role"] == "blue"
            assert move["table"]["number"] == 1
            await mine.send(json.dumps(act))  # the same id again: answered as the first time
            assert (await answer(mine))["number"] == 1
            for change, status in (
                ({"id": "b"}, 409),
                ({"id": "c", "role": "blue"}, 403),
                ({"id": "d", "answers": 1, "action": {"do": "end-moves"}}, 422),
                ({"id": "e", "answers": 1, "action": {"do": "fly"}}, 400),
                ({"id": ""}, 400),
            ):
                await mine.send(json.dumps({**act, **change}))
                assert (await answer(mine))["status"] == status, change
            await mine.send("{" * 500)
            assert (await answer(mine))["status"] == 400

    asyncio.run(scene())
    assert red.info()["number"] == 1
