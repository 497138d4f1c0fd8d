"""Collect Money: what can be traced home over land and by convoy; gifts; Technology."""

from __future__ import annotations

import msgspec

from ..facts.control import holdings
from ..facts.convoys import capacity, convoy_room, route_ports
from ..facts.supply_net import beside, send, supply_net
from ..model.atlas import ATLAS, FACTORY
from ..model.state import AT_WAR, GONE, M, W2State

A = ATLAS

GIFT = int(A.rules["give_money_max"])


def worth(state: W2State, space: int) -> int:
    """What a space pays its owner.  [w2e-factory-value] [w2e-nrz] [w2e-strategic-repair]"""
    return 0 if state.damaged[space] or state.no_income[space] else A.value[space]


_FACTORIES = tuple(
    tuple(s for s in A.land if A.homeland[s] == power and A.feature[s] == FACTORY) for power in range(len(A.powers))
)

_VALUED = frozenset(s for s in A.land if A.value[s])


def homes(m: M, power: int) -> set[int]:
    """Parts of the land with a Homeland factory of the power.  [w2e-collect] [w2e-factory-path]"""
    part, owner, damaged = supply_net(m.state, A.group[power]).part, m.state.owner, m.state.damaged
    return {part[s] for s in _FACTORIES[power] if owner[s] == power and part[s] >= 0 and damaged[s] != GONE}


def incomes(m: M, power: int) -> dict[int, int]:
    """Return per part of the land what it pays a power."""
    found: dict[int, int] = {}
    part = supply_net(m.state, A.group[power]).part
    for space in sorted(holdings(m.state).lands[power] & _VALUED):
        dollars = worth(m.state, space)
        if dollars:
            found[part[space]] = found.get(part[space], 0) + dollars
    return found


def plan(m: M, power: int, limits: dict[int, int] | None = None) -> tuple[int, dict[int, int]]:
    """What a power can collect now, and the dollars on each convoy.  [w2e-collect] [w2e-convoy-purpose]"""
    network = supply_net(m.state, A.group[power])
    home = homes(m, power)
    total = 0
    loads: dict[int, int] = {}
    if not home:
        return 0, loads
    room = convoy_room(m.state, A.group[power])
    for number, most in (limits or {}).items():
        room[number] = min(room.get(number, 0), most)
    for part, dollars in incomes(m, power).items():
        if part < 0:
            continue
        sent, used = send(network.calls, room, home, part, dollars)
        total += sent
        for number, load in used.items():
            loads[number] = loads.get(number, 0) + load
    return total, loads


# ---- gifts -----------------------------------------------------------------------------------------------------------
def gift_chain(m: M, giver: int, to: int) -> tuple[bool, list[int]]:
    """Whether money can be brought from one power to another, and over which convoys.  [w2e-gift]"""
    state = m.state
    mine = supply_net(state, A.group[giver])
    starts = homes(m, giver)
    if A.group[giver] == A.group[to]:
        goals = homes(m, to)
        if starts & goals:
            return True, []
        if not goals or not state.convoys:
            return False, []
        room = convoy_room(state, A.group[to])
        for goal in sorted(goals):  # where nothing gets through the room stays as it is
            sent, used = send(mine.calls, room, starts, goal, 1)
            if sent:
                return True, list(used)
        return False, []
    if giver == A.ussr:
        return False, []  # money crosses to the Soviets, never from them  [w2e-ussr-separate]
    return _gift_abroad(m, giver, to, starts)


def _gift_abroad(m: M, giver: int, to: int, starts: set[int]) -> tuple[bool, list[int]]:
    """To the USSR: over a common land border, or by a convoy that calls at one of its ports."""
    state = m.state
    mine, theirs = supply_net(state, A.group[giver]), supply_net(state, A.group[to])
    goals = homes(m, to)

    if beside(theirs.land_in(goals)) & mine.land_in(starts):
        return True, []
    for convoy in state.convoys:
        if A.group[convoy.power] not in (A.group[giver], A.group[to]) or capacity(state, convoy) <= convoy.dollars:
            continue
        lands = [A.land_of_port[p] for p in route_ports(convoy)]
        if any(mine.part[s] in starts for s in lands) and any(theirs.part[s] in goals for s in lands):
            return True, [convoy.number]
    return False, []


def gift_room(m: M, giver: int, to: int) -> int:
    """Dollars that can still be given this turn.  [w2e-gift]"""
    state = m.state
    if state.status[giver] != AT_WAR or state.status[to] != AT_WAR:
        return 0
    most = min(GIFT - state.given[giver], GIFT - state.received[to], state.money[giver])
    if most <= 0:
        return 0
    way, convoys = gift_chain(m, giver, to)
    if not way:
        return 0
    rooms = [capacity(state, c) - c.dollars for c in state.convoys if c.number in convoys]
    return max(0, min([most, *rooms]))


def load_gift(m: M, giver: int, to: int, dollars: int) -> None:
    _, convoys = gift_chain(m, giver, to)
    m.state.convoys = tuple(
        msgspec.structs.replace(c, dollars=c.dollars + dollars) if c.number in convoys else c for c in m.state.convoys
    )
