"""What is kept of a match, and what the host asks of the place where it is kept.

The log of moves only grows. A move is acknowledged after `append` has returned, so `append` returns only when the move
survives whatever the storage is meant to survive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Protocol

import msgspec

from sandtable.core import SandtableError

Hands = Mapping[str, tuple[float, float | None]]
"""The clocks of a match: role -> (seconds left, running since then or None)."""

NO_NUL = "^[^\\u0000]*$"
Word = Annotated[str, msgspec.Meta(max_length=80, pattern=NO_NUL)]
Spaces = Annotated[list[Word], msgspec.Meta(max_length=80)]
Arrows = Annotated[list[Annotated[list[Word], msgspec.Meta(min_length=2, max_length=12)]], msgspec.Meta(max_length=40)]
"""Arrows over the map, each from space to space."""
MOST_VARIATION = 100
"""Moves of a variation."""


class Conflict(SandtableError):
    """A move with this number or this request id is already there."""


class MoveRow(msgspec.Struct, frozen=True):
    """A committed move."""

    number: int
    role: str
    action: bytes
    digest: str
    events: bytes
    asked: tuple[str, ...]
    """The roles that were asked when it was made."""
    turn: str
    at: float
    takes_back: int | None = None
    request: str | None = None
    """Seat and id of the request that made it. With a '+' before, it is one step of undo with the move before."""
    waiting: tuple[str, ...] | None = None
    """Who was waited for before it, as everybody could know; None in moves of versions that did not keep it."""

    @property
    def joins(self) -> bool:
        """Whether it is taken back together with the role's move before it."""
        return self.request is not None and self.request.startswith("+")

    def answers(self, request: str) -> bool:
        """Whether it was made by this request, alone or with others."""
        return self.request is not None and self.request.lstrip("+").partition("#")[0] == request.lstrip("+")


class SeatRow(msgspec.Struct, frozen=True):
    """Who sits in which roles."""

    match: str
    place: int
    secret_hash: str
    roles: tuple[str, ...]
    kind: str
    """person, computer."""
    level: str
    name: str
    handed_over: bool = False
    """Its owner missed a deadline: the computer plays until they are back."""
    lent: bool = False
    """Its owner lets the computer play, until they take it back."""
    secret: str | None = None
    """Kept only by a host that serves one person on their own machine."""
    invitation: bool = False
    """The secret only lets somebody claim the seat: whoever does gets a new one that nobody else knows."""
    person: str = ""
    """Whose it is, where the wrapper of the host knows people; '' if only its secret tells."""
    colour: str = ""
    away: float = 0.0
    """Its player is on vacation until then."""
    rested: float = 0.0
    """How many seconds of vacation its player has taken."""
    motion: str = ""
    """What somebody wants the table to agree to: 'invite' another player, or 'computer' and its level."""
    agreed: tuple[int, ...] = ()
    """The places that agree to it."""
    archived: bool = False
    """Its player does not want to see the match among the others."""
    version: int = 0
    """How often it has changed. Who changes it must have seen the last version."""

    @property
    def is_played_by_computer(self) -> bool:
        return self.kind == "computer" or self.handed_over or self.lent

    @property
    def is_claimed(self) -> bool:
        """Whether a person sits there."""
        return self.kind == "person" and not self.invitation


class MatchRow(msgspec.Struct, frozen=True):
    """A match without its moves."""

    id: str
    game: str
    rules: int
    scenario: str
    options: dict[str, Any]
    seed: str
    seed_hash: str
    created: float
    updated: float
    public: bool
    kind: str
    """live, branch, import, lesson, imagined.

    The options of a lesson's match name the lesson, and nothing else. An imagined match is a branch of one with hidden
    things: it begins in a position that agrees with what its player may know, which is one of its options.
    """
    number: int
    asked: tuple[str, ...]
    """Who is waited for, as everybody may know it."""
    turn: str
    parent: str | None = None
    outcome: dict[str, Any] | None = None
    clock: dict[str, Any] | None = None
    frozen: str | None = None
    """Why the match cannot go on."""
    owner: str = ""
    """Who created it, as far as the wrapper of the host can tell one client from another."""
    base: int = 0
    """How many of its first moves are those of its parent, kept there alone."""
    seating: int = 0
    """How often its seats have changed."""
    thinks: bool = False
    """A computer player is waited for."""
    challenge: bool = False
    """Anybody may take an open seat."""
    rated: int = 0
    """1: it counts for the ratings of its players when it is over; 2: it has counted."""
    rematch: str | None = None
    """The match that its players play next."""
    staff: bool = False
    """All have agreed at the start that everybody may ask the staff."""

    @property
    def is_open(self) -> bool:
        """Everybody may see everything: the match is over, or it was brought in as a file."""
        return self.outcome is not None or self.kind == "import"


class ChatLine(msgspec.Struct, frozen=True):
    """One line of chat."""

    id: int
    name: str
    roles: list[str]
    text: str
    at: float
    to: list[str] = []
    """The roles that it is for; none: it is for everybody."""

    def is_for(self, roles: Sequence[str]) -> bool:
        return not self.to or any(role in self.to for role in roles)


class VariationMove(msgspec.Struct, frozen=True):
    """A move of a variation."""

    role: Word
    action: dict[str, Any]


