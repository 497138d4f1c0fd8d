"""Strategic Warfare: who is hit by what, in which order, and what it costs; and where ships and planes go home to."""

import pytest

from sandtable.core.columns import put
from sandtable.games.ww2_europe.facts.landings import fighters_in
from sandtable.games.ww2_europe.model.actions import Divert, Escort, Fly, Lose, Raid, Sail
from sandtable.games.ww2_europe.model.events import Bombed, Lost
from sandtable.games.ww2_europe.model.state import DROPPED, HOME_BOUND, ORDER_HUNT, ORDER_MOVE, RAIDING
from sandtable.games.ww2_europe.rules.fire import land_shots
from sandtable.games.ww2_europe.rules.homecoming import other_bases
from sandtable.games.ww2_europe.rules.homecoming_phase import ReturnHome
from sandtable.games.ww2_europe.rules.interception import is_at_sea
from sandtable.games.ww2_europe.rules.movement_phase import Movement
from sandtable.games.ww2_europe.rules.strategic_phase import StrategicStage
from sandtable.games.ww2_europe.rules.strength import Volley
from tests.games.ww2_europe.war import ALLIES, AXIS, A, War

EVERY = tuple(range(len(A.fronts)))


def raid(war: War, power: str, target: str, base: str, *, bombers: int = 1, escorts: int = 0) -> list[str]:
    """Bombers on their way, with fighters beside them."""
    units = war.many(power, base, bomber=bombers, fighter=escorts)
    side = A.side[A.power_index[power]]
    for name in units[:bombers]:
        war.order(side, ORDER_HUNT, (base, target), name, target=A.index[target])
    for name in units:
        war.state.flags = put(war.state.flags, war.number(name), war.state.flags[war.number(name)] | RAIDING)
        war.state.space = put(war.state.space, war.number(name), A.index[target])
    return units


@pytest.mark.rule("w2e-strategic-damage", "w2e-ussr-no-rp-loss", "w2e-unit-bomber-disruption")
@pytest.mark.parametrize(
    ("attacker", "base", "target", "owner", "points"),
    [
        ("great_britain", "liege", "essen", "germany", 1),  # a Homeland factory
        ("great_britain", "liege", "brussels", "germany", 0),  # a factory in conquered land
        ("germany", "minsk", "moscow", "ussr", 0),  # the Soviets lose no points
        ("great_britain", "tunis", "sicily", "italy", 0),  # a resource zone
    ],
)
def test_a_hit_costs_the_value_and_a_point_for_a_homeland_factory(
    attacker: str, base: str, target: str, owner: str, points: int
) -> None:
    war = War("summer 1942").fund(**{owner: 100}).points(**{owner: 5})
    war.own("germany", "brussels")
    raid(war, attacker, target, base)
    war.dice(3).run(StrategicStage())
    value = A.value[A.index[target]]
    assert war.state.damaged[A.index[target]] == 1
    assert (war.money(owner), war.rps(owner)) == (100 - value, 5 - points)
    assert war.saw(Bombed, lambda e: (e.dollars, e.points) == (value, points))


@pytest.mark.rule("w2e-strategic-damage", "w2e-stage1-bomb")
def test_only_one_hit_counts_and_a_miss_does_nothing() -> None:
    war = War("summer 1942").fund(germany=100).points(germany=5)
    raid(war, "great_britain", "essen", "liege", bombers=2)
    war.dice(1, 3).run(StrategicStage())
    assert (war.money("germany"), war.rps("germany")) == (85, 4)
    raid(war, "great_britain", "essen", "liege")
    war.dice(1).run(StrategicStage())  # damaged already
    assert (war.money("germany"), war.rps("germany")) == (85, 4)
    raid(war, "great_britain", "berlin", "liege")
    war.dice(4).run(StrategicStage())
    assert not war.state.damaged[A.index["berlin"]]


