"""Marches, flights, voyages and convoy lines: listed and found as the rules give them one by one."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.core import Match
from sandtable.games.ww2_europe.facts.access import air_net, harbour_net, hops, sea_net, shut_land
from sandtable.games.ww2_europe.facts.convoy_routes import cheapest_line, line_via, ports_from
from sandtable.games.ww2_europe.facts.lanes import AIR_CHART, SEA_CHART, spread
from sandtable.games.ww2_europe.facts.names import unit_of
from sandtable.games.ww2_europe.facts.roster import roster
from sandtable.games.ww2_europe.facts.sea_control import (
    RANGE,
    stretch_cost,
    voyages,
    waters_between,
)
from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.model.atlas import ATLAS as A
from sandtable.games.ww2_europe.model.atlas import SEA_KIND
from sandtable.games.ww2_europe.model.state import AT_WAR, M
from sandtable.games.ww2_europe.rules.air import flight_routes
from sandtable.games.ww2_europe.rules.convoy_phase import ConvoyPhase
from sandtable.games.ww2_europe.rules.land import march_routes, may_not_enter, step_refusal
from sandtable.games.ww2_europe.rules.sea import sea_step_refusal
from sandtable.testing import random_play

K = A.kinds


@pytest.fixture(scope="module", params=[("fall-1939", 180), ("spring-1941", 260)])
def match(request: pytest.FixtureRequest) -> Match:
    scenario, moves = request.param
    match = Match.new(GAME, scenario, seed=21, history=False)
    random_play(match, Random(21), most=moves)
    return match


def powers(m: M) -> list[int]:
    return [p for p in range(len(A.powers)) if m.state.status[p] == AT_WAR]


def test_marches_are_listed_as_they_are_refused(match: Match):
    m = match.play
    for power in powers(m):
        assert shut_land(m.state, power) == {s for s in A.land if may_not_enter(m.state, power, s) is not None}
        for unit in roster(m.state).ground[power]:
            here = m.state.space[unit]
            if here < 0 or m.state.cargo_of[unit] >= 0:
                continue
            listed = {there for there, _ in march_routes(m, unit).links(here, 0)}
            for there, _, _ in A.land_links[here]:
                assert (there in listed) == (step_refusal(m.state, unit, here, there, 0) is None)


def test_flights_end_where_no_rule_refuses_it(match: Match):
    m = match.play
    for power in powers(m):
        for unit in roster(m.state).air[power]:
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
        lanes = sea_net(m.state, power).lanes
        for here, row in enumerate(A.sea_links):
            allowed = {t for t, _, _ in row if sea_step_refusal(m.state, power, here, t) is None}
            assert {there for _, near in lanes[here] for there in near} == allowed


def test_voyages_cost_what_their_path_costs(match: Match):
    m = match.play
    for power in powers(m):
        for port in A.ports[::5]:
            out = voyages(m.state, K.transport, power, port)
            for goal, points in out.items():
                assert stretch_cost(m.state, power, out.path(goal)) == points <= RANGE


def test_voyages_within_fewer_points_are_the_same_as_far_as_they_go(match: Match):
    m = match.play
    for power in powers(m):
        for start in (*A.ports[::7], A.index["north_sea"], A.index["tyrrhenian"]):
            out = voyages(m.state, K.transport, power, start)
            for within in range(RANGE):
                near = voyages(m.state, K.transport, power, start, within=within)
                found = [space for space, points in near.items() if points <= within]
                assert found == [space for space, points in out.items() if points <= within]
                assert [near.path(space) for space in found] == [out.path(space) for space in found]


def test_no_cheapest_way_leads_through_a_leaf(match: Match, monkeypatch: pytest.MonkeyPatch):
    m = match.play
    starts = range(0, len(A.names), 5)
    nets = [net(m.state, power) for power in powers(m) for net in (air_net, hops, harbour_net)]
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
        onward = {sea: voyages(m.state, K.transport, power, sea) for sea in seas}
        for start in A.ports[::9]:
            out = voyages(m.state, K.transport, power, start)
            for goal in out.ports[::4]:
                between = [s for s in seas if s in out and out[s] + onward[s].get(goal, RANGE + 1) <= RANGE]
                assert sorted(waters_between(m.state, power, start, goal)) == between


def test_ports_of_call_are_the_ends_of_lines(match: Match):
    m = match.play
    for power in powers(m):
        for start in A.ports[::4]:
            ends = [s for s in A.ports if s != start and cheapest_line(m.state, power, start, s) is not None]
            assert ports_from(m.state, power, start) == ends


def test_a_line_can_be_drawn_through_every_water_that_is_offered(match: Match):
    m = match.play
    phase = ConvoyPhase(0)
    for power in powers(m):
        for start in A.ports[::11]:
            for goal in ports_from(m.state, power, start)[::5]:
                for via in phase.bends(m, power, start, goal):
                    if via:
                        assert line_via(m.state, power, start, goal, A.index[via]) is not None


def test_ways_found_before_are_those_found_now(match: Match):
    m = match.play
    for power in powers(m):
        for net, budget in ((sea_net(m.state, power), 5), (air_net(m.state, power), 3)):
            for start in range(0, len(A.names), 7):
                kept, fresh = net.reach(start, budget), spread(net, start, budget)
                assert list(kept.items()) == list(fresh.items())
                assert kept.came == fresh.came


def test_names_of_units_lead_back_to_them(match: Match):
    state = match.state
    for unit, space in enumerate(state.space):
        if space != -1:
            assert unit_of(state, f"{K.names[state.kind[unit]]}#{unit}") == unit
