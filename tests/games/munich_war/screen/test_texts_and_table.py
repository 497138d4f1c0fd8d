"""Every sentence stands in both languages, and the Table shows what a role may see."""

import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from sandtable.core import LANGUAGES, Match, Texts
from sandtable.games.munich_war.game import GAME
from sandtable.games.munich_war.model.actions import ACTIONS, DefaultSetup
from sandtable.games.munich_war.model.atlas import ALLIES, ATLAS, AXIS
from sandtable.games.munich_war.model.events import EVENTS, EventHappened
from sandtable.games.munich_war.rules.combat_phase import Combat
from sandtable.games.munich_war.rules.setup_phase import Deploy
from tests.games.munich_war.positions import Position, attack

HOME = GAME.home


def keys(language: str) -> set[str]:
    return {key for key in Texts.load(HOME / "text", language).sentences if not key.startswith("sandtable")}


def own_keys(language: str) -> set[str]:
    def flat(table: dict, prefix: str = ""):
        for key, value in table.items():
            if isinstance(value, dict):
                yield from flat(value, f"{prefix}{key}.")
            else:
                yield f"{prefix}{key}"

    return set(flat(tomllib.loads((HOME / "text" / f"{language}.toml").read_text(encoding="utf-8"))))


def blanks(sentence: str) -> set[str]:
    return set(re.findall(r"\{(\w+)", sentence))


def test_both_languages_have_the_same_keys_and_blanks():
    assert own_keys("en") == own_keys("de")
    english, german = (Texts.load(HOME / "text", language).sentences for language in ("en", "de"))
    for key in own_keys("en"):
        assert blanks(english[key]) == blanks(german[key]), key


def test_every_refusal_in_the_code_has_a_sentence():
    source = "".join(path.read_text(encoding="utf-8") for path in Path(HOME).rglob("*.py"))
    reasons = set(re.findall(r'Refusal\(\s*(?:[^,()]|\([^()]*\))*?,\s*"([a-z0-9-]+)"', source))
    assert len(reasons) > 80
    known = own_keys("en")
    assert {reason for reason in reasons if f"refusal.{reason}" not in known} == set()
    said = {key.removeprefix("refusal.") for key in known if key.startswith("refusal.")}
    assert {reason for reason in said if f'"{reason}"' not in source} == set()


def test_every_refusal_cites_the_ledger():
    source = "".join(path.read_text(encoding="utf-8") for path in Path(HOME).rglob("*.py"))
    ledger = {item["id"] for item in tomllib.loads((HOME / "data" / "ledger.toml").read_text(encoding="utf-8"))["rule"]}
    cited = set(re.findall(r'"(mw-[a-z0-9.-]+)"', source)) | set(re.findall(r"\[(mw-[a-z0-9.-]+)\]", source))
    assert cited - ledger == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_verb_event_step_option_and_scenario_has_words(language):
    known = keys(language)
    wanted = {f"verb.{act.__struct_config__.tag}" for act in ACTIONS}
    wanted |= {f"event.{event.__struct_config__.tag}" for event in EVENTS}
    wanted |= {f"prompt.{step.__struct_config__.tag}" for step in GAME.steps}
    wanted |= {f"scenario.{name}.{part}" for name in GAME.scenarios for part in ("name", "blurb")}
    wanted |= {f"option.{name}.{part}" for name in GAME.options for part in ("name", "blurb")}
    wanted |= {f"unit.{face.type}" for face in ATLAS.units}
    wanted |= {f"name.{country.name}" for country in ATLAS.countries}
    wanted |= {f"result.{code}" for code in ATLAS.tables["crt_rank"]}
    assert wanted - known == set()


def test_no_translated_name_is_missing():
    source = "".join(path.read_text(encoding="utf-8") for path in Path(HOME).rglob("*.py"))
    for name in re.findall(r'"@([a-z][a-z-]+)"', source):
        assert f"name.{name}" in own_keys("en"), name


def started(scenario: str = "general-war") -> Match:
    match: Match = Match.new(GAME, scenario, seed=2, history=False)
    while isinstance(match.step, Deploy):
        match.apply(match.decisions()[0], DefaultSetup())
    return match


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_of_a_started_match(language):
    match = started()
    table = match.table("axis", language)
    assert table.stacks["2511"][-1].id == "GE-04"
    assert {face.id for face in table.stacks["axis-available"]} >= {"GE-L1", "GE-LT", "GE-AB"}
    assert "allies-available" not in table.stacks
    assert table.spaces["2511"].side == "axis"
    assert table.spaces["2515"].side == "allies"
    assert table.spaces["2514"].shade == "disputed"
    assert table.spaces["1512"].shade == "neutral"
    assert sum(stage.now for stage in table.sequence) == 1
    assert table.prompt
    assert "{" not in table.prompt
    assert len(msgspec.json.encode(table)) < 400_000


def test_the_other_side_sees_less():
    match = started()
    mine, theirs = match.table("axis"), match.table("allies")
    stack = next(
        place
        for place, counters in mine.stacks.items()
        if place.isdigit()
        and len(counters) == 2
        and all(face.side == "germany" for face in counters)
        and all(face.symbol for face in counters)
    )
    assert next(face.state for face in theirs.stacks[stack]) == ("hidden",)
    assert len(theirs.stacks[stack]) == 2
    assert "axis-reinforcement" in mine.stacks
    assert "axis-reinforcement" not in theirs.stacks


def test_waiting_players_are_told_for_whom():
    match = started()
    assert match.table("allies").prompt.startswith("Waiting for Axis")
    assert not match.table("axis").prompt.startswith("Waiting")


def test_the_battle_panel_names_every_shift():
    war = Position().put("GE-01", "2513").put("CZ-1", "2514").put("GE-AB", "available").phase(Combat(AXIS))
    war.do(attack("2514", "GE-01"))
    war.state.stack = (
        *war.state.stack[:-3],
        *war.state.stack[-2:],
    )  # not the parked step
    table = war.match.table("axis")
    (panel,) = [panel for panel in table.panels if panel.id == "battle"]
    rows = {row.cells[0]: row.cells[1] for row in panel.rows}
    assert rows["River [mw-11.11-e]"] == "-1"
    assert rows["Entrenchment [mw-11.12-a]"] == "-1"
    assert rows["Percentile"] == "57 %"
    assert [arrow.path for arrow in table.arrows] == [("2513", "2514")]


def test_the_score_panel_counts_conquests():
    war = Position().put("GE-01", "2515")
    war.state.stack = (war.state.stack[0],)
    table = war.match.table("allies")
    (panel,) = [panel for panel in table.panels if panel.id == "score"]
    assert [row.cells[-1] for row in panel.rows] == ["5", "0", "5"]
    assert panel.rows[0].refs == ["2515"]
    assert ALLIES == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_of_the_table_is_explained(language: str) -> None:
    texts = GAME.texts(language)
    for face in range(1, 7):
        event = ATLAS.rules["events"][str(face)]
        told = texts.event(EventHappened(event=f"@event-{event}"))
        assert len(told.split()) >= 6, told
