"""Campaign Game II: national morale, set-up, what it takes over from the other scenarios."""

import pytest

from sandtable.core import Match
from sandtable.games.hitlers_war.game import GAME
from sandtable.games.hitlers_war.model.actions import (
    Accept,
    Attack,
    Bomb,
    Build,
    Done,
    Fortify,
    Partisans,
    Place,
    PlaceDefault,
)
from sandtable.games.hitlers_war.model.atlas import ATLAS, KINDS
from sandtable.games.hitlers_war.model.events import Fired, Surrendered
from sandtable.games.hitlers_war.model.state import War
from sandtable.games.hitlers_war.rules.budget import production, update_mobilization
from sandtable.games.hitlers_war.rules.combat_phase import CombatCount, CombatPhase
from sandtable.games.hitlers_war.rules.control import capacity, take
from sandtable.games.hitlers_war.rules.entry import dated_entries, italy_joins, join
from sandtable.games.hitlers_war.rules.firepower import die_modifiers
from sandtable.games.hitlers_war.rules.morale import attack_dice, change_morale, weariness
from sandtable.games.hitlers_war.rules.movement import why_held
from sandtable.games.hitlers_war.rules.production_phase import Production
from sandtable.games.hitlers_war.rules.strategic.warfare_phase import Bombing, SeaRaid
from sandtable.games.hitlers_war.rules.surrender import MoraleGone, SovietOffer
from sandtable.games.hitlers_war.rules.victory import last_turn
from tests.games.hitlers_war.positions import ALLIES, AXIS, SOVIET, Position, at, no
from tests.games.hitlers_war.positions_naval import Second


def fresh() -> Match[War]:
    return Match.new(GAME, "campaign-2", {}, seed=1)


def armies(match: Match[War], side: int) -> dict[str, tuple[str, str]]:
    """Army -> place and its points in the order of the record sheet."""
    s = match.state
    found = {}
    for army in range(side * 12, side * 12 + 12):
        if s.army_at[army] >= 0:
            row = s.strength[army * 5 : army * 5 + 5]
            found[ATLAS.army_names[army]] = (ATLAS.names[s.army_at[army]], "/".join(map(str, row)))
    return found


def forts(match: Match[War], side: int) -> dict[str, int]:
    s = match.state
    return {ATLAS.names[x]: points for x, points in s.fort.items() if s.owner[x] == side}


# ---- set-up
@pytest.mark.rule("hw-c2-setup-axis")
def test_the_axis_forces():
    assert KINDS == ("infantry", "mechanized", "tac_air", "paratroop", "amphibious")
    match = fresh()
    assert armies(match, 0) == {
        "Army Group North": ("Q13", "2/0/0/0/0"),
        "Fourth Army": ("P11", "2/3/1/0/0"),
        "Army Group South": ("N12", "3/7/1/0/0"),
        "Army Group West": ("N9", "4/0/0/0/0"),
        "Italian Army": ("L9", "4/1/0/0/0"),
    }
    assert forts(match, 0) == {"N9": 1}
    p = Second()
    assert (p.box(AXIS, "capital_ship"), p.box(AXIS, "u_boat"), p.fleet(AXIS), p.boats) == (2, 2, 0, 0)


@pytest.mark.rule("hw-c2-setup-soviet")
def test_the_soviet_forces():
    assert armies(fresh(), 1) == {
        "Moscow": ("Q17", "2/2/1/0/0"),
        "Leningrad": ("T15", "3/0/1/0/0"),
        "White Russian": ("R14", "4/2/0/0/0"),
        "First Ukrainian": ("P14", "4/2/0/0/0"),
        "Siberia": ("siberia", "2/3/0/0/0"),
    }


@pytest.mark.rule("hw-c2-setup-allied")
def test_the_allied_forces():
    match = fresh()
    assert armies(match, 2) == {
        "Britain": ("P7", "2/2/1/0/1"),
        "French First Army": ("O8", "5/2/1/0/0"),
        "U.S. Army": ("us", "8/3/1/0/1"),
    }
    assert forts(match, 2) == {"H4": 2, "G11": 1, "N8": 7, "M9": 7}


