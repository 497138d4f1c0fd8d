"""The cards that are played in movement, reaction and combat."""

import pytest
from msgspec.structs import replace

from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.model import events as ev
from sandtable.games.blitzkrieg_general.model.actions import (
    Done,
    Drop,
    Engage,
    Favour,
    Fly,
    March,
    PlayCard,
    React,
    Relocate,
    Reserve,
    Retreat,
)
from sandtable.games.blitzkrieg_general.model.state import remove
from sandtable.games.blitzkrieg_general.rules.cards.battle import lost_islands
from sandtable.games.blitzkrieg_general.rules.cards.deck import buyers
from sandtable.games.blitzkrieg_general.rules.cards.playing import play, why_not_play
from sandtable.games.blitzkrieg_general.rules.movement_phase import Phase
from sandtable.games.blitzkrieg_general.rules.reaction_phase import Reaction
from sandtable.games.blitzkrieg_general.rules.search_phase import Searches
from sandtable.games.blitzkrieg_general.rules.strength import extra_dice
from sandtable.games.blitzkrieg_general.sequence import _searches
from tests.games.blitzkrieg_general.positions_advanced import MAJORS, Position, card, nation, space, unit


def say(war: Position, major: str, name: str, on: str = "") -> Position:
    play(war.m, MAJORS.index(major), PlayCard(name, on))
    return war


def may(war: Position, major: str, name: str, moment: str) -> bool:
    return why_not_play(war.state, MAJORS.index(major), card(name), moment) is None


def dice_of(war: Position) -> list[tuple[str, int, int]]:
    """Who fired, at which strength, with how many dice."""
    return [(e.unit.removeprefix("@"), e.strength, len(e.dice)) for e in war.events(ev.Fired)]


# ---- reaction
@pytest.mark.rule("bg-card-blitzkrieg")
def test_blitzkrieg_keeps_aircraft_and_reserves_out_but_not_task_forces():
    def attack() -> tuple[Position, dict[str, str]]:
        war = Position()
        war.charge("germany-inf-4", "bnl", "normandy")
        war.put("france-inf-2", "normandy")
        names = {"air": war.add("france-air-2", "paris"), "inf": war.add("france-inf-3", "paris"),
                 "tf": war.add("france-tf-4", "channel")}  # fmt: skip
        war.put("georges", "paris")
        return war, names

    war, units = attack()
    war.phase(Reaction())
    assert war.allows(React(units["air"], "normandy"), "france")
    assert war.allows(Reserve(units["inf"], "normandy"), "france")
    war, units = attack()
    war.hand("germany", "blitzkrieg").phase()
    say(war, "germany", "blitzkrieg").run(Reaction())
    assert not war.allows(React(units["air"], "normandy"), "france")
    assert not war.allows(Reserve(units["inf"], "normandy"), "france")
    assert war.allows(React(units["tf"], "normandy"), "france")
    assert war.state.deck[-1] == card("blitzkrieg")
    # an attack without German units is not shielded
    war.state.nation = put(
        war.state.nation, unit(war.charge("italy-inf-3", "vichy", "western_france")), nation("italy")
    )
    war.war("italy", "france").put("france-inf-2", "western_france").run(Reaction())
    assert war.allows(React(units["air"], "western_france"), "france")


