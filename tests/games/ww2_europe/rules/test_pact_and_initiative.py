"""The pact's conditions one by one, automatic initiative, what surrender hands on."""

import pytest

from sandtable.core.columns import put
from sandtable.games.ww2_europe.model.actions import BuyFortress, Declare, March
from sandtable.games.ww2_europe.model.state import IN_CONVOY, OUT, SURPRISED
from sandtable.games.ww2_europe.rules.buy_phase import Purchases
from sandtable.games.ww2_europe.rules.initiative_phase import Initiative
from sandtable.games.ww2_europe.rules.land import capture
from sandtable.games.ww2_europe.rules.movement_phase import Movement
from sandtable.games.ww2_europe.rules.pact import check_pact
from sandtable.games.ww2_europe.rules.politics import attack_major, before_its_date, declare_refusal
from sandtable.games.ww2_europe.rules.politics_phase import Declarations
from sandtable.games.ww2_europe.rules.surrender import surrender
from sandtable.games.ww2_europe.rules.surrender_phase import Surrenders
from sandtable.games.ww2_europe.rules.turn_end import pacific_money
from sandtable.games.ww2_europe.rules.turn_end_phase import EndTurn
from sandtable.games.ww2_europe.rules.victory import check_victory
from tests.games.ww2_europe.positions import EVERY_FRONT
from tests.games.ww2_europe.war import ALLIES, AXIS, A, War, reason

WEST = ("warsaw", "danzig", "krakow")
EAST = ("brest_litovsk", "vilna", "lvov")
REST = ("vyborg", "latvia", "estonia", "lithuania", "bessarabia")


def partition() -> War:
    """Both sides keep the pact."""
    war = War("winter 1939", neutral=("usa", "ussr", "italy"))
    war.own("germany", *WEST).own("ussr", *EAST, *REST)
    war.many("germany", "warsaw", infantry=5)
    war.many("germany", "krakow", tank=5)
    war.many("ussr", "lvov", infantry=10)
    return war


def test_kept_on_both_sides_the_pact_changes_nothing() -> None:
    war = partition()
    check_pact(war.m)
    assert war.state.breach == 0
    assert war.owner("lvov") == "ussr"


@pytest.mark.rule("w2e-pact-german")
@pytest.mark.parametrize("place", WEST)
def test_germany_must_hold_every_space_of_its_share(place: str) -> None:
    war = partition()
    war.own("great_britain", place)
    check_pact(war.m)
    assert war.state.breach == 1
    war.run(Declarations(ALLIES))
    assert war.allows("ussr", Declare("germany"))
    assert not war.allows("ussr", Declare("sweden"))  # the neutral USSR may attack nobody else


@pytest.mark.rule("w2e-pact-german")
def test_the_right_to_declare_war_lasts_for_the_following_turn() -> None:
    war = partition()
    war.own("great_britain", "danzig")
    check_pact(war.m)
    war.own("germany", "danzig")
    check_pact(war.m)
    assert war.state.breach == 0
    assert reason(declare_refusal(war.m, A.ussr, "germany")) == "w2e-pact-german"


@pytest.mark.rule("w2e-pact-soviet")
@pytest.mark.parametrize("place", EAST)
def test_the_ussr_must_hold_every_polish_space_of_its_share_or_loses_poland(place: str) -> None:
    war = partition()
    red = war.put("ussr", "infantry", "vilna")
    elsewhere = war.put("ussr", "infantry", "estonia")
    war.own("great_britain", place)
    check_pact(war.m)
    assert {war.owner(space) for space in (*WEST, *EAST)} == {"germany"}
    assert war.where(red) == "dead"
    assert war.where(elsewhere) == "estonia"
    assert {war.owner(space) for space in REST} == {"ussr"}


@pytest.mark.rule("w2e-pact-soviet")
def test_other_spaces_of_its_share_that_it_does_not_hold_go_to_germany() -> None:
    war = partition()
    war.own("neutral", "estonia", "bessarabia")
    check_pact(war.m)
    assert war.owner("estonia") == war.owner("bessarabia") == "germany"
    assert war.owner("lvov") == war.owner("latvia") == "ussr"


@pytest.mark.rule("w2e-pact-soviet", "w2e-pact-partition")
def test_a_soviet_breach_frees_germany_to_attack_early() -> None:
    war = partition()
    assert reason(declare_refusal(war.m, A.germany, "ussr")) == "w2e-pact-partition"
    war.own("neutral", "estonia")
    check_pact(war.m)
    assert declare_refusal(war.m, A.germany, "ussr") is None


@pytest.mark.rule("w2e-pact-soviet", "w2e-pact-german")
def test_where_everybody_passes_germany_is_given_nothing() -> None:
    war = War("fall 1939", neutral=("usa", "ussr", "italy"))
    war.own("great_britain", *WEST, *EAST)
    check_pact(war.m)
    assert war.state.breach == 1  # it does not hold its own share: the USSR may declare war
    assert {war.owner(place) for place in (*WEST, *EAST)} == {"great_britain"}
    assert {war.owner(place) for place in REST} == {"neutral"}


