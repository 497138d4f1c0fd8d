"""What a seat is sent is what the protocol says, in every game."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from sandtable.core import Match
from sandtable.core.table import Table
from sandtable.games import find, games
from sandtable.host import sight
from sandtable.host.messages import OfferInfo
from sandtable.testing import random_play


@pytest.mark.parametrize("name", games())
def test_tables_and_offers_have_the_shape_of_the_protocol(name: str) -> None:
    """Colours of the palette, known kinds of domains, no field that the description does not have."""
    game = find(name)
    for scenario in game.scenarios:
        match, rng = Match.new(game, scenario, seed=3, history=False), Random(3)
        for _ in range(8):
            random_play(match, rng, most=20)
            for role in (*match.roles, None):
                msgspec.json.decode(msgspec.json.encode(match.table(role)), type=Table)
            for role in match.decisions():
                offered = sight.offers(match, role, "en")
                assert offered
                msgspec.json.decode(msgspec.json.encode(offered), type=list[OfferInfo])
