"""Option Special Forces: each power's own, each with its own switch."""

import pytest

from sandtable.core.columns import put
from sandtable.games.ww2_europe.game import GAME, OPTIONS
from sandtable.games.ww2_europe.model.actions import (
    Buy,
    Dash,
    Divert,
    MakeRaider,
    Patrol,
    PortAttack,
    Raid,
    Sail,
    Steam,
)
from sandtable.games.ww2_europe.model.events import BattleBegan, Sought
from sandtable.games.ww2_europe.model.state import (
    AMPHIBIOUS,
    CUT_OFF,
    DROPPED,
    ORDER_MOVE,
    ORDER_PATROL,
    RAIDER,
    SOUGHT,
    SPECIAL,
    SURPRISED,
)
from sandtable.games.ww2_europe.rules.buy_phase import Purchases
from sandtable.games.ww2_europe.rules.fire import land_shots
from sandtable.games.ww2_europe.rules.homecoming_phase import ReturnHome
from sandtable.games.ww2_europe.rules.interception import found_by
from sandtable.games.ww2_europe.rules.interception_phase import SeaStage
from sandtable.games.ww2_europe.rules.movement_phase import Movement
from sandtable.games.ww2_europe.rules.redeployment_phase import Redeployment
from sandtable.games.ww2_europe.rules.strategic import raid_number
from sandtable.games.ww2_europe.rules.strength import Volley, land_parts, total
from tests.games.ww2_europe.war import ALLIES, AXIS, A, K, War, reason

EVERY = tuple(range(len(A.fronts)))


def value(war: War, unit: str, place: str, *, defending: bool = False, first: bool = True) -> int:
    kind = war.state.kind[war.number(unit)]
    parts = land_parts(war.m, war.number(unit), Volley(A.index[place], [], defending, False, first), K.combat[kind])
    return total(parts)


def buys(power: str, kind: str, option: str, most: int) -> None:
    """Marked units are bought with the option on only, and no more than so many."""
    side = A.side[A.power_index[power]]
    war = War("summer 1942").fund(**{power: 500})
    war.run(Purchases(side))
    assert not war.allows(power, Buy(kind, True))
    assert war.allows(power, Buy(kind, False))
    war = War("summer 1942", options={option: True}).fund(**{power: 500})
    war.run(Purchases(side))
    for _ in range(most):
        war.do(power, Buy(kind, True))
    assert reason(war.refusal(power, Buy(kind, True))) in (OPTIONS[option], "w2e-unit-airborne-elite")
    assert war.allows(power, Buy(kind, False)) is (kind != "airborne")  # of these one is all a power has


def test_every_force_has_its_own_switch() -> None:
    switches = {option.rule for option in GAME.options.values() if option.rule.startswith("w2e-special")}
    assert len(switches) == 15


# ---- Germany ---------------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-special-ss-tanks")
def test_waffen_ss_tanks_fight_at_plus_one_even_cut_off() -> None:
    war = War("summer 1942", options={"waffen-ss-tanks": True})
    plain, elite = war.put("germany", "tank", "berlin"), war.put("germany", "tank", "berlin", flags=SPECIAL)
    assert [value(war, u, "berlin") for u in (plain, elite)] == [3, 4]
    cut = war.put("germany", "tank", "warsaw", flags=SPECIAL | CUT_OFF)
    assert value(war, cut, "warsaw") == 2
    buys("germany", "tank", "waffen-ss-tanks", 2)


@pytest.mark.rule("w2e-special-ss-mech")
def test_waffen_ss_mech_defend_normally_when_not_ready() -> None:
    war = War("summer 1942", options={"waffen-ss-mech": True})
    for flag in (CUT_OFF, SURPRISED):
        plain = war.put("germany", "mech", "helsinki", flags=flag)
        elite = war.put("germany", "mech", "helsinki", flags=SPECIAL | flag)
        # woodland: 1 + 1 for the plain one, 2 + 1 + 1 for the elite
        assert [value(war, u, "helsinki", defending=True) for u in (plain, elite)] == [2, 4]
        assert value(war, elite, "helsinki") == 2  # attacking, 1 + 1
    buys("germany", "mech", "waffen-ss-mech", 2)


def raider(kind: str = "cruiser") -> tuple[War, str]:
    war = War("summer 1941", neutral=("usa", "ussr"), out=("france",), options={"raiders": True})
    war.own("germany", "brest", "bordeaux").initiative(AXIS)
    return war, war.put("germany", kind, "brest_port")


