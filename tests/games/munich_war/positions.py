"""Small positions that read like the examples of a rulebook.

war = Position()                        # General War, an empty map
war.put("GE-16", "2513").put("CZ-1", "2514")
war.phase(Combat(AXIS))
war.dice(6).do(attack("2514", "GE-16"))
"""

from __future__ import annotations

from typing import Any, Self

from sandtable.core import Action, Match, Offer, Pass, Refusal, ScriptedDice, Step
from sandtable.core.bits import bits
from sandtable.games.munich_war.facts.board import board
from sandtable.games.munich_war.facts.control import controlled
from sandtable.games.munich_war.game import GAME
from sandtable.games.munich_war.model.actions import Attack, Done
from sandtable.games.munich_war.model.atlas import ALLIES, ATLAS, AXIS, NOBODY, PHASES, SIDES
from sandtable.games.munich_war.model.state import (
    AVAILABLE,
    ELIMINATED,
    OFF_MAP,
    OUT,
    REINFORCEMENT,
    SURRENDERED,
    TRACK,
    UTILIZED,
    frighten,
    give,
    lay,
    set_steps,
)
from sandtable.games.munich_war.rules.control import hold
from sandtable.games.munich_war.rules.politics import join
from sandtable.games.munich_war.sequence import PlayerTurn, Turn

AX, AL = SIDES
BOXES = {"out": OUT, "available": AVAILABLE, "utilized": UTILIZED, "reinforcement": REINFORCEMENT,
         "eliminated": ELIMINATED, "surrendered": SURRENDERED, "off-map": OFF_MAP}  # fmt: skip
_PLACES = {code: name for name, code in BOXES.items()}


def hexes(*names: str) -> list[int]:
    return [ATLAS.hex_number[name] for name in names]


def at(name: str) -> int:
    return ATLAS.hex_number[name]


def unit(name: str) -> int:
    return ATLAS.unit_number[name]


def country(name: str) -> int:
    return ATLAS.country_number[name]


def names(mask: int) -> set[str]:
    return {ATLAS.hex_name[place] for place in bits(mask)}


def attack(target: str, *units: str, table: str = "assault") -> Attack:
    nation = ATLAS.countries[ATLAS.units[unit(units[0])].country].name
    order = sorted(units, key=lambda name: ATLAS.unit_number[name])
    return Attack(target, nation, table, tuple(order))


class Parked(Step, frozen=True, tag="test.parked"):
    """Below the step a test is about: nothing goes on by itself."""

    def roles(self, m):
        return SIDES

    def offers(self, m, role):
        return [Offer(Pass, rule="test")]


class SixSidedDice(ScriptedDice):
    """The game has no other dice."""

    def value(self, number: int, sides: int) -> int:
        assert sides == 6
        return super().value(number, sides)


class Position:
    """A position on an empty map in which the countries of a scenario are at war."""

    def __init__(self, scenario: str = "general-war", *, turn: int = 2, **options: bool) -> None:
        state = GAME.open(scenario, {name.replace("_", "-"): value for name, value in options.items()})
        self._dice = SixSidedDice([])
        self.match: Match = Match(GAME, state, self._dice, history=False)
        self.m = self.match.play
        state.turn = turn
        for side in (AXIS, ALLIES):
            for number in ATLAS.plans[state.plan].sides[side]:
                join(self.m, number, side, "scenario")
        state.stack = (Turn(2), PlayerTurn(AXIS, len(PHASES)))

    @property
    def state(self) -> Any:
        return self.match.state

    # ---- building
    def put(self, name: str, where: str, steps: int | None = None) -> Self:
        number = unit(name)
        set_steps(self.state, number, ATLAS.units[number].steps if steps is None else steps)
        if where.startswith("turn "):
            lay(self.state, number, TRACK - int(where[5:]))
        else:
            lay(self.state, number, BOXES[where] if where in BOXES else at(where))
            belligerent = self.state.side[ATLAS.units[number].country] != NOBODY
            if where not in BOXES and belligerent and ATLAS.units[number].land:
                hold(self.m, number, at(where))
        return self._changed()

    def join(self, name: str, side: int) -> Self:
        join(self.m, country(name), side, "test")
        return self._changed()

    def own(self, side: int, *places: str) -> Self:
        for place in places:
            give(self.state, side, 1 << at(place))
        return self._changed()

    def terror(self, *places: str) -> Self:
        for place in places:
            frighten(self.state, at(place))
        return self._changed()

    def storm(self) -> Self:
        self.state.storm = True
        return self._changed()

    def dice(self, *values: int) -> Self:
        self._dice = SixSidedDice(values, first=self.state.rolled)
        self.m.dice = self._dice
        return self._changed()

    def _changed(self) -> Self:
        """What was offered before the change is not offered any more."""
        self.match._offers = {}
        return self

    def phase(self, step: Step, side: int | None = None, turn: int | None = None) -> Self:
        """Let this step be asked now; when it is done the position stands still."""
        who = side if side is not None else getattr(step, "side", AXIS)
        self.state.phasing = who
        if turn is not None:
            self.state.turn = turn
        self.state.stack = (Turn(2 + who), PlayerTurn(who, len(PHASES)), Parked(), step)
        self.match._offers = {}
        self.m.events = []
        self.m._moved = True
        self.m.settle()
        return self

    def run(self, step: Step, side: int | None = None) -> Self:
        """Only the automatic part of this step, and nothing that follows it."""
        who = side if side is not None else getattr(step, "side", AXIS)
        self.state.phasing = who
        self.state.stack = (Turn(2 + who), PlayerTurn(who, len(PHASES)), step)
        self.m.events = []
        step.run(self.m)
        return self

    # ---- playing
    @property
    def asked(self) -> str:
        return self.match.decisions()[0]

    def do(self, action: Action, role: str | None = None) -> Any:
        return self.match.apply(role or self.asked, action)

    def finish_battle(self) -> Self:
        """Everybody takes the first choice and nobody advances until the battle is over."""
        while self.state.battle is not None and not isinstance(self.match.step, Parked):
            self.do(Done() if self.allows(Done()) else next(iter(self.match.offers(self.asked))))
        return self

    def refused(self, action: Action, role: str | None = None) -> Refusal:
        refusal = self.match.why_not(role or self.asked, action)
        assert refusal is not None, f"{action} is allowed"
        return refusal

    def allows(self, action: Action, role: str | None = None) -> bool:
        return self.match.why_not(role or self.asked, action) is None

    def offered(self, act: type[Action]) -> list[Any]:
        return [action for action in self.match.offers(self.asked) if type(action) is act]

    def offers_any(self, act: type[Action]) -> bool:
        return any(bool(offer) for offer in self.match.offers(self.asked)[act])

    # ---- looking
    def where(self, name: str) -> str:
        place = self.state.where[unit(name)]
        if place >= 0:
            return ATLAS.hex_name[place]
        if place < TRACK:
            return f"turn {TRACK - place}"
        return _PLACES.get(place, str(place))

    def steps(self, name: str) -> int:
        return int(self.state.steps[unit(name)])

    def side(self, name: str) -> int:
        return int(self.state.side[country(name)])

    def controls(self, side: int, place: str) -> bool:
        return bool(controlled(self.m.state)[side] >> at(place) & 1)

    def zoc(self, side: int, place: str) -> bool:
        return bool(board(self.m.state).zoc[side] >> at(place) & 1)
