"""Odds as a person reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from sandtable.core import Odds, Texts


def in_words(odds: Odds, texts: Texts) -> Odds:
    """The odds with every key of the text files in the reader's language."""

    def word(kind: str, key: str) -> str:
        if key.startswith("@"):
            return texts.name(key)
        return next((texts.say(k) for k in (key, f"{kind}.{key}", f"odds.{key}") if k in texts), key)

    def sides(values: Mapping[str, Any]) -> dict[str, Any]:
        return {word("name", f"@{side}"): value for side, value in values.items()}

    return msgspec.structs.replace(
        odds,
        title=word("odds", odds.title),
        policy=word("policy", odds.policy) if odds.policy else "",
        results=[
            msgspec.structs.replace(one, name=word("result", one.name), losses=sides(one.losses))
            for one in odds.results
        ],
        modifiers=[msgspec.structs.replace(one, name=word("modifier", one.name)) for one in odds.modifiers],
        expected_losses=sides(odds.expected_losses),
    )
