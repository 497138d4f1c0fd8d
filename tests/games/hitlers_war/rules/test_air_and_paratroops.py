"""Campaign Game II: tactical air power, air superiority, paratroops, partisans."""

import pytest

from sandtable.core.columns import having, lacking, put
from sandtable.games.hitlers_war.model.actions import (
    Advance,
    Assault,
    Attack,
    Build,
    DefensiveAssault,
    Detach,
    Done,
    Exploit,
    Lose,
    Partisans,
    Repair,
    Retreat,
    Transfer,
)
from sandtable.games.hitlers_war.model.events import Fired, Repulsed
from sandtable.games.hitlers_war.model.state import INVASION, set_points
from sandtable.games.hitlers_war.rules.advance import chance
from sandtable.games.hitlers_war.rules.advance_phase import Advances
from sandtable.games.hitlers_war.rules.assault import air_commitment
from sandtable.games.hitlers_war.rules.assault_phase import Assaults, DefensiveAssaults
from sandtable.games.hitlers_war.rules.combat_phase import CombatPhase
from sandtable.games.hitlers_war.rules.control import defence
from sandtable.games.hitlers_war.rules.invasion_phase import CoastalFires, InvasionOver
from sandtable.games.hitlers_war.rules.movement_phase import Movement
from sandtable.games.hitlers_war.rules.production_phase import Production, ProductionPhase
from tests.games.hitlers_war.positions import ALLIES, AXIS, SOVIET, Position, at, no
from tests.games.hitlers_war.positions_naval import Second

FRENCH = "French First Army"


def fires(p: Position) -> list[tuple[int, int]]:
    return [(event.strength, event.losses) for event in p.happened(Fired)]


def duel(attack: dict[str, int], defend: dict[str, int]) -> Second:
    """Army Group West in N9 attacks the French First Army in N8."""
    p = Second()
    p.state.fort = lacking(p.state.fort, at("N8"))
    p.army("Army Group West", "N9", **attack)
    p.army(FRENCH, "N8", **defend)
    p.begin(AXIS, CombatPhase())
    p.do(AXIS, Attack("Army Group West", "N8"), Done())
    return p


# ---- tac air
@pytest.mark.rule("hw-tac-1")
def test_tac_air_is_built_into_armies():
    p = Second()
    p.begin(AXIS, Production())
    p.money(6).do(AXIS, Build("tac_air", "P10", "OKW", 2))
    assert (p.strength("OKW"), p.state.budget) == ({"tac_air": 2}, 0)
    first = Position("campaign-1")
    first.begin(AXIS, Production())
    first.state.budget = 20
    assert not first.allows(AXIS, Build("tac_air", "P10", "OKW", 1))


@pytest.mark.rule("hw-tac-2")
def test_tac_air_does_not_count_against_the_ten_points_of_a_hex():
    p = Second()
    p.army("OKW", "P10", infantry=10, tac_air=12)
    p.begin(AXIS, Movement()).do(AXIS, Done())
    assert p.parked
    p.begin(AXIS, Production())
    p.money(30)
    assert p.rule(AXIS, Build("infantry", "P10", "OKW", 1)) == "hw-build-5"
    p.do(AXIS, Build("tac_air", "P10", "OKW", 10))
    assert p.strength("OKW") == {"infantry": 10, "tac_air": 22}


@pytest.mark.rule("hw-tac-3")
def test_tac_air_neither_advances_nor_holds_a_hex():
    p = duel({"mechanized": 3, "tac_air": 5}, {"infantry": 2, "tac_air": 4})
    assert defence(p.state, at("N8")) == 2
    assert chance(p.state, no("Army Group West"), at("N8")).strength == 3


@pytest.mark.rule("hw-air-1", "hw-air-3")
def test_an_assault_is_an_air_attack_and_then_fire_on_the_ground():
    p = duel({"infantry": 6, "tac_air": 12}, {"infantry": 4, "tac_air": 4})
    p.do(ALLIES, Done()).dice(1, 1, 1)
    p.do(AXIS, Assault("N9", "N8", ("Army Group West",), 12))
    assert fires(p) == [(10, 4), (2, 1), (6, 2)]
    assert p.strength(FRENCH) == {"infantry": 2}
    assert "losses" not in p.verbs(ALLIES)


