"""The board and the cards of the demonstration game: seven provinces, a capital each, three crowns."""

from __future__ import annotations

SPACES = ("Reddale", "Bluemoor", "Greenholt", "Fordham", "Marsh End", "High Gate", "Crossing")
CROSSING = 6
LINKS = ((0, 3), (0, 4), (1, 4), (1, 5), (2, 5), (2, 3), (3, 6), (4, 6), (5, 6))
NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(
    tuple(sorted({b for a, b in LINKS if a == here} | {a for a, b in LINKS if b == here})) for here in range(7)
)
INDEX = {name: place for place, name in enumerate(SPACES)}
ROLES = ("red", "blue", "green")
CAPITALS = (0, 1, 2)
DECK = ("ambush",) * 4 + ("levy",) * 4 + ("spy",) * 4
UNITS_PER_ROLE = 5
TURNS = 5
POSTURES = ("march", "dig in", "scout")
