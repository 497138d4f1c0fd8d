"""Limits that are just reached, counts that go down by one, and the numbers that refusals give."""

import pytest

from sandtable.core.columns import having, put
from sandtable.games.hitlers_war.model.actions import DefensiveAssault, March, Retreat, Transfer
from sandtable.games.hitlers_war.model.atlas import ATLAS, INF, side_number
from sandtable.games.hitlers_war.model.fleets import HARBOURS, INDEX, NATION_OF
from sandtable.games.hitlers_war.model.state import FACE_DOWN, LAND, SHOWN
from sandtable.games.hitlers_war.model.technology import ITEMS
from sandtable.games.hitlers_war.rules.advance import chance
from sandtable.games.hitlers_war.rules.advance_phase import enter, lose_drop
from sandtable.games.hitlers_war.rules.assault import spare_air
from sandtable.games.hitlers_war.rules.assault_phase import Assaults, DefensiveAssaults
from sandtable.games.hitlers_war.rules.attacks import landings, why_no_landing
from sandtable.games.hitlers_war.rules.budget import budget
from sandtable.games.hitlers_war.rules.control import eliminate, remove_if_empty
from sandtable.games.hitlers_war.rules.entry import army_choices, has_room, why_no_place
from sandtable.games.hitlers_war.rules.leaders import LeaderDraw, allowance
from sandtable.games.hitlers_war.rules.losses import Losses
from sandtable.games.hitlers_war.rules.movement_phase import Movement, MovementPhase
from sandtable.games.hitlers_war.rules.naval.battle import attacker_stays
from sandtable.games.hitlers_war.rules.naval.fleets import why_no_port
from sandtable.games.hitlers_war.rules.production import recruits, why_no_fort
from sandtable.games.hitlers_war.rules.research import why_no_research
from sandtable.games.hitlers_war.rules.research_phase import Research
from sandtable.games.hitlers_war.rules.retreat import Retreats
from sandtable.games.hitlers_war.rules.sealift import UNLIMITED, sea_chart
from sandtable.games.hitlers_war.rules.strategic.convoys import ConvoyLosses, log_voyage
from sandtable.games.hitlers_war.rules.strategic.warfare_phase import AtomicStrikes
from sandtable.games.hitlers_war.rules.supply import gaps
from sandtable.games.hitlers_war.rules.surrender import ItalianLosses
from tests.games.hitlers_war.positions import ALLIES, AXIS, SOVIET, Position, at, no
from tests.games.hitlers_war.positions_naval import Admiral, Second

ASWAN = ATLAS.names[0]
"""The first space of the board."""
GERMAN = side_number(AXIS)


@pytest.mark.rule("hw-surr-italy-2", "hw-build-3", "hw-assault-8")
def test_an_army_in_the_first_space_is_on_the_map():
    p = Position("campaign-2").hold(AXIS, ASWAN, "P10")
    p.army("OKW", ASWAN, infantry=2)
    assert [lose.unit for lose in ItalianLosses(1, 0).choices(p.state)] == ["OKW"]
    assert no("OKW") in recruits(p.state, GERMAN, at(ASWAN))
    assert no("OKW") not in recruits(p.state, GERMAN, at("P10"))
    assert no("OKW") not in army_choices(p.state, GERMAN, at("P10"))
    p.army("OKW", ASWAN)
    assert remove_if_empty(p.m, no("OKW"))
    assert p.where("OKW") is None


@pytest.mark.rule("hw-unsupplied-3")
def test_a_lost_army_comes_back_free_to_move():
    p = Position("campaign-2")
    p.army("OKW", "P10", infantry=2)
    p.columns(stuck=put(p.state.stuck, no("OKW"), 1))
    eliminate(p.m, no("OKW"))
    assert not p.state.stuck[no("OKW")]


@pytest.mark.rule("hw-retreat-1")
def test_the_owner_chooses_between_two_ways_and_is_not_asked_about_one():
    beside = [ATLAS.names[x] for x in ATLAS.around[at("P14")]]
    for ways in (["Q15"], ["Q15", "P15"]):
        p = Position("barbarossa").hold(AXIS, *beside).hold(SOVIET, *ways)
        p.army("Western", "P14", infantry=1)
        p.begin(AXIS, Retreats(at("P14"), (no("Western"),)))
        assert p.parked is (len(ways) == 1)
        if not p.parked:
            assert {action.to for action in p.offered(Retreat, SOVIET)} == set(ways)
            p.do(SOVIET, Retreat("Western", "Q15"))
        assert p.where("Western") == "Q15"


