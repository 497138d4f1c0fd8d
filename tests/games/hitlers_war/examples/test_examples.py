"""The rulebook's worked examples, replayed with their own dice."""

import pytest

from sandtable.core.columns import having, lacking, put
from sandtable.games.hitlers_war.model.actions import (
    Advance,
    Assault,
    Attack,
    Build,
    DefensiveAssault,
    Detach,
    Done,
    Exploit,
    Invade,
    Lose,
    March,
    NavalFire,
    Transfer,
)
from sandtable.games.hitlers_war.model.atlas import ATLAS
from sandtable.games.hitlers_war.model.events import Fired
from sandtable.games.hitlers_war.rules.advance import chance
from sandtable.games.hitlers_war.rules.budget import budget
from sandtable.games.hitlers_war.rules.combat_phase import CombatPhase
from sandtable.games.hitlers_war.rules.control import defence
from sandtable.games.hitlers_war.rules.invasion import sides_left
from sandtable.games.hitlers_war.rules.movement_phase import Movement
from sandtable.games.hitlers_war.rules.production_phase import Production
from sandtable.games.hitlers_war.rules.routes import Routes, open_sea_links, route_waters
from sandtable.games.hitlers_war.rules.supply import unsupplied
from tests.games.hitlers_war.positions import ALLIES, AXIS, SOVIET, Position, at, no

CENTER = "Army Group Center"


@pytest.mark.rule("hw-move-example")
def test_example_of_movement():
    p = Position()
    p.army("OKW", "P11", infantry=4, mechanized=2)
    p.army("Army Group South", "O12", infantry=4, mechanized=3)
    p.army("Army Group West", "O11", infantry=2)
    p.begin(AXIS, Movement())
    p.do(AXIS, Detach("Army Group South", (("infantry", 3),), "O12", "Army Group B"))
    p.do(AXIS, Transfer("Army Group West", (("infantry", 1),), "Army Group B"))
    p.do(AXIS, March("Army Group West", "P11"))
    p.do(AXIS, Transfer("Army Group South", (("infantry", 1), ("mechanized", 3)), "Army Group West"))
    p.do(AXIS, Transfer("OKW", (("infantry", 3), ("mechanized", 2)), "Army Group West"))
    p.do(AXIS, Transfer("OKW", (("infantry", 1),), "Army Group B"), Done())
    assert (p.where("Army Group West"), p.strength("Army Group West")) == ("P11", {"infantry": 5, "mechanized": 5})
    assert (p.where("Army Group B"), p.strength("Army Group B")) == ("O12", {"infantry": 5})
    assert p.where("OKW") is p.where("Army Group South") is None
    assert p.parked


def smolensk() -> Position:
    p = Position()
    p.hold(AXIS, "Q15")
    p.army(CENTER, "Q15", infantry=2, mechanized=8)
    p.army("Western", "Q16", infantry=5, mechanized=1)
    return p.begin(AXIS, CombatPhase()).do(AXIS, Attack(CENTER, "Q16"), Done())


@pytest.mark.rule("hw-ex-smolensk-1", "hw-ex-smolensk-2", "hw-ex-smolensk-3", "hw-ex-smolensk-4")
def test_the_battle_of_smolensk():
    p = smolensk().dice(4, 3)
    p.do(SOVIET, DefensiveAssault("Q16", ("Western",), 0))
    assert [(e.strength, e.losses) for e in p.happened(Fired)] == [(6, 1)]
    p.do(AXIS, Lose(CENTER, "infantry"))
    assert p.strength(CENTER) == {"infantry": 1, "mechanized": 8}
    assert chance(p.state, no(CENTER), at("Q16")).needed == 2
    p.do(AXIS, Assault("Q15", "Q16", (CENTER,), 0))
    assert (p.happened(Fired)[-1].strength, p.happened(Fired)[-1].losses) == (9, 3)
    p.do(SOVIET, *[Lose("Western", "infantry")] * 3)
    assert p.strength("Western") == {"infantry": 2, "mechanized": 1}
    what = chance(p.state, no(CENTER), at("Q16"))
    assert what.needed == 5
    assert [die for die in range(1, 7) if not what.succeeds(die)] == [6]
    p.dice(6).do(AXIS, Advance(CENTER, 0))
    assert p.where(CENTER) == "Q15"


@pytest.mark.rule("hw-ex-bagration-1", "hw-ex-bagration-2", "hw-ex-bagration-3", "hw-ex-bagration-4",
                  "hw-ex-bagration-5", "hw-ex-bagration-6", "hw-ex-bagration-7")  # fmt: skip
