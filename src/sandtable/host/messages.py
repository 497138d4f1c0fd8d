"""The messages between a client and the host. The package's docstring says when each of them is sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec

from sandtable.core import Gesture
from sandtable.core.table import Arrow, Table

from .log import DieFace, LogLine
from .records import NO_NUL, Arrows, ChatLine, Spaces

Name = Annotated[str, msgspec.Meta(max_length=80)]
Label = Annotated[str, msgspec.Meta(max_length=80, pattern=NO_NUL)]
"""Words of a person, which are kept as they are."""
Colour = Annotated[str, msgspec.Meta(max_length=16, pattern="^[a-z]*$")]
"""The name of a colour that a player has chosen; the client knows what it looks like."""
Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Number = Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=1000, pattern=NO_NUL)]
Units = Annotated[list[Name], msgspec.Meta(min_length=1, max_length=400)]
OptionValue = bool | int | str
_PREFIX = "#/components/schemas/"
Value = Annotated[Any, msgspec.Meta(extra_json_schema={"$ref": f"{_PREFIX}Value"})]
"""A value of an action's field: a word, a number, yes or no, nothing, or a list of values."""
ActionData = Annotated[dict[str, Any], msgspec.Meta(extra_json_schema={"$ref": f"{_PREFIX}ActionData"})]
"""An action: what to `do`, and its fields by name."""


class ErrorBody(msgspec.Struct, omit_defaults=True):
    """What went wrong, in one sentence; `rule` is the ledger id where the rules said no, `unit` to which of several."""

    code: str
    message: str
    rule: str | None = None
    unit: str | None = None


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
    even: dict[str, OptionValue]
    """Scenario -> the choice with which equal computer players win about as often on both sides."""


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
    terms: dict[str, str] = {}
    """Words for fields, terrain and states of counters that this game calls otherwise than most do."""


class RuleInfo(msgspec.Struct):
    id: str
    title: str
    says: str
    scope: str
    kind: str
    doubt: str
    """How a doubtful place of the rulebook is read; mostly empty."""


class ExampleFace(msgspec.Struct):
    """An example of the book: a position and something to try in it. Its table is asked for apart."""

    id: str
    rule: str
    title: str
    say: str
    action: list[str]
    """What is tried, in the words of the buttons."""
    ends: str
    refused: str
    """The rule that forbids it; '' where it is allowed."""
    show: Sequence[str]
    """The spaces of the picture."""


class ParagraphFace(msgspec.Struct):
    title: str
    text: str
    rules: list[str]
    lesson: str
    """A lesson in which it can be tried."""
    examples: list[ExampleFace]


class ChapterFace(msgspec.Struct):
    title: str
    paragraphs: list[ParagraphFace]
    rules: list[RuleInfo]
    """All rules of the chapter, those of its paragraphs too."""


class TermFace(msgspec.Struct):
    word: str
    means: str


class BookFace(msgspec.Struct):
    """The rules of a game, written to be read."""

    chapters: list[ChapterFace]
    glossary: list[TermFace]


# ---- lessons
class LessonInfo(msgspec.Struct):
    """A lesson in a list."""

    id: str
    title: str
    goal: str
    minutes: int
    role: str


class BeginLesson(msgspec.Struct, forbid_unknown_fields=True):
    game: Name
    lesson: Name


class WrongFind(msgspec.Struct):
    """What the lesson says to a click on one of these."""

    find: list[str]
    say: str
    rule: str


class LessonStepFace(msgspec.Struct):
    """One step of a lesson: something to read, to find on the table, or (`task`) to do."""

    say: str
    point: list[str]
    find: list[str]
    every: bool
    task: bool
    tries: Want | None
    """An action that the rules refuse: trying it shows why."""
    wrong: list[WrongFind]


class Want(msgspec.Struct):
    """An action, and the words of the buttons that lead to it."""

    action: ActionData
    words: list[str]


class PlanFace(msgspec.Struct):
    """One way to solve a puzzle, with its exact chance in percent."""

    say: str
    chance: float


LessonKind = Literal["lesson", "puzzle", "example"]


