"""The Air Phase as decisions (16.2, 16.6): missions, interceptions and their combats."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, NamedBits, Offer, OneOf, Refusal, Step

from ..facts.air import bases, fliers, interceptors
from ..facts.board import air_at, flying
from ..model.actions import Done, Fight, Intercept, Launch
from ..model.atlas import ATLAS, HEXES, SIDES, hex_name
from ..model.events import Intercepted
from ..model.state import SURPRISED, M
from .air import (
    apply_interception,
    factor,
    home,
    interception_column,
    prey,
    take_off,
    targets,
    why_no_prey,
    why_not_base,
    why_not_fly,
    why_not_target,
    why_not_yours,
)

_DONE = {rule: Offer(Done, rule=rule) for rule in ("mw-16.2-b", "mw-16.2-c")}


class AirLaunch(Step, frozen=True, tag="mw.launch"):
    """[mw-4.0-air] [mw-16.2-b] Air Mission Launch Segment: the phasing player sends their air units out."""

    rule = "mw-16.2-b"
    side: int

    def run(self, m: M) -> None:
        if not fliers(m.state, self.side):
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Offer(Launch, lambda: _launch_fields(m, self.side), rule="mw-16.2-b"), _DONE["mw-16.2-b"]]

    def take(self, m: M, role: str, action: Launch | Done) -> None:
        if isinstance(action, Done):
            m.pop()
        else:
            take_off(m, action)
            m.replace(self)


def _launch_fields(m: M, side: int) -> tuple[Field, ...]:
    number, hexes = ATLAS.unit_number, ATLAS.hex_number
    units = [ATLAS.units[unit].id for unit in fliers(m.state, side)]
    return (
        Field("unit", "unit", OneOf(units, why=lambda unit: _why_unit(m, side, unit))),
        Field("base", "space", lambda unit: NamedBits(
            bases(m.state, number[unit]), HEXES, why=lambda at: why_not_base(m, number[unit], at))),
        Field("target", "space", lambda unit, base: NamedBits(
            targets(m, number[unit], hexes[base]), HEXES,
            why=lambda at: why_not_target(m, number[unit], hexes[base], at))),
    )  # fmt: skip


def _why_unit(m: M, side: int, unit: str) -> Refusal | None:
    number = ATLAS.unit_number.get(unit)
    return None if number is None else why_not_yours(m, side, number, "mw-16.2-b") or why_not_fly(m, number)


class AirIntercept(Step, frozen=True, tag="mw.intercept"):
    """[mw-16.2-c] [mw-16.6-a] Air Interception Segment: the other player sends airstrikes against them."""

    rule = "mw-16.2-c"
    side: int
    """The intercepting, non-phasing side."""

    def run(self, m: M) -> None:
        m.reveal("mw-16.2-c")  # whether the other player is asked tells whether they have anything to send
        if not interceptors(m.state, self.side):
            m.replace(AirCombat(self.side))

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        number, hexes = ATLAS.unit_number, ATLAS.hex_number
        ready = interceptors(m.state, self.side)
        return [
            Offer(
                Intercept,
                Field("unit", "unit", OneOf([ATLAS.units[unit].id for unit in ready], why=lambda u: self.why(m, u))),
                Field("base", "space", lambda unit: NamedBits(
                    ready[number[unit]], HEXES, why=lambda at: why_not_base(m, number[unit], at))),
                Field("target", "space", lambda unit, base: NamedBits(
                    prey(m, number[unit], hexes[base]), HEXES,
                    why=lambda at: why_no_prey(m, number[unit], hexes[base], at))),
                rule="mw-16.2-c",
            ),
            _DONE["mw-16.2-c"],
        ]  # fmt: skip

    def why(self, m: M, unit: str) -> Refusal | None:
        number = ATLAS.unit_number.get(unit)
        if number is None:
            return None
        if not_mine := why_not_yours(m, self.side, number, self.rule):
            return not_mine
        if m.state.flags[number] & SURPRISED:
            return Refusal("mw-23.2-note", "surprised", unit=unit)
        if ATLAS.units[number].lift:
            return Refusal("mw-16.0-lift", "airlift-only", unit=unit)
        return why_not_fly(m, number)

    def take(self, m: M, role: str, action: Intercept | Done) -> None:
        if isinstance(action, Done):
            m.replace(AirCombat(self.side))
        else:
            take_off(m, action)
            m.replace(self)


class AirCombat(Step, frozen=True, tag="mw.air-combat"):
    """[mw-16.6-b] [mw-16.6.1-a] Every hex with air units of both sides is fought, in the interceptor's order."""

    rule = "mw-16.6-b"
    side: int

    def run(self, m: M) -> None:
        both = flying(m.state, self.side) and flying(m.state, self.side) & flying(m.state, 1 - self.side)
        if both.bit_count() == 1:
            self.fight(m, both.bit_length() - 1)
            m.pop()
        elif not both:
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        both = flying(m.state, self.side) & flying(m.state, 1 - self.side)
        return [Offer(Fight, Field("target", "space", NamedBits(both, HEXES)), rule="mw-16.6-b")]

    def take(self, m: M, role: str, action: Fight) -> None:
        self.fight(m, ATLAS.hex_number[action.target])
        m.replace(self)

    def fight(self, m: M, at: int) -> None:
        hunter, victim = air_at(m.state, self.side, at), air_at(m.state, 1 - self.side, at)
        column = interception_column(factor(m, hunter) - factor(m, victim))
        result = ATLAS.interception[m.roll(why="mw-16.6-c")][column]
        ids = ATLAS.units[hunter].id, ATLAS.units[victim].id
        m.emit(Intercepted(at=hex_name(at), attacker=ids[0], defender=ids[1], result=result))
        apply_interception(m, hunter, victim, result)
        home(m, hunter)
