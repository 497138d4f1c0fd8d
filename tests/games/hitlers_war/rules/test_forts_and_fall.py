"""Fortifications; set-up, special rules and victory of the Fall of Germany."""

import pytest

from sandtable.core import Match
from sandtable.games.hitlers_war.game import GAME
from sandtable.games.hitlers_war.model.actions import (
    Advance,
    Assault,
    Attack,
    DefensiveAssault,
    Dismantle,
    Done,
    Fortify,
    Invade,
    Lose,
    Place,
    PlaceDefault,
)
from sandtable.games.hitlers_war.model.atlas import ATLAS
from sandtable.games.hitlers_war.model.events import Absorbed, Fired
from sandtable.games.hitlers_war.model.state import stacked
from sandtable.games.hitlers_war.rules.attacks_phase import Announce
from sandtable.games.hitlers_war.rules.budget import production
from sandtable.games.hitlers_war.rules.combat_phase import CombatPhase
from sandtable.games.hitlers_war.rules.control import defence
from sandtable.games.hitlers_war.rules.movement_phase import Movement
from sandtable.games.hitlers_war.rules.production_phase import Production, ProductionPhase
from sandtable.games.hitlers_war.rules.surrender import Fallen
from sandtable.games.hitlers_war.rules.victory import production_held
from sandtable.games.hitlers_war.sequence import SeasonEnd
from tests.games.hitlers_war.positions import ALLIES, AXIS, SOVIET, Position, at

FALL = "fall-of-germany"


def spending(side: str, points: int, scenario: str = FALL) -> Position:
    p = Position(scenario).begin(side, Production())
    p.state.budget = points
    return p


@pytest.mark.rule("hw-fort-1", "hw-fort-2")
def test_fort_points_cost_five_and_go_to_any_friendly_hex():
    p = spending(AXIS, 12)
    p.do(AXIS, Dismantle("Q10"), Fortify("P14", 1))
    assert p.state.budget == 7
    p.do(AXIS, Fortify("G14", 1))
    assert p.state.budget == 2
    p = spending(AXIS, 60)
    assert p.rule(AXIS, Fortify("Q16", 1)) == "hw-fort-2"
    assert not p.allows(AXIS, Fortify("Q10", 8))
    p.fort("P10", 4)
    assert stacked(p.state, at("P10")) == 4


@pytest.mark.rule("hw-fort-2")
def test_forts_are_built_in_hexes_and_not_in_boxes():
    p = spending(ALLIES, 20)
    assert p.rule(ALLIES, Fortify("canada", 1)) == "hw-fort-2"
    assert p.allows(ALLIES, Fortify("P7", 1))


@pytest.mark.rule("hw-fort-3")
def test_seven_forts_and_the_way_out():
    p = spending(AXIS, 60)
    p.do(AXIS, Fortify("P10", 1))
    assert p.rule(AXIS, Fortify("P11", 1)) == "hw-fort-3"
    assert p.allows(AXIS, Fortify("P10", 1))
    p.do(AXIS, Dismantle("Q10"))
    assert at("Q10") not in p.state.fort
    assert p.allows(AXIS, Fortify("P11", 1))


@pytest.mark.rule("hw-fort-4", "hw-fort-2")
def test_no_action_moves_a_fort():
    p = Position(FALL).begin(AXIS, Movement())
    assert p.verbs(AXIS) == {"done"}
    assert p.state.fort[at("Q10")] == 3


@pytest.mark.rule("hw-fort-5", "hw-fort-6")
def test_new_fort_points_are_idle_until_the_next_production_phase():
    p = spending(AXIS, 10)
    p.do(AXIS, Fortify("P10", 2), Done())
    assert defence(p.state, at("P10")) == 1
    assert stacked(p.state, at("P10")) == 0
    p.begin(SOVIET, ProductionPhase())
    assert at("P10") not in p.state.fort
    p.begin(AXIS, ProductionPhase())
    assert p.state.fort[at("P10")] == 2
    assert defence(p.state, at("P10")) == 3


@pytest.mark.rule("hw-fort-7")
def test_forts_defend_and_fire_in_defence_but_do_not_attack():
    p = Position(FALL)
    p.fort("Q15", 4)
    p.army("Western", "Q16", infantry=5, mechanized=5)
    assert defence(p.state, at("Q15")) == 5
    p.begin(SOVIET, CombatPhase()).dice(6)
    p.do(SOVIET, Attack("Western", "Q15"), Done()).do(AXIS, DefensiveAssault("Q15", ("fort",), 0))
    assert [e.strength for e in p.happened(Fired)] == [4]
    p.begin(AXIS, Announce())
    assert p.verbs(AXIS) == {"done"}


