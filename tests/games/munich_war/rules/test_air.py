"""Chapter 16: airpower, and chapter 15: fog of war; option 23.2."""

import pytest

from sandtable.games.munich_war.facts.air import bases, fliers, flight
from sandtable.games.munich_war.facts.supply import is_supplied, is_supplied_for_combat
from sandtable.games.munich_war.model.actions import Airlift, Bomb, Done, Fight, Hit, Intercept, Launch, Support
from sandtable.games.munich_war.model.atlas import ALLIES, ATLAS, AXIS
from sandtable.games.munich_war.model.state import GROUNDED, SURPRISED, WAITING, mark
from sandtable.games.munich_war.rules.air import apply_interception, interception_column, targets
from sandtable.games.munich_war.rules.air_phase import AirCombat, AirIntercept, AirLaunch
from sandtable.games.munich_war.rules.combat_phase import Combat
from sandtable.games.munich_war.rules.mobilization_phase import Spend
from sandtable.games.munich_war.rules.movement_phase import Movement
from sandtable.games.munich_war.rules.surprise import attacked, surprise
from sandtable.games.munich_war.rules.terror import has_flak, terror_column
from sandtable.games.munich_war.rules.terror_phase import TerrorBombing
from tests.games.munich_war.positions import Position, at, attack, country, names, unit


def skies(*units: tuple[str, str]) -> Position:
    war = Position()
    for name, place in units:
        war.put(name, place)
    return war


@pytest.mark.rule("mw-16.0-strike", "mw-16.0-lift")
def test_airstrikes_and_airlifts_fly_their_own_missions():
    war = skies(("GE-L1", "2515"), ("GE-LT", "2415"), ("GE-01", "2415"), ("CZ-1", "2515")).phase(TerrorBombing(AXIS))
    assert war.allows(Bomb("GE-L1", "units"))
    assert not war.allows(Bomb("GE-LT", "city"))
    war = skies(("GE-LT", "available"), ("GE-L1", "available"), ("GE-01", "2511"), ("CZ-AIR", "2513"))
    war.phase(AirIntercept(AXIS))
    assert war.refused(Intercept("GE-LT", "2511", "2513")).rule == "mw-16.0-lift"
    assert war.allows(Intercept("GE-L1", "2511", "2513"))


@pytest.mark.rule("mw-16.1-a")
def test_only_available_units_take_off():
    war = skies(("GE-L1", "utilized"), ("GE-L2", "available")).phase(AirLaunch(AXIS))
    assert war.refused(Launch("GE-L1", "2511", "2515")).rule == "mw-16.1-a"
    war.do(Launch("GE-L2", "2511", "2515"))
    assert war.where("GE-L2") == "2515"


@pytest.mark.rule("mw-16.2-b", "mw-16.2-d", "mw-16.2-e")
def test_launching_names_base_and_target_but_no_mission():
    war = skies(("GE-L1", "available"), ("GE-L2", "available"), ("CZ-1", "2515")).phase(AirLaunch(AXIS))
    assert Launch.__struct_fields__ == ("unit", "base", "target")
    war.do(Launch("GE-L1", "2511", "2515"))
    war.do(Done())
    war.phase(TerrorBombing(AXIS))
    assert war.allows(Bomb("GE-L1", "units"))  # or support later: nothing was declared
    assert war.allows(Done())


@pytest.mark.rule("mw-16.2-c")
def test_the_other_player_intercepts():
    war = skies(("GE-L1", "3013"), ("PL-A1", "available")).phase(AirIntercept(ALLIES), AXIS)
    assert war.asked == "allies"
    assert war.allows(Intercept("PL-A1", "3212", "3013"))


@pytest.mark.rule("mw-16.3-a")
def test_range_counts_the_target_but_not_the_base():
    war = skies(("PL-A1", "available"))
    reach = flight(war.m.state, unit("PL-A1"), at("3212"))
    assert ATLAS.units[unit("PL-A1")].range == 6
    assert max(ATLAS.distance(at("3212"), at(name)) for name in names(reach)) == 6
    war.phase(AirLaunch(ALLIES))
    assert ATLAS.distance(at("3212"), at("2511")) == 7
    assert war.refused(Launch("PL-A1", "3212", "2511")).rule == "mw-16.3-a"


