"""1.0-1.2 and 2.1: sides, the two maps, stacking, terrain and borders."""

from __future__ import annotations

import pytest

from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.facts.reach import flight
from sandtable.games.blitzkrieg_general.game import GAME
from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.atlas import ALLIES, AXIS, MAJORS, SIDES
from sandtable.games.blitzkrieg_general.model.state import (
    AT_AIR,
    AT_LAND,
    AT_WAR,
    LAND_BATTLE,
    NEUTRAL,
    Battle,
    british_home_of,
    embark,
)
from sandtable.games.blitzkrieg_general.rules.combat_phase import Combats
from sandtable.games.blitzkrieg_general.rules.conquest import conquer
from sandtable.games.blitzkrieg_general.rules.politics import leader_of
from sandtable.games.blitzkrieg_general.rules.stacking import why_not_land, why_not_stack
from sandtable.games.blitzkrieg_general.rules.strength import effective
from tests.games.blitzkrieg_general.positions import A, Board, nation, space, unit


def linked(a: str, b: str) -> bool:
    return space(b) in A.land_next[space(a)]


def at_sea(a: str, b: str) -> bool:
    return space(b) in A.sea_next[space(a)]


def advanced() -> Board:
    return Board().war("germany-france", "germany-be", "germany-ussr", "japan-china", "japan-usa", "japan-be")


def strength(b: Board, where: str, ident: str, attackers: list[str], defenders: list[str], aim: int = AT_LAND) -> int:
    """What a unit fights at when these units meet in an area."""
    fight = Battle(space(where), LAND_BATTLE, tuple(map(unit, attackers)), tuple(map(unit, defenders)))
    return effective(b.state, fight, unit(ident), aim)


# ---- 1.0 ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-1.0-sides", "bg-1.0-player-count")
def test_eight_majors_in_two_alliances() -> None:
    b = Board(full=True)
    sides = {role: SIDES[b.state.side[n]] for n, role in enumerate(MAJORS)}
    assert [r for r, s in sides.items() if s == "axis"] == ["germany", "italy", "japan"]
    assert [r for r, s in sides.items() if s == "allies"] == ["be", "usa", "ussr", "france", "china"]
    assert all(SIDES[b.state.side[n]] == "axis" for n in A.axis_minors)
    assert len(GAME.roles) == 8
    assert set(GAME.alliances["axis"]) | set(GAME.alliances["allies"]) == set(GAME.roles)


@pytest.mark.rule("bg-1.0-boss")
def test_germany_and_the_usa_speak_for_their_sides() -> None:
    b = advanced()
    axis = [b.add(kind, "bavaria") for kind in ("italy-inf-3", "germany-inf-3")]
    allies = [b.add(kind, "delhi") for kind in ("be-inf-3", "usa-inf-3")]
    assert leader_of(b.state, list(map(unit, axis)), AXIS) == "germany"
    assert leader_of(b.state, list(map(unit, allies)), ALLIES) == "usa"


@pytest.mark.rule("bg-6.5.1-order")
def test_each_major_orders_its_own_battles() -> None:
    b = advanced()
    for area in ("sian", "chansa"):
        b.add("japan-inf-4", area, origin="shanghai")
        b.add("china-inf-2", area)
    b.add("germany-inf-4", "paris", origin="bnl")
    b.add("france-inf-2", "paris")
    b.start(Combats(), phasing=0)
    assert b.match.decisions() == ("germany", "japan")
    assert b.rule("germany", act.Attack("sian")) == "bg-6.5.1-order"
    assert b.rule("japan", act.Attack("sian")) == b.rule("germany", act.Attack("paris")) == ""


@pytest.mark.rule("bg-1.0-war-1939", "bg-1.0-neutral-pairs-1939", "bg-1.0-neutral-def", "bg-1.0-start-neutrals")
def test_the_wars_of_1939() -> None:
    b = Board(full=True)
    names = A.nation_ids
    wars = {
        frozenset((names[a], names[c])) for a in range(len(names)) for c in range(len(names)) if b.state.war[a] >> c & 1
    }
    assert wars == {
        frozenset(pair)
        for pair in (("germany", "france"), ("germany", "be"), ("germany", "poland"), ("japan", "china"))
    }
    neutral = ("ussr", "usa", "italy", "finland", "romania", "hungary", "bulgaria", "spain", "turkey")
    assert all(b.state.standing[nation(n)] == NEUTRAL for n in neutral)
    assert b.state.standing[nation("poland")] == AT_WAR


