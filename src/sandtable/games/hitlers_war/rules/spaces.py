"""A domain of spaces: few candidates to list and to draw from, one rule that answers for every space of the board."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from sandtable.core import NothingToChoose, Refusal

from ..facts.territory import Part
from ..model.atlas import ATLAS

_TRIES = 12


class Spaces:
    """The candidates that a rule does not refuse. No space outside the candidates may pass the rule."""

    __slots__ = ("candidates", "rule")

    def __init__(self, candidates: Sequence[str], rule: Callable[[int], Refusal | None]) -> None:
        self.candidates = candidates
        self.rule = rule

    def __iter__(self) -> Iterator[str]:
        index, rule = ATLAS.index, self.rule
        return (name for name in self.candidates if rule(index[name]) is None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, value: object) -> bool:
        return isinstance(value, str) and value in ATLAS.index and self.rule(ATLAS.index[value]) is None

    def sample(self, rng: Random) -> str:
        names, index, rule = self.candidates, ATLAS.index, self.rule
        for _ in range(_TRIES if names else 0):
            name = names[int(rng.random() * len(names))]
            if rule(index[name]) is None:
                return name
        fit = list(self)
        if not fit:
            raise NothingToChoose
        return fit[int(rng.random() * len(fit))]

    def why(self, value: Any) -> Refusal | None:
        return self.rule(ATLAS.index[value]) if isinstance(value, str) and value in ATLAS.index else None

    def describe(self) -> dict[str, Any]:
        return {"type": "one", "values": list(self)}


class PartOfMap:
    """The spaces of a connected part, but not the one where somebody stands; or with it, and then it comes first."""

    __slots__ = ("_why", "here", "part", "staying")

    def __init__(self, part: Part, here: str, why: Callable[[Any], Refusal | None], *, staying: bool = False) -> None:
        self.part, self.here, self._why, self.staying = part, here, why, staying

    def __iter__(self) -> Iterator[str]:
        here = self.here
        if self.staying:
            yield here
        yield from (name for name in self.part.names if name != here)

    def __len__(self) -> int:
        return len(self.part.names) - (not self.staying)

    def __contains__(self, value: object) -> bool:
        return value in self.part.places and (self.staying or value != self.here)

    def sample(self, rng: Random) -> str:
        names, place = self.part.names, self.part.places[self.here]
        # the others are counted from one on, with a gap where `here` stands
        if self.staying:
            number = int(rng.random() * len(names))
            if number == 0:
                return self.here
        elif len(names) > 1:
            number = 1 + int(rng.random() * (len(names) - 1))
        else:
            raise NothingToChoose
        return names[number - 1] if number <= place else names[number]

    def why(self, value: Any) -> Refusal | None:
        return self._why(value)

    def describe(self) -> dict[str, Any]:
        return {"type": "one", "values": list(self)}
