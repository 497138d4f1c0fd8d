"""Interceptions (optional naval action): fleets at sea against invasions, and the fleets that support them."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Named, Numbers, Offer, Refusal, Step
from sandtable.core.columns import having, put

from ...model.actions import Done, Intercept, Meet, Shell, ShellCoast, Support
from ...model.atlas import ARMY_NAMES, ATLAS
from ...model.fleets import FLEET_NAMES, FLEETS_OF, INDEX, NAMES, PORT, SEA, SHIP_SEAS, SIDE_OF, SUPPORT
from ...model.state import M, OwnTurn, War, army_name, enemies, role_of, space_name
from ..firepower import fire
from ..losses import drown, strike
from ..morale import attack_dice
from . import fleets
from .battle import Battle
from .harbours import HomeToPort
from .interception import fired_at, invaders, route_seas, sides_left, supporters


class SupportFleets(OwnTurn, frozen=True, tag="support-fleets"):
    """The attacker says which fleets in port go with the invasions that start there.  [hw-atsea-4] [hw-carrier-5]"""

    rule = "hw-atsea-4"

    def why(self, s: War, fleet: int, army: int) -> Refusal | None:
        names = {"fleet": NAMES[fleet], "army": army_name(army)}
        if SIDE_OF[fleet] != s.side or s.fleet_state[fleet] != PORT or s.fleet_at[fleet] < 0:
            return Refusal(self.rule, "hw-cannot-support", **names)
        if s.fleet_at[fleet] != s.army_at[army] or army not in invaders(s):
            return Refusal(self.rule, "hw-support-elsewhere", **names)
        return None

    def pairs(self, s: War) -> dict[int, list[int]]:
        """Fleet -> armies that it can support."""
        found = {f: [a for a in invaders(s) if self.why(s, f, a) is None] for f in FLEETS_OF[s.side]}
        return {fleet: armies for fleet, armies in found.items() if armies}

    def run(self, m: M) -> None:
        if not self.pairs(m.state):
            m.pop()

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        pairs = self.pairs(s)

        def armies(name: str) -> Named:
            fleet = INDEX[name]
            return Named(pairs[fleet], ARMY_NAMES, why=lambda army: self.why(s, fleet, army))

        ships = Named(list(pairs), FLEET_NAMES, why=lambda fleet: self.why(s, fleet, invaders(s)[0]))
        fields = Field("fleet", "unit", ships), Field("army", "unit", armies)
        return [Offer(Done, rule=self.rule), Offer(Support, *fields, rule=self.rule)]

    def take(self, m: M, role: str, action: Done | Support) -> None:
        s = m.state
        if isinstance(action, Done):
            m.pop()
            return
        fleet = INDEX[action.fleet]
        s.fleet_state = put(s.fleet_state, fleet, SUPPORT)
        s.escorting = having(s.escorting, fleet, ATLAS.army_index[action.army])
        m.replace(self)


class Interceptions(Step, frozen=True, tag="interceptions"):
    """Fleets at sea of the other sides: first they must beat the supporting fleets, then they fire on the army.

    [hw-atsea-3] [hw-navbattle-1] [hw-navbattle-3] [hw-navbattle-4]
    """

    rule = "hw-atsea-3"

    passed: tuple[int, ...] = ()
    fired: tuple[int, ...] = ()
    """Fleets that fired: they go home when their side is done."""

    def why(self, s: War, fleet: int, army: int, *, shell: bool) -> Refusal | None:
        """Why a fleet does not intercept an invading army, or does not fire on it.  [hw-navbattle-4]"""
        names = {"fleet": NAMES[fleet], "army": army_name(army)}
        if s.fleet_at[fleet] < 0 or s.fleet_state[fleet] != SEA:
            return Refusal(self.rule, "hw-fleet-not-ready", fleet=NAMES[fleet])
        if army not in invaders(s) or not SHIP_SEAS[s.fleet_at[fleet]] & route_seas(s, army):
            return Refusal(self.rule, "hw-other-sea", **names)
        guarded = bool(supporters(s, army))
        if shell and guarded:
            return Refusal("hw-navbattle-4", "hw-still-supported", **names)
        if not shell and not guarded:
            return Refusal("hw-navbattle-4", "hw-not-supported", **names)
        if shell and not sides_left(s, fleet, army):
            return Refusal("hw-navfire-6", "hw-sides-fired", army=army_name(army))
        return None

    def pairs(self, s: War, side: int, *, shell: bool) -> dict[int, list[int]]:
        found = {f: [a for a in invaders(s) if self.why(s, f, a, shell=shell) is None] for f in fleets.at_sea(s, side)}
        return {fleet: armies for fleet, armies in found.items() if armies}

    def asked(self, s: War) -> int:
        for side in enemies(s, s.side):
            if side not in self.passed and any(self.pairs(s, side, shell=shell) for shell in (False, True)):
                return side
        return -1

    def run(self, m: M) -> None:
        s = m.state
        side = self.asked(s)
        idle = [f for f in self.fired if SIDE_OF[f] != side and s.fleet_at[f] >= 0 and s.fleet_state[f] == SEA]
        if idle:
            rest = tuple(f for f in self.fired if f not in idle)
            m.replace(HomeToPort(tuple(idle)), Interceptions(self.passed, rest))
        elif side < 0:
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (role_of(self.asked(m.state)),)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        side = self.asked(s)
        fights, shells = (self.pairs(s, side, shell=shell) for shell in (False, True))

        def fields(pairs: dict[int, list[int]], shell: bool) -> tuple[Field, Field]:
            def armies(name: str) -> Named:
                fleet = INDEX[name]
                return Named(pairs[fleet], ARMY_NAMES, why=lambda army: self.why(s, fleet, army, shell=shell))

            ships = Named(list(pairs), FLEET_NAMES, why=lambda fleet: self.why(s, fleet, invaders(s)[0], shell=shell))
            return Field("fleet", "unit", ships), Field("army", "unit", armies)

        def shots(name: str, army: str) -> Numbers:
            return Numbers(1, len(sides_left(s, INDEX[name], ATLAS.army_index[army])))

        out = [Offer(Done, rule=self.rule)]
        if fights:
            out.append(Offer(Intercept, *fields(fights, False), rule="hw-navbattle-1"))
        out.append(Offer(Shell, *fields(shells, True), Field("shots", "number", shots), rule="hw-navbattle-4"))
        return out

    def take(self, m: M, role: str, action: Done | Intercept | Shell) -> None:
        s = m.state
        if isinstance(action, Done):
            m.replace(Interceptions((*self.passed, self.asked(s)), self.fired))
        elif isinstance(action, Intercept):
            m.replace(TakeBattle(INDEX[action.fleet], ATLAS.army_index[action.army]), self)
        else:
            fleet, army = INDEX[action.fleet], ATLAS.army_index[action.army]
            fired = self.fired if fleet in self.fired else (*self.fired, fleet)
            sides = tuple(sides_left(s, fleet, army)[: action.shots])
            m.replace(FleetSalvo(fleet, army, sides), Interceptions(self.passed, fired))


class TakeBattle(OwnTurn, frozen=True, tag="take-battle"):
    """The invader chooses which supporting fleet meets the attack.  [hw-navbattle-3]"""

    rule = "hw-navbattle-3"

    fleet: int
    army: int

    def run(self, m: M) -> None:
        found = supporters(m.state, self.army)
        if len(found) == 1:
            m.replace(Battle(self.fleet, found[0]))
        elif not found:
            m.pop()

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        fleets_there = Named(supporters(m.state, self.army), FLEET_NAMES)
        return [Offer(Meet, Field("fleet", "unit", fleets_there), rule=self.rule)]

    def take(self, m: M, role: str, action: Meet) -> None:
        m.replace(Battle(self.fleet, INDEX[action.fleet]))


class FleetSalvo(Step, frozen=True, tag="fleet-salvo"):
    """A fleet's fire on an invading army, hexside by hexside.  [hw-atsea-3] [hw-navfire-3]"""

    rule = "hw-atsea-3"

    fleet: int
    army: int
    sides: tuple[int, ...]

    def run(self, m: M) -> None:
        s = m.state
        if not self.sides or s.army_at[self.army] < 0:
            m.pop()
            return
        key = fired_at(self.fleet, self.sides[0])
        s.fired_sides = having(s.fired_sides, key, s.fired_sides.get(key, 0) + 1)
        m.replace(FleetSalvo(self.fleet, self.army, self.sides[1:]))
        strength = fleets.strength(s, self.fleet)
        by, at = NAMES[self.fleet], s.target[self.army]
        lost = fire(m, strength, (), by=by, at=at, rule=self.rule, capped=False)
        drown(m, self.army, lost)


