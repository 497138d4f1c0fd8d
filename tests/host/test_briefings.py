"""Every side of every scenario is told who it is, what it must do and what beginners get wrong."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from sandtable.core import LANGUAGES, Match
from sandtable.games import find, games
from sandtable.host import briefings

from .conftest import World, play

CASES: list[tuple[str, str, dict[str, Any]]] = [
    (game, scenario, options)
    for game in games()
    for scenario in find(game).scenarios
    for options in ({}, {"players": 2})
    if {*options} <= {*find(game).check_options(scenario, {})}
]


@pytest.mark.parametrize(("game", "scenario", "options"), CASES)
def test_each_role_has_its_briefing(game: str, scenario: str, options: dict[str, Any]) -> None:
    match = Match.new(find(game), scenario, options, seed=1)
    ledger = tomllib.loads((match.game.home / "data" / "ledger.toml").read_text(encoding="utf-8"))["rule"]
    rules = {item["id"] for item in ledger}
    for role in match.roles:
        for language in LANGUAGES:
            face = briefings.briefing(match, role, language)
            assert all((face.who, face.goal, face.have, face.history, face.scenario))
            assert len(face.wrong) == 3
            assert {one.rule for one in face.wrong if one.rule} <= rules
            assert any(role in gauge.roles for gauge in face.gauges)
            assert not any(gauge.label.startswith("gauge.") for gauge in face.gauges)
            assert {rule for gauge in face.gauges for rule in gauge.rules} <= rules
            assert face.today


COMPARED = ("share-below", "flags")
"""Gauges that compare two sides: no number of their own decides."""
WORDS = {
    "en": {1: "one", 2: "two", 3: "three", "all": "every"},
    "de": {1: "ein", 2: "zwei", 3: "drei", "all": "jede"},
}


@pytest.mark.parametrize(("game", "scenario", "options"), CASES)
def test_the_goal_names_what_its_gauges_count(game: str, scenario: str, options: dict[str, Any]) -> None:
    """The number that decides, or the places, or that it is about all of them."""
    match = Match.new(find(game), scenario, options, seed=1)
    for role in match.roles:
        for language in LANGUAGES:
            face, texts = briefings.briefing(match, role, language), match.game.texts(language)
            for gauge in (one for one in face.gauges if role in one.roles and not one.percent and not one.marks):
                number = str(WORDS[language].get(round(gauge.goal), round(gauge.goal)))
                places = [texts.name(place).partition(" (")[0] for place in gauge.places]
                told = [number in face.goal.lower(), all(place in face.goal for place in places) and bool(places)]
                told.append(str(WORDS[language]["all"]) in face.goal)
                assert any(told) or gauge.id in COMPARED, f"{role}, {gauge.id}: {face.goal}"


def test_over_the_line_a_seat_sees_its_own_briefing_and_no_others() -> None:
    async def scene(world: World) -> None:
        _, _, (red, *_) = await world.table()
        assert (await red.ask("briefing", role="red"))["value"]["role"] == "red"
        assert (await red.ask("briefing", role="blue"))["error"]["code"] == "not-allowed"

    play(scene)
