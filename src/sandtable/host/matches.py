"""Matches in memory. Each is a cache of what is committed: newest snapshot plus the tail of the log.

A move is applied, committed, and only then told to anybody. When the commit fails, the copy in memory is thrown away
and read anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec

from sandtable.core import Action, BadFile, Event, Game, Match, SandtableError, Undo, Undone
from sandtable.core import replay as files
from sandtable.games import registered

from .errors import Frozen, NotFound, Stale
from .records import Conflict, Hands, MatchRow, MoveRow, SeatRow, Storage

log = logging.getLogger("sandtable.host")
SNAPSHOT_EVERY = 40
MOST_LIVE = 2_000
MOST_PAST = 64


class Live:
    """A match in memory."""

    __slots__ = ("hands", "lock", "match", "row", "seats", "seed", "snapshot_at")

    def __init__(self, row: MatchRow, seats: Sequence[SeatRow], match: Match[Any], snapshot_at: int) -> None:
        self.row = row
        self.seats = list(seats)
        self.match = match
        self.snapshot_at = snapshot_at
        self.hands: Hands = {}
        self.seed: str | None = None
        """The seed, once nobody can misuse it."""
        self.lock = asyncio.Lock()
        """Held while a move is being written."""

    @property
    def game(self) -> Game[Any]:
        return self.match.game

    def seat_of(self, role: str) -> SeatRow | None:
        return next((seat for seat in self.seats if role in seat.roles), None)


class Matches:
    """All matches of one host, read from its storage when somebody asks for them.

    `alone`: nobody else writes to the storage, so what is in memory is the newest. `told(live, moves)` is called
    with committed moves, in order, before any later move can be made.
    """

    def __init__(
        self,
        storage: Storage,
        now: Callable[[], float],
        told: Callable[[Live, Sequence[MoveRow]], Awaitable[None]],
        *,
        alone: bool,
    ) -> None:
        self.storage, self.alone = storage, alone
        self._now, self._told = now, told
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}
        self._past: OrderedDict[tuple[str, int], Match[Any]] = OrderedDict()

    # ---- getting at a match
    async def live(self, match: str) -> Live:
        """Return the match at its last committed move."""
        while True:
            found = self._live.get(match)
            if found is None:
                async with self._loading.setdefault(match, asyncio.Lock()):
                    found = self._live.get(match) or await self._load(match)
                self._loading.pop(match, None)
            self._live.move_to_end(match)
            if self.alone and not found.lock.locked():
                return found
            async with found.lock:  # a move that is being written is shown to nobody before it is
                if not self.alone:
                    await self._catch_up(found)
                if self._live.get(match) is found:
                    return found

    def peek(self, match: str) -> Live | None:
        """Return the match if it is in memory."""
        return self._live.get(match)

    async def _load(self, match: str) -> Live:
        row = await self.storage.match(match)
        if row is None:
            raise NotFound(f"there is no match '{match}'")
        game = registered(row.game, row.rules)
        if row.rules != game.rules_version and row.frozen is None:
            row = await self._under_new_rules(row, game)
        if row.frozen is not None:
            played, at = await self._as_far_as_it_goes(row, game), row.number
        else:
            played, at = _from_snapshot(game, row, await self.storage.snapshot(match))
            for move in await self.storage.tail(match, at, row.number):
                _replay(played, move)
        live = Live(row, await self.storage.seats(match), played, at)
        live.hands = await self.storage.clocks(match)
        live.seed = await self.open_seed(live)
        self._live[match] = live
        while len(self._live) > MOST_LIVE:
            self._live.popitem(last=False)
        await self._told(live, ())
        return live

    async def _under_new_rules(self, row: MatchRow, game: Game[Any]) -> MatchRow:
        """Move a match of an older version on if its whole log replays to the same digests; freeze it otherwise."""
        played: Match[Any] = Match.new(game, row.scenario, row.options, seed=row.seed)
        rules, why = game.rules_version, None
        try:
            for move in await self.storage.tail(row.id):
                _replay(played, move)
        except SandtableError as error:
            why = (
                f"This match was played under version {row.rules} of the rules; under version {rules} it "
                f"cannot go on ({error}). It stays as it is and can be exported."
            )
            rules = row.rules
        await self.storage.set_rules(row.id, rules, why)
        return msgspec.structs.replace(row, rules=rules, frozen=why)

    async def _as_far_as_it_goes(self, row: MatchRow, game: Game[Any]) -> Match[Any]:
        played: Match[Any] = Match.new(game, row.scenario, row.options, seed=row.seed)
        try:
            for move in await self.storage.tail(row.id):
                _replay(played, move)
        except SandtableError:
            log.info("match %s is shown up to move %d, where other rules begin", row.id, played.number)
        return played

    async def _catch_up(self, live: Live) -> None:
        """Apply what others have committed meanwhile, and tell of it."""
        if live.row.frozen is not None:
            return
        row = await self.storage.match(live.row.id)
        if row is None or row.number <= live.match.number:
            return
        moves = await self.storage.tail(row.id, live.match.number, row.number)
        for move in moves:
            _replay(live.match, move)
        live.row = row
        live.seats = list(await self.storage.seats(row.id))
        live.hands = await self.storage.clocks(row.id)
        live.seed = await self.open_seed(live)
        await self._told(live, moves)

    async def at(self, match: str, number: int) -> Match[Any]:
        """Return the match as it stood after move `number`."""
        live = await self.live(match)
        if number == live.match.number:
            return live.match
        if not 0 <= number <= live.match.number:
            raise NotFound(f"the match has {live.match.number} moves; there is no move {number}")
        found = self._past.get((match, number))
        if found is None:
            near = self._past.pop((match, number - 1), None)
            if near is not None:
                found, start = near, number - 1
            else:
                found, start = _from_snapshot(live.game, live.row, await self.storage.snapshot(match, number))
            for move in await self.storage.tail(match, start, number):
                found.apply(move.role, found.parse(move.action))
            self._past[(match, number)] = found
            while len(self._past) > MOST_PAST:
                self._past.popitem(last=False)
        return found

    async def open_seed(self, live: Live) -> str | None:
        """Return the seed once nobody can misuse it: the match is over, and so are those it branched off."""
        row: MatchRow | None = live.row
        while row is not None:
            if not row.is_open:
                return None
            row = await self.storage.match(row.parent) if row.parent else None
        return live.row.seed

    # ---- making a move
    async def act(
        self, match: str, role: str, action: Action | bytes, *, answers: int, request: str | None = None
    ) -> MoveRow:
        """Check a move, apply it, commit it and tell of it.

        Raises Refusal, Malformed, Stale or Frozen, and then nothing has changed. A request that has made a move before
        gets that move.
        """
        live = await self.live(match)
        async with live.lock:
            if self._live.get(match) is live:
                try:
                    return await self._act(live, role, action, answers, request)
                except Conflict:
                    self._live.pop(match, None)
                except SandtableError:
                    first = None if request is None else await self.storage.by_request(match, request)
                    if first is None:
                        raise
                    return first
        first = None if request is None else await self.storage.by_request(match, request)
        if first is not None:
            return first
        raise Stale("somebody else's move came first", (await self.live(match)).match.number)

    async def _act(self, live: Live, role: str, action: Action | bytes, answers: int, request: str | None) -> MoveRow:
        if live.row.frozen is not None:
            raise Frozen(live.row.frozen)
        played = live.match
        if answers != played.number and not await self._was_open(live, role, answers):
            raise Stale(f"that answers move {answers}, but the match is at move {played.number}", played.number)
        if isinstance(action, bytes):
            action = played.parse(action)
        move = make_move(played, role, action, self._now(), request)
        snapshot = None
        if played.settled and (played.number - live.snapshot_at >= SNAPSHOT_EVERY or played.over):
            snapshot = played.game.codec.pack(played.state)
        row = msgspec.structs.replace(live.row, updated=move.at, **standing(played))
        hands = after_move(live, move)
        try:
            await self.storage.append(row, move, hands, snapshot)
        except BaseException:
            self._live.pop(row.id, None)  # what is in memory is not what is kept
            raise
        live.row, live.hands = row, hands
        if snapshot is not None:
            live.snapshot_at = played.number
        if row.is_open:
            live.seed = await self.open_seed(live)
        await self._told(live, [move])
        return move

    async def _was_open(self, live: Live, role: str, answers: int) -> bool:
        """Return whether all moves since then were made by others while this role was asked too."""
        if not 0 <= answers <= live.match.number:
            return False
        since = await self.storage.tail(live.row.id, answers)
        return all(move.role != role and role in move.asked and move.takes_back is None for move in since)

    async def hand_over(self, live: Live, seat: SeatRow, handed_over: bool) -> None:
        """Let the computer play a person's seat, or give it back."""
        await self.storage.hand_over(live.row.id, seat.place, handed_over)
        live.seats[seat.place] = msgspec.structs.replace(seat, handed_over=handed_over)

    # ---- the match as a file
    async def export(self, live: Live) -> bytes:
        """Return the match file, with the seed if it is open."""
        row = live.row
        head = files.Header(
            files.FORMAT, row.game, row.rules, row.scenario, row.options, row.seed_hash, await self.open_seed(live)
        )
        moves = await self.storage.tail(row.id)
        lines = [msgspec.json.encode(head)]
        lines += [
            msgspec.json.encode(files.Line(move.number, move.role, msgspec.Raw(move.action), move.digest))
            for move in moves
        ]
        lines.append(msgspec.json.encode(files.End(len(moves))))
        return b"\n".join(lines) + b"\n"


