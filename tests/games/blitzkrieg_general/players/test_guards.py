"""Before a movement ends a general looks where the enemy could walk in: who stays, who comes, what is given up."""

import pytest

from sandtable.core import Choices, Offers
from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.model.actions import March, Withdraw
from sandtable.games.blitzkrieg_general.model.atlas import ARM, ATLAS, INF
from sandtable.games.blitzkrieg_general.players import guards
from sandtable.games.blitzkrieg_general.players.battles import withdraw
from sandtable.games.blitzkrieg_general.players.campaign import Campaign
from sandtable.games.blitzkrieg_general.players.doctrine import Doctrine
from sandtable.games.blitzkrieg_general.players.goals import Goal
from sandtable.games.blitzkrieg_general.players.planner import Outlook
from tests.games.blitzkrieg_general.positions import Board

PRUSSIA, BALTIC, POLAND = (ATLAS.space_of[name] for name in ("prussia", "baltic", "western_poland"))


def at_the_border(own, north, south, behind=0):
    """Own divisions in Prussia and behind it, enemies in the Baltic and in Western Poland."""
    b = Board("1939-basic").war("germany-ussr").own("ussr", "baltic", "western_poland")
    b.adds("prussia", *["germany-inf-3"] * own)
    b.adds("western_germany", *["germany-inf-2"] * behind)
    b.adds("baltic", *["ussr-inf-2-orange"] * north)
    b.adds("western_poland", *["ussr-inf-2-orange"] * south)
    return b.phase("land").state


def attacked(state, stays=True, role="germany"):
    campaign = Campaign(Outlook(state, role, Doctrine(stays=stays, cover=0.0, home=0.0)))
    campaign.attack()
    return campaign


@pytest.mark.parametrize(
    ("own", "north", "south", "stay"),
    [(7, 2, 2, 1), (5, 3, 0, 1), (3, 2, 0, 0), (4, 3, 0, 0)],
    ids=["two attacks", "an attack and a march in", "the attack would fail", "it would not be fair any more"],
)
def test_one_division_stays_where_all_would_leave_for_several_attacks(own, north, south, stay):
    """The enemy who is attacked may retreat and come round."""
    state = at_the_border(own, north, south)
    assert attacked(state, stays=False).company(PRUSSIA) == 0
    campaign = attacked(state)
    assert campaign.company(PRUSSIA) == pytest.approx(0.5 * stay)
    left = sum(1 for order in campaign.orders if isinstance(order, March) and order.via)
    assert left == sum(len(battle.team) for battle in (*campaign.battles, *campaign.walks))


@pytest.mark.parametrize(("behind", "comes"), [(4, 1), (2, 0)], ids=["one can be spared", "the capital is guarded"])
def test_a_division_comes_from_behind_where_nobody_can_stay(behind, comes):
    state = at_the_border(3, 2, 0, behind)
    assert attacked(state, stays=False).company(PRUSSIA) == 0
    campaign = attacked(state)
    assert sum(1 for order in campaign.orders if order.to == "prussia") == comes
    assert len(campaign.battles[0].team) == 2, "the others attack all the same"


def test_whoever_attacks_or_marches_in_could_stay_instead():
    campaign = attacked(at_the_border(4, 3, 0), stays=False)
    missing = [battle.target for _, battle in guards.candidates(campaign, PRUSSIA) if battle]
    assert missing == [BALTIC] * 3 + [POLAND]


def test_an_attack_that_lacks_somebody_is_told_so():
    campaign = attacked(at_the_border(4, 1, 0), stays=False)
    battle = campaign.battles[0]
    before, arriving = battle.chance(), campaign.arriving[BALTIC]
    assert BALTIC in campaign.beaten
    for unit in list(battle.team):
        campaign.call_off(unit, battle)
        assert battle.chance() <= before
    assert battle not in campaign.battles
    assert BALTIC not in campaign.beaten
    assert arriving > 0 == pytest.approx(campaign.arriving[BALTIC])
    assert not [order for order in campaign.orders if order.to == "baltic"]


@pytest.mark.parametrize(("nation", "kind", "team"), [("poland", "poland-inf-2", 3), ("ussr", "ussr-inf-2-orange", 4)])
def test_who_attacks_a_minor_leaves_one_for_elsewhere(nation, kind, team):
    b = Board("1939-basic").war(f"germany-{nation}").own(nation, "western_poland")
    b.adds("prussia", *["germany-inf-3"] * 4)
    b.adds("western_poland", kind, kind)
    campaign = Campaign(Outlook(b.phase("land").state, "germany", Doctrine(stays=True, cover=0.0, home=0.0)))
    assert campaign.prepare(POLAND, campaign.choices()[POLAND], 9.0)
    assert len(campaign.battles[0].team) == team


