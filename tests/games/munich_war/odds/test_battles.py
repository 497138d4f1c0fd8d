"""Battles of Munich War: the columns of the odds against battles that the game itself played."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from sandtable.core import Action, Event, Match, SealedDice
from sandtable.games.munich_war.model.actions import Bomb, Intercept, Support
from sandtable.games.munich_war.model.atlas import ALLIES, ATLAS, AXIS
from sandtable.games.munich_war.model.events import Bombed, Fought, Intercepted
from sandtable.games.munich_war.rules.air_phase import AirIntercept
from sandtable.games.munich_war.rules.combat_phase import Combat
from sandtable.games.munich_war.rules.terror_phase import TerrorBombing
from sandtable.odds.sample import worst
from sandtable.odds.walk import outcomes, walk
from tests.games.munich_war.odds.test_previews import declared
from tests.games.munich_war.positions import Position, attack

SAMPLES = int(os.environ.get("SANDTABLE_SAMPLES", "600"))
"""SANDTABLE_SAMPLES=1000000 plays a million battles of each kind."""


def great_attack() -> Position:
    """Three corps with aircraft and special forces against a fortress with its garrison."""
    war = Position().put("GE-01", "2613").put("GE-16", "2613").put("GE-02", "2514")
    war.put("CZ-F1", "2614").put("CZ-2L1", "2614").put("GE-AB", "available").put("GE-L1", "2614").phase(Combat(AXIS))
    war.do(attack("2614", "GE-01", "GE-16", "GE-02"))
    return war


def bombers() -> Position:
    return Position().put("GE-L1", "2515").phase(TerrorBombing(AXIS))


def fighters() -> Position:
    return Position().put("GE-L1", "3013").put("PL-A1", "available").phase(AirIntercept(ALLIES), AXIS)


CASES: list[tuple[Callable[[], Position], str, Action]] = [
    (declared, "axis", Support("", "", "")),
    (declared, "axis", Support("GE-L1", "", "GE-AB")),
    (great_attack, "axis", Support("GE-L1", "", "GE-AB")),
    (bombers, "axis", Bomb("GE-L1", "city")),
    (fighters, "allies", Intercept("PL-A1", "3212", "3013")),
]


def told(events: Iterable[Event]) -> str:
    """The result as the table prints it."""
    return next(event.result for event in events if isinstance(event, (Bombed, Fought, Intercepted)))


@pytest.mark.parametrize(("make", "role", "action"), CASES)
def test_battles_agree_with_many_that_were_played(make: Callable[[], Position], role: str, action: Action) -> None:
    """Six deviations: a right sum fails once in a hundred million runs."""
    match = make().match
    odds = match.preview(role, action)
    assert odds is not None
    counts: dict[Any, int] = {}
    for number in range(SAMPLES):
        twin = match.clone()
        twin.play.dice = SealedDice(f"many/{number}")
        name = told(twin.apply(role, action))
        counts[name] = counts.get(name, 0) + 1
    exact: dict[Any, float] = {}
    for row in odds.results:
        name = row.name.partition(".")[2]
        exact[name] = exact.get(name, 0.0) + row.probability
    assert worst(exact, counts) < 6


def left(match: Match[Any], side: int) -> int:
    """Steps that a side has anywhere; who is eliminated has none."""
    state = match.state
    return sum(state.steps[unit] for unit, face in enumerate(ATLAS.units) if state.side[face.country] == side)


@pytest.mark.parametrize("number", range(3))
@pytest.mark.rule("mw-11.9", "mw-16.9-e", "mw-17.1-b", "mw-17.1-c", "mw-17.1-f")
def test_steps_lost_are_those_of_the_game(number: int) -> None:
    """Every die, and every loss taken as it is first offered; nobody here is lost in a retreat."""
    make, role, action = CASES[number]
    match = make().match
    odds = match.preview(role, action)
    assert odds is not None
    before = [left(match, side) for side in (AXIS, ALLIES)]
    wanted: dict[tuple[str, int, int], float] = {}
    for chance, struck in outcomes(match, lambda twin: twin.apply(role, action)):
        name = f"result.{told(struck.play.events)}"
        for part, end in walk(struck, first_choice, most=3_000):
            key = (name, before[AXIS] - left(end, AXIS), before[ALLIES] - left(end, ALLIES))
            wanted[key] = wanted.get(key, 0.0) + chance * part
    found = {
        (row.name, row.losses.get("axis", 0), row.losses.get("allies", 0)): row.probability for row in odds.results
    }
    assert found == pytest.approx(wanted)


def first_choice(match: Match[Any], role: str) -> Action | None:
    """The first that is offered until the battle is over."""
    return None if isinstance(match.step, Combat) or match.state.battle is None else next(iter(match.offers(role)))
