"""6.5.6 Strategic bombardment and the atomic bomb's flight: what a raid does to production."""

from __future__ import annotations

from ..model import events as ev
from ..model.atlas import GERMANY, atlas
from ..model.state import BKPlay, BKState
from ..model.tables import LIMITS
from .chart import the_battle
from .economy import area_value
from .reach import name


def worth(state: BKState, space: int) -> int:
    """What an area adds to its owner's production now. [bg-6.5.6-cap]"""
    found = atlas()
    owner = state.control[space]
    if found.germany_only[space]:
        return found.right[space] if state.side[owner] == state.side[GERMANY] else 0
    return area_value(state, space, owner)


def bomb(m: BKPlay, space: int, hits: int) -> int:
    """Destroy production for this quarter, never more than there is. [bg-6.5.6-hit] [bg-6.5.6-cap]"""
    state = m.state
    done = state.bombed.get(space, 0)
    more = max(0, min(hits, worth(state, space) - done))
    if more:
        state.bombed = {**state.bombed, space: done + more}
    m.emit(ev.Bombed(space=name(space), points=more))
    return more


def finish_raid(m: BKPlay) -> None:
    """The bombs that fell count; the atomic bomb falls unless its carrier was hit. [bg-7.5-atom-effect]"""
    battle = the_battle(m.state)
    if battle.bombs:
        bomb(m, battle.space, battle.bombs)
    if battle.atom >= 0 and not is_intercepted(m, battle.taken):
        from .research import drop_atom

        drop_atom(m, battle.space, battle.atom)


def is_intercepted(m: BKPlay, hits: int) -> bool:
    """The carrier is hit by five hits, or by any hit and a 6. [bg-7.5-atom-intercept]"""
    if hits >= LIMITS["atom_hits"]:
        return True
    return hits > 0 and m.roll(6, why="bg-7.5-atom-intercept") == 6
