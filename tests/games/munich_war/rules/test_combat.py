"""Chapter 11: land combat; alpine units, forts and entrenchments (19), storms (20)."""

import pytest

from sandtable.games.munich_war.facts.retreats import steps_back
from sandtable.games.munich_war.model.actions import Advance, Attack, Done, Lose, Support
from sandtable.games.munich_war.model.atlas import ALLIES, ATLAS, AXIS
from sandtable.games.munich_war.model.events import Attacked, Fought
from sandtable.games.munich_war.rules.combat import (
    attack_strength,
    column_of,
    concentric_shift,
    defense_strength,
    hexside_shift,
    percentile,
    shifted_column,
    shifts,
    supply_shift,
    terrain_shift,
    trench_shift,
    why_not_mobile,
)
from sandtable.games.munich_war.rules.combat_phase import Combat
from sandtable.games.munich_war.rules.losses import reduce
from sandtable.games.munich_war.rules.results_phase import LoseSteps
from tests.games.munich_war.positions import Position, at, attack, unit


def fight(*units: tuple[str, str], side: int = AXIS) -> Position:
    war = Position()
    for name, place in units:
        war.put(name, place)
    return war.phase(Combat(side))


def fought(events) -> Fought:
    return next(event for event in events if isinstance(event, Fought))


def numbers(*names: str) -> list[int]:
    return [unit(name) for name in names]


@pytest.mark.rule("mw-11.0-b")
def test_attacks_go_to_adjacent_enemy_land_units():
    war = fight(("GE-01", "2513"), ("GE-02", "2512"), ("CZ-1", "2514"), ("CZ-2", "2516"))
    assert war.allows(attack("2514", "GE-01"))
    assert war.refused(attack("2514", "GE-02")).rule == "mw-11.0-b"
    assert war.refused(attack("2516", "GE-01")).rule == "mw-11.0-b"
    assert war.refused(attack("2614", "GE-01")).reason == "no-enemy"


@pytest.mark.rule("mw-11.0-c")
def test_an_attack_needs_an_attack_factor():
    war = fight(("GE-KB", "3209"), ("GE-01", "3209"), ("PL-LOD", "3210"))
    assert war.refused(Attack("3210", "Germany", "assault", ("GE-KB", "GE-01"))).rule == "mw-11.0-c"


@pytest.mark.rule("mw-11.0-d")
def test_no_unit_attacks_twice():
    war = fight(("GE-01", "2513"), ("GE-02", "2513"), ("CZ-1", "2514"))
    war.dice(4).do(attack("2514", "GE-01"))
    war.finish_battle()
    assert war.refused(attack("2514", "GE-01")).rule in ("mw-11.0-d", "mw-11.0-b")
    from sandtable.games.munich_war.rules.combat import why_not_attack_at_all

    refusal = why_not_attack_at_all(war.m, unit("GE-01"))
    assert refusal is not None
    assert refusal.rule == "mw-11.0-d"
    assert war.allows(attack("2514", "GE-02"))


@pytest.mark.rule("mw-11.0-f")
def test_attacks_are_declared_one_by_one_in_any_order():
    war = fight(("GE-01", "2513"), ("GE-02", "2717"), ("CZ-1", "2514"), ("CZ-2", "2817"))
    assert war.allows(attack("2514", "GE-01"))
    assert war.allows(attack("2817", "GE-02"))
    war.dice(5).do(attack("2817", "GE-02"))
    war.finish_battle()
    assert war.allows(attack("2514", "GE-01"))
    assert war.allows(Done())


@pytest.mark.rule("mw-11.1")
def test_strength_is_never_split():
    """An attack takes a unit's whole factor and uses the unit up; there is no way to name a part of it."""
    war = fight(("GE-01", "2513"), ("CZ-1", "2514"), ("CZ-2", "2614"))
    assert attack_strength(war.m, numbers("GE-01")) == 4
    war.dice(5).do(attack("2514", "GE-01"))
    war.finish_battle()
    assert not war.allows(attack("2614", "GE-01"))


@pytest.mark.rule("mw-11.2", "mw-11.4-c")
def test_attackers_combine_from_all_around():
    around = ["2415", "2416", "2514", "2516", "2615", "2616"]
    war = Position().put("CZ-1", "2515")
    for name, place in zip(("GE-01", "GE-02", "GE-03", "GE-04", "GE-05", "GE-06"), around, strict=True):
        war.put(name, place)
    war.phase(Combat(AXIS))
    assert war.allows(attack("2515", "GE-01", "GE-02", "GE-03", "GE-04", "GE-05", "GE-06"))
    assert attack_strength(war.m, [unit(f"GE-0{n}") for n in range(1, 7)]) == 24