@pytest.mark.rule("hw-c2-areas", "hw-morale-2")
def test_areas_production_and_morale_at_the_start():
    first, second = Match.new(GAME, "campaign-1", {}, seed=1), fresh()
    assert first.state.owner == second.state.owner
    assert [production(second.state, side) for side in range(3)] == [16, 8, 23]
    assert second.state.morale == (10, 10)
    assert first.state.morale == ()


@pytest.mark.rule("hw-c2-rest")
def test_length_order_and_victory_are_those_of_the_first_campaign():
    one, two = ATLAS.scenarios["campaign-1"], ATLAS.scenarios["campaign-2"]
    for fact in ("first_turn", "last_turn", "last_turn_two_players", "order"):
        assert one[fact] == two[fact]
    assert ATLAS.turns[last_turn(fresh().state)] == "Summer 1945"
    assert ATLAS.turns[last_turn(Match.new(GAME, "campaign-2", {"players": 2}, seed=1).state)] == "Spring 1945"
    assert ATLAS.turns[fresh().state.turn] == "Winter 1939"
    p = Second()
    p.hold(SOVIET, "P10")
    p.begin(SOVIET, CombatPhase()).do(SOVIET, Done())
    assert p.state.outcome is not None


@pytest.mark.rule("hw-c2-inherit")
def test_the_rules_of_the_first_campaign_stay_in_force():
    p = Second()
    p.army("Siberia", "siberia", infantry=2)
    refusal = why_held(p.state, no("Siberia"))
    assert refusal is not None
    assert refusal.rule == "hw-limit-3"
    p.begin(AXIS, Production())
    p.money(20)
    assert p.rule(AXIS, Build("infantry", "Q17", "OKW", 1)) == "hw-build-3"
    p.begin(ALLIES, Production())
    p.money(20)
    assert p.rule(ALLIES, Fortify("N7", 1)) == "hw-frenchfort-1"
    p.army("Army Group West", "N9", mechanized=4)
    p.begin(AXIS, CombatPhase())
    assert p.rule(AXIS, Attack("Army Group West", "M10")) == "hw-unaligned-2"


@pytest.mark.rule("hw-time-notes")
def test_the_notes_of_the_time_record():
    p = Second()
    season = {name: ATLAS.turns[ATLAS.turn(name)] for name in ATLAS.rules["time"]}
    assert (season["italy_joins"], season["inclined_join"]) == ("Spring 1940", "Summer 1941")
    for turn in ("Winter 1939", "Spring 1940", "Summer 1940"):
        p.turn(turn).begin(ALLIES, Production())
        p.money(20)
        assert p.rule(ALLIES, Fortify("N7", 1)) == "hw-frenchfort-1"
    p.turn("Winter 1940").begin(ALLIES, Production())
    p.money(20)
    assert p.allows(ALLIES, Fortify("N7", 1))
    p.turn("Winter 1940")
    p.state.side = 0
    italy_joins(p.m)
    assert p.state.italy == 0
    p.turn("Spring 1940")
    italy_joins(p.m)
    assert p.state.italy == 1
    p.turn("Spring 1941")
    dated_entries(p.m)
    assert p.owner("M13") == "nobody"
    p.turn("Summer 1941")
    dated_entries(p.m)
    assert [p.owner(x) for x in ("M13", "L14", "K14", "T13")] == [AXIS] * 4
    siberian = p.army("Siberia", "siberia", infantry=1)
    assert why_held(p.state, siberian) is not None
    p.turn("Winter 1941")
    assert why_held(p.state, siberian) is None
    p.state.side = 2
    dated_entries(p.m)
    assert p.owner("us") == "nobody"
    p.turn("Spring 1942")
    dated_entries(p.m)
    assert p.owner("us") == ALLIES
    assert capacity(p.turn("Winter 1942").state, at("siberia")) == 8
    assert capacity(p.turn("Spring 1943").state, at("siberia")) == 12


@pytest.mark.rule("hw-time-notes")
@pytest.mark.parametrize(("extended", "before", "on"), [(False, "Winter 1941", "Spring 1942"),
                                                         (True, "Winter 1943", "Spring 1944")])  # fmt: skip
def test_soviet_production_rises_to_full_strength_at_its_note(extended, before, on):
    p = Second()
    p.state.extended = extended
    update_mobilization(p.turn(before).state)
    assert production(p.state, 1) == 8
    update_mobilization(p.turn(on).state)
    assert production(p.state, 1) > 8


