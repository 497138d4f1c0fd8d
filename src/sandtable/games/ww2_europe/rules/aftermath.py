"""After a battle: retreats, who takes the ground, what counts for initiative, the depot of a landing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sandtable.core.columns import put

from ..facts.control import control_group, is_friendly
from ..facts.whereabouts import cargo, has_ground
from ..model.atlas import ATLAS, NOBODY
from ..model.kinds import AIR, GROUND
from ..model.state import AMPHIBIOUS, CUT_OFF, LAUNCHED, MOVED, M, added
from ..model.units import mark, put_aboard
from .homecoming import ON_DECK, closest_bases
from .stacking import ground_room, stack_sum
from .strength import is_surprised
from .terrain import can_stand

A = ATLAS
K = ATLAS.kinds

if TYPE_CHECKING:
    pass


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
    """Where a side may retreat; '' where only ships and planes would go.

    [w2e-retreat-ground] [w2e-retreat-air-naval] [w2e-retreat-started-there]
    """
    state = m.state
    if not units or stuck(m, units, space, blitz and not attacking):
        return []
    for unit in units:
        lives_here = K.cls[state.kind[unit]] != GROUND and state.home[unit] == space and state.space[unit] >= 0
        if lives_here and not closest_bases(m, unit, space):
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


def launch_deck(m: M, units: Sequence[int]) -> list[int]:
    """Planes of a carrier that was caught with them aboard join after the first round.

    [w2e-unit-carrier-extended]
    """
    state = m.state
    found = []
    for ship in units:
        if state.space[ship] >= 0 and state.kind[ship] == K.carrier and not state.damage[ship]:
            for plane in cargo(state, ship):
                if K.cls[state.kind[plane]] == AIR:
                    put_aboard(state, plane, NOBODY)
                    state.home = put(state.home, plane, ON_DECK - ship)
                    mark(state, plane, LAUNCHED | MOVED)
                    found.append(plane)
    return found


def count_win(m: M, front: int, side: int) -> None:
    """A battle won counts for the initiative of its front."""
    place = 2 * front + side
    m.state.wins = added(m.state.wins, place, 1)
