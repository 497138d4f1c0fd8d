"""Option Technology: rolling for it, and what each technology does."""

import pytest

from sandtable.core.columns import put
from sandtable.games.ww2_europe.model.actions import Buy, Done, Lose, Reinforce, Research, Rocket
from sandtable.games.ww2_europe.model.kinds import T_AIR
from sandtable.games.ww2_europe.model.state import GONE, ORDER_HUNT, ORDER_PATROL, RAIDING, table_changed
from sandtable.games.ww2_europe.rules.air import flight_budget
from sandtable.games.ww2_europe.rules.buy import repair_refusal
from sandtable.games.ww2_europe.rules.buy_phase import Purchases
from sandtable.games.ww2_europe.rules.collect import homes, worth
from sandtable.games.ww2_europe.rules.collect_phase import CollectMoney, Income, Technology
from sandtable.games.ww2_europe.rules.fire import land_shots, sea_shots
from sandtable.games.ww2_europe.rules.interception import needed
from sandtable.games.ww2_europe.rules.stacking import air_limit
from sandtable.games.ww2_europe.rules.strategic import escort_number, raid_number
from sandtable.games.ww2_europe.rules.strategic_phase import RocketStrike, StrategicStage
from sandtable.games.ww2_europe.rules.strength import Volley
from sandtable.games.ww2_europe.rules.turn_end_phase import LastThings
from tests.games.ww2_europe.war import ALLIES, AXIS, A, K, War, reason

TECH = {"technology": True}
CALM = (0, 0, 1)


def raid(war: War, power: str, kind: str, target: str, base: str) -> str:
    """A bomber on its way to a factory."""
    unit = war.put(power, kind, base)
    war.order(A.side[A.power_index[power]], ORDER_HUNT, (base, target), unit, target=A.index[target])
    war.state.flags = put(war.state.flags, war.number(unit), war.state.flags[war.number(unit)] | RAIDING)
    return unit


def hunt(war: War, power: str, kind: str, convoy: str, place: str) -> str:
    """A submarine in a space of a convoy's route."""
    unit = war.put(power, kind, "brest_port")
    war.order(A.side[A.power_index[power]], ORDER_HUNT, ("brest_port", place), unit, target=int(convoy.split()[1]))
    war.state.flags = put(war.state.flags, war.number(unit), war.state.flags[war.number(unit)] | RAIDING)
    return unit


# ---- developing ------------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-tech-rolls")
def test_one_technology_for_every_ten_dollars_collected() -> None:
    war = War("summer 1942", options=TECH)
    war.state.income = put(war.state.income, A.germany, 29)
    before = list(war.state.tech[A.germany])
    war.dice(3, 5)
    war.run(Technology(AXIS))
    war.do("germany", Research("jets"))
    assert reason(war.refusal("germany", Research("jets"))) == "w2e-tech-rolls"  # each technology once a turn
    war.do("germany", Research("rockets"))
    assert war.parked  # the nine dollars left buy no third die
    after = war.state.tech[A.germany]
    assert after[A.tech_index["jets"]] == before[A.tech_index["jets"]] + 3
    assert after[A.tech_index["rockets"]] == before[A.tech_index["rockets"]] + 5


@pytest.mark.rule("w2e-tech-rolls")
def test_technology_follows_collecting_only_where_the_option_is_on() -> None:
    for options, asked in (({}, False), (TECH, True)):
        war = War("summer 1942", options=options)
        war.run(CollectMoney())
        assert isinstance(war.step, Technology) is asked


@pytest.mark.rule("w2e-tech-200")
def test_at_two_hundred_the_technology_is_there_from_the_next_turn_on() -> None:
    war = War("summer 1942", options=TECH).fund(germany=100)
    war.state.income = put(war.state.income, A.germany, 10)
    war.state.tech = table_changed(war.state.tech, A.germany, A.tech_index["tanks"], 195)
    war.dice(4)
    war.run(Technology(AXIS))
    war.do("germany", Research("tanks"))
    assert war.state.known[A.germany][A.tech_index["tanks"]] == 0  # 199
    war.dice(1)
    war.run(Technology(AXIS))
    war.do("germany", Research("tanks"))
    assert war.state.tech[A.germany][A.tech_index["tanks"]] == 200
    war.run(Purchases(AXIS))
    assert reason(war.refusal("germany", Buy("tank_2", False))) == "w2e-tech-200"
    war.run(LastThings())
    war.run(Purchases(AXIS))
    assert war.allows("germany", Buy("tank_2", False))
    war.state.income = put(war.state.income, A.germany, 10)
    war.run(Technology(AXIS))
    assert not war.allows("germany", Research("tanks"))  # nothing more to learn


