"""Learn to play a scenario from nothing, on one core: `python examples/learn.py hitlers-war barbarossa --side axis`.

It needs `pip install 'sandtable[rl]' scikit-learn`. One side learns against a level of computer player. It looks one
action ahead: each candidate is carried out on a copy of the match in which hidden things and dice are drawn anew, and
a ridge regression says what the new position is worth. At first it knows nothing and chooses at random. After every
round of matches the regression is fitted again to all positions that it has chosen so far. What it is fitted to is how
their matches ended: 1 for a victory, -1 for a defeat, and the shaping of the environment (the side's part of strength,
industry and so on, from -1 to 1), since a beginner wins nothing that it could learn from. The features are those of
`sandtable.players.judgement`; what was learned there is not used.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sandtable.env import Solo
from sandtable.players.judgement import features

Rows = list[dict[str, float]]


def choose(env: Solo, model: Any, rng: Random, explore: float) -> tuple[int, dict[str, float]]:
    """The number of the candidate whose next position looks best, and that position."""
    inner = env.inner
    role, found = inner.agent_selection, inner.candidates()
    numbers = range(len(found)) if model is not None and rng.random() >= explore else [rng.randrange(len(found))]
    seen: Rows = []
    for number in numbers:
        copy = inner.match.determinize(role, rng)
        copy.apply(role, found[number])
        seen.append(features(copy.play))
    best = int(np.argmax(model.predict(seen))) if len(seen) > 1 else 0
    return numbers[best], seen[best]


def play(env: Solo, seed: int, model: Any, explore: float) -> tuple[float, float, Rows]:
    """A match: what the learner has of it (1 won, 0 lost, 0.5 drawn), its worth, and the positions that were chosen."""
    rng, rows, over, reward = Random(seed), [], False, 0.0
    env.reset(seed=seed)
    while not over:
        number, row = choose(env, model, rng, explore)
        rows.append(row)
        _, reward, ended, cut, _ = env.step(number)
        over = ended or cut
    return (1 + float(np.sign(reward))) / 2, reward + env.inner.potentials()[env.roles[0]], rows


def share(env: Solo, model: Any, matches: int) -> float:
    """What the learner takes of so many matches with seeds that it does not learn from."""
    return sum(play(env, 1_000_000 + number, model, 0.0)[0] for number in range(matches)) / matches


def fitted(rows: Rows, worth: list[float]) -> Any:
    return make_pipeline(DictVectorizer(sparse=False), StandardScaler(), Ridge(alpha=100.0)).fit(rows, worth)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("scenario")
    parser.add_argument("--side", default="", help="who learns; the first role where it is not said")
    parser.add_argument("--turns", type=int, default=0, help="end matches after so many turns")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--matches", type=int, default=20, help="of one round")
    parser.add_argument("--judged", type=int, default=20, help="matches that judge a round")
    parser.add_argument("--choices", type=int, default=8)
    parser.add_argument("--explore", type=float, default=0.2)
    parser.add_argument("--curve", type=Path, help="write the curve to this file")
    words = parser.parse_args()
    how: dict[str, Any] = {"side": words.side, "turns": words.turns, "choices": words.choices, "most_decisions": 4000}
    recruit, captain = (Solo(words.game, words.scenario, against=level, **how) for level in ("recruit", "captain"))
    rows: Rows = []
    worth: list[float] = []
    model = None
    curve: list[tuple[int, str, str, str]] = []
    spent = 0.0

    def note(env: Solo, matches: int) -> None:
        """Judge the model as it is now. The time of that is not time of learning."""
        found = share(env, model, words.judged)
        curve.append((matches, f"{spent / 60:.2f}", env.against, f"{found:.3f}"))
        print(f"{matches} matches, {spent / 60:.1f} minutes: {found:.0%} against {env.against}", flush=True)

    note(recruit, 0)
    for number in range(words.rounds):
        began = time.process_time()
        for seed in range(number * words.matches, (number + 1) * words.matches):
            _, value, chosen = play(recruit, seed, model, words.explore)
            rows += chosen
            worth += [value] * len(chosen)
        model = fitted(rows, worth)
        spent += time.process_time() - began
        note(recruit, (number + 1) * words.matches)
    note(captain, words.rounds * words.matches)
    if words.curve:
        with words.curve.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("matches", "cpu_minutes", "against", "share"), *curve])


if __name__ == "__main__":
    main()
