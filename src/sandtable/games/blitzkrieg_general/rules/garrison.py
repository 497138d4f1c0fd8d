"""The card Tito Partisans: what Germany owes an occupied Yugoslavia."""

from __future__ import annotations

from sandtable.core import Refusal

from ..model.atlas import GERMANY, atlas
from ..model.state import AT_WAR, BKPlay, BKState, strength
from ..model.tables import LIMITS


def is_owed(state: BKState) -> bool:
    """The card lies on the table and the Axis holds Yugoslavia. [bg-card-tito]"""
    if state.yugoslavia_since < 0 or state.standing[GERMANY] != AT_WAR:
        return False
    return atlas().card_of["tito_partisans"] in state.table


def garrison(state: BKState, without: int = -1) -> int:
    """Strength points of German land units in Yugoslavia."""
    found = atlas()
    return sum(
        strength(state, u)
        for s in found.homes[found.nation_of["yugoslavia"]]
        for u in state.here[s]
        if u != without and state.nation[u] == GERMANY and found.is_land[u]
    )


def why_not_leave(state: BKState, unit: int) -> Refusal | None:
    """The last five points stay. [bg-card-tito]"""
    if state.nation[unit] != GERMANY or state.yugoslavia_since < 0:
        return None
    found = atlas()
    if not found.is_land[unit] or not is_owed(state):
        return None
    if state.place[unit] not in found.home_areas_set[found.nation_of["yugoslavia"]] or not strength(state, unit):
        return None
    if garrison(state, unit) >= LIMITS["tito_garrison"]:
        return None
    return Refusal("bg-card-tito", "tito-garrison", points=LIMITS["tito_garrison"])


def must_send(m: BKPlay, major: int) -> bool:
    """Germany may not end its land movement while the garrison is short and a unit could march there. [bg-card-tito]"""
    state, found = m.state, atlas()
    if major != GERMANY or not is_owed(state) or garrison(state) >= LIMITS["tito_garrison"]:
        return False
    from .movement import march_targets, why_not_march

    homes = found.homes[found.nation_of["yugoslavia"]]
    return any(
        state.nation[u] == GERMANY and found.is_land[u] and place >= 0 and place not in homes and strength(state, u)
        and why_not_march(m, u) is None and any(s in march_targets(m, u) for s in homes)
        for u, place in enumerate(state.place)
    )  # fmt: skip
