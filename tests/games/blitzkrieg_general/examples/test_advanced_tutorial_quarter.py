"""The advanced tutorial as one match: the second quarter of 1941 from the time table to the production phase.

The battles one by one, with every modifier, are in the other files; here they are played one after the other in a real
match, so that what each leaves behind is what the next one starts from. The text slips in places (docs/rulings list
them); where it does, the remark stands beside the move.
"""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.state import OUT
from tests.games.blitzkrieg_general.examples.replay import MAJORS, A, Replay

DECK = ["coup_siam", "lend_lease_usa", "militia", "national_war_ussr", "morsecode", "para_troops", "spies"]
"""As Germany, Italy, Japan, BE, the USA, the USSR and China draw them."""


def begin() -> Replay:
    """5.0: peace check 10, arrivals, initiative 2 and 4, weather 1, limit 2."""
    r = Replay("1941-advanced", DECK, 6, 4)
    r.dice(2, 4, 1, 2)
    r.place("usa", "american_west_coast", "usa-conv-1").place("be", "canada_east", "be-inf-2-c")
    r.place("be", "england", "be-inf-3", "be-air-2").place("be", "skandinavian_sea", "be-tf-2")
    r.place("china", "wuhan", "china-inf-2").place("germany", "prussia", "germany-inf-3")
    r.place("italy", "northern_italy", "italy-inf-2").place("italy", "adria", "italy-conv-1")
    r.place("japan", "southern_japan", "japan-inf-2", "japan-air-3")
    r.shown["initiative dice"] = r.state.initiative
    r.do("italy", act.PlayCard("initiative", "")).go()
    return r


def axis_moves(r: Replay) -> None:
    r.rail("germany", "germany-inf-4", "paris", "romania").rail("germany", "germany-inf-3", "prussia", "western_poland")
    r.rail("italy", "italy-inf-3", "southern_italy", "northern_italy").rail(
        "japan", "japan-inf-4", "manchuria", "peking"
    )
    r.rebase("germany", "germany-air-3", "western_germany", "western_poland")
    r.rebase("germany", "germany-air-3", "austria", "romania")
    r.rebase("japan", "japan-air-2", "southern_japan", "shanghai")
    r.rebase("japan", "japan-air-3", "southern_japan", "shanghai").rebase("japan", "japan-air-2", "formosa", "shanghai")
    r.finish("rebase")
    # The text declares war by the Finnish attack after the ships have moved, and yet lets them search and fight: the
    # declaration has to come before the naval movement.
    r.do("germany", act.Declare("ussr"))
    r.shown["declared"] = r.flags()
    fleet = ("germany-sub-2", "germany-conv-1", "germany-conv-1", "germany-tf-3")
    r.sail("germany", "skagerrak", fleet, "baltic_sea", "finnish_sea")
    r.sail("italy", "ionian_sea", ("italy-tf-2", "italy-tf-3", *["italy-conv-1"] * 3), "levantianian_sea")
    r.sail("italy", "adria", ("italy-conv-1",), "ionian_sea", "aegean_sea")
    r.sail("italy", "tyrrhenian_sea", ("italy-sub-2",), "ligurian_sea")
    convoy, cargo = r.units("chinese_sea", "japan-conv-1")[0], r.units("southern_japan", "japan-inf-3")[0]
    r.do("japan", act.Form("chinese_sea", (convoy,)), act.Load(convoy, cargo), act.Sail("northern_chinese_sea"))
    r.do("japan", act.Unload(cargo, "peking"), act.Halt())
    # searches: Germany finds on 4 (the Soviet roll is not told: a miss), Italy misses on 9, BE on 11
    r.dice(2, 2, 6, 6, 5, 4, 6, 5)
    r.finish("naval").go()
    r.do("germany", act.Engage(True))
    r.shown["levant"] = r.state.sea_battles.get(A.space_of["levantianian_sea"])
    r.march("italy", "tripolitania", "cyreneica", "italy-inf-2", "italy-arm-2/B", "italy-air-2")
    r.march("germany", "tripolitania", "cyreneica", "rommel", "germany-arm-4/B", "germany-air-2")
    r.march("italy", "albania", "yugoslavia", "italy-inf-2", "italy-inf-2", "italy-inf-2/B")
    r.march("germany", "bulgaria", "yugoslavia", "manstein", "germany-arm-5", "germany-inf-3", "bulgaria-inf-2")
    r.march("germany", "bulgaria", "yugoslavia", "germany-air-2", "bulgaria-air-1")
    r.march("italy", "northern_italy", "yugoslavia", "italy-inf-3", "italy-inf-2", "italy-inf-2", "italy-air-2")
    r.march("germany", "austria", "yugoslavia", "germany-inf-4").march(
        "germany", "hungary", "yugoslavia", "germany-inf-3"
    )
    r.march("germany", "finland", "karelia", "finland-inf-3", "finland-inf-2", "finland-air-2")
    poland = "western_poland"
    r.march("germany", poland, "baltic", "guderian", "germany-inf-4", "germany-inf-4", "germany-inf-3", "germany-arm-5")
    r.march("germany", poland, "baltic", "germany-air-3")
    # the card gives an Air 2 where the text has a second Air 3
    r.march("germany", poland, "east_poland", "germany-inf-3", "germany-inf-3", "germany-arm-4", "germany-air-4")
    r.march("germany", poland, "east_poland", "germany-air-2")
    # the dice prove an Arm 5 where the text writes Arm 4
    r.march("germany", poland, "lwow", "germany-inf-3", "germany-arm-5", "germany-air-4")
    r.march("germany", "hungary", "lwow", "hungary-inf-2", "hungary-air-1")
    r.march("germany", "romania", "odessa", "germany-inf-4", "romania-inf-2", "romania-inf-2", "germany-air-3")
    r.march("germany", "romania", "odessa", "romania-air-1")
    r.march("japan", "peking", "pakoe", "japan-inf-4", "japan-inf-4", "japan-inf-2", "japan-air-3")
    r.shown["landed"] = r.match.why_not("japan", act.March(cargo, "pakoe", "peking"))
    r.march("japan", "shanghai", "pakoe", "japan-air-3", "japan-air-2", "japan-air-2", "japan-air-2")
    r.finish("land")
    r.do("germany", act.PlayCard("blitzkrieg", "")).go()
    r.do("china", *(act.Reserve(r.units("sian", kind)[0], "pakoe") for kind in ("china-inf-3", "china-inf-4")))
    r.do("ussr", act.React(r.units("black_sea", "ussr-tf-2-red")[0], "odessa"))
    r.finish("Reaction")


