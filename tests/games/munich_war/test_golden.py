"""A golden playthrough per scenario: every decision, offer count, die and event of one seeded random match.

To write the files anew after a change that is meant, run this test with SANDTABLE_GOLDEN=write in the environment.
"""

import os
from pathlib import Path
from random import Random

import msgspec
import pytest

from sandtable.core import Match
from sandtable.core.data import Rolled
from sandtable.games.munich_war.game import GAME

FOLDER = Path(__file__).parent / "golden"


def plain(action) -> str:
    fields = ", ".join(f"{name}={_word(getattr(action, name))}" for name in action.__struct_fields__)
    return f"{action.__struct_config__.tag}({fields})"


def _word(value) -> str:
    return "+".join(value) if isinstance(value, tuple) else str(value)


def playthrough(scenario: str, **options: bool) -> str:
    """One seeded random match as a person can read it."""
    seed = f"golden/{scenario}"
    chosen = {name.replace("_", "-"): value for name, value in options.items()}
    match: Match = Match.new(GAME, scenario, chosen, seed=seed, history=False)
    texts = GAME.texts("en")
    rng = Random(seed)
    lines = [f"# {GAME.title}: {scenario}, seed {seed}"]

    def tell(events) -> None:
        for event in events:
            if isinstance(event, Rolled):
                lines.append(f"    die {event.number}: {event.value} [{event.why}]")
            else:
                lines.append(f"    {texts.event(event)}")

    tell(match.play.events)
    number = 0
    while not match.over:
        number += 1
        role = match.decisions()[0]
        offers = match.offers(role)
        action = offers.sample(rng)
        lines.append(f"{number}. {role} at {match.step.__struct_config__.tag}, {len(offers)} choices: {plain(action)}")
        tell(match.apply(role, action))
    assert match.outcome is not None
    lines.append(f"# {msgspec.json.encode(match.outcome).decode()} {match.digest()}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("scenario", list(GAME.scenarios))
def test_the_playthrough_is_the_golden_one(scenario):
    options = {"soviet_preparedness": True, "german_surprise_attack": True} if scenario == "by-die" else {}
    told = playthrough(scenario, **options)
    path = FOLDER / f"{scenario}.txt"
    if os.environ.get("SANDTABLE_GOLDEN") == "write":
        path.write_text(told, encoding="utf-8")
    assert told == path.read_text(encoding="utf-8")
    assert len(told.splitlines()) < 3000
