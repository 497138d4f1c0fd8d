"""Terror bombing and flak (chapters 16.7, 16.8), with the storm's shift (20.0)."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.core import Refusal

from ..facts.board import aloft, board, enemy_at
from ..facts.politics import side_of
from ..model.atlas import ATLAS, NOBODY, hex_name
from ..model.state import M
from .air import factor

_GUNS = frozenset(unit.index for unit in ATLAS.units if unit.flak or unit.fort)
"""Counters with anti-aircraft guns, and fortifications, which have some."""


def why_not_bomb(m: M, unit: int, aim: str) -> Refusal | None:
    """[mw-16.8-b] [mw-16.8-c] What an airstrike may bomb in the hex it is over."""
    at, side = m.state.where[unit], side_of(m.state, unit)
    if aim == "units":
        return None if enemy_at(m.state, side, at) else Refusal("mw-16.8-b", "no-enemy", hex=hex_name(at))
    if not ATLAS.cities >> at & 1:
        return Refusal("mw-16.8-b", "no-city", hex=hex_name(at))
    if m.state.side[ATLAS.country_of[at]] == side:
        return Refusal("mw-16.8-b", "friendly-country", hex=hex_name(at))
    if board(m.state).occupied[side] >> at & 1:
        return Refusal("mw-16.8-b", "friends-there", hex=hex_name(at))
    return None


def bombers(m: M, side: int) -> dict[int, list[str]]:
    """[mw-16.0-strike] [mw-16.0-lift] Airstrikes on the map with something to bomb."""
    found: dict[int, list[str]] = {}
    for unit in aloft(m.state):
        if ATLAS.units[unit].strike and side_of(m.state, unit) == side:
            aims = [aim for aim in ("city", "units") if why_not_bomb(m, unit, aim) is None]
            if aims:
                found[unit] = aims
    return found


def terror_column(m: M, unit: int) -> int:
    """[mw-16.8-d] [mw-20.0-h] The unit's factor; one less in storms over the Soviet Union and Finland."""
    columns = ATLAS.tables["terror"]["columns"]
    value = factor(m, unit) - storm_shift(m, ATLAS.units[unit].country, m.state.where[unit])
    return int(max(columns[0], min(columns[-1], value)))


def storm_shift(m: M, country: int, at: int) -> int:
    """[mw-20.0-h] Storms: one column left for attacks into the Soviet Union or Finland, not by their own units."""
    there = ATLAS.country_of[at]
    if not m.state.storm or there in (country, NOBODY):
        return 0
    return 1 if ATLAS.countries[there].name in ATLAS.rules["storm"]["attack_countries"] else 0


def has_flak(m: M, side: int, at: int) -> bool:
    """[mw-16.7] Whether the other side has anti-aircraft guns or a fortification in the hex."""
    return guns_among(enemy_at(m.state, side, at))


def guns_among(units: Iterable[int]) -> bool:
    return not _GUNS.isdisjoint(units)
