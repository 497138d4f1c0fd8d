"""Stories: what players say about the moves of a match, with arrows, marked spaces and variations.

Each seat has one story of a match. While the match runs it is its teller's own: nobody else is shown any of it, and it
holds nothing but what the teller wrote. It can be published when the match is over, and so are those it branched off:
then everybody may see everything anyway. A variation is copied from a branch with the seed of its dice, so a story
stays whole when the branch is gone. While a match with hidden things runs, nobody who sees only a part of it can have
one.

An annotated file is a match file whose header has the story as one more field. Programs that know no stories read it
as the match file it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from sandtable.core import Match, SandtableError
from sandtable.core import replay as files

from . import log, sight
from . import messages as m
from .errors import NotAllowed, NotFound, NotSeated, Stale
from .log import LogLine
from .matches import make_move
from .records import MOST_VARIATION, NO_NUL, MatchRow, MoveRow, Note, SeatRow, StoryRow, Variation, VariationMove, Word

if TYPE_CHECKING:
    from .visit import Visit

MOST_NOTES = 400
MOST_BYTES = 512 * 1024
"""What the notes of a story may take."""


class Told(msgspec.Struct, frozen=True):
    """A story as a file holds it."""

    title: Annotated[str, msgspec.Meta(max_length=200, pattern=NO_NUL)]
    by: Word
    eyes: Word
    notes: Annotated[list[Note], msgspec.Meta(max_length=MOST_NOTES)]


class _Head(msgspec.Struct):
    """What a header says of a story."""

    story: Told | None = None


# ---- reading
async def read(visit: Visit, number: int | None) -> m.StoryFace:
    """Return a story that may be read, or what the seat has of its own."""
    rows = await visit.host.storage.stories(visit.live.row.id)
    row = _own(rows, visit.seat) if number is None else _readable(rows, visit.seat, number)
    return await _face(visit, row, rows)


def _own(rows: Sequence[StoryRow], seat: SeatRow | None) -> StoryRow | None:
    """Return the story of who sits there. Another player of the same seat has another story."""
    mine = (row for row in rows if seat is not None and (row.place, row.person) == (seat.place, seat.person))
    return next(mine, None)


def _readable(rows: Sequence[StoryRow], seat: SeatRow | None, number: int) -> StoryRow:
    mine = _own(rows, seat)
    row = next((row for row in rows if row.number == number), None)
    if row is None or not (row.published or row == mine):
        raise NotFound("there is no such story, or it is not published")
    return row


async def _face(visit: Visit, row: StoryRow | None, rows: Sequence[StoryRow]) -> m.StoryFace:
    may = await visit.host.matches.open_seed(visit.live) is not None
    others = [m.StoryLine(one.number, one.title, one.by) for one in rows if one.published]
    if row is None:
        roles = visit.seat.roles if visit.seat is not None else ("",)
        return m.StoryFace(0, "", "", roles[0], [], visit.seat is not None, False, may, 0, others)
    notes = [
        m.NoteFace(note.at, note.text, note.arrows, note.spaces, [_shown(one, visit) for one in note.variations])
        for note in row.notes
    ]
    is_mine = row == _own(rows, visit.seat)
    return m.StoryFace(
        row.number, row.title, row.by, row.eyes, notes, is_mine, row.published, may, row.version, others
    )  # fmt: skip


def _shown(variation: Variation, visit: Visit) -> m.VariationFace:
    texts = visit.live.game.texts(visit.language)

    def label(move: VariationMove) -> str:
        verb = f"verb.{move.action.get('do', '')}"
        return texts.say(verb) if verb in texts else str(move.action.get("do", ""))

    return m.VariationFace(variation.text, [label(move) for move in variation.moves])


# ---- writing
async def _change(visit: Visit, version: int, change: Callable[[StoryRow], StoryRow]) -> m.StoryFace:
    """Change the seat's own story, or begin it."""
    visit.refuse_in_lessons()
    storage = visit.host.storage
    if visit.seat is None:
        raise NotSeated("a story is told by those who play; bring in a copy of the match to tell your own")
    rows = await storage.stories(visit.live.row.id)
    was = _own(rows, visit.seat)
    before = was or _begun(visit, visit.seat, rows)
    after = change(before)
    if after == before:  # what has been written already is not written twice
        return await _face(visit, was, rows)
    if len(msgspec.json.encode(after.notes)) > MOST_BYTES or len(after.notes) > MOST_NOTES:
        raise SandtableError(f"a story has at most {MOST_NOTES} notes and {MOST_BYTES // 1024} kB")
    after = msgspec.structs.replace(after, version=before.version + 1, updated=visit.host.now())
    if version != before.version or not await storage.set_story(after, was):
        raise Stale("the story has been changed elsewhere; look at it again", visit.match.number)
    return await _face(visit, after, [*(row for row in rows if row is not was), after])


