"""The card Tito Partisans: what Germany owes an occupied Yugoslavia."""

from __future__ import annotations

from sandtable.core import Refusal

from ...model.atlas import ATLAS, GERMANY
from ...model.state import AT_WAR, BKState, strength
from ...model.tables import LIMITS
from .deck import is_in_effect


def is_owed(state: BKState) -> bool:
    """Return whether the card lies on the table and the Axis holds Yugoslavia. [bg-card-tito]"""
    if state.yugoslavia_since < 0 or state.standing[GERMANY] != AT_WAR:
        return False
    return is_in_effect(state, "tito_partisans")


def garrison(state: BKState, without: int = -1) -> int:
    """Return the strength points of German land units in Yugoslavia."""
    return sum(
        strength(state, u)
        for s in ATLAS.homes[ATLAS.yugoslavia]
        for u in state.here[s]
        if u != without and state.nation[u] == GERMANY and ATLAS.is_land[u]
    )


def why_not_leave(state: BKState, unit: int) -> Refusal | None:
    """Refuse a unit that is needed: the last five points stay. [bg-card-tito]"""
    if state.nation[unit] != GERMANY or state.yugoslavia_since < 0:
        return None
    if not ATLAS.is_land[unit] or not is_owed(state):
        return None
    if state.place[unit] not in ATLAS.home_areas_set[ATLAS.yugoslavia] or not strength(state, unit):
        return None
    if garrison(state, unit) >= LIMITS["tito_garrison"]:
        return None
    return short()


def short() -> Refusal:
    return Refusal("bg-card-tito", "tito-garrison", points=LIMITS["tito_garrison"])
