"""An offer that is not open, kept so that trying it gets the rule that closes it and not a shrug."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from sandtable.core import Action, NothingToChoose, Offer, Refusal


class Barred(Offer):
    """Nothing to choose; every try is refused with the given reason."""

    __slots__ = ("refusal",)

    def __init__(self, act: type[Action], refusal: Refusal) -> None:
        super().__init__(act, rule=refusal.rule)
        self.refusal = refusal

    def __iter__(self) -> Iterator[Action]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return False

    def sample(self, rng: Random) -> Action:
        raise NothingToChoose

    def describe(self, prefix: Sequence[Any] = ()) -> dict[str, Any]:
        return {**super().describe(prefix), "actions": []}

    def refuse_at(self, action: Action) -> tuple[Refusal | None, int]:
        return self.refusal, 0


class Barren(Offer):
    """An offer whose domains come to nothing: it checks and explains like any other, but is not searched in vain."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Action]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return False

    def sample(self, rng: Random) -> Action:
        raise NothingToChoose
