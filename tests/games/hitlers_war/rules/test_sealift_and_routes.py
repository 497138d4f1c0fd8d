"""Sea routes, sea movement, sea supply, co-operation, lend-lease (the Fall of Germany)."""

import pytest

from sandtable.core import Refusal
from sandtable.core.columns import having, lacking, put
from sandtable.games.hitlers_war.facts.territory import ANYWHERE, territory
from sandtable.games.hitlers_war.model.actions import Attack, Build, Convert, Done, Invade, Lend, March, Transfer
from sandtable.games.hitlers_war.model.atlas import ATLAS
from sandtable.games.hitlers_war.model.state import stacked
from sandtable.games.hitlers_war.rules.attacks_phase import Announce
from sandtable.games.hitlers_war.rules.combat_phase import CombatPhase
from sandtable.games.hitlers_war.rules.control import defence
from sandtable.games.hitlers_war.rules.movement_phase import Movement
from sandtable.games.hitlers_war.rules.production_phase import Production, ProductionPhase
from sandtable.games.hitlers_war.rules.routes import open_sea_links, route_waters
from sandtable.games.hitlers_war.rules.sealift import sea_chart, seas_for
from sandtable.games.hitlers_war.rules.supply import Isolation, heirs, unsupplied
from tests.games.hitlers_war.positions import ALLIES, AXIS, SOVIET, Position, at, no

FALL = "fall-of-germany"


def moving(side: str, p: Position | None = None) -> Position:
    return (p or Position(FALL)).begin(side, Movement())


def seas(p: Position, side: int, a: str, b: str, number: int = 1) -> tuple[str, ...] | str:
    found = seas_for(p.state, side, at(a), at(b), number)
    return found.rule if isinstance(found, Refusal) else tuple(ATLAS.seas[x] for x in found)


@pytest.mark.rule("hw-searoute-1")
def test_sea_routes_run_over_sea_and_coast_for_any_length():
    p = Position(FALL)
    army = p.army("Britain", "P7", amphibious=1)
    assert route_waters(p.state, army, ("P7", "Q8", "Q9"))
    assert not route_waters(p.state, army, ("P7", "Q9"))
    assert at("T9") in territory(p.state, 2).landings(at("H9"), ANYWHERE)


@pytest.mark.rule("hw-searoute-2")
def test_partial_and_crossing_sides_need_both_hexes_friendly():
    p = Position(FALL)
    army = p.army("Fifth Army", "H10", amphibious=2)
    assert route_waters(p.state, army, ("H10", "H11"))
    p.hold(AXIS, "H11")
    assert not route_waters(p.state, army, ("H10", "H11"))
    axis = p.army("OKW", "Q9", amphibious=2)
    assert route_waters(p.state, axis, ("Q9", "P8"))
    p.hold(ALLIES, "P8")
    assert not route_waters(p.state, axis, ("Q9", "P8"))


@pytest.mark.rule("hw-searoute-3")
def test_no_sea_route_over_land_sides():
    p = Position(FALL)
    p.hold(ALLIES, "N7", "O7")
    army = p.army("Britain", "O7", amphibious=2)
    assert not route_waters(p.state, army, ("O7", "N7"))


@pytest.mark.rule("hw-searoute-4")
def test_gates_between_seas_belong_to_their_holders():
    p = Position(FALL)
    assert territory(p.state, 2).route(at("P7"), at("I11")) is not None
    p.hold(AXIS, "H4", "D15")
    assert territory(p.state, 2).route(at("P7"), at("K9")) is None
    assert territory(p.state, 2).route(at("P7"), at("Q11")) is None
    p.hold(ALLIES, "S10")
    assert territory(p.state, 2).route(at("P7"), at("Q11")) is not None
    p.hold(AXIS, "british_africa")
    assert territory(p.state, 2).route(at("P7"), at("india")) is None
    assert territory(p.state, 2).route(at("I11"), at("L15")) is None
    p.hold(ALLIES, "J14")
    assert territory(p.state, 2).route(at("I11"), at("L15")) is not None


