"""Strategic warfare (Campaign Game II): what bombers, missiles and atomic bombs can strike."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.atlas import ALLIES, ATLAS, AXIS
from ...model.places import BERLIN, BRITISH_CAPITALS
from ...model.state import ON_BOMBERS, War, in_box
from ..control import healthy
from ..morale import COUNTRIES

_CHART = ATLAS.tables["bombing"]
ATOMIC = int(_CHART["atomic"]["firepower"])
REACH: int = _CHART["range"]
MISSILE_REACH: int = _CHART["missile_range"]
INDUSTRY = "industry"
_CAPITALS = (
    (BERLIN,),
    BRITISH_CAPITALS,
)
_SIDE_OF_COUNTRY = (AXIS, ALLIES)
_MAINLAND = tuple(ATLAS.countries[ATLAS.country_index[name]].spaces for name in COUNTRIES)
_WORTH = tuple(x for x in ATLAS.land if ATLAS.production[x] and not ATLAS.is_box[x])
_UBOAT = ATLAS.tables["u_boat"]


def bombers(s: War, side: int) -> int:
    return in_box(s, side, "bomber")


def near(s: War, side: int, space: int) -> bool:
    """Within four hexes of a friendly hex, counted over land and sea.  [hw-bomb-2]"""
    owner = s.owner
    return any(owner[x] == side for x in ATLAS.within(space, REACH))


def in_reach(s: War, side: int, space: int, counter: int) -> bool:
    """Whether bombers (counter -1) or a missile counter can strike a space.  [hw-bomb-2] [hw-missile-4]"""
    if ATLAS.is_box[space]:
        return False
    return near(s, side, space) if counter < 0 else space in ATLAS.within(s.missile_at[counter], MISSILE_REACH)


def industry(s: War, side: int, foe: int, counter: int = -1) -> list[int]:
    """Production hexes of a side that can be struck."""
    return [x for x in _WORTH if s.owner[x] == foe and healthy(s, x) and in_reach(s, side, x, counter)]


def atomic_targets(s: War, side: int, enemies: Sequence[int], counter: int) -> list[int]:
    """Hexes of some sides on which the bombers or a missile counter can drop an atomic bomb.  [hw-abomb-4]"""
    if not s.bombs[ON_BOMBERS + side if counter < 0 else counter]:
        return []
    return [x for x in ATLAS.land if s.owner[x] in enemies and in_reach(s, side, x, counter)]


def aims(s: War, side: int, foe: int, counter: int = -1) -> list[str]:
    """Industry, or the morale of a country whose capital is in range.  [hw-bomb-5] [hw-moraleattack-1]"""
    found = [INDUSTRY] if industry(s, side, foe, counter) or atomic_targets(s, side, [foe], counter) else []
    for country, name in enumerate(COUNTRIES):
        fights = _SIDE_OF_COUNTRY[country] == foe and not s.surrendered[ATLAS.country_index[name]]
        if fights and any(in_reach(s, side, x, counter) for x in _CAPITALS[country]):
            found.append(name)
    return found
