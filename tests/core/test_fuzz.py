"""The fuzz harness passes a sound game and catches each kind of broken promise."""

import itertools
from random import Random

import pytest

from sandtable.core import Match, Pass
from sandtable.core.columns import put
from sandtable.core.facts import fact
from sandtable.testing.fuzzing import FuzzFailure, fuzz, mutate, random_play
from tests.demo.game import GAME, ThreeCrowns
from tests.demo.state import DemoState, EndMoves, Walk
from tests.demo.steps import Losses, Moves, Retreats


@pytest.mark.parametrize(("scenario", "options"), [("war", {"floods": True, "gold": 3}), ("skirmish", {})])
def test_the_demonstration_game_keeps_every_promise(scenario, options):
    report = fuzz(GAME, scenario, options, decisions=4000, seed=11)
    assert report.decisions == 4000
    assert min(report.undone, report.refused, report.views, report.dice, report.matches) > 0


def test_the_same_seed_gives_the_same_run():
    assert fuzz(GAME, "war", decisions=500, seed=3) == fuzz(GAME, "war", decisions=500, seed=3)


def broken(**changes):
    return type("Broken", (ThreeCrowns,), changes)()


def fails(game, words, decisions=3000):
    with pytest.raises(FuzzFailure, match=words):
        fuzz(game, "war", {"floods": True}, decisions=decisions, seed=2, look_every=2)


def test_it_catches_a_view_that_leaks():
    def redact(self, state, role):
        state.deck = ("?",) * len(state.deck)

    fails(broken(redact=redact), "may not know")


def test_it_catches_a_table_that_leaks(monkeypatch):
    peeking = GAME.table

    def table(self, view, texts):
        return peeking(view, texts)

    leaky = broken(table=table)
    original = Match.table

    def full_table(self, role, language="en"):
        shown = original(self, role, language)
        return type(shown)(**{**{f: getattr(shown, f) for f in shown.__struct_fields__}, "turn": str(self.state.hands)})

    monkeypatch.setattr(Match, "table", full_table)
    fails(leaky, "table of .* may not know")


def test_it_catches_a_broken_invariant(monkeypatch):
    take = Losses.take

    def forgetful(self, m, role, action):
        take(self, m, role, action)
        m.state.step = put(m.state.step, 0, 3)

    monkeypatch.setattr(Losses, "take", forgetful)
    fails(GAME, "3 steps")


def test_it_catches_an_offer_that_the_step_cannot_take(monkeypatch):
    def confused(self, m, role, action):
        raise KeyError("nowhere")

    monkeypatch.setattr(Retreats, "take", confused)
    fails(GAME, "KeyError in ")


def test_it_catches_a_state_shared_between_clones(monkeypatch):
    monkeypatch.setattr(GAME.codec, "clone", lambda state: state)
    fails(GAME, "is not sound|clone|taking back|back as it was")


def test_it_catches_offers_that_change_the_state(monkeypatch):
    offers = Moves.offers

    def greedy(self, m, role):
        m.state.gold = put(m.state.gold, 0, m.state.gold[0] + 1)
        return offers(self, m, role)

    monkeypatch.setattr(Moves, "offers", greedy)
    fails(GAME, "changed|leads elsewhere|does not bring back|own state|offers to")


def with_fact(monkeypatch, known):
    """Let what is offered in the movement step depend on a fact."""
    offers = Moves.offers
    monkeypatch.setattr(Moves, "offers", lambda self, m, role: offers(self, m, role)[: 1 + known(m.state)])


def test_it_catches_a_fact_that_reads_a_column_it_does_not_name(monkeypatch):
    @fact("scenario")
    def turn(s):
        return s.turn

    with_fact(monkeypatch, turn)
    fails(GAME, "a fact of scenario reads turn, which it does not name")


def test_it_catches_a_fact_that_is_no_function_of_its_columns(monkeypatch):
    calls = itertools.count()

    @fact("scenario")
    def number(s):
        return next(calls) % 2

    with_fact(monkeypatch, number)
    fails(GAME, "depend on what is remembered|when facts are not remembered")


def test_it_catches_a_state_that_does_not_survive_saving(monkeypatch):
    class Odd(DemoState, kw_only=True):
        pass

    codec = GAME.codec
    unpack = codec.unpack

    def lossy(data):
        state = unpack(data)
        state.gold = (0, 0, 0)
        return state

    monkeypatch.setattr(codec, "unpack", lossy)
    fails(GAME, "does not survive MessagePack: gold")


def test_it_catches_a_match_without_end():
    with pytest.raises(FuzzFailure, match="does not end"):
        fuzz(GAME, "war", decisions=500, match_limit=20)


def test_a_failure_carries_a_replay():
    with pytest.raises(FuzzFailure) as caught:
        fuzz(GAME, "war", decisions=500, match_limit=20)
    assert (caught.value.replay() or b"").startswith(b'{"sandtable":1')


def test_random_play_ends_by_the_rules():
    match = Match.new(GAME, "war", seed=1, history=False)
    made = random_play(match, Random(1))
    assert match.over
    assert match.number == made


def test_mutants_keep_their_shape():
    action = Walk("red-1", ("Fordham", "Crossing"))
    rng = Random(0)
    mutants = [mutate(action, rng) for _ in range(50)]
    assert all(isinstance(mutant, Walk) for mutant in mutants)
    assert sum(mutant != action for mutant in mutants) > 30


class Homebody:
    """A player who never moves but passes and ends where possible, and counts how often they are asked."""

    asked = 0

    def __init__(self, game, seed):
        self.rng = Random(seed)

    def decide(self, view, offers, budget):
        Homebody.asked += 1
        quiet = [action for offer in (EndMoves, Pass) for kind in offers[offer] for action in kind]
        return quiet[0] if quiet else offers.sample(self.rng)


def test_computer_players_take_most_of_the_decisions(monkeypatch):
    monkeypatch.setattr(ThreeCrowns, "players", lambda self: {"homebody": Homebody})
    monkeypatch.setattr(Homebody, "asked", 0)
    report = fuzz(GAME, "war", decisions=1000, seed=4, level="homebody")
    assert report.decisions == 1000
    assert 900 <= Homebody.asked < 1000
    assert fuzz(GAME, "war", decisions=1000, matches=2, level="homebody").matches == 2


def test_it_catches_a_player_who_does_what_is_not_offered(monkeypatch):
    class Cheat(Homebody):
        def decide(self, view, offers, budget):
            return Walk("red-1", ("Nowhere",))

    monkeypatch.setattr(ThreeCrowns, "players", lambda self: {"cheat": Cheat})
    with pytest.raises(FuzzFailure, match="is refused"):
        fuzz(GAME, "war", decisions=100, level="cheat")