@pytest.mark.rule("mw-16.3-b")
def test_bases_are_own_cities_or_cities_with_own_land_units():
    war = skies(("GE-L1", "available"), ("GE-01", "3013"), ("HU-1", "2515"))
    found = names(bases(war.m.state, unit("GE-L1")))
    assert {"2511", "3013"} <= found
    assert "2515" not in found  # only Hungarians there
    assert "3019" not in found  # a friend's city
    assert "2412" not in found  # no city
    war.own(ALLIES, "2511")
    assert "2511" not in names(bases(war.m.state, unit("GE-L1")))


@pytest.mark.rule("mw-16.3-c", "mw-16.8.2-e")
def test_no_base_in_a_zone_or_under_terror():
    war = skies(("GE-L1", "available"), ("CZ-1", "2514")).terror("2511").phase(AirLaunch(AXIS))
    assert war.refused(Launch("GE-L1", "2513", "2515")).rule == "mw-16.3-c"
    assert war.refused(Launch("GE-L1", "2511", "2515")).rule == "mw-16.8.2-e"
    war.put("GE-01", "3013")
    assert "3013" in names(bases(war.m.state, unit("GE-L1")))
    war.put("PL-LOD", "3112")  # a zone over the captured city
    assert "3013" not in names(bases(war.m.state, unit("GE-L1")))


@pytest.mark.rule("mw-16.3-d")
def test_flight_over_enemies_and_mountains():
    war = skies(("GE-L1", "available"), ("CZ-1", "2515"), ("CZ-2", "2514"))
    assert flight(war.m.state, unit("GE-L1"), at("2511")) >> at("2616") & 1
    assert flight(war.m.state, unit("GE-L1"), at("2117")) >> at("2021") & 1


@pytest.mark.rule("mw-16.3-e", "mw-5.1-b", "mw-5.1-d")
def test_no_flight_over_neutrals_not_even_their_coast():
    war = skies(("GB-A2", "available"), ("GE-L1", "available"), ("IT-A1", "available"))
    assert not flight(war.m.state, unit("GB-A2"), at("1110")) >> at("1510") & 1  # Rotterdam
    assert not flight(war.m.state, unit("IT-A1"), at("2421")) >> at("2521") & 1  # Yugoslavia
    far = flight(war.m.state, unit("IT-A1"), at("2021"))
    assert not any(ATLAS.country_of[at(n)] == country("Switzerland") for n in names(far))
    war.phase(AirLaunch(ALLIES))
    assert war.refused(Launch("GB-A2", "1110", "1510")).rule == "mw-16.3-e"
    assert flight(war.m.state, unit("GE-L1"), at("1812")) >> at("1510") & 1  # Germany may: that is an invasion
    # and ships may pass: ports beyond a neutral coast stay in the same sea
    assert ATLAS.face(at("2106"))["sea_area"] == ["North Sea"]


@pytest.mark.rule("mw-16.3-note")
def test_an_interceptor_needs_an_enemy_air_unit():
    war = skies(("PL-A1", "available"), ("GE-L1", "3013")).phase(AirIntercept(ALLIES), AXIS)
    assert war.refused(Intercept("PL-A1", "3212", "3112")).rule == "mw-16.3-note"


@pytest.mark.rule("mw-16.4-b")
def test_an_aborted_unit_goes_home_before_its_mission():
    war = skies(("PL-A1", "3013"), ("GE-L1", "3013"))
    apply_interception(war.m, unit("PL-A1"), unit("GE-L1"), "DB")
    assert (war.where("GE-L1"), war.steps("GE-L1")) == ("utilized", 2)


@pytest.mark.rule("mw-16.4-c")
def test_eliminated_air_units_go_to_the_eliminated_display():
    war = skies(("PL-A1", "3013"), ("GE-L1", "3013"))
    apply_interception(war.m, unit("PL-A1"), unit("GE-L1"), "DE")
    assert war.where("GE-L1") == "eliminated"


@pytest.mark.rule("mw-16.5-a")
def test_one_air_unit_per_side_and_hex():
    war = skies(("GE-L1", "available"), ("GE-L2", "2515"), ("CZ-1", "2515")).phase(AirLaunch(AXIS))
    assert war.refused(Launch("GE-L1", "2511", "2515")).rule == "mw-16.5-a"
    war = skies(("GB-A1", "available"), ("FR-A1", "1616"), ("GE-L1", "1616"), ("GB-BEF", "1214"), ("GE-L2", "1415"))
    war.phase(AirIntercept(ALLIES), AXIS)
    assert war.refused(Intercept("GB-A1", "1214", "1616")).rule == "mw-16.5-a"


