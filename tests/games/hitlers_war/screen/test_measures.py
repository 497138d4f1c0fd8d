"""What the laboratory draws: curves of both sides' means, and the map of battles."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable.core import Event, Match
from sandtable.games.hitlers_war.game import GAME
from sandtable.games.hitlers_war.model.atlas import ATLAS
from sandtable.games.hitlers_war.model.events import Advanced, Budget, Captured, Fired, FiredBack, Repulsed
from tests.games.hitlers_war.lively import EVERYTHING, choose
from tests.games.hitlers_war.positions import ALLIES, AXIS, SOVIET, Position
from tests.games.hitlers_war.positions_naval import Admiral, Second


def curves(p: Position, *names: str) -> list[float]:
    found = GAME.measures(p.state)
    return [found[name] for name in names]


def test_strength_air_territory_and_forts_of_each_side():
    p = Position("fall-of-germany")
    spaces = curves(p, "territory.axis", "territory.soviet", "territory.allies")
    forts = curves(p, "forts.axis", "forts.soviet", "forts.allies")
    assert curves(p, "strength.axis", "air.axis") == [0, 0]
    assert sum(forts) == sum(p.state.fort.values()) > 0
    p.army("Army Group A", "P10", infantry=3, mechanized=2, tac_air=1)
    p.army("Army Group B", "Q9", tac_air=2)
    p.army("Britain", "P6", infantry=4, amphibious=1)
    p.hold(SOVIET, "P10").fort("P11", 4)
    assert curves(p, "strength.axis", "strength.soviet", "strength.allies") == [8, 0, 5]
    assert curves(p, "air.axis", "air.soviet", "air.allies") == [3, 0, 0]
    moved = curves(p, "territory.axis", "territory.soviet", "territory.allies")
    assert [after - before for after, before in zip(moved, spaces, strict=True)] == [-1, 1, 0]
    assert curves(p, "forts.axis", "forts.soviet", "forts.allies") == [forts[0] + 4, *forts[1:]]


def test_production_is_what_the_budget_gets_and_industry_counts_ruins_too():
    p = Position("fall-of-germany")
    before = curves(p, "production.axis", "industry.axis")
    works = next(x for x in ATLAS.land if p.state.owner[x] == 0 and ATLAS.production[x] and x not in p.state.devastated)
    p.devastate(ATLAS.names[works], 1)
    assert curves(p, "production.axis", "industry.axis") == [before[0] - 1, before[1]]


def test_the_second_campaign_has_curves_of_its_own():
    p = Second()
    p.boxed(AXIS, "bomber", 4).to_sea(ALLIES, 2).wolves(5).spirits(7, 12)
    boats = p.state.box[p.key(AXIS, "u_boat")]
    found = GAME.measures(p.state)
    assert (found["bombers.axis"], found["u-boats.axis"]) == (4, 5 + boats)
    assert (found["morale.germany"], found["morale.great_britain"]) == (7, 12)
    ships = p.state.box[p.key(ALLIES, "capital_ship")] + p.state.at_sea[2]
    assert found["ships.allies"] == ships > 0
    admiral = Admiral(carriers=True)
    assert GAME.measures(admiral.state)["ships.allies"] == 0
    admiral.ships("British Fleet 1", "U7", 3, 2).ships("French Fleet 1", "N5", 1)
    assert GAME.measures(admiral.state)["ships.allies"] == 6


def test_only_sides_that_play_have_curves():
    names = GAME.measures(Position("barbarossa").state)
    assert {name.split(".")[1] for name in names} == {"axis", "soviet"}
    assert not any(name.startswith(("ships", "morale")) for name in names)


def test_the_place_of_a_battle():
    shot: dict[str, Any] = {"strength": 5, "die": 1, "modified": 1, "losses": 2}
    places: list[tuple[Event, str | None]] = [
        (Fired(by="P10", at="P11", **shot), "P11"),
        (FiredBack(by="P11", at="P11", **shot), "P11"),
        (Fired(by="@navy", at="T9", **shot), "T9"),
        (Fired(by="@bombers", at="Q11", **shot), None),
        (Fired(by="@u-boats", at="us", **shot), None),
        (Advanced(army="Britain", to="Q8", needed=4, modified=2), "Q8"),
        (Repulsed(army="Britain", to="Q7", needed=1, modified=2), "Q7"),
        (Captured(at="Q8", side="@axis"), None),
        (Budget(side="@axis", points=9), None),
    ]
    assert [GAME.battle_place(event) for event, _ in places] == [place for _, place in places]


@pytest.mark.parametrize("scenario", GAME.scenarios)
def test_a_played_match_has_the_same_curves_throughout_and_battles_on_the_map(scenario: str):
    match = Match.new(GAME, scenario, EVERYTHING[scenario], seed=4, history=False)
    rng, names, battles = Random(4), set(GAME.measures(match.state)), set[str]()
    while not match.over and match.number < 250:
        role = match.decisions()[0]
        events = match.apply(role, choose(match, role, rng))
        battles.update(place for event in events if (place := GAME.battle_place(event)) is not None)
        found = GAME.measures(match.state)
        assert set(found) == names
        assert all(isinstance(value, float) and value >= 0 for value in found.values())
    assert battles
    assert battles <= set(ATLAS.names)
