"""The chronicle: which dates it notes, and which absurdities it sees."""

from itertools import pairwise

from msgspec.structs import replace

from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.game import GAME
from sandtable.games.blitzkrieg_general.model.actions import Declare, Done, March
from sandtable.games.blitzkrieg_general.model.atlas import ATLAS, MAJORS
from sandtable.games.blitzkrieg_general.model.state import CONQUERED, move_unit
from sandtable.games.blitzkrieg_general.rules.movement_phase import Phase
from tests.games.blitzkrieg_general.positions import Board

A = ATLAS
BOOK = GAME.chronicle()


def watched(steps):
    """What a watcher says of decisions: (before, role, action, after)."""
    see = BOOK.watch()
    assert see is not None
    land = (Phase("land"),)
    return [seen for a, role, action, b in steps for seen in see(replace(a, stack=land), role, action, b)]


def marched(b, unit, to, via, owner="germany", orders=(), role="ussr"):
    """What is said of a march after the owner's side moved on land with these orders."""
    moves = [(b.state, owner, action, b.state) for action in (*orders, Done())]
    later = replace(b.state)
    for order in orders:
        move_unit(later, A.unit_of[order.unit], A.space_of[order.to])
    move_unit(later, A.unit_of[unit], A.space_of[via])
    return watched([*moves, (later, role, March(unit, to, via), later)])


def test_the_dates_of_the_war():
    b = Board("1939-basic", full=True)
    assert not list(BOOK.reached(b.state))
    b.own("germany", *(A.space_ids[s] for s in A.homes[A.poland]))
    assert set(BOOK.reached(b.state)) == {"poland"}
    b.war("germany-ussr", "usa-germany")
    assert set(BOOK.reached(b.state)) == {"poland", "east", "usa"}


def test_every_milestone_can_be_reached():
    b = Board("1939-basic", full=True).war("germany-ussr", "usa-germany")
    b.own("germany", *(A.space_ids[s] for s in A.land))
    b.state.french_fell = True
    b.own("usa", "normandy")
    b.add("usa-inf-4", "normandy")
    for name in ("china", "italy", "germany", "japan"):
        b.state.standing = put(b.state.standing, MAJORS.index(name), CONQUERED)
    assert set(BOOK.reached(b.state)) == {milestone.id for milestone in BOOK.milestones}


LOST = [("germany", "conquest left empty and lost without a battle")]


def poland():
    """Western Poland is German, and a Soviet tank stands beside it."""
    b = Board("1939-basic").war("germany-ussr").own("germany", "western_poland").own("ussr", "east_poland", "baltic")
    return b, b.add("ussr-arm-2-orange", "east_poland")


def test_a_home_area_that_somebody_walks_into_is_its_owners_fault():
    b, tank = poland()
    b.adds("western_germany", "germany-inf-4", "germany-inf-4")
    told = [("germany", "home area left empty and entered: prussia")]
    assert marched(b, tank, "prussia", "baltic") == told
    b.add("germany-inf-2", "prussia")
    assert marched(b, tank, "prussia", "baltic") == []


def test_a_conquest_left_empty():
    b, tank = poland()
    assert marched(b, tank, "western_poland", "east_poland") == []  # nobody was near
    b.add("germany-inf-4", "prussia")
    assert marched(b, tank, "western_poland", "east_poland") == []  # nor could the only division leave Prussia
    b.add("germany-inf-4", "prussia")
    assert marched(b, tank, "western_poland", "east_poland") == LOST
    b.adds("east_poland", *["ussr-arm-5-red"] * 2)
    assert marched(b, tank, "western_poland", "east_poland") == []  # one division would have died


def test_a_conquest_that_nobody_threatened_before():
    b, tank = poland()
    b.adds("prussia", "germany-inf-4", "germany-inf-4")
    far = Board("1939-basic").war("germany-ussr").own("germany", "western_poland")
    far.adds("prussia", "germany-inf-4", "germany-inf-4")
    far.add("ussr-arm-2-orange", "moscow")
    last = (b.state, "ussr", March(tank, "western_poland", "east_poland"), b.state)
    assert watched([(far.state, "germany", Done(), far.state), last]) == []
    assert marched(b, tank, "western_poland", "east_poland") == LOST


def test_a_conquest_left_for_an_attack_that_needed_everybody():
    b, tank = poland()
    team = b.adds("western_poland", "germany-inf-4", "germany-inf-4")
    b.adds("baltic", "ussr-inf-2-orange", "ussr-inf-2-orange")
    orders = [March(unit, "baltic", "western_poland") for unit in team]
    assert marched(b, tank, "western_poland", "east_poland", orders=orders) == []
    more = b.adds("western_poland", *["germany-inf-3"] * 8)
    orders += [March(unit, "baltic", "western_poland") for unit in more]
    assert marched(b, tank, "western_poland", "east_poland", orders=orders) == LOST  # more than it needs


def test_nobody_is_missed_from_where_more_is_at_stake():
    b = Board("1939-basic").war("germany-be").own("germany", "bnl", "maginot").own("be", "normandy", "paris")
    foe = b.add("be-inf-2", "normandy")
    b.adds("western_germany", "germany-inf-4", "germany-inf-4")
    assert marched(b, foe, "bnl", "normandy", role="be") == LOST
    b.own("be", "maginot").adds("maginot", *["be-inf-3"] * 3)
    assert marched(b, foe, "bnl", "normandy", role="be") == []


def test_a_conquest_that_gives_its_owner_no_points_may_be_left():
    b = Board("1939-basic").war("japan-china").own("japan", "chentu", "chunking", "kunming").own("china", "sian")
    b.adds("kunming", "japan-inf-4", "japan-inf-4")
    infantry = b.add("china-inf-2", "sian")
    told = {to: marched(b, infantry, to, "sian", "japan", (), "china") for to in ("chunking", "chentu")}
    assert told == {"chunking": [("japan", LOST[0][1])], "chentu": []}
    assert A.left[A.space_of["chentu"]] > A.right[A.space_of["chentu"]] == 0


def test_a_war_with_a_stronger_great_power():
    b = Board("1939-basic").war("germany-be")
    b.add("germany-inf-2", "prussia")
    b.adds("leningrad", "ussr-inf-3-red", "ussr-inf-3-red")
    step = (b.state, "germany", Declare("ussr"), b.state)
    assert watched([step]) == ["war on ussr with the weaker army"]
    b.adds("prussia", *["germany-inf-4"] * 3)
    assert watched([step]) == []


def test_an_army_that_stands_idle_for_a_year():
    b = Board("1939-basic").war("germany-be")
    kinds = ["germany-inf-2", "germany-inf-3", "germany-inf-4"]
    b.adds("bavaria", *[kind for kind in kinds for _ in A.kind_ids[kind].units][:20])
    years = [replace(b.state, turn=turn) for turn in range(5)]
    steps = [(one, "germany", Done(), two) for one, two in pairwise(years)]
    assert watched(steps[:3]) == []
    assert watched(steps) == [("germany", "an army idle for a year: bavaria")]
    b.own("be", "maginot")
    near = [(replace(b.state, turn=s[0].turn), s[1], s[2], replace(b.state, turn=s[3].turn)) for s in steps]
    assert watched(near) == []
