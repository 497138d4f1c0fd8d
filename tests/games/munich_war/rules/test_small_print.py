"""What is seldom met: refusals one after the other, what is left of a move, two falls in one phase, edges of a list."""

from random import Random

import pytest

from sandtable.core import NothingToChoose, Refusal
from sandtable.core.columns import put
from sandtable.games.munich_war.model.actions import LeaveMap, Move, Place, Ship, Support
from sandtable.games.munich_war.model.atlas import ALLIES, ATLAS, AXIS, MOBILE, NOBODY
from sandtable.games.munich_war.model.state import (
    ATTACKED,
    AVAILABLE,
    HIDDEN,
    MOVED,
    REINFORCEMENT,
    TRANSIT,
    Battle,
    mark,
)
from sandtable.games.munich_war.rules.advance import why_not_advance
from sandtable.games.munich_war.rules.combat import terrain_shift, why_no_target
from sandtable.games.munich_war.rules.combat_phase import Attackers, Combat
from sandtable.games.munich_war.rules.fog import guess
from sandtable.games.munich_war.rules.mobilization_phase import Refresh
from sandtable.games.munich_war.rules.movement import costs, finish_move
from sandtable.games.munich_war.rules.movement_phase import Movement
from sandtable.games.munich_war.rules.naval import landings, why_not_depart, why_not_land
from sandtable.games.munich_war.rules.railroads import why_not_leave_map
from sandtable.games.munich_war.rules.setup_phase import Deploy
from sandtable.games.munich_war.rules.surprise import SurpriseAttack, attacked
from sandtable.games.munich_war.rules.surrender import SurrenderPhase
from tests.games.munich_war.positions import Position, at, attack, country, names, unit


def reason(refusal: Refusal | None) -> str:
    assert refusal is not None
    return refusal.reason


# ---- movement
@pytest.mark.rule("mw-8.1-b")
def test_costs_are_told_in_whole_and_half_factors():
    war = Position().put("GE-01", "2513").phase(Movement(AXIS))
    assert set(costs(war.m.state, unit("GE-01")).values()) == {"½", "1", "1½", "2", "2½", "3"}


@pytest.mark.rule("mw-8.2-b")
def test_nothing_is_left_of_a_move_that_is_over():
    war = Position().put("GE-01", "2513").put("GE-02", "2313").phase(Movement(AXIS))
    war.do(Move("GE-01", "2412"))
    war.do(Move("GE-02", "2312"))
    finish_move(war.m)
    assert (war.state.moving, war.state.spent, war.state.allowance) == (NOBODY, 0, 0)
    assert war.state.flags[unit("GE-02")] & MOVED


@pytest.mark.rule("mw-10.3-c", "mw-10.3-a")
def test_who_has_not_moved_is_not_told_of_a_stop():
    """Another unit is on its way: the one that starts in a zone is asked for nothing but its own step."""
    war = Position().put("GE-01", "2412").put("GE-SP", "2518").put("CZ-1", "2619").put("CZ-2", "2520")
    war.phase(Movement(AXIS)).do(Move("GE-01", "2411"))
    assert war.state.moving == unit("GE-01")
    assert war.state.spent
    assert war.refused(Move("GE-SP", "2519")).rule == "mw-10.3-c"


@pytest.mark.rule("mw-8.6.1-a")
def test_why_a_unit_cannot_leave_by_the_east_edge():
    war = Position("western-powers-guarantee").join("Soviet Union", ALLIES).put("SU-1", "4515").put("SU-2", "4515")
    war.phase(Movement(ALLIES))
    assert why_not_leave_map(war.m, unit("SU-1")) is None
    mark(war.state, unit("SU-2"), MOVED)
    refusal = why_not_leave_map(war.m, unit("SU-2"))
    assert refusal is not None
    assert refusal.rule == "mw-8.2-b"
    assert war.refused(LeaveMap("SU-2")).rule == "mw-8.2-b"
    assert war.refused(LeaveMap("no such unit")).rule == "mw-8.6.1-a"


