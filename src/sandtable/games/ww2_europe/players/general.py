"""The general: the colonel's ways to wage the season's war, rehearsed to the end of its battles.

Before the troops of the power that carries its side's war on land move, several doctrines (bolder or more careful, on
the march or on guard) are rehearsed on imagined matches in which everybody plays like a colonel, and the one that comes
out best is taken. Beside that it knows more of the war as a whole: a fighter over every dear factory, British money for
bombers and ships, the Western Allies ashore early and reinforced over the sea, and in the last season nothing to lose.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any, ClassVar

import msgspec

from sandtable.core import Action, Game, Match, Offers, View
from sandtable.players.base import Budget
from sandtable.players.planning import Alarm, play_until, search

from ..facts.roster import roster
from ..model.actions import BuyPoint, Done, LeaveConvoy
from ..model.atlas import ATLAS
from ..model.calendar import turn_track
from ..model.state import AT_WAR, M, W2State
from ..rules.buy_phase import Purchases
from ..rules.convoy_phase import ConvoyPhase
from ..rules.movement_phase import Movement
from ..rules.redeployment_phase import Redeployment
from ..rules.victory import flags_held
from . import bridgehead, economy, ministry
from .bastion import Bastion, Spearhead
from .campaign import CAPTAIN, Doctrine
from .captain import Captain
from .chances import Chances, WinterChances
from .choices import late_share, may
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
    Doctrine(sure=0.7, fair=0.48, bold=0.3, greed=1.5),
    Doctrine(fair=1.01, bold=0.6, hold=1.2, lure=0.05),
    Doctrine(sure=0.9, fair=0.7, bold=0.5, greed=0.7),
)
"""As usual; bold; on guard; careful."""
LAST = Doctrine(sure=0.95, bold=0.04, greed=20.0, all_in=True)
"""When all is over after this season there is nothing to save for."""


class Season:
    """The turn of one power as something to be planned."""

    def __init__(self, game: Game[Any], role: str, seed: str, chances: Chances, campaign: type[Watch]) -> None:
        self.game, self.role, self.seed, self.chances, self.campaign = game, role, seed, chances, campaign

    def first(self) -> Sequence[Doctrine]:
        """The attacker tries more boldly before more carefully, the defender the other way round."""
        return FIRST if A.side[A.power_index[self.role]] == 0 else (FIRST[0], *FIRST[:0:-1])

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
                    staff[role].doctrine, staff[role].campaign = plan, self.campaign
            return lambda view, offers: staff[role].decide(view, offers, budget)

        play_until(match, decider, lambda found: isinstance(found.step, Redeployment), alarm, _MOST)
        return outlook(match.play, A.side[A.power_index[self.role]])


def leads(m: M, power: int) -> bool:
    """Whether a power has the largest army of its side."""
    army = {p: len(roster(m.state).ground[p]) for p in A.side_powers[A.side[power]] if m.state.status[p] == AT_WAR}
    return power in army and army[power] == max(army.values())


def ahead(state: W2State, side: int) -> bool:
    """Whether a side has more capitals than the other."""
    return len(flags_held(state, side)) > len(flags_held(state, 1 - side))


class General(Colonel):
    """Rehearses a few doctrines before the troops of its side's leading power move."""

    campaign = Bastion
    planes = 0.75
    spread = True
    shopping = ministry.OVERSEAS
    bombers: ClassVar[dict[str, int]] = {"great_britain": 9, "germany": 6}

    tries: ClassVar[int] = 2

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        super().__init__(game, seed)
        self.game = game
        self.chances = WinterChances()
        self.seed = f"general/{seed}"
        self.thought: tuple[int, tuple[int, ...]] = (-1, ())

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        step, state, power = view.state.stack[-1], view.state, A.power_index[view.role or ""]
        if A.side[power] == 0:
            self.campaign, self.planes = Spearhead, ministry.PLANES
        if isinstance(step, Movement) and state.status[power] == AT_WAR:
            moment = (state.turn, step.fronts)
            if moment != self.thought:
                self.thought = moment
                self.doctrine = self.choose(view, power, budget)
        return super().decide(view, offers, budget)

    def choose(self, view: View[Any], power: int, budget: Budget) -> Doctrine:
        """Return the usual way, the best of several, or in the last season whatever may still bring a capital in."""
        state = view.state
        if state.turn + 1 >= len(turn_track(state.scenario)) and not ahead(state, A.side[power]):
            return LAST
        return self.think(view, budget) if leads(self.reader.open(view), power) else CAPTAIN

    def answer(self, m: M, power: int, offers: Offers) -> Action | None:
        step = m.state.stack[-1]
        if power not in (A.britain, A.usa):
            return super().answer(m, power, offers)
        if isinstance(step, Purchases) and power == A.usa and may(offers, BuyPoint) and not self.pacific(m.state):
            return BuyPoint()  # the way over the ocean is made wider before anything else
        if isinstance(step, Redeployment) and m.state.status[power] == AT_WAR:
            crossing = bridgehead.reinforce(self.survey(m, power), offers)
            if crossing is not None:
                return crossing
        if isinstance(step, ConvoyPhase) and offers[LeaveConvoy]:
            home = bridgehead.call_home(m, power, offers)
            if home is not None:
                return home
        found = super().answer(m, power, offers)
        if isinstance(step, ConvoyPhase) and isinstance(found, Done):
            troops = economy.hungry(m, power)
            if troops:
                return economy.convoy(m, power, offers, troops)
        return found

    def seaborne(self, camp: Watch) -> bool:
        """The Western Allies always want ships."""
        return camp.sight.power in (A.britain, A.usa)

    def fleet_size(self, m: M, power: int) -> int:
        """The Americans also want ships at home for those who wait there."""
        if power != A.usa:
            return super().fleet_size(m, power)
        return ministry.afloat(m, power) + bridgehead.ships_missing(m, A.usa)

    def pacific(self, state: W2State) -> int:
        """The Pacific is paid as late in the year as may be."""
        return late_share(state)

    def think(self, view: View[Any], budget: Budget) -> Doctrine:
        season = Season(self.game, view.role or "", f"{self.seed}/{view.number}", self.chances, self.campaign)
        return search(self.game, view, season, seed=season.seed, budget=budget, tries=self.tries)
