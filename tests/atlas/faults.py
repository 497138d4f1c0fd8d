"""What a proof is: a function that reads one atlas and names everything in it that contradicts the rulebook or itself.

A game's proofs are grouped by theme. Each gets the board (the atlas with its look-up tables) and a `Check`, and calls
`check(holds, what)` once per fact; `what` names the hex, space, unit or country, so that a failing test tells where to
look. The tests run the proofs on the project's data; the mutation tests run the same proofs on altered copies.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

Atlas = dict[str, Any]
Board = TypeVar("Board")
Node = TypeVar("Node", bound=Hashable)

ROOT = Path(__file__).resolve().parents[2]
GAMES = ("hitlers_war", "munich_war", "blitzkrieg_general", "ww2_europe")


@dataclass(frozen=True)
class Fault:
    """One fact of the atlas that does not hold."""

    theme: str
    what: str

    def __str__(self) -> str:
        return f"{self.theme}: {self.what}"


class StopAtFirstFaultError(Exception):
    """Ends a run that only wants to know whether there is any fault."""


class Check:
    """Collects the faults of one theme."""

    def __init__(self, theme: str, *, stop_at_first: bool = False) -> None:
        self.theme = theme
        self.stop_at_first = stop_at_first
        self.facts = 0
        self.faults: list[Fault] = []

    def __call__(self, holds: object, what: str) -> None:
        self.facts += 1
        if not holds:
            self.faults.append(Fault(self.theme, what))
            if self.stop_at_first:
                raise StopAtFirstFaultError


Proof = Callable[[Any, Check], None]


@dataclass(frozen=True)
class Proofs:
    """All proofs of one game, by theme, with what turns an atlas into the board they read."""

    game: str
    board: Callable[[Atlas], Any]
    themes: Mapping[str, Proof]

    def faults(self, atlas: Atlas, *, stop_at_first: bool = False) -> list[Fault]:
        """Every fault of the atlas; a proof that the data makes stumble is a fault as well."""
        try:
            board = self.board(atlas)
        except (LookupError, TypeError, ValueError) as error:
            return [Fault("board", f"cannot be read: {error!r}")]
        found: list[Fault] = []
        for theme in self.themes:
            found += self.faults_of(theme, board, stop_at_first=stop_at_first)
            if found and stop_at_first:
                break
        return found

    def faults_of(self, theme: str, board: object, *, stop_at_first: bool = False) -> list[Fault]:
        """The faults of one theme."""
        check = Check(theme, stop_at_first=stop_at_first)
        try:
            self.themes[theme](board, check)
        except StopAtFirstFaultError:
            pass
        except (LookupError, TypeError, ValueError, AttributeError, StopIteration) as error:
            check.faults.append(Fault(theme, f"the proof stumbles over the data: {error!r}"))
        else:
            if not check.facts:
                check.faults.append(Fault(theme, "the proof checked nothing"))
        return check.faults


def report(faults: Iterable[Fault]) -> str:
    """The faults, one per line, for an assertion's message."""
    return "\n" + "\n".join(str(fault) for fault in faults)


def data_path(game: str, name: str) -> Path:
    """A data file of a game."""
    return ROOT / "src" / "sandtable" / "games" / game / "data" / name


def load_atlas(game: str) -> Atlas:
    """A fresh copy of a game's atlas."""
    atlas: Atlas = json.loads(data_path(game, "atlas.json").read_text(encoding="utf-8"))
    return atlas


@cache
def ledger_says(game: str) -> dict[str, str]:
    """What each rule of the ledger says, by id."""
    rules = tomllib.loads(data_path(game, "ledger.toml").read_text(encoding="utf-8"))["rule"]
    return {rule["id"]: rule["says"] for rule in rules}


def flood(
    start: Iterable[Node], neighbours: Callable[[Node], Iterable[Node]], stop: Callable[[Node], bool] | None = None
) -> set[Node]:
    """All nodes that can be reached from the start; nodes for which `stop` holds are entered but not left."""
    seen = set(start)
    first, todo = set(seen), list(seen)
    while todo:
        node = todo.pop()
        if stop is not None and node not in first and stop(node):
            continue
        for other in neighbours(node):
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


def components(nodes: Iterable[Node], neighbours: Callable[[Node], Iterable[Node]]) -> list[set[Node]]:
    """The connected parts of the nodes, largest first."""
    left = set(nodes)
    inside = frozenset(left)
    parts: list[set[Node]] = []
    while left:
        part = flood([next(iter(left))], lambda node: (other for other in neighbours(node) if other in inside))
        parts.append(part)
        left -= part
    return sorted(parts, key=len, reverse=True)


def crossings(spaces: Mapping[str, Mapping[str, Any]], links: Iterable[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Pairs of links whose straight lines cross, which borders on one map cannot do."""
    lines = []
    for link in links:
        a, b = spaces[link["a"]], spaces[link["b"]]
        lines.append((f"{link['a']}-{link['b']}", a["lon"], a["lat"], b["lon"], b["lat"]))
    lines.sort(key=lambda line: min(line[1], line[3]))
    found = []
    for i, (one, ax, ay, bx, by) in enumerate(lines):
        east = max(ax, bx)
        for other, cx, cy, dx, dy in lines[i + 1 :]:
            if cx > east and dx > east:
                break
            side_c = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
            side_d = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
            if side_c * side_d < 0:
                side_a = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)
                side_b = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
                if side_a * side_b < 0:
                    found.append((one, other))
    return found
