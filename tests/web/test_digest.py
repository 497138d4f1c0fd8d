"""Somebody who comes back is told what happened, once; W tells it again."""

from __future__ import annotations

from typing import Any

from .conftest import Server
from .hands import wait_for_table
from .test_gestures import others_moved
from .test_keys_and_eyes import serious

AWAY = """() => localStorage.setItem('sandtable.here', JSON.stringify([[window.sandtableSession.match, 1]]))"""
"""As if this browser had left the match after its first move."""


def test_who_comes_back_is_told_what_happened(open_page: Any, server: Server) -> None:
    page = open_page(others_moved(server))
    wait_for_table(page)
    page.wait_for_function("() => window.sandtableSession.isAsked")
    assert page.locator("[data-testid=digest]").count() == 0, "nobody was away"
    page.evaluate(AWAY)
    page.reload()
    wait_for_table(page)
    page.wait_for_selector("[data-testid=digest]")
    told = page.inner_text("[data-testid=digest]")
    face = page.evaluate("() => window.sandtableSession.ask({ type: 'digest' })")
    assert face["battles"] or face["changed"] or face["forces"], "the computer has played"
    assert all(one["name"] in told for one in (*face["battles"], *face["changed"]))
    assert all(one["what"] in told for one in face["forces"])
    assert serious(page) == []
    page.locator("[data-testid=digest] footer button.primary").click()
    page.reload()
    wait_for_table(page)
    page.wait_for_timeout(300)
    assert page.locator("[data-testid=digest]").count() == 0, "once is enough"
    page.keyboard.press("w")
    page.wait_for_selector("[data-testid=digest]")
