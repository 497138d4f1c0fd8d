"""Storage: an append-only log of moves on SQLite or PostgreSQL, the same code on both.

A move is acknowledged only after it is committed under (match, number). That pair is unique, so two servers or two
clients that answer the same decision cannot both win, and nothing is ever half written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from alembic import command
from alembic.config import Config
from sqlalchemy import (
    Connection,
    Engine,
    Select,
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
from sandtable.host.records import ChatLine, Conflict, Hands, MatchRow, MoveRow, SeatRow

from . import schema as t
from .schema import chat, clocks, leases, matches, moves, snapshots
from .work import Workers

CHANNEL = "sandtable_moves"
PUBLIC_SHOWN = 100
KEPT_SHOWN = 500
CHAT_SHOWN = 200


class BadDatabase(SandtableError):
    """A database address that cannot be used."""


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
    connection.isolation_level = None  # transactions are begun by SQLAlchemy, as savepoints need it
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")  # an acknowledged move survives a power cut
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
    """The database, as the host's `Storage`. Every method is one transaction."""

    def __init__(self, engine: Engine) -> None:
        self.work = Workers(engine)
        self.is_postgres = engine.dialect.name == "postgresql"

    @classmethod
    async def open(cls, url: str) -> Store:
        """Connect, and bring the tables up to date."""
        address = database_url(url)
        if address.startswith("postgresql"):
            engine = create_engine(address, pool_pre_ping=True, pool_size=12)
        else:
            engine = create_engine(address, connect_args={"check_same_thread": False})
            event.listen(engine, "connect", _prepare_sqlite)
            event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
        try:
            await asyncio.get_running_loop().run_in_executor(None, _upgrade, engine)
        except (SQLAlchemyError, OSError) as error:
            engine.dispose()
            reason = str(error.__cause__ or error).splitlines()[0]
            raise BadDatabase(f"the database cannot be used: {reason}") from None
        return cls(engine)

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(None, self.work.close)

    async def count(self) -> int:
        query = select(func.count()).select_from(matches)
        return await self.work.read(lambda c: int(c.execute(query).scalar() or 0))

    # ---- matches
    async def create(self, row: MatchRow, seats: Sequence[SeatRow], log: Sequence[MoveRow], hands: Hands) -> None:
        def job(connection: Connection) -> None:
            connection.execute(insert(matches), _match_values(row))
            for table, rows in (
                (t.seats, [_seat_values(seat) for seat in seats]),
                (t.moves, [_move_values(row.id, move) for move in log]),
                (t.clocks, [_hand_values(row.id, role, hand) for role, hand in hands.items()]),
            ):
                if rows:
                    connection.execute(insert(table), rows)

        await self.work.write(job)

    async def match(self, match: str) -> MatchRow | None:
        query = select(matches).where(matches.c.id == match)
        found = await self.work.read(lambda c: c.execute(query).mappings().first())
        return None if found is None else _match_row(found)

    async def list_matches(self, ids: Sequence[str] | None) -> Sequence[MatchRow]:
        query = select(matches).order_by(matches.c.updated.desc())
        query = query.where(matches.c.public).limit(PUBLIC_SHOWN) if ids is None else query.where(matches.c.id.in_(ids))
        return await self.work.read(lambda c: [_match_row(found) for found in c.execute(query).mappings()])

    async def with_computers(self) -> Sequence[str]:
        query = (
            select(matches.c.id)
            .join(t.seats, t.seats.c.match == matches.c.id)
            .where(matches.c.outcome.is_(None), matches.c.frozen.is_(None), matches.c.kind != "import")
            .where(or_(t.seats.c.kind == "computer", t.seats.c.handed_over))
            .distinct()
        )
        return await self.work.read(lambda c: list(c.execute(query).scalars()))

    async def set_rules(self, match: str, rules: int, frozen: str | None) -> None:
        def job(connection: Connection) -> None:
            connection.execute(update(matches).where(matches.c.id == match).values(rules=rules, frozen=frozen))
            if frozen is None:
                connection.execute(delete(snapshots).where(snapshots.c.match == match))

        await self.work.write(job)

    # ---- moves
    async def append(self, row: MatchRow, move: MoveRow, hands: Hands, snapshot: bytes | None) -> None:
        after, added = _match_values(row), _move_values(row.id, move)
        changes = {name: after[name] for name in ("number", "asked", "turn", "updated", "outcome")}

        def job(connection: Connection) -> None:
            connection.execute(_ADD_MOVE, added)
            connection.execute(_MARK_MATCH, {"of": row.id, **changes})
            for role, (left, since) in hands.items():
                hand = update(clocks).where(clocks.c.match == row.id, clocks.c.role == role)
                connection.execute(hand.values(left=left, since=since))
            if snapshot is not None:
                connection.execute(insert(snapshots), {"match": row.id, "number": move.number, "state": snapshot})
            self._notify(connection, f"{row.id}:{move.number}")

        try:
            await self.work.write(job)
        except IntegrityError:
            raise Conflict("somebody else's move came first") from None

    def _notify(self, connection: Connection, load: str) -> None:
        if self.is_postgres:
            connection.execute(text("SELECT pg_notify(:channel, :load)"), {"channel": CHANNEL, "load": load})

    async def tail(self, match: str, after: int = 0, to: int | None = None) -> Sequence[MoveRow]:
        query = select(moves).where(moves.c.match == match, moves.c.number > after).order_by(moves.c.number)
        if to is not None:
            query = query.where(moves.c.number <= to)
        return await self.work.read(lambda c: [_move_row(found) for found in c.execute(query).mappings()])

    async def by_request(self, match: str, request: str) -> MoveRow | None:
        query = select(moves).where(moves.c.match == match, moves.c.request == request)
        found = await self.work.read(lambda c: c.execute(query).mappings().first())
        return None if found is None else _move_row(found)

    async def snapshot(self, match: str, to: int | None = None) -> tuple[int, bytes] | None:
        query = select(snapshots.c.number, snapshots.c.state).where(snapshots.c.match == match)
        if to is not None:
            query = query.where(snapshots.c.number <= to)
        query = query.order_by(snapshots.c.number.desc()).limit(1)
        found = await self.work.read(lambda c: c.execute(query).first())
        return None if found is None else (found[0], found[1])

    # ---- seats
    async def seats(self, match: str) -> Sequence[SeatRow]:
        return await self._seats(select(t.seats).where(t.seats.c.match == match).order_by(t.seats.c.place))

    async def find_seats(self, hashes: Sequence[str] | None) -> Sequence[SeatRow]:
        if hashes is None:
            return await self._seats(select(t.seats).where(t.seats.c.secret.is_not(None)).limit(KEPT_SHOWN))
        return await self._seats(select(t.seats).where(t.seats.c.secret_hash.in_(hashes)))

    async def _seats(self, query: Select[Any]) -> Sequence[SeatRow]:
        return await self.work.read(lambda c: [_seat_row(found) for found in c.execute(query).mappings()])

    async def hand_over(self, match: str, place: int, handed_over: bool) -> None:
        change = update(t.seats).where(t.seats.c.match == match, t.seats.c.place == place)
        await self.work.write(lambda c: c.execute(change.values(handed_over=handed_over)))

    # ---- clocks
    async def clocks(self, match: str) -> Hands:
        query = select(clocks.c.role, clocks.c.left, clocks.c.since).where(clocks.c.match == match)
        return await self.work.read(lambda c: {role: (left, since) for role, left, since in c.execute(query)})

    async def overdue(self, now: float) -> Sequence[tuple[str, str]]:
        query = (
            select(clocks.c.match, clocks.c.role)
            .join(matches, matches.c.id == clocks.c.match)
            .where(clocks.c.since.is_not(None), clocks.c.since + clocks.c.left < now, matches.c.outcome.is_(None))
        )
        return await self.work.read(lambda c: [(match, role) for match, role in c.execute(query)])

    # ---- talk
    async def say(self, match: str, name: str, roles: Sequence[str], text: str, at: float) -> ChatLine:
        values = {"match": match, "name": name, "roles": _text(list(roles)), "text": text, "at": at}

        def job(connection: Connection) -> int:
            number = connection.execute(insert(chat).returning(chat.c.id), values).scalar_one()
            self._notify(connection, f"{match}:chat")
            return int(number)

        return ChatLine(await self.work.write(job), name, list(roles), text, at)

    async def talk(self, match: str, since: int = 0) -> Sequence[ChatLine]:
        query = select(chat).where(chat.c.match == match, chat.c.id > since).order_by(chat.c.id.desc())
        rows = await self.work.read(lambda c: list(c.execute(query.limit(CHAT_SHOWN)).mappings()))
        return [ChatLine(r["id"], r["name"], _list(r["roles"]), r["text"], r["at"]) for r in reversed(rows)]

    # ---- who lets the computer think
    async def lease(self, match: str, holder: str, now: float, seconds: float) -> bool:
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


_ADD_MOVE = insert(moves)
_MARKS: dict[str, Any] = {name: bindparam(name) for name in ("number", "asked", "turn", "updated", "outcome")}
_MARK_MATCH = update(matches).where(matches.c.id == bindparam("of")).values(_MARKS)


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


def _hand_values(match: str, role: str, hand: tuple[float, float | None]) -> dict[str, Any]:
    return {"match": match, "role": role, "left": hand[0], "since": hand[1]}


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
