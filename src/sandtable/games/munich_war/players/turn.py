"""A player turn as the search sees it, and the set-up of a country before the first one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from sandtable.core import Action, Game, Match, Offers, View
from sandtable.players.search import USUAL, Alarm, Decider, Plan, Scope, Theatre, play_until

from ..model.atlas import ATLAS, SIDES
from ..model.state import M, MunichState
from .evaluate import hope
from .fighting import Memo
from .lore import Doctrine, prey_of, stakes, turns_left
from .staff import Script, Staff

_WIDER = 2
"""How many plans are tried in a wider war, too."""
_DIALS: dict[str, tuple[float, ...]] = {
    "bold": (-0.05, 0.0, 0.25, 0.45), "thrift": (0.7, 1.4), "ground": (0.15, 0.7), "push": (0.4, 0.7, 1.5, 2.0),
    "hold": (0.5, 1.5, 2.0), "guard": (0.7, 1.5, 1.8),
}  # fmt: skip


def edited(base: Doctrine, plan: Plan) -> Doctrine:
    """A doctrine with the orders of a plan."""
    if plan == USUAL:
        return base
    changes: dict[str, Any] = dict(plan.dials)
    if plan.aim:
        changes["focus"] = ATLAS.country_number[plan.aim]
    return msgspec.structs.replace(base, **changes)


def scope(m: M, side: int, base: Doctrine, *, wider: bool) -> Scope:
    """The enemy countries worth going for, and how boldly; `wider`: neutrals that may be invaded, too."""
    countries = sorted({ATLAS.country_of[at] for at in stakes(m, side, base).take})
    aims = tuple(ATLAS.countries[c].name for c in countries if m.state.side[c] == 1 - side)

    def way(**dials: float) -> Plan:
        return Plan(dials=tuple(sorted(dials.items())))

    stock = [way(bold=0.45), way(ground=0.7), way(bold=-0.05, thrift=0.7), *(Plan(aim=aim, force=2.0) for aim in aims)]
    stock += [way(push=2.0, hold=0.5, guard=0.7), way(push=0.4, hold=2.0, guard=1.5), way(guard=1.8)]
    dials = _DIALS
    if wider and prey_of(m, side):
        stock[:0] = [way(widen=1.0), *(way(widen=1.0, **dict(plan.dials)) for plan in stock[: _WIDER - 1])]
        dials = _DIALS | {"widen": (0.0, 1.0)}
    return Scope(aims, dials=dials, stock=tuple(stock))


class PlayerTurn(Theatre):
    """One side's turn. Its orders are made once for a plan, and carried out in every rehearsal of it."""

    most = 4000

    def __init__(
        self, game: Game[Any], world: Match[MunichState], side: int, usual: tuple[Doctrine, Doctrine], scope: Scope,
        turns: int,
    ) -> None:  # fmt: skip
        """`usual`: how each side plays as a rule; `turns`: player turns of a rehearsal, what is left of this one
        included."""
        super().__init__(game, SIDES[side], scope)
        self.side, self.usual = side, usual
        self.turns = turns if turns_left(world.play) or turns == 1 else self.most
        self.turn = turn_of(world)
        self.scripts: dict[Plan, tuple[Script, Memo]] = {}

    def staff(self, side: int, plan: Plan) -> Staff:
        """Who plays a side by a plan."""
        found = Staff(side, edited(self.usual[side], plan))
        if side == self.side:
            found.script, found.memo = self.scripts.setdefault(plan, ({}, {}))
            found.scripted = found.remembered = self.turn[0]
        return found

    def rehearse(self, plan: Plan, reply: Plan, match: Match[Any], alarm: Alarm) -> float:
        staffs = {
            role: self.staff(side, plan if side == self.side else reply) for side, role in enumerate(SIDES)
        }  # fmt: skip

        def decider(role: str) -> Decider:
            def decide(view: View[Any], offers: Offers) -> Action:
                return staffs[role].answer(view.state, lambda: match.play, offers)

            return decide

        play_until(match, decider, self.ending(), alarm, self.most)
        return self.value(match)

    def by_hand(self, match: Match[Any]) -> float:
        return hope(match.play, self.side, turn_of(match)[1])

    def boldness(self, plan: Plan) -> float:
        """Little is asked for an attack, and much is given for one."""
        dials, usual = dict(plan.dials), self.usual[self.side]
        less = ((name, -1.0) for name in ("bold", "thrift", "hold", "guard"))
        return math.fsum(
            sign * (dials[name] - getattr(usual, name)) for name, sign in (*less, ("push", 1.0)) if name in dials
        )

    def ending(self) -> Callable[[Match[Any]], bool]:
        mark, left = self.turn, self.turns

        def is_over(match: Match[Any]) -> bool:
            nonlocal mark, left
            now = turn_of(match)
            if now != mark:
                mark, left = now, left - 1
            return left <= 0

        return is_over


class SetUp(PlayerTurn):
    """The set-up of a country and the first turns: the plans are set-ups, by their number."""

    def __init__(
        self, game: Game[Any], world: Match[MunichState], side: int, usual: tuple[Doctrine, Doctrine], turns: int,
        lineups: Sequence[Sequence[Action]],
    ) -> None:  # fmt: skip
        stock = tuple(Plan(dials=(("lineup", float(n)),)) for n in range(1, len(lineups)))
        super().__init__(game, world, side, usual, Scope(stock=stock), turns)
        self.lineups = lineups

    def lineup(self, plan: Plan) -> list[Action]:
        """The set-up that a plan stands for."""
        return list(self.lineups[int(dict(plan.dials).get("lineup", 0))])

    def staff(self, side: int, plan: Plan) -> Staff:
        found = Staff(side, self.usual[side])
        if side == self.side:
            found.lineup = self.lineup(plan)
        return found


def turn_of(match: Match[MunichState]) -> tuple[int, int]:
    """Whose turn of which game turn it is; before the first player turn it is the Axis's."""
    return match.state.turn, max(0, match.state.phasing)
