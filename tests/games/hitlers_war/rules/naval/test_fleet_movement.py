"""Optional rule: naval action. Fleets, ports, movement, battles, interceptions."""

import pytest

from sandtable.core.columns import having, put
from sandtable.games.hitlers_war.facts.seaways import seaways
from sandtable.games.hitlers_war.model.actions import (
    Advance,
    Attack,
    Commission,
    Done,
    Fight,
    Intercept,
    Invade,
    LayDown,
    Lose,
    March,
    Meet,
    Sail,
    Shell,
    ShellCoast,
    Support,
)
from sandtable.games.hitlers_war.model.atlas import ATLAS
from sandtable.games.hitlers_war.model.events import BattleWon, Fired, ShipsLost
from sandtable.games.hitlers_war.model.fleets import NAMES, NATION_OF, NATIONS, SHIP_SEAS, SIDE_OF
from sandtable.games.hitlers_war.model.state import INVASION
from sandtable.games.hitlers_war.rules.combat_phase import CombatPhase, Invasions
from sandtable.games.hitlers_war.rules.movement_phase import Movement, MovementPhase
from sandtable.games.hitlers_war.rules.naval.fleets import capacity
from sandtable.games.hitlers_war.rules.production_phase import Production
from sandtable.games.hitlers_war.rules.routes import route_waters
from sandtable.games.hitlers_war.rules.supply import unsupplied
from tests.games.hitlers_war.positions import ALLIES, AXIS, SOVIET, Position, at, no
from tests.games.hitlers_war.positions_naval import Admiral

HOME, MED = "British Fleet 1", "British Fleet 2"
GERMAN, SECOND = "German Fleet 1", "German Fleet 2"


def fires(p: Position) -> list[tuple[str, int, int]]:
    return [(event.by.lstrip("@"), event.strength, event.losses) for event in p.happened(Fired)]


def sail(name: str, ships: int, how: str, to: str, into: str = "", carriers: int = 0) -> Sail:
    return Sail(name, ships, carriers, how, to, into or name)


# ---- the fleets
@pytest.mark.rule("hw-nav-1")
def test_fleets_sail_in_every_sea():
    p = Admiral()
    p.ships("Soviet Fleet 1", "L16", 2).ships(MED, "D14", 2).ships(GERMAN, "Q11", 1)
    p.begin(SOVIET, Movement())
    assert p.allows(SOVIET, sail("Soviet Fleet 1", 2, "sea", "K16"))
    p.begin(ALLIES, Movement())
    assert p.allows(ALLIES, sail(MED, 2, "sea", "F14"))
    p.begin(AXIS, Movement())
    assert p.allows(AXIS, sail(GERMAN, 1, "sea", "R11"))
    assert "sortie" not in p.verbs(AXIS)
    sides = {name: sum(NATIONS[n] == name for n in NATION_OF) for name in NATIONS}
    assert sides == {"germany": 4, "italy": 2, "great_britain": 4, "france": 2, "soviet_union": 4}


@pytest.mark.rule("hw-nav-2", "hw-map-anchor")
def test_anchors_hold_any_number_gibraltar_three_and_other_coasts_one():
    assert capacity(at("U7")) > 1000
    assert capacity(at("H4")) == 3
    assert capacity(at("P7")) == 1
    p = Admiral()
    p.ships(HOME, "U7", 9).ships(MED, "H4", 2)
    p.begin(ALLIES, Movement())
    assert p.allows(ALLIES, sail(HOME, 9, "port", "P6"))
    assert p.rule(ALLIES, sail(HOME, 2, "port", "P7", "British Fleet 3")) == "hw-nav-2"
    assert p.allows(ALLIES, sail(HOME, 1, "port", "P7", "British Fleet 3"))
    assert p.allows(ALLIES, sail(HOME, 1, "port", "H4", "British Fleet 3"))
    assert p.rule(ALLIES, sail(HOME, 2, "port", "H4", MED)) == "hw-nav-2"
    assert p.rule(ALLIES, sail(HOME, 1, "port", "S8", "British Fleet 3")) == "hw-nav-2"
    p.do(ALLIES, sail(HOME, 9, "sea", "S8"))
    assert p.find(HOME) == "S8 at sea"


