"""The general and the marshal: they search for the plan of a turn, and carry out the best.

With tries enough they search again once the first attacks have ended: where spearheads drive on, and where not.

A plan is rehearsed through the own turn, everybody else's, and the own next one.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Hashable
from typing import Any

import msgspec

from sandtable.core import Action, Game, Match, Offers, View
from sandtable.players.base import Budget
from sandtable.players.search import USUAL, Decider, Found, Scope, Theatre, near
from sandtable.players.search import Plan as Orders
from sandtable.players.searcher import Searcher

from ..model.atlas import ATLAS, AXIS, ENEMIES, SIDES
from ..model.state import War
from ..rules import attacks_phase, exploitation_phase, movement_phase
from .battle import prey_at_hand
from .captain import Captain
from .colonel import Colonel, goals, judge, variations
from .doctrine import Doctrine, Plan, phase_key
from .evaluate import evaluate
from .plan import Planner, make, strongholds
from .scene import Scene

_HURRY = 0.15
"""With less time than this a plan is made without rehearsals."""
_AIMS, _OWN = 6, 5
_HELD, _LEFT = 1.6, 0.3
"""How much a place is held that is ordered to be held, and one that is given up."""
_ODDS, _POINTS = 20.0, 40.0
"""What one step of log odds counts in the evaluation, where it knows them and where it does not."""
_RING, _SALLY, _SALLY_TANKS = 4.0, 4, 0.4
"""What a hex beside a capital is worth, the tanks that take it back, and the share of tanks that this wants."""
_CUT = 1.0
"""What it is worth to the Axis of Barbarossa to cut off an enemy point: pockets first, then the cities."""
_WATCH, _PICKET = 2, 1
"""Points that a rich conquest keeps; the Soviets of Barbarossa spare no more before they sally."""
_CHASE = 5.0
"""What an order to drive on to a hex, or not to, counts in exploitation."""
_CHASED, _LEAST = 8, 24
"""To so many hexes spearheads may be ordered to drive on, and so many tries that wants: with fewer luck decides."""
_TO, _SHUN = 3.0, 0.3
"""The force with which a hex is driven on to, and with which it is left alone."""
_PURSUITS: dict[str, tuple[float, ...]] = {"press": (0.15, 0.6, 0.8, 1.1), "draw": (0.2, 1.0)}
_FIELDS = ("reserve", "bold", "mass", "columns", "cut", "press", "minor", "ring", "sally", "tanks", "wary")
_COUNTS = ("columns", "sally", "wary")
_DIALS: dict[str, tuple[float, ...]] = {
    "reserve": (0.0, 0.15, 0.3, 0.5, 0.7, 0.9), "bold": (0.25, 0.4, 0.55, 0.7, 0.8), "mass": (0.6, 0.75, 0.9, 0.97),
    "columns": (0, 1, 2, 3, 5), "cut": (0.0, 0.4, 0.8, 1.2), "press": (0.15, 0.5, 0.7), "minor": (0.0, 0.5, 1.6),
    "ring": (0.0, 4.0, 8.0), "sally": (0, 4, 6), "tanks": (0.1, 0.3, 0.5),
    "wary": (0, 1),
}  # fmt: skip


def edited(base: Doctrine, plan: Orders) -> Doctrine:
    """A doctrine with the orders of a plan."""
    changes: dict[str, Any] = {name: int(value) if name in _COUNTS else value for name, value in plan.dials}
    if plan.aim:
        changes["focus"] = ((ATLAS.index[plan.aim], plan.force),)
    guard = [(ATLAS.index[s], _HELD) for s in plan.hold] + [(ATLAS.index[s], _LEFT) for s in plan.leave]
    if guard:
        changes["guard"] = tuple(sorted(guard))
    return msgspec.structs.replace(base, **changes)


def orders_of(base: Doctrine, doctrine: Doctrine) -> Orders:
    """The plan that makes one doctrine of another."""
    dials = ((name, float(getattr(doctrine, name))) for name in sorted(_FIELDS))
    changed = tuple((name, value) for name, value in dials if value != getattr(base, name))
    if doctrine.focus:
        return Orders(ATLAS.names[doctrine.focus[0][0]], doctrine.focus[0][1], dials=changed)
    return Orders(dials=changed)


Usual = tuple[int, Doctrine]
"""A season, and the doctrine that a colonel would choose in it."""


class Aide(Captain):
    """A quick colonel who carries out a plan: the same doctrine without comparing plans."""

    level = "aide"

    def __init__(self, game: Game[Any], seed: int | str, orders: Orders | None, usual: Usual | None = None) -> None:
        """Without orders he guards what he holds, as a captain does."""
        super().__init__(game, seed)
        self.orders, self.usual = orders, usual

    def doctrine(self, scene: Scene) -> Doctrine:
        """In the season for which it was chosen the usual one, and what a general begins with in any other."""
        base = self.usual[1] if self.usual is not None and self.usual[0] == scene.s.turn else self.outset(scene)
        return base if self.orders is None else edited(base, self.orders)

    def outset(self, scene: Scene) -> Doctrine:
        """What a colonel begins with, and a fight for the hexes around the capitals."""
        base = Colonel.doctrine(self, scene)  # type: ignore[arg-type]
        if scene.s.setting.victory != "capitals":
            base = msgspec.structs.replace(base, watch=_WATCH)
            return msgspec.structs.replace(base, ring=_RING) if scene.side == AXIS else base
        if scene.side == AXIS:
            return msgspec.structs.replace(base, ring=_RING, cut=_CUT, watch=_WATCH)
        return msgspec.structs.replace(base, ring=_RING, sally=_SALLY, tanks=_SALLY_TANKS, watch=_PICKET)

    def standing(self, scene: Scene) -> Plan:
        """What no plan of this turn says is seen as it lies on the map now."""
        plan = super().standing(scene)
        if self.orders is None or plan.pull:
            return plan
        return Plan([], plan.doctrine, pull=Planner(scene, plan.doctrine).pull)

    def make_plan(self, scene: Scene, view: View[Any], budget: Budget) -> Plan:
        if self.orders is None:
            return super().make_plan(scene, view, budget)
        return make(scene, self.doctrine(scene))


class OneTurn(Theatre):
    """A side's turn as the search sees it."""

    replies = (USUAL, Orders(dials=(("bold", 0.35), ("press", 0.2), ("reserve", 0.1))))
    most = 800

    def __init__(self, game: Game[Any], scene: Scene, base: Doctrine) -> None:
        self.scene, self.base, self.side = scene, base, scene.side
        super().__init__(game, SIDES[scene.side], self.orders_for(scene, base))
        self.has_odds = scene.s.setting.victory == "capitals"
        self.from_, self.scale = (0.0, _ODDS) if self.has_odds else (evaluate(scene.s, scene.side), _POINTS)
        self.plans: dict[Orders, Plan] = {}

    def orders_for(self, scene: Scene, base: Doctrine) -> Scope:
        return scope(scene, base)

    def plan(self, orders: Orders) -> Plan:
        """What a plan means for each army."""
        found = self.plans.get(orders)
        if found is None:
            found = self.plans[orders] = make(self.scene, edited(self.base, orders))
        return found

    def lead(self, role: str, plan: Orders) -> Decider:
        if role == self.role:
            return Aide(self.game, role, plan, (self.scene.s.turn, self.base)).quick
        return Aide(self.game, role, None if plan == USUAL else plan).quick

    def boldness(self, plan: Orders) -> float:
        dials = dict(plan.dials)
        return math.fsum(getattr(self.base, name) - dials[name] for name in ("reserve", "bold") if name in dials)

    def is_enemy(self, role: str) -> bool:
        return SIDES.index(role) in ENEMIES[self.side]

    def ending(self) -> Callable[[Match[Any]], bool]:
        side, changes, was = self.side, 0, True

        def is_over(match: Match[Any]) -> bool:
            nonlocal changes, was
            mine = bool(match.state.side == side)
            changes += mine != was
            was = mine
            return changes >= 3

        return is_over

    def by_hand(self, match: Match[Any]) -> float:
        return near(evaluate(match.state, self.side), self.from_, self.scale)

    def value(self, match: Match[Any]) -> float:
        """Where the game's own evaluation counts points and knows no odds, the learned chance alone."""
        learned = None if self.has_odds else self.chance(match)
        return super().value(match) if learned is None else learned

    def prior(self, plan: Orders) -> float:
        return near(judge(self.scene, self.plan(plan)), self.from_, self.scale)

    def key(self, plan: Orders) -> Hashable:
        made = self.plan(plan)
        doctrine = made.doctrine
        return (doctrine.press, doctrine.ring, doctrine.tanks, *sorted((p.at, p.aim, *p.want) for p in made.posts))


