"""Measures over the turns of many matches, and when the matches were decided."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sandtable.lab.chronicles import turn_title
from sandtable.lab.simulate import Record


class Band(msgspec.Struct, frozen=True):
    """One measure over the turns: its 10th percentile, median and 90th percentile."""

    measure: str
    low: list[float]
    middle: list[float]
    high: list[float]
    matches: list[int]
    """How many matches reached the turn."""


class Decision(msgspec.Struct, frozen=True):
    """How much of the result is known after each turn."""

    measure: str
    """The measure that predicts the winner best."""
    side: str
    known: list[float]
    """Per turn the chance that this measure ranks a match that the side won above one that it did not; 0.5: nothing."""
    turn: int
    """The turn with the largest step of `known`, counted from 1."""
    settled: int
    """The first turn from which `known` stays at 0.9 or more; 0 when it never does."""


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which this share of the values lies, interpolated."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def measures(records: Sequence[Record]) -> list[str]:
    return list(dict.fromkeys(name for record in records for name in record.curves))


def bands(records: Sequence[Record]) -> list[Band]:
    """Every measure with its band from the 10th to the 90th percentile."""
    found = []
    for name in measures(records):
        rows = [record.curves[name] for record in records if record.curves.get(name)]
        low, middle, high, count = [], [], [], []
        for turn in range(max(map(len, rows))):
            values = [row[turn] for row in rows if len(row) > turn]
            low.append(quantile(values, 0.1))
            middle.append(quantile(values, 0.5))
            high.append(quantile(values, 0.9))
            count.append(len(values))
        found.append(Band(name, low, middle, high, count))
    return found


def families(found: Sequence[Band]) -> dict[str, list[Band]]:
    """The bands of each picture: 'production.axis' and 'production.allies' share 'production'."""
    out: dict[str, list[Band]] = {}
    for band in found:
        out.setdefault(band.measure.partition(".")[0], []).append(band)
    # a measure that is always 0 (ships in a war on land) gets no picture
    return {name: rows for name, rows in out.items() if any(any(row.low) or any(row.high) for row in rows)}


def separation(won: Sequence[float], lost: Sequence[float]) -> float:
    """The chance that a value of `won` is above a value of `lost`; a tie counts as half."""
    if not won or not lost:
        return 0.5
    above = sum((a > b) + (a == b) / 2 for a in won for b in lost)
    return above / (len(won) * len(lost))


def decision(records: Sequence[Record], side: str, roles: Sequence[str]) -> Decision | None:
    """When it was decided whether a side wins; None where all results are the same or there are no measures."""
    won = [any(role in record.winners for role in roles) for record in records]
    if all(won) or not any(won):
        return None
    best: tuple[float, str, list[float]] | None = None
    for name in measures(records):
        known = []
        for turn in range(max(len(record.curves.get(name, ())) for record in records)):
            values = [(_at(record, name, turn), wins) for record, wins in zip(records, won, strict=True)]
            one = [value for value, wins in values if wins and value is not None]
            other = [value for value, wins in values if not wins and value is not None]
            share = separation(one, other)
            known.append(max(share, 1.0 - share))
        if known:
            worth = sum(known) / len(known)
            if best is None or worth > best[0]:
                best = (worth, name, known)
    if best is None:
        return None
    _, name, known = best
    steps = [after - before for before, after in zip([0.5, *known], known, strict=False)]
    settled = next((turn for turn in range(len(known)) if all(share >= 0.9 for share in known[turn:])), -1)
    return Decision(name, side, known, 1 + steps.index(max(steps)), settled + 1)


def _at(record: Record, name: str, turn: int) -> float | None:
    """A measure at the end of a turn; after the end of the match, its last value."""
    values = record.curves.get(name)
    return values[min(turn, len(values) - 1)] if values else None


def turn_names(records: Sequence[Record]) -> list[str]:
    """The game's names of the turns in the longest match."""
    return max((record.turn_names for record in records), key=len, default=[])


def in_sentences(found: Decision, turns: Sequence[str]) -> str:
    """A decision in sentences."""
    kind, _, whose = found.measure.partition(".")
    sign = f"{kind} ({whose})" if whose else kind
    said = (
        f"The best single sign of who wins is {sign}. It gains most in {turn_title(found.turn, turns)}: "
        f"after that turn it picks the winner in {found.known[found.turn - 1]:.0%} of all pairs of a won and a lost "
        "match (guessing would be 50%)."
    )
    return f"{said} From {turn_title(found.settled, turns)} on it is right in at least 90%." if found.settled else said