def axis_battles(r: Replay) -> None:
    note: dict[str, Any] = r.shown
    r.attack("karelia", 5, 2, 4, 5, 3).hits("ussr-inf-2-orange").retreat("fight", "retreat").withdraw("leningrad")
    r.land("finland")
    note["karelia"] = (r.rolls(), r.flags())
    r.attack("baltic", 6, 4, 5, 4, 1, 5, 1, 2, 5, 6).hits("germany-inf-3", "germany-inf-4")
    r.hits("ussr-inf-2-orange", "ussr-inf-2-orange").retreat("fight", "retreat").withdraw("leningrad").land("baltic")
    note["baltic"] = (r.rolls(), r.at("baltic"), r.flags())
    # the second convoy need not roll: both Soviet ships are covered
    r.attack("finnish_sea", 2, 2, 1, 2).hits("ussr-conv-1-red").hits("germany-conv-1")
    note["finnish sea"] = (r.rolls(), r.at("finnish_sea"))
    # with the Air 2 of the card two rolls at 3 and three at 2; the dice are those of the text in its order
    r.attack("east_poland", 6, 5, 1, 4, 6, 5, 1, 1, 4, 6).hits("germany-inf-3", "germany-inf-3").hits(
        "ussr-inf-2-orange"
    )
    note["east poland 1"] = (r.rolls(), r.at("east_poland", "ussr"))
    r.seen.clear()
    r.dice(6, 4, 4, 5, 2, 2, 1, 1, 5, 2).retreat("fight", "fight").hits("germany-inf-3/B", "germany-inf-3/B")
    r.retreat("retreat").withdraw("western_poland").land("western_poland")
    note["east poland 2"] = (r.rolls(), r.holder("east_poland"), r.at("western_poland"))
    r.attack("lwow", 6, 4, 3, 4, 6, 4, 4, 3, 2).hits("hungary-inf-2").hits("ussr-inf-2-orange", "ussr-inf-2-orange")
    note["lwow 1"] = r.rolls()
    r.seen.clear()
    r.dice(6, 3, 2, 2, 3, 1, 2, 5, 2).retreat("fight", "fight")
    role = r.match.decisions()[0]
    air = r.units("hungary", "hungary-air-1")[0]
    note["lwow air"] = r.match.why_not(role, act.TakeHit(air))
    r.hits("hungary-inf-2/B", "germany-inf-3")
    r.hits("ussr-inf-2-orange/B", "ussr-inf-2-orange/B").retreat("fight", "retreat")
    note["lwow retreats"] = {a.to for a in r.match.offers("ussr") if isinstance(a, act.Withdraw)}
    r.withdraw("kiev").land("lwow")
    note["lwow 2"] = (r.rolls(), r.at("lwow"), r.at("kiev"))
    r.attack("odessa", 4, 2, 3, 4, 2, 1, 4, 4, 1, fly=("romania-air-1",))
    r.hits("romania-inf-2").hits("romania-air-1").hits("ussr-inf-2-orange", "ussr-inf-2-orange/B")
    note["odessa 1"] = (r.rolls(), r.at("odessa"), r.at("black_sea", "ussr"))
    r.seen.clear()
    # the flipped Romanian does not roll any more: the armor is covered
    r.dice(4, 4, 2, 2, 6, 1).retreat("fight", "fight").hits("romania-inf-2").land("western_poland")
    note["odessa 2"] = (r.rolls(), r.at("odessa"), r.at("black_sea", "ussr"), r.holder("odessa"))
    # six units have strength 2 (the text rolls five); spare aircraft turn to the land segment: one more die at 1
    r.attack(
        "yugoslavia", 3, 6, 5, 3, 2, 1, 1, 5, 5, 4, 3, 1, 6, 6, 5, 4, 4, 4, 3, 3, fly=("italy-air-2", "bulgaria-air-1")
    )
    r.hits("italy-inf-2", "italy-inf-2", "italy-inf-2").hits("yugoslavia-inf-3", *["yugoslavia-inf-2"] * 4)
    note["yugoslavia 1"] = (r.rolls(), r.at("yugoslavia", "yugoslavia"))
    r.seen.clear()
    r.dice(2, 2, 2, 2, 2, 5, 2, 2, 4, 5).retreat("fight", "fight").hits("bulgaria-inf-2", "bulgaria-inf-2/B")
    r.govern("germany").land("yugoslavia")
    note["yugoslavia 2"] = (r.rolls(), r.holder("yugoslavia"), r.flags())
    # the flipped Italian armor rolls twice (the text once)
    r.attack("cyreneica", 6, 5, 5, 4, 2, 3, 6, 4, 3, 1).hits("italy-inf-2").hits("be-inf-3/B")
    r.retreat("fight", "retreat").withdraw("matruh").govern("italy").land("cyreneica")
    note["cyreneica"] = (r.rolls(), r.at("cyreneica"), r.at("matruh"), r.holder("cyreneica"))
    # three rolls at 1 (the text makes four)
    r.attack("pakoe", 5, 1, 6, 6, 4, 5, 5, 4, 3).hits("japan-inf-2", "japan-inf-4").hits("china-inf-2")
    r.retreat("fight", "retreat").withdraw("sian").land("pakoe")
    note["pakoe"] = (r.rolls(), r.at("pakoe"), r.at("sian"))


