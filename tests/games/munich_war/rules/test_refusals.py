"""A refusal names the very rule that forbids, not its neighbour."""

import pytest

from sandtable.games.munich_war.model.actions import (
    Advance,
    Airlift,
    Bomb,
    Lose,
    Move,
    Place,
    Rail,
    Retreat,
    Ship,
    Support,
)
from sandtable.games.munich_war.model.atlas import ALLIES, ASSAULT, ATLAS, AXIS, MOBILE
from sandtable.games.munich_war.model.state import NO_ATTACK, TRANSIT, WAITING, Battle, mark
from sandtable.games.munich_war.rules.advance_phase import Pursuit
from sandtable.games.munich_war.rules.amphibious import why_not_supply_port
from sandtable.games.munich_war.rules.combat import why_not_attack_at_all
from sandtable.games.munich_war.rules.combat_phase import Combat, CommitSupport
from sandtable.games.munich_war.rules.movement_phase import Movement
from sandtable.games.munich_war.rules.naval import why_not_depart, why_not_land
from sandtable.games.munich_war.rules.results_phase import LoseSteps
from sandtable.games.munich_war.rules.retreat_phase import RetreatAll
from sandtable.games.munich_war.rules.setup_phase import Deploy
from sandtable.games.munich_war.rules.terror_phase import TerrorBombing
from tests.games.munich_war.positions import Position, at, attack, country, unit


def sailing(*units: tuple[str, str], **options: bool) -> Position:
    war = Position("general-war", turn=2, **options)
    for name, where in units:
        war.put(name, where)
    return war.phase(Movement(ALLIES))


@pytest.mark.rule("mw-23.4-a")
def test_who_came_by_off_map_transit_is_told_so_and_attacks_again_the_next_turn():
    war = sailing(("GB-BEF", "1211"), ("GB-NT", "available"), additional_naval_moves=True, naval_evacuation=True)
    war.do(Ship("GB-NT", "1211", ("GB-BEF",), "1016"))
    assert war.state.flags[unit("GB-BEF")] & (NO_ATTACK | TRANSIT) == NO_ATTACK | TRANSIT
    refusal = why_not_attack_at_all(war.m, unit("GB-BEF"))
    assert refusal is not None
    assert refusal.rule == "mw-23.4-a"


@pytest.mark.rule("mw-23.3-c")
def test_who_was_intercepted_on_the_way_is_told_so():
    war = sailing(("GB-BEF", "1212"), ("GB-NT", "available"), additional_naval_moves=True, naval_evacuation=True)
    war.dice(6).do(Ship("GB-NT", "1212", ("GB-BEF",), "1211"))
    refusal = why_not_attack_at_all(war.m, unit("GB-BEF"))
    assert refusal is not None
    assert refusal.rule == "mw-23.3-c"


@pytest.mark.rule("mw-15.0-a", "mw-18.1-a")
def test_an_enemy_fleet_is_refused_alike_wherever_it_lies():
    told = set()
    for box in ("available", "utilized"):
        war = Position().put("GE-01", "2513").put("CZ-1", "2514").put("GE-AB", "available").put("GB-NB", box)
        war.phase(Combat(AXIS)).do(attack("2514", "GE-01"))
        told.add(war.refused(Support("", "GB-NB", "")).reason)
    assert told == {"other-navy"}


@pytest.mark.rule("mw-10.3-a", "mw-8.2-b")
def test_who_was_stopped_by_a_zone_is_told_so():
    war = Position().put("GE-16", "2512").put("GE-01", "2311").put("CZ-1", "2514").phase(Movement(AXIS))
    war.do(Move("GE-16", "2513"))
    refusal = war.refused(Move("GE-16", "2512"))
    assert (refusal.rule, refusal.reason) == ("mw-10.3-a", "stopped-by-zoc")
    war.do(Move("GE-01", "2411"))
    war.put("GE-02", "2311").do(Move("GE-02", "2211"))
    assert war.refused(Move("GE-01", "2311")).rule == "mw-8.2-b"