# ---- ships
def sailing(*units: tuple[str, str], **options: bool) -> Position:
    war = Position("general-war", **options)
    for name, place in units:
        war.put(name, place)
    return war.phase(Movement(ALLIES))


@pytest.mark.rule("mw-18.2.1-c", "mw-18.2.1-a", "mw-16.8.2-f", "mw-23.3-a")
def test_why_nothing_sails_from_a_hex():
    war = sailing(("GB-NT", "available"))
    told = {place: reason(why_not_depart(war.m, unit("GB-NT"), at(place))) for place in ("1212", "1211")}
    assert told == {"1212": "not-a-port", "1211": "nobody-to-board"}
    war.terror("1211")
    assert reason(why_not_depart(war.m, unit("GB-NT"), at("1211"))) == "terrorized"
    war = sailing(("GB-NT", "available"), naval_evacuation=True)
    assert reason(why_not_depart(war.m, unit("GB-NT"), at("1212"))) == "nobody-to-board"


@pytest.mark.rule("mw-18.2.1-c", "mw-23.3-a")
def test_why_nobody_lands_in_a_hex():
    war = sailing(("GB-BEF", "1212"), ("GB-RM", "1212"), ("GB-NT", "available"), naval_evacuation=True)
    ship, beach = unit("GB-NT"), at("1212")
    assert reason(why_not_land(war.m, ship, beach, ("GB-BEF",), at("2009"))) == "not-controlled"
    assert reason(why_not_land(war.m, ship, beach, ("GB-RM",), beach)) == "other-sea"
    assert not landings(war.m, ship, at("1211"), ("GB-BEF",)) >> at("1211") & 1  # nobody sails round the harbour


@pytest.mark.rule("mw-23.4-b")
@pytest.mark.parametrize("port", ["4122", "4220", "4221", "4222"])
def test_every_hex_of_the_romanian_coast_is_a_port(port):
    war = Position("little-entente", additional_naval_moves=True).join("France", ALLIES)
    war.put("FR-2", port).put("FR-NT", "available").phase(Movement(ALLIES))
    assert war.allows(Ship("FR-NT", port, ("FR-2",), "1013"))
    assert war.allows(Ship("FR-NT", port, ("FR-2",), "1311"))


@pytest.mark.rule("mw-23.4-a")
def test_a_port_of_the_same_sea_is_no_off_map_transit():
    for to, transit in (("1311", False), ("1016", True)):
        war = sailing(("GB-BEF", "1211"), ("GB-NT", "available"), additional_naval_moves=True)
        war.do(Ship("GB-NT", "1211", ("GB-BEF",), to))
        assert bool(war.state.flags[unit("GB-BEF")] & TRANSIT) is transit
    war = sailing(("GB-RM", "1211"), ("GB-NT", "available"), additional_naval_moves=True)
    war.do(Ship("GB-NT", "1211", ("GB-RM",), "1212"))  # a beach of the same sea
    assert not war.state.flags[unit("GB-RM")] & TRANSIT


@pytest.mark.rule("mw-18.2.2-d")
def test_marines_walk_ashore_where_the_enemy_is_gone_and_are_lost_before_one_who_stays():
    for stays in (True, False):
        war = Position().put("GB-RM", "2008")
        if stays:
            war.put("GE-SP", "2108")
        war.state.assaults = {unit("GB-RM"): at("2108")}
        war.state.phasing = ALLIES
        Combat(ALLIES, True).close(war.m)
        assert war.where("GB-RM") == ("eliminated" if stays else "2108")


# ---- combat
@pytest.mark.rule("mw-4.0-combat", "mw-11.0-f")
def test_a_combat_phase_begins_without_attacks():
    war = Position().put("GE-01", "2513").put("CZ-1", "2514")
    war.state.attacks = 3
    mark(war.state, unit("GE-01"), ATTACKED)
    war.phase(Combat(AXIS))
    assert war.state.attacks == 0
    assert not war.state.flags[unit("GE-01")] & ATTACKED
    assert war.allows(attack("2514", "GE-01"))


