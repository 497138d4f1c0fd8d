"""The example of multiple interceptions with the regular naval rules."""

import pytest

from sandtable.games.ww2_europe.model.actions import Abort, ChooseBattle, Combine, Evade, Fight, Lose, Retreat, Separate
from sandtable.games.ww2_europe.model.events import BattleBegan, Evaded, Sought
from sandtable.games.ww2_europe.rules.battle_phase import Battle
from sandtable.games.ww2_europe.rules.interception import before, encounters, involved, needed, next_encounters
from sandtable.games.ww2_europe.rules.interception_phase import Encounter, SeaStage
from tests.games.ww2_europe.examples.mediterranean import WHERE, Mediterranean
from tests.games.ww2_europe.war import A


def places(spaces: object) -> set[str]:
    names = {A.index[place]: letter for letter, place in WHERE.items()}
    return {names[space] for space in spaces}  # type: ignore[attr-defined]


@pytest.mark.rule("w2e-ex-multi-setup", "w2e-no-patrol")
def test_paths_cross_in_five_spaces_and_four_of_them_are_encounters() -> None:
    war = Mediterranean()
    sides = [
        {A.names[s] for task in war.state.tasks if task.side == side for s in task.path if A.is_water[s]}
        for side in (0, 1)
    ]
    sides[1] |= {"malta_port"}  # where the British ships lie that got no orders
    assert sides[0] & sides[1] == set(WHERE.values())
    assert sides[0] == {*WHERE.values(), "taranto_port"}  # the six spaces of the Italians
    assert places(encounters(war.m)) == {"A", "B", "C", "E"}


@pytest.mark.rule("w2e-ex-multi-contents", "w2e-sea-face-all-units")
def test_whoever_attacks_a_space_faces_all_units_that_pass_it() -> None:
    war = Mediterranean()
    number = war.number
    mine = (war.transport, war.first, war.second, war.third, war.fourth, war.rome, war.tripoli)
    italians = {
        letter: {number(u) for u in mine} & set(involved(war.m, A.index[place])) for letter, place in WHERE.items()
    }
    fleet = {number(u) for u in (war.first, war.second, war.third, war.fourth, war.rome, war.transport)}
    assert italians["B"] == fleet  # 2 battleships, 2 destroyers, 1 fighter, a transport
    assert war.state.cargo_of[number(war.infantry)] == number(war.transport)  # and it is loaded
    assert italians["E"] == {number(war.fourth), number(war.tripoli)}
    assert italians["A"] == {number(war.third)}


@pytest.mark.rule("w2e-ex-multi-dependencies")
def test_what_must_come_before_what() -> None:
    war = Mediterranean()
    every = [A.index[place] for place in WHERE.values()]
    earlier = {letter: places(before(war.m, every)[A.index[place]]) for letter, place in WHERE.items()}
    assert earlier["A"] == set()
    assert earlier["B"] == {"A", "D", "E"}
    assert earlier["C"] == {"B", "E"}
    assert earlier["E"] == {"D"}
    left = [space for space in encounters(war.m) if space != A.index[WHERE["A"]]]
    assert places(next_encounters(war.m, left)) == {"E"}


@pytest.mark.rule("w2e-ex-multi-order", "w2e-interception-multiple")
def test_the_order_is_a_e_b_c() -> None:
    war = Mediterranean().sail()
    assert {a.space for a in war.offered(ChooseBattle, "germany")} == {WHERE["A"], WHERE["E"]}
    assert not war.allows("germany", ChooseBattle(WHERE["B"]))
    assert not war.allows("germany", ChooseBattle(WHERE["C"]))
    order = []
    war.dice(5, *[6] * 40)
    war.do("germany", ChooseBattle(WHERE["A"]))
    while not war.parked:
        for step in war.state.stack:
            if isinstance(step, Encounter) and A.names[step.space] not in order:
                order.append(A.names[step.space])
        role = war.asked
        for action in (Evade(), Retreat(""), Separate(), Fight()):
            if war.allows(role, action):
                war.do(role, action)
                break
        else:
            aborts = war.offered(Abort, role)
            war.do(role, aborts[0])
    assert [letter for place in order for letter, name in WHERE.items() if name == place] == ["A", "B", "C"]
    # E needs no decision and so is not seen on the stack: it was fought between A and B (see the next tests)


