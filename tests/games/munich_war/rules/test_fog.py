"""Chapter 15: fog of war, in views and in the states drawn from them."""

from random import Random

import pytest

from sandtable.core import Match
from sandtable.core.bits import bits
from sandtable.core.columns import put
from sandtable.games.munich_war.facts.politics import barred_hexes
from sandtable.games.munich_war.game import GAME
from sandtable.games.munich_war.model.actions import Attack, DefaultSetup, Done, Launch
from sandtable.games.munich_war.model.atlas import ALLIES, ATLAS, AXIS
from sandtable.games.munich_war.model.setup import counters_at_start
from sandtable.games.munich_war.model.state import AVAILABLE, HIDDEN, OFF_MAP, OUT, TRACK, UTILIZED, MunichState
from sandtable.games.munich_war.rules.air_phase import AirLaunch
from sandtable.games.munich_war.rules.combat_phase import Combat
from sandtable.games.munich_war.rules.fog import concealed, guess, redact, scramble, shown_hexes
from sandtable.games.munich_war.rules.setup_phase import Deploy
from sandtable.games.munich_war.rules.surprise import surprise
from sandtable.games.munich_war.rules.surrender import surrender
from tests.games.munich_war.positions import Position, at, attack, country, unit


def seen_by(war: Position, side: int) -> MunichState:
    state = GAME.codec.clone(war.state)
    redact(state, side)
    return state


def sees(war: Position, side: int, name: str) -> bool:
    return seen_by(war, side).where[unit(name)] != HIDDEN


@pytest.mark.rule("mw-15.0-a")
def test_only_the_top_unit_of_an_enemy_stack_is_seen():
    war = Position().put("CZ-2L1", "2515").put("CZ-2L2", "2515").put("CZ-MOB", "2515")
    assert [sees(war, AXIS, name) for name in ("CZ-2L1", "CZ-2L2", "CZ-MOB")] == [False, False, True]
    assert all(sees(war, ALLIES, name) for name in ("CZ-2L1", "CZ-2L2", "CZ-MOB"))
    view = seen_by(war, AXIS)
    assert view.hidden == {at("2515"): 2}
    assert (view.steps[unit("CZ-2L1")], view.flags[unit("CZ-2L1")]) == (0, 0)


@pytest.mark.rule("mw-15.0-b")
def test_in_a_battle_both_look_at_the_stacks_and_the_attack_stands():
    war = Position().put("CZ-2L1", "2514").put("CZ-MOB", "2514").put("GE-02", "2513").put("GE-01", "2513")
    war.put("CZ-2L2", "2515").put("CZ-2L3", "2515").put("GE-AB", "available").phase(Combat(AXIS))
    assert not sees(war, AXIS, "CZ-2L1")
    assert not sees(war, ALLIES, "GE-02")
    war.do(attack("2514", "GE-01"))
    assert sees(war, AXIS, "CZ-2L1")
    assert sees(war, ALLIES, "GE-02")
    assert not sees(war, AXIS, "CZ-2L2")  # not in the battle
    assert not war.allows(Done())  # no way back
    assert not war.offered(Attack)


@pytest.mark.rule("mw-15.0-c")
def test_displays_and_tracks_are_hidden():
    war = Position().put("CZ-AIR", "available").put("CZ-R", "reinforcement").put("FR-7", "turn 4")
    war.put("GB-A1", "utilized").put("PL-CAV", "eliminated", steps=0)
    names = ("CZ-AIR", "CZ-R", "FR-7", "GB-A1")
    assert not any(sees(war, AXIS, name) for name in names)
    assert all(sees(war, ALLIES, name) for name in names)
    assert sees(war, AXIS, "PL-CAV")


@pytest.mark.rule("mw-15.0-d")
def test_air_units_see_their_hex_and_the_six_around_it():
    war = Position().put("CZ-2L1", "2515").put("CZ-MOB", "2515").put("CZ-2L2", "2614").put("CZ-2L3", "2614")
    war.put("GE-L1", "available").put("GE-L2", "available").phase(AirLaunch(AXIS))
    assert not sees(war, AXIS, "CZ-2L1")
    war.do(Launch("GE-L1", "2511", "2514"))
    assert sees(war, AXIS, "CZ-2L1")
    assert sees(war, AXIS, "CZ-2L2")
    assert shown_hexes(war.state, AXIS).bit_count() == 7
    assert war.match.can_undo("axis") == 0  # what was seen cannot be unseen


