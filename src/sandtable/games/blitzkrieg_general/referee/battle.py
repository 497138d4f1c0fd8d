"""5.4, 6.5.2-6.5.6 and the cards: what a unit fights at."""

from __future__ import annotations

from ..model.atlas import (
    ARM,
    ATLAS,
    CONVOY,
    FORTRESS_SIDE,
    INF,
    MOUNTAIN_BORDER,
    RIVER,
    SUB,
    SWAMP_BORDER,
    TF,
    USSR,
)
from ..model.state import AT_AIR, AT_LAND, AT_SUBS, BOMBING, LAND_BATTLE, OUT, SEA_BATTLE, Battle
from .board import Board

A = ATLAS
CHART = {"forest", "mountain", "swamp", "fortress"}


def strength(board: Board, battle: Battle, unit: int, aim: int) -> int:
    """Printed strength; halved in a landing or for a Task Force ashore; terrain and borders; weather; supply; cards."""
    s = board.s
    printed = board.printed(unit)
    if A.is_hq[unit]:
        return 0
    if not s.advanced:
        return printed
    if A.is_land[unit]:
        return _on_land(board, battle, unit, aim, printed)
    return (_at_sea if battle.kind == SEA_BATTLE else _over_land)(board, battle, unit, aim, printed)


def knows(board: Board, unit: int, what: str) -> bool:
    nation = board.nation(unit)
    return nation < 8 and bool(board.s.advances[nation] >> A.advance_bit[what] & 1)


def _cards(board: Board, battle: Battle, unit: int) -> int:
    s, nation = board.s, board.nation(unit)
    value = int(unit in battle.elite)
    mountains = A.terrain[battle.space] == "mountain" and s.effects.get("mountain_troops", -1) == nation
    value += mountains and A.type[unit] == INF
    cold = "cold_days" in s.effects and A.home_of[battle.space] == USSR and board.side(unit) != s.side[USSR]
    return value - cold


def _borders(board: Board, battle: Battle, unit: int) -> int:
    origin = board.s.origin[unit]
    return A.border.get(origin * A.count + battle.space, 0) if origin >= 0 else 0


def _fortress(board: Board, battle: Battle) -> bool:
    """A fortress counts unless every land unit of the attacker comes over an open side."""
    if A.terrain[battle.space] != "fortress" or not board.s.fortress:
        return False
    feet = [u for u in battle.attackers if A.is_land[u]]
    return not feet or any(_borders(board, battle, u) & FORTRESS_SIDE for u in feet)


def _on_land(board: Board, battle: Battle, unit: int, aim: int, printed: int) -> int:
    s, kind, attacks = board.s, A.type[unit], unit in battle.attackers
    if aim == AT_AIR:
        return 0 if s.flags[unit] & OUT else 1
    value = printed // 2 if unit in battle.invaders else printed
    terrain = A.terrain[battle.space]
    chart = dict(A.terrain_effects.get(terrain, {}))
    borders = _borders(board, battle, unit) if attacks else 0
    if terrain == "fortress":
        if not _fortress(board, battle) or (attacks and not borders & FORTRESS_SIDE):
            chart = {}
        elif not attacks:
            chart = {"infantry_defender": chart["infantry_defender"]}
    value += chart.get("arm") or 0 if kind == ARM else 0
    if attacks:
        value += chart.get("attacker") or 0
        if borders & RIVER and s.effects.get("bridgehead", -1) != board.nation(unit):
            value += A.border_effects["river"]["attacker"]
        column = "arm_attacker" if kind == ARM else "other_attacker"
        if borders & MOUNTAIN_BORDER and terrain != "mountain":
            value += A.border_effects["mountain"][column]
        if borders & SWAMP_BORDER:
            value += A.border_effects["swamp"][column]
        guards = A.tag[unit] == "red G" and A.card_of["guards_troops"] in s.table
        hardy = board.nation(unit) == USSR and ("winter_offensive" in s.effects or guards)
        if s.bad[A.map[battle.space]] and not hardy:
            value += A.bad_weather["attacking_land"]
    elif kind == INF:
        value += chart.get("infantry_defender") or 0
    if s.flags[unit] & OUT:
        value += A.out_of_supply
    return value + _cards(board, battle, unit)


