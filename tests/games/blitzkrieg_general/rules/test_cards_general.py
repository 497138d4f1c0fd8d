"""7.4 Cards: drawing, buying, offering, secrecy, when they may be played and what becomes of them; the coups."""

import pytest

from sandtable.core import Refusal
from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.model import events as ev
from sandtable.games.blitzkrieg_general.model.actions import Buy, Disband, Done, OfferCard, PlayCard, ReturnCard
from sandtable.games.blitzkrieg_general.rules.cards.card_phase import CardPhase, Shuffle
from sandtable.games.blitzkrieg_general.rules.cards.playing import is_obsolete, play, why_not_play
from sandtable.games.blitzkrieg_general.rules.conquest import conquer
from sandtable.games.blitzkrieg_general.rules.movement_phase import Phase
from sandtable.games.blitzkrieg_general.rules.us_entry_phase import UsEntry
from sandtable.games.blitzkrieg_general.sequence import _initiative
from tests.games.blitzkrieg_general.positions_advanced import MAJORS, A, Position, card, nation

AXIS_DRAW = ("germany", "italy", "japan")
ALLIES_DRAW = ("be", "usa", "ussr", "france", "china")


def card_phase(*top: str, initiative: str = "axis", points: int = 10) -> Position:
    """The card phase with these cards on top of the deck: drawn by Germany, Italy, Japan, BE, USA, USSR, France,
    China."""
    war = Position().deck(*top).points(**dict.fromkeys(MAJORS, points))
    war.state.initiative = ("axis", "allies").index(initiative)
    return war.run(CardPhase.begin(war.m))


def say(war: Position, major: str, name: str, on: str = "") -> Position:
    """Play a card, whatever moment it is."""
    play(war.m, MAJORS.index(major), PlayCard(name, on))
    return war


def why(war: Position, major: str, name: str, moment: str) -> Refusal | None:
    return why_not_play(war.state, MAJORS.index(major), card(name), moment)


# ---- drawing and buying
@pytest.mark.rule("bg-7.4-draw")
def test_each_major_draws_the_top_card_the_initiative_side_first():
    war = card_phase("spies", "surprise", "partisans", "bridgehead")
    drawn = {MAJORS[n]: A.card_ids[c] for n, c in enumerate(war.state.drawn) if c >= 0}
    assert drawn == {"germany": "spies", "italy": "surprise", "japan": "partisans"}
    allied = card_phase("spies", "surprise", "partisans", "bridgehead", "militia", initiative="allies")
    assert {MAJORS[n] for n, c in enumerate(allied.state.drawn) if c >= 0} == set(ALLIES_DRAW)
    assert allied.state.drawn[MAJORS.index("be")] == card("spies")
    for who in AXIS_DRAW:
        war.do(ReturnCard(), who)
    assert {MAJORS[n] for n, c in enumerate(war.state.drawn) if c != -1} <= set(ALLIES_DRAW)
    assert war.state.drawn[MAJORS.index("be")] == card("bridgehead")


@pytest.mark.rule("bg-7.4-options")
def test_a_drawn_card_is_bought_offered_or_put_under_the_deck():
    war = card_phase("spies", "surprise", "coup_siam")
    war.do(Buy("spies"), "germany")
    assert war.pile("spies") == "germany"
    war.do(ReturnCard(), "italy")
    assert war.state.deck[-1] == card("surprise")
    other = card_phase("coup_siam", "surprise", "spies")
    other.do(OfferCard("japan"), "germany")
    assert other.state.offered[MAJORS.index("japan")] == card("coup_siam")


@pytest.mark.rule("bg-7.4-restricted")
def test_a_card_that_names_countries_is_bought_by_them_alone():
    war = card_phase("coup_siam", "surprise", "spies")
    assert war.refused(Buy("coup_siam"), "germany").rule == "bg-7.4-restricted"
    war.do(OfferCard("japan"), "germany").do(Buy("coup_siam"), "japan")
    assert war.pile("coup_siam") == "japan"
    assert not war.allows(OfferCard("germany"), "italy") or "germany" in A.cards[card("surprise")].buyers


@pytest.mark.rule("bg-7.4-enemy-card")
def test_a_card_for_the_enemy_goes_under_the_deck_at_once():
    war = card_phase("lend_lease_usa", "surprise", "spies")
    assert war.state.drawn[MAJORS.index("germany")] == -1
    assert war.state.deck[-1] == card("lend_lease_usa")
    assert "germany" not in war.match.decisions()


