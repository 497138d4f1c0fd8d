"""Every sentence a person reads, in his language, from the games' text files.

A text file is TOML with tables `event`, `refusal`, `prompt`, `verb`, `step`, `name`, `option`, `scenario`, `rules`, ...
A sentence has blanks: `{army}` is filled with a fact, `{points|point|points}` chooses the word by number, and a fact
that starts with '@' is a name that is translated first. What a game does not say, the core's own file may.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from .data import Event
from .errors import Refusal

LANGUAGES = ("en", "de")
_BLANK = re.compile(r"\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}")
_CORE = Path(__file__).parent / "text"


def _flatten(table: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat.update(_flatten(value, f"{prefix}{key}."))
        else:
            flat[f"{prefix}{key}"] = str(value)
    return flat


class Texts:
    """The sentences of one game in one language. English stands in where the language has none."""

    def __init__(self, language: str, sentences: Mapping[str, str]) -> None:
        self.language = language
        self.sentences = sentences

    @classmethod
    def load(cls, folder: Path, language: str) -> Texts:
        sentences: dict[str, str] = {}
        for lang in ("en", language):
            for place in (_CORE, folder):
                path = place / f"{lang}.toml"
                if path.exists():
                    sentences.update(_flatten(tomllib.loads(path.read_text(encoding="utf-8"))))
        return cls(language, sentences)

    def __contains__(self, key: str) -> bool:
        return key in self.sentences

    def say(self, key: str, facts: Mapping[str, Any] | None = None, /, **more: Any) -> str:
        """The sentence under this key with its blanks filled; the key itself where there is none."""
        sentence = self.sentences.get(key)
        return key if sentence is None else self.fill(sentence, {**(facts or {}), **more})

    def fill(self, sentence: str, facts: Mapping[str, Any]) -> str:
        def blank(match: re.Match[str]) -> str:
            name, one, many = match.group(1), match.group(2), match.group(3)
            value = facts.get(name, "?")
            if one is not None:
                return one if value == 1 else many
            return self.name(value)

        return _BLANK.sub(blank, sentence)

    def name(self, value: Any) -> str:
        """A fact as a person reads it."""
        if isinstance(value, str):
            if value.startswith("@"):
                return self.sentences.get(f"name.{value[1:]}", value[1:])
            return value
        if isinstance(value, (list, tuple)):
            return ", ".join(self.name(item) for item in value)
        if isinstance(value, bool):
            return self.sentences.get("name.yes" if value else "name.no", str(value))
        return str(value)

    def refusal(self, refusal: Refusal) -> str:
        """Why not, with the rule's id."""
        sentence = self.sentences.get(f"refusal.{refusal.reason}") or self.sentences.get(f"refusal.{refusal.rule}")
        if sentence is None:
            return str(refusal)
        return f"{self.fill(sentence, refusal.facts)} [{refusal.rule}]"

    def event(self, event: Event, facts: Mapping[str, Any] | None = None) -> str:
        """An event as a line of the log."""
        tag = str(event.__struct_config__.tag)
        known = msgspec.structs.asdict(event)
        return self.say(f"event.{tag}", {**known, **(facts or {})})
