"""A host in this process, with a clock of its own, and clients on lines to it.

Every scene is played three times: on the storage in memory, on the server's database, and at the desk of a page, whose
messages are carried as a Worker gets them.
"""

from __future__ import annotations

import asyncio
import functools
import json
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

import msgspec
import pytest

from sandtable.host import Host, MemoryStorage, Storage, ThinksHere
from sandtable.host.errors import HostError, NotFound, NotSeated
from sandtable.host.messages import CreateMatch, Hello
from sandtable.page.cabinet import Cabinet
from sandtable.page.desk import Desk
from sandtable.server.storage import Store
from tests.page.keeper import Keeper, Tab

ONE_EACH = [{"roles": ["red"]}, {"roles": ["blue"]}, {"roles": ["green"]}]
PLAN = {"do": "plan", "posture": "march"}


class Ear(Protocol):
    """What a client needs of a line."""

    async def hear(self, words: str | bytes) -> None: ...

    def close(self) -> None: ...


class Client:
    """A client at the end of a line. It keeps everything that it hears."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.line: Ear | None = None
        self._asked = 0
        self.is_ended = False

    def end(self) -> None:
        """Hear that its seat link is no longer good."""
        self.is_ended = True

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


class AtDesk:
    """A line of a tab, at the desk of a host."""

    def __init__(self, host: Host, match: str, client: Client) -> None:
        self.closed: dict[str, Any] | None = None
        self.client = client
        self.desk = Desk(host, self._fetch, self._post)
        self.desk.hear(0, json.dumps({"type": "open", "line": 7, "match": match}))

    async def _fetch(self, game: str) -> None:
        pytest.fail(f"{game} is here already")

    def _post(self, number: int, words: str) -> None:
        if number:
            self.client.receive(words.encode())
        else:
            self.closed = json.loads(words)
            self.client.end()

    async def hear(self, words: str | bytes) -> None:
        self.desk.hear(7, words if isinstance(words, str) else words.decode("utf-8", "replace"))
        await self.desk.idle()

    def close(self) -> None:
        line = self.desk._lines[7].line
        assert line is not None
        line.close()

    async def greet(self, hello: Hello) -> AtDesk:
        await self.hear(msgspec.json.encode(hello))
        if self.closed is not None:
            status = int(self.closed["code"]) - 4000
            raise {401: NotSeated, 404: NotFound}.get(status, HostError)(self.closed["reason"])
        return self


class World:
    """A host, its storage and its time."""

    def __init__(self, storage: Storage) -> None:
        self.time = 1000.0
        self.storage = storage
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
        client, host, said = Client(), host or self.host, Hello(secret, **hello)
        if isinstance(self.storage, Cabinet):
            client.line = await AtDesk(host, match, client).greet(said)
        else:
            client.line = await host.connect(match, said, client.receive, client.end)
        return client

    async def table(self, seats: Any = ONE_EACH, **wish: Any) -> tuple[str, list[str], list[Client]]:
        """A match with everybody at their place."""
        match, secrets = await self.create(seats, **wish)
        return match, secrets, [await self.join(match, secret) for secret in secrets]


Scene = Callable[[World], Coroutine[Any, Any, None]]


@pytest.fixture(autouse=True)
def the_demo_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_GAMES", "three-crowns=tests.demo.game:GAME")


MEMORY = "/dev/shm"
"""Where a file needs no disk: whether a commit is on it is not a question of these tests."""


@functools.cache
def _empty_database() -> bytes:
    """A database with its tables. Making them takes longer than a scene."""

    async def make(path: Path) -> bytes:
        store = await Store.open(f"sqlite:///{path}")
        await store.close()
        return path.read_bytes()

    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(make(Path(folder) / "empty.db"))


@asynccontextmanager
async def in_memory() -> AsyncIterator[Storage]:
    yield MemoryStorage()


@asynccontextmanager
async def of_a_server() -> AsyncIterator[Storage]:
    folder = Path(tempfile.mkdtemp(dir=MEMORY if Path(MEMORY).is_dir() else None))
    (folder / "matches.db").write_bytes(_empty_database())
    store = await Store.open(f"sqlite:///{folder / 'matches.db'}")
    try:
        yield store
    finally:
        await store.close()
        shutil.rmtree(folder)


@asynccontextmanager
async def of_a_page() -> AsyncIterator[Storage]:
    yield Cabinet(Tab(Keeper()).keep)


TENANTS = (in_memory, of_a_server, of_a_page)


def play(scene: Scene, tenants: Sequence[Callable[[], Any]] = TENANTS) -> None:
    """Run a scene in a world of its own, for each of those who carry and keep for a host."""

    async def whole(tenant: Callable[[], Any]) -> None:
        async with tenant() as storage:
            world = World(storage)
            await scene(world)
            await world.host.close()

    _empty_database()
    for tenant in tenants:
        try:
            asyncio.run(whole(tenant))
        except BaseException as error:
            error.add_note(f"the storage is that {tenant.__name__.replace('_', ' ')}")
            raise
