"""Prepared positions of lessons and puzzles: the words of their files, and what they change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from sandtable.core import Unknown
from sandtable.core.columns import put

from .model.atlas import ATLAS, MAJORS, SIDES
from .model.state import AT_WAR, POOL, BKState, M, move_unit, send
from .rules.economy import refresh_production
from .rules.politics import set_war
from .rules.setup import blank
from .rules.supply import check_supply
from .sequence import begin_phase

A = ATLAS


class Unit(msgspec.Struct, forbid_unknown_fields=True):
    """A counter from the tray: its kind ('germany-inf-4', or an HQ's name) and where it stands."""

    kind: str
    at: str
    reduced: bool = False
    origin: str = ""
    """Where an attacker came from."""
    mission: str = ""
    """Where an aircraft or a Task Force fights."""


class Words(msgspec.Struct, forbid_unknown_fields=True):
    """What the file of a position may say."""

    empty: bool = False
    """An empty board: no counters, nobody at war."""
    turn: str = ""
    """The quarter: '3/39'."""
    phasing: str = ""
    """The side that acts: 'axis' or 'allies'. Its units may move again."""
    exploiting: bool = False
    war: tuple[tuple[str, str], ...] = ()
    join: dict[str, tuple[str, ...]] = {}
    """Major -> minors that it plays."""
    own: dict[str, tuple[str, ...]] = {}
    """Nation -> spaces that it controls."""
    unit: tuple[Unit, ...] = ()
    bad_weather: dict[str, bool] = {}
    """Map ('europe', 'pacific') -> whether its weather is bad."""
    hand: dict[str, tuple[str, ...]] = {}
    """Major -> its cards."""
    deck: tuple[str, ...] | None = None
    """The deck, the top card first."""
    numbers: dict[str, int] = {}
    """Major -> its research numbers."""
    advances: dict[str, tuple[str, ...]] = {}
    us_level: int | None = None
    saved: dict[str, int] = {}
    """Major -> production points that it has not spent."""


def arrange(m: M, words: Mapping[str, Any]) -> None:
    """Change the state as the words say."""
    try:
        _arrange(m.state, msgspec.convert(words, Words))
    except (msgspec.ValidationError, KeyError, ValueError, StopIteration) as error:
        raise Unknown(f"the position cannot be arranged: {error}") from None


def _arrange(s: BKState, words: Words) -> None:
    if words.empty:
        _clear(s)
    if words.turn:
        s.turn = A.turn_of[words.turn]
    for pair in words.war:
        _fight(s, *(A.nation_of[name] for name in pair))
    for master, minors in words.join.items():
        for minor in minors:
            _join(s, A.nation_of[minor], A.nation_of[master])
    for owner, spaces in words.own.items():
        for space in spaces:
            s.control = put(s.control, A.space_of[space], A.nation_of[owner])
    if words.empty:
        s.island_owner = s.control
    for unit in words.unit:
        _stand(s, unit)
    refresh_production(s)
    _economy(s, words)
    s.bad = (int(words.bad_weather.get("europe", s.bad[0])), int(words.bad_weather.get("pacific", s.bad[1])))
    if words.phasing:
        s.phasing = SIDES.index(words.phasing)
        s.exploiting = words.exploiting
        begin_phase(s)
    if s.advanced:
        check_supply(s)


def _clear(s: BKState) -> None:
    bare = blank(s.scenario, s.options)
    for name in s.__struct_fields__:
        if name not in ("stack", "turn"):
            setattr(s, name, getattr(bare, name))
    s.deliveries = (False,) * len(s.deliveries)


def _fight(s: BKState, *pair: int) -> None:
    for nation in pair:
        s.standing = put(s.standing, nation, AT_WAR)
        s.war_since = put(s.war_since, nation, s.turn)
    set_war(s, *pair)


def _join(s: BKState, minor: int, master: int) -> None:
    s.side = put(s.side, minor, s.side[master])
    s.master = put(s.master, minor, master)
    s.standing = put(s.standing, minor, AT_WAR)
    for other in range(len(s.war)):
        if s.war[master] >> other & 1:
            set_war(s, minor, other)


def _stand(s: BKState, unit: Unit) -> None:
    number = next(u for u in A.kind_ids[unit.kind].units if s.place[u] == POOL)
    place = A.space_of[unit.at]
    move_unit(s, number, place)
    s.flipped = put(s.flipped, number, int(unit.reduced))
    s.start = put(s.start, number, place)
    if unit.origin:
        s.origin = put(s.origin, number, A.space_of[unit.origin])
    if unit.mission:
        send(s, number, A.space_of[unit.mission])


def _economy(s: BKState, words: Words) -> None:
    for major, cards in words.hand.items():
        s.hands = put(s.hands, MAJORS.index(major), tuple(A.card_of[card] for card in cards))
    if words.deck is not None:
        s.deck = tuple(A.card_of[card] for card in words.deck)
    for major, number in words.numbers.items():
        s.numbers = put(s.numbers, MAJORS.index(major), number)
    for major, names in words.advances.items():
        known = s.advances[MAJORS.index(major)]
        for name in names:
            known |= 1 << A.advance_bit[name]
        s.advances = put(s.advances, MAJORS.index(major), known)
    if words.us_level is not None:
        s.us_level = words.us_level
    for major, points in words.saved.items():
        s.saved = put(s.saved, MAJORS.index(major), points)
