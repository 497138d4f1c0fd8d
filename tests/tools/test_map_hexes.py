"""The maps of the two hex games: complete, true to the atlas, drawable, small, and built the same everywhere."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from matplotlib.image import imread
from shapely.geometry import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from tools.mapbuild import base, render
from tools.mapbuild.build import LIMIT_GZIPPED, build, gzipped, load_atlas, load_map, map_path
from tools.mapbuild.labels import label_quad, overlap, quad

GAMES = ("hitlers-war", "munich-war")
each_game = pytest.mark.parametrize("game", GAMES)

MIDDLE_ON_THE_OTHER_ELEMENT = {
    "munich-war": {
        "2602": "the middle lies in Lake Vanern; Sweden is never entered",
        "2703": "the middle lies in Lake Vattern; Sweden is never entered",
        "4101": "the middle lies in Lake Ladoga; the hex is the land around Leningrad's east",
        "3005": "Gotland, which the atlas treats as sea",
        "3104": "the north tip of Gotland, which the atlas treats as sea",
    },
    "hitlers-war": {},
}
"""Land hexes whose middle is under water and sea hexes whose middle is on land, and why that is right."""


@cache
def sheet(game: str) -> dict[str, Any]:
    built = load_map(game)
    assert [s["id"] for s in built["sheets"]] == ["main"]
    found: dict[str, Any] = built["sheets"][0]
    return found


@cache
def spaces(game: str) -> dict[str, dict[str, Any]]:
    return {space["id"]: space for space in sheet(game)["spaces"]}


def hexes(game: str) -> dict[str, dict[str, Any]]:
    return {key: space for key, space in spaces(game).items() if space["kind"] != "box"}


@cache
def corners(game: str, key: str) -> list[tuple[int, int]]:
    ((points, closed),) = base.parse_path(spaces(game)[key]["d"])
    assert closed
    return points


def shape(paths: list[str]) -> BaseGeometry:
    parts = []
    for path in paths:
        outer, *holes = (points for points, _ in base.parse_path(path))
        parts.append(Polygon(outer, holes).buffer(0))
    return unary_union(parts)


@cache
def land(game: str) -> BaseGeometry:
    return shape(sheet(game)["land"])


@cache
def dry(game: str) -> BaseGeometry:
    return land(game).difference(shape(sheet(game)["lakes"]))


def neighbours(game: str, atlas: dict[str, Any]) -> set[frozenset[str]]:
    """Neighbours by the atlas's own words about its grid, not by geometry."""
    found = set()
    for key, h in atlas["hexes"].items():
        if game == "hitlers-war":
            row, number = h["row"], h["number"]
            above = chr(ord(row) + 1)
            odd = (ord(row) - ord("A")) % 2 == 0
            ring = [
                f"{row}{number + 1}",
                *(f"{above}{n}" for n in ((number - 1, number) if odd else (number, number + 1))),
            ]
        else:
            column, row = h["col"], h["row"]
            words = atlas["grid"]["neighbours_even" if column % 2 == 0 else "neighbours_odd"]
            ring = []
            for word in words:
                across, down = word.split()[1].split(",")
                ring.append(f"{column + int(across[1:] or 0):02d}{row + int(down[1:] or 0):02d}")
        found |= {frozenset((key, other)) for other in ring if other in atlas["hexes"]}
    return found


@each_game
def test_every_space_of_the_atlas_appears_exactly_once(game: str) -> None:
    atlas = load_atlas(game)
    expected = sorted([*atlas["hexes"], *atlas.get("boxes", {})])
    assert sorted(space["id"] for space in sheet(game)["spaces"]) == expected
    assert sorted(b["id"] for b in load_map(game)["boxes"]) == sorted(atlas.get("boxes", {}))


@each_game
def test_spaces_carry_the_facts_of_the_atlas(game: str) -> None:
    for key, h in load_atlas(game)["hexes"].items():
        space = spaces(game)[key]
        assert (space["kind"], space.get("terrain"), space.get("country")) == (h["kind"], h["terrain"], h["country"])
        if game == "hitlers-war":
            assert space.get("value", 0) == h["production"]
            assert bool(space.get("port")) == bool(h.get("port"))
            assert space.get("capital") == h.get("capital")
        else:
            city = h["city"] or {}
            assert bool(space.get("entrenchment")) == h["entrenchment"]
            assert space.get("fort") == (h["fort_symbol"] or {}).get("id")
            for field, fact in (("capital", "capital"), ("port", "port"), ("objective", "reich_objective")):
                assert bool(space.get(field)) == bool(city.get(fact))


