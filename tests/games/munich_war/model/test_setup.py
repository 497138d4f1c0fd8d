"""Chapter 3: scenarios and initial deployment, with options 23.1 and 23.6."""

from collections import Counter

import pytest

from sandtable.core import Match
from sandtable.games.munich_war.facts.stacking import broken_limit
from sandtable.games.munich_war.game import GAME
from sandtable.games.munich_war.model.actions import DefaultSetup, Place
from sandtable.games.munich_war.model.atlas import ALLIES, ATLAS, AXIS, NOBODY, SIDES
from sandtable.games.munich_war.model.setup import SLOTS, order_of_setup
from sandtable.games.munich_war.model.state import AVAILABLE, ELIMINATED, REINFORCEMENT, UNPLACED
from sandtable.games.munich_war.rules.setup_phase import Deploy
from sandtable.games.munich_war.sequence import Turn
from tests.games.munich_war.positions import Position, SixSidedDice, at, country, unit

SCENARIOS = list(ATLAS.rules["scenarios"])


def started(scenario: str, dice=(), **options) -> Match:
    """A match with every country in its default set-up."""
    chosen = {name.replace("_", "-"): value for name, value in options.items()}
    match = Match.new(GAME, scenario, chosen, dice=SixSidedDice(dice) if dice else None, history=False)
    while isinstance(match.step, Deploy):
        match.apply(match.decisions()[0], DefaultSetup())
    return match


def deploying(name: str, scenario: str = "general-war", **options) -> Position:
    """Only this country is to be set up."""
    war = Position(scenario, turn=0, **options)
    war.state.stack = (Turn(), Deploy(country(name), ATLAS.plans[war.state.plan].deployer[country(name)]))
    war.m._moved = True
    war.m.settle()
    return war


@pytest.mark.rule("mw-3.2")
def test_a_scenario_is_chosen_or_rolled():
    for die, number in ((1, 1), (2, 1), (3, 2), (4, 3), (5, 4), (6, 5)):
        match = Match.new(GAME, "by-die", dice=SixSidedDice([die]), history=False)
        assert match.state.plan == number
    for name, number in ATLAS.rules["scenarios"].items():
        assert Match.new(GAME, name, dice=SixSidedDice([]), history=False).state.plan == number


@pytest.mark.rule("mw-3.3-start", "mw-20.0-a")
def test_play_begins_in_october_in_good_weather():
    match = started("little-entente")
    assert match.state.turn == 1
    assert ATLAS.turn_names[0] == "October I"
    assert not match.state.storm


SIDES_OF = {
    "western-powers-guarantee": (
        "Germany Poland Hungary", "Czechoslovakia Great-Britain France", "Italy", "Soviet-Union", 6),
    "little-entente": ("Germany Hungary", "Czechoslovakia Romania Yugoslavia", "Italy", "Poland France", 4),
    "intermarium": (
        "Germany Soviet-Union", "Czechoslovakia Poland Lithuania Latvia Estonia Romania", "Hungary",
        "Yugoslavia Finland France", 6),
    "anti-comintern-war": (
        "Germany Italy Poland", "Czechoslovakia Soviet-Union Romania", "Hungary Finland", "Yugoslavia France", 8),
    "general-war": (
        "Germany Italy Hungary Romania", "Czechoslovakia Great-Britain France Poland", "Finland",
        "Soviet-Union Yugoslavia", 8),
}  # fmt: skip


def numbers(words: str) -> set[int]:
    return {country(word.replace("-", " ")) for word in words.split()}


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.rule("mw-table-scenario-1", "mw-table-scenario-2", "mw-table-scenario-3", "mw-table-scenario-4",
                  "mw-table-scenario-5", "mw-3.4-a", "mw-3.4-b")  # fmt: skip
def test_the_scenario_table(scenario):
    axis, allies, late_axis, late_allies, turns = SIDES_OF[scenario]
    match = started(scenario)
    side = match.state.side
    assert {number for number, who in enumerate(side) if who == AXIS} == numbers(axis)
    assert {number for number, who in enumerate(side) if who == ALLIES} == numbers(allies)
    plan = ATLAS.plans[match.state.plan]
    assert set(plan.intervention[AXIS]) == numbers(late_axis)
    assert set(plan.intervention[ALLIES]) == numbers(late_allies)
    assert all(side[number] == NOBODY for late in plan.intervention for number in late)
    assert plan.turns == turns == GAME.scenarios[scenario].turns


