"""An upright phone: the dock leads to what lies in the drawer, and takes no more room than it needs."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games import games

from .conftest import Server
from .hands import number, spot_on_map, wait_for_table
from .positions import asks, play
from .test_gestures import PURCHASES, settle
from .test_keys_and_eyes import serious
from .test_table import everybody

PHONE = {"width": 390, "height": 844}
DRAWER = "[data-testid=drawer]"
DESK = "[data-testid=desk]"
DOCK = """() => { const box = (one) => document.querySelector(one)?.getBoundingClientRect();
    const dock = box('[data-testid=dock]'), left = box('.dock .left'), right = box('.dock .right');
    const last = [...document.querySelectorAll('.dock .left button')].at(-1)?.getBoundingClientRect();
    const next = right.height ? right.top : dock.bottom;
    return { high: dock.height, bottom: dock.bottom, gap: next - (last ?? left).bottom, end: right.bottom } }"""
"""How high the dock is, and how much of it lies empty below the kinds of action, up to Done where there is one."""


def on_a_phone(open_page: Any, link: str) -> Any:
    page = open_page(link, viewport=PHONE, has_touch=True, is_mobile=True)
    wait_for_table(page)
    if page.locator("[data-testid=curtain]").count():
        page.locator("[data-testid=curtain]").tap()
    settle(page)
    return page


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_lobby_is_no_wider_than_the_phone(open_page: Any, server: Server, language: str) -> None:
    """However long a scenario's name is."""
    page = open_page("/", viewport=PHONE, has_touch=True, is_mobile=True)
    page.evaluate(f"() => localStorage.setItem('sandtable.settings', JSON.stringify({{ language: '{language}' }}))")
    page.reload()
    for game in range(len(games())):
        page.locator("button.game").nth(game).tap()
        page.get_by_test_id("scenario").wait_for()
        assert page.evaluate("() => document.documentElement.scrollWidth") == PHONE["width"]


@pytest.mark.parametrize("game", PURCHASES)
def test_the_dock_leads_to_the_desk(open_page: Any, server: Server, game: str) -> None:
    """The desk lies in the closed drawer: a button of the dock, named as the desk, opens it to order there."""
    scenario = server.games()[game]["scenarios"][0]["id"]

    def is_at_the_desk(match: Any) -> bool:
        desk = match.table(match.asked).desk
        return bool(desk and any(item.action["do"] == PURCHASES[game] for item in desk.items))

    page = on_a_phone(open_page, everybody(server, game, play(game, scenario, is_at_the_desk)))
    button = page.locator(DRAWER)
    button.wait_for()
    assert page.locator(DESK).count() == 0, "the map comes first"
    title = button.inner_text()
    assert title == (page.evaluate("() => window.sandtableSession.table.desk.title") or "Production")
    assert serious(page) == []
    button.tap()
    page.locator(DESK).wait_for()
    assert page.inner_text(f"{DESK} h3") == title
    assert button.count() == 0, "nothing is said twice"
    assert serious(page) == []
    if game != "hitlers-war":  # there a place on the map is chosen first
        items = page.evaluate("() => window.sandtableSession.table.desk.items")
        cheap, before = min(range(len(items)), key=lambda place: items[place]["price"]), number(page)
        page.locator(f"{DESK} li").nth(cheap).locator("button").last.tap()
        page.locator("[data-testid=order]").tap()
        page.wait_for_function(f"() => window.sandtableSession.table.number > {before}")
    page.locator("header button").last.tap()  # the drawer is closed again
    page.locator(DESK).wait_for(state="detached")


@pytest.mark.parametrize("game", games())
def test_no_empty_band_lies_in_the_dock(open_page: Any, server: Server, game: str) -> None:
    link = server.new_match(game, [], server.games()[game]["scenarios"][0]["id"])["seats"][0]["link"]
    page = on_a_phone(open_page, link)
    page.locator("[data-testid=dock] button").first.wait_for()
    seen = page.evaluate(DOCK)
    assert seen["bottom"] == PHONE["height"]
    assert seen["end"] <= seen["bottom"]
    assert seen["high"] <= 140
    assert seen["gap"] <= 30, seen


def test_the_map_and_an_open_stack_stay_while_the_dock_grows(open_page: Any, server: Server) -> None:
    """Counters are tapped one after the other in an open stack; the dock takes more lines for what is in the hand."""
    game, scenario = "blitzkrieg-general", "1939-basic"
    match = play(game, scenario, lambda m: m.asked == "germany" and asks(m, {"march"}))
    page = on_a_phone(open_page, everybody(server, game, match))
    where = "() => window.sandtableBoard.screenOf('prussia')"
    spot = spot_on_map(page, "prussia")
    assert spot is not None
    high = page.evaluate(DOCK)["high"]
    page.touchscreen.tap(*spot)
    page.locator("[data-testid=hand]").wait_for()
    chits, at = page.locator("[data-testid=fan] .chit.lit"), page.evaluate(where)
    assert page.evaluate(DOCK)["high"] > high
    for place in (0, 1):
        chits.nth(place).tap()
        settle(page)
        assert chits.count() > 1, "the stack stays open"
    assert page.evaluate(where) == at
    last = page.locator("[data-testid=hand] button").last.bounding_box()
    assert last["y"] + last["height"] <= page.locator("[data-testid=end]").bounding_box()["y"], "all of it is in sight"
    fan, ground = (page.locator(one).bounding_box() for one in ("[data-testid=fan]", ".map-area"))
    assert fan["y"] + fan["height"] <= ground["y"] + ground["height"]
    assert serious(page) == []
