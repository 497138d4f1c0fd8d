"""The scenario of 1941: politics, production, research, cards, forces and reinforcements as its cards list them."""

from collections import Counter

import pytest

from sandtable.games.blitzkrieg_general.game import GAME
from sandtable.games.blitzkrieg_general.model.actions import Done, Form, Shift
from sandtable.games.blitzkrieg_general.model.state import BUILDING
from sandtable.games.blitzkrieg_general.rules.movement_phase import Phase
from sandtable.games.blitzkrieg_general.rules.options_phase import SetUp
from sandtable.games.blitzkrieg_general.rules.politics import join
from sandtable.games.blitzkrieg_general.rules.rail import rail_points
from sandtable.games.blitzkrieg_general.sequence import Segment, _initiative
from tests.games.blitzkrieg_general.positions_advanced import MAJORS, A, Position, nation, space, unit

BACK = "(B)"


def start() -> Position:
    return Position("1941-advanced", empty=False)


def short(war: Position, u: int) -> str:
    """'inf 4', 'inf 2 (B)' (a reduced unit with the number of its front), 'hq rommel'; tags of the counter behind."""
    kind = A.kind_of_unit[u]
    if A.is_hq[u]:
        return f"hq {kind.id}"
    tag = f" {kind.tag}" if kind.tag and kind.nation != nation("france") else ""
    word = ("inf", "arm", "hq", "hq", "air", "tf", "conv", "sub")[kind.type]
    return f"{word} {kind.front}{tag}{' ' + BACK if war.state.flipped[u] else ''}"


def forces(war: Position, who: str, *places: str) -> dict[str, list[str]]:
    """What a nation has in each of these places."""
    return {
        place: sorted(short(war, u) for u in war.state.here[space(place)] if war.state.nation[u] == nation(who))
        for place in places
    }


def everywhere(war: Position, who: str) -> set[str]:
    return {A.space_ids[war.state.place[u]] for u in range(A.units)
            if war.state.place[u] >= 0 and war.state.nation[u] == nation(who)}  # fmt: skip


def due(war: Position, who: str) -> dict[str, Counter[str]]:
    out: dict[str, Counter[str]] = {}
    for u in range(A.units):
        if war.state.place[u] == BUILDING and A.printed_nation[u] == nation(who):
            out.setdefault(A.turns[war.state.due[u]], Counter())[short(war, u)] += 1
    return out


def lists(text: dict[str, str]) -> dict[str, list[str]]:
    """'2 inf 4, air 2' for each place."""
    out = {}
    for place, row in text.items():
        units: list[str] = []
        for entry in row.split(", "):
            count, rest = (int(entry[0]), entry[2:]) if entry[0].isdigit() else (1, entry)
            units += [rest] * count
        out[place] = sorted(units)
    return out


def check(who: str, text: dict[str, str], *, complete: bool = True) -> None:
    war = start()
    wanted = lists(text)
    assert forces(war, who, *wanted) == wanted
    if complete:
        assert everywhere(war, who) == set(wanted)


@pytest.mark.rule("bg-scn41-politics")
def test_germany_and_italy_fight_the_empire_and_the_balkans_and_japan_fights_china():
    war = start()
    for axis in ("germany", "italy"):
        enemies = {name for name in A.nation_ids if war.at_war(axis, name)}
        assert enemies == {"be", "yugoslavia", "greece"}
    assert {name for name in A.nation_ids if war.at_war("japan", name)} == {"china"}
    assert war.standing("usa") == war.standing("ussr") == "neutral"
    assert war.standing("france") == "conquered"


@pytest.mark.rule("bg-scn41-must-declare")
def test_the_war_on_the_ussr_comes_at_the_latest_when_the_first_axis_segment_ends():
    war = start()
    war.state.phasing = 0
    war.run(Segment(0, 13))
    assert war.at_war("germany", "ussr")
    assert war.production("ussr") == 34
    later = start()
    later.state.turn += 1
    later.run(Segment(0, 13))
    assert not later.at_war("germany", "ussr")
    allied = start()
    allied.run(Segment(1, 13))
    assert not allied.at_war("germany", "ussr")


@pytest.mark.rule("bg-scn41-peace")
def test_the_soviet_japanese_peace_is_in_force_and_its_card_out_of_reach():
    war = start()
    assert war.state.peace == MAJORS.index("ussr")
    assert war.pile("force_peace") == "table"


@pytest.mark.rule("bg-scn41-production")
def test_production_flags():
    war = start()
    flags = {name: war.production(name) for name in MAJORS}
    assert flags == {"japan": 15, "italy": 5, "germany": 23, "usa": 12, "ussr": 11, "be": 24, "china": 8, "france": 0}


