"""What lies on the desk of Campaign Game II: weapons that need a place or a carrier, and partisans."""

import pytest

from sandtable.core import LANGUAGES
from sandtable.core.table import DeskItem
from sandtable.games.hitlers_war.model.actions import BuildMissile, Partisans
from sandtable.games.hitlers_war.rules.production_phase import Production
from sandtable.testing.contracts import check_desk
from tests.games.hitlers_war.positions import ALLIES, AXIS
from tests.games.hitlers_war.positions_naval import Second


def items(p: Second, side: str, money: int, language: str = "en") -> dict[str, DeskItem]:
    """What the side can order with so much money, by the words of the action."""
    p.begin(side, Production())
    p.money(money)
    check_desk(p.match, side)
    desk = p.match.table(side, language).desk
    assert desk is not None
    return {" ".join(str(value) for value in item.action.values()): item for item in desk.items}


@pytest.mark.parametrize("language", LANGUAGES)
def test_missiles_and_atomic_bombs_lie_on_the_desk_once_they_can_be_built(language: str):
    p = Second()
    assert not {"build-missile", "arm Missile 1", "arm bombers"} & set(items(p, AXIS, 60))
    p.at_level(AXIS, "missile", 4).at_level(AXIS, "atomic_bomb", 6)
    found = items(p, AXIS, 60, language)
    assert "build-missile" in found
    assert not {"arm Missile 1", "arm bombers"} & set(found), "nothing carries a bomb"
    p.do(AXIS, BuildMissile("Missile 1", "P10", 2))
    p.boxed(AXIS, "bomber", 1)
    found = items(p, AXIS, 60, language)
    assert {"arm Missile 1", "arm bombers"} <= set(found)
    assert "arm Missile 2" not in found
    for name in ("build-missile", "arm Missile 1", "arm bombers"):
        assert found[name].picture is not None
        assert found[name].price > 0
        assert found[name].title
        assert "{" not in found[name].title + found[name].arrives
    assert (found["build-missile"].number, found["arm bombers"].number) == ("", "number")


def test_what_is_armed_at_the_desk_is_accepted_and_paid():
    p = Second()
    p.at_level(ALLIES, "atomic_bomb", 6).boxed(ALLIES, "bomber", 2)
    item = items(p, ALLIES, 60)["arm bombers"]
    action = p.match.parse({**item.action, item.number: 2})
    assert p.match.why_not(ALLIES, action) is None
    p.do(ALLIES, action)
    assert p.state.budget == 60 - 2 * item.price


def test_partisans_lie_on_the_desk_of_those_who_can_call_them():
    p = Second()
    p.hold(AXIS, "N7", "P14")
    assert "partisans" not in items(p, AXIS, 20)
    item = items(p, ALLIES, 20)["partisans"]
    assert item.arrives.split()[5] == str(len(p.offered(Partisans, ALLIES)))
    assert "partisans" not in items(p, ALLIES, int(item.price) - 1)
