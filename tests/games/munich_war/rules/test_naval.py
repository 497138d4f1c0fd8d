"""Chapters 17 and 18: special forces and naval operations; options 23.3 and 23.4."""

import pytest

from sandtable.games.munich_war.facts.reach import levels
from sandtable.games.munich_war.model.actions import Assault, Done, Move, Ship, SupplyPort, Support
from sandtable.games.munich_war.model.atlas import ALLIES, ATLAS, AXIS
from sandtable.games.munich_war.model.state import LANDED, NO_ATTACK
from sandtable.games.munich_war.rules.combat import naval_support, sf_support, shifts, why_no_bombardment
from sandtable.games.munich_war.rules.combat_phase import Combat, special_forces
from sandtable.games.munich_war.rules.mobilization import refresh
from sandtable.games.munich_war.rules.movement_phase import Movement
from sandtable.games.munich_war.rules.naval import departures, edge_landings, landings, romanian_coast
from tests.games.munich_war.positions import Position, at, attack, names, unit


def sailing(*units: tuple[str, str], side: int = ALLIES, scenario: str = "general-war", **options: bool) -> Position:
    war = Position(scenario, **options)
    for name, place in units:
        war.put(name, place)
    return war.phase(Movement(side))


# ---- special forces (17)
@pytest.mark.rule("mw-17.0-a")
def test_special_forces_wait_in_the_available_display():
    war = Position().put("GE-AB", "available").put("GE-FK", "utilized").put("GB-SOE", "available")
    assert sf_support(war.m, AXIS) == [unit("GE-AB")]
    assert sf_support(war.m, ALLIES) == [unit("GB-SOE")]


@pytest.mark.rule("mw-17.1-a", "mw-11.15-a")
def test_one_of_each_kind_for_the_attacker_and_none_for_the_defender():
    war = Position().put("GE-01", "2513").put("CZ-1", "2514").put("GE-L1", "2514").put("GE-AB", "available")
    war.put("GE-FD", "available").put("CZ-AIR", "available").put("GB-SOE", "available").phase(Combat(AXIS))
    war.do(attack("2514", "GE-01"))
    assert war.match.decisions() == ("axis",)
    assert Support.__struct_fields__ == ("air", "naval", "sf")
    assert war.allows(Support("GE-L1", "", "GE-AB"))
    assert not war.allows(Support("", "", "GB-SOE"))


@pytest.mark.rule("mw-17.1-b", "mw-17.1-f")
def test_success_lies_in_the_printed_range_and_failure_eliminates():
    for die in range(1, 7):
        war = Position().put("GE-FK", "available").dice(die)
        works = special_forces(war.m, unit("GE-FK"), at("2514"))
        assert works is (die in (1, 2, 3))
        assert war.where("GE-FK") == ("available" if works else "eliminated")


@pytest.mark.rule("mw-17.1-c")
def test_success_reduces_a_fort():
    war = Position().put("GE-AB", "available").put("CZ-F1", "2614").put("CZ-1", "2614").dice(1)
    special_forces(war.m, unit("GE-AB"), at("2614"))
    assert (war.steps("CZ-F1"), war.steps("CZ-1")) == (1, 2)


@pytest.mark.rule("mw-17.1-d", "mw-11.15-sf")
def test_success_shifts_one_column():
    war = Position().put("GE-01", "2513").put("CZ-1", "2514")
    plain = sum(m.value for m in shifts(war.m, at("2514"), [unit("GE-01")], [unit("CZ-1")]))
    helped = sum(m.value for m in shifts(war.m, at("2514"), [unit("GE-01")], [unit("CZ-1")], sf_works=True))
    assert helped == plain + 1
    war.put("GE-AB", "available").phase(Combat(AXIS)).do(attack("2514", "GE-01"))
    events = war.dice(6, 5).do(Support("", "", "GE-AB"))  # a failure
    (fought,) = [event for event in events if type(event).__name__ == "Fought"]
    assert fought.shift == plain


