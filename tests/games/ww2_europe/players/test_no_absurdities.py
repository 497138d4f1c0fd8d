"""Over a played match: no capital is left without a garrison, and the money goes where the war is decided."""

import pytest

from sandtable.core import Match
from sandtable.core.position import set_up
from sandtable.games import find
from sandtable.games.ww2_europe.facts.control import control_side
from sandtable.games.ww2_europe.facts.whereabouts import ground_of_side
from sandtable.games.ww2_europe.model.actions import Buy, Done, RepairShip
from sandtable.games.ww2_europe.model.atlas import ATLAS, NEUTRAL
from sandtable.games.ww2_europe.model.state import AT_WAR
from sandtable.games.ww2_europe.players.choices import may
from sandtable.lab.chronicles import Diary
from sandtable.players import Budget, make

GAME = find("ww2-europe")
SEASONS = 4


def test_colonels_man_their_capitals_and_buy_what_they_need():
    """Moscow is held by infantry and planes, not by guns and tanks; Britain's money goes into bombers, not nowhere."""
    match = Match.new(GAME, "spring-1941", {}, seed="absurd/1", history=False)
    players = {role: make("colonel", GAME, f"1/{role}") for role in GAME.roles_in("spring-1941")}
    bought: dict[str, dict[str, int]] = {}
    empty, turn = [], match.state.turn
    while not match.over and match.state.turn < SEASONS:
        role = match.decisions()[0]
        action = players[role].decide(match.view(role), match.offers(role), Budget())
        if isinstance(action, Buy):
            kinds = bought.setdefault(role, {})
            kinds[action.kind] = kinds.get(action.kind, 0) + 1
        match.apply(role, action)
        if match.state.turn != turn:
            turn, state = match.state.turn, match.state
            for power in range(NEUTRAL):
                capital, side = ATLAS.capital[power], ATLAS.side[power]
                held = state.status[power] == AT_WAR and control_side(state, capital) == side
                if held and not ground_of_side(state, capital, side):
                    empty.append((turn, ATLAS.names[capital]))
    assert match.state.turn >= SEASONS
    assert empty == []
    assert set(bought["ussr"]) <= {"infantry", "tac_bomber"}
    assert bought["great_britain"].get("bomber", 0) >= 2


@pytest.mark.parametrize(
    ("scenario", "seed"), [("spring-1941", 1), ("spring-1941", 2), ("spring-1941", 4), ("fall-1939", 1)]
)
def test_generals_do_nothing_absurd_in_a_whole_match(scenario, seed):
    """By the chronicle: convoys sail and are escorted, the Americans cross and give, no capital is left or open."""
    match = Match.new(GAME, scenario, {}, seed=f"absurd/{seed}", history=False)
    players = {role: make("general", GAME, f"{seed}/{role}") for role in match.roles}
    diary = Diary(GAME, match)
    while not match.over:
        role, before = match.decisions()[0], diary.before(match.state)
        action = players[role].decide(match.view(role), match.offers(role), Budget(tries=1))
        match.apply(role, action)
        diary.after(before, role, action, match.state)
    assert diary.blunders == {}


def test_a_recruit_orders_no_repairs_that_may_be_too_dear():
    """Such a repair takes all the money and may mend nothing."""
    words = {
        "scenario": "spring-1941",
        "empty": True,
        "money": {"great_britain": 4},
        "unit": [{"power": "great_britain", "kind": "battleship", "at": "london_port", "damage": 1}],
        "steps": [{"step": "purchases", "side": 1}, {"step": "end-turn"}, {"step": "turn"}],
    }
    match = set_up(GAME, words, "1")
    assert match.asked == "great_britain"
    assert may(match.offers("great_britain"), RepairShip)
    action = make("recruit", GAME, 1).decide(match.view("great_britain"), match.offers("great_britain"), Budget())
    assert isinstance(action, Done)