@pytest.mark.rule("hw-air-2")
@pytest.mark.parametrize(("own", "enemy", "least", "most"), [(2, 3, 2, 2), (3, 3, 3, 3), (5, 3, 3, 5), (4, 0, 0, 0)])
def test_how_much_tac_air_must_fight_in_the_air(own, enemy, least, most):
    numbers = air_commitment(own, enemy)
    assert (numbers.least, numbers.most) == (least, most)


@pytest.mark.rule("hw-air-2")
def test_the_commitment_is_asked_of_the_attacker():
    p = duel({"infantry": 3, "tac_air": 5}, {"infantry": 4, "tac_air": 3})
    p.do(ALLIES, Done())
    assert not p.allows(AXIS, Assault("N9", "N8", ("Army Group West",), 2))
    assert p.allows(AXIS, Assault("N9", "N8", ("Army Group West",), 3))
    assert p.allows(AXIS, Assault("N9", "N8", ("Army Group West",), 5))


@pytest.mark.rule("hw-air-4")
def test_air_that_did_not_fight_in_the_air_joins_the_assault_within_ten():
    p = duel({"infantry": 4, "tac_air": 5}, {"infantry": 4, "tac_air": 3})
    p.do(ALLIES, Done()).dice(6, 6)
    p.do(AXIS, Assault("N9", "N8", ("Army Group West",), 3))
    assert [strength for strength, _ in fires(p)] == [3, 6]
    p = duel({"infantry": 8, "tac_air": 9}, {"infantry": 4})
    p.do(ALLIES, Done()).dice(6)
    p.do(AXIS, Assault("N9", "N8", ("Army Group West",), 0))
    assert [strength for strength, _ in fires(p)] == [10]


@pytest.mark.rule("hw-air-5")
def test_ground_losses_are_not_taken_from_tac_air_while_anything_else_is_left():
    p = duel({"infantry": 10}, {"infantry": 1, "mechanized": 1, "tac_air": 3})
    p.do(ALLIES, Done()).dice(1)
    p.do(AXIS, Assault("N9", "N8", ("Army Group West",), 0))
    assert p.rule(ALLIES, Lose(FRENCH, "tac_air")) == "hw-air-5"
    p.do(ALLIES, Lose(FRENCH, "infantry"))
    assert p.strength(FRENCH) == {"tac_air": 1}


@pytest.mark.rule("hw-air-6")
def test_air_attacks_come_with_an_assault_only():
    p = duel({"infantry": 4, "mechanized": 4, "tac_air": 4}, {"infantry": 1, "tac_air": 2})
    p.do(ALLIES, Done()).dice(1)
    p.do(AXIS, Done())
    assert fires(p) == []
    assert not p.allows(AXIS, Assault("N9", "N8", ("Army Group West",), 4))


@pytest.mark.rule("hw-air-7")
def test_defensive_assaults_attack_in_the_air_too():
    p = duel({"infantry": 5, "tac_air": 2}, {"infantry": 5, "tac_air": 4})
    p.dice(1, 6)
    assert not p.allows(ALLIES, DefensiveAssault("N8", (FRENCH,), 1))
    p.do(ALLIES, DefensiveAssault("N8", (FRENCH,), 4))
    assert fires(p) == [(4, 2), (5, 0)]
    assert p.strength("Army Group West") == {"infantry": 5}


def landing(p: Second, start: str, target: str) -> Second:
    army = p.army("Britain", start, infantry=2, tac_air=3, amphibious=4)
    p.state.mode, p.state.target = put(p.state.mode, army, INVASION), put(p.state.target, army, at(target))
    return p


