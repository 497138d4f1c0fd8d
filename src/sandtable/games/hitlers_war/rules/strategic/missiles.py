"""Missile counters on the map: they move like armies and do not fight (Campaign Game II)."""

from __future__ import annotations

from sandtable.core import Field, Named, Offer, OneOf, Refusal
from sandtable.core.columns import put

from ...model.actions import MoveMissile
from ...model.atlas import ATLAS, MISSILES, SPACES
from ...model.places import FRENCH_HEXES
from ...model.state import M, War, space_name
from ..movement import kept_in_france
from ..sealift import carry, reach, seas_for
from ..supply import unsupplied


def counter_name(counter: int) -> str:
    return f"Missile {counter % MISSILES + 1}"


def counters_of(side: int) -> range:
    return range(side * MISSILES, side * MISSILES + MISSILES)


def find(side: int, name: str) -> int:
    """The side's counter of this name; -1 where there is none."""
    return next((counter for counter in counters_of(side) if counter_name(counter) == name), -1)


def load(s: War, counter: int) -> int:
    """What a counter takes of a sea's room: its missile points, or one for the bombs it still holds."""
    return max(1, s.missiles[counter])


def why_not_to(s: War, side: int, counter: int, to: int) -> Refusal | None:
    """Missiles go where an army of their strength could go, by land and sea.  [hw-missile-2] [hw-limit-2]"""
    if kept_in_france(s, side, s.missile_at[counter]) and to not in FRENCH_HEXES:
        return Refusal("hw-limit-2", "hw-stay-in-france", to=space_name(to))
    seas = seas_for(s, side, s.missile_at[counter], to, load(s, counter))
    return seas if isinstance(seas, Refusal) else None


def _reach(s: War, side: int, counter: int) -> tuple[int, ...]:
    start = s.missile_at[counter]
    part = reach(s, side, start, load(s, counter))
    return (part.trimmed(start, FRENCH_HEXES) if kept_in_france(s, side, start) else part).others(start)


def movement_offers(m: M, side: int) -> list[Offer]:
    """[hw-missile-2]"""
    s = m.state
    if not s.setting.technology:
        return []
    mine = {counter_name(c): c for c in counters_of(side) if s.missile_at[c] >= 0}
    if not mine:
        return []

    def ways(name: str) -> Named:
        counter = mine[name]
        return Named(_reach(s, side, counter), SPACES, why=lambda to: why_not_to(s, side, counter, to))

    cut_off = set(unsupplied(s, side))

    def why(name: str) -> Refusal | None:
        held = name in mine and s.missile_at[mine[name]] in cut_off
        return Refusal("hw-unsupplied-3", "hw-army-unsupplied", army=name) if held else None

    movable = [name for name, counter in mine.items() if why(name) is None and _reach(s, side, counter)]
    if not movable and not cut_off:
        return []
    fields = Field("counter", "unit", OneOf(movable, why)), Field("to", "space", ways)
    return [Offer(MoveMissile, *fields, rule="hw-missile-2")]


def take_movement(m: M, action: object) -> bool:
    if not isinstance(action, MoveMissile):
        return False
    s = m.state
    counter, to = find(s.side, action.counter), ATLAS.index[action.to]
    seas = seas_for(s, s.side, s.missile_at[counter], to, load(s, counter))
    assert not isinstance(seas, Refusal)
    carry(s, s.side, s.missile_at[counter], to, load(s, counter), seas)
    s.missile_at = put(s.missile_at, counter, to)
    return True
