"""Storage in memory: for tests, and for hosts whose matches end with the process."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from .records import ChatLine, Conflict, Hands, MatchRow, MoveRow, SeatRow

PUBLIC_SHOWN = 100


class _Kept:
    """Everything about one match."""

    def __init__(self, row: MatchRow, seats: Sequence[SeatRow], log: Sequence[MoveRow], hands: Hands) -> None:
        self.row, self.seats, self.log, self.hands = row, list(seats), list(log), dict(hands)
        self.snapshots: dict[int, bytes] = {}
        self.chat: list[ChatLine] = []


class MemoryStorage:
    """A `Storage` that forgets everything when it goes away."""

    def __init__(self) -> None:
        self._matches: dict[str, _Kept] = {}
        self._said = 0

    async def create(self, row: MatchRow, seats: Sequence[SeatRow], log: Sequence[MoveRow], hands: Hands) -> None:
        self._matches[row.id] = _Kept(row, seats, log, hands)

    async def match(self, match: str) -> MatchRow | None:
        kept = self._matches.get(match)
        return None if kept is None else kept.row

    async def list_matches(self, ids: Sequence[str] | None) -> Sequence[MatchRow]:
        rows = [kept.row for kept in self._matches.values()]
        chosen = [row for row in rows if (row.public if ids is None else row.id in ids)]
        chosen.sort(key=lambda row: -row.updated)
        return chosen[:PUBLIC_SHOWN] if ids is None else chosen

    async def append(self, row: MatchRow, move: MoveRow, hands: Hands, snapshot: bytes | None) -> None:
        kept = self._matches[row.id]
        known = move.request is not None and any(other.request == move.request for other in kept.log)
        if known or move.number <= len(kept.log):
            raise Conflict("this move is already there")
        kept.log.append(move)
        kept.row, kept.hands = row, dict(hands)
        if snapshot is not None:
            kept.snapshots[move.number] = snapshot

    async def tail(self, match: str, after: int = 0, to: int | None = None) -> Sequence[MoveRow]:
        return self._matches[match].log[after:to]

    async def by_request(self, match: str, request: str) -> MoveRow | None:
        return next((move for move in self._matches[match].log if move.request == request), None)

    async def snapshot(self, match: str, to: int | None = None) -> tuple[int, bytes] | None:
        found = self._matches[match].snapshots
        number = max((n for n in found if to is None or n <= to), default=None)
        return None if number is None else (number, found[number])

    async def set_rules(self, match: str, rules: int, frozen: str | None) -> None:
        kept = self._matches[match]
        kept.row = msgspec.structs.replace(kept.row, rules=rules, frozen=frozen)
        if frozen is None:
            kept.snapshots.clear()

    async def seats(self, match: str) -> Sequence[SeatRow]:
        return list(self._matches[match].seats)

    async def find_seats(self, hashes: Sequence[str] | None) -> Sequence[SeatRow]:
        seats = [seat for kept in self._matches.values() for seat in kept.seats]
        return [s for s in seats if (s.secret is not None if hashes is None else s.secret_hash in hashes)]

    async def hand_over(self, match: str, place: int, handed_over: bool) -> None:
        seats = self._matches[match].seats
        seats[place] = msgspec.structs.replace(seats[place], handed_over=handed_over)

    async def clocks(self, match: str) -> Hands:
        return dict(self._matches[match].hands)

    async def overdue(self, now: float) -> Sequence[tuple[str, str]]:
        return [
            (kept.row.id, role)
            for kept in self._matches.values()
            for role, (left, since) in kept.hands.items()
            if since is not None and since + left < now and kept.row.outcome is None
        ]

    async def say(self, match: str, name: str, roles: Sequence[str], text: str, at: float) -> ChatLine:
        self._said += 1
        line = ChatLine(self._said, name, list(roles), text, at)
        self._matches[match].chat.append(line)
        return line

    async def talk(self, match: str, since: int = 0) -> Sequence[ChatLine]:
        return [line for line in self._matches[match].chat if line.id > since][-200:]

    async def with_computers(self) -> Sequence[str]:
        return [
            name
            for name, kept in self._matches.items()
            if not kept.row.is_open and kept.row.frozen is None
            if any(seat.is_played_by_computer for seat in kept.seats)
        ]

    async def lease(self, match: str, holder: str, now: float, seconds: float) -> bool:
        return True
