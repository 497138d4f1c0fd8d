"""`sandtable prove`: status 0 where every card is right; bad input is one clear line."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from sandtable.lab import proof
from sandtable.odds.shown import shown
from tests.cli.conftest import Command

WORDS = ("prove", "munich-war", "--decisions", "2", "--seed", "3")


def test_cards_that_are_right(command: Command) -> None:
    answer = command(*WORDS, "--json")
    assert answer.status == 0
    told = json.loads(answer.out)["proof"]
    assert (told["decisions"], told["flaws"]) == (2, [])
    assert "2 decisions" in command(*WORDS).out


def test_a_wrong_card_is_shown(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def spoilt(*asked: object) -> object:
        card = shown(*asked)  # type: ignore[arg-type]
        return None if card is None else replace(card, success=0.123)

    monkeypatch.setattr(proof, "shown", spoilt)
    answer = command(*WORDS)
    assert answer.status == 1
    assert "success: the card says 0.123000, the engine " in answer.out


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["chess"], "chess"),
        (["munich-war", "--scenario", "peace"], "peace"),
        (["munich-war", "--decisions", "0"], "'0'"),
        (["munich-war", "--levels", "wizard"], "wizard"),
    ],
)
def test_bad_input_is_one_clear_line(command: Command, words: list[str], named: str) -> None:
    assert command("prove", *words).is_bad_input(named)
