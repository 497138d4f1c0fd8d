"""Learning the judgement of a game from its matches, and telling how good it is.

A fifth of the matches is held out: nothing of the model is made from them, and the figures are theirs. Of the others,
five parts by match take turns: each is judged by what the other four teach. These judgements decide how steady the
regression is, how many trees there are and how the scores are calibrated. Then all is made once more from all parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np

from sandtable.core import Game, Play, SandtableError, SealedDice
from sandtable.lab.boosting import Array, Data, Settings, answer, auc, boost, log_loss, regress, ridge, softmax
from sandtable.lab.selfplay import Bout, Told, unpack
from sandtable.players.judgement import FARTHEST, Model, features, shares

FOLDS = 5
HELD_OUT = 5
"""Every so many-th match is held out."""
_FEW = 20
"""With fewer matches nothing can be learned and checked."""
_MOST_WEIGHT = 3.0
"""The wins of a party that seldom wins count at most so many times."""
_PENALTIES = (1000.0, 300.0, 100.0, 30.0, 10.0, 3.0)
"""What the regression is tried with, the steadiest first."""
_ROUGH = 20.0
"""Hand-made log odds beyond this are as good as certain."""


class Figures(msgspec.Struct):
    """How good a judgement is on matches that it was not made from."""

    log_loss: float
    plain: float
    """The same with every match counted once, however often its side wins."""
    auc: float
    """Of the first party."""
    reliability: list[tuple[float, float, int]]
    """(chance given, share that won, positions) by tenths."""


class Learned(msgspec.Struct):
    """A model, and what is to be said about it."""

    model: Model
    matches: int
    held_out: int
    positions: int
    wins: dict[str, float]
    learned: Figures
    by_hand: Figures
    nothing: float
    """The log loss of who only knows how often each party wins."""
    folds_learned: Figures
    folds_by_hand: Figures
    """The same over the parts that took turns: four times as many matches, each judged by what was made without it."""


def learn(
    game: Game[Any],
    played: Sequence[tuple[Bout, Told]],
    made_by: str,
    *,
    settings: Settings = Settings(),  # noqa: B008 (frozen)
    seed: int = 0,
    told: Callable[[int, int], object] = lambda done, of: None,
) -> Learned:
    """The model that the matches teach."""
    if len(played) < _FEW:
        raise SandtableError(f"{len(played)} matches are too few to learn from: at least {_FEW}")
    parties, names, data, wins = table(game, played)
    if sum(share > 0 for share in wins.values()) < 2:
        raise SandtableError(f"in all {len(played)} matches the same side won: there is nothing to learn from")
    out = data.match % HELD_OUT == HELD_OUT - 1
    known, unseen = data.where(~out), data.where(out)
    known.weight, unseen.weight = balance(known), balance(unseen)

    # judged by what was made without the match: how steady, how many trees, and how far to be believed?
    columns, columns_unseen = (_hand(part, len(game.scenarios)) for part in (known, unseen))
    fold = np.searchsorted(np.unique(known.match), known.match) % FOLDS
    parts = [fold == part for part in range(FOLDS)]
    scale = spread(known.x)
    used = np.flatnonzero(scale[:, 1] > 0)
    scale = np.round(scale[used], 4)
    known.x, unseen.x = known.x[:, used], unseen.x[:, used]
    z = count(known.x, scale)
    steady, begun = _steady(z, known, parts)
    by_hand = np.zeros(begun.shape)
    course = np.zeros((settings.rounds + 1, *begun.shape))
    for part, there in enumerate(parts):
        rest = known.where(~there)
        by_hand[there] = columns[there] @ regress(columns[~there], rest)
        scores = begun[there]
        course[0, there] = scores
        own = _linear(z[~there], ridge(z[~there], rest, steady))
        for number, tree in enumerate(boost(rest, settings, seed, own), 1):
            scores[:, 1:] += answer(tree, known.x[there])
            course[number, there] = scores
            told(part * settings.rounds + number, (FOLDS + 1) * settings.rounds)
    best = int(np.argmin([log_loss(softmax(scores, known.plays), known) for scores in course]))
    calibration = _calibration(course[best])
    belief = regress(calibration, known)

    weights = np.round(ridge(z, known, steady), 4)
    grown = tuple(boost(known, msgspec.structs.replace(settings, rounds=best), seed, _linear(z, weights)))
    told((FOLDS + 1) * settings.rounds, (FOLDS + 1) * settings.rounds)
    model = Model(
        made_by=made_by,
        rules_version=game.rules_version,
        matches=len(np.unique(known.match)),
        parties=tuple(parties),
        features=tuple(names[feature] for feature in used),
        scale=tuple((float(mean), float(width)) for mean, width in scale),
        first=tuple(float(row[0]) for row in weights),
        weights=tuple(tuple(float(value) for value in row[1:]) for row in weights),
        trees=grown,
        slope=round(max(0.0, float(belief[0])), 4),
        shift=tuple(round(float(value), 4) for value in belief[1:]),
    )
    hand, guess = regress(columns, known), regress(columns[:, :, 1:], known)
    return Learned(
        model=model,
        matches=len(played),
        held_out=len(np.unique(unseen.match)),
        positions=len(data.x),
        wins=wins,
        learned=figures(judge(model, unseen), unseen),
        by_hand=figures(softmax(columns_unseen @ hand, unseen.plays), unseen),
        nothing=log_loss(softmax(columns_unseen[:, :, 1:] @ guess, unseen.plays), unseen),
        folds_learned=figures(softmax(calibration @ belief, known.plays), known),
        folds_by_hand=figures(softmax(by_hand, known.plays), known),
    )


def table(game: Game[Any], played: Sequence[tuple[Bout, Told]]) -> tuple[list[str], list[str], Data, dict[str, float]]:
    """Every position with its features: parties, names of features, the data, and what each party won."""
    judge = game.judge()
    rows: list[tuple[dict[str, float], dict[str, float], dict[str, float], int, str]] = []
    parties: dict[str, None] = {}
    names: dict[str, None] = {}
    wins: dict[str, float] = {}
    for bout, record in played:
        last: dict[str, float] = {}
        for text in record.positions:
            m = Play(game, unpack(game, text), SealedDice(""))
            together = judge.parties(game, m.state)
            last = dict(zip(together, shares(together, record.winners), strict=True))
            worth = {name: judge.worth(m, roles[0]) for name, roles in together.items()}
            found = features(m)
            parties |= dict.fromkeys(together)
            names |= dict.fromkeys(found)
            rows.append((found, last, worth, bout.number, bout.scenario))
        for name, share in last.items():
            wins[name] = wins.get(name, 0.0) + share
    order, columns = list(parties), sorted(names)
    scenarios = {name: place for place, name in enumerate(game.scenarios)}
    data = Data(
        x=np.array([[found.get(name, 0.0) for name in columns] for found, *_ in rows]),
        y=np.array([[had.get(name, 0.0) for name in order] for _, had, *_ in rows]),
        plays=np.array([[name in had for name in order] for _, had, *_ in rows]),
        weight=np.ones(len(rows)),
        match=np.array([number for *_, number, _ in rows]),
        by_hand=np.array([[worth.get(name, 0.0) for name in order] for _, _, worth, *_ in rows]),
        scenario=np.array([scenarios[scenario] for *_, scenario in rows]),
    )
    return order, columns, data, wins


def balance(data: Data) -> Array:
    """Weights by which in each scenario every party's won matches count the same; 1 on average."""
    weight = np.ones(len(data.x))
    for scenario in np.unique(data.scenario):
        here = data.scenario == scenario
        won = data.y[here].sum(axis=0)
        even = won.sum() / max(1, int((won > 0).sum()))
        factor = np.clip(even / np.maximum(won, 1e-9), 1 / _MOST_WEIGHT, _MOST_WEIGHT)
        weight[here] = data.y[here] @ factor
    return weight * len(weight) / weight.sum()  # type: ignore[no-any-return]


