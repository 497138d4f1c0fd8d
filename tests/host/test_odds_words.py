"""Odds as a person reads them: no key of the text files reaches the screen."""

from __future__ import annotations

import re
from random import Random

import pytest

from sandtable.core import Match, NothingToChoose
from sandtable.games import find, games
from sandtable.odds.words import in_words

KEY = re.compile(r"^(odds|result|policy|modifier|terror|interception)\.|^@")


@pytest.mark.parametrize("name", games())
@pytest.mark.parametrize("language", ["en", "de"])
def test_previews_are_told_in_words(name, language):
    """Random play of the first scenario; every preview met on the way is read by a person."""
    game = find(name)
    texts, met, rng = game.texts(language), 0, Random(4)
    match = Match.new(game, next(iter(game.scenarios)), seed=4, history=False)
    for _ in range(500):
        if match.over or met >= 15:
            break
        role = match.decisions()[0]
        for offer in match.offers(role).offers:
            try:
                action = offer.sample(rng)
            except NothingToChoose:
                continue
            odds = match.preview(role, action)
            if odds is not None:
                met += 1
                told = in_words(odds, texts)
                words = [told.title, told.policy, *(r.name for r in told.results), *(m.name for m in told.modifiers)]
                assert not [word for word in words if KEY.match(word)], words
        match.apply(role, match.offers(role).sample(rng))
    assert met > 0, f"no preview was met in {name}"
