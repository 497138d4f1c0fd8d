"""Optional naval action: battles between fleets, with the part that aircraft carriers play in them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sandtable.core import Choices, Field, Named, Offer, Refusal, Step
from sandtable.core.columns import lacking, put

from ...facts.seaways import FAR
from ...model.actions import Done, Fight, Lose
from ...model.atlas import ATLAS, AXIS, SOVIET
from ...model.events import BattleWon, FleetsMet, ShipsLost
from ...model.fleets import FLEET_NAMES, INDEX, NAMES, PORT, RADIUS, RAIDER, SEA, SIDE_OF, SUPPORT
from ...model.state import M, War, enemies, role_of, space_name
from ..firepower import fire
from ..morale import attack_dice
from . import fleets
from .harbours import HomeToPort

_CHART = ATLAS.tables["fleets"]
GUNS: int = _CHART["battle_multiplier"]
STRIKE: int = _CHART["carrier_multiplier"]
CAPITAL, CARRIER = "capital_ship", "carrier"


class Battle(Step, frozen=True, tag="sea-fight"):
    """Two fleets fight: carriers strike, then the guns fire at the same time, then the smaller fleet goes home.

    [hw-navbattle-2] [hw-carrier-3] [hw-carrier-6]
    """

    rule = "hw-navbattle-2"

    attacker: int
    defender: int
    stage: int = 0
    before: tuple[int, int] = (0, 0)
    """Strength of both when the battle began: who inflicted more decides ties."""

    def run(self, m: M) -> None:
        (self.strike, self.guns, self.settle)[self.stage](m)

    def shoot(self, m: M, fleet: int, strength: int, rule: str) -> int:
        """One side's fire in the battle; weariness counts here too.  [hw-morale-6]"""
        s = m.state
        at = max(0, s.fleet_at[fleet])
        return fire(m, strength, attack_dice(s, SIDE_OF[fleet]), by=NAMES[fleet], at=at, rule=rule, capped=False)

    def strike(self, m: M) -> None:
        """All carriers launch first, at triple strength.  [hw-carrier-3]"""
        s = m.state
        a, d = self.attacker, self.defender
        m.emit(FleetsMet(fleet=NAMES[a], foe=NAMES[d]))
        if {SIDE_OF[a], SIDE_OF[d]} == {AXIS, SOVIET}:
            s.at_war = True
        hits = [self.shoot(m, f, STRIKE * s.carriers[f], "hw-carrier-3") for f in (a, d)]
        before = (fleets.strength(s, a), fleets.strength(s, d))
        m.replace(ShipLosses(d, hits[0]), ShipLosses(a, hits[1]), Battle(a, d, 1, before))

    def guns(self, m: M) -> None:
        """Both double their capital ships and fire simultaneously.  [hw-navbattle-2]"""
        s = m.state
        a, d = self.attacker, self.defender
        lone_carriers(m, a, d)
        hits = [self.shoot(m, f, GUNS * s.ships[f], self.rule) for f in (a, d)]
        m.replace(ShipLosses(d, hits[0], guns=True), ShipLosses(a, hits[1], guns=True), Battle(a, d, 2, self.before))

    def settle(self, m: M) -> None:
        """The larger fleet stays, the other goes.  [hw-navbattle-2]"""
        s = m.state
        a, d = self.attacker, self.defender
        lone_carriers(m, a, d)
        left = (fleets.strength(s, a), fleets.strength(s, d))
        winner, loser = (a, d) if attacker_stays(self.before, left) else (d, a)
        if fleets.strength(s, winner):
            m.emit(BattleWon(fleet=NAMES[winner]))
        m.replace(*driven_off(s, loser))


def attacker_stays(before: tuple[int, int], left: tuple[int, int]) -> bool:
    """Whether the attacker's fleet is the larger one; in a tie the one that sank more, then the defender.

    [hw-navbattle-2]
    """
    sank = (before[1] - left[1], before[0] - left[0])
    return (left[0], sank[0]) > (left[1], sank[1])


def driven_off(s: War, fleet: int) -> list[Step]:
    """A beaten fleet: a supporting one is back in its port, any other looks for one.  [hw-navbattle-2]
    [hw-navbattle-4]"""
    if s.fleet_state[fleet] == SUPPORT:
        s.fleet_state = put(s.fleet_state, fleet, PORT)
        s.escorting = lacking(s.escorting, fleet)
        return []
    if s.fleet_state[fleet] == RAIDER:
        s.fleet_state = put(s.fleet_state, fleet, SEA)
    return [HomeToPort((fleet,))]  # one that was sunk is not asked


def is_alone(ships: int, carriers: int, against: int) -> bool:
    """Whether carriers without a capital ship meet an enemy fleet that has some, and are lost.  [hw-carrier-6]"""
    return carriers > 0 and not ships and against > 0


