"""What the laboratory draws: curves of production, territory and strength, and where battles were fought."""

from sandtable.games.munich_war.game import GAME
from sandtable.games.munich_war.model.actions import Support
from sandtable.games.munich_war.model.atlas import ATLAS, AXIS
from sandtable.games.munich_war.model.events import Bombed, Fought, Intercepted, Moved
from sandtable.games.munich_war.rules.combat_phase import Combat, CommitSupport
from sandtable.games.munich_war.rules.losses import reduce
from sandtable.games.munich_war.rules.victory import score
from tests.games.munich_war.positions import Position, attack, country, unit


def test_every_side_has_every_measure():
    found = GAME.measures(Position().state)
    assert {name.partition(".")[0] for name in found} == {
        "production", "territory", "attack", "defence", "air", "points",
    }  # fmt: skip
    assert all(isinstance(value, float) for value in found.values())
    assert {name.partition(".")[2] for name in found} == {"axis", "allies"}


def test_production_is_the_income_of_the_sides_countries():
    war = Position()
    before = GAME.measures(war.state)["production.axis"]
    war.terror("2511")  # Berlin
    assert GAME.measures(war.state)["production.axis"] == before - 1


def test_territory_follows_control():
    war = Position()
    before = GAME.measures(war.state)
    war.own(AXIS, "1213")
    after = GAME.measures(war.state)
    assert after["territory.axis"] == before["territory.axis"] + 1
    assert after["territory.allies"] == before["territory.allies"] - 1


def test_strength_counts_the_factors_of_the_present_side_of_units_on_the_map():
    war = Position().put("GE-16", "2511").put("GE-01", "reinforcement")
    face = ATLAS.units[unit("GE-16")]
    found = GAME.measures(war.state)
    assert (found["attack.axis"], found["defence.axis"]) == (face.attack[2], face.defense[2])
    assert found["attack.allies"] == 0
    reduce(war.m, unit("GE-16"), "combat")
    assert GAME.measures(war.state)["attack.axis"] == face.attack[1] < face.attack[2]


def test_aircraft_count_while_they_can_fly_again():
    plane = next(u for u in ATLAS.air_units if ATLAS.units[u].country == country("Germany") and ATLAS.units[u].strike)
    name = ATLAS.units[plane].id
    full = ATLAS.units[plane].combat[2]
    for place, value in (("available", full), ("utilized", full), ("2511", full), ("reinforcement", 0)):
        assert GAME.measures(Position().put(name, place).state)["air.axis"] == value


def test_points_are_those_of_chapter_22():
    war = Position().put("GE-01", "2515")  # Prague
    assert GAME.measures(war.state)["points.axis"] == score(war.m, AXIS) > 0
    assert GAME.measures(Position().state)["points.axis"] == 0


def test_battles_have_a_place():
    war = Position().put("GE-16", "2513").put("CZ-1", "2514").phase(Combat(AXIS))
    told = list(war.dice(1).do(attack("2514", "GE-16")))
    if isinstance(war.match.step, CommitSupport):
        told += war.do(Support("", "", ""))
    assert [GAME.battle_place(event) for event in told if isinstance(event, Fought)] == ["2514"]
    assert GAME.battle_place(Intercepted(at="2511", attacker="x", defender="y", result="DB")) == "2511"
    assert GAME.battle_place(Bombed(unit="x", at="2515", aim="@aim-city", result="Terror")) == "2515"
    assert GAME.battle_place(Moved(unit="GE-16", path=("2513", "2514"), how="@how-road")) is None


def test_the_turn_has_a_name_once_it_has_begun():
    war = Position(turn=3)
    assert GAME.turn(war.state) == "3"
    war.state.turn = 0
    assert GAME.turn(war.state) == ""