@pytest.mark.rule("mw-11.3")
def test_nations_do_not_attack_together():
    war = fight(("GE-01", "2717"), ("HU-1", "2819"), ("CZ-3", "2818"))
    refusal = war.refused(Attack("2818", "Germany", "assault", ("GE-01", "HU-1")))
    assert refusal.rule == "mw-11.3"


@pytest.mark.rule("mw-11.4-a")
def test_a_stack_may_attack_together_split_up_or_not_at_all():
    war = fight(("GE-01", "2513"), ("GE-02", "2513"), ("GE-03", "2513"), ("CZ-1", "2514"), ("CZ-2L1", "2614"))
    assert war.allows(attack("2514", "GE-01", "GE-02", "GE-03"))
    assert war.allows(attack("2514", "GE-01", "GE-02"))
    assert war.allows(attack("2614", "GE-03"))
    assert war.allows(Done())


@pytest.mark.rule("mw-11.4-b")
def test_each_attack_has_one_target_hex():
    war = fight(("GE-01", "2513"), ("CZ-1", "2514"), ("CZ-2", "2614"))
    (event,) = [e for e in war.dice(4).do(attack("2514", "GE-01")) if isinstance(e, Attacked)]
    assert event.target == "2514"
    assert event.defenders == ("CZ-1",)


@pytest.mark.rule("mw-11.5")
def test_a_hex_may_be_attacked_again_by_fresh_units():
    war = fight(("GE-01", "2513"), ("GE-02", "2414"), ("CZ-1", "2514"))
    war.dice(5).do(attack("2514", "GE-01"))
    war.finish_battle()
    assert war.allows(attack("2514", "GE-02"))


@pytest.mark.rule("mw-11.6-a", "mw-11.6-b")
def test_all_units_in_the_hex_defend_together():
    war = fight(("GE-01", "2513"), ("CZ-1", "2514"), ("CZ-F1", "2514"))
    event = fought(war.dice(6).do(attack("2514", "GE-01")))
    assert event.percent == 100 * 4 // (7 + 3)


@pytest.mark.rule("mw-11.7-a", "mw-11.7-c", "mw-11.7-d", "mw-13.1-note")
def test_the_attacker_chooses_the_table_and_mobile_needs_mechanized_units():
    war = fight(("GE-01", "2513"), ("GE-14", "2513"), ("CZ-1", "2514"))
    assert war.allows(attack("2514", "GE-01", "GE-14", table="mobile"))  # no plus sign is needed
    assert war.allows(attack("2514", "GE-01", "GE-14", table="assault"))
    assert war.refused(attack("2514", "GE-01", table="mobile")).rule == "mw-11.7-c"


@pytest.mark.rule("mw-11.7-b", "mw-19.0-trench-b")
def test_a_fort_forces_the_assault_table_an_entrenchment_does_not():
    war = fight(("GE-16", "2513"), ("CZ-F1", "2614"), ("CZ-1", "2514"))
    assert war.refused(attack("2614", "GE-16", table="mobile")).rule == "mw-11.7-b"
    assert ATLAS.trenches >> at("2514") & 1
    assert why_not_mobile(war.m, at("2514"), numbers("GE-16")) is None


@pytest.mark.rule("mw-11.8")
def test_the_order_of_an_attack():
    """Declaration, support, special forces, percentile with the fort already reduced, then the die."""
    war = fight(("GE-01", "2513"), ("CZ-F1", "2614"), ("GE-AB", "available"))
    war.do(attack("2614", "GE-01"))
    assert war.allows(Support("", "", "GE-AB"))
    events = war.dice(4, 1).do(Support("", "", "GE-AB"))
    tags = [type(event).__name__ for event in events]
    assert tags.index("SpecialForces") < tags.index("Reduced") < tags.index("Fought")
    assert fought(events).percent == 100 * 4 // 2


@pytest.mark.rule("mw-11.9")
def test_percentile_drops_fractions():
    assert percentile(20, 13) == 153
    assert percentile(2, 3) == 66
    assert percentile(4, 0) == 400


