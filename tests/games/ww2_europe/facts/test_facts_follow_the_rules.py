"""Questions answered from sets, tables and facts have the answers that the rules give the long way."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.core import Match
from sandtable.games.ww2_europe.facts.access import barred_spaces, hops, passage_bar
from sandtable.games.ww2_europe.facts.blitz_targets import blitz_targets
from sandtable.games.ww2_europe.facts.control import (
    active_powers,
    control_group,
    control_side,
    friendly_bases,
    is_friend,
    land_of_group,
)
from sandtable.games.ww2_europe.facts.convoys import capacity
from sandtable.games.ww2_europe.facts.lanes import PORTS
from sandtable.games.ww2_europe.facts.roster import roster
from sandtable.games.ww2_europe.facts.strongpoints import airfields, stores
from sandtable.games.ww2_europe.facts.supply import groups, hungry, share_out
from sandtable.games.ww2_europe.facts.whereabouts import at
from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.model.atlas import ATLAS as A
from sandtable.games.ww2_europe.model.atlas import NEUTRAL, OWNERS
from sandtable.games.ww2_europe.model.kinds import AIR, GROUND, NAVAL
from sandtable.games.ww2_europe.model.state import AT_WAR, RAIDING, M
from sandtable.games.ww2_europe.rules.air import flight_routes, pinned
from sandtable.games.ww2_europe.rules.blitz import blitz_routes, may_strike, target_refusal
from sandtable.games.ww2_europe.rules.build import finished, place_refusal
from sandtable.games.ww2_europe.rules.build_phase import Building
from sandtable.games.ww2_europe.rules.collect_phase import Income
from sandtable.games.ww2_europe.rules.homecoming import restless
from sandtable.games.ww2_europe.rules.initiative import held_alone
from sandtable.games.ww2_europe.rules.movement import raids_of
from sandtable.games.ww2_europe.rules.movement_phase import Movement
from sandtable.games.ww2_europe.rules.movers import Movers, idle_refusal
from sandtable.games.ww2_europe.rules.politics import declare_refusal, targets
from sandtable.games.ww2_europe.rules.side_step import SideStep
from sandtable.games.ww2_europe.rules.stacking import air_limit
from sandtable.games.ww2_europe.rules.strategic import raiding
from sandtable.games.ww2_europe.rules.strategic_phase import RaidFight
from tests.games.ww2_europe.positions import controllers

K = A.kinds
EVERY_FRONT = tuple(range(len(A.fronts)))


def played(scenario: str, seed: int, moves: int) -> Match:
    match = Match.new(GAME, scenario, seed=seed, history=False)
    rng = Random(seed)
    for _ in range(moves):
        if match.over:
            break
        asked = match.decisions()
        role = asked[int(rng.random() * len(asked))]
        match.apply(role, match.offers(role).sample(rng))
    return match


POSITIONS = [("fall-1939", 5, 25), ("fall-1939", 6, 160), ("fall-1939", 7, 900), ("spring-1941", 5, 20),
             ("spring-1941", 6, 210), ("spring-1941", 7, 1100)]  # fmt: skip


@pytest.fixture(scope="module", params=POSITIONS, ids=lambda place: f"{place[0]}-{place[2]}")
def m(request: pytest.FixtureRequest) -> M:
    return played(*request.param).play


def fighting(m: M) -> list[int]:
    return [power for power, status in enumerate(m.state.status) if status == AT_WAR]


def test_owners_are_told_apart_as_one_by_one(m: M):
    state = m.state
    for power in range(len(A.powers)):
        for owner in OWNERS:
            both = owner < NEUTRAL and state.status[owner] == state.status[power] == AT_WAR
            friend = owner == power or (both and A.group[owner] == A.group[power])
            assert is_friend(state, owner, power) == friend
    for group in range(3):
        held = land_of_group(state, group)
        assert {s for s in A.land if held >> s & 1} == {s for s in A.land if control_group(state, s) == group}
    for side in (0, 1):
        assert active_powers(state, side) == tuple(p for p in A.side_powers[side] if state.status[p] == AT_WAR)


def test_land_one_may_not_fly_over(m: M):
    state = m.state
    for power in fighting(m):
        shut = barred_spaces(state, power)
        for space in A.land:
            assert bool(shut >> space & 1) == bool(passage_bar(state, power, state.owner[space]))
        over = {s for s in A.land if hops(state, power).shut >> s & 1}
        assert over == {s for s in A.land if shut >> s & 1 or control_group(state, s) != A.group[power]}


def test_forts_depots_and_airfields(m: M):
    state = m.state
    held, fields = stores(state), airfields(state)
    for space in A.land:
        assert bool(held >> space & 1) == bool(state.fortress[space] or state.depot[space])
        assert bool(fields >> space & 1) == (air_limit(state, space) > 0)


def test_who_can_be_given_orders(m: M):
    state = m.state
    for power in fighting(m):
        for fronts in (EVERY_FRONT, EVERY_FRONT[:1], EVERY_FRONT[1:]):
            sorts = Movers(state, power, fronts)
            able = [
                u for u in roster(state).of[power]
                if state.space[u] >= 0 and idle_refusal(state, u, fronts) is None
            ]  # fmt: skip
            alone = [u for u in able if state.cargo_of[u] < 0]
            ships = [u for u in alone if K.cls[state.kind[u]] == NAVAL]
            assert sorts.openings() == [
                any(K.cls[state.kind[u]] == AIR for u in alone),
                bool(ships),
                any(not K.must_avoid[state.kind[u]] for u in ships),
                any(K.must_avoid[state.kind[u]] and K.submerged[state.kind[u]] for u in ships),
                any(K.base[state.kind[u]] == K.bomber for u in alone),
                any(K.base[state.kind[u]] == K.fighter for u in alone),
                any(K.must_avoid[state.kind[u]] and not K.submerged[state.kind[u]] for u in ships),
                any(K.drop[state.kind[u]] for u in alone),
            ]
            aboard = [u for u in able if K.cls[state.kind[u]] == AIR and state.cargo_of[u] >= 0]
            assert sorts.decks == [u for u in aboard if state.kind[state.cargo_of[u]] == K.carrier]


def test_enemy_planes_hold_a_base_as_a_whole(m: M):
    state = m.state
    for space in A.land:
        for side in (0, 1):
            planes = [u for u in at(state, space) if K.cls[state.kind[u]] == AIR and A.side[state.power[u]] == side]
            assert len({pinned(m.state, unit) is None for unit in planes}) < 2


def test_flights_end_where_a_search_step_by_step_finds_them(m: M):
    for power in fighting(m):
        ashore = [u for u in roster(m.state).air[power] if m.state.space[u] >= 0 and m.state.cargo_of[u] < 0]
        for unit in ashore[:4]:
            for over_land in (False, True):
                routes = flight_routes(m, unit, over_land)
                assert routes._ends() == routes._searched_ends()


def test_what_can_be_blitzed(m: M):
    for side in (0, 1):
        assert blitz_targets(m.state, side) == {s for s in A.land if target_refusal(m.state, side, s) is None}
        for power in active_powers(m.state, side):
            for unit in roster(m.state).strikers[power][:6]:
                if K.cls[m.state.kind[unit]] == GROUND and m.state.space[unit] >= 0 and m.state.cargo_of[unit] < 0:
                    routes = blitz_routes(m, unit)
                    assert routes.lead_anywhere() == (next(iter(routes), None) is not None)
                    if not K.drop[m.state.kind[unit]]:
                        assert may_strike(m, unit) == routes.lead_anywhere()


def test_sea_control_counts_each_unit_where_it_acts(m: M):
    state = m.state
    for side in (0, 1):
        costs: dict[int, list[int]] = {}
        for unit in roster(state).wardens[side]:
            space, kind = state.space[unit], state.kind[unit]
            if space < 0 or state.status[state.power[unit]] != AT_WAR:
                continue
            if K.cls[kind] == NAVAL or state.cargo_of[unit] >= 0:
                waters = [there for there, _, _ in A.sea_links[space]] if space in A.ports else []
            else:
                waters = [w for w in A.coast[space] if w not in A.ports] if A.is_land[space] else []
            for water in waters:
                costs.setdefault(water, []).append(int(K.asw[kind]))
        assert controllers(m, side) == {water: (len(found), sum(found)) for water, found in costs.items()}


def test_who_goes_hungry_is_who_nothing_feeds(m: M):
    state = m.state
    for group in groups(state):
        found = hungry(state, group)
        waiting = {unit for queue in found.waiting.values() for unit, _, _ in queue.eaters}
        waiting.update(unit for unit, _, _ in found.cut_off)
        for unit in roster(state).fed[group]:
            space = state.space[unit]
            if space < 0 or not A.is_land[space] or state.status[state.power[unit]] != AT_WAR:
                continue
            stored = (state.fortress[space] or state.depot[space]) and control_group(state, space) == group
            fed_at_home = unit not in waiting
            if stored or state.owner[space] == NEUTRAL:
                assert fed_at_home
        free = {c.number: capacity(state, c) for c in state.convoys if A.group[c.power] == group}
        none = dict.fromkeys(free, 0)
        if not hungry(state, group).awaits_convoys:
            assert share_out(state, group, (), free).missing == share_out(state, group, (), none).missing


def test_money_pushes_out_no_supply_where_nobody_waits_for_any(m: M):
    state = m.state
    for power in fighting(m):
        step, group = Income(power), A.group[power]
        loads = {number: load for number, load in step.plan(m)[1].items() if load}
        free = {c.number: capacity(state, c) - c.dollars for c in state.convoys if A.group[c.power] == group}
        rest = {number: room - loads.get(number, 0) for number, room in free.items()}
        before, after = (share_out(state, group, (), room).missing for room in (free, rest))
        pushed = bool(loads) and after > before
        assert step.contested(m) == (next(iter(loads)) if pushed else -1)


def test_countries_on_which_war_can_be_declared(m: M):
    for power in fighting(m):
        able = [name for name in (*A.minors, *A.powers) if declare_refusal(m, power, name) is None]
        assert targets(m, power) == able


def test_who_holds_a_front(m: M):
    state = m.state
    for front, lands in enumerate(A.front_land):
        holders = {control_side(state, space) for space in lands} - {-1}
        assert held_alone(m, front) in {-1, *holders}
        if len(holders) != 1:
            assert held_alone(m, front) == -1


def test_who_is_asked(m: M):
    for side in (0, 1):
        names = [A.powers[power] for power in active_powers(m.state, side)]
        assert list(SideStep(side).roles(m)) == names
        assert list(SideStep(side, done=tuple(names[:1])).roles(m)) == names[1:]


def test_raids_are_found_where_bombers_raid():
    match, rng, seen = Match.new(GAME, "spring-1941", seed=9, history=False), Random(9), 0
    for _ in range(260):
        asked = match.decisions()
        role = asked[int(rng.random() * len(asked))]
        match.apply(role, match.offers(role).sample(rng))
        m = match.play
        for side in (0, 1):
            raids = frozenset(raids_of(m, side))
            seen += len(raids)
            for space in raids:
                assert any(m.state.flags[u] & RAIDING and A.side[m.state.power[u]] == side for u in at(m.state, space))
        if isinstance(match.step, (Movement, RaidFight)):
            assert raiding(m) == [unit for unit, flags in enumerate(m.state.flags) if flags & RAIDING]
    assert seen


@pytest.mark.parametrize("scenario", ["fall-1939", "spring-1941"])
def test_ships_and_planes_that_are_not_at_home_in_an_open_base(scenario: str):
    match, rng, seen = Match.new(GAME, scenario, seed=12, history=False), Random(12), 0
    for _ in range(500):
        role = match.decisions()[0]
        match.apply(role, match.offers(role).sample(rng))
        m = match.play
        state = m.state
        for cls, usable in ((NAVAL, PORTS), (AIR, airfields(state))):
            bases = [friendly_bases(state, power) & usable for power in OWNERS]
            away = [
                u for u, space in enumerate(state.space)
                if K.cls[state.kind[u]] == cls and space >= 0 and state.cargo_of[u] < 0
                and (space != state.home[u] or state.task[u] >= 0 or not bases[state.power[u]] >> space & 1)
            ]  # fmt: skip
            assert restless(m, cls, bases) == away
            seen += len(away)
    assert seen


def test_finished_units_that_have_a_place_to_go():
    match, rng, seen = Match.new(GAME, "fall-1939", seed=4, history=False), Random(4), 0
    for _ in range(700):
        step, m = match.step, match.play
        if isinstance(step, Building):
            for power in active_powers(m.state, step.side):
                able = [
                    u for u in finished(m, power)
                    if any(place_refusal(m, u, s, step.placed) is None for s in range(len(A.names)))
                ]  # fmt: skip
                assert step.placeable(m, power) == able
                seen += len(able)
        asked = match.decisions()
        role = asked[int(rng.random() * len(asked))]
        match.apply(role, match.offers(role).sample(rng))
    assert seen


def test_paths_to_few_goals_end_in_them_and_are_allowed():
    match, rng, seen = Match.new(GAME, "spring-1941", seed=2, history=False), Random(2), 0
    for _ in range(220):
        asked = match.decisions()
        role = asked[int(rng.random() * len(asked))]
        for offer in match.offers(role).offers:
            if offer.verb in ("raid", "escort"):
                for name in list(offer.fields[0].given(()))[:2]:
                    routes = offer.fields[1].given((name,))
                    for path in routes._ends():  # type: ignore[attr-defined]
                        assert path in routes
                        seen += 1
        match.apply(role, match.offers(role).sample(rng))
    assert seen
