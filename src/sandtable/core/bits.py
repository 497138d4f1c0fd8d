"""Sets of small numbers kept as one integer: number n is in the set when bit n is 1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the set, the lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(numbers: Iterable[int]) -> int:
    """Return the set of these numbers."""
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask
