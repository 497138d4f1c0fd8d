"""Processes that help a player think, for as long as one search lasts.

They start with Python's 'spawn', so they know nothing but what they are given. Where there are no processes, as in a
page, there are no helpers either.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sandtable.core import memory

if TYPE_CHECKING:
    from concurrent.futures import Executor


def end_with_parent() -> None:
    """End this process when the one that started it ends, however that ends."""
    import multiprocessing.connection

    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()


@contextmanager
def helpers(number: int, settle: Callable[..., object], *words: Any) -> Iterator[list[Executor]]:
    """So many processes, each prepared by `settle(*words)`, a function of a module; none where they cannot be had."""
    made: list[Executor] = []
    try:
        if number > 0:
            import multiprocessing
            from concurrent.futures import ProcessPoolExecutor

            context = multiprocessing.get_context("spawn")
            made += [
                ProcessPoolExecutor(1, mp_context=context, initializer=_begin, initargs=(settle, words))
                for _ in range(number)
            ]
    except (ImportError, OSError, ValueError):
        pass
    try:
        yield made
    finally:
        for helper in made:
            helper.shutdown(wait=False, cancel_futures=True)


def _begin(settle: Callable[..., object], words: tuple[Any, ...]) -> None:
    end_with_parent()
    settle(*words)
    memory.settle()
