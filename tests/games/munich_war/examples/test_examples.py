"""The rulebook's worked examples, each replayed to its stated result."""

import pytest

from sandtable.games.munich_war.facts.air import bases, flight
from sandtable.games.munich_war.facts.board import board
from sandtable.games.munich_war.facts.stacking import broken_limit
from sandtable.games.munich_war.facts.supply import can_trace, sources, trace_length
from sandtable.games.munich_war.model.actions import Arrive, Intercept, Launch, Mobilize, Move, Rail, Support
from sandtable.games.munich_war.model.atlas import ALLIES, ATLAS, AXIS
from sandtable.games.munich_war.rules.air import interception_column
from sandtable.games.munich_war.rules.air_phase import AirIntercept
from sandtable.games.munich_war.rules.combat import column_of, percentile, shifted_column, shifts, trench_shift
from sandtable.games.munich_war.rules.combat_phase import Combat
from sandtable.games.munich_war.rules.mobilization import collect
from sandtable.games.munich_war.rules.mobilization_phase import Arrivals, Spend
from sandtable.games.munich_war.rules.movement_phase import Movement
from tests.games.munich_war.positions import Position, at, attack, country, names, unit


def column(percent: int) -> str:
    return ATLAS.column_names[column_of(percent)]


@pytest.mark.rule("mw-7.2.1-example")
def test_an_infantry_corps_bought_on_turn_2_with_a_die_of_3_arrives_on_turn_4():
    war = Position(turn=2).put("GE-20", "reinforcement").put("GE-17", "reinforcement")
    collect(war.m, AXIS)
    war.phase(Spend(AXIS))
    before = war.state.rp[country("Germany")]
    war.dice(3).do(Mobilize("GE-20"))
    assert war.state.rp[country("Germany")] == before - 1
    assert war.where("GE-20") == "turn 4"
    war.phase(Arrivals(AXIS), turn=3)
    assert not war.allows(Arrive("GE-20", "2511"))
    war.phase(Arrivals(AXIS), turn=4)
    war.do(Arrive("GE-20", "2511"))
    assert war.where("GE-20") == "2511"


@pytest.mark.rule("mw-8.6-example")
def test_germans_rail_move_in_germany_but_use_the_road_in_france():
    war = Position().put("GE-01", "2511").put("GE-02", "1214").own(AXIS, "1214", "1213").phase(Movement(AXIS))
    assert war.allows(Rail("GE-01", "2513"))
    assert war.refused(Rail("GE-02", "1213")).rule == "mw-8.6-a"
    assert war.allows(Move("GE-02", "1213"))


@pytest.mark.rule("mw-9.0-c-example")
def test_a_german_and_an_italian_mobile_unit_never_end_a_phase_together():
    war = Position().put("GE-16", "2420").put("IT-CN", "2320").phase(Movement(AXIS))
    assert war.refused(Move("GE-16", "2320")).rule == "mw-8.2-e"
    assert war.refused(Move("IT-CN", "2420")).rule == "mw-8.2-e"
    stack = [unit("GE-16"), unit("IT-CN")]
    assert broken_limit(stack, at("2320")) is not None
    assert broken_limit(stack[::-1], at("2320")) is not None


@pytest.mark.rule("mw-9.0-example")
def test_legal_and_illegal_stacks():
    legal = (["CZ-1"], ["GE-01", "GE-02", "GE-KB"], ["IT-CN", "GE-KB"])
    for stack in legal:
        assert broken_limit([unit(name) for name in stack], at("3209")) is None
    assert broken_limit([unit("CZ-1"), unit("CZ-MOB")], at("2515")) is not None


@pytest.mark.rule("mw-10.1-example")
def test_neutral_belgium_has_no_zone_and_no_zone_reaches_into_it():
    war = Position().put("BE-A", "1612").put("GE-01", "1712").put("FR-1", "1412")
    assert not board(war.m.state).zoc[AXIS] & ATLAS.countries[country("Belgium")].hexes
    assert not board(war.m.state).zoc[ALLIES] & ATLAS.countries[country("Belgium")].hexes
    assert not war.zoc(ALLIES, "1712")


@pytest.mark.rule("mw-11.3-example")
def test_germans_and_italians_attack_one_after_the_other_but_not_together():
    war = Position().put("GE-01", "2513").put("IT-1", "2613").put("CZ-1", "2614").phase(Combat(AXIS))
    together = attack("2614", "GE-01", "IT-1")
    assert war.refused(together).rule == "mw-11.3"
    war.dice(5).do(attack("2614", "GE-01"))
    war.finish_battle()
    assert war.allows(attack("2614", "IT-1"))


@pytest.mark.rule("mw-11.9-example-1", "mw-11.9-example-2")
def test_twenty_against_thirteen_and_ten_against_twelve():
    assert percentile(20, 13) == 153
    assert column(153) == "150-199"
    assert percentile(10, 12) == 83
    assert column(83) == "50-99"


@pytest.mark.rule("mw-11.12-example")
def test_only_germans_profit_from_the_entrenchments_of_aachen():
    war = Position().put("GE-01", "1712").put("IT-1", "1715").put("FR-1", "1615")
    assert trench_shift(war.m, at("1712"), [unit("GE-01")]).value == -1
    assert trench_shift(war.m, at("1712"), [unit("IT-1")]).value == 0
    assert trench_shift(war.m, at("1712"), [unit("FR-1")]).value == 0


