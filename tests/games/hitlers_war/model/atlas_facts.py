"""What the rulebook of Hitler's War states about its map, charts and set-ups: numbers and names, nothing else.

Keys or comments give the line of the rulebook's text edition.
"""

from __future__ import annotations

# Hexes that the text ties to a country.
COUNTRY_HEXES = {
    "germany": "P10 Q10 Q13 P11 N12 N9 O10 Q9",
    "france": "N7 N8 M9 M8 L8 O8",
    "great_britain": "P7 Q7 U7 S7",
    "gibraltar": "H4",
    "malta": "G11",
    "egypt": "D15",
    "soviet_union": "T15 Q17 M19 U18 M20 S15 R14 Q14 Q15 P14 O15 N14 N15 M15 M16 M17 L15 P15 Q16",
    "italy": "L9 L10 K10 K11 J10 J11 I11 I12 H11",
    "sicily": "H10",
    "sardinia": "J8",
    "corsica": "K9",
    "low_countries": "O9",
    "denmark": "S10",
    "rumania": "L14",
    "baltic_states": "R13 S14",
    "yugoslavia": "L11 L12",
    "libya": "D12",
    "turkey": "J14",
    "poland": "P13 O14 N13",
}
# Every hex that the prose names, and every label that can still be read on the map page.
HEXES_IN_THE_TEXT = (
    "A18 B17 C17 D12 D15 D16 G11 H4 H10 H11 I11 I12 J8 J10 J11 K9 K10 K11 L8 L9 L10 L11 L12 L14 L15 M8 M9 M15 M16 M17 "
    "M19 M20 N7 N8 N9 N12 N13 N14 N15 O8 O9 O10 O11 O12 O15 P7 P8 P10 P11 P13 P14 P15 Q7 Q9 Q10 Q13 Q14 Q15 Q16 Q17 "
    "R13 R14 S7 S10 S14 S15 T15 U7 U18"
)
MAP_LABELS = "M2 M3 M4 M5 M6 O4 O5 Q4 R4 N5 P5 S6 U5 U6 V5 V6 N8 P8 R8 M9 S5 S8 S9 R9 K2 H2 H3 G2 G4 F2 F3 E3 P4"
ADJACENT_CHAINS = (
    "A18 B17 C17 D16 D15", "H10 I11", "J11 I12", "P14 Q14 Q15", "Q15 Q16", "O11 O12", "O12 P11", "P14 P15", "N14 N15",
)  # fmt: skip
RED_SEA_HEXES = "A18 B17 C17"
COAST_HEXES = "D16 D15 Q10 J11 I12 S10 H4 G11 U7 S7 T15 K10 P8 Q9 I11 H10 J14"
CAPITALS = {"P10": "Berlin", "N7": "Paris", "P7": "London", "T15": "Leningrad", "Q17": "Moscow", "M19": "Stalingrad"}
LEND_LEASE_DEPOTS = "U18 M20"
PORTS = "U7 H4 T15 Q10 J11"
PRODUCTION_HEXES = "M8 L8 N8 L11 L12 S14 Q15 N15 L15"
SINGLE_POINTS = "Q15 N15 M8 L8 N8"
CLEAR_HEXES = "I11 Q14 P14 Q15 Q16"  # worked examples add no mountain modifier there
BRITISH_PAIR = "P7 Q7"

# Starting production, and the totals of whole countries.
PRODUCTION_AT_START = {
    "barbarossa": {"axis": 34, "soviet": 16},
    "fall-of-germany": {"axis": 30, "soviet": 23, "allied": 35},
    "campaign-1": {"axis": 16, "soviet": 8, "allied": 23},
    "campaign-2": {"axis": 16, "soviet": 8, "allied": 23},
}
BOX_PRODUCTION = {"us": 16, "india": 2, "siberia": 8}
SIBERIA_FROM_SPRING_1943 = 12

