"""The words for what this game has, and what its Table shows."""

from random import Random

import msgspec
import pytest

from sandtable.core import LANGUAGES, Match, Rolled
from sandtable.games.hitlers_war.game import GAME
from sandtable.games.hitlers_war.model.actions import March, PlaceDefault
from sandtable.games.hitlers_war.model.atlas import ATLAS, KINDS, SIDES
from sandtable.games.hitlers_war.model.fleets import NAMES
from sandtable.games.hitlers_war.model.technology import ITEMS
from tests.games.hitlers_war.lively import choose


def test_every_name_turn_and_prompt_has_a_sentence():
    texts = GAME.texts("en")
    wanted = {f"name.{name}" for name in (*SIDES, *KINDS, *ITEMS, *ATLAS.seas, *(c.name for c in ATLAS.countries))}
    wanted |= {f"turn.{turn}" for turn in ATLAS.turns[1:]}
    wanted |= {f"prompt.{step.__struct_config__.tag}" for step in GAME.steps if "offers" in vars(step)}
    assert {key for key in wanted if key not in texts} == set()


def test_the_table_shows_control_damage_forts_and_armies():
    match = Match.new(GAME, "fall-of-germany", {}, seed=1)
    for role in SIDES:
        match.apply(role, PlaceDefault())
    table = match.table("axis")
    assert table.spaces["P10"].side == "axis"
    assert {(mark.kind, mark.text) for mark in table.spaces["O10"].marks} == {("damage", "3"), ("fort", "2")}
    assert table.spaces["O10"].value == "1/4"
    center = next(counter for counter in table.stacks["Q15"] if counter.id == "Army Group Center")
    assert (center.side, center.numbers) == ("axis", "4-3")
    record = next(panel for panel in table.panels if panel.id == "record-axis")
    assert next(row for row in record.rows if row.cells[0] == "Army Group Center").cells[:4] == [
        "Army Group Center", "Vitebsk (Q15)", "4", "3",
    ]  # fmt: skip
    assert table.turn == "Spring 1944"
    assert match.table("axis", "de").turn == "Frühjahr 1944"
    assert table.overlays[0].spaces["G14"] == "cut_off"
    assert match.table("soviet").prompt == "Axis decides."


def test_a_refusal_reads_like_a_sentence():
    match = Match.new(GAME, "barbarossa", {}, seed=1)
    match.apply("axis", PlaceDefault())
    refusal = match.why_not("axis", March("Fourth Army", "P14"))
    assert refusal is not None
    assert match.explain(refusal) == "Minsk (P14) is not friendly. [hw-move-2]"
    assert match.explain(refusal, "de") == "Minsk (P14) gehört euch nicht. [hw-move-2]"


def test_fleets_on_the_map_are_plainly_in_port_or_at_sea():
    match = Match.new(GAME, "campaign-2", {"naval_action": True, "carriers": True, "ship_builds": True}, seed=1)
    for language in LANGUAGES:
        table = match.table("axis", language)
        ships = {c.id: (where, c.state) for where, stack in table.stacks.items() for c in stack if c.icon in
                 ("battleship", "carrier")}  # fmt: skip
        assert len(ships) >= 6
        assert {state[0] for _, state in ships.values()} <= {"in-port", "at-sea", "raid"}
        assert [where for where, state in ships.values() if state == ["raid"]] == ["raid"]
        assert not [c for stack in table.stacks.values() for c in stack if "table." in c.tooltip]


def test_the_game_tells_the_season_and_hides_nothing():
    match = Match.new(GAME, "campaign-1", {}, seed=1)
    assert GAME.turn(match.state) == "Winter 1939"
    assert GAME.texts("de").say("turn.Spring 1940") == "Frühjahr 1940"
    assert GAME.public(match.state)
    assert GAME.codec.pack(match.view(None).state) == GAME.codec.pack(match.state)


@pytest.mark.parametrize("options", [{}, {"naval_action": True, "carriers": True, "ship_builds": True}])
def test_every_word_in_an_event_is_a_place_a_unit_or_a_name_that_is_translated(options: dict[str, bool]):
    known = {*ATLAS.names, *ATLAS.army_names, *NAMES, "A", "B", "C"}
    match = Match.new(GAME, "campaign-2", options, seed=2, history=False)
    rng = Random(2)
    german = GAME.texts("de")
    for _ in range(500):
        if match.over:
            break
        role = match.decisions()[0]
        for event in match.apply(role, choose(match, role, rng)):
            if isinstance(event, Rolled):
                continue
            for value in msgspec.structs.asdict(event).values():
                if isinstance(value, str) and value not in known and not value[:1].isdigit():
                    assert value.startswith("@"), (event, value)
                    assert f"name.{value[1:]}" in german, (event, value)
            assert "?" not in german.event(event)
