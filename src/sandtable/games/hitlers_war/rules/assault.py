"""Assaults and defensive assaults: fire from one hex, first in the air, then on the ground.

Chapters 'Assault Resolution', 'Initial Attack' (defensive assaults), 'Invasion Assault', 'Air Attacks'.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Numbers, Offer, OneOf, Refusal, Step, Subsets
from sandtable.core.columns import having, put

from ..model.actions import Assault, DefensiveAssault, Done
from ..model.atlas import AIR, AMPH, ATLAS, INF, MECH, PARA
from ..model.state import (
    AIRDROP,
    INVASION,
    LAND,
    M,
    OwnTurn,
    War,
    air_in,
    armies_in,
    armies_of,
    army_name,
    role_of,
    side_of,
    space_name,
)
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


class DefensiveAssaults(Step, frozen=True, tag="defensive-assaults"):
    """Each army in a target may fire once at those who attack it; the defender chooses when.

    [hw-initial-4] [hw-initial-5] [hw-exploit-3] [hw-invdef-1]
    """

    rule = "hw-initial-4"

    invasion: bool
    passed: tuple[int, ...] = ()

    def places(self, s: War) -> dict[int, list[int]]:
        """Defending side -> spaces where it can still fire."""
        found: dict[int, list[int]] = {}
        for space in sorted({s.target[a] for a in armies_of(s.side) if s.target[a] >= 0}):
            if s.owner[space] == s.side or not attackers_of(s, space, invasion=self.invasion):
                continue
            if defenders_in(s, space):
                found.setdefault(who_defends(s, space), []).append(space)
        return found

    def asked(self, s: War) -> int:
        return next((side for side in sorted(self.places(s)) if side not in self.passed), -1)

    def run(self, m: M) -> None:
        if self.asked(m.state) < 0:
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (role_of(self.asked(m.state)),)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        places = [space_name(x) for x in self.places(s)[self.asked(s)]]

        def units(at: str) -> Subsets:
            space = ATLAS.index[at]
            return Subsets(defenders_in(s, space), least=1)

        def commit(at: str, chosen: tuple[str, ...]) -> Numbers:
            space = ATLAS.index[at]
            own = air_in(s, [ATLAS.army_index[u] for u in chosen if u in ATLAS.army_index])
            own += s.coast.get(space, 0) if COAST in chosen else 0
            foes = attackers_of(s, space, invasion=self.invasion)
            return air_commitment(own, sum(air_fire(s, a, space) for a in foes))

        return [
            Offer(Done, rule=self.rule),
            Offer(
                DefensiveAssault,
                Field("at", "space", OneOf(places, lambda at: self.why(s, at))),
                Field("units", "units", units),
                Field("air", "number", commit),
                rule=self.rule,
            ),
        ]

    def why(self, s: War, at: str) -> Refusal | None:
        space = ATLAS.index.get(at, -1)
        if space < 0 or not attackers_of(s, space, invasion=self.invasion):
            return Refusal("hw-initial-4", "hw-not-attacked", at=at)
        if who_defends(s, space) != self.asked(s):
            return Refusal("hw-initial-4", "hw-not-your-hex", at=at)
        if any(s.defended[a] for a in armies_in(s, space)):
            return Refusal("hw-initial-4", "hw-defended-once", at=at)
        return Refusal("hw-garrison-2", "hw-garrison-silent", at=at)

    def take(self, m: M, role: str, action: object) -> None:
        s = m.state
        if isinstance(action, Done):
            m.replace(DefensiveAssaults(self.invasion, (*self.passed, self.asked(s))))
            return
        assert isinstance(action, DefensiveAssault)
        m.replace(self)
        space = ATLAS.index[action.at]
        armies = [ATLAS.army_index[u] for u in action.units if u in ATLAS.army_index]
        extra = 0
        for army in armies:
            s.defended = put(s.defended, army, 1)
        if FORT in action.units:
            s.fort_fired = having(s.fort_fired, space, 1)
            extra += s.fort[space]
        if HOME in action.units:
            s.home_fired = having(s.home_fired, space, 1)
            extra += s.home[space]
        coast = 0
        if COAST in action.units:
            s.coast_fired = having(s.coast_fired, space, 1)
            coast = s.coast[space]
        foes = attackers_of(s, space, invasion=self.invasion)
        resolve(
            m, units=armies, extra=extra, space=space, target=space, air=action.air, attack=False, enemy=foes,
            losing=s.side, hit=-1, invasion=self.invasion, coast=coast,
        )  # fmt: skip


class Assaults(OwnTurn, frozen=True, tag="assaults"):
    """The attacker's assaults, hex by hex; each army has one in a turn.

    [hw-attack-3] [hw-initial-5] [hw-assault-2] [hw-invassault-1] [hw-exploit-3]
    """

    rule = "hw-initial-5"

    invasion: bool
    only: int = -1
    """In exploitation: the one army that attacks."""

    def able(self, s: War) -> list[int]:
        modes = s.mode
        return [a for a in armies_of(s.side) if modes[a] and self.why_army(s, a) is None]

    def why_army(self, s: War, army: int) -> Refusal | None:
        """Why an army makes no assault now.  [hw-attack-3] [hw-friendly-2] [hw-mountain-1]"""
        modes = (INVASION,) if self.invasion else (LAND, AIRDROP)
        target = s.target[army]
        if target < 0 or s.mode[army] not in modes or s.spent[army] or (self.only >= 0 and army != self.only):
            return Refusal("hw-initial-1", "hw-not-named", army=army_name(army))
        if s.assaulted[army]:
            return Refusal("hw-attack-3", "hw-assaulted-once", army=army_name(army))
        if s.owner[target] == s.side:
            return Refusal("hw-friendly-2", "hw-friendly-target", target=space_name(target))
        if ground_fire(s, army, target) + air_fire(s, army, target) == 0:
            rule = "hw-mountain-1" if ATLAS.mountain[target] and s.mode[army] == LAND else "hw-amph-2"
            return Refusal(rule, "hw-cannot-assault", army=army_name(army), target=space_name(target))
        return None

    def run(self, m: M) -> None:
        if not self.able(m.state):
            m.pop()

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        able = self.able(s)
        origins = list(dict.fromkeys(space_name(s.army_at[a]) for a in able))

        def targets(at: str) -> OneOf:
            here = ATLAS.index[at]
            return OneOf(list(dict.fromkeys(space_name(s.target[a]) for a in able if s.army_at[a] == here)))

        def units(at: str, target: str) -> Subsets:
            here, there = ATLAS.index[at], ATLAS.index[target]
            return Subsets([army_name(a) for a in able if s.army_at[a] == here and s.target[a] == there], least=1)

        def commit(at: str, target: str, chosen: tuple[str, ...]) -> Numbers:
            there = ATLAS.index[target]
            own = sum(air_fire(s, ATLAS.army_index[u], there) for u in chosen)
            return air_commitment(own, enemy_air(s, there))

        return [
            Offer(Done, rule=self.rule),
            Offer(
                Assault,
                Field("at", "space", OneOf(origins, lambda at: self.why_origin(s, at))),
                Field("target", "space", targets),
                Field("units", "units", units),
                Field("air", "number", commit),
                rule="hw-assault-2",
            ),
        ]

    def why_origin(self, s: War, at: str) -> Refusal | None:
        for army in armies_in(s, ATLAS.index.get(at, -2)):
            refusal = self.why_army(s, army)
            if refusal is not None:
                return refusal
        return Refusal("hw-assault-2", "hw-no-army-there", at=at)

    def take(self, m: M, role: str, action: object) -> None:
        s = m.state
        if isinstance(action, Done):
            m.pop()
            return
        assert isinstance(action, Assault)
        m.replace(self)
        space, target = ATLAS.index[action.at], ATLAS.index[action.target]
        armies = [ATLAS.army_index[u] for u in action.units]
        for army in armies:
            s.assaulted = put(s.assaulted, army, 1)
        foes = [a for a in armies_in(s, target) if side_of(a) != s.side]
        resolve(
            m, units=armies, extra=0, space=space, target=target, air=action.air, attack=True, enemy=foes,
            losing=who_defends(s, target), hit=target, invasion=self.invasion,
        )  # fmt: skip


def enemy_air(s: War, space: int) -> int:
    """Tac air that defends a space, a coast's own included while it lasts.  [hw-air-2] [hw-air-9]"""
    armies = [a for a in armies_in(s, space) if side_of(a) != s.side]
    return air_in(s, armies) + s.coast.get(space, 0)
