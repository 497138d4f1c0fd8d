"""What the colonel and the general know: who guards a capital, how a landing is made, where bombers go."""

import pytest

from sandtable.core import Match, Outcome
from sandtable.core.columns import put
from sandtable.games import find
from sandtable.games.ww2_europe.facts.supply_net import supply_net
from sandtable.games.ww2_europe.model.actions import BuyPoint, Done, Give, JoinConvoy, March, Raid, Ship, StartConvoy
from sandtable.games.ww2_europe.model.atlas import ATLAS
from sandtable.games.ww2_europe.model.calendar import turn_track
from sandtable.games.ww2_europe.model.state import AT_WAR, DEAD, OUT
from sandtable.games.ww2_europe.players import bridgehead, choices, economy, expedition, fleet, general, rail, watch
from sandtable.games.ww2_europe.players.aims import main_effort
from sandtable.games.ww2_europe.players.bastion import Bastion, Spearhead, attrition
from sandtable.games.ww2_europe.players.campaign import CAPTAIN, far_threat
from sandtable.games.ww2_europe.players.chances import Chance, Chances, WinterChances
from sandtable.games.ww2_europe.players.colonel import Colonel
from sandtable.games.ww2_europe.players.evaluate import falls, outlook
from sandtable.games.ww2_europe.players.general import AFLOAT, CAREFUL, General, allies, scope
from sandtable.games.ww2_europe.players.headquarters import LAST, Headquarters, edited
from sandtable.games.ww2_europe.players.sight import Sight
from sandtable.games.ww2_europe.players.watch import Watch, garrison, landers
from sandtable.games.ww2_europe.rules import pact
from sandtable.games.ww2_europe.rules.battle_phase import Battle
from sandtable.games.ww2_europe.rules.buy_phase import Purchases
from sandtable.games.ww2_europe.rules.convoy_phase import ConvoyPhase
from sandtable.games.ww2_europe.rules.movement_phase import Movement
from sandtable.games.ww2_europe.rules.movers import Movers
from sandtable.games.ww2_europe.rules.redeployment import cargo_choices, ship_goals
from sandtable.games.ww2_europe.rules.redeployment_phase import Redeployment
from sandtable.games.ww2_europe.rules.units import place
from sandtable.players import Budget, make
from sandtable.players.search import Plan, Scope, granted
from tests.games.ww2_europe.positions import EVERY_FRONT, Board

A = ATLAS
K = ATLAS.kinds
GAME = find("ww2-europe")
ROME, LONDON, BERLIN = (A.index[name] for name in ("rome", "london", "berlin"))


def opened():
    """Spring 1941 before the first move, as something to ask questions of."""
    return Match.new(GAME, "spring-1941", {}, seed="plans").play


def survey(m, power):
    return Watch(Sight(m, power), (), (), Chances(), blitz=False)


def empty(m, space, keep=0):
    """Take the ground units and planes of a space away, but for so many."""
    for unit in [u for u, s in enumerate(m.state.space) if s == space][keep:]:
        place(m.state, unit, DEAD)


def test_a_capital_by_the_sea_is_guarded_against_the_ships_that_can_reach_it():
    m = opened()
    ships = landers(m.state, 1, ROME)
    assert ships >= 2
    assert garrison(Sight(m, A.italy), ROME) > ships * 0.8
    assert landers(m.state, 1, BERLIN) == 0


def test_a_weakly_held_rome_is_worth_calling_ships_out_of_their_convoys():
    m = opened()
    assert expedition.goal_of(survey(m, A.britain)) == ROME
    empty(m, ROME, keep=1)
    voyages = expedition.coup(survey(m, A.britain))
    assert len(voyages) >= 2
    assert len({voyage.ship for voyage in voyages}) == len({voyage.cargo for voyage in voyages}) == len(voyages)
    assert expedition.recall(m, voyages) is not None


