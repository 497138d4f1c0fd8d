"""What a side can build and invest in now, as the production desk shows it."""

from __future__ import annotations

from sandtable.core import Texts
from sandtable.core.table import CounterFace, Desk, DeskItem

from ..model.atlas import SIDES
from ..model.state import War
from ..rules.production import build_places, buildable, cost


def desk(s: War, tag: str, role: str | None, symbols: dict[str, str], texts: Texts) -> Desk | None:
    """Return the desk of the side whose production phase it is; where points appear is chosen on the map."""
    if tag != "production" or role != SIDES[s.side]:
        return None
    items = []
    for kind in buildable(s, s.side):
        places = len(build_places(s, s.side, kind))
        if places:
            face = CounterFace(id=f"desk {kind}", side=role, symbol=symbols.get(kind, ""), label=texts.name(f"@{kind}"))
            arrives = texts.say("desk.places", number=places)
            action = {"do": "build", "kind": kind}
            items.append(DeskItem(action, texts.name(f"@{kind}"), cost(s, s.side, kind, 1), face, arrives=arrives))
    return Desk(s.budget, texts.say("desk.points"), items)
