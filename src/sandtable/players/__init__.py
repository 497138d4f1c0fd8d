"""Computer players, as far as games share them. Each sees only its own view; what is hidden is drawn at random."""

from .base import Budget, Player, Recruit, imagine, levels, make, register

__all__ = ["Budget", "Player", "Recruit", "imagine", "levels", "make", "register"]
