"""The general and the marshal: before the troops of a power move, they search for its plan.

A plan is rehearsed to the end of the next season's battles: the enemy has moved twice by then, the own troops too.
Near the end of the war it is rehearsed to the end. Only plans count that are carried out differently.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from random import Random
from typing import Any

import msgspec

from sandtable.core import Action, Game, Match, Offers, View
from sandtable.players import judgement
from sandtable.players.base import Budget, imagine
from sandtable.players.search import Decider, Plan, Scope, Theatre, near
from sandtable.players.searcher import Searcher

from ..facts.roster import roster
from ..model.atlas import ATLAS
from ..model.state import AT_WAR, M, W2State
from ..rules.movement_phase import Movement
from ..rules.redeployment_phase import Redeployment
from .aims import WEST, prize
from .chances import Chances, RoughChances
from .colonel import Colonel
from .evaluate import outlook
from .headquarters import PRUDENT, Headquarters, edited, is_last, usual_way
from .sight import Reader, Sight

A = ATLAS
_SCALE = 250.0
"""Dollars for which hope grows from a half to nearly three quarters."""
_AIMS, _EFFORTS, _OWN = 6, 2, 5
"""How many places can be aimed at, how many at first, and how many may be held."""
_ASKED = 3
"""How many places an ally may be asked for."""
_FLEET = 8.0
"""How much more than usual a capital draws those who cross the sea for it."""
_WORTHY = 10.0
"""What a place must be worth to be aimed at."""
_LEARNED = 0.75
"""How much the learned chance counts beside the dollars."""
_SMALL, _MINOR = 3, 0.4
"""Powers with fewer troops, or with less than such a part of the army of their strongest ally, are led as usual."""
BOLD = Plan(dials=(("bold", 0.3), ("fair", 0.48), ("greed", 1.5), ("sure", 0.7)))
ON_GUARD = Plan(dials=(("bold", 0.6), ("fair", 1.01), ("hold", 1.2), ("lure", 0.05)))
DARING = Plan(dials=(("bold", 0.4), ("fair", 0.58), ("greed", 1.0), ("sure", 0.8)))
CAREFUL = Plan(dials=tuple((name, getattr(PRUDENT, name)) for name in ("bold", "fair", "greed", "sure")))
AFLOAT = Plan(dials=(("many", 20.0),))
"""Not to land: no fleet is as large as that."""
FEW = Plan(dials=(("many", 3.0),))
"""To land already with three."""
_DIALS = {
    "sure": (0.65, 0.7, 0.9), "fair": (0.46, 0.52, 0.66, 1.01), "bold": (0.25, 0.33, 0.5, 0.6), "hold": (0.6, 1.2, 1.5),
    "lure": (0.05, 0.2, 0.3), "greed": (0.7, 1.4, 2.0),
}  # fmt: skip


class Season(Theatre):
    """The turn of one power."""

    replies = (Plan(), BOLD)

    def __init__(self, game: Game[Any], view: View[Any], m: M, chances: Chances) -> None:
        assert view.role is not None
        self.power = A.power_index[view.role]
        self.side = A.side[self.power]
        super().__init__(game, view.role, scope(Sight(m, self.power)))
        self.chances = chances
        self.turn = m.state.turn
        self.base = outlook(m, self.side)
        world = imagine(game, view, Random(0))
        self.m, self.offers = world.play, world.offers(view.role)
        self.scope = msgspec.structs.replace(self.scope, allies=allies(m, self.power))
        self._keys: dict[Plan, Hashable] = {}
        known = {self.key(Plan())}
        stock: list[Plan] = []
        for plan in self.scope.stock:
            key = self.key(plan)
            if key not in known:
                known.add(key)
                stock.append(plan)
        self.scope = msgspec.structs.replace(self.scope, stock=tuple(stock)) if stock else Scope()
        """Where every plan of the stock comes to the same orders, nothing is searched."""

    def __getstate__(self) -> dict[str, Any]:
        """All but what only `key` needs, for a process that rehearses plans: offers cannot be sent to it."""
        return {name: value for name, value in vars(self).items() if name not in ("m", "offers", "_keys")}

    def lead(self, role: str, plan: Plan) -> Decider:
        """The own power as generals do, the others as prudent colonels would, an enemy's bold answer as a general."""
        if role == self.role or (plan != Plan() and self.is_enemy(role)):
            staff: Colonel = Headquarters(self.game, f"rehearsal/{role}", role, self.chances)
            staff.follow(plan)  # type: ignore[attr-defined]
        else:
            staff = Colonel(self.game, f"rehearsal/{role}")
            staff.chances, staff.doctrine = self.chances, edited(plan, A.power_index[role])
        budget = Budget()
        return lambda view, offers: staff.decide(view, offers, budget)

    def key(self, plan: Plan) -> Hashable:
        """The orders that a plan comes to, and what it buys."""
        if plan not in self._keys:
            staff = Headquarters(self.game, "key", self.role, self.chances)
            staff.follow(plan)
            staff.doctrine = staff.orders(self.m.state)
            self._keys[plan] = (plan.build, plan.ask, frozenset(staff.plan(self.m, self.power, self.offers)))
        return self._keys[plan]

    def boldness(self, plan: Plan) -> float:
        usual, dials = usual_way(self.power), dict(plan.dials)
        return math.fsum(getattr(usual, name) - dials[name] for name in ("fair", "bold") if name in dials)

    def is_enemy(self, role: str) -> bool:
        return A.side[A.power_index[role]] != self.side

    def ending(self) -> Callable[[Match[Any]], bool]:
        return self.is_over

    def is_over(self, match: Match[Any]) -> bool:
        """Whether the next season's battles are fought; where that season is the last, the war is over first."""
        ahead = match.state.turn - self.turn
        return ahead > 1 or (ahead == 1 and isinstance(match.step, Redeployment) and not is_last(match.state))

    def by_hand(self, match: Match[Any]) -> float:
        return near(outlook(match.play, self.side), self.base, _SCALE)

    def value(self, match: Match[Any]) -> float:
        """The learned chance before all: dollars do not know how much dearer a loss is to who earns less."""
        learned = self.chance(match)
        if learned is None or match.over:
            return judgement.chance(match, self.role)
        return _LEARNED * learned + (1 - _LEARNED) * self.by_hand(match)


