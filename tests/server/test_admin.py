"""Running it for others: upgrades of a real database, backups with a drill, `sandtable admin`, figures."""

from __future__ import annotations

import asyncio
import gzip
import json
import shutil
import time
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from sqlalchemy import text

from sandtable.cli.app import main
from sandtable.host import Host, ThinksHere, stories
from sandtable.host.messages import Annotate, Branch, CreateMatch
from sandtable.server.admin import Office, back_up, restore
from sandtable.server.database import downgrade, open_engine
from sandtable.server.storage import Store

from .conftest import DEMO, ONE_EACH, create, get

DATA = Path(__file__).with_name("data")
PLAN = b'{"do":"plan","posture":"march"}'


@pytest.fixture(autouse=True)
def the_demo_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_GAMES", DEMO)


def old_database(folder: Path) -> tuple[str, dict[str, str]]:
    """A database of version 0.7.0, and the secrets of its seats by match."""
    file = folder / "old.db"
    file.write_bytes(gzip.decompress((DATA / "revision-0001.db.gz").read_bytes()))
    return f"sqlite:///{file}", json.loads((DATA / "revision-0001.json").read_text())


async def play_on(host: Host, match: str, moves: int = 3) -> None:
    rng = Random(5)
    for _ in range(moves):
        live = await host.matches.live(match)
        if live.match.over:
            return
        role = live.match.decisions()[0]
        action = msgspec.json.encode(live.match.offers(role).sample(rng))
        await host.matches.act(match, role, action, answers=live.match.number)


def test_a_database_of_version_0_7_is_upgraded_and_every_match_goes_on(tmp_path):
    url, secrets = old_database(tmp_path)

    async def scene() -> None:
        store = await Store.open(url)
        host = Host(store, ThinksHere())
        for match, secret in secrets.items():
            before = (await host.matches.live(match)).match.number
            visit = await host.visit(match, secret, "en")
            assert len(await visit.moves()) == before
            await play_on(host, match)
        waiting = await store.with_computers(time.time())
        assert len(waiting) == 1, "the computer's match is found"
        await host.close()
        await store.close()
        office = await Office.open(url)
        moves, faults = await office.verify()
        assert not faults
        assert moves > 60
        await office.store.close()

    asyncio.run(scene())


def test_a_database_can_go_back_to_the_old_tables_with_its_branches(tmp_path):
    url, secrets = old_database(tmp_path)
    match, secret = next(iter(secrets.items()))

    async def branch_off() -> str:
        store = await Store.open(url)
        host = Host(store, ThinksHere())
        visit = await host.visit(match, secret, "en")
        made = await visit.branch(Branch(at=7))
        await play_on(host, made.match, 2)
        await host.close()
        await store.close()
        return made.match

    branch = asyncio.run(branch_off())
    engine, _ = open_engine(url)
    downgrade(engine, "0001")
    with engine.connect() as connection:
        numbers = connection.execute(text("SELECT number FROM moves WHERE match = :m ORDER BY number"), {"m": branch})
        assert list(numbers.scalars()) == list(range(1, 10))
        columns = {row[1] for row in connection.execute(text("PRAGMA table_info(matches)"))}
        assert not columns & {"owner", "base", "seating", "thinks"}
    engine.dispose()


def test_the_tables_of_stories_come_with_their_revision_and_go_with_it(tmp_path):
    url = f"sqlite:///{tmp_path / 'told.db'}"

    async def tell(notes: int) -> list[str]:
        store = await Store.open(url)
        host = Host(store, ThinksHere())
        made = await host.create(CreateMatch("three-crowns", "war"))
        visit = await host.visit(made.match, made.seats[0].secret, "en")
        for at in range(notes):
            await stories.annotate(visit, Annotate(at=0, text=f"Note {at}", version=at))
        found = [note.text for row in await store.stories(made.match) for note in row.notes]
        await host.close()
        await store.close()
        return found

    assert asyncio.run(tell(2)) == ["Note 1"]
    engine, _ = open_engine(url)
    downgrade(engine, "0005")
    with engine.connect() as connection:
        tables = set(connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'table'")).scalars())
        assert "stories" not in tables
        assert connection.execute(text("SELECT count(*) FROM matches")).scalar_one() == 1
    engine.dispose()
    assert asyncio.run(tell(1)) == ["Note 0"], "the upgrade brings the table back"


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: Any, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'live.db'}"
    return str(request.getfixturevalue("postgres_url"))


