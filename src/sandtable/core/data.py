"""The plain data every game is made of: actions, events, steps, the state, the outcome.

All of it is msgspec Structs, so that it encodes to JSON and MessagePack without help. Actions, events and steps are
frozen: clones share them. A game's State keeps its hot parts as flat lists of integers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

if TYPE_CHECKING:
    from .offers import Offer
    from .play import Play

Role = str
"""Who decides in the rules: 'axis', 'germany'."""
RuleId = str
"""An item of a game's ledger: 'hw-advance-10'."""
OptionValue = bool | int | str


class Action(msgspec.Struct, frozen=True, gc=False, tag_field="do"):
    """One concrete choice. Subclasses name their tag: `class Move(Action, frozen=True, tag="move")`.

    Fields hold ids as people know them ('Q16', 'Army Group North'), so that a saved match can be read by a person
    and survives a new order of the atlas. No mutable fields.
    """


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="what", kw_only=True):
    """What happened. `seen_by` is None when everybody sees it, otherwise the roles that do."""

    seen_by: tuple[Role, ...] | None = None


class AnyStep:
    """What a stack holds, as the decoder sees it: it is read back with the game's own list of steps."""

    __slots__ = ()


class Step(msgspec.Struct, AnyStep, frozen=True, gc=False, tag_field="step"):
    """Where the game stands. Steps lie on a stack; the top one runs or asks.

    `run` is the automatic part. It is called when the step becomes the top of the stack: when it is pushed, and
    again each time a step above it is done. It either changes the stack (push, replace, pop) or leaves it alone, and
    then the step waits for the decisions it asks for. `take` gets an action that has been checked against the offers;
    it may change the stack too, or leave the step asking on.
    """

    rule: ClassVar[RuleId] = "sandtable-sequence"
    """The ledger item this step stands for; refusals of actions out of place cite it."""

    def run(self, m: Play[Any]) -> None:
        """The automatic part; nothing by default."""

    def roles(self, m: Play[Any]) -> Sequence[Role]:
        """Who is asked now; several when they decide at the same time."""
        return ()

    def offers(self, m: Play[Any], role: Role) -> Sequence[Offer]:
        """What that role may do. Must not change anything."""
        return ()

    def take(self, m: Play[Any], role: Role, action: Any) -> None:
        """Carry out an action of an asked role that is in its offers."""
        raise AssertionError(f"{type(self).__name__} takes no actions")

    def publicly_asked(self, m: Play[Any]) -> Sequence[Role]:
        """Who is waited for, as everybody may know it (a card window does not tell who is really asked)."""
        return self.roles(m)

    def redact(self, role: Role | None) -> Step:
        """The step as that role may know it; None is what everybody may know."""
        return self


class Outcome(msgspec.Struct, frozen=True):
    """How a match ended."""

    winners: tuple[Role, ...]
    """Empty: a draw."""
    level: str
    """'decisive', 'marginal', 'draw', ...: a name from the game's text files."""
    reason: RuleId


class Orders(msgspec.Struct, frozen=True):
    """A role's standing orders for windows in other people's phases. Nobody else sees them."""

    ask: tuple[str, ...] | None = None
    """Windows at which to be asked; None: the game's default."""
    quiet_until: str = ""
    """Pass silently at every window until one of this name opens."""


class State(msgspec.Struct, kw_only=True):
    """All that changes in a match, and nothing else. Each game adds its own fields.

    Fields are columns: immutable values that are replaced and never changed in place (see `columns`).
    """

    scenario: str
    options: Mapping[str, OptionValue] = {}
    """Fixed for the whole match; clones share it."""
    stack: tuple[AnyStep, ...] = ()
    """The last one runs or asks now."""
    rolled: int = 0
    """How many dice have been drawn from the stream."""
    outcome: Outcome | None = None
    orders: Mapping[Role, Orders] = {}
    resigned: tuple[Role, ...] = ()
    draw: tuple[Role, ...] = ()
    """Roles that agree to call it a draw."""


# ---- actions that every game has --------------------------------------------------------------------------------
class Undo(Action, frozen=True, tag="undo"):
    """Take back my last action. Recorded like any other move: the log only grows."""


class Order(Action, frozen=True, tag="order"):
    """Set my standing orders for windows."""

    ask: tuple[str, ...] | None = None
    quiet_until: str = ""


class Resign(Action, frozen=True, tag="resign"):
    """Give up. A side has lost when all its roles have resigned."""


class Draw(Action, frozen=True, tag="draw"):
    """Agree to a draw (or take it back). The match is drawn when every role agrees."""

    agree: bool = True


class Pass(Action, frozen=True, tag="pass"):
    """Do nothing at this window or decision."""


CORE_ACTIONS: tuple[type[Action], ...] = (Undo, Order, Resign, Draw, Pass)


# ---- events that every game has ---------------------------------------------------------------------------------
class Rolled(Event, frozen=True, tag="rolled"):
    """A die fell. `number` is its place in the match's dice stream, so that anyone can check it."""

    number: int
    sides: int
    value: int
    why: RuleId


class Undone(Event, frozen=True, tag="undone"):
    """A role took back its last action: the entry of that number no longer stands."""

    role: Role
    number: int


class Resigned(Event, frozen=True, tag="resigned"):
    """A role gave up."""

    role: Role


class DrawOffered(Event, frozen=True, tag="draw-offered"):
    """A role agrees to a draw, or no longer does."""

    role: Role
    agree: bool


class Ended(Event, frozen=True, tag="ended"):
    """The match is over."""

    outcome: Outcome


CORE_EVENTS: tuple[type[Event], ...] = (Rolled, Undone, Resigned, DrawOffered, Ended)
