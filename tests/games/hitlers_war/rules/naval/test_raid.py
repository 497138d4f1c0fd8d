"""Optional naval action: Axis raiders and those who chase them."""

import pytest

from sandtable.core import Rolled
from sandtable.games.hitlers_war.model.actions import Chase, Done, GoRaiding, March, Sail
from sandtable.games.hitlers_war.model.atlas import ATLAS
from sandtable.games.hitlers_war.model.events import Chased, Fired, Raiding
from sandtable.games.hitlers_war.model.fleets import INDEX
from sandtable.games.hitlers_war.rules.budget import budget
from sandtable.games.hitlers_war.rules.movement_phase import Movement, MovementPhase
from sandtable.games.hitlers_war.rules.naval.raid import search_bonus, why_no_raider
from sandtable.games.hitlers_war.rules.strategic.warfare_phase import SeaRaid
from tests.games.hitlers_war.positions import ALLIES, AXIS, SOVIET, Position
from tests.games.hitlers_war.positions_naval import Admiral

HOME, SECOND_HOME = "British Fleet 1", "British Fleet 2"
BISMARCK, GNEISENAU = "German Fleet 1", "German Fleet 2"


def fires(p: Position) -> list[tuple[str, int, int]]:
    return [(event.by.lstrip("@"), event.strength, event.losses) for event in p.happened(Fired)]


def out(p: Admiral, *fleets: str) -> Admiral:
    p.begin(AXIS, Movement())
    p.do(AXIS, GoRaiding(fleets))
    return p


@pytest.mark.rule("hw-raid-1")
def test_fleets_in_atlantic_ports_may_go_raiding():
    p = Admiral()
    p.ships(BISMARCK, "Q9", 2).ships(GNEISENAU, "Q11", 1)
    p.begin(AXIS, Movement())
    assert p.allows(AXIS, GoRaiding((BISMARCK,)))
    assert not p.allows(AXIS, GoRaiding((GNEISENAU,)))
    p.ships(GNEISENAU, "Q8", 1, sea=True)
    p.begin(AXIS, Movement())
    assert not p.allows(AXIS, GoRaiding((GNEISENAU,)))
    p.ships(GNEISENAU, "Q9", 1).begin(AXIS, Movement())
    p.do(AXIS, Sail(GNEISENAU, 1, 0, "port", "Q10", GNEISENAU))
    assert not p.allows(AXIS, GoRaiding((GNEISENAU,)))
    p.do(AXIS, GoRaiding((BISMARCK,)))
    assert (p.find(BISMARCK), p.at_step) == ("raid", "Movement")
    p.ships(HOME, "U7", 2)
    p.begin(ALLIES, Movement())
    assert "go-raiding" not in p.verbs(ALLIES)


@pytest.mark.rule("hw-raid-1", "hw-raid-2")
def test_raiders_cut_production_and_shipping_by_themselves_at_three_times_their_strength():
    p = Admiral()
    p.ships(BISMARCK, "raid", 2).wolves(5).dice(1, 3)
    full = budget(p.state, 2)
    p.begin(AXIS, SeaRaid())
    assert fires(p) == [("u-boats", 5, 2), ("raiders", 6, 2)]
    assert budget(p.state, 2) == full - 4
    p.state.america = 1
    p.hold(ALLIES, "us").wolves(0)
    p.army("U.S. Army", "us", infantry=3)
    p.begin(ALLIES, Movement()).dice(1)
    p.do(ALLIES, March("U.S. Army", "P6"), Done())
    assert fires(p) == [("raiders", 6, 2)]
    assert p.strength("U.S. Army") == {"infantry": 1}


@pytest.mark.rule("hw-raid-3")
def test_every_fleet_at_sea_in_the_atlantic_may_chase_the_allies_first():
    p = Admiral()
    p.ships(BISMARCK, "Q9", 1).ships(HOME, "M5", 2, sea=True).ships(SECOND_HOME, "F14", 2, sea=True)
    p.ships("British Fleet 3", "U7", 2).ships("Soviet Fleet 1", "X10", 1, sea=True)
    out(p, BISMARCK)
    assert p.asked == ALLIES
    assert {action.fleet for action in p.offered(Chase, ALLIES)} == {HOME}
    assert p.rule(ALLIES, Chase(SECOND_HOME, BISMARCK)) == "hw-raid-3"
    assert p.rule(ALLIES, Chase("British Fleet 3", BISMARCK)) == "hw-raid-3"
    p.do(ALLIES, Done())
    assert p.asked == SOVIET
    p.do(SOVIET, Done())
    assert p.find(BISMARCK) == "raid"


