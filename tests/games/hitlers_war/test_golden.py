"""A golden playthrough per scenario: every decision, offer count, die and event of one seeded match.

To write the files anew after a change that is meant, run this test with SANDTABLE_GOLDEN=write in the environment.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from random import Random

import msgspec
import pytest

from sandtable.core import Action, Event, Match, Rolled
from sandtable.games.hitlers_war.game import GAME
from tests.games.hitlers_war.lively import choose

FOLDER = Path(__file__).parent / "golden"
LINES = 4000
"""More than this nobody reads."""


def plain(action: Action) -> str:
    fields = ", ".join(f"{name}={_word(getattr(action, name))}" for name in action.__struct_fields__)
    return f"{action.__struct_config__.tag}({fields})"


def _word(value: object) -> str:
    return "+".join(map(_word, value)) if isinstance(value, tuple) else str(value)


def playthrough(scenario: str) -> str:
    """One seeded match from its first decision to its end, as a person can read it."""
    seed = f"golden/{scenario}"
    match = Match.new(GAME, scenario, {}, seed=seed, history=False)
    texts = GAME.texts("en")
    rng = Random(seed)
    lines = [f"# {GAME.title}: {scenario}, seed {seed}"]

    def tell(events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, Rolled):
                lines.append(f"    die {event.number}: {event.value} [{event.why}]")
            else:
                lines.append(f"    {texts.event(event)}")

    tell(match.play.events)
    while not match.over:
        role = match.decisions()[0]
        count = len(match.offers(role))
        step = match.step.__struct_config__.tag
        action = choose(match, role, rng)
        lines.append(f"{match.number + 1}. {role} at {step}, {count} choices: {plain(action)}")
        tell(match.apply(role, action))
    lines.append(f"# {msgspec.json.encode(match.outcome).decode()}, digest {match.digest()}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("scenario", list(GAME.scenarios))
def test_the_playthrough_is_the_golden_one(scenario: str):
    told = playthrough(scenario)
    path = FOLDER / f"{scenario}.txt"
    if os.environ.get("SANDTABLE_GOLDEN") == "write":
        path.write_text(told, encoding="utf-8")
    assert told == path.read_text(encoding="utf-8")
    assert len(told.splitlines()) < LINES