def _over_land(board: Board, battle: Battle, unit: int, aim: int, printed: int) -> int:
    s, value = board.s, printed
    if aim == AT_LAND and battle.kind == LAND_BATTLE:
        if A.type[unit] == TF:
            value = (printed + 1) // 2
        terrain = A.terrain[battle.space]
        chart = A.terrain_effects.get(terrain, {})
        if terrain == "fortress" and not (unit in battle.attackers and _fortress(board, battle)):
            chart = {}
        value = value // 2 if chart.get("air_factor") else value + (chart.get("air") or 0)
    if s.bad[A.map[battle.space]]:
        value += A.bad_weather["air"]
    if s.flags[unit] & OUT and A.is_air[unit]:
        value += A.out_of_supply
    foes = battle.defenders if unit in battle.attackers else battle.attackers
    if aim == AT_AIR and any(not A.is_land[u] and battle.aim.get(u, AT_AIR) == AT_AIR for u in foes):
        value += _fighters(board, unit)
    return value + _cards(board, battle, unit)


def _fighters(board: Board, unit: int) -> int:
    return int(knows(board, unit, "air_combat") and not (A.is_air[unit] and A.front[unit] < 2))


def _at_sea(board: Board, battle: Battle, unit: int, aim: int, printed: int) -> int:
    s, kind = board.s, A.type[unit]
    if aim == AT_SUBS:
        if kind == SUB or (kind == CONVOY and s.flipped[unit]):
            return 0
        return 1 + (not A.is_air[unit] and knows(board, unit, "sonar"))
    if aim == AT_AIR and kind in (CONVOY, SUB):
        return int(kind == CONVOY and not s.flipped[unit])
    value = printed + (kind == SUB and knows(board, unit, "better_subs"))
    if s.bad[A.map[battle.space]]:
        value += A.bad_weather["ships"]
    if s.flags[unit] & OUT and A.is_air[unit]:
        value += A.out_of_supply
    return value + (_fighters(board, unit) if aim == AT_AIR else 0) + _cards(board, battle, unit)


def may_stand(battle: Battle, unit: int) -> list[int]:
    """What a unit may fire at in the course of a round: one in the air may turn to those on the ground."""
    aim = battle.aim.get(unit, AT_LAND)
    turns = aim == AT_AIR and not A.is_land[unit] and battle.kind != BOMBING
    return [aim, AT_LAND] if turns and battle.kind == LAND_BATTLE else [aim]


def retreats(board: Board, unit: int) -> set[int]:
    """Where a unit may retreat: friendly areas (zones without enemy Task Forces), else where both sides are (6.5.8)."""
    s, nation, here = board.s, board.nation(unit), board.s.place[unit]

    def friends_at(space: int) -> bool:
        return any(board.side(u) == s.side[nation] for u in board.at[space])

    if A.is_ship[unit]:
        clear, shared = set(), set()
        for there in A.sea_next[here]:
            if board.gate_closed(nation, here, there, sub=A.is_sub[unit]):
                continue
            foes = [u for u in board.enemies(nation, there) if A.type[u] == TF or not s.advanced]
            if not foes:
                clear.add(there)
            elif friends_at(there):
                shared.add(there)
        return clear or shared
    around = [a for a in A.land_next[here] if not board.full(unit, a)]
    own = {a for a in around if board.friendly(nation, a) and board.open_to(nation, a)}
    clear = {a for a in own if not board.enemies(nation, a)}
    best = {a for a in clear if board.stranger(unit, a) is None}
    shared = {a for a in around if board.enemies(nation, a) and (a in own or friends_at(a))}
    return best or clear or shared
