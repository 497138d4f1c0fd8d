"""What can go wrong: one exception type for each thing a caller can do about it.

A `Refusal` is the rules saying no. It has the ledger id of the rule and the facts behind it; its sentence is made in
the reader's language (see `core.text`). All other types are faults of the input, not of the move.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class SandtableError(Exception):
    """Bad input of any kind; the message is one clear sentence."""


class Unknown(SandtableError):
    """A game, scenario, option or role that does not exist."""


class Malformed(SandtableError):
    """An action that has the wrong shape: not a move that could ever be made."""


class BadFile(SandtableError):
    """A match file that is corrupt, truncated or not a match file at all."""


class OtherVersion(SandtableError):
    """A match that was played under rules this program does not have."""


class Diverged(SandtableError):
    """A replay that reaches another state than the one recorded."""


class BrokenRules(SandtableError):
    """A fault of the game's own code: a step that asks nobody, an offer that offers what the rules refuse."""


class Refusal(SandtableError):
    """The rules say no.

    `rule` is the ledger id; `reason` picks the sentence in the game's text files (the rule's id where the rule has
    only one); `facts` fill the sentence's blanks. A fact that is a string starting with '@' is a name to be
    translated ('@germany').
    """

    def __init__(self, rule: str, reason: str | None = None, /, **facts: Any) -> None:
        self.rule = rule
        self.reason = reason or rule
        self.facts: Mapping[str, Any] = facts  # (rule, reason) are the exception's args already: made in `__new__`

    def __str__(self) -> str:
        parts = ", ".join(f"{name}={value}" for name, value in self.facts.items())
        return f"{self.reason} [{self.rule}]" + (f" ({parts})" if parts else "")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Refusal) and (self.rule, self.reason, dict(self.facts)) == (
            other.rule,
            other.reason,
            dict(other.facts),
        )

    def __hash__(self) -> int:
        return hash((self.rule, self.reason))
