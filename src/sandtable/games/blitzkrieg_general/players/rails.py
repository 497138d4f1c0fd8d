"""What moves before the armies do: troops by rail to where they are wanted, and the weapons that need no aircraft."""

from __future__ import annotations

from sandtable.core import Action, Offers

from ..model.actions import DropAtom, FireV, Railroad
from .goals import goals, guard, pull_at
from .scene import Scene

_GAIN = 1.3
"""How much stronger the pull must be at the far end of the line."""


def by_rail(scene: Scene, offers: Offers) -> list[Action]:
    """The units that gain most by a ride, as many as there are points."""
    state, found = scene.state, scene.found
    if not offers[Railroad]:
        return []
    offer = offers[Railroad][0]
    wanted = goals(scene)
    for goal in wanted:
        if goal.hold:
            goal.assigned += scene.troops(goal.space)
    known: dict[int, float] = {}

    def pull(space: int) -> float:
        if space not in known:
            safe = scene.threat(space) <= 2.5 * scene.total(scene.friends(space)) + 1.0
            known[space] = pull_at(wanted, space) if safe else 0.0
        return known[space]

    rides: list[tuple[float, str, str]] = []
    for ident in offer.fields[0].given([]):
        unit = found.unit_of[ident]
        start = state.place[unit]
        stay = scene.total(u for u in scene.friends(start) if found.is_land[u] and u != unit)
        if not found.is_land[unit] or found.is_hq[unit]:
            continue
        if scene.vital(start) and stay < max(scene.threat(start), guard(scene, start)):
            continue
        spaces = [found.space_of[name] for name in offer.fields[1].given([ident])]
        best = max(spaces, key=lambda s: (pull(s), -s), default=start)
        gain = pull(best) - _GAIN * pull(start)
        if gain > 0:
            rides.append((gain * scene.power(unit), ident, found.space_ids[best]))
    rides.sort(key=lambda ride: (-ride[0], ride[1]))
    return [Railroad(ident, to) for _, ident, to in rides[: state.rail_left[scene.me]]]


def from_afar(scene: Scene, offers: Offers) -> Action | None:
    """V-weapons and the bomb go to where most is produced."""
    found = scene.found
    shots = [a for act in (DropAtom, FireV) for offer in offers[act] for a in offer if isinstance(a, (DropAtom, FireV))]
    return max(shots, key=lambda a: (found.left[found.space_of[a.to]], a.to), default=None)
