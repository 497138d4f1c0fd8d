"""The scenario cards of Blitzkrieg General: who starts where and what arrives when, numbers and names only.

"2 Inf 4" are two infantry counters of front strength 4; (B) stands on its back; a mark in brackets is printed on the
counter (orange, red, G guards, A Australian, I Indian, SA South African, C Canadian, V Vichy, US built by the USA).
An island's own seazone is written sea_<island>.
"""

from __future__ import annotations

SET_UP_1939: dict[str, str] = {
    "germany": (
        "western_germany: Inf 2; bavaria: Inf 3, Inf 2; prussia: 2 Inf 4, 2 Inf 3, Arm 5, HQ Guderian, Air 4; "
        "austria: Inf 4, Inf 3, Arm 4, Air 3; skagerrak: TF 4(B), Sub 2, 2 Conv"
    ),
    "italy": (
        "abessinia: Inf 2(B); tripolitania: 2 Inf 2; albania: Inf 2(B); northern_italy: Inf 3, Inf 2; "
        "southern_italy: Inf 2, Air 2; adria: 3 Conv, Sub 2(B); ionian_sea: TF 4, TF 3"
    ),
    "japan": (
        "manchuria: Inf 4, Inf 2; peking: Inf 4, Inf 2; shanghai: Air 2, HQ Hiro, Inf 3, Inf 2; "
        "southern_japan: Inf 3, Air 2; chinese_sea: 4 Conv, Sub 2(B), TF 4, TF 2, TF 4(B)"
    ),
    "china": (
        "pakoe: 2 Inf 2; sian: Inf 2(B), 2 Inf 3, HQ Chiang; wuhan: Inf 2(B), Air 1; canton: Inf 2(B); "
        "sinkiang: Inf 2(B)"
    ),
    "france": (
        "maginot: 3 Inf 3, Inf 2; paris: Air 2, Arm 4, Inf 3; normandy: Inf 2; vichy: Inf 3; "
        "ligurian_sea: TF 4, 2 Conv; bay_of_biscay: Conv, Sub 2(B); algeria: Inf 3"
    ),
    "ussr": (
        "white_russia: Inf 2(orange), Arm 2(B)(orange); kiev: Inf 2(B)(orange), Arm 2(orange), Air 1(orange); "
        "pripiet: Inf 2(B)(orange); odessa: Inf 2(B)(orange), Arm 2(orange); moscow: Air 1(orange), Inf 3(red); "
        "ural: Air 1(orange); leningrad: Inf 3(red); trans_caucasus: Inf 3(red); "
        "finnish_sea: Conv(red), TF 3(B)(red); black_sea: TF 2(red); irkutsk: Arm 3(orange); "
        "vladivostok: Inf 2(orange); usbekistan: Inf 2(B)(orange); n_siberia: 2 Air 1(orange); "
        "east_siberia: 2 Inf 4(red G)"
    ),
    "be": (
        "coral_sea: Conv, Conv(A); indian_ocean: Conv; england: Inf 3, Inf 2, Air 2; alexandria: Arm 4; "
        "levantianian_sea: Conv; south_africa: Inf 3(B)(SA); gibraltar: Inf 2; gibraltar_street: TF 2, Conv; "
        "calcutta: Inf 3(B)(I); skandinavian_sea: Conv, TF 3; north_sea: TF 4, Conv"
    ),
    "usa": (
        "usa_east: Inf 2, Air 2; american_east_coast: 2 Conv, TF 3; american_west_coast: 2 Conv, Sub 2(B); "
        "hawaiian_islands: Inf 2; sea_hawaiian_islands: 2 Conv, TF 4(B), TF 3; philippines: Inf 2; "
        "sea_philippines: Conv"
    ),
    "poland": "western_poland: Inf 3, 5 Inf 2, Air 2",
}
REINFORCEMENTS_1939: dict[str, str] = {
    "germany": "1/40: Inf 3, Air 4; 2/40: TF 3(B), Arm 5; 1/41: HQ Rommel; 2/41: HQ Manstein",
    "italy": "2/40: TF 2, HQ Graziani",
    "japan": "2/40: TF 3; 3/41: HQ Yamamoto",
    "france": "4/39: HQ Georges; 1/40: Arm 3; 2/40: Conv, TF 4",
    "ussr": "2/40: HQ Konev; 4/41: HQ Zukov, 5 Inf 4(red G)",
    "be": "1/40: HQ Gort; 2/40: TF 3; 3/42: HQ Monty",
    "usa": "4/41: HQ Nimitz; 4/42: HQ Eisenhower",
}
SET_UP_1941: dict[str, str] = {
    "germany": (
        "normandy: Inf 3; paris: Inf 4, Air 2; western_france: Inf 2; bnl: Inf 2; western_germany: Air 3; "
        "norway: Inf 2; skagerrak: Sub 2, 2 Conv, TF 3; central_atlantic: Sub 2; "
        "western_poland: 2 Inf 4, 5 Inf 3, Inf 2, 2 Arm 5, Arm 4, HQ Guderian, 2 Air 4, Air 2; "
        "austria: Inf 4, Air 3; hungary: Inf 3; bulgaria: Arm 5, Inf 3, HQ Manstein, Air 2; "
        "tripolitania: HQ Rommel, Arm 4(B), Air 2"
    ),
    "italy": (
        "tripolitania: Inf 2, Arm 2(B), Air 2; albania: 2 Inf 2, Inf 2(B); northern_italy: Inf 3, Inf 2, Air 2; "
        "southern_italy: Inf 3; ionian_sea: TF 2, TF 3, 3 Conv; tyrrhenian_sea: Sub 2"
    ),
    "japan": (
        "manchuria: Inf 4, Inf 2; peking: Inf 4, Inf 2, Air 3; shanghai: Air 2, HQ Hiro, Inf 3, Inf 2; "
        "southern_japan: Inf 3, Inf 2, Air 2; sinkiang: Inf 2; canton: Inf 4; indochine: Inf 3, Air 3; "
        "chinese_sea: 2 Conv; sea_caroline_islands: Sub 2; marshall_islands: Inf 2; sea_marshall_islands: Conv; "
        "sea_mariana_islands: TF 5, TF 3, TF 2, 2 Conv; mariana_islands: Air 2; "
        "northern_chinese_sea: TF 4, Conv; formosa: Air 2; sea_formosa: TF 4"
    ),
    "finland": "finland: Inf 3, Inf 2, Air 2",
    "romania": "romania: 2 Inf 2, Air 1",
    "hungary": "hungary: Inf 2, Air 1",
    "bulgaria": "bulgaria: Inf 2, Air 1",
    "china": (
        "pakoe: 2 Inf 2; sian: Inf 4, 2 Inf 3, HQ Chiang; wuhan: Inf 2(B), Inf 2; chansa: Inf 2(B), Air 1; "
        "kunming: Inf 2(B), Inf 3; chunking: Air 2(US)"
    ),
    "vichy_france": "vichy: Inf 2(V); algeria: Inf 2(V); syria: Inf 2(B)(V)",
    "ussr": (
        "karelia: 2 Inf 2(orange); leningrad: Inf 3(red), 2 Inf 2(orange); "
        "baltic: Arm 2(orange), 2 Inf 2(orange); east_poland: Arm 2(orange), 2 Inf 2(orange); "
        "lwow: 2 Inf 2(orange), Arm 2(orange); white_russia: Air 1(orange); pripiet: Inf 2(orange); "
        "kiev: Arm 2(orange), 2 Air 1(orange); odessa: Inf 2(orange), Arm 2(orange); "
        "dnepropetrovsk: Inf 3(red), 2 Arm 2(orange); vitebsk: HQ Konev, Arm 3(orange), Air 1(orange); "
        "moscow: Inf 3(red); ural: Air 3(red); trans_caucasus: Inf 3(red); finnish_sea: Conv(red), TF 3(B)(red); "
        "black_sea: TF 2(red); irkutsk: Arm 3(orange); vladivostok: Inf 2(orange); usbekistan: Inf 2(B)(orange); "
        "n_siberia: 2 Air 1(orange); stanovoj: Inf 4(red G); jablonovy: Inf 4(red G)"
    ),
    "be": (
        "coral_sea: Conv(A); indian_ocean: Conv; england: Inf 3, Inf 3(B), 2 Air 2, Air 3; "
        "cyreneica: Arm 4(B), Inf 3(B); matruh: Air 2; levantianian_sea: Conv, TF 3; near_east: Inf 3(I); "
        "abessinia: Inf 3(SA); cape_of_good_hope: Conv; gibraltar: Inf 2; gibraltar_street: TF 3, TF 2, Conv; "
        "skandinavian_sea: Conv, TF 3, TF 4; sea_of_britain: Conv; darwin: Inf 3(A); malaya: Inf 2(B); "
        "calcutta: Inf 3(I); greece: Inf 2(A)"
    ),
    "greece": "greece: 2 Inf 2, Inf 3",
    "yugoslavia": "yugoslavia: Inf 3, 4 Inf 2, Air 1",
    "usa": (
        "usa_east: Inf 3, Air 2; american_east_coast: 2 Conv, TF 3; usa_west: Inf 2; "
        "american_west_coast: 2 Conv, Sub 2; hawaiian_islands: Inf 2, Air 2; "
        "sea_hawaiian_islands: 2 Conv, TF 4, TF 3; philippines: Inf 2; sea_philippines: Conv"
    ),
}
REINFORCEMENTS_1941: dict[str, str] = {
    "germany": "2/41: Inf 3; 3/41: Air 3; 4/41: Arm 5, Sub 2",
    "italy": "2/41: Inf 2, Conv; 3/41: Air 2; 4/41: Arm 3; 1/42: TF 3",
    "japan": "2/41: Inf 2, Air 3; 3/41: HQ Yamamoto, TF 3; 4/41: Conv",
    "china": "2/41: Inf 2; 3/41: Air 2(US)",
    "ussr": "3/41: Air 3(red); 4/41: HQ Zukov, Arm 4(red), 5 Inf 4(red G)",
    "be": "2/41: TF 2, Inf 3, Inf 2(C), Air 2; 3/41: Air 2, Conv(A); 4/41: Arm 4, Conv(C); 3/42: HQ Monty",
    "usa": "2/41: Conv; 3/41: TF 3; 4/41: HQ Nimitz, Conv, TF 3; 1/42: TF 4; 4/42: HQ Eisenhower",
}
ON_ENTRY: dict[str, str] = {
    "afghanistan": "afghanistan: Inf 2",
    "arabia": "arabia: Inf 2",
    "bnl": "bnl: Inf 3, Inf 2, Air 1",
    "greece": "greece: Inf 3, 2 Inf 2",
    "iraq": "iraq: Inf 3",
    "ireland": "ireland: Inf 2",
    "norway": "norway: Inf 2",
    "iran": "iran: Inf 2",
    "portugal": "portugal: Inf 2",
    "siam": "siam: Inf 2; southern_chinese_sea: TF 2, Conv",
    "sweden": "sweden: Inf 4, Inf 3, Inf 2, Air 3",
    "spain": "northern_spain: 2 Inf 3, Air 2; southern_spain: 2 Inf 2, Arm 2",
    "turkey": "western_turkey: 2 Inf 3; eastern_turkey: 2 Inf 2, Air 2",
    "yugoslavia": "yugoslavia: Inf 3, 4 Inf 2, Air 1",
    "finland": "finland: Inf 3, Inf 2, Air 2",
    "romania": "romania: 2 Inf 2, Air 1",
    "hungary": "hungary: Inf 2, Air 1",
    "bulgaria": "bulgaria: Inf 2, Air 1",
}
