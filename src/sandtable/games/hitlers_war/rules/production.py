"""Production: what a side may build where, forts, repairs and lend-lease.

Chapters 'Production', 'Fortifications: Production', 'Lend-Lease', 'Allied Production', 'Trans-Atlantic Shipping'.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Refusal
from sandtable.core.columns import having, lacking

from ..model.atlas import AIR, ALLIES, ATLAS, AXIS, FORTS, KINDS, SIDES, SOVIET, STACK
from ..model.places import FRENCH_HEXES, SIBERIA, UNITED_STATES
from ..model.state import War, army_name, side_of, space_name, stacked
from ..model.technology import SIXTH
from . import italian, research
from .control import capacity, healthy
from .movement import why_not_mixed

_COSTS = ATLAS.tables["unit_costs_basic"]
_RULES = ATLAS.rules
_COST = {item: int(cost) for item, cost in _COSTS.items() if isinstance(cost, int)}
_REPAIR = _COST["repair_per_point"]
_LEND = ATLAS.tables["lend_lease"]
_DEPOTS = ATLAS.spaces(_LEND["depots"])
_US_FIRST: int = ATLAS.tables["trans_atlantic"]["first_points_built_in_us"]
BASES: tuple[tuple[int, ...], ...] = tuple(
    tuple(x for name in _RULES["home_bases"][side] for x in ATLAS.countries[ATLAS.country_index[name]].spaces)
    for side in SIDES
)
_BASE_RULES = ("hw-build-3", "hw-build-4", "hw-allied-build")
"""Per side: spaces where its new points may appear while they produce.  [hw-build-3] [hw-build-4] [hw-allied-build]"""
_WORKS = tuple(tuple(x for x in bases if ATLAS.production[x]) for bases in BASES)


# ---- prices
def cost(s: War, side: int, item: str, number: int) -> int:
    """What so many points cost: by the basic chart, or by tech level in Campaign Game II.

    [hw-basic-cost-table] [hw-cost-1] [hw-build-6]
    """
    return research.cost_of(s, side, item, number) if s.setting.technology else _COST[item] * number


def affordable(s: War, side: int, item: str) -> int:
    """How many points of an item the budget still buys.  [hw-build-2]"""
    if s.setting.technology:
        each = research.price(s, side, item)
        return s.budget * SIXTH // each if each else 0
    return s.budget // _COST[item]


def buildable(s: War, side: int) -> list[str]:
    """Kinds of army points a scenario lets a side build.  [hw-build-1] [hw-amph-1] [hw-attack-5]"""
    return [kind for kind in KINDS if kind in s.setting.unit_types and affordable(s, side, kind)]


# ---- where
def owes_america(s: War) -> int:
    """Points the Allies must still build in the United States this turn.  [hw-trans-1]"""
    if not s.setting.technology or not s.america or s.owner[UNITED_STATES] != ALLIES:
        return 0
    return max(0, _US_FIRST - s.american_builds)


def why_no_base(s: War, side: int, space: int, kind: str, number: int) -> Refusal | None:
    """Why new points may not appear in a space.

    [hw-build-3] [hw-build-4] [hw-build-5] [hw-stack-6] [hw-allied-build] [hw-trans-1] [hw-record-1]
    """
    rule = _BASE_RULES[side]
    at = space_name(space)
    short = italian.shortfall(s) if side == AXIS else {}
    if short and kind in short:
        if space not in italian.territory() or s.owner[space] != side:
            return Refusal("hw-ital-2", "hw-italy-first", at=at)
    else:
        if space not in BASES[side]:
            return Refusal(rule, "hw-no-base", at=at)
        if s.owner[space] != side:
            return Refusal(rule, "hw-not-friendly", to=at)
        if not healthy(s, space):
            return Refusal(rule, "hw-no-production", at=at)
    if side == ALLIES and space != UNITED_STATES and owes_america(s):
        return Refusal("hw-trans-1", "hw-america-first", left=owes_america(s))
    if kind != KINDS[AIR] and not ATLAS.is_box[space] and STACK - stacked(s, space) < number:
        return Refusal("hw-build-5", "hw-overstack", at=at, room=STACK - stacked(s, space))
    full = -1 not in s.army_at[side * 12 : side * 12 + 12]
    if full and all(why_no_recruit(s, army, space, kind) is not None for army in recruits(s, side, space)):
        return Refusal("hw-record-1", "hw-twelve-armies")
    return None


def build_places(s: War, side: int, kind: str) -> list[int]:
    """Spaces where a point of a kind may appear."""
    owner = s.owner
    spaces = _WORKS[side] if not (side == AXIS and kind in italian.shortfall(s)) else sorted(italian.territory())
    return [x for x in spaces if owner[x] == side and why_no_base(s, side, x, kind, 1) is None]


def recruits(s: War, side: int, space: int) -> list[int]:
    """Counters of a side that are in a space or not in play: only these can take new points there."""
    first = side * 12
    return [first + a for a, at in enumerate(s.army_at[first : first + 12]) if at == space or at < 0]


def why_no_recruit(s: War, army: int, space: int, kind: str) -> Refusal | None:
    """Why new points may not join an army: it is elsewhere, or holds what they may not be mixed with."""
    name = army_name(army)
    if side_of(army) != s.side:
        return Refusal("hw-build-3", "hw-not-your-army", army=name)
    if s.army_at[army] not in (-1, space):
        return Refusal("hw-build-3", "hw-army-elsewhere", army=name)
    if s.idle[army]:
        return Refusal("hw-limit-1", "hw-army-unaligned", army=name)
    return why_not_mixed(name, ((kind, 1),), s.strength[army * 5 : army * 5 + 5])


def most_builds(s: War, side: int, kind: str, space: int) -> int:
    """How many points of a kind can be built in a space at once."""
    most = affordable(s, side, kind)
    if kind != KINDS[AIR] and not ATLAS.is_box[space]:
        most = min(most, STACK - stacked(s, space))
    short = italian.shortfall(s) if side == AXIS else {}
    if kind in short:
        most = min(most, short[kind])
    return most


# ---- forts
def why_no_fort(s: War, side: int, space: int) -> Refusal | None:
    """Why no fort points may be built in a hex.  [hw-fort-2] [hw-fort-3] [hw-frenchfort-1]"""
    at = space_name(space)
    if s.owner[space] != side:
        return Refusal("hw-fort-2", "hw-not-friendly", to=at)
    if ATLAS.is_box[space]:
        return Refusal("hw-fort-2", "hw-fort-box", at=at)
    if s.setting.politics and space in FRENCH_HEXES and s.turn < ATLAS.turn("french_forts"):
        return Refusal("hw-frenchfort-1", "hw-french-fort", at=at)
    forts = forts_of(s, side)
    if space not in forts and len(forts) >= FORTS:
        return Refusal("hw-fort-3", "hw-seven-forts", most=FORTS)
    if fort_room(s, space) < 1:
        return Refusal("hw-fort-1", "hw-overstack", at=at, room=0)
    return None


def forts_of(s: War, side: int) -> set[int]:
    """Hexes with a fort of a side, finished or not."""
    owner = s.owner
    return {x for x in (*s.fort, *s.building) if owner[x] == side}


def fort_room(s: War, space: int) -> int:
    """Fort points that still fit under the limit of a hex.  [hw-fort-1]"""
    return STACK - s.fort.get(space, 0) - s.building.get(space, 0)


def finish_forts(s: War, side: int) -> None:
    """Fort points of the last production phase become operational.  [hw-fort-5]"""
    for space in [x for x in s.building if s.owner[x] == side]:
        s.fort = having(s.fort, space, s.fort.get(space, 0) + s.building[space])
        s.building = lacking(s.building, space)


# ---- repair
def why_no_repair(s: War, side: int, cut_off: Sequence[int], space: int) -> Refusal | None:
    """Why devastated production in a space cannot be repaired.

    [hw-repair-2] [hw-repair-3] [hw-repair-4] [hw-surr-france-6] [hw-siberia-2] [hw-bar-devastation]
    """
    at = space_name(space)
    if s.owner[space] != side:
        return Refusal("hw-repair-2", "hw-not-friendly", to=at)
    if not s.devastated.get(space, 0):
        return why_no_more_repair(s, side, space)
    if space in cut_off:
        return Refusal("hw-repair-4", "hw-repair-unsupplied", at=at)
    return why_no_more_repair(s, side, space) if repair_room(s, side, space) < 1 else None


def why_no_more_repair(s: War, side: int, space: int) -> Refusal:
    """Why not so many points can be repaired in a space: it has no more, they are lost for good, or only to the Axis.

    [hw-repair-2] [hw-bar-devastation] [hw-fall-devastation] [hw-abomb-4] [hw-surr-france-6] [hw-siberia-2]
    """
    at = space_name(space)
    if repair_room(s, side, space) < s.devastated.get(space, 0):
        rule = "hw-siberia-2" if space == SIBERIA else "hw-surr-france-6"
        return Refusal(rule, "hw-repair-limit", at=at)
    if s.ruined.get(space, 0):
        return Refusal(s.setting.rule_of.get("ruined", "hw-abomb-4"), "hw-lost-for-good", at=at)
    return Refusal("hw-repair-2", "hw-nothing-to-repair", at=at)


def repair_room(s: War, side: int, space: int) -> int:
    """Points that may be repaired in a space: France and Siberia give the Axis only a part.

    [hw-surr-france-6] [hw-siberia-2]
    """
    points = s.devastated.get(space, 0)
    if side == AXIS and space == SIBERIA:
        limit = int(_RULES["siberia"]["axis_limit"])
        points = min(points, limit - (capacity(s, space) - s.devastated.get(space, 0)))
    if side == AXIS and space in FRENCH_HEXES and s.setting.politics:
        working = sum(healthy(s, x) for x in FRENCH_HEXES if s.owner[x] == AXIS)
        points = min(points, int(_RULES["france"]["axis_limit"]) - working)
    return points


def lend_room(s: War) -> int:
    """Points that the depots can still take this turn.  [hw-lend-1] [hw-lend-2]"""
    depots = sum(s.owner[x] == SOVIET for x in _DEPOTS) * int(_LEND["per_depot"])
    return min(depots, int(_LEND["max"])) - s.lent