def test_colonels_go_forward_first_generals_stand_nowhere_only_to_be_lost():
    """Else no army of colonels gathers before the enemy; generals mass theirs by an aim."""
    m = opened()
    unit = next(u for u, s in enumerate(m.state.space) if s == A.index["novgorod"] and m.state.power[u] == A.ussr)
    smolensk, worse = A.index["smolensk"], {}
    for style in (Watch, Bastion, Spearhead):
        camp = style(Sight(m, A.ussr), (), (), Chances(), blitz=False)
        camp.threats[smolensk], camp.left[smolensk] = 0.0, []
        safe = camp.score(unit, smolensk)
        camp.threats[smolensk] = 6.0
        worse[style] = camp.score(unit, smolensk) < safe
    assert worse == {Watch: False, Bastion: True, Spearhead: True}


def test_bombers_share_out_their_targets():
    m = opened()
    sight = Sight(m, A.germany)
    for unit in [u for s in sight.air[1].values() for u in s if K.escort[m.state.kind[u]]]:
        place(m.state, unit, DEAD)
    sight = Sight(m, A.germany)
    bombers = [u for s in sight.air[0].values() for u in s if K.base[m.state.kind[u]] == K.bomber]
    together, apart = (
        {raid.target for raid in fleet.bombing(sight, bombers, spread=spread) if isinstance(raid, Raid)}
        for spread in (False, True)
    )
    assert together
    assert len(apart) > len(together)


def test_large_battles_are_guessed_with_those_who_fall_first():
    m = opened()
    camp = survey(m, A.ussr)
    east = [u for s in sorted(Sight(m, A.germany).ground[0]) for u in Sight(m, A.germany).ground[0][s]]
    few, many = east[:12], east[:30]
    foes = [u for s in sorted(Sight(m, A.ussr).ground[1]) for u in Sight(m, A.ussr).ground[1][s]][:12]
    moscow = A.index["moscow"]
    weak = camp.chances.attack(m, moscow, 0, few, foes, {0}, blitz=False)
    strong = camp.chances.attack(m, moscow, 0, many, foes, {0}, blitz=False)
    assert weak.win < strong.win
    assert weak.ours > 0
    assert strong.win > 0.5


def test_the_outlook_of_a_war_that_a_side_has_lost_before_it_is_said_so():
    m = opened()
    m.state.status = tuple(OUT if A.side[power] == 0 else status for power, status in enumerate(m.state.status))
    assert outlook(m, 1) == -outlook(m, 0)


def test_the_outlook_is_the_same_from_both_sides_and_worse_without_a_garrison():
    m = opened()
    assert outlook(m, 0) == -outlook(m, 1)
    before = falls(Sight(m, A.britain), LONDON)
    empty(m, LONDON)
    assert falls(Sight(m, A.britain), LONDON) >= before


def test_troops_at_home_ask_for_no_convoy():
    m = opened()
    home = {supply_net(m.state, A.group[A.britain]).part[LONDON]}
    assert home.isdisjoint(economy.hungry(m, A.britain))


# ---- the general -----------------------------------------------------------------------------------------------------
def bastion(m, power, style=Bastion):
    return style(Sight(m, power), (), (), WinterChances(), blitz=False)


def test_a_fighter_is_wanted_over_a_dear_factory_that_bombers_can_reach():
    m = opened()
    camp = bastion(m, A.britain)
    glasgow = A.index["glasgow"]
    assert camp.exposed[glasgow] == A.value[glasgow]
    fighters = [u for s in camp.sight.air[1].values() for u in s if K.base[m.state.kind[u]] == K.fighter]
    tac = next(u for s in camp.sight.air[1].values() for u in s if K.base[m.state.kind[u]] == K.tac_bomber)
    assert not camp.shields(glasgow)
    assert camp.shelter(fighters[0], glasgow) > camp.shelter(tac, glasgow) + A.value[glasgow]
    for unit in [u for u, k in enumerate(m.state.kind) if k == K.bomber and A.side[m.state.power[u]] == 0]:
        place(m.state, unit, DEAD)
    assert not bastion(m, A.britain).exposed


def test_a_fighter_that_guards_a_factory_alone_flies_nowhere_else():
    m = opened()
    sight = Sight(m, A.germany)
    planes = [u for units in sight.air[0].values() for u in units if m.state.power[u] == A.germany]
    camp = Spearhead(sight, (), planes, WinterChances(), blitz=False)
    guards = [camp.shields(space)[0] for space in camp.exposed if camp.shields(space)]
    assert guards
    assert not set(guards) & set(camp.planes)


