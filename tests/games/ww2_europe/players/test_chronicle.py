"""The chronicle: which dates it notes, and which absurdities it sees."""

from itertools import pairwise

from msgspec.structs import replace

from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.model.actions import Buy, Done, Give, March
from sandtable.games.ww2_europe.model.atlas import ATLAS
from tests.games.ww2_europe.positions import Board

A = ATLAS
BOOK = GAME.chronicle()


def watched(steps):
    """What a watcher says of decisions: (before, role, action, after)."""
    see = BOOK.watch()
    assert see is not None
    return [seen for step in steps for seen in see(*step)]


def seasons(state, number):
    """So many turn ends in which nothing is done."""
    states = [replace(state, turn=turn) for turn in range(number + 1)]
    return [(one, "germany", Done(), two) for one, two in pairwise(states)]


def test_the_dates_of_the_war():
    b = Board("fall-1939", war="germany great_britain france")
    assert "poland" not in BOOK.reached(b.state)
    b.owner("germany", *(A.names[s] for s in A.pact_german), "paris")
    assert set(BOOK.reached(b.state)) == {"poland", "paris"}


def test_an_army_overseas_and_one_in_france():
    b = Board("spring-1941", war="germany great_britain usa")
    b.owner("usa", "cherbourg")
    b.put("usa", "infantry", "cherbourg", 3)
    assert not {"usa", "france"} & set(BOOK.reached(b.state)), "three are a raid"
    b.put("usa", "infantry", "cherbourg", 1)
    assert "france" in BOOK.reached(b.state)
    assert "usa" not in BOOK.reached(b.state)
    b.put("usa", "infantry", "london", 4)
    assert "usa" in BOOK.reached(b.state)


def test_every_milestone_can_be_reached():
    """What is asked for is what is answered."""
    b = Board("spring-1941", war="germany italy great_britain france usa ussr")
    b.owner("germany", *(A.names[s] for s in A.pact_german), "paris", "moscow", "london")
    b.owner("usa", "rome", "berlin", "cherbourg")
    b.put("usa", "infantry", "cherbourg", 8)
    assert set(BOOK.reached(b.state)) == {milestone.id for milestone in BOOK.milestones}


def test_a_capital_that_somebody_walks_into_is_its_owners_fault():
    b = Board("spring-1941", war="germany ussr")
    b.put("germany", "infantry", "smolensk")
    walk = (b.state, "germany", March("infantry#0", ("moscow",)), b.state)
    told = ("ussr", "capital left empty and entered: moscow")
    assert told in watched([*seasons(b.state, 2), walk])
    assert told not in watched([*seasons(b.state, 1), walk]), "its garrison fell in the last battles"
    held = Board("spring-1941", war="germany ussr")
    held.put("ussr", "infantry", "moscow")
    leave = (held.state, "ussr", March("infantry#0", ("gorki",)), b.state)
    assert told in watched([leave, walk]), "its garrison went away"
    assert told not in watched([*seasons(held.state, 2), (held.state, *walk[1:])])


def test_what_the_western_allies_forget_is_told_once():
    b = Board("spring-1941", war="germany great_britain usa ussr")
    b.put("usa", "infantry", "usa", 12)
    assert watched(seasons(b.state, 3)) == []
    said = watched(seasons(b.state, 12))
    assert sorted(said) == [
        ("great_britain", "British convoys not restarted for a year"),
        ("usa", "most of the US army at home for a year"),
        ("usa", "no money given to allies in two years"),
    ]
    aid = (b.state, "usa", Give("ussr", 10), b.state)
    assert ("usa", "no money given to allies in two years") not in watched([aid, *seasons(b.state, 12)])


def test_convoys_want_an_escort_or_at_least_somebody_who_buys_one():
    b = Board("spring-1941", war="germany great_britain")
    b.convoy("great_britain", "canada_port", "glasgow_port")
    bare = ("great_britain", "convoys without escort for a year and no destroyer bought")
    assert bare in watched(seasons(b.state, 5))
    bought = (b.state, "great_britain", Buy("destroyer", False), b.state)
    assert bare not in watched([bought, *seasons(b.state, 5)])
    b.convoy("great_britain", "canada_port", "glasgow_port", destroyers=1)
    b.state.convoys = b.state.convoys[1:]
    assert bare not in watched(seasons(b.state, 5))


def test_a_capital_by_the_sea_is_open_to_a_fleet():
    b = Board("spring-1941", war="italy great_britain")
    b.put("italy", "infantry", "rome")
    b.put("great_britain", "transport", "gibraltar_port", 4)
    open_rome = ("italy", "capital open to a fleet: rome")
    assert open_rome in watched(seasons(b.state, 1))
    b.put("italy", "infantry", "rome")
    assert open_rome not in watched(seasons(b.state, 1))