@pytest.mark.rule("bg-card-espionage")
def test_ultra_moves_ten_own_units_up_to_four_areas_before_land_movement_or_reserves():
    war = Position().hand("be", "espionage_ultra")
    mine = war.add("be-inf-3", "alexandria")
    ship = war.add("be-conv-1", "red_sea")
    plane = war.add("be-air-2", "alexandria")
    ally = war.add("france-inf-3", "paris")
    war.put("be-inf-2", "kenya", n=5).put("be-inf-3-i", "calcutta", n=2).put("be-arm-4", "kenya", n=3)
    war.put("be-inf-3-a", "sydney")
    war.phase(Phase("land"), side="allies").do(PlayCard("espionage_ultra", ""), "be")
    assert war.allows(Relocate(mine, "rhodesia"), "be")  # Sudan, Kenya, Rhodesia
    assert war.allows(Relocate(mine, "south_africa"), "be")
    assert not war.allows(Relocate(mine, "england"), "be")
    assert not war.allows(Relocate(ship, "red_sea"), "be")
    assert not war.allows(Relocate(ally, "vichy"), "be")
    assert war.allows(Relocate(plane, "kenya"), "be")
    for _ in range(10):
        war.do(next(a for a in war.offered(Relocate, "be")), "be")
    assert not war.offers_any(Relocate, "be")
    war.do(Done(), "be")
    # as the phasing side only before the first land unit has moved; as the other side before its reserves
    war.hand("be", "espionage_ultra").phase(Phase("land"), side="allies")
    assert may(war, "be", "espionage_ultra", "land")
    war.do(next(a for a in war.offered(March, "be")), "be")
    assert not may(war, "be", "espionage_ultra", "land")
    war.phase(side="axis")
    assert may(war, "be", "espionage_ultra", "reaction")
    war.phase(side="allies")
    assert not may(war, "be", "espionage_ultra", "reaction")


@pytest.mark.rule("bg-card-paratroops")
def test_para_troops_fly_one_infantry_into_any_area_in_range_and_bind_the_aircraft():
    war = Position().hand("germany", "para_troops")
    plane = war.add("germany-air-3", "western_germany")
    inf = war.add("germany-inf-3", "western_germany")
    other = war.add("germany-inf-2", "western_germany")
    war.put("france-inf-2", "paris")
    war.phase(Phase("land")).do(PlayCard("para_troops", ""), "germany")
    assert war.allows(Drop(plane, inf, "paris"), "germany")  # two areas away, occupied by the enemy
    assert not war.allows(Drop(plane, inf, "western_france"), "germany")  # three
    war.do(Drop(plane, inf, "paris"), "germany")
    assert war.where(inf) == "paris"
    assert not war.offers_any(Drop, "germany")
    assert not war.allows(Fly(plane, "paris"), "germany")
    assert war.allows(March(other, "maginot", "western_germany"), "germany")
    assert war.state.deck[-1] == card("para_troops")


# ---- modifiers
@pytest.mark.rule("bg-card-bridgehead", "bg-ex-adv-bridgehead-missed")
def test_bridgehead_lifts_the_river_penalty_of_the_players_own_land_units():
    war = Position("1941-advanced").war("germany", "ussr").join("hungary", "germany")
    mine = war.charge("germany-inf-4", "western_poland", "baltic")
    theirs = war.charge("italy-inf-3", "western_poland", "baltic")
    war.war("italy", "ussr").put("ussr-inf-2-orange", "baltic", n=2)
    war.hand("germany", "bridgehead").fight()
    assert war.strength(mine) == 3
    assert war.strength(theirs) == 2
    say(war, "germany", "bridgehead")
    assert war.strength(mine) == 4
    assert war.strength(theirs) == 2


@pytest.mark.rule("bg-card-cold-days")
def test_cold_days_take_one_from_every_axis_unit_in_the_ussr_in_bad_weather():
    war = Position("1941-advanced").war("germany", "ussr").hand("ussr", "cold_days_in_hell")
    war.weather("good")
    assert not may(war, "ussr", "cold_days_in_hell", "land")
    war.weather("bad")
    assert may(war, "ussr", "cold_days_in_hell", "land")
    german = war.charge("germany-inf-4", "baltic", "vitebsk")
    plane = war.raid("germany-air-3", "baltic", "vitebsk")
    finn = war.charge("romania-inf-2", "baltic", "vitebsk")
    soviet = war.add("ussr-inf-3-red", "vitebsk")
    war.fight()
    before = [war.strength(u) for u in (german, plane, finn, soviet)]
    say(war, "ussr", "cold_days_in_hell")
    assert [war.strength(u) for u in (german, plane, finn, soviet)] == [before[0] - 1, before[1] - 1, before[2] - 1, 3]
    assert war.pile("cold_days_in_hell") == "out"
    # not outside the USSR
    west = Position("1941-advanced").war("germany", "ussr").weather("bad")
    west.state.effects = {**west.state.effects, "cold_days": nation("ussr")}
    outside = west.charge("germany-inf-4", "prussia", "western_poland")
    west.own("ussr", "western_poland").put("ussr-inf-3-red", "western_poland").fight()
    assert west.strength(outside) == 3


