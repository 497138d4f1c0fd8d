"""Matches in memory. Each is a cache of what is committed: newest snapshot plus the tail of the log.

A move is applied, committed, and only then told to anybody. When the commit fails, the copy in memory is thrown away
and read anew.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

import msgspec

from sandtable.core import Action, BadFile, Event, Game, Match, SandtableError, Undo, Undone
from sandtable.core import replay as files
from sandtable.games import registered
from sandtable.players.requests import Request, heard_by

from . import lessons
from .clocks import after_move, after_undo
from .errors import Frozen, NotFound, Reused, Stale, Unavailable, Unsure
from .lessons import Run
from .records import Conflict, Hands, MatchRow, MoveRow, SeatRow, Storage

log = logging.getLogger("sandtable.host")
SNAPSHOT_EVERY = 40
MOST_BYTES = 256 * 1024 * 1024
"""What the matches in memory may take together, as far as `weight` can tell."""
IDLE_SECONDS = 600.0
"""A match that nobody looks at for so long leaves the memory."""
MOST_PAST = 64
ATTEMPTS = 5
POSITION = "position"
"""The option of an imagined match that holds the state it began with."""
_ID = re.compile(r"[A-Za-z0-9_-]{1,22}")
Plan = Callable[[Match[Any]], Iterable[Action | None]]
"""Yields moves that are made as one, each for the position after those before it. After a None begins another step of
undo."""


class Live:
    """A match in memory."""

    __slots__ = (
        "hands", "joined", "lock", "match", "requests", "row", "run", "seats", "seed", "snapshot_at", "used", "weight",
    )  # fmt: skip

    def __init__(self, row: MatchRow, seats: Sequence[SeatRow], match: Match[Any], snapshot_at: int) -> None:
        self.row = row
        self.seats = list(seats)
        self.match = match
        self.snapshot_at = snapshot_at
        self.used = 0.0
        """When somebody last asked for it."""
        self.weight = 20_000 + 10 * len(match.game.codec.pack(match.state))
        """About how many bytes it takes."""
        self.run: Run | None = None
        """The lesson that is played in it."""
        self.hands: Hands = {}
        self.seed: str | None = None
        """The seed, once nobody can misuse it."""
        self.joined: set[int] = set()
        """The moves that are one step of undo with the move before them, as far back as anything can be taken back."""
        self.requests: dict[str, tuple[Request, ...]] = {}
        """What computer players ask of their allies, by who asks. It is not kept: it is worth one turn."""
        self.lock = asyncio.Lock()
        """Held while a move is being written."""

    @property
    def game(self) -> Game[Any]:
        return self.match.game

    def note(self, moves: Iterable[MoveRow]) -> None:
        """Remember which moves are one step."""
        if self.match.settled:
            self.joined.clear()
        self.joined.update(move.number for move in moves if move.joins)

    def undo_steps(self, role: str) -> list[list[int]]:
        """The moves that a role may take back, those of one step together; the last step last."""
        steps: list[list[int]] = []
        for number in self.match.undoable(role):
            if steps and number in self.joined:
                steps[-1].append(number)
            else:
                steps.append([number])
        return steps

    def asked_of(self, role: str) -> tuple[Request, ...]:
        """What computer players ask of an ally. What was asked in moves that were taken back is forgotten."""
        playing = [by for seat in self.seats if seat.is_played_by_computer for by in seat.roles]
        made = (one for by in playing for one in self.requests.get(by, ()) if one.number <= self.match.number)
        return heard_by(role, made, self.game.sides(self.match.state))

    def seat_of(self, role: str) -> SeatRow | None:
        return next((seat for seat in self.seats if role in seat.roles), None)

    def thinks(self) -> bool:
        """Whether a computer player is asked."""
        seats = [self.seat_of(role) for role in self.match.decisions()]
        return any(seat is not None and seat.is_played_by_computer for seat in seats)


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
        self._weight = 0
        self.made, self.spent = 0, 0.0
        """How many moves were committed, and how many seconds that took."""

    # ---- getting at a match
    async def live(self, match: str) -> Live:
        """Return the match at its last committed move."""
        while True:
            found = self._live.get(match)
            if found is None:
                async with self._loading.setdefault(match, asyncio.Lock()):
                    found = self._live.get(match) or await self._load(match)
                self._loading.pop(match, None)
            if match in self._live:
                self._live.move_to_end(match)
            found.used = self._now()
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

    def forget(self, match: str) -> None:
        """Drop a match from memory: it is read anew when it is next asked for."""
        found = self._live.pop(match, None)
        if found is not None:
            self._weight -= found.weight

    def tidy(self, is_watched: Callable[[str], bool]) -> None:
        """Drop the matches that nobody has looked at for a while, and the longest unused if there are too many."""
        now, over = self._now(), self._weight - MOST_BYTES
        for match, live in list(self._live.items()):  # the longest unused come first
            is_idle = now - live.used > IDLE_SECONDS and not is_watched(match)
            if (is_idle or over > 0) and not live.lock.locked():
                over -= live.weight
                self.forget(match)
        for match, number in list(self._past):
            if match not in self._live:
                del self._past[match, number]

    @property
    def held(self) -> tuple[int, int]:
        """How many matches are in memory, and about how many bytes they take."""
        return len(self._live), self._weight

    async def tail(self, row: MatchRow, after: int = 0, to: int | None = None) -> list[MoveRow]:
        """Return the moves of a match after `after`, up to `to`. The first moves of a branch are its parent's."""
        moves: list[MoveRow] = []
        if row.base > after and row.parent is not None:
            parent = await self.storage.match(row.parent)
            if parent is None:
                raise SandtableError("the match that this one branched off is gone")
            before = await self.tail(parent, after, row.base if to is None else min(to, row.base))
            moves += [msgspec.structs.replace(move, request=None) for move in before]
        if to is None or to > row.base:
            moves += await self.storage.tail(row.id, max(after, row.base), to)
        return moves

    async def _snapshot(self, row: MatchRow, to: int | None = None) -> tuple[int, bytes] | None:
        """Return the newest snapshot not later than `to`, its parent's for the moves of its parent."""
        found = await self.storage.snapshot(row.id, to)
        if found is not None or not row.base or row.parent is None:
            return found
        parent = await self.storage.match(row.parent)
        if parent is None or parent.rules != row.rules:
            return None
        return await self._snapshot(parent, row.base if to is None else min(to, row.base))

    async def _load(self, match: str) -> Live:
        row = await self.storage.match(match) if _ID.fullmatch(match) else None
        if row is None:
            raise NotFound("there is no such match")
        game = registered(row.game, row.rules)
        if row.rules != game.rules_version and row.frozen is None:
            row = await self._under_new_rules(row, game)
        moves: Sequence[MoveRow] = ()
        if row.frozen is not None:
            played, at = await self._as_far_as_it_goes(row, game), row.number
        elif row.kind == "lesson":
            played, at = start(game, row), 0
        else:
            played, at = _from_snapshot(game, row, await self._snapshot(row))
            moves = await self.tail(row, at, row.number)
            for move in moves:
                _replay(played, move)
        played.forget()
        live = Live(row, await self.storage.seats(match), played, at)
        live.note(moves)
        if row.kind == "lesson":
            await self._follow(live)
        live.hands = await self.storage.clocks(match)
        live.seed = await self.open_seed(live)
        live.row = msgspec.structs.replace(row, thinks=live.thinks())
        self._live[match] = live
        self._weight += live.weight
        await self._told(live, ())
        return live

    async def _follow(self, live: Live) -> None:
        """Play a lesson's moves again to see how far the learner has come."""
        live.run = Run(str(live.row.options["lesson"]), live.match)
        try:
            for move in await self.tail(live.row, 0, live.row.number):
                _replay(live.match, move, live.run)
        except SandtableError:
            raise NotFound("this lesson has changed since it was begun; begin it again") from None

    async def _under_new_rules(self, row: MatchRow, game: Game[Any]) -> MatchRow:
        """Move a match of an older version on if its whole log replays to the same digests; freeze it otherwise."""
        played = start(game, row)
        rules, why = game.rules_version, None
        try:
            for move in await self.tail(row):
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
        played = start(game, row)
        try:
            for move in await self.tail(row):
                _replay(played, move)
        except SandtableError:
            log.info("match %s is shown up to move %d, where other rules begin", row.id, played.number)
        return played

    async def _catch_up(self, live: Live) -> None:
        """Apply what others have committed meanwhile, and tell of it."""
        if live.row.frozen is not None:
            return
        row = await self.storage.match(live.row.id)
        if row is None:
            self.forget(live.row.id)
            raise NotFound("there is no such match")
        if row.seating != live.row.seating:
            live.seats = list(await self.storage.seats(row.id))
            live.hands = await self.storage.clocks(row.id)
            live.row = msgspec.structs.replace(live.row, seating=row.seating, thinks=row.thinks, rematch=row.rematch)
            await self._told(live, ())
        if row.number <= live.match.number:
            return
        moves = await self.tail(row, live.match.number, row.number)
        for move in moves:
            _replay(live.match, move, live.run)
        live.match.forget()
        live.note(moves)
        live.row = row
        live.hands = await self.storage.clocks(row.id)
        live.seed = await self.open_seed(live)
        await self._told(live, moves)

    async def at(self, match: str, number: int) -> Match[Any]:
        """Return the match as it stood after move `number`. It is the caller's own: nothing changes it."""
        live = await self.live(match)
        if number == live.match.number:
            return live.match.clone()
        if not 0 <= number <= live.match.number:
            raise NotFound(f"the match has {live.match.number} moves; there is no move {number}")
        found = self._past.get((match, number))
        if found is None:
            near = self._past.get((match, number - 1))
            moves = await self.tail(live.row, number - 1, number) if near is not None else []
            if near is not None and moves[0].takes_back is None:  # a copy has nothing to take back
                found = near.clone()
            else:
                found, start = _from_snapshot(live.game, live.row, await self._snapshot(live.row, number))
                moves = await self.tail(live.row, start, number)
            for move in moves:
                found.again(move.role, found.parse(move.action))
            self._past[(match, number)] = found = found.clone()
            while len(self._past) > MOST_PAST:
                self._past.popitem(last=False)
        return found.clone()

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
        self, match: str, role: str, action: Action | bytes | Plan, *, answers: int, request: str | None = None
    ) -> MoveRow:
        """Check a move, apply it, commit it and tell of it; or several moves as one, and return the last.

        Raises Refusal, Malformed, Stale or Frozen, and then nothing has changed. A request that has made a move before
        gets that move.
        """
        for _ in range(ATTEMPTS):
            live = await self.live(match)
            async with live.lock:
                if self._live.get(match) is not live:
                    continue  # it left the memory meanwhile
                try:
                    return await self._act(live, role, action, answers, request)
                except Conflict:
                    self.forget(match)
                except (Unavailable, Unsure):
                    raise
                except SandtableError:
                    first = await self._first(match, role, action, request, live.game)
                    if first is None:
                        raise
                    return first
            first = await self._first(match, role, action, request, live.game)
            if first is not None:
                return first
        raise Stale("others' moves keep coming first", (await self.live(match)).match.number)

    async def _first(
        self, match: str, role: str, action: Action | bytes | Plan, request: str | None, game: Game[Any]
    ) -> MoveRow | None:
        """Return the move that this request has made before. Raises Reused if that was for something else."""
        first = None if request is None else await self.storage.by_request(match, request)
        if first is not None:
            meant = game.codec.action(action) if isinstance(action, bytes) else action
            if first.role != role or (isinstance(meant, Action) and game.codec.action(first.action) != meant):
                raise Reused("this id was used for another move")
        return first

    async def _act(
        self, live: Live, role: str, action: Action | bytes | Plan, answers: int, request: str | None
    ) -> MoveRow:
        if live.row.frozen is not None:
            raise Frozen(live.row.frozen)
        played = live.match
        if answers != played.number and not await self._was_open(live, role, answers):
            raise Stale(f"that answers move {answers}, but the match is at move {played.number}", played.number)
        if isinstance(action, bytes):
            action = played.parse(action)
        if isinstance(action, Action):
            moves = [make_move(played, role, action, self._now(), request, live.run)]
        else:
            moves = make_moves(played, role, action, self._now(), request, live.run)
        began, move = time.perf_counter(), moves[-1]
        snapshot = None
        is_due = live.run is None and (played.number - live.snapshot_at >= SNAPSHOT_EVERY or played.over)
        if is_due and played.settled:
            snapshot = played.game.codec.pack(played.state)
        row = msgspec.structs.replace(live.row, updated=move.at, thinks=live.thinks(), **standing(played))
        hands = await self._hands_after(live, row, moves)
        try:
            await self.storage.append(row, moves, hands, snapshot)
        except BaseException:
            self.forget(row.id)  # what is in memory is not what is kept
            raise
        played.forget()
        self.made, self.spent = self.made + len(moves), self.spent + time.perf_counter() - began
        live.row, live.hands = row, hands
        live.note(moves)
        if snapshot is not None:
            live.snapshot_at = played.number
        if row.is_open:
            live.seed = await self.open_seed(live)
        await self._told(live, moves)
        return move

    async def _hands_after(self, live: Live, row: MatchRow, moves: Sequence[MoveRow]) -> Hands:
        """Return the clocks after these moves; `row` is the match after the last of them."""
        hands, log = live.hands, list[MoveRow]()
        away = {role: seat.away for seat in live.seats if seat.away for role in seat.roles}
        if row.clock and any(move.takes_back is not None for move in moves):
            log = await self.tail(row, max(0, moves[0].number - 400), moves[0].number - 1)
        for place, move in enumerate(moves):
            after = row
            if place + 1 < len(moves):
                after = msgspec.structs.replace(row, asked=moves[place + 1].waiting or (), outcome=None)
            undone = move.takes_back is not None
            hands = after_undo(after, hands, move, log, away) if undone else after_move(after, hands, move, away)
            log.append(move)
        return hands

    async def _was_open(self, live: Live, role: str, answers: int) -> bool:
        """Return whether all moves since then were made by others while this role was asked too."""
        if not 0 <= answers <= live.match.number:
            return False
        since = await self.tail(live.row, answers)
        return all(move.role != role and role in move.asked and move.takes_back is None for move in since)

    async def reseat(self, live: Live, was: SeatRow, seat: SeatRow, hands: Hands | None = None) -> bool:
        """Change a seat, and the clocks with it. False, and nothing changes, if somebody has changed it meanwhile."""
        async with live.lock:
            hands = live.hands if hands is None else hands
            if live.seats[seat.place].version != was.version:
                return False
            live.seats[seat.place] = seat = msgspec.structs.replace(seat, version=was.version + 1)
            row = msgspec.structs.replace(live.row, seating=live.row.seating + 1, thinks=live.thinks())
            try:
                done = await self.storage.set_seat(row, seat, was, hands)
            except BaseException:
                self.forget(row.id)
                raise
            if not done:
                self.forget(row.id)
                return False
            live.row, live.hands = row, hands
            return True

    # ---- the match as a file
    async def export(self, live: Live) -> bytes:
        """Return the match file, with the seed if it is open."""
        row = live.row
        head = files.Header(
            files.FORMAT, row.game, row.rules, row.scenario, row.options, row.seed_hash, await self.open_seed(live)
        )
        moves = await self.tail(row)
        lines = [msgspec.json.encode(head)]
        lines += [
            msgspec.json.encode(files.Line(move.number, move.role, msgspec.Raw(move.action), move.digest))
            for move in moves
        ]
        lines.append(msgspec.json.encode(files.End(len(moves))))
        return b"\n".join(lines) + b"\n"


