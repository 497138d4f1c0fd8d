"""Over played matches: nobody destroys their own arrivals, and no capital is left for an enemy to walk into."""

import pytest

from sandtable.core import Match
from sandtable.games import find
from sandtable.games.munich_war.model.actions import Disband
from sandtable.games.munich_war.model.atlas import ATLAS, SIDES
from sandtable.games.munich_war.players.lore import Doctrine, stakes
from sandtable.games.munich_war.players.scene import Scene
from sandtable.games.munich_war.rules.movement_phase import Movement
from sandtable.players import Budget, make

GAME = find("munich-war")
CAPITAL = 5
"""Points of a capital whose loss decides."""


def open_capitals(match, side):
    """Own capitals without a unit that an enemy could enter now."""
    scene = Scene(match.play, side, Doctrine())
    worth = stakes(match.play, side, Doctrine()).keep
    return [at for at, points in worth.items() if points >= CAPITAL and not scene.known.stack(at)
            and scene.can_be_entered(at)]  # fmt: skip


@pytest.mark.parametrize("scenario", ["western-powers-guarantee", "general-war", "little-entente"])
def test_captains_keep_their_units_and_their_capitals(scenario):
    disbanded, left_open, moved = [], [], 0
    for seed in range(2):
        match = Match.new(GAME, scenario, {}, seed=f"absurd/{seed}")
        players = {role: make("captain", GAME, f"{seed}/{role}") for role in GAME.roles_in(scenario)}
        while not match.over:
            role = match.decisions()[0]
            moving = isinstance(match.state.stack[-1], Movement)
            turn = match.state.turn
            action = players[role].decide(match.view(role), match.offers(role), Budget())
            match.apply(role, action)
            if isinstance(action, Disband):
                disbanded.append((seed, turn, role, action))
            if moving and not isinstance(match.state.stack[-1], Movement):
                moved += 1
                left_open += [(seed, turn, role, ATLAS.hex_name[at]) for at in open_capitals(match, SIDES.index(role))]
    assert moved > 10
    assert disbanded == []
    assert left_open == []
