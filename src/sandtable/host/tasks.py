"""Work that a host does by itself, round after round. A round that fails is logged and tried again; nothing ends it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Protocol

import msgspec

log = logging.getLogger("sandtable.host")
LATE = 20.0
"""Seconds over its time after which a round counts as stuck."""


class WorkHealth(msgspec.Struct):
    """How one kind of work is going."""

    name: str
    ok: bool
    rounds: int
    failures: int
    late: float
    """Seconds since the last round that went well."""
    error: str | None
    """The kind of the last round's error; None if it went well."""


class Work(Protocol):
    def __call__(self) -> Awaitable[object]: ...


def steady_clock() -> Callable[[], float]:
    """Return a function that tells the time of day and does not jump when the machine's clock is set."""
    offset = time.time() - time.monotonic()
    return lambda: time.monotonic() + offset


class Tasks:
    """Runs work in rounds, and knows how it is going."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._every: dict[str, float] = {}
        self._went_well: dict[str, float] = {}
        self._health: dict[str, WorkHealth] = {}

    async def repeat(self, name: str, every: float, work: Work) -> None:
        """Do the work for ever, with a pause of `every` seconds. Only cancelling ends it."""
        health = self._health[name] = WorkHealth(name, True, 0, 0, 0.0, None)
        self._every[name], self._went_well[name] = every, self._now()
        while True:
            try:
                await work()
                health.error, self._went_well[name] = None, self._now()
            except Exception as error:
                if health.error is None:
                    log.exception("%s failed; it is tried again", name)
                health.failures, health.error = health.failures + 1, type(error).__name__
            health.rounds += 1
            await asyncio.sleep(every)

    def goes_well(self, name: str) -> None:
        """Note that work is going on, in a round that takes long."""
        self._health[name].error, self._went_well[name] = None, self._now()

    def health(self) -> list[WorkHealth]:
        """Return how all the work is going."""
        for name, health in self._health.items():
            health.late = max(0.0, self._now() - self._went_well[name])
            health.ok = health.late < self._every[name] + LATE and health.error is None
        return list(self._health.values())