@pytest.mark.rule("w2e-tech-200")
def test_improved_units_need_their_technologies() -> None:
    war = War("summer 1944", options=TECH).fund(usa=100)
    war.know("usa", "long_range_aircraft")
    war.run(Purchases(ALLIES))
    assert war.allows("usa", Buy("long_range_bomber", False))
    assert reason(war.refusal("usa", Buy("long_range_heavy_bomber", False))) == "w2e-tech-200"
    war.know("usa", "heavy_bombers").run(Purchases(ALLIES))
    assert war.allows("usa", Buy("long_range_heavy_bomber", False))


# ---- what they do ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-tech-codebreaking")
def test_code_breaking_finds_ships_more_easily() -> None:
    war = War("summer 1942", options=TECH)
    path = ("scapa_flow_port", "faroes_gap", "iceland_basin")
    ship = war.put("great_britain", "destroyer", path[0])
    war.order(ALLIES, ORDER_PATROL, path, ship)
    spaces = [A.index[s] for s in path]
    assert [needed(war.m, [war.number(ship)], s) for s in spaces] == [6, 5, 4]
    war.know("great_britain", "code_breaking")
    assert [needed(war.m, [war.number(ship)], s) for s in spaces] == [6, 5, 5]  # never better than 5 in 6


@pytest.mark.rule("w2e-tech-tanks")
def test_new_tanks_hit_on_four_for_25_dollars() -> None:
    war = War("summer 1943", options=TECH).know("germany", "tanks").fund(germany=25)
    old, new = war.put("germany", "tank", "berlin"), war.put("germany", "tank_2", "berlin")
    foe = war.put("ussr", "infantry", "berlin")
    shots = land_shots(
        war.m,
        Volley(A.index["berlin"], [], False, first_round=True),
        [war.number(old), war.number(new)],
        [war.number(foe)],
    )
    assert [shot.value for shot in shots] == [3, 4]
    assert K.movement[K.index["tank_2"]] == K.movement[K.tank]
    war.run(Purchases(AXIS))
    war.do("germany", Buy("tank_2", False))
    assert war.money("germany") == 0


@pytest.mark.rule("w2e-tech-jets")
def test_jets_hit_planes_on_five_for_30_dollars() -> None:
    war = War("summer 1944", options=TECH).know("germany", "jets").fund(germany=30)
    old, new = war.put("germany", "fighter", "berlin"), war.put("germany", "jet", "berlin")
    foe = war.put("usa", "bomber", "berlin")
    shots = land_shots(
        war.m,
        Volley(A.index["berlin"], [], True, first_round=True),
        [war.number(old), war.number(new)],
        [war.number(foe)],
    )
    assert [(shot.value, shot.mask) for shot in shots] == [(4, T_AIR), (5, T_AIR)]
    tank = war.put("usa", "tank", "berlin")
    shots = land_shots(
        war.m, Volley(A.index["berlin"], [], True, first_round=True), [war.number(new)], [war.number(tank)]
    )
    assert shots[0].value == K.combat[K.fighter]
    war.run(Purchases(AXIS))
    war.do("germany", Buy("jet", False))
    assert war.money("germany") == 0


@pytest.mark.rule("w2e-tech-heavy-bombers")
def test_heavy_bombers_fight_at_two_and_bomb_on_five() -> None:
    war = War("summer 1943", options=TECH).know("great_britain", "heavy_bombers").fund(great_britain=30)
    plain, heavy = war.put("great_britain", "bomber", "london"), war.put("great_britain", "heavy_bomber", "london")
    assert [raid_number(war.m, war.number(u), False) for u in (plain, heavy)] == [3, 5]
    assert [K.combat[K.index[kind]] for kind in ("bomber", "heavy_bomber")] == [1, 2]
    raid(war, "great_britain", "heavy_bomber", "essen", "london")
    war.dice(5).run(StrategicStage())
    assert war.state.damaged[A.index["essen"]]
    war.run(Purchases(ALLIES)).do("great_britain", Buy("heavy_bomber", False))
    assert war.money("great_britain") == 0


