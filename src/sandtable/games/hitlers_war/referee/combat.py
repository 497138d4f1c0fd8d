"""Fights by the rulebook: who may attack what, how strong fire and advances are, what is added to a die."""

from __future__ import annotations

from ..model.atlas import (
    ADVANCE,
    AIR,
    ALLIES,
    AMPH,
    ATLAS,
    AXIS,
    CLOSED,
    CROSSING,
    FRIENDLY_COLUMN,
    INF,
    MECH,
    PARA,
    PARTIAL,
    PLAIN,
    SOVIET,
    WATER,
)
from ..model.state import AIRDROP, INVASION, LAND, PEACE_ACCEPTED, SHOWN, War
from .board import SOVIET_UNION, Board, voyages


# ---- targets
def may_attack(board: Board, side: int, space: int) -> bool:
    """Whether a side may attack a space at all (485, 709, 811, 823, 905)."""
    s = board.s
    holder = s.owner[space]
    if holder in (WATER, CLOSED):
        return False
    if holder in (SOVIET, ALLIES) and side in (SOVIET, ALLIES) and holder != side:
        return False
    return not (s.peace == PEACE_ACCEPTED and {side, holder} == {AXIS, SOVIET})


def enters(board: Board, army: int, mode: int) -> bool:
    """Whether anything in an army can advance in this way (570, 1150, 1172, 1200)."""
    row = board.row(army)
    if mode == INVASION:
        return bool(row[INF] + row[MECH] + row[AMPH])
    if mode == AIRDROP:
        return bool(row[PARA]) and not board.s.dropped[army]
    return bool(row[INF] + row[MECH] + row[PARA])


def way(board: Board, army: int, target: int) -> int:
    """How an army attacks a neighbour: over land, by parachute over water, or not at all (250, 366, 1200, 1637)."""
    s, row = board.s, board.row(army)
    side = ATLAS.hexside.get((s.army_at[army], target))
    if side is None:
        return 0
    if side in (PLAIN, PARTIAL) or (side == CROSSING and s.scenario == "barbarossa"):
        return LAND
    only_flying = not row[INF] and not row[MECH] and not row[AMPH]
    return AIRDROP if s.scenario == "campaign-2" and only_flying else 0


def targets(board: Board, army: int, *, entering: bool) -> set[int]:
    """Hexes that an army may attack; with `entering` it must be able to go in (262, 278)."""
    s, side, found = board.s, army // 12, set()
    for space in ATLAS.around[s.army_at[army]]:
        mode = way(board, army, space)
        if not mode or not may_attack(board, side, space):
            continue
        bombs = board.row(army)[AIR] > 0 and s.owner[space] != side and not entering
        if enters(board, army, mode) or bombs:
            found.add(space)
    return found


def invades(board: Board, army: int) -> bool:
    """Whether half of an army is amphibious and it stands on a coast (578, 582)."""
    wet = board.row(army)[AMPH]
    return wet > 0 and board.ground(army) <= 2 * wet and bool(ATLAS.waters_of[board.s.army_at[army]])


def shores(board: Board, army: int) -> set[int]:
    """Spaces that an army may invade: those at the end of a sea route, whatever the sea (580)."""
    s, side = board.s, army // 12
    barred = board.barred(side)
    seen = set(ATLAS.waters_of[s.army_at[army]])
    todo = list(seen)
    while todo:
        for there in voyages(s.owner, side, todo.pop(), barred):
            if there not in seen:
                seen.add(there)
                todo.append(there)
    found = {ATLAS.waters[water][0] for water in seen} - {s.army_at[army]}
    return {x for x in found if may_attack(board, side, x)}


# ---- dice
def added(board: Board, side: int, space: int, armies: tuple[int, ...], *, attack: bool) -> int:
    """What is added to the die of armies that fire or advance from a space (370-372, 1312, 1367)."""
    s = board.s
    total = winter(s) if side == AXIS and space in SOVIET_UNION else 0
    if attack:
        total += weary(s, side)
        total -= any(s.leader[a] == SHOWN for a in armies)
    return total


def winter(s: War) -> int:
    """The Russian winter: four, then two, then one (372)."""
    if not ATLAS.winter[s.turn]:
        return 0
    if s.scenario == "fall-of-germany":
        return 1
    earlier = [turn for turn in range(s.first_winter or s.turn, s.turn) if ATLAS.winter[turn]]
    return {0: 4, 1: 2}.get(len(earlier), 1)


