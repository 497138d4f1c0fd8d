"""By keyboard alone, by ear, in two languages, on a phone, in the dark: the page serves everybody."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .conftest import HOME, MAIN, Server
from .hands import is_over, number, turn, wait_for_table

AXE = HOME / "web" / "node_modules" / "axe-core" / "axe.min.js"


def new_hotseat(server: Server, game: str) -> Any:
    roles = server.games()[game]["scenarios"][0]["roles"]
    return server.new_match(game, [{"roles": roles, "kind": "person"}])


@pytest.mark.parametrize("game", [MAIN])
def test_a_turn_by_keyboard_alone(open_page: Any, server: Server, game: str) -> None:
    page = open_page(new_hotseat(server, game)["seats"][0]["link"])
    wait_for_table(page)
    start = turn(page)
    page.keyboard.press("m")
    page.keyboard.press("n")
    assert page.evaluate("() => document.activeElement.dataset.testid") == "board"
    page.keyboard.press("n")
    assert page.evaluate("() => window.sandtableBoard.cursor"), "N goes to the next lit-up place"
    for press in range(400):
        if turn(page) != start or is_over(page):
            break
        if page.locator("[data-testid=curtain]").count():
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
        elif page.evaluate(
            "() => Boolean(window.sandtableSession.chooser.ready || window.sandtableSession.chooser.complete)"
        ):
            page.keyboard.press("c")
        else:
            ends = page.locator(".offers .choice.endlike")
            key = ends.first.get_attribute("data-choice") if ends.count() else None
            page.keyboard.press(key if key and len(key) == 1 else str(1 + press % 3))
        page.wait_for_timeout(110)
    assert turn(page) != start
    assert number(page) > 0


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
    assert serious(page) == []
    page.goto(server.address + made["seats"][0]["link"])
    wait_for_table(page)
    for tab in ("Play", "Log", "Sheets", "Rules", "Chat", "Text"):
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


def test_curtain_falls_between_players_at_one_screen(open_page: Any, server: Server) -> None:
    """Only where something is hidden: then the next player's side stays covered until he says he is there."""
    page = open_page(new_hotseat(server, MAIN)["seats"][0]["link"])
    wait_for_table(page)
    page.evaluate("() => { window.sandtableSession.curtain = window.sandtableSession.roles[1]; }")
    cover = page.get_by_role("dialog")
    cover.wait_for()
    box = cover.bounding_box()
    assert (box["width"], box["height"]) == (1280, 800)
    page.locator("[data-testid=curtain]").click()
    assert page.get_by_role("dialog").count() == 0
