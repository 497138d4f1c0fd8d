"""Nobody is called away, shipped off or put where they are lost."""

import msgspec

from sandtable.core import Match
from sandtable.core.bits import bits
from sandtable.games import find
from sandtable.games.munich_war.model.actions import Arrive, Ship
from sandtable.games.munich_war.model.atlas import ALLIES, ASSAULT, ATLAS, AXIS
from sandtable.games.munich_war.model.state import OUT, lay
from sandtable.games.munich_war.players.choices import arrive_action, has_room
from sandtable.games.munich_war.players.fighting import risk_of_leaving
from sandtable.games.munich_war.players.general import General
from sandtable.games.munich_war.players.lore import Doctrine
from sandtable.games.munich_war.players.marching import Marching
from sandtable.games.munich_war.players.scene import Scene
from sandtable.games.munich_war.players.shipping import plan_sea
from sandtable.games.munich_war.rules.mobilization_phase import Arrivals
from sandtable.players import Budget, make
from tests.games.munich_war.positions import Position, country, unit

GAME = find("munich-war")


def test_the_last_unit_of_a_port_stays():
    """The corps in Konigsberg is shipped to Germany only while the fort is left behind."""
    match = Match.new(GAME, "little-entente", seed=3)
    players = {role: make("captain", GAME, f"3/{role}") for role in match.roles}
    while type(match.step).__name__ != "Movement":
        role = match.decisions()[0]
        match.apply(role, players[role].decide(match.view(role), match.offers(role), Budget()))

    def voyages():
        scene = Scene(match.play, AXIS, Doctrine(watch=12, wary=True))
        return [o for o in plan_sea(scene, Marching(scene), match.offers("axis")) if isinstance(o, Ship)]

    assert [order.units for order in voyages()] == [("GE-01",)]
    lay(match.state, unit("GE-KB"), OUT)
    assert voyages() == []


def test_generals_do_not_ship_off_who_can_take_a_city_on_land():
    """Three corps wait in Konigsberg: one walks into Memel and two storm Kaunas; they do not sail to Memel."""
    match = Match.new(GAME, "little-entente", seed=3)
    players = {role: make("general", GAME, f"3/{role}") for role in match.roles}
    while type(match.step).__name__ != "Movement":
        role = match.decisions()[0]
        match.apply(role, players[role].decide(match.view(role), match.offers(role), Budget(60.0, 1)))

    def voyages(doctrine):
        scene = Scene(match.play, AXIS, doctrine)
        march = Marching(scene)
        found = [order for order in plan_sea(scene, march, match.offers("axis")) if isinstance(order, Ship)]
        march.plan()
        return found, [ATLAS.hex_name[attack.target] for attack in march.attacks]

    usual = General.usual[AXIS]
    shipped, attacked = voyages(msgspec.structs.replace(usual, spare=False))
    assert [(order.to, len(order.units)) for order in shipped] == [("3307", 3)]
    assert "3508" not in attacked
    shipped, attacked = voyages(usual)
    assert shipped == []
    assert "3508" in attacked


def test_a_garrison_that_stands_already_is_not_posted_again():
    """One of three corps in Memel is enough against the Lithuanian one; the others go for Kaunas and Riga."""
    war = Position("little-entente").join("Lithuania", ALLIES).put("LI-I", "3508")
    war.put("LA-I", "3506").put("ES-I", "3603").put("GE-KB", "3209").put("FR-1", "1319")
    for name in ("GE-01", "GE-05", "GE-12"):
        war.put(name, "3307")
    march = Marching(Scene(war.m, AXIS, General.usual[AXIS]))
    march.plan()
    ends = [ATLAS.hex_name[march.orders[unit(name)][0]] for name in ("GE-01", "GE-05", "GE-12")]
    assert ends.count("3307") == 1


def test_the_last_unit_of_a_city_is_not_posted_to_another_of_no_more_worth():
    """Kaunas was emptied for Riga, which counts as much, and lost without a battle."""
    war = Position("western-powers-guarantee").put("PL-LOD", "3212").put("GE-02", "2511").put("HU-1", "3019")
    war.join("Lithuania", ALLIES).join("Latvia", ALLIES).join("Soviet Union", ALLIES)
    war.put("GE-18", "3508").put("GE-05", "3506").put("SU-2", "3604").put("SU-T1", "3603").put("SU-3", "3706")

    def corps_of_kaunas(doctrine):
        march = Marching(Scene(war.m, AXIS, doctrine))
        march.garrison()
        at, _ = march.orders.get(unit("GE-18"), (march.origin[unit("GE-18")], False))
        return ATLAS.hex_name[at]

    usual = General.usual[AXIS]
    assert corps_of_kaunas(msgspec.structs.replace(usual, spare=False)) == "3506"
    assert corps_of_kaunas(usual) == "3508"


def test_two_armies_do_not_stay_in_one_port():
    """An army arrives where another stands on guard: one of them walks on, or it would be disbanded."""
    war = Position("anti-comintern-war").put("SU-1", "4002").put("SU-9", "4002").put("GE-18", "3804")
    march = Marching(Scene(war.m, ALLIES, General.usual[ALLIES]))
    march.plan()
    ends = [ATLAS.hex_name[march.orders[unit(name)][0]] for name in ("SU-1", "SU-9")]
    assert ends.count("4002") == 1


def test_who_cannot_walk_on_arrives_first():
    war = Position().put("GE-17", "turn 2").put("GE-F4", "turn 2").put("GE-F2", "2511").phase(Arrivals(AXIS))
    found = arrive_action(Scene(war.m, AXIS, Doctrine(), rough=True))
    assert isinstance(found, Arrive)
    assert found.unit == "GE-F4"
    assert found.to != "2511"