@pytest.mark.rule("mw-11.0-b")
def test_why_a_hex_is_not_attacked():
    war = Position().put("CZ-1", "2514").put("DK-I", "2206")
    places = ("2514", "2313", "2205", "2206", "2207")
    told = [reason(why_no_target(war.m, AXIS, at(place))) for place in places]
    assert told == ["nobody-adjacent", "no-enemy", "no-enemy", "nobody-adjacent", "no-enemy"]


def bits_of(mask: int) -> list[int]:
    return [place for place in range(ATLAS.hex_count) if mask >> place & 1]


@pytest.mark.rule("mw-19.0-alpine", "mw-11.11-b")
def test_alpine_troops_are_named_for_rough_hexes_only():
    war = Position()
    for place in bits_of(ATLAS.land & ~ATLAS.cities):
        rule = "mw-19.0-alpine" if ATLAS.rough >> place & 1 else "mw-11.11-b"
        assert terrain_shift(war.m, place, [unit("GE-GEB")]).rule == rule
        assert terrain_shift(war.m, place, [unit("GE-01")]).rule == "mw-11.11-b"


@pytest.mark.rule("mw-17.1-a")
def test_what_is_no_team_is_no_team():
    war = Position().put("GE-01", "2513").put("CZ-1", "2514").put("GE-AB", "available").phase(Combat(AXIS))
    war.do(attack("2514", "GE-01"))
    assert war.refused(Support("", "", "nobody")).rule == war.refused(Support("", "", "GE-01")).rule
    assert war.refused(Support("", "", "GE-01")).rule != "mw-17.0-a"
    assert war.refused(Support("", "", "GE-FK")).rule == "mw-17.0-a"


@pytest.mark.rule("mw-11.0-e")
def test_attackers_drawn_at_random_are_mostly_many():
    m, target = Position().m, at("2514")
    items = [f"unit {number}" for number in range(10)]
    rng = Random(1)
    drawn = [Attackers(m, target, items, []).sample(rng) for _ in range(100)]
    assert sum(len(units) for units in drawn) > 650
    assert all(drawn)
    needed = [Attackers(m, target, items, ["unit 3"]).sample(rng) for _ in range(100)]
    assert all("unit 3" in units for units in needed)
    with pytest.raises(NothingToChoose):
        Attackers(m, target, [], []).sample(rng)


@pytest.mark.rule("mw-13.0-d", "mw-20.0-f")
def test_why_a_unit_does_not_advance():
    war = Position().put("GE-01", "2513").put("GE-02", "2514").put("GE-03", "2514").put("GE-04", "2514")
    war.put("GE-16", "2513").state.battle = Battle(at("2514"), (unit("GE-16"),), MOBILE, ())
    refusal = why_not_advance(war.m, unit("GE-16"), at("2514"), ("2514", "nowhere"))
    assert refusal is not None
    assert (refusal.rule, refusal.facts["hex"]) == ("mw-13.0-d", "nowhere")
    war.storm()
    alone = why_not_advance(war.m, unit("GE-01"), at("2514"), ("2514",))
    assert alone is not None
    assert alone.rule != "mw-20.0-f"  # one hex is allowed in a storm: the stack is what stops it
    both = why_not_advance(war.m, unit("GE-01"), at("2514"), ("2514", "2515"))
    assert both is not None
    assert both.rule == "mw-20.0-f"