@pytest.mark.rule("w2e-special-raiders")
@pytest.mark.parametrize("kind", ["battleship", "cruiser"])
def test_one_battleship_or_cruiser_a_turn_becomes_a_raider_and_goes_for_a_convoy(kind: str) -> None:
    war, ship = raider(kind)
    other = war.put("germany", "cruiser", "brest_port")
    destroyer = war.put("germany", "destroyer", "brest_port")
    convoy = war.convoy("great_britain", "bristol_port", "western_approaches", "vigo_port")
    war.run(Movement(AXIS, fronts=EVERY))
    assert not war.allows("germany", MakeRaider(destroyer))
    assert not war.allows("germany", Raid(ship, ("western_approaches",), convoy))
    war.do("germany", MakeRaider(ship))
    assert not war.allows("germany", MakeRaider(other))
    war.do("germany", Raid(ship, ("western_approaches",), convoy))
    war.dice(5, 6, *[6] * 4)
    war.run(SeaStage())
    assert war.saw(Sought, lambda e: e.needed == 5 and len(e.found) == 1)
    assert war.saw(BattleBegan, lambda e: e.attackers == (ship,))


@pytest.mark.rule("w2e-special-raiders")
def test_a_raider_patrols_nothing() -> None:
    war, ship = raider()
    war.run(Movement(AXIS, fronts=EVERY))
    war.do("germany", MakeRaider(ship))
    assert not war.allows("germany", Patrol("brest_port", ("western_approaches",), (ship,)))


@pytest.mark.rule("w2e-special-raiders")
def test_a_raider_is_found_on_a_one_only_and_sought_once() -> None:
    war, ship = raider()
    war.run(Movement(AXIS, fronts=EVERY))
    war.do("germany", MakeRaider(ship))
    war.do("germany", Sail("brest_port", ("western_approaches", "outer_approaches"), (ship,)))
    escort = war.put("germany", "destroyer", "brest_port")
    war.order(AXIS, ORDER_MOVE, ("brest_port", "western_approaches", "outer_approaches"), escort)
    hunter = war.put("great_britain", "destroyer", "bristol_port")
    war.order(ALLIES, ORDER_PATROL, ("bristol_port", "western_approaches"), hunter)
    numbers = [war.number(ship), war.number(escort)]
    assert found_by(war.m, 2, 5, numbers) == [war.number(escort)]  # the others with it are found normally
    assert found_by(war.m, 1, 5, numbers) == numbers
    late = war.put("great_britain", "destroyer", "glasgow_port")
    war.order(ALLIES, ORDER_PATROL, ("glasgow_port", "nw_approaches", "outer_approaches"), late)
    war.state.space = put(war.state.space, war.number(escort), -1)
    war.dice(2, 1)
    war.run(SeaStage())
    assert war.flags(ship) & SOUGHT
    assert war.parked
    assert war.where(ship) == "outer_approaches"  # the second roll of 1 no longer counts


@pytest.mark.rule("w2e-special-raiders")
def test_automatic_interception_does_not_find_a_raider_without_a_one() -> None:
    for die, found in ((2, False), (1, True)):
        war, ship = raider()
        war.state.flags = put(war.state.flags, war.number(ship), war.state.flags[war.number(ship)] | RAIDER)
        war.order(AXIS, ORDER_MOVE, ("brest_port", "western_approaches"), ship)
        hunter = war.put("great_britain", "destroyer", "bristol_port")
        war.order(ALLIES, ORDER_PATROL, ("western_approaches",), hunter)
        war.dice(die, *[6] * 2)
        war.run(SeaStage())
        assert war.saw(BattleBegan) is found


@pytest.mark.rule("w2e-special-raiders")
def test_a_raider_may_end_the_turn_in_another_port() -> None:
    war, ship = raider()
    war.state.flags = put(war.state.flags, war.number(ship), war.state.flags[war.number(ship)] | RAIDER)
    war.order(AXIS, ORDER_MOVE, ("brest_port", "western_approaches"), ship)
    war.run(ReturnHome())
    assert {"brest_port", "bordeaux_port"} <= {a.to for a in war.offered(Divert, "germany")}
    war.do("germany", Divert("bordeaux_port"))
    assert war.where(ship) == "bordeaux_port"


