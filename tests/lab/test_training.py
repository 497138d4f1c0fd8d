"""`sandtable train`: matches to learn from, the trees, and a model that is the same however often it was stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from sandtable.cli.app import main
from sandtable.core import Action, Offers, Play, SandtableError, SealedDice, Unknown, View
from sandtable.lab import selfplay
from sandtable.lab.boosting import Data, Settings, answer, auc, boost, log_loss, regress, ridge, softmax, thresholds
from sandtable.lab.judging import balance, judge, learn, merged, section, table
from sandtable.lab.selfplay import Bout, Told, bouts, play, unpack
from sandtable.players import Budget, Recruit, levels
from sandtable.players.judgement import Model, features
from tests.lab.crowns import GAME

CROWNS = "tests.lab.crowns:GAME"
QUICK = Settings(rounds=12, depth=2)


@pytest.fixture(scope="module")
def played() -> list[tuple[Bout, Told]]:
    return [(bout, play(bout)) for bout in bouts(CROWNS, 60, 3)]


# ---- matches to learn from


def test_a_run_covers_scenarios_options_and_openings_and_is_the_same_again() -> None:
    found = bouts(CROWNS, 60, 3)
    assert found == bouts(CROWNS, 60, 3)
    assert found[:20] == bouts(CROWNS, 20, 3)
    assert found != bouts(CROWNS, 60, 4)
    assert {bout.scenario for bout in found} == set(GAME.scenarios)
    assert {bout.options["floods"] for bout in found} == {False, True}
    assert {turns for bout in found for turns in bout.openings.values()} == {0, 1, 2}
    assert {level for bout in found for level in bout.seats.values()} == set(levels(GAME))


def test_one_position_of_each_turn_is_kept(played: list[tuple[Bout, Told]]) -> None:
    for _, told in played[:10]:
        turns = [unpack(GAME, text).turn for text in told.positions]
        assert turns == list(range(1, len(turns) + 1))
    again = play(played[0][0])
    assert again == played[0][1]


def test_who_is_patient_makes_more_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, int | None] = {}

    class Slow(Recruit):
        patience = 4.0

        def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
            seen["slow"] = budget.tries
            return super().decide(view, offers, budget)

    monkeypatch.setattr(selfplay, "make", lambda level, game, seed: Slow(game, seed))
    play(bouts(CROWNS, 1, 3, tries=3)[0])
    assert seen == {"slow": 12}


def test_an_unknown_level_is_turned_away() -> None:
    with pytest.raises(Unknown, match="no level 'marshal-ney'"):
        bouts(CROWNS, 1, 1, top="marshal-ney")


# ---- trees


def made_up(rows: int, seed: int) -> Data:
    """The first party wins where exactly one of two features is high: no single feature tells."""
    rng = np.random.default_rng(seed)
    x = rng.random((rows, 5))
    won = (x[:, 0] > 0.5) ^ (x[:, 1] > 0.5)
    y = np.stack([won, ~won], axis=1).astype(float)
    ones = np.ones(rows)
    return Data(x, y, y >= 0, ones, np.arange(rows), y * 0.0, np.zeros(rows, dtype=int))


def test_trees_learn_what_no_single_feature_tells() -> None:
    train, other = made_up(600, 1), made_up(300, 2)
    trees = boost(train, Settings(rounds=80, rate=0.3, steady=4.0), 0, np.zeros((600, 2)))
    scores = np.zeros((300, 2))
    before = log_loss(softmax(scores, other.plays), other)
    for tree in trees:
        scores[:, 1:] += answer(tree, other.x)
    chances = softmax(scores, other.plays)
    assert before == pytest.approx(np.log(2), abs=0.01)
    assert log_loss(chances, other) < 0.25
    assert auc(chances[:, 0], other.y[:, 0], other.weight) > 0.97


def test_who_does_not_play_has_no_chance() -> None:
    chances = softmax(np.array([[0.0, 1.0, 5.0]]), np.array([[True, True, False]]))
    assert chances[0, 2] == 0
    assert chances.sum() == pytest.approx(1)


def test_a_feature_is_cut_between_its_values() -> None:
    assert thresholds(np.array([1.0, 1.0, 2.0, 4.0]), 8).tolist() == [1.5, 3.0]
    assert thresholds(np.array([7.0, 7.0]), 8).tolist() == []
    assert len(thresholds(np.arange(1000.0), 8)) <= 8


def test_auc_is_the_share_of_pairs_in_order() -> None:
    won = np.array([1.0, 0.0, 1.0, 0.0])
    assert auc(np.array([4.0, 1.0, 3.0, 2.0]), won, np.ones(4)) == 1
    assert auc(np.ones(4), won, np.ones(4)) == 0.5
    assert auc(np.array([1.0, 2.0, 3.0, 0.0]), won, np.ones(4)) == 0.75


def test_regression_finds_the_slope_that_made_the_data() -> None:
    data = made_up(4000, 3)
    rng = np.random.default_rng(4)
    score = rng.normal(size=4000)
    won = rng.random(4000) < 1 / (1 + np.exp(-(2 * score + 0.5)))
    data.y = np.stack([~won, won], axis=1).astype(float)
    design = np.zeros((4000, 2, 2))
    design[:, 1, 0], design[:, 1, 1] = score, 1.0
    slope, shift = regress(design, data)
    assert slope == pytest.approx(2, abs=0.2)
    assert shift == pytest.approx(0.5, abs=0.15)


def test_the_ridge_finds_the_same_and_a_penalty_holds_it_back() -> None:
    data = made_up(4000, 3)
    rng = np.random.default_rng(4)
    z = np.stack([np.ones(4000), rng.normal(size=4000), rng.normal(size=4000)], axis=1)
    powers = np.exp(np.stack([np.zeros(4000), 0.5 + 2 * z[:, 1], -z[:, 2]], axis=1))
    drawn = (rng.random((4000, 1)) > (powers / powers.sum(axis=1, keepdims=True)).cumsum(axis=1)).sum(axis=1)
    data.y, data.plays = np.eye(3)[drawn], np.ones((4000, 3), dtype=bool)
    assert ridge(z, data, 1e-3) == pytest.approx(np.array([[0.5, 2.0, 0.0], [0.0, 0.0, -1.0]]), abs=0.2)
    assert np.abs(ridge(z, data, 1e5)[:, 1:]).max() < 0.05


def test_rare_wins_count_as_much_as_frequent_ones() -> None:
    data = made_up(100, 5)
    data.y = np.stack([np.arange(100) < 25, np.arange(100) >= 25], axis=1).astype(float)
    weight = balance(data)
    assert weight[:25].sum() == pytest.approx(weight[25:].sum())
    assert weight.mean() == pytest.approx(1)


# ---- learning


def test_a_model_says_in_plain_python_what_numpy_says(played: list[tuple[Bout, Told]]) -> None:
    learned = learn(GAME, played, "a test", settings=QUICK)
    model = msgspec.json.decode(msgspec.json.encode(learned.model), type=Model)
    assert model == learned.model
    parties, names, data, _ = table(GAME, played)
    data.x = data.x[:, [names.index(name) for name in model.features]]
    chances = judge(model, data)
    row = 0
    for bout, told in played:
        for text in told.positions:
            state = unpack(GAME, text)
            found = features(Play(GAME, state, SealedDice("")))
            assert model.chances(found, parties) == pytest.approx(chances[row].tolist(), abs=1e-9), bout.seed
            row += 1
    assert row == len(chances) == learned.positions


def test_nothing_of_the_held_out_matches_is_in_the_model(played: list[tuple[Bout, Told]]) -> None:
    """With their winners turned round the model is the same, and the figures are not."""
    roles = list(GAME.roles)
    turned = [
        (bout, msgspec.structs.replace(told, winners=[role for role in roles if role not in told.winners][:1]))
        if bout.number % 5 == 4
        else (bout, told)
        for bout, told in played
    ]
    one, other = (learn(GAME, matches, "a test", settings=QUICK) for matches in (played, turned))
    assert one.model == other.model
    assert one.held_out == 12
    assert one.learned.log_loss != other.learned.log_loss
    assert sum(share for share in one.wins.values()) == pytest.approx(60)


def test_a_stopped_run_goes_on_and_makes_the_same_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], played: list[tuple[Bout, Told]]
) -> None:
    lines, words = tmp_path / "matches.jsonl", ["train", CROWNS, "--matches", "60", "--seed", "3", "--rounds", "12"]
    assert main([*words, "--out", str(tmp_path / "one.json"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["matches"] == 60
    assert told["held_out"] == 12
    # stopped in the middle of a line
    assert main(["train", CROWNS, "--matches", "25", "--seed", "3", "--lines", str(lines),
                 "--out", str(tmp_path / "less.json"), "--json"]) == 0  # fmt: skip
    lines.write_bytes(lines.read_bytes()[:-40])
    assert main([*words, "--out", str(tmp_path / "two.json"), "--lines", str(lines), "--workers", "2"]) == 0
    assert len(lines.read_bytes().splitlines()) == 60
    made = [(tmp_path / f"{name}.json").read_bytes() for name in ("one", "less", "two")]
    assert made[0] == made[2] != made[1]
    model = msgspec.json.decode(made[0], type=Model)
    assert model.made_by == f"./sandtable train {CROWNS} --matches 60 --seed 3 --rounds 12"


def test_too_few_matches_are_one_sentence_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "model.json"
    assert main(["train", CROWNS, "--matches", "6", "--out", str(out)]) != 0
    assert "6 matches are too few to learn from" in capsys.readouterr().err
    assert not out.exists()
    assert main(["train", CROWNS, "--out", str(tmp_path / "none" / "model.json")]) != 0
    assert "is no folder" in capsys.readouterr().err


def test_where_one_side_always_wins_there_is_nothing_to_learn(played: list[tuple[Bout, Told]]) -> None:
    always = [(bout, msgspec.structs.replace(told, winners=["red"])) for bout, told in played]
    with pytest.raises(SandtableError, match="the same side won"):
        learn(GAME, always, "a test", settings=QUICK)


def test_the_page_has_one_section_for_each_game(played: list[tuple[Bout, Told]]) -> None:
    part = section(GAME, learn(GAME, played, "./sandtable train x", settings=QUICK))
    assert "| learned |" in part
    assert "`./sandtable train x`" in part
    page = merged(merged("# Training\n", "one", "old\n"), "two", part)
    assert merged(page, "one", "new\n") == page.replace("old\n", "new\n")