def test_nobody_waits_for_a_beaten_minor():
    """What is left of it has nowhere to go."""
    worth = {}
    for nation, kind in (("poland", "poland-inf-2"), ("ussr", "ussr-inf-2-orange")):
        b = Board("1939-basic").war(f"germany-{nation}").own(nation, "western_poland")
        b.adds("prussia", *["germany-inf-3"] * 5)
        b.adds("western_poland", kind, kind)
        campaign = attacked(b.phase("land").state, stays=False)
        assert POLAND in campaign.beaten
        worth[nation] = guards.held(campaign, PRUSSIA, next(iter(campaign.scene.mine)))
    assert worth["poland"] == 0.0 < worth["ussr"]


@pytest.mark.parametrize(
    ("scenario", "second", "later"),
    [("1939-advanced", False, True), ("1939-advanced", True, False), ("1939-basic", False, False)],
    ids=["he may move twice", "this side may answer", "the Axis always begins"],
)
def test_an_enemy_who_may_move_twice_comes_through_an_empty_area(scenario, second, later):
    b = Board(scenario).war("japan-china").own("japan", "canton")
    b.adds("canton", "japan-inf-3")
    b.adds("kunming", "china-inf-2", "china-inf-2")
    b.own("china", "chansa", "chunking", "wuhan", "sian", "kunming")
    state = b.phase("land", phasing=1).state
    state.second = second
    campaign = Campaign(Outlook(state, "china", Doctrine(stays=True, posts=True)))
    chunking, unit = ATLAS.space_of["chunking"], next(u for u in campaign.free)
    assert campaign.comes_later(chunking) is later, "chansa is open"
    assert (chunking in guards.exposed(campaign)) is later
    assert (guards.held(campaign, chunking, unit) > 0) is later


def test_an_area_behind_an_empty_one_is_not_left_by_its_last_division():
    last = {}
    for second in (False, True):
        b = Board("1939-advanced").war("japan-china").own("japan", "canton")
        b.add("japan-inf-3", "canton")
        unit = ATLAS.unit_of[b.add("china-inf-2", "chunking")]
        b.own("china", "chansa", "chunking", "wuhan", "sian", "kunming")
        state = b.phase("land", phasing=1).state
        state.second = second
        last[second] = Campaign(Outlook(state, "china", Doctrine(stays=True, posts=True))).is_last(unit)
    assert last == {False: True, True: False}


@pytest.mark.parametrize(("stays", "foes", "to"), [(True, 1, "prussia"), (False, 1, "bavaria"), (True, 9, "bavaria")])
def test_who_retreats_goes_where_else_nobody_would_be(stays, foes, to):
    b = Board("1939-basic").war("germany-ussr").own("ussr", "western_poland", "baltic")
    b.adds("bavaria", *["germany-inf-3"] * 4)
    b.adds("baltic", *["ussr-inf-2-orange"] * foes)
    unit = b.add("germany-inf-3", "austria")
    b.phase("land")

    ways = Offers([Choices([Withdraw(unit, "prussia"), Withdraw(unit, "bavaria")], rule="bg-6.6-retreat")], "")
    found = withdraw(Outlook(b.state, "germany", Doctrine(stays=stays)), ways)
    assert found == Withdraw(unit, to)


def exploiting(infantry):
    """Armour in Western Poland before the enemy; infantry behind it in Prussia, whose HQ has one command left."""
    b = Board("1939-basic").war("germany-ussr").own("germany", "western_poland", "baltic").own("ussr", "east_poland")
    hq = ATLAS.unit_of[b.add("rommel", "prussia")]
    b.adds("prussia", *["germany-inf-2"] * infantry)
    b.add("germany-arm-4", "western_poland")
    b.adds("east_poland", *["ussr-inf-2-orange"] * 9)
    b.phase("exploit")
    b.state.spent = put(b.state.spent, hq, ATLAS.rating[hq] - 1)
    return b


@pytest.mark.parametrize("stays", [True, False], ids=["general", "colonel"])
def test_nobody_goes_on_for_a_replacement_that_no_hq_commands(stays):
    campaign = Campaign(Outlook(exploiting(3).state, "germany", Doctrine(stays=stays, posts=True, cover=0.0)))
    ways = campaign.scene.roads(campaign.scene.open_land)
    armour = next(u for u in campaign.free if ATLAS.type[u] == ARM)
    first, second = [u for u in campaign.free if ATLAS.type[u] == INF][:2]
    campaign.go(first, ATLAS.space_of["western_germany"])
    assert campaign.follow(second, Goal(POLAND, 9.0, 1.0, ways, True)) is not stays
    assert campaign.follow(armour, Goal(BALTIC, 9.0, 1.0, ways, False)) is not stays
    campaign.recall([first])
    assert campaign.is_led(second)


def test_an_hq_is_asked_for_no_more_than_it_can_command():
    refused: dict[bool, int] = {}
    for stays in (True, False):
        b = exploiting(4)
        orders = Campaign(Outlook(b.state, "germany", Doctrine(stays=stays, posts=True, cover=0.0))).plan()
        for order in orders:
            if b.match.why_not("germany", order) is None:
                b.do("germany", order)
            else:
                refused[stays] = refused.get(stays, 0) + 1
    assert refused == {False: 3}
