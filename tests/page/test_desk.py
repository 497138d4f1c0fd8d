"""The desk of a page, without a browser: what a tab asks of it, and two tabs on one storage."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.core import Match
from sandtable.core import replay as files
from sandtable.host import Host, MemoryStorage, ThinksHere, stories
from sandtable.host.messages import ImportFile
from sandtable.page.cabinet import Cabinet
from sandtable.page.desk import Desk
from sandtable.testing import random_play
from tests.demo.game import GAME as DEMO

from .keeper import Keeper, Tab

ALL = {"roles": ["red", "blue", "green"], "kind": "person"}
MACHINE = {"roles": ["blue", "green"], "kind": "computer", "level": "recruit"}
PLAN = {"do": "plan", "posture": "march"}


@pytest.fixture(autouse=True)
def the_demo_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_GAMES", "three-crowns=tests.demo.game:GAME")


class Page:
    """A tab with a desk of its own."""

    def __init__(self, keeper: Keeper | None) -> None:
        self.tab = Tab(keeper) if keeper is not None else None
        storage = MemoryStorage() if self.tab is None else Cabinet(self.tab.keep)
        self.desk = Desk(Host(storage, ThinksHere(), alone=False, keep_secrets=True), self._fetch, self._post)
        self.heard: dict[int, list[dict[str, Any]]] = {}
        self.fetched: list[str] = []
        self._asked = 0

    async def _fetch(self, game: str) -> None:
        self.fetched.append(game)

    def _post(self, number: int, words: str) -> None:
        self.heard.setdefault(number, []).append(json.loads(words))

    async def settle(self) -> None:
        """Wait until everything is answered, what other tabs tell included."""
        for _ in range(3):
            await self.desk.idle()
            if self.tab is not None:
                for told in self.tab.told:
                    self.desk.hear_elsewhere(told["match"], told["chat"])
                self.tab.told.clear()
            await self.desk.idle()
            await self.desk.host.computers.idle()

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        self._asked += 1
        self.desk.hear(0, json.dumps({"type": kind, "id": str(self._asked), **fields}))
        await self.settle()
        (answer,) = [word for word in self.heard[0] if word.get("id") == str(self._asked)]
        return answer

    async def value(self, kind: str, **fields: Any) -> Any:
        answer = await self.ask(kind, **fields)
        assert answer["type"] == "value", answer
        return answer["value"]

    async def create(self, *seats: dict[str, Any]) -> tuple[str, str]:
        made = await self.value("create", wish={"game": DEMO.id, "scenario": "war", "seats": list(seats)})
        return made["match"], made["seats"][0]["secret"]

    async def join(self, line: int, match: str, seat: str | None) -> None:
        self.desk.hear(0, json.dumps({"type": "open", "line": line, "match": match}))
        self.desk.hear(line, json.dumps({"seat": seat}))
        await self.settle()

    async def act(self, line: int, role: str, action: dict[str, Any], answers: int) -> dict[str, Any]:
        self._asked += 1
        message = {"type": "act", "role": role, "action": action, "answers": answers, "id": f"a{self._asked}"}
        self.desk.hear(line, json.dumps(message))
        await self.settle()
        (answer,) = [word for word in self.heard[line] if word.get("id") == message["id"]]
        return answer


def run(scene: Callable[[Keeper], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(scene(Keeper()))


def test_what_is_saved_comes_back_in_another_browser_and_nothing_is_there_twice() -> None:
    async def scene(keeper: Keeper) -> None:
        here = Page(keeper)
        match, seat = await here.create(ALL)
        await here.join(1, match, seat)
        await here.act(1, "red", PLAN, 0)
        saved = await here.value("save")
        there = Page(Keeper())
        other, _ = await there.create(ALL)
        assert await there.value("restore", file=saved) == 1
        assert {line["match"] for line in await there.value("matches")} == {match, other}
        await there.join(1, match, seat)
        assert (await there.act(1, "blue", PLAN, 1))["acted"] == 2
        assert await there.value("restore", file=saved) == 0, "what is here stays as it is"
        await there.join(2, match, seat)
        assert there.heard[2][0]["info"]["number"] == 2
        await there.value("remove", match=match)
        assert [line["match"] for line in await there.value("matches")] == [other]
        assert all(match not in key for _, (key, _) in there.desk.storage._keep.__self__.keeper.kept.items())  # type: ignore[attr-defined]

    run(scene)


@pytest.mark.parametrize(
    "file",
    [
        "",
        "{}",
        "[1]",
        '{"sandtable_page": 2, "records": []}',
        '{"sandtable_page": 1, "records": [[[], ""]]}',
        '{"sandtable_page": 1, "records": [[["match", "x"], "{}"]]}',
        '{"sandtable_page": 1, "records": [[["spy", "x"], "1"]]}',
    ],
)
def test_a_file_that_is_not_everything_is_one_sentence(file: str) -> None:
    async def scene(keeper: Keeper) -> None:
        answer = await Page(keeper).ask("restore", file=file)
        assert (answer["type"], answer["status"]) == ("error", 400)
        assert "file" in answer["error"]["message"]
        assert keeper.kept == {}

    run(scene)


def test_a_match_moves_from_page_to_server_and_back_unchanged() -> None:
    played: Match[Any] = Match.new(DEMO, "war", seed="moved")
    random_play(played, Random(3))
    assert played.over
    first = files.save(played).decode()

    async def scene(keeper: Keeper) -> None:
        page, server = Page(keeper), Host(MemoryStorage(), ThinksHere())
        made = await page.value("import", file=first)
        left = await page.value("file", match=made["match"], seat=None)
        there = await server.import_file(ImportFile(left))
        back = (await (await server.visit(there.match, None, "en")).file()).decode()
        assert left == back == first
        assert sandtable.load(back.encode()).digest() == played.digest()

    run(scene)


def test_a_story_moves_from_page_to_server_and_is_kept_with_everything_else() -> None:
    played: Match[Any] = Match.new(DEMO, "war", seed="told")
    random_play(played, Random(3))

    async def scene(keeper: Keeper) -> None:
        page, server = Page(keeper), Host(MemoryStorage(), ThinksHere())
        made = await page.value("import", file=files.save(played).decode())
        match, seat = made["match"], made["seats"][0]["secret"]
        await page.join(1, match, seat)
        note = {"type": "annotate", "id": "n", "at": 4, "text": "Here.", "spaces": ["a"], "version": 0}
        page.desk.hear(1, json.dumps(note))
        await page.settle()
        told = next(one["value"] for one in page.heard[1] if one.get("id") == "n")
        left = await page.value("file", match=match, seat=seat, story=told["number"])
        there = await server.import_file(ImportFile(left))
        read = await stories.read(await server.visit(there.match, there.seats[0].secret, "en"), None)
        assert msgspec.to_builtins(read.notes) == told["notes"]
        everything = await page.value("save")
        other = Keeper()
        assert await Page(other).value("restore", file=everything) == 1
        again = await stories.read(await Page(other).desk.host.visit(match, seat, "en"), None)
        assert msgspec.to_builtins(again.notes) == told["notes"]
        assert [key for key in keeper.kept if "story" in str(key)]
        await page.value("remove", match=match)
        assert not [key for key in keeper.kept if "story" in str(key)]

    run(scene)


def test_one_tab_lets_the_computer_think_and_the_other_takes_over() -> None:
    async def scene(keeper: Keeper) -> None:
        one, two = Page(keeper), Page(keeper)
        match, seat = await one.create({"roles": ["red"], "kind": "person"}, MACHINE)
        assert keeper.held[match] is one.tab
        await one.join(1, match, seat)
        await two.join(1, match, seat)
        assert two.heard[1][0]["info"]["number"] == 2, "the computer has planned for blue and green"
        assert (await two.act(1, "red", PLAN, 2))["acted"] == 3
        await one.settle()
        assert one.heard[1][-1]["info"]["number"] >= 3
        one.desk.hear(0, json.dumps({"type": "close", "line": 1}))
        await one.settle()
        assert match not in keeper.held
        number = two.heard[1][-1]["info"]["number"]
        await two.settle()
        answer = await two.act(1, "red", {"do": "end-moves"}, number)
        assert answer["acted"] == number + 1
        assert keeper.held[match] is two.tab
        assert two.heard[1][-1]["info"]["number"] > number + 1, "the computer has answered here"

    run(scene)


def test_a_full_storage_changes_nothing() -> None:
    async def scene(keeper: Keeper) -> None:
        page = Page(keeper)
        match, seat = await page.create(ALL)
        await page.join(1, match, seat)
        before, keeper.is_full = dict(keeper.kept), True
        answer = await page.act(1, "red", PLAN, 0)
        assert (answer["status"], answer["error"]["code"]) == (507, "no-room")
        assert (await page.ask("create", wish={"game": DEMO.id}))["error"]["code"] == "no-room"
        assert keeper.kept == before
        keeper.is_full = False
        assert (await page.act(1, "red", PLAN, 0))["acted"] == 1

    run(scene)


def test_wrong_lines_are_closed_with_the_servers_codes() -> None:
    async def scene(keeper: Keeper) -> None:
        page = Page(keeper)
        match, _ = await page.create(ALL)
        await page.join(1, "nowhere", None)
        await page.join(2, match, "A" * 22)
        page.desk.hear(0, json.dumps({"type": "open", "line": 3, "match": match}))
        page.desk.hear(3, "hello")
        await page.settle()
        closed = {word["line"]: word["code"] for word in page.heard[0] if word["type"] == "closed"}
        assert closed == {1: 4404, 2: 4401, 3: 4400}
        assert "no game 'chess'" in (await page.ask("create", wish={"game": "chess"}))["error"]["message"]

    run(scene)


def test_without_storage_matches_live_as_long_as_the_tab() -> None:
    async def scene(_: Keeper) -> None:
        page = Page(None)
        match, seat = await page.create(ALL)
        await page.join(1, match, seat)
        assert (await page.act(1, "red", PLAN, 0))["acted"] == 1
        assert "keeps nothing" in (await page.ask("save"))["error"]["message"]

    run(scene)
