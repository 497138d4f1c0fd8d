"""Match files: a header line, one JSON line per action with a digest of the state after it, and an end line.

{"sandtable":1,"game":"...","rules":1,"scenario":"...","options":{...},"seed_hash":"...","seed":"..."}
{"n":1,"role":"axis","action":{"do":"move",...},"digest":"..."}
...
{"end":412}
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import msgspec

from .data import Action, State
from .dice import seed_hash
from .errors import BadFile, Diverged, OtherVersion, Refusal, SandtableError
from .game import Game
from .match import Match

S = TypeVar("S", bound=State)
FORMAT = 1


class Header(msgspec.Struct, frozen=True):
    """The first line of a match file."""

    sandtable: int
    game: str
    rules: int
    scenario: str
    options: dict[str, bool | int | str]
    seed_hash: str
    seed: str | None = None


class Line(msgspec.Struct, frozen=True):
    """One action of a match file."""

    n: int
    role: str
    action: msgspec.Raw
    digest: str


class End(msgspec.Struct, frozen=True):
    """The last line; a file without it was cut off."""

    end: int


def header(match: Match[Any], *, with_seed: bool = True) -> Header:
    return Header(
        FORMAT,
        match.game.id,
        match.game.rules_version,
        match.scenario,
        dict(match.options),
        seed_hash(match.seed),
        match.seed if with_seed else None,
    )


def save(match: Match[Any]) -> bytes:
    """Return the whole match as a file. It is replayed once: for the digests, and to be sure that it can be."""
    if not match.history:
        raise SandtableError("a clone has no history to save")
    fresh = Match.new(match.game, match.scenario, match.options, seed=match.seed, dice=match.play.dice)
    lines = [msgspec.json.encode(header(match))]
    for number, entry in enumerate(match.log, 1):
        fresh.again(entry.role, entry.action)
        lines.append(line(number, entry.role, entry.action, fresh.digest()))
    if fresh.digest() != match.digest():
        raise Diverged("the match does not replay to its own state")
    lines.append(msgspec.json.encode(End(len(match.log))))
    return b"\n".join(lines) + b"\n"


def line(number: int, role: str, action: Action, digest: str) -> bytes:
    """Return one action as a line of a match file."""
    return msgspec.json.encode(Line(number, role, msgspec.Raw(msgspec.json.encode(action)), digest))


def read(data: bytes) -> tuple[Header, list[Line]]:
    """Return header and actions of a match file. Only their form is checked."""
    rows = data.split(b"\n")
    if not rows or not rows[0].strip():
        raise BadFile("this is not a match file: it is empty")
    try:
        head = msgspec.json.decode(rows[0], type=Header)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadFile("this is not a match file: its first line is no header") from None
    if head.sandtable != FORMAT:
        raise OtherVersion(f"this match file has format {head.sandtable}; this program reads format {FORMAT}")
    body = [row for row in rows[1:] if row.strip()]
    lines: list[Line] = []
    for number, row in enumerate(body, 1):
        try:
            if number == len(body):
                end = msgspec.json.decode(row, type=End)
                if end.end != len(lines):
                    raise BadFile(f"the match file says it has {end.end} moves but holds {len(lines)}")
                return head, lines
            found = msgspec.json.decode(row, type=Line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            what = "ends in the middle" if number == len(body) else "is damaged"
            raise BadFile(f"the match file {what} at line {number + 1}") from None
        if found.n != number:
            raise BadFile(f"the match file is damaged: move {found.n} stands where move {number} should")
        lines.append(found)
    raise BadFile("the match file is cut off: it has no end line")


def load(
    data: bytes, find_game: Callable[[str, int], Game[Any]], *, verify: bool = True, to: int | None = None
) -> Match[Any]:
    """Return the match of a file, played again. `verify` compares every state with its digest; `to` stops after a move.

    A match of an older version of the rules is accepted if every state is the same under these rules.
    """
    head, lines = read(data)
    match = start(head, find_game)
    if to is not None and not 0 <= to <= len(lines):
        raise BadFile(f"the match has {len(lines)} moves; there is no move {to}")
    for _ in steps(match, lines if to is None else lines[:to], verify=verify, rules=head.rules):
        pass
    return match


def start(head: Header, find_game: Callable[[str, int], Game[Any]]) -> Match[Any]:
    """Return the match of this header before its first move."""
    game = find_game(head.game, head.rules)
    if head.rules > game.rules_version:
        raise OtherVersion(
            f"this match was played under version {head.rules} of the rules of {head.game}; "
            f"this program has version {game.rules_version}"
        )
    if head.seed is None:
        raise BadFile("the match file has no seed: the match was not over when it was saved")
    if seed_hash(head.seed) != head.seed_hash:
        raise BadFile("the seed in the match file does not fit its hash")
    return Match.new(game, head.scenario, head.options, seed=head.seed)


def steps(
    match: Match[Any], lines: list[Line], *, verify: bool = True, rules: int | None = None
) -> Iterator[Match[Any]]:
    """Play the lines one by one and yield the match after each.

    `rules` is the version it was played under. If that is an older one, every state is compared.
    """
    older = rules is not None and rules != match.game.rules_version
    for found in lines:
        try:
            match.again(found.role, match.parse(bytes(found.action)))
        except Refusal as refusal:
            if older:
                raise _other_way(match, rules, found.n) from None
            raise Diverged(f"move {found.n} is not allowed when replayed: {match.explain(refusal)}") from None
        except SandtableError as error:
            raise BadFile(f"move {found.n} of the match file cannot be read: {error}") from None
        if (verify or older) and match.digest() != found.digest:
            if older:
                raise _other_way(match, rules, found.n)
            raise Diverged(f"the replay reaches another state than the recorded one at move {found.n}")
        yield match


def _other_way(match: Match[Any], rules: int | None, number: int) -> OtherVersion:
    return OtherVersion(
        f"this match was played under version {rules} of the rules of {match.game.id}; "
        f"under version {match.game.rules_version} it goes another way at move {number}"
    )


def pretty(data: bytes) -> Any:
    """Return a match file as one JSON value, for tools."""
    head, lines = read(data)
    return {
        "header": msgspec.to_builtins(head),
        "moves": [{"n": x.n, "role": x.role, "action": json.loads(bytes(x.action))} for x in lines],
    }
