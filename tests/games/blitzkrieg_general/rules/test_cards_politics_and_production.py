"""The cards that change alliances, borders and production flags."""

import pytest

from sandtable.core import Refusal
from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.model import events as ev
from sandtable.games.blitzkrieg_general.model.actions import (
    Announce,
    Build,
    Buy,
    Disband,
    Done,
    Form,
    Halt,
    LendTo,
    Load,
    March,
    PlayCard,
    Railroad,
    Raise,
    ReturnCard,
    Sail,
    Unload,
)
from sandtable.games.blitzkrieg_general.model.state import BUILDING, move_unit, remove
from sandtable.games.blitzkrieg_general.rules.cards.card_phase import CardPhase, deal_with
from sandtable.games.blitzkrieg_general.rules.cards.playing import is_obsolete, play, play_what_must_be, why_not_play
from sandtable.games.blitzkrieg_general.rules.control_phase import occupy
from sandtable.games.blitzkrieg_general.rules.movement_phase import Phase
from sandtable.games.blitzkrieg_general.rules.politics import declare, why_not_declare
from sandtable.games.blitzkrieg_general.rules.production import navy_owed
from sandtable.games.blitzkrieg_general.rules.production_phase import LendLease, Production
from sandtable.games.blitzkrieg_general.rules.research_phase import Research
from sandtable.games.blitzkrieg_general.rules.supply import check_supply
from sandtable.games.blitzkrieg_general.rules.timetable import check_peace, check_time_table
from tests.games.blitzkrieg_general.positions_advanced import MAJORS, A, Position, card, nation, space, unit


def say(war: Position, major: str, name: str, on: str = "") -> Position:
    play(war.m, MAJORS.index(major), PlayCard(name, on))
    return war


def may(war: Position, major: str, name: str, moment: str) -> bool:
    return why_not_play(war.state, MAJORS.index(major), card(name), moment) is None


@pytest.mark.rule("bg-card-axis-minor-activation", "bg-time-2-40-card")
def test_germany_activates_an_axis_minor_of_its_choice_or_a_neutral_italy():
    war = Position().hand("germany", "axis_minor_activation").phase(Phase("land"))
    war.put("germany-inf-2", "prussia").phase(Phase("land"))
    assert {a.on for a in war.offered(PlayCard, "germany")} == {"finland", "romania", "hungary", "bulgaria", "italy"}
    before = war.production("germany")
    war.do(PlayCard("axis_minor_activation", "hungary"), "germany")
    assert war.side("hungary") == "axis"
    assert war.units_at("hungary") == ["hungary-air-1", "hungary-inf-2"]
    assert war.production("germany") == before + 1
    assert war.state.deck[-1] == card("axis_minor_activation")
    rome = Position(turn="4/39").hand("germany", "axis_minor_activation")
    say(rome, "germany", "axis_minor_activation", "italy")
    assert rome.at_war("italy", "be")
    assert rome.at_war("italy", "france")


@pytest.mark.rule("bg-card-force-peace", "bg-8.2-return-neutral")
def test_the_peace_ends_the_war_relocates_units_and_is_tested_every_turn():
    war = Position(turn="2/42").hand("japan", "force_peace")
    assert not may(war, "japan", "force_peace", "land")
    war.war("japan", "ussr").own("japan", "vladivostok")
    assert may(war, "japan", "force_peace", "land")
    intruder = war.add("japan-inf-2", "usbekistan")
    say(war, "japan", "force_peace")
    assert not war.at_war("japan", "ussr")
    assert war.where(intruder) != "usbekistan"
    assert war.holder(war.where(intruder)) == "japan"
    refused = why_not_declare(war.state, nation("japan"), nation("ussr"))
    assert refused is not None
    assert refused.rule == "bg-card-force-peace"
    war.dice(6, 3)
    check_peace(war.m)  # 9 + 2 for 1942
    assert war.state.peace >= 0
    war.dice(6, 4)
    check_peace(war.m)  # 12
    assert war.state.peace == -1
    assert war.state.deck[-1] == card("force_peace")
    assert not war.at_war("japan", "ussr")
    assert why_not_declare(war.state, nation("japan"), nation("ussr")) is None


