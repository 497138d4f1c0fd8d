"""8.5 Victory: total, economic, by world conquest, or a draw at the end of 1945."""

from __future__ import annotations

from ..model import events as ev
from ..model.atlas import ALLIES, ATLAS, AXIS, MAJORS, SIDES
from ..model.state import CONQUERED, BKState, M, enemy_side


def points_of(state: BKState, side: int) -> int:
    """Return the production flags of a side plus one for each Pacific island without production. [bg-8.5-economic]
    [bg-8.5-islands-start]"""
    total = sum(state.production[n] for n in range(8) if state.side[n] == side)
    held = 0
    for space in ATLAS.point_islands:
        owner = state.control[space]
        holder = state.side[owner]
        if holder < 0 and owner in (ATLAS.trust_nation, ATLAS.bnl):
            holder = ALLIES
        held += holder == side
    return total + int(ATLAS.victory["island_point"]) * held


def points_to_win(state: BKState, side: int) -> int:
    """Return the points with which a side wins: the Axis needs fewer, or more, by the option `handicap`.
    [bg-8.5-economic]"""
    given = int(state.options.get("handicap", 0)) if side == AXIS else 0
    return int(ATLAS.victory["economic"][SIDES[side]]) - given


def conquered_majors(state: BKState, side: int) -> int:
    return sum(1 for n in range(8) if state.side[n] == side and state.standing[n] == CONQUERED)


def has_won(m: M, side: int) -> str:
    """Return the rule by which a side has won; '' if it has not. [bg-8.5-axis-total] [bg-8.5-allied-total]
    [bg-basic-8.5] [bg-8.5-world]"""
    state, victory = m.state, ATLAS.victory
    other = enemy_side(side)
    fallen = conquered_majors(state, other)
    if m.option("world-conquest"):
        everybody = sum(1 for n in range(8) if state.side[n] == other)
        return "bg-8.5-world" if fallen == everybody else ""
    if side == AXIS and fallen >= victory["allied_majors_to_conquer_for_axis"]:
        return "bg-8.5-axis-total" if state.advanced else "bg-basic-8.5"
    if side == ALLIES and fallen >= victory["axis_majors_to_conquer_for_allies"]:
        return "bg-8.5-allied-total" if state.advanced else "bg-basic-8.5"
    if points_of(state, side) >= points_to_win(state, side):
        return "bg-8.5-economic"
    return ""


def check_victory(m: M) -> None:
    """End the match if a side has won at the end of a quarter. [bg-8.5-draw] [bg-8.5-draw-both]
    [bg-quick-quarter-advance]"""
    state = m.state
    m.emit(ev.Points(axis=points_of(state, AXIS), allies=points_of(state, ALLIES)))
    won = {side: has_won(m, side) for side in (AXIS, ALLIES)}
    if won[AXIS] and won[ALLIES]:
        m.end((), "draw", "bg-8.5-draw-both")
        return
    for side in (AXIS, ALLIES):
        if won[side]:
            level = "economic" if won[side] == "bg-8.5-economic" else "total"
            m.end([MAJORS[n] for n in range(8) if state.side[n] == side], level, won[side])
            return
    if state.turn == len(ATLAS.turns) - 1:
        m.end((), "draw", "bg-8.5-draw")
