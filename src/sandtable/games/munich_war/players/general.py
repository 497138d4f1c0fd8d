"""The general and the marshal: weigh whole campaigns, wider wars included, and look past the enemy's answer."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.core import Action, Match, Offers, View
from sandtable.players.base import Budget, imagine
from sandtable.players.search import Found, Plan, Theatre, search

from ..model.atlas import NOBODY
from ..model.state import MunichState
from ..rules.setup_phase import Deploy
from .colonel import Colonel
from .lineup import lineups
from .lore import turns_left
from .staff import Staff, side_of_role
from .turn import SetUp

_SET_UP_TURNS = 3
"""Player turns for which a set-up is tried out, the set-up itself being the first."""
_MORE = {1: 2, 0: 4}
"""How many times the rehearsals are made, by the number of game turns to come."""
_BOLD = Plan(dials=(("bold", -0.05), ("push", 1.5), ("thrift", 0.7)))


class General(Colonel):
    """Looks past the enemy's reply, and does not leave neutrals in peace when they are worth a war."""

    level = "general"
    tries = None
    exact = 3
    set_up = NOBODY
    """The country whose set-up was thought about last."""
    turns = 3
    wider = True

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        step = view.state.stack[-1]
        if isinstance(step, Deploy) and self.set_up != step.country:
            self.set_up = step.country
            side = side_of_role(view.role)
            self.staff = self.staff or Staff(side, self.usual[side])
            self.staff.lineup = self.choose_lineup(view, step, side, budget)
        return super().decide(view, offers, budget)

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

    def choose_lineup(self, view: View[Any], step: Deploy, side: int, budget: Budget) -> list[Action]:
        """The set-up of a country that leaves most hope after the first turns."""
        world: Match[MunichState] = imagine(self.game, view, self.rng)
        options = lineups(world.play, step.country, side, cover=self.usual[side].ahead)
        if len(options) == 1 or world.state.side[step.country] != side:
            return options[0]
        theatre = SetUp(self.game, world, side, self.both(side), _SET_UP_TURNS, options)
        return theatre.lineup(search(self.game, view, theatre, seed=self.search_seed(view), budget=budget).plan)


class Marshal(General):
    """The same with more time."""

    level, patience = "marshal", 4.0
