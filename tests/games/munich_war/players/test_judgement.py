"""What the players think of battles and positions agrees with the game's own odds and score."""

from itertools import pairwise

import pytest

from sandtable.core import Match, Outcome
from sandtable.core.bits import bits
from sandtable.games import find
from sandtable.games.munich_war.facts.distance import around, distances
from sandtable.games.munich_war.model.actions import Attack, DefaultSetup
from sandtable.games.munich_war.model.atlas import ALLIES, ASSAULT, ATLAS, AXIS, MOBILE, SIDES
from sandtable.games.munich_war.model.state import give, set_steps
from sandtable.games.munich_war.players import evaluate
from sandtable.games.munich_war.players.battle import Clash
from sandtable.games.munich_war.players.colonel import Colonel
from sandtable.games.munich_war.players.evaluate import LINE, difference, hope
from sandtable.games.munich_war.players.general import General
from sandtable.games.munich_war.players.lineup import lineup
from sandtable.games.munich_war.players.lore import Doctrine, quarry, stakes
from sandtable.games.munich_war.players.marching import Marching
from sandtable.games.munich_war.players.scene import Scene, attack_chart
from sandtable.games.munich_war.players.turn import PlayerTurn, edited, scope
from sandtable.games.munich_war.rules.combat import attack_strength, column_of, defense_strength, percentile, shifts
from sandtable.games.munich_war.rules.victory import city_worth, score
from sandtable.players import Budget, make
from sandtable.players.search import USUAL, Alarm, EvenDice, Plan, Scope
from tests.games.munich_war.positions import Position

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


@pytest.fixture
def set_up():
    """The set-up of a country in a scenario by a doctrine: unit -> hex. It is carried out: it is legal."""

    def made(scenario, name, doctrine):
        match = Match.new(GAME, scenario, seed=1)
        country = ATLAS.country_number[name]
        while getattr(match.play.step, "country", None) != country:
            match.apply(match.decisions()[0], DefaultSetup())
        side = match.state.side[country]
        for action in lineup(match.play, country, side, doctrine):
            if getattr(match.play.step, "country", None) == country:
                match.apply(SIDES[side], action)
        assert getattr(match.play.step, "country", None) != country
        assert not match.faults()
        return {face.id: ATLAS.hex_name[at] for face, at in zip(ATLAS.units, match.state.where, strict=True) if at >= 0}

    return made


def test_no_gap_is_left_next_to_a_capital(set_up):
    """The hex south of Prague is the one through which panzers reach it in the first turn."""
    assert "2516" not in set_up("little-entente", "Czechoslovakia", Doctrine()).values()
    assert set_up("little-entente", "Czechoslovakia", Doctrine(ahead=True))["CZ-2L2"] == "2516"


def test_a_force_for_easy_neutrals_is_ready_in_konigsberg(set_up):
    def corps(doctrine):
        found = set_up("little-entente", "Germany", doctrine)
        return [name for name, at in found.items() if at == "3209" and ATLAS.units[ATLAS.unit_number[name]].mobile]

    assert corps(Doctrine()) == ["GE-01"]
    assert corps(Doctrine(raid=1.0)) == ["GE-01", "GE-05", "GE-12"]


def test_tanks_wait_for_easy_neutrals_instead_of_the_enemy_at_the_border(set_up):
    """Poland, which has the first move, finds no unit whose loss counts within two hexes of its border."""

    def tanks(doctrine):
        found = set_up("anti-comintern-war", "Soviet Union", doctrine)
        return [ATLAS.hex_number[found[name]] for name in ("SU-CM", "SU-T1", "SU-T2")]

    def exposed(at):
        return any(ATLAS.country_of[there] == ATLAS.country_number["Poland"] for there in bits(around(at, 2)))

    assert any(exposed(at) for at in tanks(Doctrine(ahead=True)))
    poised = tanks(Doctrine(ahead=True, raid=1.0))
    assert not any(exposed(at) for at in poised)
    riga = ATLAS.countries[ATLAS.country_number["Latvia"]].capital
    assert all(distances(riga)[at] <= 5 for at in poised)
    czechs = set_up("intermarium", "Czechoslovakia", Doctrine(ahead=True, raid=1.0))
    assert czechs["CZ-MOB"] == "2515"  # nobody is called away from a city that counts


def test_an_easy_neutral_is_entered_before_the_enemy_comes():
    """Who is invaded joins the other side: Germany gets no points for Tallinn when the Soviet Union was there first."""
    war = Position("anti-comintern-war").put("SU-1", "4002").put("SU-2", "3904").put("ES-I", "3603")
    estonia = ATLAS.country_number["Estonia"]

    def entered(doctrine):
        march = Marching(Scene(war.m, ALLIES, doctrine))
        march.order_all()
        return [unit for unit, (at, _) in march.orders.items() if ATLAS.country_of[at] == estonia]

    assert entered(Doctrine()) == []
    assert entered(Doctrine(raid=1.0)) == [ATLAS.unit_number["SU-2"]]


