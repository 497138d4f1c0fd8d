"""Advanced Naval Rules: no combining, an Order of Battle, day and night, good and bad weather."""

import pytest

from sandtable.core.columns import put
from sandtable.games.ww2_europe.model.actions import (
    Abort,
    Arrive,
    ChooseConvoy,
    Combine,
    Fight,
    Night,
    Patrol,
    Raid,
    Sail,
)
from sandtable.games.ww2_europe.model.events import BattleBegan, Conditions, Sought
from sandtable.games.ww2_europe.model.state import ORDER_HUNT, ORDER_MOVE, ORDER_PATROL, RAIDING
from sandtable.games.ww2_europe.rules.advanced_naval import (
    CALM_DAY,
    CLEAR_NIGHT,
    FOUL_DAY,
    FOUL_NIGHT,
    WEATHER,
    conditions,
)
from sandtable.games.ww2_europe.rules.advanced_naval_phase import Assemble
from sandtable.games.ww2_europe.rules.battle_phase import Battle
from sandtable.games.ww2_europe.rules.fire import sea_shots
from sandtable.games.ww2_europe.rules.interception import avoids_at, encounters, needed, next_encounters, patrols_at
from sandtable.games.ww2_europe.rules.interception_phase import AfterBattle, Encounter, SeaStage
from sandtable.games.ww2_europe.rules.movement_phase import Movement
from sandtable.games.ww2_europe.rules.strategic_phase import StrategicStage
from tests.games.ww2_europe.war import ALLIES, AXIS, A, War, reason

ADVANCED = {"advanced-naval": True}
EVERY = tuple(range(len(A.fronts)))
SEA = "outer_approaches"


def assembled(war: War) -> Battle:
    """The battle that is being joined."""
    assert isinstance(war.step, Assemble)
    return war.step.battle


def board(*, advanced: bool = True) -> War:
    war = War("summer 1941", neutral=("usa", "ussr"), out=("france",), options=ADVANCED if advanced else {})
    return war.own("germany", "brest", "bordeaux").initiative(AXIS)


def meeting(*, advanced: bool = True, planes: bool = False) -> tuple[War, dict[str, str]]:
    """A German battleship and two British task forces patrol the same sea, one and two spaces away."""
    war = board(advanced=advanced)
    units = {
        "german": war.put("germany", "battleship", "brest_port"),
        "near": war.put("great_britain", "cruiser", "gibraltar_port"),
        "far": war.put("great_britain", "destroyer", "scapa_flow_port"),
    }
    war.order(AXIS, ORDER_PATROL, ("brest_port", "western_approaches", SEA), units["german"])
    war.order(ALLIES, ORDER_PATROL, ("gibraltar_port", "portuguese_coast", SEA), units["near"])
    war.order(ALLIES, ORDER_PATROL, ("scapa_flow_port", "faroes_gap", "nw_approaches", SEA), units["far"])
    if planes:
        units["bomber"] = war.put("great_britain", "tac_bomber", "london")
        war.order(ALLIES, ORDER_PATROL, ("london", "english_channel", SEA), units["bomber"])
    return war, units


@pytest.mark.rule("w2e-adv-naval-replace")
def test_the_option_brings_conditions_and_an_order_of_battle() -> None:
    war, _ = meeting()
    war.run(SeaStage())
    assert isinstance(war.step, Assemble)
    war, _ = meeting(advanced=False)
    war.dice(*[6] * 3).run(SeaStage())
    assert isinstance(war.step, Battle)
    assert war.step.arrive == ()
    assert war.dice_left() == 0  # all three ships fire in the first round


@pytest.mark.rule("w2e-adv-naval-replace")
def test_strategic_warfare_stays_as_it_is() -> None:
    war = board()
    convoy = war.convoy("great_britain", "bristol_port", "western_approaches", "vigo_port")
    sub = war.put("germany", "submarine", "brest_port")
    war.order(AXIS, ORDER_HUNT, ("brest_port", "western_approaches"), sub, target=int(convoy.split()[1]))
    war.state.flags = put(war.state.flags, war.number(sub), war.state.flags[war.number(sub)] | RAIDING)
    war.dice(3).run(StrategicStage())
    assert war.parked  # no conditions were rolled, the transport is sunk
    assert war.state.convoys == ()


