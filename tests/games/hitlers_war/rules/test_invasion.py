"""Amphibious invasions: procedure, naval fire, coastal air, invasion assault and advance."""

import pytest

from sandtable.core.columns import put
from sandtable.games.hitlers_war.model.actions import (
    Advance,
    Assault,
    Attack,
    CoastalAir,
    DefensiveAssault,
    Done,
    Exploit,
    Invade,
    Lose,
    NavalFire,
    Retreat,
    SupportFire,
)
from sandtable.games.hitlers_war.model.events import Fired
from sandtable.games.hitlers_war.rules.advance import chance
from sandtable.games.hitlers_war.rules.combat_phase import CombatPhase
from sandtable.games.hitlers_war.rules.invasion import has_coastal_air, sides_left
from sandtable.games.hitlers_war.rules.routes import Routes
from tests.games.hitlers_war.positions import ALLIES, AXIS, Position, at, no

FALL = "fall-of-germany"
BRITAIN = "Britain"
OVER = ("P7", "O8")
"""London to the French coast: one open-sea side."""


def landing(*, scenario: str = FALL, **strength: int) -> Position:
    p = Position(scenario)
    p.army(BRITAIN, "P7", **strength)
    return p


def invade(p: Position, *more: tuple[str, str, tuple[str, ...]]) -> Position:
    p.begin(ALLIES, CombatPhase())
    p.do(ALLIES, Invade(BRITAIN, "O8", OVER))
    for army, target, route in more:
        p.do(ALLIES, Invade(army, target, route))
    return p.do(ALLIES, Done())


def way(p: Position, army: str, target: str) -> tuple[str, ...]:
    """The route that is proposed."""
    return next(iter(Routes(p.state, no(army), at(target))))


def skip_to(p: Position, step: str) -> Position:
    while p.at_step != step:
        p.do(p.asked, Done())
    return p


@pytest.mark.rule("hw-invade-1", "hw-fall-seq-1", "hw-invade-5", "hw-invade-7")
def test_invasions_are_named_with_the_attacks_and_resolved_first_step_by_step():
    p = landing(amphibious=5)
    p.army("Fifth Army", "J10", infantry=3, mechanized=3)
    p.army("Army Group B", "T9", infantry=3)
    p.army("Army Group C", "K10", infantry=3)
    p.begin(ALLIES, CombatPhase()).dice(1, 6, 6)
    p.do(ALLIES, Attack("Fifth Army", "K10"), Invade(BRITAIN, "T9", way(p, BRITAIN, "T9")), Done())
    seen = []
    while p.at_step != "Advances":
        seen.append((p.at_step, getattr(p.match.step, "invasion", None)))
        p.do(p.asked, Done())
    assert seen == [("SupportFires", None), ("CoastalFires", None), ("DefensiveAssaults", True), ("Assaults", True)]
    p.do(ALLIES, Advance(BRITAIN, 0))
    while p.at_step == "Retreats":
        p.do(AXIS, p.offered(Retreat, AXIS)[0])
    assert (p.at_step, p.match.step.invasion) == ("DefensiveAssaults", False)  # type: ignore[attr-defined]


@pytest.mark.rule("hw-invade-2")
def test_half_of_an_invading_army_is_amphibious():
    p = landing(infantry=3, mechanized=2, amphibious=4)
    p.begin(ALLIES, CombatPhase())
    assert p.rule(ALLIES, Invade(BRITAIN, "O8", OVER)) == "hw-invade-2"
    p.army(BRITAIN, "P7", infantry=2, mechanized=2, amphibious=4)
    p.match.changed()
    assert p.allows(ALLIES, Invade(BRITAIN, "O8", OVER))


@pytest.mark.rule("hw-invade-3", "hw-invade-4")
def test_any_coast_that_a_sea_route_reaches_can_be_invaded():
    p = landing(amphibious=5)
    p.begin(ALLIES, CombatPhase())
    targets = {choice.target for choice in p.offered(Invade, ALLIES)}
    assert {"O8", "T9", "Q9", "L8", "H13"} <= targets
    assert p.rule(ALLIES, Invade(BRITAIN, "N7", OVER)) == "hw-invade-3"
    assert p.rule(ALLIES, Invade(BRITAIN, "Q11", OVER)) == "hw-invade-3"
    p.army(BRITAIN, "Q7", amphibious=5)
    p.army("Fifth Army", "E19", amphibious=5)
    p.match.changed()
    assert p.rule(ALLIES, Invade("Fifth Army", "H13", ())) == "hw-invade-4"


