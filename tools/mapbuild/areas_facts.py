"""What the map needs to know of an atlas: one view of both area games, whose atlases name things differently."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

TERRAIN = {"mountains": "mountain", "impassable_mountains": "impassable", "woodland": "forest"}
"""One word for the same ground in both games."""
CANALS = ("panama", "suez")


@dataclass(frozen=True)
class Space:
    """One space as the map sees it."""

    name: str
    name_de: str
    kind: str
    terrain: str | None
    country: str | None
    front: str | None
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def is_land(self) -> bool:
        return self.kind in ("land", "coast", "island")


@dataclass(frozen=True)
class Facts:
    """Spaces and links of a game."""

    spaces: dict[str, Space]
    links: list[dict[str, Any]]
    gates: dict[str, Any]

    def gate(self, link: Mapping[str, Any]) -> dict[str, Any]:
        """Who can shut the way: a named gate, or the land spaces beside a strait."""
        gate = link.get("gate")
        if not gate:
            return {}
        return {"gate": gate, "name": self.gates[gate]["name"]} if isinstance(gate, str) else {"gate": list(gate)}

    def edge_kinds(self, link: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        """Everything special about a link, as kinds of edge with what else is known."""
        kinds: list[tuple[str, dict[str, Any]]] = [(border, {}) for border in link.get("borders", [])]
        passages = [feature for feature in link.get("features", []) if feature != "port"]
        kinds += [(word, self.gate(link) if word in ("strait", "canal") else {}) for word in passages]
        if link.get("border") == "blue":
            kinds.append(("blue", {"cost": link["cost"]}))
        if link.get("fortress_side"):
            kinds.append(("fortress", {"defender": link["fortress_defender"]}))
        if link.get("forbidden_coast"):
            kinds.append(("forbidden_coast", {}))
        if isinstance(link.get("gate"), str):
            kinds.append(("canal" if link["gate"] in CANALS else "strait", self.gate(link)))
        return kinds


def facts_of(table: Mapping[str, Any], atlas: Mapping[str, Any]) -> Facts:
    """Read an atlas of either game."""
    coastal = {name for link in atlas["links"] if link["kind"] == "coast" for name in (link["a"], link["b"])}
    german = table.get("names_de", {})
    spaces: dict[str, Space] = {}
    for name, raw in atlas["spaces"].items():
        read = _area if "map" in raw else _land_or_sea
        spaces[name] = read(name, raw, german.get(name, raw["name"]), name in coastal)
    return Facts(spaces, list(atlas["links"]), dict(atlas.get("gates", {})))


def _kept(raw: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: raw[key] for key in keys if raw.get(key)}


def _area(name: str, raw: Mapping[str, Any], name_de: str, coastal: bool) -> Space:
    """A space of Blitzkrieg General."""
    kind = {"seazone": "sea", "island": "island"}.get(raw["kind"], "coast" if coastal else "land")
    keys = ("production", "home_of", "british_home", "stacking_limit", "desert_land_limit", "no_production_island")
    return Space(raw["name"], name_de, kind, raw["terrain"], raw["owner"], None, _kept(raw, keys))


def _land_or_sea(name: str, raw: Mapping[str, Any], name_de: str, coastal: bool) -> Space:
    """A space of World War II in Europe."""
    kind = "coast" if raw["kind"] == "land" and coastal else raw["kind"]
    ground = [TERRAIN.get(word, word) for word in raw["terrain"] if word not in ("coast", "river", "strait", "canal")]
    front = raw["fronts"][0] if raw["kind"] == "land" else None
    extra = _kept(raw, ("value", "homeland", "port", "port_of", "multi_front", "blue_border", "fronts"))
    extra.update({key: raw[key] for key in ("feature", "flag") if raw.get(key, "none") != "none"})
    return Space(raw["name"], name_de, kind, ground[0] if ground else None, raw["country"], front, extra)
