"""The invariants see what they are there to see: a sound state has no fault, and each kind of damage is named."""

from random import Random

import pytest

from sandtable.core import Match
from sandtable.core.bits import bits
from sandtable.core.columns import put
from sandtable.games.munich_war.facts.board import board
from sandtable.games.munich_war.facts.setup import counters_used
from sandtable.games.munich_war.game import GAME
from sandtable.games.munich_war.model.atlas import ALLIES, ATLAS, AXIS
from sandtable.games.munich_war.model.setup import counters_at_start
from sandtable.games.munich_war.model.state import (
    AVAILABLE,
    ELIMINATED,
    FLOWN,
    GROUNDED,
    OFF_MAP,
    OUT,
    REINFORCEMENT,
    SURRENDERED,
    TRACK,
    UTILIZED,
    MunichState,
    lay,
    mark,
    pack,
    set_steps,
    unmark,
    unpack,
)
from sandtable.games.munich_war.rules.combat_phase import Combat
from sandtable.games.munich_war.rules.faults import faults
from tests.games.munich_war.positions import at, country, unit


@pytest.fixture(scope="module")
def middle() -> MunichState:
    """General War at the first Combat Phase of the second turn."""
    match: Match[MunichState] = Match.new(GAME, "general-war", seed="faults", history=False)
    rng = Random("faults")
    while not (isinstance(match.step, Combat) and match.state.turn == 2 and match.state.battle is None):
        role = match.decisions()[0]
        match.apply(role, match.offers(role).sample(rng))
    assert not faults(match.state)
    return match.state


@pytest.fixture
def state(middle) -> MunichState:
    return GAME.codec.clone(middle)


def standing(state: MunichState, side: int, *, fort: bool = False) -> list[int]:
    return [
        face.index for face in ATLAS.units
        if face.land and face.fort == fort and state.where[face.index] >= 0 and state.side[face.country] == side
    ]  # fmt: skip


def complaints(state: MunichState, *words: str) -> bool:
    told = faults(state)
    return any(all(word in line for word in words) for line in told)


def test_steps(state):
    set_steps(state, unit("GE-01"), 3)
    assert complaints(state, "GE-01", "3 steps")


def test_a_unit_without_steps_is_eliminated_and_only_such(state):
    first, second = standing(state, AXIS)[:2]
    set_steps(state, first, 0)
    lay(state, second, ELIMINATED)
    assert complaints(state, ATLAS.units[first].id, "0 steps")
    assert complaints(state, ATLAS.units[second].id, "steps in place")


def test_places(state):
    sea = next(bits(ATLAS.sea_hexes))
    first = standing(state, AXIS)[0]
    lay(state, first, sea)
    assert complaints(state, "at sea")
    lay(state, first, -15)
    assert complaints(state, "in no display")
    lay(state, first, AVAILABLE)
    assert complaints(state, "in a support display")


def test_only_soviet_units_are_off_the_map(state):
    lay(state, standing(state, AXIS)[0], OFF_MAP)
    assert complaints(state, "off-map")


def test_the_number_of_counters_of_a_country(state):
    first = next(u for u in standing(state, AXIS) if ATLAS.units[u].country == country("Germany"))
    set_steps(state, first, ATLAS.units[first].steps)
    lay(state, first, REINFORCEMENT)
    assert complaints(state, "axis", "land counters short")
    lay(state, first, OUT)
    assert complaints(state, "axis", "land counters short")
    lay(state, first, SURRENDERED)
    assert not complaints(state, "short")


def test_the_number_of_aircraft_of_a_country(state):
    plane = next(u for u in ATLAS.air_units if state.where[u] in (AVAILABLE, UTILIZED))
    lay(state, plane, OUT)
    assert complaints(state, "short")


def test_nobody_joins_who_was_not_deployed_and_no_optional_unit_without_the_option():
    match: Match[MunichState] = Match.new(GAME, "little-entente", seed=1, history=False)
    rng = Random(1)
    while not match.state.turn:
        role = match.decisions()[0]
        match.apply(role, match.offers(role).sample(rng))
    state = match.state
    stranger = next(c for c in ATLAS.countries if c.units and c.index not in ATLAS.plans[state.plan].deployer)
    lay(state, stranger.units[0], REINFORCEMENT)
    assert complaints(state, stranger.name, "nobody deployed")
    extra = next(face for face in ATLAS.units if face.optional and face.country in ATLAS.plans[state.plan].deployer)
    lay(state, extra.index, at("2511"))
    assert complaints(state, extra.id, "optional")


def test_who_waits_is_at_full_strength(state):
    waiting = next(
        face.index for face in ATLAS.units
        if face.steps == 2 and (state.where[face.index] == REINFORCEMENT or state.where[face.index] < TRACK)
    )  # fmt: skip
    set_steps(state, waiting, 1)
    assert complaints(state, "waits reduced")


