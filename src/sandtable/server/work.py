"""Database work in threads.

On SQLite a single writer thread takes all transactions that are waiting, runs each in a savepoint, commits them
together with one sync of the disk, and then answers each of them. PostgreSQL groups commits by itself: there every
transaction has a thread of its own.

A commit that fails may have been written or not, so who waits for it hears exactly that. On SQLite nothing is read or
written after it until all connections are closed, the database is opened anew from disk, and all that it holds is
written and synced once more: what was never synced must not be acknowledged by a later look at it.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from sandtable.host.errors import Unavailable, Unsure

T = TypeVar("T")
Job = Callable[[Connection], Any]
MOST_TOGETHER = 128
RECOVER_SECONDS = 0.5
log = logging.getLogger("sandtable.server")


class Workers:
    """Runs jobs on the database in threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        is_sqlite = engine.dialect.name == "sqlite"
        self._threads = ThreadPoolExecutor(4 if is_sqlite else 12, thread_name_prefix="database")
        self._writer = _Writer(engine) if is_sqlite else None

    @property
    def is_broken(self) -> bool:
        """Whether a commit failed and the database is not recovered yet."""
        return self._writer is not None and self._writer.is_broken

    async def read(self, job: Callable[[Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._read, job)

    def _read(self, job: Callable[[Connection], T]) -> T:
        if self.is_broken:
            raise Unavailable
        try:
            with self.engine.connect() as connection:
                result = job(connection)
        except SQLAlchemyError as error:
            log.warning("a look into the database failed: %s", error.__cause__ or error)
            raise Unavailable from error
        if self.is_broken:  # it may have seen what was never written
            raise Unavailable
        return result

    async def write(self, job: Callable[[Connection], T]) -> T:
        """Run the job in a transaction; returns when it is committed. Raises Unsure if nobody knows whether it is."""
        if self._writer is not None:
            result: T = await asyncio.wrap_future(self._writer.submit(job))
            return result
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._write, job)

    def _write(self, job: Callable[[Connection], T]) -> T:
        try:
            connection = self.engine.connect()
        except SQLAlchemyError as error:
            raise _told(error) from error
        try:
            try:
                result = job(connection)
            except SQLAlchemyError as error:
                raise _told(error) from error
            try:
                connection.commit()
            except IntegrityError:
                raise
            except SQLAlchemyError as error:
                log.error("a commit failed: %s", error.__cause__ or error)
                connection.invalidate()
                raise Unsure from error
            return result
        finally:
            connection.close()  # what is not committed is rolled back

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._threads.shutdown(wait=True)
        self.engine.dispose()


def _told(error: SQLAlchemyError) -> Exception:
    """Return the error as the host hears it: what broke a rule of the tables as it is, anything else as no storage."""
    if isinstance(error, IntegrityError):
        return error
    log.warning("a transaction failed and was rolled back: %s", error.__cause__ or error)
    return Unavailable()


class _Writer:
    """The one thread that writes to SQLite."""

    def __init__(self, engine: Engine) -> None:
        self.is_broken = False
        self._engine = engine
        self._ending = threading.Event()
        self._jobs: queue.SimpleQueue[tuple[Job, Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="database-writer", daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> Future[Any]:
        answer: Future[Any] = Future()
        answer.set_running_or_notify_cancel()  # who waits for it may leave; what they asked for is done all the same
        if self.is_broken:
            answer.set_exception(Unavailable())
        else:
            self._jobs.put((job, answer))
        return answer

    def close(self) -> None:
        self._ending.set()
        self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        connection: Connection | None = None
        while (first := self._jobs.get()) is not None:
            batch = [first]
            while len(batch) < MOST_TOGETHER and not self._jobs.empty():
                item = self._jobs.get()
                if item is None:
                    self._jobs.put(None)  # the end comes after this batch
                    break
                batch.append(item)
            if self.is_broken:
                _answer(batch, [(None, Unavailable())] * len(batch))
                continue
            try:
                connection = connection or self._engine.connect()
                results = _commit(connection, batch)
            except Exception as error:  # the thread lives on, and everybody is answered
                log.exception("a group of transactions failed")
                self.is_broken = True
                results = [(None, Unsure() if isinstance(error, SQLAlchemyError) else error)] * len(batch)
            if self.is_broken:
                self._drop(connection)
                connection = None
            _answer(batch, results)
            if self.is_broken:
                self._recover()
        if connection is not None:
            connection.close()

    def _drop(self, connection: Connection | None) -> None:
        try:
            if connection is not None:
                connection.invalidate()
                connection.close()
        except SQLAlchemyError:
            log.exception("a connection could not be closed in order")
        self._engine.dispose()

    def _recover(self) -> None:
        """Read the database from disk and write all of it once more. Tried until it works or the server ends."""
        while not self._ending.is_set():
            try:
                self._engine.dispose()
                with self._engine.connect() as connection:
                    raw: Any = connection.connection.dbapi_connection
                    busy, _, _ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                if not busy:
                    self.is_broken = False
                    log.warning("the database was recovered from disk after a failed commit")
                    return
            except Exception:
                log.exception("the database cannot be recovered yet; it is tried again")
            self._ending.wait(RECOVER_SECONDS)


def _answer(batch: list[tuple[Job, Future[Any]]], results: list[tuple[Any, Exception | None]]) -> None:
    for (_, answer), (value, fault) in zip(batch, results, strict=True):
        if fault is None:
            answer.set_result(value)
        else:
            answer.set_exception(fault)


def _commit(connection: Connection, batch: list[tuple[Job, Future[Any]]]) -> list[tuple[Any, Exception | None]]:
    """Run the jobs and commit them together; returns what each is answered. Raises if the commit itself fails."""
    if len(batch) == 1:  # nobody else to be kept from harm: the transaction itself is enough
        try:
            results: list[tuple[Any, Exception | None]] = [(batch[0][0](connection), None)]
        except Exception as error:
            connection.rollback()
            return [(None, _told(error) if isinstance(error, SQLAlchemyError) else error)]
    else:
        try:
            results = [_kept_apart(connection, job) for job, _ in batch]
        except SQLAlchemyError as error:  # not even a savepoint can be set: nothing of the batch is written
            connection.rollback()
            return [(None, _told(error))] * len(batch)
    connection.commit()
    return results


def _kept_apart(connection: Connection, job: Job) -> tuple[Any, Exception | None]:
    """Run one job of several: when it fails, the others do not."""
    savepoint = connection.begin_nested()
    try:
        value = job(connection)
        savepoint.commit()
    except Exception as error:
        savepoint.rollback()
        return None, _told(error) if isinstance(error, SQLAlchemyError) else error
    return value, None
