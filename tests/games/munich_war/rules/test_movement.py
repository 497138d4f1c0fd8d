"""Chapter 8: land movement, with entrenchments and mountains (19) and storms (20)."""

import itertools

import pytest

from sandtable.games.munich_war.facts.board import board
from sandtable.games.munich_war.facts.railroads import rail_rings
from sandtable.games.munich_war.facts.reach import allowance, levels, path_to, reach
from sandtable.games.munich_war.model.actions import Done, EnterMap, LeaveMap, Move, Rail
from sandtable.games.munich_war.model.atlas import ALLIES, ATLAS, AXIS, NOBODY
from sandtable.games.munich_war.model.events import Moved
from sandtable.games.munich_war.rules.movement import costs
from sandtable.games.munich_war.rules.movement_phase import Movement
from tests.games.munich_war.positions import Position, at, country, names, unit


def cost(war: Position, name: str, place: str) -> str:
    return costs(war.state, unit(name))[at(place)]


def moving(*units: tuple[str, str], side: int = AXIS, scenario: str = "general-war", **options: bool) -> Position:
    war = Position(scenario, **options)
    for name, place in units:
        war.put(name, place)
    return war.phase(Movement(side))


@pytest.mark.rule("mw-8.0-a")
def test_any_number_of_units_may_move_or_none():
    war = moving(("GE-01", "2511"), ("GE-02", "2511"))
    war.do(Move("GE-01", "2412"))
    war.do(Move("GE-02", "2411"))
    assert war.allows(Done())
    assert moving(("GE-01", "2511")).allows(Done())


@pytest.mark.rule("mw-8.0-b", "mw-8.0-c")
def test_mobile_units_move_static_units_do_not():
    war = moving(("GE-01", "2511"), ("GE-F1", "2511"), ("GE-OQ", "2711"))
    assert war.allows(Move("GE-01", "2512"))
    assert war.refused(Move("GE-F1", "2512")).rule == "mw-8.0-c"
    assert war.refused(Move("GE-OQ", "2712")).rule == "mw-8.0-c"


@pytest.mark.rule("mw-8.0-d")
def test_movement_goes_in_every_direction():
    war = moving(("GE-07", "2410"))
    assert {"2309", "2310", "2409", "2411", "2509", "2510"} <= names(reach(war.m.state, unit("GE-07")))
    assert war.refused(Move("GE-07", "2609")).reason == "sea-hex"


@pytest.mark.rule("mw-8.1-a", "mw-8.4-a")
def test_clear_terrain_costs_one_and_a_path_adds_up():
    war = moving(("GE-07", "2410"))
    assert cost(war, "GE-07", "2310") == "1"
    assert war.refused(Move("GE-07", "2414")).reason == "too-far"
    war.do(Move("GE-07", "2310"))
    assert war.state.spent == 2
    war.do(Move("GE-07", "2410"))  # it goes on from where it is
    war.do(Move("GE-07", "2411"))
    assert war.refused(Move("GE-07", "2412")).rule == "mw-8.2-b"  # three factors are spent


@pytest.mark.rule("mw-8.1-b", "mw-8.4-b", "mw-table-tec")
def test_terrain_costs_by_class():
    war = moving(("GE-07", "3210"), ("GE-16", "3210"))
    assert (cost(war, "GE-07", "3310"), cost(war, "GE-16", "3310")) == ("1", "2")  # forest
    war = moving(("GE-07", "2512"), ("GE-16", "2618"), ("GE-08", "2618"))
    assert (cost(war, "GE-08", "2518"), cost(war, "GE-16", "2518")) == ("2", "3")  # rough
    war = moving(("PL-CAV", "3713"), side=ALLIES)
    assert cost(war, "PL-CAV", "3813") == "2"  # marsh


