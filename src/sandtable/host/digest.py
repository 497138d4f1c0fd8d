"""The digest: what happened since a player's last move, as their seat may know it.

It is made of two tables and the log between them, all three as the seat sees them. So it knows nothing that the seat
does not. A person reads it when they come back, and the same words go into a message that calls them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sandtable.core import Game, Texts
from sandtable.core.table import CounterFace, Table

from . import messages as m
from .log import LogLine
from .records import MoveRow

_OF_A_BATTLE = frozenset(("fight", "hit", "leave"))
"""Kinds of scenes that belong to the fighting at a place."""
_ELSEWHERE = frozenset(("move", "note"))
"""Kinds of scenes that a digest only counts, or leaves to the log."""


def last_own(moves: Iterable[MoveRow], roles: Sequence[str]) -> int:
    """Return the number of the last move that one of these roles made; 0 before the first."""
    return max((move.number for move in moves if move.role in roles), default=0)


def digest(game: Game[Any], before: Table, now: Table, lines: Sequence[LogLine], language: str) -> m.DigestFace:
    """Return what happened between two tables of one role, with the log between them."""
    texts = game.texts(language)
    fights, others = _sorted(lines)
    known = _counters(before) | _counters(now)
    return m.DigestFace(
        since=before.number,
        number=now.number,
        turn=now.turn,
        battles=[_battle(place, told, now, known, texts) for (_, place), told in fights.items()],
        changed=[
            m.SpaceChange(space, texts.name(space), before.spaces[space].side, face.side)
            for space, face in now.spaces.items()
            if space in before.spaces and before.spaces[space].side != face.side
        ],
        forces=list(_forces(before, now, texts)),
        moved=dict(Counter(side for line in lines if (side := _mover(line)) in now.sides).most_common()),
        lines=[
            m.DigestLine(line.number, line.turn, line.role, line.text, line.refs)
            for line in others
            if line.text and line.scene.kind not in _ELSEWHERE
        ],
    )


def _sorted(lines: Sequence[LogLine]) -> tuple[dict[tuple[str, str], list[LogLine]], list[LogLine]]:
    """Return the lines of fighting by turn and place, in the order in which it began, and all other lines.

    A hit or a loss without a place belongs to the fight that is on.
    """
    fights: dict[tuple[str, str], list[LogLine]] = {}
    others: list[LogLine] = []
    last: tuple[str, str] | None = None
    for line in lines:
        if line.scene.kind in _OF_A_BATTLE and line.scene.path:
            last = line.turn, line.scene.path[-1]
        elif line.scene.kind not in _OF_A_BATTLE or last is None or last[0] != line.turn:
            others.append(line)
            continue
        fights.setdefault(last, []).append(line)
    return fights, others


def _battle(
    place: str, told: Sequence[LogLine], now: Table, known: Mapping[str, CounterFace], texts: Texts
) -> m.BattleDigest:
    units = [unit for line in told if line.scene.kind == "leave" for unit in line.scene.units if unit in known]
    lost = Counter((known[unit].side, _what(known[unit], texts)) for unit in units)
    return m.BattleDigest(
        place=place,
        name=texts.name(place),
        turn=told[0].turn,
        number=told[0].number,
        lost=[m.Tally(side, what, number) for (side, what), number in sorted(lost.items())],
        holder=now.spaces[place].side if place in now.spaces else "",
        dice=[die.value for line in told for die in line.dice],
        lines=[line.text for line in told if line.text],
    )


def _mover(line: LogLine) -> str:
    """Return the side whose counters a line tells to have moved; '' for other lines."""
    return (line.scene.side or line.role) if line.scene.kind == "move" else ""


def _counters(table: Table) -> dict[str, CounterFace]:
    """Return the counters on the map that can be told from others."""
    return {
        face.id: face
        for place, stack in table.stacks.items()
        if place in table.spaces
        for face in stack
        if "hidden" not in face.state and face.side in table.sides
    }


def _what(face: CounterFace, texts: Texts) -> str:
    """Return what a list of losses calls a counter."""
    name = texts.name(face.id)
    return name if name != face.id or not face.label else face.label


def _forces(before: Table, now: Table, texts: Texts) -> Iterator[m.Tally]:
    """Yield how many of each kind came onto the map, or left it, like with like."""
    was, there = _counters(before), _counters(now)
    change: Counter[tuple[str, str]] = Counter()
    for unit in was.keys() ^ there.keys():
        face = there.get(unit) or was[unit]
        change[face.side, _what(face, texts)] += 1 if unit in there else -1
    for (side, what), number in sorted(change.items()):
        if number:
            yield m.Tally(side, what, number)


# ---- as text, for a message
def in_words(face: m.DigestFace, now: Table, texts: Texts) -> str:
    """Return a digest as plain text: a line for each fight, each space that changed hands, each change of forces."""

    def side(name: str) -> str:
        return now.sides[name].name if name in now.sides else texts.say("digest.nobody")

    def tallies(items: Sequence[m.Tally]) -> Iterator[str]:
        for owner in dict.fromkeys(item.side for item in items):
            mine = ", ".join(f"{item.number} × {item.what}" for item in items if item.side == owner)
            yield f"{side(owner)} {mine}"

    said: list[str] = []
    for battle in face.battles:
        lost = "; ".join(tallies(battle.lost)) or texts.say("digest.nothing")
        said.append(texts.say("digest.battle", place=battle.name, turn=battle.turn, lost=lost))
    said += [texts.say("digest.taken", place=one.name, was=side(one.was), now=side(one.now)) for one in face.changed]
    for key, sign in (("digest.came", 1), ("digest.left", -1)):
        items = [m.Tally(one.side, one.what, abs(one.number)) for one in face.forces if one.number * sign > 0]
        if items:
            said.append(texts.say(key, units="; ".join(tallies(items))))
    return "\n".join(said or [texts.say("digest.quiet")])
