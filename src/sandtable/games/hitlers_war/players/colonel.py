"""The colonel: compares whole plans by exact odds, a position evaluation, and the answer they would get."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.core import View
from sandtable.players.base import Budget
from sandtable.players.search import Alarm

from ..model.atlas import ARMIES, ATLAS, AXIS, ENEMIES, INF, MECH, NOBODY
from ..model.state import War
from .captain import Captain
from .chances import mean_loss
from .doctrine import Doctrine, Plan, stance
from .evaluate import evaluate
from .plan import Planner
from .scene import Scene

_REPLY = 0.6
"""How much of the enemy's best answer is counted against a plan."""
_GAIN = 0.35
"""How much of what the attacks promise beyond the expected position is counted for it."""


class Colonel(Captain):
    """Thinks the whole turn through, and the answer to it."""

    level = "colonel"

    def doctrine(self, scene: Scene) -> Doctrine:
        base = stance(scene)
        tanks = 0.55 if scene.side == AXIS and base.reserve < 0.5 else base.tanks
        return msgspec.structs.replace(base, cut=0.5, tanks=tanks)

    def make_plan(self, scene: Scene, view: View[Any], budget: Budget) -> Plan:
        alarm = Alarm(budget.seconds)
        best: tuple[float, Plan] | None = None
        for doctrine in variations(scene, self.doctrine(scene)):
            if best is not None and alarm():
                break
            plan = Planner(scene, doctrine).make()
            value = judge(scene, plan)
            if best is None or value > best[0]:
                best = (value, plan)
        assert best is not None
        return best[1]


def variations(scene: Scene, base: Doctrine) -> list[Doctrine]:
    """Ways to fight the turn that differ in what is held, how boldly, and what is aimed at."""
    change = msgspec.structs.replace
    out = [base]
    out.append(change(base, reserve=min(1.0, base.reserve + 0.2)))
    out.append(change(base, reserve=max(0.0, base.reserve - 0.2)))
    out.append(change(base, bold=0.7, mass=0.9))
    out.append(change(base, columns=2, mass=0.92))
    out.extend(change(base, focus=((space, 2.0),)) for space in goals(scene)[:3])
    return out


def goals(scene: Scene) -> list[int]:
    """The enemy's places that are worth most, the strongest pull first."""
    found = [x for x in ATLAS.land if scene.worth[x] >= 5 and scene.is_prey(x) and scene.pull[x] > 1]
    return sorted(found, key=lambda x: (-scene.worth[x], x))


def judge(scene: Scene, plan: Plan) -> float:
    """The expected position after a plan, less what the enemy can make of it."""
    after = expect(scene, plan)
    value = evaluate(after, scene.side) + _GAIN * plan.score
    for foe in ENEMIES[scene.side]:
        view = Scene(after, foe)
        if view.at_war_with(scene.side) and any(view.own):
            answer = Planner(view, stance(view)).make()
            value -= _REPLY * answer.score
    return value


def expect(scene: Scene, plan: Plan) -> War:
    """The state as it will most likely be when a plan has been carried out: something to look at, not to play on."""
    s, side = scene.s, scene.side
    owner = bytearray(scene.owner)
    at, strength = list(s.army_at), list(s.strength)
    first = side * ARMIES
    held = set(scene.held)
    counters = [a for a in range(first, first + ARMIES) if a not in held]
    for army in counters:
        at[army] = -1
        strength[army * 5 : army * 5 + 5] = [0] * 5
    fort, ruin = dict(s.fort), dict(s.devastated)
    planner = Planner(scene, plan.doctrine)
    for army, post in zip(counters, plan.posts, strict=False):
        at[army] = post.at
        strength[army * 5 : army * 5 + 5] = post.want
        if not post.lead or post.aim < 0:
            continue
        punch = min(10, post.want[MECH] + 2 * post.want[3])
        path = [post.aim, *planner.run(post.aim, punch, scene.added(post.at))[1][:3]]
        planner.claimed.update(path[:2])
        for space in path:
            if owner[space] == side:
                continue
            _dislodge(scene, space, owner, at, strength)
            owner[space] = side
            fort.pop(space, None)
            if ATLAS.production[space]:
                ruin[space] = ATLAS.production[space]
        at[army] = path[-1]
        lost = round(mean_loss(scene.ground[post.aim])) if scene.ground[post.aim] else 0
        strength[army * 5 + INF] = max(0, strength[army * 5 + INF] - lost)
    return msgspec.structs.replace(
        s, owner=bytes(owner), army_at=tuple(at), strength=tuple(strength), fort=fort, devastated=ruin
    )


def _dislodge(scene: Scene, space: int, owner: bytearray, at: list[int], strength: list[int]) -> None:
    """Armies in a hex that falls: thinned out by the assaults, then next door, or gone."""
    for army, place in enumerate(at):
        if place != space or army // ARMIES == scene.side:
            continue
        base = army * 5
        for kind in (INF, MECH):
            strength[base + kind] = (strength[base + kind] + 1) // 2
        home = next((y for y in ATLAS.step[space] if owner[y] == army // ARMIES and owner[y] < NOBODY), -1)
        at[army] = home
        if home < 0:
            strength[base : base + 5] = [0] * 5