@pytest.mark.rule("hw-searoute-5")
def test_open_sea_is_never_closed():
    p = Position(FALL)
    for space in ATLAS.land:
        if p.state.owner[space] == 2 and space not in (at("P7"), at("Q7")):
            p.state.owner = put(p.state.owner, space, 0)
    army = p.army("Britain", "Q7", amphibious=1)
    assert route_waters(p.state, army, ("Q7", "Q8", "P7"))


@pytest.mark.rule("hw-searoute-6", "hw-map-seaarrows")
def test_arrows_lead_to_and_from_the_boxes():
    p = Position(FALL)
    army = p.army("U.S. Army", "us", amphibious=1)
    route = route_waters(p.state, army, ("us", "O4", "O5", "O6", "P6"))
    assert route
    assert sum(ATLAS.links[n].length for n in open_sea_links(route)) == 15 + 3


@pytest.mark.rule("hw-map-seas")
def test_five_seas_are_divided_by_lines():
    p = Position(FALL)
    for space in ATLAS.land:
        p.state.owner = put(p.state.owner, space, 1)
    labels = territory(p.state, 2).by_sea(tuple(range(len(ATLAS.seas)))).labels
    assert max(labels) == -1
    named = {"atlantic", "mediterranean", "baltic", "black", "red_persian"}
    assert named <= set(ATLAS.seas)
    inside = {}
    for name in named:
        coast = [x for x in ATLAS.land if [ATLAS.seas[ATLAS.waters[w][1]] for w in ATLAS.waters_of[x]] == [name]]
        inside[name] = territory(p.state, 2).landings(min(coast), ANYWHERE)
    assert at("P7") in inside["atlantic"]
    assert at("P7") not in inside["mediterranean"] | inside["baltic"] | inside["black"] | inside["red_persian"]


@pytest.mark.rule("hw-seamove-baltic")
def test_the_axis_carries_one_point_through_the_baltic():
    p = Position(FALL)
    p.army("OKW", "Q10", infantry=2)
    p.army("Army Group A", "T13", infantry=1)
    moving(AXIS, p)
    assert p.rule(AXIS, March("OKW", "T13")) == "hw-seamove-baltic"
    p.do(AXIS, Transfer("OKW", (("infantry", 1),), "Army Group A"))
    assert p.rule(AXIS, Transfer("OKW", (("infantry", 1),), "Army Group A")) == "hw-seamove-baltic"
    assert "baltic" not in {ATLAS.seas[x] for side in (1, 2) for x in sea_chart(p.state, side).limits}


@pytest.mark.rule("hw-seamove-black")
def test_the_soviets_carry_one_point_through_the_black_sea_and_one_through_the_caspian():
    p = Position(FALL)
    names = {ATLAS.seas[sea]: most for sea, most in sea_chart(p.state, 1).limits.items()}
    assert names == {"black": 1, "caspian": 1}
    p.hold(AXIS, "L17", "K18", "L18", "M17", "M18")
    assert seas(p, 1, "J18", "L16") == ("black",)
    assert seas(p, 1, "J18", "L16", 2) == "hw-seamove-black"


@pytest.mark.rule("hw-seamove-atlantic")
def test_the_allies_sail_the_atlantic_freely_but_america_sends_three():
    p = Position(FALL)
    p.army("Britain", "P7", infantry=9)
    p.army("U.S. Army", "us", infantry=9)
    moving(ALLIES, p)
    p.do(ALLIES, March("Britain", "F3"))
    assert p.rule(ALLIES, March("U.S. Army", "P7")) == "hw-seamove-atlantic"
    p.do(ALLIES, Transfer("U.S. Army", (("infantry", 3),), "Britain"))
    assert p.rule(ALLIES, Transfer("U.S. Army", (("infantry", 1),), "Britain")) == "hw-seamove-atlantic"
    assert p.rule(ALLIES, Transfer("Britain", (("infantry", 1),), "U.S. Army")) == "hw-seamove-atlantic"
    assert {ATLAS.seas[x] for x in sea_chart(p.state, 0).limits} == {"baltic"}


