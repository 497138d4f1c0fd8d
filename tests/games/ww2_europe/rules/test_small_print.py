"""What is seldom met: the last die that hits, room for just one, who comes home where, what a turn forgets."""

import pytest

from sandtable.core.columns import put
from sandtable.games.ww2_europe.facts.strongpoints import airfields
from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.model.actions import Launch, March, Sail, StartConvoy
from sandtable.games.ww2_europe.model.atlas import ATLAS, NEUTRAL, NOBODY
from sandtable.games.ww2_europe.model.kinds import T_SHIP, T_SUB, T_TRANSPORT, T_UBOAT
from sandtable.games.ww2_europe.model.state import HOME_BOUND, SPECIAL
from sandtable.games.ww2_europe.rules.aftermath_phase import DepotChoice
from sandtable.games.ww2_europe.rules.armistice import VICHY_LAND, occupy
from sandtable.games.ww2_europe.rules.buy import buy_refusal, special_limit
from sandtable.games.ww2_europe.rules.collect_phase import CollectMoney
from sandtable.games.ww2_europe.rules.convoy_phase import ConvoyPhase, close_convoy
from sandtable.games.ww2_europe.rules.fire import CALM, Shot, can_hit, sea_shots
from sandtable.games.ww2_europe.rules.homecoming import deck_room, land_at_home, other_bases
from sandtable.games.ww2_europe.rules.homecoming_phase import ReturnHome
from sandtable.games.ww2_europe.rules.redeployment import rebase_targets
from sandtable.games.ww2_europe.rules.routes import Routes
from sandtable.games.ww2_europe.rules.stacking import air_limit
from sandtable.games.ww2_europe.rules.surrender import surrender
from sandtable.games.ww2_europe.rules.turn_end import clear_turn, settle_homes
from sandtable.games.ww2_europe.rules.turn_end_phase import StackLimits
from sandtable.games.ww2_europe.rules.victory import flags_held
from tests.games.ww2_europe.positions import Board, space

A, K = ATLAS, ATLAS.kinds
HAMBURG = A.names[0]
"""The first space of the board."""


# ---- dice
@pytest.mark.rule("w2e-unit-destroyer-asw", "w2e-stage2-fire")
def test_the_number_itself_still_hits_and_each_class_has_its_own() -> None:
    shot = Shot(0, 3, T_SHIP, 0, sub=2, uboat=1)
    assert [shot.hit(die) for die in (1, 2, 3, 4)] == [T_SHIP | T_SUB | T_UBOAT, T_SHIP | T_SUB, T_SHIP, 0]


@pytest.mark.rule("w2e-unit-destroyer-asw")
def test_the_owner_of_the_target_chooses_what_a_destroyer_hits() -> None:
    board = Board()
    destroyer = board.put("great_britain", "destroyer", "north_sea")
    foe = board.put("germany", "cruiser", "north_sea")
    (shot,) = sea_shots(board.m, space("north_sea"), [destroyer], [foe], first_round=True, weather=CALM)
    assert shot.free == 0
    assert shot.sub > 0


@pytest.mark.rule("w2e-tech-uboats")
def test_dice_without_a_number_against_uboats_hit_none() -> None:
    board = Board()
    boat = board.put("germany", "u_boat", "north_sea")
    assert not can_hit(board.m, [Shot(0, 3, T_SHIP | T_TRANSPORT)], [boat])
    assert can_hit(board.m, [Shot(0, 3, T_SHIP | T_TRANSPORT, uboat=1)], [boat])


@pytest.mark.rule("w2e-unit-sub-submerged")
def test_submerged_attackers_that_nobody_can_hit_slip_away() -> None:
    board = Board(dice=[6] * 12)
    sub = board.put("germany", "submarine", "north_sea")
    foe = board.put("great_britain", "battleship", "north_sea")
    board.state.home = put(board.state.home, sub, space("hamburg_port"))
    board.fight("north_sea", [sub], [foe])
    assert board.parked
    assert board.where(sub) != "north_sea"


@pytest.mark.rule("w2e-initiative-excluded")
def test_only_a_battle_that_counts_is_counted() -> None:
    for counts in (True, False):
        board = Board(dice=[1, 6, 6, 6])
        tank, foe = board.put("germany", "tank", "warsaw"), board.put("france", "infantry", "warsaw")
        before = board.state.wins
        board.fight("warsaw", [tank], [foe], counts=counts)
        assert not board.alive(foe)
        assert (board.state.wins != before) is counts


