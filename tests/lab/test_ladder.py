"""The ladder: sides swapped fairly, Elo that gives strengths back, and a page that is written in place."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from random import Random

import pytest

import sandtable
from sandtable.cli.app import main
from sandtable.core import Unknown
from sandtable.lab.ladder import (
    BAR,
    SURE,
    Ladder,
    Pairing,
    fit,
    jobs,
    merged,
    mirrors,
    pairings,
    played,
    ratings,
    score,
    section,
    summarized,
)
from sandtable.lab.simulate import Job, Record, at_any_time
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
    part = section(Ladder(GAME, "x", [pair], ratings([pair])), "Munich War: x", "./sandtable ladder munich-war")
    assert "| captain against recruit | 20 | 15 | 0 | 5 | 75.0% | 53.1% to 88.8% |" in part
    assert "`./sandtable ladder munich-war`" in part
    sides = [Pairing("captain", "recruit", 9, 0, 1, "axis"), Pairing("captain", "recruit", 6, 0, 4, "allies")]
    told = section(Ladder(GAME, "x", [pair], ratings([pair]), sides), "Munich War: x", "./sandtable ladder munich-war")
    assert "| captain against recruit | axis | 10 | 9 | 0 | 1 | 90.0% | 59.6% to 98.2% | 40.0% | +50.0 |" in told
    assert "| captain against recruit | allies | 10 | 6 | 0 | 4 | 60.0% | 31.3% to 83.2% | 10.0% | +50.0 |" in told
    page = merged(merged("# The ladder\n", f"{GAME}/x", part), "other/y", "other\n")
    again = merged(page, f"{GAME}/x", "new\n")
    assert "new" in again
    assert "75.0%" not in again
    assert "other" in again
    assert again.index("new") < again.index("other")


def test_the_weaker_level_against_itself_shows_what_a_side_alone_is_worth(demo_captain: None) -> None:
    made = jobs(DEMO, "war", {}, ["captain", "recruit"], 6, 3, 0.1, mirror=True)
    alone = [number for number, (_, _, job) in enumerate(made) if set(job.seats.values()) == {"recruit"}]
    assert alone == [3, 7]
    assert [made[number][2].seed for number in alone] == [made[0][2].seed, made[4][2].seed]
    results = [record(job.seats, "red") for _, _, job in made]
    results[7].winners = []
    assert pairings(made, results) == [Pairing("captain", "recruit", 2, 0, 4)]
    assert mirrors(made, results) == [
        Pairing("recruit", "recruit", 1, 1, 0, "red"),
        Pairing("recruit", "recruit", 0, 1, 1, "blue"),
        Pairing("recruit", "recruit", 0, 1, 1, "green"),
    ]
    sides = pairings(made, results, by_side=True)
    told = section(Ladder(DEMO, "war", [], [], sides, mirrors(made, results)), "Three Crowns: war", "./sandtable")
    assert "| the other level against itself | gain |" in told
    assert "| captain against recruit | red | 2 | 2 | 0 | 0 | 100.0% | 34.2% to 100.0% | 75.0% | +25.0 |" in told
    assert "| captain against recruit | blue | 2 | 0 | 0 | 2 | 0.0% | 0.0% to 65.8% | 25.0% | -25.0 |" in told


@pytest.mark.parametrize("share", [SURE, BAR, 0.9])
def test_an_interval_that_holds_at_any_time_is_wrong_in_one_run_of_twenty_at_most(share: float) -> None:
    """Looked at after every match, up to 120. Wilson's would be wrong in far more runs."""
    rng, wrong = Random(f"looks/{share}"), 0
    for _ in range(200):
        won = 0
        for number in range(1, 121):
            won += rng.random() < share
            low, high = at_any_time(won, number)
            if not low <= share <= high:
                wrong += 1
                break
    assert wrong <= 18  # 10 at most are expected; more than 18 come once in a hundred


def test_an_interval_at_any_time_is_where_the_likelihood_says() -> None:
    assert at_any_time(0, 0) == (0.0, 1.0)
    low, high = at_any_time(10, 10)
    assert low == pytest.approx((1 / 20 / 11) ** 0.1)  # p^10 = 1/20 of the integral of p^10
    assert high == 1.0
    assert at_any_time(0, 10) == pytest.approx((0.0, 1 - low))


def strong_wins(shares: Mapping[str, float], asked: list[int]) -> Callable[[Sequence[Job]], Generator[Record]]:
    """Plays matches in which the captain wins so many in a hundred as each side."""

    def play(some: Sequence[Job]) -> Generator[Record]:
        rng = Random("coin")
        asked.append(0)
        for job in some:
            asked[-1] += 1
            side = next((role for role, level in job.seats.items() if level == "captain"), "green")
            other = next(role for role in job.seats if role != side)
            yield record(job.seats, side if rng.random() < shares[side] else other)

    return play


