"""What a game adds to the learned judgement of its positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .data import Role, State

if TYPE_CHECKING:
    from .game import Game
    from .play import Play

S = TypeVar("S", bound=State)


class Judge(Generic[S]):
    """Who wins together, what a position shows, and what it is worth by hand.

    A game's own judge is in its players/features.py. This one does for a game without.
    """

    def parties(self, game: Game[S], state: S) -> Mapping[str, tuple[Role, ...]]:
        """The roles that win together, by names that are the same in all matches of the game."""
        playing = game.roles_in(state.scenario)
        found = {name: tuple(role for role in roles if role in playing) for name, roles in game.sides(state).items()}
        return {name: roles for name, roles in found.items() if roles}

    def features(self, m: Play[S]) -> Mapping[str, float]:
        """Numbers beyond those that every game gives: measures, gauges, scenario, ways to play, who is asked.

        The turn is one of them. Nothing hidden has to be left out: a player judges positions that it imagines.
        """
        return {}

    def worth(self, m: Play[S], role: Role) -> float:
        """What the position is worth to a role by the hand-made evaluation, in units of log odds, roughly."""
        return 0.0


PLAIN: Judge[Any] = Judge()
