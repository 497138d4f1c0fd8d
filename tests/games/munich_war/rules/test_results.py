"""The combat results, chapter 12 (retreat) and chapter 13 (advance and pursuit)."""

import pytest

from sandtable.games.munich_war.facts.retreats import all_paths, best_paths, steps_back
from sandtable.games.munich_war.model.actions import Advance, Done, Lose, Retreat, Stand
from sandtable.games.munich_war.model.atlas import ALLIES, ATLAS, AXIS
from sandtable.games.munich_war.model.state import Battle
from sandtable.games.munich_war.rules.advance import may_pursue, paths
from sandtable.games.munich_war.rules.advance_phase import Pursuit
from sandtable.games.munich_war.rules.results_phase import carry_out
from sandtable.games.munich_war.rules.retreat_phase import RetreatAll
from sandtable.games.munich_war.sequence import Skip
from tests.games.munich_war.positions import Position, at, names, unit


def battle(result: str, attackers: dict[str, str], defenders: dict[str, str], table: str = "assault") -> Position:
    """A battle whose die has fallen: the result is about to be carried out."""
    war = Position()
    for name, place in {**attackers, **defenders}.items():
        war.put(name, place)
    target = next(iter(defenders.values()))
    units = tuple(unit(name) for name in attackers)
    hexes = tuple({at(place) for place in (*attackers.values(), target)})
    war.state.battle = Battle(at(target), units, table, hexes, result=result, defenders=tuple(map(unit, defenders)))
    war.state.phasing = AXIS
    war.phase(_Result(AXIS))
    return war


class _Result(Skip, frozen=True, tag="test.result"):
    side: int = AXIS

    def run(self, m):
        carry_out(m, self.side)


ONE = {"GE-01": "2513", "GE-02": "2513"}
TWO = {"CZ-MOB": "2514", "CZ-2L1": "2514"}


@pytest.mark.rule("mw-crt-aa")
def test_attacker_attrition():
    war = battle("AA", ONE, TWO)
    war.do(Lose("GE-02"))
    assert (war.steps("GE-01"), war.steps("GE-02"), war.steps("CZ-MOB")) == (2, 1, 2)


@pytest.mark.rule("mw-crt-ad")
def test_attacker_defeated():
    war = battle("AD", {"GE-01": "2513", "GE-SP": "2513"}, TWO)
    assert (war.steps("GE-01"), war.where("GE-SP")) == (1, "eliminated")
    assert war.asked == "axis"
    war.do(Retreat("GE-01", ("2512",)))
    assert war.where("GE-01") == "2512"


@pytest.mark.rule("mw-crt-ap", "mw-12.0-c")
def test_attacker_panics():
    war = battle("AP", {"GE-01": "2513"}, TWO)
    assert {len(action.path) for action in war.offered(Retreat)} == {2}
    war.do(Retreat("GE-01", ("2512", "2511")))
    assert (war.where("GE-01"), war.steps("GE-01")) == ("2511", 2)


@pytest.mark.rule("mw-crt-as")
def test_attack_stalls():
    war = battle("AS", ONE, TWO).finish_battle()
    assert [war.where(name) for name in (*ONE, *TWO)] == ["2513", "2513", "2514", "2514"]
    assert all(war.steps(name) == ATLAS.units[unit(name)].steps for name in (*ONE, *TWO))


@pytest.mark.rule("mw-crt-aw", "mw-12.0-a")
def test_attacker_withdraws():
    war = battle("AW", ONE, TWO)
    assert war.match.decisions() == ("axis",)
    war.do(Retreat("GE-01", ("2512",)))
    war.do(Retreat("GE-02", ("2613",)))  # each unit goes its own way
    assert (war.where("GE-01"), war.where("GE-02")) == ("2512", "2613")


@pytest.mark.rule("mw-crt-az")
def test_attacker_disaster():
    war = battle("AZ", ONE, TWO)
    assert (war.where("GE-01"), war.where("GE-02")) == ("eliminated", "eliminated")
    assert war.where("CZ-MOB") == "2514"


