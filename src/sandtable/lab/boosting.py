"""The two halves of the learned judgement, in numpy: a ridge regression, and trees that correct it.

Both are a softmax over parties. A few hundred matches are few for trees, and the regression is the better half then;
the trees add what no weighted sum says.

Symmetric trees ask the same question at every node of a level. They are hard to overfit with few matches, compact to
store and quick to evaluate in plain Python, and no library writes them in a form that we could keep. The same input
gives the same trees.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from sandtable.players.judgement import Tree

Array = np.ndarray[Any, np.dtype[Any]]
_TINY = 1e-9


class Data(msgspec.Struct):
    """Positions to learn from, a row each."""

    x: Array
    """Features."""
    y: Array
    """What each party had of the match."""
    plays: Array
    """Whether each party plays in the match."""
    weight: Array
    match: Array
    """The number of the match."""
    by_hand: Array
    """What the hand-made evaluation says for each party."""
    scenario: Array

    def where(self, chosen: Array) -> Data:
        return Data(*(getattr(self, name)[chosen] for name in self.__struct_fields__))


class Settings(msgspec.Struct, frozen=True):
    """How the trees are made."""

    rounds: int = 200
    depth: int = 3
    rate: float = 0.06
    steady: float = 20.0
    """How many positions of doubt are added to every leaf: those of one match are much alike."""
    bins: int = 24
    share: float = 0.5
    """The part of the features, and of the matches, that a tree is made from."""


def softmax(scores: Array, plays: Array) -> Array:
    """Chances; parties that do not play have none."""
    scores = np.where(plays, scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)  # type: ignore[no-any-return]


def log_loss(chances: Array, data: Data) -> float:
    """The mean of -log of the chance that was given to what happened."""
    losses = -(data.y * np.log(np.maximum(chances, 1e-12))).sum(axis=1)
    return float((losses * data.weight).sum() / data.weight.sum())


def thresholds(column: Array, bins: int) -> Array:
    """Where a feature may be cut: between values that occur, about as often on either side of each."""
    values = np.unique(column)
    middles: Array = (values[1:] + values[:-1]) / 2
    if len(middles) <= bins:
        return middles
    wanted = np.quantile(column, np.linspace(0, 1, bins + 2)[1:-1])
    return np.unique(middles[np.clip(np.searchsorted(middles, wanted), 0, len(middles) - 1)])


def boost(data: Data, settings: Settings, seed: int, begun: Array) -> Iterator[Tree]:
    """Trees, one after the other, that each correct the scores that all before it come to; `begun` has the first."""
    rows, parties = data.y.shape
    cuts = [thresholds(column, settings.bins) for column in data.x.T]
    binned = np.stack([np.searchsorted(cut, column, side="left") for cut, column in zip(cuts, data.x.T, strict=True)])
    usable = np.array([feature for feature, cut in enumerate(cuts) if len(cut)], dtype=int)
    width = settings.bins + 2
    matches = np.unique(data.match)
    rng = np.random.default_rng(seed)
    scores = begun.copy()
    for _ in range(settings.rounds if len(usable) else 0):
        chances = softmax(scores, data.plays)
        drawn = rng.choice(matches, max(1, int(np.ceil(settings.share * len(matches)))), replace=False)
        weight = np.where(np.isin(data.match, drawn), data.weight, 0.0)
        slope = ((chances - data.y) * weight[:, None])[:, 1:]
        curve = (chances * (1 - chances) * weight[:, None])[:, 1:]
        features = np.sort(rng.permutation(usable)[: max(1, int(np.ceil(settings.share * len(usable))))])
        leaf = np.zeros(rows, dtype=int)
        asks: list[tuple[int, float]] = []
        for level in range(settings.depth):
            feature, cut = _best(binned, features, leaf, 1 << level, width, slope, curve, settings.steady)
            cut = min(cut, len(cuts[feature]) - 1)
            asks.append((int(feature), float(cuts[feature][cut])))
            leaf += (binned[feature] > cut).astype(int) << level
        leaves = 1 << len(asks)
        values = np.stack(
            [
                -settings.rate * np.bincount(leaf, slope[:, k], leaves)
                / (np.bincount(leaf, curve[:, k], leaves) + settings.steady / 4)
                for k in range(parties - 1)
            ], axis=1,
        )  # fmt: skip
        values = np.round(values, 4)
        scores[:, 1:] += values[leaf]
        yield Tree(tuple(asks), tuple(tuple(float(v) for v in row) for row in values))


def _best(
    binned: Array, features: Array, leaf: Array, leaves: int, width: int, slope: Array, curve: Array, steady: float
) -> tuple[int, int]:
    """The question that tells most over all leaves: (feature, last bin that answers no)."""
    places = (leaf[None, :] + leaves * (binned[features] + width * np.arange(len(features))[:, None])).ravel()
    size = len(features) * width * leaves
    gain = np.zeros((len(features), width))
    for k in range(slope.shape[1]):
        sums = []
        for values in (slope[:, k], curve[:, k]):
            counted = np.bincount(places, np.tile(values, len(features)), size)
            sums.append(counted.reshape(len(features), width, leaves).cumsum(axis=1))
        g, h = sums
        whole_g, whole_h = g[:, -1:, :], h[:, -1:, :]
        quiet = steady / 4
        gain += (g**2 / (h + quiet) + (whole_g - g) ** 2 / (whole_h - h + quiet)).sum(axis=2)
    gain[:, -1] = -np.inf
    feature, cut = np.unravel_index(int(np.argmax(np.round(gain, 9))), gain.shape)
    return int(features[feature]), int(cut)


def answer(tree: Tree, x: Array) -> Array:
    """What a tree adds to the scores of each position."""
    leaf = np.zeros(len(x), dtype=int)
    for level, (feature, cut) in enumerate(tree.asks):
        leaf += (x[:, feature] > cut).astype(int) << level
    return np.array(tree.values)[leaf]


def ridge(z: Array, data: Data, steady: float, begin: Array | None = None) -> Array:
    """Weights of the columns of z for each party but the first; the first column is 1 and free of the penalty."""
    parties, columns = data.y.shape[1], z.shape[1]
    found = np.zeros((parties - 1, columns)) if begin is None else begin.copy()
    penalty = np.full(columns, steady)
    penalty[0] = _TINY
    for _ in range(30):
        scores = np.zeros(data.y.shape)
        scores[:, 1:] = z @ found.T
        chances = softmax(scores, data.plays)[:, 1:]
        slope = ((chances - data.y[:, 1:]) * data.weight[:, None]).T @ z + penalty * found
        curve = np.zeros((parties - 1, columns, parties - 1, columns))
        for one in range(parties - 1):
            for other in range(one + 1):
                bend = data.weight * chances[:, one] * ((one == other) - chances[:, other])
                block = (z * bend[:, None]).T @ z
                curve[one, :, other, :] = block + (np.diag(penalty) if one == other else 0)
                curve[other, :, one, :] = block.T + (np.diag(penalty) if one == other else 0)
        size = (parties - 1) * columns
        square = curve.reshape(size, size) + _TINY * np.eye(size)
        step = np.linalg.solve(square, slope.ravel()).reshape(found.shape)
        step *= min(1.0, 2.0 / max(_TINY, float(np.abs(step).max())))
        found = found - step
        if float(np.abs(step).max()) < 1e-6:
            break
    return found


def regress(design: Array, data: Data, steady: float = 1e-3) -> Array:
    """Softmax regression by Newton's method: the weights of the columns of `design` (position, party, column)."""
    found = np.zeros(design.shape[2])
    for _ in range(50):
        chances = softmax(design @ found, data.plays)
        wrong = (chances - data.y) * data.weight[:, None]
        mean = np.einsum("nk,nkp->np", chances, design)
        slope = np.einsum("nk,nkp->p", wrong, design) + steady * found
        curve = np.einsum("n,nk,nkp,nkq->pq", data.weight, chances, design, design, optimize=True)
        curve = curve - np.einsum("n,np,nq->pq", data.weight, mean, mean, optimize=True)
        step = np.linalg.solve(curve + steady * np.eye(len(found)), slope)
        step *= min(1.0, 5.0 / max(_TINY, float(np.abs(step).max())))
        found = found - step
        if float(np.abs(step).max()) < 1e-8:
            break
    return found


def auc(score: Array, won: Array, weight: Array) -> float:
    """The chance that a position of a won match has a higher score than one of a lost match; a tie counts as half."""
    order = np.argsort(score, kind="stable")
    score, won, weight = score[order], won[order], weight[order]
    _, group = np.unique(score, return_inverse=True)
    good = np.bincount(group, weight * won)
    bad = np.bincount(group, weight * (1 - won))
    below = np.cumsum(bad) - bad
    whole = good.sum() * bad.sum()
    return float((good * (below + bad / 2)).sum() / whole) if whole else 0.5
