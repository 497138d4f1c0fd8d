"""Scenarios: what the set-up cards put where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.core.columns import put
from sandtable.core.data import OptionValue

from .atlas import ATLAS, NEUTRAL, NOBODY, SIDES
from .state import AT_WAR, BOX, IN_CONVOY, NEUTRAL_POWER, OUT, PACIFIC, Convoy, W2State, added
from .units import add_unit, mark_all

A = ATLAS
K = ATLAS.kinds
SCENARIOS = tuple(A.data["setups"])


def powers_in_play(scenario: str) -> tuple[str, ...]:
    """Return the powers that somebody plays in a scenario."""
    out = A.data["setups"][scenario]["at_war"].get("out_of_play", ())
    return tuple(name for name in A.powers if name not in out)


def empty_state(scenario: str, options: Mapping[str, OptionValue]) -> W2State:
    """Return a board with nothing on it, every power neutral and every land as its colour says."""
    size, powers, leaders = len(A.names), len(A.powers), len(A.leaders)
    start = A.data["tech"]["start"][scenario] if options.get("technology") else {}
    tech = tuple(tuple(start.get(name, {}).get(t, 0) for t in A.techs) for name in A.powers)
    target = A.data["tech"]["target"]
    none, nobody = (0,) * powers, (NOBODY,) * leaders
    plain = (0,) * size
    return W2State(
        scenario=scenario, options=options, turn=0,
        kind=(), power=(), space=(), home=(), came=(), cargo_of=(), damage=(), flags=(), convoy=(), task=(),
        owner=tuple(NEUTRAL if A.is_land[s] else NOBODY for s in range(size)), start_owner=(),
        damaged=plain, fortress=plain, depot=plain, lost_fortress=plain, lost_flag=plain, no_income=plain,
        status=(NEUTRAL_POWER,) * powers, money=none, rps=none, rps_used=none,
        depots=none, fortresses_built=none, given=none, received=none, income=none, rockets_fired=none,
        tech=tech, known=tuple(tuple(2 if value >= target else 0 for value in row) for row in tech),
        patron=(NOBODY,) * len(A.minors), attacked=(),
        initiative=tuple(SIDES.index(row["initiative"][scenario]) for row in A.data["fronts"].values()),
        wins=(0,) * (2 * len(A.fronts)), once=(0,) * 3,
        front_choice={}, tasks=(), convoys=(), leader_space=nobody, leader_ship=nobody, leader_begin=nobody,
        leader_dead=(0,) * leaders, leader_moved=(0,) * leaders, commands={},
    )  # fmt: skip


def begin(scenario: str, options: Mapping[str, OptionValue]) -> W2State:
    """Return the position of a scenario before its first turn.  [w2e-start-1939] [w2e-start-1941]"""
    state = empty_state(scenario, options)
    card = A.data["setups"][scenario]
    _powers(state, card)
    _land(state, card)
    _units(state, card)
    _convoys(state, card)
    _pacific(state, scenario)
    if options.get("leaders"):
        _leaders(state)
    _handicap(state, int(options.get("handicap", 0)))
    state.start_owner = state.owner
    return state


def _handicap(state: W2State, dollars: int) -> None:
    """A weaker side's powers in the war share some money: the Axis if the number is positive, else the Allies."""
    powers = [p for p in A.side_powers[dollars < 0] if state.status[p] == AT_WAR]
    for place, power in enumerate(powers):
        share = abs(dollars) // len(powers) + (place < abs(dollars) % len(powers))
        state.money = added(state.money, power, share)


def _powers(state: W2State, card: Mapping[str, Any]) -> None:
    war = card["at_war"]
    for name in (*war["axis"], *war["allies"]):
        state.status = put(state.status, A.power_index[name], AT_WAR)
    for name in war.get("out_of_play", ()):
        state.status = put(state.status, A.power_index[name], OUT)
        state.lost_flag = put(state.lost_flag, A.capital[A.power_index[name]], 1)
    state.money = tuple(card["money"][name] for name in A.powers)
    state.rps = tuple(card["rps"][name] for name in A.powers)
    for name, patron in card["minor_allies"].items():
        state.patron = put(state.patron, A.minor_index[name], A.power_index[patron])


