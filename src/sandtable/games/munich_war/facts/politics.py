"""Who is at war with whom, and what that opens and closes (chapter 5, option 23.5)."""

from __future__ import annotations

from sandtable.core.facts import fact

from ..model.atlas import ALLIES, ATLAS, AXIS, COUNTRY, NOBODY
from ..model.state import MunichState

_HEXES = tuple(country.hexes for country in ATLAS.countries)
_INVADES = tuple(country.invades for country in ATLAS.countries)
_MOBILE = tuple(tuple(unit for unit in country.units if ATLAS.units[unit].mobile) for country in ATLAS.countries)
_POLAND = ATLAS.country_number[ATLAS.rules["option_23_5"]["poland"]]
_WARY_OF_POLAND = tuple(ATLAS.country_number[name] for name in ATLAS.rules["option_23_5"]["others"])


def side_of(s: MunichState, unit: int) -> int:
    """[mw-2.2-c] [mw-3.1] The player who controls a unit; NOBODY for a neutral's."""
    return s.side[COUNTRY[unit]]


@fact("side")
def members(s: MunichState) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """By side: its countries."""
    axis, allies = (tuple(country for country, who in enumerate(s.side) if who == side) for side in (AXIS, ALLIES))
    return axis, allies


@fact("side")
def armies(s: MunichState) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """By side: the mobile units of its countries, wherever they are."""
    axis, allies = (tuple(unit for country in own for unit in _MOBILE[country]) for own in members(s))
    return axis, allies


@fact("side")
def air_forces(s: MunichState) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """By side: its air units, wherever they are."""
    axis, allies = (tuple(unit for unit in ATLAS.air_units if side_of(s, unit) == side) for side in (AXIS, ALLIES))
    return axis, allies


@fact("side")
def territories(s: MunichState) -> tuple[int, int]:
    """By side: the hexes of its countries, whoever controls them."""
    axis, allies = (sum(_HEXES[country] for country in own) for own in members(s))
    return axis, allies


@fact("side")
def open_hexes(s: MunichState) -> int:
    """[mw-2.4-a] Hexes of belligerent countries."""
    axis, allies = territories(s)
    return axis | allies


@fact("side")
def _invadable(s: MunichState, country: int) -> int:
    return sum(_HEXES[neutral] for neutral in _INVADES[country] if s.side[neutral] == NOBODY)


def invadable(s: MunichState, country: int) -> int:
    """The hexes of all neutrals that a country may invade now."""
    return _invadable(s, country) if _INVADES[country] else 0


def may_invade(s: MunichState, country: int, neutral: int) -> bool:
    """[mw-5.5-germany] [mw-5.5-soviet] [mw-5.5-others] [mw-5.1-a-exception] [mw-5.6-switzerland]"""
    return neutral in _INVADES[country] and s.side[neutral] == NOBODY


def barred_hexes(s: MunichState, country: int) -> int:
    """[mw-23.5-a] [mw-23.5-b] Hexes that option 23.5 closes to a country's land units."""
    if not s.options.get("poland-and-politics"):
        return 0
    side = s.side
    if country == _POLAND:
        return sum(_HEXES[other] for other in _WARY_OF_POLAND if side[other] == side[_POLAND] != NOBODY)
    return _HEXES[_POLAND] if country in _WARY_OF_POLAND and side[country] == side[_POLAND] != NOBODY else 0


def enterable(s: MunichState, country: int) -> int:
    """[mw-5.0-a] Land hexes that a country's units may enter by politics alone, invasions left aside."""
    return open_hexes(s) & ~barred_hexes(s, country)
