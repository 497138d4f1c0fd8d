"""The ladder: sides swapped fairly, Elo that gives strengths back, and a page that is written in place."""

from __future__ import annotations

import json
import math
from pathlib import Path
from random import Random

import pytest

import sandtable
from sandtable.cli.app import main
from sandtable.core import Unknown
from sandtable.lab.ladder import Ladder, Pairing, fit, jobs, merged, pairings, ratings, score, section
from sandtable.lab.simulate import Record
from sandtable.players import levels, register
from sandtable.players.base import Recruit

GAME = "munich-war"
DEMO = "tests.demo.game:GAME"
DEMO_ID = "three-crowns"


@pytest.fixture
def demo_captain(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second level for the demonstration game, which plays like the first."""
    from sandtable.players import base

    kept = {level: dict(makers) for level, makers in base._LEVELS.items()}
    monkeypatch.setattr(base, "_LEVELS", kept)
    register("captain", DEMO_ID, Recruit)


def record(seats: dict[str, str], *winners: str) -> Record:
    return Record("1", seats, list(winners), "marginal", "x", 10, 3, 0.1)


def test_every_side_is_played_equally_often_with_the_same_seeds(demo_captain: None) -> None:
    made = jobs(DEMO, "war", {}, ["captain", "recruit"], 6, 3, 0.1)
    assert [(strong, weak) for strong, weak, _ in made] == [("captain", "recruit")] * 6
    seats = [[role for role, level in job.seats.items() if level == "captain"] for _, _, job in made]
    assert seats[:3] == seats[3:] == [["red"], ["blue"], ["green"]]
    assert len({job.seed for _, _, job in made}) == 2
    assert len({job.seed for _, _, job in made[:3]}) == 1


def test_unknown_levels_and_a_single_one_are_refused() -> None:
    with pytest.raises(Unknown, match="wizard"):
        jobs(DEMO, "war", {}, ["recruit", "wizard"], 2, 0, 0.1)
    with pytest.raises(Unknown, match="two levels"):
        jobs(DEMO, "war", {}, ["recruit"], 2, 0, 0.1)


def test_a_match_counts_for_the_level_that_sat_on_the_winning_side() -> None:
    seats = {"axis": "captain", "allies": "recruit"}
    assert score("captain", record(seats, "axis")) == 1
    assert score("captain", record(seats, "allies")) == 0
    assert score("captain", record(seats)) == 0.5


def test_results_are_counted_by_pair(demo_captain: None) -> None:
    made = jobs(DEMO, "war", {}, ["captain", "recruit"], 3, 3, 0.1)
    found = pairings(made, [record(made[0][2].seats, "red"), record(made[1][2].seats, "red"), record(made[2][2].seats)])
    assert found == [Pairing("captain", "recruit", 1, 1, 1)]
    assert found[0].score == 1.5


def test_results_are_counted_by_the_side_that_the_stronger_level_led(demo_captain: None) -> None:
    made = jobs(DEMO, "war", {}, ["captain", "recruit"], 3, 3, 0.1)
    played = [record(made[0][2].seats, "red"), record(made[1][2].seats, "red"), record(made[2][2].seats)]
    names = list(sandtable.find(DEMO).alliances)
    found = pairings(made, played, by_side=True)
    assert [(pair.side, pair.won, pair.drawn, pair.lost) for pair in found] == [
        (names[0], 1, 0, 0), (names[1], 0, 0, 1), (names[2], 0, 1, 0),
    ]  # fmt: skip


def test_elo_gives_back_the_strengths_that_made_the_results() -> None:
    true = {"recruit": 0.0, "captain": 150.0, "colonel": 320.0}
    found, n = [], 100_000
    for strong, weak in (("captain", "recruit"), ("colonel", "recruit"), ("colonel", "captain")):
        share = 1 / (1 + 10 ** ((true[weak] - true[strong]) / 400))
        found.append(Pairing(strong, weak, round(n * share), 0, n - round(n * share)))
    for name, elo in fit(found).items():
        assert elo == pytest.approx(true[name], abs=0.5)


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    rng, inside = Random(1), 0
    share = 1 / (1 + 10 ** (-100 / 400))
    for trial in range(40):
        won = sum(rng.random() < share for _ in range(100))
        best = next(
            r for r in ratings([Pairing("captain", "recruit", won, 0, 100 - won)], trial) if r.level == "captain"
        )
        inside += best.low <= 100 <= best.high
    assert inside >= 33  # 38 are expected; fewer than 33 come once in a thousand


def test_a_clean_sweep_stays_finite() -> None:
    best = ratings([Pairing("captain", "recruit", 20, 0, 0)])[0]
    assert all(math.isfinite(value) for value in (best.elo, best.low, best.high))
    assert best.low < best.high


def test_a_section_replaces_itself_and_leaves_the_others_alone() -> None:
    pair = Pairing("captain", "recruit", 15, 0, 5)
    part = section(Ladder(GAME, "x", [pair], ratings([pair])), "Munich War", "./sandtable ladder munich-war")
    assert "| captain against recruit | 20 | 15 | 0 | 5 | 75.0% | 53.1% to 88.8% |" in part
    assert "`./sandtable ladder munich-war`" in part
    sides = [Pairing("captain", "recruit", 9, 0, 1, "axis"), Pairing("captain", "recruit", 6, 0, 4, "allies")]
    told = section(Ladder(GAME, "x", [pair], ratings([pair]), sides), "Munich War", "./sandtable ladder munich-war")
    assert "| captain against recruit | axis | 10 | 9 | 0 | 1 | 90.0% | 59.6% to 98.2% | 40.0% |" in told
    assert "| captain against recruit | allies | 10 | 6 | 0 | 4 | 60.0% | 31.3% to 83.2% | 10.0% |" in told
    page = merged(merged("# The ladder\n", GAME, "x", part), "other", "y", "other\n")
    again = merged(page, GAME, "x", "new\n")
    assert "new" in again
    assert "75.0%" not in again
    assert "other" in again
    assert again.index("new") < again.index("other")


def test_the_command(demo_captain: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert "captain" in levels(sandtable.find(DEMO))
    words = ["ladder", DEMO, "--scenario", "war", "--matches", "6"]
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["pairings"][0]["won"] + told["pairings"][0]["drawn"] + told["pairings"][0]["lost"] == 6
    assert {row["level"] for row in told["ratings"]} == {"captain", "recruit"}
    assert main(words) == 0
    assert "captain against recruit" in capsys.readouterr().out
    for bad, said in ((["--levels", "wizard,recruit"], "wizard"), (["--seconds", "0"], "--seconds")):
        assert main([*words, *bad]) == 2
        assert said in capsys.readouterr().err


def test_the_page_in_docs_has_a_section_only_for_games_that_exist() -> None:
    text = (Path(sandtable.__file__).parents[2] / "docs" / "ladder.md").read_text()
    named = {
        line[5:-4].partition("/")[0] for line in text.splitlines() if line.startswith("<!-- ") and "end" not in line
    }
    assert named <= set(sandtable.games())
