"""The general: searches among whole campaigns, wider wars included, and looks past the enemy's answer.

Rounds of halving: every plan is tried once, the better half again with other luck, together with children that mix
the traits of the best, until the tries are used up. The number of tries decides, so that the same seed finds the same
plan; the clock is only the ceiling.
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

_TRAITS = ("bold", "thrift", "push", "hold", "guard", "ground", "focus", "widen")
_FEWEST = 3
"""So many plans stay in the race to the end."""


_SET_UP_LUCKS = ((3, 4), (4, 3))
_SET_UP_TURNS = 5
"""Player turns for which a set-up is tried out, the set-up itself being the first."""


_TO_THE_END = 99
"""Player turns enough for what is left of a match."""


class _Entry:
    """A plan and how it did so far."""

    __slots__ = ("count", "plan", "script", "total")

    def __init__(self, plan: Doctrine) -> None:
        self.plan, self.total, self.count = plan, 0.0, 0
        self.script: Script = {}

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else -1.0


class General(Colonel):
    """Looks past the enemy's reply, and does not leave neutrals in peace when they are worth a war."""

    name = "general"
    usual: ClassVar[Mapping[int, Doctrine]] = {
        AXIS: Doctrine(watch=8, wary=True, cling=True),
        ALLIES: Doctrine(watch=8, cling=True),
    }
    set_up = NOBODY
    """The country whose set-up was thought about last."""
    tries = 36
    """How many tries there are in all."""
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
        return options[max(range(len(options)), key=lambda place: (totals[place], -place))]

    def choose(self, view: View[Any], side: int, budget: Budget) -> Doctrine:
        late = self.alarm(budget)
        seed = self.rng.getrandbits(64)
        first: Match[MunichState] = imagine(self.game, view, Random(seed))
        horizon = _TO_THE_END if turns_left(first.play) <= 1 else self.turns
        entries = [_Entry(plan) for plan in self.plans(first.play, side)]
        usual = entries[0]
        seen = {entry.plan for entry in entries}
        left = self.tries if budget.tries is None else budget.tries
        wanted = 1
        while left > 0 and not late():
            for entry in entries:
                while entry.count < wanted and left > 0:
                    match: Match[MunichState] = imagine(self.game, view, Random(seed + entry.count))
                    luck = LUCKS[entry.count % len(LUCKS)]
                    value = Tryout(match, side, entry.plan, self.reply(side), luck, entry.script).run(horizon, late)
                    if late():
                        return self.pick(entries, usual)
                    entry.total, entry.count, left = entry.total + value, entry.count + 1, left - 1
            if left <= 0:
                break
            entries.sort(key=lambda entry: -entry.mean)
            kept = entries[: max(_FEWEST, (len(entries) + 1) // 2)]
            entries = kept if usual in kept else [*kept, usual]
            for _ in range(len(entries) // 4):
                child = self.child([entry.plan for entry in entries[:_FEWEST]])
                if child not in seen:
                    seen.add(child)
                    entries.append(_Entry(child))
            wanted = min(2 * wanted, wanted + 2)
        return self.pick(entries, usual)

    def pick(self, entries: list[_Entry], usual: _Entry) -> Doctrine:
        """The best of those tried most: one lucky try proves nothing. The usual plan gives way to a clear gain only."""
        most = max(entry.count for entry in entries)
        sure = [entry for entry in entries if entry.count and 2 * entry.count >= most]
        best = max(sure, key=lambda entry: entry.mean, default=usual)
        return best.plan if best.mean > usual.mean + CLEAR else usual.plan

    def child(self, parents: list[Doctrine]) -> Doctrine:
        """A plan that takes every trait from one of two good ones."""
        one, two = self.rng.sample(parents, 2)
        traits = {name: getattr(one if self.rng.random() < 0.5 else two, name) for name in _TRAITS}
        return msgspec.structs.replace(one, **traits)

    def plans(self, m: M, side: int) -> list[Doctrine]:
        """The usual plans; for a power that may invade, most of them with the wider war, which is then the usual."""
        found = variants(m, side, self.usual[side])
        if not prey_of(m, side):
            return found
        wider = [msgspec.structs.replace(plan, widen=1.0) for plan in found]
        return wider + [plan for plan in found if plan == found[0] or plan.hold > found[0].hold]
