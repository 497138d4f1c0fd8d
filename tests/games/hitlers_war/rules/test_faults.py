"""Every invariant that the fuzzer relies on trips when it is broken."""

from __future__ import annotations

import pytest

from sandtable.core import Match
from sandtable.core.columns import having, put
from sandtable.games.hitlers_war.game import GAME
from sandtable.games.hitlers_war.model.atlas import ALLIES, ATLAS, AXIS, CLOSED, NOBODY, SIDES, SOVIET, WATER
from sandtable.games.hitlers_war.model.state import War, add_points, armies_of, book, points, total
from sandtable.games.hitlers_war.rules import faults
from sandtable.games.hitlers_war.rules.attacks_phase import Announce
from sandtable.games.hitlers_war.rules.budget import production
from sandtable.games.hitlers_war.rules.control import eliminate
from sandtable.games.hitlers_war.rules.faults import find_faults
from sandtable.games.hitlers_war.rules.neutrality import provoked
from tests.games.hitlers_war.positions import Position, at, no


def fresh(scenario: str = "campaign-1", **options: object) -> War:
    state = Match.new(GAME, scenario, options, seed=1).state
    assert find_faults(state) == []
    return state


def faults_of(s: War) -> str:
    return "; ".join(find_faults(s))


def first_army(s: War, side: int) -> int:
    return next(army for army in armies_of(side) if s.army_at[army] >= 0 and not s.idle[army])


@pytest.mark.parametrize("change", [1, -1])
def test_a_point_that_no_event_accounts_for_is_found(change: int):
    s = fresh()
    army = next(army for army in armies_of(AXIS) if s.strength[army * 5] > 1)
    add_points(s, army, 0, change)
    assert "the events add up to" in faults_of(s)
    book(s, army, change)
    assert faults_of(s) == ""


def test_a_point_that_changes_sides_is_found():
    s = fresh()
    add_points(s, next(army for army in armies_of(AXIS) if s.strength[army * 5] > 1), 0, -1)
    add_points(s, first_army(s, ALLIES), 0, 1)
    assert faults_of(s).count("the events add up to") == 2


def test_the_control_map_is_total():
    s = fresh()
    sea, land = ATLAS.is_sea.index(True), ATLAS.countries[ATLAS.country_index["germany"]].spaces[0]
    right = s.owner
    for wrong, words in (
        (put(right, sea, AXIS), "land and sea are mixed up"),
        (put(right, land, WATER), "land and sea are mixed up"),
        (put(right, land, 9), "belongs to nobody known"),
        (put(right, land, NOBODY), "though its country has taken sides"),
        (put(right, land, CLOSED), "closed though it is not neutral for good"),
        (right[:-1], "wrong size"),
    ):
        s.owner = wrong
        assert words in "; ".join(find_faults(s) if len(wrong) == len(right) else _only_control(s))


def _only_control(s: War) -> list[str]:
    found: list[str] = []
    faults._territory(s, found)
    return found


@pytest.mark.parametrize(("change", "side"), [(1, ALLIES), (-1, AXIS), (1, SOVIET)])
def test_production_is_the_sum_of_the_map(monkeypatch: pytest.MonkeyPatch, change: int, side: int):
    s = fresh("fall-of-germany")
    monkeypatch.setattr(faults, "production", lambda s, x: production(s, x) + (change if x == side else 0))
    assert f"{SIDES[side]} produces" in faults_of(s)


def test_what_the_rules_hold_back_is_no_fault():
    s = fresh("campaign-2")
    s.owner = put(s.owner, ATLAS.place("suez"), AXIS)
    assert "produces" not in faults_of(s)


def test_armies_stand_where_they_may():
    s = fresh()
    army = first_army(s, AXIS)
    right = s.army_at
    s.army_at = put(right, army, ATLAS.is_sea.index(True))
    assert "stands in the sea" in faults_of(s)
    s.army_at = put(right, army, ATLAS.place("siberia"))
    assert "which is not its own" in faults_of(s)
    s.army_at = put(right, army, -1)
    assert "strength but no place" in faults_of(s)


def test_hexes_are_not_overstacked_after_movement_nor_in_the_set_up():
    s = fresh()
    army = first_army(s, AXIS)
    add_points(s, army, 0, 11)
    book(s, army, 11)
    assert "overstacked" not in faults_of(s)
    s.stack = (*s.stack, Announce())
    s.side = AXIS
    assert "is overstacked after movement" in faults_of(s)
    free = fresh("fall-of-germany")
    free.army_at = put(free.army_at, 0, at("P10"))
    add_points(free, 0, 0, 11)
    book(free, 0, 11)
    assert "is overstacked in the set-up" in faults_of(free)
    assert points(free, 0) == 11


def test_forts_are_no_bigger_than_a_hex_and_stand_on_the_map():
    s = fresh()
    s.fort = having(s.fort, at("P10"), 8)
    assert faults_of(s) == ""
    s.building = having(s.building, at("P10"), 3)
    assert "more fort points than a hex holds" in faults_of(s)
    s.building, s.fort = {}, {ATLAS.place("united_states"): 1}
    assert "there is a fort in" in faults_of(s)


@pytest.mark.rule("hw-record-1", "hw-neutral-3")
@pytest.mark.parametrize("full", [False, True], ids=["a counter is free", "all twelve in use"])
def test_an_attacked_neutral_changes_coats_only_into_a_free_counter(full: bool):
    """Its army takes a counter of the side it would join; where none is left it is lost, and the log says so."""
    p = Position("campaign-1", armies=True)
    s = p.state
    idle = [army for army in armies_of(AXIS) if s.idle[army]]
    assert idle
    held = sum(total(s, army) for army in idle)
    if full:
        for army in armies_of(ALLIES):
            if s.army_at[army] < 0:
                p.army(ATLAS.army_names[army], ATLAS.names[ATLAS.place("united_states")], infantry=1)
    before = s.muster
    s.side = AXIS
    p.m.events = []
    provoked(p.m, [(no("Army Group A"), ATLAS.countries[ATLAS.country_index["italy"]].spaces[0])])
    gained = s.muster[ALLIES] - before[ALLIES]
    assert (s.muster[AXIS] - before[AXIS], gained) == (-held, 0 if full else held)
    assert [event.points for event in p.m.events if hasattr(event, "points")] == ([held] if full else [])
    assert "the events add up to" not in faults_of(s)
    assert s.muster[SOVIET] == before[SOVIET]
    eliminate(p.m, first_army(s, ALLIES))
    assert "the events add up to" not in faults_of(s)
