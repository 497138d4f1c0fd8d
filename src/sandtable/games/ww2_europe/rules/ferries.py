"""Transports of the Movement phase as an offer: what is loaded where, and where it goes ashore."""

from __future__ import annotations

from sandtable.core import Field, Named, Offer, Refusal

from ..facts.lanes import Reach
from ..facts.names import space_choice, unit_choice, unit_of
from ..facts.roster import roster
from ..model.actions import Ferry
from ..model.atlas import ATLAS
from ..model.state import MOVED, SURPRISED, M
from .movers import Movers, idle_refusal
from .routes import Routes
from .sea import SHIP_RADIUS, cargo_refusal, full_refusal, landing_refusal, sea_ways, ship_routes

A = ATLAS


def ferry_offer(m: M, power: int, movers: Movers, fronts: tuple[int, ...]) -> Offer:
    """A transport carries a unit.  [w2e-transport-procedure]"""
    return Offer(Ferry, lambda: _Ferries(m, power, fronts).fields(movers), rule="w2e-transport-procedure")


class _Ferries:
    """What a power's transports can carry."""

    def __init__(self, m: M, power: int, fronts: tuple[int, ...]) -> None:
        self.m, self.s, self.power, self.fronts = m, m.state, power, fronts

    def fields(self, movers: Movers) -> tuple[Field, ...]:
        ships = unit_choice(self.s, movers.transports, lambda ship: full_refusal(self.m, ship), self.idle)
        return (
            Field("transport", "unit", ships),
            Field("cargo", "unit", self.cargoes),
            Field("load", "space", self.waters),
            Field("path", "path", self.paths),
            Field("to", "space", self.shores),
        )

    def idle(self, unit: int) -> Refusal | None:
        return idle_refusal(self.s, unit, self.fronts)

    def ways(self, ship: str) -> Reach:
        """Return how far the transport gets."""
        return sea_ways(self.m, self.power, self.s.space[unit_of(self.s, ship)], SHIP_RADIUS)

    def cargoes(self, ship: str) -> Named:
        s, group, shores = self.s, A.group[self.power], self.ways(ship).shores
        everyone, flags, space = roster(s), s.flags, s.space
        near = [
            u for p in A.group_powers[group] for u in (*everyone.ground[p], *everyone.air[p])
            if space[u] in shores and not flags[u] & (MOVED | SURPRISED)
        ]  # fmt: skip

        def rule(unit: int) -> Refusal | None:
            return cargo_refusal(self.m, unit, group) or self.idle(unit)

        return unit_choice(s, near, rule, rule)

    def waters(self, ship: str, load: str) -> Named:
        """Return the waters beside the cargo that the transport gets to."""
        reach = self.ways(ship)
        return space_choice([water for water in A.coast[self.s.space[unit_of(self.s, load)]] if water in reach])

    def paths(self, ship: str, load: str, water: str) -> Routes:
        """Return the ways on to a water beside a coast that can take the cargo."""
        start, unit = A.index[water], unit_of(self.s, load)
        base, left = self.s.space[unit_of(self.s, ship)], SHIP_RADIUS - self.ways(ship)[start]
        routes = ship_routes(self.m, self.power, base, False, start=start, budget=left)
        routes.empty_allowed = True
        fits: dict[int, bool] = {}

        def fit(space: int, land: int) -> bool:
            if land not in fits:
                fits[land] = landing_refusal(self.m, unit, space, land) is None
            return fits[land]

        def stop(space: int) -> Refusal | None:
            if any(fit(space, land) for land in A.coast[space]):
                return None
            return Refusal("w2e-transport-procedure", "no-landing", space=A.told[space])

        routes.stop = stop
        return routes

    def shores(self, ship: str, load: str, water: str, path: tuple[str, ...]) -> Named:
        end, unit = A.index[path[-1] if path else water], unit_of(self.s, load)
        return space_choice(A.coast[end], lambda land: landing_refusal(self.m, unit, end, land))