@pytest.mark.rule("hw-raid-3")
def test_in_the_box_they_are_safe():
    p = Admiral()
    p.ships(BISMARCK, "raid", 1).ships(HOME, "U7", 9)
    p.begin(ALLIES, Movement())
    places = {action.to for action in p.offered(Sail, ALLIES)}
    assert "raid" not in places
    p.ships(HOME, "M5", 9, sea=True)
    p.begin(ALLIES, Movement())
    assert "chase" not in p.verbs(ALLIES)
    assert "fight" not in p.verbs(ALLIES)


@pytest.mark.rule("hw-raid-4")
def test_chasers_go_home_and_those_who_stood_by_stay():
    p = Admiral()
    p.ships(BISMARCK, "Q9", 1).ships(HOME, "M5", 2, sea=True).ships(SECOND_HOME, "M4", 2, sea=True)
    p.ships(GNEISENAU, "Q9", 1)
    out(p, BISMARCK).dice(6)
    assert p.rule(ALLIES, Chase(HOME, GNEISENAU)) == "hw-raid-3"
    p.do(ALLIES, Chase(HOME, BISMARCK), Done())
    assert (p.at_step, p.asked) == ("HomeToPort", ALLIES)
    assert {action.fleet for action in p.offered(Sail, ALLIES)} == {HOME}
    p.do(ALLIES, Sail(HOME, 2, 0, "port", "P6", HOME))
    assert (p.find(HOME), p.find(SECOND_HOME), p.find(BISMARCK)) == ("P6", "M4 at sea", "raid")


@pytest.mark.rule("hw-raid-5")
@pytest.mark.parametrize(("die", "found"), [(1, True), (2, False), (6, False)])
def test_a_one_finds_the_raider_and_there_is_a_battle(die, found):
    p = Admiral()
    p.ships(BISMARCK, "Q9", 1).ships(HOME, "M5", 5, sea=True)
    out(p, BISMARCK).dice(die, 6, 6).do(ALLIES, Chase(HOME, BISMARCK))
    assert [event.found for event in p.happened(Chased)] == [found]
    assert fires(p) == ([(HOME, 10, 2), (BISMARCK, 2, 0)] if found else [])
    assert (p.find(BISMARCK) is None) is found


@pytest.mark.rule("hw-raid-5")
def test_the_chase_goes_on_until_the_allies_stop():
    p = Admiral()
    p.ships(BISMARCK, "Q9", 1).ships(GNEISENAU, "Q9", 1).ships(HOME, "M5", 5, sea=True)
    out(p, BISMARCK, GNEISENAU).dice(6, 6).do(ALLIES, Chase(HOME, BISMARCK))
    assert p.allows(ALLIES, Chase(HOME, GNEISENAU))
    p.do(ALLIES, Chase(HOME, GNEISENAU))
    assert p.at_step == "HomeToPort"


@pytest.mark.rule("hw-raid-6")
def test_a_fleet_searches_once_for_each_raider():
    p = Admiral()
    p.ships(BISMARCK, "Q9", 1).ships(GNEISENAU, "Q9", 1).ships(HOME, "M5", 5, sea=True)
    out(p, BISMARCK, GNEISENAU).dice(6).do(ALLIES, Chase(HOME, BISMARCK))
    assert p.rule(ALLIES, Chase(HOME, BISMARCK)) == "hw-raid-6"


