"""Many matches between computer players, in processes on this machine or on Ray. The same seeds give the same results.

A Job describes a match to play and a Record its result. Both are plain data, so any process can play it.
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import os
import socket
import time
import urllib.parse
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Protocol, TypeVar

import msgspec

from sandtable.core import Match, Rolled, SandtableError, Unknown, memory
from sandtable.games import find
from sandtable.lab.chronicles import Blunders, Dated, Dates, Diary, blamed, dated
from sandtable.odds.luck import Fall, balances, weigh
from sandtable.players import Budget, ask, carry_out, stretched
from sandtable.players import find as find_player
from sandtable.players.searcher import listen

RAY_PORT = 6379
"""Where a Ray cluster listens if nothing else is said."""
RAY_PATIENCE = 5.0
"""Seconds for a connection to it."""


class Job(msgspec.Struct, frozen=True):
    """One match to play."""

    game: str
    scenario: str
    options: dict[str, Any]
    seats: dict[str, str]
    """Role -> level."""
    seed: str
    seconds: float = 5.0
    tries: int | None = None
    """How many tries a searching player makes; None: its own number."""
    luck: bool = False
    """Whether the dice are weighed."""


class Record(msgspec.Struct):
    """The result of a match."""

    seed: str
    seats: dict[str, str]
    winners: list[str]
    level: str
    reason: str
    decisions: int
    turns: int
    seconds: float
    curves: dict[str, list[float]] = {}
    """Measure -> its value at the end of each turn."""
    battles: dict[str, int] = {}
    """Space -> battles fought there."""
    turn_names: list[str] = []
    """The game's names of the turns, one for each value of a curve."""
    luck: dict[str, tuple[float, float]] = {}
    """'measure.side' -> what the dice brought beyond what was to be expected, and its variance."""
    dates: Dates = {}
    """By milestone of the game's chronicle: the turn in which it was reached."""
    blunders: Blunders | None = None
    """The absurdities of each role; None: nobody watched."""


def jobs(
    game: str,
    scenario: str,
    options: Mapping[str, Any],
    seats: Mapping[str, str],
    matches: int,
    seed: int,
    seconds: float,
    tries: int | None = None,
    *,
    luck: bool = False,
) -> list[Job]:
    """The jobs of a simulation; raises `Unknown` for a role or a level that does not exist."""
    found = find(game)
    chosen = found.check_options(scenario, options)
    roles = found.roles_in(scenario)
    for role, level in seats.items():
        if role not in roles:
            raise Unknown(f"{game} has no role '{role}' in {scenario}; it has {', '.join(roles)}")
        find_player(level, found)
    full = {role: seats.get(role, "recruit") for role in roles}
    return [Job(game, scenario, dict(chosen), full, f"{seed}/{n}", seconds, tries, luck) for n in range(matches)]


def play(job: Job) -> Record:
    """Play one match to its end."""
    game = find(job.game)
    match = Match.new(game, job.scenario, job.options, seed=job.seed, history=job.luck)
    players = {role: find_player(level, game)(game, f"{job.seed}/{role}") for role, level in job.seats.items()}
    budgets = {role: stretched(Budget(job.seconds, job.tries), player) for role, player in players.items()}
    began = time.perf_counter()
    curves: dict[str, list[float]] = {}
    battles: dict[str, int] = {}
    turn, turns, names = game.turn(match.state), 1, list[str]()
    fallen: list[Fall] = []
    diary = Diary(game, match)
    state = match.state
    while state.outcome is None:
        role = match.decisions()[0]
        before, old = match.clone() if job.luck else match, diary.before(state)
        listen(players, role, game.sides(state))
        action = ask(match, players[role], match.view(role), match.offers(role), budgets[role])
        events = carry_out(match, role, players[role], action)
        state = match.state
        diary.after(old, role, action, state)
        if job.luck and (rolled := [event for event in events if isinstance(event, Rolled)]):
            fallen += weigh(before, match, role, action, rolled)
        for event in events:
            place = game.battle_place(event)
            if place is not None:
                battles[place] = battles.get(place, 0) + 1
        if game.turn(state) != turn or state.outcome is not None:
            names.append(turn)
            diary.turn_ended(state, len(names))
            turn = game.turn(state)
            turns += state.outcome is None
            for name, value in game.measures(state).items():
                curves.setdefault(name, []).append(value)
    outcome = state.outcome
    taken = time.perf_counter() - began
    return Record(
        job.seed, job.seats, list(outcome.winners), outcome.level, outcome.reason, match.number, turns, taken,
        curves, battles, names, balances(game, fallen), diary.dates, diary.blunders,
    )  # fmt: skip


