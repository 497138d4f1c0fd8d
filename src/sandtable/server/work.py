"""Database work: one disk sync for many moves where the disk is slow, none of the detours where it is quick.

On SQLite a single writer thread takes all transactions that are waiting, runs each inside a savepoint, commits them
together, and only then answers each of them. While nobody else is writing and the disk has been answering within a
blink, a transaction is run at once in the event loop: the way to the thread and back would take as long as the disk.
PostgreSQL does that by itself; there every transaction is its own, in a thread.
`Statement` is for the few statements of a move: compiled once, they cost a fraction of going through SQLAlchemy.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from sqlalchemy import Connection, Dialect, Engine
from sqlalchemy.sql.elements import ClauseElement

from .disk import Disk

T = TypeVar("T")
Job = Callable[[Connection], Any]
Meanwhile = Callable[[], None]
MOST_TOGETHER = 128
SWEEP_SECONDS = 3.0
BLINK = 0.002
"""Seconds of a commit up to which the event loop may wait for the disk itself."""
log = logging.getLogger("sandtable.server")


class Statement:
    """One statement in the database's own words, its parameters by name."""

    __slots__ = ("_names", "_words")

    def __init__(self, statement: ClauseElement, dialect: Dialect) -> None:
        compiled: Any = statement.compile(dialect=dialect)
        self._words = str(compiled)
        self._names: list[str] | None = compiled.positiontup

    def run(self, connection: Connection, values: Mapping[str, Any]) -> None:
        if self._names is None:
            connection.exec_driver_sql(self._words, dict(values))
        else:  # SQLite: straight to the driver
            _driver(connection).execute(self._words, [values[name] for name in self._names])


def _driver(connection: Connection) -> sqlite3.Connection:
    driver: sqlite3.Connection = connection.connection.driver_connection  # type: ignore[assignment]
    return driver


