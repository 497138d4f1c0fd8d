"""The Python code printed in README, docs and docstrings, and how to run it on another game."""

from __future__ import annotations

import re
from pathlib import Path

import sandtable

HOME = Path(__file__).resolve().parents[2]
PAGES = ("README.md", *sorted(str(page.relative_to(HOME)) for page in (HOME / "docs").rglob("*.md")))
SCENARIOS = tuple((game, scenario) for game in sandtable.games() for scenario in sandtable.find(game).scenarios)


def snippets(page: str) -> list[str]:
    """The Python blocks of a page, in order."""
    return re.findall(r"```python\n(.*?)```", (HOME / page).read_text(), flags=re.DOTALL)


def on(code: str, game: str, scenario: str) -> str:
    """The code with the game and the scenario that it names replaced by others."""
    named = [name for name in sandtable.games() if f'"{name}"' in code]
    assert len(named) == 1, named
    (other,) = (name for name in sandtable.find(named[0]).scenarios if f'"{name}"' in code)
    return code.replace(f'"{named[0]}"', f'"{game}"').replace(f'"{other}"', f'"{scenario}"')


def replaced(code: str, **words: str) -> str:
    """The code with other words in it; each word must be there to be replaced."""
    for old, new in words.items():
        assert old in code, old
        code = code.replace(old, new)
    return code