@pytest.mark.rule("hw-seamove-persian")
def test_one_allied_point_a_turn_goes_round_the_cape():
    p = Position(FALL)
    p.hold(AXIS, "H4", "D15", "E16", "D16", "D14")
    p.army("Britain", "P7", infantry=2)
    moving(ALLIES, p)
    assert p.rule(ALLIES, March("Britain", "india")) == "hw-seamove-persian"
    p.army("Britain", "P7", infantry=1)
    moving(ALLIES, p).do(ALLIES, March("Britain", "india"))
    p.army("Fifth Army", "india", infantry=1)
    p.match.changed()
    assert p.rule(ALLIES, March("Fifth Army", "P7")) == "hw-seamove-persian"


@pytest.mark.rule("hw-seamove-white")
def test_nobody_sails_the_white_sea_or_the_lakes():
    p = Position(FALL)
    for side in range(3):
        assert not {"white", "soviet_lakes"} & {ATLAS.seas[x] for x in sea_chart(p.state, side).limits}


@pytest.mark.rule("hw-seamove-med")
def test_in_1944_the_mediterranean_is_allied():
    p = Position(FALL)
    p.army("Fifth Army", "I11", infantry=9)
    moving(ALLIES, p)
    assert p.allows(ALLIES, March("Fifth Army", "H9"))
    assert "mediterranean" not in {ATLAS.seas[x] for side in (0, 1) for x in sea_chart(p.state, side).limits}


@pytest.mark.rule("hw-seamove-combined")
def test_a_move_mixes_land_and_several_seas():
    p = Position(FALL)
    p.army("U.S. Army", "us", infantry=2)
    moving(ALLIES, p)
    assert seas(p, 2, "us", "I11") == ("atlantic", "mediterranean")
    p.do(ALLIES, March("U.S. Army", "I11"))
    assert p.where("U.S. Army") == "I11"


@pytest.mark.rule("hw-sea-transport-table", "hw-italy-4", "hw-italy-5", "hw-italy-6", "hw-surr-italy-3")
def test_the_mediterranean_changes_with_italy():
    p = Position("campaign-1")
    med = ATLAS.seas.index("mediterranean")
    assert med not in sea_chart(p.state, 0).limits
    assert sea_chart(p.state, 2).limits[med] > 1000
    p.state.italy = 1
    assert sea_chart(p.state, 0).limits[med] == 2
    assert sea_chart(p.state, 2).limits[med] == 2
    p.hold(AXIS, "G11")
    assert sea_chart(p.state, 0).limits[med] == 3
    p.state.surrendered = put(p.state.surrendered, ATLAS.country_index["france"], 1)
    assert sea_chart(p.state, 2).limits[med] == 2
    p.hold(AXIS, "H4")
    assert med not in sea_chart(p.state, 2).limits
    assert med not in sea_chart(p.state, 2).supply
    p.state.italy = 3
    assert med not in sea_chart(p.state, 0).limits
    assert sea_chart(p.state, 2).limits[med] > 1000


@pytest.mark.rule("hw-seasupply-1", "hw-seasupply-2")
def test_supply_crosses_the_seas_a_side_can_use():
    p = Position(FALL)
    assert {ATLAS.seas[x] for x in sea_chart(p.state, 0).supply} == {"baltic"}
    assert {ATLAS.seas[x] for x in sea_chart(p.state, 1).supply} == {"black", "caspian", "soviet_lakes"}
    assert {ATLAS.seas[x] for x in sea_chart(p.state, 2).supply} == {"atlantic", "mediterranean", "red_persian"}
    assert unsupplied(p.state, 2) == []
    p.state.lifted = having(p.state.lifted, ATLAS.seas.index("red_persian"), 1)
    assert unsupplied(p.state, 2) == []
    assert at("G14") in unsupplied(p.state, 0)


