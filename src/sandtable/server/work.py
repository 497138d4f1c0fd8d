"""Database work off the event loop: one hop to a thread per transaction, and one disk sync for many moves.

On SQLite a single writer thread takes all transactions that are waiting, runs each inside a savepoint, commits them
together, and only then answers each of them. PostgreSQL does that by itself; there every transaction is its own.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine

T = TypeVar("T")
Job = Callable[[Connection], Any]
MOST_TOGETHER = 128


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

    async def write(self, job: Callable[[Connection], T]) -> T:
        """Run the job in a transaction; returns when it is committed, raises when nothing of it is."""
        if self._writer is not None:
            result: T = await self._writer.submit(job)
            return result
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._write, job)

    def _write(self, job: Callable[[Connection], T]) -> T:
        with self.engine.begin() as connection:
            return job(connection)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._threads.shutdown(wait=True)
        self.engine.dispose()


class _Writer:
    """The one thread that writes to SQLite."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._jobs: queue.SimpleQueue[tuple[Job, asyncio.Future[Any], asyncio.AbstractEventLoop] | None]
        self._jobs = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="database-writer", daemon=True)
        self._thread.start()

    async def submit(self, job: Job) -> Any:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()
        self._jobs.put((job, answer, loop))
        return await answer

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

    def _commit(self, connection: Connection, batch: list[Any]) -> None:
        results: list[tuple[bool, Any]] = []
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            for job, _, _ in batch:
                connection.exec_driver_sql("SAVEPOINT job")
                try:
                    results.append((True, job(connection)))
                except Exception as error:
                    connection.exec_driver_sql("ROLLBACK TO job")
                    results.append((False, error))
                connection.exec_driver_sql("RELEASE job")
            connection.commit()
        except Exception as error:  # nothing of the batch is written: every job hears so
            connection.rollback()
            results = [(False, error)] * len(batch)
        answers = [(answer, *result) for (_, answer, _), result in zip(batch, results, strict=True)]
        loops = {id(loop): loop for _, _, loop in batch}
        for loop in loops.values():
            mine = [a for a, (_, _, theirs) in zip(answers, batch, strict=True) if theirs is loop]
            if not loop.is_closed():
                loop.call_soon_threadsafe(_answer, mine)


def _answer(answers: list[tuple[asyncio.Future[Any], bool, Any]]) -> None:
    for future, is_done, value in answers:
        if future.cancelled():
            continue
        if is_done:
            future.set_result(value)
        else:
            future.set_exception(value)
