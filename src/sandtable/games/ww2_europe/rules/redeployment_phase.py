"""The Redeployment phase: one side spends its points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Field, Named, Offer, Refusal
from sandtable.core.columns import put

from ..facts.names import space_choice, unit_choice, unit_name, unit_of
from ..facts.roster import roster
from ..facts.strongpoints import depots_on_board
from ..model.actions import Rail, Rebase, RemoveDepot, Ship, Steam
from ..model.atlas import ATLAS, AXIS, NOBODY
from ..model.events import Noted, Redeployed
from ..model.kinds import GROUND
from ..model.state import CARRIED, M, added
from ..model.units import mark, put_aboard
from .redeployment import (
    cargo_choices,
    cargo_refusal,
    has_idle,
    idle,
    points_left,
    port_targets,
    rail_reach,
    rail_refusal,
    rebase_targets,
    ship_goals,
)
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

    def choices(self, m: M, power: int) -> Sequence[Offer]:
        s = m.state
        offers = list(special_offers(m, power))
        depots = depots_on_board(s, power)
        if depots:
            offers.insert(0, self.depot_offer(depots))
        if points_left(s, power) <= 0:
            return offers
        everyone = roster(s)
        if has_idle(s, everyone.dry[power], ashore=True):
            offers.append(self.rail_offer(m, everyone.dry[power]))
        for them, offer in (
            (everyone.air[power], self.rebase_offer),
            (everyone.naval[power], self.steam_offer),
            (everyone.transports[power], self.ship_offer),
        ):
            if has_idle(s, them):
                offers.append(offer(m, them))
        return offers

    def depot_offer(self, depots: Sequence[int]) -> Offer:
        return Offer(RemoveDepot, Field("space", "space", space_choice(depots)), rule="w2e-depot-placement")

    def rail_offer(self, m: M, units: Sequence[int]) -> Offer:
        s = m.state

        def goals(name: str) -> Named:
            unit = unit_of(s, name)

            def no_way(space: int) -> Refusal:
                return Refusal("w2e-redeploy-ground", "no-way", space=A.told[space])

            def rule(space: int) -> Refusal | None:
                return no_way(space) if space == s.space[unit] else rail_refusal(m, unit, space)

            def why(space: int) -> Refusal | None:
                return rule(space) or no_way(space) if A.is_land[space] else None

            return space_choice(rail_reach(m, unit), rule, why)

        def fields() -> tuple[Field, ...]:
            return Field("unit", "unit", unit_choice(s, idle(s, units, ashore=True))), Field("to", "space", goals)

        return Offer(Rail, fields, rule="w2e-redeploy-ground")

    def rebase_offer(self, m: M, units: Sequence[int]) -> Offer:
        s = m.state

        def fields() -> tuple[Field, ...]:
            goals = Field("to", "choice", lambda name: rebase_targets(m, unit_of(s, name)))
            return Field("unit", "unit", unit_choice(s, idle(s, units))), goals

        return Offer(Rebase, fields, rule="w2e-redeploy-air")

    def steam_offer(self, m: M, units: Sequence[int]) -> Offer:
        s = m.state

        def ports(name: str) -> Named:
            def why(space: int) -> Refusal:
                return Refusal("w2e-redeploy-naval", "no-voyage", space=A.told[space], unit=name)

            return space_choice(port_targets(m, unit_of(s, name)), why=why)

        def fields() -> tuple[Field, ...]:
            return Field("unit", "unit", unit_choice(s, idle(s, units))), Field("to", "space", ports)

        return Offer(Steam, fields, rule="w2e-redeploy-naval")

    def ship_offer(self, m: M, ships: Sequence[int]) -> Offer:
        s = m.state

        def used(unit: int) -> Refusal | None:
            if s.flags[unit] & CARRIED:
                return Refusal("w2e-redeploy-transport-used", unit=unit_name(s, unit))
            return full_refusal(m, unit)

        def cargoes(name: str) -> Named:
            ship = unit_of(s, name)
            return unit_choice(s, cargo_choices(m, ship), lambda unit: cargo_refusal(m, ship, unit))

        def goals(ship: str, load: str) -> Named:
            return space_choice(ship_goals(m, unit_of(s, ship), unit_of(s, load)))

        def fields() -> tuple[Field, ...]:
            return (
                Field("transport", "unit", unit_choice(s, idle(s, ships), used)),
                Field("cargo", "unit", cargoes),
                Field("to", "space", goals),
            )

        return Offer(Ship, fields, rule="w2e-redeploy-ground")

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
