"""Lines of the log: what a seat may know of each move, in its language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from sandtable.core import Event, Game, Rolled, Texts
from sandtable.core.scene import Scene

from .records import MoveRow


class DieFace(msgspec.Struct, frozen=True):
    """A die that fell."""

    n: int
    sides: int
    value: int
    why: str


class LogLine(msgspec.Struct, frozen=True):
    """One line of the log, with the dice before it and the places and units it speaks of."""

    number: int
    role: str
    """Who made the move; '' if the reader may not know."""
    text: str
    kind: str
    turn: str
    dice: list[DieFace]
    refs: list[str]
    scene: Scene
    """How it looks on the table."""


def seen_mover(move: MoveRow, events: Iterable[Event], roles: Sequence[str], is_known: bool) -> str:
    """Return who made a move, as far as those who hold these roles may know; '' if they may not."""
    named = any(getattr(event, "role", None) == move.role for event in events if is_seen(event, roles))
    return move.role if is_known or named or move.role in roles else ""


def is_seen(event: Event, roles: Sequence[str]) -> bool:
    return event.seen_by is None or any(role in event.seen_by for role in roles)


def gone(moves: Iterable[MoveRow]) -> set[int]:
    """The moves that are not part of the log: those that were taken back, and the taking back itself."""
    return {n for move in moves if move.takes_back is not None for n in (move.number, move.takes_back)}


def events_of(game: Game[Any], move: MoveRow) -> list[Event]:
    """Return everything that happened in a move, whoever may see it."""
    return [game.codec.event(bytes(raw)) for raw in msgspec.json.decode(move.events, type=list[msgspec.Raw])]


def lines(game: Game[Any], moves: Sequence[MoveRow], roles: Sequence[str], language: str) -> list[LogLine]:
    """Return the log of these moves as those who hold these roles may know it."""
    left_out = gone(moves)
    texts = game.texts(language)
    told: list[LogLine] = []
    for move in moves:
        if move.number not in left_out:
            told.extend(lines_of(game, move, roles, texts))
    return told


def lines_of(game: Game[Any], move: MoveRow, roles: Sequence[str], texts: Texts) -> Iterator[LogLine]:
    """The lines of one move."""
    dice: list[DieFace] = []
    turn = game.turn_name(move.turn, texts)
    events = events_of(game, move)
    mover = seen_mover(move, events, roles, move.waiting == (move.role,))
    for event in events:
        if not is_seen(event, roles):
            continue
        if isinstance(event, Rolled):
            dice.append(DieFace(event.number, event.sides, event.value, event.why))
            continue
        kind = str(event.__struct_config__.tag)
        yield LogLine(move.number, mover, texts.event(event), kind, turn, dice, refs(event), game.scene(event))
        dice = []
    if dice:
        text = texts.say("event.rolled-only") if "event.rolled-only" in texts else ""
        yield LogLine(move.number, mover, text, "rolled", turn, dice, [], Scene("note"))


def refs(event: Event) -> list[str]:
    """Every word in an event that may be the id of a space or a unit."""
    found: dict[str, None] = {}

    def collect(value: Any) -> None:
        if isinstance(value, str):
            found[value] = None
        elif isinstance(value, (list, tuple)):
            for item in value:
                collect(item)

    for name in event.__struct_fields__:
        if name != "seen_by":
            collect(getattr(event, name))
    return list(found)
