"""A checker in the manner of Jepsen: finds what is wrong between what clients were told and what the database holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from sandtable.core import Match, SandtableError
from sandtable.host import MatchRow, MoveRow
from tests.demo.game import GAME


class Asked(msgspec.Struct):
    """One request of a client, and what it was told in the end."""

    match: str
    request: str
    """The name under which a seat's request is kept: place and id."""
    role: str
    action: dict[str, Any]
    told: list[tuple[str, int]] = []
    """Each answer: ('made', number), ('refused', status) or ('unknown', status); no answer at all is none."""


class Looked(msgspec.Struct):
    """A client saw a match at a move. In the order in which one client saw them."""

    client: str
    match: str
    number: int


def check(
    asked: Iterable[Asked],
    looked: Iterable[Looked],
    rows: Mapping[str, MatchRow],
    moves: Mapping[str, Sequence[MoveRow]],
) -> list[str]:
    """Return everything that is wrong, one sentence each; none when nothing was lost, doubled, corrupted or mistold."""
    found: list[str] = []
    requests = {(one.match, one.request): one for one in asked}
    for match, row in rows.items():
        found += _check_log(row, moves.get(match, []))
    for one in requests.values():
        found += _check_request(one, moves.get(one.match, []))
    for match, log in moves.items():
        for move in log:
            if move.request is not None and (match, move.request) not in requests:
                found.append(f"phantom: move {move.number} of {match} was made by nobody")
    newest: dict[tuple[str, str], int] = {}
    for look in looked:
        seen = newest.get((look.client, look.match), 0)
        if look.number < seen:
            found.append(f"backwards: {look.client} saw {look.match} at move {seen} and then at move {look.number}")
        newest[look.client, look.match] = max(seen, look.number)
        if look.match in rows and look.number > rows[look.match].number:
            found.append(f"lost: {look.client} saw move {look.number} of {look.match}, which is not there")
    return found


def _check_request(one: Asked, log: Sequence[MoveRow]) -> list[str]:
    made = [move for move in log if move.request == one.request]
    numbers = {number for kind, number in one.told if kind == "made"}
    found = []
    if len(made) > 1:
        found.append(f"doubled: {one.request} of {one.match} made moves {[move.number for move in made]}")
    if len(numbers) > 1:
        found.append(f"mistold: {one.request} of {one.match} was told {sorted(numbers)}")
    found += [
        f"lost: {one.request} of {one.match} was told it made move {number}, which is not there"
        for number in numbers
        if not any(move.number == number for move in made)
    ]
    wish = GAME.codec.action(one.action)
    found += [
        f"corrupted: move {move.number} of {one.match} is not what was asked for"
        for move in made
        if move.role != one.role or GAME.codec.action(move.action) != wish
    ]
    if made and not numbers and any(kind == "refused" for kind, _ in one.told):
        found.append(f"mistold: {one.request} of {one.match} was refused, but move {made[0].number} is there")
    return found


def _check_log(row: MatchRow, log: Sequence[MoveRow]) -> list[str]:
    """The log must have no gap, end where the match says, and replay to its digests."""
    numbers = [move.number for move in log]
    found = [f"doubled: move {number} of {row.id}" for number, times in Counter(numbers).items() if times > 1]
    if sorted(set(numbers)) != list(range(1, len(set(numbers)) + 1)):
        found.append(f"gap: the moves of {row.id} are {numbers}")
        return found
    if row.number != len(set(numbers)):
        found.append(f"corrupted: {row.id} says it is at move {row.number}, but has {len(set(numbers))}")
    played: Match[Any] = Match.new(GAME, row.scenario, row.options, seed=row.seed)
    for move in log:
        try:
            played.again(move.role, played.parse(move.action))
        except SandtableError as error:
            return [*found, f"corrupted: move {move.number} of {row.id} does not replay: {error}"]
        if played.digest() != move.digest:
            return [*found, f"corrupted: move {move.number} of {row.id} leads elsewhere"]
    return found
