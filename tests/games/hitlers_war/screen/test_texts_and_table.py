"""Every sentence in both languages; the Table of every scenario at many moments."""

import re
import tomllib
from pathlib import Path
from random import Random

import msgspec
import pytest

from sandtable.core import LANGUAGES, Match, Rolled
from sandtable.core.table import Table
from sandtable.games.hitlers_war.game import GAME
from sandtable.games.hitlers_war.model.actions import March, PlaceDefault
from sandtable.games.hitlers_war.model.atlas import ATLAS, HOME, KINDS, SIDES
from sandtable.games.hitlers_war.model.fleets import NAMES
from sandtable.games.hitlers_war.model.technology import ITEMS
from tests.games.hitlers_war.lively import choose


def flat(table: dict, prefix: str = "") -> dict[str, str]:
    out: dict[str, str] = {}
    for key, value in table.items():
        out.update(flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {f"{prefix}{key}": value})
    return out


def sentences(language: str) -> dict[str, str]:
    return flat(tomllib.loads((HOME / "text" / f"{language}.toml").read_text(encoding="utf-8")))


def blanks(sentence: str) -> set[str]:
    return set(re.findall(r"\{(\w+)", sentence))


def test_both_languages_say_the_same_things_with_the_same_blanks():
    english, german = sentences("en"), sentences("de")
    assert set(english) == set(german)
    assert {key for key in english if blanks(english[key]) != blanks(german[key])} == set()


def source() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(Path(HOME).rglob("*.py")))


def test_every_reason_of_a_refusal_has_a_sentence():
    known = sentences("en")
    used = set(re.findall(r'Refusal\([^"]*"hw-[\w-]+",\s*"(hw-[\w-]+)"', source()))
    used |= set(re.findall(r'Refusal\(\s*rule,\s*"(hw-[\w-]+)"', source()))
    used |= set(re.findall(r'Refusal\(self\.rule,\s*"(hw-[\w-]+)"', source()))
    assert len(used) > 80
    assert {reason for reason in used if f"refusal.{reason}" not in known} == set()


def test_every_action_event_step_option_and_name_has_a_sentence():
    known = sentences("en")
    wanted = {f"verb.{act.__struct_config__.tag}" for act in GAME.actions}
    wanted |= {f"event.{event.__struct_config__.tag}" for event in GAME.events}
    wanted |= {f"option.{name}.name" for name in GAME.options} | {f"scenario.{name}.name" for name in GAME.scenarios}
    wanted |= {f"name.{name}" for name in (*SIDES, *KINDS, *ITEMS, *ATLAS.seas, *(c.name for c in ATLAS.countries))}
    wanted |= {f"turn.{turn}" for turn in ATLAS.turns[1:]}
    asking = [step for step in GAME.steps if "offers" in vars(step)]
    wanted |= {f"prompt.{step.__struct_config__.tag}" for step in asking}
    assert wanted - set(known) == set()


def test_every_rule_that_the_code_names_is_in_the_ledger():
    ledger = tomllib.loads((HOME / "data" / "ledger.toml").read_text(encoding="utf-8"))["rule"]
    ids = {rule["id"] for rule in ledger}
    named = set(re.findall(r"\[(hw-[a-z0-9-]+)\]", source()))
    named |= set(re.findall(r'rule ?= ?"(hw-[a-z0-9-]+)"', source()))
    named |= set(re.findall(r'Refusal\(\s*"(hw-[a-z0-9-]+)"', source()))
    named |= set(re.findall(r'why="(hw-[a-z0-9-]+)"', source()))
    assert named - ids == set()
    assert len(named) > 300


@pytest.mark.parametrize("scenario", list(GAME.scenarios))
def test_tables_can_be_drawn_at_every_moment(scenario: str):
    match = Match.new(GAME, scenario, {}, seed=11, history=False)
    rng = Random(4)
    steps = set()
    for number in range(260):
        if match.over:
            break
        role = match.decisions()[0]
        tag = str(match.step.__struct_config__.tag)
        if tag not in steps or number % 40 == 0:
            steps.add(tag)
            for language in LANGUAGES:
                table = match.table(role, language)
                data = msgspec.json.encode(table)
                assert msgspec.json.decode(data, type=Table)
                assert table.prompt
                assert not table.prompt.startswith("prompt.")
                assert "{" not in table.prompt + table.turn + table.rules
                assert sum(stage.now for stage in table.sequence) == 1
                texts = [row.cells[0] for panel in table.panels for row in panel.rows]
                assert not [text for text in texts if text.startswith(("table.", "name."))]
        match.apply(role, match.offers(role).sample(rng))
    assert len(steps) > 4


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
