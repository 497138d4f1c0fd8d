"""The general's war on land and in the air: troops who stay together, a fighter over every dear factory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from math import fsum

from ..facts.access import air_net
from ..facts.roster import roster
from ..model.atlas import ATLAS, NEUTRAL
from ..model.kinds import GROUND
from ..model.state import AT_WAR, BOX, DEAD, M
from ..rules.air import flight_budget, raid_spaces
from ..rules.collect import plan
from ..rules.stacking import ground_room
from .aims import WEST, taken
from .campaign import CAPTAIN, Doctrine
from .chances import Chance, Chances
from .sight import Sight, rate
from .watch import Watch, holds, landers

A = ATLAS
K = ATLAS.kinds
_DEAR = 5
"""Factories of less value are left to the enemy's bombers."""
_SHIELD = 4.0
"""What each dollar of a factory counts that a fighter keeps sound: a hit costs it twice, and the next turn comes."""
_FOCUS = 2.0
"""How much more than other goals Paris and Berlin draw the Western Allies: without Paris the enemy needs two others to
win, and with Berlin its army is gone."""
_IN_REACH = 0.1
"""What every dollar of enemy factories within reach is worth to a bomber's base."""
_SAFE = 0.4
"""The threat at which no bomber stays."""
_NEXT_DOOR = 3
"""Stack Points that keep a capital from those who land beside it until more can come."""
_STACK = 10
"""Stack Points that fit into one space."""
_FLEET = 4
"""Transports that can bring an army,"""
_BESIDES = 2
"""and how many Stack Points more than it hold a capital beside which it lands."""
_HARBOUR = 15.0
"""What a harbour is worth to those who land."""
_WORN, _SPARED = 3.0, 1.25
"""At most so much more is an enemy's loss felt than an equal one of who earns more, and so much more it must be."""
_STAYING = 0.6
"""The share of the enemies around that those who attack are a match for once they are there."""
_LOSS = 0.5
"""How much of those who land in front of a stronger enemy is reckoned lost."""


