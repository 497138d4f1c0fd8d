"""A handicap is money at the start, for the powers of one side that are in the war."""

import pytest

from sandtable.core import Match
from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.model.atlas import ATLAS
from sandtable.games.ww2_europe.model.state import AT_WAR

A = ATLAS


def opened(scenario, **options):
    return Match.new(GAME, scenario, options, seed="handicap").state


@pytest.mark.parametrize("scenario", GAME.scenarios)
@pytest.mark.parametrize(("dollars", "side"), [(60, 0), (-90, 1)])
def test_the_powers_in_the_war_share_it(scenario, dollars, side):
    plain, given = opened(scenario), opened(scenario, handicap=dollars)
    more = [two - one for one, two in zip(plain.money, given.money, strict=True)]
    takers = [p for p in range(len(A.powers)) if A.side[p] == side and plain.status[p] == AT_WAR]
    assert sum(more) == abs(dollars)
    assert {p for p, number in enumerate(more) if number} == set(takers)
    assert max(more[p] for p in takers) - min(more[p] for p in takers) <= 1


def test_a_match_without_one_does_not_know_of_it():
    """Saved matches of before have the same digest."""
    assert "handicap" not in opened("fall-1939").options
    assert opened("fall-1939", handicap=30).options["handicap"] == 30
