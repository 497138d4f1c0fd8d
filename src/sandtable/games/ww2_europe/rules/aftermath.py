"""After a battle: who may retreat where, which planes join, what counts for initiative."""

from __future__ import annotations

from collections.abc import Sequence

from ..facts.control import control_group, is_friendly
from ..facts.whereabouts import has_ground
from ..model.atlas import ATLAS
from ..model.kinds import GROUND
from ..model.state import AMPHIBIOUS, CUT_OFF, M, added
from .homecoming import other_bases
from .stacking import ground_room, stack_sum
from .strength import is_surprised
from .terrain import can_stand

A = ATLAS
K = ATLAS.kinds


def stuck(m: M, units: Sequence[int], space: int, blitz: bool, *, cut_off_only: bool = False) -> bool:
    """Whether some of these units cannot retreat.  [w2e-cutoff-retreat] [w2e-surprise-retreat] [w2e-amphibious]"""
    state = m.state
    for unit in units:
        flags = state.flags[unit]
        if flags & CUT_OFF:
            return True
        if not cut_off_only and (flags & AMPHIBIOUS or is_surprised(state, unit, space, blitz)):
            return True
    return False


def retreat_spaces(m: M, units: Sequence[int], space: int, attacking: bool, blitz: bool, sea: bool) -> list[str]:
    """Return where a side may retreat; '' where only ships and planes would go.

    [w2e-retreat-ground] [w2e-retreat-air-naval] [w2e-retreat-started-there]
    """
    state = m.state
    if not units or stuck(m, units, space, blitz and not attacking):
        return []
    for unit in units:
        lives_here = K.cls[state.kind[unit]] != GROUND and state.home[unit] == space and state.space[unit] >= 0
        if lives_here and not other_bases(m, unit, space):
            return []
    ground = [u for u in units if K.cls[state.kind[u]] == GROUND]
    if sea or not ground:
        return [""]
    side, power = A.side[state.power[ground[0]]], state.power[ground[0]]
    need = stack_sum(state, ground)
    near = {there for there, _, _ in A.land_links[space]}
    if attacking:
        near &= {state.came[u] for u in ground}
    return [
        A.names[s] for s in sorted(near)
        if is_friendly(state, s, power) and control_group(state, s) == A.group[power]
        and not has_ground(state, s, 1 - side) and ground_room(state, s, side) >= need
        and all(can_stand(state.kind[u], s) for u in ground)
    ]  # fmt: skip


def count_win(m: M, front: int, side: int) -> None:
    """A battle won counts for the initiative of its front."""
    place = 2 * front + side
    m.state.wins = added(m.state.wins, place, 1)
