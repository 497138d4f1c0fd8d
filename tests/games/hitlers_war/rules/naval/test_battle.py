"""Optional naval action: the course of a battle at sea, shot by shot."""

from __future__ import annotations

import pytest

from sandtable.core import Rolled
from sandtable.core.columns import put
from sandtable.games.hitlers_war.model.actions import Done, Fight, Lose, Sail
from sandtable.games.hitlers_war.model.atlas import ATLAS
from sandtable.games.hitlers_war.model.events import BattleWon, Fired, FleetsMet, ShipsLost
from sandtable.games.hitlers_war.model.fleets import INDEX, PORT, RADIUS, SUPPORT
from sandtable.games.hitlers_war.rules.movement_phase import Movement
from sandtable.games.hitlers_war.rules.naval.battle import Battle, Engage, ShipLosses
from sandtable.games.hitlers_war.rules.naval.fleets import ways_of
from tests.games.hitlers_war.positions import ALLIES, AXIS, SOVIET
from tests.games.hitlers_war.positions_naval import Admiral

HOME, MED, THIRD = "British Fleet 1", "British Fleet 2", "British Fleet 3"
GERMAN, SECOND = "German Fleet 1", "German Fleet 2"


def fleets(*rows: tuple[str, int, int]) -> Admiral:
    """Fleets at sea in S8: name, capital ships, carriers."""
    p = Admiral(carriers=True)
    for name, ships, carriers in rows:
        p.ships(name, "S8", ships, carriers, sea=True)
    return p


def fight(p: Admiral, one: str, other: str, *dice: int) -> Admiral:
    p.dice(*dice)
    p.begin(ALLIES, Battle(INDEX[one], INDEX[other]))
    return p


def sunk(p: Admiral) -> list[tuple[str, str, int]]:
    return [(event.fleet, event.kind[1:], event.number) for event in p.happened(ShipsLost)]


@pytest.mark.rule("hw-navbattle-2", "hw-carrier-3")
def test_the_log_of_a_battle():
    """Who met whom, each die by its rule, every shot into the hex of the battle, the winner."""
    p = fight(fleets((HOME, 3, 1), (GERMAN, 2, 0)), HOME, GERMAN, 6, 6, 6)
    assert [(event.fleet, event.foe) for event in p.happened(FleetsMet)] == [(HOME, GERMAN)]
    assert [(die.why, die.sides) for die in p.happened(Rolled)] == [("hw-carrier-3", 6), *[("hw-navbattle-2", 6)] * 2]
    shots = [(shot.by, shot.at, shot.strength) for shot in p.happened(Fired)]
    assert shots == [(HOME, "S8", 3), (HOME, "S8", 6), (GERMAN, "S8", 4)]
    assert [event.fleet for event in p.happened(BattleWon)] == [HOME]
    assert p.state.at_war is False  # the British have been at war with Germany all along


@pytest.mark.rule("hw-navbattle-2")
def test_who_sinks_each_other_leaves_no_winner():
    p = fight(fleets((HOME, 1, 0), (GERMAN, 1, 0)), HOME, GERMAN, 1, 1)
    assert (p.find(HOME), p.find(GERMAN)) == (None, None)
    assert p.happened(BattleWon) == []
    assert p.parked


@pytest.mark.rule("hw-navbattle-2")
def test_the_guns_fire_together_so_that_the_sunk_have_fired():
    p = fight(fleets((HOME, 5, 0), (GERMAN, 1, 0)), HOME, GERMAN, 1, 1)
    assert sunk(p) == [(GERMAN, "capital_ship", 1), (HOME, "capital_ship", 1)]
    assert (p.find(GERMAN), p.afloat(HOME)) == (None, (4, 0))


@pytest.mark.rule("hw-morale-6")
def test_a_weary_nation_shoots_worse_at_sea():
    p = fleets((HOME, 5, 0), (GERMAN, 5, 0)).spirits(germany=5)
    p.dice(1, 1).begin(ALLIES, Battle(INDEX[HOME], INDEX[GERMAN]))
    assert [(shot.by, shot.die, shot.modified) for shot in p.happened(Fired)] == [(HOME, 1, 1), (GERMAN, 1, 2)]


