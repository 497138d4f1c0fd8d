"""6.5.2-6.5.6 the strength with which a unit fights: named parts in the rulebook's order, never a bare sum."""

from __future__ import annotations

from sandtable.core import Modifier

from ..model.atlas import (
    ARM,
    ATLAS,
    BE,
    CONVOY,
    FORTRESS_SIDE,
    GERMANY,
    HQ,
    INF,
    JAPAN,
    MOUNTAIN_BORDER,
    NAVAL_HQ,
    RIVER,
    SUB,
    SWAMP_BORDER,
    TF,
    USSR,
)
from ..model.state import AT_AIR, AT_LAND, AT_SUBS, LAND_BATTLE, OUT, SEA_BATTLE, Battle, BKState, has_advance, strength
from ..model.tables import LIMITS
from .cards.deck import is_in_effect

Part = tuple[str, int, str]
"""Name, value, rule."""


def total(parts: list[Part]) -> int:
    return sum(value for _, value, _ in parts)


def parts_of(state: BKState, battle: Battle, unit: int, aim: int) -> list[Part]:
    """Return everything that makes a unit's strength in this battle. [bg-6.5.3-mandatory] [bg-6.5.3-mod-order]
    [bg-basic-battlechart]"""
    kind = ATLAS.type[unit]
    if kind in (HQ, NAVAL_HQ):
        return []
    if not state.advanced:
        return [("printed", strength(state, unit), "bg-basic-battlechart")]
    if ATLAS.is_land[unit]:
        return _land_parts(state, battle, unit, aim)
    if battle.kind == SEA_BATTLE:
        return _sea_parts(state, battle, unit, aim)
    return _air_parts(state, battle, unit, aim)


def effective(state: BKState, battle: Battle, unit: int, aim: int) -> int:
    """[bg-6.5.2-zero]"""
    return sum([value for _, value, _ in parts_of(state, battle, unit, aim)])


def is_attacker(battle: Battle, unit: int) -> bool:
    return unit in battle.attackers


def fortress_holds(state: BKState, battle: Battle) -> bool:
    """Return whether the fortress counts: unless every attacking land unit comes over an open side.
    [bg-1.2-fortress-defenders] [bg-1.2-fortress-maginot-rear] [bg-8.6-maginot]"""
    if ATLAS.terrain[battle.space] != "fortress" or not state.fortress:
        return False
    land = [u for u in battle.attackers if ATLAS.is_land[u]]
    return not land or any(crossed(state, battle, u) & FORTRESS_SIDE for u in land)


def crossed(state: BKState, battle: Battle, unit: int) -> int:
    """Return the borders between where an attacker came from and the area it attacks. [bg-1.2-border-only]
    [bg-1.2-border-two-way]"""
    return ATLAS.border.get(state.origin[unit] * ATLAS.count + battle.space, 0) if state.origin[unit] >= 0 else 0


def _weather(state: BKState, battle: Battle) -> bool:
    return bool(state.bad[ATLAS.map[battle.space]])


