"""Battles at sea and strategic fire: the odds against every way the dice of the game itself can fall."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sandtable.core import Action, Match, Odds
from sandtable.games.hitlers_war.model.actions import Bomb, Chase, Done, Fight, GoRaiding, Launch, Lose
from sandtable.games.hitlers_war.model.events import BattleWon, Fired
from sandtable.games.hitlers_war.model.fleets import INDEX
from sandtable.games.hitlers_war.rules.movement_phase import Movement
from sandtable.games.hitlers_war.rules.naval.battle import Engage
from sandtable.games.hitlers_war.rules.strategic.warfare_phase import Bombing, MissileLaunch
from sandtable.odds.walk import outcomes, walk
from tests.games.hitlers_war.positions import ALLIES, AXIS
from tests.games.hitlers_war.positions_naval import Admiral, Second

HOME, GERMAN, SECOND = "British Fleet 1", "German Fleet 1", "German Fleet 2"
Ends = dict[tuple[bool, int, int], float]
"""Whether the attacker stays, what he lost, what the defender lost."""


def told(odds: Odds | None, names: tuple[str, str] = ("allies", "axis")) -> Ends:
    assert odds is not None
    assert sum(row.probability for row in odds.results) == pytest.approx(1)
    ours, theirs = names
    found: Ends = {
        (row.name == "result.stays", row.losses.get(ours, 0), row.losses.get(theirs, 0)): row.probability
        for row in odds.results
    }
    assert len(found) == len(odds.results)
    assert odds.success == pytest.approx(sum(p for (stays, *_), p in found.items() if stays))
    return found


def fought(p: Admiral, action: Action, attacker: str, defender: str) -> Ends:
    """Every way the battle ends when it is played, each owner giving his carriers to the carriers."""
    before = sum(p.afloat(attacker)), sum(p.afloat(defender))
    begun = False

    def policy(match: Match[Any], role: str) -> Action | None:
        nonlocal begun
        if not begun:
            begun = True
            return action
        offers = [a for a in match.offers(role) if isinstance(a, Lose)]
        return next((a for a in offers if a.kind == "carrier"), offers[0] if offers else None)

    ends: Ends = {}
    for chance, end in walk(p.match, policy, fold=lambda match: (match.game.codec.pack(match.state), won(match))):
        s = end.state
        left = [s.ships[INDEX[name]] + s.carriers[INDEX[name]] for name in (attacker, defender)]
        key = won(end) == attacker, before[0] - left[0], before[1] - left[1]
        ends[key] = ends.get(key, 0.0) + chance
    return ends


def won(match: Match[Any]) -> str | None:
    return next((event.fleet for event in match.play.events if isinstance(event, BattleWon)), None)


@pytest.mark.parametrize(
    ("british", "german", "weary"),
    [((3, 0), (2, 0), 10), ((3, 2), (4, 0), 10), ((2, 1), (3, 1), 5), ((0, 2), (2, 0), 10), ((1, 1), (1, 1), 10)],
)
@pytest.mark.rule("hw-navbattle-2", "hw-carrier-3", "hw-carrier-4", "hw-carrier-6")
def test_a_battle_at_sea(british: tuple[int, int], german: tuple[int, int], weary: int) -> None:
    p = Admiral(carriers=True)
    p.spirits(britain=weary)
    p.ships(HOME, "S8", *british, sea=True).ships(GERMAN, "S8", *german, sea=True).ships(SECOND, "S8", 1, 0, sea=True)
    p.begin(ALLIES, Engage(INDEX[HOME], p.state.fleet_at[INDEX[HOME]]))
    action = Fight(HOME, GERMAN)
    assert told(p.match.preview(ALLIES, action)) == pytest.approx(fought(p, action, HOME, GERMAN))


@pytest.mark.rule("hw-raid-5", "hw-raid-9")
def test_a_chase_is_the_search_and_the_battle() -> None:
    p = Admiral(carriers=True)
    p.ships(HOME, "M5", 3, 0, sea=True).ships(GERMAN, "Q9", 2, 0)
    p.begin(AXIS, Movement()).do(AXIS, GoRaiding((GERMAN,)))
    action = Chase(HOME, GERMAN)
    assert told(p.match.preview(ALLIES, action)) == pytest.approx(fought(p, action, HOME, GERMAN))


def hits(match: Match[Any], role: str, action: Action, by: str) -> dict[int, float]:
    """The losses done by one kind of shooter, over every way the dice fall."""
    found: dict[int, float] = {}
    for chance, end in outcomes(match, lambda twin: twin.apply(role, action)):
        lost = sum(event.losses for event in end.play.events if isinstance(event, Fired) and event.by == by)
        found[lost] = found.get(lost, 0.0) + chance
    return found


def raid(p: Second) -> tuple[Action, str]:
    p.boxed(ALLIES, "bomber", 7).boxed(AXIS, "air_defense", 4)
    p.begin(ALLIES, Bombing())
    return Bomb("axis", "germany"), "@bombers"


def rockets(p: Second) -> tuple[Action, str]:
    p.missile(ALLIES, 1, "P7", 6)
    p.begin(ALLIES, MissileLaunch())
    return next(a for a in p.match.offers(ALLIES) if isinstance(a, Launch) and a.number == 6), "@missiles"


@pytest.mark.parametrize("made", [raid, rockets])
@pytest.mark.parametrize("britain", [10, 5])
@pytest.mark.rule("hw-morale-6", "hw-bomb-3", "hw-bomb-4", "hw-missile-4")
def test_weary_bombers_and_rockets(made: Callable[[Second], tuple[Action, str]], britain: int) -> None:
    p = Second()
    p.spirits(britain=britain)
    action, by = made(p)
    odds = p.match.preview(ALLIES, action)
    assert odds is not None
    assert {row.losses["axis"]: row.probability for row in odds.results} == pytest.approx(
        hits(p.match, ALLIES, action, by)
    )
    assert bool(odds.modifiers) == (britain < 10)


def test_nothing_is_foretold_of_a_choice_without_dice() -> None:
    p = Admiral(carriers=True)
    p.ships(HOME, "M5", 3, 0, sea=True).ships(GERMAN, "Q9", 2, 0)
    p.begin(AXIS, Movement()).do(AXIS, GoRaiding((GERMAN,)))
    assert p.match.preview(ALLIES, Done()) is None