@pytest.mark.rule("hw-seasupply-3")
def test_the_lakes_carry_soviet_supply_but_no_points():
    p = Position(FALL)
    p.devastate("T15", 2)
    p.hold(AXIS, "S15", "S16", "T16", "T14", "U15")
    assert at("T15") not in unsupplied(p.state, 1)
    assert seas(p, 1, "T15", "U16") == "hw-move-3"


@pytest.mark.rule("hw-amph-1")
def test_amphibious_points_are_built_for_six_and_stack():
    p = Position(FALL).begin(ALLIES, Production())
    p.state.budget = 7
    p.do(ALLIES, Build("amphibious", "P7", "Britain", 1))
    assert p.state.budget == 1

    assert stacked(p.state, at("P7")) == 1


@pytest.mark.rule("hw-amph-2")
def test_amphibious_points_only_defend_in_ordinary_combat():
    p = Position(FALL)
    p.army("Fifth Army", "J10", amphibious=4)
    p.army("Army Group C", "K10", mechanized=5)
    assert defence(p.state, at("J10")) == 4
    p.begin(AXIS, CombatPhase()).do(AXIS, Attack("Army Group C", "J10"), Done())
    assert p.asked == AXIS
    p.begin(ALLIES, CombatPhase())
    assert p.rule(ALLIES, Attack("Fifth Army", "K10")) == "hw-amph-2"


@pytest.mark.rule("hw-amph-3")
def test_amphibious_points_become_infantry_in_movement_and_never_back():
    p = Position(FALL)
    p.army("Britain", "P7", infantry=1, amphibious=3)
    moving(ALLIES, p).do(ALLIES, Convert("Britain", 2))
    assert p.strength("Britain") == {"infantry": 3, "amphibious": 1}
    assert not p.allows(ALLIES, Convert("Britain", 2))
    p.begin(ALLIES, Announce())
    assert p.refused(ALLIES, Convert("Britain", 1)).reason == "sandtable-not-now"


@pytest.mark.rule("hw-terrain-crossing", "hw-terrain-sea")
def test_after_barbarossa_straits_are_attacked_only_from_the_sea():
    p = Position(FALL)
    p.hold(AXIS, "H11")
    p.army("Fifth Army", "H10", mechanized=3, amphibious=3)
    p.army("Britain", "P7", mechanized=3, amphibious=3)
    p.begin(ALLIES, Announce())
    assert p.rule(ALLIES, Attack("Fifth Army", "H11")) == "hw-terrain-crossing"
    assert p.rule(ALLIES, Attack("Britain", "O8")) == "hw-terrain-sea"
    assert p.allows(ALLIES, Invade("Britain", "O8", ("P7", "O8")))
    p.begin(ALLIES, Movement())
    p.hold(ALLIES, "H11")
    p.match.changed()
    assert p.allows(ALLIES, March("Fifth Army", "H11"))


@pytest.mark.rule("hw-coop-1", "hw-coop-3")
def test_soviets_and_allies_do_not_attack_each_other():
    p = Position(FALL)
    p.hold(SOVIET, "P11")
    p.hold(ALLIES, "P10")
    p.army("Moscow", "P11", mechanized=5)
    p.army("Britain", "P10", mechanized=5)
    p.begin(SOVIET, Announce())
    assert p.rule(SOVIET, Attack("Moscow", "P10")) == "hw-coop-1"
    assert p.refused(SOVIET, Attack("Britain", "O11")).reason == "hw-not-your-army"
    p.begin(ALLIES, Announce())
    assert p.rule(ALLIES, Attack("Britain", "P11")) == "hw-coop-1"
    assert p.allows(ALLIES, Attack("Britain", "O11"))


