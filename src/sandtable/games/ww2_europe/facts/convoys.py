"""Convoys as they sail: their ships, their room, where they call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sandtable.core.facts import fact

from ..model.atlas import ATLAS
from ..model.state import IN_CONVOY, Convoy, W2State
from .control import is_friendly
from .whereabouts import at

A = ATLAS
K = ATLAS.kinds
ROOM = int(A.rules["convoy"]["transport_capacity"])


def convoy_name(number: int) -> str:
    """Return what actions call a convoy: 'convoy 3'."""
    return f"convoy {number}"


def convoy_number(name: str) -> int:
    """Return the number in a convoy's name."""
    return int(name.split()[1])


def convoy_of(s: W2State, number: int) -> Convoy | None:
    """Return the convoy of that number; None where it is gone."""
    for convoy in s.convoys:
        if convoy.number == number:
            return convoy
    return None


def crew(s: W2State, number: int) -> list[int]:
    """Return the ships of a convoy."""
    convoy, aboard = s.convoy, s.cargo_of
    return [u for u in at(s, IN_CONVOY) if convoy[u] == number and aboard[u] < 0]


def transports(s: W2State, number: int) -> int:
    """Return how many transports sail in a convoy."""
    return sum([s.kind[unit] == K.transport for unit in crew(s, number)])


def capacity(s: W2State, convoy: Convoy) -> int:
    """Return what a convoy can carry: dollars and Stack Points together, both ways.  [w2e-convoy-capacity]"""
    return ROOM * transports(s, convoy.number)


def convoy_room(s: W2State, group: int) -> dict[int, int]:
    """Return per convoy of a group what it can still carry."""
    return {c.number: capacity(s, c) - c.dollars for c in s.convoys if A.group[c.power] == group}


def route_ports(convoy: Convoy) -> list[int]:
    """Return the ports that a convoy calls at."""
    return [s for s in dict.fromkeys(convoy.route) if A.land_of_port[s] >= 0]


def end_ports(s: W2State, convoy: Convoy) -> list[int]:
    """Return the two ends that its ships may go to."""
    ends = dict.fromkeys((convoy.route[0], convoy.route[-1]))
    return [port for port in ends if is_friendly(s, port, convoy.power)]


@fact("convoys")
def convoy_spaces(s: W2State, side: int) -> Mapping[int, Sequence[int]]:
    """Return per space the enemy convoys whose route runs through it."""
    found: dict[int, list[int]] = {}
    for convoy in s.convoys:
        if A.side[convoy.power] != side:
            for space in dict.fromkeys(convoy.route):
                found.setdefault(space, []).append(convoy.number)
    return found
