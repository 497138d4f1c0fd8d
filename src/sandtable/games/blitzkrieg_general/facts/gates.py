"""6.4.3 C: the straits and canals that can be closed."""

from __future__ import annotations

from ..model.atlas import ATLAS, USA
from ..model.state import AT_WAR, NEUTRAL, BKState


def is_gate_closed(s: BKState, nation: int, here: int, there: int, sub: bool = False) -> bool:
    """Return whether ships of a nation may not use a sea link now. [bg-6.4.3c-general] [bg-6.4.3c-panama]
    [bg-6.4.3c-suez] [bg-6.4.3c-gibraltar] [bg-6.4.3c-malaya] [bg-6.4.3c-skagerrak] [bg-6.4.3c-turkey]
    [bg-6.4.3c-subs]"""
    name = ATLAS.gate_of.get(here * ATLAS.count + there)
    if name is None or not s.advanced:
        return False
    gate = ATLAS.gates[name]
    if sub and not gate.applies_to_subs:
        return False
    # a neutral country passes, but not by those it fights: the USSR may fight minors and be neutral
    fights = s.standing[nation] != NEUTRAL
    war, areas, control = s.war[nation], ATLAS.gate_areas[name], s.control
    if gate.rule == "closed_to_axis_once_usa_at_war":
        return fights and s.standing[USA] == AT_WAR and s.side[nation] != s.side[USA]
    if gate.rule == "closed_if_any_enemy":
        return any(war >> control[area] & 1 for area in areas)
    if gate.rule == "closed_if_all_enemy":
        return all(war >> control[area] & 1 for area in areas)
    owner = control[areas[0]]
    return (fights and s.standing[owner] == NEUTRAL) or bool(war >> owner & 1)