@pytest.mark.rule("w2e-ex-multi-b1", "w2e-auto-evade")
def test_first_battle_the_destroyer_in_genoa_slips_away_from_ships() -> None:
    war = Mediterranean().sail()
    war.do("germany", ChooseBattle(WHERE["A"]))
    assert war.asked == "italy"
    rolled = war.state.rolled
    war.dice(5)
    war.do("italy", Evade())
    assert war.saw(Evaded, lambda e: e.units == (war.third,))
    sought = [e for e in war.events if isinstance(e, Sought)]
    assert [e.space for e in sought] == ["@tripoli_port"]  # nobody rolled in Genoa; the next encounter is E
    assert war.state.rolled == rolled + 1


@pytest.mark.rule("w2e-ex-multi-b2")
@pytest.mark.parametrize(("die", "found"), [(4, True), (5, False)])
def test_second_battle_the_fighter_rolls_for_the_destroyer_in_tripoli(die: int, found: bool) -> None:
    war = Mediterranean().sail(die)
    war.do("germany", ChooseBattle(WHERE["E"]))
    sought = next(e for e in war.events if isinstance(e, Sought))
    assert (sought.needed, sought.side) == (4, "@allies")
    assert sought.found == ((war.fourth,) if found else ())  # never the fighter, which flies on to Malta
    assert war.saw(BattleBegan, lambda e: e.space == "@tripoli_port") is found
    if found:
        battle = war.step
        assert isinstance(battle, Battle)
        assert battle.dfn == (war.number(war.fourth),)


def fight_at_b(war: Mediterranean) -> Mediterranean:
    war.do("germany", ChooseBattle(WHERE["A"]))
    war.dice(5)
    return war.do("italy", Evade())


@pytest.mark.rule("w2e-ex-multi-b3", "w2e-both-patrol")
def test_third_battle_is_automatic_for_the_patrols_and_the_winner_may_go_for_the_rest() -> None:
    war = fight_at_b(Mediterranean().sail())
    battle = war.step
    assert isinstance(battle, Battle)
    assert A.names[battle.space] == "tyrrhenian"
    number = war.number
    assert set(battle.dfn) == {number(u) for u in (war.second, war.third, war.fourth, war.rome)}
    assert set(battle.att) == {number(war.x), number(war.z)}
    war.dice(*[6] * 6)
    war.do("italy", Fight())  # the fighter does not turn back
    while not war.stands(Battle, "retreat-d"):
        war.do(war.asked, Fight())
    war.do("italy", Retreat(""))
    assert war.stands(Encounter, "chase")
    assert war.asked == "great_britain"
    assert war.allows("great_britain", Combine())
    assert war.allows("great_britain", Separate())
    assert war.allows("great_britain", Abort((war.x, war.z)))
    assert needed(war.m, [number(war.x), number(war.z)], A.index["tyrrhenian"]) == 3
    assert needed(war.m, [number(war.z)], A.index["tyrrhenian"]) == 4
    war.dice(3, 6, 6, 6)
    war.do("great_britain", Combine())
    sought = next(e for e in war.events if isinstance(e, Sought))
    assert (sought.needed, set(sought.found)) == (3, {war.first, war.transport})
    battle = war.step
    assert isinstance(battle, Battle)
    assert set(battle.att) == {number(war.x), number(war.z)}


