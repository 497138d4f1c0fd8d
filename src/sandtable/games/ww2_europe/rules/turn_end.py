"""The end of a turn: who is stranded, the Pacific money, and what is forgotten."""

from __future__ import annotations

from ..facts.control import control_side
from ..facts.names import unit_name
from ..facts.roster import filled
from ..facts.whereabouts import whereabouts
from ..facts.winter import is_winter
from ..model.atlas import ATLAS, NEUTRAL, NOBODY
from ..model.events import Lost, Noted
from ..model.kinds import GROUND, NAVAL
from ..model.state import AT_WAR, CUT_OFF, PER_TURN, M, added
from .armistice import may_linger
from .units import remove

A = ATLAS
K = ATLAS.kinds

PACIFIC = A.rules["usa_pacific"]


def settle_homes(m: M) -> None:
    """Where a unit stands now is where it begins the next turn."""
    state = m.state
    # who is off the board keeps the home they had
    state.home = tuple([space if space >= 0 else home for space, home in zip(state.space, state.home, strict=True)])


def stranded(m: M) -> None:
    """Ground units that stand on land no longer theirs (a power fell, a pact moved a border) are lost."""
    state = m.state
    owners, powers = state.owner, state.power
    rows = whereabouts(state).rows
    abroad = [
        u for space in filter(rows.__getitem__, A.land) for u in rows[space]
        if owners[space] != powers[u]
    ]  # fmt: skip
    for unit in sorted(abroad):
        space, power = state.space[unit], powers[unit]
        if K.cls[state.kind[unit]] == NAVAL or power == NEUTRAL or state.status[power] != AT_WAR:
            continue
        friendly = control_side(state, space) == A.side[power] and A.group[owners[space]] == A.group[power]
        if not friendly and not (K.cls[state.kind[unit]] == GROUND and may_linger(state, space)):
            m.emit(Lost(unit=unit_name(state, unit), power=f"@{A.powers[power]}", why="w2e-land-status"))
            remove(state, unit)


def pacific_money(m: M) -> None:
    """The USA's yearly share for the war against Japan.  [w2e-usa-pacific]"""
    state = m.state
    usa = A.usa
    if state.status[usa] == AT_WAR:
        state.pot_turns += 1
    if not is_winter(state) or not state.pot_turns:
        return
    due = min(int(PACIFIC["amount"]), state.pot_turns * int(PACIFIC["pro_rata_per_turn"]))
    missing = max(0, due - state.pot)
    paid = min(missing, state.money[usa])
    state.money = added(state.money, usa, -paid)
    state.debt += 2 * (missing - paid)
    state.pot = state.pot_turns = 0
    m.emit(Noted(note="@note-pacific", power="@usa", number=due - (missing - paid)))


def clear_turn(m: M) -> None:
    """Forget what held for one turn only."""
    state = m.state
    flags = list(state.flags)
    for unit in filled(flags):
        flags[unit] &= ~PER_TURN
        if state.space[unit] >= 0 and K.cls[state.kind[unit]] != GROUND:
            flags[unit] &= ~CUT_OFF
    state.flags = tuple(flags)
    state.came = (NOBODY,) * len(state.came)
    powers = len(A.powers)
    state.rps_used = (0,) * powers
    state.given = (0,) * powers
    state.received = (0,) * powers
    state.rockets_fired = (0,) * powers
    state.attacked = ()
    state.front_choice = {}
    state.rail_in_ussr = 0
    state.leader_moved = (0,) * len(A.leaders)
    state.leader_begin = state.leader_space
    state.commands = {}
    state.start_owner = state.owner