J = TypeVar("J", bound=msgspec.Struct)
R = TypeVar("R", bound=msgspec.Struct)
JobOf = TypeVar("JobOf", bound=msgspec.Struct, contravariant=True)


class Kept(Protocol[JobOf, R]):
    """Stores the records of matches, so that they are not played again (lab/lines.py)."""

    def find(self, job: JobOf) -> R | None: ...

    def add(self, job: JobOf, record: R) -> None: ...


def simulate(
    wanted: Sequence[Job],
    *,
    workers: int = 1,
    ray: str | None = None,
    done: Callable[[], object] | None = None,
    kept: Kept[Job, Record] | None = None,
) -> list[Record]:
    """Play all jobs; returns the records in the order of the jobs."""
    return do_all(play, wanted, Record, workers=workers, ray=ray, done=done, kept=kept)


def do_all(
    work: Callable[[J], R],
    wanted: Sequence[J],
    result: type[R],
    *,
    workers: int = 1,
    ray: str | None = None,
    done: Callable[[], object] | None = None,
    kept: Kept[J, R] | None = None,
) -> list[R]:
    """Do jobs that each are one match, here or on Ray; returns the results in the order of the jobs."""
    return list(one_by_one(work, wanted, result, workers=workers, ray=ray, done=done, kept=kept))


def one_by_one(
    work: Callable[[J], R],
    wanted: Sequence[J],
    result: type[R],
    *,
    workers: int = 1,
    ray: str | None = None,
    done: Callable[[], object] | None = None,
    kept: Kept[J, R] | None = None,
) -> Generator[R]:
    """The results as they come, in the order of the jobs. Whoever closes this iterator gives up the jobs that are left.

    `work` is a function of a module, so that another process can find it. A job has the field `game`.
    """
    known = [kept.find(job) if kept else None for job in wanted]
    missing = [job for job, record in zip(wanted, known, strict=True) if record is None]
    done_now = _on_ray(work, missing, result, ray) if ray is not None and missing else _here(work, missing, workers)
    with contextlib.closing(done_now):  # ends the processes
        for job, record in zip(wanted, known, strict=True):
            if record is None:
                record = next(done_now)
                if kept:
                    kept.add(job, record)
            if done:
                done()
            yield record