def test_aircraft(state):
    plane = next(u for u in ATLAS.air_units if state.where[u] < 0 and state.side[ATLAS.units[u].country] == AXIS)
    place = state.where[standing(state, AXIS)[0]]
    lay(state, plane, place)
    unmark(state, plane, FLOWN)
    assert complaints(state, "without a mission")
    mark(state, plane, FLOWN)
    assert not complaints(state, "without a mission")
    other = next(
        u for u in ATLAS.air_units if u != plane and state.where[u] < 0 and state.side[ATLAS.units[u].country] == AXIS
    )
    lay(state, other, place)
    mark(state, other, FLOWN)
    assert complaints(state, "two air units")
    lay(state, other, at("1818") if state.side[ATLAS.country_of[at("1818")]] == -1 else next(bits(ATLAS.sea_hexes)))
    assert complaints(state, "over the sea or a neutral")
    mark(state, plane, GROUNDED)
    assert complaints(state, "grounded outside")
    state.phasing = -1
    assert complaints(state, "between the player turns")


def test_ships_lie_on_the_map_only_in_their_own_turn(state):
    ship = next(u for u in ATLAS.transports if state.side[ATLAS.units[u].country] == 1 - state.phasing)
    lay(state, ship, at("1211"))
    assert complaints(state, ATLAS.units[ship].id, "out of turn")


def test_sides_do_not_share_a_hex(state):
    lay(state, standing(state, AXIS)[0], state.where[standing(state, ALLIES)[0]])
    assert complaints(state, "both sides")


def test_stacking_holds_when_attacks_are_declared_but_not_while_units_move(state):
    nation = country("Germany")
    here = next(state.where[u] for u in standing(state, AXIS) if ATLAS.units[u].country == nation)
    for mover in [u for u in standing(state, AXIS) if ATLAS.units[u].country == nation and ATLAS.units[u].mobile][:4]:
        lay(state, mover, here)
    assert complaints(state, "overstacked")
    assert isinstance(state.stack[-1], Combat)
    state.stack = state.stack[:-1]
    assert not complaints(state, "overstacked")


def test_control(state):
    nobody = pack(0)
    kept = state.owned
    state.owned = (kept[0], nobody)
    assert complaints(state, "owned hexes")
    state.owned = (kept[0], kept[0])
    assert complaints(state, "two owners")
    state.owned = kept
    known = board(state)
    free = known.occupied[AXIS] & ~known.zoc[ALLIES] & ATLAS.land
    hexes = free & -free
    state.owned = (pack(unpack(kept[0]) & ~hexes), pack(unpack(kept[1]) | hexes))
    assert complaints(state, "does not hold it")


def test_the_last_occupier_holds_disputed_hexes_too(state):
    here = board(state).occupied[AXIS] & ATLAS.land
    hexes = here & -here
    state.last = (pack(unpack(state.last[0]) & ~hexes), pack(unpack(state.last[1]) | hexes))
    assert complaints(state, "does not hold it")


def test_politics(state):
    swiss = next(bits(ATLAS.countries[country("Switzerland")].hexes))
    lay(state, standing(state, AXIS)[0], swiss)
    assert complaints(state, "in neutral Switzerland")
    state.fallen = put(state.fallen, country("Germany"), 1)
    assert complaints(state, "fights on")
    state.side = put(state.side, country("Switzerland"), AXIS)
    assert complaints(state, "Switzerland is at war")


def test_a_neutral_stays_at_home(state):
    neutral = next(
        face for face in ATLAS.units
        if face.mobile and state.where[face.index] >= 0 and state.side[face.country] == -1
    )  # fmt: skip
    lay(state, neutral.index, at("2511"))
    assert complaints(state, neutral.id, "abroad")


def test_friends_who_keep_each_other_out(state):
    state.options = {**state.options, "poland-and-politics": True}
    state.side = put(put(state.side, country("Poland"), AXIS), country("Germany"), AXIS)
    lay(state, unit("GE-01"), ATLAS.countries[country("Poland")].capital)
    assert complaints(state, "GE-01", "keeps it out")


def test_trains_points_and_turns(state):
    state.rail_used = put(state.rail_used, country("Germany"), 9)
    state.rp = put(state.rp, country("France"), -1)
    state.pool = -1
    state.turn = 12
    for words in (("Germany", "9 trains"), ("France", "overdrew"), ("pool",), ("outlasts",)):
        assert complaints(state, *words)


@pytest.mark.rule("mw-3.4.2-b", "mw-3.4.3")
@pytest.mark.parametrize("on", [False, True])
def test_in_play_every_country_keeps_its_number_of_counters(on):
    match: Match[MunichState] = Match.new(
        GAME,
        "general-war",
        {name: on for name, option in GAME.options.items() if not option.choices},
        seed=3,
        history=False,
    )
    rng = Random(3)
    while not match.over:
        role = match.decisions()[0]
        match.apply(role, match.offers(role).sample(rng))
        if match.state.turn:
            for number in ATLAS.plans[match.state.plan].deployer:
                for land in (True, False):
                    assert counters_used(match.state.where, number, land) >= counters_at_start(number, on, land)