@pytest.mark.rule("bg-card-elite-troops")
def test_elite_troops_give_as_many_units_as_the_die_shows_one_more_after_two_years_of_war():
    war = Position(turn="2/41").hand("germany", "elite_troops")
    inf = war.charge("germany-inf-4", "bnl", "paris")
    arm = war.charge("germany-arm-5", "bnl", "paris")
    war.charge("germany-inf-3", "bnl", "paris")
    war.put("france-inf-3", "paris", n=3).fight()
    assert not may(war, "germany", "elite_troops", "battle")  # since 3/39: seven quarters
    war = Position(turn="3/41").hand("germany", "elite_troops")
    inf = war.charge("germany-inf-4", "bnl", "paris")
    arm = war.charge("germany-arm-5", "bnl", "paris")
    weak = war.charge("germany-inf-3", "bnl", "paris")
    foe = war.add("france-inf-3", "paris")
    war.put("france-inf-3", "paris", n=2)
    war.dice(2).fight().do(PlayCard("elite_troops", ""), "germany")
    assert not war.allows(Favour(foe), "germany")
    war.do(Favour(inf), "germany").do(Favour(arm), "germany").dice(6, 6, 6, 6, 6, 6, 6).go()
    fired = {(kind, value) for kind, value, _ in dice_of(war)}
    assert {("germany-inf-4", 5), ("germany-arm-5", 6), ("germany-inf-3", 3)} <= fired
    assert weak
    assert war.state.deck[-1] == card("elite_troops")


@pytest.mark.rule("bg-card-mountain-troops")
def test_mountain_troops_give_the_players_infantry_one_more_in_mountains():
    war = Position("1941-advanced").hand("germany", "mountain_troops")
    inf = war.charge("germany-inf-3", "bulgaria", "yugoslavia")
    arm = war.charge("germany-arm-5", "bulgaria", "yugoslavia")
    friend = war.charge("italy-inf-3", "albania", "yugoslavia")
    war.put("yugoslavia-inf-2", "yugoslavia", n=2)
    war.hand("japan").fight()
    plain = [war.strength(u) for u in (inf, arm, friend)]
    say(war, "germany", "mountain_troops")
    assert [war.strength(u) for u in (inf, arm, friend)] == [plain[0] + 1, plain[1], plain[2]]
    assert war.state.deck[-1] == card("mountain_troops")
    flat = Position("1941-advanced")
    flat.state.effects = {**flat.state.effects, "mountain_troops": nation("germany")}
    inf = flat.charge("germany-inf-3", "cyreneica", "alexandria")
    flat.put("be-inf-3", "alexandria").fight()
    assert flat.strength(inf) == 3


@pytest.mark.rule("bg-card-winter-offensive", "bg-card-guards")
def test_winter_offensive_and_guards_lift_the_weather_from_soviet_land_units():
    def attack() -> tuple[Position, list[str]]:
        war = Position("1941-advanced").war("germany", "ussr").weather("bad")
        units = [war.charge(kind, "smolensk", "vitebsk") for kind in ("ussr-inf-4-redg", "ussr-inf-3-red")]
        units.append(war.raid("ussr-air-3-red", "smolensk", "vitebsk"))
        war.own("germany", "vitebsk").put("germany-inf-3", "vitebsk", n=2)
        return war, units

    war, units = attack()
    war.fight("allies")
    assert [war.strength(u) for u in units] == [3, 2, 2]
    war.hand("ussr", "winter_offensive")
    say(war, "ussr", "winter_offensive")
    assert [war.strength(u) for u in units] == [4, 3, 2]
    assert war.state.deck[-1] == card("winter_offensive")
    war, units = attack()
    war.hand("ussr", "guards_troops").fight("allies")
    say(war, "ussr", "guards_troops")
    assert [war.strength(u) for u in units] == [4, 2, 2]
    assert war.pile("guards_troops") == "table"
    # exploitation stays forbidden
    war.phase(Phase("exploit"), side="allies", exploiting=True)
    assert not any(a.unit == units[0] for a in war.offered(March, "ussr"))
    peace = Position().hand("ussr", "guards_troops")
    assert not may(peace, "ussr", "guards_troops", "land")