@pytest.mark.rule("w2e-tech-long-range")
def test_long_range_planes_reach_farther_and_cost_more() -> None:
    war = War("summer 1943", options=TECH)
    kinds = ("fighter", "long_range_fighter", "bomber", "long_range_bomber", "long_range_heavy_bomber")
    units = [war.put("usa", kind, "london") for kind in kinds]
    assert [flight_budget(war.state, war.number(u)) for u in units] == [2, 3, 3, 4, 4]
    assert [K.movement[K.index[k]] for k in kinds] == [4, 6, 6, 8, 8]
    assert [K.cost[K.index[k]] for k in kinds[1::2]] == [30, 30]
    assert K.cost[K.index["long_range_heavy_bomber"]] == 35
    assert raid_number(war.m, war.number(units[-1]), False) == 5


@pytest.mark.rule("w2e-tech-uboats")
def test_u_boats_hit_harder_and_are_hit_at_minus_one() -> None:
    war = War("summer 1943", options=TECH).know("germany", "u_boats").fund(germany=15)
    boat, sub = war.put("germany", "u_boat", "brest_port"), war.put("germany", "submarine", "brest_port")
    foe = war.put("great_britain", "destroyer", "london_port")
    sea = A.index["western_approaches"]
    assert [raid_number(war.m, war.number(u), True) for u in (boat, sub)] == [4, 3]
    boats = [war.number(boat), war.number(sub)]
    shots = sea_shots(war.m, sea, boats, [war.number(foe)], first_round=True, weather=CALM)
    assert [shot.value for shot in shots] == [2, 1]
    shot = sea_shots(war.m, sea, [war.number(foe)], [war.number(boat)], first_round=True, weather=CALM)[0]
    assert (shot.sub, shot.uboat) == (2, 1)
    war.run(Purchases(AXIS)).do("germany", Buy("u_boat", False))
    assert war.money("germany") == 0


@pytest.mark.rule("w2e-tech-uboats", "w2e-stage1-defend")
@pytest.mark.parametrize(("die", "sunk"), [(3, "submarine"), (2, "choice"), (4, "")])
def test_a_bare_hit_of_an_escort_sinks_only_the_old_kind(die: int, sunk: str) -> None:
    war = War("summer 1943", options=TECH)
    convoy = war.convoy("great_britain", "bristol_port", "western_approaches", "vigo_port", destroyer=1)
    boat = hunt(war, "germany", "u_boat", convoy, "western_approaches")
    sub = hunt(war, "germany", "submarine", convoy, "western_approaches")
    war.dice(6, 6, die)
    war.run(StrategicStage())
    if sunk == "choice":
        assert {a.unit for a in war.offered(Lose, "germany")} == {boat, sub}
        war.do("germany", Lose(boat))
        assert (war.where(boat), war.where(sub)) == ("dead", "western_approaches")
    else:
        assert war.parked
        assert war.where(boat) == "western_approaches"
        assert (war.where(sub) == "dead") is (sunk == "submarine")


@pytest.mark.rule("w2e-tech-sonar")
def test_sonar_hits_submarines_at_plus_one() -> None:
    war = War("summer 1943", options=TECH)
    sub = war.put("germany", "submarine", "brest_port")
    ship = war.put("great_britain", "destroyer", "london_port")
    cruiser = war.put("great_britain", "cruiser", "london_port")
    sea = A.index["western_approaches"]

    def shots() -> list[tuple[int, int]]:
        ships = [war.number(ship), war.number(cruiser)]
        found = sea_shots(war.m, sea, ships, [war.number(sub)], first_round=True, weather=CALM)
        return [(s.value, s.sub) for s in found]

    assert shots() == [(2, 2), (3, 0)]
    assert escort_number(war.m, A.britain) == 3
    war.know("great_britain", "sonar")
    assert shots() == [(2, 3), (3, 0)]  # only units that can hit submarines at all
    assert escort_number(war.m, A.britain) == 4


