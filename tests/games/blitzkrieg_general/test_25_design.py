"""What keeps the engine quick, without timing anything: few lists to copy, and quick ways that say what rules say."""

from __future__ import annotations

from random import Random

from sandtable.core import Match
from sandtable.core.clone import _field_types, is_immutable
from sandtable.games.blitzkrieg_general.atlas import AIR, MAJORS
from sandtable.games.blitzkrieg_general.game import GAME
from sandtable.games.blitzkrieg_general.movement import march_offers, why_not_march
from sandtable.games.blitzkrieg_general.politics import may_enter, why_not_enter
from sandtable.games.blitzkrieg_general.rail import rail_offers, why_not_rail
from sandtable.games.blitzkrieg_general.reach import air_range, bases, can_land, flight
from sandtable.games.blitzkrieg_general.relations import Ground, Relations, ground, relations, roster
from sandtable.games.blitzkrieg_general.state import BKState, units_of_role
from sandtable.lab.fuzz import random_play
from tests.games.blitzkrieg_general.positions import A


def matches() -> list[Match[BKState]]:
    found = []
    for scenario in GAME.scenarios:
        for seed in (1, 2):
            match = Match.new(GAME, scenario, seed=seed, history=False)
            random_play(match, Random(seed), most=250)
            found.append(match)
    return found


def test_a_clone_copies_three_lists_and_shares_the_rest() -> None:
    """A clone costs what can change in place: everything that changes seldom must be replaced as a whole."""
    mutable = [name for name, kind in _field_types(BKState).items() if not is_immutable(kind)]
    assert mutable == ["stack", "orders", "place", "flags", "here", "battle"]
    state = matches()[0].state
    twin = GAME.codec.clone(state)
    for name in BKState.__struct_fields__:
        one, other = getattr(state, name), getattr(twin, name)
        assert one == other
        if name not in mutable:
            assert one is other, name
    twin.place[0] = twin.flags[0] = 99
    twin.here[0] = (1, 2, 3)
    assert (state.place[0], state.flags[0], state.here[0]) != (99, 99, (1, 2, 3))


def test_the_quick_answers_are_those_of_the_rules() -> None:
    for match in matches():
        state, m = match.state, match.play
        for nation in range(len(A.nation_ids)):
            for space in A.land:
                assert may_enter(state, nation, space) == (why_not_enter(state, nation, space) is None)
        for major in range(8):
            for unit in units_of_role(state, major):
                if A.type[unit] == AIR and state.carrier[unit] < 0:
                    start, steps = state.place[unit], air_range(state, unit)
                    reached = flight(state, state.nation[unit], start, steps)
                    assert bases(m, unit, start, steps) == [s for s in reached if can_land(m, unit, s) is None]


def test_who_is_listed_is_who_is_not_refused() -> None:
    for match in matches():
        state, m = match.state, match.play
        m.cache.clear()
        for major in range(8):
            mine = units_of_role(state, major)
            (march,) = march_offers(m, major)
            listed = list(march.fields[0].given(()))
            assert listed == [A.unit_ids[u] for u in mine if A.is_land[u] and why_not_march(m, u) is None]
            for offer in rail_offers(m, major):
                able = set(offer.fields[0].given(()))
                for unit in mine:
                    assert (A.unit_ids[unit] in able) == (why_not_rail(m, major, A.unit_ids[unit]) is None)


def test_tables_follow_the_state_they_were_made_from() -> None:
    """Whatever matches are played side by side, each finds its own politics, ground and counters."""
    states = [match.state for match in matches()]
    for state in (*states, *reversed(states)):
        fresh = Relations(state.side, state.standing, state.master, state.war, state.peace)
        nations = range(len(A.nation_ids))
        assert [relations(state).friends(n) for n in nations] == [fresh.friends(n) for n in nations]
        bare = Ground(fresh, state.control)
        assert [ground(state).friendly(n) for n in nations] == [bare.friendly(n) for n in nations]
        assert [ground(state).sky(n) for n in nations] == [bare.sky(n) for n in nations]
        for major in range(len(MAJORS)):
            wanted = {u for u in range(A.units) if state.master[state.nation[u]] == major}
            assert set(roster(state).all[major]) <= wanted
            assert {u for u in wanted if state.place[u] >= 0} <= set(roster(state).all[major])
