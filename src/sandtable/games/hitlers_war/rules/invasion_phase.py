"""Amphibious invasions on their way: naval fire, support fire, coastal air power."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Modifier, Named, Numbers, Offer, Refusal, Step
from sandtable.core.columns import having

from ..model.actions import CoastalAir, Done, NavalFire, SupportFire
from ..model.atlas import ARMY_NAMES, ATLAS, AXIS, SPACES
from ..model.state import (
    INVASION,
    M,
    OwnTurn,
    War,
    armies_of,
    army_name,
    enemies,
    has_fleets_on_map,
    role_of,
    space_name,
)
from .assault import attackers_of
from .control import who_defends
from .firepower import fire
from .invasion import COAST, COAST_OFF_MAP, fired_at, has_coastal_air, naval_strength, sides_left
from .losses import drown, strike
from .morale import weariness
from .naval.interception import release
from .naval.interception_phase import FleetSupport, Interceptions, SupportFleets
from .sealift import ATLANTIC


class NavalFires(Step, frozen=True, tag="naval-fires"):
    """Navies of the other sides fire at invaders on their way, once per open-sea hexside.

    [hw-navfire-1] [hw-navfire-2] [hw-navfire-5] [hw-navfire-6]
    """

    rule = "hw-navfire-2"

    passed: tuple[int, ...] = ()

    def asked(self, s: War) -> int:
        for side in enemies(s, s.side):
            if side not in self.passed and naval_strength(s, side) and self.marks(s, side):
                return side
        return -1

    def marks(self, s: War, side: int) -> list[int]:
        return [a for a in armies_of(s.side) if s.mode[a] == INVASION and sides_left(s, side, a)]

    def run(self, m: M) -> None:
        if has_fleets_on_map(m.state):
            m.replace(SupportFleets(), Interceptions(), FleetSupport())
        elif self.asked(m.state) < 0:
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (role_of(self.asked(m.state)),)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        side = self.asked(s)

        def why(army: int) -> Refusal:
            if s.mode[army] != INVASION:
                return Refusal("hw-navfire-1", "hw-not-invading", army=army_name(army))
            return Refusal("hw-navfire-6", "hw-sides-fired", army=army_name(army))

        marks = Field("army", "unit", Named(self.marks(s, side), ARMY_NAMES, why=why))
        shots = Field("shots", "number", lambda name: Numbers(1, len(sides_left(s, side, ATLAS.army_index[name]))))
        return [Offer(Done, rule=self.rule), Offer(NavalFire, marks, shots, rule=self.rule)]

    def take(self, m: M, role: str, action: Done | NavalFire) -> None:
        s = m.state
        side = self.asked(s)
        if isinstance(action, Done):
            m.replace(NavalFires((*self.passed, side)))
            return
        army = ATLAS.army_index[action.army]
        m.push(Salvo(side, army, tuple(sides_left(s, side, army)[: action.shots])))


class Salvo(Step, frozen=True, tag="salvo"):
    """Naval fire at one army, hexside by hexside; half of each fire's losses are amphibious.  [hw-navfire-3]"""

    rule = "hw-navfire-3"

    side: int
    army: int
    sides: tuple[int, ...]

    def run(self, m: M) -> None:
        s = m.state
        if not self.sides or s.army_at[self.army] < 0:
            m.pop()
            return
        link, rest = self.sides[0], self.sides[1:]
        key = fired_at(self.side, link)
        s.fired_sides = having(s.fired_sides, key, s.fired_sides.get(key, 0) + 1)
        m.replace(Salvo(self.side, self.army, rest))
        strength = naval_strength(s, self.side)
        lost = fire(m, strength, (), by="@navy", at=s.target[self.army], rule="hw-navfire-2", capped=False)
        drown(m, self.army, lost)


