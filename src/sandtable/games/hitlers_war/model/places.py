"""Places and countries that the rules name: spaces, groups of spaces, and numbers of countries."""

from __future__ import annotations

from typing import Final

from .atlas import ATLAS

# ---- spaces
BERLIN: Final = ATLAS.place("berlin")
PARIS: Final = ATLAS.place("paris")
GIBRALTAR: Final = ATLAS.place("gibraltar")
MALTA: Final = ATLAS.place("malta")
SUEZ: Final = ATLAS.place("suez")
SCAPA_FLOW: Final = ATLAS.place("scapa_flow")
KIEL: Final = ATLAS.place("kiel")
TARANTO: Final = ATLAS.place("taranto")
TARANTO_EXIT: Final = ATLAS.place("taranto_exit")
SIBERIA: Final = ATLAS.place("siberia")
INDIA: Final = ATLAS.place("india")
UNITED_STATES: Final = ATLAS.place("united_states")
AMERICA: Final = frozenset(ATLAS.spaces(ATLAS.rules["places"]["america"]))
SOVIET_CAPITALS: Final = ATLAS.spaces(ATLAS.rules["places"]["soviet_capitals"])
BRITISH_CAPITALS: Final = ATLAS.spaces(ATLAS.rules["places"]["british_capitals"])

# ---- countries
GERMANY: Final = ATLAS.country_index["germany"]
FRANCE: Final = ATLAS.country_index["france"]
GREAT_BRITAIN: Final = ATLAS.country_index["great_britain"]
ITALY: Final = ATLAS.country_index["italy"]
SOVIET_UNION: Final = ATLAS.country_index["soviet_union"]
BALTIC_STATES: Final = ATLAS.country_index["baltic_states"]
POLAND: Final = ATLAS.country_index["poland"]
NORWAY: Final = ATLAS.country_index["norway"]
USA: Final = ATLAS.country_index["united_states"]
FRENCH_HEXES: Final = frozenset(ATLAS.countries[FRANCE].spaces)
"""Mainland France."""
SOVIET_HEXES: Final = frozenset(ATLAS.countries[SOVIET_UNION].spaces)
WORKS: Final = tuple(space for space in ATLAS.land if ATLAS.production[space])
"""Spaces with production points."""
SIBERIAN_GROWTH: Final = ATLAS.turn("siberian_growth")
"""Season in which Siberian industry grows, and by how many points."""
GROWN_SIBERIA: Final = int(ATLAS.rules["siberia"]["grown"]) - ATLAS.production[SIBERIA]