@pytest.mark.rule("mw-crt-bb")
def test_bloodbath_counts_defending_units():
    war = battle("BB", {**ONE, "GE-03": "2414"}, TWO)
    assert (war.steps("CZ-MOB"), war.where("CZ-2L1")) == (1, "eliminated")
    war.do(Lose("GE-01"))
    war.do(Lose("GE-03"))
    assert [war.steps(name) for name in ("GE-01", "GE-02", "GE-03")] == [1, 2, 1]
    assert war.where("CZ-MOB") == "2514"  # not cleared: nobody advances
    war = battle("BB", {**ONE, "GE-03": "2414"}, {"CZ-2L1": "2514"})
    war.do(Lose("GE-01"))
    assert war.offers_any(Advance)


@pytest.mark.rule("mw-crt-da")
def test_defender_attrition():
    war = battle("DA", ONE, TWO)
    assert war.asked == "allies"
    war.do(Lose("CZ-MOB"))
    assert (war.steps("CZ-MOB"), war.where("CZ-2L1")) == (1, "2514")
    war = battle("DA", ONE, {"CZ-2L1": "2514"})
    assert war.where("CZ-2L1") == "eliminated"
    assert war.offers_any(Advance)


@pytest.mark.rule("mw-crt-dd", "mw-13.0-a")
def test_defender_defeated():
    war = battle("DD", ONE, TWO)
    assert (war.steps("CZ-MOB"), war.where("CZ-2L1"), war.asked) == (1, "eliminated", "allies")
    war.do(Retreat("CZ-MOB", ("2515",)))
    assert war.asked == "axis"
    war.do(Advance("GE-01", ("2514",)))
    assert war.allows(Done())
    war.do(Done())
    assert (war.where("GE-01"), war.where("GE-02")) == ("2514", "2513")


@pytest.mark.rule("mw-crt-dp")
def test_defender_panics():
    war = battle("DP", ONE, {"CZ-MOB": "2514"})
    war.do(Retreat("CZ-MOB", ("2615", "2616")))
    assert (war.where("CZ-MOB"), war.steps("CZ-MOB")) == ("2616", 2)
    assert war.offers_any(Advance)


@pytest.mark.rule("mw-crt-dw")
def test_defender_withdraws():
    war = battle("DW", ONE, {"CZ-MOB": "2514"})
    war.do(Retreat("CZ-MOB", ("2515",)))
    assert (war.where("CZ-MOB"), war.steps("CZ-MOB")) == ("2515", 2)
    assert war.offers_any(Advance)


@pytest.mark.rule("mw-crt-dz")
def test_defender_disaster():
    war = battle("DZ", ONE, TWO)
    assert (war.where("CZ-MOB"), war.where("CZ-2L1")) == ("eliminated", "eliminated")
    assert war.offers_any(Advance)


@pytest.mark.rule("mw-crt-ma")
def test_mobile_assault():
    war = battle("MA", {"GE-16": "2513"}, TWO, table="mobile")
    war.do(Lose("CZ-2L1"))
    assert war.where("CZ-2L1") == "eliminated"
    war.do(Retreat("CZ-MOB", ("2515",)))
    assert war.steps("CZ-MOB") == 2
    assert war.offers_any(Advance)


@pytest.mark.rule("mw-crt-md")
def test_mobile_defense():
    war = battle("MD", {"GE-16": "2513", "GE-01": "2513"}, {"CZ-MOB": "2514"}, table="mobile")
    assert (war.steps("GE-16"), war.steps("GE-01")) == (1, 2)
    war.do(Retreat("CZ-MOB", ("2515",)))
    assert war.allows(Advance("GE-16", ("2514",)))


@pytest.mark.rule("mw-crt-or", "mw-12.0-c")
def test_overrun():
    war = battle("OR", {"GE-16": "2513"}, {"CZ-MOB": "2514"}, table="mobile")
    assert war.steps("CZ-MOB") == 1
    assert {len(action.path) for action in war.offered(Retreat)} == {3}


@pytest.mark.rule("mw-11.16-b", "mw-crt-bb")
def test_losses_on_the_mobile_table_hit_tanks_first():
    war = battle("AA", {"GE-16": "2513", "GE-01": "2513"}, TWO, table="mobile")
    assert (war.steps("GE-16"), war.steps("GE-01")) == (1, 2)


