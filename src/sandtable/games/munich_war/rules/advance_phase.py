"""Advances as decisions (chapter 13)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Offer, OneOf, Refusal, Step

from ..facts.board import enemy_at
from ..model.actions import Advance, Done
from ..model.atlas import ATLAS, SIDES, names_of
from ..model.state import M
from .advance import land_marines, march_in, paths, why_no_way, why_not_advance
from .politics import why_barred_by_poland
from .stacking import would_overstack


class Pursuit(Step, frozen=True, tag="mw.advance"):
    """[mw-13.0-a] [mw-13.0-e] [mw-crt-bb] [mw-crt-da] After a result that allows it, the attacker moves all, some
    or none of their units in, if no enemy is left there."""

    rule = "mw-13.0-a"
    side: int
    landed: bool = False
    done: tuple[int, ...] = ()
    """Units that have advanced."""

    def run(self, m: M) -> None:
        battle = m.state.battle
        assert battle is not None
        if enemy_at(m.state, self.side, battle.target):
            m.pop()
            return
        if not self.landed:
            land_marines(m, self.side)
            m.amend(Pursuit(self.side, True))
        if not self.movers(m):
            m.pop()

    def movers(self, m: M) -> list[int]:
        """[mw-13.0-d] Participants that have not advanced yet and can."""
        battle, state = m.state.battle, m.state
        assert battle is not None
        return [
            unit
            for unit in battle.units
            if state.steps[unit] and unit not in self.done and unit not in state.assaults
            and state.where[unit] != battle.target and ATLAS.units[unit].mobile and paths(m, unit, battle.target)
        ]  # fmt: skip

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        battle = m.state.battle
        assert battle is not None
        number, target = ATLAS.unit_number, battle.target
        names = [ATLAS.units[unit].id for unit in self.movers(m)]
        return [
            Offer(
                Advance,
                Field("unit", "unit", OneOf(names, why=lambda unit: self.why_not(m, unit))),
                Field("path", "path", lambda unit: OneOf(
                    [names_of(path) for path in paths(m, number[unit], target)],
                    why=lambda path: why_not_advance(m, number[unit], target, path))),
                rule="mw-13.0-a",
            ),
            Offer(Done, rule="mw-13.0-a"),
        ]  # fmt: skip

    def why_not(self, m: M, unit: str) -> Refusal | None:
        battle, number = m.state.battle, ATLAS.unit_number.get(unit)
        assert battle is not None
        if number is None:
            return None
        if number not in battle.units:
            return Refusal("mw-13.0-a", "not-in-battle", unit=unit)
        if ATLAS.units[number].static:
            return Refusal("mw-13.0-d", "static-unit", unit=unit)
        if number in self.done or m.state.where[number] == battle.target:
            return Refusal("mw-13.0-a", "has-advanced", unit=unit)
        barred = why_barred_by_poland(m, ATLAS.units[number].country, battle.target)
        return barred or would_overstack(m, number, battle.target) or why_no_way(m, number, battle.target)

    def take(self, m: M, role: str, action: Advance | Done) -> None:
        if isinstance(action, Done):
            m.pop()
            return
        march_in(m, ATLAS.unit_number[action.unit], tuple(ATLAS.hex_number[name] for name in action.path))
        m.replace(Pursuit(self.side, True, (*self.done, ATLAS.unit_number[action.unit])))