@pytest.mark.rule("bg-scn41-research")
def test_achievements():
    war = start()
    known = {what: {name for n, name in enumerate(MAJORS) if war.state.advances[n] >> i & 1}
             for i, what in enumerate(A.achievements)}  # fmt: skip
    assert {what: who for what, who in known.items() if who} == {
        "air_combat": {"germany", "be", "japan"},
        "radar": {"be"},
        "long_range": {"japan", "usa"},
    }


@pytest.mark.rule("bg-scn41-research-numbers")
def test_research_numbers():
    war = start()
    numbers = {name: war.state.numbers[n] for n, name in enumerate(MAJORS)}
    assert numbers == {"japan": 1, "usa": 1, "germany": 3, "be": 4, "ussr": 1, "italy": 1, "china": 0, "france": 0}


@pytest.mark.rule("bg-scn41-initiative")
def test_a_tie_in_the_first_turn_goes_to_the_axis_because_the_allies_had_the_initiative():

    war = start().dice(3, 3)
    war.state.hands = ((),) * 8
    _initiative(war.m)
    assert war.state.initiative == 0


@pytest.mark.rule("bg-scn41-cards-out")
def test_cards_that_are_gone():
    war = start()
    assert {A.card_ids[c] for c in war.state.out} == {
        "coup_bnl", "coup_norway", "coup_greece", "coup_yugoslavia", "axis_minor_activation", "embargo_usa_japan",
        "japan_occupies_indochine",
    }  # fmt: skip
    assert war.holder("indochine") == "japan"


@pytest.mark.rule("bg-scn41-cards-effect")
def test_cards_that_lie_on_the_table():
    war = start()
    owners = {A.card_ids[c]: MAJORS[n] for c, n in war.state.table.items() if A.card_ids[c] != "force_peace"}
    assert set(owners) == {
        "their_finest_hour", "french_vichy_surrender", "japanese_navy", "usa_builds_chinese_aircraft",
    }  # fmt: skip
    assert owners["their_finest_hour"] == "be"
    assert owners["japanese_navy"] == "japan"
    assert war.state.vichy
    assert war.holder("vichy") == "vichy_france"


@pytest.mark.rule("bg-scn41-cards-hand")
def test_hands():
    war = start()
    hands = {MAJORS[n]: {A.card_ids[c] for c in hand} for n, hand in enumerate(war.state.hands) if hand}
    assert hands == {
        "germany": {"coup_iraq", "blitzkrieg", "surprise", "bridgehead"},
        "italy": {"initiative", "sabotage_on_research"},
        "japan": {"national_war_china", "japan_gains_bnl", "naval_surprise"},
        "usa": {"bnl_embargo", "increase_us_production"},
        "ussr": {"winter_offensive"},
        "china": {"partisans"},
        "be": {"free_french_troops"},
    }
    assert len(war.state.deck) + len(war.state.out) + len(war.state.table) + sum(map(len, hands.values())) == 55


@pytest.mark.rule("bg-scn41-rail")
def test_rail_points():

    war = start()
    points = {name: rail_points(war.state, n) for n, name in enumerate(MAJORS) if name != "france"}
    assert points == {"germany": 2, "italy": 1, "japan": 1, "china": 1, "be": 1, "usa": 4, "ussr": 1}
    war.war("germany", "ussr")
    assert rail_points(war.state, nation("ussr")) == 4


@pytest.mark.rule("bg-scn41-ger-west", "bg-scn41-ger-east")
def test_german_forces():
    check(
        "germany",
        {
            "normandy": "inf 3",
            "paris": "inf 4, air 2",
            "western_france": "inf 2",
            "bnl": "inf 2",
            "western_germany": "air 3",
            "norway": "inf 2",
            "skagerrak": "sub 2, 2 conv 1, tf 3",
            "central_atlantic": "sub 2",
            "western_poland": "2 inf 4, 5 inf 3, inf 2, 2 arm 5, arm 4, hq guderian, 2 air 4, air 2",
            "austria": "inf 4, air 3",
            "hungary": "inf 3",
            "bulgaria": "arm 5, inf 3, hq manstein, air 2",
            "tripolitania": "hq rommel, arm 4 (B), air 2",
        },
    )
    war = start()
    assert war.holder("maginot") == war.holder("denmark") == "germany"
    assert not war.state.fortress


@pytest.mark.rule("bg-scn41-ita")
def test_italian_forces():
    check(
        "italy",
        {
            "tripolitania": "inf 2, arm 2 (B), air 2",
            "albania": "2 inf 2, inf 2 (B)",
            "northern_italy": "inf 3, inf 2, air 2",
            "southern_italy": "inf 3",
            "ionian_sea": "tf 2, tf 3, 3 conv 1",
            "tyrrhenian_sea": "sub 2",
        },
    )