@pytest.mark.rule("bg-card-force-peace-china", "bg-8.2-ussr-japan")
def test_while_the_peace_lasts_china_and_the_ussr_keep_apart():
    war = Position("1941-advanced").war("germany", "ussr")
    guest = war.add("china-inf-3", "ural")
    soviet = war.add("ussr-inf-3-red", "jablonovy")
    war.phase(Phase("land"), side="allies")
    assert war.refused(March(soviet, "gobi", "jablonovy"), "ussr").rule == "bg-8.2-ussr-japan"
    # a Chinese pocket that reaches only Soviet land has no supply
    check_supply(war.state)
    assert war.state.flags[unit(guest)] & 64
    # when the peace is made the guest goes home
    fresh = Position(turn="2/42").war("japan", "ussr").war("germany", "ussr").hand("japan", "force_peace")
    guest = fresh.add("china-inf-3", "irkutsk")
    say(fresh, "japan", "force_peace")
    assert fresh.holder(fresh.where(guest)) == "china"
    # without the peace a common enemy opens the land
    free = Position(turn="2/42").war("japan", "ussr")
    friend = free.add("ussr-inf-3-red", "jablonovy")
    free.phase(Phase("land"), side="allies")
    assert free.allows(March(friend, "gobi", ""), "ussr")


@pytest.mark.rule("bg-card-vichy", "bg-time-vichy", "bg-8.6-maginot")
def test_three_french_areas_let_germany_install_vichy():
    war = Position(turn="2/40").hand("germany", "french_vichy_surrender").own("germany", "normandy", "paris")
    assert not may(war, "germany", "french_vichy_surrender", "land")
    war.own("germany", "maginot")
    assert may(war, "germany", "french_vichy_surrender", "land")
    army = war.add("france-inf-3", "western_france")
    builder = unit(war.add("france-arm-4", "paris"))

    move_unit(war.state, builder, BUILDING)
    war.state.due = put(war.state.due, builder, war.state.turn + 1)
    war.dice(*[1] * 12)
    say(war, "germany", "french_vichy_surrender")
    assert war.where(army) in ("pool", "vichy", "algeria", "morocco", "syria", "indochine")
    assert war.state.place[builder] != BUILDING
    for area in ("paris", "normandy", "maginot", "western_france"):
        assert war.holder(area) == "germany"
    for area in ("vichy", "algeria", "morocco", "syria", "indochine"):
        assert war.holder(area) == "vichy_france"
    assert war.standing("france") == "conquered"
    assert not war.state.fortress
    assert war.pile("french_vichy_surrender") == "table"


@pytest.mark.rule("bg-card-vichy-garrison")
def test_vichy_and_its_colonies_get_a_reduced_random_unit_and_the_v_units_come_back_later():
    war = Position(turn="2/40").hand("germany", "french_vichy_surrender").own("germany", "normandy", "paris", "maginot")
    war.own("italy", "syria")
    war.dice(*[1] * 12)
    say(war, "germany", "french_vichy_surrender")
    for area in ("vichy", "algeria", "morocco", "indochine"):
        units = war.state.here[space(area)]
        assert len(units) == 1
        assert war.state.flipped[units[0]]
        assert A.printed_nation[units[0]] == nation("france")
        assert war.state.nation[units[0]] == nation("vichy_france")
    assert not war.state.here[space("syria")]
    coming = [u for u in range(A.units) if war.state.place[u] == BUILDING]
    assert {A.tag[u] for u in coming} == {"V"}
    assert {war.state.due[u] for u in coming} == {war.state.turn + 3}
    assert war.state.master[nation("vichy_france")] == nation("italy")


@pytest.mark.rule("bg-card-vichy-neutral")
def test_an_attack_on_vichy_is_an_attack_on_a_neutral():
    war = Position("1941-advanced")
    garrison = war.add("france-inf-2-v", "algeria", as_nation="vichy_france")
    british = war.add("be-inf-3", "gibraltar")
    war.phase(Phase("land"), side="allies")
    assert not war.allows(March(british, "morocco", "gibraltar"), "be")
    level = war.state.us_level
    # nobody stacks with Vichy, and it has no production
    italian = war.add("italy-inf-2", "tripolitania")
    war.phase(Phase("land"))
    assert not war.allows(March(italian, "algeria", "tripolitania"), "italy")
    assert sum(war.production(n) for n in ("italy",)) == 5
    declare(war.m, nation("be"), nation("vichy_france"))
    assert war.state.us_level == level - 1
    assert war.state.master[war.state.nation[unit(garrison)]] == nation("italy")
    other = Position("1941-advanced")
    level = other.state.us_level
    declare(other.m, nation("germany"), nation("vichy_france"))
    assert other.state.us_level == level + 1
    assert other.state.master[nation("vichy_france")] == nation("be")


