"""A smoke match in the browsers that the other tests do not use: Firefox, and WebKit for Safari's sake."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import pytest

from .conftest import MAIN, UNBRIEFED, Server
from .drivers import BROWSERS, PATIENCE, Tab, started
from .hands import Hands, Sight, number, wait_for_table

COLOURS = """() => {
    const colours = new Set();
    for (const canvas of document.querySelectorAll('canvas')) {
        const small = document.createElement('canvas');
        Object.assign(small, { width: 120, height: 80 });
        const brush = small.getContext('2d');
        brush.drawImage(canvas, 0, 0, 120, 80);
        const dots = brush.getImageData(0, 0, 120, 80).data;
        for (let at = 0; at < dots.length; at += 4) colours.add(dots.slice(at, at + 4).join());
    }
    return colours.size;
}"""
"""How many colours the map has on the screen."""
MOVES = "() => window.sandtableSession.ask({ type: 'moves' })"


def press(hands: Hands, selector: str, reached: str, place: int = 0) -> None:
    """Click until it has done what it should: while a lobby fills, a button moves away from under the mouse."""
    end = time.monotonic() + PATIENCE
    while not hands.page.evaluate(reached):
        assert time.monotonic() < end, f"{selector} does nothing: {reached}"
        hands.click(selector, place)
        with contextlib.suppress(AssertionError):
            hands.page.wait_for_function(reached, seconds=10)


def smoke(tab: Tab, address: str, title: str) -> None:
    """Lobby, map, moves by the mouse, and the computer's answer."""
    tab.goto(address)
    tab.evaluate(f"() => {{ {UNBRIEFED} }}")
    hands = Hands(tab, seed=4, rush=0.95)
    games = "() => [...document.querySelectorAll('.game')].map((game) => game.innerText)"
    tab.wait_for_function(f"(title) => ({games})().some((text) => text.includes(title))", title)
    place = next(place for place, text in enumerate(tab.evaluate(games)) if title in text)
    press(hands, ".game", f"() => document.querySelectorAll('.game')[{place}].ariaPressed === 'true'", place)
    tab.wait_for_selector("[data-testid=quick]")
    press(hands, "[data-testid=quick]", "() => location.href.includes('/m/')")
    wait_for_table(tab)
    assert tab.evaluate(COLOURS) > 50, "the map is not drawn"
    mine = tab.evaluate("() => window.sandtableSession.roles")

    def answered(_: Sight) -> bool:
        return any(move["role"] and move["role"] not in mine for move in tab.evaluate(MOVES))

    assert hands.play_until(answered, PATIENCE), tab.evaluate("() => document.querySelector('aside').innerText")
    assert number(tab) > 3
    assert hands.clicks > 3
    assert answered({})


@pytest.mark.parametrize("name", BROWSERS)
def test_a_match_against_the_computer(name: str, server: Server, tmp_path: Path) -> None:
    with started(name, tmp_path / "profile") as tab:
        smoke(tab, f"{server.address}/", server.games()[MAIN]["title"])
