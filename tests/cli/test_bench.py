"""`sandtable bench`: what it measures, how it compares, and the page it writes."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandtable.cli.verbs.bench import discover
from sandtable.games import find, games
from sandtable.lab import bench as lab
from sandtable.players import Budget, levels
from tests.cli.conftest import DEMO, Command


@pytest.fixture(autouse=True)
def _all_suites_known() -> None:
    discover()


def test_ratios_say_how_many_times_better() -> None:
    rate = lab.Figure("play", 200.0, "moves/s", (lab.Peer("slow", 50.0), lab.Peer("fast", 400.0)))
    assert [rate.ratio(peer) for peer in rate.peers] == [4.0, 0.5]
    span = lab.Figure("clone", 2.0, "µs", (lab.Peer("slow", 300.0, bar=100.0), lab.Peer("quick", 20.0, bar=100.0)))
    assert [span.ratio(peer) for peer in span.peers] == [150.0, 10.0]
    assert [peer.name for peer in span.misses()] == ["quick"]


def burn(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def test_a_figure_of_nothing_has_no_end_of_a_ratio() -> None:
    figure = lab.Figure("second visit", 0.0, "KB", (lab.Peer("aim", 50.0),))
    assert [row[-2] for row in lab.rows([figure])] == ["∞×"]


def test_timing_is_about_right() -> None:
    bench = lab.Bench([], 0.2, lambda text: None)
    assert 2000 <= bench.microseconds(lambda: burn(0.002)) < 3000

    def three() -> int:
        burn(0.01)
        return 3

    assert 200 < bench.rate(three) <= 300


def test_the_games_suite_measures_what_it_should(command: Command) -> None:
    answer = command("bench", "--suite", "games", "--game", DEMO, "--seconds", "0.01", "--json")
    (suite,) = json.loads(answer.out)["suites"]
    names = [figure["name"].removeprefix("three-crowns: ") for figure in suite["figures"]]
    assert answer.status == 0
    assert names == [
        "random play",
        *(f"random play of {scenario}" for scenario in find(DEMO).scenarios),
        "offers",
        "apply",
        "clone of the match",
        "clone of the state",
        "encode",
        "decode",
        "replay",
    ]
    assert all(figure["value"] > 0 for figure in suite["figures"])


@pytest.mark.parametrize("name", games())
def test_what_a_game_says_of_its_benchmarks_can_be_measured(name: str) -> None:
    game = find(name)
    plan = game.benchmark()
    assert plan.captains in game.scenarios
    assert plan.chess_games > 0
    assert "captain" in levels(game)
    if plan.large_battle is not None:
        what, odds = plan.large_battle(game)
        assert what
        assert odds() is not None


def test_cloning_keeps_its_promise(command: Command) -> None:
    answer = command("bench", "--suite", "clone of 1,000 units", "--seconds", "0.05", "--json")
    (figure,) = json.loads(answer.out)["suites"][0]["figures"]
    assert figure["peers"][0]["promised"] == 100
    assert figure["peers"][0]["ratio"] >= 100
    assert answer.status == 0


def test_a_missed_promise_is_a_failure(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(bench: lab.Bench) -> Iterator[lab.Figure]:
        yield lab.Figure("crawl", 10.0, "µs", (lab.Peer("snail", 20.0, bar=5.0),))

    monkeypatch.setitem(lab.SUITES, "slow", slow)
    answer = command("bench", "--suite", "slow")
    assert answer.status == 1
    assert "5.00× MISSED" in answer.out
    assert "crawl: snail" in answer.err


def test_two_suites_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two suites"):
        lab.suite("games")(lambda bench: iter(()))


def test_the_page(command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def quick(bench: lab.Bench) -> Iterator[lab.Figure]:
        yield lab.Figure("hop", 2.0, "µs", (lab.Peer("toad", 3.0), lab.Peer("frog", 1.0)), note="on the spot")

    monkeypatch.setattr(lab, "SUITES", {"quick": quick})
    monkeypatch.setattr("sandtable.cli.verbs.bench.checkout", lambda verb: tmp_path)
    assert command("bench", "--write").status == 0
    page = (tmp_path / "docs" / "benchmarks.md").read_text()
    assert "## quick" in page
    assert "| hop (on the spot) | 2.00 µs | toad | 3.00 µs | 1.50× |  |" in page
    assert "|  |  | frog | 1.00 µs | 0.50× |  |" in page


def test_listing_suites(command: Command) -> None:
    answer = command("bench", "--list", "--json")
    assert {"games", "clone of 1,000 units"} <= set(json.loads(answer.out))


def test_environments_are_measured(command: Command) -> None:
    pytest.importorskip("pettingzoo")
    answer = command("bench", "--suite", "environments", "--game", "hitlers-war", "--seconds", "0.01", "--json")
    assert answer.status == 0, answer.err
    (suite,) = json.loads(answer.out)["suites"]
    assert [figure["note"] for figure in suite["figures"]] == ["a candidate a step", "a field a step"]
    assert all(figure["value"] > 0 and figure["unit"] == "steps/s" for figure in suite["figures"])


def test_the_time_of_a_generals_search_is_measured(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """With so little time a search uses nearly all of it, counted in processor time, unless all is decided."""
    monkeypatch.setattr("sandtable.lab.bench_search.BUDGET", Budget(0.4))
    monkeypatch.setattr("sandtable.lab.bench_search.SEARCHES", 3)
    answer = command("bench", "--suite", "a general's search", "--game", "hitlers-war", "--json")
    assert answer.status == 0, answer.err
    (suite,) = json.loads(answer.out)["suites"]
    (figure,) = suite["figures"]
    assert figure["unit"] == "% of 0.4 s"
    assert figure["note"].startswith("3 searches, ")
    assert 60 < figure["value"] < 140


def test_searches_are_spread_over_the_match() -> None:
    from sandtable.lab.bench_search import moments, spread

    views = moments(find("hitlers-war"), "barbarossa")
    numbers = [view.number for view in views]
    assert numbers == sorted(numbers)
    assert len(numbers) > 8
    assert {view.role for view in views} == {"axis", "soviet"}
    chosen = [view.number for view in spread(views, 4)]
    assert (chosen[0], chosen[-1], len(chosen)) == (numbers[0], numbers[-1], 4)
    assert spread(views, 1000) == views


def test_the_import_is_measured_in_a_fresh_interpreter(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.lab.bench_import.ROUNDS", 3)
    monkeypatch.setattr("sandtable.lab.bench_import.MOST_MILLISECONDS", 1000.0)  # not to be judged on a busy machine
    answer = command("bench", "--suite", "import", "--json")
    assert answer.status == 0, answer.err
    (suite,) = json.loads(answer.out)["suites"]
    time_taken, memory = suite["figures"]
    assert (time_taken["name"], memory["name"]) == ("import sandtable", "memory after it")
    assert 5 < time_taken["value"] < 1000
    assert 10 < memory["value"] <= 40


def test_the_package_imports_nothing_that_only_some_need() -> None:
    code = "import sandtable, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    late = {"asyncio", "importlib.metadata", "logging", "multiprocessing", "numpy", "socket", "subprocess", "tempfile"}
    late |= {"tomllib", "zipfile", "sandtable.host", "sandtable.players"}
    assert not late & set(loaded)
    assert not [name for name in loaded if name.startswith("sandtable.games.") and name != "sandtable.games.pins"]
