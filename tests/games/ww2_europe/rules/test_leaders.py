"""Option Leaders: generals by rank, admirals on ships."""

import pytest

from sandtable.core.columns import put
from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.model.actions import Command, Done, March, MoveLeader, Retreat
from sandtable.games.ww2_europe.model.events import LeaderLost
from sandtable.games.ww2_europe.model.setup import begin
from sandtable.games.ww2_europe.rules.battle_phase import Battle
from sandtable.games.ww2_europe.rules.leaders import leader_bonus, leaders_over, march_spaces
from sandtable.games.ww2_europe.rules.leaders_phase import Commands
from sandtable.games.ww2_europe.rules.movement_phase import Movement
from sandtable.games.ww2_europe.rules.redeployment_phase import Redeployment
from sandtable.games.ww2_europe.rules.strength import Volley, land_parts, sea_parts, total
from sandtable.games.ww2_europe.rules.turn_end import clear_turn
from sandtable.games.ww2_europe.screen.table import space_face
from tests.games.ww2_europe.war import ALLIES, AXIS, A, K, War

EVERY = tuple(range(len(A.fronts)))


def board(**leaders: str) -> War:
    """Only these leaders, 'Rommel' as Rommel="tripoli"; blanks and dots in names as underscores."""
    war = War("summer 1942", options={"leaders": True})
    state = war.state
    for number, name in enumerate(A.leader_names):
        key = name.replace(" ", "_").replace("'", "_")
        state.leader_dead = put(state.leader_dead, number, 0 if key in leaders else 1)
        state.leader_space = put(state.leader_space, number, A.index[leaders[key]] if key in leaders else -1)
        state.leader_ship = put(state.leader_ship, number, -1)
    state.leader_begin = tuple(state.leader_space[:])
    return war


def leader(name: str) -> int:
    return A.leader_names.index(name)


def aboard(war: War, name: str, ship: str) -> None:
    """An admiral begins the turn on a ship."""
    number = leader(name)
    war.state.leader_dead = put(war.state.leader_dead, number, 0)
    war.state.leader_ship = put(war.state.leader_ship, number, war.number(ship))
    war.state.leader_space = put(war.state.leader_space, number, -2)
    war.state.leader_begin = put(war.state.leader_begin, number, -2)


def bonus(war: War, unit: str, space: str) -> int:
    return sum(part.value for part in leader_bonus(war.m, war.number(unit), A.index[space]))


@pytest.mark.rule("w2e-leaders-general")
def test_a_unit_must_begin_the_turn_under_its_leader() -> None:
    war = board(Rommel="tripoli")
    tank = war.put("germany", "tank", "tripoli")
    late = war.put("germany", "tank", "el_agheila")
    assert bonus(war, tank, "tripoli") == 1
    war.state.space = put(war.state.space, war.number(late), A.index["tripoli"])  # it joined him during the turn
    assert bonus(war, late, "tripoli") == 0


@pytest.mark.rule("w2e-leaders-general")
def test_without_the_option_nobody_leads() -> None:
    war = War("summer 1942")
    tank = war.put("germany", "tank", "berlin")
    assert leader_bonus(war.m, war.number(tank), A.index["berlin"]) == []
    led = begin("fall-1939", {"leaders": True})
    capital = A.capital[A.germany]
    assert [led.leader_space[leader(n)] for n in ("von Manstein", "Guderian")] == [capital, capital]
    assert led.leader_ship[leader("Raeder")] >= 0  # admirals begin aboard


@pytest.mark.rule("w2e-leaders-general")
def test_a_general_leads_his_own_powers_units_in_the_first_round_only() -> None:
    war = board(Rommel="tripoli")
    tank, ally = war.put("germany", "tank", "tripoli"), war.put("italy", "tank", "tripoli")
    here = A.index["tripoli"]

    def value(unit: str, first: bool) -> int:
        parts = land_parts(war.m, war.number(unit), Volley(here, [], first_round=first), K.combat[K.tank])
        return total(parts)

    assert (value(tank, True), value(tank, False), value(ally, True)) == (4, 3, 3)


@pytest.mark.rule("w2e-leaders-combine")
def test_leaders_of_different_rank_add_up_those_of_one_rank_do_not() -> None:
    war = board(von_Manstein="warsaw", Rommel="warsaw", Guderian="warsaw", von_Rundstedt="warsaw")
    tank, infantry = war.put("germany", "tank", "warsaw"), war.put("germany", "infantry", "warsaw")
    assert bonus(war, tank, "warsaw") == 3  # Manstein, Rommel and Guderian
    assert bonus(war, infantry, "warsaw") == 1  # Manstein or von Rundstedt, both of the first rank, not both


