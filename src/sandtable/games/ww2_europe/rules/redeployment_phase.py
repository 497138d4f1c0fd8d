"""Redeployment: Redeployment Points move ground units by land, planes from base to base, ships from port to port."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Field, Late, Listed, Offer, OneOf, Refusal
from sandtable.core.columns import put

from ..facts.names import unit_name, unit_of
from ..facts.roster import roster
from ..facts.strongpoints import depots_on_board
from ..model.actions import Rail, Rebase, RemoveDepot, Ship, Steam
from ..model.atlas import ATLAS, AXIS, NOBODY
from ..model.events import Noted, Redeployed
from ..model.kinds import GROUND
from ..model.state import CARRIED, SPENT, M, added
from ..model.units import mark, put_aboard
from .movement import units_where
from .redeployment import (
    ashore,
    cargo_choices,
    cargo_fault,
    cargo_refusal,
    idle,
    points_left,
    port_targets,
    rail_reach,
    rail_refusal,
    rebase_targets,
    ship_goals,
)
from .routes import Picked, spaces_where
from .sea import full_refusal
from .side_step import SideStep
from .special import special_act, special_offers
from .units import place

A = ATLAS
K = ATLAS.kinds

RP = A.rules["redeployment_points"]


class Redeployment(SideStep, frozen=True, tag="redeployment"):
    """One side redeploys.  [w2e-redeploy-order]"""

    rule = "w2e-redeploy-order"

    def choices(self, m: M, power: int) -> Sequence[Listed]:
        state = m.state
        offers: list[Listed] = []
        depots = depots_on_board(state, power)
        if depots:
            offers.append((self.depot_offer, depots))
        offers += special_offers(m, power)
        if points_left(state, power) <= 0:
            return offers
        units, flags, spaces, aboard = roster(state), state.flags, state.space, state.cargo_of
        for u in units.dry[power]:
            if spaces[u] >= 0 and not flags[u] & SPENT and aboard[u] < 0:
                offers.append((self.rail_offer, m, units.dry[power]))
                break
        for them, offer in (
            (units.air[power], self.rebase_offer),
            (units.naval[power], self.steam_offer),
            (units.transports[power], self.ship_offer),
        ):
            for u in them:
                if spaces[u] >= 0 and not flags[u] & SPENT:
                    offers.append((offer, m, them))
                    break
        return offers

    def depot_offer(self, depots: Sequence[int]) -> Offer:
        spaces = OneOf([A.names[s] for s in depots])
        return Offer(RemoveDepot, Field("space", "space", spaces), rule="w2e-depot-placement")

    def rail_offer(self, m: M, units: Sequence[int]) -> Offer:
        state = m.state

        def spaces(name: str) -> Picked:
            unit = unit_of(state, name)

            def why(space: int) -> Refusal | None:
                if not A.is_land[space]:
                    return None
                found = rail_refusal(m, unit, space)
                return found or Refusal("w2e-redeploy-ground", "no-way", space=f"@{A.names[space]}")

            def rule(space: int) -> Refusal | str | None:
                return "no-way" if space == state.space[unit] else rail_refusal(m, unit, space)

            return spaces_where(rail_reach(m, unit), rule, why)

        return Late(
            Rail,
            lambda: (Field("unit", "unit", units_where(m, ashore(state, units))), Field("to", "space", spaces)),
            rule="w2e-redeploy-ground",
        )

    def rebase_offer(self, m: M, units: Sequence[int]) -> Offer:
        return Late(
            Rebase,
            lambda: (
                Field("unit", "unit", units_where(m, idle(m.state, units))),
                Field("to", "choice", lambda name: rebase_targets(m, unit_of(m.state, name))),
            ),
            rule="w2e-redeploy-air",
        )

    def steam_offer(self, m: M, units: Sequence[int]) -> Offer:
        return Late(
            Steam,
            lambda: (
                Field("unit", "unit", units_where(m, idle(m.state, units))),
                Field("to", "space", lambda name: spaces_where(port_targets(m, unit_of(m.state, name)))),
            ),
            rule="w2e-redeploy-naval",
        )

    def ship_offer(self, m: M, ships: Sequence[int]) -> Offer:
        state = m.state

        def used(unit: int) -> Refusal | None:
            if state.flags[unit] & CARRIED:
                return Refusal("w2e-redeploy-transport-used", unit=unit_name(state, unit))
            return full_refusal(m, unit)

        def cargoes(name: str) -> Picked:
            ship = unit_of(state, name)
            near = cargo_choices(m, ship)

            def why(unit: int) -> Refusal | None:
                return cargo_refusal(m, ship, unit) if unit in near else None

            return units_where(m, near, lambda unit: cargo_fault(m, ship, unit), why)

        def goals(ship: str, load: str) -> Picked:
            return spaces_where(ship_goals(m, unit_of(state, ship), unit_of(state, load)))

        return Late(
            Ship,
            lambda: (
                Field("transport", "unit", units_where(m, idle(state, ships), used)),
                Field("cargo", "unit", cargoes),
                Field("to", "space", goals),
            ),
            rule="w2e-redeploy-ground",
        )

    def stays(self, m: M, power: int) -> bool:
        return True

    def act(self, m: M, power: int, action: Any) -> None:
        state = m.state
        if isinstance(action, RemoveDepot):
            state.depot = put(state.depot, A.index[action.space], 0)
            m.emit(Noted(note="@note-depot-removed", power=f"@{A.powers[power]}", place=f"@{action.space}"))
            return
        if isinstance(action, Ship):
            self.by_sea(m, power, action)
            return
        if not isinstance(action, (Rail, Rebase, Steam)):
            special_act(m, power, action)
            return
        unit = unit_of(state, action.unit)
        state.rps_used = added(state.rps_used, power, 1)
        if isinstance(action, Rail):
            goal = A.index[action.to]
            if (
                K.cls[state.kind[unit]] == GROUND
                and A.side[power] == AXIS
                and (goal in A.brown or state.space[unit] in A.brown)
            ):
                state.rail_in_ussr += 1
            place(state, unit, goal)
        elif isinstance(action, Rebase) and "#" in action.to:
            ship = unit_of(state, action.to)
            place(state, unit, state.space[ship])
            put_aboard(state, unit, ship)
        else:
            if isinstance(action, Rebase):
                put_aboard(state, unit, NOBODY)
            place(state, unit, A.index[action.to])
        m.emit(Redeployed(unit=action.unit, power=f"@{A.powers[power]}", to=f"@{action.to}", points=1))

    def by_sea(self, m: M, power: int, action: Ship) -> None:
        """One point for the voyage, one for loading and unloading."""
        state = m.state
        ship, unit = unit_of(state, action.transport), unit_of(state, action.cargo)
        goal = A.index[action.to]
        used = added(state.rps_used, power, int(RP["transport_voyage"]))
        state.rps_used = added(used, state.power[unit], int(RP["cargo_load_and_unload"]))
        mark(state, ship, CARRIED)
        place(state, ship, A.port_of_land[goal])
        place(state, unit, goal)
        m.emit(Redeployed(unit=action.cargo, power=f"@{A.powers[power]}", to=f"@{action.to}", points=2))
