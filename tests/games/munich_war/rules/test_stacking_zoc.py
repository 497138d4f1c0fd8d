"""Chapters 9 and 10: stacking and zones of control."""

import pytest

from sandtable.games.munich_war.facts.board import board
from sandtable.games.munich_war.facts.reach import reach
from sandtable.games.munich_war.facts.stacking import broken_limit
from sandtable.games.munich_war.facts.supply import can_trace
from sandtable.games.munich_war.model.actions import Disband, Done, Move
from sandtable.games.munich_war.model.atlas import ALLIES, ATLAS, AXIS
from sandtable.games.munich_war.rules.combat_phase import Combat
from sandtable.games.munich_war.rules.mobilization_phase import Arrivals
from sandtable.games.munich_war.rules.movement_phase import Movement
from sandtable.games.munich_war.rules.retreat import withdraw_along
from sandtable.games.munich_war.rules.setup import why_not_here
from sandtable.games.munich_war.rules.stacking_phase import Overstack
from tests.games.munich_war.positions import Position, at, attack, names, unit


def breaks(place: str, *units: str) -> str | None:
    limit = broken_limit([unit(name) for name in units], at(place))
    return None if limit is None else limit[0]


@pytest.mark.rule("mw-9.0-a")
def test_markers_do_not_count():
    war = Position().put("CZ-1", "2515").terror("2515").run(Overstack(ALLIES))
    assert war.where("CZ-1") == "2515"
    assert breaks("2515", "CZ-1") is None


@pytest.mark.rule("mw-9.0-b")
def test_enemies_never_share_a_hex():
    war = Position().put("GE-01", "2513").put("CZ-F2", "2714").put("GE-16", "2713").phase(Movement(AXIS))
    assert "2714" not in names(reach(war.m.state, unit("GE-16")))


@pytest.mark.rule("mw-9.0-c")
def test_mobile_units_of_two_nations_do_not_stack():
    assert breaks("2819", "GE-01", "HU-C") == "mw-9.0-c"
    assert breaks("2819", "HU-C", "GE-OQ") is None


@pytest.mark.rule("mw-9.0-d", "mw-16.5-b")
def test_support_does_not_count_for_land_stacking_nor_the_other_way():
    war = Position()
    for name in ("GE-01", "GE-02", "GE-03"):
        war.put(name, "2511")
    war.put("GE-L1", "2511").run(Overstack(AXIS))
    assert war.where("GE-03") == "2511"
    assert board(war.m.state).stack(at("2511")) == tuple(unit(name) for name in ("GE-01", "GE-02", "GE-03"))
    war.put("CZ-AIR", "2512").phase(Movement(AXIS))
    assert war.allows(Move("GE-01", "2512"))  # an enemy air unit bars nobody


@pytest.mark.rule("mw-9.0-e", "mw-2.5.3")
def test_one_army_or_three_smaller_units():
    assert breaks("2515", "CZ-1") is None
    assert breaks("2515", "CZ-1", "CZ-2") == "mw-9.0-e"
    assert breaks("2515", "CZ-1", "CZ-MOB") == "mw-9.0-e"
    assert breaks("2511", "GE-01", "GE-02", "GE-MAR") is None
    assert breaks("2511", "GE-01", "GE-02", "GE-03", "GE-MAR") == "mw-9.0-e"


@pytest.mark.rule("mw-9.0-f")
def test_one_static_unit_that_does_not_count():
    assert breaks("3209", "GE-01", "GE-02", "GE-03", "GE-KB") is None
    assert breaks("3209", "GE-KB", "GE-F1") == "mw-9.0-f"


@pytest.mark.rule("mw-9.0-f-exception")
def test_marsh_holds_one_unit_and_mountains_no_static_ones():
    assert breaks("3712", "PL-CAV") is None
    assert breaks("3712", "PL-CAV", "PL-MTN") == "mw-9.0-f-exception"
    assert breaks("3712", "PL-CAV", "PL-FW") == "mw-9.0-f-exception"

    war = Position()
    refusal = why_not_here(war.m, unit("GE-F1"), at("2118"))
    assert refusal is not None
    assert refusal.rule == "mw-9.0-f-exception"


