"""Convoys as lines on the board: their ships, their room, what happens when no transport is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Offer, OneOf, Step
from sandtable.core.columns import put
from sandtable.core.offers import Field

from ..facts.convoys import convoy_name, convoy_of, crew, end_ports, transports
from ..facts.names import unit_name
from ..model.actions import Divert
from ..model.atlas import ATLAS, NOBODY
from ..model.events import ConvoyEnded, Lost
from ..model.state import Convoy, M
from .units import remove, settle

A = ATLAS
K = ATLAS.kinds


def dissolve(m: M, convoy: Convoy, port: int) -> None:
    """The line is erased; its ships lie in one of the two ports.  [w2e-convoy-cancel]"""
    state = m.state
    for unit in crew(state, convoy.number):
        state.convoy = put(state.convoy, unit, NOBODY)
        if port < 0:
            m.emit(Lost(unit=unit_name(state, unit), power=f"@{A.powers[state.power[unit]]}", why="w2e-convoy-cancel"))
            remove(state, unit)
        else:
            settle(state, unit, port)
    state.convoys = tuple(c for c in state.convoys if c.number != convoy.number)
    m.emit(ConvoyEnded(convoy=convoy_name(convoy.number)))


def drop_empty_convoys(m: M) -> None:
    """A convoy without a transport must be cancelled."""
    for convoy in list(m.state.convoys):
        if not transports(m.state, convoy.number):
            close_convoy(m, convoy)


def close_convoy(m: M, convoy: Convoy) -> None:
    """End a convoy; its owner says to which end the ships go where there is a choice."""
    ports = end_ports(m.state, convoy)
    if not crew(m.state, convoy.number) or len(ports) < 2:
        dissolve(m, convoy, ports[0] if ports else NOBODY)
    else:
        m.push(EndConvoy(convoy.number))


class EndConvoy(Step, frozen=True, tag="end-convoy"):
    """To which end the escorts of a lost convoy go.  [w2e-convoy-cancel]"""

    rule = "w2e-convoy-cancel"
    convoy: int

    def ports(self, m: M) -> list[int]:
        convoy = convoy_of(m.state, self.convoy)
        return end_ports(m.state, convoy) if convoy is not None else []

    def run(self, m: M) -> None:
        convoy = convoy_of(m.state, self.convoy)
        if convoy is None:
            m.pop()
        elif len(self.ports(m)) < 2:
            m.pop()
            dissolve(m, convoy, next(iter(self.ports(m)), NOBODY))

    def roles(self, m: M) -> Sequence[str]:
        convoy = convoy_of(m.state, self.convoy)
        assert convoy is not None
        return (A.powers[convoy.power],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Offer(Divert, Field("to", "space", OneOf([A.names[p] for p in self.ports(m)])), rule=self.rule)]

    def take(self, m: M, role: str, action: Any) -> None:
        convoy = convoy_of(m.state, self.convoy)
        assert convoy is not None
        m.pop()
        dissolve(m, convoy, A.index[action.to])
