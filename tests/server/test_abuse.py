"""What one client does to a server is not felt by the others."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import subprocess
import threading
import time
import zlib
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from sandtable.core import Match, Order, SandtableError
from sandtable.core import replay as files
from sandtable.host import Host, Question, ThinksHere, Thought
from sandtable.host.importing import MOST_MOVES, begin, import_file
from sandtable.host.messages import ImportFile
from sandtable.server import connections
from sandtable.server.guards import Guard
from sandtable.server.processes import Processes, Turns, Worker
from sandtable.server.storage import Store
from sandtable.testing import random_play
from tests.demo.game import GAME

from .conftest import DEMO, ONE_EACH, Server, create, get, post

PLAN = {"do": "plan", "posture": "march"}


def ask(guard: Guard, path: str = "/", method: str = "GET", client: str = "1.1.1.1", **headers: str) -> int:
    """Send a request through the guard; returns its status."""
    sent: list[Any] = []

    async def run() -> None:
        found = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        scope: Any = {"type": "http", "path": path, "method": method, "client": (client, 1), "headers": found}

        async def send(message: Any) -> None:
            sent.append(message)

        await guard(scope, None, send)  # type: ignore[arg-type]

    asyncio.run(run())
    return int(sent[0]["status"])


async def says_404(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 404, "headers": []})


# ---- rates (15)
def test_the_rate_of_a_client_counts_over_all_paths_and_those_that_are_not_there() -> None:
    guard = Guard(says_404, rate=0.001, burst=10)
    codes = [ask(guard, f"/api/nothing/{n}") for n in range(12)]
    assert codes == [404] * 10 + [429] * 2
    assert ask(guard, "/", client="2.2.2.2") == 404


def test_rates_count_on_the_running_server_too(tmp_path):
    server = Server(f"sqlite:///{tmp_path / 'rate.db'}", rate_limit=(0.2, 12.0))
    try:
        paths = ["/api/games", "/api/nothing", "/api/matches/none", "/api/schema/openapi.json"] * 6
        codes = [get(server.url + path).status_code for path in paths]
        assert codes.count(429) >= 8, codes
    finally:
        server.stop()


@pytest.mark.parametrize(("proxies", "spread"), [((), False), (("127.0.0.1",), True)])
def test_a_forwarded_address_is_believed_only_from_a_known_proxy(tmp_path, proxies, spread):
    server = Server(f"sqlite:///{tmp_path / 'proxy.db'}", rate_limit=(0.2, 6.0), proxies=proxies)
    try:
        codes = [
            get(f"{server.url}/api/games", headers={"X-Forwarded-For": f"10.0.0.{n}"}).status_code for n in range(12)
        ]
        assert (429 not in codes) == spread, codes
    finally:
        server.stop()


def test_an_address_has_so_many_sockets_and_no_more() -> None:
    async def scene() -> None:
        entered, leave, sent = asyncio.Event(), asyncio.Event(), []

        async def app(scope: Any, receive: Any, send: Any) -> None:
            entered.set()
            await leave.wait()

        async def send(message: Any) -> None:
            sent.append(message)

        guard = Guard(app, sockets=1)
        scope: Any = {"type": "websocket", "path": "/", "client": ("1.1.1.1", 1), "headers": []}
        first = asyncio.create_task(guard(scope, None, send))  # type: ignore[arg-type]
        await entered.wait()
        await guard(scope, None, send)  # type: ignore[arg-type]
        assert sent[0]["code"] == 4429
        leave.set()
        await first
        assert not guard.sockets

    asyncio.run(scene())


# ---- names, origins, forms (17)
def test_a_server_answers_to_its_own_names_only() -> None:
    guard = Guard(says_404, names=("127.0.0.1", "localhost"))
    assert ask(guard, host="127.0.0.1:7357") == 404
    assert ask(guard, host="LOCALHOST:7357") == 404
    for name in ("evil.example:7357", "evil.example", "", "127.0.0.1.evil.example:7357"):
        assert ask(guard, host=name) == 403, name


def test_another_sites_form_makes_nothing() -> None:
    guard = Guard(says_404)
    form = {"host": "x", "content_type": "application/x-www-form-urlencoded"}
    assert ask(guard, "/api/matches", "POST", **form) == 415
    assert ask(guard, "/api/matches", "POST", host="x", content_type="text/plain") == 415
    assert ask(guard, "/api/matches", "POST", host="x", content_type="application/json", origin="http://y") == 403
    assert ask(guard, "/api/matches", "POST", host="x", content_type="application/json", origin="http://x") == 404
    assert ask(guard, "/api/matches", "POST", host="x", content_type="application/json") == 404


def test_nul_characters_are_refused(postgres_url):
    server = Server(postgres_url)
    try:
        _match, (red, *_) = create(server.url, ONE_EACH)
        assert [red.act("red", PLAN, 0, "a\0b").json()["number"] for _ in range(2)] == [1, 1]
        assert red.act("re\0d", PLAN, 0).status_code == 403
        named = {"game": "three-crowns", "seats": [{"roles": ["red"], "name": "a\0b"}]}
        assert post(f"{server.url}/api/matches", json=named).status_code == 400
        assert get(f"{server.url}/api/matches/a%00b").status_code == 404
        assert red.http.get("/offers", params={"role": "a\0"}).status_code == 403
    finally:
        server.stop()


def test_files_are_for_their_owner_alone_and_logs_name_no_match(tmp_path):
    server = Server(f"sqlite:///{tmp_path / 'mine.db'}")
    match, (seat, *_) = create(server.url, ONE_EACH)
    seat.act("red", PLAN, 0)
    get(f"{server.url}/api/matches/{match}/nothing")
    for path in tmp_path.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path.name
    server.stop()
    assert match.encode() not in server.log()


# ---- slow senders (14)
def test_headers_that_dribble_are_cut_off_and_an_address_has_so_many_connections(tmp_path):
    server = Server(f"sqlite:///{tmp_path / 'slow.db'}", connections=20)
    try:
        slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(15)]
        for one in slow:
            one.sendall(b"GET /api/games HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        assert get(f"{server.url}/api/games").status_code == 200
        more = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(30)]
        patience = time.monotonic() + 6  # less than headers may take
        while sum(not _is_shut(one) for one in (*slow, *more)) > 20 and time.monotonic() < patience:
            time.sleep(0.1)
        assert sum(not _is_shut(one) for one in (*slow, *more)) <= 20, "only so many may stay"
        assert any(_is_shut(one) for one in more)
        for one in more:
            one.close()
        deadline = time.monotonic() + connections.HEADER_SECONDS + 15
        while not all(_is_shut(one) for one in slow) and time.monotonic() < deadline:
            time.sleep(0.2)
        assert all(_is_shut(one) for one in slow), "ten seconds are enough for headers"
    finally:
        server.stop()


def _is_shut(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


# ---- thinking (9)
def test_owners_take_turns() -> None:
    async def scene() -> None:
        turns, order = Turns(), []

        async def work(owner: str) -> None:
            await turns.take(owner)
            await asyncio.sleep(0)
            order.append(owner)
            turns.give()

        await asyncio.gather(*(work("many") for _ in range(40)), work("one"), work("two"))
        assert {"one", "two"} <= set(order[:5]), order[:5]
        assert len(order) == 42
        await work("again")

    asyncio.run(scene())


def test_a_player_may_use_the_cores_at_which_nobody_else_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's own core is one of them: thinking gives way to it."""
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    given = []

    async def run(worker: Worker, owner: str, work: Any, question: Question) -> Any:
        given.append(question.cores)
        return Thought(b""), 1.0

    monkeypatch.setattr(Worker, "run", run)

    async def scene() -> None:
        processes = Processes(3)
        asked = Question("m1", "munich-war", 0, "axis", "marshal", "seed", 1, ("axis",), b"", 5.0)
        mine = processes._slow[zlib.crc32(b"m1") % 3]
        await processes.think(asked)
        for other in [worker for worker in processes._slow if worker is not mine]:
            await other.turns.take("somebody")
            await processes.think(asked)
        await processes.close()

    monkeypatch.setattr("sandtable.server.processes.is_weakest", lambda question: False)
    asyncio.run(scene())
    assert given == [4, 3, 2]


