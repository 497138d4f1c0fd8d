"""Options French Armistice, with Vichy France, and Italian Armistice."""

import pytest

from sandtable.core.columns import put
from sandtable.games.ww2_europe.facts.access import neutral_minors
from sandtable.games.ww2_europe.facts.landings import land_battles
from sandtable.games.ww2_europe.facts.strongpoints import country_of, flag_at
from sandtable.games.ww2_europe.model.actions import Answer, Intern, March, TakeControl
from sandtable.games.ww2_europe.model.atlas import MINOR_FLAG, NO_FLAG
from sandtable.games.ww2_europe.model.state import AT_WAR, CUT_OFF, OUT, SURPRISED
from sandtable.games.ww2_europe.rules.armistice import free_vichy, italy_must_offer, may_linger
from sandtable.games.ww2_europe.rules.armistice_phase import FrenchOffer, ItalianOffer, Overstay
from sandtable.games.ww2_europe.rules.collect import worth
from sandtable.games.ww2_europe.rules.combat import battle_counts
from sandtable.games.ww2_europe.rules.faults import faults
from sandtable.games.ww2_europe.rules.homecoming_phase import ReturnHome
from sandtable.games.ww2_europe.rules.initiative import held_alone
from sandtable.games.ww2_europe.rules.initiative_phase import Initiative
from sandtable.games.ww2_europe.rules.movement_phase import Movement
from sandtable.games.ww2_europe.rules.politics import attack_minor
from sandtable.games.ww2_europe.rules.politics_phase import Declarations
from sandtable.games.ww2_europe.rules.stacking import port_limit
from sandtable.games.ww2_europe.rules.supply_phase import SupplyCheck
from sandtable.games.ww2_europe.rules.surrender import fallen
from sandtable.games.ww2_europe.rules.surrender_phase import Surrenders
from sandtable.games.ww2_europe.rules.turn_end_phase import LastThings
from tests.games.ww2_europe.war import ALLIES, AXIS, A, K, War

EVERY = tuple(range(len(A.fronts)))
ZONE = ("bearn", "bordeaux", "brest", "cherbourg", "sedan", "strasbourg", "paris")
COLONIES = ("rabat", "oran", "algiers", "tunis", "lebanon", "damascus", "dakar")
VICHY = ("vichy", "toulouse", "marseilles", "corsica", *COLONIES)


def france(*, option: bool = True) -> War:
    """Paris has fallen."""
    war = War("summer 1940", neutral=("usa", "ussr"), options={"french-armistice": option})
    war.own("germany", "paris", "sedan")
    return war


def armistice(war: War) -> War:
    return war.run(FrenchOffer()).do("germany", Answer(True))


@pytest.mark.rule("w2e-armistice-french-offer")
def test_france_offers_when_paris_is_lost_at_the_start_of_a_turn() -> None:
    war = france().run(FrenchOffer())
    assert war.asked == "germany"
    assert {a.accept for a in war.offered(Answer, "germany")} == {True, False}
    assert france().own("france", "paris").run(FrenchOffer()).parked
    assert france(option=False).run(FrenchOffer()).parked
    # with the option France is not made to surrender at the end of the turn, without it it is
    assert A.france not in fallen(france().m)
    assert A.france in fallen(france(option=False).m)


@pytest.mark.rule("w2e-armistice-french-offer")
def test_refused_france_fights_on_as_a_british_minor_ally() -> None:
    war = france().fund(france=30)
    infantry, ship = war.put("france", "infantry", "brest"), war.put("france", "battleship", "brest_port")
    coming = war.box("france", "tank", 1)
    war.run(FrenchOffer()).do("germany", Answer(False))
    assert war.parked
    assert war.owner("brest") == war.owner("algiers") == "great_britain"
    assert war.owner("paris") == "germany"
    assert [war.state.power[war.number(u)] for u in (infantry, ship)] == [A.britain, A.britain]
    assert war.where(coming) == "dead"
    assert war.state.status[A.france] == OUT
    assert not war.state.vichy


@pytest.mark.rule("w2e-armistice-french-vichy")
def test_accepted_the_german_zone_and_vichy_are_drawn() -> None:
    war = france()
    war.own("italy", "tunis").own("germany", "marseilles")  # taken earlier: all blue land outside the zone goes back
    war.many("france", "brest", infantry=3, fighter=1)
    armistice(war)
    assert {war.owner(place) for place in ZONE} == {"germany"}
    assert {war.owner(place) for place in VICHY} == {"neutral"}
    assert war.count("france", "infantry", "brest") == war.count("france", "fighter", "brest") == 0
    assert A.france not in {war.state.power[u] for u, space in enumerate(war.state.space) if space >= 0}
    assert war.state.status[A.france] == OUT


