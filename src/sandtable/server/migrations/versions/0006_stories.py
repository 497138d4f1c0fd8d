"""Stories: what players write about their matches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "stories",
        sa.Column("match", sa.String(22), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("person", sa.String(22), nullable=False),
        sa.Column("by", sa.String(80), nullable=False),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("eyes", sa.String(64), nullable=False),
        sa.Column("notes", sa.Text, nullable=False),
        sa.Column("updated", sa.Float, nullable=False),
        sa.Column("published", sa.Boolean, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("stories")