# ---- firing first
@pytest.mark.rule("bg-card-surprise")
def test_a_surprised_unit_that_is_lost_does_not_fire_back():
    war = Position().hand("germany", "surprise")
    war.charge("germany-inf-4", "bnl", "paris")
    war.put("france-inf-2", "paris", flipped=True)
    war.dice(4).fight().do(PlayCard("surprise", ""), "germany").go()
    assert war.dice_left() == 0
    assert [kind for kind, _, _ in dice_of(war)] == ["germany-inf-4"]
    assert war.holder("paris") == "germany"
    # without the card both fire
    plain = Position().hand("germany", "surprise")
    plain.charge("germany-inf-4", "bnl", "paris")
    plain.put("france-inf-2", "paris", flipped=True)
    plain.dice(4, 6).fight().go()
    assert [kind for kind, _, _ in dice_of(plain)] == ["germany-inf-4", "france-inf-2"]


@pytest.mark.rule("bg-card-naval-surprise")
def test_naval_surprise_finds_blinds_and_fires_first_and_is_japans_first():
    war = Position().war("japan", "usa").hand("japan", "naval_surprise")
    tf = war.add("japan-tf-4", "sea_hawaiian_islands")
    war.add("usa-tf-3", "sea_hawaiian_islands", flipped=True)
    war.phase()
    _searches(war.m, 0)
    war.settle()
    war.do(PlayCard("naval_surprise", "sea_hawaiian_islands"), "japan").go()
    # found without dice, the enemy blind: Japan alone decides

    assert war.match.decisions() == ("japan",)
    war.do(Engage(True), "japan")
    war.dice(2).fight()
    assert [kind for kind, _, _ in dice_of(war)] == ["japan-tf-4"]
    assert war.where(tf) == "sea_hawaiian_islands"
    assert war.state.deck[-1] == card("naval_surprise")

    assert {MAJORS[n] for n in buyers(Position().state, card("naval_surprise"))} == {"japan"}
    assert len(buyers(war.state, card("naval_surprise"))) == 8


@pytest.mark.rule("bg-card-kamikaze")
def test_kamikaze_aircraft_fire_twice_and_are_gone_after_the_combat():
    war = Position(turn="4/42").war("japan", "usa").hand("japan", "kamikaze")
    war.own("usa", "marshall_islands", "caroline_islands")
    assert lost_islands(war.state) == 2
    war.own("usa", "mariana_islands")
    plane = war.raid("japan-air-2", "formosa", "sea_philippines")
    ship = war.add("usa-tf-5", "sea_philippines")
    war.dice(1, 1).fight()
    assert not may(war, "japan", "kamikaze", "battle")  # not before 1943
    few = Position(turn="1/43").war("japan", "usa").hand("japan", "kamikaze")
    few.own("usa", "marshall_islands", "caroline_islands").raid("japan-air-2", "formosa", "sea_philippines")
    few.put("usa-tf-5", "sea_philippines").dice(1, 1, *[6] * 9).fight()
    assert not may(few, "japan", "kamikaze", "battle")  # two islands are not enough
    war = Position(turn="1/43").war("japan", "usa").hand("japan", "kamikaze")
    war.own("usa", "marshall_islands", "caroline_islands", "mariana_islands")
    plane = war.raid("japan-air-2", "formosa", "sea_philippines")
    ship = war.add("usa-tf-5", "sea_philippines")
    war.dice(1, 1).fight()
    war.dice(2, 2, 6).do(PlayCard("kamikaze", ""), "japan").go()
    assert ("japan-air-2", 2, 2) in dice_of(war)
    assert war.where(ship) == "pool"
    assert war.where(plane) == "pool"


