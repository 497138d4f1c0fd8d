"""Record sheets, sequence, hex control and garrisons."""

import pytest

from sandtable.core import Match
from sandtable.games.hitlers_war.game import GAME
from sandtable.games.hitlers_war.model.actions import (
    Advance,
    Assault,
    Attack,
    Detach,
    Done,
    Exploit,
    March,
    PlaceDefault,
)
from sandtable.games.hitlers_war.model.atlas import ATLAS
from sandtable.games.hitlers_war.model.state import points, total
from sandtable.games.hitlers_war.rules.advance_phase import Advances
from sandtable.games.hitlers_war.rules.attacks_phase import Announce
from sandtable.games.hitlers_war.rules.combat_phase import CombatPhase, land_attacks
from sandtable.games.hitlers_war.rules.control import defence, has_garrison
from sandtable.games.hitlers_war.rules.movement_phase import Movement
from tests.games.hitlers_war.positions import AXIS, SOVIET, Position, at, no


@pytest.mark.rule("hw-record-1")
def test_a_thirteenth_army_cannot_be_created():
    p = Position()
    for name in ATLAS.army_names[:12]:
        p.army(name, "P10" if name != "OKW" else "P11", infantry=2 if name == "OKW" else 0, mechanized=1)
    p.begin(AXIS, Movement())
    assert p.rule(AXIS, Detach("OKW", (("infantry", 1),), "P10", "Army Group North")) == "hw-record-1"


@pytest.mark.rule("hw-record-2")
def test_strength_is_the_sum_of_five_boxes_and_empty_boxes_are_zero():
    p = Position("campaign-2")
    army = p.army("OKW", "P10", infantry=1, mechanized=2, tac_air=3, paratroop=4)
    assert total(p.state, army) == 10
    p.army("OKW", "P10", infantry=1)
    assert total(p.state, army) == points(p.state, army) == 1


@pytest.mark.rule("hw-record-3")
def test_every_role_sees_every_strength():
    match = Match.new(GAME, "campaign-2", {}, seed=3)
    views = [match.view(role).state for role in (*GAME.roles, None)]
    assert all(view.strength == match.state.strength and view.army_at == match.state.army_at for view in views)


@pytest.mark.rule("hw-record-4", "hw-bar-setup-axis")
def test_barbarossa_axis_armies():
    p = Position(armies=True)
    found = {n: (p.where(n), p.strength(n)) for n in ATLAS.army_names[:12] if p.where(n)}
    assert found == {
        "Army Group North": ("Q13", {"infantry": 5, "mechanized": 5}),
        "Fourth Army": ("P13", {"infantry": 5}),
        "Army Group Center": ("O14", {"infantry": 2, "mechanized": 8}),
        "Army Group South": ("N13", {"infantry": 3, "mechanized": 7}),
        "Rumanian Army": ("L14", {"infantry": 6}),
    }


@pytest.mark.rule("hw-bar-setup-soviet")
def test_barbarossa_soviet_armies():
    p = Position(armies=True)
    found = {n: (p.where(n), p.strength(n)) for n in ATLAS.army_names[12:24] if p.where(n)}
    one = {"infantry": 3, "mechanized": 1}
    assert found == {
        "Moscow": ("Q17", {"infantry": 2, "mechanized": 2}),
        "Leningrad": ("T15", {"infantry": 3}),
        "Baltic": ("R13", one),
        "Northwest": ("Q14", one),
        "Western": ("P14", one),
        "Southwest": ("O15", one),
        "Kiev": ("N14", one),
        "Siberia": ("siberia", {"infantry": 2, "mechanized": 3}),
    }


@pytest.mark.rule("hw-record-5")
def test_damage_of_the_set_up_is_on_the_map():
    p = Position("fall-of-germany")
    assert p.devastation("O10") == 3
    assert p.devastation("L15") == 2


@pytest.mark.rule("hw-seq-1", "hw-seq-2")
def test_phases_and_player_turns_follow_each_other():
    match = Match.new(GAME, "barbarossa", {}, seed=1)
    match.apply(AXIS, PlaceDefault())
    seen = []
    while match.state.turn == ATLAS.turn_number["Summer 1941"]:
        seen.append((match.decisions()[0], type(match.step).__name__))
        match.apply(match.decisions()[0], Done())
    phases = ["Movement", "Announce", "Production"]
    assert seen == [(AXIS, phase) for phase in phases] + [(SOVIET, phase) for phase in phases]
    assert match.state.turn == ATLAS.turn_number["Winter 1941"]
    assert match.decisions() == (AXIS,)


@pytest.mark.rule("hw-control-1", "hw-bar-areas-axis", "hw-bar-areas-soviet")
def test_friendly_areas_of_barbarossa():
    p = Position()
    for name in ("P10", "L9", "P13", "R9", "T10", "O9", "N7", "F4", "G8", "D12", "H9", "K9", "L11", "H13", "G14", "L14",
                 "M13", "K14", "T13"):  # fmt: skip
        assert p.owner(name) == "axis", name
    for name in ("Q17", "T15", "M19", "P14", "siberia"):
        assert p.owner(name) == "soviet", name
    for name in ("J5", "T12", "P7", "D13", "I16"):
        assert p.owner(name) == "closed", name


