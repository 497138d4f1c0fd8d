"""Seats and their secrets: 128 bits, kept as hashes, compared in constant time, never logged."""

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
    """Return a name for a match that nobody guesses."""
    return secrets.token_urlsafe(16)


def new_seed() -> str:
    return secrets.token_hex(32)


def hash_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def find_seat(seats: Sequence[SeatRow], secret: str | None) -> SeatRow | None:
    """Return the seat with this secret. All seats are compared, so the time taken tells nothing."""
    if not secret:
        return None
    given, found = hash_secret(secret), None
    for seat in seats:
        if hmac.compare_digest(seat.secret_hash, given):
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
    rows = []
    for place, wish in enumerate([*wishes, SeatWish(rest)] if rest else wishes):
        secret = secrets.token_urlsafe(16)
        level = wish.level if wish.kind == "computer" else "recruit"
        row = SeatRow(match, place, hash_secret(secret), tuple(wish.roles), wish.kind, level, wish.name, False, secret)
        rows.append(row)
    return rows


def to_store(rows: Sequence[SeatRow], keep_secrets: bool) -> list[SeatRow]:
    """Return the seats as they are stored: with the secrets only on one person's own machine."""
    keep = [keep_secrets and row.kind == "person" for row in rows]
    return [row if kept else msgspec.structs.replace(row, secret=None) for row, kept in zip(rows, keep, strict=True)]


def to_give(rows: Sequence[SeatRow]) -> list[SeatGiven]:
    """Return the links of the persons' seats."""
    return [
        SeatGiven(list(row.roles), row.kind, row.secret or "", f"/m/{row.match}#seat={row.secret}")
        for row in rows
        if row.kind == "person"
    ]
