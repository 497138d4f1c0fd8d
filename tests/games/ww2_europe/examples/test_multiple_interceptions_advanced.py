"""The same example with the advanced naval rules: no combining, an Order of Battle, day and night."""

import pytest

from sandtable.games.ww2_europe.model.actions import (
    Arrive,
    ChooseBattle,
    Combine,
    Evade,
    Fight,
    Night,
    Retreat,
    Separate,
)
from sandtable.games.ww2_europe.model.events import BattleBegan, Evaded, Sought
from sandtable.games.ww2_europe.rules.advanced_naval_phase import Assemble, arrivals
from sandtable.games.ww2_europe.rules.battle_phase import Battle
from sandtable.games.ww2_europe.rules.interception_phase import Encounter
from tests.games.ww2_europe.examples.mediterranean import WHERE, Mediterranean
from tests.games.ww2_europe.war import A


def to_b() -> Mediterranean:
    """A and E are over, nobody was found; B is about to begin."""
    war = Mediterranean(advanced=True).sail()
    war.do("germany", ChooseBattle(WHERE["A"]))
    war.dice(5)
    war.do("italy", Evade())
    return war


@pytest.mark.rule("w2e-ex-adv-multi", "w2e-adv-naval-sequence")
def test_the_battles_come_in_the_same_order() -> None:
    war = Mediterranean(advanced=True).sail()
    assert {a.space for a in war.offered(ChooseBattle, "germany")} == {WHERE["A"], WHERE["E"]}
    war.dice(5)
    war.do("germany", ChooseBattle(WHERE["E"]))  # rolls, finds nobody
    assert war.asked == "italy"  # only A is left to be first: it begins by itself
    war.do("italy", Evade())
    step = war.step
    assert isinstance(step, Assemble)
    assert A.names[step.battle.space] == WHERE["B"]


@pytest.mark.rule("w2e-ex-adv-multi-b1", "w2e-adv-naval-evade")
def test_first_battle_task_force_y_finds_nobody_in_port() -> None:
    war = Mediterranean(advanced=True).sail()
    war.do("germany", ChooseBattle(WHERE["A"]))
    assert war.asked == "italy"
    war.dice(5)
    war.do("italy", Evade())
    assert war.saw(Evaded, lambda e: e.units == (war.third,))
    assert not war.saw(Sought, lambda e: e.space == "@genoa_port")


@pytest.mark.rule("w2e-ex-adv-multi-b2", "w2e-adv-naval-one-patrol")
@pytest.mark.parametrize(("die", "found"), [(4, True), (5, False)])
def test_second_battle_the_fighter_rolls_for_task_force_4(die: int, found: bool) -> None:
    war = Mediterranean(advanced=True).sail(die)
    war.do("germany", ChooseBattle(WHERE["E"]))
    sought = next(e for e in war.events if isinstance(e, Sought))
    assert (sought.needed, sought.found) == (4, (war.fourth,) if found else ())
    if found:
        assert isinstance(war.step, Assemble)
        assert war.step.battle.dfn == (war.number(war.fourth),)


@pytest.mark.rule("w2e-ex-adv-multi-b3", "w2e-adv-naval-both-patrol", "w2e-adv-naval-no-combine")
def test_third_battle_task_force_1_stays_out_and_is_sought_force_by_force() -> None:
    war = to_b()
    step = war.step
    assert isinstance(step, Assemble)
    number = war.number
    assert set(step.battle.dfn) == {number(u) for u in (war.second, war.third, war.fourth, war.rome)}
    assert set(step.battle.att) == {number(war.x), number(war.z)}
    war.dice(1, *[6] * 4)  # a fine day; the destroyer, then battleship, destroyer and fighter fire in round 1
    war.do("germany", Night(False))
    war.do("italy", Arrive(war.rome, 1))
    war.do("italy", Fight())
    while not war.stands(Battle, "retreat-d"):
        war.do(war.asked, Fight())
    war.do("italy", Retreat(""))
    assert war.stands(Encounter, "chase")
    assert not war.allows("great_britain", Combine())
    war.dice(4, 4)
    war.do("great_britain", Separate())
    assert [(e.needed, bool(e.found)) for e in war.events if isinstance(e, Sought)] == [(3, False), (4, True)]
    step = war.step
    assert isinstance(step, Assemble)
    assert step.battle.att == (number(war.z),)  # X did not find them
    assert set(step.battle.dfn) == {number(war.first), number(war.transport)}


@pytest.mark.rule("w2e-ex-adv-arrival-italian", "w2e-ex-adv-arrival-british", "w2e-adv-naval-order")
def test_third_battle_who_is_there_in_which_round() -> None:
    war = to_b()
    step = war.step
    assert isinstance(step, Assemble)
    number = war.number
    rounds = dict(arrivals(war.m, step.battle))
    assert [rounds[number(u)] for u in (war.second, war.third, war.fourth)] == [1, 1, 2]
    assert [rounds[number(u)] for u in (war.z, war.x)] == [1, 2]
    war.dice(1, 6, 6, 6, 6)
    war.do("germany", Night(False))
    war.do("italy", Arrive(war.rome, 1))
    war.do("italy", Fight())
    # round 1: Z against Task Forces 2 and 3 and the fighter, four dice; X and Task Force 4 are not there
    assert war.dice_left() == 0
    war.dice(*[6] * 6)
    war.do("great_britain", Fight())
    war.do("italy", Fight())
    assert war.dice_left() == 0  # round 2: all six units


@pytest.mark.rule("w2e-ex-adv-multi-b4", "w2e-adv-naval-avoid")
@pytest.mark.parametrize(("die", "found"), [(5, ()), (4, ("malta",)), (1, ("submarine", "malta"))])
def test_fourth_battle_only_the_fighter_rolls_at_malta(die: int, found: tuple[str, ...]) -> None:
    war = to_b()
    war.dice(1, *[6] * 4)
    war.do("germany", Night(False))
    war.do("italy", Arrive(war.rome, 1))
    war.do("italy", Fight())
    war.do("great_britain", Retreat(""))
    while not war.stands(Encounter, "port"):
        war.do(war.asked, Separate() if war.allows(war.asked, Separate()) else Fight())
    war.dice(die)
    war.do("great_britain", Evade())
    sought = next(e for e in war.events if isinstance(e, Sought))
    assert (sought.needed, set(sought.found)) == (4, {getattr(war, name) for name in found})
    assert isinstance(war.step, Assemble) is bool(found)
    assert not war.saw(BattleBegan)
