"""Learn to play one side of a scenario from nothing, on one core: policy gradient with PyTorch.

    pip install 'sandtable[rl]' torch
    python examples/learn.py hitlers-war barbarossa --side axis

A small network gives each candidate a score, and the next choice is drawn by these scores. What it is shown of a
candidate is its verb, the numbers in its fields, and the rows of the spaces and units that it names. After every batch
of matches the choices that were followed by more reward than usual become likelier. Rewards are the result of the match
and the shaping of the environment: a beginner wins nothing that it could learn from.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from sandtable.env import Environment, Solo

_ONE_HOT = 12
"""Indices of up to so many things become that many numbers; larger ones (which space, which unit) are left out."""


class Encoder:
    """Candidates as rows of numbers, from what the schema says of the observation."""

    def __init__(self, env: Environment) -> None:
        self.tables = env.schema.tables
        self.verbs = 1 + len(env.verbs)
        self.fields = (env.observation_space("")["candidates"].shape[1] - 1) // 2  # type: ignore[index]
        sizes = [self._row(table, np.zeros((1, table.places), np.int32)).shape[1] for table in self.tables]
        self.starts = np.cumsum([self.verbs + self.fields, *sizes])
        self.width = int(self.starts[-1])

    def _row(self, table: Any, rows: Any) -> Any:
        """Rows of a table with one-hot columns for small indices and the logarithm of quantities."""
        parts, place = [], 0
        for column in table.columns:
            block = rows[:, place : place + column.places]
            if column.kind in ("index", "holders"):
                if column.size <= _ONE_HOT and column.places == 1:
                    parts.append(np.eye(column.size, dtype=np.float32)[block[:, 0]])
            else:
                parts.append((np.sign(block) * np.log1p(np.abs(block))).astype(np.float32))
            place += column.places
        return np.concatenate([np.zeros((len(rows), 0), np.float32), *parts], axis=1)

    def __call__(self, seen: dict[str, Any]) -> Any:
        """A row for each candidate of an observation."""
        rows = seen["candidates"][seen["action_mask"] > 0]
        out = np.zeros((len(rows), self.width), np.float32)
        out[np.arange(len(rows)), rows[:, 0]] = 1
        numbers = rows[:, 2::2]
        out[:, self.verbs : self.verbs + self.fields] = np.sign(numbers) * np.log1p(np.abs(numbers))
        for place, table in enumerate(self.tables):
            first, last = self.starts[place], self.starts[place + 1]
            for field in range(self.fields):
                things = rows[:, 1 + 2 * field] - table.first
                here = np.flatnonzero((things >= 0) & (things < len(table)))
                if len(here):
                    out[here, first:last] += self._row(table, seen[table.name][things[here]])
        return out


def play(env: Solo, encoder: Encoder, policy: nn.Module | None, seed: int, rng: Any) -> tuple[float, list[Any]]:
    """A match: what the learner has of it (1 won, 0 lost, 0.5 drawn), and its choices with their rewards."""
    seen, _ = env.reset(seed=seed)
    taken, over = [], False
    while not over:
        rows = encoder(seen)
        if policy is None:
            choice = int(rng.integers(len(rows)))
        else:
            with torch.no_grad():
                scores = policy(torch.from_numpy(rows)).numpy()[:, 0]
            choice = int(np.argmax(scores + rng.gumbel(size=len(scores))))
        seen, reward, ended, cut, _ = env.step(choice)
        taken.append((rows, choice, reward))
        over = ended or cut
    winners = env.inner.outcome.winners if env.inner.outcome else ()
    return (float(env.roles[0] in winners) if winners else 0.5), taken


def learn(policy: nn.Module, optimizer: Any, batch: list[list[Any]], discount: float) -> None:
    """One step uphill: choices with more reward after them than usual become likelier."""
    followed: list[float] = []
    for taken in batch:
        total, sums = 0.0, []
        for _, _, reward in reversed(taken):
            total = reward + discount * total
            sums.append(total)
        followed += sums[::-1]
    worth = torch.tensor(followed)
    worth = (worth - worth.mean()) / (worth.std() + 1e-6)
    flat = [entry for taken in batch for entry in taken]
    counts = [len(rows) for rows, _, _ in flat]
    scores = policy(torch.from_numpy(np.concatenate([rows for rows, _, _ in flat])))[:, 0].split(counts)
    chances = [torch.log_softmax(part, 0) for part in scores]
    chosen = torch.stack([part[choice] for part, (_, choice, _) in zip(chances, flat, strict=True)])
    spread = torch.stack([-(part.exp() * part).sum() for part in chances])
    loss = -(chosen * worth).mean() - 0.01 * spread.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("scenario")
    parser.add_argument("--side", default="", help="who learns; the first role where it is not said")
    parser.add_argument("--turns", type=int, default=0, help="end matches after so many turns")
    parser.add_argument("--minutes", type=float, default=25.0, help="of processor time to learn")
    parser.add_argument("--batch", type=int, default=8, help="matches of one step")
    parser.add_argument("--every", type=float, default=2.5, help="judge after so many minutes")
    parser.add_argument("--judged", type=int, default=40, help="matches that judge")
    parser.add_argument("--choices", type=int, default=16)
    parser.add_argument("--shaping", type=float, default=10.0)
    parser.add_argument("--discount", type=float, default=0.95)
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--curve", type=Path, help="write the curve to this file")
    words = parser.parse_args()
    torch.manual_seed(words.seed)
    torch.set_num_threads(1)
    how: dict[str, Any] = {"side": words.side, "turns": words.turns, "choices": words.choices, "most_decisions": 4000}
    train = Solo(words.game, words.scenario, shaping=words.shaping, **how)
    judges = {level: Solo(words.game, words.scenario, against=level, **how) for level in ("recruit", "captain")}
    encoder, rng = Encoder(train.inner), np.random.default_rng(words.seed)
    policy = nn.Sequential(nn.Linear(encoder.width, 64), nn.ReLU(), nn.Linear(64, 1))
    optimizer = torch.optim.Adam(policy.parameters(), words.rate)
    curve: list[tuple[int, str, str, str, str]] = []
    matches, spent, due = 0, 0.0, 0.0

    def note(level: str, model: nn.Module | None) -> None:
        """Judge the policy as it is now, with seeds that it does not learn from. That is not time of learning."""
        env, ours, won = judges[level], np.random.default_rng(0), []
        stands = []
        for number in range(words.judged):
            won.append(play(env, encoder, model, 1_000_000 + number, ours)[0])
            stands.append(env.inner.potentials()[env.roles[0]])
        part, stand = float(np.mean(won)), float(np.mean(stands))
        curve.append((matches, f"{spent / 60:.2f}", level, f"{part:.3f}", f"{stand:.3f}"))
        print(
            f"{matches} matches, {spent / 60:.1f} minutes: {part:.0%} against {level}, stands at {stand:+.3f}",
            flush=True,
        )
        if words.curve:
            with words.curve.open("w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows([("matches", "cpu_minutes", "against", "share", "stands"), *curve])

    note("recruit", None)
    while spent < 60 * words.minutes:
        began = time.process_time()
        batch = [play(train, encoder, policy, matches + number, rng)[1] for number in range(words.batch)]
        learn(policy, optimizer, batch, words.discount)
        matches += words.batch
        spent += time.process_time() - began
        if spent >= due:
            due += 60 * words.every
            note("recruit", policy)
    note("recruit", policy)
    note("captain", policy)


if __name__ == "__main__":
    main()
