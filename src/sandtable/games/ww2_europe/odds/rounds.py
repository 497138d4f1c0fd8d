"""Battles of any size fought out exactly, round after round.

Both sides fire at the same time, so the next positions of both are independent. Every round that changes anything leads
to a poorer pair of positions: one sweep from the richest to the poorest finds all ends.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
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
    holds = [any(compress(counts, att.ground)) or (battle.sea and any(counts)) for counts in ours.counts]
    beaten = [not any(counts) for counts in theirs.counts]
    first: Pairs = {(0, 0): 1.0}
    if begins is not None:
        first = {(ours.places[counts], 0): chance for counts, chance in begins.items()}
    elif battle.round <= 1 and holds[0] and not beaten[0]:
        first = {(a, d): p * q for a, p in answer.opening().items() for d, q in fire.opening().items()}
    lost = [not one for one in holds]
    if len(lost) <= len(beaten):  # the side with fewer positions leads the sweep
        ends = _sweep(first, fire, answer, lost, beaten)
    else:
        turned = _sweep({(d, a): chance for (a, d), chance in first.items()}, answer, fire, beaten, lost)
        ends = {(a, d): chance for (d, a), chance in turned.items()}
    worth = [[types.worth(types.start) - types.worth(counts) for counts in ladder.counts]
             for types, ladder in ((att, ours), (dfn, theirs))]  # fmt: skip
    won = "sunk" if battle.sea else "capture"
    found: Ends = {}
    for (a, d), chance in ends.items():
        if chance > _TINY:
            name = "repulse" if not beaten[d] else won if holds[a] else "ruin"
            key = (name, worth[0][a], worth[1][d])
            found[key] = found.get(key, 0.0) + chance
    return found


def _sweep(begins: Pairs, fire: Fire, answer: Fire, lost: Sequence[bool], won: Sequence[bool]) -> Pairs:
    """Return the chances that the battle ends with each pair of positions (ours, theirs), from those it begins with.

    Our positions come one after the other, the richest first; in each of them theirs do. What leads on to a poorer one
    of ours waits there, before our fire: when its turn comes the volleys of all that led to it are thrown together.
    Rounds that change nothing are summed in closed form. `lost` and `won`: the positions with which the battle is over.
    """
    ends: Pairs = {}
    after_them = [fire.at(there) for there in range(len(won))]
    starts: list[Spread] = [{} for _ in lost]
    for (here, there), chance in begins.items():
        starts[here][there] = chance
    waiting: list[dict[int, dict[Counts, Spread]]] = [{} for _ in lost]
    for here, counts in enumerate(fire.shooters.counts):
        chances = [0.0] * len(won)
        for spread in (starts[here], *(fire.together(*row) for row in waiting[here].items())):
            for there, chance in spread.items():
                chances[there] += chance
        waiting[here] = {}
        after_us = answer.at(here)
        leads: list[dict[int, Spread]] = [defaultdict(dict) for _ in fire.sets]
        for there, over in enumerate(won):
            chance = chances[there]
            if not chance:
                continue
            us, them = after_us[there], after_them[there][here]
            stays = us.get(here, 0.0)
            still = stays * them.get(there, 0.0)
            if over or lost[here] or still > 1 - _FOR_EVER:
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