@pytest.mark.rule("bg-1.0-be-home-countries")
def test_the_letters_of_the_british_homes() -> None:

    homes = {
        "be-inf-3": "uk",
        "be-inf-3-c": "canada",
        "be-inf-3-sa": "south_africa",
        "be-inf-3-i": "india",
        "be-inf-3-a": "australia",
    }
    for kind, home in homes.items():
        assert A.british_homes[british_home_of(A.kind_ids[kind].units[0])] == home


# ---- 1.1 ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-1.1-areas-seazones", "bg-2.1-minors")
def test_two_maps_of_areas_and_seazones() -> None:
    assert {A.map[s] for s in A.land} == {0, 1} == {A.map[s] for s in A.seas}
    minors = [
        "bulgaria",
        "finland",
        "romania",
        "hungary",
        "ireland",
        "turkey",
        "yugoslavia",
        "norway",
        "sweden",
        "spain",
    ]
    minors += ["arabia", "portugal", "poland", "bnl", "siam", "greece", "afghanistan", "iran", "iraq"]
    assert all(A.homes[nation(n)] for n in minors)


@pytest.mark.rule("bg-1.1-map-arrows")
def test_units_change_maps_only_along_the_arrows() -> None:
    crossings = {
        frozenset((A.space_ids[a], A.space_ids[b]))
        for a in range(A.count)
        for b in (*A.land_next[a], *A.sea_next[a])
        if A.map[a] != A.map[b]
    }
    arrows = {frozenset((link.a, link.b)) for link in A.data.links if link.map_switch}
    assert crossings == arrows
    b = Board().war("germany-ussr")
    arm = b.add("ussr-arm-3-orange", "ural")
    b.phase(phasing=1).march("ussr", arm, "n_siberia")
    assert b.where(arm) == "n_siberia"


@pytest.mark.rule("bg-1.1-sea-links")
def test_the_two_long_sea_links() -> None:
    assert at_sea("coral_sea", "cape_naturaliste")
    assert at_sea("indian_ocean", "red_sea")


@pytest.mark.rule("bg-1.1-western-turkey")
def test_western_turkey_is_one_area_on_both_shores() -> None:
    shores = {A.space_ids[z] for z in A.coast[space("western_turkey")]}
    assert {"black_sea", "aegean_sea"} <= shores
    assert at_sea("black_sea", "aegean_sea")
    b = Board().war("germany-be", "germany-ussr").join("turkey", "germany")
    inf = b.add("turkey-inf-3", "eastern_turkey")
    b.own("germany", "bulgaria").join("bulgaria", "germany")
    b.phase()
    b.march("germany", inf, "western_turkey")  # the straits inside it cost nothing
    assert b.where(inf) == "western_turkey"


@pytest.mark.rule("bg-1.1-irkutsk-uzbekistan", "bg-1.2-jablonovy", "bg-1.2-chart-all-sea")
def test_no_way_between_irkutsk_and_its_neighbours_over_the_lake() -> None:
    assert not linked("irkutsk", "usbekistan")
    assert not linked("irkutsk", "jablonovy")
    b = Board().war("japan-ussr").own("japan", "irkutsk")
    inf = b.add("japan-inf-4", "irkutsk")
    b.phase()
    assert b.rule("japan", act.March(inf, "jablonovy", "irkutsk")) == "bg-1.2-chart-forbidden-border"


@pytest.mark.rule("bg-1.1-islands", "bg-1.1-islands-area-rules")
def test_an_island_and_its_zone_are_one_space() -> None:
    for name in ("midway_islands", "formosa", "philippines"):
        assert A.twin[space(name)] == space(f"sea_{name}")
    b = advanced()
    reached = flight(b.state, nation("japan"), space("formosa"), 1)
    assert reached[space("sea_formosa")] == 0
    # an island is an area like others: it is taken, and counts
    b.add("japan-inf-2", "wake_islands")
    assert b.owner("wake_islands") == "usa"


