"""Exact odds, checked by hand and against counting."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.core import Match, SealedDice
from sandtable.games.ww2_europe.actions import Combine, Fight, March, Separate
from sandtable.games.ww2_europe.atlas import ATLAS as A
from sandtable.games.ww2_europe.battle import Battle
from sandtable.games.ww2_europe.encounters import Encounter
from sandtable.games.ww2_europe.fire import Shot
from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.kinds import T_LAND
from sandtable.games.ww2_europe.odds import battle_odds, hit_chances
from tests.games.ww2_europe.positions import Board, space
from tests.games.ww2_europe.test_04_sea import sail

PLAIN = next(A.names[s] for s in A.land if not A.terrain[s] and A.flag[s] == 0 and A.homeland[s] == A.germany)


def test_one_tank_against_one_infantry_by_hand():
    board = Board()
    tank, foot = board.put("germany", "tank", PLAIN), board.put("great_britain", "infantry", PLAIN)
    odds = battle_odds(board.m, Battle(space(PLAIN), 0, False, (tank,), (foot,)))
    hit, answer = 3 / 6, 2 / 6
    nothing = (1 - hit) * (1 - answer)
    assert odds.success == pytest.approx(hit * (1 - answer) / (1 - nothing))
    assert sum(r.probability for r in odds.results) == pytest.approx(1)
    both = next(r for r in odds.results if r.name == "result.ruin")
    assert both.probability == pytest.approx(hit * answer / (1 - nothing))


def test_hits_of_several_dice():
    chances = hit_chances([Shot(0, 3, T_LAND), Shot(0, 2, T_LAND)])
    assert chances[()] == pytest.approx(3 / 6 * 4 / 6)
    assert chances[(T_LAND, T_LAND)] == pytest.approx(3 / 6 * 2 / 6)
    assert sum(chances.values()) == pytest.approx(1)


def test_the_odds_agree_with_fighting_it_out_many_times():
    def position() -> tuple[Board, tuple[int, ...], tuple[int, ...]]:
        board = Board()
        board.owner("great_britain", PLAIN)
        att = tuple(board.put("germany", kind, PLAIN) for kind in ("tank", "infantry", "infantry"))
        dfn = tuple(board.put("great_britain", kind, PLAIN) for kind in ("infantry", "infantry"))
        return board, att, dfn

    board, att, dfn = position()
    exact = battle_odds(board.m, Battle(space(PLAIN), 0, False, att, dfn)).success
    won = 0
    trials = 400
    for number in range(trials):
        state = GAME.codec.clone(board.state)
        match = Match(GAME, state, SealedDice(f"odds {number}"), history=False)
        match.play.push(Battle(space(PLAIN), 0, False, att, dfn))
        match.play.settle()
        while isinstance(match.step, Battle):
            role = match.decisions()[0]
            offers = match.offers(role)
            if offers[Fight]:
                match.apply(role, Fight())
            else:
                cheap = min(offers, key=lambda a: A.kinds.cost[A.kinds.index[a.unit.split("#")[0]]])  # type: ignore[attr-defined]
                match.apply(role, cheap)
        won += match.state.owner[space(PLAIN)] == A.germany
    assert won / trials == pytest.approx(exact, abs=0.07)


def test_a_march_shows_the_battle_it_would_start():
    board = Board()
    tank = board.put("germany", "tank", "breslau")
    board.put("great_britain", "infantry", "krakow")
    board.move(0)
    odds = board.match.preview("germany", March(board.name(tank), ("krakow",)))
    assert odds is not None
    assert 0 < odds.success < 1
    assert board.match.preview("germany", March(board.name(tank), ("leipzig",))) is None


def test_searching_together_or_apart():
    board = Board(war="italy")
    one, two = (
        board.put("great_britain", "destroyer", "gibraltar_port"),
        board.put("great_britain", "destroyer", "malta_port"),
    )
    prey = board.put("italy", "destroyer", "genoa_port")
    sail(board, prey, "genoa_port", "tyrrhenian")
    sail(board, one, "gibraltar_port", "alboran_sea", "balearic_sea", "tyrrhenian", patrol=True)
    sail(board, two, "malta_port", "tyrrhenian", patrol=True)
    board.step(Encounter(space("tyrrhenian")))
    assert board.match.decisions() == ("great_britain",)
    together = board.match.preview("great_britain", Combine())
    apart = board.match.preview("great_britain", Separate())
    assert together is not None
    assert apart is not None
    assert together.success == pytest.approx(3 / 6)
    assert apart.success == pytest.approx(1 - (3 / 6) * (1 / 6))


def test_previews_never_change_the_position():
    match = Match.new(GAME, "fall-1939", seed=8, history=False)
    rng = Random(8)
    shown = 0
    for _ in range(250):
        role = match.decisions()[0]
        action = match.offers(role).sample(rng)
        before = match.digest()
        odds = match.preview(role, action)
        assert match.digest() == before
        if odds is not None:
            shown += 1
            assert sum(r.probability for r in odds.results) == pytest.approx(1)
        match.apply(role, action)
    assert shown
