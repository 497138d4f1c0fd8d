"""The calendar and the Russian winter."""

from __future__ import annotations

import functools

from ..model.atlas import ATLAS
from ..model.setup import turn_track
from ..model.state import W2State

A = ATLAS


@functools.cache
def _name(scenario: str, turn: int) -> str:
    track = turn_track(scenario)
    return track[min(turn, len(track) - 1)]


def turn_name(state: W2State) -> str:
    """'spring 1941'"""
    return _name(state.scenario, state.turn)


def season(state: W2State) -> str:
    return turn_name(state).split()[0]


@functools.cache
def date_key(name: str) -> int:
    """A date as a number that grows with time."""
    word, year = name.split()
    order: list[str] = A.house["seasons"]["order"]
    return int(year) * len(order) + order.index(word)


def has_come(state: W2State, date: str) -> bool:
    """Whether the turn of this date has begun."""
    return date_key(turn_name(state)) >= date_key(date)


_WINTER = str(A.house["seasons"]["winter"])


def is_winter(state: W2State) -> bool:
    return turn_name(state).startswith(_WINTER)


def in_russian_winter(state: W2State, space: int) -> bool:
    """Whether severe winter rules in this space: brown land on a winter turn.  [w2e-winter-cv]"""
    return space in A.brown and is_winter(state)


_BROWN = sum(1 << space for space in A.brown)


def frozen_land(state: W2State) -> int:
    """The land in which severe winter rules, as a set of bits."""
    return _BROWN if is_winter(state) else 0
