"""Every invariant of a state (for the fuzzer, loaded files and tests)."""

from __future__ import annotations

from collections.abc import Iterator

from .atlas import ALLIES, ATLAS, AXIS, NOBODY
from .deployment import Deploy
from .facts import Facts, facts_of
from .movement_phase import Movement
from .stacking import why_overstacked
from .state import (
    AVAILABLE,
    ELIMINATED,
    OFF_MAP,
    OUT,
    REINFORCEMENT,
    SURRENDERED,
    TRACK,
    UNPLACED,
    UTILIZED,
    MunichState,
    unpack,
)

_DISPLAYS = (OUT, AVAILABLE, UTILIZED, REINFORCEMENT, ELIMINATED, SURRENDERED, OFF_MAP, UNPLACED)


def faults(state: MunichState) -> list[str]:
    """All that is wrong with a state; empty when it is sound."""
    return [*_units(state), *_stacks(state), *_politics(state), *_control(state), *_counts(state)]


def _units(state: MunichState) -> Iterator[str]:
    """[mw-2.1-a] Every counter is in one place, with steps it can have."""
    for face in ATLAS.units:
        unit, at = face.index, state.where[face.index]
        steps = state.steps[unit]
        if not 0 <= steps <= face.steps:
            yield f"{face.id} has {steps} steps"
        spared = at == ELIMINATED and state.options.get("additional-armored-forces")  # deducted, never fought
        if (steps == 0) != (at == ELIMINATED) and not spared:
            yield f"{face.id} has {steps} steps in place {at}"
        if at >= 0:
            if not ATLAS.board >> at & 1:
                yield f"{face.id} is off the board"
            elif face.land and unit not in state.assaults and not ATLAS.land >> at & 1:
                yield f"{face.id} is at sea"
            elif face.sf:
                yield f"{face.id} is on the map"
            if face.air and state.turn and state.phasing == NOBODY:
                yield f"{face.id} flies between the player turns"
        elif at not in _DISPLAYS and not TRACK - len(ATLAS.turn_names) <= at < TRACK:
            yield f"{face.id} is in no display: {at}"
        if at == UNPLACED and state.turn:
            yield f"{face.id} was never set up"
        if at == OFF_MAP and ATLAS.countries[face.country].name != ATLAS.rules["off_map_rail"]["country"]:
            yield f"{face.id} is on the off-map railroads"
        if at in (AVAILABLE, UTILIZED) and face.land:
            yield f"{face.id} is in a support display"


def _stacks(state: MunichState) -> Iterator[str]:
    """Sides never share a hex; limits hold wherever a phase has ended."""
    known = Facts(state)
    kept = facts_of(state)
    if (kept.occupied, kept.zoc, kept.open) != (known.occupied, known.zoc, known.open):
        yield "derived facts are out of date"
    shared = known.occupied[AXIS] & known.occupied[ALLIES]
    if shared:
        yield f"both sides in {shared:x}"
    moving = any(isinstance(step, Movement) for step in state.stack) or state.battle is not None
    quiet = state.turn and state.phasing == NOBODY
    flights: set[tuple[int, int]] = set()
    for unit in ATLAS.air_units:
        if state.where[unit] >= 0:
            key = (state.side[ATLAS.units[unit].country], state.where[unit])
            if key in flights:
                yield f"two air units of a side over {ATLAS.hex_name[key[1]]}"
            flights.add(key)
    if quiet and not moving:
        for at, stack in known.stacks.items():
            if len(stack) > 1 and why_overstacked(stack, at):
                yield f"overstacked: {ATLAS.hex_name[at]}"


def _politics(state: MunichState) -> Iterator[str]:
    """No unit where its politics or its surrender forbid it."""
    for face in ATLAS.units:
        at = state.where[face.index]
        if state.fallen[face.country] and at not in (SURRENDERED, ELIMINATED, OUT):
            yield f"{face.id} fights on after its country's surrender"
        if at < 0 or not face.land or not ATLAS.land >> at & 1:
            continue
        there = ATLAS.country_of[at]
        if state.side[there] == NOBODY and there != face.country:
            yield f"{face.id} is in neutral {ATLAS.countries[there].name}"
        if state.side[face.country] == NOBODY and there != face.country:
            yield f"{face.id} of a neutral is abroad"
        if ATLAS.mountains >> at & 1 and face.static:
            yield f"{face.id} is static in the mountains"
    for number, country in enumerate(ATLAS.countries):
        if country.name in ("Switzerland", "Sweden", "Norway") and state.side[number] != NOBODY:
            yield f"{country.name} is at war"


def _control(state: MunichState) -> Iterator[str]:
    """No hex has two owners, and none in a neutral country has one."""
    owned = unpack(state.owned[AXIS]), unpack(state.owned[ALLIES])
    last = unpack(state.last[AXIS]), unpack(state.last[ALLIES])
    if owned[0] & owned[1] or last[0] & last[1]:
        yield "a hex has two owners"
    known = Facts(state)
    if (owned[0] | owned[1]) & ~known.open:
        yield "a hex outside the war has an owner"
    if known.controlled(AXIS) & known.controlled(ALLIES) or known.disputed() & known.controlled(AXIS):
        yield "control is not what 2.3 says"
    if unpack(state.terror) & ~ATLAS.cities:
        yield "terror outside a city"


def _counts(state: MunichState) -> Iterator[str]:
    """Trains, points and turns stay in their bounds."""
    for number, country in enumerate(ATLAS.countries):
        if state.rail_used[number] > country.rail_capacity:
            yield f"{country.name} ran {state.rail_used[number]} trains"
        if state.rp[number] < 0:
            yield f"{country.name} overdrew its points"
    if state.pool < 0:
        yield "the pool is overdrawn"
    if state.plan and state.turn > ATLAS.plans[state.plan].turns:
        yield "the match outlasts its scenario"
    if any(isinstance(step, Deploy) for step in state.stack) and state.turn:
        yield "setting up during play"
