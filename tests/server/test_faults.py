"""Faults of disk, database and machine: nothing is lost, doubled, corrupted or told wrongly. `torture.py` runs long."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from sqlalchemy import text

from sandtable.core import Match
from sandtable.host import MatchRow, MoveRow
from sandtable.host.errors import Unavailable, Unsure
from sandtable.host.matches import make_move, standing
from sandtable.server.database import BadDatabase
from sandtable.server.storage import Store
from sandtable.server.work import _Writer
from tests.demo.game import GAME

from .conftest import ONE_EACH, Server, create, get
from .disk import FaultyServer
from .history import Asked, Looked, check
from .postgres import Postgres, needed_programs
from .torture import cut_power, kill, restart, torture

PLAN = {"do": "plan", "posture": "march"}


# ---- short runs; `python -m tests.server.torture` makes long ones
def test_kills_under_load_on_sqlite(tmp_path):
    server = Server(f"sqlite:///{tmp_path / 'kill.db'}")
    torture(server, kill(server), 2, clients=3)


def test_power_cuts_and_failing_syncs(tmp_path):
    server = FaultyServer(tmp_path)
    torture(server, cut_power(server), 3, clients=3)


def test_restarts_of_the_database():
    database = Postgres(needed_programs())
    try:
        torture(Server(database.url), restart(database), 2, clients=3)
    finally:
        database.stop()


# ---- failed syncs (10)
def test_a_failed_sync_is_told_as_unknown_and_the_database_recovers(tmp_path):
    server = FaultyServer(tmp_path)
    try:
        _match, (red, blue, *_) = create(server.url, ONE_EACH)
        server.set_fault("fail-sync", True)
        failed = red.act("red", PLAN, 0, "a")
        assert (failed.status_code, failed.json()["error"]["code"]) == (503, "unknown")
        assert "nothing has changed" not in failed.text
        later = red.act("red", PLAN, 0, "a")
        assert later.status_code == 503, "a resend is not acknowledged from what was never synced"
        assert get(f"{server.url}/api/health").status_code == 503
        server.set_fault("fail-sync", False)
        deadline = time.monotonic() + 30
        while get(f"{server.url}/api/ready").status_code != 200 and time.monotonic() < deadline:
            time.sleep(0.2)
        again = red.act("red", PLAN, 0, "a")
        assert (again.status_code, again.json()["number"]) == (200, 1)
        server.cut_power()
        server.start()
        assert red.info()["number"] == 1
        assert blue.act("blue", PLAN, 1).status_code == 200
    finally:
        server.stop()


def test_a_full_disk_changes_nothing_and_passes(tmp_path):
    server = FaultyServer(tmp_path)
    try:
        _match, (red, *_) = create(server.url, ONE_EACH)
        server.set_fault("full", True)
        assert red.act("red", PLAN, 0, "a").status_code == 503
        server.set_fault("full", False)
        deadline = time.monotonic() + 30
        while (made := red.act("red", PLAN, 0, "a")).status_code == 503 and time.monotonic() < deadline:
            time.sleep(0.2)
        assert (made.status_code, made.json()["number"]) == (200, 1)
    finally:
        server.stop()


def with_store(url: str, scene: Callable[[Store], Any]) -> None:
    async def run() -> None:
        store = await Store.open(url)
        try:
            await scene(store)
        finally:
            await store.close()

    asyncio.run(run())


def test_a_commit_that_fails_is_unknown_to_all_who_wait_for_it(tmp_path, monkeypatch):
    """As the sync's failure without a shim: the commit raises, and all is read anew before anything else is done."""
    recovered: list[int] = []
    recover = _Writer._recover

    def counted(self: _Writer) -> None:
        recovered.append(1)
        recover(self)

    monkeypatch.setattr(_Writer, "_recover", counted)

    async def scene(store: Store) -> None:
        fail = [True]
        writer = store.work._writer
        assert writer is not None
        from sandtable.server import work

        commit = work._commit

        def failing(connection: Any, batch: Any) -> Any:
            if fail.pop() if fail else False:
                raise sqlalchemy_error()
            return commit(connection, batch)

        monkeypatch.setattr(work, "_commit", failing)
        jobs = [store.work.write(lambda c: 1) for _ in range(3)]
        results = await asyncio.gather(*jobs, return_exceptions=True)
        assert isinstance(results[0], Unsure)
        for _ in range(200):
            try:
                assert await store.work.write(lambda c: 2) == 2
                break
            except Unavailable:
                await asyncio.sleep(0.01)
        assert recovered == [1]

    with_store(f"sqlite:///{tmp_path / 'x.db'}", scene)


def sqlalchemy_error() -> Exception:
    from sqlalchemy.exc import OperationalError

    return OperationalError("COMMIT", {}, sqlite3.OperationalError("disk I/O error"))


# ---- the database (6, 12)
def test_a_second_server_on_the_same_file_is_refused(tmp_path):
    url = f"sqlite:///{tmp_path / 'one.db'}"

    async def scene(store: Store) -> None:
        with pytest.raises(BadDatabase, match=r"another server is running on one\.db"):
            await Store.open(url)
        reader = await Store.open(url, sole=False)
        await reader.close()

    with_store(url, scene)
    with_store(url, lambda store: store.count())


