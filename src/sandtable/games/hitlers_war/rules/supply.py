"""Supply: which spaces have a route to a healthy production point, and what happens to those that have none.

Chapters 'Line of Supply', 'Unsupplied Hexes', 'Supply Route', and the rule for three sides in the Fall of Germany.
"""

from __future__ import annotations

from sandtable.core import Step

from ..facts.seaways import blockade
from ..facts.territory import Territory, territory
from ..model.atlas import ARMIES, ATLAS, AXIS, ENEMIES, SIDES
from ..model.events import Defected
from ..model.state import M, War, armies_in, space_name
from .control import eliminate, healthy, take
from .sealift import sea_chart
from .surrender import Fallen


def cut_off(s: War, side: int, mine: Territory) -> list[int]:
    """Spaces of a territory of the side without a route to a friendly healthy production point.

    [hw-supply-1] [hw-supply-2] [hw-supply-3] [hw-unsupplied-1] [hw-seasupply-1]
    """
    parts = mine.by_sea(sea_chart(s, side).supply, blockade(s, side))
    idle = {x for x in (*s.devastated, *s.ruined) if not healthy(s, x)}
    fed = {label for label, works in parts.works.items() if label >= 0 and not idle.issuperset(works)}
    if len(fed) == parts.number:
        return []
    return sorted(x for label, spaces in parts.spaces.items() if label not in fed for x in spaces)


def unsupplied(s: War, side: int) -> list[int]:
    """Spaces of a side without supply; some are never tested where there is no sea supply at all."""
    exempt = s.setting.exempt[side]
    return [x for x in cut_off(s, side, territory(s, side)) if x not in exempt]


def find_stuck(s: War, side: int) -> None:
    """At the start of a side's turn: armies without supply may neither move nor attack in it.  [hw-unsupplied-3]"""
    cut_off = unsupplied(s, side)
    first, last = side * ARMIES, side * ARMIES + ARMIES
    row = bytes([at in cut_off for at in s.army_at[first:last]]) if cut_off else bytes(ARMIES)
    s.stuck = s.stuck[:first] + row + s.stuck[last:]


def gaps(a: int, b: int) -> int:
    """Hexes between two spaces; a box counts by its sea arrows and neighbours."""
    if not ATLAS.is_box[a] and not ATLAS.is_box[b]:
        return ATLAS.distance(a, b)
    if a == b:
        return 0
    if ATLAS.is_box[b]:
        a, b = b, a
    ways = [1 + gaps(x, b) for x in ATLAS.around[a]]
    for water in ATLAS.waters_of[a]:
        for there, link in ATLAS.sail[water]:
            space = ATLAS.waters[there][0]
            if space == b:
                ways.append(link.length)
            elif not ATLAS.is_box[space]:
                ways.append(link.length + (gaps(space, b) if not ATLAS.is_box[b] else _box_gap(space, b)))
    return min(ways, default=1 << 20)


def _box_gap(space: int, box: int) -> int:
    ways = [1 + ATLAS.distance(x, space) for x in ATLAS.around[box]]
    for water in ATLAS.waters_of[box]:
        for there, link in ATLAS.sail[water]:
            if not ATLAS.is_box[ATLAS.waters[there][0]]:
                ways.append(link.length + ATLAS.distance(ATLAS.waters[there][0], space))
    return min(ways, default=1 << 20)


def heirs(s: War, side: int, space: int) -> list[int]:
    """The opposing sides whose nearest healthy production point is closest to a lost space.

    [hw-unsupplied-2] [hw-fall-special-4] [hw-coop-1]
    """
    foes = [foe for foe in ENEMIES[side] if foe in s.setting.order]
    if len(foes) == 1:
        return foes
    best = {
        foe: min((gaps(space, x) for x in ATLAS.land if s.owner[x] == foe and healthy(s, x)), default=1 << 20)
        for foe in foes
    }
    least = min(best.values())
    return [foe for foe in foes if best[foe] == least]


class Isolation(Step, frozen=True, tag="isolation"):
    """At the end of a side's combat phase its hexes without supply defect and the armies in them are eliminated.

    [hw-unsupplied-1] [hw-unsupplied-2] [hw-control-2]
    """

    rule = "hw-unsupplied-2"

    def run(self, m: M) -> None:
        s = m.state
        side = s.side
        lost = unsupplied(s, side)
        new: list[tuple[int, int]] = []
        for space in lost:
            claims = heirs(s, side, space)
            heir = claims[0] if len(claims) == 1 else claims[(m.roll(6, why="hw-fall-special-4") - 1) % len(claims)]
            new.append((space, AXIS if space in s.partisans else heir))
        steps: list[Step] = []
        for space, heir in new:
            for army in armies_in(s, space):
                eliminate(m, army)
            take(m, space, heir, ruin=False)
            m.emit(Defected(at=space_name(space), side=f"@{SIDES[heir]}"))
            steps.append(Fallen(space, heir, side))
        m.replace(*steps) if steps else m.pop()
