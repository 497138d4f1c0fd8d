"""Campaign Game II: fleets in port and at sea, naval fire, U-boats, A.S.W., trans-Atlantic shipping."""

import pytest

from sandtable.core.columns import having, put
from sandtable.games.hitlers_war.model.actions import (
    Build,
    Dive,
    Done,
    Lose,
    March,
    NavalFire,
    Produce,
    PutIn,
    Ship,
    Sortie,
    SupportFire,
    Surface,
    Transfer,
)
from sandtable.games.hitlers_war.model.events import Fired, SeaBattle
from sandtable.games.hitlers_war.model.state import INVASION
from sandtable.games.hitlers_war.rules.budget import budget
from sandtable.games.hitlers_war.rules.firepower import groups
from sandtable.games.hitlers_war.rules.invasion_phase import NavalFires, SupportFires
from sandtable.games.hitlers_war.rules.movement_phase import Movement, MovementPhase
from sandtable.games.hitlers_war.rules.production_phase import Production, ProductionPhase
from sandtable.games.hitlers_war.rules.routes import route_waters
from sandtable.games.hitlers_war.rules.strategic.convoys import Convoys
from sandtable.games.hitlers_war.rules.strategic.warfare_phase import SeaRaid, StrategicPhase
from sandtable.games.hitlers_war.sequence import PlayerTurn
from tests.games.hitlers_war.positions import ALLIES, AXIS, SOVIET, at, no
from tests.games.hitlers_war.positions_naval import Second


def produce(p: Second, side: str, money: int) -> Second:
    p.begin(side, Production())
    p.money(money)
    return p


def invading(p: Second, name: str, target: str, *route: str) -> None:
    """An army on its way over the sea."""
    army = no(name)
    p.state.mode, p.state.target = put(p.state.mode, army, INVASION), put(p.state.target, army, at(target))
    p.state.routes = having(p.state.routes, army, route_waters(p.state, army, route))
    assert p.state.routes[army], route


def fires(p: Second) -> list[tuple[str, int, int]]:
    return [(event.by.lstrip("@"), event.strength, event.losses) for event in p.happened(Fired)]


# ---- the sequence
@pytest.mark.rule("hw-c2-seq")
def test_the_phases_of_a_turn_in_the_second_campaign():
    p = Second()
    assert p.unroll(AXIS, PlayerTurn(0)) == [
        "StrategicPhase", "MovementPhase", "CombatPhase", "ProductionPhase", "Research",
    ]  # fmt: skip
    assert p.unroll(AXIS, StrategicPhase())[:4] == ["Bombing", "SeaRaid", "MissileLaunch", "AtomicStrikes"]
    assert "SeaRaid" not in p.unroll(ALLIES, StrategicPhase())
    assert "SeaRaid" not in p.unroll(SOVIET, StrategicPhase())


@pytest.mark.rule("hw-firepower-split")
def test_all_points_fire_at_sea_and_in_the_air_in_groups_of_ten():
    assert groups(10, capped=False) == [10]
    assert groups(23, capped=False) == [10, 10, 3]
    assert groups(23, capped=True) == [10]


# ---- fleets
@pytest.mark.rule("hw-fleet-1", "hw-c2-setup-axis")
def test_allies_and_axis_start_with_ships_and_everybody_may_build_them():
    p = Second()
    assert (p.box(AXIS, "capital_ship"), p.box(AXIS, "u_boat")) == (2, 2)
    assert p.box(ALLIES, "capital_ship") > 0
    assert p.box(SOVIET, "capital_ship") == 0
    p.hold(SOVIET, "T9")
    for side in (AXIS, SOVIET, ALLIES):
        produce(p, side, 30).do(side, Produce("capital_ship", 1))
    assert p.box(SOVIET, "capital_ship") == 1


