"""What a general knows and a colonel does not: the home while Poland falls, the last points, posts, double range."""

import pytest

from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.game import GAME
from sandtable.games.blitzkrieg_general.model.actions import Declare, Form, Halt, March, Unload
from sandtable.games.blitzkrieg_general.model.atlas import ATLAS, GERMANY, JAPAN, MAJORS
from sandtable.games.blitzkrieg_general.model.state import AT_WAR, DOUBLE, NEUTRAL, embark, mark_all
from sandtable.games.blitzkrieg_general.players import general
from sandtable.games.blitzkrieg_general.players.campaign import Campaign
from sandtable.games.blitzkrieg_general.players.doctrine import BLITZ, WALL, Doctrine
from sandtable.games.blitzkrieg_general.players.general import Quarter, allies, goals
from sandtable.games.blitzkrieg_general.players.goals import Goal
from sandtable.games.blitzkrieg_general.players.islands import Islands, Sweep
from sandtable.games.blitzkrieg_general.players.orders import Assault
from sandtable.games.blitzkrieg_general.players.planner import Commander, Outlook, Planner
from sandtable.games.blitzkrieg_general.players.politics import designs
from sandtable.players.search import Plan
from tests.games.blitzkrieg_general.positions import Board


def test_the_home_is_guarded_while_poland_stands():
    b = Board("1939-basic", full=True)
    assert b.state.standing[ATLAS.poland] == AT_WAR
    general, colonel = Commander(GAME, "guard"), Planner(GAME, "guard")
    assert (general.way(b.state, GERMANY).home, colonel.way(b.state, GERMANY)) == (1.0, BLITZ)
    b.state.standing = put(b.state.standing, ATLAS.poland, NEUTRAL)
    assert general.way(b.state, GERMANY).home == BLITZ.home, "then everybody marches on France"


def test_allies_at_war_are_asked_to_turn_on_one_of_several_enemies():
    b = Board("1939-basic", full=True).war("italy-be", "italy-france", "japan-china").phase()
    assert {"be", "france"} <= {*goals(Outlook(b.state, "italy"))}
    found = allies(b.state, GERMANY)
    assert set(found) == {"italy"}, "Japan has one enemy, and no choice"
    quarter = Quarter(GAME, b.match.view("germany"))
    assert quarter.scope.allies == found
    place = found["italy"][1]
    plan = Plan(ask=(("italy", place),))
    assert quarter.key(plan) != quarter.key(Plan())
    seen = []

    class Seen(Commander):
        def answer(self, view, offers):
            seen.append(self.way(view.state, MAJORS.index("italy")))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(general, "Commander", Seen)
        quarter.lead("italy", quarter.orders("italy", plan, Plan()))(b.match.view("italy"), b.match.offers("italy"))
    assert [(ATLAS.nation_ids[way.main], way.force) for way in seen] == [(place, 2.0)]


def test_the_best_troops_do_not_wait_at_sea_before_france_has_fallen():
    b = Board("1939-basic", full=True)
    general = Commander(GAME, "sea")
    assert Planner(GAME, "sea").may_cross(b.state)
    assert not general.may_cross(b.state)
    b.state.french_fell = True
    assert general.may_cross(b.state)


def test_near_its_points_the_axis_attacks_every_neutral_that_gives_one():
    b = Board("1939-basic", full=True)
    general = Commander(GAME, "points")
    siam = ATLAS.nation_of["siam"]

    def wanted():
        return designs(Outlook(b.state, "japan", general.way(b.state, JAPAN)))

    assert siam not in wanted()
    b.state.production = (60, *b.state.production[1:])
    assert siam not in wanted(), "France comes first"
    b.state.french_fell = True
    assert siam in wanted()
    assert ATLAS.nation_of["portugal"] not in wanted(), "it gives none"
    assert siam not in designs(Outlook(b.state, "japan", Planner(GAME, "points").way(b.state, JAPAN)))


def test_a_point_counts_more_near_victory():
    b = Board("1939-basic").war("japan-usa").own("usa", "philippines", "wake_islands")
    usual, near = (Outlook(b.state, "japan", Doctrine(prize=prize)) for prize in (0.0, 3.0))
    wake = ATLAS.space_of["wake_islands"]
    assert near.worth(wake) - usual.worth(wake) == pytest.approx(3.0 * usual.stress(wake))


def landings(orders):
    return {order.to for order in orders if isinstance(order, Unload)}


