"""One seat, or a spectator, at one match: everything that can be asked there."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.core import Action, Match, Odds, Refusal, Rolled, Undo, branched_seed, seed_hash
from sandtable.core.table import Table
from sandtable.games import registered
from sandtable.odds.shown import shown
from sandtable.odds.words import in_words
from sandtable.players import levels

from . import briefings, digest, gestures, log, luck, manners, remarks, reports, review, sight, staff, stories
from . import messages as m
from .asides import done_by
from .clocks import is_mover_known
from .errors import Busy, NotAllowed, NotFound, NotSeated
from .lessons import Run
from .log import DieFace, LogLine
from .luck import PART_SECONDS
from .matches import POSITION, Live, Plan, standing, start
from .records import ChatLine, MatchRow, MoveRow, SeatRow
from .rehearsals import Rehearse, Rehearsed
from .seats import make_seats, new_id, new_seed, seat_given

if TYPE_CHECKING:
    from .host import Host


MOST_REQUEST = 56
"""Longer ids are hashed: what the moves of one request are told apart by must fit in too."""


def request_key(place: int | None, request: str) -> str:
    """Return the name under which a seat's request is kept: the client's own id, or a hash where it cannot be kept."""
    key = f"{place}:{request}"
    return (
        key
        if len(key) <= MOST_REQUEST and "\0" not in key
        else f"{place}:{hashlib.sha256(key.encode()).hexdigest()[:50]}"
    )


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

    def refuse_in_lessons(self) -> None:
        if self.live.run is not None or self.live.row.kind == "imagined":
            raise NotAllowed("what begins in a position of its own has no files, reports and branches")

    # ---- looking
    async def info(self) -> m.MatchInfo:
        self.live.seed = await self.host.matches.open_seed(self.live)
        return sight.match_info(self.live, self.seat, self.language, self.host.now(), self.host.is_connected)

    async def table(self, at: int | None, role: str | None) -> Table:
        """Return the table as the seat sees it, now or after any move."""
        played = self.match if at is None else await self.host.matches.at(self.live.row.id, at)
        return played.table(sight.viewpoint(self.seat, played, role, is_open=self.live.row.is_open), self.language)

    async def briefing(self, role: str | None) -> m.BriefingFace:
        """Return what a role is told at the beginning, and how the match stands."""
        eyes = sight.viewpoint(self.seat, self.match, role, is_open=self.live.row.is_open)
        return briefings.briefing(self.match, eyes, self.language)

    async def log(self, since: int) -> list[LogLine]:
        """Return what happened after a move, as far as the seat may know."""
        moves = await self.host.matches.tail(self.live.row, since)
        roles = self.match.roles if self.live.row.is_open else self.seat.roles if self.seat else ()
        return log.lines(self.live.game, moves, roles, self.language)

    async def digest(self, since: int | None) -> m.DigestFace:
        """Return what happened after a move, or after the last one of the seat, grouped and counted."""
        rows = await self.host.matches.tail(self.live.row)
        roles = self.seat.roles if self.seat else ()
        after = digest.last_own(rows, roles) if since is None else min(since, self.match.number)
        now = await self.table(None, None)
        before = (await self.host.matches.at(self.live.row.id, after)).table(now.role, self.language)
        face = digest.digest(self.live.game, before, now, await self.log(after), self.language)
        face.text = digest.in_words(face, now, self.live.game.texts(self.language))
        return face

    async def moves(self) -> list[m.MoveInfo]:
        """Return all moves, without what they were while that may be secret."""
        rows = await self.host.matches.tail(self.live.row)
        gone = {row.takes_back for row in rows}
        roles = self.match.roles if self.live.row.is_open else self.seat.roles if self.seat else ()
        after = {row.number - 1: row.waiting or () for row in rows} | {self.match.number: self.match.waiting_for()}
        texts = self.live.game.texts(self.language)
        is_secret = not self.live.row.is_open and not self.live.game.public(self.match.state)

        def info(row: MoveRow) -> m.MoveInfo:
            verb = "" if is_secret else str(json.loads(row.action)["do"])
            label = texts.say(f"verb.{verb}") if f"verb.{verb}" in texts else verb
            turn = self.live.game.turn_name(row.turn, texts)
            is_known = not is_secret or is_mover_known(row, after.get(row.number, ()))
            role = log.seen_mover(row, log.events_of(self.live.game, row) if not is_known else (), roles, is_known)
            return m.MoveInfo(row.number, role, verb, label, turn, row.at, row.number in gone)

        return [info(row) for row in rows]

    async def orders(self, role: str) -> list[dict[str, Any]]:
        """Return what a role of the seat ordered the last time in an earlier turn, by the verbs of its desk."""
        if self.seat is None or role not in self.seat.roles:
            raise NotAllowed("only who plays a role knows what it ordered")
        desk = self.match.table(role, self.language).desk
        verbs = {str(item.action["do"]) for item in desk.items} if desk else set()
        rows = await self.host.matches.tail(self.live.row)
        gone = {row.takes_back for row in rows}
        found = [
            (row.turn, action)
            for row in rows
            if row.role == role and row.turn != self.live.row.turn and row.number not in gone
            for action in [json.loads(row.action)]
            if action["do"] in verbs
        ]
        return [action for turn, action in found if turn == found[-1][0]]

    async def dice(self) -> m.DiceAnswer:
        """Return the seed and every die of a finished match."""
        seed = await self.host.matches.open_seed(self.live)
        if seed is None:
            raise NotAllowed("the seed is opened when the match is over")
        found = []
        for move in await self.host.matches.tail(self.live.row):
            for raw in msgspec.json.decode(move.events, type=list[msgspec.Raw]):
                event = self.live.game.codec.event(bytes(raw))
                if isinstance(event, Rolled):
                    found.append(DieFace(event.number, event.sides, event.value, event.why))
        return m.DiceAnswer(seed, self.live.row.seed_hash, found)

    async def review(self) -> m.ReviewFace:
        """Return what is worth telling of a finished match."""
        if self.live.row.outcome is None:
            raise NotAllowed("a match is reviewed when it is over")
        return await review.review(self.live, await self.host.matches.tail(self.live.row), self.language)

    async def luck(self) -> m.LuckAnswer:
        """Weigh some more of the dice of a finished match; returns their ledger when all are weighed."""
        if self.live.row.outcome is None:
            raise NotAllowed("the luck of a match is told when it is over")
        row = self.live.row
        ledger = await self.host.ledger(self.live)
        async with ledger.lock:
            if ledger.done < ledger.of:
                ledger.add(await done_by(self.host.computers.thinker, ledger.part(), row.owner, luck.Weighed))
        is_done = ledger.done >= ledger.of
        face = luck.ledger(registered(row.game, row.rules), ledger.falls, self.language) if is_done else None
        return m.LuckAnswer(ledger.done, ledger.of, face)

    async def rehearse(self, wish: m.AskRehearsal) -> Rehearsed:
        """Play on from a position of the match, as a role of the seat may know it."""
        seat = await self._sit_down(wish.role)
        if refused := await self.host.why_no_rehearsal(self.live, seat):
            raise NotAllowed(refused)
        if wish.level not in levels(self.live.game):
            raise NotAllowed(f"there is no level '{wish.level}' for {self.live.row.game}")
        if wish.at is not None and wish.at != self.match.number and wish.actions:
            raise NotAllowed("only what can be done now can be tried")
        played = self.match if wish.at is None else await self.host.matches.at(self.live.row.id, wish.at)
        tried = [played.parse(json.dumps(action).encode()) for action in wish.actions]
        known = played.as_known(wish.role).clone()
        for action in tried:
            known.apply(wish.role, action)
        view = played.view(wish.role)
        task = Rehearse(
            self.live.row.game, self.live.row.rules, wish.role, view.number, tuple(view.asked),
            self.live.game.codec.pack(view.state), tuple(msgspec.json.encode(action) for action in tried),
            wish.level, wish.turns, wish.first, wish.count, PART_SECONDS,
        )  # fmt: skip
        key = (self.live.row.id, seat.place)
        if key in self.host.at_work:
            raise Busy("one thing at a time: what you asked for before is still being worked on")
        self.host.at_work.add(key)
        try:
            found = await done_by(self.host.computers.thinker, task, self.live.row.owner, Rehearsed)
        finally:
            self.host.at_work.discard(key)
        if found.slow:
            raise NotAllowed("a rehearsal takes too long: choose fewer turns or a lower level")
        return found

    async def file(self, story: int | None = None) -> bytes:
        """Return the match file, with the seed when the match is over; with a story, if one is named."""
        self.refuse_in_lessons()
        if story is not None:
            return await stories.file(self, story)
        if await self.host.matches.open_seed(self.live) is None and not self.live.game.public(self.match.state):
            raise NotAllowed("a match with hidden things can be exported when it is over")
        return await self.host.matches.export(self.live)

    async def report(self, wish: m.AskReport) -> str:
        """Return the file of a report: what looks wrong, and the match as far as the seat may know it."""
        self.refuse_in_lessons()
        row = self.live.row
        if wish.at > self.match.number:
            raise NotFound(f"the match has {self.match.number} moves; there is no move {wish.at}")
        past = await self.host.matches.at(row.id, reports.position_of(wish))
        moves = await self.host.matches.tail(row, 0, wish.at)
        roles = past.roles if row.is_open else self.seat.roles if self.seat else ()
        role = sight.viewpoint(self.seat, past, wish.role, is_open=row.is_open)
        return reports.write(reports.make(wish, reports.Source(row, past, moves, roles, role, self.language)))

    # ---- choosing
    async def view(self, role: str) -> m.ViewAnswer:
        """Return the state as a role of the seat may know it."""
        await self._sit_down(role)
        seen, game = self.match.view(role), self.live.game
        state = game.codec.builtins(seen.state)
        return m.ViewAnswer(game.id, game.rules_version, role, seen.number, seen.asked, state)

    async def offers(self, role: str) -> m.OffersAnswer:
        await self._sit_down(role)
        found = sight.offers(self.match, role, self.language)
        return m.OffersAnswer(self.match.number, role, found, self.match.can_undo(role))

    async def next(self, wish: m.Next) -> m.OfferInfo:
        await self._sit_down(wish.role)
        return sight.next_field(self.match, wish, self.language)

    async def reach(self, wish: m.Reach) -> list[m.PlaceInfo]:
        await self._sit_down(wish.role)
        return gestures.reach(self.match, wish)

    async def why_not(self, wish: m.WhyNot) -> m.WhyNotAnswer:
        await self._sit_down(wish.role)
        action = self.match.parse(wish.action)
        if self.live.run is not None:
            self.live.run.check(self.match, wish.role, action, self.language)
        refusal = self.match.why_not(wish.role, action)
        if refusal is None:
            return m.WhyNotAnswer(True)
        return m.WhyNotAnswer(False, refusal.rule, self.match.explain(refusal, self.language))

    async def odds(self, wish: m.AskOdds) -> Odds | None:
        await self._sit_down(wish.role)
        found = shown(self.match, wish.role, self.match.parse(wish.action))
        return None if found is None else in_words(found, self.live.game.texts(self.language))

    async def weigh(self, wish: m.Weigh) -> Odds | None:
        await self._sit_down(wish.role)
        found = gestures.weigh(self.match, wish)
        return None if found is None else in_words(found, self.live.game.texts(self.language))

    async def staff(self, role: str) -> list[m.StaffPlan]:
        """Return what computer players would do now in place of the role."""
        seat = await self._sit_down(role)
        return await staff.plans(self.live, seat, role, self.host.computers.thinker, self.language)

    async def remarks(self) -> list[m.RemarkFace]:
        """Return what the computer players say of what they did since the seat's own last move."""
        seat = self._own()
        after = digest.last_own(await self.host.matches.tail(self.live.row), seat.roles)
        eyes = sight.viewpoint(self.seat, self.match, None, is_open=self.live.row.is_open)
        before = (await self.host.matches.at(self.live.row.id, after)).table(eyes, self.language)
        return remarks.remarks(self.live, eyes, before, await self.log(after), self.language, seat.roles)

    # ---- doing
    async def act(self, wish: m.Doing) -> MoveRow:
        """Make a move, or several as one; a request that was sent before gets the move it made."""
        seat = await self._sit_down(wish.role)
        if seat.lent:
            raise NotAllowed("the computer plays your seat: take it back first")
        if self.live.row.kind == "import":
            raise NotAllowed("an imported match is played on in a branch")
        request = request_key(seat.place, wish.id)
        if isinstance(wish, m.Act) and wish.forced:
            request = f"+{request}"
        plan = await self._plan(wish)
        if self.live.run is not None:
            plan = _in_lesson(plan, self.live.run, wish.role, self.language)
        act, match = self.host.matches.act, self.live.row.id
        return await act(match, wish.role, plan, answers=wish.answers, request=request)

    async def _plan(self, wish: m.Doing) -> bytes | Plan:
        """Return what a request wants done."""
        match wish:
            case m.Act():
                return json.dumps(wish.action).encode()
            case m.ActAll():
                return lambda played: (played.parse(json.dumps(action).encode()) for action in wish.actions)
            case m.SendTo():
                return lambda played: gestures.send(played, wish)
            case m.TakeBack():
                return await self._without(wish)

    async def _without(self, wish: m.TakeBack) -> Plan:
        """Return the plan that takes back one step of a role and makes those after it again."""
        steps = self.live.undo_steps(wish.role)
        place = next((place for place, step in enumerate(steps) if wish.number in step), None)
        if place is None:
            raise Refusal("sandtable-undo", "sandtable-undo-closed")
        back = sum(len(step) for step in steps[place:])
        rows = {row.number: row.action for row in await self.host.matches.tail(self.live.row, wish.number)}

        def plan(played: Match[Any]) -> Iterator[Action | None]:
            for _ in range(back):
                yield Undo()
            for step in steps[place + 1 :]:
                yield None
                for number in step:
                    yield played.parse(rows[number])

        return plan

    def lines_of(self, move: MoveRow) -> list[LogLine]:
        """Return what the seat may know of a move."""
        return log.lines(self.live.game, [move], self.seat.roles if self.seat else (), self.language)

    async def say(self, text: str, *, allies: bool = False) -> ChatLine:
        seat = self._own("spectators listen")
        to = manners.allies(self.live, seat) if allies else []
        return await self.host.say(self.live, seat, text, to)

    # ---- among the players
    def _own(self, why: str = "a seat link is needed for that") -> SeatRow:
        if self.seat is None:
            raise NotSeated(why)
        return self.seat

    async def lend(self, level: str) -> None:
        """Let the computer play the seat until it is taken back."""
        seat = self._own()
        await self.host.reseat(self.live, seat, manners.lent(self.live, seat, level))

    async def take(self) -> None:
        """Take the seat back from the computer."""
        await self.host.take_back(self.live, self._own())

    async def rest(self, days: float) -> None:
        """Go on vacation, or come back."""
        seat = self._own()
        await self.host.reseat(self.live, seat, *manners.on_vacation(self.live, seat, days, self.host.now()))

    async def motion(self, wish: m.Motion) -> m.SeatGiven | None:
        """Ask the table for a change of somebody's seat, or agree to it; returns the link of a new invitation."""
        was, seat = manners.after_motion(self.live, self._own(), wish, self.host.now())
        await self.host.reseat(self.live, was, seat)
        return seat_given(seat) if seat.invitation and seat.secret else None

    async def rematch(self, wish: m.Rematch) -> m.MatchCreated:
        """Play the same again, or join who wants to; returns the match with the links that are mine to have."""
        return await self.host.rematch(self.live, self._own(), swap=wish.swap)

    async def branch(self, wish: m.Branch, owner: str | None = None) -> m.MatchCreated:
        """Start a match of one's own from any move of this one."""
        self.refuse_in_lessons()
        row, host = self.live.row, self.host
        if not row.is_open:
            if self.seat is None:
                raise NotSeated("a running match is branched by those who play in it")
            if not self.live.game.public(self.match.state) and set(self.seat.roles) != set(self.match.roles):
                return await self._imagined(wish, self.seat, row.owner if owner is None else owner)
        await host.allow_another(row.owner if owner is None else owner)
        past = await host.matches.at(row.id, wish.at)
        while wish.at <= row.base and row.parent is not None and (parent := await host.storage.match(row.parent)):
            row = parent  # the moves are that match's own
        now, seed = host.now(), branched_seed(row.seed, past.state.rolled, new_seed())
        branched = MatchRow(
            id=new_id(), game=row.game, rules=row.rules, scenario=row.scenario, options=row.options, seed=seed,
            seed_hash=seed_hash(seed), created=now, updated=now, public=False, kind="branch", parent=row.id,
            base=wish.at, owner=row.owner if owner is None else owner, **standing(past),
        )  # fmt: skip
        seats = make_seats(branched.id, past.roles, row.game, wish.seats)
        return await host.add(msgspec.structs.replace(branched, thinks=Live(branched, seats, past, 0).thinks()), seats)

    async def _imagined(self, wish: m.Branch, seat: SeatRow, owner: str) -> m.MatchCreated:
        """Start a match from a position that agrees with what the seat may know; what is hidden is made up."""
        host, row = self.host, self.live.row
        if await host.why_no_rehearsal(self.live, seat):
            raise NotAllowed("a running match with hidden things is branched by who holds every seat, or when over")
        await host.allow_another(owner)
        past = await host.matches.at(row.id, wish.at)
        state = past.as_known(sight.eyes(past, seat.roles, None) or seat.roles[0]).state
        now, seed = host.now(), new_seed()
        options = {**row.options, POSITION: base64.b64encode(self.live.game.codec.pack(state)).decode()}
        imagined = MatchRow(
            id=new_id(), game=row.game, rules=row.rules, scenario=row.scenario, options=options, seed=seed,
            seed_hash=seed_hash(seed), created=now, updated=now, public=False, kind="imagined", number=0, asked=(),
            turn="", parent=row.id, owner=owner,
        )  # fmt: skip
        played = start(self.live.game, imagined)
        if not played.decisions():
            raise NotAllowed("the others decide at the same time: what they do cannot be imagined from here")
        imagined = msgspec.structs.replace(imagined, **standing(played))
        seats = make_seats(imagined.id, played.roles, row.game, wish.seats)
        return await host.add(
            msgspec.structs.replace(imagined, thinks=Live(imagined, seats, played, 0).thinks()), seats
        )


def _in_lesson(plan: bytes | Plan, run: Run, role: str, language: str) -> Plan:
    """Return the plan with every move judged by the lesson before it is made."""

    def judged(played: Match[Any]) -> Iterator[Action | None]:
        for action in (played.parse(plan),) if isinstance(plan, bytes) else plan(played):
            if action is not None:
                run.check(played, role, action, language)
            yield action

    return judged
