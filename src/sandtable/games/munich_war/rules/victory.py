"""How to win (chapter 22)."""

from __future__ import annotations

from sandtable.core.bits import bits

from ..facts.control import last_held
from ..model.atlas import ALLIES, ATLAS, AXIS, NOBODY, SIDES
from ..model.events import Scored
from ..model.state import ELIMINATED, SURRENDERED, M

_POINTS = ATLAS.tables["victory_points"]
_WORTHY = tuple(face for face in ATLAS.units if face.vp)
"""The counters whose loss counts."""


def powers(m: M, side: int) -> list[int]:
    """Belligerents of a side that have forces; an invaded country without any is no power."""
    return [country for country, who in enumerate(m.state.side) if who == side and ATLAS.countries[country].units]


def check_automatic(m: M) -> None:
    """[mw-22.0-a] [mw-22.0-b] A side wins at once when every enemy power has surrendered and one of its own has not."""
    fallen = m.state.fallen
    for side in (AXIS, ALLIES):
        enemies = powers(m, 1 - side)
        if enemies and all(fallen[country] for country in enemies) and not all(fallen[c] for c in powers(m, side)):
            m.end((SIDES[side],), "automatic", "mw-22.0-a")
            return


def _named_worth(at: int) -> int:
    """[mw-22.0-vp-cities] Points for a city that the table names, or for another capital."""
    worth = int(_POINTS["cities"].get(ATLAS.face(at)["city"]["name"], 0))
    is_capital = at == ATLAS.countries[ATLAS.country_of[at]].capital
    return worth or (int(_POINTS["other_capital"]) if is_capital else 0)


def needs_garrison(at: int, side: int) -> bool:
    """[mw-22.0-vp-reich] Whether a hex counts for a side only while its leading power stands in it."""
    return side == AXIS and bool(ATLAS.reich_objectives >> at & 1) and not _named_worth(at)


def city_worth(at: int, side: int) -> int:
    """[mw-22.0-c] [mw-22.0-vp-cities] [mw-22.0-vp-reich] What a city of the enemy's country is worth to a side."""
    if needs_garrison(at, side):
        return int(_POINTS["reich_objective_axis_german_occupied"])
    is_center = at in ATLAS.countries[ATLAS.country_of[at]].mobilization
    return _named_worth(at) or (int(_POINTS["other_mobilization"]) if is_center else 0)


def city_points(m: M, side: int, at: int) -> int:
    """[mw-22.0-d] What a hex of the enemy's country brings the side that was last in it."""
    country = ATLAS.country_of[at]
    if country == NOBODY or m.state.side[country] != 1 - side or not last_held(m.state, side) >> at & 1:
        return 0
    return 0 if needs_garrison(at, side) and not stands(m, "reich_power", at) else city_worth(at, side)


def stands(m: M, power: str, at: int) -> bool:
    """Whether land units of the power stand in a hex."""
    country = ATLAS.country_number[ATLAS.rules["victory"][power]]
    return any(ATLAS.is_land[unit] and m.state.where[unit] == at for unit in ATLAS.countries[country].units)


def mannerheim_points(m: M, side: int) -> int:
    """[mw-22.0-vp-mannerheim] Soviet units in the Mannerheim Line."""
    soviet = ATLAS.country_number[ATLAS.rules["victory"]["mannerheim_power"]]
    if m.state.side[soviet] != side:
        return 0
    held = any(stands(m, "mannerheim_power", at) for at in bits(ATLAS.mannerheim))
    return int(_POINTS["mannerheim_soviet_occupied"]) if held else 0


def unit_points(m: M, side: int) -> int:
    """[mw-22.0-vp-units] Enemy units out of the game."""
    state = m.state
    return sum(
        face.vp
        for face in _WORTHY
        if state.where[face.index] in (ELIMINATED, SURRENDERED) and state.side[face.country] == 1 - side
    )


def score(m: M, side: int) -> int:
    taken = (ATLAS.key_cities | ATLAS.reich_objectives) & last_held(m.state, side)
    cities = sum(city_points(m, side, at) for at in bits(taken))
    return cities + mannerheim_points(m, side) + unit_points(m, side)


def level_of(difference: int) -> tuple[int, str, str]:
    """[mw-22.1-decisive-axis] [mw-22.1-major-axis] [mw-22.1-marginal-allied] [mw-22.1-decisive-allied]"""
    names = ("decisive-axis", "major-axis", "marginal-allied", "decisive-allied")
    for name, row in zip(names, _POINTS["levels"], strict=True):
        if row["min"] is None or difference >= row["min"]:
            winner = AXIS if name.endswith("axis") else ALLIES
            return winner, name, f"mw-22.1-{name}"
    raise AssertionError("the levels cover every difference")


def handicap(m: M) -> int:
    """By how many points less than printed the Axis must lead, to make up for a weaker player: option `handicap`."""
    return int(m.option("handicap"))


def decide(m: M) -> None:
    """[mw-22.0-c] [mw-3.3-end] Count up at the end of the scenario."""
    axis, allies = score(m, AXIS), score(m, ALLIES)
    m.emit(Scored(axis=axis, allies=allies, difference=axis - allies))
    winner, level, rule = level_of(axis - allies + handicap(m))
    m.end((SIDES[winner],), level, rule)