@pytest.mark.rule("hw-air-8")
def test_tac_air_helps_an_invasion_only_one_hex_away():
    p = landing(Second(), "P7", "P8")
    p.hold(AXIS, "P8")
    p.begin(ALLIES, Assaults(invasion=True)).dice(6)
    p.do(ALLIES, Assault("P7", "P8", ("Britain",), 0))
    assert fires(p) == [(7, 1)]
    p = landing(Second(), "P7", "Q9")
    p.begin(ALLIES, Assaults(invasion=True)).dice(6)
    p.do(ALLIES, Assault("P7", "Q9", ("Britain",), 0))
    assert fires(p) == [(4, 0)]


@pytest.mark.rule("hw-air-9")
def test_coastal_air_is_an_army_of_six_tac_air_while_the_invasion_lasts():
    p = landing(Second(), "P7", "Q9")
    set_points(p.state, no("Britain"), (2, 0, 3, 0, 4))
    p.begin(ALLIES, CoastalFires(), DefensiveAssaults(invasion=True), Assaults(invasion=True), InvasionOver())
    assert p.state.coast == {at("Q9"): 6}
    assert fires(p) == []
    p.do(AXIS, DefensiveAssault("Q9", ("coast",), 0))
    assert fires(p) == []
    assert p.strength("Britain") == {"infantry": 2, "tac_air": 3, "amphibious": 4}
    p.do(ALLIES, Done())
    assert p.state.coast == {}


@pytest.mark.rule("hw-air-9")
def test_coastal_air_fights_the_invaders_air_and_takes_its_losses():
    p = landing(Second(), "R10", "Q11")
    p.hold(ALLIES, "R10")
    p.state.coast = having(p.state.coast, at("Q11"), 6)
    p.begin(ALLIES, DefensiveAssaults(invasion=True), Assaults(invasion=True)).dice(1, 1, 6)
    p.do(AXIS, DefensiveAssault("Q11", ("coast",), 3))
    assert fires(p) == [(3, 1)]
    assert p.strength("Britain")["tac_air"] == 2
    p.do(ALLIES, Assault("R10", "Q11", ("Britain",), 2))
    assert p.state.coast == {at("Q11"): 5}


@pytest.mark.rule("hw-air-10")
def test_a_hex_with_nothing_but_tac_air_keeps_its_garrison():
    p = duel({"mechanized": 5}, {"tac_air": 4})
    assert defence(p.state, at("N8")) == 1


@pytest.mark.rule("hw-air-11")
def test_armies_of_air_alone_only_attack_in_the_air():
    p = duel({"tac_air": 4}, {"infantry": 2, "tac_air": 1})
    p.do(ALLIES, Done()).dice(1)
    p.do(AXIS, Assault("N9", "N8", ("Army Group West",), 2))
    assert fires(p) == [(2, 1)]
    assert p.strength(FRENCH) == {"infantry": 2}
    p = duel({"tac_air": 4, "amphibious": 3}, {"infantry": 2})
    p.do(ALLIES, Done())
    p.do(AXIS, Assault("N9", "N8", ("Army Group West",), 0))
    assert fires(p) == []
    p = duel({"infantry": 4}, {"infantry": 2, "tac_air": 1})
    p.do(ALLIES, Done()).dice(6)
    p.do(AXIS, Assault("N9", "N8", ("Army Group West",), 0))
    assert [strength for strength, _ in fires(p)] == [4]


@pytest.mark.rule("hw-airsup-1")
@pytest.mark.parametrize(
    ("own", "enemy", "left"),
    [(3, 1, {"infantry": 2, "tac_air": 1}), (1, 3, {"infantry": 4, "tac_air": 3}), (9, 2, {"tac_air": 2})],
)
def test_air_superiority_costs_the_retreating_ground_points(own, enemy, left):
    p = duel({"mechanized": 10, "tac_air": own}, {"infantry": 4, "tac_air": enemy})
    p.do(ALLIES, Done()).do(AXIS, Done()).dice(1)
    p.do(AXIS, Advance("Army Group West", 0))
    assert p.strength(FRENCH) == left


