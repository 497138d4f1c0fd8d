"""The general and the marshal: before a quarter's moves they search for the plan of their major.

A plan is rehearsed through the own segment, the enemy's, and the own one after it, with dice that are neither lucky nor
unlucky, against an enemy who plays as usual or boldly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import Any

from sandtable.core import Action, Game, Match, Offers, View
from sandtable.players.base import Budget
from sandtable.players.search import Decider, Plan, Scope, Theatre, near
from sandtable.players.searcher import Searcher

from ..model.atlas import ATLAS, AXIS, MAJORS
from ..model.state import AT_WAR, BKState, enemy_side
from ..rules.movement_phase import Phase
from ..rules.victory import points_of, points_to_win
from .campaign import Campaign
from .doctrine import BLITZ, WARY, Doctrine
from .economy import BUILDS
from .evaluate import evaluate
from .planner import Commander, Outlook, Planner
from .politics import wars_to_come

_SCALE = 80.0
"""Points of the evaluation for which hope grows from a half to three quarters."""

_AIMS, _EFFORTS, _OWN = 6, 3, 5
"""How many enemies can be aimed at, how many at first, and how many places may be held."""
_ASKED = 3
"""How many enemies an ally may be asked to turn to."""
_NEARNESS = 60.0
"""Worth of the points that win, and how much faster than the points it grows."""
_STEEP = 4
_HALVES = 3
"""Segments of a rehearsal: the own one, the answer, and the own next one."""
_RICH = 2
"""Production of a place that may be ordered to be held."""
_DIALS = ("sure", "bold", "cover", "hold", "home", "kill")
_WALL = Plan(dials=(("cover", 0.8), ("home", 1.2), ("hold", 1.4)))
"""Everything that produces is held against all that threatens it."""
_STRIKE = Plan(dials=(("cover", 0.2), ("home", 0.4), ("kill", 3.0), ("sure", 0.65)))
"""The enemy's armies are attacked wherever that is likely to succeed."""
_PEACE, _WAR = Plan(dials=(("peace", 1.0),)), Plan(dials=(("peace", -1.0),))
_ASHORE = Plan(dials=(("islands", 0.0),))


def _dials(way: Doctrine) -> tuple[tuple[str, float], ...]:
    return tuple((name, getattr(way, name)) for name in sorted(_DIALS))


class Quarter(Theatre):
    """A major's part of a quarter."""

    replies = (Plan(), Plan(dials=(("bold", 0.5), ("cover", 0.1), ("sure", 0.58))))

    def __init__(self, game: Game[Any], view: View[Any]) -> None:
        assert view.role is not None
        super().__init__(game, view.role, scope(view.state, view.role))
        state: BKState = view.state
        self.me = MAJORS.index(self.role)
        self.side = state.side[self.me]
        self.start = 2 * state.turn + state.second
        self.sides = state.side
        self.state = state
        self.base = self.worth(state)

    def lead(self, role: str, plan: Plan) -> Decider:
        """The own side is led as generals do, the others as colonels would."""
        mine = self.sides[MAJORS.index(role)] == self.side
        staff = (Commander if mine or plan != Plan() else Planner)(self.game, f"rehearsal/{role}")
        if isinstance(staff, Commander):
            staff.plan = plan
        return staff.answer

    def key(self, plan: Plan) -> Hashable:
        """The orders on land that a plan comes to, what it builds, and what it says of war and of the sea."""
        staff = Commander(self.game, "key")
        staff.plan = plan
        way = staff.way(self.state, self.me)
        return plan.ask, way.build, way.peace, way.islands, *Campaign(Outlook(self.state, self.role, way)).plan()

    def boldness(self, plan: Plan) -> float:
        dials = dict(plan.dials)
        usual = Doctrine()
        return math.fsum(getattr(usual, name) - dials[name] for name in ("sure", "bold", "cover") if name in dials)

    def is_enemy(self, role: str) -> bool:
        return self.sides[MAJORS.index(role)] != self.side

    def ending(self) -> Callable[[Match[Any]], bool]:
        return self.is_over

    def is_over(self, match: Match[Any]) -> bool:
        """Whether both sides have had their segments, and the own one again."""
        state: BKState = match.state
        return 2 * state.turn + state.second >= self.start + _HALVES

    def by_hand(self, match: Match[Any]) -> float:
        return near(self.worth(match.state), self.base, _SCALE)

    def worth(self, state: BKState) -> float:
        """The evaluation, and how near both sides are to the points that win."""
        ours, theirs = (
            points_of(state, side) / points_to_win(state, side) for side in (self.side, enemy_side(self.side))
        )
        return evaluate(state, self.side) + _NEARNESS * (ours**_STEEP - theirs**_STEEP)