@pytest.mark.rule("mw-table-crt-columns", "mw-11.10-d")
def test_columns():
    assert " ".join(ATLAS.column_names) == "<=49 50-99 100-149 150-199 200-299 300-399 400-499 500-599 >=600"
    edges = {0: 0, 49: 0, 50: 1, 99: 1, 100: 2, 149: 2, 150: 3, 199: 3, 200: 4, 299: 4, 300: 5, 599: 7, 600: 8, 5000: 8}
    for percent, column in edges.items():
        assert column_of(percent) == column
    assert shifted_column(0, -3) == 0
    assert shifted_column(8, 2) == 8
    assert shifted_column(8, -1) == 7


@pytest.mark.rule("mw-11.10-a", "mw-11.10-b", "mw-11.10-c")
def test_shifts_add_up_right_for_the_attacker():
    war = fight(("GE-01", "2513"), ("CZ-1", "2514"), ("GE-L1", "2514"))
    named = {m.name: m.value for m in shifts(war.m, at("2514"), numbers("GE-01"), numbers("CZ-1"), air=unit("GE-L1"))}
    assert named == {"river": -1, "entrenchment": -1, "air": 2}
    assert shifted_column(2, sum(named.values())) == 2
    assert shifted_column(2, 1) == 3
    assert shifted_column(2, -1) == 1


@pytest.mark.rule("mw-11.11-a", "mw-11.11-b", "mw-table-tec")
def test_the_defenders_terrain_counts_and_not_the_attackers():
    war = fight(("GE-01", "2414"), ("CZ-1", "2415"), ("CZ-2", "2416"), ("GE-02", "2417"))
    assert terrain_shift(war.m, at("2416"), numbers("GE-02")).value == -2  # rough
    assert terrain_shift(war.m, at("2413"), numbers("GE-01")).value == 0  # clear, although he attacks from rough
    assert terrain_shift(war.m, at("3310"), numbers("GE-01")).value == -1  # forest
    assert terrain_shift(war.m, at("3712"), numbers("GE-01")).value == -1  # marsh
    assert terrain_shift(war.m, at("2419"), numbers("GE-01")).value == -2  # mountain


@pytest.mark.rule("mw-11.11-c")
def test_in_hex_terrain_does_not_add_up_the_best_counts():
    war = Position().put("GE-01", "2713")
    city = terrain_shift(war.m, at("2515"), numbers("GE-01"))
    assert (city.name, city.value) == ("city", -1)
    both = terrain_shift(war.m, at("2714"), numbers("GE-01"))  # a city in rough ground
    assert (both.name, both.value) == ("terrain", -2)


@pytest.mark.rule("mw-16.8.2-c")
def test_terror_takes_the_citys_shift_but_not_the_grounds():
    war = Position().put("GE-01", "2713").terror("2515", "2714")
    assert terrain_shift(war.m, at("2515"), numbers("GE-01")).value == 0
    assert terrain_shift(war.m, at("2714"), numbers("GE-01")).value == -2


@pytest.mark.rule("mw-11.11-d", "mw-11.11-e")
def test_a_river_helps_only_against_attackers_who_all_cross_it():
    war = Position().put("GE-01", "2513").put("GE-02", "2614").put("GE-03", "2414").put("CZ-1", "2514")
    assert hexside_shift(war.m, at("2514"), numbers("GE-01", "GE-02")).value == -1
    assert hexside_shift(war.m, at("2514"), numbers("GE-01", "GE-03")).value == 0
    both = shifts(war.m, at("2614"), numbers("GE-01"), [])
    assert sum(m.value for m in both if m.name in ("terrain", "river")) == -2
    wet = Position().put("GE-01", "2714").put("CZ-1", "2614")
    both = shifts(wet.m, at("2614"), numbers("GE-01"), numbers("CZ-1"))
    assert {m.name: m.value for m in both if m.name in ("terrain", "river")} == {"terrain": -2, "river": -1}


@pytest.mark.rule("mw-11.12-a", "mw-11.12-b", "mw-11.12-c")
def test_entrenchments_help_their_own_country_alone():
    war = Position().put("CZ-1", "2514").put("GE-01", "2513").put("PL-CAV", "2416")
    assert trench_shift(war.m, at("2514"), numbers("CZ-1")).value == -1
    assert trench_shift(war.m, at("2416"), numbers("PL-CAV")).value == 0
    assert trench_shift(war.m, at("2514"), numbers("CZ-1", "PL-CAV")).value == 0
    named = {m.name for m in shifts(war.m, at("2416"), numbers("GE-01"), numbers("CZ-1"))}
    assert {"terrain", "entrenchment"} <= named


