"""Campaign Game II: strategic bombing, escorts, missiles, atomic bombs."""

import pytest

from sandtable.core.columns import put
from sandtable.games.hitlers_war.model.actions import (
    Arm,
    Bomb,
    BuildMissile,
    Done,
    Drop,
    Launch,
    Lose,
    MoveMissile,
    Produce,
    Strike,
    TradeEscort,
)
from sandtable.games.hitlers_war.model.events import Fired
from sandtable.games.hitlers_war.model.state import LAND
from sandtable.games.hitlers_war.rules.advance_phase import enter
from sandtable.games.hitlers_war.rules.attacks_phase import Announce
from sandtable.games.hitlers_war.rules.control import capacity, healthy
from sandtable.games.hitlers_war.rules.movement_phase import Movement
from sandtable.games.hitlers_war.rules.production_phase import Production
from sandtable.games.hitlers_war.rules.strategic.warfare_phase import Bombing, MissileLaunch, StrategicPhase
from tests.games.hitlers_war.positions import ALLIES, AXIS, SOVIET, at
from tests.games.hitlers_war.positions_naval import Second


def produce(p: Second, side: str, money: int) -> Second:
    p.begin(side, Production())
    p.money(money)
    return p


def fires(p: Second) -> list[tuple[str, int, int]]:
    return [(event.by.lstrip("@"), event.strength, event.losses) for event in p.happened(Fired)]


# ---- building
@pytest.mark.rule("hw-bomb-1")
def test_bombers_and_escorts_need_their_level_and_air_defence_does_not():
    p = produce(Second(), ALLIES, 40)
    assert p.rule(ALLIES, Produce("bomber", 1)) == "hw-cost-3"
    assert p.rule(ALLIES, Produce("escort", 1)) == "hw-cost-3"
    p.do(ALLIES, Produce("air_defense", 2))
    assert p.box(ALLIES, "air_defense") == 2
    p.at_level(ALLIES, "bomber", 1).at_level(ALLIES, "escort", 1)
    produce(p, ALLIES, 14).do(ALLIES, Produce("bomber", 1), Produce("escort", 1))
    assert (p.box(ALLIES, "bomber"), p.box(ALLIES, "escort"), p.state.budget) == (1, 1, 0)


# ---- raids
@pytest.mark.rule("hw-bomb-2")
def test_bombers_reach_four_hexes_from_a_friendly_hex():
    p = Second()
    p.boxed(SOVIET, "bomber", 1)
    p.hold_all("nobody", "soviet_union")
    p.hold(SOVIET, "P14")
    p.begin(SOVIET, Bombing())
    assert p.allows(SOVIET, Bomb("axis", "industry"))
    p.dice(1).do(SOVIET, Bomb("axis", "industry"))
    struck = {action.at for action in p.offered(Strike, SOVIET)}
    assert "P10" in struck
    assert "N9" not in struck
    assert p.rule(SOVIET, Strike("O10")) == "hw-bomb-2"
    p.hold("nobody", "P14").hold(SOVIET, "P15")
    p.begin(SOVIET, Bombing())
    assert p.rule(SOVIET, Bomb("axis", "germany")) == "hw-bomb-2"


@pytest.mark.rule("hw-bomb-3")
def test_air_defence_fires_first():
    p = Second()
    p.boxed(ALLIES, "bomber", 2).boxed(AXIS, "air_defense", 4)
    p.begin(ALLIES, Bombing()).dice(1)
    p.do(ALLIES, Bomb("axis", "industry"))
    assert fires(p) == [("air-defense", 4, 2)]
    assert p.box(ALLIES, "bomber") == 0
    assert p.box(AXIS, "air_defense") == 4
    assert p.parked


@pytest.mark.rule("hw-bomb-4")
def test_survivors_devastate_points_of_the_attackers_choice():
    p = Second()
    p.boxed(ALLIES, "bomber", 12)
    p.begin(ALLIES, Bombing()).dice(4, 6)
    p.do(ALLIES, Bomb("axis", "industry"))
    assert fires(p) == [("bombers", 10, 3), ("bombers", 2, 0)]
    p.do(ALLIES, Strike("O10"), Strike("O10"), Strike("P10"))
    assert (p.devastation("O10"), p.devastation("P10")) == (2, 1)
    assert p.parked