@pytest.mark.rule("mw-16.6-a", "mw-16.6-b")
def test_every_meeting_is_fought_in_the_interceptors_order():
    war = skies(("GE-L1", "3013"), ("PL-A1", "3013"), ("GE-L2", "1616"), ("FR-A1", "1616"))
    war.phase(AirCombat(ALLIES), AXIS)
    assert war.asked == "allies"
    assert {action.target for action in war.offered(Fight)} == {"3013", "1616"}
    events = war.dice(5, 1).do(Fight("1616"))
    fights = [event for event in events if type(event).__name__ == "Intercepted"]
    assert [event.at for event in fights] == ["1616", "3013"]
    assert (fights[0].attacker, fights[0].defender) == ("FR-A1", "GE-L2")
    assert (war.where("FR-A1"), war.where("PL-A1")) == ("utilized", "eliminated")


@pytest.mark.rule("mw-16.6-c", "mw-16.6-d", "mw-16.6.1-c", "mw-table-interception")
def test_the_columns_of_the_interception_table():
    assert [interception_column(difference) for difference in (-2, -1, 0, 1, 2)] == [0, 0, 1, 2, 2]
    assert {result for row in ATLAS.interception[1:] for result in row} == {"AE", "AL", "DB", "DE", "DL", "ML"}
    war = skies(("GE-L1", "3013"), ("PL-A1", "3013"))
    war.dice(1).run(AirCombat(ALLIES), AXIS)  # 1 against 2: the -1 column, where a 1 destroys the hunter
    assert war.where("PL-A1") == "eliminated"


@pytest.mark.rule("mw-16.6-note")
def test_nothing_on_the_ground_matters_in_the_air():
    war = skies(("GE-L1", "3212"), ("PL-A1", "3212"), ("PL-FW", "3212"), ("PL-LOD", "3212"))
    war.dice(4).run(AirCombat(ALLIES), AXIS)  # -1 column, 4: ML
    assert (war.steps("GE-L1"), war.steps("PL-A1")) == (1, 1)
    assert (war.steps("PL-FW"), war.steps("PL-LOD")) == (2, 2)


@pytest.mark.rule("mw-16.6.1-b")
def test_a_zero_factor_unit_may_intercept_and_bomb():
    war = skies(("GE-L1", "3013")).put("PL-A1", "available", steps=1).phase(AirIntercept(ALLIES), AXIS)
    assert war.allows(Intercept("PL-A1", "3212", "3013"))
    war = Position().put("PL-A1", "2814", steps=1).phase(TerrorBombing(ALLIES))
    assert war.allows(Bomb("PL-A1", "city"))
    assert terror_column(war.m, unit("PL-A1")) == 0


@pytest.mark.rule("mw-int-zero")
def test_reduced_to_zero_in_interception_means_grounded_until_refit():
    war = skies(("PL-A1", "3013"), ("GE-L1", "3013"))
    apply_interception(war.m, unit("GE-L1"), unit("PL-A1"), "DL")
    assert war.where("PL-A1") == "utilized"
    assert war.state.flags[unit("PL-A1")] & GROUNDED
    from sandtable.games.munich_war.model.actions import Refit
    from sandtable.games.munich_war.rules.mobilization import collect, refresh

    refresh(war.m, ALLIES)
    assert war.where("PL-A1") == "utilized"
    collect(war.m, ALLIES)
    war.put("PL-LOD", "3212", steps=1).phase(Spend(ALLIES))
    war.do(Refit("PL-A1"))
    refresh(war.m, ALLIES)
    assert war.where("PL-A1") == "available"