class LessonFace(msgspec.Struct):
    """A lesson as the learner sees it now: the steps up to the task they stand at."""

    id: str
    kind: LessonKind
    title: str
    goal: str
    ends: str
    role: str
    task: int
    tasks: int
    done: bool
    steps: list[LessonStepFace]
    hint: Want | None
    next: str | None
    """The lesson that follows."""
    plans: list[PlanFace]
    """Of a puzzle: what can be chosen."""


# ---- the review of a finished match
class TurnReview(msgspec.Struct):
    """How things stood when a turn ended."""

    turn: str
    measures: dict[str, float]
    """'production.axis' -> 34."""
    leaders: list[str]
    """Who would have won."""


class ReviewFace(msgspec.Struct):
    """Who won, why, when it was decided, and how strength and production went."""

    outcome: str
    winners: list[str]
    rule: str
    why: str
    decided: str
    turns: list[TurnReview]
    labels: dict[str, str]
    """What the measures are called, by the part of their name before the side."""


# ---- stories
class VariationFace(msgspec.Struct):
    """How it could have gone: what was said about it, and its moves in short."""

    text: str
    moves: list[str]


class NoteFace(msgspec.Struct):
    """What the teller says about the position after a move."""

    at: int
    text: str
    arrows: list[list[str]]
    """Over the map, each from space to space."""
    spaces: list[str]
    """Those that are marked."""
    variations: list[VariationFace]


class StoryLine(msgspec.Struct):
    """A published story in a list."""

    number: int
    title: str
    by: str


class StoryFace(msgspec.Struct):
    """A match as one of its players tells it."""

    number: int
    """0: it has not been begun."""
    title: str
    by: str
    eyes: str
    """The role through whose eyes it is told; '': as everybody may know it."""
    notes: list[NoteFace]
    mine: bool
    published: bool
    may_publish: bool
    """The match is over."""
    version: int
    others: list[StoryLine]
    """The published stories of the match."""


class VariationStep(msgspec.Struct):
    """A position of a variation, and what happened in it so far."""

    table: Table
    lines: list[LogLine]


# ---- the luck of a finished match
class LuckSide(msgspec.Struct):
    """What the dice brought to a side, in one measure."""

    side: str
    """An alliance."""
    real: float
    """By how much the dice changed what is its own."""
    expected: float
    """By how much they would have on average."""
    luck: float
    """Real less expected, its own less that of all others."""
    deviation: float
    """How far luck usually is from 0."""
    chance: float
    """The chance of so much luck or more; of so little or less where it is below 0."""


class LuckFall(msgspec.Struct):
    """Dice that were read together, and the luck that they were for each side."""

    move: int
    role: str
    turn: str
    place: str
    name: str
    """Of the place."""
    dice: list[DieFace]
    luck: dict[str, float]


class LuckBattle(msgspec.Struct):
    """The dice of the fighting at one place in one turn."""

    place: str
    name: str
    turn: str
    move: int
    """With which it began."""
    dice: int
    luck: dict[str, float]


class LuckChain(msgspec.Struct):
    """The longest row of falls that were all lucky for one side."""

    side: str
    falls: int
    first: int
    """The move of the first one."""
    last: int
    luck: float


class LuckMeasure(msgspec.Struct):
    """The luck of a match, counted in one measure of the game."""

    measure: str
    label: str
    dice: int
    """How many dice could change it."""
    sides: list[LuckSide]
    falls: list[LuckFall]
    """Those with the most luck in them, good or bad."""
    battles: list[LuckBattle]
    """Likewise."""
    curves: dict[str, list[float]]
    """Alliance -> its luck after each turn, all turns before it included."""
    chain: LuckChain | None


class LuckFace(msgspec.Struct):
    """Every die of a match against its odds."""

    dice: int
    turns: list[str]
    measures: list[LuckMeasure]


class LuckAnswer(msgspec.Struct):
    """How many moves are weighed, of how many; the ledger when all are."""

    done: int
    of: int
    face: LuckFace | None


# ---- the digest
class Tally(msgspec.Struct):
    """A number of counters of one kind."""

    side: str
    what: str
    number: int


