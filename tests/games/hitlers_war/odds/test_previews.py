"""Exact odds: they add up to one and agree with the tables."""

import pytest

from sandtable.games.hitlers_war.game import GAME
from sandtable.games.hitlers_war.model.actions import Advance, Assault, Attack, DefensiveAssault, Done
from sandtable.games.hitlers_war.odds.chances import both, one_fire
from sandtable.games.hitlers_war.rules.combat_phase import CombatPhase
from tests.games.hitlers_war.positions import AXIS, SOVIET, Position

CENTER = "Army Group Center"


def smolensk() -> Position:
    p = Position()
    p.hold(AXIS, "Q15")
    p.army(CENTER, "Q15", infantry=2, mechanized=8)
    p.army("Western", "Q16", infantry=5, mechanized=1)
    return p.begin(AXIS, CombatPhase())


def test_the_chance_of_an_advance_before_and_after_the_assault():
    p = smolensk()
    attack = p.match.preview(AXIS, Attack(CENTER, "Q16"))
    assert attack is not None
    assert attack.success == pytest.approx(2 / 6)
    p.do(AXIS, Attack(CENTER, "Q16"), Done())
    fire = p.match.preview(SOVIET, DefensiveAssault("Q16", ("Western",), 0))
    assert fire is not None
    assert [(r.losses["axis"], round(r.probability * 6)) for r in fire.results] == [(1, 3), (2, 3)]
    p.do(SOVIET, Done())
    assault = p.match.preview(AXIS, Assault("Q15", "Q16", (CENTER,), 0))
    assert assault is not None
    assert [(r.losses["soviet"], round(r.probability * 6)) for r in assault.results] == [(2, 2), (3, 2), (4, 2)]
    assert assault.expected_losses["soviet"] == pytest.approx(3)
    p.do(AXIS, Done())
    advance = p.match.preview(AXIS, Advance(CENTER, 0))
    assert advance is not None
    assert advance.success == pytest.approx(2 / 6)


def test_forts_and_small_targets_cut_the_losses():
    p = Position("fall-of-germany")
    p.fort("Q15", 1)
    p.army("Western", "Q16", infantry=10)
    p.begin(SOVIET, CombatPhase()).do(SOVIET, Attack("Western", "Q15"), Done()).do(AXIS, Done())
    odds = p.match.preview(SOVIET, Assault("Q16", "Q15", ("Western",), 0))
    assert odds is not None
    assert [r.losses["axis"] for r in odds.results] == [1, 2]
    assert sum(r.probability for r in odds.results) == pytest.approx(1)


def test_spreads_are_whole():
    for strength in range(1, 35):
        spread = one_fire(strength, 0, capped=False)
        assert sum(spread.values()) == 1
    assert sum(both(one_fire(6, 1, capped=True), one_fire(9, 0, capped=True)).values()) == 1


def test_every_word_of_the_odds_has_a_sentence():
    p = smolensk()
    odds = p.match.preview(AXIS, Attack(CENTER, "Q16"))
    assert odds is not None
    for language in ("en", "de"):
        texts = GAME.texts(language)
        assert odds.title in texts
        assert all(result.name in texts for result in odds.results)
        for name in ("winter", "morale", "leader", "fatigue", "mountain", "italian"):
            assert f"modifier.{name}" in texts