@pytest.mark.rule("w2e-leaders-rank1")
def test_a_leader_of_the_first_rank_reaches_next_door() -> None:
    war = board(von_Manstein="warsaw")
    places = ("warsaw", "danzig", "berlin")
    units = [war.put("germany", "infantry", place) for place in places]
    assert [bonus(war, unit, place) for unit, place in zip(units, places, strict=True)] == [1, 1, 0]


@pytest.mark.rule("w2e-leaders-rank1")
def test_a_space_under_two_leaders_of_the_first_rank_is_given_to_one() -> None:
    war = board(von_Manstein="warsaw", von_Rundstedt="krakow")
    tank, infantry = war.put("germany", "tank", "krakow"), war.put("germany", "infantry", "krakow")
    far = war.put("germany", "infantry", "danzig")  # under Manstein only: nothing to decide
    war.run(Commands())
    assert war.asked == "germany"
    assert {(a.space, a.leader) for a in war.offered(Command, "germany")} == {
        ("krakow", "von Manstein"), ("krakow", "von Rundstedt"),
    }  # fmt: skip
    war.do("germany", Command("krakow", "von Rundstedt"))
    assert war.parked
    assert [bonus(war, u, "krakow") for u in (tank, infantry)] == [0, 1]  # von Rundstedt leads infantry
    assert bonus(war, far, "danzig") == 1
    clear_turn(war.m)
    war.run(Commands())
    assert war.asked == "germany"  # every turn anew


@pytest.mark.rule("w2e-leaders-rank2")
def test_a_leader_of_the_second_rank_has_his_own_space_only() -> None:
    war = board(Montgomery="cairo")
    near, far = war.put("great_britain", "tank", "cairo"), war.put("great_britain", "tank", "alexandria")
    assert (bonus(war, near, "cairo"), bonus(war, far, "alexandria")) == (1, 0)


@pytest.mark.rule("w2e-leaders-rank2")
def test_a_space_with_two_leaders_of_the_second_rank_is_given_to_one() -> None:
    war = board(Konev="kiev", Rokossovsky="kiev")
    tank, infantry = war.put("ussr", "tank", "kiev"), war.put("ussr", "infantry", "kiev")
    war.run(Commands())
    assert war.asked == "ussr"
    war.do("ussr", Command("kiev", "Rokossovsky"))
    assert war.parked
    assert [bonus(war, u, "kiev") for u in (tank, infantry)] == [1, 0]


@pytest.mark.rule("w2e-leaders-rank3")
def test_a_leader_of_the_third_rank_leads_certain_units_in_his_space() -> None:
    war = board(Guderian="warsaw")
    kinds = ("tank", "tank_2", "infantry", "mech", "artillery")
    units = [war.put("germany", kind, "warsaw") for kind in kinds]
    assert [bonus(war, unit, "warsaw") for unit in units] == [1, 1, 0, 0, 0]
    away = war.put("germany", "tank", "danzig")
    assert bonus(war, away, "danzig") == 0
    assert list(leaders_over(war.state, war.number(units[0]), A.index["warsaw"]).values()) == [leader("Guderian")]


@pytest.mark.rule("w2e-leaders-death")
def test_a_leader_dies_when_all_units_of_his_side_in_the_battle_do() -> None:
    for survives in (False, True):
        war = board(Rommel="tripoli")
        mine = war.put("germany", "infantry", "tripoli")
        more = [war.put("germany", "tank", "tripoli")] if survives else []
        foe = war.put("great_britain", "tank", "tripoli")
        numbers = tuple(war.number(u) for u in (mine, *more))
        dice = (1, 6) if not survives else (1, 6, 6)
        war.dice(*dice).run(Battle(A.index["tripoli"], ALLIES, False, (war.number(foe),), numbers))
        if survives:
            from sandtable.games.ww2_europe.model.actions import Lose

            war.do("germany", Lose(mine))
        assert bool(war.state.leader_dead[leader("Rommel")]) is not survives
        assert war.saw(LeaderLost, lambda e: e.leader == "Rommel") is not survives


@pytest.mark.rule("w2e-leaders-death")
def test_a_leader_alone_is_lost_to_whoever_walks_in() -> None:
    war = board(Rommel="tunis")
    war.own("germany", "tunis").own("great_britain", "algiers").initiative(ALLIES)
    walker = war.put("great_britain", "infantry", "algiers")
    war.run(Movement(ALLIES, fronts=EVERY))
    war.do("great_britain", March(walker, ("tunis",)))
    assert war.state.leader_dead[leader("Rommel")]