class Variation(msgspec.Struct, frozen=True):
    """How it could have gone from a move on: moves that were played on a branch, and the seed of its dice."""

    text: Annotated[str, msgspec.Meta(max_length=1000, pattern=NO_NUL)]
    seed: Annotated[str, msgspec.Meta(max_length=20_000)]
    moves: Annotated[list[VariationMove], msgspec.Meta(min_length=1, max_length=MOST_VARIATION)]
    digest: Word
    """Of the state after the last move."""


class Note(msgspec.Struct, frozen=True):
    """What somebody has to say about the position after a move."""

    at: Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]
    text: Annotated[str, msgspec.Meta(max_length=4000, pattern=NO_NUL)] = ""
    arrows: Arrows = []
    spaces: Spaces = []
    variations: Annotated[list[Variation], msgspec.Meta(max_length=8)] = []


class StoryRow(msgspec.Struct, frozen=True):
    """A match as one of its players tells it. Nobody else reads it before it is published."""

    match: str
    number: int
    """From 1 on."""
    place: int
    """The seat of who tells it, and who that is where the wrapper of the host knows people."""
    person: str
    by: str
    title: str
    eyes: str
    """The role through whose eyes it is told; '': as everybody may know it."""
    notes: Sequence[Note]
    """By move, one for each."""
    updated: float
    published: bool = False
    version: int = 0
    """How often it has changed. Who changes it must have seen the last version."""


class Glance(msgspec.Struct, frozen=True):
    """What a list of matches shows of one, besides its row."""

    seats: Sequence[SeatRow]
    hands: Hands
    moves: Sequence[MoveRow]
    """The last few of its own."""


GLANCED = 6
"""How many moves a glance shows."""


class Storage(Protocol):
    """Where matches are kept. Every method is one transaction: it happens as a whole or raises."""

    async def create(self, row: MatchRow, seats: Sequence[SeatRow], log: Sequence[MoveRow], hands: Hands) -> None:
        """Add a match with its seats, the moves it starts with, and its clocks."""

    async def match(self, match: str) -> MatchRow | None:
        """Return the match as of its last committed move."""

    async def list_matches(self, ids: Sequence[str] | None) -> Sequence[MatchRow]:
        """Return these matches, or the public ones that were played last."""

    async def append(self, row: MatchRow, moves: Sequence[MoveRow], hands: Hands, snapshot: bytes | None) -> None:
        """Add moves; `row` is the match after them. Raises Conflict, and changes nothing, if one of them is there."""

    async def tail(self, match: str, after: int = 0, to: int | None = None) -> Sequence[MoveRow]:
        """Return the match's own moves after number `after`, up to number `to`, in order."""

    async def by_request(self, match: str, request: str) -> MoveRow | None:
        """Return the move that this request made."""

    async def snapshot(self, match: str, to: int | None = None) -> tuple[int, bytes] | None:
        """Return number and packed state of the newest snapshot, not later than move `to`."""

    async def set_rules(self, match: str, rules: int, frozen: str | None) -> None:
        """Move a match to another version of the rules, without its snapshots, or freeze it."""

    async def seats(self, match: str) -> Sequence[SeatRow]:
        """Return the seats of a match, by place."""

    async def find_seats(self, hashes: Sequence[str] | None, person: str = "") -> Sequence[SeatRow]:
        """Return the seats with these hashes, or those whose secret was kept; and those of a person."""

    async def glance(self, ids: Sequence[str]) -> Mapping[str, Glance]:
        """Return what a list shows of these matches."""

    async def set_seat(self, row: MatchRow, seat: SeatRow, was: SeatRow, hands: Hands) -> bool:
        """Change a seat and the clocks; `row` is the match after it.

        False, and nothing changes, if the seat has another version than `was`.
        """

    async def set_rematch(self, match: str, rematch: str) -> str:
        """Say which match is played next, if none is yet; returns the one that is."""

    async def delete(self, match: str) -> bool:
        """Delete a match. Its branches get their own copies of its moves. False if it is not there."""

    async def clocks(self, match: str) -> Hands:
        """Return the clocks of a match."""

    async def overdue(self, now: float) -> Sequence[tuple[str, str]]:
        """Return (match, role) of every running clock that ran out."""

    async def say(
        self, match: str, name: str, roles: Sequence[str], text: str, at: float, to: Sequence[str] = ()
    ) -> ChatLine:
        """Add a line of chat."""

    async def talk(self, match: str, since: int = 0) -> Sequence[ChatLine]:
        """Return the last lines of chat with an id above `since`, in order."""

    async def stories(self, match: str) -> Sequence[StoryRow]:
        """Return the stories of a match, by number."""

    async def set_story(self, story: StoryRow, was: StoryRow | None) -> bool:
        """Keep a new story, or change one. False, and nothing changes, if it is there or has another version."""

    async def with_computers(self, now: float) -> Sequence[str]:
        """Return the matches that wait for the computer and have nobody thinking."""

    async def lease(self, match: str, now: float, seconds: float) -> bool:
        """Take or keep the right to think about a match; False while another host has it and lives."""

    async def running(self, owner: str) -> int:
        """Return how many matches of an owner are not over."""

    async def expire(self, before: float) -> int:
        """Delete matches in which nobody has made a move since then, nor ever, and branches and imports; how many.

        What a published story is told of stays.
        """
