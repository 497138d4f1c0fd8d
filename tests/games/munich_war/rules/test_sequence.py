"""Chapter 4: the sequence of play."""

from typing import Any

import pytest

from sandtable.core import Match
from sandtable.core.data import Rolled
from sandtable.games.munich_war.facts.air import fliers
from sandtable.games.munich_war.facts.control import owned
from sandtable.games.munich_war.game import GAME
from sandtable.games.munich_war.model.actions import DefaultSetup, Done, Launch, Move
from sandtable.games.munich_war.model.atlas import ALLIES, ATLAS, AXIS, PHASES
from sandtable.games.munich_war.model.events import PhaseBegan, TurnBegan
from sandtable.games.munich_war.model.state import mark
from sandtable.games.munich_war.rules.air_phase import AirLaunch
from sandtable.games.munich_war.rules.mobilization_phase import Refresh
from sandtable.games.munich_war.rules.movement_phase import Movement
from sandtable.games.munich_war.rules.setup_phase import Deploy
from sandtable.games.munich_war.sequence import AirReturn, PlayerTurn, Turn
from tests.games.munich_war.positions import Position, SixSidedDice, at, country, unit


def quiet_match(scenario: str = "little-entente", seed: int = 1, dice=None) -> tuple[Match, list]:
    """Everybody always passes; all events are kept."""
    match = Match.new(GAME, scenario, seed=seed, dice=dice, history=False)
    events: list[Any] = []
    while not match.over:
        role = match.decisions()[0]
        action: Any = DefaultSetup() if isinstance(match.step, Deploy) else Done()
        if match.why_not(role, action):
            action = next(iter(match.offers(role)))
        events += match.apply(role, action)
    return match, events


@pytest.mark.rule("mw-4.0-turn", "mw-4.0-order", "mw-4.0-events", "mw-7.1-skip", "mw-3.3-end", "mw-4.0-end")
def test_a_whole_match_in_order():
    match, events = quiet_match(dice=SixSidedDice([1, 1, 1]))
    assert [event.turn for event in events if isinstance(event, TurnBegan)] == [1, 2, 3, 4]
    assert match.state.turn == ATLAS.plans[match.state.plan].turns
    phases = [(event.side, event.phase) for event in events if isinstance(event, PhaseBegan)]
    later = [(side, f"@phase-{name}") for side in ("@axis", "@allies") for name in PHASES]
    first = [(side, name) for side, name in later if name != "@phase-mobilization"]
    assert phases == first + later * 3
    rolls = [event.why for event in events if isinstance(event, Rolled)]
    assert rolls.count("mw-6.0") == 3  # none on the first turn


@pytest.mark.rule("mw-4.0-mob")
def test_mobilization_returns_markers_deploys_and_spends():
    war = Position().put("GE-L1", "utilized").put("GE-NT", "utilized").put("GB-A1", "utilized").put("GE-20", "turn 2")
    war.state.stack = (Turn(2), PlayerTurn(AXIS))
    war.m._moved = True
    war.m.settle()
    assert (war.where("GE-L1"), war.where("GE-NT"), war.where("GB-A1")) == ("available", "available", "utilized")
    from sandtable.games.munich_war.model.actions import Arrive, Mobilize

    war.put("GE-15", "reinforcement")
    war.do(Arrive("GE-20", "2511"))
    assert war.allows(Mobilize("GE-15"))


@pytest.mark.rule("mw-4.0-air", "mw-16.6.1-a")
def test_the_air_phase_launch_then_interception_then_terror():
    war = Position().put("GE-L1", "available").put("PL-A1", "available").put("GE-01", "2511").put("PL-LOD", "3212")
    war.state.stack = (Turn(2), PlayerTurn(AXIS, 1))
    war.m._moved = True
    war.m.settle()
    war.do(Launch("GE-L1", "2511", "3013"))
    assert war.asked == "allies"  # nobody else can launch, so interception comes
    from sandtable.games.munich_war.model.actions import Bomb, Intercept

    war.dice(3).do(Intercept("PL-A1", "3212", "3013"))  # factor 1 against 2: AL, the hunter is reduced
    assert war.asked == "axis"
    assert war.allows(Bomb("GE-L1", "city"))
    assert war.where("PL-A1") == "utilized"