# ---- morale
@pytest.mark.rule("hw-morale-1")
@pytest.mark.parametrize("left", [0, -3])
def test_britain_surrenders_when_its_morale_is_gone(left):
    p = Second()
    p.spirits(britain=left)
    p.army("Britain", "P7", infantry=3)
    p.begin(AXIS, MoraleGone())
    assert [event.country for event in p.happened(Surrendered)] == ["@great_britain"]
    assert (p.owner("P7"), p.owner("H4"), p.owner("canada")) == (AXIS, AXIS, ALLIES)
    assert p.where("Britain") is None
    p = Second()
    p.spirits(britain=1, germany=1)
    p.begin(AXIS, MoraleGone())
    assert p.happened(Surrendered) == []
    assert len(p.state.morale) == 2


@pytest.mark.rule("hw-morale-3")
def test_morale_never_rises_above_nineteen():
    p = Second()
    p.spirits(britain=18)
    change_morale(p.m, 1, 2)
    assert p.britain == 19


def fought(p: Second, *, gained: tuple[int, int, int] = (0, 0, 0), lost: tuple[int, int, int] = (0, 0, 0)) -> Second:
    """The end of a combat phase in which the sides gained and lost so many hexes."""
    p.state.gained, p.state.lost = gained, lost
    p.begin(AXIS, CombatCount())
    return p


@pytest.mark.rule("hw-morale-table", "hw-morale-5")
@pytest.mark.parametrize(
    ("gained", "lost", "germany", "britain"),
    [
        ((5, 0, 0), (4, 0, 4), 10, 10),
        ((6, 0, 0), (0, 0, 5), 11, 9),
        ((0, 0, 7), (5, 0, 0), 9, 11),
        ((12, 6, 0), (10, 5, 0), 10, 10),
    ],
)
def test_hexes_won_and_lost_in_a_combat_phase_count_for_the_side(gained, lost, germany, britain):
    p = fought(Second(), gained=gained, lost=lost)
    assert (p.germany, p.britain) == (germany, britain)
    assert (p.state.gained, p.state.lost) == ((0, 0, 0), (0, 0, 0))


@pytest.mark.rule("hw-morale-5")
def test_a_hex_of_any_country_counts():
    p = Second()
    for name in ("N7", "D15", "F3"):
        take(p.m, at(name), 0)
    assert (p.state.gained, p.state.lost) == ((3, 0, 0), (0, 0, 3))


@pytest.mark.rule("hw-morale-5")
def test_hexes_that_change_hands_outside_combat_do_not_count():
    p = Second()
    p.hold_all(AXIS, "rumania")
    p.hold_all(AXIS, "hungary")
    p.hold_all(AXIS, "norway")
    p.begin(SOVIET, Production())
    p.money(20).dice(*[1] * 5)
    p.do(SOVIET, *(Partisans(name) for name in ("M14", "L13", "M13", "T9", "U9")))
    assert p.owner("U9") == SOVIET
    p.begin(ALLIES, CombatPhase()).do(ALLIES, Done())
    assert (p.germany, p.britain) == (10, 10)


@pytest.mark.rule("hw-morale-table")
@pytest.mark.parametrize(("place", "now"), [("D15", 9), ("H4", 9), ("P7", 10), ("G11", 10)])
def test_suez_and_gibraltar(place, now):
    p = Second()
    take(p.m, at(place), 0)
    assert (p.britain, p.germany) == (now, 10)
    assert p.state.morale[0] == 10


@pytest.mark.rule("hw-morale-table")
def test_soviet_surrender_and_the_united_states():
    p = Second()
    p.begin(AXIS, SovietOffer()).do(AXIS, Accept(True))
    assert (p.britain, p.germany) == (9, 10)
    p = Second()
    p.begin(AXIS, SovietOffer()).do(AXIS, Accept(False))
    assert p.britain == 10
    america = ATLAS.country_index["united_states"]
    for side, now in ((2, 12), (0, 6)):
        p = Second()
        join(p.m, america, side)
        assert (p.britain, p.germany) == (now, 10)