@pytest.mark.rule("hw-carrier-6")
def test_carriers_alone_are_gone_before_the_guns_speak():
    p = fight(fleets((HOME, 0, 3), (GERMAN, 3, 0)), HOME, GERMAN, 6, 1)
    assert sunk(p) == [(GERMAN, "capital_ship", 1)] * 2 + [(HOME, "carrier", 3)]


@pytest.mark.rule("hw-carrier-6")
def test_carriers_left_alone_by_the_guns_are_gone_too():
    p = fight(fleets((HOME, 2, 0), (GERMAN, 1, 2)), HOME, GERMAN, 6, 1, 6)
    assert sunk(p)[1:] == [(GERMAN, "capital_ship", 1), (GERMAN, "carrier", 2)]
    assert (p.find(GERMAN), p.afloat(HOME)) == (None, (1, 0))
    p = fight(fleets((HOME, 2, 0), (GERMAN, 1, 2)), HOME, GERMAN, 6, 6, 6)
    assert p.afloat(GERMAN) == (1, 2)  # its capital ship has come through, and so have they


@pytest.mark.rule("hw-carrier-6")
def test_carriers_left_alone_on_both_sides_stay():
    p = fight(fleets((HOME, 1, 1), (GERMAN, 1, 1)), HOME, GERMAN, 6, 6, 1, 1)
    assert (p.afloat(HOME), p.afloat(GERMAN)) == ((0, 1), (0, 1))


@pytest.mark.rule("hw-carrier-6")
def test_both_lose_their_lone_carriers_only_to_capital_ships():
    p = fight(fleets((HOME, 0, 1), (GERMAN, 0, 1)), HOME, GERMAN, 6, 6)
    assert (p.afloat(HOME), p.afloat(GERMAN)) == ((0, 1), (0, 1))
    assert [event.fleet for event in p.happened(BattleWon)] == [GERMAN]


# ---- losses
@pytest.mark.rule("hw-carrier-4")
def test_losses_to_aircraft_are_the_owners_choice_while_there_is_one():
    p = fleets((HOME, 1, 2))
    p.begin(AXIS, ShipLosses(INDEX[HOME], 2))
    assert p.asked == ALLIES
    assert [action.kind for action in p.offered(Lose, ALLIES)] == ["capital_ship", "carrier"]
    p.do(ALLIES, Lose(HOME, "capital_ship"))  # then only carriers are left: the second loss needs no asking
    assert (p.parked, p.afloat(HOME)) == (True, (0, 1))


@pytest.mark.rule("hw-carrier-4")
def test_losses_to_guns_take_capital_ships_then_carriers_and_stop_with_the_fleet():
    p = fleets((HOME, 1, 2))
    p.begin(AXIS, ShipLosses(INDEX[HOME], 2, guns=True))
    assert (p.parked, p.afloat(HOME)) == (True, (0, 1))
    p.begin(AXIS, ShipLosses(INDEX[HOME], 0))
    assert (p.parked, p.afloat(HOME)) == (True, (0, 1))
    p.begin(AXIS, ShipLosses(INDEX[HOME], 5))
    assert (p.parked, p.find(HOME)) == (True, None)
    assert sunk(p) == [(HOME, "carrier", 1)]


# ---- going on
@pytest.mark.rule("hw-navbattle-5")
def test_after_the_first_battle_even_a_single_enemy_need_not_be_fought():
    p = fleets((HOME, 5, 0), (GERMAN, 1, 0))
    p.begin(ALLIES, Engage(INDEX[HOME], ATLAS.index["U7"], must=False))
    assert (p.at_step, p.asked) == ("Engage", ALLIES)
    assert p.allows(ALLIES, Done())
    assert p.allows(ALLIES, Fight(HOME, GERMAN))
    p.dice(6, 6).begin(ALLIES, Engage(INDEX[HOME], ATLAS.index["U7"]))
    assert p.find(GERMAN) is None  # the first one it must fight, and there is only this


