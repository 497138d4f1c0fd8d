"""Computer players think in processes of their own, within a time budget, and never block a request.

A player may plan a whole phase at its first decision, so it lives on between decisions: every match has its own
process among the thinking ones, and that process keeps the match's players. When it dies, another one makes them
anew, and they plan again from what they see.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import secrets
import time
import traceback
import zlib
from collections import OrderedDict
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from random import Random

import msgspec

from sandtable.core import Refusal, SandtableError, View
from sandtable.games import find
from sandtable.players import Budget, Player, imagine, make

from .hub import Frozen, Hub, NoMatch, Stale
from .storage import SeatRow

LEASE_SECONDS = 30.0
MOST_PLAYERS = 200
log = logging.getLogger("sandtable.server")


class Question(msgspec.Struct, frozen=True):
    """What a thinking process is asked: all that the role may know, and nothing else."""

    match: str
    game: str
    role: str
    level: str
    seed: str
    number: int
    asked: tuple[str, ...]
    view: bytes
    seconds: float


_players: OrderedDict[tuple[str, str, str], Player] = OrderedDict()
"""In a thinking process: the players of (match, role, level) at work here."""


class Answer(msgspec.Struct, frozen=True):
    """What a player decided, as JSON; `fault` says what went wrong where chance had to decide in its place."""

    action: bytes
    fault: str = ""


def think(question: Question) -> Answer:
    """In a thinking process: decide for a role from its view alone.

    A player that fails or wants what is not allowed must not stop the match: it is sent away, chance takes this one
    decision, and the server writes down what happened.
    """
    q = question
    game = find(q.game)
    seen = View(game.id, q.role, q.number, q.asked, game.codec.unpack(q.view))
    key = (q.match, q.role, q.level)
    player = _players.pop(key, None) or make(q.level, game, f"{q.seed}/{q.role}")
    _players[key] = player
    while len(_players) > MOST_PLAYERS:
        _players.popitem(last=False)
    dream = imagine(game, seen, Random(f"{q.seed}/{q.role}/{q.number}/view"))
    offers = dream.offers(q.role)
    try:
        action = player.decide(seen, offers, Budget(q.seconds))
        refusal = offers.check(action)
        if refusal is None:
            return Answer(msgspec.json.encode(action))
        fault = f"{action} is not allowed: {refusal}"
    except Exception:
        fault = traceback.format_exc()
    del _players[key]
    return Answer(msgspec.json.encode(offers.sample(Random(f"{q.seed}/{q.role}/{q.number}/chance"))), fault)


class Thinkers:
    """Sees to it that the computer answers wherever it is asked, in any match that nobody else is thinking about."""

    def __init__(self, hub: Hub, *, processes: int, seconds: float) -> None:
        self.hub = hub
        self.processes = processes
        self.seconds = seconds
        self.holder = secrets.token_hex(8)
        self._pools: dict[int, ProcessPoolExecutor] = {}
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._closing = False
        hub.listeners.append(self._heard)

    def _heard(self, match: str, what: str, details: object) -> None:
        if what in ("move", "seat"):
            self.look(match)

    def look(self, match: str) -> None:
        """Let the computer answer in this match, if it is asked."""
        if self._closing:
            return
        live = self.hub.peek(match)
        if live is not None and not any(seat.kind == "computer" or seat.handed_over for seat in live.seats):
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
        """After a start, and now and then: matches that wait for the computer and have nobody thinking."""
        for match in await self.hub.store.with_computers():
            self.look(match)
            await asyncio.sleep(0)

    async def _serve(self, match: str) -> None:
        try:
            live = await self.hub.live(match)
        except NoMatch:
            return
        while not live.match.over and live.row.frozen is None and not self._closing:
            role, seat = self._whose(live.match.decisions(), live.seats)
            if role is None or seat is None:
                return
            if not await self.hub.store.lease(match, self.holder, LEASE_SECONDS + self.seconds):
                return
            played = live.match
            number, view = played.number, played.view(role)
            packed = played.game.codec.pack(view.state)
            level, game = seat.level or "recruit", played.game.id
            seed = live.row.seed_hash
            answer = await self._think(
                Question(match, game, role, level, seed, number, tuple(view.asked), packed, self.seconds)
            )
            if answer.fault:
                log.error("the computer player %s of %s failed at a decision: %s", level, game, answer.fault)
            try:
                await self.hub.act(match, role, answer.action, answers=number)
            except Stale:
                pass
            except Frozen:
                return
            except (Refusal, SandtableError):
                log.exception("a computer player of level %s made an action that is not allowed", level)
                return
            live = await self.hub.live(match)

    def _whose(self, asked: tuple[str, ...], seats: list[SeatRow]) -> tuple[str | None, SeatRow | None]:
        for role in asked:
            for seat in seats:
                if role in seat.roles and (seat.kind == "computer" or seat.handed_over):
                    return role, seat
        return None, None

    async def _think(self, question: Question) -> Answer:
        """Ask the match's own process; where it dies, another one in its place."""
        place = zlib.crc32(question.match.encode()) % self.processes
        for attempt in range(3):
            pool = self._pools.get(place)
            if pool is None:
                pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
                self._pools[place] = pool
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, think, question)
            except BrokenProcessPool:
                log.warning("a thinking process died; starting another (attempt %d)", attempt + 1)
                if self._pools.get(place) is pool:
                    del self._pools[place]
                    pool.shutdown(wait=False, cancel_futures=True)
                await asyncio.sleep(0.05 * (attempt + 1))
        raise SandtableError("the thinking processes keep dying")

    async def close(self) -> None:
        self._closing = True
        for task in list(self._busy.values()):
            task.cancel()
        await asyncio.gather(*self._busy.values(), return_exceptions=True)
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
        self._pools.clear()


async def watch_clocks(hub: Hub, thinkers: Thinkers, every: float = 1.0) -> None:
    """Hand the seats of those who missed a deadline to the computer, and pick up matches left lying."""
    rounds = 0
    while True:
        await asyncio.sleep(every)
        rounds += 1
        for match, role in await hub.store.overdue(time.time()):
            live = await hub.live(match)
            seat = live.seat_of(role)
            if seat is not None and seat.kind == "person" and not seat.handed_over:
                await hub.store.hand_over(match, seat.place, True)
                live.seats = await hub.store.seats(match)
                hub.tell(match, "seat", seat.place)
        if rounds % 30 == 0:
            await thinkers.look_everywhere()
