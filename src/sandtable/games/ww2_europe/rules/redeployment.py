"""Redeployment: how far points carry ground units by land, planes from base to base, ships to ports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from sandtable.core import Named, NothingToChoose, Refusal

from ..facts.access import hops
from ..facts.control import control_group, friendly_bases, is_friendly
from ..facts.names import space_choice, unit_name
from ..facts.roster import roster
from ..facts.sea_control import RANGE, voyages
from ..facts.strongpoints import airbases, airfields
from ..facts.supply_net import free_land, parts_and_lands
from ..facts.winter import is_winter
from ..model.atlas import ATLAS, AXIS, DESERT, NOBODY
from ..model.kinds import AIR, BASE, GROUND
from ..model.state import AT_WAR, DASH, SPENT, M, W2State
from .homecoming import deck_room
from .stacking import crowded, ground_room
from .terrain import HEAVY, can_stand, terrain_refusal

A = ATLAS
K = ATLAS.kinds
_DESERTS = sum(1 << space for space in A.land if A.terrain[space] & DESERT)
"""All deserts, as a set of bits."""


def points_left(state: W2State, power: int) -> int:
    return state.rps[power] - state.rps_used[power]


def ussr_limit(state: W2State) -> int:
    """Return ground units the Axis may still move inside the USSR.  [w2e-ussr-redeploy] [w2e-winter-redeploy]"""
    if is_winter(state):
        most = A.rules["russian_winter"]["axis_redeploy_limit"]
    else:
        most = A.rules["limited_redeployment"]["axis_ground_units_inside_ussr_per_turn"]
    return int(most) - state.rail_in_ussr


def rail_refusal(m: M, unit: int, space: int) -> Refusal | None:
    """Why a ground unit or airbase may not end its redeployment there."""
    state = m.state
    power, kind, side = state.power[unit], state.kind[unit], A.side[state.power[unit]]
    name = A.told[space]
    if not is_friendly(state, space, power) or control_group(state, space) != A.group[power]:
        return Refusal("w2e-redeploy-ground", "not-friendly", space=name)
    if K.cls[kind] == GROUND:
        found = terrain_refusal(kind, space) or crowded(state, space, side, K.stack[kind])
        if found is not None:
            return found
    elif airbases(state) >> space & 1:
        return Refusal("w2e-unit-airbase-rules", "one-airbase", space=name)
    inside = side == AXIS and K.cls[kind] == GROUND and (space in A.brown or state.space[unit] in A.brown)
    if inside and ussr_limit(state) <= 0:
        return Refusal("w2e-winter-redeploy" if is_winter(state) else "w2e-ussr-redeploy", space=name)
    return None


def rail_reach(m: M, unit: int) -> list[int]:
    """Return friendly land that a unit can get to overland.  [w2e-rp-ground] [w2e-terrain-impassable]"""
    state = m.state
    kind, start = state.kind[unit], state.space[unit]
    part, lands = _rail_parts(m, A.group[state.power[unit]], HEAVY[kind])
    if part[start] >= 0:
        return lands[part[start]]
    joined = sorted({part[there] for there, _, _ in A.land_links[start]} - {NOBODY})
    return [space for number in joined for space in lands[number]]


def _rail_parts(m: M, group: int, heavy: bool) -> tuple[tuple[int, ...], list[list[int]]]:
    """The parts of the land a group can redeploy in, and the land of each; tanks and mech find no way in the desert."""
    friendly = free_land(m.state, group)
    return parts_and_lands(friendly & ~_DESERTS if heavy else friendly)


def rebase_targets(m: M, unit: int) -> Bases:
    """Return bases and carriers within one hop over friendly land and open sea.  [w2e-redeploy-air] [w2e-rp-air]"""
    state = m.state
    power, kind, here = state.power[unit], state.kind[unit], state.space[unit]
    best = hops(state, power).reach(here, K.movement[kind])
    lands = best.lands
    decks: list[str] = []
    if K.base[kind] in (K.fighter, K.tac_bomber):
        decks = [
            unit_name(state, ship) for ship in roster(state).carriers[power]
            if state.space[ship] in best and A.is_port[state.space[ship]] and deck_room(m, ship) > 0
            and state.cargo_of[unit] != ship
        ]  # fmt: skip
    fields = airfields(state)

    def no_base(space: int) -> Refusal | None:
        """Why a plane cannot be based in a land space."""
        return None if fields >> space & 1 else Refusal("w2e-stack-air", "no-base", space=f"@{A.names[space]}")

    def why(space: int) -> Refusal | None:
        if not A.is_land[space]:
            return None
        away = Refusal("w2e-redeploy-air", "no-flight", space=A.told[space], unit=unit_name(state, unit))
        return no_base(space) or away

    return Bases(space_choice(lands, no_base, why), decks)


class Bases:
    """Land bases, and carriers by name."""

    __slots__ = ("decks", "lands")

    def __init__(self, lands: Named, decks: Sequence[str]) -> None:
        self.lands, self.decks = lands, decks

    def __iter__(self) -> Iterator[str]:
        yield from self.lands
        yield from self.decks

    def __len__(self) -> int:
        return len(self.lands) + len(self.decks)

    def __contains__(self, value: object) -> bool:
        return value in self.decks or value in self.lands

    def sample(self, rng: Random) -> str:
        total = len(self.lands.things) + len(self.decks)
        if self.decks and rng.random() * total < len(self.decks):
            return self.decks[int(rng.random() * len(self.decks))]
        try:
            return self.lands.sample(rng)
        except NothingToChoose:
            if not self.decks:
                raise
            return self.decks[int(rng.random() * len(self.decks))]

    def why(self, value: Any) -> Refusal | None:
        return self.lands.why(value)

    def describe(self) -> dict[str, Any]:
        return {"type": "one", "values": list(self)}


def port_targets(m: M, unit: int) -> Sequence[int]:
    """Return ports within one voyage.  [w2e-redeploy-naval] [w2e-rp-naval]"""
    state = m.state
    ways = voyages(state, state.kind[unit], state.power[unit], state.space[unit], dash=bool(state.flags[unit] & DASH))
    return ways.ports


def cargo_refusal(m: M, ship: int, unit: int) -> Refusal | None:
    """Why a transport cannot pick up a unit in Redeployment: what it is, its owner's points, or the way."""
    state = m.state
    power, owner, kind = state.power[ship], state.power[unit], state.kind[unit]
    if not (K.cls[kind] in (GROUND, BASE) or K.base[kind] == K.fighter) or state.cargo_of[unit] >= 0:
        return Refusal("w2e-unit-transport-cargo", unit=K.told[kind])
    if points_left(state, owner) < (2 if owner == power else 1):
        return Refusal("w2e-redeploy-ground", "no-points", power=f"@{A.powers[owner]}")
    if state.space[unit] not in voyages(state, state.kind[ship], power, state.space[ship]).shores:
        return Refusal("w2e-redeploy-ground", "no-way", space=A.told[state.space[unit]])
    return None


