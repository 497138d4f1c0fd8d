"""What the screen once said wrongly: labels, the dice page, the wash of the land for colour-blind eyes."""

from __future__ import annotations

import io
from collections import Counter
from typing import Any

import pytest

from .conftest import Server
from .hands import wait_for_table
from .positions import asks, carry_on, play
from .test_keys_and_eyes import serious

Image = pytest.importorskip("PIL.Image")


def test_no_name_has_two_pairs_of_brackets(open_page: Any, server: Server) -> None:
    page = open_page(server.new_match("blitzkrieg-general", [], "1941-advanced")["seats"][0]["link"])
    wait_for_table(page)
    names = page.evaluate(
        """() => { const s = window.sandtableSession;
            return Object.values(s.table.stacks).flat().map((one) => s.namer.unitName(one.id)) }"""
    )
    assert any(name.endswith("(4)") for name in names), "an HQ and its rating"
    assert not [name for name in names if "((" in name]


def test_the_dice_page_explains_itself_before_the_end(open_page: Any, server: Server) -> None:
    made = server.new_match("hitlers-war", [])
    page = open_page(f"/dice/{made['match']}")
    loud: list[str] = []
    page.on("console", lambda line: loud.append(line.text) if line.type == "error" else None)
    page.reload()
    seal = page.locator("[data-testid=seal] code")
    seal.wait_for()
    assert len(seal.inner_text()) == 64
    assert "still sealed" in page.inner_text("main")
    assert loud == []
    assert serious(page) == []


def test_colour_blind_eyes_see_no_printed_wash(open_page: Any, server: Server) -> None:
    """The colours of countries on the paper go: without the marks of control all land looks the same."""
    link = server.new_match("ww2-europe", [], "spring-1941")["seats"][0]["link"]
    spread = {}
    for safe in (False, True):
        page = open_page(link)
        wait_for_table(page)
        look = {"safeColours": safe, "control": False, "labels": False, "inset": False, "playback": "off"}
        page.evaluate("(look) => localStorage.setItem('sandtable.settings', JSON.stringify(look))", look)
        page.reload()
        wait_for_table(page)
        page.evaluate("() => window.sandtableBoard.fitAll()")
        page.evaluate("() => { window.sandtableBoard.things.style.visibility = 'hidden' }")  # the paper alone
        page.wait_for_function("() => window.sandtableBoard.ground.painter.open.size === 0")
        page.wait_for_timeout(300)
        picture = Image.open(io.BytesIO(page.locator("[data-testid=board]").screenshot())).convert("HSV")
        small = picture.resize((120, 80))
        colours = Counter(small.getpixel((x, y)) for x in range(120) for y in range(80))
        spread[safe] = len({hue // 8 for (hue, grey, _), n in colours.items() if grey > 30})
    assert spread[True] < spread[False], spread


GERMAN = "localStorage.setItem('sandtable.settings', JSON.stringify({ language: 'de', playback: 'off' }))"


@pytest.mark.parametrize(("game", "word"), [("ww2-europe", "unwegsames Gebirge"), ("munich-war", "Sumpf")])
def test_a_thing_has_the_word_that_the_games_book_has(open_page: Any, server: Server, game: str, word: str) -> None:
    """The game's own German word where it has one, else the usual one."""
    roles = server.games()[game]["scenarios"][0]["roles"]
    page = open_page(server.new_match(game, [{"roles": roles, "kind": "person"}])["seats"][0]["link"])
    page.evaluate(f"() => {GERMAN}")
    page.reload()
    wait_for_table(page)
    page.keyboard.press("r")
    page.get_by_role("button", name="Legende").click()
    page.locator("[data-testid=legend]").wait_for()
    assert word in page.inner_text("[data-testid=legend]")


def test_a_battle_that_is_only_announced_is_not_the_last_one(open_page: Any, server: Server) -> None:
    """In Hitler's War attacks are named before any of them is carried out."""

    def announced(match: Any) -> bool:
        return match.asked == "soviet" and asks(match, {"defend"}) and match.state.rolled == 0

    match = play("hitlers-war", "barbarossa", announced)
    seats = [{"roles": ["soviet"], "kind": "person"}, {"roles": ["axis"], "kind": "person"}]
    page = open_page(carry_on(server, match, seats)["seats"][0]["link"])
    wait_for_table(page)
    page.wait_for_function("() => window.sandtableSession.isAsked && window.sandtableSession.news.length")
    news = page.evaluate("() => window.sandtableSession.news.map((line) => [line.scene.kind, line.dice.length])")
    assert "fight" in [kind for kind, _ in news], "attacks are announced"
    assert not any(dice for _, dice in news), "and none is fought"
    assert page.locator(".last-fight").count() == 0
