"""Option Leaders: generals and admirals by rank."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Modifier, Offer, OneOf
from sandtable.core.columns import put

from ..facts.control import is_friendly
from ..facts.whereabouts import has_ground
from ..model.actions import MoveLeader
from ..model.atlas import ATLAS, NEUTRAL, NOBODY
from ..model.events import LeaderLost, Noted
from ..model.kinds import GROUND, NAVAL
from ..model.state import AT_WAR, M, W2State

A = ATLAS
K = ATLAS.kinds

ABOARD = -2

_RANKS = 4

POINTS = int(A.house["leaders"]["movement"])

MARCHED, TRAVELLED = 1, 2
"""Bits of what a leader has done this turn: gone with the troops, gone by Redeployment."""


def leads(kind: int, row: dict[str, object]) -> bool:
    """Whether a leader's ability is for this kind of unit."""
    base, words = K.names[K.base[kind]], str(row["units"])
    if words == "all ground":
        return K.cls[kind] == GROUND
    if words == "surface ships":
        return K.cls[kind] == NAVAL and not K.submerged[kind] and not K.last_target[kind]
    return base in [word.strip() for word in words.split(",")]


def reaches(rank: int, stands: int, space: int) -> bool:
    """Whether a general of a rank who stands in one space commands another: only the first rank looks next door.

    [w2e-leaders-rank1] [w2e-leaders-rank2] [w2e-leaders-rank3]
    """
    if stands < 0:
        return False
    return stands == space or (rank == 1 and any(there == space for there, _, _ in A.land_links[stands]))


def claim_key(power: int, rank: int, space: int) -> int:
    """A power's command of a rank over a space as one number."""
    return (power * _RANKS + rank) * len(A.names) + space


def leaders_over(state: W2State, unit: int, where: int) -> dict[int, int]:
    """Per rank the one leader whose command a unit is under in a battle.

    A general counts only if the unit began the turn under him and he still commands the space of the battle; an
    admiral if his ship left the same port for the same place.  [w2e-leaders-general] [w2e-leaders-combine]
    """
    found: dict[int, int] = {}
    power, kind, home = state.power[unit], state.kind[unit], state.home[unit]
    for number, (owner, row) in enumerate(A.leaders):
        if owner != power or state.leader_dead[number] or not leads(kind, row):
            continue
        rank = int(row["rank"])
        if row["kind"] == "admiral":
            ship = state.leader_ship[number]
            led = ship >= 0 and state.home[ship] == home and state.space[ship] == state.space[unit]
        else:
            led = reaches(rank, state.leader_begin[number], home) and reaches(rank, state.leader_space[number], where)
            led = led and state.commands.get(claim_key(power, rank, home), number) == number
        if led:
            found.setdefault(rank, number)
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


def retreat_leaders(m: M, space: int, side: int, to: int) -> None:
    """Generals leave a lost battle with the ground units that retreat."""
    if not m.option("leaders"):
        return
    for number, (power, row) in enumerate(A.leaders):
        if row["kind"] == "general" and A.side[power] == side and m.state.leader_space[number] == space:
            m.state.leader_space = put(m.state.leader_space, number, to)


def kill_leaders(m: M, space: int, side: int) -> None:
    """All units of a side in a battle are gone, or the enemy walks in: its leaders there are lost.

    [w2e-leaders-death]
    """
    if not m.option("leaders"):
        return
    state = m.state
    for number, (power, _) in enumerate(A.leaders):
        if state.leader_dead[number] or A.side[power] != side:
            continue
        ship = state.leader_ship[number]
        gone = state.leader_space[number] == space or (ship >= 0 and state.space[ship] == NOBODY)
        if gone:
            state.leader_dead = put(state.leader_dead, number, 1)
            state.leader_space = put(state.leader_space, number, NOBODY)
            state.leader_ship = put(state.leader_ship, number, NOBODY)
            m.emit(LeaderLost(leader=A.leader_names[number]))


def drop_ships(m: M) -> None:
    """An admiral whose ship is sunk is lost with it.  [w2e-leaders-naval]"""
    if not m.option("leaders"):
        return
    state = m.state
    for number, ship in enumerate(state.leader_ship):
        if ship >= 0 and (state.space[ship] == NOBODY or state.power[ship] != A.leaders[number][0]):
            state.leader_dead = put(state.leader_dead, number, 1)
            state.leader_space = put(state.leader_space, number, NOBODY)
            state.leader_ship = put(state.leader_ship, number, NOBODY)
            m.emit(LeaderLost(leader=A.leader_names[number]))


# ---- with the troops -------------------------------------------------------------------------------------------------
def march_spaces(m: M, number: int) -> list[int]:
    """Where a general can go in the Movement phase: two spaces over land his side holds or fights on.

    [w2e-leaders-ground-move]
    """
    state = m.state
    power, _row = A.leaders[number]
    best = {state.leader_space[number]: 0}
    queue = list(best)
    for here in queue:
        for there, cost, _ in A.land_links[here]:
            owner = state.owner[there]
            ours = owner < NEUTRAL and state.status[owner] == AT_WAR and is_friendly(state, there, power)
            total = best[here] + cost
            if (
                total <= POINTS
                and total < best.get(there, 1 << 30)
                and (ours or has_ground(state, there, A.side[power]))
            ):
                best[there] = total
                queue.append(there)
    return queue[1:]


def march_offers(m: M, power: int, fronts: Sequence[int]) -> list[Offer]:
    """Generals of these fronts who have not gone with the troops yet."""
    if not m.option("leaders"):
        return []
    state = m.state
    mine = [
        A.leader_names[n] for n, (owner, row) in enumerate(A.leaders)
        if owner == power and row["kind"] == "general" and not state.leader_dead[n] and state.leader_space[n] >= 0
        and not state.leader_moved[n] & MARCHED
        and any(front in fronts for front in A.front_of[state.leader_begin[n]]) and march_spaces(m, n)
    ]  # fmt: skip
    if not mine:
        return []
    return [
        Offer(
            MoveLeader, Field("leader", "choice", OneOf(mine)),
            Field("to", "space",
                  lambda name: OneOf([A.names[s] for s in march_spaces(m, A.leader_names.index(name))])),
            rule="w2e-leaders-ground-move",
        )
    ]  # fmt: skip


def march_leader(m: M, power: int, action: MoveLeader) -> None:
    number = A.leader_names.index(action.leader)
    m.state.leader_moved = put(m.state.leader_moved, number, m.state.leader_moved[number] | MARCHED)
    m.state.leader_space = put(m.state.leader_space, number, A.index[action.to])
    m.emit(Noted(note="@note-leader", power=f"@{A.powers[power]}", place=f"@{action.to}"))