@pytest.mark.rule("hw-fleet-2")
def test_fleets_fire_in_the_atlantic_and_those_of_the_allies_on_the_off_map_routes():
    p = Second()
    p.hold(AXIS, "british_africa")
    p.army("Army Group A", "british_africa", amphibious=4)
    invading(p, "Army Group A", "india", "british_africa", "india")
    p.to_sea(SOVIET, 6)
    p.begin(AXIS, NavalFires())
    assert p.parked
    p.to_sea(ALLIES, 6)
    p.begin(AXIS, NavalFires())
    assert p.asked == ALLIES
    assert max(action.shots for action in p.offered(NavalFire, ALLIES)) == 65


@pytest.mark.rule("hw-fleet-2")
def test_no_naval_fire_in_the_mediterranean():
    p = Second()
    p.to_sea(ALLIES, 6)
    p.hold(AXIS, "K10")
    p.army("Army Group A", "K10", infantry=1, amphibious=3)
    invading(p, "Army Group A", "K9", "K10", "J9", "K9")
    p.begin(AXIS, NavalFires())
    assert p.parked


@pytest.mark.rule("hw-fleet-3")
def test_ships_need_an_atlantic_coast():
    p = produce(Second(), SOVIET, 30)
    assert p.rule(SOVIET, Produce("capital_ship", 1)) == "hw-fleet-3"
    p.hold(SOVIET, "T9")
    assert produce(p, SOVIET, 30).allows(SOVIET, Produce("capital_ship", 1))


@pytest.mark.rule("hw-fleet-4", "hw-fleet-7")
def test_ships_change_between_the_fleet_in_port_and_the_fleet_at_sea():
    p = Second()
    p.boxed(ALLIES, "capital_ship", 8)
    p.begin(ALLIES, Movement()).do(ALLIES, Sortie(3), Sortie(2), PutIn(1))
    assert (p.box(ALLIES, "capital_ship"), p.fleet(ALLIES)) == (4, 4)
    assert not p.allows(ALLIES, Sortie(5))
    assert not p.allows(ALLIES, PutIn(5))


@pytest.mark.rule("hw-fleet-6")
def test_new_ships_lie_in_port_where_they_are_safe():
    p = Second()
    p.to_sea(ALLIES, 5).boxed(AXIS, "capital_ship", 0)
    produce(p, AXIS, 11).do(AXIS, Produce("capital_ship", 1))
    assert (p.box(AXIS, "capital_ship"), p.fleet(AXIS)) == (1, 0)
    p.begin(AXIS, Movement()).do(AXIS, Done())
    assert p.box(AXIS, "capital_ship") == 1
    p.begin(AXIS, Movement()).do(AXIS, Sortie(1))
    assert (p.fleet(AXIS), p.fleet(ALLIES)) == (0, 4)


@pytest.mark.rule("hw-fleet-8")
def test_soviet_and_allied_fleets_share_the_sea():
    p = Second()
    p.to_sea(SOVIET, 2).boxed(ALLIES, "capital_ship", 3)
    p.begin(ALLIES, Movement()).do(ALLIES, Sortie(3))
    assert (p.fleet(SOVIET), p.fleet(ALLIES)) == (2, 3)
    p.boxed(AXIS, "capital_ship", 4).begin(AXIS, Movement()).do(AXIS, Sortie(4))
    assert (p.fleet(AXIS), p.fleet(ALLIES), p.fleet(SOVIET)) == (0, 0, 1)
    assert [event.lost for event in p.happened(SeaBattle)] == [3, 3, 1, 1]


# ---- naval fire
def norwegian_landing(p: Second) -> Second:
    """Army Group A sails from Wilhelmshaven over three open sides of the Atlantic to Norway."""
    p.army("Army Group A", "Q9", infantry=2, amphibious=6)
    invading(p, "Army Group A", "T9", "Q9", "R8", "S9", "T9")
    return p


