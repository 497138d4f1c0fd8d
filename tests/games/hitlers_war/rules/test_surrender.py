"""Campaign Game I: surrender, production limits, victory."""

from fractions import Fraction

import pytest

from sandtable.core.columns import having, put
from sandtable.games.hitlers_war.model.actions import Accept, Attack, Fortify, Lose, Repair, Sortie
from sandtable.games.hitlers_war.model.atlas import ATLAS
from sandtable.games.hitlers_war.model.state import ITALY_AXIS, PEACE_ACCEPTED
from sandtable.games.hitlers_war.rules.attacks_phase import Announce
from sandtable.games.hitlers_war.rules.budget import production, update_mobilization
from sandtable.games.hitlers_war.rules.combat_phase import CombatEnd
from sandtable.games.hitlers_war.rules.control import capacity, healthy, take
from sandtable.games.hitlers_war.rules.movement_phase import Movement
from sandtable.games.hitlers_war.rules.neutrality import provoked
from sandtable.games.hitlers_war.rules.production_phase import Production, ProductionPhase
from sandtable.games.hitlers_war.rules.strategic.arsenal import EscortTrade
from sandtable.games.hitlers_war.rules.surrender import Fallen
from sandtable.games.hitlers_war.rules.victory import last_turn, level_of, production_held, ratio
from sandtable.games.hitlers_war.sequence import SeasonEnd
from tests.games.hitlers_war.positions import ALLIES, AXIS, SOVIET, Position, at, no
from tests.games.hitlers_war.positions_naval import Second

C1 = "campaign-1"


def ended(p: Position) -> tuple[tuple[str, ...], str, str]:
    assert p.match.outcome is not None
    return p.match.outcome.winners, p.match.outcome.level, p.match.outcome.reason


def phase_ends(p: Position, side: str) -> Position:
    return p.begin(side, CombatEnd())


@pytest.mark.rule("hw-surr-germany", "hw-c1-victory-end")
def test_germany_surrenders_at_the_end_of_the_phase_that_took_berlin():
    p = Position(C1)
    p.hold(SOVIET, "P10")
    p.begin(SOVIET, Fallen(at("P10"), 1, 0))
    assert p.match.outcome is None
    phase_ends(p, SOVIET)
    assert ended(p)
    assert "axis" not in {p.owner(ATLAS.names[x]) for x in ATLAS.land}
    assert p.owner("P9") == "nobody"


def axis_italy() -> Position:
    p = Position(C1)
    for c in ATLAS.countries:
        if c.colour == "yellow":
            p.hold_all(AXIS, c.name)
            p.state.unaligned = put(p.state.unaligned, c.index, 0)
    p.state.italy = 1
    return p


@pytest.mark.rule("hw-surr-italy-1", "hw-surr-italy-2", "hw-surr-italy-4")
def test_italy_surrenders_with_three_mainland_hexes_and_takes_its_troops_along():
    p = axis_italy()
    p.army("Italian Army", "L9", infantry=2, mechanized=1)
    p.army("Panzer Armee Afrika", "D12", infantry=1)
    p.army("OKW", "P10", infantry=9, mechanized=3)
    p.hold(ALLIES, "H11", "I12", "H10")
    phase_ends(p, ALLIES)
    assert p.state.italy == 1
    p.hold(ALLIES, "I11")
    phase_ends(p, ALLIES)
    while p.at_step == "ItalianLosses":
        choice = p.offered(Lose, AXIS)[0]
        assert choice.unit in ("Italian Army", "Panzer Armee Afrika") or choice.kind == "infantry"
        p.do(AXIS, choice)
    assert p.state.italy == 3
    assert (p.where("Italian Army"), p.where("Panzer Armee Afrika")) == (None, None)
    assert p.strength("OKW") == {"infantry": 7, "mechanized": 3}
    assert p.owner("L9") == p.owner("D12") == "axis"


@pytest.mark.rule("hw-surr-italy-2")
def test_italian_territory_pays_first():
    p = axis_italy()
    p.army("Italian Army", "L9", infantry=3, mechanized=2)
    p.army("OKW", "P10", infantry=9, mechanized=3)
    p.hold(ALLIES, "H11", "I12", "I11")
    phase_ends(p, ALLIES)
    assert p.rule(AXIS, Lose("OKW", "infantry")) == "hw-surr-italy-2"


