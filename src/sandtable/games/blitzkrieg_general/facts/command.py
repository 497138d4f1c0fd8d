"""6.4.6 and 6.7: which HQs can still command, and where."""

from __future__ import annotations

from sandtable.core.facts import fact

from ..model.atlas import ATLAS
from ..model.state import OUT, BKState


@fact("place", "start", "spent", "carrier", "flags", "nation", "side", "advanced")
def commanders(s: BKState) -> dict[tuple[int, int], int]:
    """Return by area and side the first HQ that began the phase there, is in supply and has commands left.
    [bg-2.1-hq-rating] [bg-6.4.6-naval-hq-land]"""
    out: dict[tuple[int, int], int] = {}
    for hq in _in_command(s):
        out.setdefault((s.start[hq], s.side[s.nation[hq]]), hq)
    return out


@fact("place", "start", "spent", "carrier", "flags", "nation", "side", "advanced")
def commands(s: BKState) -> dict[tuple[int, int], int]:
    """Return by area and side how many units those HQs can still command there. [bg-2.1-hq-rating]"""
    out: dict[tuple[int, int], int] = {}
    for hq in _in_command(s):
        here = (s.start[hq], s.side[s.nation[hq]])
        out[here] = out.get(here, 0) + ATLAS.rating[hq] - s.spent[hq]
    return out


def _in_command(s: BKState) -> list[int]:
    return [
        hq for hq, rating in ATLAS.rating.items()
        if s.place[hq] >= 0 and s.start[hq] >= 0 and s.spent[hq] < rating and s.carrier[hq] < 0
        and not ATLAS.is_sea[s.start[hq]] and not (s.advanced and s.flags[hq] & OUT)
    ]  # fmt: skip


def commander_for(s: BKState, unit: int) -> int:
    """Return the HQ that commands a unit in the exploitation phase; -1 if there is none."""
    return commanders(s).get((s.place[unit], s.side[s.nation[unit]]), -1)


@fact("place", "start", "spent", "carrier", "nation", "side")
def reserve_commanders(s: BKState) -> dict[tuple[int, int], int]:
    """Return by area and side the first HQ that can send reserves, in supply or not. [bg-6.4.6-reserve]
    [bg-6.4.6-naval-hq-land]"""
    out: dict[tuple[int, int], int] = {}
    for hq, rating in ATLAS.rating.items():
        if s.place[hq] >= 0 and s.spent[hq] < rating and s.carrier[hq] < 0:
            out.setdefault((s.start[hq], s.side[s.nation[hq]]), hq)
    return out


def reserve_commander(s: BKState, unit: int) -> int:
    """Return an HQ in the area where a unit began the phase that can send it as a reserve; -1 if there is none."""
    return reserve_commanders(s).get((s.start[unit], s.side[s.nation[unit]]), -1)


def naval_commander(s: BKState, unit: int) -> int:
    """Return a Naval HQ at sea that began the phase in the ship's zone and has commands left; -1 if there is none.
    [bg-6.7-ships] [bg-6.4.6-naval-hq-sea]"""
    zone, side = s.place[unit], s.side[s.nation[unit]]
    for hq, rating in ATLAS.naval_rating.items():
        if s.carrier[hq] < 0 or s.start[hq] != zone:
            continue
        if s.spent[hq] < rating and s.side[s.nation[hq]] == side:
            return hq
    return -1


def naval_leaders(s: BKState) -> set[tuple[int, int]]:
    """Return the zones with the side of a Naval HQ at sea that has commands left. [bg-6.4.6-naval-hq-sea]"""
    return {
        (s.place[hq], s.side[s.nation[hq]])
        for hq, rating in ATLAS.naval_rating.items()
        if s.carrier[hq] >= 0 and s.spent[hq] < rating
    }