def test_easy_neutrals_wait_for_their_time_unless_they_are_named():
    match = at_first("Movement")
    denmark = ATLAS.country_number["Denmark"]
    copenhagen = ATLAS.countries[denmark].capital
    assert not quarry(match.play, AXIS, Doctrine())
    assert quarry(match.play, AXIS, Doctrine(stress=((copenhagen, 3.0),))) == {denmark}
    assert not quarry(match.play, AXIS, Doctrine(stress=((copenhagen, 0.3),)))
    raided = quarry(match.play, AXIS, Doctrine(raid=1.0))
    assert denmark in raided
    assert ATLAS.country_number["Belgium"] not in raided


def test_lines_are_manned_against_countries_that_may_join():
    """France is neutral, and may intervene."""
    match = at_first("Movement")
    line = {unit for unit, at in enumerate(match.state.where) if at >= 0 and ATLAS.trenches >> at & 1}

    def stays(doctrine):
        march = Marching(Scene(match.play, AXIS, doctrine))
        march.man_posts()
        return {unit for unit, (at, _) in march.orders.items() if at == march.origin[unit]} & line

    assert not stays(Doctrine())
    assert {ATLAS.units[unit].id for unit in stays(Doctrine(ahead=True))} == {"GE-SP", "GE-WF", "GE-EI", "GE-OR"}


def test_the_orders_of_a_plan_are_in_its_doctrine():
    prague, pilsen, berlin = (ATLAS.hex_number[name] for name in ("2515", "2415", "2511"))
    plan = Plan(aim="2515", force=3.0, hold=("2511",), leave=("2415",), dials=(("bold", 0.45),))
    found = edited(Doctrine(), plan)
    assert dict(found.stress) == {prague: 3.0, berlin: 2.0, pilsen: 0.0}
    assert found.bold == 0.45
    match = at_first("Movement")
    wanted = stakes(match.play, AXIS, found)
    assert (wanted.take[prague], wanted.keep[berlin]) == (15, 30)
    assert pilsen not in wanted.take


def test_a_plan_is_keyed_by_its_orders_when_its_turn_comes():
    """Some come to the same orders in the first turn, which the search finds out by the key; keys cost much time."""
    match = at_first("Movement")
    base = General.usual[AXIS]
    found = scope(match.play, AXIS, base, wider=True)
    theatre = PlayerTurn(GAME, match, AXIS, (base, base), found, 1)
    assert theatre.scope.stock == found.stock
    assert not theatre.keys
    keys = [theatre.key(plan) for plan in (USUAL, *found.stock)]
    assert 2 < len(set(keys)) < len(keys)


def test_the_last_turns_are_rehearsed_to_the_end_of_the_match():
    match = at_first("Movement")
    base = Colonel.usual
    for exact, over in ((0, False), (3, True)):
        theatre = PlayerTurn(GAME, match, AXIS, base, scope(match.play, AXIS, base[AXIS], wider=False), 1, exact)
        twin = match.clone()
        theatre.rehearse(USUAL, USUAL, twin, Alarm(600.0))
        assert twin.over == over


def test_an_end_that_was_rehearsed_to_is_judged_by_its_points(monkeypatch):
    """Weeks before it one die decides between ten points and eleven; a colonel sees only who won."""
    match = at_first("Movement")

    def gained(exact):
        theatre = PlayerTurn(GAME, match, AXIS, General.usual, Scope(), 1, exact)
        ends = []
        for points in (10, 11, 12):
            end = match.clone()
            end.state.outcome = Outcome(("axis",) if points > LINE else ("allies",), "major-axis", "mw-22.1-major-axis")
            monkeypatch.setattr(evaluate, "difference", lambda m, points=points: points)
            ends.append(theatre.value(end))
        return [after - before for before, after in pairwise(ends)]

    won, more = gained(3)
    assert won < 2 * more
    won, more = gained(0)
    assert won > 3 * more


def test_the_enemy_is_taken_for_as_good_a_player():
    match = at_first("AirLaunch")
    for level in (Colonel, General):
        theatre = level(GAME, "1").theatre(match.view("axis"))
        assert isinstance(theatre, PlayerTurn)
        assert theatre.staff(ALLIES, USUAL).doctrine == level.usual[ALLIES]


def test_enemies_within_reach_are_aims_though_they_hold_no_city():
    match = at_first("Movement")
    base = General.usual[AXIS]
    found = scope(match.play, AXIS, base, wider=True)
    line = "2514"
    assert line in found.aims
    assert Plan(aim=line, force=3.0) in found.stock
    assert line not in scope(match.play, AXIS, base, wider=False).aims
    at = ATLAS.hex_number[line]
    assert stakes(match.play, AXIS, edited(base, Plan(aim=line, force=3.0))).take[at] == 3.0
    assert at not in stakes(match.play, ALLIES, edited(base, Plan(aim=line, force=3.0))).take


def test_with_one_try_nothing_is_compared(monkeypatch):
    match = at_first("AirLaunch")
    monkeypatch.setattr(General, "theatre", lambda self, view: pytest.fail("looked at other plans"))
    general = General(GAME, "1")
    view = match.view("axis")
    general.decide(view, match.offers("axis"), Budget(600, 1))
    assert general.found.plan == USUAL
