"""Battles of any size fought out exactly, round after round.

Both sides fire at the same time, so the next positions of both are independent. Every round that changes anything leads
to a poorer pair of positions: one sweep from the richest to the poorest finds all ends.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable
from itertools import compress

from msgspec.structs import replace

from ..model.state import M
from ..rules.battle_phase import Battle
from .ladder import Fire, Guns, Ladder, Spread
from .ladder import TooLarge as TooLarge
from .types import Counts, Types

Ends = dict[tuple[str, int, int], float]
"""(how it ended, the worth of what the attacker lost, and the defender) -> its chance."""
Pairs = dict[tuple[int, int], float]
"""(our position, theirs) -> its chance."""
Both = dict[tuple[Counts, Counts], float]
"""(what we have, what they have) -> its chance."""
Over = Callable[[int, int, Spread, Spread], bool]
"""Whether a battle is over with two positions, from which a round leads to those."""
MOST = 20_000
"""Pairs of positions beyond which a preview is not worked out. Eleven units of five kinds on each side come close to it
and take about 0.4 seconds."""
MOST_OF_ALL = 120_000
"""Pairs of positions beyond which no battle is worked out: fifteen such units on each side take 4 to 5 seconds."""
_TINY = 1e-16
"""Ends less likely than this are left out."""
_FOR_EVER = 1e-12
"""A round is less likely than this to change anything: nobody can hit anybody."""


def ends_of(
    m: M, battle: Battle, att: Types, dfn: Types, most: int, begins: Both | None = None
) -> Ends:  # fmt: skip
    """A battle fought out to the end, nobody retreating.

    With more than `most` pairs of positions TooLarge is raised. `begins`: what both sides may have when the first round
    begins that is fought here.
    [w2e-stage3-fire] [w2e-stage2-fire] [w2e-battle-units]
    """
    number, last = battle.round, max(att.last, dfn.last)
    fresh, rest = begins is None, dict(begins) if begins is not None else {(att.start, dfn.start): 1.0}
    found: Ends = {}
    while number <= last:  # somebody joins when this round is over
        field, after = _Field(m, replace(battle, round=number), att, dfn, most, rest), Both()
        over: Pairs = {}
        for (a, d), chance in field.pairs(rest).items():
            if (field.gone[a] and not att.waits(number)) or (field.beaten[d] and not dfn.waits(number)):
                over[a, d] = chance
                continue
            us, them = field.volleys(a, d)
            for (one, p), (two, q) in itertools.product(us.items(), them.items()):
                pair = att.joined(field.ours.counts[one], number), dfn.joined(field.theirs.counts[two], number)
                after[pair] = after.get(pair, 0.0) + chance * p * q
            if len(after) > most:
                raise TooLarge
        field.tell(over, found)
        rest, number, fresh = after, number + 1, False
    if rest:
        field = _Field(m, replace(battle, round=number), att, dfn, most, rest)
        field.tell(field.fought_out(rest, fresh=fresh and number <= 1), found)
    return found


class _Field:
    """Both sides of a battle from some round on, and when it is over.

    [w2e-stage2-repeat] [w2e-cutoff-air] [w2e-unit-sub-submerged]
    """

    def __init__(self, m: M, battle: Battle, att: Types, dfn: Types, most: int, begins: Both) -> None:
        guns = Guns(m, battle, att, dfn, defending=False)
        answers = Guns(m, battle, dfn, att, defending=True)
        self.ours = Ladder(m, att, sorted(answers.codes()), most, [a for a, _ in begins])
        self.theirs = Ladder(m, dfn, sorted(guns.codes()), most // len(self.ours.counts), [d for _, d in begins])
        self.fire, self.answer = Fire(guns, self.ours, self.theirs), Fire(answers, self.theirs, self.ours)
        self.sea, self.round, self.types = battle.sea, battle.round, (att, dfn)
        self.gone = [not any(counts) for counts in self.ours.counts]
        self.beaten = [not any(counts) for counts in self.theirs.counts]
        self.ground = [any(compress(counts, att.ground)) for counts in self.ours.counts]
        self.cut_off = [any(compress(counts, dfn.cut_off)) for counts in self.theirs.counts]
        """Whether planes alone go on: there is somebody who cannot leave."""
        self.under, self.below = (
            [not any(count and not deep for count, deep in zip(counts, types.submerged, strict=True))
             for counts in ladder.counts]
            for types, ladder in ((att, self.ours), (dfn, self.theirs))
        )  # fmt: skip
        """Whether only submarines are left, which leave where nobody can hit back."""

    def pairs(self, begins: Both) -> Pairs:
        """The same by the positions on the ladders."""
        return {(self.ours.places[a], self.theirs.places[d]): chance for (a, d), chance in begins.items()}

    def tell(self, ends: Pairs, found: Ends) -> None:
        """Add the ends with what both sides have lost since they met."""
        lost = [
            [types.worth(types.start) - types.worth(counts, self.round) for counts in ladder.counts]
            for types, ladder in zip(self.types, (self.ours, self.theirs), strict=True)
        ]
        for (a, d), chance in ends.items():
            if chance > _TINY:
                key = (self.name(a, d), lost[0][a], lost[1][d])
                found[key] = found.get(key, 0.0) + chance

    def volleys(self, a: int, d: int) -> tuple[Spread, Spread]:
        """What one round makes of both positions."""
        if self.round <= 1:
            return self.answer.opening(), self.fire.opening()
        return self.answer.at(a)[d], self.fire.at(d)[a]

    def fought_out(self, begins: Both, *, fresh: bool) -> Pairs:
        """The positions with which it ends. `fresh`: the first round is still to be fought."""
        first = self.pairs(begins)
        if fresh and not (self.gone[0] or self.beaten[0]):
            us, them = self.volleys(0, 0)
            if not (self.sea and self.over(0, 0, us, them)):  # planes alone fight one round on land
                first = {(a, d): p * q for a, p in us.items() for d, q in them.items()}
        if len(self.ours.counts) <= len(self.theirs.counts):  # the side with fewer positions leads the sweep
            return _sweep(first, self.fire, self.answer, self.over)
        turned = _sweep(
            {(d, a): chance for (a, d), chance in first.items()}, self.answer, self.fire,
            lambda d, a, them, us: self.over(a, d, us, them),
        )  # fmt: skip
        return {(a, d): chance for (d, a), chance in turned.items()}

    def over(self, a: int, d: int, us: Spread, them: Spread) -> bool:
        """Whether it is over with these positions, from which a round leads to those."""
        if self.gone[a] or self.beaten[d]:
            return True
        if not self.sea:
            return not (self.ground[a] or self.cut_off[d])
        return (self.under[a] and _stays(us, a)) or (self.below[d] and _stays(them, d))

    def name(self, a: int, d: int) -> str:
        """How a battle ended with these positions."""
        if self.beaten[d]:
            if self.sea:
                return "ruin" if self.gone[a] else "sunk"
            return "capture" if self.ground[a] else "ruin"
        leaves = self.sea and self.below[d] and not self.gone[a] and _stays(self.fire.at(d)[a], d)
        return "given-up" if leaves and not _stays(self.answer.at(a)[d], a) else "repulse"


def _stays(spread: Spread, place: int) -> bool:
    return spread.get(place, 0.0) > 1 - _FOR_EVER


def _sweep(begins: Pairs, fire: Fire, answer: Fire, over: Over) -> Pairs:
    """Return the chances that the battle ends with each pair of positions (ours, theirs), from those it begins with.

    Our positions come one after the other, the richest first; in each of them theirs do. What leads on to a poorer one
    of ours waits there, before our fire: when its turn comes the volleys of all that led to it are thrown together.
    Rounds that change nothing are summed in closed form. `over` says with which positions the battle ends.
    """
    ends: Pairs = {}
    after_them = [fire.at(there) for there in range(len(fire.targets.counts))]
    starts: list[Spread] = [{} for _ in fire.shooters.counts]
    for (here, there), chance in begins.items():
        starts[here][there] = chance
    waiting: list[dict[int, dict[Counts, Spread]]] = [{} for _ in fire.shooters.counts]
    for here, counts in enumerate(fire.shooters.counts):
        chances = [0.0] * len(after_them)
        for spread in (starts[here], *(fire.together(*row) for row in waiting[here].items())):
            for there, chance in spread.items():
                chances[there] += chance
        waiting[here] = {}
        after_us = answer.at(here)
        leads: list[dict[int, Spread]] = [defaultdict(dict) for _ in fire.sets]
        for there, after in enumerate(after_them):
            chance = chances[there]
            if not chance:
                continue
            us, them = after_us[there], after[here]
            stays = us.get(here, 0.0)
            still = stays * them.get(there, 0.0)
            if still > 1 - _FOR_EVER or over(here, there, us, them):
                ends[here, there] = chance
                continue
            chance /= 1 - still
            stays *= chance
            for to, part in them.items():
                chances[to] += stays * part
            row = leads[fire.faces_set[there]]
            for to, part in us.items():
                row[to][there] = chance * part
        for dice_set, spreads in enumerate(leads):
            for to, spread in spreads.items():
                if to != here:
                    waiting[to].setdefault(dice_set, {})[counts] = spread
    return ends
