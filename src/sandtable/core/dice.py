"""Dice that anyone can check.

Die number n of a match is a keyed hash of (seed, n). The hash of the seed is shown when the match starts, the seed
when it ends, and this is all it takes to check every die:

    x = first 8 bytes of HMAC-SHA256(key=seed, message="n.k"), as a big-endian integer, for k = 0, 1, 2, ...
    take the first x below the largest multiple of `sides` that fits into 64 bits; the die shows 1 + x mod sides

A match that branched off another at die n has the seed "a|n|b": the dice before n come from a, the rest from b.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from .errors import SandtableError

_SPACE = 1 << 64
_BLOCK = 64
"""Bytes that SHA-256 takes in at a time."""
_PRACTICE = 3
"""Dice of one part of a practice seed."""


class Dice(Protocol):
    """Where a match's dice come from."""

    def value(self, number: int, sides: int) -> int: ...


def seed_hash(seed: str) -> str:
    """Return what is published before the match: it commits to the seed without revealing it."""
    return hashlib.sha256(seed.encode()).hexdigest()


def branched_seed(seed: str, number: int, fresh: str) -> str:
    """Return the seed of a branch: dice before `number` are the same, the rest come from a fresh seed."""
    kept = [part for part in _segments(seed) if part[0] < number]
    if not kept:  # no die has fallen yet, so there is nothing to keep
        return fresh
    return "|".join([kept[0][1], *(f"{first}|{key}" for first, key in kept[1:]), f"{number}|{fresh}"])


def _segments(seed: str) -> list[tuple[int, str]]:
    """Return (first die, seed) for each part of a seed: 'a|40|b' is a for dice 0 to 39 and b from die 40 on."""
    parts = seed.split("|")
    if len(parts) % 2 == 0 or not all(part.isdecimal() for part in parts[1::2]):
        return [(0, seed)]
    return [(0, parts[0]), *((int(first), key) for first, key in zip(parts[1::2], parts[2::2], strict=True))]


def _keyed(key: bytes) -> tuple[Any, Any]:
    """Return the two hashes that HMAC-SHA256 consists of. Python's own `hmac` takes twice as long."""
    if len(key) > _BLOCK:
        key = hashlib.sha256(key).digest()
    key = key.ljust(_BLOCK, b"\0")
    return hashlib.sha256(bytes(byte ^ 0x36 for byte in key)), hashlib.sha256(bytes(byte ^ 0x5C for byte in key))


class SealedDice:
    """The dice of a real match: a keyed hash of the seed and the die's number."""

    __slots__ = ("_seals", "seed")

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self._seals: list[tuple[int, Any, Any]] = []
        """The last part of the seed first: (first die, HMAC's inner and outer hash with the key read into them)."""

    def __reduce__(self) -> tuple[type[SealedDice], tuple[str]]:
        return SealedDice, (self.seed,)

    def value(self, number: int, sides: int) -> int:
        seals = self._seals
        if not seals:
            parts = reversed(_segments(self.seed))
            seals = self._seals = [(first, *_keyed(key.encode())) for first, key in parts]
        _, inside, outside = next(seal for seal in seals if number >= seal[0]) if len(seals) > 1 else seals[0]
        limit = _SPACE - _SPACE % sides
        attempt = 0
        while True:
            inner, outer = inside.copy(), outside.copy()
            inner.update(b"%d.%d" % (number, attempt))
            outer.update(inner.digest())
            x = int.from_bytes(outer.digest()[:8], "big")
            if x < limit:
                return 1 + x % sides
            attempt += 1


def practice_seed(values: Sequence[int], sides: int = 6) -> str:
    """Return a seed whose first dice show these values: for lessons, where everybody may know them.

    It is put together from branches of a few dice each, so that every part is found by trying some hundred seeds.
    """
    if not all(1 <= value <= sides for value in values):
        raise ValueError(f"a die of {sides} sides cannot show all of {list(values)}")
    seed = ""
    for first in range(0, len(values), _PRACTICE):
        wanted = list(enumerate(values[first : first + _PRACTICE], first))
        tries = (f"practice {number}" for number in itertools.count())
        fresh = next(key for key in tries if all(SealedDice(key).value(n, sides) == value for n, value in wanted))
        seed = branched_seed(seed, first, fresh) if first else fresh
    return seed


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
        """Return how many scripted dice are left after `number` dice of the match."""
        return len(self.values) - (number - self.first)