@pytest.mark.rule("hw-nav-3")
def test_ship_points_stay_with_their_nation():
    p = Admiral()
    p.ships(HOME, "U7", 3).ships("French Fleet 1", "N5", 2)
    p.begin(ALLIES, Production())
    p.money(11).do(ALLIES, LayDown("capital_ship", 11))
    assert {action.fleet for action in p.offered(Commission, ALLIES)} == {
        name for name, side in zip(NAMES, SIDE_OF, strict=True) if side == 2
    }
    assert p.rule(ALLIES, Commission(GERMAN, "U7")) == "hw-nav-3"
    p.do(ALLIES, Commission("French Fleet 1", "N5"))
    assert p.afloat("French Fleet 1") == (3, 0)
    p.begin(ALLIES, Movement())
    assert p.rule(ALLIES, sail(HOME, 1, "port", "U7", "French Fleet 2")) == "hw-nav-3"
    assert p.allows(ALLIES, sail(HOME, 1, "port", "U7", MED))


@pytest.mark.rule("hw-nav-4")
def test_who_may_use_which_ports():
    p = Admiral()
    p.ships(HOME, "U7", 1).ships("French Fleet 1", "N5", 1)
    p.begin(ALLIES, Movement())
    assert p.rule(ALLIES, sail(HOME, 1, "port", "N5")) == "hw-nav-4"
    assert p.rule(ALLIES, sail("French Fleet 1", 1, "port", "P6")) == "hw-nav-4"
    assert p.allows(ALLIES, sail("French Fleet 1", 1, "port", "F3"))
    assert p.rule(ALLIES, sail(HOME, 1, "port", "Q9")) == "hw-nav-4"
    p.hold_all(AXIS, "norway")
    p.hold_all(AXIS, "italy")
    p.state.italy = 1
    p.ships(GERMAN, "Q9", 1).ships("Italian Fleet 1", "J11", 1)
    p.hold(AXIS, "G11", "G9")
    p.begin(AXIS, Movement())
    assert p.allows(AXIS, sail(GERMAN, 1, "port", "T9"))
    assert p.rule(AXIS, sail("Italian Fleet 1", 1, "port", "G11")) == "hw-nav-4"
    assert p.allows(AXIS, sail("Italian Fleet 1", 1, "port", "K10"))
    p.ships("Soviet Fleet 1", "T15", 1)
    p.hold(SOVIET, "S14", "R13")
    p.begin(SOVIET, Movement())
    assert p.allows(SOVIET, sail("Soviet Fleet 1", 1, "port", "R13"))


@pytest.mark.rule("hw-nav-5")
def test_new_ships_join_fleets_in_port():
    p = Admiral()
    p.ships(GERMAN, "Q8", 2, sea=True).ships(SECOND, "Q10", 1)
    p.begin(AXIS, Production())
    p.money(11).do(AXIS, LayDown("capital_ship", 11))
    assert p.rule(AXIS, Commission(GERMAN, "Q10")) == "hw-nav-5"
    p.do(AXIS, Commission(SECOND, "Q10"))
    assert (p.afloat(SECOND), p.state.budget) == ((2, 0), 0)


@pytest.mark.rule("hw-nav-6")
def test_the_ships_of_the_optional_set_up():
    p = Position("campaign-2", naval_action=True)
    s = p.state
    totals = {name: sum(s.ships[f] for f, n in enumerate(NATION_OF) if NATIONS[n] == name) for name in NATIONS}
    assert totals == {"germany": 2, "italy": 3, "great_britain": 8, "france": 5, "soviet_union": 1}
    out = [NAMES[f] for f, state in enumerate(s.fleet_state) if state != 0]
    assert len(out) == 1
    assert s.fleet_at[NAMES.index(out[0])] == -2
    assert sum(s.carriers) == 0
    assert s.box[:15].count(0) == 14
    assert p.match.faults() == []


# ---- movement
@pytest.mark.rule("hw-fleetmove-1")
def test_ships_at_sea_come_home_before_anything_else():
    p = Admiral()
    p.ships(HOME, "S8", 4, sea=True).ships(GERMAN, "Q8", 1, sea=True)
    p.begin(ALLIES, MovementPhase())
    assert (p.at_step, p.asked) == ("HomeToPort", ALLIES)
    assert not p.allows(ALLIES, Done())
    assert p.rule(ALLIES, sail(HOME, 4, "port", "H4")) == "hw-nav-2"
    p.do(ALLIES, sail(HOME, 4, "port", "R6"))
    assert (p.find(HOME), p.at_step) == ("R6", "Movement")
    assert p.find(GERMAN) == "Q8 at sea"
    assert p.allows(ALLIES, sail(HOME, 4, "sea", "S8"))


