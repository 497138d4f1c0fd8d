"""The board of Hitler's War as the proofs read it: neighbours, hexsides, friendly areas, voyages and supply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from tests.atlas.faults import Atlas, flood

ROWS = "ABCDEFGHIJKLMNOPQRSTUVWX"
Edge = frozenset[str]


@cache
def around(hex_id: str) -> tuple[str, ...]:
    """The six ids around a hex, on the map or not: even rows stand half a hex east."""
    row, number = ROWS.index(hex_id[0]), int(hex_id[1:])
    west, east = (0, 1) if row % 2 else (-1, 0)
    places = [(row, number - 1), (row, number + 1)]
    places += [(row + up, number + side) for up in (1, -1) for side in (west, east)]
    return tuple(f"{ROWS[r]}{n}" for r, n in places if 0 <= r < len(ROWS))


class Board:
    """The atlas with its look-up tables."""

    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        self.hexes = atlas["hexes"]
        self.countries = atlas["countries"]
        self.boxes = atlas["boxes"]
        self.tables = atlas["tables"]
        self.scenarios = atlas["scenarios"]
        self.sides: dict[Edge, str] = {frozenset((e["a"], e["b"])): e["kind"] for e in atlas["hexsides"]}
        self.lakes = {frozenset((e["a"], e["b"])) for e in atlas["hexsides"] if e.get("sea") == "soviet_lakes"}
        self.gates: dict[Edge, str] = {
            frozenset(pair): gate["controlling"] for gate in atlas["sea_borders"] for pair in gate["hexsides"]
        }
        self.near = {h: [n for n in around(h) if n in self.hexes] for h in self.hexes}
        self.turns = [turn["name"] for turn in self.tables["time_record"]]

    def side(self, a: str, b: str) -> str:
        """What lies between two neighbours: as drawn, else sea beside a sea hex and land between others."""
        drawn = self.sides.get(frozenset((a, b)))
        if drawn:
            return drawn
        return "sea" if "sea" in (self.hexes[a]["kind"], self.hexes[b]["kind"]) else "land"

    def production(self, hexes: Iterable[str], devastated: dict[str, int] | None = None) -> int:
        """Healthy production points of the hexes."""
        lost = devastated or {}
        return sum(max(0, self.hexes[h]["production"] - lost.get(h, 0)) for h in hexes)

    def country_production(self, *countries: str) -> int:
        return sum(self.production(self.countries[c]["hexes"]) for c in countries)

    def friendly(self, scenario: str, side: str) -> set[str]:
        """The map hexes of a side at the start of a scenario."""
        area = self.scenarios[scenario]["friendly"][side]
        hexes = set(area.get("hexes", []))
        for country in area["countries"]:
            hexes |= set(self.countries[country]["hexes"])
        return hexes - set(area.get("except", []))

    def box_production(self, scenario: str, side: str) -> int:
        return sum(self.boxes[b]["production"] for b in self.scenarios[scenario]["friendly"][side]["boxes"])

    def sea_steps(self, hex_id: str) -> Iterator[tuple[str, Edge, str]]:
        """Neighbours that a ship can reach, with the hexside and its kind."""
        for other in self.near[hex_id]:
            edge, kind = frozenset((hex_id, other)), self.side(hex_id, other)
            if edge in self.lakes or "land" in (self.hexes[hex_id]["kind"], self.hexes[other]["kind"]):
                continue
            if kind != "land":
                yield other, edge, kind

    def sea_flood(self, start: str, *, through_gates: bool = False, full_sides_only: bool = False) -> set[str]:
        """Hexes a ship reaches; Kiel joins two seas only by its canal, so nothing sails on from there."""
        return flood(
            [start],
            lambda h: (
                k
                for k, edge, kind in self.sea_steps(h)
                if (through_gates or edge not in self.gates) and (kind == "sea" or not full_sides_only)
            ),
            stop=None if through_gates else lambda h: h == "Q10",
        )

    def land_flood(self, start: str, allowed: set[str]) -> set[str]:
        """Hexes reached over land, partial and crossing hexsides."""
        return flood([start], lambda h: (k for k in self.near[h] if k in allowed and self.side(h, k) != "sea"))

    def supply_flood(self, own: set[str], sources: Iterable[str], seas: Iterable[str]) -> set[str]:
        """Hexes and boxes that a route joins to a source: friendly land steps, and voyages in the open seas.

        A node is a place ("P10", "") on land or the same place afloat in one sea ("Q10", "baltic").
        """
        open_seas = set(seas)

        def steps(node: tuple[str, str]) -> Iterator[tuple[str, str]]:
            place, sea = node
            if sea:
                if place in own:
                    yield place, ""
                yield from self._voyages(place, sea, own, open_seas)
                return
            if place == "siberia":
                yield from ((h, "") for h in self.boxes["siberia"]["adjacent_hexes"] if h in own)
            elif place in self.hexes:
                yield from ((k, "") for k in self.near[place] if k in own and self.side(place, k) != "sea")
                if place in self.boxes["siberia"]["adjacent_hexes"] and "siberia" in own:
                    yield "siberia", ""
            if place in self.boxes or self.hexes[place]["kind"] == "coast":
                record = self.boxes.get(place) or self.hexes[place]
                yield from ((place, s) for s in record["seas"] if s in open_seas)

        return {place for place, sea in flood([(p, "") for p in sources], steps) if not sea or place in own}

    def _voyages(self, place: str, sea: str, own: set[str], open_seas: set[str]) -> Iterator[tuple[str, str]]:
        if place in self.boxes:
            if place in own:
                yield from ((place, s) for s in self.boxes[place]["seas"] if s in open_seas)
        else:
            for other, edge, kind in self.sea_steps(place):
                if kind != "sea" and not (place in own and other in own):
                    continue
                if edge in self.gates:
                    if self.gates[edge] in own:
                        yield from ((other, s) for s in self.hexes[other]["seas"] if s in open_seas)
                elif sea in self.hexes[other]["seas"]:
                    yield other, sea
        for arrow in self.atlas["sea_arrows"]:
            if arrow["sea"] == sea and place in (arrow["from"], arrow["to"]):
                yield arrow["to"] if place == arrow["from"] else arrow["from"], sea

    def sails_to(self, start: str, own: set[str], seas: Iterable[str]) -> set[str]:
        """Places that a voyage from the start touches."""
        open_seas = set(seas)
        first = [(start, s) for s in self.hexes[start]["seas"] if s in open_seas]
        return {p for p, _ in flood(first, lambda node: self._voyages(node[0], node[1], own, open_seas))}

    def without_supply(self, scenario: str, side: str, seas: Iterable[str]) -> set[str]:
        """Friendly places of a side that no route joins to a healthy production point at the start."""
        area = self.scenarios[scenario]["friendly"][side]
        lost = self.scenarios[scenario]["devastation"].get("hexes", {})
        own = self.friendly(scenario, side) | set(area.get("boxes", []))
        sources = [
            p
            for p in own
            if (p in self.hexes and self.hexes[p]["production"] > lost.get(p, 0))
            or (p in self.boxes and self.boxes[p]["production"])
        ]
        return own - self.supply_flood(own, sources, seas)