# ---- the first space
@pytest.mark.rule("w2e-stage4")
def test_a_unit_in_the_first_space_begins_the_next_turn_there() -> None:
    board = Board()
    tank = board.put("germany", "tank", HAMBURG)
    board.state.home = put(board.state.home, tank, space("berlin"))
    settle_homes(board.m)
    assert board.state.home[tank] == space(HAMBURG)


# ---- what a turn forgets
@pytest.mark.rule("w2e-rp", "w2e-collect")
def test_points_used_and_income_begin_at_nothing() -> None:
    board = Board()
    board.state.rps_used = (3,) * len(A.powers)
    clear_turn(board.m)
    assert board.state.rps_used == (0,) * len(A.powers)
    board.state.income = (9,) * len(A.powers)
    CollectMoney().run(board.m)
    assert board.state.income == (0,) * len(A.powers)


# ---- coming home
@pytest.mark.rule("w2e-unit-carrier-extended", "w2e-stage4")
def test_fighters_and_no_strategic_bombers_land_on_carriers_at_sea() -> None:
    for kind, lands in (("fighter", True), ("tac_bomber", True), ("bomber", False)):
        board = Board()
        ship = board.put("great_britain", "carrier", "north_sea")
        plane = board.put("great_britain", kind, "north_sea")
        assert (board.name(ship) in other_bases(board.m, plane)) is lands


@pytest.mark.rule("w2e-transport-procedure")
def test_cargo_stays_aboard_where_the_port_has_no_room_for_it() -> None:
    for kind, filler, number in (("airbase", "airbase", 1), ("infantry", "infantry", 10)):
        for full in (True, False):
            board = Board()
            load = board.aboard(board.put("great_britain", "transport", "bristol_port"), kind)
            if full:
                board.put("great_britain", filler, "bristol", number)
            land_at_home(board.m)
            assert (board.state.cargo_of[load] == NOBODY) is not full, (kind, full)


@pytest.mark.rule("w2e-transport-procedure")
def test_planes_go_ashore_only_where_there_is_an_airfield() -> None:
    board = Board()
    ports = [p for p in range(len(A.names)) if A.is_port[p] and board.owned(A.names[A.land_of_port[p]]) != "neutral"]
    bare = next(p for p in ports if not air_limit(board.state, A.land_of_port[p]))
    for port in (bare, space("bristol_port")):
        board = Board()
        board.owner("great_britain", A.names[A.land_of_port[port]])
        load = board.aboard(board.put("great_britain", "transport", A.names[port]), "fighter")
        land_at_home(board.m)
        assert (board.state.cargo_of[load] == NOBODY) is (port != bare)


@pytest.mark.rule("w2e-stage4")
def test_who_is_back_has_no_orders_left() -> None:
    board = Board()
    away = board.put("germany", "cruiser", "north_sea")
    board.state.home = put(board.state.home, away, space("hamburg_port"))
    board.state.task = put(board.state.task, away, 0)
    board.run(ReturnHome())
    assert board.where(away) == "hamburg_port"
    assert board.state.task[away] == NOBODY


@pytest.mark.rule("w2e-stage4")
def test_a_ship_in_its_own_open_port_stays_there() -> None:
    """With or without the mark of one that is on its way home."""
    for flags in (0, HOME_BOUND):
        board = Board()
        ship = board.put("germany", "cruiser", "hamburg_port", flags=flags)
        board.state.home = put(board.state.home, ship, space("hamburg_port"))
        board.state.task = put(board.state.task, ship, 0)
        board.run(ReturnHome())
        assert board.where(ship) == "hamburg_port"
        assert board.state.flags[ship] & HOME_BOUND == flags


@pytest.mark.rule("w2e-stack-air")
def test_planes_may_not_stay_where_there_is_no_airfield() -> None:
    board = Board()
    fields = airfields(board.state)
    bare = next(s for s in A.land if not fields >> s & 1 and fields >> s + 1 & 1)
    board.owner("germany", A.names[bare])
    plane = board.put("germany", "fighter", A.names[bare])
    assert StackLimits().crowded(board.m) == [plane]