def _land_parts(state: BKState, battle: Battle, unit: int, aim: int) -> list[Part]:
    if aim == AT_AIR:
        # anti-air is never changed by terrain or weather, and needs supply
        if state.flags[unit] & OUT:
            return [("anti-air", 0, "bg-6.1-effect-aa")]
        return [("anti-air", 1, "bg-6.5.5-strength")]
    printed, kind = strength(state, unit), ATLAS.type[unit]
    attacks = is_attacker(battle, unit)
    parts: list[Part] = [("printed", printed, "bg-6.5.3-land-strength")]
    if unit in battle.invaders:
        parts.append(("invasion", printed // 2 - printed, "bg-6.5.4-halved"))
    parts += _terrain_of_land_unit(state, battle, unit, kind, attacks)
    if attacks and _weather(state, battle) and not _ignores_weather(state, unit):
        parts.append(("bad-weather", ATLAS.bad_weather["attacking_land"], "bg-5.4-bad-land"))
    if state.flags[unit] & OUT:
        parts.append(("out-of-supply", ATLAS.out_of_supply, "bg-6.1-effect-combat"))
    return parts + _card_parts(state, battle, unit)


def _terrain_of_land_unit(state: BKState, battle: Battle, unit: int, kind: int, attacks: bool) -> list[Part]:
    """[bg-1.2-terrain-target] [bg-1.2-arm-penalty] [bg-1.2-inf-bonus] [bg-1.2-attacker-minus] [bg-1.2-cumulative] and
    the chart."""
    terrain = ATLAS.terrain[battle.space]
    effects = ATLAS.terrain_effects.get(terrain, {})
    rule = f"bg-1.2-chart-{terrain}"
    parts: list[Part] = []
    borders = crossed(state, battle, unit) if attacks else 0
    if terrain == "fortress":
        if not fortress_holds(state, battle) or (attacks and not borders & FORTRESS_SIDE):
            effects = {}
        elif not attacks:
            effects = {"infantry_defender": effects["infantry_defender"]}
    if kind == ARM and effects.get("arm"):
        parts.append((terrain, effects["arm"], rule))
    if attacks and effects.get("attacker"):
        parts.append((terrain, effects["attacker"], rule))
    if not attacks and kind == INF and effects.get("infantry_defender"):
        parts.append((terrain, effects["infantry_defender"], rule))
    if borders & RIVER and state.effects.get("bridgehead", -1) != state.nation[unit]:
        parts.append(("river", ATLAS.border_effects["river"]["attacker"], "bg-1.2-chart-river"))
    if borders & MOUNTAIN_BORDER and terrain != "mountain":
        row = ATLAS.border_effects["mountain"]
        value = row["arm_attacker"] if kind == ARM else row["other_attacker"]
        parts.append(("mountain-border", value, "bg-1.2-chart-mountain-border"))
    if borders & SWAMP_BORDER:
        row = ATLAS.border_effects["swamp"]
        value = row["arm_attacker"] if kind == ARM else row["other_attacker"]
        parts.append(("swamp-border", value, "bg-1.2-chart-swamp-border"))
    return parts


def _ignores_weather(state: BKState, unit: int) -> bool:
    """[bg-card-winter-offensive] [bg-card-guards]"""
    if state.nation[unit] != USSR:
        return False
    if "winter_offensive" in state.effects:
        return True
    return ATLAS.tag[unit] == "red G" and is_in_effect(state, "guards_troops")


def _card_parts(state: BKState, battle: Battle, unit: int) -> list[Part]:
    """[bg-card-mountain-troops] [bg-card-elite-troops] [bg-card-cold-days]"""
    nation = state.nation[unit]
    parts: list[Part] = []
    mountain = ATLAS.terrain[battle.space] == "mountain"
    if mountain and ATLAS.type[unit] == INF and state.effects.get("mountain_troops", -1) == nation:
        parts.append(("mountain-troops", 1, "bg-card-mountain-troops"))
    if unit in battle.elite:
        parts.append(("elite-troops", 1, "bg-card-elite-troops"))
    if "cold_days" in state.effects and ATLAS.home_of[battle.space] == USSR and state.side[nation] != state.side[USSR]:
        parts.append(("cold-days", -1, "bg-card-cold-days"))
    return parts


def _air_parts(state: BKState, battle: Battle, unit: int, aim: int) -> list[Part]:
    """Aircraft and Task Forces over land. [bg-6.5.3-air-land] [bg-6.5.3-air-airsea] [bg-6.5.3-tf-halved]
    [bg-6.5.3-tf-airsea]
    [bg-6.5.3-air-borders] [bg-1.2-air-terrain] [bg-1.2-tf-as-air]"""
    printed = strength(state, unit)
    parts: list[Part] = [("printed", printed, "bg-6.5.3-air-land")]
    if aim == AT_LAND and battle.kind == LAND_BATTLE:
        if ATLAS.type[unit] == TF:
            parts.append(("task-force", (printed + 1) // 2 - printed, "bg-6.5.3-tf-halved"))
        effects = ATLAS.terrain_effects.get(ATLAS.terrain[battle.space], {})
        if ATLAS.terrain[battle.space] == "fortress" and not (
            is_attacker(battle, unit) and fortress_holds(state, battle)
        ):
            effects = {}
        if effects.get("air_factor"):
            now = total(parts)
            parts.append((ATLAS.terrain[battle.space], now // 2 - now, "bg-1.2-air-terrain"))
        elif effects.get("air"):
            parts.append((ATLAS.terrain[battle.space], effects["air"], "bg-1.2-air-terrain"))
    if _weather(state, battle):
        parts.append(("bad-weather", ATLAS.bad_weather["air"], "bg-5.4-bad-air-sea"))
    if state.flags[unit] & OUT and ATLAS.is_air[unit]:
        parts.append(("out-of-supply", ATLAS.out_of_supply, "bg-6.1-effect-combat"))
    if aim == AT_AIR and _meets_aircraft(state, battle, unit):
        parts += air_combat(state, unit)
    return parts + _card_parts(state, battle, unit)


def _meets_aircraft(state: BKState, battle: Battle, unit: int) -> bool:
    foes = battle.defenders if unit in battle.attackers else battle.attackers
    return any(not ATLAS.is_land[u] and battle.aim.get(u, AT_AIR) == AT_AIR for u in foes)


def air_combat(state: BKState, unit: int) -> list[Part]:
    """[bg-7.5-air-combat] [bg-7.5-air-combat-one] [bg-7.5-no-share]"""
    if not has_advance(state, state.nation[unit], "air_combat") or (ATLAS.is_air[unit] and ATLAS.front[unit] < 2):
        return []
    return [("air-combat", 1, "bg-7.5-air-combat")]


def _sea_parts(state: BKState, battle: Battle, unit: int, aim: int) -> list[Part]:
    """Ships and aircraft at sea. [bg-6.5.3-conv-sub-sea] [bg-6.5.3-asw] [bg-6.5.3-asw-air] [bg-6.5.3-conv-back]
    [bg-6.5.3-conv-air-alone]"""
    kind = ATLAS.type[unit]
    if aim == AT_SUBS:
        if kind == SUB or (kind == CONVOY and state.flipped[unit]):
            return [("anti-sub", 0, "bg-6.5.3-conv-back")]
        parts: list[Part] = [("anti-sub", 1, "bg-6.5.3-asw")]
        if not ATLAS.is_air[unit] and has_advance(state, state.nation[unit], "sonar"):
            parts.append(("sonar", 1, "bg-7.5-sonar"))
        return parts
    if aim == AT_AIR and kind in (CONVOY, SUB):
        flak = 1 if kind == CONVOY and not state.flipped[unit] else 0
        return [("anti-air", flak, "bg-6.5.3-conv-air-alone")]
    parts = [("printed", strength(state, unit), "bg-6.5.3-conv-sub-sea")]
    if kind == SUB and has_advance(state, state.nation[unit], "better_subs"):
        parts.append(("better-subs", 1, "bg-7.5-subs"))
    if _weather(state, battle):
        parts.append(("bad-weather", ATLAS.bad_weather["ships"], "bg-5.4-bad-air-sea"))
    if state.flags[unit] & OUT and ATLAS.is_air[unit]:
        parts.append(("out-of-supply", ATLAS.out_of_supply, "bg-6.1-effect-combat"))
    if aim == AT_AIR:
        parts += air_combat(state, unit)
    return parts + _card_parts(state, battle, unit)


def modifiers_of(state: BKState, battle: Battle, unit: int, aim: int) -> list[Modifier]:
    """Return the parts for the preview and the log."""
    return [Modifier(name, value, rule) for name, value, rule in parts_of(state, battle, unit, aim)]


def extra_dice(state: BKState, battle: Battle) -> list[tuple[str, int]]:
    """Return the dice that cards give the defenders of a coast against an invasion: (card, strength).
    [bg-card-fortress-europe] [bg-card-finest-hour] [bg-card-japanese-perimeter]"""
    if not battle.coastal or not any(u in battle.attackers for u in battle.invaders):
        return []
    space, owner = battle.space, state.control[battle.space]
    land = [state.nation[u] for u in battle.defenders if ATLAS.is_land[u]]
    bonus = ATLAS.terrain_effects.get(ATLAS.terrain[space], {}).get("infantry_defender", 0)
    if ATLAS.terrain[space] == "fortress":
        bonus = 0
    dice: list[tuple[str, int]] = []
    strong, weak = LIMITS["coast_strength"], LIMITS["perimeter_strength"]
    uk = ATLAS.british_home[space] == ATLAS.uk
    for card, nation, value, holds in (
        ("fortress_europe", GERMANY, strong, GERMANY in land),
        ("their_finest_hour", BE, strong, BE in land and uk),
        ("japanese_defense_perimeter", JAPAN, strong if ATLAS.home_of[space] == JAPAN else weak, owner == JAPAN),
    ):
        if is_in_effect(state, card) and holds and state.side[nation] != state.phasing:
            dice += [(card, value + bonus)] * LIMITS["extra_dice"]
    return dice