@pytest.mark.rule("w2e-ex-multi-b3")
def test_third_battle_separate_rolls_use_each_distance() -> None:
    war = fight_at_b(Mediterranean().sail())
    war.dice(*[6] * 6)
    war.do("italy", Fight())
    while not war.stands(Battle, "retreat-d"):
        war.do(war.asked, Fight())
    war.do("italy", Retreat(""))
    war.dice(4, 4, 6, 6)
    war.do("great_britain", Separate())
    rolls = [(e.needed, bool(e.found)) for e in war.events if isinstance(e, Sought)]
    assert rolls == [(3, False), (4, True)]


@pytest.mark.rule("w2e-ex-multi-b4", "w2e-unit-sub-silent", "w2e-port-evade")
@pytest.mark.parametrize(("die", "found"), [(5, ()), (4, ("malta",)), (2, ("malta",)), (1, ("submarine", "malta"))])
def test_fourth_battle_the_fighter_alone_can_find_ships_in_malta(die: int, found: tuple[str, ...]) -> None:
    war = fight_at_b(Mediterranean().sail())
    war.dice(*[6] * 6)
    war.do("italy", Fight())
    while not war.stands(Battle, "retreat-a"):
        war.do(war.asked, Fight())
    war.do("great_britain", Retreat(""))
    while not war.stands(Encounter, "port"):
        war.do(war.asked, Separate() if war.allows(war.asked, Separate()) else Fight())
    port = war.step
    assert isinstance(port, Encounter)
    assert A.names[port.space] == "malta_port"
    assert war.asked == "great_britain"
    war.dice(die)
    war.do("great_britain", Evade())
    sought = next(e for e in war.events if isinstance(e, Sought))
    assert (sought.needed, sought.side) == (4, "@axis")
    assert set(sought.found) == {getattr(war, name) for name in found}
    if found:
        battle = war.step
        assert isinstance(battle, Battle)
        assert battle.att == (war.number(war.tripoli),)  # the battleship finds nobody in a British port


@pytest.mark.rule("w2e-ex-multi-tie")
def test_without_a_clear_first_the_initiative_player_names_a_space_he_patrols() -> None:
    """Two task forces that each pass the other's patrol: no order is forced."""
    from sandtable.games.ww2_europe.model.state import ORDER_PATROL
    from tests.games.ww2_europe.war import ALLIES, AXIS, War

    war = War("summer 1941", neutral=("usa", "ussr"))
    war.initiative(ALLIES)
    italians = war.put("italy", "destroyer", "genoa_port"), war.put("italy", "destroyer", "oran_port")
    british = [war.put("great_britain", "destroyer", port) for port in ("gibraltar_port", "malta_port")]
    war.order(AXIS, ORDER_PATROL, ("genoa_port", "tyrrhenian", "balearic_sea"), italians[0])
    war.order(AXIS, ORDER_PATROL, ("oran_port", "balearic_sea", "tyrrhenian"), italians[1])
    war.order(ALLIES, ORDER_PATROL, ("gibraltar_port", "alboran_sea", "balearic_sea"), british[0])
    war.order(ALLIES, ORDER_PATROL, ("malta_port", "gulf_of_gabes"), british[1])
    left = [A.index["balearic_sea"], A.index["tyrrhenian"]]
    assert next_encounters(war.m, left) == [A.index["balearic_sea"]]
    war.initiative(AXIS)
    assert set(next_encounters(war.m, left)) == set(left)
    assert SeaStage.rule == "w2e-ex-multi-tie"


@pytest.mark.rule("w2e-stage2-fire")
def test_the_doomed_fire_back() -> None:
    """Casualties of the attacker's fire still answer before they go."""
    war = fight_at_b(Mediterranean().sail())
    # British cruiser hits with a 3, destroyer misses; the Italians lose a destroyer but all four units fire
    war.dice(3, 6, 6, 6, 6, 6)
    war.do("italy", Fight())
    war.do("italy", Lose(war.third))
    assert war.where(war.third) == "dead"
    assert war.dice_left() == 0
