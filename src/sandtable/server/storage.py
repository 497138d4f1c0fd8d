"""Storage: an append-only log of moves on SQLite or PostgreSQL, the same code on both.

A move is acknowledged only after it is committed under (match, number). That pair is unique, so two servers or two
clients that answer the same decision cannot both win, and nothing is ever half written.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from alembic import command
from alembic.config import Config
from sqlalchemy import (
    Connection,
    Engine,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError

from sandtable.core import SandtableError

from .schema import chat, clocks, leases, matches, moves, seats, snapshots
from .work import Meanwhile, Statement, Workers

CHANNEL = "sandtable_moves"


class Conflict(SandtableError):
    """Somebody else's move came first."""


class BadDatabase(SandtableError):
    """A database address that cannot be used."""


class MoveRow(msgspec.Struct, frozen=True):
    """A committed move."""

    number: int
    role: str
    action: bytes
    digest: str
    events: bytes
    asked: tuple[str, ...]
    turn: str
    at: float
    takes_back: int | None = None
    request: str | None = None


class SeatRow(msgspec.Struct, frozen=True):
    """Who sits in which roles."""

    match: str
    place: int
    secret_hash: str
    roles: tuple[str, ...]
    kind: str
    level: str
    name: str
    handed_over: bool = False
    secret: str | None = None


class MatchRow(msgspec.Struct, frozen=True):
    """A match without its moves."""

    id: str
    game: str
    rules: int
    scenario: str
    options: dict[str, Any]
    seed: str
    seed_hash: str
    created: float
    updated: float
    public: bool
    kind: str
    number: int
    asked: tuple[str, ...]
    turn: str
    parent: str | None = None
    outcome: dict[str, Any] | None = None
    clock: dict[str, Any] | None = None
    frozen: str | None = None


