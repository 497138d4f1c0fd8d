"""Positions to test rules on: a scenario's land without its units, and words to set things up like a rulebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sandtable.core import Action, Refusal
from sandtable.core.columns import put
from sandtable.games.ww2_europe.facts.names import unit_name
from sandtable.games.ww2_europe.facts.sea_control import sea_control
from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.model.atlas import ATLAS, NEUTRAL
from sandtable.games.ww2_europe.model.calendar import turn_track
from sandtable.games.ww2_europe.model.state import AT_WAR, DEAD, IN_CONVOY, Convoy, M, W2State
from sandtable.games.ww2_europe.model.units import add_unit
from sandtable.games.ww2_europe.rules.battle_phase import Battle
from sandtable.games.ww2_europe.rules.movement_phase import Movement
from sandtable.testing import Position

A = ATLAS
K = ATLAS.kinds
EVERY_FRONT = tuple(range(len(A.fronts)))


class Board(Position[W2State]):
    """A scenario's land with no units, no convoys, nobody surprised. Units are known by their numbers."""

    game = GAME

    def __init__(self, scenario: str = "fall-1939", *options: str, dice: Iterable[int] = (), war: str = "") -> None:
        super().__init__(scenario, **dict.fromkeys(options, True))
        self.dice(*dice)
        for name in war.split():
            self.state.status = put(self.state.status, A.power_index[name], AT_WAR)
            if name == "ussr":
                self.state.pact = False

    def start(self, scenario: str, options: dict[str, Any]) -> W2State:
        state = super().start(scenario, options)
        nobody, nothing = (-1,) * len(state.space), (0,) * len(state.space)
        state.space, state.cargo_of, state.convoy = (DEAD,) * len(state.space), nobody, nobody
        state.flags = state.damage = nothing
        state.convoys = ()
        state.fortress = (0,) * len(A.names)
        return state

    # ---- setting up
    def put(self, power: str, kind: str, place: str, count: int = 1, *, flags: int = 0, damage: int = 0) -> int:
        """Put units on the board; the last one's number."""
        owner = NEUTRAL if power == "neutral" else A.power_index[power]
        unit = -1
        for _ in range(count):
            unit = add_unit(self.state, K.index[kind], owner, A.index[place], flags)
            self.state.damage = put(self.state.damage, unit, damage)
        return unit

    def aboard(self, ship: int, kind: str) -> int:
        unit = add_unit(self.state, K.index[kind], self.state.power[ship], self.state.space[ship])
        self.state.cargo_of = put(self.state.cargo_of, unit, ship)
        return unit

    def owner(self, power: str, *places: str) -> None:
        for place in places:
            self.state.owner = put(
                self.state.owner, A.index[place], NEUTRAL if power == "neutral" else A.power_index[power]
            )
            self.state.start_owner = put(self.state.start_owner, A.index[place], self.state.owner[A.index[place]])

    def convoy(self, power: str, *route: str, transports: int = 1, destroyers: int = 0) -> int:
        state = self.state
        number = state.next_convoy
        state.next_convoy += 1
        state.convoys = (*state.convoys, Convoy(number, A.power_index[power], tuple(A.index[s] for s in route)))
        for kind in ["transport"] * transports + ["destroyer"] * destroyers:
            ship = add_unit(state, K.index[kind], A.power_index[power], IN_CONVOY)
            state.convoy = put(state.convoy, ship, number)
        return number

    def turn(self, name: str) -> None:

        self.state.turn = turn_track(self.state.scenario).index(name)

    def initiative(self, side: int, *fronts: str) -> None:
        for front in fronts or A.fronts:
            self.state.initiative = put(self.state.initiative, A.front_index[front], side)

    # ---- playing
    def move(self, side: int = 0) -> Board:
        return self.run(Movement(side, fronts=EVERY_FRONT))

    def why(self, role: str, action: Action) -> str:
        """The reason of the refusal; '' where the action is allowed."""
        refusal = self.refusal(role, action)
        return "" if refusal is None else refusal.reason

    def name(self, unit: int) -> str:
        return unit_name(self.state, unit)

    def where(self, unit: int) -> str:
        space = self.state.space[unit]
        return A.names[space] if space >= 0 else {DEAD: "dead", IN_CONVOY: "convoy"}.get(space, "box")

    def alive(self, unit: int) -> bool:
        return self.state.space[unit] != DEAD

    def owned(self, place: str) -> str:
        owner = self.state.owner[A.index[place]]
        return "neutral" if owner == NEUTRAL else A.powers[owner]

    def fight(self, place: str, att: Sequence[int], dfn: Sequence[int], *, attacker: int = 0, **more: Any) -> Board:
        return self.run(Battle(A.index[place], attacker, A.is_water[A.index[place]], tuple(att), tuple(dfn), **more))


def space(name: str) -> int:
    return A.index[name]


def refusal_of(found: Refusal | None) -> str:
    return "" if found is None else found.rule


def controllers(m: M, side: int) -> dict[int, tuple[int, int]]:
    """Per water what a side's Sea Control units cost the enemy there: all of them, and those with ASW."""
    found = sea_control(m.state, side)
    return {space: (total, found.hunters[space]) for space, total in enumerate(found.every) if total}
