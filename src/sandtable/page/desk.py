"""The desk of a page: the host in a Worker, with the tab's messages carried to it and back."""

from __future__ import annotations

import asyncio
import importlib
import logging
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from sandtable.core import SandtableError, memory
from sandtable.core import replay as files
from sandtable.games import home_of, registered
from sandtable.host import Host, Line, MemoryStorage, Question, Thought, lessons, think
from sandtable.host import messages as m
from sandtable.host.asides import Aside, do
from sandtable.host.errors import HostError, NotFound, explain
from sandtable.host.host import TICK_SECONDS

from .cabinet import Cabinet, Keep

log = logging.getLogger("sandtable.page")
Post = Callable[[int, str], None]
"""Sends a message to the tab: 0 or the number of a line, and the text."""
Fetch = Callable[[str], Awaitable[None]]
"""Brings the files of 'GAME', or those of older rules 'GAME@VERSION' if there are any, into reach of Python."""
Ask = Callable[[str], Awaitable[str]]
"""Puts a question to the Worker that thinks, and returns the thought."""


# ---- from the tab
class _Wish(msgspec.Struct, tag_field="type", forbid_unknown_fields=True, kw_only=True):
    id: str = ""


class Matches(_Wish, tag="matches"):
    seats: list[str] = []
    lang: str = "en"


class Create(_Wish, tag="create"):
    wish: m.CreateMatch


class Lessons(_Wish, tag="lessons"):
    game: str
    lang: str = "en"


class Lesson(_Wish, tag="lesson"):
    wish: m.BeginLesson


class Import(_Wish, tag="import"):
    file: str


class AskFile(_Wish, tag="file"):
    match: str
    seat: str | None = None
    story: int | None = None


class Save(_Wish, tag="save"):
    pass


class Restore(_Wish, tag="restore"):
    file: str


class Remove(_Wish, tag="remove"):
    match: str


class Open(_Wish, tag="open"):
    line: int
    match: str


class Close(_Wish, tag="close"):
    line: int


Wish = Matches | Create | Lessons | Lesson | Import | AskFile | Save | Restore | Remove | Open | Close


# ---- to the tab
class Value(msgspec.Struct, tag_field="type", tag="value"):
    id: str
    value: Any


class Closed(msgspec.Struct, tag_field="type", tag="closed"):
    line: int
    code: int
    reason: str


class Worker:
    """A `Thinker`: the Worker that thinks."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def think(self, question: Question) -> Thought:
        return msgspec.json.decode(await self._ask(msgspec.json.encode(question).decode()), type=Thought)

    async def aside(self, task: Aside, owner: str) -> bytes:
        return (await self._ask(msgspec.json.encode(task).decode())).encode()

    async def close(self) -> None:
        """The Worker ends with the tab."""


class _Opened:
    """A line of the tab; it has no host's line before its hello."""

    def __init__(self, match: str) -> None:
        self.match = match
        self.line: Line | None = None
        self.turn = asyncio.Lock()
        """One message is answered before the next is heard."""


