"""Computer players think in processes of their own, so that they never hold up a request."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import zlib
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from sandtable.core import SandtableError
from sandtable.host import Question, Thought, think

log = logging.getLogger("sandtable.server")
ATTEMPTS = 3


class Processes:
    """A `Thinker`: every match belongs to one of its processes, which keeps the match's players."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._pools: dict[int, ProcessPoolExecutor] = {}

    async def think(self, question: Question) -> Thought:
        """Ask the match's own process; if it dies, another one in its place."""
        place = zlib.crc32(question.match.encode()) % self.number
        for attempt in range(ATTEMPTS):
            pool = self._pools.get(place)
            if pool is None:
                pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
                self._pools[place] = pool
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, think, question)
            except BrokenProcessPool:
                log.warning("a thinking process died; starting another (attempt %d)", attempt + 1)
                if self._pools.get(place) is pool:
                    del self._pools[place]
                    pool.shutdown(wait=False, cancel_futures=True)
                await asyncio.sleep(0.05 * (attempt + 1))
        raise SandtableError("the thinking processes keep dying")

    async def close(self) -> None:
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
        self._pools.clear()
