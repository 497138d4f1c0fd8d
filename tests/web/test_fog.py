"""What one side must not know reaches neither its page nor its line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from .conftest import CLIENT, Server
from .hands import Hands, number, wait_for_table
from .positions import carry_on, play

SCENARIOS = {"munich-war": "little-entente", "blitzkrieg-general": "1941-advanced"}
OPEN_BOXES = ("eliminated", "surrendered")
MIDWAY = {"munich-war": 30, "blitzkrieg-general": 150}
MOVES = 4
"""The move at which the persons take over, and how many they make."""


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
                if not any(word in str(error) for word in ("closed", "No resource", "No data")):
                    raise


def hidden_things(table: Any, roles: list[str]) -> set[str]:
    """What the owner's table shows and the enemy must not see, by the games' own rules: the cards in his hand, and the
    counters in his displays (units that wait, air units that are ready or have flown)."""
    found: set[str] = set()
    for panel in table.get("panels", ()):
        if panel["id"].startswith("hand"):
            found.update(word for card in panel["cards"] for word in (f'"{card["id"]}"', card.get("text", "")))
    for box, counters in table["stacks"].items():
        if box.partition("-")[0] in roles and not box.endswith(OPEN_BOXES):
            found.update(f'"{counter["id"]}"' for counter in counters)
    return {word for word in found if len(word) > 5}


def begun(server: Server, game: str) -> Any:
    """A match of two persons in the middle of the war, where cards have been dealt, mobilized units wait, aircraft have
    flown."""
    info = server.games()[game]
    scenario = next(one for one in info["scenarios"] if one["id"] == SCENARIOS[game])
    side = {role["id"]: role["alliance"] for role in info["roles"]}
    axis = [role for role in scenario["roles"] if side[role] == "axis"]
    rest = [role for role in scenario["roles"] if side[role] != "axis"]
    match = play(game, scenario["id"], lambda match: match.number >= MIDWAY[game])
    return carry_on(server, match, [{"roles": roles, "kind": "person"} for roles in (axis, rest)])


def secrets_of(server: Server, made: Any) -> list[set[str]]:
    """By seat: what its own tables show and no enemy may see, less what everybody has been told."""
    public = json.dumps([server.get(f"/api/matches/{made['match']}/{what}") for what in ("log", "table")])
    found = []
    for seat in made["seats"]:
        words: set[str] = set()
        for role in seat["roles"]:
            table = server.get(f"/api/matches/{made['match']}/table?role={role}", seat["secret"])
            words |= hidden_things(table, seat["roles"])
        found.append({word for word in words if word not in public})
    return found


def played(open_page: Any, server: Server, game: str) -> tuple[list[set[str]], list[str]]:
    """Two persons play for a while. For each seat: the enemy's secrets, hidden before and after, as the enemy's own
    table tells them; and all that it has seen or heard."""
    made = begun(server, game)
    before = secrets_of(server, made)
    pages = [open_page(viewport={"width": 1000, "height": 620}) for _ in made["seats"]]
    ears = [Ears(page) for page in pages]
    for page, seat in zip(pages, made["seats"], strict=True):
        page.goto(server.address + seat["link"])
        wait_for_table(page)
    hands = [Hands(page, seed=13, rush=0.9) for page in pages]
    start = number(pages[0])
    for _ in range(200):
        if max(number(page) for page in pages) >= start + MOVES:
            break
        if not any(hand.act() for hand in hands):
            pages[0].wait_for_timeout(60)
    reached = max(number(page) for page in pages)
    assert reached > start
    for page in pages:
        page.wait_for_function(f"() => window.sandtableSession.table.number >= {reached}")
        page.get_by_role("tab", name="Sheets").click()
        page.get_by_role("tab", name="Text").click()
    after = secrets_of(server, made)
    secrets = [before[1 - me] & after[1 - me] for me in (0, 1)]
    texts = []
    for page, ear in zip(pages, ears, strict=True):
        ids = page.evaluate("() => JSON.stringify(Object.values(window.sandtableSession.table.stacks).flat())")
        texts.append("\n".join([page.content(), page.inner_text("body"), ids, *ear.heard]))
    return secrets, texts


def check(secrets: list[set[str]], texts: list[str]) -> None:
    assert any(secrets), "a position without secrets proves nothing"
    for secret, text in zip(secrets, texts, strict=True):
        assert sorted(word for word in secret if word in text) == []


@pytest.mark.parametrize("game", SCENARIOS)
def test_neither_page_nor_line_tells_the_enemys_secrets(open_page: Any, server: Server, game: str) -> None:
    check(*played(open_page, server, game))


@pytest.fixture(scope="module")
def leaking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if not CLIENT.is_file():
        pytest.skip("the browser client is not built: npm ci && npm run build in web/, or ./sandtable test")
    made = "munich-war=tests.web.leaky:MUNICH,blitzkrieg-general=tests.web.leaky:BLITZKRIEG"
    running = Server(tmp_path_factory.mktemp("leaking"), made)
    try:
        running.wait()
        yield running
    finally:
        running.stop()


@pytest.mark.parametrize("game", ["munich-war", "blitzkrieg-general"])
def test_a_server_that_tells_too_much_is_found_out(open_page: Any, leaking: Server, game: str) -> None:
    """The same game and the same check, against a server that does not redact."""
    secrets, texts = played(open_page, leaking, game)
    assert any(secrets)
    with pytest.raises(AssertionError):
        check(secrets, texts)
