"""The end of a Movement or Combat Phase: overstacked units are eliminated (9.1)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Offer, OneOf, Refusal, Step

from ..model.actions import Disband, Done
from ..model.atlas import ATLAS, SIDES
from ..model.state import M
from .losses import eliminate
from .stacking import excess, overstacked


def enforce(m: M, side: int) -> None:
    """[mw-9.1-a] The end of a phase: first the phasing player, then the other one, where there is anything to do."""
    m.replace(*(Overstack(who) for who in (side, 1 - side) if overstacked(m.state, who)))


class Overstack(Step, frozen=True, tag="mw.overstack"):
    """[mw-9.1-a] [mw-9.1-c] At the end of a Movement or Combat Phase the owner eliminates what is too many."""

    rule = "mw-9.1-c"
    side: int

    def run(self, m: M) -> None:
        if not overstacked(m.state, self.side):
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        units = [ATLAS.units[unit].id for unit in excess(m.state, self.side)]
        if not units:  # a state made up from a view: the other player's stack is not what it seemed
            return [Offer(Done, rule="mw-9.1-c")]
        return [Offer(Disband, Field("unit", "unit", OneOf(units, why=self.why_not)), rule="mw-9.1-c")]

    def why_not(self, unit: str) -> Refusal:
        return Refusal("mw-9.1-c", "not-overstacked", unit=unit)

    def take(self, m: M, role: str, action: Disband | Done) -> None:
        if isinstance(action, Disband):
            eliminate(m, ATLAS.unit_number[action.unit], "overstacked")
        m.replace(self)