def test_the_drill_a_backup_is_restored_as_of_a_moment_and_verified(database, tmp_path):
    """Back up while a server is at work, go on, lose everything, restore, and find each match as it was then."""
    fresh = f"sqlite:///{tmp_path / 'again.db'}"
    time_now = [5_000_000_000.0]

    async def before() -> tuple[str, str, dict[str, Any]]:
        store = await Store.open(database)
        host = Host(store, ThinksHere(), now=lambda: time_now[0])
        clock = {"kind": "budget", "seconds": 900.0, "increment": 0.0}
        made = await host.create(msgspec.convert({"game": "three-crowns", "clock": clock}, CreateMatch))
        for number, role in enumerate(("red", "blue", "green")):
            time_now[0] += 10
            await host.matches.act(made.match, role, PLAN, answers=number)
        visit = await host.visit(made.match, made.seats[0].secret, "en")
        then = msgspec.to_builtins(await visit.table(None, "red"))
        time_now[0] += 10
        await host.matches.act(made.match, "red", b'{"do":"end-moves"}', answers=3)
        late = await host.create(msgspec.convert({"game": "three-crowns"}, CreateMatch))
        await asyncio.to_thread(back_up, database, tmp_path / "backup.db")
        await host.close()
        await store.close()
        return made.match, late.match, then

    match, late, then = asyncio.run(before())
    assert restore(tmp_path / "backup.db", fresh, at=5_000_000_035.0) >= 1

    async def after() -> None:
        store = await Store.open(fresh)
        host = Host(store, ThinksHere(), now=lambda: time_now[0])
        live = await host.matches.live(match)
        assert live.match.number == 3
        assert msgspec.to_builtins(live.match.table("red")) == then
        assert live.hands["red"][1] == 5_000_000_030.0
        assert await store.match(late) is None
        await host.matches.act(match, "red", b'{"do":"end-moves"}', answers=3)
        await host.close()
        await store.close()

    asyncio.run(after())
    assert main(["admin", "verify", "--database", fresh]) == 0


def test_a_backup_is_restored_into_an_empty_database_only(tmp_path, capsys):
    url, _ = old_database(tmp_path)
    file = tmp_path / "backup.db"
    assert main(["admin", "backup", str(file), "--database", url]) == 0
    assert main(["admin", "restore", str(file), "--database", url]) == 2
    assert "empty database" in capsys.readouterr().err


def test_the_operator_lists_inspects_exports_rotates_and_deletes(tmp_path, capsys):
    url, secrets = old_database(tmp_path)
    match = next(iter(secrets))
    assert main(["admin", "list", "--database", url]) == 0
    assert match in capsys.readouterr().out
    assert main(["admin", "inspect", match, "--database", url]) == 0
    told = capsys.readouterr().out
    assert json.loads(told)["id"] == match
    assert "seed_hash" in told
    assert '"seed"' not in told
    assert secrets[match] not in told
    assert main(["admin", "rotate", match, "--seat", "0", "--database", url]) == 0
    assert f"/m/{match}#seat=" in capsys.readouterr().out
    file = tmp_path / "x.sandtable"
    assert main(["admin", "export", match, "--out", str(file), "--database", url]) == 0
    assert file.read_bytes().startswith(b'{"sandtable"')
    assert main(["admin", "delete", match, "--database", url]) == 0
    assert main(["admin", "delete", match, "--database", url]) == 2
    assert main(["admin", "verify", "--database", url]) == 0
    assert main(["admin", "expire", "--days", "0.0001", "--database", url]) == 0
    assert main(["admin", "expire", "--database", url]) == 2


def test_verify_finds_a_damaged_match(tmp_path, capsys):
    url, secrets = old_database(tmp_path)
    engine, _ = open_engine(url)
    with engine.begin() as connection:
        connection.execute(
            text("UPDATE moves SET digest = '0' WHERE number = 4 AND match = :m"), {"m": next(iter(secrets))}
        )
    engine.dispose()
    assert main(["admin", "verify", "--database", url]) == 1
    assert "move 4 leads to another state" in capsys.readouterr().out


def test_a_deleted_parent_leaves_its_branches_whole(tmp_path):
    url, secrets = old_database(tmp_path)
    match, secret = next(iter(secrets.items()))

    async def scene() -> None:
        store = await Store.open(url)
        host = Host(store, ThinksHere())
        made = await (await host.visit(match, secret, "en")).branch(Branch(at=7))
        await play_on(host, made.match, 2)
        deeper = await (await host.visit(made.match, made.seats[0].secret, "en")).branch(Branch(at=9))
        digest = (await host.matches.live(deeper.match)).match.digest()
        assert await store.delete(made.match)
        host.matches.forget(deeper.match)
        assert (await host.matches.live(deeper.match)).match.digest() == digest
        assert await store.delete(match)
        host.matches.forget(deeper.match)
        assert (await host.matches.live(deeper.match)).match.digest() == digest
        await host.close()
        await store.close()

    asyncio.run(scene())


def test_figures_for_prometheus_count_moves(server):
    _match, (red, *_) = create(server.url, ONE_EACH)
    red.act("red", {"do": "plan", "posture": "march"}, 0)
    told = get(f"{server.url}/api/metrics").text
    values = dict(line.rsplit(" ", 1) for line in told.splitlines() if not line.startswith("#"))
    assert float(values["sandtable_moves_total"]) >= 1
    assert float(values['sandtable_work_ok{work="clocks"}']) == 1
    assert float(values["process_resident_memory_bytes"]) > 1e7


def test_no_leftover_of_a_backup_is_needed(tmp_path):
    url, _ = old_database(tmp_path)
    back_up(url, tmp_path / "b.db")
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    shutil.copy(tmp_path / "b.db", moved / "b.db")
    assert restore(moved / "b.db", f"sqlite:///{tmp_path / 'fresh.db'}") == 7
