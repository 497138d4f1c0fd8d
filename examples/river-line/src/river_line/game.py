"""River Line: five villages in a row, two sides, eight rounds.

A whole game in one file: what exists, what may be done, what happens, and how it looks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from sandtable.core import (
    Action,
    Event,
    Field,
    Game,
    Gesture,
    Named,
    Names,
    Odds,
    Offer,
    Play,
    Refusal,
    Result,
    Scenario,
    State,
    Step,
    Texts,
    View,
)
from sandtable.core.columns import put
from sandtable.core.data import OptionValue
from sandtable.core.scene import Staging
from sandtable.core.table import CounterFace, SideFace, SpaceFace, Stage, Table

ROLES = ("north", "south")
VILLAGES = ("Alder", "Birch", "Cedar", "Dogwood", "Elm")
COMPANIES = tuple(f"{role}-{number}" for role in ROLES for number in (1, 2, 3, 4))
VILLAGE, COMPANY = Names.of(VILLAGES), Names.of(COMPANIES)
NUMBER = {name: number for number, name in enumerate(COMPANIES)}
PLACE = {name: place for place, name in enumerate(VILLAGES)}
GONE, NOBODY = -1, -1
ROUNDS = 8


# ---- what exists -----------------------------------------------------------------------------------------------------
class River(State, kw_only=True):
    """Where the companies are, and who holds the villages."""

    round: int = 1
    at: tuple[int, ...]
    """Per company: its village, or GONE. Four of the north, then four of the south."""
    owner: tuple[int, ...]
    """Per village: the side that was there last, or NOBODY."""


class March(Action, frozen=True, tag="march"):
    company: str
    to: str


class Storm(Action, frozen=True, tag="storm"):
    company: str
    to: str


class Rest(Action, frozen=True, tag="rest"):
    pass


class Marched(Event, frozen=True, tag="marched"):
    company: str
    to: str


class Lost(Event, frozen=True, tag="lost"):
    company: str
    at: str


M = Play[River]


def side_of(company: int) -> int:
    return company // 4


def companies_at(state: River, place: int, side: int) -> list[int]:
    """The companies of a side in a village."""
    return [company for company in range(side * 4, side * 4 + 4) if state.at[company] == place]


# ---- the rules -------------------------------------------------------------------------------------------------------
def why_not_order(state: River, side: int, company: int) -> Refusal | None:
    """Only own companies that are still there are ordered.  [rl-order]"""
    if side_of(company) != side:
        return Refusal("rl-order", "rl-not-yours", company=COMPANIES[company])
    return Refusal("rl-order", "rl-gone", company=COMPANIES[company]) if state.at[company] == GONE else None


def why_not_there(state: River, company: int, to: int, *, storms: bool) -> Refusal | None:
    """A company goes to a neighbouring village: by marching where no enemy is, else by storm.  [rl-march] [rl-storm]"""
    if abs(state.at[company] - to) != 1:
        return Refusal("rl-march", "rl-far", company=COMPANIES[company], to=VILLAGES[to])
    if bool(companies_at(state, to, 1 - side_of(company))) is not storms:
        return Refusal("rl-storm", "rl-nobody-there" if storms else "rl-enemy-there", to=VILLAGES[to])
    return None


def needed(state: River, side: int, to: int) -> int:
    """The lowest die with which a storm succeeds.  [rl-odds]"""
    beside = [company for place in (to - 1, to + 1) for company in companies_at(state, place, side)]
    return 4 if len(beside) >= 2 else 5


class Orders(Step, frozen=True, tag="orders"):
    """The sides order one company each, in turn.  [rl-turn]"""

    rule = "rl-turn"
    side: int = 0

    def run(self, m: M) -> None:
        state = m.state
        left = [any(place != GONE for place in state.at[side * 4 : side * 4 + 4]) for side in (0, 1)]
        if state.round > ROUNDS or not all(left):
            finish(m, left)

    def roles(self, m: M) -> Sequence[str]:
        return [ROLES[self.side]]

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [
            Offer(March, self.fields(m, storms=False), rule="rl-march"),
            Offer(Storm, self.fields(m, storms=True), rule="rl-storm"),
            Offer(Rest, rule="rl-turn"),
        ]

    def fields(self, m: M, *, storms: bool) -> Any:
        """The company and where it goes. Made when somebody looks: most offers are never looked into."""
        state = m.state

        def order(company: int) -> Refusal | None:
            return why_not_order(state, self.side, company)

        def where(name: str) -> Named:
            def why(to: int) -> Refusal | None:
                return why_not_there(state, NUMBER[name], to, storms=storms)

            return Named(range(len(VILLAGES)), VILLAGE, why, why)

        def fields() -> tuple[Field, ...]:
            return (
                Field("company", "unit", Named(range(len(COMPANIES)), COMPANY, order, order)),
                Field("to", "space", where),
            )

        return fields

    def take(self, m: M, role: str, action: Any) -> None:
        state = m.state
        match action:
            case March(company, to):
                enter(m, NUMBER[company], PLACE[to])
            case Storm(company, to):
                storm(m, NUMBER[company], PLACE[to])
        state.round += self.side
        m.replace(Orders(1 - self.side))


def enter(m: M, company: int, to: int) -> None:
    """A company moves in, and the village is its side's.  [rl-hold]"""
    m.state.at = put(m.state.at, company, to)
    m.state.owner = put(m.state.owner, to, side_of(company))
    m.emit(Marched(company=COMPANIES[company], to=VILLAGES[to]))


