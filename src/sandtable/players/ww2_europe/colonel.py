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
from sandtable.games.ww2_europe.atlas import ATLAS
from sandtable.games.ww2_europe.orders import Movement
from sandtable.games.ww2_europe.redeploy import Redeployment
from sandtable.games.ww2_europe.state import AT_WAR
from sandtable.players.base import Budget
from sandtable.players.planning import Alarm, play_until, search

from .campaign import CAPTAIN, Doctrine
from .captain import Captain
from .chances import Chances
from .evaluate import evaluate

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
    """Rehearses a few doctrines before its troops move."""

    tries: ClassVar[int] = len(FIRST)

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        super().__init__(game, seed)
        self.game = game
        self.seed = f"{type(self).__name__}/{seed}"
        self.thought: tuple[int, tuple[int, ...]] = (-1, ())

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        step, state = view.state.stack[-1], view.state
        if isinstance(step, Movement) and state.status[A.power_index[view.role or ""]] == AT_WAR:
            moment = (state.turn, step.fronts)
            if moment != self.thought:
                self.thought = moment
                self.doctrine = self.think(view, budget)
        return super().decide(view, offers, budget)

    def think(self, view: View[Any], budget: Budget) -> Doctrine:
        season = Season(self.game, view.role or "", f"{self.seed}/{view.number}", self.chances)
        return search(self.game, view, season, seed=season.seed, budget=budget, tries=self.tries)


class General(Colonel):
    """Goes on varying what did well."""

    tries: ClassVar[int] = 16