@pytest.mark.rule("w2e-stage1-fight", "w2e-unit-fighter-escort")
def test_the_air_fight_over_the_target() -> None:
    """Escort hits on 4, bomber on 1, defending fighters on 3; the shot down still answer."""
    war = War("summer 1943")
    defenders = war.many("germany", "essen", fighter=2)
    bomber, escort = raid(war, "usa", "essen", "liege", escorts=1)
    # bomber 2 misses, escort 4 hits; both fighters answer: 3 hits, 4 misses
    war.dice(2, 4, 3, 4).run(StrategicStage())
    assert war.dice_left() == 0
    assert war.asked == "usa"  # its owner says which plane is lost
    assert [war.where(u) for u in defenders].count("dead") == 1
    assert {a.unit for a in war.offered(Lose, "usa")} == {bomber, escort}
    war.dice(3).do("usa", Lose(escort))  # so the bomber lives to bomb
    assert war.state.damaged[A.index["essen"]]
    assert war.parked


@pytest.mark.rule("w2e-stage1-fight", "w2e-stage1-bomb")
def test_bombers_shot_down_drop_nothing() -> None:
    war = War("summer 1943")
    war.many("germany", "essen", fighter=1)
    (bomber,) = raid(war, "usa", "essen", "liege")
    war.dice(2, 3).run(StrategicStage())
    assert war.parked
    assert war.where(bomber) == "dead"
    assert not war.state.damaged[A.index["essen"]]


@pytest.mark.rule("w2e-strategic-convoy", "w2e-stage1-defend", "w2e-unit-sub-strategic")
def test_a_hit_on_a_convoy_sinks_a_transport_and_nothing_else() -> None:
    war = War("summer 1942")
    war.own("great_britain", "vigo").own("germany", "brest")
    convoy = war.convoy("great_britain", "bristol_port", "western_approaches", "vigo_port", transports=2, destroyer=2)
    kinds = [A.kinds.names[kind] for kind in war.state.kind]
    ships = [f"{name}#{u}" for u, name in enumerate(kinds)]
    subs = war.many("germany", "brest_port", submarine=2)
    for sub in subs:
        war.order(AXIS, ORDER_HUNT, ("brest_port", "western_approaches"), sub, target=int(convoy.split()[1]))
        war.state.flags = put(war.state.flags, war.number(sub), war.state.flags[war.number(sub)] | RAIDING)
    # one submarine hits; of the two escorts one answers with a 3
    war.dice(3, 4, 3, 4).run(StrategicStage())
    assert [war.where(s) for s in ships if s.startswith("transport")].count("dead") == 1
    assert [war.where(s) for s in ships if s.startswith("destroyer")] == ["convoy", "convoy"]
    assert [war.where(s) for s in subs].count("dead") == 1


@pytest.mark.rule("w2e-strategic-convoy", "w2e-convoy-cancel")
def test_with_its_last_transport_a_convoy_ends() -> None:
    war = War("summer 1942")
    war.own("great_britain", "vigo").own("germany", "brest")
    war.convoy("great_britain", "bristol_port", "western_approaches", "vigo_port", destroyer=1)
    sub = war.put("germany", "submarine", "brest_port")
    war.order(AXIS, ORDER_HUNT, ("brest_port", "western_approaches"), sub, target=0)
    war.state.flags = put(war.state.flags, war.number(sub), war.state.flags[war.number(sub)] | RAIDING)
    war.dice(3, 4).run(StrategicStage())
    assert war.asked == "great_britain"  # where does the escort go?
    war.do("great_britain", Divert("vigo_port"))
    assert war.state.convoys == ()
    assert war.where("destroyer#1") == "vigo_port"


@pytest.mark.rule("w2e-strategic-targets", "w2e-unit-bomber-strategic", "w2e-unit-fighter-escort")
def test_who_may_raid_what() -> None:
    war = War("summer 1942").initiative(ALLIES)
    war.own("germany", "brussels", "brest", "cherbourg")
    bomber, fighter = war.put("great_britain", "bomber", "london"), war.put("great_britain", "fighter", "london")
    war.run(Movement(ALLIES, fronts=EVERY))
    path = ("north_sea", "brussels")
    assert not war.allows("great_britain", Raid(fighter, path, "brussels"))
    assert not war.allows("great_britain", Raid(bomber, ("english_channel", "cherbourg"), "brussels"))
    assert not war.allows("great_britain", Escort(fighter, path))  # nobody to escort yet
    war.do("great_britain", Raid(bomber, path, "brussels"))
    war.do("great_britain", Escort(fighter, path))
    assert war.where(fighter) == war.where(bomber) == "brussels"


