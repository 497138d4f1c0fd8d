"""A host in this process, with its storage in memory, a clock of its own, and clients on lines to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
import pytest

from sandtable.host import Host, Line, MemoryStorage, ThinksHere
from sandtable.host.messages import CreateMatch, Hello

ONE_EACH = [{"roles": ["red"]}, {"roles": ["blue"]}, {"roles": ["green"]}]
PLAN = {"do": "plan", "posture": "march"}


class Client:
    """A client at the end of a line. It keeps everything that it hears."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.line: Line | None = None
        self._asked = 0

    def receive(self, message: bytes) -> None:
        self.heard.append(msgspec.json.decode(message))

    @property
    def states(self) -> list[dict[str, Any]]:
        return [message for message in self.heard if message["type"] == "state"]

    @property
    def state(self) -> dict[str, Any]:
        return self.states[-1]

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a request and return its one answer."""
        assert self.line is not None
        self._asked += 1
        message = {"type": kind, "id": f"q{self._asked}", **fields}
        before = len(self.heard)
        await self.line.hear(msgspec.json.encode(message))
        answers = [one for one in self.heard[before:] if one.get("id") == message["id"]]
        assert len(answers) == 1, answers
        return answers[0]

    async def act(self, role: str, action: dict[str, Any], answers: int | None = None, **more: Any) -> dict[str, Any]:
        number = self.state["info"]["number"] if answers is None else answers
        return await self.ask("act", role=role, action=action, answers=number, **more)


class World:
    """A host, its storage and its time."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.storage = MemoryStorage()
        self.host = self.another_host()

    def another_host(self, **settings: Any) -> Host:
        """A host on the same storage, as after a crash or on another machine."""
        return Host(self.storage, ThinksHere(), now=lambda: self.time, **settings)

    async def create(self, seats: Any = (), **wish: Any) -> tuple[str, list[str]]:
        """Start a match; returns its name and the secrets of its persons' seats."""
        body = {"game": "three-crowns", "scenario": "war", "seats": list(seats), **wish}
        made = await self.host.create(msgspec.convert(body, CreateMatch))
        return made.match, [seat.secret for seat in made.seats]

    async def join(self, match: str, secret: str | None, host: Host | None = None, **hello: Any) -> Client:
        client = Client()
        client.line = await (host or self.host).connect(match, Hello(secret, **hello), client.receive)
        return client

    async def table(self, seats: Any = ONE_EACH, **wish: Any) -> tuple[str, list[str], list[Client]]:
        """A match with everybody at their place."""
        match, secrets = await self.create(seats, **wish)
        return match, secrets, [await self.join(match, secret) for secret in secrets]


Scene = Callable[[World], Coroutine[Any, Any, None]]


@pytest.fixture(autouse=True)
def the_demo_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_GAMES", "three-crowns=tests.demo.game:GAME")


def play(scene: Scene) -> None:
    """Run a scene in a world of its own."""

    async def whole() -> None:
        world = World()
        await scene(world)
        await world.host.close()

    asyncio.run(whole())
