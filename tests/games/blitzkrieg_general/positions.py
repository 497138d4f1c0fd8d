"""Small positions that read like the examples of a rulebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sandtable.core import Action, Choices, Match, Offer, Refusal, Role, ScriptedDice, Step
from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.game import GAME
from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.atlas import ATLAS, MAJORS
from sandtable.games.blitzkrieg_general.model.events import Fired
from sandtable.games.blitzkrieg_general.model.state import AT_WAR, BUILDING, POOL, BKState, move_unit, send
from sandtable.games.blitzkrieg_general.rules.combat_phase import Combats
from sandtable.games.blitzkrieg_general.rules.economy import refresh_production
from sandtable.games.blitzkrieg_general.rules.movement import march_targets
from sandtable.games.blitzkrieg_general.rules.movement_phase import Phase
from sandtable.games.blitzkrieg_general.rules.politics import set_war
from sandtable.games.blitzkrieg_general.rules.setup import begin, blank
from sandtable.games.blitzkrieg_general.rules.strength import effective
from sandtable.games.blitzkrieg_general.sequence import begin_phase

A = ATLAS


class Idle(Step, frozen=True, tag="bg.test-idle"):
    """What lies under the step that a test looks at."""

    def roles(self, m: Any) -> Sequence[Role]:
        return ("germany",)

    def offers(self, m: Any, role: Role) -> Sequence[Offer]:
        return [Choices([act.Done()], rule="bg-5.0-strict-order")]


class Board:
    """A position: an empty map (or a scenario's) with the units, wars and dice that a test needs."""

    def __init__(self, scenario: str = "1939-advanced", *, full: bool = False, **options: Any) -> None:
        chosen = GAME.check_options(scenario, {k.replace("_", "-"): v for k, v in options.items()})
        self.state: BKState = begin(scenario, chosen) if full else blank(scenario, chosen)
        if not full:
            self.state.deliveries = (False,) * 4
            self.state.island_owner = self.state.control
        self.match: Match[BKState] = Match(GAME, self.state, ScriptedDice([]), history=False)

    # ---- laying out
    def war(self, *pairs: str) -> Board:
        """'germany-france': both are at war, with each other."""
        for pair in pairs:
            a, b = (A.nation_of[n] for n in pair.split("-"))
            for n in (a, b):
                self.state.standing = put(self.state.standing, n, AT_WAR)
                self.state.war_since = put(self.state.war_since, n, self.state.turn)
            set_war(self.state, a, b)
        refresh_production(self.state)
        return self

    def join(self, nation: str, master: str) -> Board:
        """A minor on the side of a major, without its set-up."""
        n, m = A.nation_of[nation], A.nation_of[master]
        self.state.side = put(self.state.side, n, self.state.side[m])
        self.state.master = put(self.state.master, n, m)
        self.state.standing = put(self.state.standing, n, AT_WAR)
        for other in range(len(self.state.war)):
            if self.state.war[m] >> other & 1:
                set_war(self.state, n, other)
        refresh_production(self.state)
        return self

    def own(self, nation: str, *spaces: str) -> Board:
        for space in spaces:
            self.state.control = put(self.state.control, A.space_of[space], A.nation_of[nation])
        refresh_production(self.state)
        return self

    def add(self, spec: str, at: str, *, flipped: bool = False, origin: str = "", mission: str = "") -> str:
        """'germany-inf-4' or an HQ's name, on a space; the unit's id."""
        unit = next(u for u in A.kind_ids[spec].units if self.state.place[u] == POOL)
        move_unit(self.state, unit, A.space_of[at])
        self.state.flipped = put(self.state.flipped, unit, int(flipped))
        self.state.start = put(self.state.start, unit, A.space_of[at])
        if origin:
            self.state.origin = put(self.state.origin, unit, A.space_of[origin])
        if mission:
            send(self.state, unit, A.space_of[mission])
        return A.unit_ids[unit]

    def adds(self, at: str, *specs: str, **more: Any) -> list[str]:
        return [self.add(spec, at, **more) for spec in specs]

    def chart(self, spec: str, due: int) -> str:
        """A unit in production."""
        unit = next(u for u in A.kind_ids[spec].units if self.state.place[u] == POOL)
        move_unit(self.state, unit, BUILDING)
        self.state.due = put(self.state.due, unit, due)
        return A.unit_ids[unit]

    def advance(self, nation: str, *what: str) -> Board:
        for name in what:
            known = self.state.advances[MAJORS.index(nation)] | 1 << A.achievements.index(name)
            self.state.advances = put(self.state.advances, MAJORS.index(nation), known)
        return self

    def weather(self, europe: bool = False, pacific: bool = False) -> Board:
        """True is bad."""
        self.state.bad = (int(europe), int(pacific))
        return self

    # ---- playing
    def start(self, step: Step | None, dice: Iterable[int] = (), *, phasing: int | None = None) -> Board:
        """The game stands at this step, with these dice to fall."""
        if phasing is not None:
            self.state.phasing = phasing
        self.state.stack = (Idle(),) if step is None else (Idle(), step)
        self.dice = ScriptedDice(dice, first=self.state.rolled)
        self.match = Match(GAME, self.state, self.dice, history=False)
        self.match.play._moved = True
        self.match.play.settle()
        return self

    def phase(self, name: str = "land", *, phasing: int = 0, dice: Iterable[int] = ()) -> Board:
        begin_phase(self.state)
        self.state.exploiting = name == "exploit"
        return self.start(Phase(name), dice, phasing=phasing)

    def combat(self, dice: Iterable[int], *, phasing: int = 0) -> Board:
        return self.start(Combats(), dice, phasing=phasing)

    @property
    def m(self) -> Any:
        return self.match.play

    @property
    def step(self) -> Any:
        return self.match.step

    def do(self, role: str, *actions: Action) -> Board:
        for action in actions:
            self.match.apply(role, action)
        return self

    def who(self) -> str:
        return self.match.decisions()[0]

    def answer(self, *actions: Action) -> Board:
        """Whoever is asked does this."""
        for action in actions:
            self.match.apply(self.who(), action)
        return self

    def refused(self, role: str, action: Action) -> Refusal:
        found = self.match.why_not(role, action)
        assert found is not None, f"{action} is allowed"
        return found

    def rule(self, role: str, action: Action) -> str:
        """The rule that forbids an action; '' where none does."""
        found = self.match.why_not(role, action)
        return "" if found is None else found.rule

    def hits(self, *units: str) -> Board:
        """The owner spreads hits over these units, in this order."""
        for unit in units:
            self.answer(act.TakeHit(unit))
        return self

    def march(self, role: str, unit: str, to: str, via: str | None = None) -> Board:
        if via is None:
            ways = self.ways(unit, to)
            via = ways[0]
        return self.do(role, act.March(unit, to, via))

    def ways(self, unit: str, to: str) -> list[str]:

        ways = march_targets(self.state, A.unit_of[unit]).get(A.space_of[to])
        return A.names(ways) if ways else [""]

    # ---- looking
    def at(self, space: str) -> list[str]:
        return sorted(A.unit_ids[u] for u in self.state.here[A.space_of[space]])

    def kinds(self, space: str) -> list[str]:
        """What stands in a space: kinds, a reduced one with '!'."""
        return sorted(
            A.kind_of_unit[u].id + ("!" if self.state.flipped[u] else "") for u in self.state.here[A.space_of[space]]
        )

    def where(self, unit: str) -> str:
        place = self.state.place[A.unit_of[unit]]
        return A.space_ids[place] if place >= 0 else {POOL: "pool", BUILDING: "chart"}.get(place, "removed")

    def owner(self, space: str) -> str:
        return A.nation_ids[self.state.control[A.space_of[space]]]

    def is_flipped(self, unit: str) -> bool:
        return bool(self.state.flipped[A.unit_of[unit]])

    def flag(self, major: str) -> int:
        return self.state.production[MAJORS.index(major)]

    def find(self, kind: str, space: str, nth: int = 0) -> str:
        """The nth unit of a kind in a space; '!' asks for a reduced one."""
        want, reduced = kind.rstrip("!"), kind.endswith("!")
        units = [
            u
            for u in sorted(self.state.here[A.space_of[space]])
            if A.kind_of_unit[u].id == want and bool(self.state.flipped[u]) == reduced
        ]
        return A.unit_ids[units[nth]]

    def dice_left(self) -> int:
        return self.dice.left(self.state.rolled)

    def fired(self) -> list[tuple[str, int]]:
        """(unit, strength) of every shot of the last action."""
        return [(e.unit, e.strength) for e in self.match.play.events if isinstance(e, Fired)]


def unit(ident: str) -> int:
    return A.unit_of[ident]


def space(ident: str) -> int:
    return A.space_of[ident]


def nation(ident: str) -> int:
    return A.nation_of[ident]


# ---- whole battles ------------------------------------------------------------------------------------------------
def battle(
    board: Board,
    where: str,
    attackers: Sequence[tuple[str, str] | str],
    defenders: Sequence[str],
    dice: Iterable[int],
    *,
    phasing: int = 0,
    flyers_from: str = "",
) -> Board:
    """Lay a battle out and roll its first round. An attacker is 'kind' or ('kind', where it came from); '!' is reduced.

    Aircraft and Task Forces of the attacker fly from `flyers_from`, those of the defender stand in the area.
    """
    for entry in attackers:
        spec, origin = entry if isinstance(entry, tuple) else (entry, "")
        kind = spec.rstrip("!")
        flies = A.kind_ids[kind].type in (4, 5) and not A.is_sea[A.space_of[where]]
        if flies:
            board.add(kind, origin or flyers_from, flipped=spec.endswith("!"), mission=where)
        else:
            board.add(kind, where, flipped=spec.endswith("!"), origin=origin)
    for spec in defenders:
        board.add(spec.rstrip("!"), where, flipped=spec.endswith("!"))
    if A.is_sea[A.space_of[where]]:
        board.state.sea_battles = {**board.state.sea_battles, A.space_of[where]: 3}
    return board.combat(dice, phasing=phasing)


def pending(board: Board) -> tuple[int, int]:
    """Hits that the phasing and the other side have to take."""
    hits = board.state.battle.hits if board.state.battle else [0] * 8
    return sum(hits[:4]), sum(hits[4:])


def strengths(board: Board) -> dict[str, int]:
    """What each unit of the battle fights at, by kind."""

    state = board.state
    assert state.battle is not None
    return {
        A.kind_of_unit[u].id: effective(state, state.battle, u, state.battle.aim.get(u, 0))
        for u in (*state.battle.attackers, *state.battle.defenders)
    }
