"""The test that a report becomes: it repeats what the player did and fails where the expectation has to be written in.

Nothing that a report says is written into the test as code: text becomes string literals, actions become literals of
dicts, lists, strings and numbers.
"""

import hashlib
import json
import re
import textwrap
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from sandtable.host import reports

WIDTH = 120
ROOMS = ("rules", "facts", "model", "odds", "players", "screen")
HEAD = '''"""What players reported. CONTRIBUTING.md says how such a test becomes a fix."""

from pathlib import Path

import pytest

from sandtable.host import reports

DATA = Path(__file__).parent / "data"
'''


class Written(msgspec.Struct, frozen=True):
    """Where the test of a report is, in the checkout."""

    file: str
    test: str
    data: str
    new: bool
    """False where the report had become a test before."""


def tests_of(rule: str, folder: Path) -> list[Path]:
    """Return the test files of a game that name a rule."""
    named = f'"{rule}"'
    return [path for path in sorted(folder.rglob("test_*.py")) if named in path.read_text(encoding="utf-8")]


def room_of(report: reports.Report, folder: Path) -> str:
    """Return the room of a game's tests that a report belongs to: that of the odds, or where its rule is tested."""
    if isinstance(report.about, reports.Weighed):
        return "odds"
    found = Counter(path.relative_to(folder).parts[0] for path in tests_of(report.rule, folder))
    return max((room for room in ROOMS if found[room]), key=lambda room: found[room], default="rules")


def write(
    report: reports.Report, data: bytes, checkout: Path, game: str, *, is_ledger_rule: bool, is_refused: bool
) -> Written:
    """Add the test to the checkout, with the report beside it. `is_refused`: the rules do not allow the action now."""
    folder = checkout / "tests" / "games" / game
    home = folder / room_of(report, folder)
    mark = hashlib.sha256(data).hexdigest()[:8]
    kept, path = home / "data" / f"reported-{mark}.json", home / "test_reported.py"
    name = f"test_{_slug(report.sentence)}_{mark}"
    text = path.read_text(encoding="utf-8") if path.exists() else HEAD
    is_new = f"def {name}(" not in text
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(data)
    if is_new:
        text += "\n\n" + skeleton(report, name, kept.name, is_ledger_rule=is_ledger_rule, is_refused=is_refused)
        path.write_text(text, encoding="utf-8")
    return Written(path.relative_to(checkout).as_posix(), name, kept.relative_to(checkout).as_posix(), is_new)


def skeleton(report: reports.Report, name: str, data: str, *, is_ledger_rule: bool, is_refused: bool) -> str:
    """Return the source of the test."""
    lines = [f"@pytest.mark.rule({literal(report.rule)})"] if is_ledger_rule else []
    lines += [
        f"def {name}() -> None:",
        f"    report = reports.read((DATA / {literal(data)}).read_bytes())",
        "    match = reports.position(report)",
        *_answer(report.about, is_refused=is_refused),
        *_wanted(report.sentence),
        '    pytest.fail(f"write down what should happen: {wanted} (the engine: {answer})")',
    ]
    return "\n".join(lines) + "\n"


def _answer(about: reports.About, *, is_refused: bool) -> list[str]:
    """Return the lines that repeat what the player did."""
    if about.action is None:
        role = about.role if isinstance(about, reports.Refused) else None
        return [f"    answer = match.table({literal(role)}).prompt"]
    if isinstance(about, reports.Happened) and not is_refused:
        return ["    answer = reports.repeated(match, report)"]
    how = "weighed" if isinstance(about, reports.Weighed) and not is_refused else "refused"
    lines = literal(about.action, 4, len("action = ")).split("\n")
    lines[0] = f"    action = {lines[0]}"
    return [*lines, f"    answer = reports.{how}(match, {literal(about.role)}, action)"]


def _wanted(sentence: str) -> list[str]:
    """Return the lines that hold the player's sentence."""
    line = f"    wanted = {literal(sentence)}"
    if len(line) <= WIDTH:
        return [line]
    parts = textwrap.wrap(sentence, WIDTH - 30, drop_whitespace=False)
    return ["    wanted = (", *(f"        {literal(part)}" for part in parts), "    )"]


def literal(value: Any, indent: int = 0, before: int = 0) -> str:
    """Return a JSON value as Python source, over several lines where one is too short.

    `indent` is the indent of its line, `before` the length of what stands before it there.
    """
    if isinstance(value, dict):
        inner = [f"{literal(str(key))}: {literal(item, indent + 4, len(str(key)) + 5)}" for key, item in value.items()]
        opening, closing = "{", "}"
    elif isinstance(value, list):
        inner = [literal(item, indent + 4) for item in value]
        opening, closing = "[", "]"
    else:
        return _quoted(value) if isinstance(value, str) else repr(value)
    line = opening + ", ".join(inner) + closing
    if "\n" not in line and indent + before + len(line) <= WIDTH:
        return line
    pad = " " * indent
    return "\n".join([opening, *(f"{pad}    {item}," for item in inner), pad + closing])


def _quoted(text: str) -> str:
    """Return a string literal with the quotes that need fewer escapes. What cannot be seen is escaped."""
    made = json.dumps(text, ensure_ascii=not text.isprintable())
    if text.count('"') <= text.count("'"):
        return made
    return "'" + made[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"


def _slug(sentence: str) -> str:
    words = re.findall(r"[a-z0-9]+", sentence.lower())
    return "_".join(words)[:60].strip("_") or "report"
