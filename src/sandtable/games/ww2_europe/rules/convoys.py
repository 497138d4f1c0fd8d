"""Convoys: what it costs to join one, and what happens to its ships when it ends."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Refusal
from sandtable.core.columns import put

from ..facts.convoys import convoy_name, crew
from ..facts.names import unit_name
from ..facts.sea_control import voyages
from ..model.atlas import ATLAS, NOBODY
from ..model.events import ConvoyEnded, Lost
from ..model.state import IN_CONVOY, LEFT_CONVOY, Convoy, M, W2State
from .redeployment import points_left
from .units import place, remove, settle

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


def join_cost(m: M, unit: int, ends: Sequence[int]) -> int:
    """RPs to bring a ship into a convoy with these ends: 0 from one of them, 1 from elsewhere, -1 impossible.

    [w2e-convoy-add]
    """
    state = m.state
    space = state.space[unit]
    if space in ends and state.home[unit] in ends:
        return 0
    if points_left(state, state.power[unit]) < 1:
        return NOBODY
    if space in ends:
        return 1
    ways = voyages(state, state.kind[unit], state.power[unit], space)
    return 1 if any(port in ways for port in ends) else NOBODY


def in_port(s: W2State, ship: int) -> bool:
    """Whether a ship lies in a port."""
    return s.space[ship] >= 0 and A.is_port[s.space[ship]]


def left_refusal(s: W2State, ship: int) -> Refusal | None:
    """Why a ship cannot join a convoy: one that has left another ends the turn in port.

    [w2e-convoy-remove] [w2e-convoy-cancel]
    """
    left = s.flags[ship] & LEFT_CONVOY
    return Refusal("w2e-convoy-remove", "left-convoy", unit=K.told[s.kind[ship]]) if left else None


def enlist(m: M, unit: int, number: int) -> None:
    """A ship joins a convoy: from now on it is in every space of the line."""
    state = m.state
    state.convoy = put(state.convoy, unit, number)
    place(state, unit, IN_CONVOY)
