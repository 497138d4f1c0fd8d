"""Odds in the reader's language."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from sandtable.core import Odds, Texts

HOME = Path(__file__).parent


@functools.cache
def own_texts(language: str) -> Texts:
    """The texts that several games share."""
    return Texts.load(HOME / "text", language)


def in_words(odds: Odds, texts: Texts) -> Odds:
    """The odds with every key replaced by the text it stands for, the game's own text first."""
    ours = own_texts(texts.language)

    def word(kind: str, text: str) -> str:
        if text.startswith("@"):
            return texts.name(text)
        key, _, figures = text.partition("?")
        facts: dict[str, Any] = dict(part.split("=", 1) for part in figures.split("&")) if figures else {}
        facts = {name: int(value) if value.isdecimal() else value for name, value in facts.items()}
        for book in (texts, ours):
            for name in (key, f"{kind}.{key}", f"odds.{key}"):
                if name in book:
                    return book.say(name, facts)
        return texts.name(text)

    def sides(values: Mapping[str, Any]) -> dict[str, Any]:
        return {word("name", f"@{side}"): value for side, value in values.items()}

    return msgspec.structs.replace(
        odds,
        title=word("odds", odds.title),
        policy=word("policy", odds.policy) if odds.policy else "",
        whose=word("name", odds.whose) if odds.whose else "",
        aim=word("aim", odds.aim) if odds.aim else "",
        basis=word("basis", odds.basis) if odds.basis else "",
        results=[
            msgspec.structs.replace(
                one,
                name=word("result", one.name),
                losses=sides(one.losses),
                facts={word("fact", name): value for name, value in one.facts.items()},
            )
            for one in odds.results
        ],
        modifiers=[msgspec.structs.replace(one, name=word("modifier", one.name)) for one in odds.modifiers],
        expected_losses=sides(odds.expected_losses),
    )
