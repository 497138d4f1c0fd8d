"""The Events Phase (chapter 6), intervention (5.3) and the coming of storms (20)."""

from __future__ import annotations

from sandtable.core import Step
from sandtable.core.columns import put

from ..model.atlas import ALLIES, ATLAS, AXIS, NOBODY, SIDES
from ..model.events import EventHappened, PointsGained, PointsLost, StormsBegan
from ..model.state import M
from .mobilization_phase import Spend
from .politics import join


class EventsPhase(Step, frozen=True, tag="mw.events"):
    """[mw-6.0] [mw-4.0-events] One die on the Events Table; not on the first turn."""

    rule = "mw-6.0"

    def run(self, m: M) -> None:
        state = m.state
        state.no_rp = (0, 0)
        m.pop()
        if state.turn > 1:
            words = ATLAS.rules["events"]
            event = words[str(m.roll(why="mw-6.0"))]
            m.emit(EventHappened(event=f"@event-{event}"))
            happen(m, event)


def happen(m: M, event: str) -> None:
    """[mw-event-1] [mw-event-2] [mw-event-4] [mw-event-5] [mw-event-6]"""
    state, words = m.state, ATLAS.rules["events"]
    if event == "weather":
        if is_november(state.turn) and not state.storm:
            state.storm = True
            state.clock += 1
            m.emit(StormsBegan())
    elif event == "intervention":
        intervene(m)
    elif event == "crisis":
        side = AXIS if m.roll(why="mw-event-4") in words["crisis_axis"] else ALLIES
        state.pool = int(words["crisis_points"])
        m.emit(PointsGained(side=f"@{SIDES[side]}", points=state.pool))
        m.push(Spend(side))
    elif event == "putsch":
        if conquered_cities(m) < words["putsch_cities"]:
            stop_points(m, AXIS)
    elif conquered_cities(m) >= words["blitzkrieg_cities"]:
        stop_points(m, ALLIES)


def is_november(turn: int) -> bool:
    """[mw-20.0-b] Whether storms can begin in this turn."""
    return str(ATLAS.turn_names[turn - 1]).startswith(ATLAS.rules["storm"]["month"])


def intervene(m: M) -> None:
    """[mw-5.3-a] [mw-5.3-b] [mw-3.4-b] The scenario's intervention countries enter, once; their units stand ready."""
    state = m.state
    if state.intervened:
        return
    state.intervened = True
    for side in (AXIS, ALLIES):
        for country in ATLAS.plans[state.plan].intervention[side]:
            if state.side[country] == NOBODY:
                join(m, country, side, "intervention")


def stop_points(m: M, side: int) -> None:
    m.state.no_rp = put(m.state.no_rp, side, 1)
    m.emit(PointsLost(side=f"@{SIDES[side]}"))


def conquered_cities(m: M) -> int:
    """Enemy capitals and mobilization centers with German units in them."""
    state = m.state
    power = ATLAS.country_number[ATLAS.rules["events"]["power"]]
    side = state.side[power]
    held = {
        state.where[unit] for unit in ATLAS.countries[power].units if ATLAS.is_land[unit] and state.where[unit] >= 0
    }
    return sum(1 for at in held if ATLAS.key_cities >> at & 1 and state.side[ATLAS.country_of[at]] == 1 - side)
