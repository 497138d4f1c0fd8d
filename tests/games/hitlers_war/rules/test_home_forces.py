"""Optional rule: unaligned countries have home forces."""

import pytest

from sandtable.core.columns import having, put
from sandtable.games.hitlers_war.model.actions import (
    Advance,
    Assault,
    Attack,
    DefensiveAssault,
    Done,
    Lose,
    MoveHome,
    Retreat,
    Settle,
)
from sandtable.games.hitlers_war.model.atlas import ATLAS
from sandtable.games.hitlers_war.model.events import Fired
from sandtable.games.hitlers_war.rules.combat_phase import CombatPhase
from sandtable.games.hitlers_war.rules.control import defence
from sandtable.games.hitlers_war.rules.entry import dated_entries, join
from sandtable.games.hitlers_war.rules.movement_phase import Movement
from sandtable.games.hitlers_war.rules.production_phase import ProductionPhase
from tests.games.hitlers_war.positions import ALLIES, AXIS, SOVIET, Position, at


def world() -> Position:
    return Position("campaign-1", unaligned_forces=True)


def home(p: Position) -> dict[str, int]:
    return {ATLAS.names[x]: points for x, points in sorted(p.state.home.items())}


def polish_war(mechanized: int = 8) -> Position:
    """Army Group South attacks Poland."""
    p = world()
    p.army("Army Group South", "N12", infantry=2, mechanized=mechanized)
    p.begin(AXIS, CombatPhase()).do(AXIS, Attack("Army Group South", "N13"), Done())
    return p


@pytest.mark.rule("hw-home-1")
def test_home_forces_stand_on_the_map_and_in_no_army():
    p = polish_war()
    before = p.state.strength
    p.do(ALLIES, Settle("N13"), Settle("N13"), Settle("O13"), Settle("P13"))
    assert home(p) == {"N13": 2, "O13": 1, "P13": 1}
    assert p.state.strength == before
    assert defence(p.state, at("N13")) == 2
    off = Position("campaign-1")
    off.army("Army Group South", "N12", mechanized=8)
    off.begin(AXIS, CombatPhase()).do(AXIS, Attack("Army Group South", "N13"), Done())
    assert off.at_step != "CallUp"


@pytest.mark.rule("hw-home-1")
def test_they_fire_on_their_attackers_and_are_lost_like_infantry():
    p = polish_war()
    p.do(ALLIES, Settle("N13"), Settle("N13"), Settle("N13"), Settle("N13")).dice(1)
    p.do(ALLIES, DefensiveAssault("N13", ("home",), 0))
    assert [event.strength for event in p.happened(Fired)] == [4]
    p.do(AXIS, Lose("Army Group South", "infantry"), Lose("Army Group South", "infantry"))
    assert p.strength("Army Group South") == {"mechanized": 8}


@pytest.mark.rule("hw-home-1", "hw-garrison-7")
def test_where_home_forces_were_wiped_out_no_garrison_stands_before_the_phase_ends():
    p = world()
    p.army("Army Group South", "P11", infantry=5)
    p.begin(AXIS, CombatPhase()).do(AXIS, Attack("Army Group South", "P12"), Done())
    p.do(ALLIES, Settle("P12"), Settle("O14"), Settle("O14"), Settle("O14"), Done())
    assert defence(p.state, at("P12")) == 1
    p.dice(5).do(AXIS, Assault("P11", "P12", ("Army Group South",), 0))
    assert home(p) == {"O14": 3}
    assert defence(p.state, at("P12")) == 0


@pytest.mark.rule("hw-home-2")
def test_they_retreat_inside_their_country_only():
    p = polish_war()
    p.do(ALLIES, *[Settle("N13")] * 4)
    p.do(ALLIES, Done()).do(AXIS, Done()).dice(1)
    p.do(AXIS, Advance("Army Group South", 0))
    assert p.at_step == "HomeRetreat"
    ways = {action.to for action in p.offered(Retreat, ALLIES)}
    assert ways == {"O13", "O14"}
    p.do(ALLIES, Retreat("N13", "O14"))
    assert home(p) == {"O14": 4}


@pytest.mark.rule("hw-home-2")
def test_without_a_hex_of_their_own_they_are_lost_and_with_surrender_they_vanish():
    p = world()
    p.army("Army Group South", "N12", mechanized=10)
    p.begin(AXIS, CombatPhase()).do(AXIS, Attack("Army Group South", "M13"), Done())
    p.do(SOVIET, Settle("M13"), Settle("M12"))
    p.do(SOVIET, Done()).do(AXIS, Done()).dice(1)
    capital = ATLAS.countries[ATLAS.country_index["hungary"]].capitals
    assert at("M13") in capital
    p.do(AXIS, Advance("Army Group South", 0))
    assert p.owner("M12") == AXIS
    assert home(p) == {}


@pytest.mark.rule("hw-home-3")
def test_they_are_placed_before_the_first_attack_is_resolved_with_two_in_a_capital_at_most():
    p = world()
    p.army("Army Group South", "N12", mechanized=8)
    p.begin(AXIS, CombatPhase()).do(AXIS, Attack("Army Group South", "N13"))
    assert home(p) == {}
    p.do(AXIS, Done())
    assert (p.at_step, p.asked) == ("CallUp", ALLIES)
    p.do(ALLIES, Settle("P12"), Settle("P12"))
    assert p.rule(ALLIES, Settle("P12")) == "hw-home-3"
    assert p.rule(ALLIES, Settle("M13")) == "hw-home-3"
    p.do(ALLIES, Settle("O14"), Settle("O14"))
    assert home(p) == {"O14": 2, "P12": 2}
    assert p.asked == AXIS


