"""Chapter 5: belligerency and neutrals; chapter 6: events; option 23.5."""

import pytest

from sandtable.games.munich_war.facts.politics import may_invade
from sandtable.games.munich_war.facts.retreats import steps_back
from sandtable.games.munich_war.facts.supply import can_trace
from sandtable.games.munich_war.model.actions import Launch, Move
from sandtable.games.munich_war.model.atlas import ALLIES, ATLAS, AXIS, NOBODY
from sandtable.games.munich_war.rules.air_phase import AirLaunch
from sandtable.games.munich_war.rules.combat_phase import Combat
from sandtable.games.munich_war.rules.events_phase import EventsPhase, happen
from sandtable.games.munich_war.rules.mobilization import collect
from sandtable.games.munich_war.rules.movement_phase import Movement
from tests.games.munich_war.positions import Position, at, attack, names, unit


def event(war: Position, *dice: int) -> Position:
    return war.dice(*dice).phase(EventsPhase(), AXIS)


@pytest.mark.rule("mw-5.0-a")
def test_belligerents_move_into_friendly_and_enemy_countries():
    war = Position().put("GE-16", "2617").phase(Movement(AXIS))
    assert war.allows(Move("GE-16", "2719"))  # Hungary, a friend
    assert war.allows(Move("GE-16", "2516"))  # Czechoslovakia, an enemy


@pytest.mark.rule("mw-5.0-c", "mw-5.3-a", "mw-5.3-b", "mw-event-2")
def test_intervention_brings_the_scenarios_countries_in_with_their_forces():
    war = Position().put("SU-1", "4002").put("YU-1", "2621").put("FI-K", "3602")
    event(war, 2)
    assert [war.side(name) for name in ("Soviet Union", "Yugoslavia", "Finland")] == [ALLIES, ALLIES, AXIS]
    war.phase(Movement(ALLIES))
    assert war.allows(Move("SU-1", "4001"))
    again = event(Position().put("SU-1", "4002"), 3)
    assert again.side("Soviet Union") == ALLIES


@pytest.mark.rule("mw-5.0-c")
def test_a_second_intervention_changes_nothing():
    war = Position()
    happen(war.m, "intervention")
    owned = war.state.owned
    happen(war.m, "intervention")
    assert war.state.owned == owned


@pytest.mark.rule("mw-5.1-a-exception", "mw-5.4-a", "mw-5.4-b", "mw-5.5-germany")
def test_germany_invades_belgium_by_walking_in():
    war = Position().put("GE-01", "1712").put("BE-A", "1512").phase(Movement(AXIS))
    war.do(Move("GE-01", "1612"))
    assert war.side("Belgium") == ALLIES
    assert war.where("GE-01") == "1612"


@pytest.mark.rule("mw-5.4-a", "mw-8.2-d")
def test_neutral_units_are_attacked_and_not_walked_over():
    war = Position().put("GE-01", "1712").put("BE-C", "1612").phase(Movement(AXIS))
    assert war.refused(Move("GE-01", "1612")).reason == "enemy-there"
    assert war.side("Belgium") == NOBODY
    war.phase(Combat(AXIS))
    assert war.allows(attack("1612", "GE-01"))


@pytest.mark.rule("mw-5.4-a")
def test_invasion_by_attack_and_by_air():
    war = Position().put("GE-01", "1712").put("BE-EE", "1613").phase(Combat(AXIS)).dice(1)
    war.do(attack("1613", "GE-01"))
    assert war.side("Belgium") == ALLIES
    war = Position().put("GE-01", "1712").put("GE-L1", "available").phase(AirLaunch(AXIS))
    war.do(Launch("GE-L1", "1712", "1512"))
    assert war.side("Belgium") == ALLIES


@pytest.mark.rule("mw-5.5-germany", "mw-5.5-soviet", "mw-5.5-others", "mw-5.6-switzerland")
def test_who_may_invade_whom():
    war = Position()
    wanted = {
        "Germany": {"Belgium", "Netherlands", "Luxembourg", "Denmark", "Lithuania", "Latvia", "Estonia"},
        "Soviet Union": {"Lithuania", "Latvia", "Estonia", "Finland"},
    }
    for face in ATLAS.countries:
        allowed = {c.name for c in ATLAS.countries if may_invade(war.m.state, face.index, c.index)}
        assert allowed == wanted.get(face.name, set())
    war.put("GE-01", "1917").put("FR-1", "1412").phase(Movement(AXIS))
    assert war.refused(Move("GE-01", "1918")).rule == "mw-5.6-switzerland"
    war.phase(Movement(ALLIES))
    assert war.refused(Move("FR-1", "1512")).rule == "mw-5.5-others"


@pytest.mark.rule("mw-5.5-soviet")
def test_soviet_and_german_lists_differ():
    war = Position("intermarium").put("SU-1", "4002").put("GE-01", "1712").phase(Movement(AXIS))
    assert war.allows(Move("SU-1", "4001"))
    assert war.allows(Move("GE-01", "1612"))
    war.put("SU-2", "1712")
    war.phase(Movement(AXIS))
    assert war.refused(Move("SU-2", "1612")).rule == "mw-5.5-soviet"


