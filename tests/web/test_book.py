"""The book's examples are drawn and can be tried; the computer's remarks and the staff's plans are on the screen."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games import find, games
from sandtable.host import lessons

from .conftest import MAIN, Server
from .hands import wait_for_table
from .pictures import PAINTED

SMALL = {"width": 1000, "height": 700}


def new_match(server: Server, game: str) -> str:
    """The link of a match in which one person has all roles."""
    roles = server.games()[game]["scenarios"][0]["roles"]
    return str(server.new_match(game, [{"roles": roles, "kind": "person"}])["seats"][0]["link"])


def open_example(page: Any, name: str, title: str) -> Any:
    """Find an example in the book by its title, and wait until it is painted."""
    page.keyboard.press("r")
    page.wait_for_selector("[data-testid=book]")
    page.locator("[role=tabpanel] input[type=search]").fill(title)
    found = page.locator(f'[data-example="{name}"]')
    found.locator("[data-testid=example-board]").scroll_into_view_if_needed()
    page.wait_for_function(PAINTED, arg=name)
    return found


@pytest.mark.parametrize("game", games())
def test_an_example_is_drawn_and_what_is_refused_opens_its_rule(open_page: Any, server: Server, game: str) -> None:
    name, example = next((n, e) for n, e in lessons.examples(find(game)).items() if e.refused)
    page = open_page(new_match(server, game), viewport=SMALL)
    wait_for_table(page)
    found = open_example(page, name, example.title.en)
    assert found.locator("[data-testid=example-board]").get_attribute("aria-label").startswith(example.title.en)
    found.locator("[data-testid=example-try]").click()
    page.wait_for_selector("[data-testid=lesson]")
    wait_for_table(page)
    page.locator("[data-testid=lesson-try]").click()
    toast = page.locator("[data-testid=toast]").first
    toast.wait_for()
    toast.get_by_role("button", name=example.refused, exact=True).click()
    page.wait_for_selector(f'[data-tells~="{example.refused}"].marked')
    page.locator("[data-testid=lesson-continue]").click()
    page.wait_for_selector("[data-testid=lesson-end]")
    page.locator("[data-testid=lesson-back]").click()
    page.wait_for_function("() => window.sandtableSession?.lesson === null")


def test_what_is_allowed_is_done_by_hand(open_page: Any, server: Server) -> None:
    name, example = next((n, e) for n, e in lessons.examples(find(MAIN)).items() if not e.refused)
    page = open_page(new_match(server, MAIN), viewport=SMALL)
    wait_for_table(page)
    open_example(page, name, example.title.en).locator("[data-testid=example-try]").click()
    page.wait_for_selector("[data-testid=lesson]")
    wait_for_table(page)
    page.locator("[data-testid=lesson-ask]").click()
    page.locator("[data-testid=lesson-show]").click()
    page.locator("[data-testid=confirm]").click()
    page.wait_for_selector("[data-testid=lesson-end]")


def test_the_computer_says_what_it_is_up_to_where_that_is_wanted(open_page: Any, server: Server) -> None:
    scenario = server.games()[MAIN]["scenarios"][0]
    first, *rest = scenario["roles"]
    seats = [{"roles": rest}, {"roles": [first], "kind": "computer", "level": "captain"}]
    link = server.new_match(MAIN, seats, scenario["id"])["seats"][0]["link"]
    page = open_page(link, viewport=SMALL)
    wait_for_table(page)
    page.wait_for_function("() => window.sandtableSession.isAsked && !window.sandtableSession.playback?.plays")
    page.wait_for_function("() => !window.sandtableSession.busy")
    assert page.locator("[data-testid=remarks]").count() == 0, "in matches only where it was asked for"
    page.evaluate(
        "() => { const k = 'sandtable.settings';"
        "const kept = JSON.parse(localStorage.getItem(k) ?? '{}');"
        "localStorage.setItem(k, JSON.stringify({ ...kept, remarks: 'always' })) }"
    )
    page.reload()
    page.wait_for_selector("[data-testid=remarks]")
    assert page.inner_text("[data-testid=remarks] p b").startswith(find(MAIN).texts("en").name(first))


def test_the_staff_says_its_plans_and_draws_them(open_page: Any, server: Server) -> None:
    lesson = "2-armies-are-purses"
    link = server.call("/api/matches/lesson", {"game": MAIN, "lesson": lesson})["seats"][0]["link"]
    page = open_page(link, viewport=SMALL)
    wait_for_table(page)
    before = page.evaluate("() => window.sandtableSession.table.number")
    page.keyboard.press("a")
    page.wait_for_selector("[data-testid=staff-says]")
    assert page.inner_text("[data-testid=staff-says] >> nth=0").endswith(".")
    page.wait_for_function(
        "() => (window.sandtableBoard.scene.look.table.arrows ?? []).some((one) => one.kind === 'plan')"
    )
    page.locator("[data-testid=staff-show]").first.click()
    page.wait_for_function("() => window.sandtableSession.chooser.begun && !window.sandtableSession.busy")
    assert page.evaluate("() => window.sandtableSession.table.number") == before, "shown, not done"
    page.keyboard.press("a")
    page.wait_for_function(
        "() => !(window.sandtableBoard.scene.look.table.arrows ?? []).some((one) => one.kind === 'plan')"
    )