@pytest.mark.rule("hw-fort-8", "hw-fort-9", "hw-fort-9-example")
def test_forts_absorb_losses_once_a_turn_and_may_be_lost():
    p = Position(FALL)
    p.fort("Q15", 3)
    p.army("Army Group Center", "Q15", infantry=3)
    p.army("Western", "Q16", infantry=10)
    p.army("Baltic", "R15", infantry=10)
    p.begin(SOVIET, CombatPhase()).dice(3, 5)
    p.do(SOVIET, Attack("Western", "Q15"), Attack("Baltic", "Q15"), Done()).do(AXIS, Done())
    p.do(SOVIET, Assault("Q16", "Q15", ("Western",), 0))
    assert [e.number for e in p.happened(Absorbed)] == [3]
    assert p.strength("Army Group Center") == {"infantry": 3}
    p.do(SOVIET, Assault("R15", "Q15", ("Baltic",), 0))
    assert set(p.offered(Lose, AXIS)) == {Lose("Army Group Center", "infantry"), Lose("Q15", "fort")}
    p.do(AXIS, Lose("Q15", "fort"), Lose("Army Group Center", "infantry"))
    assert (p.state.fort[at("Q15")], p.strength("Army Group Center")) == (2, {"infantry": 2})


@pytest.mark.rule("hw-fort-8")
def test_an_attackers_fort_is_not_lost_to_defensive_fire():
    p = Position(FALL)
    p.fort("Q16", 3)
    p.hold(SOVIET, "Q16")
    p.army("Western", "Q16", infantry=2)
    p.army("Army Group Center", "Q15", infantry=10)
    p.begin(SOVIET, CombatPhase()).dice(1)
    p.do(SOVIET, Attack("Western", "Q15"), Done()).do(AXIS, DefensiveAssault("Q15", ("Army Group Center",), 0))
    assert p.state.fort[at("Q16")] == 3
    assert p.where("Western") is None


@pytest.mark.rule("hw-fort-10")
def test_an_advance_destroys_the_fort():
    p = Position(FALL)
    p.fort("Q15", 3)
    p.army("Western", "Q16", mechanized=10)
    p.begin(SOVIET, CombatPhase()).dice(1)
    p.do(SOVIET, Attack("Western", "Q15"), Done()).do(AXIS, Done())
    p.do(SOVIET, Done(), Advance("Western", 0))
    assert p.owner("Q15") == "soviet"
    assert at("Q15") not in p.state.fort


# ---- set-up
def begun() -> Match:
    match = Match.new(GAME, FALL, {}, seed=1)
    for role in (AXIS, SOVIET, ALLIES):
        assert match.decisions() == (role,)
        match.apply(role, PlaceDefault())
    return match


def troops(match: Match, side: int) -> list[int]:
    return [sum(match.state.strength[a * 5 + k] for a in range(side * 12, side * 12 + 12)) for k in range(5)]


@pytest.mark.rule("hw-fall-setup-axis", "hw-fall-setup-soviet", "hw-fall-setup-allied", "hw-fall-seq-2")
def test_the_prepared_set_up_places_exactly_the_listed_strength():
    match = begun()
    assert [troops(match, side) for side in range(3)] == [[29, 14, 0, 0, 0], [40, 16, 0, 0, 0], [28, 12, 0, 0, 12]]
    assert match.faults() == []
    forts = {ATLAS.names[x]: n for x, n in match.state.fort.items()}
    assert forts == {"N9": 2, "O10": 2, "K10": 2, "P8": 1, "Q9": 2, "Q10": 3, "T15": 2}


@pytest.mark.rule("hw-fall-setup-axis")
def test_the_free_set_up_takes_any_friendly_hex_and_all_points():
    match = Match.new(GAME, FALL, {}, seed=1)
    assert match.why_not(AXIS, Done()) is not None
    match.apply(AXIS, Place((("infantry", 5), ("mechanized", 5)), "P10", "OKW"))
    assert match.why_not(AXIS, Place((("infantry", 1),), "Q17", "Army Group A")) is not None
    assert match.why_not(AXIS, Place((("infantry", 1),), "P10", "OKW")) is not None
    match.apply(AXIS, PlaceDefault())
    assert troops(match, 0) == [29, 14, 0, 0, 0]