def test_more_fighters_are_bought_only_while_some_factory_has_none():
    m = opened()
    assert bastion(m, A.germany, Spearhead).unshielded() <= 0
    for unit in [u for u, k in enumerate(m.state.kind) if K.base[k] == K.fighter and m.state.power[u] == A.britain]:
        place(m.state, unit, DEAD)
    camp = bastion(m, A.britain)
    assert camp.unshielded() == len(camp.exposed) > 0


def test_large_armies_freeze_in_the_russian_winter():
    m = opened()
    east = [u for units in Sight(m, A.germany).ground[0].values() for u in units][:14]
    reds = [u for units in Sight(m, A.ussr).ground[1].values() for u in units][:12]
    moscow = A.index["moscow"]
    warm = WinterChances().attack(m, moscow, 0, east, reds, {0}, blitz=False)
    assert warm == Chances().attack(m, moscow, 0, east, reds, {0}, blitz=False)
    m.state.turn = turn_track("spring-1941").index("winter 1941")
    cold = WinterChances().attack(m, moscow, 0, east, reds, {0}, blitz=False)
    assert cold.win < warm.win


def test_the_pacific_is_paid_late_but_in_full():
    """However late the USA pays, a year of war costs it what the rules ask."""
    state = opened().state
    track = turn_track("spring-1941")
    income = A.value[A.capital[A.usa]]
    state.turn, state.pot, state.pot_turns = track.index("spring 1943"), 0, 0
    paid = []
    for _ in range(4):
        state.money = put(state.money, A.usa, income)
        share = choices.late_share(state)
        paid.append(share)
        state.pot += share
        state.turn += 1
        state.pot_turns += 1
    assert sum(paid) == A.rules["usa_pacific"]["amount"]
    assert paid == sorted(paid)
    assert paid[0] == 0
    state.turn, state.pot, state.pot_turns = track.index("spring 1945"), 0, 0
    assert choices.late_share(state) == 0


def test_the_americans_want_ships_for_those_who_wait_at_home():
    m = opened()
    assert bridgehead.ships_missing(m, A.usa) == 0
    for unit in [u for u, k in enumerate(m.state.kind) if k == K.transport and m.state.power[u] == A.usa]:
        place(m.state, unit, DEAD)
    assert bridgehead.ships_missing(m, A.usa) == m.state.rps[A.usa] // 2


def test_a_ship_overseas_fetches_those_who_wait_at_home():
    b = Board("spring-1941", war="germany great_britain usa ussr")
    b.put("usa", "infantry", "usa", 2)
    before = bridgehead.ships_missing(b.m, A.usa)
    b.put("usa", "transport", "london_port", 1)
    assert bridgehead.ships_missing(b.m, A.usa) == before - 1
    b.run(Redeployment(1))
    order = rail.cross_the_sea(b.m, A.usa, b.match.offers("usa"), planes=False)
    assert isinstance(order, Ship)
    assert b.match.why_not("usa", order) is None


def test_a_ship_too_far_away_to_come_back_keeps_no_other_from_crossing():
    b = Board("spring-1941", war="germany great_britain usa ussr")
    b.owner("great_britain", "amsterdam")
    far = b.put("usa", "transport", "amsterdam_port")
    b.put("germany", "destroyer", "hamburg_port", 3)
    load = b.put("usa", "infantry", "usa")
    b.state.rps = put(b.state.rps, A.usa, 10)
    b.run(Redeployment(1))
    assert load in cargo_choices(b.m, far)
    assert not any(A.homeland[land] == A.britain for land in ship_goals(b.m, far, load))
    near = b.put("usa", "transport", "usa_port")
    b.run(Redeployment(1))
    order = rail.cross_the_sea(b.m, A.usa, b.match.offers("usa"), planes=False)
    assert isinstance(order, Ship)
    assert order.transport == b.name(near)


