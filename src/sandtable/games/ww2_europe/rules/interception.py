"""Where paths cross: who is where at sea, which encounters there are, and in what order they come."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..facts.control import control_group, control_side
from ..facts.convoys import crew
from ..facts.roster import roster
from ..facts.whereabouts import whereabouts
from ..model.atlas import ATLAS, NOBODY
from ..model.kinds import AIR, NAVAL
from ..model.state import HOME_BOUND, IN_CONVOY, ORDER_HUNT, ORDER_MOVE, ORDER_PATROL, RAIDER, SOUGHT, M, Task, W2State

A = ATLAS
K = ATLAS.kinds


def task_of(state: W2State, unit: int) -> Task | None:
    number = state.task[unit]
    return state.tasks[number] if number >= 0 else None


def is_at_sea(state: W2State, unit: int) -> bool:
    """Whether a ship or plane can take part in encounters: ships, and planes on patrol, not yet homeward bound."""
    space = state.space[unit]
    return (
        (space >= 0 or space == IN_CONVOY) and state.cargo_of[unit] < 0 and not state.flags[unit] & HOME_BOUND
        and (state.task[unit] >= 0 or K.cls[state.kind[unit]] == NAVAL)
    )  # fmt: skip


def at_sea(m: M, side: int) -> list[int]:
    """Units of a side that can take part in encounters."""
    return [u for u in roster(m.state).seagoing[side] if is_at_sea(m.state, u)]


def passing(m: M, space: int, side: int) -> list[int]:
    """Those of them whose path runs through a space: they lie there, or are where a path through it ends."""
    state, where = m.state, whereabouts(m.state)
    near = {*where.rows[space]}
    for task in state.tasks:
        if space in task.path:
            near.update(where.rows[task.path[-1]])
    for convoy in state.convoys:
        if space in convoy.route:
            near.update(crew(state, convoy.number))
    powers, kinds = state.power, state.kind
    return [
        u for u in sorted(near)
        if A.side[powers[u]] == side and K.cls[kinds[u]] in (AIR, NAVAL) and is_at_sea(state, u)
        and space in path_of(state, u)
    ]  # fmt: skip


def path_of(state: W2State, unit: int) -> tuple[int, ...]:
    """Every space a unit is considered to be in this turn.  [w2e-pause-contact] [w2e-sea-face-all-units]"""
    if state.space[unit] == IN_CONVOY:
        convoy = next((c for c in state.convoys if c.number == state.convoy[unit]), None)
        return convoy.route if convoy is not None else ()
    task = task_of(state, unit)
    return task.path if task is not None else (state.space[unit],)


def patrols_at(state: W2State, unit: int, space: int) -> bool:
    """Whether the unit seeks battle in this space: its one patrolled space.  [w2e-patrol-one-space]"""
    task = task_of(state, unit)
    return (
        task is not None and task.order == ORDER_PATROL and task.path[-1] == space
        and not K.must_avoid[state.kind[unit]] and not A.is_land[space]
    )  # fmt: skip


def hunts_at(state: W2State, unit: int, space: int) -> bool:
    """A surface raider after a convoy in this space.  [w2e-special-raiders]"""
    task = task_of(state, unit)
    return (
        task is not None and task.order == ORDER_HUNT and task.path[-1] == space
        and bool(state.flags[unit] & RAIDER) and K.cls[state.kind[unit]] == NAVAL
    )  # fmt: skip


def avoids_at(state: W2State, unit: int, space: int) -> bool:
    """Whether the unit is there and avoids battle: everything that is not patrolling it.  [w2e-avoid]"""
    if K.cls[state.kind[unit]] != NAVAL or patrols_at(state, unit, space):
        return False
    return space in path_of(state, unit)


def afield(m: M) -> list[int]:
    """Ships and planes under orders that are not yet homeward bound: they are where their paths end."""
    state, rows = m.state, whereabouts(m.state).rows
    tasks, aboard, flags = state.task, state.cargo_of, state.flags
    ends = {task.path[-1] for task in state.tasks}
    return [
        u for end in ends for u in rows[end] if tasks[u] >= 0 and aboard[u] < 0 and not flags[u] & HOME_BOUND
    ]  # fmt: skip


def encounters(m: M) -> list[int]:
    """Spaces that one side patrols and in which the other one is; without a patrol paths cross unnoticed.

    [w2e-no-patrol] [w2e-one-patrol] [w2e-both-patrol]
    """
    state = m.state
    there: tuple[set[int], set[int]] = (set(), set())
    under_way: tuple[set[int], set[int]] = (set(), set())
    for unit in afield(m):
        side, task = A.side[state.power[unit]], state.tasks[state.task[unit]]
        if K.cls[state.kind[unit]] != AIR:
            under_way[side].add(task.number)
        end = task.path[-1]  # nobody seeks battle anywhere else
        if task.order == ORDER_MOVE or end in there[side]:
            continue
        if patrols_at(state, unit, end) or hunts_at(state, unit, end):
            there[side].add(end)
    sought = there[0] | there[1]
    if not sought:
        return []
    ways = [{state.tasks[number].path for number in numbers} for numbers in under_way]
    for convoy in state.convoys:
        if any(not state.flags[u] & HOME_BOUND for u in crew(state, convoy.number)):
            ways[A.side[convoy.power]].add(convoy.route)
    rows = whereabouts(state).rows
    for space in sought:
        for unit in rows[space]:  # ships at anchor
            side = A.side[state.power[unit]]
            if side >= 0 and K.cls[state.kind[unit]] == NAVAL and not state.flags[unit] & HOME_BOUND:
                there[side].add(space)
    for side in (0, 1):
        there[side].update(*ways[side])
    return sorted(space for space in there[0] & there[1] & sought if not A.is_land[space])


def involved(m: M, space: int) -> list[int]:
    """All units whose path runs through a space."""
    return [*passing(m, space, 0), *passing(m, space, 1)]


def before(m: M, spaces: Iterable[int]) -> dict[int, set[int]]:
    """Per encounter the others that must be settled first: a unit of both passes them earlier on its path.

    [w2e-interception-multiple] [w2e-ex-multi-dependencies]
    """
    state = m.state
    wanted = set(spaces)
    earlier: dict[int, set[int]] = {space: set() for space in wanted}
    if len(wanted) < 2:
        return earlier
    # a convoy is in all its spaces at once, a ship at anchor in one
    ways = {state.tasks[state.task[unit]].path for unit in afield(m)}
    for way in ways:
        met = [space for space in dict.fromkeys(way) if space in wanted]
        for place, space in enumerate(met):
            earlier[space].update(met[:place])
    return earlier


def next_encounters(m: M, left: Sequence[int]) -> list[int]:
    """The encounters that may come next; where none is clearly first, those the initiative player patrols.

    [w2e-ex-multi-order] [w2e-ex-multi-tie]
    """
    earlier = before(m, left)
    free = [space for space in left if not earlier[space]]
    if free:
        return free
    state = m.state
    for side in (state.first, 1 - state.first):
        own = [
            space for space in left
            if state.initiative[A.front_of[space][0]] == side
            and any(patrols_at(state, u, space) for u in at_sea(m, side))
        ]  # fmt: skip
        if own:
            return own
    return list(left)


# ---- interception ----------------------------------------------------------------------------------------------------
def distance(state: W2State, unit: int, space: int) -> int:
    """Spaces entered from the start (or the launch) to the patrolled space.  [w2e-interception-air-distance]"""
    task = task_of(state, unit)
    if task is None:
        return 0
    return task.path.index(space) if space in task.path else len(task.path) - 1


def needed(m: M, units: Sequence[int], space: int) -> int:
    """The highest roll that finds the enemy: 6 is automatic, 0 out of range. The farthest unit counts.

    [w2e-interception-combine] [w2e-interception-same-space] [w2e-tech-codebreaking]
    """
    state = m.state
    far = max(distance(state, unit, space) for unit in units)
    number = A.interception[far] if far < len(A.interception) else 0
    if 0 < far < len(A.interception):
        breaking = A.tech_index["code_breaking"]
        if any(state.known[state.power[unit]][breaking] == 2 for unit in units):
            number = min(number + 1, A.interception[1])
    return number


def found_by(m: M, die: int, number: int, targets: Sequence[int]) -> list[int]:
    """Which of the avoiding units a roll finds: submarines at -3, raiders on a 1.

    [w2e-unit-sub-silent] [w2e-special-raiders]
    """
    state = m.state
    silent = int(A.rules["interception"]["submarine_modifier"])
    found = []
    for unit in targets:
        limit = number
        if K.submerged[state.kind[unit]]:
            limit = 0 if state.flags[unit] & SOUGHT else number + silent
        elif state.flags[unit] & RAIDER:
            limit = 0 if state.flags[unit] & SOUGHT else min(number, 1)
        if die <= limit:
            found.append(unit)
    return found


def evades(m: M, space: int, seekers: Sequence[int], side: int) -> bool:
    """Ships in their own port slip away from ships, not from planes.  [w2e-auto-evade] [w2e-port-evade]"""
    state = m.state
    own = control_side(state, space) == side and control_group(state, space) != NOBODY
    return own and not any(K.cls[state.kind[u]] == AIR for u in seekers)
