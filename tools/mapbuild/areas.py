"""Builds the maps of the two area games: spaces over real coasts, borders that say what the links say, names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import shapely
from shapely.geometry import LineString, MultiPolygon
from shapely.geometry.base import BaseGeometry

from . import base
from .areas_facts import Facts, facts_of
from .areas_links import LONG, SHORT, VISIBLE, Exceptions, connector, exit_arrow, stubs
from .areas_names import place_names
from .areas_panels import Links, Panel, build_panel, load_atlas, load_table
from .areas_shapes import carved
from .areas_terrain import terrain_marks
from .areas_topology import Pair, pair

BESIDE_RIVER, RIVER_PIECE = 34.0, 60.0
"""Rivers are left out this near to a river border, and so are pieces shorter than this."""


class AreaMapError(RuntimeError):
    """The places do not give the map that the links demand."""


def build(game: str) -> dict[str, Any]:
    """The whole map of one game, by its id."""
    folder = game.replace("-", "_")
    table, atlas = load_table(folder), load_atlas(folder)
    facts = facts_of(table, atlas)
    sheets: list[dict[str, Any]] = []
    boxes: list[dict[str, Any]] = []
    faults: list[str] = []
    seen: set[str] = set()
    for spec in table["sheets"]:
        sheet = Sheet(table, facts, spec)
        faults += sheet.faults()
        seen |= set(sheet.shapes)
        sheets.append(sheet.encode())
        boxes += sheet.boxes()
    faults += [f"{name} is on no sheet" for name in facts.spaces if name not in seen]
    if faults:
        raise AreaMapError(f"{game}: " + "; ".join(faults))
    countries = [{"id": name, "colour": colour} for name, colour in table.get("colours", {}).items()]
    return {"format": 1, "game": game, "countries": countries, "sheets": sheets, "boxes": boxes}


def _paths(geometry: Iterable[LineString]) -> str:
    return "".join(base.line_path(list(line.coords)) for line in geometry)


class Sheet:
    """One sheet: its panels, the shapes of its spaces and all that is drawn between them."""

    def __init__(self, table: Mapping[str, Any], facts: Facts, spec: Mapping[str, Any]) -> None:
        self.table, self.facts, self.spec = table, facts, spec
        self.size: tuple[int, int] = (spec["size"][0], spec["size"][1])
        frame = shapely.box(0, 0, *self.size)
        self.insets = {name: shapely.box(*table["panels"][name]["frame"]) for name in spec["panels"][1:]}
        self.exceptions = Exceptions(table)
        links = Links(facts.links)
        self.panels: list[Panel] = []
        for index, name in enumerate(spec["panels"]):
            around = [] if index else list(self.insets.values())
            self.panels.append(build_panel(table, name, frame, around, links, carved(table, name)))
        self.shapes: dict[str, MultiPolygon] = {}
        self.lines: dict[Pair, list[LineString]] = {}
        for panel in self.panels:
            for name, shape in panel.shapes.items():
                if not name.startswith("_"):
                    whole = [shape] if name not in self.shapes else [self.shapes[name], shape]
                    self.shapes[name] = base.polygons(shapely.union_all(whole))
            for key, lines in panel.borders.items():
                self.lines.setdefault(key, []).extend(lines)
        self.links = [link for link in facts.links if link["a"] in self.shapes and link["b"] in self.shapes]
        self.contacts = {key: sum(line.length for line in lines) for key, lines in self.lines.items()}

    # --- agreement with the links --------------------------------------------------------------------------------

    def faults(self) -> list[str]:
        """Where the map contradicts the links and no exception explains it."""
        found: list[str] = []
        linked = {pair(link["a"], link["b"]) for link in self.links}
        for key in sorted(linked):
            length = self.contacts.get(key, 0.0)
            if length < VISIBLE and not self.exceptions.is_lane(key):
                found.append(f"{key[0]} and {key[1]} are linked but touch for {length:.0f} only")
        for key, length in sorted(self.contacts.items()):
            nowhere = any(name.startswith("_") for name in key)
            if not nowhere and key not in linked and length > SHORT and not self.exceptions.is_barrier(key):
                found.append(f"{key[0]} and {key[1]} touch for {length:.0f} but are not linked")
        return found

    # --- encoding ------------------------------------------------------------------------------------------------

    def encode(self) -> dict[str, Any]:
        spaces = [self._space(name) for name in self.facts.spaces if name in self.shapes]
        by_name = {space["id"]: space for space in spaces}
        edges = self._edges(by_name)
        free = place_names(self.size, by_name, self.shapes, self.facts, self.insets, edges)
        marks = terrain_marks(self.size, by_name, self.shapes, self.facts, self.lines, free.placer)
        land = [path for panel in self.panels for path in base.polygon_paths(panel.land)]
        lakes = [path for panel in self.panels for path in base.polygon_paths(panel.lakes)]
        return {
            "id": self.spec["id"],
            "title": dict(self.spec["title"]),
            "size": list(self.size),
            "land": land,
            "lakes": lakes,
            "rivers": self._rivers(),
            **marks,
            "borders": self._borders(),
            "spaces": spaces,
            "edges": edges,
            "labels": free.free,
            "outside": [path for panel in self.panels for path in panel.outside()],
            "insets": [
                {"id": name, "title": dict(self.table["panels"][name]["title"]), "rect": _rect(shape)}
                for name, shape in self.insets.items()
            ],
        }

    def boxes(self) -> list[dict[str, Any]]:
        """Off-map boxes with their rectangles."""
        found: list[dict[str, Any]] = []
        for panel in self.panels:
            for name in self.table.get("boxes", {}).get(panel.id, {}):
                title = {"en": self.facts.spaces[name].name, "de": self.facts.spaces[name].name_de}
                found.append({"id": name, "title": title, "sheet": self.spec["id"], "rect": _rect(self.shapes[name])})
        return found

    def _space(self, name: str) -> dict[str, Any]:
        space, shape = self.facts.spaces[name], self.shapes[name]
        room = shapely.maximum_inscribed_circle(shape.geoms[0], tolerance=1.0)
        (x, y), _ = room.coords[0], room.coords[-1]
        record: dict[str, Any] = {"id": name, "name": space.name}
        if space.name_de != space.name:
            record["name_de"] = space.name_de
        kind = "box" if any(name in names for names in self.table.get("boxes", {}).values()) else space.kind
        record.update(kind=kind, d="".join(base.polygon_paths(shape)), at=[round(x), round(y)])
        record.update(r=int(room.length), terrain=space.terrain, country=space.country, label=None)
        record.update(space.extra)
        if kind == "port":
            record["marks"] = [{"kind": "port", "at": record["at"]}]
        return record

    def _rivers(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        # Where a border is the river, the river itself a little beside it would look like a second one.
        rivers = {pair(link["a"], link["b"]) for link in self.links if self._is_river(link)}
        lines = [line for key in sorted(rivers) for line in self.lines.get(key, [])]
        beside = shapely.union_all(lines).buffer(BESIDE_RIVER)
        for panel in self.panels:
            for line in (part for river in panel.rivers for part in base.lines(river.difference(beside))):
                if line.length < RIVER_PIECE:
                    continue
                rank = 1 if line.length > 700 else 2 if line.length > 350 else 3 if line.length > 150 else 4
                points = base.smooth(list(line.coords), 1)
                path = base.line_path(points)
                if path:
                    found.append({"d": path, "rank": rank})
        return sorted(found, key=lambda river: (river["rank"], river["d"]))

    @staticmethod
    def _is_river(link: Mapping[str, Any]) -> bool:
        return "river" in link.get("borders", []) or "river" in link.get("features", [])

    def _borders(self) -> list[dict[str, Any]]:
        """Lines that say something about the land itself: countries, fronts, and what cannot be crossed."""
        linked = {pair(link["a"], link["b"]) for link in self.links}
        found: list[dict[str, Any]] = []
        for key, lines in self.lines.items():
            if any(name.startswith("_") for name in key):
                continue
            a, b = (self.facts.spaces[name] for name in key)
            path = _paths(lines)
            if key not in linked and self.contacts[key] > SHORT:
                found.append({"d": path, "kind": self.exceptions.barrier(key), "a": key[0], "b": key[1]})
            if a.is_land and b.is_land:
                if a.country != b.country:
                    found.append({"d": path, "kind": "country"})
                if a.front != b.front:
                    found.append({"d": path, "kind": "front"})
        frames = [base.ring_path(list(shape.exterior.coords)) for shape in self.insets.values()]
        return [*found, *({"d": path, "kind": "frame"} for path in frames)]

    def _edges(self, spaces: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
        """What a link has besides being one: rivers, ranges, straits, gates, closed coasts, and drawn lanes."""
        found: list[dict[str, Any]] = []
        for link in self.links:
            key = pair(link["a"], link["b"])
            touching = self.contacts.get(key, 0.0) >= VISIBLE
            lines: list[LineString] = self.lines.get(key, [])
            if not touching:
                ends = [(self.shapes[name], spaces[name]["at"]) for name in (link["a"], link["b"])]
                lane = connector(ends[0], ends[1])
                lines = stubs(lane) if lane.length > LONG else [lane]
            kinds = self.facts.edge_kinds(link)
            for kind, extra in kinds or ([] if touching else [("lane", {})]):
                record = {"a": link["a"], "b": link["b"], "kind": kind, "d": _paths(lines), **extra}
                if not touching:
                    record["lane"] = True
                    if len(lines) == 2:
                        record["stub"] = True
                found.append(record)
        for link in self.facts.links:
            here = [name for name in (link["a"], link["b"]) if name in self.shapes]
            if len(here) == 1:
                there = link["b"] if here[0] == link["a"] else link["a"]
                arrow = exit_arrow(self.table, self.spec["id"], here[0], there)
                found.append(
                    {"a": here[0], "b": there, "kind": "map_switch", "d": _paths([arrow]), **self.facts.gate(link)}
                )
        return found


def _rect(shape: BaseGeometry) -> list[int]:
    x0, y0, x1, y1 = (round(value) for value in shape.bounds)
    return [x0, y0, x1 - x0, y1 - y0]
