"""Random legal play with every promise of the core and every invariant; a longer run is `sandtable fuzz`."""

from __future__ import annotations

import pytest

from sandtable.core import Match
from sandtable.games.ww2_europe.game import GAME
from sandtable.lab.fuzz import fuzz


@pytest.mark.parametrize("scenario", list(GAME.scenarios))
@pytest.mark.parametrize("every", [False, True])
def test_a_short_fuzz(scenario: str, every: bool):
    report = fuzz(GAME, scenario, dict.fromkeys(GAME.options, every), decisions=100, seed=11)
    assert report.decisions == 100


def test_offers_can_be_counted_without_listing_them():
    match = Match.new(GAME, "fall-1939", seed=2, history=False)
    counted = 0
    while counted < 3:
        role = match.decisions()[0]
        offers = match.offers(role)
        if match.step.__struct_config__.tag == "movement":
            verbs = {offer.verb: offer for offer in offers.offers}
            if "sail" in verbs:
                assert len(verbs["sail"]) > 0
                counted += 1
        done = next((a for offer in offers.offers if offer.verb == "done" for a in offer), None)
        match.apply(role, done or next(iter(offers)))