@pytest.mark.rule("w2e-stage4", "w2e-strategic-targets", "w2e-unit-fighter-escort")
def test_who_was_driven_from_a_base_and_is_given_an_order_takes_part_again() -> None:
    war = War("summer 1942").initiative(ALLIES).fund(germany=100)
    war.own("germany", "brussels", "brest", "cherbourg")
    bomber, escort, fighter = (
        war.put("great_britain", k, "london", flags=HOME_BOUND) for k in ("bomber", "fighter", "fighter")
    )
    ship = war.put("great_britain", "destroyer", "bristol_port", flags=HOME_BOUND)
    war.run(Movement(ALLIES, fronts=EVERY))
    war.do("great_britain", Raid(bomber, ("north_sea", "brussels"), "brussels"))
    war.do("great_britain", Escort(escort, ("north_sea", "brussels")))
    war.do("great_britain", Fly(fighter, ("english_channel", "cherbourg")))
    assert not is_at_sea(war.state, war.number(ship))
    war.do("great_britain", Sail("bristol_port", ("western_approaches",), (ship,)))
    assert is_at_sea(war.state, war.number(ship))
    assert war.number(fighter) in fighters_in(war.state, A.index["cherbourg"])[ALLIES]
    war.dice(1).run(StrategicStage())
    assert war.saw(Bombed, lambda e: e.dollars == A.value[A.index["brussels"]])


@pytest.mark.rule("w2e-stage3-battleships")
def test_a_bomber_that_drops_airborne_troops_does_not_fire() -> None:
    war = War("summer 1942")
    bomber, other = war.put("germany", "bomber", "crete", flags=DROPPED), war.put("germany", "bomber", "crete")
    foe = war.put("great_britain", "infantry", "crete")
    shots = land_shots(
        war.m,
        Volley(A.index["crete"], [], False, first_round=True),
        [war.number(bomber), war.number(other)],
        [war.number(foe)],
    )
    assert [shot.unit for shot in shots] == [war.number(other)]


@pytest.mark.rule("w2e-stage1-fight", "w2e-stage1-bomb", "w2e-stage1-defend")
def test_each_loss_of_a_raid_names_the_step_it_fell_in() -> None:
    war = War("summer 1942")
    war.own("great_britain", "vigo").own("germany", "brest")
    war.convoy("great_britain", "bristol_port", "western_approaches", "vigo_port", transports=2, destroyer=1)
    subs = war.many("germany", "brest_port", submarine=1, u_boat=1)
    for sub in subs:
        war.order(AXIS, ORDER_HUNT, ("brest_port", "western_approaches"), sub, target=0)
        war.state.flags = put(war.state.flags, war.number(sub), RAIDING)
    war.dice(1, 6, 1).run(StrategicStage())
    assert [offer.rule for offer in war.match.offers("germany").offers] == ["w2e-stage1-defend"]
    assert {event.why for event in war.happened(Lost)} == {"w2e-stage1-bomb"}
    war.do("germany", Lose(subs[0]))
    assert [event.why for event in war.happened(Lost)] == ["w2e-stage1-defend"]
    air = War("summer 1943")
    air.many("germany", "essen", fighter=1)
    raid(air, "usa", "essen", "liege")
    air.dice(1, 6, 6).run(StrategicStage())
    assert [event.why for event in air.happened(Lost)] == ["w2e-stage1-fight"]


@pytest.mark.rule("w2e-stage4")
def test_without_its_base_a_unit_goes_to_the_closest_one() -> None:
    war = War("summer 1942")
    ship = war.put("great_britain", "destroyer", "malta_port")
    war.order(ALLIES, ORDER_MOVE, ("malta_port", "gulf_of_sirte", "libyan_sea"), ship)
    war.own("italy", "malta").own("great_britain", "crete")
    assert other_bases(war.m, war.number(ship)) == ["crete_port"]  # one space; Alexandria is two
    war.run(ReturnHome())
    assert war.parked
    assert war.where(ship) == "crete_port"
    plane = war.put("germany", "fighter", "warsaw")
    war.own("germany", "krakow", "danzig").own("ussr", "warsaw")
    war.run(ReturnHome())
    assert war.where(plane) == "warsaw"
    assert {a.to for a in war.offered(Divert, "germany")} == {"danzig", "konigsberg", "breslau"}  # Krakow has no base
