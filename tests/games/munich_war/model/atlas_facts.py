"""What the rulebook of Munich War states about its map, counters, charts and scenarios: numbers and names only."""

from __future__ import annotations

# The map.
CITY_HEXES = {"Breslau": "2814", "Aachen": "1712"}
MEDITERRANEAN_COAST = {"1623", "1722", "1823"}
ITALIAN_EDGE = {"1823", "1922", "2023"}
COUNTRIES_ON_THE_EDGE = (
    "Great Britain", "France", "Italy", "Yugoslavia", "Romania", "Finland", "Soviet Union",
)  # fmt: skip
COUNTRIES_OFF_THE_EDGE = ("Germany", "Poland", "Czechoslovakia", "Hungary")
SEA_AREAS = {"North Sea", "Baltic Sea", "Adriatic Sea", "Black Sea", "Mediterranean Sea"}
CITIES_ON_THE_MAP = (
    "London Paris Berlin Copenhagen Leningrad Minsk Kiev Odessa Bucharest Budapest Warsaw Helsinki Prague Ruhr Antwerp"
)
CITIES_OFF_THE_MAP = "Rome Moscow"
CITIES_JOINED_TO_BERLIN = (
    "Paris Prague Warsaw Budapest Bucharest Belgrade Milan Kiev Leningrad Helsinki Konigsberg Riga"
)
# Territory may lie in this many pieces; every other country is one piece.
TERRITORY_PIECES = {
    "Germany": 3, "Denmark": 2, "Estonia": 2, "Italy": 2, "Great Britain": 3, "Romania": 2, "Norway": 2, "Sweden": 3,
}  # fmt: skip
# Rivers that a lake, a border or the map edge cuts in two; every other river is one line.
RIVERS_IN_TWO_PIECES = {"Moselle", "Danube", "Prut", "Dnieper"}
FORT_SYMBOLS = {
    "Germany": 2, "Czechoslovakia": 6, "Belgium": 1, "Finland": 1, "France": 4, "Poland": 3, "Soviet Union": 4,
}  # fmt: skip
REICH_OBJECTIVES = 5
HOME_RP = {
    "Germany": 8, "Soviet Union": 4, "Czechoslovakia": 3, "France": 3, "Poland": 2, "Italy": 2, "Romania": 2,
    "Great Britain": 1, "Hungary": 1, "Yugoslavia": 1, "Belgium": 1, "Netherlands": 1, "Finland": 1,
}  # fmt: skip
OFF_MAP_RP = {"Great Britain": 3, "France": 1, "Soviet Union": 1}
WITHOUT_RP = {
    "Denmark", "Estonia", "Latvia", "Lithuania", "Luxembourg", "Switzerland", "Danzig", "Sweden", "Norway",
}  # fmt: skip
RAIL_CAPACITY = {"Germany": 4, "France": 3, "Great Britain": 3, "Soviet Union": 3, "Italy": 2, "Poland": 2}
SURRENDER = {
    "Germany": 1, "Finland": 2, "Hungary": 2, "Poland": 2, "France": 3, "Italy": 3, "Czechoslovakia": 4, "Belgium": 4,
    "Romania": 4, "Yugoslavia": 4, "Denmark": 5, "Estonia": 5, "Latvia": 5, "Lithuania": 5, "Netherlands": 5,
}  # fmt: skip

