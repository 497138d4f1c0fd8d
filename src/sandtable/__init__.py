"""Sandtable: board wargames as game, library and sparring partner.

    from random import Random
    import sandtable

    rng = Random(7)
    match = sandtable.new("hitlers-war", scenario="barbarossa", seed=7)
    while (role := match.asked) is not None:
        match.apply(role, match.offers(role).sample(rng))

The words used here are explained in docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.core import Match, Refusal, SandtableError
from sandtable.core import replay as _replay
from sandtable.games import find, games

from . import core

__all__ = ["Match", "Refusal", "SandtableError", "core", "find", "games", "load", "new", "save"]


def new(
    game: str, scenario: str | None = None, options: Mapping[str, Any] | None = None, *, seed: str | int = 0
) -> Match[Any]:
    """Start a match; the first scenario where none is named."""
    found = find(game)
    return Match.new(found, scenario or next(iter(found.scenarios)), options, seed=seed)


def load(data: bytes, *, verify: bool = True, to: int | None = None) -> Match[Any]:
    """Read a match file back."""
    return _replay.load(data, find, verify=verify, to=to)


def save(match: Match[Any]) -> bytes:
    """The match as a file: one JSON line per action."""
    return _replay.save(match)


def __getattr__(name: str) -> Any:
    """`sandtable.env` is loaded when it is first asked for: it needs PettingZoo. So is the version."""
    if name == "__version__":
        from sandtable.core.version import program_version

        return program_version()
    if name == "env":
        import importlib

        try:
            return importlib.import_module("sandtable.env")
        except ModuleNotFoundError as error:
            raise SandtableError(f"sandtable.env needs {error.name}: pip install 'sandtable[rl]'") from None
    raise AttributeError(f"module 'sandtable' has no attribute '{name}'")