@pytest.mark.rule("w2e-adv-naval-no-combine", "w2e-adv-naval-one-patrol")
def test_each_task_force_rolls_for_itself() -> None:
    for advanced in (True, False):
        war, units = meeting(advanced=advanced)
        war.state.tasks = put(
            war.state.tasks, 0, type(war.state.tasks[0])(AXIS, ORDER_MOVE, war.state.tasks[0].path, 0, 0)
        )
        war.dice(4, 4)
        war.run(SeaStage())
        if advanced:
            assert [(e.needed, bool(e.found)) for e in war.events if isinstance(e, Sought)] == [(4, True), (3, False)]
            assert assembled(war).att == (war.number(units["near"]),)
        else:
            assert war.stands(Encounter, "combine")
            assert war.allows("great_britain", Combine())


@pytest.mark.rule("w2e-adv-naval-conditions")
def test_the_table_of_conditions() -> None:
    table = [CALM_DAY, CALM_DAY, CALM_DAY, FOUL_DAY, CLEAR_NIGHT, FOUL_NIGHT]
    assert [conditions(die, False) for die in range(1, 7)] == table
    names = ("day-good", "day-good", "day-good", "day-bad", "night-good", "night-bad")
    for die, name in enumerate(names, 1):
        war, _ = meeting()
        war.run(SeaStage())
        war.dice(die, *[6] * 2).do("germany", Night(False))
        assert war.saw(Conditions, lambda e, name=name: e.conditions == f"@{name}")  # type: ignore[misc]


@pytest.mark.rule("w2e-adv-naval-night-choice")
def test_the_initiative_player_may_want_night() -> None:
    table = [CLEAR_NIGHT, CLEAR_NIGHT, CLEAR_NIGHT, FOUL_DAY, CALM_DAY, FOUL_NIGHT]
    assert [conditions(die, True) for die in range(1, 7)] == table
    for side, role in ((AXIS, "germany"), (ALLIES, "great_britain")):
        war, _ = meeting()
        war.initiative(side).run(SeaStage())
        assert war.asked == role
        war.dice(1, *[6] * 2).do(role, Night(True))
        assert war.saw(Conditions, lambda e: e.conditions == "@night-good")


@pytest.mark.rule("w2e-adv-naval-conditions-effects")
@pytest.mark.parametrize(
    ("weather", "ships", "planes"),
    [(CALM_DAY, [4, 3, 2], [4]), (FOUL_DAY, [3, 2, 1], [2]), (CLEAR_NIGHT, [3, 2, 1], []), (FOUL_NIGHT, [2, 1], [])],
)
def test_what_the_conditions_do(weather: int, ships: list[int], planes: list[int]) -> None:
    war = board()
    fleet = war.many("great_britain", "london_port", battleship=1, cruiser=1, destroyer=1)
    bomber = war.put("great_britain", "tac_bomber", "london")
    foe = war.put("germany", "battleship", "brest_port")
    sea = A.index[SEA]

    def values(units: list[str]) -> list[int]:
        shots = sea_shots(war.m, sea, [war.number(u) for u in units], [war.number(foe)], first_round=True,
                          weather=WEATHER[weather])  # fmt: skip
        return [shot.value for shot in shots]

    assert values(fleet) == ships  # a value of 0 never hits and rolls no die
    assert values([bomber]) == planes


@pytest.mark.rule("w2e-adv-naval-conditions-effects")
def test_planes_take_no_part_at_night_not_even_as_targets() -> None:
    war, units = meeting(planes=True)
    war.run(SeaStage())
    war.dice(5, *[6] * 2).do("germany", Night(False))
    war.do("great_britain", Arrive(units["bomber"], 1))
    battle = war.step
    assert isinstance(battle, Battle)
    assert war.number(units["bomber"]) not in battle.att
    assert war.where(units["bomber"]) == SEA


@pytest.mark.rule("w2e-adv-naval-conditions-effects")
def test_a_carrier_keeps_its_planes_on_deck_at_night() -> None:
    for weather, flies in ((CALM_DAY, True), (CLEAR_NIGHT, False)):
        war = board()
        carrier = war.put("great_britain", "carrier", "gibraltar_port")
        plane = war.put("great_britain", "fighter", "gibraltar_port", aboard=carrier)
        foe = war.put("germany", "battleship", "brest_port")
        for name in (carrier, plane, foe):
            war.state.space = put(war.state.space, war.number(name), A.index[SEA])
        war.dice(*[6] * 2)
        war.run(Battle(A.index[SEA], AXIS, True, (war.number(foe),), (war.number(carrier),), weather=weather))
        assert (war.state.cargo_of[war.number(plane)] < 0) is flies