# Counters.
COUNTERS = 176
OPTIONAL_UNITS = {"GE-19", "FR-DEG"}
Deployment = tuple[dict[str, int], dict[str, int], dict[str, int], int]
# On the map, available, reinforcements, and how many start reduced.
_CORPS: Deployment = ({"infantry": 1}, {}, {}, 0)
DEPLOYMENT: dict[str, Deployment] = {
    "Germany": (
        {"fortification": 2, "armor": 2, "armored_cavalry": 1, "mech_infantry": 1, "infantry": 13, "second_line": 4,
         "alpine": 1, "aaa": 3},
        {"airstrike": 3, "airlift": 1, "naval_transport": 1, "special_forces": 3},
        {"armor": 1, "infantry": 3, "marines": 1, "aaa": 1, "motorized_aaa": 1, "airstrike": 2},
        0,
    ),
    "Czechoslovakia": (
        {"fortification": 6, "infantry": 4, "second_line": 3, "armored_cavalry": 1}, {},
        {"infantry": 1, "airstrike": 1}, 0,
    ),
    "Belgium": ({"fortification": 1, "infantry": 1, "cavalry": 1}, {}, {}, 1),
    "Denmark": _CORPS,
    "Estonia": _CORPS,
    "Latvia": _CORPS,
    "Lithuania": _CORPS,
    "Finland": ({"fortification": 1, "infantry": 1}, {}, {"infantry": 1}, 0),
    "France": (
        {"fortification": 4, "infantry": 6, "alpine": 1, "armored_cavalry": 1},
        {"airstrike": 1, "naval_bombardment": 1, "naval_transport": 1},
        {"infantry": 2, "mech_infantry": 1, "marines": 1, "airstrike": 1},
        4,
    ),
    "Great Britain": (
        {"armor": 1, "infantry": 1, "aaa": 1},
        {"airstrike": 2, "naval_bombardment": 1, "naval_transport": 1},
        {"infantry": 1, "second_line": 1, "marines": 1, "airstrike": 1, "special_forces": 1},
        1,
    ),
    "Hungary": ({"infantry": 1, "cavalry": 1}, {}, {"infantry": 1}, 0),
    "Italy": (
        {"infantry": 4, "alpine": 1, "second_line": 1},
        {"airstrike": 2, "naval_bombardment": 1, "naval_transport": 1},
        {"mech_infantry": 1, "infantry": 1, "marines": 1},
        2,
    ),
    "Netherlands": _CORPS,
    "Poland": (
        {"fortification": 3, "infantry": 5, "alpine": 1, "cavalry": 1}, {"airstrike": 1}, {"infantry": 2}, 2,
    ),
    "Romania": ({"infantry": 2, "alpine": 1}, {}, {"cavalry": 1}, 2),
    "Soviet Union": (
        {"fortification": 4, "infantry": 6, "armor": 2, "armored_cavalry": 1, "security": 1},
        {"airstrike": 2, "special_forces": 1},
        {"infantry": 3, "mech_infantry": 1, "airstrike": 1, "special_forces": 1},
        13,
    ),
    "Yugoslavia": ({"infantry": 2}, {}, {"infantry": 1, "alpine": 1}, 2),
}  # fmt: skip

# Scenarios: die, Axis, Allied, Axis and Allied intervention, game turns.
SCENARIOS = {
    "Western Powers Guarantee": (
        [1, 2], "Germany, Poland, Hungary", "Czechoslovakia, Great Britain, France", "Italy", "Soviet Union", 6,
    ),
    "Little Entente": ([3], "Germany, Hungary", "Czechoslovakia, Romania, Yugoslavia", "Italy", "Poland, France", 4),
    "Intermarium": (
        [4], "Germany, Soviet Union", "Czechoslovakia, Poland, Lithuania, Latvia, Estonia, Romania", "Hungary",
        "Yugoslavia, Finland, France", 6,
    ),
    "Anti-Comintern War": (
        [5], "Germany, Italy, Poland", "Czechoslovakia, Soviet Union, Romania", "Hungary, Finland",
        "Yugoslavia, France", 8,
    ),
    "General War": (
        [6], "Germany, Italy, Hungary, Romania", "Czechoslovakia, Great Britain, France, Poland", "Finland",
        "Soviet Union, Yugoslavia", 8,
    ),
}  # fmt: skip

# Charts.
CRT_COLUMNS = ["<=49", "50-99", "100-149", "150-199", "200-299", "300-399", "400-499", "500-599", ">=600"]
ASSAULT_RESULTS = {"AA", "AD", "AP", "AS", "AW", "AZ", "BB", "DA", "DD", "DP", "DW", "DZ"}
MOBILE_RESULTS = {"MA", "MD", "OR"}
EVENTS = {"Weather": [1], "Intervention": [2, 3], "Crisis Elsewhere": [4], "Putsch!": [5], "Blitzkrieg!": [6]}
VICTORY_POINTS = {
    "Berlin": 15, "Paris": 10, "Leningrad": 10, "Prague": 5, "Warsaw": 5, "Budapest": 5, "Bucharest": 5,
}  # fmt: skip
VICTORY_LEVELS = [(31, None), (11, 30), (1, 10), (None, 0)]
