"""The plain data every game is made of: actions, events, the state, the outcome.

All of it is msgspec Structs, so that it encodes to JSON and MessagePack without help. Actions and events are frozen.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

Role = str
"""Who decides in the rules: 'axis', 'germany'."""
RuleId = str
"""An item of a game's ledger: 'hw-advance-10'."""
OptionValue = bool | int | str


class Action(msgspec.Struct, frozen=True, gc=False, tag_field="do"):
    """One concrete choice. Subclasses name their tag: `class Move(Action, frozen=True, tag="move")`.

    Fields hold the names that people use ('Q16', 'Army Group North'), so that a person can read a saved match, and it
    stays valid when the atlas is ordered differently. No mutable fields.
    """


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="what", kw_only=True):
    """Something that happened. `seen_by` lists the roles that see it; None: everybody does."""

    seen_by: tuple[Role, ...] | None = None


class AnyStep:
    """The type of a stack's items for the decoder, which reads them with the game's own list of steps."""

    __slots__ = ()


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
    """Fixed for the whole match."""
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
    """Take back the role's last action. It is recorded like any other move: the log only grows."""


class Order(Action, frozen=True, tag="order"):
    """Set the role's standing orders for windows."""

    ask: tuple[str, ...] | None = None
    quiet_until: str = ""


class Resign(Action, frozen=True, tag="resign"):
    """Give up. A side has lost when all its roles have resigned."""


class Draw(Action, frozen=True, tag="draw"):
    """Agree to a draw, or no longer. The match is drawn when every role agrees."""

    agree: bool = True


class Pass(Action, frozen=True, tag="pass"):
    """Do nothing at this window or decision."""


CORE_ACTIONS: tuple[type[Action], ...] = (Undo, Order, Resign, Draw, Pass)
HOUSEKEEPING = frozenset((Undo, Order, Resign, Draw))
"""Actions outside the game's rules: possible at any time, whichever role is asked."""


# ---- events that every game has ---------------------------------------------------------------------------------
class Rolled(Event, frozen=True, tag="rolled"):
    """A die was rolled. `number` is its place in the match's dice stream, so that anyone can check it."""

    number: int
    sides: int
    value: int
    why: RuleId


class Undone(Event, frozen=True, tag="undone"):
    """A role took back its last action: the entry of that number is no longer in force."""

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
