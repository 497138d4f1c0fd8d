"""Stories: written in the replay, published, read by a stranger at a move, shown within another page, and on paper."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from sandtable.core import Match, replay
from sandtable.games import find

from .conftest import MAIN, Server, Trouble
from .hands import Hands, number, wait_for_table

SVG = "{http://www.w3.org/2000/svg}"
SHOWN = "(n) => window.sandtableReplay?.shown() === n && window.sandtableReplay.story()"


@pytest.fixture(scope="module")
def finished() -> str:
    """The file of a finished match."""
    game = find(MAIN)
    scenario = min(game.scenarios, key=lambda one: game.scenarios[one].turns or 99)
    match, rng = Match.new(game, scenario, seed="story"), Random(1)
    while not match.over:
        role = match.decisions()[0]
        match.apply(role, match.offers(role).sample(rng))
    return replay.save(match).decode()


def bring_in(server: Server, file: str) -> tuple[str, str]:
    """A match from its file, and the secret of who brought it in."""
    made = server.call("/api/matches/import", {"file": file})
    return made["match"], made["seats"][0]["secret"]


def click_space(page: Any, place: int) -> str:
    """Click a space that can be seen and holds no counters; returns its id."""
    space, x, y = page.evaluate(
        """(place) => {
            const board = window.sandtableBoard;
            const free = board.sheets.flatMap((sheet) => sheet.spaces).filter((one) => {
                const at = board.screenOf(one.id);
                return at && at[0] > 60 && at[1] > 60 && at[0] < board.width - 60 && at[1] < board.height - 60
                    && board.find(at[0], at[1])?.space === one.id && board.pilesAt(one.id).length === 0;
            });
            const one = free[Math.floor((place * free.length) / 10)];
            return [one.id, ...board.screenOf(one.id)];
        }""",
        place,
    )
    page.get_by_test_id("board").click(position={"x": x, "y": y})
    return str(space)


def story_of(page: Any) -> Any:
    return page.evaluate("() => window.sandtableReplay.story()")


def wait_for_notes(page: Any, count: int) -> None:
    page.wait_for_function("(n) => window.sandtableReplay.story()?.notes.length === n", arg=count)


def images_in(pdf: bytes) -> int:
    return len(re.findall(rb"/Subtype\s*/Image", pdf))


def pages_in(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def write_a_story(page: Any) -> tuple[str, str, str]:
    """Two notes, one with a mark and an arrow; returns the spaces."""
    page.get_by_role("tab", name="Story").click()
    page.get_by_test_id("note").fill("The front breaks here.\nNobody saw it coming.")
    page.get_by_test_id("tool-mark").click()
    wait_for_notes(page, 1)  # what is written is kept when another thing is touched
    marked = click_space(page, 2)
    page.get_by_test_id("tool-arrow").click()
    start, end = click_space(page, 3), click_space(page, 7)
    page.wait_for_function("() => window.sandtableReplay.story().notes[0].arrows.length === 1")
    assert page.get_by_test_id("chip").count() == 2
    page.get_by_role("button", name="One move on").click()
    page.wait_for_function("() => document.querySelector('[data-testid=note]').value === ''")
    page.get_by_test_id("note").fill("And then this.")
    page.get_by_role("button", name="One move on").click()
    wait_for_notes(page, 2)
    return marked, start, end


def test_a_story_from_the_first_note_to_paper(open_page: Any, server: Server, finished: str) -> None:
    match, secret = bring_in(server, finished)
    page = open_page(f"/replay/{match}?at=20#seat={secret}")
    page.wait_for_function(SHOWN, arg=20)
    marked, start, end = write_a_story(page)
    told = story_of(page)
    assert [note["at"] for note in told["notes"]] == [20, 21]
    assert (told["notes"][0]["spaces"], told["notes"][0]["arrows"]) == ([marked], [[start, end]])

    # a variation is played on a branch and taken into the story
    page.get_by_test_id("go-note").first.click()
    page.wait_for_function(SHOWN, arg=20)
    page.get_by_test_id("play-variation").click()
    page.wait_for_url("**/m/*")
    wait_for_table(page)
    assert Hands(page, seed=4).play_until(lambda sight: sight["number"] >= 23 and not sight["curtain"])
    reached = number(page)
    stacks = page.evaluate("() => JSON.stringify(window.sandtableSession.table.stacks)")
    page.goto(f"{server.address}/replay/{match}?at=20")
    page.wait_for_function(SHOWN, arg=20)
    page.get_by_role("tab", name="Story").click()
    page.get_by_test_id("about-variation").fill("What if they had waited?")
    page.get_by_test_id("add-variation").click()
    page.get_by_test_id("show-variation").click()
    page.get_by_test_id("variation").get_by_text("What if they had waited?").wait_for()
    page.wait_for_function(SHOWN, arg=reached)
    assert page.get_by_test_id("variation-move").inner_text() == f"{reached - 20} / {reached - 20}"
    page.get_by_test_id("variation-close").click()
    page.wait_for_function(SHOWN, arg=20)

    # published, it is read by whoever has the link, at the move that it names
    page.get_by_test_id("story-title").fill("How the line broke")
    page.get_by_test_id("publish").click()
    page.get_by_test_id("is-published").wait_for()
    link = page.get_by_test_id("link").input_value()
    assert link.endswith(f"/story/{match}?n=1&at=20")
    assert secret not in link
    stranger = open_page(link.removeprefix(server.address))
    stranger.get_by_text("How the line broke").first.wait_for()
    stranger.wait_for_function("() => window.sandtableStory.shown() === 20")
    assert stranger.evaluate("() => window.sandtableStory.drawn().arrows") == [[start, end]]
    assert stranger.locator("[data-testid=story-note].now").get_attribute("data-at") == "20"
    assert stranger.get_by_test_id("note").count() == 0, "a stranger reads"
    stranger.get_by_test_id("next-note").click()
    stranger.wait_for_function("() => window.sandtableStory.shown() === 21")
    assert stranger.url.endswith("n=1&at=21"), "the address is a link to what is read"
    stranger.get_by_test_id("show-variation").click()
    stranger.wait_for_function("(n) => window.sandtableStory.shown() === n", arg=reached)
    shown = server.call(f"/api/matches/{match}/table?at=20")
    assert json.dumps(shown["stacks"]) != stacks

    # on paper: every note with its map, and nothing that only a screen needs
    stranger.locator("[data-testid=story][data-pictures=done]").wait_for()
    stranger.emulate_media(media="print")
    assert not stranger.get_by_test_id("board").is_visible()
    assert stranger.get_by_text("Nobody saw it coming.").is_visible()
    assert stranger.locator("article figure img").count() == 2
    pdf = stranger.pdf(format="A4")
    assert pdf.startswith(b"%PDF")
    assert images_in(pdf) >= 2
    assert 1 <= pages_in(pdf) <= 3

    # withdrawn, it is gone
    page.get_by_test_id("unpublish").click()
    page.get_by_test_id("is-published").wait_for(state="hidden")
    late = open_page(link.removeprefix(server.address))
    late.get_by_text("there is no such story, or it is not published").wait_for()


@contextmanager
def another_site(body: str) -> Iterator[str]:
    """A site of somebody else, with one page."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(f"<!doctype html><link rel='icon' href='data:,'>{body}".encode())

        def log_message(self, *words: Any) -> None:
            """Say nothing."""

    site = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    Thread(target=site.serve_forever, daemon=True).start()
    yield f"http://localhost:{site.server_address[1]}/"
    site.shutdown()