@pytest.mark.rule("w2e-redeploy-air", "w2e-rp-air")
def test_a_carrier_with_room_for_one_plane_takes_one() -> None:
    board = Board()
    ship = board.put("great_britain", "carrier", "bristol_port")
    plane = board.put("great_britain", "fighter", "london")
    assert board.name(ship) in list(rebase_targets(board.m, plane))
    while deck_room(board.m, ship) > 1:
        board.aboard(ship, "fighter")
    assert board.name(ship) in list(rebase_targets(board.m, plane))
    board.aboard(ship, "fighter")
    assert board.name(ship) not in list(rebase_targets(board.m, plane))


# ---- paths
def ways(budget: int, *goals: int, near: dict[int, int] | None = None) -> Routes:
    """A line of spaces 1, 2, 3, ... each a point away from the last."""
    routes = Routes(1, budget, lambda here, spent: [(here + 1, 1)], lambda s: None, lambda a, b, c: None)
    if goals:
        routes.limit_to(goals, lambda s: None)
    if near is not None:
        routes.near = lambda: near  # type: ignore[assignment]
    return routes


@pytest.mark.rule("w2e-movement-path")
def test_paths_use_up_all_points_and_none_leads_to_a_goal_out_of_reach() -> None:
    assert list(ways(2)) == [(A.names[2],), (A.names[2], A.names[3])]
    assert ways(2, 3, near={2: 1, 3: 2}).lead_anywhere()
    assert not ways(2, 9, near={2: 1, 3: 2}).lead_anywhere()
    assert list(ways(2, 9, near={2: 1, 3: 2})) == []


@pytest.mark.rule("w2e-unit-carrier-extended", "w2e-air-general", "w2e-air-return-range")
def test_a_carriers_plane_ends_over_the_sea_or_over_enemies_and_can_return() -> None:
    board = Board()
    ship = board.put("great_britain", "carrier", "london_port")
    plane = board.aboard(ship, "fighter")
    board.move(1)
    path = ("north_sea",)
    here = A.names[board.state.space[ship]]
    board.do("great_britain", Sail(here, path, (board.name(ship),)))
    own = next(A.names[s] for s, _ in A.air_links[space("north_sea")] if board.owned(A.names[s]) == "great_britain")
    foe = next(A.names[s] for s, _ in A.air_links[space("north_sea")] if board.owned(A.names[s]) == "germany")
    assert board.refused("great_britain", Launch(board.name(plane), ("north_sea", own))).reason == "wrong-element"
    assert board.allows("great_britain", Launch(board.name(plane), ("north_sea", foe)))
    too_far = ("north_sea", "hamburg", "berlin", "breslau", "krakow", "lvov")
    assert board.rule("great_britain", Launch(board.name(plane), too_far)) == "w2e-air-return-range"


@pytest.mark.rule("w2e-fronts")
def test_only_units_on_two_fronts_are_given_to_one() -> None:
    board = Board()
    tank = board.put("germany", "tank", "berlin")
    board.move(0)
    board.do("germany", March(board.name(tank), ("leipzig",)))
    assert board.state.front_choice == {}


# ---- convoys
@pytest.mark.rule("w2e-convoy-start")
def test_who_has_no_points_starts_a_convoy_where_the_ship_lies() -> None:
    board = Board()
    ship = board.put("great_britain", "transport", "bristol_port")
    board.run(ConvoyPhase(1))
    origins = {action.origin for action in board.offered(StartConvoy, "great_britain")}
    assert "bristol_port" in origins
    assert len(origins) > 1
    board.state.rps_used = (99,) * len(A.powers)
    board.run(ConvoyPhase(1))
    assert {action.origin for action in board.offered(StartConvoy, "great_britain")} == {"bristol_port"}
    foreign = StartConvoy(board.name(ship), "hamburg_port", "bristol_port", "")
    assert board.refused("great_britain", foreign).rule == "w2e-convoy-start"


@pytest.mark.rule("w2e-convoy-start")
def test_convoys_are_numbered_one_after_the_other() -> None:
    board = Board()
    ships = [board.put("great_britain", "transport", "bristol_port") for _ in range(2)]
    board.run(ConvoyPhase(1))
    first = board.state.next_convoy
    for ship in ships:
        board.do("great_britain", StartConvoy(board.name(ship), "bristol_port", "alexandria_port", ""))
    assert [convoy.number for convoy in board.state.convoys] == [first, first + 1]