@pytest.mark.rule("hw-c2-navfire-1", "hw-c2-navfire-3")
def test_only_a_side_with_a_fleet_at_sea_fires():
    p = norwegian_landing(Second())
    p.begin(AXIS, NavalFires())
    assert p.parked
    p = norwegian_landing(Second())
    p.to_sea(SOVIET, 2).to_sea(ALLIES, 5)
    p.begin(AXIS, NavalFires())
    assert p.asked == SOVIET
    p.dice(6).do(SOVIET, NavalFire("Army Group A", 1), Done())
    assert p.asked == ALLIES
    p.dice(6).do(ALLIES, NavalFire("Army Group A", 1), Done())
    assert [(by, strength) for by, strength, _ in fires(p)] == [("navy", 2), ("navy", 5)]


@pytest.mark.rule("hw-c2-navfire-2")
def test_the_fleet_at_sea_fires_with_its_strength_once_per_open_side():
    p = norwegian_landing(Second())
    p.to_sea(ALLIES, 12)
    p.begin(AXIS, NavalFires())
    sides = max(action.shots for action in p.offered(NavalFire, ALLIES))
    assert sides == 3
    p.dice(6, 6, 6, 6, 6, 6).do(ALLIES, NavalFire("Army Group A", 1))
    assert [strength for _, strength, _ in fires(p)] == [10, 2]
    assert p.at_step == "Losses"
    p.do(AXIS, Lose("Army Group A", "infantry"))
    assert p.strength("Army Group A") == {"infantry": 1, "amphibious": 5}
    assert not p.allows(ALLIES, NavalFire("Army Group A", 3))
    assert p.allows(ALLIES, NavalFire("Army Group A", 2))


@pytest.mark.rule("hw-c2-navfire-2")
def test_support_fire_uses_the_fleet_too_and_the_axis_has_it_as_well():
    p = norwegian_landing(Second())
    p.begin(AXIS, SupportFires())
    assert p.parked
    p.to_sea(AXIS, 4)
    p.hold(ALLIES, "T9")
    p.army("Britain", "T9", infantry=3)
    p.begin(AXIS, SupportFires()).dice(1).do(AXIS, SupportFire("T9"))
    assert fires(p) == [("navy", 4, 2)]
    assert p.strength("Britain") == {"infantry": 1}


@pytest.mark.rule("hw-c2-navfire-4")
def test_an_axis_fleet_at_sea_fires_at_transports_once_per_open_side():
    p = Second()
    p.state.america = 1
    p.hold(ALLIES, "us")
    p.to_sea(AXIS, 6)
    p.army("U.S. Army", "us", infantry=2)
    p.army("Britain", "P7", infantry=4)
    p.begin(ALLIES, Movement()).do(ALLIES, March("U.S. Army", "P6"), Done())
    assert p.asked == AXIS
    most = max(action.shots for action in p.offered(NavalFire, AXIS))
    assert most >= 3
    p.dice(1).do(AXIS, NavalFire("convoys", 1))
    assert fires(p)[-1] == ("navy", 6, 2)
    assert p.where("U.S. Army") is None
    assert p.strength("Britain") == {"infantry": 4}


@pytest.mark.rule("hw-c2-navfire-4")
def test_points_that_did_not_cross_the_side_are_safe_and_the_fleet_need_not_fire():
    p = Second()
    p.to_sea(AXIS, 10)
    p.army("Britain", "P7", infantry=4)
    p.army("French First Army", "O8", infantry=4)
    p.begin(ALLIES, Movement()).do(ALLIES, March("Britain", "Q7"), Done())
    assert p.parked
    p.begin(ALLIES, MovementPhase()).do(ALLIES, March("Britain", "M7"), Done())
    assert p.asked == AXIS
    p.do(AXIS, Done())
    assert p.parked
    assert p.strength("Britain") == {"infantry": 4}


# ---- U-boats
@pytest.mark.rule("hw-uboat-1")
def test_only_the_axis_builds_u_boats_and_those_in_port_are_safe():
    p = produce(Second(), ALLIES, 30)
    assert p.rule(ALLIES, Produce("u_boat", 1)) == "hw-uboat-1"
    p.boxed(AXIS, "u_boat", 4).boxed(ALLIES, "asw", 10)
    p.begin(AXIS, SeaRaid())
    assert p.happened(Fired) == []
    assert (p.box(AXIS, "u_boat"), p.state.raided) == (4, 0)


