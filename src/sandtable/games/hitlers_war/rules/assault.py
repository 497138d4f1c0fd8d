"""Assaults and defensive assaults: fire from one hex, first in the air, then on the ground.

Chapters 'Assault Resolution', 'Initial Attack' (defensive assaults), 'Invasion Assault', 'Air Attacks'.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Numbers, Step

from ..model.atlas import AIR, AMPH, ATLAS, INF, MECH, PARA
from ..model.state import AIRDROP, INVASION, LAND, M, War, air_in, armies_in, armies_of, army_name, side_of, space_name
from .control import who_defends
from .firepower import die_modifiers, fire
from .losses import Losses, absorb
from .naval import carriers

FORT, HOME, COAST = "fort", "home", "coast"


# ---- strengths
def ground_fire(s: War, army: int, target: int) -> int:
    """Points of an army that assault a target on the ground.

    [hw-assault-3] [hw-assault-5] [hw-mountain-1] [hw-invassault-2] [hw-amph-2] [hw-para-1] [hw-parawater-1]
    """
    at, st = army * 5, s.strength
    if s.mode[army] == INVASION:
        return st[at + AMPH]
    if s.mode[army] == AIRDROP:
        return 0
    return st[at + INF] + st[at + PARA] + (0 if ATLAS.mountain[target] else st[at + MECH])


def air_fire(s: War, army: int, target: int) -> int:
    """Tac air of an army that can take part; an invader's only against a target one hex away.  [hw-air-8]"""
    if s.mode[army] == INVASION:
        near = target in ATLAS.around[s.army_at[army]]
        return (s.strength[army * 5 + AIR] if near else 0) + carriers.tac_air(s, army)
    return s.strength[army * 5 + AIR]


def spare_air(s: War, army: int, target: int) -> int:
    """Tac air that may join the ground assault: not of armies that have nothing else to fight with.  [hw-air-11]"""
    at, st = army * 5, s.strength
    if s.mode[army] == INVASION or st[at + INF] or st[at + MECH] or st[at + PARA]:
        return air_fire(s, army, target)
    return 0


def air_commitment(own: int, enemy: int) -> Numbers:
    """How much tac air must fight the enemy's: all of it, or at least as much as he has.  [hw-air-2]"""
    if enemy == 0 or own == 0:
        return Numbers(0, 0)
    return Numbers(own, own) if own <= enemy else Numbers(enemy, own)


# ---- who is who
def attackers_of(s: War, space: int, *, invasion: bool | None) -> list[int]:
    """Armies now designated to attack a space."""
    modes = (LAND, INVASION, AIRDROP) if invasion is None else (INVASION,) if invasion else (LAND, AIRDROP)
    return [a for a in armies_of(s.side) if s.target[a] == space and s.mode[a] in modes and not s.spent[a]]


def defenders_in(s: War, space: int) -> list[str]:
    """Armies, fort and home forces in a space that can still make their defensive assault of the turn.

    [hw-initial-4] [hw-fort-7] [hw-garrison-2] [hw-amph-2] [hw-air-9]
    """
    units = [
        army_name(a)
        for a in armies_in(s, space)
        if side_of(a) != s.side
        and not s.defended[a]
        and any(s.strength[a * 5 + kind] for kind in (INF, MECH, PARA, AIR))
    ]
    if s.owner[space] != s.side:
        if s.fort.get(space, 0) and space not in s.fort_fired:
            units.append(FORT)
        if s.home.get(space, 0) and space not in s.home_fired:
            units.append(HOME)
        if s.coast.get(space, 0) and space not in s.coast_fired:
            units.append(COAST)
    return units


# ---- firing
def on_the_ground(
    s: War, units: Sequence[int], target: int, *, air: int, attack: bool, extra: int = 0, coast: int = 0
) -> int:
    """Points that fire on the ground in one assault, with the tac air that was not sent to fight in the air.

    A coast's air is an army of tac air alone, which fights in the air only.  [hw-assault-3] [hw-air-9] [hw-air-11]
    """
    own_air = sum(air_fire(s, a, target) for a in units) + coast
    spare = min(own_air - air, sum(spare_air(s, a, target) for a in units))
    if attack:
        return spare + sum(ground_fire(s, a, target) for a in units)
    return spare + extra + sum(s.strength[a * 5 + kind] for a in units for kind in (INF, MECH, PARA))


def resolve(m: M, *, units: Sequence[int], extra: int, space: int, target: int, air: int, attack: bool,
            enemy: Sequence[int], losing: int, hit: int, invasion: bool, coast: int = 0) -> None:  # fmt: skip
    """One assault from one space: air attack, then ground fire; losses are pushed in that order.

    [hw-assault-1] [hw-assault-2] [hw-assault-4] [hw-air-1] [hw-air-3] [hw-air-4] [hw-air-6] [hw-air-7]
    """
    s = m.state
    side = side_of(units[0]) if units else who_defends(s, space)
    parts = die_modifiers(s, side, space, units, attack=attack)
    by = space_name(space)
    steps: list[Step] = []
    if air:
        shot = fire(m, air, parts, by=by, at=target, rule="hw-air-3", capped=False)
        if shot:
            steps.append(Losses(losing, tuple(enemy), hit, shot, air=True))
    strength = on_the_ground(s, units, target, air=air, attack=attack, extra=extra, coast=coast)
    if strength > 0:
        lost = fire(m, strength, parts, by=by, at=target, rule="hw-assault-3")
        if hit >= 0:
            lost = absorb(m, hit, lost)
        if lost:
            share = (lost + 1) // 2 if invasion and not attack else 0
            steps.append(Losses(losing, tuple(enemy), hit, lost, share))
    if steps:
        m.push(*steps)


def enemy_air(s: War, space: int) -> int:
    """Tac air that defends a space, a coast's own included while it lasts.  [hw-air-2] [hw-air-9]"""
    armies = [a for a in armies_in(s, space) if side_of(a) != s.side]
    return air_in(s, armies) + s.coast.get(space, 0)
