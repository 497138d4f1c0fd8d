"""The general: weighs whole campaigns, wider wars included, and looks past the enemy's answer.

Every plan is tried for the turn with several kinds of luck, as the colonel does it; the best then have to prove
themselves through the enemy's reply. The number of tries decides, so that the same seed finds the same plan; the clock
is only the ceiling.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

import msgspec

from sandtable.core import Action, Match, Offers, View
from sandtable.players.base import Budget, imagine

from ..model.atlas import ALLIES, AXIS, NOBODY
from ..model.state import M, MunichState
from ..rules.setup_phase import Deploy
from .colonel import Colonel, variants
from .lineup import lineups
from .lore import Doctrine, prey_of, turns_left
from .race import Race
from .staff import Staff, side_of_role
from .tryout import Draft, EvenDice

_SET_UP_ROUNDS = 2
_SET_UP_TURNS = 3
"""Player turns for which a set-up is tried out, the set-up itself being the first."""
_BETTER = 0.03
"""The gain in hope for which another set-up than the default is taken."""
_FINALISTS = 3
_WIDER = 2
"""How many plans are tried in a wider war, too."""
_TO_THE_END = 99
"""Player turns enough for what is left of a match."""


class General(Colonel):
    """Looks past the enemy's reply, and does not leave neutrals in peace when they are worth a war."""

    name = "general"
    usual: ClassVar[Mapping[int, Doctrine]] = {
        AXIS: Doctrine(watch=12, wary=True, cling=True),
        ALLIES: Doctrine(watch=12, wary=True, cling=True),
    }
    set_up = NOBODY
    """The country whose set-up was thought about last."""
    turns = 2

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        step = view.state.stack[-1]
        if isinstance(step, Deploy) and self.set_up != step.country:
            self.set_up = step.country
            side = side_of_role(view.role)
            self.staff = self.staff or Staff(side, self.usual[side])
            self.staff.lineup = self.choose_lineup(view, step, side, budget)
        return super().decide(view, offers, budget)

    def choose_lineup(self, view: View[Any], step: Deploy, side: int, budget: Budget) -> list[Action]:
        """The set-up of a country that leaves most hope after the first turns."""
        seed = self.rng.getrandbits(64)
        late = self.alarm(budget)
        world: Match[MunichState] = imagine(self.game, view, Random(seed))
        options = lineups(world.play, step.country, side)
        if budget.tries is not None:
            options = options[: max(1, budget.tries // (2 * _SET_UP_ROUNDS))]
        if len(options) == 1 or world.state.side[step.country] != side:
            return options[0]
        usual = self.plans(world.play, side)[0]
        race = Race([Draft(world, side, usual, self.reply(side), lineup) for lineup in options], late)
        race.go(EvenDice(seed, world.state.rolled), _SET_UP_ROUNDS, _SET_UP_TURNS)
        return options[race.best(_BETTER)]

    def choose(self, view: View[Any], side: int, budget: Budget) -> Doctrine:
        """All plans are tried for the turn; the best of them, and the usual one, through what comes after it."""
        seed = self.rng.getrandbits(64)
        late = self.alarm(budget)
        world: Match[MunichState] = imagine(self.game, view, Random(seed))
        plans = self.plans(world.play, side)[: self.most(budget)]
        race = Race([Draft(world, side, plan, self.reply(side)) for plan in plans], late)
        rounds = self.rounds(budget, len(plans))
        race.go(EvenDice(seed, world.state.rolled), rounds, 1)
        race.keep(_FINALISTS)
        other: Match[MunichState] = imagine(self.game, view, Random(seed + 1))
        race.move(other)
        horizon = self.turns if turns_left(other.play) else _TO_THE_END
        race.go(EvenDice(seed + 1, other.state.rolled), rounds, horizon)
        return plans[race.best()]

    def plans(self, m: M, side: int) -> list[Doctrine]:
        """The usual plans, and for a side with a power that may invade the first of them in a wider war."""
        found = variants(m, side, self.usual[side])
        if prey_of(m, side):
            found[1:1] = [msgspec.structs.replace(plan, widen=1.0) for plan in found[:_WIDER]]
        return found