@each_game
def test_every_path_parses_and_stays_on_the_sheet(game: str) -> None:
    one = sheet(game)
    width, height = one["size"]
    paths = [*one["land"], *one["lakes"], one["frame"]]
    for layer in ("rivers", "borders", "spaces", "edges", "tints"):
        paths += [item["d"] for item in one[layer]]
    paths += [mark["d"] for space in one["spaces"] for mark in space.get("marks", []) if "d" in mark]
    for path in paths:
        for points, _ in base.parse_path(path):
            assert len(points) >= 2
            assert all(-30 <= x <= width + 30 and -30 <= y <= height + 30 for x, y in points)


@each_game
def test_all_coordinates_are_whole_numbers(game: str) -> None:
    one = sheet(game)
    places = [space["at"] for space in one["spaces"]] + [label["at"] for label in one["labels"]]
    places += [mark["at"] for space in one["spaces"] for mark in space.get("marks", [])]
    for layer in ("mountains", "hills", "forests", "marsh", "desert"):
        places += one[layer]
    assert all(isinstance(n, int) for place in places for n in place)


@each_game
def test_hexes_tile_the_board_and_neighbours_share_a_side(game: str) -> None:
    atlas = load_atlas(game)
    keys = list(atlas["hexes"])
    shapes = {key: Polygon(corners(game, key)) for key in keys}
    for key in keys:
        assert shapes[key].contains(Point(spaces(game)[key]["at"]))
    assert math.isclose(unary_union(list(shapes.values())).area, sum(s.area for s in shapes.values()), rel_tol=1e-9)
    owners: dict[frozenset[tuple[int, int]], list[str]] = {}
    for key in keys:
        ring = corners(game, key)
        for p, q in zip(ring, ring[1:] + ring[:1], strict=True):
            owners.setdefault(frozenset((p, q)), []).append(key)
    touching = {frozenset(pair) for pair in owners.values() if len(pair) == 2}
    assert all(len(pair) <= 2 for pair in owners.values())
    assert touching == neighbours(game, atlas)


@each_game
def test_middles_of_land_hexes_are_on_land_and_of_sea_hexes_at_sea(game: str) -> None:
    ground = dry(game)
    wrong = {
        key
        for key, space in hexes(game).items()
        if space["kind"] in ("land", "sea") and ground.contains(Point(space["at"])) != (space["kind"] == "land")
    }
    assert wrong == set(MIDDLE_ON_THE_OTHER_ELEMENT[game])


@each_game
def test_every_coastal_hex_shows_shore(game: str) -> None:
    shore = land(game).boundary
    without = {
        key for key, space in hexes(game).items()
        if space["kind"] == "coast" and not Polygon(corners(game, key)).intersects(shore)
    }  # fmt: skip
    assert without == set()


@each_game
def test_no_name_stands_on_another_name(game: str) -> None:
    one = sheet(game)
    labels = [space["label"] for space in one["spaces"] if space["label"]] + one["labels"]
    labels += [edge["label"] for edge in one["edges"] if edge.get("label")]
    boxes = [(label["text"], label_quad(label)) for label in labels]
    crossing = [
        (a, b) for i, (a, first) in enumerate(boxes) for b, second in boxes[:i] if overlap(first, second)
    ]  # fmt: skip
    assert crossing == []
    width, height = one["size"]
    assert all(0 <= x <= width and 0 <= y <= height for _, box in boxes for x, y in box)


@each_game
def test_every_place_has_its_name_and_few_lie_under_counters(game: str) -> None:
    named = under = 0
    for key, h in load_atlas(game)["hexes"].items():
        space = spaces(game)[key]
        should = h["kind"] != "sea" if game == "hitlers-war" else bool(h["city"])
        assert bool(space["label"]) == should, key
        if should:
            named += 1
            counter = Polygon(quad(space["at"], space["r"] * math.sqrt(2), space["r"] * math.sqrt(2)))
            text = Polygon(label_quad(space["label"]))
            under += text.intersection(counter).area > 0.4 * text.area
    assert named > 150
    assert under <= 0.06 * named


@each_game
def test_terrain_is_drawn_where_the_atlas_has_it_and_nowhere_else(game: str) -> None:
    layers = {"mountain": "mountains", "rough": "hills", "forest": "forests", "marsh": "marsh"}
    for terrain, layer in layers.items():
        ground = [key for key, h in load_atlas(game)["hexes"].items() if h["terrain"] == terrain]
        shapes = {key: Polygon(corners(game, key)) for key in ground}
        near = unary_union(list(shapes.values())).buffer(12)
        spots = [Point(x, y) for x, y, _ in sheet(game)[layer]]
        assert all(near.contains(spot) for spot in spots)
        for key, hexagon in shapes.items():
            wanted = 2 if dry(game).intersection(hexagon).area > 0.35 * hexagon.area else 0
            assert sum(hexagon.contains(spot) for spot in spots) >= wanted, key


