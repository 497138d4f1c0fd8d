"""What players see and read: sentences in two languages, the Table of every role, and nothing of others' hands."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.games.blitzkrieg_general.game import GAME
from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.state import MOVED, mark
from tests.games.blitzkrieg_general.positions import A, Board, battle


def test_every_space_country_counter_and_card_has_its_words() -> None:
    texts = GAME.texts("en")
    names = (*A.space_ids, *A.nation_ids, *(kind.id for kind in A.kinds), *A.card_ids, *A.achievements)
    wanted = [f"name.{name}" for name in names] + [f"card.{card}" for card in A.card_ids]
    wanted += [f"prompt.window-{window}" for window in GAME.windows()]
    for step in GAME.steps:
        tag = str(step.__struct_config__.tag).removeprefix("bg.")
        if tag not in ("phase", "window"):
            wanted += [f"prompt.{tag}", f"rules.{tag}"]
    wanted += [f"prompt.phase-{phase}" for phase in ("rail", "rebase", "naval", "land", "exploit")]
    assert [key for key in wanted if key not in texts] == []


def test_the_table_shows_the_board() -> None:
    b = Board("1941-advanced", full=True)
    b.phase()
    table = b.match.table("germany")
    assert table.turn == "Quarter 2 of 1941"
    assert {c.id for c in table.stacks["western_poland"]} == set(b.at("western_poland"))
    guderian = next(c for c in table.stacks["western_poland"] if c.id == "guderian")
    assert guderian.numbers == "(4)"
    assert table.spaces["paris"].side == "germany"
    assert table.spaces["paris"].value == "3/1"
    assert table.spaces["vichy"].shade == "neutral"
    assert next(t for t in table.tracks if t.id == "production").marks
    assert {p.id for p in table.panels} >= {"countries", "victory", "hand", "in-effect"}
    assert {o.id for o in table.overlays} == {"supply-axis"}


@pytest.mark.rule("bg-7.4-secret")
def test_hands_are_hidden_from_other_countries() -> None:
    b = Board("1941-advanced", full=True)
    b.phase()
    mine = next(p for p in b.match.table("germany").panels if p.id == "hand")
    assert {c.id for c in mine.cards} == {"coup_iraq", "blitzkrieg", "surprise", "bridgehead"}
    seen = b.match.view("italy").state
    assert seen.hands[0] == (-1,) * 4
    assert set(seen.deck) == {-1}
    guess = b.match.determinize("italy", Random(1))
    assert not guess.faults()
    assert guess.view("italy").state.hands == seen.hands


def test_a_battle_shows_its_chart_and_its_odds() -> None:
    b = battle(
        Board().war("germany-ussr"),
        "kharkov",
        ["germany-arm-5", "germany-inf-4"],
        ["ussr-inf-3-red", "ussr-air-3-red"],
        [6] * 9,
    )
    table = b.match.table("germany")
    chart = next((p for p in table.panels if p.id == "battle"), None)
    if chart is not None:
        assert len(chart.rows) == 4
    b = Board().war("germany-ussr")
    b.adds("kharkov", "germany-inf-3", origin="lwow")
    b.adds("kharkov", "ussr-inf-2-orange")
    b.adds("kiev", "germany-inf-3", origin="lwow")
    b.adds("kiev", "ussr-inf-3-red")
    b.combat([])
    odds = b.match.preview("germany", act.Attack("kharkov"))
    assert odds is not None
    assert abs(sum(r.probability for r in odds.results) - 1) < 1e-9
    by_losses = {(r.losses["attacker"], r.losses["defender"]): r.probability for r in odds.results}
    assert by_losses[0, 1] == pytest.approx(3 / 6 * 4 / 6)
    assert odds.success == pytest.approx(3 / 6 * 4 / 6)
    assert odds.expected_losses == pytest.approx({"attacker": 2 / 6, "defender": 3 / 6})


@pytest.mark.parametrize(("sailed", "asks"), [(False, "move ships"), (True, "no ship of yours can sail")])
def test_nobody_is_asked_to_move_ships_that_cannot_sail(sailed: bool, asks: str) -> None:
    b = Board("1939-advanced")
    b.add("germany-tf-3", "north_sea")
    b.phase("naval")
    if sailed:
        mark(b.state, A.unit_of[b.at("north_sea")[0]], MOVED)
        b.match.changed()
    assert asks in b.match.table("germany").prompt