def test_a_newer_database_is_refused_in_one_sentence(tmp_path):
    url = f"sqlite:///{tmp_path / 'newer.db'}"

    async def newer(store: Store) -> None:
        await store.work.write(lambda c: c.execute(text("UPDATE alembic_version SET version_num = '0099'")))

    with_store(url, newer)
    with pytest.raises(BadDatabase, match="newer version of Sandtable \\(revision 0099\\)"):
        with_store(url, newer)


def test_health_tells_that_the_database_is_away_and_that_it_is_back():
    database = Postgres(needed_programs())
    server = Server(database.url)
    try:
        assert get(f"{server.url}/api/health").json()["status"] == "ok"
        database.halt()
        deadline = time.monotonic() + 40
        while get(f"{server.url}/api/health").status_code == 200 and time.monotonic() < deadline:
            time.sleep(0.3)
        told = get(f"{server.url}/api/health")
        assert (told.status_code, told.json()["status"]) == (503, "failing")
        assert get(f"{server.url}/api/games").status_code == 200
        database.go_on()
        deadline = time.monotonic() + 40
        while get(f"{server.url}/api/health").status_code != 200 and time.monotonic() < deadline:
            time.sleep(0.3)
        assert get(f"{server.url}/api/health").json()["status"] == "ok"
    finally:
        server.stop()
        database.stop()


# ---- the checker finds what is wrong
def history() -> tuple[list[Asked], list[Looked], dict[str, MatchRow], dict[str, list[MoveRow]]]:
    """A short history in which everything is right."""
    played: Match[Any] = Match.new(GAME, "war", seed="s")
    asked, log = [], []
    for number, role in enumerate(("red", "blue", "green"), 1):
        action = played.parse(PLAN)
        log.append(make_move(played, role, action, 1.0, f"0:{number}"))
        asked.append(Asked("m", f"0:{number}", role, PLAN, [("made", number)]))
    asked.append(Asked("m", "0:9", "red", PLAN, [("refused", 409)]))
    words: dict[str, Any] = {
        "id": "m",
        "game": GAME.id,
        "rules": 1,
        "scenario": "war",
        "options": dict(played.options),
        "seed": "s",
    }
    row = MatchRow(**words, seed_hash="", created=0, updated=0, public=False, kind="live", **standing(played))
    return asked, [Looked("c", "m", 1), Looked("c", "m", 3)], {"m": row}, {"m": log}


def replace(one: Any, **changes: Any) -> Any:
    return msgspec.structs.replace(one, **changes)


ANOMALIES: dict[str, tuple[str, Callable[..., Any]]] = {
    "an acknowledged move is gone": ("lost", lambda a, s, r, m: (m["m"].pop(), r.update(m=replace(r["m"], number=2)))),
    "a move is there twice": ("doubled", lambda a, s, r, m: m["m"].append(m["m"][-1])),
    "a request made two moves": (
        "doubled",
        lambda a, s, r, m: m["m"].__setitem__(1, replace(m["m"][1], request="0:1")),
    ),
    "a move in between is gone": ("gap", lambda a, s, r, m: m["m"].pop(1)),
    "a move is another one": (
        "corrupted",
        lambda a, s, r, m: m["m"].__setitem__(0, replace(m["m"][0], action=b'{"do":"plan","posture":"dig in"}')),
    ),
    "a state is another one": ("corrupted", lambda a, s, r, m: m["m"].__setitem__(2, replace(m["m"][2], digest="0"))),
    "the match is at another move": ("corrupted", lambda a, s, r, m: r.update(m=replace(r["m"], number=4))),
    "a refused move was made": (
        "mistold",
        lambda a, s, r, m: a.__setitem__(2, replace(a[2], told=[("refused", 409)])),
    ),
    "a request got two numbers": ("mistold", lambda a, s, r, m: a[0].told.append(("made", 2))),
    "a move of nobody": ("phantom", lambda a, s, r, m: a.pop(1)),
    "a client went back in time": ("backwards", lambda a, s, r, m: s.append(Looked("c", "m", 2))),
    "a client saw what is gone": ("lost", lambda a, s, r, m: s.append(Looked("d", "m", 7))),
}  # fmt: skip


def test_the_checker_is_content_with_a_right_history():
    assert check(*history()) == []


@pytest.mark.parametrize("name", ANOMALIES)
def test_the_checker_finds_every_planted_anomaly(name):
    kind, plant = ANOMALIES[name]
    found = history()
    plant(*found)
    assert any(wrong.startswith(kind) for wrong in check(*found)), check(*found)


def test_who_leaves_before_their_answer_does_not_stop_the_database(tmp_path):
    async def scene() -> None:
        store = await Store.open(f"sqlite:///{tmp_path / 'left.db'}")
        begun = asyncio.Event()
        loop = asyncio.get_running_loop()

        def slow(connection: Any) -> None:
            loop.call_soon_threadsafe(begun.set)
            time.sleep(0.2)

        waiting = asyncio.create_task(store.work.write(slow))
        await begun.wait()
        waiting.cancel()
        await asyncio.wait({waiting})
        await asyncio.wait_for(store.try_write(), 20)
        await store.close()

    asyncio.run(scene())
