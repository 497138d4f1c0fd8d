"""The disk under SQLite's log: told early that there is something to write, waited for late.

SQLite would write a move, tell the disk, and wait. Here the disk begins as soon as the move is in the log, the server
does what it has to do anyway, and only then waits until the disk has everything: the promise is the same, the wait is
shorter.
"""

from __future__ import annotations

import ctypes
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

_START_WRITING = 2  # SYNC_FILE_RANGE_WRITE
_Starter = Callable[[int, int, int, int], int]


def _find_starter() -> _Starter | None:
    """Linux's way to begin writing without waiting; others just wait a little longer."""
    try:
        found = ctypes.CDLL(None).sync_file_range
    except (AttributeError, OSError, TypeError):
        return None
    found.argtypes = [ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint]
    return found


_start = _find_starter()


class Disk:
    """The log of one SQLite database, which SQLite no longer syncs at each commit: we do."""

    def __init__(self, log: int) -> None:
        self._log = log

    @classmethod
    def take_over(cls, driver: sqlite3.Connection) -> Disk | None:
        """From now on commits of this connection are synced here; None where SQLite has to go on doing it."""
        (mode,) = driver.execute("PRAGMA journal_mode").fetchone()
        (_, _, path) = driver.execute("PRAGMA database_list").fetchone()
        if mode != "wal" or not path or not hasattr(os, "fdatasync"):
            return None
        driver.execute("BEGIN IMMEDIATE")  # there is a log from now on
        driver.execute("ROLLBACK")
        try:
            log = os.open(Path(f"{path}-wal"), os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            return None
        driver.execute("PRAGMA synchronous=NORMAL")
        return cls(log)

    def start(self) -> None:
        """Begin to write what is in the log."""
        if _start is not None:
            _start(self._log, 0, 0, _START_WRITING)  # only a head start: whether it is all there, `finish` finds out

    def finish(self) -> None:
        """Wait until all of it is on the disk; raises OSError where it is not."""
        os.fdatasync(self._log)

    def close(self) -> None:
        os.close(self._log)