# ---- match files (13)
def match_file(orders: int = 0) -> str:
    """A finished match, with so many standing orders at its start."""
    match = Match.new(GAME, "war", seed=1)
    for _ in range(orders):
        match.apply("red", Order())
    random_play(match, Random(1))
    return files.save(match).decode()


def test_a_match_file_is_brought_in_elsewhere_and_its_progress_told(server):
    text = match_file()
    made = post(f"{server.url}/api/matches/import", json={"file": text, "id": "mine"})
    assert made.status_code == 201, made.text
    info = get(f"{server.url}/api/matches/{made.json()['match']}").json()
    assert (info["kind"], info["number"]) == ("import", text.count('"n":'))
    assert get(f"{server.url}/api/matches/import", params={"id": "mine"}).json() == {"done": 0, "of": 0}


def test_parts_of_a_file_are_replayed_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_GAMES", DEMO)
    text, calls, told = match_file(600), [], []

    async def run(work: Any, *words: Any) -> Any:
        calls.append(work.__name__)
        return work(*words)

    found = asyncio.run(import_file(text, 1.0, run, lambda done, of: told.append((done, of))))
    assert calls == ["begin", *["replay_part"] * len(told), "finish"]
    assert len(told) > 2
    assert told[0] == (0, len(found.moves))
    assert found.standing["outcome"] is not None