@pytest.mark.rule("hw-invade-6", "hw-invade-9")
def test_several_armies_invade_one_hex_in_the_attackers_order():
    p = landing(amphibious=5)
    p.army("Fifth Army", "P6", amphibious=5)
    invade(p, ("Fifth Army", "O8", way(p, "Fifth Army", "O8")))
    skip_to(p, "Advances")
    assert {choice.army for choice in p.offered(Advance, ALLIES)} == {BRITAIN, "Fifth Army"}


@pytest.mark.rule("hw-invade-8", "hw-invadv-2")
def test_an_invader_stays_at_home_until_its_advance_succeeds():
    p = landing(amphibious=4)
    p.army("Army Group B", "O8", infantry=3)
    invade(p)
    skip_to(p, "Advances").dice(6)
    assert p.where(BRITAIN) == "P7"
    p.do(ALLIES, Advance(BRITAIN, 0))
    assert p.where(BRITAIN) == "P7"
    assert p.parked
    p = landing(amphibious=10)
    p.army("Army Group B", "O8", infantry=3)
    invade(p)
    skip_to(p, "Advances").dice(1).do(ALLIES, Advance(BRITAIN, 0))
    assert (p.where(BRITAIN), p.owner("O8"), p.at_step) == ("O8", "allies", "Retreats")


@pytest.mark.rule("hw-invade-7")
def test_invaders_must_try_to_advance():
    p = landing(amphibious=4)
    p.army("Army Group B", "O8", infantry=9)
    invade(p)
    skip_to(p, "Advances")
    assert p.refused(ALLIES, Done()).reason == "sandtable-not-now"


@pytest.mark.rule("hw-navfire-1", "hw-navfire-2", "hw-navfire-5")
def test_axis_invasions_draw_one_fire_of_six_for_each_open_sea_side():
    p = Position(FALL)
    p.army("OKW", "Q9", amphibious=10)
    p.begin(AXIS, CombatPhase()).dice(6, 6, 6)
    p.do(AXIS, Invade("OKW", "S7", ("Q9", "R8", "S8", "S7")), Done())
    assert p.asked == ALLIES
    assert len(sides_left(p.state, 2, no("OKW"))) == 3
    p.do(ALLIES, NavalFire("OKW", 3))
    assert [e.strength for e in p.happened(Fired)] == [6, 6, 6]


@pytest.mark.rule("hw-navfire-1")
def test_no_naval_fire_in_other_seas_nor_at_allied_invasions():
    p = Position(FALL)
    p.hold(AXIS, "J10")
    p.army("OKW", "J10", amphibious=10)
    p.army(BRITAIN, "P7", amphibious=10)
    p.begin(AXIS, CombatPhase()).do(AXIS, Invade("OKW", "K9", ("J10", "J9", "K9")), Done())
    assert p.at_step == "CoastalFires" or p.asked != ALLIES or p.at_step == "Advances"
    p = landing(amphibious=3)
    invade(p)
    assert p.at_step == "SupportFires"


@pytest.mark.rule("hw-navfire-3")
def test_half_of_each_fires_losses_are_amphibious():
    p = Position(FALL)
    p.army("OKW", "Q9", infantry=4, amphibious=4)
    p.begin(AXIS, CombatPhase()).dice(1)
    p.do(AXIS, Invade("OKW", "S7", ("Q9", "R8", "S8", "S7")), Done()).do(ALLIES, NavalFire("OKW", 1))
    p.do(AXIS, Lose("OKW", "infantry"))
    assert p.strength("OKW") == {"infantry": 3, "amphibious": 3}
    p.dice(6).do(ALLIES, NavalFire("OKW", 1))
    assert p.strength("OKW") == {"infantry": 3, "amphibious": 2}