def database_url(url: str) -> str:
    """The address with the driver we use; an error for databases we do not."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise BadDatabase(f"'{url}' is not a database address (sqlite:///FILE or postgresql://...)") from None
    kind = parsed.get_backend_name()
    if kind == "sqlite":
        return parsed.set(drivername="sqlite+pysqlite").render_as_string(hide_password=False)
    if kind in ("postgresql", "postgres"):
        return parsed.set(drivername="postgresql+psycopg").render_as_string(hide_password=False)
    raise BadDatabase(f"'{kind}' is not a database we can use: SQLite and PostgreSQL are")


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")  # an acknowledged move survives a power cut
    cursor.execute("PRAGMA wal_autocheckpoint=0")  # a thread of its own does that, see work.py
    cursor.execute("PRAGMA busy_timeout=10000")
    cursor.close()


def _migrate(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _upgrade(engine: Engine) -> None:
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":  # several workers may start at once
            connection.execute(text("SELECT pg_advisory_xact_lock(727274)"))
        _migrate(connection)


class Store:
    """The database. Every method is one transaction."""

    def __init__(self, engine: Engine) -> None:
        self.work = Workers(engine)
        self.is_postgres = engine.dialect.name == "postgresql"
        self._add_move = Statement(insert(moves), engine.dialect)
        change = update(matches).where(matches.c.id == bindparam("match"))
        marks: dict[str, Any] = {name: bindparam(name) for name in ("number", "asked", "turn", "updated", "outcome")}
        self._mark_match = Statement(change.values(marks), engine.dialect)

    @classmethod
    async def open(cls, url: str) -> Store:
        """Connect, and bring the tables up to date."""
        address = database_url(url)
        if address.startswith("postgresql"):
            engine = create_engine(address, pool_pre_ping=True, pool_size=12)
        else:
            engine = create_engine(address, connect_args={"check_same_thread": False})
            event.listen(engine, "connect", _prepare_sqlite)
        try:
            await asyncio.get_running_loop().run_in_executor(None, _upgrade, engine)
        except (SQLAlchemyError, OSError) as error:
            engine.dispose()
            reason = str(error.__cause__ or error).splitlines()[0]
            raise BadDatabase(f"the database cannot be used: {reason}") from None
        return cls(engine)

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(None, self.work.close)

    # ---- matches
    async def create(
        self, row: MatchRow, seat_rows: Sequence[SeatRow], log: Sequence[MoveRow] = (), budget: float | None = None
    ) -> None:
        """A new match with its seats, and the moves it starts with when it branched off another."""

        def job(connection: Connection) -> None:
            connection.execute(insert(matches), _match_values(row))
            if seat_rows:
                connection.execute(insert(seats), [_seat_values(seat) for seat in seat_rows])
            if log:
                connection.execute(insert(moves), [_move_values(row.id, move) for move in log])
            if budget is not None:
                for role in sorted({role for seat in seat_rows for role in seat.roles}):
                    since = row.created if role in row.asked else None
                    connection.execute(insert(clocks), {"match": row.id, "role": role, "left": budget, "since": since})

        await self.work.write(job)

    async def match(self, match: str) -> MatchRow | None:
        query = select(matches).where(matches.c.id == match)
        found = await self.work.read(lambda c: c.execute(query).mappings().first())
        return None if found is None else _match_row(found)

    async def number(self, match: str) -> int | None:
        """The number of the last committed move."""
        query = select(matches.c.number).where(matches.c.id == match)
        return await self.work.read(lambda c: c.execute(query).scalar())

    async def list_public(self, limit: int = 100) -> list[MatchRow]:
        query = select(matches).where(matches.c.public).order_by(matches.c.updated.desc()).limit(limit)
        return await self.work.read(lambda c: [_match_row(found) for found in c.execute(query).mappings()])

    async def list_of(self, ids: Sequence[str]) -> list[MatchRow]:
        query = select(matches).where(matches.c.id.in_(ids)).order_by(matches.c.updated.desc())
        return await self.work.read(lambda c: [_match_row(found) for found in c.execute(query).mappings()])

    async def with_computers(self) -> list[str]:
        """Matches that can still go on and have a seat in which the computer plays."""
        query = (
            select(matches.c.id)
            .join(seats, seats.c.match == matches.c.id)
            .where(matches.c.outcome.is_(None), matches.c.frozen.is_(None), matches.c.kind != "import")
            .where(or_(seats.c.kind == "computer", seats.c.handed_over))
            .distinct()
        )
        return await self.work.read(lambda c: list(c.execute(query).scalars()))

    async def set_rules(self, match: str, rules: int) -> None:
        def job(connection: Connection) -> None:
            connection.execute(update(matches).where(matches.c.id == match).values(rules=rules))
            connection.execute(delete(snapshots).where(snapshots.c.match == match))

        await self.work.write(job)

    async def freeze(self, match: str, why: str) -> None:
        await self.work.write(lambda c: c.execute(update(matches).where(matches.c.id == match).values(frozen=why)))

    # ---- moves
    async def append(
        self,
        match: str,
        move: MoveRow,
        *,
        asked: Sequence[str],
        turn: str,
        outcome: Mapping[str, Any] | None,
        clock: Sequence[Mapping[str, Any]] = (),
        snapshot: bytes | None = None,
        meanwhile: Meanwhile | None = None,
    ) -> None:
        """Commit a move. Raises Conflict where its number is taken; then nothing is written."""
        values = {
            "match": match,
            "number": move.number,
            "asked": _text(list(asked)),
            "turn": turn,
            "updated": move.at,
            "outcome": None if outcome is None else _text(dict(outcome)),
        }
        row = _move_values(match, move)

        def job(connection: Connection) -> None:
            self._add_move.run(connection, row)
            self._mark_match.run(connection, values)
            for hand in clock:
                connection.execute(
                    update(clocks).where(clocks.c.match == match, clocks.c.role == hand["role"]),
                    {"left": hand["left"], "since": hand["since"]},
                )
            if snapshot is not None:
                connection.execute(insert(snapshots), {"match": match, "number": move.number, "state": snapshot})
            self._notify(connection, f"{match}:{move.number}")

        try:
            await self.work.write(job, meanwhile)
        except (IntegrityError, sqlite3.IntegrityError):
            raise Conflict("somebody else's move came first") from None

    def _notify(self, connection: Connection, load: str) -> None:
        if self.is_postgres:
            connection.execute(text("SELECT pg_notify(:channel, :load)"), {"channel": CHANNEL, "load": load})

    async def tail(self, match: str, after: int = 0, to: int | None = None) -> list[MoveRow]:
        query = select(moves).where(moves.c.match == match, moves.c.number > after).order_by(moves.c.number)
        if to is not None:
            query = query.where(moves.c.number <= to)
        return await self.work.read(lambda c: [_move_row(found) for found in c.execute(query).mappings()])

    async def by_request(self, match: str, request: str) -> MoveRow | None:
        query = select(moves).where(moves.c.match == match, moves.c.request == request)
        found = await self.work.read(lambda c: c.execute(query).mappings().first())
        return None if found is None else _move_row(found)

    async def requests(self, match: str) -> list[str]:
        """The ids of all requests that made a move."""
        query = select(moves.c.request).where(moves.c.match == match, moves.c.request.is_not(None))
        return await self.work.read(lambda c: [str(found) for found in c.execute(query).scalars()])

    async def snapshot(self, match: str, to: int | None = None) -> tuple[int, bytes] | None:
        """The newest snapshot, not later than move `to`."""
        query = select(snapshots.c.number, snapshots.c.state).where(snapshots.c.match == match)
        if to is not None:
            query = query.where(snapshots.c.number <= to)
        query = query.order_by(snapshots.c.number.desc()).limit(1)
        found = await self.work.read(lambda c: c.execute(query).first())
        return None if found is None else (found[0], found[1])

    # ---- seats
    async def seats(self, match: str) -> list[SeatRow]:
        query = select(seats).where(seats.c.match == match).order_by(seats.c.place)
        return await self.work.read(lambda c: [_seat_row(found) for found in c.execute(query).mappings()])

    async def seats_by_hash(self, hashes: Sequence[str]) -> list[SeatRow]:
        query = select(seats).where(seats.c.secret_hash.in_(hashes))
        return await self.work.read(lambda c: [_seat_row(found) for found in c.execute(query).mappings()])

    async def all_person_seats(self, limit: int = 500) -> list[SeatRow]:
        """For a server on one person's own machine: the seats whose links it kept."""
        query = select(seats).where(seats.c.secret.is_not(None), seats.c.kind == "person").limit(limit)
        return await self.work.read(lambda c: [_seat_row(found) for found in c.execute(query).mappings()])

    async def hand_over(self, match: str, place: int, handed_over: bool) -> None:
        change = update(seats).where(seats.c.match == match, seats.c.place == place).values(handed_over=handed_over)
        await self.work.write(lambda c: c.execute(change))

    # ---- clocks
    async def clocks(self, match: str) -> dict[str, tuple[float, float | None]]:
        """Role -> (seconds left, running since)."""
        query = select(clocks.c.role, clocks.c.left, clocks.c.since).where(clocks.c.match == match)
        return await self.work.read(lambda c: {role: (left, since) for role, left, since in c.execute(query)})

    async def overdue(self, now: float) -> list[tuple[str, str]]:
        """(match, role) of every running clock that ran out."""
        query = (
            select(clocks.c.match, clocks.c.role)
            .join(matches, matches.c.id == clocks.c.match)
            .where(clocks.c.since.is_not(None), clocks.c.since + clocks.c.left < now, matches.c.outcome.is_(None))
        )
        return await self.work.read(lambda c: [(match, role) for match, role in c.execute(query)])

    # ---- talk
    async def say(self, match: str, name: str, roles: Sequence[str], words: str) -> dict[str, Any]:
        at = time.time()
        values = {"match": match, "name": name, "roles": _text(list(roles)), "text": words, "at": at}

        def job(connection: Connection) -> int:
            number = connection.execute(insert(chat).returning(chat.c.id), values).scalar_one()
            self._notify(connection, f"{match}:chat")
            return int(number)

        return {"id": await self.work.write(job), "name": name, "roles": list(roles), "text": words, "at": at}

    async def talk(self, match: str, since: int = 0, limit: int = 200) -> list[dict[str, Any]]:
        query = select(chat).where(chat.c.match == match, chat.c.id > since).order_by(chat.c.id.desc()).limit(limit)
        rows = await self.work.read(lambda c: list(c.execute(query).mappings()))
        return [
            {"id": r["id"], "name": r["name"], "roles": _list(r["roles"]), "text": r["text"], "at": r["at"]}
            for r in reversed(rows)
        ]

    # ---- who lets the computer think
    async def lease(self, match: str, holder: str, seconds: float) -> bool:
        """Take or keep the right to think about a match; False while another process has it."""
        now = time.time()

        def job(connection: Connection) -> None:
            mine = or_(leases.c.holder == holder, leases.c.until < now)
            change = update(leases).where(leases.c.match == match, mine).values(holder=holder, until=now + seconds)
            if connection.execute(change).rowcount == 0:
                connection.execute(insert(leases), {"match": match, "holder": holder, "until": now + seconds})

        try:
            await self.work.write(job)
        except IntegrityError:
            return False
        return True

    async def count(self) -> int:
        query = select(func.count()).select_from(matches)
        return await self.work.read(lambda c: int(c.execute(query).scalar() or 0))