def test_a_pair_stops_at_whole_rounds_when_its_answer_is_clear(demo_captain: None) -> None:
    wanted = jobs(DEMO, "war", {}, ["captain", "recruit"], 300, 3, 0.1)
    for shares, most in (((1, 1, 1), 12), ((0.95, 0.5, 0.95), 150), ((0, 0.3, 0.9), 150)):
        asked: list[int] = []
        coin = strong_wins(dict(zip(("red", "blue", "green"), shares, strict=True)), asked)
        done = list(played(wanted, coin, until_clear=True))
        assert asked == [len(done)]  # nothing was played beyond
        assert len(done) % 3 == 0
        assert len(done) <= most
        assert [row for row, _ in done] == wanted[: len(done)]
        found = pairings(*zip(*done, strict=True), until_clear=True)[0]
        before = pairings(*zip(*done[:-3], strict=True), until_clear=True)[0]
        assert found.is_clear
        assert not before.is_clear
        low, high = found.interval
        assert (low > SURE) != (high < BAR)
    asked = []
    half = dict.fromkeys(("red", "blue", "green"), 0.6)
    assert len(list(played(wanted[:150], strong_wins(half, asked), until_clear=True))) == 150
    assert len(list(played(wanted, strong_wins(dict.fromkeys(half, 1), asked)))) == 300


def test_the_summary_is_made_of_all_sections() -> None:
    pair = Pairing("captain", "recruit", 15, 0, 5)
    sides = [Pairing("captain", "recruit", 9, 0, 1, "axis"), Pairing("captain", "recruit", 6, 0, 4, "allies")]
    alone = [Pairing("recruit", "recruit", 7, 0, 3, "axis"), Pairing("recruit", "recruit", 3, 0, 7, "allies")]
    page = "# The ladder\n\n<!-- summary of all sections -->\n<!-- end of summary of all sections -->\n\nBy hand.\n"
    page = merged(page, "a/x captain,recruit", section(Ladder("a", "x", [pair], []), "A: x", "./sandtable --seconds 5"))
    by_side = Ladder("b", "y", [pair], [], sides, alone)
    page = merged(page, "b/y captain,recruit", section(by_side, "B: y", "./sandtable --seconds 600 --tries 24"))
    head = page[: page.index("By hand.")]
    assert "| A: x | captain against recruit | 20 | 75.0% | 53.1% to 88.8% |  | 5 s |\n" in head
    assert (
        "| B: y | captain against recruit | 20 | 75.0% | 53.1% to 88.8% "
        "| axis 90.0% (recruit against itself 70.0%, +20.0); "
        "allies 60.0% (recruit against itself 30.0%, +30.0) | 24 tries |\n"
    ) in head
    assert summarized(page) == page
    assert "| A: x |" not in merged(page, "a/x captain,recruit", "gone\n")


def test_the_command(demo_captain: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert "captain" in levels(sandtable.find(DEMO))
    words = ["ladder", DEMO, "--scenario", "war", "--matches", "6"]
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["pairings"][0]["won"] + told["pairings"][0]["drawn"] + told["pairings"][0]["lost"] == 6
    assert {row["level"] for row in told["ratings"]} == {"captain", "recruit"}
    assert main([*words, "--until-clear", "--mirror", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["pairings"][0]["until_clear"]
    assert sum(row["won"] for row in told["mirrors"]) + told["mirrors"][0]["drawn"] == 2
    assert main(words) == 0
    assert "captain against recruit" in capsys.readouterr().out
    for bad, said in ((["--levels", "wizard,recruit"], "wizard"), (["--seconds", "0"], "--seconds")):
        assert main([*words, *bad]) == 2
        assert said in capsys.readouterr().err


def test_the_command_writes_a_section_for_scenario_options_and_levels(
    demo_captain: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sandtable.cli.checkout.checkout", lambda verb: tmp_path)
    page = tmp_path / "docs" / "ladder.md"
    page.parent.mkdir()
    page.write_text("# The ladder\n\n<!-- summary of all sections -->\n<!-- end of summary of all sections -->\n")
    words = ["ladder", DEMO, "--scenario", "war", "--matches", "3", "--mirror", "--until-clear", "--write", "--json"]
    for more in (["--tries", "4"], ["--option", "gold=3"], []):
        assert main([*words, *more]) == 0
    capsys.readouterr()
    text = page.read_text()
    names = [line for line in text.splitlines() if line.startswith("<!-- three-crowns/")]
    assert names == [
        "<!-- three-crowns/war recruit,captain -->",  # the third run takes the place of the first
        "<!-- three-crowns/war gold=3 recruit,captain -->",
    ]
    rows = [line for line in text.splitlines() if line.startswith("| Three Crowns: war")]
    assert [row.split(" | ")[0] for row in rows] == ["| Three Crowns: war", "| Three Crowns: war, gold=3"]
    assert rows[0].endswith(" | 5 s |")
    assert " --until-clear --mirror --matches 3 " in text


def test_the_page_in_docs_has_a_section_only_for_games_that_exist() -> None:
    text = (Path(sandtable.__file__).parents[2] / "docs" / "ladder.md").read_text()
    named = {
        line[5:-4].partition("/")[0]
        for line in text.splitlines()
        if line.startswith("<!-- ") and "/" in line and "end of" not in line
    }
    assert named <= set(sandtable.games())


def test_the_summary_in_docs_is_that_of_its_sections() -> None:
    text = (Path(sandtable.__file__).parents[2] / "docs" / "ladder.md").read_text()
    assert summarized(text) == text
    assert "| Hitler's War: barbarossa | general against colonel |" in text
