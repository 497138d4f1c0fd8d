"""What the players of Hitler's War plan in positions where a good plan is known."""

import msgspec
import pytest

from sandtable.core import Match
from sandtable.core.columns import put
from sandtable.games import find
from sandtable.games.hitlers_war.model.actions import Attack, Build, Detach, Done, Exploit, Transfer
from sandtable.games.hitlers_war.model.atlas import ALLIES, ATLAS, SOVIET
from sandtable.games.hitlers_war.model.atlas import AXIS as GERMANS
from sandtable.games.hitlers_war.model.places import BERLIN, FRANCE, SIBERIA
from sandtable.games.hitlers_war.model.state import INVASION, LAND, PEACE_ACCEPTED, armies_of
from sandtable.games.hitlers_war.players import orders
from sandtable.games.hitlers_war.players.battle import announce, exploit, prey_at_hand, stranded
from sandtable.games.hitlers_war.players.captain import Captain
from sandtable.games.hitlers_war.players.colonel import Colonel
from sandtable.games.hitlers_war.players.doctrine import Doctrine, Plan, stance
from sandtable.games.hitlers_war.players.economy import for_research, raise_troops
from sandtable.games.hitlers_war.players.general import Aide, General, OneTurn, Pursuit
from sandtable.games.hitlers_war.players.orders import ferries
from sandtable.games.hitlers_war.players.plan import Planner
from sandtable.games.hitlers_war.players.scene import Scene, besieger
from sandtable.games.hitlers_war.rules.attacks_phase import Announce
from sandtable.games.hitlers_war.rules.exploitation_phase import Exploitation
from sandtable.games.hitlers_war.rules.movement_phase import Movement
from sandtable.games.hitlers_war.rules.production_phase import ProductionPhase
from sandtable.players import Budget, searcher
from sandtable.players.search import USUAL, Found, Theatre
from sandtable.players.search import Plan as Orders
from tests.games.hitlers_war.positions import Position

GAME = find("hitlers-war")
_RING = [ATLAS.names[x] for x in ATLAS.step[BERLIN]]


def siege() -> Position:
    """Five hexes around the fortress are Soviet, and Axis tanks stand before Leningrad."""
    p = Position("fall-of-germany", players=2).turn("Summer 1945").fort("P10", 10)
    p.hold("soviet", *_RING[:5])
    for number, army in enumerate(armies_of(SOVIET)[:5]):
        p.army(ATLAS.army_names[army], _RING[number], infantry=6, mechanized=4)
    p.army("OKW", "S15", mechanized=10)
    p.hold("axis", "S15")
    return p


def test_the_blow_at_berlin_takes_every_point_before_any_garrison():
    scene = Scene(siege().state, SOVIET)
    aimed = [post for post in Planner(scene, stance(scene)).make().posts if post.aim == BERLIN]
    assert len(aimed) == 5
    assert sum(sum(post.want) for post in aimed) >= 45


def test_who_made_peace_does_not_besiege():
    p = siege()
    assert besieger(p.state) == SOVIET
    p.state.peace = PEACE_ACCEPTED
    assert besieger(p.state) == ALLIES


def beachhead() -> Position:
    p = Position("campaign-1", players=2).turn("Summer 1943")
    p.hold_all("axis", "france").hold("allies", "O8")
    p.state.surrendered = put(p.state.surrendered, FRANCE, 1)
    p.state.at_war, p.state.america = True, 1
    p.army("British Second Army", "O8", infantry=2, amphibious=2)
    p.army("Britain", "P7", infantry=5, mechanized=4)
    p.army("Army Group West", "N7", infantry=9)
    return p


def test_britain_feeds_its_beachhead_tanks_first():
    p = beachhead()
    first = next(ferries(Scene(p.state, ALLIES)))
    assert isinstance(first, Transfer)
    assert first.points == (("mechanized", 4),)
    assert first.army == "Britain"