# ---- rows to records and back ------------------------------------------------------------------------------------
def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _list(value: str) -> list[str]:
    return msgspec.json.decode(value, type=list[str])


def _match_values(row: MatchRow) -> dict[str, Any]:
    values = msgspec.structs.asdict(row)
    for name in ("options", "outcome", "clock"):
        values[name] = None if values[name] is None else _text(values[name])
    values["asked"] = _text(list(row.asked))
    return values


def _match_row(found: Mapping[Any, Any]) -> MatchRow:
    values = dict(found)
    for name in ("options", "outcome", "clock"):
        values[name] = None if values[name] is None else msgspec.json.decode(values[name])
    values["asked"] = tuple(_list(values["asked"]))
    return MatchRow(**values)


def _move_values(match: str, move: MoveRow) -> dict[str, Any]:
    values = msgspec.structs.asdict(move)
    return {**values, "match": match, "asked": _text(list(move.asked))}


def _move_row(found: Mapping[Any, Any]) -> MoveRow:
    values = dict(found)
    values.pop("match")
    values["asked"] = tuple(_list(values["asked"]))
    return MoveRow(**values)


def _seat_values(seat: SeatRow) -> dict[str, Any]:
    return {**msgspec.structs.asdict(seat), "roles": _text(list(seat.roles))}


def _seat_row(found: Mapping[Any, Any]) -> SeatRow:
    return SeatRow(**{**found, "roles": tuple(_list(found["roles"]))})


__all__ = ["CHANNEL", "BadDatabase", "Conflict", "MatchRow", "MoveRow", "SeatRow", "Store", "database_url"]
