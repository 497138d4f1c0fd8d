"""The games. Each lives in a folder of its own and none imports another."""

from __future__ import annotations

import importlib
import os
from functools import cache
from typing import Any, cast

from sandtable.core import Game, Unknown

from .pins import pinned

_HOMES: dict[str, str] = {
    "blitzkrieg-general": "sandtable.games.blitzkrieg_general.game:GAME",
    "hitlers-war": "sandtable.games.hitlers_war.game:GAME",
    "munich-war": "sandtable.games.munich_war.game:GAME",
    "ww2-europe": "sandtable.games.ww2_europe.game:GAME",
}
"""Game id -> 'package.module:attribute'; a game's module is imported when it is first asked for."""


ELSEWHERE = "SANDTABLE_GAMES"
"""Environment variable with games that live elsewhere: 'id=package.module:attribute', comma separated."""


@cache
def _installed() -> dict[str, str]:
    """The games of installed packages: their entry points of the group 'sandtable.games'."""
    from importlib.metadata import entry_points  # takes longer than all of `import sandtable`

    return {point.name: point.value for point in entry_points(group="sandtable.games")}


def _homes() -> dict[str, str]:
    found = {**_installed(), **_HOMES}
    for entry in filter(None, os.environ.get(ELSEWHERE, "").split(",")):
        name, _, home = entry.partition("=")
        found[name.strip()] = home.strip()
    return found


def games() -> tuple[str, ...]:
    """The ids of all games."""
    return tuple(_homes())


def home_of(name: str) -> str:
    """Return where a registered game lives, as 'package.module:attribute'."""
    homes = _homes()
    if name not in homes:
        raise Unknown(f"there is no game '{name}'; there is {', '.join(homes) or 'none'}")
    return homes[name]


def registered(name: str, rules: int | None = None) -> Game[Any]:
    """A game by its id alone: for names that come from strangers, who must not choose what is imported."""
    home_of(name)
    return find(name, rules)


def find(name: str, rules: int | None = None) -> Game[Any]:
    """A game by its id, or by 'package.module:attribute' for a game that lives elsewhere.

    `rules` asks for the game as it was at that version of its rules: the pinned one where the rules have changed
    since, otherwise the game of today.
    """
    if rules is not None and (old := pinned(name, rules)) is not None:
        return cast(Game[Any], old)
    elsewhere = os.environ.get(ELSEWHERE)
    home = name if ":" in name else _HOMES[name] if name in _HOMES and not elsewhere else home_of(name)
    return _load(home, name)


def _load(home: str, name: str) -> Game[Any]:
    module, _, attribute = home.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise Unknown(f"there is no game at '{name}': {error}") from None
    if not isinstance(found, Game):
        raise Unknown(f"'{name}' is not a game")
    return found