@pytest.mark.rule("hw-navbattle-3")
def test_the_range_of_a_winner_ends_after_seven_hexes():
    start = ATLAS.index["U7"]
    sailed = ways_of(fleets((HOME, 6, 0)).state, INDEX[HOME], start).hexes
    near, far = (next(x for x in sorted(sailed) if sailed[x] == n and ATLAS.is_sea[x]) for n in (RADIUS, RADIUS + 1))
    p = fleets((HOME, 6, 0))
    p.ships(GERMAN, ATLAS.names[near], 1, sea=True).begin(ALLIES, Engage(INDEX[HOME], start, must=False))
    assert p.allows(ALLIES, Fight(HOME, GERMAN))
    p = fleets((HOME, 6, 0), (GERMAN, 1, 0))
    p.ships(SECOND, ATLAS.names[far], 1, sea=True).begin(ALLIES, Engage(INDEX[HOME], start, must=False))
    assert [action.foe for action in p.offered(Fight, ALLIES)] == [GERMAN]
    refusal = p.refused(ALLIES, Fight(HOME, SECOND))
    assert (refusal.reason, refusal.facts["sailed"], refusal.facts["reach"]) == ("hw-fleet-range", RADIUS + 1, RADIUS)
    p.ships(HOME, ATLAS.names[far], 6, sea=True)  # in its own hex the range does not matter
    p.begin(ALLIES, Engage(INDEX[HOME], start, must=False))
    assert p.allows(ALLIES, Fight(HOME, SECOND))


@pytest.mark.rule("hw-navbattle-3")
def test_the_winner_sails_to_the_fleet_it_attacks_next():
    p = fleets((HOME, 6, 0))
    p.ships(GERMAN, "T8", 1, sea=True)
    p.begin(ALLIES, Engage(INDEX[HOME], ATLAS.index["U7"], must=False))
    p.dice(6, 6, 6).do(ALLIES, Fight(HOME, GERMAN))
    assert (p.find(HOME), p.find(GERMAN)) == ("T8 at sea", None)


@pytest.mark.rule("hw-navbattle-3")
def test_nobody_attacks_partners_strangers_or_ships_in_port():
    p = fleets((HOME, 6, 0), (GERMAN, 1, 0), ("Soviet Fleet 1", 1, 0))
    p.ships(SECOND, "Q9", 1).ships(MED, "S8", 1, sea=True)
    p.begin(ALLIES, Engage(INDEX[HOME], ATLAS.index["U7"], must=False))
    assert [action.foe for action in p.offered(Fight, ALLIES)] == [GERMAN]
    for foe in (SECOND, MED, "Soviet Fleet 1", "German Fleet 3"):
        assert p.refused(ALLIES, Fight(HOME, foe)).reason == "hw-not-at-sea-there"
    assert p.refused(ALLIES, Fight(HOME, "Flying Dutchman")).reason == "sandtable-not-available"
    assert p.refused(ALLIES, Fight(MED, GERMAN)).reason == "sandtable-not-available"


@pytest.mark.rule("hw-navbattle-3")
@pytest.mark.parametrize("where", ["sunk", "in port"])
def test_who_is_sunk_or_driven_home_attacks_no_more(where):
    p = fleets((GERMAN, 1, 0))
    p.ships(HOME, "U7", 2) if where == "in port" else None
    p.begin(ALLIES, Engage(INDEX[HOME], ATLAS.index["U7"], must=False))
    assert p.parked


