"""The advanced tutorial: the Balkans, the Mediterranean, China, the Allied segment and the turn end."""

from __future__ import annotations

import pytest

from sandtable.core import Pass
from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.state import AT_LAND, disembark, embark, mark
from sandtable.games.blitzkrieg_general.rules.politics import declare
from sandtable.games.blitzkrieg_general.rules.production_phase import Production
from sandtable.games.blitzkrieg_general.rules.reaction import react_targets, reserve_targets
from sandtable.games.blitzkrieg_general.rules.reaction_phase import Reaction
from sandtable.games.blitzkrieg_general.rules.search import search_number
from sandtable.games.blitzkrieg_general.rules.search_phase import Searches
from sandtable.games.blitzkrieg_general.rules.strength import effective
from sandtable.games.blitzkrieg_general.rules.us_entry_phase import UsEntry, us_entry
from tests.games.blitzkrieg_general.examples.test_advanced_tutorial_east import east, ready, settle
from tests.games.blitzkrieg_general.positions import A, Board, battle, nation, pending, space, strengths, unit

N = A.nation_of


def balkans() -> Board:
    b = east().join("yugoslavia", "be").join("greece", "be")
    return b.own("italy", "albania")


# ---- Yugoslavia and Greece ----------------------------------------------------------------------------------------
ATTACK = [
    ("germany-inf-4", "austria"),
    ("germany-inf-3", "hungary"),
    ("germany-inf-3", "bulgaria"),
    ("germany-arm-5", "bulgaria"),
    ("bulgaria-inf-2", "bulgaria"),
    ("italy-inf-2", "albania"),
    ("italy-inf-2", "albania"),
    ("italy-inf-2!", "albania"),
    ("italy-inf-3", "northern_italy"),
    ("italy-inf-2", "northern_italy"),
]
DEFENCE = ["yugoslavia-inf-3", *["yugoslavia-inf-2"] * 4, "yugoslavia-air-1"]


@pytest.mark.rule("bg-ex-adv-yu-1", "bg-ex-adv-bridgehead-missed")
def test_yugoslavia_first_round() -> None:
    """By the set-up six land units fight at 2; the text rolls five of them."""
    b = balkans()
    flyers = [("germany-air-2", "bulgaria"), ("italy-air-2", "northern_italy"), ("bulgaria-air-1", "bulgaria")]
    battle(b, "yugoslavia", [*ATTACK, *flyers], DEFENCE, [3, 5, 3, 2, 1, 1, 5, 5, 4, 3, 1, 6, 6, 5, 4, 4, 4, 3, 3])
    while type(b.step).__name__ == "Fight" and b.step.stage == "assign":
        spare = [u for u in ("italy-air-2-1", "bulgaria-air-1-1") if b.rule(b.who(), act.Assign(u, "air")) == ""]
        b.answer(*(act.Assign(u, "air") for u in spare), act.Ready())
    found = strengths(b)
    assert found["germany-arm-5"] == 3  # -2 in the mountains
    assert found["germany-inf-4"] == 3  # over the river from Austria
    assert found["germany-air-2"] == 3  # Air Combat
    assert found["yugoslavia-inf-3"] == 4
    assert found["yugoslavia-inf-2"] == 3
    b.state.effects = {**b.state.effects, "bridgehead": nation("germany")}
    assert strengths(b)["germany-inf-4"] == 4  # the card would have helped


@pytest.mark.rule("bg-ex-adv-yu-2", "bg-6.8-production")
def test_yugoslavia_falls() -> None:
    b = balkans()
    before = b.flag("be"), b.flag("germany")
    battle(
        b,
        "yugoslavia",
        ["germany-inf-4", "germany-inf-4", "germany-inf-3", "germany-arm-5", ("germany-air-2", "bulgaria")],
        ["yugoslavia-inf-3!", *["yugoslavia-inf-2!"] * 4],
        [2, 2, 2, 2, 2, 5, 2, 2, 4, 5],
    )
    ready(b)
    assert pending(b) == (2, 0) or pending(b)[0] == 2
    b.hits(b.find("germany-inf-3", "yugoslavia"), b.find("germany-inf-3", "yugoslavia"))
    settle(b, bases="yugoslavia")
    assert b.owner("yugoslavia") == "germany"
    assert (b.flag("be"), b.flag("germany")) == (before[0] - 2, before[1] + 1)


