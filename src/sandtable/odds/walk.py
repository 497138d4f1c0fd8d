"""Exact odds from the game itself: every way the dice can fall, each with its chance.

A walk continues a match by a policy. Where the game rolls a die, the walk continues once for each face and merges equal
positions. It repeats no rule, so it cannot disagree with one. Each die multiplies the work by its faces, so walks are
for few dice: chains of advances, the opening of a battle, and tests of faster sums.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from sandtable.core import Action, Match, SandtableError

Policy = Callable[[Match[Any], str], Action | None]
"""Returns what the asked role does; None ends the walk here."""
Fold = Callable[[Match[Any]], Hashable]


class TooMany(SandtableError):
    """A walk has more positions than its limit."""


class _Wanted(Exception):
    """The game rolls a die that this branch has no value for yet."""

    def __init__(self, sides: int) -> None:
        self.sides = sides


class _Branch:
    """Dice with the given faces. The first roll beyond them raises `_Wanted`."""

    __slots__ = ("faces", "first")

    def __init__(self, first: int, faces: tuple[int, ...]) -> None:
        self.first, self.faces = first, faces

    def value(self, number: int, sides: int) -> int:
        place = number - self.first
        if place >= len(self.faces):
            raise _Wanted(sides)
        return self.faces[place]


def outcomes(
    match: Match[Any], do: Callable[[Match[Any]], object], *, most: int | None = None
) -> list[tuple[float, Match[Any]]]:
    """Every way in which `do` can end when it is called with a copy of the match; the chances add up to 1."""
    found: list[tuple[float, Match[Any]]] = []
    todo: list[tuple[float, tuple[int, ...]]] = [(1.0, ())]
    while todo:
        chance, faces = todo.pop()
        twin = match.clone()
        twin.play.dice = _Branch(match.state.rolled, faces)
        try:
            do(twin)
        except _Wanted as wanted:
            part = chance / wanted.sides
            todo.extend((part, (*faces, face)) for face in range(wanted.sides, 0, -1))
        else:
            found.append((chance, twin))
        if most is not None and len(found) + len(todo) > most:
            raise TooMany("more dice fall here than can be walked through one by one")
    return found


def state_of(match: Match[Any]) -> Hashable:
    """A key that is equal for equal positions, however many dice were rolled on the way."""
    state = match.state
    rolled, state.rolled = state.rolled, 0
    try:
        return match.game.codec.pack(state)
    finally:
        state.rolled = rolled


def walk(
    match: Match[Any], policy: Policy, *, fold: Fold = state_of, most: int = 20_000, least: float = 0.0
) -> list[tuple[float, Match[Any]]]:
    """Every end with its chance, when the policy plays until it returns None or the match is over.

    Positions with the same `fold` count as equal: only one of them is continued. A battle that can go on for ever needs
    `least`: branches less likely than that are dropped, and the chances add up to slightly less than 1.
    """
    ends: dict[Hashable, tuple[float, Match[Any]]] = {}
    layer: dict[Hashable, tuple[float, Match[Any]]] = {fold(match): (1.0, match)}
    seen = 0
    while layer:
        following: dict[Hashable, tuple[float, Match[Any]]] = {}
        for key, (chance, here) in layer.items():
            seen += 1
            if seen > most:
                raise TooMany("this battle has more positions than can be walked through one by one")
            asked = here.decisions()
            action = policy(here, asked[0]) if asked else None
            if action is None:
                _add(ends, key, chance, here)
                continue
            for part, after in outcomes(here, _applied(asked[0], action)):
                if chance * part >= least:
                    _add(following, fold(after), chance * part, after)
        layer = following
    return list(ends.values())


def _applied(role: str, action: Action) -> Callable[[Match[Any]], object]:
    return lambda twin: twin.apply(role, action)


def _add(found: dict[Hashable, tuple[float, Match[Any]]], key: Hashable, chance: float, match: Match[Any]) -> None:
    known = found.get(key)
    found[key] = (chance, match) if known is None else (known[0] + chance, known[1])
