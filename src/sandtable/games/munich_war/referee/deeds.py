"""What a decision did, recomputed: battles, losses, moves, control, points, air combat, surrender, the score."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sandtable.core import Action, Difference, Event, Rolled

from ..model.actions import Attack, Lose, Mobilize, Move, Refit, Retreat, Support
from ..model.atlas import ALLIES, ATLAS, AXIS, NOBODY, SIDES
from ..model.events import (
    Advanced,
    Arrived,
    Bombed,
    Fought,
    Intercepted,
    Joined,
    Moved,
    Retreated,
    SpecialForces,
)
from ..model.state import (
    AVAILABLE,
    GROUNDED,
    HUNGRY,
    OUT,
    TRACK,
    UTILIZED,
    MunichState,
    unpack,
)
from .asking import differ
from .battle import RESULTS, column, percent, reduced_by, shift
from .deed import Deed
from .position import FINLAND, GERMANY, SOVIETS, UNITS, Position, has_rail, is_land, names
from .score import check_events, check_score, check_surrender
from .standing import phase, tag

_OFF_MAP = {"Great Britain": 3, "France": 1, "Soviet Union": 1}
_NO_POINTS = frozenset(("Lithuania", "Latvia", "Estonia", "Switzerland", "Denmark"))


def check_deed(
    before: MunichState, action: Action, after: MunichState, events: Sequence[Event]
) -> Iterator[Difference]:
    deed = Deed(before, action, after, events)
    checks: tuple[Callable[[Deed], Iterator[Difference]], ...] = (
        check_battle, check_losses, check_retreat, check_move, check_control, check_income, check_spending,
        check_refresh, check_hunger, check_interceptions, check_bombs, check_events, check_surrender, check_score,
    )  # fmt: skip
    for check in checks:
        yield from check(deed)


# ---- combat ----------------------------------------------------------------------------------------------------------
def check_battle(deed: Deed) -> Iterator[Difference]:
    """11.8: percentage, shifts, column and result."""
    action = deed.action
    for fought in deed.of(Fought):
        target = ATLAS.hex_number[fought.target]
        if isinstance(action, Attack):
            attackers = [ATLAS.unit_number[name] for name in action.units]
            helpers = ["", "", ""]
        else:
            assert isinstance(action, Support)
            assert deed.before.battle is not None
            attackers, helpers = list(deed.before.battle.units), [action.air, action.naval, action.sf]
        state = copy.copy(deed.before)
        works = any(event.works for event in deed.of(SpecialForces))
        guards = deed.old.stacks[target]
        if works:
            for number in guards:
                if UNITS[number].fort:
                    left = state.steps[number] - 1
                    state.steps = state.steps[:number] + bytes([left]) + state.steps[number + 1 :]
        position = Position(state, deed.old.sides)
        defenders = [number for number in guards if state.steps[number]]
        air, ship = (ATLAS.unit_number.get(name, NOBODY) for name in helpers[:2])
        extra = int(works)
        if air != NOBODY:
            extra += UNITS[air].combat[state.steps[air]]
        if ship != NOBODY:
            extra += UNITS[ship].bombardment
        share = percent(position, attackers, defenders)
        shifted = shift(position, target, attackers, defenders) + extra
        place = column(share, shifted)
        table = fought.table[1:]
        result = ATLAS.tables[f"crt_{table}"]["rows"][str(deed.die_before(fought))][place]
        where = f"the battle for {fought.target}"
        yield from differ(f"the percentage of {where}", "mw-11.9", fought.percent, share)
        yield from differ(f"the shift of {where}", "mw-11.10-d", fought.shift, shifted)
        yield from differ(f"the column of {where}", "mw-11.10-d", fought.column, ATLAS.column_names[place])
        yield from differ(f"the result of {where}", "mw-11.9", fought.result, result)
        yield from check_result(deed, result, table, attackers, defenders)


def check_result(
    deed: Deed, result: str, table: str, attackers: list[int], defenders: list[int]
) -> Iterator[Difference]:
    """The losses that a result asks for are taken, or are asked for now."""
    terms = RESULTS[result]
    wanted = reduced_by(result, table, attackers, defenders)
    for word, units, number, dies, runs in (
        ("attackers", attackers, wanted[0], terms.attackers_die, terms.attackers_retreat),
        ("defenders", defenders, wanted[1], terms.defenders_die, terms.defenders_retreat),
    ):
        what = f"how many {word} {result} hurts"
        if dies:
            yield from differ(f"what is left of the {word} after {result}", f"mw-crt-{result.lower()}",
                              [UNITS[n].id for n in units if deed.after.steps[n]], [])  # fmt: skip
            continue
        hurt = sum(deed.after.steps[n] < _steps_in_battle(deed, n) for n in units)
        hurt += owed(deed.after, units)
        if hurt < number or (hurt > number and not runs):
            yield Difference(what, f"mw-crt-{result.lower()}", str(hurt), str(number))


def _steps_in_battle(deed: Deed, number: int) -> int:
    """The steps of a unit when the die fell: special forces have struck a fortification before."""
    struck = UNITS[number].fort and any(event.works for event in deed.of(SpecialForces))
    return deed.before.steps[number] - struck


def owed(state: MunichState, units: Sequence[int]) -> int:
    """How many of these units must still be reduced."""
    steps: list[Any] = [step for step in state.stack if tag(step) == "mw.lose-steps"]
    return sum(step.number for step in steps if set(step.units) & set(units))


def check_losses(deed: Deed) -> Iterator[Difference]:
    if isinstance(deed.action, Lose):
        number = ATLAS.unit_number[deed.action.unit]
        if deed.after.steps[number] >= deed.before.steps[number]:
            yield Difference(f"what {deed.action.unit} loses", "mw-11.17-a", "nothing", "a step")


def check_retreat(deed: Deed) -> Iterator[Difference]:
    """12.1: a step for each enemy zone that is entered."""
    if isinstance(deed.action, Retreat):
        number = ATLAS.unit_number[deed.action.unit]
        path = [ATLAS.hex_number[name] for name in deed.action.path]
        zones = deed.old.zones[1 - deed.old.side(number)]
        left = deed.before.steps[number] - sum(at in zones for at in path)
        yield from differ(
            f"the steps of {deed.action.unit} after its retreat", "mw-12.1-b", deed.after.steps[number], left
        )
        yield from differ(
            f"where {deed.action.unit} is", "mw-12.0-a", names([deed.after.where[number]]), names([path[-1]])
        )


# ---- movement and control --------------------------------------------------------------------------------------------
def check_move(deed: Deed) -> Iterator[Difference]:
    """8.1: the path is there and costs what the chart says."""
    if not isinstance(deed.action, Move):
        return
    number, to = ATLAS.unit_number[deed.action.unit], ATLAS.hex_number[deed.action.to]
    fresh = Position(deed.before)
    reach = fresh.reach(number)
    if to not in reach:
        yield Difference(f"whether {deed.action.unit} reaches {deed.action.to}", "mw-8.1-a", "yes", "no")
        return
    yield from differ(f"where {deed.action.unit} is", "mw-8.1-a", names([deed.after.where[number]]), deed.action.to)
    if deed.after.moving == number:
        spent = f"half factors that {deed.action.unit} has spent"
        yield from differ(spent, "mw-8.4-a", deed.after.spent, reach[to])
        if deed.before.moving != number:
            mine = fresh.allowance(number)
            yield from differ(f"half factors of {deed.action.unit}", "mw-14.6-a", deed.after.allowance, mine)


def check_control(deed: Deed) -> Iterator[Difference]:
    """2.3: a hex changes hands when units enter it, and belongs at the end of a phase to who holds it undisputed."""
    entered: dict[int, set[int]] = {AXIS: set(), ALLIES: set()}
    for event in deed.events:
        if isinstance(event, (Moved, Retreated, Advanced)):
            entered[deed.old.side(ATLAS.unit_number[event.unit])].update(ATLAS.hex_number[name] for name in event.path)
        elif isinstance(event, Arrived):
            entered[deed.old.side(ATLAS.unit_number[event.unit])].add(ATLAS.hex_number[event.at])
    joined = {ATLAS.country_number[event.country[1:]] for event in deed.of(Joined)}
    for side in (AXIS, ALLIES):
        gains = unpack(deed.after.owned[side]) & ~unpack(deed.before.owned[side])
        for at in range(ATLAS.hex_count):
            if not gains >> at & 1 or ATLAS.country_of[at] in joined or at in entered[side]:
                continue
            if not deed.old.held(side, at) and not deed.new.held(side, at):
                yield Difference(f"who controls {ATLAS.hex_name[at]}", "mw-2.3-b", SIDES[side], "as before")
        if isinstance(deed.action, Move) and side == deed.before.phasing:
            for at in entered[side]:
                if at not in deed.old.zones[1 - side] and not deed.new.owns(side, at):
                    yield Difference(f"who controls {ATLAS.hex_name[at]}", "mw-2.3-c", "not the mover", SIDES[side])
    if phase(deed.before) != phase(deed.after) and not deed.after.outcome:
        for at, stack in deed.new.stacks.items():
            side = deed.new.side(stack[0])
            if side != NOBODY and is_land(at) and at not in deed.new.zones[1 - side] and not deed.new.owns(side, at):
                yield Difference(f"who controls {ATLAS.hex_name[at]}", "mw-2.3-a", "another", SIDES[side])


# ---- mobilization ----------------------------------------------------------------------------------------------------
def check_income(deed: Deed) -> Iterator[Difference]:
    """7.1: the replacement points of each country."""
    step: Any = deed.after.stack[-1] if deed.after.stack else None
    if step is None or tag(step) != "mw.spend" or step.country != NOBODY or phase(deed.after) != "mobilization":
        return
    waited = any(tag(other) == "mw.income" for other in deed.before.stack)
    if not waited and deed.begins("mobilization") != step.side:
        return
    for country in range(len(ATLAS.countries)):
        name = ATLAS.countries[country].name
        mine = income(deed.new, country) if deed.after.side[country] == step.side else 0
        yield from differ(f"the replacement points of {name}", "mw-7.1-a", deed.after.rp[country], mine)


def income(position: Position, country: int) -> int:
    """7.1 and 7.1.1."""
    state, face = position.state, ATLAS.countries[country]
    side = position.sides[country]
    if state.no_rp[side] or state.fallen[country] or face.name in _NO_POINTS:
        return 0
    points = _OFF_MAP.get(face.name, 0)
    for at in {face.capital, *face.mobilization} - {NOBODY}:
        points += position.controls(side, at) and not position.feared(at)
    if country == GERMANY:
        for at in range(ATLAS.hex_count):
            if ATLAS.reich_objectives >> at & 1 and position.stands(GERMANY, at):
                points += at not in position.zones[1 - side] and not position.feared(at)
    return points


def check_spending(deed: Deed) -> Iterator[Difference]:
    """The Mobilization Chart: what it costs, and when a unit comes."""
    action, step = deed.action, deed.before.stack[-1]
    if not isinstance(action, (Mobilize, Refit)) or tag(step) != "mw.spend":
        return
    unit = UNITS[ATLAS.unit_number[action.unit]]
    cost = 1
    if isinstance(action, Refit):
        cost = 2 if unit.mechanized or unit.air else 1
        yield from differ(f"the steps of {unit.id}", "mw-7.3-f", deed.after.steps[unit.index], unit.steps)
    else:
        (die,) = [event.value for event in deed.of(Rolled)][:1]
        turn = max(1, deed.before.turn) + (die + 1) // 2
        box = TRACK - turn if turn <= ATLAS.plans[deed.before.plan].turns else OUT
        yield from differ(f"when {unit.id} comes", "mw-7.2.1-b", deed.after.where[unit.index], box)
    if deed.after.stack and tag(deed.after.stack[-1]) == "mw.spend" and deed.after.phasing == deed.before.phasing:
        had = deed.before.rp[unit.country] + deed.before.pool
        has = deed.after.rp[unit.country] + deed.after.pool
        yield from differ(f"the points spent on {unit.id}", "mw-7.2", had - has, cost)


def check_refresh(deed: Deed) -> Iterator[Difference]:
    """4.0 and 20.0: markers return; in storms half of the air units stay down."""
    side = deed.begins("mobilization")
    if side == NOBODY:
        return
    mine = [unit for unit in UNITS if not unit.land and deed.after.side[unit.country] == side]
    up = [unit for unit in mine if unit.air and deed.after.where[unit.index] == AVAILABLE]
    step: Any = deed.after.stack[-1] if deed.after.stack else None
    if step is not None and tag(step) == "mw.refresh":
        yield from differ("how many air units stay down", "mw-20.0-d", step.left, (len(up) + 1) // 2)
    if not deed.after.storm:
        for unit in mine:
            if deed.after.where[unit.index] == UTILIZED and not deed.after.flags[unit.index] & GROUNDED:
                yield Difference(f"where {unit.id} is", "mw-4.0-mob", "Utilized", "Available")


def check_hunger(deed: Deed) -> Iterator[Difference]:
    """8.6 and 14: who stands on a railroad at home and is out of supply when the Movement Phase begins."""
    side = deed.begins("movement")
    if side == NOBODY or not deed.after.stack or tag(deed.after.stack[-1]) != "mw.movement":
        return
    for unit in UNITS:
        at = deed.after.where[unit.index]
        if not unit.mobile or deed.after.side[unit.country] != side or at < 0:
            continue
        if ATLAS.country_of[at] == unit.country and has_rail(at):
            what = f"whether {unit.id} in {names([deed.after.where[unit.index]])} is in supply"
            fed = not deed.after.flags[unit.index] & HUNGRY
            yield from differ(what, "mw-14.5", fed, deed.new.supplied(unit.index))


# ---- air -------------------------------------------------------------------------------------------------------------
def check_interceptions(deed: Deed) -> Iterator[Difference]:
    """16.6: the column by the difference of the factors, and what the result does."""
    for event in deed.of(Intercepted):
        hunter, victim = ATLAS.unit_number[event.attacker], ATLAS.unit_number[event.defender]
        steps = deed.before.steps
        gap = UNITS[hunter].combat[steps[hunter]] - UNITS[victim].combat[steps[victim]]
        place = max(-1, min(1, gap)) + 1
        result = ATLAS.tables["interception"]["rows"][str(deed.die_before(event))][place]
        yield from differ(f"the interception over {event.at}", "mw-16.6-c", event.result, result)
        lost = {"AE": (2, 0), "AL": (1, 0), "DB": (0, 0), "DE": (0, 2), "DL": (0, 1), "ML": (1, 1)}[result]
        for number, loss in zip((hunter, victim), lost, strict=True):
            left = max(0, steps[number] - loss)
            what = f"the steps of {UNITS[number].id} after {result}"
            yield from differ(what, f"mw-int-{result.lower()}", deed.after.steps[number], left)
        if result == "DB" and deed.after.where[victim] >= 0:
            yield Difference(f"where {event.defender} is", "mw-int-db", "in the air", "Utilized")


def check_bombs(deed: Deed) -> Iterator[Difference]:
    """16.8: the column is the factor; storms in the Soviet Union and Finland take one off."""
    for event in deed.of(Bombed):
        number, at = ATLAS.unit_number[event.unit], ATLAS.hex_number[event.at]
        factor = UNITS[number].combat[deed.before.steps[number]]
        home = ATLAS.country_of[at]
        if deed.before.storm and home in (SOVIETS, FINLAND) and UNITS[number].country != home:
            factor = max(0, factor - 1)
        result = ATLAS.tables["terror"]["rows"][str(deed.die_before(event))][factor]
        yield from differ(f"the bombing of {event.at}", "mw-16.8-d", event.result.removeprefix("@"), result)
