"""The referee notices an engine that is wrong: each test makes it so once."""

from __future__ import annotations

import pytest

from sandtable.core import Difference
from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model import events as ev
from sandtable.games.blitzkrieg_general.model.state import OUT, mark
from sandtable.games.blitzkrieg_general.referee import BlitzkriegReferee, offers
from sandtable.games.blitzkrieg_general.rules import flying, movement
from sandtable.games.blitzkrieg_general.rules.production_phase import Production
from tests.games.blitzkrieg_general.positions import Board, nation, space, unit

REFEREE = BlitzkriegReferee()


@pytest.fixture(autouse=True)
def every_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the referee look at every unit, not at some of them."""
    monkeypatch.setattr(offers, "_MANY", 1)


def looked(b: Board) -> list[Difference]:
    b.match._offers = {}
    return list(REFEREE.look(b.state, {role: b.match.offers(role) for role in b.match.decisions()}))


def rules(b: Board) -> set[str]:
    return {found.rule for found in looked(b)}


def france() -> Board:
    b = Board().war("germany-france").own("germany", "bnl")
    b.adds("bnl", "germany-inf-4", "germany-air-4")
    b.add("france-inf-3", "paris")
    return b.phase()


def test_engine_and_referee_agree_on_a_small_front() -> None:
    assert looked(france()) == []


def test_a_march_too_far_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    b, real = france(), movement.march_targets
    monkeypatch.setattr(movement, "march_targets", lambda s, u: {**real(s, u), space("vichy"): []})
    assert rules(b) == {"bg-6.4.1-infantry"}


def test_a_march_that_is_withheld_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    b, real = france(), movement.march_targets
    monkeypatch.setattr(
        movement, "march_targets", lambda s, u: {to: via for to, via in real(s, u).items() if to != space("paris")}
    )
    assert rules(b) == {"bg-6.4.1-infantry"}


def test_a_flight_that_is_withheld_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    b, real = france(), flying.fly_targets
    monkeypatch.setattr(flying, "fly_targets", lambda s, u: real(s, u)[1:])
    assert rules(b) == {"bg-6.4.1-air"}


def test_a_wrong_flag_and_a_full_island_are_noticed() -> None:
    b = Board().war("japan-usa").own("japan", "midway_islands").start(None)
    assert looked(b) == []
    b.adds("midway_islands", "japan-inf-2", "japan-inf-2", "japan-inf-2")
    b.state.production = put(b.state.production, nation("japan"), 40)
    assert rules(b) == {"bg-1.1-stack-limit", "bg-6.8-production"}


def test_a_unit_on_foreign_ground_at_the_turn_end_is_noticed() -> None:
    b = Board().war("germany-france")
    b.state.points = put(b.state.points, nation("germany"), 9)
    b.add("germany-inf-4", "denmark")
    b.start(Production())
    assert "bg-6.8-no-mixing-land" in rules(b)


def test_fire_at_another_strength_is_noticed() -> None:
    b = Board().war("germany-france")
    b.add("germany-air-4", "bnl", mission="paris")
    b.add("germany-inf-4", "paris", origin="bnl")
    b.adds("paris", "france-inf-3", "france-inf-3")
    b.combat([6] * 20)
    assert b.state.battle is not None
    action = act.Ready()
    right = (ev.Fired(unit="@germany-inf-4", strength=4, dice=(4,), hits=1),)
    wrong = (ev.Fired(unit="@germany-inf-4", strength=5, dice=(4,), hits=1),)
    two_dice = (ev.Fired(unit="@germany-inf-4", strength=4, dice=(4, 5), hits=1),)
    missed = (ev.Fired(unit="@germany-inf-4", strength=4, dice=(5,), hits=1),)
    found = [
        {d.rule for d in REFEREE.watch(b.state, "germany", action, b.state, events)}
        for events in (right, wrong, two_dice, missed)
    ]
    assert found == [set(), {"bg-6.5.3-mod-order"}, {"bg-6.5.3-mod-order"}, {"bg-6.5.1-hit"}]


def test_hits_that_nobody_took_are_noticed() -> None:
    b = france()
    hit = (ev.Hit(unit="@germany-inf-4", lost=False),)
    assert [d.rule for d in REFEREE.watch(b.state, "germany", act.Ready(), b.state, hit)] == ["bg-6.5.7-two-hits"]


def test_a_unit_out_of_supply_that_is_not_is_noticed() -> None:
    b = france()
    before = b.match.game.codec.clone(b.state)
    before.second = not before.second
    assert list(REFEREE.watch(before, "germany", act.Done(), b.state, ())) == []
    mark(b.state, unit(b.at("bnl")[0]), OUT)
    assert [d.rule for d in REFEREE.watch(before, "germany", act.Done(), b.state, ())] == ["bg-6.1-out"]


def test_a_price_that_was_not_paid_is_noticed() -> None:
    b = Board().war("germany-france")
    b.state.points = put(b.state.points, nation("germany"), 9)
    b.start(Production())
    before = b.match.game.codec.clone(b.state)
    b.do("germany", act.Build("germany-inf-3"))
    assert list(REFEREE.watch(before, "germany", act.Build("germany-inf-3"), b.state, ())) == []
    b.state.points = put(b.state.points, nation("germany"), 9)
    found = list(REFEREE.watch(before, "germany", act.Build("germany-inf-3"), b.state, ()))
    assert [d.rule for d in found] == ["bg-7.6-potential"]