class BattleDigest(msgspec.Struct):
    """The fighting at one place in one turn."""

    place: str
    name: str
    turn: str
    number: int
    """The move with which it began."""
    lost: list[Tally]
    holder: str
    """Who has the place now."""
    dice: list[int]
    lines: list[str]


class SpaceChange(msgspec.Struct):
    """A space that changed hands."""

    space: str
    name: str
    was: str
    now: str


class DigestLine(msgspec.Struct):
    """Something else that happened."""

    number: int
    turn: str
    role: str
    text: str
    refs: list[str]


class DigestFace(msgspec.Struct):
    """What happened since a move, as a seat may know it."""

    since: int
    number: int
    turn: str
    battles: list[BattleDigest]
    changed: list[SpaceChange]
    forces: list[Tally]
    """How many of each kind came onto the map; less than none: left it."""
    moved: dict[str, int]
    """Side -> how many moves of its counters were seen."""
    lines: list[DigestLine]
    text: str = ""
    """All of it in plain words, as a message tells it."""


# ---- the staff
class StaffPlan(msgspec.Struct):
    """What a computer player would do: in words, step by step, as arrows; and the chance of the first battle in it."""

    level: str
    says: str
    steps: list[Want]
    arrows: list[Arrow]
    chance: float | None


class RemarkFace(msgspec.Struct):
    """What a computer player says of its turn: what it did, and what it is after."""

    role: str
    deeds: str
    aim: str
    stands: str
    """The condition of victory behind it."""


# ---- briefings
class GaugeFace(msgspec.Struct):
    """A condition of victory: how far it is."""

    id: str
    label: str
    roles: Sequence[str]
    value: float
    goal: float
    most: bool
    percent: bool
    met: bool
    marks: Sequence[float]
    places: Sequence[str]
    held: Sequence[str]
    rules: Sequence[str]


class Warned(msgspec.Struct):
    """What beginners get wrong, with the rule behind it."""

    say: str
    rule: str


class BriefingFace(msgspec.Struct):
    """Who you are, what you must achieve, what you have, what history did, what goes wrong; and how all are doing."""

    role: str | None
    scenario: str
    who: str
    goal: str
    have: str
    history: str
    wrong: list[Warned]
    gauges: list[GaugeFace]
    today: str
    """Who would win if the match ended now."""


# ---- the lobby
class SeatWish(msgspec.Struct, forbid_unknown_fields=True):
    roles: Annotated[list[Name], msgspec.Meta(min_length=1, max_length=32)]
    kind: Literal["person", "computer"] = "person"
    level: Name = "recruit"
    name: Label = ""
    colour: Colour = ""
    invite: bool = False
    """The link is an invitation: who opens it first claims the seat and gets a secret that nobody else knows."""


SeatWishes = Annotated[list[SeatWish], msgspec.Meta(max_length=32)]


class ClockWish(msgspec.Struct, forbid_unknown_fields=True):
    kind: Literal["none", "move", "budget"] = "none"
    seconds: Annotated[float, msgspec.Meta(ge=0, le=31_536_000)] = 0
    increment: Annotated[float, msgspec.Meta(ge=0, le=604_800)] = 0
    vacation: Annotated[float, msgspec.Meta(ge=0, le=365)] = 0
    """Days on which a player's clock may stand still."""


class CreateMatch(msgspec.Struct, forbid_unknown_fields=True):
    game: Name
    scenario: Name = ""
    options: dict[Name, bool | int | Name] = {}
    seats: SeatWishes = []
    """Roles nobody sits in are one person's, hot-seat."""
    clock: ClockWish | None = None
    public: bool = False
    challenge: bool = False
    """Anybody may take an open seat: the match is in the list of challenges."""
    rated: bool = False
    """It counts for the ratings of its players."""
    staff: bool = False
    """Everybody may ask the staff, between people too. Who takes a seat agrees to it."""


class ImportFile(msgspec.Struct, forbid_unknown_fields=True):
    file: Annotated[str, msgspec.Meta(max_length=8_000_000)]
    """The text of a match file."""
    id: Annotated[str, msgspec.Meta(max_length=64)] = ""
    """The client's own, to ask how far it is."""