@pytest.mark.rule("w2e-special-channel-dash")
def test_the_channel_dash_ignores_penalties() -> None:
    for option in (False, True):
        war = War("summer 1942", out=("france",), options={"channel-dash": option})
        war.own("germany", "brest", "brussels").points(germany=5)
        ship, second = war.many("germany", "brest_port", battleship=2)
        cruiser = war.put("germany", "cruiser", "brest_port")
        war.many("great_britain", "london_port", destroyer=10)
        war.run(Redeployment(AXIS))
        assert not war.allows("germany", Steam(ship, "brussels_port"))  # the Channel costs eleven
        assert war.allows("germany", Dash(ship)) is option
        if option:
            war.do("germany", Dash(ship))
            assert not war.allows("germany", Dash(second))  # one battleship
            war.do("germany", Dash(cruiser))  # and one cruiser
            war.do("germany", Steam(ship, "brussels_port"), Steam(cruiser, "hamburg_port"))
            assert not war.allows("germany", Steam(second, "brussels_port"))


@pytest.mark.rule("w2e-special-wolfpack")
def test_wolf_packs_sink_on_four() -> None:
    for option, number in ((False, 3), (True, 4)):
        war = War("summer 1942", options={"wolf-packs": option})
        german, italian = war.put("germany", "submarine", "brest_port"), war.put("italy", "submarine", "genoa_port")
        assert [raid_number(war.m, war.number(u), True) for u in (german, italian)] == [number, 3]


# ---- USSR ------------------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-special-shock")
def test_a_shock_army_rolls_three_dice_in_the_first_round() -> None:
    war = War("summer 1943", options={"shock-armies": True})
    plain, shock = war.put("ussr", "artillery", "kiev"), war.put("ussr", "artillery", "kiev", flags=SPECIAL)
    foe = war.put("germany", "infantry", "kiev")

    def dice(unit: str, first: bool) -> int:
        shots = land_shots(
            war.m, Volley(A.index["kiev"], [], False, first_round=first), [war.number(unit)], [war.number(foe)]
        )
        return len(shots)

    assert [dice(plain, True), dice(shock, True), dice(shock, False)] == [2, 3, 2]
    buys("ussr", "artillery", "shock-armies", 2)


@pytest.mark.rule("w2e-special-guards-inf")
def test_guards_infantry_fights_at_plus_one_in_the_first_round() -> None:
    war = War("summer 1943", options={"guards-infantry": True})
    guards = war.put("ussr", "infantry", "kiev", flags=SPECIAL)
    assert [value(war, guards, "kiev", first=first) for first in (True, False)] == [3, 2]
    cut = war.put("ussr", "infantry", "kiev", flags=SPECIAL | CUT_OFF)
    assert value(war, cut, "kiev") == 2
    buys("ussr", "infantry", "guards-infantry", 2)


@pytest.mark.rule("w2e-special-guards-tanks")
def test_guards_tanks_fight_at_plus_one() -> None:
    war = War("summer 1943", options={"guards-tanks": True})
    guards = war.put("ussr", "tank", "kiev", flags=SPECIAL)
    assert [value(war, guards, "kiev", first=first) for first in (True, False)] == [4, 4]
    cut = war.put("ussr", "tank", "kiev", flags=SPECIAL | SURPRISED)
    assert value(war, cut, "kiev", defending=True) == 2
    buys("ussr", "tank", "guards-tanks", 2)


# ---- USA and Britain -------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-special-eighth", "w2e-special-sac")
def test_eighth_air_force_and_bomber_command_hit_factories_on_four() -> None:
    for power, option in (("usa", "eighth-air-force"), ("great_britain", "bomber-command")):
        for on, number in ((False, 3), (True, 4)):
            war = War("summer 1943", options={option: on})
            bomber = war.put(power, "bomber", "london")
            other = war.put("great_britain" if power == "usa" else "usa", "bomber", "london")
            assert raid_number(war.m, war.number(bomber), False) == number
            assert raid_number(war.m, war.number(other), False) == 3
            assert raid_number(war.m, war.number(bomber), True) == 3  # a convoy is no factory
            heavy = war.put(power, "heavy_bomber", "london")
            assert raid_number(war.m, war.number(heavy), False) == 5  # the better number, not both


@pytest.mark.rule("w2e-special-marines")
def test_marines_land_at_plus_one() -> None:
    war = War("summer 1943", options={"marines": True})
    landing = war.put("usa", "infantry", "sicily", flags=SPECIAL | AMPHIBIOUS)
    walking = war.put("usa", "infantry", "sicily", flags=SPECIAL)
    plain = war.put("usa", "infantry", "sicily", flags=AMPHIBIOUS)
    assert [value(war, u, "sicily") for u in (landing, walking, plain)] == [3, 2, 2]
    assert value(war, landing, "sicily", defending=True) == value(war, plain, "sicily", defending=True)
    buys("usa", "infantry", "marines", 4)


