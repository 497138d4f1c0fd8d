"""What a round of Blitzkrieg General is summed up from: shooters in line, hits by their aim, who is hit next."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from sandtable.odds.dice import hits

from ..model.state import AT_AIR, AT_LAND, AT_SHIPS, AT_SUBS

Side = bytes
Both = tuple[Side, Side]
Hits = tuple[int, int, int, int]
"""By what was aimed at."""
Aims = bytes
"""Per unit of a side where it stands on the chart."""
LEFT, NOWHERE = 128, 255
Fired = tuple[Hits, frozenset[int], int]
"""Hits, the flyers that turned to the land segment, bombs on their targets."""
Ends = dict[tuple[Side, Side, int], float]
Block = tuple[dict[Side, float], dict[tuple[Side, int], float]]
Volley = dict[tuple[Side, Side, int, tuple[Aims, Aims]], float]


class Shooter(NamedTuple):
    """A unit that fires, or a card's die."""

    unit: int
    aim: int
    value: int
    shots: int
    turns: bool
    """A flyer that may turn to the land segment when everybody in the air is covered."""
    on_land: int
    """Its strength there."""


class Line(NamedTuple):
    """One side on the chart: where it stands, and who of it fires in a volley."""

    aims: Aims
    shooters: tuple[Shooter, ...]
    number: int
    """The same for the same shooters."""
    values: tuple[tuple[int, ...], ...]
    """By aim the strength of every die."""

    @property
    def can_fire(self) -> bool:
        return any(row and row[-1] > 0 for row in self.values)


def at_sea(air: dict[Fired, float], line: Line, room: Hits, bombs: tuple[float, ...]) -> dict[Fired, float]:
    """The same with hits on ships and submarines, or with bombs on their targets."""
    rest = [list(enumerate(hits(line.values[aim], room[aim]))) for aim in (AT_SHIPS, AT_SUBS)]
    out: dict[Fired, float] = {}
    for (row, turned, _), p in air.items():
        for (ships, r), (subs, s), (bomb, t) in product(*rest, enumerate(bombs)):
            key = ((row[AT_LAND], row[AT_AIR], ships, subs), turned, bomb)
            out[key] = out.get(key, 0.0) + p * r * s * t
    return out


def air_fire(shooters: tuple[Shooter, ...], room: Hits) -> dict[tuple[int, frozenset[int], int], float]:
    """The air segment in order: who comes when everybody there is covered fires at the land segment instead.

    [bg-6.5.3-switch]
    """
    found: dict[tuple[int, frozenset[int], int], float] = {(0, frozenset(), 0): 1.0}
    up, down = room[AT_AIR], room[AT_LAND]
    for shooter in (s for s in shooters if s.aim == AT_AIR):
        after: dict[tuple[int, frozenset[int], int], float] = {}
        for (in_air, turned, below), chance in found.items():
            if in_air < up:
                for more, p in enumerate(hits((shooter.value,) * shooter.shots, up - in_air)):
                    key = (in_air + more, turned, below)
                    after[key] = after.get(key, 0.0) + chance * p
            elif not shooter.turns:
                key = (in_air, turned, below)
                after[key] = after.get(key, 0.0) + chance
            else:
                for more, p in enumerate(hits((shooter.on_land,) * shooter.shots, down - below)):
                    key = (in_air, turned | {shooter.unit}, below + more)
                    after[key] = after.get(key, 0.0) + chance * p
        found = after
    return found
