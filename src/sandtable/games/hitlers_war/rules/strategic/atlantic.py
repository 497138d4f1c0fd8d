"""The Atlantic fleets and U-boats of Campaign Game II: in port or at sea.

With the optional naval action the ships are on the map instead (see `fleets`); U-boats stay here.
"""

from __future__ import annotations

from sandtable.core import Field, Numbers, Offer
from sandtable.core.columns import put

from ...model.actions import Dive, PutIn, Sortie, Surface
from ...model.atlas import AXIS, SIDES
from ...model.events import SeaBattle
from ...model.state import U_BOATS, M, War, add_to_box, enemies, in_box


def in_port(s: War, side: int) -> int:
    """Capital ships in port.  [hw-fleet-4] [hw-fleet-6]"""
    return in_box(s, side, "capital_ship")


def boats_in_port(s: War) -> int:
    return in_box(s, AXIS, "u_boat")


def movement_offers(m: M, side: int) -> list[Offer]:
    """Ships and U-boats change between port and sea in the movement phase.  [hw-fleet-7] [hw-uboat-3]"""
    s = m.state
    if not s.setting.technology:
        return []
    out = []
    if not m.option("naval_action"):
        if in_port(s, side):
            out.append(Offer(Sortie, Field("number", "number", Numbers(1, in_port(s, side))), rule="hw-fleet-7"))
        if s.at_sea[side]:
            out.append(Offer(PutIn, Field("number", "number", Numbers(1, s.at_sea[side])), rule="hw-fleet-7"))
    if side == AXIS:
        if boats_in_port(s):
            out.append(Offer(Dive, Field("number", "number", Numbers(1, boats_in_port(s))), rule="hw-uboat-3"))
        if s.at_sea[U_BOATS]:
            numbers = Numbers(1, s.at_sea[U_BOATS])
            out.append(Offer(Surface, Field("number", "number", numbers), rule="hw-uboat-3"))
    return out


def take_movement(m: M, action: object) -> bool:
    s = m.state
    side = s.side
    if isinstance(action, Sortie):
        add_to_box(s, side, "capital_ship", -action.number)
        s.at_sea = put(s.at_sea, side, s.at_sea[side] + action.number)
        meet_at_sea(m, side)
    elif isinstance(action, PutIn):
        s.at_sea = put(s.at_sea, side, s.at_sea[side] - action.number)
        add_to_box(s, side, "capital_ship", action.number)
    elif isinstance(action, Dive):
        add_to_box(s, AXIS, "u_boat", -action.number)
        s.at_sea = put(s.at_sea, U_BOATS, s.at_sea[U_BOATS] + action.number)
    elif isinstance(action, Surface):
        s.at_sea = put(s.at_sea, U_BOATS, s.at_sea[U_BOATS] - action.number)
        add_to_box(s, AXIS, "u_boat", action.number)
    else:
        return False
    return True


def meet_at_sea(m: M, side: int) -> None:
    """Opposing fleets at sea cancel each other point for point; Soviets and Allies do not fight.

    [hw-fleet-8] [hw-c2-navfire-1]
    """
    s = m.state
    for foe in reversed(enemies(s, side)):  # the Axis meets the Allies first
        lost = min(s.at_sea[side], s.at_sea[foe])
        if lost:
            s.at_sea = put(s.at_sea, side, s.at_sea[side] - lost)
            s.at_sea = put(s.at_sea, foe, s.at_sea[foe] - lost)
            for one in (side, foe):
                m.emit(SeaBattle(side=f"@{SIDES[one]}", lost=lost))