@pytest.mark.rule("hw-morale-6")
def test_a_weary_side_adds_one_to_its_attack_dice_and_no_others():
    p = Second()
    p.spirits(germany=5, britain=6)
    west = p.army("Army Group West", "N9", mechanized=4)
    french = p.army("French First Army", "N8", mechanized=4)
    assert [part.value for part in die_modifiers(p.state, 0, at("N9"), (west,), attack=True)] == [1]
    assert die_modifiers(p.state, 0, at("N9"), (west,), attack=False) == []
    assert die_modifiers(p.state, 2, at("N8"), (french,), attack=True) == []
    assert [part.value for part in attack_dice(p.state, 0)] == [1]
    p.spirits(germany=6, britain=5)
    assert [weariness(p.state, side) for side in range(3)] == [0, 0, 1]


@pytest.mark.rule("hw-morale-6")
def test_weariness_reaches_bombers_u_boats_a_s_w_and_missiles():
    p = Second()
    p.spirits(germany=5, britain=5)
    p.wolves(5).boxed(ALLIES, "asw", 5).dice(3, 3)
    p.begin(AXIS, SeaRaid())
    shots = [(event.by.lstrip("@"), event.die, event.modified) for event in p.happened(Fired)]
    assert shots == [("asw", 3, 4), ("u-boats", 3, 4)]
    p.boxed(ALLIES, "bomber", 5).boxed(AXIS, "air_defense", 5).begin(ALLIES, Bombing()).dice(6, 3)
    p.do(ALLIES, Bomb("axis", "germany"))
    assert [(event.by.lstrip("@"), event.die, event.modified) for event in p.happened(Fired)] == [
        ("air-defense", 6, 6), ("bombers", 3, 4),
    ]  # fmt: skip


@pytest.mark.rule("hw-morale-7")
def test_germanys_surrender_ends_the_game_and_britains_ends_the_penalty():
    p = Second()
    p.spirits(germany=0)
    p.begin(ALLIES, MoraleGone())
    assert p.state.outcome is not None
    assert p.owner("P10") == "nobody"
    p = Second()
    p.spirits(britain=0)
    assert weariness(p.state, 2) == 1
    p.begin(AXIS, MoraleGone())
    assert weariness(p.state, 2) == 0
    assert p.state.outcome is None


@pytest.mark.rule("hw-morale-1")
def test_nobody_else_has_a_morale():
    first = Position("campaign-1")
    first.state.lost = (9, 9, 9)
    first.begin(AXIS, CombatCount())
    assert first.state.morale == ()
    assert weariness(first.state, 0) == 0
    p = Second()
    p.spirits(germany=1, britain=1)
    assert weariness(p.state, 1) == 0


@pytest.mark.rule("hw-fall-setup-axis")
def test_the_prepared_set_up_can_be_taken_when_every_counter_is_in_use():
    match = Match.new(GAME, "fall-of-germany", {}, seed=1)
    places = [ATLAS.names[x] for x in ATLAS.land if match.state.owner[x] == 0]
    for army, place in zip(ATLAS.army_names[:12], places, strict=False):
        match.apply(AXIS, Place((("infantry", 1),), place, army))
    match.apply(AXIS, PlaceDefault())
    assert sum(match.state.strength[: 12 * 5]) == 29 + 14
    assert match.asked == SOVIET


@pytest.mark.rule("hw-morale-5")
def test_what_changed_hands_before_the_combat_phase_does_not_count():
    p = Position("campaign-2").columns(gained=(5, 5, 5), lost=(4, 4, 4))
    p.begin(AXIS, CombatPhase())
    assert p.state.gained == p.state.lost == (0, 0, 0)


@pytest.mark.rule("hw-fall-setup-axis")
def test_the_prepared_set_up_stands_as_it_is_written():
    match = Match.new(GAME, "fall-of-germany", {}, seed=1)
    match.apply(AXIS, PlaceDefault())
    for row in ATLAS.rules["set_up"]["fall-of-germany"]["axis"]:
        army = ATLAS.army_index[row["army"]]
        assert match.state.army_at[army] == ATLAS.index[row["hex"]]
        assert match.state.strength[army * 5 : army * 5 + 2] == (row.get("infantry", 0), row.get("mechanized", 0))