@pytest.mark.rule("hw-fleetmove-1")
def test_ships_without_a_port_or_above_its_room_are_eliminated():
    p = Admiral()
    p.hold_all(AXIS, "great_britain")
    p.hold(AXIS, "R5", "G11", "D14", "D15", "G16", "E16", "D16", "C16", "B16", "A17")
    p.hold(AXIS, "canada", "british_africa", "india")
    p.ships(HOME, "S8", 5, sea=True)
    p.begin(ALLIES, MovementPhase())
    p.do(ALLIES, sail(HOME, 3, "port", "H4", MED))
    assert (p.afloat(MED), p.find(HOME)) == ((3, 0), None)
    assert [event.number for event in p.happened(ShipsLost)] == [2]


@pytest.mark.rule("hw-fleetmove-1")
def test_without_a_spare_counter_a_fleet_goes_whole_or_with_what_fits():
    p = Admiral()
    p.ships("French Fleet 1", "M5", 3, sea=True).ships("French Fleet 2", "L8", 1)
    p.begin(ALLIES, MovementPhase())
    assert not p.allows(ALLIES, sail("French Fleet 1", 1, "port", "N5"))
    p.do(ALLIES, sail("French Fleet 1", 3, "port", "N5"))
    assert (p.find("French Fleet 1"), p.afloat("French Fleet 1")) == ("N5", (3, 0))
    p.hold(AXIS, "N5", "F3")
    p.ships("French Fleet 1", "M5", 3, sea=True)
    p.begin(ALLIES, MovementPhase())
    p.do(ALLIES, sail("French Fleet 1", 1, "port", "M7"))
    assert (p.find("French Fleet 1"), p.afloat("French Fleet 1")) == ("M7", (1, 0))
    assert [event.number for event in p.happened(ShipsLost)] == [2]


@pytest.mark.rule("hw-fleetmove-2")
def test_every_ship_point_makes_one_move():
    p = Admiral()
    p.ships(HOME, "U7", 4)
    p.begin(ALLIES, Movement())
    p.do(ALLIES, sail(HOME, 2, "port", "R6", MED))
    assert (p.afloat(HOME), p.afloat(MED)) == ((2, 0), (2, 0))
    assert p.rule(ALLIES, sail(MED, 2, "port", "U7")) == "hw-fleetmove-2"
    p.do(ALLIES, sail(HOME, 1, "port", "R6", MED), sail(HOME, 1, "sea", "T6"))
    assert (p.find(HOME), p.afloat(MED)) == ("T6 at sea", (3, 0))
    assert p.rule(ALLIES, sail(HOME, 1, "port", "U7")) == "hw-fleetmove-2"
    p.begin(ALLIES, MovementPhase())
    p.do(ALLIES, sail(HOME, 1, "port", "U7"))
    assert p.allows(ALLIES, sail(MED, 3, "port", "P6"))


@pytest.mark.rule("hw-fleetmove-3")
def test_seven_hexes_out_to_sea_and_any_distance_to_a_port():
    p = Admiral()
    p.ships(HOME, "U7", 1)
    p.begin(ALLIES, Movement())
    reach = seaways(p.state)[2].ways(at("U7")).hexes
    seven = next(ATLAS.names[x] for x, sailed in reach.items() if sailed == 7 and ATLAS.is_sea[x])
    eight = next(ATLAS.names[x] for x, sailed in reach.items() if sailed == 8 and ATLAS.is_sea[x])
    assert p.allows(ALLIES, sail(HOME, 1, "sea", seven))
    assert p.rule(ALLIES, sail(HOME, 1, "sea", eight)) == "hw-fleetmove-3"
    assert p.allows(ALLIES, sail(HOME, 1, "port", "H4"))
    assert p.rule(ALLIES, sail(HOME, 1, "sea", "K16")) == "hw-fleetmove-3"
    assert p.allows(ALLIES, sail(HOME, 1, "port", "D14"))
    p.hold(AXIS, "H4", "british_africa")
    assert p.begin(ALLIES, Movement()).rule(ALLIES, sail(HOME, 1, "port", "D14")) == "hw-fleetmove-3"


@pytest.mark.rule("hw-fleetmove-3")
def test_not_off_the_port_of_an_enemy_fleet():
    p = Admiral()
    p.ships(HOME, "R6", 1).ships(GERMAN, "Q9", 1)
    p.begin(ALLIES, Movement())
    assert p.rule(ALLIES, sail(HOME, 1, "sea", "Q9")) == "hw-fleetmove-3"
    p.ships(GERMAN, "Q10", 1)
    p.begin(ALLIES, Movement())
    assert p.allows(ALLIES, sail(HOME, 1, "sea", "Q9"))