@pytest.mark.rule("hw-tac-3", "hw-air-11")
def test_an_army_of_air_alone_enters_no_hex_over_land_or_sea():
    p = Second()
    p.hold(AXIS, "O8", "O9", "P7")
    p.army("Army Group A", "O8", tac_air=4)
    p.begin(AXIS, CombatPhase())
    assert p.rule(AXIS, Attack("Army Group A", "P7")) == "hw-tac-3"
    assert p.rule(AXIS, Attack("Army Group A", "O9")) == "hw-tac-3"
    p.hold(ALLIES, "P7").army("Britain", "P7", tac_air=1)
    p.do(AXIS, Attack("Army Group A", "P7"), Done()).do(ALLIES, Done()).dice(1)
    p.do(AXIS, Assault("O8", "P7", ("Army Group A",), 1))
    assert p.rule(AXIS, Advance("Army Group A", 0)) == "hw-tac-3"


@pytest.mark.rule("hw-tac-3", "hw-exploit-4")
def test_what_is_left_of_a_spearhead_stays_when_only_its_air_lives():
    p = duel({"mechanized": 2, "tac_air": 3}, {"infantry": 1})
    p.army("Britain", "M8", infantry=10)
    p.do(ALLIES, Done()).do(AXIS, Done()).dice(1)
    p.do(AXIS, Advance("Army Group West", 0), Exploit("Army Group West", "M8"))
    p.dice(1).do(ALLIES, DefensiveAssault("M8", ("Britain",), 0))
    assert p.strength("Army Group West") == {"tac_air": 1}
    p.do(AXIS, Done())
    assert p.where("Army Group West") == "N8"
    assert not p.happened(Repulsed)


@pytest.mark.rule("hw-tac-3", "hw-air-11")
def test_air_that_is_left_of_an_invasion_does_not_land():
    p = landing(Second(), "P7", "O8")
    set_points(p.state, no("Britain"), (0, 0, 2, 0, 0))
    p.begin(ALLIES, Advances(invasion=True))
    assert p.state.spent[no("Britain")]
    assert p.where("Britain") == "P7"


# ---- paratroops
@pytest.mark.rule("hw-para-5", "hw-parawater-1")
def test_paratroops_that_have_dropped_do_not_cross_water_again():
    p = Second()
    p.hold(AXIS, "O8")
    p.army("Army Group A", "O8", paratroop=3)
    p.begin(AXIS, CombatPhase())
    p.do(AXIS, Attack("Army Group A", "P7"), Done()).dice(1)
    p.do(AXIS, Advance("Army Group A", 3))
    assert p.where("Army Group A") == "P7"
    assert p.rule(AXIS, Exploit("Army Group A", "O8")) == "hw-para-5"
    assert p.allows(AXIS, Exploit("Army Group A", "Q7"))


@pytest.mark.rule("hw-para-1")
def test_paratroops_assault_and_defend_like_infantry():
    p = duel({"paratroop": 4, "infantry": 2}, {"paratroop": 3})
    assert defence(p.state, at("N8")) == 3
    p.dice(6, 6).do(ALLIES, DefensiveAssault("N8", (FRENCH,), 0))
    p.do(AXIS, Assault("N9", "N8", ("Army Group West",), 0))
    assert [strength for strength, _ in fires(p)] == [3, 6]
    assert chance(p.state, no("Army Group West"), at("N8")).strength == 0


@pytest.mark.rule("hw-para-2", "hw-para-3")
def test_each_dropped_point_counts_two_up_to_ten():
    p = duel({"paratroop": 5, "mechanized": 3}, {"infantry": 3})
    army = no("Army Group West")
    assert [chance(p.state, army, at("N8"), drop).strength for drop in range(6)] == [3, 5, 7, 9, 10, 10]
    p.do(ALLIES, Done()).do(AXIS, Done())
    assert {action.paradrop for action in p.offered(Advance, AXIS)} == {0, 1, 2, 3, 4, 5}


@pytest.mark.rule("hw-para-4")
def test_a_failed_drop_costs_every_point_that_dropped():
    p = duel({"paratroop": 3, "mechanized": 2}, {"infantry": 6})
    p.do(ALLIES, Done()).do(AXIS, Done()).dice(6)
    p.do(AXIS, Advance("Army Group West", 2))
    assert len(p.happened(Repulsed)) == 1
    assert p.strength("Army Group West") == {"paratroop": 1, "mechanized": 2}


