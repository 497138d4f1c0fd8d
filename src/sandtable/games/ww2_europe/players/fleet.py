"""Raids by bomber and submarine, and landings on enemy coasts."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from sandtable.core import Action, NothingToChoose, Offers

from ..facts.names import unit_name, unit_of
from ..model.actions import Raid
from ..model.atlas import ATLAS
from ..rules.air import flight_routes, pinned, raid_spaces
from ..rules.movers import Movers
from .sight import Sight, names, paths_of

A = ATLAS
K = ATLAS.kinds


def orders(
    sight: Sight, sorts: Movers, planes: Sequence[int], offers: Offers, rng: Random, *, spread: bool = False
) -> list[Action]:
    """What goes out to sea and against factories."""
    return [*bombing(sight, planes, spread=spread), *hunting(sight, sorts, offers, rng)]


def bombing(sight: Sight, planes: Sequence[int], *, spread: bool) -> list[Action]:
    """Bombers go for the dearest sound factory in reach over which no fighter waits.

    One hit is all that a raid can do, so those who `spread` send the next one elsewhere where that promises more.
    """
    state, m, found = sight.state, sight.m, list[Action]()
    targets = {s for s in raid_spaces(m.state, sight.power) if not state.damaged[s] and A.value[s] > 1}
    targets = {s for s in targets if not any(K.escort[state.kind[u]] for u in sight.air[1 - sight.side].get(s, ()))}
    spared: dict[int, float] = {}
    """Per factory the chance that no raid of those already on their way hits it."""
    for unit in planes:
        if K.base[state.kind[unit]] != K.bomber or pinned(m.state, unit) is not None or not targets:
            continue
        ways = paths_of(flight_routes(m, unit, True))
        near = [s for s in targets if s in ways]
        if near:
            goal = max(near, key=lambda s: (A.value[s] * spared.get(s, 1.0), s))
            if spread:
                spared[goal] = spared.get(goal, 1.0) * (1.0 - K.strategic_hit[state.kind[unit]] / 6)
            found.append(Raid(unit_name(state, unit), names(ways[goal]), A.names[goal]))
    return found


def hunting(sight: Sight, sorts: Movers, offers: Offers, rng: Random) -> list[Action]:
    """Submarines go after convoys."""
    state, found = sight.state, list[Action]()
    if not offers[Raid] or not sorts.submarines:
        return found
    offer = offers[Raid][0]
    able = {unit_of(state, str(name)): str(name) for name in offer.fields[0].given(())}
    for unit in sorts.submarines:
        if unit in able:
            try:
                path = offer.fields[1].given((able[unit],)).sample(rng)
                target = offer.fields[2].given((able[unit], path)).sample(rng)
            except NothingToChoose:
                continue
            found.append(Raid(able[unit], path, target))
    return found
