"""National morale of Germany and Great Britain (Campaign Game II).

Morale only counts here; what happens when it is gone stands with the surrender of countries.
"""

from __future__ import annotations

from sandtable.core import Modifier
from sandtable.core.columns import put

from ..model.atlas import ALLIES, ATLAS, AXIS
from ..model.events import MoraleChanged
from ..model.state import M, War

GERMANY, BRITAIN = 0, 1
COUNTRIES = ("germany", "great_britain")
_RULES = ATLAS.rules["morale"]


def change_morale(m: M, country: int, change: int) -> None:
    """Morale rises to nineteen at most; events count as they happen.  [hw-morale-3]"""
    s = m.state
    if not s.morale:
        return
    s.morale = put(s.morale, country, min(int(_RULES["most"]), s.morale[country] + change))
    m.emit(MoraleChanged(country=f"@{COUNTRIES[country]}", change=change, now=s.morale[country]))


def place_lost(m: M, space: int) -> None:
    """Britain feels the loss of Suez and of Gibraltar.  [hw-morale-table]"""
    for place in ("suez", "gibraltar"):
        if space == ATLAS.place(place):
            change_morale(m, BRITAIN, int(_RULES[place]))


def count_hexes(m: M) -> None:
    """At the end of a combat phase: five hexes lost cost a point, six gained bring one, counted by side.

    [hw-morale-5] [hw-morale-table]
    """
    s = m.state
    for country, side in ((GERMANY, AXIS), (BRITAIN, ALLIES)):
        if s.lost[side] >= int(_RULES["lost_hexes"]):
            change_morale(m, country, int(_RULES["hexes_lost"]))
        if s.gained[side] >= int(_RULES["gained_hexes"]):
            change_morale(m, country, int(_RULES["hexes_gained"]))


def weariness(s: War, side: int) -> int:
    """One on every attack die of a side whose country has morale of five or less; not after Britain's surrender.

    [hw-morale-6] [hw-morale-7]
    """
    if not s.setting.technology or not s.morale:
        return 0
    if side == AXIS:
        return int(s.morale[GERMANY] <= int(_RULES["weary"]))
    if side == ALLIES and not s.surrendered[ATLAS.country_index[COUNTRIES[BRITAIN]]]:
        return int(s.morale[BRITAIN] <= int(_RULES["weary"]))
    return 0


def attack_dice(s: War, side: int) -> list[Modifier]:
    """What weariness adds to an attack at sea or in the air.  [hw-morale-6]"""
    weary = weariness(s, side)
    return [Modifier("morale", weary, "hw-morale-6")] if weary else []