def scope(sight: Sight) -> Scope:
    """The land that is worth most near the own troops, the own places in danger, and how boldly it may be done."""
    side, fronts = sight.side, _fronts(sight)
    own = [s for s in fronts if sight.holder[s] == side and sight.threat.get(s, 0.0) > 0 and sight.keep(s) >= _WORTHY]
    own += [c for c in A.capital if c in fronts and sight.holder[c] == side and c not in own]
    own.sort(key=lambda s: (-sight.keep(s), s))
    names = goals(sight)
    places = tuple(A.names[s] for s in own[:_OWN])
    efforts = [Plan(aim=name, force=2.0) for name in names[:_EFFORTS]]
    stock = (BOLD, DARING, CAREFUL, *efforts, *([Plan(hold=places[:1])] if places else []), ON_GUARD)
    if sight.power in WEST:
        capitals = tuple(A.names[c] for c in A.capital if sight.holder[c] == 1 - side)
        names = (*capitals, *(name for name in names if name not in capitals))
        fleets = [Plan(aim=name, force=_FLEET) for name in capitals]
        stock = (*(Plan(aim=name) for name in capitals[:1]), *fleets, FEW, AFLOAT)
    vital = tuple(A.names[s] for s in own[:_OWN] if s in A.capital)
    return Scope(names, places, vital, (), _DIALS, stock)


def goals(sight: Sight) -> tuple[str, ...]:
    """The land that is worth most near the own troops."""
    wide = {s for at in _fronts(sight) for s in _around(at)}
    aims = sorted(
        (s for s in wide if sight.holder[s] == 1 - sight.side and prize(sight, s) >= _WORTHY),
        key=lambda s: (-prize(sight, s), s),
    )
    return tuple(A.names[s] for s in aims[:_AIMS])


def allies(m: M, power: int) -> dict[str, tuple[str, ...]]:
    """What the others of the own side that plan themselves may be asked for."""
    others = [p for p in A.side_powers[A.side[power]] if p != power and leads_army(m.state, p)]
    found = {A.powers[p]: goals(Sight(m, p))[:_ASKED] for p in others}
    return {role: places for role, places in found.items() if places}


def leads_army(state: W2State, power: int) -> bool:
    """Whether a power is at war and has troops enough for plans of its own."""
    armies = [len(roster(state).ground[p]) for p in A.group_powers[A.group[power]]]
    enough = max(_SMALL, max(armies) * _MINOR)
    return state.status[power] == AT_WAR and len(roster(state).ground[power]) >= enough


def _fronts(sight: Sight) -> set[int]:
    here = {sight.state.space[u] for u in roster(sight.state).ground[sight.power]}
    return {s for at in here if at >= 0 for s in _around(at)}


def _around(space: int) -> set[int]:
    near = {there for there, _, _ in A.land_links[space]}
    return near | {there for s in near for there, _, _ in A.land_links[s]}


class General(Searcher):
    """Wages the war as its headquarters does, by a plan that was rehearsed."""

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        super().__init__(game, seed)
        self.reader = Reader(game)
        self.chances = RoughChances()
        """For rehearsals."""
        self.staff: Headquarters | None = None

    def moment(self, view: View[Any]) -> tuple[Any, ...] | None:
        """A movement of a power that has troops to move."""
        state: W2State = view.state
        step, power = state.stack[-1], A.power_index[view.role or ""]
        if not isinstance(step, Movement) or not leads_army(state, power):
            return None
        return state.turn, step.fronts

    def theatre(self, view: View[Any]) -> Theatre:
        return Season(self.game, view, self.reader.open(view), self.chances)

    def follow(self, plan: Plan) -> None:
        assert self.staff is not None
        self.staff.follow(plan)

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        if self.staff is None:
            self.staff = Headquarters(self.game, self.seed, view.role or "")
        return super().decide(view, offers, budget)

    def answer(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        assert self.staff is not None
        return self.staff.decide(view, offers, budget)


class Marshal(General):
    """The same with more time."""

    level, patience = "marshal", 4.0
