"""Database work off the event loop: one hop to a thread per transaction, and one disk sync for many moves.

On SQLite a single writer thread takes all transactions that are waiting, runs each inside a savepoint, commits them
together, and only then answers each of them. PostgreSQL does that by itself; there every transaction is its own.
`Statement` is for the few statements of a move: compiled once, they cost a fraction of going through SQLAlchemy.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from sqlalchemy import Connection, Dialect, Engine
from sqlalchemy.sql.elements import ClauseElement

T = TypeVar("T")
Job = Callable[[Connection], Any]
Meanwhile = Callable[[], None]
MOST_TOGETHER = 128


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

        `meanwhile` is called in the event loop while the disk is at work, or not at all.
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


class _Writer:
    """The one thread that writes to SQLite."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._jobs: queue.SimpleQueue[_Wanted | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="database-writer", daemon=True)
        self._thread.start()

    def submit(self, job: Job, meanwhile: Meanwhile | None) -> asyncio.Future[Any]:
        loop = asyncio.get_running_loop()
        wanted = _Wanted(job, loop.create_future(), loop, meanwhile)
        self._jobs.put(wanted)
        return wanted.answer

    def close(self) -> None:
        self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        with self._engine.connect() as connection:
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
                self._commit(connection, batch)
                if last:
                    return

    def _commit(self, connection: Connection, batch: list[_Wanted]) -> None:
        results: list[tuple[bool, Any]] = []
        try:
            _driver(connection).execute("BEGIN IMMEDIATE")
            if len(batch) == 1:  # nobody else to be kept from harm: the transaction itself is enough
                results.append((True, batch[0].job(connection)))
            else:
                results.extend(_kept_apart(connection, wanted.job) for wanted in batch)
            for wanted in batch:
                if wanted.meanwhile is not None and not wanted.loop.is_closed():
                    wanted.loop.call_soon_threadsafe(wanted.meanwhile)
            _driver(connection).commit()
            if connection.in_transaction():  # a job went through SQLAlchemy, which has yet to hear of it
                connection.commit()
        except Exception as error:  # nothing of the batch is written: every job hears so
            _driver(connection).rollback()
            if connection.in_transaction():
                connection.rollback()
            results = [(False, error)] * len(batch)
        by_loop: dict[int, list[tuple[_Wanted, bool, Any]]] = {}
        for wanted, (is_done, value) in zip(batch, results, strict=True):
            by_loop.setdefault(id(wanted.loop), []).append((wanted, is_done, value))
        for answers in by_loop.values():
            loop = answers[0][0].loop
            if not loop.is_closed():
                loop.call_soon_threadsafe(_answer, answers)


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


def _answer(answers: list[tuple[_Wanted, bool, Any]]) -> None:
    for wanted, is_done, value in answers:
        future = wanted.answer
        if future.cancelled():
            continue
        if is_done:
            future.set_result(value)
        else:
            future.set_exception(value)
