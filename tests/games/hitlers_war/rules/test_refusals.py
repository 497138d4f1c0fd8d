"""The reason that a refusal gives is the first rule that forbids the action."""

import pytest

from sandtable.core.columns import having, put
from sandtable.games.hitlers_war.model.actions import (
    Advance,
    Assault,
    Attack,
    Bomb,
    Build,
    Convert,
    DefensiveAssault,
    Dismantle,
    Done,
    Exploit,
    Fortify,
    Invest,
    Launch,
    March,
    MoveLeader,
    Partisans,
    Repair,
    Transfer,
)
from sandtable.games.hitlers_war.model.state import PEACE_ACCEPTED, SHOWN
from sandtable.games.hitlers_war.rules.combat_phase import CombatPhase
from sandtable.games.hitlers_war.rules.movement_phase import Movement
from sandtable.games.hitlers_war.rules.production_phase import Production
from sandtable.games.hitlers_war.rules.research_phase import Research
from sandtable.games.hitlers_war.rules.strategic.warfare_phase import Bombing, MissileLaunch
from tests.games.hitlers_war.positions import ALLIES, AXIS, SOVIET, Position, at
from tests.games.hitlers_war.positions_naval import Second

CENTER, NORTH, SOUTH = "Army Group Center", "Army Group North", "Army Group South"


def reason(p: Position, *words: object) -> tuple[str, str]:
    """The rule and the sentence of a refusal."""
    found = p.refused(*words)  # type: ignore[arg-type]
    return found.rule, found.reason


def money(side: str, points: int, scenario: str = "fall-of-germany") -> Position:
    p = Position(scenario).begin(side, Production())
    p.state.budget = points
    p.match.changed()
    return p


# ---- combat
@pytest.mark.rule("hw-exploit-2", "hw-attack-4", "hw-exploit-1", "hw-attack-8")
def test_an_army_that_attacks_no_more_is_told_why():
    p = Position()
    p.army(CENTER, "O14", mechanized=10)
    p.army(NORTH, "Q13", mechanized=10)
    p.army(SOUTH, "N13", mechanized=1)
    p.army("OKW", "N13", mechanized=5)
    p.begin(AXIS, CombatPhase())
    named = Attack(CENTER, "P14"), Attack(NORTH, "Q14"), Attack(SOUTH, "N14"), Attack("OKW", "N14")
    p.do(AXIS, *named, Done(), Done()).dice(1, 1, 6, 1, 1)
    p.do(AXIS, Advance(CENTER, 0), Advance(NORTH, 0), Advance(SOUTH, 0))
    assert reason(p, AXIS, Advance(SOUTH, 0)) == ("hw-attack-4", "hw-spent")
    assert reason(p, AXIS, Advance(CENTER, 0)) == ("hw-attack-8", "hw-advanced-already")
    p.do(AXIS, Done(), Exploit(CENTER, "P15"), Done(), Exploit(NORTH, "Q15"))
    while p.at_step != "Exploitation":
        p.do(p.asked, Done())
    assert reason(p, AXIS, Exploit(CENTER, "P16")) == ("hw-exploit-2", "hw-left-behind")
    assert reason(p, AXIS, Exploit(SOUTH, "N14")) == ("hw-attack-4", "hw-spent")
    assert reason(p, AXIS, Exploit("OKW", "N14")) == ("hw-exploit-1", "hw-did-not-advance")


@pytest.mark.rule("hw-amph-2", "hw-initial-4")
def test_amphibious_points_do_not_fire_and_are_no_garrison():
    p = Position("fall-of-germany")
    p.army("Fifth Army", "J10", amphibious=3)
    p.army("Allied 6", "J11", infantry=3)
    p.army("Army Group C", "K10", mechanized=5)
    p.army("OKW", "K11", mechanized=5)
    p.begin(AXIS, CombatPhase()).do(AXIS, Attack("Army Group C", "J10"), Attack("OKW", "J11"), Done())
    fire = DefensiveAssault("J10", ("Fifth Army",), 0)
    assert reason(p, ALLIES, fire) == ("hw-amph-2", "hw-amphibious-silent")


