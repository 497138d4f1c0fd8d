"""A golden playthrough per scenario: every decision, offer count, die and event of one seeded match.

To write the files anew after a change that is meant, run this test with SANDTABLE_GOLDEN=write in the environment.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable
from pathlib import Path
from random import Random

import msgspec
import pytest

from sandtable.core import Action, Event, Match, Offer, Rolled
from sandtable.games.ww2_europe.game import GAME

FOLDER = Path(__file__).parent / "golden"
DECISIONS = 420
"""A match is longer than anybody reads: its file holds this many decisions."""
COUNTED = 250
"""Actions of one kind are counted up to here: there are millions of ways to sail."""


def plain(action: Action) -> str:
    fields = ", ".join(f"{name}={_word(getattr(action, name))}" for name in action.__struct_fields__)
    return f"{action.__struct_config__.tag}({fields})"


def _word(value: object) -> str:
    return "+".join(map(_word, value)) if isinstance(value, tuple) else str(value)


def count(offer: Offer) -> str:
    """'march 34', or 'sail 250+' where nobody wants to know."""
    number = sum(1 for _ in itertools.islice(iter(offer), COUNTED + 1))
    return f"{offer.verb} {number}" if number <= COUNTED else f"{offer.verb} {COUNTED}+"


def playthrough(scenario: str) -> str:
    """One seeded match as a person can read it."""
    seed = f"golden/{scenario}"
    options = dict.fromkeys(GAME.options, True) if scenario == "spring-1941" else {}
    match = Match.new(GAME, scenario, options, seed=seed, history=False)
    texts = GAME.texts("en")
    rng = Random(seed)
    lines = [f"# {GAME.title}: {scenario}, seed {seed}, options {', '.join(options) or 'none'}"]

    def tell(events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, Rolled):
                lines.append(f"    die {event.number}: {event.value} [{event.why}]")
            else:
                lines.append(f"    {texts.event(event)}")

    tell(match.play.events)
    for number in range(1, DECISIONS + 1):
        if match.over:
            break
        role = match.decisions()[0]
        offers = match.offers(role)
        step = match.step.__struct_config__.tag
        kinds = ", ".join(count(offer) for offer in offers.offers)
        action = offers.sample(rng)
        lines.append(f"{number}. {role} at {step} ({kinds}): {plain(action)}")
        tell(match.apply(role, action))
    end = msgspec.json.encode(match.outcome).decode() if match.outcome else "to be continued"
    lines.append(f"# {end} {match.digest()}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("scenario", list(GAME.scenarios))
def test_the_playthrough_is_the_golden_one(scenario: str):
    told = playthrough(scenario)
    path = FOLDER / f"{scenario}.txt"
    if os.environ.get("SANDTABLE_GOLDEN") == "write":
        path.write_text(told, encoding="utf-8")
    assert told == path.read_text(encoding="utf-8")
    assert len(told.splitlines()) < 3000
