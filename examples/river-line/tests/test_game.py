"""The game keeps the contract of all games, and its rules."""

import pytest
from river_line.game import GAME, Lost, March, Orders, Rest, Storm

from sandtable.testing import Check, Position, contract


class River(Position):
    game = GAME


@pytest.mark.parametrize("check", contract(GAME), ids=str)
def test_the_game_keeps_the_contract(check: Check) -> None:
    check()


@pytest.fixture
def river() -> River:
    return River("crossing").run(Orders())


@pytest.mark.rule("rl-turn")
def test_the_sides_order_in_turn(river: River) -> None:
    river.do(Rest())
    assert river.match.asked == "south"
    assert river.rule("north", March("north-1", "Birch")) == "rl-turn"


@pytest.mark.rule("rl-order", "rl-march")
def test_own_companies_march_to_neighbouring_villages(river: River) -> None:
    assert river.rule("north", March("south-3", "Cedar")) == "rl-order"
    assert river.rule("north", March("north-1", "Cedar")) == "rl-march"
    river.do(March("north-3", "Cedar"))
    assert river.state.owner[2] == 0


@pytest.mark.rule("rl-storm", "rl-odds")
@pytest.mark.parametrize(("die", "lost"), [(4, "south-3"), (3, "north-3")])
def test_two_companies_beside_a_village_need_a_four(die: int, lost: str) -> None:
    river = River("crossing").dice(die).run(Orders())
    for action in (March("north-3", "Cedar"), Rest(), March("north-4", "Cedar"), Rest()):
        river.do(action)
    river.do(Storm("north-3", "Dogwood"))
    assert [event.company for event in river.happened(Lost)] == [lost]


@pytest.mark.rule("rl-victory")
def test_equal_villages_are_a_draw(river: River) -> None:
    for _ in range(16):
        river.do(Rest())
    assert river.match.outcome is not None
    assert river.match.outcome.winners == ()