@pytest.mark.rule("w2e-special-sas")
def test_sas_drops_at_plus_one() -> None:
    war = War("summer 1943", options={"sas": True})
    dropping = war.put("great_britain", "airborne", "sicily", flags=SPECIAL | DROPPED)
    walking = war.put("great_britain", "airborne", "sicily", flags=SPECIAL)
    plain = war.put("great_britain", "airborne", "sicily", flags=DROPPED)
    assert [value(war, u, "sicily") for u in (dropping, walking, plain)] == [3, 2, 2]
    assert value(war, dropping, "sicily", defending=True) == value(war, plain, "sicily", defending=True)
    buys("great_britain", "airborne", "sas", 1)


# ---- attacks on ports ------------------------------------------------------------------------------------------------
FORCES = {
    "sneak_attack": ("great_britain", "sneak-attack", "carrier", "italy", "taranto_port", "malta_port", 2),
    "midget_subs": ("great_britain", "midget-submarines", "submarine", "germany", "bergen_port", "scapa_flow_port", 1),
    "frogmen": ("italy", "frogmen", "submarine", "great_britain", "alexandria_port", "taranto_port", 2),
}


def port_attack(force: str, target: str = "battleship") -> tuple[War, str, str, str]:
    power, option, kind, enemy, port, base, _ = FORCES[force]
    war = War("winter 1941", options={option: True}, out=("france",)).points(**{power: 5})
    war.own("germany", "bergen", "oslo", "narvik")
    unit = war.put(power, kind, base)
    if kind == "carrier":
        war.put(power, "fighter", base, aboard=unit)
    victim = war.put(enemy, target, port)
    war.run(Redeployment(A.side[A.power_index[power]]))
    return war, power, unit, victim


@pytest.mark.rule("w2e-special-sneak", "w2e-special-midget", "w2e-special-frogmen")
@pytest.mark.parametrize("force", list(FORCES))
def test_a_port_attack_hits_on_four_and_may_sink_a_battleship(force: str) -> None:
    sinks = FORCES[force][-1]
    for die in range(1, 7):
        war, power, unit, victim = port_attack(force)
        war.dice(die).do(power, PortAttack(force, unit, victim))
        if die <= sinks:
            assert war.where(victim) == "dead"
        else:
            assert war.state.damage[war.number(victim)] == (1 if die <= 4 else 0)


@pytest.mark.rule("w2e-special-sneak", "w2e-special-midget", "w2e-special-frogmen")
@pytest.mark.parametrize("force", list(FORCES))
def test_a_port_attack_sinks_lesser_ships_comes_once_and_takes_the_whole_phase(force: str) -> None:
    war, power, unit, victim = port_attack(force, "cruiser")
    home = war.where(unit)
    elsewhere = "gibraltar_port" if force != "midget_subs" else "london_port"
    if force == "frogmen":
        elsewhere = "naples_port"
    assert war.allows(power, Steam(unit, elsewhere))
    war.dice(4).do(power, PortAttack(force, unit, victim))
    assert war.where(victim) == "dead"
    assert war.where(unit) == home
    assert not war.allows(power, Steam(unit, elsewhere))
    more = war.put(FORCES[force][3], "battleship", FORCES[force][4])
    second = war.put(power, FORCES[force][2], FORCES[force][5])
    if FORCES[force][2] == "carrier":
        war.put(power, "fighter", FORCES[force][5], aboard=second)
    war.run(Redeployment(A.side[A.power_index[power]]))
    assert not war.allows(power, PortAttack(force, second, more))  # once per game


@pytest.mark.rule("w2e-special-sneak", "w2e-special-midget", "w2e-special-frogmen")
@pytest.mark.parametrize("force", list(FORCES))
def test_a_port_attack_needs_its_option_and_a_port_in_reach(force: str) -> None:
    power, _, kind, enemy, port, base, _ = FORCES[force]
    war, power, unit, victim = port_attack(force)
    far = war.put(enemy, "battleship", "odessa_port")
    assert not war.allows(power, PortAttack(force, unit, far))
    war.state.options = GAME.check_options("fall-1939", {})
    war.run(Redeployment(A.side[A.power_index[power]]))
    assert not war.allows(power, PortAttack(force, unit, victim))
    assert (kind, port, base) == (FORCES[force][2], FORCES[force][4], FORCES[force][5])


@pytest.mark.rule("w2e-special-sneak")
def test_a_carrier_without_a_fighter_makes_no_sneak_attack() -> None:
    war, power, unit, victim = port_attack("sneak_attack")
    empty = war.put("great_britain", "carrier", "malta_port")
    war.run(Redeployment(ALLIES))
    assert war.allows(power, PortAttack("sneak_attack", unit, victim))
    assert not war.allows(power, PortAttack("sneak_attack", empty, victim))