@pytest.mark.rule("hw-uboat-2")
def test_new_u_boats_lie_in_port():
    p = produce(Second(), AXIS, 12)
    p.do(AXIS, Produce("u_boat", 2))
    assert (p.box(AXIS, "u_boat"), p.boats) == (4, 0)


@pytest.mark.rule("hw-uboat-3")
def test_u_boats_go_to_sea_and_come_home_in_movement():
    p = Second()
    p.begin(AXIS, Movement()).do(AXIS, Dive(2), Surface(1))
    assert (p.box(AXIS, "u_boat"), p.boats) == (1, 1)
    p.begin(ALLIES, Movement())
    assert "dive" not in p.verbs(ALLIES)


@pytest.mark.rule("hw-uboat-4", "hw-uboat-5")
def test_u_boats_cut_the_next_allied_budget_and_only_that():
    p = Second()
    p.wolves(6)
    p.begin(AXIS).dice(1)
    p.begin(AXIS, SeaRaid())
    full = budget(p.state, 2) + 2
    assert p.state.raided == 2
    p.begin(SOVIET, ProductionPhase())
    assert p.state.raided == 2
    p.begin(ALLIES, ProductionPhase())
    assert (p.state.budget, p.state.raided) == (full - 2, 0)
    p.wolves(0)
    p.begin(AXIS, SeaRaid())
    p.begin(ALLIES, ProductionPhase())
    assert p.state.budget == full


@pytest.mark.rule("hw-uboat-6")
@pytest.mark.parametrize(("america", "most"), [(0, 8), (5, 24)])
def test_the_ceiling_of_shipping_losses(america, most):
    p = Second()
    p.wolves(90).dice(*[1] * 9)
    p.state.america = america
    p.begin(AXIS, SeaRaid())
    assert sum(losses for _, _, losses in fires(p)) == 36
    assert p.state.raided == most


@pytest.mark.rule("hw-asw-1")
def test_the_allies_build_a_s_w():
    p = produce(Second(), ALLIES, 16)
    p.do(ALLIES, Produce("asw", 2))
    assert (p.box(ALLIES, "asw"), p.state.budget) == (2, 0)
    p = produce(Second(), AXIS, 30)
    assert p.rule(AXIS, Produce("asw", 1)) == "hw-cost-4"


@pytest.mark.rule("hw-asw-2", "hw-asw-3")
def test_a_s_w_fires_first_and_is_never_lost():
    p = Second()
    p.wolves(2).boxed(ALLIES, "asw", 6).dice(1)
    p.begin(AXIS, SeaRaid())
    assert fires(p) == [("asw", 6, 2)]
    assert (p.boats, p.state.raided, p.box(ALLIES, "asw")) == (0, 0, 6)
    p.wolves(10).dice(6, 1)
    p.begin(AXIS, SeaRaid())
    assert fires(p) == [("asw", 6, 1), ("u-boats", 9, 4)]
    assert p.box(ALLIES, "asw") == 6


# ---- trans-Atlantic shipping
def at_war(p: Second) -> Second:
    p.state.america = p.state.turn
    p.hold(ALLIES, "us")
    return p


@pytest.mark.rule("hw-trans-1")
def test_the_first_six_army_points_appear_in_the_united_states():
    p = produce(at_war(Second()), ALLIES, 60)
    assert p.rule(ALLIES, Build("infantry", "P7", "Britain", 1)) == "hw-trans-1"
    p.do(ALLIES, Produce("asw", 1))
    assert p.rule(ALLIES, Build("infantry", "P7", "Britain", 1)) == "hw-trans-1"
    p.do(ALLIES, Build("infantry", "us", "U.S. Army", 4), Build("tac_air", "us", "U.S. Army", 1))
    assert p.rule(ALLIES, Build("infantry", "P7", "Britain", 1)) == "hw-trans-1"
    p.do(ALLIES, Build("infantry", "us", "U.S. Army", 1))
    assert p.allows(ALLIES, Build("infantry", "P7", "Britain", 1))
    p = produce(Second(), ALLIES, 60)
    assert p.allows(ALLIES, Build("infantry", "P7", "Britain", 1))