# ---- movement
@pytest.mark.rule("hw-move-2", "hw-limit-2")
def test_an_unfriendly_hex_is_closed_before_any_bounds():
    p = Position("campaign-1").hold(AXIS, "N8")
    p.army("OKW", "N8", infantry=1)
    p.army("French First Army", "O8", infantry=5)
    p.begin(ALLIES, Movement())
    assert p.rule(ALLIES, March("French First Army", "N8")) == "hw-move-2"
    assert p.rule(ALLIES, March("French First Army", "P7")) == "hw-limit-2"


@pytest.mark.rule("hw-move-5", "hw-amph-3")
def test_handing_over_and_converting_need_points_and_another_army():
    p = Position("fall-of-germany")
    p.army("Britain", "P7", infantry=2)
    p.begin(ALLIES, Movement())
    assert reason(p, ALLIES, Transfer("Britain", (("infantry", 1),), "Britain")) == ("hw-move-5", "hw-no-army-in-reach")
    p.army("Fifth Army", "P7", amphibious=2)
    p.match.changed()
    assert reason(p, ALLIES, Transfer("Britain", (("infantry", 1),), "Britain")) == ("hw-move-5", "hw-same-army")
    assert reason(p, ALLIES, Convert("Britain", 1)) == ("hw-amph-3", "hw-no-amphibious")


@pytest.mark.rule("hw-unsupplied-3", "hw-leader-7")
def test_a_leader_without_supply_stays():
    p = Position("barbarossa", leaders=True)
    stuck, free = p.army(CENTER, "O14", infantry=2), p.army(NORTH, "Q13", infantry=2)
    p.army(SOUTH, "N13", infantry=2)
    p.columns(leader=put(put(bytes(36), stuck, SHOWN), free, SHOWN), stuck=put(bytes(36), stuck, 1))
    p.begin(AXIS, Movement())
    assert p.rule(AXIS, MoveLeader(CENTER, SOUTH)) == "hw-unsupplied-3"
    assert p.allows(AXIS, MoveLeader(NORTH, SOUTH))


# ---- production
@pytest.mark.rule("hw-repair-2")
def test_repair_without_the_money_names_its_price():
    p = money(AXIS, 2)
    assert reason(p, AXIS, Repair("S14", 1)) == ("hw-repair-2", "hw-no-money")
    p = money(AXIS, 3)
    assert reason(p, AXIS, Repair("O10", 2)) == ("hw-repair-2", "hw-no-money")
    assert reason(p, AXIS, Repair("P10", 1)) == ("hw-repair-2", "hw-nothing-to-repair")
    p = money(AXIS, 30)
    assert reason(p, AXIS, Repair("S14", 2)) == ("hw-repair-2", "hw-nothing-to-repair")


@pytest.mark.rule("hw-fall-devastation", "hw-bar-devastation", "hw-abomb-4")
@pytest.mark.parametrize(
    ("scenario", "rule"),
    [("fall-of-germany", "hw-fall-devastation"), ("barbarossa", "hw-bar-devastation"), ("campaign-2", "hw-abomb-4")],
)
def test_what_is_lost_for_good_is_said_to_be(scenario, rule):
    p = Position(scenario).hold(AXIS, "M8")
    p.state.ruined = having(p.state.ruined, at("M8"), 1)
    p.begin(AXIS, Production())
    p.state.budget = 9
    p.match.changed()
    assert reason(p, AXIS, Repair("M8", 1)) == (rule, "hw-lost-for-good")


@pytest.mark.rule("hw-fort-1", "hw-partisan-2", "hw-research-1")
def test_what_cannot_be_paid_for_names_its_price():
    assert reason(money(AXIS, 4), AXIS, Fortify("P10", 1)) == ("hw-fort-1", "hw-no-money")
    assert reason(money(AXIS, 9), AXIS, Fortify("P10", 2)) == ("hw-fort-1", "hw-no-money")
    assert reason(money(AXIS, 90), AXIS, Fortify("P10", 11)) == ("hw-fort-1", "hw-overstack")
    assert reason(money(SOVIET, 1, "campaign-2"), SOVIET, Partisans("P12")) == ("hw-partisan-2", "hw-no-money")
    p = Second().on_step(AXIS, "infantry", 1).money(0).begin(AXIS, Research())
    assert reason(p, AXIS, Invest("infantry", 1)) == ("hw-research-1", "hw-no-money")


