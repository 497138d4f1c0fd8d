"""Elo ratings of the computer players: every level plays every other on both sides."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from sandtable.core import Unknown
from sandtable.games import find
from sandtable.lab.simulate import Job, Record, wilson
from sandtable.players import find as find_player
from sandtable.players import levels as levels_of

BAR = 0.65
"""The share that a level should win against the one below it."""
SURE = 0.55
"""The lower end of its interval."""
_SCALE = 400 / math.log(10)
_RESAMPLES = 400


class Pairing(msgspec.Struct, frozen=True):
    """The results of one level against another, from the first one's side."""

    first: str
    second: str
    won: float
    drawn: float
    lost: float
    side: str = ""
    """The alliance that the first one led; empty: all of them."""

    @property
    def matches(self) -> float:
        return self.won + self.drawn + self.lost

    @property
    def score(self) -> float:
        return self.won + self.drawn / 2

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of the share; a draw is half a win."""
        return wilson(self.score, round(self.matches))


class Rating(msgspec.Struct, frozen=True):
    """A level's Elo with its 95 % interval; the weakest level has 0."""

    level: str
    elo: float
    low: float
    high: float


class Ladder(msgspec.Struct, frozen=True):
    """The result of a ladder."""

    game: str
    scenario: str
    pairings: list[Pairing]
    ratings: list[Rating]
    sides: list[Pairing] = []
    """The same pairings, side by side."""


def jobs(
    game: str,
    scenario: str,
    options: Mapping[str, Any],
    levels: Sequence[str],
    matches: int,
    seed: int,
    seconds: float,
    *,
    neighbours: bool = False,
    tries: int | None = None,
) -> list[tuple[str, str, Job]]:
    """(stronger level, weaker level, match) of a round-robin; each pair plays every side equally often."""
    found = find(game)
    chosen = dict(found.check_options(scenario, options))
    known = levels_of(found)
    for level in levels:
        find_player(level, found)
    ordered = sorted(dict.fromkeys(levels), key=lambda level: (*known, level).index(level))
    if len(ordered) < 2:
        raise Unknown(f"a ladder needs two levels; {game} has {', '.join(known)}")
    pairs = list(itertools.pairwise(ordered) if neighbours else itertools.combinations(ordered, 2))
    roles = found.roles_in(scenario)
    sides = [mine for names in found.alliances.values() if (mine := [role for role in names if role in roles])]
    made = []
    for weak, strong in pairs:
        for number in range(matches):
            mine = sides[number % len(sides)]
            seats = {role: strong if role in mine else weak for role in roles}
            # the same seed for every side, so that both have the same luck
            name = f"{seed}/{strong}-{weak}/{number // len(sides)}"
            made.append((strong, weak, Job(game, scenario, chosen, seats, name, seconds, tries)))
    return made


def score(strong: str, record: Record) -> float:
    """1 when the side of this level won, 0 when another did, a half for a draw."""
    if not record.winners:
        return 0.5
    return 1.0 if any(record.seats.get(role) == strong for role in record.winners) else 0.0


def pairings(
    wanted: Sequence[tuple[str, str, Job]], records: Sequence[Record], *, by_side: bool = False
) -> list[Pairing]:
    """The results of each pair; with `by_side` one row for each side that the stronger level led."""
    counts: dict[tuple[str, str, str], list[int]] = {}
    for (strong, weak, job), record in zip(wanted, records, strict=True):
        side = _led(strong, job) if by_side else ""
        row = counts.setdefault((strong, weak, side), [0, 0, 0])
        row[round(2 * (1.0 - score(strong, record)))] += 1
    return [Pairing(strong, weak, row[0], row[1], row[2], side) for (strong, weak, side), row in counts.items()]


def _led(level: str, job: Job) -> str:
    """The alliance that a level leads in a match."""
    return next(
        name for name, roles in find(job.game).alliances.items() if any(job.seats.get(r) == level for r in roles)
    )


