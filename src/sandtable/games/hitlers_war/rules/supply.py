"""Supply: which spaces have a route to a healthy production point, and what happens to those that have none.

Chapters 'Line of Supply', 'Unsupplied Hexes', 'Supply Route', and the rule for three sides in the Fall of Germany.
"""

from __future__ import annotations

from sandtable.core import Step

from ..facts.seaways import blockade
from ..facts.territory import Territory, territory
from ..model.atlas import ARMIES, ATLAS, AXIS, SIDES
from ..model.events import Defected
from ..model.state import M, War, armies_in, enemies, space_name
from . import partisans
from .control import eliminate, healthy, take
from .sealift import sea_chart, supply_seas
from .surrender import Fallen, Surrenders


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
    """Spaces of a side without supply."""
    return cut_off(s, side, territory(s, side))


def isolated(s: War, side: int) -> list[int]:
    """Spaces that a side loses for want of supply: those that an enemy has cut off.

    Land that no enemy adjoins, and whose seas never carried the side's supply, is cut off by nobody. Partisans must
    find a link in any case.  [hw-unsupplied-1] [hw-unsupplied-2] [hw-control-2] [hw-surr-soviet-3] [hw-partisan-3]
    """
    lost = unsupplied(s, side)
    if not lost:
        return []
    foes, land, seas = enemies(s, side), territory(s, side).land.labels, supply_seas(s, side)
    cut = {
        land[x]
        for x in lost
        if any(s.owner[y] in foes for y in ATLAS.walk[x])
        or (foes and any(ATLAS.waters[water][1] in seas for water in ATLAS.waters_of[x]))
    }
    return [x for x in lost if land[x] in cut or x in s.partisans]


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
                ways.append(link.length + gaps(space, b))
    return min(ways, default=1 << 20)


def heirs(s: War, side: int, space: int) -> list[int]:
    """The opposing sides whose nearest healthy production point is closest to a lost space.

    [hw-unsupplied-2] [hw-fall-special-4] [hw-coop-1]
    """
    foes = [foe for foe in enemies(s, side) if foe in s.setting.order]
    if len(foes) == 1:
        return foes
    best = {
        foe: min((gaps(space, x) for x in ATLAS.land if s.owner[x] == foe and healthy(s, x)), default=1 << 20)
        for foe in foes
    }
    least = min(best.values())
    return [foe for foe in foes if best[foe] == least]


class Isolation(Step, frozen=True, tag="isolation"):
    """At the end of a side's combat phase its isolated hexes defect and the armies in them are eliminated.

    Countries surrender before, and again where a hex that matters was lost.
    [hw-unsupplied-1] [hw-unsupplied-2] [hw-control-2] [hw-surr-britain-1]
    """

    rule = "hw-unsupplied-2"

    def run(self, m: M) -> None:
        s = m.state
        side = s.side
        new: list[tuple[int, int]] = []
        for space in isolated(s, side):
            claims = [AXIS] if space in s.partisans else heirs(s, side, space)
            heir = claims[0] if len(claims) == 1 else claims[(m.roll(why="hw-fall-special-4") - 1) % len(claims)]
            new.append((space, heir))
        steps: list[Step] = []
        for space, heir in new:
            for army in armies_in(s, space):
                eliminate(m, army)
            take(m, space, heir, ruin=False)
            m.emit(Defected(at=space_name(space), side=f"@{SIDES[heir]}"))
            steps.append(Fallen(space, heir, side))
        partisans.test_links(s)
        m.replace(*steps, Surrenders()) if steps else m.pop()
