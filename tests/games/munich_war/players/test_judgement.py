"""What the players think of battles and positions agrees with the game's own odds and score."""

import pytest

from sandtable.core import Match
from sandtable.games import find
from sandtable.games.munich_war.facts.distance import distances
from sandtable.games.munich_war.model.actions import Attack, DefaultSetup
from sandtable.games.munich_war.model.atlas import ALLIES, ASSAULT, ATLAS, AXIS, MOBILE
from sandtable.games.munich_war.model.state import give, set_steps
from sandtable.games.munich_war.players.battle import Clash
from sandtable.games.munich_war.players.evaluate import LINE, difference, hope
from sandtable.games.munich_war.players.lineup import lineups
from sandtable.games.munich_war.players.lore import Doctrine, stakes
from sandtable.games.munich_war.players.marching import Marching
from sandtable.games.munich_war.players.scene import Scene, attack_chart
from sandtable.games.munich_war.players.turn import PlayerTurn, scope
from sandtable.games.munich_war.rules.combat import attack_strength, column_of, defense_strength, percentile, shifts
from sandtable.games.munich_war.rules.victory import city_worth, score
from sandtable.players import Budget, make
from sandtable.players.search import Alarm, EvenDice, Plan

GAME = find("munich-war")


def at_first(step, seed=3):
    """A match of captains at the first decision of a kind."""
    match = Match.new(GAME, "little-entente", seed=seed)
    players = {role: make("captain", GAME, f"{seed}/{role}") for role in match.roles}
    while type(match.step).__name__ != step:
        role = match.decisions()[0]
        match.apply(role, players[role].decide(match.view(role), match.offers(role), Budget()))
    return match


def test_the_chart_of_attacks_is_the_offer_of_attacks():
    match = at_first("Combat")
    chart = attack_chart(match.play, AXIS)
    (offer,) = match.offers("axis")[Attack]
    names = {ATLAS.hex_name[target] for target, nations in chart.items()}
    assert names == set(offer.fields[0].given(()))
    for target, nations in chart.items():
        name = ATLAS.hex_name[target]
        assert {ATLAS.countries[nation].name for nation in nations} == set(offer.fields[1].given((name,)))


@pytest.mark.parametrize("table", [ASSAULT, MOBILE])
def test_the_chance_to_clear_a_hex_is_the_games_own(table):
    match = at_first("Combat")
    scene = Scene(match.play, AXIS, Doctrine())
    compared = 0
    for target, nations in attack_chart(match.play, AXIS).items():
        foes = scene.foes(target)
        strong = all(match.state.steps[foe] > 1 for foe in foes)
        if any(ATLAS.units[foe].fort for foe in foes) or not strong:
            continue
        for units in nations.values():
            if table == MOBILE and not any(ATLAS.units[unit].mechanized for unit in units):
                continue
            column = column_of(percentile(attack_strength(match.play, units), defense_strength(match.play, foes)))
            column += sum(modifier.value for modifier in shifts(match.play, target, units, foes))
            nation = ATLAS.countries[ATLAS.units[units[0]].country].name
            action = Attack(ATLAS.hex_name[target], nation, table, tuple(ATLAS.units[unit].id for unit in units))
            odds = match.preview("axis", action)
            column += sum(part.value for part in odds.modifiers if part.name == "air")
            assert scene.clash(target).success(table, column) == pytest.approx(odds.success)
            compared += 1
    assert compared


def test_a_result_that_reduces_all_defenders_clears_them_out_of_a_fort_when_each_has_one_step():
    state = GAME.codec.clone(at_first("Combat").state)
    fort, corps = (next(face.index for face in ATLAS.units if face.fort == is_fort and face.land) for is_fort in (1, 0))
    for steps, cleared in ((1, True), (2, False)):
        for unit in (fort, corps):
            set_steps(state, unit, steps)
        clash = Clash(state, (fort, corps), Doctrine(), 1.0, 1.0, False)
        assert clash._clears("OR") is cleared  # all reduced, and a retreat that the fort lets them ignore
        assert clash._clears("BB") is cleared  # all reduced
        assert not clash._clears("DA")  # one of two reduced


def test_more_columns_are_never_worse():
    match = at_first("Combat")
    scene = Scene(match.play, AXIS, Doctrine())
    for target, nations in attack_chart(match.play, AXIS).items():
        for units in nations.values():
            row = [scene.clash(target).worth(tuple(units), ASSAULT, column) for column in range(len(ATLAS.columns))]
            assert row[-1] > row[0]


