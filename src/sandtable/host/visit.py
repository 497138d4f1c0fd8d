"""One seat, or a spectator, at one match: everything that can be asked there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec

from sandtable.core import Odds, Rolled, branched_seed, seed_hash
from sandtable.core.table import Table
from sandtable.odds.shown import shown
from sandtable.odds.words import in_words

from . import log, reports, sight
from . import messages as m
from .errors import NotAllowed, NotFound, NotSeated
from .log import DieFace, LogLine
from .matches import Live, standing
from .records import ChatLine, MatchRow, MoveRow, SeatRow
from .seats import make_seats, new_id, new_seed

if TYPE_CHECKING:
    from .host import Host


class Visit:
    """A match as it stands now, seen from a seat. Made for one request."""

    def __init__(self, host: Host, live: Live, seat: SeatRow | None, language: str) -> None:
        self.host, self.live, self.seat, self.language = host, live, seat, language
        self.match = live.match

    async def _sit_down(self, role: str) -> SeatRow:
        """Return the seat if it holds the role. Who comes back has the seat from the computer."""
        if self.seat is None:
            raise NotSeated("a seat link is needed for that")
        if role not in self.seat.roles:
            raise NotAllowed("your seat does not hold that role")
        if self.seat.handed_over:
            await self.host.take_back(self.live, self.seat)
            self.live = await self.host.matches.live(self.live.row.id)  # somebody may have moved meanwhile
            self.match = self.live.match
        return self.seat

    # ---- looking
    async def info(self) -> m.MatchInfo:
        self.live.seed = await self.host.matches.open_seed(self.live)
        you = self.seat.roles if self.seat else ()
        return sight.match_info(self.live, you, self.language, self.host.now(), self.host.is_connected)

    async def table(self, at: int | None, role: str | None) -> Table:
        """Return the table as the seat sees it, now or after any move."""
        played = self.match if at is None else await self.host.matches.at(self.live.row.id, at)
        return played.table(sight.viewpoint(self.seat, played, role, is_open=self.live.row.is_open), self.language)

    async def log(self, since: int) -> list[LogLine]:
        """Return what happened after a move, as far as the seat may know."""
        moves = await self.host.storage.tail(self.live.row.id, since)
        roles = self.match.roles if self.live.row.is_open else self.seat.roles if self.seat else ()
        return log.lines(self.live.game, moves, roles, self.language)

    async def moves(self) -> list[m.MoveInfo]:
        """Return all moves, without what they were while that may be secret."""
        rows = await self.host.storage.tail(self.live.row.id)
        gone = {row.takes_back for row in rows}
        texts = self.live.game.texts(self.language)
        is_secret = not self.live.row.is_open and not self.live.game.public(self.match.state)

        def info(row: MoveRow) -> m.MoveInfo:
            verb = "" if is_secret else str(json.loads(row.action)["do"])
            label = texts.say(f"verb.{verb}") if f"verb.{verb}" in texts else verb
            turn = self.live.game.turn_name(row.turn, texts)
            return m.MoveInfo(row.number, row.role, verb, label, turn, row.at, row.number in gone)

        return [info(row) for row in rows]

    async def dice(self) -> m.DiceAnswer:
        """Return the seed and every die of a finished match."""
        seed = await self.host.matches.open_seed(self.live)
        if seed is None:
            raise NotAllowed("the seed is opened when the match is over")
        found = []
        for move in await self.host.storage.tail(self.live.row.id):
            for raw in msgspec.json.decode(move.events, type=list[msgspec.Raw]):
                event = self.live.game.codec.event(bytes(raw))
                if isinstance(event, Rolled):
                    found.append(DieFace(event.number, event.sides, event.value, event.why))
        return m.DiceAnswer(seed, self.live.row.seed_hash, found)

    async def file(self) -> bytes:
        """Return the match file, with the seed when the match is over."""
        if await self.host.matches.open_seed(self.live) is None and not self.live.game.public(self.match.state):
            raise NotAllowed("a match with hidden things can be exported when it is over")
        return await self.host.matches.export(self.live)

    async def report(self, wish: m.AskReport) -> str:
        """Return the file of a report: what looks wrong, and the match as far as the seat may know it."""
        row = self.live.row
        if wish.at > self.match.number:
            raise NotFound(f"the match has {self.match.number} moves; there is no move {wish.at}")
        past = await self.host.matches.at(row.id, reports.position_of(wish))
        moves = await self.host.storage.tail(row.id, 0, wish.at)
        roles = past.roles if row.is_open else self.seat.roles if self.seat else ()
        role = sight.viewpoint(self.seat, past, wish.role, is_open=row.is_open)
        return reports.write(reports.make(wish, reports.Source(row, past, moves, roles, role, self.language)))

    # ---- choosing
    async def offers(self, role: str) -> m.OffersAnswer:
        await self._sit_down(role)
        found = sight.offers(self.match, role, self.language)
        return m.OffersAnswer(self.match.number, role, found, self.match.can_undo(role))

    async def next(self, wish: m.Next) -> m.OfferInfo:
        await self._sit_down(wish.role)
        return sight.next_field(self.match, wish, self.language)

    async def why_not(self, wish: m.WhyNot) -> m.WhyNotAnswer:
        await self._sit_down(wish.role)
        refusal = self.match.why_not(wish.role, self.match.parse(wish.action))
        if refusal is None:
            return m.WhyNotAnswer(True)
        return m.WhyNotAnswer(False, refusal.rule, self.match.explain(refusal, self.language))

    async def odds(self, wish: m.AskOdds) -> Odds | None:
        await self._sit_down(wish.role)
        found = shown(self.match, wish.role, self.match.parse(wish.action))
        return None if found is None else in_words(found, self.live.game.texts(self.language))

    # ---- doing
    async def act(self, wish: m.Act) -> MoveRow:
        """Make a move; a request that was sent before gets the move it made."""
        seat = await self._sit_down(wish.role)
        if self.live.row.kind == "import":
            raise NotAllowed("an imported match is played on in a branch")
        action = json.dumps(wish.action).encode()
        request = f"{seat.place}:{wish.id}"[:64]
        return await self.host.matches.act(self.live.row.id, wish.role, action, answers=wish.answers, request=request)

    def lines_of(self, move: MoveRow) -> list[LogLine]:
        """Return what the seat may know of a move."""
        return log.lines(self.live.game, [move], self.seat.roles if self.seat else (), self.language)

    async def say(self, text: str) -> ChatLine:
        if self.seat is None:
            raise NotSeated("spectators listen")
        return await self.host.say(self.live, self.seat, text)

    async def branch(self, wish: m.Branch) -> m.MatchCreated:
        """Start a match of one's own from any move of this one."""
        row, host = self.live.row, self.host
        if not row.is_open:
            if self.seat is None:
                raise NotSeated("a running match is branched by those who play in it")
            if not self.live.game.public(self.match.state) and set(self.seat.roles) != set(self.match.roles):
                raise NotAllowed("a running match with hidden things is branched by who holds every seat, or when over")
        past = await host.matches.at(row.id, wish.at)
        now, seed = host.now(), branched_seed(row.seed, past.state.rolled, new_seed())
        branched = MatchRow(
            id=new_id(), game=row.game, rules=row.rules, scenario=row.scenario, options=row.options, seed=seed,
            seed_hash=seed_hash(seed), created=now, updated=now, public=False, kind="branch", parent=row.id,
            **standing(past),
        )  # fmt: skip
        seats = make_seats(branched.id, past.roles, row.game, wish.seats)
        moves = [msgspec.structs.replace(move, request=None) for move in await host.storage.tail(row.id, 0, wish.at)]
        return await host.add(branched, seats, moves)
