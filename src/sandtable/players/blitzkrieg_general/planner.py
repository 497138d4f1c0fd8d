"""The colonel's staff: answers like a captain's, but plans whole quarters ahead."""

from __future__ import annotations

from typing import Any

from sandtable.core import Action, View
from sandtable.games.blitzkrieg_general.atlas import GERMANY, MAJORS, USSR
from sandtable.games.blitzkrieg_general.state import BKState, at_war

from .doctrine import BLITZ, USUAL, WARY, Doctrine
from .islands import Islands
from .scene import Scene
from .shipping import Shipping
from .staff import Staff


class Outlook(Scene):
    """The board as a planner sees it."""

    looks_ahead = True


class Planner(Staff):
    """Answers for one major."""

    def look(self, view: View[Any]) -> Scene:
        assert view.role is not None
        return Outlook(self.game, view.state, view.role, self.way(view.state, MAJORS.index(view.role)))

    def way(self, state: BKState, me: int) -> Doctrine:
        """How the major is led now."""
        if me == GERMANY and not state.french_fell and not at_war(state, GERMANY, USSR):
            return BLITZ
        return WARY if me == GERMANY and self.doctrine == USUAL else self.doctrine

    def at_sea(self, scene: Scene) -> list[Action]:
        """What lies open is taken first; the other ships do as usual."""
        islands = Islands(scene)
        orders = islands.plan()
        return [*orders, *Shipping(scene, islands.ships).plan()]