@pytest.mark.rule("w2e-pact-partition")
def test_the_axis_declares_no_war_on_what_the_pact_gives_the_ussr() -> None:
    war = partition()
    war.own("neutral", "latvia", "estonia", "lithuania", "vyborg")
    war.run(Declarations(AXIS))
    for country in ("latvia", "estonia", "lithuania"):
        assert war.refused("germany", Declare(country)).reason == "pact-minor"
    assert war.allows("germany", Declare("finland"))  # not all of it is Soviet
    war.state.pact = False
    war.run(Declarations(AXIS))
    assert war.allows("germany", Declare("latvia"))


@pytest.mark.rule("w2e-pact-soviet", "w2e-pact-moves")
def test_what_the_pact_has_given_germany_is_german() -> None:
    war = partition()
    war.own("neutral", "lithuania")
    check_pact(war.m)
    assert war.owner("lithuania") == "germany"
    tank = war.put("germany", "tank", "konigsberg")
    red = war.put("ussr", "infantry", "latvia")
    war.run(Movement(AXIS, fronts=EVERY_FRONT))
    assert war.allows("germany", March(tank, ("lithuania",)))
    war.run(Movement(ALLIES, fronts=EVERY_FRONT))
    assert "ussr" not in war.match.decisions()  # it holds the rest and its garrison: nothing to move for
    war.own("neutral", "estonia")
    war.run(Movement(ALLIES, fronts=EVERY_FRONT))
    assert war.rule("ussr", March(red, ("lithuania",))) == "w2e-pact-moves"
    assert war.allows("ussr", March(red, ("estonia",)))


@pytest.mark.rule("w2e-neutrality", "w2e-neutral-income")
def test_an_attacked_power_fights_at_half_pay_until_its_date() -> None:
    war = partition()
    unit = war.put("ussr", "infantry", "moscow")
    attack_major(war.m, A.ussr)
    assert war.flags(unit) & SURPRISED
    assert not war.state.pact
    assert before_its_date(war.state, A.ussr)
    later = War("spring 1942")
    assert not before_its_date(later.state, A.ussr)
    assert not before_its_date(later.state, A.germany)


# ---- initiative ------------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-initiative-auto", "w2e-initiative-count")
def test_holding_a_front_alone_beats_battles_won() -> None:
    war = War("summer 1942").initiative(AXIS)
    front = A.front_index["african"]
    war.own_front("great_britain", "african")
    war.state.wins = put(war.state.wins, 2 * front + AXIS, 3)
    war.run(Initiative())
    assert war.state.initiative[front] == ALLIES


@pytest.mark.rule("w2e-initiative-auto")
def test_neutral_land_does_not_count_but_an_enemy_unit_does() -> None:
    front = A.front_index["african"]
    war = War("summer 1942").initiative(AXIS).own_front("great_britain", "african")
    assert war.owner("tetuan") == "neutral"
    war.put("italy", "infantry", "tripoli")
    war.run(Initiative())
    assert war.state.initiative[front] == AXIS


@pytest.mark.rule("w2e-surrender-initiative", "w2e-initiative-auto")
def test_initiative_where_the_capital_lies_passes_to_the_conqueror() -> None:
    war = War("summer 1944").initiative(AXIS)
    surrender(war.m, A.italy, A.usa)
    assert war.state.initiative[A.front_index["southern"]] == ALLIES
    assert war.state.initiative[A.front_index["mediterranean"]] == AXIS


# ---- surrender -------------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-surrender-units")
def test_all_that_belongs_to_a_fallen_power_goes() -> None:
    war = War("summer 1942").fund(france=40).points(france=4)
    units = [*war.many("france", "vichy", infantry=1, fighter=1), war.put("france", "battleship", "brest_port")]
    coming = war.box("france", "carrier", 3)
    war.convoy("france", "marseilles_port", "gulf_of_lion", "balearic_sea", "algiers_port", destroyer=1)
    friend = war.put("great_britain", "infantry", "vichy")
    surrender(war.m, A.france, A.germany)
    assert {war.where(u) for u in (*units, coming)} == {"dead"}
    assert war.state.convoys == ()
    assert IN_CONVOY not in war.state.space
    assert (war.money("france"), war.rps("france")) == (0, 0)
    assert war.where(friend) == "vichy"


@pytest.mark.rule("w2e-surrender-ally-spaces", "w2e-surrender-conqueror")
def test_land_with_an_ally_on_it_is_the_allys_the_rest_goes_to_one_conqueror() -> None:
    war = War("summer 1942")
    war.put("usa", "fighter", "algiers")
    war.put("great_britain", "infantry", "brest")
    surrender(war.m, A.france, A.italy)
    assert (war.owner("algiers"), war.owner("brest")) == ("usa", "great_britain")
    assert {war.owner(place) for place in ("vichy", "rabat", "dakar", "bordeaux")} == {"italy"}


