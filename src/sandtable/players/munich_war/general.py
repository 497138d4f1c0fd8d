"""The general: weighs whole campaigns, wider wars included, through the enemy's answer, phase by phase."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.core import Game
from sandtable.games.munich_war.facts import M
from sandtable.games.munich_war.movement_phase import Movement
from sandtable.games.munich_war.state import MunichState

from .colonel import Colonel, variants
from .lore import Doctrine, prey_of


class General(Colonel):
    """Looks past the enemy's reply, and does not leave neutrals in peace when they are worth a war."""

    name = "general"
    tries = 4
    turns = 2

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        super().__init__(game, seed)

    def occasion(self, state: MunichState) -> tuple[int, int]:
        """Twice a turn: before the aircraft start, and again when the skies have been fought for."""
        return state.turn, 1 if isinstance(state.stack[-1], Movement) else 0

    def plans(self, m: M, side: int) -> list[Doctrine]:
        found = variants(m, side, self.base)
        if prey_of(m, side):
            found += [msgspec.structs.replace(plan, widen=1.0) for plan in found]
        return found
