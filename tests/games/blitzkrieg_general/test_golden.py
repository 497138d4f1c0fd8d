"""A golden playthrough per scenario: every decision, offer count, die and event of the first part of one seeded match.

To write the files anew after a change that is meant, run this test with SANDTABLE_GOLDEN=write in the environment.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from sandtable.core import Action, Event, Match, Rolled
from sandtable.games.blitzkrieg_general.game import GAME

FOLDER = Path(__file__).parent / "golden"
DECISIONS = 450


def plain(action: Action) -> str:
    fields = ", ".join(f"{name}={_word(getattr(action, name))}" for name in action.__struct_fields__)
    return f"{action.__struct_config__.tag}({fields})"


def _word(value: object) -> str:
    return "+".join(value) if isinstance(value, tuple) else str(value)


def playthrough(scenario: str) -> str:
    """The first decisions of a random match as a person can read them."""
    seed = f"golden/{scenario}"
    match = Match.new(GAME, scenario, seed=seed, history=False)
    texts, rng = GAME.texts("en"), Random(seed)
    lines = [f"# {GAME.title}: {scenario}, seed {seed}, the first {DECISIONS} decisions"]

    def tell(events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, Rolled):
                if event.seen_by is None:
                    lines.append(f"    die {event.number}: {event.value} [{event.why}]")
            else:
                lines.append(f"    {texts.event(event)}")

    tell(match.play.events)
    for number in range(1, DECISIONS + 1):
        if match.over:
            break
        role = match.decisions()[0]
        offers = match.offers(role)
        action = offers.sample(rng)
        lines.append(f"{number}. {role} at {match.step.__struct_config__.tag}, {len(offers)} choices: {plain(action)}")
        tell(match.apply(role, action))
    lines.append(f"# {match.digest()}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("scenario", list(GAME.scenarios))
def test_the_playthrough_is_the_golden_one(scenario: str) -> None:
    path = FOLDER / f"{scenario}.txt"
    found = playthrough(scenario)
    if os.environ.get("SANDTABLE_GOLDEN") == "write":
        FOLDER.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8")
    assert found.splitlines() == path.read_text(encoding="utf-8").splitlines()
