"""Computer players think in processes of their own, within a time budget, and never block a request."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import secrets
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import msgspec

from sandtable.core import Refusal, SandtableError, View
from sandtable.games import find
from sandtable.players import Budget, imagine, make

from .hub import Frozen, Hub, NoMatch, Stale
from .storage import SeatRow

LEASE_SECONDS = 30.0
log = logging.getLogger("sandtable.server")


def think(
    game_id: str, role: str, level: str, seed: str, number: int, asked: list[str], view: bytes, s: float
) -> bytes:
    """In a worker process: decide for a role from its view alone. Returns the action as JSON."""
    from random import Random

    game = find(game_id)
    seen = View(game.id, role, number, tuple(asked), game.codec.unpack(view))
    player = make(level, game, f"{seed}/{role}/{number}")
    dream = imagine(game, seen, Random(f"{seed}/{role}/{number}/view"))
    return msgspec.json.encode(player.decide(seen, dream.offers(role), Budget(s)))


class Thinkers:
    """Sees to it that the computer answers wherever it is asked, in any match that nobody else is thinking about."""

    def __init__(self, hub: Hub, *, processes: int, seconds: float) -> None:
        self.hub = hub
        self.processes = processes
        self.seconds = seconds
        self.holder = secrets.token_hex(8)
        self._pool: ProcessPoolExecutor | None = None
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
            level = seat.level or "recruit"
            seed = live.row.seed_hash
            answer = await self._think(played.game.id, role, level, seed, number, list(view.asked), packed)
            try:
                await self.hub.act(match, role, answer, answers=number)
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

    async def _think(
        self, game: str, role: str, level: str, seed: str, number: int, asked: list[str], view: bytes
    ) -> bytes:
        """Ask a worker process; where it dies, another one."""
        for attempt in range(3):
            if self._pool is None:
                context = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(self.processes, mp_context=context)
            pool = self._pool
            try:
                return await asyncio.get_running_loop().run_in_executor(
                    pool, think, game, role, level, seed, number, asked, view, self.seconds
                )
            except BrokenProcessPool:
                log.warning("a thinking process died; starting another (attempt %d)", attempt + 1)
                if self._pool is pool:
                    self._pool = None
                    pool.shutdown(wait=False, cancel_futures=True)
                await asyncio.sleep(0.05 * (attempt + 1))
        raise SandtableError("the thinking processes keep dying")

    async def close(self) -> None:
        self._closing = True
        for task in list(self._busy.values()):
            task.cancel()
        await asyncio.gather(*self._busy.values(), return_exceptions=True)
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


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