class SupportFires(OwnTurn, frozen=True, tag="support-fires"):
    """The attacker's navy fires once into each invasion target on an Atlantic coast.  [hw-navfire-4]"""

    rule = "hw-navfire-4"

    def targets(self, s: War) -> list[int]:
        if not naval_strength(s, s.side):
            return []
        aims = {s.target[a] for a in armies_of(s.side) if s.mode[a] == INVASION and s.target[a] >= 0}
        return sorted(x for x in aims if self.why(s, x) is None)

    def why(self, s: War, space: int) -> Refusal | None:
        name = space_name(space)
        invaders = [a for a in armies_of(s.side) if s.target[a] == space and s.mode[a] == INVASION]
        if s.owner[space] == s.side or not invaders:
            return Refusal(self.rule, "hw-not-invaded", target=name)
        if all(ATLAS.waters[w][1] != ATLANTIC for w in ATLAS.waters_of[space]):
            return Refusal(self.rule, "hw-not-atlantic", target=name)
        return Refusal(self.rule, "hw-supported-once", target=name) if space in s.supported else None

    def run(self, m: M) -> None:
        if has_fleets_on_map(m.state) or not self.targets(m.state):
            m.pop()

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        aim = Named(self.targets(s), SPACES, why=lambda x: self.why(s, x))
        return [Offer(Done, rule=self.rule), Offer(SupportFire, Field("target", "space", aim), rule=self.rule)]

    def take(self, m: M, role: str, action: Done | SupportFire) -> None:
        s = m.state
        if isinstance(action, Done):
            m.pop()
            return
        m.replace(self)
        support(m, ATLAS.index[action.target], naval_strength(s, s.side))


def support(m: M, space: int, strength: int) -> None:
    """One support fire into a target; forts absorb it and may be lost to it.  [hw-navfire-4] [hw-fort-8]"""
    s = m.state
    s.supported = having(s.supported, space, 1)
    tired = weariness(s, s.side)
    weary = [Modifier("morale", tired, "hw-morale-6")] if tired else []
    lost = fire(m, strength, weary, by="@navy", at=space, rule="hw-navfire-4", capped=False)
    strike(m, space, lost)


class CoastalFires(Step, frozen=True, tag="coastal-fires"):
    """The defender's coastal air fires at one army invading each hex.  [hw-coastair-1] [hw-coastair-3]
    [hw-coastair-4] [hw-coastair-5]

    In Campaign Game II it stands in the hex as six tac air points instead.  [hw-air-9]
    """

    rule = "hw-coastair-1"

    passed: tuple[int, ...] = ()

    def places(self, s: War) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for space in sorted({s.target[a] for a in armies_of(s.side) if s.mode[a] == INVASION and s.target[a] >= 0}):
            if has_coastal_air(s, space):
                found.setdefault(who_defends(s, space), []).append(space)
        return found

    def asked(self, s: War) -> int:
        return next((side for side in sorted(self.places(s)) if side not in self.passed), -1)

    def run(self, m: M) -> None:
        s = m.state
        if s.setting.technology:
            for spaces in self.places(s).values():
                for space in spaces:
                    s.coast = having(s.coast, space, COAST)
            m.pop()
        elif self.asked(s) < 0:
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (role_of(self.asked(m.state)),)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state

        def why(space: int) -> Refusal:
            if space in s.strafed:
                return Refusal("hw-coastair-5", "hw-strafed-once", target=space_name(space))
            return Refusal("hw-coastair-1", "hw-no-coastal-air", target=space_name(space))

        def invaders(target: str) -> Named:
            return Named(attackers_of(s, ATLAS.index[target], invasion=True), ARMY_NAMES)

        coasts = Field("target", "space", Named(self.places(s)[self.asked(s)], SPACES, why=why))
        return [Offer(Done, rule=self.rule), Offer(CoastalAir, coasts, Field("army", "unit", invaders), rule=self.rule)]

    def take(self, m: M, role: str, action: Done | CoastalAir) -> None:
        s = m.state
        if isinstance(action, Done):
            m.replace(CoastalFires((*self.passed, self.asked(s))))
            return
        space, army = ATLAS.index[action.target], ATLAS.army_index[action.army]
        s.strafed = having(s.strafed, space, 1)
        strength = COAST_OFF_MAP if ATLAS.is_box[space] and s.side == AXIS else COAST
        m.replace(self)
        lost = fire(m, strength, (), by="@coast", at=space, rule="hw-coastair-1")
        drown(m, army, lost)


class InvasionOver(Step, frozen=True, tag="invasion-over"):
    """Coastal air goes home; invaders that failed stay on their coast.  [hw-air-9] [hw-invadv-2] [hw-invadv-3]"""

    rule = "hw-invadv-3"

    def run(self, m: M) -> None:
        s = m.state
        s.coast = {}
        s.coast_fired = {}
        s.routes = {}
        release(s)
        m.pop()
