"""7.3 and 7.6: Lend Lease, building and repairing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Choices, Field, Offer, OneOf, Refusal, Role, Step
from sandtable.core.columns import having, put

from ..facts.units import on_map
from ..model import events as ev
from ..model.actions import Build, BuildRail, Done, LendTo, PlayCard, Repair
from ..model.atlas import ATLAS, JAPAN, MAJORS, USA, label, unit_id
from ..model.state import BKState, M, plays
from ..model.tables import LIMITS
from .cards.deck import is_in_effect
from .cards.playing import play, play_offers
from .production import build, buildable, navy_first, navy_owed, pay, why_not_build, why_not_repair


class LendLease(Step, frozen=True, tag="bg.lend-lease"):
    """The USA names the associate that gets its points this quarter. [bg-card-lend-lease-usa]"""

    rule = "bg-card-lend-lease-usa"

    def run(self, m: M) -> None:
        if not self.choices(m):
            m.pop()

    def choices(self, m: M) -> list[str]:
        state = m.state
        if not is_in_effect(state, "lend_lease_usa") or not plays(state, USA):
            return []
        return [MAJORS[n] for n in range(8) if n != USA and state.side[n] == state.side[USA] and plays(state, n)]

    def roles(self, m: M) -> Sequence[Role]:
        return (MAJORS[USA],)

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        return [Offer(LendTo, Field("country", "role", OneOf(self.choices(m))), rule=self.rule)]

    def take(self, m: M, role: Role, action: LendTo) -> None:
        state = m.state
        points = min(LIMITS["lend_lease_usa"], state.points[USA], state.production[USA])
        to = MAJORS.index(action.country)
        state.points = put(state.points, USA, state.points[USA] - points)
        state.points = put(state.points, to, state.points[to] + points)
        m.pop()


class Production(Step, frozen=True, tag="bg.production"):
    """All majors build and repair at the same time. [bg-7.6-potential] [bg-7.0-simultaneous] [bg-7.6-save]"""

    rule = "bg-7.6-potential"
    done: tuple[str, ...] = ()

    def run(self, m: M) -> None:
        if not m.asked():
            state = m.state
            state.saved, state.points = state.points, (0,) * 8
            m.pop()

    def roles(self, m: M) -> Sequence[Role]:
        state = m.state
        rich = [n for n, points in enumerate(state.points) if points > 0]
        return [MAJORS[n] for n in rich if MAJORS[n] not in self.done and plays(state, n)]

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        state = m.state
        major = MAJORS.index(role)
        out: list[Offer] = [
            Offer(Build, lambda: _build_fields(state, major), rule="bg-7.6-potential"),
            Offer(Repair, lambda: _repair_fields(state, major), rule="bg-7.6.5-repair"),
        ]
        if m.option("rail-increase") and state.points[major] >= ATLAS.rail_upgrade.cost:
            out.append(Choices([BuildRail()], rule="bg-opt-9.7"))
        if state.advanced:
            out += play_offers(state, major, "production")
        owed = navy_owed(state) if major == JAPAN and state.advanced else 0
        if owed:
            out.append(Offer(Done, navy_first(owed), rule="bg-card-japanese-navy"))
        else:
            out.append(_DONE)
        return out

    def take(self, m: M, role: Role, action: Any) -> None:
        state = m.state
        major = MAJORS.index(role)
        if isinstance(action, Done):
            m.replace(Production((*self.done, role)))
            return
        if isinstance(action, Build):
            build(m, major, ATLAS.kind_ids[action.kind])
        elif isinstance(action, Repair):
            unit = ATLAS.unit_of[action.unit]
            cost = ATLAS.kind_of_unit[unit].repair_cost
            pay(state, major, cost, ATLAS.is_ship[unit])
            state.flipped = put(state.flipped, unit, 0)
            m.emit(ev.Repaired(unit=label(unit)))
        elif isinstance(action, BuildRail):
            state.points = put(state.points, major, state.points[major] - ATLAS.rail_upgrade.cost)
            key = major
            while key in state.rail_due:
                key += 8
            state.rail_due = having(state.rail_due, key, state.turn + ATLAS.rail_upgrade.build_quarters)
            m.emit(ev.RailBuilt(country=f"@{role}"))
        elif isinstance(action, PlayCard):
            play(m, major, action)
        if m.step is self:
            m.replace(Production(self.done))


_DONE = Choices([Done()], rule="bg-7.6-save")


def _build_fields(state: BKState, major: int) -> tuple[Field, ...]:
    def kinds() -> list[str]:
        return [k.id for k in buildable(state, major)]

    def why(value: str) -> Refusal | None:
        kind = ATLAS.kind_ids.get(value)
        return None if kind is None else why_not_build(state, major, kind)

    return (Field("kind", "choice", OneOf(kinds(), why=why)),)


def _repair_fields(state: BKState, major: int) -> tuple[Field, ...]:
    def units() -> list[str]:
        if 1 not in state.flipped:
            return []
        mine = on_map(state, major)
        return [unit_id(u) for u in mine if state.flipped[u] and why_not_repair(state, major, u) is None]

    def why(value: str) -> Refusal | None:
        unit = ATLAS.unit_of.get(value, -1)
        return why_not_repair(state, major, unit) if unit >= 0 and state.place[unit] >= 0 else None

    return (Field("unit", "unit", OneOf(units(), why=why)),)
