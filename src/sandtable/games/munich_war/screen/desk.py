"""What a side can mobilize and refit now, as the production desk shows it."""

from __future__ import annotations

from sandtable.core import Texts
from sandtable.core.table import Desk, DeskItem

from ..facts.politics import members
from ..model.atlas import ATLAS, SIDES
from ..model.state import M
from ..rules.mobilization import MOBILIZE_COST, refit_cost
from ..rules.mobilization_phase import Spend
from .counters import counter


def desk(m: M, role: str | None, texts: Texts) -> Desk | None:
    """Return the desk of the side that spends its replacement points."""
    step = m.state.stack[-1] if m.state.stack else None
    if not isinstance(step, Spend) or role != SIDES[step.side]:
        return None
    items = []
    for verb, found in (("mobilize", step.new(m)), ("refit", step.weak(m))):
        for name in found:
            unit = ATLAS.unit_number[name]
            price = MOBILIZE_COST if verb == "mobilize" else refit_cost(unit)
            country = texts.name(f"@{ATLAS.countries[ATLAS.units[unit].country].name}")
            title = texts.say(f"desk.{verb}", what=ATLAS.units[unit].name, country=country)
            arrives = texts.say("desk.by-die") if verb == "mobilize" else ""
            face = counter(m.state, unit, set(), texts)
            items.append(DeskItem({"do": verb, "unit": name}, title, price, face, most=1, arrives=arrives))
    money = m.state.pool + sum(m.state.rp[country] for country in members(m.state)[step.side])
    return Desk(money, texts.say("desk.points"), items)