@pytest.mark.rule("hw-trans-2")
def test_shipping_above_three_is_bought_at_one_point_each():
    p = produce(Second(), ALLIES, 5)
    assert "ship" not in p.verbs(ALLIES)
    p = produce(at_war(Second()), ALLIES, 5)
    p.army("U.S. Army", "us", infantry=5)
    p.do(ALLIES, Ship(1))
    assert (p.state.budget, p.state.shipping) == (4, 1)
    p.begin(ALLIES, Movement())
    assert p.rule(ALLIES, March("U.S. Army", "P6")) == "hw-seamove-atlantic"
    p.state.shipping = 2
    p.begin(ALLIES, Movement())
    assert p.allows(ALLIES, March("U.S. Army", "P6"))


@pytest.mark.rule("hw-trans-3")
def test_u_boats_attack_the_traffic_once_and_sink_points_and_shipping():
    p = at_war(Second())
    p.wolves(6)
    p.state.shipping = 1
    p.army("U.S. Army", "us", infantry=2, mechanized=2)
    p.army("Britain", "P6", infantry=4)
    p.begin(ALLIES, Movement()).dice(1)
    p.do(ALLIES, March("U.S. Army", "P6"), Done())
    assert fires(p) == [("u-boats", 6, 2)]
    assert p.asked == ALLIES
    p.do(ALLIES, Lose("U.S. Army", "infantry"), Lose("U.S. Army", "mechanized"))
    assert p.strength("U.S. Army") == {"infantry": 1, "mechanized": 1}
    assert p.strength("Britain") == {"infantry": 4}
    assert p.state.shipping == 0
    assert p.parked


@pytest.mark.rule("hw-trans-3")
def test_shipping_never_sinks_below_three_and_without_traffic_nothing_happens():
    p = at_war(Second())
    p.wolves(9)
    p.army("U.S. Army", "us", infantry=1)
    p.begin(ALLIES, Movement()).do(ALLIES, Done())
    assert fires(p) == []
    p.begin(ALLIES, Movement()).dice(1)
    p.do(ALLIES, March("U.S. Army", "P6"), Done())
    assert fires(p) == [("u-boats", 9, 4)]
    assert p.where("U.S. Army") is None
    assert p.state.shipping == 0
    p.begin(AXIS, Convoys())
    assert p.parked


@pytest.mark.rule("hw-trans-3")
def test_transported_points_are_followed_into_other_armies():
    p = at_war(Second())
    p.wolves(6)
    p.army("U.S. Army", "us", infantry=3)
    p.army("Britain", "P6", infantry=4)
    p.army("Fifth Army", "P7", mechanized=1)
    p.begin(ALLIES, Movement()).dice(1)
    p.do(ALLIES, March("U.S. Army", "P6"), Transfer("U.S. Army", (("infantry", 2),), "Britain"), Done())
    assert fires(p) == [("u-boats", 6, 2)]
    choices = {action.unit for action in p.offered(Lose, ALLIES)}
    assert choices == {"U.S. Army", "Britain"}
    p.do(ALLIES, Lose("Britain", "infantry"), Lose("Britain", "infantry"))
    assert (p.strength("Britain"), p.strength("U.S. Army")) == ({"infantry": 4}, {"infantry": 1})
    assert p.parked


@pytest.mark.rule("hw-c2-navfire-4")
def test_fire_at_transports_follows_the_points_too():
    p = Second()
    p.to_sea(AXIS, 6)
    p.army("Britain", "P7", infantry=3)
    p.army("French First Army", "M7", infantry=4)
    p.begin(ALLIES, MovementPhase())
    p.do(ALLIES, March("Britain", "M7"), Transfer("Britain", (("infantry", 3),), "French First Army"), Done())
    p.dice(1).do(AXIS, NavalFire("convoys", 1))
    assert p.strength("French First Army") == {"infantry": 5}
