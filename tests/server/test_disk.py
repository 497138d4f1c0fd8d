"""A move is acknowledged when the disk has it, and not before."""

from __future__ import annotations

import asyncio
import sqlite3

import pytest
from sqlalchemy import create_engine, event, text

from sandtable.server.disk import Disk
from sandtable.server.storage import _prepare_sqlite
from sandtable.server.work import Workers


class WatchedDisk(Disk):
    """A disk that tells what is asked of it, and may be broken."""

    def __init__(self, told, broken=False):
        self.told, self.broken = told, broken

    def start(self):
        self.told.append("start")

    def finish(self):
        self.told.append("finish")
        if self.broken:
            raise OSError("the disk is gone")

    def close(self):
        pass


def workers(folder):
    engine = create_engine(f"sqlite:///{folder / 'disk.db'}", connect_args={"check_same_thread": False})
    event.listen(engine, "connect", _prepare_sqlite)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE told (word TEXT)"))
    return Workers(engine)


def write(work, told):
    return work.write(
        lambda c: c.execute(text("INSERT INTO told VALUES ('yes')")), meanwhile=lambda: told.append("meanwhile")
    )


def words(work):
    return work.read(lambda c: [word for (word,) in c.execute(text("SELECT word FROM told"))])


@pytest.mark.parametrize("slow", [False, True])
def test_the_disk_is_started_first_and_waited_for_before_anybody_is_answered(tmp_path, slow):
    async def scene():
        work, told = workers(tmp_path), list[str]()
        assert work._writer is not None
        work._writer._disk = WatchedDisk(told)
        if slow:
            work._writer._usual = 1.0  # then a thread writes
        await write(work, told)
        assert await words(work) == ["yes"]
        assert told.index("start") < told.index("finish")
        if not slow:
            assert told == ["start", "meanwhile", "finish"]
        work.close()

    asyncio.run(scene())


def test_a_disk_that_fails_is_no_acknowledgement(tmp_path):
    async def scene():
        work, told = workers(tmp_path), list[str]()
        assert work._writer is not None
        work._writer._disk = WatchedDisk(told, broken=True)
        with pytest.raises(OSError, match="the disk is gone"):
            await write(work, told)
        work.close()

    asyncio.run(scene())


def test_what_fails_beside_a_commit_does_not_spoil_it(tmp_path, caplog):
    async def scene():
        work = workers(tmp_path)
        await work.write(lambda c: c.execute(text("INSERT INTO told VALUES ('yes')")), meanwhile=lambda: [].pop())
        assert await words(work) == ["yes"]
        work.close()

    asyncio.run(scene())
    assert "the commit goes on" in caplog.text


def test_sqlite_syncs_for_itself_where_we_cannot(tmp_path):
    plain = sqlite3.connect(tmp_path / "plain.db")
    plain.execute("PRAGMA synchronous=FULL")
    assert Disk.take_over(plain) is None  # no log of its own
    assert plain.execute("PRAGMA synchronous").fetchone() == (2,)
    plain.execute("PRAGMA journal_mode=WAL")
    disk = Disk.take_over(plain)
    assert disk is not None
    assert plain.execute("PRAGMA synchronous").fetchone() == (1,)
    disk.start()
    disk.finish()
    disk.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        disk.finish()
