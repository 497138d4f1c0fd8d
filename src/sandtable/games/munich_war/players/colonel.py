"""The colonel: tries several plans for the turn on imagined matches, dice included, and carries out the best."""

from __future__ import annotations

from collections.abc import Hashable
from random import Random
from typing import Any, ClassVar

from sandtable.core import Action, Game, Match, Offers, View
from sandtable.players.base import Budget, imagine
from sandtable.players.search import USUAL, Found, Plan, Theatre
from sandtable.players.searcher import Searcher

from ..model.state import M, MunichState
from ..rules.air_phase import AirLaunch
from ..rules.movement_phase import Movement
from .lore import Doctrine
from .staff import Staff, side_of_role
from .turn import PlayerTurn, edited, scope


class Colonel(Searcher):
    """Chooses the plan of a turn by trying it out; decides the rest by the plan's rules of thumb."""

    level = "colonel"
    tries: ClassVar[int | None] = 40
    usual: ClassVar[tuple[Doctrine, Doctrine]] = (
        Doctrine(watch=12, wary=True, ahead=True), Doctrine(watch=12, wary=True, ahead=True, cling=True),
    )  # fmt: skip
    """What each side does when nothing speaks for another plan; the enemy is taken for as good a player."""
    turns = 1
    """How many player turns each try lasts."""
    exact = 0
    """How many game turns before the last one a try goes on to the end of the match."""
    wider = False
    """Whether plans for a wider war are tried, too."""

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        super().__init__(game, seed)
        self.rng = Random(self.seed)
        self.staff: Staff | None = None

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        if self.staff is None:
            side = side_of_role(view.role)
            self.staff = Staff(side, self.usual[side])
        return super().decide(view, offers, budget)

    def think(self, view: View[Any], budget: Budget) -> Found:
        """One rehearsal compares nothing: then it is the usual way, without a look at others."""
        return Found(USUAL) if budget.tries == 1 else super().think(view, budget)

    def moment(self, view: View[Any]) -> Hashable | None:
        """A turn, when its first orders are given."""
        state: MunichState = view.state
        return state.turn if isinstance(state.stack[-1], (AirLaunch, Movement)) else None

    def theatre(self, view: View[Any]) -> Theatre:
        world: Match[MunichState] = imagine(self.game, view, self.rng)
        side = side_of_role(view.role)
        found = scope(world.play, side, self.usual[side], wider=self.wider)
        return PlayerTurn(self.game, world, side, self.usual, found, self.turns, self.exact)

    def follow(self, plan: Plan) -> None:
        assert self.staff is not None
        self.staff.doctrine = edited(self.usual[self.staff.side], plan)

    def answer(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        assert self.staff is not None

        def dream() -> M:
            return imagine(self.game, view, self.rng).play

        return self.staff.answer(view.state, dream, offers)
