"""Blitzkrieg: which tanks, mech, airborne and tac bombers may strike once more, and where."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from sandtable.core import Field, Offer, OneOf, Refusal

from ..facts.access import air_net
from ..facts.blitz_targets import blitz_targets, target_bar
from ..facts.control import land_of_side
from ..facts.fronts import on_fronts
from ..facts.names import names_of, unit_of
from ..facts.roster import roster
from ..facts.winter import in_russian_winter
from ..model.actions import Drop, Fly
from ..model.atlas import ATLAS
from ..model.kinds import AIR, GROUND
from ..model.state import BLITZING, CUT_OFF, MOVED, RETREATED, M, W2State
from .air import drop_refusal, drop_targets, flight_budget, flight_routes, pinned
from .land import march_routes, step_refusal
from .movement import drop_fields
from .movers import idle_refusal
from .routes import Routes

A = ATLAS
K = ATLAS.kinds


def blitz_refusal(s: W2State, unit: int, fronts: tuple[int, ...]) -> Refusal | None:
    """Why a unit may not blitz.  [w2e-blitz-eligible] [w2e-winter-move]"""
    kind = s.kind[unit]
    if not K.blitz[kind]:
        return Refusal("w2e-blitz", "no-blitz-unit", unit=K.told[kind])
    if s.flags[unit] & (MOVED | RETREATED):
        return Refusal("w2e-blitz-eligible", unit=K.told[kind])
    if not on_fronts(s, unit, fronts):
        return Refusal("w2e-blitz", "other-front", unit=K.told[kind])
    if in_russian_winter(s, A.side[s.power[unit]], s.space[unit]):
        return Refusal("w2e-winter-move", "winter-blitz", unit=K.told[kind])
    return idle_refusal(s, unit, fronts)


def blitzers(s: W2State, power: int, fronts: tuple[int, ...]) -> Iterator[int]:
    """Return a power's units on the board that may blitz, one by one."""
    for unit in roster(s).strikers[power]:
        if s.space[unit] >= 0 and s.cargo_of[unit] < 0 and blitz_refusal(s, unit, fronts) is None:
            yield unit


_REASONS = {
    "w2e-terrain-woodland": "blitz-terrain", "w2e-terrain-mountain": "blitz-terrain", "w2e-winter-move": "winter-blitz",
}  # fmt: skip


def target_refusal(s: W2State, side: int, space: int) -> Refusal | None:
    """Why a space cannot be attacked in this phase."""
    rule = target_bar(s, side, space)
    name = {"unit" if rule == "w2e-winter-move" else "space": A.told[space]}
    return Refusal(rule, _REASONS.get(rule, ""), **name) if rule else None


def blitz_routes(m: M, unit: int) -> Routes:
    """Return the paths into enemy land.  [w2e-blitz-path]"""
    s = m.state
    side = A.side[s.power[unit]]
    routes = march_routes(m, unit)
    targets, onward, enemy = blitz_targets(s, side), routes.steps, land_of_side(s, 1 - side)

    def step(here: int, there: int, spent: int) -> Refusal | None:
        found = step_refusal(s, unit, here, there, spent)
        return target_refusal(s, side, there) if found is None and there in enemy else found

    def links(here: int, spent: int) -> list[tuple[int, int]]:
        return [step for step in onward(here, spent) if step[0] in targets or step[0] not in enemy]

    routes.steps, routes.why_not = links, step
    routes.limit_to(targets, lambda space: target_refusal(s, side, space))
    return routes


_BESIDE = tuple({space, *(there for there, _, _ in row)} for space, row in enumerate(A.land_links))

_NEAR = tuple(frozenset().union(*(_BESIDE[there] for there in near)) for near in _BESIDE)
"""Per space the land within two steps: the longest blitz."""


def may_strike(m: M, unit: int) -> bool:
    """Whether a ground unit has any target in reach."""
    s = m.state
    kind, side = s.kind[unit], A.side[s.power[unit]]
    if K.cls[kind] != GROUND:
        return False
    if K.drop[kind]:  # airborne units come from farther away
        return drop_refusal(m, unit) is None and not blitz_targets(s, side).isdisjoint(drop_targets(m, unit))
    return not _NEAR[s.space[unit]].isdisjoint(blitz_targets(s, side)) and blitz_routes(m, unit).lead_anywhere()


def strikers(m: M, units: Iterable[int]) -> Iterator[int]:
    """Return those with a target in reach, one by one; what one can reach all of its kind beside it can."""
    s = m.state
    known: dict[tuple[int, int, int], bool] = {}
    for unit in units:
        alike = (s.kind[unit], s.space[unit], s.flags[unit] & CUT_OFF)
        if alike not in known:
            known[alike] = may_strike(m, unit)
        if known[alike]:
            yield unit


def followers(m: M, units: Iterable[int], side: int) -> list[int]:
    """Return the tac bombers that can go to where tanks, mech and airborne have struck.  [w2e-unit-tac-blitz]"""
    s, targets = m.state, struck(m.state, side)
    if not targets:
        return []
    return [
        u for u in units
        if K.cls[s.kind[u]] == AIR and pinned(s, u) is None
        and not targets.isdisjoint(air_net(s, s.power[u]).reach(s.space[u], flight_budget(s, u)))
    ]  # fmt: skip


def struck(s: W2State, side: int) -> set[int]:
    """Return where a side's tanks and mech have blitzed to."""
    return {
        s.space[u] for power in A.side_powers[side] for u in roster(s).strikers[power]
        if s.flags[u] & BLITZING and K.cls[s.kind[u]] == GROUND
    }  # fmt: skip


def drop_offer(m: M, drops: Sequence[int], side: int) -> Offer:
    """Air drops in the Blitzkrieg phase.  [w2e-unit-airborne-blitz]"""
    unit, _, bomber = drop_fields(m, drops)
    s = m.state
    goals = blitz_targets(s, side)

    def targets(name: str) -> OneOf:
        return OneOf(
            [A.names[space] for space in drop_targets(m, unit_of(s, name)) if space in goals],
            lambda to: target_refusal(s, side, A.index[to]) if to in A.index and A.is_land[A.index[to]] else None,
        )

    return Offer(Drop, unit, Field("to", "space", targets), bomber, rule="w2e-unit-airborne-drop")


def fly_offer(m: M, planes: Sequence[int], targets: Collection[int]) -> Offer:
    """Tac bombers go with the tanks.  [w2e-unit-tac-blitz]"""
    s = m.state

    def paths(name: str) -> Routes:
        routes = flight_routes(m, unit_of(s, name), True)
        routes.limit_to(targets, lambda space: Refusal("w2e-blitz-purpose", space=A.told[space]))
        return routes

    names = OneOf(list(names_of(s, planes)))
    return Offer(Fly, Field("unit", "unit", names), Field("path", "path", paths), rule="w2e-unit-tac-blitz")
