"""Chapter 7: mobilization and reinforcements."""

import pytest

from sandtable.core.columns import put
from sandtable.games.munich_war.model.actions import Arrive, Done, Mobilize, Refit
from sandtable.games.munich_war.model.atlas import ALLIES, ATLAS, AXIS
from sandtable.games.munich_war.rules.losses import eliminate, reduce, withdraw
from sandtable.games.munich_war.rules.mobilization import arrival_hexes, collect, income
from sandtable.games.munich_war.rules.mobilization_phase import Arrivals, Spend
from sandtable.games.munich_war.rules.victory import unit_points
from sandtable.games.munich_war.sequence import Income
from tests.games.munich_war.positions import Position, country, names, unit


def spending(war: Position, side: int = AXIS) -> Position:
    collect(war.m, side)
    return war.phase(Spend(side))


def points(war: Position, name: str) -> int:
    return income(war.m, country(name))


@pytest.mark.rule("mw-7.1-a", "mw-7.1-b", "mw-7.1-c", "mw-table-home-rp", "mw-table-offmap-rp")
def test_points_of_every_country_at_home():
    war = Position().join("Soviet Union", ALLIES).join("Yugoslavia", ALLIES).join("Finland", AXIS)
    for name in ("Belgium", "Netherlands", "Denmark", "Estonia", "Latvia", "Lithuania"):
        war.join(name, ALLIES)
    wanted = {"Germany": 8, "Soviet Union": 4 + 1, "Czechoslovakia": 3, "France": 3 + 1, "Great Britain": 1 + 3,
              "Poland": 2, "Italy": 2, "Romania": 2, "Hungary": 1, "Yugoslavia": 1, "Belgium": 1, "Netherlands": 1,
              "Finland": 1, "Denmark": 0, "Estonia": 0, "Latvia": 0, "Lithuania": 0}  # fmt: skip
    assert {name: points(war, name) for name in wanted} == wanted


@pytest.mark.rule("mw-7.1-a", "mw-7.1.1-c")
def test_an_enemy_controlled_capital_gives_nothing():
    war = Position().own(AXIS, "2515")
    assert points(war, "Czechoslovakia") == 2


@pytest.mark.rule("mw-7.1-b", "mw-7.1.1-e")
def test_points_belong_to_one_country():
    war = Position().put("HU-2", "reinforcement").put("RO-C", "reinforcement")
    war.own(ALLIES, "3019")  # Hungary has nothing to spend
    spending(war)
    assert war.refused(Mobilize("HU-2")).rule == "mw-7.1.1-e"
    assert war.allows(Mobilize("RO-C"))


@pytest.mark.rule("mw-7.1-d")
def test_german_units_in_reich_objectives_give_points_supplied_or_not():
    war = Position().put("GE-01", "3822")  # Ploesti, in a friend's country and far from home
    assert points(war, "Germany") == 9
    war.put("HU-1", "3822").put("GE-01", "2511")
    assert points(war, "Germany") == 8
    war.put("GE-01", "2415")
    assert points(war, "Germany") == 9
    war.put("CZ-1", "2514")
    assert points(war, "Germany") == 8


@pytest.mark.rule("mw-7.1-save")
def test_points_are_not_saved():
    war = spending(Position().put("GE-15", "reinforcement"))
    assert war.state.rp[country("Germany")] == 8
    war.do(Done())
    assert sum(war.state.rp) == 0


@pytest.mark.rule("mw-7.1.1-a")
def test_denmark_the_baltic_states_and_switzerland_receive_nothing():
    for name in ("Lithuania", "Latvia", "Estonia", "Denmark", "Switzerland"):
        assert not ATLAS.countries[country(name)].receives
        war = Position().join(name, ALLIES)
        assert points(war, name) == 0


@pytest.mark.rule("mw-7.1.1-b", "mw-16.8.2-a")
def test_terror_stops_points_whoever_spread_it():
    war = Position().terror("2515", "2511")
    assert points(war, "Czechoslovakia") == 2
    assert points(war, "Germany") == 7