@pytest.mark.rule("w2e-adv-naval-air")
def test_planes_come_in_any_round_their_owner_names() -> None:
    war, units = meeting(planes=True)
    war.run(SeaStage())
    war.dice(1).do("germany", Night(False))
    assert war.asked == "great_britain"
    rounds = {a.round for a in war.offered(Arrive, "great_britain")}
    assert {1, 2, 3} <= rounds
    war.dice(*[6] * 2).do("great_britain", Arrive(units["bomber"], 3))
    war.do("great_britain", Fight())  # the bomber does not abort
    assert war.dice_left() == 0  # round 1: cruiser and battleship
    war.dice(*[6] * 3)
    war.do("great_britain", Fight()).do("germany", Fight())
    assert war.dice_left() == 0  # round 2: the destroyer has come
    war.dice(*[6] * 4)
    war.do("great_britain", Fight()).do("germany", Fight())
    assert war.dice_left() == 0  # round 3: and the bomber


@pytest.mark.rule("w2e-adv-naval-declare")
def test_a_unit_moves_patrols_one_space_or_raids() -> None:
    war = board()
    ship, sub = war.put("germany", "destroyer", "brest_port"), war.put("germany", "submarine", "brest_port")
    convoy = war.convoy("great_britain", "bristol_port", "western_approaches", "vigo_port")
    war.run(Movement(AXIS, fronts=EVERY))
    assert not war.allows("germany", Patrol("brest_port", ("western_approaches",), (sub,)))  # it always avoids
    assert not war.allows("germany", Raid(ship, ("western_approaches",), convoy))
    war.do("germany", Patrol("brest_port", ("western_approaches", SEA), (ship,)))
    war.do("germany", Raid(sub, ("western_approaches",), convoy))
    assert not war.allows("germany", Sail("brest_port", ("bay_of_biscay",), (ship,)))
    number = war.number(ship)
    spaces = [A.index["western_approaches"], A.index[SEA]]
    assert [patrols_at(war.state, number, s) for s in spaces] == [False, True]
    assert [avoids_at(war.state, number, s) for s in spaces] == [True, False]  # on the way it avoids


@pytest.mark.rule("w2e-adv-naval-auto")
def test_a_unit_patrolling_where_it_began_always_finds() -> None:
    war = board()
    hunter = war.put("great_britain", "destroyer", "bristol_port")
    prey = war.put("germany", "destroyer", "brest_port")
    war.order(ALLIES, ORDER_PATROL, ("western_approaches",), hunter)
    war.order(AXIS, ORDER_MOVE, ("brest_port", "western_approaches"), prey)
    assert needed(war.m, [war.number(hunter)], A.index["western_approaches"]) == 6
    war.run(SeaStage())  # no die is asked for
    assert war.saw(Sought, lambda e: e.found == (prey,))


@pytest.mark.rule("w2e-adv-naval-auto")
def test_submarines_on_strategic_warfare_always_find_their_convoy() -> None:
    war = board()
    convoy = war.convoy("great_britain", "bristol_port", "western_approaches", "vigo_port", destroyer=1)
    sub = war.put("germany", "submarine", "bordeaux_port")
    path = ("bordeaux_port", "bay_of_biscay", "western_approaches")
    war.order(AXIS, ORDER_HUNT, path, sub, target=int(convoy.split()[1]))
    war.state.flags = put(war.state.flags, war.number(sub), war.state.flags[war.number(sub)] | RAIDING)
    war.dice(4, 4).run(StrategicStage())  # its own roll and the escort's: none to find the convoy
    assert war.parked
    assert not war.saw(Sought)


@pytest.mark.rule("w2e-adv-naval-abort")
def test_planes_may_abort_before_the_battle_and_survivors_may_go_home() -> None:
    war, units = meeting(planes=True)
    war.run(SeaStage())
    war.dice(1).do("germany", Night(False)).do("great_britain", Arrive(units["bomber"], 1))
    assert war.stands(Battle, "abort-a")
    assert not war.allows("great_britain", Abort((units["near"],)))  # ships stay
    war.dice(*[6] * 2).do("great_britain", Abort((units["bomber"],)))
    assert war.where(units["bomber"]) == "london"