class Pursuit(OneTurn):
    """The exploitation of a turn: where spearheads drive on, now that the first attacks have ended."""

    def orders_for(self, scene: Scene, base: Doctrine) -> Scope:
        """The best hex is where spearheads drive anyway: so first what would be done without it."""
        goals = prey_at_hand(scene, Plan([], base, pull=Planner(scene, base).pull))[:_CHASED]
        if not goals:
            return Scope()
        names = tuple(ATLAS.names[goal] for goal in goals)
        to = [Orders(aim=name, force=_TO) for name in names]
        shun = [Orders(aim=name, force=_SHUN) for name in names]
        dials = [Orders(dials=((name, value),)) for name, values in _PURSUITS.items() for value in values[1:]]
        stock = (*shun[:1], *to[1:3], *dials, *to[3:], *shun[1:], *to[:1])
        return Scope(names, dials=_PURSUITS, stock=stock)

    def lead(self, role: str, plan: Orders) -> Decider:
        """The orders end with the turn."""
        if role != self.role:
            return super().lead(role, plan)
        return Aide(self.game, role, USUAL, (self.scene.s.turn, edited(self.base, plan))).quick

    def prior(self, plan: Orders) -> float:
        return 0.0

    def key(self, plan: Orders) -> Hashable:
        return plan


