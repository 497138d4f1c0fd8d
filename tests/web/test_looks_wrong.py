"""'This looks wrong': a report made in the browser becomes a test that fails where its expectation is missing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.games import games
from sandtable.host import reports
from tests.cli.test_report import make_checkout, run_tests

from .conftest import HOME, Server
from .hands import wait_for_table
from .positions import carry_on, play

SENTENCE = "The rulebook says otherwise."
TRIES = 6


def with_odds(match: Any) -> tuple[str, Any] | None:
    """A role that is asked, and an action of it that has odds."""
    rng = Random(match.number)
    for role in match.decisions():
        offers = match.offers(role)
        for _ in range(TRIES):
            action = offers.sample(rng)
            if match.preview(role, action) is not None:
                return role, action
    return None


def say_so(page: Any, within: str, folder: Path) -> Path:
    """Press the first button there, write the sentence, and keep the file."""
    page.locator(within).get_by_test_id("looks-wrong").first.click()
    page.get_by_label("What should have happened?").fill(SENTENCE)
    with page.expect_download() as started:
        page.get_by_test_id("report-save").click()
    path = folder / started.value.suggested_filename
    started.value.save_as(path)
    page.get_by_test_id("report-saved").wait_for()
    page.get_by_test_id("report").get_by_role("button", name="Close").click()
    page.get_by_test_id("report").wait_for(state="detached")
    return path


def becomes_a_failing_test(path: Path, checkout: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "sandtable.cli", "report", str(path), "--checkout", str(checkout), "--json"]
    told = subprocess.run(command, cwd=HOME, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    result: dict[str, Any] = json.loads(told.stdout)
    ran = run_tests(checkout, f"{result['written']['file']}::{result['written']['test']}")
    assert f"write down what should happen: {SENTENCE}" in ran.stdout, ran.stdout
    assert "1 failed" in ran.stdout
    return result


def takes_an_expectation(result: dict[str, Any], checkout: Path) -> None:
    """Written in where the test asks for it, the expectation is what the test hangs on."""
    source = checkout / result["written"]["file"]
    skeleton = source.read_text()
    last = skeleton.splitlines()[-1]
    assert last.lstrip().startswith("pytest.fail(")
    for expectation, found in (("assert answer == wanted", "1 failed"), ("assert answer != wanted", "1 passed")):
        source.write_text(skeleton.replace(last, f"    {expectation}"))
        ran = run_tests(checkout, f"{result['written']['file']}::{result['written']['test']}")
        assert found in ran.stdout, ran.stdout


@pytest.mark.parametrize("game", games())
def test_a_report_becomes_a_failing_test(open_page: Any, server: Server, tmp_path: Path, game: str) -> None:
    """One side at a running match disagrees with a line of the log, with odds, and with a refusal."""
    scenario = server.games()[game]["scenarios"][0]
    match = play(game, scenario["id"], lambda match: match.number > 30 and with_odds(match) is not None)
    found = with_odds(match)
    assert found is not None
    role, action = found
    rest = [other for other in match.roles if other != role]
    seats = [{"roles": [role], "kind": "person"}, {"roles": rest, "kind": "person"}]
    made = carry_on(server, match, seats)
    page = open_page(next(seat["link"] for seat in made["seats"] if seat["roles"] == [role]))
    wait_for_table(page)
    checkout = make_checkout(tmp_path / "checkout")

    page.get_by_role("tab", name="Log").click()
    line = becomes_a_failing_test(say_so(page, "aside .lines", tmp_path), checkout)
    assert (line["about"]["what"], line["known"], line["role"]) == ("event", "view", role)
    newest = page.evaluate("() => window.sandtableSession.log.at(-1)")
    assert (line["about"]["text"], line["at"]) == (newest["text"], newest["number"] - 1)

    page.get_by_role("tab", name="Play").click()
    page.evaluate(
        """async (action) => { const c = window.sandtableSession.chooser;
            c.begin(c.offers.find((offer) => offer.verb === action.do));
            await c.finish(action, false); }""",
        msgspec.to_builtins(action),
    )
    page.get_by_test_id("odds").wait_for()
    odds = becomes_a_failing_test(say_so(page, "[data-testid=odds]", tmp_path), checkout)
    assert (odds["about"]["what"], odds["at"]) == ("odds", match.number)
    assert match.parse(odds["about"]["action"]) == action
    assert odds["engine"]["same"]
    assert odds["written"]["file"].endswith("/odds/test_reported.py")

    old = [entry.action for entry in match.log if match.why_not(role, entry.action) is not None]
    page.evaluate("(action) => window.sandtableSession.act(action)", msgspec.to_builtins(old[-1]))
    no = becomes_a_failing_test(say_so(page, "[data-testid=toast]", tmp_path), checkout)
    refusal = match.why_not(role, old[-1])
    assert refusal is not None
    assert (no["about"]["what"], no["rule"]["id"]) == ("refusal", refusal.rule)
    assert no["about"]["text"] == match.explain(refusal)
    assert no["engine"]["same"]
    takes_an_expectation(no, checkout)


def test_who_holds_all_seats_reports_the_whole_match(open_page: Any, server: Server, tmp_path: Path) -> None:
    """In a replay as well, where the line of the move stands under the map."""
    game = games()[0]
    scenario = server.games()[game]["scenarios"][0]
    match = play(game, scenario["id"], lambda match: match.number > 12)
    made = carry_on(server, match, [{"roles": list(match.roles), "kind": "person"}])
    page = open_page(made["seats"][0]["link"])
    wait_for_table(page)
    told = page.evaluate("() => window.sandtableSession.log.map((line) => line.number)")
    page.goto(f"{server.address}/replay/{made['match']}?at={told[-1]}")
    path = say_so(page, "aside .prompt", tmp_path)
    report = reports.read(path.read_bytes())
    assert isinstance(report.known, reports.Played)
    again = reports.position(report, verify=True)
    first = sandtable.load(sandtable.save(match), to=report.at)
    assert (report.at, again.digest()) == (told[-1] - 1, first.digest())
