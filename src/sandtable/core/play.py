"""Play: what the rules work with while an action is carried out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar

from .codec import Codec
from .columns import having
from .data import Ended, Event, Outcome, Role, Rolled, RuleId, State
from .dice import Dice
from .errors import BrokenRules
from .offers import Offer
from .step import Step
from .windows import Window, is_asked

S = TypeVar("S", bound=State)
_MOST_RUNS = 100_000


class Ruleset(Protocol[S]):
    """What play needs to know of a `Game`."""

    @property
    def codec(self) -> Codec[S]: ...
    def default_windows(self, state: S, role: Role) -> Sequence[str]: ...
    def window_offers(self, m: Play[S], role: Role, name: str) -> Sequence[Offer]: ...
    def window_take(self, m: Play[S], role: Role, action: Any, name: str) -> None: ...


class Play(Generic[S]):
    """The state, the stack of steps, the dice and the events of the action being carried out."""

    __slots__ = ("_moved", "closed", "dice", "events", "game", "known_asked", "shown", "state")

    def __init__(self, game: Ruleset[S], state: S, dice: Dice) -> None:
        self.game = game
        self.state = state
        self.dice = dice
        self.events: list[Event] = []
        self.closed = False
        """Whether a die was rolled, so that what came before is for ever."""
        self.shown = False
        """Whether something hidden was shown, so that what came before cannot be taken back."""
        self._moved = False
        self.known_asked: tuple[Role, ...] | None = None
        """What `asked` returned, until the steps change."""

    # ---- the stack
    @property
    def step(self) -> Step:
        """The step that runs or asks now."""
        return self.state.stack[-1]  # type: ignore[return-value]

    def asked(self) -> tuple[Role, ...]:
        """Return who decides now. The result is cached until the steps change or somebody decides."""
        found = self.known_asked
        if found is None:
            found = self.known_asked = tuple(self.state.stack[-1].roles(self))  # type: ignore[attr-defined]
        return found

    def push(self, *steps: Step) -> None:
        """Put steps on top of the stack; the first one named runs first."""
        self.state.stack = (*self.state.stack, *steps[::-1])
        self._moved = True
        self.known_asked = None

    def pop(self) -> None:
        """Remove this step: it is done, and the one below continues."""
        self.state.stack = self.state.stack[:-1]
        self._moved = True
        self.known_asked = None

    def replace(self, *steps: Step) -> None:
        """Put other steps in the place of this one; the first one named runs first."""
        self.state.stack = (*self.state.stack[:-1], *steps[::-1])
        self._moved = True
        self.known_asked = None

    def amend(self, step: Step) -> None:
        """Change the fields of this step while it asks: its `run` is not called again."""
        self.state.stack = (*self.state.stack[:-1], step)
        self.known_asked = None

    def settle(self) -> None:
        """Run automatic steps until somebody is asked or the match is over."""
        state, runs = self.state, 0
        self.known_asked = None
        while self._moved and state.outcome is None:
            self._moved = False
            if not state.stack:
                raise BrokenRules("the stack of steps ran empty before the match had an outcome")
            state.stack[-1].run(self)  # type: ignore[attr-defined]
            runs += 1
            if runs > _MOST_RUNS:
                raise BrokenRules(f"steps go round in circles at {type(self.step).__name__}")
        self._moved = False
        if state.outcome is None and not (self.known_asked or self.asked()):
            raise BrokenRules(f"{type(self.step).__name__} asks nobody")

    # ---- chance and knowledge
    def roll(self, sides: int = 6, *, why: RuleId, seen_by: tuple[Role, ...] | None = None) -> int:
        """Roll one die of the match's stream. Closes undo."""
        number = self.state.rolled
        value = self.dice.value(number, sides)
        self.state.rolled = number + 1
        self.closed = True
        self.events.append(Rolled(number=number, sides=sides, value=value, why=why, seen_by=seen_by))
        return value

    def roll_many(self, count: int, sides: int = 6, *, why: RuleId) -> list[int]:
        """Roll several dice, one after the other."""
        return [self.roll(sides, why=why) for _ in range(count)]

    def draw(self, items: list[Any], *, why: RuleId, seen_by: tuple[Role, ...] | None = ()) -> Any:
        """Take one item at random out of the list; nobody sees the die unless `seen_by` says so. Closes undo."""
        return items.pop(self.roll(len(items), why=why, seen_by=seen_by) - 1)

    def reveal(self, why: RuleId) -> None:
        """Note that something hidden was shown to somebody. Closes undo."""
        self.shown = True

    def emit(self, event: Event) -> None:
        self.events.append(event)

    # ---- the course of the match
    def window(self, name: str, eligible: Sequence[Role]) -> bool:
        """Open a window on top of the stack if anybody is asked at it; returns whether that is so."""
        orders, pending = self.state.orders, []
        for role in eligible:
            mine = orders.get(role)
            if is_asked(mine, name, self.game.default_windows(self.state, role)):
                pending.append(role)
                if mine is not None and mine.quiet_until:
                    self.state.orders = having(self.state.orders, role, type(mine)(mine.ask, ""))
        if pending:
            self.push(Window(name, tuple(eligible), tuple(pending)))
        return bool(pending)

    def end(self, winners: Sequence[Role], level: str, reason: RuleId) -> None:
        """End the match."""
        self.state.outcome = Outcome(tuple(winners), level, reason)
        self.emit(Ended(outcome=self.state.outcome))

    def option(self, name: str) -> Any:
        """Return the value of an optional rule in this match; False when it is off."""
        return self.state.options.get(name, False)
