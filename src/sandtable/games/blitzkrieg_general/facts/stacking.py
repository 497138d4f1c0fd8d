"""Who is in the way: the limits of deserts and small islands, and who may not stack with whom (optional 9.11)."""

from __future__ import annotations

from ..model.atlas import ATLAS
from ..model.state import BKState
from .politics import cooperate


def is_full(s: BKState, unit: int, space: int, more: int = 0) -> bool:
    """Return whether a space holds as many units of a side as it can, this one left aside and so many more added.
    Deserts and small islands have a limit; HQs are not counted. [bg-1.2-desert] [bg-1.1-stack-limit]
    [bg-1.1-no-limit-areas]"""
    if not s.advanced or not ATLAS.is_limited[space] or ATLAS.is_hq[unit]:
        return False
    island, air = ATLAS.stack_limit[space], ATLAS.is_air[unit]
    if air and not island:
        return False
    side, count = s.side[s.nation[unit]], more
    for other in s.here[space]:
        if other != unit and ATLAS.is_air[other] == air and not ATLAS.is_hq[other]:
            count += s.side[s.nation[other]] == side
    for load in _landing(s, space):
        count += load != unit and s.side[s.nation[load]] == side and not ATLAS.is_hq[load]
    return count >= (island or ATLAS.desert_limit[space])


def _landing(s: BKState, space: int) -> list[int]:
    """Cargo that is about to invade a space."""
    if not s.invasions:
        return []
    return [u for loads in s.cargo.values() for u in loads if s.mission[u] == space]


def stranger(s: BKState, unit: int, space: int) -> int:
    """Return the nation with which a unit may not share a space under optional rule 9.11; -1 when there is none.
    [bg-opt-9.11-limits] [bg-opt-9.11-who]"""
    if not s.options.get("cooperation"):
        return -1
    mine = s.nation[unit]
    there = [s.nation[u] for u in s.here[space] if u != unit]
    there += [s.nation[u] for u, target in s.abroad.items() if target == space and u != unit]
    if not ATLAS.is_sea[space]:
        there.insert(0, s.control[space])
    return next((n for n in there if s.side[n] == s.side[mine] and not cooperate(s, mine, n)), -1)


def has_room(s: BKState, unit: int, space: int) -> bool:
    """Return whether a unit may be added to a space by both rules."""
    return not is_full(s, unit, space) and stranger(s, unit, space) < 0
