"""Domains this game adds to the core's: a set of hexes kept as one number, and a force that must hold some kind."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from sandtable.core import NothingToChoose, Refusal

from ..model.atlas import ATLAS
from ..model.hexsets import bits

WhyHex = Callable[[int], Refusal | None]


class Hexes:
    """Some hexes of the map, by name. `why` is asked with the hex's number."""

    __slots__ = ("_why", "mask", "notes")

    def __init__(self, mask: int, why: WhyHex | None = None, notes: Mapping[int, Any] | None = None) -> None:
        self.mask, self._why, self.notes = mask, why, notes

    def __iter__(self) -> Iterator[str]:
        return (ATLAS.hex_name[at] for at in bits(self.mask))

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __contains__(self, value: object) -> bool:
        at = ATLAS.hex_number.get(value, -1) if isinstance(value, str) else -1
        return at >= 0 and bool(self.mask >> at & 1)

    def sample(self, rng: Random) -> str:
        """The first hex after a random place: quick, and near enough to even."""
        mask = self.mask
        if not mask:
            raise NothingToChoose
        width = mask.bit_length()
        skipped = int(rng.random() * width)  # less than the width, so that something is left
        later = mask >> skipped
        return ATLAS.hex_name[(later & -later).bit_length() - 1 + skipped]

    def why(self, value: Any) -> Refusal | None:
        at = ATLAS.hex_number.get(value, -1) if isinstance(value, str) else -1
        return self._why(at) if self._why and at >= 0 else None

    def describe(self) -> dict[str, Any]:
        out: dict[str, Any] = {"type": "one", "values": list(self)}
        if self.notes:
            out["notes"] = [self.notes.get(at) for at in bits(self.mask)]
        return out


class Forces:
    """One or more of the units given, at least one of them out of `needed` where that is not empty.

    Counted by binomials, never by listing.
    """

    __slots__ = ("items", "must", "needed", "refusal")

    def __init__(
        self, items: Sequence[str], needed: Sequence[str] = (), refusal: Refusal | None = None, must: Sequence[str] = ()
    ) -> None:
        self.items, self.needed, self.refusal, self.must = tuple(items), frozenset(needed), refusal, frozenset(must)

    def _is_shaped(self, value: Any) -> bool:
        if not isinstance(value, tuple) or not value:
            return False
        last = -1
        for item in value:
            place = self.items.index(item) if item in self.items else -1
            if place <= last:
                return False
            last = place
        return True

    def _has_needed(self, value: tuple[str, ...]) -> bool:
        return (not self.needed or not self.needed.isdisjoint(value)) and self.must.issubset(value)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        for size in range(1, len(self.items) + 1):
            for chosen in itertools.combinations(self.items, size):
                if self._has_needed(chosen):
                    yield chosen

    def __len__(self) -> int:
        free = len(self.items) - len(self.must)
        whole: int = 2**free - (0 if self.must else 1)
        if self.needed and self.needed.isdisjoint(self.must):
            without = len([item for item in self.items if item not in self.needed and item not in self.must])
            whole -= sum(math.comb(without, size) for size in range(without + 1)) - (0 if self.must else 1)
        return whole

    def __contains__(self, value: object) -> bool:
        return self._is_shaped(value) and isinstance(value, tuple) and self._has_needed(value)

    def sample(self, rng: Random) -> tuple[str, ...]:
        if not self.items or (self.needed and self.needed.isdisjoint(self.items)):
            raise NothingToChoose
        chosen = set(self.must)
        if self.needed:
            wanted = [item for item in self.items if item in self.needed]
            chosen.add(wanted[int(rng.random() * len(wanted))])
        share = 0.5 + 0.5 * rng.random()
        chosen.update(item for item in self.items if rng.random() < share)
        if not chosen:
            chosen.add(self.items[int(rng.random() * len(self.items))])
        return tuple(item for item in self.items if item in chosen)

    def why(self, value: Any) -> Refusal | None:
        return self.refusal if self._is_shaped(value) else None

    def describe(self) -> dict[str, Any]:
        return {"type": "some", "values": list(self.items), "least": 1, "most": len(self.items)}