class Bastion(Watch):
    """Holds its troops together, lands where the way leads on to a capital, and stays there.

    It is afraid for its troops: a Germany that rushes to the West leaves Poland unfinished, and where the French rush,
    Berlin and Rome lie open in 1940.
    """

    wary = 0.1
    care = fear = 1.1
    ambition = 0.15
    many = 4
    massed = True

    def __init__(
        self, sight: Sight, ground: Iterable[int], planes: Iterable[int], chances: Chances, *, blitz: bool,
        doctrine: Doctrine = CAPTAIN,
    ) -> None:  # fmt: skip
        super().__init__(sight, ground, planes, chances, blitz=blitz, doctrine=doctrine)
        if self.planes and not doctrine.all_in:
            on_guard = {self.shields(space)[0] for space in self.exposed if self.shields(space)}
            self.planes = [u for u in self.planes if u not in on_guard]

    def focus(self, sight: Sight) -> float:
        return _FOCUS if self.doctrine.aim < 0 and sight.power in WEST else 1.0

    def garrison(self, capital: int) -> int:
        """Some stay in a capital too while a fleet can land troops next door."""
        found = super().garrison(capital)
        if found >= _STACK:
            return found
        fleets = (landers(self.state, 1 - self.side, beside) for beside, _, _ in A.land_links[capital])
        return max(found, self.against(max(fleets, default=0)))

    def against(self, fleet: int) -> int:
        """Return the Stack Points that a capital wants against a fleet that can land so many next door."""
        return min(_NEXT_DOOR, fleet)

    def is_pledged(self, unit: int) -> bool:
        """Those whom the pact wants in Poland stay there: a war on two fronts is worse."""
        here = self.state.space[unit]
        return self.pact_guard > 0 and here in A.poland and self.in_poland(unit) < self.pact_guard

    @cached_property
    def exposed(self) -> dict[int, int]:
        """Return the dear factories of the own group that enemy bombers can reach, with their value."""
        state, group = self.state, A.group[self.sight.power]
        reached: set[int] = set()
        for power in A.side_powers[1 - self.side]:
            if state.status[power] != AT_WAR:
                continue
            for space, budget in {
                (state.space[u], flight_budget(state, u)) for u in roster(state).of_kind(power, K.bomber)
                if state.space[u] >= 0
            }:  # fmt: skip
                reached.update(air_net(state, power).reach(space, budget))
        return {
            s: A.value[s] for s in reached
            if A.is_land[s] and A.value[s] >= _DEAR and state.owner[s] < NEUTRAL and A.group[state.owner[s]] == group
        }  # fmt: skip

    def shields(self, space: int, without: int = -1) -> list[int]:
        """Return the fighters of the own side based in a space."""
        kinds = self.state.kind
        return [u for u in self.sight.air[self.side].get(space, ()) if K.base[kinds[u]] == K.fighter and u != without]

    def shelter(self, unit: int, space: int) -> float:
        """Bombers stay where nobody comes, those of the West at home; fighters over what is bombed."""
        if K.base[self.state.kind[unit]] == K.bomber:
            if self.sight.power in WEST:
                home = A.homeland[space] == A.britain
                return _IN_REACH * self.targets_near(space) if home else -K.cost[self.state.kind[unit]]
            if self.threats.get(space, 0.0) > _SAFE:
                return -K.cost[self.state.kind[unit]]
        found = super().shelter(unit, space)
        if K.base[self.state.kind[unit]] == K.fighter and space in self.exposed and not self.shields(space, unit):
            found += _SHIELD * self.exposed[space]
        return found

    def urgent(self, here: int, space: int) -> bool:
        pledged = self.pact_guard > 0 and here in A.poland and self.in_poland(-1) <= self.pact_guard
        return not pledged and super().urgent(here, space)

    def may_leave(self, unit: int, space: int, target: int) -> bool:
        if self.doctrine.all_in and space not in self.wanted:
            return True
        return super().may_leave(unit, space, target)

    # ---- together
    def odds(self, target: int, force: Sequence[int], foes: Sequence[int]) -> Chance:
        """Against a capital the British count on the Americans beside them, who move after them."""
        mates = self.partners(target, force) if target in A.capital and self.sight.power == A.britain else []
        ways = self.ways(force, target) or {0}
        return self.chances.attack(self.m, target, self.side, [*force, *mates], foes, ways, blitz=self.blitz)

    def is_enough(self, target: int, force: Sequence[int], chance: Chance) -> bool:
        """They are sent in such strength that they can also stay there."""
        if not super().is_enough(target, force, chance):
            return False
        if self.blitz:
            return True
        outside = self.threats.get(target, 0.0) - self.strength_there(target)
        own = fsum(rate(self.state, u, target, defending=True) for u in force if K.cls[self.state.kind[u]] == GROUND)
        return own >= _STAYING * outside

    def worth_it(self, chance: Chance, gain: float, target: int) -> bool:
        """A capital is also assaulted to wear its garrison down, by those who earn so much more that they can."""
        if super().worth_it(chance, gain, target):
            return True
        return target in A.capital and chance.theirs * attrition(self.m, self.sight.power, target) > chance.ours

    def partners(self, target: int, force: Sequence[int]) -> list[int]:
        """Return every other one of the American units that can join an attack and find room: some stay on guard."""
        state, found = self.state, list[int]()
        if self.blitz or state.status[A.usa] != AT_WAR:
            return found
        room = ground_room(self.m.state, target, self.side)
        room -= sum(
            K.stack[state.kind[u]] for u in force if state.space[u] != target and K.cls[state.kind[u]] == GROUND
        )
        for unit in roster(self.m.state).ground[A.usa]:
            near = state.space[unit] >= 0 and state.cargo_of[unit] < 0 and A.is_land[state.space[unit]]
            if near and K.stack[state.kind[unit]] <= room and target in self.sight.reach(unit):
                found.append(unit)
                room -= K.stack[state.kind[unit]]
        for unit in roster(self.m.state).air[A.usa] if found else ():
            fights = state.space[unit] >= 0 and K.base[state.kind[unit]] != K.bomber and state.cargo_of[unit] < 0
            if fights and A.is_land[state.space[unit]] and target in self.flights(unit):
                found.append(unit)
        return found[::2]

    def help_all(self) -> None:
        """Bombers have better to do than to help in battles."""
        bombers = [u for u in self.planes if K.base[self.state.kind[u]] == K.bomber]
        self.planes = [u for u in self.planes if u not in bombers]
        super().help_all()
        self.planes += bombers

    # ---- overseas
    def tempting(self, capital: int) -> bool:
        """The Western Allies keep their fleet together instead of waiting off a capital that is on its guard."""
        return self.side == 0

    def stays(self, space: int) -> bool:
        """The Western Allies who have an enemy to march against do not sail away again."""
        return self.sight.power in WEST and self.pull.get(space, 0.0) > 0

    def beachhead(self, target: int, force: Sequence[int]) -> float:
        """Return a harbour to reinforce through, less those who would be lost to who can come there."""
        state = self.state
        harbour = any(A.is_port[w] for w in A.coast[target])
        if self.sight.power in WEST and not harbour and not state.depots[self.sight.power]:
            return -self.pull.get(target, 0.0)
        found = _HARBOUR if harbour else 0.0
        own = fsum(rate(state, u, target, defending=True) for u in force)
        threat = max(0.1, self.threats.get(target, 0.0) - self.strength_there(target))
        return found - (1.0 - holds(own / threat)) * sum(K.cost[state.kind[u]] for u in force) * _LOSS

    def strength_there(self, target: int) -> float:
        """Return the hits of the enemies who stand in a space itself: they are beaten before anybody else comes."""
        return fsum(rate(self.state, u, target, defending=False) for u in self.sight.foes(target))

    # ---- fighters
    def targets_near(self, space: int) -> int:
        """Return the dollars of enemy factories that a bomber can reach from a base."""
        m, power = self.m, self.sight.power
        near = air_net(m.state, power).reach(space, K.movement[K.bomber] // 2)
        return sum(A.value[s] for s in raid_spaces(m.state, power) if s in near)

    def unshielded(self) -> int:
        """Return how many more fighters it takes to stand over every exposed factory."""
        state, power = self.state, self.sight.power
        bare = sum(not self.shields(space) for space in self.exposed)
        idle = 0
        for unit in roster(self.m.state).of_kind(power, K.fighter):
            space = state.space[unit]
            if space == DEAD:
                continue
            alone = space in self.exposed and len(self.shields(space)) == 1
            idle += space <= BOX or (space >= 0 and A.is_land[space] and not alone)
        return bare - idle


class Spearhead(Bastion):
    """The same for those who have to attack: nothing is held back that the colonel would send."""

    wary = Watch.wary
    care = fear = Watch.care
    ambition = Watch.ambition
    many = Watch.many
    massed = False

    def against(self, fleet: int) -> int:
        """No army stands behind the capitals of those who attack elsewhere: with France gone a fleet is met in full."""
        alone = fleet >= _FLEET and taken(self.state, A.france)
        return min(_STACK, fleet + _BESIDES) if alone else super().against(fleet)


def attrition(m: M, power: int, capital: int) -> float:
    """How much rather than its own a power sees the losses of those who hold a capital, by what both earn."""
    return min(_WORN, plan(m, power)[0] / max(1, plan(m, A.capital.index(capital))[0])) / _SPARED