@pytest.mark.rule("hw-bomb-5", "hw-moraleattack-1", "hw-moraleattack-2")
def test_bombers_may_attack_morale_where_a_capital_is_in_range():
    p = Second()
    p.boxed(ALLIES, "bomber", 10)
    p.begin(ALLIES, Bombing()).dice(1)
    p.do(ALLIES, Bomb("axis", "germany"))
    assert p.germany == 6
    assert p.state.devastated == {}
    assert p.parked
    p.hold_all("nobody", "france")
    p.hold("nobody", "P7", "Q7", "P6", "R7", "R6", "S7", "S6")
    p.boxed(ALLIES, "bomber", 10)
    p.begin(ALLIES, Bombing())
    assert not p.allows(ALLIES, Bomb("axis", "germany"))


@pytest.mark.rule("hw-moraleattack-1")
def test_only_the_morale_of_germany_and_britain_can_be_bombed():
    p = Second()
    p.boxed(AXIS, "bomber", 3)
    p.hold(AXIS, "P14", "P15")
    p.begin(AXIS, Bombing())
    aims = {(action.against, action.aim) for action in p.offered(Bomb, AXIS)}
    assert aims == {("allies", "industry"), ("allies", "great_britain"), ("soviet", "industry")}


@pytest.mark.rule("hw-moraleattack-3")
def test_one_raid_goes_against_one_aim():
    p = Second()
    p.boxed(ALLIES, "bomber", 10)
    p.begin(ALLIES, Bombing()).dice(1)
    p.do(ALLIES, Bomb("axis", "germany"))
    assert p.parked
    p = Second()
    p.at_level(AXIS, "missile", 4)
    p.missile(AXIS, 1, "O8", 6)
    p.missile(AXIS, 2, "O8", 6)
    p.hold(AXIS, "O8")
    p.begin(AXIS, MissileLaunch()).dice(1, 1)
    p.do(AXIS, Launch("Missile 1", 3, "allies", "great_britain"))
    assert p.britain == 9
    assert not p.allows(AXIS, Launch("Missile 1", 3, "allies", "industry"))
    assert p.allows(AXIS, Launch("Missile 2", 3, "allies", "industry"))


# ---- escorts
@pytest.mark.rule("hw-bomb-6")
def test_escorts_and_air_defence_cancel_and_the_axis_chooses_whose():
    p = Second()
    p.at_level(AXIS, "escort", 5).boxed(ALLIES, "air_defense", 2).boxed(SOVIET, "air_defense", 1)
    produce(p, AXIS, 5).do(AXIS, Produce("escort", 2))
    assert p.at_step == "EscortTrade"
    p.do(AXIS, TradeEscort("soviet"))
    assert (p.box(ALLIES, "air_defense"), p.box(SOVIET, "air_defense"), p.box(AXIS, "escort")) == (1, 0, 0)
    p.do(AXIS, Produce("escort", 2))
    assert (p.box(ALLIES, "air_defense"), p.box(AXIS, "escort")) == (0, 1)
    produce(p, ALLIES, 24).do(ALLIES, Produce("air_defense", 2))
    assert (p.box(ALLIES, "air_defense"), p.box(AXIS, "escort")) == (1, 0)


@pytest.mark.rule("hw-bomb-7")
def test_soviets_and_allies_neither_bomb_nor_disarm_each_other():
    p = Second()
    p.hold(ALLIES, "P13", "P12")
    p.boxed(ALLIES, "bomber", 5).boxed(ALLIES, "escort", 2).boxed(SOVIET, "air_defense", 2)
    p.begin(ALLIES, Bombing())
    assert {action.against for action in p.offered(Bomb, ALLIES)} == {"axis"}
    p.at_level(ALLIES, "escort", 5)
    produce(p, ALLIES, 1).do(ALLIES, Produce("escort", 1))
    assert (p.box(ALLIES, "escort"), p.box(SOVIET, "air_defense")) == (3, 2)


# ---- missiles
@pytest.mark.rule("hw-missile-1")
@pytest.mark.parametrize(("side", "base"), [(AXIS, "P10"), (ALLIES, "P7"), (SOVIET, "Q17")])
def test_missiles_are_built_in_producing_hexes_of_the_home_country(side, base):
    elsewhere = "N7"
    p = produce(Second(), side, 30)
    assert not p.allows(side, BuildMissile("Missile 1", base, 1))
    p.at_level(side, "missile", 4).hold(side, elsewhere)
    produce(p, side, 30)
    assert p.refused(side, BuildMissile("Missile 1", elsewhere, 1)).reason == "hw-no-base"
    p.do(side, BuildMissile("Missile 1", base, 2))
    assert p.state.budget == 24
    healthy_points = healthy(p.state, at(base))
    p.devastate(base, healthy_points)
    assert p.rule(side, BuildMissile("Missile 2", base, 1)) == "hw-missile-1"