def test_in_the_last_season_only_capitals_are_guarded():
    m = opened()
    sight = Sight(m, A.germany)
    unit = sight.ground[0][A.index["konigsberg"]][0]
    alone = {s: [u for u in units if u == unit] for s, units in sight.ground[0].items()}
    for doctrine, free in ((CAPTAIN, False), (LAST, True)):
        camp = Spearhead(sight, (), (), WinterChances(), blitz=False, doctrine=doctrine)
        camp.left = dict(alone)
        assert camp.may_leave(unit, A.index["konigsberg"], -1) == free


def test_a_capital_behind_a_stronger_army_wants_few():
    """But not that of a power that is outnumbered: its army may be gone next season."""
    b = Board("fall-1939", war="germany france great_britain")
    b.put("france", "tank", "sedan", 4)
    b.put("france", "infantry", "frankfurt", 6)
    alone = garrison(Sight(b.m, A.germany), BERLIN)
    b.put("germany", "tank", "leipzig", 10)
    assert garrison(Sight(b.m, A.germany), BERLIN) < alone
    m, moscow = opened(), A.index["moscow"]
    assert watch.outnumbered(Sight(m, A.ussr))
    assert garrison(Sight(m, A.ussr), moscow) == round(2 * far_threat(Sight(m, A.ussr), moscow))


def test_the_pact_is_kept_from_the_first_turn_on():
    """Ten Stack Points stand in Poland at the end of the turn, mostly on foot."""
    for seed in (0, 5):
        match = Match.new(GAME, "fall-1939", {}, seed=f"1/{seed}", history=False)
        staff = {role: make("general", GAME, f"1/{seed}/{role}") for role in match.roles}
        while match.state.turn == 0 and not match.over:
            role = match.decisions()[0]
            match.apply(role, staff[role].decide(match.view(role), match.offers(role), Budget(tries=1)))
        assert pact.garrison(match.play, A.germany) >= pact.NEED
        assert match.state.breach == 0


def at_sea(*ships):
    """Britain and the USA with some ships in ports, in their Convoy phase."""
    b = Board("spring-1941", war="germany great_britain usa ussr")
    for power, kind, port, number in ships:
        b.put(power, kind, port, number)
    return b.run(ConvoyPhase(1))


def sail(b, role):
    return Headquarters(GAME, "sail", role).sail(b.m, A.power_index[role], b.match.offers(role))


def test_idle_ships_go_back_into_the_lines_that_earn_money():
    b = at_sea(("great_britain", "transport", "glasgow_port", expedition.FLEET))
    b.convoy("great_britain", "alexandria_port", "glasgow_port", destroyers=2)
    assert isinstance(sail(b, "great_britain"), Done), "these are kept for landings"
    b.put("great_britain", "transport", "glasgow_port")
    assert isinstance(sail(b, "great_britain"), StartConvoy)
    b = at_sea(("great_britain", "transport", "glasgow_port", 1))
    assert isinstance(sail(b, "great_britain"), StartConvoy), "a first line is drawn by whoever there is"


def test_a_line_is_drawn_from_either_end():
    b = at_sea(("great_britain", "transport", "canada_port", 1))
    found = sail(b, "great_britain")
    assert isinstance(found, StartConvoy)
    assert found.origin == "canada_port"
    assert b.match.why_not("great_britain", found) is None


def test_troops_who_cannot_be_fed_stop_no_line_that_earns_money():
    b = at_sea(("great_britain", "transport", "glasgow_port", expedition.FLEET + 1))
    b.put("great_britain", "infantry", "sedan", 3)
    b.state.owner = put(b.state.owner, A.index["sedan"], A.britain)
    assert economy.hungry(b.m, A.britain)
    assert isinstance(sail(b, "great_britain"), StartConvoy)


def test_a_capital_is_worn_down_by_who_earns_more():
    m, moscow = opened(), A.index["moscow"]
    camp = Spearhead(Sight(m, A.germany), (), (), WinterChances(), blitz=False)
    even = Chance(0.0, 100.0, 90.0)
    assert attrition(m, A.germany, moscow) > 1 > attrition(m, A.ussr, BERLIN)
    assert camp.worth_it(even, 100.0, moscow)
    assert not camp.worth_it(even, 100.0, A.index["minsk"])
    assert not Watch.worth_it(camp, even, 100.0, moscow)