class Desk:
    """Answers what a tab asks: the matches of this browser, and the lines to them."""

    def __init__(self, host: Host, fetch: Fetch, post: Post) -> None:
        self.host, self.storage, self._fetch, self._post = host, host.storage, fetch, post
        self._lines: dict[int, _Opened] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    # ---- carrying
    def hear(self, number: int, words: str) -> None:
        """Take a message of the tab. It is answered later."""
        self._later(self._to_line(number, words) if number else self._to_desk(words))

    def hear_elsewhere(self, match: str, chat: bool) -> None:
        """Another tab has changed a match."""
        self._later(self._elsewhere(match, chat))

    def _later(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a message could not be answered", exc_info=task.exception())

    async def idle(self) -> None:
        """Wait until everything heard so far is answered."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def run(self) -> None:
        """Watch the clocks and wake the computer players of the matches that are open here, for ever."""
        while True:
            try:
                await self.host.tick()
                for match in {opened.match for opened in self._lines.values() if opened.line is not None}:
                    self.host.computers.look(match)
            except Exception:  # the storage may be away for a moment
                log.exception("the clocks could not be watched; it is tried again")
            await asyncio.sleep(TICK_SECONDS)

    async def _elsewhere(self, match: str, chat: bool) -> None:
        if self.host.matches.peek(match) is not None:
            await self.host.heard_elsewhere(match, chat=chat)
            self.host.computers.look(match)

    # ---- lines
    async def _to_line(self, number: int, words: str) -> None:
        opened = self._lines.get(number)
        if opened is None:
            return  # it was closed meanwhile
        async with opened.turn:
            if opened.line is not None:
                await opened.line.hear(words)
            elif number in self._lines:
                await self._greet(number, opened, words)

    async def _greet(self, number: int, opened: _Opened, words: str) -> None:
        try:
            hello = msgspec.json.decode(words, type=m.Hello)
            await self._load_of(opened.match)
            line = await self.host.connect(
                opened.match,
                hello,
                lambda sent: self._post(number, sent.decode()),
                lambda: self._close(number, 4401, "this seat link is no longer good"),
            )
        except msgspec.DecodeError:
            self._close(number, 4400, "say who you are first")
        except SandtableError as error:
            self._close(number, 4000 + explain(error, None, "en")[0], str(error))
        else:
            opened.line = line
            if number not in self._lines:  # the tab has left while it was greeted
                line.close()

    def _close(self, number: int, code: int, reason: str) -> None:
        self._lines.pop(number, None)
        self._post(0, msgspec.json.encode(Closed(number, code, reason)).decode())

    async def _leave(self, number: int) -> None:
        opened = self._lines.pop(number, None)
        if opened is None:
            return
        if opened.line is not None:
            opened.line.close()
        if isinstance(self.storage, Cabinet) and all(other.match != opened.match for other in self._lines.values()):
            await self.storage.give_up(opened.match)

    # ---- the desk itself
    async def _to_desk(self, words: str) -> None:
        wish = msgspec.json.decode(words, type=Wish)
        match wish:
            case Open():
                self._lines[wish.line] = _Opened(wish.match)
            case Close():
                await self._leave(wish.line)
            case _:
                answer: Value | m.ErrorMessage
                try:
                    answer = Value(wish.id, await self._value(wish))
                except SandtableError as error:
                    status, body = explain(error, None, "en")
                    answer = m.ErrorMessage(wish.id, status, body, None)
                except Exception as error:  # the tab is told, and the next message is not to blame for it
                    log.exception("a wish could not be met")
                    body = m.ErrorBody("page", f"something went wrong; nothing has changed ({error})")
                    answer = m.ErrorMessage(wish.id, 500, body, None)
                self._post(0, msgspec.json.encode(answer).decode())

    async def _value(self, wish: Wish) -> Any:
        match wish:
            case Matches():
                for row in await self.storage.list_matches(
                    [seat.match for seat in await self.storage.find_seats(None)]
                ):
                    await load(row.game, row.rules, self._fetch)
                return await self.host.list_matches(wish.seats, wish.lang)
            case Create():
                await load(wish.wish.game, None, self._fetch)
                return await self.host.create(wish.wish)
            case Lessons():
                await load(wish.game, None, self._fetch)
                return lessons.list_lessons(registered(wish.game), wish.lang)
            case Lesson():
                await load(wish.wish.game, None, self._fetch)
                return await self.host.begin_lesson(wish.wish)
            case Import():
                head, _ = files.read(wish.file.encode())
                await load(head.game, head.rules, self._fetch)
                return await self.host.import_file(m.ImportFile(wish.file))
            case AskFile():
                await self._load_of(wish.match)
                return (await (await self.host.visit(wish.match, wish.seat, "en")).file(wish.story)).decode()
            case Save() | Restore() | Remove():
                if not isinstance(self.storage, Cabinet):
                    raise HostError("this browser keeps nothing, so there is nothing to save or to remove")
                return await _kept(self.storage, wish)

    async def _load_of(self, match: str) -> None:
        """Bring the game of a match into reach."""
        row = await self.storage.match(match)
        if row is None:
            raise NotFound("there is no such match in this browser")
        await load(row.game, row.rules, self._fetch)


async def _kept(storage: Cabinet, wish: Save | Restore | Remove) -> Any:
    match wish:
        case Save():
            return await storage.save()
        case Restore():
            return await storage.restore(wish.file)
        case Remove():
            return await storage.delete(wish.match)


async def load(game: str, rules: int | None, fetch: Fetch) -> None:
    """Fetch a game's files and import it, so that the host finds it under these rules."""
    if home_of(game).partition(":")[0] not in sys.modules:
        await fetch(game)
        importlib.invalidate_caches()
        registered(game)
        memory.settle()
    if rules is not None and rules != registered(game).rules_version:
        await fetch(f"{game}@{rules}")


# ---- what JavaScript calls
_running: list[asyncio.Task[None]] = []
"""What goes on as long as the Worker. A task that nobody holds may be collected."""


def open_desk(keep: Keep | None, ask: Ask, fetch: Fetch, post: Post) -> Desk:
    """Return the desk of this tab. `keep` is None where the browser keeps nothing."""
    storage = MemoryStorage() if keep is None else Cabinet(keep)
    # the browser's other tabs write to the same cabinet
    desk = Desk(Host(storage, Worker(ask), alone=keep is None, keep_secrets=True), fetch, post)
    _running.append(asyncio.get_running_loop().create_task(desk.run()))
    return desk


async def answer(question: str, fetch: Fetch) -> str:
    """Decide for a computer player, or do a piece of other work: the question and its answer as JSON."""
    asked = msgspec.json.decode(question, type=Question | Aside)
    await load(asked.game, asked.rules, fetch)
    return (msgspec.json.encode(think(asked)) if isinstance(asked, Question) else do(asked)).decode()