@pytest.mark.rule("mw-int-ae", "mw-int-al", "mw-int-db", "mw-int-de", "mw-int-dl", "mw-int-ml")
def test_interception_results():
    for result, hunter, victim in (
        ("AE", "eliminated", "3013"),
        ("AL", "3013", "3013"),
        ("DB", "3013", "utilized"),
        ("DE", "3013", "eliminated"),
        ("DL", "3013", "3013"),
        ("ML", "3013", "3013"),
    ):
        war = skies(("SU-A1", "3013"), ("GE-L1", "3013"))
        apply_interception(war.m, unit("SU-A1"), unit("GE-L1"), result)
        assert (war.where("SU-A1"), war.where("GE-L1")) == (hunter, victim), result
        assert (war.steps("SU-A1") == 1) is (result in ("AL", "ML"))
        assert (war.steps("GE-L1") == 1) is (result in ("DL", "ML"))


# ---- terror bombing (16.7, 16.8)
def bombing(die: int, aim: str, *units: tuple[str, str], target: str = "2515") -> Position:
    war = skies(("GE-L1", target), *units).phase(TerrorBombing(AXIS))
    war.dice(die).do(Bomb("GE-L1", aim))
    return war


@pytest.mark.rule("mw-16.7", "mw-16.8.1-flak")
def test_flak_bites_where_there_are_guns():
    war = bombing(2, "units", ("CZ-1", "2515"))
    assert (war.steps("GE-L1"), war.where("GE-L1")) == (2, "utilized")
    war = bombing(2, "units", ("CZ-1", "2515"), ("CZ-F1", "2515"))
    assert (war.steps("GE-L1"), war.where("GE-L1")) == (1, "utilized")
    war = skies(("GB-ADC", "1110"), ("GE-HG", "2511"))
    assert has_flak(war.m, AXIS, at("1110"))
    assert has_flak(war.m, ALLIES, at("2511"))


@pytest.mark.rule("mw-16.8-a")
def test_terror_is_declared_one_unit_at_a_time():
    war = skies(("GE-L1", "2515"), ("GE-L2", "2415")).phase(TerrorBombing(AXIS))
    war.dice(1).do(Bomb("GE-L2", "city"))
    assert war.allows(Bomb("GE-L1", "city"))
    assert not war.allows(Bomb("GE-L2", "city"))


@pytest.mark.rule("mw-16.8-b")
def test_what_may_be_bombed():
    war = skies(("GE-L1", "2515"), ("GE-L2", "2615"), ("GE-L3", "2415"), ("GE-01", "2415"), ("CZ-1", "2615"),
                ("GE-LK1", "2511"), ("GE-LK2", "3019")).phase(TerrorBombing(AXIS))  # fmt: skip
    assert war.allows(Bomb("GE-L1", "city"))
    assert war.refused(Bomb("GE-L1", "units")).reason == "no-enemy"
    assert war.allows(Bomb("GE-L2", "units"))
    assert war.refused(Bomb("GE-L2", "city")).reason == "no-city"
    assert not war.allows(Bomb("GE-L3", "city"))  # friends are there
    assert not war.allows(Bomb("GE-LK2", "city"))  # a friend's country
    over = skies(("GE-L1", "available")).phase(AirLaunch(AXIS))
    over.do(Launch("GE-L1", "1812", "1512"))  # Brussels: an invasion
    assert over.side("Belgium") == ALLIES


@pytest.mark.rule("mw-16.8-c")
def test_city_or_units_never_both():
    war = skies(("GE-L1", "2515"), ("CZ-1", "2515")).phase(TerrorBombing(AXIS))
    assert {action.aim for action in war.offered(Bomb)} == {"city", "units"}
    war.dice(6).do(Bomb("GE-L1", "city"))
    assert war.steps("CZ-1") == 2
    assert not war.match.offers("axis")[Bomb] or not war.offered(Bomb)


@pytest.mark.rule("mw-16.8-d", "mw-table-terror")
def test_the_factor_is_the_column():
    war = skies(("GE-L1", "2515"), ("GE-LK1", "2415")).put("GE-L2", "2716", steps=1)
    assert [terror_column(war.m, unit(name)) for name in ("GE-L1", "GE-LK1", "GE-L2")] == [2, 1, 1]
    assert {result for row in ATLAS.terror[1:] for result in row} == {"Defiance", "Flak", "-", "Terror"}
    assert bombing(4, "city").state.terror != Position().state.terror  # Terror at factor 2
    weak = Position().put("GE-L1", "2515", steps=1).phase(TerrorBombing(AXIS))
    weak.dice(4).do(Bomb("GE-L1", "city"))  # nothing at factor 1
    assert weak.state.terror == Position().state.terror


