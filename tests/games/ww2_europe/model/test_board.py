"""The map, its borders, features, terrain and limits."""

from __future__ import annotations

import pytest

from sandtable.core.columns import put, put_all
from sandtable.games.ww2_europe.facts.control import control_side, gate_shut, is_friendly
from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.model.atlas import ATLAS as A
from sandtable.games.ww2_europe.model.setup import begin
from sandtable.games.ww2_europe.rules.land import capture, entry_cost, new_owner, step_refusal
from sandtable.games.ww2_europe.rules.sea import sea_step_refusal
from sandtable.games.ww2_europe.rules.stacking import air_limit, ground_room, port_limit
from tests.games.ww2_europe.positions import Board, refusal_of, space

K = A.kinds


@pytest.mark.rule("w2e-powers")
def test_six_powers_on_two_sides():
    assert GAME.alliances == {"axis": ("germany", "italy"), "allies": ("france", "great_britain", "usa", "ussr")}
    assert set(GAME.roles) == {"germany", "italy", "france", "great_britain", "usa", "ussr"}


@pytest.mark.rule("w2e-start-1939")
def test_fall_1939_begins_with_germany_at_war_with_poland_france_and_britain():
    state = begin("fall-1939", {})
    war = {name for p, name in enumerate(A.powers) if state.status[p] == 1}
    assert war == {"germany", "france", "great_britain"}
    assert state.patron[A.minor_index["poland"]] == A.britain


@pytest.mark.rule("w2e-start-1941")
def test_spring_1941_begins_with_the_axis_facing_a_neutral_ussr():
    state = begin("spring-1941", {})
    assert {name for p, name in enumerate(A.powers) if state.status[p] == 1} == {"germany", "italy", "great_britain"}
    assert state.status[A.ussr] == 0
    german = [u for u, p in enumerate(state.power) if p == A.germany and state.space[u] == space("warsaw")]
    assert len(german) >= 5
    assert "france" not in GAME.roles_in("spring-1941")


@pytest.mark.rule("w2e-sea-uncontrolled", "w2e-land-status")
def test_land_has_one_controller_and_sea_none():
    for scenario in GAME.scenarios:
        state = begin(scenario, {})
        for number in range(len(A.names)):
            assert (0 <= state.owner[number] <= 6) == A.is_land[number]
        assert control_side(state, space("north_sea")) == -1
    broken = begin("fall-1939", {})
    broken.owner = put(broken.owner, space("north_sea"), 0)
    assert GAME.faults(broken)


@pytest.mark.rule("w2e-control-marker", "w2e-homeland", "w2e-colours")
def test_colour_tells_the_owner_until_a_marker_lies_there():
    from sandtable.games.ww2_europe.rules.land import COLOUR

    assert A.powers[COLOUR[space("berlin")]] == "germany"
    assert A.homeland[space("berlin")] == A.germany
    assert A.powers[COLOUR[space("bratislava")]] == "germany"
    assert A.homeland[space("bratislava")] == -1
    assert COLOUR[space("oslo")] == -1
    rows = [A.data["spaces"][A.names[capital]] for capital in A.capital]
    colours = {row["colour"].split(" (")[0]: name for row, name in zip(rows, A.powers, strict=True)}
    assert colours == {"grey": "germany", "light green": "italy", "blue": "france", "tan": "great_britain",
                       "green": "usa", "brown": "ussr"}  # fmt: skip
    board = Board()
    board.owner("germany", "warsaw")
    assert control_side(board.state, space("warsaw")) == 0


@pytest.mark.rule("w2e-control-rights")
def test_control_lets_its_owner_pass():
    board = Board()
    unit = board.put("germany", "infantry", "berlin")
    there = next(t for t, _, _ in A.land_links[space("berlin")] if board.state.owner[t] == A.germany)
    assert step_refusal(board.m.state, unit, space("berlin"), there, 0) is None
    board.state.owner = put(board.state.owner, there, 6)
    assert refusal_of(step_refusal(board.m.state, unit, space("berlin"), there, 0)) == "w2e-neutral-no-entry"


@pytest.mark.rule("w2e-control-ally-colour", "w2e-ussr-control")
def test_a_freed_space_returns_to_its_ally_but_the_ussr_keeps_what_it_takes():
    board = Board(war="usa ussr")
    assert new_owner(board.state, space("sedan"), A.britain) == A.france
    assert new_owner(board.state, space("sedan"), A.ussr) == A.ussr
    board.state.status = put(board.state.status, A.france, 2)
    assert new_owner(board.state, space("sedan"), A.britain) == A.britain