@pytest.mark.rule("mw-15.0-a")
def test_mobile_units_lie_on_top_and_forts_in_the_open():
    war = Position().put("CZ-MOB", "2614").put("CZ-F1", "2614").put("GB-BEF", "1110").put("GB-ADC", "1110")
    assert [sees(war, AXIS, name) for name in ("CZ-MOB", "CZ-F1", "GB-BEF", "GB-ADC")] == [True, True, True, False]


def test_a_preview_counts_only_what_the_attacker_sees():
    war = Position().put("CZ-2L1", "2514").put("CZ-MOB", "2514").put("GE-01", "2513").phase(Combat(AXIS))
    odds = war.match.preview("axis", attack("2514", "GE-01"))
    war.put("CZ-2L1", "2515", steps=1)
    war.phase(Combat(AXIS))
    alone = war.match.preview("axis", attack("2514", "GE-01"))
    assert odds is not None
    assert alone is not None
    assert odds.results == alone.results
    assert (odds.policy, alone.policy) == ("policy.attack-hidden", "policy.attack")
    assert abs(sum(result.probability for result in odds.results) - 1) < 1e-9


def test_the_public_sees_no_more_than_either_side():
    war = Position().put("CZ-2L1", "2515").put("CZ-MOB", "2515").put("GE-01", "2511").put("GE-02", "2511")
    public = set(concealed(war.state, -1))
    assert set(concealed(war.state, AXIS)) <= public
    assert set(concealed(war.state, ALLIES)) <= public


def in_the_middle(seed: int, scenario: str, decisions: int) -> Match:
    match: Match = Match.new(GAME, scenario, seed=seed, history=False)
    rng = Random(seed)
    for _ in range(decisions):
        if match.over:
            break
        role = match.decisions()[0]
        action = DefaultSetup() if isinstance(match.step, Deploy) else match.offers(role).sample(rng)
        match.apply(role, action)
    return match


@pytest.mark.parametrize("seed", range(6))
def test_a_drawn_state_agrees_with_the_view_and_can_be_played_on(seed):
    scenario = list(ATLAS.rules["scenarios"])[seed % 5]
    match = in_the_middle(seed, scenario, 30 + 25 * seed)
    rng = Random(seed)
    for role in GAME.roles:
        view = match.view(role)
        drawn = match.determinize(role, rng)
        assert HIDDEN not in drawn.state.where
        assert drawn.state.hidden == {}
        again = drawn.view(role)
        assert GAME.codec.pack(again.state) == GAME.codec.pack(view.state)
        for _ in range(40):
            if drawn.over:
                break
            asked = drawn.decisions()[0]
            drawn.apply(asked, drawn.offers(asked).sample(rng))


def test_a_guess_prefers_units_that_fit():
    war = Position().put("CZ-2L1", "2515").put("CZ-MOB", "2515").put("PL-LOD", "available")
    state = seen_by(war, AXIS)
    guess(state, AXIS, Random(1))
    below = [face for face in ATLAS.units if state.where[face.index] == at("2515") and face.id != "CZ-MOB"]
    assert [face.country for face in below] == [ATLAS.units[unit("CZ-MOB")].country]
    assert not below[0].army


@pytest.mark.parametrize("seed", range(8))
def test_a_guess_lays_nothing_on_top_of_what_is_seen(seed):
    """Two static units on the move share a hex for a while: what lies under the upper one must be static too."""
    war = Position().put("GE-F2", "2514").put("GE-F4", "2514").put("GE-12", "2513").put("GE-SP", "2513")
    germany = ATLAS.units[unit("GE-F2")].country
    for face in ATLAS.units:  # no other static unit is left
        if face.country == germany and face.land and face.static and face.id not in ("GE-F2", "GE-F4"):
            war.put(face.id, "eliminated", steps=0)
    state = seen_by(war, ALLIES)
    assert state.hidden == {at("2513"): 1, at("2514"): 1}
    guess(state, ALLIES, Random(seed))
    redact(state, ALLIES)
    assert state == seen_by(war, ALLIES)


