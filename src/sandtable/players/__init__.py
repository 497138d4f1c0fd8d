"""Computer players. Each sees only its own view; the hidden part is made up from what the view allows."""

from .base import Budget, Player, Recruit, imagine, levels, make, register

__all__ = ["Budget", "Player", "Recruit", "imagine", "levels", "make", "register"]
