"""`sandtable replay`: good files are shown and checked, anything else is one clear line."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandtable.cli.app import main
from sandtable.core import Match
from tests.cli.conftest import DEMO, Command


def test_verify_says_what_was_checked(command: Command, match_file: Path, played: Match) -> None:
    answer = command("replay", match_file, "--game", DEMO, "--verify")
    assert answer.status == 0
    assert f"{played.number} of {played.number} moves and {played.state.rolled} dice" in answer.out
    assert answer.out.count("\n") == 1


def test_verify_as_json(command: Command, match_file: Path, played: Match) -> None:
    answer = command("replay", match_file, "--game", DEMO, "--verify", "--json")
    result = json.loads(answer.out)
    assert answer.status == 0
    assert result["verified"] is True
    assert result["digest"] == played.digest()
    assert played.outcome is not None
    assert result["outcome"]["reason"] == played.outcome.reason
    assert "state" not in result


def test_show_has_a_row_for_every_move(command: Command, match_file: Path, played: Match) -> None:
    answer = command("replay", match_file, "--game", DEMO)
    assert answer.status == 0
    numbers = [line.split()[0] for line in answer.out.splitlines() if line.split() and line.split()[0].isdigit()]
    assert numbers == [str(number) for number in range(played.number + 1)]


@pytest.mark.parametrize("to", [0, 1, 5])
def test_to_stops_there(command: Command, match_file: Path, to: int) -> None:
    answer = command("replay", match_file, "--game", DEMO, "--to", to, "--json")
    result = json.loads(answer.out)
    assert answer.status == 0
    assert result["replayed"] == to
    assert len(result["log"]) == to + 1
    assert result["over"] is False
    assert result["waiting_for"]
    assert result["state"]["scenario"] == "war"


def test_the_position_there_is_shown(command: Command, match_file: Path, played: Match) -> None:
    answer = command("replay", match_file, "--game", DEMO, "--to", 0)
    seen = Match.new(played.game, "war", played.options, seed=played.seed).table(None)
    assert answer.status == 0
    assert seen.prompt in answer.out
    for place, counters in seen.stacks.items():
        assert any(line.split()[:1] == [place] for line in answer.out.splitlines()) == bool(counters)


def test_a_move_that_is_not_there(command: Command, match_file: Path, played: Match) -> None:
    answer = command("replay", match_file, "--game", DEMO, "--to", played.number + 1)
    assert answer.is_bad_input(f"no move {played.number + 1}")


def test_a_game_that_is_not_ours_must_be_named(command: Command, match_file: Path) -> None:
    assert command("replay", match_file).is_bad_input("three-crowns")


def rewrite(path: Path, line: int, **changes: object) -> Path:
    """Change fields of one line of a match file."""
    lines = path.read_text().splitlines()
    lines[line] = json.dumps(json.loads(lines[line]) | changes)
    path.write_text("\n".join(lines) + "\n")
    return path


def test_files_that_are_no_matches(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "file"
    for content in (b"", b"\n", b"hello", b"{}\n", b"\xff\xfe\x00", b"[" * 100_000, b'{"sandtable":1}\n'):
        path.write_bytes(content)
        assert command("replay", path).is_bad_input("not a match file"), content
    assert command("replay", tmp_path).is_bad_input("cannot be read")
    assert command("replay", tmp_path / "gone").is_bad_input("cannot be read")


def test_a_file_of_another_version(command: Command, match_file: Path) -> None:
    assert command("replay", rewrite(match_file, 0, rules=99), "--game", DEMO).is_bad_input("version 99")


def test_a_file_of_another_format(command: Command, match_file: Path) -> None:
    assert command("replay", rewrite(match_file, 0, sandtable=99), "--game", DEMO).is_bad_input("format 99")


def test_a_file_with_another_seed(command: Command, match_file: Path) -> None:
    assert command("replay", rewrite(match_file, 0, seed="mine"), "--game", DEMO).is_bad_input("seed")


def test_a_file_of_an_unknown_scenario_or_option(command: Command, match_file: Path) -> None:
    rewrite(match_file, 0, options={"cheese": True})
    assert command("replay", match_file, "--game", DEMO).is_bad_input("cheese")
    rewrite(match_file, 0, options={}, scenario="peace")
    assert command("replay", match_file, "--game", DEMO).is_bad_input("peace")


def test_a_file_with_another_digest(command: Command, match_file: Path) -> None:
    rewrite(match_file, 4, digest="0" * 32)
    assert command("replay", match_file, "--game", DEMO).is_bad_input("move 4")


def test_an_action_of_the_wrong_role_or_shape(command: Command, match_file: Path) -> None:
    before = match_file.read_bytes()
    wrong: list[dict[str, object]] = [{"role": "purple"}, {"action": {"do": "fly"}}, {"action": 5}, {"action": {}}]
    for changes in wrong:
        match_file.write_bytes(before)
        assert command("replay", rewrite(match_file, 3, **changes), "--game", DEMO).is_bad_input("3"), changes


def test_a_truncated_file(command: Command, match_file: Path, saved: bytes) -> None:
    for size in (len(saved) - 3, len(saved) // 2, len(saved) // 3, 200):
        match_file.write_bytes(saved[:size])
        answer = command("replay", match_file, "--game", DEMO)
        assert answer.is_bad_input(), answer


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_file_never_crashes(
    data: st.DataObject, saved: bytes, match_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Cut, overwrite or drop any part: the file is shown as it was, or refused in one line."""
    start = data.draw(st.integers(0, len(saved) - 1))
    length = data.draw(st.integers(0, 40))
    patch = data.draw(st.binary(max_size=12))
    match_file.write_bytes(saved[:start] + patch + saved[start + length :])
    status = main(["replay", str(match_file), "--game", DEMO, "--verify"])
    printed = capsys.readouterr()
    assert status in (0, 2)
    assert (printed.err.count("\n"), bool(printed.out)) == ((0, True) if status == 0 else (1, False))


def test_luck_weighs_every_die(command: Command, match_file: Path, played: Match) -> None:
    answer = command("replay", match_file, "--game", DEMO, "--luck", "--json")
    assert answer.status == 0
    told = json.loads(answer.out)
    assert 0 < told["dice"] <= played.state.rolled
    assert {side["side"] for side in told["measures"][0]["sides"]} == set(played.game.alliances)
    shown = command("replay", match_file, "--game", DEMO, "--luck")
    assert shown.status == 0
    assert told["measures"][0]["label"] in shown.out
    assert "longest chain" in shown.out
