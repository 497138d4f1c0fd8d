"""Advance after combat and pursuit (chapter 13); Marines landing (18.2.2); storms (20)."""

from __future__ import annotations

from sandtable.core import Refusal
from sandtable.core.bits import bits, mask_of

from ..facts.board import board, enemy_at
from ..facts.politics import enterable, side_of
from ..model.atlas import ATLAS, MOBILE, NOBODY, hex_name, names_of
from ..model.events import Advanced
from ..model.state import M, disembark, lay
from .control import occupy
from .politics import why_barred_by_poland
from .retreat import why_no_mountain
from .stacking import would_overstack

Path = tuple[int, ...]


def advance_hexes(m: M, unit: int, at: int) -> int:
    """[mw-13.0-c] [mw-13.0-d] [mw-5.4-c] [mw-19.0-mountain-b] Where a unit may step: no enemy, no neutral, no
    prohibited terrain; enemy zones do not matter."""
    face = ATLAS.units[unit]
    hexes = ATLAS.after_combat[face.terrain][at] & enterable(m.state, face.country)
    return hexes & ~board(m.state).occupied[1 - m.state.side[face.country]]


def why_no_way(m: M, unit: int, at: int) -> Refusal:
    """Why a unit cannot step into a hex after combat though no enemy is there."""
    barred = why_barred_by_poland(m, ATLAS.units[unit].country, at)
    return barred or why_no_mountain(unit, at) or Refusal("mw-13.0-d", "no-way", hex=hex_name(at))


def may_pursue(m: M, unit: int) -> bool:
    """[mw-13.1-a] [mw-13.1-note] [mw-2.5.1-plus] [mw-20.0-f] A plus sign, the Mobile table and good weather."""
    battle = m.state.battle
    return (
        battle is not None
        and battle.table == MOBILE
        and bool(ATLAS.units[unit].pursuit[m.state.steps[unit]])
        and not m.state.storm
    )


def paths(m: M, unit: int, target: int) -> list[Path]:
    """[mw-13.0-b] [mw-13.1-b] [mw-13.1-c] [mw-13.1-d] The ways a unit may advance: into the hex, or on to a second."""
    if not advance_hexes(m, unit, m.state.where[unit]) >> target & 1:
        return []
    found: list[Path] = []
    if would_overstack(m, unit, target) is None:
        found.append((target,))
    if may_pursue(m, unit):
        found += [(target, at) for at in bits(advance_hexes(m, unit, target)) if would_overstack(m, unit, at) is None]
    return found


def why_not_advance(m: M, unit: int, target: int, path: object) -> Refusal | None:
    """Which rule an advance breaks."""
    face = ATLAS.units[unit]
    if not isinstance(path, tuple) or not path:
        return None
    places = [ATLAS.hex_number.get(name, NOBODY) for name in path]
    if places[0] != target:
        return Refusal("mw-13.0-b", "wrong-hex", hex=str(path[0]))
    if not advance_hexes(m, unit, m.state.where[unit]) >> target & 1:
        return why_no_way(m, unit, target)
    if len(places) > 1 and m.state.storm:
        return Refusal("mw-20.0-f", "storm-advance")
    if len(places) > 1 and not may_pursue(m, unit):
        return Refusal("mw-13.1-a", "no-pursuit", unit=face.id)
    if len(places) > 2:
        return Refusal("mw-13.1-a", "two-hexes")
    last = places[-1]
    if last == NOBODY:
        return Refusal("mw-13.0-d", "no-way", hex=str(path[-1]))
    if enemy_at(m.state, m.state.side[face.country], last):
        return Refusal("mw-13.1-c", "enemy-there", hex=hex_name(last))
    return would_overstack(m, unit, last) or why_no_way(m, unit, last)


def march_in(m: M, unit: int, path: Path) -> None:
    """[mw-10.4-c] [mw-13.0-c] Into and through enemy zones without penalty, and without movement factors."""
    lay(m.state, unit, path[-1])
    occupy(m, side_of(m.state, unit), mask_of(path))
    m.emit(Advanced(unit=ATLAS.units[unit].id, path=names_of(path)))


def land_marines(m: M, side: int) -> None:
    """[mw-18.2.2-d] The coast is cleared: Marines at sea must land."""
    battle, state = m.state.battle, m.state
    assert battle is not None
    for unit in battle.units:
        if unit in state.assaults and state.steps[unit] and would_overstack(m, unit, battle.target) is None:
            disembark(state, unit)
            march_in(m, unit, (battle.target,))