@pytest.mark.rule("mw-4.0-move", "mw-8.2-a")
def test_only_the_phasing_player_moves():
    war = Position().put("GE-01", "2511").put("PL-LOD", "3013").phase(Movement(AXIS))
    assert war.allows(Move("GE-01", "2512"))
    assert war.refused(Move("PL-LOD", "3014")).rule == "mw-8.2-a"
    assert war.refused(Move("PL-LOD", "3014"), "allies").reason == "sandtable-not-asked"


@pytest.mark.rule("mw-4.0-combat", "mw-11.0-a", "mw-11.0-g")
def test_only_the_phasing_player_attacks():
    from sandtable.games.munich_war.rules.combat_phase import Combat
    from tests.games.munich_war.positions import attack

    war = Position().put("GE-01", "2513").put("CZ-1", "2514").phase(Combat(AXIS))
    assert war.allows(attack("2514", "GE-01"))
    assert war.refused(attack("2513", "CZ-1")).rule == "mw-11.0-b"
    assert war.match.decisions() == ("axis",)


@pytest.mark.rule("mw-4.0-return", "mw-16.4-a", "mw-16.1-a")
def test_air_units_return_to_utilized():
    war = Position().put("GE-L1", "2515").put("PL-A1", "3013").phase(AirReturn(AXIS))
    assert (war.where("GE-L1"), war.where("PL-A1")) == ("utilized", "3013")


@pytest.mark.rule("mw-4.0-surrender", "mw-21.0-a")
def test_each_player_checks_his_own_countries():
    from sandtable.games.munich_war.rules.surrender import SurrenderPhase

    war = Position().own(AXIS, "3212", "3013").own(ALLIES, "3019")
    war.dice(6).run(SurrenderPhase(ALLIES))
    assert war.state.rolled == 1  # Poland only, not Hungary


@pytest.mark.rule("mw-16.2-a")
def test_an_air_unit_flies_once_a_turn_even_when_refreshed():
    war = Position().put("PL-A1", "available").put("PL-LOD", "3212")
    mark(war.state, unit("PL-A1"), 16)

    war.put("GB-A1", "available").phase(AirLaunch(ALLIES))
    assert war.refused(Launch("PL-A1", "3212", "2814")).rule == "mw-16.2-a"
    from sandtable.games.munich_war.sequence import end_turn

    end_turn(war.m)
    assert unit("PL-A1") in fliers(war.m.state, ALLIES)


@pytest.mark.rule("mw-20.0-d")
def test_storms_keep_half_of_the_air_units_down():
    from sandtable.games.munich_war.model.actions import Ground

    war = Position(turn=6).storm()
    for name in ("GE-L1", "GE-L2", "IT-A1"):
        war.put(name, "available")
    war.put("GE-L3", "utilized").put("GE-LT", "utilized").phase(Refresh(AXIS))
    assert war.where("GE-L3") == "available"  # five in all, so three stay down
    for name in ("GE-L1", "GE-LT", "IT-A1"):
        war.do(Ground(name))
    down = {name for name in ("GE-L1", "GE-L2", "GE-L3", "GE-LT", "IT-A1") if war.where(name) == "utilized"}
    assert down == {"GE-L1", "GE-LT", "IT-A1"}
    fair = Position(turn=6).put("GE-L1", "utilized").phase(Refresh(AXIS))
    assert fair.where("GE-L1") == "available"


@pytest.mark.rule("mw-2.3-a")
@pytest.mark.parametrize("phase", range(1, len(PHASES) + 1))
def test_at_the_end_of_any_phase_undisputed_hexes_belong_to_who_is_there(phase):
    """A bombed enemy is gone, and with it the zone that disputed the hex."""
    war = Position().put("CZ-2L1", "2514").put("GE-01", "2415")
    assert not owned(war.state, AXIS) >> at("2415") & 1
    war.put("CZ-2L1", "eliminated", steps=0)
    war.run(PlayerTurn(ALLIES, phase))
    assert owned(war.state, AXIS) >> at("2415") & 1


def test_random_matches_end_by_the_rules():
    match, _ = quiet_match("general-war", seed=3)
    assert match.outcome is not None
    assert match.state.turn == 8
    assert match.state.side[country("Germany")] == AXIS