@pytest.mark.rule("hw-coop-2")
def test_partners_do_not_enter_each_others_hexes():
    p = Position(FALL)
    p.hold(ALLIES, "Q18")
    p.army("Moscow", "Q17", infantry=2)
    p.begin(SOVIET, Movement())
    assert p.rule(SOVIET, March("Moscow", "Q18")) == "hw-move-2"


@pytest.mark.rule("hw-lend-1", "hw-lend-2")
def test_lend_lease_is_two_points_for_each_soviet_depot():
    p = Position(FALL).begin(ALLIES, Production())
    p.state.budget = 10
    p.do(ALLIES, Lend(3))
    assert not p.allows(ALLIES, Lend(2))
    p.do(ALLIES, Lend(1))
    assert (p.state.budget, p.state.lent) == (6, 4)
    assert p.rule(ALLIES, Lend(1)) == "hw-lend-2"
    p.state.lent = 0
    p.hold(AXIS, "U18")
    p.match.changed()
    assert p.allows(ALLIES, Lend(2))
    assert not p.allows(ALLIES, Lend(3))
    p.hold(AXIS, "M20")
    p.match.changed()
    assert p.rule(ALLIES, Lend(1)) == "hw-lend-2"


@pytest.mark.rule("hw-lend-3")
def test_lend_lease_is_spent_in_the_next_soviet_production_or_lost():
    p = Position(FALL)
    p.state.lent = 4
    p.begin(SOVIET, ProductionPhase())
    assert p.state.budget == 27
    p.do(SOVIET, Done())
    p.begin(SOVIET, ProductionPhase())
    assert p.state.budget == 23


@pytest.mark.rule("hw-lend-4")
def test_the_soviets_give_nothing():
    p = Position(FALL).begin(SOVIET, Production())
    p.state.budget = 10
    assert p.refused(SOVIET, Lend(1)).reason == "sandtable-not-now"


@pytest.mark.rule("hw-allied-build")
def test_allied_points_appear_in_britain_france_america_and_canada():
    p = Position(FALL).begin(ALLIES, Production())
    p.state.budget = 30
    for place in ("P7", "us", "canada"):
        assert p.allows(ALLIES, Build("infantry", place, "Britain", 1)), place
    assert p.rule(ALLIES, Build("infantry", "india", "Britain", 1)) == "hw-allied-build"
    p.hold(ALLIES, "N7")
    p.match.changed()
    assert p.allows(ALLIES, Build("infantry", "N7", "Britain", 1))


@pytest.mark.rule("hw-fall-special-4")
def test_a_lost_hex_goes_to_the_side_with_the_nearest_industry():
    p = Position(FALL)
    assert heirs(p.state, 0, at("N7")) == [2]
    assert heirs(p.state, 0, at("P15")) == [1]
    assert heirs(p.state, 1, at("N7")) == [0]
    p.hold(SOVIET, "O10")
    p.state.devastated = lacking(p.state.devastated, at("O10"))
    p.hold(ALLIES, "P12")
    assert heirs(p.state, 0, at("P11")) == [2]
    p.hold(ALLIES, "O12")
    p.hold(SOVIET, "O12")
    tied = heirs(p.state, 0, at("O11"))
    assert len(tied) == 1 or tied == [1, 2]


@pytest.mark.rule("hw-fall-special-4")
def test_ties_are_settled_by_a_die():
    p = Position(FALL)
    for x in ATLAS.land:
        if p.state.owner[x] == 0 and x != at("P10"):
            p.state.owner = put(p.state.owner, x, 4)
    p.hold(SOVIET, "P9")
    p.hold(ALLIES, "O10")
    p.state.devastated = {}
    p.devastate("P10", 3)
    p.begin(SOVIET, Movement())
    for die, heir in ((1, "soviet"), (2, "allies")):
        p.hold(AXIS, "P10")
        p.match.state.outcome = None
        p.dice(die).begin(AXIS, Isolation())
        assert p.owner("P10") == heir
    assert no("OKW") == 0
