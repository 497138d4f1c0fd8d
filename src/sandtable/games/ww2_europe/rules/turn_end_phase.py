"""The end of a turn: supply, depots, the pact, surrenders, stack limits, victory, and the next turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Field, Offer, OneOf, Step
from sandtable.core.columns import put

from ..facts.control import spokesman
from ..facts.lanes import PORTS
from ..facts.names import names_of, unit_of
from ..facts.roster import roster
from ..facts.strongpoints import airfields, country_of, flag_at
from ..facts.supply_net import supply_net
from ..facts.whereabouts import planes_at, ships_at
from ..model.actions import Scrap
from ..model.atlas import ATLAS, MAJOR_FLAG, MINOR_FLAG, NO_FLAG
from ..model.events import Lost, Noted
from ..model.kinds import AIR, NAVAL
from ..model.state import M
from .armistice import free_vichy
from .homecoming_phase import ReturnHome
from .pact import check_pact
from .stacking import base_limit
from .supply_phase import SupplyCheck
from .surrender_phase import Surrenders
from .turn_end import pacific_money, settle_homes, stranded
from .units import remove
from .victory import both_victorious, check_victory

A = ATLAS
K = ATLAS.kinds


_FITS_ANYWHERE = min(
    int(A.limit[name]) for name in ("naval_port", "air", "air_minor_flag", "fortress_air", "airbase_air")
)
"""Stack Points for which every port and every airfield has room."""


class EndTurn(Step, frozen=True, tag="end-turn"):
    """Everything that is tested at the end of a turn, in order.  [w2e-turn-season]"""

    rule = "w2e-turn-season"

    def run(self, m: M) -> None:
        if both_victorious(m):
            return
        settle_homes(m)
        m.replace(SupplyCheck(True), Depots(), PactTest(), Surrenders(), ReturnHome(), StackLimits(), LastThings())


class Depots(Step, frozen=True, tag="depots"):
    """A depot goes when a regular source of supply can be reached.  [w2e-depot-placement]"""

    rule = "w2e-depot-placement"

    def run(self, m: M) -> None:
        state = m.state
        m.pop()
        for space in A.land:
            if not state.depot[space]:
                continue
            owner = state.owner[space]
            part = supply_net(state, A.group[owner]).part
            for source in A.land:
                near = part[source] == part[space] >= 0
                flag = flag_at(state, source) if near else NO_FLAG
                minor = flag == MINOR_FLAG and country_of(state, source) == country_of(state, space)
                if flag == MAJOR_FLAG or minor:
                    state.depot = put(state.depot, space, 0)
                    m.emit(Noted(note="@note-depot-removed", power=f"@{A.powers[owner]}", place=f"@{A.names[space]}"))
                    break


class PactTest(Step, frozen=True, tag="pact-test"):
    rule = "w2e-pact-soviet"

    def run(self, m: M) -> None:
        m.pop()
        check_pact(m)
        free_vichy(m)


class StackLimits(Step, frozen=True, tag="stack-limits"):
    """Planes and ships beyond what a base holds are destroyed by their owner's choice.

    [w2e-stack-air] [w2e-stack-naval] [w2e-port-regular-capacity] [w2e-air-general]
    """

    rule = "w2e-stack-air"

    def crowded(self, m: M) -> list[int]:
        """Return the units of the first base that holds too many."""
        state = m.state
        points: dict[tuple[int, int], int] = {}
        everyone = roster(state).every
        for cls, bases in ((AIR, A.is_land), (NAVAL, A.is_port)):
            for unit in everyone[cls]:
                space, side = state.space[unit], A.side[state.power[unit]]
                if space >= 0 and side >= 0 and bases[space]:
                    points[space, side] = points.get((space, side), 0) + K.stack[state.kind[unit]]
        fits = PORTS | airfields(state)
        full = [
            (base, side) for (base, side), load in points.items()
            if not (load <= _FITS_ANYWHERE and fits >> base & 1) and load > base_limit(state, base)
        ]  # fmt: skip
        if not full:
            return []
        space, side = min(full)
        return planes_at(state, space, side) if A.is_land[space] else ships_at(state, space, side)

    def run(self, m: M) -> None:
        if not self.crowded(m):
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        units = self.crowded(m)
        return (A.powers[spokesman(m.state, units, A.side[m.state.power[units[0]]])],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Offer(Scrap, Field("unit", "unit", OneOf(list(names_of(m.state, self.crowded(m))))), rule=self.rule)]

    def take(self, m: M, role: str, action: Any) -> None:
        state = m.state
        unit = unit_of(state, action.unit)
        rule = "w2e-stack-air" if K.cls[state.kind[unit]] == AIR else "w2e-stack-naval"
        m.emit(Lost(unit=action.unit, power=f"@{A.powers[state.power[unit]]}", why=rule))
        remove(state, unit)
        m.replace(StackLimits())


class LastThings(Step, frozen=True, tag="last-things"):
    """The Pacific, victory, and the turn marker."""

    rule = "w2e-turn-season"

    def run(self, m: M) -> None:
        state = m.state
        pacific_money(m)
        stranded(m)
        if check_victory(m):
            return
        m.pop()
        state.turn += 1
        state.known = tuple(tuple(2 if value else 0 for value in row) for row in state.known)
