"""All hits that a side still has to take, as the odds assume that it takes them."""

from __future__ import annotations

from typing import Any

from sandtable.core import Action, Match, Role
from sandtable.odds.walk import Policy

_MOST = 40


class WouldFall(Exception):
    """A die is to fall."""


class NoDice:
    """Dice that must not be rolled."""

    def value(self, number: int, sides: int) -> int:
        raise WouldFall


def all_losses(match: Match[Any], role: Role, choose: Policy) -> list[Action]:
    """What a role gives up, one action for each hit, until something else is asked; `choose` returns None there."""
    twin = match.clone()
    twin.play.dice = NoDice()
    found: list[Action] = []
    while len(found) < _MOST and role in twin.decisions():
        action = choose(twin, role)
        if action is None:
            break
        found.append(action)
        try:
            twin.apply(role, action)
        except WouldFall:
            break
    return found
