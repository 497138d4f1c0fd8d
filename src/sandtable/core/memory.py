"""Memory: what a process that plays many matches does once, after it has loaded its games."""

import gc


def settle() -> None:
    """What is loaded now stays: Python's garbage collector need not look through maps and tables again and again."""
    gc.collect()
    gc.freeze()
