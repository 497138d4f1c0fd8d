"""The Events: what happened. Facts that start with '@' are names to be translated."""

from __future__ import annotations

from sandtable.core import Event


class TurnBegan(Event, frozen=True, tag="turn-began"):
    turn: str


class Initiative(Event, frozen=True, tag="initiative"):
    side: str
    axis: int
    allies: int


class Weather(Event, frozen=True, tag="weather"):
    europe: str
    pacific: str


class LimitSet(Event, frozen=True, tag="limit-set"):
    """How many land units Japan and China may attack each other with."""

    units: int


class Placed(Event, frozen=True, tag="placed"):
    unit: str
    space: str


class Moved(Event, frozen=True, tag="moved"):
    unit: str
    origin: str
    space: str
    how: str


class Sailed(Event, frozen=True, tag="sailed"):
    ships: tuple[str, ...]
    origin: str
    space: str


class Waiting(Event, frozen=True, tag="waiting"):
    ships: tuple[str, ...]
    space: str
    country: str


class Embarked(Event, frozen=True, tag="embarked"):
    unit: str
    convoy: str
    space: str


class Disembarked(Event, frozen=True, tag="disembarked"):
    unit: str
    space: str


class InvasionAnnounced(Event, frozen=True, tag="invasion-announced"):
    unit: str
    space: str


class WarDeclared(Event, frozen=True, tag="war-declared"):
    country: str
    on: str


class Joined(Event, frozen=True, tag="joined"):
    """A country enters the war."""

    country: str
    side: str
    master: str


class PeaceMade(Event, frozen=True, tag="peace-made"):
    one: str
    other: str


class PeaceEnded(Event, frozen=True, tag="peace-ended"):
    total: int


class Searched(Event, frozen=True, tag="searched"):
    side: str
    space: str
    total: int
    number: int
    found: bool


class BattleBegan(Event, frozen=True, tag="battle-began"):
    space: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]


class Fired(Event, frozen=True, tag="fired"):
    """One unit's shots at a strength."""

    unit: str
    strength: int
    dice: tuple[int, ...]
    hits: int


class CoastalDefence(Event, frozen=True, tag="coastal-defence"):
    space: str
    die: int


class Hit(Event, frozen=True, tag="hit"):
    unit: str
    lost: bool


class Retreated(Event, frozen=True, tag="retreated"):
    unit: str
    origin: str
    space: str


class Lost(Event, frozen=True, tag="lost"):
    """A unit leaves the map for another reason than a hit."""

    unit: str
    space: str


class Controlled(Event, frozen=True, tag="controlled"):
    space: str
    country: str
    former: str


class BattleEnded(Event, frozen=True, tag="battle-ended"):
    space: str
    side: str


class Bombed(Event, frozen=True, tag="bombed"):
    space: str
    points: int


class Conquered(Event, frozen=True, tag="conquered"):
    country: str


class Freed(Event, frozen=True, tag="freed"):
    country: str


class Surrendered(Event, frozen=True, tag="surrendered"):
    country: str


class VichyInstalled(Event, frozen=True, tag="vichy-installed"):
    pass


class PactCarriedOut(Event, frozen=True, tag="pact-carried-out"):
    pass


class UsLevel(Event, frozen=True, tag="us-level"):
    level: int


class Income(Event, frozen=True, tag="income"):
    country: str
    points: int
    lost: int


class Built(Event, frozen=True, tag="built"):
    country: str
    kind: str
    turn: str


class Repaired(Event, frozen=True, tag="repaired"):
    unit: str


class RailBuilt(Event, frozen=True, tag="rail-built"):
    country: str


class CardDrawn(Event, frozen=True, tag="card-drawn"):
    country: str
    card: str


class CardTaken(Event, frozen=True, tag="card-taken"):
    """Everybody sees that a card was drawn, not which."""

    country: str


class CardBought(Event, frozen=True, tag="card-bought"):
    country: str


class CardOffered(Event, frozen=True, tag="card-offered"):
    country: str
    to: str


class CardReturned(Event, frozen=True, tag="card-returned"):
    country: str


class CardDiscarded(Event, frozen=True, tag="card-discarded"):
    card: str


class CardPlayed(Event, frozen=True, tag="card-played"):
    country: str
    card: str
    on: str


class CoupRolled(Event, frozen=True, tag="coup-rolled"):
    country: str
    total: int
    result: str


class HandsSeen(Event, frozen=True, tag="hands-seen"):
    country: str
    cards: tuple[str, ...]


class NumberBought(Event, frozen=True, tag="number-bought"):
    country: str
    number: int


class ResearchAnnounced(Event, frozen=True, tag="research-announced"):
    country: str


class ResearchRolled(Event, frozen=True, tag="research-rolled"):
    country: str
    die: int
    numbers: int
    success: bool


class Achieved(Event, frozen=True, tag="achieved"):
    country: str
    advance: str


class Sabotaged(Event, frozen=True, tag="sabotaged"):
    country: str


class Collapse(Event, frozen=True, tag="collapse"):
    country: str
    die: int
    points: int


class Points(Event, frozen=True, tag="points"):
    """The count for economic victory at the end of a quarter."""

    axis: int
    allies: int


class Changed(Event, frozen=True, tag="changed"):
    """Optional rules: units merged or split."""

    unit: str
    other: str


EVENTS: tuple[type[Event], ...] = (
    TurnBegan, Initiative, Weather, LimitSet, Placed, Moved, Sailed, Waiting, Embarked, Disembarked, InvasionAnnounced,
    WarDeclared, Joined, PeaceMade, PeaceEnded, Searched, BattleBegan, Fired, CoastalDefence, Hit, Retreated, Lost,
    Controlled, BattleEnded, Bombed, Conquered, Freed, Surrendered, VichyInstalled, PactCarriedOut, UsLevel, Income,
    Built, Repaired, RailBuilt, CardDrawn, CardTaken, CardBought, CardOffered, CardReturned, CardDiscarded, CardPlayed,
    CoupRolled, HandsSeen, NumberBought, ResearchAnnounced, ResearchRolled, Achieved, Sabotaged, Collapse, Points,
    Changed,
)  # fmt: skip
