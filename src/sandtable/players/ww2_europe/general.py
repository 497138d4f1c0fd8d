"""The general: the colonel's ways to wage the season's war, rehearsed to the end of its battles.

Before the troops of the power that carries its side's war on land move, several doctrines (bolder or more careful, on
the march or on guard) are rehearsed on imagined matches in which everybody plays like a colonel, and the one that comes
out best is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any, ClassVar

import msgspec

from sandtable.core import Action, Game, Match, Offers, View
from sandtable.games.ww2_europe.actions import Done
from sandtable.games.ww2_europe.atlas import ATLAS
from sandtable.games.ww2_europe.convoys import ConvoyPhase
from sandtable.games.ww2_europe.orders import Movement
from sandtable.games.ww2_europe.redeploy import Redeployment
from sandtable.games.ww2_europe.roster import roster
from sandtable.games.ww2_europe.state import AT_WAR, M
from sandtable.players.base import Budget
from sandtable.players.planning import Alarm, play_until, search

from . import economy
from .campaign import CAPTAIN, Doctrine
from .captain import Captain
from .chances import Chances
from .colonel import Colonel
from .evaluate import outlook
from .watch import Watch

A = ATLAS
K = ATLAS.kinds
_MOST = 500
"""Decisions after which a rehearsal is broken off."""
_HABIT = 15.0
"""By how many dollars another way must look better than the usual one before it is tried."""
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
        return 0.0 if plan == CAPTAIN else -_HABIT

    def rehearse(self, plan: Doctrine, match: Match[Any], alarm: Alarm) -> float:
        """This season's moves and battles; everybody else plays like a colonel."""
        staff: dict[str, Captain] = {}
        budget = Budget()

        def decider(role: str) -> Callable[[View[Any], Offers], Action]:
            if role not in staff:
                staff[role] = Colonel(self.game, f"{self.seed}/{role}")
                staff[role].chances = self.chances
                if role == self.role:
                    staff[role].doctrine = plan
            return lambda view, offers: staff[role].decide(view, offers, budget)

        play_until(match, decider, lambda found: isinstance(found.step, Redeployment), alarm, _MOST)
        return outlook(match.play, A.side[A.power_index[self.role]])


def leads(m: M, power: int) -> bool:
    """Whether a power has the largest army of its side."""
    army = {p: len(roster(m).ground[p]) for p in A.side_powers[A.side[power]] if m.state.status[p] == AT_WAR}
    return power in army and army[power] == max(army.values())


class Bastion(Watch):
    """Holds its capitals with more planes and its troops together, and lands where the way leads on to a capital."""

    wary = 0.1
    fear = 1.1
    wings = 13
    ambition = 0.15
    many = 4


class General(Colonel):
    """Rehearses a few doctrines before the troops of its side's leading power move."""

    campaign = Bastion
    planes = 0.75
    spread = True
    bombers: ClassVar[dict[str, int]] = {"great_britain": 7, "germany": 6}

    tries: ClassVar[int] = 8

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        super().__init__(game, seed)
        self.game = game
        self.seed = f"general/{seed}"
        self.thought: tuple[int, tuple[int, ...]] = (-1, ())

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        step, state, power = view.state.stack[-1], view.state, A.power_index[view.role or ""]
        if isinstance(step, Movement) and state.status[power] == AT_WAR:
            moment = (state.turn, step.fronts)
            if moment != self.thought:
                self.thought = moment
                self.doctrine = self.think(view, budget) if leads(self.reader.open(view), power) else CAPTAIN
        return super().decide(view, offers, budget)

    def answer(self, m: M, power: int, offers: Offers) -> Action | None:
        found = super().answer(m, power, offers)
        if isinstance(m.state.stack[-1], ConvoyPhase) and isinstance(found, Done) and power in (A.britain, A.usa):
            troops = economy.hungry(m, power)
            if troops:
                return economy.convoy(m, power, offers, troops)
        return found

    def think(self, view: View[Any], budget: Budget) -> Doctrine:
        season = Season(self.game, view.role or "", f"{self.seed}/{view.number}", self.chances)
        return search(self.game, view, season, seed=season.seed, budget=budget, tries=self.tries)
