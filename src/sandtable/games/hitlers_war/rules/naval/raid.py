"""Optional naval action: Axis fleets put out into the raid box, and are chased on their way."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Named, Offer, Refusal, Step

from ...model.actions import Chase, Done
from ...model.atlas import ALLIES, ATLAS, SOVIET
from ...model.events import Chased, Raiding
from ...model.fleets import FLEET_NAMES, INDEX, NAMES, RAID_BOX, RAIDER, SEA, SHIP_SEAS, SIDE_OF
from ...model.places import NORWAY, SCAPA_FLOW
from ...model.state import M, War, enemies, role_of, space_name
from ..sealift import ATLANTIC
from . import fleets
from .battle import Battle
from .harbours import HomeToPort

_RULES = ATLAS.rules["fleets"]
CHASE_NEEDS = int(_RULES["chase_needs"])
_BALTIC = ATLAS.seas.index("baltic")
_NEAR = frozenset(ATLAS.country_index[name] for name in _RULES["scapa_countries"])
_CHASERS = (ALLIES, SOVIET)
"""The Allies chase first."""


def why_no_raider(s: War, fleet: int) -> Refusal | None:
    """Only whole fleets in Atlantic ports that have not moved go raiding.  [hw-raid-1]"""
    names = {"fleet": NAMES[fleet], "at": space_name(max(0, s.fleet_at[fleet]))}
    if s.fleet_at[fleet] < 0 or s.fleet_state[fleet] == SEA or fleets.is_idle(s, fleet):
        return Refusal("hw-raid-1", "hw-not-in-port", **names)
    if ATLANTIC not in SHIP_SEAS[s.fleet_at[fleet]]:
        return Refusal("hw-raid-1", "hw-not-atlantic-port", **names)
    if any(s.fleet_moved[2 * fleet : 2 * fleet + 2]):
        return Refusal("hw-fleetmove-2", "hw-fleet-moved", **names)
    return None


def search_bonus(s: War, fleet: int, raider: int) -> int:
    """Allied fleets on or next to Scapa Flow find raiders from the North more easily.  [hw-raid-9]"""
    if SIDE_OF[fleet] != ALLIES or (
        s.fleet_at[fleet] != SCAPA_FLOW and s.fleet_at[fleet] not in ATLAS.around[SCAPA_FLOW]
    ):
        return 0
    port = s.fleet_at[raider]
    country = ATLAS.country_of[port]
    if country in _NEAR or _BALTIC in SHIP_SEAS[port]:
        return int(_RULES["scapa_near"])
    return int(_RULES["scapa_norway"]) if country == NORWAY else 0


class RaidOut(Step, frozen=True, tag="raid-out"):
    """Fleets at sea in the Atlantic may chase the raiders; those that get through are safe in the box.

    [hw-raid-3] [hw-raid-4] [hw-raid-5] [hw-raid-6] [hw-raid-7]
    """

    rule = "hw-raid-5"

    raiders: tuple[int, ...]
    turn: int = 0
    """Which of the chasing sides is asked."""
    tried: tuple[int, ...] = ()
    """Searches made: chaser * 100 + raider."""

    def out(self, s: War) -> list[int]:
        return [f for f in self.raiders if s.fleet_state[f] == RAIDER]

    def chasers(self, s: War) -> list[int]:
        if self.turn >= len(_CHASERS) or _CHASERS[self.turn] not in enemies(s, 0):
            return []
        return [f for f in fleets.at_sea(s, _CHASERS[self.turn]) if ATLANTIC in SHIP_SEAS[s.fleet_at[f]]]

    def why(self, s: War, chaser: int, raider: int) -> Refusal | None:
        """Why a fleet may not search for a raider.  [hw-raid-3] [hw-raid-6]"""
        names = {"fleet": NAMES[chaser], "raider": NAMES[raider]}
        if chaser not in self.chasers(s):
            return Refusal("hw-raid-3", "hw-cannot-chase", **names)
        if raider not in self.out(s):
            return Refusal("hw-raid-3", "hw-not-raiding", **names)
        if chaser * 100 + raider in self.tried:
            return Refusal("hw-raid-6", "hw-searched-once", **names)
        return None

    def pairs(self, s: War) -> dict[int, list[int]]:
        found = {c: [r for r in self.out(s) if self.why(s, c, r) is None] for c in self.chasers(s)}
        return {chaser: some for chaser, some in found.items() if some}

    def run(self, m: M) -> None:
        s = m.state
        if self.pairs(s):
            return
        if self.turn < len(_CHASERS):
            self.next_side(m)
            return
        for fleet in self.out(s):
            fleets.station(s, fleet, RAID_BOX, SEA)
            m.emit(Raiding(fleet=NAMES[fleet]))
        m.pop()

    def next_side(self, m: M) -> None:
        """Every fleet that chased returns to port.  [hw-raid-4]"""
        chased = tuple(sorted({code // 100 for code in self.tried}))  # those in port already are not asked again
        m.replace(HomeToPort(chased), RaidOut(self.raiders, self.turn + 1, self.tried))

    def roles(self, m: M) -> Sequence[str]:
        return (role_of(_CHASERS[self.turn]),)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        pairs = self.pairs(s)

        def raiders(name: str) -> Named:
            chaser = INDEX[name]
            return Named(pairs[chaser], FLEET_NAMES, why=lambda raider: self.why(s, chaser, raider))

        chasers = Named(list(pairs), FLEET_NAMES, why=lambda chaser: self.why(s, chaser, self.raiders[0]))
        fields = Field("fleet", "unit", chasers), Field("raider", "unit", raiders)
        return [Offer(Done, rule=self.rule), Offer(Chase, *fields, rule=self.rule)]

    def take(self, m: M, role: str, action: Done | Chase) -> None:
        s = m.state
        if isinstance(action, Done):
            self.next_side(m)
            return
        chaser, raider = INDEX[action.fleet], INDEX[action.raider]
        modified = m.roll(why=self.rule) + search_bonus(s, chaser, raider)
        found = modified <= CHASE_NEEDS
        m.emit(Chased(fleet=action.fleet, raider=action.raider, modified=modified, found=found))
        after = RaidOut(self.raiders, self.turn, (*self.tried, chaser * 100 + raider))
        m.replace(*([Battle(chaser, raider)] if found else []), after)
