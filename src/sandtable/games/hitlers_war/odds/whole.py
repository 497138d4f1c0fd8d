"""Whole chains of Hitler's War: an attack and the exploitation after it, hex by hex, over every fall of the dice.

The army goes on along the hexes named, or where its next advance is likeliest. With assaults, it makes its one assault
of the turn against the first hex it can. What else is chosen on the way: see `policy`.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from sandtable.core import Action, Match, Modifier, Odds, Result
from sandtable.core.game import Assumed, Assumption
from sandtable.odds.walk import walk

from ..model.actions import Advance, Assault, Attack, Exploit
from ..model.atlas import ATLAS
from ..model.state import War
from ..rules.advance_phase import Advances
from ..rules.assault_phase import Assaults
from ..rules.exploitation_phase import Exploitation, MustAdvance
from .policy import choose, quiet

LONGEST = 6
"""Hexes of a chain that is not named; fatigue ends it before."""
_LOOKED_AT = 60
ASSUMPTIONS: Mapping[str, Assumption] = {
    "along": Assumption("along", (), "the hexes that the army attacks after the first, in order"),
    "assault": Assumption("assault", False, "the army makes its assault before it advances"),
    "fire": Assumption("fire", True, "the defenders fire as soon as they can"),
}


class _Chain:
    """Who attacks, along which hexes, and with what."""

    def __init__(
        self, match: Match[War], action: Attack | Exploit, along: Sequence[str], *, assault: bool, fire: bool
    ) -> None:
        self.action, self.army = action, ATLAS.army_index[action.army]
        self.path = (action.target, *along)
        self.named, self.assault, self.fire = bool(along), assault, fire
        self.first = match.number
        self.taken = {match.state.army_at[self.army]: 0, ATLAS.index[action.target]: 1}
        """Hex -> how many hexes the army has entered when it stands there."""

    def reached(self, match: Match[War]) -> int:
        """Hexes entered so far; none when the army was lost on the way."""
        return self.taken.get(match.state.army_at[self.army], 0)

    def decide(self, match: Match[War], role: str) -> Action | None:
        state, step = match.state, match.step
        if match.number == self.first:
            return self.action
        if state.army_at[self.army] < 0 or state.spent[self.army] or not state.mode[self.army]:
            return None
        if isinstance(step, (Advances, MustAdvance)):
            mine = [a for a in match.offers(role) if isinstance(a, Advance) and a.army == self.action.army]
            return mine[-1] if mine else quiet(match, role)
        if isinstance(step, Assaults):
            return (self._best_assault(match, role) if self.assault else None) or quiet(match, role)
        if isinstance(step, Exploitation):
            return self._onward(match, role)
        return choose(match, role, fire=self.fire)

    def _onward(self, match: Match[War], role: str) -> Action | None:
        """The next hex; None where the chain ends."""
        done = self.reached(match)
        chosen = None if done >= (len(self.path) if self.named else LONGEST) else self._next(match, role, done)
        if chosen is not None:
            self.taken.setdefault(ATLAS.index[chosen.target], done + 1)
        return chosen

    def _next(self, match: Match[War], role: str, done: int) -> Exploit | None:
        ways = [a for a in match.offers(role) if isinstance(a, Exploit) and a.army == self.action.army]
        if self.named:
            return next((way for way in ways if way.target == self.path[done]), None)
        best, chosen = 0.0, None
        for way in ways:
            odds = match.preview(role, way)
            if match.state.owner[ATLAS.index[way.target]] != match.state.side and odds and odds.success > best:
                best, chosen = odds.success, way
        return chosen

    def _best_assault(self, match: Match[War], role: str) -> Action | None:
        here = ATLAS.names[match.state.army_at[self.army]]
        best, chosen = 0.0, None
        for offer in match.offers(role)[Assault]:
            for action in itertools.islice(iter(offer), _LOOKED_AT):
                if isinstance(action, Assault) and action.at == here and self.action.army in action.units:
                    odds = match.preview(role, action)
                    harm = sum(odds.expected_losses.values()) if odds else 0.0
                    if harm > best:
                        best, chosen = harm, action
        return chosen


def chain(
    match: Match[War], action: Action, along: Sequence[str] = (), *, assault: bool = False, fire: bool = True
) -> Odds | None:
    """How many hexes the army takes; None where the action starts no attack over land."""
    if not isinstance(action, (Attack, Exploit)):
        return None
    plan = _Chain(match, action, along, assault=assault, fire=fire)
    reached: dict[int, float] = {}
    for chance, end in walk(match, plan.decide):
        number = plan.reached(end)
        reached[number] = reached.get(number, 0.0) + chance
    results = [
        Result(chance, "result.hexes" if number else "result.failure", facts={"hexes": number})
        for number, chance in sorted(reached.items())
    ]
    goal = len(plan.path) if along else 1
    role = match.decisions()[0]
    first = match.preview(role, action)
    parts: Sequence[Modifier] = first.modifiers if first else ()
    success = sum(chance for number, chance in reached.items() if number >= goal)
    policy = f"policy.chain{'-assault' if assault else ''}{'' if fire else '-no-fire'}"
    return Odds("odds.chain", results, success, parts, {}, policy, f"@{role}", f"aim.hexes?number={goal}")


def whole_odds(match: Match[War], action: Action, assumed: Mapping[str, Assumed]) -> Odds | None:
    """The chain of advances that an action starts; None where it starts none."""
    along = assumed["along"]
    assert isinstance(along, tuple)
    return chain(match, action, along, assault=bool(assumed["assault"]), fire=bool(assumed["fire"]))