def test_a_convoy_without_escort_gets_a_destroyer():
    b = at_sea(("great_britain", "destroyer", "glasgow_port", 3))
    b.convoy("great_britain", "canada_port", "glasgow_port", destroyers=1)
    assert isinstance(sail(b, "great_britain"), JoinConvoy)
    b.convoy("great_britain", "canada_port", "glasgow_port", destroyers=2)
    b.state.convoys = b.state.convoys[1:]
    assert isinstance(sail(b, "great_britain"), Done)


def test_the_last_point_brings_an_escort_before_another_transport():
    b = at_sea(("great_britain", "transport", "london_port", expedition.FLEET + 1))
    ship = b.put("great_britain", "destroyer", "scapa_flow_port")
    b.convoy("great_britain", "canada_port", "glasgow_port")
    b.state.rps = put(b.state.rps, A.britain, 1)
    b.run(ConvoyPhase(1))
    found = sail(b, "great_britain")
    assert isinstance(found, JoinConvoy)
    assert found.unit == b.name(ship)


def test_any_ship_may_be_the_one_that_is_not_kept_for_landings():
    """The way from London is shut by the fleet in Brussels, that from Glasgow is open."""
    b = at_sea(
        ("great_britain", "transport", "glasgow_port", 1),
        ("great_britain", "transport", "london_port", expedition.FLEET),
        ("germany", "destroyer", "brussels_port", 8),
    )
    b.owner("germany", "brussels")
    b.run(ConvoyPhase(1))
    found = sail(b, "great_britain")
    assert isinstance(found, StartConvoy)
    assert found.origin == "glasgow_port"


def test_american_aid_has_a_line_and_is_given():
    b = at_sea(("usa", "transport", "usa_port", 2))
    start = sail(b, "usa")
    assert isinstance(start, StartConvoy)
    assert A.homeland[A.land_of_port[A.index[start.goal]]] == A.ussr
    b.match.apply("usa", start)
    assert isinstance(sail(b, "usa"), JoinConvoy), "a gift of twenty dollars takes two ships"
    b.run(Purchases(1))
    b.state.money = put(b.state.money, A.usa, 50)
    gift = economy.aid(b.m, A.usa, b.match.offers("usa"))
    assert gift == Give("ussr", 10)
    assert b.match.why_not("usa", gift) is None
    b.state.money = put(b.state.money, A.usa, 30)
    assert economy.aid(b.m, A.usa, b.match.offers("usa")) is None


def test_where_no_soviet_port_is_left_the_british_are_helped():
    b = at_sea(("usa", "transport", "usa_port", 2))
    for port in A.ports:
        if A.homeland[A.land_of_port[port]] == A.ussr:
            b.state.owner = put(b.state.owner, A.land_of_port[port], A.germany)
    start = sail(b, "usa")
    assert isinstance(start, StartConvoy)
    assert A.homeland[A.land_of_port[A.index[start.goal]]] == A.britain


def ashore(at_home=2):
    """British troops in Sedan and in London with as many transports, before they move."""
    b = Board("spring-1941", war="germany great_britain usa ussr")
    b.put("great_britain", "tank", "sedan", 4)
    b.put("great_britain", "infantry", "london", 1 + at_home)
    b.put("great_britain", "transport", "london_port", at_home)
    b.put("germany", "infantry", "paris", 2)
    b.state.owner = put(b.state.owner, A.index["sedan"], A.britain)
    b.run(Movement(1, fronts=EVERY_FRONT))
    sorts = Movers(b.state, A.britain, EVERY_FRONT)
    camp = Bastion(Sight(b.m, A.britain), sorts.ground, sorts.air, WinterChances(), blitz=False)
    return b, camp, sorts.transports


def test_who_has_an_enemy_to_march_against_does_not_sail_away_again():
    b, camp, _ = ashore()
    loads = expedition.cargoes(camp, camp.free, A.index["brest"])
    assert {b.state.space[u] for u in loads} == {LONDON}
    loads = expedition.cargoes(survey(b.m, A.britain), None, A.index["brest"])
    assert A.index["sedan"] in {b.state.space[u] for u in loads}, "a colonel's army may"