def exploitation(r: Replay) -> None:
    note = r.shown
    # The coup is told after the battles; cards of this kind are played while a side moves.
    r.dice(5, 4)
    r.do("germany", act.PlayCard("coup_iraq", ""))
    note["iraq"] = (r.at("iraq"), r.flags())
    r.march("germany", "yugoslavia", "greece", "germany-inf-4", "germany-inf-3", "germany-inf-3")
    r.march("italy", "yugoslavia", "greece", "italy-inf-3", "italy-inf-2/B")
    note["manstein"] = r.match.why_not(
        "italy", act.March(r.units("yugoslavia", "italy-inf-2/B")[0], "greece", "yugoslavia")
    )
    r.march("germany", "yugoslavia", "greece", "manstein", "germany-arm-5", "germany-air-2", "bulgaria-air-1")
    r.march("italy", "yugoslavia", "greece", "italy-air-2")
    r.march("italy", "cyreneica", "matruh", "italy-inf-2/B", "italy-arm-2/B", "italy-air-2")
    r.march("germany", "cyreneica", "matruh", "germany-arm-4/B", "rommel", "germany-air-2")
    r.march("germany", "baltic", "leningrad", "germany-inf-4", "germany-inf-4/B", "germany-inf-3/B", "guderian")
    r.march("germany", "baltic", "leningrad", "germany-arm-5", "germany-air-3").march(
        "germany", "finland", "leningrad", "finland-air-2"
    )
    r.march("germany", "western_poland", "leningrad", "germany-air-4", "germany-air-3", "germany-air-2")
    r.march("germany", "western_poland", "white_russia", "germany-arm-4", via="baltic")
    r.march("germany", "lwow", "white_russia", "germany-air-4")
    tf = r.units("finnish_sea", "germany-tf-3")[0]
    note["no tf"] = r.match.why_not("germany", act.Support(tf, "leningrad"))
    note["no japan"] = [a for a in r.match.offers("japan") if isinstance(a, act.March)]
    r.finish("exploit").go().finish("Reaction")
    # Surprise is the German player's: by the card his own units fire first, the Italians with the others
    r.attack("greece", 2, 6, 3, 2, 2, 3, 1, 2, 2, 3, 1, card="surprise")
    r.hits("greece-inf-2", "greece-inf-2/B", "greece-inf-2", "greece-inf-2/B").hits("italy-inf-3", "germany-inf-3")
    r.hits("greece-inf-3")
    note["greece 1"] = (r.rolls(), r.at("greece", "greece", "be"))
    r.seen.clear()
    r.dice(4, 6, 5, 4, 2, 1).retreat("fight").govern("italy").land("greece")
    note["greece 2"] = (r.rolls(), r.holder("greece"), r.flags())
    r.attack("matruh", 3, 4, 3, 3, 6, 6, 1, 4, 1, 2, fly=("italy-air-2",)).hits("italy-inf-2/B", "italy-arm-2/B")
    r.land({"be-air-2": "alexandria", "": "matruh"})
    note["matruh"] = (r.rolls(), r.at("matruh"), r.at("alexandria"), r.holder("matruh"))
    r.attack("white_russia", 6, 5, 1, 2).land("white_russia")
    note["white russia"] = (r.rolls(), r.at("white_russia"), r.flags())
    # Air 2 of the card at 1, the Finnish aircraft at 1: two rolls at 2 and four at 1 instead of four and two
    r.attack("leningrad", 4, 3, 2, 1, 5, 5, 3, 3, 6, 6, 1, 6, 4, 3, 4, 4, 4, 2, 1).hits(
        "germany-inf-3/B", "germany-inf-4"
    )
    r.hits("ussr-inf-2-orange", "ussr-inf-2-orange", "ussr-inf-2-orange")
    note["leningrad 1"] = (r.rolls(), r.at("leningrad", "ussr"))
    r.seen.clear()
    # eight shots at 1 (the text makes seven); three hits: both reduced infantry units and a step of the armor
    r.dice(6, 2, 1, 4, 1, 3, 2, 4, 3, 3, 6, 6, 3, 2, 2, 1, 1, 6).retreat("fight", "fight")
    r.hits("germany-inf-4/B", "germany-inf-4/B", "germany-arm-5").hits(*["ussr-inf-2-orange/B"] * 3)
    r.retreat("retreat").withdraw("baltic")
    r.land({"finland-air-2": "finland", "germany-air-4": "western_poland", "": "baltic"})
    note["leningrad 2"] = (r.rolls(), r.at("leningrad", "ussr"), r.at("baltic"), r.flags())


