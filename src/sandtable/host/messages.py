"""The messages between a client and the host. The package's docstring says when each of them is sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec

from sandtable.core.table import Table

from .log import DieFace, LogLine
from .records import ChatLine

Name = Annotated[str, msgspec.Meta(max_length=80)]
Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Number = Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]
OptionValue = bool | int | str
_PREFIX = "#/components/schemas/"
Value = Annotated[Any, msgspec.Meta(extra_json_schema={"$ref": f"{_PREFIX}Value"})]
"""A value of an action's field: a word, a number, yes or no, nothing, or a list of values."""
ActionData = Annotated[dict[str, Any], msgspec.Meta(extra_json_schema={"$ref": f"{_PREFIX}ActionData"})]
"""An action: what to `do`, and its fields by name."""


class ErrorBody(msgspec.Struct, omit_defaults=True):
    """What went wrong, in one sentence; `rule` is the ledger id where the rules said no."""

    code: str
    message: str
    rule: str | None = None


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
    default: OptionValue
    choices: list[OptionValue]
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


# ---- the lobby
class SeatWish(msgspec.Struct, forbid_unknown_fields=True):
    roles: Annotated[list[Name], msgspec.Meta(min_length=1, max_length=32)]
    kind: Literal["person", "computer"] = "person"
    level: Name = "recruit"
    name: Name = ""


SeatWishes = Annotated[list[SeatWish], msgspec.Meta(max_length=32)]


class ClockWish(msgspec.Struct, forbid_unknown_fields=True):
    kind: Literal["none", "move", "budget"] = "none"
    seconds: Annotated[float, msgspec.Meta(ge=0, le=31_536_000)] = 0
    increment: Annotated[float, msgspec.Meta(ge=0, le=604_800)] = 0


class CreateMatch(msgspec.Struct, forbid_unknown_fields=True):
    game: Name
    scenario: Name = ""
    options: dict[Name, bool | int | Name] = {}
    seats: SeatWishes = []
    """Roles nobody sits in are one person's, hot-seat."""
    clock: ClockWish | None = None
    public: bool = False


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


class MatchLine(msgspec.Struct):
    """A match in a list."""

    match: str
    game: str
    scenario: str
    turn: str
    number: int
    asked: Sequence[str]
    you: list[str]
    over: bool
    updated: float
    public: bool
    kind: str
    secret: str | None
    """Only a host on one's own machine remembers one's links."""


# ---- a match
class SeatInfo(msgspec.Struct):
    roles: Sequence[str]
    kind: str
    level: str
    name: str
    connected: bool
    handed_over: bool


class ClockInfo(msgspec.Struct):
    """The clocks: seconds left by role, and since when each of them is running."""

    kind: str
    seconds: float
    increment: float
    left: dict[str, float]
    since: dict[str, float | None]
    now: float
    """The host's own time, which `since` is told in."""


class OutcomeInfo(msgspec.Struct):
    winners: list[str]
    level: str
    reason: str


class MatchInfo(msgspec.Struct):
    """Everything about a match but the position."""

    match: str
    game: str
    scenario: str
    options: dict[str, OptionValue]
    seats: list[SeatInfo]
    number: int
    asked: Sequence[str]
    """Who is waited for, as everybody may know it."""
    turn: str
    over: bool
    outcome: OutcomeInfo | None
    outcome_text: str
    you: Sequence[str]
    """The roles of the seat that asks."""
    clock: ClockInfo | None
    seed_hash: str
    seed: str | None
    """The seed, once nobody can misuse it."""
    rules_version: int
    frozen: str | None
    kind: str
    parent: str | None
    draw: Sequence[str]
    """The roles that agree to a draw."""


class FieldInfo(msgspec.Struct):
    name: str
    kind: str


class OneDomain(msgspec.Struct, tag_field="type", tag="one", omit_defaults=True):
    """One of these values. `labels` and `notes` stand beside the values."""

    values: list[Value]
    notes: list[Any] = []
    labels: list[str | None] = []


class NumberDomain(msgspec.Struct, tag_field="type", tag="number"):
    """A whole number."""

    least: int
    most: int


class SomeDomain(msgspec.Struct, tag_field="type", tag="some", omit_defaults=True):
    """Some of these values, in their order."""

    values: list[Value]
    least: int
    most: int
    notes: list[Any] = []
    labels: list[str | None] = []


class AmountsDomain(msgspec.Struct, tag_field="type", tag="amounts", omit_defaults=True):
    """How many of each: (item, at most), with a total in bounds."""

    limits: list[tuple[Value, int]]
    least: int
    most: int
    notes: list[Any] = []
    labels: list[str | None] = []


class WalkDomain(msgspec.Struct, tag_field="type", tag="walk", omit_defaults=True):
    """A sequence that is built one by one: what may come next, and whether it may end here."""

    next: list[Value]
    most: int | None = None
    may_stop: bool = False
    notes: list[Any] = []
    labels: list[str | None] = []


Domain = OneDomain | NumberDomain | SomeDomain | AmountsDomain | WalkDomain


