"""What an operator does with a database: looking, checking, deleting, backing up, and going back to a moment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, delete, func, insert, select, update

from sandtable.core import Match, SandtableError
from sandtable.games import registered
from sandtable.host.clocks import is_outside
from sandtable.host.matches import Matches, standing, start
from sandtable.host.records import MatchRow, MoveRow
from sandtable.host.seats import hash_secret, with_new_secret

from . import schema as t
from .database import BadDatabase, open_engine
from .storage import Store

TABLES = (
    t.matches, t.moves, t.snapshots, t.seats, t.clocks, t.chat, t.stories,
    t.people, t.keys, t.pushes, t.waits, t.ratings, t.settings,
)  # fmt: skip
"""Everything but leases, which end with a server anyway."""
AT_ONCE = 1_000


class Fault(msgspec.Struct):
    """What is wrong with a match."""

    match: str
    reason: str


async def _nobody(live: Any, moves: Any) -> None:
    """Nobody is told."""


class Office:
    """A database without a server."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.matches = Matches(store, lambda: 0.0, _nobody, alone=True)

    @classmethod
    async def open(cls, url: str, *, to_change: bool = False) -> Office:
        """Open the database; `to_change` needs that no server is running on a SQLite file."""
        return cls(await Store.open(url, sole=to_change))

    async def row(self, match: str) -> MatchRow:
        found = await self.store.match(match)
        if found is None:
            raise SandtableError(f"there is no match '{match}'")
        return found

    async def export(self, match: str) -> bytes:
        """Return the match file, with the seed if the match is over."""
        return await self.matches.export(await self.matches.live(match))

    async def verify(self) -> tuple[int, list[Fault]]:
        """Replay every match and compare each state; returns how many moves were replayed, and what is wrong."""
        moves, faults = 0, []
        for match in await self.store.ids():
            row = await self.row(match)
            try:
                log = await self.matches.tail(row)
                check(row, log)
                moves += len(log)
            except SandtableError as error:
                faults.append(Fault(match, str(error)))
        return moves, faults

    async def rotate(self, match: str, place: int) -> str:
        """Give a seat a new invitation, whoever has it now; returns the link."""
        seats = {seat.place: seat for seat in await self.store.seats(match)}
        if place not in seats or seats[place].kind != "person":
            raise SandtableError(f"there is no person's seat {place} at this match")
        changed = with_new_secret(seats[place], invitation=True)
        changed = msgspec.structs.replace(changed, person="", version=changed.version + 1)
        assert changed.secret is not None
        assert changed.secret_hash == hash_secret(changed.secret)
        kept = msgspec.structs.replace(changed, secret=None)
        row = await self.row(match)
        await self.store.set_seat(row, kept, seats[place], await self.store.clocks(match))
        return f"/m/{match}#seat={changed.secret}"


def check(row: MatchRow, log: Sequence[MoveRow]) -> Match[Any]:
    """Replay a match and return it. Raises if a move is missing or leads to another state than the stored one."""
    numbers = [move.number for move in log]
    if numbers != list(range(1, row.number + 1)):
        raise SandtableError(f"the match is at move {row.number}, but its log has {len(numbers)} moves")
    played = start(registered(row.game, row.rules), row)
    for move in log:
        played.again(move.role, played.parse(move.action))
        if row.frozen is None and played.digest() != move.digest:
            raise SandtableError(f"move {move.number} leads to another state than the stored one")
        played.forget()
    return played


# ---- backups: a SQLite file with the same tables, whatever database they come from
def back_up(url: str, file: Path) -> int:
    """Copy everything as it is at one moment, while servers go on; returns the number of matches."""
    if file.exists():
        raise BadDatabase(f"{file} is there already")
    source, _ = open_engine(url)
    target, _ = open_engine(f"sqlite:///{file}")
    try:
        options = {"isolation_level": "REPEATABLE READ"} if source.dialect.name == "postgresql" else {}
        with source.connect().execution_options(**options) as reading, target.begin() as writing:
            for table in TABLES:
                for rows in _parts(reading, table):
                    writing.execute(insert(table), rows)
            return int(writing.execute(select(func.count()).select_from(t.matches)).scalar_one())
    finally:
        source.dispose()
        target.dispose()