def spread(x: Array) -> Array:
    """The mean of each feature, and its spread; 0 where it never changes."""
    return np.stack([x.mean(axis=0), np.where(np.ptp(x, axis=0) > 0, np.maximum(x.std(axis=0), 0.01), 0.0)], axis=1)


def count(x: Array, scale: Array) -> Array:
    """Features in spreads from their means, after a column of ones."""
    z = np.clip((x - scale[:, 0]) / scale[:, 1], -FARTHEST, FARTHEST)
    return np.concatenate([np.ones((len(x), 1)), z], axis=1)


def _linear(z: Array, weights: Array) -> Array:
    scores = np.zeros((len(z), len(weights) + 1))
    scores[:, 1:] = z @ weights.T
    return scores


def _steady(z: Array, data: Data, parts: Sequence[Array]) -> tuple[float, Array]:
    """The penalty of the regression that judges best what it was not made from, and what it says there."""
    found: list[tuple[float, float, Array]] = []
    begin: list[Array | None] = [None] * len(parts)
    for steady in _PENALTIES:
        scores = np.zeros(data.y.shape)
        for part, there in enumerate(parts):
            weights = begin[part] = ridge(z[~there], data.where(~there), steady, begin[part])
            scores[there] = _linear(z[there], weights)
        found.append((log_loss(softmax(scores, data.plays), data), steady, scores))
    _, steady, scores = min(found, key=lambda one: one[0])
    return steady, scores