class OfferInfo(msgspec.Struct, omit_defaults=True):
    """One kind of thing a role may do: its fields and the domain of the next one, or the actions one by one."""

    index: int
    verb: str
    label: str
    """The verb as people read it."""
    rule: str
    fields: list[FieldInfo]
    hint: str = ""
    next: Domain | None = None
    actions: list[ActionData] | None = None
    words: dict[str, str] = {}
    """What the words in the listed actions are called."""


class OffersAnswer(msgspec.Struct):
    number: int
    role: str
    offers: list[OfferInfo]
    undo: int
    """How many of its actions the role may take back."""


class WhyNotAnswer(msgspec.Struct):
    allowed: bool
    rule: str | None = None
    message: str | None = None


class Acted(msgspec.Struct):
    """The acknowledgement of a move: committed under this number."""

    number: int
    id: str
    events: list[LogLine]


class MoveInfo(msgspec.Struct):
    n: int
    role: str
    verb: str
    label: str
    """The verb as people read it."""
    turn: str
    at: float
    taken_back: bool


class DiceAnswer(msgspec.Struct):
    seed: str
    seed_hash: str
    dice: list[DieFace]


# ---- from a client
class Hello(msgspec.Struct, forbid_unknown_fields=True):
    """The first message on a line: which seat, in which language, and the last move it knows of."""

    seat: str | None = None
    """The seat's secret; none for a spectator."""
    lang: Name = "en"
    since: Number = 0


class _Ask(msgspec.Struct, tag_field="type", forbid_unknown_fields=True, kw_only=True):
    """A request on a line. Its answer carries the same id."""

    id: Annotated[str, msgspec.Meta(max_length=64)] = ""


class Act(_Ask, tag="act"):
    """Make a move. Undo, resign, draw and order are moves too."""

    id: Id
    """The client's own. A move that is sent again with the same id is made once."""
    role: Name
    action: ActionData
    answers: Number
    """The number of the move that the client has seen last."""


class Look(_Ask, tag="look"):
    """See the match through the eyes of another role of mine, or just as it is now."""

    role: Name | None = None


class Next(_Ask, tag="next"):
    """What may come next in an offer, given the fields before; `so_far` within a walk."""

    role: Name
    index: Number
    prefix: Annotated[list[Value], msgspec.Meta(max_length=64)] = []
    so_far: Annotated[list[Value], msgspec.Meta(max_length=256)] | None = None


class WhyNot(_Ask, tag="why-not"):
    """Whether an action is allowed, and which rule forbids it."""

    role: Name
    action: ActionData


class AskOdds(_Ask, tag="odds"):
    """The exact odds of what an action would start."""

    role: Name
    action: ActionData


class AskTable(_Ask, tag="table"):
    """The table after any move."""

    at: Number | None = None
    role: Name | None = None


class AskLog(_Ask, tag="log"):
    """What happened after move `since`."""

    since: Number = 0


class AskMoves(_Ask, tag="moves"):
    """All moves, for a scrubber."""


class AskDice(_Ask, tag="dice"):
    """The seed and every die of a finished match."""


class Say(_Ask, tag="say"):
    """Say something to everybody at the table."""

    text: Text


class Branch(_Ask, tag="branch"):
    """Play on from any move in a match of my own."""

    at: Number
    seats: SeatWishes = []


class AskReport(_Ask, tag="report"):
    """A file about something that looks wrong to me: a refusal, the odds of an action, or a line of the log."""

    about: Literal["refusal", "odds", "event"]
    at: Number
    """The move of the line; for a refusal and for odds the last move before them."""
    sentence: Text
    """What is wrong, in the player's own words."""
    role: Name | None = None
    """Whose eyes."""
    action: ActionData | None = None
    """What was refused or weighed."""
    line: Number = 0
    """Which line of the move, from 0 on."""


Request = Act | Look | Next | WhyNot | AskOdds | AskTable | AskLog | AskMoves | AskDice | Say | Branch | AskReport


# ---- to a client
class State(msgspec.Struct, tag_field="type", tag="state"):
    """The match as a seat sees it now, and what happened since the last message."""

    info: MatchInfo
    role: str | None
    """Whose eyes: a role of the seat that is asked, or the one it looked through last."""
    table: Table
    offers: list[OfferInfo]
    undo: int
    events: list[LogLine]
    gone: list[int]
    """Moves whose lines are no longer part of the log: they were taken back."""
    id: str | None
    """The request that this answers."""
    acted: int | None
    """The number under which that request's move is committed."""


class Answer(msgspec.Struct, tag_field="type", tag="answer"):
    """The answer to a request that changed nothing."""

    id: str
    value: Any


class ErrorMessage(msgspec.Struct, tag_field="type", tag="error"):
    """A request that could not be met."""

    id: str
    status: int
    error: ErrorBody
    number: int | None
    """Where the match stands now, when the move came too late."""


class Chat(msgspec.Struct, tag_field="type", tag="chat"):
    """What was said: everything after the greeting, then line by line."""

    lines: Sequence[ChatLine]


class Seats(msgspec.Struct, tag_field="type", tag="seats"):
    """Somebody came, left, or was replaced by the computer."""

    seats: list[SeatInfo]


Message = State | Answer | ErrorMessage | Chat | Seats
