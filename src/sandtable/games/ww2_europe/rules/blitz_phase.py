"""Blitzkrieg: tanks, mech, airborne and tac bombers that have not moved strike once more."""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence
from typing import Any

from sandtable.core import Field, Late, Offer, OneOf, Refusal

from ..facts.control import control
from ..facts.lanes import spaces_in
from ..facts.lookup import active_powers, control_side, put, shown, stores, unit_name, unit_of
from ..facts.roster import roster
from ..model.actions import Drop, Fly, March
from ..model.atlas import ALLIES, ATLAS, IMPASSABLE, MOUNTAIN, WOODLAND
from ..model.events import Moved
from ..model.kinds import AIR, GROUND
from ..model.state import BLITZING, CUT_OFF, MOVED, RETREATED, SURPRISED, M
from .air import drop_refusal, drop_targets, flight_routes, pinned
from .land import march_routes, step_refusal
from .movement import drop_fields
from .movement_phase import carry_out, march
from .movers import able, idle_refusal, on_fronts
from .routes import Routes, to_indices
from .side_step import SideStep
from .weather import frozen_land, in_russian_winter, is_winter

A = ATLAS
K = ATLAS.kinds


def blitz_refusal(m: M, unit: int, fronts: tuple[int, ...]) -> Refusal | None:
    """Why a unit may not blitz.  [w2e-blitz-eligible] [w2e-winter-move]"""
    state = m.state
    kind = state.kind[unit]
    name = K.told[kind]
    if not K.blitz[kind]:
        return Refusal("w2e-blitz", "no-blitz-unit", unit=name)
    if state.flags[unit] & (MOVED | RETREATED):
        return Refusal("w2e-blitz-eligible", unit=name)
    if not on_fronts(m, unit, fronts):
        return Refusal("w2e-blitz", "other-front", unit=name)
    if A.side[state.power[unit]] != ALLIES and in_russian_winter(state, state.space[unit]):
        return Refusal("w2e-winter-move", "winter-blitz", unit=name)
    return idle_refusal(m, unit, fronts)


_BARRED = MOVED | RETREATED | SURPRISED


def strikers(m: M, power: int, fronts: tuple[int, ...]) -> list[int]:
    """The units that `blitz_refusal` has nothing against."""
    state = m.state
    spaces, flags, aboard, kinds = state.space, state.flags, state.cargo_of, state.kind
    frozen = A.side[power] != ALLIES and is_winter(state)
    return [
        u for u in able(m, roster(m).strikers[power], fronts, _BARRED)
        if aboard[u] < 0 and not (flags[u] & CUT_OFF and K.cls[kinds[u]] == GROUND)
        and not (frozen and in_russian_winter(state, spaces[u]))
    ]  # fmt: skip


_ROUGH = tuple(
    "w2e-terrain-woodland" if terrain & WOODLAND
    else "w2e-terrain-mountain" if terrain & (MOUNTAIN | IMPASSABLE)
    else "" for terrain in A.terrain
)  # fmt: skip
"""Per space the rule of its terrain that keeps blitzes out, '' where none does."""
_OPEN_LAND = sum(1 << space for space in A.land if not _ROUGH[space])
"""Land whose terrain lets blitzes in, as a set of bits."""
_FAR = 2
"""Steps of the longest blitz."""


def _within(steps: int) -> tuple[int, ...]:
    """Per space the land that so many steps lead to, as a set of bits."""
    if not steps:
        return tuple(1 << space for space in range(len(A.names)))
    nearer, found = _within(steps - 1), list[int]()
    for space in range(len(A.names)):
        found.append(nearer[space])
        for there, _, _ in A.land_links[space]:
            found[-1] |= nearer[there]
    return tuple(found)


_WITHIN = tuple(_within(steps) for steps in range(_FAR + 1))


