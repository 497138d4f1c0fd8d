"""Dice that anyone can check.

Die number n of a match is a keyed hash of (seed, n). The hash of the seed is shown when the match starts, the seed
when it ends, and this is all it takes to check every die:

    x = first 8 bytes of HMAC-SHA256(key=seed, message="n.k"), as a big-endian integer, for k = 0, 1, 2, ...
    take the first x below the largest multiple of `sides` that fits into 64 bits; the die shows 1 + x mod sides
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from typing import Protocol

from .errors import SandtableError

_SPACE = 1 << 64


class Dice(Protocol):
    """Where a match's dice come from."""

    def value(self, number: int, sides: int) -> int: ...


def seed_hash(seed: str) -> str:
    """What is published before the match: it commits to the seed without telling it."""
    return hashlib.sha256(seed.encode()).hexdigest()


class SealedDice:
    """The dice of a real match: a keyed hash of the seed and the die's number."""

    __slots__ = ("_key", "seed")

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self._key = seed.encode()

    def value(self, number: int, sides: int) -> int:
        limit = _SPACE - _SPACE % sides
        attempt = 0
        while True:
            digest = hmac.digest(self._key, b"%d.%d" % (number, attempt), "sha256")
            x = int.from_bytes(digest[:8], "big")
            if x < limit:
                return 1 + x % sides
            attempt += 1


class OutOfDice(SandtableError):
    """A scripted match asked for a die that the script does not have."""


class ScriptedDice:
    """Dice for tests: they fall as written, in order, from die number `first` on."""

    def __init__(self, values: Iterable[int], *, first: int = 0) -> None:
        self.values = list(values)
        self.first = first

    def value(self, number: int, sides: int) -> int:
        index = number - self.first
        if not 0 <= index < len(self.values):
            raise OutOfDice(f"the script has {len(self.values)} dice; die {index + 1} was asked for")
        value = self.values[index]
        if not 1 <= value <= sides:
            raise OutOfDice(f"scripted die {index + 1} shows {value}, but a die of {sides} sides was asked for")
        return value

    def left(self, number: int) -> int:
        """How many scripted dice have not fallen yet, when `number` dice of the match have."""
        return len(self.values) - (number - self.first)