@pytest.mark.rule("bg-scn41-jap")
def test_japanese_forces():
    check(
        "japan",
        {
            "manchuria": "inf 4, inf 2",
            "peking": "inf 4, inf 2, air 3",
            "shanghai": "air 2, hq hiro, inf 3, inf 2",
            "southern_japan": "inf 3, inf 2, air 2",
            "sinkiang": "inf 2",
            "canton": "inf 4",
            "indochine": "inf 3, air 3",
            "chinese_sea": "2 conv 1",
            "sea_caroline_islands": "sub 2",
            "marshall_islands": "inf 2",
            "sea_marshall_islands": "conv 1",
            "mariana_islands": "air 2",
            "sea_mariana_islands": "tf 5, tf 3, tf 2, 2 conv 1",
            "northern_chinese_sea": "tf 4, conv 1",
            "formosa": "air 2",
            "sea_formosa": "tf 4",
        },
    )


@pytest.mark.rule("bg-scn41-axis-minors")
def test_the_axis_minors_are_in():
    war = start()
    wanted = {
        "finland": "inf 3, inf 2, air 2", "romania": "2 inf 2, air 1", "hungary": "inf 2, air 1",
        "bulgaria": "inf 2, air 1",
    }  # fmt: skip
    for name, row in wanted.items():
        assert forces(war, name, name)[name] == lists({name: row})[name]
        assert war.standing(name) == "at war"
        assert war.state.master[nation(name)] == nation("germany")


@pytest.mark.rule("bg-scn41-china")
def test_chinese_forces():
    check(
        "china",
        {
            "pakoe": "2 inf 2",
            "sian": "inf 4, 2 inf 3, hq chiang",
            "wuhan": "inf 2 (B), inf 2",
            "chansa": "inf 2 (B), air 1",
            "kunming": "inf 2 (B), inf 3",
            "chunking": "air 2 US",
        },
    )
    assert due(start(), "china") == {"2/41": Counter({"inf 2": 1}), "3/41": Counter({"air 2 US": 1})}


@pytest.mark.rule("bg-scn41-vichy")
def test_vichy_forces():
    check("vichy_france", {"vichy": "inf 2", "algeria": "inf 2", "syria": "inf 2 (B)"})


@pytest.mark.rule("bg-scn41-ussr-europe", "bg-scn41-ussr-pacific")
def test_soviet_forces():
    check(
        "ussr",
        {
            "karelia": "2 inf 2 orange",
            "leningrad": "inf 3 red, 2 inf 2 orange",
            "baltic": "arm 2 orange, 2 inf 2 orange",
            "east_poland": "arm 2 orange, 2 inf 2 orange",
            "lwow": "arm 2 orange, 2 inf 2 orange",
            "white_russia": "air 1 orange",
            "pripiet": "inf 2 orange",
            "kiev": "arm 2 orange, 2 air 1 orange",
            "odessa": "inf 2 orange, arm 2 orange",
            "dnepropetrovsk": "inf 3 red, 2 arm 2 orange",
            "vitebsk": "hq konev, arm 3 orange, air 1 orange",
            "moscow": "inf 3 red",
            "ural": "air 3 red",
            "trans_caucasus": "inf 3 red",
            "finnish_sea": "conv 1 red, tf 3 red (B)",
            "black_sea": "tf 2 red",
            "irkutsk": "arm 3 orange",
            "vladivostok": "inf 2 orange",
            "usbekistan": "inf 2 orange (B)",
            "n_siberia": "2 air 1 orange",
            "stanovoj": "inf 4 red G",
            "jablonovy": "inf 4 red G",
        },
    )


@pytest.mark.rule("bg-scn41-be")
def test_british_forces():
    check(
        "be",
        {
            "coral_sea": "conv 1 A",
            "indian_ocean": "conv 1",
            "england": "inf 3, inf 3 (B), 2 air 2, air 3",
            "cyreneica": "arm 4 (B), inf 3 (B)",
            "matruh": "air 2",
            "levantianian_sea": "conv 1, tf 3",
            "near_east": "inf 3 I",
            "abessinia": "inf 3 SA",
            "cape_of_good_hope": "conv 1",
            "gibraltar": "inf 2",
            "gibraltar_street": "tf 3, tf 2, conv 1",
            "skandinavian_sea": "conv 1, tf 3, tf 4",
            "sea_of_britain": "conv 1",
            "darwin": "inf 3 A",
            "malaya": "inf 2 (B)",
            "calcutta": "inf 3 I",
            "greece": "inf 2 A",
        },
    )


