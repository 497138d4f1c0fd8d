"""5.2 Reinforcements and optional 9.3: placing, merging and splitting units."""

from __future__ import annotations

from sandtable.core import Refusal
from sandtable.core.columns import put

from ..facts.arrivals import FRESH
from ..facts.stacking import is_full
from ..facts.units import on_map
from ..model import events as ev
from ..model.atlas import ATLAS, BE, label, name, unit_id
from ..model.state import POOL, BKState, M, has_enemy, move_unit
from .stacking import why_not_stack


def why_not_place(state: BKState, unit: int, space: int) -> Refusal:
    """Return the reason why an arriving unit may not be put into a space."""
    nation = state.nation[unit]
    if ATLAS.is_sea[space] != ATLAS.is_ship[unit]:
        return Refusal("bg-5.2-ships", "wrong-ground", unit=label(unit))
    if ATLAS.is_sea[space]:
        if has_enemy(state, nation, space):
            return Refusal("bg-5.2-ships", "enemy-ships", space=name(space))
        return Refusal("bg-5.2-ships", "not-next-to-home", space=name(space))
    if nation == BE and state.advanced and ATLAS.home_of[space] == BE:
        return Refusal("bg-5.2-british-placement", "other-home", unit=label(unit), space=name(space))
    if nation < 8 and ATLAS.home_of[space] != nation:
        return Refusal("bg-5.2-no-abbrev-areas", "no-home-area", space=name(space))
    return why_not_stack(state, unit, space) or Refusal("bg-5.2-major-placement", "no-production", space=name(space))


def place_unit(m: M, unit: int, space: int) -> None:
    """Put an arriving unit on the map."""
    state = m.state
    move_unit(state, unit, space)
    state.due = put(state.due, unit, -1)
    state.start = put(state.start, unit, FRESH)
    m.emit(ev.Placed(unit=label(unit), space=name(space)))


# ---- optional 9.3 -------------------------------------------------------------------------------------------------
def _assembled(state: BKState, major: int) -> list[int]:
    """Units ashore and without a task that may be merged or split. [bg-opt-9.3-orange]"""
    return [
        u for u in on_map(state, major)
        if state.carrier[u] < 0 and ATLAS.back[u] >= 0 and u not in state.cargo and state.mission[u] < 0
        and (not ATLAS.is_orange[u] or state.orange_done)
    ]  # fmt: skip


def merges(state: BKState, major: int) -> dict[str, list[str]]:
    """Return the reduced units that can be merged, each with its equals beside it. [bg-opt-9.3-assemble]"""
    pairs: dict[str, list[str]] = {}
    mine = [u for u in _assembled(state, major) if state.flipped[u]]
    for one in mine:
        others = [
            o for o in mine
            if o != one and state.place[o] == state.place[one] and state.nation[o] == state.nation[one]
            and ATLAS.kind_of_unit[o] is ATLAS.kind_of_unit[one]
        ]  # fmt: skip
        if others:
            pairs[unit_id(one)] = ATLAS.names_of(others)
    return pairs


def splits(state: BKState, major: int) -> list[str]:
    """Return the full units that can be split where they stand. [bg-opt-9.3-split]"""
    return [
        unit_id(u)
        for u in _assembled(state, major)
        if not state.flipped[u]
        and ATLAS.back[u] > 0
        and any(state.place[x] == POOL for x in ATLAS.kind_of_unit[u].units)
        and not is_full(state, u, state.place[u], more=1)
    ]
