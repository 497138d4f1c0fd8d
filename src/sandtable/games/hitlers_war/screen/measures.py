"""Numbers worth a curve over the seasons, and where battles were fought: what the laboratory draws."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.core import Event

from ..model.atlas import AIR, ARMIES, AXIS, SIDES
from ..model.events import Advanced, Fired, Repulsed
from ..model.fleets import FLEETS_OF
from ..model.state import U_BOATS, War, has_fleets_on_map, in_box
from ..rules.budget import production
from ..rules.morale import COUNTRIES
from ..rules.naval import fleets
from ..rules.victory import production_held

_FAR = frozenset(("@air-defense", "@bombers", "@missiles", "@asw", "@u-boats", "@raiders"))
"""Fire without a place on the map: the log names a capital or a base for it."""


def measures(s: War) -> Mapping[str, float]:
    """Of each side that plays: production now and in all, spaces held, strength points and tac air, forts, ships."""
    found: dict[str, float] = {}
    for side in s.setting.order:
        name = SIDES[side]
        row = s.strength[side * ARMIES * 5 : (side + 1) * ARMIES * 5]
        found[f"production.{name}"] = float(production(s, side))
        found[f"industry.{name}"] = float(production_held(s, side))
        found[f"territory.{name}"] = float(s.owner.count(side))
        found[f"strength.{name}"] = float(sum(row))
        found[f"air.{name}"] = float(sum(row[AIR::5]))
        found[f"forts.{name}"] = float(sum(points for space, points in s.fort.items() if s.owner[space] == side))
        if s.setting.technology:
            found[f"ships.{name}"] = float(_ships(s, side))
            found[f"bombers.{name}"] = float(in_box(s, side, "bomber"))
    if s.setting.technology:
        boats = in_box(s, AXIS, "u_boat") + s.at_sea[U_BOATS]
        found["u-boats.axis"] = float(boats)
        for country, spirit in zip(COUNTRIES, s.morale, strict=True):
            found[f"morale.{country}"] = float(spirit)
    return found


def _ships(s: War, side: int) -> int:
    """Capital ships and carriers, wherever they are."""
    if has_fleets_on_map(s):
        return sum(fleets.strength(s, fleet) for fleet in FLEETS_OF[side])
    return in_box(s, side, "capital_ship") + s.at_sea[side]


def battle_place(event: Event) -> str | None:
    """The space that was fired into, or that an army tried to enter against a die."""
    if isinstance(event, Fired):
        return event.at if event.by not in _FAR else None
    if isinstance(event, (Advanced, Repulsed)):
        return event.to
    return None
