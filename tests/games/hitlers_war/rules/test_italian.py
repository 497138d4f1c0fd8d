"""Optional rule: the Italian army."""

import pytest

from sandtable.core.columns import put
from sandtable.games.hitlers_war.model.actions import Build, Detach, Done, Fortify, Lose, March, Transfer
from sandtable.games.hitlers_war.model.state import LAND
from sandtable.games.hitlers_war.rules.advance import chance
from sandtable.games.hitlers_war.rules.combat_phase import CombatPhase
from sandtable.games.hitlers_war.rules.italian import shortfall
from sandtable.games.hitlers_war.rules.movement_phase import Movement
from sandtable.games.hitlers_war.rules.production_phase import Production
from sandtable.games.hitlers_war.rules.retreat import retreats
from tests.games.hitlers_war.positions import ALLIES, AXIS, Position, at, no

ITALIANS = "Italian Army"


def italy_at_war(on: bool = True) -> Position:
    p = Position("campaign-1", italian_army=on).turn("Summer 1940")
    for country in ("italy", "sicily", "sardinia", "libya", "albania"):
        p.hold_all(AXIS, country)
    p.state.italy = 1
    return p


@pytest.mark.rule("hw-ital-1")
def test_five_infantry_and_one_mechanized_stay_in_yellow_hexes_or_the_italian_army():
    p = italy_at_war()
    p.army(ITALIANS, "N9", infantry=3, mechanized=1)
    p.army("Panzer Armee Afrika", "D12", infantry=1)
    p.army("OKW", "P10", infantry=9, mechanized=9)
    assert shortfall(p.state) == {"infantry": 1}
    p.army("Army Group C", "H10", infantry=1)
    assert shortfall(p.state) == {}
    p.army(ITALIANS, "N9", infantry=3)
    assert shortfall(p.state) == {"mechanized": 1}
    assert shortfall(italy_at_war(on=False).state) == {}


@pytest.mark.rule("hw-ital-2")
def test_a_missing_point_is_built_before_anything_else():
    p = italy_at_war()
    p.army(ITALIANS, "L9", infantry=4, mechanized=1)
    p.begin(AXIS, Production())
    p.state.budget = 20
    assert p.rule(AXIS, Build("infantry", "P10", "OKW", 1)) == "hw-ital-2"
    assert p.rule(AXIS, Fortify("P10", 1)) == "hw-ital-2"
    assert p.rule(AXIS, Done()) == "hw-ital-2"
    assert not p.allows(AXIS, Build("mechanized", "P10", "OKW", 1))
    p.do(AXIS, Build("infantry", "L9", ITALIANS, 1))
    assert p.state.budget == 18
    assert p.allows(AXIS, Build("mechanized", "P10", "OKW", 1))
    assert p.allows(AXIS, Done())


@pytest.mark.rule("hw-ital-2")
def test_without_the_money_for_it_the_side_goes_on():
    p = italy_at_war()
    p.begin(AXIS, Production())
    p.state.budget = 1
    p.begin(AXIS, Production())
    assert p.allows(AXIS, Done())


@pytest.mark.rule("hw-ital-3")
def test_italian_points_are_not_moved_abroad_but_always_home():
    p = italy_at_war()
    p.army(ITALIANS, "L9", infantry=4, mechanized=1)
    p.army("OKW", "P10", infantry=3)
    p.begin(AXIS, Movement())
    assert p.rule(AXIS, March(ITALIANS, "N9")) == "hw-ital-3"
    assert p.rule(AXIS, Transfer(ITALIANS, (("infantry", 1),), "OKW")) == "hw-ital-3"
    assert p.rule(AXIS, Detach(ITALIANS, (("infantry", 1),), "P10", "Army Group B")) == "hw-ital-3"
    assert p.allows(AXIS, March(ITALIANS, "J11"))
    assert p.allows(AXIS, March("OKW", "L9"))
    p.army(ITALIANS, "N9", infantry=4, mechanized=1)
    p.begin(AXIS, Movement())
    assert p.allows(AXIS, March(ITALIANS, "L9"))
    off = italy_at_war(on=False)
    off.army(ITALIANS, "L9", infantry=4)
    assert off.begin(AXIS, Movement()).allows(AXIS, March(ITALIANS, "N9"))


@pytest.mark.rule("hw-ital-3")
def test_it_may_advance_and_retreat_abroad():
    p = italy_at_war()
    army = p.army(ITALIANS, "L9", infantry=4, mechanized=5)
    p.state.mode = put(p.state.mode, army, LAND)
    assert chance(p.state, army, at("M9")).strength == 5
    p.hold(ALLIES, "L10")
    assert at("M11") in retreats(p.state, army, at("L10"))


@pytest.mark.rule("hw-ital-4")
def test_its_advances_into_unfriendly_hexes_cost_one_on_the_die():
    p = italy_at_war()
    army = p.army(ITALIANS, "L9", mechanized=5)
    other = p.army("Army Group C", "L9", mechanized=5)
    assert chance(p.state, army, at("L8")).added - chance(p.state, other, at("L8")).added == 1
    assert chance(p.state, army, at("K10")).added == chance(p.state, other, at("K10")).added


@pytest.mark.rule("hw-ital-5")
def test_surrender_takes_the_italian_force_and_ends_the_duty():
    p = italy_at_war()
    p.army(ITALIANS, "N9", infantry=3, mechanized=1)
    p.army("Army Group C", "H10", infantry=3)
    p.army("OKW", "P10", infantry=9, mechanized=9)
    p.hold(ALLIES, "H11", "I11", "I12")
    p.begin(ALLIES, CombatPhase()).do(ALLIES, Done())
    assert (p.at_step, p.asked) == ("ItalianLosses", AXIS)
    assert not p.allows(AXIS, Lose("OKW", "infantry"))
    while p.at_step == "ItalianLosses":
        p.do(AXIS, Lose(ITALIANS if "infantry" in p.strength(ITALIANS) else "Army Group C", "infantry"))
    assert p.strength(ITALIANS) == {}
    assert p.strength("Army Group C") == {"infantry": 1}
    assert p.strength("OKW") == {"infantry": 9, "mechanized": 9}
    assert shortfall(p.state) == {}


@pytest.mark.rule("hw-ital-6")
def test_panzer_army_africa_starts_with_a_point_in_libya():
    p = Position("campaign-2", armies=True, italian_army=True)
    assert (p.where("Panzer Armee Afrika"), p.strength("Panzer Armee Afrika")) == ("D12", {"infantry": 1})
    assert p.state.idle[no("Panzer Armee Afrika")] == 1
    assert Position("campaign-2", armies=True).where("Panzer Armee Afrika") is None


@pytest.mark.rule("hw-ital-3")
def test_the_italian_counter_is_not_raised_abroad():
    p = italy_at_war()
    p.army("OKW", "P10", infantry=6)
    p.army("Army Group C", "L9", infantry=5, mechanized=1)
    p.begin(AXIS, Movement())
    assert p.rule(AXIS, Detach("OKW", (("infantry", 1),), "P10", ITALIANS)) == "hw-ital-3"
    assert p.allows(AXIS, Detach("OKW", (("infantry", 1),), "L9", ITALIANS))
    assert p.allows(AXIS, Detach("OKW", (("infantry", 1),), "P10", "Army Group B"))