@pytest.mark.rule("hw-fall-areas-axis", "hw-fall-areas-soviet", "hw-fall-areas-allied")
def test_friendly_areas_of_1944():
    p = Position(FALL)
    axis = [
        "P10",
        "L9",
        "L10",
        "K10",
        "K11",
        "P12",
        "S10",
        "T10",
        "O9",
        "K14",
        "T13",
        "R13",
        "N7",
        "L11",
        "H13",
        "G14",
        "L14",
        "M13",
        "S15",
        "R14",
        "Q14",
        "Q15",
        "P14",
        "O15",
        "N14",
        "N15",
        "M15",
        "M16",
        "M17",
        "L15",
    ]
    allies = [
        "us",
        "P7",
        "R5",
        "H4",
        "G11",
        "D15",
        "G16",
        "E16",
        "E17",
        "canada",
        "india",
        "british_africa",
        "F17",
        "F4",
        "G8",
        "H9",
        "F19",
        "G21",
        "D13",
        "H10",
        "J8",
        "K9",
        "J10",
        "J11",
        "I11",
        "I12",
        "H11",
    ]
    assert {p.owner(x) for x in axis} == {"axis"}
    assert {p.owner(x) for x in allies} == {"allies"}
    red = ATLAS.countries[ATLAS.country_index["soviet_union"]].spaces
    assert {ATLAS.names[x] for x in red if p.state.owner[x] != 1} == set(axis[-12:])


@pytest.mark.rule("hw-fall-devastation", "hw-fall-production")
def test_damage_and_production_of_1944():
    p = Position(FALL)
    assert [production(p.state, side) for side in range(3)] == [30, 23, 35]
    assert {ATLAS.names[x] for x in p.state.ruined} == {"M8", "L8", "N8"}
    assert {ATLAS.names[x]: n for x, n in p.state.devastated.items()} == {
        "L11": 1, "L12": 1, "S14": 1, "Q15": 1, "N15": 1, "L15": 2, "O10": 3,
    }  # fmt: skip


@pytest.mark.rule("hw-fall-turns")
def test_1944_runs_to_winter_1945_in_three_player_turns():
    match = begun()
    seen, turns = [], []
    while not match.over:
        name = type(match.step).__name__
        if name == "Movement":
            seen.append(match.decisions()[0])
            turns.append(ATLAS.turns[match.state.turn])
        match.apply(match.decisions()[0], Done())
    assert seen == [AXIS, SOVIET, ALLIES] * 6
    assert (turns[0], turns[-1]) == ("Spring 1944", "Winter 1945")


def ended(p: Position) -> tuple[tuple[str, ...], str]:
    assert p.match.outcome is not None
    return p.match.outcome.winners, p.match.outcome.reason


@pytest.mark.rule("hw-fall-victory-1", "hw-fall-victory-3", "hw-fall-victory-5", "hw-fall-special-3")
def test_berlin_ends_it_and_two_thirds_of_allied_industry_make_a_soviet_victory():
    p = Position(FALL)
    p.hold(SOVIET, "T13", "Q15")
    p.begin(SOVIET, Fallen(at("T13"), 1, 0))
    assert not p.match.over
    p.hold(SOVIET, "P10")
    p.begin(SOVIET, Fallen(at("P10"), 1, 0))
    assert ended(p) == (("soviet",), "hw-fall-victory-3")


@pytest.mark.rule("hw-fall-victory-5", "hw-fall-victory-4")
def test_devastated_points_count_in_the_comparison():
    p = Position(FALL)
    p.hold(ALLIES, "P10")
    assert production_held(p.state, 1) == 23
    assert production_held(p.state, 2) == 38
    p.hold(ALLIES, "Q17")
    p.begin(ALLIES, Fallen(at("P10"), 2, 0))
    assert ended(p) == (("allies",), "hw-fall-victory-4")


@pytest.mark.rule("hw-fall-victory-2")
def test_the_axis_wins_by_holding_berlin_to_the_end():
    p = Position(FALL).turn("Winter 1945").begin(AXIS, SeasonEnd())
    assert ended(p) == (("axis",), "hw-fall-victory-2")


@pytest.mark.rule("hw-fall-special-1", "hw-fall-seq-2")
def test_two_players_share_the_capture_of_berlin():
    p = Position(FALL, players=2)
    p.hold(ALLIES, "P10")
    p.begin(ALLIES, Fallen(at("P10"), 2, 0))
    assert ended(p) == (("soviet", "allies"), "hw-fall-special-1")
    p = Position(FALL, players=2).turn("Winter 1945").begin(AXIS, SeasonEnd())
    assert ended(p)[0] == ("axis",)


@pytest.mark.rule("hw-fall-special-2")
def test_neutrals_of_1944_are_closed_to_all():
    p = Position(FALL)
    p.army("OKW", "L7", mechanized=5)
    p.army("Britain", "H4", mechanized=2, amphibious=5)
    p.begin(AXIS, Announce())
    assert p.rule(AXIS, Attack("OKW", "K7")) == "hw-fall-special-2"
    p.begin(ALLIES, Announce())
    assert p.rule(ALLIES, Attack("Britain", "I4")) == "hw-fall-special-2"
    for place in ("J3", "J5", "T12", "I15", "D17"):
        assert p.owner(place) == "closed"
    assert p.rule(ALLIES, Invade("Britain", "J3", ("H4", "J3"))) == "hw-fall-special-2"
