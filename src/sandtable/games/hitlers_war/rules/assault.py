"""Assaults and defensive assaults: fire from one hex, first in the air, then on the ground.

Chapters 'Assault Resolution', 'Initial Attack' (defensive assaults), 'Invasion Assault', 'Air Attacks'.
"""

from __future__ import annotations

import msgspec

from sandtable.core import Modifier, Numbers, Step

from ..model.actions import Assault, DefensiveAssault
from ..model.atlas import AIR, AMPH, ATLAS, INF, MECH, PARA
from ..model.state import AIRDROP, INVASION, LAND, M, War, air_in, armies_in, armies_of, army_name, side_of, space_name
from .control import who_defends
from .firepower import die_modifiers, fire
from .losses import Losses, absorb
from .naval.fleets import carrier_air

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
        return (s.strength[army * 5 + AIR] if near else 0) + carrier_air(s, army)
    return s.strength[army * 5 + AIR]


def spare_air(s: War, army: int, target: int) -> int:
    """Tac air that may join the ground assault: not of armies that have nothing else to fight with.  [hw-air-11]"""
    at, st = army * 5, s.strength
    if s.mode[army] == INVASION or st[at + INF] or st[at + MECH] or st[at + PARA]:
        return air_fire(s, army, target)
    return 0


def air_commitment(own: int, enemy: int) -> Numbers:
    """How much tac air must fight the enemy's: all of it, or at least as much as the enemy has.  [hw-air-2]"""
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
class Fire(msgspec.Struct, frozen=True):
    """One assault: what fires from which space, and who loses by it."""

    space: int
    """Where the fire comes from."""
    target: int
    """The space fired into; of a defensive assault its own, where its attackers are."""
    units: tuple[int, ...]
    """The armies that fire."""
    enemy: tuple[int, ...]
    """The armies fired at."""
    air: int
    """Tac air that fights in the air."""
    attack: bool
    """Whether the side whose turn it is fires."""
    invasion: bool = False
    extra: int = 0
    """Points of forts and home forces that fire along."""
    coast: int = 0
    """Tac air of a coast, which fights in the air only."""

    def side(self, s: War) -> int:
        """Who fires."""
        return side_of(self.units[0]) if self.units else who_defends(s, self.space)

    def modifiers(self, s: War) -> list[Modifier]:
        """What is added to its dice."""
        return die_modifiers(s, self.side(s), self.space, self.units, attack=self.attack)

    def ground(self, s: War) -> int:
        """Points that fire on the ground, with the tac air that was not sent to fight in the air.

        A coast's air is an army of tac air alone, which fights in the air only.  [hw-assault-3] [hw-air-9] [hw-air-11]
        """
        own_air = sum(air_fire(s, a, self.target) for a in self.units) + self.coast
        spare = min(own_air - self.air, sum(spare_air(s, a, self.target) for a in self.units))
        if self.attack:
            return spare + sum(ground_fire(s, a, self.target) for a in self.units)
        return spare + self.extra + sum(s.strength[a * 5 + kind] for a in self.units for kind in (INF, MECH, PARA))


def attacking(s: War, action: Assault, *, invasion: bool) -> Fire:
    """The fire of an attacker's assault."""
    target = ATLAS.index[action.target]
    units = tuple(ATLAS.army_index[name] for name in action.units)
    enemy = tuple(a for a in armies_in(s, target) if side_of(a) != s.side)
    return Fire(ATLAS.index[action.at], target, units, enemy, action.air, True, invasion)


def defending(s: War, action: DefensiveAssault, *, invasion: bool | None) -> Fire:
    """The fire of a defensive assault; with `invasion` None at all who attack the space.  [hw-fort-7] [hw-air-9]"""
    space, named = ATLAS.index[action.at], action.units
    units = tuple(ATLAS.army_index[name] for name in named if name in ATLAS.army_index)
    enemy = tuple(attackers_of(s, space, invasion=invasion))
    extra = s.fort.get(space, 0) * (FORT in named) + s.home.get(space, 0) * (HOME in named)
    coast = s.coast.get(space, 0) * (COAST in named)
    return Fire(space, space, units, enemy, action.air, False, bool(invasion), extra, coast)


def resolve(m: M, shot: Fire) -> None:
    """One assault from one space: air attack, then ground fire; losses are pushed in that order.

    [hw-assault-1] [hw-assault-2] [hw-assault-4] [hw-air-1] [hw-air-3] [hw-air-4] [hw-air-6] [hw-air-7]
    """
    s, target = m.state, shot.target
    parts, by = shot.modifiers(s), space_name(shot.space)
    losing, hit = (who_defends(s, target), target) if shot.attack else (s.side, -1)
    steps: list[Step] = []
    downed = fire(m, shot.air, parts, by=by, at=target, rule="hw-air-3", capped=False)
    if downed:
        steps.append(Losses(losing, shot.enemy, hit, downed, air=True))
    lost = fire(m, shot.ground(s), parts, by=by, at=target, rule="hw-assault-3")
    if hit >= 0:
        lost = absorb(m, hit, lost)
    if lost:
        share = (lost + 1) // 2 if shot.invasion and not shot.attack else 0
        steps.append(Losses(losing, shot.enemy, hit, lost, share))
    if steps:
        m.push(*steps)


def enemy_air(s: War, space: int) -> int:
    """Tac air that defends a space, a coast's own included while it lasts.  [hw-air-2] [hw-air-9]"""
    armies = [a for a in armies_in(s, space) if side_of(a) != s.side]
    return air_in(s, armies) + s.coast.get(space, 0)