@pytest.mark.rule("w2e-border-black", "w2e-border-national", "w2e-movement-path")
def test_every_border_costs_one_point():
    board = Board()
    unit = board.put("germany", "infantry", "frankfurt")
    board.owner("germany", "liege", "sedan")
    assert step_refusal(board.m.state, unit, space("frankfurt"), space("liege"), 0) is None
    assert refusal_of(step_refusal(board.m.state, unit, space("liege"), space("sedan"), 1)) == "w2e-movement-path"
    links = {(row["a"], row["b"]): row for row in A.data["links"]}
    national = [row for row in links.values() if row["border"] == "national"]
    assert national
    assert all(row["cost"] == 1 for row in national)


@pytest.mark.rule("w2e-country-enclosure", "w2e-flag-shapes", "w2e-detached-spaces")
def test_countries_have_a_capital_with_a_flag():
    for power, capital in enumerate(A.capital):
        assert A.flag[capital] == 2, A.powers[power]
    for minor, capital in enumerate(A.minor_capital):
        if capital >= 0:
            assert A.flag[capital] == 1, A.minors[minor]
            assert capital in A.minor_spaces[minor]
    assert space("crete") in A.minor_spaces[A.minor_index["greece"]]
    assert A.minor_of[space("crete")] == A.minor_index["greece"]


@pytest.mark.rule("w2e-border-blue")
def test_a_blue_border_costs_five():
    links = {there: cost for there, cost, _ in A.sea_links[space("usa_port")]}
    assert links == {space("western_atlantic"): 5}


@pytest.mark.rule("w2e-blue-stacking")
def test_no_stack_limit_behind_a_blue_border():
    board = Board(war="usa")
    board.put("usa", "infantry", "usa", 30)
    assert ground_room(board.m.state, space("usa"), 1) > 100
    assert not GAME.faults(board.state)
    board.put("germany", "infantry", "berlin", 11)
    assert GAME.faults(board.state)


@pytest.mark.rule("w2e-factory-air", "w2e-major-flag-air", "w2e-minor-flag-air", "w2e-fortress-capacity",
                  "w2e-unit-airbase", "w2e-stack-air")  # fmt: skip
def test_what_bases_planes():
    board = Board()
    assert air_limit(board.m.state, space("hamburg")) == 10
    assert air_limit(board.m.state, space("berlin")) == 20
    assert air_limit(board.m.state, space("bratislava")) == 10
    assert air_limit(board.m.state, space("bir_el_gubi")) == 0
    board.put("italy", "airbase", "bir_el_gubi")
    assert air_limit(board.m.state, space("bir_el_gubi")) == 10
    board.state.fortress = put(board.state.fortress, space("hamburg"), 1)
    assert air_limit(board.m.state, space("hamburg")) == 20


@pytest.mark.rule("w2e-port-homeland-capacity", "w2e-port-regular-capacity", "w2e-stack-naval")
def test_what_ports_hold():
    board = Board()
    assert port_limit(board.state, space("hamburg_port")) > 1000
    assert port_limit(board.state, space("alexandria_port")) == 10
    board.state.fortress = put(board.state.fortress, space("alexandria"), 1)
    assert port_limit(board.state, space("alexandria_port")) == 20


@pytest.mark.rule("w2e-port-two-spaces")
def test_ships_use_only_friendly_ports():
    board = Board()
    assert is_friendly(board.state, space("hamburg_port"), A.germany)
    assert not is_friendly(board.state, space("london_port"), A.germany)
    assert refusal_of(sea_step_refusal(board.state, A.germany, space("london_port"), space("north_sea"))) == (
        "w2e-port-two-spaces"
    )
    assert A.land_of_port[space("hamburg_port")] == space("hamburg")


@pytest.mark.rule("w2e-multi-front-port")
def test_nobody_passes_a_two_front_port_that_is_not_friendly():
    board = Board(war="italy")
    assert refusal_of(sea_step_refusal(board.state, A.italy, space("gibraltar_port"), space("portuguese_coast"))) == (
        "w2e-multi-front-port"
    )
    assert sea_step_refusal(board.state, A.italy, space("portuguese_coast"), space("gibraltar_port")) is None


@pytest.mark.rule("w2e-strait-naval")
def test_an_enemy_bank_shuts_a_strait():
    board = Board(war="italy")
    assert refusal_of(sea_step_refusal(board.state, A.britain, space("tyrrhenian"), space("ionian_sea"))) == (
        "w2e-strait-naval"
    )
    assert sea_step_refusal(board.state, A.italy, space("tyrrhenian"), space("ionian_sea")) is None
    assert gate_shut(board.state, (space("sicily"), space("taranto")), 1)


