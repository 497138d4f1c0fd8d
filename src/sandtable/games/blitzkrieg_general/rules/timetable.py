"""5.1 The time table: fixed dates and conditional events at the start of a turn."""

from __future__ import annotations

from sandtable.core.columns import lacking, put

from ..model import events as ev
from ..model.atlas import ATLAS, BE, GERMANY, ITALY, USA, USSR, label, name
from ..model.state import AT_WAR, NEUTRAL, M, at_war, move_unit
from ..model.tables import LIMITS
from .control import take_control
from .economy import refresh_production
from .politics import change_us_level, italy_joins, us_enters, ussr_joins
from .research import check_collapse


def check_time_table(m: M) -> None:
    """Carry out every event that applies now. [bg-5.1-time-table]"""
    state = m.state
    m.emit(ev.TurnBegan(turn=ATLAS.turns[state.turn]))
    turn = state.turn
    if turn == ATLAS.fixed["poland_joins"] and state.standing[ATLAS.poland] == AT_WAR:
        # Poland is played by the British Empire. [bg-time-3-39-poland] [bg-ex-basic-setup]
        state.master = put(state.master, ATLAS.poland, BE)
    if state.pact == 1:
        carry_out_pact(m)
    if turn == ATLAS.fixed["italy_joins"] and state.standing[ITALY] == NEUTRAL:
        italy_joins(m)
        change_us_level(m, 1)
    if not state.advanced:
        _basic_dates(m)
    if state.peace >= 0:
        check_peace(m)
    for major, due in sorted(state.rail_due.items()):
        if due <= turn:
            state.rail = put(state.rail, major % 8, min(LIMITS["rail_track"], state.rail[major % 8] + 1))
            state.rail_due = lacking(state.rail_due, major)
    if state.atom_new:
        check_collapse(m)
    refresh_production(state)


def _basic_dates(m: M) -> None:
    """[bg-time-2-41] [bg-time-2-41-minors] [bg-time-4-41]"""
    state = m.state
    if state.turn == ATLAS.fixed["ussr_joins"] and not at_war(state, USSR, GERMANY):
        ussr_joins(m)
    if state.turn == ATLAS.fixed["usa_joins"] and state.standing[USA] == NEUTRAL:
        us_enters(m)


def carry_out_pact(m: M) -> None:
    """Germany leaves eastern Poland to the USSR, which takes the Baltic states too. [bg-time-poland-conquered]
    [bg-ex-basic-pact]"""
    state = m.state
    state.pact = 2
    if at_war(state, USSR, GERMANY) or state.side[USSR] == state.side[GERMANY]:
        return
    west = ATLAS.western_poland
    for ident in ("east_poland", "lwow"):
        space = ATLAS.space_of[ident]
        for unit in list(state.here[space]):
            if state.side[state.nation[unit]] == state.side[GERMANY]:
                m.emit(ev.Moved(unit=label(unit), origin=f"@{ident}", space=name(west), how="@relocation"))
                move_unit(state, unit, west)
        take_control(m, space, USSR)
    baltic = ATLAS.space_of["baltic"]
    if state.control[baltic] == ATLAS.owner[baltic]:
        take_control(m, baltic, USSR)
    take_control(m, west, GERMANY)
    m.emit(ev.PactCarriedOut())


def check_peace(m: M) -> None:
    """Two dice, one more per year after 1940: twelve breaks the Soviet-Japanese peace. [bg-card-force-peace]
    [bg-ex-adv-peace]"""
    state = m.state
    total = sum(m.roll_many(2, why="bg-card-force-peace")) + ATLAS.year[state.turn] - LIMITS["peace_year"]
    if total >= LIMITS["peace_end"]:
        m.emit(ev.PeaceEnded(total=total))
        state.peace = -1
        card = ATLAS.card_of["force_peace"]
        if card in state.table:
            state.table = lacking(state.table, card)
            state.deck = (*state.deck, card)
