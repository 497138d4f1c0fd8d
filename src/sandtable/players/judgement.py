"""The chance to win, as learned from matches between computer players.

`sandtable train` writes the model of a game to its data/judgement.json (docs/training.md). A game without one is judged
by the hand-made evaluation of its `Judge`. Plain Python on purpose: this runs in the page too.

A model is a weighted sum of features, and small trees that correct it. All leaves of a tree ask the same few questions,
so the answers are the bits of a leaf's number. There is a score for every party but the first, whose score is always 0.
The scores are log odds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import exp, fsum
from operator import mul
from pathlib import Path
from typing import Any

import msgspec

from sandtable.core import Game, Match, Play, Role, SandtableError, SealedDice, State

FILE = Path("data") / "judgement.json"
"""Where the model of a game is, in the game's folder."""
FARTHEST = 4.0
_SURE = 30.0
"""Log odds beyond which nothing is worked out."""


class Tree(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Questions and what follows from the answers."""

    asks: tuple[tuple[int, float], ...]
    """(number of a feature, threshold): whether the feature is above it. The first answer is the lowest bit."""
    values: tuple[tuple[float, ...], ...]
    """For each leaf: what it adds to the score of each party but the first."""


class Model(msgspec.Struct, frozen=True):
    """A learned judgement."""

    made_by: str
    """The command that made it."""
    rules_version: int
    matches: int
    """How many matches it was trained on."""
    parties: tuple[str, ...]
    features: tuple[str, ...]
    scale: tuple[tuple[float, float], ...]
    """For each feature its mean and its spread: it is counted in spreads from the mean, at most `FARTHEST`."""
    first: tuple[float, ...]
    """The scores of all parties but the first before anything is counted."""
    weights: tuple[tuple[float, ...], ...]
    """For each of them the weights of the features."""
    trees: tuple[Tree, ...]
    slope: float
    shift: tuple[float, ...]
    """The calibration: a score becomes slope * score + shift."""

    def scores(self, row: Sequence[float]) -> list[float]:
        """The score of every party."""
        counted = [
            max(-FARTHEST, min(FARTHEST, (value - mean) / spread))
            for value, (mean, spread) in zip(row, self.scale, strict=True)
        ]
        totals = [
            first + fsum(map(mul, weights, counted)) for first, weights in zip(self.first, self.weights, strict=True)
        ]
        for asks, values in ((tree.asks, tree.values) for tree in self.trees):
            leaf, bit = 0, 1
            for feature, threshold in asks:
                if row[feature] > threshold:
                    leaf |= bit
                bit += bit
            for place, value in enumerate(values[leaf]):
                totals[place] += value
        return [0.0, *(self.slope * total + shift for total, shift in zip(totals, self.shift, strict=True))]

    def chances(self, found: Mapping[str, float], parties: Sequence[str]) -> list[float]:
        """The chance of each of the parties that play, from the features of a position."""
        scores = self.scores([found.get(name, 0.0) for name in self.features])
        return softmax([scores[self.parties.index(party)] for party in parties])


def softmax(scores: Sequence[float]) -> list[float]:
    top = max(scores)
    powers = [exp(max(-_SURE, score - top)) for score in scores]
    whole = fsum(powers)
    return [power / whole for power in powers]


def chance(where: Match[Any] | Play[Any] | State, role: Role, game: Game[Any] | None = None) -> float:
    """The chance of a role to win, from 0 to 1; a draw counts as an equal share of a win.

    `where` is a match, a play, or a state with its game. The position is taken as known: a player asks this about
    matches that it imagines. The chances of those who win together are one chance, and all of them add up to 1.
    """
    for party, value in chances(where, game).items():
        if role in party:
            return value
    return 0.0


def chances(where: Match[Any] | Play[Any] | State, game: Game[Any] | None = None) -> dict[tuple[Role, ...], float]:
    """The same for all: by the roles that win together."""
    m = _play(where, game)
    whose, state = m.game, m.state
    assert isinstance(whose, Game)
    judge = whose.judge()
    parties = judge.parties(whose, state)
    if state.outcome is not None:
        return dict(zip(parties.values(), shares(parties, state.outcome.winners), strict=True))
    model = load(whose)
    if model is None:
        values = softmax([judge.worth(m, roles[0]) * (len(parties) - 1) / len(parties) for roles in parties.values()])
    else:
        values = model.chances(features(m), list(parties))
    return dict(zip(parties.values(), values, strict=True))


def shares(parties: Mapping[str, Sequence[Role]], winners: Sequence[Role]) -> list[float]:
    """What each party has of a finished match: all of it, an equal part among several winners, or of a draw."""
    won = [any(role in winners for role in roles) for roles in parties.values()]
    return [has / sum(won) for has in won] if any(won) else [1 / len(won)] * len(won)


def features(m: Play[Any]) -> dict[str, float]:
    """What a position shows: the measures and each side's part of them, the gauges, how it would end today, the
    scenario, the ways to play, who is asked, and what the game's own judge adds."""
    game, state = m.game, m.state
    assert isinstance(game, Game)
    judge = game.judge()
    parties = judge.parties(game, state)
    found: dict[str, float] = dict(game.measures(state))
    whole: dict[str, float] = {}
    for name, value in found.items():
        kind = name.partition(".")[0]
        whole[kind] = whole.get(kind, 0.0) + value
    for name, value in list(found.items()):
        total = whole[name.partition(".")[0]]
        found[f"part:{name}"] = value / total if total else 0.0
    standing = game.standing(Play(game, game.codec.clone(state), SealedDice("")))
    for gauge in standing.gauges:
        whose = next((name for name, roles in parties.items() if set(roles) & set(gauge.roles)), "")
        found[f"gauge:{gauge.id}.{whose}"] = gauge.value
        found[f"short:{gauge.id}.{whose}"] = gauge.goal - gauge.value
    if standing.today is not None:
        for name, share in zip(parties, shares(parties, standing.today.winners), strict=True):
            found[f"today:{name}"] = share
    found[f"scenario:{state.scenario}"] = 1.0
    for name, option in state.options.items():
        # Switches are left out: they change little, and with few matches they only tell one match from another.
        choices = game.options[name].choices
        if choices:
            found[f"option:{name}"] = float(choices.index(option))
    asked = m.asked() if state.stack else ()
    for name, roles in parties.items():
        if any(role in asked for role in roles):
            found[f"asked:{name}"] = 1.0
    found.update(judge.features(m))
    return found


def load(game: Game[Any]) -> Model | None:
    """The model of a game; None where there is none."""
    return _read(game.home / FILE)


def write(path: Path, model: Model) -> None:
    """Write a model, a tree a line."""
    text = msgspec.json.encode(model).replace(b"[[[", b"\n[[[").replace(b']],"', b']],\n"')
    path.write_bytes(text + b"\n")
    _read.cache_clear()


@cache
def _read(path: Path) -> Model | None:
    if not path.exists():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=Model)
    except msgspec.DecodeError as error:
        raise SandtableError(f"{path} is no judgement that `sandtable train` wrote: {error}") from None


def _play(where: Match[Any] | Play[Any] | State, game: Game[Any] | None) -> Play[Any]:
    if isinstance(where, Match):
        return where.play
    if isinstance(where, Play):
        return where
    if game is None:
        raise SandtableError("a state does not know its game: chance(state, role, game)")
    return Play(game, where, SealedDice(""))
