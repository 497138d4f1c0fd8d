"""The scenario cards of 1939: forces, reinforcements, rail, research."""

from __future__ import annotations

import pytest

from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.atlas import MAJORS
from sandtable.games.blitzkrieg_general.rules.options_phase import SetUp
from sandtable.games.blitzkrieg_general.rules.politics import join
from sandtable.games.blitzkrieg_general.rules.production import why_not_build
from sandtable.games.blitzkrieg_general.rules.rail import rail_points
from tests.games.blitzkrieg_general.positions import A, Board, nation, space

# area: units as printed on the card; '!' stands for (B)
SET_UP = {
    "bg-scn39-ger": {
        "western_germany": "inf2", "bavaria": "inf2 inf3", "prussia": "air4 arm5 guderian inf3 inf3 inf4 inf4",
        "austria": "air3 arm4 inf3 inf4", "skagerrak": "conv1 conv1 sub2 tf4!",
    },
    "bg-scn39-ita": {
        "abessinia": "inf2!", "tripolitania": "inf2 inf2", "albania": "inf2!", "northern_italy": "inf2 inf3",
        "southern_italy": "air2 inf2", "adria": "conv1 conv1 conv1 sub2!", "ionian_sea": "tf3 tf4",
    },
    "bg-scn39-jap": {
        "manchuria": "inf2 inf4", "peking": "inf2 inf4", "shanghai": "air2 hiro inf2 inf3",
        "southern_japan": "air2 inf3", "chinese_sea": "conv1 conv1 conv1 conv1 sub2! tf2 tf4 tf4!",
    },
    "bg-scn39-china": {
        "pakoe": "inf2 inf2", "sian": "chiang inf2! inf3 inf3", "wuhan": "air1 inf2!", "canton": "inf2!",
        "sinkiang": "inf2!",
    },
    "bg-scn39-france": {
        "maginot": "inf2 inf3 inf3 inf3", "paris": "air2 arm4 inf3", "normandy": "inf2", "vichy": "inf3",
        "ligurian_sea": "conv1 conv1 tf4", "bay_of_biscay": "conv1 sub2!", "algeria": "inf3",
    },
    "bg-scn39-ussr-europe": {
        "white_russia": "arm2! inf2", "kiev": "air1 arm2 inf2!", "pripiet": "inf2!", "odessa": "arm2 inf2!",
        "moscow": "air1 inf3", "ural": "air1", "leningrad": "inf3", "trans_caucasus": "inf3",
        "finnish_sea": "conv1 tf3!", "black_sea": "tf2",
    },
    "bg-scn39-ussr-pacific": {
        "irkutsk": "arm3", "vladivostok": "inf2", "usbekistan": "inf2!", "n_siberia": "air1 air1",
        "east_siberia": "inf4 inf4",
    },
    "bg-scn39-be": {
        "coral_sea": "conv1 conv1", "indian_ocean": "conv1", "england": "air2 inf2 inf3", "alexandria": "arm4",
        "levantianian_sea": "conv1", "south_africa": "inf3!", "gibraltar": "inf2", "gibraltar_street": "conv1 tf2",
        "calcutta": "inf3!", "skandinavian_sea": "conv1 tf3", "north_sea": "conv1 tf4",
    },
    "bg-scn39-usa": {
        "usa_east": "air2 inf2", "american_east_coast": "conv1 conv1 tf3", "american_west_coast": "conv1 conv1 sub2!",
        "hawaiian_islands": "inf2", "sea_hawaiian_islands": "conv1 conv1 tf3 tf4!", "philippines": "inf2",
        "sea_philippines": "conv1",
    },
    "bg-scn39-poland": {"western_poland": "air2 inf2 inf2 inf2 inf2 inf2 inf3"},
}  # fmt: skip
ARRIVALS = {
    "bg-scn39-ger-reinf": ("germany", {"1/40": "air4 inf3", "2/40": "arm5 tf3!", "1/41": "rommel", "2/41": "manstein"}),
    "bg-scn39-ita-reinf": ("italy", {"2/40": "graziani tf2"}),
    "bg-scn39-jap-reinf": ("japan", {"2/40": "tf3", "3/41": "yamamoto"}),
    "bg-scn39-france-reinf": ("france", {"4/39": "georges", "1/40": "arm3", "2/40": "conv1 tf4"}),
    "bg-scn39-ussr-reinf": ("ussr", {"2/40": "konev", "4/41": "inf4 inf4 inf4 inf4 inf4 zukov"}),
    "bg-scn39-be-reinf": ("be", {"1/40": "gort", "2/40": "tf3", "3/42": "monty"}),
    "bg-scn39-usa-reinf": ("usa", {"4/41": "nimitz", "4/42": "eisenhower"}),
}
MINORS = {
    "bg-scn39-axis-minors": {
        "finland": "air2 inf2 inf3", "romania": "air1 inf2 inf2", "hungary": "air1 inf2", "bulgaria": "air1 inf2",
    },
    "bg-scn39-neutrals": {
        "afghanistan": "inf2", "arabia": "inf2", "bnl": "air1 inf2 inf3", "greece": "inf2 inf2 inf3", "iraq": "inf3",
        "ireland": "inf2", "norway": "inf2", "iran": "inf2", "portugal": "inf2", "siam": "inf2",
        "southern_chinese_sea": "conv1 tf2", "sweden": "air3 inf2 inf3 inf4",
        "yugoslavia": "air1 inf2 inf2 inf2 inf2 inf3",
    },
    "bg-scn39-spain": {"northern_spain": "air2 inf3 inf3", "southern_spain": "arm2 inf2 inf2"},
    "bg-scn39-turkey": {"western_turkey": "inf3 inf3", "eastern_turkey": "air2 inf2 inf2"},
}  # fmt: skip


