"""The production phase: building strength points, forts and repairs; lend-lease.

Chapters 'Production', 'Fortifications: Production', 'Lend-Lease', 'Allied Production', 'Trans-Atlantic Shipping'.
The weapons that go into boxes stand in `arsenal`, partisans in `partisans`.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Late, Numbers, Offer, OneOf, Refusal, Step
from sandtable.core.columns import having, lacking
from sandtable.core.offers import Barred

from ..facts.territory import territory
from ..model.actions import Build, Dismantle, Done, Fortify, Lend, Repair
from ..model.atlas import AIR, ALLIES, AMPH, ATLAS, AXIS, FORTS, KINDS, PARA, SIDES, SOVIET, STACK
from ..model.events import Budget, Built, Lent, Repaired
from ..model.state import (
    SIXTH,
    M,
    OwnTurn,
    War,
    army_name,
    space_name,
    stacked,
)
from . import entry, italian, leaders, partisans, research
from .budget import budget, update_mobilization
from .control import SIBERIA, UNITED_STATES, capacity, healthy
from .spaces import Spaces
from .strategic import arsenal
from .supply import unsupplied

_COSTS = ATLAS.tables["unit_costs_basic"]
_RULES = ATLAS.rules
_KIND = {name: number for number, name in enumerate(KINDS)}
_COST = {item: int(cost) for item, cost in _COSTS.items() if isinstance(cost, int)}
_REPAIR = _COST["repair_per_point"]
_FRANCE = ATLAS.countries[ATLAS.country_index["france"]].spaces
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


def build_places(s: War, side: int, kind: str) -> list[str]:
    owner = s.owner
    spaces = _WORKS[side] if not (side == AXIS and kind in italian.shortfall(s)) else sorted(italian.territory())
    return [space_name(x) for x in spaces if owner[x] == side and why_no_base(s, side, x, kind, 1) is None]


def recruits(s: War, side: int, space: int) -> list[int]:
    """Counters of a side that stand in a space or nowhere: who else could take new points there?"""
    first = side * 12
    return [first + a for a, at in enumerate(s.army_at[first : first + 12]) if at == space or at < 0]


def why_no_recruit(s: War, army: int, space: int, kind: str) -> Refusal | None:
    """Why new points may not join an army: it stands elsewhere, or holds what they may not be mixed with."""
    name = army_name(army)
    if s.army_at[army] not in (-1, space):
        return Refusal("hw-build-3", "hw-army-elsewhere", army=name)
    if s.idle[army]:
        return Refusal("hw-limit-1", "hw-army-unaligned", army=name)
    held = s.strength[army * 5 : army * 5 + 5]
    if (kind == KINDS[PARA] and held[AMPH]) or (kind == KINDS[AMPH] and held[PARA]):
        return Refusal("hw-parawater-2", "hw-para-amph", army=name)
    return None


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
    if s.setting.politics and space in _FRANCE and s.turn < ATLAS.turn("french_forts"):
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
def why_no_repair(s: War, side: int, space: int, cut_off: Sequence[int]) -> Refusal | None:
    """Why devastated production in a space cannot be repaired.

    [hw-repair-2] [hw-repair-3] [hw-repair-4] [hw-surr-france-6] [hw-siberia-2] [hw-bar-devastation]
    """
    at = space_name(space)
    if s.owner[space] != side:
        return Refusal("hw-repair-2", "hw-not-friendly", to=at)
    if not s.devastated.get(space, 0):
        return Refusal("hw-repair-2", "hw-nothing-to-repair", at=at)
    if space in cut_off:
        return Refusal("hw-repair-4", "hw-repair-unsupplied", at=at)
    if repair_room(s, side, space) < 1:
        rule = "hw-siberia-2" if space == SIBERIA else "hw-surr-france-6"
        return Refusal(rule, "hw-repair-limit", at=at)
    return None


def repair_room(s: War, side: int, space: int) -> int:
    """Points that may be repaired in a space: France and Siberia give the Axis only a part.

    [hw-surr-france-6] [hw-siberia-2]
    """
    points = s.devastated.get(space, 0)
    if side == AXIS and space == SIBERIA:
        limit = int(_RULES["siberia"]["axis_limit"])
        points = min(points, limit - (capacity(s, space) - s.devastated.get(space, 0)))
    if side == AXIS and space in _FRANCE and s.setting.politics:
        working = sum(healthy(s, x) for x in _FRANCE if s.owner[x] == AXIS)
        points = min(points, int(_RULES["france"]["axis_limit"]) - working)
    return points


def lend_room(s: War) -> int:
    """Points that the depots can still take this turn.  [hw-lend-1] [hw-lend-2]"""
    depots = sum(s.owner[x] == SOVIET for x in _DEPOTS) * int(_LEND["per_depot"])
    return min(depots, int(_LEND["max"])) - s.lent


_DONE = Offer(Done, rule="hw-prod-3")


def _dismantle_fields(forts: set[int]) -> tuple[Field, ...]:
    return (Field("at", "space", OneOf([space_name(x) for x in sorted(forts)])),)


class ProductionPhase(Step, frozen=True, tag="production-phase"):
    """The budget is counted, forts are finished, and the side spends.  [hw-prod-1] [hw-fort-5] [hw-italy-2]"""

    rule = "hw-prod-1"

    def run(self, m: M) -> None:
        s = m.state
        m.replace(Production(), leaders.LeaderDraw())
        entry.italy_joins(m)
        update_mobilization(s)
        finish_forts(s, s.side)
        s.budget = budget(s, s.side)
        if s.side == SOVIET:
            s.lent = 0
        if s.side == ALLIES:
            s.raided = 0
        s.american_builds = 0
        s.partisan_tries = {}
        m.emit(Budget(side=f"@{SIDES[s.side]}", points=s.budget))


class Production(OwnTurn, frozen=True, tag="production"):
    """Spend the budget; what is left is lost.  [hw-prod-2] [hw-prod-3]"""

    rule = "hw-prod-2"

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        side = s.side
        short = italian.shortfall(s) if side == AXIS else {}
        urgent = {k for k in short if affordable(s, side, k) and build_places(s, side, k)}
        out: list[Offer] = [_DONE]
        out.append(Late(Build, self.build_fields, s, side, urgent, rule="hw-build-1"))
        if urgent:
            first = Refusal("hw-ital-2", "hw-italy-first", at="")
            return [out[1], *(Barred(act, first) for act in (Done, Fortify, Repair))]
        if s.setting.sea:
            out.extend(self.fort_offers(s, side))
        if s.devastated and s.budget >= _REPAIR:
            out.append(Late(Repair, self.repair_fields, s, side, rule="hw-repair-2"))
        if side == ALLIES and s.setting.lend_lease:
            most = min(lend_room(s), s.budget)
            if most > 0:
                out.append(Offer(Lend, Field("number", "number", Numbers(1, most)), rule="hw-lend-1"))
            else:
                out.append(Barred(Lend, Refusal("hw-lend-2", "hw-lend-full")))
        out.extend(arsenal.production_offers(m, side))
        out.extend(partisans.production_offers(m, side))
        return out

    def build_fields(self, s: War, side: int, urgent: set[str]) -> tuple[Field, ...]:
        kinds = [k for k in buildable(s, side) if not urgent or k in urgent]

        def spaces(kind: str) -> OneOf:
            return OneOf(
                build_places(s, side, kind),
                lambda at: why_no_base(s, side, ATLAS.index[at], kind, 1) if at in ATLAS.index else None,
            )

        def armies(kind: str, at: str) -> OneOf:
            space = ATLAS.index[at]
            fit = [army_name(a) for a in recruits(s, side, space) if why_no_recruit(s, a, space, kind) is None]
            return OneOf(fit, lambda name: why_no_recruit(s, ATLAS.army_index[name], space, kind)
                         if name in ATLAS.army_index else None)  # fmt: skip

        def numbers(kind: str, at: str, army: str) -> Numbers:
            most = most_builds(s, side, kind, ATLAS.index[at])
            return Numbers(1, most, lambda n: Refusal("hw-build-2", "hw-no-money", needed=cost(s, side, kind, n),
                                                      left=s.budget))  # fmt: skip

        return (
            Field("kind", "choice", OneOf(kinds, lambda kind: self.why_kind(s, side, kind))),
            Field("at", "space", spaces),
            Field("army", "unit", armies),
            Field("number", "number", numbers),
        )

    def why_kind(self, s: War, side: int, kind: str) -> Refusal | None:
        if kind not in s.setting.unit_types or kind not in KINDS:
            return Refusal("hw-build-1", "hw-not-in-scenario", kind=f"@{kind}")
        return Refusal("hw-build-2", "hw-no-money", needed=cost(s, side, kind, 1), left=s.budget)

    def fort_offers(self, s: War, side: int) -> list[Offer]:
        out: list[Offer] = []
        most = affordable(s, side, "fort")
        forts = forts_of(s, side) if s.fort or s.building else set()
        if most:
            out.append(Late(Fortify, self.fort_fields, s, side, forts, most, rule="hw-fort-2"))
        if forts:
            out.append(Late(Dismantle, _dismantle_fields, forts, rule="hw-fort-3"))
        return out

    def fort_fields(self, s: War, side: int, forts: set[int], most: int) -> tuple[Field, ...]:
        own = [space_name(x) for x in sorted(forts)]
        candidates = own if len(forts) >= FORTS else territory(s, side).names
        return (
            Field("at", "space", Spaces(candidates, lambda x: why_no_fort(s, side, x))),
            Field("number", "number", lambda at: Numbers(1, min(most, fort_room(s, ATLAS.index[at])))),
        )

    def repair_fields(self, s: War, side: int) -> tuple[Field, ...]:
        most = s.budget // _REPAIR

        def places() -> OneOf:
            cut_off = unsupplied(s, side)
            hurt = [x for x in sorted(s.devastated) if s.owner[x] == side]
            return OneOf(
                [space_name(x) for x in hurt if why_no_repair(s, side, x, cut_off) is None],
                lambda at: why_no_repair(s, side, ATLAS.index[at], cut_off) if at in ATLAS.index else None,
            )

        return (
            Field("at", "space", places),
            Field("number", "number", lambda at: Numbers(1, min(most, repair_room(s, side, ATLAS.index[at])))),
        )

    def take(self, m: M, role: str, action: object) -> None:
        s = m.state
        side = s.side
        if isinstance(action, Done):
            if not s.setting.technology:
                s.budget = 0
            m.pop()
        elif isinstance(action, Build):
            space = ATLAS.index[action.at]
            s.budget -= cost(s, side, action.kind, action.number)
            if space == UNITED_STATES:
                s.american_builds += action.number
            entry.place(m, ((action.kind, action.number),), space, ATLAS.army_index[action.army])
        elif isinstance(action, Fortify):
            space = ATLAS.index[action.at]
            s.budget -= cost(s, side, "fort", action.number)
            s.building = having(s.building, space, s.building.get(space, 0) + action.number)
            m.emit(Built(side=f"@{SIDES[side]}", item="@fort", number=action.number))
        elif isinstance(action, Dismantle):
            s.fort = lacking(s.fort, ATLAS.index[action.at])
            s.building = lacking(s.building, ATLAS.index[action.at])
        elif isinstance(action, Repair):
            space = ATLAS.index[action.at]
            s.budget -= _REPAIR * action.number
            s.devastated = having(s.devastated, space, s.devastated[space] - action.number)
            if not s.devastated[space]:
                s.devastated = lacking(s.devastated, space)
            m.emit(Repaired(at=action.at, number=action.number))
        elif isinstance(action, Lend):
            s.budget -= action.number
            s.lent += action.number
            m.emit(Lent(number=action.number))
        else:
            for chapter in (arsenal, partisans):
                if chapter.take_production(m, action):
                    return
            raise AssertionError(action)
