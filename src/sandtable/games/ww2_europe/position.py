"""Prepared positions of lessons and puzzles: the words of their files, and what they change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from sandtable.core import Unknown
from sandtable.core.columns import put

from .model.atlas import ATLAS, NEUTRAL, SIDES
from .model.calendar import turn_track
from .model.state import AT_WAR, BOX, DEAD, IN_CONVOY, OUT, Convoy, M, W2State
from .model.units import add_unit, put_aboard

A = ATLAS
K = ATLAS.kinds


class Units(msgspec.Struct, forbid_unknown_fields=True):
    """Units of one kind in one place. The first unit of an empty position is number 0: 'infantry#0'."""

    power: str
    kind: str
    at: str
    """A space, or 'box 1' to 'box 4' of its power."""
    count: int = 1
    damage: int = 0
    aboard: tuple[str, ...] = ()
    """Kinds of units in the hold of each."""


class Line(msgspec.Struct, forbid_unknown_fields=True):
    """A convoy and its ships."""

    power: str
    route: tuple[str, ...]
    transports: int = 1
    destroyers: int = 0


class Words(msgspec.Struct, forbid_unknown_fields=True):
    """What the file of a position may say."""

    empty: bool = False
    """Only the land: no units, no convoys, no fortresses."""
    turn: str = ""
    """The season: 'spring 1941'."""
    unit: tuple[Units, ...] = ()
    own: dict[str, tuple[str, ...]] = {}
    """Power, or 'neutral' -> spaces that it owns."""
    war: tuple[str, ...] = ()
    """Powers that are at war from the start."""
    out: tuple[str, ...] = ()
    """Powers that have left the war."""
    pact: bool | None = None
    initiative: dict[str, tuple[str, ...]] = {}
    """Side -> fronts on which it leads; 'every' for all."""
    convoy: tuple[Line, ...] = ()
    money: dict[str, int] = {}
    depots: dict[str, int] = {}
    """Power -> depots in hand."""
    fortress: dict[str, int] = {}


def arrange(m: M, words: Mapping[str, Any]) -> None:
    """Change the state as the words say."""
    try:
        _arrange(m.state, msgspec.convert(words, Words))
    except (msgspec.ValidationError, KeyError, ValueError) as error:
        raise Unknown(f"the position cannot be arranged: {error}") from None


def _arrange(s: W2State, words: Words) -> None:
    if words.empty:
        _clear(s)
    if words.turn:
        s.turn = turn_track(s.scenario).index(words.turn)
    for names, status in ((words.war, AT_WAR), (words.out, OUT)):
        for name in names:
            s.status = put(s.status, A.power_index[name], status)
    if words.pact is not None:
        s.pact = words.pact
    for name, places in words.own.items():
        for place in places:
            s.owner = put(s.owner, A.index[place], _power(name))
            s.start_owner = put(s.start_owner, A.index[place], _power(name))
    for units in words.unit:
        _stand(s, units)
    for line in words.convoy:
        _sail(s, line)
    for side, fronts in words.initiative.items():
        for front in A.fronts if fronts == ("every",) else fronts:
            s.initiative = put(s.initiative, A.front_index[front], SIDES.index(side))
    for name, dollars in words.money.items():
        s.money = put(s.money, A.power_index[name], dollars)
    for name, number in words.depots.items():
        s.depots = put(s.depots, A.power_index[name], number)
    for place, number in words.fortress.items():
        s.fortress = put(s.fortress, A.index[place], number)


def _power(name: str) -> int:
    return NEUTRAL if name == "neutral" else A.power_index[name]


def _place(name: str) -> int:
    return BOX - int(name.removeprefix("box ")) if name.startswith("box ") else A.index[name]


def _clear(s: W2State) -> None:
    nobody, nothing = (-1,) * len(s.space), (0,) * len(s.space)
    s.space, s.cargo_of, s.convoy = (DEAD,) * len(s.space), nobody, nobody
    s.flags = s.damage = nothing
    s.convoys = ()
    s.fortress = (0,) * len(A.names)


def _stand(s: W2State, units: Units) -> None:
    for _ in range(units.count):
        unit = add_unit(s, K.index[units.kind], _power(units.power), _place(units.at))
        s.damage = put(s.damage, unit, units.damage)
        for kind in units.aboard:
            put_aboard(s, add_unit(s, K.index[kind], _power(units.power), A.index[units.at]), unit)


def _sail(s: W2State, line: Line) -> None:
    power, number = A.power_index[line.power], s.next_convoy
    s.next_convoy += 1
    s.convoys = (*s.convoys, Convoy(number, power, tuple(A.index[place] for place in line.route)))
    for kind in ["transport"] * line.transports + ["destroyer"] * line.destroyers:
        ship = add_unit(s, K.index[kind], power, IN_CONVOY)
        s.convoy = put(s.convoy, ship, number)