@pytest.mark.rule("bg-card-vichy-reconquest")
def test_a_freed_france_lives_beside_vichy_and_gets_its_colonies_when_vichy_is_taken():
    war = Position("1941-advanced").war("usa", "germany")
    occupy(war.m, space("normandy"), nation("usa"))
    assert war.standing("france") == "at war"
    assert war.holder("normandy") == "france"
    assert war.holder("algeria") == "vichy_france"
    declare(war.m, nation("usa"), nation("vichy_france"))
    occupy(war.m, space("vichy"), nation("usa"))
    assert war.holder("vichy") == "france"
    assert war.holder("algeria") == "france"


@pytest.mark.rule("bg-card-italian-surrender")
def test_italy_surrenders_when_africa_and_an_italian_area_are_lost():
    war = Position(turn="3/43").hand("usa", "italian_surrender")
    war.war("italy", "be").war("usa", "italy")
    war.own("be", "tripolitania", "cyreneica", "abessinia")
    assert not may(war, "usa", "italian_surrender", "land")
    war.own("usa", "southern_italy")
    assert may(war, "usa", "italian_surrender", "land")
    war.own("italy", "tripolitania")
    assert not may(war, "usa", "italian_surrender", "land")
    war.own("be", "tripolitania")
    soldier = war.add("italy-inf-3", "northern_italy")
    before = war.production("germany")
    say(war, "usa", "italian_surrender")
    assert war.where(soldier) == "pool"
    assert war.holder("northern_italy") == "germany"
    assert war.production("germany") == before + 3
    assert war.standing("italy") == "conquered"
    assert war.pile("italian_surrender") == "out"


@pytest.mark.rule("bg-card-japan-indochine", "bg-time-indochine-adv", "bg-7.2-events-plus")
def test_japan_takes_indochine_by_card_after_the_fall_of_france():
    war = Position(turn="3/40").hand("japan", "japan_occupies_indochine")
    french = war.add("france-inf-2", "indochine")
    mine = war.add("japan-inf-3", "canton")
    war.own("japan", "canton")
    assert not may(war, "japan", "japan_occupies_indochine", "land")
    war.phase(Phase("land"))
    assert not war.allows(March(mine, "indochine", "canton"), "japan")
    war.state.french_fell = True
    level = war.state.us_level
    say(war, "japan", "japan_occupies_indochine")
    assert war.holder("indochine") == "japan"
    assert war.where(french) == "pool"
    assert war.state.us_level == level + 1
    assert not war.at_war("japan", "usa")
    assert war.pile("japan_occupies_indochine") == "out"


@pytest.mark.rule("bg-card-partisans")
def test_partisans_raise_two_flags_in_empty_enemy_held_areas_of_the_own_country():
    war = Position().hand("china", "partisans")
    assert not may(war, "china", "partisans", "land")
    war.own("japan", "sinkiang", "canton", "wuhan", "chansa").put("japan-inf-2", "canton")
    assert may(war, "china", "partisans", "land")
    war.put("china-inf-2", "sian").phase(Phase("land"), side="allies").do(PlayCard("partisans", ""), "china")
    assert not war.allows(Raise("canton"), "china")
    assert not war.allows(Raise("manchuria"), "china")
    war.do(Raise("wuhan"), "china").do(Raise("sinkiang"), "china")
    assert war.holder("wuhan") == war.holder("sinkiang") == "china"
    assert not war.offers_any(Raise, "china")
    assert war.holder("chansa") == "japan"
    assert war.state.deck[-1] == card("partisans")


