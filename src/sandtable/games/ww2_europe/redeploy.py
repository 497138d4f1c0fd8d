"""Redeployment: Redeployment Points move ground units by land, planes from base to base, ships from port to port."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sandtable.core import Field, Offer, OneOf, Refusal

from .actions import Rail, Rebase, RemoveDepot, Ship, Steam
from .air import over_refusal
from .atlas import ATLAS, AXIS, DESERT, NOBODY, PORT_KIND
from .events import Noted, Redeployed
from .homecoming import deck_room
from .kinds import AIR, BASE, GROUND
from .lookup import (
    air_limit,
    at,
    can_stand,
    control_group,
    ground_room,
    has_ground,
    is_friendly,
    put,
    touch,
    unit_name,
    unit_of,
)
from .roster import places, roster
from .routes import Lazy
from .seacontrol import RANGE, voyages
from .special import special_act, special_offers
from .state import CARRIED, DASH, SPENT, M, W2State
from .steps import SideStep
from .weather import is_winter

A = ATLAS
K = ATLAS.kinds
RP = A.rules["redeployment_points"]


def points_left(state: W2State, power: int) -> int:
    return state.rps[power] - state.rps_used[power]


def ussr_limit(state: W2State) -> int:
    """Ground units the Axis may still move inside the USSR.  [w2e-ussr-redeploy] [w2e-winter-redeploy]"""
    rule = (
        A.rules["russian_winter"]["axis_redeploy_limit"]
        if is_winter(state)
        else (A.rules["limited_redeployment"]["axis_ground_units_inside_ussr_per_turn"])
    )
    return int(rule) - state.rail_in_ussr


def rail_refusal(m: M, unit: int, space: int) -> Refusal | None:
    """Why a ground unit or airbase may not end its redeployment there."""
    state = m.state
    power, kind, side = state.power[unit], state.kind[unit], A.side[state.power[unit]]
    name = f"@{A.names[space]}"
    if not is_friendly(state, space, power) or control_group(state, space) != A.group[power]:
        return Refusal("w2e-redeploy-ground", "not-friendly", space=name)
    if K.cls[kind] == GROUND:
        if not can_stand(kind, space):
            return Refusal("w2e-terrain-impassable", space=name)
        if ground_room(m, space, side) < K.stack[kind]:
            return Refusal("w2e-stack-ground", space=name)
    elif any(K.cls[state.kind[u]] == BASE for u in at(m)[space]):
        return Refusal("w2e-unit-airbase-rules", "one-airbase", space=name)
    inside = side == AXIS and K.cls[kind] == GROUND and (space in A.brown or state.space[unit] in A.brown)
    if inside and ussr_limit(state) <= 0:
        return Refusal("w2e-winter-redeploy" if is_winter(state) else "w2e-ussr-redeploy", space=name)
    return None


def rail_reach(m: M, unit: int) -> list[int]:
    """Friendly land that a unit can get to overland.  [w2e-rp-ground] [w2e-terrain-impassable]"""
    state = m.state
    power, kind, start = state.power[unit], state.kind[unit], state.space[unit]
    heavy, side = K.base[kind] in (K.tank, K.mech), A.side[state.power[unit]]
    key = ("rail", start, heavy, A.group[power])
    found: list[int] | None = m.cache.get(key)
    if found is None:
        group = A.group[power]
        seen, queue = {start}, [start]
        for here in queue:
            for there, _, _ in A.land_links[here]:
                if there in seen or control_group(state, there) != group or has_ground(m, there, 1 - side):
                    continue
                if heavy and A.terrain[there] & DESERT:
                    continue
                seen.add(there)
                queue.append(there)
        found = m.cache[key] = queue[1:]
    return found


def rebase_targets(m: M, unit: int) -> list[str]:
    """Bases and carriers within one hop over friendly land and open sea.  [w2e-redeploy-air] [w2e-rp-air]"""
    state = m.state
    power, kind, here = state.power[unit], state.kind[unit], state.space[unit]
    group, budget = A.group[power], K.movement[kind]
    best, queue = {here: 0}, [here]
    for space in queue:
        for there, cost in A.air_links[space]:
            total = best[space] + cost
            if total > budget or total >= best.get(there, 1 << 30) or over_refusal(state, power, there) is not None:
                continue
            if A.is_land[there] and control_group(state, there) != group:
                continue
            best[there] = total
            queue.append(there)
    found = [A.names[s] for s in best if A.is_land[s] and s != here and air_limit(m, s, power) > 0]
    if K.base[kind] in (K.fighter, K.tac_bomber):
        for space in best:
            if A.space_kind[space] == PORT_KIND:
                found += [
                    unit_name(state, ship) for ship in at(m)[space]
                    if state.kind[ship] == K.carrier and state.power[ship] == power and deck_room(state, ship) > 0
                    and state.cargo_of[unit] != ship
                ]  # fmt: skip
    return found


def port_targets(m: M, unit: int) -> list[int]:
    """Ports within one voyage.  [w2e-redeploy-naval] [w2e-rp-naval]"""
    state = m.state
    ways = voyages(m, state.kind[unit], state.power[unit], state.space[unit], dash=bool(state.flags[unit] & DASH))
    return [s for s in ways if A.space_kind[s] == PORT_KIND and s != state.space[unit]]


def cargo_choices(m: M, ship: int) -> list[int]:
    """Units that a transport can pick up in Redeployment."""
    state = m.state
    power = state.power[ship]
    ways = voyages(m, state.kind[ship], power, state.space[ship])
    shores = dict.fromkeys(land for water in ways for land in A.coast[water])
    return [
        u for land in shores for u in at(m)[land]
        if state.cargo_of[u] < 0 and state.power[u] < 6 and A.group[state.power[u]] == A.group[power]
        and state.status[state.power[u]] == 1
        and (K.cls[state.kind[u]] in (GROUND, BASE) or K.base[state.kind[u]] == K.fighter)
        and points_left(state, state.power[u]) >= (2 if state.power[u] == power else 1)
    ]  # fmt: skip


def ship_goals(m: M, ship: int, unit: int) -> list[int]:
    """Land with a port to which the transport can bring the cargo within one voyage.  [w2e-redeploy-ground]"""
    state = m.state
    power, kind = state.power[ship], state.kind[ship]
    found: dict[int, None] = {}
    ways = voyages(m, kind, power, state.space[ship])
    for water in A.coast[state.space[unit]]:
        if water in ways:
            spent = ways[water][0]
            for port, (more, _) in voyages(m, kind, power, water, budget=RANGE - spent).items():
                land = A.land_of_port[port]
                if land >= 0 and spent + more <= RANGE:
                    found[land] = None
    side = A.side[power]
    return [
        land for land in found
        if is_friendly(state, land, power) and land != state.space[unit] and is_friendly(state, land, state.power[unit])
        and (K.cls[state.kind[unit]] != GROUND
             or (can_stand(state.kind[unit], land) and ground_room(m, land, side) >= K.stack[state.kind[unit]]))
        and (K.cls[state.kind[unit]] != BASE or rail_refusal(m, unit, land) is None)
        and (K.cls[state.kind[unit]] != AIR or air_limit(m, land, state.power[unit]) > 0)
    ]  # fmt: skip


class Redeployment(SideStep, frozen=True, tag="redeployment"):
    """One side redeploys.  [w2e-redeploy-order]"""

    rule = "w2e-redeploy-order"

    def choices(self, m: M, power: int) -> Sequence[Offer]:
        state = m.state
        offers: list[Offer] = []
        depots = [A.names[s] for s in places(state.depot, 1) if state.owner[s] == power]
        if depots:
            offers.append(Offer(RemoveDepot, Field("space", "space", OneOf(depots)), rule="w2e-depot-placement"))
        offers += special_offers(m, power)
        if points_left(state, power) <= 0:
            return offers
        units, flags, spaces = roster(m), state.flags, state.space
        dry, air, naval = units.dry[power], units.air[power], units.naval[power]
        transports = [u for u in naval if state.kind[u] == K.transport and spaces[u] >= 0 and not flags[u] & SPENT]

        def idle(them: Sequence[int]) -> Iterator[int]:
            return (u for u in them if spaces[u] >= 0 and not flags[u] & SPENT)

        if any(state.cargo_of[u] < 0 for u in idle(dry)):
            offers.append(self.rail_offer(m, lambda: [u for u in idle(dry) if state.cargo_of[u] < 0]))
        if next(idle(air), None) is not None:
            offers.append(
                Offer(
                    Rebase, Field("unit", "unit", Lazy(lambda: OneOf([unit_name(state, u) for u in idle(air)]))),
                    Field("to", "choice", lambda name: OneOf(rebase_targets(m, unit_of(state, name)))),
                    rule="w2e-redeploy-air",
                )
            )  # fmt: skip
        if next(idle(naval), None) is not None:
            offers.append(
                Offer(
                    Steam, Field("unit", "unit", Lazy(lambda: OneOf([unit_name(state, u) for u in idle(naval)]))),
                    Field("to", "space",
                          lambda name: OneOf([A.names[s] for s in port_targets(m, unit_of(state, name))])),
                    rule="w2e-redeploy-naval",
                )
            )  # fmt: skip
        if transports:
            offers.append(self.ship_offer(m, transports))
        return offers

    def rail_offer(self, m: M, units: Callable[[], Sequence[int]]) -> Offer:
        state = m.state

        def spaces(name: str) -> OneOf:
            unit = unit_of(state, name)

            def why(value: Any) -> Refusal | None:
                space = A.index.get(value, NOBODY) if isinstance(value, str) else NOBODY
                if space < 0 or not A.is_land[space]:
                    return None
                found = rail_refusal(m, unit, space)
                return found or Refusal("w2e-redeploy-ground", "no-way", space=f"@{A.names[space]}")

            return OneOf([A.names[s] for s in rail_reach(m, unit) if rail_refusal(m, unit, s) is None], why)

        return Offer(
            Rail, Field("unit", "unit", Lazy(lambda: OneOf([unit_name(state, u) for u in units()]))),
            Field("to", "space", spaces),
            rule="w2e-redeploy-ground",
        )  # fmt: skip

    def ship_offer(self, m: M, ships: Sequence[int]) -> Offer:
        state = m.state

        def why(value: Any) -> Refusal | None:
            unit = unit_of(state, value) if isinstance(value, str) else NOBODY
            if unit >= 0 and state.flags[unit] & CARRIED:
                return Refusal("w2e-redeploy-transport-used", unit=value)
            return None

        return Offer(
            Ship,
            Field("transport", "unit",
                  Lazy(lambda: OneOf([unit_name(state, u) for u in ships if not state.flags[u] & CARRIED], why))),
            Field("cargo", "unit",
                  lambda ship: OneOf([unit_name(state, u) for u in cargo_choices(m, unit_of(state, ship))])),
            Field("to", "space",
                  lambda ship, load: OneOf(
                      [A.names[s] for s in ship_goals(m, unit_of(state, ship), unit_of(state, load))])),
            rule="w2e-redeploy-ground",
        )  # fmt: skip

    def act(self, m: M, power: int, action: Any) -> None:
        state = m.state
        if isinstance(action, RemoveDepot):
            state.depot[A.index[action.space]] = 0
            touch(m)
            m.emit(Noted(note="@note-depot-removed", power=f"@{A.powers[power]}", place=f"@{action.space}"))
            return
        if isinstance(action, Ship):
            self.by_sea(m, power, action)
            return
        if not isinstance(action, (Rail, Rebase, Steam)):
            special_act(m, power, action)
            return
        unit = unit_of(state, action.unit)
        state.rps_used[power] += 1
        if isinstance(action, Rail):
            goal = A.index[action.to]
            if (
                K.cls[state.kind[unit]] == GROUND
                and A.side[power] == AXIS
                and (goal in A.brown or state.space[unit] in A.brown)
            ):
                state.rail_in_ussr += 1
            put(m, unit, goal)
        elif isinstance(action, Rebase) and "#" in action.to:
            ship = unit_of(state, action.to)
            put(m, unit, state.space[ship])
            state.cargo_of[unit] = ship
        else:
            if isinstance(action, Rebase):
                state.cargo_of[unit] = NOBODY
            put(m, unit, A.index[action.to])
        m.emit(Redeployed(unit=action.unit, power=f"@{A.powers[power]}", to=f"@{action.to}", points=1))

    def by_sea(self, m: M, power: int, action: Ship) -> None:
        """One point for the voyage, one for loading and unloading."""
        state = m.state
        ship, unit = unit_of(state, action.transport), unit_of(state, action.cargo)
        goal = A.index[action.to]
        state.rps_used[power] += int(RP["transport_voyage"])
        state.rps_used[state.power[unit]] += int(RP["cargo_load_and_unload"])
        state.flags[ship] |= CARRIED
        put(m, ship, A.port_of_land[goal])
        put(m, unit, goal)
        m.emit(Redeployed(unit=action.cargo, power=f"@{A.powers[power]}", to=f"@{action.to}", points=2))
