"""The captain: rules of thumb for every decision, thought out on a position imagined from what can be seen."""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.core import Action, Game, Offers, View
from sandtable.players.base import Budget, imagine

from ..model.state import M
from .lore import Doctrine
from .staff import Staff, side_of_role

CAPTAIN = Doctrine(watch=12, wary=True)


class Captain:
    """Plays by rules of thumb and leaves neutrals in peace."""

    doctrine = CAPTAIN

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        self.game = game
        self.rng = Random(f"captain/{seed}")
        self.staff: Staff | None = None

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        if self.staff is None:
            self.staff = Staff(side_of_role(view.role), self.doctrine)

        def dream() -> M:
            return imagine(self.game, view, self.rng).play

        return self.staff.answer(view.state, dream, offers)
