"""The general and the marshal: raid easy neutrals, weigh wider wars, and rehearse to the end of the match."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import msgspec

from sandtable.core import View
from sandtable.players.base import Budget, imagine
from sandtable.players.search import Found, Plan, Theatre

from ..rules.setup_phase import Deploy
from .colonel import Colonel
from .lore import Doctrine, turns_left
from .staff import side_of_role
from .turn import Opening, edited

_MORE = {1: 2, 0: 4}
"""How many times the rehearsals are made, by the number of game turns to come."""
_SET_UP = "set-up"
_BOLD = Plan(dials=(("bold", -0.05), ("push", 1.5), ("thrift", 0.7)))


class General(Colonel):
    """Looks past the enemy's reply, and leaves no neutral in peace that is worth a war and falls easily."""

    level = "general"
    tries = None
    usual = (
        Doctrine(watch=12, wary=True, ahead=True, raid=1.0, spare=True),
        Doctrine(watch=12, wary=True, ahead=True, cling=True, raid=1.0, spare=True),
    )
    exact = 3
    turns = 3
    wider = True

    def think(self, view: View[Any], budget: Budget) -> Found:
        """The nearer the end, the shorter a rehearsal: more of them are made."""
        if budget.tries is not None:
            tries = budget.tries * _MORE.get(turns_left(view.state), 1)
            budget = msgspec.structs.replace(budget, tries=tries)
        return super().think(view, budget)

    def theatre(self, view: View[Any]) -> Theatre:
        found = super().theatre(view)
        found.replies = (Plan(), _BOLD)
        return found


class Marshal(General):
    """The same with more time, some of which goes into the set-up."""

    level, patience = "marshal", 4.0

    def moment(self, view: View[Any]) -> Hashable | None:
        """Before the first turn: when the first country is set up."""
        return _SET_UP if isinstance(view.state.stack[-1], Deploy) else super().moment(view)

    def theatre(self, view: View[Any]) -> Theatre:
        if not isinstance(view.state.stack[-1], Deploy):
            return super().theatre(view)
        world = imagine(self.game, view, self.rng)
        return Opening(self.game, world, side_of_role(view.role), self.usual)

    def follow(self, plan: Plan) -> None:
        if self._thought != _SET_UP:
            return super().follow(plan)
        assert self.staff is not None
        self.staff.first = edited(self.usual[self.staff.side], plan)