@pytest.mark.parametrize("seed", range(8))
def test_a_guess_lays_who_is_barred_elsewhere_where_it_may_be(seed):
    """Poles of the Axis may not be in Germany: the hidden one lies under the Hungarians, above the limit for now."""
    war = Position("anti-comintern-war", poland_and_politics=True)
    for face in ATLAS.units:
        if face.land and face.country in ATLAS.plans[war.state.plan].deployer:
            war.put(face.id, "eliminated", steps=0)
    war.state.side = put(war.state.side, country("Poland"), AXIS)
    war.put("GE-08", "2814").put("GE-17", "2814").put("PL-SIL", "3019").put("HU-2", "3019")
    state = seen_by(war, ALLIES)
    assert state.hidden == {at("2814"): 1, at("3019"): 1}
    assert barred_hexes(state, country("Poland")) >> at("2814") & 1
    guess(state, ALLIES, Random(seed))
    assert (state.where[unit("GE-08")], state.where[unit("PL-SIL")]) == (at("2814"), at("3019"))


@pytest.mark.parametrize("seed", range(4))
def test_a_guess_lays_nobody_static_under_a_friend_in_the_mountains(seed):
    """Britain lacks a static unit and lies hidden nowhere but under a Czech stack in the mountains."""
    war = Position("western-powers-guarantee")
    peak = next(h for h in bits(ATLAS.mountains) if ATLAS.countries[ATLAS.country_of[h]].name == "Czechoslovakia")
    for face in ATLAS.units:
        if face.land and face.country in ATLAS.plans[war.state.plan].deployer:
            war.put(face.id, "eliminated", steps=0)
    war.put("CZ-MOB", ATLAS.hex_name[peak]).put("GB-MC", ATLAS.hex_name[peak]).put("GB-ADC", "reinforcement")
    state = seen_by(war, AXIS)
    assert list(state.hidden) == [peak]
    guess(state, AXIS, Random(seed))
    assert not any(ATLAS.units[u].static for u, where in enumerate(state.where) if where == peak)


@pytest.mark.rule("mw-23.2-6")
def test_on_an_alert_the_allies_look_at_the_neutral_whose_points_they_spend():
    finland = ATLAS.country_number["Finland"]
    war = Position("western-powers-guarantee").put("FI-2", "reinforcement")
    assert ATLAS.plans[war.state.plan].deployer[finland] == AXIS
    assert not sees(war, ALLIES, "FI-2")
    war.dice(6)
    surprise(war.m, finland)
    assert sees(war, ALLIES, "FI-2")
    assert sees(war, AXIS, "FI-2")
    assert seen_by(war, ALLIES).rp[finland] == 1


def test_a_guess_lays_the_missing_unit_of_one_country_under_a_friend_of_another():
    """All counters but one of Britain's are seen: that must be the one under the Soviet stack."""
    war = Position("western-powers-guarantee")
    britain, soviets = (ATLAS.units[unit(name)].country for name in ("GB-MC", "SU-8"))
    for face in ATLAS.units:
        if face.land and face.country in ATLAS.plans[war.state.plan].deployer and face.country != britain:
            war.put(face.id, "eliminated", steps=0)
    war.put("GB-MC", "2515").put("SU-8", "2515").put("GB-BEF", "1512").put("GB-ADC", "1513")
    war.put("SU-9", "reinforcement").put("SU-7", "reinforcement")  # who would lie there otherwise
    war.state.side = put(war.state.side, soviets, ALLIES)
    state = seen_by(war, AXIS)
    assert state.hidden == {at("2515"): 1}
    guess(state, AXIS, Random(1))
    below = [face for face in ATLAS.units if state.where[face.index] == at("2515") and face.id != "SU-8"]
    assert [face.country for face in below] == [britain]