def _parts(connection: Connection, table: Any) -> Iterator[list[dict[str, Any]]]:
    result = connection.execution_options(stream_results=True, yield_per=AT_ONCE).execute(select(table))
    for part in result.mappings().partitions():
        yield [dict(row) for row in part]


def restore(file: Path, url: str, at: float | None = None) -> int:
    """Fill an empty database from a backup, as it was at a moment if one is given; returns the number of matches."""
    if not file.exists():
        raise BadDatabase(f"there is no file {file}")
    source, _ = open_engine(f"sqlite:///{file}")
    target, _ = open_engine(url)
    try:
        with source.connect() as reading, target.begin() as writing:
            if writing.execute(select(func.count()).select_from(t.matches)).scalar_one():
                raise BadDatabase("a backup is restored into an empty database; this one has matches")
            for table in TABLES:
                for rows in _parts(reading, table):
                    writing.execute(insert(table), rows)
            if target.dialect.name == "postgresql":
                writing.exec_driver_sql("SELECT setval('chat_id_seq', (SELECT coalesce(max(id), 0) + 1 FROM chat))")
        if at is not None:
            _go_back(target, at)
        with target.connect() as reading:
            return int(reading.execute(select(func.count()).select_from(t.matches)).scalar_one())
    finally:
        source.dispose()
        target.dispose()


def _go_back(engine: Engine, at: float) -> None:
    """Take away everything that came after a moment. The log only grows, so what was there then is still there."""
    from .storage import _match_row, _match_values, _move_row

    with engine.begin() as connection:
        late = select(t.matches.c.id).where(t.matches.c.created > at)
        for table in (t.moves, t.snapshots, t.seats, t.clocks, t.chat):
            connection.execute(delete(table).where(table.c.match.in_(late)))
        connection.execute(delete(t.matches).where(t.matches.c.created > at))
        connection.execute(delete(t.chat).where(t.chat.c.at > at))
        changed = list(connection.execute(select(t.moves.c.match).where(t.moves.c.at > at).distinct()).scalars())
        connection.execute(delete(t.moves).where(t.moves.c.at > at))
        for match in changed:
            row = _match_row(connection.execute(select(t.matches).where(t.matches.c.id == match)).mappings().one())
            log = _log(connection, row, _match_row, _move_row)
            played = check(msgspec.structs.replace(row, number=len(log)), log)
            updated = log[-1].at if log else row.created
            fresh = msgspec.structs.replace(row, updated=updated, thinks=True, **standing(played))
            connection.execute(update(t.matches).where(t.matches.c.id == match).values(_match_values(fresh)))
            connection.execute(delete(t.snapshots).where(t.snapshots.c.match == match))
            made = [move for move in log if not is_outside(move)]
            since = made[-1].at if made else row.created
            for role, left in connection.execute(
                select(t.clocks.c.role, t.clocks.c.left).where(t.clocks.c.match == match)
            ).all():
                runs = role in fresh.asked
                values = {"since": since if runs else None, "due": since + left if runs else None}
                mine = (t.clocks.c.match == match, t.clocks.c.role == role)
                connection.execute(update(t.clocks).where(*mine).values(values))


def _log(connection: Connection, row: MatchRow, match_row: Any, move_row: Any) -> list[MoveRow]:
    """Return the moves of a match, its parent's first."""
    own = select(t.moves).where(t.moves.c.match == row.id, t.moves.c.number > row.base).order_by(t.moves.c.number)
    moves = [move_row(found) for found in connection.execute(own).mappings()]
    if row.base and row.parent is not None:
        parent = connection.execute(select(t.matches).where(t.matches.c.id == row.parent)).mappings().one()
        lent = _log(connection, match_row(parent), match_row, move_row)
        moves = [*lent[: row.base], *moves]
    return moves
