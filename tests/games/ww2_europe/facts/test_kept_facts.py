"""Facts that are kept, listed fast or found in another way are the ones the rules give one by one."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.core import Match
from sandtable.games.ww2_europe.facts.convoy_routes import line_via, lines_from, ports_from
from sandtable.games.ww2_europe.facts.lanes import AIR_CHART, SEA_CHART, spread
from sandtable.games.ww2_europe.facts.lookup import (
    at,
    cargo,
    ground_of_side,
    has_air,
    has_ground,
    new_unit,
    planes_at,
    put,
    remove,
    unit_of,
)
from sandtable.games.ww2_europe.facts.roster import TABLES, Roster, roster
from sandtable.games.ww2_europe.facts.sea_control import RANGE, harbour_net, stretch_cost, voyages, waters_between
from sandtable.games.ww2_europe.facts.whereabouts import Index, index, recount
from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.model.atlas import ATLAS as A
from sandtable.games.ww2_europe.model.atlas import SEA_KIND
from sandtable.games.ww2_europe.model.kinds import GROUND
from sandtable.games.ww2_europe.model.state import AT_WAR, M, changed
from sandtable.games.ww2_europe.rules.air import air_net, flight_routes
from sandtable.games.ww2_europe.rules.convoy_phase import ConvoyPhase
from sandtable.games.ww2_europe.rules.land import march_routes, may_not_enter, shut_land, step_refusal
from sandtable.games.ww2_europe.rules.redeployment import hops
from sandtable.games.ww2_europe.rules.sea import sea_net, sea_step_refusal
from sandtable.lab.fuzz import random_play

K = A.kinds


@pytest.fixture(scope="module", params=[("fall-1939", 180), ("spring-1941", 260)])
def match(request: pytest.FixtureRequest) -> Match:
    scenario, moves = request.param
    match = Match.new(GAME, scenario, seed=21, history=False)
    random_play(match, Random(21), most=moves)
    return match


def powers(m: M) -> list[int]:
    return [p for p in range(len(A.powers)) if m.state.status[p] == AT_WAR]


def test_who_is_where(match: Match):
    m = match.play
    for space, units in enumerate(at(m)):
        assert units == [u for u, where in enumerate(m.state.space) if where == space]
    for ship in range(len(m.state.kind)):
        assert cargo(m, ship) == [u for u, carrier in enumerate(m.state.cargo_of) if carrier == ship]


def test_the_index_follows_every_move_and_a_state_changed_behind_its_back():
    match = Match.new(GAME, "fall-1939", seed=1, history=False)
    m = match.play
    unit, (here, there) = at(m)[A.index["berlin"]][0], (A.index["berlin"], A.index["hamburg"])
    put(m, unit, there)
    assert unit in at(m)[there]
    assert unit not in at(m)[here]
    m.state.space[unit] = here
    m.cache.clear()  # a new action
    assert unit in at(m)[here]
    assert unit not in at(m)[there]
    twin = match.clone()
    put(twin.play, unit, there)
    assert unit in at(m)[here]
    assert unit in at(twin.play)[there]


def test_the_roster_knows_owners_and_classes(match: Match):
    m = match.play
    units = roster(m)
    for power in range(len(A.powers)):
        assert units.of[power] == [u for u, p in enumerate(m.state.power) if p == power]
        assert units.ground[power] == [u for u in units.of[power] if K.cls[m.state.kind[u]] == GROUND]
    made_at_once = Roster(m.state.kind, m.state.power)
    for name in TABLES:
        assert units.table(name) == made_at_once.table(name)
    for name in ("fed", "wardens", "every"):
        for number, row in enumerate(units.table(name)):
            assert list(units.pick(name, number)(m.state.space)) == [m.state.space[unit] for unit in row]


def test_the_tallies_of_who_is_where_are_those_of_a_fresh_count(match: Match):
    m = match.play
    where = index(m)
    fresh = Index(m.state.space, m.state.kind, m.state.power)
    assert where.ground == fresh.ground
    assert where.holds == fresh.holds
    for side in (0, 1):
        for space in A.land:
            stack = [K.stack[m.state.kind[u]] for u in ground_of_side(m, space, side)]
            assert where.ground[side][space] == sum(stack)
            assert has_ground(m, space, side) == bool(stack)
            assert has_air(m, space, side) == bool(planes_at(m, space, side))


def test_recruits_and_units_that_change_sides_are_counted():
    match = Match.new(GAME, "fall-1939", seed=3, history=False)
    m, berlin = match.play, A.index["berlin"]
    index(m)
    unit = new_unit(m, K.infantry, A.germany, berlin)
    assert unit in roster(m).ground[A.germany]
    m.state.power = changed(m.state.power, unit, A.britain)
    recount(m)
    remove(m, at(m)[berlin][0])
    fresh = Index(m.state.space, m.state.kind, m.state.power)
    assert index(m).ground == fresh.ground
    assert index(m).holds == fresh.holds
    assert unit in roster(m).ground[A.britain]
    assert unit not in roster(m).ground[A.germany]


def test_marches_are_listed_as_they_are_refused(match: Match):
    m = match.play
    for power in powers(m):
        assert shut_land(m, power) == {s for s in A.land if may_not_enter(m.state, power, s) is not None}
        for unit in roster(m).ground[power]:
            here = m.state.space[unit]
            if here < 0 or m.state.cargo_of[unit] >= 0:
                continue
            listed = {there for there, _ in march_routes(m, unit).links(here, 0)}
            for there, _, _ in A.land_links[here]:
                assert (there in listed) == (step_refusal(m, unit, here, there, 0) is None)


def test_flights_end_where_no_rule_refuses_it(match: Match):
    m = match.play
    for power in powers(m):
        for unit in roster(m).air[power]:
            if m.state.space[unit] < 0 or m.state.cargo_of[unit] >= 0:
                continue
            for over_land in (False, True):
                routes = flight_routes(m, unit, over_land)
                assert routes.goals is not None
                assert set(routes.goals) == {s for s in range(len(A.names)) if routes.stop(s) is None}
            break


def test_sea_lanes_are_those_that_no_rule_refuses(match: Match):
    m = match.play
    for power in powers(m):
        lanes = sea_net(m, power).lanes
        for here, row in enumerate(A.sea_links):
            allowed = {t for t, _, _ in row if sea_step_refusal(m.state, power, here, t) is None}
            assert {there for _, near in lanes[here] for there in near} == allowed


def test_voyages_cost_what_their_path_costs(match: Match):
    m = match.play
    for power in powers(m):
        for port in A.ports[::5]:
            out = voyages(m, K.transport, power, port)
            for goal, points in out.items():
                assert stretch_cost(m, power, out.path(goal)) == points <= RANGE


def test_voyages_within_fewer_points_are_the_same_as_far_as_they_go(match: Match):
    m = match.play
    for power in powers(m):
        for start in (*A.ports[::7], A.index["north_sea"], A.index["tyrrhenian"]):
            out = voyages(m, K.transport, power, start)
            for within in range(RANGE):
                near = voyages(m, K.transport, power, start, within=within)
                found = [space for space, points in near.items() if points <= within]
                assert found == [space for space, points in out.items() if points <= within]
                assert [near.path(space) for space in found] == [out.path(space) for space in found]


def test_no_cheapest_way_leads_through_a_leaf(match: Match, monkeypatch: pytest.MonkeyPatch):
    m = match.play
    starts = range(0, len(A.names), 5)
    nets = [net(m, power) for power in powers(m) for net in (air_net, hops, harbour_net)]
    found = [spread(net, start, RANGE) for net in nets for start in starts]
    for chart in (SEA_CHART, AIR_CHART):
        monkeypatch.setattr(chart, "leaf", (False,) * len(A.names))
    for reach, (net, start) in zip(found, [(net, start) for net in nets for start in starts], strict=True):
        again = spread(net, start, RANGE)
        assert list(reach.items()) == list(again.items())
        assert reach.came == again.came


def test_the_waters_between_two_ports_are_those_on_a_stretch_within_range(match: Match):
    m = match.play
    seas = [space for space, kind in enumerate(A.space_kind) if kind == SEA_KIND]
    for power in powers(m):
        onward = {sea: voyages(m, K.transport, power, sea) for sea in seas}
        for start in A.ports[::9]:
            out = voyages(m, K.transport, power, start)
            for goal in out.ports[::4]:
                between = [s for s in seas if s in out and out[s] + onward[s].get(goal, RANGE + 1) <= RANGE]
                assert sorted(waters_between(m, power, start, goal)) == between


def test_ports_of_call_are_the_ends_of_lines(match: Match):
    m = match.play
    for power in powers(m):
        for start in A.ports[::4]:
            assert ports_from(m, power, start) == sorted(s for s in lines_from(m, power, start) if s != start)


def test_a_line_can_be_drawn_through_every_water_that_is_offered(match: Match):
    m = match.play
    phase = ConvoyPhase(0)
    for power in powers(m):
        for start in A.ports[::11]:
            for goal in ports_from(m, power, start)[::5]:
                for via in phase.bends(m, power, start, goal):
                    if via:
                        assert line_via(m, power, start, goal, A.index[via]) is not None


def test_ways_found_before_are_those_found_now(match: Match):
    m = match.play
    for power in powers(m):
        for net, budget in ((sea_net(m, power), 5), (air_net(m, power), 3)):
            for start in range(0, len(A.names), 7):
                kept, fresh = net.reach(start, budget), spread(net, start, budget)
                assert list(kept.items()) == list(fresh.items())
                assert kept.came == fresh.came


def test_names_of_units_lead_back_to_them(match: Match):
    state = match.state
    for unit, space in enumerate(state.space):
        if space != -1:
            assert unit_of(state, f"{K.names[state.kind[unit]]}#{unit}") == unit