def storm(m: M, company: int, to: int) -> None:
    """One die: an enemy company goes, or the storming one.  [rl-storm] [rl-odds]"""
    won = m.roll(6, why="rl-odds") >= needed(m.state, side_of(company), to)
    enemies = companies_at(m.state, to, 1 - side_of(company))
    gone = enemies[0] if won else company
    place = m.state.at[gone]
    m.state.at = put(m.state.at, gone, GONE)
    m.emit(Lost(company=COMPANIES[gone], at=VILLAGES[place]))
    if won and len(enemies) == 1:
        enter(m, company, to)


def finish(m: M, left: Sequence[bool]) -> None:
    """The side that is alone wins at once; else the one with more villages.  [rl-victory]"""
    held = [m.state.owner.count(side) for side in (0, 1)]
    if not all(left):
        held = [int(there) for there in left]
    if held[0] == held[1]:
        m.end((), "draw", "rl-victory")
    else:
        m.end((ROLES[held.index(max(held))],), "victory", "rl-victory")


# ---- the game --------------------------------------------------------------------------------------------------------
class RiverLine(Game[River]):
    id = "river-line"
    title = "River Line"
    rules_version = 1
    roles = ROLES
    alliances: ClassVar = {role: (role,) for role in ROLES}
    scenarios: ClassVar = {"crossing": Scenario("crossing", turns=ROUNDS)}
    options: ClassVar = {}
    home = Path(__file__).parent
    state_type = River
    steps = (Orders,)
    actions = (March, Storm, Rest)
    events = (Marched, Lost)
    gestures: ClassVar = {"rest": Gesture(ends=True)}
    scenes: ClassVar = {
        Marched: Staging("move", units="company", path=("to",)),
        Lost: Staging("leave", units="company", path=("at",)),
    }

    def begin(self, scenario: str, options: Mapping[str, OptionValue]) -> River:
        return River(
            scenario=scenario,
            options=options,
            stack=(Orders(),),
            at=(0, 0, 1, 1, 4, 4, 3, 3),
            owner=(0, 0, NOBODY, 1, 1),
        )

    def public(self, state: River) -> bool:
        return True

    def turn(self, state: River) -> str:
        return str(min(state.round, ROUNDS))

    def measures(self, state: River) -> Mapping[str, float]:
        found: dict[str, float] = {}
        for side, role in enumerate(ROLES):
            found[f"territory.{role}"] = float(state.owner.count(side))
            found[f"strength.{role}"] = float(sum(place != GONE for place in state.at[side * 4 : side * 4 + 4]))
        return found

    def preview(self, m: M, role: str, action: Action) -> Odds | None:
        if not isinstance(action, Storm):
            return None
        side = ROLES.index(role)
        success = (7 - needed(m.state, side, PLACE[action.to])) / 6
        results = (Result(success, "taken"), Result(1 - success, "repulsed"))
        return Odds("storm", results, success, whose=f"@{role}", aim="aim.taken")

    def table(self, view: View[River], texts: Texts) -> Table:
        state = view.state
        stacks: dict[str, list[CounterFace]] = {}
        for company, place in enumerate(state.at):
            if place != GONE:
                face = CounterFace(COMPANIES[company], ROLES[side_of(company)], symbol="SFGPUCI----", size="I")
                stacks.setdefault(VILLAGES[place], []).append(face)
        side = getattr(state.stack[-1], "side", 0) if state.stack else 0
        return Table(
            game=self.id,
            scenario=state.scenario,
            role=view.role,
            number=view.number,
            prompt=texts.say("prompt.over" if state.outcome else f"prompt.{ROLES[side]}"),
            asked=view.asked,
            turn=texts.say("turn.round", number=self.turn(state), of=ROUNDS),
            sequence=[Stage(role, texts.name(f"@{role}"), now=side == n) for n, role in enumerate(ROLES)],
            sides={
                "north": SideFace(texts.name("@north"), "blue"),
                "south": SideFace(texts.name("@south"), "red", "stripes"),
            },
            spaces={
                name: SpaceFace("" if state.owner[place] == NOBODY else ROLES[state.owner[place]])
                for place, name in enumerate(VILLAGES)
            },
            stacks=stacks,
            ends=texts.say("ends.rest"),
        )

    def faults(self, state: River) -> Sequence[str]:
        found = []
        for place, name in enumerate(VILLAGES):
            there = [side for side in (0, 1) if companies_at(state, place, side)]
            if len(there) > 1:
                found.append(f"both sides are in {name}")
            if there and state.owner[place] != there[0]:
                found.append(f"{name} does not belong to who is there")
        return found


GAME = RiverLine()
