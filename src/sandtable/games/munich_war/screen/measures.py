"""Numbers worth a curve over the turns, and where battles were fought: what the laboratory draws."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.core import Event

from ..facts.control import controlled
from ..model.atlas import ALLIES, ATLAS, AXIS, SIDES
from ..model.events import Bombed, Fought, Intercepted
from ..model.state import AVAILABLE, UTILIZED, M
from ..rules.mobilization import income
from ..rules.victory import score


def measures(m: M) -> Mapping[str, float]:
    """Of each side: the points its countries would draw now, the hexes it controls, the attack and defence factors of
    its units on the map, the factors of its aircraft, and its victory points."""
    state = m.state
    found: dict[str, float] = {}
    for side in (AXIS, ALLIES):
        name = SIDES[side]
        members = [country for country in ATLAS.countries if state.side[country.index] == side]
        units = [ATLAS.units[unit] for country in members for unit in country.units]
        ashore = [unit for unit in units if unit.land and state.where[unit.index] >= 0]
        aloft = [unit for unit in units if unit.air and _is_in_service(state.where[unit.index])]
        found[f"production.{name}"] = float(sum(income(m, country.index) for country in members))
        found[f"territory.{name}"] = float(controlled(m.state)[side].bit_count())
        found[f"attack.{name}"] = float(sum(unit.attack[state.steps[unit.index]] for unit in ashore))
        found[f"defence.{name}"] = float(sum(unit.defense[state.steps[unit.index]] for unit in ashore))
        found[f"air.{name}"] = float(sum(unit.combat[state.steps[unit.index]] for unit in aloft))
        found[f"points.{name}"] = float(score(m, side))
    return found


def _is_in_service(place: int) -> bool:
    return place >= 0 or place in (AVAILABLE, UTILIZED)


def battle_place(event: Event) -> str | None:
    """The hex of a land battle, an interception or a bombing."""
    if isinstance(event, Fought):
        return event.target
    if isinstance(event, (Intercepted, Bombed)):
        return event.at
    return None