@pytest.mark.rule("mw-17.1-e")
def test_a_successful_team_goes_to_utilized_and_returns():
    war = Position().put("GE-01", "2513").put("CZ-1", "2514").put("GE-AB", "available").phase(Combat(AXIS))
    war.do(attack("2514", "GE-01"))
    war.dice(2, 5).do(Support("", "", "GE-AB"))
    war.finish_battle()
    assert war.where("GE-AB") == "utilized"
    refresh(war.m, AXIS)
    assert war.where("GE-AB") == "available"


# ---- bombardment (18.1)
def coast(attacker: tuple[str, str], defender: tuple[str, str], marker: str) -> Position:
    return Position().put(*attacker).put(*defender).put(marker, "available")


def why(war: Position, marker: str, target: str, *units: str) -> str | None:
    refusal = why_no_bombardment(war.m, unit(marker), at(target), [unit(name) for name in units])
    return None if refusal is None else refusal.rule


@pytest.mark.rule("mw-18.1-a")
def test_bombardment_hits_coasts_for_attackers_of_its_country():
    war = coast(("GB-BEF", "2109"), ("GE-01", "2108"), "GB-NB").put("FR-1", "2009").put("GE-02", "2110")
    assert why(war, "GB-NB", "2108", "GB-BEF") is None
    assert why(war, "GB-NB", "2108", "FR-1") == "mw-18.1-a"
    assert why(war, "GB-NB", "2110", "GB-BEF") == "mw-18.1-a"


@pytest.mark.rule("mw-18.1-b")
def test_bombardment_keeps_to_friendly_seas():
    war = coast(("GB-BEF", "2209"), ("GE-01", "2208"), "GB-NB")
    assert why(war, "GB-NB", "2208", "GB-BEF") is None  # the Baltic, while Copenhagen is not German
    war.join("Denmark", ALLIES).put("GE-02", "2407")
    assert why(war, "GB-NB", "2208", "GB-BEF") == "mw-18.1-b"
    war = coast(("IT-1", "1623"), ("FR-1", "1722"), "IT-NB")
    assert why(war, "IT-NB", "1722", "IT-1") == "mw-18.1-b"


@pytest.mark.rule("mw-18.1-c")
def test_the_french_bombard_three_mediterranean_hexes():
    war = coast(("FR-1", "1622"), ("IT-1", "1722"), "FR-NB")
    assert [why(war, "FR-NB", place, "FR-1") for place in ("1623", "1722", "1823")] == [None, None, None]
    assert why(war, "FR-NB", "2421", "FR-1") == "mw-18.1-b"


@pytest.mark.rule("mw-18.1-d", "mw-11.15-naval")
def test_bombardment_shifts_by_its_factor():
    war = coast(("GB-BEF", "2109"), ("GE-01", "2108"), "GB-NB")
    found = shifts(war.m, at("2108"), [unit("GB-BEF")], [unit("GE-01")], naval=unit("GB-NB"))
    assert {m.name: m.value for m in found}["naval"] == 2
    assert naval_support(war.m, at("2108"), [unit("GB-BEF")]) == [unit("GB-NB")]


@pytest.mark.rule("mw-18.1-e")
def test_a_fleet_is_never_hurt_goes_to_utilized_and_returns():
    war = coast(("GB-BEF", "2109"), ("GE-01", "2108"), "GB-NB").put("GE-F1", "2108").phase(Combat(ALLIES))
    war.do(attack("2108", "GB-BEF"))
    war.dice(1).do(Support("", "GB-NB", ""))
    war.finish_battle()
    assert (war.where("GB-NB"), war.steps("GB-NB")) == ("utilized", 1)
    war.put("GB-CW", "2109").phase(Combat(ALLIES)).dice(1).do(attack("2108", "GB-CW"))
    assert not war.allows(Support("", "GB-NB", ""))
    refresh(war.m, ALLIES)
    assert war.where("GB-NB") == "available"


