"""What is kept of a match, and what the host asks of the place where it is kept.

The log of moves only grows. A move is acknowledged after `append` has returned, so `append` returns only when the move
survives whatever the storage is meant to survive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec

from sandtable.core import SandtableError

Hands = Mapping[str, tuple[float, float | None]]
"""The clocks of a match: role -> (seconds left, running since then or None)."""


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
    """Seat and id of the request that made it."""


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
    secret: str | None = None
    """Kept only by a host that serves one person on their own machine."""

    @property
    def is_played_by_computer(self) -> bool:
        return self.kind == "computer" or self.handed_over


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
    """live, branch, import."""
    number: int
    asked: tuple[str, ...]
    """Who is waited for, as everybody may know it."""
    turn: str
    parent: str | None = None
    outcome: dict[str, Any] | None = None
    clock: dict[str, Any] | None = None
    frozen: str | None = None
    """Why the match cannot go on."""

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


class Storage(Protocol):
    """Where matches are kept. Every method is one transaction: it happens as a whole or raises."""

    async def create(self, row: MatchRow, seats: Sequence[SeatRow], log: Sequence[MoveRow], hands: Hands) -> None:
        """Add a match with its seats, the moves it starts with, and its clocks."""

    async def match(self, match: str) -> MatchRow | None:
        """Return the match as of its last committed move."""

    async def list_matches(self, ids: Sequence[str] | None) -> Sequence[MatchRow]:
        """Return these matches, or the public ones that were played last."""

    async def append(self, row: MatchRow, move: MoveRow, hands: Hands, snapshot: bytes | None) -> None:
        """Add a move; `row` is the match after it. Raises Conflict, and changes nothing, if the move is there."""

    async def tail(self, match: str, after: int = 0, to: int | None = None) -> Sequence[MoveRow]:
        """Return the moves after number `after`, up to number `to`, in order."""

    async def by_request(self, match: str, request: str) -> MoveRow | None:
        """Return the move that this request made."""

    async def snapshot(self, match: str, to: int | None = None) -> tuple[int, bytes] | None:
        """Return number and packed state of the newest snapshot, not later than move `to`."""

    async def set_rules(self, match: str, rules: int, frozen: str | None) -> None:
        """Move a match to another version of the rules, without its snapshots, or freeze it."""

    async def seats(self, match: str) -> Sequence[SeatRow]:
        """Return the seats of a match, by place."""

    async def find_seats(self, hashes: Sequence[str] | None) -> Sequence[SeatRow]:
        """Return the seats with these hashes, or those whose secret was kept."""

    async def hand_over(self, match: str, place: int, handed_over: bool) -> None:
        """Let the computer play a person's seat, or give it back."""

    async def clocks(self, match: str) -> Hands:
        """Return the clocks of a match."""

    async def overdue(self, now: float) -> Sequence[tuple[str, str]]:
        """Return (match, role) of every running clock that ran out."""

    async def say(self, match: str, name: str, roles: Sequence[str], text: str, at: float) -> ChatLine:
        """Add a line of chat."""

    async def talk(self, match: str, since: int = 0) -> Sequence[ChatLine]:
        """Return the last lines of chat with an id above `since`, in order."""

    async def with_computers(self) -> Sequence[str]:
        """Return the matches that can go on and have a seat that the computer plays."""

    async def lease(self, match: str, holder: str, now: float, seconds: float) -> bool:
        """Take or keep the right to think about a match; False while another holder has it."""
