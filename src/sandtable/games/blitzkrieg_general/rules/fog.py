"""Optional 9.12 Fog of war: of an enemy stack only the top unit may be looked at.

What lies under it is known by its nation and its arm alone: land units, HQs, aircraft, and each kind of ship. A view
shows the hidden counters of each such group in a fixed order over the places where they lie, all of them fresh.
"""

from __future__ import annotations

from random import Random

from sandtable.core.columns import put, put_all

from ..model.atlas import ARM, ATLAS, INF
from ..model.state import BKState
from .search import is_pinner

STACK = 10


def covered(state: BKState, units: tuple[int, ...], side: int) -> list[int]:
    """Return the units of others that are not on top of one of their stacks of at most ten. [bg-opt-9.12-stack]"""
    out: list[int] = []
    for other in (0, 1, -1):
        if other == side and side >= 0:
            continue
        stack = [u for u in units if state.side[state.nation[u]] == other]
        out.extend(u for place, u in enumerate(stack) if place % STACK != STACK - 1 and place != len(stack) - 1)
    return out


def _in_the_open(state: BKState) -> set[int]:
    """Units that are busy under everybody's eyes: in battle, in flight, under way, laden, or come to pin a fleet."""
    busy = set(state.abroad) | set(state.cargo)
    busy.update(u for zone in state.sea_battles for u in state.here[zone] if is_pinner(state, u))
    if state.battle is not None:
        busy.update((*state.battle.attackers, *state.battle.defenders, *state.battle.invaders, *state.battle.gone))
    for step in state.stack:
        for field in ("units", "ships", "help", "moved"):
            busy.update(u for u in getattr(step, field, ()) if isinstance(u, int))
    return busy


def _groups(state: BKState, side: int) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """The hidden places (space, position in it) by nation and arm."""
    kinds, busy = ATLAS.type, _in_the_open(state)
    out: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for space, units in enumerate(state.here):
        if len(units) < 2:
            continue
        hidden = set(covered(state, units, side)) - busy
        for position, unit in enumerate(units):
            if unit in hidden:
                arm = INF if kinds[unit] == ARM else kinds[unit]
                out.setdefault((state.nation[unit], arm), []).append((space, position))
    return out


def _deal(state: BKState, places: list[tuple[int, int]], units: list[int]) -> None:
    """Put these units into these places."""
    here, place, start = list(state.here), list(state.place), list(state.start)
    for (space, position), unit in zip(places, units, strict=True):
        here[space] = put(here[space], position, unit)
        place[unit] = start[unit] = space
    state.here, state.place, state.start = tuple(here), tuple(place), tuple(start)


def hide_stacks(state: BKState, me: int) -> None:
    """[bg-opt-9.12-fog] take out of a copy of the state what lies under the tops of other sides' stacks."""
    if not state.options.get("fog-of-war"):
        return
    for places in _groups(state, state.side[me] if me >= 0 else -1).values():
        units = sorted(state.here[space][position] for space, position in places)
        _deal(state, places, units)
        state.flags, state.flipped = put_all(state.flags, units, 0), put_all(state.flipped, units, 0)
        state.spent = put_all(state.spent, units, 0)
        state.origin, state.due = put_all(state.origin, units, -1), put_all(state.due, units, -1)


def show_stacks(state: BKState, me: int, rng: Random, *, hurt: bool = False) -> None:
    """Deal the hidden counters at random over their places; with `hurt` some are reduced."""
    if not state.options.get("fog-of-war"):
        return
    for places in _groups(state, state.side[me] if me >= 0 else -1).values():
        units = [state.here[space][position] for space, position in places]
        rng.shuffle(units)
        _deal(state, places, units)
        for unit in units if hurt else ():
            state.flipped = put(state.flipped, unit, int(ATLAS.back[unit] >= 0 and rng.random() < 0.5))
