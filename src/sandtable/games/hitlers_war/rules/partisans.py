"""Partisan attacks on Axis-held hexes (Campaign Game II)."""

from __future__ import annotations

from functools import partial

from sandtable.core import Field, Named, Offer, Refusal
from sandtable.core.columns import having, lacking

from ..facts.territory import territory
from ..model.actions import Partisans
from ..model.atlas import ALLIES, ATLAS, AXIS, SOVIET, SPACES
from ..model.events import Partisan
from ..model.places import GERMANY, ITALY
from ..model.state import M, War, armies_in, space_name
from .control import take
from .naval.harbours import stranded
from .retreat import Retreats
from .surrender import Fallen

_CHART = ATLAS.tables["partisan"]
COST: int = _CHART["cost"]


def why_no_partisans(s: War, space: int) -> Refusal | None:
    """Why a hex cannot be attacked by partisans of the side whose turn it is.

    [hw-partisan-1] [hw-partisan-2] [hw-partisan-4]
    """
    at = space_name(space)
    if s.owner[space] != AXIS:
        return Refusal("hw-partisan-1", "hw-partisan-not-axis", at=at)
    if ATLAS.country_of[space] == GERMANY:
        return Refusal("hw-partisan-1", "hw-partisan-germany", at=at)
    freed = any(s.owner[x] in (SOVIET, ALLIES) for x in ATLAS.countries[ITALY].spaces)
    if ATLAS.country_of[space] == ITALY and not freed:
        return Refusal("hw-partisan-1", "hw-partisan-italy", at=at)
    if space in s.partisan_tries:
        return Refusal("hw-partisan-4", "hw-partisan-once", at=at)
    if armies_in(s, space) and not s.options.get("partisans_against_armies"):
        return Refusal("hw-partisan-1", "hw-partisan-army", at=at)
    if s.budget < COST:
        return Refusal("hw-partisan-2", "hw-no-money", needed=COST, left=s.budget)
    return None


def production_offers(m: M, side: int) -> list[Offer]:
    s = m.state
    if side == AXIS or not s.setting.technology:
        return []
    if s.budget < COST:
        return [
            Offer(Partisans, Refusal("hw-partisan-2", "hw-no-money", needed=COST, left=s.budget), rule="hw-partisan-2")
        ]
    places = Named(territory(s, AXIS).spaces, SPACES, partial(why_no_partisans, s), partial(why_no_partisans, s))
    return [Offer(Partisans, Field("at", "space", places), rule="hw-partisan-1")]


def take_production(m: M, action: object) -> bool:
    """Pay, roll, and on one or two the hex is the payer's, devastated.  [hw-partisan-2] [hw-partisan-3]"""
    if not isinstance(action, Partisans):
        return False
    s = m.state
    space = ATLAS.index[action.at]
    s.budget -= COST
    s.partisan_tries = having(s.partisan_tries, space, 1)
    won = m.roll(why="hw-partisan-2") in _CHART["success"]
    m.emit(Partisan(at=action.at, won=won))
    if won:
        displaced = tuple(armies_in(s, space))
        take(m, space, s.side)
        s.partisans = having(s.partisans, space, s.side)
        steps = [Retreats(space, displaced)] if displaced else []
        m.push(*steps, Fallen(space, s.side, AXIS), *stranded(s))
    return True


def test_links(s: War) -> None:
    """Partisan hexes that were linked with supply by the end of their side's combat phase stay.  [hw-partisan-3]"""
    for space in [x for x, side in s.partisans.items() if side == s.side]:
        s.partisans = lacking(s.partisans, space)
