"""Terror bombing and flak (chapters 16.7, 16.8), with the storm's shift (20.0)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.core import Offer, OneOf, Refusal, Step
from sandtable.core.offers import Field

from ..facts.board import aloft, board, enemy_at
from ..facts.politics import side_of
from ..model.actions import Bomb, Done, Hit
from ..model.atlas import ATLAS, NOBODY, SIDES, hex_name
from ..model.events import Bombed, TerrorSpread
from ..model.state import M, frighten
from .air import factor, home
from .losses import reduce

_GUNS = frozenset(unit.index for unit in ATLAS.units if unit.flak or unit.fort)
"""Counters with anti-aircraft guns, and fortifications, which have some."""


def why_not_bomb(m: M, unit: int, aim: str) -> Refusal | None:
    """[mw-16.8-b] [mw-16.8-c] What an airstrike may bomb in the hex it is over."""
    at, side = m.state.where[unit], side_of(m.state, unit)
    if aim == "units":
        return None if enemy_at(m.state, side, at) else Refusal("mw-16.8-b", "no-enemy", hex=hex_name(at))
    if not ATLAS.cities >> at & 1:
        return Refusal("mw-16.8-b", "no-city", hex=hex_name(at))
    if m.state.side[ATLAS.country_of[at]] == side:
        return Refusal("mw-16.8-b", "friendly-country", hex=hex_name(at))
    if board(m.state).occupied[side] >> at & 1:
        return Refusal("mw-16.8-b", "friends-there", hex=hex_name(at))
    return None


def bombers(m: M, side: int) -> dict[int, list[str]]:
    """[mw-16.0-strike] [mw-16.0-lift] Airstrikes on the map with something to bomb."""
    found: dict[int, list[str]] = {}
    for unit in aloft(m.state):
        if ATLAS.units[unit].strike and side_of(m.state, unit) == side:
            aims = [aim for aim in ("city", "units") if why_not_bomb(m, unit, aim) is None]
            if aims:
                found[unit] = aims
    return found


def terror_column(m: M, unit: int) -> int:
    """[mw-16.8-d] [mw-20.0-h] The unit's factor; one less in storms over the Soviet Union and Finland."""
    columns = ATLAS.tables["terror"]["columns"]
    value = factor(m, unit) - storm_shift(m, ATLAS.units[unit].country, m.state.where[unit])
    return int(max(columns[0], min(columns[-1], value)))


def storm_shift(m: M, country: int, at: int) -> int:
    """[mw-20.0-h] Storms: one column left for attacks into the Soviet Union or Finland, not by their own units."""
    there = ATLAS.country_of[at]
    if not m.state.storm or there in (country, NOBODY):
        return 0
    return 1 if ATLAS.countries[there].name in ATLAS.rules["storm"]["attack_countries"] else 0


def has_flak(m: M, side: int, at: int) -> bool:
    """[mw-16.7] Whether the other side has anti-aircraft guns or a fortification in the hex."""
    return guns_among(enemy_at(m.state, side, at))


def guns_among(units: Iterable[int]) -> bool:
    return not _GUNS.isdisjoint(units)


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
        result = ATLAS.terror[m.roll(6, why="mw-16.8-d")][terror_column(m, unit)]
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
    """[mw-16.8.1-terror] The attacker picks the unit that is reduced; he looks at the whole stack."""

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