def allied_moves(r: Replay) -> None:
    note = r.shown
    r.rail("china", "china-inf-2/B", "kunming", "gobi")
    for kind, origin in (("inf-4-redg", "jablonovy"), ("inf-4-redg", "stanovoj"), ("inf-2-orange", "vladivostok")):
        r.rail("ussr", f"ussr-{kind}", origin, "leningrad")
    r.rail("ussr", "ussr-inf-3-red", "trans_caucasus", "leningrad").finish("rail")
    r.rebase("ussr", "ussr-air-3-red", "ural", "leningrad")
    for origin, to in (("n_siberia", "smolensk"), ("n_siberia", "smolensk"), ("kiev", "valdai"), ("kiev", "valdai")):
        r.rebase("ussr", "ussr-air-1-orange", origin, to)
    r.finish("rebase")
    # one convoy hands its cargo to the next at the Cape
    first, cargo = r.units("skandinavian_sea", "be-conv-1")[0], r.units("england", "be-inf-3")[0]
    second = r.units("cape_of_good_hope", "be-conv-1")[0]
    r.do(
        "be", act.Form("skandinavian_sea", (first,)), act.Sail("north_sea"), act.Sail("channel"), act.Load(first, cargo)
    )
    r.do("be", *(act.Sail(z) for z in ("sea_of_britain", "sea_of_portugal", "west_african_sea", "cape_of_good_hope")))
    note["relay"] = r.match.why_not("be", act.Sail("east_african_sea"))
    r.do("be", act.Halt(), act.Form("cape_of_good_hope", (second,)), act.Load(second, cargo))
    r.do("be", *(act.Sail(z) for z in ("east_african_sea", "persian_gulf", "red_sea")))
    r.do("be", act.Unload(cargo, "alexandria"), act.Halt())
    # a convoy and a Task Force come from two zones, unite on the way and sail to Canada and back as one group
    convoy, canadian = r.units("sea_of_britain", "be-conv-1")[0], r.units("canada_east", "be-inf-2-c")[0]
    escort = r.units("skandinavian_sea", "be-tf-2")[0]
    r.do("be", act.Form("sea_of_britain", (convoy,)), act.Sail("fareous_gap"), act.Wait("be"))
    r.do("be", act.Form("skandinavian_sea", (escort,)), act.Sail("fareous_gap"), act.Wait("be"))
    united = tuple(sorted((convoy, escort), key=A.unit_of.__getitem__))
    r.do("be", act.Form("fareous_gap", united), act.Sail("central_atlantic"))
    r.dice(4, 3).do("be", act.Sail("american_east_coast"), act.Load(convoy, canadian), act.Sail("central_atlantic"))
    # found on 5: the submarine's first shot hits, the convoy is flipped with its load; the Task Force misses with 3
    r.dice(3, 2, 6, 6, 2, 3).do("be", act.Sail("sea_of_britain")).do("germany", act.Engage(True)).go()
    r.hits("be-conv-1").retreat("retreat").withdraw("sea_of_britain")
    note["hunted"] = (r.at("sea_of_britain"), r.at("central_atlantic"), bool(r.state.flipped[A.unit_of[canadian]]))
    r.sail("be", "gibraltar_street", ("be-tf-3", "be-tf-2", "be-conv-1"), "ligurian_sea")
    r.sail("be", "levantianian_sea", ("be-conv-1", "be-tf-3"), "aegean_sea")
    zones = ("fareous_gap", "sea_of_britain", "sea_of_portugal", "gibraltar_street", "tyrrhenian_sea", "ionian_sea")
    r.sail("be", "skandinavian_sea", ("be-tf-3", "be-tf-4"), *zones)
    # searches: BE misses the sub on 6, the sub the fleet; in the Aegean BE finds on 9 (Radar), Italy misses on 7
    r.dice(3, 3, 6, 6, 5, 4, 4, 3).finish("naval").go().do("be", act.Engage(True))
    note["searches"] = {A.space_ids[zone]: bits for zone, bits in r.state.sea_battles.items()}
    r.march("be", "alexandria", "aegean_sea", "be-air-2/B")
    r.march("be", "abessinia", "alexandria", "be-inf-3-sa").march("be", "near_east", "alexandria", "be-inf-3-i")
    r.march("china", "sian", "chentu", "china-inf-2/B")
    r.march("china", "sian", "peking", "china-inf-4", "china-inf-3", "china-inf-3")
    r.march("china", "chunking", "peking", "china-air-2-us").march("china", "chansa", "peking", "china-air-1")
    r.march("china", "wuhan", "sian", "china-inf-2")
    r.march("ussr", "leningrad", "finland", "ussr-inf-3-red", "ussr-inf-2-orange", *["ussr-inf-2-orange/B"] * 2)
    r.march("ussr", "leningrad", "finland", "ussr-arm-2-orange", "ussr-air-3-red")
    for origin in ("valdai", "valdai", "smolensk", "smolensk", "vitebsk"):
        r.march("ussr", origin, "finland", "ussr-air-1-orange")
    r.march("ussr", "vitebsk", "leningrad", "konev", "ussr-arm-3-orange").march(
        "ussr", "pripiet", "valdai", "ussr-inf-2-orange"
    )
    r.march("ussr", "east_poland", "vitebsk", "ussr-arm-2-orange").march(
        "ussr", "east_poland", "pripiet", "ussr-inf-2-orange"
    )
    r.march("ussr", "kiev", "gomel", "ussr-arm-2-orange").march("ussr", "kiev", "kharkov", "ussr-arm-2-orange/B")
    r.march("ussr", "dnepropetrovsk", "crimea", "ussr-arm-2-orange")
    r.march("ussr", "dnepropetrovsk", "kursk", "ussr-arm-2-orange").march(
        "ussr", "irkutsk", "voronesh", "ussr-arm-3-orange"
    )
    r.finish("land").go()
    for kind in ("germany-air-3", "germany-air-3", "germany-air-2"):
        plane = next(u for u in r.units("baltic", kind) if r.state.mission[A.unit_of[u]] < 0)
        r.do("germany", act.React(plane, "finland"))
    r.do("germany", act.React(r.units("finnish_sea", "germany-tf-3")[0], "finland"))
    for plane in [*r.units("pakoe", "japan-air-2"), *r.units("pakoe", "japan-air-3")]:
        r.do("japan", act.React(plane, "peking"))
    r.do("japan", *(act.Reserve(r.units("shanghai", kind)[0], "peking") for kind in ("japan-inf-2", "japan-inf-3")))
    r.finish("Reaction")