def weary(s: War, side: int) -> int:
    """One for a side whose country has a morale of five or less (1312-1314)."""
    if not s.morale or side == SOVIET:
        return 0
    if side == ALLIES and s.surrendered[ATLAS.country_index["great_britain"]]:
        return 0
    return int(s.morale[0 if side == AXIS else 1] <= 5)


# ---- advances
def defence(board: Board, space: int) -> int:
    """Everything in a hex that stands against an advance (314, 320, 697, 1170)."""
    s = board.s
    troops = sum(board.ground(a) for a in board.here(space)) + s.home.get(space, 0)
    garrison = 0 if troops or space in s.bare else 1
    return troops + garrison + s.fort.get(space, 0)


def range_of(board: Board, army: int, target: int, mode: int, drop: int) -> int:
    """The highest modified die with which an army enters a hex; 0 where none does (314, 662, 1184)."""
    s, row = board.s, board.row(army)
    if not enters(board, army, mode):
        return 0
    if mode == INVASION:
        strength = row[AMPH] + min(row[AMPH], row[INF] + row[MECH])
    else:
        strength = (row[MECH] if mode == LAND else 0) + 2 * drop
    column = FRIENDLY_COLUMN if s.owner[target] == army // 12 else min(10, defence(board, target))
    return ADVANCE[min(10, strength)][column]


def advance_added(board: Board, army: int, target: int) -> int:
    """What is added to the die of an advance: fatigue and mountains too (336, 362, 1423)."""
    s, side = board.s, army // 12
    total = added(board, side, s.army_at[army], (army,), attack=True) + s.advanced[army]
    if ATLAS.mountain[target]:
        total += 2
    if s.options.get("italian_army") and ATLAS.army_names[army] == "Italian Army" and s.owner[target] != side:
        total += 1
    return total


# ---- fire
def carried(board: Board, army: int) -> int:
    """Tac air that carriers lend an invader (1521)."""
    s = board.s
    return sum(s.carriers[fleet] for fleet, escorted in s.escorting.items() if escorted == army)


def flying(board: Board, army: int, target: int) -> int:
    """Tac air of an attacking army that can take part; an invader's own only next door (1166)."""
    s = board.s
    if s.mode[army] != INVASION:
        return board.row(army)[AIR]
    near = (s.army_at[army], target) in ATLAS.hexside
    return (board.row(army)[AIR] if near else 0) + carried(board, army)


def assault(board: Board, armies: tuple[int, ...], target: int, air: int) -> tuple[int, int]:
    """Strength in the air and on the ground of an attacker's assault (290, 358, 656, 1156-1172, 1200)."""
    s = board.s
    ground = spare = own = 0
    for army in armies:
        row = board.row(army)
        planes = flying(board, army, target)
        own += planes
        if s.mode[army] == INVASION:
            ground += row[AMPH]
            spare += planes
        elif s.mode[army] == AIRDROP:
            spare += planes if row[PARA] else 0
        else:
            ground += row[INF] + row[PARA] + (0 if ATLAS.mountain[target] else row[MECH])
            spare += planes if row[INF] + row[MECH] + row[PARA] else 0
    return air, ground + min(own - air, spare)


def defensive(board: Board, space: int, units: tuple[str, ...], air: int) -> tuple[int, int]:
    """Strength in the air and on the ground of a defensive assault (264, 360, 570, 697, 1164, 1168, 1172)."""
    s = board.s
    ground = spare = own = 0
    for name in units:
        if name == "fort":
            ground += s.fort.get(space, 0)
        elif name == "home":
            ground += s.home.get(space, 0)
        elif name == "coast":
            own += s.coast.get(space, 0)
        else:
            row = board.row(ATLAS.army_index[name])
            own += row[AIR]
            ground += row[INF] + row[MECH] + row[PARA]
            spare += row[AIR] if row[INF] + row[MECH] + row[PARA] else 0
    return air, ground + min(own - air, spare)


def commitment(own: int, enemy: int) -> tuple[int, int]:
    """Least and most tac air that fights in the air (1156)."""
    if not own or not enemy:
        return 0, 0
    return (own, own) if own <= enemy else (enemy, own)