@pytest.mark.rule("mw-11.13-example")
def test_six_against_two_with_one_unit_out_of_supply():
    """300 per cent drops to the 200-299 column."""
    war = Position().put("GE-01", "3111").put("GE-02", "2713", steps=1).put("CZ-2L1", "3112")
    war.put("GE-02", "3113", steps=1).put("GE-LT", "3211")
    assert ATLAS.units[unit("CZ-2L1")].defense[1] == 2
    assert (ATLAS.units[unit("GE-01")].attack[2], ATLAS.units[unit("GE-02")].attack[1]) == (4, 2)
    war.own(ALLIES, "3014", "3013", "2914", "2814", "3114")
    war.put("PL-LOD", "3014").put("PL-POS", "3213")
    force = [unit("GE-01"), unit("GE-02")]
    found = {m.name: m.value for m in shifts(war.m, at("3112"), force, [unit("CZ-2L1")])}
    assert found["supply"] == -1
    assert column(percentile(6, 2)) == "300-399"
    assert ATLAS.column_names[shifted_column(column_of(300), found["supply"])] == "200-299"


@pytest.mark.rule("mw-11.15-example")
def test_one_against_ten_with_air_two_and_special_forces_in_the_open():
    """Three columns right, one left for terrain: from 49 or less to 100-149."""
    war = Position().put("GE-SP", "2615").put("CZ-1", "2515").put("CZ-F6", "2515").put("GE-L1", "2515")
    assert percentile(1, 10) == 10
    found = shifts(war.m, at("2515"), [unit("GE-SP")], [unit("CZ-1"), unit("CZ-F6")], air=unit("GE-L1"), sf_works=True)
    right = sum(m.value for m in found if m.value > 0)
    assert {m.name: m.value for m in found if m.value > 0} == {"air": 2, "special-forces": 1}
    left = {m.name: m.value for m in found if m.value < 0}
    assert left["city"] == -1
    assert ATLAS.column_names[shifted_column(column_of(10), right - 1)] == "100-149"
    assert Support.__struct_fields__ == ("air", "naval", "sf")


@pytest.mark.rule("mw-14.2-example-1")
def test_berlin_supplies_germans_and_not_italians():
    war = Position().put("GE-01", "2512").put("IT-1", "2512")
    assert sources(war.m.state, country("Germany")) >> at("2511") & 1
    assert not sources(war.m.state, country("Italy")) >> at("2511") & 1


@pytest.mark.rule("mw-14.2-example-2")
def test_antwerp_supplies_the_british_once_belgium_is_at_war():
    war = Position().put("GB-BEF", "1412")
    assert not sources(war.m.state, country("Great Britain")) >> at("1511") & 1
    war.join("Belgium", ALLIES)
    assert sources(war.m.state, country("Great Britain")) >> at("1511") & 1
    war.put("GE-01", "1511")
    assert not sources(war.m.state, country("Great Britain")) >> at("1511") & 1


@pytest.mark.rule("mw-14.3-f-example")
def test_a_mechanized_unit_does_not_trace_through_mountains_an_alpine_unit_does():
    """South of the Alpine ridge, with the roads in enemy hands, only the mountain corps reaches the railroad."""
    war = Position().put("GE-14", "2319").put("GE-GEB", "2319")
    blocked = ("2318", "2420", "2320")
    for name, place in zip(("FR-F1", "FR-F2", "FR-F3"), blocked, strict=True):
        war.put(name, place)
    assert ATLAS.mountains >> at("2219") & 1
    assert ATLAS.mountains >> at("2419") & 1
    assert can_trace(war.m.state, unit("GE-GEB"))
    assert not can_trace(war.m.state, unit("GE-14"))


@pytest.mark.rule("mw-14.3-g-example")
def test_units_in_one_hex_trace_as_far_as_each_can_move():
    war = Position().put("PL-CAV", "3013").put("PL-LOD", "3013")
    assert (trace_length(war.m.state, unit("PL-CAV")), trace_length(war.m.state, unit("PL-LOD"))) == (4, 3)


@pytest.mark.rule("mw-16.3-example")
def test_range_six_and_the_bases_berlin_and_warsaw():
    war = Position().put("GE-LK1", "available")
    assert ATLAS.units[unit("GE-LK1")].range == 6
    assert (
        max(ATLAS.distance(at("2511"), at(name)) for name in names(flight(war.m.state, unit("GE-LK1"), at("2511"))))
        == 6
    )
    assert "2511" in names(bases(war.m.state, unit("GE-LK1")))
    war.put("HU-1", "3212")
    assert "3212" not in names(bases(war.m.state, unit("GE-LK1")))
    war.put("HU-1", "3019").put("GE-01", "3212")
    assert "3212" in names(bases(war.m.state, unit("GE-LK1")))


@pytest.mark.rule("mw-16.6-example")
def test_a_german_two_intercepts_a_polish_one_over_konigsberg():
    war = Position().put("PL-A1", "3209").put("GE-L1", "available").phase(AirIntercept(AXIS), ALLIES)
    assert interception_column(2 - 1) == ATLAS.tables["interception"]["columns"].index(1)
    events = war.dice(3).do(Intercept("GE-L1", "2511", "3209"))
    (fought,) = [event for event in events if type(event).__name__ == "Intercepted"]
    assert (fought.attacker, fought.defender, fought.result) == ("GE-L1", "PL-A1", "DB")  # the +1 column
    assert war.where("PL-A1") == "utilized"
    assert Launch.__struct_fields__ == Intercept.__struct_fields__
