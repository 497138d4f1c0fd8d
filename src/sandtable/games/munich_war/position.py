"""Prepared positions of lessons and puzzles: the words of their files, and what they change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from sandtable.core import Unknown

from .model.atlas import ALLIES, ATLAS, AXIS, NOBODY, SIDES
from .model.state import (
    AVAILABLE,
    ELIMINATED,
    OFF_MAP,
    OUT,
    REINFORCEMENT,
    SURRENDERED,
    TRACK,
    UTILIZED,
    M,
    frighten,
    give,
    lay,
    set_steps,
)
from .rules.control import hold
from .rules.politics import join

_BOXES = {"out": OUT, "available": AVAILABLE, "utilized": UTILIZED, "reinforcement": REINFORCEMENT,
          "eliminated": ELIMINATED, "surrendered": SURRENDERED, "off-map": OFF_MAP}  # fmt: skip


class Unit(msgspec.Struct, forbid_unknown_fields=True):
    """A counter and where it is: a hex, a box ('available'), or 'turn 3' of the track."""

    id: str
    at: str
    steps: int | None = None
    """Its steps; as many as it has where nothing is said."""


class Words(msgspec.Struct, forbid_unknown_fields=True):
    """What the file of a position may say. The map is empty at first; who fights whom follows from the scenario."""

    turn: int = 1
    phasing: str = ""
    """Whose player turn it is."""
    unit: tuple[Unit, ...] = ()
    own: dict[str, tuple[str, ...]] = {}
    """Side -> hexes that it controls without standing there."""
    join: dict[str, tuple[str, ...]] = {}
    """Side -> more countries that fight for it."""
    terror: tuple[str, ...] = ()
    storm: bool = False


def arrange(m: M, words: Mapping[str, Any]) -> None:
    """Change the state as the words say; without any the match begins with its set-up."""
    if words:
        try:
            _arrange(m, msgspec.convert(words, Words))
        except (msgspec.ValidationError, KeyError, ValueError) as error:
            raise Unknown(f"the position cannot be arranged: {error}") from None


def _arrange(m: M, words: Words) -> None:
    s = m.state
    s.turn = words.turn
    for side in (AXIS, ALLIES):
        more = [ATLAS.country_number[name] for name in words.join.get(SIDES[side], ())]
        for country in (*ATLAS.plans[s.plan].sides[side], *more):
            join(m, country, side, "scenario")
    if words.phasing:
        s.phasing = SIDES.index(words.phasing)
    for unit in words.unit:
        _stand(m, unit)
    for name, places in words.own.items():
        for place in places:
            give(s, SIDES.index(name), 1 << ATLAS.hex_number[place])
    for place in words.terror:
        frighten(s, ATLAS.hex_number[place])
    s.storm = words.storm


def _stand(m: M, unit: Unit) -> None:
    s, number = m.state, ATLAS.unit_number[unit.id]
    set_steps(s, number, ATLAS.units[number].steps if unit.steps is None else unit.steps)
    if unit.at.startswith("turn "):
        lay(s, number, TRACK - int(unit.at[5:]))
    elif unit.at in _BOXES:
        lay(s, number, _BOXES[unit.at])
    else:
        place = ATLAS.hex_number[unit.at]
        lay(s, number, place)
        if s.side[ATLAS.units[number].country] != NOBODY and ATLAS.units[number].land:
            hold(m, number, place)
