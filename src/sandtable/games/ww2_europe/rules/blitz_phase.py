"""Blitzkrieg: tanks, mech, airborne and tac bombers that have not moved strike once more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Field, Offer, OneOf, Refusal

from ..facts.names import names_of, shown, unit_of
from ..model.actions import Drop, March
from ..model.atlas import ATLAS
from ..model.events import Moved
from ..model.kinds import AIR
from ..model.state import BLITZING, MOVED, M
from ..model.units import mark
from .air import pinned
from .blitz import _drop_offer, _fly_offer, _struck, blitz_refusal, blitz_routes, blitzers, strikers
from .movement_phase import carry_out, march
from .routes import to_indices
from .side_step import SideStep
from .units import place

A = ATLAS
K = ATLAS.kinds


class Blitz(SideStep, frozen=True, tag="blitz"):
    """One side's blitz moves on the fronts where it has initiative.  [w2e-blitz]"""

    rule = "w2e-blitz"

    def fronts(self, m: M) -> tuple[int, ...]:
        """Return the fronts on which the side has initiative."""
        return tuple(front for front, holder in enumerate(m.state.initiative) if holder == self.side)

    def powers(self, m: M) -> list[int]:
        waiting, fronts = [p for p in super().powers(m) if A.powers[p] not in self.done], self.fronts(m)
        return [p for p in waiting if next(strikers(m, blitzers(m.state, p, fronts)), None) is not None]

    def choices(self, m: M, power: int) -> Sequence[Offer]:
        s, fronts = m.state, self.fronts(m)
        movers = list(blitzers(s, power, fronts))
        striking = list(strikers(m, movers))
        heavy = [u for u in striking if not K.drop[s.kind[u]]]

        def why(value: Any) -> Refusal | None:
            unit = unit_of(s, value) if isinstance(value, str) else -1
            return blitz_refusal(s, unit, fronts) if unit >= 0 else None

        def march_fields() -> tuple[Field, ...]:
            paths = Field("path", "path", lambda name: blitz_routes(m, unit_of(s, name)))
            return Field("unit", "unit", OneOf(list(names_of(s, heavy)), why)), paths

        offers: list[Offer] = [Offer(March, march_fields, rule="w2e-blitz-path")]
        drops = [u for u in striking if K.drop[s.kind[u]]]
        if drops:
            offers.append(_drop_offer(m, drops, self.side))
        planes = [u for u in movers if K.cls[s.kind[u]] == AIR]
        targets = _struck(s, self.side) if planes else ()
        free = [u for u in planes if pinned(s, u) is None] if targets else []
        if free:
            offers.append(_fly_offer(m, free, targets))
        return offers

    def act(self, m: M, power: int, action: Any) -> None:
        s = m.state
        unit = unit_of(s, action.unit)
        mark(s, unit, BLITZING)
        if isinstance(action, March):
            march(m, unit, to_indices(action.path))
        elif isinstance(action, Drop):
            carry_out(m, power, action)
        else:
            mark(s, unit, MOVED)
            place(s, unit, A.index[action.path[-1]])
            m.emit(Moved(unit=action.unit, power=f"@{A.powers[power]}", path=shown(action.path)))