@pytest.mark.rule("hw-fleetmove-4")
def test_fleets_come_and_go_and_every_ship_is_in_one():
    p = Admiral()
    p.ships(HOME, "U7", 2)
    p.begin(ALLIES, Movement())
    p.do(ALLIES, sail(HOME, 2, "port", "U7", MED))
    assert (p.find(HOME), p.find(MED), p.afloat(MED)) == (None, "U7", (2, 0))
    p.do(ALLIES, sail(MED, 1, "sea", "U6", HOME), Done())
    assert (p.find(HOME), p.afloat(HOME), p.afloat(MED)) == ("U6 at sea", (1, 0), (1, 0))
    assert sum(p.state.ships) == 2
    assert p.match.faults() == []


@pytest.mark.rule("hw-fleetmove-5")
def test_a_country_has_only_its_own_counters():
    p = Admiral()
    p.ships("French Fleet 1", "N5", 3).ships("French Fleet 2", "L8", 1)
    p.begin(ALLIES, Movement())
    assert p.rule(ALLIES, sail("French Fleet 1", 1, "sea", "M5", "French Fleet 2")) == "hw-fleetmove-5"
    assert p.allows(ALLIES, sail("French Fleet 1", 3, "sea", "M5"))


@pytest.mark.rule("hw-fleetmove-6")
def test_ships_in_port_are_safe_until_an_army_enters_it():
    p = Admiral()
    p.ships("French Fleet 1", "N5", 3).ships(GERMAN, "Q9", 2)
    p.hold(AXIS, "N6")
    army = p.army("OKW", "N6", mechanized=9)
    p.begin(AXIS, Movement())
    assert p.rule(AXIS, sail(GERMAN, 2, "sea", "N5")) == "hw-fleetmove-3"
    p.begin(AXIS, CombatPhase()).do(AXIS, Attack("OKW", "N5"), Done(), Done()).dice(1)
    p.do(AXIS, Advance("OKW", 0))
    assert (p.at_step, p.asked) == ("HomeToPort", ALLIES)
    p.do(ALLIES, sail("French Fleet 1", 3, "port", "F3"))
    assert p.find("French Fleet 1") == "F3"
    assert p.state.army_at[army] == at("N5")


@pytest.mark.rule("hw-fleetmove-6")
def test_a_surrender_sends_ships_away_too():
    p = Admiral()
    p.ships("French Fleet 1", "L8", 3).ships("French Fleet 2", "G6", 1)
    p.hold(AXIS, "N7")
    p.begin(AXIS, CombatPhase()).do(AXIS, Done())
    assert p.owner("L8") == AXIS
    assert p.at_step == "HomeToPort"
    while p.at_step == "HomeToPort":
        choice = p.offered(Sail, ALLIES)[0]
        assert p.owner(choice.to) == ALLIES
        p.do(ALLIES, choice)
    assert p.match.faults() == []


@pytest.mark.rule("hw-fleetmove-7")
def test_a_fleet_off_a_coast_says_whether_it_is_in_port():
    p = Admiral()
    p.ships(HOME, "U7", 2)
    p.begin(ALLIES, Movement())
    p.do(ALLIES, sail(HOME, 1, "sea", "U7", MED))
    assert (p.find(HOME), p.find(MED)) == ("U7", "U7 at sea")


@pytest.mark.rule("hw-fleetmove-8")
def test_leningrad_kiel_and_taranto():
    assert [ATLAS.seas[sea] for sea in SHIP_SEAS[at("T15")]] == ["baltic"]
    p = Admiral()
    p.hold("nobody", "S10")
    p.ships(GERMAN, "Q11", 1)
    p.begin(AXIS, Movement())
    assert p.allows(AXIS, sail(GERMAN, 1, "sea", "Q8"))
    p.hold("nobody", "Q10")
    closed = seaways(p.state)[0].ways(at("Q11")).hexes
    p.hold(AXIS, "Q10")
    assert at("Q8") not in closed
    p.hold_all(AXIS, "italy")
    steps = {ATLAS.names[x] for x, sailed in seaways(p.state)[0].ways(at("J11")).hexes.items() if sailed == 1}
    assert steps == {"I12"}
    p.hold("nobody", "I12")
    assert set(seaways(p.state)[0].ways(at("J11")).hexes) == {at("J11")}
    inward = seaways(p.state)[0].ways(at("K12")).hexes
    assert inward.get(at("J11"), 99) != 1


