"""Boards without rules: the geometry that at least two games use."""

from .hexes import Axial, distance, neighbours

__all__ = ["Axial", "distance", "neighbours"]