@pytest.mark.rule("hw-home-4")
@pytest.mark.parametrize(
    ("attacker", "army", "start", "target", "directs"),
    [
        (AXIS, "OKW", "N12", "N13", ALLIES),
        (AXIS, "OKW", "N12", "M13", SOVIET),
        (SOVIET, "Kiev", "M15", "M14", AXIS),
        (ALLIES, "Britain", "L6", "L5", AXIS),
    ],
)
def test_who_would_get_the_country_places_its_forces(attacker, army, start, target, directs):
    p = world()
    p.army(army, start, mechanized=5)
    p.begin(attacker, CombatPhase()).do(attacker, Attack(army, target), Done())
    assert (p.at_step, p.asked) == ("CallUp", directs)


@pytest.mark.rule("hw-home-5")
def test_they_move_inside_their_country_and_may_crowd_the_capital():
    p = world()
    group = ATLAS.country_index["spain"]
    join(p.m, group, 2)
    p.state.home_called = put(p.state.home_called, group, 1)
    p.state.home = having(p.state.home, at("L5"), 4)
    p.begin(AXIS, Movement())
    assert "move-home" not in p.verbs(AXIS)
    p.begin(ALLIES, Movement())
    capital = ATLAS.names[ATLAS.countries[group].capitals[0]]
    assert p.rule(ALLIES, MoveHome("L5", 1, "L6")) == "hw-home-5"
    p.do(ALLIES, MoveHome("L5", 3, capital))
    assert home(p) == {capital: 3, "L5": 1}


@pytest.mark.rule("hw-home-5")
def test_polish_forces_move_with_whoever_speaks_for_poland():
    p = world()
    p.state.home_called = put(p.state.home_called, ATLAS.country_index["poland"], 1)
    p.state.home = having(p.state.home, at("O13"), 2)
    p.begin(ALLIES, Movement()).do(ALLIES, MoveHome("O13", 1, "P12"))
    assert home(p) == {"O13": 1, "P12": 1}
    p.begin(SOVIET, Movement())
    assert "move-home" not in p.verbs(SOVIET)


@pytest.mark.rule("hw-home-6")
def test_they_come_once_and_are_never_rebuilt():
    p = polish_war()
    p.do(ALLIES, *[Settle("O14")] * 4)
    p.state.home = {}
    p.do(AXIS, Done())
    p.begin(ALLIES, ProductionPhase())
    assert not any("home" in verb or verb == "settle" for verb in p.verbs(ALLIES))
    p.state.mode = bytes(36)
    p.begin(AXIS, CombatPhase()).do(AXIS, Attack("Army Group South", "N13"), Done())
    assert p.at_step != "CallUp"
    assert home(p) == {}


@pytest.mark.rule("hw-home-7")
def test_how_many_each_country_has():
    forces = {country.name: country.home_forces for country in ATLAS.countries}
    named = {"spain": 6, "turkey": 6, "norway": 3, "sweden": 6, "low_countries": 2, "poland": 4, "finland": 4,
             "rumania": 3}  # fmt: skip
    assert {name: forces[name] for name in named} == named
    others = ("hungary", "bulgaria", "denmark", "baltic_states", "portugal", "yugoslavia", "greece", "ireland",
              "iraq", "iran")  # fmt: skip
    assert {forces[name] for name in others} == {2}
    assert forces["italy"] == forces["united_states"] == 0


@pytest.mark.rule("hw-home-7")
def test_the_dutch_fort():
    p = world()
    p.army("Army Group West", "O10", mechanized=8)
    p.begin(AXIS, CombatPhase()).do(AXIS, Attack("Army Group West", "O9"), Done())
    p.do(ALLIES, Settle("P8"), Settle("P8"))
    assert p.state.fort[at("O9")] == 1
    assert defence(p.state, at("O9")) == 2


@pytest.mark.rule("hw-home-8")
def test_the_troops_of_summer_1941_replace_the_home_forces():
    p = world().turn("Summer 1941")
    for name, place in (("finland", "V14"), ("rumania", "L13"), ("hungary", "M12"), ("bulgaria", "K14")):
        p.state.home = having(p.state.home, at(place), 2)
        p.state.home_called = put(p.state.home_called, ATLAS.country_index[name], 2)
    p.state.side = 0
    p.state.stack = p.state.stack[:1]
    dated_entries(p.m)
    assert home(p) == {"K14": 2}
    waiting = {ATLAS.countries[step.country].name: dict(step.troops) for step in p.state.stack[1:]}  # type: ignore[attr-defined]
    assert waiting == {
        "finland": {"infantry": 3},
        "rumania": {"infantry": 2, "mechanized": 1},
        "hungary": {"infantry": 1, "mechanized": 1},
    }


@pytest.mark.rule("hw-home-7", "hw-surr-france-3")
@pytest.mark.parametrize(("start", "target"), [("G6", "G5"), ("G9", "G8"), ("G8", "G9")])
def test_north_africa_has_home_forces_once_france_has_fallen(start, target):
    p = world().hold(AXIS, "N7")
    p.begin(AXIS, CombatPhase()).do(AXIS, Done())
    assert p.owner(target) == "nobody"
    p.hold(ALLIES, start).army("Britain", start, infantry=1)
    p.begin(ALLIES, CombatPhase()).do(ALLIES, Attack("Britain", target), Done())
    p.do(AXIS, Settle(target), Settle(target))
    assert home(p) == {target: 2}