@pytest.mark.rule("bg-7.4-offer-neutral")
def test_a_neutral_associate_may_be_offered_a_card():
    war = card_phase("winter_offensive", "surprise", "spies", "militia", "partisans", initiative="allies")
    assert war.standing("ussr") == "neutral"
    war.do(OfferCard("ussr"), "be").do(Buy("winter_offensive"), "ussr")
    assert war.pile("winter_offensive") == "ussr"


@pytest.mark.rule("bg-7.4-associate-choice", "bg-7.4-one-per-turn")
def test_a_major_with_a_card_of_its_own_and_an_offered_one_buys_one_of_them_only():
    war = card_phase("coup_siam", "surprise", "militia")
    war.do(OfferCard("japan"), "germany")
    assert war.allows(Buy("militia"), "japan")
    assert war.allows(Buy("coup_siam"), "japan")
    war.do(Buy("militia"), "japan")
    assert war.pile("coup_siam") == "deck"
    assert "japan" not in war.match.decisions()
    late = card_phase("coup_siam", "surprise", "militia").do(Buy("militia"), "japan")
    assert not late.allows(OfferCard("japan"), "germany")  # Japan has bought its card of this turn
    # and nobody draws again because he did not want his card
    war.do(ReturnCard(), "italy")
    assert war.state.drawn[MAJORS.index("italy")] == -1


@pytest.mark.rule("bg-7.4-pay")
def test_the_price_is_paid_at_once_or_there_is_no_deal():
    war = card_phase("morsecode", "surprise", "spies", points=5)
    refused = war.refused(Buy("morsecode"), "germany")
    assert (refused.rule, refused.facts["cost"]) == ("bg-7.4-pay", 6)
    rich = card_phase("morsecode", "surprise", "spies", points=7)
    rich.do(Buy("morsecode"), "germany")
    assert rich.state.points[MAJORS.index("germany")] == 1


@pytest.mark.rule("bg-7.4-obsolete")
def test_an_obsolete_card_is_thrown_away_and_another_drawn():
    war = Position().deck("coup_bnl", "spies", "surprise", "partisans")
    war.points(**dict.fromkeys(MAJORS, 5))
    conquer(war.m, nation("bnl"))
    war.run(CardPhase.begin(war.m))
    assert war.pile("coup_bnl") == "out"
    assert war.state.drawn[MAJORS.index("germany")] == card("spies")
    fresh = Position()
    assert not is_obsolete(fresh.state, card("coup_bnl"))


# ---- holding and playing
@pytest.mark.rule("bg-7.4-earliest", "bg-card-general-play-time")
def test_a_card_is_played_from_the_turn_after_its_purchase():
    war = card_phase("coup_spain", "surprise", "spies")
    war.do(Buy("coup_spain"), "germany")
    assert war.state.points[MAJORS.index("germany")] == 5
    refused = why(war, "germany", "coup_spain", "land")
    assert refused is not None
    assert refused.rule == "bg-7.4-earliest"
    war.state.turn += 1
    assert why(war, "germany", "coup_spain", "land") is None


@pytest.mark.rule("bg-7.4-secret")
def test_hands_and_deck_are_hidden_from_everybody_else():
    war = Position().hand("germany", "spies").hand("be", "surprise")
    view = war.match.view("germany")
    assert view.state.hands[MAJORS.index("germany")] == (card("spies"),)
    assert view.state.hands[MAJORS.index("be")] == (-1,)
    assert set(view.state.deck) == {-1}
    assert why(war, "be", "spies", "land") is not None


@pytest.mark.rule("bg-7.4-unlimited")
def test_any_number_of_cards_is_held_and_played_in_a_turn():
    war = Position().hand("germany", "spies", "partisans", "coup_spain", "coup_norway", "coup_iraq", "coup_arabia")
    war.phase(Phase("land"))
    for name in ("coup_spain", "coup_norway", "coup_iraq", "coup_arabia"):
        war.dice(3, 3).do(PlayCard(name, ""), "germany")
    assert war.pile("coup_arabia") == "out"
    assert len(war.state.hands[0]) == 2


