"""The calendar: turns by name, and dates that can be compared."""

from __future__ import annotations

from .atlas import ATLAS
from .state import W2State

A = ATLAS
_SEASONS: list[str] = A.house["seasons"]["order"]


def turn_track(scenario: str) -> list[str]:
    """Return the names of a scenario's turns."""
    track: list[str] = A.data["setups"][scenario]["turn_track"]
    return track


def turn_name(s: W2State) -> str:
    """Return the turn's name: 'spring 1941'."""
    track = turn_track(s.scenario)
    return track[min(s.turn, len(track) - 1)]


def date_key(name: str) -> int:
    """Return a date as a number that grows with time."""
    word, year = name.split()
    return int(year) * len(_SEASONS) + _SEASONS.index(word)


def has_come(s: W2State, date: str) -> bool:
    """Whether the turn of this date has begun."""
    return date_key(turn_name(s)) >= date_key(date)