@pytest.mark.rule("hw-surr-italy-5")
def test_italy_does_not_surrender_to_the_axis():
    p = Position(C1)
    p.hold(AXIS, "L9", "L10", "K10", "K11")
    p.state.violated = having(p.state.violated, ATLAS.country_index["italy"], 0)
    phase_ends(p, AXIS)
    assert p.state.italy == 2
    assert p.owner("J10") == "allies"


def three_capitals() -> Position:
    p = Position(C1)
    p.hold(AXIS, "T15", "Q17", "M19")
    return p


@pytest.mark.rule("hw-surr-soviet-1", "hw-surr-soviet-2", "hw-surr-soviet-3")
def test_the_soviets_offer_terms_and_peace_is_kept():
    p = three_capitals()
    held = [x for x in ATLAS.land if p.state.owner[x] == 1]
    phase_ends(p, SOVIET)
    assert p.parked
    phase_ends(p, AXIS)
    assert (p.asked, p.at_step) == (AXIS, "SovietOffer")
    p.do(AXIS, Accept(True))
    assert [x for x in ATLAS.land if p.state.owner[x] == 1] == held
    p.hold(AXIS, "P14")
    p.army("OKW", "P14", mechanized=5)
    p.army("Moscow", "P15", mechanized=5)
    p.begin(AXIS, Announce())
    assert p.rule(AXIS, Attack("OKW", "P15")) == "hw-surr-soviet-2"
    p.begin(SOVIET, Announce())
    assert p.rule(SOVIET, Attack("Moscow", "P14")) == "hw-surr-soviet-2"


@pytest.mark.rule("hw-surr-soviet-2", "hw-fleet-8", "hw-bomb-6")
def test_peace_is_kept_at_sea_and_in_the_air():
    def meet(**columns: int) -> tuple[int, int]:
        p = Second().columns(at_sea=(0, 2, 0, 0), **columns)
        p.boxed(AXIS, "capital_ship", 3).boxed(AXIS, "escort", 1).boxed(SOVIET, "air_defense", 1)
        p.begin(AXIS, Movement()).do(AXIS, Sortie(3))
        p.run(EscortTrade())
        return p.fleet(SOVIET), p.box(SOVIET, "air_defense")

    assert meet() == (0, 0)
    assert meet(peace=PEACE_ACCEPTED) == (2, 1)


@pytest.mark.rule("hw-surr-soviet-4")
def test_a_refused_offer_does_not_come_back():
    p = phase_ends(three_capitals(), AXIS).do(AXIS, Accept(False))
    phase_ends(p, AXIS)
    assert p.parked
    p.army("OKW", "Q17", mechanized=5)
    p.begin(AXIS, Announce())
    assert p.allows(AXIS, Attack("OKW", "Q18"))


@pytest.mark.rule("hw-surr-france-1", "hw-surr-france-2", "hw-surr-france-3", "hw-surr-france-4")
def test_france_falls_with_paris():
    p = Position(C1)
    p.hold(AXIS, "N7", "O8")
    p.devastate("N7", 2)
    p.army("French First Army", "N6", infantry=3)
    p.army("Britain", "G7", infantry=1)
    p.army("Fifth Army", "F17", infantry=1)
    phase_ends(p, SOVIET)
    assert p.owner("N6") == "allies"
    phase_ends(p, AXIS)
    assert {p.owner(x) for x in ("N6", "L8", "M9", "K9")} == {"axis"}
    assert p.devastation("L8") == p.devastation("M8") == 1
    assert (p.where("French First Army"), p.where("Britain")) == (None, None)
    assert {p.owner(x) for x in ("F4", "G8", "H9")} == {"nobody"}
    assert p.owner("F17") == p.owner("french_africa") == "allies"
    assert p.where("Fifth Army") == "F17"
    assert at("M9") not in p.state.fort


@pytest.mark.rule("hw-surr-france-5")
def test_france_falls_once():
    p = Position(C1)
    p.hold(AXIS, "N7")
    phase_ends(p, AXIS)
    p.hold_all(ALLIES, "france").hold_all(ALLIES, "algeria")
    p.hold(AXIS, "N7")
    phase_ends(p, AXIS)
    assert p.owner("N6") == p.owner("G8") == "allies"