@pytest.mark.rule("hw-build-2", "hw-build-5", "hw-build-3")
def test_a_build_that_does_not_fit_is_told_what_is_short():
    p = money(AXIS, 30)
    p.army("OKW", "P10", infantry=8)
    p.match.changed()
    assert reason(p, AXIS, Build("infantry", "P10", "OKW", 3)) == ("hw-build-5", "hw-overstack")
    assert reason(p, AXIS, Build("infantry", "P10", "OKW", 16)) == ("hw-build-2", "hw-no-money")
    assert reason(p, AXIS, Build("infantry", "P10", "Britain", 1)) == ("hw-build-3", "hw-not-your-army")


@pytest.mark.rule("hw-ital-2")
def test_other_kinds_wait_for_the_italian_force():
    p = Position("campaign-1", italian_army=True).turn("Summer 1940").hold_all(AXIS, "italy")
    p.columns(italy=1).begin(AXIS, Production())
    p.army("Italian Army", "L9", infantry=5)
    p.state.budget = 30
    p.match.changed()
    assert reason(p, AXIS, Build("infantry", "P10", "OKW", 1)) == ("hw-ital-2", "hw-italy-first")
    assert reason(p, AXIS, Build("mechanized", "L9", "Italian Army", 2)) == ("hw-ital-2", "hw-italy-first")


# ---- strategic warfare
@pytest.mark.rule("hw-bomb-7", "hw-surr-soviet-2", "hw-bomb-2")
def test_partners_and_peace_forbid_a_raid_before_range_does():
    p = Second().boxed(ALLIES, "bomber", 3).begin(ALLIES, Bombing())
    assert p.rule(ALLIES, Bomb("soviet", "industry")) == "hw-bomb-7"
    p = Second().boxed(AXIS, "bomber", 3).columns(peace=PEACE_ACCEPTED).begin(AXIS, Bombing())
    assert p.rule(AXIS, Bomb("soviet", "industry")) == "hw-surr-soviet-2"
    p = Second().boxed(SOVIET, "bomber", 3).hold(SOVIET, "P12").begin(SOVIET, Bombing())
    assert p.rule(SOVIET, Bomb("axis", "great_britain")) == "hw-bomb-2"


@pytest.mark.rule("hw-missile-3", "hw-missile-4")
def test_a_missile_counter_without_missiles_is_not_out_of_range():
    p = Second()
    p.columns(missile_at=put(put((-1,) * 9, 0, at("O10")), 1, at("O12")), missiles=put(put((0,) * 9, 0, 2), 1, 2))
    p.begin(AXIS, MissileLaunch())
    assert p.rule(AXIS, Launch("Missile 3", 1, "allies", "industry")) == "hw-missile-3"
    assert p.rule(AXIS, Launch("Missile 2", 1, "allies", "industry")) == "hw-missile-4"


@pytest.mark.rule("hw-fort-3")
def test_there_is_nothing_to_dismantle_where_no_fort_stands():
    p = Position("campaign-2").hold(AXIS, "P10", "P11").fort("P10", 3)
    p.begin(AXIS, Production())
    assert p.allows(AXIS, Dismantle("P10"))
    assert reason(p, AXIS, Dismantle("P11")) == ("hw-fort-3", "hw-no-fort")


@pytest.mark.rule("hw-assault-2")
def test_an_army_assaults_what_it_was_named_to_attack():
    p = Position().hold(AXIS, "O14").hold("soviet", "P14", "O15")
    p.army("Army Group Center", "O14", mechanized=5)
    p.army("Western", "P14", infantry=5)
    p.begin(AXIS, CombatPhase()).do(AXIS, Attack("Army Group Center", "P14"), Done())
    if p.asked == SOVIET:
        p.do(SOVIET, Done())
    assert reason(p, AXIS, Assault("O14", "O15", (CENTER,), 0)) == ("hw-assault-2", "hw-not-at-target")