@pytest.mark.rule("hw-stack-6")
def test_a_hex_with_room_for_one_point_takes_one():
    p = Position("campaign-2").hold(AXIS, "P10")
    p.army("OKW", "P10", infantry=9)
    assert has_room(p.state, GERMAN, at("P10"))
    refusal = why_no_place(p.state, GERMAN, at("P10"), 2)
    assert refusal is not None
    assert (refusal.rule, refusal.facts["room"]) == ("hw-stack-6", 1)
    p.army("OKW", "P10", infantry=10)
    assert not has_room(p.state, GERMAN, at("P10"))


@pytest.mark.rule("hw-fort-1")
def test_the_last_fort_point_of_a_hex_can_be_built():
    p = Position("campaign-2").hold(AXIS, "P10").fort("P10", 9)
    assert why_no_fort(p.state, GERMAN, at("P10")) is None
    refusal = why_no_fort(p.fort("P10", 10).state, GERMAN, at("P10"))
    assert refusal is not None
    assert refusal.rule == "hw-fort-1"


@pytest.mark.rule("hw-leader-4")
def test_no_more_markers_go_back_than_are_too_many():
    p = Position("campaign-2", leaders=True)
    names = ("OKW", "Army Group North", "Army Group Center", "Army Group South")
    for name, points in zip(names, (20, 1, 1, 1), strict=True):
        p.army(name, "P10", infantry=points)
    p.columns(leader=bytes(36))
    for name in names:
        p.state.leader = put(p.state.leader, no(name), FACE_DOWN)
    p.begin(AXIS, LeaderDraw())
    assert [p.state.leader[no(name)] for name in names] == [FACE_DOWN, FACE_DOWN, 0, 0]
    for name in names:
        p.state.leader = put(p.state.leader, no(name), SHOWN)
    p.begin(AXIS, LeaderDraw())
    assert [p.state.leader[no(name)] for name in names] == [SHOWN, SHOWN, 0, 0]


@pytest.mark.rule("hw-research-1")
def test_who_has_no_point_left_is_told_that_one_is_needed():
    refusal = why_no_research(Second().money(0).state, GERMAN, "missile")
    assert refusal is not None
    assert (refusal.rule, refusal.facts) == ("hw-research-1", {"needed": 1, "left": 0})


@pytest.mark.rule("hw-research-2")
def test_each_item_on_the_track_is_tried_once_by_every_side():
    for side in (AXIS, ALLIES):
        p = Second()
        for item in ITEMS[:3]:
            p.on_step(side, item, 1)
        p.columns(side=side_number(side), tested=having({}, p.key(side, ITEMS[1]), 1))
        assert [item for item in Research().ready(p.state) if item in ITEMS[:3]] == [ITEMS[0], ITEMS[2]]


@pytest.mark.rule("hw-air-11")
def test_tac_air_joins_an_assault_only_beside_ground_points_of_its_own_army():
    for kind in ("infantry", "mechanized", "paratroop"):
        p = Position("campaign-2")
        p.army("Army Group North", "P10", tac_air=2, infantry=1, mechanized=1, paratroop=1, amphibious=1)
        p.army("Army Group Center", "P10", tac_air=2)
        assert spare_air(p.state, no("Army Group Center"), at("P11")) == 0
        p.army("Army Group North", "P10", tac_air=2)
        p.army("Army Group Center", "P10", tac_air=2, **{kind: 1})
        p.army("Army Group South", "P10", tac_air=2)
        assert spare_air(p.state, no("Army Group Center"), at("P11")) == 2


@pytest.mark.rule("hw-air-11", "hw-tac-3")
def test_an_army_of_tac_air_has_no_chance_to_advance():
    p = Position("campaign-2").hold(AXIS, "P10").hold(SOVIET, "P11")
    p.army("OKW", "P10", tac_air=5)
    assert chance(p.state, no("OKW"), at("P11"), 0, LAND).needed == 0


@pytest.mark.rule("hw-para-4")
def test_a_failed_drop_leaves_the_hex_bare_only_when_nobody_is_left_there():
    for rest, friend, bare in ((0, False, True), (1, False, False), (0, True, False)):
        p = Position("campaign-2").hold(AXIS, "P10")
        p.army("OKW", "P10", paratroop=2, infantry=rest)
        if friend:
            p.army("Army Group North", "P10", infantry=1)
        p.columns(dropped=put(p.state.dropped, no("OKW"), 2))
        lose_drop(p.m, no("OKW"), 2)
        assert (at("P10") in p.state.bare) is bare
        assert (p.where("OKW") is None) is (rest == 0)


@pytest.mark.rule("hw-trans-3")
def test_only_points_that_sailed_take_their_voyage_along():
    p = Second()
    britain, other = no("Britain"), no("French First Army")
    p.army("Britain", "P7", infantry=5)
    p.army("French First Army", "P7", infantry=1)
    p.columns(lanes={britain * 5 + INF: (1, 7)})
    log_voyage(p.state, britain, other, INF, 3, at("P7"), at("P7"), ())
    assert p.state.lanes[britain * 5 + INF] == (0, 7)
    assert p.state.lanes[other * 5 + INF] == (1, 7)


