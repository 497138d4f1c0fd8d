"""Games that keep no secret, to see that the tests of the fog notice: every role's table is laid out from the whole
state, and an enemy's hand of cards lies on it too."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.core import Game
from sandtable.games.blitzkrieg_general.game import GAME as BLITZKRIEG_GENERAL
from sandtable.games.munich_war.game import GAME as MUNICH_WAR


def leaky(honest: Game[Any]) -> Game[Any]:
    side = {role: alliance for alliance, roles in honest.alliances.items() for role in roles}
    enemy = {role: next(other for other in honest.roles if side.get(other) != side.get(role)) for role in honest.roles}

    def redact(self: Game[Any], state: Any, role: str | None) -> None:
        if role is None:  # what everybody may know stays the same: it is what secrets are told from
            honest.redact(state, role)

    def table(self: Game[Any], view: Any, texts: Any) -> Any:
        own = honest.table(view, texts)
        if view.role is None:
            return own
        other = honest.table(msgspec.structs.replace(view, role=enemy[view.role]), texts)
        leaked = [msgspec.structs.replace(panel, id="leaked") for panel in other.panels if panel.id == "hand"]
        return msgspec.structs.replace(own, panels=[*own.panels, *leaked])

    made: Game[Any] = type("Leaky", (type(honest),), {"redact": redact, "table": table})()
    return made


MUNICH = leaky(MUNICH_WAR)
BLITZKRIEG = leaky(BLITZKRIEG_GENERAL)
