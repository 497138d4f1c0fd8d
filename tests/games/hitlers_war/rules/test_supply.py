"""Supply and isolation."""

import pytest

from sandtable.core.columns import put
from sandtable.games.hitlers_war.model.actions import Advance, Attack, DefensiveAssault, Done, Exploit, Invade
from sandtable.games.hitlers_war.model.places import FRANCE
from sandtable.games.hitlers_war.model.state import ITALY_AXIS, PEACE_ACCEPTED
from sandtable.games.hitlers_war.rules.combat_phase import CombatPhase
from sandtable.games.hitlers_war.rules.supply import Isolation, find_stuck, unsupplied
from sandtable.games.hitlers_war.rules.surrender import Fallen, MoraleGone
from tests.games.hitlers_war.positions import ALLIES, AXIS, SOVIET, Position, at, no


def pocket() -> Position:
    """Soviet P14 and P15 inside an Axis ring."""
    p = Position()
    p.hold(AXIS, "Q14", "Q15", "Q16", "P16", "O16", "O15", "O14", "P13")
    return p


@pytest.mark.rule("hw-supply-1")
def test_supply_is_an_unbroken_chain_to_a_healthy_point():
    p = pocket()
    assert {at("P14"), at("P15")} <= set(unsupplied(p.state, 1))
    p.hold(SOVIET, "P16")
    assert not {at("P14"), at("P15")} & set(unsupplied(p.state, 1))


@pytest.mark.rule("hw-supply-1")
def test_a_devastated_point_feeds_nobody():
    p = Position()
    p.hold(AXIS, "Q17")
    assert at("Q17") not in unsupplied(p.state, 0)
    p.devastate("Q17", 3)
    assert at("Q17") in unsupplied(p.state, 0)


@pytest.mark.rule("hw-supply-2")
def test_a_hex_with_a_healthy_point_is_always_supplied():
    p = Position()
    p.hold(AXIS, "M15", "M16", "M17", "N14", "N16", "O15", "O16", "M14", "N17")
    assert at("N15") not in unsupplied(p.state, 1)


@pytest.mark.rule("hw-supply-3")
def test_supply_crosses_straits_but_not_the_sea():
    p = Position()
    assert at("H10") not in unsupplied(p.state, 0)
    p.hold(SOVIET, "K9")
    assert at("K9") in unsupplied(p.state, 1)


@pytest.mark.rule("hw-unsupplied-1", "hw-unsupplied-2", "hw-control-2")
def test_isolated_hexes_defect_at_the_end_of_their_own_sides_combat_phase():
    p = pocket()
    p.army("White Russian", "P14", infantry=4)
    p.begin(AXIS, Isolation())
    assert p.owner("P14") == "soviet"
    p.begin(SOVIET, CombatPhase()).do(SOVIET, Done())
    assert p.owner("P14") == p.owner("P15") == "axis"
    assert p.where("White Russian") is None


@pytest.mark.rule("hw-unsupplied-3")
def test_an_unsupplied_army_still_fires_in_defence():
    p = pocket()
    p.army("White Russian", "P14", infantry=4)
    p.army("Fourth Army", "P13", infantry=5)
    find_stuck(p.state, 1)
    assert p.state.stuck[no("White Russian")] == 1
    p.begin(AXIS, CombatPhase()).dice(6)
    p.do(AXIS, Attack("Fourth Army", "P14"), Done())
    assert p.allows(SOVIET, DefensiveAssault("P14", ("White Russian",), 0))


@pytest.mark.rule("hw-unsupplied-2", "hw-control-2")
@pytest.mark.parametrize(("scenario", "hexes"), [("barbarossa", ("K9", "G8", "G14")), ("fall-of-germany", ("G14",))])
def test_land_that_nobody_has_cut_off_is_not_lost(scenario, hexes):
    p = Position(scenario)
    assert {at(x) for x in hexes} <= set(unsupplied(p.state, 0))
    p.begin(AXIS, Isolation())
    assert {p.owner(x) for x in hexes} == {AXIS}


