"""The Blitzkrieg phase: one side's blitz moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Field, Offer, OneOf, Refusal

from ..facts.names import names_of, shown, unit_of
from ..model.actions import Drop, March
from ..model.atlas import ATLAS
from ..model.events import Moved
from ..model.state import BLITZING, M
from ..model.units import mark, set_out
from .blitz import blitz_refusal, blitz_routes, blitzers, drop_offer, fly_offer, followers, strikers, struck
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
        waiting = [p for p in super().powers(m) if A.powers[p] not in self.done]
        return [p for p in waiting if self.may_act(m, p)]

    def may_act(self, m: M, power: int) -> bool:
        """Whether a power has a unit that can strike, or tac bombers that can follow those who struck."""
        s, fronts = m.state, self.fronts(m)
        if next(strikers(m, blitzers(s, power, fronts)), None) is not None:
            return True
        return bool(followers(m, blitzers(s, power, fronts), self.side))

    def choices(self, m: M, power: int) -> Sequence[Offer]:
        s, fronts = m.state, self.fronts(m)
        movers = list(blitzers(s, power, fronts))

        def why(value: Any) -> Refusal | None:
            unit = unit_of(s, value) if isinstance(value, str) else -1
            return blitz_refusal(s, unit, fronts) if unit >= 0 else None

        def march_fields() -> tuple[Field, ...]:
            heavy = strikers(m, [u for u in movers if not K.drop[s.kind[u]]])
            paths = Field("path", "path", lambda name: blitz_routes(m, unit_of(s, name)))
            return Field("unit", "unit", OneOf(list(names_of(s, heavy)), why)), paths

        offers: list[Offer] = [Offer(March, march_fields, rule="w2e-blitz-path")]
        drops = list(strikers(m, [u for u in movers if K.drop[s.kind[u]]]))
        if drops:
            offers.append(drop_offer(m, drops, self.side))
        planes = followers(m, movers, self.side)
        if planes:
            offers.append(fly_offer(m, planes, struck(s, self.side)))
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
            set_out(s, [unit])
            place(s, unit, A.index[action.path[-1]])
            m.emit(Moved(unit=action.unit, power=f"@{A.powers[power]}", path=shown(action.path)))
