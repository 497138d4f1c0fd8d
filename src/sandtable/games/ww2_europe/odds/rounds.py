"""Battles of any size fought out exactly, round after round.

Both sides fire at the same time, so the next positions of both are independent. Every round that changes anything leads
to a poorer pair of positions: one sweep from the richest to the poorest finds all ends.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import compress

from ..model.state import M
from ..rules.battle_phase import Battle
from ..rules.fire import Shot
from .ladder import Fire, Guns, Ladder, Spread, faces
from .ladder import TooLarge as TooLarge
from .types import Counts, Types

Ends = dict[tuple[str, int, int], float]
"""(how it ended, the worth of what the attacker lost, and the defender) -> its chance."""
Pairs = dict[tuple[int, int], float]
"""(our position, theirs) -> its chance."""
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
    m: M, battle: Battle, att: Types, dfn: Types, most: int,
    begins: Mapping[Counts, float] | None = None, dice: Sequence[Shot] = (),
) -> Ends:  # fmt: skip
    """A battle fought out to the end, nobody retreating.

    With more than `most` pairs of positions TooLarge is raised. `begins`: what the attackers may have left before the
    first round that is fought here, and the dice that did it.
    [w2e-stage3-fire] [w2e-stage2-fire] [w2e-battle-units]
    """
    guns = Guns(m, battle, att, dfn, defending=False)
    answers = Guns(m, battle, dfn, att, defending=True)
    fallen = {code for shot in dice for code, _ in faces(shot) if code}
    ours = Ladder(m, att, sorted(fallen | answers.codes()), most)
    theirs = Ladder(m, dfn, sorted(guns.codes()), most // len(ours.counts))
    fire, answer = Fire(guns, ours, theirs), Fire(answers, theirs, ours)
    decided = _Decided(battle.sea, att, dfn, ours, theirs)
    first: Pairs = {(0, 0): 1.0}
    if begins is not None:
        first = {(ours.places[counts], 0): chance for counts, chance in begins.items()}
    elif battle.round <= 1 and not (decided.gone[0] or decided.beaten[0]):
        us, them = answer.opening(), fire.opening()
        if not (battle.sea and decided(0, 0, us, them)):  # planes alone fight one round on land
            first = {(a, d): p * q for a, p in us.items() for d, q in them.items()}
    if len(ours.counts) <= len(theirs.counts):  # the side with fewer positions leads the sweep
        ends = _sweep(first, fire, answer, decided)
    else:
        turned = _sweep(
            {(d, a): chance for (a, d), chance in first.items()}, answer, fire,
            lambda d, a, them, us: decided(a, d, us, them),
        )  # fmt: skip
        ends = {(a, d): chance for (d, a), chance in turned.items()}
    worth = [[types.worth(types.start) - types.worth(counts) for counts in ladder.counts]
             for types, ladder in ((att, ours), (dfn, theirs))]  # fmt: skip
    found: Ends = {}
    for (a, d), chance in ends.items():
        if chance > _TINY:
            key = (decided.name(a, d, fire, answer), worth[0][a], worth[1][d])
            found[key] = found.get(key, 0.0) + chance
    return found


class _Decided:
    """When a battle is over, by what both sides have left.  [w2e-stage2-repeat] [w2e-cutoff-air] [w2e-unit-sub-submerged]"""

    def __init__(self, sea: bool, att: Types, dfn: Types, ours: Ladder, theirs: Ladder) -> None:
        self.sea = sea
        self.gone = [not any(counts) for counts in ours.counts]
        self.beaten = [not any(counts) for counts in theirs.counts]
        self.ground = [any(compress(counts, att.ground)) for counts in ours.counts]
        self.cut_off = [any(compress(counts, dfn.cut_off)) for counts in theirs.counts]
        """Whether planes alone go on: there is somebody who cannot leave."""
        self.under, self.below = (
            [not any(count and not deep for count, deep in zip(counts, types.submerged, strict=True))
             for counts in ladder.counts]
            for types, ladder in ((att, ours), (dfn, theirs))
        )  # fmt: skip
        """Whether only submarines are left, which leave where nobody can hit back."""

    def __call__(self, a: int, d: int, us: Spread, them: Spread) -> bool:
        """Whether it is over with these positions, from which a round leads to those."""
        if self.gone[a] or self.beaten[d]:
            return True
        if not self.sea:
            return not (self.ground[a] or self.cut_off[d])
        return (self.under[a] and _stays(us, a)) or (self.below[d] and _stays(them, d))

    def name(self, a: int, d: int, fire: Fire, answer: Fire) -> str:
        """How a battle ended with these positions."""
        if self.beaten[d]:
            if self.sea:
                return "ruin" if self.gone[a] else "sunk"
            return "capture" if self.ground[a] else "ruin"
        leaves = self.sea and self.below[d] and not self.gone[a] and _stays(fire.at(d)[a], d)
        return "given-up" if leaves and not _stays(answer.at(a)[d], a) else "repulse"


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
