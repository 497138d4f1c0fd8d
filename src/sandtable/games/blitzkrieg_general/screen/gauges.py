"""The conditions of victory as gauges."""

from __future__ import annotations

from sandtable.core.gauges import Gauge, Standing

from ..model.atlas import ALLIES, ATLAS, AXIS, MAJORS
from ..model.state import M, enemy_side
from ..rules import victory

_TOTAL = {
    AXIS: ("allied_majors_to_conquer_for_axis", "bg-8.5-axis-total"),
    ALLIES: ("axis_majors_to_conquer_for_allies", "bg-8.5-allied-total"),
}


def standing(m: M) -> Standing:
    """Return the gauges of a match; its state is used up to see how it would end."""
    s, gauges = m.state, []
    for side in (AXIS, ALLIES):
        roles = tuple(MAJORS[n] for n in range(8) if s.side[n] == side)
        other = enemy_side(side)
        goal, rule = ATLAS.victory[_TOTAL[side][0]], _TOTAL[side][1] if s.advanced else "bg-basic-8.5"
        if m.option("world-conquest"):
            goal, rule = sum(1 for n in range(8) if s.side[n] == other), "bg-8.5-world"
        else:
            gauges.append(
                Gauge(id="points", roles=roles, value=victory.points_of(s, side),
                      goal=victory.points_to_win(s, side), rules=("bg-8.5-economic",))
            )  # fmt: skip
        gauges.append(
            Gauge(id="majors", roles=roles, value=victory.conquered_majors(s, other), goal=goal, rules=(rule,))
        )
    s.turn = len(ATLAS.turns) - 1
    victory.check_victory(m)
    return Standing(tuple(gauges), s.outcome)
