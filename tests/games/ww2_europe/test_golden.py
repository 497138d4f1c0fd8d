"""A golden playthrough per scenario, and the table of one position in each language.

To write the files anew after a change that is meant, run this test with SANDTABLE_GOLDEN=write in the environment.
"""

import itertools
from pathlib import Path

import pytest

from sandtable.core import LANGUAGES, Match, Offer, Offers
from sandtable.games.ww2_europe.game import GAME
from sandtable.testing import check_golden, check_golden_table

FOLDER = Path(__file__).parent / "golden"
OPTIONS = {"spring-1941": dict.fromkeys((name for name, option in GAME.options.items() if not option.choices), True)}
COUNTED = 250
"""Actions of one kind are counted up to here: there are millions of ways to sail."""


def kinds(offers: Offers) -> str:
    """'march 34, sail 250+'"""
    return ", ".join(map(count, offers.offers))


def count(offer: Offer) -> str:
    number = sum(1 for _ in itertools.islice(iter(offer), COUNTED + 1))
    return f"{offer.verb} {number}" if number <= COUNTED else f"{offer.verb} {COUNTED}+"


@pytest.mark.parametrize("scenario", list(GAME.scenarios))
def test_the_playthrough_is_the_golden_one(scenario: str) -> None:
    path = FOLDER / f"{scenario}.txt"
    check_golden(GAME, scenario, path, options=OPTIONS.get(scenario, {}), decisions=420, count=kinds)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_is_the_golden_one(language: str) -> None:
    match = Match.new(GAME, "spring-1941", {"technology": True, "leaders": True}, seed="table")
    check_golden_table(match, "germany", language, FOLDER / f"table.{language}.txt")
