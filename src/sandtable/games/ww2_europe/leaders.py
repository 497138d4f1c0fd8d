"""Option Leaders: generals and admirals by rank."""

from __future__ import annotations

from sandtable.core import Modifier

from .atlas import ATLAS, NOBODY
from .events import LeaderLost
from .kinds import GROUND, NAVAL
from .state import M, W2State

A = ATLAS
K = ATLAS.kinds
ABOARD = -2


def leads(kind: int, row: dict[str, object]) -> bool:
    """Whether a leader's ability is for this kind of unit."""
    base, words = K.names[K.base[kind]], str(row["units"])
    if words == "all ground":
        return K.cls[kind] == GROUND
    if words == "surface ships":
        return K.cls[kind] == NAVAL and not K.submerged[kind] and not K.last_target[kind]
    return base in [word.strip() for word in words.split(",")]


def leaders_over(state: W2State, unit: int, where: int) -> dict[int, int]:
    """Per rank the leader whose command a unit is under; of several of one rank the first has it.

    A general counts only if he and the unit began the turn so.  [w2e-leaders-general] [w2e-leaders-combine]
    [w2e-leaders-rank1] [w2e-leaders-rank2] [w2e-leaders-rank3]
    """
    found: dict[int, int] = {}
    power, kind, home = state.power[unit], state.kind[unit], state.home[unit]
    for number, (owner, row) in enumerate(A.leaders):
        if owner != power or state.leader_dead[number] or not leads(kind, row):
            continue
        if row["kind"] == "admiral":
            ship = state.leader_ship[number]
            begins = ship >= 0 and state.home[ship] == home
        else:
            stood = state.leader_begin[number]
            near = stood >= 0 and row["rank"] == 1 and any(there == home for there, _, _ in A.land_links[stood])
            begins = stood >= 0 and (stood == home or near)
        if begins:
            found.setdefault(int(row["rank"]), number)
    return found


def leader_bonus(m: M, unit: int, space: int) -> list[Modifier]:
    """+1 in the first round for each rank over the unit."""
    if not m.option("leaders"):
        return []
    over = leaders_over(m.state, unit, space)
    rules = {1: "w2e-leaders-rank1", 2: "w2e-leaders-rank2", 3: "w2e-leaders-rank3"}
    return [
        Modifier("leader", int(A.leaders[number][1]["bonus"]), rules[rank])
        for rank, number in sorted(over.items())
        if A.leaders[number][1]["bonus"]
    ]


def kill_leaders(m: M, space: int, side: int) -> None:
    """All units of a side in a battle are gone: its leaders there die with them.  [w2e-leaders-death]"""
    state = m.state
    for number, (power, _) in enumerate(A.leaders):
        if state.leader_dead[number] or A.side[power] != side:
            continue
        ship = state.leader_ship[number]
        gone = state.leader_space[number] == space or (ship >= 0 and state.space[ship] == NOBODY)
        if gone:
            state.leader_dead[number] = 1
            state.leader_space[number] = state.leader_ship[number] = NOBODY
            m.emit(LeaderLost(leader=A.leader_names[number]))


def drop_ships(m: M) -> None:
    """An admiral whose ship is sunk is lost with it.  [w2e-leaders-naval]"""
    state = m.state
    for number, ship in enumerate(state.leader_ship):
        if ship >= 0 and (state.space[ship] == NOBODY or state.power[ship] != A.leaders[number][0]):
            state.leader_dead[number] = 1
            state.leader_space[number] = state.leader_ship[number] = NOBODY
            m.emit(LeaderLost(leader=A.leader_names[number]))