@pytest.mark.rule("mw-3.4.1-a", "mw-3.4.1-b", "mw-3.4.1-b-exception", "mw-3.4.1-c", "mw-3.4.1-d")
def test_the_order_of_setup():
    small = ["Belgium", "Netherlands", "Denmark", "Lithuania", "Latvia", "Estonia"]
    for scenario, number in ATLAS.rules["scenarios"].items():
        order = [(ATLAS.countries[who].name, SIDES[side]) for who, side in order_of_setup(ATLAS.plans[number])]
        assert order[:6] == [(name, "allies") for name in small]
        assert order[6] == ("Finland", "allies" if scenario == "intermarium" else "axis")
        rest = order[7:]
        _, allies, late_axis, late_allies, _ = SIDES_OF[scenario]
        third = [name for name, side in rest if side == "allies"]
        assert rest == [(name, "allies") for name in third] + [(n, s) for n, s in rest if s == "axis"]
        assert {country(name) for name in third} == (numbers(allies) | numbers(late_allies)) - {
            country(name) for name in [*small, "Finland"]
        }
        assert numbers(late_axis) - {country("Finland")} <= {country(name) for name, side in rest if side == "axis"}


@pytest.mark.rule("mw-3.4.1-note", "mw-5.2-c")
def test_the_first_countries_are_neutral_and_two_have_no_units():
    match = started("general-war")
    for name in ("Belgium", "Netherlands", "Denmark", "Lithuania", "Latvia", "Estonia", "Finland"):
        assert match.state.side[country(name)] == NOBODY
        assert any(match.state.where[number] >= 0 for number in ATLAS.countries[country(name)].units)
    for name in ("Luxembourg", "Switzerland"):
        assert ATLAS.countries[country(name)].units == ()


TABLE = {
    "Germany": ("fortification 2 armor 2 armored_cavalry 1 mech_infantry 1 infantry 13 second_line 4 alpine 1 aaa 3",
                "airstrike 3 airlift 1 naval_transport 1 special_forces 3", 0,
                "armor 1 infantry 3 marines 1 aaa 1 motorized_aaa 1 airstrike 2"),
    "Czechoslovakia": ("fortification 6 infantry 4 second_line 3 armored_cavalry 1", "", 0, "infantry 1 airstrike 1"),
    "Belgium": ("fortification 1 infantry 1 cavalry 1", "", 1, ""),
    "Denmark": ("infantry 1", "", 0, ""), "Estonia": ("infantry 1", "", 0, ""),
    "Latvia": ("infantry 1", "", 0, ""), "Lithuania": ("infantry 1", "", 0, ""),
    "Finland": ("fortification 1 infantry 1", "", 0, "infantry 1"),
    "France": ("fortification 4 infantry 6 alpine 1 armored_cavalry 1",
               "airstrike 1 naval_bombardment 1 naval_transport 1", 4,
               "infantry 2 mech_infantry 1 marines 1 airstrike 1"),
    "Great Britain": ("armor 1 infantry 1 aaa 1", "airstrike 2 naval_bombardment 1 naval_transport 1", 1,
                      "infantry 1 second_line 1 marines 1 airstrike 1 special_forces 1"),
    "Hungary": ("infantry 1 cavalry 1", "", 0, "infantry 1"),
    "Italy": ("infantry 4 alpine 1 second_line 1", "airstrike 2 naval_bombardment 1 naval_transport 1", 2,
              "mech_infantry 1 infantry 1 marines 1"),
    "Netherlands": ("infantry 1", "", 0, ""),
    "Poland": ("fortification 3 infantry 5 alpine 1 cavalry 1", "airstrike 1", 2, "infantry 2"),
    "Romania": ("infantry 2 alpine 1", "", 2, "cavalry 1"),
    "Soviet Union": ("fortification 4 infantry 6 armor 2 armored_cavalry 1 security 1",
                     "airstrike 2 special_forces 1", 13,
                     "infantry 3 mech_infantry 1 airstrike 1 special_forces 1"),
    "Yugoslavia": ("infantry 2", "", 2, "infantry 1 alpine 1"),
}  # fmt: skip
DEPLOYMENT_RULES = (
    "mw-table-deploy-germany", "mw-table-reinf-germany", "mw-table-deploy-czech", "mw-table-deploy-belgium",
    "mw-table-deploy-small", "mw-table-deploy-finland", "mw-table-deploy-france", "mw-table-deploy-britain",
    "mw-table-deploy-hungary", "mw-table-deploy-italy", "mw-table-deploy-netherlands", "mw-table-deploy-poland",
    "mw-table-deploy-romania", "mw-table-deploy-soviet", "mw-table-deploy-yugoslavia",
)  # fmt: skip


def listed(words: str) -> Counter:
    parts = words.split()
    return Counter(dict(zip(parts[::2], map(int, parts[1::2]), strict=True)))


