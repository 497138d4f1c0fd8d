"""Positions to test rules on: an empty board of a scenario, and words to set it up that read like a rulebook."""

from __future__ import annotations

from typing import Any, Self

from sandtable import testing
from sandtable.core import Step
from sandtable.core.columns import having, put
from sandtable.games.hitlers_war.game import GAME
from sandtable.games.hitlers_war.model.atlas import ATLAS, KINDS, side_number
from sandtable.games.hitlers_war.model.state import War, book, set_points, total
from sandtable.games.hitlers_war.rules.control import grow

AXIS, SOVIET, ALLIES = "axis", "soviet", "allies"


class Position(testing.Position[War]):
    """A scenario with all armies taken off; the countries stand as the scenario begins."""

    game = GAME

    def __init__(self, scenario: str = "barbarossa", *, armies: bool = False, **options: Any) -> None:
        super().__init__(scenario, **options)
        if not armies:
            self.columns(army_at=(-1,) * 36, strength=(0,) * 180, muster=(0,) * 3, idle=bytes(36))

    # ---- setting up
    def army(self, name: str, at: str, infantry: int = 0, mechanized: int = 0, tac_air: int = 0, paratroop: int = 0,
             amphibious: int = 0) -> int:  # fmt: skip
        number = ATLAS.army_index[name]
        self.state.army_at = put(self.state.army_at, number, ATLAS.index[at])
        row = (infantry, mechanized, tac_air, paratroop, amphibious)
        book(self.state, number, sum(row) - total(self.state, number))
        set_points(self.state, number, row)
        return number

    def hold(self, side: str, *hexes: str) -> Self:
        for name in hexes:
            self.state.owner = put(self.state.owner, ATLAS.index[name], 3 if side == "nobody" else side_number(side))
        return self

    def hold_all(self, side: str, country: str) -> Self:
        return self.hold(side, *(ATLAS.names[x] for x in ATLAS.countries[ATLAS.country_index[country]].spaces))

    def turn(self, name: str) -> Self:
        """Let it be a season, and all that grows on the way there."""
        wanted = ATLAS.turn_number[name]
        while self.state.turn < wanted:
            self.state.turn += 1
            grow(self.state)
        self.state.turn = wanted
        return self

    def fort(self, at: str, points: int) -> Self:
        self.state.fort = having(self.state.fort, ATLAS.index[at], points)
        return self

    def devastate(self, at: str, points: int) -> Self:
        self.state.devastated = having(self.state.devastated, ATLAS.index[at], points)
        return self

    def begin(self, side: str, *steps: Step) -> Self:
        """Let a side be at these steps."""
        return self.columns(side=side_number(side), before=self.state.owner).run(*steps)

    # ---- looking
    @property
    def at_step(self) -> str:
        """The name of the step that asks now."""
        return type(self.step).__name__

    def strength(self, name: str) -> dict[str, int]:
        number = ATLAS.army_index[name]
        row = self.state.strength[number * 5 : number * 5 + 5]
        return {kind: n for kind, n in zip(KINDS, row, strict=True) if n}

    def where(self, name: str) -> str | None:
        at = self.state.army_at[ATLAS.army_index[name]]
        return ATLAS.names[at] if at >= 0 else None

    def owner(self, at: str) -> str:
        return ("axis", "soviet", "allies", "nobody", "closed", "water")[self.state.owner[ATLAS.index[at]]]

    def devastation(self, at: str) -> int:
        return self.state.devastated.get(ATLAS.index[at], 0)


def at(name: str) -> int:
    return ATLAS.index[name]


def no(name: str) -> int:
    return ATLAS.army_index[name]