class FleetSupport(OwnTurn, frozen=True, tag="fleet-support"):
    """Supporting fleets that came through may fire into the target, each once; carriers do not add to it.

    [hw-atsea-4] [hw-carrier-5]
    """

    rule = "hw-atsea-4"

    fired: tuple[int, ...] = ()

    def able(self, s: War) -> list[int]:
        return [f for f in sorted(s.escorting) if self.why(s, f) is None]

    def why(self, s: War, fleet: int) -> Refusal | None:
        if fleet not in s.escorting or s.escorting[fleet] not in invaders(s):
            return Refusal(self.rule, "hw-no-support", fleet=NAMES[fleet])
        if fleet in self.fired:
            return Refusal(self.rule, "hw-fleet-fired", fleet=NAMES[fleet])
        if s.owner[s.target[s.escorting[fleet]]] == s.side:
            return Refusal("hw-friendly-2", "hw-friendly-target", target=space_name(s.target[s.escorting[fleet]]))
        return None if s.ships[fleet] else Refusal("hw-carrier-5", "hw-carriers-silent", fleet=NAMES[fleet])

    def run(self, m: M) -> None:
        if not self.able(m.state):
            m.pop()

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        names = Named(self.able(s), FLEET_NAMES, why=lambda f: self.why(s, f))
        return [Offer(Done, rule=self.rule), Offer(ShellCoast, Field("fleet", "unit", names), rule=self.rule)]

    def take(self, m: M, role: str, action: Done | ShellCoast) -> None:
        s = m.state
        if isinstance(action, Done):
            m.pop()
            return
        fleet = INDEX[action.fleet]
        m.replace(FleetSupport((*self.fired, fleet)))
        space = s.target[s.escorting[fleet]]
        dice = attack_dice(s, s.side)
        lost = fire(m, s.ships[fleet], dice, by=action.fleet, at=space, rule=self.rule, capped=False)
        strike(m, space, lost)