class ImportProgress(msgspec.Struct):
    """How many moves of a match file are replayed, of how many; 0 of 0 before it begins and after it ends."""

    done: int
    of: int


class SeatGiven(msgspec.Struct):
    roles: list[str]
    kind: str
    secret: str
    link: str
    invitation: bool
    """The secret only lets somebody claim the seat."""


class ChangeSeat(msgspec.Struct, forbid_unknown_fields=True):
    """Replace the secret of the seat whose secret comes with the request. The old one is dead at once."""

    do: Literal["claim", "renew", "release", "archive", "show"]
    """claim: take the seat of an invitation. renew: another secret of the same kind. release: a new invitation.

    archive, show: whether the match is among my others; the secret stays.
    """
    name: Label = ""
    """Who claims it."""
    colour: Colour = ""


class TakeSeat(msgspec.Struct, forbid_unknown_fields=True):
    """Take an open seat of a challenge."""

    place: Annotated[int, msgspec.Meta(ge=0, le=64)]
    name: Label = ""
    colour: Colour = ""


class Invitation(msgspec.Struct):
    """What an invitation says: which match, which seat, and who is there already."""

    info: MatchInfo
    roles: Sequence[str]
    """Those of the seat that can be claimed; none if there is nothing to claim."""


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
    players: list[PlayerFace]
    since: float
    """Since when it waits for somebody."""
    left: float | None
    """Seconds that those who are waited for have left, the least of them."""
    last: str
    """What happened last, as far as I may know."""
    archived: bool
    mine: bool
    """Nobody else sits there: I may delete it."""
    challenge: bool
    rated: bool
    staff: bool
    """Everybody may ask the staff, between people too."""
    clock: ClockWish | None


class PlayerFace(msgspec.Struct):
    """Who sits where, in a list of matches."""

    roles: Sequence[str]
    kind: str
    level: str
    name: str
    colour: str
    open: bool
    you: bool


# ---- a match
class SeatInfo(msgspec.Struct):
    roles: Sequence[str]
    kind: str
    level: str
    name: str
    connected: bool
    handed_over: bool
    open: bool
    """Nobody has claimed it yet."""
    colour: str
    lent: bool
    """Its player lets the computer play."""
    away: float
    """Its player is on vacation until then; 0 if not."""
    vacation: float
    """Days of vacation that are left."""
    late: bool
    """Its player has let the others down: they can go on without them."""
    motion: str
    """What the table is asked to agree to: 'invite' another player, or 'computer' and its level."""
    agreed: Sequence[int]
    """The places that agree to it."""
    needed: Sequence[int]
    """The places that would have to."""


class ClockInfo(msgspec.Struct):
    """The clocks: seconds left by role, and since when each of them is running."""

    kind: str
    seconds: float
    increment: float
    left: dict[str, float]
    since: dict[str, float | None]
    now: float
    """The host's own time, which `since` is told in."""
    vacation: float = 0


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
    resigned: Sequence[str]
    """The roles that have given up; their side has lost when all of them have."""
    place: int | None
    """The seat that asks."""
    challenge: bool
    rated: bool
    staff: bool
    """Everybody may ask the staff, between people too."""
    rematch: str | None
    """The match that its players play next."""
    base: int
    """How many of its first moves are those of the match it branched off."""


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
    paths: list[list[Value]] = []
    """A usual way to each place where it may end, so that the end alone can be chosen."""


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
    gesture: Gesture = Gesture()
    units: list[str] = []
    """The units that can be sent to a place by it, where they are not the values of its first field."""
    next: Domain | None = None
    actions: list[ActionData] | None = None
    words: dict[str, str] = {}
    """What the words in the listed actions are called."""


class ViewAnswer(msgspec.Struct):
    """The state as a role may know it, for bots: `codec.from_json` of the game reads it."""

    game: str
    rules: int
    role: str
    number: int
    asked: Sequence[str]
    state: dict[str, Any]


class OffersAnswer(msgspec.Struct):
    number: int
    role: str
    offers: list[OfferInfo]
    undo: int
    """How many of its actions the role may take back."""


