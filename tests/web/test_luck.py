"""The luck ledger at the end of a match, and rehearsals beside a running one, in the browser."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from sandtable.core import Match
from sandtable.core import replay as files
from sandtable.games import find
from sandtable.players import Budget, take_turn
from sandtable.players import find as find_player

from .conftest import MAIN, Server, shortest
from .hands import wait_for_table


def played_file(game_id: str, scenario: str, level: str) -> str:
    game = find(game_id)
    match: Match[Any] = Match.new(game, scenario, seed="luck")
    players = {role: find_player(level, game)(game, f"luck/{role}") for role in match.roles}
    while not match.over:
        role = match.decisions()[0]
        take_turn(match, role, players[role], Budget(5.0))
    return files.save(match).decode()


def test_the_end_of_a_match_tells_the_luck_of_its_dice(open_page: Any, server: Server) -> None:
    scenario = shortest(server, MAIN)["id"]
    made = server.call("/api/matches/import", {"file": played_file(MAIN, scenario, "captain")})
    while (answer := server.get(f"/api/matches/{made['match']}/luck"))["face"] is None:
        assert answer["done"] < answer["of"]
    page = open_page(f"/m/{made['match']}", viewport={"width": 1440, "height": 900})
    wait_for_table(page)
    page.keyboard.press("b")
    page.wait_for_selector("[data-testid=luck] table")
    measure = answer["face"]["measures"][0]
    for side in measure["sides"]:
        shown = page.locator(f"[data-testid=luck-of-{side['side']}]").inner_text().replace("−", "-")
        assert abs(float(shown) - side["luck"]) <= 0.051
    assert page.locator("[data-testid=luck] polyline").count() == len(measure["sides"])
    link = page.locator("[data-testid=luck-move]").first
    address = link.get_attribute("href")
    assert address is not None
    at = re.search(r"at=(\d+)", address)
    assert at is not None
    assert int(at[1]) in {fall["move"] for fall in measure["falls"]}
    link.click()
    page.wait_for_selector("[data-testid=scrubber]")
    page.wait_for_function("n => document.querySelector('[data-testid=scrubber]').value === n", arg=at[1])


def stop(page: Any) -> None:
    """Stop the rehearsals, if they are not all played by now."""
    page.evaluate("() => document.querySelector('[data-testid=whatif-stop]')?.click()")
    page.wait_for_selector("[data-testid=whatif-run]")


def test_a_move_is_compared_with_not_making_it(open_page: Any, server: Server) -> None:
    scenario = shortest(server, MAIN)
    mine, *rest = scenario["roles"]
    made = server.new_match(
        MAIN,
        [{"roles": [mine], "kind": "person"}, {"roles": rest, "kind": "computer", "level": "recruit"}],
        scenario["id"],
    )
    page = open_page(made["seats"][0]["link"], viewport={"width": 1440, "height": 900})
    wait_for_table(page)
    page.wait_for_function("() => window.sandtableSession.isAsked")
    page.keyboard.press("i")
    page.wait_for_selector("[data-testid=whatif]")
    page.select_option("[data-testid=whatif-level]", "recruit")
    page.select_option("[data-testid=whatif-turns]", "1")
    page.locator("[data-testid=whatif-run]").click()
    page.wait_for_function("() => document.querySelector('[data-testid=whatif-arm] progress')?.value > 0")
    assert page.locator("[data-testid=whatif-arm]").count() == 1, "nothing to compare with yet"
    stop(page)
    number = page.evaluate("() => window.sandtableSession.table.number")
    # a move that can be taken back: the first of several, so that nobody else moves after it
    action = next(iter(Match.new(find(MAIN), scenario["id"], seed=1).offers(mine)))
    page.evaluate("action => window.sandtableSession.act(action)", msgspec.to_builtins(action))
    page.wait_for_function("() => window.sandtableSession.mine.length > 0")
    assert page.evaluate("() => window.sandtableSession.table.number") > number
    page.locator("[data-testid=whatif-run]").click()
    page.wait_for_selector("[data-testid=whatif-says]")
    stop(page)
    assert page.locator("[data-testid=whatif-arm]").count() == 2
    assert page.locator("[data-testid=whatif-says]").inner_text().count("%") == 2
    # the private branch beside it
    page.locator("[data-testid=whatif-branch]").click()
    page.wait_for_function("m => location.href.includes('/m/') && !location.href.includes(m)", arg=made["match"])
    wait_for_table(page)
    assert page.evaluate("() => window.sandtableSession.info.kind") == "branch"
    page.keyboard.press("i")
    page.wait_for_selector("[data-testid=whatif]")