@pytest.mark.rule("mw-crt-md", "mw-11.16-a")
def test_who_takes_part_and_need_not_pay_is_told_why():
    war = Position().put("GE-16", "2513").put("GE-18", "2513").put("GE-01", "2513").put("CZ-1", "2514")
    units = tuple(unit(name) for name in ("GE-16", "GE-18", "GE-01"))
    war.state.battle = Battle(at("2514"), units, MOBILE, (), result="MD", defenders=(unit("CZ-1"),))
    war.phase(LoseSteps(AXIS, units[:2], 1))
    assert war.allows(Lose("GE-16"))
    assert war.refused(Lose("GE-01")).rule == "mw-crt-md"
    assert war.refused(Lose("GE-02")).reason == "not-in-battle"
    war.state.battle = Battle(at("2514"), units, MOBILE, (), result="BB", defenders=(unit("CZ-1"),))
    war.phase(LoseSteps(AXIS, units[1:], 1))
    assert war.refused(Lose("GE-16")).reason == "reduced-already"


@pytest.mark.rule("mw-8.6-a", "mw-8.6-b")
def test_rail_abroad_and_off_the_rails_are_two_things():
    war = Position().put("GE-07", "2410").put("GE-08", "1214").own(AXIS, "1214", "1213").phase(Movement(AXIS))
    assert war.refused(Rail("GE-07", "2511")).rule == "mw-8.6-b"
    assert war.refused(Rail("GE-08", "1213")).rule == "mw-8.6-a"


@pytest.mark.rule("mw-18.2.1-a", "mw-18.2.1-b", "mw-18.2.1-c", "mw-16.8.2-f")
def test_why_nothing_sails_from_a_hex():
    war = sailing(("GB-BEF", "1211"), ("GB-NT", "available")).terror("1109")
    marker = unit("GB-NT")

    def rule(name: str) -> tuple[str, str]:
        found = why_not_depart(war.m, marker, at(name))
        assert found is not None
        return found.rule, found.reason

    empty = next(ATLAS.hex_name[h] for h in range(ATLAS.hex_count)
                 if ATLAS.ports >> h & 1 and ATLAS.country_of[h] == country("Great Britain")
                 and ATLAS.hex_name[h] not in ("1211", "1109"))  # fmt: skip
    assert rule(empty) == ("mw-18.2.1-a", "nobody-to-board")
    assert rule("2511") == ("mw-18.2.1-c", "not-a-port")
    assert rule("4221") == ("mw-18.2.1-b", "foreign-sea")
    assert war.refused(Ship("GB-NT", empty, ("GB-BEF",), "1311")).reason == "nobody-to-board"


@pytest.mark.rule("mw-18.2.1-a", "mw-18.2.1-c")
def test_who_may_not_board_is_told_why():
    war = sailing(("GB-BEF", "1211"), ("GB-NT", "available"), ("FR-1", "1311"), ("GB-TA", "1110"))
    assert war.refused(Ship("GB-NT", "1211", ("FR-1",), "1311")).reason == "other-navy"
    assert war.refused(Ship("GB-NT", "1211", ("GB-TA",), "1311")).reason == "not-in-port"
    assert war.refused(Ship("FR-NT", "1311", ("FR-1",), "1211")).rule == "mw-18.2-b"


@pytest.mark.rule("mw-8.2-e", "mw-18.2.1-c")
def test_a_ship_lands_nobody_among_mobile_units_of_a_friend():
    war = sailing(("GB-BEF", "1211"), ("GB-NT", "available"))
    assert war.allows(Ship("GB-NT", "1211", ("GB-BEF",), "1311"))
    war.put("FR-1", "1311").phase(Movement(ALLIES))
    refusal = war.refused(Ship("GB-NT", "1211", ("GB-BEF",), "1311"))
    assert (refusal.rule, refusal.reason) == ("mw-8.2-e", "other-nation")