def scope(state: BKState, role: str) -> Scope:
    """The enemies that can be finished, the own industry, how boldly it may be done, and war or peace."""
    me = MAJORS.index(role)
    scene = Outlook(state, role)
    own = [s for s in ATLAS.land if scene.friendly(s) and scene.produces(s) >= _RICH and scene.threat(s) > 0]
    own.sort(key=lambda s: (-scene.produces(s), s))
    aims = goals(scene)
    places = tuple(ATLAS.space_ids[s] for s in own[:_OWN])
    stock = [Plan(aim=aim, force=2.5) for aim in aims[:1]]
    stock += [_WALL, _STRIKE] if own else [_STRIKE]
    if wars_to_come(scene):
        stock.insert(0, _PEACE)
    elif wars_to_come(Outlook(state, role, Doctrine(peace=-1.0))):
        stock.append(_WAR)
    stock += [Plan(aim=aim, force=2.5) for aim in aims[1:_EFFORTS]]
    stock += [Plan(hold=places[:2])] * bool(places)
    stock += [Plan(build="infantry"), Plan(dials=_dials(BLITZ)), Plan(dials=_dials(WARY))]
    if state.side[me] == AXIS and not state.advanced:
        stock.append(_ASHORE)
    dials = {
        "sure": (0.58, 0.65, 0.8, 0.9), "bold": (0.5, 0.7, 0.8),
        "cover": (0.0, 0.2, 0.5, 0.8), "hold": (0.6, 1.4, 2.0), "home": (0.2, 0.6, 1.0, 1.4), "kill": (0.6, 2.0, 3.0),
    }  # fmt: skip
    vital = tuple(ATLAS.space_ids[s] for s in own[:_OWN] if ATLAS.home_of[s] == me)
    return Scope(aims, places, vital, tuple(BUILDS), dials, tuple(stock), allies(state, me))


def goals(scene: Outlook) -> tuple[str, ...]:
    """The enemies that hold anything, who is within reach of the own armies first."""
    state = scene.state
    foes = [
        n for n in range(len(state.war))
        if state.war[scene.me] >> n & 1 and state.standing[n] == AT_WAR
        and any(scene.hostile(s) and state.control[s] == n for s in ATLAS.land)
    ]  # fmt: skip
    foes.sort(key=lambda n: (-_within_reach(scene, n), n))
    return tuple(ATLAS.nation_ids[n] for n in foes[:_AIMS])


def allies(state: BKState, me: int) -> dict[str, tuple[str, ...]]:
    """What the others of the own side that are at war may be asked for."""
    others = [n for n in range(len(MAJORS)) if n != me and state.side[n] == state.side[me] and state.war[n]]
    found = {MAJORS[n]: goals(Outlook(state, MAJORS[n]))[:_ASKED] for n in others if state.standing[n] == AT_WAR}
    return {role: places for role, places in found.items() if len(places) > 1}


def _within_reach(scene: Outlook, nation: int) -> float:
    """What an enemy has that own armies stand beside: the front that can be made the main one now."""
    state, found = scene.state, scene.found
    near = {there for s in found.land if scene.own(s) for there in found.land_next[s]}
    return sum(scene.worth(s) for s in near if state.control[s] == nation)


class General(Searcher):
    """Plays like a colonel on all fronts at once, with orders that were rehearsed."""

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        super().__init__(game, seed)
        self.staff = Commander(game, self.seed)

    def moment(self, view: View[Any]) -> tuple[int, ...] | None:
        """A segment of the own side in a war."""
        state: BKState = view.state
        step = state.stack[-1]
        me = MAJORS.index(view.role or "")
        if not isinstance(step, Phase) or state.exploiting or not state.war[me] or state.side[me] != state.phasing:
            return None
        return state.turn, state.second

    def theatre(self, view: View[Any]) -> Theatre:
        return Quarter(self.game, view)

    def follow(self, plan: Plan) -> None:
        self.staff.plan = plan

    def answer(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        return self.staff.answer(view, offers)


class Marshal(General):
    """The same with more time."""

    level, patience = "marshal", 4.0
