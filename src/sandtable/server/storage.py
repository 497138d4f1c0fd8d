"""Storage: an append-only log of moves on SQLite or PostgreSQL, the same code on both.

A move is acknowledged only after it is committed under (match, number). That pair is unique, so two servers or two
clients that answer the same decision cannot both win, and nothing is ever half written.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import sqlalchemy
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Select,
    bindparam,
    column,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.exc import IntegrityError

from sandtable.host.records import (
    GLANCED,
    ChatLine,
    Conflict,
    Glance,
    Hands,
    MatchRow,
    MoveRow,
    Note,
    SeatRow,
    StoryRow,
)

from . import schema as t
from .database import Sole, open_engine, sqlite_file
from .schema import chat, clocks, leases, matches, moves, snapshots
from .work import Workers

CHANNEL = "sandtable_moves"
PUBLIC_SHOWN = 100
KEPT_SHOWN = 500
CHAT_SHOWN = 200
EXPIRED_AT_ONCE = 500
WRITTEN_AT_ONCE = 250
OF_A_MATCH = (moves, snapshots, t.seats, clocks, chat, leases, t.waits, t.stories)
"""The tables whose rows end with their match."""


class Store:
    """The database, as the host's `Storage`. Every method is one transaction."""

    def __init__(self, engine: Engine, holder: str, sole: Sole | None) -> None:
        self.work = Workers(engine)
        self.is_postgres = engine.dialect.name == "postgresql"
        self.holder = holder
        """The name of this server's connections, and of the leases it holds."""
        self._sole = sole

    @classmethod
    async def open(cls, url: str, *, sole: bool = True) -> Store:
        """Connect, and bring the tables up to date. `sole`: as a server, which on SQLite must be the only one."""
        return await asyncio.get_running_loop().run_in_executor(None, cls._open, url, sole)

    @classmethod
    def _open(cls, url: str, sole: bool) -> Store:
        file = sqlite_file(url)
        lock = Sole(file) if sole and file is not None else None
        try:
            engine, holder = open_engine(url)
            if lock is not None:  # whoever held leases here is gone
                with engine.begin() as connection:
                    connection.execute(delete(leases))
        except BaseException:
            if lock is not None:
                lock.end()
            raise
        return cls(engine, holder, lock)

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(None, self.work.close)
        if self._sole is not None:
            self._sole.end()

    async def try_write(self) -> None:
        """Write something and commit it. Raises if that cannot be done."""
        await self.lease("-", 0.0, 0.0)

    async def count(self) -> int:
        query = select(func.count()).select_from(matches)
        return await self.work.read(lambda c: int(c.execute(query).scalar() or 0))

    async def ids(self) -> Sequence[str]:
        """Return the ids of all matches, oldest first."""
        return await self.work.read(
            lambda c: list(c.execute(select(matches.c.id).order_by(matches.c.created)).scalars())
        )

    # ---- matches
    async def create(self, row: MatchRow, seats: Sequence[SeatRow], log: Sequence[MoveRow], hands: Hands) -> None:
        """Store a match. A long log goes in parts, so that others' moves come between; the match itself comes last.

        If the server is killed on the way, moves are left that belong to no match and that nobody can ask for.
        """
        while len(log) > WRITTEN_AT_ONCE:
            part, log = log[:WRITTEN_AT_ONCE], log[WRITTEN_AT_ONCE:]
            await self.work.write(functools.partial(_add_moves, row.id, part))

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

    async def with_computers(self, now: float) -> Sequence[str]:
        held = select(leases.c.match).where(leases.c.match == matches.c.id, leases.c.until >= now)
        held = held.where(leases.c.holder != self.holder, ~self._is_dead())
        query = (
            select(matches.c.id)
            .where(matches.c.thinks, matches.c.outcome.is_(None), matches.c.frozen.is_(None))
            .where(matches.c.kind != "import", ~held.exists())
        )
        return await self.work.read(lambda c: list(c.execute(query).scalars()))

    async def running(self, owner: str) -> int:
        query = select(func.count()).where(matches.c.owner == owner, matches.c.outcome.is_(None))
        return await self.work.read(lambda c: int(c.execute(query).scalar_one()))

    async def expire(self, before: float) -> int:
        """Delete matches that nobody has claimed, some at a time, oldest first; parents of branches stay."""
        child = matches.alias("child")
        query = (
            select(matches.c.id)
            .where(matches.c.updated < before, or_(matches.c.kind == "import", matches.c.number == matches.c.base))
            .where(~select(child.c.id).where(child.c.parent == matches.c.id).exists())
            .where(~select(t.stories.c.match).where(t.stories.c.match == matches.c.id, t.stories.c.published).exists())
            .order_by(matches.c.updated)
            .limit(EXPIRED_AT_ONCE)
        )

        def job(connection: Connection) -> int:
            ids = list(connection.execute(query).scalars())
            for table in OF_A_MATCH:
                connection.execute(delete(table).where(table.c.match.in_(ids)))
            connection.execute(delete(matches).where(matches.c.id.in_(ids)))
            return len(ids)

        return await self.work.write(job)

    async def delete(self, match: str) -> bool:
        """Delete a match. Its branches get their own copies of its moves. False if it is not there."""

        def job(connection: Connection) -> bool:
            names = [column.name for column in moves.c if column.name not in ("match", "request")]
            columns = [moves.c[name] for name in names]
            for child, base in connection.execute(
                select(matches.c.id, matches.c.base).where(matches.c.parent == match)
            ).all():
                own = select(func.min(moves.c.number)).where(moves.c.match == child)
                first = connection.execute(own).scalar_one() or base + 1
                lent = select(literal(child), *columns).where(moves.c.match == match, moves.c.number <= base)
                connection.execute(insert(moves).from_select(["match", *names], lent.where(moves.c.number < first)))
                source = connection.execute(select(matches.c.parent, matches.c.base).where(matches.c.id == match)).one()
                changes = {"base": min(base, source.base), "parent": source.parent if source.base else None}
                connection.execute(update(matches).where(matches.c.id == child).values(changes))
            for table in OF_A_MATCH:
                connection.execute(delete(table).where(table.c.match == match))
            done = connection.execute(delete(matches).where(matches.c.id == match)).rowcount > 0
            self._notify(connection, f"{match}:seats")
            return done

        return await self.work.write(job)

    async def set_rules(self, match: str, rules: int, frozen: str | None) -> None:
        def job(connection: Connection) -> None:
            connection.execute(update(matches).where(matches.c.id == match).values(rules=rules, frozen=frozen))
            if frozen is None:
                connection.execute(delete(snapshots).where(snapshots.c.match == match))

        await self.work.write(job)

    # ---- moves
    async def append(self, row: MatchRow, moves: Sequence[MoveRow], hands: Hands, snapshot: bytes | None) -> None:
        after, added = _match_values(row), [_move_values(row.id, move) for move in moves]
        changes = {name: after[name] for name in _MARKED}

        def job(connection: Connection) -> None:
            connection.execute(_ADD_MOVE, added)
            connection.execute(_MARK_MATCH, {"of": row.id, **changes})
            _set_clocks(connection, row.id, hands)
            if snapshot is not None:
                connection.execute(insert(snapshots), {"match": row.id, "number": row.number, "state": snapshot})
            self._notify(connection, f"{row.id}:{row.number}")

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

    async def find_seats(self, hashes: Sequence[str] | None, person: str = "") -> Sequence[SeatRow]:
        known = t.seats.c.secret.is_not(None) if hashes is None else t.seats.c.secret_hash.in_(hashes)
        query = select(t.seats).where(or_(known, t.seats.c.person == person) if person else known)
        return await self._seats(query.limit(KEPT_SHOWN))

    async def glance(self, ids: Sequence[str]) -> Mapping[str, Glance]:
        seats = select(t.seats).where(t.seats.c.match.in_(ids)).order_by(t.seats.c.place)
        hands = select(clocks).where(clocks.c.match.in_(ids))
        last = select(moves).join(matches, matches.c.id == moves.c.match).order_by(moves.c.number)
        last = last.where(moves.c.match.in_(ids), moves.c.number > matches.c.number - GLANCED)

        def job(connection: Connection) -> Mapping[str, Glance]:
            found: dict[str, tuple[list[SeatRow], dict[str, Any], list[MoveRow]]] = {one: ([], {}, []) for one in ids}
            for row in connection.execute(seats).mappings():
                found[row["match"]][0].append(_seat_row(row))
            for row in connection.execute(hands).mappings():
                found[row["match"]][1][row["role"]] = (row["left"], row["since"])
            for row in connection.execute(last).mappings():
                found[row["match"]][2].append(_move_row(row))
            return {match: Glance(*parts) for match, parts in found.items()}

        return await self.work.read(job)

    async def _seats(self, query: Select[Any]) -> Sequence[SeatRow]:
        return await self.work.read(lambda c: [_seat_row(found) for found in c.execute(query).mappings()])

    async def set_seat(self, row: MatchRow, seat: SeatRow, was: SeatRow, hands: Hands) -> bool:
        mine = (t.seats.c.match == row.id, t.seats.c.place == seat.place, t.seats.c.version == was.version)

        def job(connection: Connection) -> bool:
            if connection.execute(update(t.seats).where(*mine).values(_seat_values(seat))).rowcount == 0:
                return False
            changes = {"seating": matches.c.seating + 1, "thinks": row.thinks}
            connection.execute(update(matches).where(matches.c.id == row.id).values(changes))
            _set_clocks(connection, row.id, hands)
            self._notify(connection, f"{row.id}:seats")
            return True

        return await self.work.write(job)

    async def set_rematch(self, match: str, rematch: str) -> str:
        free = update(matches).where(matches.c.id == match, matches.c.rematch.is_(None))

        def job(connection: Connection) -> str:
            connection.execute(free.values(rematch=rematch, seating=matches.c.seating + 1))
            self._notify(connection, f"{match}:seats")
            found = connection.execute(select(matches.c.rematch).where(matches.c.id == match)).scalar_one()
            return str(found)

        return await self.work.write(job)

    # ---- clocks
    async def clocks(self, match: str) -> Hands:
        query = select(clocks.c.role, clocks.c.left, clocks.c.since).where(clocks.c.match == match)
        return await self.work.read(lambda c: {role: (left, since) for role, left, since in c.execute(query)})

    async def overdue(self, now: float) -> Sequence[tuple[str, str]]:
        query = (
            select(clocks.c.match, clocks.c.role)
            .join(matches, matches.c.id == clocks.c.match)
            .where(clocks.c.due < now, matches.c.outcome.is_(None))
        )
        return await self.work.read(lambda c: [(match, role) for match, role in c.execute(query)])

    # ---- talk
    async def say(
        self, match: str, name: str, roles: Sequence[str], text: str, at: float, to: Sequence[str] = ()
    ) -> ChatLine:
        values = {"match": match, "name": name, "roles": _text(list(roles)), "text": text, "at": at}
        values["to"] = _text(list(to))

        def job(connection: Connection) -> int:
            number = connection.execute(insert(chat).returning(chat.c.id), values).scalar_one()
            self._notify(connection, f"{match}:chat")
            return int(number)

        return ChatLine(await self.work.write(job), name, list(roles), text, at, list(to))

    async def talk(self, match: str, since: int = 0) -> Sequence[ChatLine]:
        query = select(chat).where(chat.c.match == match, chat.c.id > since).order_by(chat.c.id.desc())
        rows = await self.work.read(lambda c: list(c.execute(query.limit(CHAT_SHOWN)).mappings()))
        return [
            ChatLine(r["id"], r["name"], _list(r["roles"]), r["text"], r["at"], _list(r["to"])) for r in reversed(rows)
        ]

    # ---- stories
    async def stories(self, match: str) -> Sequence[StoryRow]:
        query = select(t.stories).where(t.stories.c.match == match).order_by(t.stories.c.number)
        return await self.work.read(lambda c: [_story_row(found) for found in c.execute(query).mappings()])

    async def set_story(self, story: StoryRow, was: StoryRow | None) -> bool:
        values = {**msgspec.structs.asdict(story), "notes": _text(story.notes)}
        mine = (t.stories.c.match == story.match, t.stories.c.number == story.number)

        def job(connection: Connection) -> bool:
            if was is None:
                connection.execute(insert(t.stories), values)
                return True
            change = update(t.stories).where(*mine, t.stories.c.version == was.version)
            return connection.execute(change.values(values)).rowcount > 0

        try:
            return await self.work.write(job)
        except IntegrityError:
            return False

    # ---- who lets the computer think
    async def lease(self, match: str, now: float, seconds: float) -> bool:
        until = now + seconds

        def job(connection: Connection) -> None:
            free = or_(leases.c.holder == self.holder, leases.c.until < now, self._is_dead())
            change = update(leases).where(leases.c.match == match, free).values(holder=self.holder, until=until)
            if connection.execute(change).rowcount == 0:
                connection.execute(insert(leases), {"match": match, "holder": self.holder, "until": until})

        try:
            await self.work.write(job)
        except IntegrityError:
            return False
        return True

    def _is_dead(self) -> ColumnElement[bool]:
        """Whether the holder of a lease is gone: on PostgreSQL it has no connection, on SQLite nobody else is there."""
        if not self.is_postgres:
            return leases.c.holder != self.holder
        activity = sqlalchemy.table("pg_stat_activity", column("application_name"))
        return ~select(literal(1)).where(activity.c.application_name == leases.c.holder).exists()


