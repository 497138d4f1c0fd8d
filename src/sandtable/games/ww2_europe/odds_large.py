"""The largest battles fought out exactly, where matrices of all positions would fill the memory.

The same dice and the same order as in odds_rounds.py. Only positions that come up at all are followed: those less
likely than one in a million millions are left out, together less than a millionth. A volley is worked out die by die
for all positions at once from which it may be fired.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .odds_rounds import Counts, Fire, Flags, Ladder, Matrix, Outcomes

NOTHING = 1e-12
Places = npt.NDArray[np.intp]


class Hits:
    """What single dice do to many spreads over the positions of one side; a column is a spread."""

    def __init__(self, ladder: Ladder) -> None:
        self.size = ladder.size
        self._from: dict[int, list[Places]] = {code: _sources(after) for code, after in ladder.steps.items()}

    def die(self, spreads: Matrix, outcomes: Outcomes, first: int) -> Matrix:
        """One more die for every column. Row 0 stands for position `first`; nothing richer comes up."""
        after = np.zeros_like(spreads)
        none = spreads.shape[0] - 1  # the last row is nobody's position and always empty
        for code, chance in outcomes:
            if not code:
                after += chance * spreads
                continue
            for sources in self._from[code]:
                rows = sources[first:] - first
                after[:none] += chance * spreads[np.where(rows < 0, none, rows)]
        return after


def _sources(after: Places) -> list[Places]:
    """For every position one that leads to it, in as many rows as the busiest has; below zero where there is none."""
    rows: list[list[int]] = []
    filled = [0] * len(after)
    for place, target in enumerate(after):
        if filled[target] == len(rows):
            rows.append([-len(after)] * len(after))
        rows[filled[target]][target] = place
        filled[target] += 1
    return [np.array(row) for row in rows]


def sweep(chances: Matrix, fire: Fire, answer: Fire, lost: Flags, won: Flags) -> Matrix:
    """From the chances of all pairs of positions (ours, theirs) to the chances that the battle ends with each."""
    ours, theirs = answer.ladder, fire.ladder
    assert ours is not None
    assert theirs is not None
    on_us, on_them = Hits(ours), Hits(theirs)
    group_of = np.zeros(theirs.size, dtype=np.intp)
    groups = list(fire.groups().items())
    for number, (_, places) in enumerate(groups):
        group_of[places] = number
    standing = np.array(theirs.counts)
    ends = np.zeros_like(chances)
    for here, counts in enumerate(ours.counts):
        live: Places = np.nonzero(chances[here] > NOTHING)[0]
        if not len(live):
            continue
        first = int(live[0])
        known: list[Places] = []
        after_us: list[Matrix] = []
        after_them: list[Matrix] = []
        found = np.zeros(theirs.size, dtype=np.bool_)
        now = chances[here].copy()
        while len(live):  # while we stay, they go from position to position
            found[live] = True
            known.append(live)
            after_us.append(_on_us(on_us, answer, here, standing[live]))
            after_them.append(_on_them(on_them, fire, counts, live, first, group_of, groups))
            stays = np.where(won[live] | lost[here], 0.0, after_us[-1][:, 0])
            now[first:] += (now[live] * stays) @ after_them[-1]
            live = np.nonzero((now > NOTHING) & ~found)[0]
        places, us, them = np.concatenate(known), np.concatenate(after_us), np.concatenate(after_them)
        own = them[np.arange(len(places)), places - first]
        over = won[places] | lost[here] | (us[:, 0] * own > 1 - 1e-12)  # or nobody can hit anybody
        stays = np.where(over, 0.0, us[:, 0])
        among = them[:, places - first]
        often = np.linalg.solve((np.eye(len(places)) - stays[:, None] * among).T, chances[here, places])
        ends[here, places] = np.where(over, often, 0.0)
        goes = us[:, 1:] * np.where(over, 0.0, often)[:, None]
        rows, columns = np.nonzero(goes.max(0) > 0)[0], np.nonzero(them.max(0) > 0)[0]
        chances[np.ix_(here + 1 + rows, first + columns)] += goes[:, rows].T @ them[:, columns]
    return ends


def _on_us(hits: Hits, answer: Fire, here: int, standing: npt.NDArray[np.int64]) -> Matrix:
    """What the volleys of several of their positions make of one of ours: a row for each, from our position on."""
    ladder = answer.ladder
    assert ladder is not None
    counts = ladder.counts[here]
    spreads = np.zeros((ladder.size - here + 1, len(standing)))
    spreads[0] = 1.0
    mask = answer.mask(counts)
    for kind in range(standing.shape[1] if mask else 0):
        for outcomes, dice in answer.kinds(kind, counts, False, mask).items():
            number = standing[:, kind] * dice
            for thrown in range(int(number.max(initial=0))):
                spreads = np.where(number > thrown, hits.die(spreads, outcomes, here), spreads)
    return spreads[:-1].T


def _on_them(
    hits: Hits, fire: Fire, counts: Counts, live: Places, first: int, group_of: Places,
    groups: list[tuple[int, Places]],
) -> Matrix:  # fmt: skip
    """What our volley makes of several of their positions: a row for each, from the richest of them on."""
    ladder = fire.ladder
    assert ladder is not None
    made = np.zeros((len(live), ladder.size - first))
    for number in np.unique(group_of[live]):
        mask, places = groups[number]
        chosen = np.nonzero(group_of[live] == number)[0]
        spreads = np.zeros((ladder.size - first + 1, len(chosen)))
        spreads[live[chosen] - first, np.arange(len(chosen))] = 1.0
        for outcomes, dice in fire.dice_of(counts, ladder.counts[places[0]], False, mask) if mask else ():
            for _ in range(dice):
                spreads = hits.die(spreads, outcomes, first)
        made[chosen] = spreads[:-1].T
    return made
