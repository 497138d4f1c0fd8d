"""Windows: moments in other people's phases at which a role may cut in (a card, an interception).

Nobody is asked forty times a turn, and being asked reveals nothing:
- public facts alone decide who may answer at a window (`eligible`), and these are the roles that everybody sees waited
  for;
- each role's own standing orders decide whether it is really asked. Nobody else sees them, and a role may set them
  whether it holds something or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .data import Orders, Pass, Role
from .offers import Offer
from .step import Step


class Window(Step, frozen=True, tag="window"):
    """A window that stays open until every role that is asked has passed."""

    name: str
    eligible: tuple[Role, ...]
    pending: tuple[Role, ...]

    def run(self, m: Any) -> None:
        if not self.pending:
            m.pop()

    def roles(self, m: Any) -> Sequence[Role]:
        return self.pending

    def publicly_asked(self, m: Any) -> Sequence[Role]:
        return self.eligible

    def offers(self, m: Any, role: Role) -> Sequence[Offer]:
        return [*m.game.window_offers(m, role, self.name), Offer(Pass, rule="sandtable-window")]

    def take(self, m: Any, role: Role, action: Any) -> None:
        if isinstance(action, Pass):
            m.replace(self.without(role))
        else:
            m.game.window_take(m, role, action, self.name)

    def without(self, role: Role) -> Window:
        """Return the window after this role has passed."""
        return Window(self.name, self.eligible, tuple(r for r in self.pending if r != role))

    def redact(self, role: Role | None) -> Window:
        return Window(self.name, self.eligible, (role,) if role is not None and role in self.pending else ())


def is_asked(orders: Orders | None, name: str, default: Sequence[str]) -> bool:
    """Whether a role with these standing orders is asked at a window of this name."""
    if orders is None:
        return name in default
    if orders.quiet_until:
        return orders.quiet_until == name
    return name in (default if orders.ask is None else orders.ask)
