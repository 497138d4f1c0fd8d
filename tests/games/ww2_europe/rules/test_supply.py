"""Supply, convoys, Redeployment."""

from __future__ import annotations

import pytest

from sandtable.core.columns import put
from sandtable.games.ww2_europe.facts.convoy_routes import line_fault, ports_from
from sandtable.games.ww2_europe.facts.convoys import capacity, convoy_of
from sandtable.games.ww2_europe.facts.supply import fed
from sandtable.games.ww2_europe.facts.supply_net import supply_net
from sandtable.games.ww2_europe.model.actions import (
    CancelConvoy,
    Done,
    JoinConvoy,
    LeaveConvoy,
    Rail,
    Rebase,
    RemoveDepot,
    Reroute,
    Ship,
    StartConvoy,
    Steam,
)
from sandtable.games.ww2_europe.model.atlas import ATLAS as A
from sandtable.games.ww2_europe.model.state import CARRIED, CUT_OFF
from sandtable.games.ww2_europe.rules.convoy_phase import ConvoyPhase
from sandtable.games.ww2_europe.rules.redeployment import port_targets, rail_reach, rail_refusal, ussr_limit
from sandtable.games.ww2_europe.rules.redeployment_phase import Redeployment
from sandtable.games.ww2_europe.rules.supply_phase import SupplyCheck
from sandtable.games.ww2_europe.sequence import Season
from tests.games.ww2_europe.positions import Board, refusal_of, space

K = A.kinds


def cut_off(board: Board, unit: int) -> bool:
    group = A.group[board.state.power[unit]]
    return unit in fed(board.m.state, group).unfed


@pytest.mark.rule("w2e-major-flag-supply", "w2e-supply-sources", "w2e-supply-trace", "w2e-supply-none")
def test_a_major_flag_feeds_all_who_can_trace_to_it():
    board = Board()
    near = board.put("germany", "infantry", "hamburg", 10)
    assert not cut_off(board, near)
    board.owner("germany", "narvik")
    far = board.put("germany", "infantry", "narvik")
    assert cut_off(board, far)
    board.state.lost_flag = put(board.state.lost_flag, space("berlin"), 1)
    assert cut_off(board, near)


@pytest.mark.rule("w2e-minor-flag-supply", "w2e-minor-flag-source", "w2e-flag-capture")
def test_a_minor_flag_feeds_ten_points_inside_its_country():
    board = Board()
    for number in range(10):
        board.put("great_britain", "infantry", ("warsaw", "krakow")[number % 2])
    assert not fed(board.m.state, 1).unfed
    eleventh = board.put("great_britain", "infantry", "danzig")
    assert len(fed(board.m.state, 1).short) == 11  # one of them goes without, and its owner says which
    assert fed(board.m.state, 1, (eleventh,)).unfed == {eleventh}
    assert not fed(board.m.state, 1, (eleventh,)).short
    board.state.lost_flag = put(board.state.lost_flag, space("warsaw"), 1)
    assert len(fed(board.m.state, 1).unfed) == 11


@pytest.mark.rule("w2e-fortress-supply", "w2e-depot-supply")
def test_fortress_and_depot_feed_their_own_space_only():
    for column in ("fortress", "depot"):
        board = Board()
        board.state.lost_flag = put(board.state.lost_flag, space("warsaw"), 1)
        here, beside = (
            board.put("great_britain", "infantry", "krakow"),
            board.put("great_britain", "infantry", "warsaw"),
        )
        setattr(board.state, column, put(getattr(board.state, column), space("krakow"), 1))
        assert not cut_off(board, here)
        assert cut_off(board, beside)


@pytest.mark.rule("w2e-supply-trace")
def test_enemy_units_and_enemy_land_block_the_line_and_straits_do_not():
    board = Board(war="italy")
    unit = board.put("italy", "infantry", "sicily")
    assert not cut_off(board, unit)  # over the strait of Messina
    board.put("great_britain", "infantry", "taranto")
    assert cut_off(board, unit)