def test_the_soviet_summer_offensive_of_1944():
    white, first, second = "White Russian", "First Ukrainian", "Second Ukrainian"
    p = Position("fall-of-germany").turn("Summer 1944")
    p.state.devastated = lacking(p.state.devastated, at("Q15"))
    p.army(white, "Q16", mechanized=10)
    p.army(first, "R15", infantry=10)
    p.army(second, "P15", infantry=10)
    p.army(CENTER, "Q15", infantry=7)
    p.army("Fourth Army", "P14", infantry=5)
    p.begin(SOVIET, CombatPhase())
    p.do(SOVIET, *(Attack(army, "Q15") for army in (white, first, second)), Done())
    p.dice(5, 3, 1).do(AXIS, DefensiveAssault("Q15", (CENTER,), 0)).do(SOVIET, Lose(second, "infantry"))
    p.do(SOVIET, Assault("R15", "Q15", (first,), 0), Assault("P15", "Q15", (second,), 0))
    assert [(e.strength, e.losses) for e in p.happened(Fired)][1:] == [(10, 3), (9, 4)]
    assert p.where(CENTER) is None
    assert chance(p.state, no(white), at("Q15")).needed == 8
    p.do(SOVIET, Done()).dice(6)
    p.do(SOVIET, Advance(white, 0))
    assert (p.where(white), p.owner("Q15"), p.devastation("Q15")) == ("Q15", "soviet", 1)
    assert {choice.army for choice in p.offered(Advance, SOVIET)} == {first, second}
    p.do(SOVIET, Done())
    assert {choice.army for choice in p.offered(Exploit, SOVIET)} == {white}
    what = chance(p.state, no(white), at("Q14"))
    assert (what.needed, what.added) == (8, 1)
    p.dice(6).do(SOVIET, Exploit(white, "Q14"), Done())
    assert p.where(white) == "Q14"
    p.dice(2, 4, 4).do(SOVIET, Exploit(white, "P14")).do(AXIS, DefensiveAssault("P14", ("Fourth Army",), 0))
    assert p.strength(white) == {"mechanized": 8}
    p.do(SOVIET, Assault("Q14", "P14", (white,), 0))
    assert p.strength("Fourth Army") == {"infantry": 3}
    assert p.where(white) == "Q14"
    p.state.army_at = put(p.state.army_at, no(white), at("Q14"))
    p.state.advanced = put(p.state.advanced, no(white), 2)
    what = chance(p.state, no(white), at("P14"))
    assert [die for die in range(1, 7) if what.succeeds(die)] == [1, 2, 3]


@pytest.mark.rule("hw-assault-example")
def test_example_of_an_assault():
    p = Position()
    p.army(CENTER, "O14", infantry=2, mechanized=2)
    p.army("Fourth Army", "P13", infantry=2, mechanized=2)
    p.army("Western", "P14", infantry=5)
    p.begin(AXIS, CombatPhase()).dice(3)
    p.do(AXIS, Attack(CENTER, "P14"), Attack("Fourth Army", "P14"), Done())
    p.do(SOVIET, DefensiveAssault("P14", ("Western",), 0))
    assert [e.losses for e in p.happened(Fired)] == [1]
    assert len(p.offered(Lose, AXIS)) == 4
    p.do(AXIS, Lose("Fourth Army", "mechanized"))
    assert p.at_step == "Assaults"


@pytest.mark.rule("hw-assault-excess-example")
def test_losses_beyond_the_garrison_are_ignored():
    p = Position()
    p.army(CENTER, "O14", infantry=7)
    p.begin(AXIS, CombatPhase()).dice(3)
    p.do(AXIS, Attack(CENTER, "P14"), Done(), Assault("O14", "P14", (CENTER,), 0))
    assert [e.losses for e in p.happened(Fired)] == [2]
    assert defence(p.state, at("P14")) == 0
    assert p.at_step == "Advances"


@pytest.mark.rule("hw-supply-example-1", "hw-supply-example-2")
def test_example_of_supply():
    p = Position()
    p.hold(AXIS, "Q14", "Q15", "Q16", "P16", "O16", "O15", "O14", "P13")
    p.hold(AXIS, "M14", "M15", "M16", "N16", "N13", "O17", "M17")
    p.army("White Russian", "P14", infantry=3)
    cut = unsupplied(p.state, 1)
    assert {at("P14"), at("P15")} <= set(cut)
    assert not {at("N14"), at("N15")} & set(cut)
    p.begin(SOVIET, CombatPhase()).do(SOVIET, Done())
    assert p.owner("P14") == p.owner("P15") == "axis"
    assert p.where("White Russian") is None
    assert p.owner("N14") == p.owner("N15") == "soviet"


