"""What a role is offered: the referee finds the ends of the ways by itself and compares.

There are too many units to look at all of them after every decision: a few are, others the next time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sandtable.core import Action, Difference, Offer, Offers, Role

from ..model.actions import Fly, March, Patrol, Rail, RepairShip, Sail, Steam
from ..model.atlas import FACTORY, IMPASSABLE, MOUNTAIN, WOODLAND
from ..model.kinds import AIR, GROUND, NAVAL
from ..model.state import AT_WAR, CUT_OFF, MOVED, RETREATED, SPENT, SURPRISED
from .position import A, K, Position, differ, names
from .standing import tag, top

_LOOKED_AT = 3
"""Units or bases of each kind that are looked at after a decision."""


def check_offers(position: Position, role: Role, offers: Offers) -> Iterator[Difference]:
    step, power = top(position), A.power_index.get(role, -1)
    checks: dict[str, Sequence[Callable[[Position, int, Any, Offers], Iterator[Difference]]]] = {
        "movement": (check_marches, check_flights, check_fleets),
        "blitz": (check_blitz,),
        "redeployment": (check_rails, check_voyages),
        "purchases": (check_repairs,),
    }
    for check in checks.get(tag(step), ()) if step is not None and power >= 0 else ():
        yield from check(position, power, step, offers)


def some(position: Position, units: Sequence[Any]) -> list[Any]:
    """A few of them: which ones changes with the position."""
    if len(units) <= _LOOKED_AT:
        return list(units)
    state = position.state
    start = (sum(state.flags) + 7 * state.rolled + sum(state.rps_used)) % len(units)
    return [units[(start + 11 * number) % len(units)] for number in range(_LOOKED_AT)]


def offer_of(offers: Offers, act: type[Action]) -> Offer | None:
    return next(iter(offers[act]), None)


def path_ends(offer: Offer | None, name: str) -> set[int]:
    """Where the engine lets the paths of a unit or base end."""
    if offer is None or name not in offer.fields[0].given(()):
        return set()
    paths: Any = offer.fields[1].given((name,))
    return {A.index[path[-1]] if path else A.index[name] for path in paths.describe()["paths"]}


def own(position: Position, power: int, cls: int) -> list[int]:
    state = position.state
    return [
        u for space in sorted(position.rows) for u in position.rows[space]
        if state.power[u] == power and K.cls[state.kind[u]] == cls
    ]  # fmt: skip


def on_front(position: Position, unit: int, fronts: Sequence[int]) -> bool:
    """L819: a unit moves with the front where it began the turn; one on two fronts with the one it chose."""
    state = position.state
    chosen = state.front_choice.get(unit)
    return chosen in fronts if chosen is not None else bool(set(A.front_of[state.home[unit]]) & set(fronts))


def may_march(position: Position, unit: int, fronts: Sequence[int]) -> bool:
    """L808, L1647, L1829: not used before, neither Cut Off nor Surprised, on the front."""
    flags = position.state.flags[unit]
    return not flags & (MOVED | CUT_OFF | SURPRISED) and on_front(position, unit, fronts)


def check_marches(position: Position, power: int, step: Any, offers: Offers) -> Iterator[Difference]:
    state, offer = position.state, offer_of(offers, March)
    for unit in some(position, own(position, power, GROUND)):
        mine: set[int] = set()
        if may_march(position, unit, step.fronts):
            mine = {space for space in position.marches(unit) if position.fits(unit, space)}
            if state.status[power] != AT_WAR:
                mine &= set(A.pact_soviet)
        theirs = path_ends(offer, position.name(unit))
        if mine != theirs:
            what = f"where {position.name(unit)} may march from {A.names[state.space[unit]]}"
            yield Difference(what, "w2e-movement-path", names(theirs), names(mine))


def check_blitz(position: Position, power: int, step: Any, offers: Offers) -> Iterator[Difference]:
    """L1378 to L1393: tanks and mech that have not moved, into enemy land that may be blitzed."""
    state, offer = position.state, offer_of(offers, March)
    side = A.side[power]
    fronts = [front for front, holder in enumerate(state.initiative) if holder == side]
    heavy = [u for u in own(position, power, GROUND) if K.base[state.kind[u]] in (K.tank, K.mech)]
    for unit in some(position, heavy):
        mine: set[int] = set()
        start = state.space[unit]
        able = may_march(position, unit, fronts) and not state.flags[unit] & RETREATED
        if able and not position.frozen(side, start):
            reach = position.marches(
                unit, lambda space: position.side(space) == 1 - side and not may_blitz(position, side, space)
            )
            mine = {space for space in reach if may_blitz(position, side, space) and position.fits(unit, space)}
        theirs = path_ends(offer, position.name(unit))
        if mine != theirs:
            what = f"where {position.name(unit)} may blitz from {A.names[start]}"
            yield Difference(what, "w2e-blitz-path", names(theirs), names(mine))


def may_blitz(position: Position, side: int, space: int) -> bool:
    """L236, L244, L693, L739, L1387, L1707."""
    state = position.state
    shut = state.fortress[space] or state.depot[space] or A.terrain[space] & (WOODLAND | MOUNTAIN | IMPASSABLE)
    return position.side(space) == 1 - side and not shut and not position.frozen(side, space)


def check_flights(position: Position, power: int, step: Any, offers: Offers) -> Iterator[Difference]:
    """L853: half the points out, the other half home; enemy planes over the base hold it down (L900)."""
    state, offer = position.state, offer_of(offers, Fly)
    if state.status[power] != AT_WAR:
        return
    planes = [u for u in own(position, power, AIR) if A.is_land[state.space[u]]]
    for unit in some(position, planes):
        mine: set[int] = set()
        start = state.space[unit]
        idle = not state.flags[unit] & (MOVED | SURPRISED) and on_front(position, unit, step.fronts)
        if idle and position.raid_free(unit):
            near = position.flights(power, start, K.movement[state.kind[unit]] // 2)
            barred = {s for s in near if position.side(s) == 1 - A.side[power] and not position.may_enter(power, s)}
            mine = {space for space in near if A.is_land[space]} - barred - {start}
        theirs = path_ends(offer, position.name(unit))
        if mine != theirs:
            what = f"where {position.name(unit)} may fly from {A.names[start]}"
            yield Difference(what, "w2e-air-return-range", names(theirs), names(mine))


def check_fleets(position: Position, power: int, step: Any, offers: Offers) -> Iterator[Difference]:
    """L913 to L933: where ships of a port may sail and patrol within five points."""
    state = position.state
    if state.status[power] != AT_WAR:
        return
    idle = [
        u for u in own(position, power, NAVAL)
        if not state.flags[u] & (MOVED | SURPRISED) and on_front(position, u, step.fronts)
    ]  # fmt: skip
    bases = sorted({state.space[u] for u in idle})
    for base in some(position, bases):
        near = set(position.sailings(power, base, 5, base))
        sail = {space for space in near if not A.is_port[space] or position.friendly(space, power)} - {base}
        warships = [u for u in idle if state.space[u] == base and not K.must_avoid[state.kind[u]]]
        for act, mine in ((Sail, sail), (Patrol, near if warships else set())):
            theirs = path_ends(offer_of(offers, act), A.names[base])
            if act is Patrol and not warships:
                continue
            if mine != theirs:
                what = f"where ships may {'sail' if act is Sail else 'patrol'} from {A.names[base]}"
                yield Difference(what, "w2e-move-target", names(theirs), names(mine))


def check_rails(position: Position, power: int, step: Any, offers: Offers) -> Iterator[Difference]:
    """L1405: one point takes a ground unit as far as friendly land goes."""
    state, offer = position.state, offer_of(offers, Rail)
    left = state.rps[power] - state.rps_used[power]
    for unit in some(position, [u for u in own(position, power, GROUND) if A.is_land[state.space[u]]]):
        mine = position.rails(unit) if left > 0 and not state.flags[unit] & SPENT else set()
        yield from check_goals(position, offer, unit, mine, "w2e-redeploy-ground", "redeploy to")


def check_voyages(position: Position, power: int, step: Any, offers: Offers) -> Iterator[Difference]:
    """L1429: one point takes a ship to a port within ten points, penalties included."""
    state, offer = position.state, offer_of(offers, Steam)
    left = state.rps[power] - state.rps_used[power]
    for unit in some(position, own(position, power, NAVAL))[:1]:
        mine = position.voyages(unit) if left > 0 and not state.flags[unit] & SPENT else set()
        yield from check_goals(position, offer, unit, mine, "w2e-redeploy-naval", "steam to")


def check_repairs(position: Position, power: int, step: Any, offers: Offers) -> Iterator[Difference]:
    """L156, L497: in a Homeland port with a sound factory, before anything is bought, for two dice of dollars."""
    state, offer = position.state, offer_of(offers, RepairShip)

    def yard(port: int) -> bool:
        land = A.land_of_port[port]
        mine = A.homeland[land] == state.owner[land] == power
        return mine and A.feature[land] == FACTORY and not state.damaged[land]

    hurt = {u for u in own(position, power, NAVAL) if state.damage[u] and A.is_port[state.space[u]]}
    able = state.money[power] >= 2 and power not in step.ordered
    mine = {position.name(u) for u in hurt if able and yard(state.space[u])}
    theirs = {action.unit for action in offer or () if isinstance(action, RepairShip)}
    yield from differ(
        f"which ships {A.powers[power]} may repair", "w2e-unit-battleship-repair", sorted(theirs), sorted(mine)
    )


def check_goals(
    position: Position, offer: Offer | None, unit: int, mine: set[int], rule: str, verb: str
) -> Iterator[Difference]:
    name = position.name(unit)
    theirs: set[int] = set()
    if offer is not None and name in offer.fields[0].given(()):
        theirs = {A.index[str(to)] for to in offer.fields[1].given((name,))}
    if mine != theirs:
        what = f"where {name} may {verb} from {A.names[position.state.space[unit]]}"
        yield Difference(what, rule, names(theirs - mine) + " more", names(mine - theirs) + " more")