@pytest.mark.rule("w2e-convoy-cancel")
def test_nobody_is_asked_where_a_convoy_without_ships_goes() -> None:
    for destroyers in (0, 1):
        board = Board()
        number = board.convoy("great_britain", "bristol_port", "western_approaches", "gibraltar_port", transports=0,
                              destroyers=destroyers)  # fmt: skip
        depth = len(board.state.stack)
        close_convoy(board.m, next(c for c in board.state.convoys if c.number == number))
        assert len(board.state.stack) == depth + destroyers


# ---- powers that fall, flags, depots
@pytest.mark.rule("w2e-surrender")
def test_minors_of_a_fallen_power_pass_to_its_partner_the_first_minor_too() -> None:
    board = Board(war="italy")
    for minor in ("slovakia", "hungary"):
        board.state.patron = put(board.state.patron, A.minor_index[minor], A.power_index["italy"])
    board.owner("italy", "bratislava", "budapest")
    surrender(board.m, A.power_index["italy"], A.britain)
    assert board.owned("bratislava") == board.owned("budapest") == "germany"


@pytest.mark.rule("w2e-victory-allies")
def test_a_flag_that_belongs_to_nobody_counts_for_nobody() -> None:
    board = Board()
    assert A.france in flags_held(board.state, 1)
    board.owner("neutral", "paris")
    assert A.france not in flags_held(board.state, 0) + flags_held(board.state, 1)
    assert board.state.owner[space("paris")] == NEUTRAL
    board.owner("germany", "paris")
    assert A.france in flags_held(board.state, 0)


@pytest.mark.rule("w2e-armistice-vichy")
@pytest.mark.parametrize(("holder", "guest"), [("germany", "great_britain"), ("great_britain", "germany")])
def test_units_alone_in_land_that_became_the_enemys_take_it(holder: str, guest: str) -> None:
    board = Board()
    place = A.names[VICHY_LAND[0]]
    board.owner(holder, place)
    board.put(guest, "infantry", place)
    occupy(board.m)
    assert board.owned(place) == ("germany" if guest == "germany" else "france")  # who gets their own land back


@pytest.mark.rule("w2e-depot-placement")
def test_a_depot_is_placed_by_a_power_that_landed_and_has_one() -> None:
    board = Board(war="usa")
    board.put("great_britain", "infantry", "oran")
    place = space("oran")
    board.state.depots = put(put((0,) * len(A.powers), A.britain, 1), A.usa, 1)
    assert DepotChoice(place, 1).owners(board.m) == [A.britain]
    board.state.depots = put((0,) * len(A.powers), A.usa, 1)
    assert DepotChoice(place, 1).owners(board.m) == []


@pytest.mark.rule("w2e-special-ss-tanks", "w2e-special-shock", "w2e-special-marines")
def test_marked_units_are_bought_up_to_their_number() -> None:
    german, tank = A.germany, K.index["tank"]
    for option, most in (("", 0), ("waffen-ss-tanks", 2)):
        board = Board("fall-1939", *filter(None, [option]))
        board.state.money = (500,) * len(A.powers)
        assert special_limit(board.m, german, tank) == most
        for _ in range(most):
            assert buy_refusal(board.m, german, tank, True) is None
            board.put("germany", "tank", "berlin", flags=SPECIAL)
        refusal = buy_refusal(board.m, german, tank, True)
        assert refusal is not None
        assert (refusal.rule, refusal.reason) == ("w2e-special-ss-tanks", "special-limit")
        assert buy_refusal(board.m, german, tank, False) is None


@pytest.mark.rule("w2e-tech-200", "w2e-tech-radar")
def test_without_technology_nobody_has_any():
    """Britain's radar of spring 1941 belongs to the optional rule."""
    chosen = {
        switch: GAME.begin("spring-1941", GAME.check_options("spring-1941", {"technology": switch}))
        for switch in (False, True)
    }
    radar = ATLAS.tech_index["radar"]
    assert [chosen[switch].known[ATLAS.power_index["great_britain"]][radar] for switch in (False, True)] == [0, 2]
    assert not any(value for row in (*chosen[False].known, *chosen[False].tech) for value in row)
