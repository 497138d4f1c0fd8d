"""Redeployment and convoys: the finer points."""

import pytest

from sandtable.core.columns import put
from sandtable.games.ww2_europe.facts.convoy_routes import line_fault
from sandtable.games.ww2_europe.facts.convoys import crew
from sandtable.games.ww2_europe.facts.names import unit_name
from sandtable.games.ww2_europe.model.actions import (
    CancelConvoy,
    Divert,
    JoinConvoy,
    LeaveConvoy,
    Rail,
    Rebase,
    Ship,
    StartConvoy,
    Steam,
)
from sandtable.games.ww2_europe.model.state import LEFT_CONVOY
from sandtable.games.ww2_europe.rules.convoy_phase import ConvoyPhase, LineCheck
from sandtable.games.ww2_europe.rules.redeployment_phase import Redeployment
from tests.games.ww2_europe.war import ALLIES, AXIS, A, War, reason


@pytest.mark.rule("w2e-redeploy-ground", "w2e-terrain-desert")
def test_tanks_do_not_cross_a_desert_even_by_rail() -> None:
    war = War("summer 1942").points(great_britain=5)
    war.own("italy", "el_alamein", "sidi_barrani")
    tank, infantry = war.put("great_britain", "tank", "cairo"), war.put("great_britain", "infantry", "cairo")
    war.run(Redeployment(ALLIES))
    assert A.terrain[A.index["siwa"]] & 8
    # Halfaya can be reached over Siwa only
    assert war.allows("great_britain", Rail(infantry, "halfaya"))
    assert not war.allows("great_britain", Rail(tank, "halfaya"))


@pytest.mark.rule("w2e-redeploy-ground")
def test_the_way_must_be_friendly_all_along() -> None:
    war = War("summer 1942").points(germany=5)
    war.own("germany", "warsaw", "brest_litovsk", "minsk")
    unit = war.put("germany", "infantry", "berlin")
    war.run(Redeployment(AXIS))
    assert war.allows("germany", Rail(unit, "minsk"))
    war.own("ussr", "brest_litovsk").run(Redeployment(AXIS))
    assert reason(war.refusal("germany", Rail(unit, "minsk"))) == "w2e-redeploy-ground"
    assert reason(war.refusal("germany", Rail(unit, "brest_litovsk"))) == "w2e-redeploy-ground"


@pytest.mark.rule("w2e-redeploy-transport-used", "w2e-redeploy-ground")
def test_a_transport_carries_one_unit_a_turn() -> None:
    war = War("summer 1942").points(great_britain=10)
    ship = war.put("great_britain", "transport", "london_port")
    first, second = war.many("great_britain", "london", infantry=2)
    war.run(Redeployment(ALLIES))
    war.do("great_britain", Ship(ship, first, "belfast"))
    assert (war.where(first), war.where(ship)) == ("belfast", "belfast_port")
    assert war.used("great_britain") == 2  # one for the voyage, one for the cargo
    war.do("great_britain", Steam(ship, "london_port"))
    assert reason(war.refusal("great_britain", Ship(ship, second, "belfast"))) == "w2e-redeploy-transport-used"


@pytest.mark.rule("w2e-redeploy-naval", "w2e-redeploy-sea-control-block")
def test_ports_with_enemy_sea_control_are_shut() -> None:
    war = War("summer 1942").points(germany=3)
    war.own("germany", "brest", "brussels")
    ship = war.put("germany", "submarine", "hamburg_port")
    war.run(Redeployment(AXIS))
    assert war.allows("germany", Steam(ship, "brussels_port"))
    war.put("great_britain", "transport", "brussels_port")
    war.run(Redeployment(AXIS))
    assert war.allows("germany", Steam(ship, "brussels_port"))  # a transport controls nothing
    war.put("great_britain", "cruiser", "brussels_port")
    war.run(Redeployment(AXIS))
    assert not war.allows("germany", Steam(ship, "brussels_port"))


@pytest.mark.rule("w2e-redeploy-air")
def test_a_plane_goes_aboard_a_carrier_and_ashore_for_a_point_each() -> None:
    war = War("summer 1942").points(great_britain=2)
    carrier = war.put("great_britain", "carrier", "london_port")
    fighter, bomber = war.put("great_britain", "fighter", "london"), war.put("great_britain", "bomber", "london")
    war.run(Redeployment(ALLIES))
    assert not war.allows("great_britain", Rebase(bomber, carrier))
    war.do("great_britain", Rebase(fighter, carrier))
    assert war.state.cargo_of[war.number(fighter)] == war.number(carrier)
    war.do("great_britain", Rebase(fighter, "manchester"))
    assert war.state.cargo_of[war.number(fighter)] == -1
    assert (war.where(fighter), war.used("great_britain")) == ("manchester", 2)


@pytest.mark.rule("w2e-convoy-add")
def test_ships_that_began_in_one_of_the_ports_join_free_others_pay_a_point() -> None:
    war = War("summer 1942").points(great_britain=2)
    convoy = war.convoy("great_britain", "bristol_port", "western_approaches", "vigo_port")
    war.own("great_britain", "vigo")
    here = war.put("great_britain", "destroyer", "bristol_port")
    there = war.put("great_britain", "cruiser", "vigo_port")
    away = war.put("great_britain", "destroyer", "glasgow_port")
    arrived = war.put("great_britain", "destroyer", "bristol_port")
    war.state.home = put(
        war.state.home, war.number(arrived), A.index["london_port"]
    )  # it steamed there in this Redeployment
    war.run(ConvoyPhase(ALLIES))
    war.do("great_britain", JoinConvoy(here, convoy), JoinConvoy(there, convoy))
    assert war.used("great_britain") == 0
    war.do("great_britain", JoinConvoy(away, convoy))
    assert war.used("great_britain") == 1
    war.do("great_britain", JoinConvoy(arrived, convoy))
    assert war.used("great_britain") == 2
    late = war.put("great_britain", "destroyer", "glasgow_port")
    war.run(ConvoyPhase(ALLIES))
    assert not war.allows("great_britain", JoinConvoy(late, convoy))  # no points left
    assert war.where(here) == war.where(away) == "convoy"


