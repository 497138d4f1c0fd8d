"""The recruit: chooses at random, but walks into no pointless blunder.

It does not leave its capital, march out of supply or against all odds, break up its convoys, waste its money, start
wars lightly or lose dear units where cheap ones would do.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from sandtable.core import Action, Game, NothingToChoose, Offer, Offers, View
from sandtable.players.base import Budget

from ..facts.names import unit_of
from ..facts.supply_net import supply_net
from ..facts.whereabouts import planes_at
from ..model.actions import (
    BuyDepot,
    CancelConvoy,
    Declare,
    Done,
    Drop,
    Ferry,
    Fight,
    Fly,
    Give,
    LeaveConvoy,
    Lose,
    March,
    Rail,
    Rebase,
    RemoveDepot,
    RepairShip,
    Reroute,
    Retreat,
    SetAside,
    Ship,
)
from ..model.atlas import ATLAS
from ..model.kinds import GROUND
from ..rules.battle_phase import Battle
from ..rules.buy_phase import Purchases
from ..rules.politics_phase import Declarations
from ..rules.stacking import air_limit, stack_sum
from .choices import lose_action, pacific_share
from .sight import Reader, Sight, fallback, rate

A = ATLAS
K = ATLAS.kinds
_WAR = 0.08
"""How readily a recruit declares a war."""
_STOP = 0.06
"""The chance that it has enough of giving orders, each time it is asked."""
_DEAREST_REPAIR = 12
"""What a ship's repair costs at most: two dice."""
_TRIES = 6
_NEVER = (CancelConvoy, LeaveConvoy, Reroute, RemoveDepot, BuyDepot, Give)


class Recruit:
    """Sane random play."""

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        self.reader = Reader(game)
        self.rng = Random(f"recruit/{seed}")

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        m = self.reader.open(view)
        step = view.state.stack[-1]
        power = A.power_index[view.role or ""]
        if offers[Lose]:
            return lose_action(m, power, offers)
        if isinstance(step, Declarations) and self.rng.random() > _WAR:
            return Done()
        if isinstance(step, Purchases) and offers[SetAside]:
            share = pacific_share(m.state)
            if share > 0:
                return SetAside(share)
        if isinstance(step, Battle) and offers[Retreat]:
            return self.stand(Sight(m, power), step, offers)
        if not offers[Done]:
            return offers.sample(self.rng)
        if self.rng.random() < _STOP and not isinstance(step, Purchases):
            return Done()
        sight: Sight | None = None
        left = [offer for offer in offers.offers if offer.act not in (*_NEVER, Done, SetAside)]
        for _ in range(_TRIES if left else 0):
            action = draw(left, self.rng)
            if action is None:
                break
            if sight is None:
                sight = Sight(m, power)
            if self.sane(sight, action):
                return action
        return fallback(offers)

    def stand(self, sight: Sight, step: Battle, offers: Offers) -> Action:
        """Whether a battle is fought on: a coin, loaded by the numbers."""
        m = sight.m
        att, dfn = step.live(m, step.att), step.live(m, step.dfn)
        ours, theirs = (att, dfn) if sight.side == step.attacker else (dfn, att)
        if self.rng.random() * len(theirs) > 1.3 * len(ours):
            return offers[Retreat][0].sample(self.rng)
        return Fight()

    def sane(self, sight: Sight, action: Action) -> bool:
        check: Callable[[Sight, Any], bool] | None = _CHECKS.get(type(action))
        return check is None or check(sight, action)


def draw(offers: list[Offer], rng: Random) -> Action | None:
    """Return one action of one of the offers; None where none has any."""
    while offers:
        place = int(rng.random() * len(offers))
        try:
            return offers[place].sample(rng)
        except NothingToChoose:
            del offers[place]
    return None


def leaves_bare(sight: Sight, unit: int) -> bool:
    """Whether nobody would be left in a capital or in a space that the enemy can walk into."""
    space = sight.state.space[unit]
    if K.cls[sight.state.kind[unit]] != GROUND or len(sight.ground[sight.side].get(space, ())) > 1:
        return False
    return space in A.capital or sight.threat.get(space, 0.0) > 0


def fair(sight: Sight, unit: int, target: int) -> bool:
    """Whether a unit and those already there are a match for who defends a space."""
    foes = sight.foes(target)
    ours = [*sight.mine(target), unit]
    strength = sum(rate(sight.state, u, target, defending=False) for u in ours) * len(ours)
    return strength >= 0.8 * sum(rate(sight.state, u, target, defending=True) for u in foes) * len(foes)


def march(sight: Sight, action: March) -> bool:
    unit, path = unit_of(sight.state, action.unit), [A.index[name] for name in action.path]
    if leaves_bare(sight, unit):
        return False
    part = supply_net(sight.m.state, A.group[sight.power]).part
    start, last = sight.state.space[unit], path[-1]
    before = path[-2] if len(path) > 1 else start
    if part[start] >= 0 and part[before] != part[start]:
        return False
    if sight.holder[last] == 1 - sight.side:
        return fair(sight, unit, last)
    return part[start] < 0 or part[last] == part[start] or sight.holder[last] < 0


def ferry(sight: Sight, action: Ferry) -> bool:
    unit = unit_of(sight.state, action.cargo)
    return not leaves_bare(sight, unit) and not sight.foes(A.index[action.to])


def drop(sight: Sight, action: Drop) -> bool:
    unit, target = unit_of(sight.state, action.unit), A.index[action.to]
    return bool(sight.ground[sight.side].get(target)) and fair(sight, unit, target)


def fly(sight: Sight, action: Fly) -> bool:
    target = A.index[action.path[-1]]
    return bool(sight.ground[0].get(target) and sight.ground[1].get(target))


def rail(sight: Sight, action: Rail) -> bool:
    return not leaves_bare(sight, unit_of(sight.state, action.unit))


def ship(sight: Sight, action: Ship) -> bool:
    return not leaves_bare(sight, unit_of(sight.state, action.cargo))


def rebase(sight: Sight, action: Rebase) -> bool:
    return "#" in action.to or air_room(sight, unit_of(sight.state, action.unit), A.index[action.to])


def air_room(sight: Sight, unit: int, space: int) -> bool:
    """Whether a base has room for one more plane: those beyond its limit would be lost."""
    planes = stack_sum(sight.state, planes_at(sight.m.state, space, sight.side))
    return planes + K.stack[sight.state.kind[unit]] <= air_limit(sight.state, space)


def declare(sight: Sight, action: Declare) -> bool:
    return action.country in A.minor_index


def repair_ship(sight: Sight, action: RepairShip) -> bool:
    """A repair that cannot be paid takes all the money and is in vain."""
    return sight.state.money[sight.power] >= _DEAREST_REPAIR


_CHECKS: dict[type[Action], Callable[[Sight, Any], bool]] = {
    March: march, Ferry: ferry, Drop: drop, Fly: fly, Rail: rail, Ship: ship, Rebase: rebase, Declare: declare,
    RepairShip: repair_ship,
}  # fmt: skip