# ---- defence of coasts
@pytest.mark.rule("bg-card-fortress-europe")
def test_fortress_europe_gives_two_dice_while_german_land_units_defend_a_coast():
    war = Position("1941-advanced").war("germany", "usa").own("germany", "western_france", "paris")
    war.put("germany-inf-2", "western_france")
    unit_ = war.add("usa-inf-4", "western_france")
    war.fight("allies")
    battle = replace(war.state.battle, invaders=(unit(unit_),), coastal=True)
    assert extra_dice(war.state, battle) == []
    war.table("germany", "fortress_europe")
    assert extra_dice(war.state, battle) == [("fortress_europe", 3)] * 2
    assert extra_dice(war.state, replace(battle, coastal=False)) == []  # an attack by land
    war.state.nation = put(war.state.nation, battle.defenders[0], nation("italy"))
    assert extra_dice(war.state, battle) == []
    peace = Position().hand("germany", "fortress_europe")
    assert not may(peace, "germany", "fortress_europe", "land")
    peace.war("germany", "usa")
    assert may(peace, "germany", "fortress_europe", "land")


@pytest.mark.rule("bg-card-finest-hour")
def test_their_finest_hour_defends_the_united_kingdom_only_and_terrain_counts():
    war = Position("1941-advanced").hand("be", "their_finest_hour")
    assert may(war, "be", "their_finest_hour", "land")
    assert not may(Position().hand("be", "their_finest_hour"), "be", "their_finest_hour", "land")
    war.table("be", "their_finest_hour")
    for place, wanted in (("england", 3), ("scotland", 4), ("alexandria", 0)):
        war.put("be-inf-3", place)
        invader = war.add("germany-inf-4", place)
        war.fight("axis")
        battle = replace(war.state.battle, invaders=(unit(invader),), coastal=True)
        assert extra_dice(war.state, battle) == ([("their_finest_hour", wanted)] * 2 if wanted else [])
        war.state.battle = None

        for u in list(war.state.here[space(place)]):
            remove(war.state, u)


@pytest.mark.rule("bg-card-japanese-perimeter")
def test_the_perimeter_defends_japan_at_three_and_other_japanese_coasts_at_one():
    war = Position("1941-advanced").hand("japan", "japanese_defense_perimeter")
    assert not may(war, "japan", "japanese_defense_perimeter", "land")
    war.war("japan", "usa")
    assert may(war, "japan", "japanese_defense_perimeter", "land")
    war.table("japan", "japanese_defense_perimeter")
    for place, wanted in (("southern_japan", 3), ("marshall_islands", 1), ("korea", 2)):
        war.put("japan-inf-2", place)
        invader = war.add("usa-inf-4", place)
        war.fight("allies")
        battle = replace(war.state.battle, invaders=(unit(invader),), coastal=True)
        assert extra_dice(war.state, battle) == [("japanese_defense_perimeter", wanted)] * 2
        war.state.battle = None

        for u in list(war.state.here[space(place)]):
            remove(war.state, u)


@pytest.mark.rule("bg-card-morsecode")
def test_morsecode_cancels_one_of_the_two_coast_cards():
    war = Position().hand("usa", "morsecode")
    assert not may(war, "usa", "morsecode", "land")
    war.table("germany", "fortress_europe").table("be", "their_finest_hour")
    war.phase(Phase("land"), side="allies")
    assert {a.on for a in war.offered(PlayCard, "usa")} == {"fortress_europe", "their_finest_hour"}
    war.do(PlayCard("morsecode", "fortress_europe"), "usa")
    assert war.pile("fortress_europe") == war.pile("morsecode") == "out"
    assert war.pile("their_finest_hour") == "table"