def scope(scene: Scene, base: Doctrine) -> Scope:
    """The enemy's places worth most, the own strongholds, and the numbers of the doctrine."""
    change = msgspec.structs.replace
    aims = tuple(ATLAS.names[x] for x in goals(scene)[:_AIMS])
    own = tuple(ATLAS.names[x] for x in strongholds(scene)[:_OWN])
    doctrines = variations(scene, base)[1:]
    doctrines.append(change(base, columns=0, reserve=min(1.0, base.reserve + 0.2)))
    doctrines.append(change(base, minor=0.0))
    doctrines.append(change(base, wary=1))
    if base.sally:
        doctrines[2:2] = [change(base, sally=6), change(base, sally=0)]
    dials = _DIALS
    if scene.side == AXIS and scene.s.setting.victory == "capitals":  # to hold back looks better than it is: time runs
        doctrines = [doctrine for doctrine in doctrines if doctrine.reserve <= base.reserve]
        dials = {name: values for name, values in _DIALS.items() if name != "reserve"}
    stock = [orders_of(base, doctrine) for doctrine in doctrines]
    stock += [Orders(leave=(place,)) for place in own[:3]]
    return Scope(aims, own, dials=dials, stock=tuple(stock))


def is_exploitation(s: War) -> bool:
    return isinstance(s.stack[-1], exploitation_phase.Exploitation)


class General(Searcher):
    """Searches for the plan of each turn."""

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        super().__init__(game, seed)
        self.staff = Aide(game, self.seed, USUAL)

    def moment(self, view: View[Any]) -> Hashable | None:
        """A movement phase, attacks in a position that was not planned for, or the first of a turn's exploitation."""
        s: War = view.state
        if is_exploitation(s):
            return s.turn, view.role, "exploitation"
        if not isinstance(s.stack[-1], (movement_phase.Movement, attacks_phase.Announce)):
            return None
        return phase_key(Scene(s, SIDES.index(view.role or "")))

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        """What crosses a sea does so first: the plan is for those who have arrived."""
        s: War = view.state
        if isinstance(s.stack[-1], movement_phase.Movement):
            ferry = self.staff.ferry(Scene(s, SIDES.index(view.role or "")), offers)
            if ferry is not None:
                return ferry
        return super().decide(view, offers, budget)

    def think(self, view: View[Any], budget: Budget) -> Found:
        if is_exploitation(view.state):
            hurry = budget.seconds < _HURRY or (budget.tries is not None and budget.tries < _LEAST)
            return self.found if hurry else super().think(view, budget)
        return Found(USUAL) if budget.seconds < _HURRY else super().think(view, budget)

    def theatre(self, view: View[Any]) -> Theatre:
        scene = Scene(view.state, SIDES.index(view.role or ""))
        if is_exploitation(view.state):
            base = msgspec.structs.replace(self.staff.doctrine(scene), chase=_CHASE)
            self.staff.usual = scene.s.turn, base
            self.staff.forget()
            return Pursuit(self.game, scene, base)
        plain = self.staff.outset(scene)
        chosen = max(variations(scene, plain), key=lambda doctrine: judge(scene, Planner(scene, doctrine).make()))
        self.staff.usual = scene.s.turn, chosen
        return OneTurn(self.game, scene, chosen)

    def search_seed(self, view: View[Any]) -> str:
        """The same position is always searched the same way, whoever does it."""
        key = phase_key(Scene(view.state, SIDES.index(view.role or "")))
        return hashlib.blake2b(repr(key).encode(), digest_size=12).hexdigest()

    def follow(self, plan: Orders) -> None:
        self.staff.orders = plan

    def answer(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        return self.staff.decide(view, offers, budget)


class Marshal(General):
    """The same with more time."""

    level, patience = "marshal", 4.0