@pytest.mark.rule("mw-7.1.1-c", "mw-10.6-a")
def test_enemy_zones_stop_points():
    war = Position().put("GE-01", "2416")
    assert points(war, "Czechoslovakia") == 1  # Pilsen and Prague lie in its zone
    war.put("GE-01", "2511")
    war.own(AXIS, "2416")
    assert points(war, "Czechoslovakia") == 3


@pytest.mark.rule("mw-7.1.1-d", "mw-21.0-f")
def test_a_surrendered_country_gives_nothing():
    war = Position()
    war.state.fallen = put(war.state.fallen, country("Poland"), 1)
    assert points(war, "Poland") == 0


@pytest.mark.rule("mw-7.2", "mw-7.2.1-a", "mw-7.2.1-b", "mw-7.2.1-c", "mw-table-mobilization")
def test_mobilizing_costs_a_point_and_takes_half_a_die_of_turns():
    for die, turns in ((1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)):
        war = spending(Position(turn=2).put("GE-15", "reinforcement").put("GE-MAR", "reinforcement"))
        war.dice(die).do(Mobilize("GE-15"))
        assert war.where("GE-15") == f"turn {2 + turns}"
        assert war.state.rp[country("Germany")] == 7


@pytest.mark.rule("mw-7.2.1-late")
def test_too_late_means_never_and_no_points_for_the_enemy():
    war = spending(Position(turn=7).put("GE-15", "reinforcement").put("GE-MAR", "reinforcement"))
    war.dice(3).do(Mobilize("GE-15"))  # turn 9 of 8
    assert war.where("GE-15") == "out"
    assert war.state.rp[country("Germany")] == 7
    assert unit_points(war.m, ALLIES) == 0


@pytest.mark.rule("mw-7.2.1-c")
def test_a_unit_arrives_on_its_turn_and_not_before():
    war = Position(turn=3).put("GE-15", "turn 4").put("GE-20", "turn 3").phase(Arrivals(AXIS))
    assert war.allows(Arrive("GE-20", "2511"))
    assert not war.allows(Arrive("GE-15", "2511"))


@pytest.mark.rule("mw-7.2.2-full")
def test_reinforcements_arrive_at_full_strength():
    war = Position().put("GE-20", "turn 2", steps=1).phase(Arrivals(AXIS))
    war.do(Arrive("GE-20", "2511"))
    assert war.steps("GE-20") == 2


@pytest.mark.rule("mw-7.2.2-a")
def test_land_units_arrive_in_centers_of_their_country():
    war = Position().put("HU-2", "turn 2").put("GE-20", "turn 2")
    assert names(arrival_hexes(war.m, unit("HU-2"))) == {"3019"}
    assert names(arrival_hexes(war.m, unit("GE-20"))) == {
        "2511", "1812", "2109", "2117", "2312", "2717", "2814", "3209"}  # fmt: skip
    war.phase(Arrivals(AXIS))
    assert war.refused(Arrive("GE-20", "2513")).rule == "mw-7.2.2-a"
    war.own(ALLIES, "2511")
    assert war.refused(Arrive("GE-20", "2511")).reason == "not-controlled"


@pytest.mark.rule("mw-7.2.2-b", "mw-10.6-b")
def test_not_in_an_enemy_zone():
    war = Position().put("GE-20", "turn 2").put("CZ-1", "2817").phase(Arrivals(AXIS))
    assert war.refused(Arrive("GE-20", "2717")).rule == "mw-7.2.2-b"


@pytest.mark.rule("mw-7.2.2-c", "mw-16.8.2-b")
def test_not_in_a_terrorized_city():
    war = Position().put("GE-20", "turn 2").terror("2511").phase(Arrivals(AXIS))
    assert war.refused(Arrive("GE-20", "2511")).rule == "mw-7.2.2-c"


