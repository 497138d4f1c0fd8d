"""Every invariant of a state (for the fuzzer, loaded files and tests)."""

from __future__ import annotations

from collections.abc import Iterator

from ..facts.board import board
from ..facts.control import controlled, disputed
from ..facts.politics import barred_hexes
from ..model.atlas import ALLIES, ATLAS, AXIS, NOBODY, SIDES
from ..model.setup import counters_at_start
from ..model.state import (
    AVAILABLE,
    ELIMINATED,
    FLOWN,
    GROUNDED,
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
from .combat_phase import Combat
from .fog import keeper
from .mobilization_phase import Refresh
from .setup_phase import Deploy
from .stacking import overstacked

_DISPLAYS = (OUT, AVAILABLE, UTILIZED, REINFORCEMENT, ELIMINATED, SURRENDERED, OFF_MAP, UNPLACED)


def faults(state: MunichState) -> list[str]:
    """All that is wrong with a state; empty when it is sound."""
    return [
        *_units(state),
        *_support(state),
        *_forces(state),
        *_stacks(state),
        *_politics(state),
        *_control(state),
        *_counts(state),
    ]


def _is_settled(state: MunichState) -> bool:
    """A moment at which stacking has been enforced and control settled: between the player turns, at their start, and
    whenever attacks are declared.  [mw-9.1-a] [mw-2.3-a]"""
    if not state.turn or state.battle is not None or not state.stack:
        return False
    return state.phasing == NOBODY or isinstance(state.stack[-1], (Combat, Refresh))


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
        elif at not in _DISPLAYS and not TRACK - len(ATLAS.turn_names) <= at < TRACK:
            yield f"{face.id} is in no display: {at}"
        if at == UNPLACED and state.turn:
            yield f"{face.id} was never set up"
        if at == OFF_MAP and ATLAS.countries[face.country].name != ATLAS.rules["off_map_rail"]["country"]:
            yield f"{face.id} is on the off-map railroads"
        if at in (AVAILABLE, UTILIZED) and face.land:
            yield f"{face.id} is in a support display"


def _support(state: MunichState) -> Iterator[str]:
    """[mw-16.1-a] [mw-16.2-a] [mw-16.5-a] [mw-18.2-b] Aircraft and ships are on the map only on their missions."""
    flights: set[tuple[int, int]] = set()
    for unit in ATLAS.support_units:
        face, at, flags = ATLAS.units[unit], state.where[unit], state.flags[unit]
        if at == OFF_MAP:
            yield f"{face.id} is on the off-map railroads"
        if flags & GROUNDED and at != UTILIZED:
            yield f"{face.id} is grounded outside its display"
        if at < 0:
            continue
        side = state.side[face.country]
        if side == NOBODY or state.phasing == NOBODY:
            yield f"{face.id} is on the map between the player turns"
        if face.air:
            if not flags & FLOWN:
                yield f"{face.id} is over {ATLAS.hex_name[at]} without a mission"
            if not ATLAS.land >> at & 1 or state.side[ATLAS.country_of[at]] == NOBODY:
                yield f"{face.id} is over the sea or a neutral"
            if (side, at) in flights:
                yield f"two air units of a side over {ATLAS.hex_name[at]}"
            flights.add((side, at))
        elif not face.transport or side != state.phasing:
            yield f"{face.id} lies in {ATLAS.hex_name[at]} out of turn"


def _forces(state: MunichState) -> Iterator[str]:
    """[mw-3.4.2-b] [mw-3.4.3] [mw-3.4.1-opt] The number of counters a player was given at the start stays: never do
    more of them wait or lie outside the game than were left out then. Who was not deployed is not there."""
    if not state.turn:
        return
    armor = bool(state.options.get("additional-armored-forces"))
    short: dict[tuple[int, bool], int] = {}
    deployed = ATLAS.plans[state.plan].deployer
    for country in ATLAS.countries:
        if country.index not in deployed:
            if any(state.where[unit] != OUT for unit in country.units):
                yield f"{country.name} has units though nobody deployed it"
            continue
        used = [0, 0]
        for unit in country.units:
            face, at = ATLAS.units[unit], state.where[unit]
            if at == REINFORCEMENT or at < TRACK:
                if state.steps[unit] != face.steps:
                    yield f"{face.id} waits reduced"
            elif at != OUT:
                used[face.land] += 1
                if face.optional and not armor:
                    yield f"{face.id} is optional and in play"
        for land in (True, False):
            key = keeper(state, country.index), land
            short[key] = short.get(key, 0) + counters_at_start(country.index, armor, land) - used[land]
    for (side, land), number in short.items():
        if number > 0:
            yield f"{SIDES[side]}: {number} {'land' if land else 'other'} counters short"


def _stacks(state: MunichState) -> Iterator[str]:
    """Sides never share a hex; limits hold at the moments they are enforced."""
    known = board(state)
    shared = known.occupied[AXIS] & known.occupied[ALLIES]
    if shared:
        yield f"both sides in {shared:x}"
    if _is_settled(state):
        for side in (AXIS, ALLIES):
            for at in overstacked(state, side):
                yield f"overstacked: {ATLAS.hex_name[at]}"


def _politics(state: MunichState) -> Iterator[str]:
    """No unit where its politics or its surrender forbid it."""
    barred = [barred_hexes(state, country) for country in range(len(ATLAS.countries))]
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
        if barred[face.country] >> at & 1:
            yield f"{face.id} is in the land of a friend who keeps it out"
        if ATLAS.mountains >> at & 1 and face.static:
            yield f"{face.id} is static in the mountains"
    for number, country in enumerate(ATLAS.countries):
        if country.name in ("Switzerland", "Sweden", "Norway") and state.side[number] != NOBODY:
            yield f"{country.name} is at war"


def _control(state: MunichState) -> Iterator[str]:
    """[mw-2.3-a] [mw-2.3-b] [mw-2.3-c] Every hex of a country at war has one owner, no other hex has any, and who
    stands in a hex free of enemy zones owns it."""
    known = board(state)
    owned = unpack(state.owned[AXIS]), unpack(state.owned[ALLIES])
    last = unpack(state.last[AXIS]), unpack(state.last[ALLIES])
    if owned[0] & owned[1] or last[0] & last[1]:
        yield "a hex has two owners"
    if (owned[0] | owned[1]) != known.open:
        yield "the owned hexes are not those of the war"
    if _is_settled(state):
        for side in (AXIS, ALLIES):
            here = known.occupied[side] & ATLAS.land
            if here & ~known.zoc[1 - side] & ~owned[side] or here & ~last[side]:
                yield "who stands in a hex does not hold it"
    if controlled(state)[AXIS] & controlled(state)[ALLIES] or disputed(state) & controlled(state)[AXIS]:
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