@pytest.mark.rule(
    "w2e-convoy-purpose", "w2e-convoy-capacity", "w2e-convoy-land-start", "w2e-convoy-land-end", "w2e-port-shipping"
)
def test_a_convoy_feeds_ten_points_for_each_transport():
    board = Board(war="italy")
    for _ in range(10):
        board.put("italy", "infantry", "tripoli")
    assert len(fed(board.m.state, 0).unfed) == 10
    number = board.convoy("italy", "taranto_port", "tyrrhenian", "gulf_of_gabes", "tripoli_port")
    assert not fed(board.m.state, 0).unfed
    inland = board.put("italy", "infantry", "benghazi")
    short = fed(board.m.state, 0).short
    assert inland in short
    assert len(short) == 11
    board.run(SupplyCheck())
    assert board.match.decisions() == ("italy",)
    convoy = convoy_of(board.state, number)
    assert convoy is not None
    assert capacity(board.state, convoy) == 10
    board.owner("great_britain", "tripoli")
    assert supply_net(board.m.state, 0).calls[number] == sorted({supply_net(board.m.state, 0).part[space("taranto")]})


@pytest.mark.rule("w2e-winter-cutoff", "w2e-terrain-desert", "w2e-terrain-impassable-build")
def test_cut_off_units_die_in_desert_mountains_and_winter():
    board = Board(war="ussr")
    dry = next(s for s in A.land if A.terrain[s] & 8)
    board.state.owner = put(board.state.owner, dry, A.italy)
    board.state.status = put(board.state.status, A.italy, 1)
    lost = board.put("italy", "infantry", A.names[dry])
    board.owner("germany", "kharkov")
    frozen = board.put("germany", "infantry", "kharkov")
    board.turn("fall 1941")
    board.run(SupplyCheck(True))
    assert not board.alive(lost)
    assert board.alive(frozen)
    assert board.state.flags[frozen] & CUT_OFF
    board.turn("winter 1941")
    board.run(SupplyCheck(True))
    assert not board.alive(frozen)


@pytest.mark.rule("w2e-ussr-separate")
def test_soviets_and_western_allies_do_not_feed_each_other():
    board = Board(war="ussr usa")
    board.owner("great_britain", "tehran", "abadan")
    unit = board.put("ussr", "infantry", "tehran")
    assert cut_off(board, unit)
    from sandtable.games.ww2_europe.rules.land import may_not_enter

    assert refusal_of(may_not_enter(board.state, A.ussr, space("tehran"))) == "w2e-ussr-separate"
    assert refusal_of(may_not_enter(board.state, A.britain, space("baku"))) == "w2e-ussr-separate"


# ---- Redeployment ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-redeploy-order", "w2e-convoy-order", "w2e-build-order", "w2e-buy", "w2e-sequence")
def test_the_order_of_phases_and_who_goes_first():
    board = Board()
    board.initiative(0)
    board.match.play.push(Season())
    board.match.play.step.run(board.m)
    steps = [(type(s).__name__, getattr(s, "side", None)) for s in reversed(board.state.stack)]
    wanted = ["Declarations", "Movement", "Combat", "Blitz", "Redeployment", "ConvoyPhase", "SlideBoxes", "Purchases",
              "CollectMoney", "Initiative"]  # fmt: skip
    order = [name for name, _ in steps if name in wanted]
    assert list(dict.fromkeys(order)) == wanted
    first = dict(reversed(steps))
    assert first["Redeployment"] == 1
    assert (first["ConvoyPhase"], first["SlideBoxes"], first["Purchases"], first["Blitz"]) == (0, 0, 0, 0)


@pytest.mark.rule("w2e-rp-ground", "w2e-redeploy-ground")
def test_one_point_takes_a_ground_unit_anywhere_over_friendly_land():
    board = Board()
    unit = board.put("germany", "infantry", "konigsberg")
    board.run(Redeployment(0))
    assert board.why("germany", Rail(board.name(unit), "berlin")) == "no-way"  # Danzig lies between
    board.owner("germany", "danzig")
    board.match.changed()
    board.do("germany", Rail(board.name(unit), "munich"))
    assert board.where(unit) == "munich"
    assert board.state.rps_used[A.germany] == 1
    assert board.why("germany", Rail(board.name(unit), "warsaw")) == "not-friendly"