# ---- production
@pytest.mark.rule("bg-card-foreign-troops", "bg-card-militia")
def test_recruits_and_militia_add_one_for_good():
    war = Position().hand("germany", "foreign_troops_recruitment", "militia")
    assert not may(war, "germany", "foreign_troops_recruitment", "land")
    assert not may(war, "germany", "militia", "land")
    war.war("germany", "ussr").put("be-inf-3", "bavaria")
    assert may(war, "germany", "militia", "land")
    before = war.production("germany")
    say(war, "germany", "foreign_troops_recruitment")
    assert war.production("germany") == before + 1
    say(war, "germany", "militia")
    assert war.production("germany") == before + 2
    assert war.pile("foreign_troops_recruitment") == "table"


@pytest.mark.rule("bg-card-lend-lease-be")
def test_the_empire_must_take_and_play_lend_lease_for_the_ussr():
    war = Position("1941-advanced").points(**dict.fromkeys(MAJORS, 5)).deck("lend_lease_be_ussr", "spies")
    war.state.initiative = 1
    war.run(CardPhase.begin(war.m))
    assert not war.allows(ReturnCard(), "be")
    war.do(Buy("lend_lease_be_ussr"), "be")
    war.state.turn += 1
    play_what_must_be(war.m)
    assert war.pile("lend_lease_be_ussr") == "be"  # the USSR is not at war with Germany
    war.war("germany", "ussr")
    raider = war.add("germany-inf-2", "scotland")
    play_what_must_be(war.m)
    assert war.pile("lend_lease_be_ussr") == "be"  # an Axis unit stands in the United Kingdom

    remove(war.state, unit(raider))
    british, soviet = war.production("be"), war.production("ussr")
    play_what_must_be(war.m)
    assert war.pile("lend_lease_be_ussr") == "table"
    assert (war.production("be"), war.production("ussr")) == (british - 3, soviet + 3)
    assert "ussr" in A.cards[card("lend_lease_be_ussr")].buyers


@pytest.mark.rule("bg-card-lend-lease-usa")
def test_the_usa_hands_five_points_a_quarter_to_an_associate():
    war = Position().hand("usa", "lend_lease_usa")
    war.state.us_level = 10
    war.own("usa")
    assert not may(war, "usa", "lend_lease_usa", "production")
    war.state.us_level = 11
    war.own("usa")
    assert may(war, "usa", "lend_lease_usa", "production")
    war.table("usa", "lend_lease_usa").points(usa=11, be=3).run(LendLease())
    assert not war.allows(LendTo("germany"), "usa")
    war.do(LendTo("be"), "usa")
    assert war.state.points[MAJORS.index("usa")] == 6
    assert war.state.points[MAJORS.index("be")] == 8


@pytest.mark.rule("bg-card-us-production")
def test_american_pre_war_production_grows_by_four_after_an_attack_on_the_ussr_or_the_uk():
    war = Position("1941-advanced").hand("usa", "increase_us_production")
    assert not may(war, "usa", "increase_us_production", "us-entry")
    declare(war.m, nation("germany"), nation("ussr"))
    assert may(war, "usa", "increase_us_production", "us-entry")
    before = war.production("usa")
    say(war, "usa", "increase_us_production")
    assert war.production("usa") == before + 4
    assert war.pile("increase_us_production") == "table"
    invaded = Position().hand("usa", "increase_us_production")
    invaded.state.uk_invaded = True
    assert may(invaded, "usa", "increase_us_production", "us-entry")


@pytest.mark.rule("bg-card-us-production")
def test_an_axis_landing_in_the_united_kingdom_is_remembered():

    war = Position()
    conv = war.add("germany-conv-1", "skagerrak")
    inf = war.add("germany-inf-3", "western_germany")
    war.phase(Phase("naval")).do(Form("skagerrak", (conv,)), "germany").do(Load(conv, inf)).do(Sail("north_sea"))
    assert not war.state.uk_invaded
    war.do(Unload(inf, "england")).do(Halt())
    war.everybody_done().dice(1).fight()
    assert war.state.uk_invaded


