"""The general: before it moves it tries several ways to lead on an imagined board, and leads by the best.

Each way is played through its own movement and battles and the answer of the other side, with dice that are neither
lucky nor unlucky, and judged by what the position is worth then.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random
from typing import Any

from sandtable.core import Action, Game, Match, Offers, View
from sandtable.players.base import Budget
from sandtable.players.planning import Alarm, play_until, search

from ..model.atlas import ATLAS, GERMANY, MAJORS, SIDES, USSR
from ..model.state import AT_WAR, BKState
from ..rules.movement_phase import Phase
from .doctrine import BLITZ, USUAL, WARY, Doctrine
from .evaluate import evaluate
from .planner import Commander, Planner

_OWN_WAY = 20.0
"""How much better another way must look before the own one is left."""
_LEADERS = (GERMANY, USSR)
"""Majors that bear the main burden: for them it is worth to try several ways."""
_MAJORS = (1 << len(MAJORS)) - 1
"""The majors among those a nation fights."""
_MOST = 1500
"""Decisions after which a rehearsal is broken off."""


def _staff(game: Game[Any], role: str, plan: Doctrine, side: int) -> Planner:
    """Who leads a major in a rehearsal: the own side as a general does, the others as a colonel would."""
    mine = role in game.alliances[SIDES[side]]
    return (Commander if mine else Planner)(game, f"rehearsal/{role}", plan)


class Leading:
    """One land phase to be planned: the plans are doctrines."""

    def __init__(self, game: Game[Any], view: View[Any]) -> None:
        self.game = game
        state: BKState = view.state
        assert view.role is not None
        self.role = view.role
        self.me = MAJORS.index(view.role)
        self.side = state.side[self.me]
        self.start = (state.turn, state.second, state.phasing)
        self.enemies = [
            n for n in range(len(state.war))
            if state.war[self.me] >> n & 1 and state.standing[n] == AT_WAR and ATLAS.homes[n]
        ]  # fmt: skip

    def first(self) -> Sequence[Doctrine]:
        """The own way first, which USUAL stands for."""
        return (USUAL, BLITZ, WARY)

    def vary(self, parents: Sequence[Doctrine], rng: Random) -> Doctrine | None:
        one, other = parents[0], parents[int(rng.random() * len(parents))]
        pick = [getattr(one if rng.random() < 0.6 else other, name) for name in one.__struct_fields__]
        child = dict(zip(one.__struct_fields__, pick, strict=True))
        if rng.random() < 0.5 and self.enemies:
            child["main"] = self.enemies[int(rng.random() * len(self.enemies))]
        name = ("enough", "sure", "bold", "cover", "hold")[int(rng.random() * 5)]
        child[name] = round(child[name] * (0.7 + 0.6 * rng.random()), 2)
        return Doctrine(**child)

    def key(self, plan: Doctrine) -> Hashable:
        return plan

    def prior(self, plan: Doctrine) -> float:
        return _OWN_WAY if plan == USUAL else 0.0

    def rehearse(self, plan: Doctrine, match: Match[Any], alarm: Alarm) -> float:
        """Play the own phase by the plan and everybody else as usual."""
        staffs = {role: _staff(self.game, role, plan if role == self.role else USUAL, self.side) for role in MAJORS}

        def decider(role: str) -> Any:
            return staffs[role].answer

        play_until(match, decider, self.is_over, alarm, _MOST)
        return evaluate(match.state, self.side)

    def is_over(self, match: Match[Any]) -> bool:
        """The own battles are fought and the other side has answered."""
        state = match.state
        return state.turn > self.start[0] + 1 or (
            (state.turn, state.second, state.phasing) != self.start and state.phasing == self.side
        )


class General:
    """Plays like a colonel on all fronts at once, and tries out how boldly the main burden is to be borne.

    A way to lead is chosen for a stage of the war: anew when a major power enters or leaves it.
    """

    tries = 4

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        self.game = game
        self.seed = f"general/{seed}"
        self.staff = Commander(game, self.seed)
        self.stage: tuple[int, ...] = ()
        """How the majors stood when the way was chosen."""

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        state: BKState = view.state
        step = state.stack[-1]
        if isinstance(step, Phase) and step.name == "land" and not state.exploiting:
            assert view.role is not None
            me = MAJORS.index(view.role)
            stage = (state.war[me] & _MAJORS, *state.standing[: len(MAJORS)])
            if stage != self.stage and me in _LEADERS and state.war[me]:
                self.stage = stage
                turn = Leading(self.game, view)
                self.staff.doctrine = search(
                    self.game, view, turn, seed=f"{self.seed}/{view.number}", budget=budget, tries=self.tries
                )
        return self.staff.answer(view, offers)
