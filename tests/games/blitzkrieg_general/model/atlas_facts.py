"""What the rulebooks of Blitzkrieg General state about the map, production, units, cards and charts: numbers and names.

Numbers behind names are lines of the English rulebook's text edition.
"""

from __future__ import annotations

# The map.
LAND_MASSES = (
    "england scotland", "ireland", "usa_east usa_west canada_east canada_west alaska", "southern_japan northern_japan",
    "darwin sydney perth", "east_new_guinea west_new_guinea", "north_borneo south_borneo",
)  # fmt: skip
OLD_WORLD = "paris gibraltar vladivostok calcutta malaya south_africa norway alexandria algeria canton"
JAPANESE_ISLANDS = "marshall_islands caroline_islands mariana_islands"
ALLIED_ISLANDS = (
    "aleutian_islands midway_islands wake_islands christmas_islands samoa_islands gilbert_islands rabaul "
    "solomon_islands east_new_guinea west_new_guinea celebes north_borneo"
)
FORBIDDEN_COASTS = {"scotland", "bnl", "western_germany"}
FORBIDDEN_BORDERS = (("irkutsk", "jablonovy", 102), ("irkutsk", "usbekistan", 87))
EAST_AFRICA_DOORS = {"west_african_sea", "persian_gulf", "sudan"}
OFF_MAP_SEA_LINKS = (("coral_sea", "cape_naturaliste"), ("indian_ocean", "red_sea"))
NO_MAGINOT_FORTRESS = ("paris", "vichy")
DESERT_LIMIT = 3
MIDWAY_LIMIT = 2

# Production: what a major's own areas make, without deliveries; and the starting values of the cards.
OWN_PRODUCTION_1939 = {
    "germany": 11, "italy": 6, "japan": 14, "france": 11, "china": 8, "ussr": 34, "usa": 36, "poland": 2,
}  # fmt: skip
BE_PRODUCTION, BE_PACIFIC_PRODUCTION = 13, 7
PRODUCTION_1939 = {"germany": 17, "japan": 17, "italy": 6, "france": 11, "be": 13, "china": 8}
PRODUCTION_1941 = {"germany": 23, "japan": 15, "italy": 5, "be": 24, "china": 8}
CARD_1941 = {"japan": 15, "italy": 5, "germany": 23, "usa": 12, "ussr": 11, "be": 24, "china": 8}
USSR_PEACE = 11
DELIVERIES = {("ussr", "germany"): 3, ("romania", "germany"): 2, ("sweden", "germany"): 1, ("usa", "japan"): 3}
# Left for the owner, right for a conqueror.
AREA_PRODUCTION = {
    "western_poland": [2, 1], "karelia": [1, 1], "white_russia": [1, 1], "yugoslavia": [2, 1], "greece": [2, 1],
    "finland": [1, 0],
}  # fmt: skip
NO_PRODUCTION = "east_poland lwow odessa sinkiang sian pakoe canton cyreneica matruh"
PRODUCING_HOMES = (
    "wuhan chentu paris maginot england canada_east southern_japan western_germany prussia northern_italy south_africa"
)
# Whole countries, all their areas together: ours where the texts say nothing.
COUNTRY_TOTALS = {
    "germany": [11, 5], "poland": [2, 1], "baltic_states": [0, 1], "denmark": [1, 0], "norway": [1, 1],
    "sweden": [2, 1], "finland": [1, 0], "bnl": [6, 5], "france": [11, 4], "italy": [6, 3], "hungary": [1, 1],
    "romania": [3, 2], "bulgaria": [1, 0], "yugoslavia": [2, 1], "greece": [2, 1], "spain": [3, 1],
    "portugal": [1, 0], "turkey": [2, 1], "iraq": [1, 1], "iran": [1, 1], "arabia": [1, 1], "be": [20, 11],
    "ireland": [1, 0], "usa": [36, 18], "ussr": [34, 21], "japan": [14, 10], "china": [8, 4], "siam": [1, 1],
    "afghanistan": [1, 0],
}  # fmt: skip
# What the advanced tutorial writes down: line, area, by how much each country's production changes.
TUTORIAL_CHANGES: tuple[tuple[int, str, dict[str, int]], ...] = (
    (4812, "karelia", {"ussr": -1, "germany": 1}),
    (4852, "baltic", {"germany": 1}),
    (5235, "yugoslavia", {"be": -2, "germany": 1}),
    (5405, "greece", {"be": -2, "italy": 1}),
    (5462, "white_russia", {"ussr": -1, "germany": 1}),
    (5832, "finland", {"germany": -1, "ussr": 0}),
)
ASSOCIATES = {
    "be": "be", "greece": "be", "yugoslavia": "be", "germany": "germany", "finland": "germany", "romania": "germany",
    "hungary": "germany", "bulgaria": "germany", "italy": "italy", "japan": "japan", "china": "china",
}  # fmt: skip

# Units.
BUILD_QUARTERS = {"inf": 1, "arm": 3, "air": 2, "conv": 3, "sub": 3, "tf": 4, "hq": 4}
COSTS = {"conv": 4, "sub": 3}
BACKS = {("inf", 4): 2, ("inf", 3): 2, ("inf", 2): 1, ("arm", 4): 2, ("arm", 2): 1, ("air", 3): 2, ("air", 2): 1,
         ("tf", 4): 2, ("tf", 3): 2, ("tf", 2): 1}  # fmt: skip
HQ_RATING_AT_LEAST = {"Manstein": 5, "Hiro": 3, "Chiang": 2, "Konev": 3}
HQ_RATING = {"Guderian": 4}
UNIT_COUNTERS_AT_MOST = 480

# Cards and charts.
CARDS, COUP_CARDS = 55, 13
CARD_COSTS = {"morsecode": 6, "militia": 1, "coup_siam": 1, "national_war_ussr": 1}
DRAWN_IN_THE_TUTORIAL = {
    "coup_siam", "lend_lease_usa", "militia", "morsecode", "national_war_ussr", "para_troops", "spies",
}  # fmt: skip
DECLARATION_LIMITS = {"usa", "ussr", "be", "france", "japan", "germany", "bulgaria"}
WEATHER = (
    ("europe", "2", "1", "good"), ("pacific", "2", "1", "bad"), ("europe", "3", "5", "good"),
    ("pacific", "3", "5", "good"),
)  # fmt: skip
RAIL = {
    "germany": 2,
    "italy": 1,
    "japan": 1,
    "china": 1,
    "ussr": {"peace": 1, "war_with_germany": 4},
    "be": 1,
    "usa": 4,
}
RESEARCH_NUMBERS_1941 = {"japan": 1, "usa": 1, "germany": 3, "be": 4, "ussr": 1, "italy": 1}
RESEARCH_1941 = {"air_combat": ["germany", "be", "japan"], "radar": ["be"], "long_range": ["japan", "usa"]}
# Search rolls of the tutorial: column, roll, bonus, found or not, line.
SEARCHES = (
    ("cv_air_search_ships", 4, 0, True, 4861), ("cv_air_search_ships", 9, 0, False, 5243),
    ("cv_air_search_ships", 11, 2, False, 5250), ("cv_air_search_ships", 10, 2, True, 5693),
    ("cv_air_search_ships", 9, 2, True, 5693), ("ships_search_ships", 7, 0, False, 5691),
    ("ships_search_subs", 6, 0, False, 5624), ("ships_search_subs", 6, 2, True, 5624),
    ("subs_search_ships", 5, 0, True, 5602), ("subs_search_ships", 7, 0, False, 5611),
)  # fmt: skip
