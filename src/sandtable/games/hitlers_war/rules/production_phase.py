"""The production phase: a side spends its budget."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandtable.core import Field, Named, Numbers, Offer, OneOf, Refusal, Step
from sandtable.core.columns import having, lacking

from ..facts.territory import territory
from ..model.actions import Build, Dismantle, Done, Fortify, Lend, Repair
from ..model.atlas import ALLIES, ARMY_NAMES, ATLAS, AXIS, FORTS, KINDS, SIDES, SOVIET, SPACES
from ..model.events import Budget, Built, Lent, Repaired
from ..model.places import UNITED_STATES
from ..model.state import M, OwnTurn, War, space_name
from . import entry, italian, leaders, partisans
from .budget import budget, update_mobilization
from .production import (
    _REPAIR,
    affordable,
    build_places,
    buildable,
    cost,
    finish_forts,
    fort_room,
    forts_of,
    lend_room,
    most_builds,
    recruits,
    repair_room,
    why_no_base,
    why_no_fort,
    why_no_more_repair,
    why_no_recruit,
    why_no_repair,
)
from .strategic import arsenal
from .supply import unsupplied

_DONE = Offer(Done, rule="hw-prod-3")


def _no_money(rule: str, needed: int, s: War) -> Refusal:
    return Refusal(rule, "hw-no-money", needed=needed, left=s.budget)


def _dismantle_fields(forts: set[int]) -> tuple[Field, ...]:
    def why(space: int) -> Refusal:
        return Refusal("hw-fort-3", "hw-no-fort", at=space_name(space))

    return (Field("at", "space", Named(sorted(forts), SPACES, why=why)),)


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
        out.append(Offer(Build, lambda: self.build_fields(s, side, urgent), rule="hw-build-1"))
        if urgent:
            first = Refusal("hw-ital-2", "hw-italy-first", at="")
            return [out[1], *(Offer(act, first, rule=first.rule) for act in (Done, Fortify, Repair))]
        if s.setting.sea:
            out.extend(self.fort_offers(s, side))
        out.append(Offer(Repair, lambda: self.repair_fields(s, side), rule="hw-repair-2"))
        if side == ALLIES and s.setting.lend_lease:
            most = min(lend_room(s), s.budget)
            if most > 0:
                out.append(Offer(Lend, Field("number", "number", Numbers(1, most)), rule="hw-lend-1"))
            else:
                out.append(Offer(Lend, Refusal("hw-lend-2", "hw-lend-full"), rule="hw-lend-2"))
        out.extend(arsenal.production_offers(m, side))
        out.extend(partisans.production_offers(m, side))
        return out

    def build_fields(self, s: War, side: int, urgent: set[str]) -> tuple[Field, ...]:
        kinds = [k for k in buildable(s, side) if not urgent or k in urgent]

        def spaces(kind: str) -> Named:
            return Named(build_places(s, side, kind), SPACES, why=lambda x: why_no_base(s, side, x, kind, 1))

        def armies(kind: str, at: str) -> Named:
            space = ATLAS.index[at]
            fit = [a for a in recruits(s, side, space) if why_no_recruit(s, a, space, kind) is None]
            return Named(fit, ARMY_NAMES, why=lambda army: why_no_recruit(s, army, space, kind))

        def numbers(kind: str, at: str, army: str) -> Numbers:
            space = ATLAS.index[at]

            def why(number: int) -> Refusal | None:
                if number > affordable(s, side, kind):
                    return _no_money("hw-build-2", cost(s, side, kind, number), s)
                return why_no_base(s, side, space, kind, number) or Refusal("hw-ital-2", "hw-italy-first", at=at)

            return Numbers(1, most_builds(s, side, kind, space), why)

        return (
            Field("kind", "choice", OneOf(kinds, lambda kind: self.why_kind(s, side, kind, urgent))),
            Field("at", "space", spaces),
            Field("army", "unit", armies),
            Field("number", "number", numbers),
        )

    def why_kind(self, s: War, side: int, kind: str, urgent: set[str]) -> Refusal | None:
        if kind not in s.setting.unit_types or kind not in KINDS:
            return Refusal("hw-build-1", "hw-not-in-scenario", kind=f"@{kind}")
        if urgent:
            return Refusal("hw-ital-2", "hw-italy-first", at="")
        return _no_money("hw-build-2", cost(s, side, kind, 1), s)

    def fort_offers(self, s: War, side: int) -> list[Offer]:
        out: list[Offer] = []
        most = affordable(s, side, "fort")
        forts = forts_of(s, side) if s.fort or s.building else set()
        out.append(Offer(Fortify, lambda: self.fort_fields(s, side, forts, most), rule="hw-fort-2"))
        if forts:
            out.append(Offer(Dismantle, lambda: _dismantle_fields(forts), rule="hw-fort-3"))
        return out

    def fort_fields(self, s: War, side: int, forts: set[int], most: int) -> tuple[Field, ...] | Refusal:
        if not most:
            return _no_money("hw-fort-1", cost(s, side, "fort", 1), s)
        candidates = sorted(forts) if len(forts) >= FORTS else territory(s, side).spaces
        why = partial(why_no_fort, s, side)

        def numbers(at: str) -> Numbers:
            room = fort_room(s, ATLAS.index[at])

            def why_not(number: int) -> Refusal:
                if number > room:
                    return Refusal("hw-fort-1", "hw-overstack", at=at, room=room)
                return _no_money("hw-fort-1", cost(s, side, "fort", number), s)

            return Numbers(1, min(most, room), why_not)

        return Field("at", "space", Named(candidates, SPACES, why, why)), Field("number", "number", numbers)

    def repair_fields(self, s: War, side: int) -> tuple[Field, ...] | Refusal:
        most = s.budget // _REPAIR
        if not most:
            return _no_money("hw-repair-2", _REPAIR, s)

        def places() -> Named:
            why = partial(why_no_repair, s, side, unsupplied(s, side))
            hurt = [x for x in sorted(s.devastated) if s.owner[x] == side]
            return Named([x for x in hurt if why(x) is None], SPACES, why=why)

        def numbers(at: str) -> Numbers:
            room = repair_room(s, side, ATLAS.index[at])

            def why(number: int) -> Refusal | None:
                if number > room:
                    return why_no_more_repair(s, side, ATLAS.index[at])
                return _no_money("hw-repair-2", _REPAIR * number, s)

            return Numbers(1, min(most, room), why)

        return Field("at", "space", places), Field("number", "number", numbers)

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
