"""Campaign Game I: unaligned countries, violation of neutrality, entry into the war, activity limitations."""

import pytest

from sandtable.core.columns import having, put
from sandtable.games.hitlers_war.game import GAME
from sandtable.games.hitlers_war.model.actions import Advance, Attack, Done, Invade, March, MoveMissile, Place
from sandtable.games.hitlers_war.model.atlas import ATLAS
from sandtable.games.hitlers_war.model.events import Joined
from sandtable.games.hitlers_war.rules.attacks_phase import Announce
from sandtable.games.hitlers_war.rules.budget import budget, production
from sandtable.games.hitlers_war.rules.combat_phase import CombatPhase
from sandtable.games.hitlers_war.rules.control import capacity, healthy, take
from sandtable.games.hitlers_war.rules.movement_phase import Movement
from sandtable.games.hitlers_war.rules.production_phase import ProductionPhase
from sandtable.games.hitlers_war.rules.routes import Routes
from sandtable.games.hitlers_war.sequence import PlayerTurn
from tests.games.hitlers_war.positions import ALLIES, AXIS, SOVIET, Position, at, no

C1 = "campaign-1"


def campaign(**more: object) -> Position:
    return Position(C1, **more)  # type: ignore[arg-type]


def fail(p: Position, side: str, army: str, target: str) -> Position:
    """An attack that is announced, and nothing else."""
    p.begin(side, CombatPhase()).do(side, Attack(army, target), Done())
    while not p.parked and p.at_step != "Reinforcements":
        p.do(p.asked, Done())
    return p


def win(p: Position, side: str, army: str, target: str) -> Position:
    p.begin(side, CombatPhase()).dice(1).do(side, Attack(army, target), Done())
    while p.at_step != "Advances":
        p.do(p.asked, Done())
    p.do(side, Advance(army, 0))
    while not p.parked:
        p.do(p.asked, Done())
    return p


@pytest.mark.rule("hw-unaligned-1", "hw-minor-1", "hw-italy-1", "hw-us-1", "hw-c1-areas", "hw-entry-initial")
def test_who_is_unaligned_at_the_start():
    p = campaign()
    for name in ("L9", "H10", "D12", "J12", "us", "P12", "T12", "T13", "M13", "L14", "K14", "H13", "J5"):
        assert p.owner(name) == "nobody", name
    assert p.owner("Q17") == "soviet"
    assert p.owner("P10") == "axis"
    assert {p.owner(x) for x in ("N7", "K9", "F4", "french_africa", "P7", "D15", "india", "canada")} == {"allies"}
    p.army("OKW", "N9", mechanized=9)
    p.begin(AXIS, Announce())
    assert p.allows(AXIS, Attack("OKW", "N8"))


@pytest.mark.rule("hw-unaligned-2")
def test_switzerland_and_saudi_arabia_are_never_entered():
    p = campaign()
    p.army("OKW", "N10", mechanized=5)
    p.army("Britain", "E17", mechanized=5)
    p.begin(AXIS, Announce())
    assert p.rule(AXIS, Attack("OKW", "M10")) == "hw-unaligned-2"
    p.begin(ALLIES, Announce())
    assert p.rule(ALLIES, Attack("Britain", "D17")) == "hw-unaligned-2"


@pytest.mark.rule("hw-neutral-1")
def test_any_side_attacks_neutrals_and_their_production_is_devastated():
    p = campaign()
    p.army("OKW", "P11", mechanized=10)
    win(p, AXIS, "OKW", "P12")
    assert p.owner("P12") == "axis"
    assert p.devastation("P12") == 1
    for side, army, place in ((SOVIET, "Moscow", "P14"), (ALLIES, "Britain", "L7")):
        p = campaign()
        p.army(army, place, mechanized=10)
        p.begin(side, Announce())
        assert p.allows(side, Attack(army, "P13" if side == SOVIET else "K7"))


