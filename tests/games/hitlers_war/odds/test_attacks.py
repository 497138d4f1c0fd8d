"""The odds of a whole attack before it is named: the defender's fire, the assaults and the advances."""

from __future__ import annotations

import pytest

from sandtable.core import Match
from sandtable.games.hitlers_war.model.actions import Attack, Invade
from sandtable.games.hitlers_war.odds.attack import attack_odds
from sandtable.games.hitlers_war.rules.attacks_phase import Announce
from sandtable.odds.shown import shown
from tests.games.hitlers_war.positions import ALLIES, AXIS, Position

CENTER, FOURTH, NORTH = "Army Group Center", "Fourth Army", "Army Group North"


def named(*armies: tuple[str, str, int, int], hold: tuple[str, ...] = (), also: tuple[Attack, ...] = ()) -> Position:
    """Armies (name, hex, infantry, mechanized) where the Axis names its attacks."""
    p = Position()
    for army in armies:
        p.army(*army)
    p.hold(AXIS, *hold).begin(AXIS, Announce())
    for attack in also:
        p.do(AXIS, attack)
    return p


MINSK = Attack(CENTER, "P14")
VITEBSK = Attack(CENTER, "Q15")
MOSCOW = Attack(CENTER, "Q17")
CASES = [
    (named((CENTER, "O14", 0, 10), ("Western", "P14", 3, 1)), MINSK, 0.9954, 1),
    (named((CENTER, "P14", 2, 8), ("Western", "Q15", 5, 1), hold=("P14",)), VITEBSK, 0.75, 2 / 6),
    (named(("Rumanian Army", "L14", 6, 0)), Attack("Rumanian Army", "L15"), 2 / 6, 0),
    (
        named(
            (CENTER, "Q16", 0, 8), (FOURTH, "P16", 9, 0), (NORTH, "R16", 5, 0), ("Moscow", "Q17", 5, 3),
            ("Western", "P17", 3, 1), hold=("Q16", "P16", "R16"), also=(Attack(FOURTH, "Q17"), Attack(NORTH, "Q17")),
        ),
        MOSCOW, 0.8801, 0,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("position", "action", "success", "bare"), CASES)
def test_fire_and_assault_are_counted(position: Position, action: Attack, success: float, bare: float) -> None:
    """The chance of a bare advance is something else, mostly far off."""
    odds = shown(position.match, AXIS, action)
    assert odds is not None
    assert odds.success == pytest.approx(success, abs=1e-4)
    assert (odds.whose, odds.mine, odds.aim) == ("@axis", True, "aim.take")
    preview = position.match.preview(AXIS, action)
    assert preview is not None
    assert preview.success == pytest.approx(bare)


def test_attacks_elsewhere_are_left_aside() -> None:
    armies = (CENTER, "O14", 0, 10), (FOURTH, "P13", 5, 0), ("Western", "P14", 3, 1)
    alone = attack_odds(named(*armies).match, MINSK)
    beside = attack_odds(named(*armies, also=(Attack(FOURTH, "Q14"),)).match, MINSK)
    assert alone == beside


def test_an_own_hex_has_no_enemy_strength() -> None:
    p = named((CENTER, "O14", 0, 10), hold=("P14",))
    odds = shown(p.match, AXIS, MINSK)
    assert odds is not None
    assert (odds.aim, odds.basis) == ("aim.enter", "basis.friendly?needed=9")


def test_a_landing_has_odds() -> None:
    """Five landing points with five others behind them against a garrison alone: it cannot fail."""
    p = Position("fall-of-germany")
    p.army("Britain", "P7", infantry=3, mechanized=2, amphibious=5)
    p.begin(ALLIES, Announce())
    landing = next(a for a in p.match.offers(ALLIES) if isinstance(a, Invade) and a.target == "O7")
    odds = shown(p.match, ALLIES, landing)
    assert odds is not None
    assert odds.success == pytest.approx(1)


def test_nothing_is_rolled_or_changed() -> None:
    position, action, *_ = CASES[1]
    match: Match = position.match
    before = match.digest()
    attack_odds(match, action)
    assert match.digest() == before