@pytest.mark.rule("mw-8.2-b")
def test_a_finished_move_is_final():
    war = moving(("GE-01", "2511"), ("GE-02", "2511"))
    war.do(Move("GE-01", "2410"))
    war.do(Move("GE-02", "2412"))
    assert war.refused(Move("GE-01", "2409")).rule == "mw-8.2-b"


@pytest.mark.rule("mw-8.2-c")
def test_factors_are_neither_saved_nor_lent():
    war = moving(("GE-07", "2410"), ("GE-08", "2410"))
    war.do(Move("GE-07", "2310"))
    assert allowance(war.m.state, unit("GE-08")) == 6
    war.do(Done())
    again = war.phase(Movement(AXIS))
    assert allowance(again.state, unit("GE-07")) == 6
    assert again.state.spent == 0


@pytest.mark.rule("mw-8.2-d")
def test_no_entry_where_an_enemy_stands():
    war = moving(("GE-01", "2513"), ("CZ-F1", "2614"))
    assert war.refused(Move("GE-01", "2614")).rule == "mw-8.2-d"


@pytest.mark.rule("mw-8.2-e", "mw-9.1-b")
def test_pass_through_other_nations_but_do_not_stay():
    war = moving(("GE-16", "2718"), ("HU-1", "2819"))
    assert war.refused(Move("GE-16", "2819")).rule == "mw-8.2-e"
    assert cost(war, "GE-16", "2819") == "½"  # passing costs nothing extra
    assert war.allows(Move("GE-16", "2918"))
    assert war.allows(Move("HU-1", "2918"))


@pytest.mark.rule("mw-8.3")
def test_every_unit_may_move_one_hex_whatever_it_costs():
    war = Position().put("GE-SP", "2518").put("CZ-2L3", "2416", steps=1)
    war.put("GE-16", "2414").state.storm = False
    war.phase(Movement(AXIS))
    assert ATLAS.units[unit("GE-SP")].move == 2
    # rough ground behind a river costs a second-line corps three of its two factors
    assert ATLAS.step_cost(1, False, at("2518"), at("2519")) == 6
    assert war.allows(Move("GE-SP", "2519"))
    war.do(Move("GE-SP", "2519"))
    assert not war.allows(Move("GE-SP", "2520"))


@pytest.mark.rule("mw-8.3-note")
def test_the_minimum_move_respects_zones_and_prohibited_hexes():
    war = moving(("GE-SP", "2518"), ("CZ-1", "2619"), ("CZ-2", "2520"))
    assert war.zoc(ALLIES, "2518")
    assert war.refused(Move("GE-SP", "2519")).rule == "mw-10.3-c"
    war = moving(("GE-SP", "2518"))
    assert war.refused(Move("GE-SP", "2419")).rule == "mw-19.0-mountain"


@pytest.mark.rule("mw-8.4-c")
def test_a_river_adds_to_the_hex():
    war = moving(("GE-07", "2611"))
    assert cost(war, "GE-07", "2510") == "2"  # forest, one, behind the Oder


@pytest.mark.rule("mw-8.5-a", "mw-8.6-note", "mw-8.6-example")
def test_roads_along_railroads_cost_half_everywhere():
    war = moving(("GE-07", "2511"))
    assert cost(war, "GE-07", "2512") == "½"
    assert cost(war, "GE-07", "2513") == "1"
    war = moving(("GE-07", "1214"))  # in France too
    assert cost(war, "GE-07", "1213") == "½"
    assert war.refused(Rail("GE-07", "1213")).rule == "mw-8.6-a"


@pytest.mark.rule("mw-8.5-b")
def test_a_railroad_cancels_terrain_mountains_included():
    war = moving(("GE-07", "2117"))
    assert cost(war, "GE-07", "2118") == "½"  # Innsbruck in the mountains
    assert war.allows(Move("GE-07", "2118"))


