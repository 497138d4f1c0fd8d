"""Small positions of the advanced game that read like the examples of a rulebook.

war = Position()                                   # 1939-advanced, an empty board, Germany against BE and France
war.put("germany-inf-4", "western_germany").put("france-inf-3", "paris")
war.card("germany", "blitzkrieg")
war.phase(Phase("land"), "axis").do(...)
"""

from __future__ import annotations

from typing import Any

from sandtable.core import Action, Match, Offer, Pass, Refusal, ScriptedDice, Step
from sandtable.core.columns import lacking, put
from sandtable.games.blitzkrieg_general.game import GAME
from sandtable.games.blitzkrieg_general.model.actions import Done, Ready, Retreat, TakeHit
from sandtable.games.blitzkrieg_general.model.atlas import ATLAS, AXIS, MAJORS, SIDES
from sandtable.games.blitzkrieg_general.model.state import (
    AT_WAR,
    NEUTRAL,
    POOL,
    at_war,
    embark,
    move_unit,
    remove,
    send,
)
from sandtable.games.blitzkrieg_general.rules.combat_phase import Combats
from sandtable.games.blitzkrieg_general.rules.economy import refresh_production
from sandtable.games.blitzkrieg_general.rules.politics import end_war, fight_of, set_war
from sandtable.games.blitzkrieg_general.rules.strength import effective
from sandtable.games.blitzkrieg_general.sequence import Segment, Turn, begin_phase

A = ATLAS


class Parked(Step, frozen=True, tag="test.bg-parked"):
    """Below the step a test is about: nothing goes on by itself."""

    def roles(self, m: Any) -> Any:
        return MAJORS

    def offers(self, m: Any, role: Any) -> Any:
        return [Offer(Pass, rule="test")]


def space(name: str) -> int:
    return A.space_of[name]


def nation(name: str) -> int:
    return A.nation_of[name]


def unit(name: str) -> int:
    return A.unit_of[name]


def card(name: str) -> int:
    return A.card_of[name]