@pytest.mark.rule(*DEPLOYMENT_RULES)
@pytest.mark.rule("mw-3.4.2-d", "mw-3.4.2-f", "mw-3.4.3", "mw-table-reinf-r")
def test_the_deployment_table():
    """Every country's default set-up has just the counters, strengths and displays of the table."""
    for scenario in SCENARIOS:
        match = started(scenario)
        where, steps = match.state.where, match.state.steps
        for number in ATLAS.plans[match.state.plan].deployer:
            face = ATLAS.countries[number]
            on_map, ready, reduced, later = TABLE[face.name]
            mine = [ATLAS.units[place] for place in face.units if not ATLAS.units[place].optional]
            assert Counter(u.type for u in mine if where[u.index] >= 0) == listed(on_map), face.name
            assert Counter(u.type for u in mine if where[u.index] == AVAILABLE) == listed(ready), face.name
            assert Counter(u.type for u in mine if where[u.index] == REINFORCEMENT) == listed(later), face.name
            assert sum(1 for u in mine if where[u.index] >= 0 and steps[u.index] < u.steps) == reduced, face.name
    germans = [ATLAS.units[unit(name)] for name in ("GE-16", "GE-18")]
    assert all(where[face.index] >= 0 for face in germans)
    assert where[unit("GE-15")] == where[unit("GE-SS")] == where[unit("GE-HG")] == REINFORCEMENT
    match = started("general-war")
    assert match.state.where[unit("GE-F1")] == at("1812")
    assert match.state.where[unit("GB-ADC")] == at("1110")


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.rule("mw-3.4.2-e", "mw-3.4.2-g")
def test_default_setups_are_sound(scenario):
    match = started(scenario)
    assert match.faults() == []
    stacks: dict[int, list[int]] = {}
    for face in ATLAS.units:
        place = match.state.where[face.index]
        if place >= 0:
            stacks.setdefault(place, []).append(face.index)
            assert ATLAS.country_of[place] == face.country
            assert not face.fort or ATLAS.fort_symbols >> place & 1
    for place, stack in stacks.items():
        assert broken_limit(stack, place) is None
        assert sum(ATLAS.units[number].fort for number in stack) <= 1


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.rule("mw-3.4-a")
def test_default_setups_leave_no_great_city_or_port_to_the_first_comer(scenario):
    match = started(scenario)
    held = {match.state.where[unit] for unit in ATLAS.land_units}
    mobile = {match.state.where[unit] for unit in ATLAS.land_units if ATLAS.units[unit].mobile}
    assert set(map(at, ("2511", "2109", "2010", "2009"))) <= held
    assert at("2511") in mobile
    assert at("3019") in mobile


@pytest.mark.rule("mw-3.4.2-a")
def test_named_counters_must_be_used():
    war = deploying("Germany")
    assert war.allows(Place("GE-16", "2511", "full"))
    assert war.refused(Place("GE-15", "2511", "full")).rule == "mw-3.4.2-a"
    war = deploying("Great Britain")
    assert war.where("GB-A1") == war.where("GB-A2") == "available"
    assert war.where("GB-FC") == "reinforcement"


@pytest.mark.rule("mw-3.4.2-b")
def test_otherwise_any_counter_of_the_type_will_do():
    war = deploying("Hungary")
    war.do(Place("HU-2", "3019", "full"))
    assert war.refused(Place("HU-1", "3018", "full")).rule == "mw-3.4.2-b"
    war.do(Place("HU-C", "3018", "full"))
    assert (war.where("HU-2"), war.where("HU-1")) == ("3019", "reinforcement")


@pytest.mark.rule("mw-3.4.2-c")
def test_units_set_up_at_home_and_where_the_table_says():
    war = deploying("Germany")
    assert war.refused(Place("GE-01", "2515", "full")).reason == "not-home"
    assert war.refused(Place("GE-SP", "2511", "full")).reason == "not-at-border"
    assert war.allows(Place("GE-SP", "1715", "full"))
    assert war.refused(Place("GE-F1", "2412", "full")).reason == "no-city"
    war.do(Place("GE-F1", "2511", "full"))
    war.do(Place("GE-F2", "2312", "full"))
    assert war.refused(Place("GE-F3", "2117", "full")).reason == "one-must-be-at"
    assert war.allows(Place("GE-F3", "1812", "full"))
    assert war.refused(Place("GE-01", "2419", "full")).rule == "mw-19.0-mountain"
    assert war.allows(Place("GE-GEB", "2419", "full"))


@pytest.mark.rule("mw-3.4.2-e", "mw-2.1-errata-a")
def test_forts_go_one_each_into_hexes_with_the_symbol():
    war = deploying("Germany")
    assert war.refused(Place("GE-OQ", "2814", "full")).rule == "mw-3.4.2-e"
    war.do(Place("GE-OQ", "3209", "full"))
    assert war.refused(Place("GE-KB", "3209", "full")).rule == "mw-9.0-f"
    assert war.allows(Place("GE-KB", "2711", "full"))


