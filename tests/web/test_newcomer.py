"""Somebody new opens the page, picks a game and plays, with the mouse alone."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games import games

from .conftest import DEMO, Server
from .hands import Hands, is_over, number, spot_on_map, turn, wait_for_table

TURNS = {"hitlers-war": 3}
"""Full turns to play; other games are shown by one turn or by a number of moves, which keeps the tests short."""
MOVES = 25


@pytest.mark.parametrize("game", [*games(), DEMO])
def test_from_the_lobby_to_full_turns_against_the_computer(open_page: Any, server: Server, game: str) -> None:
    page = open_page("/")
    title = server.games()[game]["title"]
    page.get_by_role("button", name=title, exact=False).first.click()
    page.locator("[data-testid=quick]").first.click()
    wait_for_table(page)
    assert page.inner_text("[data-testid=prompt]").strip()
    assert "seat=" not in page.url, "the secret stays out of the address line"
    hands, seen = Hands(page, seed=5), [turn(page)]

    def enough() -> bool:
        if turn(page) != seen[-1]:
            seen.append(turn(page))
        return len(seen) > TURNS.get(game, 1) or (game not in TURNS and number(page) >= MOVES)

    assert hands.play_until(enough, 90), f"stopped at {seen[-1]} after {number(page)} moves: {page.inner_text('aside')}"
    assert number(page) > 0
    page.get_by_role("tab", name="Log").click()
    assert page.locator(".lines li").count() > 0
    milliseconds = sorted(page.evaluate("() => window.sandtableSession.clicks"))
    if milliseconds:
        print(
            f"\n{game}: {len(milliseconds)} moves, p95 {milliseconds[int(len(milliseconds) * 0.95)]:.0f} ms on screen"
        )


@pytest.mark.parametrize("game", [*games(), DEMO])
def test_the_map_answers_every_click(open_page: Any, server: Server, game: str) -> None:
    """What is lit up can be chosen on the map; anything else says why not."""
    roles = server.games()[game]["scenarios"][0]["roles"]
    made = server.new_match(game, [{"roles": roles, "kind": "person"}])
    page = open_page(made["seats"][0]["link"])
    wait_for_table(page)
    hands = Hands(page, seed=3, rush=0.5)
    lit_spaces = """() => { const s = window.sandtableSession, c = s.chooser, n = s.namer, out = [];
        for (const id of c.litIds) { const at = n.isUnit(id) ? n.whereIs(id) : id;
            if (at && n.isSpace(at) && window.sandtableBoard.placeOf(at)) out.push(at); } return out; }"""
    assert hands.play_until(lambda: bool(page.evaluate(lit_spaces)), 60)
    lit = page.evaluate(lit_spaces)
    where = spot_on_map(page, lit[0])
    assert where is not None
    page.wait_for_timeout(400)
    state = """() => { const c = window.sandtableSession.chooser;
        return JSON.stringify([c.active?.verb, c.prefix, c.some, c.walk, c.ready, [...c.amounts]]) }"""
    before, moves = page.evaluate(state), number(page)
    page.mouse.click(*where)
    page.wait_for_timeout(600)
    popup = page.locator(".choices, .fan, [data-testid=confirm]").count() > 0
    assert popup or page.evaluate(state) != before or number(page) > moves
    # Somewhere that is not lit up: a word why, or at least what is there.
    page.keyboard.press("Escape")
    dark = page.evaluate(
        """(lit) => { const b = window.sandtableBoard, s = window.sandtableSession;
            return b.sheets.flatMap((sheet) => sheet.spaces).map((space) => space.id)
                .find((id) => !lit.includes(id) && !s.chooser.litIds.has(id) && !s.table.stacks[id]?.length) }""",
        lit,
    )
    if dark and not is_over(page):
        where = spot_on_map(page, dark)
        assert where is not None
        page.wait_for_timeout(300)
        page.mouse.click(*where)
        page.wait_for_selector("[data-testid=toast], .here")