# ---- transport (18.2.1)
@pytest.mark.rule("mw-18.2-a", "mw-18.2.1-c")
def test_from_port_to_port_of_one_sea():
    war = sailing(("GB-BEF", "1211"), ("GB-NT", "available"), ("GE-01", "2009"))
    war.do(Ship("GB-NT", "1211", ("GB-BEF",), "1311"))
    assert war.where("GB-BEF") == "1311"
    war = sailing(("GB-BEF", "1211"), ("GB-CW", "1010"), ("GB-NT", "available"), ("GE-01", "2009"))
    assert war.refused(Ship("GB-NT", "1010", ("GB-CW",), "1311")).rule == "mw-18.2.1-c"
    assert war.refused(Ship("GB-NT", "1211", ("GB-BEF",), "1212")).rule == "mw-18.2.1-c"  # no port
    assert war.refused(Ship("GB-NT", "1211", ("GB-BEF",), "2009")).reason == "enemy-there"
    assert war.allows(Ship("GB-NT", "1211", ("GB-BEF",), "2010"))  # an empty enemy port


@pytest.mark.rule("mw-18.2-b")
def test_the_marker_goes_to_utilized_at_the_end_of_movement():
    war = sailing(("GB-BEF", "1211"), ("GB-NT", "available"))
    war.do(Ship("GB-NT", "1211", ("GB-BEF",), "1311"))
    assert war.where("GB-NT") == "1311"
    war.do(Done())
    assert war.where("GB-NT") == "utilized"
    refresh(war.m, ALLIES)
    assert war.where("GB-NT") == "available"


@pytest.mark.rule("mw-18.2.1-a")
def test_capacity_one_army_or_three_smaller_units_of_its_country():
    war = sailing(("GB-BEF", "1211"), ("GB-CW", "1211"), ("GB-TA", "1211"), ("GB-RM", "1211"), ("FR-1", "1211"),
                  ("GB-NT", "available"), ("FR-NT", "available"), ("FR-CLM", "1013"), ("FR-2", "1013"))  # fmt: skip
    assert war.allows(Ship("GB-NT", "1211", ("GB-BEF", "GB-CW", "GB-TA"), "1311"))
    assert not war.allows(Ship("GB-NT", "1211", ("GB-BEF", "GB-CW", "GB-TA", "GB-RM"), "1311"))
    assert not war.allows(Ship("GB-NT", "1211", ("FR-1",), "1311"))
    assert war.allows(Ship("FR-NT", "1013", ("FR-2",), "1311"))
    assert war.refused(Ship("FR-NT", "1013", ("FR-2", "FR-CLM"), "1311")).rule == "mw-18.2.1-a"


@pytest.mark.rule("mw-18.1-c", "mw-18.2.1-b")
def test_france_only_bombards_in_the_mediterranean():
    war = sailing(("FR-2", "1623"), ("FR-CLM", "1623"), ("FR-1", "1013"), ("FR-NT", "available")).own(ALLIES, "1722")
    assert war.refused(Ship("FR-NT", "1623", ("FR-2",), "1722")).rule == "mw-18.2.1-b"
    assert war.refused(Ship("FR-NT", "1013", ("FR-1",), "1722")).rule == "mw-18.2.1-b"
    assert departures(war.m, unit("FR-NT")) == 1 << at("1013")


@pytest.mark.rule("mw-18.2.1-b")
def test_only_in_the_countrys_own_seas():
    war = sailing(("IT-CN", "2421"), ("IT-NT", "available"), ("GE-01", "2009"), ("GE-NT", "available"), side=AXIS)
    assert war.allows(Ship("IT-NT", "2421", ("IT-CN",), "2122"))
    assert war.refused(Ship("IT-NT", "2421", ("IT-CN",), "1722")).rule == "mw-18.2.1-b"
    assert departures(war.m, unit("GE-NT")) == 0  # Wilhelmshaven lies on the North Sea