def test_nobody_lands_where_a_friend_has_used_double_range():
    b = Board("1939-basic").war("japan-usa", "japan-be").own("japan", *(ATLAS.space_ids[s] for s in ATLAS.land))
    b.own("usa", "philippines").add("japan-conv-1", "sea_formosa")
    b.add("japan-inf-2", "formosa")
    zones = ATLAS.coast[ATLAS.space_of["philippines"]]
    b.phase("naval")
    assert landings(Sweep(Outlook(b.state, "japan")).plan()) == {"philippines"}
    for zone in zones:
        ship = b.add("japan-tf-2", ATLAS.space_ids[zone])
        mark_all(b.state, (ATLAS.unit_of[ship],), DOUBLE)
    assert landings(Islands(Outlook(b.state, "japan")).plan()) == {"philippines"}, "a colonel tries it"
    assert landings(Sweep(Outlook(b.state, "japan")).plan()) == set()


def test_a_group_that_cannot_land_does_not_keep_the_others_in_port():
    orders = [Unload("japan-inf-2-1", "java"), Halt(), Form("sea_formosa", ("japan-conv-1-1",)), Halt()]
    left = {}
    for kind in (Planner, Commander):
        staff = kind(GAME, "group")
        staff.queue = list(orders)
        staff.give_up()
        left[kind] = staff.queue
    assert left == {Planner: [], Commander: orders[2:]}
    staff.queue = [Halt(), Declare("siam"), *orders]
    staff.give_up()
    assert staff.queue == [Declare("siam"), *orders]


def behind_the_front(own, foes):
    """Nobody is in the Baltic, own divisions are in Western Poland, enemies in Eastern Poland beside both."""
    b = Board("1939-basic").war("germany-ussr").own("germany", "western_poland", "baltic").own("ussr", "east_poland")
    b.adds("western_poland", *["germany-inf-2"] * own)
    b.adds("east_poland", *["ussr-inf-2-orange"] * foes)
    return b.phase("land").state


class Left(Campaign):
    """Nobody attacks or marches."""

    def attack(self):
        self.wanted = []

    march = attack


@pytest.mark.parametrize(
    ("own", "foes", "posts", "posted"),
    [(3, 1, True, ["baltic"]), (3, 1, False, []), (3, 4, True, []), (1, 1, True, [])],
    ids=["one goes", "not a colonel's", "it would only die", "it is needed where it is"],
)
def test_one_division_is_posted_where_everybody_has_left(own, foes, posts, posted):
    campaign = Left(Outlook(behind_the_front(own, foes), "germany", Doctrine(posts=posts)))
    assert [order.to for order in campaign.plan() if isinstance(order, March)] == posted


def test_every_general_posts_them():
    state = Board("1939-basic", full=True).state
    assert Commander(GAME, "posts").way(state, GERMANY).posts
    assert not Planner(GAME, "posts").way(state, GERMANY).posts


def test_the_last_division_of_a_threatened_area_does_not_march_off_to_help():
    state = behind_the_front(1, 1)
    last = next(u for u in ATLAS.kind_ids["germany-inf-2"].units if state.place[u] >= 0)
    assert Campaign(Outlook(state, "germany", Doctrine(posts=True))).is_last(last)
    assert not Campaign(Outlook(state, "germany", Doctrine())).is_last(last)


@pytest.mark.parametrize(("way", "stays"), [(Doctrine(posts=True), True), (WALL, False)], ids=["general", "colonel"])
def test_the_last_division_stays_though_those_who_threaten_are_attacked(way, stays):
    """The attack may fail, and others may come: a general's last division does not count on it."""
    state = behind_the_front(1, 1)
    last = next(u for u in ATLAS.kind_ids["germany-inf-2"].units if state.place[u] >= 0)
    campaign = Campaign(Outlook(state, "germany", way))
    start = state.place[last]
    campaign.beaten = {s: campaign.scene.foe(s) for s in ATLAS.land_next[start] if campaign.scene.foe(s)}
    assert campaign.danger(start) == 0 < campaign.scene.threat(start)
    assert campaign.is_last(last) == stays


def test_the_last_division_does_not_pass_on_to_the_front():
    state = behind_the_front(1, 4)
    last = next(u for u in ATLAS.kind_ids["germany-inf-2"].units if state.place[u] >= 0)
    prussia = ATLAS.space_of["prussia"]
    for stays in (False, True):
        campaign = Campaign(Outlook(state, "germany", Doctrine(posts=True, stays=stays, cover=0.0)))
        ways = campaign.scene.roads(campaign.scene.open_land)
        passes = Goal(prussia, 9.0, 1.0, ways, False)
        assert campaign.follow(last, passes) is not stays


