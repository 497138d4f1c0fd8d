"""The players' quick odds are the game's odds: compared with every way the dice can fall."""

from itertools import product

import pytest

from sandtable.games.hitlers_war.model.atlas import ADVANCE, FIREPOWER
from sandtable.games.hitlers_war.players import chances


@pytest.mark.parametrize("strength", range(1, 11))
@pytest.mark.parametrize("added", [-1, 0, 1, 4])
def test_fire(strength, added):
    counted = [0.0] * 5
    for die in range(1, 7):
        counted[FIREPOWER[min(7, max(1, die + added))][strength]] += 1 / 6
    assert chances.fire(strength, added) == pytest.approx(counted)


@pytest.mark.parametrize(("punch", "held", "fires", "added", "absorbs"), [
    (8, 4, ((10, 0),), 0, 0), (8, 10, ((10, 0), (10, 0), (7, 0)), 0, 0), (6, 3, ((4, 2),), 3, 1), (10, 9, (), 0, 0),
])  # fmt: skip
def test_breach(punch, held, fires, added, absorbs):
    total = 0.0
    for dice in product(range(1, 7), repeat=len(fires) + 1):
        shot = sum(FIREPOWER[min(7, die + more)][points] for die, (points, more) in zip(dice, fires, strict=False))
        left = max(0, held - max(0, shot - absorbs))
        needed = ADVANCE[punch][left]
        total += needed > 0 and dice[-1] + added <= needed
    assert chances.breach(punch, held, fires, added, absorbs) == pytest.approx(total / 6 ** (len(fires) + 1))


def test_nothing_enters_against_ten():
    assert chances.advance(10, 10) == 0
    assert chances.advance(8, 1) == 1
