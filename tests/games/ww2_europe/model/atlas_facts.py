"""What the rulebook of World War II in Europe states about its board, units and set-ups: numbers and names only.

The printed board and the set-up cards are not in the text, so these are the facts of the prose and its worked examples;
numbers after a name are lines of the rulebook's text edition.
"""

from __future__ import annotations

from typing import Any

POWERS = ("germany", "italy", "france", "great_britain", "usa", "ussr")
NAMED_SPACES = (
    "Hamburg", "Liege", "Frankfurt", "Sedan", "Brussels", "Amsterdam", "Vigo", "Bristol", "London", "Manchester",
    "Scapa Flow", "Brest", "Cherbourg", "Bearn", "Bordeaux", "Strasbourg", "Paris", "Vichy", "Toulouse", "Marseilles",
    "Oran", "Lebanon", "Rabat", "Algiers", "Damascus", "Munich", "Prague", "Warsaw", "Kiev", "Danzig", "Krakow",
    "Vyborg", "Latvia", "Estonia", "Lithuania", "Brest-Litovsk", "Vilna", "Lvov", "Bessarabia", "Trieste", "Belgrade",
    "Budapest", "Berlin", "Rome", "Genoa", "Taranto", "Naples", "Sicily", "Sardinia", "Tripoli", "Tunis", "Gibraltar",
    "Malta", "Alexandria", "Suez", "Tobruk", "Bir el Gubi", "Sidi Barrani", "Halfaya", "El Agheila", "Crete",
    "Salamanca", "Istanbul", "Switzerland", "USA",
)  # fmt: skip
OTHER_NAMES = ("Mers el Kebir",)
TWO_FRONT_PORTS = {"hamburg_port", "istanbul_port", "gibraltar_port"}
NAMED_FRONTS = {"western", "southern", "mediterranean", "african", "middle_east"}
# Lines that give a power's colour and side.
POWER_LINES = {
    "france": (51, 787), "germany": (53, 780), "great_britain": (55, 785), "italy": (57, 781), "usa": (61, 789),
    "ussr": (63, 790),
}  # fmt: skip
SIDES = {
    "germany": "axis", "italy": "axis", "france": "allies", "great_britain": "allies", "usa": "allies",
    "ussr": "allies",
}  # fmt: skip
COLOURS = {
    "france": "blue", "germany": "grey", "great_britain": "tan", "italy": "light green",
}  # fmt: skip

# Interception: distance and the highest die that finds.
INTERCEPTION = {1: 5, 2: 4, 3: 3, 4: 2, 5: 1}

# Units: the numbers that the prose fixes, with the line.
UNIT_FACTS: dict[str, dict[str, tuple[int, int]]] = {
    "airborne": {
        "combat": (2, 363), "limit_on_board": (1, 363), "air_drop_air_stack": (10, 355), "air_drop_range": (2, 355),
    },
    "artillery": {"dice": (2, 1338), "combat": (2, 1338)},
    "tank": {"combat": (3, 1877), "movement": (2, 881), "cost": (20, 1877)},
    "fighter": {"combat_vs_air": (4, 407), "movement": (4, 556), "convoy_escort_hit": (3, 1274), "cost": (25, 1881)},
    "tac_bomber": {"combat_vs_ground": (4, 415), "combat_vs_naval": (4, 415)},
    "bomber": {"strategic_hit": (3, 1270), "combat": (1, 1885), "cost": (25, 1885)},
    "submarine": {"strategic_hit": (3, 1270), "combat": (1, 1894), "cost": (10, 1894), "movement": (10, 634)},
    "destroyer": {"bombardment": (1, 1331), "convoy_escort_hit": (3, 1274), "movement": (10, 634)},
    "cruiser": {"movement": (10, 634)},
    "battleship": {"bombardment": (2, 1331), "hits": (2, 490), "movement": (10, 634)},
    "carrier": {"hits": (2, 490), "air_wing": (2, 513), "movement": (10, 634)},
    "transport": {"combat": (0, 137), "combat_in_port": (1, 137), "movement": (10, 634)},
    "redeployment_point": {"cost": (5, 712), "limit": (10, 712), "build_time": (0, 1569)},
    "fortress": {"build_time": (0, 1569)},
    "supply_depot": {"build_time": (0, 1569)},
}  # fmt: skip
TECH_UNIT_FACTS: dict[str, dict[str, int]] = {
    "tank_2": {"combat": 4, "cost": 25},
    "jet": {"combat_vs_air": 5, "cost": 30},
    "heavy_bomber": {"combat": 2, "strategic_hit": 5, "cost": 30},
    "long_range_fighter": {"movement": 6, "cost": 30},
    "long_range_bomber": {"movement": 8, "cost": 30},
    "long_range_heavy_bomber": {"cost": 35},
    "u_boat": {"combat": 2, "strategic_hit": 4, "cost": 15},
}
SEA_CONTROL = {"tac_bomber", "submarine", "destroyer", "cruiser", "battleship", "carrier"}
ANTI_SUBMARINE = {"tac_bomber", "destroyer"}
TECHNOLOGIES = {
    "code_breaking", "tanks", "jets", "heavy_bombers", "long_range_aircraft", "u_boats", "sonar", "radar", "rockets",
    "atomic_bomb",
}  # fmt: skip
TECHNOLOGY_TARGET = 200