@pytest.mark.rule("hw-missile-1")
def test_there_are_three_missile_counters():
    p = produce(Second(), AXIS, 30)
    p.at_level(AXIS, "missile", 4)
    produce(p, AXIS, 30)
    assert {action.counter for action in p.offered(BuildMissile, AXIS)} == {"Missile 1", "Missile 2", "Missile 3"}


@pytest.mark.rule("hw-missile-2")
def test_missiles_move_like_armies_and_cannot_attack():
    p = Second()
    p.hold(ALLIES, "P7", "N7")
    p.missile(ALLIES, 1, "P7", 2)
    p.begin(ALLIES, Movement())
    assert p.allows(ALLIES, MoveMissile("Missile 1", "N7"))
    assert p.allows(ALLIES, MoveMissile("Missile 1", "U7"))
    assert p.rule(ALLIES, MoveMissile("Missile 1", "P10")) == "hw-move-2"
    assert p.rule(ALLIES, MoveMissile("Missile 1", "us")) == "hw-move-2"
    p.do(ALLIES, MoveMissile("Missile 1", "O8"))
    assert p.state.missile_at[6] == at("O8")
    p.begin(ALLIES, Announce())
    assert "attack" not in p.verbs(ALLIES)


@pytest.mark.rule("hw-missile-2")
def test_missiles_take_room_on_the_way_to_america():
    p = Second()
    p.hold(ALLIES, "us")
    p.missile(ALLIES, 1, "P7", 4)
    p.begin(ALLIES, Movement())
    assert p.rule(ALLIES, MoveMissile("Missile 1", "us")) == "hw-seamove-atlantic"
    p.state.missiles = put(p.state.missiles, 6, 3)
    p.begin(ALLIES, Movement()).do(ALLIES, MoveMissile("Missile 1", "us"))
    assert p.state.crossed == 3


@pytest.mark.rule("hw-missile-2")
def test_missiles_are_lost_with_their_hex():
    p = Second()
    p.missile(AXIS, 1, "N9", 5, bombs=1)
    army = p.army("French First Army", "N8", mechanized=5)
    p.begin(ALLIES)
    p.state.mode, p.state.target = put(p.state.mode, army, LAND), put(p.state.target, army, at("N9"))
    enter(p.m, army, at("N9"))
    assert (p.state.missile_at[0], p.state.missiles[0], p.state.bombs[0]) == (-1, 0, 0)


@pytest.mark.rule("hw-missile-3")
def test_what_is_fired_is_used_up_and_the_rest_waits():
    p = Second()
    p.hold(AXIS, "O8")
    p.missile(AXIS, 1, "O8", 5)
    p.begin(AXIS, MissileLaunch()).dice(6)
    p.do(AXIS, Launch("Missile 1", 3, "allies", "industry"))
    assert p.state.missiles[0] == 2
    assert p.parked
    p.begin(AXIS, MissileLaunch()).do(AXIS, Done())
    assert p.state.missiles[0] == 2
    p.begin(AXIS, StrategicPhase()).dice(6)
    p.do(AXIS, Launch("Missile 1", 2, "allies", "industry"))
    assert p.state.missile_at[0] == -1


@pytest.mark.rule("hw-missile-4")
def test_each_counter_rolls_by_itself_and_reaches_two_hexes():
    p = Second()
    p.hold(AXIS, "O8", "N8")
    p.missile(AXIS, 1, "O8", 6)
    p.missile(AXIS, 2, "O8", 2)
    p.missile(AXIS, 3, "P11", 9)
    p.begin(AXIS, MissileLaunch()).dice(2, 1)
    assert not p.allows(AXIS, Launch("Missile 3", 1, "allies", "industry"))
    assert p.rule(AXIS, Launch("Missile 3", 1, "allies", "industry")) == "hw-missile-4"
    p.do(AXIS, Launch("Missile 1", 6, "allies", "industry"))
    places = {action.at for action in p.offered(Strike, AXIS)}
    assert {"P7", "N7"} <= places
    assert "R6" not in places
    p.do(AXIS, Strike("P7"), Strike("P7"), Launch("Missile 2", 2, "allies", "industry"), Strike("N7"))
    assert fires(p) == [("missiles", 6, 2), ("missiles", 2, 1)]
    assert (p.devastation("P7"), p.devastation("N7")) == (2, 1)