@pytest.mark.rule("bg-ex-adv-greece", "bg-card-surprise")
def test_greece_under_surprise() -> None:
    b = balkans().own("germany", "yugoslavia")
    b.state.hands = put(b.state.hands, 0, (A.card_of["surprise"],))
    before = b.flag("be"), b.flag("italy")
    battle(
        b,
        "greece",
        ["germany-inf-4", "germany-inf-3", "germany-inf-3", "germany-arm-5", "italy-inf-3", "italy-inf-2!"],
        ["greece-inf-3", "greece-inf-2", "greece-inf-2"],
        [2, 6, 3, 2, 2, 1, 3, 6, 3, 1, *[1] * 12],
    )
    b.do("germany", act.PlayCard("surprise", ""))
    while b.match.decisions() and type(b.step).__name__ == "Window":
        b.answer(Pass())
    # the German hits count at once: what is dead does not answer
    assert b.state.battle is not None
    assert b.state.battle.first == 0
    assert before == (b.flag("be"), b.flag("italy"))


# ---- the Mediterranean --------------------------------------------------------------------------------------------
def sea(zone: str, *kinds: str) -> Board:
    b = east()
    b.adds(zone, *kinds)
    return b


@pytest.mark.rule("bg-ex-adv-levant-search")
def test_levantianian_sea() -> None:
    b = sea("levantianian_sea", "italy-tf-3", "italy-conv-1", "be-tf-3", "be-conv-1")
    b.start(Searches((space("levantianian_sea"),)), [4, 5, 6, 5], phasing=0)
    assert b.state.sea_battles == {}  # 9 and 11: both missed
    b = sea("levantianian_sea", "italy-tf-3", "be-tf-3")
    b.start(Searches((space("levantianian_sea"),)), [4, 5, 4, 6], phasing=0)
    assert b.match.decisions() == ("be",)  # a 10 finds, thanks to radar


@pytest.mark.rule("bg-ex-adv-be-search")
def test_aegean_sea() -> None:
    b = sea("aegean_sea", "italy-conv-1", "be-tf-3", "be-conv-1")
    flyer = b.add("be-air-2", "alexandria", flipped=True)
    b.start(Searches((space("aegean_sea"),)), [4, 5, 3, 4], phasing=1)
    b.do("be", act.Engage(True))
    assert b.state.sea_battles == {space("aegean_sea"): 1}  # only British aircraft may help
    b.phase(phasing=1)
    b.state.sea_battles = {space("aegean_sea"): 1}
    b.do("be", act.Fly(flyer, "aegean_sea"))
    b.combat([2, 5, 1, 3], phasing=1)
    settle(ready(b), bases="alexandria")
    assert b.kinds("aegean_sea") == ["be-conv-1", "be-tf-3"]
    assert b.where(flyer) == "alexandria"


@pytest.mark.rule("bg-ex-adv-sub-dive")
def test_an_italian_submarine_dives() -> None:

    b = sea("ligurian_sea", "italy-sub-2", "be-tf-3", "be-tf-2", "be-conv-1")
    b.start(Searches((space("ligurian_sea"),)), [3, 3, 6, 6], phasing=1)
    assert b.state.sea_battles == {}  # a 6 is not enough
    b.advance("be", "sonar")
    ships = [u for u in b.state.here[space("ligurian_sea")] if A.nation_ids[b.state.nation[u]] == "be"]
    assert search_number(b.state, ships, [unit("italy-sub-2-1")], space("ligurian_sea")) >= 6


@pytest.mark.rule("bg-ex-adv-cyreneica")
def test_cyreneica_by_the_rules() -> None:
    """The reduced Italian armor fires twice, as all armor does; the text rolls once."""
    b = east().own("be", "cyreneica")
    battle(
        b,
        "cyreneica",
        [
            "germany-arm-4!",
            "italy-inf-2",
            "italy-arm-2!",
            ("germany-air-2", "tripolitania"),
            ("italy-air-2", "tripolitania"),
        ],
        ["be-arm-4!", "be-inf-3!"],
        [6, 5, 5, 4, 2, 3, 6, 4, 3, 1],
    )
    ready(b)
    assert b.dice_left() == 0
    assert pending(b) == (1, 1)
    b.hits(b.find("italy-inf-2", "cyreneica"), b.find("be-inf-3!", "cyreneica"))
    b.answer(act.Retreat("fight"), act.Retreat("retreat"))
    settle(b, bases="cyreneica")
    assert b.kinds("matruh") == ["be-arm-4!"]
    assert b.state.side[b.state.control[space("cyreneica")]] == 0