def fit(found: Sequence[Pairing]) -> dict[str, float]:
    """Elo by maximum likelihood (Bradley-Terry); half a draw for each pair keeps a clean sweep finite."""
    names = list(dict.fromkeys(name for pair in found for name in (pair.second, pair.first)))
    points = dict.fromkeys(names, 0.0)
    games: dict[tuple[str, str], float] = {}
    for pair in found:
        points[pair.first] += pair.score + 0.25
        points[pair.second] += pair.matches - pair.score + 0.25
        for one, other in ((pair.first, pair.second), (pair.second, pair.first)):
            games[one, other] = games.get((one, other), 0.0) + pair.matches + 0.5
    strength = dict.fromkeys(names, 1.0)
    for _ in range(2000):
        fresh = {
            name: points[name]
            / sum(number / (strength[name] + strength[other]) for (one, other), number in games.items() if one == name)
            for name in names
        }
        mean = math.exp(sum(map(math.log, fresh.values())) / len(names))
        fresh = {name: value / mean for name, value in fresh.items()}
        moved = max(abs(math.log(fresh[name] / strength[name])) for name in names)
        strength = fresh
        if moved < 1e-9:
            break
    zero = strength[names[0]]
    return {name: _SCALE * math.log(value / zero) for name, value in strength.items()}


def ratings(found: Sequence[Pairing], seed: int = 0) -> list[Rating]:
    """Elo with intervals.

    The shares of wins, draws and losses of each pairing are sampled from their posterior (Jeffreys' prior: half a match
    of each), so a clean sweep has an interval too. The rating is the median of the samples.
    """
    rng = Random(f"ladder/{seed}")
    drawn: dict[str, list[float]] = {name: [] for name in fit(found)}
    for _ in range(_RESAMPLES):
        again = []
        for pair in found:
            won, even, lost = (rng.gammavariate(count + 0.5, 1.0) for count in (pair.won, pair.drawn, pair.lost))
            scale = pair.matches / (won + even + lost)
            again.append(Pairing(pair.first, pair.second, won * scale, even * scale, lost * scale))
        for name, value in fit(again).items():
            drawn[name].append(value)
    made = []
    for name, values in drawn.items():
        row = sorted(values)
        made.append(Rating(name, row[_RESAMPLES // 2], row[int(0.025 * _RESAMPLES)], row[int(0.975 * _RESAMPLES)]))
    return sorted(made, key=lambda rating: -rating.elo)


# ---- the page
def section(ladder: Ladder, title: str, command: str) -> str:
    """The ladder as a section of docs/ladder.md."""
    lines = [f"## {title}: {ladder.scenario}", "", f"Made by `{command}`.", ""]
    lines += ["| level | Elo | 95 % interval |", "| --- | ---: | --- |"]
    lines += [f"| {r.level} | {r.elo:+.0f} | {r.low:+.0f} to {r.high:+.0f} |" for r in ladder.ratings]
    lines += ["", "| pairing | matches | won | drawn | lost | share | 95 % interval |"]
    lines += ["| --- | ---: | ---: | ---: | ---: | ---: | --- |"]
    for pair in ladder.pairings:
        low, high = pair.interval
        lines.append(
            f"| {pair.first} against {pair.second} | {pair.matches} | {pair.won} | {pair.drawn} | {pair.lost} "
            f"| {pair.score / pair.matches:.1%} | {low:.1%} to {high:.1%} |"
        )
    if ladder.sides:
        lines += ["", "| pairing | as | matches | won | drawn | lost | share | 95 % interval | the other level there |"]
        lines += ["| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | ---: |"]
    for pair in ladder.sides:
        low, high = pair.interval
        lines.append(
            f"| {pair.first} against {pair.second} | {pair.side} | {pair.matches} | {pair.won} | {pair.drawn} "
            f"| {pair.lost} | {pair.score / pair.matches:.1%} | {low:.1%} to {high:.1%} | {_there(ladder, pair)} |"
        )
    return "\n".join(lines) + "\n"


def _there(ladder: Ladder, pair: Pairing) -> str:
    """What the second level of a pair takes from the same side: where there are two, what the first one leaves it."""
    others = [
        other for other in ladder.sides
        if (other.first, other.second) == (pair.first, pair.second) and other.side != pair.side
    ]  # fmt: skip
    return f"{1 - others[0].score / others[0].matches:.1%}" if len(others) == 1 else ""


def merged(page: str, game: str, scenario: str, part: str) -> str:
    """The page with this section in place of its older version, or at the end."""
    begin, end = f"<!-- {game}/{scenario} -->\n", f"<!-- end of {game}/{scenario} -->\n"
    block = f"{begin}{part}{end}"
    if begin in page and end in page:
        return page[: page.index(begin)] + block + page[page.index(end) + len(end) :]
    return page.rstrip("\n") + "\n\n" + block
