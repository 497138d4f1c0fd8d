"""Every single slip that a hand could make in an atlas: a link lost or added, a number off by one, a unit moved.

A mutation changes an atlas in place and says how to take itself back, so that a sweep over thousands of them needs one
copy only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.atlas.faults import Atlas
from tests.games.hitlers_war.model import atlas_board as board_hitlers_war
from tests.games.munich_war.model import atlas_board as board_munich_war

Undo = Callable[[], None]


@dataclass(frozen=True)
class Mutation:
    """One altered fact."""

    what: str
    apply: Callable[[], Undo]


def change(what: str, holder: Any, key: Any, value: Any) -> Mutation:
    """Another value in a record or list."""

    def apply() -> Undo:
        old = holder[key]
        holder[key] = value
        return lambda: holder.__setitem__(key, old)

    return Mutation(f"{what}: {holder[key]} becomes {value}", apply)


def remove(what: str, rows: list[Any], index: int) -> Mutation:
    """A line less."""

    def apply() -> Undo:
        old = rows.pop(index)
        return lambda: rows.insert(index, old)

    return Mutation(f"{what} removed", apply)


def drop(what: str, holder: dict[str, Any], key: str) -> Mutation:
    """An entry less; the order of the others is kept."""

    def apply() -> Undo:
        before = dict(holder)
        del holder[key]

        def undo() -> None:
            holder.clear()
            holder.update(before)

        return undo

    return Mutation(f"{what} removed", apply)


def add(what: str, rows: list[Any], row: Any) -> Mutation:
    """A line more."""

    def apply() -> Undo:
        rows.append(row)
        return lambda: rows.remove(row)

    return Mutation(f"{what} added", apply)


def move(what: str, places: dict[str, Any], start: str, end: str) -> Mutation:
    """What stands in one place stands in another."""

    def apply() -> Undo:
        before = dict(places)
        places[end] = places.pop(start)

        def undo() -> None:
            places.clear()
            places.update(before)

        return undo

    return Mutation(f"{what} from {start} to {end}", apply)


def off_by_one(what: str, holder: Any, key: Any) -> Iterator[Mutation]:
    """One more and, where that leaves nothing negative, one less."""
    for step in (1, -1):
        if holder[key] + step >= 0:
            yield change(what, holder, key, holder[key] + step)


# Hitler's War


def hitlers_war_links(atlas: Atlas) -> Iterator[Mutation]:
    """Hexsides lost, drawn as open sea between land hexes, arrows too long, sea borders with a gap."""
    hexes, sides = atlas["hexes"], atlas["hexsides"]
    drawn = {frozenset((s["a"], s["b"])) for s in sides}
    for i, side in enumerate(sides):
        yield remove(f"hexside {side['a']}-{side['b']} ({side['kind']})", sides, i)
    for h, v in hexes.items():
        for n in board_hitlers_war.around(h):
            if h < n and n in hexes and "sea" not in (v["kind"], hexes[n]["kind"]) and frozenset((h, n)) not in drawn:
                yield add(f"sea hexside {h}-{n}", sides, {"a": h, "b": n, "kind": "sea", "evidence": "mutation"})
    for arrow in atlas["sea_arrows"]:
        yield from off_by_one(f"arrow {arrow['from']}-{arrow['to']}", arrow, "length")
    for gate in atlas["sea_borders"]:
        for i, pair in enumerate(gate["hexsides"]):
            yield remove(f"{gate['name']}: border {pair}", gate["hexsides"], i)


def hitlers_war_production(atlas: Atlas) -> Iterator[Mutation]:
    """Every land hex and box, one point up or down."""
    for h, v in atlas["hexes"].items():
        if v["kind"] != "sea":
            yield from off_by_one(f"production of {h}", v, "production")
    for box, v in atlas["boxes"].items():
        if v["country"]:
            yield from off_by_one(f"production of {box}", v, "production")


def hitlers_war_set_ups(atlas: Atlas) -> Iterator[Mutation]:
    """Armies, forts, free forces and devastation of every scenario."""
    for name, scenario in atlas["scenarios"].items():
        for side, armies in scenario["armies"].items():
            if isinstance(armies, dict):
                for kind in armies:
                    if kind != "free":
                        yield from off_by_one(f"{name}: {side} {kind}", armies, kind)
                continue
            for i, army in enumerate(armies):
                title = f"{name}: {army['name']}"
                yield remove(title, armies, i)
                if army["hex"] in atlas["hexes"]:
                    for n in board_hitlers_war.around(army["hex"]):
                        if atlas["hexes"].get(n, {}).get("kind") in ("land", "coast"):
                            yield change(title, army, "hex", n)
                for kind in ("infantry", "mechanized"):
                    yield from off_by_one(f"{title} {kind}", army, kind)
        for side, forts in scenario["forts"].items():
            for i, fort in enumerate(forts):
                yield remove(f"{name}: {side} fort {fort}", forts, i)
                yield from off_by_one(f"{name}: {side} fort {fort[0]}", fort, 1)
        for h in scenario["devastation"]["hexes"]:
            yield drop(f"{name}: devastation of {h}", scenario["devastation"]["hexes"], h)


# Munich War


def munich_war_links(atlas: Atlas) -> Iterator[Mutation]:
    """Rail links and hexsides lost, rail links added between land neighbours."""
    hexes = atlas["hexes"]
    land = {h for h, v in hexes.items() if v["kind"] in ("land", "coast")}
    rail = {frozenset(e) for e in atlas["rail"]}
    for i, edge in enumerate(atlas["rail"]):
        yield remove(f"rail {edge}", atlas["rail"], i)
    for i, side in enumerate(atlas["hexsides"]):
        yield remove(f"{side['kind']} {side['a']}-{side['b']}", atlas["hexsides"], i)
    for h in sorted(land):
        for n in board_munich_war.around(h):
            if h < n and n in land and frozenset((h, n)) not in rail:
                yield add(f"rail {h}-{n}", atlas["rail"], [h, n])


def munich_war_production(atlas: Atlas) -> Iterator[Mutation]:
    """Replacement points of countries, capitals and mobilization marks of cities."""
    for country, v in atlas["countries"].items():
        for key in ("on_map_rp", "off_map_rp"):
            yield from off_by_one(f"{country} {key}", v, key)
    for h, v in atlas["hexes"].items():
        if v["city"]:
            for key in ("capital", "mobilization"):
                yield change(f"{v['city']['name']} {h} {key}", v["city"], key, not v["city"][key])


def munich_war_set_ups(atlas: Atlas) -> Iterator[Mutation]:
    """The deployment table, and every suggested place."""
    for country, v in atlas["deployment"].items():
        for start in ("map", "available", "reinforcement"):
            for kind in v[start]:
                yield from off_by_one(f"{country} {start} {kind}", v[start], kind)
    for scenario in atlas["scenarios"]:
        for unit, place in scenario["setup"].items():
            title = f"scenario {scenario['id']}: {unit}"
            yield drop(title, scenario["setup"], unit)
            yield change(f"{title} reduced", place, "reduced", not place["reduced"])
            for n in board_munich_war.around(place["hex"]):
                if n in atlas["hexes"]:
                    yield change(title, place, "hex", n)


# The two games with named spaces


def _second_neighbours(atlas: Atlas, kind: str) -> Iterator[tuple[str, str]]:
    """Pairs of spaces two links of the kind apart: the likeliest wrong links."""
    near: dict[str, set[str]] = {}
    for link in atlas["links"]:
        if link["kind"] == kind:
            near.setdefault(link["a"], set()).add(link["b"])
            near.setdefault(link["b"], set()).add(link["a"])
    for a in sorted(near):
        for b in sorted({x for n in near[a] for x in near[n]} - near[a]):
            if a < b:
                yield a, b


def space_links(atlas: Atlas) -> Iterator[Mutation]:
    """Links lost, and land and sea links added between spaces two steps apart."""
    links = atlas["links"]
    for i, link in enumerate(links):
        yield remove(f"{link['kind']} link {link['a']}-{link['b']}", links, i)
    for kind in ("land", "sea"):
        model = next(k for k in links if k["kind"] == kind and k["border"] in (None, "black"))
        for a, b in _second_neighbours(atlas, kind):
            yield add(f"{kind} link {a}-{b}", links, {**model, "a": a, "b": b})


def blitzkrieg_general_production(atlas: Atlas) -> Iterator[Mutation]:
    """Both numbers of every area."""
    for space, v in atlas["spaces"].items():
        if v["production"]:
            for side, name in enumerate(("left", "right")):
                yield from off_by_one(f"{name} production of {space}", v["production"], side)


def blitzkrieg_general_set_ups(atlas: Atlas) -> Iterator[Mutation]:
    """Every line of the scenario cards: numbers, fronts, places, whole units."""
    near: dict[str, str] = {}
    for link in atlas["links"]:
        if link["kind"] != "coast":
            near.setdefault(link["a"], link["b"])
            near.setdefault(link["b"], link["a"])
    tables = [(year, v["set_up"]) for year, v in atlas["setups"].items()]
    tables += [(f"{year} arrivals", v["reinforcements"]) for year, v in atlas["setups"].items()]
    tables.append(("on entry", atlas["neutral_setups"]))
    for title, table in tables:
        for nation, rows in table.items():
            for row in rows:
                place = row.get("space") or row["quarter"]
                if place in near:
                    yield change(f"{title}: {nation} in {place}", row, "space", near[place])
                for i, unit in enumerate(row["units"]):
                    name = f"{title}: {nation} {unit['type']} in {place}"
                    yield remove(name, row["units"], i)
                    yield change(f"{name} number", unit, "n", unit["n"] + 1)
                    if "front" in unit:
                        yield change(f"{name} front", unit, "front", unit["front"] + 1)


def ww2_europe_production(atlas: Atlas) -> Iterator[Mutation]:
    """The value of every land space."""
    for space, v in atlas["spaces"].items():
        if v["kind"] == "land":
            yield from off_by_one(f"value of {space}", v, "value")


def ww2_europe_set_ups(atlas: Atlas) -> Iterator[Mutation]:
    """Units, money and control of both set-ups, and Vichy's forces."""
    near: dict[str, list[str]] = {}
    for link in atlas["links"]:
        if link["kind"] == "land":
            near.setdefault(link["a"], []).append(link["b"])
            near.setdefault(link["b"], []).append(link["a"])
    for name, scenario in atlas["setups"].items():
        for power, places in scenario["units"].items():
            for space, units in places.items():
                title = f"{name}: {power} in {space}"
                for other in near.get(space, [])[:2]:
                    if other not in places:
                        yield move(title, places, space, other)
                for unit, number in units.items():
                    if isinstance(number, int):
                        yield from off_by_one(f"{title} {unit}", units, unit)
        for power in scenario["money"]:
            yield from off_by_one(f"{name}: money of {power}", scenario["money"], power)
        for space, owner in scenario["control"].items():
            yield change(f"{name}: {space}", scenario["control"], space, "italy" if owner != "italy" else "germany")
    for space, units in atlas["vichy_setup"]["units"].items():
        for unit in units:
            yield from off_by_one(f"Vichy: {unit} in {space}", units, unit)


Sweep = Callable[[Atlas], Iterator[Mutation]]
SWEEPS: dict[str, dict[str, Sweep]] = {
    "hitlers_war": {
        "links": hitlers_war_links,
        "production": hitlers_war_production,
        "set-ups": hitlers_war_set_ups,
    },
    "munich_war": {"links": munich_war_links, "production": munich_war_production, "set-ups": munich_war_set_ups},
    "blitzkrieg_general": {
        "links": space_links,
        "production": blitzkrieg_general_production,
        "set-ups": blitzkrieg_general_set_ups,
    },
    "ww2_europe": {"links": space_links, "production": ww2_europe_production, "set-ups": ww2_europe_set_ups},
}