@pytest.mark.rule("hw-neutral-2", "hw-neutral-7", "hw-neutral-example")
def test_a_neutral_that_is_not_conquered_in_the_phase_joins_the_other_side():
    p = campaign()
    p.hold_all(AXIS, "france")
    p.army("OKW", "L7", mechanized=10)
    before = production(p.state, 2)
    win(p, AXIS, "OKW", "K7")
    assert p.owner("K7") == "axis"
    assert {p.owner(x) for x in ("J5", "I4", "L5")} == {"allies"}
    assert production(p.state, 2) == before + 2
    assert [(e.country, e.side) for e in p.happened(Joined)] == [("@spain", "@allies")]


@pytest.mark.rule("hw-neutral-3")
def test_an_axis_attack_on_italy_makes_its_army_allied():
    p = Position(C1, armies=True)
    p.army("Army Group West", "M11", mechanized=5)
    p.begin(AXIS, CombatPhase()).do(AXIS, Attack("Army Group West", "L10"), Done())
    assert p.where("Italian Army") is None
    new = [n for n in ATLAS.army_names[24:] if p.where(n) == "L9"]
    assert [p.strength(n) for n in new] == [{"infantry": 4, "mechanized": 1}]
    while not p.parked:
        p.do(p.asked, Done())
    assert p.owner("L9") == p.owner("D12") == "allies"
    assert p.state.italy == 2
    assert p.state.idle[no(new[0])] == 0


@pytest.mark.rule("hw-neutral-4")
def test_an_allied_attack_on_the_united_states_makes_its_army_axis():
    p = Position(C1, armies=True)
    p.army("Britain", "P7", amphibious=5)
    p.begin(ALLIES, CombatPhase())

    route = next(iter(Routes(p.state, no("Britain"), at("us"))))
    p.do(ALLIES, Invade("Britain", "us", route), Done())
    assert p.where("U.S. Army") is None
    new = [n for n in ATLAS.army_names[:12] if p.where(n) == "us"]
    assert [p.strength(n) for n in new] == [{"infantry": 8, "mechanized": 3, "amphibious": 1}]
    while p.at_step == "SupportFires":
        p.do(ALLIES, Done())
    assert (p.asked, p.at_step) == (AXIS, "DefensiveAssaults")


@pytest.mark.rule("hw-neutral-5")
@pytest.mark.parametrize(("side", "army", "place", "target"), [
    (SOVIET, "Moscow", "U16", "U15"), (ALLIES, "Britain", "L7", "K7"), (SOVIET, "Moscow", "R14", "R13"),
])  # fmt: skip
def test_victims_of_soviets_and_allies_join_the_axis(side: str, army: str, place: str, target: str):
    p = campaign()
    p.army(army, place, infantry=5)
    fail(p, side, army, target)
    while not p.parked:
        p.do(p.asked, p.offered(Place, p.asked)[0])
    assert p.owner(target) == "axis"


@pytest.mark.rule("hw-neutral-6")
@pytest.mark.parametrize(("place", "target"), [("Q13", "R13"), ("N12", "M13"), ("M13", "M14"), ("L14", "K14"),
                                               ("U15", "U14")])  # fmt: skip
def test_eastern_victims_of_the_axis_join_the_soviets(place: str, target: str):
    p = campaign()
    p.hold(AXIS, place)
    p.army("OKW", place, infantry=5)
    country = ATLAS.country_of[at(target)]
    if ATLAS.country_of[at(place)] != country and p.owner(place) == "axis":
        p.state.unaligned = put(p.state.unaligned, ATLAS.country_of[at(place)], 0)
    fail(p, AXIS, "OKW", target)
    assert p.owner(target) == "soviet"