@pytest.mark.rule("mw-16.8.1-defiance")
def test_defiance():
    war = bombing(1, "city")
    assert (war.steps("GE-L1"), war.where("GE-L1")) == (1, "utilized")


@pytest.mark.rule("mw-16.8.1-none")
def test_no_effect():
    war = bombing(3, "city")
    assert (war.steps("GE-L1"), war.state.terror) == (2, Position().state.terror)


@pytest.mark.rule("mw-16.8.1-terror")
def test_terror_marks_a_city_or_hits_a_unit():
    war = bombing(6, "city")
    assert war.state.terror != Position().state.terror
    war = skies(("GE-L1", "2515"), ("CZ-MOB", "2515"), ("CZ-2L1", "2515")).phase(TerrorBombing(AXIS))
    war.dice(6).do(Bomb("GE-L1", "units"))
    assert war.asked == "axis"
    war.do(Hit("CZ-MOB"))
    assert (war.steps("CZ-MOB"), war.where("CZ-2L1")) == (1, "2515")
    assert war.where("GE-L1") == "utilized"


@pytest.mark.rule("mw-20.0-h")
def test_storms_weaken_terror_over_the_soviet_union():
    war = Position("anti-comintern-war").put("GE-L1", "3910").put("GE-L2", "3519").storm()
    assert terror_column(war.m, unit("GE-L1")) == 1
    assert terror_column(war.m, unit("GE-L2")) == 2


# ---- tactical support (16.9)
def supported(die: int, *units: tuple[str, str], air: str = "GE-L1") -> Position:
    war = skies((air, "2514"), ("GE-01", "2513"), *units).phase(Combat(AXIS))
    war.do(attack("2514", "GE-01"))
    war.dice(die).do(Support(air, "", ""))
    return war.finish_battle()


@pytest.mark.rule("mw-16.9-a", "mw-16.9-b")
def test_support_comes_from_over_the_defending_hex():
    war = skies(("GE-L1", "2514"), ("GE-L2", "2515"), ("GE-01", "2513"), ("CZ-1", "2514")).phase(Combat(AXIS))
    war.do(attack("2514", "GE-01"))
    assert war.allows(Support("GE-L1", "", ""))
    assert war.refused(Support("GE-L2", "", "")).rule == "mw-16.9-b"
    assert war.allows(Support("", "", ""))


@pytest.mark.rule("mw-16.9-c")
def test_air_of_another_country_goes_home_before_the_combat():
    war = skies(("IT-A1", "2514"), ("GE-01", "2513"), ("CZ-1", "2514")).phase(Combat(AXIS))
    events = war.dice(5).do(attack("2514", "GE-01"))
    assert war.where("IT-A1") == "utilized"
    (fought,) = [event for event in events if type(event).__name__ == "Fought"]
    assert fought.shift == -2


@pytest.mark.rule("mw-16.9-d", "mw-11.15-air")
def test_support_shifts_by_the_factor():
    from sandtable.games.munich_war.rules.combat import shifts

    for name, steps, wanted in (("GE-L1", 2, 2), ("GE-L1", 1, 1), ("GE-LK1", 2, 1)):
        war = Position().put(name, "2514", steps=steps).put("GE-01", "2513").put("CZ-1", "2514")
        found = shifts(war.m, at("2514"), [unit("GE-01")], [unit("CZ-1")], air=unit(name))
        assert {m.name: m.value for m in found}["air"] == wanted


@pytest.mark.rule("mw-16.9-e", "mw-16.7")
def test_a_one_costs_the_aircraft_a_step_where_there_are_guns():
    assert supported(1, ("CZ-1", "2514"), ("CZ-F1", "2514")).steps("GE-L1") == 1
    assert supported(2, ("CZ-1", "2514"), ("CZ-F1", "2514")).steps("GE-L1") == 2
    assert supported(1, ("CZ-1", "2514")).steps("GE-L1") == 2


@pytest.mark.rule("mw-16.9-f")
def test_after_the_combat_the_survivor_is_utilized():
    war = supported(5, ("CZ-2L1", "2514"))
    war.finish_battle()
    assert war.where("GE-L1") == "utilized"
    war = skies(("GE-01", "2513"), ("CZ-1", "2514"), ("CZ-F1", "2514")).put("GE-LK1", "2514", steps=1)
    war.phase(Combat(AXIS)).do(attack("2514", "GE-01"))
    war.dice(1).do(Support("GE-LK1", "", ""))
    assert war.where("GE-LK1") == "eliminated"