# ---- retreat (12)
def retreating(side: int, distance: int, *units: tuple[str, str]) -> Position:
    """The first unit must retreat."""
    war = Position()
    for name, place in units:
        war.put(name, place)
    return war.phase(RetreatAll(side, (unit(units[0][0]),), distance), AXIS)


@pytest.mark.rule("mw-12.0-b")
def test_retreat_counts_hexes_not_factors_and_units_go_one_by_one():
    war = Position().put("CZ-2L1", "2514").put("CZ-MOB", "2514")
    assert ATLAS.units[unit("CZ-2L1")].move == 2
    war.phase(RetreatAll(ALLIES, (unit("CZ-2L1"), unit("CZ-MOB")), 3), AXIS)
    war.do(Retreat("CZ-2L1", ("2515", "2516", "2617")))  # three hexes with two factors
    assert war.where("CZ-MOB") == "2514"


@pytest.mark.rule("mw-12.1-a")
def test_never_into_an_enemy():
    war = retreating(ALLIES, 1, ("CZ-MOB", "2514"), ("GE-F1", "2515"), ("GE-01", "2513"))
    assert war.refused(Retreat("CZ-MOB", ("2515",))).rule == "mw-12.1-a"


@pytest.mark.rule("mw-12.1-b")
def test_a_step_for_every_zone_entered():
    war = retreating(ALLIES, 1, ("CZ-MOB", "2515"), ("GE-01", "2414"), ("GE-02", "2417"), ("GE-03", "2714"),
                     ("GE-04", "2617"))  # fmt: skip
    assert all(war.zoc(AXIS, place) for place in ("2415", "2416", "2514", "2516", "2615", "2616"))
    war.do(Retreat("CZ-MOB", ("2616",)))
    assert war.steps("CZ-MOB") == 1


@pytest.mark.rule("mw-12.1-c", "mw-5.4-c")
def test_not_off_the_map_into_closed_ground_or_neutrals():
    war = Position().put("FR-CLM", "1017").put("GE-01", "1817").put("FR-1", "1311").put("GE-16", "2518")
    assert len(names(steps_back(war.m.state, unit("FR-CLM"), at("1017")))) < 6
    assert "1818" not in names(steps_back(war.m.state, unit("GE-01"), at("1817")))  # Switzerland
    assert "1211" not in names(steps_back(war.m.state, unit("FR-1"), at("1311")))  # the Channel
    assert "2419" not in names(steps_back(war.m.state, unit("GE-16"), at("2518")))  # mountains


@pytest.mark.rule("mw-12.1-d")
def test_through_friends_of_any_nation():
    war = retreating(AXIS, 2, ("GE-01", "2719"), ("HU-1", "2819"))
    assert ("2819", "2918") in {action.path for action in war.offered(Retreat)}
    war.do(Retreat("GE-01", ("2819", "2918")))
    assert (war.where("HU-1"), war.steps("HU-1")) == ("2819", 2)


@pytest.mark.rule("mw-12.1-e")
def test_an_overstacked_retreat_goes_on_or_ends_the_unit():
    war = retreating(ALLIES, 1, ("CZ-1", "2514"), ("CZ-2", "2515"), ("GE-01", "2413"))
    found = {tuple(ATLAS.hex_name[p] for p in path) for _, path in all_paths(war.m.state, unit("CZ-1"), 1)}
    assert ("2515",) not in found
    assert ("2515", "2516") in found
    assert war.refused(Retreat("CZ-1", ("2515",))).rule == "mw-12.1-e"
    jam = Position().put("GB-MC", "1211").put("GB-BEF", "1110").put("GB-CW", "1110").put("GB-TA", "1110")
    jam.put("GE-F1", "1010").put("GE-F2", "1011").put("GE-F3", "1109").put("GE-F4", "1210")
    jam.phase(RetreatAll(ALLIES, (unit("GB-MC"),), 1), AXIS)
    assert jam.where("GB-MC") == "eliminated"


