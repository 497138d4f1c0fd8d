"""Where politics lets a power go: whose land its troops may enter, where its planes may fly and its ships sail."""

from __future__ import annotations

from sandtable.core.facts import fact

from ..model.atlas import ATLAS, AXIS, NEUTRAL, NOBODY, OWNERS
from ..model.state import AT_WAR, W2State
from .control import active_powers, friendly_bases, holdings, is_active, is_friend, land_of_group, land_of_side
from .lanes import AIR_CHART, LAND, PORTS, SEA_CHART, Net, shut_exits, shut_gates

A = ATLAS
_IN_PACT = frozenset(A.pact_soviet)
_PLAIN_LAND = next(space for space in A.land if space not in _IN_PACT)
"""Some land that the pact does not name."""
_BESIDE = tuple(frozenset(there for there, _, _ in row) for row in A.land_links)
"""Per space the land beside it."""
_ALL_LAND = frozenset(A.land)
_WATERS = frozenset(range(len(A.names))) - _ALL_LAND


@fact("owner", "patron", "vichy")
def neutral_minors(s: W2State) -> tuple[int, ...]:
    """Return the minors that can still be attacked."""
    return tuple(
        minor for minor, patron in enumerate(s.patron)
        if patron == NOBODY and (minor != A.vichy or s.vichy)
        and any(s.owner[space] == NEUTRAL for space in A.minor_spaces[minor])
    )  # fmt: skip


# ---- ground units
def entry_bar(s: W2State, power: int, owner: int, space: int) -> str:
    """Return the rule that keeps a power's troops out of a space if it is an owner's; '' where they may enter.

    [w2e-pact-moves] [w2e-pact-partition] [w2e-neutral-no-entry] [w2e-ussr-separate]
    """
    if s.status[power] != AT_WAR:
        may = power == A.ussr and s.pact and (space in _IN_PACT or owner == power) and A.side[owner] != AXIS
        return "" if may else "w2e-pact-moves"
    if A.side[power] == AXIS != A.side[owner] and s.pact and space in _IN_PACT:
        return "w2e-pact-partition"
    if owner == power:
        return ""
    if not is_active(s, owner):
        return "w2e-neutral-no-entry"
    if A.side[owner] == A.side[power] and A.group[owner] != A.group[power]:
        return "w2e-ussr-separate"
    return ""


@fact("owner", "status", "pact")
def shut_land(s: W2State, power: int) -> frozenset[int]:
    """Return the land that politics keeps a power's ground units out of.

    The rule looks at who owns land and at whether the pact names it, so one space of each sort stands for all.
    """

    def shut_out(space: int) -> list[int]:
        return [owner for owner in OWNERS if entry_bar(s, power, owner, space)]

    lands, named = holdings(s).lands, shut_out(A.pact_soviet[0])
    plain = frozenset().union(*(lands[owner] for owner in shut_out(_PLAIN_LAND)))
    return plain - _IN_PACT | {space for space in _IN_PACT if s.owner[space] in named}


@fact("owner", "status", "pact")
def no_exits(s: W2State, power: int) -> frozenset[int]:
    """Return where ground units cannot march from: land with none beside it that they may enter, and all water."""
    shut = shut_land(s, power)
    return _WATERS.union([space for space in A.land if _BESIDE[space] <= shut])


# ---- planes and ships
def passage_bar(s: W2State, power: int, owner: int) -> str:
    """Return the rule that keeps a power's planes and ships out of what an owner controls; '' where they may go.

    [w2e-neutral-no-entry] [w2e-ussr-separate]
    """
    if owner == power:
        return ""
    if not is_active(s, owner):
        return "w2e-neutral-no-entry"
    mine, other = A.group[power], A.group[owner]
    return "w2e-ussr-separate" if mine != other and 2 in (mine, other) and 0 not in (mine, other) else ""


def barred_spaces(s: W2State, power: int) -> int:
    """Return the spaces a power may not fly over or sail into, as a set of bits."""
    return holdings(s).held_by(owner for owner in OWNERS if passage_bar(s, power, owner))


@fact("owner", "status")
def air_net(s: W2State, power: int) -> Net:
    """Return where a power's planes may fly."""
    return AIR_CHART.net(barred_spaces(s, power))


@fact("owner", "status")
def hops(s: W2State, power: int) -> Net:
    """Return how far a power's planes get in Redeployment: over the sea and over the group's own land."""
    return AIR_CHART.net(barred_spaces(s, power) | (LAND & ~land_of_group(s, A.group[power])))


@fact("owner", "status", "pact")
def landing_grounds(s: W2State, power: int) -> frozenset[int]:
    """Return the land in which a power's planes may end a flight: all but enemy land that its troops may not enter."""
    return _ALL_LAND - (shut_land(s, power) & land_of_side(s, 1 - A.side[power]))


@fact("owner", "status")
def sea_net(s: W2State, power: int) -> Net:
    """Return where a power's ships may sail in the Movement phase.

    [w2e-port-two-spaces] [w2e-multi-front-port] [w2e-strait-naval] [w2e-terrain-canal]
    """
    return SEA_CHART.net(_shut_waters(s, power) | shut_exits(_strange_ports(s, power)))


def sea_net_from(s: W2State, power: int, base: int) -> Net:
    """Return where a ship that lies in a water may sail: it may leave a port that has fallen.  [w2e-stage4]"""
    strange = _strange_ports(s, power)
    if not strange >> base & 1:
        return sea_net(s, power)
    return SEA_CHART.net(_shut_waters(s, power) | shut_exits(strange & ~(1 << base)))


def _strange_ports(s: W2State, power: int) -> int:
    """Return the ports that a power's ships may not pass through, as a set of bits."""
    return PORTS & ~friendly_bases(s, power)


def _shut_waters(s: W2State, power: int) -> int:
    """Return the ports and gates that a power's ships may not enter, as a set of bits."""
    return (barred_spaces(s, power) & PORTS) | _enemy_gates(s, power)


@fact("owner", "status")
def harbour_net(s: W2State, power: int) -> Net:
    """Return where a power's ships may go in Redeployment and on a convoy's stretch: to friendly ports only."""
    return SEA_CHART.net(_strange_ports(s, power) | _enemy_gates(s, power))


def calls_on(s: W2State, owner: int, power: int) -> bool:
    """Whether a power's convoys may call at an owner's ports: friendly ones, and Soviet ones with gifts.

    [w2e-ussr-separate]
    """
    gift = owner == A.ussr and A.side[power] == A.side[A.ussr] and s.status[A.ussr] == AT_WAR
    return gift or is_friend(s, owner, power)


@fact("owner", "status")
def convoy_net(s: W2State, power: int) -> Net:
    """Return where a power's convoys may run."""
    shut = holdings(s).held_by(owner for owner in OWNERS if not calls_on(s, owner, power))
    return SEA_CHART.net((shut & PORTS) | _enemy_gates(s, power))


def _enemy_gates(s: W2State, power: int) -> int:
    """Return the straits and canals with an enemy bank."""
    return shut_gates(holdings(s).held_by(active_powers(s, 1 - A.side[power])))
