"""Surrender (chapter 21)."""

from __future__ import annotations

from sandtable.core import Step
from sandtable.core.columns import put

from ..facts.control import controlled, owned
from ..facts.politics import members
from ..model.atlas import ATLAS, NOBODY
from ..model.events import SurrenderChecked
from ..model.state import ALL_FLAGS, OUT, SURRENDERED, M, disembark, lay, unmark
from .victory import check_automatic

_CITIES = tuple(country.cities for country in ATLAS.countries)


def must_check(m: M, country: int) -> bool:
    """[mw-21.0-a] [mw-21.0-b] [mw-21.0-d] [mw-surrender-italy-note] The capital, where it is on the map, and every
    mobilization center are enemy controlled; Britain and the Soviet Union never check."""
    face, state = ATLAS.countries[country], m.state
    side = state.side[country]
    if side == NOBODY or state.fallen[country] or not face.surrenders or not face.cities:
        return False
    return not face.cities & ~owned(m.state, 1 - side) and not face.cities & ~controlled(m.state)[1 - side]


def surrender(m: M, country: int) -> None:
    """[mw-21.0-e] [mw-21.0-f] [mw-21.0-g] Its units leave map, displays and tracks; its land stays in play."""
    state = m.state
    state.fallen = put(state.fallen, country, 1)
    state.rp = put(state.rp, country, 0)
    state.clock += 1
    for unit in ATLAS.countries[country].units:
        if state.steps[unit] and state.where[unit] != OUT:
            lay(state, unit, SURRENDERED)
            unmark(state, unit, ALL_FLAGS)
            disembark(state, unit)


class SurrenderPhase(Step, frozen=True, tag="mw.surrender"):
    """[mw-4.0-surrender] [mw-21.0-c] The phasing player rolls for each of their countries that has lost its cities."""

    rule = "mw-4.0-surrender"
    side: int

    def run(self, m: M) -> None:
        state = m.state
        m.pop()
        safe = ~owned(m.state, 1 - self.side)
        for country in members(m.state)[self.side]:
            if not _CITIES[country] & safe and must_check(m, country):
                face = ATLAS.countries[country]
                falls = m.roll(why="mw-21.0-c") in face.surrenders
                m.emit(SurrenderChecked(country=f"@{face.name}", surrenders=falls))
                if falls:
                    surrender(m, country)
                    check_automatic(m)
                    if state.outcome is not None:
                        return
