"""The general: rehearses many plans for a turn against the answers they would get, and carries out the best."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from random import Random
from typing import Any

import msgspec

from sandtable.core import Game, Match, View
from sandtable.players.base import Budget
from sandtable.players.planning import Alarm, play_until, search

from ..model.atlas import SIDES
from .captain import Captain
from .colonel import Colonel, goals, judge, variations
from .doctrine import Doctrine, Plan, phase_key
from .evaluate import evaluate
from .plan import Planner, strongholds
from .scene import Scene

TRIES = 40
"""Rehearsals of a turn where the budget does not say."""
_MOST = 400
"""Decisions of one rehearsal at most."""
_HURRY = 0.15
"""With less time than this a plan is made without rehearsals."""


class Aide(Captain):
    """A quick colonel for rehearsals: the same doctrine without comparing plans, and perhaps a given plan."""

    level = "aide"

    def __init__(self, game: Game[Any], seed: int | str, plan: Plan | None = None) -> None:
        super().__init__(game, seed)
        self.given = plan

    def doctrine(self, scene: Scene) -> Doctrine:
        return Colonel.doctrine(self, scene)  # type: ignore[arg-type]

    def make_plan(self, scene: Scene, view: View[Any], budget: Budget) -> Plan:
        if self.given is not None:
            plan, self.given = self.given, None
            return plan
        return super().make_plan(scene, view, budget)


class OneTurn:
    """A side's turn as the search sees it."""

    def __init__(self, game: Game[Any], scene: Scene, base: Doctrine) -> None:
        self.game, self.scene, self.base = game, scene, base
        self.role = SIDES[scene.side]
        self.aims = goals(scene)[:6]
        self.own = strongholds(scene)[:5]

    def first(self) -> Sequence[Plan]:
        change = msgspec.structs.replace
        base = self.base
        doctrines = variations(self.scene, base)
        doctrines.append(change(base, columns=0, reserve=min(1.0, base.reserve + 0.2)))
        doctrines.append(change(base, minor=0.0))
        doctrines.extend(change(base, guard=((space, 0.3),)) for space in self.own[:3])
        return [Planner(self.scene, doctrine).make() for doctrine in doctrines]

    def prior(self, plan: Plan) -> float:
        return judge(self.scene, plan)

    def key(self, plan: Plan) -> Hashable:
        return (plan.doctrine.press, *sorted((p.at, p.aim, *p.want) for p in plan.posts))

    def vary(self, parents: Sequence[Plan], rng: Random) -> Plan | None:
        """A child of two good plans with something changed."""
        one, two = rng.choice(parents).doctrine, rng.choice(parents).doctrine
        change: dict[str, Any] = {
            name: getattr(two if rng.random() < 0.5 else one, name)
            for name in ("reserve", "bold", "mass", "columns", "cut", "press", "focus", "guard", "minor")
        }
        what = rng.randrange(9)
        if what == 0:
            change["reserve"] = min(1.0, max(0.0, change["reserve"] + rng.uniform(-0.3, 0.3)))
        elif what == 1:
            change["bold"] = rng.uniform(0.25, 0.8)
        elif what == 2:
            change["mass"] = rng.uniform(0.6, 0.97)
        elif what == 3:
            change["columns"] = rng.randint(0, 5)
        elif what == 4:
            change["cut"] = rng.uniform(0.0, 1.2)
        elif what == 6:
            change["minor"] = rng.choice((0.0, 0.5, 1.0, 1.6))
        elif what == 7:
            change["press"] = rng.choice((0.15, 0.35, 0.5, 0.7))
        elif what == 8 and self.own:
            chosen = rng.sample(self.own, min(len(self.own), rng.randint(1, 2)))
            change["guard"] = tuple((space, rng.choice((0.0, 0.3, 0.6, 1.6))) for space in sorted(chosen))
        if (what == 5 or rng.random() < 0.3) and self.aims:
            change["focus"] = ((rng.choice(self.aims), rng.choice((0.2, 2.0, 3.0))),)
        return Planner(self.scene, msgspec.structs.replace(one, **change)).make()

    def rehearse(self, plan: Plan, match: Match[Any], alarm: Alarm) -> float:
        """The own turn by this plan, then everybody else's by quick players, up to the next own turn."""
        side, turn = self.scene.side, match.state.turn
        crew = {role: Aide(self.game, role, plan if role == self.role else None) for role in match.roles}
        away = False

        def stop(m: Match[Any]) -> bool:
            nonlocal away
            away = away or m.state.side != side
            return bool(away and m.state.side == side and m.state.turn > turn)

        play_until(match, lambda role: crew[role].quick, stop, alarm, _MOST)
        return evaluate(match.state, side)


class General(Colonel):
    """Searches for the plan of each turn."""

    level = "general"

    def make_plan(self, scene: Scene, view: View[Any], budget: Budget) -> Plan:
        base = self.doctrine(scene)
        if budget.seconds < _HURRY:
            return Planner(scene, base).make()
        turn = OneTurn(self.game, scene, base)
        return search(self.game, view, turn, seed=digest(scene), budget=budget, tries=TRIES)


def digest(scene: Scene) -> str:
    """A name for the position, so that the same position is always searched the same way."""
    return hashlib.blake2b(repr(phase_key(scene)).encode(), digest_size=12).hexdigest()
