"""Battles of Munich War: the columns of the odds against battles that the game itself played."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from sandtable.core import Action, Event, SealedDice
from sandtable.games.munich_war.actions import Bomb, Intercept, Support
from sandtable.games.munich_war.air import AirIntercept
from sandtable.games.munich_war.atlas import ALLIES, AXIS
from sandtable.games.munich_war.combat_phase import Combat
from sandtable.games.munich_war.events import Bombed, Fought, Intercepted
from sandtable.games.munich_war.terror import TerrorBombing
from sandtable.odds.sample import worst
from tests.games.munich_war.positions import Position, attack
from tests.games.munich_war.test_odds import declared

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
    exact: dict[Any, float] = {row.name.partition(".")[2]: row.probability for row in odds.results}
    assert worst(exact, counts) < 6