@pytest.mark.rule("mw-18.2.1-d", "mw-18.2.1-note")
def test_neither_supply_nor_zones_matter():
    war = sailing(("GB-BEF", "1511"), ("GB-NT", "available"), ("GE-01", "1612"), ("GE-02", "2108"))
    war.join("Belgium", ALLIES).own(ALLIES, "1511")
    war.phase(Movement(ALLIES))
    assert war.zoc(AXIS, "1511")
    assert war.zoc(AXIS, "2109")
    assert war.allows(Ship("GB-NT", "1511", ("GB-BEF",), "2109"))


@pytest.mark.rule("mw-18.2.1-e")
def test_no_move_before_or_after_but_a_fight():
    war = sailing(("GB-BEF", "1110"), ("GB-CW", "1110"), ("GB-NT", "available"), ("GE-01", "2108"))
    war.do(Move("GB-CW", "1211"))
    assert not war.allows(Ship("GB-NT", "1211", ("GB-CW",), "2009"))
    war.do(Ship("GB-NT", "1110", ("GB-BEF",), "2009"))
    assert war.refused(Move("GB-BEF", "2010")).rule == "mw-8.2-b"
    war.phase(Combat(ALLIES))
    assert war.allows(attack("2108", "GB-BEF"))


@pytest.mark.rule("mw-18.2.1-g")
def test_landed_units_attack_together_with_friends_beside_them():
    war = sailing(("GB-BEF", "1110"), ("GB-CW", "2109"), ("GB-NT", "available"), ("GE-01", "2108"))
    war.do(Ship("GB-NT", "1110", ("GB-BEF",), "2009"))
    assert war.state.flags[unit("GB-BEF")] & LANDED
    war.phase(Combat(ALLIES))
    assert war.allows(attack("2108", "GB-BEF", "GB-CW"))


@pytest.mark.rule("mw-16.8.2-f")
def test_a_terrorized_port_is_no_use():
    war = sailing(("GB-BEF", "1211"), ("GB-NT", "available")).terror("1311")
    assert war.refused(Ship("GB-NT", "1211", ("GB-BEF",), "1311")).rule == "mw-16.8.2-f"
    war.terror("1211")
    assert departures(war.m, unit("GB-NT")) == 0


@pytest.mark.rule("mw-5.1-d", "mw-5.4-a")
def test_ships_pass_neutral_coasts_and_germany_may_invade_by_sea():
    war = sailing(("GE-01", "2208"), ("GE-NT", "available"), side=AXIS)
    assert war.allows(Ship("GE-NT", "2208", ("GE-01",), "3209"))  # past Denmark and Sweden
    assert war.allows(Ship("GE-NT", "2208", ("GE-01",), "2206"))  # Aarhus: an invasion
    war.do(Ship("GE-NT", "2208", ("GE-01",), "2206"))
    assert war.side("Denmark") == ALLIES
    assert not sailing(("GB-BEF", "1211"), ("GB-NT", "available")).allows(Ship("GB-NT", "1211", ("GB-BEF",), "1510"))


# ---- Marines (18.2.2)
@pytest.mark.rule("mw-18.2.2-a")
def test_marines_need_no_port():
    war = sailing(("GB-RM", "1309"), ("GB-BEF", "1309"), ("GB-NT", "available"))
    assert war.allows(Ship("GB-NT", "1309", ("GB-RM",), "1212"))
    assert not war.allows(Ship("GB-NT", "1309", ("GB-BEF",), "1311"))


def assault(*units: tuple[str, str]) -> Position:
    return sailing(("GB-RM", "1211"), ("GB-NT", "available"), ("GE-SP", "2108"), *units)


