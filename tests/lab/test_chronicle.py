"""The chronicle of matches: dates and absurdities are noted, summed up, printed and written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable.cli.app import main
from sandtable.core import Match
from sandtable.games import find
from sandtable.lab import balance
from sandtable.lab.chronicles import Dated, Diary, blamed, cells, dated, in_words
from sandtable.lab.curves import turn_names
from sandtable.lab.lines import Lines
from sandtable.lab.report import html
from sandtable.lab.simulate import Record, jobs, simulate, summarize
from tests.demo.board import CAPITALS
from tests.lab.crowns import GAME

CROWNS = "tests.lab.crowns:GAME"
DEMO = "tests.demo.game:GAME"
SEATS = {"red": "captain", "blue": "captain", "green": "colonel"}


@pytest.fixture(scope="module")
def played() -> list[Record]:
    return simulate(jobs(CROWNS, "war", {}, {}, 12, 3, 0.1))


def test_the_first_turn_at_whose_end_a_milestone_is_true_counts(played: list[Record]) -> None:
    fallen = [record.dates["red-falls"] for record in played]
    assert all(turn is None or 1 <= turn <= 5 for turn in fallen)
    assert None in fallen
    assert any(fallen)
    assert all(record.dates["begun"] == 0 and record.dates["peace"] is None for record in played)
    assert all("elsewhere" not in record.dates for record in played)
    # red's capital is lost in the turn that its milestone says, unless red took it back before the turn ended
    for record in played:
        lost = (record.blunders or {}).get("red", {}).get("capital lost: red", 0)
        assert lost == 1 or record.dates["red-falls"] is None


def test_a_date_is_not_changed_by_what_happens_later() -> None:
    match = Match.new(GAME, "war", seed="1")
    diary = Diary(GAME, match)
    fallen: Any = match.state
    state = GAME.codec.clone(fallen)
    state.owner = tuple(1 if place == CAPITALS[0] else owner for place, owner in enumerate(state.owner))
    for turn, now in enumerate((fallen, state, fallen, state), 1):
        diary.turn_ended(now, turn)
    assert diary.dates["red-falls"] == 2
    assert diary.dates["begun"] == 0


def test_watching_changes_nothing_and_costs_a_game_without_a_chronicle_no_copies(
    played: list[Record],
) -> None:
    plain = simulate(jobs(DEMO, "war", {}, {}, 12, 3, 0.1))
    assert [(r.winners, r.decisions) for r in plain] == [(r.winners, r.decisions) for r in played]
    assert all(record.dates == {} and record.blunders is None for record in plain)
    match = Match.new(find(DEMO), "war", seed="1")
    assert Diary(match.game, match).before(match.state) is None
    match = Match.new(GAME, "war", seed="1")
    before = Diary(GAME, match).before(match.state)
    assert before == match.state
    assert before is not match.state


def test_rows_leave_out_what_was_so_from_the_start() -> None:
    rows = dated(GAME, [{"begun": 0, "red-falls": turn, "peace": None} for turn in (4, None, 2, 3, 5)])
    assert [(row.id, row.matches, row.reached, row.first, row.median, row.last) for row in rows] == [
        ("red-falls", 5, 4, 2, 3, 5), ("peace", 5, 0, 0, 0, 0),
    ]  # fmt: skip
    names = ["spring", "summer", "autumn", "winter", "1942"]
    assert cells(rows[0], names) == (
        "the capital of red has fallen", "turn 3", "4 of 5", "turn 3 (autumn)", "turn 2 (summer) to turn 1942",
    )  # fmt: skip
    assert cells(rows[1], names) == ("nobody has a unit", "never", "0 of 5", "", "")


def test_absurdities_are_counted_by_name_and_by_the_level_of_those_to_blame() -> None:
    found = blamed(
        [(SEATS, {"red": {"a": 1, "b": 1}, "green": {"b": 2}}), (SEATS, {"blue": {"b": 3}}), (SEATS, {}), (SEATS, None)]
    )
    assert found == {"b": {"captain": 4, "colonel": 2}, "a": {"captain": 1}}
    assert list(found) == ["b", "a"]
    assert in_words(found, 3) == ["6 x b (captain 4, colonel 2)", "1 x a (captain 1)"]
    assert in_words({}, 3) == ["none in 3 matches"]


def test_the_balance_page_and_the_report_have_both(played: list[Record]) -> None:
    summary = summarize(CROWNS, played)
    page = balance.section(GAME, {"red": "recruit"}, played, summary, "./sandtable simulate")
    row = next(row for row in summary.dates if row.id == "red-falls")
    assert f"| the capital of red has fallen | turn 3 | {row.reached} of 12 | turn {row.median} |" in page
    assert "| nobody has a unit | never | 0 of 12 |  |  |" in page
    assert "the war has begun" not in page
    count = sum(record.blunders["red"].get("capital lost: red", 0) for record in played if record.blunders)
    assert f"- {count} x capital lost: red (recruit {count})\n" in page
    assert turn_names(played)[0] == "1"
    report = html(GAME, "war", {"red": "recruit"}, played, summary, "./sandtable simulate")
    assert f"<td>the capital of red has fallen</td><td>turn 3</td><td>{row.reached} of 12</td>" in report
    assert f"<li>{count} x capital lost: red (recruit {count})</li>" in report
    quiet = [msgspec.structs.replace(record, blunders={}) for record in played]
    again = balance.section(GAME, {"red": "recruit"}, quiet, summarize(CROWNS, quiet), "./sandtable simulate")
    assert "\n- none in 12 matches\n" in again


def test_a_file_of_matches_played_before_still_loads(tmp_path: Path) -> None:
    wanted, path = jobs(CROWNS, "war", {}, {}, 2, 3, 0.1), tmp_path / "lines.jsonl"
    simulate(wanted, kept=Lines(path))
    old = [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]
    for line in old:
        assert line["record"].pop("dates")
        assert line["record"].pop("blunders")
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in old))
    summary = summarize(CROWNS, simulate(wanted, kept=Lines(path)))
    assert (summary.matches, summary.dates, summary.watched, summary.blunders) == (2, [], 0, {})


def test_the_command_prints_both(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", CROWNS, "--scenario", "war", "--matches", "3", "--seed", "3"]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert "the capital of red has fallen" in told
    assert "absurdities:" in told
    assert "capital lost" in told
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["watched"] == 3
    assert msgspec.convert(told["dates"], list[Dated])[0].id == "red-falls"