@pytest.mark.rule("bg-ex-adv-matruh", "bg-6.5.9-forced")
def test_matruh() -> None:
    b = east().own("italy", "cyreneica")
    battle(
        b,
        "matruh",
        [
            "germany-arm-4!",
            "italy-arm-2!",
            "italy-inf-2!",
            ("germany-air-2", "cyreneica"),
            ("italy-air-2", "cyreneica"),
        ],
        ["be-arm-4!", "be-air-2"],
        [3, 4, 3, 3, 6, 6, 1, 4, 1, 2],
    )
    while type(b.step).__name__ == "Fight" and b.step.stage == "assign":
        spare = [u for u in ("germany-air-2-1", "italy-air-2-1") if b.rule(b.who(), act.Assign(u, "air")) == ""]
        b.answer(*(act.Assign(u, "air") for u in spare), act.Ready())
    assert b.state.battle is not None
    assert pending(b)[0] == 2
    b.hits(b.find("italy-arm-2!", "matruh"), b.find("italy-inf-2!", "matruh"))
    settle(b, bases="matruh", home={"be-air-2": "alexandria"})
    assert b.where("be-air-2-1") == "alexandria"  # only an aircraft was left: it had to go
    assert b.is_flipped("be-air-2-1")
    assert b.state.side[b.state.control[space("matruh")]] == 0


# ---- China --------------------------------------------------------------------------------------------------------
def orient() -> Board:
    b = Board("1941-advanced").war("japan-china").weather(pacific=True).advance("japan", "air_combat", "long_range")
    b.state.limit = 3
    return b


@pytest.mark.rule("bg-ex-adv-pakoe")
def test_pakoe_by_the_rules() -> None:
    """An Air 3 in mountains and bad weather fights at 1, an Air 2 not at all: three shots at 1, not four."""
    b = orient()
    battle(
        b,
        "pakoe",
        [
            ("japan-inf-4", "peking"),
            ("japan-inf-4", "peking"),
            ("japan-inf-2", "peking"),
            ("japan-air-3", "peking"),
            ("japan-air-3", "peking"),
            ("japan-air-2", "peking"),
        ],
        ["china-inf-4", "china-inf-3", "china-inf-2", "china-inf-2"],
        [5, 1, 6, 6, 4, 5, 5, 4, 3],
    )
    ready(b)
    assert b.dice_left() == 0
    assert pending(b) == (2, 1)
    b.hits(b.find("japan-inf-2", "pakoe"), b.find("japan-inf-4", "pakoe"), b.find("china-inf-2", "pakoe"))
    b.answer(act.Retreat("fight"), act.Retreat("retreat"))
    while type(b.step).__name__ == "Withdrawal":
        b.answer(act.Withdraw(A.unit_ids[b.step.units[0]], "sian"))
    settle(b, bases="pakoe")
    assert b.owner("pakoe") == "japan"
    assert len(b.kinds("sian")) == 4


@pytest.mark.rule("bg-ex-adv-peking")
def test_peking_by_the_rules() -> None:
    """Japan has Air Combat by its card: two Air 3 and one Air 2 fire at 3, 3 and 2 where the text has 2, 1, 1."""
    b = orient()
    battle(
        b,
        "peking",
        [
            ("china-inf-4", "sian"),
            ("china-inf-3", "sian"),
            ("china-inf-3", "sian"),
            ("china-air-2-us", "chunking"),
            ("china-air-1", "chansa"),
        ],
        [
            "japan-inf-3",
            "japan-inf-3",
            "japan-inf-2",
            "japan-air-3",
            "japan-air-3",
            "japan-air-2",
            "japan-air-2",
            "japan-air-2",
        ],
        [6] * 40,
        phasing=1,
    )
    found = strengths(b) if b.state.battle else {}
    assert (found["china-inf-4"], found["china-inf-3"]) == (2, 1)
    fight = b.state.battle
    assert fight is not None
    assert effective(b.state, fight, unit("china-air-2-us-1"), 1) == 1
    assert effective(b.state, fight, unit("japan-air-3-1"), 1) == 3
    assert effective(b.state, fight, unit("japan-air-2-1"), AT_LAND) == 1