@pytest.mark.rule("mw-9.1-a", "mw-9.1-c")
def test_the_owner_eliminates_the_excess_at_the_end_of_movement():
    war = Position()
    for name in ("GE-01", "GE-02", "GE-03", "GE-04"):
        war.put(name, "2511")
    war.put("GE-F1", "2511").phase(Movement(AXIS))
    war.do(Done())
    assert war.asked == "axis"
    assert war.refused(Disband("GE-F1")).rule == "mw-9.1-c"
    war.do(Disband("GE-02"))
    assert war.where("GE-02") == "eliminated"
    assert war.where("GE-F1") == "2511"


@pytest.mark.rule("mw-9.1-c")
def test_the_owner_keeps_the_army_or_the_corps_with_it():
    for given_up in (("CZ-1",), ("CZ-MOB", "CZ-2L1")):
        war = Position().put("CZ-1", "2614").put("CZ-MOB", "2614").put("CZ-2L1", "2614").put("CZ-F1", "2614")
        war.phase(Movement(ALLIES)).do(Done())
        assert {action.unit for action in war.offered(Disband)} == {"CZ-1", "CZ-MOB", "CZ-2L1"}
        for name in given_up:
            war.do(Disband(name))
        assert type(war.match.step).__name__ == "Parked"
        left = {name for name in ("CZ-1", "CZ-MOB", "CZ-2L1", "CZ-F1") if war.where(name) == "2614"}
        assert left == {"CZ-1", "CZ-MOB", "CZ-2L1", "CZ-F1"} - set(given_up)


@pytest.mark.rule("mw-9.1-a")
def test_limits_are_tested_at_the_end_of_combat_too():
    war = Position().put("CZ-1", "2515").put("CZ-2", "2515").put("GE-01", "2511").put("GE-02", "2415")
    war.phase(Combat(AXIS))
    war.do(Done())
    assert war.asked == "allies"
    war.do(Disband("CZ-2"))
    assert war.where("CZ-1") == "2515"


@pytest.mark.rule("mw-9.1-b")
def test_any_number_may_pass_through_a_hex_in_a_phase():
    war = Position()
    for name in ("GE-01", "GE-02", "GE-03"):
        war.put(name, "2511")
    war.put("GE-16", "2411").phase(Movement(AXIS))
    (moved,) = war.do(Move("GE-16", "2612"))
    assert "2511" in moved.path


@pytest.mark.rule("mw-9.1-d")
def test_reinforcements_may_overstack():
    from sandtable.games.munich_war.model.actions import Arrive

    war = Position().put("HU-1", "3019").put("HU-2", "turn 2").phase(Arrivals(AXIS))
    assert war.allows(Arrive("HU-2", "3019"))


# ---- zones of control
@pytest.mark.rule("mw-10.0-a")
def test_a_mobile_units_zone_is_the_six_hexes_around_it():
    war = Position().put("CZ-1", "2515")
    assert names(board(war.m.state).zoc[ALLIES]) == {"2415", "2416", "2514", "2516", "2615", "2616"}


@pytest.mark.rule("mw-10.0-b")
def test_static_units_and_markers_have_none():
    war = Position().put("CZ-F1", "2614").put("GB-ADC", "1110").put("CZ-AIR", "2515")
    assert board(war.m.state).zoc[ALLIES] == 0


@pytest.mark.rule("mw-10.0-c")
def test_zones_limit_movement_retreat_and_supply():
    war = Position().put("GE-07", "2410").put("CZ-1", "2412").phase(Movement(AXIS))
    assert "2512" not in names(reach(war.m.state, unit("GE-07")))
    war = Position().put("CZ-1", "2515").put("GE-01", "2416")
    withdraw_along(war.m, unit("CZ-1"), (at("2516"),))
    assert war.steps("CZ-1") == 1
    lone = Position().put("GE-07", "2616").put("CZ-1", "2515").put("CZ-2", "2716").put("CZ-3", "2517")
    assert not can_trace(lone.m.state, unit("GE-07"))