@pytest.mark.rule("mw-8.5-c")
def test_a_bridge_cancels_the_rivers_cost():
    war = moving(("GE-07", "2511"))
    assert ATLAS.hexside[at("2511"), at("2612")] == "bridge"
    assert cost(war, "GE-07", "2612") == "½"


@pytest.mark.rule("mw-8.6-a")
def test_rail_goes_any_distance_in_its_own_country():
    war = moving(("GE-07", "2511"), ("GE-08", "1214"))
    war.own(AXIS, "1214", "1213")
    assert war.allows(Rail("GE-07", "1715"))
    assert war.refused(Rail("GE-07", "3212")).rule == "mw-8.6-a"
    assert war.refused(Rail("GE-08", "1213")).rule == "mw-8.6-a"


@pytest.mark.rule("mw-8.6-b")
def test_rail_starts_on_a_railroad():
    war = moving(("GE-07", "2410"))
    assert war.refused(Rail("GE-07", "2511")).rule == "mw-8.6-b"


@pytest.mark.rule("mw-8.6-c", "mw-14.6-c")
def test_rail_starts_in_supply():
    war = Position().put("GE-20", "2513").terror("2511", "2312", "2814", "2717", "2117", "2109", "1812", "3209")
    war.terror("2208", "2409", "2610")  # the Baltic ports
    war.phase(Movement(AXIS))
    assert war.refused(Rail("GE-20", "2512")).rule == "mw-14.6-c"
    fed = moving(("GE-20", "2513"))
    assert fed.allows(Rail("GE-20", "2512"))


@pytest.mark.rule("mw-8.6-c")
def test_supply_for_the_railroad_is_that_of_the_start_of_the_phase():
    sources = ("2511", "2312", "2814", "2717", "2117", "2109", "1812", "3209", "2208", "2409", "2610")
    late = Position().put("GE-20", "2513").phase(Movement(AXIS)).terror(*sources)
    assert late.allows(Rail("GE-20", "2512"))  # cut off since
    war = Position().put("GE-20", "2513").terror(*sources).phase(Movement(AXIS))
    war.put("GE-LT", "2513")  # fed since
    assert war.refused(Rail("GE-20", "2512")).rule == "mw-14.6-c"
    assert ("GE-20", "2512") not in {(action.unit, action.to) for action in war.offered(Rail)}
    war.do(Done())
    assert not war.state.flags[unit("GE-20")]


@pytest.mark.rule("mw-8.6-c")
def test_rail_may_cross_unsupplied_hexes():
    """A train goes through Dresden although nobody there could trace a line of supply."""
    war = moving(("GE-07", "2511"), ("CZ-1", "2514"))
    war.own(AXIS, "2513")
    assert war.zoc(ALLIES, "2513")
    assert war.allows(Rail("GE-07", "2513"))


@pytest.mark.rule("mw-8.6-d", "mw-8.6-e")
def test_rail_out_of_a_zone_and_into_one():
    war = moving(("GE-07", "2513"), ("CZ-1", "2514"))
    assert war.allows(Rail("GE-07", "2511"))
    war = moving(("GE-07", "2312"), ("CZ-1", "2414"))
    assert war.zoc(ALLIES, "2413")
    assert war.allows(Rail("GE-07", "2413"))
    (moved,) = war.do(Rail("GE-07", "2513"))
    assert moved.path == ("2312", "2412", "2511", "2512", "2513")  # not straight on through the zone at 2413


@pytest.mark.rule("mw-8.6-a")
def test_no_trains_through_enemy_controlled_hexes():
    war = moving(("GE-07", "2511")).own(ALLIES, "2513")
    assert war.controls(ALLIES, "2513")
    assert war.refused(Rail("GE-07", "2513")).rule == "mw-8.6-a"
    assert war.allows(Rail("GE-07", "2413"))  # by Leipzig