@pytest.mark.rule("hw-raid-7")
def test_who_beats_the_chasers_goes_on_to_the_box_and_who_loses_goes_home():
    p = Admiral()
    p.ships(BISMARCK, "Q9", 4).ships(HOME, "M5", 1, sea=True)
    out(p, BISMARCK).dice(1, 6, 6).do(ALLIES, Chase(HOME, BISMARCK))
    assert (p.find(HOME), p.find(BISMARCK), p.afloat(BISMARCK)) == (None, "raid", (4, 0))
    p = Admiral()
    p.ships(BISMARCK, "Q9", 3).ships(HOME, "M5", 5, sea=True)
    out(p, BISMARCK).dice(1, 6, 6).do(ALLIES, Chase(HOME, BISMARCK))
    assert (p.at_step, p.asked) == ("HomeToPort", AXIS)
    p.do(AXIS, Sail(BISMARCK, 1, 0, "port", "Q10", BISMARCK))
    p.do(ALLIES, Sail(HOME, 4, 0, "port", "R6", HOME))
    assert (p.find(BISMARCK), p.afloat(BISMARCK)) == ("Q10", (1, 0))


@pytest.mark.rule("hw-raid-8")
def test_raiders_come_home_at_the_start_of_the_next_axis_movement():
    p = Admiral()
    p.ships(BISMARCK, "raid", 2)
    p.begin(ALLIES, MovementPhase())
    assert p.find(BISMARCK) == "raid"
    p.begin(AXIS, MovementPhase())
    assert p.at_step == "HomeToPort"
    assert not p.allows(AXIS, Sail(BISMARCK, 2, 0, "port", "N5", BISMARCK))
    p.do(AXIS, Sail(BISMARCK, 2, 0, "port", "Q9", BISMARCK))
    assert (p.find(BISMARCK), p.at_step) == ("Q9", "Movement")
    assert p.allows(AXIS, GoRaiding((BISMARCK,)))


@pytest.mark.rule("hw-raid-9")
@pytest.mark.parametrize(
    ("chaser", "port", "bonus"),
    [
        ("U7", "Q9", -2),
        ("U6", "Q10", -2),
        ("U7", "R9", -2),
        ("U7", "P8", -2),
        ("U7", "Q13", -2),
        ("U7", "R13", -2),
        ("T7", "U9", -1),
        ("U7", "N5", 0),
        ("S8", "Q9", 0),
    ],
)
def test_scapa_flow(chaser, port, bonus):
    p = Admiral()
    p.ships(HOME, chaser, 1, sea=True).ships(BISMARCK, port, 1)
    assert search_bonus(p.state, INDEX[HOME], INDEX[BISMARCK]) == bonus
    p.ships("Soviet Fleet 1", "U7", 1, sea=True)
    assert search_bonus(p.state, INDEX["Soviet Fleet 1"], INDEX[BISMARCK]) == 0


@pytest.mark.rule("hw-raid-9")
def test_the_bonus_is_taken_off_the_die():
    p = Admiral()
    p.ships(BISMARCK, "Q9", 1).ships(HOME, "U7", 5, sea=True)
    out(p, BISMARCK).dice(3, 6, 6).do(ALLIES, Chase(HOME, BISMARCK))
    assert [(event.modified, event.found) for event in p.happened(Chased)] == [(1, True)]


@pytest.mark.rule("hw-raid-3")
def test_soviets_at_peace_do_not_chase():
    p = Admiral()
    p.state.peace = 1
    p.ships(BISMARCK, "Q9", 1).ships("Soviet Fleet 1", "X10", 1, sea=True)
    out(p, BISMARCK)
    assert p.find(BISMARCK) == "raid"


def reason(p: Admiral, fleet: str) -> str | None:
    refusal = why_no_raider(p.state, INDEX[fleet])
    return refusal.reason if refusal else None


@pytest.mark.rule("hw-raid-1")
def test_who_is_not_in_an_atlantic_port_is_told_why_he_cannot_raid():
    p = Admiral()
    assert reason(p, BISMARCK) == "hw-not-in-port"  # not in play
    assert reason(p.ships(BISMARCK, "raid", 1), BISMARCK) == "hw-not-in-port"
    assert reason(p.ships(BISMARCK, "Q9", 1, sea=True), BISMARCK) == "hw-not-in-port"
    assert reason(p.ships(BISMARCK, "Q11", 1), BISMARCK) == "hw-not-atlantic-port"
    assert reason(p.ships(BISMARCK, ATLAS.names[0], 1), BISMARCK) == "hw-not-atlantic-port"
    assert reason(p.ships(BISMARCK, "Q9", 1), BISMARCK) is None
    # an Italian fleet waits in its unaligned port, whatever sea that port lies on
    taranto = ATLAS.names[ATLAS.place("taranto")]
    p.hold("nobody", taranto)
    assert reason(p.ships("Italian Fleet 1", taranto, 1), "Italian Fleet 1") == "hw-not-in-port"
    p.hold(AXIS, taranto)
    assert reason(p, "Italian Fleet 1") == "hw-not-atlantic-port"