@pytest.mark.rule("w2e-terrain-impassable")
def test_tanks_pass_impassable_mountains_by_rail_but_do_not_stop():
    board = Board()
    bern = space("bern")
    assert A.terrain[bern] & 4
    board.owner("germany", "bern")
    tank = board.put("germany", "tank", "munich")
    assert bern in rail_reach(board.m, tank)
    assert refusal_of(rail_refusal(board.m, tank, bern)) == "w2e-terrain-impassable"


@pytest.mark.rule("w2e-rp-air")
def test_one_point_takes_a_plane_to_a_base_in_range():
    board = Board()
    plane = board.put("germany", "fighter", "hamburg")
    board.run(Redeployment(0))
    board.do("germany", Rebase(board.name(plane), "essen"))
    assert board.where(plane) == "essen"
    board.do("germany", Rebase(board.name(plane), "munich"))
    assert board.state.rps_used[A.germany] == 2
    assert board.why("germany", Rebase(board.name(plane), "paris")) == "no-flight"


@pytest.mark.rule("w2e-rp-naval")
def test_one_point_takes_a_ship_to_a_port_within_ten():
    board = Board()
    ship = board.put("great_britain", "destroyer", "gibraltar_port")
    board.run(Redeployment(1))
    board.do("great_britain", Steam(board.name(ship), "malta_port"))
    assert board.where(ship) == "malta_port"
    assert board.state.rps_used[A.britain] == 1
    far = board.put("great_britain", "destroyer", "canada_port")
    assert space("alexandria_port") not in port_targets(board.m, far)


@pytest.mark.rule("w2e-redeploy-ground", "w2e-redeploy-transport-used", "w2e-unit-airbase-rules")
def test_units_go_by_transport_once_a_turn():
    board = Board(war="italy")
    ship, unit = board.put("italy", "transport", "naples_port"), board.put("italy", "infantry", "naples")
    base = board.put("italy", "airbase", "naples")
    used = board.put("italy", "transport", "naples_port", flags=CARRIED)
    board.run(Redeployment(0))
    action = Ship(board.name(used), board.name(unit), "sardinia")
    assert board.rule("italy", action) == "w2e-redeploy-transport-used"
    board.do("italy", Ship(board.name(ship), board.name(unit), "sardinia"))
    assert (board.where(unit), board.where(ship)) == ("sardinia", "sardinia_port")
    assert board.state.rps_used[A.italy] == 2
    board.do("italy", Rail(board.name(base), "rome"))
    assert board.where(base) == "rome"


@pytest.mark.rule("w2e-ussr-redeploy", "w2e-winter-redeploy")
def test_the_axis_moves_ten_ground_units_by_rail_in_the_ussr_five_in_winter():
    board = Board(war="ussr")
    board.owner("germany", "minsk", "smolensk", "brest_litovsk", "warsaw")
    unit = board.put("germany", "infantry", "minsk")
    board.turn("fall 1941")
    assert ussr_limit(board.state) == 10
    board.state.rail_in_ussr = 10
    assert refusal_of(rail_refusal(board.m, unit, space("smolensk"))) == "w2e-ussr-redeploy"
    board.turn("winter 1941")
    board.state.rail_in_ussr = 4
    assert rail_refusal(board.m, unit, space("smolensk")) is None
    board.state.rail_in_ussr = 5
    assert refusal_of(rail_refusal(board.m, unit, space("smolensk"))) == "w2e-winter-redeploy"


@pytest.mark.rule("w2e-depot-placement")
def test_a_depot_can_be_given_up_and_goes_when_supply_is_there():
    from sandtable.games.ww2_europe.rules.turn_end_phase import Depots

    board = Board()
    board.owner("great_britain", "oslo")
    board.state.depot = put(board.state.depot, space("oslo"), 1)
    board.state.lost_flag = put(board.state.lost_flag, space("oslo"), 1)
    board.run(Depots())
    assert board.state.depot[space("oslo")] == 1
    board.run(Redeployment(1))
    board.do("great_britain", RemoveDepot("oslo"))
    assert board.state.depot[space("oslo")] == 0
    board.state.depot = put(board.state.depot, space("bristol"), 1)
    board.run(Depots())
    assert board.state.depot[space("bristol")] == 0