@pytest.mark.rule("mw-12.1-f")
def test_no_doubling_back_and_no_half_retreats():
    war = retreating(ALLIES, 2, ("CZ-MOB", "2514"), ("GE-01", "2413"))
    assert war.refused(Retreat("CZ-MOB", ("2515", "2615"))).rule == "mw-12.1-f"
    assert war.refused(Retreat("CZ-MOB", ("2515",))).rule == "mw-12.1-f"
    cut = Position().put("GB-MC", "1211").put("GE-F1", "1010").put("GE-F2", "1011").put("GE-F3", "1109")
    cut.put("GE-F4", "1210").phase(RetreatAll(ALLIES, (unit("GB-MC"),), 2), AXIS)
    assert cut.where("GB-MC") == "eliminated"  # London, and no farther


@pytest.mark.rule("mw-12.1-g")
def test_a_safe_way_must_be_taken():
    war = retreating(ALLIES, 1, ("CZ-2L1", "2515"), ("GE-01", "2414"), ("GE-02", "2513"))
    assert war.zoc(AXIS, "2514")
    assert not war.zoc(AXIS, "2516")
    assert war.refused(Retreat("CZ-2L1", ("2514",))).rule == "mw-12.1-g"
    assert war.allows(Retreat("CZ-2L1", ("2516",)))


@pytest.mark.rule("mw-12.1-g")
def test_a_free_hex_comes_before_one_that_a_friend_fills():
    """Running on through an army's hex is for units with no other way: not to spare a step in a zone."""
    war = retreating(ALLIES, 1, ("CZ-1", "2514"), ("CZ-2", "2515"), ("GE-01", "2414"), ("GE-02", "2614"))
    assert not war.zoc(AXIS, "2515")
    assert {action.path for action in war.offered(Retreat)} == {("2415",), ("2513",), ("2615",)}
    assert war.refused(Retreat("CZ-1", ("2515", "2516"))).rule == "mw-12.1-g"
    war.do(Retreat("CZ-1", ("2615",)))
    assert (war.where("CZ-1"), war.steps("CZ-1")) == ("2615", 1)


@pytest.mark.rule("mw-12.1-e", "mw-12.1-g")
def test_who_would_die_in_the_free_hex_runs_on_through_a_friend():
    war = Position().put("CZ-1", "2514", 1).put("CZ-2", "2515").put("GE-01", "2414").put("GE-02", "2614")
    war.phase(RetreatAll(ALLIES, (unit("CZ-1"),), 1), AXIS)
    assert {action.path for action in war.offered(Retreat)} == {("2515", "2416"), ("2515", "2516"), ("2515", "2616")}


@pytest.mark.rule("mw-19.0-mountain-b", "mw-8.2-f")
def test_railroads_take_nobody_into_mountains_after_combat():
    """A railroad helps those who move along it; an advance and a retreat are no moves."""
    war = battle("DZ", {"GE-01": "2917", "GE-GEB": "2917"}, {"CZ-2L1": "3017"})
    assert {action.unit for action in war.offered(Advance)} == {"GE-GEB"}
    refusal = war.refused(Advance("GE-01", ("3017",)))
    assert (refusal.rule, refusal.reason) == ("mw-19.0-mountain-b", "mountain-after-combat")
    back = retreating(ALLIES, 1, ("CZ-2L1", "2917"), ("GE-01", "2816"))
    assert "3017" in names(ATLAS.near[ATLAS.units[unit("CZ-2L1")].terrain][at("2917")])
    assert "3017" not in names(steps_back(back.state, unit("CZ-2L1"), at("2917")))
    assert back.refused(Retreat("CZ-2L1", ("3017",))).rule == "mw-19.0-mountain-b"


@pytest.mark.rule("mw-12.1-b", "mw-12.1-g")
def test_a_unit_that_no_way_leaves_alive_is_lost_without_asking():
    war = retreating(ALLIES, 1, ("CZ-2L1", "2515"), ("GE-01", "2414"), ("GE-02", "2417"), ("GE-03", "2714"),
                     ("GE-04", "2617"))  # fmt: skip
    assert war.where("CZ-2L1") == "eliminated"
    assert not war.offers_any(Retreat)