@pytest.mark.rule("bg-7.4-discard", "bg-7.4-return", "bg-7.4-permanent")
def test_after_use_cards_are_discarded_returned_or_stay():
    war = Position().hand("germany", "coup_spain", "spies", "foreign_troops_recruitment").war("germany", "ussr")
    war.dice(3, 3)
    say(war, "germany", "coup_spain")
    say(war, "germany", "spies")
    say(war, "germany", "foreign_troops_recruitment")
    assert war.pile("coup_spain") == "out"
    assert war.state.deck[-1] == card("spies")
    assert war.pile("foreign_troops_recruitment") == "table"


@pytest.mark.rule("bg-7.4-no-reshuffle")
def test_the_deck_is_shuffled_once_and_cards_come_back_at_the_bottom_in_order():
    war = Position()
    before = set(war.state.deck)
    war.dice(*range(55, 0, -1)).run(Shuffle())
    assert set(war.state.deck) == before
    assert len(war.state.deck) == 55
    order = list(war.state.deck)
    war.points(**dict.fromkeys(MAJORS, 5)).run(CardPhase.begin(war.m))
    drawn = [c for c in (*war.state.drawn,) if c >= 0]
    left = [c for c in war.state.deck if c in order[8:]]
    assert left == [c for c in order if c in left]
    assert drawn


@pytest.mark.rule("bg-card-general-appendix")
def test_the_appendix_rules_over_the_face():
    """The face of National War speaks of land units; the appendix of units, so an orange aircraft may go."""

    war = Position().hand("ussr", "national_war_ussr").war("germany", "ussr")
    plane = war.add("ussr-air-1-orange", "moscow")
    war.points(ussr=1)
    war.run()
    say(war, "ussr", "national_war_ussr")
    war.settle().do(Disband(plane), "ussr")
    assert war.state.points[MAJORS.index("ussr")] == 3


@pytest.mark.rule("bg-card-general-prereq")
def test_a_card_waits_until_its_condition_is_met():
    war = Position().hand("germany", "foreign_troops_recruitment")
    refused = why(war, "germany", "foreign_troops_recruitment", "land")
    assert refused is not None
    assert refused.rule == "bg-card-general-prereq"
    war.war("germany", "ussr")
    assert why(war, "germany", "foreign_troops_recruitment", "land") is None


@pytest.mark.rule("bg-7.1-cards-removed")
def test_a_conquered_majors_cards_leave_the_game_and_returning_ones_go_under_the_deck():
    war = Position().hand("france", "coup_norway", "spies").table("france", "total_war")
    conquer(war.m, nation("france"))
    assert war.pile("coup_norway") == "out"
    assert war.pile("total_war") == "out"
    assert war.state.deck[-1] == card("spies")


@pytest.mark.rule("bg-7.1-cards-obsolete")
def test_cards_that_concern_only_the_conquered_country_and_their_holder_leave_the_game():
    war = Position().hand("germany", "french_vichy_surrender", "spies", "coup_norway")
    conquer(war.m, nation("france"))
    assert war.pile("french_vichy_surrender") == "out"
    assert war.pile("spies") == "germany"
    assert war.pile("coup_norway") == "germany"
    conquer(war.m, nation("norway"))
    assert war.pile("coup_norway") == "out"


# ---- coups
COUPS = {
    "bg-card-coup-afghanistan": ("coup_afghanistan", "afghanistan", (8, 12), (4, 7), (2, 3), 1),
    "bg-card-coup-arabia": ("coup_arabia", "arabia", (8, 12), (4, 7), (2, 3), 1),
    "bg-card-coup-bnl": ("coup_bnl", "bnl", (8, 12), (4, 7), (2, 3), 1),
    "bg-card-coup-greece": ("coup_greece", "greece", (8, 12), (4, 7), (2, 3), None),
    "bg-card-coup-iraq": ("coup_iraq", "iraq", (8, 12), (4, 7), (2, 3), 1),
    "bg-card-coup-ireland": ("coup_ireland", "ireland", (8, 12), (4, 7), (2, 3), None),
    "bg-card-coup-norway": ("coup_norway", "norway", (8, 12), (4, 7), (2, 3), 1),
    "bg-card-coup-portugal": ("coup_portugal", "portugal", (8, 12), (4, 7), (2, 3), None),
    "bg-card-coup-siam": ("coup_siam", "siam", (8, 12), (4, 7), (2, 3), 1),
    "bg-card-coup-spain": ("coup_spain", "spain", (10, 12), (3, 9), (2, 2), 5),
    "bg-card-coup-sweden": ("coup_sweden", "sweden", (11, 12), (3, 10), (2, 2), None),
    "bg-card-coup-turkey": ("coup_turkey", "turkey", (9, 12), (3, 8), (2, 2), 4),
    "bg-card-coup-yugoslavia": ("coup_yugoslavia", "yugoslavia", (7, 12), (4, 6), (2, 3), 3),
}
WHO = {
    "coup_siam": {"be", "japan"},
    "coup_spain": {"germany", "italy"},
    "coup_yugoslavia": {"germany", "ussr"},
}


