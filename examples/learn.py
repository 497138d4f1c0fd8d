"""Learn to play one side of a scenario from nothing, on one core: proximal policy optimization (PPO) with PyTorch.

    pip install 'sandtable[rl]' torch
    python examples/learn.py hitlers-war campaign-2 --side axis --every 0.5

A network gives each candidate a score and each position a value, and the next choice is drawn by the scores. Several
matches against the recruit go on at once. After every so many choices, those that led to more than their position was
worth become likelier. A reward is the result of a match, and on the way how far the conditions of victory have come.
"""

from __future__ import annotations

import argparse
import csv
import math
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from sandtable.env import Solo

_ONE_HOT = 40
"""Indices of up to so many things become that many numbers; larger ones (which space, which unit) are left out."""


def numbers(table: Any, rows: Any) -> Any:
    """Rows of a table with one-hot columns for small indices and the logarithm of quantities."""
    parts, place = [np.zeros((len(rows), 0), np.float32)], 0
    for column in table.columns:
        block = rows[:, place : place + column.places]
        if column.kind not in ("index", "holders"):
            parts.append((np.sign(block) * np.log1p(np.abs(block))).astype(np.float32))
        elif column.size <= _ONE_HOT and column.places == 1:
            parts.append(np.eye(column.size, dtype=np.float32)[block[:, 0]])
        place += column.places
    return np.concatenate(parts, axis=1)


def location(table: Any, spaces: Any) -> tuple[int, int] | None:
    """The column that says in which space a thing is, and the value of the first space."""
    place = 0
    for column in table.columns:
        if column.kind == "index" and not column.fixed and column.size + column.least == len(spaces):
            return place, -column.least
        place += column.places
    return None


class Sight:
    """What a learner sees of one match, as numbers; brought up to date with what has changed."""

    def __init__(self, env: Solo) -> None:
        inner = env.inner
        self.schema, self.verbs = inner.schema, 1 + len(inner.verbs)
        self.tables, spaces = self.schema.tables, self.schema.tables[0]
        self.fields = (env.observation_space["candidates"].shape[1] - 1) // 2  # type: ignore[index]
        self.roles, self.steps = len(inner.possible_agents), 1 + len(inner.game.steps)
        self.raw = [np.zeros((len(table), table.places), np.int32) for table in self.tables]
        self.coded = [numbers(table, raw) for table, raw in zip(self.tables, self.raw, strict=True)]
        self.totals = [coded.sum(axis=0) for coded in self.coded]
        self.where = [location(table, spaces) for table in self.tables]
        self.at = [np.full(len(table), len(spaces)) for table in self.tables]
        """In which space each thing is; the one after the last is nowhere."""
        widths = [coded.shape[1] for coded in self.coded]
        self.starts = np.cumsum([self.verbs + self.fields, *widths])
        there = [width if place else 0 for width, place in zip(widths, self.where, strict=True)]
        self.there = np.cumsum([0, *there])
        self.stacks = np.zeros((len(spaces) + 1, self.there[-1]), np.float32)
        """For each space the sum of all that is in it."""
        self.width = int(self.starts[-1] + 2 * self.there[-1])
        self.context = self.roles + self.steps + sum(widths) + numbers(self.schema.match, np.zeros(
            (1, self.schema.match.places), np.int32)).shape[1]  # fmt: skip

    def update(self, seen: dict[str, Any]) -> None:
        for number, table in enumerate(self.tables):
            raw, coded, array = self.raw[number], self.coded[number], seen[table.name]
            changed = np.flatnonzero((raw != array).any(axis=1))
            if not len(changed):
                continue
            new = numbers(table, array[changed])
            self.totals[number] += (new - coded[changed]).sum(axis=0)
            found = self.where[number]
            if found:
                place, first = found
                block = self.stacks[:, self.there[number] : self.there[number + 1]]
                now = array[changed, place] - first
                now[now < 0] = len(block) - 1
                np.subtract.at(block, self.at[number][changed], coded[changed])
                np.add.at(block, now, new)
                self.at[number][changed] = now
            raw[changed], coded[changed] = array[changed], new

    def __call__(self, seen: dict[str, Any]) -> tuple[Any, Any, Any, Any]:
        """Candidates as rows of numbers, the things they name, which there are, and the position as a whole."""
        self.update(seen)
        mask = seen["action_mask"] > 0
        rows = seen["candidates"]
        count = int(mask.sum())
        out = np.zeros((len(rows), self.width), np.float32)
        out[np.arange(count), rows[:count, 0]] = 1
        quantity = rows[:, 2::2]
        out[:, self.verbs : self.verbs + self.fields] = np.sign(quantity) * np.log1p(np.abs(quantity))
        end = self.starts[-1]
        for field in range(self.fields):
            things = rows[:count, 1 + 2 * field]
            if not things.any():
                continue
            for number, table in enumerate(self.tables):
                here = np.flatnonzero((things >= table.first) & (things < table.first + len(table)))
                if not len(here):
                    continue
                named = things[here] - table.first
                out[here, self.starts[number] : self.starts[number + 1]] += self.coded[number][named]
                if number == 0:
                    out[here, end : end + self.there[-1]] += self.stacks[named]
                elif self.where[number]:
                    out[here, end + self.there[-1] :] += self.stacks[self.at[number][named]]
        things = rows[:, 1::2] + np.where(rows[:, 1::2] > 0, np.arange(self.fields) * self.schema.things, 0)
        match = seen["match"]
        context = np.concatenate([
            np.eye(self.roles, dtype=np.float32)[match[0]],
            np.eye(self.steps, dtype=np.float32)[match[2]],
            numbers(self.schema.match, match[None, 3:])[0],
            *(np.sign(total) * np.log1p(np.abs(total)) for total in self.totals),
        ])  # fmt: skip
        return out, things, mask, context


