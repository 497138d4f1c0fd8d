"""The Terror Bombing Segment as decisions (16.8)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Offer, OneOf, Refusal, Step

from ..facts.board import enemy_at
from ..facts.politics import side_of
from ..model.actions import Bomb, Done, Hit
from ..model.atlas import ATLAS, SIDES, hex_name
from ..model.events import Bombed, TerrorSpread
from ..model.state import M, frighten
from .air import home
from .losses import reduce
from .terror import bombers, has_flak, terror_column, why_not_bomb


def _why_no_bomber(m: M, side: int, unit: str) -> Refusal | None:
    number = ATLAS.unit_number.get(unit)
    if number is None or not ATLAS.units[number].air:
        return None
    if ATLAS.units[number].lift:
        return Refusal("mw-16.0-lift", "airlift-only", unit=unit)
    if side_of(m.state, number) != side or m.state.where[number] < 0:
        return Refusal("mw-16.8-a", "not-on-map", unit=unit)
    return why_not_bomb(m, number, "city")


class TerrorBombing(Step, frozen=True, tag="mw.terror"):
    """[mw-16.8-a] Terror Bombing Segment: one airstrike after the other."""

    rule = "mw-16.8-a"
    side: int

    def run(self, m: M) -> None:
        if not bombers(m, self.side):
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        ready = bombers(m, self.side)
        number = ATLAS.unit_number
        return [
            Offer(
                Bomb,
                Field("unit", "unit", OneOf(
                    [ATLAS.units[unit].id for unit in ready], why=lambda unit: _why_no_bomber(m, self.side, unit))),
                Field("aim", "choice", lambda unit: OneOf(
                    ready[number[unit]], why=lambda aim: why_not_bomb(m, number[unit], aim))),
                rule="mw-16.8-a",
            ),
            Offer(Done, rule="mw-16.8-a"),
        ]  # fmt: skip

    def take(self, m: M, role: str, action: Bomb | Done) -> None:
        if isinstance(action, Done):
            m.pop()
            return
        unit = ATLAS.unit_number[action.unit]
        at = m.state.where[unit]
        result = ATLAS.terror[m.roll(why="mw-16.8-d")][terror_column(m, unit)]
        m.emit(Bombed(unit=action.unit, at=hex_name(at), aim=f"@aim-{action.aim}", result=result))
        if result == "Terror" and action.aim == "city":
            # [mw-16.8.1-terror] [mw-16.8.2-permanent]
            frighten(m.state, at)
            m.emit(TerrorSpread(at=hex_name(at)))
        elif result == "Defiance" or (result == "Flak" and has_flak(m, self.side, at)):
            # [mw-16.8.1-defiance] [mw-16.8.1-flak]
            reduce(m, unit, "terror-bombing")
        home(m, unit)
        m.replace(self)
        if result == "Terror" and action.aim == "units":
            m.push(ChooseHit(self.side, tuple(enemy_at(m.state, self.side, at)), at))


class ChooseHit(Step, frozen=True, tag="mw.hit"):
    """[mw-16.8.1-terror] The attacker picks the unit that is reduced; the whole stack is shown to them."""

    rule = "mw-16.8.1-terror"
    side: int
    units: tuple[int, ...]
    at: int

    def run(self, m: M) -> None:
        if len(self.units) == 1:
            reduce(m, self.units[0], "terror-bombing")
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        ids = [ATLAS.units[unit].id for unit in self.units]
        return [Offer(Hit, Field("unit", "unit", OneOf(ids)), rule="mw-16.8.1-terror")]

    def take(self, m: M, role: str, action: Hit) -> None:
        reduce(m, ATLAS.unit_number[action.unit], "terror-bombing")
        m.pop()