@pytest.mark.rule("hw-neutral-8")
def test_poland_joins_nobody_until_it_is_conquered():
    p = campaign()
    p.army("OKW", "O12", mechanized=10)
    win(p, AXIS, "OKW", "O13")
    assert p.owner("P12") == "nobody"
    p.army("Moscow", "P14", mechanized=10)
    p.begin(SOVIET, Announce())
    assert p.allows(SOVIET, Attack("Moscow", "P13"))
    fail(p, SOVIET, "Moscow", "P13")
    assert p.owner("P13") == "nobody"
    p.army("Army Group B", "P11", mechanized=10)
    win(p, AXIS, "Army Group B", "P12")
    assert p.owner("P13") == "axis"


@pytest.mark.rule("hw-italy-2", "hw-italy-3", "hw-limit-1")
def test_italy_joins_in_the_axis_production_phase_of_spring_1940():
    p = Position(C1, armies=True).turn("Spring 1940")
    p.begin(AXIS, Movement())
    assert p.rule(AXIS, March("Italian Army", "J10")) == "hw-limit-1"
    assert production(p.state, 0) == 16
    p.begin(AXIS, ProductionPhase())
    assert p.state.budget == 23
    assert {p.owner(x) for x in ("L9", "H10", "J8", "D12", "J12")} == {"axis"}
    p.turn("Summer 1940").begin(AXIS, Movement())
    assert p.allows(AXIS, March("Italian Army", "J10"))


@pytest.mark.rule("hw-limit-1")
def test_unaligned_armies_do_nothing_and_their_industry_is_nobodys():
    p = Position(C1, armies=True)
    p.begin(ALLIES, Movement())
    assert p.rule(ALLIES, March("U.S. Army", "canada")) == "hw-limit-1"
    p.begin(AXIS, Announce())
    assert p.rule(AXIS, Attack("Italian Army", "M9")) == "hw-limit-1"
    assert [production(p.state, side) for side in range(3)] == [16, 8, 23]


@pytest.mark.rule("hw-minor-2", "hw-minor-3", "hw-minor-4", "hw-minor-5")
def test_the_inclined_nations_join_in_summer_1941_with_their_troops():
    p = campaign().turn("Summer 1941")
    p.begin(AXIS, PlayerTurn(0))
    brought = {}
    while p.at_step == "Reinforcements":
        step = p.match.step
        name = ATLAS.countries[step.country].name  # type: ignore[attr-defined]
        brought[name] = dict(step.troops)  # type: ignore[attr-defined]
        home = ATLAS.names[ATLAS.countries[step.country].spaces[0]]  # type: ignore[attr-defined]
        assert not p.allows(AXIS, Place(step.troops, "P10", "OKW"))  # type: ignore[attr-defined]
        army = ATLAS.army_names[len(brought)]
        p.do(AXIS, Place(step.troops, home, army))  # type: ignore[attr-defined]
    assert brought == {
        "finland": {"infantry": 3},
        "hungary": {"infantry": 1, "mechanized": 1},
        "rumania": {"infantry": 2, "mechanized": 1},
    }
    assert {p.owner(x) for x in ("T13", "M13", "L14", "K14")} == {"axis"}
    assert p.at_step == "Movement"


@pytest.mark.rule("hw-minor-5")
def test_finland_brings_its_troops_whenever_it_joins_and_rumania_does_not():
    p = campaign()
    p.army("Moscow", "U16", infantry=3)
    fail_step = p.begin(SOVIET, CombatPhase()).do(SOVIET, Attack("Moscow", "U15"), Done())
    while p.at_step != "Reinforcements":
        p.do(p.asked, Done())
    assert fail_step.asked == AXIS
    p = campaign()
    p.army("Moscow", "M15", infantry=3)
    fail(p, SOVIET, "Moscow", "M14")
    assert p.owner("M14") == "axis"
    assert sum(p.state.strength[:60]) == 0


