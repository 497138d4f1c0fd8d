"""Replay: to the start and back, by slider, keys and buttons; play on from any move."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games import games

from .conftest import DEMO, Server
from .hands import Hands, number, wait_for_table


@pytest.mark.parametrize("game", [*games(), DEMO])
def test_scrub_to_the_start_and_back_and_branch(open_page: Any, server: Server, game: str) -> None:
    roles = server.games()[game]["scenarios"][0]["roles"]
    made = server.new_match(game, [{"roles": roles, "kind": "person"}])
    page = open_page(made["seats"][0]["link"])
    wait_for_table(page)
    hands = Hands(page, seed=17)
    assert hands.play_until(lambda sight: sight["number"] >= 6 and not sight["curtain"])
    last = number(page)
    stacks = "() => JSON.stringify(window.sandtableSession.table.stacks)"
    now = page.evaluate(stacks)
    page.goto(f"{server.address}/replay/{made['match']}#seat={made['seats'][0]['secret']}")
    scrubber = page.locator("[data-testid=scrubber]")
    scrubber.wait_for()
    shown = "(n) => window.sandtableReplay && window.sandtableReplay.shown() === n"
    page.wait_for_function(shown, arg=0)
    assert "seat=" not in page.url, "the secret leaves the address line"
    scrubber.focus()
    page.keyboard.press("End")
    page.wait_for_function(shown, arg=last)
    scrubber.fill("0")
    page.wait_for_function(shown, arg=0)
    page.get_by_role("button", name="One move on").click()
    page.wait_for_function(shown, arg=1)
    page.get_by_label("Speed").select_option("10×")
    page.locator("[data-testid=play]").click()
    page.wait_for_function(shown, arg=last)
    page.locator("[data-testid=branch]").click()
    page.wait_for_url("**/m/*")
    wait_for_table(page)
    assert made["match"] not in page.url
    assert number(page) == last
    assert page.evaluate(stacks) == now