@pytest.mark.rule("hw-raid-1", "hw-fleetmove-2")
@pytest.mark.parametrize(("ships", "carriers"), [(1, 0), (0, 1)])
def test_only_the_fleet_that_has_moved_itself_stays_at_home(ships, carriers):
    names = ["German Fleet 1", "German Fleet 2", "German Fleet 3"]
    for moved in range(3):
        p = Admiral()
        for name in names:
            p.ships(name, "Q9", 1, 1)
        row = [0] * len(p.state.fleet_moved)
        row[2 * INDEX[names[moved]] : 2 * INDEX[names[moved]] + 2] = [ships, carriers]
        p.state.fleet_moved = tuple(row)
        assert [reason(p, name) for name in names] == ["hw-fleet-moved" if x == moved else None for x in range(3)]


@pytest.mark.rule("hw-raid-3")
def test_raiders_that_got_through_are_announced():
    p = Admiral()
    p.ships(BISMARCK, "Q9", 1).ships(GNEISENAU, "Q9", 1).ships(HOME, "M5", 5, sea=True)
    out(p, BISMARCK, GNEISENAU).dice(1, 6, 6).do(ALLIES, Chase(HOME, BISMARCK), Done())
    assert p.find(BISMARCK) is None
    p.do(ALLIES, Sail(HOME, 5, 0, "port", "P6", HOME))
    assert [event.fleet for event in p.happened(Raiding)] == [GNEISENAU]


@pytest.mark.rule("hw-raid-4")
def test_the_allied_chasers_are_home_before_the_soviets_are_asked():
    p = Admiral()
    p.hold(SOVIET, "W11")
    p.ships(BISMARCK, "Q9", 1).ships(HOME, "M5", 2, sea=True).ships("Soviet Fleet 1", "X10", 1, sea=True)
    out(p, BISMARCK).dice(6).do(ALLIES, Chase(HOME, BISMARCK))
    assert (p.at_step, p.asked) == ("HomeToPort", ALLIES)
    p.do(ALLIES, Sail(HOME, 2, 0, "port", "P6", HOME))
    assert (p.at_step, p.asked) == ("RaidOut", SOVIET)
    p.dice(6).do(SOVIET, Chase("Soviet Fleet 1", BISMARCK))
    assert (p.at_step, p.asked) == ("HomeToPort", SOVIET)
    assert {action.fleet for action in p.offered(Sail, SOVIET)} == {"Soviet Fleet 1"}


@pytest.mark.rule("hw-raid-5")
def test_a_search_is_one_die_of_six_sides():
    p = Admiral()
    p.ships(BISMARCK, "Q9", 1).ships(HOME, "M5", 2, sea=True)
    out(p, BISMARCK).dice(6).do(ALLIES, Chase(HOME, BISMARCK))
    assert [(event.sides, event.why) for event in p.happened(Rolled)] == [(6, "hw-raid-5")]


@pytest.mark.rule("hw-raid-3")
def test_fleets_that_nobody_knows_neither_chase_nor_are_chased():
    p = Admiral()
    p.ships(BISMARCK, "Q9", 1).ships(HOME, "M5", 2, sea=True)
    out(p, BISMARCK)
    assert p.refused(ALLIES, Chase("Flying Dutchman", BISMARCK)).reason == "sandtable-not-available"
    assert p.refused(ALLIES, Chase(HOME, "Flying Dutchman")).reason == "sandtable-not-available"
    assert p.refused(ALLIES, Chase(HOME, GNEISENAU)).reason == "hw-not-raiding"