# ---- fleets at sea
@pytest.mark.rule("hw-atsea-1", "hw-navbattle-5")
def test_fleets_stay_at_sea_until_their_next_movement_and_need_not_fight():
    p = Admiral()
    p.ships(HOME, "S8", 4, sea=True).ships(GERMAN, "Q9", 2)
    p.begin(AXIS, MovementPhase()).do(AXIS, sail(GERMAN, 2, "sea", "R8"), Done())
    assert (p.find(HOME), p.find(GERMAN)) == ("S8 at sea", "R8 at sea")
    assert fires(p) == []
    p.begin(ALLIES, MovementPhase())
    assert p.at_step == "HomeToPort"


@pytest.mark.rule("hw-atsea-2")
def test_a_fleet_at_sea_blocks_supply_and_movement_but_not_battle():
    p = Admiral()
    p.hold(ALLIES, "S7", "T10", "T9")
    p.army("Britain", "P7", infantry=2)
    p.begin(ALLIES, Movement())
    assert p.allows(ALLIES, March("Britain", "T9"))
    for number, place in enumerate(("S9", "T8", "S10", "T10")):
        p.ships(f"German Fleet {number + 1}", place, 1, sea=True)
    p.begin(ALLIES, Movement())
    assert p.rule(ALLIES, March("Britain", "T9")) == "hw-move-3"
    p.hold(ALLIES, "U9")
    assert at("T9") not in unsupplied(p.state, 2)
    p.hold("nobody", "U9", "T10")
    assert at("T9") in unsupplied(p.state, 2)
    p.ships(HOME, "U7", 3)
    p.begin(ALLIES, Movement())
    assert p.allows(ALLIES, sail(HOME, 3, "sea", "T8"))
    blocked = seaways(p.state)[2].ways(at("U7"), frozenset({at("T8"), at("S9")})).hexes
    assert blocked[at("T8")] == 2
    assert at("T9") not in blocked or blocked[at("T9")] > 3


def channel(p: Admiral) -> Admiral:
    """Army Group A sails from Wilhelmshaven over three open sides of the Atlantic to Norway."""
    army = p.army("Army Group A", "Q9", infantry=2, amphibious=8)
    p.state.mode, p.state.target = put(p.state.mode, army, INVASION), put(p.state.target, army, at("T9"))
    p.state.routes = having(p.state.routes, army, route_waters(p.state, army, ("Q9", "R8", "S9", "T9")))
    return p


@pytest.mark.rule("hw-atsea-3")
def test_each_fleet_in_the_sea_of_the_route_fires_by_itself_and_goes_home():
    p = channel(Admiral())
    p.ships(HOME, "M5", 4, sea=True).ships(MED, "V6", 2, sea=True).ships("British Fleet 3", "F14", 9, sea=True)
    p.begin(AXIS, Invasions())
    assert p.asked == ALLIES
    assert p.rule(ALLIES, Shell("British Fleet 3", "Army Group A", 1)) == "hw-atsea-3"
    assert p.allows(ALLIES, Shell(HOME, "Army Group A", 3))
    assert not p.allows(ALLIES, Shell(HOME, "Army Group A", 4))
    p.dice(6, 6, 6, 6).do(ALLIES, Shell(HOME, "Army Group A", 2), Shell(HOME, "Army Group A", 1))
    assert p.rule(ALLIES, Shell(HOME, "Army Group A", 1)) == "hw-navfire-6"
    p.do(ALLIES, Shell(MED, "Army Group A", 1))
    assert fires(p) == [(HOME, 4, 0)] * 3 + [(MED, 2, 0)]
    p.do(ALLIES, Done())
    assert p.at_step == "HomeToPort"
    p.do(ALLIES, sail(HOME, 4, "port", "R6"), sail(MED, 2, "port", "U7"))
    assert p.find("British Fleet 3") == "F14 at sea"


@pytest.mark.rule("hw-atsea-3")
def test_half_of_the_losses_on_the_way_are_amphibious():
    p = channel(Admiral())
    p.ships(HOME, "M5", 6, sea=True)
    p.begin(AXIS, Invasions()).dice(1)
    p.do(ALLIES, Shell(HOME, "Army Group A", 1)).do(AXIS, Lose("Army Group A", "infantry"))
    assert p.strength("Army Group A") == {"infantry": 1, "amphibious": 7}


