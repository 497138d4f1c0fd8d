"""Where a page keeps its matches: the host's `Storage` on one sorted store of texts, IndexedDB in a browser.

A key is a list that begins with a word: `["match", id]`, `["seat", id, place]`, `["move", id, number]`,
`["request", id, request]`, `["snapshot", id, number]`, `["hands", id]`, `["chat", id, number]`,
`["story", id, number]`. Keys are sorted as
IndexedDB sorts them: numbers before texts, and a list before the longer lists that begin with it. A write is one
transaction. A record that is `new` must not be there, so two tabs that answer the same decision cannot both win.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar

import msgspec

from sandtable.core import SandtableError
from sandtable.host.errors import HostError
from sandtable.host.memory import PUBLIC_SHOWN, is_found
from sandtable.host.records import GLANCED, ChatLine, Conflict, Glance, Hands, MatchRow, MoveRow, SeatRow, StoryRow

Key = Sequence[str | int]
T = TypeVar("T")
Keep = Callable[[str], Awaitable[str]]
"""Takes a `Read`, `Write` or `Lease` as JSON and returns `Found` as JSON."""
CHAT_SHOWN = 200
LAST = "\uffff"
"""Sorted after every number and every word that is used in a key."""
FORMAT = 1


KINDS: dict[str, Any] = {
    "match": MatchRow,
    "seat": SeatRow,
    "move": MoveRow,
    "request": int,
    "snapshot": tuple[int, bytes],
    "hands": dict[str, tuple[float, float | None]],
    "chat": ChatLine,
    "story": StoryRow,
}
"""The first word of a key, and what is kept under it."""


class NoRoom(HostError):
    """The browser has no room left, or has taken the storage away."""

    status, code = 507, "no-room"


class Read(msgspec.Struct, tag_field="do", tag="read"):
    """All records from one key to another, both included; `last` is how many of the last ones are enough."""

    low: Key
    high: Key
    last: int | None = None


class Put(msgspec.Struct, omit_defaults=True):
    """A record to keep; without a value the key and all longer keys that begin with it are removed."""

    key: Key
    value: str | None = None
    new: bool = False
    was: str | None = None
    """What must be there before: another tab may have written meanwhile."""


class Told(msgspec.Struct):
    """What other tabs should look at after a write."""

    match: str
    chat: bool = False


class Write(msgspec.Struct, tag_field="do", tag="write"):
    """Keep all of these records or none."""

    puts: list[Put]
    tell: Told | None = None


class Lease(msgspec.Struct, tag_field="do", tag="lease"):
    """Hold the right to think about a match, or give it up. It ends with the tab."""

    match: str
    held: bool = True


class Found(msgspec.Struct):
    """The answer: records with their keys, or what went wrong."""

    records: list[tuple[list[Any], str]] = []
    trouble: Literal["", "conflict", "full", "held", "broken"] = ""
    why: str = ""


class Saved(msgspec.Struct):
    """Everything that a page keeps, as one file."""

    sandtable_page: int
    records: list[tuple[list[Any], str]]


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


class Cabinet:
    """A `Storage` on a store of texts."""

    def __init__(self, keep: Keep) -> None:
        self._keep = keep

    async def _ask(self, wish: Read | Write | Lease) -> Found:
        found = msgspec.json.decode(await self._keep(_text(wish)), type=Found)
        if found.trouble == "conflict":
            raise Conflict("this move is already there")
        if found.trouble == "full":
            raise NoRoom("the browser's storage is full; nothing has changed")
        if found.trouble == "broken":
            raise NoRoom(f"the browser's storage cannot be used ({found.why}); nothing has changed")
        return found

    async def _read(self, kind: type[T], low: Key, high: Key, last: int | None = None) -> list[T]:
        found = await self._ask(Read(low, high, last))
        return [msgspec.json.decode(text, type=kind) for _, text in found.records]

    async def _all(self, kind: type[T], *key: str) -> list[T]:
        """Return all records whose keys begin with these words."""
        return await self._read(kind, key, [*key, LAST])

    async def _one(self, kind: type[T], *key: str | int) -> T | None:
        found = await self._read(kind, key, key)
        return found[0] if found else None

    async def _text_of(self, *key: str | int) -> str | None:
        """Return a record as it is kept, to compare with when it is written."""
        found = (await self._ask(Read(key, key))).records
        return found[0][1] if found else None

    async def _write(self, puts: list[Put], tell: Told | None = None) -> None:
        await self._ask(Write(puts, tell))

    # ---- matches
    async def create(self, row: MatchRow, seats: Sequence[SeatRow], log: Sequence[MoveRow], hands: Hands) -> None:
        puts = [Put(["match", row.id], _text(row), True)]
        puts += [Put(["seat", row.id, seat.place], _text(seat)) for seat in seats]
        puts += [put for move in log for put in _move(row.id, move)]
        if hands:
            puts.append(Put(["hands", row.id], _text(hands)))
        await self._write(puts)

    async def match(self, match: str) -> MatchRow | None:
        return await self._one(MatchRow, "match", match)

    async def list_matches(self, ids: Sequence[str] | None) -> Sequence[MatchRow]:
        rows = await self._all(MatchRow, "match")
        chosen = [row for row in rows if (row.public if ids is None else row.id in ids)]
        chosen.sort(key=lambda row: -row.updated)
        return chosen[:PUBLIC_SHOWN] if ids is None else chosen

    async def append(self, row: MatchRow, moves: Sequence[MoveRow], hands: Hands, snapshot: bytes | None) -> None:
        puts = [*(put for move in moves for put in _move(row.id, move)), Put(["match", row.id], _text(row))]
        if hands:
            puts.append(Put(["hands", row.id], _text(hands)))
        if snapshot is not None:
            puts.append(Put(["snapshot", row.id, moves[-1].number], _text((moves[-1].number, snapshot))))
        await self._write(puts, Told(row.id))

    async def tail(self, match: str, after: int = 0, to: int | None = None) -> Sequence[MoveRow]:
        if to is not None and to <= after:
            return []
        return await self._read(MoveRow, ["move", match, after + 1], ["move", match, LAST if to is None else to])

    async def by_request(self, match: str, request: str) -> MoveRow | None:
        number = await self._one(int, "request", match, request)
        return None if number is None else await self._one(MoveRow, "move", match, number)

    async def snapshot(self, match: str, to: int | None = None) -> tuple[int, bytes] | None:
        high = ["snapshot", match, LAST if to is None else to]
        found = await self._read(tuple[int, bytes], ["snapshot", match], high, last=1)
        return found[0] if found else None

    async def set_rules(self, match: str, rules: int, frozen: str | None) -> None:
        kept = await self._text_of("match", match)
        if kept is None:
            raise SandtableError(f"there is no match '{match}'")
        row = msgspec.json.decode(kept, type=MatchRow)
        puts = [Put(["match", match], _text(msgspec.structs.replace(row, rules=rules, frozen=frozen)), was=kept)]
        await self._write(puts if frozen else [*puts, Put(["snapshot", match])])

    # ---- seats and clocks
    async def seats(self, match: str) -> Sequence[SeatRow]:
        return await self._all(SeatRow, "seat", match)

    async def find_seats(self, hashes: Sequence[str] | None, person: str = "") -> Sequence[SeatRow]:
        return [seat for seat in await self._all(SeatRow, "seat") if is_found(seat, hashes, person)]

    async def glance(self, ids: Sequence[str]) -> Mapping[str, Glance]:
        found = {}
        for match in ids:
            moves = await self._read(MoveRow, ["move", match], ["move", match, LAST], last=GLANCED)
            found[match] = Glance(await self.seats(match), await self.clocks(match), moves)
        return found

    async def set_seat(self, row: MatchRow, seat: SeatRow, was: SeatRow, hands: Hands) -> bool:
        while True:
            there, kept = await self._text_of("seat", row.id, seat.place), await self._text_of("match", row.id)
            if there is None or kept is None:
                return False
            if msgspec.json.decode(there, type=SeatRow).version != was.version:
                return False
            changed = msgspec.json.decode(kept, type=MatchRow)
            changed = msgspec.structs.replace(changed, seating=changed.seating + 1, thinks=row.thinks)
            puts = [
                Put(["seat", row.id, seat.place], _text(seat), was=there),
                Put(["match", row.id], _text(changed), was=kept),
            ]
            if hands:
                puts.append(Put(["hands", row.id], _text(hands)))
            try:
                await self._write(puts, Told(row.id))
            except Conflict:  # a move of another tab came in between
                continue
            return True

    async def set_rematch(self, match: str, rematch: str) -> str:
        while (kept := await self._text_of("match", match)) is not None:
            row = msgspec.json.decode(kept, type=MatchRow)
            if row.rematch is not None:
                return row.rematch
            row = msgspec.structs.replace(row, rematch=rematch, seating=row.seating + 1)
            try:
                await self._write([Put(["match", match], _text(row), was=kept)], Told(match))
            except Conflict:  # a move of another tab came in between
                continue
            return rematch
        raise SandtableError(f"there is no match '{match}'")

    async def clocks(self, match: str) -> Hands:
        return await self._one(dict[str, tuple[float, float | None]], "hands", match) or {}

    async def overdue(self, now: float) -> Sequence[tuple[str, str]]:
        found = await self._ask(Read(["hands"], ["hands", LAST]))
        late = [
            (str(key[1]), role)
            for key, text in found.records
            for role, (left, since) in msgspec.json.decode(text, type=dict[str, tuple[float, float | None]]).items()
            if since is not None and since + left < now
        ]
        over = {match: await self.match(match) for match, _ in late}
        return [(match, role) for match, role in late if (row := over[match]) is not None and row.outcome is None]

    # ---- chat
    async def say(
        self, match: str, name: str, roles: Sequence[str], text: str, at: float, to: Sequence[str] = ()
    ) -> ChatLine:
        while True:
            said = await self._read(ChatLine, ["chat", match], ["chat", match, LAST], last=1)
            line = ChatLine(said[0].id + 1 if said else 1, name, list(roles), text, at, list(to))
            try:
                await self._write([Put(["chat", match, line.id], _text(line), True)], Told(match, True))
            except Conflict:  # another tab had a word in between
                continue
            return line

    async def talk(self, match: str, since: int = 0) -> Sequence[ChatLine]:
        return await self._read(ChatLine, ["chat", match, since + 1], ["chat", match, LAST], last=CHAT_SHOWN)

    # ---- stories
    async def stories(self, match: str) -> Sequence[StoryRow]:
        return await self._all(StoryRow, "story", match)

    async def set_story(self, story: StoryRow, was: StoryRow | None) -> bool:
        key = ("story", story.match, story.number)
        there = await self._text_of(*key)
        if (was is None) != (there is None):
            return False
        if was is not None and there is not None and msgspec.json.decode(there, type=StoryRow).version != was.version:
            return False
        try:
            await self._write([Put(list(key), _text(story), new=was is None, was=there)])
        except Conflict:  # another tab was faster
            return False
        return True

    # ---- computer players
    async def with_computers(self, now: float) -> Sequence[str]:
        rows = await self._all(MatchRow, "match")
        return [row.id for row in rows if row.thinks and not row.is_open and row.frozen is None]

    async def lease(self, match: str, now: float, seconds: float) -> bool:
        return (await self._ask(Lease(match))).trouble != "held"

    async def give_up(self, match: str) -> None:
        """Let another tab think about a match."""
        await self._ask(Lease(match, held=False))

    # ---- limits: a person's own browser has none
    async def running(self, owner: str) -> int:
        return 0

    async def expire(self, before: float) -> int:
        return 0

    # ---- everything
    async def save(self) -> str:
        """Return everything that is kept, as one file."""
        found = await self._ask(Read([""], [LAST]))
        return _text(Saved(FORMAT, found.records))

    async def restore(self, file: str) -> int:
        """Add the matches of such a file that are not here; returns how many."""
        try:
            saved = msgspec.json.decode(file, type=Saved)
            matches: dict[str, list[Put]] = {}
            for key, text in saved.records:
                kind, match = msgspec.convert(key[:2], tuple[str, str])
                msgspec.json.decode(text, type=KINDS[kind])
                matches.setdefault(match, []).append(Put(key, text))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, KeyError, TypeError):
            raise SandtableError("this is not a file with everything a page has kept") from None
        if saved.sandtable_page != FORMAT:
            raise SandtableError(f"this file has format {saved.sandtable_page}; this page reads format {FORMAT}")
        fresh = [match for match in matches if await self.match(match) is None]
        for match in fresh:
            await self._write(matches[match])
        return len(fresh)

    async def delete(self, match: str) -> bool:
        """Forget a match for good. Its branches get their own copies of its moves."""
        row, puts = await self.match(match), [Put([kind, match]) for kind in KINDS]
        for child in await self._all(MatchRow, "match"):
            if row is not None and child.base and child.parent == match:
                lent = await self.tail(match, 0, child.base)
                puts += [put for move in lent for put in _move(child.id, msgspec.structs.replace(move, request=None))]
                source = row.parent if row.base else None
                child = msgspec.structs.replace(child, base=min(child.base, row.base), parent=source)
                puts.append(Put(["match", child.id], _text(child)))
        await self._write(puts)
        return row is not None


def _move(match: str, move: MoveRow) -> list[Put]:
    """The records of a move."""
    puts = [Put(["move", match, move.number], _text(move), True)]
    if move.request is not None:
        puts.append(Put(["request", match, move.request], _text(move.number), True))
    return puts
