"""Bringing in match files: they are replayed in parts, so that it can be done elsewhere and its progress be told."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from sandtable.core import Match, Refusal, SandtableError
from sandtable.core import replay as files
from sandtable.games import registered

from .matches import make_move, standing
from .records import MoveRow

MOST_MOVES = 20_000
PART = 250
"""Moves that are replayed at one go."""
Progress = Callable[[int, int], None]
"""Is told how many moves of how many are replayed."""


class Imported(msgspec.Struct):
    """A match file that has been replayed and agrees with itself."""

    head: files.Header
    rules: int
    roles: tuple[str, ...]
    moves: list[MoveRow]
    standing: dict[str, Any]


class Begun(msgspec.Struct):
    """A file that is being replayed."""

    name: str
    of: int


_replaying: dict[str, tuple[files.Header, list[files.Line], Match[Any]]] = {}
"""Where the replaying is done: what is under way."""


def begin(file: str) -> Begun:
    """Read a match file and get ready to replay it."""
    head, lines = files.read(file.encode())
    if len(lines) > MOST_MOVES:
        raise SandtableError(f"the match file has {len(lines)} moves; at most {MOST_MOVES} can be brought in")
    _replaying.clear()  # one at a time: what is left was given up
    name = secrets.token_hex(8)
    _replaying[name] = head, lines, files.start(head, registered)
    return Begun(name, len(lines))


def replay_part(name: str, now: float) -> list[MoveRow]:
    """Replay some more moves; returns none when all are done."""
    _, lines, played = _replaying[name]
    moves: list[MoveRow] = []
    for line in lines[played.number : played.number + PART]:
        try:
            moves.append(make_move(played, line.role, played.parse(bytes(line.action)), now, again=True))
        except Refusal as refusal:
            raise SandtableError(f"the match file does not replay: {played.explain(refusal)}") from None
        if moves[-1].digest != line.digest:
            raise SandtableError(f"the match file reaches another state than it says at move {line.n}")
    played.forget()
    return moves


def finish(name: str) -> Imported:
    """Return what is known of a file after its last move, without the moves."""
    head, _, played = _replaying.pop(name)
    return Imported(head, played.game.rules_version, played.roles, [], standing(played))


Run = Callable[..., Awaitable[Any]]
"""Calls a function with its words, here or in another process; one file's calls all in the same."""


async def run_here(work: Callable[..., Any], *words: Any) -> Any:
    return work(*words)


async def import_file(file: str, now: float, run: Run, progress: Progress) -> Imported:
    """Replay a match file and return it. Raises one sentence if it cannot be brought in."""
    begun: Begun = await run(begin, file)
    moves: list[MoveRow] = []
    while len(moves) < begun.of:
        progress(len(moves), begun.of)
        moves += await run(replay_part, begun.name, now)
    done: Imported = await run(finish, begun.name)
    return msgspec.structs.replace(done, moves=moves)
