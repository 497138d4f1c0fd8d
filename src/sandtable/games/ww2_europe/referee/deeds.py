"""What a decision did: purchases, building, income, supply, interceptions, points, the pact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sandtable.core import Action, Difference, Event, Role

from ..model.actions import (
    Buy,
    BuyDepot,
    BuyFortress,
    BuyPoint,
    Give,
    JoinConvoy,
    Place,
    Rail,
    Rebase,
    Repair,
    Retreat,
    Ship,
    StartConvoy,
    Steam,
)
from ..model.atlas import ALLIES, AXIS, DESERT, FACTORY, IMPASSABLE, NEUTRAL, NOBODY, SIDES
from ..model.calendar import has_come
from ..model.events import Collected, Entered, Joined, Sought, Surrendered, TurnBegan
from ..model.kinds import GROUND, NAVAL
from ..model.state import AT_WAR, BOX, CUT_OFF, IN_CONVOY, ORDER_MOVE, W2State
from .battle import check_battles
from .position import A, K, Position, differ, names

_PRICES: dict[Any, str] = {BuyFortress: "fortress", BuyDepot: "supply_depot", BuyPoint: "redeployment_point"}


def check_deed(
    before: W2State, role: Role, action: Action, after: W2State, events: Sequence[Event]
) -> Iterator[Difference]:
    old, power = Position(before), A.power_index.get(role, NOBODY)
    yield from check_purchase(old, power, action, after)
    yield from check_redeployment(old, power, action, after)
    yield from check_convoy_ships(old, action, after)
    yield from check_retreat(old, power, action, after)
    yield from check_building(old, power, action, after)
    yield from check_income(old, events)
    yield from check_searches(old, events)
    yield from check_supply(after, events)
    yield from check_battles(old, action, after, events)


def check_purchase(old: Position, power: int, action: Any, after: W2State) -> Iterator[Difference]:
    """L312, L1562: what it costs, and where it goes."""
    before, price = old.state, -1
    if isinstance(action, Buy):
        kind = K.index[action.kind]
        price = K.cost[kind]
        boxes = [sum(s == BOX - K.build_time[kind] and p == power and k == kind
                     for s, p, k in zip(state.space, state.power, state.kind, strict=True))
                 for state in (before, after)]  # fmt: skip
        yield from differ(f"{action.kind} in Build Box {K.build_time[kind]}", "w2e-unit-attr-build-time",
                          boxes[1], boxes[0] + 1)  # fmt: skip
    elif type(action) in _PRICES:
        price = int(A.data["units"][_PRICES[type(action)]]["cost"])
    elif isinstance(action, Repair):
        price = A.value[A.index[action.space]]
        yield from differ(f"damage in {action.space}", "w2e-strategic-repair", after.damaged[A.index[action.space]], 0)
    elif isinstance(action, Give):
        other = A.power_index[action.to]
        price = action.dollars
        yield from differ(f"dollars of {action.to}", "w2e-gift", after.money[other], before.money[other] + price)
    if price >= 0:
        paid = before.money[power] - after.money[power]
        yield from differ(f"what {A.powers[power]} pays for {action}", "w2e-buy", paid, price)


def check_redeployment(old: Position, power: int, action: Any, after: W2State) -> Iterator[Difference]:
    """L716, L1433: a point for each move, two for a unit by sea."""
    cost = 2 if isinstance(action, Ship) else 1 if isinstance(action, (Rail, Rebase, Steam)) else 0
    if cost:
        used = sum(after.rps_used) - sum(old.state.rps_used)
        yield from differ(f"points for {action}", "w2e-redeploy-ground", used, cost)
        over = [A.powers[p] for p, count in enumerate(after.rps_used) if count > after.rps[p]]
        yield from differ("who has spent more points than there are", "w2e-rp-limits", over, [])


def check_convoy_ships(old: Position, action: Any, after: W2State) -> Iterator[Difference]:
    """L1515: a ship that began the phase in one of the two ports joins for nothing, any other for a point."""
    if isinstance(action, StartConvoy):
        unit, ends = old.number(action.transport), {A.index[action.origin], A.index[action.goal]}
    elif isinstance(action, JoinConvoy):
        unit = old.number(action.unit)
        route = next(c.route for c in old.state.convoys if c.number == int(action.convoy.split()[1]))
        ends = {route[0], route[-1]}
    else:
        return
    cost = 0 if {old.state.space[unit], old.state.home[unit]} <= ends else 1
    used = sum(after.rps_used) - sum(old.state.rps_used)
    yield from differ(f"points for {action}", "w2e-convoy-add", used, cost)
    yield from differ(f"where {old.name(unit)} is", "w2e-convoy-add", after.space[unit], IN_CONVOY)


def check_retreat(old: Position, power: int, action: Any, after: W2State) -> Iterator[Difference]:
    """L1236, ruling 20: ground units go together, attackers to where one came from, defenders to friends nearby."""
    step: Any = old.state.stack[-1]
    if not isinstance(action, Retreat) or step.__struct_config__.tag != "battle" or not action.to:
        return
    state, here, to = old.state, step.space, A.index[action.to]
    both = (*step.att, *step.dfn)
    units = [u for u in both if state.space[u] == here and K.cls[state.kind[u]] == GROUND and u not in step.doomed
             and A.side[state.power[u]] == A.side[power]]  # fmt: skip
    allowed = {state.came[u] for u in units}
    if A.side[power] != step.attacker:
        allowed |= {there for there, _, _ in A.land_links[here] if old.side(there) == A.side[power]}
    if to not in allowed:
        what = f"where ground units may retreat to from {A.names[here]}"
        yield Difference(what, "w2e-retreat-ground", A.names[to], names(allowed - {NOBODY}))
    away = {after.space[u] for u in units}
    yield from differ(f"where the ground units are that left {A.names[here]}", "w2e-retreat-ground", away, {to})


def check_building(old: Position, power: int, action: Any, after: W2State) -> Iterator[Difference]:
    """L1536 to L1554: where a finished unit may appear."""
    if not isinstance(action, Place):
        return
    state, unit = old.state, old.number(action.unit)
    kind, space = state.kind[unit], A.index[action.space]
    land = A.land_at[space]
    own = land >= 0 and A.homeland[land] == power == state.owner[land] == state.start_owner[land]
    works = land >= 0 and A.feature[land] == FACTORY and not state.damaged[land]
    if K.cls[kind] == NAVAL:
        lawful = own and works and A.is_port[space]
    elif K.base[kind] == K.infantry:
        bare = land >= 0 and A.terrain[land] & (DESERT | IMPASSABLE) and A.feature[land] != FACTORY
        lawful = own and A.is_land[space] and not bare
    else:
        lawful = own and works and A.is_land[space]
    if K.cls[kind] == GROUND:
        lawful = lawful and old.fits(unit, space)
    yield from differ(f"whether {action.unit} may be built in {action.space}", "w2e-build-others", True, lawful)
    yield from differ(f"where {action.unit} is", "w2e-build-others", after.space[unit], space)


def check_income(old: Position, events: Sequence[Event]) -> Iterator[Difference]:
    """L1582: all that can be traced over land, and no more than convoys can bring besides."""
    if any(isinstance(event, (Surrendered, Entered, Joined)) for event in events):
        return
    for event in events:
        if not isinstance(event, Collected):
            continue
        power = A.power_index[event.power[1:]]
        least, most = old.income(power)
        date = str(A.house["entry"].get(A.powers[power], ""))
        if date and not has_come(old.state, date):
            share = A.rules["neutral_major_income_cap"]["fraction"]
            least, most = int(least * share), int(most * share)
        if not least <= event.dollars <= most:
            wanted = f"{least} to {most}" if least != most else str(least)
            yield Difference(f"income of {A.powers[power]}", "w2e-collect", str(event.dollars), wanted)


def check_searches(old: Position, events: Sequence[Event]) -> Iterator[Difference]:
    """L993: what an interception needs depends on the spaces from the start of a patrol."""
    state = old.state
    table = {0: 6, 1: 5, 2: 4, 3: 3, 4: 2, 5: 1}
    for event in events:
        if not isinstance(event, Sought):
            continue
        space, side = A.index[event.space[1:]], SIDES.index(event.side[1:])
        broken = any(
            state.known[p][A.tech_index["code_breaking"]] == 2 for p in range(len(A.powers)) if A.side[p] == side
        )
        wanted = set()
        for task in state.tasks:
            if task.side == side and task.order != ORDER_MOVE and task.end == space:
                far = task.path.index(space)
                number = table.get(far, 0)
                wanted.add(number)
                if broken and 0 < number < 6:
                    wanted.add(min(5, number + 1))
        if event.needed not in wanted:
            what = f"what finds the enemy in {A.names[space]}"
            yield Difference(what, "w2e-one-patrol", str(event.needed), f"one of {sorted(wanted)}")


def check_supply(after: W2State, events: Sequence[Event]) -> Iterator[Difference]:
    """L1614: at the start of a turn every unit that can trace supply has it, and none that cannot."""
    if not any(isinstance(event, TurnBegan) for event in events) or not after.stack:
        return
    if after.stack[-1].__struct_config__.tag != "declarations" or after.vichy:  # type: ignore[attr-defined]
        return
    position = Position(after)
    for group in (AXIS, ALLIES, 2):
        if not any(A.group[p] == group and after.status[p] == AT_WAR for p in range(len(A.powers))):
            continue
        fed, unfed, rest = position.supply(group)
        mine = [u for u, s in enumerate(after.space) if s >= 0 and after.power[u] != NEUTRAL
                and A.group[after.power[u]] == group and after.cargo_of[u] < 0 and K.cls[after.kind[u]] == GROUND
                and after.status[after.power[u]] == AT_WAR]  # fmt: skip
        cut = {u for u in mine if after.flags[u] & CUT_OFF}
        for units, right in ((cut & fed, "supplied"), (unfed & set(mine) - cut, "Cut Off")):
            for unit in sorted(units):
                what = f"whether {position.name(unit)} in {A.names[after.space[unit]]} is supplied"
                yield Difference(what, "w2e-supply-trace", "Cut Off" if unit in cut else "supplied", right)
        by_sea = sum(K.stack[after.kind[u]] for u in mine if u not in cut and u not in fed)
        if by_sea > rest + position.capacity(group):
            what = "Stack Points that convoys and minor flags feed"
            yield Difference(what, "w2e-convoy-capacity", str(by_sea), f"at most {rest + position.capacity(group)}")
