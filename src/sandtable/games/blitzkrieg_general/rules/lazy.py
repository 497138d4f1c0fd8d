"""A domain whose values are worked out when somebody asks: most verbs of a phase are offered but not looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from sandtable.core import NothingToChoose, Refusal

Why = Callable[[Any], Refusal | None]


class Lazy:
    """One of the values that a function lists."""

    __slots__ = ("_make", "_values", "_why")

    def __init__(self, make: Callable[[], Sequence[str]], why: Why | None = None) -> None:
        self._make, self._why = make, why
        self._values: Sequence[str] | None = None

    @property
    def values(self) -> Sequence[str]:
        if self._values is None:
            self._values = self._make()
        return self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)

    def __contains__(self, value: object) -> bool:
        return value in self.values

    def sample(self, rng: Random) -> str:
        values = self._values
        if values is None:
            values = self._values = self._make()
        if not values:
            raise NothingToChoose
        return values[int(rng.random() * len(values))]

    def why(self, value: Any) -> Refusal | None:
        return self._why(value) if self._why else None

    def describe(self) -> dict[str, Any]:
        return {"type": "one", "values": list(self.values)}
