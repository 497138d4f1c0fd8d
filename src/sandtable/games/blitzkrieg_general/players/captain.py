"""The captain: rules of thumb for every decision."""

from __future__ import annotations

from typing import Any

from sandtable.core import Action, Game, Offers, View
from sandtable.players.base import Budget

from .staff import Staff


class Captain:
    """Plays by rules of thumb."""

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        self.staff = Staff(game, f"captain/{seed}")

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        return self.staff.answer(view, offers)
