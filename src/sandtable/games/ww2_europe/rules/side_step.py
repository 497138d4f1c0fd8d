"""What most steps share: all active powers of one side act together, each until it is done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from sandtable.core import Offer, Step

from ..facts.control import active_powers
from ..model.actions import Done
from ..model.atlas import ATLAS
from ..model.state import M

A = ATLAS


class SideStep(Step, frozen=True):
    """Each power of a side chooses as often as it likes and says when it is done.  [w2e-sides-together]"""

    side: int
    done: tuple[str, ...] = ()

    def powers(self, m: M) -> Sequence[int]:
        """Who takes part."""
        return active_powers(m.state, self.side)

    def run(self, m: M) -> None:
        if not m.asked():
            m.pop()
            self.finish(m)

    def finish(self, m: M) -> None:
        """What happens when all are done."""

    def roles(self, m: M) -> Sequence[str]:
        return tuple([A.powers[power] for power in self.powers(m) if A.powers[power] not in self.done])

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [*self.choices(m, A.power_index[role]), Offer(Done, rule=self.rule)]

    def choices(self, m: M, power: int) -> Sequence[Offer]:
        """What it may do besides being done."""
        return ()

    def take(self, m: M, role: str, action: Any) -> None:
        if isinstance(action, Done):
            m.replace(msgspec.structs.replace(self, done=(*self.done, role)))
        else:
            self.act(m, A.power_index[role], action)
            if m.step is self and not self.stays(m, A.power_index[role]):
                m.replace(self)

    def stays(self, m: M, power: int) -> bool:
        """Whether a power that has acted is sure to be asked again: then there is nothing to look through."""
        return False

    def act(self, m: M, power: int, action: Any) -> None:
        raise AssertionError(f"{type(self).__name__} does not know {action}")