@pytest.mark.rule("mw-11.13-a", "mw-11.13-b", "mw-11.13-c", "mw-14.7-b")
def test_supply_shifts():
    war = Position().put("GE-01", "2513").put("GE-02", "3415").put("GE-03", "3415")
    assert supply_shift(war.m, numbers("GE-01")).value == 0
    assert supply_shift(war.m, numbers("GE-01", "GE-02")).value == -1
    assert supply_shift(war.m, numbers("GE-02", "GE-03")).value == -2


@pytest.mark.rule("mw-11.13-d")
def test_defenders_do_not_need_supply():
    war = Position().put("GE-01", "2513").put("PL-LOD", "2512")
    shift = shifts(war.m, at("2512"), numbers("GE-01"), numbers("PL-LOD"))
    assert "supply" not in {m.name for m in shift}
    assert defense_strength(war.m, numbers("PL-LOD")) == 6


@pytest.mark.rule("mw-11.14")
def test_a_concentric_attack_covers_all_six_hexes():
    war = Position().put("CZ-1", "2515").put("GE-01", "2415").put("GE-02", "2616")
    assert concentric_shift(war.m, at("2515"), numbers("GE-01", "GE-02"), numbers("CZ-1")).value == 1
    assert concentric_shift(war.m, at("2515"), numbers("GE-01"), numbers("CZ-1")).value == 0
    war.put("GE-03", "2616").put("GE-02", "2511")
    assert concentric_shift(war.m, at("2515"), numbers("GE-01"), numbers("CZ-1")).value == 0  # a friend is not enough


@pytest.mark.rule("mw-11.14-exception")
def test_neutral_and_sea_hexes_need_no_cover():
    war = Position().put("GB-BEF", "1211").put("GE-01", "1110")
    assert concentric_shift(war.m, at("1211"), numbers("GE-01"), numbers("GB-BEF")).value == 1


@pytest.mark.rule("mw-11.14-exception")
def test_a_neutral_hex_beside_the_defender_needs_no_cover():
    war = Position().put("GE-01", "1817").put("FR-1", "1716").put("FR-2", "1916")
    assert concentric_shift(war.m, at("1817"), numbers("FR-1", "FR-2"), numbers("GE-01")).value == 1  # but Switzerland
    assert concentric_shift(war.m, at("1817"), numbers("FR-1"), numbers("GE-01")).value == 0


@pytest.mark.rule("mw-11.14-note")
def test_forts_trenches_and_cities_can_be_surrounded():
    war = Position().put("CZ-F6", "2415").put("GE-01", "2314").put("GE-02", "2515").put("GE-03", "2416")
    assert concentric_shift(war.m, at("2415"), numbers("GE-01", "GE-02", "GE-03"), numbers("CZ-F6")).value == 1


@pytest.mark.rule("mw-11.16-a")
def test_the_owner_chooses_who_is_reduced():
    war = fight(("GE-01", "2513"), ("GE-02", "2513"), ("CZ-1", "2514"))
    war.phase(LoseSteps(AXIS, (unit("GE-01"), unit("GE-02")), 1))
    assert war.asked == "axis"
    war.do(Lose("GE-02"))
    assert (war.steps("GE-01"), war.steps("GE-02")) == (2, 1)


@pytest.mark.rule("mw-11.16-b")
def test_on_the_mobile_table_mechanized_attackers_go_first():
    war = fight(("GE-01", "2513"), ("GE-16", "2513"), ("GE-14", "2513"), ("CZ-1", "2514"))
    war.phase(LoseSteps(AXIS, tuple(numbers("GE-16", "GE-14", "GE-01")), 2, True))
    assert war.refused(Lose("GE-01")).rule == "mw-11.16-b"
    war.do(Lose("GE-14"))
    assert (war.steps("GE-16"), war.steps("GE-14"), war.steps("GE-01")) == (1, 1, 2)


@pytest.mark.rule("mw-11.17-a", "mw-11.17-b", "mw-11.17-c")
def test_reductions():
    war = Position().put("GE-01", "2513").put("GE-SP", "2513")
    assert reduce(war.m, unit("GE-01"), "test")
    assert (war.steps("GE-01"), war.where("GE-01")) == (1, "2513")
    assert not reduce(war.m, unit("GE-01"), "test")
    assert war.where("GE-01") == "eliminated"
    assert not reduce(war.m, unit("GE-SP"), "test")
    assert war.where("GE-SP") == "eliminated"