# ---- the Convoy phase ------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-convoy-start", "w2e-convoy-phase", "w2e-convoy-add")
def test_a_convoy_is_started_with_a_transport_from_one_of_its_ports():
    board = Board(war="italy")
    ship = board.put("italy", "transport", "taranto_port")
    escort, far = board.put("italy", "destroyer", "taranto_port"), board.put("italy", "destroyer", "genoa_port")
    board.run(ConvoyPhase(0))
    board.do("italy", StartConvoy(board.name(ship), "taranto_port", "tripoli_port", ""))
    convoy = board.state.convoys[0]
    assert board.state.next_convoy == convoy.number + 1
    assert convoy.route[0] == space("taranto_port")
    assert convoy.route[-1] == space("tripoli_port")
    assert board.where(ship) == "convoy"
    assert board.state.rps_used[A.italy] == 0
    board.do("italy", JoinConvoy(board.name(escort), f"convoy {convoy.number}"))
    assert board.state.rps_used[A.italy] == 0
    board.do("italy", JoinConvoy(board.name(far), f"convoy {convoy.number}"))
    assert board.state.rps_used[A.italy] == 1


@pytest.mark.rule("w2e-convoy-sea-leg", "w2e-penalty-convoy")
def test_no_stretch_between_ports_costs_more_than_ten():
    board = Board()
    ports = ports_from(board.m.state, A.britain, space("canada_port"))
    assert space("glasgow_port") in ports
    assert board.state.owner[space("lisbon")] == 6
    assert space("lisbon_port") not in ports
    board.owner("germany", "brest", "bergen")
    board.put("germany", "submarine", "bergen_port", 12)
    board.put("germany", "destroyer", "brest_port", 12)
    number = board.convoy("great_britain", "bristol_port", "western_approaches", "portuguese_coast", "gibraltar_port")
    convoy = convoy_of(board.state, number)
    assert convoy is not None
    assert line_fault(board.m.state, convoy)


@pytest.mark.rule("w2e-convoy-remove", "w2e-convoy-cancel", "w2e-convoy-reroute")
def test_ships_leave_lines_are_redrawn_and_given_up():
    board = Board(war="italy")
    number = board.convoy(
        "italy", "taranto_port", "tyrrhenian", "gulf_of_gabes", "tripoli_port", transports=2, destroyers=1
    )
    ships = [u for u, c in enumerate(board.state.convoy) if c == number]
    board.run(ConvoyPhase(0))
    assert board.why("italy", LeaveConvoy(board.name(ships[2]), "genoa_port")) == "sandtable-not-available"
    board.do("italy", LeaveConvoy(board.name(ships[2]), "tripoli_port"))
    assert board.where(ships[2]) == "tripoli_port"
    board.do("italy", Reroute(f"convoy {number}", ""))
    convoy = convoy_of(board.state, number)
    assert convoy is not None
    assert convoy.route[-1] == space("tripoli_port")
    board.do("italy", CancelConvoy(f"convoy {number}", "taranto_port"))
    assert [board.where(u) for u in ships[:2]] == ["taranto_port"] * 2
    again = board.convoy("italy", "taranto_port", "tyrrhenian", "gulf_of_gabes", "tripoli_port", transports=1)
    last = next(u for u, c in enumerate(board.state.convoy) if c == again)
    board.match.changed()
    board.do("italy", LeaveConvoy(board.name(last), "tripoli_port"))
    assert convoy_of(board.state, again) is None


@pytest.mark.rule("w2e-convoy-cancel")
def test_a_line_that_is_no_longer_legal_is_given_up():
    board = Board(war="italy")
    number = board.convoy("italy", "taranto_port", "tyrrhenian", "gulf_of_gabes", "tripoli_port")
    board.owner("great_britain", "tripoli")
    board.run(ConvoyPhase(0))
    while isinstance(board.match.step, ConvoyPhase):
        board.do(board.match.decisions()[0], Done())
    assert convoy_of(board.state, number) is None
    freed = [u for u, k in enumerate(board.state.kind) if k == K.transport and board.alive(u)]
    assert [board.where(u) for u in freed] == ["taranto_port"]
