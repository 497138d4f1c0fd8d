"""Combat Values: what a unit must roll, as a list of named parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from sandtable.core import Modifier

from ..facts.control import control_side
from ..facts.winter import in_russian_winter
from ..model.atlas import ATLAS, CANAL, IMPASSABLE, MAJOR_FLAG, MOUNTAIN, NOBODY, RIVER, STRAIT, WOODLAND
from ..model.kinds import AIR, GROUND, NAVAL
from ..model.state import AMPHIBIOUS, CUT_OFF, DROPPED, SPECIAL, SURPRISED, M, W2State
from .leaders import leader_bonus

A = ATLAS
K = ATLAS.kinds


_REDUCED = int(A.house["combat"]["reduced"])


def is_soft(state: W2State, space: int) -> bool:
    """Where Surprise only forbids moving.  [w2e-surprise-soft] [w2e-major-flag-surprise] [w2e-fortress-surprise]"""
    return bool(
        (A.flag[space] == MAJOR_FLAG and not state.lost_flag[space]) or state.fortress[space] or state.depot[space]
    )


def is_surprised(state: W2State, unit: int, space: int, blitzed: bool) -> bool:
    """Whether Surprise weakens a unit.  [w2e-surprise-combat] [w2e-blitz-purpose]"""
    return (blitzed or bool(state.flags[unit] & SURPRISED)) and not is_soft(state, space)


def not_ready(state: W2State, unit: int, space: int, blitzed: bool) -> bool:
    """Cut Off or Surprised: 'not Combat Ready'.  [w2e-cutoff-combat]"""
    return bool(state.flags[unit] & CUT_OFF) or is_surprised(state, unit, space, blitzed)


def reduced_value(m: M, unit: int, space: int, defending: bool, blitzed: bool) -> Modifier | None:
    """Return the value 1 of units that cannot fight normally; None for the others."""
    state = m.state
    kind, low = state.kind[unit], _REDUCED
    if in_russian_winter(state, A.side[state.power[unit]], space):
        return Modifier("winter", low, "w2e-winter-cv")
    if state.flags[unit] & CUT_OFF:
        if K.drop[kind]:
            return None  # the airborne is an elite unit  [w2e-unit-airborne-elite]
        if not (defending and _ss_mech(state, unit)):
            return Modifier("cut-off", low, "w2e-cutoff-combat")
    if is_surprised(state, unit, space, blitzed):
        if defending and (K.drop[kind] or _ss_mech(state, unit)):
            return None
        return Modifier("surprised", low, "w2e-surprise-combat")
    return None


def _ss_mech(state: W2State, unit: int) -> bool:
    """Waffen SS mech defends normally.  [w2e-special-ss-mech]"""
    return bool(state.flags[unit] & SPECIAL) and state.power[unit] == A.germany and K.base[state.kind[unit]] == K.mech


class Crossing(msgspec.Struct, frozen=True):
    """The crossing bonus of a battle, fixed when the battle began.  [w2e-terrain-general]"""

    found: Modifier | None = None


Attackers = Sequence[int] | Crossing


def crossing_bonus(m: M, space: int, attackers: Sequence[int]) -> Modifier | None:
    """Return the bonus where every attacker crosses the same kind of water; an air drop does not take it away.

    [w2e-terrain-river] [w2e-terrain-strait] [w2e-terrain-canal] [w2e-terrain-coast] [w2e-terrain-general]
    """
    state = m.state
    ways = set()
    for unit in attackers:
        if K.cls[state.kind[unit]] != GROUND or state.flags[unit] & DROPPED:
            continue
        if state.flags[unit] & AMPHIBIOUS:
            ways.add(NOBODY)
        else:
            ways.add(A.crossing.get((state.came[unit], space), 0))
    if len(ways) != 1:
        return None
    way = ways.pop()
    if way == NOBODY:
        return Modifier("coast", 1, "w2e-terrain-coast")
    names = {RIVER: ("river", "w2e-terrain-river"), STRAIT: ("strait", "w2e-terrain-strait"),
             CANAL: ("canal", "w2e-terrain-canal")}  # fmt: skip
    return Modifier(names[way][0], 1, names[way][1]) if way in names else None


def land_bonuses(m: M, unit: int, space: int, attackers: Attackers, defending: bool) -> list[Modifier]:
    """Return what terrain and forts add.  [w2e-terrain-woodland] [w2e-terrain-mountain] [w2e-fortress-bonus]"""
    state = m.state
    kind, terrain = state.kind[unit], A.terrain[space]
    base = K.base[kind]
    found: list[Modifier] = []
    if base == K.tank and terrain & MOUNTAIN:
        found.append(Modifier("mountain-tank", int(A.rules["terrain"]["mountains"]["tank"]), "w2e-terrain-mountain"))
    if not defending or not K.entrench[kind]:
        return found
    on_foot = base != K.mech
    if terrain & WOODLAND:
        found.append(Modifier("woodland", 1, "w2e-terrain-woodland"))
    if terrain & MOUNTAIN:
        found.append(Modifier("mountain", 1, "w2e-terrain-mountain"))
    if terrain & IMPASSABLE and on_foot:
        found.append(Modifier("impassable", 1, "w2e-terrain-impassable"))
    crossing = attackers.found if isinstance(attackers, Crossing) else crossing_bonus(m, space, attackers)
    if crossing is not None and (on_foot or crossing.name != "coast"):
        found.append(crossing)
    if state.fortress[space]:
        found.append(Modifier("fortress", int(A.house["combat"]["fortress"]), "w2e-fortress-bonus"))
    return found


def force_bonuses(m: M, unit: int, first_round: bool, defending: bool) -> list[Modifier]:
    """Special forces; marines and SAS are stronger only while they attack.

    [w2e-special-ss-tanks] [w2e-special-guards-tanks] [w2e-special-marines] [w2e-special-sas]
    """
    state = m.state
    if not state.flags[unit] & SPECIAL:
        return []
    power, base, flags = state.power[unit], K.base[state.kind[unit]], state.flags[unit]
    if power == A.germany and base == K.tank:
        return [Modifier("waffen-ss", 1, "w2e-special-ss-tanks")]
    if power == A.germany and base == K.mech:
        return [Modifier("waffen-ss", 1, "w2e-special-ss-mech")]
    if power == A.ussr and base == K.tank:
        return [Modifier("guards", 1, "w2e-special-guards-tanks")]
    if power == A.ussr and base == K.infantry and first_round:
        return [Modifier("guards", 1, "w2e-special-guards-inf")]
    if power == A.usa and base == K.infantry and flags & AMPHIBIOUS and not defending:
        return [Modifier("marines", 1, "w2e-special-marines")]
    if power == A.britain and base == K.airborne and flags & DROPPED and not defending:
        return [Modifier("sas", 1, "w2e-special-sas")]
    return []


class Volley(NamedTuple):
    """The fire of one side in a round of a ground battle."""

    space: int
    attackers: Attackers
    defending: bool = False
    blitzed: bool = False
    first_round: bool = False
    landing: bool = False


def land_parts(m: M, unit: int, volley: Volley, printed: int) -> list[Modifier]:
    """Return a unit's value in a ground battle, part by part; `printed` is the number that its target asks for."""
    space, attackers, defending, blitzed, first_round, _ = volley
    low = reduced_value(m, unit, space, defending, blitzed)
    parts = [low if low is not None else Modifier("combat", printed, "w2e-unit-attr-combat")]
    if K.cls[m.state.kind[unit]] == GROUND:
        parts += land_bonuses(m, unit, space, attackers, defending)
        parts += force_bonuses(m, unit, first_round, defending)
        if first_round:
            parts += leader_bonus(m, unit, space)
    return parts


def sea_parts(m: M, unit: int, space: int, first_round: bool, printed: int, weather: Sequence[int]) -> list[Modifier]:
    """Return a unit's value in a sea battle.  [w2e-port-combat-bonus] [w2e-adv-naval-conditions-effects]"""
    state = m.state
    parts = [Modifier("combat", printed, "w2e-unit-attr-combat")]
    low = reduced_value(m, unit, state.home[unit] if state.home[unit] >= 0 else space, True, False)
    if low is not None and low.name != "winter":
        parts = [low]
    if K.cls[state.kind[unit]] == NAVAL:
        if control_side(state, space) == A.side[state.power[unit]]:
            parts.append(Modifier("port", int(A.rules["port_bonus"]["naval"]), "w2e-port-combat-bonus"))
        if weather[0]:
            parts.append(Modifier("weather", weather[0], "w2e-adv-naval-conditions-effects"))
        if first_round:
            parts += leader_bonus(m, unit, space)
    elif K.cls[state.kind[unit]] == AIR and weather[1]:
        parts.append(Modifier("weather", weather[1], "w2e-adv-naval-conditions-effects"))
    return parts


def total(parts: Sequence[Modifier]) -> int:
    return max(0, sum([part.value for part in parts]))
