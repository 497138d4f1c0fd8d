"""Seats and their secrets: 128 bits, kept as hashes, compared in constant time, never logged.

A seat has one secret at a time. It is its player's own, or an invitation. Whoever opens an invitation first claims the
seat and gets a secret that nobody else has seen, the one who sent the invitation included. Whoever has a seat's secret
can replace it: by a new one, or by a new invitation. The old one is dead at once, on open lines too.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence

import msgspec

from sandtable.core import SandtableError
from sandtable.games import registered
from sandtable.players import levels

from .messages import SeatGiven, SeatWish
from .records import SeatRow


def new_id() -> str:
    """Return a name for a match that nobody guesses. It begins with no dash: commands take that for an option."""
    name = secrets.token_urlsafe(16)
    return new_id() if name.startswith("-") else name


def new_seed() -> str:
    return secrets.token_hex(32)


def hash_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def find_seat(seats: Sequence[SeatRow], secret: str | None, person: str = "") -> SeatRow | None:
    """Return the seat with this secret, or else the first of a person whom the wrapper of the host knows.

    All seats are compared, so the time taken tells nothing.
    """
    found = next((seat for seat in seats if person and seat.person == person), None)
    given = hash_secret(secret) if secret else ""
    for seat in seats:
        if given and hmac.compare_digest(seat.secret_hash, given):
            found = seat
    return found


def make_seats(match: str, roles: Sequence[str], game: str, wishes: Sequence[SeatWish]) -> list[SeatRow]:
    """Return seats, with their secrets, that hold each role once. Roles nobody wished for share one person's seat."""
    taken = [role for wish in wishes for role in wish.roles]
    for role in taken:
        if role not in roles:
            raise SandtableError(f"there is no role '{role}' in this scenario; there is {', '.join(roles)}")
        if taken.count(role) > 1:
            raise SandtableError(f"the role '{role}' is given to two seats")
    for wish in wishes:
        if wish.kind == "computer" and wish.level not in (known := levels(registered(game))):
            raise SandtableError(f"there is no level '{wish.level}' for {game}; there is {', '.join(known)}")
    rest = [role for role in roles if role not in taken]
    rows: list[SeatRow] = []
    for place, wish in enumerate([*wishes, SeatWish(rest)] if rest else wishes):
        level = wish.level if wish.kind == "computer" else "recruit"
        row = SeatRow(match, place, "", tuple(wish.roles), wish.kind, level, wish.name, colour=wish.colour)
        rows.append(with_new_secret(row, invitation=wish.invite and wish.kind == "person"))
    return rows


def with_new_secret(seat: SeatRow, *, invitation: bool) -> SeatRow:
    """Return the seat under a new secret: its player's own, or an invitation that somebody can claim."""
    secret = secrets.token_urlsafe(16)
    return msgspec.structs.replace(seat, secret_hash=hash_secret(secret), secret=secret, invitation=invitation)


def to_store(rows: Sequence[SeatRow], keep_secrets: bool) -> list[SeatRow]:
    """Return the seats as they are stored: with the secrets only on one person's own machine."""
    keep = [keep_secrets and row.kind == "person" and not row.invitation for row in rows]
    return [row if kept else msgspec.structs.replace(row, secret=None) for row, kept in zip(rows, keep, strict=True)]


def to_give(rows: Sequence[SeatRow]) -> list[SeatGiven]:
    """Return the links of the persons' seats."""
    return [seat_given(row) for row in rows if row.kind == "person"]


def seat_given(row: SeatRow) -> SeatGiven:
    """Return the link of a seat whose secret is still known, which is only when it has just been made."""
    secret = row.secret or ""
    return SeatGiven(list(row.roles), row.kind, secret, f"/m/{row.match}#seat={secret}", row.invitation)
