"""People: their names and keys, how they want to be called back, their ratings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("colour", sa.String(16), nullable=False),
        sa.Column("lang", sa.String(8), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("subject", sa.String(400), unique=True),
        sa.Column("mail", sa.String(254), nullable=False, server_default=""),
        sa.Column("calls", sa.Text, nullable=False),
        sa.Column("origin", sa.String(200), nullable=False),
        sa.Column("feed", sa.String(22), nullable=False, unique=True),
        sa.Column("called", sa.Float, nullable=False, server_default="0"),
    )
    op.create_table(
        "keys",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(22), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("label", sa.String(254), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("until", sa.Float),
    )
    op.create_index("keys_person", "keys", ["person"])
    op.create_table(
        "pushes",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(22), nullable=False),
        sa.Column("subscription", sa.Text, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_index("pushes_person", "pushes", ["person"])
    op.create_table(
        "waits",
        sa.Column("match", sa.String(22), primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True),
        sa.Column("person", sa.String(22), nullable=False),
        sa.Column("what", sa.String(8), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("called", sa.Boolean, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
    )
    op.create_index("waits_called", "waits", ["called"])
    op.create_table(
        "ratings",
        sa.Column("person", sa.String(22), primary_key=True),
        sa.Column("game", sa.String(64), primary_key=True),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )


def downgrade() -> None:
    for table in ("settings", "ratings", "waits", "pushes", "keys", "people"):
        op.drop_table(table)