@pytest.mark.rule("hw-unsupplied-2", "hw-italy-5")
def test_an_island_is_lost_when_a_sea_that_could_feed_it_is_closed():
    p = Position("campaign-1").hold_all(AXIS, "france")
    p.columns(italy=ITALY_AXIS, surrendered=put(p.state.surrendered, FRANCE, 1))
    p.begin(ALLIES, Isolation())
    assert p.owner("G11") == ALLIES
    p.hold(AXIS, "H4").begin(ALLIES, Isolation())
    assert p.owner("G11") == AXIS


# ---- Sea Lion
def sea_lion(p: Position) -> Position:
    """An army lands at London and goes on to the Midlands."""
    p.hold_all(AXIS, "france").hold_all(AXIS, "low_countries")
    p.columns(fort={})
    p.army("OKW", "O8", mechanized=5, amphibious=5)
    p.begin(AXIS, CombatPhase())
    p.do(AXIS, Invade("OKW", "P7", ("O8", "P7")), Done())
    while p.at_step != "Advances":
        p.do(p.asked, Done())
    p.dice(1, 1).do(AXIS, Advance("OKW", 0), Exploit("OKW", "Q7"))
    while p.asked == AXIS and p.at_step != "Exploitation":
        p.do(AXIS, Done())
    assert p.where("OKW") == "Q7"
    return p


@pytest.mark.rule("hw-surr-britain-1", "hw-unsupplied-2")
def test_britain_surrenders_to_a_landing_and_stays_beaten():
    p = sea_lion(Position("campaign-1"))
    p.do(AXIS, Done())
    for x in ("P7", "Q7", "R6", "U7"):
        assert p.owner(x) == AXIS
    assert p.strength("OKW") == {"mechanized": 5, "amphibious": 5}
    p.begin(AXIS, CombatPhase()).do(AXIS, Done())
    assert p.owner("P7") == AXIS
    find_stuck(p.state, 0)
    assert p.state.stuck[no("OKW")]


@pytest.mark.rule("hw-unsupplied-2")
def test_a_landing_that_does_not_beat_britain_is_cut_off():
    p = Position("campaign-1").hold(AXIS, "P7").devastate("P7", 4)
    p.army("OKW", "P7", mechanized=5)
    p.begin(AXIS, CombatPhase()).do(AXIS, Done())
    assert (p.owner("P7"), p.where("OKW")) == (ALLIES, None)


@pytest.mark.rule("hw-morale-7", "hw-unsupplied-2")
def test_a_britain_bombed_into_surrender_is_not_handed_on():
    p = Position("campaign-2")
    p.columns(morale=(10, 0)).begin(AXIS, MoraleGone())
    assert p.owner("P7") == AXIS
    p.begin(AXIS, CombatPhase()).do(AXIS, Done())
    assert p.owner("P7") == p.owner("Q7") == AXIS


@pytest.mark.rule("hw-surr-other-2", "hw-unsupplied-2")
def test_norway_stays_conquered_and_its_conquerors_are_fed_over_the_baltic():
    p = Position("campaign-1").hold(AXIS, "T10")
    p.army("OKW", "T10", mechanized=5)
    p.run(Fallen(at("T10"), 0))
    p.begin(AXIS, CombatPhase()).do(AXIS, Done())
    assert p.owner("T10") == p.owner("U9") == AXIS
    assert at("T10") not in unsupplied(p.state, 0)


@pytest.mark.rule("hw-surr-soviet-3", "hw-unsupplied-2")
def test_after_an_accepted_peace_neither_side_loses_cut_off_hexes_to_the_other():
    p = pocket()
    p.columns(peace=PEACE_ACCEPTED).begin(SOVIET, Isolation())
    assert p.owner("P14") == SOVIET
    p = Position("campaign-1").hold(AXIS, "Q18")
    p.columns(peace=PEACE_ACCEPTED).begin(AXIS, Isolation())
    assert p.owner("Q18") == AXIS