def judge(model: Model, data: Data) -> Array:
    """The model's chances, by numpy."""
    weights = np.concatenate([np.array(model.first)[:, None], np.array(model.weights)], axis=1)
    scores = _linear(count(data.x, np.array(model.scale)), weights)
    for tree in model.trees:
        scores[:, 1:] += answer(tree, data.x)
    scores[:, 1:] = model.slope * scores[:, 1:] + model.shift
    return softmax(scores, data.plays)


def figures(chances: Array, data: Data) -> Figures:
    plain = msgspec.structs.replace(data, weight=np.ones(len(data.x)))
    tenth = np.minimum((chances * 10).astype(int), 9)
    curve = []
    for number in range(10):
        there = (tenth == number) & data.plays
        weight = np.where(there, data.weight[:, None], 0.0)
        if there.any():
            whole = float(weight.sum())
            curve.append(
                (float((chances * weight).sum()) / whole, float((data.y * weight).sum()) / whole, int(there.sum()))
            )
    return Figures(
        log_loss(chances, data), log_loss(chances, plain), auc(chances[:, 0], data.y[:, 0], data.weight), curve
    )


def _calibration(scores: Array) -> Array:
    """Columns for the calibration: the score, and a shift for each party but the first."""
    rows, parties = scores.shape
    design = np.zeros((rows, parties, parties))
    design[:, :, 0] = scores
    for party in range(1, parties):
        design[:, party, party] = 1.0
    return design


def _hand(data: Data, scenarios: int) -> Array:
    """Columns for the hand-made evaluation: what it says, and a shift for each scenario and party but the first."""
    rows, parties = data.y.shape
    design = np.zeros((rows, parties, 1 + scenarios * (parties - 1)))
    design[:, :, 0] = np.clip(data.by_hand, -_ROUGH, _ROUGH)
    for scenario in range(scenarios):
        for party in range(1, parties):
            design[data.scenario == scenario, party, 1 + scenario * (parties - 1) + party - 1] = 1.0
    return design


# ---- the page
def section(game: Game[Any], learned: Learned) -> str:
    """The figures of a game as a section of docs/training.md."""
    model, one, other = learned.model, learned.learned, learned.by_hand
    won = ", ".join(f"{name} {share:g}" for name, share in learned.wins.items())
    made = f"{learned.matches} matches (won: {won}), {learned.positions} positions"
    parts = f"features: {len(model.features)}, trees: {len(model.trees)}"
    folds, turns = learned.folds_learned, learned.folds_by_hand
    rest = learned.matches - learned.held_out
    lines = [
        f"### {game.title}",
        "",
        f"Made by `{model.made_by}`: {made}. The model's {parts}.",
        "",
        "| judged | by | log loss | log loss, each match once | AUC |",
        "| --- | --- | ---: | ---: | ---: |",
        _row(f"{learned.held_out} matches held out", "learned", one),
        _row("", "hand-made evaluation", other),
        f"| | only how often each side wins | {learned.nothing:.3f} | | |",
        _row(f"{rest} matches in five folds", "learned", folds),
        _row("", "hand-made evaluation", turns),
        "",
        "Reliability on all of these matches: of the chances that were given, how many came true.",
        "",
        "| chance given | came true | positions | 0 to 100 % |",
        "| ---: | ---: | ---: | --- |",
    ]
    for given, true, count in _together(one.reliability, folds.reliability):
        lines.append(f"| {given:.0%} | {true:.0%} | {count} | `{_curve(given, true)}` |")
    return "\n".join(lines) + "\n"


def _row(what: str, how: str, found: Figures) -> str:
    return f"| {what} | {how} | {found.log_loss:.3f} | {found.plain:.3f} | {found.auc:.3f} |"


def _together(*curves: Sequence[tuple[float, float, int]]) -> list[tuple[float, float, int]]:
    """Several reliability curves as one, by tenths."""
    tenths: dict[int, list[tuple[float, float, int]]] = {}
    for point in (point for curve in curves for point in curve):
        tenths.setdefault(min(9, int(10 * point[0])), []).append(point)
    made = []
    for _, points in sorted(tenths.items()):
        count = sum(point[2] for point in points)
        made.append((sum(p[0] * p[2] for p in points) / count, sum(p[1] * p[2] for p in points) / count, count))
    return made


def _curve(given: float, true: float) -> str:
    """A line of the reliability curve: '|' is where a calibrated chance would be, '*' what came true."""
    cells = ["."] * 41
    cells[round(40 * given)] = "|"
    cells[round(40 * true)] = "*"
    return "".join(cells)


def merged(page: str, game: str, part: str) -> str:
    """The page with this section in place of its older version, or at the end."""
    begin, end = f"<!-- {game} -->\n", f"<!-- end of {game} -->\n"
    block = f"{begin}{part}{end}"
    if begin in page and end in page:
        return page[: page.index(begin)] + block + page[page.index(end) + len(end) :]
    return page.rstrip("\n") + "\n\n" + block
