"""The tables. The log of moves only grows; everything else can be made from it or is small talk."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

matches = Table(
    "matches",
    metadata,
    Column("id", String(22), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("rules", Integer, nullable=False),
    Column("scenario", String(64), nullable=False),
    Column("options", Text, nullable=False),
    Column("seed", Text, nullable=False),
    Column("seed_hash", String(64), nullable=False),
    Column("created", Float, nullable=False),
    Column("updated", Float, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("kind", String(16), nullable=False),  # live, branch, import
    Column("parent", String(22)),
    Column("number", Integer, nullable=False),
    Column("asked", Text, nullable=False),  # who is waited for, as everybody may know it
    Column("turn", Text, nullable=False),
    Column("outcome", Text),
    Column("clock", Text),
    Column("frozen", Text),  # why the match cannot go on
    Index("matches_public", "public", "updated"),
)

moves = Table(
    "moves",
    metadata,
    Column("match", String(22), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("role", String(64), nullable=False),
    Column("action", LargeBinary, nullable=False),
    Column("digest", String(32), nullable=False),
    Column("events", LargeBinary, nullable=False),
    Column("takes_back", Integer),
    Column("asked", Text, nullable=False),  # the roles that were asked when it was made
    Column("turn", Text, nullable=False),
    Column("request", String(64)),
    Column("at", Float, nullable=False),
    UniqueConstraint("match", "request", name="moves_request"),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("match", String(22), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("state", LargeBinary, nullable=False),
)

seats = Table(
    "seats",
    metadata,
    Column("match", String(22), primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("secret_hash", String(64), nullable=False, unique=True),
    Column("secret", String(22)),  # kept in the clear only by a server that serves one person on his own machine
    Column("roles", Text, nullable=False),
    Column("kind", String(16), nullable=False),  # person, computer
    Column("level", String(32), nullable=False),
    Column("name", String(80), nullable=False),
    Column("handed_over", Boolean, nullable=False),  # its owner missed a deadline: the computer plays meanwhile
)

clocks = Table(
    "clocks",
    metadata,
    Column("match", String(22), primary_key=True),
    Column("role", String(64), primary_key=True),
    Column("left", Float, nullable=False),
    Column("since", Float),  # running since then
)

chat = Table(
    "chat",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("match", String(22), nullable=False),
    Column("name", String(80), nullable=False),
    Column("roles", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Float, nullable=False),
    Index("chat_match", "match", "id"),
)

leases = Table(
    "leases",
    metadata,
    Column("match", String(22), primary_key=True),
    Column("holder", String(64), nullable=False),
    Column("until", Float, nullable=False),
)
"""Which server process lets the computer think about which match; a lease that ran out is free for another."""