@pytest.mark.rule("mw-18.2.2-b")
def test_an_assault_starts_from_an_all_sea_hex_before_the_enemy():
    war = assault(("GE-01", "2109"))
    assert war.allows(Assault("GB-NT", "1211", ("GB-RM",), "2108", "2008"))
    assert war.refused(Assault("GB-NT", "1211", ("GB-RM",), "2109", "2008")).rule == "mw-18.2.2-b"  # no open sea there
    assert war.refused(Assault("GB-NT", "1211", ("GB-RM",), "2009", "2008")).reason == "no-enemy"
    war.put("IT-1", "2122")  # an open coast, of a foreign sea
    assert war.refused(Assault("GB-NT", "1211", ("GB-RM",), "2122", "2008")).reason == "foreign-sea"
    war.do(Assault("GB-NT", "1211", ("GB-RM",), "2108", "2008"))
    assert war.where("GB-RM") == "2008"


@pytest.mark.rule("mw-18.2.1-e")
def test_while_marines_lie_off_a_coast_the_others_go_on_moving():
    war = assault(("GB-CW", "1110"))
    war.do(Assault("GB-NT", "1211", ("GB-RM",), "2108", "2008"))
    assert {action.unit for action in war.offered(Move)} == {"GB-CW"}


def assaulting(*units: tuple[str, str]) -> Position:
    war = assault(*units)
    war.do(Assault("GB-NT", "1211", ("GB-RM",), "2108", "2008"))
    war.do(Done())
    return war.phase(Combat(ALLIES))


@pytest.mark.rule("mw-18.2.2-c")
def test_the_marines_must_attack():
    war = assaulting()
    assert not war.allows(Done())
    assert war.allows(attack("2108", "GB-RM"))


@pytest.mark.rule("mw-18.2.2-d")
def test_they_land_when_the_hex_is_cleared_and_are_lost_otherwise():
    war = assaulting(("GB-CW", "2109"))
    war.dice(6).do(attack("2108", "GB-CW", "GB-RM"))  # 6 to 2, 300 %: DD
    war.finish_battle()
    assert war.where("GB-RM") == "2108"
    war = assaulting()
    war.dice(5).do(attack("2108", "GB-RM"))  # 100 %: AS
    war.finish_battle()
    assert war.where("GB-RM") == "eliminated"
    assert (war.where("GB-NT"), war.steps("GB-NT")) == ("utilized", 1)


@pytest.mark.rule("mw-18.2.2-e")
def test_friends_on_land_and_support_may_join():
    war = assaulting(("GB-CW", "2109"), ("GB-A1", "2108"), ("GB-NB", "available"), ("GB-SOE", "available"))
    war.do(attack("2108", "GB-CW", "GB-RM"))
    assert war.allows(Support("GB-A1", "GB-NB", "GB-SOE"))


@pytest.mark.rule("mw-18.2.2-f")
def test_assaulting_marines_are_supplied():
    war = assaulting()
    assert "supply" not in {m.name for m in shifts(war.m, at("2108"), [unit("GB-RM")], [unit("GE-SP")])}


@pytest.mark.rule("mw-18.2.2-note")
def test_ashore_marines_are_foot_soldiers():
    war = sailing(("GB-RM", "1010"), ("GB-BEF", "1010"))

    assert not ATLAS.units[unit("GB-RM")].mechanized
    assert ATLAS.units[unit("GB-RM")].terrain == ATLAS.units[unit("GB-BEF")].terrain
    assert levels(war.m.state, unit("GB-RM"))[2] == levels(war.m.state, unit("GB-BEF"))[2]


# ---- amphibious supply (18.3)
@pytest.mark.rule("mw-18.3-a", "mw-18.3-b")
def test_one_marker_per_port_at_the_start_of_combat():
    war = Position().put("GB-BEF", "1311").put("GE-01", "1312").put("GB-NT", "available").put("FR-NT", "available")
    war.phase(Combat(ALLIES))
    war.do(SupplyPort("GB-NT", "1311"))
    assert war.where("GB-NT") == "1311"
    assert war.refused(SupplyPort("FR-NT", "1311")).rule == "mw-18.3-b"
    war.dice(5).do(attack("1312", "GB-BEF"))
    war.finish_battle()
    assert not war.allows(SupplyPort("FR-NT", "1013"))  # the phase has begun to be fought