# ---- set-up, refresh, surrender, surprise
@pytest.mark.rule("mw-3.4.2-d", "mw-3.4.2-a", "mw-3.4.2-c")
def test_units_are_set_up_in_the_strength_named():
    war = Position()
    war.state.turn = 0
    war.phase(Deploy(country("France"), ALLIES))
    assert war.refused(Place("FR-CH", "1113", "full")).rule == "mw-3.4.2-a"
    assert war.refused(Place("nobody", "1113", "full")).rule == "mw-3.4.1-c"
    assert war.refused(Place("FR-1", "2515", "full")).rule == "mw-3.4.2-c"
    assert war.refused(Place("FR-1", "nowhere", "full")).rule == "mw-3.4.2-c"
    war.do(Place("FR-1", "1113", "full"))
    war.do(Place("FR-2", "1114", "reduced"))
    assert (war.steps("FR-1"), war.steps("FR-2")) == (2, 1)


@pytest.mark.rule("mw-table-reinf-r", "mw-3.4.2-d")
def test_beside_a_unit_put_out_of_the_game_the_others_go_home():
    war = Position(additional_armored_forces=True)
    war.state.turn = 0
    deploy = Deploy(country("France"), ALLIES)
    war.phase(deploy)
    rest = [("FR-1", "1013"), ("FR-2", "1014"), ("FR-3", "1015"), ("FR-4", "1016"), ("FR-6", "1017"), ("FR-7", "1018")]
    name, home = rest.pop()
    while "reduced" in deploy.room_for(war.m, unit(name)):
        war.do(Place(name, home, "reduced"))
        name, home = rest.pop()
    assert list(deploy.room_for(war.m, unit(name))) == ["full", "eliminated"]
    assert war.allows(Place(name, home, "full"))
    assert war.allows(Place(name, "eliminated", "full"))


@pytest.mark.rule("mw-20.0-d")
@pytest.mark.parametrize(("ready", "grounded"), [(1, 1), (2, 1), (3, 2), (4, 2)])
def test_storms_ground_half_of_the_aircraft_rounded_up(ready, grounded):
    planes = ("GE-L1", "GE-L2", "GE-L3", "GE-LK1")[:ready]
    war = Position().storm()
    for name in planes:
        war.put(name, "available")
    war.phase(Refresh(AXIS))
    for _ in range(grounded):
        if ready > 1:
            war.do(war.match.offers("axis").sample(Random(1)))
    assert [war.where(name) for name in planes].count("utilized") == grounded
    assert type(war.match.step).__name__ == "Parked"


@pytest.mark.rule("mw-21.0-c", "mw-21.0-e")
def test_two_countries_may_fall_in_one_phase():
    war = Position().own(AXIS, "2515", "2415", "2716").join("Denmark", ALLIES).join("Belgium", ALLIES)
    for name in ("Denmark", "Belgium"):
        war.own(AXIS, *names(ATLAS.countries[country(name)].cities))
        war.state.rp = put(war.state.rp, country(name), 3)
    war.dice(1, 1, 1).run(SurrenderPhase(ALLIES))
    assert [war.state.fallen[country(name)] for name in ("Czechoslovakia", "Denmark", "Belgium")] == [1, 1, 1]
    assert [war.state.rp[country(name)] for name in ("Denmark", "Belgium")] == [0, 0]


@pytest.mark.rule("mw-23.2-roll")
def test_one_die_falls_for_every_country_that_can_be_surprised():
    war = Position(german_surprise_attack=True)
    victims = attacked(war.m)
    war.dice(*[4] * len(victims)).phase(SurpriseAttack())
    assert war.state.rolled == len(victims)
    assert len([event for event in war.m.events if type(event).__name__ == "Surprised"]) == len(victims) > 1


# ---- guesses
@pytest.mark.rule("mw-15.0-c")
def test_a_guess_leaves_what_is_not_in_a_stack_in_the_display_it_starts_in():
    war = Position().put("FR-A1", "available").put("FR-7", "reinforcement")
    state = war.match.view("axis").state
    assert state.where[unit("FR-A1")] == state.where[unit("FR-7")] == HIDDEN
    guess(state, AXIS, Random(1))
    assert state.where[unit("FR-A1")] == AVAILABLE
    assert state.where[unit("FR-7")] == REINFORCEMENT