@pytest.mark.rule("mw-18.2.1-c")
def test_a_landing_in_the_port_of_departure_is_no_voyage():
    war = sailing(("GB-BEF", "1211"), ("GB-NT", "available"))
    found = why_not_land(war.m, unit("GB-NT"), at("1211"), ("GB-BEF",), at("1211"))
    assert found is not None
    assert (found.rule, found.reason) == ("mw-18.2.1-c", "other-sea")


@pytest.mark.rule("mw-16.8.2-f", "mw-18.1-b")
def test_why_a_port_is_not_supplied():
    war = sailing(("GB-NT", "available")).terror("1211")
    for place, rule in (("1211", "mw-16.8.2-f"), ("4122", "mw-18.1-b"), ("2511", "mw-18.3-a")):
        found = why_not_supply_port(war.m, unit("GB-NT"), at(place))
        assert found is not None
        assert found.rule == rule


@pytest.mark.rule("mw-16.0-lift", "mw-17.0-a", "mw-17.1-a")
def test_support_that_cannot_come():
    lift = next(ATLAS.units[u].id for u in ATLAS.lifts if ATLAS.units[u].country == country("Germany"))
    ours = next(ATLAS.units[u].id for u in ATLAS.special_forces if ATLAS.units[u].country == country("Germany"))
    strike = next(face.id for face in ATLAS.units if face.strike and face.country == country("Germany"))
    theirs = next(face.id for face in ATLAS.units if face.sf and face.country == country("Great Britain"))
    war = Position().put("GE-16", "2513").put("CZ-1", "2514").put(lift, "2514").put(ours, "utilized")
    war.put(strike, "2514")
    war.phase(Combat(AXIS)).do(attack("2514", "GE-16"))
    assert isinstance(war.match.step, CommitSupport)
    assert war.refused(Support(lift, "", "")).rule == "mw-16.0-lift"
    assert war.refused(Support("", "", ours)).rule == "mw-17.0-a"
    assert war.refused(Support("", "", theirs)).rule == "mw-17.1-a"
    assert war.allows(Support(strike, "", ""))


@pytest.mark.rule("mw-16.0-lift", "mw-16.8-a")
def test_bombers_that_cannot_bomb():
    lift = next(ATLAS.units[u].id for u in ATLAS.lifts if ATLAS.units[u].country == country("Germany"))
    strikes = [face.id for face in ATLAS.units if face.strike and face.country == country("Germany")]
    war = Position().put(strikes[0], "2515").put(strikes[1], "available").put(lift, "2516").put("GE-01", "2416")
    war.phase(TerrorBombing(AXIS))
    assert war.allows(Bomb(strikes[0], "city"))
    assert war.refused(Bomb(lift, "city")).rule == "mw-16.0-lift"
    assert war.refused(Bomb(strikes[1], "city")).rule == "mw-16.8-a"


@pytest.mark.rule("mw-2.4-b", "mw-11.0-b")
def test_a_closed_neutral_and_an_empty_hex_are_two_things():
    war = Position().put("GE-01", "1712").put("CZ-1", "2514").put("GE-02", "2513").phase(Combat(AXIS))
    swiss = next(ATLAS.hex_name[h] for h in range(ATLAS.hex_count) if ATLAS.country_of[h] == country("Switzerland"))
    assert war.refused(attack(swiss, "GE-01")).rule == "mw-2.4-b"
    refusal = war.refused(attack("1612", "GE-01"))  # Belgium may be invaded, but nobody stands there
    assert (refusal.rule, refusal.reason) == ("mw-11.0-b", "no-enemy")


