"""6.4.5 and 6.4.6: the non-phasing side reacts to all attacks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sandtable.core import Action, Choices, Field, Offer, OneOf, Refusal, Role, Step

from ..facts.attacks import front
from ..facts.politics import acting
from ..model import events as ev
from ..model.actions import Done, React, Reserve
from ..model.atlas import ATLAS, MAJORS, label, name
from ..model.state import MOVED, BKState, M, enemy_side, mark, send
from .reaction import Answers, reacting, take_reserve, why_not_help, why_not_react, why_not_reserve, why_not_send


class Reaction(Step, frozen=True, tag="bg.reaction"):
    """The non-phasing side reacts to all attacks. [bg-6.4.5-air] [bg-6.4.6-reserve] [bg-6.0-phasing-terms]"""

    rule = "bg-6.4.5-air"
    done: tuple[str, ...] = ()

    def run(self, m: M) -> None:
        if not m.asked():
            m.pop()

    def roles(self, m: M) -> Sequence[Role]:
        return [MAJORS[n] for n in reacting(m.state, self.done)]

    def publicly_asked(self, m: M) -> Sequence[Role]:
        """In the fog nobody learns from the asking what could come to help."""
        state = m.state
        if not m.option("fog-of-war"):
            return super().publicly_asked(m)
        return [
            MAJORS[n] for n in acting(state, enemy_side(state.phasing)) if MAJORS[n] not in self.done and state.war[n]
        ]

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        state = m.state
        table: dict[type[Action], dict[int, list[int]]] = {React: {}, Reserve: {}}
        for act, unit, spaces in Answers(state).of(MAJORS.index(role)):
            table[act][unit] = spaces
        return [
            Offer(React, lambda: _react_fields(state, table[React]), rule="bg-6.4.5-air"),
            Offer(Reserve, lambda: _reserve_fields(state, table[Reserve]), rule="bg-6.4.6-reserve"),
            _DONE,
        ]

    def take(self, m: M, role: Role, action: Any) -> None:
        state = m.state
        if isinstance(action, Done):
            m.replace(Reaction((*self.done, role)))
            return
        unit, to = ATLAS.unit_of[action.unit], ATLAS.space_of[action.to]
        m.emit(ev.Moved(unit=label(unit), origin=name(state.place[unit]), space=name(to), how="@reaction"))
        if isinstance(action, React):
            send(state, unit, to)
        else:
            take_reserve(state, unit, to)
        mark(state, unit, MOVED)
        m.replace(Reaction(self.done))


_DONE = Choices([Done()], rule="bg-6.4.5-air")


def _react_fields(state: BKState, choices: dict[int, list[int]]) -> tuple[Field, ...]:
    def why_unit(value: str) -> Refusal | None:
        unit = ATLAS.unit_of.get(value, -1)
        if unit < 0 or state.place[unit] < 0 or ATLAS.is_land[unit]:
            return None
        return why_not_react(state, unit) or Refusal(_rule(unit), "nothing-in-reach", unit=label(unit))

    def why_space(unit: int, value: str) -> Refusal | None:
        refused = _not_attacked(state, value, _rule(unit)) or why_not_help(state, unit, ATLAS.space_of[value])
        far = ATLAS.range[unit]
        return refused or Refusal(_rule(unit), "out-of-range", unit=label(unit), space=f"@{value}", range=far)

    return (
        Field("unit", "unit", OneOf(ATLAS.names_of(choices), why=why_unit)),
        Field("to", "space", lambda u: _spaces(choices, u, why_space)),
    )


def _rule(unit: int) -> str:
    """The rule by which a unit comes to help: aircraft fly, Task Forces come from next door."""
    return "bg-6.4.5-air" if ATLAS.is_air[unit] else "bg-6.4.5-tf"


def _reserve_fields(state: BKState, choices: dict[int, list[int]]) -> tuple[Field, ...]:
    def why_space(unit: int, value: str) -> Refusal | None:
        return _not_attacked(state, value, "bg-6.4.6-reserve") or why_not_reserve(state, unit, ATLAS.space_of[value])

    def why_unit(value: str) -> Refusal | None:
        unit = ATLAS.unit_of.get(value, -1)
        return why_not_send(state, unit) if unit >= 0 and state.place[unit] >= 0 and ATLAS.is_land[unit] else None

    return (
        Field("unit", "unit", OneOf(ATLAS.names_of(choices), why=why_unit)),
        Field("to", "space", lambda u: _spaces(choices, u, why_space)),
    )


def _spaces(choices: dict[int, list[int]], ident: str, why: Callable[[int, str], Refusal | None]) -> OneOf:
    unit = ATLAS.unit_of[ident]
    return OneOf(ATLAS.names(choices[unit]), why=lambda value: why(unit, value))


def _not_attacked(state: BKState, value: str, rule: str) -> Refusal | None:
    if ATLAS.space_of.get(value) in front(state).spaces:
        return None
    return Refusal(rule, "not-attacked", space=f"@{value}")