def _land(state: W2State, card: Mapping[str, Any]) -> None:
    for name, owner in card["control"].items():
        state.owner = put(state.owner, A.index[name], A.power_index.get(owner, NEUTRAL))
        if owner == "vichy_france":
            state.vichy = True
    for space in A.land:
        owner, minor = state.owner[space], A.minor_of[space]
        if minor >= 0 and owner != NEUTRAL and state.patron[minor] == NOBODY:
            state.patron = put(state.patron, minor, NEUTRAL)  # a colony or a conquest is never a neutral to be attacked
    for name, row in A.data["minors"].items():
        capital = A.minor_capital[A.minor_index[name]]
        status = row["status"][state.scenario]
        if capital >= 0 and name not in card["minor_allies"] and status.startswith("controlled by"):
            taken = state.owner[capital]
            colour = A.data["setups"][SCENARIOS[0]]["control"][A.names[capital]]
            if colour == "neutral" or taken != A.power_index.get(colour, NEUTRAL):
                state.lost_flag = put(state.lost_flag, capital, 1)


def put_stack(state: W2State, power: int, place: str, stack: Mapping[str, Any]) -> None:
    """One entry of a set-up card."""
    space = A.index[place]
    carriers: list[int] = []
    for name, count in stack.items():
        if name == "fortress":
            state.fortress = put(state.fortress, space, 1)
            state.fortresses_built = added(state.fortresses_built, power, 1)
        elif name == "carrier_air_wing":
            wing = [K.index[plane] for plane, number in count.items() for _ in range(number)]
            for number, kind in enumerate(wing):
                ship = carriers[number * len(carriers) // len(wing)]
                plane = add_unit(state, kind, power, space)
                state.cargo_of = put(state.cargo_of, plane, ship)
        else:
            for _ in range(count):
                unit = add_unit(state, K.index[name], power, space)
                if name == "carrier":
                    carriers.append(unit)


def _units(state: W2State, card: Mapping[str, Any]) -> None:
    for name, places in card["units"].items():
        for place, stack in places.items():
            put_stack(state, A.power_index[name], place, stack)
    for row in card["minor_ally_units"].values():
        for place, stack in row["units"].items():
            put_stack(state, A.power_index[row["power"]], place, stack)
    if "vichy_units" in card:
        for place, stack in A.data["vichy_setup"]["units"].items():
            put_stack(state, NEUTRAL, place, stack)
        for place, stack in card["vichy_units"]["naval"].items():
            put_stack(state, NEUTRAL, place, stack)
    for name, places in card.get("damaged_units", {}).items():
        for place, stack in places.items():
            for kind, count in stack.items():
                hurt = [
                    u for u, space in enumerate(state.space)
                    if space == A.index[place] and state.kind[u] == K.index[kind]
                    and state.power[u] == A.power_index[name]
                ]  # fmt: skip
                for unit in hurt[:count]:
                    state.damage = put(state.damage, unit, 1)
    for name, boxes in card["build_boxes"].items():
        for box, stack in boxes.items():
            for kind, count in stack.items():
                for _ in range(count):
                    add_unit(state, K.index[kind], A.power_index[name], BOX - int(box))


def _convoys(state: W2State, card: Mapping[str, Any]) -> None:
    for row in card["convoys"]:
        power = A.power_index[row["power"]]
        number = state.next_convoy
        state.next_convoy += 1
        state.convoys = (*state.convoys, Convoy(number, power, tuple(A.index[s] for s in row["route"])))
        crew = [K.transport] * row["transports"]
        crew += [K.index[kind] for kind, count in row["escorts"].items() for _ in range(count)]
        for kind in crew:
            ship = add_unit(state, kind, power, IN_CONVOY)
            state.convoy = put(state.convoy, ship, number)
            state.home = put(state.home, ship, state.convoys[-1].route[0])


def _pacific(state: W2State, scenario: str) -> None:
    for row in A.data["pacific_transfer"]:
        power = A.power_index[row["power"]]
        for place, stack in row["marked_at_setup"][scenario].items():
            for kind, count in stack.items():
                there = [
                    u for u, space in enumerate(state.space)
                    if space == A.index[place] and state.kind[u] == K.index[kind] and state.power[u] == power
                    and state.cargo_of[u] < 0
                ]  # fmt: skip
                mark_all(state, there[:count], PACIFIC)


def _leaders(state: W2State) -> None:
    """Generals begin in their capital, admirals aboard the first ship of their navy.  [w2e-leaders-general]"""
    for number, (power, row) in enumerate(A.leaders):
        if state.status[power] == OUT:
            state.leader_dead = put(state.leader_dead, number, 1)
        elif row["kind"] == "general":
            state.leader_space = put(state.leader_space, number, A.capital[power])
        else:
            ships = [
                u for u, p in enumerate(state.power)
                if p == power and state.space[u] >= 0 and K.cls[state.kind[u]] == 2
            ]  # fmt: skip
            if ships:
                state.leader_ship = put(state.leader_ship, number, ships[0])
                state.leader_space = put(state.leader_space, number, -2)
            else:
                state.leader_dead = put(state.leader_dead, number, 1)
        state.leader_begin = put(state.leader_begin, number, state.leader_space[number])