@pytest.mark.rule("hw-atsea-4")
def test_fleets_in_the_port_of_departure_may_support_and_fire_into_the_target():
    p = channel(Admiral())
    p.hold(ALLIES, "T9")
    p.army("Britain", "T9", infantry=5)
    p.ships(GERMAN, "Q9", 4).ships(SECOND, "Q10", 2)
    p.begin(AXIS, Invasions())
    assert p.at_step == "SupportFleets"
    assert p.rule(AXIS, Support(SECOND, "Army Group A")) == "hw-atsea-4"
    p.do(AXIS, Support(GERMAN, "Army Group A"))
    assert p.at_step == "FleetSupport"
    p.dice(1).do(AXIS, ShellCoast(GERMAN))
    assert fires(p) == [(GERMAN, 4, 2)]
    assert p.strength("Britain") == {"infantry": 3}
    assert not p.allows(AXIS, ShellCoast(GERMAN))
    assert p.find(GERMAN) == "Q9"


@pytest.mark.rule("hw-atsea-3")
def test_the_axis_too_fires_on_invaders():
    p = Admiral()
    army = p.army("Britain", "Q9", infantry=2, amphibious=8)
    p.state.mode, p.state.target = put(p.state.mode, army, INVASION), put(p.state.target, army, at("T9"))
    p.state.routes = having(p.state.routes, army, route_waters(p.state, army, ("Q9", "R8", "S9", "T9")))
    p.ships(GERMAN, "M5", 4, sea=True)
    p.begin(ALLIES, Invasions())
    assert (p.asked, p.at_step) == (AXIS, "Interceptions")
    assert p.allows(AXIS, Shell(GERMAN, "Britain", 3))


@pytest.mark.rule("hw-atsea-4", "hw-navbattle-4")
def test_supporting_fleets_must_be_beaten_before_the_army_is_fired_on():
    p = channel(Admiral())
    p.ships(GERMAN, "Q9", 1).ships(HOME, "M5", 5, sea=True)
    p.begin(AXIS, Invasions()).do(AXIS, Support(GERMAN, "Army Group A"))
    assert p.rule(ALLIES, Shell(HOME, "Army Group A", 1)) == "hw-navbattle-4"
    p.dice(6, 6).do(ALLIES, Intercept(HOME, "Army Group A"))
    assert p.find(GERMAN) is None
    assert p.afloat(HOME) == (5, 0)
    assert p.allows(ALLIES, Shell(HOME, "Army Group A", 3))


@pytest.mark.rule("hw-navbattle-4")
def test_a_beaten_supporting_fleet_lies_in_its_port_again():
    p = channel(Admiral())
    p.ships(GERMAN, "Q9", 3).ships(HOME, "M5", 5, sea=True)
    p.begin(AXIS, Invasions()).do(AXIS, Support(GERMAN, "Army Group A"))
    p.dice(6, 6).do(ALLIES, Intercept(HOME, "Army Group A"))
    assert (p.find(GERMAN), p.afloat(GERMAN)) == ("Q9", (1, 0))
    assert p.state.escorting == {}
    assert p.allows(ALLIES, Shell(HOME, "Army Group A", 3))


# ---- battles
@pytest.mark.rule("hw-navbattle-1")
def test_sailing_onto_a_fleet_at_sea_is_a_battle():
    p = Admiral()
    p.ships(HOME, "U7", 5).ships(GERMAN, "S8", 1, sea=True).ships(SECOND, "T8", 1, sea=True)
    p.begin(ALLIES, Movement()).dice(6, 6)
    p.do(ALLIES, sail(HOME, 5, "sea", "S8"))
    assert fires(p) == [(HOME, 10, 2), (GERMAN, 2, 0)]
    assert p.find(GERMAN) is None
    assert p.at_step == "Engage"
    p.do(ALLIES, Done())
    assert p.at_step == "Movement"


@pytest.mark.rule("hw-navbattle-1")
def test_it_must_fight_one_of_several_there():
    p = Admiral()
    p.ships(HOME, "U7", 5).ships(GERMAN, "S8", 1, sea=True).ships(SECOND, "S8", 2, sea=True)
    p.ships("German Fleet 3", "T8", 2, sea=True)
    p.begin(ALLIES, Movement())
    p.do(ALLIES, sail(HOME, 5, "sea", "S8"))
    assert not p.allows(ALLIES, Done())
    assert p.rule(ALLIES, Fight(HOME, "German Fleet 3")) == "hw-navbattle-1"
    p.dice(6, 6).do(ALLIES, Fight(HOME, SECOND))
    assert (p.find(SECOND), p.find(GERMAN)) == (None, "S8 at sea")
    assert p.allows(ALLIES, Done())