def test_those_ashore_are_reinforced_before_anybody_lands_elsewhere():
    b, camp, ships = ashore()
    orders, left = bridgehead.follow_up(camp, ships)
    assert not left
    assert [getattr(order, "to", "") for order in orders] == ["sedan", "sedan"]
    for order in orders:
        assert b.match.why_not("great_britain", order) is None
        b.match.apply("great_britain", order)
    b, camp, ships = ashore()
    camp.room[A.index["sedan"]] = 0
    assert bridgehead.follow_up(camp, ships) == ([], ships)


def test_a_capital_next_to_a_coast_is_guarded_against_a_fleet():
    m = opened()
    assert max(landers(m.state, 1, A.index[name]) for name in ("hamburg", "stettin")) > 4
    assert bastion(m, A.germany, Spearhead).wanted[BERLIN] > garrison(Sight(m, A.germany), BERLIN)
    for unit in [u for u, k in enumerate(m.state.kind) if k == K.transport and A.side[m.state.power[u]] == 1]:
        place(m.state, unit, DEAD)
    assert bastion(m, A.germany, Spearhead).wanted[BERLIN] == garrison(Sight(m, A.germany), BERLIN)


def test_the_british_count_on_the_americans_who_land_after_them():
    b, camp, _ = ashore()
    brest = A.index["brest"]
    assert expedition.partners(camp, brest, 10) == 0
    b.put("usa", "tank", "bristol", 3)
    b.put("usa", "transport", "london_port", 2)
    assert expedition.partners(camp, brest, 10) == 2


def test_nobody_lands_where_they_cannot_be_fed():
    b, camp, _ = ashore()
    sedan, brest = A.index["sedan"], A.index["brest"]
    force = camp.free[:2]
    assert camp.beachhead(sedan, force) < -camp.pull[sedan] / 2 < camp.beachhead(brest, force)
    b.state.depots = put(b.state.depots, A.britain, 1)
    assert camp.beachhead(sedan, force) > -camp.pull[sedan] / 2


def test_the_british_buy_back_points_that_were_bombed_away():
    b = Board("spring-1941", war="germany great_britain usa ussr")
    b.run(Purchases(1))
    b.state.money = put(b.state.money, A.britain, 50)
    for points, first in ((2, BuyPoint()), (6, None)):
        b.state.rps = put(b.state.rps, A.britain, points)
        staff = Headquarters(GAME, "points", "great_britain")
        assert staff.first_buy(b.m, A.britain, b.match.offers("great_britain")) == first


def before_a_march(role):
    """Spring 1941 when a power moves its troops."""
    match = Match.new(GAME, "spring-1941", {}, seed="season")
    while not isinstance(match.step, Movement) or match.decisions()[0] != role:
        one = match.decisions()[0]
        match.apply(one, make("captain", GAME, 1).decide(match.view(one), match.offers(one), Budget()))
    return match


def test_only_plans_that_differ_are_compared():
    match = before_a_march("germany")
    season = General(GAME, 1).theatre(match.view("germany"))
    keys = [season.key(plan) for plan in (Plan(), *season.scope.stock)]
    assert len(set(keys)) == len(keys) > 2
    match = before_a_march("ussr")
    assert General(GAME, 1).theatre(match.view("ussr")).scope == Scope(), "the Soviets are surprised and cannot move"


def test_allies_with_armies_are_asked_for_what_is_before_them():
    match = before_a_march("italy")
    season = General(GAME, 1).theatre(match.view("italy"))
    assert set(season.scope.allies) == {"germany"}, "enemies are not asked"
    m = match.play
    own = {role: scope(Sight(m, A.power_index[role])).aims for role in season.scope.allies}
    assert all(places and set(places) <= set(own[role]) for role, places in season.scope.allies.items())
    [place] = season.scope.allies["germany"][:1]
    assert season.key(Plan(ask=(("germany", place),))) != season.key(Plan())
    m.state.status = put(m.state.status, A.germany, OUT)
    assert allies(m, A.italy) == {}, "who is out of the war is not asked"


