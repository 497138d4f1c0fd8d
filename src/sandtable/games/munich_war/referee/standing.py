"""Where everybody stands: who may be where, how many in a hex, and who was there last."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sandtable.core import Difference

from ..model.atlas import ATLAS, NOBODY, SIDES
from ..model.state import MunichState, unpack
from .position import UNITS, Position, around, has_rail, is_land, terrain

_LIMITS_HOLD = ("combat", "return", "surrender")
_PHASES = ("mobilization", "air", "movement", "combat", "return", "surrender")


def tag(step: Any) -> str:
    return str(step.__struct_config__.tag)


def phase(state: MunichState) -> str:
    """The phase of the player turn that runs; '' outside."""
    turns: list[Any] = [step for step in state.stack if tag(step) == "mw.player-turn"]
    return _PHASES[turns[-1].place - 1] if turns and turns[-1].place else ""


def check_position(position: Position) -> Iterator[Difference]:
    state = position.state
    top = tag(state.stack[-1]) if state.stack else ""
    if top == "mw.deploy":
        return
    last = [unpack(mask) for mask in state.last]
    for at, stack in position.stacks.items():
        name = ATLAS.hex_name[at]
        for number in stack:
            unit, side = UNITS[number], position.side(number)
            wrong = why_not_here(position, number, at)
            if wrong:
                yield Difference(f"whether {unit.id} may be in {name}", "mw-8.2-e", "yes", f"no: {wrong}")
            if side != NOBODY and is_land(at) and not last[side] >> at & 1:
                yield Difference(f"who was last in {name}", "mw-22.0-b", f"not {SIDES[side]}", SIDES[side])
        sides = {position.side(number) for number in stack}
        if len(sides) > 1:
            yield Difference(f"whose units are in {name}", "mw-9.0-b", "both sides'", "one side's")
        side = sides.pop()
        settled = side != state.phasing or phase(state) in _LIMITS_HOLD
        if settled and top != "mw.overstack" and is_land(at) and position.overfull(stack, at):
            ids = " ".join(UNITS[number].id for number in stack)
            yield Difference(f"the stack in {name}", "mw-9.0-e", ids, "too many")


def why_not_here(position: Position, number: int, at: int) -> str:
    """What forbids a land unit to be in a hex; '' where nothing does."""
    unit, state = UNITS[number], position.state
    if number in state.assaults:
        at_sea = not is_land(at) and state.assaults[number] in around(at)
        return "" if at_sea else "Marines wait in an all-sea hex next to the coast they attack"
    if not is_land(at):
        return "it is at sea"
    home = ATLAS.country_of[at]
    if position.sides[home] == NOBODY and home != unit.country:
        return "the country is neutral"
    if terrain(at) == "mountain" and (unit.static or not (unit.alpine or has_rail(at))):
        return "mountains"
    if not state.steps[number]:
        return "it has no steps"
    if position.barred(unit.country, at):
        return "Poland and its friend keep apart"
    return ""