@pytest.mark.rule("bg-card-total-war")
def test_total_war_gives_three_points_and_forbids_every_retreat():
    war = Position(turn="2/40").hand("germany", "total_war")
    assert not may(war, "germany", "total_war", "land")
    war = Position(turn="3/40").hand("germany", "total_war")
    assert may(war, "germany", "total_war", "land")
    before = war.production("germany")
    say(war, "germany", "total_war")
    assert war.production("germany") == before + 3
    assert war.pile("total_war") == "table"
    war.charge("germany-inf-4", "bnl", "paris")
    war.own("germany", "bnl").raid("germany-air-3", "bnl", "paris")
    war.put("france-inf-3", "paris", n=2).dice(6, 6, 6, 6).fight().go()
    # the French are asked at once: the Germans have no choice but to fight
    assert war.asked == "france"
    assert war.allows(Retreat("retreat"), "france")
    plain = Position(turn="3/40").own("germany", "bnl")
    plain.charge("germany-inf-4", "bnl", "paris")
    plain.raid("germany-air-3", "bnl", "paris")
    plain.put("france-inf-3", "paris", n=2).dice(6, 6, 6, 6).fight().go()
    assert plain.asked == "germany"
    assert plain.allows(Retreat("retreat"))
    assert plain.allows(Retreat("air"))


@pytest.mark.rule("bg-card-triumph-fall")
def test_the_desert_fox_lets_infantry_in_africa_attack_in_exploitation_without_an_hq():
    war = Position("1941-advanced").hand("italy", "triumph_fall_desert_fox")
    inf = war.add("italy-inf-2", "tripolitania")
    far = war.add("italy-inf-3", "albania")
    war.put("be-inf-2", "cyreneica").put("greece-inf-2", "greece")
    war.phase(Phase("exploit"), exploiting=True)
    assert not war.allows(March(inf, "cyreneica", "tripolitania"), "italy")
    war.do(PlayCard("triumph_fall_desert_fox", ""), "italy")
    assert war.allows(March(inf, "cyreneica", "tripolitania"), "italy")
    assert not war.allows(March(far, "greece", "albania"), "italy")
    assert war.state.deck[-1] == card("triumph_fall_desert_fox")


@pytest.mark.rule("bg-card-national-war-china", "bg-8.7-national-war", "bg-8.7-one-area", "bg-8.7-empty")
def test_the_limits_between_japan_and_china_and_their_end():
    def front() -> tuple[Position, list[str]]:
        war = Position()
        units = [war.add("japan-inf-2", "peking") for _ in range(4)]
        units.append(war.add("japan-inf-3", "shanghai"))
        war.put("china-inf-2", "pakoe").put("china-inf-2", "wuhan")
        war.state.limit = 3
        return war, units

    war, units = front()
    war.phase(Phase("land"))
    for name in units[:3]:
        war.do(March(name, "pakoe", "peking"), "japan")
    assert war.refused(March(units[3], "pakoe", "peking"), "japan").rule == "bg-5.5-limit"
    assert war.refused(March(units[4], "wuhan", "shanghai"), "japan").rule == "bg-8.7-one-area"
    assert war.allows(March(units[4], "sian", "shanghai"), "japan")  # nobody is there
    # the second attack is barred in the exploitation phase too
    war.put("japan-arm-2", "shanghai").phase(Phase("exploit"), exploiting=True)
    arm = next(a for a in ("japan-arm-2-1",))
    assert not war.allows(March(arm, "wuhan", "shanghai"), "japan")
    war, units = front()
    war.hand("japan", "national_war_china").phase(Phase("land"))
    war.do(PlayCard("national_war_china", ""), "japan")
    for name in units[:4]:
        war.do(March(name, "pakoe", "peking"), "japan")
    assert war.allows(March(units[4], "wuhan", "shanghai"), "japan")
    assert war.pile("national_war_china") == "table"
    # China is free too
    foe = war.add("china-inf-4", "chansa")
    war.own("japan", "sinkiang", "canton").put("japan-inf-2", "sinkiang").put("japan-inf-2", "canton")
    war.state.limit_area = (-1, space("sinkiang"))
    war.phase(Phase("land"), side="allies")
    assert war.allows(March(foe, "canton", "chansa"), "china")


def test_the_search_step_is_the_one_the_window_precedes():
    """The window of Naval Surprise opens on top of the searches."""
    war = Position().war("japan", "usa").hand("japan", "naval_surprise")
    war.put("japan-tf-4", "sea_hawaiian_islands").put("usa-tf-3", "sea_hawaiian_islands")
    war.phase()
    _searches(war.m, 0)
    assert isinstance(war.state.stack[-2], Searches)
