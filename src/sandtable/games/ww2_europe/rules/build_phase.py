"""The Build phase: the boxes move down, finished units come to the board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from sandtable.core import Field, Offer, OneOf, Refusal, Step
from sandtable.core.columns import put_each

from ..facts.control import active_powers
from ..facts.names import names_of, unit_name, unit_of
from ..facts.whereabouts import at
from ..model.actions import Place
from ..model.atlas import ATLAS, NOBODY
from ..model.events import Built, Lost
from ..model.state import BOX, M
from .build import FINISHED, Placed, category, finished, place_refusal, sites
from .side_step import SideStep
from .units import remove, settle

A = ATLAS
K = ATLAS.kinds

BOXES = max(K.build_time)


class SlideBoxes(Step, frozen=True, tag="slide-boxes"):
    """Everything in the Build Boxes goes down one box.  [w2e-build-order] [w2e-unit-attr-build-time]"""

    rule = "w2e-build-order"
    side: int

    def run(self, m: M) -> None:
        state = m.state
        powers = set(active_powers(state, self.side))
        waiting = sorted(u for box in range(1, BOXES + 1) for u in at(state, BOX - box) if state.power[u] in powers)
        state.space = put_each(state.space, {unit: state.space[unit] + 1 for unit in waiting})
        m.replace(Building(self.side))


class Building(SideStep, frozen=True, tag="building"):
    """Finished units are placed; those without a place are lost.  [w2e-build-lost]"""

    rule = "w2e-build-order"
    placed: Placed = ()

    def places(self, m: M, unit: int) -> list[int]:
        state = m.state
        found = sites(state.power[unit], category(state.kind[unit]))
        return [s for s in found if place_refusal(m, unit, s, self.placed) is None]

    def placeable(self, m: M, power: int) -> list[int]:
        """Return the finished units that have a place to go; one of a kind goes where another may."""
        state, placed = m.state, self.placed
        able: dict[int, bool] = {}
        found = []
        for unit in finished(m, power):
            kind = state.kind[unit]
            if kind not in able:
                able[kind] = any(place_refusal(m, unit, s, placed) is None for s in sites(power, category(kind)))
            if able[kind]:
                found.append(unit)
        return found

    def powers(self, m: M) -> list[int]:
        if not at(m.state, FINISHED):
            return []
        return [p for p in super().powers(m) if self.placeable(m, p)]

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        """Nobody is done while a finished unit has a place to go."""
        return self.choices(m, A.power_index[role])

    def choices(self, m: M, power: int) -> Sequence[Offer]:
        state = m.state
        units = self.placeable(m, power)

        def why(name: str, value: Any) -> Refusal | None:
            space = A.index.get(value, NOBODY) if isinstance(value, str) else NOBODY
            return place_refusal(m, unit_of(state, name), space, self.placed) if space >= 0 else None

        return [
            Offer(
                Place, Field("unit", "unit", OneOf(list(names_of(state, units)))),
                Field("space", "space", lambda name: OneOf(
                    [A.names[s] for s in self.places(m, unit_of(state, name))], lambda value: why(name, value))),
                rule=self.rule,
            )
        ]  # fmt: skip

    def act(self, m: M, power: int, action: Any) -> None:
        state = m.state
        unit, space = unit_of(state, action.unit), A.index[action.space]
        settle(state, unit, space)
        m.emit(Built(unit=action.unit, power=f"@{A.powers[power]}", space=f"@{action.space}"))
        m.replace(msgspec.structs.replace(self, placed=(*self.placed, (space, category(state.kind[unit])))))

    def finish(self, m: M) -> None:
        state = m.state
        for power in active_powers(state, self.side):
            for unit in finished(m, power):
                m.emit(Lost(unit=unit_name(state, unit), power=f"@{A.powers[power]}", why="w2e-build-lost"))
                remove(state, unit)