@pytest.mark.rule("hw-us-2", "hw-us-3")
def test_the_united_states_join_in_spring_1942_and_grow():
    p = Position(C1, armies=True).turn("Winter 1941")
    p.begin(ALLIES, PlayerTurn(2))
    assert p.owner("us") == "nobody"
    base = production(p.state, 2)
    p.turn("Spring 1942").begin(AXIS, PlayerTurn(0))
    assert p.owner("us") == "nobody"
    p.begin(ALLIES, PlayerTurn(2))
    assert p.owner("us") == "allies"
    assert production(p.state, 2) == base + 16
    assert p.allows(ALLIES, March("U.S. Army", "P7")) is False
    assert p.state.idle[no("U.S. Army")] == 0
    p.turn("Summer 1942")
    assert production(p.state, 2) == base + 17
    p.turn("Spring 1943")
    assert production(p.state, 2) == base + 19


@pytest.mark.rule("hw-us-3")
def test_a_captor_of_the_united_states_gets_no_growth():
    p = Position(C1, armies=True).turn("Spring 1942")
    p.begin(ALLIES, PlayerTurn(2))
    p.turn("Winter 1942")
    take(p.m, at("us"), 0)
    assert (p.devastation("us"), production(p.state, 0)) == (18, 16)
    p.turn("Winter 1943")
    assert (capacity(p.state, at("us")), healthy(p.state, at("us"))) == (18, 0)
    take(p.m, at("us"), 2)
    p.turn("Spring 1944")
    assert (capacity(p.state, at("us")), healthy(p.state, at("us"))) == (19, 1)


@pytest.mark.rule("hw-remain-1")
def test_the_others_stay_out_until_attacked():
    p = campaign()
    for turn in ("Spring 1940", "Summer 1941", "Spring 1942"):
        for side in range(3):
            p.turn(turn).begin(("axis", "soviet", "allies")[side], PlayerTurn(side))
    assert {p.owner(x) for x in ("J5", "T12", "I16", "H13", "L12", "T10", "O9", "Q5")} == {"nobody"}


@pytest.mark.rule("hw-remain-2")
def test_the_low_countries_and_the_baltic_states_are_one_nation_each():
    p = campaign()
    p.army("OKW", "Q9", infantry=5)
    fail(p, AXIS, "OKW", "P8")
    assert p.owner("P8") == p.owner("O9") == "allies"
    p = campaign()
    p.army("OKW", "Q13", infantry=5)
    fail(p, AXIS, "OKW", "R13")
    assert p.owner("R13") == p.owner("S14") == "soviet"


@pytest.mark.rule("hw-limit-2")
def test_allied_points_stay_in_france_while_an_axis_point_is_there():
    p = campaign()
    p.army("French First Army", "O8", infantry=5, mechanized=2)
    p.begin(ALLIES, Movement())
    assert p.allows(ALLIES, March("French First Army", "P7"))
    p.hold(AXIS, "N8")
    p.army("OKW", "N8", infantry=1)
    p.match.changed()
    assert p.rule(ALLIES, March("French First Army", "P7")) == "hw-limit-2"
    assert p.allows(ALLIES, March("French First Army", "N7"))
    p.begin(ALLIES, Announce())
    assert p.allows(ALLIES, Attack("French First Army", "P8"))


@pytest.mark.rule("hw-limit-2", "hw-fort-1")
def test_an_axis_fort_in_france_holds_the_allies_there_once_it_is_finished():
    p = campaign().hold(AXIS, "N8")
    p.army("French First Army", "O8", infantry=5)
    p.state.fort, p.state.building = {at("M9"): 7}, {at("N8"): 1}
    p.begin(ALLIES, Movement())
    assert p.allows(ALLIES, March("French First Army", "P7"))
    p.fort("N8", 1).match.changed()
    assert p.rule(ALLIES, March("French First Army", "P7")) == "hw-limit-2"


