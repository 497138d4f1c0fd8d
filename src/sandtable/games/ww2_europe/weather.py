"""The calendar and the Russian winter."""

from __future__ import annotations

from .atlas import ATLAS
from .setup import turn_track
from .state import W2State

A = ATLAS


def turn_name(state: W2State) -> str:
    """'spring 1941'"""
    track = turn_track(state.scenario)
    return track[min(state.turn, len(track) - 1)]


def season(state: W2State) -> str:
    return turn_name(state).split()[0]


def date_key(name: str) -> int:
    """A date as a number that grows with time."""
    word, year = name.split()
    order: list[str] = A.house["seasons"]["order"]
    return int(year) * len(order) + order.index(word)


def has_come(state: W2State, date: str) -> bool:
    """Whether the turn of this date has begun."""
    return date_key(turn_name(state)) >= date_key(date)


def is_winter(state: W2State) -> bool:
    return season(state) == str(A.house["seasons"]["winter"])


def in_russian_winter(state: W2State, space: int) -> bool:
    """Whether severe winter rules in this space: brown land on a winter turn.  [w2e-winter-cv]"""
    return space in A.brown and is_winter(state)