@pytest.mark.rule("hw-build-example")
@pytest.mark.parametrize(("orders", "left"), [
    ([("mechanized", 3)], 0), ([("infantry", 7)], 1), ([("infantry", 5), ("mechanized", 1)], 0),
])  # fmt: skip
def test_fifteen_points_of_production(orders: list[tuple[str, int]], left: int):
    p = Position().begin(AXIS, Production())
    p.state.budget = 15
    for kind, number in orders:
        p.do(AXIS, Build(kind, "P10", "OKW", number))
    assert p.state.budget == left


@pytest.mark.rule("hw-bar-special-2-example")
def test_of_34_points_only_17_are_spent():
    p = Position()
    for name in ("M8", "L8", "N8"):
        p.state.ruined = having(p.state.ruined, at(name), 1)
    assert budget(p.state, 0) == 17


@pytest.mark.rule("hw-navfire-2-example-india")
def test_british_africa_to_india_is_65_hexsides():
    p = Position("fall-of-germany")
    p.hold(AXIS, "british_africa")
    army = p.army("OKW", "british_africa", amphibious=5)
    p.state.routes = having(p.state.routes, army, route_waters(p.state, army, ("british_africa", "india")))
    assert len(sides_left(p.state, 2, army)) == 65


@pytest.mark.rule("hw-navfire-2-example-suez", "hw-navfire-5")
def test_british_africa_to_suez_is_54_and_kiel_to_india_over_a_hundred():
    p = Position("fall-of-germany")
    p.hold(AXIS, "british_africa")
    army = p.army("OKW", "british_africa", amphibious=5)
    names = ("british_africa", "A18", "B17", "C17", "D16", "D15")
    assert next(iter(Routes(p.state, army, at("D15")))) == names
    p.state.routes = having(p.state.routes, army, route_waters(p.state, army, names))
    assert len(sides_left(p.state, 2, army)) == 54
    atlantic = next(link.length for link in ATLAS.links if ATLAS.names[ATLAS.waters[link.a][0]] == "british_africa"
                    and ATLAS.names[ATLAS.waters[link.b][0]] == "F2")  # fmt: skip
    assert atlantic + 50 == 85
    p.army("OKW", "Q10", amphibious=5)
    p.state.routes = having(
        p.state.routes, army, route_waters(p.state, army, next(iter(Routes(p.state, army, at("india")))))
    )
    assert len(sides_left(p.state, 2, army)) > 100


@pytest.mark.rule("hw-invade-route-example")
def test_two_armies_over_the_same_hexsides():
    p = Position("fall-of-germany")
    p.army("Army Group C", "Q9", amphibious=9)
    p.army("Army Group B", "Q9", amphibious=1)
    route = ("Q9", "R8", "S8", "S7")
    p.begin(AXIS, CombatPhase())
    p.do(AXIS, Invade("Army Group C", "S7", route), Invade("Army Group B", "S7", route), Done())
    assert len(open_sea_links(p.state.routes[no("Army Group C")])) == 3
    p.dice(6, 6, 6).do(ALLIES, NavalFire("Army Group C", 3))
    assert sides_left(p.state, 2, no("Army Group B")) == []


@pytest.mark.rule("hw-ex-avalanche-1", "hw-ex-avalanche-2", "hw-ex-avalanche-3")
def test_operation_avalanche():
    p = Position("fall-of-germany")
    p.hold(AXIS, "I11", "J10", "J11", "I12", "H11")
    p.army("Fifth Army", "H10", infantry=4, mechanized=1, amphibious=5)
    p.army("Army Group C", "I11", infantry=4, mechanized=2)
    p.begin(ALLIES, CombatPhase()).do(ALLIES, Invade("Fifth Army", "I11", ("H10", "I11")), Done())
    assert (p.asked, p.at_step) == (AXIS, "DefensiveAssaults")
    p.dice(4, 5, 3).do(AXIS, DefensiveAssault("I11", ("Army Group C",), 0))
    assert p.strength("Fifth Army") == {"infantry": 4, "mechanized": 1, "amphibious": 4}
    p.do(ALLIES, Assault("H10", "I11", ("Fifth Army",), 0))
    assert p.strength("Army Group C") == {"infantry": 4, "mechanized": 2}
    what = chance(p.state, no("Fifth Army"), at("I11"))
    assert (what.strength, what.against, what.needed) == (8, 6, 2)
    p.do(ALLIES, Advance("Fifth Army", 0))
    assert p.where("Fifth Army") == "H10"
