"""Database work in threads.

On SQLite a single writer thread takes all transactions that are waiting, runs each in a savepoint, commits them
together with one sync of the disk, and then answers each of them. PostgreSQL groups commits by itself: there every
transaction has a thread of its own.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine

T = TypeVar("T")
Job = Callable[[Connection], Any]
MOST_TOGETHER = 128


class Workers:
    """Runs jobs on the database in threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        is_sqlite = engine.dialect.name == "sqlite"
        self._threads = ThreadPoolExecutor(4 if is_sqlite else 12, thread_name_prefix="database")
        self._writer = _Writer(engine) if is_sqlite else None

    async def read(self, job: Callable[[Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._read, job)

    def _read(self, job: Callable[[Connection], T]) -> T:
        with self.engine.connect() as connection:
            return job(connection)

    async def write(self, job: Callable[[Connection], T]) -> T:
        """Run the job in a transaction; returns when it is committed, raises when nothing of it is."""
        if self._writer is not None:
            result: T = await asyncio.wrap_future(self._writer.submit(job))
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
        self._jobs: queue.SimpleQueue[tuple[Job, Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="database-writer", daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> Future[Any]:
        answer: Future[Any] = Future()
        self._jobs.put((job, answer))
        return answer

    def close(self) -> None:
        self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        with self._engine.connect() as connection:
            while (first := self._jobs.get()) is not None:
                batch = [first]
                while len(batch) < MOST_TOGETHER and not self._jobs.empty():
                    item = self._jobs.get()
                    if item is None:
                        self._jobs.put(None)  # the end comes after this batch
                        break
                    batch.append(item)
                _commit(connection, batch)


def _commit(connection: Connection, batch: list[tuple[Job, Future[Any]]]) -> None:
    """Run the jobs, commit them together, and then answer each."""
    results: list[tuple[Any, Exception | None]] = []
    try:
        if len(batch) == 1:  # nobody else to be kept from harm: the transaction itself is enough
            results.append((batch[0][0](connection), None))
        else:
            results.extend(_kept_apart(connection, job) for job, _ in batch)
        connection.commit()
    except Exception as error:  # nothing of the batch is sure to be written: every job hears so
        connection.rollback()
        results = [(None, error)] * len(batch)
    for (_, answer), (value, fault) in zip(batch, results, strict=True):
        if fault is None:
            answer.set_result(value)
        else:
            answer.set_exception(fault)


def _kept_apart(connection: Connection, job: Job) -> tuple[Any, Exception | None]:
    """Run one job of several: when it fails, the others do not."""
    savepoint = connection.begin_nested()
    try:
        value = job(connection)
        savepoint.commit()
    except Exception as error:
        savepoint.rollback()
        return None, error
    return value, None
