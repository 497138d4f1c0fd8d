"""What a person reads for the values of an offer, in his language.

Spaces, counters and cards have their names on the map and on the table, where the client finds them. Everything else
that may be chosen is named by the game's text files: under `choice`, or under `name` like in any other sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from sandtable.core import Texts

from .messages import Want

_COPY = re.compile(r"[-#]\d+$")
"""The end of a counter's id that tells it from others of its kind: the kind has the name."""
_ON_THE_MAP = ("space", "spaces", "path")


def label(texts: Texts, verb: str, value: Any) -> str | None:
    """The name of a value in the choice of this verb; None where the text files have none."""
    if not isinstance(value, str) or not value:
        return None
    for key in (f"choice.{verb}.{value}", f"choice.{value}", f"name.{value}", f"name.{_COPY.sub('', value)}"):
        if key in texts:
            name = texts.say(key)
            return name[:1].upper() + name[1:]
    return None


def add_labels(face: dict[str, Any], texts: Texts, depth: int = 0) -> dict[str, Any]:
    """Put labels beside the values of the next field, and for listed actions the words that are in them."""
    told = face.get("next")
    fields = face.get("fields", ())
    if told and depth < len(fields) and fields[depth]["kind"] not in _ON_THE_MAP:
        found = [label(texts, face["verb"], value) for value in _values(told)]
        if any(found):
            told["labels"] = found
    if "actions" in face:
        words = {
            word: name
            for action in face["actions"]
            for key, value in action.items()
            if key != "do"
            for word in strings(value)
            if (name := label(texts, face["verb"], word))
        }
        if words:
            face["words"] = words
    return face


def is_closed(face: dict[str, Any]) -> bool:
    """There is nothing to choose in it now."""
    told = face.get("next")
    return face.get("actions") == [] or (told is not None and told.get("type") == "one" and not told["values"])


def _values(told: dict[str, Any]) -> Iterable[Any]:
    if told.get("type") == "walk":
        return list(told.get("next", ()))
    if told.get("type") == "amounts":
        return [item for item, _ in told["limits"]]
    return list(told.get("values", ()))


def strings(value: Any) -> Iterator[str]:
    """Yield every word in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from strings(one)


def words_of(action: dict[str, Any], texts: Texts) -> Want:
    """Return an action, as plain data, with the words of the buttons that lead to it."""
    fields = [value for key, value in action.items() if key != "do" and value != ""]
    return Want(action, [texts.say(f"verb.{action['do']}"), *(_words(value, texts) for value in fields)])


def _words(value: Any, texts: Texts) -> str:
    if isinstance(value, (list, tuple)) and value and all(isinstance(pair, (list, tuple)) for pair in value):
        return ", ".join(f"{number} × {texts.name(item)}" for item, number in value)
    if isinstance(value, (list, tuple)):
        return texts.name([_kind(item, texts) for item in value])
    return texts.name(_kind(value, texts))


def _kind(value: Any, texts: Texts) -> Any:
    """A counter's kind where the kind has the name, else the value itself."""
    kind = _COPY.sub("", value) if isinstance(value, str) else value
    return kind if kind != value and texts.name(value) == value and texts.name(kind) != kind else value