@pytest.mark.rule("w2e-terrain-canal")
def test_the_canal_joins_two_seas_unless_the_enemy_holds_a_bank():
    board = Board()
    assert sea_step_refusal(board.state, A.britain, space("egyptian_sea"), space("red_sea")) is None
    board.owner("germany", "jerusalem")
    assert refusal_of(sea_step_refusal(board.state, A.britain, space("egyptian_sea"), space("red_sea"))) == (
        "w2e-terrain-canal"
    )


def rough(bit: int) -> int:
    return next(s for s in A.land if A.terrain[s] & bit)


@pytest.mark.rule("w2e-terrain-woodland", "w2e-terrain-mountain")
def test_tanks_pay_two_for_enemy_woods_and_mountains():
    board = Board()
    for bit in (1, 2):
        place = rough(bit)
        board.state.owner = put(board.state.owner, place, A.britain)
        assert entry_cost(board.state, K.tank, place, 0, 1) == 2
        assert entry_cost(board.state, K.mech, place, 0, 1) == 2
        assert entry_cost(board.state, K.infantry, place, 0, 1) == 1
        board.state.owner = put(board.state.owner, place, A.germany)
        assert entry_cost(board.state, K.tank, place, 0, 1) == 1


@pytest.mark.rule("w2e-terrain-desert", "w2e-terrain-impassable")
def test_tanks_do_not_enter_deserts_and_impassable_mountains():
    board = Board()
    for bit, rule in ((8, "w2e-terrain-desert"), (4, "w2e-terrain-impassable")):
        place = rough(bit)
        beside = A.land_links[place][0][0]
        board.state.owner = put_all(board.state.owner, (place, beside), A.germany)
        tank = board.put("germany", "tank", A.names[beside])
        foot = board.put("germany", "infantry", A.names[beside])
        assert refusal_of(step_refusal(board.m.state, tank, beside, place, 0)) == rule
        assert step_refusal(board.m.state, foot, beside, place, 0) is None


@pytest.mark.rule("w2e-stack-ground", "w2e-unit-attr-stack")
def test_ten_stack_points_of_ground_units_for_each_side():
    board = Board()
    board.put("germany", "infantry", "leipzig", 8)
    board.put("germany", "artillery", "leipzig")
    unit = board.put("germany", "infantry", "berlin")
    assert ground_room(board.m.state, space("leipzig"), 0) == 0
    assert ground_room(board.m.state, space("leipzig"), 1) == 10
    assert refusal_of(step_refusal(board.m.state, unit, space("berlin"), space("leipzig"), 0)) == "w2e-stack-ground"


@pytest.mark.rule("w2e-unit-ground")
def test_ground_units_cross_water_only_at_straits():
    board = Board(war="italy")
    unit = board.put("italy", "infantry", "sicily")
    assert step_refusal(board.m.state, unit, space("sicily"), space("taranto"), 0) is None
    assert refusal_of(step_refusal(board.m.state, unit, space("sicily"), space("sardinia"), 0)) == "w2e-unit-ground"


@pytest.mark.rule("w2e-flag-capture", "w2e-fortress-rules", "w2e-supply-captured", "w2e-unit-airbase-rules")
def test_capture_ends_flags_forts_depots_and_airbases_for_good():
    board = Board()
    place = space("warsaw")
    board.state.fortress = put(board.state.fortress, place, 1)
    board.state.depot = put(board.state.depot, place, 1)
    base = board.put("great_britain", "airbase", "warsaw")
    capture(board.m, place, A.germany)
    assert (board.state.fortress[place], board.state.depot[place], board.state.lost_flag[place]) == (0, 0, 1)
    assert not board.alive(base)
    capture(board.m, place, A.britain)
    assert board.state.lost_flag[place] == 1
    assert air_limit(board.m.state, place) == (10 if A.feature[place] == 1 else 0)


@pytest.mark.rule("w2e-unit-attributes", "w2e-unit-attr-build-time")
def test_every_unit_has_its_five_numbers():
    for kind in range(len(K.names)):
        assert K.cost[kind] > 0
        assert 1 <= K.build_time[kind] <= 4
        assert K.stack[kind] >= 0
        assert K.movement[kind] >= 0
        assert K.combat[kind] >= 0
    assert (K.cost[K.tank], K.combat[K.tank], K.movement[K.tank]) == (20, 3, 2)