@pytest.mark.rule("mw-12.1-h", "mw-12.1-h-exception", "mw-12.2-a")
def test_guns_are_lost_and_forts_stay():
    war = Position().put("GE-F1", "2511").put("GE-OQ", "2711").put("GE-01", "2412")
    war.phase(RetreatAll(AXIS, (unit("GE-F1"), unit("GE-OQ"), unit("GE-01")), 1), AXIS)
    assert (war.where("GE-F1"), war.where("GE-OQ"), war.steps("GE-OQ")) == ("eliminated", "2711", 2)


@pytest.mark.rule("mw-12.2-b", "mw-19.0-fort")
def test_with_a_fort_units_may_stand():
    war = Position().put("CZ-F1", "2614").put("CZ-1", "2614").put("GE-01", "2613")
    war.phase(RetreatAll(ALLIES, (unit("CZ-1"),), 1), AXIS)
    assert war.allows(Stand("CZ-1"))
    assert war.allows(Retreat("CZ-1", ("2515",))) is False  # two hexes away
    assert war.offers_any(Retreat)
    war.do(Stand("CZ-1"))
    assert war.where("CZ-1") == "2614"
    bare = Position().put("CZ-1", "2514").put("GE-01", "2513")
    bare.phase(RetreatAll(ALLIES, (unit("CZ-1"),), 1), AXIS)
    assert not bare.allows(Stand("CZ-1"))


@pytest.mark.rule("mw-12.2-c")
def test_only_attackers_from_the_fort_may_stand():
    war = Position().put("GE-KB", "3209").put("GE-01", "3209").put("GE-02", "3309").put("PL-LOD", "3210")
    war.phase(RetreatAll(AXIS, (unit("GE-01"), unit("GE-02")), 1), AXIS)
    assert war.allows(Stand("GE-01"))
    assert war.refused(Stand("GE-02")).rule == "mw-12.2-b"


@pytest.mark.rule("mw-12.2-d")
def test_when_the_fort_falls_the_others_must_go():
    war = battle("DD", {"GE-01": "2613", "GE-02": "2613"}, {"CZ-MOB": "2614", "CZ-F1": "2614"})
    assert war.allows(Stand("CZ-MOB"))
    war.put("CZ-F1", "2614", steps=1)
    fallen = Position().put("GE-01", "2613").put("CZ-MOB", "2614").put("CZ-F1", "2614", steps=1)
    units = (unit("CZ-F1"), unit("CZ-MOB"))
    fallen.state.battle = Battle(at("2614"), (unit("GE-01"),), "assault", (at("2613"), at("2614")), result="DD",
                                 defenders=units)  # fmt: skip
    fallen.phase(_Result(AXIS))
    assert fallen.where("CZ-F1") == "eliminated"
    assert not fallen.allows(Stand("CZ-MOB"))
    assert fallen.offers_any(Retreat)


@pytest.mark.rule("mw-12.2-e")
def test_a_fort_on_the_way_ends_a_retreat():
    war = Position().put("CZ-MOB", "2514").put("CZ-F1", "2614").put("GE-01", "2413")
    found = {tuple(ATLAS.hex_name[place] for place in path) for path in best_paths(war.m.state, unit("CZ-MOB"), 3)}
    assert ("2614",) in found
    assert ("2515",) not in found


@pytest.mark.rule("mw-19.0-trench-b")
def test_an_entrenchment_does_not_stop_a_retreat():
    war = Position().put("CZ-1", "2514").put("GE-01", "2513")
    war.phase(RetreatAll(ALLIES, (unit("CZ-1"),), 1), AXIS)
    assert ATLAS.trenches >> at("2514") & 1
    assert not war.offered(Stand)


# ---- advance (13)
def won(attackers: dict[str, str], target: str = "2514", table: str = "mobile", storm: bool = False) -> Position:
    """The defenders are gone."""
    war = Position()
    for name, place in attackers.items():
        war.put(name, place)
    if storm:
        war.storm()
    units = tuple(unit(name) for name in attackers)
    hexes = tuple({at(place) for place in (*attackers.values(), target)})
    war.state.battle = Battle(at(target), units, table, hexes, result="DZ")
    return war


