"""Chains of advances: every die of the game, against products of the single chances and against played chains."""

from __future__ import annotations

import itertools
import os
from typing import Any

import pytest

import sandtable
from sandtable.core import Match
from sandtable.games.hitlers_war.model.actions import Attack, Done, PlaceDefault
from sandtable.games.hitlers_war.model.atlas import ATLAS
from sandtable.games.hitlers_war.odds.whole import _Chain, chain
from sandtable.odds.sample import sample, worst
from sandtable.odds.whole import whole
from sandtable.odds.words import in_words


@pytest.fixture(scope="module")
def match() -> Match[Any]:
    """Barbarossa where the Axis names its first attacks."""
    made = sandtable.new("hitlers-war", "barbarossa", seed=3)
    while True:
        role = made.decisions()[0]
        offers = made.offers(role)
        if offers[Attack]:
            return made
        made.apply(role, PlaceDefault() if offers[PlaceDefault] else Done())


def strongest(match: Match[Any]) -> Attack:
    """The attack whose chain goes farthest, against a hex that has to be fought for."""
    foes = [
        a
        for a in match.offers("axis")
        if isinstance(a, Attack) and match.state.owner[ATLAS.index[a.target]] != match.state.side
    ]
    return max(foes, key=lambda a: mean(chain(match, a)))


def mean(odds: Any) -> float:
    return sum(result.probability * result.facts["hexes"] for result in odds.results)


def by_hexes(odds: Any) -> dict[int, float]:
    return {result.facts["hexes"]: result.probability for result in odds.results}


def test_the_first_hex_is_as_likely_as_its_preview(match: Match[Any]) -> None:
    for action in list(match.offers("axis"))[:12]:
        if isinstance(action, Attack):
            odds, preview = chain(match, action, fire=False), match.preview("axis", action)
            assert odds is not None
            assert preview is not None
            assert sum(result.probability for result in odds.results) == pytest.approx(1)
            assert 1 - by_hexes(odds).get(0, 0.0) == pytest.approx(preview.success)


def test_a_chain_loses_chance_with_every_hex(match: Match[Any]) -> None:
    odds = chain(match, strongest(match))
    found = by_hexes(odds)
    assert max(found) >= 3
    reach = [sum(p for n, p in found.items() if n >= k) for k in range(max(found) + 1)]
    onward = [b / a for a, b in itertools.pairwise(reach[1:])]
    assert onward == sorted(onward, reverse=True)  # each hex advanced makes the next one harder


def test_an_assault_before_it_never_hurts(match: Match[Any]) -> None:
    action = strongest(match)
    assert mean(chain(match, action, assault=True)) >= mean(chain(match, action)) - 1e-12


def test_it_says_whether_the_defenders_fire(match: Match[Any]) -> None:
    """They do unless somebody asks for odds in which they hold their fire; `--whole --assault` does not."""
    role, action = match.decisions()[0], strongest(match)
    asked, fired = whole(match, role, action, {"assault": True}), chain(match, action, assault=True)
    held = chain(match, action, assault=True, fire=False)
    assert asked == fired
    assert fired is not None
    assert held is not None
    assert mean(fired) < mean(held)
    for language, says in (("en", "The defenders fire at once"), ("de", "Die Verteidiger")):
        one, other = (in_words(odds, match.game.texts(language)).policy for odds in (fired, held))
        assert one.startswith(says)
        assert one != other


def test_a_named_way_is_followed(match: Match[Any]) -> None:
    action = strongest(match)
    plan = _Chain(match, action, (), assault=False, fire=True)
    assert plan.path == (action.target,)
    onward = next(
        ATLAS.names[x]
        for x in ATLAS.around[ATLAS.index[action.target]]
        if match.state.owner[x] not in (match.state.side, match.state.owner[0], 255)
        and ((found := chain(match, action, (ATLAS.names[x],))) is not None and found.success > 0)
    )
    odds = chain(match, action, (onward,))
    assert odds is not None
    assert max(by_hexes(odds)) <= 2
    assert odds.success == by_hexes(odds)[2]


@pytest.mark.parametrize("assault", [False, True])
def test_chains_agree_with_played_ones(match: Match[Any], assault: bool) -> None:
    action = strongest(match)
    plan = _Chain(match, action, (), assault=assault, fire=True)
    exact: dict[Any, float] = dict(by_hexes(chain(match, action, assault=assault)))
    samples = int(os.environ.get("SANDTABLE_SAMPLES", "300"))  # SANDTABLE_SAMPLES=1000000 plays a million
    counts = sample(match, plan.decide, plan.reached, samples, "chains")
    assert worst(exact, counts) < 6


def test_other_actions_have_no_chain(match: Match[Any]) -> None:
    assert chain(match, Done()) is None
