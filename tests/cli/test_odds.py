"""`sandtable odds`: from a saved match, as tables and as JSON, and one clear line for what cannot be answered."""

import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.core import Odds
from tests.cli.conftest import DEMO, Command

GAME = "munich-war"


class Position:
    """A saved match, and the first place in it where dice would fall at once."""

    def __init__(self, path: Path, number: int, role: str, action: Any, odds: Odds) -> None:
        self.path, self.number, self.role, self.odds = path, number, role, odds
        self.action = msgspec.json.encode(action).decode()

    def words(self, *more: str) -> list[str]:
        return ["odds", GAME, "--match", str(self.path), "--at", str(self.number), *more]


@pytest.fixture(scope="module")
def position(tmp_path_factory: pytest.TempPathFactory) -> Position:
    match, rng, found = sandtable.new(GAME, seed=4), Random(4), None
    while not match.over and match.number < 400:
        role = match.decisions()[0]
        action = match.offers(role).sample(rng)
        if found is None and (odds := match.preview(role, action)) is not None:
            found = (match.number, role, action, odds)
        match.apply(role, action)
    assert found is not None
    path = tmp_path_factory.mktemp("odds") / "match.jsonl"
    path.write_bytes(sandtable.save(match))
    return Position(path, *found)


def test_the_odds_of_a_move_are_those_of_the_preview(command: Command, position: Position) -> None:
    answer = command(*position.words("--action", position.action, "--role", position.role, "--json"))
    assert answer.status == 0, answer.err
    told = json.loads(answer.out)
    assert (told["game"], told["number"], told["role"]) == (GAME, position.number, position.role)
    odds = msgspec.convert(told["odds"], Odds)
    assert odds.success == pytest.approx(position.odds.success)
    assert [r.probability for r in odds.results] == pytest.approx([r.probability for r in position.odds.results])
    assert sum(r.probability for r in odds.results) == pytest.approx(1)


def test_people_read_a_table_in_their_language(command: Command, position: Position) -> None:
    english = command(*position.words("--action", position.action))
    german = command(*position.words("--action", position.action, "--language", "de"))
    assert english.status == german.status == 0
    assert "the airstrike is hit or turned back" in english.out
    assert "%" in english.out
    assert "result." not in english.out
    assert english.out != german.out


def test_without_an_action_everything_with_dice_is_listed(command: Command, position: Position) -> None:
    answer = command(*position.words("--json", "--most", "3"))
    assert answer.status == 0
    rows = json.loads(answer.out)
    assert 1 <= len(rows) <= 3
    chances = [row["odds"]["success"] for row in rows]
    assert chances == sorted(chances, reverse=True)
    assert "success" in command(*position.words()).out


def test_a_position_without_dice_says_so(command: Command) -> None:
    answer = command("odds", DEMO, "--scenario", "war", "--role", "red")
    assert answer.status == 0
    assert "nothing that red may do now starts with dice" in answer.out


@pytest.mark.parametrize(
    ("more", "named"),
    [
        (["--action", "{"], "not an action"),
        (["--action", '{"do":"fly"}'], "not an action"),
        (["--at", "99999"], "99999"),
        (["--role", "pink"], "pink"),
        (["--scenario", "little-entente"], "--match"),
    ],
)
def test_bad_input_is_one_clear_line(command: Command, position: Position, more: list[str], named: str) -> None:
    words = position.words()[:4] if "--at" in more else position.words()
    answer = command(*words, *more)
    assert answer.is_bad_input(named), answer


def test_other_bad_input(command: Command, position: Position, match_file: Path) -> None:
    assert command("odds", "chess").is_bad_input("chess")
    assert command("odds", GAME, "--at", "3").is_bad_input("--match")
    assert command("odds", GAME, "--match", "/no/such/file").is_bad_input("/no/such/file")
    assert command("odds", GAME, "--scenario", "moon").is_bad_input("moon")
    assert command("odds", GAME, "--match", str(match_file)).is_bad_input("not of munich-war")
    other = next(role for role in ("axis", "allies") if role != position.role)
    assert command(*position.words("--role", other)).is_bad_input(other)
    assert command("odds", DEMO, "--match", str(match_file)).is_bad_input("over")
    refused = json.loads(position.action) | {"unit" if "unit" in position.action else "target": "nobody"}
    answer = command(*position.words("--action", json.dumps(refused)))
    assert answer.status == 2
    assert answer.err.count("\n") == 1


def test_the_whole_of_it_where_a_game_has_more_than_the_next_dice(command: Command, position: Position) -> None:
    """Munich War's battles are one roll, so the whole is the preview."""
    answer = command(*position.words("--action", position.action, "--whole", "--json"))
    assert answer.status == 0, answer.err
    assert json.loads(answer.out)["odds"]["success"] == pytest.approx(position.odds.success)
    words = position.words("--action", position.action)
    assert command(*words, "--assume", "assault").is_bad_input("--whole")
    assert command(*words, "--whole", "--assume", "assault").is_bad_input("they have none")


def test_a_chain_of_advances_from_a_saved_match(command: Command, tmp_path: Path) -> None:
    from sandtable.games.hitlers_war.model.actions import Attack, Done, PlaceDefault

    match = sandtable.new("hitlers-war", "barbarossa", seed=3)
    while not match.offers("axis")[Attack]:
        match.apply("axis", PlaceDefault() if match.offers("axis")[PlaceDefault] else Done())
    path = tmp_path / "match.jsonl"
    path.write_bytes(sandtable.save(match))
    attack = next(action for action in match.offers("axis") if isinstance(action, Attack))
    words = ["odds", "hitlers-war", "--match", str(path), "--action", msgspec.json.encode(attack).decode(), "--whole"]
    answer = command(*words, "--json")
    assert answer.status == 0, answer.err
    told = json.loads(answer.out)["odds"]
    assert sum(result["probability"] for result in told["results"]) == pytest.approx(1)
    assert all("hexes" in result["facts"] for result in told["results"])
    said = command(*words)
    assert "hexes" in said.out
    assert "exploitation" in said.out
    stormed = command(*words, "--assume", "assault", "--assume", f"along={attack.target}", "--json")
    assert json.loads(stormed.out)["odds"]["policy"] != told["policy"]
    for bad, named in (("along", "a list of names"), ("assault=often", "on or off"), ("luck=1", "along, assault")):
        assert command(*words, "--assume", bad).is_bad_input(named)


def test_the_assumptions_of_a_game_are_listed(command: Command) -> None:
    assert "attacker-leaves" in command("games", "blitzkrieg-general").out
    assert json.loads(command("games", GAME, "--json").out)[0]["assumptions"] == []
