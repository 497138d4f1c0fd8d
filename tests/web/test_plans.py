"""Counters are dragged to where they go, and plans are compared side by side. In every game; clicks counted."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec import to_builtins

from sandtable.games import games
from sandtable.odds.shown import shown

from .conftest import Server
from .hands import number, spot_on_map, wait_for_table
from .positions import carry_on, play
from .test_gestures import at_the_march, settle
from .test_keys_and_eyes import serious

STACKS = """() => { const s = window.sandtableSession, units = s.chooser.offers
    .filter((offer) => offer.gesture?.units && offer.next?.type === 'one').flatMap((offer) => offer.next.values);
    return [...new Set(units.map((unit) => s.namer.whereIs(unit)).filter(Boolean))] }"""
LIT = "() => [...window.sandtableBoard.scene.look.litSpaces]"
SPOTS = """([stack, goals]) => { const b = window.sandtableBoard, box = b.stage.getBoundingClientRect();
    b.reveal(stack, true);
    const free = ([x, y]) => b.stage.contains(document.elementFromPoint(box.left + x, box.top + y));
    const pile = b.pilesAt(stack).find((one) => one.counters.some((c) => b.scene.look.litUnits.has(c.id)));
    const from = pile && b.toScreen([pile.x, pile.y]);
    const inside = ([x, y]) => x > 0 && y > 0 && x < b.width && y < b.height;
    const to = goals.map((id) => b.screenOf(id)).find((at) => at && free(at) && inside(at));
    return from && to && free(from) ? [from, to].map(([x, y]) => [box.left + x, box.top + y]) : null }"""
"""Where to take hold of what can act in a stack, and the first of the places in sight; nothing moves in between."""


def pull(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(1, 1)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
    page.mouse.move(*end, steps=4)
    page.wait_for_timeout(300)
    page.mouse.up()
    page.wait_for_timeout(150)
    settle(page)


@pytest.mark.parametrize("game", games())
def test_counters_are_dragged_to_a_place(open_page: Any, server: Server, game: str, figure: Any) -> None:
    """One press of the button: it takes hold of the stack, and lets go over the place."""
    page = at_the_march(open_page, server, game)
    before, told = number(page), []
    for stack in page.evaluate(STACKS)[:12]:
        page.evaluate("(space) => window.sandtableBoard.reveal(space, true)", stack)
        here = page.evaluate(SPOTS, [stack, [stack]])
        if here is None:
            continue
        page.mouse.move(1, 1)
        page.mouse.click(*here[0])  # only to see where they can go
        settle(page)
        goals = [place for place in page.evaluate(LIT) if place != stack]
        for _ in range(2):
            page.keyboard.press("Escape")
        settle(page)
        spots = page.evaluate(SPOTS, [stack, goals])
        if spots is None:
            continue
        view = page.evaluate("() => ({ ...window.sandtableBoard.view })")
        pull(page, *spots)
        assert page.evaluate("() => ({ ...window.sandtableBoard.view })") == view, "the map stays where it is"
        if page.locator("[data-testid=confirm]").count():
            page.locator("[data-testid=confirm]").click()
            settle(page)
        if number(page) > before:
            figure(f"{game}: {number(page) - before} moves by one drag")
            return
        # a fleet asks for more than the place, and a path may need more steps: the next stack
        told.append(page.inner_text("[data-testid=dock]"))
        for _ in range(3):
            page.keyboard.press("Escape")
        settle(page)
    pytest.fail(f"nothing could be dragged: {told}")


def test_a_drag_where_they_cannot_go_tells_why(open_page: Any, server: Server) -> None:
    page = at_the_march(open_page, server, "blitzkrieg-general", "1939-basic", "germany")
    before = number(page)
    page.evaluate("() => window.sandtableBoard.fitAll()")
    page.wait_for_timeout(300)
    start, end = page.evaluate(
        """() => { const b = window.sandtableBoard, box = b.stage.getBoundingClientRect();
            b.revealAll(['prussia', 'moscow']);
            const pile = b.pilesAt('prussia').find((one) => one.counters.some((c) => b.scene.look.litUnits.has(c.id)));
            return [b.toScreen([pile.x, pile.y]), b.screenOf('moscow')]
                .map(([x, y]) => [box.left + x, box.top + y]) }"""
    )
    pull(page, start, end)
    toast = page.locator("[data-testid=toast]")
    toast.wait_for()
    assert "bg-8.1-neutral-area" in toast.inner_text()
    assert number(page) == before


@pytest.mark.parametrize("game", games())
def test_two_plans_are_compared_side_by_side(open_page: Any, server: Server, game: str) -> None:
    """Both stand there with their own figures, and either can be taken up again."""
    plans: list[Any] = []

    def has_two(match: Any) -> bool:
        role, rng = match.asked, Random(1)
        offers = match.offers(role)
        found = {}
        for action in [offers.sample(rng) for _ in range(12)]:
            card = shown(match, role, action)
            if card is not None and card.aim:
                found[repr(action)] = action
        plans[:] = list(found.values())[:2]
        return len(plans) == 2

    scenario = server.games()[game]["scenarios"][0]
    match = play(game, scenario["id"], has_two)
    made = carry_on(server, match, [{"roles": scenario["roles"], "kind": "person"}])
    page = open_page(made["seats"][0]["link"], viewport={"width": 1440, "height": 900})
    wait_for_table(page)
    if page.locator("[data-testid=curtain]").count():
        page.locator("[data-testid=curtain]").click()
    before = number(page)
    for action in plans:
        page.evaluate("(action) => window.sandtableSession.chooser.propose(action)", to_builtins(action))
        page.locator("[data-testid=odds]").wait_for()
        page.locator("[data-testid=pin]").click()
    pins = page.locator("[data-testid=pins] li")
    assert pins.count() == 2
    assert all("%" in pins.nth(place).inner_text() for place in (0, 1))
    assert serious(page) == []
    pins.nth(0).get_by_role("button").first.click()
    page.wait_for_function("() => window.sandtableSession.chooser.waits")
    ready = page.evaluate("() => JSON.stringify(window.sandtableSession.chooser.ready)")
    assert ready == page.evaluate("() => window.sandtableSession.chooser.pins[0].key")
    pins.nth(1).get_by_role("button").last.click()
    assert pins.count() == 1
    assert number(page) == before, "comparing commits to nothing"
    page.locator("[data-testid=confirm]").click()
    page.wait_for_function(f"() => window.sandtableSession.table.number > {before}")
    assert page.locator("[data-testid=pins]").count() == 0


@pytest.mark.parametrize("game", games())
def test_all_hits_are_taken_by_one_click(open_page: Any, server: Server, game: str, figure: Any) -> None:
    """As the odds assume it; whoever wants it otherwise takes them one by one."""
    scenario = server.games()[game]["scenarios"][0]
    match = play(game, scenario["id"], lambda match: len(match.game.losses(match, match.asked)) > 1)
    wanted = [to_builtins(action) for action in match.game.losses(match, match.asked)]
    made = carry_on(server, match, [{"roles": scenario["roles"], "kind": "person"}])
    page = open_page(made["seats"][0]["link"], viewport={"width": 1440, "height": 900})
    wait_for_table(page)
    if page.locator("[data-testid=curtain]").count():
        page.locator("[data-testid=curtain]").click()
    before = number(page)
    button = page.locator("[data-testid=take-all]")
    button.wait_for()
    assert f"all {len(wanted)} hits" in button.inner_text()
    assert serious(page) == []
    button.click()
    page.wait_for_function(f"() => window.sandtableSession.table.number >= {before + len(wanted)}")
    figure(f"{game}: {len(wanted)} hits in one click")


# ---- the odds of a march, of one unit and of several
FIGHT = "western_poland"


def picked(page: Any, units: int) -> None:
    """So many counters of the stack in Prussia are in the hand: infantry first, which has one way to go."""
    spot = spot_on_map(page, "prussia")
    assert spot is not None
    page.mouse.move(1, 1)
    page.mouse.move(*spot)
    page.locator("[data-testid=fan]").wait_for()
    lit = page.locator("[data-testid=fan] .chit.lit").evaluate_all("all => all.map((one) => one.dataset.unit)")
    for unit in sorted(lit, key=lambda one: "inf" not in one)[:units]:
        box = page.locator(f'[data-testid=fan] [data-unit="{unit}"]').bounding_box()
        page.mouse.click(box["x"] + 20, box["y"] + 20)
        settle(page)


def test_a_march_into_the_enemy_shows_its_odds_first(open_page: Any, server: Server) -> None:
    page = at_the_march(open_page, server, "blitzkrieg-general", "1939-basic", "germany")
    before = number(page)
    picked(page, 1)
    spot = spot_on_map(page, FIGHT)
    assert spot is not None
    page.mouse.click(*spot)
    card = page.locator("[data-testid=odds]")
    card.wait_for()
    assert "Germany: the attacker wins" in card.inner_text()
    assert "Whoever else comes" in card.inner_text(), "what it assumes"
    assert serious(page) == []
    page.locator("[data-testid=confirm]").click()
    page.wait_for_function(f"() => window.sandtableSession.table.number === {before + 1}")


def test_units_in_the_hand_are_weighed_together_where_one_points(open_page: Any, server: Server) -> None:
    """By the mouse and by keys; the figure is that of all of them, and it goes with the hand."""
    page = at_the_march(open_page, server, "blitzkrieg-general", "1939-basic", "germany")
    chance, found = page.locator("[data-testid=chance]"), []
    for units in (2, 3):
        picked(page, units)
        spot = spot_on_map(page, FIGHT)
        assert spot is not None
        page.mouse.move(*spot)
        chance.wait_for()
        assert "Western Poland, Germany: the attacker wins" in chance.inner_text()
        assert serious(page) == []
        found.append(chance.locator("b").inner_text())
        page.keyboard.press("Escape")
        chance.wait_for(state="detached")
    assert found[0] != found[1]
    picked(page, 3)
    page.keyboard.press("m")
    for _ in range(12):
        page.keyboard.press("g")
        if page.evaluate("() => window.sandtableBoard.cursor") == FIGHT:
            break
    chance.wait_for()
    assert chance.locator("b").inner_text() == found[1]
    before = number(page)
    page.keyboard.press("Enter")
    page.wait_for_function(f"() => window.sandtableSession.table.number === {before + 3}")
    assert chance.count() == 0
