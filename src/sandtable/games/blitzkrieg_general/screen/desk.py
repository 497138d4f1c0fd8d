"""What a country can build and repair now, as the production desk shows it."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.core import Texts
from sandtable.core.table import CounterFace, Desk, DeskItem

from ..facts.units import on_map
from ..model.atlas import ATLAS, MAJORS, unit_id
from ..model.state import BKState
from ..rules.production import buildable, free_counters, why_not_repair
from ..rules.production_phase import Production

Picture = Callable[[BKState, int, Texts], CounterFace]


def desk(state: BKState, role: str | None, picture: Picture, texts: Texts) -> Desk | None:
    """Return the desk of a country that has points to spend."""
    if role is None or not state.stack or not isinstance(state.stack[-1], Production):
        return None
    major = MAJORS.index(role)
    if state.points[major] <= 0 or role in state.stack[-1].done:
        return None
    items = []
    for kind in buildable(state, major):
        free = free_counters(state, kind)
        arrives = texts.say("desk.quarters", number=kind.build_quarters)
        title = texts.name(f"@{kind.id}")
        items.append(DeskItem(
            {"do": "build", "kind": kind.id}, title, kind.cost, picture(state, free[0], texts), most=len(free),
            arrives=arrives,
        ))  # fmt: skip
    for unit in on_map(state, major):
        if state.flipped[unit] and why_not_repair(state, major, unit) is None:
            face, price = picture(state, unit, texts), ATLAS.kind_of_unit[unit].repair_cost
            title = texts.say("desk.repair", what=face.label)
            items.append(DeskItem({"do": "repair", "unit": unit_id(unit)}, title, price, face, most=1))
    return Desk(state.points[major], texts.say("desk.points"), items)