def _begun(visit: Visit, seat: SeatRow, rows: Sequence[StoryRow]) -> StoryRow:
    """Return an empty story. Its number tells nothing of what others write: each seat has numbers of its own."""
    before = sum(row.place == seat.place for row in rows)
    number = 1 + seat.place + before * len(visit.live.seats)
    match, now = visit.live.row.id, visit.host.now()
    return StoryRow(match, number, seat.place, seat.person, seat.name, "", seat.roles[0], [], now)


def _with_note(row: StoryRow, note: Note) -> StoryRow:
    """Return the story with this note in its place; one that says nothing is left out."""
    said = note.text or note.arrows or note.spaces or note.variations
    others = [one for one in row.notes if one.at != note.at]
    notes = sorted([*others, note] if said else others, key=lambda one: one.at)
    return msgspec.structs.replace(row, notes=notes)


def _note_at(row: StoryRow, at: int) -> Note:
    return next((note for note in row.notes if note.at == at), Note(at))


async def annotate(visit: Visit, wish: m.Annotate) -> m.StoryFace:
    """Say something about the position after a move."""
    if wish.at > visit.match.number:
        raise NotFound(f"the match has {visit.match.number} moves; there is no move {wish.at}")

    def change(row: StoryRow) -> StoryRow:
        note = _note_at(row, wish.at)
        text = wish.text.strip()
        return _with_note(row, Note(wish.at, text, wish.arrows, wish.spaces, note.variations))

    return await _change(visit, wish.version, change)


async def publish(visit: Visit, wish: m.Publish) -> m.StoryFace:
    """Give the story a title, and let others read it, or no longer."""
    if wish.eyes and wish.eyes not in visit.match.roles:
        raise NotFound("there is no such role in this match")
    if wish.published and await visit.host.matches.open_seed(visit.live) is None:
        raise NotAllowed("a story is published when the match is over, and so are those it branched off")
    seat, title = visit.seat, wish.title.strip()

    def change(row: StoryRow) -> StoryRow:
        if wish.published and not row.notes:
            raise NotAllowed("the story says nothing yet: write something about a move first")
        by = (seat.name if seat is not None else "") or row.by
        return msgspec.structs.replace(row, title=title, eyes=wish.eyes, published=wish.published, by=by)

    return await _change(visit, wish.version, change)


# ---- variations
def _may_vary(visit: Visit) -> bool:
    """Whether the seat may know every position of the match."""
    if visit.live.row.is_open or visit.live.game.public(visit.match.state):
        return True
    return visit.seat is not None and set(visit.seat.roles) == set(visit.match.roles)


async def add_variation(visit: Visit, wish: m.AddVariation) -> m.StoryFace:
    """Copy what was played on a branch into the note at the move where it begins."""
    if not _may_vary(visit):
        raise NotAllowed("a match with hidden things has no variations while it runs")
    person = visit.seat.person if visit.seat is not None else ""
    branch = await visit.host.visit(wish.branch, wish.seat, visit.language, person)
    if branch.seat is None:
        raise NotSeated("a seat of the branch is needed for that")
    row = branch.live.row
    if row.kind == "imagined":
        raise NotAllowed("what was played from an imagined position is no variation of the match as it was")
    if row.kind != "branch" or not await _is_branch_of(visit, row):
        raise NotAllowed("that match is no branch of this one")
    rows = await visit.host.matches.tail(row, row.base)
    gone = log.gone(rows)
    moves = [VariationMove(one.role, json.loads(one.action)) for one in rows if one.number not in gone]
    if not moves:
        raise NotAllowed("nothing has been played on that branch yet")
    past = await visit.host.matches.at(visit.live.row.id, row.base)
    draft = Variation(wish.text.strip(), row.seed, moves[:MOST_VARIATION], "")
    played, _ = replayed(past, draft)
    made = msgspec.structs.replace(draft, digest=played.digest())

    def change(story: StoryRow) -> StoryRow:
        note = _note_at(story, row.base)
        if len(note.variations) >= 8:
            raise NotAllowed("a move has at most 8 variations")
        return _with_note(story, msgspec.structs.replace(note, variations=[*note.variations, made]))

    return await _change(visit, wish.version, change)


