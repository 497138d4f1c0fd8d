"""A line: one client's open connection to a match, whatever carries its messages."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.core import SandtableError

from . import books, sight, stories
from . import messages as m
from .errors import WENT_WRONG, NotAllowed, NotSeated, Stale, explain
from .log import gone, lines
from .matches import Live
from .records import MoveRow, SeatRow
from .visit import Visit, request_key

if TYPE_CHECKING:
    from .host import Host

log = logging.getLogger("sandtable.host")
Send = Callable[[bytes], None]
"""Takes a message for the client. It must not wait; what cannot be sent at once is kept or given up."""
Made = dict[tuple[Any, ...], m.State]
"""What lines with the same roles, eyes and language are told of the same moves."""


class _Named(msgspec.Struct):
    """The id of a message that cannot be read otherwise."""

    id: str = ""


class Line:
    """One client at a match: a seat, or a spectator."""

    def __init__(
        self, host: Host, match: str, seat: SeatRow | None, language: str, send: Send, end: Callable[[], None]
    ) -> None:
        self.host, self.match, self.language = host, match, language
        self.place = None if seat is None else seat.place
        self._key = None if seat is None else seat.secret_hash
        self._end = end
        self.roles: Sequence[str] = () if seat is None else seat.roles
        self.seat = seat
        """As it was when the line was opened."""
        self.role: str | None = None
        """Whose eyes the client looks through."""
        self._phase = sight.Phase()
        self.seen = 0
        """The last move it has been told of."""
        self._send = send
        self._working: set[asyncio.Task[None]] = set()
        """What takes long and is not answered yet."""
        self._acting: m.Doing | None = None
        """The move of its own that is on its way."""

    def send(self, message: m.Message) -> None:
        self._send(msgspec.json.encode(message))

    def close(self) -> None:
        """The client is gone."""
        self.host.leave(self)
        for task in self._working:
            task.cancel()

    def is_seated(self, live: Live) -> bool:
        """Whether the secret with which the line was opened is still that of its seat."""
        return self.place is not None and live.seats[self.place].secret_hash == self._key

    def end(self) -> None:
        """The seat link is no longer good: nothing more is told or heard."""
        self.close()
        self._end()

    # ---- what happens
    @property
    def is_acting(self) -> bool:
        return self._acting is not None

    def tell(self, live: Live, moves: Sequence[MoveRow], made: Made) -> None:
        """Send the match as it stands, with the moves that are new to this client."""
        acted = None
        if self._acting is not None:
            request = self._request(self._acting)
            acted = max((move.number for move in moves if move.answers(request)), default=None)
        if acted is None:
            self._send_state(live, moves, made)
        else:
            assert self._acting is not None
            self._send_state(live, moves, made, self._acting.id, acted)
            self._acting = None

    def _send_state(
        self, live: Live, moves: Sequence[MoveRow], made: Made, request: str | None = None, acted: int | None = None
    ) -> None:
        phase = sight.Phase.of(live.match, self.roles)
        self.role = sight.eyes(live.match, self.roles, self.role, is_new=phase.begins_after(self._phase))
        self._phase = phase
        key = (tuple(self.roles), self.role, self.language, self.seen)
        state = made.get(key)
        if state is None:
            state = made[key] = self._state(live, [move for move in moves if move.number > self.seen])
        self.seen = live.match.number
        self.send(state if request is None else msgspec.structs.replace(state, id=request, acted=acted))

    def _state(self, live: Live, moves: Sequence[MoveRow]) -> m.State:
        match, role = live.match, self.role
        is_asked = role is not None and role in match.decisions() and live.row.kind != "import"
        steps = live.undo_steps(role) if role else []
        offers = sight.offers(match, role, self.language) if is_asked and role else []
        return m.State(
            info=sight.match_info(live, self.seat, self.language, self.host.now(), self.host.is_connected),
            role=role,
            table=match.table(role, self.language),
            offers=offers,
            undo=0 if match.over else sum(map(len, steps)),
            undo_step=len(steps[-1]) if steps else 0,
            mine=[step[-1] for step in steps],
            only=sight.only(match, role, offers) if role else None,
            losses=sight.losses(match, role) if role else [],
            last=max((move.number for move in moves if move.role in self.roles), default=0),
            events=lines(live.game, moves, match.roles if live.row.is_open else self.roles, self.language),
            gone=sorted(gone(moves)),
            lesson=None if live.run is None else live.run.face(match, self.language),
            id=None,
            acted=None,
        )

    # ---- what the client asks
    async def hear(self, words: str | bytes) -> None:
        """Answer a message of the client. One is answered before the next is heard."""
        try:
            wish = msgspec.json.decode(words, type=m.Request)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self._refuse(_id_of(words), 400, m.ErrorBody("malformed", "the message cannot be read"))
            return
        live: Live | None = None
        try:
            live = await self.host.matches.live(self.match)
            if self.place is not None and not self.is_seated(live):
                self.end()
                raise NotSeated("this seat link is no longer one of this match")
            seat = None if self.place is None else live.seats[self.place]
            await self._answer(wish, Visit(self.host, live, seat, self.language))
        except SandtableError as error:
            status, body = explain(error, live.game if live else None, self.language)
            self._refuse(wish.id, status, body, error.number if isinstance(error, Stale) else None)
        except Exception:  # the client is told, and the next message is not to blame for it
            log.exception("a message could not be answered")
            self._refuse(wish.id, 500, m.ErrorBody("server", WENT_WRONG))

    async def _answer(self, wish: m.Request, visit: Visit) -> None:
        match wish:
            case m.Act() | m.ActAll() | m.SendTo() | m.TakeBack():
                await self._act(wish, visit)
            case m.Look():
                self._look(wish, visit)
            case m.AskLuck() | m.AskRehearsal():
                self._later(wish, visit)
            case _:
                self.send(m.Answer(wish.id, await self._value(wish, visit)))

    def _later(self, wish: m.AskLuck | m.AskRehearsal, visit: Visit) -> None:
        """Answer what takes long when it is ready; what is asked after it is answered before it."""

        async def work() -> None:
            try:
                value = await (visit.luck() if isinstance(wish, m.AskLuck) else visit.rehearse(wish))
                self.send(m.Answer(wish.id, value))
            except SandtableError as error:
                status, body = explain(error, visit.live.game, self.language)
                self._refuse(wish.id, status, body)
            except Exception:
                log.exception("a message could not be answered")
                self._refuse(wish.id, 500, m.ErrorBody("server", WENT_WRONG))

        task = asyncio.get_running_loop().create_task(work())
        self._working.add(task)
        task.add_done_callback(self._working.discard)

    async def idle(self) -> None:
        """Wait until everything is answered."""
        await asyncio.gather(*self._working, return_exceptions=True)

    async def _value(self, wish: m.Request, visit: Visit) -> Any:
        match wish:
            case m.Next():
                return await visit.next(wish)
            case m.Reach():
                return await visit.reach(wish)
            case m.WhyNot():
                return await visit.why_not(wish)
            case m.AskOdds():
                return await visit.odds(wish)
            case m.Weigh():
                return await visit.weigh(wish)
            case m.AskTable():
                return await visit.table(wish.at, wish.role)
            case m.AskBriefing():
                return await visit.briefing(wish.role)
            case m.AskStaff():
                return await visit.staff(wish.role)
            case m.AskRemarks():
                return await visit.remarks()
            case m.AskReview():
                return await visit.review()
            case m.AskDigest():
                return await visit.digest(wish.since)
            case m.AskBook():
                return books.book(visit.live.game, self.language)
            case m.AskExample():
                return books.example_table(visit.live.game, wish.name, self.language)
            case m.AskLog():
                return await visit.log(wish.since)
            case m.AskMoves():
                return await visit.moves()
            case m.AskOrders():
                return await visit.orders(wish.role)
            case m.AskDice():
                return await visit.dice()
            case m.Say():
                return await visit.say(wish.text, allies=wish.allies)
            case m.Lend():
                return await visit.lend(wish.level)
            case m.Take():
                return await visit.take()
            case m.Rest():
                return await visit.rest(wish.days)
            case m.Motion():
                return await visit.motion(wish)
            case m.Rematch():
                return await visit.rematch(wish)
            case m.Branch():
                return await visit.branch(wish)
            case m.AskReport():
                return await visit.report(wish)
            case m.AskStory():
                return await stories.read(visit, wish.number)
            case m.Annotate():
                return await stories.annotate(visit, wish)
            case m.AddVariation():
                return await stories.add_variation(visit, wish)
            case m.DropVariation():
                return await stories.drop_variation(visit, wish)
            case m.AskVariation():
                return await stories.variation(visit, wish)
            case m.Publish():
                return await stories.publish(visit, wish)

    async def _act(self, wish: m.Doing, visit: Visit) -> None:
        self._acting = wish
        try:
            move = await visit.act(wish)
            if self._acting is not None:  # sent before, and acknowledged now as it would have been then
                live = await self.host.matches.live(self.match)
                if self._acting is not None:  # it may have been told meanwhile
                    self._send_state(live, (), {}, wish.id, move.number)
        finally:
            self._acting = None

    def _look(self, wish: m.Look, visit: Visit) -> None:
        if wish.role is not None:
            if wish.role not in self.roles:
                raise NotAllowed("your seat does not hold that role")
            self.role = wish.role
        state = self._state(visit.live, ())
        self.send(msgspec.structs.replace(state, id=wish.id))

    def _request(self, wish: m.Doing) -> str:
        return request_key(self.place, wish.id)

    def _refuse(self, request: str, status: int, body: m.ErrorBody, number: int | None = None) -> None:
        self.send(m.ErrorMessage(request, status, body, number))


def _id_of(words: str | bytes) -> str:
    try:
        return msgspec.json.decode(words, type=_Named).id[:64]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