def start(game: Game[Any], row: MatchRow) -> Match[Any]:
    """Return a match as it began."""
    if row.kind == "lesson":
        return lessons.start(game, str(row.options["lesson"]), row.seed)
    if row.kind == "imagined":
        state = game.codec.unpack(base64.b64decode(row.options[POSITION]))
        return Match.restore(game, state, seed=row.seed, number=0)
    return Match.new(game, row.scenario, row.options, seed=row.seed)


def make_move(
    played: Match[Any],
    role: str,
    action: Action,
    at: float,
    request: str | None = None,
    run: Run | None = None,
    *,
    again: bool = False,
) -> MoveRow:
    """Apply an action and return the row to keep of it. `again`: it was made before and stands in a log."""
    asked, waiting, turn = played.decisions(), played.waiting_for(), played.game.turn(played.state)
    events = played.again(role, action) if again else played.apply(role, action)
    if run is not None:
        run.took(played, role, action, events)
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
        waiting=waiting,
    )


def make_moves(
    played: Match[Any], role: str, plan: Plan, at: float, request: str | None, run: Run | None = None
) -> list[MoveRow]:
    """Apply all moves of a plan, or none where one is refused; where dice fall, the rest is left for a new decision."""
    mark, moves, joins = played.mark(), list[MoveRow](), False
    try:
        for action in plan(played):
            if action is None:
                joins = False
                continue
            name = None if request is None else f"{'+' * joins}{request[:56]}#{len(moves)}" if moves else request
            moves.append(make_move(played, role, action, at, name, run))
            joins = True
            if played.settled and not isinstance(action, Undo):
                break
    except BaseException:
        played.return_to(mark)
        if run is not None:
            run.back_to(played.number)
        raise
    if not moves:
        raise SandtableError("there is nothing to do in that")
    return moves


def standing(played: Match[Any]) -> dict[str, Any]:
    """Return what a match's row says of where it stands."""
    return {
        "number": played.number,
        "asked": played.waiting_for(),
        "turn": played.game.turn(played.state),
        "outcome": None if played.outcome is None else msgspec.to_builtins(played.outcome),
    }


def _replay(played: Match[Any], move: MoveRow, run: Run | None = None) -> None:
    """Apply a stored move. Raises when it leads to another state than it did."""
    action = played.parse(move.action)
    events = played.again(move.role, action)
    if run is not None:
        run.took(played, move.role, action, events)
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
    return start(game, row), 0


def _taken_back(action: Action, events: Sequence[Event]) -> int | None:
    if isinstance(action, Undo):
        return next((event.number for event in events if isinstance(event, Undone)), None)
    return None
