"""The colonel's staff: answers like a captain's, but plans whole quarters ahead."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import msgspec

from sandtable.core import Action, View
from sandtable.players.search import Plan

from ..facts.duels import win_chance
from ..model.actions import Declare, Form
from ..model.atlas import ALLIES, ATLAS, AXIS, CHINA, GERMANY, ITALY, JAPAN, MAJORS, USA, USSR, bits_of
from ..model.state import AT_WAR, BKState, at_war
from ..rules.victory import points_of, points_to_win
from .doctrine import BLITZ, BOLD, GUARDED, USUAL, WALL, WARY, Doctrine
from .islands import Islands, Sweep
from .landings import Landings
from .politics import must_go_east, wars_to_come
from .scene import Scene
from .shipping import Shipping
from .staff import Staff

_TIME, _NEAR = 4, 8
"""Quarters after the American entry in which the Axis wins or not any more; points from which it still may."""
_DASH, _PRIZE = 22, 3.0
"""Points that the Axis may lack when it goes for nothing else any more; how much more each counts then."""
_NOTICE = 2
"""Quarters before a neutral joins the enemy in which it is counted as one."""


class Outlook(Scene):
    """The board as a planner sees it."""

    looks_ahead = True
    chance = staticmethod(win_chance)

    @cached_property
    def coming(self) -> int:
        """The USSR, in the last quarters before it joins by the calendar, and whoever is attacked in this one."""
        state = self.state
        near = not state.advanced and 0 < ATLAS.fixed["ussr_joins"] - state.turn <= _NOTICE
        joins = near and self.me in (GERMANY, ITALY) and state.side[USSR] != self.side
        return bits_of(wars_to_come(self)) | (1 << USSR if joins else 0)


class Planner(Staff):
    """Answers for one major."""

    islands = Islands

    def look(self, view: View[Any]) -> Scene:
        assert view.role is not None
        return Outlook(view.state, view.role, self.way(view.state, MAJORS.index(view.role)))

    def way(self, state: BKState, me: int) -> Doctrine:
        """How the major is led now."""
        if me == GERMANY and not state.french_fell and not at_war(state, GERMANY, USSR):
            return BLITZ
        if me == JAPAN and at_war(state, JAPAN, CHINA) and not at_war(state, JAPAN, USA):
            return BLITZ
        walled = at_war(state, GERMANY, USSR) and (state.advanced or is_past_height(state))
        if me in (GERMANY, ITALY) and (walled or must_go_east(state)):
            return WALL
        return WARY if me in (GERMANY, ITALY) else USUAL

    def at_sea(self, scene: Scene) -> list[Action]:
        """A side that wins by what it holds first takes what is undefended; the other ships do as usual."""
        if not self.goes_for_points(scene.state, scene.me):
            return super().at_sea(scene)
        orders: list[Action] = []
        busy: set[int] = set()
        if scene.me == GERMANY and self.may_cross(scene.state):
            # the industry of an enemy lies across narrow waters
            landings = Landings(scene)
            orders += landings.plan()
            busy |= landings.ships
        islands = self.islands(scene, busy)
        orders += islands.plan()
        return [*orders, *Shipping(scene, busy | islands.ships).plan()]

    def may_cross(self, state: BKState) -> bool:
        """Whether Germany's best troops may wait at sea for a landing."""
        return True

    def goes_for_points(self, state: BKState, me: int) -> bool:
        """The Axis is nearer to its points than to three capitals."""
        return state.side[me] == AXIS


def is_past_height(state: BKState) -> bool:
    """Whether by the basic rules the Axis has had its time, and is not near to its points: a draw is left to it."""
    late = state.turn >= ATLAS.fixed["usa_joins"] + _TIME
    return late and points_of(state, AXIS) < points_to_win(state, AXIS) - _NEAR


def is_near_victory(state: BKState) -> bool:
    """Whether the Axis lacks so few points that neutrals and islands decide, and no army is wanted against France.

    With a handicap it lacks few from the start.
    """
    return state.french_fell and points_of(state, AXIS) >= points_to_win(state, AXIS) - _DASH


class Commander(Planner):
    """The general's: every major has its own way, and orders by front on top of it."""

    islands = Sweep
    plan = Plan()

    def way(self, state: BKState, me: int) -> Doctrine:
        """The side that can replace its losses takes risks; neither leaves anything empty behind its attacks."""
        way = super().way(state, me)
        if me == GERMANY and way == BLITZ and state.standing[ATLAS.poland] == AT_WAR:
            way = GUARDED
        if state.side[me] == AXIS and is_near_victory(state) and way != WALL:
            way = msgspec.structs.replace(way, prize=_PRIZE)
        if way == USUAL and state.side[me] == ALLIES:
            way = BOLD
        return edited(msgspec.structs.replace(way, posts=True, stays=True), self.plan)

    def give_up(self) -> None:
        """The other groups sail all the same."""
        while self.queue and not isinstance(self.queue[0], (Form, Declare)):
            del self.queue[0]

    def may_cross(self, state: BKState) -> bool:
        """Not before France has fallen: they are a quarter of the army."""
        return state.french_fell

    def goes_for_points(self, state: BKState, me: int) -> bool:
        """What the Axis does not hold does not help it: everybody does."""
        return True


def edited(way: Doctrine, plan: Plan) -> Doctrine:
    """A way to lead with the orders of a plan."""
    if plan == Plan():
        return way
    changes: dict[str, Any] = dict(plan.dials)
    if plan.aim:
        changes |= {"main": ATLAS.nation_of[plan.aim], "force": plan.force}
    places = {"keep": plan.hold, "leave": plan.leave}
    changes |= {name: tuple(ATLAS.space_of[s] for s in spaces) for name, spaces in places.items() if spaces}
    return msgspec.structs.replace(way, build=plan.build, **changes)