def allied_battles(r: Replay) -> None:
    note = r.shown
    r.attack("aegean_sea", 2, 5, 1, 3).land("alexandria")
    note["aegean"] = (r.rolls(), r.at("aegean_sea"))
    # two Air 3 and an Air 2 in the air/sea segment; by the card of 1941 Japan has Air Combat: 3, 3 and 2
    r.attack("peking", 1, 2, 4, 1, 2, 4, 1, 3, 4, 2, 4, 4, fly=("japan-air-2",))
    r.hits("china-inf-3", "china-inf-3").hits("china-air-1").hits("japan-inf-3", "japan-inf-3").hits("japan-air-2")
    r.retreat("retreat").withdraw("sian").land({"china-air-2-us": "sian", "": "peking"})
    note["peking"] = (r.rolls(), r.at("peking"), r.at("sian"))
    # no Air 4 (it flew to Western Poland); the Task Force fires at 4; three hits by the text's own dice
    r.attack("finland", 5, 1, 1, 3, 3, 3, 3, 4, 4, 4, 5, 5, 3, 5, 4, 2, 6).hits(*["ussr-air-1-orange"] * 3)
    r.hits("finland-air-2", "finland-air-2/B")
    r.land({"ussr-air-3-red": "leningrad", "ussr-air-1-orange": "leningrad", "": "baltic"})
    note["finland"] = (r.rolls(), r.at("finland"), r.holder("finland"), r.flags())
    out = {A.space_ids[r.state.place[u]] for u in range(A.units) if r.state.place[u] >= 0 and r.state.flags[u] & OUT}
    note["unsupplied"] = out
    r.march("ussr", "leningrad", "karelia", "ussr-inf-4-redg", "ussr-inf-4-redg", "ussr-inf-3-red", "konev")
    r.march("ussr", "leningrad", "karelia", "ussr-arm-3-orange", "ussr-air-3-red")
    r.finish("exploit").go().finish("Reaction")
    r.attack("karelia", 3, 4, 4, 5, 2, 2, 2).land("leningrad")
    note["karelia 2"] = (r.rolls(), r.at("karelia"), r.flags())


def turn_end(r: Replay) -> None:
    note = r.shown
    note["conquered"] = r.state.standing[A.nation_of["finland"]]
    note["us level"] = r.production("usa")
    r.do("usa", act.PlayCard("increase_us_production", ""))
    note["us card"] = r.production("usa")
    r.do("japan", act.PlayCard("japan_gains_bnl", "")).do("usa", act.PlayCard("bnl_embargo", "")).go()
    note["bnl"] = [A.card_of[c] in r.state.out for c in ("japan_gains_bnl", "bnl_embargo")]
    r.finish("UsEntry")
    note["income"] = dict(zip(MAJORS, r.state.points, strict=True))
    note["italy returns"] = (r.state.drawn[MAJORS.index("italy")], r.state.deck[-1] == A.card_of["lend_lease_usa"])
    r.do("germany", act.OfferCard("japan")).do("japan", act.OfferCard("germany"))
    r.do("germany", act.Buy("militia")).do("japan", act.Buy("coup_siam"))
    r.do("be", act.OfferCard("ussr")).do("usa", act.Buy("morsecode")).do("china", act.ReturnCard())
    note["ussr choice"] = sorted(a.card for a in r.match.offers("ussr") if isinstance(a, act.Buy))
    r.do("ussr", act.Buy("national_war_ussr"))
    for who in ("germany", "japan", "be", "usa", "ussr"):
        r.do(who, act.BuyNumber())
    r.finish_buying()
    note["numbers"] = dict(zip(MAJORS, r.state.numbers, strict=True))
    r.do("be", act.Announce()).do("italy", act.PlayCard("sabotage_on_research", "")).go()
    note["sabotaged"] = r.state.numbers[MAJORS.index("be")]
    r.dice(4).do("germany", act.Announce()).do("germany", act.Achieve("better_subs"))
    r.finish("Research")
    note["points"] = dict(zip(MAJORS, r.state.points, strict=True))


