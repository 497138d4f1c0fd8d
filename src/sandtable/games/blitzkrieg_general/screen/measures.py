"""Numbers worth a curve over the quarters, and where battles were fought: what the laboratory draws."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.core import Event

from ..model.atlas import ATLAS, MAJORS, SIDES
from ..model.events import BattleBegan
from ..model.state import AT_WAR, BKState, strength
from ..rules.victory import conquered_majors, points_of


def measures(state: BKState) -> Mapping[str, float]:
    """Of each side: production, victory points, areas held, printed strength on land, in the air and at sea, majors
    lost, production points unspent; and the production of each major."""
    out: dict[str, float] = {}
    for side, name in enumerate(SIDES):
        mine = [
            u for u, place in enumerate(state.place)
            if place >= 0 and state.side[state.nation[u]] == side and state.standing[state.nation[u]] == AT_WAR
        ]  # fmt: skip
        out[f"production.{name}"] = float(sum(state.production[n] for n in range(8) if state.side[n] == side))
        out[f"victory.{name}"] = float(points_of(state, side))
        out[f"territory.{name}"] = float(sum(1 for s in ATLAS.land if state.side[state.control[s]] == side))
        out[f"strength.{name}"] = float(sum(strength(state, u) for u in mine if ATLAS.is_land[u]))
        out[f"air.{name}"] = float(sum(strength(state, u) for u in mine if ATLAS.is_air[u]))
        out[f"ships.{name}"] = float(sum(strength(state, u) for u in mine if ATLAS.is_ship[u]))
        out[f"fallen.{name}"] = float(conquered_majors(state, side))
        out[f"saved.{name}"] = float(sum(state.saved[n] for n in range(8) if state.side[n] == side))
    for major, name in enumerate(MAJORS):
        out[f"industry.{name}"] = float(state.production[major])
    return out


def battle_place(event: Event) -> str | None:
    """The space in which a battle begins, on land, at sea or in the air."""
    return event.space.removeprefix("@") if isinstance(event, BattleBegan) else None
