"""Initial deployment as decisions (3.4): each country is set up by its player."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Offer, OneOf, Refusal, Step, Where

from ..facts.setup import GONE, has_extra_armor, has_room, rooms
from ..model.actions import DefaultSetup, Place
from ..model.atlas import ATLAS, AXIS, IDS, SIDES
from ..model.events import SetUp
from ..model.setup import FULL, HOME_NAMES, REDUCED, SLOT_OF, SLOTS, Slot
from ..model.state import AVAILABLE, ELIMINATED, REINFORCEMENT, UNPLACED, M, lay, lay_all, set_steps
from .setup import lay_ready, set_default, why_not_here

_BOXES = {"available": AVAILABLE, GONE: ELIMINATED}
_FIRST, _SECOND = ATLAS.rules["setup"]["first"], ATLAS.rules["setup"]["second"]


class Deploy(Step, frozen=True, tag="mw.deploy"):
    """[mw-3.4-a] [mw-3.4.1-c] [mw-3.4.1-d] A country is set up by its player, unit by unit or by the default."""

    rule = "mw-3.4.1-c"
    country: int
    side: int
    begun: bool = False

    def run(self, m: M) -> None:
        if not self.begun:
            lay_ready(m, self.country)
            m.amend(Deploy(self.country, self.side, True))
        if not has_room(m.state, self.country):
            self.close(m)

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Offer(Place, lambda: self.fields(m), rule="mw-3.4.2-c"), Offer(DefaultSetup, rule=self.turn_rule())]

    def fields(self, m: M) -> tuple[Field, ...]:
        number, where, left = ATLAS.unit_number, m.state.where, rooms(m.state, self.country)
        slots = SLOTS[self.country, has_extra_armor(m.state)]
        waiting = [IDS[unit] for slot in slots if left[slot.key] for unit in slot.pool if where[unit] == UNPLACED]
        return (
            Field("unit", "unit", OneOf(waiting, why=lambda unit: self.why_unit(m, unit))),
            Field("to", "space", lambda unit: _Places(
                self.universe(m, number[unit]), lambda to: self.why_not(m, number[unit], to))),
            Field("strength", "choice", lambda unit, to: OneOf(
                self.strengths(m, number[unit], to),
                why=lambda strength: Refusal("mw-3.4.2-d", "strength-full", unit=unit))),
        )  # fmt: skip

    def why_unit(self, m: M, unit: str) -> Refusal | None:
        number = ATLAS.unit_number.get(unit)
        if number is None or ATLAS.units[number].country != self.country:
            return Refusal(self.turn_rule(), "other-country", country=f"@{ATLAS.countries[self.country].name}")
        if m.state.where[number] == REINFORCEMENT:
            return Refusal("mw-3.4.2-a", "starts-as-reinforcement", unit=unit)
        return Refusal("mw-3.4.2-b", "slot-full", unit=unit)

    def turn_rule(self) -> str:
        """The rule that makes it this country's turn to be set up."""
        name = ATLAS.countries[self.country].name
        if name in _FIRST:
            return "mw-3.4.1-a"
        if name in _SECOND:
            return "mw-3.4.1-b" if self.side == AXIS else "mw-3.4.1-b-exception"
        return "mw-3.4.1-d" if self.side == AXIS else "mw-3.4.1-c"

    def slot_of(self, m: M, unit: int) -> Slot:
        return SLOT_OF[self.country, has_extra_armor(m.state)][unit]

    def room_for(self, m: M, unit: int) -> Sequence[str]:
        """What may still be set up of the unit's slot."""
        return rooms(m.state, self.country)[self.slot_of(m, unit).key]

    def strengths(self, m: M, unit: int, to: str) -> list[str]:
        return [FULL] if to == GONE else [word for word in self.room_for(m, unit) if word != GONE]

    def universe(self, m: M, unit: int) -> tuple[str, ...]:
        """[mw-3.4.2-c] [mw-3.4.2-f] Hexes and boxes that come into question for a unit."""
        room = self.room_for(m, unit)
        land = self.slot_of(m, unit).land
        homes = HOME_NAMES[self.country, ATLAS.units[unit].fort] if land else ("available",)
        if GONE in room:
            return (GONE, *(homes if FULL in room or REDUCED in room else ()))
        return homes if room else ()

    def why_not(self, m: M, unit: int, to: str) -> Refusal | None:
        if to in _BOXES:
            return None
        at = ATLAS.hex_number.get(to)
        return Refusal("mw-3.4.2-c", "no-way", hex=to) if at is None else why_not_here(m, unit, at)

    def take(self, m: M, role: str, action: Place | DefaultSetup) -> None:
        if isinstance(action, DefaultSetup):
            set_default(m, self.country)
        else:
            unit = ATLAS.unit_number[action.unit]
            lay(m.state, unit, _BOXES.get(action.to, ATLAS.hex_number.get(action.to, UNPLACED)))
            if action.strength == REDUCED:
                set_steps(m.state, unit, m.state.steps[unit] - 1)
        m.replace(self)

    def close(self, m: M) -> None:
        """[mw-3.4.3] What was not chosen waits in the Reinforcement Display."""
        units = ATLAS.countries[self.country].units
        lay_all(m.state, {unit: REINFORCEMENT for unit in units if m.state.where[unit] == UNPLACED})
        m.emit(SetUp(country=f"@{ATLAS.countries[self.country].name}"))
        m.pop()


class _Places(Where):
    """Places a rule does not refuse; the rule also speaks about places that never come into question."""

    def why(self, value: object) -> Refusal | None:
        return self.rule(value) if isinstance(value, str) else None