def production(r: Replay) -> None:
    note = r.shown
    r.do("usa", act.Build("usa-tf-5"))
    for place, count in (("gobi", 1), ("chentu", 1), ("sian", 2), ("wuhan", 1), ("chansa", 1)):
        for kind in ("china-inf-2/B", "china-inf-3/B"):
            for unit in r.units(place, kind)[:count]:
                r.do("china", act.Repair(unit))
    r.do("china", act.Build("china-inf-2"))
    convoy = r.units("sea_of_britain", "be-conv-1/B")[0]
    cargo = A.unit_ids[r.state.cargo[A.unit_of[convoy]][0]]
    r.do("be", act.Repair(r.units("alexandria", "be-air-2/B")[0]), act.Repair(convoy), act.Repair(cargo))
    r.do("be", *(act.Build(kind) for kind in ("gort", "be-inf-3", "be-inf-2-a", "be-tf-3")))
    r.do("italy", act.Build("italy-inf-2"), act.Build("italy-air-2"))
    note["card too fresh"] = r.match.why_not("ussr", act.PlayCard("national_war_ussr", ""))
    for kind in ("ussr-inf-4-redg", "ussr-inf-4-redg", "ussr-inf-3-red"):
        r.do("ussr", act.Build(kind))
    # the text spends three points on ships; the Japanese Navy card in force asks for six
    r.do("japan", act.Build("japan-sub-2"))
    note["navy"] = r.match.why_not("japan", act.Done())
    r.do("japan", act.Build("japan-sub-2"), act.Build("japan-air-2"), act.Build("japan-inf-2"))
    note["matruh armor"] = r.match.why_not("germany", act.Repair(r.units("matruh", "germany-arm-4/B")[0]))
    for place, kind in (("lwow", "germany-inf-3/B"), ("odessa", "romania-inf-2/B"), ("odessa", "romania-inf-2/B"),
                        ("greece", "germany-inf-3/B")):  # fmt: skip
        r.do("germany", act.Repair(r.units(place, kind)[0]))
    note["german repairs"] = r.state.points[0]
    r.do("germany", *(act.Build(kind) for kind in ("germany-air-3", *["germany-inf-3"] * 3, "romania-inf-2")))
    note["left"] = dict(zip(MAJORS, r.state.points, strict=True))
    r.dice(1, 1).finish("Production")
    note["saved"] = dict(zip(MAJORS, r.state.saved, strict=True))
    note["next turn"] = A.turns[r.state.turn]


CHAPTERS = (axis_moves, axis_battles, exploitation, allied_moves, allied_battles, turn_end, production)


@pytest.fixture(scope="module")
def quarter() -> dict[str, Any]:
    """The whole quarter, played once; what it showed at every stage."""
    r = begin()
    r.shown["start"] = (r.state.initiative, list(r.state.bad), r.state.limit, r.state.peace >= 0)
    r.shown["start units"] = {place: r.at(place) for place in ("wuhan", "canada_east", "adria", "skandinavian_sea")}
    for chapter in CHAPTERS:
        chapter(r)
        assert not r.match.faults(), chapter.__name__
    return r.shown


def hits(rolls: list[tuple[int, int]]) -> int:
    return sum(die <= strength for strength, die in rolls)


@pytest.mark.rule("bg-ex-adv-peace", "bg-ex-adv-initiative", "bg-ex-adv-weather", "bg-ex-adv-limits", "bg-ex-adv-reinf")
def test_the_turn_begins(quarter: dict[str, Any]):
    assert quarter["initiative dice"] == 1  # 4 against 2: the Allies, until Italy plays its card
    assert quarter["start"] == (0, [0, 1], 3, True)
    units = quarter["start units"]
    assert units["wuhan"].count("china-inf-2") == 2
    assert units["canada_east"] == ["be-inf-2-c"]
    assert units["adria"] == ["italy-conv-1"]
    assert "be-tf-2" in units["skandinavian_sea"]


@pytest.mark.rule("bg-ex-adv-dow", "bg-ex-adv-levant-search", "bg-ex-adv-japan-limit")
def test_the_axis_moves(quarter: dict[str, Any]):
    assert (quarter["declared"]["ussr"], quarter["declared"]["usa"]) == (34, 13)
    assert quarter["levant"] is None  # 9 and 11: nobody is found
    assert quarter["landed"].rule == "bg-6.4.1-once"