def test_two_land_together_at_a_neutral():
    b = Board("1939-basic").war("japan-usa").own("japan", *(ATLAS.space_ids[s] for s in ATLAS.land)).own("siam", "siam")
    zone = ATLAS.space_ids[ATLAS.coast[ATLAS.space_of["siam"]][0]]
    port = next(ATLAS.space_ids[s] for s in ATLAS.coast[ATLAS.space_of[zone]] if ATLAS.space_ids[s] != "siam")
    b.adds(zone, "japan-conv-1", "japan-conv-1")
    units = b.adds(port, "japan-inf-2", "japan-inf-2")
    b.phase("naval")
    orders = Sweep(Outlook(b.state, "japan")).plan()
    assert {order.unit for order in orders if isinstance(order, Unload) and order.to == "siam"} == set(units)
    assert Declare("siam") in orders
    assert landings(Islands(Outlook(b.state, "japan")).plan()) == set()


def test_nobody_waits_with_double_range_where_a_loaded_friend_is():
    b = Board("1939-basic").war("japan-usa").own("japan", "formosa")
    convoy, unit = (ATLAS.unit_of[b.add(kind, "sea_formosa")] for kind in ("japan-conv-1", "japan-inf-2"))
    zone, other = b.state.place[convoy], ATLAS.unit_of[b.add("japan-conv-1", "chinese_sea")]
    assert Sweep(Outlook(b.state, "japan")).may_wait(zone, other)
    embark(b.state, unit, convoy)
    assert not Sweep(Outlook(b.state, "japan")).may_wait(zone, other)
    assert Sweep(Outlook(b.state, "japan")).may_wait(zone, convoy)


def before_the_attack(own, foes, others=1):
    """Own divisions in Western Poland, enemies in Eastern Poland and, beside both, in the Baltic."""
    b = Board("1939-basic").war("germany-ussr").own("germany", "western_poland").own("ussr", "east_poland", "baltic")
    b.adds("western_poland", *["germany-inf-3"] * own)
    b.adds("east_poland", *["ussr-inf-2-orange"] * foes)
    b.adds("baltic", *["ussr-inf-2-orange"] * others)
    return b.phase("land").state


@pytest.mark.parametrize(("others", "is_open"), [(0, True), (4, True), (5, False)])
def test_an_area_that_nobody_could_hold_is_not_left_open(others, is_open):
    campaign = Campaign(Outlook(before_the_attack(1, 9, others), "germany", Doctrine(stays=True)))
    start, target = ATLAS.space_of["western_poland"], ATLAS.space_of["east_poland"]
    assert not campaign.is_open(start, target)
    campaign.send(next(iter(campaign.free)))
    assert campaign.is_open(start, target) is is_open


def test_the_last_division_does_not_walk_out_into_an_open_area():
    state = before_the_attack(1, 0, 2)
    walked = {}
    for stays in (False, True):
        campaign = Campaign(Outlook(state, "germany", Doctrine(stays=stays, cover=0.0)))
        target = ATLAS.space_of["east_poland"]
        campaign.beaten = {ATLAS.space_of["baltic"]: 1.0}  # whoever was attacked there may come back
        walked[stays] = campaign.walk_in(target, campaign.choices()[target], 9.0)
    assert walked == {False: True, True: False}


def test_the_last_division_joins_no_attack_that_does_not_need_it():
    state = before_the_attack(1, 1, 0)
    joined = {}
    for stays in (False, True):
        campaign = Campaign(Outlook(state, "germany", Doctrine(stays=stays, cover=0.0)))
        target, unit = ATLAS.space_of["east_poland"], next(iter(campaign.free))
        defenders = [campaign.scene.soldier(u, target, -1, False) for u in campaign.scene.enemies(target)]
        campaign.battles = [Assault(target, 9.0, defenders)]
        campaign.reinforce(unit)
        joined[stays] = unit not in campaign.free
    assert joined == {False: True, True: False}


def test_every_general_leaves_somebody_behind():
    state = Board("1939-basic").war("germany-ussr").state
    ways = [Commander(GAME, "way").way(state, MAJORS.index(name)) for name in ("germany", "japan", "ussr", "be")]
    assert all(way.stays and way.posts for way in ways)
