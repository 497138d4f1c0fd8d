"""The worked examples of Campaign Game II, with the dice that the rulebook throws."""

import pytest

from sandtable.games.hitlers_war.model.actions import (
    Assault,
    Attack,
    Bomb,
    Build,
    DefensiveAssault,
    Done,
    Invest,
    Launch,
    Lose,
    Sortie,
    Strike,
)
from sandtable.games.hitlers_war.model.actions import Test as RollFor
from sandtable.games.hitlers_war.model.events import Fired
from sandtable.games.hitlers_war.rules.advance import chance
from sandtable.games.hitlers_war.rules.combat_phase import CombatPhase
from sandtable.games.hitlers_war.rules.movement_phase import Movement
from sandtable.games.hitlers_war.rules.production_phase import Production
from sandtable.games.hitlers_war.rules.research_phase import Research
from sandtable.games.hitlers_war.rules.strategic.warfare_phase import Bombing, MissileLaunch, SeaRaid
from tests.games.hitlers_war.positions import ALLIES, AXIS, SOVIET, at, no
from tests.games.hitlers_war.positions_naval import Second


def fires(p: Second) -> list[tuple[int, int, int]]:
    """Strength, die and losses of every fire."""
    return [(event.strength, event.die, event.losses) for event in p.happened(Fired)]


@pytest.mark.rule("hw-firepower-split-example")
def test_twenty_five_u_boats_roll_three_times():
    p = Second()
    p.wolves(25).dice(5, 5, 5)
    p.begin(AXIS, SeaRaid())
    assert fires(p) == [(10, 5, 2), (10, 5, 2), (5, 5, 1)]
    assert p.state.raided == 5


@pytest.mark.rule("hw-cost-1-example")
def test_mechanized_points_fall_from_six_to_four_and_at_last_to_two():
    p = Second()
    prices = []
    for level in range(4):
        p.at_level(SOVIET, "mechanized", level)
        p.begin(SOVIET, Production())
        p.money(60).do(SOVIET, Build("mechanized", "Q17", "Moscow", 1))
        prices.append(60 - p.state.budget)
    assert prices == [6, 4, 3, 2]
    p.begin(SOVIET, Research())
    p.money(2)
    p.begin(SOVIET, Research())
    assert p.rule(SOVIET, Invest("mechanized", 1)) == "hw-cost-2"


@pytest.mark.rule("hw-research-special-2-example")
def test_axis_infantry_is_the_cheapest_and_so_gets_one_point_a_turn():
    p = Second()
    p.money(9)
    p.begin(AXIS, Research())
    assert not p.allows(AXIS, Invest("infantry", 2))
    assert p.allows(AXIS, Invest("infantry", 1))
    p.at_level(SOVIET, "infantry", 1)
    p.begin(AXIS, Research())
    assert p.allows(AXIS, Invest("infantry", 2))


@pytest.mark.rule("hw-research-special-3-example")
def test_the_soviets_learn_from_axis_tanks():
    p = Second()
    p.costs(SOVIET, "mechanized", 5).on_step(SOVIET, "mechanized", 1)
    assert p.price(AXIS, "mechanized") == 4
    p.begin(SOVIET, Research()).dice(2).do(SOVIET, RollFor("mechanized"))
    assert p.price(SOVIET, "mechanized") == 4
    assert p.level(SOVIET, "mechanized") == 1


@pytest.mark.rule("hw-fleet-8-example")
def test_six_allied_ships_meet_two_of_the_axis():
    p = Second()
    p.to_sea(AXIS, 2).boxed(ALLIES, "capital_ship", 6)
    p.begin(ALLIES, Movement()).do(ALLIES, Sortie(6))
    assert (p.fleet(AXIS), p.fleet(ALLIES)) == (0, 4)


@pytest.mark.rule("hw-uboat-example-1", "hw-uboat-example-2")
def test_u_boat_warfare():
    p = Second()
    p.wolves(7).boxed(ALLIES, "asw", 5).dice(5, 3)
    p.begin(AXIS, SeaRaid())
    assert fires(p) == [(5, 5, 1), (6, 3, 2)]
    assert p.boats == 6
    assert p.state.raided == 2


@pytest.mark.rule("hw-bomb-example-1", "hw-bomb-example-2")
def test_a_bombing_raid():
    p = Second()
    p.boxed(ALLIES, "bomber", 7).boxed(AXIS, "air_defense", 3)
    p.begin(ALLIES, Bombing()).dice(2, 1)
    p.do(ALLIES, Bomb("axis", "industry"))
    assert fires(p) == [(3, 2, 1), (6, 1, 2)]
    assert p.box(ALLIES, "bomber") == 6
    p.do(ALLIES, Strike("O10"), Strike("P10"))
    assert (p.devastation("O10"), p.devastation("P10")) == (1, 1)
    assert p.parked


@pytest.mark.rule("hw-morale-example")
def test_ten_missiles_against_british_morale():
    p = Second()
    p.hold(AXIS, "O8")
    p.missile(AXIS, 1, "O8", 10)
    p.begin(AXIS, MissileLaunch()).dice(4)
    p.do(AXIS, Launch("Missile 1", 10, "allies", "great_britain"))
    assert p.britain == 7


@pytest.mark.rule("hw-para-example-1", "hw-para-example-2", "hw-para-example-3")
def test_market_garden():
    p = Second()
    p.hold(ALLIES, "O9")
    p.army("British Second Army", "O9", infantry=2, mechanized=2, tac_air=2, paratroop=3)
    p.army("Army Group B", "O10", infantry=2, mechanized=2)
    p.begin(ALLIES, CombatPhase()).do(ALLIES, Attack("British Second Army", "O10"), Done())
    p.dice(1, 6).do(AXIS, DefensiveAssault("O10", ("Army Group B",), 0))
    assert fires(p) == [(4, 1, 2)]
    assert p.rule(ALLIES, Lose("British Second Army", "tac_air")) == "hw-air-5"
    p.do(ALLIES, Lose("British Second Army", "infantry"), Lose("British Second Army", "infantry"))
    p.do(ALLIES, Assault("O9", "O10", ("British Second Army",), 0))
    assert fires(p)[-1] == (7, 6, 1)
    p.do(AXIS, Lose("Army Group B", "infantry"))
    drop = chance(p.state, no("British Second Army"), at("O10"), 3)
    assert (drop.strength, drop.against, drop.needed) == (8, 3, 5)