@pytest.mark.rule("bg-ex-adv-japan-limit")
def test_the_infantry_that_landed_in_peking_does_not_attack() -> None:
    b = orient()
    ship, inf = b.add("japan-conv-1", "northern_chinese_sea"), b.add("japan-inf-3", "southern_japan")
    b.add("china-inf-2", "pakoe")
    zone = next(
        z
        for z in A.coast[space("southern_japan")]
        if space("peking") in [s for y in A.sea_next[z] for s in A.coast[y]] or True
    )

    embark(b.state, unit(inf), unit(ship))
    disembark(b.state, unit(inf), space("peking"))
    b.phase()
    mark(b.state, unit(inf), 1)
    assert b.rule("japan", act.March(inf, "pakoe", "peking")) == "bg-6.4.1-once"
    assert A.is_sea[zone]


@pytest.mark.rule("bg-ex-adv-blitz-card", "bg-ex-adv-axis-reaction", "bg-card-blitzkrieg")
def test_blitzkrieg_stops_reactions_to_germans_only() -> None:
    b = east().war("japan-china")
    b.state.effects = {**b.state.effects, "blitzkrieg": 0}
    b.adds("kiev", "germany-inf-4", "ussr-inf-2-orange", "romania-inf-2")
    b.adds("pakoe", "japan-inf-4", "china-inf-2")
    flyer = b.add("ussr-air-3-red", "kharkov")
    b.adds("sian", "chiang", "china-inf-3", "china-inf-4")
    for u, place in enumerate(b.state.place):
        b.state.start = put(b.state.start, u, place)
    b.start(Reaction(), phasing=0)
    assert react_targets(b.state, unit(flyer)) == []
    assert reserve_targets(b.state, unit("china-inf-3-1")) == [space("pakoe")]


# ---- the Allied segment -------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-ex-adv-convoy-relay", "bg-6.4.3b-transfer")
def test_the_relay_to_alexandria() -> None:
    b = Board("1941-advanced", full=True)
    b.phase("naval", phasing=1)
    one, two = b.find("be-conv-1", "skandinavian_sea"), b.find("be-conv-1", "cape_of_good_hope")
    inf = b.find("be-inf-3", "england")
    b.do("be", act.Form("skandinavian_sea", (one,)), act.Sail("north_sea"), act.Sail("channel"), act.Load(one, inf))
    b.do(
        "be",
        *(act.Sail(z) for z in ("sea_of_britain", "sea_of_portugal", "west_african_sea", "cape_of_good_hope")),
        act.Halt(),
    )
    b.do("be", act.Form("cape_of_good_hope", (two,)), act.Load(two, inf))
    b.do("be", *(act.Sail(z) for z in ("east_african_sea", "persian_gulf", "red_sea")), act.Unload(inf, "alexandria"))
    assert b.where(inf) == "alexandria"


@pytest.mark.rule("bg-ex-adv-sub-search", "bg-6.4.3f-caught-late")
def test_the_submarine_in_the_central_atlantic() -> None:
    b = Board("1941-advanced", full=True)
    convoy, tf = b.find("be-conv-1", "sea_of_britain"), b.find("be-tf-3", "skandinavian_sea")
    canadian = b.add("be-inf-2-c", "canada_east")
    b.phase("naval", phasing=1, dice=[3, 4, 2, 3, 6, 6, 2, 3])
    group = tuple(sorted((convoy, tf), key=unit))
    b.do("be", act.Form("sea_of_britain", (convoy,)), act.Sail("fareous_gap"), act.Wait("be"))
    b.do("be", act.Form("skandinavian_sea", (tf,)), act.Sail("fareous_gap"), act.Wait("be"))
    b.do("be", act.Form("fareous_gap", group), act.Sail("central_atlantic"))
    b.do("be", act.Sail("american_east_coast"))  # 7: not found
    assert b.where(convoy) == "american_east_coast"
    b.do("be", act.Load(convoy, canadian), act.Sail("central_atlantic"), act.Sail("sea_of_britain"))  # 5: found
    b.do("germany", act.Engage(True))
    while type(b.step).__name__ == "Window":
        b.answer(Pass())
    b.hits(convoy)
    assert b.is_flipped(convoy)
    assert b.is_flipped(canadian)  # the load suffers with its ship


