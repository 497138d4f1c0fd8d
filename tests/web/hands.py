"""A pair of hands at the page: plays any game by clicking or by keys, knowing only what is on the screen."""

from __future__ import annotations

import time
from random import Random
from typing import Any

import pytest

PlaywrightTimeout = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").TimeoutError

BUSY = "() => window.sandtableSession && !window.sandtableSession.chooser.busy"
QUIET = 40


def wait_for_table(page: Any) -> None:
    page.wait_for_selector("[data-testid=prompt]")
    page.wait_for_function("() => window.sandtableBoard && window.sandtableBoard.frames > 0")


def number(page: Any) -> int:
    return int(page.evaluate("() => window.sandtableSession.table.number"))


def turn(page: Any) -> str:
    return str(page.inner_text("[data-testid=turn]"))


def is_over(page: Any) -> bool:
    return bool(page.evaluate("() => window.sandtableSession.info.over"))


class Hands:
    """Clicks on what the page offers. `rush` is how gladly it ends a step where that is offered."""

    def __init__(self, page: Any, seed: int, rush: float = 0.75) -> None:
        self.page = page
        self.rng = Random(seed)
        self.rush = rush
        self.clicks = 0

    def click(self, found: Any) -> None:
        self.clicks += 1
        try:
            found.click(timeout=3_000)
        except PlaywrightTimeout:
            if found.count() and found.is_enabled():
                raise
            return  # the position changed while the hand was on its way
        self.page.wait_for_function(BUSY)
        self.page.wait_for_timeout(QUIET)

    def is_asked(self) -> bool:
        return bool(self.page.evaluate("() => window.sandtableSession.isAsked"))

    def act(self) -> bool:
        """One click towards the next move; False where there is nothing to click."""
        page = self.page
        for test in ("[data-testid=curtain]", "[data-testid=confirm]:enabled"):
            found = page.locator(test)
            if found.count():
                self.click(found.first)
                return True
        if not self.is_asked():
            return False
        done = page.locator("[data-testid=done]:enabled")
        ends = page.locator(".offers .choice.endlike")
        choices = page.locator(".offers [data-choice]:enabled")
        if done.count() and (choices.count() == 0 or self.rng.random() < 0.6):
            self.click(done.first)
        elif ends.count() and self.rng.random() < self.rush:
            self.click(ends.nth(self.rng.randrange(ends.count())))
        elif choices.count():
            self.click(choices.nth(self.rng.randrange(min(choices.count(), 12))))
        elif page.locator(".offers .head button").count():
            self.click(page.locator(".offers .head button").first)
        else:
            return False
        return True

    def play_until(self, reached: Any, seconds: float) -> bool:
        """Play until the page is where it should be; False when the time is over before."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if reached() or is_over(self.page):
                return True
            if not self.act():
                self.page.wait_for_timeout(150)
        return bool(reached())


def spot_on_map(page: Any, space: str) -> tuple[float, float] | None:
    """Where a space is on the screen, brought near enough to be clicked."""
    found = page.evaluate(
        """(id) => {
            const board = window.sandtableBoard;
            board.reveal(id, true);
            const at = board.screenOf(id);
            if (!at) return null;
            const box = board.canvas.getBoundingClientRect();
            return [box.left + at[0], box.top + at[1]];
        }""",
        space,
    )
    return None if found is None else (found[0], found[1])