@pytest.mark.rule("mw-3.4.2-d")
def test_strength_is_full_but_for_the_units_marked_reduced():
    war = deploying("Italy")
    assert war.refused(Place("IT-ALP", "1620", "reduced")).rule == "mw-3.4.2-d"
    for place, name in (("1621", "IT-1"), ("1821", "IT-2")):
        war.do(Place(name, place, "full"))
    assert war.refused(Place("IT-3", "2021", "full")).rule == "mw-3.4.2-d"
    war.do(Place("IT-3", "2021", "reduced"))
    assert war.steps("IT-3") == 1


@pytest.mark.rule("mw-3.4.2-g")
def test_setup_obeys_stacking():
    war = deploying("Hungary")
    war.do(Place("HU-1", "3019", "full"))
    assert war.refused(Place("HU-C", "3019", "full")).rule == "mw-9.0-e"


@pytest.mark.rule("mw-3.4.2-h")
def test_setup_in_an_enemy_zone_is_allowed():
    war = deploying("Germany")
    war.put("CZ-1", "2514")
    assert war.zoc(ALLIES, "2513")
    assert war.allows(Place("GE-01", "2513", "full"))


@pytest.mark.rule("mw-5.6-danzig")
def test_nobody_sets_up_in_danzig_and_it_is_polish_with_poland():
    war = deploying("Poland")
    assert war.refused(Place("PL-LOD", "3009", "full")).rule == "mw-5.6-danzig"
    assert ATLAS.country_of[at("3009")] == country("Poland")
    entente = Position("little-entente").put("GE-01", "2809")
    from sandtable.games.munich_war.model.actions import Move
    from sandtable.games.munich_war.rules.movement_phase import Movement

    entente.phase(Movement(AXIS))
    assert entente.refused(Move("GE-01", "3009")).reason == "closed"
    assert not entente.controls(ALLIES, "3009")
    entente.join("Poland", ALLIES)
    assert entente.controls(ALLIES, "3009")


@pytest.mark.rule("mw-5.6-zara")
def test_zara_is_italian():
    assert ATLAS.country_of[at("2423")] == country("Italy")
    assert Position().controls(AXIS, "2423")


@pytest.mark.rule("mw-3.4.3")
def test_counters_not_set_up_wait_as_reinforcements():
    war = deploying("Finland")
    war.do(Place("FI-ML", "4001", "full"))
    war.do(Place("FI-2", "3602", "full"))
    assert war.where("FI-K") == "reinforcement"


@pytest.mark.rule("mw-23.1")
def test_option_additional_armored_forces():
    match = started("general-war", additional_armored_forces=True)
    where, steps = match.state.where, match.state.steps
    assert where[unit("GE-19")] >= 0
    assert where[unit("FR-DEG")] >= 0
    assert steps[unit("GB-MC")] == 2
    gone = [face for face in ATLAS.units if where[face.index] == ELIMINATED]
    assert Counter((ATLAS.countries[face.country].name, face.type, face.size) for face in gone) == {
        ("Germany", "infantry", "XXX"): 2, ("France", "infantry", "XXXX"): 1,
    }  # fmt: skip
    armies = [f for f in ATLAS.units if f.country == country("France") and f.type == "infantry" and where[f.index] >= 0]
    assert sorted(steps[face.index] for face in armies) == [1, 1, 1, 1, 2]
    war = deploying("Germany", additional_armored_forces=True)
    war.do(Place("GE-13", "eliminated", "full"))
    assert war.where("GE-13") == "eliminated"
    plain = started("general-war")
    assert plain.state.steps[unit("GB-MC")] == 1


@pytest.mark.rule("mw-23.6")
def test_option_soviet_preparedness():
    dice = [5, 6, 4, 1] + [4] * 5 + [5] + [6, 1] + [5]  # forts, six armies, two armored armies, one cavalry corps
    match = started("general-war", dice=dice, soviet_preparedness=True)
    mine = [ATLAS.units[number] for number in ATLAS.countries[country("Soviet Union")].units]
    full = Counter(f.type for f in mine if match.state.where[f.index] >= 0 and match.state.steps[f.index] == 2)
    assert full == {"fortification": 2, "infantry": 1, "armor": 1, "armored_cavalry": 1}
    assert match.state.rolled == 13


def test_every_slot_of_every_country_can_be_set_up_by_hand():
    """Random placing never ends in a country that cannot be finished: the default is always there."""
    for number in ATLAS.plans[5].deployer:
        assert SLOTS[number, False]
    war = deploying("Belgium")
    assert war.offered(DefaultSetup)
    assert UNPLACED in war.state.where