# ---- option 23.3
@pytest.mark.rule("mw-23.3-a", "mw-23.3-b", "mw-23.3-c")
def test_naval_evacuation():
    for die, safe in ((1, True), (3, True), (4, False), (6, False)):
        war = sailing(("GB-BEF", "1212"), ("GB-NT", "available"), naval_evacuation=True)
        assert not war.allows(Ship("GB-NT", "1212", ("GB-BEF",), "2009"))  # not a friendly port
        war.dice(die).do(Ship("GB-NT", "1212", ("GB-BEF",), "1211"))
        assert war.where("GB-BEF") == "1211"
        assert war.steps("GB-BEF") == (2 if safe else 1)
        assert bool(war.state.flags[unit("GB-BEF")] & NO_ATTACK) is not safe
    war.put("GE-01", "1110").state.phasing = ALLIES
    from sandtable.games.munich_war.rules.combat import why_not_attack_at_all

    refusal = why_not_attack_at_all(war.m, unit("GB-BEF"))
    assert refusal is not None
    assert refusal.rule == "mw-23.3-c"
    war.phase(Combat(ALLIES))
    assert not war.allows(attack("1110", "GB-BEF"))
    war.phase(Movement(ALLIES), turn=3)
    war.do(Done())
    war.phase(Combat(ALLIES))
    assert war.allows(attack("1110", "GB-BEF"))  # the next turn it fights again
    plain = sailing(("GB-BEF", "1212"), ("GB-NT", "available"))
    assert not plain.allows(Ship("GB-NT", "1212", ("GB-BEF",), "1211"))


# ---- option 23.4
@pytest.mark.rule("mw-23.4-a")
def test_off_map_transit():
    war = sailing(("GB-BEF", "1211"), ("GB-NT", "available"), ("FR-1", "1311"), ("FR-NT", "available"),
                  additional_naval_moves=True)  # fmt: skip
    assert war.allows(Ship("GB-NT", "1211", ("GB-BEF",), "1016"))
    assert war.allows(Ship("FR-NT", "1311", ("FR-1",), "1005"))
    war.do(Ship("GB-NT", "1211", ("GB-BEF",), "1016"))
    assert war.state.flags[unit("GB-BEF")] & NO_ATTACK
    assert not departures(war.m, unit("FR-NT")) >> at("1016") & 1  # no sailing from an edge hex that is no port
    italy = sailing(("IT-CN", "2421"), ("IT-NT", "available"), side=AXIS, additional_naval_moves=True)
    assert names(edge_landings(italy.m, ATLAS.units[unit("IT-NT")].country)) == {"1823", "1922", "2023"}
    assert italy.allows(Ship("IT-NT", "2421", ("IT-CN",), "1922"))
    plain = sailing(("GB-BEF", "1211"), ("GB-NT", "available"))
    assert not plain.allows(Ship("GB-NT", "1211", ("GB-BEF",), "1016"))


@pytest.mark.rule("mw-23.4-b")
def test_trans_mediterranean_movement():
    war = sailing(("FR-1", "1311"), ("FR-NT", "available"), scenario="little-entente", additional_naval_moves=True)
    france = ATLAS.units[unit("FR-1")].country
    war.join("France", ALLIES).phase(Movement(ALLIES))
    assert "4122" in names(landings(war.m, unit("FR-NT"), at("1311"), ("FR-1",)))
    assert war.allows(Ship("FR-NT", "1311", ("FR-1",), "4221"))
    war.put("FR-2", "4221").phase(Movement(ALLIES))
    assert war.allows(Ship("FR-NT", "4221", ("FR-2",), "1013"))
    war.join("Italy", AXIS)
    assert romanian_coast(war.m, france) == 0
    assert not war.allows(Ship("FR-NT", "1311", ("FR-1",), "4221"))
