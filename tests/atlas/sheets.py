"""Proof sheets: the links, production and set-ups of an atlas as plain lines that a person can read through.

Many of these facts are ours, because the printed maps are not in the texts, so no rule can tell a right one from a
wrong one. The committed sheets keep them from changing unseen: `python -m tests.atlas.sheets` writes them anew after a
change that is meant, and the diff of the sheet shows what it did.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.atlas.faults import GAMES, Atlas, load_atlas

FOLDER = Path(__file__).parent / "golden"


def sheet(game: str, atlas: Atlas) -> list[str]:
    """The lines of a game's sheet."""
    makers = {
        "hitlers_war": _hitlers_war,
        "munich_war": _munich_war,
        "blitzkrieg_general": _blitzkrieg_general,
        "ww2_europe": _ww2_europe,
    }
    return list(makers[game](atlas))


def sheet_path(game: str) -> Path:
    return FOLDER / f"{game}.txt"


def _flat(record: dict[str, Any]) -> str:
    return ", ".join(f"{key} {_short(value)}" for key, value in record.items() if value not in (0, False, None))


def _short(value: Any) -> str:
    return f"({_flat(value)})" if isinstance(value, dict) else str(value)


def _hitlers_war(atlas: Atlas) -> Iterator[str]:
    sides: dict[str, list[str]] = defaultdict(list)
    for side in atlas["hexsides"]:
        sides[side["a"]].append(f"{side['kind']} {side['b']}" + (f" ({side['sea']})" if side.get("sea") else ""))
    for h, v in atlas["hexes"].items():
        points = f", {v['production']}" if v["production"] else ""
        drawn = f"; {', '.join(sides[h])}" if h in sides else ""
        yield f"{h}: {v['kind']}, {v['country'] or '+'.join(v['seas'])}, {v['terrain']}{points}{drawn}"
    for arrow in atlas["sea_arrows"]:
        yield f"arrow {arrow['from']}-{arrow['to']}: {arrow['length']}, {arrow['sea']}"
    for gate in atlas["sea_borders"]:
        yield f"border {gate['name']}: {gate['controlling']}, {gate['hexsides']}"
    for box, v in atlas["boxes"].items():
        yield f"box {box}: {v['production']}"
    for name, scenario in atlas["scenarios"].items():
        for side, armies in scenario["armies"].items():
            for army in [armies] if isinstance(armies, dict) else armies:
                yield f"{name}, {side}: {_flat(army)}"
            yield f"{name}, {side} forts: {scenario['forts'].get(side, [])}"
        yield f"{name}, devastated: {scenario['devastation']['hexes']}"


def _munich_war(atlas: Atlas) -> Iterator[str]:
    links: dict[str, list[str]] = defaultdict(list)
    for a, b in atlas["rail"]:
        links[a].append(f"rail {b}")
    for side in atlas["hexsides"]:
        links[side["a"]].append(f"{side['kind']} {side['b']}" + (f" ({side['name']})" if side["name"] else ""))
    for h, v in atlas["hexes"].items():
        city = f", {_flat({k: x for k, x in v['city'].items() if k != 'also'})}" if v["city"] else ""
        drawn = f"; {', '.join(links[h])}" if h in links else ""
        yield f"{h}: {v['kind']}, {v['country']}, {v['terrain']}{city}{drawn}"
    for country, v in atlas["countries"].items():
        yield f"{country}: {v['on_map_rp']} home RP, {v['off_map_rp']} off-map RP, rail {v['rail_capacity']}"
    for country, v in atlas["deployment"].items():
        yield f"{country} deploys {_flat(v['map'])}; {_flat(v['available'])}; {_flat(v['reinforcement'])}"
    for scenario in atlas["scenarios"]:
        for unit, place in scenario["setup"].items():
            yield f"scenario {scenario['id']}, {unit}: {place['hex']}{' reduced' if place['reduced'] else ''}"


def _links(atlas: Atlas) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for link in atlas["links"]:
        marks = [str(v) for k, v in link.items() if k in ("border", "borders", "features", "gate", "cost") and v]
        marks += [k for k, v in link.items() if v is True]
        for a, b in ((link["a"], link["b"]), (link["b"], link["a"])):
            found[a].append(f"{link['kind']} {b}" + (f" ({'; '.join(marks)})" if marks else ""))
    return found


def _blitzkrieg_general(atlas: Atlas) -> Iterator[str]:
    links = _links(atlas)
    for space, v in atlas["spaces"].items():
        points = "{}/{}".format(*v["production"]) if v["production"] else "none"
        yield f"{space}: {v['kind']}, {v['owner']}, {v['terrain']}, {points}; {', '.join(sorted(links[space]))}"
    tables = [(year, v["set_up"]) for year, v in atlas["setups"].items()]
    tables += [(f"{year} arrivals", v["reinforcements"]) for year, v in atlas["setups"].items()]
    tables.append(("on entry", atlas["neutral_setups"]))
    for title, table in tables:
        for nation, rows in table.items():
            for row in rows:
                units = "; ".join(_flat({k: v for k, v in u.items() if k != "nation"}) for u in row["units"])
                yield f"{title}, {nation}, {row.get('space') or row['quarter']}: {units}"


def _ww2_europe(atlas: Atlas) -> Iterator[str]:
    links = _links(atlas)
    for space, v in atlas["spaces"].items():
        facts = f"{v['kind']}, {v['country']}, {v['value']} {v['feature']}, flag {v['flag']}, {'+'.join(v['fronts'])}"
        yield f"{space}: {facts}; {', '.join(sorted(links[space]))}"
    for name, scenario in atlas["setups"].items():
        for power, places in scenario["units"].items():
            for space, units in places.items():
                yield f"{name}, {power}, {space}: {_flat(units)}"
        yield f"{name}, money: {scenario['money']}"
        for space, owner in scenario["control"].items():
            yield f"{name}, {space} is held by {owner}"
    yield f"Vichy: {atlas['vichy_setup']['units']}"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for game_name in GAMES:
        sheet_path(game_name).write_text("\n".join(sheet(game_name, load_atlas(game_name))) + "\n", encoding="utf-8")