# ---- airlift (16.10)
@pytest.mark.rule("mw-16.10-a")
def test_airlift_does_one_thing_and_flies_reduced():
    war = Position().put("GE-LT", "available", steps=1).put("GE-01", "3013").put("GE-02", "2511")
    war.put("GE-L1", "available").phase(AirLaunch(AXIS))
    assert war.allows(Launch("GE-LT", "2511", "3013"))
    war.do(Launch("GE-LT", "2511", "3013"))
    war.phase(Movement(AXIS))
    assert not war.offered(Airlift)  # it flew supplies: it takes nobody along
    war = skies(("GE-LT", "2415"), ("PL-A1", "2415"))
    apply_interception(war.m, unit("PL-A1"), unit("GE-LT"), "DL")
    assert (war.steps("GE-LT"), war.where("GE-LT")) == (1, "2415")  # hit, and still flying


@pytest.mark.rule("mw-16.10.1-a", "mw-16.10.1-b")
def test_the_airlift_waits_in_its_launch_hex_for_a_passenger():
    war = skies(("GE-LT", "available"), ("GE-01", "2511"), ("GE-16", "2513"), ("GE-L1", "available"))
    war.phase(AirLaunch(AXIS))
    assert war.allows(Launch("GE-LT", "2511", "2511"))
    assert not war.allows(Launch("GE-LT", "2513", "2513"))  # tanks do not fly
    war.do(Launch("GE-LT", "2511", "2511"))
    assert war.where("GE-LT") == "2511"
    assert war.state.flags[unit("GE-LT")] & WAITING


def waiting(*units: tuple[str, str]) -> Position:
    war = skies(("GE-LT", "2511"), *units)
    mark(war.state, unit("GE-LT"), WAITING)
    return war.phase(Movement(AXIS))


@pytest.mark.rule("mw-16.10.1-b")
def test_no_armies_and_no_tanks():
    war = waiting(("GE-01", "2511"), ("GE-16", "2511"), ("HU-1", "2511"))
    assert war.allows(Airlift("GE-LT", "GE-01", "2814"))
    assert war.refused(Airlift("GE-LT", "GE-16", "2814")).rule == "mw-16.10.1-b"
    assert war.refused(Airlift("GE-LT", "HU-1", "2814")).rule == "mw-16.10.1-b"


@pytest.mark.rule("mw-16.10.1-c", "mw-16.10.1-e")
def test_air_transport_to_a_friendly_city():
    war = waiting(("GE-01", "2511"), ("GE-02", "2511"))
    assert war.refused(Airlift("GE-LT", "GE-01", "2412")).rule == "mw-16.10.1-c"
    assert war.refused(Airlift("GE-LT", "GE-01", "2515")).rule == "mw-16.10.1-c"
    war.do(Airlift("GE-LT", "GE-01", "3209"))
    assert (war.where("GE-01"), war.where("GE-LT")) == ("3209", "utilized")
    from sandtable.games.munich_war.model.actions import Move

    assert war.refused(Move("GE-01", "3210")).rule == "mw-8.2-b"
    assert not war.offered(Airlift)


@pytest.mark.rule("mw-19.0-mountain")
def test_only_alpine_units_are_flown_into_mountains():
    war = waiting(("GE-LT", "2312"), ("GE-01", "2312"), ("GE-GEB", "2312"))
    assert war.refused(Airlift("GE-LT", "GE-01", "2118")).rule == "mw-19.0-mountain"
    assert war.allows(Airlift("GE-LT", "GE-GEB", "2118"))


@pytest.mark.rule("mw-16.10-a")
def test_an_airlift_that_waits_for_a_passenger_supplies_nobody():
    """Supply and transport in one turn are too much for one airlift."""
    war = Position().put("GE-01", "2513").put("GE-02", "2512").put("GE-LT", "2513")
    war.terror("2511", "2312", "2814", "2717", "2117", "2109", "1812", "3209", "2208", "2409", "2610")
    assert is_supplied(war.state, unit("GE-01"))
    assert is_supplied(war.state, unit("GE-02"))
    mark(war.state, unit("GE-LT"), WAITING)
    assert not is_supplied(war.state, unit("GE-01"))
    assert not is_supplied(war.state, unit("GE-02"))
    assert not is_supplied_for_combat(war.state, unit("GE-02"))


