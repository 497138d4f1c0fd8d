"""State, actions and events of the demonstration game."""

from __future__ import annotations

from sandtable.core import Action, Event, State

HIDDEN = "?"
NOWHERE = -1


class DemoState(State, kw_only=True):
    """Units are numbers: unit u belongs to role u // 5. Hands and deck are hidden."""

    turn: int = 1
    space: tuple[int, ...]
    step: tuple[int, ...]
    owner: tuple[int, ...]
    gold: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...]
    deck: tuple[str, ...]
    posture: tuple[str, ...]
    flooded: tuple[int, int] | None = None


class Plan(Action, frozen=True, tag="plan"):
    posture: str


class Walk(Action, frozen=True, tag="walk"):
    unit: str
    path: tuple[str, ...]


class Regroup(Action, frozen=True, tag="regroup"):
    units: tuple[str, ...]
    to: str


class Recruit(Action, frozen=True, tag="recruit"):
    amounts: tuple[tuple[str, int], ...]


class EndMoves(Action, frozen=True, tag="end-moves"):
    pass


class PlayCard(Action, frozen=True, tag="card"):
    card: str


class Peek(Action, frozen=True, tag="peek"):
    victim: str


class Lose(Action, frozen=True, tag="lose"):
    units: tuple[str, ...]


class Retreat(Action, frozen=True, tag="retreat"):
    unit: str
    to: str


class Pursue(Action, frozen=True, tag="pursue"):
    unit: str


ACTIONS = (Plan, Walk, Regroup, Recruit, EndMoves, PlayCard, Peek, Lose, Retreat, Pursue)


class Drew(Event, frozen=True, tag="drew"):
    role: str
    card: str


class Planned(Event, frozen=True, tag="planned"):
    postures: tuple[str, ...]


class Moved(Event, frozen=True, tag="moved"):
    unit: str
    to: str


class Played(Event, frozen=True, tag="played"):
    role: str
    card: str


class Peeked(Event, frozen=True, tag="peeked"):
    role: str
    victim: str
    card: str


class Lost(Event, frozen=True, tag="lost"):
    unit: str
    left: int


EVENTS = (Drew, Planned, Moved, Played, Peeked, Lost)
