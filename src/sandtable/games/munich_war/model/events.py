"""What happened, as the log tells it. Names of countries carry '@' so that they are translated."""

from __future__ import annotations

from sandtable.core import Event


class ScenarioRolled(Event, frozen=True, tag="scenario-rolled"):
    scenario: str


class SetUp(Event, frozen=True, tag="set-up"):
    country: str


class TurnBegan(Event, frozen=True, tag="turn-began"):
    turn: int
    name: str


class PhaseBegan(Event, frozen=True, tag="phase-began"):
    phase: str
    side: str


class EventHappened(Event, frozen=True, tag="event-happened"):
    event: str


class StormsBegan(Event, frozen=True, tag="storms-began"):
    pass


class Joined(Event, frozen=True, tag="joined"):
    """A country entered the war."""

    country: str
    side: str
    why: str


class PointsLost(Event, frozen=True, tag="points-lost"):
    """A putsch or a blitzkrieg: a side gets no replacement points this turn."""

    side: str


class PointsGained(Event, frozen=True, tag="points-gained"):
    side: str
    points: int


class Scheduled(Event, frozen=True, tag="scheduled"):
    unit: str
    turn: int


class NeverArrives(Event, frozen=True, tag="never-arrives"):
    unit: str


class Arrived(Event, frozen=True, tag="arrived"):
    unit: str
    at: str


class Delayed(Event, frozen=True, tag="delayed"):
    unit: str
    turn: int


class Refitted(Event, frozen=True, tag="refitted"):
    unit: str


class Launched(Event, frozen=True, tag="launched"):
    unit: str
    base: str
    target: str


class Intercepted(Event, frozen=True, tag="intercepted"):
    at: str
    attacker: str
    defender: str
    result: str


class Bombed(Event, frozen=True, tag="bombed"):
    unit: str
    at: str
    aim: str
    result: str


class TerrorSpread(Event, frozen=True, tag="terror-spread"):
    at: str


class Moved(Event, frozen=True, tag="moved"):
    unit: str
    path: tuple[str, ...]
    how: str


class Evacuated(Event, frozen=True, tag="evacuated"):
    unit: str
    safe: bool


class Attacked(Event, frozen=True, tag="attacked"):
    target: str
    units: tuple[str, ...]
    defenders: tuple[str, ...]
    table: str


class SpecialForces(Event, frozen=True, tag="special-forces"):
    unit: str
    works: bool


class Fought(Event, frozen=True, tag="fought"):
    target: str
    percent: int
    shift: int
    column: str
    table: str
    result: str


class Reduced(Event, frozen=True, tag="reduced"):
    unit: str


class Eliminated(Event, frozen=True, tag="eliminated"):
    unit: str
    why: str


class Retreated(Event, frozen=True, tag="retreated"):
    unit: str
    path: tuple[str, ...]


class Stood(Event, frozen=True, tag="stood"):
    unit: str


class Advanced(Event, frozen=True, tag="advanced"):
    unit: str
    path: tuple[str, ...]


class SurrenderChecked(Event, frozen=True, tag="surrender-checked"):
    country: str
    surrenders: bool


class Scored(Event, frozen=True, tag="scored"):
    axis: int
    allies: int
    difference: int


class Surprised(Event, frozen=True, tag="surprised"):
    country: str
    result: str


class Prepared(Event, frozen=True, tag="prepared"):
    """Option 23.6: how many Soviet units start at full strength."""

    full: int


EVENTS: tuple[type[Event], ...] = (
    ScenarioRolled, SetUp, TurnBegan, PhaseBegan, EventHappened, StormsBegan, Joined, PointsLost, PointsGained,
    Scheduled, NeverArrives, Arrived, Delayed, Refitted, Launched, Intercepted, Bombed, TerrorSpread, Moved,
    Evacuated, Attacked, SpecialForces, Fought, Reduced, Eliminated, Retreated, Stood, Advanced, SurrenderChecked,
    Scored, Surprised, Prepared,
)  # fmt: skip