@pytest.mark.rule("hw-navfire-4")
def test_the_allied_navy_supports_atlantic_landings_once_each():
    p = landing(amphibious=5)
    p.army("Army Group B", "O8", infantry=3)
    invade(p).dice(1)
    p.do(ALLIES, SupportFire("O8"))
    assert p.strength("Army Group B") == {"infantry": 1}
    assert p.at_step != "SupportFires"
    p = Position(FALL)
    p.army("Fifth Army", "K9", amphibious=5)
    p.begin(ALLIES, CombatPhase()).do(ALLIES, Invade("Fifth Army", "L8", ("K9", "L8")), Done())
    assert p.at_step != "SupportFires"


@pytest.mark.rule("hw-navfire-6")
def test_one_fire_per_hexside_and_turn():
    p = Position(FALL)
    p.army("OKW", "Q9", amphibious=5)
    p.army("Army Group A", "Q9", amphibious=5)
    route = ("Q9", "R8", "S8", "S7")
    p.begin(AXIS, CombatPhase()).dice(6, 6, 6)
    p.do(AXIS, Invade("OKW", "S7", route), Invade("Army Group A", "S7", route), Done())
    p.do(ALLIES, NavalFire("OKW", 2))
    assert len(sides_left(p.state, 2, no("Army Group A"))) == 1
    p.do(ALLIES, NavalFire("Army Group A", 1))
    assert p.at_step != "NavalFires"


@pytest.mark.rule("hw-coastair-1", "hw-coastair-5", "hw-coastair-4")
def test_coastal_air_fires_six_once_at_one_invader():
    p = landing(infantry=2, amphibious=4)
    p.army("Fifth Army", "P6", amphibious=5)
    p.begin(ALLIES, CombatPhase())
    for army in (BRITAIN, "Fifth Army"):
        p.do(ALLIES, Invade(army, "T9", way(p, army, "T9")))
    p.do(ALLIES, Done())
    skip_to(p, "CoastalFires").dice(1)
    assert p.asked == AXIS
    p.do(AXIS, CoastalAir("T9", BRITAIN))
    assert [e.strength for e in p.happened(Fired)] == [6]
    assert set(p.offered(Lose, ALLIES)) == {Lose(BRITAIN, "infantry"), Lose(BRITAIN, "amphibious")}
    p.do(ALLIES, Lose(BRITAIN, "infantry"))
    assert p.strength(BRITAIN) == {"infantry": 1, "amphibious": 3}
    assert p.at_step != "CoastalFires"


@pytest.mark.rule("hw-coastair-1", "hw-coastair-2")
def test_a_neighbour_held_before_the_phase_denies_coastal_air():
    p = landing(amphibious=4)
    p.begin(ALLIES, CombatPhase())
    assert not has_coastal_air(p.state, at("O8"))
    assert has_coastal_air(p.state, at("T9"))
    p.hold(ALLIES, "T10")
    assert has_coastal_air(p.state, at("T9"))
    p.state.before = bytes(p.state.owner)
    assert not has_coastal_air(p.state, at("T9"))


@pytest.mark.rule("hw-coastair-3")
def test_off_map_boxes_fire_ten_at_axis_invaders():
    p = Position(FALL)
    p.hold(AXIS, "british_africa")
    p.army("OKW", "british_africa", amphibious=9)
    p.begin(AXIS, CombatPhase()).do(AXIS, Invade("OKW", "india", ("british_africa", "india")), Done())
    skip_to(p, "CoastalFires").dice(6)
    p.do(ALLIES, CoastalAir("india", "OKW"))
    assert [e.strength for e in p.happened(Fired)] == [10]


@pytest.mark.rule("hw-coastair-6")
def test_unaligned_countries_have_no_coastal_air():
    p = Position("campaign-1")
    p.army("OKW", "Q9", amphibious=5)
    p.begin(AXIS, CombatPhase())
    assert not has_coastal_air(p.state, at("T10"))
    assert has_coastal_air(p.state, at("S7"))