@pytest.mark.rule("bg-card-japanese-navy")
def test_japan_must_take_the_navy_card_and_spend_six_points_on_ships():
    for drawer, wanted in (("japan", "table"), ("be", "table"), ("germany", "deck"), ("italy", "deck")):
        war = Position().points(**dict.fromkeys(MAJORS, 5))

        war._take("japanese_navy")
        deal_with(war.m, MAJORS.index(drawer), card("japanese_navy"))
        assert war.pile("japanese_navy") == wanted
    war = Position().table("japan", "japanese_navy").points(japan=10)
    war.run(Production())
    assert navy_owed(war.state) == 6
    assert war.refused(Done(), "japan") == Refusal("bg-card-japanese-navy", "navy-first", points=6)
    assert not war.allows(Build("japan-air-3"), "japan")  # it would leave 4
    war.do(Build("japan-inf-4"), "japan")
    assert war.refused(Build("japan-inf-2"), "japan").rule == "bg-card-japanese-navy"
    war.do(Build("japan-tf-3"), "japan")
    assert navy_owed(war.state) == 0


@pytest.mark.rule("bg-card-japanese-navy-end")
def test_a_soviet_declaration_of_war_ends_the_navy_card():
    war = Position().table("japan", "japanese_navy")
    declare(war.m, nation("ussr"), nation("japan"))
    assert war.pile("japanese_navy") == "out"
    drawn = Position()
    assert not is_obsolete(drawn.state, card("japanese_navy"))
    declare(drawn.m, nation("ussr"), nation("japan"))
    assert is_obsolete(drawn.state, card("japanese_navy"))
    other = Position().table("japan", "japanese_navy")
    declare(other.m, nation("japan"), nation("ussr"))
    assert other.pile("japanese_navy") == "table"


@pytest.mark.rule("bg-card-national-war-ussr")
def test_national_war_turns_orange_units_into_build_points_less_their_hits():
    war = Position("1941-advanced").hand("ussr", "national_war_ussr").points(ussr=2)
    assert not may(war, "ussr", "national_war_ussr", "production")
    war.war("germany", "ussr")
    arm = war.add("ussr-arm-3-orange", "moscow")
    weak = war.add("ussr-arm-3-orange", "ural", flipped=True)
    red = war.add("ussr-inf-3-red", "moscow")
    war.run(Production()).do(PlayCard("national_war_ussr", ""), "ussr")
    assert not war.allows(Disband(red), "ussr")
    war.do(Disband(arm), "ussr")
    assert war.state.points[MAJORS.index("ussr")] == 8
    war.do(Disband(weak), "ussr")
    assert war.state.points[MAJORS.index("ussr")] == 12
    war.do(Done(), "ussr")
    assert war.where(arm) == war.where(weak) == "pool"
    assert war.pile("national_war_ussr") == "out"


@pytest.mark.rule("bg-card-sabotage", "bg-7.5-announce")
def test_sabotage_wipes_the_numbers_of_an_enemy_that_has_announced_a_roll():
    war = Position("1941-advanced")
    war.state.numbers = put(war.state.numbers, MAJORS.index("be"), 5)
    war.state.numbers = put(war.state.numbers, MAJORS.index("usa"), 2)
    war.run(Research(True)).do(Announce(), "be")
    assert war.match.decisions() == ("italy",)
    war.do(PlayCard("sabotage_on_research", ""), "italy").go()
    assert war.state.numbers[MAJORS.index("be")] == 0
    assert not war.events(ev.ResearchRolled)
    assert war.state.deck[-1] == card("sabotage_on_research")
    # never against a neutral, and not before an announcement
    neutral = Position("1941-advanced")
    assert not may(neutral, "italy", "sabotage_on_research", "research")
    neutral.state.effects = {**neutral.state.effects, "announced": MAJORS.index("usa")}
    assert not may(neutral, "italy", "sabotage_on_research", "research")
    neutral.state.effects = {**neutral.state.effects, "announced": MAJORS.index("germany")}
    assert not may(neutral, "italy", "sabotage_on_research", "research")


@pytest.mark.rule("bg-card-free-french")
def test_free_french_counters_are_built_by_the_empire_or_the_usa():
    war = Position("1941-advanced").points(be=10, usa=10)
    war.run(Production())
    assert war.refused(Build("france-inf-3-f"), "be").rule == "bg-card-free-french"
    assert may(war, "be", "free_french_troops", "production")
    war.do(PlayCard("free_french_troops", ""), "be")
    assert war.allows(Build("france-inf-3-f"), "usa")
    assert not war.allows(Build("france-inf-3"), "be")
    war.do(Build("france-inf-3-f"), "be")
    assert war.state.points[MAJORS.index("be")] == 7
    early = Position().hand("be", "free_french_troops")
    assert not may(early, "be", "free_french_troops", "production")


