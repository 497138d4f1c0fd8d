"""Computer players, as far as games share them. Each sees only its own view; what is hidden is drawn at random."""

from .base import (
    Budget,
    Mistake,
    Player,
    Recruit,
    ask,
    carry_out,
    find,
    imagine,
    levels,
    make,
    patience,
    register,
    stretched,
    take_turn,
)

__all__ = [
    "Budget", "Mistake", "Player", "Recruit", "ask", "carry_out", "find", "imagine", "levels", "make", "patience",
    "register", "stretched", "take_turn",
]  # fmt: skip
