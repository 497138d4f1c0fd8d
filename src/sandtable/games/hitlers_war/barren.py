"""An offer that comes to nothing for the moment."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from sandtable.core import Action, Late, NothingToChoose


class Barren(Late):
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