def test_in_a_rehearsal_an_ally_that_is_asked_goes_there_led_as_ever():
    match = before_a_march("italy")
    season = General(GAME, 1).theatre(match.view("italy"))
    [place] = season.scope.allies["germany"][:1]
    asked = season.orders("germany", Plan(ask=(("germany", place),)), Plan())
    seen = []

    class Seen(Colonel):
        def decide(self, view, offers, budget):
            seen.append((type(self), self.doctrine.aim, self.doctrine.force))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(general, "Colonel", Seen)
        for plan in (asked, Plan()):
            season.lead("germany", plan)(match.view("italy"), match.offers("italy"))
    assert seen == [(Seen, A.index[place], 2.0), (Seen, -1, 1.0)]
    assert asked == granted(place)


def test_a_draw_is_half_a_win_whatever_there_is_in_dollars():
    match = before_a_march("germany")
    season = General(GAME, 1).theatre(match.view("germany"))
    for winners, value in (((), 0.5), (("germany", "italy"), 1.0), (("great_britain", "usa", "ussr", "france"), 0.0)):
        ended = match.clone()
        ended.state.outcome = Outcome(winners, "minor", "w2e-victory-minor")
        assert season.value(ended) == value


def test_with_france_gone_a_capital_of_the_axis_meets_a_fleet_in_full():
    m = opened()
    fleet = max(landers(m.state, 1, A.index[name]) for name in ("hamburg", "stettin", "danzig"))
    assert fleet >= 4
    assert bastion(m, A.germany, Spearhead).wanted[BERLIN] == min(10, fleet + 2)
    m.state.owner = put(m.state.owner, A.index["paris"], A.france)
    assert bastion(m, A.germany, Spearhead).wanted[BERLIN] < fleet


def test_who_attacks_comes_in_such_strength_that_he_can_stay():
    """A lone tank is beaten by two; more go with them when its friends stand behind it."""

    def goes(behind):
        b = Board("fall-1939", war="germany france great_britain")
        b.put("germany", "infantry", "munich", 8)
        b.put("germany", "tank", "munich", 2)
        b.put("france", "infantry", "strasbourg", 1)
        b.put("france", "infantry", "paris", behind)
        b.run(Movement(0, fronts=EVERY_FRONT))
        sorts = Movers(b.state, A.germany, EVERY_FRONT)
        camp = Spearhead(Sight(b.m, A.germany), sorts.ground, sorts.air, WinterChances(), blitz=False)
        camp.attack_all()
        return sum(isinstance(order, March) and order.path[-1] == "strasbourg" for order in camp.orders)

    assert 0 < goes(1) < goes(8)


def test_germany_buys_bombers_when_the_war_in_the_west_is_won():
    staff = Headquarters(GAME, "bombers", "germany")
    state = opened().state
    assert staff.bombers_wanted(state, A.germany) > 0
    assert staff.bombers_wanted(Match.new(GAME, "fall-1939", {}, seed="bombers").state, A.germany) == 0


def test_generals_wage_war_more_prudently_than_colonels():
    general, colonel = Headquarters(GAME, "odds", "germany"), Colonel(GAME, 1)
    state = opened().state
    assert general.orders(state).fair > colonel.doctrine.fair
    general.follow(Plan(aim="warsaw"))
    assert general.orders(state).fair > colonel.doctrine.fair
    general.follow(Plan(dials=(("fair", 0.5),)))
    assert general.orders(state).fair == 0.5


def test_soviet_generals_hold_their_land_thinly_and_strike_back():
    """They need less than others where some already stand, and attack at odds that others refuse, under a plan too."""
    ussr, germany = (Headquarters(GAME, "thin", role) for role in ("ussr", "germany"))
    state = opened().state
    for plan in (Plan(), Plan(aim="warsaw")):
        ussr.follow(plan)
        assert ussr.orders(state).hold < germany.orders(state).hold
        assert ussr.orders(state).fair < germany.orders(state).fair
    ussr.follow(CAREFUL)
    assert ussr.orders(state).fair == germany.orders(state).fair


