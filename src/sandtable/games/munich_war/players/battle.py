"""What an attack is worth: every die of the table, with the losses, retreats and the ground it brings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..model.atlas import ASSAULT, ATLAS, MOBILE
from ..model.state import MunichState
from .lore import Doctrine, step_worth, unit_worth

COLUMNS = len(ATLAS.columns)
RETREAT = 0.05
"""What one hex of retreat costs a unit, in victory points."""
_ALL = 99


def _row(name: str) -> tuple[bool, bool, int, int, int, int, int, bool]:
    """A result's text as numbers: attackers and defenders wiped out, defenders and attackers reduced, mechanized
    attackers reduced, hexes that attackers and defenders retreat, whether the attacker may come in."""
    row: dict[str, Any] = ATLAS.tables["combat_results"][name]

    def number(key: str) -> int:
        value = row.get(key, 0)
        return _ALL if value == "all" else value if isinstance(value, int) else -1

    return (
        bool(row.get("attacker_eliminate")), bool(row.get("defender_eliminate")), number("defender_reduce"),
        number("attacker_reduce"), number("attacker_reduce_mechanized"), number("attacker_retreat"),
        number("defender_retreat"), "advance" in row,
    )  # fmt: skip


_RESULTS = {name: _row(name) for table in ATLAS.crt.values() for rows in table[1:] for name in rows}
_BY_COLUMN = {
    table: [tuple(ATLAS.crt[table][die][column] for die in range(1, 7)) for column in range(COLUMNS)]
    for table in (ASSAULT, MOBILE)
}


_COUNTED = {
    table: [tuple((name, names.count(name)) for name in dict.fromkeys(names)) for names in columns]
    for table, columns in _BY_COLUMN.items()
}


class Clash:
    """One possible attack: the sums that every result needs, made once for a force and its enemy."""

    __slots__ = ("_cheapest", "_known", "_single", "_sums", "_theirs", "_values", "_whole", "doctrine", "foes", "fort",
                 "prize", "scale", "steps", "trapped")  # fmt: skip

    def __init__(
        self, state: MunichState, foes: Sequence[int], doctrine: Doctrine, scale: float, prize: float, trapped: bool
    ) -> None:
        self.steps, self.foes, self.doctrine = state.steps, tuple(foes), doctrine
        self.scale, self.prize, self.trapped = scale, prize, trapped
        self.fort = any(ATLAS.units[foe].fort for foe in foes)
        theirs = [step_worth(foe, self.steps[foe], scale) for foe in foes]
        self._theirs = sum(theirs)
        self._whole = sum(unit_worth(foe, self.steps[foe], scale) for foe in foes)
        self._cheapest = min(theirs, default=0.0)
        self._single = all(self.steps[foe] <= 1 for foe in foes)
        self._sums: dict[tuple[int, ...], tuple[list[float], list[float], float]] = {}
        self._known: dict[tuple[tuple[int, ...], str, int], float] = {}
        self._values: dict[tuple[tuple[int, ...], str], dict[str, float]] = {}

    def worth(self, units: tuple[int, ...], table: str, column: int) -> float:
        """The expected gain of attacking with these units in a column of a table."""
        column = max(0, min(COLUMNS - 1, column))
        key = (units, table, column)
        found = self._known.get(key)
        if found is None:
            sums = self._sums.get(units)
            if sums is None:
                sums = self._sums[units] = self._own(units)
            total = 0.0
            values = self._values.setdefault((units, table), {})
            for name, times in _COUNTED[table][column]:
                value = values.get(name)
                if value is None:
                    value = values[name] = self._value(name, table, *sums)
                total += times * value
            found = self._known[key] = total / 6
        return found

    def success(self, table: str, column: int) -> float:
        """The chance that the hex is cleared."""
        names = _BY_COLUMN[table][max(0, min(COLUMNS - 1, column))]
        return sum(self._clears(name) for name in names) / 6

    def _clears(self, name: str) -> bool:
        _, wiped, reduced, _, _, _, retreat, advance = _RESULTS[name]
        if wiped:
            return True
        if not advance:
            return False
        if retreat:
            return not self.fort or (reduced == _ALL and self._single)
        return self._single and (reduced == _ALL or len(self.foes) == 1)

    def _own(self, units: tuple[int, ...]) -> tuple[list[float], list[float], float]:
        """The attackers' step prices, those of the mechanized alone, and the price of all of them."""
        steps, scale = self.steps, self.scale
        priced = [(step_worth(unit, steps[unit], scale), unit) for unit in units]
        ours = sorted(price for price, _ in priced)
        tanks = sorted(price for price, unit in priced if ATLAS.units[unit].mechanized)
        return ours, tanks, sum(unit_worth(unit, steps[unit], scale) for unit in units)

    def _value(self, name: str, table: str, ours: list[float], tanks: list[float], whole: float) -> float:
        """A result in victory points."""
        scale, thrift, harm = self.scale, self.doctrine.thrift, self.doctrine.harm
        lost, wiped, reduced, cost, armor, back, flight, _ = _RESULTS[name]
        gain = 0.0
        if lost:
            gain -= whole * thrift
        if wiped:
            gain += self._whole * harm
        if reduced:
            gain += (self._theirs if reduced == _ALL else self._cheapest) * harm
        if cost:
            number = len(ours) if cost == _ALL else len(self.foes) if cost < 0 else cost
            first = tanks if table == MOBILE and cost != _ALL else ()
            gain -= sum([*first, *ours][:number]) * thrift
        if armor and tanks:
            gain -= tanks[0] * thrift
        if back:
            gain -= RETREAT * back * len(ours) * scale
        if flight and not self.fort:
            gain += RETREAT * flight * len(self.foes) * scale
            if self.trapped:
                gain += self._theirs * harm * min(flight, 2)
        if self._clears(name):
            gain += self.prize
        return gain