@pytest.mark.rule("hw-control-2", "hw-advance-7", "hw-repair-1")
def test_entering_a_hex_makes_it_friendly_and_devastates_it():
    p = Position()
    p.army("Army Group Center", "P14", mechanized=10)
    p.hold(AXIS, "P14")
    p.begin(AXIS, CombatPhase()).dice(1, 1)
    p.do(AXIS, Attack("Army Group Center", "Q15"), Done(), Done(), Advance("Army Group Center", 0))
    assert p.owner("Q15") == "axis"
    assert p.devastation("Q15") == 1


@pytest.mark.rule("hw-control-3")
def test_a_hex_stays_friendly_when_its_army_leaves():
    p = Position()
    p.hold(AXIS, "P14", "Q15")
    p.army("Army Group Center", "Q15", mechanized=10)
    p.begin(AXIS, Movement()).do(AXIS, March("Army Group Center", "P10"))
    assert p.owner("Q15") == "axis"


@pytest.mark.rule("hw-garrison-1", "hw-advance-6")
def test_an_empty_hex_defends_with_one_point():
    p = Position()
    assert defence(p.state, at("Q16")) == 1
    assert defence(p.state, at("K9")) == 1


@pytest.mark.rule("hw-garrison-2")
def test_a_garrison_does_not_fire_at_its_attackers():
    p = Position()
    p.army("Army Group Center", "O14", mechanized=5)
    p.begin(AXIS, Announce(), *CombatSteps()).do(AXIS, Attack("Army Group Center", "P14"), Done())
    assert (p.asked, p.at_step) == (AXIS, "Assaults")


def CombatSteps():

    return land_attacks()


@pytest.mark.rule("hw-garrison-3")
def test_garrisons_do_not_retreat():
    p = Position()
    p.army("Army Group Center", "O14", mechanized=10)
    p.begin(AXIS, Announce(), Advances(invasion=False)).dice(1)
    p.do(AXIS, Attack("Army Group Center", "P14"), Done(), Advance("Army Group Center", 0))
    assert p.parked
    assert all(defence(p.state, at(x)) == 1 for x in ("P15", "Q14", "Q15"))


@pytest.mark.rule("hw-garrison-4")
def test_a_destroyed_garrison_is_back_at_the_end_of_the_phase():
    p = Position()
    p.army("Army Group Center", "O14", infantry=10)
    p.begin(AXIS, CombatPhase()).dice(1)
    p.do(AXIS, Attack("Army Group Center", "P14"), Done())
    p.do(AXIS, Assault("O14", "P14", ("Army Group Center",), 0))
    assert not has_garrison(p.state, at("P14"))
    p.do(AXIS, Done())
    assert p.parked
    assert has_garrison(p.state, at("P14"))


@pytest.mark.rule("hw-garrison-5")
def test_armies_and_garrisons_do_not_mix():
    p = Position()
    p.army("Western", "P14", infantry=3)
    assert defence(p.state, at("P14")) == 3


@pytest.mark.rule("hw-garrison-6")
def test_a_garrison_is_back_the_moment_the_last_army_moves_out():
    p = Position()
    p.army("Western", "P14", infantry=3)
    p.begin(SOVIET, Movement()).do(SOVIET, March("Western", "Q17"))
    assert defence(p.state, at("P14")) == 1


@pytest.mark.rule("hw-garrison-7", "hw-assault-10")
def test_a_hex_emptied_in_combat_has_no_defence_until_the_phase_ends():
    p = Position()
    p.army("Army Group Center", "O14", infantry=10)
    p.army("Western", "P14", infantry=1)
    p.begin(AXIS, CombatPhase()).dice(1)
    p.do(AXIS, Attack("Army Group Center", "P14"), Done()).do(SOVIET, Done())
    p.do(AXIS, Assault("O14", "P14", ("Army Group Center",), 0))
    assert p.where("Western") is None
    assert defence(p.state, at("P14")) == 0
    p.do(AXIS, Done())
    assert defence(p.state, at("P14")) == 1


@pytest.mark.rule("hw-garrison-7")
def test_the_hex_an_attacker_leaves_is_bare_too():
    p = Position()
    p.army("Army Group Center", "O14", mechanized=10)
    p.begin(AXIS, CombatPhase()).dice(1)
    p.do(AXIS, Attack("Army Group Center", "P14"), Done(), Done(), Advance("Army Group Center", 0))
    assert defence(p.state, at("O14")) == 0
    assert not p.allows(AXIS, Exploit("Fourth Army", "Q15"))
    assert p.state.army_at[no("Army Group Center")] == at("P14")
