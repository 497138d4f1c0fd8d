"""The Events: what happened, as the log tells it. Facts that are names start with '@'."""

from __future__ import annotations

from sandtable.core import Event


class TurnBegan(Event, frozen=True, tag="turn-began"):
    turn: str
    first: str


class PhaseBegan(Event, frozen=True, tag="phase-began"):
    phase: str


class WarDeclared(Event, frozen=True, tag="war-declared"):
    side: str
    country: str


class Joined(Event, frozen=True, tag="joined"):
    country: str
    power: str


class Entered(Event, frozen=True, tag="entered"):
    """A major power enters the war."""

    power: str


class Moved(Event, frozen=True, tag="moved"):
    unit: str
    power: str
    path: tuple[str, ...]


class Ordered(Event, frozen=True, tag="ordered"):
    power: str
    order: str
    units: tuple[str, ...]
    path: tuple[str, ...]


class Captured(Event, frozen=True, tag="captured"):
    space: str
    power: str


class Sought(Event, frozen=True, tag="sought"):
    """An interception was rolled (or needed no roll: needed 6)."""

    space: str
    side: str
    needed: int
    found: tuple[str, ...]


class Evaded(Event, frozen=True, tag="evaded"):
    space: str
    units: tuple[str, ...]


class BattleBegan(Event, frozen=True, tag="battle-began"):
    space: str
    side: str
    stage: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]


class Hit(Event, frozen=True, tag="hit"):
    """An armoured ship was damaged."""

    unit: str
    power: str


class Lost(Event, frozen=True, tag="lost"):
    unit: str
    power: str
    why: str


class Withdrew(Event, frozen=True, tag="withdrew"):
    side: str
    space: str
    to: str


class BattleEnded(Event, frozen=True, tag="battle-ended"):
    space: str
    winner: str


class Conditions(Event, frozen=True, tag="conditions"):
    space: str
    conditions: str


class Bombed(Event, frozen=True, tag="bombed"):
    space: str
    power: str
    dollars: int
    points: int


class CutOff(Event, frozen=True, tag="cut-off"):
    units: tuple[str, ...]


class Redeployed(Event, frozen=True, tag="redeployed"):
    unit: str
    power: str
    to: str
    points: int


class ConvoyDrawn(Event, frozen=True, tag="convoy-drawn"):
    convoy: str
    power: str
    route: tuple[str, ...]


class ConvoyEnded(Event, frozen=True, tag="convoy-ended"):
    convoy: str


class Built(Event, frozen=True, tag="built"):
    unit: str
    power: str
    space: str


class Bought(Event, frozen=True, tag="bought"):
    power: str
    what_: str
    dollars: int


class Gave(Event, frozen=True, tag="gave"):
    power: str
    to: str
    dollars: int


class Collected(Event, frozen=True, tag="collected"):
    power: str
    dollars: int


class Researched(Event, frozen=True, tag="researched"):
    power: str
    tech: str
    total: int


class InitiativePassed(Event, frozen=True, tag="initiative-passed"):
    front: str
    side: str


class Surrendered(Event, frozen=True, tag="surrendered"):
    power: str
    conqueror: str


class Armistice(Event, frozen=True, tag="armistice"):
    power: str
    accepted: bool


class PactBroken(Event, frozen=True, tag="pact-broken"):
    power: str


class LeaderLost(Event, frozen=True, tag="leader-lost"):
    leader: str


class Noted(Event, frozen=True, tag="noted"):
    """Something that the rules do by themselves; `note` picks the sentence."""

    note: str
    power: str = ""
    place: str = ""
    number: int = 0


EVENTS: tuple[type[Event], ...] = (
    TurnBegan, PhaseBegan, WarDeclared, Joined, Entered, Moved, Ordered, Captured, Sought, Evaded, BattleBegan, Hit,
    Lost, Withdrew, BattleEnded, Conditions, Bombed, CutOff, Redeployed, ConvoyDrawn, ConvoyEnded, Built, Bought,
    Gave, Collected, Researched, InitiativePassed, Surrendered, Armistice, PactBroken, LeaderLost, Noted,
)  # fmt: skip
