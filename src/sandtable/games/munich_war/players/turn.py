"""A player turn as the search sees it."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import Any

import msgspec

from sandtable.core import Action, Game, Match, Offers, View
from sandtable.core.bits import bits
from sandtable.players.search import USUAL, Alarm, Decider, Plan, Scope, Theatre, play_until

from ..model.atlas import ATLAS, SIDES
from ..model.hexsets import shifted
from ..model.setup import order_of_setup
from ..model.state import M, MunichState
from ..rules.air import factor
from ..rules.air_phase import AirLaunch
from .evaluate import LATE, hope
from .fighting import Memo
from .flying import Sky, plan_sky
from .lineup import lineup
from .lore import EASY, PRIZES, Doctrine, prey_of, stakes, turns_left
from .marching import Marching
from .scene import Scene
from .staff import Script, Staff

_HELD = 2.0
"""How many times its points a city counts that is to be held."""
_MAIN = 3.0
"""The same of the city that the main effort is for."""
_VITAL = 3
"""Victory points from which a city is never given up."""
_DIALS: dict[str, tuple[float, ...]] = {
    "bold": (-0.05, 0.0, 0.25, 0.45), "thrift": (0.7, 1.4), "ground": (0.15, 0.7), "push": (0.4, 0.7, 1.5, 2.0),
    "hold": (0.5, 1.5, 2.0), "guard": (0.7, 1.5, 1.8),
}  # fmt: skip


def edited(base: Doctrine, plan: Plan) -> Doctrine:
    """A doctrine with the orders of a plan."""
    if plan == USUAL:
        return base
    changes: dict[str, Any] = dict(plan.dials)
    stress = dict.fromkeys(plan.hold, _HELD) | dict.fromkeys(plan.leave, 0.0)
    if plan.aim:
        stress[plan.aim] = plan.force
    if stress:
        changes["stress"] = tuple((ATLAS.hex_number[name], share) for name, share in stress.items())
    return msgspec.structs.replace(base, **changes)


def scope(m: M, side: int, base: Doctrine, *, wider: bool) -> Scope:
    """The cities worth going for, those to hold, and how boldly; `wider`: neutrals that may be invaded, too."""
    found = stakes(m, side, msgspec.structs.replace(base, widen=1.0) if wider else base)
    take = sorted(found.take, key=lambda at: (-found.take[at], at))
    keep = sorted(found.keep, key=lambda at: (-found.keep[at], at))
    aims = tuple(ATLAS.hex_name[at] for at in take)
    own = tuple(ATLAS.hex_name[at] for at in keep)
    vital = tuple(ATLAS.hex_name[at] for at in keep if found.keep[at] >= _VITAL)

    def way(**dials: float) -> Plan:
        return Plan(dials=tuple(sorted(dials.items())))

    stock = [way(push=2.0, hold=0.5, guard=0.7), *(Plan(aim=aim, force=_MAIN) for aim in aims)]
    stock += [way(bold=-0.05, thrift=0.7), way(push=0.4, hold=2.0, guard=1.5)]
    stock += [way(bold=0.45), way(ground=0.7), way(guard=1.8)]
    if wider:
        lines = fronts(m, side, base)
        stock += [Plan(hold=(place,)) for place in vital] + [Plan(aim=line, force=_MAIN) for line in lines]
        aims += lines
    dials = _DIALS
    if wider and prey_of(m, side):
        stock[1:1] = [way(raid=0.0 if base.raid else 1.0), way(widen=1.0)]
        dials = _DIALS | {"raid": (0.0, 1.0), "widen": (0.0, 1.0)}
    return Scope(aims, own, vital, dials=dials, stock=tuple(stock))


def opening(m: M, side: int) -> Scope:
    """What can be ordered about a side's set-up: to leave open the cities of neutrals that fall easily.

    A unit stops where it crosses a border by force. So whoever wants such a city needs a week more if its corps waits
    beside it.
    """
    countries = {country for country, deployer in order_of_setup(ATLAS.plans[m.state.plan]) if deployer == side}
    prey = EASY & prey_of(m, 1 - side) & countries
    cities = tuple(ATLAS.hex_name[at] for at in PRIZES if ATLAS.country_of[at] in prey)
    return Scope(stock=(Plan(leave=cities),)) if cities else Scope()


def fronts(m: M, side: int, base: Doctrine) -> tuple[str, ...]:
    """Enemies within reach who hold no city: the weakest first."""
    scene = Scene(m, side, base)
    march = Marching(scene)
    walks = 0
    for unit in scene.mine:
        walks |= scene.reach(unit) | march.rails(unit) if scene.attack(unit) else 0
    near = bits(shifted(walks, ATLAS.land_edges) & scene.known.occupied[1 - side])
    found = [(sum(map(scene.defense, scene.foes(at))), at) for at in near if at not in scene.stakes.take]
    return tuple(ATLAS.hex_name[at] for _, at in sorted(found))


class PlayerTurn(Theatre):
    """One side's turn. Its orders are made once for a plan, and carried out in every rehearsal of it."""

    most = 4000

    def __init__(
        self, game: Game[Any], world: Match[MunichState], side: int, usual: tuple[Doctrine, Doctrine], scope: Scope,
        turns: int, exact: int = 0,
    ) -> None:  # fmt: skip
        """`usual`: how each side plays as a rule; `turns`: player turns of a rehearsal, what is left of this one
        included; `exact`: so many game turns before the last one a rehearsal goes on to the end of the match."""
        super().__init__(game, SIDES[side], scope)
        self.world, self.side, self.usual = world, side, usual
        self.turns = turns if turns_left(world.state) > exact else self.most
        self.exact = exact
        self.turn = turn_of(world)
        self.scripts: dict[Plan, tuple[Script, Memo]] = {}
        self.keys: dict[Plan, Hashable] = {}

    def staff(self, side: int, plan: Plan) -> Staff:
        """Who plays a side by a plan."""
        found = Staff(side, edited(self.usual[side], plan))
        if side == self.side:
            found.script, found.memo = self.scripts.setdefault(plan, ({}, {}))
            found.scripted = found.remembered = self.turn[0]
        return found

    def rehearse(self, plan: Plan, reply: Plan, match: Match[Any], alarm: Alarm) -> float:
        staffs = {
            role: self.staff(side, plan if side == self.side else reply) for side, role in enumerate(SIDES)
        }  # fmt: skip

        def decider(role: str) -> Decider:
            def decide(view: View[Any], offers: Offers) -> Action:
                return staffs[role].answer(view.state, lambda: match.play, offers)

            return decide

        play_until(match, decider, self.ending(), alarm, self.most)
        return self.value(match)

    def value(self, match: Match[Any]) -> float:
        """A match that was played to its end is one of many: its points say more than who won it."""
        return super().value(match) if match.state.outcome is None or not self.exact else self.by_hand(match)

    def by_hand(self, match: Match[Any]) -> float:
        luck = LATE * (1 + turns_left(self.world.state)) if self.exact else LATE
        return hope(match.play, self.side, turn_of(match)[1], luck)

    def key(self, plan: Plan) -> Hashable:
        """The orders that a plan comes to, and how its battles are fought."""
        found = self.keys.get(plan)
        if found is None:
            found = self.keys[plan] = self._key(plan)
        return found

    def _key(self, plan: Plan) -> Hashable:
        doctrine = edited(self.usual[self.side], plan)
        scene = Scene(self.world.play, self.side, doctrine)
        sky = plan_sky(scene)[0] if isinstance(self.world.step, AirLaunch) else Sky()
        air = {at: (ATLAS.units[unit].country, factor(scene.m, unit)) for unit, at in sky.missions.items()}
        moves = tuple(Marching(scene, air).plan())
        return moves, tuple(air), tuple(sky.raids.items()), doctrine.bold, doctrine.thrift

    def boldness(self, plan: Plan) -> float:
        """Little is asked for an attack, and much is given for one."""
        dials, usual = dict(plan.dials), self.usual[self.side]
        less = ((name, -1.0) for name in ("bold", "thrift", "hold", "guard"))
        return math.fsum(
            sign * (dials[name] - getattr(usual, name)) for name, sign in (*less, ("push", 1.0)) if name in dials
        )

    def ending(self) -> Callable[[Match[Any]], bool]:
        mark, left = self.turn, self.turns

        def is_over(match: Match[Any]) -> bool:
            nonlocal mark, left
            now = turn_of(match)
            if now != mark:
                mark, left = now, left - 1
            return left <= 0

        return is_over


class Opening(PlayerTurn):
    """A side's set-up, before the first turn. It is rehearsed to the end of the match."""

    def __init__(self, game: Game[Any], world: Match[MunichState], side: int, usual: tuple[Doctrine, Doctrine]) -> None:
        super().__init__(game, world, side, usual, opening(world.play, side), self.most, self.most)

    def staff(self, side: int, plan: Plan) -> Staff:
        """Who sets up a side by a plan, and then plays as usual."""
        found = Staff(side, self.usual[side])
        found.first = edited(self.usual[side], plan)
        return found

    def _key(self, plan: Plan) -> Hashable:
        play, first = self.world.play, edited(self.usual[self.side], plan)
        countries = [c for c, deployer in order_of_setup(ATLAS.plans[play.state.plan]) if deployer == self.side]
        return tuple(tuple(lineup(play, country, self.side, first)) for country in countries)


def turn_of(match: Match[MunichState]) -> tuple[int, int]:
    """Whose turn of which game turn it is; before the first player turn it is the Axis's."""
    return match.state.turn, max(0, match.state.phasing)
