"""Seat secrets: 128 bits, kept as hashes, compared in constant time, never logged."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence

from .storage import SeatRow


def new_id() -> str:
    """A name for a match that nobody guesses."""
    return secrets.token_urlsafe(16)


def new_secret() -> str:
    return secrets.token_urlsafe(16)


def new_seed() -> str:
    return secrets.token_hex(32)


def hash_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def find_seat(seats: Sequence[SeatRow], secret: str | None) -> SeatRow | None:
    """The seat with this secret. Every seat is compared, whatever the others gave, so time tells nothing."""
    if not secret:
        return None
    given, found = hash_secret(secret), None
    for seat in seats:
        if hmac.compare_digest(seat.secret_hash, given):
            found = seat
    return found