def test_stakes_follow_the_victory_table():
    match = at_first("Movement")
    here = {name: at for at in range(ATLAS.hex_count) if ATLAS.faces[at] and (name := _city(at))}
    mine = stakes(match.play, AXIS, Doctrine())
    assert mine.take[here["Prague"]] == 5
    assert mine.keep[here["Berlin"]] == 15
    assert here["Brussels"] not in mine.take
    wide = stakes(match.play, AXIS, Doctrine(widen=1.0)).take
    assert wide[here["Brussels"]] == 3
    assert here["Luxembourg"] not in wide
    assert stakes(match.play, ALLIES, Doctrine()).take[here["Berlin"]] == 15
    assert city_worth(here["Pilsen"], AXIS) == 2
    assert city_worth(here["Pilsen"], ALLIES) == 1


def _city(at):
    city = ATLAS.face(at)["city"]
    return city["name"] if city else ""


def test_ways_are_counted_over_land():
    prague, berlin = ATLAS.hex_number["2515"], ATLAS.hex_number["2511"]
    assert distances(prague)[prague] == 0
    assert distances(prague)[berlin] == ATLAS.distance(prague, berlin)
    assert distances(prague)[ATLAS.hex_number["1110"]] > 20  # London lies over the sea


def test_hope_is_for_both_sides_what_the_other_fears():
    match = at_first("Movement")
    play = match.play
    assert difference(play) == score(play, AXIS) - score(play, ALLIES)
    assert hope(play, AXIS, AXIS) + hope(play, ALLIES, AXIS) == pytest.approx(1.0, abs=0.01)
    assert LINE == 10.5


def test_the_orders_of_a_plan_are_made_once_and_serve_every_rehearsal():
    """A second rehearsal of a plan with the same dice comes to the same, by the orders that the first one made."""
    world = at_first("AirLaunch")
    before = world.digest()
    usual = (Doctrine(), Doctrine())
    turn = PlayerTurn(GAME, world, AXIS, usual, scope(world.play, AXIS, Doctrine(), wider=False), 1)

    def rehearse(turn):
        match = world.clone()
        match.play.dice = EvenDice("same")
        return turn.rehearse(Plan(), Plan(), match, Alarm(60.0))

    first = rehearse(turn)
    script, _ = turn.scripts[Plan()]
    assert set(script) == {"AirLaunch", "Movement"}
    kept = dict(script)
    assert rehearse(turn) == first
    assert script == kept
    assert rehearse(PlayerTurn(GAME, world, AXIS, usual, turn.scope, 1)) == first
    assert world.digest() == before


def test_a_lost_country_keeps_a_unit_next_to_its_cities():
    """A unit beside a lost city disputes it, and what is disputed does not make its country surrender."""
    match = at_first("Movement")
    state, play = match.state, match.play
    face = ATLAS.countries[ATLAS.country_number["Czechoslovakia"]]
    give(state, AXIS, face.cities)
    near = face.cities
    for city in (face.capital, *face.mobilization):
        near |= ATLAS.zone[city]

    march = Marching(Scene(play, ALLIES, Doctrine(cling=True)))
    march.cling()
    assert [unit for unit, (at, _) in march.orders.items() if near >> at & 1]


def test_capitals_are_watched_as_far_as_the_doctrine_says():
    match = at_first("Movement")
    belgrade = ATLAS.countries[ATLAS.country_number["Yugoslavia"]].capital

    def stays(watch):
        march = Marching(Scene(match.play, ALLIES, Doctrine(watch=watch)))
        march.garrison()
        return bool(march.placed.get(belgrade))

    assert stays(8)
    assert not stays(0)


def test_set_ups_change_places_without_breaking_stacking():
    match = Match.new(GAME, "little-entente", seed=1)
    czechs = ATLAS.country_number["Czechoslovakia"]
    while getattr(match.play.step, "country", None) != czechs:
        match.apply(match.decisions()[0], DefaultSetup())
    options = lineups(match.play, czechs, ALLIES)
    assert options[0] == [DefaultSetup()]
    assert len(options) > 1
    for lineup in options[1:]:
        twin = match.clone()
        for action in lineup:
            twin.apply("allies", action)
        assert twin.state.stack[-1] != match.play.step
        assert not twin.faults()