@pytest.mark.rule("mw-5.1-c", "mw-14.3-b")
def test_supply_does_not_cross_a_neutral():
    war = Position().put("FR-1", "1612")
    assert not can_trace(war.m.state, unit("FR-1"))
    war.join("Belgium", ALLIES)
    assert can_trace(war.m.state, unit("FR-1"))


@pytest.mark.rule("mw-5.2-a")
def test_nobody_operates_neutral_units():
    war = Position().put("BE-A", "1512").put("FR-1", "1412").phase(Movement(ALLIES))
    assert war.refused(Move("BE-A", "1513")).rule == "mw-5.2-a"


@pytest.mark.rule("mw-5.2-b", "mw-10.1-b-exception", "mw-10.1-example")
def test_neutrals_have_no_zone_and_no_zone_reaches_into_them():
    war = Position().put("BE-A", "1612").put("GE-01", "1712")
    assert not war.zoc(ALLIES, "1712")
    assert not war.zoc(AXIS, "1613")
    war.join("Belgium", ALLIES)
    assert war.zoc(ALLIES, "1712")
    assert war.zoc(AXIS, "1613")


@pytest.mark.rule("mw-5.4-c")
def test_no_invasion_by_retreat_or_pursuit():
    from sandtable.games.munich_war.rules.advance import advance_hexes

    war = Position().put("GE-01", "1712")
    assert "1612" not in names(steps_back(war.m.state, unit("GE-01"), at("1712")))
    assert "1612" not in names(advance_hexes(war.m, unit("GE-01"), at("1712")))
    assert "1713" in names(steps_back(war.m.state, unit("GE-01"), at("1712")))


# ---- events (6)
@pytest.mark.rule("mw-6.0")
def test_one_die_on_the_events_table():
    war = event(Position(), 5)
    assert war.state.rolled == 1
    assert ATLAS.rules["events"]["1"] == "weather"


@pytest.mark.rule("mw-event-1", "mw-20.0-b", "mw-20.0-c")
def test_storms_begin_in_november_and_stay():
    war = event(Position(turn=4), 1)
    assert not war.state.storm
    war = event(Position(turn=5), 1)
    assert war.state.storm
    war.state.turn = 6
    event(war, 1)
    assert war.state.storm


@pytest.mark.rule("mw-event-4")
def test_a_crisis_elsewhere_gives_two_points_to_one_side_now():
    from sandtable.games.munich_war.model.actions import Refit

    war = event(Position().put("GE-01", "2511", steps=1).put("HU-1", "3019", steps=1), 4, 3)
    assert (war.asked, war.state.pool) == ("axis", 2)
    war.do(Refit("GE-01"))
    war.do(Refit("HU-1"))
    assert (war.steps("GE-01"), war.steps("HU-1"), war.state.pool) == (2, 2, 0)
    war = event(Position().put("PL-LOD", "3212", steps=1), 4, 4)
    assert war.asked == "allies"


@pytest.mark.rule("mw-event-5")
def test_a_putsch_without_conquests_stops_axis_points():
    war = event(Position(), 5)
    collect(war.m, AXIS)
    assert sum(war.state.rp) == 0
    war = event(Position().put("GE-01", "2716"), 5)
    collect(war.m, AXIS)
    assert sum(war.state.rp) > 0
    war = event(Position().put("HU-1", "2716"), 5)
    collect(war.m, AXIS)
    assert sum(war.state.rp) == 0


@pytest.mark.rule("mw-event-6")
def test_a_blitzkrieg_with_three_conquests_stops_allied_points():
    war = event(Position().put("GE-01", "2716").put("GE-02", "2415"), 6)
    collect(war.m, ALLIES)
    assert sum(war.state.rp) > 0
    war = event(Position().put("GE-01", "2716").put("GE-02", "2415").put("GE-03", "3013"), 6)
    collect(war.m, ALLIES)
    assert sum(war.state.rp) == 0
    war.state.no_rp = (0, 0)
    collect(war.m, AXIS)
    assert sum(war.state.rp) > 0


# ---- option 23.5
@pytest.mark.rule("mw-23.5-a", "mw-23.5-d")
def test_germans_keep_out_of_allied_poland():
    war = Position("western-powers-guarantee", poland_and_politics=True).put("GE-01", "2914").put("GE-02", "2809")
    war.put("PL-SIL", "3014").phase(Movement(AXIS))
    assert war.refused(Move("GE-01", "3015")).rule == "mw-23.5-a"
    assert "3014" not in names(steps_back(war.m.state, unit("GE-01"), at("2914")))
    assert war.refused(Move("GE-02", "3009")).rule == "mw-23.5-d"
    assert can_trace(war.m.state, unit("GE-01"))
    free = Position("western-powers-guarantee").put("GE-01", "2914").phase(Movement(AXIS))
    assert free.allows(Move("GE-01", "3015"))


@pytest.mark.rule("mw-23.5-b")
def test_poles_keep_out_of_germany():
    war = Position("western-powers-guarantee", poland_and_politics=True).put("PL-SIL", "3015").phase(Movement(AXIS))
    assert war.refused(Move("PL-SIL", "2914")).rule == "mw-23.5-b"
    assert war.allows(Move("PL-SIL", "2915"))


@pytest.mark.rule("mw-23.5-c")
def test_enemies_of_poland_go_in():
    war = Position("general-war", poland_and_politics=True).put("GE-01", "2914").phase(Movement(AXIS))
    assert war.allows(Move("GE-01", "3015"))