@pytest.mark.rule("bg-1.1-stack-limit", "bg-1.1-no-limit-areas")
def test_midway_holds_two_land_units_and_two_aircraft() -> None:

    b = advanced()
    b.adds("midway_islands", "usa-inf-2", "usa-inf-2", "usa-air-2", "usa-air-2")
    third, flyer = unit(b.add("usa-inf-3", "usa_west")), unit(b.add("usa-air-3", "usa_west"))
    for u in (third, flyer):
        refused = why_not_stack(b.state, u, space("midway_islands"))
        assert refused is not None
        assert refused.rule == "bg-1.1-stack-limit"
        assert why_not_stack(b.state, u, space("hawaiian_islands")) is None
    assert why_not_stack(b.state, unit(b.add("nimitz", "usa_west")), space("midway_islands")) is None


@pytest.mark.rule("bg-1.1-stack-limit-convoy", "bg-1.1-air-on-convoy")
def test_units_aboard_do_not_count_and_do_nothing() -> None:

    b = advanced()
    b.adds("midway_islands", "usa-inf-2", "usa-inf-2", "usa-air-2")
    convoy = b.add("usa-conv-1", "sea_midway_islands")
    flyer = b.add("usa-air-3", "midway_islands")
    embark(b.state, unit(flyer), unit(convoy))
    b.add("japan-inf-2", "wake_islands")
    b.own("japan", "wake_islands")
    assert not [f for f in GAME.faults(b.state) if "midway" in f]
    b.phase(phasing=1)
    assert b.rule("usa", act.Fly(flyer, "wake_islands")) == "bg-1.1-air-on-convoy"


@pytest.mark.rule("bg-1.1-no-basing-open-sea")
def test_nobody_is_based_at_sea() -> None:
    b = advanced()
    flyer = b.add("usa-air-2", "hawaiian_islands")
    b.phase(phasing=1)
    assert b.rule("usa", act.Fly(flyer, "north_pacific")) == "bg-6.4-phasing-first"

    refused = why_not_land(b.state, unit(flyer), space("sea_hawaiian_islands"))
    assert refused is not None


# ---- 1.2 the map --------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-1.2-sea-forbidden", "bg-1.2-chart-forbidden-border")
def test_switzerland_is_closed() -> None:
    assert A.land_next[space("switzerland")] == []
    b = advanced()
    inf = b.add("germany-inf-4", "bavaria")
    b.phase()
    assert b.rule("germany", act.March(inf, "switzerland", "bavaria")) == "bg-1.2-sea-forbidden"
    assert b.rule("germany", act.March(inf, "channel", "bavaria")) == "bg-1.2-sea-forbidden"
    assert space("switzerland") not in flight(b.state, nation("germany"), space("bavaria"), 2)


@pytest.mark.rule("bg-1.2-east-africa")
def test_east_africa_touches_the_rest_at_three_places() -> None:
    inset = {s for s, row in A.data.spaces.items() if row.inset_east_africa}
    bridges = {
        other
        for s in inset
        for t in (*A.land_next[space(s)], *A.sea_next[space(s)], *A.coast[space(s)])
        if (other := A.space_ids[t]) not in inset
    }
    assert bridges == {"west_african_sea", "persian_gulf", "sudan"}


@pytest.mark.rule("bg-1.2-desert")
def test_three_land_units_in_a_desert_hqs_apart() -> None:
    b = advanced()
    b.own("germany", "tripolitania", "cyreneica").adds("cyreneica", "germany-inf-2", "germany-inf-2", "germany-inf-3")
    fourth, hq = b.add("germany-inf-4", "tripolitania"), b.add("rommel", "tripolitania")
    flyer = b.add("germany-air-2", "tripolitania")
    b.phase()
    assert b.rule("germany", act.March(fourth, "cyreneica", "")) == "bg-1.2-desert"
    b.march("germany", hq, "cyreneica").do("germany", act.Fly(flyer, "cyreneica"))
    assert b.where(hq) == b.where(flyer) == "cyreneica"


# ---- 1.2 terrain --------------------------------------------------------------------------------------------------
def in_terrain(where: str, attacker: str, defender: str, origin: str = "") -> tuple[int, int]:
    b = advanced()
    mine = b.add(attacker, where, origin=origin)
    theirs = b.add(defender, where)
    return strength(b, where, mine, [mine], [theirs]), strength(b, where, theirs, [mine], [theirs])


@pytest.mark.rule("bg-1.2-chart-clear", "bg-1.2-terrain-target")
def test_clear_terrain_changes_nothing() -> None:
    assert in_terrain("kharkov", "germany-arm-5", "ussr-inf-3-red") == (5, 3)


