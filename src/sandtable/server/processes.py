"""Computer players think in processes of their own, so that they never hold up a request.

Quick questions have a process to themselves: a level that has answered in a moment so far does not wait behind one that
ponders. In each process the owners of matches take turns, so that nobody's forty matches hold up another's one.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import time
import zlib
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

import msgspec

from sandtable.core import SandtableError
from sandtable.games import registered
from sandtable.host import Question, Thought, think
from sandtable.host.asides import Aside, do
from sandtable.host.errors import Busy
from sandtable.players import levels
from sandtable.players.helpers import end_with_parent

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

log = logging.getLogger("sandtable.server")
T = TypeVar("T")
ATTEMPTS = 3
IMPORT_BYTES = 1536 * 1024 * 1024
QUICK_SECONDS = 0.25
MOST_WAITING = 1_000
"""Questions of one owner that may wait."""


def set_up(most_bytes: int | None) -> None:
    """Prepare a process: it ends with its parent, gives way to it, and takes no more memory than it may."""
    end_with_parent()
    if hasattr(os, "nice"):  # not on Windows
        os.nice(10)
    if most_bytes is not None and resource is not None:
        resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))


class Turns:
    """A queue in which owners take turns, one thing at a time being done."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self.is_busy = False

    async def take(self, owner: str) -> None:
        """Wait for one's turn."""
        if not self.is_busy:
            self.is_busy = True
            return
        mine = self._waiting.setdefault(owner, deque())
        if len(mine) >= MOST_WAITING:
            raise Busy("too many of your matches wait for the computer")
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        mine.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give()
            raise

    def give(self) -> None:
        """Let the next owner's first in."""
        while self._waiting:
            owner, theirs = self._waiting.popitem(last=False)
            turn = theirs.popleft()
            if theirs:
                self._waiting[owner] = theirs  # at the end: the others come first
            if not turn.cancelled():
                turn.set_result(None)
                return
        self.is_busy = False

    @property
    def length(self) -> int:
        return sum(map(len, self._waiting.values()))


class Worker:
    """One process. If it dies, another takes its place."""

    def __init__(self, most_bytes: int | None = None) -> None:
        self.turns = Turns()
        self._most_bytes = most_bytes
        self._pool: ProcessPoolExecutor | None = None

    async def run(self, owner: str, work: Callable[..., T], *words: Any) -> T:
        """Do the work in the process when it is this owner's turn."""
        await self.turns.take(owner)
        try:
            for attempt in range(ATTEMPTS):
                if self._pool is None:
                    context = multiprocessing.get_context("spawn")
                    self._pool = ProcessPoolExecutor(
                        1, mp_context=context, initializer=set_up, initargs=(self._most_bytes,)
                    )
                pool = self._pool
                try:
                    return await asyncio.get_running_loop().run_in_executor(pool, work, *words)
                except BrokenProcessPool:
                    log.warning("a process died; starting another (attempt %d)", attempt + 1)
                    if self._pool is pool:
                        self._pool = None
                        pool.shutdown(wait=False, cancel_futures=True)
                    await asyncio.sleep(0.05 * (attempt + 1))
            raise SandtableError("the processes keep dying")
        finally:
            self.turns.give()

    def close(self) -> None:
        """End the process at once, whatever it is doing, and put away what was shared with it."""
        if self._pool is not None:
            for child in (self._pool._processes or {}).values():
                child.kill()
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


class Processes:
    """A `Thinker`: every match belongs to one of its processes, which keeps the match's players."""

    def __init__(self, number: int) -> None:
        self._quick = Worker()
        self._slow = [Worker() for _ in range(number)]
        self._files = Worker(IMPORT_BYTES)
        self._asides = Worker()
        self._cores = min(os.cpu_count() or 1, number + 1)
        self._took: dict[tuple[str, str], float] = {}
        """By game and level: about how long it thinks."""

    async def think(self, question: Question) -> Thought:
        """Ask the match's own process; if it dies, another one in its place."""
        kind = (question.game, question.level)
        worker = self._slow[zlib.crc32(question.match.encode()) % len(self._slow)]
        if self._took.get(kind, 0.0 if is_weakest(question) else 1.0) < QUICK_SECONDS:
            worker = self._quick
        others = sum(one.turns.is_busy for one in self._slow if one is not worker)
        question = msgspec.structs.replace(question, cores=max(1, self._cores - others))
        thought, seconds = await worker.run(question.owner, timed, question)
        self._took[kind] = 0.8 * self._took.get(kind, seconds) + 0.2 * seconds
        return thought

    async def aside(self, task: Aside, owner: str) -> bytes:
        """Do a piece of work in a process that no computer player waits for."""
        return await self._asides.run(owner, do, task)

    async def run_import(self, work: Callable[..., Any], *words: Any) -> Any:
        """Do a part of bringing in a match file, in a process that does nothing else."""
        try:
            return await self._files.run("", work, *words)
        except (MemoryError, KeyError):  # a process that died has forgotten the file
            raise SandtableError("the match file is too large to be replayed here") from None

    @property
    def waiting(self) -> int:
        """How many questions wait for a process."""
        return sum(worker.turns.length for worker in (self._quick, *self._slow))

    async def close(self) -> None:
        for worker in (self._quick, self._files, self._asides, *self._slow):
            worker.close()


def is_weakest(question: Question) -> bool:
    """Whether the level is the game's first one, which does not search."""
    return question.level == next(iter(levels(registered(question.game, question.rules))), "")


def timed(question: Question) -> tuple[Thought, float]:
    """Return what a player thinks, and how many seconds that took."""
    start = time.perf_counter()
    return think(question), time.perf_counter() - start
