"""Unaligned countries: what an attack on them sets off, and whom they join.

Chapters 'Unaligned Countries', 'Violation of Neutrality', and the attacks that lift or lengthen the Soviet limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.core import Step
from sandtable.core.columns import having, put

from ..model.atlas import ATLAS, AXIS, NOBODY, SOVIET
from ..model.places import BALTIC_STATES, ITALY, SOVIET_UNION, USA
from ..model.state import NO_POINTS, M, War, armies_of, book, set_points
from . import entry, home_forces, leaders
from .control import eliminate, would_join


def provoked(m: M, named: Iterable[tuple[int, int]]) -> Sequence[Step]:
    """What announced attacks set off before they are resolved.

    [hw-neutral-1] [hw-neutral-3] [hw-neutral-4] [hw-home-3] [hw-leader-5]
    """
    s = m.state
    steps: list[Step] = []
    for army, target in named:
        leaders.reveal(m, army)
        if not s.setting.politics:
            continue
        _mobilize(s, target)
        if s.owner[target] != NOBODY:
            continue
        group = ATLAS.group_of[target]
        if group in s.violated:
            continue
        s.violated = having(s.violated, group, s.side)
        if group in (ITALY, USA):
            _change_coat(m, group)
        steps.extend(home_forces.called_up(m, group))
    return steps


def _mobilize(s: War, target: int) -> None:
    """Attacks between Axis and Soviets, and Soviet attacks elsewhere, move the Soviet limit.

    [hw-mobil-1] [hw-mobil-3] [hw-research-special-1]
    """
    country, holder = ATLAS.country_of[target], s.owner[target]
    if (s.side, holder) in ((AXIS, SOVIET), (SOVIET, AXIS)):
        s.at_war = True
    if s.mobilized:
        return
    if s.side == AXIS and country in (SOVIET_UNION, BALTIC_STATES) and not s.extended:
        s.mobilized = s.turn
    if s.side == SOVIET and holder != SOVIET and country != BALTIC_STATES:
        s.extended = True


def _change_coat(m: M, group: int) -> None:
    """The army of an attacked neutral fights for the side the country would join.  [hw-neutral-3] [hw-neutral-4]"""
    s = m.state
    side = would_join(group, s.side)
    for army in [a for a in range(36) if s.idle[a] and ATLAS.group_of[s.army_at[a]] == group]:
        if army // 12 == side:
            continue
        new = next((a for a in armies_of(side) if s.army_at[a] < 0), None)
        if new is None:  # a side has twelve counters and no more  [hw-record-1]
            eliminate(m, army)
            continue
        row = s.strength[army * 5 : army * 5 + 5]
        s.army_at = put(put(s.army_at, new, s.army_at[army]), army, -1)
        set_points(s, new, row)
        set_points(s, army, NO_POINTS)
        book(s, new, sum(row))
        book(s, army, -sum(row))
        s.idle = put(put(s.idle, new, 1), army, 0)


def align_violated(m: M) -> None:
    """Neutrals attacked but not conquered in this combat phase join a side; Poland never does.

    [hw-neutral-2] [hw-neutral-5] [hw-neutral-6] [hw-neutral-7] [hw-neutral-8]
    """
    s = m.state
    for group, attacker in sorted(s.violated.items()):
        if not s.unaligned[group]:
            continue
        left = [x for x in ATLAS.groups[group] if s.owner[x] == NOBODY]
        if not left or _italy_beaten(s, group):
            entry.end_neutrality(s, group)
            continue
        side = would_join(group, attacker)
        if side != NOBODY:
            entry.join(m, group, side)
    s.violated = {}


def _italy_beaten(s: War, group: int) -> bool:
    """An unaligned Italy surrenders only if three mainland hexes were taken in the phase, and never to the Axis.

    [hw-surr-italy-1] [hw-surr-italy-5]
    """
    if group != ITALY or s.violated[group] == AXIS:
        return False
    taken = sum(s.owner[x] != NOBODY for x in ATLAS.countries[ITALY].spaces)
    return taken >= int(ATLAS.rules["italy"]["mainland_lost"])