@each_game
def test_every_hexside_of_the_atlas_is_drawn_along_its_side(game: str) -> None:
    drawn = {(e["a"], e["b"], e["kind"]): e["d"] for e in sheet(game)["edges"]}
    for side in load_atlas(game)["hexsides"]:
        path = drawn[side["a"], side["b"], side["kind"]]
        shared = sorted(set(corners(game, side["a"])) & set(corners(game, side["b"])))
        lines = [LineString(points) for points, _ in base.parse_path(path)]
        if side["kind"] == "crossing":  # an arrow over the side, not along it
            assert min(line.distance(LineString(shared)) for line in lines) == 0
        else:
            reach = 40 if side["kind"] in ("river", "bridge") else 1
            assert max(line.hausdorff_distance(LineString(shared)) for line in lines) <= reach


def test_rail_links_run_between_their_hexes() -> None:
    game = "munich-war"
    drawn = {
        frozenset((e["a"], e["b"])): e["d"] for e in sheet(game)["edges"] if e["kind"] == "rail" and e["a"] != e["b"]
    }
    links = load_atlas(game)["rail"]
    assert set(drawn) == {frozenset(link) for link in links}
    for a, b in links:
        ((points, _),) = base.parse_path(drawn[frozenset((a, b))])
        ends = {
            key
            for key in (a, b)
            for end in (points[0], points[-1])
            if Polygon(corners(game, key)).buffer(1).contains(Point(end))
        }
        assert ends == {a, b}


def test_sea_arrows_reach_from_box_to_hex() -> None:
    atlas = load_atlas("hitlers-war")
    drawn = {(e["a"], e["b"]): e for e in sheet("hitlers-war")["edges"] if e["kind"] == "sea_arrow"}
    assert {(a["from"], a["to"]): a["length"] for a in atlas["sea_arrows"]} == {k: e["value"] for k, e in drawn.items()}


@each_game
def test_towns_stand_in_their_own_hex(game: str) -> None:
    for key, space in hexes(game).items():
        for mark in space.get("marks", []):
            assert Polygon(corners(game, key)).contains(Point(mark["at"])), (key, mark)


@each_game
def test_boxes_lie_clear_of_the_hexes_and_of_each_other(game: str) -> None:
    field = unary_union([Polygon(corners(game, key)) for key in hexes(game)])
    rects = [Polygon(corners(game, key)) for key, space in spaces(game).items() if space["kind"] == "box"]
    assert all(not rect.intersects(field) for rect in rects)
    assert math.isclose(unary_union(rects).area, sum(rect.area for rect in rects))


def test_names_have_german_forms() -> None:
    assert spaces("munich-war")["2515"]["label"]["text_de"] == "Prag"
    assert spaces("hitlers-war")["Q17"]["label"]["text_de"] == "Moskau"
    texts = {label["text"]: label.get("text_de") for label in sheet("munich-war")["labels"]}
    assert (texts["GERMANY"], texts["Baltic Sea"], texts["Danube"]) == ("DEUTSCHLAND", "Ostsee", "Donau")


@each_game
def test_the_map_is_small_on_the_wire(game: str) -> None:
    assert gzipped(map_path(game).read_text(encoding="utf-8")) <= LIMIT_GZIPPED


@each_game
def test_the_map_draws(game: str, tmp_path: Path) -> None:
    built = load_map(game)
    image = imread(render.render(built, tmp_path / f"{game}.png", width=1200))
    width, height = sheet(game)["size"]
    assert image.shape[:2] == pytest.approx((1200 * height / width, 1200), abs=2)

    def colour(key: str) -> tuple[float, float, float]:
        x, y = spaces(game)[key]["at"]
        spot = image[int((y + 30) * 1200 / width), int((x + 30) * 1200 / width)]
        return float(spot[0]), float(spot[1]), float(spot[2])

    sea, plain = {"hitlers-war": ("S9", "N18"), "munich-war": ("1505", "3811")}[game]
    assert colour(sea)[2] > colour(sea)[0]  # bluish
    assert colour(plain)[0] > colour(plain)[2]  # the colour of paper and ink
    crop = render.render(built, tmp_path / f"{game}-crop.png", crop=(1500, 1500, 900, 700), width=600, counters=True)
    assert imread(crop).std() > 0.05


@each_game
def test_building_again_gives_the_same_bytes(game: str) -> None:
    missing = base.packages_missing()
    if missing:
        pytest.skip(missing)
    assert base.dumps(build(game)) == map_path(game).read_text(encoding="utf-8")