# The pact and Vichy.
PACT_GERMAN = ["warsaw", "danzig", "krakow"]
PACT_SOVIET = {"vyborg", "latvia", "estonia", "lithuania", "brest_litovsk", "vilna", "lvov", "bessarabia"}
OCCUPIED_FRANCE = ["bearn", "bordeaux", "brest", "cherbourg", "sedan", "strasbourg", "paris"]
VICHY_FORCES: dict[str, Any] = {
    "vichy": {"infantry": 5, "artillery": 1}, "toulouse": {"infantry": 3}, "marseilles": {"infantry": 4},
    "rabat": {"infantry": 1}, "algiers": {"infantry": 2}, "damascus": {"infantry": 1},
}  # fmt: skip
VICHY_PORTS = ["Marseilles", "Mers el Kebir", "Lebanon"]
VICHY_COLONIES = {"morocco", "algeria", "tunisia", "lebanon", "syria", "french_west_africa"}

# What each power collects at the start: ours, kept in proportion to Germany's.
INCOME_TO_GERMANY = {"france": 0.55, "great_britain": 0.8, "italy": 0.45, "ussr": 0.9, "usa": 1.5}
# What all spaces of a country are worth: ours.
COUNTRY_VALUES = {
    "germany": 98, "slovakia": 2, "france": 44, "morocco": 2, "algeria": 3, "tunisia": 2, "lebanon": 1, "syria": 1,
    "french_west_africa": 2, "great_britain": 48, "egypt": 6, "palestine": 2, "iraq": 6, "canada": 16,
    "south_africa": 2, "italy": 44, "libya": 1, "usa": 150, "ussr": 90, "poland": 11, "lithuania": 1, "latvia": 1,
    "estonia": 1, "finland": 5, "sweden": 9, "norway": 3, "denmark": 2, "netherlands": 4, "belgium": 6,
    "switzerland": 3, "ireland": 1, "portugal": 2, "spain": 15, "hungary": 4, "romania": 12, "yugoslavia": 5,
    "bulgaria": 2, "greece": 2, "turkey": 7, "iran": 6,
}  # fmt: skip
HOMELAND_VALUES = {"germany": 98, "france": 44, "great_britain": 48, "italy": 44, "ussr": 90, "usa": 150}
# When technologies are due if every die rolls its mean of 3.5.
TECHNOLOGY_DATES = {
    ("great_britain", "radar"): {"summer 1940"}, ("germany", "tanks"): {"spring 1943", "summer 1943"},
    ("great_britain", "heavy_bombers"): {"fall 1942"}, ("usa", "heavy_bombers"): {"fall 1943"},
    ("germany", "rockets"): {"spring 1944"}, ("germany", "jets"): {"fall 1944"},
    ("usa", "atomic_bomb"): {"summer 1945"},
}  # fmt: skip
