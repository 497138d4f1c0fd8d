"""What ships can be asked to do in Movement and Combat Phases (18.2, 18.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Field, NamedBits, Offer, OneOf, Refusal, Subsets
from sandtable.core.bits import bits

from ..facts.politics import side_of
from ..model.actions import Assault, Ship, SupplyPort
from ..model.atlas import ATLAS, COUNTRY, HEXES, NOBODY, hex_name, names_of
from ..model.state import AVAILABLE, M
from .amphibious import (
    ALL_MARINES,
    assault_targets,
    landing_waters,
    marines_ashore,
    supply_ports,
    why_not_assault,
    why_not_supply_port,
)
from .naval import (
    HOLD,
    boarding,
    departures,
    landings,
    ready_markers,
    waiting,
    why_not_aboard,
    why_not_depart,
    why_not_land,
    why_too_many,
)


class _Passengers(Subsets):
    """Units that may board together; a refusal says what is wrong with the first that may not."""

    __slots__ = ("country", "m", "port")

    def __init__(self, m: M, marker: int, port: int) -> None:
        super().__init__(boarding(m, marker, port), 1, HOLD, rule=why_too_many)
        self.m, self.country, self.port = m, ATLAS.units[marker].country, port

    def why(self, value: Any) -> Refusal | None:
        if isinstance(value, tuple):
            for name in value:
                unit = ATLAS.unit_number.get(name, NOBODY) if isinstance(name, str) else NOBODY
                if unit != NOBODY and name not in self.items:
                    away = Refusal("mw-18.2.1-c", "not-in-port", unit=name, hex=hex_name(self.port))
                    return why_not_aboard(self.m, unit, self.country) or away
            if len(value) > HOLD:
                return Refusal("mw-18.2.1-a", "ship-full")
        return super().why(value)


def _why_not_marker(m: M, marker: str) -> Refusal | None:
    number = ATLAS.unit_number.get(marker)
    if number is None or not ATLAS.units[number].transport:
        return None
    if side_of(m.state, number) != m.state.phasing:  # before its display is looked at, which is hidden
        return Refusal("mw-18.2-b", "not-your-unit", unit=marker)
    if m.state.where[number] != AVAILABLE:
        return Refusal("mw-18.2-b", "not-available", unit=marker)
    country = ATLAS.countries[ATLAS.units[number].country].name
    return Refusal("mw-18.2.1-a", "nobody-afloat", country=f"@{country}")


def offer_ship(m: M, fleet: Sequence[int]) -> Offer:
    return Offer(Ship, lambda: _ship_fields(m, fleet), rule="mw-18.2.1-c")


def _ship_fields(m: M, fleet: Sequence[int]) -> tuple[Field, ...]:
    number, hexes = ATLAS.unit_number, ATLAS.hex_number
    markers = [ATLAS.units[marker].id for marker in fleet]
    return (
        Field("marker", "unit", OneOf(markers, why=lambda marker: _why_not_marker(m, marker))),
        Field("port", "space", lambda marker: NamedBits(
            departures(m, number[marker]), HEXES, why=lambda at: why_not_depart(m, number[marker], at))),
        Field("units", "units", lambda marker, port: _Passengers(m, number[marker], hexes[port])),
        Field("to", "space", lambda marker, port, units: NamedBits(
            landings(m, number[marker], hexes[port], units), HEXES,
            why=lambda at: why_not_land(m, number[marker], hexes[port], units, at))),
    )  # fmt: skip


def offers_by_sea(m: M, side: int) -> list[Offer]:
    """Transport and assault, for the markers that have anybody to take aboard."""
    ready = ready_markers(m, side)
    sailing = {
        country for country in {COUNTRY[marker] for marker in ready} if next(waiting(m, country), None) is not None
    }
    fleet = [marker for marker in ready if COUNTRY[marker] in sailing]
    if not fleet:
        return []
    found = [offer_ship(m, fleet)]
    where = m.state.where
    if any(where[unit] >= 0 for unit in ALL_MARINES):
        assault = offer_assault(m, fleet)
        if assault is not None:
            found.append(assault)
    return found


def offer_assault(m: M, fleet: Sequence[int]) -> Offer | None:
    number, hexes = ATLAS.unit_number, ATLAS.hex_number
    starts: dict[str, dict[int, list[str]]] = {}
    beaches: dict[int, dict[int, list[str]]] = {}
    for marker in fleet:
        country = ATLAS.units[marker].country
        if country not in beaches:
            ashore = marines_ashore(m, country)
            beaches[country] = {at: units for at, units in ashore.items() if assault_targets(m, marker, at)}
        if beaches[country]:
            starts[ATLAS.units[marker].id] = beaches[country]
    if not starts:
        return None
    return Offer(
        Assault,
        Field("marker", "unit", OneOf(list(starts))),
        Field("port", "space", lambda marker: OneOf([hex_name(at) for at in starts[marker]])),
        Field("units", "units", lambda marker, port: Subsets(starts[marker][hexes[port]], 1)),
        Field("target", "space", lambda marker, port, units: NamedBits(
            assault_targets(m, number[marker], hexes[port]), HEXES,
            why=lambda at: why_not_assault(m, number[marker], at))),
        Field("sea", "space", lambda marker, port, units, target: OneOf(
            names_of(bits(landing_waters(m, number[marker], hexes[target]))))),
        rule="mw-18.2.2-b",
    )  # fmt: skip


def offer_supply_port(m: M, side: int) -> Offer | None:
    if m.state.attacks:
        return None
    ready = ready_markers(m, side)
    return Offer(SupplyPort, lambda: _supply_fields(m, ready), rule="mw-18.3-a") if ready else None


def _supply_fields(m: M, ready: Sequence[int]) -> tuple[Field, ...]:
    markers = [ATLAS.units[marker].id for marker in ready]
    number = ATLAS.unit_number
    return (
        Field("marker", "unit", OneOf(markers)),
        Field("port", "space", lambda marker: NamedBits(
            supply_ports(m, number[marker]), HEXES, why=lambda at: why_not_supply_port(m, number[marker], at))),
    )  # fmt: skip