class WayInfo(msgspec.Struct):
    """A unit that can go somewhere, by which offer, and what stands beside the place (a cost)."""

    unit: str
    index: int
    note: Value


class PlaceInfo(msgspec.Struct):
    """A place, and the units that can go there."""

    place: str
    ways: list[WayInfo]


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
    """Who made it; '' if the seat may not know."""
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
    person: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    """The key of a person, where the host's wrapper knows people: they need no seat's secret."""


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
    forced: bool = False
    """There was no choice: it is taken back together with the move before it."""


class ActAll(_Ask, tag="act-all"):
    """Make several moves as one: all or none, and one step of undo. It ends early where dice fall."""

    id: Id
    role: Name
    actions: Annotated[list[ActionData], msgspec.Meta(min_length=1, max_length=400)]
    answers: Number


class SendTo(_Ask, tag="send"):
    """Send units to a place, by one offer or by whichever takes each of them there: all or none, one step of undo."""

    id: Id
    role: Name
    units: Units
    to: Name
    answers: Number
    index: Number | None = None


class TakeBack(_Ask, tag="take-back"):
    """Take back one step of mine and make those after it again: all or none."""

    id: Id
    role: Name
    number: Number
    """A move of that step."""
    answers: Number


class Look(_Ask, tag="look"):
    """See the match through the eyes of another role of mine, or just as it is now."""

    role: Name | None = None


class Next(_Ask, tag="next"):
    """What may come next in an offer, given the fields before; `so_far` within a walk."""

    role: Name
    index: Number
    prefix: Annotated[list[Value], msgspec.Meta(max_length=64)] = []
    so_far: Annotated[list[Value], msgspec.Meta(max_length=256)] | None = None


class Reach(_Ask, tag="reach"):
    """Where these units can go, or which units can go to a place."""

    role: Name
    units: Annotated[list[Name], msgspec.Meta(max_length=400)] = []
    """None: all that can go anywhere."""
    to: Name = ""
    index: Number | None = None


class Weigh(_Ask, tag="weigh"):
    """The exact odds of what units would start that are sent to a place together."""

    role: Name
    units: Units
    to: Name
    index: Number | None = None


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


class AskBriefing(_Ask, tag="briefing"):
    """What a role is told at the beginning, and how everybody is doing now."""

    role: Name | None = None


class AskStaff(_Ask, tag="staff"):
    """Up to three plans for the decision of a role of mine."""

    role: Name


class AskRemarks(_Ask, tag="remarks"):
    """What the computer players say of what they did since my own last move, as far as I may know it."""


class AskReview(_Ask, tag="review"):
    """What is worth telling of a finished match."""


class AskLuck(_Ask, tag="luck"):
    """The luck of a finished match. Each request weighs some more of it: ask again until the ledger comes."""


class AskRehearsal(_Ask, tag="rehearse"):
    """Play on from a position as a role of mine may know it. Each request plays some of the rehearsals."""

    role: Name
    at: Number | None = None
    """The position after that move; None: now."""
    actions: Annotated[list[ActionData], msgspec.Meta(max_length=40)] = []
    """What the role does first; only now."""
    level: Name = "captain"
    turns: Annotated[int, msgspec.Meta(ge=0, le=100)] = 0
    """How many turns are played on; 0: to the end of the match."""
    first: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 0
    """The number of the first one: how many are played already."""
    count: Annotated[int, msgspec.Meta(ge=1, le=200)] = 200


class AskDigest(_Ask, tag="digest"):
    """What happened after move `since`; without it, since the seat's own last move."""

    since: Number | None = None


class AskBook(_Ask, tag="book"):
    """The book of the game's rules."""


class AskExample(_Ask, tag="example"):
    """The table of an example of the book."""

    name: Name


class AskLog(_Ask, tag="log"):
    """What happened after move `since`."""

    since: Number = 0


class AskMoves(_Ask, tag="moves"):
    """All moves, for a scrubber."""


class AskOrders(_Ask, tag="orders"):
    """What I ordered the last time at the desk that is open now."""

    role: Name


class AskDice(_Ask, tag="dice"):
    """The seed and every die of a finished match."""


