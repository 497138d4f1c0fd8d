"""The data files themselves: ledgers that parse, atlases that diff well, and nothing in them but the games."""

from __future__ import annotations

import json
import re
import tomllib

import pytest

from tests.atlas.faults import GAMES, ROOT, data_path, load_atlas

FIELDS = {"id", "title", "scope", "kind", "line", "says"}
PREFIX = {"hitlers_war": "hw-", "munich_war": "mw-", "blitzkrieg_general": "bg-", "ww2_europe": "w2e-"}
# Lines of each rulebook's text edition.
LINES = {"hitlers_war": 1955, "munich_war": 1656, "blitzkrieg_general": 8961, "ww2_europe": 2466}
GERMAN_LINES = 1550
# Paths, addresses, file hashes and tools have no place in what players and rules read.
FOREIGN = re.compile(r"https?:|www\.|\.txt\b|\.py\b|_[0-9a-f]{16}\b|(?<!\w)/(?:work|root|home|tmp)\b|\bseed\b|\.\./")


@pytest.fixture(scope="module", params=GAMES)
def game(request):
    return request.param


@pytest.fixture(scope="module")
def rules(game):
    return tomllib.loads(data_path(game, "ledger.toml").read_text(encoding="utf-8"))["rule"]


def test_every_rule_of_the_ledger_has_its_fields(rules):
    wrong = [rule.get("id") for rule in rules if set(rule) - {"doubt"} != FIELDS]
    assert not wrong, f"rules with missing or unknown fields: {wrong}"


def test_every_field_of_the_ledger_is_filled(rules):
    empty = [
        f"{rule['id']}: {field}"
        for rule in rules
        for field, value in rule.items()
        if field != "line" and not (isinstance(value, str) and value.strip())
    ]
    assert not empty


def test_a_line_of_the_ledger_is_a_line_of_a_rulebook(game, rules):
    def fits(line):
        if isinstance(line, int):
            return 0 < line <= LINES[game]
        german = re.fullmatch(r"de:(\d+)", line)
        return game == "blitzkrieg_general" and german and 0 < int(german[1]) <= GERMAN_LINES

    assert not [rule["id"] for rule in rules if not fits(rule["line"])]


def test_ids_of_the_ledger_are_unique_and_carry_the_game(game, rules):
    ids = [rule["id"] for rule in rules]
    assert len(ids) == len(set(ids)), sorted({name for name in ids if ids.count(name) > 1})
    assert not [name for name in ids if not re.fullmatch(rf"{PREFIX[game]}[a-z0-9.-]+", name)]


def test_the_ledger_says_what_a_line_is(game):
    header = data_path(game, "ledger.toml").read_text(encoding="utf-8").split("[[rule]]")[0]
    assert "`line` is the line of the rulebook's text edition" in header


def test_an_atlas_is_written_so_that_a_change_is_a_small_diff(game):
    text = data_path(game, "atlas.json").read_text(encoding="utf-8")
    assert text == json.dumps(load_atlas(game), indent=1, ensure_ascii=False) + "\n"


def test_evidence_cites_lines_that_exist(game):
    text = data_path(game, "atlas.json").read_text(encoding="utf-8")
    cited = re.findall(r"rulebook( \(German\))? lines? ((?:\d+(?:-\d+)?(?:, )?)+)", text)
    assert len(cited) > 50
    for german, numbers in cited:
        last = GERMAN_LINES if german else LINES[game]
        assert all(0 < int(n) <= last for n in re.findall(r"\d+", numbers)), f"{german} lines {numbers}"


@pytest.mark.parametrize("name", ["atlas.json", "ledger.toml"])
def test_data_speaks_of_nothing_outside_the_game(game, name):
    lines = data_path(game, name).read_text(encoding="utf-8").splitlines()
    assert not [f"{number}: {line.strip()}" for number, line in enumerate(lines, 1) if FOREIGN.search(line)]


def test_rulings_speak_of_nothing_outside_the_game(game):
    path = ROOT / "docs" / "rulings" / f"{game.replace('_', '-')}.md"
    lines = path.read_text(encoding="utf-8").splitlines()
    assert not [f"{number}: {line}" for number, line in enumerate(lines, 1) if FOREIGN.search(line)]
