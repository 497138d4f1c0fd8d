"""The hub: matches in play. Any server process can serve any match: newest snapshot plus the tail of the log.

A match in memory is only a cache of what is committed. A move is applied to it, committed, and only then told to
anybody; when the commit fails, the copy in memory is thrown away and read anew.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from sandtable.core import Action, BadFile, Event, Game, Match, SandtableError, Undo, Undone
from sandtable.core import replay as files
from sandtable.games import find

from .storage import Conflict, MatchRow, MoveRow, SeatRow, Store

log = logging.getLogger("sandtable.server")
SNAPSHOT_EVERY = 40
MOST_LIVE = 2_000
Listener = Callable[[str, str, Any], None]
"""Called with (match, what, details) after a move or a word of chat is committed."""


class NoMatch(SandtableError):
    """There is no such match."""


class Stale(SandtableError):
    """The move answers a decision that is no longer open."""


class Frozen(SandtableError):
    """The match can be read but not go on."""


class Live:
    """A match in memory."""

    __slots__ = ("lock", "match", "requests", "row", "seats", "snapshot_at")

    def __init__(self, row: MatchRow, seats: Sequence[SeatRow], match: Match[Any], snapshot_at: int) -> None:
        self.row = row
        self.seats = list(seats)
        self.match = match
        self.snapshot_at = snapshot_at
        self.requests: set[str] = set()
        """Ids of requests that made a move, where no other process makes any."""
        self.lock = asyncio.Lock()

    def seat_of(self, role: str) -> SeatRow | None:
        return next((seat for seat in self.seats if role in seat.roles), None)


class Hub:
    """All matches of one server process."""

    def __init__(self, store: Store, *, alone: bool) -> None:
        self.store = store
        self.alone = alone
        """No other process writes to the database, so what is in memory is always the newest."""
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}
        self._past: OrderedDict[tuple[str, int], Match[Any]] = OrderedDict()
        self.listeners: list[Listener] = []
        self.preparers: list[Callable[[Live, MoveRow], None]] = []
        """Called while a move is being written, before anybody may hear of it: to have the words ready by then."""
        self.told: dict[str, int] = {}
        """The last move told to the listeners of this process, by match."""
        self.chat_told: dict[str, int] = {}
        """The last line of chat told to the guests of this process."""

    # ---- getting at a match
    async def live(self, match: str) -> Live:
        """The match at its last committed move."""
        found = self._live.get(match)
        if found is None:
            loading = self._loading.setdefault(match, asyncio.Lock())
            async with loading:
                found = self._live.get(match)
                if found is None:
                    found = await self._load(match)
                    self._live[match] = found
                    while len(self._live) > MOST_LIVE:
                        self._live.popitem(last=False)
            self._loading.pop(match, None)
        self._live.move_to_end(match)
        if not self.alone or found.lock.locked():
            async with found.lock:  # a move that is being written is shown to nobody before it is
                if not self.alone:
                    await self._catch_up(found)
            if self._live.get(match) is not found:  # it could not be written: read the match anew
                return await self.live(match)
        return found

    async def _load(self, match: str) -> Live:
        row = await self.store.match(match)
        if row is None:
            raise NoMatch(f"there is no match '{match}'")
        seats = await self.store.seats(match)
        game = find(row.game)
        if row.rules != game.rules_version and row.frozen is None:
            row = await self._under_new_rules(row, game)
        if row.frozen is not None:
            self.told.setdefault(match, row.number)
            return Live(row, seats, await self._as_far_as_it_goes(row, game), row.number)
        played, at = _from_snapshot(game, row, await self.store.snapshot(match))
        live = Live(row, seats, played, at)
        live.requests = set(await self.store.requests(match)) if self.alone else set()
        await self._catch_up(live)
        self.told.setdefault(match, live.match.number)
        return live

    async def _under_new_rules(self, row: MatchRow, game: Game[Any]) -> MatchRow:
        """A match of an older version goes on only if its whole log replays to the same digests."""
        played: Match[Any] = Match.new(game, row.scenario, row.options, seed=row.seed)
        try:
            for move in await self.store.tail(row.id):
                played.apply(move.role, played.parse(move.action))
                if played.digest() != move.digest:
                    raise SandtableError(f"move {move.number} leads to another state under the new rules")
        except SandtableError as error:
            why = (
                f"This match was played under version {row.rules} of the rules; under version {game.rules_version} it "
                f"cannot go on ({error}). It stays as it is and can be exported."
            )
            await self.store.freeze(row.id, why)
            return msgspec.structs.replace(row, frozen=why)
        await self.store.set_rules(row.id, game.rules_version)
        return msgspec.structs.replace(row, rules=game.rules_version)

    async def _as_far_as_it_goes(self, row: MatchRow, game: Game[Any]) -> Match[Any]:
        played: Match[Any] = Match.new(game, row.scenario, row.options, seed=row.seed)
        for move in await self.store.tail(row.id):
            try:
                played.apply(move.role, played.parse(move.action))
            except SandtableError:
                break
            if played.digest() != move.digest:
                break
        return played

    async def _catch_up(self, live: Live) -> None:
        """Apply what other processes have committed meanwhile."""
        if live.row.frozen is not None:
            return
        number = await self.store.number(live.row.id)
        if number is None or number <= live.match.number:
            return
        for move in await self.store.tail(live.row.id, live.match.number):
            live.match.apply(move.role, live.match.parse(move.action))
            if live.match.digest() != move.digest:
                raise SandtableError(f"move {move.number} of match {live.row.id} does not replay to its stored state")
        fresh = await self.store.match(live.row.id)
        if fresh is not None:
            live.row = fresh
        live.seats = await self.store.seats(live.row.id)

    def peek(self, match: str) -> Live | None:
        """The match in memory, if it is."""
        return self._live.get(match)

    async def catch_up_and_tell(self, match: str) -> None:
        """Another process moved: apply it here and tell the listeners what they have not been told."""
        live = await self.live(match)
        for move in await self.store.tail(match, self.told[match], live.match.number):
            if move.number > self.told[match]:
                self.told[match] = move.number
                self._tell(match, "move", move)

    def tell_chat(self, match: str, line: dict[str, Any]) -> None:
        """A word of chat, told once."""
        if line["id"] > self.chat_told.get(match, 0):
            self.chat_told[match] = line["id"]
            self._tell(match, "chat", line)

    def forget(self, match: str) -> None:
        """Read the match anew next time."""
        self._live.pop(match, None)

    async def at(self, match: str, number: int) -> Match[Any]:
        """The match as it stood after move `number`."""
        live = await self.live(match)
        if number == live.match.number:
            return live.match
        if not 0 <= number <= live.match.number:
            raise NoMatch(f"the match has {live.match.number} moves; there is no move {number}")
        found = self._past.get((match, number))
        if found is not None:
            self._past.move_to_end((match, number))
            return found
        row, game = live.row, live.match.game
        near = self._past.get((match, number - 1))
        if near is not None:
            del self._past[(match, number - 1)]
            played, start = near, number - 1
        else:
            played, start = _from_snapshot(game, row, await self.store.snapshot(match, number))
        for move in await self.store.tail(match, start, number):
            played.apply(move.role, played.parse(move.action))
        self._past[(match, number)] = played
        while len(self._past) > 64:
            self._past.popitem(last=False)
        return played

    # ---- making a move
    async def act(
        self, match: str, role: str, action: Action | bytes, *, answers: int, request: str | None = None
    ) -> MoveRow:
        """Check, apply, commit, tell. Raises Refusal, Malformed, Stale, Frozen; then nothing has changed."""
        live = await self.live(match)
        async with live.lock:
            if request is not None and (not self.alone or request in live.requests):
                first = await self.store.by_request(match, request)
                if first is not None:
                    return first
            if live.row.frozen is not None:
                raise Frozen(live.row.frozen)
            played = live.match
            if answers != played.number and not await self._was_open(live, role, answers):
                raise Stale(f"that answers move {answers}, but the match is at move {played.number}")
            if isinstance(action, bytes):
                action = played.parse(action)
            asked = played.decisions()
            turn = _turn(played)
            events = played.apply(role, action)
            move = MoveRow(
                number=played.number,
                role=role,
                action=msgspec.json.encode(action),
                digest=played.digest(),
                events=msgspec.json.encode(events),
                asked=asked,
                turn=turn,
                at=time.time(),
                takes_back=_taken_back(action, events),
                request=request,
            )
            await self._commit(live, move)
        if move.number > self.told[match]:
            self.told[match] = move.number
            self._tell(match, "move", move)
        return move

    async def _was_open(self, live: Live, role: str, answers: int) -> bool:
        """Whether all moves since then were made by others while this role was being asked too."""
        if answers > live.match.number or answers < 0:
            return False
        since = await self.store.tail(live.row.id, answers)
        return all(move.role != role and role in move.asked and move.takes_back is None for move in since)

    async def _commit(self, live: Live, move: MoveRow) -> None:
        played = live.match
        snapshot = None
        if played.settled and (played.number - live.snapshot_at >= SNAPSHOT_EVERY or played.over):
            snapshot = played.game.codec.pack(played.state)
        outcome = None if played.outcome is None else msgspec.to_builtins(played.outcome)
        asked, turn = played.waiting_for(), _turn(played)
        try:
            hands = await self._clock_hands(live, move)
            await self.store.append(
                live.row.id,
                move,
                asked=asked,
                turn=turn,
                outcome=outcome,
                clock=hands,
                snapshot=snapshot,
                meanwhile=lambda: self._prepare(live, move),
            )
        except Conflict:
            self.forget(live.row.id)
            raise Stale("somebody else's move came first") from None
        except BaseException:
            self.forget(live.row.id)
            raise
        if snapshot is not None:
            live.snapshot_at = played.number
        if move.request is not None:
            live.requests.add(move.request)
        live.row = msgspec.structs.replace(live.row, number=played.number, asked=asked, turn=turn, outcome=outcome)

    def _prepare(self, live: Live, move: MoveRow) -> None:
        if live.match.number == move.number:
            for prepare in self.preparers:
                prepare(live, move)

    async def _clock_hands(self, live: Live, move: MoveRow) -> list[dict[str, Any]]:
        """The clocks after a move: who moved has spent time, who is asked now starts to."""
        rule = live.row.clock
        if not rule or rule.get("kind") not in ("move", "budget"):
            return []
        asked, hands = set(live.match.waiting_for()), []
        for role, (left, since) in (await self.store.clocks(live.row.id)).items():
            if since is not None and (role == move.role or role not in asked):
                left = max(0.0, left - (move.at - since)) + float(rule.get("increment", 0))
            if rule["kind"] == "move" and (role == move.role or role not in asked):
                left = float(rule["seconds"])
            running = since if since is not None and role in asked and role != move.role else None
            if role in asked and running is None:
                running = move.at
            hands.append({"role": role, "left": left, "since": running})
        return hands

    # ---- telling others
    def _tell(self, match: str, what: str, details: Any) -> None:
        for listener in self.listeners:
            listener(match, what, details)

    def tell(self, match: str, what: str, details: Any) -> None:
        """Tell the listeners of this process."""
        self._tell(match, what, details)

    # ---- the match as a file
    async def export(self, match: str, *, with_seed: bool) -> bytes:
        """The match file. It has the seed only when nobody can misuse it any more."""
        live = await self.live(match)
        row = live.row
        head = files.Header(
            files.FORMAT, row.game, row.rules, row.scenario, row.options, row.seed_hash, row.seed if with_seed else None
        )
        lines = [msgspec.json.encode(head)]
        moves = await self.store.tail(match)
        lines.extend(
            msgspec.json.encode(files.Line(move.number, move.role, msgspec.Raw(move.action), move.digest))
            for move in moves
        )
        lines.append(msgspec.json.encode(files.End(len(moves))))
        return b"\n".join(lines) + b"\n"


def rows_of(played: Match[Any], log: Sequence[files.Line], at: float) -> list[MoveRow]:
    """Replay a file's lines on a fresh match and make the rows that storage wants."""
    rows = []
    for line in log:
        action = played.parse(bytes(line.action))
        asked, turn = played.decisions(), _turn(played)
        events = played.apply(line.role, action)
        rows.append(
            MoveRow(
                number=played.number,
                role=line.role,
                action=msgspec.json.encode(action),
                digest=played.digest(),
                events=msgspec.json.encode(events),
                asked=asked,
                turn=turn,
                at=at,
                takes_back=_taken_back(action, events),
            )
        )
    return rows


def _from_snapshot(game: Game[Any], row: MatchRow, snapshot: tuple[int, bytes] | None) -> tuple[Match[Any], int]:
    """The match at its snapshot and the number of that move; from the start where there is none that can be read."""
    if snapshot is not None:
        number, packed = snapshot
        try:
            return Match.restore(game, game.codec.unpack(packed), seed=row.seed, number=number), number
        except BadFile:  # of another shape than today's states: the log has all that counts
            log.warning("a snapshot of match %s cannot be read; its log is played from the start", row.id)
    return Match.new(game, row.scenario, row.options, seed=row.seed), 0


def _taken_back(action: Action, events: Sequence[Event]) -> int | None:
    if isinstance(action, Undo):
        return next((event.number for event in events if isinstance(event, Undone)), None)
    return None


def _turn(match: Match[Any]) -> str:
    return match.game.turn(match.state)
