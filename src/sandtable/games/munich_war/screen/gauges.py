"""The conditions of victory as gauges."""

from __future__ import annotations

from sandtable.core.bits import bits
from sandtable.core.gauges import Gauge, Standing

from ..model.atlas import ALLIES, ATLAS, AXIS, SIDES
from ..model.state import M
from ..rules import victory

_LEVELS = {name: row["min"] for name, row in zip(
    ("decisive-axis", "major-axis", "marginal-allied", "decisive-allied"), ATLAS.tables["victory_points"]["levels"],
    strict=True)}  # fmt: skip


def standing(m: M) -> Standing:
    """Return the gauges of a match; its state is used up to see how it would end."""
    s = m.state
    lead = victory.score(m, AXIS) - victory.score(m, ALLIES)
    major, decisive, allied = (
        _LEVELS[name] - victory.handicap(m) for name in ("major-axis", "decisive-axis", "marginal-allied")
    )
    gauges = [
        Gauge(id="lead", roles=(SIDES[AXIS],), value=lead, goal=major, marks=(decisive,), held=_taken(m, AXIS),
              places=_cities(m, AXIS), rules=("mw-22.1-major-axis", "mw-22.1-decisive-axis")),
        Gauge(id="lead-held", roles=(SIDES[ALLIES],), value=lead, goal=major - 1, most=True,
              marks=(allied - 1,), held=_taken(m, ALLIES), places=_cities(m, ALLIES),
              rules=("mw-22.1-marginal-allied", "mw-22.1-decisive-allied")),
    ]  # fmt: skip
    for side in (AXIS, ALLIES):
        enemies = victory.powers(m, 1 - side)
        if enemies:
            gauges.append(
                Gauge(id="surrendered", roles=(SIDES[side],), value=sum(s.fallen[c] > 0 for c in enemies),
                      goal=len(enemies), rules=("mw-22.0-a", "mw-22.0-b"))
            )  # fmt: skip
    victory.check_automatic(m)
    if s.outcome is None:
        victory.decide(m)
    return Standing(tuple(gauges), s.outcome)


def _cities(m: M, side: int) -> tuple[str, ...]:
    """The cities of the enemy's countries that bring a side points."""
    enemy = [country.index for country in ATLAS.countries if m.state.side[country.index] == 1 - side]
    places = bits(ATLAS.key_cities | ATLAS.reich_objectives)
    return tuple(ATLAS.hex_name[at] for at in places if ATLAS.country_of[at] in enemy and victory.city_worth(at, side))


def _taken(m: M, side: int) -> tuple[str, ...]:
    places = bits(ATLAS.key_cities | ATLAS.reich_objectives)
    return tuple(ATLAS.hex_name[at] for at in places if victory.city_points(m, side, at))
