"""Seats of known players, seats lent and put to the vote, vacations, talk among allies, challenges, rematches."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def new() -> dict[str, tuple[sa.Column[Any], ...]]:
    """Return the new columns of each table."""
    return {
        "seats": (
            sa.Column("person", sa.String(22), nullable=False, server_default=""),
            sa.Column("colour", sa.String(16), nullable=False, server_default=""),
            sa.Column("lent", sa.Boolean, nullable=False, server_default=sa.false()),
            sa.Column("away", sa.Float, nullable=False, server_default="0"),
            sa.Column("rested", sa.Float, nullable=False, server_default="0"),
            sa.Column("motion", sa.String(48), nullable=False, server_default=""),
            sa.Column("agreed", sa.Text, nullable=False, server_default="[]"),
            sa.Column("archived", sa.Boolean, nullable=False, server_default=sa.false()),
            sa.Column("version", sa.Integer, nullable=False, server_default="0"),
        ),
        "matches": (
            sa.Column("challenge", sa.Boolean, nullable=False, server_default=sa.false()),
            sa.Column("rated", sa.Integer, nullable=False, server_default="0"),
            sa.Column("rematch", sa.String(22)),
        ),
        "chat": (sa.Column("to", sa.Text, nullable=False, server_default="[]"),),
    }


def upgrade() -> None:
    for table, columns in new().items():
        for column in columns:
            op.add_column(table, column)
    op.create_index("seats_person", "seats", ["person"])
    op.create_index("matches_rated", "matches", ["rated"])


def downgrade() -> None:
    """What was said among allies is not told to everybody: it goes."""
    op.execute("DELETE FROM chat WHERE \"to\" <> '[]'")
    # an older version gives a seat back when its player comes, which is near enough to lending it
    op.execute("UPDATE seats SET handed_over = true WHERE lent")
    op.drop_index("matches_rated", "matches")
    op.drop_index("seats_person", "seats")
    for table, columns in new().items():
        with op.batch_alter_table(table) as batch:
            for column in columns:
                batch.drop_column(column.name)