@pytest.mark.rule("w2e-armistice-french-vichy", "w2e-control-ally-colour", "w2e-fortress-rules")
def test_what_france_had_conquered_goes_back_to_its_colour_and_forts_fall_with_the_zone() -> None:
    war = france()
    war.own("france", "genoa").own("great_britain", "sedan")
    for place in ("strasbourg", "sedan"):
        war.state.fortress = put(war.state.fortress, A.index[place], 1)
    war.put("great_britain", "infantry", "sedan")
    armistice(war)
    assert war.owner("genoa") == "italy"
    assert (war.owner("strasbourg"), war.owner("sedan")) == ("germany", "great_britain")
    assert [war.state.fortress[A.index[place]] for place in ("strasbourg", "sedan")] == [0, 1]


@pytest.mark.rule("w2e-armistice-french-leave")
def test_british_units_in_the_german_zone_take_over_their_space() -> None:
    war = france()
    war.put("great_britain", "infantry", "brest")
    armistice(war)
    assert war.owner("brest") == "great_britain"
    assert war.owner("cherbourg") == "germany"


@pytest.mark.rule("w2e-armistice-french-leave")
@pytest.mark.parametrize("ally", ["usa", "ussr"])
def test_other_allies_in_the_german_zone_take_over_their_space_too(ally: str) -> None:
    """A late armistice finds more than the British there: nobody is left on land that is not their own."""
    war = france()
    tank = war.put(ally, "tank", "strasbourg")
    war.put("germany", "tank", "sedan")
    armistice(war)
    assert war.owner("strasbourg") == ally
    assert war.owner("sedan") == "germany"
    war.run(LastThings())
    assert war.where(tank) == "strasbourg"
    assert war.state.lost_flag[A.index["paris"]] == 1


@pytest.mark.rule("w2e-armistice-french-leave")
def test_foreign_units_have_the_turn_to_leave_vichy_land() -> None:
    war = france()
    stays = war.put("great_britain", "infantry", "algiers")
    leaver = war.put("great_britain", "infantry", "lebanon")
    armistice(war)
    assert may_linger(war.state, A.index["algiers"])
    war.initiative(ALLIES).run(SupplyCheck(), Movement(ALLIES, fronts=EVERY))
    assert not war.flags(stays) & CUT_OFF  # so that it can leave at all
    war.do("great_britain", March(leaver, ("jerusalem",)))
    war.run(LastThings())
    assert war.where(stays) == "algiers"
    war.run(Overstay())
    minor = A.minor_index
    assert war.state.patron[minor["algeria"]] == A.germany  # war was declared on that colony
    assert war.state.patron[minor["lebanon"]] == -1  # and not on the one that was left in time
    assert war.state.patron[A.vichy] == -1
    assert war.count("germany", "infantry", "algiers") == 2
    assert land_battles(war.m.state) == {A.index["algiers"]: ALLIES}  # it attacks Algiers in this turn's Combat phase


@pytest.mark.rule("w2e-armistice-french-leave")
def test_units_that_overstay_alone_take_the_space() -> None:
    war = france()
    war.put("great_britain", "infantry", "oran")  # no Vichy garrison
    armistice(war)
    war.run(Overstay())
    assert war.owner("oran") == "great_britain"
    assert war.owner("algiers") == "germany"


@pytest.mark.rule("w2e-armistice-french-colonies")
def test_a_colony_is_attacked_alone_the_homeland_brings_in_everything() -> None:
    war = armistice(france())
    minor = A.minor_index
    names = {A.minors[n] for n in neutral_minors(war.state)}
    assert {"vichy_france", "morocco", "algeria", "tunisia", "lebanon", "syria", "french_west_africa"} <= names
    attack_minor(war.m, minor["syria"], ALLIES)
    assert war.owner("damascus") == "germany"
    assert war.count("germany", "infantry", "damascus") == 1
    assert war.owner("lebanon") == war.owner("vichy") == "neutral"
    attack_minor(war.m, A.vichy, AXIS)
    assert {war.owner(place) for place in VICHY if place != "damascus"} == {"great_britain"}
    assert war.count("great_britain", "infantry", "vichy") == 5
    unit = next(u for u, s in enumerate(war.state.space) if s == A.index["vichy"])
    assert war.state.flags[unit] & SURPRISED
    assert not battle_counts(war.m, A.index["vichy"], [unit])  # a neutral caught by surprise


