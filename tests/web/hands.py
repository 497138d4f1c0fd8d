"""A pair of hands at the page: plays any game by clicking or by keys, knowing only what is on the screen."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from random import Random
from typing import Any

CURTAIN = "[data-testid=curtain]"
CONFIRM = "[data-testid=confirm]:enabled"
DONE = "[data-testid=done]:enabled"
CHOICES = ".offers [data-choice]:enabled"
BACK = ".offers .head button"
SIGHT = f"""async () => {{
    const s = window.sandtableSession;
    while (s.busy) await new Promise((on) => setTimeout(on, 4));
    const all = (one) => [...document.querySelectorAll(one)];
    const face = (e) => [e.dataset.offer ?? '', e.classList.contains('endlike'), e.ariaPressed === 'true'];
    return {{
        asked: s.isAsked, over: s.info.over, number: s.table.number, turn: s.table.turn,
        curtain: all('{CURTAIN}').length, confirm: all('{CONFIRM}').length, done: all('{DONE}').length,
        back: all('{BACK}').length, choices: all('{CHOICES}').map(face),
    }};
}}"""
"""What is on the screen, as soon as nothing is on its way to or from the server any more."""
SPOT = """([selector, place]) => {
    const found = document.querySelectorAll(selector)[place];
    if (!found) return null;
    found.scrollIntoView({ block: 'nearest' });
    const box = found.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
    const top = document.elementFromPoint(x, y);
    return { x, y, free: found.contains(top), above: top?.outerHTML.slice(0, 120) ?? 'nothing' };
}"""
"""Where a thing is on the screen, scrolled to if it must be, and whether anything lies above it."""
Sight = dict[str, Any]
PATIENCE = 1200
"""Seconds after which a test gives up: a busy machine is not a fault."""
REACH = 20
"""Seconds for which something may lie above what is to be clicked."""


def wait_for_table(page: Any) -> None:
    page.wait_for_selector("[data-testid=prompt]")
    page.wait_for_function("() => window.sandtableBoard && window.sandtableBoard.frames > 0")


def number(page: Any) -> int:
    return int(page.evaluate("() => window.sandtableSession.table.number"))


def turn(page: Any) -> str:
    return str(page.inner_text("[data-testid=turn]"))


def is_over(page: Any) -> bool:
    return bool(page.evaluate("() => window.sandtableSession.info.over"))


def verbs(page: Any) -> set[str]:
    """What the page offers to do now."""
    return set(page.evaluate("() => window.sandtableSession.chooser.offers.map((offer) => offer.verb)"))


class Hands:
    """Clicks on what the page offers. `rush` is how gladly it ends a step where that is offered; what it does besides
    is drawn, but the verbs in `first` before all others."""

    def __init__(self, page: Any, seed: int, rush: float = 0.75, first: Collection[str] = ()) -> None:
        self.page = page
        self.rng = Random(seed)
        self.rush = rush
        self.first = set(first)
        self.clicks = 0

    def click(self, selector: str, place: int = 0) -> None:
        """A click of the mouse at the middle of the thing, where it can be seen.

        By the mouse and not by Playwright's `locator.click`, which waits for two painted frames more each time: a
        turn is hundreds of clicks, and a map takes its time to be painted without a graphics card.
        """
        self.clicks += 1
        end = time.monotonic() + REACH
        while spot := self.page.evaluate(SPOT, [selector, place]):
            if spot["free"]:
                self.page.mouse.click(spot["x"], spot["y"])
                return
            assert time.monotonic() < end, f"{selector} ({place}) lies under {spot['above']}"
            self.page.wait_for_timeout(50)

    def is_asked(self) -> bool:
        return bool(self.page.evaluate("() => window.sandtableSession.isAsked"))

    def look(self) -> Sight:
        found: Sight = self.page.evaluate(SIGHT)
        return found

    def act(self, seen: Sight | None = None) -> bool:
        """One click towards the next move; False where there is nothing to click."""
        seen = seen or self.look()
        if seen["curtain"]:
            self.click(CURTAIN)
        elif seen["confirm"]:
            self.click(CONFIRM)
        elif not seen["asked"]:
            return False
        else:
            return self._choose(seen)
        return True

    def _choose(self, seen: Sight) -> bool:
        choices = list(enumerate(seen["choices"]))
        wanted = [place for place, (verb, _, _) in choices if verb in self.first]
        ends = [place for place, (_, ending, _) in choices if ending]
        others = [place for place, (_, ending, pressed) in choices if not ending and not pressed]
        if seen["done"] and (not others or self.rng.random() < 0.6):
            self.click(DONE)
        elif wanted and self.rng.random() < 0.9:
            self.click(CHOICES, self.rng.choice(wanted))
        elif ends and (not others or self.rng.random() < self.rush):
            self.click(CHOICES, self.rng.choice(ends))
        elif others and not (seen["back"] and self.rng.random() < 0.1):  # not every way leads somewhere
            self.click(CHOICES, self.rng.choice(others[:12]))
        elif seen["back"]:
            self.click(BACK)
        else:
            return False
        return True

    def play_until(self, reached: Callable[[Sight], bool], seconds: float = PATIENCE) -> bool:
        """Play until the page is where it should be or the match is over; False when the time is over before."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            seen = self.look()
            if reached(seen) or seen["over"]:
                return True
            if not self.act(seen):
                self.page.wait_for_timeout(50)
        return False


def spot_on_map(page: Any, space: str) -> tuple[float, float] | None:
    """Where a space is on the screen, brought near enough to be clicked."""
    found = page.evaluate(
        """(id) => {
            const board = window.sandtableBoard;
            board.reveal(id, true);
            const at = board.screenOf(id);
            if (!at) return null;
            const box = board.stage.getBoundingClientRect();
            return [box.left + at[0], box.top + at[1]];
        }""",
        space,
    )
    return None if found is None else (found[0], found[1])