@pytest.mark.rule("mw-7.2.2-d")
def test_one_arrival_per_hex_and_phase():
    war = Position().put("GE-20", "turn 2").put("GE-17", "turn 2").phase(Arrivals(AXIS))
    war.do(Arrive("GE-20", "2511"))
    assert war.refused(Arrive("GE-17", "2511")).rule == "mw-7.2.2-d"
    war.do(Arrive("GE-17", "2312"))
    assert war.where("GE-17") == "2312"


@pytest.mark.rule("mw-7.2.2-e")
def test_without_a_hex_the_unit_waits_for_the_next_turn():
    war = Position(turn=3).put("HU-2", "turn 3").own(ALLIES, "3019").run(Arrivals(AXIS))
    assert war.where("HU-2") == "turn 4"


@pytest.mark.rule("mw-7.2.2-b", "mw-7.2.2-c", "mw-10.6-b", "mw-16.8.2-b")
def test_cities_on_the_map_edge_are_cities_still():
    """Bucharest and Belgrade lie on the edge: zones and terror close them like any other city."""
    war = Position().join("Yugoslavia", ALLIES).join("Romania", ALLIES).own(ALLIES, "3823", "3322")
    war.put("YU-3", "turn 2").put("RO-C", "turn 2").phase(Arrivals(ALLIES))
    assert war.allows(Arrive("YU-3", "3122"))
    assert war.allows(Arrive("RO-C", "3823"))
    war.put("HU-1", "3121").put("GE-01", "3822")
    assert war.refused(Arrive("YU-3", "3122")).rule == "mw-7.2.2-b"
    assert war.refused(Arrive("RO-C", "3823")).rule == "mw-7.2.2-b"
    war.put("HU-1", "out").put("GE-01", "out").terror("3122", "3823", "2722")
    for name, place in (("YU-3", "3122"), ("RO-C", "3823"), ("YU-3", "2722")):
        assert war.refused(Arrive(name, place)).rule == "mw-7.2.2-c"


@pytest.mark.rule("mw-19.0-mountain")
def test_only_alpine_units_arrive_in_mountains():
    war = Position().join("Yugoslavia", ALLIES).put("YU-3", "turn 2").put("YU-M", "turn 2").phase(Arrivals(ALLIES))
    assert war.refused(Arrive("YU-3", "2623")).rule == "mw-19.0-mountain"
    assert war.allows(Arrive("YU-M", "2623"))


@pytest.mark.rule("mw-7.2.2-f")
def test_map_edge_arrivals():
    war = Position().join("Soviet Union", ALLIES).join("Yugoslavia", ALLIES).join("Finland", AXIS)
    for name, place in (("FR-7", "1016"), ("GB-CW", "1008"), ("IT-5", "1922"), ("RO-C", "3623"), ("SU-7", "4510"),
                        ("YU-3", "2722"), ("FI-2", "3801")):  # fmt: skip
        assert place in names(arrival_hexes(war.m, unit(name))), name
    assert "1922" not in names(arrival_hexes(war.m, unit("GE-20")))
    assert names(ATLAS.countries[country("Italy")].edge) == {"1823", "1922", "2023"}
    war.put("GE-01", "4509")
    assert "4510" in names(arrival_hexes(war.m, unit("SU-7")))  # a zone does not close an edge hex
    war.put("GE-02", "4510")
    assert "4510" not in names(arrival_hexes(war.m, unit("SU-7")))
    assert names(ATLAS.countries[country("Poland")].edge) == set()


@pytest.mark.rule("mw-7.2.2-g")
def test_support_units_arrive_in_the_available_display():
    war = Position().put("GE-LK1", "turn 2").put("GB-SOE", "turn 2")
    war.run(Arrivals(AXIS))
    assert (war.where("GE-LK1"), war.where("GB-SOE")) == ("available", "turn 2")


