"""The first space of the board, the first army and the first counter count like all others: zero is a place."""

import pytest

from sandtable.core.columns import put
from sandtable.games.hitlers_war.model.actions import (
    Advance,
    Assault,
    Assign,
    Attack,
    DefensiveAssault,
    Done,
    Exploit,
    Lose,
    March,
    MoveLeader,
    Retreat,
    Transfer,
)
from sandtable.games.hitlers_war.model.atlas import ATLAS
from sandtable.games.hitlers_war.model.state import SHOWN
from sandtable.games.hitlers_war.rules.combat_phase import CombatPhase
from sandtable.games.hitlers_war.rules.leaders import LeaderDraw, allowance
from sandtable.games.hitlers_war.rules.movement_phase import Movement
from tests.games.hitlers_war.positions import ALLIES, AXIS, Position, no

ASWAN, FIRST = ATLAS.names[0], ATLAS.army_names[0]
NEXT = "B16"
"""A hex beside it."""


def desert() -> Position:
    """The Axis holds the desert around Aswan."""
    return Position("campaign-2", leaders=True).hold(AXIS, ASWAN, NEXT, "B15")


@pytest.mark.rule("hw-move-2", "hw-move-5", "hw-leader-7", "hw-leader-4")
def test_armies_and_leaders_come_and_go():
    p = desert()
    p.army(FIRST, ASWAN, infantry=10)
    p.army("Army Group South", NEXT, infantry=10)
    assert allowance(p.state, 0) == 2
    p.begin(AXIS, LeaderDraw())
    p.do(AXIS, Assign(FIRST))
    assert p.state.leader[no(FIRST)]
    p.columns(leader=put(bytes(36), no("Army Group South"), SHOWN)).begin(AXIS, Movement())
    p.do(AXIS, MoveLeader("Army Group South", FIRST))
    assert p.allows(AXIS, March(FIRST, NEXT))
    p.do(AXIS, Transfer(FIRST, (("infantry", 4),), "Army Group South"), Done())
    assert p.strength(FIRST) == {"infantry": 6}


@pytest.mark.rule("hw-attack-6", "hw-initial-4", "hw-assault-7", "hw-retreat-1", "hw-leader-8")
def test_it_is_attacked_defended_lost_and_left():
    p = desert().hold(ALLIES, ASWAN)
    p.columns(leader=put(bytes(36), no("Britain"), SHOWN))
    p.army(FIRST, NEXT, mechanized=10)
    p.army("Britain", ASWAN, infantry=3, mechanized=1)
    p.begin(AXIS, CombatPhase()).dice(1, 1, 6, 1)
    p.do(AXIS, Attack(FIRST, ASWAN), Done())
    p.do(ALLIES, DefensiveAssault(ASWAN, ("Britain",), 0))
    p.do(AXIS, Assault(NEXT, ASWAN, (FIRST,), 0))
    p.do(ALLIES, Lose("Britain", "infantry"), Lose("Britain", "infantry"), Lose("Britain", "infantry"))
    assert not p.state.leader[no("Britain")]
    p.do(AXIS, Advance(FIRST, 0))
    if p.asked == ALLIES:
        p.do(ALLIES, p.offered(Retreat, ALLIES)[0])
    assert (p.where(FIRST), p.owner(ASWAN)) == (ASWAN, AXIS)


@pytest.mark.rule("hw-exploit-1", "hw-exploit-4", "hw-attack-1")
def test_armies_attack_from_it_and_go_on_from_it():
    p = desert().hold(ALLIES, ASWAN)
    p.army(FIRST, NEXT, mechanized=10)
    p.begin(AXIS, CombatPhase()).dice(1, 1)
    p.do(AXIS, Attack(FIRST, ASWAN), Done(), Done(), Advance(FIRST, 0))
    p.do(AXIS, Exploit(FIRST, "B15"))
    assert p.where(FIRST) == "B15"
    p = desert().hold(ALLIES, NEXT)
    p.army(FIRST, ASWAN, mechanized=10)
    p.begin(AXIS, CombatPhase())
    assert p.allows(AXIS, Attack(FIRST, NEXT))