@pytest.mark.parametrize(
    "row", [pytest.param(row, marks=pytest.mark.rule(rule), id=rule) for rule, row in COUPS.items()]
)
def test_the_ranges_of_a_coup(row: tuple):
    name, country, success, nothing, counter, cost = row
    if cost is not None:
        assert A.card_cost[card(name)] == cost
    if name in WHO:
        assert {MAJORS[n] for n in A.card_buyers[card(name)]} == WHO[name]
    player = min(n for n in A.card_buyers[card(name)] if n not in (MAJORS.index("ussr"), MAJORS.index("usa")))
    for total in range(2, 13):
        war = Position().hand(MAJORS[player], name)
        first = min(6, total - 1)
        war.dice(first, total - first, *([1] if counter[0] <= total <= counter[1] else []))
        say(war, MAJORS[player], name)
        if success[0] <= total <= success[1]:
            assert war.state.master[nation(country)] == player
            assert war.side(country) == war.side(MAJORS[player])
        elif nothing[0] <= total <= nothing[1]:
            assert war.standing(country) == "neutral"
        else:
            assert war.side(country) not in (war.side(MAJORS[player]), "nobody")
        assert war.pile(name) == "out"
    if name == "coup_bnl":
        assert war.holder("sumatra") == "usa_trust" or war.side("bnl") != "nobody"


@pytest.mark.rule("bg-card-coup-bnl")
def test_the_coup_in_bnl_leaves_the_islands_in_the_pacific_alone():
    war = Position().hand("germany", "coup_bnl").dice(6, 6)
    say(war, "germany", "coup_bnl")
    assert war.side("bnl") == "axis"
    assert war.holder("bnl") == "bnl"
    for island in ("sumatra", "java", "south_borneo", "celebes", "west_new_guinea"):
        assert war.holder(island) == "usa_trust"


@pytest.mark.rule("bg-card-general-coup")
def test_a_coup_brings_forces_and_production_to_the_player_or_to_a_random_enemy():
    war = Position().hand("germany", "coup_spain")
    before = war.production("germany")
    war.dice(5, 5)
    say(war, "germany", "coup_spain")
    assert war.production("germany") == before + 3
    assert war.units_at("southern_spain") == ["spain-arm-2", "spain-inf-2", "spain-inf-2"]
    assert war.at_war("spain", "be")
    assert war.events(ev.CoupRolled)[0].total == 10
    # a counter: a die picks one of the enemy's majors at war (BE, France, China)
    lost = Position().hand("germany", "coup_spain").dice(1, 1, 2)
    say(lost, "germany", "coup_spain")
    assert lost.state.master[nation("spain")] == nation("france")
    assert lost.at_war("spain", "germany")
    # no attack: the American flag stays
    assert war.state.us_level == 0


@pytest.mark.rule("bg-card-general-coup-conquered")
def test_no_coup_in_a_country_that_has_been_conquered():
    war = Position().hand("germany", "coup_greece")
    assert why(war, "germany", "coup_greece", "land") is None
    war.state.standing = put(war.state.standing, nation("greece"), 2)
    refused = why(war, "germany", "coup_greece", "land")
    assert refused is not None
    assert refused.rule == "bg-card-general-coup-conquered"


