"""The host: all matches of one storage, who sits at them, and what everybody is told."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from sandtable.core import LANGUAGES, Match, SandtableError, seed_hash
from sandtable.games import registered
from sandtable.players import levels

from . import lessons, manners, sight, staff, stories
from . import messages as m
from .clocks import after_return
from .computers import Computers, Thinker
from .errors import Busy, NotAllowed, NotSeated
from .importing import Progress, Run, import_file, run_here
from .line import Line, Made, Send
from .lobby import is_mine, match_line
from .luck import Ledger
from .matches import Live, Matches, standing, start
from .records import ChatLine, Hands, MatchRow, MoveRow, SeatRow, Storage
from .seats import (
    find_seat,
    hash_secret,
    make_seats,
    new_id,
    new_seed,
    seat_given,
    to_give,
    to_store,
    with_new_secret,
)
from .tasks import Tasks, steady_clock
from .visit import Visit

log = logging.getLogger("sandtable.host")
TICK_SECONDS, LOOK_SECONDS, TIDY_SECONDS, EXPIRY_SECONDS = 1.0, 5.0, 30.0, 3600.0
"""How often clocks are watched, computer players woken, the memory tidied, unclaimed matches deleted."""
DAY = 86_400.0
MOST_SECRETS = 200
MOST_LEDGERS = 20
NOBODY: Mapping[int, str] = {}


def _of(person: str, seat: SeatRow) -> SeatRow:
    """Return the seat as that of a person, who needs no link."""
    return msgspec.structs.replace(seat, person=person, invitation=seat.invitation and not person)


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
        quota: int | None = None,
        expire_days: float | None = None,
        run_import: Run = run_here,
        now: Callable[[], float] | None = None,
    ) -> None:
        self.storage, self.now = storage, now or steady_clock()
        self.quota, self.expire_days = quota, expire_days
        """How many running matches one owner may have, and after how many days an unclaimed one is deleted."""
        self.run_import = run_import
        """Where match files are replayed, one at a time."""
        self._importing = asyncio.Lock()
        self.tasks = Tasks()
        self.keep_secrets = keep_secrets
        """Serves one person on their own machine, and remembers their seat links."""
        self.matches = Matches(storage, self.now, self._tell_moves, alone=alone)
        self.computers = Computers(self.matches, thinker, self.now, think_seconds)
        self._lines: dict[str, list[Line]] = {}
        self._chat_told: dict[str, int] = {}
        self._ledgers: OrderedDict[str, Ledger] = OrderedDict()
        """The luck of finished matches, as far as somebody wanted to know it."""
        self.at_work: set[tuple[str, int]] = set()
        """Match and place of who waits for a piece of work; -1 for spectators."""

    # ---- going on by itself
    async def run(self) -> None:
        """Watch the clocks, wake the computer players and clean up, for ever."""
        work = [
            self.tasks.repeat("clocks", TICK_SECONDS, self.tick),
            self.tasks.repeat("computers", LOOK_SECONDS, self.computers.look_everywhere),
            self.tasks.repeat("memory", TIDY_SECONDS, self.tidy),
        ]
        if self.expire_days is not None:
            work.append(self.tasks.repeat("expiry", EXPIRY_SECONDS, self.expire))
        await asyncio.gather(*work)

    async def tick(self) -> None:
        """Hand the seats of those who missed a deadline to the computer. One bad match does not stop the others."""
        failed: Exception | None = None
        for match, role in await self.storage.overdue(self.now()):
            try:
                live = await self.matches.live(match)
                seat = live.seat_of(role)
                if seat is not None and not seat.is_played_by_computer and not seat.invitation:
                    await self.matches.reseat(live, seat, msgspec.structs.replace(seat, handed_over=True))
                    self._tell_seats(match)
                    self.computers.look(match)
            except Exception as error:
                failed = failed or error
                log.exception("a deadline could not be dealt with in a match; it is tried again")
        if failed is not None:
            raise failed

    async def tidy(self) -> None:
        """Drop matches from memory that nobody looks at."""
        self.matches.tidy(lambda match: match in self._lines)

    async def expire(self) -> None:
        """Delete matches that nobody has claimed."""
        assert self.expire_days is not None
        gone = await self.storage.expire(self.now() - self.expire_days * DAY)
        if gone:
            log.info("%d matches that nobody claimed are deleted", gone)

    async def close(self) -> None:
        await self.computers.close()

    # ---- the lobby
    async def list_matches(
        self, secrets: Sequence[str], language: str, *, mine: bool = False, person: str = ""
    ) -> list[m.MatchLine]:
        """Return the matches in which this person, or somebody with these secrets, sits, and the public ones."""
        hashes = [hash_secret(secret) for secret in secrets[:MOST_SECRETS]]
        seats = list(await self.storage.find_seats(hashes, person)) if hashes or person else []
        if self.keep_secrets:
            known = {seat.match for seat in seats}
            seats += [seat for seat in await self.storage.find_seats(None) if seat.match not in known]
        you: dict[str, list[SeatRow]] = {}
        for seat in seats:
            if seat.is_claimed:
                you.setdefault(seat.match, []).append(seat)
        rows = {row.id: row for row in await self.storage.list_matches(list(you)) if row.kind != "lesson"}
        if not mine:
            rows.update({row.id: row for row in await self.storage.list_matches(None)})
        glances, now = await self.storage.glance(list(rows)), self.now()
        newest_first = sorted(rows.values(), key=lambda row: -row.updated)
        return [
            match_line(row, you.get(row.id, []), glances[row.id], language, now)
            for row in newest_first
            if row.id in glances
        ]

    async def allow_another(self, owner: str) -> None:
        """Raise Busy if this owner has as many running matches as one may have."""
        if self.quota is not None and await self.storage.running(owner) >= self.quota:
            raise Busy(f"you have {self.quota} matches that are not over; finish or resign some of them first")

    async def create(
        self, wish: m.CreateMatch, owner: str = "", person: str = "", players: Mapping[int, str] = NOBODY
    ) -> m.MatchCreated:
        """Start a match. The seats that are no invitations are the person's, others those of the players by place."""
        await self.allow_another(owner)
        game = registered(wish.game)
        scenario = wish.scenario or next(iter(game.scenarios))
        options = dict(game.check_options(scenario, wish.options))
        clock = None if wish.clock is None or wish.clock.kind == "none" else msgspec.to_builtins(wish.clock)
        if clock is not None and clock["seconds"] <= 0:
            raise SandtableError("a clock needs a number of seconds above 0")
        if wish.rated and wish.staff:
            raise SandtableError("a match that counts for the ratings is played without the staff")
        seed, now = new_seed(), self.now()
        played: Match[Any] = Match.new(game, scenario, options, seed=seed)
        row = MatchRow(
            id=new_id(), game=game.id, rules=game.rules_version, scenario=scenario, options=options, seed=seed,
            seed_hash=seed_hash(seed), created=now, updated=now, public=wish.public or wish.challenge, kind="live",
            clock=clock, owner=owner, challenge=wish.challenge, rated=int(wish.rated), staff=wish.staff,
            **standing(played),
        )  # fmt: skip
        seats = make_seats(row.id, game.roles_in(scenario), game.id, wish.seats)
        seats = [_of(players.get(seat.place) or (person if seat.is_claimed else ""), seat) for seat in seats]
        made = await self.add(msgspec.structs.replace(row, thinks=Live(row, seats, played, 0).thinks()), seats)
        others = [list(seat.roles) for seat in seats if seat.person not in ("", person)]
        return msgspec.structs.replace(made, seats=[given for given in made.seats if given.roles not in others])

    async def begin_lesson(self, wish: m.BeginLesson, owner: str = "") -> m.MatchCreated:
        """Start a lesson: the learner sits in its role, the computer in the others."""
        await self.allow_another(owner)
        game = registered(wish.game)
        lesson = lessons.lesson_of(game, wish.lesson)
        seed, now = lessons.seed_for(lesson), self.now()
        played = lessons.start(game, wish.lesson, seed)
        row = MatchRow(
            id=new_id(), game=game.id, rules=game.rules_version, scenario=played.scenario,
            options={"lesson": wish.lesson}, seed=seed, seed_hash=seed_hash(seed), created=now, updated=now,
            public=False, kind="lesson", owner=owner, **standing(played),
        )  # fmt: skip
        others = [role for role in played.roles if role != lesson.role]
        seats = [m.SeatWish([lesson.role])]
        if others:
            seats.append(m.SeatWish(others, "computer", lesson.computer or next(iter(levels(game)))))
        rows = make_seats(row.id, played.roles, game.id, seats)
        return await self.add(msgspec.structs.replace(row, thinks=Live(row, rows, played, 0).thinks()), rows)

    async def import_file(
        self, wish: m.ImportFile, owner: str = "", progress: Progress = lambda done, of: None
    ) -> m.MatchCreated:
        """Bring in a match file, with the story if it has one. It can be looked at, and played on in a branch."""
        await self.allow_another(owner)
        async with self._importing:
            found = await import_file(wish.file, self.now(), self.run_import, progress)
        head, now = found.head, self.now()
        assert head.seed is not None
        row = MatchRow(
            id=new_id(), game=head.game, rules=found.rules, scenario=head.scenario, options=dict(head.options),
            seed=head.seed, seed_hash=head.seed_hash, created=now, updated=now, public=False, kind="import",
            owner=owner, **found.standing,
        )  # fmt: skip
        told = stories.told_in(wish.file)
        story = None if told is None else stories.brought(told, row, found.roles)
        made = await self.add(row, make_seats(row.id, found.roles, row.game, []), found.moves)
        if story is not None:
            await self.storage.set_story(story, None)
        return made

    async def add(self, row: MatchRow, seats: Sequence[SeatRow], log: Sequence[MoveRow] = ()) -> m.MatchCreated:
        """Keep a new match, and let the computer begin if it is asked."""
        hands = {}
        if row.clock:
            roles = [role for seat in seats for role in seat.roles]
            hands = {role: (row.clock["seconds"], row.created if role in row.asked else None) for role in roles}
        await self.storage.create(row, to_store(seats, self.keep_secrets), log, hands)
        if row.thinks:
            self.computers.look(row.id)
        return m.MatchCreated(row.id, row.seed_hash, to_give(seats))

    async def rematch(self, live: Live, seat: SeatRow, *, swap: bool) -> m.MatchCreated:
        """Start the same match again with the same players, or find the one that was; returns it and my links.

        Who is known sits there at once. For the others there are invitations, and who comes by themself gets theirs.
        """
        row, other = live.row, live.row.rematch
        if row.outcome is None or row.kind not in ("live", "branch"):
            raise NotAllowed("a rematch is played when a match is over")
        if other is None:
            players = live.seats[1:] + live.seats[:1] if swap else live.seats
            known = {place: player.person for place, player in enumerate(players) if player.person}
            wish = m.CreateMatch(
                row.game,
                row.scenario,
                row.options,
                manners.wishes_again(live, seat, players),
                None if row.clock is None else m.ClockWish(**row.clock),
                row.public,
                rated=row.rated > 0,
                staff=row.staff,
            )
            made = await self.create(wish, row.owner, seat.person, known)
            other = await self.storage.set_rematch(row.id, made.match)
            live.row = msgspec.structs.replace(live.row, rematch=other)
            if other == made.match:
                self._tell_states(live)
                return made
            await self.storage.delete(made.match)  # somebody else was faster
        found = await self.matches.live(other)
        mine = next((one for one in found.seats if one.invitation and one.name == seat.name), None)
        if mine is None or find_seat(found.seats, None, seat.person) is not None:
            return m.MatchCreated(other, found.row.seed_hash, [])
        given = await self._claim(found, mine, seat.name, seat.colour, seat.person)
        return m.MatchCreated(other, found.row.seed_hash, [given])

    async def delete(self, match: str, secret: str | None, person: str = "") -> None:
        """Delete a match in which nobody else sits."""
        live = await self.matches.live(match)
        seat = find_seat(live.seats, secret, person)
        if seat is None or not seat.is_claimed:
            raise NotSeated("this seat link is not, or no longer, one of this match")
        if not is_mine(live.seats, [seat]):
            raise NotAllowed("somebody else plays in this match too: archive it, or resign")
        await self.storage.delete(match)
        self.matches.forget(match)
        for line in list(self._lines.get(match, ())):
            line.end()

    # ---- at a match
    async def invitation(self, match: str, secret: str | None, language: str) -> m.Invitation:
        """Return what an invitation is to, and whether it is still good."""
        live = await self.matches.live(match)
        seat = find_seat(live.seats, secret)
        info = sight.match_info(live, None, language, self.now(), self.is_connected)
        return m.Invitation(info, seat.roles if seat is not None and seat.invitation else ())

    async def visit(self, match: str, secret: str | None, language: str, person: str = "") -> Visit:
        """Come to a match with a seat's secret, as a person, or as a spectator.

        A wrong secret is an error, not a spectator.
        """
        live = await self.matches.live(match)
        seat = find_seat(live.seats, secret, person)
        if secret and seat is None:
            raise NotSeated("this seat link is not, or no longer, one of this match")
        if seat is not None and seat.invitation:
            raise NotSeated("this link is an invitation: claim the seat first")
        return Visit(self, live, seat, language if language in LANGUAGES else "en")

    async def ledger(self, live: Live) -> Ledger:
        """Return the luck of a finished match as far as it is weighed."""
        found = self._ledgers.get(live.row.id)
        if found is None:
            moves = await self.matches.tail(live.row)
            found = self._ledgers[live.row.id] = Ledger(start(live.game, live.row), live.row.rules, moves)
            while len(self._ledgers) > MOST_LEDGERS:
                self._ledgers.popitem(last=False)
        self._ledgers.move_to_end(live.row.id)
        return found

    async def why_no_rehearsal(self, live: Live, seat: SeatRow) -> str:
        """Return why a seat may not rehearse; "" where it may. A branch keeps the manners of its parent."""
        at: Live | None = live
        while at is not None:
            people = [other for other in at.seats if other.kind == "person"]
            if not at.row.is_open and people and (refused := staff.why_not(at, seat if at is live else people[0])):
                return refused
            is_there = at.row.parent is not None and await self.storage.match(at.row.parent) is not None
            at = await self.matches.live(str(at.row.parent)) if is_there else None
        return ""

    async def change_seat(self, match: str, secret: str | None, wish: m.ChangeSeat, person: str = "") -> m.SeatGiven:
        """Replace a seat's secret, for who has the present one. Whoever else has it is out at once.

        Who claims it becomes its player: the one who asks, if the wrapper of the host knows them.
        """
        live = await self.matches.live(match)
        seat = find_seat(live.seats, secret, "" if wish.do == "claim" else person)
        if seat is None:
            raise NotSeated("this seat link is not, or no longer, one of this match")
        if wish.do in ("archive", "show"):
            await self.reseat(live, seat, msgspec.structs.replace(seat, archived=wish.do == "archive"))
            return m.SeatGiven(list(seat.roles), seat.kind, "", f"/m/{match}", seat.invitation)
        if wish.do == "claim":
            if not seat.invitation:
                raise NotAllowed("this seat is claimed already")
            return await self._claim(live, seat, wish.name, wish.colour, person)
        is_open = wish.do == "release" or seat.invitation
        changed = with_new_secret(seat, invitation=is_open)
        if wish.do == "release":
            changed = msgspec.structs.replace(changed, person="", name="", colour="", lent=False, handed_over=False)
        mine = self.keep_secrets and not is_open
        kept = changed if mine else msgspec.structs.replace(changed, secret=None)
        if not await self.matches.reseat(live, seat, kept):
            raise NotSeated("somebody else was faster: this link is used up")
        self._end_old_lines(live)
        self._tell_seats(match)
        return seat_given(changed)

    async def renew_all(self, person: str) -> None:
        """Give all seats of a person new secrets: whoever has an old one is out, the person is not."""
        seats = {seat.match for seat in await self.storage.find_seats([], person)}
        for row in await self.storage.list_matches(list(seats)):
            if not row.is_open:
                await self.change_seat(row.id, None, m.ChangeSeat("renew"), person)

    async def take_seat(self, match: str, wish: m.TakeSeat, person: str = "") -> m.SeatGiven:
        """Take an open seat of a match that is a challenge to anybody."""
        live = await self.matches.live(match)
        seat = next((seat for seat in live.seats if seat.place == wish.place and seat.invitation), None)
        if not live.row.challenge or seat is None:
            raise NotAllowed("this seat is not open to everybody, or no longer")
        return await self._claim(live, seat, wish.name, wish.colour, person)

    async def _claim(self, live: Live, seat: SeatRow, name: str, colour: str, person: str) -> m.SeatGiven:
        """Give an open seat to who asks first."""
        given = with_new_secret(seat, invitation=False)
        given = msgspec.structs.replace(given, name=name or seat.name, colour=colour, person=person)
        kept = given if self.keep_secrets and person == "" else msgspec.structs.replace(given, secret=None)
        hands = manners.claimed_now(live.hands, seat.roles, self.now())
        if not await self.matches.reseat(live, seat, kept, hands):
            raise NotSeated("somebody else was faster: this link is used up")
        self._end_old_lines(live)
        self._tell_seated(live)
        return seat_given(given)

    async def reseat(self, live: Live, was: SeatRow, seat: SeatRow, hands: Hands | None = None) -> None:
        """Change a seat, end the lines of who is out, and tell everybody."""
        kept = seat if seat.secret_hash == was.secret_hash else msgspec.structs.replace(seat, secret=None)
        if not await self.matches.reseat(live, was, kept, hands):
            raise manners.too_late(live)
        self._end_old_lines(live)
        self._tell_seated(live)
        self.computers.look(live.row.id)

    def _end_old_lines(self, live: Live) -> None:
        """End the lines whose secret is no longer that of their seat."""
        for line in list(self._lines.get(live.row.id, ())):
            if line.place is not None and not line.is_seated(live):
                line.end()

    async def connect(
        self, match: str, hello: m.Hello, send: Send, end: Callable[[], None] = lambda: None, person: str = ""
    ) -> Line:
        """Open a line: the client is sent the match as it stands, the chat, and whatever happens from now on.

        `end` is called when the line's seat link is no longer good. `person` is who the wrapper knows it to be.
        """
        visit = await self.visit(match, hello.seat, hello.lang, person)
        if visit.seat is not None and visit.seat.handed_over:
            await self.take_back(visit.live, visit.seat)
        line = Line(self, match, visit.seat, visit.language, send, end)
        chat = await self.storage.talk(match)
        live = await self.matches.live(match)
        async with live.lock:  # so that no move slips in between the state and what is told after it
            moves = await self.matches.tail(live.row, hello.since, live.match.number)
            line.seen = hello.since
            line.tell(live, moves, {})
            self._lines.setdefault(match, []).append(line)
        line.send(m.Chat([said for said in chat if said.is_for(line.roles)]))
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

    @property
    def lines(self) -> int:
        """How many clients are at a match."""
        return sum(map(len, self._lines.values()))

    def is_connected(self, match: str, place: int) -> bool:
        return any(line.place == place for line in self._lines.get(match, ()))

    async def take_back(self, live: Live, seat: SeatRow) -> None:
        """Give a seat that the computer was playing back to its owner, with time to go on."""
        hands = after_return(live.row, live.hands, seat.roles, self.now()) if seat.handed_over else live.hands
        await self.matches.reseat(live, seat, manners.taken_back(seat), hands)
        self._tell_seats(live.row.id)

    async def say(self, live: Live, seat: SeatRow, text: str, to: Sequence[str] = ()) -> ChatLine:
        """Keep a line of chat and tell it to those it is for."""
        line = await self.storage.say(live.row.id, seat.name, seat.roles, text, self.now(), to)
        self._tell_chat(live.row.id, [line])
        return line

    # ---- telling others
    async def heard_elsewhere(self, match: str, *, chat: bool) -> None:
        """Another host of the same storage has made a move, changed a seat or heard a word: tell the lines of this."""
        if match not in self._lines:
            return  # it is read when it is next asked for
        if chat:
            self._tell_chat(match, await self.storage.talk(match, self._chat_told.get(match, 0)))
        else:
            await self.matches.live(match)

    async def catch_up(self) -> None:
        """Tell all lines what may have been missed while nothing was heard from other hosts."""
        for match in list(self._lines):
            for chat in (False, True):
                try:
                    await self.heard_elsewhere(match, chat=chat)
                except SandtableError:
                    log.exception("a match could not be brought up to date")

    async def _tell_moves(self, live: Live, moves: Sequence[MoveRow]) -> None:
        """Tell the lines of a match what is new to them, those who do not know yet before the one who moved."""
        match, number = live.row.id, live.match.number
        self._end_old_lines(live)
        if not moves:  # it was read anew, or its seats have changed
            self._tell_seated(live)
        behind = [line for line in self._lines.get(match, ()) if line.seen < number]
        try:
            if behind:
                first = min(line.seen for line in behind)
                if not moves or moves[0].number > first + 1:
                    moves = await self.matches.tail(live.row, first, number)
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
            for line in self._lines.get(match, ()):
                if mine := [said for said in fresh if said.is_for(line.roles)]:
                    line.send(m.Chat(mine))

    def _tell_seats(self, match: str) -> None:
        live = self.matches.peek(match)
        if live is not None:
            self._tell_all(match, m.Seats(sight.seats_info(live, self.is_connected, self.now())))

    def _tell_seated(self, live: Live) -> None:
        """Tell everybody who sits where, and what it did to the clocks."""
        if live.row.clock or live.row.rematch:
            self._tell_states(live)
        self._tell_seats(live.row.id)

    def _tell_states(self, live: Live) -> None:
        """Tell everybody the match as it stands, where more than the seats has changed."""
        made: Made = {}
        for line in self._lines.get(live.row.id, ()):
            line.tell(live, (), made)

    def _tell_all(self, match: str, message: m.Message) -> None:
        for line in self._lines.get(match, ()):
            line.send(message)
