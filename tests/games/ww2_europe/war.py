"""Bare boards for the later chapters: only what a test puts on them is there.

war = War("spring 1942", options={"leaders": True})
tank = war.put("germany", "tank", "warsaw")
war.own("germany", "warsaw")
war.run(Redeployment(AXIS))
war.do("germany", Rail(tank, "berlin"))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self, TypeVar

from sandtable.core import Action, Event, Refusal, Step
from sandtable.core.columns import put
from sandtable.games.ww2_europe.facts.names import unit_name, unit_of
from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.model.atlas import ATLAS, NEUTRAL
from sandtable.games.ww2_europe.model.calendar import turn_track
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
from sandtable.testing import Position

AXIS, ALLIES = 0, 1
A = ATLAS
K = ATLAS.kinds
E = TypeVar("E", bound=Event)


class War(Position[W2State]):
    """The map of fall 1939 without a unit, a convoy, a fortress or a dollar; everybody is at war unless said otherwise.

    Units are known by their names.
    """

    game = GAME

    def __init__(
        self, turn: str = "spring 1942", *, scenario: str = "fall-1939", neutral: Sequence[str] = (),
        out: Sequence[str] = (), options: dict[str, Any] | None = None
    ) -> None:  # fmt: skip
        super().__init__(scenario, **(options or {}))
        state = self.state
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

    def own(self, power: str, *places: str) -> War:
        for place in places:
            owner = A.power_index[power] if power != "neutral" else NEUTRAL
            self.state.owner = put(self.state.owner, A.index[place], owner)
            self.state.start_owner = put(self.state.start_owner, A.index[place], owner)
        return self

    def own_front(self, power: str, front: str) -> War:
        """All land of a front that is not neutral."""
        for space in A.front_land[A.front_index[front]]:
            if self.state.owner[space] != NEUTRAL:
                self.own(power, A.names[space])
        return self

    def fund(self, **dollars: int) -> War:
        for power, amount in dollars.items():
            self.state.money = put(self.state.money, A.power_index[power], amount)
        return self

    def points(self, **points: int) -> War:
        for power, amount in points.items():
            self.state.rps = put(self.state.rps, A.power_index[power], amount)
        return self

    def know(self, power: str, *techs: str) -> War:
        for tech in techs:
            self.state.known = table_changed(self.state.known, A.power_index[power], A.tech_index[tech], 2)
        return self

    def initiative(self, side: int, *fronts: str) -> War:
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
    def do(self, *words: str | Action) -> Self:
        """Carry out actions; `events` are theirs alone."""
        self.events = []
        return super().do(*words)

    def stands(self, kind: type[Step], phase: str = "") -> bool:
        """Whether a step of this kind asks now, in that part of it."""
        return isinstance(self.step, kind) and phase in ("", getattr(self.step, "phase", ""))

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