@pytest.mark.rule("w2e-tech-radar")
def test_radar_calls_fighters_from_next_door() -> None:
    for known in (False, True):
        war = War("summer 1941", options=TECH)
        if known:
            war.know("great_britain", "radar")
        near, far = war.put("great_britain", "fighter", "manchester"), war.put("great_britain", "fighter", "glasgow")
        bomber = raid(war, "germany", "bomber", "london", "brussels")
        war.dice(6, 3) if known else war.dice(6)
        war.run(StrategicStage())
        if not known:
            assert war.parked
            assert war.where(bomber) == "london"
            continue
        assert war.asked == "great_britain"
        assert {a.unit for a in war.offered(Reinforce, "great_britain")} == {near}  # Glasgow is two spaces away
        war.do("great_britain", Reinforce(near))
        assert war.parked  # nobody else to call: the bomber missed, the fighter shot it down
        assert war.where(bomber) == "dead"
        assert (war.where(near), war.where(far)) == ("manchester", "glasgow")  # it flew home


@pytest.mark.rule("w2e-tech-rockets")
@pytest.mark.parametrize(("die", "hit"), [(3, True), (4, False)])
def test_rockets_strike_a_space_two_spaces_away(die: int, hit: bool) -> None:
    war = War("summer 1944", options=TECH).know("germany", "rockets").fund(great_britain=50).points(great_britain=5)
    war.own("germany", "brussels", "cherbourg")
    war.run(StrategicStage(True))
    assert isinstance(war.step, RocketStrike)
    assert war.allows("germany", Rocket("brussels", "london"))  # Brussels, the North Sea, London
    assert not war.allows("germany", Rocket("brussels", "belfast"))
    assert not war.allows("germany", Rocket("berlin", "london"))
    war.dice(die).do("germany", Rocket("brussels", "london"))
    assert bool(war.state.damaged[A.index["london"]]) is hit
    assert war.money("great_britain") == (50 - A.value[A.index["london"]] if hit else 50)
    assert war.rps("great_britain") == (4 if hit else 5)
    war.run(StrategicStage(True))
    assert war.parked  # one strike a turn


@pytest.mark.rule("w2e-tech-rockets")
def test_a_strike_need_not_be_made() -> None:
    war = War("summer 1944", options=TECH).know("germany", "rockets").own("germany", "brussels")
    war.run(StrategicStage(True)).do("germany", Done())
    assert war.parked


@pytest.mark.rule("w2e-tech-atomic")
def test_the_atomic_bomb_takes_a_value_for_good() -> None:
    war = War("summer 1945", options=TECH).know("usa", "atomic_bomb").fund(usa=30, germany=100).points(germany=5)
    war.own("usa", "liege")
    raid(war, "usa", "atomic_bomber", "essen", "liege")
    assert air_limit(war.m.state, A.index["essen"]) == 10
    war.dice(3).run(StrategicStage())
    essen = A.index["essen"]
    assert war.state.damaged[essen] == GONE
    assert (war.money("germany"), war.rps("germany")) == (100 - A.value[essen], 4)
    assert worth(war.state, essen) == 0
    assert reason(repair_refusal(war.state, A.germany, essen)) == "w2e-tech-atomic"
    assert air_limit(war.m.state, essen) == 0  # no longer a factory
    war.run(Purchases(ALLIES)).do("usa", Buy("atomic_bomber", False))
    assert war.money("usa") == 0


@pytest.mark.rule("w2e-tech-atomic")
def test_the_atomic_bomb_costs_a_point_wherever_it_falls() -> None:
    war = War("summer 1945", options=TECH).points(germany=5)
    war.own("germany", "krakow").own("usa", "prague")
    raid(war, "usa", "atomic_bomber", "krakow", "prague")  # a resource zone outside the Homeland
    war.dice(3).run(StrategicStage())
    assert war.rps("germany") == 4


@pytest.mark.rule("w2e-tech-atomic")
def test_money_is_not_traced_to_a_factory_that_is_gone() -> None:
    war = War("summer 1945", options=TECH)
    for space in A.land:
        if A.homeland[space] == A.italy and A.feature[space] == 1:
            war.state.damaged = put(war.state.damaged, space, GONE)
    assert homes(war.m, A.italy) == set()
    war.run(Income(A.italy))
    assert war.money("italy") == 0
