"""Match files come back as they were, and bad ones are turned away with one sentence."""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.core import BadFile, Diverged, Match, OtherVersion, SandtableError, Unknown
from sandtable.core import replay as files
from sandtable.testing.fuzzing import random_play
from tests.demo.game import GAME


def find(name, rules):
    if name != GAME.id:
        raise Unknown(f"there is no game '{name}'")
    return GAME


def finished(seed=4):
    match = Match.new(GAME, "war", {"floods": True}, seed=seed)
    random_play(match, Random(seed))
    return match


MATCH = finished()
FILE = files.save(MATCH)


def test_a_saved_match_comes_back_byte_for_byte():
    again = files.load(FILE, find)
    assert GAME.codec.pack(again.state) == GAME.codec.pack(MATCH.state)
    assert again.events == MATCH.events
    assert again.outcome == MATCH.outcome
    assert files.save(again) == FILE


def test_the_header_tells_what_was_played():
    head = json.loads(FILE.splitlines()[0])
    assert head["game"] == "three-crowns"
    assert head["rules"] == 1
    assert head["options"] == {"floods": True, "gold": 1}
    assert head["seed"] == "4"
    assert len(head["seed_hash"]) == 64


def test_a_match_with_undo_comes_back():
    match = Match.new(GAME, "war", seed=9)
    rng = Random(9)
    for _ in range(60):
        if match.over:
            break
        role = rng.choice(match.decisions())
        if match.can_undo(role) and rng.random() < 0.3:
            match.undo(role)
        else:
            match.apply(role, match.offers(role).sample(rng))
    assert files.load(files.save(match), find).digest() == match.digest()


def test_one_can_stop_at_any_move():
    assert files.load(FILE, find, to=5).number == 5
    with pytest.raises(BadFile, match="there is no move 9999"):
        files.load(FILE, find, to=9999)


def without(number):
    rows = FILE.splitlines()
    return b"\n".join(rows[:number] + rows[number + 1 :]) + b"\n"


@pytest.mark.parametrize(
    ("data", "kind", "words"),
    [
        (b"", BadFile, "empty"),
        (b"hello\n", BadFile, "no header"),
        (b"\xff\xfe\x00", BadFile, "no header"),
        (FILE[: len(FILE) // 2], BadFile, "ends in the middle"),
        (b"\n".join(FILE.splitlines()[:-1]) + b"\n", BadFile, "ends in the middle"),
        (FILE.splitlines()[0] + b"\n", BadFile, "no end line"),
        (without(3), BadFile, "stands where move 3"),
        (FILE.replace(b'"rules":1', b'"rules":99'), OtherVersion, "version 99 .* has version 1"),
        (FILE.replace(b'"sandtable":1', b'"sandtable":7'), OtherVersion, "format 7"),
        (FILE.replace(b'"seed":"4"', b'"seed":"5"'), BadFile, "does not fit its hash"),
        (FILE.replace(b'"do":"plan"', b'"do":"plot"', 1), BadFile, "move 1 .* cannot be read"),
        (FILE.replace(b'"posture":"', b'"posture":"x', 1), Diverged, "move 1 is not allowed"),
    ],
)
def test_a_bad_file_is_turned_away_with_one_sentence(data, kind, words):
    with pytest.raises(kind, match=words) as caught:
        files.load(data, find)
    assert "\n" not in str(caught.value)


def test_a_match_of_older_rules_is_read_where_it_goes_the_same_way(monkeypatch):
    monkeypatch.setattr(type(GAME), "rules_version", 2)
    assert files.load(FILE, find).digest() == MATCH.digest()
    rows = FILE.splitlines()
    row = json.loads(rows[7])
    row["digest"] = "0" * 32
    other = b"\n".join([*rows[:7], json.dumps(row).encode(), *rows[8:]])
    for verify in (True, False):
        with pytest.raises(OtherVersion, match=r"under version 1 .* under version 2 it goes another way at move 7"):
            files.load(other, find, verify=verify)
    refused = FILE.replace(b'"posture":"', b'"posture":"x', 1)
    with pytest.raises(OtherVersion, match="another way at move 1"):
        files.load(refused, find)


def test_a_replay_that_diverges_is_caught_at_its_move():
    rows = FILE.splitlines()
    row = json.loads(rows[7])
    row["digest"] = "0" * 32
    rows[7] = json.dumps(row).encode()
    with pytest.raises(Diverged, match="at move 7"):
        files.load(b"\n".join(rows), find)
    files.load(b"\n".join(rows), find, verify=False)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(FILE) - 1), st.integers(0, 255))
def test_no_damaged_byte_goes_unnoticed_or_crashes(place, byte):
    data = FILE[:place] + bytes([byte]) + FILE[place + 1 :]
    try:
        match = files.load(data, find)
    except SandtableError:
        return
    assert match.digest() == MATCH.digest()


def test_a_clone_has_nothing_to_save():
    with pytest.raises(SandtableError, match="no history"):
        files.save(MATCH.clone())