@pytest.mark.rule("hw-surr-france-6")
def test_the_axis_rebuilds_four_french_points_at_most():
    p = Position(C1)
    p.hold_all(AXIS, "france")
    for name, points in (("N7", 2), ("L6", 1), ("L8", 1), ("M8", 1), ("N8", 1), ("O8", 1)):
        p.devastate(name, points)
    p.begin(AXIS, Production())
    p.state.budget = 60
    p.do(AXIS, Repair("N7", 2), Repair("L6", 1), Repair("O8", 1))
    assert p.rule(AXIS, Repair("L8", 1)) == "hw-surr-france-6"
    p.hold_all(ALLIES, "france")
    p.begin(ALLIES, Production())
    p.state.budget = 60
    assert p.allows(ALLIES, Repair("L8", 1))


@pytest.mark.rule("hw-surr-britain-1", "hw-surr-britain-2", "hw-surr-britain-3", "hw-surr-britain-4")
def test_britain_falls_with_london_and_the_midlands():
    p = Position(C1)
    p.hold(AXIS, "P7")
    p.army("Britain", "R6", infantry=3)
    phase_ends(p, AXIS)
    assert p.owner("R6") == "allies"
    p.hold(AXIS, "Q7").hold_all(AXIS, "italy").columns(italy=ITALY_AXIS)
    phase_ends(p, AXIS)
    taken = ("R6", "S6", "U7", "R5", "H4", "G11", "D15", "G16", "E16", "E17")
    assert {p.owner(x) for x in taken} == {"axis"}
    assert p.where("Britain") is None
    assert p.devastation("R6") == 1
    assert {p.owner(x) for x in ("india", "canada", "british_africa")} == {"allies"}
    p.hold(ALLIES, "R6")
    phase_ends(p, AXIS)
    assert p.owner("R6") == "allies"


@pytest.mark.rule("hw-surr-other-1", "hw-surr-other-2")
def test_other_countries_fall_with_their_capital_at_once():
    p = Position(C1)
    p.hold(AXIS, "J5")
    p.begin(AXIS, Fallen(at("J5"), 0, 3))
    assert {p.owner(ATLAS.names[x]) for x in ATLAS.countries[ATLAS.country_index["spain"]].spaces} == {"axis"}
    assert p.devastation("L5") == 1


@pytest.mark.rule("hw-surr-other-2")
def test_hexes_already_in_other_hands_stay_there():
    p = Position(C1)
    p.hold(SOVIET, "O14")
    p.hold(AXIS, "P12")
    p.begin(AXIS, Fallen(at("P12"), 0, 3))
    assert p.owner("O14") == "soviet"
    assert p.owner("Q12") == "axis"


@pytest.mark.rule("hw-surr-other-3")
def test_the_troops_a_country_brought_stay_when_it_falls():
    p = Position(C1)
    p.hold_all(AXIS, "rumania")
    p.state.unaligned = put(p.state.unaligned, ATLAS.country_index["rumania"], 0)
    p.army("Rumanian Army", "P10", infantry=2, mechanized=1)
    p.hold(SOVIET, "L14")
    p.begin(SOVIET, Fallen(at("L14"), 1, 0))
    assert p.owner("M14") == "soviet"
    assert p.strength("Rumanian Army") == {"infantry": 2, "mechanized": 1}


@pytest.mark.rule("hw-surr-other-4")
def test_countries_without_a_capital_are_taken_hex_by_hex():
    p = Position(C1)
    p.hold(AXIS, "R13")
    p.begin(AXIS, Fallen(at("R13"), 0, 3))
    assert p.owner("S14") == "nobody"


@pytest.mark.rule("hw-surr-other-5")
def test_nobody_surrenders_twice():
    p = Position(C1)
    p.hold(AXIS, "J5")
    p.begin(AXIS, Fallen(at("J5"), 0, 3))
    p.hold_all(ALLIES, "spain").hold(AXIS, "J5")
    p.begin(AXIS, Fallen(at("J5"), 0, 2))
    assert p.owner("I4") == "allies"


# ---- production limits
@pytest.mark.rule("hw-mobil-1", "hw-mobil-2")
def test_eight_soviet_points_until_the_axis_attacks_or_spring_1942():
    p = Position(C1)
    assert production(p.state, 1) == 8
    p.hold(SOVIET, "S14", "P12")
    assert production(p.state, 1) == 10
    army = p.army("OKW", "Q13", infantry=2)
    p.begin(AXIS, Announce())
    provoked(p.m, [(army, at("R13"))])
    assert production(p.state, 1) == 15 + 2
    p = Position(C1).turn("Winter 1941")
    update_mobilization(p.state)
    assert production(p.state, 1) == 8
    p.turn("Spring 1942")
    update_mobilization(p.state)
    assert production(p.state, 1) == 15


