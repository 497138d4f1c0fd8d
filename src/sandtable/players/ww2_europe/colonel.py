"""The colonel and the general: ways to wage the season's war on land, rehearsed to the end of its battles.

Both fight like the captain, but before the troops of a power move they rehearse several doctrines (bolder or more
careful, on the march or on guard) on imagined matches, in which everybody else plays like a captain, and take the one
that comes out best. The colonel rehearses a few known ones, the general goes on varying those that did well.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any, ClassVar

import msgspec

from sandtable.core import Action, Game, Match, Offers, View
from sandtable.games.ww2_europe.actions import Done
from sandtable.games.ww2_europe.atlas import ATLAS
from sandtable.games.ww2_europe.buy import Purchases
from sandtable.games.ww2_europe.convoys import ConvoyPhase
from sandtable.games.ww2_europe.orders import Movement
from sandtable.games.ww2_europe.ready import sorted_units
from sandtable.games.ww2_europe.redeploy import Redeployment
from sandtable.games.ww2_europe.state import AT_WAR, M
from sandtable.players.base import Budget
from sandtable.players.planning import Alarm, play_until, search

from . import expedition, fleet, ministry
from .campaign import CAPTAIN, Doctrine
from .captain import Captain
from .chances import Chances, SharpChances
from .evaluate import evaluate
from .sight import Sight
from .watch import Watch

A = ATLAS
_MOST = 500
"""Decisions after which a rehearsal is broken off."""
FIRST = (
    CAPTAIN,
    Doctrine(sure=0.9, fair=0.7, bold=0.5, greed=0.7),
    Doctrine(sure=0.7, fair=0.48, bold=0.3, greed=1.5),
    Doctrine(fair=1.01, bold=0.6, hold=1.2, lure=0.05),
)
"""As usual; careful; bold; on guard."""


class Season:
    """The turn of one power as something to be planned."""

    def __init__(self, game: Game[Any], role: str, seed: str, chances: Chances) -> None:
        self.game, self.role, self.seed, self.chances = game, role, seed, chances

    def first(self) -> Sequence[Doctrine]:
        return FIRST

    def vary(self, parents: Sequence[Doctrine], rng: Random) -> Doctrine | None:
        plan = parents[int(rng.random() * len(parents))]
        change = {
            "sure": min(0.95, max(0.6, plan.sure + rng.uniform(-0.1, 0.1))),
            "fair": plan.fair + rng.uniform(-0.12, 0.12),
            "bold": plan.bold + rng.uniform(-0.1, 0.1),
            "hold": plan.hold + rng.uniform(-0.3, 0.3),
            "lure": plan.lure * rng.choice((0.5, 1.0, 2.0)),
            "greed": plan.greed * rng.choice((0.7, 1.0, 1.4)),
        }
        return msgspec.structs.replace(plan, **change)

    def key(self, plan: Doctrine) -> Hashable:
        return plan

    def prior(self, plan: Doctrine) -> float:
        return 0.0

    def rehearse(self, plan: Doctrine, match: Match[Any], alarm: Alarm) -> float:
        """This season's moves and battles; everybody else plays like a captain."""
        staff: dict[str, Captain] = {}
        budget = Budget()

        def decider(role: str) -> Callable[[View[Any], Offers], Action]:
            if role not in staff:
                staff[role] = Captain(self.game, f"{self.seed}/{role}")
                staff[role].chances = self.chances
                if role == self.role:
                    staff[role].doctrine = plan
            return lambda view, offers: staff[role].decide(view, offers, budget)

        play_until(match, decider, lambda found: isinstance(found.step, Redeployment), alarm, _MOST)
        return evaluate(match.state, A.side[A.power_index[self.role]])


class Colonel(Captain):
    """Keeps its capitals first, lands where it pays, and rehearses a few doctrines before its troops move."""

    tries: ClassVar[int] = 0
    campaign = Watch

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        super().__init__(game, seed)
        self.game = game
        self.chances = SharpChances()
        self.seed = f"{type(self).__name__}/{seed}"
        self.thought: tuple[int, tuple[int, ...]] = (-1, ())

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        step, state = view.state.stack[-1], view.state
        if self.tries and isinstance(step, Movement) and state.status[A.power_index[view.role or ""]] == AT_WAR:
            moment = (state.turn, step.fronts)
            if moment != self.thought:
                self.thought = moment
                self.doctrine = self.think(view, budget)
        return super().decide(view, offers, budget)

    def think(self, view: View[Any], budget: Budget) -> Doctrine:
        season = Season(self.game, view.role or "", f"{self.seed}/{view.number}", self.chances)
        return search(self.game, view, season, seed=season.seed, budget=budget, tries=self.tries)

    # ---- what it does better
    def answer(self, m: M, power: int, offers: Offers) -> Action | None:
        step = m.state.stack[-1]
        if not isinstance(step, Purchases | ConvoyPhase | Redeployment):
            return super().answer(m, power, offers)
        camp = self.survey(m, power)
        seaborne = power in (A.britain, A.usa) and expedition.goal_of(camp) >= 0
        if isinstance(step, Purchases):
            fleet_size = expedition.FLEET if seaborne and power == A.britain else 0
            ready = seaborne and expedition.strength(camp, expedition.goal_of(camp)) > 1
            return ministry.purchase(m, camp, offers, self.rng, ships=fleet_size, depot=ready)
        if isinstance(step, ConvoyPhase) and seaborne:
            return expedition.recall(m, expedition.coup(camp)) or Done()
        if isinstance(step, Redeployment) and seaborne:
            found = expedition.gather(camp, offers)
            if found is not None:
                return found
        return super().answer(m, power, offers)

    def survey(self, m: M, power: int) -> Watch:
        """The position, with nobody to be ordered about."""
        return Watch(Sight(m, power), (), (), self.chances, blitz=False, doctrine=self.doctrine)

    def plan(self, m: M, power: int, offers: Offers) -> list[Action]:
        step = m.state.stack[-1]
        if not isinstance(step, Movement) or m.state.status[power] != AT_WAR:
            return super().plan(m, power, offers)
        sight = Sight(m, power)
        sorts = sorted_units(m, power, step.fronts)
        march = Watch(sight, sorts.ground, sorts.air, self.chances, blitz=False, doctrine=self.doctrine)
        ashore = expedition.landing(march, sorts.transports)
        march.man_capitals()
        march.attack_all()
        march.help_all()
        march.shift_all()
        return ashore + march.orders + fleet.orders(sight, sorts, march.planes, offers, self.rng)


class General(Colonel):
    """Goes on varying what did well."""

    tries: ClassVar[int] = 16
