"""Storage in memory: for tests, and for hosts whose matches end with the process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from .records import GLANCED, ChatLine, Conflict, Glance, Hands, MatchRow, MoveRow, SeatRow, StoryRow

PUBLIC_SHOWN = 100


def is_unclaimed(row: MatchRow, before: float) -> bool:
    """Whether nobody has ever made a move of their own in a match, nor looked after it since."""
    return row.updated < before and (row.kind == "import" or row.number == row.base)


def is_found(seat: SeatRow, hashes: Sequence[str] | None, person: str) -> bool:
    """Whether a seat has one of the hashes, or a kept secret where none are given; or is the person's."""
    is_known = seat.secret is not None if hashes is None else seat.secret_hash in hashes
    return is_known or (person != "" and seat.person == person)


class _Kept:
    """Everything about one match."""

    def __init__(self, row: MatchRow, seats: Sequence[SeatRow], log: Sequence[MoveRow], hands: Hands) -> None:
        self.row, self.seats, self.log, self.hands = row, list(seats), list(log), dict(hands)
        self.snapshots: dict[int, bytes] = {}
        self.chat: list[ChatLine] = []
        self.stories: list[StoryRow] = []


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

    async def append(self, row: MatchRow, moves: Sequence[MoveRow], hands: Hands, snapshot: bytes | None) -> None:
        kept = self._matches[row.id]
        known = {move.request for move in kept.log if move.request is not None}
        if any(move.request in known or move.number <= kept.row.number for move in moves):
            raise Conflict("this move is already there")
        kept.log.extend(moves)
        kept.row, kept.hands = msgspec.structs.replace(row, seating=kept.row.seating), dict(hands)
        if snapshot is not None:
            kept.snapshots[row.number] = snapshot

    async def tail(self, match: str, after: int = 0, to: int | None = None) -> Sequence[MoveRow]:
        log = self._matches[match].log
        first = log[0].number - 1 if log else 0
        return log[max(0, after - first) : None if to is None else max(0, to - first)]

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

    async def find_seats(self, hashes: Sequence[str] | None, person: str = "") -> Sequence[SeatRow]:
        seats = [seat for kept in self._matches.values() for seat in kept.seats]
        return [seat for seat in seats if is_found(seat, hashes, person)]

    async def glance(self, ids: Sequence[str]) -> Mapping[str, Glance]:
        found = {match: self._matches[match] for match in ids if match in self._matches}
        return {match: Glance(kept.seats, kept.hands, kept.log[-GLANCED:]) for match, kept in found.items()}

    async def set_seat(self, row: MatchRow, seat: SeatRow, was: SeatRow, hands: Hands) -> bool:
        kept = self._matches[row.id]
        if kept.seats[seat.place].version != was.version:
            return False
        kept.seats[seat.place], kept.hands = seat, dict(hands)
        kept.row = msgspec.structs.replace(kept.row, seating=kept.row.seating + 1, thinks=row.thinks)
        return True

    async def set_rematch(self, match: str, rematch: str) -> str:
        kept = self._matches[match]
        kept.row = msgspec.structs.replace(kept.row, rematch=kept.row.rematch or rematch)
        return kept.row.rematch or rematch

    async def delete(self, match: str) -> bool:
        gone = self._matches.pop(match, None)
        for kept in self._matches.values():
            if gone is not None and kept.row.parent == match:
                lent = [
                    msgspec.structs.replace(move, request=None) for move in gone.log if move.number <= kept.row.base
                ]
                kept.log = [*lent, *kept.log]
                source = gone.row.parent if gone.row.base else None
                kept.row = msgspec.structs.replace(kept.row, base=min(kept.row.base, gone.row.base), parent=source)
        return gone is not None

    async def clocks(self, match: str) -> Hands:
        return dict(self._matches[match].hands)

    async def overdue(self, now: float) -> Sequence[tuple[str, str]]:
        return [
            (kept.row.id, role)
            for kept in self._matches.values()
            for role, (left, since) in kept.hands.items()
            if since is not None and since + left < now and kept.row.outcome is None
        ]

    async def say(
        self, match: str, name: str, roles: Sequence[str], text: str, at: float, to: Sequence[str] = ()
    ) -> ChatLine:
        self._said += 1
        line = ChatLine(self._said, name, list(roles), text, at, list(to))
        self._matches[match].chat.append(line)
        return line

    async def talk(self, match: str, since: int = 0) -> Sequence[ChatLine]:
        return [line for line in self._matches[match].chat if line.id > since][-200:]

    async def stories(self, match: str) -> Sequence[StoryRow]:
        return list(self._matches[match].stories)

    async def set_story(self, story: StoryRow, was: StoryRow | None) -> bool:
        kept = self._matches[story.match].stories
        found = next((place for place, one in enumerate(kept) if one.number == story.number), None)
        if was is None and found is None:
            kept.append(story)
        elif was is not None and found is not None and kept[found].version == was.version:
            kept[found] = story
        else:
            return False
        return True

    async def with_computers(self, now: float) -> Sequence[str]:
        return [
            name
            for name, kept in self._matches.items()
            if kept.row.thinks and not kept.row.is_open and kept.row.frozen is None
        ]

    async def lease(self, match: str, now: float, seconds: float) -> bool:
        return True

    async def running(self, owner: str) -> int:
        return sum(kept.row.owner == owner and kept.row.outcome is None for kept in self._matches.values())

    async def expire(self, before: float) -> int:
        parents = {kept.row.parent for kept in self._matches.values() if kept.row.base}
        told = {name for name, kept in self._matches.items() if any(story.published for story in kept.stories)}
        old = [name for name, kept in self._matches.items() if is_unclaimed(kept.row, before)]
        old = [name for name in old if name not in parents and name not in told]
        for name in old:
            del self._matches[name]
        return len(old)
