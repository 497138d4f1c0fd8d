"""The Firepower Table and the modifiers of its die; each modifier keeps its name and its rule."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.core import Modifier

from ..model.atlas import ATLAS, AXIS, STACK, losses_for
from ..model.events import Fired, FiredBack
from ..model.places import SOVIET_UNION
from ..model.state import SHOWN, M, War, space_name
from .morale import weariness

_MODIFIERS = ATLAS.tables["advance_modifiers"]


def winter_modifier(s: War, space: int) -> int:
    """What the Russian winter adds to the dice of Axis armies standing in this space.  [hw-winter-1] [hw-winter-2]"""
    if not ATLAS.winter[s.turn] or ATLAS.country_of[space] != SOVIET_UNION:
        return 0
    steps = [int(step) for step in _MODIFIERS["russian_winter_axis"]]
    if s.setting.late_winters:
        return steps[-1]
    first = s.first_winter or s.turn
    winters = sum(ATLAS.winter[first : s.turn])
    return steps[min(winters, len(steps) - 1)]


def note_winter(s: War) -> None:
    """Remember the first winter that sees an Axis army in the Soviet Union.  [hw-winter-2]"""
    if s.first_winter or not ATLAS.winter[s.turn]:
        return
    if any(s.army_at[army] >= 0 and ATLAS.country_of[s.army_at[army]] == SOVIET_UNION for army in range(12)):
        s.first_winter = s.turn


def die_modifiers(s: War, side: int, space: int, armies: Iterable[int], *, attack: bool) -> list[Modifier]:
    """What is added to a die rolled by armies in a space: winter always, morale and leaders only in attack.

    [hw-winter-1] [hw-morale-6] [hw-leader-1]
    """
    parts: list[Modifier] = []
    winter = winter_modifier(s, space) if side == AXIS else 0
    if winter:
        parts.append(Modifier("winter", winter, "hw-winter-2"))
    if attack:
        weary = weariness(s, side)
        if weary:
            parts.append(Modifier("morale", int(_MODIFIERS["morale_5_or_less"]), "hw-morale-6"))
        if any(s.leader[army] == SHOWN for army in armies):
            parts.append(Modifier("leader", int(_MODIFIERS["leader"]), "hw-leader-1"))
    return parts


def groups(strength: int, *, capped: bool) -> list[int]:
    """Strength as it is rolled: at most ten on land, in groups of ten at sea and in the air.

    [hw-assault-4] [hw-firepower-split] [hw-firepower-note-excess]
    """
    if capped:
        return [min(strength, STACK)] if strength > 0 else []
    full, rest = divmod(strength, STACK)
    return [STACK] * full + ([rest] if rest else [])


def fire(m: M, strength: int, modifiers: Iterable[Modifier], *, by: str, at: int, rule: str,
         capped: bool = True) -> int:  # fmt: skip
    """Roll on the Firepower Table; returns the losses.  [hw-assault-1] [hw-assault-3] [hw-firepower-note-loss]"""
    lost = 0
    added = sum(part.value for part in modifiers)
    for column in groups(strength, capped=capped):
        die = m.roll(why=rule)
        result = losses_for(column, die + added)
        lost += result
        place = space_name(at)
        kind = FiredBack if by == place else Fired
        m.emit(kind(by=by, at=place, strength=column, die=die, modified=die + added, losses=result))
    return lost