@pytest.mark.rule("mw-10.1-a", "mw-10.2")
def test_other_units_do_not_cancel_a_zone_and_several_are_as_one():
    war = Position().put("CZ-1", "2515").put("GE-01", "2416").put("GE-02", "2514")
    assert war.zoc(ALLIES, "2514")
    war.put("CZ-2", "2615")
    assert war.zoc(ALLIES, "2514")
    withdraw_along(war.m, unit("GE-02"), (at("2616"),))
    assert war.steps("GE-02") == 1  # two zones, one loss


@pytest.mark.rule("mw-10.1-b")
def test_zones_reach_into_all_terrain():
    war = Position().put("GE-16", "2518")
    assert war.zoc(AXIS, "2419")  # a mountain
    assert war.zoc(AXIS, "2519")  # over a river


@pytest.mark.rule("mw-10.1-b-exception")
def test_no_zone_over_all_sea_hexsides():
    war = Position().put("GB-BEF", "1211")
    assert ATLAS.neighbours(at("1211")) >> at("1311") & 1
    assert not war.zoc(ALLIES, "1311")
    assert war.zoc(ALLIES, "1110")


@pytest.mark.rule("mw-10.3-a")
def test_a_unit_stops_in_a_zone():
    war = Position().put("GE-16", "2512").put("CZ-1", "2514").phase(Movement(AXIS))
    war.do(Move("GE-16", "2513"))
    assert war.refused(Move("GE-16", "2512")).rule == "mw-10.3-a"


@pytest.mark.rule("mw-10.3-b", "mw-10.3-c")
def test_disengaging_starts_with_a_free_hex():
    war = Position().put("GE-16", "2513").put("GE-SP", "2513").put("CZ-1", "2514").phase(Movement(AXIS))
    assert war.refused(Move("GE-SP", "2414")).rule == "mw-10.3-c"
    assert war.allows(Move("GE-16", "2512"))
    # another zone may be entered later in the move: round by 2413 or 2613 into 2414
    (moved,) = war.do(Move("GE-16", "2414"))
    assert not war.zoc(ALLIES, moved.path[1])
    assert war.zoc(ALLIES, "2414")
    assert war.refused(Move("GE-16", "2413")).rule == "mw-10.3-a"


@pytest.mark.rule("mw-10.3-c")
def test_straight_from_zone_to_zone_is_closed_however_cheap():
    war = Position().put("GE-07", "2513").put("CZ-1", "2514").put("CZ-F2", "2613").phase(Movement(AXIS))
    assert ATLAS.step_cost(1, False, at("2513"), at("2614")) == 4  # two of its three factors, and no way round
    assert war.refused(Move("GE-07", "2614")).rule == "mw-10.3-c"


@pytest.mark.rule("mw-10.4-a", "mw-11.0-e")
def test_nobody_has_to_attack():
    war = Position().put("GE-01", "2513").put("CZ-1", "2514").phase(Combat(AXIS))
    assert war.allows(Done())


@pytest.mark.rule("mw-10.4-b")
def test_retreat_into_a_zone_costs_a_step():
    war = Position().put("GE-01", "2513").put("CZ-1", "2514")
    withdraw_along(war.m, unit("GE-01"), (at("2614"),))
    assert (war.where("GE-01"), war.steps("GE-01")) == ("2614", 1)


@pytest.mark.rule("mw-10.4-c")
def test_an_advance_into_and_through_zones_is_free():
    from sandtable.games.munich_war.rules.advance import march_in

    war = Position().put("GE-16", "2513").put("CZ-1", "2515").put("CZ-2", "2615")
    march_in(war.m, unit("GE-16"), (at("2514"), at("2614")))
    assert (war.where("GE-16"), war.steps("GE-16")) == ("2614", 2)


@pytest.mark.rule("mw-10.5")
def test_supply_goes_into_a_zone_but_through_it_only_over_a_friend():
    war = Position().put("GE-07", "2515").put("CZ-1", "2615").own(AXIS, "2515", "2514", "2415")
    assert war.zoc(ALLIES, "2514")
    war.put("CZ-2", "2315").put("CZ-3", "2517")
    assert not can_trace(war.m.state, unit("GE-07"))
    war.put("GE-08", "2514")
    assert can_trace(war.m.state, unit("GE-07"))


def test_attack_helper_orders_units_as_the_counter_list():
    assert attack("2514", "GE-02", "GE-01").units == ("GE-01", "GE-02")