@pytest.mark.rule("bg-1.2-chart-forest", "bg-1.2-arm-penalty")
def test_forest_hampers_armor_on_both_sides() -> None:
    assert in_terrain("leningrad", "germany-arm-5", "ussr-arm-4-red") == (4, 3)
    assert in_terrain("leningrad", "germany-inf-4", "ussr-inf-3-red") == (4, 3)


@pytest.mark.rule("bg-1.2-chart-mountain", "bg-1.2-inf-bonus")
def test_mountains_help_infantry_that_defends() -> None:
    assert in_terrain("trans_caucasus", "germany-arm-5", "ussr-inf-3-red") == (3, 4)
    assert in_terrain("trans_caucasus", "germany-inf-4", "ussr-arm-4-red") == (4, 2)


@pytest.mark.rule("bg-1.2-chart-swamp")
def test_swamp() -> None:
    assert in_terrain("pripiet", "germany-arm-5", "ussr-inf-3-red") == (3, 5)
    assert in_terrain("pripiet", "germany-inf-4", "ussr-arm-4-red") == (4, 2)


@pytest.mark.rule("bg-1.2-air-terrain", "bg-1.2-tf-as-air")
def test_aircraft_and_task_forces_over_rough_ground() -> None:
    b = advanced()
    flyer, tf = (
        b.add("germany-air-3", "baltic", mission="leningrad"),
        b.add("germany-tf-4", "finnish_sea", mission="leningrad"),
    )
    foe = b.add("ussr-inf-3-red", "leningrad")
    assert strength(b, "leningrad", flyer, [flyer, tf], [foe]) == 2  # forest -1
    assert strength(b, "leningrad", tf, [flyer, tf], [foe]) == 1  # halved, then -1
    assert strength(b, "pripiet", flyer, [flyer], [foe]) == 1  # swamp halves, down
    assert strength(b, "leningrad", flyer, [flyer, tf], [foe], AT_AIR) == 3


@pytest.mark.rule("bg-1.2-chart-river", "bg-1.2-border-only", "bg-6.5.3-air-borders")
def test_a_river_weakens_only_those_who_cross_it() -> None:
    b = advanced()
    over, by = (
        b.add("germany-inf-4", "baltic", origin="western_poland"),
        b.add("germany-inf-3", "baltic", origin="east_poland"),
    )
    flyer = b.add("germany-air-3", "western_poland", mission="baltic")
    foe = b.add("ussr-inf-3-red", "baltic")
    mine = [over, by, flyer]
    assert [strength(b, "baltic", u, mine, [foe]) for u in mine] == [3, 3, 3]
    assert strength(b, "baltic", foe, mine, [foe]) == 3


@pytest.mark.rule("bg-1.2-chart-mountain-border", "bg-1.2-border-two-way")
def test_a_mountain_border_works_both_ways() -> None:
    assert in_terrain("romania", "germany-arm-5", "ussr-inf-3-red", "lwow")[0] == 3
    assert in_terrain("romania", "germany-inf-4", "ussr-inf-3-red", "lwow")[0] == 3
    assert in_terrain("lwow", "germany-inf-4", "ussr-inf-3-red", "romania")[0] == 3