# ---- carriers beside a battle
@pytest.mark.rule("hw-carrier-6")
def test_when_the_fighting_is_over_lone_carriers_are_swept_away_by_enemies_only():
    p = fleets((HOME, 2, 0), (GERMAN, 0, 1), (SECOND, 1, 1), ("Soviet Fleet 1", 0, 1), (THIRD, 0, 1))
    p.ships("German Fleet 3", "T8", 0, 1, sea=True).ships("German Fleet 4", "S8", 0, 1)
    p.begin(ALLIES, Engage(INDEX[HOME], ATLAS.index["U7"], must=False)).do(ALLIES, Done())
    assert p.find(GERMAN) is None  # alone beside British capital ships
    assert p.afloat(SECOND) == (1, 1)  # has a capital ship of its own
    assert p.find("German Fleet 3") == "T8 at sea"  # elsewhere
    assert p.afloat("German Fleet 4") == (0, 1)  # in port
    assert (p.find("Soviet Fleet 1"), p.find(THIRD)) == (None, None)  # beside a German capital ship


@pytest.mark.rule("hw-navbattle-1")
def test_the_battle_begins_in_the_hex_of_the_enemy():
    p = Admiral()
    p.ships(HOME, "U7", 4).ships(GERMAN, "S8", 2, sea=True)
    p.begin(ALLIES, Movement()).dice(6, 6)
    p.do(ALLIES, Sail(HOME, 4, 0, "sea", "S8", HOME))
    assert {shot.at for shot in p.happened(Fired)} == {"S8"}
    assert (p.at_step, p.asked) == ("HomeToPort", AXIS)


@pytest.mark.rule("hw-navbattle-2")
def test_axis_and_soviets_who_meet_at_sea_are_at_war_whoever_began():
    for one, other in ((GERMAN, "Soviet Fleet 1"), ("Soviet Fleet 1", GERMAN)):
        p = fleets((GERMAN, 1, 0), ("Soviet Fleet 1", 1, 0))
        p.dice(6, 6).begin(SOVIET, Battle(INDEX[one], INDEX[other]))
        assert p.state.at_war is True


@pytest.mark.rule("hw-navbattle-4")
def test_a_beaten_supporting_fleet_is_in_port_and_supports_nobody():
    p = fleets((HOME, 5, 0))
    p.ships(GERMAN, "Q9", 2)
    p.state.fleet_state = put(p.state.fleet_state, INDEX[GERMAN], SUPPORT)
    p.state.escorting = {INDEX[GERMAN]: 0, INDEX[SECOND]: 1}
    fight(p, HOME, GERMAN, 6, 6)
    assert (p.afloat(GERMAN), p.find(GERMAN), p.parked) == ((0, 0), None, True)
    p = fleets((HOME, 5, 0))
    p.ships(GERMAN, "Q9", 4)
    p.state.fleet_state = put(p.state.fleet_state, INDEX[GERMAN], SUPPORT)
    p.state.escorting = {INDEX[GERMAN]: 0, INDEX[SECOND]: 1}
    fight(p, HOME, GERMAN, 6, 6)
    assert p.state.fleet_state[INDEX[GERMAN]] == PORT
    assert p.state.escorting == {INDEX[SECOND]: 1}
    assert (p.find(GERMAN), p.parked) == ("Q9", True)


@pytest.mark.rule("hw-fleetmove-6", "hw-navbattle-3")
def test_a_raider_in_the_box_is_nowhere_at_sea_to_be_attacked():
    p = fleets((HOME, 4, 0), (GERMAN, 1, 0))
    p.ships(SECOND, "raid", 1)
    p.begin(ALLIES, Engage(INDEX[HOME], ATLAS.index["U7"], must=False))
    assert {action.foe for action in p.offered(Fight, ALLIES)} == {GERMAN}
    assert p.rule(ALLIES, Fight(HOME, SECOND)) == "hw-fleetmove-6"


@pytest.mark.rule("hw-navbattle-3")
def test_a_fleet_that_was_sunk_or_driven_home_attacks_nobody_else():
    p = fleets((GERMAN, 1, 0), (SECOND, 1, 0))
    p.ships(HOME, "U7", 2)
    p.begin(ALLIES, Engage(INDEX[HOME], ATLAS.index["U7"], must=False))
    assert p.at_step != "Engage"
