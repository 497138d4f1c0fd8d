"""The chronicle: which dates it notes, and which absurdities it sees."""

from itertools import pairwise

from msgspec.structs import replace

from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.game import GAME
from sandtable.games.blitzkrieg_general.model.actions import Declare, Done, March
from sandtable.games.blitzkrieg_general.model.atlas import ATLAS, MAJORS
from sandtable.games.blitzkrieg_general.model.state import CONQUERED
from tests.games.blitzkrieg_general.positions import Board

A = ATLAS
BOOK = GAME.chronicle()


def watched(steps):
    """What a watcher says of decisions: (before, role, action, after)."""
    see = BOOK.watch()
    assert see is not None
    return [seen for step in steps for seen in see(*step)]


def marched(b, unit, to, via):
    return watched([(b.state, "ussr", March(unit, to, via), b.state)])


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


def test_a_home_area_that_somebody_walks_into_is_its_owners_fault():
    b = Board("1939-basic").war("germany-ussr").own("ussr", "baltic", "east_poland")
    b.adds("western_germany", "germany-inf-4", "germany-inf-4")
    tank = b.add("ussr-arm-2-orange", "baltic")
    assert marched(b, tank, "prussia", "baltic") == [("germany", "home area left empty and entered: prussia")]
    b.add("germany-inf-2", "prussia")
    assert marched(b, tank, "prussia", "baltic") == []


def test_a_conquest_left_empty():
    b = Board("1939-basic").war("germany-ussr").own("germany", "western_poland").own("ussr", "east_poland")
    tank = b.add("ussr-arm-2-orange", "east_poland")
    assert marched(b, tank, "western_poland", "east_poland") == []  # nobody was near
    b.add("germany-inf-4", "prussia")
    assert marched(b, tank, "western_poland", "east_poland") == []  # nor could the only division leave Prussia
    b.add("germany-inf-4", "prussia")
    told = [("germany", "conquest left empty and lost without a battle")]
    assert marched(b, tank, "western_poland", "east_poland") == told
    b.state.exploiting = True
    assert marched(b, tank, "western_poland", "east_poland") == []  # the front was broken before
    b.state.exploiting = False
    b.adds("east_poland", *["ussr-arm-5-red"] * 2)
    assert marched(b, tank, "western_poland", "east_poland") == []  # one division would have died


def test_a_conquest_that_gives_its_owner_no_points_may_be_left():
    b = Board("1939-basic").war("japan-china").own("japan", "chentu", "chunking", "kunming").own("china", "sian")
    b.adds("kunming", "japan-inf-4", "japan-inf-4")
    infantry = b.add("china-inf-2", "sian")
    told = {to: watched([(b.state, "china", March(infantry, to, "sian"), b.state)]) for to in ("chunking", "chentu")}
    assert told == {"chunking": [("japan", "conquest left empty and lost without a battle")], "chentu": []}
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