def cargo_choices(m: M, ship: int) -> list[int]:
    """Return units on land that a transport might pick up in Redeployment."""
    state, units, spaces = m.state, roster(m.state), m.state.space
    power = state.power[ship]
    shores = voyages(state, state.kind[ship], power, spaces[ship]).shores
    return [
        u for p in A.group_powers[A.group[power]] if state.status[p] == AT_WAR
        for u in (*units.dry[p], *units.air[p]) if spaces[u] in shores
    ]  # fmt: skip


def ship_goals(m: M, ship: int, unit: int) -> list[int]:
    """Return land with a port to which the transport can bring the cargo within one voyage.  [w2e-redeploy-ground]"""
    state = m.state
    power, kind = state.power[ship], state.kind[ship]
    found: dict[int, None] = {}
    ways, land_of = voyages(state, kind, power, state.space[ship]), A.land_of_port
    for water in A.coast[state.space[unit]]:
        if water in ways:
            left = RANGE - ways[water]
            for port, more in voyages(state, kind, power, water, within=left).items():
                if more <= left and land_of[port] >= 0:
                    found[land_of[port]] = None
    what, owner, here = state.kind[unit], state.power[unit], state.space[unit]
    usable = friendly_bases(state, power) & friendly_bases(state, owner)
    lands = [land for land in found if usable >> land & 1 and land != here]
    cls = K.cls[what]
    if cls == GROUND:
        side, stack = A.side[power], K.stack[what]
        return [land for land in lands if can_stand(what, land) and ground_room(state, land, side) >= stack]
    if cls == BASE:
        return [land for land in lands if rail_refusal(m, unit, land) is None]
    if cls == AIR:
        fields = airfields(state)
        return [land for land in lands if fields >> land & 1]
    return lands


def idle(s: W2State, units: Sequence[int], *, ashore: bool = False) -> list[int]:
    """Return those of some units on the board that can still be redeployed; `ashore` leaves out what is cargo."""
    spaces, flags, aboard = s.space, s.flags, s.cargo_of
    return [u for u in units if spaces[u] >= 0 and not flags[u] & SPENT and not (ashore and aboard[u] >= 0)]


def has_idle(s: W2State, units: Sequence[int], *, ashore: bool = False) -> bool:
    """Whether any of some units can still be redeployed: mostly the first one can."""
    return any(idle(s, (unit,), ashore=ashore) for unit in units)
