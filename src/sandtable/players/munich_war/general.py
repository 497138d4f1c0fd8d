"""The general: weighs whole campaigns, wider wars included, and looks past the enemy's answer.

Every plan is tried for the turn with several kinds of luck, as the colonel does it; the best then have to prove
themselves through the enemy's reply, or to the end of the match when that is near. The number of tries decides, so
that the same seed finds the same plan; the clock is only the ceiling.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

import msgspec

from sandtable.core import Action, Match, Offers, View
from sandtable.games.munich_war.atlas import ALLIES, AXIS, NOBODY
from sandtable.games.munich_war.deployment import Deploy
from sandtable.games.munich_war.facts import M
from sandtable.games.munich_war.state import MunichState
from sandtable.players.base import Budget, imagine

from .colonel import CLEAR, Colonel, variants
from .lineup import lineups
from .lore import Doctrine, prey_of, turns_left
from .staff import Script, Staff, side_of_role
from .tryout import LUCKS, Tryout

_SET_UP_LUCKS = ((3, 4), (4, 3))
_SET_UP_TURNS = 5
"""Player turns for which a set-up is tried out, the set-up itself being the first."""
_BETTER = 0.03
"""The gain in hope for which another set-up than the default is taken."""
_FINALISTS = 3
_TO_THE_END = 99
"""Player turns enough for what is left of a match."""


class General(Colonel):
    """Looks past the enemy's reply, and does not leave neutrals in peace when they are worth a war."""

    name = "general"
    usual: ClassVar[Mapping[int, Doctrine]] = {
        AXIS: Doctrine(watch=8, wary=True, cling=True),
        ALLIES: Doctrine(watch=8, cling=True),
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
        late = self.alarm(budget)
        seed = self.rng.getrandbits(64)
        first: Match[MunichState] = imagine(self.game, view, Random(seed))
        options = lineups(first.play, step.country, side)
        if budget.tries is not None:
            options = options[: max(1, budget.tries // len(_SET_UP_LUCKS))]
        if len(options) == 1 or first.state.side[step.country] != side:
            return options[0]
        totals = [0.0] * len(options)
        for luck in _SET_UP_LUCKS:
            found = []
            for lineup in options:
                match: Match[MunichState] = imagine(self.game, view, Random(seed))
                tryout = Tryout(match, side, self.usual[side], self.reply(side), luck)
                tryout.staffs[side].lineup = list(lineup)
                found.append(tryout.run(_SET_UP_TURNS, late))
                if late():
                    return options[0]
            totals = [total + value for total, value in zip(totals, found, strict=True)]
        best = max(range(len(options)), key=lambda place: (totals[place], -place))
        return options[best] if totals[best] > totals[0] + _BETTER * len(_SET_UP_LUCKS) else options[0]

    def choose(self, view: View[Any], side: int, budget: Budget) -> Doctrine:
        """All plans are tried for the turn; the best of them, and the usual one, through what comes after it."""
        late = self.alarm(budget)
        seed = self.rng.getrandbits(64)
        first: Match[MunichState] = imagine(self.game, view, Random(seed))
        plans = self.plans(first.play, side)[: budget.tries]
        scripts: list[Script] = [{} for _ in plans]
        totals = [0.0] * len(plans)
        horizon = _TO_THE_END if turns_left(first.play) <= 1 else self.turns
        rounds = self.tries if budget.tries is None else max(1, budget.tries // len(plans))
        race = list(range(len(plans)))
        done = 0
        for turns in (1, horizon):
            for luck in LUCKS[:rounds]:
                found = {}
                for place in race:
                    match: Match[MunichState] = imagine(self.game, view, Random(seed + done))
                    tryout = Tryout(match, side, plans[place], self.reply(side), luck, scripts[place])
                    found[place] = tryout.run(turns, late)
                    if late():
                        return self.pick(plans, totals, race, done)  # an unfinished round does not count
                for place, value in found.items():
                    totals[place] += value
                done += 1
            race.sort(key=lambda place: (-totals[place], place))
            race = sorted({0, *race[:_FINALISTS]})
        return self.pick(plans, totals, race, done)

    def pick(self, plans: list[Doctrine], totals: list[float], race: list[int], rounds: int) -> Doctrine:
        """The best still in the race; the usual plan gives way to a clear gain only."""
        best = max(race, key=lambda place: (totals[place], -place))
        return plans[best] if totals[best] > totals[0] + CLEAR * rounds else plans[0]

    def plans(self, m: M, side: int) -> list[Doctrine]:
        """The usual plans, for a side with a power that may invade in a wider war."""
        found = variants(m, side, self.usual[side])
        if not prey_of(m, side):
            return found
        return [msgspec.structs.replace(plan, widen=1.0) for plan in found]
