"""What keeps the engine quick, without timing anything: few lists to copy, and quick ways that say what rules say."""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.core import Match
from sandtable.core.data import Orders
from sandtable.games.blitzkrieg_general.facts.relations import Ground, Relations, ground, relations, roster
from sandtable.games.blitzkrieg_general.game import GAME
from sandtable.games.blitzkrieg_general.model.atlas import AIR, MAJORS, SUB
from sandtable.games.blitzkrieg_general.model.state import (
    AT_WAR,
    SEA_BATTLE,
    BKState,
    acting,
    aircraft_of,
    units_of_role,
)
from sandtable.games.blitzkrieg_general.rules.battle import Fight
from sandtable.games.blitzkrieg_general.rules.card_rules import WINDOWS, default_windows, may_anybody_cut_in
from sandtable.games.blitzkrieg_general.rules.chart import LAND_AIMS, SEA_AIMS, assignments, why_not_assign
from sandtable.games.blitzkrieg_general.rules.economy import area_value
from sandtable.games.blitzkrieg_general.rules.flying import _enemy_industry, neighbours_of
from sandtable.games.blitzkrieg_general.rules.movement import march_offers, why_not_march
from sandtable.games.blitzkrieg_general.rules.phase import busy
from sandtable.games.blitzkrieg_general.rules.pinning import attackers_of, attacks, land_attacks
from sandtable.games.blitzkrieg_general.rules.politics import entry, may_enter, why_not_enter
from sandtable.games.blitzkrieg_general.rules.production import hunting_grounds
from sandtable.games.blitzkrieg_general.rules.rail import rail_offers, why_not_rail
from sandtable.games.blitzkrieg_general.rules.reach import _rail_net, air_range, bases, can_land, flight
from sandtable.games.blitzkrieg_general.rules.supply import _waters, presence
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


def test_what_a_stack_holds_is_told_by_nation() -> None:
    """The quick count of who stands where names every nation of every stack, and nobody else."""
    for match in matches():
        state = match.state
        by_nation: dict[int, int] = {}
        for space, units in enumerate(state.here):
            for unit in units:
                bit = 1 << state.nation[unit]
                by_nation[bit] = by_nation.get(bit, 0) | 1 << space
        assert dict(presence(state)) == by_nation


def test_nations_that_are_supplied_together_have_the_same_friends_and_enemies() -> None:
    for match in matches():
        state, politics = match.state, relations(match.state)
        grouped = 0
        for first, alike in politics.lines():
            assert alike >> first & 1
            assert not alike & grouped
            grouped |= alike
            for nation in range(len(A.nation_ids)):
                if alike >> nation & 1:
                    assert state.war[nation] == state.war[first]
                    assert politics.friends(nation) == politics.friends(first)
        assert grouped == sum(1 << nation for nation, standing in enumerate(state.standing) if standing == AT_WAR)


def test_everybody_who_can_be_touched_is_a_neighbour() -> None:
    """One step over land, over a coast, or into a zone with ships: counted unit by unit."""
    for match in matches():
        state, m = match.state, match.play
        for major in range(8):
            touched = 0
            for unit in units_of_role(state, major):
                space = state.place[unit]
                for area in A.coast[space] if A.is_sea[space] else A.land_next[space]:
                    touched |= 1 << state.control[area]
                for zone in A.own_zones[space]:
                    for other in state.here[zone]:
                        touched |= 1 << state.nation[other]
            assert neighbours_of(m, major) == touched


def test_what_gives_to_everybody_need_not_be_asked_about() -> None:
    for match in matches():
        for space in A.industry:
            if A.always_gives[space] and not A.germany_only[space]:
                assert all(area_value(match.state, space, nation) > 0 for nation in range(len(A.nation_ids)))


def test_tables_made_from_equal_politics_are_equal() -> None:
    """A state that was read back has other tuples with the same numbers: it gets the same answers."""
    for match in matches():
        state = match.state
        again = GAME.codec.unpack(GAME.codec.pack(state))
        politics, on = relations(state), ground(state)
        for nation in range(len(A.nation_ids)):
            assert relations(again).friends(nation) == politics.friends(nation)
            assert ground(again).friendly(nation) == on.friendly(nation)
            assert Ground(Relations(*_politics(again)), again.control).friendly(nation) == on.friendly(nation)


def _politics(state: BKState) -> tuple[Any, ...]:
    return state.side, state.standing, state.master, state.war, state.peace


def test_a_side_may_change_just_what_no_rule_forbids() -> None:
    """Everybody in a battle, every segment: the list is what is not refused one by one."""
    seen = 0
    for seed in range(6):
        match = Match.new(GAME, "1941-advanced", seed=seed, history=False)
        rng = Random(seed)
        for _ in range(500):
            random_play(match, rng, most=1)
            battle = match.state.battle
            if battle is None or not battle.aim or not isinstance(match.step, Fight) or match.step.stage != "assign":
                continue
            seen += 1
            aims = SEA_AIMS if battle.kind == SEA_BATTLE else LAND_AIMS
            for side in (0, 1):
                one_by_one = {
                    unit: [aim for aim in aims if why_not_assign(match.state, battle, unit, aim, side) is None]
                    for unit in (battle.attackers, battle.defenders)[side]
                }
                told = {unit: open_to for unit, open_to in one_by_one.items() if open_to}
                assert assignments(match.state, battle, side) == told
    assert seen > 5


