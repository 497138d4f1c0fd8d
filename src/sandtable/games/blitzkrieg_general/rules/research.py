"""7.5 Research: numbers, the seven achievements, and the collapse of a bombed country."""

from __future__ import annotations

from sandtable.core import Refusal

from ..model import events as ev
from ..model.atlas import ATLAS, MAJORS
from ..model.state import BKState, M, plays
from .conquest import surrender


# ---- buying and rolling -------------------------------------------------------------------------------------------
def why_not_buy_number(state: BKState, major: int) -> Refusal | None:
    """Refuse a research number: one a quarter, in order, up to five. [bg-7.5-buy]"""
    row = ATLAS.research
    if state.rolled_research >> major & 1:
        return Refusal("bg-7.5-buy", "one-number")
    if state.numbers[major] >= row["max_number"]:
        return Refusal("bg-7.5-buy", "all-numbers")
    if state.points[major] < row["price_per_number"]:
        return Refusal("bg-7.5-buy", "too-expensive", cost=row["price_per_number"], points=state.points[major])
    if not open_advances(state, major):
        return Refusal("bg-7.5-choose", "all-achieved")
    return None


def open_advances(state: BKState, major: int) -> list[str]:
    """Return the achievements a country can still choose: the atomic bomb only after all others but the V-weapons.
    [bg-7.5-choose] [bg-7.5-atom-prereq]"""
    known = state.advances[major]
    out = [a for a in ATLAS.achievements if not known >> ATLAS.advance_bit[a] & 1]
    return [a for a in out if a != "atomic_bomb" or set(out) <= {"v_weapons", "atomic_bomb"}]


def check_collapse(m: M) -> None:
    """Roll for each country that was hit in the turn before against all its hits so far. [bg-7.5-atom-collapse]"""
    state = m.state
    for major in range(8):
        if state.atom_new >> major & 1 and plays(state, major):
            die = m.roll(why="bg-7.5-atom-collapse")
            m.emit(ev.Collapse(country=f"@{MAJORS[major]}", die=die, points=state.atom_hits[major]))
            if die <= state.atom_hits[major]:
                surrender(m, major)
    state.atom_new = 0
