"""Blitzkrieg General: the Second World War on two maps, a quarter of a year per turn, in a basic game (1939) and an
advanced one (1939 and 1941). Eight major countries in two alliances move side by side and draw cards."""