def test_a_full_beachhead_gets_nothing():
    p = beachhead()
    p.army("British Second Army", "O8", infantry=8, amphibious=2)
    assert not list(ferries(Scene(p.state, ALLIES)))


def landing(german_points: int) -> list[str]:
    """Where one party of ten would land against so many German points that nobody binds."""
    p = Position("campaign-1", players=2).turn("Summer 1943")
    p.hold_all("axis", "france").hold_all("axis", "low_countries")
    p.state.surrendered = put(p.state.surrendered, FRANCE, 1)
    p.army("Britain", "P7", mechanized=5, amphibious=5)
    for army in armies_of(GERMANS)[: german_points // 10]:
        p.army(ATLAS.army_names[army], "P10", mechanized=10)
    plan = Planner(Scene(p.state, ALLIES), Doctrine()).make()
    return [ATLAS.names[post.aim] for post in plan.posts if post.lands]


def test_one_party_lands_only_where_it_can_stay():
    assert landing(10)
    assert not landing(40)


def test_research_is_paid_before_troops_while_it_pays_back():
    p = Position("campaign-2")
    p.state.budget = 20
    assert for_research(Scene(p.state, GERMANS)) > 0
    p.turn("Winter 1944")
    assert for_research(Scene(p.state, GERMANS)) == 0
    assert for_research(Scene(Position("campaign-1").state, GERMANS)) == 0


@pytest.mark.parametrize(("scenario", "part"), [("barbarossa", 0.5), ("fall-of-germany", 0.0), ("campaign-1", 0.0)])
def test_points_count_only_where_they_are_odds(scenario, part):
    """How much the evaluation by hand counts in what a general makes of a rehearsal, beside the learned chance."""
    match = Match.new(GAME, scenario, seed=3, history=False)
    theatre = General(GAME, 3).theatre(match.view("axis"))
    learned, by_hand = theatre.chance(match), theatre.by_hand(match)
    assert learned != by_hand
    assert theatre.value(match) == pytest.approx((1 - part) * learned + part * by_hand)


def moscow_in_danger() -> Position:
    """Three hexes beside Moscow were overrun and left empty, and Soviet points stand in Moscow and in Siberia."""
    p = Position("barbarossa").turn("Spring 1942").hold("axis", "R17", "Q18", "R16", "R15", "S16")
    p.army("Moscow", "Q17", infantry=10)
    p.army("Siberia", "siberia", infantry=19, mechanized=4)
    p.army("Army Group Center", "S16", infantry=2, mechanized=8)
    p.army("OKW", "R15", infantry=10)
    return p


def outset(p: Position, role: str, player: type[Aide] = Aide) -> Doctrine:
    scene = Scene(p.state, GAME.roles.index(role))
    return player(GAME, 1, USUAL).doctrine(scene)


def test_tanks_take_back_what_lies_beside_a_capital():
    p = moscow_in_danger()
    scene, doctrine = Scene(p.state, SOVIET), outset(p, "soviet")
    beside = {ATLAS.index[name] for name in ("R17", "Q18", "R16")}
    plan = Planner(scene, doctrine).make()
    assert any(post.lead and post.aim in beside for post in plan.posts)
    usual = Planner(scene, msgspec.structs.replace(doctrine, ring=0.0, sally=0)).make()
    assert not any(post.lead and post.aim in beside for post in usual.posts)


def test_what_is_not_needed_does_not_sit_in_siberia():
    p = moscow_in_danger()
    scene, doctrine = Scene(p.state, SOVIET), outset(p, "soviet")

    def left_there(doctrine):
        return sum(sum(post.want) for post in Planner(scene, doctrine).make().posts if post.at == SIBERIA)

    assert left_there(doctrine) == 0
    assert left_there(msgspec.structs.replace(doctrine, ring=0.0, sally=0)) > 0


def test_an_order_of_tanks_reaches_production():
    p = moscow_in_danger()
    p.begin("soviet", ProductionPhase())
    built = {}
    for share in (0.1, 0.9):
        aide = Aide(GAME, 1, Orders(dials=(("tanks", share),)))
        action = aide.quick(p.match.view("soviet"), p.match.offers("soviet"))
        assert isinstance(action, Build)
        built[share] = action.kind
    assert built == {0.1: "infantry", 0.9: "mechanized"}


def test_new_troops_go_to_the_capital_that_can_be_shot_at():
    p = Position("barbarossa").turn("Spring 1942").hold("axis", "S16", "S15")
    p.army("Moscow", "Q17", infantry=2)
    p.army("Leningrad", "T15", infantry=2)
    p.army("Army Group North", "S16", infantry=5)
    p.begin("soviet", ProductionPhase())
    scene = Scene(p.state, SOVIET)
    where = [next(raise_troops(scene, "infantry", 4, ring)) for ring in (0.0, 4.0)]
    assert [action.at for action in where if isinstance(action, Build)] == ["Q17", "T15"]


def test_a_rich_conquest_keeps_a_watch():
    """Milan was taken by tanks that drive on: two points stay, though the reserve is used up elsewhere."""
    p = Position("campaign-1", players=2).turn("Spring 1943").hold("allies", "L9", "L8", "M8")
    p.state.at_war, p.state.america = True, 1
    p.army("Britain", "L8", mechanized=8, infantry=2)
    p.army("Army Group West", "L10", infantry=5)
    p.hold("axis", "L10")
    scene = Scene(p.state, ALLIES)
    milan = ATLAS.index["L9"]

    def stays(watch):
        posts = Planner(scene, Doctrine(reserve=0.0, watch=watch)).make().posts
        return sum(sum(post.want) for post in posts if post.at == milan and post.aim < 0)

    assert stays(2) >= 2
    assert stays(0) == 0


def test_the_watch_of_a_rich_conquest_does_not_attack():
    """Tanks alone in Milan may attack the weak hex beside it where nobody has to watch, and stay where they do."""

    def answer(watch, *more):
        p = Position("campaign-1", players=2).turn("Spring 1943").hold("allies", "L9").hold("axis", "L10", "L8")
        p.state.at_war, p.state.america = True, 1
        p.army("Britain", "L9", mechanized=6)
        p.army("Army Group West", "L10", infantry=1)
        for army in more:
            p.army(army, "L9", infantry=2)
        p.begin("allies", Announce())
        scene = Scene(p.state, ALLIES)
        return announce(scene, Plan([], Doctrine(watch=watch), pull=scene.pull), p.match.offers("allies"))

    assert isinstance(answer(0), Attack)
    assert answer(2) == Done()
    assert isinstance(answer(2, "British Second Army"), Attack)


def test_the_axis_looks_at_no_plan_that_holds_more_back_against_the_clock():
    """In Barbarossa it has eight turns: plans with a larger reserve look better than they are."""

    def larger(role):
        theatre = General(GAME, 1).theatre(Match.new(GAME, "barbarossa", seed=3, history=False).view(role))
        assert isinstance(theatre, OneTurn)
        reserves = [dict(plan.dials).get("reserve", 0.0) for plan in theatre.scope.stock]
        return "reserve" in theatre.scope.dials, any(reserve > theatre.base.reserve for reserve in reserves)

    assert larger("axis") == (False, False)
    assert larger("soviet")[0]


def test_generals_of_the_axis_cut_off_armies_and_want_the_hexes_around_the_cities():
    scene = Scene(Match.new(GAME, "barbarossa", seed=3, history=False).state, GERMANS)
    doctrine = Aide(GAME, 1, USUAL).doctrine(scene)
    assert doctrine.cut > Colonel.doctrine(Colonel(GAME, 1), scene).cut
    beside, far = ATLAS.index["R16"], ATLAS.index["O15"]
    ringed = scene.ringed(doctrine.ring)
    assert ringed[beside] > scene.worth[beside]
    assert ringed[far] == scene.worth[far]


def posted(p: Position, side: int, place: str, doctrine: Doctrine) -> list[int]:
    """Points of each kind that a plan puts into a place to hold it."""
    posts = [post for post in Planner(Scene(p.state, side), doctrine).make().posts if post.aim < 0]
    found = [post.want for post in posts if ATLAS.names[post.at] == place]
    return [sum(kind) for kind in zip(*found, strict=True)] or [0] * 5


def milan() -> Position:
    """Milan was taken, and the enemy owns the hexes beside it."""
    p = Position("campaign-1", players=2).turn("Spring 1943").hold_all("axis", "france")
    p.hold("allies", "L9").hold("axis", "L10")
    p.state.surrendered = put(p.state.surrendered, FRANCE, 1)
    p.state.at_war, p.state.america = True, 1
    p.army("Army Group West", "L10", mechanized=8)
    return p


def test_the_watch_comes_before_a_city_gets_more():
    """Ten points are at hand while France stands: all for Paris, or all but the watch of Milan."""
    p = Position("campaign-1", players=2).turn("Summer 1940").hold("allies", "L9").hold("axis", "L10", "O9")
    for army, at in (("Army Group West", "L10"), ("OKW", "O9"), ("Fourth Army", "O10")):
        p.army(army, at, infantry=2, mechanized=8)
    p.army("Britain", "M8", infantry=10)
    for watch in (0, 2):
        doctrine = Doctrine(reserve=0.9, watch=watch)
        assert posted(p, ALLIES, "L9", doctrine)[0] == watch
        assert posted(p, ALLIES, "N7", doctrine)[0] == 10 - watch


@pytest.mark.parametrize(("foot", "left"), [(0, [0, 3]), (5, [3, 5])])
def test_landing_craft_watch_where_nobody_else_is(foot, left):
    planner = Planner(Scene(milan().state, ALLIES), Doctrine(watch=2))
    stock = [foot, 0, 0, 0, 5]
    planner.watch([ATLAS.index["L9"]], stock, 9)
    assert [stock[0], stock[4]] == left


def test_a_plan_that_holds_little_of_small_worth_keeps_the_watch():
    p = milan()
    p.army("Britain", "L9", infantry=4, mechanized=8)
    assert posted(p, ALLIES, "L9", Doctrine(reserve=0.3, watch=2, minor=0.0))[0] >= 2


def test_one_point_keeps_partisans_out_of_a_rich_conquest():
    """The Soviets are far away, and made peace; in the second campaign Moscow may still rise."""
    held = []
    for scenario in ("campaign-1", "campaign-2"):
        p = Position(scenario, players=2).turn("Spring 1943").hold_all("axis", "soviet_union")
        p.state.at_war, p.state.peace = True, PEACE_ACCEPTED
        p.army("OKW", "Q17", infantry=9)
        p.army("Britain", "P7", infantry=9)
        held.append(posted(p, GERMANS, "Q17", Doctrine(watch=2))[0])
    assert held == [0, 1]


def test_a_ferry_leaves_the_watch_behind():
    p = beachhead()
    p.army("Britain", "P7", mechanized=4)
    scene = Scene(p.state, ALLIES)
    assert list(ferries(scene))
    scene.danger[ATLAS.index["P7"]] = 3
    assert not list(ferries(scene, 2))


def test_no_landing_craft_are_sent_to_a_france_that_may_fall():
    p = Position("campaign-1", players=2).turn("Summer 1940").hold("axis", "O8")
    p.army("Army Group West", "O8", mechanized=8)
    p.army("Britain", "P7", infantry=2, amphibious=4)
    sent = [action.points for action in ferries(Scene(p.state, ALLIES)) if isinstance(action, Detach)]
    assert sent == [(("infantry", 2),)]


def test_tanks_that_sally_leave_each_city_a_watch():
    p = moscow_in_danger()
    p.army("Siberia", "siberia", infantry=2, mechanized=7)
    doctrine = outset(p, "soviet")
    cities = ("Q17", "T15", "M19")
    assert all(posted(p, SOVIET, city, doctrine)[0] >= 2 for city in cities)
    unwatched = msgspec.structs.replace(doctrine, watch=0)
    assert not all(posted(p, SOVIET, city, unwatched)[0] for city in cities)


def test_tanks_that_have_broken_through_do_not_find_the_ruhr_empty():
    p = moscow_in_danger().hold("soviet", "P12", "Q12")
    p.army("First Ukrainian", "P12", mechanized=8)
    p.army("OKW", "P10", infantry=10)
    doctrine = outset(p, "axis")
    assert posted(p, GERMANS, "O10", doctrine)[0] >= 2
    assert posted(p, GERMANS, "O10", msgspec.structs.replace(doctrine, watch=0))[0] == 0


def test_generals_ferry_by_their_watch(monkeypatch):
    watches: list[int] = []

    def ferries(_: Scene, watch: int) -> tuple[()]:
        watches.append(watch)
        return ()

    monkeypatch.setattr(orders, "ferries", ferries)
    p = beachhead().begin("allies", Movement())
    for player in (Captain(GAME, 1), Aide(GAME, 1, USUAL)):
        player.ferry(Scene(p.state, ALLIES), p.match.offers("allies"))
    assert watches == [0, 2]


def test_an_empty_city_gets_new_troops_first():
    p = moscow_in_danger()
    p.army("Leningrad", "T15", infantry=4)
    p.begin("soviet", ProductionPhase())
    scene = Scene(p.state, SOVIET)
    first = [next(raise_troops(scene, "infantry", 8, 4.0, watch)) for watch in (0, 2)]
    assert [(action.at, action.number) for action in first if isinstance(action, Build)] == [("T15", 6), ("M19", 4)]


def test_a_landing_party_does_not_leave_its_beach_empty():
    """Paris stands open behind Lille: tanks that drive there alone would be cut off with the loss of the beach."""

    def answer(watch, *more, mode=INVASION, other_beach=False):
        p = beachhead()
        army = p.army("British Second Army", "O8", mechanized=5, amphibious=5)
        p.army("Army Group West", "O9", infantry=9)
        if other_beach:
            p.hold("allies", "O7")
        else:
            p.army("OKW", "O7", infantry=9)
        for other in more:
            p.army(other, "O8", infantry=2)
        p.state.mode = put(p.state.mode, army, mode)
        p.state.advanced = put(p.state.advanced, army, 1)
        p.begin("allies", Exploitation())
        scene = Scene(p.state, ALLIES)
        return exploit(scene, Plan([], Doctrine(watch=watch), pull=scene.pull), p.match.offers("allies"))

    assert isinstance(answer(0), Exploit)
    assert answer(2) == Done()
    assert isinstance(answer(2, "Allied 6"), Exploit)
    assert isinstance(answer(0, mode=LAND), Exploit)
    assert answer(2, mode=LAND) == Done(), "it has come on from the first beach"
    assert answer(2, other_beach=True) == Done(), "the next beach stands empty as well"


def test_a_landing_party_does_not_leave_the_beach_on_which_another_lives():
    """One party has driven on from Amsterdam to the Ruhr's north; the other holds the coast behind it."""
    p = beachhead().hold("axis", "O8", "O9", "O7").hold("allies", "P8", "P9").devastate("P9", 1)
    p.army("British Second Army", "P8", mechanized=5, amphibious=5)
    army = ATLAS.army_index["British Second Army"]
    assert stranded(Scene(p.state, ALLIES), army, ATLAS.index["O8"]) == 0
    p.army("U.S. Army", "P9", mechanized=5, amphibious=5)
    assert stranded(Scene(p.state, ALLIES), army, ATLAS.index["O8"]) == 50
    p.army("Allied 6", "P8", infantry=1)
    assert stranded(Scene(p.state, ALLIES), army, ATLAS.index["O8"]) == 0


def breakthrough() -> Position:
    """Tanks have broken through before Moscow, and may drive on to either side of it."""
    p = Position("barbarossa").turn("Summer 1942").hold("axis", "R15", "R14", "Q14", "S15", "R16")
    army = p.army("OKW", "R16", infantry=2, mechanized=8)
    p.army("Army Group Center", "R15", infantry=9)
    p.army("Moscow", "Q17", infantry=9)
    p.state.mode, p.state.advanced = put(p.state.mode, army, LAND), put(p.state.advanced, army, 1)
    return p.begin("axis", Exploitation())


def driven_to(doctrine: Doctrine) -> str:
    p = breakthrough()
    scene = Scene(p.state, GERMANS)
    action = exploit(scene, Plan([], doctrine, pull=Planner(scene, doctrine).pull), p.match.offers("axis"))
    return action.target if isinstance(action, Exploit) else ""


def test_spearheads_drive_on_to_where_they_are_ordered():
    p = breakthrough()
    usual = outset(p, "axis")
    scene = Scene(p.state, GERMANS)
    first, second = (ATLAS.names[x] for x in prey_at_hand(scene, Plan([], usual, pull=Planner(scene, usual).pull))[:2])
    assert driven_to(usual) == first
    for aim, force in ((second, 3.0), (first, 0.3)):
        ordered = msgspec.structs.replace(usual, focus=((ATLAS.index[aim], force),))
        assert driven_to(ordered) == first, "an aim of the whole turn is no such order"
        assert driven_to(msgspec.structs.replace(ordered, chase=5.0)) == second


def test_a_marshal_looks_where_to_drive_on_when_the_first_attacks_have_ended(monkeypatch):
    """The plan of the turn stays, its orders for the exploitation are new; a few tries would only bring luck."""
    p = breakthrough()
    view, offers = p.match.view("axis"), p.match.offers("axis")
    searched: list[Theatre] = []

    def search(game, view, theatre, **more):
        searched.append(theatre)
        return Found(theatre.scope.stock[1])

    monkeypatch.setattr(searcher, "search", search)
    usual = outset(p, "axis")
    player = General(GAME, 1)
    player.staff.usual, player.staff.orders = (p.state.turn, usual), Orders(dials=(("tanks", 0.1),))
    player.staff._plan, player.staff._key = Plan([], usual, pull=[1.0]), (p.state.turn, GERMANS)
    action = player.decide(view, offers, Budget(tries=48))
    assert isinstance(searched[0], Pursuit)
    assert action == Exploit("OKW", searched[0].scope.stock[1].aim)
    assert action.target != driven_to(usual)
    assert player.staff.doctrine(Scene(p.state, GERMANS)).tanks == 0.1
    player.decide(view, offers, Budget(tries=48))
    General(GAME, 1).decide(view, offers, Budget(tries=6))
    assert len(searched) == 1


def test_who_has_no_plan_of_the_turn_left_still_knows_its_aim():
    scene = Scene(breakthrough().state, GERMANS)
    aide = Aide(GAME, 1, Orders(aim="M19", force=3.0))
    assert aide.standing(scene).pull == Planner(scene, aide.doctrine(scene)).pull
    assert aide.standing(scene).pull != scene.pull


def test_orders_to_drive_on_end_with_the_turn():
    """What is rehearsed in the own next turn does not depend on them."""
    p = breakthrough()
    theatre = General(GAME, 1).theatre(p.match.view("axis"))
    assert isinstance(theatre, Pursuit)
    later = Scene(breakthrough().turn("Winter 1942").state, GERMANS)
    press = []
    for lead in (theatre.lead, super(Pursuit, theatre).lead):
        aide = getattr(lead("axis", Orders(dials=(("press", 0.8),))), "__self__", None)
        assert isinstance(aide, Aide)
        press.append((aide.doctrine(theatre.scene).press, aide.doctrine(later).press))
    assert press == [(0.8, Doctrine().press), (0.8, 0.8)]