def test_a_story_is_shown_within_another_page_and_no_other_page_is(
    chromium: Any, server: Server, finished: str
) -> None:
    match, secret = bring_in(server, finished)
    note = {"at": 9, "text": "Seen from elsewhere.", "version": 0}
    server.call(f"/api/matches/{match}/story/annotate", note, secret)
    cover = {"title": "Far away", "eyes": "", "published": True, "version": 1}
    server.call(f"/api/matches/{match}/story/publish", cover, secret)
    page = chromium.new_page()
    page.set_default_timeout(60_000)
    trouble = Trouble(page)
    whole, embedded = (f"{server.address}/story/{match}?n=1{more}" for more in ("", "&embed=1"))
    with another_site(f"<iframe src='{embedded}' width=900 height=560></iframe>") as elsewhere:
        page.goto(elsewhere)
        inside = page.frame_locator("iframe")
        inside.get_by_test_id("embed").wait_for()
        inside.get_by_text("Seen from elsewhere.").wait_for()
        assert inside.locator("nav, header, aside").count() == 0, "no chrome"
        assert inside.get_by_role("link", name="Far away").get_attribute("target") == "_blank"
    policies = {one: page.request.get(one).headers["content-security-policy"] for one in (whole, embedded)}
    assert "frame-ancestors 'none'" in policies[whole]
    assert "frame-ancestors *" in policies[embedded]
    page.close()
    assert trouble.found == []