def test_what_is_said_of_whole_stacks_holds_for_their_units() -> None:
    """Quarrels, who attacks where and where land units attack: counted unit by unit, all through some turns."""
    attacked = 0
    for scenario in ("1939-advanced", "1941-advanced"):
        match = Match.new(GAME, scenario, seed=5, history=False)
        rng = Random(5)
        for _ in range(40):
            random_play(match, rng, most=15)
            state, m = match.state, match.play
            m.cache.clear()
            found = list(roster(state).quarrels(relations(state), state.here))
            for space, units in enumerate(state.here):
                nations = {state.nation[u] for u in units}
                assert found[space] == any(state.war[a] >> b & 1 for a in nations for b in nations)
            on_foot = []
            for space, nations_there in attacks(m).items():
                attackers = attackers_of(state, space)
                assert nations_there == sum({1 << state.nation[u] for u in attackers})
                if not A.is_sea[space] and any(A.is_land[u] for u in attackers):
                    on_foot.append(space)
            assert land_attacks(m) == on_foot
            attacked += len(on_foot)
    assert attacked


def test_a_window_that_could_ask_nobody_asks_nobody() -> None:
    """The quick look at all hands leaves out no role that a window would ask."""
    quiet = 0
    for match in matches():
        state = match.state
        for name in WINDOWS:
            asked = [major for major in range(8) if name in default_windows(state, major)]
            if asked:
                assert may_anybody_cut_in(state, name)
            quiet += not may_anybody_cut_in(state, name)
        state.orders = {"germany": Orders(("battle",), "")}
        assert all(may_anybody_cut_in(state, name) for name in WINDOWS)
    assert quiet


def test_lists_of_areas_and_zones_are_those_found_one_by_one() -> None:
    for match in matches():
        state = match.state
        for nations in (0, A.everybody, *(state.war[n] for n in range(8))):
            mine = [s for s in A.land if nations >> state.control[s] & 1]
            assert ground(state).held_by(nations) == mine
        assert hunting_grounds(state) == [z for z in A.seas if any(A.type[u] == SUB for u in state.here[z])]
        for nation in range(8):
            worth = {
                s
                for s in A.industry
                if state.war[nation] >> state.control[s] & 1
                and (A.germany_only[s] or area_value(state, s, state.control[s]) > 0)
            }
            assert _enemy_industry(state, nation) == worth


def test_who_is_asked_in_a_phase_has_something_to_do_in_it() -> None:
    for match in matches():
        state = match.state
        majors = [n for n in acting(state, state.phasing) if MAJORS[n] != "germany"]
        assert busy(state, "rail", ("germany",)) == [MAJORS[n] for n in majors if state.rail_left[n] > 0]
        flying = [MAJORS[n] for n in majors if aircraft_of(state, n)]
        assert busy(state, "rebase", ("germany",)) == flying


def test_a_railway_is_the_same_from_each_of_its_stations() -> None:
    """The net remembered for all areas of it against a walk from each area."""
    for match in matches():
        state = match.state
        for major in range(8):
            friendly = ground(state).friendly(major)
            for start in [s for s in A.land if friendly[s]]:
                seen, todo = {start}, [start]
                while todo:
                    for there in A.land_next[todo.pop()]:
                        if there not in seen and friendly[there] and entry(state, major)[there]:
                            seen.add(there)
                            todo.append(there)
                assert _rail_net(state, major, start) == sorted(seen)


def test_waters_are_parted_by_what_is_closed() -> None:
    """Zones of one part can be sailed between, zones of two cannot, and coasts belong to their zones."""
    rng = Random(3)
    for _ in range(30):
        seas = sum(A.bit[z] for z in A.seas if rng.random() < 0.7)
        closed = rng.getrandbits(len(A.gated))
        barred = {frozenset(pair) for number, pair in enumerate(A.gated) if closed >> number & 1}
        parts = _waters(seas, closed)
        assert sum(zones for zones, _ in parts) == seas
        for zones, coast in parts:
            mine = [z for z in A.seas if zones >> z & 1]
            assert coast == sum(A.bit[s] for s in {area for z in mine for area in A.coast[z]})
            reached, todo = {mine[0]}, [mine[0]]
            while todo:
                here = todo.pop()
                for there in A.seas:
                    if (
                        A.joined[here] >> there & 1
                        and seas >> there & 1
                        and there not in reached
                        and frozenset((here, there)) not in barred
                    ):
                        reached.add(there)
                        todo.append(there)
            assert sorted(reached) == mine
