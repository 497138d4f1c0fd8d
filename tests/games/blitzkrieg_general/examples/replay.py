"""A match that is played from a script: moves by kind and place as the tutorials name them, dice as they fell."""

from __future__ import annotations

from typing import Any

from sandtable.core import Action, Match, Pass, ScriptedDice, Window
from sandtable.games.blitzkrieg_general.game import GAME
from sandtable.games.blitzkrieg_general.model import events as ev
from sandtable.games.blitzkrieg_general.model.actions import (
    Assign,
    Attack,
    Dive,
    Done,
    Fly,
    Form,
    Govern,
    Halt,
    March,
    Place,
    PlayCard,
    Railroad,
    Ready,
    Rebase,
    Retreat,
    Sail,
    TakeHit,
    Withdraw,
)
from sandtable.games.blitzkrieg_general.model.atlas import ATLAS, MAJORS
from sandtable.games.blitzkrieg_general.rules.setup import begin

A = ATLAS
BACK = "/B"
"""Marks a reduced unit: 'germany-inf-3/B'."""


class Replay:
    """The match, with what it has shown so far."""

    def __init__(self, scenario: str, deck: list[str] | None = None, *dice: int) -> None:
        self.shown: dict[str, Any] = {}
        self.seen: list[Any] = []
        order = [] if deck is None else self._shuffle(scenario, deck)
        self.match: Match[Any] = Match.new(GAME, scenario, dice=ScriptedDice([*order, *dice]), history=False)

    @classmethod
    def of(cls, match: Match[Any]) -> Replay:
        """Go on from a position that was laid out."""
        replay = cls.__new__(cls)
        replay.shown, replay.seen, replay.match = {}, [], match
        return replay

    @staticmethod
    def _shuffle(scenario: str, deck: list[str]) -> list[int]:
        """Dice that bring these cards to the top of the deck."""
        left = list(begin(scenario, GAME.check_options(scenario, {})).deck)
        wanted = [A.card_of[name] for name in deck]
        dice = []
        for card in wanted + [c for c in left if c not in wanted]:
            dice.append(left.index(card) + 1)
            left.remove(card)
        return dice

    # ---- dice and moves
    @property
    def state(self) -> Any:
        return self.match.state

    def dice(self, *values: int) -> Replay:
        """The next dice. All that were announced before must have fallen."""
        dice = self.match.play.dice
        assert isinstance(dice, ScriptedDice)
        assert dice.left(self.state.rolled) == 0, f"{dice.left(self.state.rolled)} dice have not fallen"
        self.match.play.dice = ScriptedDice(values, first=self.state.rolled)
        return self

    def do(self, role: str, *actions: Action) -> Replay:
        for action in actions:
            self.seen.extend(self.match.apply(role, action))
        return self

    def go(self) -> Replay:
        """Nobody plays a card, and everybody stands on the chart where the rules put him."""
        for _ in range(80):
            for role, action in ((r, a) for r in self.match.decisions() for a in (Pass(), Ready(), Dive(False))):
                if self.match.why_not(role, action) is None:
                    self.do(role, action)
                    break
            else:
                return self
        raise AssertionError("this never ends")

    def finish(self, phase: str) -> Replay:
        """Everybody has done with a phase of movement, or with another step of this name."""
        for _ in range(20):
            step = self.match.step
            if phase not in (getattr(step, "name", ""), type(step).__name__) or isinstance(step, Window):
                break
            self.do(self.match.decisions()[0], Done())
        return self

    def finish_buying(self) -> Replay:
        """Nobody buys another research number."""
        while type(self.match.step).__name__ == "Research" and not getattr(self.match.step, "rolling", True):
            self.do(self.match.decisions()[0], Done())
        return self

    def place(self, role: str, to: str, *kinds: str) -> Replay:
        for kind in kinds:
            offered = [a for a in self.match.offers(role) if isinstance(a, Place) and a.to == to]
            self.do(role, next(a for a in offered if A.kind_of_unit[A.unit_of[a.unit]].id == kind))
        return self

    def rail(self, role: str, kind: str, origin: str, to: str) -> Replay:
        return self.do(role, Railroad(self.units(origin, kind)[0], to))

    def rebase(self, role: str, kind: str, origin: str, to: str) -> Replay:
        return self.do(role, Rebase(self.units(origin, kind)[0], to))

    def sail(self, role: str, origin: str, kinds: tuple[str, ...], *zones: str, halt: bool = True) -> Replay:
        """A group forms, sails zone by zone and stays."""
        ships: list[str] = []
        for kind in kinds:
            ships.append(next(u for u in self.units(origin, kind) if u not in ships))
        order = sorted(ships, key=lambda name: self.state.here[A.space_of[origin]].index(A.unit_of[name]))
        form = next(
            a for a in (Form(origin, tuple(order)), Form(origin, tuple(sorted(ships, key=A.unit_of.__getitem__))))
            if self.match.why_not(role, a) is None
        )  # fmt: skip
        self.do(role, form)
        for zone in zones:
            self.do(role, Sail(zone))
        return self.do(role, Halt()) if halt else self

    def units(self, place: str, kind: str) -> list[str]:
        """Counters of a kind in a place; 'kind/B' for reduced ones."""
        name, back = kind.removesuffix(BACK), kind.endswith(BACK)
        return [
            A.unit_ids[u] for u in self.state.here[A.space_of[place]]
            if A.kind_of_unit[u].id == name and bool(self.state.flipped[u]) == back
        ]  # fmt: skip

    def march(self, role: str, origin: str, to: str, *kinds: str, via: str | None = None) -> Replay:
        """Land units march, the others fly."""
        for kind in kinds:
            unit = next(u for u in self.units(origin, kind) if not self.state.flags[A.unit_of[u]] & 1)
            if A.is_air[A.unit_of[unit]]:
                self.do(role, Fly(unit, to))
            else:
                ways = {origin if via is None else via, ""}
                offer = next(a for a in (March(unit, to, w) for w in ways) if self.match.why_not(role, a) is None)
                self.do(role, offer)
        return self

    # ---- battles
    def attack(self, space: str, *dice: int, fly: tuple[str, ...] = (), card: str = "") -> Replay:
        """This battle is fought next. `fly` are flyers that are put into the air/sea segment."""
        self.dice(*dice)
        self.seen.clear()
        if type(self.match.step).__name__ == "Combats":
            role = next(r for r in self.match.decisions() if self.match.why_not(r, Attack(space)) is None)
            self.do(role, Attack(space))
        if card:
            self.do(next(r for r in self.match.decisions() if self.match.why_not(r, PlayCard(card, "")) is None),
                    PlayCard(card, ""))  # fmt: skip
        while isinstance(self.match.step, Window):
            self.do(self.match.decisions()[0], Pass())
        for kind in fly:
            battle = self.state.battle
            both = (*battle.attackers, *battle.defenders)
            unit = next(u for u in both if A.kind_of_unit[u].id == kind and battle.aim[u] == 0)
            self.do(self.match.decisions()[0], Assign(A.unit_ids[unit], "air"))
        return self.go()

    def hits(self, *kinds: str) -> Replay:
        """Whoever is asked lets these take the hits, one after the other."""
        for kind in kinds:
            role = self.match.decisions()[0]
            name, back = kind.removesuffix(BACK), kind.endswith(BACK)
            offered = [a.unit for a in self.match.offers(role) if isinstance(a, TakeHit)]
            unit = next(
                u for u in offered
                if A.kind_of_unit[A.unit_of[u]].id == name and bool(self.state.flipped[A.unit_of[u]]) == back
            )  # fmt: skip
            self.do(role, TakeHit(unit))
        return self.go()

    def retreat(self, *answers: str) -> Replay:
        for what in answers:
            self.do(self.match.decisions()[0], Retreat(what))
            self.go()
        return self

    def withdraw(self, to: str | dict[str, str]) -> Replay:
        """Everybody who retreats goes there."""
        return self._move_off("Withdrawal", to)

    def land(self, to: str | dict[str, str]) -> Replay:
        """The aircraft land there."""
        return self._move_off("Landing", to)

    def govern(self, country: str) -> Replay:
        if type(self.match.step).__name__ == "TakeOver":
            self.do(self.match.decisions()[0], Govern(country))
        return self

    def _move_off(self, step: str, to: str | dict[str, str]) -> Replay:
        for _ in range(30):
            if type(self.match.step).__name__ != step:
                break
            role = self.match.decisions()[0]
            offered = [a for a in self.match.offers(role) if isinstance(a, Withdraw)]
            kind = A.kind_of_unit[A.unit_of[offered[0].unit]].id
            where = to if isinstance(to, str) else to.get(kind, to.get("", ""))
            self.do(role, next(a for a in offered if a.to == where))
        return self

    def fired(self) -> list[tuple[int, tuple[int, ...], int]]:
        """Strength, dice and hits of every shot of the battle so far."""
        return [(e.strength, tuple(e.dice), e.hits) for e in self.seen if isinstance(e, ev.Fired)]

    def rolls(self) -> list[tuple[int, int]]:
        """Every die of the battle with the strength it was rolled for."""
        return [(strength, die) for strength, dice, _ in self.fired() for die in dice]

    # ---- looking
    def at(self, place: str, *nations: str) -> list[str]:
        """The counters in a place, reduced ones with '/B'."""
        return sorted(
            A.kind_of_unit[u].id + (BACK if self.state.flipped[u] else "")
            for u in self.state.here[A.space_of[place]]
            if not nations or A.nation_ids[self.state.nation[u]] in nations
        )

    def holder(self, place: str) -> str:
        return A.nation_ids[self.state.control[A.space_of[place]]]

    def production(self, who: str) -> int:
        return int(self.state.production[MAJORS.index(who)])

    def flags(self) -> dict[str, int]:
        return {name: self.production(name) for name in MAJORS}


__all__ = ["MAJORS"]
