"""The odds of a battle, in one form for all games."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

if TYPE_CHECKING:
    from .data import Action, Role
    from .match import Match


class Modifier(msgspec.Struct, frozen=True):
    """One named part of a sum: the preview, the log and a refusal can all show it."""

    name: str
    value: int
    rule: str


class Result(msgspec.Struct, frozen=True):
    """One way it may end, and its probability."""

    probability: float
    name: str
    """A key of the game's text files: 'capture', 'repulse', 'retreat'."""
    losses: Mapping[str, int] = {}
    """By side or role: what it costs in this case."""
    facts: Mapping[str, int] = {}


class Odds(msgspec.Struct, frozen=True):
    """The exact distribution of what a battle may bring."""

    title: str
    results: Sequence[Result]
    success: float
    """The chance of the aim: always the sum of some of the results. Without an aim it says nothing."""
    modifiers: Sequence[Modifier] = ()
    expected_losses: Mapping[str, float] = {}
    policy: str = ""
    """What was assumed about later choices (order of losses, when to retreat)."""
    whose: str = ""
    """The side or role whose success it is, as `@name`."""
    aim: str = ""
    """What counts as success, a key of the text files: 'aim.empty-hex'."""
    basis: str = ""
    """What the dice are thrown on, a key with figures: 'basis.column?percent=400&column=300-399'."""
    mine: bool | None = None
    """Whether the role that asked wants it; None where nobody asked."""


class End(NamedTuple):
    """How a trial ended, in the words of the card: the row it belongs to, and whether it is a success."""

    name: str
    losses: tuple[tuple[str, int], ...] = ()
    facts: tuple[tuple[str, int], ...] = ()
    success: bool = False


class Trial(NamedTuple):
    """How the engine itself plays what the odds of an action tell, so that every fall of the dice can be counted.

    A game states here the policy of its odds as decisions; the sums that make the odds have no part in it.
    """

    starts: Sequence[tuple[float, Match[Any]]]
    """The matches to play from with their weights: one, or guesses of what is hidden."""
    role: Role
    action: Action | None
    """What is done first; None where the starts are after it."""
    decide: Callable[[Match[Any], Role], Action | None]
    """What a role does after the action; None where what the odds tell is over."""
    end: Callable[[Match[Any], tuple[Hashable, ...]], End]
    """Reads the end from the match and from what was noted on the way."""
    note: Callable[[Any], Hashable | None] = lambda what: None
    """What of an action or an event has to be remembered; None: nothing."""
    after: Callable[[Match[Any]], None] | None = None
    """Done once the action is carried out: puts the battle next that the odds are about."""
    fold: Callable[[Match[Any]], Hashable] | None = None
    """A key that is equal for positions that are equal from here on; None: the state itself."""
