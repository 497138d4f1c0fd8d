"""A match opens with its briefing; B shows it again, with how everybody is doing."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import MAIN, Server
from .hands import wait_for_table


@pytest.mark.parametrize("game", [MAIN])
def test_the_briefing_opens_once_and_again_by_key(open_page: Any, server: Server, game: str) -> None:
    roles = server.games()[game]["scenarios"][0]["roles"]
    made = server.new_match(game, [{"roles": roles, "kind": "person"}])
    page = open_page(made["seats"][0]["link"], viewport={"width": 1000, "height": 620}, briefed=True)
    page.wait_for_selector("[data-testid=briefing]")
    assert page.locator("[data-gauge]").count() >= 2
    assert page.locator("[data-testid=briefing] ol li").count() == 3
    page.locator("[data-testid=begin]").click()
    assert page.locator("[data-testid=briefing]").count() == 0
    page.reload()
    wait_for_table(page)
    page.wait_for_timeout(300)
    assert page.locator("[data-testid=briefing]").count() == 0, "once is enough"
    page.keyboard.press("b")
    page.wait_for_selector("[data-testid=briefing]")
    page.keyboard.press("Escape")
    assert page.locator("[data-testid=briefing]").count() == 0
