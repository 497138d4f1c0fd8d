"""The colonel: plans the whole war with exact odds, without trying anything out."""

from __future__ import annotations

from typing import Any

from sandtable.core import Action, Game, Offers, View
from sandtable.players.base import Budget

from .planner import Planner


class Colonel:
    """Leads each major as its war demands: a quick decision in the west, patience after it, the sea for Japan."""

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        self.staff = Planner(game, f"colonel/{seed}")

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        return self.staff.answer(view, offers)
