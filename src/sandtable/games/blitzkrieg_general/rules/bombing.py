"""6.5.6 Strategic bombardment and the atomic bomb's flight: what a raid does to production."""

from __future__ import annotations

from sandtable.core.columns import having, put

from ..facts.production import area_value
from ..model import events as ev
from ..model.atlas import ATLAS, GERMANY, name
from ..model.state import BKState, M, the_battle
from ..model.tables import LIMITS


def worth(state: BKState, space: int) -> int:
    """Return what an area adds to its owner's production now. [bg-6.5.6-cap]"""
    owner = state.control[space]
    if ATLAS.germany_only[space]:
        return ATLAS.right[space] if state.side[owner] == state.side[GERMANY] else 0
    return area_value(state, space, owner)


def bomb(m: M, space: int, hits: int) -> int:
    """Destroy production for this quarter, never more than there is. [bg-6.5.6-hit] [bg-6.5.6-cap]"""
    state = m.state
    done = state.bombed.get(space, 0)
    more = max(0, min(hits, worth(state, space) - done))
    if more:
        state.bombed = having(state.bombed, space, done + more)
    m.emit(ev.Bombed(space=name(space), points=more))
    return more


def finish_raid(m: M) -> None:
    """Count the bombs that fell; the atomic bomb falls unless its carrier was hit. [bg-7.5-atom-effect]"""
    battle = the_battle(m.state)
    if battle.bombs:
        bomb(m, battle.space, battle.bombs)
    if battle.atom >= 0 and not is_intercepted(m, battle.taken):
        drop_atom(m, battle.space, battle.atom)


def is_intercepted(m: M, hits: int) -> bool:
    """Return whether the carrier is hit: by five hits, or by any hit and a 6. [bg-7.5-atom-intercept]"""
    if hits >= LIMITS["atom_hits"]:
        return True
    return hits > 0 and m.roll(why="bg-7.5-atom-intercept") == 6


def drop_atom(m: M, space: int, major: int) -> None:
    """Destroy all production of an area for this turn and bring its country nearer to collapse. [bg-7.5-atom-effect]
    [bg-7.5-atom-collapse] [bg-7.5-atom-home-only]"""
    state = m.state
    bomb(m, space, worth(state, space))
    victim = ATLAS.home_of[space]
    if victim >= 0 and state.control[space] == victim:
        state.atom_hits = put(state.atom_hits, victim, state.atom_hits[victim] + 1)
        state.atom_new |= 1 << victim
