"""Opening a database: SQLite or PostgreSQL, brought up to date, and SQLite for one server at a time."""

from __future__ import annotations

import os
import secrets
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from sandtable.core import SandtableError

MIGRATIONS = Path(__file__).parent / "migrations"


class BadDatabase(SandtableError):
    """A database that cannot be used."""


class Taken(BadDatabase):
    """A SQLite file that another server is running on."""


def database_url(url: str) -> str:
    """Return the address with the driver we use. Raises for databases we do not."""
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


def sqlite_file(url: str) -> Path | None:
    """Return the file of a SQLite address; None for another database, and for one in memory."""
    parsed = make_url(database_url(url))
    if parsed.get_backend_name() != "sqlite" or parsed.database in (None, "", ":memory:"):
        return None
    return Path(str(parsed.database))


class Sole:
    """Keeps other servers away from a SQLite file. It ends with the process, however that ends."""

    def __init__(self, file: Path) -> None:
        lock = file.with_name(file.name + "-server")
        _private(lock)
        self._held = sqlite3.connect(lock, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            self._held.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            self._held.close()
            raise Taken(f"another server is running on {file.name}; SQLite serves one at a time") from None

    def end(self) -> None:
        self._held.close()


def is_served(file: Path) -> bool:
    """Whether a server runs on a SQLite file now."""
    if not file.with_name(file.name + "-server").exists():
        return False
    try:
        Sole(file).end()
    except Taken:
        return True
    return False


def _private(file: Path) -> None:
    """Make the file if it is not there, readable for its owner alone. The folder must be there."""
    try:
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
        file.chmod(0o600)
    except OSError as error:
        raise BadDatabase(f"the database cannot be used: {error.strerror}") from None


def open_engine(url: str) -> tuple[Engine, str]:
    """Return a connected engine with its tables up to date, and the name under which its connections are known."""
    address, holder = database_url(url), f"sandtable-{secrets.token_hex(8)}"
    if address.startswith("postgresql"):
        words = {"application_name": holder, "connect_timeout": 10}
        engine = create_engine(address, pool_pre_ping=True, pool_size=12, connect_args=words)
    else:
        file = sqlite_file(url)
        if file is not None:
            _private(file)
        engine = create_engine(address, connect_args={"check_same_thread": False})
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    try:
        _upgrade(engine)
    except BadDatabase:
        engine.dispose()
        raise
    except (SQLAlchemyError, OSError) as error:
        engine.dispose()
        reason = str(error.__cause__ or error).splitlines()[0]
        raise BadDatabase(f"the database cannot be used: {reason}") from None
    return engine, holder


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # transactions are begun by SQLAlchemy, as savepoints need it
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")  # an acknowledged move survives a power cut
    cursor.execute("PRAGMA busy_timeout=10000")
    cursor.close()


def _upgrade(engine: Engine) -> None:
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":  # several workers may start at once
            connection.execute(text("SELECT pg_advisory_xact_lock(727274)"))
        if revision(connection) != head():
            from . import upgrades  # Alembic takes a while to import, and most starts have nothing for it to do

            upgrades.upgrade(connection, revision(connection))


def head() -> str:
    """Return the newest revision of the tables that this program knows."""
    return max(path.name.partition("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def revision(connection: Connection) -> str | None:
    """Return the revision of the tables; None if there are none yet."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def downgrade(engine: Engine, to: str) -> None:
    """Bring the tables back to an older revision, for an older version of the program."""
    from . import upgrades

    with engine.begin() as connection:
        upgrades.downgrade(connection, to)