@pytest.mark.rule("bg-1.2-mountain-border-once")
def test_a_mountain_border_does_not_add_to_a_mountain_area() -> None:
    pairs = [
        (A.space_ids[p // A.count], A.space_ids[p % A.count])
        for p, bits in A.border.items()
        if bits == 2 and A.terrain[p % A.count] == "mountain"
    ]
    origin, where = pairs[0]
    assert in_terrain(where, "germany-inf-4", "ussr-inf-3-red", origin)[0] == 4
    assert in_terrain(where, "germany-arm-5", "ussr-inf-3-red", origin)[0] == 3


@pytest.mark.rule("bg-1.2-chart-swamp-border")
def test_a_swamp_border() -> None:
    assert in_terrain("kiev", "germany-inf-4", "ussr-inf-3-red", "pripiet")[0] == 3
    assert in_terrain("kiev", "germany-arm-5", "ussr-inf-3-red", "pripiet")[0] == 2


@pytest.mark.rule("bg-1.2-cumulative")
def test_river_and_mountain_border_add_up() -> None:
    assert in_terrain("lwow", "hungary-inf-2", "ussr-inf-3-red", "hungary")[0] == 0


@pytest.mark.rule("bg-1.2-hq-no-factor", "bg-2.1-hq-rating")
def test_an_hq_gets_nothing_from_terrain() -> None:
    b = advanced()
    hq, foe = b.add("konev", "trans_caucasus"), b.add("germany-inf-4", "trans_caucasus")
    assert strength(b, "trans_caucasus", hq, [foe], [hq]) == 0


# ---- 1.2 the fortress ---------------------------------------------------------------------------------------------
def maginot(*origins: str) -> tuple[Board, list[str], str]:
    b = advanced()
    mine = [b.add("germany-arm-5", "maginot", origin=o) for o in origins]
    return b, mine, b.add("france-inf-3", "maginot")


@pytest.mark.rule("bg-1.2-chart-fortress", "bg-1.2-attacker-minus")
def test_the_fortress_costs_armor_three() -> None:
    b, mine, foe = maginot("western_germany")
    assert strength(b, "maginot", mine[0], mine, [foe]) == 2
    inf = b.add("germany-inf-4", "maginot", origin="western_germany")
    assert strength(b, "maginot", inf, [inf], [foe]) == 3
    assert strength(b, "maginot", foe, mine, [foe]) == 4


@pytest.mark.rule("bg-1.2-fortress-side", "bg-1.2-fortress-defenders")
def test_only_those_who_cross_the_fortress_side_suffer_but_its_defenders_keep_their_bonus() -> None:
    b, mine, foe = maginot("western_germany", "paris")
    flyer = b.add("germany-air-4", "bnl", mission="maginot")
    everybody = [*mine, flyer]
    assert [strength(b, "maginot", u, everybody, [foe]) for u in mine] == [2, 5]
    assert strength(b, "maginot", foe, everybody, [foe]) == 4
    assert strength(b, "maginot", flyer, everybody, [foe]) == 2


@pytest.mark.rule("bg-1.2-fortress-maginot-rear")
def test_from_paris_and_vichy_the_fortress_is_open() -> None:
    b, mine, foe = maginot("paris", "vichy")
    flyer = b.add("germany-air-4", "bnl", mission="maginot")
    assert [strength(b, "maginot", u, [*mine, flyer], [foe]) for u in (*mine, flyer, foe)] == [5, 5, 4, 3]


@pytest.mark.rule("bg-1.2-fortress-outward")
def test_no_fortress_effect_for_attacks_out_of_it() -> None:
    b = advanced()
    out, foe = b.add("france-inf-3", "western_germany", origin="maginot"), b.add("germany-inf-3", "western_germany")
    assert strength(b, "western_germany", out, [out], [foe]) == 3


@pytest.mark.rule("bg-8.6-maginot")
def test_the_fall_of_france_destroys_the_fortress() -> None:

    b, mine, _ = maginot("western_germany")
    b.start(None)
    conquer(b.m, nation("france"))
    b.add("france-inf-3", "maginot")
    assert strength(b, "maginot", mine[0], mine, []) == 5


@pytest.mark.rule("bg-1.2-no-exploit", "bg-6.7-prohibited")
def test_no_exploitation_through_a_swamp() -> None:
    b = advanced().own("germany", "lwow", "kiev")
    arm = b.add("germany-arm-5", "lwow")
    b.phase("exploit")
    assert b.rule("germany", act.March(arm, "pripiet", "lwow")) == "bg-1.2-no-exploit"
    b.march("germany", arm, "kiev")
    b.phase("exploit")
    assert b.rule("germany", act.March(arm, "pripiet", "kiev")) == "bg-1.2-no-exploit"


# ---- 2.1 ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-2.1-strength", "bg-2.1-back-weaker")
def test_backs_are_weaker_than_fronts() -> None:
    from sandtable.games.blitzkrieg_general.model.state import strength as printed

    for kind in A.kinds:
        if kind.back is not None:
            assert 0 <= kind.back < kind.front
    b = advanced()
    ident = b.add("germany-inf-4", "prussia")
    assert printed(b.state, unit(ident)) == 4
    b.state.flipped = put(b.state.flipped, unit(ident), 1)
    assert printed(b.state, unit(ident)) == 2
    assert A.kind_ids["be-conv-1"].back == 0
    assert A.kind_ids["ussr-air-1-orange"].back is None