@pytest.mark.rule("mw-13.0-a", "mw-13.0-b")
def test_all_some_or_none_advance_into_the_vacated_hex():
    war = won({"GE-01": "2513", "GE-02": "2513"}, table="assault").phase(Pursuit(AXIS))
    assert war.refused(Advance("GE-01", ("2614",))).rule == "mw-13.0-b"
    war.do(Advance("GE-01", ("2514",)))
    war.do(Advance("GE-02", ("2514",)))
    assert (war.where("GE-01"), war.where("GE-02")) == ("2514", "2514")
    none = won({"GE-01": "2513"}).phase(Pursuit(AXIS))
    assert none.allows(Done())


@pytest.mark.rule("mw-13.0-a")
def test_only_participants_advance():
    war = won({"GE-01": "2513"}).put("GE-02", "2513").phase(Pursuit(AXIS))
    assert war.refused(Advance("GE-02", ("2514",))).rule == "mw-13.0-a"


@pytest.mark.rule("mw-13.0-c")
def test_an_advance_ignores_zones_and_factors():
    war = won({"GE-01": "2513"}).put("CZ-1", "2515").put("CZ-2", "2615").phase(Pursuit(AXIS))
    war.do(Advance("GE-01", ("2514",)))
    assert (war.where("GE-01"), war.steps("GE-01"), war.state.spent) == ("2514", 2, 0)


@pytest.mark.rule("mw-13.0-d")
def test_no_advance_into_mountains_or_neutrals_nor_by_static_units():
    war = won({"GE-01": "3018"}, target="3017")
    assert paths(war.m, unit("GE-01"), at("3017")) == []
    war = won({"GE-16": "1713"}, target="1712")
    assert (at("1712"), at("1612")) not in paths(war.m, unit("GE-16"), at("1712"))
    war = won({"GE-01": "2513", "GE-F1": "2513"}).phase(Pursuit(AXIS))
    assert war.refused(Advance("GE-F1", ("2514",))).rule == "mw-13.0-d"


@pytest.mark.rule("mw-13.0-e")
def test_no_advance_while_an_enemy_holds_the_hex():
    war = won({"GE-01": "2513"}).put("CZ-F1", "2514").run(Pursuit(AXIS))
    assert not isinstance(war.state.stack[-1], Pursuit)


@pytest.mark.rule("mw-13.1-a", "mw-13.0-a-exception", "mw-2.5.1-plus")
def test_pursuit_needs_the_mobile_table_and_the_plus():
    war = won({"GE-16": "2513", "GE-14": "2513"}).phase(Pursuit(AXIS))
    assert war.allows(Advance("GE-16", ("2514", "2515")))
    assert war.refused(Advance("GE-14", ("2514", "2515"))).rule == "mw-13.1-a"
    assert war.refused(Advance("GE-16", ("2514", "2515", "2516"))).rule == "mw-13.1-a"
    war = won({"GE-16": "2513"}, table="assault").phase(Pursuit(AXIS))
    assert war.refused(Advance("GE-16", ("2514", "2515"))).rule == "mw-13.1-a"


@pytest.mark.rule("mw-13.1-b", "mw-13.1-c", "mw-13.1-d")
def test_the_second_hex_is_any_hex_without_an_enemy():
    war = won({"GE-16": "2513"}).put("CZ-F1", "2615").phase(Pursuit(AXIS))
    ways = {action.path for action in war.offered(Advance)}
    assert ways == {("2514",), ("2514", "2414"), ("2514", "2415"), ("2514", "2513"), ("2514", "2515"), ("2514", "2614")}
    assert war.refused(Advance("GE-16", ("2515",))).rule == "mw-13.0-b"
    assert war.refused(Advance("GE-16", ("2514", "2615"))).rule == "mw-13.1-c"


@pytest.mark.rule("mw-20.0-f")
def test_in_storms_an_advance_is_one_hex():
    war = won({"GE-16": "2513"}, storm=True).phase(Pursuit(AXIS))
    assert not may_pursue(war.m, unit("GE-16"))
    assert war.refused(Advance("GE-16", ("2514", "2515"))).rule == "mw-20.0-f"
    assert war.allows(Advance("GE-16", ("2514",)))