@pytest.mark.rule("mw-8.6-f")
def test_rail_and_road_do_not_mix():
    war = moving(("GE-07", "2511"), ("GE-08", "2511"))
    war.do(Rail("GE-07", "2513"))
    assert war.refused(Move("GE-07", "2512")).rule == "mw-8.2-b"
    war.do(Move("GE-08", "2512"))
    assert war.refused(Rail("GE-08", "2513")).rule == "mw-8.6-f"


@pytest.mark.rule("mw-8.6-g")
def test_terrain_means_nothing_to_trains():
    war = moving(("GE-16", "2118"))
    assert war.allows(Rail("GE-16", "2619"))  # out of the mountains, over rivers and rough ground


@pytest.mark.rule("mw-8.6.2")
def test_capacities_per_turn():
    wanted = {"Germany": 4, "France": 3, "Great Britain": 3, "Soviet Union": 3, "Italy": 2, "Poland": 2, "Hungary": 1,
              "Czechoslovakia": 1, "Romania": 1, "Yugoslavia": 1, "Belgium": 1, "Finland": 1}  # fmt: skip
    assert {name: ATLAS.countries[country(name)].rail_capacity for name in wanted} == wanted
    war = moving(("HU-1", "3019"), ("HU-C", "3019"))
    war.do(Rail("HU-1", "3020"))
    assert war.refused(Rail("HU-C", "3020")).rule == "mw-8.6.2"


def soviets(*units: tuple[str, str]) -> Position:
    war = Position("anti-comintern-war")
    for name, place in units:
        war.put(name, place)
    return war.phase(Movement(ALLIES))


@pytest.mark.rule("mw-8.6.1-a", "mw-8.6.1-c")
def test_soviets_leave_by_the_east_edge():
    war = soviets(("SU-1", "4214"), ("SU-2", "4515"), ("CZ-1", "2515"))
    war.do(LeaveMap("SU-1"))
    assert war.where("SU-1") == "off-map"
    assert war.state.rail_used[country("Soviet Union")] == 1
    assert not war.allows(EnterMap("SU-1", "4506"))

    assert not any(unit("SU-1") in stack for stack in board(war.m.state).stacks.values())
    assert war.refused(LeaveMap("CZ-1")).rule == "mw-8.6.1-a"


@pytest.mark.rule("mw-8.6.1-a")
@pytest.mark.parametrize(("start", "gate"), [("4214", "4506"), ("4515", "4515")])
def test_a_train_rolls_to_a_gate_before_it_leaves(start, gate):
    war = soviets(("SU-1", start))
    (event,) = [event for event in war.do(LeaveMap("SU-1")) if isinstance(event, Moved)]
    assert event.path == (gate,)


@pytest.mark.rule("mw-8.6.1-b")
def test_soviets_return_next_turn_by_any_east_rail_line():
    war = soviets(("SU-1", "off-map"), ("GE-01", "4410"))
    assert {"4506", "4507", "4510", "4513", "4515", "4516", "4519"} <= {a.to for a in war.offered(EnterMap)}
    assert war.zoc(AXIS, "4510")
    onward = {action.to for action in war.offered(EnterMap)}
    assert "4408" in onward  # on by rail
    assert "4511" not in onward  # no railroad there
    war.do(EnterMap("SU-1", "4506"))
    assert war.where("SU-1") == "4506"
    assert war.state.rail_used[country("Soviet Union")] == 1


@pytest.mark.rule("mw-8.6.1-b")
def test_entering_a_zone_stops_the_train():
    war = soviets(("SU-1", "off-map"), ("GE-01", "4410"))
    assert war.zoc(AXIS, "4510")
    assert rail_rings(war.state, unit("SU-1"), 1 << at("4510")) == (1 << at("4510"),)
    assert len(rail_rings(war.state, unit("SU-1"), 1 << at("4506"))) > 2


