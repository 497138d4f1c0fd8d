"""Memory: what a process that plays many matches does once, after it has loaded its games."""

import gc

_NEW = 20_000
"""So many new objects are worth a look for garbage: play leaves hardly any that is not gone by itself."""


def settle() -> None:
    """What is loaded now stays: Python's garbage collector need not look through maps and tables again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_NEW, *gc.get_threshold()[1:])
