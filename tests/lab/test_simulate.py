"""Many matches: the same seeds give the same results wherever they are played, and the figures are right."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from sandtable.core import Unknown
from sandtable.games import find
from sandtable.lab.simulate import Record, jobs, play, simulate, summarize, wilson
from sandtable.players import Recruit
from sandtable.players.requests import Request
from sandtable.players.searcher import Searcher

ROOT = Path(__file__).resolve().parents[2]
DEMO = "tests.demo.game:GAME"


def fingerprint(records):
    return [(r.seed, r.winners, r.level, r.decisions, r.turns) for r in records]


def wanted(matches, seed=1, **seats):
    return jobs(DEMO, "war", {}, seats, matches, seed, 0.1)


def test_the_same_seeds_give_the_same_matches_in_any_number_of_processes():
    alone, pool = simulate(wanted(6)), simulate(wanted(6), workers=2)
    assert fingerprint(alone) == fingerprint(pool)
    assert fingerprint(alone) != fingerprint(simulate(wanted(6, seed=2)))


def test_roles_and_levels_are_checked_before_anything_is_played():
    with pytest.raises(Unknown, match="no role 'pink'"):
        wanted(1, pink="recruit")
    with pytest.raises(Unknown, match="no level 'wizard'"):
        wanted(1, red="wizard")


def test_players_are_given_the_time_and_the_tries_of_the_job(monkeypatch):
    budgets = []

    class Asked(Recruit):
        def decide(self, view, offers, budget):
            budgets.append((budget.seconds, budget.tries))
            return super().decide(view, offers, budget)

    monkeypatch.setattr("sandtable.lab.simulate.find_player", lambda level, game: Asked)
    play(jobs(DEMO, "war", {}, {}, 1, 1, 0.1, tries=7)[0])
    play(jobs(DEMO, "war", {}, {}, 1, 1, 0.2)[0])
    assert set(budgets) == {(0.1, 7), (0.2, None)}
    budgets.clear()
    monkeypatch.setattr(Asked, "patience", 4.0, raising=False)
    play(jobs(DEMO, "war", {}, {}, 1, 1, 0.1, tries=7)[0])
    assert set(budgets) == {(0.4, 28)}


def test_players_hear_what_their_allies_ask_and_nobody_else_does(monkeypatch):
    heard: dict[str, set[tuple[str, str]]] = {}

    class Asks(Searcher):
        """Red asks both others."""

        def decide(self, view, offers, budget):
            if view.role == "red":
                self.requests = (Request("red", "blue", "here", view.number), Request("red", "green", "there", 1))
            heard.setdefault(view.role, set()).update((one.by, one.place) for one in self.heard)
            return offers.sample(Random(view.number))

    monkeypatch.setattr("sandtable.lab.simulate.find_player", lambda level, game: Asks)
    monkeypatch.setattr(type(find(DEMO)), "alliances", {"crowns": ("red", "blue"), "woods": ("green",)})
    play(jobs(DEMO, "war", {}, {}, 1, 1, 0.1)[0])
    assert heard == {"red": set(), "blue": {("red", "here")}, "green": set()}


@pytest.mark.parametrize(
    ("wins", "matches", "low", "high"),
    [(130, 200, 0.5816, 0.7127), (0, 20, 0.0, 0.1611), (20, 20, 0.8389, 1.0), (1, 2, 0.0945, 0.9055)],
)
def test_wilson_intervals_are_those_of_the_textbook(wins, matches, low, high):
    assert wilson(wins, matches) == pytest.approx((low, high), abs=5e-4)
    assert wilson(0, 0) == (0.0, 1.0)


def test_a_summary_counts_wins_by_alliance_and_draws():
    def record(*winners):
        return Record("1", {}, list(winners), "crown", "demo-victory", 10, 5, 0.5)

    made = summarize(DEMO, [record("red"), record("red"), record("blue"), record()])
    assert made.wins == {"red": 2, "blue": 1, "green": 0}
    assert made.draws == 1
    assert made.levels == {"red: crown": 2, "blue: crown": 1, "draw: crown": 1}
    assert (made.decisions, made.turns, made.seconds) == (10, 5, 0.5)


def test_the_command_reports_and_writes_records(tmp_path):
    words = [sys.executable, "-m", "sandtable.cli", "simulate", DEMO, "--matches", "4", "--seat", "red=recruit"]
    done = subprocess.run(
        [*words, "--json", "--out", str(tmp_path)], capture_output=True, text=True, cwd=ROOT, check=True, timeout=120
    )
    assert json.loads(done.stdout)["matches"] == 4
    assert len(json.loads((tmp_path / "records.json").read_text())) == 4
    page = (tmp_path / "report.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "--matches 4 --seed 0" in page
    assert (tmp_path / "matches.parquet").stat().st_size > 0
    for bad, reason in ((["--matches", "0"], "above zero"), (["--seat", "red"], "not ROLE=LEVEL")):
        wrong = subprocess.run([*words, *bad], capture_output=True, text=True, cwd=ROOT, check=False, timeout=60)
        assert wrong.returncode == 2
        assert reason in wrong.stderr


def test_luck_is_weighed_on_demand_and_changes_nothing() -> None:
    """The matches are the same with it, and all sides' luck in a measure is that of the others the other way round."""
    wanted = [jobs("munich-war", "little-entente", {}, {}, 3, 5, 0.1, luck=luck) for luck in (False, True)]
    plain, weighed = (simulate(some) for some in wanted)
    assert fingerprint(plain) == fingerprint(weighed)
    assert all(record.luck == {} for record in plain)
    summary = summarize("munich-war", weighed)
    assert summary.luck
    for name, found in summary.luck.items():
        family, _, side = name.partition(".")
        other = summary.luck[f"{family}.{'allies' if side == 'axis' else 'axis'}"]
        assert abs(found.mean + other.mean) < 1e-9
        assert found.deviation == pytest.approx(other.deviation)
        assert abs(found.off) < 4
    assert sum(record.luck["attack.axis"][1] for record in weighed) > 0