@pytest.mark.rule("bg-ex-adv-leave-zone", "bg-6.4.3d-case3")
def test_the_british_leave_the_levantianian_sea_unsearched() -> None:
    b = Board("1941-advanced", full=True)
    b.adds("levantianian_sea", "italy-tf-4")
    tf = b.find("be-tf-3", "levantianian_sea")
    far = b.find("be-tf-4", "skandinavian_sea")
    b.phase("naval", phasing=1)
    b.do("be", act.Form("levantianian_sea", (tf,)), act.Sail("aegean_sea"), act.Halt())
    assert b.state.rolled == 0
    b.do("be", act.Form("skandinavian_sea", (far,)))
    path = ("fareous_gap", "sea_of_britain", "sea_of_portugal", "gibraltar_street", "tyrrhenian_sea")
    for zone in path[:4]:
        b.do("be", act.Sail(zone))
    assert b.where(far) == "gibraltar_street"


@pytest.mark.rule("bg-ex-adv-allied-rail", "bg-ex-adv-ussr-rebase")
def test_allied_rail_and_rebasing() -> None:
    b = Board("1941-advanced", full=True).war("germany-ussr")
    b.state.rail_left = (4,) * 8
    b.phase("rail", phasing=1)
    for role, kind, origin, to in (
        ("china", "china-inf-2!", "kunming", "gobi"),
        ("ussr", "ussr-inf-4-redg", "stanovoj", "leningrad"),
        ("ussr", "ussr-inf-3-red", "trans_caucasus", "leningrad"),
        ("ussr", "ussr-inf-2-orange", "vladivostok", "leningrad"),
    ):
        ident = b.find(kind, origin)
        b.do(role, act.Railroad(ident, to))
        assert b.where(ident) == to
    b.phase("rebase", phasing=1)
    for kind, origin, to in (
        ("ussr-air-3-red", "ural", "leningrad"),
        ("ussr-air-1-orange", "n_siberia", "smolensk"),
        ("ussr-air-1-orange", "kiev", "valdai"),
    ):
        ident = b.find(kind, origin)
        b.do("ussr", act.Rebase(ident, to))
        assert b.where(ident) == to


@pytest.mark.rule("bg-ex-adv-allied-land", "bg-6.4.2-double")
def test_allied_land_moves() -> None:
    b = Board("1941-advanced", full=True).war("germany-ussr")
    b.phase(phasing=1)
    inf = b.find("be-inf-3-sa", "abessinia")
    b.march("be", inf, "alexandria")
    assert b.where(inf) == "alexandria"
    b.state.limit = 3
    for kind in ("china-inf-4", "china-inf-3"):
        b.march("china", b.find(kind, "sian"), "peking")
    b.do("china", act.Fly(b.find("china-air-2-us", "chunking"), "peking"))
    arm = b.find("ussr-arm-3-orange", "irkutsk")
    b.march("ussr", arm, "voronesh")
    assert b.where(arm) == "voronesh"


@pytest.mark.rule("bg-ex-adv-axis-naval")
def test_axis_naval_moves() -> None:
    b = Board("1941-advanced", full=True)
    b.phase("naval")
    ships = tuple(u for u in b.at("skagerrak"))
    b.do(
        "germany",
        act.Form("skagerrak", tuple(sorted(ships, key=unit))),
        act.Sail("baltic_sea"),
        act.Sail("finnish_sea"),
        act.Halt(),
    )
    assert b.where(ships[0]) == "finnish_sea"
    sub = b.find("italy-sub-2", "tyrrhenian_sea")
    b.do("italy", act.Form("tyrrhenian_sea", (sub,)), act.Sail("ligurian_sea"), act.Halt())
    fleet = tuple(sorted(b.at("ionian_sea"), key=unit))
    b.do("italy", act.Form("ionian_sea", fleet), act.Sail("levantianian_sea"), act.Halt())
    assert b.state.rolled == 0  # they stay, so the searches wait


