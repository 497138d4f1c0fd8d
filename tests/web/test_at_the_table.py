"""Two people and a spectator at one table: everything arrives, nothing is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sandtable.games import games

from .conftest import CLIENT, DEMO, Server, two_seats
from .hands import Hands, number, verbs, wait_for_table
from .positions import asks, carry_on, play

BATTLES = {
    "hitlers-war": {"lose", "defend", "retreat", "advance", "support-fire"},
    "munich-war": {"support", "lose", "retreat", "stand", "advance"},
    "blitzkrieg-general": {"engage", "take-hit", "withdraw", "retreat"},
    "ww2-europe": {"lose", "fight", "abort", "evade", "retreat"},
}
"""By game: what is asked in the middle of a battle, when dice have fallen."""


@pytest.mark.parametrize("game", [*games(), DEMO])
def test_two_seats_live_and_a_spectator(open_page: Any, server: Server, game: str) -> None:
    made = two_seats(server, game)
    pages = [open_page(seat["link"]) for seat in made["seats"]]
    watcher = open_page(f"/m/{made['match']}")
    for page in (*pages, watcher):
        wait_for_table(page)
    assert watcher.locator(".offers [data-choice]").count() == 0
    hands = [Hands(page, seed=7) for page in pages]
    for _ in range(400):
        if number(pages[0]) >= 4:
            break
        if not any(hand.act() for hand in hands):
            pages[0].wait_for_timeout(100)
    reached = max(number(page) for page in pages)
    assert reached >= 4
    for page in (*pages, watcher):
        page.wait_for_function(f"() => window.sandtableSession.table.number >= {reached}")
    # A word across the table arrives without asking.
    pages[0].get_by_role("tab", name="Chat").click()
    pages[0].get_by_label("Say something").fill("Your front is thin.")
    pages[0].get_by_role("button", name="Send").click()
    pages[1].get_by_role("tab", name="Chat").click()
    pages[1].get_by_text("Your front is thin.").wait_for()
    watcher.get_by_role("tab", name="Chat").click()
    assert watcher.get_by_label("Say something").count() == 0


def told(page: Any) -> Any:
    """What the page says of the position: the number of the move, the prompt, what can be done, the counters."""
    return page.evaluate(
        """() => { const s = window.sandtableSession; return [s.table.number, s.role, s.table.prompt,
            s.chooser.offers.map((offer) => offer.label), s.table.stacks, s.log.map((line) => line.text)] }"""
    )


@pytest.mark.parametrize("game", BATTLES)
def test_reload_in_the_middle_of_a_battle_loses_nothing(open_page: Any, server: Server, game: str) -> None:
    """Somebody must choose his losses, retreat or fight on when he reloads; then the battle goes on by clicks."""
    scenario = server.games()[game]["scenarios"][0]
    match = play(game, scenario["id"], lambda match: asks(match, BATTLES[game]))
    made = carry_on(server, match, [{"roles": scenario["roles"], "kind": "person"}])
    page = open_page(made["seats"][0]["link"])
    wait_for_table(page)
    assert verbs(page) & BATTLES[game]
    hands = Hands(page, seed=11)
    if hands.look()["curtain"]:
        hands.act()
    before = told(page)
    if len(before[3]) > 1:
        hands.act()  # a choice is begun, and not made
    assert number(page) == before[0] == match.number
    page.reload()
    wait_for_table(page)
    page.wait_for_function("(lines) => window.sandtableSession.log.length >= lines", arg=len(before[-1]))
    assert told(page) == before
    assert page.evaluate("() => window.sandtableSession.seat"), "the seat is remembered without the link"
    assert hands.play_until(lambda sight: sight["number"] > before[0])


def test_a_move_made_while_the_server_is_down_is_made_once_it_is_back(chromium: Any, tmp_path: Path) -> None:
    if not CLIENT.is_file():
        pytest.skip("the browser client is not built: npm ci && npm run build in web/, or ./sandtable test")
    first = Server(tmp_path)
    first.wait()
    made = first.new_match(DEMO, [], "war")
    page = chromium.new_page()
    page.goto(first.address + made["seats"][0]["link"])
    wait_for_table(page)
    first.process.kill()
    first.process.wait()
    page.wait_for_function("() => !window.sandtableSession.connected")
    page.evaluate("() => void window.sandtableSession.act({ do: 'plan', posture: 'march' })")
    second = Server(tmp_path, port=first.port)
    try:
        second.wait()
        page.wait_for_function("() => window.sandtableSession.table.number > 0", timeout=60_000)
        page.wait_for_function("() => window.sandtableSession.connected && !window.sandtableSession.busy")
        assert second.get(f"/api/matches/{made['match']}")["number"] == number(page) == 1
    finally:
        page.close()
        second.stop()