@pytest.mark.rule("w2e-armistice-french-colonies")
def test_vichy_is_a_neutral_minor_with_its_own_flag() -> None:
    war = armistice(france())
    assert A.names[A.minor_capital[A.vichy]] == "vichy"
    tank = war.put("germany", "tank", "paris")
    war.initiative(AXIS).run(Movement(AXIS, fronts=EVERY))
    refusal = war.refusal("germany", March(tank, ("vichy",)))
    assert refusal is not None
    assert refusal.rule == "w2e-neutral-no-entry"


@pytest.mark.rule("w2e-armistice-french-colonies", "w2e-minor-flag-supply")
def test_the_flag_of_vichy_works_only_where_there_is_a_vichy_france() -> None:
    capital, next_door, zone = A.index["vichy"], A.index["toulouse"], A.index["bordeaux"]
    war = france()
    assert flag_at(war.state, capital) == NO_FLAG  # France fights on: it is a town like others
    assert country_of(war.state, capital) == country_of(war.state, zone)
    cut = war.put("france", "infantry", "vichy")
    war.run(SupplyCheck())
    assert war.state.flags[war.number(cut)] & CUT_OFF  # with Paris lost nothing feeds it
    war = armistice(france())
    assert flag_at(war.state, capital) == MINOR_FLAG
    assert country_of(war.state, capital) == country_of(war.state, next_door) != country_of(war.state, zone)
    attack_minor(war.m, A.vichy, AXIS)
    assert flag_at(war.state, capital) == MINOR_FLAG  # as a minor ally too
    defender = war.put("great_britain", "infantry", "toulouse")
    war.run(SupplyCheck())
    assert not war.state.flags[war.number(defender)] & CUT_OFF
    war.state.lost_flag = put(war.state.lost_flag, capital, 1)
    assert flag_at(war.state, capital) == NO_FLAG


@pytest.mark.rule("w2e-armistice-french-paris")
def test_a_freed_paris_brings_vichy_to_britain() -> None:
    war = armistice(france())
    free_vichy(war.m)
    assert war.owner("vichy") == "neutral"
    war.own("great_britain", "paris")
    free_vichy(war.m)
    assert {war.owner(place) for place in VICHY} == {"great_britain"}
    assert war.count("great_britain", "infantry", "marseilles") == 4


@pytest.mark.rule("w2e-armistice-french-units")
def test_vichy_forces_and_the_french_fleet() -> None:
    war = france()
    ships = [war.put("france", "battleship", "brest_port"), war.put("france", "cruiser", "oran_port")]
    convoy = war.convoy("france", "marseilles_port", "gulf_of_lion", "balearic_sea", "algiers_port")
    armistice(war)
    assert convoy == "convoy 0"
    assert war.state.convoys == ()
    stacks = {"vichy": 5, "toulouse": 3, "marseilles": 4, "rabat": 1, "algiers": 2, "damascus": 1}
    assert {place: war.count("neutral", "infantry", place) for place in stacks} == stacks
    assert war.count("neutral", "artillery", "vichy") == 1
    assert war.asked == "germany"  # the Axis player places the ships
    assert {a.port for a in war.offered(Intern, "germany")} == {"marseilles_port", "oran_port", "lebanon_port"}
    war.do("germany", Intern(ships[0], "oran_port"), Intern(ships[1], "lebanon_port"))
    left = war.offered(Intern, "germany")
    assert len({a.unit for a in left}) == 1  # the transport of the convoy
    war.do("germany", left[0])
    assert war.parked
    assert [war.where(ship) for ship in ships] == ["oran_port", "lebanon_port"]


@pytest.mark.rule("w2e-armistice-french-units", "w2e-stack-naval")
def test_the_french_fleet_is_spread_within_the_limits_of_the_ports() -> None:
    war = france()
    ships = [war.put("france", "battleship", "brest_port") for _ in range(20)]
    armistice(war)
    limit = port_limit(war.state, A.index["marseilles_port"])
    for count, ship in enumerate(ships):
        fits = (count + 1) * K.stack[K.battleship] <= limit
        assert war.allows("germany", Intern(ship, "marseilles_port")) is fits
        if not fits:
            break
        war.do("germany", Intern(ship, "marseilles_port"))
    assert 0 < count < len(ships)
    while not war.parked:
        war.do("germany", war.offered(Intern, "germany")[0])  # nobody is left without a port
    assert {war.where(ship) for ship in ships} <= {"marseilles_port", "oran_port", "lebanon_port"}


@pytest.mark.rule("w2e-armistice-french-leave")
def test_who_overstays_in_vichy_land_is_sound_until_the_battle() -> None:
    war = armistice(france())
    guest = war.put("italy", "infantry", "vichy")
    war.run(Overstay())
    war.state.stack = (*war.state.stack[:-1], Declarations(0))
    assert war.owner("vichy") == "great_britain"
    assert not [fault for fault in faults(war.state) if guest in fault]
    war.state.attacked = ()
    assert [fault for fault in faults(war.state) if guest in fault]


