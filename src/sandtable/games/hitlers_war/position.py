"""Prepared positions of lessons and puzzles: the words of their files, and what they change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from sandtable.core import Unknown
from sandtable.core.columns import having, put

from .model.atlas import ATLAS, KINDS, SIDES, side_number
from .model.state import M, War, book, set_points, total

_NOBODY = 3


class Army(msgspec.Struct, forbid_unknown_fields=True):
    """An army and its points."""

    name: str
    at: str
    infantry: int = 0
    mechanized: int = 0
    tac_air: int = 0
    paratroop: int = 0
    amphibious: int = 0


class Words(msgspec.Struct, forbid_unknown_fields=True):
    """What the file of a position may say."""

    turn: str = ""
    """The season: '1941-summer'."""
    side: str = ""
    """Whose player-turn it is."""
    empty: bool = False
    """Take all armies off the map first."""
    army: tuple[Army, ...] = ()
    hold: dict[str, tuple[str, ...]] = {}
    """Side ('axis', 'soviet', 'allies', 'nobody') -> hexes and countries that it holds."""
    devastated: dict[str, int] = {}
    ruined: dict[str, int] = {}
    """Production lost for good."""
    fort: dict[str, int] = {}
    budget: int | None = None
    first_winter: str = ""
    """The season of the first Russian winter, where it is over."""


def arrange(m: M, words: Mapping[str, Any]) -> None:
    """Change the state as the words say."""
    try:
        wanted = msgspec.convert(words, Words)
        _arrange(m.state, wanted)
    except (msgspec.ValidationError, KeyError) as error:
        raise Unknown(f"the position cannot be arranged: {error}") from None


def _arrange(s: War, words: Words) -> None:
    if words.turn:
        s.turn = ATLAS.turn_number[words.turn]
    if words.side:
        s.side = side_number(words.side)
    if words.empty:
        s.army_at, s.strength, s.muster, s.idle = (-1,) * 36, (0,) * 180, (0,) * len(SIDES), bytes(36)
    for army in words.army:
        _stand(s, army)
    for side, places in words.hold.items():
        owner = _NOBODY if side == "nobody" else side_number(side)
        for space in (x for name in places for x in _spaces(name)):
            s.owner = put(s.owner, space, owner)
    for name, number in words.devastated.items():
        s.devastated = having(s.devastated, ATLAS.index[name], number)
    for name, number in words.ruined.items():
        s.ruined = having(s.ruined, ATLAS.index[name], number)
    for name, number in words.fort.items():
        s.fort = having(s.fort, ATLAS.index[name], number)
    if words.first_winter:
        s.first_winter = ATLAS.turn_number[words.first_winter]
    if words.budget is not None:
        s.budget = words.budget
    s.before = s.owner


def _stand(s: War, army: Army) -> None:
    number = ATLAS.army_index[army.name]
    s.army_at = put(s.army_at, number, ATLAS.index[army.at])
    row = [getattr(army, kind) for kind in KINDS]
    book(s, number, sum(row) - total(s, number))
    set_points(s, number, row)


def _spaces(name: str) -> tuple[int, ...]:
    """Return the hex of this name, or all hexes of the country."""
    if name in ATLAS.index:
        return (ATLAS.index[name],)
    return tuple(ATLAS.countries[ATLAS.country_index[name]].spaces)
