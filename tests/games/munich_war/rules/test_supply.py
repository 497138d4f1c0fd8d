"""Chapter 14: supply; air supply (16.10.2), supply from the sea (18), alpine units (19), storms (20)."""

import pytest

from sandtable.core.columns import put
from sandtable.games.munich_war.facts.control import owned
from sandtable.games.munich_war.facts.reach import allowance
from sandtable.games.munich_war.facts.supply import (
    can_trace,
    friendly_seas,
    is_automatic,
    is_supplied,
    is_supplied_for_combat,
    lines,
    sources,
    trace_length,
)
from sandtable.games.munich_war.model.atlas import ALLIES, ALPINE, ATLAS, AXIS, FOOT
from sandtable.games.munich_war.model.hexsets import shifted
from sandtable.games.munich_war.model.state import LANDED, mark
from sandtable.games.munich_war.rules.combat import shifts
from sandtable.games.munich_war.rules.movement_phase import Movement
from tests.games.munich_war.positions import Position, at, country, names, unit


def fed(war: Position, name: str) -> bool:
    return is_supplied(war.m.state, unit(name))


@pytest.mark.rule("mw-14.0", "mw-14.6-b", "mw-14.6-a")
def test_a_unit_without_supply_moves_at_half_rounded_up():
    war = Position().put("GE-01", "3415").put("GE-SP", "3415").put("GE-16", "1014").put("GE-02", "2511")
    assert [allowance(war.m.state, unit(name)) // 2 for name in ("GE-01", "GE-SP", "GE-16", "GE-02")] == [2, 1, 3, 3]


@pytest.mark.rule("mw-14.1-a", "mw-14.2-a")
def test_capitals_and_centers_of_the_own_country_supply():
    war = Position().put("GE-01", "3209").put("PL-LOD", "3210")
    assert is_automatic(war.m.state, unit("GE-01"))
    assert names(sources(war.m.state, country("Hungary"))) == {"3019"}
    assert {"2511", "1812", "2109"} <= names(sources(war.m.state, country("Germany")))


@pytest.mark.rule("mw-14.1-b")
def test_a_unit_in_a_source_is_supplied_whatever_surrounds_it():
    war = Position().put("GE-01", "2208")  # Kiel, a Baltic port
    war.put("PL-LOD", "2209").put("PL-POS", "2107")
    war.own(AXIS, "2208")
    assert not sources(war.state, country("Germany")) >> at("2208") & 1  # in enemy zones the port is not controlled
    quiet = Position().put("GE-01", "2208")
    assert sources(quiet.state, country("Germany")) >> at("2208") & 1
    assert can_trace(quiet.state, unit("GE-01"))


@pytest.mark.rule("mw-14.1-b-exception", "mw-16.8.2-d")
def test_a_terrorized_source_supplies_nobody():
    war = Position().put("HU-1", "3019")
    assert fed(war, "HU-1")
    war.terror("3019")
    assert not is_automatic(war.m.state, unit("HU-1"))
    assert not fed(war, "HU-1")


@pytest.mark.rule("mw-14.1-c")
def test_static_units_are_always_supplied():
    war = Position().put("GE-F1", "3415").put("GE-01", "3415")
    assert fed(war, "GE-F1")
    assert not fed(war, "GE-01")


@pytest.mark.rule("mw-14.1-d", "mw-19.0-fort")
def test_a_fort_feeds_its_garrison_in_a_terrorized_city_too():
    war = Position().put("CZ-1", "2415").put("CZ-F6", "2415").terror("2415")
    for name, place in (("GE-01", "2515"), ("GE-02", "2315"), ("GE-03", "2414")):
        war.put(name, place)
    assert fed(war, "CZ-1")
    war.put("CZ-F6", "eliminated")
    assert not fed(war, "CZ-1")


@pytest.mark.rule("mw-14.1-d", "mw-19.0-fort")
def test_a_fort_of_the_same_country_supplies_its_hex():
    war = Position().put("CZ-F5", "2818").put("CZ-1", "2818").put("PL-CAV", "2818")
    for name, place in (("GE-01", "2717"), ("HU-1", "2918"), ("GE-02", "2816")):
        war.put(name, place)
    war.own(AXIS, "2515", "2415", "2716")
    assert fed(war, "CZ-1")
    assert not fed(war, "PL-CAV")
    war.put("CZ-F5", "eliminated")
    assert not fed(war, "CZ-1")


@pytest.mark.rule("mw-14.1-e")
def test_markers_need_no_supply():
    """Aircraft fly and special forces fight at full worth when every source of their country is gone."""
    war = Position().put("PL-A1", "available").put("PL-LOD", "3415").own(AXIS, "3212", "3013").terror("2909", "3009")
    assert not fed(war, "PL-LOD")
    from sandtable.games.munich_war.rules.air import factor, why_not_fly

    assert why_not_fly(war.m, unit("PL-A1")) is None
    assert factor(war.m, unit("PL-A1")) == 1


@pytest.mark.rule("mw-14.2-b", "mw-18.1-b")
def test_controlled_ports_of_friendly_seas_supply():
    war = Position().put("GB-BEF", "1311")
    assert "1311" in names(sources(war.m.state, country("Great Britain")))  # Calais, in a friend's country
    assert "2421" in names(sources(war.m.state, country("Italy")))  # Trieste on the Adriatic
    assert "1722" not in names(sources(war.m.state, country("Italy")))  # Genoa is on another sea
    war.terror("1311")
    assert "1311" not in names(sources(war.m.state, country("Great Britain")))
    war.own(AXIS, "1411")
    assert "1411" not in names(sources(war.m.state, country("Great Britain")))


@pytest.mark.rule("mw-14.3-a", "mw-14.5")
def test_a_line_runs_to_a_source_or_to_a_railroad_that_leads_to_one():
    war = Position().put("GE-01", "2412").put("GE-02", "2118")
    assert can_trace(war.m.state, unit("GE-01"))  # Leipzig and Berlin are next to it
    assert can_trace(war.m.state, unit("GE-02"))  # a railroad leads to Munich
    assert lines(war.m.state, country("Germany")) >> at("2118") & 1
    assert not fed(Position().put("GE-01", "3415"), "GE-01")


@pytest.mark.rule("mw-14.3-c")
def test_enemy_units_block():
    war = Position().put("GE-SP", "2410").own(ALLIES, "2411", "2310", "2309", "2510", "2509", "2409")
    assert fed(war, "GE-SP")
    for name, place in (("PL-FW", "2411"), ("PL-FK", "2310"), ("PL-FG", "2309"), ("CZ-F1", "2510"), ("CZ-F2", "2509"),
                        ("CZ-F3", "2409")):  # fmt: skip
        war.put(name, place)
    assert not fed(war, "GE-SP")


@pytest.mark.rule("mw-14.3-d")
def test_zones_block_unless_a_friend_stands_there():
    war = Position().put("GE-20", "2516").put("CZ-1", "2416").put("CZ-2", "2618")
    assert all(war.zoc(ALLIES, place) for place in ("2417", "2517", "2617", "2515"))
    war.own(ALLIES, "2616").put("CZ-3", "2716")
    assert not can_trace(war.m.state, unit("GE-20"))
    war.put("GE-01", "2517").put("GE-02", "2417")
    assert can_trace(war.m.state, unit("GE-20"))


@pytest.mark.rule("mw-14.3-d", "mw-10.5")
def test_a_line_passes_a_zone_only_where_a_friend_stands():
    war = Position().put("GE-07", "3113").put("PL-LOD", "3013").put("PL-POS", "3115")
    assert all(war.zoc(ALLIES, place) for place in ("3014", "3114", "3015"))
    assert not can_trace(war.m.state, unit("GE-07"))  # into Czestochowa, but not on to Oppeln
    war.put("GE-08", "3014")
    assert can_trace(war.m.state, unit("GE-07"))


@pytest.mark.rule("mw-14.3-e")
def test_the_sea_blocks():
    war = Position().put("FR-1", "1211").own(ALLIES, "1211")
    war.terror("1211", "1210", "1110", "1011", "1104", "1003", "1202", "1207")
    war.terror("1311", "1013", "1412", "1214", "1319")  # nothing but Calais across the water
    assert not fed(war, "FR-1")
    assert ATLAS.hexside[at("1211"), at("1311")] == "all_sea"


@pytest.mark.rule("mw-14.3-f", "mw-19.0-alpine-los")
def test_mountains_block_all_but_alpine_units():
    war = Position().put("IT-ALP", "1720").put("IT-CN", "1720").terror("1821")
    for place in ("1621",):
        war.terror(place)
    assert ATLAS.mountains >> at("1820") & 1
    step = ATLAS.enterable
    assert not shifted(1 << at("1720"), step[FOOT]) >> at("1820") & 1
    assert shifted(1 << at("1720"), step[ALPINE]) >> at("1820") & 1


@pytest.mark.rule("mw-14.3-g", "mw-14.3-h")
def test_the_length_is_the_printed_movement_in_hexes():
    war = Position().put("GE-SP", "3415").put("GE-16", "3415")
    assert (trace_length(war.m.state, unit("GE-SP")), trace_length(war.m.state, unit("GE-16"))) == (2, 6)
    near = Position().put("GE-SP", "2211").put("GE-01", "2211")
    goals = lines(near.m.state, country("Germany"))
    assert goals >> at("2111") & 1 or goals >> at("2210") & 1
    # rough ground costs a corps more factors than it has, but a line counts hexes
    assert ATLAS.step_cost(1, False, at("2518"), at("2519")) == 6
    assert can_trace(Position().put("GE-SP", "2518").state, unit("GE-SP"))


@pytest.mark.rule("mw-14.4-a")
def test_once_on_the_railroad_the_line_stays_on_it():
    war = Position().put("GE-SP", "3112").own(AXIS, "3112", "3012", "2911")
    # rail 3112-3012-2911 is held but leads over uncaptured hexes only; it may not leave the rail for Germany
    assert ATLAS.rail >> at("3112") & 1
    assert not can_trace(war.m.state, unit("GE-SP"))
    war.own(AXIS, "2910", "2812", "3011", "3010")
    war.own(AXIS, "2811")
    assert can_trace(war.m.state, unit("GE-SP"))


@pytest.mark.rule("mw-14.4-b")
def test_rail_lines_run_through_any_belligerent_country():
    war = Position().put("GE-01", "2920")  # deep in Hungary, a friend
    assert can_trace(war.m.state, unit("GE-01"))


@pytest.mark.rule("mw-14.4-c", "mw-14.4-note")
def test_enemy_rail_hexes_must_be_captured_first():
    war = Position().put("GE-SP", "3014").own(AXIS, "3014")
    linked = can_trace(war.m.state, unit("GE-SP"))
    assert linked  # Oppeln is next to it
    war = Position().put("GE-SP", "3213").own(AXIS, "3213")
    assert not can_trace(war.m.state, unit("GE-SP"))
    war.own(AXIS, "3212", "3112", "3013", "2913")  # Warsaw, Lodz and on to Breslau
    assert can_trace(war.m.state, unit("GE-SP"))
    war.put("PL-LOD", "3012")
    assert war.zoc(ALLIES, "3013")
    assert not can_trace(war.m.state, unit("GE-SP"))
    war.put("GE-02", "3013").put("GE-03", "3112")
    assert can_trace(war.m.state, unit("GE-SP"))


@pytest.mark.rule("mw-14.4-c")
def test_a_friend_in_an_enemy_zone_keeps_the_railroad_open_though_the_hex_is_disputed():
    war = Position().put("GE-SP", "3213").own(AXIS, "3213", "3212", "3112", "2913").put("PL-LOD", "3012")
    war.put("GE-02", "3013").put("GE-03", "3112")
    assert war.zoc(ALLIES, "3013")
    assert not owned(war.state, AXIS) >> at("3013") & 1  # it has just come: the hex is nobody's
    assert can_trace(war.state, unit("GE-SP"))
    war.put("GE-02", "2511")
    assert not can_trace(war.state, unit("GE-SP"))


@pytest.mark.rule("mw-14.6-d")
def test_supply_is_read_once_at_the_start_of_the_move():
    from sandtable.games.munich_war.model.actions import Move

    war = Position().put("GE-16", "2914").put("CZ-F4", "2915").phase(Movement(AXIS))
    war.do(Move("GE-16", "3014"))
    left = war.state.allowance
    war.own(ALLIES, "3015", "2914", "2814", "2913")
    assert war.state.allowance == left == 12
    lost = Position().put("GE-16", "1014").phase(Movement(AXIS))
    lost.do(Move("GE-16", "1015"))
    lost.put("GE-LT", "1015")  # supplies fall from the sky, too late for this move
    assert is_supplied(lost.m.state, unit("GE-16"))
    assert lost.state.allowance == 6


@pytest.mark.rule("mw-14.7-a")
def test_combat_supply_is_checked_for_each_attack():
    war = Position().put("GE-01", "2513").put("CZ-1", "2514")
    assert "supply" not in {m.name for m in shifts(war.m, at("2514"), [unit("GE-01")], [unit("CZ-1")])}
    war.put("GE-01", "3415").put("CZ-1", "3414")
    named = {m.name: m.value for m in shifts(war.m, at("3414"), [unit("GE-01")], [unit("CZ-1")])}
    assert named["supply"] == -2


@pytest.mark.rule("mw-16.10.2-b", "mw-16.10.2-note")
def test_air_supply_feeds_its_country_in_and_around_the_hex():
    war = Position().put("GE-01", "1118").put("GE-02", "1117").put("GE-03", "1115").put("HU-1", "1119")
    war.put("GE-LT", "1118")
    assert [fed(war, name) for name in ("GE-01", "GE-02", "GE-03", "HU-1")] == [True, True, False, False]
    war.put("FR-1", "1218")
    assert fed(war, "GE-01")  # zones do not matter
    assert is_supplied_for_combat(war.m.state, unit("GE-01"))
    assert allowance(war.m.state, unit("GE-01")) == 6


@pytest.mark.rule("mw-18.2.1-f")
def test_landed_units_and_their_stack_are_supplied_for_combat():
    war = Position().put("GE-01", "3306").put("GE-02", "3306").put("GE-03", "3305")
    war.join("Latvia", ALLIES).own(ALLIES, "3306")
    war.terror("3306")
    mark(war.state, unit("GE-01"), LANDED)
    assert is_supplied_for_combat(war.m.state, unit("GE-01"))
    assert is_supplied_for_combat(war.m.state, unit("GE-02"))
    assert not is_supplied_for_combat(war.m.state, unit("GE-03"))
    assert not fed(war, "GE-02")


@pytest.mark.rule("mw-18.3-a")
def test_a_marker_in_a_port_supplies_combat_in_and_around_it():
    war = Position().put("GB-BEF", "2010").put("GB-CW", "2110").put("FR-1", "1910").own(ALLIES, "2010").terror("2010")
    assert not is_supplied_for_combat(war.m.state, unit("GB-BEF"))
    war.put("GB-NT", "2010")
    assert is_supplied_for_combat(war.m.state, unit("GB-BEF"))
    assert is_supplied_for_combat(war.m.state, unit("GB-CW"))
    assert not is_supplied_for_combat(war.m.state, unit("FR-1"))
    assert not fed(war, "GB-BEF")


@pytest.mark.rule("mw-20.0-e")
def test_storms_shorten_lines_by_a_hex():
    war = Position().put("GE-SP", "2511").put("GE-16", "2511").storm()
    assert (trace_length(war.m.state, unit("GE-SP")), trace_length(war.m.state, unit("GE-16"))) == (1, 5)
    germany = country("Germany")
    assert lines(war.state, germany) == lines(Position().state, germany)  # railroads are not affected


@pytest.mark.rule("mw-21.0-f")
def test_a_surrendered_countrys_sources_are_gone():
    war = Position()
    war.state.fallen = put(war.state.fallen, country("Poland"), 1)
    assert sources(war.m.state, country("Poland")) == 0


@pytest.mark.rule("mw-18.1-b", "mw-18.1-c")
def test_friendly_seas():
    war = Position().join("Soviet Union", ALLIES)
    wanted = {
        "Great Britain": {"North Sea", "Baltic Sea"},
        "France": {"North Sea", "Baltic Sea"},
        "Italy": {"Adriatic Sea"},
        "Soviet Union": {"Black Sea"},
        "Germany": {"Baltic Sea"},
        "Poland": set(),
    }

    def open_seas(name: str) -> dict[str, int]:
        found = friendly_seas(war.state, country(name))
        return {sea: hexes for sea, hexes, _ in ATLAS.seas.get(country(name), ()) if hexes in found}

    for name, seas in wanted.items():
        assert set(open_seas(name)) == seas
    war.join("Denmark", ALLIES).put("GE-01", "2407")
    assert set(open_seas("Great Britain")) == {"North Sea"}
    assert names(ATLAS.fire_only[country("France")]) == {"1623", "1722", "1823"}
    assert not names(sources(war.state, country("France"))) & {"1623", "1722", "1823"}


@pytest.mark.parametrize("seed", range(4))
def test_following_the_railroads_from_either_end_gives_the_same(seed):
    """A line of supply is found from the unit or from the sources, whichever is asked first."""
    from random import Random

    from sandtable.core import Match
    from sandtable.games.munich_war.game import GAME

    match: Match = Match.new(GAME, "general-war", seed=seed, history=False)
    rng = Random(seed)
    for _ in range(150):
        match.apply(match.decisions()[0], match.offers(match.decisions()[0]).sample(rng))
    m = match.play
    standing = [u for u in ATLAS.mobile_units if m.state.where[u] >= 0 and m.state.side[ATLAS.units[u].country] >= 0]
    from_units = {number: can_trace(m.state, number) for number in standing}
    for number in {ATLAS.units[place].country for place in standing}:
        lines(m.state, number)
    assert {number: can_trace(m.state, number) for number in standing} == from_units
    assert {True, False} == set(from_units.values()) or all(from_units.values())