@pytest.mark.rule("bg-opt-9.9")
def test_the_irish_coup_becomes_the_iranian_one():
    war = Position(coup_in_iran=True).hand("germany", "coup_ireland").dice(6, 6)
    say(war, "germany", "coup_ireland")
    assert war.side("ireland") == "axis"
    assert war.state.deck[-1] == card("coup_ireland")
    war.hand("germany", "coup_ireland").dice(6, 6)
    say(war, "germany", "coup_ireland")
    assert war.side("iran") == "axis"
    assert war.pile("coup_ireland") == "out"
    plain = Position().hand("germany", "coup_ireland").dice(6, 6)
    say(plain, "germany", "coup_ireland")
    assert plain.pile("coup_ireland") == "out"


@pytest.mark.rule("bg-card-initiative")
def test_the_initiative_card_is_played_after_the_dice_by_the_side_that_lost():

    war = Position(turn="4/39").hand("italy", "initiative").hand("be", "spies").dice(2, 4)
    war.run()
    _initiative(war.m)
    war.settle()
    assert war.state.initiative == 1
    assert war.match.decisions() == ("italy",)
    war.do(PlayCard("initiative", ""), "italy")
    assert war.state.initiative == 0
    assert war.state.deck[-1] == card("initiative")
    winner = Position(turn="4/39").hand("italy", "initiative")
    winner.state.initiative = 0
    assert why(winner, "italy", "initiative", "initiative") is not None


@pytest.mark.rule("bg-card-spies")
def test_spies_show_the_hands_of_the_enemy_side_to_their_owner_only():
    war = Position().hand("china", "spies").hand("germany", "blitzkrieg", "surprise").hand("be", "militia")
    say(war, "china", "spies")
    seen = war.events(ev.HandsSeen)
    assert [(e.country, set(e.cards), e.seen_by) for e in seen] == [
        ("@germany", {"@blitzkrieg", "@surprise"}, ("china",))
    ]
    assert war.state.deck[-1] == card("spies")


@pytest.mark.rule("bg-card-embargo", "bg-time-usa-japan-adv")
def test_the_embargo_needs_twelve_american_points_and_costs_japan_three():
    war = Position().hand("usa", "embargo_usa_japan")
    war.state.us_level = 11
    war.own("usa")
    assert why(war, "usa", "embargo_usa_japan", "us-entry") is not None
    war.state.us_level = 12
    war.own("usa")
    assert why(war, "usa", "embargo_usa_japan", "us-entry") is None
    before = war.production("japan")
    say(war, "usa", "embargo_usa_japan")
    assert war.production("japan") == before - 3
    assert war.pile("embargo_usa_japan") == "table"
    # the delivery has no fixed end date in the advanced game, but war ends it
    late = Position(turn="3/42")
    late.own("japan")
    assert late.production("japan") == before
    late.war("usa", "japan")
    assert late.production("japan") == before - 3


@pytest.mark.rule("bg-card-japan-bnl", "bg-time-bnl-card")
def test_japan_gets_the_bnl_islands_production_after_the_embargo_without_war():
    war = Position().hand("japan", "japan_gains_bnl")
    assert why(war, "japan", "japan_gains_bnl", "us-entry") is not None
    war.state.embargo = True
    war.own("japan")
    before = war.production("japan")
    say(war, "japan", "japan_gains_bnl")
    assert war.production("japan") == before + 4
    assert not war.at_war("japan", "usa")
    assert war.pile("japan_gains_bnl") == "table"


@pytest.mark.rule("bg-card-bnl-embargo", "bg-time-bnl-card")
def test_the_bnl_embargo_answers_the_japanese_card_at_once_or_later():
    war = Position().hand("japan", "japan_gains_bnl").hand("usa", "bnl_embargo")
    war.state.embargo = True
    war.own("japan")
    before = war.production("japan")
    assert why(war, "usa", "bnl_embargo", "us-entry") is not None
    war.run(UsEntry()).do(PlayCard("japan_gains_bnl", ""), "japan")
    assert war.match.decisions() == ("usa",)
    war.do(PlayCard("bnl_embargo", ""), "usa")
    assert war.production("japan") == before
    assert war.pile("japan_gains_bnl") == war.pile("bnl_embargo") == "out"
    later = Position().table("japan", "japan_gains_bnl").hand("usa", "bnl_embargo")
    later.state.embargo = later.state.trust_to_japan = True
    later.own("japan")
    with_islands = later.production("japan")
    later.run(UsEntry()).do(PlayCard("bnl_embargo", ""), "usa")
    assert later.production("japan") == with_islands - 4
    assert later.allows(Done(), "usa") or later.parked
