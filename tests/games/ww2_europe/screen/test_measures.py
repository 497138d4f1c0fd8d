"""What the laboratory draws: numbers by side, and where battles were fought."""

from __future__ import annotations

from random import Random

from sandtable.core import Match
from sandtable.core.columns import put
from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.model.atlas import ATLAS as A
from sandtable.games.ww2_europe.model.events import BattleBegan, PhaseBegan
from sandtable.games.ww2_europe.model.state import OUT
from sandtable.testing import random_play
from tests.games.ww2_europe.war import War

K = A.kinds


def test_measures_count_what_is_on_the_board():
    war = War("spring 1942", neutral=("usa",))
    before = GAME.measures(war.state)
    war.put("germany", "tank", "berlin")
    war.put("great_britain", "destroyer", "london_port")
    war.put("great_britain", "fighter", "london")
    after = GAME.measures(war.state)
    assert after["strength.axis"] - before["strength.axis"] == K.cost[K.tank]
    assert after["ships.allies"] - before["ships.allies"] == K.cost[K.destroyer]
    assert after["air.allies"] - before["air.allies"] == K.cost[K.fighter]
    war.own("great_britain", "berlin")
    taken = GAME.measures(war.state)
    assert after["territory.axis"] - taken["territory.axis"] == 1
    assert taken["income.allies"] - after["income.allies"] == A.value[A.index["berlin"]] > 0
    assert after["flags.axis"] - taken["flags.axis"] == 1
    war.state.damaged = put(war.state.damaged, A.index["berlin"], 1)
    assert GAME.measures(war.state)["income.allies"] == after["income.allies"]


def test_a_power_that_is_out_adds_nothing():
    war = War("spring 1942")
    before = GAME.measures(war.state)
    war.state.status = put(war.state.status, A.italy, OUT)
    after = GAME.measures(war.state)
    assert after["territory.axis"] == before["territory.axis"] - war.state.owner.count(A.italy)


def test_measures_are_numbers_of_the_same_names_all_the_time():
    match = Match.new(GAME, "spring-1941", seed=4, history=False)
    names = set(GAME.measures(match.state))
    assert all(isinstance(value, float) for value in GAME.measures(match.state).values())
    random_play(match, Random(4), most=120)
    assert set(GAME.measures(match.state)) == names
    assert GAME.turn(match.state).split()[1] in ("1941", "1942")


def test_where_a_battle_was_fought():
    began = BattleBegan(space="@berlin", side="@axis", stage="@stage-land", attackers=(), defenders=())
    assert GAME.battle_place(began) == "berlin"
    convoy = BattleBegan(space="convoy 4", side="@axis", stage="@stage-raid", attackers=(), defenders=())
    assert GAME.battle_place(convoy) is None
    assert GAME.battle_place(PhaseBegan(phase="@phase-combat")) is None