@pytest.mark.rule("hw-navbattle-2")
@pytest.mark.parametrize(
    ("ours", "theirs", "dice", "after", "beaten"),
    [
        (4, 2, (6, 6), (4, 1), GERMAN),  # eight ships' guns hit once, four miss
        (2, 4, (6, 6), (1, 4), HOME),
        (4, 2, (6, 1), (2, 1), GERMAN),  # the larger fleet stays, even if it lost more
        (3, 2, (6, 1), (1, 1), HOME),  # a tie: two sunk against one
        (2, 3, (1, 6), (1, 1), GERMAN),
        (3, 3, (6, 6), (2, 2), HOME),  # a tie in everything: the defender stays
    ],
)
def test_both_double_and_fire_together_and_the_smaller_goes_home(ours, theirs, dice, after, beaten):
    p = Admiral()
    p.ships(HOME, "U7", ours).ships(GERMAN, "S8", theirs, sea=True)
    p.begin(ALLIES, Movement()).dice(*dice)
    p.do(ALLIES, sail(HOME, ours, "sea", "S8"))
    assert [strength for _, strength, _ in fires(p)] == [2 * ours, 2 * theirs]
    assert (p.afloat(HOME)[0], p.afloat(GERMAN)[0]) == after
    assert p.at_step == "HomeToPort"
    assert p.asked == (AXIS if beaten == GERMAN else ALLIES)
    assert {action.fleet for action in p.offered(Sail, p.asked)} == {beaten}
    assert [event.fleet for event in p.happened(BattleWon)] == [HOME if beaten == GERMAN else GERMAN]


@pytest.mark.rule("hw-navbattle-3")
def test_a_winner_goes_on_within_seven_hexes_of_its_port():
    p = Admiral()
    p.ships(HOME, "U7", 6).ships(GERMAN, "T8", 1, sea=True).ships(SECOND, "S8", 1, sea=True)
    p.ships("German Fleet 3", "H3", 1, sea=True)
    p.begin(ALLIES, Movement()).dice(6, 6, 6, 6, 6, 6)
    p.do(ALLIES, sail(HOME, 6, "sea", "T8"))
    assert p.at_step == "Engage"
    assert p.rule(ALLIES, Fight(HOME, "German Fleet 3")) == "hw-navbattle-3"
    p.do(ALLIES, Fight(HOME, SECOND))
    assert (p.find(SECOND), p.find(HOME)) == (None, "S8 at sea")


@pytest.mark.rule("hw-navbattle-3")
def test_the_invader_chooses_which_supporting_fleet_takes_the_battle():
    p = channel(Admiral())
    p.ships(GERMAN, "Q9", 1).ships(SECOND, "Q9", 2).ships(HOME, "M5", 5, sea=True)
    p.begin(AXIS, Invasions()).do(AXIS, Support(GERMAN, "Army Group A"), Support(SECOND, "Army Group A"))
    p.do(ALLIES, Intercept(HOME, "Army Group A"))
    assert (p.at_step, p.asked) == ("TakeBattle", AXIS)
    p.dice(6, 6).do(AXIS, Meet(GERMAN))
    assert p.find(GERMAN) is None
    assert p.rule(ALLIES, Shell(HOME, "Army Group A", 1)) == "hw-navbattle-4"


@pytest.mark.rule("hw-atsea-2")
def test_invasion_routes_do_not_pass_a_hostile_fleet():
    p = Admiral()
    p.army("Army Group A", "Q9", amphibious=4)
    p.begin(AXIS, CombatPhase())
    assert p.allows(AXIS, Invade("Army Group A", "T9", ("Q9", "R8", "S9", "T9")))
    p.ships(HOME, "S9", 1, sea=True)
    p.begin(AXIS, CombatPhase())
    assert not p.allows(AXIS, Invade("Army Group A", "T9", ("Q9", "R8", "S9", "T9")))
    assert no("Army Group A") == 5


@pytest.mark.rule("hw-fleetmove-2")
def test_no_ship_sails_inland():
    p = Admiral()
    p.ships(HOME, "U7", 1)
    p.begin(ALLIES, Movement())
    assert p.rule(ALLIES, sail(HOME, 1, "sea", "N7")) == "hw-fleetmove-2"


@pytest.mark.rule("hw-atsea-2")
def test_a_fleet_off_a_port_keeps_ships_out_but_not_in():
    p = Admiral()
    p.ships(HOME, "U7", 2).ships(MED, "R6", 1).ships(GERMAN, "R6", 1, sea=True)
    p.begin(ALLIES, Movement())
    assert p.rule(ALLIES, sail(HOME, 2, "port", "R6")) == "hw-atsea-2"
    assert p.allows(ALLIES, sail(MED, 1, "port", "U7"))