@pytest.mark.rule("w2e-leaders-ground-move")
def test_a_general_goes_two_spaces_with_the_troops() -> None:
    war = board(Rommel="tripoli")
    war.initiative(AXIS)
    tank = war.put("germany", "tank", "tripoli")
    war.run(Movement(AXIS, fronts=EVERY))
    assert war.allows("germany", MoveLeader("Rommel", "benghazi"))
    assert not war.allows("germany", MoveLeader("Rommel", "tobruk"))  # three spaces
    assert not war.allows("germany", MoveLeader("Rommel", "tunis"))  # French land without a German there
    war.do("germany", March(tank, ("el_agheila", "benghazi")))
    war.do("germany", MoveLeader("Rommel", "benghazi"))
    assert war.state.leader_space[leader("Rommel")] == A.index["benghazi"]
    assert bonus(war, tank, "benghazi") == 1  # both began in Tripoli and both are here
    assert not war.allows("germany", MoveLeader("Rommel", "tripoli"))  # once a turn


@pytest.mark.rule("w2e-leaders-ground-move")
def test_troops_that_leave_their_general_behind_are_not_led() -> None:
    war = board(Rommel="tripoli")
    tank = war.put("germany", "tank", "tripoli")
    assert bonus(war, tank, "benghazi") == 0


@pytest.mark.rule("w2e-leaders-ground-move")
def test_a_general_follows_into_a_battle_and_out_of_it() -> None:
    war = board(Rommel="tripoli")
    war.own("italy", "tripoli")
    tank = war.put("germany", "tank", "tripoli")
    foe = war.put("great_britain", "infantry", "tunis")
    war.own("great_britain", "tunis")
    war.state.space = put(war.state.space, war.number(tank), A.index["tunis"])
    war.state.came = put(war.state.came, war.number(tank), A.index["tripoli"])
    assert A.index["tunis"] in march_spaces(war.m, leader("Rommel"))
    war.state.leader_space = put(war.state.leader_space, leader("Rommel"), A.index["tunis"])
    war.dice(6, 6).run(Battle(A.index["tunis"], AXIS, False, (war.number(tank),), (war.number(foe),)))
    war.do("germany", Retreat("tripoli"))
    assert war.state.leader_space[leader("Rommel")] == A.index["tripoli"]
    assert not war.state.leader_dead[leader("Rommel")]


@pytest.mark.rule("w2e-leaders-ground-move")
def test_in_redeployment_a_general_goes_anywhere_for_nothing_and_needs_no_room() -> None:
    war = board(Rommel="tripoli").points(germany=0)
    war.many("germany", "berlin", infantry=10)  # full
    war.run(Redeployment(AXIS))
    war.do("germany", MoveLeader("Rommel", "berlin"))
    assert war.state.leader_space[leader("Rommel")] == A.index["berlin"]
    assert war.used("germany") == 0
    assert not war.allows("germany", MoveLeader("Rommel", "warsaw"))
    war.do("germany", Done())


@pytest.mark.rule("w2e-leaders-naval")
def test_an_admiral_leads_the_ships_that_sail_with_his() -> None:
    war = board()
    flag, other = war.many("great_britain", "malta_port", battleship=1, cruiser=1)
    away = war.put("great_britain", "cruiser", "gibraltar_port")
    aboard(war, "Cunningham", flag)

    def value(ship: str, first: bool) -> int:
        kind = war.state.kind[war.number(ship)]
        return total(sea_parts(war.m, war.number(ship), A.index["tyrrhenian"], first, K.combat[kind], (0, 0, 1)))

    assert [value(ship, True) for ship in (flag, other, away)] == [5, 4, 3]
    assert [value(ship, False) for ship in (flag, other, away)] == [4, 3, 3]
    war.state.space = put(war.state.space, war.number(flag), A.index["ionian_sea"])  # he went elsewhere
    assert value(other, True) == 3


@pytest.mark.rule("w2e-leaders-naval")
def test_an_admiral_changes_ship_in_redeployment_and_sinks_with_it() -> None:
    war = board()
    old, new = war.put("great_britain", "battleship", "malta_port"), war.put("great_britain", "cruiser", "london_port")
    aboard(war, "Cunningham", old)
    war.run(Redeployment(ALLIES))
    assert not war.allows("great_britain", MoveLeader("Cunningham", "malta"))  # not to land
    war.do("great_britain", MoveLeader("Cunningham", new))
    assert war.state.leader_ship[leader("Cunningham")] == war.number(new)
    hunters = war.many("germany", "london_port", battleship=1)
    war.dice(1, 6).run(Battle(A.index["north_sea"], AXIS, True, (war.number(hunters[0]),), (war.number(new),)))
    assert war.state.leader_dead[leader("Cunningham")]


@pytest.mark.rule("w2e-leaders-general")
def test_everybody_sees_where_leaders_are() -> None:
    war = board(Rommel="tripoli")
    ship = war.put("great_britain", "battleship", "malta_port")
    aboard(war, "Cunningham", ship)
    texts = GAME.texts("en")

    def seen(place: str) -> list[str]:
        return [mark.tooltip for mark in space_face(war.state, A.index[place], texts).marks]

    assert "Rommel" in seen("tripoli")
    assert "Cunningham" in seen("malta_port")
    assert "Rommel" not in seen("berlin")
