"""Two people and a spectator at one table: everything arrives, nothing is lost, nobody sees too much."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sandtable.games import games

from .conftest import DEMO, MAIN, Server
from .hands import Hands, number, wait_for_table

ALL = [*games(), DEMO]


def two_seats(server: Server, game: str) -> Any:
    """A match of two persons: the first alliance's roles, and all others."""
    info = server.games()[game]
    roles = info["scenarios"][0]["roles"]
    side = {role["id"]: role["alliance"] for role in info["roles"]}
    first = [role for role in roles if side[role] == side[roles[0]]]
    rest = [role for role in roles if role not in first]
    seats = [{"roles": first, "kind": "person"}, {"roles": rest, "kind": "person"}]
    return server.new_match(game, seats, public=True)


class Ears:
    """Every byte that reaches a page from the server's API."""

    def __init__(self, page: Any) -> None:
        self.heard: list[str] = []
        page.on("response", self._response)
        page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: self.heard.append(str(frame))))

    def _response(self, response: Any) -> None:
        if "/api/matches/" in response.url:
            try:
                self.heard.append(response.text())
            except Exception as error:  # the page went away while its answer was on the way
                if "closed" not in str(error) and "No resource" not in str(error) and "No data" not in str(error):
                    raise

    def tables(self) -> list[Any]:
        found = []
        for text in self.heard:
            try:
                data = json.loads(text)
            except ValueError:
                continue
            if isinstance(data, dict) and "stacks" in data:
                found.append(data)
        return found


@pytest.mark.parametrize("game", [MAIN, DEMO])
def test_two_seats_live_and_a_spectator(open_page: Any, server: Server, game: str) -> None:
    made = two_seats(server, game)
    pages = [open_page(seat["link"]) for seat in made["seats"]]
    watcher = open_page(f"/m/{made['match']}")
    for page in (*pages, watcher):
        wait_for_table(page)
    assert watcher.locator(".offers [data-choice]").count() == 0
    hands = [Hands(page, seed=7) for page in pages]
    for _ in range(60):
        if number(pages[0]) >= 4:
            break
        if not any(hand.act() for hand in hands):
            pages[0].wait_for_timeout(200)
    reached = max(number(page) for page in pages)
    assert reached >= 4
    for page in (*pages, watcher):
        page.wait_for_function(f"() => window.sandtableSession.table.number >= {reached}")
    # A word across the table arrives without asking.
    pages[0].get_by_role("tab", name="Chat").click()
    pages[0].get_by_label("Say something").fill("Your front is thin.")
    pages[0].get_by_role("button", name="Send").click()
    pages[1].get_by_role("tab", name="Chat").click()
    pages[1].get_by_text("Your front is thin.").wait_for()
    watcher.get_by_role("tab", name="Chat").click()
    assert watcher.get_by_label("Say something").count() == 0


@pytest.mark.parametrize("game", [MAIN])
def test_reload_in_the_middle_of_a_choice_loses_nothing(open_page: Any, server: Server, game: str) -> None:
    roles = server.games()[game]["scenarios"][0]["roles"]
    made = server.new_match(game, [{"roles": roles, "kind": "person"}])
    page = open_page(made["seats"][0]["link"])
    wait_for_table(page)
    hands = Hands(page, seed=11, rush=0.4)
    # Until dice have fallen, so that a battle is under way or just over, and a choice has been begun.
    dice = "() => window.sandtableSession.log.some((line) => line.dice.length > 0)"
    hands.play_until(lambda: page.evaluate(dice), 45)
    before = (number(page), page.inner_text("[data-testid=prompt]"))
    page.reload()
    wait_for_table(page)
    assert (number(page), page.inner_text("[data-testid=prompt]")) == before
    assert page.evaluate("() => window.sandtableSession.seat"), "the seat is remembered without the link"
    hands.play_until(lambda: number(page) > before[0], 20)
    assert number(page) > before[0]


def words_of(table: Any) -> set[str]:
    """What a table tells of counters and cards: ids, names and tooltips long enough to be told from chance."""
    found: set[str] = set()
    for stack in table["stacks"].values():
        for counter in stack:
            found.update({counter["id"], counter.get("tooltip", "")})
    for panel in table.get("panels", ()):
        for card in panel.get("cards", ()):
            found.update({card["id"], card.get("title", ""), card.get("text", "")})
    return {word for word in found if len(word) >= 5}


@pytest.mark.parametrize("game", ALL)
def test_fog_of_war(open_page: Any, server: Server, game: str) -> None:
    """Neither the page nor the traffic of one seat has anything that only the other's table shows."""
    made = two_seats(server, game)
    pages = [open_page("/") for _ in made["seats"]]
    ears = [Ears(page) for page in pages]
    for page, seat in zip(pages, made["seats"], strict=True):
        page.goto(server.address + seat["link"])
        wait_for_table(page)
    hands = [Hands(page, seed=13) for page in pages]
    for _ in range(16):
        if not any(hand.act() for hand in hands):
            pages[0].wait_for_timeout(120)
    reached = max(number(page) for page in pages)
    for page in pages:
        page.wait_for_function(f"() => window.sandtableSession.table.number >= {reached}")
        page.get_by_role("tab", name="Text").click()
    for me, other in ((0, 1), (1, 0)):
        known = set().union(*(words_of(table) for table in ears[me].tables()))
        secret = set().union(*(words_of(table) for table in ears[other].tables())) - known
        text = pages[me].content() + "\n".join(ears[me].heard)
        public = json.dumps(server.get(f"/api/matches/{made['match']}/log"))
        leaked = sorted(word for word in secret if word in text and word not in public)
        assert leaked == []