async def _is_branch_of(visit: Visit, branch: MatchRow) -> bool:
    """Whether a branch begins with moves of this match, which may be those of its own parents."""
    row: MatchRow | None = visit.live.row
    most = visit.match.number
    while row is not None:
        if branch.parent == row.id:
            return branch.base <= most
        most = min(most, row.base)
        row = await visit.host.storage.match(row.parent) if row.parent else None
    return False


async def drop_variation(visit: Visit, wish: m.DropVariation) -> m.StoryFace:
    """Take a variation out of the story."""

    def change(row: StoryRow) -> StoryRow:
        note = _note_at(row, wish.at)
        if wish.place >= len(note.variations):
            raise NotFound("there is no such variation")
        left = [one for place, one in enumerate(note.variations) if place != wish.place]
        return _with_note(row, msgspec.structs.replace(note, variations=left))

    return await _change(visit, wish.version, change)


async def variation(visit: Visit, wish: m.AskVariation) -> m.VariationStep:
    """Return a position of a variation, as the reader may see it."""
    row = _readable(await visit.host.storage.stories(visit.live.row.id), visit.seat, wish.story)
    if not _may_vary(visit):  # something may be hidden that was not when it was written
        raise NotAllowed("a match with hidden things has no variations while it runs")
    found = _note_at(row, wish.at).variations
    if wish.place >= len(found):
        raise NotFound("there is no such variation")
    past = await visit.host.matches.at(visit.live.row.id, wish.at)
    is_open = visit.live.row.is_open
    played, moves = replayed(past, found[wish.place], wish.move)
    role = sight.viewpoint(visit.seat, played, wish.role, is_open=is_open)
    roles = played.roles if is_open else visit.seat.roles if visit.seat is not None else ()
    lines: list[LogLine] = log.lines(visit.live.game, moves, roles, visit.language)
    return m.VariationStep(played.table(role, visit.language), lines)


def replayed(past: Match[Any], variation: Variation, to: int | None = None) -> tuple[Match[Any], list[MoveRow]]:
    """Play a variation from where it begins, as far as asked; returns the match and the moves."""
    played: Match[Any] = Match.restore(past.game, past.state, seed=variation.seed, number=past.number)
    moves = []
    try:
        for move in variation.moves[:to]:
            action = played.parse(json.dumps(move.action).encode())
            moves.append(make_move(played, move.role, action, 0.0))
    except SandtableError:
        raise SandtableError("this variation does not replay from its move") from None
    if variation.digest and len(moves) == len(variation.moves) and played.digest() != variation.digest:
        raise SandtableError("this variation leads to another position than it did when it was played")
    return played, moves


# ---- files
async def file(visit: Visit, number: int) -> bytes:
    """Return the match file with a story in it, when the match is over."""
    row = _readable(await visit.host.storage.stories(visit.live.row.id), visit.seat, number)
    if await visit.host.matches.open_seed(visit.live) is None:
        raise NotAllowed("an annotated file is made when the match is over")
    return written(await visit.host.matches.export(visit.live), row)


def written(data: bytes, row: StoryRow) -> bytes:
    """Return a match file with a story in its header."""
    head, _, rest = data.partition(b"\n")
    told = Told(row.title, row.by, row.eyes, list(row.notes))
    fields = {**msgspec.to_builtins(msgspec.json.decode(head, type=files.Header)), "story": told}
    return msgspec.json.encode(fields) + b"\n" + rest


def told_in(text: str) -> Told | None:
    """Return the story in a match file; None if it has none. Whether the file is one is not looked at."""
    head = text.partition("\n")[0]
    try:
        return msgspec.json.decode(head, type=_Head).story
    except msgspec.ValidationError as error:
        raise SandtableError(f"the story in the match file cannot be read: {error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def brought(told: Told, row: MatchRow, roles: Sequence[str]) -> StoryRow:
    """Return the story of a file as that of the match that was brought in. Raises one sentence if it does not fit."""
    if told.eyes and told.eyes not in roles:
        raise SandtableError(f"the story in the match file is told by '{told.eyes}', who is not in this match")
    places = [note.at for note in told.notes]
    if any(at > row.number for at in places) or len(set(places)) < len(places):
        raise SandtableError("the story in the match file does not fit its moves")
    notes = sorted(told.notes, key=lambda note: note.at)
    if len(msgspec.json.encode(notes)) > MOST_BYTES:
        raise SandtableError(f"the story in the match file is longer than {MOST_BYTES // 1024} kB")
    return StoryRow(row.id, 1, 0, "", told.by, told.title, told.eyes, notes, row.created, version=1)
