"""What is offered in a Movement Phase (8, 16.10, 18.2): on foot and by rail, by air and by sea."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sandtable.core import Difference, Offers
from sandtable.core.bits import bits

from ..model.actions import Airlift, EnterMap, Move, Rail, Ship
from ..model.atlas import ATLAS
from ..model.state import AVAILABLE, MOVED, WAITING
from .asking import compare, given, hex_names, ids
from .flight import air_targets, carried
from .position import UNITS, Position, has_rail, is_city, is_land, is_port, terrain

_SHARE = 5
"""Reach is recomputed for one unit in so many, another share in each position."""


def check_movement(position: Position, step: Any, offers: Offers) -> Iterator[Difference]:
    state = position.state
    marching, riding = given(offers, Move), given(offers, Rail)
    for unit in UNITS:
        number = unit.index
        if not unit.mobile or position.sides[unit.country] != step.side or state.where[number] < 0:
            continue
        if (number + state.clock) % _SHARE:
            continue
        theirs = given(offers, Move, unit.id) if unit.id in marching else []
        reach = hex_names(position.reach(number))
        at = ATLAS.hex_name[state.where[number]]
        yield from compare(f"where {unit.id} may march from {at}", "mw-8.1-a", theirs, reach)
        theirs = given(offers, Rail, unit.id) if unit.id in riding else []
        trains = state.rail_used[unit.country] < ATLAS.countries[unit.country].rail_capacity
        reach = hex_names(position.rail_reach(number)) if trains and has_rail(state.where[number]) else []
        yield from compare(f"where {unit.id} may go by rail from {at}", "mw-8.6-a", theirs, reach)
    for name in given(offers, EnterMap):
        back = position.rail_reach(ATLAS.unit_number[name], bits(ATLAS.east_rail))
        yield from compare(f"where {name} may come back", "mw-8.6.1-b", given(offers, EnterMap, name), hex_names(back))
    yield from check_airlift(position, step, offers)
    yield from check_ships(position, step, offers)


def check_airlift(position: Position, step: Any, offers: Offers) -> Iterator[Difference]:
    state = position.state
    offered = given(offers, Airlift)
    for lift in UNITS:
        at = state.where[lift.index]
        if not lift.lift or at < 0 or position.sides[lift.country] != step.side:
            continue
        able = state.flags[lift.index] & WAITING and at not in position.zones[1 - step.side]
        waiting = carried(position, at, step.side) if able and not position.feared(at) else set()
        waiting = {number for number in waiting if not state.flags[number] & MOVED and state.moving != number}
        theirs = given(offers, Airlift, lift.id) if lift.id in offered else []
        yield from compare(f"whom {lift.id} may carry", "mw-16.10.1-b", theirs, ids(waiting))
        for number in waiting:
            mine = landing_fields(position, lift.index, number)
            theirs = given(offers, Airlift, lift.id, UNITS[number].id)
            yield from compare(f"where {UNITS[number].id} may fly", "mw-16.10.1-c", theirs, hex_names(mine))


def landing_fields(position: Position, lift: int, number: int) -> set[int]:
    """16.10.1: friendly controlled cities in range, free of enemy zones and terror."""
    unit, start = UNITS[number], position.state.where[lift]
    side = position.sides[unit.country]
    return {
        at
        for at in air_targets(position, lift, start, alone=False)
        if at != start and is_city(at) and position.controls(side, at) and not position.feared(at)
        and not position.barred(unit.country, at) and not position.strangers(number, at)
        and (unit.alpine or terrain(at) != "mountain")
    }  # fmt: skip


def check_ships(position: Position, step: Any, offers: Offers) -> Iterator[Difference]:
    """18.2.1, 18.2.2; the options 23.3 and 23.4 change where ships go, and are not recomputed."""
    state = position.state
    if state.options.get("naval-evacuation") or state.options.get("additional-naval-moves"):
        return
    offered = given(offers, Ship)
    for marker in UNITS:
        if not marker.transport or position.sides[marker.country] != step.side:
            continue
        able = state.where[marker.index] == AVAILABLE
        ports = set()
        for at, stack in position.stacks.items() if able else ():
            aboard = [n for n in stack if UNITS[n].country == marker.country and is_fresh(position, n)]
            harbour = is_port(at) and not position.feared(at)
            if any(harbour or UNITS[n].marines for n in aboard) and position.on_sea(marker.country, at):
                ports.add(at)
        theirs = given(offers, Ship, marker.id) if marker.id in offered else []
        yield from compare(f"where {marker.id} may take units aboard", "mw-18.2.1-c", theirs, hex_names(ports))
        for port in ports:
            crew = [n for n in position.stacks[port] if UNITS[n].country == marker.country and is_fresh(position, n)]
            for number in crew:
                if not (UNITS[number].marines or (is_port(port) and not position.feared(port))):
                    continue
                prefix = (marker.id, ATLAS.hex_name[port], (UNITS[number].id,))
                theirs = given(offers, Ship, *prefix)
                what = f"where {marker.id} may take {UNITS[number].id} from {ATLAS.hex_name[port]}"
                yield from compare(what, "mw-18.2.1-d", theirs, hex_names(landings(position, number, port)))


def is_fresh(position: Position, number: int) -> bool:
    state = position.state
    moved = state.flags[number] & MOVED or state.moving == number
    return UNITS[number].mobile and not moved and number not in state.assaults


def landings(position: Position, number: int, port: int) -> set[int]:
    unit = UNITS[number]
    side = position.sides[unit.country]
    waters = position.seas(unit.country) & {*ATLAS.face(port)["sea_area"]}
    found = set()
    for at in range(ATLAS.hex_count):
        if at == port or ATLAS.faces[at] is None or not is_land(at) or waters.isdisjoint(ATLAS.face(at)["sea_area"]):
            continue
        harbour = is_port(at) and not position.feared(at)
        if not harbour and not unit.marines:
            continue
        if not position.is_open(at) and not position.may_invade(unit.country, at):
            continue
        if position.foe(side, at) or position.barred(unit.country, at) or position.strangers(number, at):
            continue
        if terrain(at) != "mountain" or unit.alpine:
            found.add(at)
    return found