@pytest.mark.rule("w2e-adv-naval-abort")
def test_a_ship_that_survives_an_interception_goes_on_or_home() -> None:
    war = board()
    prey = war.put("germany", "battleship", "brest_port")
    war.order(AXIS, ORDER_PATROL, ("brest_port", "western_approaches", SEA), prey)
    hunter = war.put("great_britain", "destroyer", "bristol_port")
    war.order(ALLIES, ORDER_PATROL, ("bristol_port", "western_approaches"), hunter)
    war.dice(1).run(SeaStage())
    war.dice(1, 6, 1).do("germany", Night(False))  # the destroyer misses and is sunk
    assert isinstance(war.step, AfterBattle)
    assert war.asked == "germany"
    assert war.allows("germany", Fight())
    war.do("germany", Abort((prey,)))
    assert war.where(prey) == "brest_port"


@pytest.mark.rule("w2e-adv-naval-unclear")
def test_where_nothing_is_clearly_first_the_initiative_player_chooses_his_own_patrol() -> None:
    war = board()
    first, second = war.many("germany", "brest_port", destroyer=2)
    british = war.put("great_britain", "destroyer", "bristol_port")
    other = "western_approaches"
    war.order(AXIS, ORDER_PATROL, ("brest_port", other, SEA), first)
    war.order(ALLIES, ORDER_PATROL, ("glasgow_port", "nw_approaches", SEA, other), british)
    war.order(AXIS, ORDER_MOVE, ("brest_port", other, SEA), second)
    left = encounters(war.m)
    assert set(left) == {A.index[other], A.index[SEA]}
    assert next_encounters(war.m, left) == [A.index[SEA]]
    war.initiative(ALLIES)
    assert next_encounters(war.m, left) == [A.index[other]]


@pytest.mark.rule("w2e-adv-naval-pause")
def test_nothing_moves_on_before_a_crossing_is_settled() -> None:
    war = board()
    ship = war.put("germany", "battleship", "brest_port")
    war.order(AXIS, ORDER_PATROL, ("brest_port", "western_approaches", SEA), ship)
    guard = war.put("great_britain", "destroyer", "bristol_port")
    war.order(ALLIES, ORDER_PATROL, ("bristol_port", "western_approaches"), guard)
    target = war.put("great_britain", "destroyer", "glasgow_port")
    war.order(ALLIES, ORDER_MOVE, ("glasgow_port", "nw_approaches", SEA), target)
    convoy = war.convoy("great_britain", "bristol_port", "western_approaches", "vigo_port")
    assert next_encounters(war.m, encounters(war.m)) == [A.index["western_approaches"]]
    war.dice(1).run(SeaStage())
    war.dice(1, 2, 6, 2, 6).do("germany", Night(False))
    # hit in both rounds on the way it never gets to its patrol
    while not war.parked and war.where(ship) != "dead":
        war.dice(*[2, 6] * 3).do(war.asked, Fight())
    assert war.where(ship) == "dead"
    assert war.parked
    assert war.where(target) == SEA
    assert convoy == "convoy 0"


@pytest.mark.rule("w2e-adv-naval-convoy-limits", "w2e-convoy-units-no-patrol")
def test_convoy_ships_get_no_orders_and_only_one_convoy_is_attacked() -> None:
    war = board()
    war.convoy("great_britain", "bristol_port", "western_approaches", "vigo_port", destroyer=1)
    war.convoy("great_britain", "bristol_port", "western_approaches", "brest_port")
    escort = next(f"destroyer#{u}" for u, kind in enumerate(war.state.kind) if kind == A.kinds.destroyer)
    hunter = war.put("germany", "battleship", "brest_port")
    war.order(AXIS, ORDER_PATROL, ("brest_port", "western_approaches"), hunter)
    war.initiative(ALLIES).run(Movement(ALLIES, fronts=EVERY))
    assert not war.allows("great_britain", Patrol("western_approaches", (), (escort,)))
    assert reason(war.refusal("great_britain", Sail("bristol_port", ("irish_sea",), (escort,)))) == "w2e-movement-order"
    war.initiative(AXIS).dice(5).run(SeaStage())
    assert war.asked == "germany"
    assert {a.convoy for a in war.offered(ChooseConvoy, "germany")} == {"convoy 0", "convoy 1"}
    war.do("germany", ChooseConvoy("convoy 0"))
    assert {war.state.convoy[u] for u in assembled(war).dfn} == {0}
    assert not war.saw(BattleBegan)
