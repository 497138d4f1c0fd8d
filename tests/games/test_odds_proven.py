"""A short run of `sandtable prove`: every figure on a card is what the engine's own dice bring.

`./sandtable prove GAME --decisions 2000` reads many more.
"""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core import Odds, Result
from sandtable.games import find, games
from sandtable.lab import proof
from sandtable.lab.referee import played
from sandtable.odds.shown import shown
from sandtable.odds.words import in_words

DECISIONS = 15


@pytest.mark.parametrize("name", games())
def test_cards_equal_every_fall_of_the_dice(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cards: list[Odds] = []

    def kept(*asked: Any) -> Odds | None:
        card = shown(*asked)
        cards.extend([card] if card is not None else [])
        return card

    monkeypatch.setattr(proof, "shown", kept)
    found = proof.prove(find(name), DECISIONS, "test")
    assert not found.flaws
    assert not found.unread
    assert found.decisions == DECISIONS
    assert found.proven >= DECISIONS
    for card in cards:
        says_what_it_is(card, name)


def says_what_it_is(card: Odds, name: str) -> None:
    """Whose success it is, of what, good for whoever asks or not; in both languages."""
    assert card.mine is not None
    for language in ("en", "de"):
        said = in_words(card, find(name).texts(language))
        words = [said.title, said.whose, said.aim, *(row.name for row in said.results)]
        words += [part.name for part in said.modifiers]
        words += [text for text in (said.policy, said.basis) if text]
        for word in words:
            assert word
            assert not re.match(r"@|(odds|aim|result|policy|basis|modifier)\.", word), word


def wrong(card: Odds) -> Odds:
    return replace(card, success=card.success + 0.01)


def mean(card: Odds) -> Odds:
    return replace(card, expected_losses={side: lost + 0.1 for side, lost in card.expected_losses.items()})


def other(card: Odds) -> Odds:
    return replace(card, results=[*card.results[1:], Result(card.results[0].probability, "result.other")])


@pytest.mark.parametrize("spoil", [wrong, mean, other])
def test_a_wrong_figure_is_found(monkeypatch: pytest.MonkeyPatch, spoil: Any) -> None:
    def spoilt(*asked: Any) -> Odds | None:
        card = shown(*asked)
        return None if card is None else spoil(card)

    monkeypatch.setattr(proof, "shown", spoilt)
    found = proof.prove(find("munich-war"), 3, "test")
    assert found.flaws
    assert found.proven == 0


def test_large_battles_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "MOST_AT_ONCE", 0)
    game = find("munich-war")
    found = proof.Proof(game.id)
    case = played(game, "test/0", ["captain"])
    for match, role, actions in proof._asked(case, Random(1)):
        proof._read(found, "test", match, role, actions, 60)
        if found.sampled:
            break
    assert not found.flaws
    assert found.proven == 0