# ---- Italy -----------------------------------------------------------------------------------------------------------
FRONTS = ("african", "mediterranean", "southern", "middle_east")


def italy(*, option: bool = True) -> War:
    """Everything that makes Italy offer an armistice."""
    war = War("summer 1943", out=("france",), options={"italian-armistice": option})
    war.own_front("great_britain", "african").own_front("great_britain", "middle_east")
    war.own("great_britain", "sicily", "taranto", "gibraltar", "malta")
    war.initiative(AXIS).initiative(ALLIES, *FRONTS)
    return war


@pytest.mark.rule("w2e-armistice-italian-offer")
def test_italy_offers_when_all_conditions_are_met() -> None:
    assert italy_must_offer(italy().m)
    assert not italy_must_offer(italy(option=False).m)
    sardinia = italy().own("italy", "sicily").own("great_britain", "sardinia")
    assert italy_must_offer(sardinia.m)  # one of the two islands


@pytest.mark.rule("w2e-armistice-italian-offer")
@pytest.mark.parametrize("place", ["tripoli", "baghdad", "gibraltar", "malta", "sicily", "taranto"])
def test_each_space_is_needed(place: str) -> None:
    war = italy().own("germany", place)
    assert not italy_must_offer(war.m)


@pytest.mark.rule("w2e-armistice-italian-offer")
@pytest.mark.parametrize("front", FRONTS)
def test_each_initiative_is_needed(front: str) -> None:
    assert not italy_must_offer(italy().initiative(AXIS, front).m)


@pytest.mark.rule("w2e-armistice-italian-med")
def test_ships_do_not_keep_the_mediterranean_for_the_axis() -> None:
    front = A.front_index["mediterranean"]
    for option, holder in ((False, -1), (True, ALLIES)):
        war = italy(option=option).own_front("great_britain", "mediterranean").initiative(AXIS, "mediterranean")
        war.put("italy", "battleship", "genoa_port")
        assert held_alone(war.m, front) == holder
        war.run(Initiative())
        assert war.state.initiative[front] == (ALLIES if option else AXIS)


@pytest.mark.rule("w2e-armistice-italian-refused")
def test_refused_italy_fights_on_until_rome_falls() -> None:
    war = italy().run(ItalianOffer())
    assert war.asked == "great_britain"
    war.do("great_britain", Answer(False))
    assert war.parked
    assert war.state.status[A.italy] == AT_WAR
    assert war.owner("rome") == "italy"
    war.own("great_britain", "rome").run(Surrenders())
    assert war.state.status[A.italy] == OUT


@pytest.mark.rule("w2e-armistice-italian-accepted")
def test_accepted_italy_surrenders_and_its_homeland_pays_nobody() -> None:
    war = italy()
    unit, german = war.put("italy", "infantry", "rome"), war.put("germany", "infantry", "milan")
    war.put("usa", "infantry", "taranto")
    war.put("great_britain", "infantry", "sicily")
    war.run(ItalianOffer()).do("great_britain", Answer(True))
    assert {a.power for a in war.offered(TakeControl, "great_britain")} == {"great_britain", "usa"}
    war.do("great_britain", TakeControl("usa"))
    assert war.state.status[A.italy] == OUT
    assert war.where(unit) == "dead"
    assert war.owner("rome") == "usa"
    assert war.owner("milan") == "germany"  # an ally stands there
    assert war.where(german) == "milan"
    assert {worth(war.state, s) for s in A.land if A.homeland[s] == A.italy} == {0}
    assert worth(war.state, A.index["tripoli"]) == 1


@pytest.mark.rule("w2e-stage4", "w2e-port-regular-capacity")
def test_a_fleet_that_loses_its_port_to_the_armistice_may_crowd_another_until_the_turn_ends() -> None:
    war = france()
    war.state.turn = 5
    fleet = [war.put("great_britain", "cruiser", "marseilles_port") for _ in range(12)]
    armistice(war)
    for step in (ReturnHome(), Declarations(0)):
        while not war.parked:
            war.do(war.asked, next(iter(war.match.offers(war.asked))))
        war.run(step)
    (refuge,) = {war.where(ship) for ship in fleet}
    assert port_limit(war.state, A.index[refuge]) < 24
    assert not [fault for fault in faults(war.state) if "Stack Points" in fault]
    war.state.flags = (0,) * len(war.state.flags)  # the turn is over
    assert [fault for fault in faults(war.state) if "Stack Points" in fault]
