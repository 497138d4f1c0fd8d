"""What clients send and what they get, as the OpenAPI description shows it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from .log import DieFace, LogLine

Name = Annotated[str, msgspec.Meta(max_length=80)]
Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Number = Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]


class ErrorBody(msgspec.Struct):
    """What went wrong, in one sentence; `rule` is the ledger id where the rules said no."""

    code: str
    message: str
    rule: str | None = None


class ErrorAnswer(msgspec.Struct):
    error: ErrorBody
    number: int | None = None
    """Where the match stands now, when the move came too late."""


# ---- games
class RoleInfo(msgspec.Struct):
    id: str
    name: str
    alliance: str


class ScenarioInfo(msgspec.Struct):
    id: str
    name: str
    blurb: str
    roles: list[str]
    turns: int


class OptionInfo(msgspec.Struct):
    id: str
    name: str
    blurb: str
    default: bool | int | str
    choices: list[bool | int | str]
    scenarios: list[str]
    rule: str


class GameInfo(msgspec.Struct):
    id: str
    title: str
    blurb: str
    roles: list[RoleInfo]
    alliances: dict[str, list[str]]
    scenarios: list[ScenarioInfo]
    options: list[OptionInfo]
    levels: list[str]
    windows: list[str]
    has_map: bool


class RuleInfo(msgspec.Struct):
    id: str
    title: str
    says: str
    scope: str
    kind: str


# ---- matches
class SeatWish(msgspec.Struct, forbid_unknown_fields=True):
    roles: Annotated[list[Name], msgspec.Meta(min_length=1, max_length=32)]
    kind: Literal["person", "computer"] = "person"
    level: Name = "recruit"
    name: Name = ""


class ClockWish(msgspec.Struct, forbid_unknown_fields=True):
    kind: Literal["none", "move", "budget"] = "none"
    seconds: Annotated[float, msgspec.Meta(ge=0, le=31_536_000)] = 0
    increment: Annotated[float, msgspec.Meta(ge=0, le=604_800)] = 0


class CreateMatch(msgspec.Struct, forbid_unknown_fields=True):
    game: Name
    scenario: Name = ""
    options: dict[Name, bool | int | Name] = {}
    seats: Annotated[list[SeatWish], msgspec.Meta(max_length=32)] = []
    """Roles nobody sits in are one person's, hot-seat."""
    clock: ClockWish | None = None
    public: bool = False


class BranchMatch(msgspec.Struct, forbid_unknown_fields=True):
    at: Number
    seats: Annotated[list[SeatWish], msgspec.Meta(max_length=32)] = []


class ImportFile(msgspec.Struct, forbid_unknown_fields=True):
    file: Annotated[str, msgspec.Meta(max_length=32_000_000)]
    """The text of a match file."""


class SeatGiven(msgspec.Struct):
    roles: list[str]
    kind: str
    secret: str
    link: str


class MatchCreated(msgspec.Struct):
    match: str
    seed_hash: str
    seats: list[SeatGiven]


class SeatInfo(msgspec.Struct):
    roles: list[str]
    kind: str
    level: str
    name: str
    connected: bool
    handed_over: bool


class MatchLine(msgspec.Struct):
    match: str
    game: str
    scenario: str
    turn: str
    number: int
    asked: list[str]
    you: list[str]
    over: bool
    outcome: dict[str, Any] | None
    updated: float
    public: bool
    kind: str
    secret: str | None = None
    """Only a server on one's own machine remembers one's links."""


class MatchInfo(msgspec.Struct):
    match: str
    game: str
    scenario: str
    options: dict[str, Any]
    seats: list[SeatInfo]
    number: int
    asked: list[str]
    turn: str
    over: bool
    outcome: dict[str, Any] | None
    outcome_text: str
    you: list[str]
    clock: dict[str, Any] | None
    seed_hash: str
    seed: str | None
    rules_version: int
    frozen: str | None
    kind: str
    parent: str | None
    draw: list[str]


# ---- playing
class OffersAnswer(msgspec.Struct):
    number: int
    role: str
    offers: list[dict[str, Any]]
    undo: int


class NextField(msgspec.Struct, forbid_unknown_fields=True):
    role: Name
    index: Number
    prefix: Annotated[list[Any], msgspec.Meta(max_length=64)] = []
    so_far: Annotated[list[Any], msgspec.Meta(max_length=256)] | None = None


class Act(msgspec.Struct, forbid_unknown_fields=True):
    role: Name
    action: dict[str, Any]
    answers: Number
    id: Id


class Ask(msgspec.Struct, forbid_unknown_fields=True):
    role: Name
    action: dict[str, Any]


class Take(msgspec.Struct, forbid_unknown_fields=True):
    role: Name
    answers: Number
    id: Id


class DrawWish(msgspec.Struct, forbid_unknown_fields=True):
    role: Name
    answers: Number
    id: Id
    agree: bool = True


class OrdersWish(msgspec.Struct, forbid_unknown_fields=True):
    role: Name
    answers: Number
    id: Id
    ask: Annotated[list[Name], msgspec.Meta(max_length=200)] | None = None
    quiet_until: Name = ""


class Acted(msgspec.Struct):
    number: int
    id: str
    events: list[LogLine]


class WhyNot(msgspec.Struct):
    allowed: bool
    rule: str | None = None
    message: str | None = None


class ChatWish(msgspec.Struct, forbid_unknown_fields=True):
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]


class ChatLine(msgspec.Struct):
    id: int
    name: str
    roles: list[str]
    text: str
    at: float


class MoveInfo(msgspec.Struct):
    n: int
    role: str
    verb: str
    turn: str
    at: float
    taken_back: bool
    label: str = ""
    """The verb as people read it."""


class DiceAnswer(msgspec.Struct):
    seed: str
    seed_hash: str
    dice: list[DieFace]


class Health(msgspec.Struct):
    status: str
    matches: int
