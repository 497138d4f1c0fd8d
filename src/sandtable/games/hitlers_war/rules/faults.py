"""What must always hold: every fault of a state, named."""

from __future__ import annotations

from ..model.atlas import ALLIES, ARMIES, ATLAS, AXIS, CLOSED, FORTS, NOBODY, SIDES, SOVIET, STACK, WATER
from ..model.fleets import NAMES, NOWHERE, SEA, STATIONS, SUPPORT
from ..model.places import INDIA, SIBERIA, SUEZ, WORKS
from ..model.state import War, has_fleets_on_map, side_of
from ..model.technology import ITEMS
from .attacks_phase import Announce
from .budget import production, siberia_works
from .combat_phase import CombatCount, CombatEnd
from .control import capacity
from .movement import overstacked
from .naval import fleets
from .naval.harbours import HomeToPort, Stranded
from .retreat import Retreats
from .set_up import FreeSetUp
from .surrender import Fallen


def find_faults(s: War) -> list[str]:
    """Every invariant that is broken, in words."""
    found: list[str] = []
    _territory(s, found)
    _armies(s, found)
    _books(s, found)
    _damage(s, found)
    _income(s, found)
    _stacking(s, found)
    if s.setting.technology:
        _boxes(s, found)
    if has_fleets_on_map(s):
        _fleets(s, found)
    return found


def _territory(s: War, found: list[str]) -> None:
    found.extend(_control(s.owner, s.unaligned, s.setting.politics, s.outcome is None))


def _control(owner: bytes, unaligned: bytes, campaign: bool, going_on: bool) -> tuple[str, ...]:
    """Every space has a holder that the map and politics allow."""
    if len(owner) != len(ATLAS.names):
        return ("the control map has the wrong size",)
    found: list[str] = []
    for space, holder in enumerate(owner):
        if (holder == WATER) != ATLAS.is_sea[space]:
            found.append(f"{ATLAS.names[space]}: land and sea are mixed up")
        if holder > WATER:
            found.append(f"{ATLAS.names[space]} belongs to nobody known")
        if holder == NOBODY and campaign and going_on and not unaligned[ATLAS.country_of[space]]:
            found.append(f"{ATLAS.names[space]} belongs to nobody though its country has taken sides")
        if holder == NOBODY and not campaign:
            found.append(f"{ATLAS.names[space]} is unaligned in a scenario without neutrals")
        if holder == CLOSED and campaign and ATLAS.countries[ATLAS.country_of[space]].colour != "gray":
            found.append(f"{ATLAS.names[space]} is closed though it is not neutral for good")
    return tuple(found)


def _armies(s: War, found: list[str]) -> None:
    for army, at in enumerate(s.army_at):
        name = ATLAS.army_names[army]
        row = s.strength[army * 5 : army * 5 + 5]
        if min(row) < 0:
            found.append(f"{name} has a negative strength: {row}")
        if at < 0:
            if any(row):
                found.append(f"{name} has strength but no place")
            if s.leader[army]:
                found.append(f"{name} is not in play but has a leader")
            continue
        if not any(row):
            found.append(f"{name} is in play without strength")
        if ATLAS.is_sea[at]:
            found.append(f"{name} stands in the sea")
            continue
        displaced = any(isinstance(step, Fallen) and step.space == at for step in s.stack)
        mine = s.owner[at] == side_of(army) or (s.owner[at] == NOBODY and s.idle[army])
        if not mine and not displaced and s.outcome is None and not _in_transit(s, at):
            found.append(f"{name} stands in {ATLAS.names[at]}, which is not its own")
        if row[3] and row[4]:
            found.append(f"{name} mixes paratroops with amphibious points")


def _books(s: War, found: list[str]) -> None:
    """Strength points appear and vanish only by events: the sum of the events is the sum on the map."""
    for side, booked in enumerate(s.muster):
        stands = sum(s.strength[side * ARMIES * 5 : (side + 1) * ARMIES * 5])
        if stands != booked:
            found.append(f"{SIDES[side]} has {stands} points in its armies, but the events add up to {booked}")