@pytest.mark.rule("mw-19.0-mountain")
def test_mountains_are_for_alpine_units_and_railroads():
    war = moving(("GE-07", "2318"), ("GE-GEB", "2318"), ("GE-16", "2518"))
    assert war.refused(Move("GE-07", "2219")).rule == "mw-19.0-mountain"
    assert war.allows(Move("GE-GEB", "2219"))
    assert war.allows(Move("GE-07", "2319"))  # along the railroad
    war.put("CZ-1", "2419")
    assert war.zoc(ALLIES, "2518")
    assert war.zoc(ALLIES, "2319")


@pytest.mark.rule("mw-19.0-trench-a")
def test_enemy_entrenchments_cost_one_more():
    war = moving(("GE-07", "2517"), ("GE-08", "1814"))
    assert cost(war, "GE-07", "2516") == "2"  # clear, entrenched, Czech
    assert cost(war, "GE-08", "1713") == "3"  # rough beyond a river, German: nothing extra
    war = moving(("PL-LOD", "2713"), ("FR-1", "1815"), side=ALLIES)
    assert cost(war, "FR-1", "1714") == "2"


@pytest.mark.rule("mw-20.0-g")
def test_storms_slow_the_soviet_union():
    war = Position("anti-comintern-war").put("PL-CAV", "4011").put("PL-KAR", "3212").put("GE-16", "4011")
    war.phase(Movement(AXIS))
    war.storm().phase(Movement(AXIS))
    clear = [place for place in names(ATLAS.neighbours(at("4011"))) if (at("4011"), at(place)) not in ATLAS.rail_links]
    roads = [place for place in names(ATLAS.neighbours(at("4011"))) if (at("4011"), at(place)) in ATLAS.rail_links]
    for place in clear:
        face = ATLAS.face(at(place))
        dry = (at("4011"), at(place)) not in ATLAS.wet_sides and not ATLAS.trenches >> at(place) & 1
        if face["terrain"] in ("clear", "forest") and dry:
            assert cost(war, "PL-CAV", place) == "2"
    assert roads
    for place in roads:
        assert cost(war, "PL-CAV", place) == "1"
    assert cost(war, "PL-KAR", "3213") == "½"  # Poland is spared


@pytest.mark.rule("mw-8.2-f")
def test_advance_and_retreat_cost_no_factors():
    from sandtable.games.munich_war.rules.retreat import withdraw_along

    war = moving(("GE-07", "2513"))
    withdraw_along(war.m, unit("GE-07"), (at("2512"), at("2511")))
    assert (war.where("GE-07"), war.state.moving, war.state.spent) == ("2511", NOBODY, 0)
    assert allowance(war.m.state, unit("GE-07")) == 6


def test_levels_and_paths_agree():
    """Whatever the levels say can be reached has a path of just that cost."""

    war = Position().put("GE-16", "2513").put("CZ-1", "2515").put("PL-LOD", "2913")
    for name in ("GE-16",):
        for spent, level in enumerate(levels(war.m.state, unit(name))):
            for place in names(level):
                path = path_to(war.m.state, unit(name), at(place))
                total = 0
                for here, there in itertools.pairwise(path):
                    step = ATLAS.step_cost(ATLAS.units[unit(name)].terrain, False, here, there)
                    assert step is not None
                    total += step + (2 if ATLAS.trenches >> there & 1 and ATLAS.country_of[there] != 0 else 0)
                assert total == spent or len(path) == 2


@pytest.mark.rule("mw-8.6-d", "mw-10.3-c")
def test_a_train_leaves_an_enemy_zone_only_for_a_hex_without_one():
    war = Position().put("GE-07", "2513").put("CZ-1", "2614").phase(Movement(AXIS))  # 2613 is in its zone too
    assert war.refused(Rail("GE-07", "2613")).rule == "mw-10.3-c"
    assert war.allows(Rail("GE-07", "2512"))
    war = Position().put("GE-07", "2513").put("CZ-1", "2514").phase(Movement(AXIS))  # only 2513 is
    assert war.allows(Rail("GE-07", "2613"))
