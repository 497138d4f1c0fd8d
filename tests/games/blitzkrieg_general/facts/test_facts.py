"""What is counted for whole stacks, groups and nets is what one counts unit by unit and space by space."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from sandtable.core import Match
from sandtable.core.data import Orders
from sandtable.games.blitzkrieg_general.facts.attacks import attackers, front
from sandtable.games.blitzkrieg_general.facts.ground import entry, friendly, held_by
from sandtable.games.blitzkrieg_general.facts.politics import acting, friends, lines
from sandtable.games.blitzkrieg_general.facts.production import area_value, worth_bombing
from sandtable.games.blitzkrieg_general.facts.reach import air_range, bases, flight, neighbours, rail_nets
from sandtable.games.blitzkrieg_general.facts.supply import presence, waters
from sandtable.games.blitzkrieg_general.facts.units import counters, fights, on_map
from sandtable.games.blitzkrieg_general.game import GAME
from sandtable.games.blitzkrieg_general.model.atlas import MAJORS, SUB
from sandtable.games.blitzkrieg_general.model.state import AT_WAR, SEA_BATTLE, BKState
from sandtable.games.blitzkrieg_general.rules.battle_phase import Fight
from sandtable.games.blitzkrieg_general.rules.cards.playing import WINDOWS, default_windows, may_anybody_cut_in
from sandtable.games.blitzkrieg_general.rules.chart import LAND_AIMS, SEA_AIMS, assignments, why_not_assign
from sandtable.games.blitzkrieg_general.rules.movement import march_offers, why_not_march
from sandtable.games.blitzkrieg_general.rules.movement_phase import busy
from sandtable.games.blitzkrieg_general.rules.production import buildable, hunting_grounds, why_not_build
from sandtable.games.blitzkrieg_general.rules.rail import rail_offers, why_not_rail
from sandtable.games.blitzkrieg_general.rules.stacking import why_not_land
from sandtable.testing import random_play
from tests.games.blitzkrieg_general.positions import A


def matches() -> list[Match[BKState]]:
    found = []
    for scenario in GAME.scenarios:
        for seed in (1, 2):
            match = Match.new(GAME, scenario, seed=seed, history=False)
            random_play(match, Random(seed), most=250)
            found.append(match)
    return found


def test_every_base_in_reach_is_listed() -> None:
    for match in matches():
        state = match.state
        for major in range(8):
            for unit in on_map(state, major, "aircraft"):
                if state.carrier[unit] < 0:
                    start, steps = state.place[unit], air_range(state, unit)
                    reached = flight(state, state.nation[unit], start, steps)
                    wanted = [s for s in reached if why_not_land(state, unit, s) is None]
                    assert bases(state, unit, start, steps) == wanted


def test_who_is_listed_is_who_is_not_refused() -> None:
    for match in matches():
        state, m = match.state, match.play
        for major in range(8):
            mine = on_map(state, major)
            (march,) = march_offers(m, major)
            listed = list(march.fields[0].given(()))
            assert listed == [A.unit_ids[u] for u in mine if A.is_land[u] and why_not_march(state, u) is None]
            for offer in rail_offers(m, major):
                able = set(offer.fields[0].given(()))
                for unit in mine:
                    assert (A.unit_ids[unit] in able) == (why_not_rail(state, major, A.unit_ids[unit]) is None)
            kinds = [k for kinds in A.kinds_of for k in kinds if why_not_build(state, major, k) is None]
            assert buildable(state, major) == kinds


def test_units_are_those_of_the_nations_that_a_major_plays() -> None:
    for match in matches():
        state = match.state
        for major in range(len(MAJORS)):
            wanted = {u for u in range(A.units) if state.master[state.nation[u]] == major}
            assert set(counters(state)[major]) <= wanted
            assert {u for u in wanted if state.place[u] >= 0} == set(on_map(state, major))


def test_presence_names_every_nation_of_every_stack() -> None:
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
        state = match.state
        grouped = 0
        for first, alike in lines(state):
            assert alike >> first & 1
            assert not alike & grouped
            grouped |= alike
            for nation in range(len(A.nation_ids)):
                if alike >> nation & 1:
                    assert state.war[nation] == state.war[first]
                    assert friends(state, nation) == friends(state, first)
        assert grouped == sum(1 << nation for nation, standing in enumerate(state.standing) if standing == AT_WAR)


def test_everybody_who_can_be_touched_is_a_neighbour() -> None:
    """One step over land, over a coast, or into a zone with ships: counted unit by unit."""
    for match in matches():
        state = match.state
        for major in range(8):
            touched = 0
            for unit in on_map(state, major):
                space = state.place[unit]
                for area in A.coast[space] if A.is_sea[space] else A.land_next[space]:
                    touched |= 1 << state.control[area]
                for zone in A.own_zones[space]:
                    for other in state.here[zone]:
                        touched |= 1 << state.nation[other]
            assert neighbours(state, major) == touched


def test_a_side_may_change_just_what_no_rule_forbids() -> None:
    """Everybody in a battle, every segment: the list is what is not refused one by one."""
    seen = 0
    for match in _stops("1941-advanced", range(6), 500, 1):
        battle = match.state.battle
        if battle is None or not battle.aim or not isinstance(match.step, Fight) or match.step.stage != "assign":
            continue
        seen += 1
        aims = SEA_AIMS if battle.kind == SEA_BATTLE else LAND_AIMS
        for side, units in enumerate((battle.attackers, battle.defenders)):
            one_by_one = {
                unit: [aim for aim in aims if why_not_assign(match.state, battle, unit, aim, side) is None]
                for unit in units
            }
            wanted = {unit: open_to for unit, open_to in one_by_one.items() if open_to}
            assert assignments(match.state, battle, side) == wanted
    assert seen > 5


def _stops(scenario: str, seeds: range, times: int, decisions: int) -> Iterator[Match[BKState]]:
    """Random matches, looked at again and again."""
    for seed in seeds:
        match, rng = Match.new(GAME, scenario, seed=seed, history=False), Random(seed)
        for _ in range(times):
            random_play(match, rng, most=decisions)
            yield match


def test_what_is_said_of_whole_stacks_holds_for_their_units() -> None:
    """Fights, who attacks where and where land units attack: counted unit by unit, all through some turns."""
    attacked = 0
    for scenario in ("1939-advanced", "1941-advanced"):
        for match in _stops(scenario, range(5, 6), 40, 15):
            state = match.state
            found = list(fights(state, state.here))
            for space, units in enumerate(state.here):
                nations = {state.nation[u] for u in units}
                assert found[space] == any(state.war[a] >> b & 1 for a in nations for b in nations)
            on_foot = []
            for space, nations_there in front(state).nations.items():
                there = attackers(state, space)
                assert nations_there == sum({1 << state.nation[u] for u in there})
                if not A.is_sea[space] and any(A.is_land[u] for u in there):
                    on_foot.append(space)
            assert front(state).on_land == on_foot
            attacked += len(on_foot)
    assert attacked


def test_a_window_that_could_ask_nobody_asks_nobody() -> None:
    quiet = 0
    for match in matches():
        state = match.state
        for name in WINDOWS:
            asked = [major for major in range(8) if name in default_windows(state, major)]
            assert may_anybody_cut_in(state, name) == bool(asked)
            quiet += not asked
        state.orders = {"germany": Orders(("battle",), "")}
        assert all(may_anybody_cut_in(state, name) for name in WINDOWS)
    assert quiet


def test_lists_of_areas_and_zones_are_those_found_one_by_one() -> None:
    for match in matches():
        state = match.state
        for nations in (0, A.everybody, *(state.war[n] for n in range(8))):
            mine = [s for s in A.land if nations >> state.control[s] & 1]
            assert held_by(state, nations) == mine
        assert hunting_grounds(state) == [z for z in A.seas if any(A.type[u] == SUB for u in state.here[z])]
        for nation in range(8):
            worth = {
                s
                for s in A.industry
                if state.war[nation] >> state.control[s] & 1
                and (A.germany_only[s] or area_value(state, s, state.control[s]) > 0)
            }
            assert worth_bombing(state, nation) == worth


def test_who_is_asked_in_a_phase_has_something_to_do_in_it() -> None:
    for match in matches():
        state = match.state
        majors = [n for n in acting(state, state.phasing) if MAJORS[n] != "germany"]
        assert busy(state, "rail", ("germany",)) == [MAJORS[n] for n in majors if state.rail_left[n] > 0]
        flying = [MAJORS[n] for n in majors if on_map(state, n, "aircraft")]
        assert busy(state, "rebase", ("germany",)) == flying


def test_a_railway_is_the_same_from_each_of_its_stations() -> None:
    """The net of all areas against a walk from each area."""
    for match in matches():
        state = match.state
        for major in range(8):
            own, open_to = friendly(state, major), entry(state, major)
            for start in [s for s in A.land if own[s]]:
                seen, todo = {start}, [start]
                while todo:
                    for there in A.land_next[todo.pop()]:
                        if there not in seen and own[there] and open_to[there]:
                            seen.add(there)
                            todo.append(there)
                assert rail_nets(state, major)[start] == sorted(seen)


def test_waters_are_parted_by_what_is_closed() -> None:
    """Zones of one part can be sailed between, zones of two cannot, and coasts belong to their zones."""
    rng = Random(3)
    for _ in range(30):
        seas = sum(A.bit[z] for z in A.seas if rng.random() < 0.7)
        closed = rng.getrandbits(len(A.gated))
        barred = {frozenset(pair) for number, pair in enumerate(A.gated) if closed >> number & 1}
        parts = waters(seas, closed)
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
