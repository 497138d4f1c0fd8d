"""Claimed seats, who was waited for, branches by reference, and indexes for what is looked up all the time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

MATCH_COLUMNS = ("owner", "base", "seating", "thinks")
INDEXES = {
    "matches_thinks": ("matches", "thinks"),
    "matches_owner": ("matches", "owner"),
    "matches_parent": ("matches", "parent"),
    "matches_updated": ("matches", "updated"),
    "clocks_due": ("clocks", "due"),
}


def upgrade() -> None:
    op.add_column("matches", sa.Column("owner", sa.String(64), nullable=False, server_default=""))
    op.add_column("matches", sa.Column("base", sa.Integer, nullable=False, server_default="0"))
    op.add_column("matches", sa.Column("seating", sa.Integer, nullable=False, server_default="0"))
    op.add_column("matches", sa.Column("thinks", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("moves", sa.Column("waiting", sa.Text))
    op.add_column("seats", sa.Column("invitation", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("clocks", sa.Column("due", sa.Float))
    op.execute('UPDATE clocks SET due = since + "left" WHERE since IS NOT NULL')
    # all that may wait for the computer; each is told right at its next move
    op.execute(
        "UPDATE matches SET thinks = true WHERE outcome IS NULL AND frozen IS NULL AND id IN "
        "(SELECT match FROM seats WHERE kind = 'computer' OR handed_over)"
    )
    for name, (table, column) in INDEXES.items():
        op.create_index(name, table, [column])


def downgrade() -> None:
    """Branches get copies of their parents' moves back. Claimed seats stay with their players; open ones cannot."""
    connection = op.get_bind()
    copied = sa.text(
        "INSERT INTO moves (match, number, role, action, digest, events, takes_back, asked, turn, at) "
        "SELECT :child, number, role, action, digest, events, takes_back, asked, turn, at FROM moves "
        "WHERE match = :parent AND number <= :base AND number NOT IN (SELECT number FROM moves WHERE match = :child)"
    )
    branches = connection.execute(
        sa.text("SELECT id, parent, base FROM matches WHERE base > 0 ORDER BY created")
    ).fetchall()
    for child, parent, base in branches:  # a parent is older than its branches, so its own copies are there by now
        connection.execute(copied, {"child": child, "parent": parent, "base": base})
    for name, (table, _) in INDEXES.items():
        op.drop_index(name, table)
    for table, columns in (("clocks", ("due",)), ("seats", ("invitation",)), ("moves", ("waiting",))):
        with op.batch_alter_table(table) as batch:
            for column in columns:
                batch.drop_column(column)
    with op.batch_alter_table("matches") as batch:
        for column in MATCH_COLUMNS:
            batch.drop_column(column)