@pytest.mark.rule("bg-scn41-greece-yu")
def test_greece_and_yugoslavia_are_british_minors_with_an_australian_in_greece():
    war = start()
    assert forces(war, "greece", "greece") == lists({"greece": "2 inf 2, inf 3"})
    assert forces(war, "be", "greece") == lists({"greece": "inf 2 A"})
    assert forces(war, "yugoslavia", "yugoslavia") == lists({"yugoslavia": "inf 3, 4 inf 2, air 1"})
    for name in ("greece", "yugoslavia"):
        assert war.state.master[nation(name)] == nation("be")


@pytest.mark.rule("bg-scn41-usa")
def test_american_forces():
    check(
        "usa",
        {
            "usa_east": "inf 3, air 2",
            "american_east_coast": "2 conv 1, tf 3",
            "usa_west": "inf 2",
            "american_west_coast": "2 conv 1, sub 2",
            "hawaiian_islands": "inf 2, air 2",
            "sea_hawaiian_islands": "2 conv 1, tf 4, tf 3",
            "philippines": "inf 2",
            "sea_philippines": "conv 1",
        },
    )


@pytest.mark.rule("bg-scn41-usa-ships")
def test_the_neutral_usa_moves_convoys_only():
    war = start()
    war.phase(Phase("naval"), side="allies")
    tf = next(A.unit_ids[u] for u in war.state.here[space("american_east_coast")] if A.type[u] == 5)
    conv = next(A.unit_ids[u] for u in war.state.here[space("american_east_coast")] if A.type[u] == 6)
    assert not war.allows(Form("american_east_coast", (tf,)), "usa")
    assert war.allows(Form("american_east_coast", (conv,)), "usa")
    war.war("usa", "germany").phase(Phase("naval"), side="allies")
    assert war.allows(Form("american_east_coast", (tf,)), "usa")


REINFORCEMENTS = {
    "bg-scn41-ger-reinf": ("germany", {"2/41": "inf 3", "3/41": "air 3", "4/41": "arm 5, sub 2"}),
    "bg-scn41-ita-reinf": ("italy", {"2/41": "inf 2, conv 1", "3/41": "air 2", "4/41": "arm 3", "1/42": "tf 3"}),
    "bg-scn41-jap-reinf": ("japan", {"2/41": "inf 2, air 3", "3/41": "hq yamamoto, tf 3", "4/41": "conv 1"}),
    "bg-scn41-ussr-reinf": ("ussr", {"3/41": "air 3 red", "4/41": "hq zukov, arm 4 red, 5 inf 4 red G"}),
    "bg-scn41-be-reinf": (
        "be",
        {
            "2/41": "tf 2, inf 3, inf 2 C, air 2",
            "3/41": "air 2, conv 1 A",
            "4/41": "arm 4, conv 1 C",
            "3/42": "hq monty",
        },
    ),
    "bg-scn41-usa-reinf": (
        "usa",
        {"2/41": "conv 1", "3/41": "tf 3", "4/41": "hq nimitz, conv 1, tf 3", "1/42": "tf 4", "4/42": "hq eisenhower"},
    ),
}


@pytest.mark.parametrize(
    ("who", "wanted"),
    [pytest.param(*row, marks=pytest.mark.rule(rule), id=rule) for rule, row in REINFORCEMENTS.items()],
)
def test_reinforcements(who: str, wanted: dict[str, str]):
    assert due(start(), who) == {turn: Counter(units) for turn, units in lists(wanted).items()}


@pytest.mark.rule("bg-scn41-unlisted")
def test_a_country_the_cards_do_not_list_comes_with_its_forces_of_1939_when_it_enters_the_war():
    war = start()
    assert not everywhere(war, "turkey")
    join(war.m, nation("turkey"), nation("germany"))
    assert forces(war, "turkey", "western_turkey", "eastern_turkey") == lists(
        {"western_turkey": "2 inf 3", "eastern_turkey": "2 inf 2, air 2"}
    )


@pytest.mark.rule("bg-scn41-historical-option")
def test_by_agreement_units_start_elsewhere_and_the_allies_first():
    state = GAME.begin("1941-advanced", GAME.check_options("1941-advanced", {"historical": True}))
    assert isinstance(state.stack[-1], SetUp)
    assert state.stack[-1].side == 1
    war = start()
    war.run(SetUp())
    assert "germany" not in war.match.decisions()
    land = next(A.unit_ids[u] for u in war.state.here[space("moscow")])
    ship = next(A.unit_ids[u] for u in war.state.here[space("black_sea")])
    assert war.allows(Shift(land, "ural"), "ussr")
    assert not war.allows(Shift(land, "usa_west"), "ussr")
    assert war.allows(Shift(ship, "finnish_sea"), "ussr")
    assert not war.allows(Shift(ship, "north_sea"), "ussr")
    for who in ("ussr", "be", "usa", "china"):
        war.do(Done(), who)
    assert set(war.match.decisions()) == {"germany", "italy", "japan"}
    assert unit(land) in war.state.here[space("moscow")]
