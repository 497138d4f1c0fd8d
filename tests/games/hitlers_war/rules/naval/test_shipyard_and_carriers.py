"""Optional rules: ship builds by instalments, aircraft carriers."""

import pytest

from sandtable.core.columns import having, put
from sandtable.games.hitlers_war.model.actions import (
    Advance,
    Assault,
    Build,
    Commission,
    DefensiveAssault,
    Done,
    Fight,
    LayDown,
    Lose,
    PayHull,
    Produce,
    Sail,
    ShellCoast,
    Support,
)
from sandtable.games.hitlers_war.model.events import Fired, ShipsLost
from sandtable.games.hitlers_war.model.fleets import NATION_OF, NATIONS
from sandtable.games.hitlers_war.model.state import INVASION
from sandtable.games.hitlers_war.rules.combat_phase import Invasions
from sandtable.games.hitlers_war.rules.movement_phase import Movement, MovementPhase
from sandtable.games.hitlers_war.rules.naval.fleets import carrier_air
from sandtable.games.hitlers_war.rules.naval.shipyard import hulls
from sandtable.games.hitlers_war.rules.production_phase import Production
from sandtable.games.hitlers_war.rules.routes import route_waters
from tests.games.hitlers_war.positions import ALLIES, AXIS, SOVIET, Position, at, no
from tests.games.hitlers_war.positions_naval import Admiral, Second

HOME, GERMAN = "British Fleet 1", "German Fleet 1"


def fires(p: Position) -> list[tuple[str, int, int]]:
    return [(event.by.lstrip("@"), event.strength, event.losses) for event in p.happened(Fired)]


def yard(p: Second, side: str, money: int) -> Second:
    p.begin(side, Production())
    p.money(money)
    return p


