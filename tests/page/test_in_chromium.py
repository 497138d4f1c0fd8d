"""The built page in Chromium, from a plain static server in some folder, with all other network blocked."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest

import sandtable
from sandtable.games import registered
from sandtable.page.site import Sources, write
from tests.web.hands import Hands, number, wait_for_table
from tests.web.test_lessons import Pupil

from .conftest import DEMO, HOME, PATIENCE, Browser, Site

HAND = (HOME / "tests" / "page" / "hand.js").read_text(encoding="utf-8")
KILLS = int(os.environ.get("SANDTABLE_KILLS", "3"))
"""How often the tab is killed. 100 takes about ten minutes."""
READY = "() => window.sandtablePage && !document.querySelector('[data-testid=engine]')"
CREATE = "(wish) => window.sandtablePage.createMatch(wish)"
FILE = "([match, seat]) => window.sandtablePage.fileOf(match, seat)"
OPEN = """([match, seat, seed]) => {
    window.hand = new sandtableHand(window.sandtablePage, match, seat, seed, window.tell ?? (() => undefined));
    return window.hand.first.then((state) => state.info.number);
}"""


def ready(page: Any) -> Any:
    page.wait_for_function(READY)
    page.evaluate(HAND)
    return page


def create(page: Any, game: str, scenario: str, seats: list[dict[str, Any]]) -> tuple[str, str]:
    """Start a match; returns its name and the secret of the person's seat."""
    made = page.evaluate(CREATE, {"game": game, "scenario": scenario, "seats": seats})
    return made["match"], made["seats"][0]["secret"]


def against_captain(game: str, scenario: str) -> list[dict[str, Any]]:
    """The first alliance is the person's, the others are the computer's."""
    found = registered(game)
    roles = found.roles_in(scenario)
    mine = next(list(side) for side in found.alliances.values() if roles[0] in side) if found.alliances else [roles[0]]
    held = [role for role in roles if role in mine]
    rest = [{"roles": [role], "kind": "computer", "level": "captain"} for role in roles if role not in held]
    return [{"roles": held, "kind": "person"}, *rest]


def test_somebody_opens_the_page_and_plays_against_the_computer(browser: Browser, site: Site, tmp_path: Path) -> None:
    """By clicks: the lobby, a match, odds, why not, the log, replay, the file; and all of it offline."""
    page = browser.open(site.address)
    page.get_by_role("button", name="Hitler's War").click()  # the lobby is there before the engine
    page.locator("[data-testid=quick]").first.click()
    wait_for_table(page)
    assert page.url.startswith(f"{site.address}#/m/")
    hands = Hands(page, seed=4, rush=0.4)
    assert hands.play_until(lambda _: page.locator("[data-testid=odds]").count() > 0, PATIENCE)
    assert page.locator("[data-testid=odds]").count() > 0
    hands.rush = 0.95
    assert hands.play_until(lambda sight: sight["turn"] != "Summer 1941", PATIENCE)
    moves = page.evaluate("() => window.sandtableSession.ask({ type: 'moves' })")
    assert {move["role"] for move in moves} >= {"axis", "soviet"}, "the computer has played too"
    refused = page.evaluate(
        """() => window.sandtableSession.ask({ type: 'why-not', role: 'axis',
            action: window.sandtableSession.chooser.offers[0].actions?.[0] ?? { do: 'resign' } })"""
    )
    assert refused["allowed"] is True
    last, match = number(page), page.url.rpartition("/")[2]
    page.wait_for_function("() => navigator.serviceWorker.ready.then((found) => Boolean(found.active))")
    site.stop()  # no network at all from here on
    page.goto(f"{site.address}#/replay/{match}")
    page.reload()
    page.locator("[data-testid=scrubber]").wait_for()
    page.locator("[data-testid=scrubber]").focus()
    page.keyboard.press("End")
    page.wait_for_function("(n) => window.sandtableReplay.shown() === n", arg=last)
    page.goto(f"{site.address}#/m/{match}")
    wait_for_table(page)
    assert number(page) == last
    assert hands.play_until(lambda sight: sight["number"] > last + 3, PATIENCE)
    ready(page)
    page.get_by_role("link", name="Lobby").click()
    page.get_by_text("Your move").or_(page.get_by_text("Waiting for")).first.wait_for()
    page.get_by_role("button", name="Hitler's War").first.click()
    page.locator("[data-testid=learn] summary").click()
    page.locator("[data-lesson]").first.click()
    page.wait_for_selector("[data-testid=lesson]")
    Pupil(page).finish()
    page.goto(site.address)
    ready(page)
    with page.expect_download() as saving:
        page.locator("[data-testid=save-all]").click()
    saved = tmp_path / "all.json"
    saving.value.save_as(saved)
    assert match in saved.read_text()


