"""Exact odds: every preview against the table it comes from, and against the dice."""

import itertools

import pytest

from sandtable.games.munich_war.game import GAME
from sandtable.games.munich_war.model.actions import Bomb, Done, Intercept, Support
from sandtable.games.munich_war.model.atlas import ALLIES, ATLAS, AXIS
from sandtable.games.munich_war.model.events import Fought
from sandtable.games.munich_war.rules.air_phase import AirIntercept
from sandtable.games.munich_war.rules.combat import concentric_shift
from sandtable.games.munich_war.rules.combat_phase import Combat
from sandtable.games.munich_war.rules.terror_phase import TerrorBombing
from tests.games.munich_war.positions import Position, at, attack, unit


def declared() -> Position:
    war = Position().put("GE-01", "2613").put("GE-16", "2613").put("CZ-F1", "2614").put("CZ-2L1", "2614")
    war.put("GE-AB", "available").put("GE-L1", "2614").phase(Combat(AXIS))
    war.do(attack("2614", "GE-01", "GE-16"))
    return war


def chances(odds) -> dict[str, float]:
    assert odds is not None
    found: dict[str, float] = {}
    for result in odds.results:
        found[result.name] = found.get(result.name, 0.0) + result.probability
    return found


@pytest.mark.parametrize("support", [("", "", ""), ("GE-L1", "", ""), ("", "", "GE-AB"), ("GE-L1", "", "GE-AB")])
def test_a_previewed_attack_is_what_the_dice_do(support):
    """All dice of special forces and battle, one by one, give just the distribution that was shown."""
    odds = declared().match.preview("axis", Support(*support))
    seen: dict[str, float] = {}
    rolls = list(itertools.product(range(1, 7), repeat=2)) if support[2] else [(die,) for die in range(1, 7)]
    for dice in rolls:
        war = declared()
        events = war.dice(*dice).do(Support(*support))
        (fought,) = [event for event in events if isinstance(event, Fought)]
        key = f"result.{fought.result}"
        seen[key] = seen.get(key, 0.0) + 1 / len(rolls)
    assert chances(odds) == pytest.approx(seen)
    assert odds is not None
    assert sum(chances(odds).values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("units", "success", "column"),
    [(("GE-04", "GE-11"), 4 / 6, "200-299"), (("GE-04", "GE-09"), 5 / 6, "300-399"),
     (("GE-04", "GE-11", "GE-09"), 1, "500-599")],
)  # fmt: skip
def test_success_is_that_nobody_is_left(units, success, column):
    """A defender of one step also dies of results that only reduce it."""
    war = Position().put("GE-04", "2513").put("GE-11", "2513").put("GE-09", "2414").put("CZ-2L1", "2514")
    odds = war.phase(Combat(AXIS)).match.preview("axis", attack("2514", *units))
    assert odds is not None
    assert odds.success == pytest.approx(success)
    assert odds.basis.endswith(f"column={column}")
    assert (odds.whose, odds.aim) == ("@axis", "aim.empty-hex")


@pytest.mark.parametrize(
    ("support", "success"),
    [(("", "", ""), 0), (("GE-L1", "", ""), 1 / 6), (("", "", "GE-AB"), 5 / 9), (("GE-L1", "", "GE-AB"), 13 / 18)],
)
def test_a_fort_never_retreats(support, success):
    """Results that only make the defender retreat leave the fort where it is."""
    war = fortress()
    war.do(attack("2614", "GE-02", "GE-03", "GE-04", "GE-11"))
    odds = war.match.preview("axis", Support(*support))
    assert odds is not None
    assert odds.success == pytest.approx(success)


def test_an_attack_counts_the_airstrike_that_is_there():
    """The declaration cannot be taken back, so its odds are those of the support that is sure to come."""
    war = fortress()
    odds = war.match.preview("axis", attack("2614", "GE-02", "GE-03", "GE-04", "GE-11"))
    assert odds is not None
    assert odds.success == pytest.approx(1 / 6)
    assert "air" in {part.name for part in odds.modifiers}


def test_a_neutral_is_attacked_as_it_stands_once_war_is_declared():
    """While Belgium is neutral its army could go nowhere, which would count as surrounded; in the war it can."""
    war = Position().put("GE-01", "1712").put("BE-A", "1612").phase(Combat(AXIS))
    assert concentric_shift(war.m, at("1612"), [unit("GE-01")], [unit("BE-A")]).value == 1
    odds = war.match.preview("axis", attack("1612", "GE-01"))
    assert odds is not None
    assert {part.name: part.value for part in odds.modifiers} == {"river": -1}
    seen: dict[str, float] = {}
    for die in range(1, 7):
        again = Position().put("GE-01", "1712").put("BE-A", "1612").phase(Combat(AXIS)).dice(die)
        (fought,) = [event for event in again.do(attack("1612", "GE-01")) if isinstance(event, Fought)]
        seen[f"result.{fought.result}"] = seen.get(f"result.{fought.result}", 0.0) + 1 / 6
    assert chances(odds) == pytest.approx(seen)


def fortress() -> Position:
    """A corps or two on three sides of a fort, an airstrike over it, special forces ready."""
    war = Position().put("GE-02", "2713").put("GE-03", "2613").put("GE-04", "2513").put("GE-11", "2513")
    return war.put("CZ-F1", "2614").put("GE-L1", "2614").put("GE-AB", "available").phase(Combat(AXIS))


def test_shifts_are_named_in_the_preview():
    odds = declared().match.preview("axis", Support("GE-L1", "", ""))
    assert odds is not None
    assert {part.name: part.value for part in odds.modifiers} == {"terrain": -2, "air": 2}
    assert odds.expected_losses["axis"] > 0


def test_terror_bombing():
    war = Position().put("GE-L1", "2515").phase(TerrorBombing(AXIS))
    odds = war.match.preview("axis", Bomb("GE-L1", "city"))
    assert chances(odds) == pytest.approx({"terror.Defiance": 1 / 6, "terror.Flak": 1 / 6, "terror.-": 1 / 6,
                                           "terror.Terror": 1 / 2})  # fmt: skip
    assert odds is not None
    assert odds.success == pytest.approx(1 / 2)
    assert odds.expected_losses == pytest.approx({"axis": 1 / 6, "allies": 0})


def test_interception():
    war = Position().put("GE-L1", "3013").put("PL-A1", "available").phase(AirIntercept(ALLIES), AXIS)
    odds = war.match.preview("allies", Intercept("PL-A1", "3212", "3013"))
    assert chances(odds) == pytest.approx(
        {"interception.AE": 1 / 6, "interception.AL": 2 / 6, "interception.ML": 1 / 6, "interception.DB": 1 / 6,
         "interception.DL": 1 / 6}
    )  # fmt: skip
    assert odds is not None
    assert odds.success == pytest.approx(1 / 2)


def test_every_name_in_the_odds_has_words():
    for language in ("en", "de"):
        texts = GAME.texts(language)
        for name in {result for row in ATLAS.terror[1:] for result in row}:
            assert f"terror.{name}" in texts
        for name in {result for row in ATLAS.interception[1:] for result in row}:
            assert f"interception.{name}" in texts


def test_what_rolls_no_die_has_no_odds():
    war = declared()
    assert GAME.preview(war.m, "axis", Done()) is None
