"""Elo ratings of the computer players: every level plays every other on both sides."""

from __future__ import annotations

import contextlib
import itertools
import math
import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from sandtable.core import Unknown
from sandtable.games import find
from sandtable.lab.simulate import Job, Record, at_any_time, wilson
from sandtable.players import find as find_player
from sandtable.players import levels as levels_of

BAR = 0.65
"""The share that a level should win against the one below it."""
SURE = 0.55
"""The lower end of its interval."""
_SCALE = 400 / math.log(10)
_RESAMPLES = 400


Wanted = tuple[str, str, Job]
"""The stronger level, the weaker level, and a match of theirs."""


class Pairing(msgspec.Struct, frozen=True):
    """The results of one level against another, from the first one's side."""

    first: str
    second: str
    won: float
    drawn: float
    lost: float
    side: str = ""
    """The alliance that the first one led; empty: all of them."""
    until_clear: bool = False
    """Whether the matches ended when the answer was clear: then the interval holds at any time."""

    @property
    def matches(self) -> float:
        return self.won + self.drawn + self.lost

    @property
    def score(self) -> float:
        return self.won + self.drawn / 2

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share, Wilson's where the number of matches was fixed; a draw is half a win."""
        return (at_any_time if self.until_clear else wilson)(self.score, round(self.matches))

    @property
    def is_clear(self) -> bool:
        """Whether the share is above `SURE` or below `BAR`, as far as chance allows to say."""
        low, high = at_any_time(self.score, round(self.matches))
        return low > SURE or high < BAR


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
    mirrors: list[Pairing] = []
    """The weaker level of each pairing against itself, side by side."""


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
    mirror: bool = False,
) -> list[Wanted]:
    """(stronger level, weaker level, match) of a round-robin; each pair plays every side equally often.

    With `mirror` the weaker level also plays against itself, once for each seed.
    """
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
            if mirror and mine is sides[-1]:
                alone = dict.fromkeys(roles, weak)
                made.append((strong, weak, Job(game, scenario, chosen, alone, name, seconds, tries)))
    return made


def played(
    wanted: Sequence[Wanted], play: Callable[[Sequence[Job]], Generator[Record]], *, until_clear: bool = False
) -> Iterator[tuple[Wanted, Record]]:
    """Every match with its record. With `until_clear` a pair stops when its answer is clear.

    A pair is looked at when all sides have played the same seeds, so that each of them has played equally often.
    """
    if not until_clear:
        yield from zip(wanted, play([job for _, _, job in wanted]), strict=True)
        return
    for _, group in itertools.groupby(wanted, lambda row: row[:2]):
        pair = list(group)
        rounds = [list(rows) for _, rows in itertools.groupby(pair, lambda row: row[2].seed)]
        done: list[tuple[Wanted, Record]] = []
        with contextlib.closing(play([job for _, _, job in pair])) as records:
            for rows in rounds:
                done += [(row, next(records)) for row in rows]
                yield from done[-len(rows) :]
                if pairings(*zip(*done, strict=True))[0].is_clear:
                    break


def score(strong: str, record: Record) -> float:
    """1 when the side of this level won, 0 when another did, a half for a draw."""
    if not record.winners:
        return 0.5
    return 1.0 if any(record.seats.get(role) == strong for role in record.winners) else 0.0


def pairings(
    wanted: Sequence[Wanted], records: Sequence[Record], *, by_side: bool = False, until_clear: bool = False
) -> list[Pairing]:
    """The results of each pair; with `by_side` one row for each side that the stronger level led."""
    counts: dict[tuple[str, str, str], list[int]] = {}
    for (strong, weak, job), record in zip(wanted, records, strict=True):
        side = _led(strong, job)
        if side is None:
            continue
        row = counts.setdefault((strong, weak, side if by_side else ""), [0, 0, 0])
        row[round(2 * (1.0 - score(strong, record)))] += 1
    return [
        Pairing(strong, weak, row[0], row[1], row[2], side, until_clear) for (strong, weak, side), row in counts.items()
    ]


def mirrors(wanted: Sequence[Wanted], records: Sequence[Record]) -> list[Pairing]:
    """What each side won when the weaker level of a pair played against itself."""
    counts: dict[tuple[str, str], list[int]] = {}
    for (strong, weak, job), record in zip(wanted, records, strict=True):
        if _led(strong, job) is not None:
            continue
        for side, roles in find(job.game).alliances.items():
            if any(role in job.seats for role in roles):
                won = 1 if not record.winners else 0 if any(role in roles for role in record.winners) else 2
                counts.setdefault((weak, side), [0, 0, 0])[won] += 1
    return [Pairing(weak, weak, row[0], row[1], row[2], side) for (weak, side), row in counts.items()]