@pytest.mark.rule("hw-missile-5")
def test_missiles_against_morale_need_the_capital_in_range():
    p = Second()
    p.hold(AXIS, "M7", "O8")
    p.missile(AXIS, 1, "M7", 4)
    p.begin(AXIS, MissileLaunch())
    assert p.rule(AXIS, Launch("Missile 1", 4, "allies", "great_britain")) == "hw-missile-4"
    p.state.missile_at = put(p.state.missile_at, 0, at("O8"))
    p.begin(AXIS, MissileLaunch()).dice(1)
    p.do(AXIS, Launch("Missile 1", 4, "allies", "great_britain"))
    assert p.britain == 8
    assert p.state.devastated == {}


# ---- atomic bombs
@pytest.mark.rule("hw-abomb-1")
def test_atomic_bombs_are_built_at_level_six_into_bombers_or_missile_counters():
    p = Second()
    p.at_level(ALLIES, "atomic_bomb", 5).boxed(ALLIES, "bomber", 2)
    p.missile(ALLIES, 1, "P7", 1)
    produce(p, ALLIES, 10)
    assert not p.allows(ALLIES, Arm("bombers", 1))
    p.at_level(ALLIES, "atomic_bomb", 6)
    produce(p, ALLIES, 10).do(ALLIES, Arm("bombers", 2), Arm("Missile 1", 1))
    assert (p.state.bombs[11], p.state.bombs[6], p.state.budget) == (2, 1, 4)
    assert not p.allows(ALLIES, Arm("Missile 2", 1))
    p.boxed(ALLIES, "bomber", 0)
    produce(p, ALLIES, 10)
    assert not p.allows(ALLIES, Arm("bombers", 1))


def atomic_raid(p: Second, bombers: int, bombs: int) -> Second:
    p.boxed(ALLIES, "bomber", bombers)
    p.state.bombs = put(p.state.bombs, 11, bombs)
    return p


@pytest.mark.rule("hw-abomb-2")
def test_each_bomb_needs_a_bomber_of_its_own_and_is_used_up():
    p = atomic_raid(Second(), 1, 3)
    p.begin(ALLIES, StrategicPhase()).dice(6, 6)
    p.do(ALLIES, Bomb("axis", "industry"), Drop("bombers", "N10"))
    assert p.parked
    assert p.state.bombs[11] == 2
    p = atomic_raid(Second(), 3, 3)
    p.begin(ALLIES, StrategicPhase()).dice(6, 6, 6)
    p.do(ALLIES, Bomb("axis", "germany"), Drop("bombers", "N10"), Drop("bombers", "N10"), Done())
    assert p.state.bombs[11] == 1
    p.begin(ALLIES, StrategicPhase())
    p.do(ALLIES, Done())
    assert p.parked


@pytest.mark.rule("hw-abomb-2")
def test_a_missile_carries_one_bomb_and_only_when_it_is_fired():
    p = Second()
    p.hold(AXIS, "O8")
    p.missile(AXIS, 1, "O8", 2, bombs=2)
    p.begin(AXIS, StrategicPhase()).dice(6, 6)
    p.do(AXIS, Launch("Missile 1", 1, "allies", "industry"), Drop("Missile 1", "P7"))
    assert p.parked
    assert (p.state.bombs[0], p.state.missiles[0]) == (1, 1)


@pytest.mark.rule("hw-abomb-3")
@pytest.mark.parametrize(("bombers", "bombs", "left"), [(3, 2, 1), (5, 2, 2), (2, 2, 0), (4, 3, 2), (4, 9, 7)])
def test_bombers_without_bombs_fall_first_and_a_lost_carrier_loses_its_bomb(bombers, bombs, left):
    p = atomic_raid(Second(), bombers, bombs)
    p.boxed(AXIS, "air_defense", 4)
    p.begin(ALLIES, Bombing()).dice(1, 6)
    p.do(ALLIES, Bomb("axis", "germany"))
    assert p.box(ALLIES, "bomber") == bombers - 2
    assert p.state.bombs[11] == left


@pytest.mark.rule("hw-abomb-4")
def test_a_bomb_ruins_a_point_for_good_and_fires_with_six():
    p = atomic_raid(Second(), 1, 1)
    p.army("Army Group West", "O10", infantry=2, mechanized=2, tac_air=1)
    p.missile(AXIS, 1, "O10", 3)
    before = healthy(p.state, at("O10"))
    p.begin(ALLIES, StrategicPhase()).dice(6, 1)
    p.do(ALLIES, Bomb("axis", "germany"), Drop("bombers", "O10"))
    assert fires(p) == [("bombers", 1, 0), ("atomic-bomb", 6, 2)]
    assert healthy(p.state, at("O10")) == before - 1
    assert p.state.ruined[at("O10")] == 1
    assert p.devastation("O10") == 0
    assert p.asked == AXIS
    assert p.rule(AXIS, Lose("Missile 1", "missile")) == "hw-assault-7"
    p.do(AXIS, Lose("Army Group West", "infantry"), Lose("Army Group West", "mechanized"))
    assert p.strength("Army Group West") == {"infantry": 1, "mechanized": 1, "tac_air": 1}
    assert p.state.missiles[0] == 3


