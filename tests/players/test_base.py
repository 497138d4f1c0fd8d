"""Computer players decide from their own view and offers, the same from the same seed."""

from random import Random

import pytest

from sandtable.core import Match, Unknown
from sandtable.players import Budget, Recruit, base, imagine, levels, make, register, stretched
from tests.demo.game import GAME


def play_out(seed):
    match = Match.new(GAME, "war", {"floods": True}, seed=seed)
    players = {role: make("recruit", GAME, f"{seed}/{role}") for role in match.roles}
    while not match.over:
        role = match.decisions()[0]
        match.apply(role, players[role].decide(match.view(role), match.offers(role), Budget(0.1)))
    return match


def test_recruits_play_to_the_end_and_the_same_from_the_same_seed():
    one, two = play_out(3), play_out(3)
    assert one.over
    assert one.log == two.log
    assert play_out(4).log != one.log


def test_levels_are_named_and_unknown_ones_turned_away():
    assert levels(GAME)[0] == "recruit"
    with pytest.raises(Unknown, match="no level 'wizard'"):
        make("wizard", GAME, 1)


def test_an_imagined_match_agrees_with_the_view_and_can_be_played():
    match = Match.new(GAME, "war", seed=2)
    view = match.view("blue")
    dream = imagine(GAME, view, Random(1))
    assert dream.view("blue").state == view.state
    dream.apply("blue", dream.offers("blue").sample(Random(1)))
    assert match.number == 0


def test_a_game_names_its_own_players_and_others_can_be_added(monkeypatch):
    class Captain(base.Recruit):
        """Plays no better."""

    monkeypatch.setattr(base, "_LEVELS", {})
    assert levels(GAME) == ("recruit",)
    monkeypatch.setattr(GAME, "players", lambda: {"captain": Captain})
    register("bold", GAME.id, base.Recruit)
    register("bold", "another-game", Captain)
    assert levels(GAME) == ("recruit", "captain", "bold")
    assert isinstance(make("captain", GAME, 1), Captain)
    assert not isinstance(make("bold", GAME, 1), Captain)


def test_a_patient_player_has_more_of_everything():
    class Slow(Recruit):
        patience = 4.0

    assert stretched(Budget(5.0, 6), Slow(GAME, 1)) == Budget(20.0, 24)
    assert stretched(Budget(5.0), Recruit(GAME, 1)) == Budget(5.0)


def test_a_level_may_say_how_many_tries_it_makes():
    """Whatever the others make, and without patience; strangers, whose levels `make` reads, cannot ask for it."""
    player = base.find("recruit@60", GAME)(GAME, 1)
    assert isinstance(player, Recruit)
    assert stretched(Budget(5.0, 6), player) == Budget(5.0, 60)
    assert stretched(Budget(5.0), player) == Budget(5.0, 60)
    for level in ("recruit@", "recruit@0", "recruit@some"):
        with pytest.raises(Unknown, match="no number of tries"):
            base.find(level, GAME)
    with pytest.raises(Unknown, match="no level 'wizard'"):
        base.find("wizard@6", GAME)
    with pytest.raises(Unknown, match="no level 'recruit@60'"):
        make("recruit@60", GAME, 1)