def test_what_can_be_taken_home(open_page: Any, server: Server, finished: str, tmp_path: Path) -> None:
    match, secret = bring_in(server, finished)
    page = open_page(f"/replay/{match}?at=20#seat={secret}")
    page.wait_for_function(SHOWN, arg=20)
    write_a_story(page)
    page.get_by_role("tab", name="Story").click()
    page.get_by_test_id("go-note").first.click()
    page.wait_for_function(SHOWN, arg=20)
    page.get_by_role("tab", name="Export").click()

    def taken(what: str) -> bytes:
        with page.expect_download() as waiting:
            page.get_by_test_id(f"export-{what}").click()
        path = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(path)
        return path.read_bytes()

    assert taken("file").decode() == finished
    annotated = taken("annotated").decode()
    assert annotated.partition("\n")[2] == finished.partition("\n")[2]
    again, own = bring_in(server, annotated)
    assert server.get(f"/api/matches/{again}/story", own)["notes"] == story_of(page)["notes"]
    assert taken("png").startswith(b"\x89PNG")
    drawing = ET.fromstring(taken("svg"))
    groups = {group.get("id"): len(group) for group in drawing.iter(f"{SVG}g") if group.get("id")}
    assert groups["arrows"] == 2 + len(server.get(f"/api/matches/{match}/table?at=20").get("arrows", [])) * 2
    assert groups["marked"] == 1
    assert groups["counters"] > 3
    assert groups["names"] > 3
    page.get_by_test_id("film-from").fill("18")
    page.get_by_test_id("film-to").fill("20")
    film = taken("webm")
    assert film.startswith(b"\x1a\x45\xdf\xa3")
    assert b"webm" in film[:64]
    assert re.search(rb"V_VP[89]", film)
    assert len(film) > 10_000


def test_the_report_has_curves_and_a_map_of_every_turn(open_page: Any, server: Server, finished: str) -> None:
    match, secret = bring_in(server, finished)
    server.call(f"/api/matches/{match}/story/annotate", {"at": 9, "text": "Here it was lost.", "version": 0}, secret)
    page = open_page(f"/replay/{match}#seat={secret}")
    page.wait_for_function(SHOWN, arg=0)
    page.get_by_role("tab", name="Export").click()
    page.get_by_test_id("export-report").click()
    report = page.locator("[data-testid=report][data-pictures=done]")
    report.wait_for()
    turns = page.get_by_test_id("report-turn").count()
    assert turns == len(
        page.evaluate(
            "async (m) => [...new Set((await (await fetch(`/api/matches/${m}/log`)).json()).map((l) => l.turn))]", match
        )
    )
    assert page.locator("figure img").count() == turns + 1, "a map for each turn and for the note"
    assert report.locator("svg polyline").count() >= 2
    assert page.get_by_text("Here it was lost.").is_visible()
    luck = page.get_by_test_id("luck")
    assert luck.locator("tbody tr").count() >= 2, "the luck of each side"
    assert luck.locator("details[open]").count() == 1
    pdf = page.pdf(format="A4")
    assert pdf.startswith(b"%PDF")
    assert images_in(pdf) >= turns + 1
    assert pages_in(pdf) >= turns // 2


def test_a_stranger_tells_it_in_their_own_words_from_a_copy(open_page: Any, server: Server, finished: str) -> None:
    match, _ = bring_in(server, finished)
    page = open_page(f"/replay/{match}?at=5")
    page.wait_for_function(SHOWN, arg=5)
    page.get_by_role("tab", name="Story").click()
    assert page.get_by_test_id("note").count() == 0
    page.get_by_test_id("tell-copy").click()
    page.wait_for_url(lambda url: "/replay/" in url and match not in url)
    page.wait_for_function(SHOWN, arg=5)
    page.get_by_role("tab", name="Story").click()
    page.get_by_test_id("note").fill("Mine.")
    page.get_by_test_id("tool-mark").click()
    wait_for_notes(page, 1)


def test_notes_of_a_running_match_are_seen_by_their_writer_alone(open_page: Any, server: Server) -> None:
    roles = server.games()[MAIN]["scenarios"][0]["roles"]
    made = server.new_match(MAIN, [{"roles": roles[:1]}, {"roles": roles[1:]}])
    mine, theirs = made["seats"]
    page = open_page(f"/replay/{made['match']}#seat={mine['secret']}")
    page.wait_for_function(SHOWN, arg=0)
    page.get_by_role("tab", name="Story").click()
    page.get_by_test_id("note").fill("I shall attack at dawn.")
    page.get_by_test_id("tool-mark").click()
    wait_for_notes(page, 1)
    assert page.get_by_test_id("publish").count() == 0
    page.get_by_text("A story can be published when the match is over.").wait_for()
    for seat in (f"#seat={theirs['secret']}", ""):
        other = open_page(f"/replay/{made['match']}{seat}")
        other.wait_for_function(SHOWN, arg=0)
        other.get_by_role("tab", name="Story").click()
        assert story_of(other)["notes"] == []
        assert "dawn" not in other.content()