def short(b: Board, units: list[int]) -> str:
    names = []
    for u in units:
        kind = A.kind_of_unit[u]
        flipped = "!" if b.state.flipped[u] else ""
        names.append(kind.id if A.is_hq[u] else kind.id.split("-")[1] + str(kind.front) + flipped)
    return " ".join(sorted(names))


@pytest.mark.parametrize(
    "areas", [pytest.param(areas, marks=pytest.mark.rule(rule), id=rule) for rule, areas in SET_UP.items()]
)
def test_set_up(areas: dict[str, str]) -> None:
    b = Board(full=True)
    for area, units in areas.items():
        assert short(b, list(b.state.here[space(area)])) == units, area


@pytest.mark.rule("bg-scn39-b-notation", "bg-quick-set-up-excess")
def test_only_listed_units_are_placed() -> None:
    b = Board(full=True)
    on_map = sum(1 for p in b.state.place if p >= 0)
    assert on_map == sum(len(u.split()) for areas in SET_UP.values() for u in areas.values())
    inf = next(u for u in b.state.here[space("abessinia")])
    assert b.state.flipped[inf] == 1


@pytest.mark.parametrize(
    ("country", "quarters"),
    [pytest.param(*row, marks=pytest.mark.rule(rule), id=rule) for rule, row in ARRIVALS.items()],
)
def test_reinforcements(country: str, quarters: dict[str, str]) -> None:
    b = Board(full=True)
    for turn, units in quarters.items():
        due = [
            u
            for u in range(A.units)
            if b.state.place[u] == -3 and A.turns[b.state.due[u]] == turn and b.state.nation[u] == nation(country)
        ]
        assert short(b, due) == units, turn


@pytest.mark.parametrize(
    "areas", [pytest.param(areas, marks=pytest.mark.rule(rule), id=rule) for rule, areas in MINORS.items()]
)
def test_minors_are_set_up_when_they_enter(areas: dict[str, str]) -> None:
    b = Board(full=True)
    b.start(None)
    for area in areas:
        assert not [u for u in b.state.here[space(area)] if A.printed_nation[u] >= 8]
    for country in {A.owner[space(area)] for area in areas if not A.is_sea[space(area)]}:
        join(b.m, country, 0)
    for area, units in areas.items():
        assert short(b, [u for u in b.state.here[space(area)] if A.printed_nation[u] >= 8]) == units, area


@pytest.mark.rule("bg-scn39-rail", "bg-6.2-rail-capacity")
def test_rail_capacity() -> None:
    b = Board(full=True)
    points = {role: rail_points(b.state, n) for n, role in enumerate(MAJORS)}
    assert points == {"germany": 2, "italy": 1, "japan": 1, "be": 1, "usa": 4, "ussr": 1, "france": 1, "china": 1}
    b.war("germany-ussr")
    assert rail_points(b.state, nation("ussr")) == 4


@pytest.mark.rule("bg-scn39-ger-research")
def test_germany_has_bought_three_numbers() -> None:
    assert Board(full=True).state.numbers == (3, 0, 0, 0, 0, 0, 0, 0)


@pytest.mark.rule("bg-7.2-start")
def test_the_usa_starts_at_nothing() -> None:
    assert Board(full=True).state.us_level == 0


@pytest.mark.rule("bg-scn39-france-vf")
def test_french_marks_mean_nothing_at_first() -> None:
    b = Board(full=True)
    tags = {A.tag[u] for u in range(A.units) if b.state.place[u] >= 0 and b.state.nation[u] == nation("france")}
    assert tags - {""}  # marked counters stand among the others

    b.start(None)
    b.state.points = put(b.state.points, nation("france"), 20)
    assert why_not_build(b.state, nation("france"), A.kind_ids["france-air-2-v"]) is None


@pytest.mark.rule("bg-scn39-usa-ships")
def test_the_neutral_usa_moves_convoys_only() -> None:
    b = Board(full=True)
    b.phase("naval", phasing=1)
    tf, convoy = b.find("usa-tf-3", "american_east_coast"), b.find("usa-conv-1", "american_east_coast")
    assert b.rule("usa", act.Form("american_east_coast", (tf,))) == "bg-scn39-usa-ships"
    assert b.rule("usa", act.Form("american_east_coast", (convoy,))) == ""


@pytest.mark.rule("bg-scn39-historical-option")
def test_the_historical_option_lets_the_allies_shift_first() -> None:
    b = Board(full=True, historical=True)
    b.start(SetUp())
    assert set(b.match.decisions()) == {"be", "usa", "ussr", "france", "china"}
    inf, ship = b.find("france-inf-3", "vichy"), b.find("be-tf-4", "north_sea")
    b.do("france", act.Shift(inf, "paris")).do("be", act.Shift(ship, "channel"))
    assert (b.where(inf), b.where(ship)) == ("paris", "channel")
    assert (
        b.rule("france", act.Shift(b.find("france-inf-2-v", "normandy"), "algeria")) == "bg-scn39-historical-option"
    )  # no land connection
    for role in b.match.decisions():
        b.do(role, act.Done())
    assert set(b.match.decisions()) == {"germany", "italy", "japan"}