class Say(_Ask, tag="say"):
    """Say something to everybody at the table, or to my allies alone."""

    text: Text
    allies: bool = False


class Lend(_Ask, tag="lend"):
    """Let the computer play my seat until I take it back."""

    level: Name = "recruit"


class Take(_Ask, tag="take"):
    """Take my seat back from the computer."""


class Rest(_Ask, tag="rest"):
    """Go on vacation for some days; 0: I am back."""

    days: Annotated[float, msgspec.Meta(ge=0, le=365)]


class Motion(_Ask, tag="motion"):
    """Ask the table to agree to a change of somebody else's seat, or agree to it. none: it is off."""

    place: Annotated[int, msgspec.Meta(ge=0, le=64)]
    do: Literal["invite", "computer", "none"]
    level: Name = "recruit"
    """Of the computer."""


class Rematch(_Ask, tag="rematch"):
    """Play the same again with the same players; swap: everybody takes the side of the next one."""

    swap: bool = False


class Branch(_Ask, tag="branch"):
    """Play on from any move in a match of my own."""

    at: Number
    seats: SeatWishes = []


class AskStory(_Ask, tag="story"):
    """A published story of the match, or my own."""

    number: Number | None = None


class Annotate(_Ask, tag="annotate"):
    """Say something about the position after a move, in my story; what was said there before is replaced."""

    at: Number
    version: Number
    """Of the story that the client has seen."""
    text: Annotated[str, msgspec.Meta(max_length=4000, pattern=NO_NUL)] = ""
    arrows: Arrows = []
    spaces: Spaces = []


class AddVariation(_Ask, tag="add-variation"):
    """Put what I have played on a branch of the match into my story."""

    branch: Name
    version: Number
    seat: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    """The secret of a seat of the branch."""
    text: Annotated[str, msgspec.Meta(max_length=1000, pattern=NO_NUL)] = ""


class DropVariation(_Ask, tag="drop-variation"):
    """Take a variation out of my story."""

    at: Number
    place: Number
    version: Number


class AskVariation(_Ask, tag="variation"):
    """The position after some moves of a variation."""

    story: Number
    at: Number
    place: Number
    move: Number
    role: Name | None = None


class Publish(_Ask, tag="publish"):
    """Give my story a title, and let others read it, or no longer."""

    title: Annotated[str, msgspec.Meta(max_length=200, pattern=NO_NUL)]
    eyes: Name
    published: bool
    version: Number


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


Doing = Act | ActAll | SendTo | TakeBack
"""Requests that make moves. They are answered by a state."""
Asking = (
    Look
    | Next
    | Reach
    | WhyNot
    | AskOdds
    | Weigh
    | AskTable
    | AskBriefing
    | AskDigest
    | AskBook
    | AskExample
    | AskReview
    | AskLuck
    | AskRehearsal
    | AskStaff
    | AskRemarks
    | AskLog
    | AskMoves
    | AskOrders
    | AskDice
    | Say
    | Lend
    | Take
    | Rest
    | Motion
    | Rematch
    | Branch
    | AskReport
    | AskStory
    | Annotate
    | AddVariation
    | DropVariation
    | AskVariation
    | Publish
)
Request = Doing | Asking


# ---- to a client
class State(msgspec.Struct, tag_field="type", tag="state"):
    """The match as a seat sees it now, and what happened since the last message."""

    info: MatchInfo
    role: str | None
    """Whose eyes: a role of the seat that is asked, or the one it looked through last."""
    table: Table
    offers: list[OfferInfo]
    undo: int
    undo_step: int
    """How many of them one undo takes back together."""
    mine: list[int]
    """The moves that can be taken back, the last of each step."""
    only: ActionData | None
    """The one thing that can be done, where there is no choice and doing it tells nobody anything."""
    losses: list[ActionData]
    """All hits that the role still has to take, as the odds assume it; empty where there are fewer than two."""
    last: int
    """The seat's last decision among the moves that are new to the client."""
    events: list[LogLine]
    gone: list[int]
    """Moves whose lines are no longer part of the log: they were taken back."""
    lesson: LessonFace | None
    """Where the learner stands, in a lesson."""
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