def target_refusal(m: M, side: int, space: int) -> Refusal | None:
    """Why a space cannot be attacked in this phase.

    [w2e-blitz-purpose] [w2e-fortress-immune] [w2e-depot-supply] [w2e-terrain-woodland] [w2e-terrain-mountain]
    """
    state, name = m.state, A.told[space]
    if control_side(state, space) != 1 - side:
        return Refusal("w2e-blitz-purpose", space=name)
    if state.fortress[space]:
        return Refusal("w2e-fortress-immune", space=name)
    if state.depot[space]:
        return Refusal("w2e-depot-supply", space=name)
    if _ROUGH[space]:
        return Refusal(_ROUGH[space], "blitz-terrain", space=name)
    if side != ALLIES and in_russian_winter(state, space):
        return Refusal("w2e-winter-move", "winter-blitz", unit=name)
    return None


def blitz_routes(m: M, unit: int) -> Routes:
    """Paths into enemy land only.  [w2e-blitz-path]"""
    state = m.state
    side = A.side[state.power[unit]]
    routes = march_routes(m, unit)
    targets, onward, enemy = _targets(m, side)[0], routes.steps, control(m).land_of_side(1 - side)

    def step(here: int, there: int, spent: int) -> Refusal | None:
        found = step_refusal(m, unit, here, there, spent)
        if found is None and control_side(state, there) == 1 - side:
            found = target_refusal(m, side, there)
        return found

    def links(here: int, spent: int) -> list[tuple[int, int]]:
        return [step for step in onward(here, spent) if step[0] in targets or step[0] not in enemy]

    routes.steps, routes.why_not = links, step
    routes.limit_to(targets, lambda space: target_refusal(m, side, space))
    return routes


def may_strike(m: M, unit: int) -> bool:
    """Whether a ground unit has any target in reach: the same for all of a kind in a space."""
    state = m.state
    key = ("strike", state.power[unit], state.kind[unit], state.space[unit], state.flags[unit] & CUT_OFF)
    found: bool | None = m.cache.get(key)
    if found is None:
        found = m.cache[key] = _has_target(m, unit)
    return found


def _has_target(m: M, unit: int) -> bool:
    kind = m.state.kind[unit]
    if K.cls[kind] != GROUND:
        return False
    side = A.side[m.state.power[unit]]
    if K.drop[kind]:
        return drop_refusal(m, unit) is None and not _targets(m, side)[0].isdisjoint(drop_targets(m, unit))
    here, (goals, bits) = m.state.space[unit], _targets(m, side)
    if not _WITHIN[min(K.movement[kind], _FAR)][here] & bits:
        return False
    routes = blitz_routes(m, unit)
    beside = routes.links(here, 0)
    for there, _ in beside:  # mostly a single step settles it
        if there in goals:
            return True
    for there, cost in beside:
        if _WITHIN[1][there] & bits:
            for beyond, _ in routes.links(there, cost):
                if beyond in goals:
                    return True
    return False


def _targets(m: M, side: int) -> tuple[frozenset[int], int]:
    """The land that `target_refusal` has nothing against, and the same as a set of bits."""
    state, held = m.state, control(m)

    def make() -> tuple[frozenset[int], int]:
        enemy = held.held_by(active_powers(state, 1 - side)) & _OPEN_LAND & ~stores(m)
        if side != ALLIES:
            enemy &= ~frozen_land(state)
        return frozenset(spaces_in(enemy)), enemy

    depends_on = (held, state.fortress, state.depot, state.turn)
    return m.kept(("blitz-targets", side), depends_on, make)


@functools.cache
def _fronts_of(initiative: tuple[int, ...], side: int) -> tuple[int, ...]:
    """The fronts on which a side has initiative."""
    return tuple(front for front, holder in enumerate(initiative) if holder == side)


