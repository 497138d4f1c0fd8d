"""What an attack is worth: every die of the table, with the losses, retreats and the ground it brings."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from ..model.atlas import ASSAULT, ATLAS, MOBILE
from ..model.state import MunichState
from ..rules.results import ALL, AS_MANY, RESULTS
from .lore import Doctrine, step_worth, unit_worth

COLUMNS = len(ATLAS.columns)
RETREAT = 0.05
"""What one hex of retreat costs a unit, in victory points."""


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
        self._theirs = fsum(theirs)
        self._whole = fsum(unit_worth(foe, self.steps[foe], scale) for foe in foes)
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
        result = RESULTS[name]
        if result.defenders_die:
            return True
        if not result.lets_advance:
            return False
        all_reduced = result.defenders_reduced == ALL
        if result.defenders_retreat:
            return not self.fort or (all_reduced and self._single)
        return self._single and (all_reduced or len(self.foes) == 1)

    def _own(self, units: tuple[int, ...]) -> tuple[list[float], list[float], float]:
        """The attackers' step prices, those of the mechanized alone, and the price of all of them."""
        steps, scale = self.steps, self.scale
        priced = [(step_worth(unit, steps[unit], scale), unit) for unit in units]
        ours = sorted(price for price, _ in priced)
        tanks = sorted(price for price, unit in priced if ATLAS.units[unit].mechanized)
        return ours, tanks, fsum(unit_worth(unit, steps[unit], scale) for unit in units)

    def _value(self, name: str, table: str, ours: list[float], tanks: list[float], whole: float) -> float:
        """A result in victory points."""
        scale, thrift, harm = self.scale, self.doctrine.thrift, self.doctrine.harm
        result = RESULTS[name]
        gain = 0.0
        if result.attackers_die:
            gain -= whole * thrift
        if result.defenders_die:
            gain += self._whole * harm
        if result.defenders_reduced:
            gain += (self._theirs if result.defenders_reduced == ALL else self._cheapest) * harm
        if result.attackers_reduced:
            wanted = result.attackers_reduced
            number = len(ours) if wanted == ALL else len(self.foes) if wanted == AS_MANY else wanted
            first = tanks if table == MOBILE and wanted != ALL else ()
            gain -= fsum([*first, *ours][:number]) * thrift
        if result.tanks_reduced and tanks:
            gain -= tanks[0] * thrift
        gain -= RETREAT * result.attackers_retreat * len(ours) * scale
        flight = result.defenders_retreat
        if flight and not self.fort:
            gain += RETREAT * flight * len(self.foes) * scale
            if self.trapped:
                gain += self._theirs * harm * min(flight, 2)
        if self._clears(name):
            gain += self.prize
        return gain