@pytest.mark.parametrize(("game", "scenario"), [("hitlers-war", "barbarossa"), ("blitzkrieg-general", "1939-basic")])
def test_a_whole_match_against_captain_leaves_as_a_file_and_comes_back(
    browser: Browser, site: Site, game: str, scenario: str
) -> None:
    page = ready(browser.open(site.address))
    match, seat = create(page, game, scenario, against_captain(game, scenario))
    page.evaluate(OPEN, [match, seat, 5])
    info = page.evaluate("() => window.hand.play()")
    assert info["over"], info
    file = page.evaluate(FILE, [match, seat])
    played = sandtable.load(file.encode())  # every digest is compared: natively it is the same match
    assert played.over
    assert played.number == info["number"]
    assert {entry.role for entry in played.log} == set(registered(game).roles_in(scenario))
    older = sorted((HOME / "tests" / "games" / game.replace("-", "_") / "saved").glob("*.sandtable"))
    for text in (file, *(path.read_text(encoding="utf-8") for path in older[:1])):  # older rules come with the match
        again = page.evaluate("(file) => window.sandtablePage.importMatch(file)", text)
        assert page.evaluate(FILE, [again["match"], None]) == text


class Witness:
    """Notes what a hand sends, before it is sent, and what the host acknowledges."""

    def __init__(self) -> None:
        self.sent: dict[str, dict[str, Any]] = {}
        self.acted: dict[str, int] = {}

    def told(self, word: dict[str, Any]) -> None:
        if "acted" in word:
            assert self.acted.setdefault(word["id"], word["acted"]) == word["acted"]
        else:
            self.sent[word["sent"]] = word["wish"]

    def look_into(self, page: Any) -> bool:
        """Send again what was not answered, compare with what is kept; returns whether the match is over."""
        for name, wish in self.sent.items():
            if name not in self.acted:
                answer = page.evaluate("([wish, id]) => window.hand.ask(wish, id)", [wish, name])
                if answer.get("acted"):
                    self.acted[name] = answer["acted"]
        self.sent.clear()
        moves = page.evaluate("() => window.hand.ask({ type: 'moves' })")["value"]
        assert [move["n"] for move in moves] == list(range(1, len(moves) + 1))
        assert sorted(self.acted.values()) == list(range(1, len(moves) + 1)), "a move is lost, or made twice"
        return bool(page.evaluate("() => window.hand.state.info.over"))


def test_a_killed_tab_loses_nothing_that_was_acknowledged(browser: Browser, site: Site) -> None:
    """Killed at random in the middle of moves. What was on its way is sent again, and made once."""
    rng, made = Random(8), 0
    page = ready(browser.open(site.address))
    match, seat, witness = "", "", Witness()

    def tell(word: dict[str, Any]) -> None:
        witness.told(word)

    browser.context.expose_function("tell", tell)
    for kill in range(KILLS):
        if not match:
            match, seat = create(page, DEMO, "war", [{"roles": ["red", "blue", "green"], "kind": "person"}])
            made, witness = made + len(witness.acted), Witness()
        page.evaluate(HAND)
        page.evaluate(OPEN, [match, seat, kill])
        page.evaluate("() => void window.hand.play()")
        page.wait_for_timeout(rng.randrange(20, 900))
        if kill % 3 == 2:
            browser.kill()
            browser.context.expose_function("tell", tell)
        else:
            with page.expect_event("crash"):
                browser.kill_tabs()
            page.close()
        page = ready(browser.open(site.address))
        page.evaluate(OPEN, [match, seat, 1000 + kill])
        if witness.look_into(page):
            match = ""
    assert made + len(witness.acted) > 2 * KILLS