def test_a_scrambled_state_has_other_displays_strengths_boxes_and_points():
    """What the leak tests compare with: everything hidden differs in some draw, and nothing else in any."""
    war = Position().put("FR-A1", "available").put("FR-A2", "utilized").put("FR-7", "turn 4").put("GE-L1", "available")
    war.put("FR-1", "1512", steps=1).put("FR-6", "eliminated", steps=0).put("FR-CH", "turn 2")
    france, germany = country("France"), country("Germany")
    war.state.rp = put(put(war.state.rp, france, 2), germany, 2)
    drawn = []
    for seed in range(40):
        state = GAME.codec.clone(war.state)
        scramble(state, AXIS, Random(seed))
        drawn.append(state)
        assert GAME.codec.pack(seen_of(state, AXIS)) == GAME.codec.pack(seen_by(war, AXIS))
    for name in ("FR-A1", "FR-A2"):
        assert {state.where[unit(name)] for state in drawn} == {AVAILABLE, UTILIZED}
        assert {state.steps[unit(name)] for state in drawn} == {1, 2}
    last = ATLAS.plans[war.state.plan].turns
    assert {state.where[unit("FR-7")] for state in drawn} == {TRACK - turn for turn in range(3, last + 1)}
    assert {state.rp[france] for state in drawn} == {0, 1, 2, 3}
    for name in ("GE-L1", "FR-1", "FR-6", "FR-CH"):
        assert {state.where[unit(name)] for state in drawn} == {war.state.where[unit(name)]}
    assert {state.rp[germany] for state in drawn} == {2}


def seen_of(state: MunichState, side: int) -> MunichState:
    state = GAME.codec.clone(state)
    redact(state, side)
    return state


def test_a_scrambled_stack_has_other_units_below_its_top():
    war = Position().put("CZ-2L1", "2515").put("CZ-2L2", "2515").put("CZ-MOB", "2515").put("CZ-2L3", "reinforcement")
    below = set()
    for seed in range(20):
        state = GAME.codec.clone(war.state)
        scramble(state, AXIS, Random(seed))
        stack = {face.id for face in ATLAS.units if state.where[face.index] == at("2515")}
        assert len(stack) == 3
        below |= stack
    assert below == {"CZ-2L1", "CZ-2L2", "CZ-2L3", "CZ-MOB"}


@pytest.mark.parametrize(("scenario", "side"), [("western-powers-guarantee", ALLIES), ("intermarium", AXIS)])
def test_a_guess_takes_missing_soviet_units_for_rolled_off_the_map(scenario, side):
    war = Position(scenario).join("Soviet Union", side)
    soviets = country("Soviet Union")
    start = counters_at_start(soviets, False, True)
    seen = [face for face in ATLAS.units if face.country == soviets and face.land][: start - 2]
    for face, place in zip(seen, bits(ATLAS.countries[soviets].hexes & ~ATLAS.mountains), strict=False):
        war.put(face.id, ATLAS.hex_name[place])
    rest = [face for face in ATLAS.units if face.country == soviets and face.land and face not in seen]
    for face in rest:
        war.put(face.id, "off-map" if face.mobile and face in rest[:2] else "reinforcement")
    state = seen_by(war, 1 - side)
    guess(state, 1 - side, Random(1))
    assert [state.where[face.index] for face in rest].count(OFF_MAP) == 2
    mine = seen_by(war, side)
    guess(mine, side, Random(1))
    assert [mine.where[face.index] for face in rest] == [war.state.where[face.index] for face in rest]


@pytest.mark.parametrize("seed", range(6))
def test_a_guess_leaves_the_units_of_neutrals_at_home(seed):
    """The Allies look after the neutral Soviets' counters, which must not lie under a French stack for that."""
    war = Position("western-powers-guarantee")
    for face in ATLAS.units:  # everybody else is seen: only the Soviets are short of counters
        if face.country != country("Soviet Union") and face.land and face.start == "map":
            war.put(face.id, "eliminated", steps=0)
    war.put("FR-CH", "1514").put("FR-CLM", "1514").put("SU-MI", "reinforcement").put("SU-1", "reinforcement")
    state = seen_by(war, AXIS)
    assert state.hidden == {at("1514"): 1}
    guess(state, AXIS, Random(seed))
    stack = [face for face in ATLAS.units if state.where[face.index] == at("1514")]
    assert len(stack) == 2
    assert {state.side[face.country] for face in stack} == {ALLIES}


def test_a_guess_keeps_the_units_of_a_fallen_country_out_of_the_game():
    """A unit that would have come after the last turn is hidden, and does not surrender with the others."""
    war = Position().put("FR-CH", "out")
    surrender(war.m, country("France"))
    state = seen_by(war, AXIS)
    assert state.where[unit("FR-CH")] == HIDDEN
    guess(state, AXIS, Random(1))
    assert state.where[unit("FR-CH")] == OUT