class Workers:
    """Runs jobs on the database in threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.is_sqlite = engine.dialect.name == "sqlite"
        self._threads = ThreadPoolExecutor(4 if self.is_sqlite else 12, thread_name_prefix="database")
        self._writer = _Writer(engine) if self.is_sqlite else None

    async def read(self, job: Callable[[Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._read, job)

    def _read(self, job: Callable[[Connection], T]) -> T:
        with self.engine.connect() as connection:
            return job(connection)

    async def write(self, job: Callable[[Connection], T], meanwhile: Meanwhile | None = None) -> T:
        """Run the job in a transaction; returns when it is committed, raises when nothing of it is.

        `meanwhile` is called in the event loop while the disk is at work, or not at all. What it shows to anybody it
        must keep back until this returns.
        """
        if self._writer is not None:
            result: T = await self._writer.submit(job, meanwhile)
            return result
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._write, job, loop, meanwhile)

    def _write(self, job: Callable[[Connection], T], loop: asyncio.AbstractEventLoop, meanwhile: Meanwhile | None) -> T:
        with self.engine.begin() as connection:
            result = job(connection)
            if meanwhile is not None:
                loop.call_soon_threadsafe(meanwhile)
            return result

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._threads.shutdown(wait=True)
        self.engine.dispose()


class _Wanted:
    """A job that somebody waits for."""

    __slots__ = ("answer", "job", "loop", "meanwhile")

    def __init__(
        self, job: Job, answer: asyncio.Future[Any], loop: asyncio.AbstractEventLoop, meanwhile: Meanwhile | None
    ) -> None:
        self.job, self.answer, self.loop, self.meanwhile = job, answer, loop, meanwhile


_Answered = tuple[_Wanted, bool, Any]
"""Whom to answer, whether it is written, and the result or what went wrong."""


class _Writer:
    """The one thread that writes to SQLite, and the one that sweeps up behind it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._jobs: queue.SimpleQueue[_Wanted | None] = queue.SimpleQueue()
        self._connection = engine.connect()
        self._disk = Disk.take_over(_driver(self._connection))
        self._turn = threading.Lock()
        """Held by whoever is writing."""
        self._usual = 0.0
        """Seconds a commit has been taking lately."""
        self._closing = threading.Event()
        self.commits = 0
        self._threads = [
            threading.Thread(target=self._run, name="database-writer", daemon=True),
            threading.Thread(target=self._sweep, name="database-sweeper", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Job, meanwhile: Meanwhile | None) -> asyncio.Future[Any]:
        loop = asyncio.get_running_loop()
        wanted = _Wanted(job, loop.create_future(), loop, meanwhile)
        if self._usual < BLINK and self._turn.acquire(blocking=False):
            try:
                _answer(self._commit([wanted]))
            finally:
                self._turn.release()
        else:
            self._jobs.put(wanted)
        return wanted.answer

    def close(self) -> None:
        self._jobs.put(None)
        self._closing.set()
        for thread in self._threads:
            thread.join()
        if self._disk is not None:
            self._disk.close()
        self._connection.close()

    def _sweep(self) -> None:
        """Bring what is committed from SQLite's log into its tables, so that no move has to wait for that.

        Most of it goes beside the moves; for what came meanwhile they stand still for a moment. With nothing left in
        it the log is written from its start again, and a disk is quicker to write a file over than to make it longer.
        """
        swept = 0
        with self._engine.connect() as connection:
            driver = _driver(connection)
            while not self._closing.wait(SWEEP_SECONDS):
                if self.commits == swept:
                    continue
                swept = self.commits
                try:
                    driver.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
                    with self._turn:
                        driver.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
                except sqlite3.Error:
                    log.exception("the database's log could not be swept; it is tried again")

    def _run(self) -> None:
        while True:
            first = self._jobs.get()
            if first is None:
                return
            batch, last = [first], False
            while len(batch) < MOST_TOGETHER:
                try:
                    item = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if item is None:
                    last = True
                    break
                batch.append(item)
            with self._turn:
                answers = self._commit(batch, in_thread=True)
            by_loop: dict[int, list[_Answered]] = {}
            for answered in answers:
                by_loop.setdefault(id(answered[0].loop), []).append(answered)
            for told in by_loop.values():
                loop = told[0][0].loop
                if not loop.is_closed():
                    loop.call_soon_threadsafe(_answer, told)
            if last:
                return

    def _commit(self, batch: list[_Wanted], *, in_thread: bool = False) -> list[_Answered]:
        """Run the jobs and commit them together; what to answer to each."""
        connection, began = self._connection, time.perf_counter()
        driver = _driver(connection)
        results: list[tuple[bool, Any]] = []
        try:
            driver.execute("BEGIN IMMEDIATE")
            if len(batch) == 1:  # nobody else to be kept from harm: the transaction itself is enough
                results.append((True, batch[0].job(connection)))
            else:
                results.extend(_kept_apart(connection, wanted.job) for wanted in batch)
            driver.commit()
            self.commits += 1
            if connection.in_transaction():  # a job went through SQLAlchemy, which has yet to hear of it
                connection.commit()
            if self._disk is not None:
                self._disk.start()
            for wanted in batch:
                if wanted.meanwhile is not None and not wanted.loop.is_closed():
                    if in_thread:
                        wanted.loop.call_soon_threadsafe(wanted.meanwhile)
                    else:
                        _beside(wanted.meanwhile)
            if self._disk is not None:
                self._disk.finish()
        except Exception as error:  # nothing of the batch is sure to be written: every job hears so
            driver.rollback()
            if connection.in_transaction():
                connection.rollback()
            results = [(False, error)] * len(batch)
        self._usual += (time.perf_counter() - began - self._usual) / 8
        return [(wanted, is_done, value) for wanted, (is_done, value) in zip(batch, results, strict=True)]


def _beside(meanwhile: Meanwhile) -> None:
    """What is done beside a commit must not spoil it."""
    try:
        meanwhile()
    except Exception:
        log.exception("something beside a commit went wrong; the commit goes on")


def _kept_apart(connection: Connection, job: Job) -> tuple[bool, Any]:
    """Run one job of several: when it fails, the others do not."""
    connection.exec_driver_sql("SAVEPOINT job")
    try:
        result = (True, job(connection))
    except Exception as error:
        connection.exec_driver_sql("ROLLBACK TO job")
        result = (False, error)
    connection.exec_driver_sql("RELEASE job")
    return result


def _answer(answers: list[_Answered]) -> None:
    for wanted, is_done, value in answers:
        future = wanted.answer
        if future.cancelled():
            continue
        if is_done:
            future.set_result(value)
        else:
            future.set_exception(value)