@pytest.mark.rule("hw-mobil-3")
def test_a_soviet_attack_elsewhere_lengthens_the_limit():
    p = Position(C1)
    army = p.army("Moscow", "P14", infantry=2)
    p.begin(SOVIET, Announce())
    seen = []
    for target in ("R13", "P13"):
        provoked(p.m, [(army, at(target))])
        seen.append(p.state.extended)
    assert seen == [False, True]
    p.turn("Spring 1942")
    update_mobilization(p.state)
    assert production(p.state, 1) == 8
    p.hold(AXIS, "P14", "P15", "Q14", "Q15")
    update_mobilization(p.state)
    assert production(p.state, 1) == 8
    p.hold(AXIS, "O15")
    update_mobilization(p.state)
    assert p.state.mobilized
    q = Position(C1).turn("Spring 1944")
    q.state.extended = True
    update_mobilization(q.state)
    assert q.state.mobilized


@pytest.mark.rule("hw-mobil-4", "hw-siberia-1")
def test_siberia_works_a_turn_after_the_limit_and_grows_in_1943():
    p = Position(C1).turn("Spring 1942")
    update_mobilization(p.state)
    assert production(p.state, 1) == 15
    p.turn("Summer 1942")
    assert production(p.state, 1) == 23
    p.turn("Winter 1942")
    assert production(p.state, 1) == 23
    p.turn("Spring 1943")
    assert production(p.state, 1) == 27


@pytest.mark.rule("hw-siberia-1", "hw-bar-special-5")
@pytest.mark.parametrize("scenario", ["barbarossa", C1])
def test_siberia_does_not_grow_for_a_captor(scenario):
    p = Position(scenario).turn("Winter 1942")
    take(p.m, at("siberia"), 0)
    p.turn("Winter 1943")
    assert (capacity(p.state, at("siberia")), healthy(p.state, at("siberia"))) == (8, 0)


@pytest.mark.rule("hw-siberia-2")
def test_the_axis_repairs_eight_siberian_points_at_most():
    p = Position(C1).turn("Spring 1943")
    p.hold(AXIS, "siberia", "P22", *(f"P{n}" for n in range(13, 22)), "P12")
    p.devastate("siberia", 12)
    p.begin(AXIS, Production())
    p.state.budget = 90
    assert not p.allows(AXIS, Repair("siberia", 9))
    p.do(AXIS, Repair("siberia", 8))
    assert p.rule(AXIS, Repair("siberia", 1)) == "hw-siberia-2"


@pytest.mark.rule("hw-suez-1")
def test_india_is_cut_off_with_suez():
    p = Position(C1)
    assert production(p.state, 2) == 23
    p.hold(AXIS, "D15")
    assert production(p.state, 2) == 21
    p.hold(ALLIES, "D15")
    assert production(p.state, 2) == 23


@pytest.mark.rule("hw-frenchfort-1")
def test_no_french_forts_before_winter_1940():
    p = Position(C1).turn("Summer 1940").begin(ALLIES, Production())
    p.state.budget = 20
    assert p.rule(ALLIES, Fortify("N7", 1)) == "hw-frenchfort-1"
    assert p.rule(ALLIES, Fortify("N8", 1)) == "hw-frenchfort-1"
    assert p.allows(ALLIES, Fortify("P7", 1))
    p.turn("Winter 1940").begin(ALLIES, Production())
    p.state.budget = 20
    assert p.allows(ALLIES, Fortify("N7", 1))


@pytest.mark.rule("hw-time-notes")
def test_the_dates_of_the_time_record():
    notes = {row["name"]: row["notes"] for row in ATLAS.tables["time_record"] if row["notes"]}
    assert notes == {
        "Winter 1939": [1], "Spring 1940": [1, 2], "Summer 1940": [1], "Summer 1941": [3], "Winter 1941": [4],
        "Spring 1942": [5, 6], "Spring 1943": [7], "Spring 1944": [8],
    }  # fmt: skip
    turn = ATLAS.turn
    assert turn("french_forts") == ATLAS.turn_number["Summer 1940"] + 1
    dated = {2: "italy_joins", 3: "inclined_join", 4: "siberian_army", 5: "united_states_joins", 6: "mobilization",
             7: "siberian_growth", 8: "extended_mobilization"}  # fmt: skip
    for note, event in dated.items():
        assert note in notes[ATLAS.turns[turn(event)]]


