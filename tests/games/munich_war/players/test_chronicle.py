"""The chronicle of a match: its milestones, and the absurdities of a player who makes them on purpose."""

from sandtable.games.munich_war.model.actions import Arrive, Disband, Done, Move
from sandtable.games.munich_war.model.atlas import ALLIES, AXIS
from sandtable.games.munich_war.players.chronicle import CHRONICLE
from sandtable.games.munich_war.rules.mobilization_phase import Arrivals
from sandtable.games.munich_war.rules.movement_phase import Movement
from sandtable.games.munich_war.rules.stacking_phase import Overstack
from tests.games.munich_war.positions import AL, AX, Position, country


class Watched(Position):
    """A position whose chronicle is written."""

    def __init__(self, scenario="general-war", **more):
        super().__init__(scenario, **more)
        self.watcher = CHRONICLE.watch()
        self.seen = []

    def do(self, action, role=None):
        who = role or self.asked
        before = self.match.game.codec.clone(self.state)
        events = super().do(action, who)
        for what in self.watcher(before, who, action, self.state):
            self.seen.append((who, what) if isinstance(what, str) else what)
        return events


def test_milestones_are_read_off_the_state():
    war = Position("little-entente").put("GE-16", "2515")
    assert list(CHRONICLE.reached(war.state)) == ["prague"]
    war.state.intervened = True
    war.state.fallen = bytes(number == country("Czechoslovakia") for number in range(len(war.state.fallen)))
    assert list(CHRONICLE.reached(war.state)) == ["prague", "czechoslovakia-surrenders", "intervention"]
    assert {"prague", "pilsen", "brno", "warsaw", "intervention"} <= {m.id for m in CHRONICLE.milestones}


def test_a_capital_left_empty_and_entered_is_its_owners_fault():
    war = Watched("little-entente").put("CZ-1", "2515").put("GE-16", "2517").phase(Movement(ALLIES))
    war.do(Move("CZ-1", "2615"))
    war.do(Done())
    war.put("CZ-1", "3117").phase(Movement(AXIS))
    war.do(Move("GE-16", "2515"))
    assert war.seen == [(AL, "capital left empty and entered: Prague")]


def test_a_conquest_left_empty_and_lost():
    war = Watched("little-entente").put("GE-16", "2515").put("CZ-1", "2616").phase(Movement(AXIS))
    war.do(Move("GE-16", "2514"))
    war.do(Done())
    war.put("GE-16", "2511").phase(Movement(ALLIES))
    war.do(Move("CZ-1", "2515"))
    assert war.seen == [(AX, "conquest left empty and lost: Prague")]


def test_a_capital_that_nobody_could_hold_is_no_fault():
    war = Watched("little-entente").put("CZ-1", "3418").put("GE-16", "2517").phase(Movement(ALLIES))
    war.do(Done())
    war.phase(Movement(AXIS))
    war.do(Move("GE-16", "2515"))
    assert war.seen == []


def test_the_last_german_leaves_an_objective():
    war = Watched().put("GE-01", "3009").put("GE-02", "3009").phase(Movement(AXIS))
    war.do(Move("GE-01", "3109"))
    war.do(Done())
    assert war.seen == []
    war = Watched().put("GE-01", "3009").phase(Movement(AXIS))
    war.do(Move("GE-01", "3109"))
    war.do(Done())
    assert war.seen == [(AX, "objective of the Reich left by its last German: Danzig")]
    war = Watched().put("GE-01", "3009").phase(Movement(AXIS))
    war.do(Move("GE-01", "3209"))
    war.do(Done())
    assert war.seen == [], "it is in Konigsberg, which counts too"


def test_a_fortified_line_left_and_entered():
    war = Watched().put("GE-SP", "1715").put("FR-CLM", "1615").phase(Movement(AXIS))
    war.do(Move("GE-SP", "1815"))
    war.do(Done())
    war.put("GE-SP", "2511").phase(Movement(ALLIES))
    war.do(Move("FR-CLM", "1715"))
    assert war.seen == [(AX, "fortified line left and entered: 1715")]


def test_units_disbanded_for_want_of_room():
    war = Watched().put("CZ-1", "2515").put("CZ-2", "2515").phase(Overstack(ALLIES))
    war.do(Disband("CZ-2"))
    assert war.seen == [(AL, "own unit disbanded for want of room: CZ-2")]


def test_who_had_one_city_to_arrive_in_is_nobodys_fault():
    war = Watched().put("GE-F4", "turn 2").put("GE-F2", "2511")
    war.state.owned = (bytes(len(war.state.owned[0])), war.state.owned[1])
    war.own(AXIS, "2511").phase(Arrivals(AXIS))
    war.do(Arrive("GE-F4", "2511"))
    war.phase(Overstack(AXIS))
    war.do(Disband("GE-F4"))
    assert war.seen == []


def test_a_neutral_invaded_for_nothing():
    """Lithuania is entered beside its cities, and nothing comes of it in the next turn either."""
    for to, told in (("3408", [(AX, "neutral invaded by the way: Lithuania")]), ("3307", [])):
        war = Watched().put("GE-01", "3209").put("LI-I", "3508").put("CZ-1", "2818").phase(Movement(AXIS))
        war.do(Move("GE-01", to))
        war.do(Done())
        assert war.side("Lithuania") == ALLIES
        for side, turn in ((ALLIES, 2), (AXIS, 3), (ALLIES, 3)):
            assert war.seen == []
            war.phase(Movement(side), turn=turn)
            war.do(Done())
        assert war.seen == told


def test_a_neutral_denied_to_the_enemy_is_not_invaded_for_nothing():
    """Germany could have invaded Estonia: the Soviet Union is first, and Tallinn brings Germany no points."""
    war = Watched("anti-comintern-war").put("SU-2", "3904").put("ES-I", "3603").phase(Movement(ALLIES))
    war.do(Move("SU-2", "3804"))
    war.do(Done())
    assert war.side("Estonia") == AXIS
    for side, turn in ((AXIS, 3), (ALLIES, 3), (AXIS, 4), (ALLIES, 4)):
        war.phase(Movement(side), turn=turn)
        war.do(Done())
    assert war.seen == []
