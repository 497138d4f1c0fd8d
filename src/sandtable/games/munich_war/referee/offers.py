"""What is offered, recomputed: the whole of it where that is quick, and a share of the units where it is not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sandtable.core import Difference, Offers
from sandtable.core.bits import bits

from ..model.actions import (
    Advance,
    Arrive,
    Attack,
    Bomb,
    Intercept,
    Launch,
    Lose,
    Mobilize,
    Refit,
    Retreat,
    Stand,
    SupplyPort,
    Support,
)
from ..model.atlas import ATLAS, MOBILE, NOBODY
from ..model.state import (
    AVAILABLE,
    FLOWN,
    REINFORCEMENT,
    SURPRISED,
    TRACK,
    UTILIZED,
)
from .asking import compare, given, hex_names, ids
from .battle import may_be_mobile, targets
from .flight import air_bases, air_targets, lift_targets
from .movement import check_movement
from .position import FRANCE, UNITS, Position, is_city, is_land, terrain
from .standing import tag

_FRENCH_SHORES = frozenset(ATLAS.hex_number[name] for name in ("1623", "1722", "1823"))


def check_offers(position: Position, offers: Offers) -> Iterator[Difference]:
    step: Any = position.state.stack[-1]
    check = {
        "mw.spend": check_spending, "mw.arrivals": check_arrivals, "mw.launch": check_launch,
        "mw.intercept": check_interception, "mw.terror": check_terror, "mw.movement": check_movement,
        "mw.combat": check_attacks, "mw.support": check_support, "mw.retreat": check_retreats,
        "mw.advance": check_advances, "mw.lose-steps": check_lots,
    }.get(tag(step))  # fmt: skip
    if check is not None:
        yield from check(position, step, offers)


# ---- mobilization (7) ------------------------------------------------------------------------------------------------
def check_spending(position: Position, step: Any, offers: Offers) -> Iterator[Difference]:
    state = position.state
    alert = step.country != NOBODY
    mobilize, refit = [], []
    for unit in UNITS:
        number, country = unit.index, unit.country
        if country != step.country if alert else position.sides[country] != step.side:
            continue
        points = state.rp[country] + state.pool
        if state.where[number] == REINFORCEMENT and points >= 1:
            mobilize.append(number)
        if unit.steps < 2 or state.steps[number] != 1 or unit.fort or position.sides[country] == NOBODY:
            continue
        if points < (2 if unit.mechanized or unit.air else 1):
            continue
        at = state.where[number]
        if unit.air and at in (AVAILABLE, UTILIZED):
            refit.append(number)
        if unit.land and at >= 0 and at not in position.zones[1 - step.side] and position.supplied(number):
            refit.append(number)
    yield from compare("what may be mobilized", "mw-7.2.1-a", given(offers, Mobilize), ids(mobilize))
    if not (alert and position.sides[step.country] == NOBODY):
        yield from compare("what may be refitted", "mw-7.3-a", given(offers, Refit), ids(refit))


def check_arrivals(position: Position, step: Any, offers: Offers) -> Iterator[Difference]:
    for unit in UNITS:
        if not unit.land or position.sides[unit.country] != step.side:
            continue
        due = TRACK - position.state.turn <= position.state.where[unit.index] <= TRACK  # a neutral's unit has waited
        hexes = arrival_hexes(position, unit.index) if due else set()
        offered = given(offers, Arrive, unit.id) if unit.id in given(offers, Arrive) else []
        yield from compare(f"where {unit.id} may arrive", "mw-7.2.2-a", offered, hex_names(hexes))


def arrival_hexes(position: Position, number: int) -> set[int]:
    """7.2.2, 10.6, 16.8.2 and ruling 22."""
    unit = UNITS[number]
    country, side = ATLAS.countries[unit.country], position.sides[unit.country]
    found = set()
    for at in range(ATLAS.hex_count):
        if ATLAS.faces[at] is None or not is_land(at) or ATLAS.country_of[at] != unit.country:
            continue
        if at in position.state.arrived or position.feared(at) or position.foe(side, at):
            continue
        if at == country.capital or at in country.mobilization:
            welcome = position.controls(side, at)
        else:
            on_edge = country.edge and ATLAS.face(at)["map_edge_entry"]
            taken = position.controls(1 - side, at)
            welcome = bool(on_edge) and not taken and (unit.alpine or terrain(at) != "mountain")
        if welcome:
            found.add(at)
    return found


# ---- air (16) --------------------------------------------------------------------------------------------------------
def ready(position: Position, number: int, side: int) -> bool:
    state = position.state
    unit = UNITS[number]
    fit = unit.air and position.sides[unit.country] == side and state.where[number] == AVAILABLE
    return fit and not state.flags[number] & FLOWN


def check_launch(position: Position, step: Any, offers: Offers) -> Iterator[Difference]:
    offered = given(offers, Launch)
    for unit in UNITS:
        if not unit.air:
            continue
        bases = air_bases(position, unit.index) if ready(position, unit.index, step.side) else set()
        theirs = given(offers, Launch, unit.id) if unit.id in offered else []
        yield from compare(f"where {unit.id} may take off", "mw-16.3-b", theirs, hex_names(bases))
        for base in sorted(bases)[position.state.clock % 4 :: 4]:
            anywhere = air_targets(position, unit.index, base) - {base}
            mine = lift_targets(position, unit.index, base) if unit.lift else anywhere
            theirs = given(offers, Launch, unit.id, ATLAS.hex_name[base])
            what = f"where {unit.id} may fly from {ATLAS.hex_name[base]}"
            yield from compare(what, "mw-16.3-d", theirs, hex_names(mine))


def check_interception(position: Position, step: Any, offers: Offers) -> Iterator[Difference]:
    state = position.state
    air = {u.index: state.where[u.index] for u in UNITS if u.air and state.where[u.index] >= 0}
    prey = {at for number, at in air.items() if position.side(number) != step.side}
    prey -= {at for number, at in air.items() if position.side(number) == step.side}
    offered = given(offers, Intercept)
    for unit in UNITS:
        if not unit.strike:
            continue
        able = ready(position, unit.index, step.side) and not state.flags[unit.index] & SURPRISED
        bases = air_bases(position, unit.index) if able else set()
        mine = {base: prey & air_targets(position, unit.index, base) for base in bases}
        theirs = given(offers, Intercept, unit.id) if unit.id in offered else []
        useful = [base for base, found in mine.items() if found]
        yield from compare(f"where {unit.id} may take off to intercept", "mw-16.3-b", theirs, hex_names(useful))
        for base in useful:
            there = given(offers, Intercept, unit.id, ATLAS.hex_name[base])
            what = f"what {unit.id} may intercept from {ATLAS.hex_name[base]}"
            yield from compare(what, "mw-16.6-a", there, hex_names(mine[base]))


def check_terror(position: Position, step: Any, offers: Offers) -> Iterator[Difference]:
    """16.8: cities in enemy or neutral countries without friends, and enemy units."""
    offered = given(offers, Bomb)
    for unit in UNITS:
        at = position.state.where[unit.index]
        if not unit.strike or position.sides[unit.country] != step.side:
            continue
        aims = set()
        if at >= 0:
            home = position.sides[ATLAS.country_of[at]]
            if is_city(at) and home != step.side and not position.held(step.side, at):
                aims.add("city")
            if position.foe(step.side, at):
                aims.add("units")
        theirs = given(offers, Bomb, unit.id) if unit.id in offered else []
        yield from compare(f"what {unit.id} may bomb", "mw-16.8-b", theirs, aims)


# ---- combat (11 to 13) -----------------------------------------------------------------------------------------------
def check_attacks(position: Position, step: Any, offers: Offers) -> Iterator[Difference]:
    mine = targets(position, step.side)
    yield from compare("what may be attacked", "mw-11.0-b", given(offers, Attack), hex_names(mine))
    for at, nations in mine.items():
        name = ATLAS.hex_name[at]
        lands = [ATLAS.countries[country].name for country in nations]
        yield from compare(f"who may attack {name}", "mw-11.3", given(offers, Attack, name), lands)
        for country, units in nations.items():
            land = ATLAS.countries[country].name
            tables = given(offers, Attack, name, land)
            mobile = may_be_mobile(position.stacks[at], units)
            if (MOBILE in tables) != mobile:
                yield Difference(
                    f"whether {land} may use the Mobile table on {name}", "mw-11.7-c", str(tables), str(mobile)
                )
            (force,) = [o.fields[3].given([name, land, tables[0]]) for o in offers[Attack] if o.closed is None]
            what = f"which units of {land} may attack {name}"
            yield from compare(what, "mw-11.0-c", force.describe()["values"], ids(units))

    for marker in given(offers, SupplyPort):
        country = UNITS[ATLAS.unit_number[marker]].country
        ports = hex_names(supply_ports(position, country))
        yield from compare(f"what {marker} may supply", "mw-18.3-a", given(offers, SupplyPort, marker), ports)


def supply_ports(position: Position, country: int) -> set[int]:
    """18.3: friendly ports in a friendly sea, without terror, one marker in each."""
    state, side = position.state, position.sides[country]
    taken = {state.where[unit.index] for unit in UNITS if unit.transport}
    return {
        at
        for at in bits(ATLAS.ports)
        if position.is_open(at) and position.on_sea(country, at) and not position.feared(at) and at not in taken
        and (position.controls(side, at) or position.held(side, at))
    }  # fmt: skip


def check_lots(position: Position, step: Any, offers: Offers) -> Iterator[Difference]:
    """11.16: the owner picks; mechanized attackers come first on the Mobile table."""
    state = position.state
    battle = state.battle
    assert battle is not None
    alive = [number for number in step.units if state.steps[number]]
    tanks = [number for number in alive if UNITS[number].mechanized]
    first = battle.table == MOBILE and step.side == state.phasing and tanks
    yield from compare("who may be reduced", "mw-11.16-a", given(offers, Lose), ids(tanks if first else alive))


def check_support(position: Position, step: Any, offers: Offers) -> Iterator[Difference]:
    state = position.state
    battle = state.battle
    assert battle is not None
    nation = UNITS[battle.units[0]].country
    air, ships, teams = [""], [""], [""]
    for unit in UNITS:
        at = state.where[unit.index]
        if unit.strike and unit.country == nation and at == battle.target:
            air.append(unit.id)
        if (
            unit.bombardment
            and unit.country == nation
            and at == AVAILABLE
            and may_bombard(position, nation, battle.target)
        ):
            ships.append(unit.id)
        if unit.sf and position.sides[unit.country] == step.side and at == AVAILABLE:
            teams.append(unit.id)
    yield from compare("the air support", "mw-16.9-b", given(offers, Support), air)
    yield from compare("the naval support", "mw-18.1-b", given(offers, Support, ""), ships)
    yield from compare("the special forces", "mw-17.1-a", given(offers, Support, "", ""), teams)


def may_bombard(position: Position, country: int, at: int) -> bool:
    """18.1: a coast of a friendly sea, or of the Mediterranean for France."""
    return position.on_sea(country, at) or (country == FRANCE and at in _FRENCH_SHORES)


def check_retreats(position: Position, step: Any, offers: Offers) -> Iterator[Difference]:
    state = position.state
    offered = given(offers, Retreat)
    alive = [n for n in step.units if state.steps[n] and n not in state.assaults and not UNITS[n].static]
    battle = state.battle
    assert battle is not None
    for number in alive:
        unit, at = UNITS[number], state.where[number]
        mine = position.retreats(number, step.distance)
        theirs = {tuple(path) for path in (given(offers, Retreat, unit.id) if unit.id in offered else [])}
        paths = {tuple(hex_names(way)) for way in mine}
        if theirs != paths:
            what = f"how {unit.id} may retreat {step.distance} from {ATLAS.hex_name[at]}"
            yield Difference(what, "mw-12.1-g", str(sorted(theirs - paths)), str(sorted(paths - theirs)))
        behind_walls = any(UNITS[n].fort for n in position.stacks[at])
        if (unit.id in given(offers, Stand)) != behind_walls:
            yield Difference(f"whether {unit.id} may stand", "mw-12.2-b", str(not behind_walls), str(behind_walls))


def check_advances(position: Position, step: Any, offers: Offers) -> Iterator[Difference]:
    state = position.state
    battle = state.battle
    assert battle is not None
    offered = given(offers, Advance)
    for number in battle.units:
        unit = UNITS[number]
        fit = state.steps[number] and number not in step.done and state.where[number] != battle.target
        mine = position.advances(number, battle.target, battle.table == MOBILE) if fit else set()
        theirs = {tuple(path) for path in (given(offers, Advance, unit.id) if unit.id in offered else [])}
        paths = {tuple(hex_names(way)) for way in mine}
        if theirs != paths:
            what = f"how {unit.id} may advance into {ATLAS.hex_name[battle.target]}"
            yield Difference(what, "mw-13.0-a", str(sorted(theirs - paths)), str(sorted(paths - theirs)))