@pytest.mark.rule("hw-para-5")
def test_every_point_drops_once_a_turn():
    p = duel({"paratroop": 3, "mechanized": 5}, {"infantry": 1})
    p.do(ALLIES, Done()).do(AXIS, Done()).dice(1)
    p.do(AXIS, Advance("Army Group West", 2))
    assert p.where("Army Group West") == "N8"
    p.do(ALLIES, Retreat(FRENCH, "N7")).do(AXIS, Exploit("Army Group West", "M8"), Done())
    assert p.at_step == "MustAdvance"
    assert {action.paradrop for action in p.offered(Advance, AXIS)} == {0, 1}


@pytest.mark.rule("hw-parawater-1")
def test_an_army_of_paratroops_and_air_attacks_across_water():
    p = Second()
    p.hold(AXIS, "O8")
    p.army("Army Group A", "O8", paratroop=3, tac_air=2)
    p.army("Army Group B", "O8", paratroop=3, infantry=1)
    p.army("Britain", "P7", infantry=4)
    p.begin(AXIS, CombatPhase())
    assert p.rule(AXIS, Attack("Army Group B", "P7")) in ("hw-terrain-sea", "hw-terrain-crossing")
    p.do(AXIS, Attack("Army Group A", "P7"), Done())
    p.do(ALLIES, Done()).dice(1, 6)
    p.do(AXIS, Assault("O8", "P7", ("Army Group A",), 0))
    assert fires(p) == [(2, 1)]
    assert {action.paradrop for action in p.offered(Advance, AXIS)} == {3}
    p.do(AXIS, Advance("Army Group A", 3))
    assert p.strength("Army Group A") == {"tac_air": 2}


@pytest.mark.rule("hw-parawater-2")
def test_paratroops_and_amphibious_points_never_share_an_army():
    p = Second()
    p.army("Army Group A", "P10", paratroop=3, infantry=1)
    p.army("Army Group B", "P10", amphibious=3)
    p.begin(AXIS, Movement())
    assert p.rule(AXIS, Transfer("Army Group A", (("paratroop", 1),), "Army Group B")) == "hw-parawater-2"
    assert p.rule(AXIS, Transfer("Army Group B", (("amphibious", 1),), "Army Group A")) == "hw-parawater-2"
    assert p.allows(AXIS, Transfer("Army Group A", (("infantry", 1),), "Army Group B"))
    assert p.allows(AXIS, Detach("Army Group A", (("paratroop", 1),), "P10", "OKW"))
    p.begin(AXIS, Production())
    p.money(20)
    assert p.rule(AXIS, Build("paratroop", "P10", "Army Group B", 1)) == "hw-parawater-2"
    assert p.rule(AXIS, Build("amphibious", "P10", "Army Group A", 1)) == "hw-parawater-2"


# ---- partisans
def resistance(p: Second, side: str, money: int = 20) -> Second:
    p.begin(side, Production())
    p.money(money)
    return p


@pytest.mark.rule("hw-partisan-1")
def test_where_partisans_may_rise():
    p = Second()
    p.hold(AXIS, "N7", "P12", "P14")
    p.hold_all(AXIS, "italy")
    resistance(p, ALLIES)
    assert p.rule(ALLIES, Partisans("P10")) == "hw-partisan-1"
    assert p.rule(ALLIES, Partisans("O8")) == "hw-partisan-1"
    assert p.rule(ALLIES, Partisans("K10")) == "hw-partisan-1"
    assert p.allows(ALLIES, Partisans("N7"))
    assert p.allows(ALLIES, Partisans("P14"))
    p.hold(ALLIES, "H11")
    resistance(p, ALLIES)
    assert p.allows(ALLIES, Partisans("K10"))
    p.state.peace = 1
    assert resistance(p, SOVIET).allows(SOVIET, Partisans("P12"))
    resistance(p, AXIS)
    assert "partisans" not in p.verbs(AXIS)