# ---- victory
@pytest.mark.rule("hw-c1-turns")
def test_the_campaign_runs_from_winter_1939_to_1945():
    assert ATLAS.turns[last_turn(Position(C1).state)] == "Summer 1945"
    assert ATLAS.turns[last_turn(Position(C1, players=2).state)] == "Spring 1945"
    assert ATLAS.turns[Position(C1).state.turn] == "Winter 1939"
    assert ATLAS.scenarios[C1]["order"] == ["axis", "soviet", "allied"]


@pytest.mark.rule("hw-c1-victory-two")
def test_two_players_berlin_or_the_calendar():
    p = Position(C1, players=2)
    p.hold(ALLIES, "P10")
    p.begin(ALLIES, Fallen(at("P10"), 2, 0))
    assert ended(p)[0] == ("soviet", "allies")
    p = Position(C1, players=2).turn("Spring 1945").begin(AXIS, SeasonEnd())
    assert ended(p)[0] == ("axis",)


@pytest.mark.rule("hw-c1-victory-end")
def test_three_players_end_with_summer_1945():
    p = Position(C1).turn("Spring 1945").begin(AXIS, SeasonEnd())
    assert not p.match.over
    p = Position(C1).turn("Summer 1945").begin(AXIS, SeasonEnd())
    assert p.match.over


@pytest.mark.rule("hw-c1-victory-ratio", "hw-c1-victory-example")
def test_ratios_compare_a_side_with_the_other_two():
    held = [10, 30, 50]
    assert [ratio(held, side) for side in range(3)] == [Fraction(1, 8), Fraction(1, 2), Fraction(5, 4)]


@pytest.mark.rule("hw-c1-victory-ratio", "hw-c1-victory-berlin")
def test_devastated_points_count_and_the_axis_counts_nothing_without_berlin():
    p = Position(C1)
    p.devastate("P10", 3)
    assert production_held(p.state, 0) == 16
    p.state.peace = 1
    p.state.surrendered = put(p.state.surrendered, ATLAS.country_index["soviet_union"], 1)
    assert production_held(p.state, 1) == 15 + 8
    p.hold(ALLIES, "P10")
    phase_ends(p, ALLIES)
    assert production_held(p.state, 0) == 0


@pytest.mark.rule("hw-c1-victory-axis")
@pytest.mark.parametrize(("share", "level"), [("1/8", 1), ("1/3", 1), ("34/100", 2), ("99/100", 2), ("1", 3)])
def test_axis_levels(share: str, level: int):
    s = Position(C1).state
    assert level_of(s, 0, Fraction(share), berlin_axis=True) == level
    assert level_of(s, 0, Fraction(share), berlin_axis=False) == 0


@pytest.mark.rule("hw-c1-victory-soviet")
@pytest.mark.parametrize(("share", "level"), [("49/100", 0), ("1/2", 1), ("1", 2), ("149/100", 2), ("3/2", 3)])
def test_soviet_levels(share: str, level: int):
    assert level_of(Position(C1).state, 1, Fraction(share), berlin_axis=True) == level


@pytest.mark.rule("hw-c1-victory-allied")
@pytest.mark.parametrize(("share", "level"), [("99/100", 0), ("1", 1), ("3/2", 2), ("199/100", 2), ("2", 3)])
def test_allied_levels(share: str, level: int):
    assert level_of(Position(C1).state, 2, Fraction(share), berlin_axis=True) == level


@pytest.mark.rule("hw-c1-victory-highest")
def test_the_highest_level_wins():
    p = Position(C1).turn("Summer 1945")
    p.hold_all(ALLIES, "italy").hold(ALLIES, "us")
    p.begin(AXIS, SeasonEnd())
    winners, level, _ = ended(p)
    assert (winners, level) == (("allies",), "marginal")
    assert no("OKW") == 0


@pytest.mark.rule("hw-surr-italy-1", "hw-italy-2")
def test_an_italy_beaten_while_unaligned_never_joins_the_axis():
    p = Position(C1, armies=True).turn("Winter 1939")
    p.state.violated = having(p.state.violated, ATLAS.country_index["italy"], 2)
    p.hold(ALLIES, "H11", "I12", "I11")
    phase_ends(p, ALLIES)
    while p.at_step == "ItalianLosses":
        p.do(AXIS, p.offered(Lose, AXIS)[0])
    assert p.state.italy == 3
    assert p.owner("L10") == "nobody"
    p.turn("Spring 1940").begin(AXIS, ProductionPhase())
    assert p.owner("L10") == "nobody"
    assert p.state.budget == 16
