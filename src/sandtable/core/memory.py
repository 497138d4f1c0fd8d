"""Garbage collection in a process that plays many matches."""

import gc

_NEW = 20_000
"""Collect after this many new objects. Play makes hardly any garbage that reference counting does not free."""


def settle() -> None:
    """Exempt what is loaded now from garbage collection. Call it once, after loading the games."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_NEW, *gc.get_threshold()[1:])
