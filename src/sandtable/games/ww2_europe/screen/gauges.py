"""The conditions of victory as gauges."""

from __future__ import annotations

from sandtable.core.gauges import Gauge, Standing

from ..model.atlas import ATLAS
from ..model.calendar import turn_track
from ..model.state import M
from ..rules.victory import check_victory, flags_held

A = ATLAS
_RULES = ("w2e-victory-axis", "w2e-victory-allies")


def standing(m: M) -> Standing:
    """Return the gauges of a match; its state is used up to see how it would end."""
    s, gauges = m.state, []
    capitals = [A.names[space] for space in A.capital]
    for side in (0, 1):
        roles = tuple(A.powers[power] for power in A.side_powers[side])
        held = flags_held(s, side)
        enemy = [power for power, whose in enumerate(A.side) if whose == 1 - side]
        taken = [power for power in held if power in enemy]
        gauges += [
            Gauge(id="capitals", roles=roles, value=len(taken), goal=2, places=tuple(capitals[p] for p in enemy),
                  held=tuple(capitals[p] for p in taken), rules=(_RULES[side],)),
            Gauge(id="flags", roles=roles, value=len(held), goal=len(flags_held(s, 1 - side)) + 1,
                  places=tuple(capitals), held=tuple(capitals[p] for p in held), rules=("w2e-victory-minor",)),
        ]  # fmt: skip
    s.turn = len(turn_track(s.scenario)) - 1
    check_victory(m)
    return Standing(tuple(gauges), s.outcome)