def test_a_long_file_is_written_in_parts_and_its_match_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_GAMES", DEMO)

    async def scene() -> None:
        store = await Store.open(f"sqlite:///{tmp_path / 'parts.db'}")
        host, write, seen = Host(store, ThinksHere()), store.work.write, []

        async def counted(job: Any) -> Any:
            result = await write(job)
            seen.append(await store.count())
            return result

        monkeypatch.setattr(store.work, "write", counted)
        made = await host.import_file(ImportFile(match_file(600), "mine"))
        parts = seen.index(1)
        assert parts >= 2, "others' moves can be written between"
        assert len(await store.tail(made.match)) == (await host.matches.live(made.match)).match.number
        await host.close()
        await store.close()

    asyncio.run(scene())


def test_a_file_with_too_many_moves_is_refused() -> None:
    head, line, *_ = match_file().splitlines()
    many = [line.replace('"n":1,', f'"n":{n},') for n in range(1, MOST_MOVES + 2)]
    with pytest.raises(SandtableError, match="at most 20000"):
        begin("\n".join([head, *many, f'{{"end":{len(many)}}}', ""]))


def test_a_long_file_holds_up_nobody(server):
    """While a file is replayed, others are answered."""
    text = match_file(5000)
    done: list[httpx.Response] = []
    thread = threading.Thread(
        target=lambda: done.append(post(f"{server.url}/api/matches/import", json={"file": text, "id": "long"}))
    )
    thread.start()
    progress = []
    while thread.is_alive():
        answer = get(f"{server.url}/api/matches/import", params={"id": "long"}).json()
        progress.append(answer["done"])
    assert done[0].status_code == 201
    assert len(set(progress)) > 2, "others are answered while it is replayed, and told how far it is"


# ---- processes (8)
def children(pid: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in found.stdout.split()]


def is_alive(pid: int) -> bool:
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(state.strip()) and not state.startswith("Z")


@pytest.mark.parametrize("how", ["kill", "stop"])
def test_thinking_processes_end_with_the_server_and_the_computer_goes_on_at_once(tmp_path, how):
    server = Server(f"sqlite:///{tmp_path / 'bots.db'}")
    bots = {"roles": ["red", "blue", "green"], "kind": "computer", "level": "recruit"}
    try:
        made = post(f"{server.url}/api/matches", json={"game": "three-crowns", "seats": [bots], "public": True}).json()
        deadline = time.monotonic() + 60
        while get(f"{server.url}/api/matches/{made['match']}").json()["number"] < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert server.process is not None
        thinking = children(server.process.pid)
        assert thinking
        getattr(server, how)()
        deadline = time.monotonic() + 15
        while any(map(is_alive, thinking)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not any(map(is_alive, thinking))
        server.start()
        before = get(f"{server.url}/api/matches/{made['match']}").json()
        start = time.monotonic()
        while time.monotonic() < start + 60:
            now = get(f"{server.url}/api/matches/{made['match']}").json()
            if now["over"] or now["number"] > before["number"]:
                break
            time.sleep(0.1)
        assert now["over"] or now["number"] > before["number"]
        assert time.monotonic() - start < 25, "the lease of the dead server is not waited for"
    finally:
        server.stop()