@pytest.mark.rule("bg-ex-adv-karelia-1", "bg-ex-adv-baltic", "bg-ex-adv-finnish-sea")
def test_the_battles_in_the_north(quarter: dict[str, Any]):
    rolls, flags = quarter["karelia"]
    assert hits(rolls) == 1
    assert (flags["ussr"], flags["germany"]) == (33, 24)
    rolls, left, flags = quarter["baltic"]
    assert (hits(rolls[:6]), hits(rolls[6:])) == (2, 2)
    assert left == [
        "germany-air-3", "germany-arm-5", "germany-inf-3/B", "germany-inf-4", "germany-inf-4/B", "guderian",
    ]  # fmt: skip
    assert (flags["ussr"], flags["germany"]) == (33, 25)
    rolls, left = quarter["finnish sea"]
    assert rolls == [(2, 2), (3, 2), (1, 1), (2, 2)]
    assert left == ["germany-conv-1", "germany-conv-1/B", "germany-sub-2", "germany-tf-3"]


@pytest.mark.rule("bg-ex-adv-e-poland-1", "bg-ex-adv-e-poland-2", "bg-ex-adv-lwow-1", "bg-ex-adv-lwow-2")
@pytest.mark.rule("bg-ex-adv-lwow-air-loss")
def test_the_battles_for_poland(quarter: dict[str, Any]):
    rolls, soviet = quarter["east poland 1"]
    assert (hits(rolls[:6]), hits(rolls[6:])) == (1, 2)
    assert soviet == ["ussr-arm-2-orange", "ussr-inf-2-orange", "ussr-inf-2-orange/B"]
    rolls, holder, back = quarter["east poland 2"]
    assert (hits(rolls[:6]), hits(rolls[6:])) == (0, 2)
    assert holder == "ussr"
    assert back.count("germany-inf-3") == 2
    assert (hits(quarter["lwow 1"][:5]), hits(quarter["lwow 1"][5:])) == (2, 1)
    assert quarter["lwow air"].rule == "bg-6.5.7-by-segment"
    assert "romania" not in quarter["lwow retreats"]
    rolls, german, kiev = quarter["lwow 2"]
    assert (hits(rolls[:5]), hits(rolls[5:])) == (3, 2)
    assert german == ["germany-air-4", "germany-arm-5", "germany-inf-3/B", "hungary-air-1"]
    assert "ussr-arm-2-orange/B" in kiev


@pytest.mark.rule("bg-ex-adv-odessa-tf", "bg-ex-adv-odessa-1", "bg-ex-adv-odessa-2")
def test_the_battle_for_odessa(quarter: dict[str, Any]):
    rolls, units, fleet = quarter["odessa 1"]
    assert rolls[0] == (4, 4)  # Air 3 and Air Combat
    assert rolls[5] == (2, 1)  # the Task Force, full in the air/sea segment
    assert units == ["germany-inf-4", "romania-inf-2", "romania-inf-2/B", "ussr-arm-2-orange"]
    assert fleet == ["ussr-tf-2-red/B"]
    _, units, fleet, holder = quarter["odessa 2"]
    assert units == ["germany-inf-4", "romania-inf-2/B", "romania-inf-2/B"]
    assert (fleet, holder) == ([], "germany")


@pytest.mark.rule("bg-ex-adv-yu-1", "bg-ex-adv-yu-2", "bg-ex-adv-cyreneica", "bg-ex-adv-pakoe")
def test_the_battles_in_the_south_and_in_china(quarter: dict[str, Any]):
    rolls, allies = quarter["yugoslavia 1"]
    assert rolls[0] == (3, 3)
    assert [s for s, _ in rolls[2:14]] == [3] * 5 + [2] * 6 + [1]
    assert [s for s, _ in rolls[14:]] == [1, 4, 3, 3, 3, 3]
    assert all(name.endswith("/B") for name in allies)
    rolls, holder, flags = quarter["yugoslavia 2"]
    assert rolls[:5] == [(3, 2)] * 5
    assert (holder, flags["be"], flags["germany"]) == ("germany", 22, 26)
    _, axis, british, holder = quarter["cyreneica"]
    assert (british, holder) == (["be-air-2", "be-arm-4/B"], "italy")
    assert "italy-inf-2/B" in axis
    rolls, japanese, chinese = quarter["pakoe"]
    assert [s for s, _ in rolls] == [3, 3, 1, 1, 1, 5, 4, 3, 3]
    assert {"japan-inf-2/B", "japan-inf-4", "japan-inf-4/B"} <= set(japanese)
    assert "china-inf-2/B" in chinese


