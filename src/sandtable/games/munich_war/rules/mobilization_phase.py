"""The Mobilization Phase as decisions (chapter 7, 20.0): aircraft grounded, arrivals, spending of points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sandtable.core import Field, NamedBits, Offer, OneOf, Refusal, Step

from ..facts.politics import members, side_of
from ..model.actions import Arrive, Done, Ground, Mobilize, Refit
from ..model.atlas import ATLAS, HEXES, IDS, NOBODY, SIDES
from ..model.events import Arrived, Refitted
from ..model.state import AVAILABLE, GROUNDED, REINFORCEMENT, UTILIZED, M, lay, set_steps, unmark
from .control import hold
from .mobilization import (
    MOBILIZE_COST,
    REFITTABLE,
    arrival_hexes,
    available_air,
    due,
    may_refit,
    pay,
    postpone,
    refit_cost,
    refresh,
    schedule,
    why_not_arrive,
    why_not_mobilize,
    why_not_refit,
)

_DONE = Offer(Done, rule="mw-7.2")


WhyNot = Callable[[M, int, int], Refusal | None]


class Refresh(Step, frozen=True, tag="mw.refresh"):
    """[mw-4.0-mob] [mw-20.0-d] Markers return; in storms half of the air units, rounded up, stay on the ground."""

    rule = "mw-20.0-d"
    side: int
    left: int = -1

    def run(self, m: M) -> None:
        if self.left < 0:
            refresh(m, self.side)
            m.state.arrived = ()
            if not m.state.storm:
                m.pop()
                return
            ready = available_air(m, self.side)
            must = (len(ready) + 1) // 2
            if must and must == len(ready):
                for unit in ready:
                    lay(m.state, unit, UTILIZED)
                must = 0
            m.replace(Refresh(self.side, must))
        elif self.left == 0:
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        names = [ATLAS.units[unit].id for unit in available_air(m, self.side)]
        if not names:  # a state made up from a view: the other player's displays are a guess
            return [Offer(Done, rule="mw-20.0-d")]
        return [Offer(Ground, Field("unit", "unit", OneOf(names)), rule="mw-20.0-d")]

    def take(self, m: M, role: str, action: Ground | Done) -> None:
        if isinstance(action, Done):
            m.pop()
            return
        lay(m.state, ATLAS.unit_number[action.unit], UTILIZED)
        m.replace(Refresh(self.side, self.left - 1))


class Arrivals(Step, frozen=True, tag="mw.arrivals"):
    """[mw-7.2.1-c] [mw-7.2.2-e] [mw-7.2.2-g] [mw-9.1-d] Scheduled reinforcements are deployed, stacking or not."""

    rule = "mw-7.2.1-c"
    side: int

    def run(self, m: M) -> None:
        waiting = []
        for unit in due(m, self.side):
            if ATLAS.is_land[unit]:
                waiting.append(unit)
            else:
                lay(m.state, unit, AVAILABLE)
        if not any(arrival_hexes(m, unit) for unit in waiting):
            for unit in waiting:
                postpone(m, self.side, unit)
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        number = ATLAS.unit_number
        names = [IDS[unit] for unit in due(m, self.side) if arrival_hexes(m, unit)]
        if not names:  # a state made up from a view: the other player's track is a guess
            return [Offer(Done, rule="mw-7.2.1-c")]
        return [
            Offer(
                Arrive,
                Field("unit", "unit", OneOf(names)),
                Field("to", "space", lambda unit: NamedBits(
                    arrival_hexes(m, number[unit]), HEXES, why=lambda at: why_not_arrive(m, number[unit], at))),
                rule="mw-7.2.2-a",
            )
        ]  # fmt: skip

    def take(self, m: M, role: str, action: Arrive | Done) -> None:
        if isinstance(action, Done):
            m.replace(self)
            return
        unit, at = ATLAS.unit_number[action.unit], ATLAS.hex_number[action.to]
        lay(m.state, unit, at)
        set_steps(m.state, unit, ATLAS.units[unit].steps)  # [mw-7.2.2-full]
        m.state.arrived = (*m.state.arrived, at)
        hold(m, unit, at)
        m.emit(Arrived(unit=action.unit, at=action.to))
        m.replace(self)


class Spend(Step, frozen=True, tag="mw.spend"):
    """[mw-7.2] Replacement points go into reinforcements and refits, country by country."""

    rule = "mw-7.2"
    side: int
    country: int = NOBODY
    """Only this country may spend (option 23.2)."""

    def run(self, m: M) -> None:
        if next(self.new(m), None) is None and next(self.weak(m), None) is None:
            self.close(m)

    def countries(self, m: M) -> list[int]:
        """Those with points to spend."""
        state = m.state
        if self.country != NOBODY:
            return [self.country] if state.rp[self.country] or state.pool else []
        rp, pool = state.rp, state.pool
        return [country for country in members(m.state)[self.side] if rp[country] or pool]

    def new(self, m: M) -> Iterator[str]:
        """What may be mobilized."""
        where = m.state.where
        for country in self.countries(m):
            if m.state.rp[country] + m.state.pool >= MOBILIZE_COST:
                yield from [IDS[unit] for unit in ATLAS.countries[country].units if where[unit] == REINFORCEMENT]

    def weak(self, m: M) -> Iterator[str]:
        """What may be refitted."""
        steps = m.state.steps
        for country in self.countries(m):
            for unit in REFITTABLE[country]:
                if steps[unit] == 1 and may_refit(m, self.side, unit):
                    yield IDS[unit]

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [
            Offer(Mobilize, lambda: self.fields(m, self.new, why_not_mobilize), rule="mw-7.2.1-a"),
            Offer(Refit, lambda: self.fields(m, self.weak, why_not_refit), rule="mw-7.3-e"),
            _DONE,
        ]

    def fields(self, m: M, choices: Callable[[M], Iterator[str]], why_not: WhyNot) -> tuple[Field, ...]:
        number = ATLAS.unit_number

        def why(unit: str) -> Refusal | None:
            if unit not in number:
                return None
            if side_of(m.state, number[unit]) != self.side:  # before its display is looked at, which is hidden
                return Refusal(self.rule, "not-your-unit", unit=unit)
            return why_not(m, self.side, number[unit])

        return (Field("unit", "unit", OneOf(list(choices(m)), why=why)),)

    def take(self, m: M, role: str, action: Mobilize | Refit | Done) -> None:
        if isinstance(action, Done):
            self.close(m)
            return
        unit = ATLAS.unit_number[action.unit]
        if isinstance(action, Mobilize):
            pay(m, unit, MOBILIZE_COST)
            halve = int(ATLAS.rules["mobilization"]["halve"])
            delay = -(-m.roll(why="mw-7.2.1-b", seen_by=(SIDES[self.side],)) // halve)
            schedule(m, self.side, unit, max(1, m.state.turn) + delay)
        else:
            pay(m, unit, refit_cost(unit))
            set_steps(m.state, unit, ATLAS.units[unit].steps)
            unmark(m.state, unit, GROUNDED)
            m.emit(Refitted(unit=action.unit, seen_by=(SIDES[self.side],)))
        m.replace(self)

    def close(self, m: M) -> None:
        """[mw-7.1-save] Nothing is saved."""
        m.state.rp = (0,) * len(m.state.rp)
        m.state.pool = 0
        m.state.clock += 1
        m.pop()