@pytest.mark.rule("mw-23.5-a")
def test_a_friend_of_poland_retreats_and_advances_nowhere_into_it():
    war = Position(poland_and_politics=True).join("Poland", AXIS)
    warsaw = ATLAS.countries[country("Poland")].hexes
    border = next(
        h for h in range(ATLAS.hex_count)
        if ATLAS.country_of[h] == country("Germany") and ATLAS.zone[h] & warsaw & ~ATLAS.mountains
    )  # fmt: skip
    there = ATLAS.zone[border] & warsaw & ~ATLAS.mountains
    polish = (there & -there).bit_length() - 1
    war.put("GE-01", ATLAS.hex_name[border])
    war.state.battle = Battle(polish, (unit("GE-01"),), ASSAULT, (border, polish))
    war.phase(RetreatAll(AXIS, (unit("GE-01"),), 1))
    assert war.refused(Retreat("GE-01", (ATLAS.hex_name[polish],))).rule == "mw-23.5-a"
    war.state.battle = Battle(polish, (unit("GE-01"),), ASSAULT, (border, polish))
    step = Pursuit(AXIS, True)
    found = step.why_not(war.m, "GE-01")
    assert found is not None
    assert found.rule == "mw-23.5-a"
    assert Advance("GE-01", (ATLAS.hex_name[polish],)) not in list(step.offers(war.m, "axis")[0])


@pytest.mark.rule("mw-23.5-a", "mw-16.10.1-c", "mw-8.2-e")
def test_an_airlift_lands_nobody_where_he_may_not_be():
    lift = next(ATLAS.units[u].id for u in ATLAS.lifts if ATLAS.units[u].country == country("Germany"))
    corps = next(face.id for face in ATLAS.units if face.mobile and not face.mechanized and not face.army
                 and face.country == country("Germany"))  # fmt: skip
    polish = next(ATLAS.hex_name[h] for h in range(ATLAS.hex_count)
                  if ATLAS.cities >> h & 1 and ATLAS.country_of[h] == country("Poland")
                  and ATLAS.distance(h, at("2511")) <= ATLAS.units[unit(lift)].range)  # fmt: skip
    for option, rule in ((False, None), (True, "mw-23.5-a")):
        war = Position(poland_and_politics=option).join("Poland", AXIS).put(lift, "2511").put(corps, "2511")
        war.own(AXIS, polish)
        mark(war.state, unit(lift), WAITING)
        war.phase(Movement(AXIS))
        if rule is None:
            assert war.allows(Airlift(lift, corps, polish))
            war.put(_pole(), polish).phase(Movement(AXIS))
            assert war.refused(Airlift(lift, corps, polish)).rule == "mw-8.2-e"
        else:
            assert war.refused(Airlift(lift, corps, polish)).rule == rule


def _pole() -> str:
    return next(face.id for face in ATLAS.units if face.mobile and face.country == country("Poland"))


@pytest.mark.rule("mw-3.4.1-a", "mw-3.4.1-b", "mw-3.4.1-b-exception", "mw-3.4.1-c", "mw-3.4.1-d")
@pytest.mark.parametrize(
    ("name", "side", "rule"),
    [
        ("Belgium", ALLIES, "mw-3.4.1-a"),
        ("Finland", AXIS, "mw-3.4.1-b"),
        ("Finland", ALLIES, "mw-3.4.1-b-exception"),
        ("France", ALLIES, "mw-3.4.1-c"),
        ("Germany", AXIS, "mw-3.4.1-d"),
    ],
)
def test_whose_set_up_it_is(name, side, rule):
    war = Position()
    war.state.turn = 0
    step = Deploy(country(name), side)
    war.phase(step)
    stranger = "CZ-1"
    assert war.refused(Place(stranger, "2515", "full")).rule == rule


@pytest.mark.rule("mw-8.0-d")
def test_a_move_out_to_sea():
    war = Position().put("GE-01", "2208").phase(Movement(AXIS))
    sea = next(ATLAS.hex_name[h] for h in range(ATLAS.hex_count) if ATLAS.sea_hexes >> h & 1)
    assert war.refused(Move("GE-01", sea)).rule == "mw-8.0-d"
