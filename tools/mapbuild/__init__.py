"""Turns the atlases into drawable maps: `python -m tools.mapbuild GAME|all`."""
