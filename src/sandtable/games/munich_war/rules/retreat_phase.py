"""Retreats as decisions (chapter 12)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Offer, OneOf, Refusal, Step

from ..facts.board import board
from ..facts.retreats import best_paths, has_fort, steps_back
from ..model.actions import Retreat, Stand
from ..model.atlas import ATLAS, NOBODY, SIDES, hex_name, names_of
from ..model.events import Stood
from ..model.state import M
from .losses import eliminate
from .politics import why_barred_by_poland
from .retreat import may_stand, why_no_mountain, withdraw_along
from .stacking import would_overstack


class RetreatAll(Step, frozen=True, tag="mw.retreat"):
    """[mw-12.0-a] [mw-12.0-b] [mw-12.0-c] The owner retreats their units one by one."""

    rule = "mw-12.0-a"
    side: int
    units: tuple[int, ...]
    distance: int

    def run(self, m: M) -> None:
        """What leaves no choice happens by itself."""
        state = m.state
        left = tuple(unit for unit in self.units if state.steps[unit] and unit not in state.assaults)
        for unit in left:
            face = ATLAS.units[unit]
            if face.fort:
                left = tuple(other for other in left if other != unit)  # [mw-12.2-a]
            elif face.static and not may_stand(m, unit):
                eliminate(m, unit, "retreat")  # [mw-12.1-h]
                left = tuple(other for other in left if other != unit)
        if not left:
            m.pop()
            return
        for unit in left:
            if not may_stand(m, unit) and not best_paths(m.state, unit, self.distance):
                self.perish(m, unit)
                m.replace(RetreatAll(self.side, tuple(other for other in left if other != unit), self.distance))
                return
        m.amend(RetreatAll(self.side, left, self.distance))

    def perish(self, m: M, unit: int) -> None:
        """[mw-12.1-e] [mw-12.1-f] No way out: eliminated."""
        eliminate(m, unit, "retreat")

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        number = ATLAS.unit_number
        names = [ATLAS.units[unit].id for unit in self.units]
        standing = [ATLAS.units[unit].id for unit in self.units if may_stand(m, unit)]
        going = [name for name in names if best_paths(m.state, number[name], self.distance)]
        found = []
        if going:
            found.append(
                Offer(
                    Retreat,
                    Field("unit", "unit", OneOf(going)),
                    Field("path", "path", lambda unit: OneOf(
                        [names_of(path) for path in best_paths(m.state, number[unit], self.distance)],
                        why=lambda path: self.why_not(m, number[unit], path))),
                    rule="mw-12.0-a",
                )
            )  # fmt: skip
        if standing:
            found.append(
                Offer(Stand, Field("unit", "unit", OneOf(standing, why=lambda unit: _why_not_stand(unit))),
                      rule="mw-12.2-b")
            )  # fmt: skip
        return found

    def why_not(self, m: M, unit: int, path: object) -> Refusal | None:
        """Which restriction a path breaks first."""
        if not isinstance(path, tuple):
            return None
        start = before = m.state.where[unit]
        for place, name in enumerate(path, 1):
            at = ATLAS.hex_number.get(name, NOBODY)
            if at == NOBODY or not ATLAS.neighbours(before) >> at & 1:
                return Refusal("mw-12.1-c", "no-way", hex=str(name))
            if board(m.state).occupied[1 - self.side] >> at & 1:
                return Refusal("mw-12.1-a", "enemy-there", hex=name)
            if not steps_back(m.state, unit, before) >> at & 1:
                barred = why_barred_by_poland(m, ATLAS.units[unit].country, at)
                stuck = Refusal("mw-12.1-c", "no-retreat-there", hex=name)
                return barred or why_no_mountain(unit, at) or stuck
            if ATLAS.distance(start, at) != place:
                return Refusal("mw-12.1-f", "doubles-back", hex=name)
            before = at
        if len(path) < self.distance and not has_fort(m.state, self.side, before):
            return Refusal("mw-12.1-f", "too-short", distance=self.distance)
        if would_overstack(m, unit, before):
            return Refusal("mw-12.1-e", "retreat-overstacks", hex=hex_name(before))
        return Refusal("mw-12.1-g", "safer-way", unit=ATLAS.units[unit].id)

    def take(self, m: M, role: str, action: Retreat | Stand) -> None:
        unit = ATLAS.unit_number[action.unit]
        if isinstance(action, Stand):
            m.emit(Stood(unit=action.unit))
        else:
            withdraw_along(m, unit, tuple(ATLAS.hex_number[name] for name in action.path))
        m.replace(RetreatAll(self.side, tuple(other for other in self.units if other != unit), self.distance))


def _why_not_stand(unit: str) -> Refusal:
    return Refusal("mw-12.2-b", "no-fort", unit=unit)
