"""Hex control and garrisons: who holds a space, what defends it, what happens when it falls.

Chapters 'Hex Control and Garrisons', 'Advance Resolution' (what a successful advance does), 'Off-Map Combat'.
"""

from __future__ import annotations

from sandtable.core.columns import having, lacking, put

from ..model.atlas import ALLIES, AMPH, ATLAS, AXIS, GARRISON, INF, MECH, NOBODY, PARA, SIDES, SOVIET
from ..model.events import ArmyGone, ArmyLost, Captured, Devastated
from ..model.places import GROWN_SIBERIA, SIBERIA, SIBERIAN_GROWTH, UNITED_STATES
from ..model.state import NO_POINTS, M, War, armies_in, army_name, book, set_points, space_name
from . import morale

_AMERICAN_GROWTH = int(ATLAS.rules["united_states"]["growth"])


# ---- production on the map
def capacity(s: War, space: int) -> int:
    """Production points of a space: those printed, and those that it has grown by.  [hw-map-production]"""
    return ATLAS.production[space] + s.grown.get(space, 0)


def grow(s: War) -> None:
    """Industry grows as a season begins: Siberia at its date, the United States every turn after joining.

    Only its own side makes it grow; what a captor holds stays as it is.  [hw-siberia-1] [hw-bar-special-5] [hw-us-3]
    """
    if s.turn == SIBERIAN_GROWTH and s.owner[SIBERIA] == SOVIET:
        s.grown = having(s.grown, SIBERIA, GROWN_SIBERIA)
    if s.america and s.owner[UNITED_STATES] == ALLIES and s.setting.politics:
        s.grown = having(s.grown, UNITED_STATES, s.grown.get(UNITED_STATES, 0) + _AMERICAN_GROWTH)


def healthy(s: War, space: int) -> int:
    """Undevastated production points of a space."""
    if not ATLAS.production[space]:
        return 0
    points = capacity(s, space) - s.devastated.get(space, 0) - s.ruined.get(space, 0)
    return max(0, points)


def devastate(m: M, space: int) -> None:
    """All production of a space is devastated.  [hw-advance-7] [hw-repair-1] [hw-offmap-2]"""
    s = m.state
    points = healthy(s, space)
    if points:
        s.devastated = having(s.devastated, space, s.devastated.get(space, 0) + points)
        m.emit(Devastated(at=space_name(space), number=points))


# ---- strength in a space
def ground(s: War, army: int) -> int:
    """Points of an army that hold a hex against an advance.  [hw-capability-table] [hw-tac-3] [hw-amph-2]"""
    at = army * 5
    st = s.strength
    return st[at + INF] + st[at + MECH] + st[at + PARA] + st[at + AMPH]


def has_garrison(s: War, space: int) -> bool:
    """An unoccupied space has its garrison unless this combat phase has stripped it.

    A hex with nothing but tac air or a fort still has one; home forces stand in its place.
    [hw-garrison-1] [hw-garrison-5] [hw-garrison-7] [hw-air-10]
    """
    if space in s.bare or s.home.get(space, 0):
        return False
    return not any(ground(s, army) for army in armies_in(s, space))


def defence(s: War, space: int) -> int:
    """Everything in a space that stands against an advance.  [hw-advance-3] [hw-advance-6] [hw-fort-7]"""
    held = sum(ground(s, army) for army in armies_in(s, space))
    held += s.fort.get(space, 0) + s.home.get(space, 0)
    return held + (GARRISON if has_garrison(s, space) else 0)


# ---- armies leaving the map
def remove_if_empty(m: M, army: int) -> bool:
    """An army without strength goes back to the record sheet.  [hw-assault-8] [hw-move-6]"""
    s = m.state
    at = army * 5
    if s.army_at[army] < 0 or any(s.strength[at : at + 5]):
        return False
    eliminate(m, army)
    return True


def eliminate(m: M, army: int) -> None:
    """Take an army off the map with all its strength."""
    s = m.state
    points = sum(s.strength[army * 5 : army * 5 + 5])
    set_points(s, army, NO_POINTS)
    book(s, army, -points)
    s.army_at = put(s.army_at, army, -1)
    s.target = put(s.target, army, -1)
    s.mode = put(s.mode, army, 0)
    s.leader = put(s.leader, army, 0)
    s.idle = put(s.idle, army, 0)
    s.stuck = put(s.stuck, army, 0)
    s.routes = lacking(s.routes, army)
    m.emit((ArmyLost if points else ArmyGone)(army=army_name(army), points=points))


# ---- changing hands
def take(m: M, space: int, side: int, *, ruin: bool = True) -> None:
    """A space becomes friendly to a side: forts, missiles and (with `ruin`) production there are lost.

    [hw-control-2] [hw-advance-7] [hw-fort-10] [hw-missile-2]
    """
    s = m.state
    old = s.owner[space]
    if old == side:
        return
    s.owner = put(s.owner, space, side)
    s.fort = lacking(s.fort, space)
    s.building = lacking(s.building, space)
    s.home = lacking(s.home, space)
    s.partisans = lacking(s.partisans, space)
    for counter, at in enumerate(s.missile_at):
        if at == space:
            s.missile_at = put(s.missile_at, counter, -1)
            s.missiles = put(s.missiles, counter, 0)
            s.bombs = put(s.bombs, counter, 0)
    if ruin:
        devastate(m, space)
    m.emit(Captured(at=space_name(space), side=f"@{SIDES[side]}" if side < NOBODY else "@nobody"))
    if side < NOBODY:
        s.gained = put(s.gained, side, s.gained[side] + 1)
    if old < NOBODY:
        s.lost = put(s.lost, old, s.lost[old] + 1)
    if s.setting.technology and old == ALLIES and side == AXIS:
        morale.place_lost(m, space)


def would_join(group: int, attacker: int) -> int:
    """The side that gets an unaligned country which this attacker fails to conquer; nobody gets Poland.

    [hw-neutral-5] [hw-neutral-6] [hw-neutral-7] [hw-neutral-8]
    """
    if ATLAS.countries[group].name == ATLAS.rules["inclined"]["stays_out"]:
        return NOBODY
    return advocate(group, attacker)


def advocate(group: int, attacker: int) -> int:
    """The side that acts for an unaligned country under attack, Poland included.  [hw-home-4]"""
    if attacker != AXIS:
        return AXIS
    return SOVIET if ATLAS.countries[group].name in ATLAS.rules["inclined"]["to_soviet"] else ALLIES


def who_defends(s: War, space: int) -> int:
    """The side that decides for a space under attack: its owner, or who acts for an unaligned country."""
    owner = s.owner[space]
    return owner if owner != NOBODY else advocate(ATLAS.group_of[space], s.side)
