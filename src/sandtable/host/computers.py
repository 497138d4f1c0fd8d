"""Computer players: what they are asked, and when.

Thinking takes time, so the host does not do it itself: it puts a `Question` to a `Thinker`, which answers it with
`think` in a process or Worker of its own. A player may plan a whole phase at its first decision, so it lives on between
decisions: a thinker should put all questions of one match to the same place. Where that place dies, the players are
made anew and plan again from what they see.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import traceback
from collections import OrderedDict
from collections.abc import Callable
from random import Random
from typing import Protocol

import msgspec

from sandtable.core import SandtableError, View
from sandtable.games import registered
from sandtable.players import Budget, Player, imagine, make, stretched
from sandtable.players.requests import Request
from sandtable.players.search import Outline
from sandtable.players.searcher import Searcher

from .asides import Aside, do
from .errors import Frozen, NotFound, Stale
from .matches import Live, Matches
from .records import SeatRow

LEASE_SECONDS = 30.0
MOST_PLAYERS = 200
log = logging.getLogger("sandtable.host")


class Question(msgspec.Struct, frozen=True, tag_field="type", tag="think"):
    """A decision of a role: all that the role may know, and nothing else."""

    match: str
    game: str
    rules: int
    role: str
    level: str
    seed: str
    number: int
    asked: tuple[str, ...]
    view: bytes
    seconds: float
    owner: str = ""
    """Whose match it is: thinking is shared out among owners."""
    cores: int = 1
    """How many processes a patient player may use."""
    requests: tuple[Request, ...] = ()
    """What allies ask of the role now."""


class Thought(msgspec.Struct, frozen=True):
    """What a player decided, as JSON; `fault` says what went wrong where chance had to decide in its place."""

    action: bytes
    fault: str = ""
    plans: tuple[Outline, ...] = ()
    """The best plans that a searching player found for this phase, the one it follows first."""
    requests: tuple[Request, ...] = ()
    """What the player asks of its allies now."""


class Thinker(Protocol):
    """Answers questions without holding up the host."""

    async def think(self, question: Question) -> Thought: ...

    async def aside(self, task: Aside, owner: str) -> bytes:
        """Do a piece of work, and return its result as JSON."""

    async def close(self) -> None: ...


class ThinksHere:
    """A thinker that answers on the spot: for tests, and for hosts that have nowhere else to think."""

    async def think(self, question: Question) -> Thought:
        await asyncio.sleep(0)
        return think(question)

    async def aside(self, task: Aside, owner: str) -> bytes:
        await asyncio.sleep(0)
        return do(task)

    async def close(self) -> None:
        """Nothing is left to end."""


_players: OrderedDict[tuple[str, str, str], Player] = OrderedDict()
"""Where thinking is done: the players of (match, role, level) at work here."""


def think(question: Question) -> Thought:
    """Decide for a role from its view alone.

    A player that fails or wants what is not allowed must not stop the match: it is dropped, chance takes this one
    decision, and the host logs what happened.
    """
    q = question
    game = registered(q.game, q.rules)
    seen = View(game.id, q.role, q.number, q.asked, game.codec.unpack(q.view))
    key = (q.match, q.role, q.level)
    player = _players.pop(key, None) or make(q.level, game, f"{q.seed}/{q.role}")
    _players[key] = player
    while len(_players) > MOST_PLAYERS:
        _players.popitem(last=False)
    offers = imagine(game, seen, Random(f"{q.seed}/{q.role}/{q.number}/view")).offers(q.role)
    searcher = player if isinstance(player, Searcher) else None
    if searcher is not None:
        searcher.heard = q.requests
    try:
        action = player.decide(seen, offers, stretched(Budget(q.seconds, cores=q.cores), player))
        refusal = offers.check(action)
        if refusal is None:
            if searcher is None:
                return Thought(msgspec.json.encode(action))
            return Thought(msgspec.json.encode(action), "", searcher.found.outlines, searcher.requests)
        fault = f"{action} is not allowed: {refusal}"
    except Exception:
        fault = traceback.format_exc()
    del _players[key]
    return Thought(msgspec.json.encode(offers.sample(Random(f"{q.seed}/{q.role}/{q.number}/chance"))), fault)


def thinking_seed(seed: str) -> str:
    """Return what a match's players draw their chances from. It is as secret as the match's seed and tells no die."""
    return hmac.new(seed.encode(), b"computer players", hashlib.sha256).hexdigest()


class Computers:
    """Sees to it that the computer answers wherever it is asked, in any match that no other host thinks about."""

    def __init__(self, matches: Matches, thinker: Thinker, now: Callable[[], float], seconds: float) -> None:
        self.matches, self.thinker, self.seconds = matches, thinker, seconds
        self._now = now
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._is_closing = False

    def look(self, match: str) -> None:
        """Let the computer answer in this match, if it is asked."""
        live = self.matches.peek(match)
        if self._is_closing or (live is not None and not live.row.thinks):
            return
        if match in self._busy:
            self._again.add(match)
            return
        task = asyncio.get_running_loop().create_task(self._serve(match))
        self._busy[match] = task
        task.add_done_callback(lambda done: self._done(match, done))

    def _done(self, match: str, task: asyncio.Task[None]) -> None:
        self._busy.pop(match, None)
        if not task.cancelled() and task.exception() is not None:
            log.error("the computer player failed in a match", exc_info=task.exception())
        if match in self._again:
            self._again.discard(match)
            self.look(match)

    async def look_everywhere(self) -> None:
        """Let the computer answer in all matches that wait for it and have nobody thinking."""
        for match in await self.matches.storage.with_computers(self._now()):
            self.look(match)
            await asyncio.sleep(0)

    async def idle(self) -> None:
        """Wait until no computer player has anything to answer."""
        while self._busy:
            await asyncio.gather(*self._busy.values(), return_exceptions=True)

    async def _serve(self, match: str) -> None:
        while not self._is_closing:
            try:
                live = await self.matches.live(match)
            except NotFound:
                return
            found = _asked(live)
            if found is None or not await self._leased(match):
                return
            role, seat = found
            scripted = None if live.run is None else live.run.reply(live.match, role)
            answers, action = live.match.number, scripted or await self._thought(live, role, seat)
            meanwhile = self.matches.peek(match)
            if meanwhile is not None and (now := meanwhile.seat_of(role)) and not now.is_played_by_computer:
                continue  # its player has taken the seat back
            try:
                await self.matches.act(match, role, action, answers=answers)
            except Stale:
                continue
            except Frozen:
                return
            except SandtableError:
                log.exception("a computer player of level %s made an action that is not allowed", seat.level)
                return

    async def _thought(self, live: Live, role: str, seat: SeatRow) -> bytes:
        """Return the action that the thinker decides on, as JSON, and keep what its allies shall hear."""
        question = self._question(live, role, seat)
        thought = await self.thinker.think(question)
        live.requests[role] = thought.requests
        if thought.fault:
            log.error("a %s of %s failed at a decision: %s", question.level, question.game, thought.fault)
        return thought.action

    async def _leased(self, match: str) -> bool:
        return await self.matches.storage.lease(match, self._now(), LEASE_SECONDS + self.seconds)

    def _question(self, live: Live, role: str, seat: SeatRow) -> Question:
        view = live.match.view(role)
        packed = live.game.codec.pack(view.state)
        level, row = seat.level or "recruit", live.row
        return Question(
            row.id,
            row.game,
            row.rules,
            role,
            level,
            thinking_seed(row.seed),
            view.number,
            tuple(view.asked),
            packed,
            self.seconds,
            row.owner,
            requests=live.asked_of(role),
        )

    async def close(self) -> None:
        self._is_closing = True
        for task in list(self._busy.values()):
            task.cancel()
        await asyncio.gather(*self._busy.values(), return_exceptions=True)
        await self.thinker.close()


def _asked(live: Live) -> tuple[str, SeatRow] | None:
    """Return a role that is asked and whose seat the computer plays."""
    if live.match.over or live.row.frozen is not None or live.row.kind == "import":
        return None
    for role in live.match.decisions():
        seat = live.seat_of(role)
        if seat is not None and seat.is_played_by_computer:
            return role, seat
    return None
