"""A computer player at a seat of a running server, over HTTP. It needs nothing but the library."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from sandtable.core import SandtableError, View
from sandtable.core.game import Maker
from sandtable.games import registered
from sandtable.players import Budget, Mistake, ask, imagine

PAUSE = 0.25
"""Seconds between two looks at a match in which others are asked."""
PATIENCE = 60.0
"""Seconds for which a server may be away."""


class ServerSays(SandtableError):
    """The server did not do what was asked; the message is its own sentence."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Seat:
    """One seat of a match on a server, by its link."""

    def __init__(self, link: str) -> None:
        parts = urllib.parse.urlsplit(link)
        before, _, match = parts.path.rpartition("/m/")
        secret = parts.fragment.removeprefix("seat=")
        if parts.scheme not in ("http", "https") or not match or not secret:
            raise SandtableError(f"'{link}' is no link of a seat: https://SERVER/m/MATCH#seat=SECRET")
        self.match = match.strip("/")
        self._server, self._secret = f"{parts.scheme}://{parts.netloc}{before}", secret

    def call(self, path: str, body: Any = None) -> Any:
        """Return the server's answer. While it is away for a moment, try again."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return request(f"{self._server}/api/matches/{self.match}{path}", body, self._secret)
            except urllib.error.URLError as error:
                if time.monotonic() > until:
                    raise SandtableError(f"{self._server} does not answer: {error.reason}") from None
            except (TimeoutError, ConnectionError) as error:
                if time.monotonic() > until:
                    raise SandtableError(f"{self._server} does not answer: {error}") from None
            except ServerSays as error:
                if error.status not in (429, 502, 503, 504) or time.monotonic() > until:
                    raise
            time.sleep(1.0)


def request(address: str, body: Any = None, secret: str = "") -> Any:
    """Return what a call of the API answers."""
    data = None if body is None else msgspec.json.encode(body)
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {secret}"} if secret else {})}
    try:
        with urllib.request.urlopen(urllib.request.Request(address, data, headers), timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        try:
            message = str(json.loads(error.read())["error"]["message"])
        except (ValueError, LookupError, TypeError):
            message = f"the server answers {error.code} {error.reason}"
        raise ServerSays(error.code, message) from None


def play(
    seat: Seat, maker: Maker, *, seconds: float = 5.0, told: Callable[[str], object] = lambda line: None
) -> dict[str, Any]:
    """Let a player play a seat until the match is over; returns what the server says about the match then.

    `told` hears of every move.
    """
    info: dict[str, Any] = seat.call("")
    game = registered(info["game"], info["rules_version"])
    players = {role: maker(game, f"{seat.match}/{role}") for role in info["you"]}
    while not info["over"] and info["frozen"] is None:
        roles = [role for role in info["asked"] if role in players]
        moved = [role for role in roles if _decide(seat, game, role, players[role], seconds, told)]
        if not moved:
            time.sleep(PAUSE)
        info = seat.call("")
    return info


def _decide(seat: Seat, game: Any, role: str, player: Any, seconds: float, told: Callable[[str], object]) -> bool:
    """Make one decision of a role; returns whether there was one to make."""
    seen = seat.call(f"/view?role={urllib.parse.quote(role)}")
    state = game.codec.from_json(msgspec.json.encode(seen["state"]))
    view = View(game.id, role, seen["number"], tuple(seen["asked"]), state)
    match = imagine(game, view, Random(f"{seat.match}/{role}/{view.number}"))
    offers = match.offers(role)
    if not offers:
        return False
    action = ask(match, player, view, offers, Budget(seconds))
    move = {"role": role, "action": action, "answers": view.number, "id": uuid.uuid4().hex}
    try:
        seat.call("/act", move)
    except ServerSays as error:
        if error.status == 409:  # somebody was faster
            return True
        raise Mistake(f"{type(player).__name__} answered {action!r} as {role}, and the server says: {error}") from None
    told(f"{view.number + 1}: {role} {msgspec.json.encode(action).decode()}")
    return True