def _here(work: Callable[[J], R], wanted: Sequence[J], workers: int) -> Generator[R]:
    if workers <= 1 or len(wanted) <= 1:
        yield from map(work, wanted)
        return
    context = multiprocessing.get_context("spawn")
    games = sorted({job.game for job in wanted})  # type: ignore[attr-defined]
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_get_ready, initargs=(games,)) as pool:
        yield from pool.map(work, wanted, chunksize=max(1, min(8, len(wanted) // (workers * 4))))


def _get_ready(games: Sequence[str]) -> None:
    """Prepare a process for its first match."""
    for game in games:
        find(game)
    memory.settle()


def _on_ray(work: Callable[[J], R], wanted: Sequence[J], result: type[R], address: str) -> Generator[R]:
    try:
        import ray
    except ImportError:
        raise SandtableError("Ray is not installed: pip install 'sandtable[ray]'") from None
    more: dict[str, Any] = {}
    if address == "local":
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # who starts Ray through us is not reported to anybody
        more["include_dashboard"] = False
    elif address != "auto":
        _knock(address)
    try:
        ray.init(address=address, ignore_reinit_error=True, log_to_driver=False, **more)
    except Exception as error:  # also plain ones: 'The current node timed out during startup'
        raise SandtableError(f"no Ray cluster at {address}: {str(error).splitlines()[0]}") from None
    remote = ray.remote(_do_packed)
    try:
        for answer in [remote.remote(work, type(job), msgspec.msgpack.encode(job)) for job in wanted]:
            yield msgspec.msgpack.decode(ray.get(answer), type=result)
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """Refuse an address where nobody listens. Ray itself would try for minutes."""
    parts = urllib.parse.urlsplit(address if "://" in address else f"ray://{address}")
    try:
        socket.create_connection((parts.hostname or "", parts.port or RAY_PORT), RAY_PATIENCE).close()
    except (OSError, ValueError) as error:
        raise SandtableError(f"no Ray cluster at {address}: {error}") from None


def _do_packed(work: Callable[[J], R], kind: type[J], job: bytes) -> bytes:
    """Do a job on another machine: packed job in, packed result out."""
    return msgspec.msgpack.encode(work(msgspec.msgpack.decode(job, type=kind)))


# ---- what it says -------------------------------------------------------------------------------------------------
def wilson(wins: float, matches: int, z: float = 1.959964) -> tuple[float, float]:
    """The 95 % Wilson interval of a share."""
    if matches == 0:
        return 0.0, 1.0
    share, spread = wins / matches, z * z / matches
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(share * (1 - share) / matches + spread / (4 * matches))
    return max(0.0, middle - half), min(1.0, middle + half)


def at_any_time(wins: float, matches: int, trust: float = 0.95) -> tuple[float, float]:
    """The interval of a share that holds however often one looks at it and whenever one stops (Robbins' mixture).

    It has the shares under which the results are less than 20 times (for 95 %) as unlikely as under all shares
    together, each taken as equally probable. At no time is the true share outside, but for one run in 20.
    """
    if matches == 0:
        return 0.0, 1.0
    lost = matches - wins
    together = math.lgamma(wins + 1) + math.lgamma(lost + 1) - math.lgamma(matches + 2) + math.log(1 - trust)

    def is_inside(share: float) -> bool:
        return (wins and wins * math.log(share)) + (lost and lost * math.log1p(-share)) > together

    def end(inside: float, outside: float) -> float:
        for _ in range(50):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if is_inside(middle) else (inside, middle)
        return inside

    return end(wins / matches, 0.0) if wins else 0.0, end(wins / matches, 1.0) if lost else 1.0


class Luck(msgspec.Struct, frozen=True):
    """The luck of a side in one measure, over all matches."""

    mean: float
    """A match."""
    deviation: float
    """How far the luck of a match usually is from 0."""
    off: float
    """The luck of all matches together, in standard deviations: fair dice stay within 3."""


class Summary(msgspec.Struct):
    """Figures of a simulation."""

    matches: int
    wins: dict[str, int]
    """Alliance -> matches won."""
    draws: int
    intervals: dict[str, tuple[float, float]]
    levels: dict[str, int]
    turns: float
    decisions: float
    seconds: float
    """Per match, on one core."""
    luck: dict[str, Luck] = {}
    """By 'measure.side', where the dice were weighed."""
    dates: list[Dated] = []
    """When the milestones of the game's chronicle were reached."""
    watched: int = 0
    """Matches that were watched for absurdities."""
    blunders: dict[str, dict[str, int]] = {}
    """Absurdity -> level -> how often."""


def summarize(game: str, records: Sequence[Record]) -> Summary:
    alliances = find(game).alliances
    wins = {name: sum(any(role in r.winners for role in roles) for r in records) for name, roles in alliances.items()}
    count: dict[str, int] = {}
    for record in records:
        key = f"{'+'.join(record.winners) or 'draw'}: {record.level}"
        count[key] = count.get(key, 0) + 1
    n = max(1, len(records))
    return Summary(
        matches=len(records),
        wins=wins,
        draws=sum(not r.winners for r in records),
        intervals={name: wilson(won, len(records)) for name, won in wins.items()},
        levels=dict(sorted(count.items(), key=lambda item: -item[1])),
        turns=sum(r.turns for r in records) / n,
        decisions=sum(r.decisions for r in records) / n,
        seconds=sum(r.seconds for r in records) / n,
        luck=_luck(records),
        dates=dated(find(game), (r.dates for r in records)),
        watched=sum(r.blunders is not None for r in records),
        blunders=blamed((r.seats, r.blunders) for r in records),
    )


def _luck(records: Sequence[Record]) -> dict[str, Luck]:
    found = {}
    for name in sorted({name for record in records for name in record.luck}):
        rows = [record.luck.get(name, (0.0, 0.0)) for record in records]
        total, variance = math.fsum(luck for luck, _ in rows), math.fsum(width for _, width in rows)
        deviation = math.sqrt(variance / len(rows))
        found[name] = Luck(total / len(rows), deviation, total / math.sqrt(variance) if variance else 0.0)
    return found
