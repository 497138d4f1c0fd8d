"""Geometry and searches on the games' own maps: what the atlases say of neighbours, rails and straits comes out."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import deque
from functools import cache
from importlib.resources import files
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from sandtable.board import (
    CostTable,
    Gates,
    HexGrid,
    LetteredRows,
    NumberedColumns,
    SpaceGraph,
    cheapest_path,
    compass_table,
    components,
    cost_reach,
    distances,
    entry_costs,
    flags_at,
    hex_graph,
    path_cost,
    sea_distances,
    sea_route,
    shortest_path,
    supplied_spaces,
    supply_lines,
)


@cache
def atlas(game: str) -> dict[str, Any]:
    return dict(json.loads(files(f"sandtable.games.{game}").joinpath("data", "atlas.json").read_text("utf-8")))


HEX_GAMES: dict[str, HexGrid] = {"hitlers_war": LetteredRows(), "munich_war": NumberedColumns()}


@cache
def hex_board(game: str) -> SpaceGraph:
    return hex_graph(HEX_GAMES[game], list(atlas(game)["hexes"]))


hex_games = pytest.mark.parametrize("game", sorted(HEX_GAMES))


# ---- neighbours ------------------------------------------------------------------------------------------------------
@hex_games
def test_hexes_have_the_numbers_that_the_atlas_gives_them(game: str) -> None:
    for name, facts in atlas(game)["hexes"].items():
        grid = HEX_GAMES[game]
        if isinstance(grid, LetteredRows):
            assert grid.row_and_number(name) == (ord(facts["row"]) - ord("A") + 1, facts["number"])
            assert grid.name_of(*grid.row_and_number(name)) == name
        elif isinstance(grid, NumberedColumns):
            assert grid.column_and_row(name) == (facts["col"], facts["row"])
            assert grid.name_of(*grid.column_and_row(name)) == name
        assert grid.name_at(*grid.axial(name)) == name


@hex_games
def test_neighbours_are_mutual_and_stand_opposite_each_other(game: str) -> None:
    board = hex_board(game)
    table = compass_table(HEX_GAMES[game], board)
    for here, around in enumerate(table):
        assert tuple(there for there in around if there >= 0) == board.neighbours[here]
        for d, there in enumerate(around):
            if there >= 0:
                assert table[there][(d + 3) % 6] == here


@hex_games
def test_every_listed_hexside_lies_between_neighbours(game: str) -> None:
    board = hex_board(game)
    sides = board.edge_values(((s["a"], s["b"], 1) for s in atlas(game)["hexsides"]), default=0)
    assert sum(sides) == len(atlas(game)["hexsides"])


def test_every_rail_and_every_sea_border_joins_neighbours() -> None:
    munich, hitler = hex_board("munich_war"), hex_board("hitlers_war")
    for a, b in atlas("munich_war")["rail"]:
        assert munich.are_neighbours(munich.index(a), munich.index(b)), (a, b)
    for border in atlas("hitlers_war")["sea_borders"]:
        for a, b in border["hexsides"]:
            assert hitler.are_neighbours(hitler.index(a), hitler.index(b)), (border["name"], a, b)
    lakes = atlas("hitlers_war")["seas"]["soviet_lakes"]["hexsides"]
    assert all(hitler.are_neighbours(hitler.index(a), hitler.index(b)) for a, b in lakes)


def test_munich_war_neighbours_follow_the_table_in_its_atlas() -> None:
    grid = NumberedColumns()
    for parity, column_of in (("even", 0), ("odd", 1)):
        offsets = []
        for line in atlas("munich_war")["grid"][f"neighbours_{parity}"]:
            match = re.fullmatch(r"(\w+) c([+-]\d)?,r([+-]\d)?", line)
            assert match is not None
            offsets.append((match[1], int(match[2] or 0), int(match[3] or 0)))
        assert [compass for compass, _, _ in offsets] == list(grid.directions)
        for name, facts in atlas("munich_war")["hexes"].items():
            if facts["col"] % 2 == column_of:
                for compass, columns, rows in offsets:
                    assert grid.neighbour(name, compass) == grid.name_of(facts["col"] + columns, facts["row"] + rows)


def test_hitlers_war_upper_neighbours_follow_its_atlas() -> None:
    """Odd rows touch n - 1 and n of the row above, even rows n and n + 1."""
    grid = LetteredRows()
    assert "upper neighbours {n-1,n} in odd rows and {n,n+1} in even rows" in atlas("hitlers_war")["meta"]["grid"]
    for name in atlas("hitlers_war")["hexes"]:
        row, number = grid.row_and_number(name)
        west, east = (number - 1, number) if row % 2 else (number, number + 1)
        assert grid.neighbour(name, "NW") == grid.name_of(row + 1, west)
        assert grid.neighbour(name, "NE") == grid.name_of(row + 1, east)


@pytest.mark.parametrize("chain", ["A18 B17 C17 D16 D15", "H10 I11", "J11 I12", "P14 Q14 Q15 Q16", "O11 O12 P11"])
def test_hexes_that_the_rulebook_calls_adjacent_are(chain: str) -> None:
    for a, b in pairwise(chain.split()):
        assert b in LetteredRows().neighbours(a)


@hex_games
def test_compass_agrees_with_latitude_and_longitude(game: str) -> None:
    grid, hexes = HEX_GAMES[game], atlas(game)["hexes"]
    pairs = 0
    for name, facts in hexes.items():
        for compass in grid.directions:
            there = hexes.get(grid.neighbour(name, compass) or "")
            if there is None:
                continue
            pairs += 1
            if "N" in compass:
                assert there["lat"] > facts["lat"], (name, compass)
            if compass == "E" or (game == "munich_war" and "E" in compass):
                assert there["lon"] > facts["lon"], (name, compass)
    assert pairs == hex_board(game).arc_count


@hex_games
def test_on_the_full_map_steps_are_never_fewer_than_the_distance(game: str) -> None:
    board, grid = hex_board(game), HEX_GAMES[game]
    for start in range(0, len(board), 37):
        steps = distances(board, [start])
        for there, count in enumerate(steps):
            assert count >= grid.distance(board.names[start], board.names[there])
    if game == "munich_war":  # its map is a full rectangle, on which a straight way always exists
        steps = distances(board, [board.index("2511")])
        assert steps == [grid.distance("2511", name) for name in board.names]


# ---- connected parts -------------------------------------------------------------------------------------------------
def test_inland_seas_and_oceans_are_in_one_piece() -> None:
    board = hex_board("hitlers_war")
    for sea in ("atlantic", "black", "caspian", "white"):
        hexes = board.indices(atlas("hitlers_war")["seas"][sea]["hexes"])
        assert components(board, flags_at(len(board), hexes)) == [sorted(hexes)]


def test_the_rail_net_is_in_one_piece_but_for_its_islands() -> None:
    facts = atlas("munich_war")
    rail = SpaceGraph.from_links(list(facts["hexes"]), [(a, b) for a, b in facts["rail"]])
    on_rail = flags_at(len(rail), {rail.index(name) for pair in facts["rail"] for name in pair})
    parts = components(rail, on_rail)
    capital = rail.index(facts["countries"]["Germany"]["capital_hex"])
    mainland = next(part for part in parts if capital in part)
    assert supplied_spaces(rail, [capital]) == mainland
    for country in ("Poland", "France", "Hungary", "Czechoslovakia"):
        assert rail.index(facts["countries"][country]["capital_hex"]) in mainland
    assert rail.index(facts["countries"]["Great Britain"]["capital_hex"]) not in mainland


# ---- movement and supply on the Munich War map -----------------------------------------------------------------------
@cache
def munich_costs() -> tuple[int, ...]:
    """Half movement points of a mechanized unit, roads along rails counted, for trying things out."""
    facts, board = atlas("munich_war"), hex_board("munich_war")
    by_terrain = {name: row["mech"] for name, row in facts["tables"]["tec"].items() if isinstance(row.get("mech"), int)}
    by_side = {"river": 2, "bridge": 2, "lake": -1, "all_sea": -1}
    terrain = [2 * by_terrain.get(hex_facts["terrain"] or "", -1) for hex_facts in facts["hexes"].values()]
    sides = board.edge_values((s["a"], s["b"], by_side[s["kind"]]) for s in facts["hexsides"])
    table = entry_costs(board, [cost if cost >= 0 else -1 for cost in terrain], sides)
    for a, b in facts["rail"]:
        for arc in (
            board.arc_between(board.index(a), board.index(b)),
            board.arc_between(board.index(b), board.index(a)),
        ):
            table[arc] = 1
    return tuple(table)


def relaxed_costs(board: SpaceGraph, start: int, costs: tuple[int, ...], stop: list[int]) -> list[int]:
    """Lowest costs by improving every arc again and again until nothing changes."""
    best = [10**9] * len(board)
    best[start] = 0
    changed = True
    while changed:
        changed = False
        for arc in range(board.arc_count):
            here, there = board.arc_from[arc], board.arc_to[arc]
            if costs[arc] >= 0 and (here == start or not stop[here]) and best[here] + costs[arc] < best[there]:
                best[there] = best[here] + costs[arc]
                changed = True
    return best


@pytest.mark.parametrize("seed", range(4))
def test_movement_on_the_real_map(seed: int) -> None:
    board, random = hex_board("munich_war"), Random(seed)
    stop = [int(random.random() < 0.1) for _ in range(len(board))]
    start = board.index(random.choice(["2511", "1712", "2814", "3209"]))
    table = CostTable(board, munich_costs())
    best = relaxed_costs(board, start, table.flat, stop)
    for budget in (0, 3, 12, None):
        found = cost_reach(board, [start], table, budget, stop=stop)
        most = 10**8 if budget is None else budget
        assert found.cost == [cost if cost <= most else -1 for cost in best]
        assert cost_reach(board, [start], munich_costs(), budget, stop=stop).path_to(start) == [start]
        for space in found.spaces:
            assert path_cost(board, found.path_to(space), table) == best[space]
    for goal in random.sample(range(len(board)), 20):
        way = cheapest_path(board, start, goal, table, stop=stop)
        assert path_cost(board, way, table) == best[goal] if way else best[goal] == 10**9


def traced_by_hand(
    board: SpaceGraph, rail: SpaceGraph, unit: int, points: int, goals: set[int], no_rail: list[int],
    blocked: list[int], stop: list[int], closed: bytearray,
) -> bool:  # fmt: skip
    """From one unit: up to its points overland to a source or a railway, then along the railway to a source."""
    overland = {unit: 0}
    queue = deque([unit])
    while queue:
        here = queue.popleft()
        if overland[here] == points or (stop[here] and here != unit):
            continue
        for there in board.neighbours[here]:
            if there not in overland and not blocked[there] and not closed[board.arc_between(here, there)]:
                overland[there] = overland[here] + 1
                queue.append(there)
    if goals & set(overland):
        return True
    by_rail = {space for space in overland if rail.neighbours[space] and not no_rail[space]}
    queue = deque(by_rail)
    while queue:
        for there in rail.neighbours[queue.popleft()]:
            if there not in by_rail and not no_rail[there]:
                by_rail.add(there)
                queue.append(there)
    return bool(goals & by_rail)


@pytest.mark.parametrize("seed", range(3))
def test_movement_points_then_rail_is_two_calls(seed: int) -> None:
    facts, board, random = atlas("munich_war"), hex_board("munich_war"), Random(seed)
    n, points = len(board), 3
    rail = SpaceGraph.from_links(board.names, [(a, b) for a, b in facts["rail"]])
    wet = [facts["hexes"][name]["kind"] in ("sea", "offmap") for name in board.names]
    blocked = [int(sea or random.random() < 0.12) for sea in wet]
    stop = [int(random.random() < 0.2) for _ in range(n)]
    no_rail = [int(flag or random.random() < 0.15) for flag in blocked]
    closed = board.both_ways(
        board.edge_values((s["a"], s["b"], int(s["kind"] in ("lake", "all_sea"))) for s in facts["hexsides"])
    )
    sources = [board.index(name) for name in facts["countries"]["Germany"]["mobilization_hexes"]]
    sources = [space for space in sources if not no_rail[space]]

    railheads = supplied_spaces(rail, sources, blocked=no_rail)
    overland = supply_lines(board, [*sources, *railheads], limit=points, blocked=blocked, stop=stop, closed_arcs=closed)
    units = [space for space in range(n) if not blocked[space]]
    by_hand = [
        traced_by_hand(board, rail, unit, points, set(sources), no_rail, blocked, stop, closed) for unit in units
    ]
    assert [0 <= overland[unit] <= points for unit in units] == by_hand
    assert len(set(by_hand)) == 2  # some in supply and some not, or nothing was tested


# ---- sea routes ------------------------------------------------------------------------------------------------------
def test_blitzkrieg_general_straits_send_ships_the_long_way_round() -> None:
    facts = atlas("blitzkrieg_general")
    links = [(link["a"], link["b"]) for link in facts["links"] if link["kind"] == "sea"]
    seas = SpaceGraph.from_links(list(dict.fromkeys(name for link in links for name in link)), links)
    gates = Gates(seas, {name: [(gate["link"][0], gate["link"][1])] for name, gate in facts["gates"].items()})
    start, goal = seas.index("sea_of_portugal"), seas.index("levantianian_sea")

    def gates_passed(*shut: str) -> list[str]:
        route = sea_route(seas, start, goal, gates, gates.flags(shut))
        assert len(route) - 1 == sea_distances(seas, [start], gates, gates.flags(shut))[goal] or not route
        return [gates.names[gate] for gate in gates.passed(seas, route)]

    assert gates_passed() == gates_passed("suez") == ["gibraltar"]
    assert gates_passed("gibraltar") == ["suez"]
    assert sea_route(seas, start, goal, gates, gates.flags(["gibraltar", "suez"])) == []
    inner = sea_distances(seas, [goal], gates, gates.flags(["gibraltar", "suez", "western_turkey"]))
    assert {seas.names[s] for s in range(len(seas)) if inner[s] >= 0}.isdisjoint({"red_sea", "black_sea"})


def test_ww2_europe_straits_cut_the_mediterranean_from_the_ocean() -> None:
    links = [link for link in atlas("ww2_europe")["links"] if link["kind"] == "sea"]
    pairs = [(link["a"], link["b"]) for link in links]
    costs = [link["cost"] for link in links]
    seas = SpaceGraph.from_links(list(dict.fromkeys(name for pair in pairs for name in pair)), pairs, {"cost": costs})
    doors: dict[str, list[tuple[str, str]]] = {}
    for link in links:
        if "gate" in link:
            doors.setdefault("/".join(link["gate"]), []).append((link["a"], link["b"]))
    gates = Gates(seas, doors)
    lengths = seas.arc_values(lambda _here, _there, edge: seas.edge_column("cost")[edge])
    start, goal = seas.index("bristol_port"), seas.index("alexandria_port")

    def length(*shut: str) -> int:
        return sea_distances(seas, [start], gates, gates.flags(shut), lengths=lengths)[goal]

    assert 0 < length() < length("gibraltar/tetuan")
    assert length("gibraltar/tetuan", "suez/jerusalem") == -1
    route = sea_route(seas, start, goal, gates, gates.flags(["gibraltar/tetuan"]), lengths=lengths)
    assert [gates.names[gate] for gate in gates.passed(seas, route)] == ["suez/jerusalem"]
    assert path_cost(seas, route, lengths) == length("gibraltar/tetuan")


def test_hitlers_war_sea_arrows_add_up_as_in_the_rulebook() -> None:
    """85 hexsides off the map from the Atlantic to the Red Sea; 54 from British Africa to Suez."""
    facts, board = atlas("hitlers_war"), hex_board("hitlers_war")
    waters = [*facts["seas"]["atlantic"]["hexes"], *facts["seas"]["red_persian"]["hexes"], "D16", "D15"]
    boxes = [name for name, box in facts["boxes"].items() if box["seas"]]
    on_map = [
        (board.names[a], board.names[b], 1)
        for a, b in zip(board.edge_a, board.edge_b, strict=True)
        if {board.names[a], board.names[b]} <= set(waters)
    ]
    arrows = [(arrow["from"], arrow["to"], arrow["length"]) for arrow in facts["sea_arrows"]]
    lanes = SpaceGraph.from_links([*waters, *boxes], [(a, b) for a, b, _ in on_map + arrows])
    lengths = lanes.arc_values(lambda _here, _there, edge: (on_map + arrows)[edge][2])
    gates = Gates(lanes, {"Suez Canal": [("D15", "D16")]})
    cape = sea_distances(lanes, [lanes.index("british_africa")], gates, [0], lengths=lengths)
    assert cape[lanes.index("india")] == 65
    assert cape[lanes.index("D15")] == 54
    assert cape[lanes.index("F2")] + cape[lanes.index("A18")] == 85
    shut = sea_distances(lanes, [lanes.index("british_africa")], gates, [1], lengths=lengths)
    assert shut[lanes.index("D15")] == -1
    assert shut[lanes.index("D16")] == 53


# ---- the same answer everywhere --------------------------------------------------------------------------------------
ANSWERS = """
import hashlib, json
from tests.board.test_real_boards import *
board = hex_board("munich_war")
found = cost_reach(board, [board.index("2511")], munich_costs())
ways = [shortest_path(board, 5, goal) for goal in range(0, len(board), 50)]
parts = components(board, [cost % 3 for cost in found.cost])
print(hashlib.sha256(json.dumps([found.cost, found.came_from, found.spaces, ways, parts]).encode()).hexdigest())
"""


def test_answers_do_not_depend_on_the_process_that_gives_them() -> None:
    digests = set()
    for hash_seed in ("0", "1", "12345"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        run = subprocess.run(
            [sys.executable, "-c", ANSWERS], env=environment, capture_output=True, text=True, check=True
        )
        digests.add(run.stdout)
    assert len(digests) == 1
    assert re.fullmatch(r"[0-9a-f]{64}\n", digests.pop())
    assert shortest_path(hex_board("munich_war"), 5, 5) == [5]