@pytest.mark.rule("w2e-surrender")
def test_a_capital_retaken_before_the_end_of_the_turn_saves_its_power() -> None:
    war = War("summer 1942").own("germany", "paris").own("france", "paris")
    war.run(Surrenders())
    assert war.state.status[A.france] != OUT


# ---- victory ---------------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-victory-axis")
def test_london_and_paris_need_not_fall_together() -> None:
    war = War("summer 1942", out=("france",)).own("germany", "paris")
    assert not check_victory(war.m)
    war.own("italy", "moscow")
    assert check_victory(war.m)
    assert war.state.outcome is not None
    assert war.state.outcome.reason == "w2e-victory-axis"


@pytest.mark.rule("w2e-victory-minor")
def test_only_the_last_turn_is_decided_by_the_count_of_flags() -> None:
    war = War("spring 1945").own("usa", "rome")
    assert not check_victory(war.m)
    war = War("summer 1945").own("usa", "rome")
    assert check_victory(war.m)
    assert war.state.outcome is not None
    assert (war.state.outcome.level, "usa" in war.state.outcome.winners) == ("minor", True)


# ---- the Pacific -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-usa-pacific")
def test_the_year_is_settled_in_winter_and_what_is_missing_is_owed_twice() -> None:
    war = War("fall 1942").fund(usa=500)
    war.state.pot, war.state.pot_turns = 100, 2
    pacific_money(war.m)
    assert (war.state.pot, war.money("usa")) == (100, 500)  # not yet
    war = War("winter 1942").fund(usa=50)
    war.state.pot, war.state.pot_turns = 300, 3
    pacific_money(war.m)
    assert (war.money("usa"), war.state.debt, war.state.pot, war.state.pot_turns) == (0, 100, 0, 0)


# ---- fortresses and victory ------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-fortress-rules")
def test_a_captured_fortress_is_never_rebuilt() -> None:
    war = War("summer 1942").fund(germany=99)
    site, other = A.limits[A.germany]["fortress_sites"][:2]
    war.own("germany", site, other)
    war.state.fortress = put(war.state.fortress, A.index[site], 1)
    capture(war.m, A.index[site], A.britain)
    assert not war.state.fortress[A.index[site]]
    capture(war.m, A.index[site], A.germany)
    war.own("germany", site)
    war.run(Purchases(AXIS))
    assert war.refused("germany", BuyFortress(site)).reason == "fortress-lost"
    assert war.allows("germany", BuyFortress(other))


@pytest.mark.rule("w2e-surrender-conqueror", "w2e-fortress-rules", "w2e-supply-captured")
def test_surrender_razes_what_passes_to_the_enemy_and_leaves_what_an_ally_gets() -> None:
    war = War("summer 1942")
    war.own("france", "strasbourg", "sedan", "cherbourg").own("germany", "paris")
    for place in ("strasbourg", "cherbourg"):
        war.state.fortress = put(war.state.fortress, A.index[place], 1)
    war.state.depot = put(war.state.depot, A.index["sedan"], 1)
    war.put("great_britain", "infantry", "cherbourg")
    surrender(war.m, A.france, A.germany)
    assert [war.owner(place) for place in ("strasbourg", "sedan")] == ["germany", "germany"]
    assert war.owner("cherbourg") == "great_britain"
    assert [war.state.fortress[A.index[place]] for place in ("strasbourg", "cherbourg")] == [0, 1]
    assert not war.state.depot[A.index["sedan"]]
    assert war.state.lost_fortress[A.index["strasbourg"]]


@pytest.mark.rule("w2e-surrender-conqueror", "w2e-control-ally-colour")
def test_land_of_an_ally_that_a_fallen_power_held_goes_back_to_that_ally() -> None:
    war = War("summer 1942")
    war.own("france", "genoa").own("germany", "paris")
    surrender(war.m, A.france, A.germany)
    assert war.owner("genoa") == "italy"
    gone = War("summer 1942", out=("italy",))
    gone.own("france", "genoa").own("germany", "paris")
    surrender(gone.m, A.france, A.germany)
    assert gone.owner("genoa") == "germany"


@pytest.mark.rule("w2e-victory-axis", "w2e-victory-allies")
def test_total_victory_of_both_sides_in_one_turn_is_a_draw() -> None:
    war = War("summer 1942")
    war.own("germany", "paris", "london").own("ussr", "berlin").own("great_britain", "rome")
    war.run(EndTurn())
    outcome = war.state.outcome
    assert outcome is not None
    assert (outcome.level, outcome.winners) == ("draw", ())