@pytest.mark.rule("hw-trans-2")
def test_every_turn_the_crossing_to_america_is_counted_anew():
    p = Second().columns(crossed=3)
    p.begin(ALLIES, MovementPhase())
    assert p.state.crossed == 0


@pytest.mark.rule("hw-unsupplied-2")
def test_the_way_between_boxes_goes_by_sea_arrows():
    assert gaps(at("us"), at("us")) == 0
    assert gaps(at("india"), at("british_africa")) == gaps(at("british_africa"), at("india")) == 65
    assert gaps(at("us"), at("canada")) == 15 + ATLAS.distance(at("O4"), at("P4")) + 10
    assert gaps(at("siberia"), at("P22")) == 1
    assert gaps(at("siberia"), at("us")) == 1 + min(gaps(at("us"), x) for x in ATLAS.around[at("siberia")])


@pytest.mark.rule("hw-navbattle-2")
def test_of_two_fleets_left_equal_the_one_that_sank_more_stays():
    assert attacker_stays((5, 6), (3, 3))
    assert not attacker_stays((6, 5), (3, 3))
    assert not attacker_stays((5, 5), (3, 3))
    assert attacker_stays((9, 1), (2, 1))


@pytest.mark.rule("hw-invade-3")
def test_an_inland_hex_is_not_invaded_and_a_coast_only_over_open_sea():
    p = Second().hold(AXIS, "Q9").hold(SOVIET, "P14")
    p.army("OKW", "Q9", amphibious=3)
    inland = next(x for x in ATLAS.land if not ATLAS.waters_of[x] and p.state.owner[x] == side_number(SOVIET))
    refusal = why_no_landing(p.state, no("OKW"), inland)
    assert refusal is not None
    assert (refusal.rule, refusal.reason) == ("hw-invade-3", "hw-not-coastal")
    far = next(x for x in ATLAS.land if ATLAS.waters_of[x] and p.state.owner[x] == side_number(SOVIET)
               and x not in landings(p.state, no("OKW")))  # fmt: skip
    refusal = why_no_landing(p.state, no("OKW"), far)
    assert refusal is not None
    assert refusal.reason == "hw-no-sea-route"


@pytest.mark.rule("hw-exploit-3")
def test_in_exploitation_one_army_assaults_the_first_like_any_other():
    p = Position("barbarossa").hold(AXIS, "O14").hold(SOVIET, "P14")
    for name in ("OKW", "Army Group North"):
        army = p.army(name, "O14", mechanized=3)
        p.state.mode, p.state.target = put(p.state.mode, army, LAND), put(p.state.target, army, at("P14"))
    p.columns(side=GERMAN)
    for only in ("OKW", "Army Group North"):
        assert Assaults(invasion=False, only=no(only)).able(p.state) == [no(only)]
    assert len(Assaults(invasion=False).able(p.state)) == 2


@pytest.mark.rule("hw-retreat-1")
def test_each_of_two_displaced_armies_has_its_own_way():
    p = Position("barbarossa").hold(AXIS, *(ATLAS.names[x] for x in ATLAS.around[at("P14")])).hold(SOVIET, "Q15", "P15")
    for name in ("Western", "Kiev"):
        p.army(name, "P14", infantry=1)
    p.begin(AXIS, Retreats(at("P14"), (no("Western"), no("Kiev"))))
    p.do(SOVIET, Retreat("Western", "Q15"))
    assert (p.parked, p.where("Kiev")) == (False, "P14")
    p.do(SOVIET, Retreat("Kiev", "P15"))
    assert (p.where("Western"), p.where("Kiev"), p.parked) == ("Q15", "P15", True)


@pytest.mark.rule("hw-move-1")
def test_who_has_no_army_moves_none():
    p = Position("barbarossa")
    p.begin(AXIS, Movement())
    assert not p.offers_any(March)
    p.army("OKW", "P10", infantry=1)
    assert p.begin(AXIS, Movement()).offers_any(March)


@pytest.mark.rule("hw-abomb-2")
def test_a_bomb_on_a_missile_is_dropped_only_when_it_was_launched():
    p = Second().hold(AXIS, "N9").hold(ALLIES, "N8")
    counter = p.missile(AXIS, 1, "N9", 5, bombs=1)
    p.columns(side=GERMAN, launched={})
    assert not AtomicStrikes().carriers(p.state)
    p.columns(launched={counter: 1})
    assert list(AtomicStrikes().carriers(p.state)) == ["Missile 1"]


