"""WebSockets: what a seat hears, and what it does not."""

from __future__ import annotations

import asyncio
import json

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from sandtable.server.guards import Buckets
from sandtable.server.hub import Hub
from sandtable.server.live import Talk
from sandtable.server.rooms import Guest
from sandtable.server.wire import Wire, at_once

from .conftest import ONE_EACH, Server, create


@pytest.fixture(scope="module", params=["wire", "bare"])
def server(request, tmp_path_factory):
    """Over the short way, and over the usual one of any ASGI server."""
    folder = tmp_path_factory.mktemp(request.param)
    running = Server(f"sqlite:///{folder / 'matches.db'}", bare=request.param == "bare")
    yield running
    running.stop()


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


def test_messages_that_come_all_at_once_are_answered_one_after_the_other(server):
    match, (red, blue, _green) = create(server.url, ONE_EACH)
    plan = {"type": "act", "role": "red", "action": {"do": "plan", "posture": "march"}, "answers": 0}

    async def scene():
        async with listen(server.url, match, None) as mine, listen(server.url, match, None) as hers:
            await hello(mine, red.secret)
            await hello(hers, blue.secret)
            for n in range(40):
                await mine.send(json.dumps({**plan, "id": f"r{n}"}))
            answers: list[tuple[str, int]] = []
            while len(answers) < 40:
                message = json.loads(await asyncio.wait_for(mine.recv(), 10))
                if message["type"] in ("acted", "error"):
                    answers.append((message["id"], message.get("status", 200)))
            assert answers == [("r0", 200), *((f"r{n}", 409) for n in range(1, 40))]
            assert (await next_move(hers))["number"] == 1

    asyncio.run(scene())


def test_broken_letters_end_the_connection_and_nothing_else(server):
    match, (red, blue, _green) = create(server.url, ONE_EACH)

    async def scene():
        async with listen(server.url, match, None) as mine, listen(server.url, match, None) as hers:
            await hello(mine, red.secret)
            await hello(hers, blue.secret)
            await mine.send(b"\xff\xfe", text=True)
            await asyncio.wait_for(mine.wait_closed(), 10)
            await asyncio.to_thread(red.act, "red", {"do": "plan", "posture": "march"}, 0)
            assert (await next_move(hers))["number"] == 1

    asyncio.run(scene())


class SlowWire(Wire):
    """A wire whose other end reads now and then."""

    def __init__(self):
        self.is_free, self.told = True, []
        self.read_paused = self.disconnected = False

    def tell(self, message):
        if self.is_free:
            self.told.append(message)
        return self.is_free


def test_nothing_overtakes_a_message_that_waits_for_a_slow_reader():
    async def scene():
        wire = SlowWire()
        guest = Guest(("red",), 0, "en", wire=wire)
        guest.send(b"1")
        wire.is_free = False
        guest.send(b"2")
        wire.is_free = True
        guest.send(b"3")  # the second has not been sent yet
        assert wire.told == [b"1"]
        assert [guest.queue.get_nowait() for _ in range(2)] == [b"2", b"3"]
        guest.send(b"4")  # the third is out of the queue, but not known to be sent
        assert wire.told == [b"1"]
        assert guest.queue.get_nowait() == b"4"
        guest.waiting = False
        guest.send(b"5")
        assert wire.told == [b"1", b"5"]

    asyncio.run(scene())


def test_a_fault_of_ours_is_told_and_the_next_message_is_answered_all_the_same(caplog):
    async def scene():
        wire = SlowWire()
        talk = Talk(Hub(None, alone=True), "nowhere", Guest(("red",), 0, "en", wire=wire), Buckets(100, 100))  # type: ignore[arg-type]
        act = {"type": "act", "role": "red", "action": {"do": "plan"}, "answers": 0}
        talk._heard.append(json.dumps({**act, "id": "a"}))  # one that waits
        talk.hear(json.dumps({**act, "id": "b"}))
        await asyncio.sleep(0.01)
        assert [json.loads(message)["status"] for message in wire.told] == [500, 500]

    asyncio.run(scene())
    assert "a message could not be answered" in caplog.text


def test_what_cannot_be_done_at_once_goes_on_as_a_task():
    async def scene():
        told = []

        async def work(gate):
            told.append("begun")
            try:
                await gate
                told.append("done")
            except asyncio.CancelledError:
                told.append("cancelled")
                raise

        loop = asyncio.get_running_loop()
        ready = loop.create_future()
        ready.set_result(None)
        assert at_once(work(ready)) is None
        assert told == ["begun", "done"]
        gate = loop.create_future()
        task = at_once(work(gate))
        assert told[2:] == ["begun"]
        gate.set_result(None)
        assert task is not None
        await task
        assert told[3:] == ["done"]
        task = at_once(work(loop.create_future()))
        assert task is not None
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert told[4:] == ["begun", "cancelled"]

    asyncio.run(scene())
