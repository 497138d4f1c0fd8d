"""Plans in words, in both languages."""

import pytest

from sandtable.players.search import USUAL, Outline, Plan
from sandtable.players.words import tell
from tests.demo.game import GAME

BOLD = Plan(dials=(("bold", 1.0),))


def test_a_plan_says_its_main_effort_what_it_holds_and_its_risk():
    plan = Plan("north", 2.0, ("home", "port"), ("south",), "ships", (("bold", 1.0),))
    told = tell(Outline(plan, 0.62, 0.5, BOLD, 12, "bold", "bold", 0.62), GAME.texts("en"))
    assert told.says == (
        "Main effort: north. Hold home, port before anything else. Give up south. Build more: ships. Take risks."
    )
    assert told.risk == "Risk: if the enemy answers boldly, the outlook falls by 12 points."
    assert told.chance == pytest.approx(0.62)


def test_the_usual_way_and_no_risk():
    told = tell(Outline(USUAL, 0.5, 0.49, USUAL, 3), GAME.texts("de"))
    assert told.says == "Weiter wie bisher."
    assert told.risk == ""
    assert told.chance is None


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("build", ["infantry", "armour", "air", "ships"])
def test_every_build_has_a_name(build, language):
    told = tell(Outline(Plan(build=build), 0.5, 0.5, USUAL, 1), GAME.texts(language))
    assert f"build.{build}" not in told.says
    assert "plan." not in told.says
