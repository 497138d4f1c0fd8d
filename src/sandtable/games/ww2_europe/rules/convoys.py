"""Convoys as lines on the board: their ships, their room, what happens when no transport is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Offer, OneOf, Step
from sandtable.core.offers import Field

from ..facts.lookup import is_friendly, put, remove, touch, unit_name
from ..facts.whereabouts import index
from ..model.actions import Divert
from ..model.atlas import ATLAS, NOBODY
from ..model.events import ConvoyEnded, Lost
from ..model.state import IN_CONVOY, Convoy, M, W2State, changed

A = ATLAS
K = ATLAS.kinds
ROOM = int(A.rules["convoy"]["transport_capacity"])


def convoy_of(state: W2State, number: int) -> Convoy | None:
    for convoy in state.convoys:
        if convoy.number == number:
            return convoy
    return None


def crew(m: M, number: int) -> list[int]:
    """The ships of a convoy."""
    state = m.state
    convoy, aboard = state.convoy, state.cargo_of
    return [u for u in index(m).at(IN_CONVOY) if convoy[u] == number and aboard[u] < 0]


def hold(m: M, convoy: Convoy) -> int:
    """Dollars and Stack Points together, both ways.  [w2e-convoy-capacity]"""
    return ROOM * transports(m, convoy.number)


def transports(m: M, number: int) -> int:
    """How many transports sail in a convoy."""
    found, convoy, kinds = 0, m.state.convoy, m.state.kind
    for unit in index(m).at(IN_CONVOY):
        if convoy[unit] == number and kinds[unit] == K.transport:
            found += 1
    return found


# ---- the same of a position that nobody plays on
def convoy_units(state: W2State, number: int) -> list[int]:
    spaces, aboard = state.space, state.cargo_of
    return [u for u, of in enumerate(state.convoy) if of == number and spaces[u] == IN_CONVOY and aboard[u] < 0]


def convoy_name(number: int) -> str:
    return f"convoy {number}"


def transports_in(state: W2State, number: int) -> int:
    return sum(state.kind[unit] == K.transport for unit in convoy_units(state, number))


def capacity(state: W2State, convoy: Convoy) -> int:
    """What a convoy can carry.  [w2e-convoy-capacity]"""
    return ROOM * transports_in(state, convoy.number)


def route_ports(convoy: Convoy) -> list[int]:
    return [s for s in dict.fromkeys(convoy.route) if A.land_of_port[s] >= 0]


def end_ports(state: W2State, convoy: Convoy) -> list[int]:
    """The two ends that its ships may go to."""
    ends = dict.fromkeys((convoy.route[0], convoy.route[-1]))
    return [port for port in ends if is_friendly(state, port, convoy.power)]


def dissolve(m: M, convoy: Convoy, port: int) -> None:
    """The line is erased; its ships lie in one of the two ports.  [w2e-convoy-cancel]"""
    state = m.state
    for unit in crew(m, convoy.number):
        state.convoy = changed(state.convoy, unit, NOBODY)
        if port < 0:
            m.emit(Lost(unit=unit_name(state, unit), power=f"@{A.powers[state.power[unit]]}", why="w2e-convoy-cancel"))
            remove(m, unit)
        else:
            put(m, unit, port)
            state.home = changed(state.home, unit, port)
    state.convoys = tuple(c for c in state.convoys if c.number != convoy.number)
    touch(m)
    m.emit(ConvoyEnded(convoy=convoy_name(convoy.number)))


def drop_empty_convoys(m: M) -> None:
    """A convoy without a transport must be cancelled."""
    for convoy in list(m.state.convoys):
        if not transports(m, convoy.number):
            close_convoy(m, convoy)


def close_convoy(m: M, convoy: Convoy) -> None:
    """End a convoy; its owner says to which end the ships go where there is a choice."""
    ports = end_ports(m.state, convoy)
    if not crew(m, convoy.number) or len(ports) < 2:
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
