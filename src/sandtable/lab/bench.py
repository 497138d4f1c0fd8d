"""The benchmark table: our figures beside those of peers, measured in the same run on the same machine.

A suite is a function that yields figures; it registers itself:

    @suite("server")
    def server_figures(bench: Bench) -> Iterator[Figure]:
        yield Figure("moves acknowledged", rate, "moves/s", peers=(Peer("boardgame.io", theirs),))

Suites live in modules whose names begin with `bench`, in any layer; the command finds them there.
"""

import gc
import math
import platform
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from sandtable.core import Game, memory

MORE_IS_BETTER = ("/s",)


class Peer(msgspec.Struct, frozen=True):
    """The figure of another project for the same kind of work, in the same unit."""

    name: str
    value: float
    bar: float = 0.0
    """The ratio that we promise to reach; 0: no promise."""


class Figure(msgspec.Struct, frozen=True):
    """One measured figure. Units that end in '/s' are better when larger, all others when smaller."""

    name: str
    value: float
    unit: str
    peers: tuple[Peer, ...] = ()
    note: str = ""

    def ratio(self, peer: Peer) -> float:
        """How many times better we are than the peer; below 1: how much of its figure we reach."""
        ours, theirs = (self.value, peer.value) if self.unit.endswith(MORE_IS_BETTER) else (peer.value, self.value)
        return ours / theirs if theirs else math.inf

    def misses(self) -> list[Peer]:
        """The peers for which the promised ratio is missed."""
        return [peer for peer in self.peers if peer.bar and self.ratio(peer) < peer.bar]


class Suite(msgspec.Struct, frozen=True):
    """Figures that belong together."""

    name: str
    figures: tuple[Figure, ...]


_TURNS = 19
"""How often each function is measured in `by_turns`."""


class Bench:
    """What a suite works with: the games to measure, and the time for each figure.

    Times are processor time, so other processes on the machine do not count. Work that waits for a network, a disk or
    another process has to be measured with another clock.
    """

    def __init__(self, games: Sequence[Game[Any]], seconds: float, say: Callable[[str], object]) -> None:
        self.games = games
        self.seconds = seconds
        self.say = say

    def microseconds(self, work: Callable[[], object]) -> float:
        """The time of one call, the best of five rounds."""
        gc.collect()
        calls = 1
        while (taken := self._time(work, calls)) < self.seconds / 20:
            calls *= 2 if taken < self.seconds / 200 else 4
        rounds = [taken, *(self._time(work, calls) for _ in range(4))]
        return min(rounds) / calls * 1e6

    def rate(self, work: Callable[[], int]) -> float:
        """What is done in a second, the best of three rounds; each call returns how much it did."""
        best = 0.0
        for _ in range(3):
            done, started = 0, time.process_time()
            while (taken := time.process_time() - started) < self.seconds / 3:
                done += work()
            best = max(best, done / taken)
        return best

    def by_turns(self, *works: Callable[[], int]) -> list[float]:
        """The rates of several functions, measured in turn and the median of many: a processor's clock varies."""
        rates: list[list[float]] = [[] for _ in works]
        for _ in range(_TURNS):
            for work, found in zip(works, rates, strict=True):
                done, started = 0, time.process_time()
                while (taken := time.process_time() - started) < self.seconds / 6:
                    done += work()
                found.append(done / taken)
        return [statistics.median(found) for found in rates]

    @staticmethod
    def _time(work: Callable[[], object], calls: int) -> float:
        numbers = range(calls)
        gc.disable()
        try:
            started = time.process_time()
            for _ in numbers:
                work()
            return time.process_time() - started
        finally:
            gc.enable()


Measure = Callable[[Bench], Iterator[Figure]]
SUITES: dict[str, Measure] = {}


def suite(name: str) -> Callable[[Measure], Measure]:
    """Register a function as the suite of this name."""

    def register(measure: Measure) -> Measure:
        if name in SUITES:
            raise ValueError(f"there are two suites called {name}")
        SUITES[name] = measure
        return measure

    return register


def run(bench: Bench, names: Sequence[str]) -> Iterator[Suite]:
    """Measure the suites of these names, one after the other."""
    memory.settle()  # as a server and the processes of `simulate` do
    for name in names:
        bench.say(name)
        yield Suite(name, tuple(SUITES[name](bench)))


# ---- for people ------------------------------------------------------------------------------------------------------


def machine() -> str:
    """The machine and the Python that it was measured with."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    for line in lines:
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    return f"{model}, {platform.system()}, {platform.python_implementation()} {platform.python_version()}"


def number(value: float) -> str:
    """A figure with three digits: a benchmark is no more precise."""
    if math.isinf(value):
        return "∞"
    if value >= 100:
        return f"{value:,.0f}"
    if value >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


def rows(figures: Sequence[Figure]) -> Iterator[tuple[str, str, str, str, str, str]]:
    """The cells of a table, one row for each peer: figure, ours, peer, the peer's, ratio, promise."""
    for figure in figures:
        name = f"{figure.name} ({figure.note})" if figure.note else figure.name
        ours = f"{number(figure.value)} {figure.unit}"
        if not figure.peers:
            yield name, ours, "", "", "", ""
        for place, peer in enumerate(figure.peers):
            verdict = "MISSED" if peer in figure.misses() else "kept"
            promise = f"{number(peer.bar)}× {verdict}" if peer.bar else ""
            theirs = f"{number(peer.value)} {figure.unit}"
            first = (name, ours) if place == 0 else ("", "")
            yield *first, peer.name, theirs, f"{number(figure.ratio(peer))}×", promise


HEADINGS = ("figure", "ours", "peer", "peer's", "ratio", "promised")
RATIO_NOTE = "A ratio says how many times faster we are than the peer; below 1, how much of its speed we reach."


def markdown(suites: Sequence[Suite]) -> str:
    """The whole table as a page."""
    day = datetime.now(UTC).date().isoformat()
    lines = ["# Benchmarks", "", "Made by `./sandtable bench --write`; all figures of one run on one machine.", ""]
    lines += [f"Measured on {day}: {machine()}. {RATIO_NOTE}"]
    for part in suites:
        lines += ["", f"## {part.name}", "", f"| {' | '.join(HEADINGS)} |", "| --- | ---: | --- | ---: | ---: | --- |"]
        lines += [f"| {' | '.join(row)} |" for row in rows(part.figures)]
    return "\n".join(lines) + "\n"
