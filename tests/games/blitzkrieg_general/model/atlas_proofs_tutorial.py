"""Proofs from the two tutorials of Blitzkrieg General: moves, supply verdicts and dice hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from tests.atlas.faults import Check, Proof
from tests.games.blitzkrieg_general.model import atlas_facts_tutorial as tutorial
from tests.games.blitzkrieg_general.model.atlas_board import (
    ALLIES_1941,
    AXIS,
    Board,
    Supply,
    World,
    by_air,
    by_land,
    by_sea,
)

# Enemy ships that the British fleet of line 5635 passes without meeting one.
ENEMY_SHIPS_5635 = {"central_atlantic", "ligurian_sea", "levantianian_sea", "aegean_sea", "finnish_sea"}


def replay(board: Board, world: World, check: Check, script: str) -> None:
    """Play the rows of a tutorial, checking each and changing hands where the text does."""
    orders: dict[str, Callable[[str, str, str, int], bool]] = {
        "attack": world.attacks, "move": world.moves, "fly": world.flies, "base": world.rebases,
        "home": world.flies_home, "no-fly": lambda who, a, b, reach: not world.flies(who, a, b, reach),
    }  # fmt: skip
    for row in script.strip().splitlines():
        line, order, *words = row.split()
        if order == "take":
            world.owners[words[0]] = words[1]
            continue
        if order in orders:
            who, a, b, reach = words
            legal = orders[order](who, a, b, int(reach))
        elif order == "rail":
            legal = world.rails(*words)
        elif order == "sail":
            legal = board.sails(int(words[0]), words[1:])
        else:
            legal = board.joined(words[0], words[1], None if order == "touch" else order)
        check(legal, f"line {line}: {order} {' '.join(words)}")


def world_1939(board: Board) -> World:
    world = World(board, board.owners, [("be", "france", "poland")])
    for a, b in board.setups["1939"]["wars"]:
        world.war(a, b)
    return world


def world_1941(board: Board) -> World:
    world = World(board, board.owners_1941, [AXIS, ALLIES_1941])
    for a in AXIS:
        for b in ALLIES_1941:
            world.war(a, b)
    world.war("japan", "china")
    return world


def basic_tutorial(board: Board, check: Check) -> None:
    """The moves of the basic tutorial, third quarter of 1939."""
    world = world_1939(board)
    check(board.distance("manchuria", "shanghai", by_land) == 2, "line 3937: Manchuria is two from Shanghai")
    replay(board, world, check, tutorial.BASIC)
    havens = [s for s in board.areas if world.flies_home("poland", "east_poland", s, 2)]
    check(not havens, f"line 4154: Polish aircraft can land in {havens}")
    far = board.distance("chentu", "wuhan", by_land, lambda s: s in world.owners and world.is_friend("china", s))
    check(far == 3, f"line 4399: Chentu is {far} from Wuhan once Sian is lost, not 3")


def advanced_tutorial(board: Board, check: Check) -> None:
    """The moves of the advanced tutorial, second quarter of 1941."""
    world = world_1941(board)
    check(board.spaces["canada_east"]["british_home"] == "canada", "line 4587: Canada (East) is Canadian")
    british = any(board.joined("skandinavian_sea", s, "coast") for s in ("england", "scotland"))
    check(british, "line 4591: the Skandinavian Sea lies off Britain")
    italian = any(board.joined("adria", s, "coast") for s in ("northern_italy", "southern_italy"))
    check(italian, "line 4599: Adria lies off Italy")
    check(world.is_enemy("ussr", "romania"), "line 4999: Romania is hostile to the USSR")
    for a, b in (("baltic", "white_russia"), ("baltic", "leningrad")):
        check("swamp" not in board.near[a][b]["borders"], f"line 5345: no swamp between {a} and {b}")
    replay(board, world, check, tutorial.ADVANCED)
    voyage = board.distance("skandinavian_sea", "channel", by_sea) + board.distance(
        "channel", "cape_of_good_hope", by_sea
    )
    check(voyage == 6, f"line 5587: Skandinavian Sea - Channel - Cape of Good Hope is {voyage}, not 6")
    round_it = board.distance("fareous_gap", "american_east_coast", by_sea, lambda s: s != "central_atlantic")
    check(round_it > 4, f"line 5599: the Central Atlantic can be passed round in {round_it}")
    safe = board.distance("skandinavian_sea", "ionian_sea", by_sea, lambda s: s not in ENEMY_SHIPS_5635)
    check(safe <= 6, f"line 5635: Skandinavian Sea to Ionian Sea takes {safe}")
    behind = {s for s in board.near["pakoe"] if world.is_friend("japan", s)}
    check(behind == {"peking"}, f"line 5779: Pakoe hangs on {sorted(behind)}, not on Peking alone")
    refuge = [
        s for s, k in board.near["karelia"].items()
        if k["kind"] == "land" and world.is_friend("finland", s)
    ]  # fmt: skip
    check(not refuge, f"line 5876: the Finns in Karelia can retreat to {refuge}")
    open_coast = not board.near["bay_of_biscay"]["western_france"]["forbidden_coast"]
    check(open_coast, "line 6032: Western France can be invaded from the Bay of Biscay")
    for a in ("england", "maginot"):
        check(board.distance(a, "western_france", by_air) <= 2, f"line 6034: aircraft fly from {a} to Western France")
    check(
        board.joined("peking", "sian") and board.joined("shanghai", "wuhan"), "line 3548: China and Japan share a front"
    )


def supply(board: Board, check: Check) -> None:
    """The supply verdicts of the advanced tutorial, and everybody's supply when 1941 starts."""
    start = board.owners_1941
    ships: dict[str, dict[str, str]] = {"tf": {}, "conv": {}}
    axis, allies = {*AXIS, "japan"}, {*ALLIES_1941, "china", "usa"}
    rows = [(n, r) for n, rs in board.setups["1941"]["set_up"].items() for r in rs if n != "vichy_france"]
    for nation, row in rows:
        for unit in row["units"]:
            if unit["type"] in ships:
                fleet = ships[unit["type"]]
                fleet[row["space"]] = fleet.get(row["space"], "") + (" axis" if nation in axis else " allies")
    for nation, row in rows:
        if row["space"] in start:
            side = axis if nation in axis else allies
            fed = Supply(board, side, start, ships["tf"], ships["conv"]).reaches(row["space"])
            check(fed, f"1941: {nation} in {row['space']} starts without supply, line 4632")

    def verdict(line: int, side: tuple[str, ...], owners: dict[str, str | None], fleets: dict[str, str],
                ships: dict[str, str], fed: str = "", cut_off: str = "") -> None:  # fmt: skip
        tracing = Supply(board, side, owners, fleets, ships)
        for area in fed.split():
            check(tracing.reaches(area), f"line {line}: {area} must be in supply")
        for area in cut_off.split():
            check(not tracing.reaches(area), f"line {line}: {area} must be out of supply")

    verdict(4632, ALLIES_1941, start, tutorial.TASK_FORCES_AT_START, {}, "cyreneica")
    verdict(4632, AXIS, start, tutorial.TASK_FORCES_AT_START, {}, "western_poland tripolitania")
    world = world_1941(board)
    taken = [row.split() for row in tutorial.ADVANCED.strip().splitlines() if " take " in row]
    moments: dict[int, dict[str, str | None]] = {}
    for moment in (5330, 5550, 5836):
        for line, _, area, owner in taken:
            if int(line) < moment:
                world.owners[area] = owner
        moments[moment] = dict(world.owners)
    fleets = tutorial.TASK_FORCES_AFTER_AXIS
    gains = "cyreneica karelia baltic odessa lwow yugoslavia"
    verdict(5330, AXIS, moments[5330], fleets, {"aegean_sea": "axis"}, gains)
    verdict(5550, ALLIES_1941, moments[5550], fleets, {}, "east_poland pripiet alexandria leningrad")
    verdict(5836, AXIS, moments[5836], tutorial.TASK_FORCES_LATE, {}, "baltic greece", "matruh cyreneica karelia")


def dice(board: Board, check: Check) -> None:
    """Terrain, borders, weather and supply give the strengths at which the tutorial's dice were rolled."""
    shooter = re.compile(r"(?:(\d+) x )?(\w+) (\d) @ (\w+)(?: < (\w+))?(?: ([dbsi]+))?")
    for row in tutorial.DICE.strip().splitlines():
        line, shots, shooters = row.split(" | ")
        wanted = {int(k): int(v) for k, v in (pair.split(":") for pair in shots.split())}
        found: Counter[int] = Counter()
        for text in shooters.split(", "):
            match = shooter.fullmatch(text)
            if match is None:
                raise ValueError(f"line {line}: cannot read {text!r}")
            number, kind, value, area, start, marks = match.groups()
            strength = board.strength(kind, int(value), area, start, marks or "")
            if strength > 0:
                found[strength] += int(number or 1) * (2 if kind == "arm" else 1)
        check(found == Counter(wanted), f"line {line}: shots at each strength are {dict(found)}, not {wanted}")


TUTORIAL_THEMES: dict[str, Proof] = {
    "basic tutorial": basic_tutorial,
    "advanced tutorial": advanced_tutorial,
    "dice": dice,
    "supply": supply,
}
