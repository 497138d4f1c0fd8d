"""Cut Off: supply is checked at the beginning and at the end of a turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Field, Offer, OneOf, Step

from ..facts.control import spokesman
from ..facts.names import names_of, unit_name, unit_of
from ..facts.roster import filled
from ..facts.supply import Fed, fed, groups
from ..facts.winter import in_russian_winter
from ..model.actions import Starve
from ..model.atlas import ATLAS, DESERT, IMPASSABLE
from ..model.events import CutOff, Lost
from ..model.state import CUT_OFF, M
from .units import remove

A = ATLAS


class SupplyCheck(Step, frozen=True, tag="supply-check"):
    """Who is Cut Off now; at the end of a turn some of them die.  [w2e-supply-none]"""

    rule = "w2e-supply-none"
    ending: bool = False
    starved: tuple[int, ...] = ()

    def fed(self, m: M) -> list[Fed]:
        """Return what each group gets, up to the first one whose owner has to choose."""
        found: list[Fed] = []
        for group in groups(m.state):
            found.append(fed(m.state, group, tuple([u for u in self.starved if A.group[m.state.power[u]] == group])))
            if found[-1].short:
                break
        return found

    def short(self, m: M) -> list[int]:
        return next((each.short for each in self.fed(m) if each.short), [])

    def run(self, m: M) -> None:
        state = m.state
        if self.short(m):
            return
        cut: set[int] = set()
        for each in self.fed(m):
            cut |= each.unfed
        flags = list(state.flags)
        for unit in filled(flags):
            if flags[unit] & CUT_OFF and state.space[unit] >= 0:
                flags[unit] &= ~CUT_OFF
        for unit in cut:
            flags[unit] |= CUT_OFF
        state.flags = tuple(flags)
        if cut:
            m.emit(CutOff(units=names_of(state, sorted(cut))))
        m.pop()
        if self.ending:
            for unit in sorted(cut):
                self.maybe_lost(m, unit)

    def maybe_lost(self, m: M, unit: int) -> None:
        """Desert, impassable mountains and the Russian winter kill.

        [w2e-terrain-desert] [w2e-terrain-impassable-build] [w2e-winter-cutoff]
        """
        state = m.state
        space = state.space[unit]
        winter = in_russian_winter(state, A.side[state.power[unit]], space)
        if A.terrain[space] & (DESERT | IMPASSABLE) or winter:
            rule = "w2e-winter-cutoff" if winter else "w2e-terrain-desert"
            m.emit(Lost(unit=unit_name(state, unit), power=f"@{A.powers[state.power[unit]]}", why=rule))
            remove(state, unit)

    def roles(self, m: M) -> Sequence[str]:
        units = self.short(m)
        return (A.powers[spokesman(m.state, units, A.side[m.state.power[units[0]]])],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        names = list(names_of(m.state, self.short(m)))
        return [Offer(Starve, Field("unit", "unit", OneOf(names)), rule="w2e-convoy-capacity")]

    def take(self, m: M, role: str, action: Any) -> None:
        m.replace(SupplyCheck(self.ending, (*self.starved, unit_of(m.state, action.unit))))