class Blitz(SideStep, frozen=True, tag="blitz"):
    """One side's blitz moves on the fronts where it has initiative.  [w2e-blitz]"""

    rule = "w2e-blitz"

    def fronts(self, m: M) -> tuple[int, ...]:
        return _fronts_of(m.state.initiative, self.side)

    def movers(self, m: M, power: int) -> list[int]:
        key = ("blitz", power)
        if key not in m.cache:
            m.cache[key] = strikers(m, power, self.fronts(m))
        found: list[int] = m.cache[key]
        return found

    def powers(self, m: M) -> list[int]:
        waiting = [p for p in super().powers(m) if A.powers[p] not in self.done]
        return [p for p in waiting if self._may_any_strike(m, p)]

    def _may_any_strike(self, m: M, power: int) -> bool:
        state, targets, near = m.state, _targets(m, self.side)[1], _WITHIN[_FAR]
        kinds, spaces = state.kind, state.space
        for unit in self.movers(m, power):
            # airborne units come from farther away
            if (near[spaces[unit]] & targets or K.drop[kinds[unit]]) and may_strike(m, unit):
                return True
        return False

    def choices(self, m: M, power: int) -> Sequence[Offer]:
        state, side = m.state, self.side
        movers = self.movers(m, power)
        fronts = self.fronts(m)

        def why(value: Any) -> Refusal | None:
            unit = unit_of(state, value) if isinstance(value, str) else -1
            return blitz_refusal(m, unit, fronts) if unit >= 0 else None

        def march_fields() -> tuple[Field, ...]:
            heavy = [u for u in movers if not K.drop[state.kind[u]] and may_strike(m, u)]
            names = OneOf([unit_name(state, u) for u in heavy], why)
            paths = Field("path", "path", lambda name: blitz_routes(m, unit_of(state, name)))
            return Field("unit", "unit", names), paths

        offers: list[Offer] = [Late(March, march_fields, rule="w2e-blitz-path")]
        drops = [u for u in movers if K.drop[state.kind[u]] and may_strike(m, u)]
        if drops:
            offers.append(_drop_offer(m, drops, side))
        planes = [u for u in movers if K.cls[state.kind[u]] == AIR]
        targets = _struck(m, side) if planes else ()
        free = [u for u in planes if pinned(m, u) is None] if targets else []
        if free:
            offers.append(_fly_offer(m, free, targets))
        return offers

    def act(self, m: M, power: int, action: Any) -> None:
        state = m.state
        unit = unit_of(state, action.unit)
        state.flags[unit] |= BLITZING
        if isinstance(action, March):
            march(m, unit, to_indices(action.path))
        elif isinstance(action, Drop):
            carry_out(m, power, action)
        else:
            state.flags[unit] |= MOVED
            put(m, unit, A.index[action.path[-1]])
            m.emit(Moved(unit=action.unit, power=f"@{A.powers[power]}", path=shown(action.path)))


def _struck(m: M, side: int) -> set[int]:
    """Where a side's tanks and mech have blitzed to."""
    state = m.state
    spaces, flags, kinds, strikers = state.space, state.flags, state.kind, roster(m).strikers
    return {
        spaces[u] for power in A.side_powers[side] for u in strikers[power]
        if flags[u] & BLITZING and K.cls[kinds[u]] == GROUND
    }  # fmt: skip


def _drop_offer(m: M, drops: Sequence[int], side: int) -> Offer:
    """Air drops in the Blitzkrieg phase.  [w2e-unit-airborne-blitz]"""
    unit, _, bomber = drop_fields(m, drops)
    goals = _targets(m, side)[0]

    def targets(name: str) -> OneOf:
        return OneOf(
            [A.names[s] for s in drop_targets(m, unit_of(m.state, name)) if s in goals],
            lambda s: target_refusal(m, side, A.index[s]) if s in A.index and A.is_land[A.index[s]] else None,
        )

    return Offer(Drop, unit, Field("to", "space", targets), bomber, rule="w2e-unit-airborne-drop")


def _fly_offer(m: M, planes: Sequence[int], targets: Collection[int]) -> Offer:
    """Tac bombers go with the tanks.  [w2e-unit-tac-blitz]"""
    state = m.state

    def paths(name: str) -> Routes:
        routes = flight_routes(m, unit_of(state, name), True)
        routes.limit_to(targets, lambda space: Refusal("w2e-blitz-purpose", space=f"@{A.names[space]}"))
        return routes

    names = [unit_name(state, u) for u in planes]
    return Offer(Fly, Field("unit", "unit", OneOf(names)), Field("path", "path", paths), rule="w2e-unit-tac-blitz")
