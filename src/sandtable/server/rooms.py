"""Rooms: the open WebSockets of each match, and what each of them is told."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec

from .hub import Hub, Live
from .log import lines_of
from .storage import MoveRow
from .wire import Wire

MOST_WAITING = 256
"""Messages that may wait for a slow reader before it is cut off; it then comes back and catches up."""


Words = dict[tuple[tuple[str, ...], str, bool], bytes]
"""What guests of the same roles, language and wishes are told."""


class Guest:
    """One open WebSocket."""

    __slots__ = ("full", "language", "place", "queue", "roles", "waiting", "wire")

    def __init__(
        self,
        roles: Sequence[str],
        place: int | None,
        language: str,
        *,
        full: bool = False,
        wire: Wire | None = None,
    ) -> None:
        self.full = full
        """Every move comes with the table."""
        self.roles = tuple(roles)
        self.place = place
        self.language = language
        self.wire = wire
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(MOST_WAITING)
        """What he could not be told at once."""
        self.waiting = False
        """There is something in the queue, or just out of it and not yet sent: nothing may overtake it."""

    def send(self, message: bytes | None) -> None:
        if message is not None and self.wire is not None and not self.waiting and self.wire.tell(message):
            return
        self.waiting = True
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            while not self.queue.empty():
                self.queue.get_nowait()
            self.queue.put_nowait(None)


class Rooms:
    """Who listens to which match."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self._guests: dict[str, list[Guest]] = {}
        self._ready: dict[str, tuple[MoveRow | None, Words]] = {}
        """The words about the move that is being written, by match."""
        hub.listeners.append(self._heard)
        hub.preparers.append(self._prepare)

    def enter(self, match: str, guest: Guest) -> None:
        self._guests.setdefault(match, []).append(guest)
        self.tell_all(match, {"type": "seat", "place": guest.place, "connected": True})

    def leave(self, match: str, guest: Guest) -> None:
        guests = self._guests.get(match, [])
        if guest in guests:
            guests.remove(guest)
        if not guests:
            self._guests.pop(match, None)
        elif guest.place is not None and not self.is_connected(match, guest.place):
            self.tell_all(match, {"type": "seat", "place": guest.place, "connected": False})

    def is_connected(self, match: str, place: int) -> bool:
        return any(guest.place == place for guest in self._guests.get(match, ()))

    def has(self, match: str) -> bool:
        return match in self._guests

    def tell_all(self, match: str, message: dict[str, Any]) -> None:
        guests = self._guests.get(match)
        if guests:
            data = msgspec.json.encode(message)
            for guest in guests:
                guest.send(data)

    def _heard(self, match: str, what: str, details: Any) -> None:
        guests = self._guests.get(match)
        if not guests:
            return
        if what == "move":
            self._tell_move(match, guests, details)
        elif what == "chat":
            self.tell_all(match, {"type": "chat", **details})
        elif what == "seat":
            self.tell_all(match, {"type": "seat", "place": details})

    def _tell_move(self, match: str, guests: list[Guest], move: MoveRow) -> None:
        live = self.hub.peek(match)
        if live is None:
            return
        about, made = self._ready.pop(match, (None, {}))
        if about is not move:  # that one came to nothing, or another process made this one
            made = {}
        movers = []
        for guest in guests:
            if move.role in guest.roles:
                movers.append(guest)
            else:
                guest.send(self._words(live, move, guest, made))
        if movers:  # who moved knows already: the others' messages go out first
            asyncio.get_running_loop().call_soon(self._tell_movers, live, move, movers, made)

    def _tell_movers(self, live: Live, move: MoveRow, movers: list[Guest], made: Words) -> None:
        for guest in movers:
            guest.send(self._words(live, move, guest, made))

    def _prepare(self, live: Live, move: MoveRow) -> None:
        """Put what the others will be told into words while the move is being written."""
        made: Words = {}
        for guest in self._guests.get(live.row.id, ()):
            if move.role not in guest.roles:
                self._words(live, move, guest, made)
        self._ready[live.row.id] = (move, made)

    def _words(self, live: Live, move: MoveRow, guest: Guest, made: Words) -> bytes:
        """The message about a move for one guest; guests who see the same share it."""
        key = (guest.roles, guest.language, guest.full)
        found = made.get(key)
        if found is None:
            game, played = live.match.game, live.match
            is_last = played.number == move.number
            asked = played.waiting_for() if is_last else live.row.asked
            message: dict[str, Any] = {
                "type": "move",
                "number": move.number,
                "asked": asked,
                "over": played.over if is_last else live.row.outcome is not None,
                "taken_back": move.takes_back,
                "events": list(lines_of(game, move, guest.roles, game.texts(guest.language))),
            }
            if guest.full and is_last:
                message["table"] = played.table(self._eyes(guest, asked), guest.language)
            found = made[key] = msgspec.json.encode(message)
        return found

    @staticmethod
    def _eyes(guest: Guest, asked: Sequence[str]) -> str | None:
        if not guest.roles:
            return None
        return next((mine for mine in guest.roles if mine in asked), guest.roles[0])

    def close(self) -> None:
        for guests in self._guests.values():
            for guest in guests:
                guest.send(None)