@pytest.mark.rule("hw-partisan-2")
@pytest.mark.parametrize(("die", "won"), [(1, True), (2, True), (3, False), (6, False)])
def test_two_points_buy_a_die_and_one_or_two_takes_the_hex(die, won):
    p = Second()
    p.hold(AXIS, "L14").hold(SOVIET, "M15")
    resistance(p, SOVIET, 5).dice(die).do(SOVIET, Partisans("L14"))
    assert p.state.budget == 3
    assert p.owner("L14") == (SOVIET if won else AXIS)
    assert (p.devastation("L14") > 0) is won


@pytest.mark.rule("hw-partisan-3")
def test_a_captured_hex_can_be_repaired_at_once_and_must_be_linked_in_time():
    p = Second()
    p.hold_all(AXIS, "rumania")
    p.hold_all(AXIS, "hungary")
    resistance(p, SOVIET).dice(1, 1)
    p.do(SOVIET, Partisans("M14"), Partisans("M13"))
    assert (p.owner("M14"), p.owner("M13")) == (SOVIET, SOVIET)
    assert p.devastation("M13") == 1
    assert p.allows(SOVIET, Repair("M13", 1))
    p.do(SOVIET, Done())
    p.begin(SOVIET, CombatPhase()).do(SOVIET, Done())
    assert (p.owner("M14"), p.owner("M13")) == (SOVIET, SOVIET)


@pytest.mark.rule("hw-partisan-3")
def test_an_unlinked_hex_goes_back_to_the_axis():
    p = Second()
    p.hold_all(AXIS, "rumania")
    p.hold_all(AXIS, "hungary")
    resistance(p, ALLIES).dice(1)
    p.do(ALLIES, Partisans("L13"))
    assert p.owner("L13") == ALLIES
    p.begin(ALLIES, CombatPhase()).do(ALLIES, Done())
    assert p.owner("L13") == AXIS


@pytest.mark.rule("hw-partisan-4")
def test_one_try_per_hex_and_turn():
    p = Second()
    p.hold(AXIS, "L14")
    resistance(p, SOVIET).dice(6).do(SOVIET, Partisans("L14"))
    assert p.rule(SOVIET, Partisans("L14")) == "hw-partisan-4"
    p.begin(ALLIES, ProductionPhase())
    assert p.allows(ALLIES, Partisans("L14"))


@pytest.mark.rule("hw-air-10")
def test_the_garrison_beside_tac_air_is_gone_once_ground_points_fell_there_and_stays_after_air_losses():
    p = duel({"infantry": 10, "tac_air": 1}, {"infantry": 1, "tac_air": 3})
    p.do(ALLIES, Done()).dice(1, 2)
    p.do(AXIS, Assault("N9", "N8", ("Army Group West",), 1))
    assert p.strength(FRENCH).get("infantry", 0) == 0
    assert defence(p.state, at("N8")) == 0
    p = duel({"tac_air": 4}, {"tac_air": 3})
    p.do(ALLIES, Done()).dice(1)
    p.do(AXIS, Assault("N9", "N8", ("Army Group West",), 4))
    assert p.strength(FRENCH) == {"tac_air": 1}
    assert defence(p.state, at("N8")) == 1


@pytest.mark.rule("hw-partisan-1")
def test_an_army_keeps_partisans_down_unless_the_match_says_otherwise():
    p = Second()
    p.hold(AXIS, "L14", "L13")
    p.army("Rumanian Army", "L14", infantry=2)
    assert resistance(p, SOVIET).rule(SOVIET, Partisans("L14")) == "hw-partisan-1"
    p = Second(partisans_against_armies=True)
    p.hold(AXIS, "M14", "L14")
    p.army("Rumanian Army", "M14", infantry=2)
    resistance(p, SOVIET).dice(1)
    p.do(SOVIET, Partisans("M14"))
    assert (p.owner("M14"), p.where("Rumanian Army")) == (SOVIET, "L14")
