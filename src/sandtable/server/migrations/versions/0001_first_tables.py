"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("rules", sa.Integer, nullable=False),
        sa.Column("scenario", sa.String(64), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("seed", sa.Text, nullable=False),
        sa.Column("seed_hash", sa.String(64), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("updated", sa.Float, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("parent", sa.String(22)),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("asked", sa.Text, nullable=False),
        sa.Column("turn", sa.Text, nullable=False),
        sa.Column("outcome", sa.Text),
        sa.Column("clock", sa.Text),
        sa.Column("frozen", sa.Text),
    )
    op.create_index("matches_public", "matches", ["public", "updated"])
    op.create_table(
        "moves",
        sa.Column("match", sa.String(22), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("role", sa.String(64), nullable=False),
        sa.Column("action", sa.LargeBinary, nullable=False),
        sa.Column("digest", sa.String(32), nullable=False),
        sa.Column("events", sa.LargeBinary, nullable=False),
        sa.Column("takes_back", sa.Integer),
        sa.Column("asked", sa.Text, nullable=False),
        sa.Column("turn", sa.Text, nullable=False),
        sa.Column("request", sa.String(64)),
        sa.Column("at", sa.Float, nullable=False),
        sa.UniqueConstraint("match", "request", name="moves_request"),
    )
    op.create_table(
        "snapshots",
        sa.Column("match", sa.String(22), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("state", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "seats",
        sa.Column("match", sa.String(22), primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True),
        sa.Column("secret_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("secret", sa.String(22)),
        sa.Column("roles", sa.Text, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("level", sa.String(32), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("handed_over", sa.Boolean, nullable=False),
    )
    op.create_table(
        "clocks",
        sa.Column("match", sa.String(22), primary_key=True),
        sa.Column("role", sa.String(64), primary_key=True),
        sa.Column("left", sa.Float, nullable=False),
        sa.Column("since", sa.Float),
    )
    op.create_table(
        "chat",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True),
        sa.Column("match", sa.String(22), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("roles", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("chat_match", "chat", ["match", "id"])
    op.create_table(
        "leases",
        sa.Column("match", sa.String(22), primary_key=True),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )


def downgrade() -> None:
    for name in ("leases", "chat", "clocks", "seats", "snapshots", "moves", "matches"):
        op.drop_table(name)
