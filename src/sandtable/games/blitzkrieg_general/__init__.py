"""Blitzkrieg General: the basic game and both advanced scenarios, with every optional rule."""