def test_nobody_who_cannot_walk_is_raised_without_a_city_for_them():
    czechs = country("Czechoslovakia")
    war = Position().put("CZ-F1", "2415").put("CZ-F2", "2515")
    assert has_room(war.m, czechs)
    assert not has_room(war.put("CZ-F3", "turn 3").m, czechs)
    assert not has_room(war.put("CZ-F3", "2716").m, czechs)
    assert has_room(war.put("CZ-F3", "eliminated").m, czechs)


def test_a_lone_garrison_is_a_post_for_cities_of_no_more_worth():
    war = Position("little-entente").put("GE-01", "2511").put("GE-02", "2312")
    march = Marching(Scene(war.m, AXIS, Doctrine()))
    assert not march.is_post(unit("GE-01"), 1.0)
    march.give(unit("GE-01"), ATLAS.hex_number["2511"])
    march.give(unit("GE-02"), ATLAS.hex_number["2312"])
    assert march.is_post(unit("GE-01"), 15.0)
    assert march.is_post(unit("GE-02"), 1.0)
    assert not march.is_post(unit("GE-02"), 5.0)


def test_flak_alone_is_no_garrison_for_a_capital_in_danger():
    """A corps that attacks out of Berlin may be thrown back. Flak would be all that is left before two armies."""
    war = Position("general-war").put("GE-04", "2511").put("GE-F2", "2511")
    war.put("PL-POS", "2611").put("PL-LOD", "2612")
    assert ATLAS.hex_number["2611"] in set(bits(ATLAS.zone[ATLAS.hex_number["2511"]]))

    def risk():
        return risk_of_leaving(Scene(war.m, AXIS, Doctrine()), (unit("GE-04"),), ASSAULT, 2)

    assert risk() > 5
    war.put("GE-15", "2511").put("GE-17", "2511")
    assert risk() == 0


def test_a_city_in_danger_does_not_empty_a_fortified_line_if_others_can_come():
    war = Position("general-war").put("GE-04", "1816").put("GE-11", "2015").put("FR-2", "1815")
    march = Marching(Scene(war.m, AXIS, Doctrine(watch=12, wary=True, ahead=True)))
    march.plan()
    ends = {name: ATLAS.hex_name[march.orders[unit(name)][0]] for name in ("GE-04", "GE-11")}
    assert ends == {"GE-04": "1816", "GE-11": "2117"}


def test_no_neutral_is_invaded_in_the_hope_of_special_forces(monkeypatch):
    """They may be needed elsewhere, and the neutral is an enemy then whatever comes of it."""
    war = Position("general-war").put("GE-AB", "available").put("GE-WF", "3306").put("LA-I", "3506")

    def planned(*, neutral=True):
        scene = Scene(war.m, AXIS, Doctrine(raid=1.0))
        march = Marching(scene)
        assert march.teams == 1
        if not neutral:
            monkeypatch.setattr(scene, "neutral", lambda at: False)
        return march.best_attack(ATLAS.hex_number["3506"], country("Germany"))

    assert planned() is None
    assert planned(neutral=False) is not None


def test_no_attack_is_made_out_of_a_neutral():
    """From 1810 in the Netherlands, too, Germans could attack the French who have come to 1811."""
    war = Position("general-war").put("FR-1", "1811").put("GE-06", "2010")
    march = Marching(Scene(war.m, AXIS, Doctrine(bold=-9)))
    assert march.scene.reach(unit("GE-06")) >> ATLAS.hex_number["1810"] & 1
    found = march.best_attack(ATLAS.hex_number["1811"], country("Germany"))
    assert found is not None
    assert not march.scene.neutral(found.orders[unit("GE-06")][0])


def test_who_attacks_does_not_crowd_the_hex_where_others_stay():
    """Three are told to stay in a city; a fourth that has arrived there attacks from another hex or not at all."""
    war = Position("general-war")
    for name in ("GE-03", "GE-09", "GE-07", "GE-MAR"):
        war.put(name, "2814")
    war.put("CZ-1", "2714")
    march = Marching(Scene(war.m, AXIS, Doctrine(bold=-9)))
    for name in ("GE-03", "GE-09", "GE-07"):
        march.give(unit(name), ATLAS.hex_number["2814"])
    found = march.best_attack(ATLAS.hex_number["2714"], country("Germany"))
    assert found is None or ATLAS.hex_name[found.orders[unit("GE-MAR")][0]] != "2814"


def test_two_that_may_not_stay_together_do_not_attack_from_one_hex():
    """An army and a corps in one hex: only one of them may attack from there."""
    war = Position("anti-comintern-war").put("SU-7", "4101").put("SU-MI", "4101").put("PL-LOD", "4102")
    march = Marching(Scene(war.m, ALLIES, Doctrine(bold=-9)))
    found = march.best_attack(ATLAS.hex_number["4102"], country("Soviet Union"))
    assert found is not None
    assert [ATLAS.hex_name[at] for at, _ in found.orders.values()].count("4101") == 1


def test_nobody_arrives_in_a_city_that_is_full_and_shut_in():
    """A corps comes to Leningrad, where an army stands: only while one of them can walk on."""

    def place(*enemies):
        war = Position("anti-comintern-war").put("SU-7", "4101").put("SU-MI", "turn 2")
        war.put("PL-KAR", "3910")
        for name, at in enemies:
            war.put(name, at)
        found = arrive_action(Scene(war.phase(Arrivals(ALLIES)).m, ALLIES, Doctrine(), rough=True))
        assert isinstance(found, Arrive)
        return found.to

    assert place(("PL-LOD", "4102")) == "4101"
    assert place(("PL-LOD", "4102"), ("FI-2", "4001")) != "4101"
