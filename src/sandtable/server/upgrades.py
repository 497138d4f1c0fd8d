"""Bringing the tables up to date, and back: with Alembic, by the scripts in migrations/."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection

from .database import MIGRATIONS, BadDatabase


def upgrade(connection: Connection, current: str | None) -> None:
    """Bring the tables up to date from their current revision; None: from nothing."""
    config = _config(connection)
    if current is not None and current not in _known(config):
        raise BadDatabase(
            f"the database is of a newer version of Sandtable (revision {current}); "
            "start that version, or go back with its `admin downgrade` first"
        )
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise BadDatabase(f"the database cannot be used: {error}") from None


def downgrade(connection: Connection, to: str) -> None:
    """Bring the tables back to an older revision."""
    config = _config(connection)
    if to not in _known(config):
        raise BadDatabase(f"there is no revision '{to}'; there is {', '.join(sorted(_known(config)))}")
    command.downgrade(config, to)


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _known(config: Config) -> set[str]:
    return {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
