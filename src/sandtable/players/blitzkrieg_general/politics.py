"""Choices about war and peace: alliances, and on whom to declare war and when."""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.core import Action, Game, Offers
from sandtable.games.blitzkrieg_general.actions import Ally


def usual_side(game: Game[Any], role: str, offers: Offers, rng: Random) -> Action:
    """At a free choice of alliances everybody takes the historical one, where he may."""
    for side, roles in game.alliances.items():
        if role in roles and Ally(side) in offers:
            return Ally(side)
    return offers.sample(rng)
