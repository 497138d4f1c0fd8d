"""Play to the end of every scenario: strength points appear and vanish only by events."""

from random import Random

import pytest

from sandtable.core import Event, Match
from sandtable.games.hitlers_war.game import GAME
from sandtable.games.hitlers_war.model.events import ArmyGone, PointLost, Raised
from tests.games.hitlers_war.lively import EVERYTHING, choose


def balance(events: list[Event]) -> int:
    """Strength points of armies that came and went, as the events tell it."""
    change = 0
    for event in events:
        if isinstance(event, Raised):
            change += event.number
        elif isinstance(event, ArmyGone):
            change -= event.points
        elif isinstance(event, PointLost) and event.kind[1:] not in ("fort", "home", "garrison", "coast"):
            change -= 1
    return change


@pytest.mark.parametrize("scenario", list(GAME.scenarios))
@pytest.mark.parametrize("all_options", [False, True], ids=["plain", "every option"])
def test_no_strength_point_appears_or_vanishes_without_an_event(scenario: str, all_options: bool):
    options = EVERYTHING[scenario] if all_options else {}
    for seed in range(2):
        match = Match.new(GAME, scenario, options, seed=seed, history=False)
        rng = Random(seed)
        while not match.over:
            role = match.decisions()[0]
            before = sum(match.state.strength)
            action = choose(match, role, rng)
            events = list(match.apply(role, action))
            assert sum(match.state.strength) == before + balance(events), (seed, match.number, action)
            assert match.faults() == []
            assert match.number < 20_000
