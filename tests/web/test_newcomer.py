"""Somebody new opens the page, picks a game and plays, with the mouse alone."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games import games

from .conftest import DEMO, SETS_UP, Clicks, Server, shortest
from .hands import Hands, Sight, is_over, number, spot_on_map, turn, wait_for_table

ALL = [*games(), DEMO]
TURNS = 3
SMALL = {"width": 1000, "height": 620}
"""A small window is painted faster; what is clicked is the same."""
LASTING = {"blitzkrieg-general": ("1939-advanced", "captain"), "hitlers-war": ("campaign-1", "recruit")}
"""A scenario and an opponent for hands that hardly defend themselves: three turns are played whatever the dice say. In
1941 and 1944 a captain beats them within two."""
LONG = {"blitzkrieg-general", "ww2-europe"}
"""Games in which a turn is hundreds of moves: there the hands end a step more gladly."""


@pytest.mark.parametrize("game", ALL)
def test_from_the_lobby_to_three_full_turns_against_the_computer(
    open_page: Any, server: Server, clicks: Clicks, game: str
) -> None:
    page = open_page("/", viewport=SMALL)
    page.get_by_role("button", name=server.games()[game]["title"], exact=False).first.click()
    scenario, level = LASTING.get(game, (shortest(server, game)["id"], None))
    page.locator("[data-testid=scenario]").select_option(scenario)
    if game != DEMO:
        assert page.locator("[data-testid=level]").input_value() == "captain", "an opponent who knows the game"
    if level:
        page.locator("[data-testid=level]").select_option(level)
    page.locator("[data-testid=quick]").first.click()
    wait_for_table(page)
    assert page.inner_text("[data-testid=prompt]").strip()
    assert "seat=" not in page.url, "the secret stays out of the address line"
    hands, seen = Hands(page, seed=5, rush=0.95 if game in LONG else 0.7), [turn(page)]

    def enough(sight: Sight) -> bool:
        if sight["turn"] != seen[-1]:
            seen.append(sight["turn"])
        return len(seen) > TURNS + SETS_UP.get(game, 0)

    assert hands.play_until(enough), f"stopped at {seen[-1]} after {number(page)} moves: {page.inner_text('aside')}"
    # Three turns are over and the fourth has begun, or the match ended with the last of its three: nothing less.
    done = len(seen) - SETS_UP.get(game, 0) - (0 if is_over(page) else 1)
    assert done >= TURNS, f"{seen} and over: {page.inner_text('[data-testid=prompt]')}"
    assert hands.clicks >= 2 * TURNS
    page.get_by_role("tab", name="Log").click()
    assert page.locator(".lines li").count() > 0
    clicks.add(game, page)


def test_the_lobby_says_which_handicap_evens_a_scenario(open_page: Any, server: Server) -> None:
    """In the scenarios that need one, and in no other."""
    page = open_page("/")
    for game in ("munich-war", "blitzkrieg-general"):
        info = server.games()[game]
        even = next(option["even"] for option in info["options"] if option["even"])
        page.get_by_role("button", name=info["title"], exact=False).first.click()
        if not page.locator("details.more").evaluate("one => one.open"):
            page.get_by_test_id("more").click()
        for scenario in (one["id"] for one in info["scenarios"]):
            page.get_by_test_id("scenario").select_option(scenario)
            hints = page.get_by_test_id("even").all_inner_texts()
            assert [str(even[scenario]) in hint for hint in hints] == [True] * (scenario in even), scenario


@pytest.mark.parametrize("game", ALL)
def test_each_side_plays_a_full_turn_at_one_screen(open_page: Any, server: Server, clicks: Clicks, game: str) -> None:
    """Hot-seat, by clicks: the turn is over only when every side has moved in it."""
    scenario = shortest(server, game)
    sides = {role["id"]: role["alliance"] for role in server.games()[game]["roles"]}
    made = server.new_match(game, [{"roles": scenario["roles"], "kind": "person"}], scenario["id"])
    page = open_page(made["seats"][0]["link"], viewport=SMALL)
    wait_for_table(page)
    start = turn(page)
    hands = Hands(page, seed=9, rush=0.97 if game in LONG else 0.8)
    turns = {start}

    def enough(sight: Sight) -> bool:
        turns.add(sight["turn"])
        return len(turns) > 1 + SETS_UP.get(game, 0)

    assert hands.play_until(enough), page.inner_text("aside")
    assert len(turns) > 1 + SETS_UP.get(game, 0), page.inner_text("[data-testid=prompt]")
    moves = page.evaluate("() => window.sandtableSession.ask({ type: 'moves' })")
    assert {sides[move["role"]] for move in moves if move["role"]} == {sides[role] for role in scenario["roles"]}
    clicks.add(game, page)


LIT_SPACES = """() => { const s = window.sandtableSession, c = s.chooser, n = s.namer, out = [];
    for (const id of c.litIds) { const at = n.isUnit(id) ? n.whereIs(id) : id;
        if (at && n.isSpace(at) && window.sandtableBoard.placeOf(at)) out.push(at); } return out; }"""
CHOICE = """() => { const c = window.sandtableSession.chooser;
    return JSON.stringify([c.active?.verb, c.prefix, c.some, c.walk, c.ready, [...c.amounts]]) }"""


@pytest.mark.parametrize("game", ALL)
def test_the_map_answers_every_click(open_page: Any, server: Server, game: str) -> None:
    """What is lit up can be chosen on the map; anything else says why not."""
    roles = server.games()[game]["scenarios"][0]["roles"]
    made = server.new_match(game, [{"roles": roles, "kind": "person"}])
    page = open_page(made["seats"][0]["link"])
    wait_for_table(page)
    hands = Hands(page, seed=3, rush=0.5)
    assert hands.play_until(lambda _: bool(page.evaluate(LIT_SPACES)))
    lit = page.evaluate(LIT_SPACES)
    where = spot_on_map(page, lit[0])
    assert where is not None
    page.wait_for_timeout(400)
    before, moves = page.evaluate(CHOICE), number(page)
    page.mouse.click(*where)
    page.wait_for_timeout(600)
    popup = page.locator(".choices, .fan, [data-testid=confirm]").count() > 0
    assert popup or page.evaluate(CHOICE) != before or number(page) > moves
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