class Policy(nn.Module):
    """Scores of candidates and the value of the position."""

    def __init__(self, sight: Sight, hidden: int) -> None:
        super().__init__()
        self.rows = nn.Linear(sight.width, hidden)
        self.things = nn.Embedding(1 + sight.fields * sight.schema.things, hidden, padding_idx=0)
        nn.init.normal_(self.things.weight, std=0.05)
        self.context = nn.Linear(sight.context, hidden)
        self.score = nn.Sequential(nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))
        self.value = nn.Sequential(nn.Linear(sight.context, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def forward(self, rows: Any, things: Any, mask: Any, context: Any) -> tuple[Any, Any]:
        """The logarithm of each candidate's chance, and the value."""
        hidden = self.rows(rows) + self.things(things).sum(-2) + self.context(context).unsqueeze(-2)
        scores = self.score(hidden)[..., 0].masked_fill(~mask, -1e9)
        return torch.log_softmax(scores, -1), self.value(context)[..., 0]


class Place:
    """One of the matches that go on at once."""

    def __init__(self, env: Solo, gauges: float) -> None:
        self.env, self.gauges = env, gauges
        self.sight = Sight(self.env)

    def begin(self, seed: int) -> None:
        self.seen, _ = self.env.reset(seed=seed)
        self.progress = self.victory() if self.gauges else 0.0

    def step(self, choice: int) -> tuple[float, bool]:
        """What the choice brings, and whether the match is over."""
        seen, reward, ended, cut, _ = self.env.step(choice)
        if self.gauges and (ended or cut or seen["match"][2] != self.seen["match"][2]):  # another step of the turn
            before, self.progress = self.progress, self.victory()
            reward += self.gauges * (self.progress - before)
        self.seen = seen
        return reward, ended or cut

    def victory(self) -> float:
        """How far the learner's conditions of victory have come, less how far those of the others have."""
        mine, theirs = [0.0], [0.0]
        for gauge in self.env.inner.match.standing(self.env.roles[0]).gauges:
            way = gauge.goal - gauge.value if gauge.most else gauge.value
            part = way / max(abs(gauge.goal), 1)
            (mine if self.env.roles[0] in gauge.roles else theirs).append(part / (1 + abs(part)))
        return sum(mine) / max(1, len(mine) - 1) - sum(theirs) / max(1, len(theirs) - 1)

    def result(self) -> float:
        """1 won, 0.5 drawn, 0 lost."""
        winners = self.env.inner.outcome.winners if self.env.inner.outcome else ()
        return float(self.env.roles[0] in winners) if winners else 0.5


def look(policy: Policy, places: list[Place], rng: Any) -> tuple[list[Any], Any, Any, Any]:
    """What is seen in all places, the choices drawn, their chances and the values."""
    sights = [place.sight(place.seen) for place in places]
    seen = [torch.from_numpy(np.stack(part)) for part in zip(*sights, strict=True)]
    with torch.no_grad():
        chances, values = policy(*seen)
    choices = (chances + torch.from_numpy(rng.gumbel(size=chances.shape).astype(np.float32))).argmax(-1)
    return seen, choices, chances.gather(-1, choices[:, None])[:, 0], values


def judge(policy: Policy | None, places: list[Place], seeds: range) -> list[float]:
    """The results of matches with these seeds; without a policy choices are drawn at random."""
    rng, left, results = np.random.default_rng(0), list(seeds), []
    going = []
    for place in places:
        if left:
            place.begin(left.pop())
            going.append(place)
    while going:
        if policy is None:
            choices = [rng.integers(place.seen["action_mask"].sum()) for place in going]
        else:
            choices = look(policy, going, rng)[1].tolist()
        for place, choice in zip(tuple(going), choices, strict=True):
            if place.step(int(choice))[1]:
                results.append(place.result())
                if left:
                    place.begin(left.pop())
                else:
                    going.remove(place)
    return results


def learn(policy: Policy, optimizer: Any, batch: Any, words: Any) -> None:
    """Make choices likelier that brought more than their position was worth, but not too much at once."""
    seen, choices, before, gains, returns = batch
    gains = (gains - gains.mean()) / (gains.std() + 1e-6)
    for _ in range(words.epochs):
        for part in torch.randperm(len(choices)).split(256):
            chances, values = policy(*(tensor[part] for tensor in seen))
            ratio = (chances.gather(-1, choices[part, None])[:, 0] - before[part]).exp()
            gain = gains[part]
            spread = -(chances.exp() * chances).sum(-1).mean()
            loss = -torch.min(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean()
            loss = loss + 0.5 * (values - returns[part]).square().mean() - words.entropy * spread
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
        if (before[part] - chances.detach().gather(-1, choices[part, None])[:, 0]).mean() > 0.05:
            break


def collect(
    policy: Policy, places: list[Place], steps: int, words: Any, rng: Any, ended: Callable[[Place], None]
) -> Any:
    """Play on for some steps: what was seen and chosen, and how much more it brought than the values said (GAE)."""
    looks, rewards, overs, gains = [], [], [], []
    for _ in range(steps):
        looks.append(look(policy, places, rng))
        got = [place.step(choice) for place, choice in zip(places, looks[-1][1].tolist(), strict=True)]
        for place, (_, over) in zip(places, got, strict=True):
            if over:
                ended(place)
        rewards.append(torch.tensor([reward for reward, _ in got], dtype=torch.float32))
        overs.append(torch.tensor([over for _, over in got]))
    after, gain = look(policy, places, rng)[3], torch.zeros(len(places))
    for (_, _, _, values), reward, over in zip(looks[::-1], rewards[::-1], overs[::-1], strict=True):
        going = (~over).float() * words.discount
        gain = reward + going * (after + words.trace * gain) - values
        gains.append(gain)
        after = values
    seen = [torch.cat(part) for part in zip(*(entry[0] for entry in looks), strict=True)]
    choices, chances, values = (torch.cat([entry[at] for entry in looks]) for at in (1, 2, 3))
    gained = torch.cat(gains[::-1])
    return seen, choices, chances, gained, gained + values


def wilson(won: int, count: int) -> str:
    """The share that was won, and the interval that holds the true one 19 times of 20."""
    z, share = 1.96, won / count
    middle, half = share + z * z / 2 / count, z * math.sqrt(share * (1 - share) / count + z * z / 4 / count**2)
    low, high = max(0.0, middle - half) / (1 + z * z / count), (middle + half) / (1 + z * z / count)
    return f"{share:.0%}, {low:.0%} to {high:.0%}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("scenario", nargs="?")
    parser.add_argument("--position", help="a prepared position instead of a scenario: training/moscow")
    parser.add_argument("--side", default="", help="who learns; the first role where it is not said")
    parser.add_argument("--turns", type=int, default=0, help="end matches after so many turns")
    parser.add_argument("--minutes", type=float, default=30.0, help="of processor time to learn, at most")
    parser.add_argument("--goal", type=float, default=0.8, help="stop when this share of the judged matches is won")
    parser.add_argument("--judged", type=int, default=100, help="matches that judge")
    parser.add_argument("--fewer", type=int, default=40, help="matches that judge random choices, and against captain")
    parser.add_argument("--every", type=float, default=1.0, help="a point of the curve after so many minutes")
    parser.add_argument("--places", type=int, default=8, help="matches at once")
    parser.add_argument("--batch", type=int, default=2048, help="choices to learn from at once")
    parser.add_argument("--epochs", type=int, default=8, help="how often they are gone through")
    parser.add_argument("--choices", type=int, default=16, help="candidates of a decision")
    parser.add_argument("--hidden", type=int, default=64, help="size of the network's layers")
    parser.add_argument("--shaping", type=float, default=0.0, help="weight of the environment's shaping")
    parser.add_argument("--gauges", type=float, default=5.0, help="weight of the conditions of victory")
    parser.add_argument("--discount", type=float, default=0.995)
    parser.add_argument("--trace", type=float, default=0.95)
    parser.add_argument("--entropy", type=float, default=0.01)
    parser.add_argument("--rate", type=float, default=0.001)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--curve", type=Path, help="write the curve to this file")
    words = parser.parse_args()
    torch.manual_seed(words.seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(words.seed)
    how: dict[str, Any] = {name: getattr(words, name) for name in ("position", "side", "turns", "choices")}

    def places(level: str, shaping: float = 0.0, gauges: float = 0.0) -> list[Place]:
        make = partial(Solo, words.game, words.scenario, against=level, shaping=shaping, most_decisions=20000, **how)
        return [Place(make(), gauges) for _ in range(words.places)]

    train = places("recruit", words.shaping, words.gauges)
    judges = {level: places(level) for level in ("recruit", "captain")}
    policy = Policy(train[0].sight, words.hidden)
    optimizer = torch.optim.Adam(policy.parameters(), words.rate)
    curve: list[tuple[Any, ...]] = [("matches", "cpu_minutes", "what", "won", "drawn", "of")]
    begun, spent, due, seeds = 0, 0.0, 0.0, 10**6
    results: list[float] = []

    def note(what: str, found: list[float]) -> float:
        """Write a point of the curve."""
        won, drawn = found.count(1.0), found.count(0.5)
        curve.append((begun, f"{spent / 60:.2f}", what, won, drawn, len(found)))
        print(f"{begun} matches, {spent / 60:.1f} minutes: {what}: won {won} and drew {drawn} of {len(found)} "
              f"({wilson(won, len(found))})", flush=True)  # fmt: skip
        if words.curve:
            with words.curve.open("w", newline="", encoding="utf-8") as file:
                csv.writer(file, lineterminator="\n").writerows(curve)
        return won / len(found)

    def begin(place: Place) -> None:
        nonlocal begun
        if begun >= len(train):
            results.append(place.result())
        place.begin(begun)
        begun += 1

    def judged(level: str, model: Policy | None) -> float:
        """Judge with seeds that nothing was learned from and nothing was judged with."""
        nonlocal seeds
        count = words.judged if model is not None and level == "recruit" else words.fewer
        seeds += count
        what = f"{'random choices' if model is None else 'learned'} against {level}"
        return note(what, judge(model, judges[level], range(seeds - count, seeds)))

    judged("recruit", None)
    for place in train:
        begin(place)
    while spent < 60 * words.minutes:
        began = time.process_time()
        learn(policy, optimizer, collect(policy, train, words.batch // words.places, words, rng, begin), words)
        spent += time.process_time() - began
        if spent >= due + 60 * words.every and results:
            due = spent
            share = note("while learning against recruit", results)
            results.clear()
            if share >= words.goal and judged("recruit", policy) >= words.goal:
                break
    else:
        judged("recruit", policy)
    judged("captain", policy)


if __name__ == "__main__":
    main()
