"""The chronicle of matches: when their milestones were reached, and the absurd moves that were seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from sandtable.core import Action, Game, Match, Role, State

Dates = dict[str, int | None]
"""Milestone -> the turn, counted from 1, at whose end it was first true; 0: from the start; None: never."""
Blunders = dict[Role, dict[str, int]]
"""Role -> absurdity -> how often."""


class Diary:
    """Notes the chronicle of one match while it is played."""

    def __init__(self, game: Game[Any], match: Match[Any]) -> None:
        self._clone, self._chronicle = game.codec.clone, game.chronicle()
        self._watcher = self._chronicle.watch()
        self.dates: Dates = {
            milestone.id: None
            for milestone in self._chronicle.milestones
            if not milestone.scenarios or match.scenario in milestone.scenarios
        }
        self.blunders: Blunders | None = None if self._watcher is None else {}
        self.turn_ended(match.state, 0)

    def before(self, state: State) -> State | None:
        """What `after` needs to know of the state before a decision."""
        return None if self._watcher is None else self._clone(state)

    def after(self, before: State | None, role: Role, action: Action, state: State) -> None:
        """Watch what a decision did."""
        if self._watcher is None or self.blunders is None:
            return
        for seen in self._watcher(before, role, action, state):
            whose, what = (role, seen) if isinstance(seen, str) else seen
            counts = self.blunders.setdefault(whose, {})
            counts[what] = counts.get(what, 0) + 1

    def turn_ended(self, state: State, turn: int) -> None:
        """Note what was reached for the first time."""
        if self.dates:
            for name in self._chronicle.reached(state):
                if self.dates.get(name, 0) is None:
                    self.dates[name] = turn


class Dated(msgspec.Struct, frozen=True):
    """When a milestone was reached in many matches."""

    id: str
    says: str
    history: str
    matches: int
    """Matches in which it was not reached from the start."""
    reached: int
    first: int
    """The turn in which it was reached: the earliest, the middle and the latest one; 0 where it never was."""
    median: int
    last: int


def dated(game: Game[Any], matches: Iterable[Dates]) -> list[Dated]:
    """A row for each milestone that could be reached."""
    found: dict[str, list[int | None]] = {}
    for dates in matches:
        for name, turn in dates.items():
            if turn != 0:
                found.setdefault(name, []).append(turn)
    rows = []
    for milestone in game.chronicle().milestones:
        turns = found.get(milestone.id, [])
        known = sorted(turn for turn in turns if turn is not None)
        first, median, last = (known[0], known[(len(known) - 1) // 2], known[-1]) if known else (0, 0, 0)
        if turns:
            rows.append(
                Dated(milestone.id, milestone.says, milestone.history, len(turns), len(known), first, median, last)
            )
    return rows


def blamed(matches: Iterable[tuple[Mapping[Role, str], Blunders | None]]) -> dict[str, dict[str, int]]:
    """Absurdity -> level -> how often, the most frequent first, from (seats, blunders) of each match."""
    found: dict[str, dict[str, int]] = {}
    for seats, blunders in matches:
        for role, counts in (blunders or {}).items():
            for what, count in counts.items():
                levels = found.setdefault(what, {})
                level = seats.get(role, role)
                levels[level] = levels.get(level, 0) + count
    return dict(sorted(found.items(), key=lambda row: (-sum(row[1].values()), row[0])))


def turn_title(number: int, turns: Sequence[str]) -> str:
    """A turn by its number and name, or by the game's own number (0 is the set-up)."""
    name = turns[number - 1] if number <= len(turns) else str(number)
    if not name:
        return f"turn {number}"
    return f"turn {name}" if name.isdecimal() else f"turn {number} ({name})"


def cells(row: Dated, turns: Sequence[str]) -> tuple[str, str, str, str, str]:
    """A milestone as the cells of a table: what, in history, in how many matches, middle turn, range."""
    count = f"{row.reached} of {row.matches}"
    if not row.reached:
        return row.says, row.history, count, "", ""
    span = f"{turn_title(row.first, turns)} to {turn_title(row.last, turns)}" if row.first < row.last else ""
    return row.says, row.history, count, turn_title(row.median, turns), span


def in_words(blunders: Mapping[str, Mapping[str, int]], watched: int) -> list[str]:
    """The absurdities, a line each, or one line that says there were none."""
    if not blunders:
        return [f"none in {watched} {'match' if watched == 1 else 'matches'}"]
    return [
        f"{sum(levels.values())} x {what} ({', '.join(f'{level} {count}' for level, count in sorted(levels.items()))})"
        for what, levels in blunders.items()
    ]
