"""The colonel: tries several plans for the whole turn on imagined matches, dice included, and carries out the best."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, ClassVar

import msgspec

from sandtable.core import Action, Game, Match, Offers, View
from sandtable.players.base import Budget, imagine

from ..model.atlas import ALLIES, ATLAS, AXIS
from ..model.state import M, MunichState
from ..rules.air_phase import AirLaunch
from ..rules.movement_phase import Movement
from .lore import Doctrine, stakes
from .race import Race
from .staff import Staff, side_of_role
from .tryout import Draft, EvenDice

_REST = 0.9
"""Share of the budget after which no try is begun or goes on."""
_OFTEN = 3
"""Tries that say something about a plan."""


def variants(m: M, side: int, base: Doctrine) -> list[Doctrine]:
    """Plans worth trying: the usual one, bolder and more careful ones, and one for each country worth going for."""

    def but(**changes: float) -> Doctrine:
        return msgspec.structs.replace(base, **changes)

    goals = sorted({ATLAS.country_of[at] for at in stakes(m, side, base).take})
    found = [base, but(bold=0.45), but(ground=0.7), but(bold=-0.05, thrift=0.7)]
    found += [but(focus=country) for country in goals if m.state.side[country] == 1 - side]
    found += [but(push=2.0, hold=0.5, guard=0.7), but(push=0.4, hold=2.0, guard=1.5), but(guard=1.8)]
    return found


class Colonel:
    """Chooses the plan of a turn by trying it out; decides the rest by the plan's rules of thumb."""

    usual: ClassVar[Mapping[int, Doctrine]] = {
        AXIS: Doctrine(watch=12, wary=True),
        ALLIES: Doctrine(watch=12, wary=True, cling=True),
    }
    """What each side does when nothing speaks for another plan."""
    tries = 6
    """How many rounds of tries there are, each with other luck."""
    choices = 12
    """How many plans are tried at most."""
    turns = 1
    """How many player turns each try lasts."""
    name = "colonel"
    clock = staticmethod(time.perf_counter)

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        self.game = game
        self.rng = Random(f"{self.name}/{seed}")
        self.staff: Staff | None = None
        self.thought: tuple[int, int] = (-1, -1)

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        side = side_of_role(view.role)
        if self.staff is None:
            self.staff = Staff(side, self.usual[side])
        state: MunichState = view.state
        step = state.stack[-1]
        if isinstance(step, (AirLaunch, Movement)) and self.thought != self.occasion(state):
            self.thought = self.occasion(state)
            self.staff.doctrine = self.choose(view, side, budget)

        def dream() -> M:
            return imagine(self.game, view, self.rng).play

        return self.staff.answer(state, dream, offers)

    def occasion(self, state: MunichState) -> tuple[int, int]:
        """What the thinking is for: once per turn."""
        return state.turn, 0

    def choose(self, view: View[Any], side: int, budget: Budget) -> Doctrine:
        """The plan with the best average, every plan tried with the same luck."""
        seed = self.rng.getrandbits(64)
        late = self.alarm(budget)
        world: Match[MunichState] = imagine(self.game, view, Random(seed))
        plans = self.plans(world.play, side)[: self.most(budget)]
        race = Race([Draft(world, side, plan, self.reply(side)) for plan in plans], late)
        race.go(EvenDice(seed, world.state.rolled), self.rounds(budget, len(plans)), self.turns)
        return plans[race.best()]

    def most(self, budget: Budget) -> int:
        """How many plans are tried: rather few of them often enough than many only once."""
        return self.choices if budget.tries is None else max(1, budget.tries // _OFTEN)

    def rounds(self, budget: Budget, plans: int) -> int:
        """How often each plan is tried at most."""
        return self.tries if budget.tries is None else max(1, budget.tries // plans)

    def alarm(self, budget: Budget) -> Callable[[], bool]:
        """Tells when the thinking must end."""
        clock = self.clock
        until = clock() + budget.seconds * _REST
        return lambda: clock() > until

    def plans(self, m: M, side: int) -> list[Doctrine]:
        return variants(m, side, self.usual[side])

    def reply(self, side: int) -> Doctrine:
        """How the enemy of a side is thought to play."""
        return Colonel.usual[1 - side]
