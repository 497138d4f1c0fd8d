"""5.2 Reinforcements: everybody places what arrives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Choices, Field, Offer, OneOf, Refusal, Role, Step
from sandtable.core.columns import put, put_all

from ..facts.arrivals import FRESH, arrivals, placements
from ..model import events as ev
from ..model.actions import Done, Merge, Place, Split
from ..model.atlas import ATLAS, MAJORS, label
from ..model.state import POOL, BKState, M, move_unit, remove
from .reinforcements import merges, place_unit, splits, why_not_place


class Reinforcements(Step, frozen=True, tag="bg.reinforcements"):
    """Everybody places what arrives; what has no place yet waits. [bg-5.2-major-placement]
    [bg-quick-skip-reinforcement]"""

    rule = "bg-5.2-major-placement"
    done: tuple[str, ...] = ()

    def run(self, m: M) -> None:
        state = m.state
        waiting = arrivals(state)
        if any(len(spaces) == 1 for units in waiting.values() for spaces in units.values()):
            for _, units in sorted(waiting.items()):
                for unit in units:
                    spaces = placements(state, unit)
                    if len(spaces) == 1:
                        place_unit(m, unit, spaces[0])
        if not m.asked():
            if FRESH in state.start:
                state.start = put_all(state.start, [u for u, at in enumerate(state.start) if at == FRESH], -1)
            m.pop()

    def roles(self, m: M) -> Sequence[Role]:
        waiting, assembly = arrivals(m.state), m.option("assembly")
        return [MAJORS[n] for n in range(8) if n in waiting or (assembly and self._may_assemble(m.state, n))]

    def publicly_asked(self, m: M) -> Sequence[Role]:
        """Who could merge or split depends on which units are reduced: in the fog that is nobody's business."""
        if not (m.option("assembly") and m.option("fog-of-war")):
            return super().publicly_asked(m)
        return [MAJORS[n] for n in range(8) if n in arrivals(m.state) or MAJORS[n] not in self.done]

    def _may_assemble(self, state: BKState, major: int) -> bool:
        return MAJORS[major] not in self.done and bool(merges(state, major) or splits(state, major))

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        state, major = m.state, MAJORS.index(role)
        units = arrivals(state).get(major, {})
        out: list[Offer] = [_place_offer(state, units)] if units else []
        if m.option("assembly") and role not in self.done:
            out += _assembly_offers(state, major)
            if not units:
                out.append(Choices([Done()], rule="bg-opt-9.3-assemble"))
        return out

    def take(self, m: M, role: Role, action: Any) -> None:
        state = m.state
        if isinstance(action, Place):
            place_unit(m, ATLAS.unit_of[action.unit], ATLAS.space_of[action.to])
        elif isinstance(action, Merge):
            one, other = ATLAS.unit_of[action.unit], ATLAS.unit_of[action.other]
            m.emit(ev.Changed(unit=label(one), other=label(other)))
            remove(state, other)
            state.flipped = put(state.flipped, one, 0)
        elif isinstance(action, Split):
            one = ATLAS.unit_of[action.unit]
            other = next(u for u in ATLAS.kind_of_unit[one].units if state.place[u] == POOL)
            state.nation = put(state.nation, other, state.nation[one])
            move_unit(state, other, state.place[one])
            state.flipped = put(put(state.flipped, one, 1), other, 1)
            state.flags = put(state.flags, other, state.flags[one])
            m.emit(ev.Changed(unit=label(one), other=label(other)))
        done = (*self.done, role) if isinstance(action, Done) else self.done
        m.replace(Reinforcements(done))


def _place_offer(state: BKState, units: dict[int, list[int]]) -> Offer:
    def spaces(ident: str) -> OneOf:
        unit = ATLAS.unit_of[ident]

        def why(value: str) -> Refusal | None:
            space = ATLAS.space_of.get(value)
            return None if space is None else why_not_place(state, unit, space)

        return OneOf(ATLAS.names(units[unit]), why=why)

    rule = "bg-5.2-major-placement"
    return Offer(Place, Field("unit", "unit", OneOf(ATLAS.names_of(units))), Field("to", "space", spaces), rule=rule)


def _assembly_offers(state: BKState, major: int) -> list[Offer]:
    """Two equal reduced units make a full one, a full one makes two. [bg-opt-9.3-assemble] [bg-opt-9.3-split]"""
    pairs, full = merges(state, major), splits(state, major)
    out: list[Offer] = []
    if pairs:
        one, other = Field("unit", "unit", OneOf(list(pairs))), Field("other", "unit", lambda u: OneOf(pairs[u]))
        out.append(Offer(Merge, one, other, rule="bg-opt-9.3-assemble"))
    if full:
        out.append(Offer(Split, Field("unit", "unit", OneOf(full)), rule="bg-opt-9.3-split"))
    return out