@pytest.mark.rule("w2e-convoy-remove", "w2e-convoy-cancel")
def test_ships_leave_to_one_of_the_two_ports_and_the_last_transport_ends_the_convoy() -> None:
    war = War("summer 1942")
    war.own("great_britain", "vigo")
    convoy = war.convoy("great_britain", "bristol_port", "western_approaches", "vigo_port", transports=2, destroyer=1)
    ships = [f"{A.kinds.names[kind]}#{u}" for u, kind in enumerate(war.state.kind)]
    war.run(ConvoyPhase(ALLIES))
    assert {a.port for a in war.offered(LeaveConvoy, "great_britain")} == {"bristol_port", "vigo_port"}
    war.do("great_britain", LeaveConvoy(ships[0], "vigo_port"))
    assert war.where(ships[0]) == "vigo_port"
    assert war.where(ships[2]) == "convoy"
    war.do("great_britain", LeaveConvoy(ships[1], "bristol_port"))
    assert war.state.convoys == ()
    assert war.where(ships[2]) == "bristol_port"
    assert convoy == "convoy 0"


@pytest.mark.rule("w2e-convoy-remove", "w2e-convoy-cancel")
def test_a_ship_that_has_left_a_convoy_joins_and_starts_no_other_this_turn() -> None:
    war = War("summer 1942").points(great_britain=9)
    war.own("great_britain", "vigo")
    first = war.convoy("great_britain", "bristol_port", "western_approaches", "vigo_port", transports=2, destroyer=1)
    second = war.convoy("great_britain", "bristol_port", "western_approaches", "vigo_port")
    third = war.convoy("great_britain", "bristol_port", "western_approaches", "vigo_port")
    idle = war.put("great_britain", "destroyer", "bristol_port")
    one, other, escort = (unit_name(war.state, u) for u in crew(war.state, 0))
    war.run(ConvoyPhase(ALLIES))
    war.do("great_britain", LeaveConvoy(escort, "bristol_port"), LeaveConvoy(one, "bristol_port"))
    assert war.refused("great_britain", JoinConvoy(escort, second)).reason == "left-convoy"
    start = StartConvoy(one, "bristol_port", "vigo_port", "")
    assert war.refused("great_britain", start).reason == "left-convoy"
    assert war.allows("great_britain", JoinConvoy(idle, second))
    war.do("great_britain", CancelConvoy(first, "vigo_port"))
    assert war.refused("great_britain", JoinConvoy(other, second)).rule == "w2e-convoy-remove"
    war.do("great_britain", CancelConvoy(third, "bristol_port"))
    assert sum(bool(flags & LEFT_CONVOY) for flags in war.state.flags) == 4


@pytest.mark.rule("w2e-convoy-start", "w2e-convoy-sea-leg")
def test_a_line_goes_from_port_to_port_in_stretches_of_ten_points() -> None:
    war = War("summer 1942").points(great_britain=5)
    ship = war.put("great_britain", "transport", "bristol_port")
    war.run(ConvoyPhase(ALLIES))
    neutral = StartConvoy(ship, "bristol_port", "vigo_port", "")
    assert reason(war.refusal("great_britain", neutral)) == "w2e-convoy-sea-leg"
    war.do("great_britain", StartConvoy(ship, "bristol_port", "alexandria_port", ""))
    route = [A.names[s] for s in war.state.convoys[0].route]
    assert route[0] == "bristol_port"
    assert route[-1] == "alexandria_port"
    assert "gibraltar_port" in route  # too far for a single stretch
    assert "malta_port" in route or "tunis_port" in route


@pytest.mark.rule("w2e-convoy-cancel", "w2e-terrain-canal", "w2e-strait-naval")
@pytest.mark.parametrize("bank", ["suez", "jerusalem"])
def test_a_line_through_a_canal_with_an_enemy_bank_is_given_up(bank: str) -> None:
    route = ("alexandria_port", "egyptian_sea", "red_sea", "arabian_sea", "south_africa_port")
    war = War("summer 1942")
    war.convoy("great_britain", *route)
    assert not line_fault(war.m.state, war.state.convoys[0])
    war.own("germany", bank)
    assert line_fault(war.m.state, war.state.convoys[0])
    war.run(LineCheck(ALLIES))
    assert war.asked == "great_britain"  # to which end do the ships go?
    war.do("great_britain", Divert("alexandria_port"))
    assert war.state.convoys == ()
    assert war.where("transport#0") == "alexandria_port"


@pytest.mark.rule("w2e-redeploy-naval", "w2e-redeploy-air")
def test_who_is_too_far_away_is_told_so() -> None:
    war = War("summer 1942").points(germany=5)
    ship, plane = war.put("germany", "cruiser", "hamburg_port"), war.put("germany", "fighter", "berlin")
    war.run(Redeployment(AXIS))
    far = war.refused("germany", Steam(ship, "alexandria_port"))
    assert (far.rule, far.reason) == ("w2e-redeploy-naval", "no-voyage")
    away = war.refused("germany", Rebase(plane, "moscow"))
    assert (away.rule, away.reason) == ("w2e-redeploy-air", "no-flight")