@pytest.mark.rule("bg-card-usa-aircraft")
def test_the_usa_builds_the_chinese_aircraft_first_then_others_one_a_turn():
    war = Position().points(usa=20).run(Production())
    assert war.refused(Build("china-air-2-us"), "usa").rule == "bg-card-usa-aircraft"
    war.table("usa", "usa_builds_chinese_aircraft").run(Production())
    assert war.refused(Build("be-air-2"), "usa").rule == "bg-card-usa-aircraft"
    war.do(Build("china-air-2-us"), "usa")
    assert war.refused(Build("china-air-2-us"), "usa").rule == "bg-card-usa-aircraft"
    war.put("china-air-2-us", "sian", n=2)
    war.state.us_aircraft = 0
    war.run(Production())
    assert war.allows(Build("be-air-2"), "usa")
    assert not war.allows(Build("be-inf-2"), "usa")
    war.do(Build("be-air-2"), "usa")
    assert not war.allows(Build("be-air-3"), "usa")


@pytest.mark.rule("bg-card-ussr-war", "bg-8.4-ussr", "bg-time-2-41-adv")
def test_the_ussr_opens_the_war_on_germany_only_with_its_card_and_not_before_1941():
    war = Position(turn="4/40").hand("ussr", "ussr_may_declare_war")
    for target in ("germany", "italy", "finland", "romania", "hungary", "bulgaria"):
        refused = why_not_declare(war.state, nation("ussr"), nation(target))
        assert refused is not None
        assert refused.rule == "bg-8.4-ussr"
    assert A.card_cost[card("ussr_may_declare_war")] == 20
    assert not may(war, "ussr", "ussr_may_declare_war", "land")
    war = Position(turn="1/41").hand("ussr", "ussr_may_declare_war")
    assert may(war, "ussr", "ussr_may_declare_war", "land")
    say(war, "ussr", "ussr_may_declare_war")
    assert why_not_declare(war.state, nation("ussr"), nation("germany")) is None
    declare(war.m, nation("ussr"), nation("germany"))
    assert war.production("ussr") == 34
    # no date brings the war in the advanced game

    quiet = Position(turn="2/41")
    check_time_table(quiet.m)
    assert not quiet.at_war("ussr", "germany")
    assert quiet.standing("finland") == "neutral"


@pytest.mark.rule("bg-card-tito")
def test_tito_binds_five_german_strength_points_to_yugoslavia():
    war = Position("1941-advanced", turn="2/42").hand("be", "tito_partisans").own("germany", "yugoslavia")
    war.state.yugoslavia_since = A.turn_of["3/41"]
    assert not may(war, "be", "tito_partisans", "land")
    war.state.yugoslavia_since = A.turn_of["2/41"]
    assert may(war, "be", "tito_partisans", "land")
    say(war, "be", "tito_partisans")
    assert war.pile("tito_partisans") == "table"
    four = war.add("germany-inf-4", "yugoslavia")
    two = war.add("germany-inf-2", "yugoslavia")
    italian = war.add("italy-inf-3", "yugoslavia")
    war.phase(Phase("land"))
    assert war.refused(March(four, "hungary", ""), "germany").rule == "bg-card-tito"
    assert not war.allows(March(two, "hungary", ""), "germany")
    assert war.allows(March(italian, "albania", ""), "italy")
    war.state.rail_left = put(war.state.rail_left, 0, 1)
    war.run(Phase("rail"))
    assert not war.allows(Railroad(four, "prussia"), "germany")
    # a short garrison must be filled before the land movement may end
    short = Position("1941-advanced", turn="2/42").table("be", "tito_partisans").own("germany", "yugoslavia")
    short.state.yugoslavia_since = A.turn_of["2/41"]
    guard = short.add("germany-inf-3", "yugoslavia")
    relief = short.add("germany-inf-2", "hungary")
    short.phase(Phase("land"))
    assert short.refused(Done(), "germany") == Refusal("bg-card-tito", "tito-garrison", points=5)
    short.do(March(relief, "yugoslavia", ""), "germany")
    assert short.allows(Done(), "germany")
    assert guard
