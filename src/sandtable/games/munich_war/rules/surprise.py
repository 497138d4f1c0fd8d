"""Option 23.2, the German surprise attack. The other optional rules stand with the chapters they change."""

from __future__ import annotations

from sandtable.core import Step
from sandtable.core.columns import put

from ..model.atlas import ALLIES, ATLAS, NOBODY, SIDES
from ..model.events import PointsGained, Surprised
from ..model.state import AVAILABLE, SURPRISED, UTILIZED, M, lay, mark
from .mobilization_phase import Spend


class SurpriseAttack(Step, frozen=True, tag="mw.surprise"):
    """[mw-23.2-roll] After set-up, one die for each Allied belligerent and each neutral with forces on the map."""

    rule = "mw-23.2-roll"
    place: int = 0

    def run(self, m: M) -> None:
        victims = attacked(m)
        if self.place == len(victims):
            m.pop()
            return
        country = victims[self.place]
        m.replace(SurpriseAttack(self.place + 1))
        surprise(m, country)


def attacked(m: M) -> list[int]:
    """Countries to roll for, in the order of the atlas: those that are set up and not the Axis's."""
    plan = ATLAS.plans[m.state.plan]
    return [country for country in sorted(plan.deployer) if m.state.side[country] in (ALLIES, NOBODY)]


def surprise(m: M, country: int) -> None:
    """[mw-23.2-1-3] [mw-23.2-4-5] [mw-23.2-6] [mw-23.2-note]"""
    words, state = ATLAS.rules["option_23_2"], m.state
    die = m.roll(why="mw-23.2-roll")
    name = f"@{ATLAS.countries[country].name}"
    if die in words["surprised"]:
        m.emit(Surprised(country=name, result="@surprised"))
        for unit in ATLAS.countries[country].units:
            if ATLAS.units[unit].air:
                mark(state, unit, SURPRISED)
                if state.where[unit] == AVAILABLE:
                    lay(state, unit, UTILIZED)
    elif die in words["alert"]:
        m.emit(Surprised(country=name, result="@alert"))
        state.rp = put(state.rp, country, int(words["alert_points"]))
        state.clock += 1
        m.emit(PointsGained(side=f"@{SIDES[ALLIES]}", points=state.rp[country]))
        m.push(Spend(ALLIES, country))
    else:
        m.emit(Surprised(country=name, result="@unaware"))