def lone_carriers(m: M, one: int, other: int) -> None:
    """Carriers alone are lost to an enemy fleet that has a capital ship.  [hw-carrier-6]"""
    s = m.state
    pairs = ((one, other), (other, one))
    doomed = [f for f, foe in pairs if is_alone(s.ships[f], s.carriers[f], s.ships[foe])]
    for fleet in doomed:
        m.emit(ShipsLost(fleet=NAMES[fleet], kind=f"@{CARRIER}", number=s.carriers[fleet]))
        s.carriers = put(s.carriers, fleet, 0)
        fleets.remove_if_sunk(s, fleet)


def sweep(m: M) -> None:
    """Carriers alone are lost wherever an enemy capital ship is at sea in their hex, battle or not.  [hw-carrier-6]"""
    s = m.state
    for side in range(3):
        for fleet in fleets.at_sea(s, side):
            for foe in fleets.enemies_at_sea(s, side, s.fleet_at[fleet]):
                lone_carriers(m, fleet, foe)


class ShipLosses(Step, frozen=True, tag="ship-losses"):
    """A fleet loses ship points: to guns capital ships first, to carriers whichever its owner likes.

    [hw-carrier-4]
    """

    rule = "hw-carrier-4"

    fleet: int
    number: int
    guns: bool = False

    def kinds(self, s: War) -> list[str]:
        f = self.fleet
        found = [kind for kind, row in ((CAPITAL, s.ships), (CARRIER, s.carriers)) if row[f]]
        return found[:1] if self.guns else found

    def run(self, m: M) -> None:
        step = self
        while step.number > 0 and len(step.kinds(m.state)) == 1:
            step = step.without(m, step.kinds(m.state)[0])
        if step.number <= 0 or not step.kinds(m.state):
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (role_of(SIDE_OF[self.fleet]),)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Choices([Lose(NAMES[self.fleet], kind) for kind in self.kinds(m.state)], rule=self.rule)]

    def without(self, m: M, kind: str) -> ShipLosses:
        s = m.state
        fleets.change(s, self.fleet, kind, -1)
        m.emit(ShipsLost(fleet=NAMES[self.fleet], kind=f"@{kind}", number=1))
        fleets.remove_if_sunk(s, self.fleet)
        return msgspec.structs.replace(self, number=self.number - 1)

    def take(self, m: M, role: str, action: Lose) -> None:
        m.replace(self.without(m, action.kind))


class Engage(Step, frozen=True, tag="engage"):
    """A fleet that sailed onto enemies must fight one of them; while it wins it may go on attacking in its range.

    [hw-navbattle-1] [hw-navbattle-3] [hw-navbattle-5]
    """

    rule = "hw-navbattle-3"

    fleet: int
    origin: int
    """The port it sailed from: its range counts from there."""
    must: bool = True

    def foes(self, s: War) -> list[int]:
        if s.fleet_state[self.fleet] != SEA:
            return []  # sunk, or beaten and in port
        found = [f for foe in enemies(s, SIDE_OF[self.fleet]) for f in fleets.at_sea(s, foe)]
        return [f for f in found if self.why(s, f) is None]

    def why(self, s: War, foe: int) -> Refusal | None:
        """Why this fleet cannot attack another at sea.  [hw-navbattle-3]"""
        names = {"fleet": NAMES[self.fleet], "foe": NAMES[foe]}
        there = s.fleet_at[foe]
        if there < 0 or s.fleet_state[foe] != SEA or SIDE_OF[foe] not in enemies(s, SIDE_OF[self.fleet]):
            return Refusal("hw-fleetmove-6", "hw-not-at-sea-there", **names)
        if self.must and there != s.fleet_at[self.fleet]:
            return Refusal("hw-navbattle-1", "hw-fight-here-first", **names)
        sailed = fleets.ways_of(s, self.fleet, self.origin).hexes.get(there, FAR)
        if there != s.fleet_at[self.fleet] and sailed > RADIUS:
            return Refusal(self.rule, "hw-fleet-range", reach=RADIUS, sailed=sailed, to=space_name(there), **names)
        return None

    def run(self, m: M) -> None:
        foes = self.foes(m.state)
        if not foes:
            self.finish(m)
        elif self.must and len(foes) == 1:
            self.fight(m, foes[0])

    def roles(self, m: M) -> Sequence[str]:
        return (role_of(SIDE_OF[self.fleet]),)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        own = Field("fleet", "unit", Named((self.fleet,), FLEET_NAMES))
        foes = Field("foe", "unit", Named(self.foes(s), FLEET_NAMES, why=lambda foe: self.why(s, foe)))
        fight = Offer(Fight, own, foes, rule=self.rule)
        return [fight] if self.must else [Offer(Done, rule="hw-navbattle-5"), fight]

    def finish(self, m: M) -> None:
        m.pop()
        sweep(m)

    def fight(self, m: M, foe: int) -> None:
        s = m.state
        s.fleet_at = put(s.fleet_at, self.fleet, s.fleet_at[foe])
        m.replace(Battle(self.fleet, foe), Engage(self.fleet, self.origin, must=False))

    def take(self, m: M, role: str, action: object) -> None:
        if isinstance(action, Fight):
            self.fight(m, INDEX[action.foe])
        else:
            self.finish(m)