def _led(level: str, job: Job) -> str | None:
    """The alliance that a level leads in a match; None where it does not play."""
    sides = find(job.game).alliances.items()
    return next((name for name, roles in sides if any(job.seats.get(role) == level for role in roles)), None)


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
_SIDES = "| pairing | as | matches | won | drawn | lost | share | 95 % interval | "
_THERE = "the other level there"
_ALONE = "the other level against itself"


def section(ladder: Ladder, title: str, command: str) -> str:
    """The ladder as a section of docs/ladder.md."""
    lines = [f"## {title}", "", f"Made by `{command}`.", ""]
    lines += ["| level | Elo | 95 % interval |", "| --- | ---: | --- |"]
    lines += [f"| {r.level} | {r.elo:+.0f} | {r.low:+.0f} to {r.high:+.0f} |" for r in ladder.ratings]
    lines += ["", "| pairing | matches | won | drawn | lost | share | 95 % interval |"]
    lines += ["| --- | ---: | ---: | ---: | ---: | ---: | --- |"]
    lines += [f"| {pair.first} against {pair.second} | {_counts(pair)} |" for pair in ladder.pairings]
    if ladder.sides:
        lines += ["", f"{_SIDES}{_ALONE if ladder.mirrors else _THERE} | gain |"]
        lines += ["| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: |"]
    for pair in ladder.sides:
        other = _other(ladder, pair)
        more = " |  |" if other is None else f" {other:.1%} | {100 * (pair.score / pair.matches - other):+.1f} |"
        lines.append(f"| {pair.first} against {pair.second} | {pair.side} | {_counts(pair)} |{more}")
    return "\n".join(lines) + "\n"


def _counts(pair: Pairing) -> str:
    low, high = pair.interval
    share = f"{pair.score / pair.matches:.1%} | {low:.1%} to {high:.1%}"
    return f"{pair.matches} | {pair.won} | {pair.drawn} | {pair.lost} | {share}"


def _other(ladder: Ladder, pair: Pairing) -> float | None:
    """What the second level of a pair takes from the same side: from itself, or else what the first one leaves it."""
    for alone in ladder.mirrors:
        if (alone.second, alone.side) == (pair.second, pair.side):
            return alone.score / alone.matches
    others = [
        other for other in ladder.sides
        if (other.first, other.second) == (pair.first, pair.second) and other.side != pair.side
    ]  # fmt: skip
    return 1 - others[0].score / others[0].matches if len(others) == 1 else None


def merged(page: str, name: str, part: str) -> str:
    """The page with this section in place of its older version, or at the end, and with its summary made again."""
    return summarized(_put(page, name, part))


def _put(page: str, name: str, part: str) -> str:
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    block = f"{begin}{part}{end}"
    if begin in page and end in page:
        return page[: page.index(begin)] + block + page[page.index(end) + len(end) :]
    return page.rstrip("\n") + "\n\n" + block


_SUMMARY = "summary of all sections"
_SECTION = re.compile(r"^<!-- (\S+/.+) -->\n(.*?)^<!-- end of \1 -->$", re.MULTILINE | re.DOTALL)


def summarized(page: str) -> str:
    """The page with a table of the results of all its sections where it has a place for it."""
    if f"<!-- {_SUMMARY} -->" not in page:
        return page
    lines = ["| game and scenario | pairing | matches | share | 95 % interval | by side | budget |"]
    lines += ["| --- | --- | ---: | ---: | --- | --- | --- |"]
    for _, text in _SECTION.findall(page):
        lines += _rows(text)
    return _put(page, _SUMMARY, "\n".join(lines) + "\n")


def _rows(text: str) -> list[str]:
    """What the summary says of one section."""
    title = re.search(r"^## (.*)$", text, re.MULTILINE)
    tries, seconds = (re.search(rf"--{name} (\S+?)[ `]", text) for name in ("tries", "seconds"))
    budget = f"{seconds[1]} s" if seconds else ""
    if tries:
        budget = f"{tries[1]} {'try' if tries[1] == '1' else 'tries'}"
    alone = "against itself " if f"| {_ALONE} |" in text else ""
    pairs: list[list[str]] = []
    sides: dict[str, list[str]] = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        _, _, weak = cells[0].partition(" against ")
        if not weak:
            continue
        if cells[1].isdecimal():
            pairs.append(cells)
            continue
        other, gain = (*cells[8:10], "", "")[:2]
        more = f" ({weak} {alone}{other}{f', {gain}' if gain else ''})" if other else ""
        sides.setdefault(cells[0], []).append(f"{cells[1]} {cells[6]}{more}")
    return [
        f"| {title[1] if title else ''} | {cells[0]} | {cells[1]} | {cells[5]} | {cells[6]} "
        f"| {'; '.join(sides.get(cells[0], []))} | {budget} |"
        for cells in pairs
    ]