_ADD_MOVE = insert(moves)
_MARKED = ("number", "asked", "turn", "updated", "outcome", "thinks")
_MARKS: dict[str, Any] = {name: bindparam(name) for name in _MARKED}
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
    left, since = hand
    return {"match": match, "role": role, "left": left, "since": since, "due": None if since is None else since + left}


def _set_clocks(connection: Connection, match: str, hands: Hands) -> None:
    for role, hand in hands.items():
        change = update(clocks).where(clocks.c.match == match, clocks.c.role == role)
        connection.execute(change.values(_hand_values(match, role, hand)))


def _add_moves(match: str, log: Sequence[MoveRow], connection: Connection) -> None:
    connection.execute(_ADD_MOVE, [_move_values(match, move) for move in log])


def _move_values(match: str, move: MoveRow) -> dict[str, Any]:
    values = msgspec.structs.asdict(move)
    waiting = None if move.waiting is None else _text(list(move.waiting))
    return {**values, "match": match, "asked": _text(list(move.asked)), "waiting": waiting}


def _move_row(found: Mapping[Any, Any]) -> MoveRow:
    values = dict(found)
    values.pop("match")
    values["asked"] = tuple(_list(values["asked"]))
    values["waiting"] = None if values["waiting"] is None else tuple(_list(values["waiting"]))
    return MoveRow(**values)


def _story_row(found: Mapping[Any, Any]) -> StoryRow:
    return StoryRow(**{**found, "notes": msgspec.json.decode(found["notes"], type=list[Note])})


def _seat_values(seat: SeatRow) -> dict[str, Any]:
    return {**msgspec.structs.asdict(seat), "roles": _text(list(seat.roles)), "agreed": _text(list(seat.agreed))}


def _seat_row(found: Mapping[Any, Any]) -> SeatRow:
    agreed = tuple(msgspec.json.decode(found["agreed"], type=list[int]))
    return SeatRow(**{**found, "roles": tuple(_list(found["roles"])), "agreed": agreed})
