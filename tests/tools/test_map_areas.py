"""The maps of the two area games: every space drawn once, on its ground, touching exactly whom the links name."""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import shapely
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from tools.mapbuild import base, labels, render
from tools.mapbuild.areas_links import SHORT, VISIBLE, Exceptions
from tools.mapbuild.areas_panels import load_atlas, load_table, parse_places
from tools.mapbuild.areas_topology import contact, pair
from tools.mapbuild.build import LIMIT_GZIPPED, build, gzipped, map_path

GAMES = ("blitzkrieg-general", "ww2-europe")
SLIVER = 2.0
"""Overlap in square units that comes from whole numbers alone."""
WATER_SHARE = {"land": 0.12, "coast": 0.16}
"""How much of a land space may be water: fiords, lagoons and islets lost in simplification."""
LAND_SHARE = 0.12
"""How much of a sea space may be land: islets that belong to no space stay inside it."""


@lru_cache(maxsize=2)
def built(game: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(map_path(game).read_text(encoding="utf-8"))
    return loaded


def area(path: str) -> BaseGeometry:
    """A path as an area, holes by the even-odd rule."""
    whole: BaseGeometry = Polygon()
    for points, closed in base.parse_path(path):
        assert closed
        assert len(points) >= 3
        ring = Polygon(points)
        assert ring.is_valid, shapely.is_valid_reason(ring)
        whole = whole.symmetric_difference(ring)
    return whole


@lru_cache(maxsize=4)
def shapes(game: str, sheet: str) -> dict[str, BaseGeometry]:
    found = next(item for item in built(game)["sheets"] if item["id"] == sheet)
    return {space["id"]: area(space["d"]) for space in found["spaces"]}


SHEETS = [(game, sheet["id"]) for game in GAMES for sheet in built(game)["sheets"]]
each_game = pytest.mark.parametrize("game", GAMES)
each_sheet = pytest.mark.parametrize(("game", "sheet"), SHEETS)


def sheet_of(game: str, sheet: str) -> dict[str, Any]:
    found: dict[str, Any] = next(item for item in built(game)["sheets"] if item["id"] == sheet)
    return found


@each_game
def test_every_space_of_the_atlas_is_drawn_exactly_once(game: str) -> None:
    drawn = Counter(space["id"] for sheet in built(game)["sheets"] for space in sheet["spaces"])
    assert drawn == Counter(load_atlas(game.replace("-", "_"))["spaces"].keys())


@each_game
def test_the_spaces_carry_the_facts_of_the_atlas(game: str) -> None:
    atlas = load_atlas(game.replace("-", "_"))["spaces"]
    for sheet in built(game)["sheets"]:
        for space in sheet["spaces"]:
            raw = atlas[space["id"]]
            assert space["name"] == raw["name"]
            assert space["country"] == raw.get("owner", raw.get("country"))
            assert space.get("value", 0) == raw.get("value", 0)
            assert space.get("production") == (raw.get("production") or None)


@each_sheet
def test_spaces_are_whole_areas_on_the_sheet_with_room_for_counters(game: str, sheet: str) -> None:
    width, height = sheet_of(game, sheet)["size"]
    for space in sheet_of(game, sheet)["spaces"]:
        shape = shapes(game, sheet)[space["id"]]
        assert shape.is_valid
        assert shape.area > 500, space["id"]
        x0, y0, x1, y1 = shape.bounds
        assert x0 >= 0
        assert y0 >= 0
        assert x1 <= width
        assert y1 <= height
        middle = shapely.Point(space["at"])
        assert shape.contains(middle), space["id"]
        assert shape.boundary.distance(middle) >= space["r"] - 1.5, space["id"]
        assert space["r"] >= 10, space["id"]


@each_sheet
def test_spaces_do_not_overlap(game: str, sheet: str) -> None:
    found = shapes(game, sheet)
    names, areas = list(found), list(found.values())
    tree = shapely.STRtree(areas)
    for i, j in zip(*tree.query(areas, predicate="intersects"), strict=True):
        if i < j:
            shared = areas[i].intersection(areas[j]).area
            assert shared <= SLIVER, (names[i], names[j], shared)


def disagreements(game: str, sheet: str, links: list[dict[str, Any]]) -> set[tuple[str, str]]:
    """Pairs whose contact on the map contradicts the links and that no exception explains."""
    found = shapes(game, sheet)
    exceptions = Exceptions(load_table(game.replace("-", "_")))
    linked = {pair(link["a"], link["b"]) for link in links if link["a"] in found and link["b"] in found}
    names = sorted(found)
    tree = shapely.STRtree([found[name] for name in names])
    touching: dict[tuple[str, str], float] = {}
    for i, j in zip(*tree.query([found[name] for name in names], predicate="intersects"), strict=True):
        if i < j:
            touching[pair(names[i], names[j])] = contact(found[names[i]], found[names[j]])
    apart = {key for key in linked if touching.get(key, 0.0) < VISIBLE - 1 and not exceptions.is_lane(key)}
    beside = {key for key, length in touching.items() if key not in linked and length > SHORT + 1}
    return apart | {key for key in beside if not exceptions.is_barrier(key)}


@each_sheet
def test_shared_borders_agree_with_the_links(game: str, sheet: str) -> None:
    assert disagreements(game, sheet, load_atlas(game.replace("-", "_"))["links"]) == set()


@each_sheet
def test_a_missing_or_wrong_link_is_noticed(game: str, sheet: str) -> None:
    links = load_atlas(game.replace("-", "_"))["links"]
    found = shapes(game, sheet)
    exceptions = Exceptions(load_table(game.replace("-", "_")))
    inside = [link for link in links if link["a"] in found and link["b"] in found]
    gone = next(link for link in inside if pair(link["a"], link["b"]) not in exceptions.shown)
    fewer = [link for link in links if link is not gone]
    assert disagreements(game, sheet, fewer) == {pair(gone["a"], gone["b"])}
    names = sorted(found)
    far = next(name for name in names if found[name].distance(found[names[0]]) > 200)
    assert disagreements(game, sheet, [*links, {"a": names[0], "b": far}]) == {pair(names[0], far)}


@each_game
def test_exceptions_are_explained_needed_and_drawn(game: str) -> None:
    """No exception without a reason, none that the map has outgrown, and each one visible on its sheet."""
    table = load_table(game.replace("-", "_"))
    linked = {pair(link["a"], link["b"]) for link in load_atlas(game.replace("-", "_"))["links"]}
    assert all(len(entry["why"].split()) >= 3 for entry in table["exceptions"])
    lanes = {pair(e["a"], e["b"]) for sheet in built(game)["sheets"] for e in sheet["edges"] if e.get("lane")}
    barriers = {
        pair(b["a"], b["b"]): b["kind"] for sheet in built(game)["sheets"] for b in sheet["borders"] if "a" in b
    }
    for key, (show, _) in Exceptions(table).shown.items():
        if show == "lane":
            assert key in linked
            assert key in lanes
        else:
            assert key not in linked
            assert barriers[key] == show
    for sheet in built(game)["sheets"]:
        for edge in sheet["edges"]:
            if edge.get("lane"):
                line = shapely.MultiLineString([points for points, _ in base.parse_path(edge["d"])])
                ends = [shapes(game, sheet["id"])[name] for name in (edge["a"], edge["b"])]
                assert all(line.intersects(end) for end in ends), edge


@each_game
def test_what_a_link_has_is_drawn_as_an_edge(game: str) -> None:
    drawn = {(pair(e["a"], e["b"]), e["kind"]) for sheet in built(game)["sheets"] for e in sheet["edges"] if e["d"]}
    for link in load_atlas(game.replace("-", "_"))["links"]:
        key = pair(link["a"], link["b"])
        for kind in link.get("borders", []) + [f for f in link.get("features", []) if f != "port"]:
            assert (key, kind) in drawn or link.get("map_switch"), (key, kind)
        if link.get("border") == "blue":
            assert (key, "blue") in drawn
        if link.get("forbidden_coast"):
            assert (key, "forbidden_coast") in drawn
        if link.get("fortress_side"):
            assert (key, "fortress") in drawn
        if link.get("map_switch"):
            assert (key, "map_switch") in drawn


@each_sheet
def test_land_lies_on_land_and_sea_on_water(game: str, sheet: str) -> None:
    found = sheet_of(game, sheet)
    ground = shapely.union_all([area(path) for path in found["land"]])
    shapely.prepare(ground)
    # Discs and boxes are drawn larger than the place they stand for, on purpose.
    table = load_table(game.replace("-", "_"))
    drawn = {name for kind in ("discs", "dots", "boxes") for panel in table.get(kind, {}).values() for name in panel}
    for space in found["spaces"]:
        if space["id"] in drawn:
            continue
        shape = shapes(game, sheet)[space["id"]]
        dry = shape.intersection(ground).area / shape.area
        if space["kind"] == "sea":
            assert dry <= LAND_SHARE, (space["id"], dry)
        else:
            assert 1 - dry <= WATER_SHARE.get(space["kind"], 0.2), (space["id"], 1 - dry)


@each_sheet
def test_no_name_stands_on_another(game: str, sheet: str) -> None:
    found = sheet_of(game, sheet)
    names = [space["label"] for space in found["spaces"] if space["label"]] + found["labels"]
    width, height = found["size"]
    boxes = [labels.label_quad(name) for name in names]
    for name, box in zip(names, boxes, strict=True):
        assert 1 <= name["rank"] <= 5
        assert all(0 <= x <= width and 0 <= y <= height for x, y in box), name
    for i, one in enumerate(boxes):
        for j in range(i + 1, len(boxes)):
            assert not labels.overlap(one, boxes[j], 0.5), (names[i], names[j])


@each_game
def test_every_space_has_a_name_near_it(game: str) -> None:
    """A space without a label is a port or a seazone that its land or island names."""
    for sheet in built(game)["sheets"]:
        by_id = {space["id"]: space for space in sheet["spaces"]}
        for space in sheet["spaces"]:
            if space["label"] is None:
                owner = by_id[space.get("port_of") or space["id"].removeprefix("sea_")]
                assert owner["label"]["text"] == space["name"]
            else:
                corner = labels.label_quad(space["label"])
                assert shapely.Polygon(corner).distance(shapes(game, sheet["id"])[space["id"]]) <= 8, space["id"]


@each_game
def test_the_places_are_real_places(game: str) -> None:
    table = load_table(game.replace("-", "_"))
    for ground in ("land", "sea"):
        for panel in table[ground].values():
            for text in panel.values():
                for _, lon, lat in parse_places(text):
                    assert -180 <= lon <= 360
                    assert -60 <= lat <= 85
    with pytest.raises(ValueError, match="longitude"):
        parse_places("Nowhere")


@each_game
def test_the_map_is_small_enough(game: str) -> None:
    assert gzipped(map_path(game).read_text(encoding="utf-8")) <= LIMIT_GZIPPED


@each_game
@pytest.mark.skipif(base.packages_missing() is not None, reason=str(base.packages_missing()))
def test_building_again_gives_the_same_bytes(game: str) -> None:
    assert base.dumps(build(game)) == map_path(game).read_text(encoding="utf-8")


@each_sheet
def test_the_sheet_can_be_drawn(game: str, sheet: str, tmp_path: Path) -> None:
    target = render.render(built(game), tmp_path / f"{game}-{sheet}.png", sheet=sheet, width=1200)
    assert target.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert target.stat().st_size > 50_000


@each_game
def test_ways_to_another_sheet_leave_from_their_space_and_are_signed(game: str) -> None:
    for sheet in built(game)["sheets"]:
        signs = {label["text"] for label in sheet["labels"]}
        for edge in sheet["edges"]:
            if edge["kind"] == "map_switch":
                ((start, *_), _) = base.parse_path(edge["d"])[0]
                assert shapes(game, sheet["id"])[edge["a"]].distance(shapely.Point(start)) <= 4, edge
                there = next(s for other in built(game)["sheets"] for s in other["spaces"] if s["id"] == edge["b"])
                assert any(sign.endswith(there["name"]) for sign in signs), edge
