"""Every sentence that people read, in their language, from the games' text files.

A text file is TOML with tables `event`, `refusal`, `prompt`, `verb`, `step`, `name`, `option`, `scenario`, `rules`, ...
A sentence has blanks:

    {army}                    a fact
    {points|point|points}     a word chosen by number (of a list: by its length; true is one)
    {found?*|nothing}         words with the fact in place of the star, and words for when there is none
    {path>}                   a list in its order; in other lists equal items are counted

A fact that has a name is shown by its name: one in the table `name`, with or without '@' before it, or one on the map.
The core's own text files fill in what a game's files do not have.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from .data import Event
from .errors import Refusal

LANGUAGES = ("en", "de")
_BLANK = re.compile(r"\{(\w+)(?:(>)|([|?])([^|{}]*)\|([^|{}]*))?\}")
_COUNTER = re.compile(r"(.+)#\d+")
"""The id of a counter that shares its name with others of its kind: 'infantry#117'."""
_NUMBERED = re.compile(r"(.+) (\d+)")
"""One of several that have a number: 'convoy 3', named by 'convoy *'."""
_CORE = Path(__file__).parent / "text"


def _flatten(table: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            flat.update(_flatten(value, f"{prefix}{key}."))
        else:
            flat[f"{prefix}{key}"] = str(value)
    return flat


def _places(path: Path, language: str) -> dict[str, str]:
    """Return the names on the map. A numbered space has its number in its name, as people at a table would say it."""
    printed = json.loads(path.read_text(encoding="utf-8"))
    places = {box["id"]: box["title"].get(language, box["title"]["en"]) for box in printed.get("boxes", ())}
    for sheet in printed["sheets"]:
        for space in sheet["spaces"]:
            ident = space["id"]
            name = (space.get("name_de") if language == "de" else None) or space.get("name") or ident
            places[ident] = f"{name} ({ident})" if name != ident and any(sign.isdigit() for sign in ident) else name
    return places


class Texts:
    """The sentences of one game in one language. English stands in where the language has none."""

    def __init__(self, language: str, sentences: Mapping[str, str], places: Mapping[str, str] | None = None) -> None:
        self.language = language
        self.sentences = sentences
        self.places = places or {}
        """Names by id: the spaces of the map, and what else the game names."""

    @classmethod
    def load(cls, folder: Path, language: str, map_file: Path | None = None) -> Texts:
        sentences: dict[str, str] = {}
        for lang in ("en", language):
            for place in (_CORE, folder):
                path = place / f"{lang}.toml"
                if path.exists():
                    sentences.update(cls.read(path))
        return cls(language, sentences, _places(map_file, language) if map_file and map_file.exists() else None)

    @staticmethod
    def read(path: Path) -> dict[str, str]:
        """Return the sentences of one text file by their dotted keys."""
        import tomllib  # a program that shows nothing needs no texts

        return _flatten(tomllib.loads(path.read_text(encoding="utf-8")))

    def __contains__(self, key: str) -> bool:
        return key in self.sentences

    def say(self, key: str, facts: Mapping[str, Any] | None = None, /, **more: Any) -> str:
        """Return the sentence under this key with its blanks filled; the key itself where there is none."""
        sentence = self.sentences.get(key)
        return key if sentence is None else self.fill(sentence, {**(facts or {}), **more})

    def fill(self, sentence: str, facts: Mapping[str, Any]) -> str:
        def blank(match: re.Match[str]) -> str:
            name, in_order, how, first, second = match.groups()
            value = facts.get(name, "?")
            if how == "|":
                return str(first if (len(value) if isinstance(value, (list, tuple)) else value) == 1 else second)
            if how == "?":
                return str(first).replace("*", self.name(value)) if value and value != "@" else str(second)
            if in_order and isinstance(value, (list, tuple)):
                return " – ".join(self.name(item) for item in value)
            return self.name(value)

        return _BLANK.sub(blank, sentence)

    def name(self, value: Any) -> str:
        """Return a fact as a person reads it."""
        if isinstance(value, str):
            word = value.removeprefix("@")
            found = self.sentences.get(f"name.{word}") or self.places.get(word)
            if found is None and (counter := _COUNTER.fullmatch(word)):
                return self.name(counter.group(1))
            if found is None and (numbered := _NUMBERED.fullmatch(word)):
                found = self.sentences.get(f"name.{numbered.group(1)} *", word).replace("*", numbered.group(2))
            return word if found is None else found
        if isinstance(value, (list, tuple)):
            if not all(isinstance(item, str) for item in value):
                return ", ".join(self.name(item) for item in value)
            counts = Counter(self.name(item) for item in value)  # equal names are counted, in the order they come
            return ", ".join(name if number == 1 else f"{number} × {name}" for name, number in counts.items())
        if isinstance(value, bool):
            return self.sentences.get("name.yes" if value else "name.no", str(value))
        return str(value)

    def refusal(self, refusal: Refusal) -> str:
        """Return the sentence of a refusal, with the rule's id."""
        sentence = self.sentences.get(f"refusal.{refusal.reason}") or self.sentences.get(f"refusal.{refusal.rule}")
        if sentence is None:
            return str(refusal)
        return f"{self.fill(sentence, refusal.facts)} [{refusal.rule}]"

    def event(self, event: Event, facts: Mapping[str, Any] | None = None) -> str:
        """Return an event as a line of the log."""
        tag = str(event.__struct_config__.tag)
        known = msgspec.structs.asdict(event)
        sentence = self.say(f"event.{tag}", {**known, **(facts or {})})
        return sentence[:1].upper() + sentence[1:]