def make_move(played: Match[Any], role: str, action: Action, at: float, request: str | None = None) -> MoveRow:
    """Apply an action and return the row to keep of it."""
    asked, turn = played.decisions(), played.game.turn(played.state)
    events = played.apply(role, action)
    return MoveRow(
        number=played.number,
        role=role,
        action=msgspec.json.encode(action),
        digest=played.digest(),
        events=msgspec.json.encode(events),
        asked=asked,
        turn=turn,
        at=at,
        takes_back=_taken_back(action, events),
        request=request,
    )


def standing(played: Match[Any]) -> dict[str, Any]:
    """Return what a match's row says of where it stands."""
    return {
        "number": played.number,
        "asked": played.waiting_for(),
        "turn": played.game.turn(played.state),
        "outcome": None if played.outcome is None else msgspec.to_builtins(played.outcome),
    }


def after_move(live: Live, move: MoveRow) -> Hands:
    """Return the clocks after a move: who moved has spent time, who is asked now starts to."""
    rule = live.row.clock
    if not rule:
        return {}
    asked, hands = set(live.match.waiting_for()), {}
    for role, (left, since) in live.hands.items():
        has_answered = role == move.role or role not in asked
        if since is not None and has_answered:
            left = max(0.0, left - (move.at - since)) + float(rule.get("increment", 0))
        if rule["kind"] == "move" and has_answered:
            left = float(rule["seconds"])
        started = since if since is not None and not has_answered else move.at
        hands[role] = (left, started if role in asked else None)
    return hands


def _replay(played: Match[Any], move: MoveRow) -> None:
    """Apply a stored move. Raises when it leads to another state than it did."""
    played.apply(move.role, played.parse(move.action))
    if played.digest() != move.digest:
        raise SandtableError(f"move {move.number} leads to another state than the stored one")


def _from_snapshot(game: Game[Any], row: MatchRow, snapshot: tuple[int, bytes] | None) -> tuple[Match[Any], int]:
    """Return the match at its snapshot and the number of that move; from the start without a readable one."""
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