@pytest.mark.rule("mw-11.18")
def test_combat_results_do_not_touch_support_markers():
    war = Position().put("GE-01", "2809").put("PL-LOD", "2909").put("GE-L1", "2909").put("GE-AB", "available")
    war.phase(Combat(AXIS))
    war.do(attack("2909", "GE-01"))
    war.dice(1, 1).do(Support("GE-L1", "", "GE-AB"))  # the worst die; no guns in the hex
    assert war.steps("GE-L1") == 2
    assert (war.where("GE-L1"), war.where("GE-AB")) == ("utilized", "utilized")


@pytest.mark.rule("mw-19.0-alpine")
def test_alpine_attackers_halve_rough_ground():
    war = Position().put("GE-GEB", "2417").put("GE-01", "2417")
    assert terrain_shift(war.m, at("2416"), numbers("GE-01")).value == -2
    assert terrain_shift(war.m, at("2416"), numbers("GE-GEB", "GE-01")).value == -1
    assert terrain_shift(war.m, at("3310"), numbers("GE-GEB")).value == -1  # forest is the same for all


@pytest.mark.rule("mw-17.1-g")
def test_special_forces_that_take_the_only_defender_leave_no_battle():
    war = Position().put("GE-SP", "2513").put("CZ-F1", "2614", 1).put("GE-AB", "available").put("GE-L1", "2614")
    war.phase(Combat(AXIS)).do(attack("2614", "GE-SP"))
    odds = war.match.preview("axis", Support("GE-L1", "", "GE-AB"))
    assert odds is not None
    assert {row.name: row.losses for row in odds.results}["result.cleared"] == {"allies": 1}
    assert odds.success >= 4 / 6
    events = war.dice(1).do(Support("GE-L1", "", "GE-AB"))  # one die, for the team: none for a battle
    assert war.where("CZ-F1") == "eliminated"
    assert "Fought" not in {type(event).__name__ for event in events}
    war.do(Advance("GE-SP", ("2614",)))
    assert (war.where("GE-SP"), war.where("GE-AB"), war.where("GE-L1")) == ("2614", "utilized", "utilized")
    with_friend = Position().put("GE-SP", "2513").put("CZ-F1", "2614", 1).put("CZ-1", "2614").put("GE-AB", "available")
    with_friend.phase(Combat(AXIS)).do(attack("2614", "GE-SP"))
    happened = with_friend.dice(1, 6).do(Support("", "", "GE-AB"))
    assert "Fought" in {type(event).__name__ for event in happened}


@pytest.mark.rule("mw-19.0-mountain-b")
def test_foot_units_attack_into_mountains_but_do_not_follow():
    from sandtable.games.munich_war.rules.advance import advance_hexes

    war = fight(("GE-01", "3018"), ("PL-MTN", "3017"))
    assert war.allows(attack("3017", "GE-01"))
    assert not advance_hexes(war.m, unit("GE-01"), at("3018")) >> at("3017") & 1
    assert not steps_back(war.m.state, unit("GE-01"), at("3018")) >> at("3017") & 1


@pytest.mark.rule("mw-20.0-h")
def test_storms_hamper_attacks_into_the_soviet_union_and_finland():
    war = Position("anti-comintern-war").put("PL-CAV", "3811").put("SU-1", "3911").put("SU-2", "3910").storm()
    named = {m.name: m.value for m in shifts(war.m, at("3911"), numbers("PL-CAV"), numbers("SU-1"))}
    assert named["storm"] == -1
    at_home = {m.name for m in shifts(war.m, at("3911"), numbers("SU-2"), numbers("PL-CAV"))}
    assert "storm" not in at_home
    out = {m.name for m in shifts(war.m, at("3811"), numbers("SU-1"), numbers("PL-CAV"))}
    assert "storm" not in out
    war.join("Finland", AXIS).put("FI-K", "4001").put("SU-3", "4002")
    assert "storm" in {m.name for m in shifts(war.m, at("4001"), numbers("SU-3"), numbers("FI-K"))}


@pytest.mark.rule("mw-12.3")
def test_units_that_retreated_into_a_hex_defend_it():
    war = fight(("GE-01", "2513"), ("GE-02", "2513"), ("CZ-2L1", "2514"), ("CZ-MOB", "2515"))
    before = defense_strength(war.m, numbers("CZ-MOB"))
    from sandtable.games.munich_war.facts.board import enemy_at
    from sandtable.games.munich_war.rules.retreat import withdraw_along

    withdraw_along(war.m, unit("CZ-2L1"), (at("2515"),))
    assert defense_strength(war.m, enemy_at(war.m.state, AXIS, at("2515"))) == before + 2
    assert ALLIES == 1