@pytest.mark.rule("bg-ex-adv-axis-land", "bg-ex-adv-exploit")
def test_axis_land_moves_and_exploitation() -> None:
    b = Board("1941-advanced", full=True)
    b.start(None)

    declare(b.m, 0, N["ussr"])
    b.phase()
    for kind, to in (
        ("germany-inf-4", "baltic"),
        ("germany-arm-5", "baltic"),
        ("germany-inf-3", "east_poland"),
        ("germany-arm-4", "east_poland"),
        ("germany-arm-5", "lwow"),
    ):
        b.march("germany", b.find(kind, "western_poland"), to)
    b.march("germany", b.find("hungary-inf-2", "hungary"), "lwow")
    b.march("germany", b.find("finland-inf-3", "finland"), "karelia")
    b.march("germany", b.find("germany-inf-4", "austria"), "yugoslavia")
    assert sorted(
        {A.space_ids[b.state.origin[u]] for u in b.state.here[space("lwow")] if b.state.side[b.state.nation[u]] == 0}
    ) == ["hungary", "western_poland"]
    c = east().own("germany", "baltic", "yugoslavia")
    c.add("manstein", "yugoslavia")
    five = [*c.adds("yugoslavia", "germany-inf-4", "germany-inf-3", "germany-inf-3", "italy-inf-3", "italy-inf-2")]
    c.join("greece", "be").add("greece-inf-3", "greece")
    arm = c.add("germany-arm-4", "western_poland")
    c.add("ussr-air-1-orange", "white_russia")
    c.phase("exploit")
    for ident in five:
        c.march("germany" if "germany" in ident else "italy", ident, "greece")
    c.march("germany", arm, "white_russia", "baltic")  # through the Baltic
    assert c.where(arm) == "white_russia"


# ---- the turn end -------------------------------------------------------------------------------------------------
@pytest.mark.rule("bg-ex-adv-us-entry", "bg-7.2-plus-one")
def test_us_entry() -> None:
    b = Board("1941-advanced", full=True)
    b.state.us_level = 13
    b.state.soviet_declared_on = True
    b.start(None)
    us_entry(b.m)
    b.start(UsEntry())
    b.do("usa", act.PlayCard("increase_us_production", ""))
    assert b.state.us_level == 18
    b.do("japan", act.PlayCard("japan_gains_bnl", ""))
    b.do("usa", act.PlayCard("bnl_embargo", ""))
    assert not b.state.trust_to_japan
    assert {A.card_of["japan_gains_bnl"], A.card_of["bnl_embargo"]} <= set(b.state.out)


def produce(role: str, points: int) -> Board:
    b = Board("1941-advanced", full=True)
    b.state.points = put(b.state.points, N[role], points)
    return b


@pytest.mark.rule("bg-ex-adv-prod-usa-chi", "bg-ex-adv-prod-be")
def test_allied_production() -> None:
    b = produce("usa", 10).start(Production())
    b.do("usa", act.Build("usa-tf-5"))
    assert b.state.points[N["usa"]] == 0
    b = produce("be", 18)
    ship, flyer = b.find("be-conv-1", "sea_of_britain"), b.find("be-air-2", "matruh")
    for ident in (ship, flyer):
        b.state.flipped = put(b.state.flipped, unit(ident), 1)
    b.start(Production())
    b.do("be", act.Repair(flyer), act.Repair(ship))
    for kind in ("gort", "be-inf-3", "be-inf-2-a", "be-tf-3"):
        b.do("be", act.Build(kind))
    assert b.state.points[N["be"]] == 18 - 2 - 2 - 1 - 3 - 2 - 6


@pytest.mark.rule("bg-ex-adv-prod-axis", "bg-6.1-effect-repair", "bg-card-japanese-navy")
def test_axis_production() -> None:
    b = produce("germany", 23)
    hurt = b.add("germany-inf-3", "prussia", flipped=True)
    cut_off = b.find("germany-arm-4!", "tripolitania")
    mark(b.state, unit(cut_off), 64)
    b.start(Production())
    assert b.rule("germany", act.Repair(cut_off)) == "bg-6.1-effect-repair"
    b.do(
        "germany", act.Repair(hurt), act.Build("germany-air-3"), act.Build("germany-inf-2"), act.Build("romania-inf-2")
    )
    assert b.state.points[0] == 23 - 1 - 6 - 2 - 2
    # Japan owes its navy six points; the text spends only three on ships
    b = produce("japan", 12).start(Production())
    b.do("japan", act.Build("japan-sub-2"), act.Build("japan-air-2"))
    assert b.rule("japan", act.Build("japan-inf-3")) == "bg-card-japanese-navy"
