"""1.1, 1.2 and optional 9.11: why a unit may not stop in a space."""

from __future__ import annotations

from sandtable.core import Refusal

from ..facts.ground import is_friendly
from ..facts.stacking import is_full, stranger
from ..model.atlas import ATLAS, name
from ..model.state import BKState, has_enemy


def why_not_stack(state: BKState, unit: int, space: int) -> Refusal | None:
    """Refuse a unit where its side has as many units as the space can hold. [bg-1.2-desert] [bg-1.1-stack-limit]"""
    if not is_full(state, unit, space):
        return None
    island, desert = ATLAS.stack_limit[space], ATLAS.desert_limit[space]
    rule = "bg-1.1-stack-limit" if island else "bg-1.2-desert"
    return Refusal(rule, "stack-limit", space=name(space), limit=island or desert)


def why_not_cooperate(state: BKState, unit: int, space: int) -> Refusal | None:
    """Refuse a unit where somebody is with whom it does not cooperate. [bg-opt-9.11-limits]"""
    other = stranger(state, unit, space)
    return None if other < 0 else no_cooperation(other)


def no_cooperation(nation: int) -> Refusal:
    return Refusal("bg-opt-9.11-limits", "no-cooperation", country=f"@{ATLAS.nation_ids[nation]}")


def why_not_stop(state: BKState, unit: int, space: int) -> Refusal | None:
    """Refuse a unit by either rule."""
    return why_not_stack(state, unit, space) or why_not_cooperate(state, unit, space)


def why_not_land(state: BKState, unit: int, space: int) -> Refusal | None:
    """Refuse an aircraft that wants to land at sea or in an area that is not friendly. [bg-6.4.1-air-landing]
    [bg-6.5.8-air-no-sea] [bg-1.1-no-basing-open-sea]"""
    nation = state.nation[unit]
    if ATLAS.is_sea[space]:
        return Refusal("bg-6.5.8-air-no-sea", "no-landing-at-sea", space=name(space))
    if not is_friendly(state, nation, space) or has_enemy(state, nation, space):
        return Refusal("bg-6.4.1-air-landing", "not-friendly", space=name(space))
    return why_not_stop(state, unit, space)
