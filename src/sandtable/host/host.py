"""The host: all matches of one storage, who sits at them, and what everybody is told."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from sandtable.core import LANGUAGES, Match, Refusal, SandtableError, seed_hash
from sandtable.core import replay as files
from sandtable.games import registered

from . import messages as m
from . import sight
from .computers import Computers, Thinker
from .errors import NotSeated
from .line import Line, Made, Send
from .lobby import match_line
from .matches import Live, Matches, make_move, standing
from .records import ChatLine, MatchRow, MoveRow, SeatRow, Storage
from .seats import find_seat, hash_secret, make_seats, new_id, new_seed, to_give, to_store
from .visit import Visit

log = logging.getLogger("sandtable.host")
TICK_SECONDS = 1.0
LOOK_EVERY = 30
"""Ticks between two looks for matches in which the computer is asked and nobody thinks."""
MOST_SECRETS = 200


class Host:
    """Runs matches. It knows no network and no database: a wrapper carries its messages and keeps its records."""

    def __init__(
        self,
        storage: Storage,
        thinker: Thinker,
        *,
        alone: bool = True,
        keep_secrets: bool = False,
        think_seconds: float = 5.0,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.storage, self.now = storage, now
        self.keep_secrets = keep_secrets
        """Serves one person on their own machine, and remembers their seat links."""
        self.matches = Matches(storage, now, self._tell_moves, alone=alone)
        self.computers = Computers(self.matches, thinker, now, think_seconds)
        self._lines: dict[str, list[Line]] = {}
        self._chat_told: dict[str, int] = {}

    # ---- going on by itself
    async def run(self) -> None:
        """Watch the clocks and wake the computer players, for ever."""
        ticks = 0
        while True:
            try:
                if ticks % LOOK_EVERY == 0:
                    await self.computers.look_everywhere()
                await self.tick()
            except Exception:  # the storage may be away for a moment
                log.exception("the clocks could not be watched; it is tried again")
            ticks += 1
            await asyncio.sleep(TICK_SECONDS)

    async def tick(self) -> None:
        """Hand the seats of those who missed a deadline to the computer."""
        for match, role in await self.storage.overdue(self.now()):
            live = await self.matches.live(match)
            seat = live.seat_of(role)
            if seat is not None and not seat.is_played_by_computer:
                await self.matches.hand_over(live, seat, True)
                self._tell_seats(match)
                self.computers.look(match)

    async def close(self) -> None:
        await self.computers.close()

    # ---- the lobby
    async def list_matches(self, secrets: Sequence[str], language: str, *, mine: bool = False) -> list[m.MatchLine]:
        """Return the matches in which somebody with these secrets sits, and the public ones."""
        hashes = [hash_secret(secret) for secret in secrets[:MOST_SECRETS]]
        seats = list(await self.storage.find_seats(hashes)) if hashes else []
        if self.keep_secrets:
            known = {seat.match for seat in seats}
            seats += [seat for seat in await self.storage.find_seats(None) if seat.match not in known]
        you: dict[str, list[str]] = {}
        for seat in seats:
            you.setdefault(seat.match, []).extend(seat.roles)
        secret = {seat.match: seat.secret for seat in seats if self.keep_secrets}
        rows = {row.id: row for row in await self.storage.list_matches(list(you))}
        if not mine:
            rows.update({row.id: row for row in await self.storage.list_matches(None)})
        newest_first = sorted(rows.values(), key=lambda row: -row.updated)
        return [match_line(row, you.get(row.id, []), secret.get(row.id), language) for row in newest_first]

    async def create(self, wish: m.CreateMatch) -> m.MatchCreated:
        """Start a match."""
        game = registered(wish.game)
        scenario = wish.scenario or next(iter(game.scenarios))
        options = dict(game.check_options(scenario, wish.options))
        clock = None if wish.clock is None or wish.clock.kind == "none" else msgspec.to_builtins(wish.clock)
        if clock is not None and clock["seconds"] <= 0:
            raise SandtableError("a clock needs a number of seconds above 0")
        seed, now = new_seed(), self.now()
        played: Match[Any] = Match.new(game, scenario, options, seed=seed)
        row = MatchRow(
            id=new_id(), game=game.id, rules=game.rules_version, scenario=scenario, options=options, seed=seed,
            seed_hash=seed_hash(seed), created=now, updated=now, public=wish.public, kind="live", clock=clock,
            **standing(played),
        )  # fmt: skip
        return await self.add(row, make_seats(row.id, game.roles_in(scenario), game.id, wish.seats))

    async def import_file(self, wish: m.ImportFile) -> m.MatchCreated:
        """Bring in a match file. It can be looked at, and played on in a branch."""
        head, found = files.read(wish.file.encode())
        played = files.start(head, registered)
        now, moves = self.now(), []
        for line in found:
            try:
                moves.append(make_move(played, line.role, played.parse(bytes(line.action)), now))
            except Refusal as refusal:
                raise SandtableError(f"the match file does not replay: {played.explain(refusal)}") from None
            if moves[-1].digest != line.digest:
                raise SandtableError(f"the match file reaches another state than it says at move {line.n}")
        assert head.seed is not None
        row = MatchRow(
            id=new_id(), game=head.game, rules=played.game.rules_version, scenario=head.scenario,
            options=dict(head.options), seed=head.seed, seed_hash=head.seed_hash, created=now, updated=now,
            public=False, kind="import", **standing(played),
        )  # fmt: skip
        return await self.add(row, make_seats(row.id, played.roles, row.game, []), moves)

    async def add(self, row: MatchRow, seats: Sequence[SeatRow], log: Sequence[MoveRow] = ()) -> m.MatchCreated:
        """Keep a new match, and let the computer begin if it is asked."""
        hands = {}
        if row.clock:
            roles = [role for seat in seats for role in seat.roles]
            hands = {role: (row.clock["seconds"], row.created if role in row.asked else None) for role in roles}
        await self.storage.create(row, to_store(seats, self.keep_secrets), log, hands)
        if any(seat.is_played_by_computer for seat in seats):
            self.computers.look(row.id)
        return m.MatchCreated(row.id, row.seed_hash, to_give(seats))

    # ---- at a match
    async def visit(self, match: str, secret: str | None, language: str) -> Visit:
        """Come to a match with a seat's secret, or as a spectator. A wrong secret is an error, not a spectator."""
        live = await self.matches.live(match)
        seat = find_seat(live.seats, secret)
        if secret and seat is None:
            raise NotSeated("this seat link does not belong to this match")
        return Visit(self, live, seat, language if language in LANGUAGES else "en")

    async def connect(self, match: str, hello: m.Hello, send: Send) -> Line:
        """Open a line: the client is sent the match as it stands, the chat, and whatever happens from now on."""
        visit = await self.visit(match, hello.seat, hello.lang)
        if visit.seat is not None and visit.seat.handed_over:
            await self.take_back(visit.live, visit.seat)
        line = Line(self, match, visit.seat, visit.language, send)
        chat = await self.storage.talk(match)
        live = await self.matches.live(match)
        async with live.lock:  # so that no move slips in between the state and what is told after it
            moves = await self.storage.tail(match, hello.since, live.match.number)
            line.seen = hello.since
            line.tell(live, moves, {})
            self._lines.setdefault(match, []).append(line)
        line.send(m.Chat(chat))
        if line.place is not None:
            self._tell_seats(match)
        return line

    def leave(self, line: Line) -> None:
        """A client is gone."""
        lines = self._lines.get(line.match, [])
        if line in lines:
            lines.remove(line)
        if not lines:
            self._lines.pop(line.match, None)
            self._chat_told.pop(line.match, None)
        elif line.place is not None and not self.is_connected(line.match, line.place):
            self._tell_seats(line.match)

    def is_connected(self, match: str, place: int) -> bool:
        return any(line.place == place for line in self._lines.get(match, ()))

    async def take_back(self, live: Live, seat: SeatRow) -> None:
        """Give a seat that the computer was playing back to its owner."""
        await self.matches.hand_over(live, seat, False)
        self._tell_seats(live.row.id)

    async def say(self, live: Live, seat: SeatRow, text: str) -> ChatLine:
        """Keep a line of chat and tell it to everybody."""
        line = await self.storage.say(live.row.id, seat.name, seat.roles, text, self.now())
        self._tell_chat(live.row.id, [line])
        return line

    # ---- telling others
    async def heard_elsewhere(self, match: str, *, chat: bool) -> None:
        """Another host of the same storage has made a move or heard a word: tell the lines of this one."""
        if match not in self._lines:
            return  # it is read when it is next asked for
        if chat:
            self._tell_chat(match, await self.storage.talk(match, self._chat_told.get(match, 0)))
        else:
            await self.matches.live(match)

    async def _tell_moves(self, live: Live, moves: Sequence[MoveRow]) -> None:
        """Tell the lines of a match what is new to them, those who do not know yet before the one who moved."""
        match, number = live.row.id, live.match.number
        behind = [line for line in self._lines.get(match, ()) if line.seen < number]
        try:
            if behind:
                first = min(line.seen for line in behind)
                if not moves or moves[0].number > first + 1:
                    moves = await self.storage.tail(match, first, number)
                made: Made = {}
                for line in sorted(behind, key=lambda line: line.is_acting):
                    line.tell(live, moves, made)
        except Exception:  # the move is committed, whatever becomes of the telling
            log.exception("a move could not be told to everybody")
        self.computers.look(match)

    def _tell_chat(self, match: str, lines: Sequence[ChatLine]) -> None:
        told = self._chat_told.get(match, 0)
        fresh = [line for line in lines if line.id > told]
        if fresh:
            self._chat_told[match] = fresh[-1].id
            self._tell_all(match, m.Chat(fresh))

    def _tell_seats(self, match: str) -> None:
        live = self.matches.peek(match)
        if live is not None:
            self._tell_all(match, m.Seats(sight.seats_info(live, self.is_connected)))

    def _tell_all(self, match: str, message: m.Message) -> None:
        for line in self._lines.get(match, ()):
            line.send(message)