@pytest.mark.rule("hw-invdef-1", "hw-invdef-2")
def test_defenders_fire_at_all_invaders_of_their_hex_and_half_falls_on_amphibious_points():
    p = landing(infantry=2, amphibious=3)
    p.army("Fifth Army", "P6", amphibious=3)
    p.army("Army Group B", "O8", infantry=6)
    invade(p, ("Fifth Army", "O8", way(p, "Fifth Army", "O8")))
    skip_to(p, "DefensiveAssaults").dice(1)
    p.do(AXIS, DefensiveAssault("O8", ("Army Group B",), 0))
    p.do(ALLIES, Lose(BRITAIN, "infantry"))
    assert set(p.offered(Lose, ALLIES)) == {Lose(BRITAIN, "amphibious"), Lose("Fifth Army", "amphibious")}
    assert p.rule(ALLIES, Lose(BRITAIN, "infantry")) == "hw-navfire-3"


@pytest.mark.rule("hw-invassault-1", "hw-invassault-2")
def test_only_amphibious_points_assault_from_the_sea_once():
    p = landing(infantry=2, mechanized=2, amphibious=5)
    p.army("Army Group B", "O8", infantry=6)
    invade(p)
    skip_to(p, "Assaults").dice(6)
    p.do(ALLIES, Assault("P7", "O8", (BRITAIN,), 0))
    assert [e.strength for e in p.happened(Fired)] == [5]
    assert p.state.assaulted[no(BRITAIN)] == 1


@pytest.mark.rule("hw-invadv-1", "hw-invadv-1-example")
def test_the_invasion_advance_counts_amphibious_points_and_as_many_others():
    p = landing(infantry=3, mechanized=2, amphibious=4)
    p.state.mode = put(p.state.mode, no(BRITAIN), 2)
    assert chance(p.state, no(BRITAIN), at("O8")).strength == 8
    p.army(BRITAIN, "P7", infantry=1, amphibious=4)
    assert chance(p.state, no(BRITAIN), at("O8")).strength == 5


@pytest.mark.rule("hw-invadv-3")
def test_a_successful_invader_may_exploit_over_land_only():
    p = landing(mechanized=3, amphibious=4)
    invade(p)
    skip_to(p, "Advances").dice(1, 1).do(ALLIES, Advance(BRITAIN, 0))
    assert p.at_step == "Exploitation"
    assert p.refused(ALLIES, Invade(BRITAIN, "P7", OVER[::-1])).reason == "sandtable-not-now"
    assert p.rule(ALLIES, Exploit(BRITAIN, "P7")) == "hw-terrain-sea"
    p.do(ALLIES, Exploit(BRITAIN, "N7"), Done())
    assert p.where(BRITAIN) == "N7"


@pytest.mark.rule("hw-invade-friendly")
def test_landing_in_a_friendly_hex_needs_no_die():
    p = landing(amphibious=2)
    p.army("Fifth Army", "P6", amphibious=1)
    invade(p, ("Fifth Army", "O8", way(p, "Fifth Army", "O8")))
    skip_to(p, "Advances").dice(1)
    p.do(ALLIES, Advance(BRITAIN, 0), Advance("Fifth Army", 0))
    assert p.where("Fifth Army") == "O8"


@pytest.mark.rule("hw-invade-friendly")
def test_even_then_the_way_there_is_fired_upon():
    p = Position(FALL)
    p.hold(AXIS, "S7")
    p.army("OKW", "Q9", amphibious=5)
    p.begin(AXIS, CombatPhase()).do(AXIS, Invade("OKW", "S7", ("Q9", "R8", "S8", "S7")), Done())
    assert (p.asked, p.at_step) == (ALLIES, "NavalFires")


@pytest.mark.rule("hw-amph-2")
def test_amphibious_points_alone_do_not_attack_over_land():
    p = Position(FALL)
    p.army("Fifth Army", "J10", amphibious=5)
    p.army(BRITAIN, "J10", amphibious=4, infantry=1)
    p.begin(ALLIES, CombatPhase())
    assert p.rule(ALLIES, Attack("Fifth Army", "K10")) == "hw-amph-2"
    assert p.rule(ALLIES, Attack("Fifth Army", "J11")) == "hw-amph-2"
    assert p.allows(ALLIES, Attack(BRITAIN, "K10"))
    assert p.allows(ALLIES, Invade("Fifth Army", "K10", way(p, "Fifth Army", "K10")))