def _income(s: War, found: list[str]) -> None:
    """What a side produces is the sum of the map, counted space by space, but for what the rules hold back."""
    for side, name in enumerate(SIDES):
        mine = [x for x in WORKS if s.owner[x] == side]
        points = {x: capacity(s, x) - s.devastated.get(x, 0) - s.ruined.get(x, 0) for x in mine}
        if side == SOVIET and not siberia_works(s):
            points.pop(SIBERIA, None)
        if side == ALLIES and s.setting.politics and s.owner[SUEZ] == AXIS:
            points.pop(INDIA, None)
        total, made = sum(points.values()), production(s, side)
        limited = side == SOVIET and s.setting.politics and not s.mobilized
        if made > total or (made < total and not limited):
            found.append(f"{name} produces {made} points, but its spaces yield {total}")


def _in_transit(s: War, at: int) -> bool:
    """Displaced armies wait in the lost hex until they have been retreated."""
    return any(isinstance(step, Retreats) and step.space == at for step in s.stack)


def _damage(s: War, found: list[str]) -> None:
    for space, points in s.devastated.items():
        if points <= 0 or points + s.ruined.get(space, 0) > capacity(s, space):
            found.append(f"{ATLAS.names[space]} has {points} devastated points of {capacity(s, space)}")
    for name, places in (("fort", s.fort), ("fort under construction", s.building), ("home forces", s.home)):
        for space, points in places.items():
            if points <= 0:
                found.append(f"{name} without strength in {ATLAS.names[space]}")
    for space in {*s.fort, *s.building}:
        if s.fort.get(space, 0) + s.building.get(space, 0) > STACK:
            found.append(f"{ATLAS.names[space]} has more fort points than a hex holds")
        if ATLAS.is_box[space] or ATLAS.is_sea[space]:
            found.append(f"there is a fort in {ATLAS.names[space]}")
    for side in (AXIS, 1, ALLIES):
        forts = {x for x in (*s.fort, *s.building) if s.owner[x] == side}
        if len(forts) > FORTS + int(bool(s.options.get("unaligned_forces"))):
            found.append(f"side {side} has {len(forts)} forts")
    if s.budget < 0:
        found.append("a budget is below zero")


def _stacking(s: War, found: list[str]) -> None:
    """Outside a side's own movement, and unless combat made it so, no hex is overstacked: checked when it attacks."""
    if s.stack and isinstance(s.stack[-1], Announce):
        found.extend(f"{ATLAS.names[space]} is overstacked after movement" for space in overstacked(s, s.side))
    if s.stack and isinstance(s.stack[-1], FreeSetUp):
        crowded = [space for side in range(len(SIDES)) for space in overstacked(s, side)]
        found.extend(f"{ATLAS.names[space]} is overstacked in the set-up" for space in crowded)


def _boxes(s: War, found: list[str]) -> None:
    if len(s.box) != 3 * len(ITEMS) or min(s.box) < 0 or min(s.at_sea) < 0:
        found.append("the boxes hold what they cannot hold")
    if min(s.missiles) < 0 or min(s.bombs) < 0:
        found.append("missiles or bombs below zero")
    for counter, at in enumerate(s.missile_at):
        if at >= 0 and s.owner[at] != counter // 3:
            found.append(f"a missile counter stands in {ATLAS.names[at]}, which is not its own")
    if max(s.morale) > int(ATLAS.rules["morale"]["most"]):
        found.append("morale above its limit")


def _fleets(s: War, found: list[str]) -> None:
    """Every fleet is somewhere it may be; ports are not over their room; supporting fleets support somebody."""
    settling = any(isinstance(step, (CombatEnd, CombatCount, HomeToPort, Stranded)) for step in s.stack)
    for fleet, at in enumerate(s.fleet_at):
        name, state = NAMES[fleet], s.fleet_state[fleet]
        if min(s.ships[fleet], s.carriers[fleet]) < 0 or (at == NOWHERE) != (fleets.strength(s, fleet) == 0):
            found.append(f"{name} has {s.ships[fleet]} ships and {s.carriers[fleet]} carriers at {at}")
        if at >= 0 and state == SEA and at not in STATIONS:
            found.append(f"{name} is at sea in {ATLAS.names[at]}")
        if at >= 0 and not settling and s.outcome is None and fleets.homeless(s, fleet):
            found.append(f"{name} lies in {ATLAS.names[at]}, which is no port of its own")
        if (state == SUPPORT) != (fleet in s.escorting):
            found.append(f"{name} supports nobody or does not know it")
        if at >= 0 and state != SEA and fleets.room(s, at) < 0:
            found.append(f"{ATLAS.names[at]} harbours too many ships")