@pytest.mark.rule("hw-navbattle-1")
def test_a_battle_between_axis_and_soviets_is_an_attack():
    p = Admiral()
    p.ships("Soviet Fleet 1", "T15", 2).ships(GERMAN, "S13", 1, sea=True)
    p.begin(SOVIET, Movement()).dice(6, 6)
    assert p.state.at_war is False
    p.do(SOVIET, sail("Soviet Fleet 1", 2, "sea", "S13"))
    assert p.state.at_war is True


@pytest.mark.rule("hw-nav-5")
def test_no_ship_is_begun_without_a_port_for_it():
    p = Admiral()
    p.hold_all(SOVIET, "germany")
    p.begin(AXIS, Production())
    p.money(30)
    p.begin(AXIS, Production())
    assert "lay-down" not in p.verbs(AXIS)
    p.hold(AXIS, "Q10")
    p.begin(AXIS, Production())
    assert p.allows(AXIS, LayDown("capital_ship", 11))


@pytest.mark.rule("hw-atsea-4")
def test_nobody_need_support_or_fire():
    p = channel(Admiral())
    p.hold(ALLIES, "T9")
    p.ships(GERMAN, "Q9", 4)
    p.begin(AXIS, Invasions()).do(AXIS, Done())
    assert p.state.escorting == {}
    p = channel(Admiral())
    p.hold(ALLIES, "T9")
    p.ships(GERMAN, "Q9", 4)
    p.begin(AXIS, Invasions()).do(AXIS, Support(GERMAN, "Army Group A"), Done())
    assert fires(p) == []


@pytest.mark.rule("hw-navbattle-3")
def test_a_beaten_attacker_attacks_no_more_and_a_winner_only_fleets_at_sea():
    p = Admiral()
    p.ships(HOME, "U7", 2).ships(GERMAN, "S8", 4, sea=True).ships(SECOND, "T8", 1, sea=True)
    p.begin(ALLIES, Movement()).dice(6, 6)
    p.do(ALLIES, sail(HOME, 2, "sea", "S8"), sail(HOME, 1, "port", "U7"))
    assert (p.at_step, p.find(SECOND)) == ("Movement", "T8 at sea")
    p = Admiral()
    p.ships(HOME, "U7", 6).ships(GERMAN, "S8", 1, sea=True).ships(SECOND, "Q9", 1)
    p.ships("German Fleet 3", "T8", 1, sea=True)
    p.begin(ALLIES, Movement()).dice(6, 6, 6)
    p.do(ALLIES, sail(HOME, 6, "sea", "S8"))
    assert p.rule(ALLIES, Fight(HOME, SECOND)) == "hw-fleetmove-6"
    assert p.rule(ALLIES, Fight(HOME, MED)) == "hw-fleetmove-6"


@pytest.mark.rule("hw-navbattle-3")
def test_without_another_fleet_in_range_the_winner_stays_where_it_is():
    p = Admiral()
    p.ships(HOME, "U7", 6).ships(GERMAN, "S8", 1, sea=True)
    p.begin(ALLIES, Movement()).dice(6, 6, 6)
    p.do(ALLIES, sail(HOME, 6, "sea", "S8"))
    assert (p.at_step, p.find(HOME)) == ("Movement", "S8 at sea")


@pytest.mark.rule("hw-navbattle-4", "hw-atsea-3")
def test_each_invading_army_is_guarded_by_its_own_fleets_alone():
    p = channel(Admiral())
    other = p.army("Army Group B", "Q9", infantry=1, amphibious=3)
    p.state.mode, p.state.target = put(p.state.mode, other, INVASION), put(p.state.target, other, at("T9"))
    p.state.routes = having(p.state.routes, other, route_waters(p.state, other, ("Q9", "R8", "S9", "T9")))
    p.ships(GERMAN, "Q9", 1).ships(HOME, "M5", 5, sea=True).ships("British Fleet 3", "U7", 2)
    p.begin(AXIS, Invasions()).do(AXIS, Support(GERMAN, "Army Group A"))
    assert p.rule(ALLIES, Intercept(HOME, "Army Group B")) == "hw-navbattle-4"
    assert p.rule(ALLIES, Shell(HOME, "Army Group A", 1)) == "hw-navbattle-4"
    assert p.rule(ALLIES, Shell("British Fleet 3", "Army Group B", 1)) == "hw-atsea-3"
    assert p.allows(ALLIES, Shell(HOME, "Army Group B", 3))
