"""What may still be set up (3.4.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sandtable.core.facts import fact

from ..model.atlas import ATLAS
from ..model.setup import FULL, REDUCED, SLOTS, Slot
from ..model.state import AVAILABLE, ELIMINATED, HIDDEN, OUT, REINFORCEMENT, TRACK, MunichState

_STEPS = tuple(unit.steps for unit in ATLAS.units)
GONE = "eliminated"


def has_extra_armor(s: MunichState) -> bool:
    """Whether option 23.1 is on."""
    return bool(s.options.get("additional-armored-forces"))


def reduced_in(s: MunichState, slot: Slot) -> int:
    """How many counters of a slot start reduced."""
    return s.reduced.get(slot.key, slot.reduced)


@fact("where", "steps", "reduced", "options")
def rooms(s: MunichState, country: int) -> Mapping[str, Sequence[str]]:
    """[mw-3.4.2-d] [mw-table-reinf-r] By slot: what may still be set up: full, reduced, or put out of the game."""
    return {slot.key: _room(s, slot) for slot in SLOTS[country, has_extra_armor(s)]}


def has_room(s: MunichState, country: int) -> bool:
    """Whether anything of a country may still be set up: the first slot with room is enough."""
    return any(_room(s, slot) for slot in SLOTS[country, has_extra_armor(s)])


def _room(s: MunichState, slot: Slot) -> list[str]:
    full = reduced = gone = 0
    for unit in slot.pool:
        at = s.where[unit]
        if at >= 0 or at == AVAILABLE:
            if s.steps[unit] < _STEPS[unit]:
                reduced += 1
            else:
                full += 1
        elif at == ELIMINATED:
            gone += 1
    weak = reduced_in(s, slot)
    left = ((FULL, full < slot.number - weak), (REDUCED, reduced < weak), (GONE, gone < slot.eliminated))
    return [word for word, has_room in left if has_room]


def counters_used(where: Sequence[int], country: int, land: bool) -> int:
    """How many of its land (or other) counters do not wait for their turn and are not outside the game."""
    idle = (REINFORCEMENT, OUT, HIDDEN)
    return sum(
        1
        for unit in ATLAS.countries[country].units
        if ATLAS.is_land[unit] == land and where[unit] >= TRACK and where[unit] not in idle
    )
