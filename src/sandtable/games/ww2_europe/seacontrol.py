"""Movement Penalties: Sea Control units make enemy ships pay, and shut their ports to them."""

from __future__ import annotations

from itertools import pairwise

from .air import over_refusal
from .atlas import ATLAS, PORT_KIND
from .kinds import AIR, NAVAL
from .lookup import at, gate_shut, is_friendly
from .state import M, W2State
from .waters import Lanes, Nets

A = ATLAS
K = ATLAS.kinds
RANGE = K.movement[K.destroyer]


def controllers(m: M, side: int) -> dict[int, tuple[int, int]]:
    """Per sea space what a side's Sea Control units cost the enemy there: all of them, and those with ASW.

    Ships act from port on the seas beside it, tac bombers from coastal land or from a carrier's deck.
    [w2e-penalty-general] [w2e-carrier-air-basing] [w2e-unit-tac-sea-control] [w2e-port-sea-control-cost]
    """
    key = ("sea-control", side)
    found: dict[int, tuple[int, int]] | None = m.cache.get(key)
    if found is not None:
        return found
    state = m.state
    found = {}
    for unit, space in enumerate(state.space):
        kind = state.kind[unit]
        if space < 0 or A.side[state.power[unit]] != side or not K.sea_control[kind]:
            continue
        if state.status[state.power[unit]] != 1:
            continue
        if K.cls[kind] == NAVAL or state.cargo_of[unit] >= 0:
            if A.space_kind[space] != PORT_KIND:
                continue
            waters = [there for there, _, _ in A.sea_links[space]]
        elif K.cls[kind] == AIR and A.is_land[space]:
            waters = [w for w in A.coast[space] if A.space_kind[w] != PORT_KIND]
        else:
            continue
        asw = 1 if K.asw[kind] else 0
        for water in waters:
            total, hunters = found.get(water, (0, 0))
            found[water] = (total + 1, hunters + asw)
    m.cache[key] = found
    return found


def leaving_cost(m: M, kind: int, power: int, space: int, dash: bool = False) -> int:
    """Extra points to leave a water.  [w2e-port-exit] [w2e-penalty-subs] [w2e-special-channel-dash]"""
    if dash or (A.space_kind[space] == PORT_KIND and is_friendly(m.state, space, power)):
        return 0
    total, hunters = controllers(m, 1 - A.side[power]).get(space, (0, 0))
    return hunters if K.submerged[kind] else total


def shut_port(m: M, port: int, side: int) -> bool:
    """A port with enemy Sea Control units in it.  [w2e-port-sea-control] [w2e-redeploy-sea-control-block]"""
    state = m.state
    return any(
        K.sea_control[state.kind[u]] and A.side[state.power[u]] == 1 - side and K.cls[state.kind[u]] == NAVAL
        for u in at(m)[port]
    )


def _harbour_lanes(state: W2State, power: int) -> Lanes:
    """Lanes of Redeployment and convoys: only friendly ports may be passed or entered."""
    side = A.side[power]
    return tuple(
        tuple(
            (there, cost) for there, cost, gate in row
            if not gate_shut(state, gate, side) and over_refusal(state, power, there) is None
            and (A.space_kind[there] != PORT_KIND or is_friendly(state, there, power))
        )
        for row in A.sea_links
    )  # fmt: skip


HARBOUR_NETS = Nets(_harbour_lanes)


def voyages(
    m: M, kind: int, power: int, start: int, *, dash: bool = False, budget: int = RANGE
) -> dict[int, tuple[int, tuple[int, ...]]]:
    """Per water in range the points and a cheapest path for a ship in Redeployment or a convoy's stretch.

    Only friendly ports may be passed or entered; straits and canals with an enemy bank are shut.
    [w2e-redeploy-naval] [w2e-convoy-sea-leg]
    """
    state, side = m.state, A.side[power]
    key = ("voyages", K.submerged[kind], power, start, dash, budget)
    known: dict[int, tuple[int, tuple[int, ...]]] | None = m.cache.get(key)
    if known is not None:
        return known
    lanes = HARBOUR_NETS.of(state, power).lanes
    penalties = controllers(m, 1 - side)
    which = 1 if K.submerged[kind] else 0
    best: dict[int, tuple[int, tuple[int, ...]]] = {start: (0, (start,))}
    m.cache[key] = best
    queue = [start]
    for here in queue:
        spent, path = best[here]
        extra = 0
        if not dash and here in penalties and not (A.space_kind[here] == PORT_KIND and is_friendly(state, here, power)):
            extra = penalties[here][which]
        for there, cost in lanes[here]:
            total = spent + cost + extra
            if total > budget or total >= best.get(there, (1 << 30, ()))[0]:
                continue
            if A.space_kind[there] == PORT_KIND and shut_port(m, there, side):
                continue
            best[there] = (total, (*path, there))
            queue.append(there)
    return best


def stretch_cost(m: M, power: int, path: tuple[int, ...], kind: int = K.transport) -> int:
    """What one stretch of a line costs with its penalties.  [w2e-penalty-convoy]"""
    total = 0
    for here, there in pairwise(path):
        cost = next(row[1] for row in A.sea_links[here] if row[0] == there)
        total += cost + leaving_cost(m, kind, power, here)
    return total
