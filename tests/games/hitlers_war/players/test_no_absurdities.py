"""Over played matches: Berlin gets its fort in time, the siege answers it, and nobody freezes in Siberia."""

from sandtable.core import Match
from sandtable.games import find
from sandtable.games.hitlers_war.model.actions import Detach, March
from sandtable.games.hitlers_war.model.atlas import ATLAS, AXIS, SOVIET
from sandtable.games.hitlers_war.model.places import BERLIN, SIBERIA
from sandtable.players import Budget, make

GAME = find("hitlers-war")


def play(scenario, level, seed, watch):
    """Play a match of two players to its end; `watch` is told the state and the action before each decision."""
    match = Match.new(GAME, scenario, GAME.check_options(scenario, {"players": 2}), seed=f"absurd/{seed}")
    players = {role: make(level, GAME, f"{seed}/{role}") for role in GAME.roles_in(scenario)}
    while not match.over:
        role = match.decisions()[0]
        action = players[role].decide(match.view(role), match.offers(role), Budget())
        watch(match.state, role, action)
        match.apply(role, action)
    return match


def test_berlin_has_a_fort_from_the_second_season_on():
    """A stack alone is shot away in a turn: the fort is bought before anything else."""
    for seed in range(4):
        forts: dict[int, int] = {}

        def watch(s, role, action, forts=forts):
            if s.owner[BERLIN] == AXIS and s.side == SOVIET:
                forts.setdefault(s.turn, s.fort.get(BERLIN, 0))

        play("fall-of-germany", "captain", seed, watch)
        first = min(forts)
        assert len(forts) > 1
        assert all(points >= 5 for turn, points in forts.items() if turn > first)


def test_the_fortress_can_fall():
    """One side takes the hexes around it and fires from all of them."""
    won = [play("fall-of-germany", "colonel", seed, lambda *_: None).outcome.winners for seed in range(4)]
    assert ("axis",) in won
    assert ("soviet", "allies") in won


def test_nobody_marches_into_siberia_before_its_army_may_leave():
    went = []

    def watch(s, role, action):
        if isinstance(action, March | Detach) and action.to == ATLAS.names[SIBERIA]:
            went.append((s.turn, role))

    for seed in range(3):
        play("campaign-1", "captain", seed, watch)
    assert all(turn >= ATLAS.turn("siberian_army") for turn, _ in went)
