"""What moves before the armies do: troops by rail to where they are wanted, and the weapons that need no aircraft."""

from __future__ import annotations

from sandtable.core import Action, Offers

from ..model.actions import DropAtom, FireV, Railroad
from .goals import Goal, best_goal, goals, guard
from .scene import Scene

_GAIN = 1.3
"""How much stronger the pull must be at the far end of the line."""
_LITTLE = 0.1
"""The share of a strong unit's power that is lost where it is not needed."""


def by_rail(scene: Scene, offers: Offers) -> list[Action]:
    """The units that gain most by a ride, as many as there are points."""
    state, found = scene.state, scene.found
    if not offers[Railroad]:
        return []
    offer = offers[Railroad][0]
    wanted = goals(scene)
    for held in wanted:
        if held.hold:
            held.assigned += scene.troops(held.space)
    riders: list[tuple[int, str, list[int]]] = []
    for ident in offer.fields[0].given([]):
        unit = found.unit_of[ident]
        if found.is_land[unit] and not found.is_hq[unit]:
            riders.append((unit, ident, [found.space_of[name] for name in offer.fields[1].given([ident])]))
    orders: list[Action] = []
    gone: set[int] = set()
    while riders and len(orders) < state.rail_left[scene.me]:
        # one by one: whoever arrives is no longer missing there
        pulls: dict[int, tuple[float, Goal | None]] = {}
        best: tuple[float, int, Goal, int] | None = None
        for number, (unit, _, spaces) in enumerate(riders):
            start, power = state.place[unit], scene.power(unit)
            if scene.vital(start):
                stay = scene.total(u for u in scene.friends(start) if found.is_land[u] and u != unit and u not in gone)
                if stay < max(scene.threat(start), guard(scene, start)):
                    continue
            here = _pull(scene, wanted, pulls, start, True)[0]
            for to in spaces:
                there, goal = _pull(scene, wanted, pulls, to, False)
                gain = there - _GAIN * here
                if goal is None or gain <= 0:
                    continue
                # a strong unit is wasted where little is wanted
                gain *= min(power, max(_LITTLE, goal.demand - goal.assigned)) - _LITTLE * power
                if best is None or gain > best[0]:
                    best = (gain, number, goal, to)
        if best is None:
            break
        _, number, goal, to = best
        unit, ident, _ = riders.pop(number)
        goal.assigned += scene.power(unit)
        gone.add(unit)
        orders.append(Railroad(ident, found.space_ids[to]))
    return orders


def _pull(
    scene: Scene, wanted: list[Goal], known: dict[int, tuple[float, Goal | None]], space: int, stands: bool
) -> tuple[float, Goal | None]:
    """How strongly an area draws a unit, and the goal that does."""
    if space not in known:
        goal = best_goal(wanted, space)
        safe = stands or scene.threat(space) <= 2.5 * scene.total(scene.friends(space)) + 1.0
        known[space] = (goal.pull(space), goal) if goal is not None and safe else (0.0, None)
    return known[space]


def from_afar(scene: Scene, offers: Offers) -> Action | None:
    """V-weapons and the bomb go to where most is produced."""
    found = scene.found
    shots = [a for act in (DropAtom, FireV) for offer in offers[act] for a in offer if isinstance(a, (DropAtom, FireV))]
    return max(shots, key=lambda a: (found.left[found.space_of[a.to]], a.to), default=None)