# Set-ups: place, then infantry, mechanized, tac air, amphibious.
Army = tuple[str, int, int, int, int]
_CAMPAIGN_SOVIET: list[Army] = [
    ("Q17", 2, 2, 0, 0), ("T15", 3, 0, 0, 0), ("R14", 4, 2, 0, 0), ("P14", 4, 2, 0, 0), ("siberia", 2, 3, 0, 0),
]  # fmt: skip
ARMIES: dict[str, dict[str, list[Army]]] = {
    "barbarossa": {
        "axis": [
            ("Q13", 5, 5, 0, 0), ("P13", 5, 0, 0, 0), ("O14", 2, 8, 0, 0), ("N13", 3, 7, 0, 0), ("L14", 6, 0, 0, 0),
        ],
        "soviet": [
            ("Q17", 2, 2, 0, 0), ("T15", 3, 0, 0, 0), ("R13", 3, 1, 0, 0), ("Q14", 3, 1, 0, 0), ("P14", 3, 1, 0, 0),
            ("O15", 3, 1, 0, 0), ("N14", 3, 1, 0, 0), ("siberia", 2, 3, 0, 0),
        ],
    },
    "campaign-1": {
        "axis": [("Q13", 2, 0, 0, 0), ("P11", 2, 3, 0, 0), ("N12", 3, 7, 0, 0), ("N9", 4, 0, 0, 0), ("L9", 4, 1, 0, 0)],
        "soviet": _CAMPAIGN_SOVIET,
        "allied": [("P7", 2, 2, 0, 1), ("O8", 5, 2, 0, 0), ("us", 8, 3, 0, 1)],
    },
    "campaign-2": {
        "axis": [("Q13", 2, 0, 0, 0), ("P11", 2, 3, 1, 0), ("N12", 3, 7, 1, 0), ("N9", 4, 0, 0, 0), ("L9", 4, 1, 0, 0)],
        "soviet": [("Q17", 2, 2, 1, 0), ("T15", 3, 0, 1, 0), *_CAMPAIGN_SOVIET[2:]],
        "allied": [("P7", 2, 2, 1, 1), ("O8", 5, 2, 1, 0), ("us", 8, 3, 1, 1)],
    },
}  # fmt: skip
FREE_FORCES = {
    "axis": {"infantry": 29, "mechanized": 14},
    "soviet": {"infantry": 40, "mechanized": 16},
    "allied": {"infantry": 28, "mechanized": 12, "amphibious": 12},
}
_CAMPAIGN_FORTS = {"axis": {"N9": 1}, "soviet": {}, "allied": {"H4": 2, "G11": 1, "N8": 7, "M9": 7}}
FORTS: dict[str, dict[str, dict[str, int]]] = {
    "barbarossa": {},
    "fall-of-germany": {
        "axis": {"N9": 2, "O10": 2, "K10": 2, "P8": 1, "Q9": 2, "Q10": 3},
        "soviet": {"T15": 2},
        "allied": {},
    },
    "campaign-1": _CAMPAIGN_FORTS,
    "campaign-2": _CAMPAIGN_FORTS,
}
TURNS = {
    "barbarossa": ("Summer 1941", "Winter 1943"),
    "fall-of-germany": ("Spring 1944", "Winter 1945"),
    "campaign-1": ("Winter 1939", "Summer 1945"),
    "campaign-2": ("Winter 1939", "Summer 1945"),
}
DEVASTATED_1944 = "M8 L8 N8 L11 L12 S14 Q15 N15 L15 O10"
DEVASTATED_IN_O10 = 3
AXIS_HEXES_1944 = "L9 L10 K10 K11 S15 R14 Q14 Q15 P14 O15 N14 N15 M15 M16 M17 L15"
ALLIED_ITALY_1944 = "J10 J11 I11 I12 H11"
AXIS_COUNTRIES_1941 = (
    "germany italy poland denmark norway low_countries france morocco algeria tunisia corsica yugoslavia greece crete "
    "rumania hungary bulgaria finland"
)
AXIS_COUNTRIES_1944 = (
    "germany poland denmark norway low_countries bulgaria finland baltic_states france yugoslavia greece crete rumania "
    "hungary"
)
CLOSED_1944 = {"portugal", "spain", "sweden", "turkey", "saudi_arabia"}
HOME_FORCES = {
    "spain": 6, "turkey": 6, "norway": 3, "sweden": 6, "poland": 4, "finland": 4, "rumania": 3, "italy": 0,
    "united_states": 0,
}  # fmt: skip
ALLIED_COUNTRIES_1944 = "united_states lebanon_syria morocco algeria tunisia libya sicily sardinia corsica iraq iran"

# Worked dice: firing strength, modified die, losses, line.
FIREPOWER_EXAMPLES = (
    (5, 3, 1, 306), (6, 4, 1, 332), (9, 3, 3, 334), (5, 2, 2, 348), (8, 4, 2, 348), (7, 6, 1, 1196), (5, 5, 1, 1248),
    (6, 3, 2, 1248), (3, 2, 1, 1270), (6, 1, 2, 1270), (10, 4, 3, 1324),
)  # fmt: skip
# Firing strength, losses that some die must be able to give, line.
FIREPOWER_POSSIBLE = ((7, 1, 346), (10, 3, 346), (9, 4, 346), (6, 1, 672), (4, 0, 672), (4, 2, 1196), (7, 2, 302))
# Mechanized strength, defence, highest die that succeeds, line.
ADVANCE_EXAMPLES = (
    (8, 6, 2, 334), (8, 3, 5, 334), (10, 0, 8, 346), (10, 1, 8, 348), (8, 3, 5, 348), (8, 6, 2, 672), (8, 3, 5, 1196),
)  # fmt: skip
TIME_NOTES = {
    "Winter 1939": [1], "Spring 1940": [1, 2], "Summer 1940": [1], "Summer 1941": [3], "Winter 1941": [4],
    "Spring 1942": [5, 6], "Spring 1943": [7], "Spring 1944": [8],
}  # fmt: skip
BASIC_COSTS = {"infantry": 2, "mechanized": 5, "amphibious": 6, "fort": 5, "repair_per_point": 3}
ARROW_LENGTHS = {("british_africa", "A18"): 50, ("british_africa", "india"): 65, ("british_africa", "F2"): 35}
ARROW_ENDS = {"P4": 10, "O4": 15, "M2": 14}
SEA_GATES = {"Gibraltar": "H4", "Danish Straits": "S10", "Kiel Canal": "Q10", "Istanbul": "J14", "Suez Canal": "D15"}

# Land that hangs together, and islands that do not.
FAR_SHORES = "D10 D11 D12 E10 E11 E3 E4 F3 F4 F5 F6 F7 F8 F9 G14 G4 G5 G6 G7 G8 G9 H7 H8 H9 J8 K9"
"""Axis land of Barbarossa that nothing joins with Europe while there is no supply by sea."""
MAINLAND = "N7 Q17 M19 T15 U18 M20 J5 J3 T10 T12 T13 R10 S10 J11 H10 I16 D15 G21 F19 D12 H9 F3 O9 P8 X15"
ISLANDS = "P6 P7 Q7 R6 R7 S6 S7 T6 U7 R5 Q5 J8 K9 G11 G14 G16"