def test_with_paris_lost_the_western_allies_go_for_rome():
    state, paris = opened().state, A.capital[A.france]
    for power in (A.britain, A.usa):
        assert main_effort(state, power) == ROME
    state.owner = put(state.owner, ROME, A.britain)
    assert main_effort(state, A.britain) == -1, "Rome has fallen"
    state.owner = put(put(state.owner, ROME, A.italy), paris, A.france)
    assert main_effort(state, A.britain) == -1, "there is an army to help in France"


def test_the_western_allies_weigh_every_capital_of_the_enemy():
    """Rome is the usual way; it is tried to go for another one, for none in particular, and not to sail."""
    found = scope(Sight(opened(), A.usa))
    capitals = {"berlin", "rome", "paris"}
    assert capitals <= set(found.aims)
    assert {plan.aim for plan in found.stock if plan.force > 1} == capitals
    assert AFLOAT in found.stock
    first = found.stock[0]
    assert first.aim
    assert first.force == 1, "no main effort"


def test_a_destroyer_that_cannot_come_is_no_escort():
    b = Board("spring-1941", war="germany great_britain")
    b.convoy("great_britain", "canada_port", "glasgow_port")
    missing = economy.escorts_missing(b.m, A.britain)
    b.put("great_britain", "destroyer", "london_port", 2)
    b.state.rps = put(b.state.rps, A.britain, 0)
    assert economy.escorts_missing(b.m, A.britain) == missing
    b.state.rps = put(b.state.rps, A.britain, 4)
    assert economy.escorts_missing(b.m, A.britain) < missing


def test_a_plan_says_how_many_land():
    """Four British units and their ships are enough as usual, and too few for a plan that asks for more."""
    b = Board("spring-1941", war="germany great_britain usa ussr")
    b.put("great_britain", "tank", "bristol", 4)
    b.put("great_britain", "transport", "bristol_port", 4)
    b.state.depots = put(b.state.depots, A.britain, 1)
    b.run(Movement(1, fronts=EVERY_FRONT))
    sorts = Movers(b.state, A.britain, EVERY_FRONT)

    def lands(plan):
        doctrine = edited(plan, A.britain)
        camp = Bastion(Sight(b.m, A.britain), sorts.ground, (), WinterChances(), blitz=False, doctrine=doctrine)
        return len(expedition.landing(camp, sorts.transports))

    assert lands(Plan()) == 4
    assert lands(Plan(dials=(("many", 5.0),))) == lands(AFLOAT) == 0


def test_those_whom_the_pact_wants_in_poland_are_no_garrison_of_berlin():
    """Berlin lacks men, and only those who keep the pact are near."""
    b = Board("fall-1939", war="germany france great_britain")
    b.state.pact = True
    b.owner("germany", "danzig")
    b.put("germany", "infantry", "danzig", pact.NEED)
    b.put("germany", "infantry", "berlin", 1)
    b.put("france", "tank", "leipzig", 8)
    b.run(Movement(0, fronts=EVERY_FRONT))
    sorts = Movers(b.state, A.germany, EVERY_FRONT)
    for style, left in ((Watch, False), (Spearhead, True)):
        camp = style(Sight(b.m, A.germany), sorts.ground, sorts.air, WinterChances(), blitz=False)
        assert camp.lacks(BERLIN) > 0
        assert camp.urgent(A.index["danzig"], BERLIN) is not left
        camp.man_capitals()
        assert (camp.in_poland(-1) >= pact.NEED) is left


def test_the_allies_wear_a_capital_down_too():
    m = opened()
    m.state.status = put(m.state.status, A.usa, AT_WAR)
    assert attrition(m, A.usa, ROME) > 1.2
    even = Chance(0.0, 100.0, 90.0)
    assert bastion(m, A.usa).worth_it(even, 100.0, ROME)
    assert not bastion(m, A.usa).worth_it(even, 100.0, A.index["naples"])
    assault = Battle(ROME, 1, False, (), ())
    assert Headquarters(GAME, "assault", "usa").wears_down(m, assault)
    assert not Headquarters(GAME, "assault", "italy").wears_down(m, assault)
