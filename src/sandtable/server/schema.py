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
    false,
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
    Column("owner", String(64), nullable=False, server_default=""),  # who created it: a keyed hash of their address
    Column("base", Integer, nullable=False, server_default="0"),  # how many first moves are the parent's
    Column("seating", Integer, nullable=False, server_default="0"),  # how often its seats have changed
    Column("thinks", Boolean, nullable=False, server_default=false()),  # a computer player is waited for
    Column("challenge", Boolean, nullable=False, server_default=false()),  # anybody may take an open seat
    Column("rated", Integer, nullable=False, server_default="0"),  # 1: it counts when it is over, 2: it has counted
    Column("rematch", String(22)),
    Column("staff", Boolean, nullable=False, server_default=false()),  # all may ask the staff, as agreed at the start
    Index("matches_public", "public", "updated"),
    Index("matches_rated", "rated"),
    Index("matches_thinks", "thinks"),
    Index("matches_owner", "owner"),
    Index("matches_parent", "parent"),
    Index("matches_updated", "updated"),
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
    Column("waiting", Text),  # who was waited for before it, as everybody could know
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
    Column("secret", String(22)),  # kept in the clear only by a server that serves one person on their own machine
    Column("roles", Text, nullable=False),
    Column("kind", String(16), nullable=False),  # person, computer
    Column("level", String(32), nullable=False),
    Column("name", String(80), nullable=False),
    Column("handed_over", Boolean, nullable=False),  # its owner missed a deadline: the computer plays meanwhile
    Column("invitation", Boolean, nullable=False, server_default=false()),  # the secret only lets somebody claim it
    Column("person", String(22), nullable=False, server_default=""),  # whose it is, if they are known
    Column("colour", String(16), nullable=False, server_default=""),
    Column("lent", Boolean, nullable=False, server_default=false()),  # its owner lets the computer play
    Column("away", Float, nullable=False, server_default="0"),  # on vacation until then
    Column("rested", Float, nullable=False, server_default="0"),  # seconds of vacation taken
    Column("motion", String(48), nullable=False, server_default=""),  # what the table is asked to agree to
    Column("agreed", Text, nullable=False, server_default="[]"),  # the places that agree
    Column("archived", Boolean, nullable=False, server_default=false()),
    Column("version", Integer, nullable=False, server_default="0"),  # how often it has changed
    Index("seats_person", "person"),
)

clocks = Table(
    "clocks",
    metadata,
    Column("match", String(22), primary_key=True),
    Column("role", String(64), primary_key=True),
    Column("left", Float, nullable=False),
    Column("since", Float),  # running since then
    Column("due", Float),  # when it runs out, if it is running
    Index("clocks_due", "due"),
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
    Column("to", Text, nullable=False, server_default="[]"),  # the roles that it is for; none: for everybody
    Index("chat_match", "match", "id"),
)

stories = Table(
    "stories",
    metadata,
    Column("match", String(22), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("place", Integer, nullable=False),
    Column("person", String(22), nullable=False),  # who tells it, if they are known
    Column("by", String(80), nullable=False),
    Column("title", String(200), nullable=False),
    Column("eyes", String(64), nullable=False),  # the role through whose eyes it is told
    Column("notes", Text, nullable=False),
    Column("updated", Float, nullable=False),
    Column("published", Boolean, nullable=False),
    Column("version", Integer, nullable=False),  # how often it has changed
)
"""Matches as their players tell them."""

leases = Table(
    "leases",
    metadata,
    Column("match", String(22), primary_key=True),
    Column("holder", String(64), nullable=False),
    Column("until", Float, nullable=False),
)
"""Which server process lets the computer think about which match. A lease ends with its time or with its holder."""

people = Table(
    "people",
    metadata,
    Column("id", String(22), primary_key=True),
    Column("name", String(80), nullable=False),
    Column("colour", String(16), nullable=False),
    Column("lang", String(8), nullable=False),
    Column("created", Float, nullable=False),
    Column("subject", String(400), unique=True),  # issuer and subject of an account elsewhere
    Column("mail", String(254), nullable=False, server_default=""),  # an address that they have confirmed
    Column("calls", Text, nullable=False),  # how they want to be called back
    Column("origin", String(200), nullable=False),  # where they found this server, for the links that are sent to them
    Column("feed", String(22), nullable=False, unique=True),  # the secret part of the addresses of their feeds
    Column("called", Float, nullable=False, server_default="0"),  # when they were called last
)

keys = Table(
    "keys",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("person", String(22), nullable=False),
    Column("kind", String(16), nullable=False),  # device; or used once: move (to another device), mail (confirms it)
    Column("label", String(254), nullable=False),  # what the device is called, or the address
    Column("created", Float, nullable=False),
    Column("until", Float),
    Index("keys_person", "person"),
)

pushes = Table(
    "pushes",
    metadata,
    Column("hash", String(64), primary_key=True),  # of the endpoint
    Column("person", String(22), nullable=False),
    Column("subscription", Text, nullable=False),
    Column("created", Float, nullable=False),
    Index("pushes_person", "person"),
)

waits = Table(
    "waits",
    metadata,
    Column("match", String(22), primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("person", String(22), nullable=False),
    Column("what", String(8), nullable=False),  # move: they are waited for; over: the match is
    Column("number", Integer, nullable=False),  # the move since which it is so
    Column("since", Float, nullable=False),
    Column("called", Boolean, nullable=False),
    Column("tries", Integer, nullable=False),
    Index("waits_called", "called"),
)
"""Who is waited for in which match, and whether they have been told."""

ratings = Table(
    "ratings",
    metadata,
    Column("person", String(22), primary_key=True),
    Column("game", String(64), primary_key=True),
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("at", Float, nullable=False),
)

settings = Table(
    "settings", metadata, Column("name", String(64), primary_key=True), Column("value", Text, nullable=False)
)
"""What a server made for itself and needs again, such as the key of its push messages."""
