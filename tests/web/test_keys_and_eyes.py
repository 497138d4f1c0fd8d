"""By keyboard alone, by ear, in two languages, on a phone, in the dark: the page serves everybody."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from sandtable.games import games

from .conftest import DEMO, HOME, MAIN, SETS_UP, Server, shortest
from .hands import Hands, Sight, number, turn, wait_for_table

AXE = HOME / "web" / "node_modules" / "axe-core" / "axe.min.js"


def new_hotseat(server: Server, game: str) -> Any:
    roles = server.games()[game]["scenarios"][0]["roles"]
    return server.new_match(game, [{"roles": roles, "kind": "person"}])


KEYS = """() => {
    const s = window.sandtableSession, c = s.chooser;
    const pick = (e) => e.dataset.choice, at = (id) => (s.namer.isUnit(id) ? s.namer.whereIs(id) : id) ?? '';
    return {
        turn: s.table.turn, over: s.info.over, busy: s.busy, asked: s.isAsked, curtain: Boolean(s.curtain),
        ready: Boolean(c.ready || c.complete || c.domain?.type === 'number'), begun: c.begun,
        lit: [...c.litIds].some((id) => window.sandtableBoard.placeOf(at(id))),
        ends: [...document.querySelectorAll('[data-testid=end]:enabled')].map(() => 'e'),
        all: [...document.querySelectorAll('.offers [data-choice]:enabled')].map(pick).filter((key) => key <= 9),
    };
}"""


@pytest.mark.parametrize("game", [*games(), DEMO])
def test_a_turn_by_keyboard_alone(open_page: Any, server: Server, game: str) -> None:
    """Hot-seat: the turn of every side is played, and nothing is touched but keys."""
    scenario = shortest(server, game)
    made = server.new_match(game, [{"roles": scenario["roles"], "kind": "person"}], scenario["id"])
    page = open_page(made["seats"][0]["link"], viewport={"width": 1000, "height": 620})
    wait_for_table(page)
    turns, rng = {turn(page)}, Random(2)
    page.keyboard.press("m")
    assert page.evaluate("() => document.activeElement.dataset.testid") == "board"
    lit = False
    for _ in range(3000):
        seen = page.evaluate(KEYS)
        turns.add(seen["turn"])
        if len(turns) > 1 + SETS_UP.get(game, 0) or seen["over"]:
            break
        if not lit and seen["lit"] and not seen["busy"]:
            page.keyboard.press("m")
            page.keyboard.press("n")
            lit = bool(page.evaluate("() => window.sandtableBoard.cursor"))
        if seen["busy"]:
            page.wait_for_timeout(15)
        elif seen["curtain"]:
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
        elif seen["ready"]:
            page.keyboard.press("c")
        elif seen["ends"] and rng.random() < 0.9:
            page.keyboard.press(rng.choice(seen["ends"]))
        elif seen["all"] and not (seen["begun"] and rng.random() < 0.25):  # not every way leads somewhere
            page.keyboard.press(rng.choice(seen["all"]))
        else:
            page.keyboard.press("Escape")
    assert len(turns) > 1 + SETS_UP.get(game, 0), page.inner_text("[data-testid=prompt]")
    assert number(page) > 0
    assert lit, "N goes to the next lit-up place"


def serious(page: Any) -> list[str]:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm ci in web/")
    # Through the debugger, not as a script of the page: the page's own policy forbids strangers.
    page.evaluate(Path(AXE).read_text(encoding="utf-8") + "; undefined")
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{one['id']}: {one['help']} ({one['nodes'][0]['html'][:120]})"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(open_page: Any, server: Server, theme: str) -> None:
    made = new_hotseat(server, MAIN)
    page = open_page("/", color_scheme=theme)
    page.locator("[data-testid=quick]").first.wait_for()
    page.locator("[data-testid=more]").click()
    page.locator("[data-testid=me]").click()
    page.locator("[data-testid=save-calls]").wait_for()
    assert serious(page) == []
    roles = server.games()[MAIN]["scenarios"][0]["roles"]
    invited = server.new_match(MAIN, [{"roles": roles, "kind": "person", "invite": True}])
    page.goto(server.address + invited["seats"][0]["link"])
    page.locator("[data-testid=claim]").wait_for()
    assert serious(page) == []
    page.goto(server.address + made["seats"][0]["link"])
    wait_for_table(page)
    for tab in ("Play", "Log", "Sheets", "Rules", "Seats", "Chat", "Text"):
        page.get_by_role("tab", name=tab).click()
        assert serious(page) == [], tab
    page.get_by_role("button", name="Menu").click()
    assert serious(page) == []
    page.goto(f"{server.address}/replay/{made['match']}")
    page.locator("[data-testid=scrubber]").wait_for()
    assert serious(page) == []


def test_german_from_lobby_to_table(open_page: Any, server: Server) -> None:
    page = open_page("/")
    page.get_by_label("Language").first.select_option("de")
    page.get_by_text("Meine Partien").wait_for()
    page.locator("[data-testid=quick]").first.click()
    wait_for_table(page)
    assert page.get_by_role("tab", name="Verlauf").count() == 1
    assert page.evaluate("() => document.documentElement.lang") == "de"


@pytest.mark.parametrize("size", [(844, 390), (1440, 900), (3840, 2160)])
def test_nothing_falls_off_the_screen(open_page: Any, server: Server, size: tuple[int, int]) -> None:
    made = new_hotseat(server, MAIN)
    page = open_page(made["seats"][0]["link"], viewport={"width": size[0], "height": size[1]})
    wait_for_table(page)
    wide, high = page.evaluate("() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert (wide, high) == size
    board = page.locator("[data-testid=board]").bounding_box()
    assert board["width"] > size[0] * 0.5
    assert board["height"] > size[1] * 0.75
    offers = page.locator("[data-testid=offers]").bounding_box()
    assert offers["x"] + offers["width"] <= size[0]


@pytest.mark.parametrize("game", ["munich-war", "blitzkrieg-general"])
def test_curtain_falls_between_players_at_one_screen(open_page: Any, server: Server, game: str) -> None:
    """Where something is hidden, the next player's side stays covered until he says he is there. Played by clicks."""
    scenario = "1941-advanced" if game == "blitzkrieg-general" else server.games()[game]["scenarios"][0]["id"]
    roles = next(one for one in server.games()[game]["scenarios"] if one["id"] == scenario)["roles"]
    page = open_page(server.new_match(game, [{"roles": roles, "kind": "person"}], scenario)["seats"][0]["link"])
    wait_for_table(page)
    hands = Hands(page, seed=3, rush=0.97)
    assert hands.play_until(lambda sight: bool(sight["curtain"]))
    cover = page.get_by_role("dialog")
    box = cover.bounding_box()
    assert (box["width"], box["height"]) == (1280, 800)
    middle = page.evaluate("() => document.elementFromPoint(400, 400).closest('[role=dialog]') !== null")
    assert middle, "the map is covered"
    before = number(page)
    page.keyboard.press("1")
    page.keyboard.press("c")
    assert number(page) == before, "keys do nothing through the curtain"
    page.locator("[data-testid=curtain]").click()
    assert page.get_by_role("dialog").count() == 0
    assert hands.is_asked()


@pytest.mark.parametrize("game", ["hitlers-war", "ww2-europe"])
def test_no_curtain_where_nothing_is_hidden(open_page: Any, server: Server, game: str) -> None:
    page = open_page(new_hotseat(server, game)["seats"][0]["link"], viewport={"width": 1000, "height": 620})
    wait_for_table(page)
    roles, seen = set(), []

    def enough(sight: Sight) -> bool:
        roles.add(page.evaluate("() => window.sandtableSession.role"))
        seen.append(sight["curtain"])
        return len(roles) > 1

    assert Hands(page, seed=3, rush=0.97).play_until(enough)
    assert len(roles) > 1
    assert not any(seen)