def unpaid(p: Second, side: int) -> list[int]:
    """Points still to pay on each hull."""
    return [p.state.yard[key] // 12 for key in hulls(p.state, side).values()]


# ---- instalments
@pytest.mark.rule("hw-ship-1", "hw-ship-2")
def test_a_ship_is_paid_for_over_several_turns():
    p = Second(ship_builds=True)
    p.state.yard = {}
    yard(p, AXIS, 4).do(AXIS, LayDown("capital_ship", 4))
    assert (p.state.budget, unpaid(p, 0), p.box(AXIS, "capital_ship")) == (0, [7], 2)
    yard(p, AXIS, 9)
    assert not p.allows(AXIS, PayHull("Hull 1", 8))
    p.do(AXIS, PayHull("Hull 1", 3))
    assert unpaid(p, 0) == [4]
    p.do(AXIS, PayHull("Hull 1", 4))
    assert (p.state.budget, unpaid(p, 0), p.box(AXIS, "capital_ship")) == (2, [], 3)
    assert p.rule(AXIS, PayHull("Hull 1", 1)) in ("hw-ship-2", "hw-prod-2")


@pytest.mark.rule("hw-ship-2")
def test_each_unfinished_ship_has_its_own_unpaid_cost():
    p = Second(ship_builds=True)
    p.state.yard = {}
    yard(p, AXIS, 5).do(AXIS, LayDown("capital_ship", 4), LayDown("capital_ship", 1))
    assert unpaid(p, 0) == [7, 10]
    p.at_level(AXIS, "capital_ship", 3)
    yard(p, AXIS, 5).do(AXIS, PayHull("Hull 2", 5))
    assert unpaid(p, 0) == [7, 5]
    yard(p, SOVIET, 5)
    assert hulls(p.state, 1) == {}


@pytest.mark.rule("hw-ship-1")
def test_without_the_rule_a_ship_is_paid_at_once():
    p = Admiral()
    p.ships(GERMAN, "Q10", 1)
    assert not yard(p, AXIS, 10).allows(AXIS, LayDown("capital_ship", 10))
    yard(p, AXIS, 12)
    assert [action.pay for action in p.offered(LayDown, AXIS)] == [11]


@pytest.mark.rule("hw-ship-3")
def test_everything_else_is_paid_in_one_turn():
    p = yard(Second(ship_builds=True), AXIS, 3)
    assert p.rule(AXIS, LayDown("u_boat", 3)) == "hw-ship-3"
    assert p.rule(AXIS, Build("mechanized", "P10", "OKW", 1)) == "hw-build-2"
    assert not p.allows(AXIS, Produce("u_boat", 1))


@pytest.mark.rule("hw-ship-4")
def test_ships_in_the_yard_at_the_start():
    p = Second(ship_builds=True)
    assert [unpaid(p, side) for side in range(3)] == [[6], [], [6, 6]]
    assert Second().state.yard == {}


# ---- carriers
def strike_force(**options: bool) -> Admiral:
    return Admiral(carriers=True, **options)


@pytest.mark.rule("hw-carrier-1")
def test_carriers_sail_and_harbour_like_other_ships():
    p = strike_force()
    p.ships(HOME, "U7", 1, 2)
    p.begin(ALLIES, Movement())
    assert p.rule(ALLIES, Sail(HOME, 0, 2, "port", "P7", "British Fleet 2")) == "hw-nav-2"
    p.do(ALLIES, Sail(HOME, 0, 1, "sea", "S8", "British Fleet 2"))
    assert (p.afloat(HOME), p.afloat("British Fleet 2")) == ((1, 1), (0, 1))
    assert p.find("British Fleet 2") == "S8 at sea"
    p.begin(ALLIES, MovementPhase())
    assert p.at_step == "HomeToPort"
    p.do(ALLIES, Sail("British Fleet 2", 0, 1, "port", "U7", "British Fleet 2"))
    assert p.find("British Fleet 2") == "U7"


@pytest.mark.rule("hw-carrier-2")
@pytest.mark.parametrize(
    ("side", "fleet", "port"), [(AXIS, GERMAN, "Q10"), (SOVIET, "Soviet Fleet 1", "T15"), (ALLIES, HOME, "U7")]
)
def test_every_side_builds_carriers_at_their_own_price(side, fleet, port):
    p = strike_force(ship_builds=True)
    p.state.yard = {}
    yard(p, side, 15).do(side, LayDown("carrier", 15), Commission(fleet, port))
    assert (p.state.budget, p.afloat(fleet)) == (0, (0, 1))
    yard(p, side, 4).do(side, LayDown("carrier", 4))
    yard(p, side, 11).do(side, PayHull("Hull 1", 11), Commission(fleet, port))
    assert p.afloat(fleet) == (0, 2)
    assert yard(Admiral(), side, 20).rule(side, LayDown("carrier", 15)) == "hw-fleet-5"


@pytest.mark.rule("hw-carrier-3")
def test_carriers_strike_first_at_triple_strength():
    p = strike_force()
    p.ships(HOME, "U7", 1, 2).ships(GERMAN, "S8", 4, sea=True)
    p.begin(ALLIES, Movement()).dice(1, 6, 6)
    p.do(ALLIES, Sail(HOME, 1, 2, "sea", "S8", HOME))
    assert fires(p)[0] == (HOME, 6, 2)
    assert fires(p)[1:] == [(HOME, 2, 0), (GERMAN, 4, 0)]


@pytest.mark.rule("hw-carrier-4")
def test_guns_sink_capital_ships_first_and_aircraft_what_the_owner_likes():
    p = strike_force()
    p.ships(HOME, "U7", 3, 1).ships(GERMAN, "S8", 3, 1, sea=True)
    p.begin(ALLIES, Movement()).dice(1, 1, 1, 1)
    p.do(ALLIES, Sail(HOME, 3, 1, "sea", "S8", HOME))
    assert p.asked == AXIS
    assert p.allows(AXIS, Lose(GERMAN, "carrier"))
    p.do(AXIS, Lose(GERMAN, "capital_ship"))
    assert p.asked == ALLIES
    p.do(ALLIES, Lose(HOME, "carrier"))
    assert fires(p) == [(HOME, 3, 1), (GERMAN, 3, 1), (HOME, 6, 2), (GERMAN, 4, 2)]
    lost = [(event.fleet, event.kind[1:]) for event in p.happened(ShipsLost)]
    assert lost[:2] == [(GERMAN, "capital_ship"), (HOME, "carrier")]
    assert lost[2:6] == [(GERMAN, "capital_ship")] * 2 + [(HOME, "capital_ship")] * 2
    assert lost[6:] == [(GERMAN, "carrier")]
    assert p.afloat(HOME) == (1, 0)


def landing(p: Admiral, route: tuple[str, ...]) -> Admiral:
    army = p.army("Britain", route[0], infantry=2, amphibious=4)
    p.state.mode, p.state.target = put(p.state.mode, army, INVASION), put(p.state.target, army, at(route[-1]))
    p.state.routes = having(p.state.routes, army, route_waters(p.state, army, route))
    assert p.state.routes[army]
    return p


@pytest.mark.rule("hw-carrier-5")
def test_supporting_carriers_lend_tac_air_and_do_not_fire():
    p = landing(strike_force(), ("U7", "U8", "T8", "T9"))
    p.hold(AXIS, "T9").hold(ALLIES, "T10")
    p.army("Army Group A", "T9", infantry=5, tac_air=1)
    p.ships(HOME, "U7", 1, 3).ships("British Fleet 2", "U7", 0, 2)
    p.begin(ALLIES, Invasions()).do(ALLIES, Support(HOME, "Britain"), Support("British Fleet 2", "Britain"))
    assert p.rule(ALLIES, ShellCoast("British Fleet 2")) == "hw-carrier-5"
    p.dice(6, 1, 6).do(ALLIES, ShellCoast(HOME))
    assert fires(p) == [(HOME, 1, 0)]
    p.do(AXIS, Done())
    assert {action.air for action in p.offered(Assault, ALLIES)} == {1, 2, 3, 4, 5}
    p.do(ALLIES, Assault("U7", "T9", ("Britain",), 2))
    assert fires(p)[1:] == [("U7", 2, 1), ("U7", 7, 1)]
    assert p.strength("Army Group A") == {"infantry": 4}


@pytest.mark.rule("hw-carrier-5")
def test_the_aircraft_of_carriers_cannot_be_lost():
    p = landing(strike_force(), ("U7", "U8", "T8", "T9"))
    p.hold(AXIS, "T9").hold(ALLIES, "T10")
    p.army("Army Group A", "T9", infantry=1, tac_air=9)
    p.ships(HOME, "U7", 0, 3)
    p.begin(ALLIES, Invasions()).do(ALLIES, Support(HOME, "Britain")).dice(1, 6)
    p.do(AXIS, DefensiveAssault("T9", ("Army Group A",), 3))
    assert fires(p) == [("T9", 3, 1), ("T9", 7, 1)]
    assert carrier_air(p.state, no("Britain")) == 3
    assert p.strength("Britain") == {"infantry": 2, "amphibious": 3}
    p.do(ALLIES, Done())
    p.dice(6).do(ALLIES, Advance("Britain", 0))
    assert (p.state.escorting, p.find(HOME)) == ({}, "U7")


@pytest.mark.rule("hw-carrier-6")
def test_carriers_alone_are_lost_to_a_fleet_with_a_capital_ship_after_their_strike():
    p = strike_force()
    p.ships(HOME, "U7", 0, 3).ships(GERMAN, "S8", 3, sea=True)
    p.begin(ALLIES, Movement()).dice(6, 6)
    p.do(ALLIES, Sail(HOME, 0, 3, "sea", "S8", HOME))
    assert fires(p)[0] == (HOME, 9, 2)
    assert (p.find(HOME), p.find(GERMAN), p.afloat(GERMAN)) == (None, "S8 at sea", (1, 0))


@pytest.mark.rule("hw-carrier-6")
def test_the_winner_does_not_matter():
    p = strike_force()
    p.ships(HOME, "U7", 0, 5).ships(GERMAN, "S8", 4, sea=True)
    p.begin(ALLIES, Movement()).dice(6, 6, 6, 6)
    p.do(ALLIES, Sail(HOME, 0, 5, "sea", "S8", HOME))
    assert fires(p) == [(HOME, 10, 2), (HOME, 5, 0), (GERMAN, 4, 0)]
    assert (p.find(HOME), p.afloat(GERMAN)) == (None, (2, 0))
    p = strike_force()
    p.ships(HOME, "U7", 0, 2).ships(GERMAN, "S8", 0, 1, sea=True)
    p.begin(ALLIES, Movement()).dice(6, 6)
    p.do(ALLIES, Sail(HOME, 0, 2, "sea", "S8", HOME))
    assert p.afloat(HOME) == (0, 2)


@pytest.mark.rule("hw-carrier-7")
def test_the_allies_start_with_three_british_carriers():
    s = Position("campaign-2", naval_action=True, carriers=True).state
    per_nation = {name: sum(s.carriers[f] for f, n in enumerate(NATION_OF) if NATIONS[n] == name) for name in NATIONS}
    assert per_nation == {"germany": 0, "italy": 0, "great_britain": 3, "france": 0, "soviet_union": 0}


@pytest.mark.rule("hw-carrier-6")
def test_carriers_beside_the_battle_are_lost_as_well():
    p = strike_force()
    p.ships(HOME, "U7", 5).ships(GERMAN, "S8", 1, sea=True).ships("German Fleet 2", "S8", 0, 2, sea=True)
    p.begin(ALLIES, Movement())
    p.do(ALLIES, Sail(HOME, 5, 0, "sea", "S8", HOME))
    p.dice(6, 6).do(ALLIES, Fight(HOME, GERMAN))
    assert p.find("German Fleet 2") == "S8 at sea"
    p.do(ALLIES, Done())
    assert p.find("German Fleet 2") is None
    assert p.afloat(HOME) == (5, 0)


@pytest.mark.rule("hw-ship-2")
def test_a_ship_is_not_finished_without_a_port_to_put_it_in():
    p = Admiral(ship_builds=True)
    assert unpaid(p, 0) == [6]
    p.hold_all(SOVIET, "germany")
    yard(p, AXIS, 9)
    assert not p.allows(AXIS, PayHull("Hull 1", 6))
    p.do(AXIS, PayHull("Hull 1", 5))
    assert unpaid(p, 0) == [1]
    p.hold(AXIS, "Q10")
    yard(p, AXIS, 9).do(AXIS, PayHull("Hull 1", 1), Commission(GERMAN, "Q10"))
    assert p.afloat(GERMAN) == (1, 0)
