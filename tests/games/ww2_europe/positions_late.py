"""Bare boards for the later chapters: only what a test puts on them is there.

war = Board("spring 1942", options={"leaders": True})
tank = war.put("germany", "tank", "warsaw")
war.own("germany", "warsaw")
war.start(Redeployment(AXIS))
war.do("germany", Rail(tank, "berlin"))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sandtable.core import Action, Event, Match, Offer, Refusal, ScriptedDice, Step
from sandtable.core.columns import put
from sandtable.games.ww2_europe.facts.names import unit_name, unit_of
from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.model.actions import Done
from sandtable.games.ww2_europe.model.atlas import ATLAS, NEUTRAL
from sandtable.games.ww2_europe.model.calendar import turn_track
from sandtable.games.ww2_europe.model.setup import begin
from sandtable.games.ww2_europe.model.state import (
    AT_WAR,
    BOX,
    IN_CONVOY,
    NEUTRAL_POWER,
    OUT,
    Convoy,
    Task,
    W2State,
    table_changed,
)
from sandtable.games.ww2_europe.model.units import add_unit

AXIS, ALLIES = 0, 1
A = ATLAS
K = ATLAS.kinds
E = TypeVar("E", bound=Event)


class Rest(Step, frozen=True, tag="rest"):
    """What is left when the step under test is over."""

    rule = "sandtable-rest"

    def roles(self, m: Any) -> Sequence[str]:
        return ("germany",)

    def offers(self, m: Any, role: str) -> Sequence[Offer]:
        return [Offer(Done, rule=self.rule)]


class Board:
    """The map of fall 1939 without a unit, a convoy, a fortress or a dollar; everybody at war unless told otherwise."""

    def __init__(
        self, turn: str = "spring 1942", *, scenario: str = "fall-1939", neutral: Sequence[str] = (),
        out: Sequence[str] = (), options: dict[str, Any] | None = None
    ) -> None:  # fmt: skip
        state = begin(scenario, GAME.check_options(scenario, options or {}))
        state.space = state.cargo_of = state.flags = state.task = ()
        state.kind = state.power = state.home = state.came = state.damage = state.convoy = ()
        state.convoys = ()
        state.next_convoy = 0
        size, powers = len(A.names), len(A.powers)
        state.fortress = (0,) * size
        state.fortresses_built = (0,) * powers
        state.money = state.rps = (0,) * powers
        state.status = (AT_WAR,) * powers
        for name in neutral:
            state.status = put(state.status, A.power_index[name], NEUTRAL_POWER)
        for name in out:
            state.status = put(state.status, A.power_index[name], OUT)
        state.turn = turn_track(scenario).index(turn)
        state.pact = "ussr" in neutral
        self.state: W2State = state
        self.match: Match[W2State] | None = None
        self.events: list[Event] = []

    # ---- setting up
    def put(self, power: str, kind: str, place: str, *, flags: int = 0, aboard: str = "") -> str:
        """A new unit; its name."""
        index = A.power_index[power] if power != "neutral" else NEUTRAL
        unit = add_unit(self.state, K.index[kind], index, A.index[place], flags)
        if aboard:
            self.state.cargo_of = put(self.state.cargo_of, unit, unit_of(self.state, aboard))
        return unit_name(self.state, unit)

    def many(self, power: str, place: str, **stack: int) -> list[str]:
        return [self.put(power, kind, place) for kind, count in stack.items() for _ in range(count)]

    def box(self, power: str, kind: str, number: int, *, flags: int = 0) -> str:
        return unit_name(self.state, add_unit(self.state, K.index[kind], A.power_index[power], BOX - number, flags))

    def own(self, power: str, *places: str) -> Board:
        for place in places:
            owner = A.power_index[power] if power != "neutral" else NEUTRAL
            self.state.owner = put(self.state.owner, A.index[place], owner)
            self.state.start_owner = put(self.state.start_owner, A.index[place], owner)
        return self

    def own_front(self, power: str, front: str) -> Board:
        """All land of a front that is not neutral."""
        for space in A.front_land[A.front_index[front]]:
            if self.state.owner[space] != NEUTRAL:
                self.own(power, A.names[space])
        return self

    def fund(self, **dollars: int) -> Board:
        for power, amount in dollars.items():
            self.state.money = put(self.state.money, A.power_index[power], amount)
        return self

    def points(self, **points: int) -> Board:
        for power, amount in points.items():
            self.state.rps = put(self.state.rps, A.power_index[power], amount)
        return self

    def know(self, power: str, *techs: str) -> Board:
        for tech in techs:
            self.state.known = table_changed(self.state.known, A.power_index[power], A.tech_index[tech], 2)
        return self

    def initiative(self, side: int, *fronts: str) -> Board:
        for front in fronts or A.fronts:
            self.state.initiative = put(self.state.initiative, A.front_index[front], side)
        self.state.first = 0 if self.state.initiative.count(0) * 2 > len(A.fronts) else 1
        return self

    def convoy(self, power: str, *route: str, transports: int = 1, **escorts: int) -> str:
        """A line with its ships; its name."""
        number = self.state.next_convoy
        self.state.next_convoy += 1
        line = tuple(A.index[place] for place in route)
        self.state.convoys = (*self.state.convoys, Convoy(number, A.power_index[power], line))
        for kind, count in {"transport": transports, **escorts}.items():
            for _ in range(count):
                ship = add_unit(self.state, K.index[kind], A.power_index[power], IN_CONVOY)
                self.state.convoy = put(self.state.convoy, ship, number)
                self.state.home = put(self.state.home, ship, line[0])
        return f"convoy {number}"

    def order(self, side: int, order: int, path: Sequence[str], *units: str, target: int = -1) -> None:
        """A declared path of units that leave its first space together."""
        route = tuple(A.index[place] for place in path)
        number = len(self.state.tasks)
        self.state.tasks = (*self.state.tasks, Task(side, order, route, number, 0, target))
        for name in units:
            unit = unit_of(self.state, name)
            self.state.task = put(self.state.task, unit, number)
            self.state.space = put(self.state.space, unit, route[-1])

    # ---- playing
    def dice(self, *values: int) -> Board:
        """The dice that fall next; asking for more of them is an error."""
        self._dice = ScriptedDice(values, first=self.state.rolled)
        if self.match is not None:
            self.match.play.dice = self._dice
        return self

    _dice: ScriptedDice = ScriptedDice(())

    def start(self, *steps: Step) -> Board:
        """Run these steps, the first one named first."""
        self.state.stack = (Rest(),)
        match: Match[W2State] = Match(GAME, self.state, self._dice, history=False)
        self.match = match
        match.play.push(*steps)
        match.play.settle()
        self.events = list(match.play.events)
        return self

    def do(self, role: str, *actions: Action) -> Board:
        assert self.match is not None
        for action in actions:
            self.events = list(self.match.apply(role, action))
        return self

    def why_not(self, role: str, action: Action) -> Refusal | None:
        assert self.match is not None
        return self.match.why_not(role, action)

    def may(self, role: str, action: Action) -> bool:
        return self.why_not(role, action) is None

    def offered(self, role: str, act: type[Action]) -> list[Any]:
        assert self.match is not None
        return [action for offer in self.match.offers(role)[act] for action in offer]

    @property
    def asked(self) -> tuple[str, ...]:
        assert self.match is not None
        return self.match.decisions()

    @property
    def step(self) -> Any:
        assert self.match is not None
        return self.match.step

    def stands(self, kind: type[Step], phase: str = "") -> bool:
        """Whether a step of this kind asks now, in that part of it."""
        return isinstance(self.step, kind) and phase in ("", getattr(self.step, "phase", ""))

    @property
    def over(self) -> bool:
        """Whether the steps under test are done."""
        return isinstance(self.step, Rest)

    @property
    def m(self) -> Any:
        """For asking the rules' own questions about a position that nothing is going on in."""
        if self.match is None:
            self.start()
        assert self.match is not None
        return self.match.play

    def dice_left(self) -> int:
        return self._dice.left(self.state.rolled)

    # ---- looking
    def where(self, name: str) -> str:
        """The space of a unit: 'dead', 'convoy' or 'box 2' where it is in none."""
        if unit_of(self.state, name) < 0:
            return "dead"
        space = self.state.space[unit_of(self.state, name)]
        if space == IN_CONVOY:
            return "convoy"
        return A.names[space] if space >= 0 else f"box {BOX - space}"

    def owner(self, place: str) -> str:
        owner = self.state.owner[A.index[place]]
        return A.powers[owner] if owner < NEUTRAL else "neutral"

    def money(self, power: str) -> int:
        return self.state.money[A.power_index[power]]

    def rps(self, power: str) -> int:
        return self.state.rps[A.power_index[power]]

    def used(self, power: str) -> int:
        return self.state.rps_used[A.power_index[power]]

    def count(self, power: str, kind: str, place: str) -> int:
        state = self.state
        owner = A.power_index[power] if power != "neutral" else NEUTRAL
        return sum(
            1 for u, space in enumerate(state.space)
            if space == A.index[place] and state.kind[u] == K.index[kind] and state.power[u] == owner
        )  # fmt: skip

    def flags(self, name: str) -> int:
        return self.state.flags[unit_of(self.state, name)]

    def number(self, name: str) -> int:
        return unit_of(self.state, name)

    def saw(self, kind: type[E], test: Callable[[E], bool] = lambda event: True) -> bool:
        return any(isinstance(event, kind) and test(event) for event in self.events)


def reason(refusal: Refusal | None) -> str:
    """The rule that a refusal cites, '' where there is none."""
    return refusal.rule if refusal is not None else ""
