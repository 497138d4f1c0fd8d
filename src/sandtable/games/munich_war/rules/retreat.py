"""Retreat after combat (chapter 12)."""

from __future__ import annotations

from sandtable.core import Refusal
from sandtable.core.bits import mask_of

from ..facts.board import board
from ..facts.politics import side_of
from ..facts.retreats import Path, has_fort
from ..model.atlas import ATLAS, hex_name, names_of
from ..model.events import Retreated
from ..model.state import M, lay
from .control import occupy
from .losses import reduce


def why_no_mountain(unit: int, at: int) -> Refusal | None:
    """[mw-19.0-mountain-b] Advances and retreats are no moves: no railroad takes them into mountains."""
    if not ATLAS.mountains >> at & 1 or ATLAS.units[unit].alpine:
        return None
    return Refusal("mw-19.0-mountain-b", "mountain-after-combat", hex=hex_name(at))


def may_stand(m: M, unit: int) -> bool:
    """[mw-12.2-b] [mw-12.2-c] [mw-12.2-d] A friendly fortification in its hex, still there after the losses."""
    return has_fort(m.state, side_of(m.state, unit), m.state.where[unit])


def withdraw_along(m: M, unit: int, path: Path) -> None:
    """[mw-12.1-b] [mw-8.2-f] Step by step, with a loss for every enemy zone entered and no movement factors spent."""
    state = m.state
    side = side_of(m.state, unit)
    m.emit(Retreated(unit=ATLAS.units[unit].id, path=names_of(path)))
    zones = board(m.state).zoc[1 - side]
    for place, at in enumerate(path):
        if zones >> at & 1 and not reduce(m, unit, "retreat"):
            occupy(m, side, mask_of(path[: place + 1]))
            return
    lay(state, unit, path[-1])
    occupy(m, side, mask_of(path))