@pytest.mark.rule("bg-ex-adv-exploit", "bg-ex-adv-greece", "bg-ex-adv-matruh", "bg-ex-adv-white-russia")
@pytest.mark.rule("bg-ex-adv-iraq", "bg-ex-adv-leningrad-1", "bg-ex-adv-leningrad-2")
def test_the_exploitation(quarter: dict[str, Any]):
    assert quarter["iraq"][0] == ["iraq-inf-3"]
    assert quarter["iraq"][1]["germany"] == 27
    assert quarter["manstein"].rule == "bg-6.7-infantry"  # five units are his limit
    assert quarter["no tf"] is not None
    assert quarter["no japan"] == []
    rolls, allies = quarter["greece 1"]
    assert allies == ["be-inf-2-a", "greece-inf-3/B"]
    assert hits(rolls[:9]) == 5
    _, holder, flags = quarter["greece 2"]
    assert (holder, flags["be"], flags["italy"]) == ("italy", 20, 6)
    rolls, axis, alexandria, holder = quarter["matruh"]
    assert axis == ["germany-air-2", "germany-arm-4/B", "italy-air-2", "rommel"]
    assert (alexandria, holder) == (["be-air-2/B"], "germany")
    rolls, axis, flags = quarter["white russia"]
    assert rolls == [(5, 6), (1, 5), (1, 1), (1, 2)]
    assert (flags["ussr"], flags["germany"]) == (32, 28)
    rolls, soviet = quarter["leningrad 1"]
    assert (hits(rolls[:10]), hits(rolls[10:])) == (3, 2)
    assert [s for s, _ in rolls[10:]] == [3, 2, 2, 2, 1, 1, 1, 1, 1]
    rolls, soviet, baltic, flags = quarter["leningrad 2"]
    assert (hits(rolls[:9]), hits(rolls[9:])) == (3, 3)
    assert soviet.count("ussr-inf-2-orange/B") == 3
    assert flags["germany"] == 28
    assert "guderian" in baltic


@pytest.mark.rule("bg-ex-adv-convoy-relay", "bg-ex-adv-sub-search", "bg-ex-adv-sub-dive", "bg-ex-adv-leave-zone")
@pytest.mark.rule("bg-ex-adv-be-search")
def test_the_royal_navy(quarter: dict[str, Any]):
    assert quarter["relay"].rule == "bg-6.4.1-ships"  # six zones are used up at the Cape
    assert quarter["hunted"] == (["be-conv-1/B", "be-tf-2"], ["germany-sub-2"], True)
    assert quarter["searches"] == {"aegean_sea": 1}  # the sub was missed, leaving the Levant cost no roll
    rolls, left = quarter["aegean"]
    assert (hits(rolls[:3]), left) == (2, ["be-conv-1", "be-tf-3"])


@pytest.mark.rule("bg-ex-adv-peking", "bg-ex-adv-finland", "bg-ex-adv-supply-2", "bg-ex-adv-karelia-2")
def test_the_allied_battles(quarter: dict[str, Any]):
    rolls, peking, sian = quarter["peking"]
    assert [s for s, _ in rolls] == [1, 2, 1, 1, 3, 3, 2, 3, 3, 2, 1, 1]
    assert peking.count("japan-inf-3/B") == 2
    assert sian.count("china-inf-3/B") == 2
    assert "china-air-2-us/B" in sian
    rolls, units, holder, flags = quarter["finland"]
    assert [s for s, _ in rolls] == [3] + [1] * 11 + [4, 4, 4, 3, 2]
    assert (holder, flags["germany"]) == ("ussr", 27)
    assert quarter["unsupplied"] == {"matruh", "karelia"}  # in Cyreneica nobody has stayed
    rolls, units, flags = quarter["karelia 2"]
    assert [s for s, _ in rolls] == [4, 4, 3, 2, 2, 2, 1]
    assert (flags["germany"], flags["ussr"]) == (26, 33)
    assert not any(name.startswith("finland") for name in units)


@pytest.mark.rule("bg-ex-adv-finland-conquest", "bg-ex-adv-us-entry", "bg-ex-adv-cards", "bg-ex-adv-research")
def test_the_turn_ends(quarter: dict[str, Any]):
    assert quarter["conquered"] == 2
    assert (quarter["us level"], quarter["us card"]) == (14, 18)
    assert quarter["bnl"] == [True, True]
    assert quarter["income"] == {
        "germany": 26, "italy": 6, "japan": 15, "be": 20, "usa": 18, "ussr": 33, "france": 0, "china": 8,
    }  # fmt: skip
    assert quarter["italy returns"] == (-1, True)
    assert quarter["ussr choice"] == ["national_war_ussr", "para_troops"]
    assert quarter["numbers"] == {
        "germany": 4, "italy": 1, "japan": 2, "be": 5, "usa": 2, "ussr": 2, "france": 0, "china": 0,
    }  # fmt: skip
    assert quarter["sabotaged"] == 0
    assert quarter["points"] == {
        "germany": 23, "italy": 6, "japan": 12, "be": 18, "usa": 10, "ussr": 30, "france": 0, "china": 8,
    }  # fmt: skip


@pytest.mark.rule("bg-ex-adv-prod-usa-chi", "bg-ex-adv-prod-be", "bg-ex-adv-prod-ussr", "bg-ex-adv-prod-axis")
def test_production(quarter: dict[str, Any]):
    left = quarter["left"]
    assert (left["usa"], left["china"], left["italy"], left["germany"]) == (0, 0, 0, 2)
    assert left["be"] == 1  # 2 + 3 for repairs, 1 + 3 + 2 + 6 for units: the text's 18 leave one
    assert quarter["card too fresh"].rule == "bg-7.4-earliest"  # the text plays National War in the turn it is bought
    assert quarter["navy"] is not None
    assert quarter["matruh armor"].rule == "bg-6.1-effect-repair"
    assert quarter["german repairs"] == 19
    assert quarter["saved"]["germany"] == 2
    assert quarter["next turn"] == "3/41"