@pytest.mark.rule("hw-home-2")
def test_home_forces_have_fired_when_they_were_named():
    for units, fired in ((("home",), True), (("French First Army",), False)):
        p = Position("campaign-2").hold(AXIS, "N9").hold(ALLIES, "N8")
        p.army("OKW", "N9", mechanized=5)
        p.army("French First Army", "N8", infantry=3)
        p.state.home = having(p.state.home, at("N8"), 2)
        army = no("OKW")
        p.state.mode, p.state.target = put(p.state.mode, army, LAND), put(p.state.target, army, at("N8"))
        p.begin(AXIS, DefensiveAssaults(invasion=False)).dice(*[6] * 6)
        p.do(ALLIES, DefensiveAssault("N8", units, 0))
        assert (at("N8") in p.state.home_fired) is fired


@pytest.mark.rule("hw-nav-2", "hw-nav-4")
def test_why_a_port_is_closed_to_a_fleet():
    fleet = INDEX["German Fleet 1"]
    p = Admiral()
    coast = next(x for x in ATLAS.land if x in HARBOURS[NATION_OF[fleet]])
    told = []
    for side in (ALLIES, AXIS):
        refusal = why_no_port(p.hold(side, ATLAS.names[coast]).state, fleet, coast)
        told.append("" if refusal is None else refusal.reason)
    assert told == ["hw-port-unfriendly", ""]
    italian = INDEX["Italian Fleet 1"]
    foreign = next(x for ports in HARBOURS for x in ports if x not in HARBOURS[NATION_OF[italian]])
    refusal = why_no_port(p.hold(AXIS, ATLAS.names[foreign]).state, italian, foreign)
    assert refusal is not None
    assert refusal.reason == "hw-port-foreign"


@pytest.mark.rule("hw-advance-4")
def test_one_point_of_tac_air_more_costs_the_displaced_one_point():
    for air, losses in ((1, True), (0, False)):
        p = Position("campaign-2").hold(AXIS, "O14").hold(SOVIET, "P14", "Q15")
        army = p.army("OKW", "O14", mechanized=5, tac_air=air)
        p.army("Western", "P14", infantry=3)
        p.columns(side=GERMAN)
        p.state.mode = put(p.state.mode, army, LAND)
        depth = len(p.state.stack)
        enter(p.m, army, at("P14"))
        assert ("Losses" in [type(step).__name__ for step in p.state.stack[depth:]]) is losses


@pytest.mark.rule("hw-uboat-4")
def test_raids_leave_no_less_than_nothing_to_spend():
    p = Second().columns(raided=500)
    assert budget(p.state, side_number(ALLIES)) == 0


@pytest.mark.rule("hw-trans-3")
def test_the_last_point_sunk_leaves_nobody_on_that_voyage():
    p = Second()
    p.army("Britain", "P7", infantry=3)
    key = no("Britain") * 5 + INF
    p.columns(lanes={key: (1, 7)}, voyagers={key: 1})
    ConvoyLosses(7, 1).without(p.m, key)
    assert (p.state.lanes[key], p.state.voyagers[key]) == ((0, 7), 0)
    assert p.strength("Britain") == {"infantry": 2}


@pytest.mark.rule("hw-move-5")
def test_points_do_not_go_to_an_army_out_of_reach():
    p = Position("barbarossa").hold(AXIS, "P10", "P11")
    p.army("OKW", "P10", infantry=3)
    p.army("Army Group North", "P11", infantry=1)
    p.army("Army Group South", "X22", infantry=1)
    p.begin(AXIS, Movement())
    assert p.allows(AXIS, Transfer("OKW", (("infantry", 1),), "Army Group North"))
    refusal = p.refused(AXIS, Transfer("OKW", (("infantry", 1),), "Army Group South"))
    assert refusal.reason != "sandtable-not-available"


@pytest.mark.rule("hw-leader-3")
def test_armies_that_wait_for_their_country_bring_no_leaders():
    p = Position("campaign-2", leaders=True)
    p.army("OKW", "P10", infantry=10)
    assert allowance(p.state, GERMAN) == 1
    p.columns(idle=put(bytes(36), no("OKW"), 1))
    assert allowance(p.state, GERMAN) == 0


@pytest.mark.rule("hw-fort-7")
def test_a_fort_in_the_first_space_can_be_lost():
    p = Position("campaign-2").hold(AXIS, ASWAN).fort(ASWAN, 2)
    assert [lose.kind for lose in Losses(GERMAN, (), 0, 1).choices(p.state)] == ["fort", "garrison"]
    assert not Losses(GERMAN, (), -1, 1).choices(p.state)


@pytest.mark.rule("hw-seamove-atlantic")
def test_seas_without_a_limit_are_used_first():
    chart = sea_chart(Position("campaign-2").state, side_number(ALLIES))
    limited = [sum(chart.limits[sea] < UNLIMITED for sea in seas) for seas in chart.choices]
    assert limited == sorted(limited)
    assert limited[0] < limited[-1]
