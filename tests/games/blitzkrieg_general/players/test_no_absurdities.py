"""Over played matches: nobody opens a war with a neutral great power because the calendar says so."""

from typing import Any

import pytest

from sandtable.core import Match
from sandtable.games import find
from sandtable.games.blitzkrieg_general.model.actions import Declare
from sandtable.games.blitzkrieg_general.model.atlas import ATLAS, USSR
from sandtable.games.blitzkrieg_general.players.doctrine import USUAL
from sandtable.games.blitzkrieg_general.players.scene import Scene
from sandtable.players import Budget, make

GAME = find("blitzkrieg-general")
AFTER = 3
"""Quarters beyond the date of history for which is looked."""


def land_power(scene, nation):
    """What a nation's army on the board is worth."""
    state = scene.state
    return scene.total(
        u for u, n in enumerate(state.nation) if n == nation and state.place[u] >= 0 and scene.found.is_land[u]
    )


@pytest.mark.parametrize("level", ["captain", "colonel"])
def test_a_great_power_is_attacked_only_by_who_can_win_or_when_it_comes_anyway(level):
    """Attacked, the USSR produces three times as much and the USA comes sooner: at even strength that is absurd."""
    match = Match.new(GAME, "1939-advanced", {}, seed="absurd/1", history=False)
    players: dict[str, Any] = {role: make(level, GAME, f"1/{role}") for role in GAME.roles_in("1939-advanced")}
    last, declared = ATLAS.fixed["usa_joins"] + AFTER, 0
    while not match.over and match.state.turn <= last:
        role = match.decisions()[0]
        action = players[role].decide(match.view(role), match.offers(role), Budget())
        if isinstance(action, Declare):
            declared += 1
            state, scene = match.state, Scene(match.state, role, USUAL)
            if action.country == "ussr":
                assert role != "japan"
                assert role != "germany" or land_power(scene, scene.me) > 1.5 * land_power(scene, USSR), state.turn
            if role == "japan" and action.country in ("usa", "be"):
                assert state.us_level >= 19
        match.apply(role, action)
    assert declared
    assert match.state.turn > ATLAS.fixed["ussr_joins"]
