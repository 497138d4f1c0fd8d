"""Surrender of a major power: what is lost, and who takes what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Field, Offer, OneOf, Step

from ..facts.control import speaker
from ..model.actions import TakeControl
from ..model.atlas import ATLAS, NOBODY
from ..model.state import M
from .surrender import claimants, fallen, surrender

A = ATLAS
K = ATLAS.kinds


class Surrenders(Step, frozen=True, tag="surrenders"):
    """At the end of the turn powers without their capital leave the game."""

    rule = "w2e-surrender"

    def run(self, m: M) -> None:
        gone = fallen(m)
        if not gone:
            m.pop()
            return
        heirs = claimants(m, gone[0])
        if len(heirs) <= 1:
            surrender(m, gone[0], heirs[0] if heirs else NOBODY)
            m.replace(self)

    def roles(self, m: M) -> Sequence[str]:
        return (A.powers[speaker(m.state, 1 - A.side[fallen(m)[0]])],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        names = [A.powers[p] for p in claimants(m, fallen(m)[0])]
        return [Offer(TakeControl, Field("power", "role", OneOf(names)), rule="w2e-surrender-conqueror")]

    def take(self, m: M, role: str, action: Any) -> None:
        surrender(m, fallen(m)[0], A.power_index[action.power])
        m.replace(self)
