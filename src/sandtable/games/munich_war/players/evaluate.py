"""How good a position is: points, what is under threat, what is in reach, and the strength left to fight."""

from __future__ import annotations

import math

from ..model.atlas import ALLIES, ATLAS, AXIS, SIDES
from ..model.state import AVAILABLE, UTILIZED, M
from ..rules.victory import handicap, score
from .lore import Doctrine, turns_left, unit_worth
from .scene import Scene

_LEVELS = ATLAS.tables["victory_points"]["levels"]
LINE: float = min(row["min"] for row in _LEVELS if row["min"] is not None and row["name"].startswith("Axis")) - 0.5
"""The difference of points at which victory changes hands."""
_PEACE = Doctrine()


_ROUT = 40.0
"""The edge that an automatic victory stands for."""
LATE = 1.5
"""How many points of difference the luck of a finished tryout may have made, for every turn that it lasted."""


class Weights:
    """What the parts of a position count for."""

    strength = 0.6
    open_city = 0.85
    stormed = 0.8
    pull = 0.06
    reach_next = 0.45


def difference(m: M) -> int:
    """Axis points less Allied points, as they stand."""
    return score(m, AXIS) - score(m, ALLIES)


def chance_to_fall(scene: Scene, at: int) -> float:
    """About how likely the enemy takes a hex in the next turn."""
    if not scene.can_be_entered(at) and not scene.danger(at):
        return 0.0
    friends = [unit for unit in scene.known.stack(at) if scene.m.state.side[ATLAS.units[unit].country] == scene.side]
    if not friends:
        return Weights.open_city if scene.can_be_entered(at) else 0.0
    wall = sum(scene.defense(unit) for unit in friends)
    ground = scene.terrain(at, False, friends)
    odds = scene.danger(at) / max(1, wall) / (1 + 0.4 * ground)
    return Weights.stormed * max(0.0, min(1.0, (odds - 0.8) / 3.5))


def outlook(m: M, mover: int) -> float:
    """The difference of points to be expected, seen when `mover` is the next to play a turn (Axis high)."""
    left = turns_left(m.state)
    total = float(difference(m))
    scenes = {side: Scene(m, side, _PEACE) for side in (AXIS, ALLIES)}
    strengths = {side: strength(m, side) for side in (AXIS, ALLIES)}
    for side, sign in ((AXIS, 1), (ALLIES, -1)):
        scene = scenes[side]
        # The side that moves next takes what is under threat now; the other side can act only after that answer.
        if mover != side:
            share = 1.0
        elif left > 0 or (side == AXIS and mover == AXIS):
            share = Weights.reach_next
        else:
            share = 0.0
        if share:
            hanging = math.fsum(worth * chance_to_fall(scene, at) for at, worth in scene.stakes.keep.items())
            total -= sign * share * hanging
        total += sign * Weights.strength * scene.scale * strengths[side]
        if left > 0:
            pull = math.fsum(scene.lure[m.state.where[unit]] * (scene.attack(unit) + 1) / 5 for unit in scene.mine)
            total += sign * Weights.pull * min(left, 3) * pull
    return total


def strength(m: M, side: int) -> float:
    """The fighting worth of a side, points for lost units left aside."""
    state = m.state
    total = 0.0
    for face in ATLAS.units:
        if state.side[face.country] == side and state.steps[face.index]:
            at = state.where[face.index]
            if at >= 0 or (face.air and at in (AVAILABLE, UTILIZED)):
                total += unit_worth(face.index, state.steps[face.index]) - face.vp
    return total


def hope(m: M, side: int, mover: int, luck: float = LATE) -> float:
    """The chance of a side to win, roughly, from 0 to 1, with a little for every point.

    `luck`: how many points of difference the dice of a finished tryout may have made."""
    outcome = m.state.outcome
    edge = (outlook(m, mover) if outcome is None else difference(m)) + handicap(m) - LINE
    if outcome is not None and (SIDES[AXIS] in outcome.winners) != (edge > 0):
        edge = _ROUT if edge < 0 else -_ROUT  # an automatic victory does not ask for points
    if side == ALLIES:
        edge = -edge
    # Even the end of a tryout is not the end of the match: its dice were only one of many ways to fall.
    spread = 3.0 + 1.5 * turns_left(m.state) if outcome is None else luck
    return 1 / (1 + math.exp(-max(-40.0, min(40.0, edge / spread)))) + 0.002 * max(-30.0, min(30.0, edge))
