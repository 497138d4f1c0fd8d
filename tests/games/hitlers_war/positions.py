"""Positions to test rules on: an empty board of a scenario, and words to set it up that read like a rulebook."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Action, Event, Match, Offer, Refusal, ScriptedDice, Step
from sandtable.core.columns import having, put
from sandtable.games.hitlers_war.game import GAME
from sandtable.games.hitlers_war.model.actions import Done
from sandtable.games.hitlers_war.model.atlas import ATLAS, KINDS, side_number
from sandtable.games.hitlers_war.model.state import War, book, set_points, total

AXIS, SOVIET, ALLIES = "axis", "soviet", "allies"


class Rest(Step, frozen=True, tag="test-rest"):
    """Stands under the step that is tested, so that the match has somewhere to go."""

    rule = "hw-seq-1"

    def roles(self, m: Any) -> Sequence[str]:
        return ("axis",)

    def offers(self, m: Any, role: str) -> Sequence[Offer]:
        return [Offer(Done, rule="hw-seq-1")]


class Position:
    """A scenario with all armies taken off; the countries stand as the scenario begins."""

    def __init__(self, scenario: str = "barbarossa", *, armies: bool = False, **options: Any) -> None:
        self.match: Match[War] = Match.new(GAME, scenario, options, seed=1)
        s = self.s
        if not armies:
            s.army_at, s.strength, s.muster = (-1,) * 36, (0,) * 180, (0,) * 3
            s.idle = bytes(36)
        s.stack = (Rest(),)
        self.events: list[Event] = []

    @property
    def s(self) -> War:
        """The state, to be looked at and changed: offers made before are forgotten."""
        self.match._offers = {}
        return self.match.state

    # ---- setting up
    def army(self, name: str, at: str, infantry: int = 0, mechanized: int = 0, tac_air: int = 0, paratroop: int = 0,
             amphibious: int = 0) -> int:  # fmt: skip
        number = ATLAS.army_index[name]
        self.s.army_at = put(self.s.army_at, number, ATLAS.index[at])
        row = (infantry, mechanized, tac_air, paratroop, amphibious)
        book(self.s, number, sum(row) - total(self.s, number))
        set_points(self.s, number, row)
        return number

    def hold(self, side: str, *hexes: str) -> Position:
        for name in hexes:
            self.s.owner = put(self.s.owner, ATLAS.index[name], 3 if side == "nobody" else side_number(side))
        return self

    def hold_all(self, side: str, country: str) -> Position:
        return self.hold(side, *(ATLAS.names[x] for x in ATLAS.countries[ATLAS.country_index[country]].spaces))

    def turn(self, name: str) -> Position:
        self.s.turn = ATLAS.turn_number[name]
        return self

    def fort(self, at: str, points: int) -> Position:
        self.s.fort = having(self.s.fort, ATLAS.index[at], points)
        return self

    def devastate(self, at: str, points: int) -> Position:
        self.s.devastated = having(self.s.devastated, ATLAS.index[at], points)
        return self

    def dice(self, *values: int) -> Position:
        self.match.play.dice = ScriptedDice(values, first=self.s.rolled)
        return self

    def begin(self, side: str, *steps: Step) -> Position:
        """Let a side be at these steps."""
        s = self.s
        s.side = side_number(side)
        s.before = bytes(s.owner)
        s.stack = (Rest(),)
        play = self.match.play
        play.events = []
        play.push(*steps)
        play.settle()
        self.events = list(play.events)
        self.match._offers = {}
        return self

    # ---- playing
    def do(self, role: str, *actions: Action) -> Position:
        for action in actions:
            self.events.extend(self.match.apply(role, action))
        return self

    def refused(self, role: str, action: Action) -> Refusal:
        refusal = self.match.why_not(role, action)
        assert refusal is not None, f"{action} is allowed"
        return refusal

    def rule(self, role: str, action: Action) -> str:
        """The ledger id of the rule that forbids an action."""
        return self.refused(role, action).rule

    def allowed(self, role: str, action: Action) -> bool:
        return self.match.why_not(role, action) is None

    # ---- looking
    @property
    def asked(self) -> str:
        return self.match.decisions()[0]

    @property
    def step(self) -> str:
        return type(self.match.step).__name__

    @property
    def resting(self) -> bool:
        return isinstance(self.match.step, Rest)

    def strength(self, name: str) -> dict[str, int]:
        number = ATLAS.army_index[name]
        row = self.s.strength[number * 5 : number * 5 + 5]
        return {kind: n for kind, n in zip(KINDS, row, strict=True) if n}

    def where(self, name: str) -> str | None:
        at = self.s.army_at[ATLAS.army_index[name]]
        return ATLAS.names[at] if at >= 0 else None

    def owner(self, at: str) -> str:
        return ("axis", "soviet", "allies", "nobody", "closed", "water")[self.s.owner[ATLAS.index[at]]]

    def devastation(self, at: str) -> int:
        return self.s.devastated.get(ATLAS.index[at], 0)

    def happened(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    def offered(self, role: str, act: type[Action]) -> list[Any]:
        return [action for offer in self.match.offers(role)[act] for action in offer]

    def verbs(self, role: str) -> set[str]:
        return {offer.verb for offer in self.match.offers(role).offers if offer}


def at(name: str) -> int:
    return ATLAS.index[name]


def no(name: str) -> int:
    return ATLAS.army_index[name]