class Position:
    """A position on an empty board; politics, control and cards as the scenario begins."""

    def __init__(
        self, scenario: Any = "1939-advanced", *, turn: Any = None, empty: bool = True, **options: Any
    ) -> None:
        chosen = GAME.check_options(scenario, {name.replace("_", "-"): value for name, value in options.items()})
        state = GAME.begin(scenario, chosen)
        self.match: Match[Any] = Match(GAME, state, ScriptedDice([]), history=False)
        self.m = self.match.play
        if empty:
            for u in range(A.units):
                if state.place[u] != POOL:
                    remove(state, u)
                    state.due = put(state.due, u, -1)
        if turn is not None:
            state.turn = A.turn_of[turn]
        refresh_production(state)
        state.stack = (Turn(0), Segment(AXIS, 99), Parked())

    @property
    def state(self) -> Any:
        return self.match.state

    # ---- building
    def put(self, kind: str, where: str, *, flipped: bool = False, n: int = 1, as_nation: str = "") -> Position:
        for _ in range(n):
            self.add(kind, where, flipped=flipped, as_nation=as_nation)
        return self

    def add(self, kind: str, where: str, *, flipped: bool = False, as_nation: str = "") -> str:
        """Like `put`, and tells which counter it was."""
        state = self.state
        found = next(u for u in A.kind_ids[kind].units if state.place[u] == POOL)
        move_unit(state, found, space(where))
        state.flipped = put(state.flipped, found, int(flipped))
        state.start = put(state.start, found, space(where))
        if as_nation:
            state.nation = put(state.nation, found, nation(as_nation))
        return A.unit_ids[found]

    def charge(self, kind: str, origin: str, target: str, *, flipped: bool = False) -> str:
        """A land unit that has marched from one area into another to attack."""
        name = self.add(kind, target, flipped=flipped)
        self.state.origin = put(self.state.origin, unit(name), space(origin))
        return name

    def raid(self, kind: str, base: str, target: str, *, flipped: bool = False) -> str:
        """An aircraft or Task Force on a mission."""
        name = self.add(kind, base, flipped=flipped)
        send(self.state, unit(name), space(target))
        return name

    def strength(self, name: str, where: str = "land") -> int:
        """With what strength a unit fights in the battle that is going on."""
        state = self.state
        return effective(state, state.battle, unit(name), ("land", "air", "ships", "subs").index(where))

    def fight(self, side: str = "axis") -> Position:
        """The battles that the position holds begin."""
        self.state.phasing = SIDES.index(side)
        return self.run(Combats())

    def aboard(self, kind: str, convoy: str, *, flipped: bool = False) -> str:
        """A unit on board of a convoy."""
        state = self.state
        found = next(u for u in A.kind_ids[kind].units if state.place[u] == POOL)
        move_unit(state, found, state.place[unit(convoy)])
        state.flipped = put(state.flipped, found, int(flipped))
        embark(state, found, unit(convoy))
        state.start = put(state.start, found, state.place[found])
        return A.unit_ids[found]

    def own(self, who: str, *places: str) -> Position:
        for place in places:
            self.state.control = put(self.state.control, space(place), nation(who))
        refresh_production(self.state)
        return self

    def war(self, a: str, b: str) -> Position:
        state = self.state
        for name in (a, b):
            if state.standing[nation(name)] == NEUTRAL:
                state.standing = put(state.standing, nation(name), AT_WAR)
                state.war_since = put(state.war_since, nation(name), state.turn)
        set_war(state, nation(a), nation(b))
        refresh_production(state)
        return self

    def peace(self, a: str, b: str) -> Position:
        end_war(self.state, nation(a), nation(b))
        refresh_production(self.state)
        return self

    def join(self, minor: str, master: str) -> Position:
        """A minor fights on its master's side, without its counters."""
        state, who = self.state, nation(minor)
        state.side = put(state.side, who, state.side[nation(master)])
        state.master = put(state.master, who, nation(master))
        state.standing = put(state.standing, who, AT_WAR)
        state.war_since = put(state.war_since, who, state.turn)

        fight_of(state, who)
        refresh_production(state)
        return self

    def hand(self, who: str, *cards: str) -> Position:
        for name in cards:
            self._take(name)
            held = self.state.hands[MAJORS.index(who)]
            self.state.hands = put(self.state.hands, MAJORS.index(who), (*held, card(name)))
        return self

    def table(self, who: str, *cards: str) -> Position:
        """Cards in effect."""
        for name in cards:
            self._take(name)
            self.state.table = {**self.state.table, card(name): MAJORS.index(who)}
        return self

    def deck(self, *cards: str) -> Position:
        """These on top of the deck, in this order."""
        for name in cards:
            self._take(name)
        self.state.deck = (*(card(name) for name in cards), *self.state.deck)
        return self

    def _take(self, name: str) -> None:
        state, number = self.state, card(name)
        state.deck = tuple(c for c in state.deck if c != number)
        state.out = tuple(c for c in state.out if c != number)
        state.hands = tuple(tuple(c for c in hand if c != number) for hand in state.hands)
        state.table = lacking(state.table, number)

    def knows(self, who: str, *advances: str) -> Position:
        for name in advances:
            known = self.state.advances[MAJORS.index(who)] | 1 << A.achievements.index(name)
            self.state.advances = put(self.state.advances, MAJORS.index(who), known)
        return self

    def weather(self, europe: str = "good", pacific: str = "good") -> Position:
        self.state.bad = (int(europe == "bad"), int(pacific == "bad"))
        return self

    def points(self, **each: int) -> Position:
        for name, value in each.items():
            self.state.points = put(self.state.points, MAJORS.index(name), value)
        return self

    # ---- playing
    def dice(self, *values: int) -> Position:
        self.m.dice = ScriptedDice(values, first=self.state.rolled)
        return self

    def dice_left(self) -> int:
        dice = self.m.dice
        assert isinstance(dice, ScriptedDice)
        return dice.left(self.state.rolled)

    def phase(self, *steps: Step, side: str = "axis", exploiting: bool = False) -> Position:
        """Let these steps be asked now; when they are done the position stands still."""
        state = self.state
        state.phasing, state.exploiting = SIDES.index(side), exploiting
        begin_phase(state)
        return self.run(*steps)

    def run(self, *steps: Step) -> Position:
        self.state.stack = (Turn(0), Segment(self.state.phasing, 99), Parked())
        self.m.events = []
        self.m.push(*steps)
        return self.settle()

    def settle(self) -> Position:
        self.match._offers = {}
        self.m._moved = True
        self.m.settle()
        self.match._offers = {}
        return self

    @property
    def asked(self) -> str:
        return self.match.decisions()[0]

    @property
    def step(self) -> Any:
        return self.match.step

    @property
    def parked(self) -> bool:
        return isinstance(self.match.step, Parked)

    def do(self, action: Action, role: str | None = None) -> Position:
        self.match.apply(role or self.asked, action)
        return self

    def refused(self, action: Action, role: str | None = None) -> Refusal:
        refusal = self.match.why_not(role or self.asked, action)
        assert refusal is not None, f"{action} is allowed"
        return refusal

    def allows(self, action: Action, role: str | None = None) -> bool:
        return self.match.why_not(role or self.asked, action) is None

    def offered(self, act: type[Action], role: str | None = None) -> list[Any]:
        return [a for a in self.match.offers(role or self.asked) if type(a) is act]

    def offers_any(self, act: type[Action], role: str | None = None) -> bool:
        return any(bool(offer) for offer in self.match.offers(role or self.asked)[act])

    def everybody_done(self) -> Position:
        """Everybody says that he has finished until the step is over."""
        for _ in range(200):
            if self.parked:
                break
            for role in self.match.decisions():
                for last in (Done(), Pass(), Ready(), Retreat("fight")):
                    if self.allows(last, role):
                        self.match.apply(role, last)
                        break
                else:
                    raise AssertionError(f"{role} cannot finish {self.match.step}")
                break
        return self

    def go(self) -> Position:
        """Pass every window and let the units stand on the chart as they stand, until something else is asked."""
        for _ in range(60):
            if self.parked:
                break
            for role, last in ((r, a) for r in self.match.decisions() for a in (Pass(), Ready())):
                if self.allows(last, role):
                    self.match.apply(role, last)
                    break
            else:
                break
        return self

    def go_until(self, role: str) -> Position:
        """Like `go`, but stop when this role is asked anything."""
        for _ in range(60):
            if self.parked or role in self.match.decisions():
                break
            for who, last in ((r, a) for r in self.match.decisions() for a in (Pass(), Ready())):
                if self.allows(last, who):
                    self.match.apply(who, last)
                    break
            else:
                break
        return self

    def hits(self, *units: str) -> Position:
        for name in units:
            self.do(TakeHit(name))
        return self

    # ---- looking
    def where(self, name: str) -> str:
        place = self.state.place[unit(name)]
        return A.space_ids[place] if place >= 0 else {-1: "pool", -2: "removed", -3: "building"}[place]

    def flipped(self, name: str) -> bool:
        return bool(self.state.flipped[unit(name)])

    def production(self, who: str) -> int:
        return int(self.state.production[MAJORS.index(who)])

    def holder(self, place: str) -> str:
        return A.nation_ids[self.state.control[space(place)]]

    def at_war(self, a: str, b: str) -> bool:
        return at_war(self.state, nation(a), nation(b))

    def standing(self, who: str) -> str:
        return ("neutral", "at war", "conquered")[self.state.standing[nation(who)]]

    def side(self, who: str) -> str:
        side = self.state.side[nation(who)]
        return SIDES[side] if side >= 0 else "nobody"

    def pile(self, name: str) -> str:
        """Where a card is."""
        number = card(name)
        for major, hand in enumerate(self.state.hands):
            if number in hand:
                return MAJORS[major]
        if number in self.state.table:
            return "table"
        if number in self.state.out:
            return "out"
        return "deck" if number in self.state.deck else "nowhere"

    def units_at(self, place: str) -> list[str]:
        return sorted(A.kind_of_unit[u].id for u in self.state.here[space(place)])

    def events(self, kind: type) -> list[Any]:
        return [event for event in self.m.events if isinstance(event, kind)]


__all__ = ["MAJORS"]