@pytest.mark.rule("mw-16.10.1-d")
def test_no_airlift_to_or_from_zones_and_terror():
    war = waiting(("GE-01", "2511"), ("CZ-1", "2514")).terror("2814")
    assert war.refused(Airlift("GE-LT", "GE-01", "2513")).rule == "mw-16.10.1-d"
    assert war.refused(Airlift("GE-LT", "GE-01", "2814")).rule == "mw-16.10.1-d"
    war.put("CZ-2", "2512")
    war.phase(Movement(AXIS))
    assert war.refused(Airlift("GE-LT", "GE-01", "2312")).rule == "mw-16.10.1-d"


@pytest.mark.rule("mw-16.10.2-a")
def test_air_supply_flies_to_own_units_and_stays_till_the_end_of_combat():
    war = skies(("GE-LT", "available"), ("GE-01", "2515"), ("HU-1", "2716"), ("GE-L1", "available"))
    war.phase(AirLaunch(AXIS))
    assert war.allows(Launch("GE-LT", "2511", "2515"))
    assert war.refused(Launch("GE-LT", "2511", "2716")).rule == "mw-16.10.2-a"
    war.do(Launch("GE-LT", "2511", "2515"))
    war.put("CZ-1", "2615").phase(Combat(AXIS))
    assert war.where("GE-LT") == "2515"
    war.do(Done())
    assert war.where("GE-LT") == "utilized"


# ---- option 23.2
def surprised(die: int) -> Position:
    war = Position(german_surprise_attack=True).put("PL-A1", "available").put("PL-MOD", "reinforcement")
    war.dice(die)
    surprise(war.m, country("Poland"))
    return war


@pytest.mark.rule("mw-23.2-1-3", "mw-23.2-note")
def test_surprise_catches_air_units_on_the_ground():
    for die in (1, 2, 3):
        war = surprised(die)
        assert war.where("PL-A1") == "utilized"
        assert war.state.flags[unit("PL-A1")] & SURPRISED
    war.put("PL-A1", "available").put("FR-A1", "available").put("GE-L1", "3013").put("GE-L2", "1616")
    war.phase(AirIntercept(ALLIES), AXIS)
    assert war.refused(Intercept("PL-A1", "3212", "3013")).rule == "mw-23.2-note"
    from sandtable.games.munich_war.sequence import AirReturn

    war.run(AirReturn(AXIS))
    assert not war.state.flags[unit("PL-A1")] & SURPRISED


@pytest.mark.rule("mw-23.2-4-5")
def test_four_and_five_do_nothing():
    for die in (4, 5):
        war = surprised(die)
        assert (war.where("PL-A1"), sum(war.state.rp)) == ("available", 0)


@pytest.mark.rule("mw-23.2-6")
def test_an_alert_country_spends_a_point_at_once_even_a_neutral():
    from sandtable.games.munich_war.model.actions import Mobilize, Refit

    war = surprised(6)
    war.m._moved = True
    war.m.settle()
    assert war.asked == "allies"
    assert war.allows(Mobilize("PL-MOD"))
    neutral = Position().put("BE-A", "1512", steps=1).dice(6)
    surprise(neutral.m, country("Belgium"))
    neutral.m._moved = True
    neutral.m.settle()
    neutral.do(Refit("BE-A"))
    assert neutral.steps("BE-A") == 2


@pytest.mark.rule("mw-23.2-roll")
def test_a_die_for_every_allied_belligerent_and_every_neutral():

    war = Position()
    found = {ATLAS.countries[number].name for number in attacked(war.m)}
    allied = {"Czechoslovakia", "Great Britain", "France", "Poland"}
    small = {"Belgium", "Netherlands", "Denmark", "Lithuania", "Latvia", "Estonia", "Finland"}
    assert found == allied | small | {"Soviet Union", "Yugoslavia"}
    assert fliers(war.m.state, AXIS) == []
    assert targets(war.put("GE-L1", "available").m, unit("GE-L1"), at("2511"))
