"""6.4.1 and 6.4.3: ships that unite on the way, of one country or of several."""

from __future__ import annotations

import pytest

from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.state import DOUBLE, MOVED
from sandtable.games.blitzkrieg_general.rules.naval import call_it_a_day
from tests.games.blitzkrieg_general.positions import Board, unit


def war() -> Board:
    return Board().war("germany-be", "germany-france")


@pytest.mark.rule("bg-6.4.1-ships")
def test_ships_of_two_zones_unite_and_who_came_farthest_sets_the_range() -> None:
    b = war()
    far, near = b.add("be-tf-4", "skandinavian_sea"), b.add("be-conv-1", "sea_of_britain")
    b.phase("naval", phasing=1)
    b.do("be", act.Form("skandinavian_sea", (far,)), act.Sail("north_sea"), act.Sail("channel"))
    b.do("be", act.Sail("sea_of_britain"), act.Wait("be"))
    assert not b.state.flags[unit(far)] & MOVED
    group = tuple(sorted((far, near), key=unit))
    b.do("be", act.Form("sea_of_britain", group), act.Sail("sea_of_portugal"))
    assert b.step.used == 4  # three zones of the Task Force and one together
    assert b.state.flags[unit(near)] & DOUBLE  # the convoy shares the lot of the group
    b.do("be", act.Halt())
    assert b.where(near) == b.where(far) == "sea_of_portugal"


@pytest.mark.rule("bg-6.4.1-ships")
def test_nobody_waits_before_he_has_sailed_or_in_the_exploitation() -> None:
    b = war()
    ship = b.add("be-tf-4", "skandinavian_sea")
    b.phase("naval", phasing=1)
    b.do("be", act.Form("skandinavian_sea", (ship,)))
    refusal = b.match.why_not("be", act.Wait("be"))
    assert refusal is not None
    assert refusal.reason == "nothing-to-wait-for"
    b.state.exploiting = True
    b.match.changed()
    refusal = b.match.why_not("be", act.Wait("be"))
    assert refusal is not None
    assert refusal.rule == "bg-6.7-ships"


@pytest.mark.rule("bg-6.4.3d-case1")
def test_a_group_that_waited_among_enemies_is_searched_for_when_it_sails_on() -> None:
    b = war()
    ship = b.add("be-tf-4", "channel")
    b.add("germany-sub-2", "north_sea")
    b.phase("naval", phasing=1, dice=[6, 6])
    b.do("be", act.Form("channel", (ship,)), act.Sail("north_sea"), act.Wait("be"))
    assert b.state.rolled == 0
    b.do("be", act.Form("north_sea", (ship,)), act.Sail("skandinavian_sea"))
    assert b.state.rolled == 2  # the submarine has looked for it, in vain
    assert b.where(ship) == "skandinavian_sea"


@pytest.mark.rule("bg-6.4.1-once")
def test_ships_that_waited_in_vain_have_moved() -> None:

    b = war()
    ship, idle = b.add("be-tf-4", "channel"), b.add("be-tf-3", "channel")
    b.phase("naval", phasing=1)
    b.do("be", act.Form("channel", (ship,)), act.Sail("sea_of_britain"), act.Wait("be"))
    call_it_a_day(b.state)
    assert b.state.flags[unit(ship)] & MOVED
    assert not b.state.flags[unit(idle)] & MOVED


@pytest.mark.rule("bg-6.4.1-ships")
def test_an_associates_ships_sail_in_one_group_with_ones_own() -> None:
    b = war()
    british, french = b.add("be-tf-4", "channel"), b.add("france-conv-1", "channel")
    b.phase("naval", phasing=1)
    assert b.match.why_not("be", act.Form("channel", (british, french))) is not None  # France has not agreed
    b.do("france", act.Form("channel", (french,)), act.Wait("be"))
    both = tuple(sorted((british, french), key=unit))
    group = both if b.match.why_not("be", act.Form("channel", both)) is None else both[::-1]
    b.do("be", act.Form("channel", group), act.Sail("sea_of_britain"), act.Halt())
    assert b.where(british) == b.where(french) == "sea_of_britain"
    assert not b.state.lent


@pytest.mark.rule("bg-6.4.1-ships")
def test_ships_that_were_lent_and_wait_for_their_own_country_are_its_own_again() -> None:
    b = war()
    french, other = b.add("france-conv-1", "channel"), b.add("france-conv-1", "sea_of_britain")
    b.add("be-tf-4", "channel")
    b.phase("naval", phasing=1)
    b.do("france", act.Form("channel", (french,)), act.Wait("be"))
    b.do("be", act.Form("channel", (french,)), act.Sail("sea_of_britain"), act.Wait("france"))
    assert not b.state.lent
    both = tuple(sorted((french, other), key=unit))
    offered = [action for action in b.match.offers("france") if isinstance(action, act.Form)]
    assert [action.ships for action in offered].count((french,)) == 1
    assert any(set(action.ships) == set(both) for action in offered)


@pytest.mark.rule("bg-8.2-neutral-units")
def test_nobody_waits_for_a_stranger_or_for_one_who_has_finished() -> None:
    b = war()
    french = b.add("france-conv-1", "channel")
    b.add("be-tf-4", "channel")
    b.phase("naval", phasing=1)
    b.do("be", act.Done())
    b.do("france", act.Form("channel", (french,)))
    reasons = {}
    for country in ("be", "ussr", "germany"):
        refusal = b.match.why_not("france", act.Wait(country))
        assert refusal is not None
        reasons[country] = refusal.reason
    assert reasons == {"be": "has-finished", "ussr": "no-associate", "germany": "no-associate"}


@pytest.mark.rule("bg-opt-9.11-limits")
def test_strangers_form_no_group_when_cooperation_is_limited() -> None:
    b = Board(cooperation=True).war("germany-be", "germany-ussr")
    soviet = b.add("ussr-tf-2-red", "north_sea")
    b.add("be-tf-4", "north_sea")
    b.phase("naval", phasing=1)
    b.do("ussr", act.Form("north_sea", (soviet,)))
    refusal = b.match.why_not("ussr", act.Wait("be"))
    assert refusal is not None
    assert refusal.rule == "bg-opt-9.11-limits"
