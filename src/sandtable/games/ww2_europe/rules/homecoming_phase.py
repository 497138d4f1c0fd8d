"""Stage 4, Return to Port/Land: every ship and plane goes back to where it began, or to the closest base."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Field, Offer, OneOf, Step
from sandtable.core.columns import put, put_all, put_each

from ..facts.control import all_friendly_bases, held_at_war
from ..facts.lanes import PORTS
from ..facts.names import unit_name
from ..facts.roster import hurt
from ..facts.strongpoints import airfields
from ..facts.whereabouts import cargo
from ..model.actions import Divert
from ..model.atlas import ATLAS, NOBODY
from ..model.events import Lost, Withdrew
from ..model.kinds import AIR, NAVAL
from ..model.state import HOME_BOUND, IN_CONVOY, LAUNCHED, ON_DECK, RAIDER, M, W2State
from ..model.units import mark
from .homecoming import dock, home_is_open, land_at_home, lift_off, other_bases, restless
from .units import remove

A = ATLAS
K = ATLAS.kinds


def send_home(m: M, unit: int, space: int) -> None:
    """Back to where it began the turn; if that is lost, or is the space it must leave, to another base."""
    state = m.state
    if state.space[unit] == IN_CONVOY:
        mark(state, unit, HOME_BOUND)  # it sails on with its convoy
        return
    home = state.home[unit]
    state.task = put(state.task, unit, NOBODY)
    if not home_is_open(m, unit) or home == space or state.flags[unit] & RAIDER:
        m.push(Diverted(unit, space))
    elif home <= ON_DECK:
        ship = ON_DECK - home
        dock(m, unit, unit_name(state, ship))
        if state.home[ship] >= 0:
            state.home = put(state.home, unit, state.home[ship])
    else:
        dock(m, unit, A.names[home])


class Diverted(Step, frozen=True, tag="diverted"):
    """A ship or plane without its base looks for the closest one; without any in range it is lost.

    [w2e-stage4] [w2e-retreat-started-there]
    """

    rule = "w2e-stage4"
    unit: int
    leaving: int = NOBODY

    def run(self, m: M) -> None:
        state = m.state
        if state.space[self.unit] < 0:
            m.pop()
            return
        bases = other_bases(m, self.unit, self.leaving)
        if len(bases) > 1:
            return
        m.pop()
        if bases:
            dock(m, self.unit, bases[0])
        else:
            owner = f"@{A.powers[state.power[self.unit]]}"
            m.emit(Lost(unit=unit_name(state, self.unit), power=owner, why="w2e-stage4"))
            remove(state, self.unit)

    def roles(self, m: M) -> Sequence[str]:
        return (A.powers[m.state.power[self.unit]],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Offer(Divert, Field("to", "choice", OneOf(other_bases(m, self.unit, self.leaving))), rule=self.rule)]

    def take(self, m: M, role: str, action: Any) -> None:
        m.pop()
        m.emit(Withdrew(side=f"@{role}", space=f"@{A.names[m.state.space[self.unit]]}", to=action.to))
        dock(m, self.unit, action.to)


class ReturnHome(Step, frozen=True, tag="return-home"):
    """Stage 4 for all units that went out.  [w2e-stage4]"""

    rule = "w2e-stage4"

    def run(self, m: M) -> None:
        for ship in hurt(m.state):
            lift_off(m, ship)
        for cls in (NAVAL, AIR):
            if not self._all_home(m, cls):
                return
        land_at_home(m)
        m.state.tasks, m.state.task = (), (NOBODY,) * len(m.state.task)
        m.pop()

    def _all_home(self, m: M, cls: int) -> bool:
        """Bring ships or planes home; False when the owner of a diverted one has to choose a base first."""
        state = m.state
        usable = PORTS & held_at_war(state) if cls == NAVAL else airfields(state)
        friendly = all_friendly_bases(state)
        bases = [theirs & usable for theirs in friendly]
        back: list[int] = []
        stayed: list[int] = []
        for unit in restless(m, cls, bases):
            space, home, power, flags = state.space[unit], state.home[unit], state.power[unit], state.flags[unit]
            if space < 0 or state.cargo_of[unit] >= 0:
                continue
            is_open = home >= 0 and bases[power] >> home & 1
            if space == home and (is_open or flags & HOME_BOUND):
                stayed.append(unit)
                continue
            at_anchor = space == home and (friendly[power] & PORTS) >> space & 1  # in a neutral's own port
            if (is_open or at_anchor) and not flags & RAIDER:
                back.append(unit)
                continue
            self._arrive(state, back, stayed)
            back, stayed = [], []
            depth = len(state.stack)
            send_home(m, unit, NOBODY)
            if len(state.stack) > depth:
                m.step.run(m)
                if len(state.stack) > depth:
                    return False
        self._arrive(state, back, stayed)
        return True

    def _arrive(self, s: W2State, back: Sequence[int], stayed: Sequence[int]) -> None:
        """Ships or planes are back where they began the turn, with all that they carry; their orders are done."""
        if back or stayed:
            s.task = put_all(s.task, (*back, *stayed), NOBODY)
        if not back:
            return
        s.flags = put_each(s.flags, {unit: s.flags[unit] & ~LAUNCHED | HOME_BOUND for unit in back})
        s.space = put_each(s.space, {each: s.home[unit] for unit in back for each in (unit, *cargo(s, unit))})