@pytest.mark.rule("mw-7.3-a", "mw-7.3-e", "mw-table-mobilization")
def test_refit_prices():
    war = Position().put("GE-16", "2511", steps=1).put("GE-01", "2511", steps=1).put("GE-L1", "utilized", steps=1)
    spending(war.put("GE-02", "2511", steps=1))
    left = country("Germany")
    for name, rest in (("GE-16", 6), ("GE-01", 5), ("GE-L1", 3)):
        war.do(Refit(name))
        assert (war.steps(name), war.state.rp[left]) == (2, rest)
    war = spending(Position().put("GE-01", "2511").put("GE-02", "2511", steps=1))
    assert war.refused(Refit("GE-01")).rule == "mw-7.3-a"


@pytest.mark.rule("mw-7.3-b", "mw-14.0")
def test_refit_needs_supply():
    war = spending(Position().put("GE-01", "3415", steps=1).put("GE-02", "2511", steps=1))
    assert war.refused(Refit("GE-01")).rule == "mw-7.3-b"


@pytest.mark.rule("mw-7.3-c", "mw-10.6-c")
def test_no_refit_in_an_enemy_zone():
    war = spending(Position().put("GE-01", "2717", steps=1).put("CZ-1", "2817").put("GE-02", "2511", steps=1))
    assert war.refused(Refit("GE-01")).rule == "mw-7.3-c"


@pytest.mark.rule("mw-7.3-d")
def test_air_units_refit_in_displays_only():
    war = spending(Position().put("GE-L1", "available", steps=1).put("GE-L2", "2511", steps=1))
    assert war.refused(Refit("GE-L2")).rule == "mw-7.3-d"
    assert war.allows(Refit("GE-L1"))


@pytest.mark.rule("mw-7.3-f")
def test_forts_and_one_step_units_never_refit():
    war = Position().put("GE-OQ", "2711", steps=1).put("GE-SP", "2511").put("GE-01", "2511", steps=1)
    spending(war)
    assert war.refused(Refit("GE-OQ")).rule == "mw-7.3-f"
    assert war.refused(Refit("GE-SP")).rule == "mw-7.3-f"
    assert not reduce(war.m, unit("GE-OQ"), "test")
    assert not reduce(war.m, unit("GE-SP"), "test")
    assert (war.where("GE-OQ"), war.where("GE-SP")) == ("eliminated", "eliminated")


@pytest.mark.rule("mw-7.3-g")
def test_eliminated_units_never_come_back():
    war = Position().put("GE-01", "2511").put("GE-02", "2511", steps=1)
    eliminate(war.m, unit("GE-01"), "test")
    spending(war)
    assert war.where("GE-01") == "eliminated"
    assert not war.allows(Refit("GE-01"))
    assert not war.allows(Mobilize("GE-01"))


@pytest.mark.rule("mw-7.3-g-exception")
def test_special_forces_that_worked_return_others_do_not():
    from sandtable.games.munich_war.rules.mobilization import refresh

    war = Position().put("GE-AB", "utilized").put("GE-FK", "2511")
    eliminate(war.m, unit("GE-FK"), "special forces")
    refresh(war.m, AXIS)
    assert (war.where("GE-AB"), war.where("GE-FK")) == ("available", "eliminated")


@pytest.mark.rule("mw-7.4")
def test_a_withdrawn_unit_is_out_of_play_for_good():
    war = Position().put("GE-16", "2511").put("GE-01", "2511", steps=1)
    withdraw(war.m, unit("GE-16"))
    assert war.where("GE-16") == "out"
    assert unit_points(war.m, ALLIES) == 0
    spending(war)
    assert not war.allows(Mobilize("GE-16"))
    assert not war.allows(Refit("GE-16"))


@pytest.mark.rule("mw-7.1-a")
def test_income_is_counted_in_the_phase():
    war = Position().run(Income(AXIS))
    assert war.state.rp[country("Germany")] == 8
    assert war.state.rp[country("France")] == 0