@pytest.mark.rule("hw-limit-2", "hw-missile-2")
def test_missile_points_in_france_hold_and_are_held_like_others():
    p = Position("campaign-2").hold(AXIS, "M8")
    p.army("French First Army", "O8", infantry=5)
    p.columns(missile_at=put(put((-1,) * 9, 0, at("M8")), 6, at("O8")), missiles=put(put((0,) * 9, 0, 1), 6, 1))
    p.begin(ALLIES, Movement())
    assert p.rule(ALLIES, March("French First Army", "P7")) == "hw-limit-2"
    assert p.rule(ALLIES, MoveMissile("Missile 1", "P7")) == "hw-limit-2"
    assert p.allows(ALLIES, MoveMissile("Missile 1", "N7"))
    p.columns(missile_at=put(p.state.missile_at, 0, -1)).match.changed()
    assert p.allows(ALLIES, MoveMissile("Missile 1", "P7"))


@pytest.mark.rule("hw-limit-3")
def test_siberia_waits_for_winter_1941():
    p = Position(C1, armies=True).turn("Summer 1941").begin(SOVIET, Movement())
    assert p.rule(SOVIET, March("Siberia", "Q17")) == "hw-limit-3"
    p.turn("Winter 1941").begin(SOVIET, Movement())
    assert p.allows(SOVIET, March("Siberia", "Q17"))


@pytest.mark.rule("hw-c1-setup-axis", "hw-c1-setup-soviet", "hw-c1-setup-allied")
def test_armies_and_forts_of_1939():
    p = Position(C1, armies=True)
    found = {n: (p.where(n), *p.strength(n).values()) for n in ATLAS.army_names if p.where(n)}
    assert found == {
        "Army Group North": ("Q13", 2), "Fourth Army": ("P11", 2, 3), "Army Group South": ("N12", 3, 7),
        "Army Group West": ("N9", 4), "Italian Army": ("L9", 4, 1),
        "Moscow": ("Q17", 2, 2), "Leningrad": ("T15", 3), "White Russian": ("R14", 4, 2),
        "First Ukrainian": ("P14", 4, 2),
        "Siberia": ("siberia", 2, 3),
        "Britain": ("P7", 2, 2, 1), "French First Army": ("O8", 5, 2), "U.S. Army": ("us", 8, 3, 1),
    }  # fmt: skip
    assert {ATLAS.names[x]: n for x, n in p.state.fort.items()} == {"N9": 1, "H4": 2, "G11": 1, "N8": 7, "M9": 7}


@pytest.mark.rule("hw-c1-production")
def test_production_of_1939():
    p = Position(C1, armies=True)
    assert [budget(p.state, side) for side in range(3)] == [16, 8, 23]


@pytest.mark.rule("hw-c1-inherit", "hw-c2-inherit")
def test_the_campaigns_keep_the_earlier_rules():
    for scenario in ("campaign-1", "campaign-2"):
        p = Position(scenario)
        p.army("OKW", "Q9", amphibious=2)
        p.begin(AXIS, Announce())
        assert p.offered(Invade, AXIS)
        assert p.owner("Q13") == "axis"
        p.army("Army Group A", "P10", infantry=12)
        p.begin(AXIS, Movement()).do(AXIS, Done())
        assert p.at_step == "Overstacked"
    assert set(GAME.scenarios) == {"barbarossa", "fall-of-germany", "campaign-1", "campaign-2"}


@pytest.mark.rule("hw-us-2", "hw-neutral-2")
def test_a_country_overrun_in_one_phase_does_not_join_anybody_later():
    p = campaign().turn("Winter 1941")
    p.army("OKW", "us", mechanized=9)
    p.hold(AXIS, "us")
    p.state.violated = having(p.state.violated, ATLAS.country_index["united_states"], 0)
    p.begin(AXIS, CombatPhase()).do(AXIS, Done())
    p.turn("Spring 1942").begin(ALLIES, PlayerTurn(2))
    assert p.owner("us") == "axis"
    assert p.state.america == 0
