"""6.4.5 and 6.4.6: who is near enough to come to an attacked space."""

from __future__ import annotations

from sandtable.core.facts import fact

from ..model.atlas import AIR, ATLAS, bits_of, ones
from ..model.state import BKState, enemy_side
from .ground import GROUND
from .politics import acting
from .reach import air_range, flight
from .units import counters


@fact("place", "here", "nation", "phasing", "exploiting", "advances", *GROUND)
def near_attacks(
    s: BKState, attacked: tuple[int, ...], on_land: int, by_sea: bool
) -> dict[int, list[tuple[int, list[int]]]]:
    """Return by major of the other side its units that could come to an attacked space at all, in the order of the mix.

    Aircraft and Task Forces have the attacked spaces that they reach. Land units within two marches of an area attacked
    on land, and all ships where they may come `by_sea`, have none.
    """
    place, bits, out = s.place, bits_of(attacked), {}
    for major in acting(s, enemy_side(s.phasing)):
        units = [u for u in counters(s, "aircraft")[major] if place[u] >= 0]
        units = [u for u in units if ATLAS.within_flight[place[u]][air_range(s, u)] & bits]
        units += [u for u in counters(s, "task_forces")[major] if place[u] >= 0 and ATLAS.beside_coast[place[u]] & bits]
        reached = {u: in_reach(s, u, attacked) for u in units}
        out[major] = [(u, spaces) for u, spaces in reached.items() if spaces]
        if by_sea:
            out[major] += [(u, []) for u in counters(s, "ships")[major] if place[u] >= 0 and not reached.get(u)]
    for space in set().union(*[ATLAS.within_marches[area] for area in ones(on_land)]):
        for unit in s.here[space]:
            if ATLAS.is_land[unit]:
                out.setdefault(s.master[s.nation[unit]], []).append((unit, []))
    rank = ATLAS.rank
    return {major: sorted(units, key=lambda entry: rank[entry[0]]) for major, units in out.items()}


def in_reach(s: BKState, unit: int, attacked: tuple[int, ...]) -> list[int]:
    """Return those of the spaces that an aircraft flies to, or that are beside a Task Force. [bg-6.4.5-air]
    [bg-6.4.5-overfly] [bg-6.4.5-tf]"""
    start = s.place[unit]
    if ATLAS.type[unit] != AIR:
        return [] if s.exploiting else [space for space in ATLAS.coast[start] if space in attacked]
    reached = flight(s, s.nation[unit], start, air_range(s, unit))
    out = [space for space in attacked if space in reached and space != start]
    twin = ATLAS.twin[start]
    return [*out, twin] if twin in attacked and twin not in out else out