def test_two_tabs_at_one_match_do_not_hurt_each_other(browser: Browser, site: Site) -> None:
    one = ready(browser.open(site.address))
    match, seat = create(one, DEMO, "war", [{"roles": ["red", "blue", "green"], "kind": "person"}])
    two = ready(browser.open(site.address))
    for page, seed in ((one, 1), (two, 2)):
        page.evaluate(OPEN, [match, seat, seed])
    for page in (one, two):
        page.evaluate("() => void (window.played = window.hand.play(20))")
    made = [page.evaluate("() => window.played.then(() => window.hand.state.info)") for page in (one, two)]
    for page in (one, two):  # each has heard of what the other did
        page.wait_for_function("(n) => window.hand.state.info.number >= n", arg=max(info["number"] for info in made))
    moves = [page.evaluate("() => window.hand.ask({ type: 'moves' })")["value"] for page in (one, two)]
    assert moves[0] == moves[1]
    assert [move["n"] for move in moves[0]] == list(range(1, len(moves[0]) + 1))
    assert made[0]["over"] or len(moves[0]) >= 40
    file = one.evaluate("() => window.sandtablePage.save()")
    assert json.loads(file)["sandtable_page"] == 1


def test_a_new_version_waits_until_the_last_tab_of_the_old_one_is_closed(
    browser: Browser, written: Path, sources: Sources, tmp_path: Path
) -> None:
    shutil.copytree(written, tmp_path / "site")
    site = Site(tmp_path / "site")
    try:
        page = browser.open(site.address)
        page.wait_for_function(
            "() => navigator.serviceWorker.ready.then((found) => found.active.state === 'activated')"
        )
        games = page.locator(".game")
        games.first.wait_for()
        before = games.count()
        write(tmp_path / "site" / Site.FOLDER, sources)  # another version: without the demonstration game
        page.reload()
        page.get_by_text("A newer version of this page is ready").wait_for()
        assert games.count() == before
        page.goto("about:blank")
        page.close()
        page = browser.open(site.address)
        page.locator(".game").first.wait_for()
        page.wait_for_function("(before) => document.querySelectorAll('.game').length === before - 1", arg=before)
    finally:
        site.stop()


def test_documentation_beside_the_page_is_not_taken_for_it(browser: Browser, written: Path, tmp_path: Path) -> None:
    shutil.copytree(written, tmp_path / "site")
    (tmp_path / "site" / Site.FOLDER / "docs").mkdir()
    (tmp_path / "site" / Site.FOLDER / "docs" / "index.html").write_text("<h1>The documentation</h1>")
    site = Site(tmp_path / "site")
    try:
        page = browser.open(site.address)
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        page.goto(f"{site.address}docs/")
        assert page.inner_text("h1") == "The documentation"
        page.goto(f"{site.address}?game=hitlers-war")
        page.locator(".game").first.wait_for()
    finally:
        site.stop()


def test_a_browser_that_refuses_storage_still_plays_and_says_so(browser: Browser, site: Site) -> None:
    def refuse(route: Any) -> None:
        answer = route.fetch()
        broken = "indexedDB.open = () => { throw new Error('refused'); };"
        route.fulfill(response=answer, body=f"{broken}\n{answer.text()}")

    browser.context.route("**/engine.worker-*.js", refuse)
    page = ready(browser.open(site.address))
    page.get_by_text("keeps nothing for this page").wait_for()
    page.locator("[data-testid=quick]").first.click()
    wait_for_table(page)


def test_a_full_storage_gets_a_sentence_and_changes_nothing(browser: Browser, site: Site) -> None:
    quota = browser.context.new_cdp_session(browser.open(f"{site.address}manifest.webmanifest"))
    origin = site.address.partition("/some")[0]
    quota.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1})
    page = ready(browser.open(site.address))
    page.locator("[data-testid=quick]").first.click()
    page.get_by_text("Nothing has changed").wait_for()
    assert page.evaluate("() => window.sandtablePage.matches([], 'en')") == []
    quota.send("Storage.overrideQuotaForOrigin", {"origin": origin})
    page.locator("[data-testid=quick]").first.click()
    wait_for_table(page)
