"""Steps: the places in the sequence of play where a game can stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from .data import AnyStep, Role, RuleId
from .offers import Offer


class Step(msgspec.Struct, AnyStep, frozen=True, gc=False, tag_field="step"):
    """One place in the sequence of play. Steps form a stack; the top one runs or asks.

    `run` is the automatic part. It is called when the step becomes the top of the stack: when it is pushed, and
    again each time a step above it is done. It either changes the stack (push, replace, pop) or leaves it alone, and
    then the step waits for the decisions it asks for. `take` gets an action that has been checked against the offers;
    it may change the stack too, or leave the step asking on. `m` is the `Play` of the match; games name their own kind
    of it, `M = Play[MyState]`.
    """

    rule: ClassVar[RuleId] = "sandtable-sequence"
    """The ledger item of this step; refusals of actions out of turn cite it."""

    def run(self, m: Any) -> None:
        """The automatic part; nothing by default."""

    def roles(self, m: Any) -> Sequence[Role]:
        """Who is asked now; several when they decide at the same time."""
        return ()

    def offers(self, m: Any, role: Role) -> Sequence[Offer]:
        """What that role may do. Must not change anything."""
        return ()

    def take(self, m: Any, role: Role, action: Any) -> None:
        """Carry out an action of an asked role that is in its offers."""
        raise AssertionError(f"{type(self).__name__} takes no actions")

    def publicly_asked(self, m: Any) -> Sequence[Role]:
        """Who is waited for, as everybody may know it (a card window does not reveal who is really asked)."""
        return m.asked() if m.step is self else self.roles(m)

    def redact(self, role: Role | None) -> Step:
        """The step as that role may know it; None is what everybody may know."""
        return self