@pytest.mark.rule("hw-abomb-4")
def test_a_devastated_point_can_be_ruined_and_is_never_repaired():
    p = atomic_raid(Second(), 1, 1)
    points = capacity(p.state, at("O10"))
    p.devastate("O10", points)
    p.begin(ALLIES, StrategicPhase()).dice(6, 6)
    p.do(ALLIES, Bomb("axis", "germany"), Drop("bombers", "O10"))
    assert (p.devastation("O10"), p.state.ruined[at("O10")]) == (points - 1, 1)


@pytest.mark.rule("hw-abomb-4")
def test_bombs_stay_in_range():
    p = atomic_raid(Second(), 1, 1)
    p.hold_all("nobody", "france")
    p.begin(ALLIES, StrategicPhase()).dice(6)
    p.do(ALLIES, Bomb("axis", "industry"))
    assert p.rule(ALLIES, Drop("bombers", "Q13")) == "hw-abomb-4"


@pytest.mark.rule("hw-abomb-5")
def test_ordinary_damage_comes_before_the_bomb():
    p = atomic_raid(Second(), 10, 1)
    p.hold(ALLIES, "O8")
    p.missile(ALLIES, 1, "N8", 5)
    p.begin(ALLIES, StrategicPhase()).dice(5, 6, 6)
    p.do(ALLIES, Bomb("axis", "industry"))
    assert p.at_step == "Strikes"
    assert not p.allows(ALLIES, Drop("bombers", "O10"))
    p.do(ALLIES, Strike("O10"), Strike("O10"))
    assert p.at_step == "MissileLaunch"
    p.do(ALLIES, Launch("Missile 1", 5, "axis", "industry"))
    assert p.at_step == "AtomicStrikes"


@pytest.mark.rule("hw-abomb-6", "hw-morale-4")
def test_a_bomb_costs_four_morale_in_the_homeland_and_none_elsewhere():
    p = atomic_raid(Second(), 2, 2)
    p.hold(AXIS, "N7")
    p.begin(ALLIES, StrategicPhase()).dice(6, 6, 6)
    p.do(ALLIES, Bomb("axis", "industry"), Drop("bombers", "N7"))
    assert p.germany == 10
    p.do(ALLIES, Drop("bombers", "O10"))
    assert p.germany == 6
    p = Second()
    p.hold(AXIS, "O8")
    p.missile(AXIS, 1, "O8", 2, bombs=2)
    p.begin(AXIS, StrategicPhase()).dice(6, 6, 6)
    p.do(AXIS, Launch("Missile 1", 2, "allies", "industry"), Drop("Missile 1", "N7"), Drop("Missile 1", "P7"))
    assert p.britain == 6


@pytest.mark.rule("hw-bomb-2", "hw-abomb-2")
def test_without_a_target_in_range_only_atomic_bombs_are_worth_a_raid():
    p = Second()
    p.hold_all("nobody", "soviet_union")
    p.hold(SOVIET, "U18").hold(AXIS, "U19")
    p.boxed(SOVIET, "bomber", 3)
    p.begin(SOVIET, Bombing())
    assert p.parked
    p.state.bombs = put(p.state.bombs, 10, 1)
    p.begin(SOVIET, StrategicPhase()).dice(6, 6)
    p.do(SOVIET, Bomb("axis", "industry"), Drop("bombers", "U19"))
    assert p.parked


@pytest.mark.rule("hw-missile-2")
def test_missiles_without_supply_stay_like_armies():
    p = Second()
    p.hold_all(SOVIET, "rumania")
    p.hold_all(SOVIET, "hungary")
    p.hold(AXIS, "L13", "L14")
    p.devastate("L14", healthy(p.state, at("L14")))
    p.missile(AXIS, 1, "L13", 2)
    p.missile(AXIS, 2, "P10", 2)
    p.begin(AXIS, Movement())
    assert p.rule(AXIS, MoveMissile("Missile 1", "L14")) == "hw-unsupplied-3"
    assert p.allows(AXIS, MoveMissile("Missile 2", "Q10"))
    p.state.devastated = {}
    p.begin(AXIS, Movement())
    assert p.allows(AXIS, MoveMissile("Missile 1", "L14"))
